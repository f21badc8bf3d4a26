//! Focus: who commands which piles, and what is beside the board.
//!
//! What counts: piles on top of which a seat's piece is, their heights, how many moves they have, the reserve, pieces lost
//! for good, enemy pieces held under own ones, and tall piles. All rules against
//! symmetric play are known; what is still to be exchanged is left to the search.
//! Weights: fitted to games of self-play; what that was worth is in docs/strength.md.
//! Not here: quiescence (almost every ply takes over a pile), threats of two plies.

pub mod endings;
pub mod mirror;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::bits;
use raichi_core::seat::Seat;
use raichi_games::focus::{Action, Focus, State};
use raichi_search::Evaluator;
use raichi_solve::Solver;

use crate::linear::{Tunable, seen_by, squash, weigh};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Focus) -> Option<Arc<dyn Evaluator<Focus>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Focus) -> Option<Arc<dyn Solver<Focus>>> {
    Some(Arc::new(endings::Endings::new(game)))
}

const N: usize = 8;

const WEIGHTS: [f32; N] = [0.018, 0.018, 0.004, 0.589, 0.336, -0.011, 0.039, 0.082];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
}

/// What a seat has.
#[derive(Default)]
struct Holding {
    piles: u32,
    height: u32,
    moves: u32,
    tall: u32,
    held: u32,
}

impl Holding {
    #[inline]
    fn of(state: &State, seat: Seat) -> Holding {
        let mut holding = Holding { piles: state.owned(seat).count_ones(), ..Holding::default() };
        for at in bits::ones([state.owned(seat)]) {
            let at = at as u8;
            let height = u32::from(state.height(at));
            holding.height += height;
            holding.moves += state.n_moves(at) as u32;
            holding.tall += u32::from(height >= 4);
            holding.held += u32::from(state.count_on(at, 1 - seat));
        }
        holding
    }
}

impl Hand {
    #[inline]
    fn sum_up(state: &State) -> [f32; N] {
        let [first, second] = [0, 1].map(|seat| Holding::of(state, seat));
        let difference = |one: u32, other: u32| one as f32 - other as f32;
        // Own pieces on the board: those under own tops, and those held by the other seat.
        let pieces = |one: &Holding, other: &Holding| one.height - one.held + other.held;
        [
            difference(first.piles, second.piles),
            difference(first.height, second.height),
            difference(first.moves, second.moves),
            difference(state.reserve(0).into(), state.reserve(1).into()),
            difference(pieces(&first, &second), pieces(&second, &first)),
            difference(first.held, second.held),
            difference(first.tall, second.tall),
            seen_by(state.to_act(), 1.0),
        ]
    }
}

impl Evaluator<Focus> for Hand {
    #[inline]
    fn value(&self, _game: &Focus, state: &State, seat: Seat) -> f32 {
        seen_by(seat, squash(weigh(&Hand::sum_up(state), &self.weights)))
    }

    fn priors(&self, _game: &Focus, state: &State, seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        let foes = state.owned(1 - seat);
        for (&action, odds) in actions.iter().zip(log_odds) {
            let (to, n) = match action {
                Action::Move { from, to } => {
                    let (columns, rows) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
                    (to, columns + rows)
                }
                Action::Reserve { to } => (to, 1),
                Action::Exchange { .. } => {
                    *odds = 0.0;
                    continue;
                }
            };
            let after = state.height(to) + n;
            let takes_over = foes >> to & 1 == 1;
            *odds = f32::from(u8::from(takes_over)) * (TAKES_OVER + PER_PIECE * f32::from(state.height(to)))
                + PER_SURPLUS * f32::from(after.saturating_sub(5));
            if matches!(action, Action::Reserve { .. }) {
                *odds -= FROM_RESERVE;
            }
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

// Log-odds of actions.
const TAKES_OVER: f32 = 1.0;
const PER_PIECE: f32 = 0.3;
const PER_SURPLUS: f32 = 0.6;
const FROM_RESERVE: f32 = 0.3;

impl Tunable<Focus> for Hand {
    const FEATURES: &'static [&'static str] =
        &["piles", "their height", "moves", "reserve", "pieces on the board", "enemies held", "tall piles", "to act"];

    fn new(_game: &Focus) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, _game: &Focus, state: &State, features: &mut [f32]) -> bool {
        features.copy_from_slice(&Hand::sum_up(state));
        true
    }
}
