//! Networks that were trained elsewhere and come in ONNX's form (<https://onnx.ai>).
//!
//! Such a network has one input of 32-bit floats, `observation`, as many numbers for each position as `raichi encode` writes,
//! and two outputs, `policy` and `value`; what they mean is said at [`NetworkPolicy::of_foreign`]. The first dimension of all
//! three is the number of positions. It plays, searches and evaluates as one that was trained here, by the name that it is
//! imported under; it cannot be trained on.
//!
//! Only builds with the feature `onnx` can run them (`runtime.rs`); others refuse them with a sentence.

mod runtime;

use std::sync::Arc;

use raichi_core::AnyGame;
use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream};
use raichi_learn::alphazero::{self, Config, NetworkPolicy};
use raichi_learn::file::{self, Files, Manifest};
use raichi_learn::learner::{Numbers, Tensor};
use raichi_learn::{Learned, Saved};
use raichi_search::options::Options;

/// What stands in a manifest in the place of a learner's spec.
pub const ID: &str = "onnx";
/// The tensor whose bytes are the network's file.
const MODEL: &str = "model";
/// The most actions that a game may have: a network has a number for each.
const MOST_ACTIONS: u64 = 1 << 20;

/// How many numbers a network reads and says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lengths {
    observation: usize,
    policy: usize,
    value: usize,
}

/// The bytes of an ONNX file as an agent's files.
pub fn files(name: &str, game: &dyn AnyGame, command: &str, model: &[u8]) -> Files {
    let bytes = model.iter().map(|&byte| byte.cast_signed()).collect();
    let saved = Saved {
        network: serde_json::json!({ "kind": ID }),
        tensors: vec![Tensor { name: MODEL.into(), numbers: Numbers::I8(bytes) }],
    };
    let manifest = Manifest {
        name: name.into(),
        game: game.spec().into(),
        agent: ID.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        command: command.into(),
        licence: "as its maker says".into(),
        ..Manifest::default()
    };
    file::write(manifest, &saved)
}

/// The network that was saved, ready to play.
///
/// # Errors
/// A sentence, where this build runs no such networks, or this one is damaged or does not fit the game.
pub(super) fn read<G: Playable>(game: &PathGame<G>, saved: &Saved) -> Result<Arc<dyn Learned<G>>, String> {
    let facts = game.facts();
    let (config, lengths) = fitting(&facts, game.layout().len(), game.n_actions())?;
    let model = model(saved)?;
    let net = runtime::open(&model, lengths, &|n| drawn(game, n))?;
    Ok(Arc::new(NetworkPolicy::of_foreign(net, &facts, lengths.observation, &config)))
}

/// How such networks are asked in a game with these facts.
///
/// # Errors
/// A sentence, where it is none that they can play.
fn fitting(facts: &Facts, observation: usize, n_actions: u64) -> Result<(Config, Lengths), String> {
    let defaults = Options::parse(alphazero::ID, alphazero::OPTIONS, None, None).expect("the defaults are allowed");
    let config = Config::from_options(&defaults, facts)?;
    if n_actions > MOST_ACTIONS {
        return Err(format!("its game has {n_actions} action numbers, and a network may have {MOST_ACTIONS}"));
    }
    let lengths = Lengths { observation, policy: n_actions as usize, value: NetworkPolicy::n_values(facts) };
    Ok((config, lengths))
}

/// Games at random are played for so many plies at most.
const MOST_PLIES: usize = 200;

/// What seats that are to act observe in so many positions, each from a game played at random: what a network is tried with,
/// since some fail only where they see certain numbers.
fn drawn<G: Playable>(game: &PathGame<G>, n: usize) -> Vec<f32> {
    let mut observation = vec![0; game.layout().len()];
    let (mut numbers, mut actions) = (Vec::with_capacity(n * observation.len()), Vec::new());
    for number in 0..n as u64 {
        let rng: &mut FastRng = &mut stream(1, "positions to try a network with", number);
        let mut state = game.initial_state();
        let mut n_seen = 0;
        for _ in 0..MOST_PLIES {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, rng);
                    game.apply_outcome(&mut state, outcome);
                }
                Phase::Act(seats) => {
                    let seat = seats.first();
                    n_seen += 1;
                    // Each position of the game that a seat acts in is as likely to be the one.
                    if index(rng, n_seen) == 0 {
                        game.observe(&state, seat, &mut observation);
                    }
                    let action = game.random_action(&state, seat, &mut actions, rng);
                    game.apply(&mut state, seat, action);
                }
            }
        }
        numbers.extend(observation.iter().map(|&number| number as f32));
    }
    numbers
}

fn model(saved: &Saved) -> Result<Vec<u8>, String> {
    match saved.tensor(MODEL) {
        Some(Numbers::I8(bytes)) => Ok(bytes.iter().map(|byte| byte.cast_unsigned()).collect()),
        _ => Err("its network is missing".into()),
    }
}
