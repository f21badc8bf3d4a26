//! Al-Jabar: who holds the fewest pieces, and who can give away more at once.
//!
//! Source: the rules alone. The fewest pieces win, and a turn gives away as many pieces more than it takes as some exchange
//! allows; the seat to act is about to make the best one that it has.
//! Handled: all parameters, two to four seats. Not here: what a draw may bring, what is given to others by cancelling.
//! Promise: the values of all seats have the payoffs' sum, and equal hands without an exchange are worth the same.
//! Checked: `tests/laws.rs`; matches in docs/strength.md.

mod rounds;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::al_jabar::{Action, AlJabar, State};
use raichi_search::Evaluator;

pub(crate) use rounds::solver;
pub use rounds::{by_rounds, endless};

/// The evaluator; it knows all parameters.
pub fn evaluator(_game: &AlJabar) -> Option<Arc<dyn Evaluator<AlJabar>>> {
    Some(Arc::new(FewestPieces))
}

struct FewestPieces;

/// How much one piece less is worth, as a natural logarithm of odds: long before the end, and in the final round.
const EARLY: f32 = 0.35;
const FINAL: f32 = 1.2;

impl FewestPieces {
    /// By seat, the chances to have the fewest pieces at the end.
    fn chances(game: &AlJabar, state: &State) -> Vec<f32> {
        let n_seats = game.facts().n_seats;
        let mut pieces: Vec<f32> = (0..n_seats).map(|seat| f32::from(state.hand_len(seat))).collect();
        if let Phase::Act(seats) = game.phase(state) {
            let seat = seats.first();
            pieces[seat] -= f32::from(game.best_exchange(state, seat));
        }
        let by = if state.is_signalled() { FINAL } else { EARLY };
        let least = pieces.iter().copied().fold(f32::MAX, f32::min);
        let odds: Vec<f32> = pieces.iter().map(|pieces| (by * (least - pieces)).exp()).collect();
        let total: f32 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / total).collect()
    }
}

impl Evaluator<AlJabar> for FewestPieces {
    fn value(&self, game: &AlJabar, state: &State, seat: Seat) -> f32 {
        let chances = FewestPieces::chances(game, state);
        // Two seats win 1 and lose 1; three and more share 1.
        if chances.len() == 2 { chances[seat] - chances[1 - seat] } else { chances[seat] }
    }

    fn values(&self, game: &AlJabar, state: &State, values: &mut [f32]) {
        let chances = FewestPieces::chances(game, state);
        for (seat, value) in values.iter_mut().enumerate() {
            *value = if chances.len() == 2 { chances[seat] - chances[1 - seat] } else { chances[seat] };
        }
    }

    fn priors(&self, game: &AlJabar, _state: &State, _seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        for (action, odds) in actions.iter().zip(log_odds) {
            *odds = match action {
                Action::Exchange(exchange) => f32::from(game.pieces_less(*exchange)),
                Action::Draw => -1.0,
                Action::Pass | Action::Final => 0.0,
            };
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}
