//! Parameters to check with.

use crate::information::Information;
use crate::params::{ParamKind, ParamSpec};
use crate::path::PathGame;
use crate::playout::playout;
use crate::random::{self, FastRng, Rng, stream};

/// Plays a random game to its end and returns how many plies that took, or `None` beyond `max_plies`.
pub fn length_of_random_game<G: Information>(game: &G, seed: u64, max_plies: u32) -> Option<u32> {
    let capped = PathGame::new(game.clone(), max_plies);
    let plies = playout(&capped, &mut capped.initial_state(), &mut Vec::new(), &mut stream(seed, "length", 0));
    (plies < max_plies).then_some(plies)
}

/// Parameters drawn at random, corners more often than the middle, as the part of a spec behind the colon; `None` for
/// all defaults. Combinations that make no game come up too: the caller draws again.
pub fn random_params(specs: &[ParamSpec], rng: &mut FastRng) -> Option<String> {
    let mut entries: Vec<String> = Vec::new();
    for spec in specs {
        if random::index(rng, 2) == 0 {
            entries.push(format!("{}={}", spec.name, random_value(&spec.kind, rng)));
        }
    }
    (!entries.is_empty()).then(|| entries.join(","))
}

fn random_value(kind: &ParamKind, rng: &mut FastRng) -> String {
    match *kind {
        ParamKind::Int { min, max, step } => random_int(min, max, step, rng).to_string(),
        ParamKind::Bool => (rng.next_u64() & 1 == 0).to_string(),
        ParamKind::Choice { options } => options[random::index(rng, options.len())].into(),
        ParamKind::List { min_len, max_len, min, max } => {
            let len = min_len + random::index(rng, (max_len - min_len).min(4) + 1);
            (0..len).map(|_| random_int(min, max, 1, rng).to_string()).collect::<Vec<_>>().join("/")
        }
    }
}

// Either end, near the low end, or anywhere.
fn random_int(min: u64, max: u64, step: u64, rng: &mut FastRng) -> u64 {
    let n_steps = (max - min) / step;
    let steps = match random::index(rng, 6) {
        0 => 0,
        1 => n_steps,
        2 | 3 => random::index(rng, n_steps.min(12) as usize + 1) as u64,
        _ => random::index(rng, n_steps as usize + 1) as u64,
    };
    min + steps * step
}
