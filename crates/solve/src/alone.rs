//! What one seat can expect where nobody else decides anything any more.
//!
//! In a game of many seats with secrets, or one too large to be solved, the end of a round may be one seat's alone: it and
//! chance act until the game is over. Such a position is worth the mean over chance of the best that the seat can do, found
//! backward with every position met kept.
//! Promise: the payoff of the seat under its best play, exact but for rounding; nothing where another seat can come to act.
//! Checked against the solvers of small games in `tests/bounded.rs`.

use std::collections::HashMap;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;

/// What is known of one seat's last decisions in a game.
pub struct Alone<'a, G: Game> {
    game: &'a G,
    seat: Seat,
    left: u64,
    known: HashMap<G::State, f64>,
}

impl<'a, G: Game> Alone<'a, G> {
    /// For `seat`; at most `most` positions are looked at, in all that it is asked for.
    pub fn new(game: &'a G, seat: Seat, most: u64) -> Self {
        Alone { game, seat, left: most, known: HashMap::new() }
    }

    /// What the seat expects in `position`; `None` where another seat may come to act, or too much may happen.
    pub fn expects(&mut self, position: &G::State) -> Option<f64> {
        if let Some(&value) = self.known.get(position) {
            return Some(value);
        }
        self.left = self.left.checked_sub(1)?;
        let value = match self.game.phase(position) {
            Phase::Over => self.game.payoffs(position)[self.seat],
            Phase::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(position, &mut outcomes);
                let (mut sum, mut total) = (0.0, 0.0);
                for (outcome, weight) in outcomes {
                    let mut next = position.clone();
                    self.game.apply_outcome(&mut next, outcome);
                    sum += weight as f64 * self.expects(&next)?;
                    total += weight as f64;
                }
                sum / total
            }
            Phase::Act(seats) if seats.len() > 1 || seats.first() != self.seat => return None,
            Phase::Act(_) => {
                let mut actions = Vec::new();
                self.game.legal_actions(position, self.seat, &mut actions);
                let mut best = f64::NEG_INFINITY;
                for action in actions {
                    let mut next = position.clone();
                    self.game.apply(&mut next, self.seat, action);
                    best = best.max(self.expects(&next)?);
                }
                best
            }
        };
        self.known.insert(position.clone(), value);
        Some(value)
    }
}
