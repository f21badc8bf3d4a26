//! Core, games and search where there is no operating system: random games of every game and a decision of a search,
//! each summed up in a number. `scripts/wasm.sh` compares the numbers of WebAssembly with those of this machine.

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::random::{index, stream};
use raichi_core::{Match, PathGame, Phase, Viewer};
use raichi_games::REGISTRY;
use raichi_search::mcts::Config;
use raichi_search::{BareHost, Budget, CancelFlag, Limits, Mcts, Session};

/// So many random games of each game.
const N_GAMES: u64 = 5;
const MOST_PLIES: usize = 300;
/// So many simulations for the decision.
const N_SIMULATIONS: u64 = 300;

/// How many games there are.
#[unsafe(no_mangle)]
pub extern "C" fn n_games() -> u32 {
    REGISTRY.len() as u32
}

/// A checksum of random games of game `i`: their texts, positions, observations, payoffs.
#[unsafe(no_mangle)]
pub extern "C" fn random_games(i: u32) -> u64 {
    let game = (REGISTRY[i as usize].create)(None).expect("the defaults make a game");
    let mut sum = Checksum::default();
    let mut observation = vec![0; game.layout().len()];
    for seed in 0..N_GAMES {
        let mut current = game.new_match();
        let mut rng = stream(seed, "game", 0);
        while current.n_plies() < MOST_PLIES {
            match current.phase() {
                Phase::Over => break,
                Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
                Phase::Act(seats) => {
                    let nth = index(&mut rng, seats.len());
                    let seat = seats.iter().nth(nth).expect("the index is below the length");
                    current.legal_numbers(seat).iter().for_each(|number| sum.add(&number.to_le_bytes()));
                    current.play_random(seat, &mut rng).expect("the seat is to act");
                }
            }
            sum.add(current.position_text(Viewer::Referee).as_bytes());
            current.observe(0, &mut observation);
            observation.iter().for_each(|entry| sum.add(&entry.to_le_bytes()));
        }
        sum.add(current.history(Viewer::Referee).as_bytes());
        current.payoffs().as_slice().iter().for_each(|payoff| sum.add(&payoff.to_le_bytes()));
        sum.add(current.end_reason().unwrap_or("unfinished").as_bytes());
    }
    sum.0
}

/// A checksum of the first decision in game `i`: the action that a search chooses, and how often it tried each.
#[unsafe(no_mangle)]
pub extern "C" fn decision(i: u32) -> u64 {
    raichi_games::visit(REGISTRY[i as usize].id, Decide).expect("the defaults make a game")
}

struct Decide;

impl GameVisitor for Decide {
    type Output = u64;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> u64 {
        let mut current = Match::of(Arc::clone(game));
        let mut rng = stream(1, "decision", 0);
        let seat = loop {
            match current.phase() {
                Phase::Act(seats) => break seats.first(),
                _ => current.sample_outcome(&mut rng).expect("chance begins or a seat does"),
            }
        };
        let cancel = CancelFlag::default();
        let limits = Limits { budget: Budget::simulations(N_SIMULATIONS), cancel: &cancel, host: &BareHost };
        let advice = Mcts::new(Config::default()).decide(&current.view(seat), &limits, &mut rng);
        let text = |action| game.action_text(current.state(), seat, action);
        let mut sum = Checksum::default();
        sum.add(text(advice.action).as_bytes());
        for candidate in advice.candidates {
            sum.add(text(candidate.action).as_bytes());
            sum.add(&candidate.visits.unwrap_or_default().to_le_bytes());
        }
        sum.0
    }
}

/// FNV-1a.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
