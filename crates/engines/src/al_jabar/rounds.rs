//! Al-Jabar of two seats: exact values of small games, round by round.
//!
//! Positions come again, since exchanges can be undone, so they are valued without their round by value iteration
//! ([`raichi_solve::rounds`]); of those that an automorphism of the group maps to each other one stands for all. Within a round
//! nothing comes again: draws use up the bag, and turns go from seat to seat.
//! Handled: two seats, in games of at most [`MOST_POSITIONS`] positions by an estimate ([`AlJabar::n_positions`]).
//! Promise: values under best play with the cap on rounds, for the round that a position is in.
//! Checked against backward induction over the game's own rules, and positions against those after them, in `tests.rs`.

use std::sync::Arc;

use raichi_core::game::Game;
use raichi_games::al_jabar::{AlJabar, Numbers, State};
use raichi_solve::Solver;
use raichi_solve::rounds::{Bound, ByRounds, Rounds};

/// Positions by number.
struct Numbered {
    numbers: Numbers,
    most: u32,
}

/// Each takes about 100 bytes while it is valued, and four microseconds.
const MOST_POSITIONS: f64 = 3e7;

impl Numbered {
    fn new(game: &AlJabar) -> Option<Numbered> {
        if game.facts().n_seats != 2 {
            return None;
        }
        let numbers = Numbers::new(game).filter(|_| game.n_positions() <= MOST_POSITIONS)?;
        Some(Numbered { numbers, most: game.max_rounds() })
    }
}

impl Rounds<AlJabar> for Numbered {
    fn key(&self, position: &State) -> Option<u64> {
        self.numbers.least(position)
    }

    fn position(&self, key: u64) -> State {
        self.numbers.position(key)
    }

    fn n_completed(&self, position: &State) -> u32 {
        position.n_rounds()
    }

    fn most(&self) -> u32 {
        self.most
    }
}

/// The solver's line of the table.
pub(crate) fn solver(game: &AlJabar) -> Option<Arc<dyn Solver<AlJabar>>> {
    Some(Arc::new(by_rounds(game)?))
}

/// The solver; `None` for more seats and for large games.
pub fn by_rounds(game: &AlJabar) -> Option<ByRounds<AlJabar, impl Rounds<AlJabar> + use<>>> {
    Some(ByRounds::new(game.clone(), Numbered::new(game)?))
}

/// Without the cap on rounds: what seat 0 gets at least or at most, whatever play without an end pays; see
/// [`ByRounds::endless`]. It looks at as many rounds as the game has.
pub fn endless(game: &AlJabar, bound: Bound) -> Option<ByRounds<AlJabar, impl Rounds<AlJabar> + use<>>> {
    Some(ByRounds::endless(game.clone(), Numbered::new(game)?, bound))
}
