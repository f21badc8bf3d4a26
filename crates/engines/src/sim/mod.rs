//! Sim: how many lines each can still draw without a triangle.
//!
//! A line is *safe* for a seat if it completes no triangle of its colour. What counts: own safe lines, and those among
//! them that are safe for nobody else, which wait as spare plies; lines that would make a further line unsafe count
//! less through the pairs that stand open. Any number of nodes. Two seats; three, each for itself (shares of 1); a
//! coalition of seats 1 and 2, whose first triangle by anybody ends the game, so that the coalition is as safe as its
//! less safe member.
//! Weights: set by hand; a fit to games of self-play of two seats on seven nodes was no better, see docs/strength.md.
//! The values of small graphs are in `solver.rs`.

mod canonical;
mod solver;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::sim::{Sim, State};
use raichi_search::Evaluator;
use raichi_solve::Solver;
use raichi_solve::backward::Ties;

pub use solver::solver_with;

use crate::linear::{Tunable, seen_by, squash, weigh};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Sim) -> Option<Arc<dyn Evaluator<Sim>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Sim) -> Option<Arc<dyn Solver<Sim>>> {
    solver_with(game, Ties::Shared)
}

const N: usize = 4;

const WEIGHTS: [f32; N] = [0.3, 0.3, 0.1, 0.0];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
}

/// What is left to a seat.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Lines that make no triangle of its colour.
    safe: f32,
    /// Those of them that would make one of every other seat's that is still in.
    own: f32,
}

impl Hand {
    fn lines_left(game: &Sim, state: &State) -> [Left; 3] {
        let n_seats = game.n_seats();
        let mut left = [Left::default(); 3];
        for b in 1..usize::from(game.n_nodes()) {
            for a in 0..b {
                let is_free = (0..n_seats).all(|seat| state.joined(seat)[a] >> b & 1 == 0);
                if !is_free {
                    continue;
                }
                let closes = |seat: Seat| state.joined(seat)[a] & state.joined(seat)[b] != 0;
                for seat in (0..n_seats).filter(|&seat| !closes(seat)) {
                    left[seat].safe += 1.0;
                    let mut others = state.still_in().iter().filter(|&other| other != seat);
                    left[seat].own += f32::from(u8::from(others.all(closes)));
                }
            }
        }
        left
    }

    /// Seat 0 against another: the seat, or the coalition's less safe member.
    fn sum_up(game: &Sim, state: &State) -> [f32; N] {
        let left = Hand::lines_left(game, state);
        let other = if game.is_coalition() && left[2].safe < left[1].safe { left[2] } else { left[1] };
        let n_safe = left[0].safe + other.safe;
        let to_act = state.to_act();
        let last = (left[0].safe - other.safe).signum() * f32::from(u8::from(n_safe < 8.0));
        [left[0].safe - other.safe, left[0].own - other.own, last, if to_act == 0 { -1.0 } else { 1.0 }]
    }

    fn shares(&self, game: &Sim, state: &State) -> [f32; 3] {
        let left = Hand::lines_left(game, state);
        let share = |seat: Seat| {
            let is_in = state.still_in().contains(seat);
            let sum = self.weights[0] * left[seat].safe + self.weights[1] * left[seat].own;
            // A seat without a safe line is all but out.
            if is_in { 0.05 + sum } else { 0.0 }
        };
        let shares = [share(0), share(1), share(2)];
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }
}

impl Evaluator<Sim> for Hand {
    fn value(&self, game: &Sim, state: &State, seat: Seat) -> f32 {
        if game.n_seats() == 3 && !game.is_coalition() {
            return self.shares(game, state)[seat];
        }
        seen_by(seat, squash(weigh(&Hand::sum_up(game, state), &self.weights)))
    }

    fn priors(&self, game: &Sim, state: &State, seat: Seat, actions: &[u8], log_odds: &mut [f32]) {
        let joined = state.joined(seat);
        for (&action, odds) in actions.iter().zip(log_odds) {
            let (a, b) = Sim::ends(action);
            let (a, b) = (usize::from(a), usize::from(b));
            let closes = joined[a] & joined[b] != 0;
            // Each own line that meets this one makes a third one unsafe.
            let meets = (joined[a] | joined[b]).count_ones() as f32;
            let spoils =
                (0..game.n_seats()).any(|other| other != seat && state.joined(other)[a] & state.joined(other)[b] != 0);
            *odds = f32::from(u8::from(closes)) * TRIANGLE + meets * MEETS + f32::from(u8::from(spoils)) * SPARE;
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

// Log-odds of actions: an own triangle, a new unsafe line, a line that only this seat can draw.
const TRIANGLE: f32 = -6.0;
const MEETS: f32 = -0.3;
const SPARE: f32 = -0.5;

impl Tunable<Sim> for Hand {
    const FEATURES: &'static [&'static str] =
        &["safe lines", "lines safe for it alone", "more, near the end", "the other acts"];

    fn new(_game: &Sim) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &Sim, state: &State, features: &mut [f32]) -> bool {
        features.copy_from_slice(&Hand::sum_up(game, state));
        true
    }
}
