//! Hex: how far each seat is from joining its rims.
//!
//! What counts: the *shortest path*, how many stones a seat still needs if the other one passes, and the
//! *two-distance*, where the other one always takes the best neighbour away, so that a cell is as far as its
//! second-best neighbour (J. van Rijswijck, *Search and evaluation in Hex*, 2002): bridges and ladders along a rim
//! are seen without search. How many cells lie on the best ways tells positions of equal distance apart.
//! The playout policy answers an intrusion into a bridge by its other cell, also between a stone and a rim, and is
//! random elsewhere. Priors: cells on both seats' best ways, bridges kept. All sizes, with and without the swap.
//! Weights: set by hand; a fit to games of self-play was no better, see docs/strength.md.
//!
//! Who wins is proven by a search with virtual connections, dead and captured cells (`solver.rs`, `proof/`); the
//! evaluator does without them.

mod distance;
mod map;
mod policy;
mod proof;
mod solver;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::hex::{Hex, State};
use raichi_search::{Evaluator, PlayoutPolicy};
use raichi_solve::Solver;

use crate::linear::{Tunable, seen_by, squash, weigh};

pub use map::{map_text, winning_openings};
pub use solver::prove_openings;

use distance::{Distances, Map};
use policy::{KeepsBridges, Surroundings};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Hex) -> Option<Arc<dyn Evaluator<Hex>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The playout policy's line of the table.
pub(crate) fn playout_policy(game: &Hex) -> Option<Arc<dyn PlayoutPolicy<Hex>>> {
    Some(Arc::new(KeepsBridges::new(game)))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Hex) -> Option<Arc<dyn Solver<Hex>>> {
    Some(Arc::new(solver::Prover::new(game)))
}

const N: usize = 4;

const WEIGHTS: [f32; N] = [0.3, 0.5, 0.1, 0.3];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
    map: Map,
    surroundings: Surroundings,
}

impl Hand {
    fn sum_up(&self, state: &State) -> [f32; N] {
        let [first, second] = [0, 1].map(|seat| self.map.distances(state, seat));
        let of = |distances: &Distances| {
            [distances.shortest as f32, distances.two as f32, (distances.n_best as f32).ln_1p()]
        };
        let (first, second) = (of(&first), of(&second));
        [second[0] - first[0], second[1] - first[1], first[2] - second[2], seen_by(state.to_act(), 1.0)]
    }
}

impl Evaluator<Hex> for Hand {
    fn value(&self, _game: &Hex, state: &State, seat: Seat) -> f32 {
        seen_by(seat, squash(weigh(&self.sum_up(state), &self.weights)))
    }

    fn priors(&self, game: &Hex, state: &State, seat: Seat, actions: &[u16], log_odds: &mut [f32]) {
        let [own, foe] = [seat, 1 - seat].map(|seat| self.map.distances(state, seat));
        let farther =
            |distances: &Distances, cell: u16| f32::from(distances.through(cell).saturating_sub(distances.two).min(4));
        for (&action, odds) in actions.iter().zip(log_odds) {
            *odds = if action == game.swap_action() {
                SWAP
            } else {
                let saves = self.surroundings.is_intruded(state, seat, action);
                let apart = farther(&own, action) + farther(&foe, action);
                f32::from(u8::from(saves)) * SAVES_BRIDGE - apart * OFF_THE_WAY
            };
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

// Log-odds of actions.
const SWAP: f32 = 1.0;
const SAVES_BRIDGE: f32 = 2.5;
const OFF_THE_WAY: f32 = 0.6;

impl Tunable<Hex> for Hand {
    const FEATURES: &'static [&'static str] = &["shortest path", "two-distance", "best ways", "to act"];

    fn new(game: &Hex) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS, map: Map::new(game.size()), surroundings: Surroundings::new(game.size()) })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, _game: &Hex, state: &State, features: &mut [f32]) -> bool {
        features.copy_from_slice(&self.sum_up(state));
        true
    }
}
