//! Nim: a formula for every limit, where the last item wins and where it loses.
//!
//! With at most M items an action only the remainder r of each heap by M + 1 counts: whatever the other seat takes
//! from a multiple of M + 1, one takes the rest of the M + 1. Where the last item wins, the seat to act loses exactly
//! when the exclusive or of all r is 0 (C. L. Bouton, *Nim, a game with a complete mathematical theory*, 1901). Where
//! it loses, the same holds as long as some r is 2 or more; else the seat to act loses exactly when an odd number of
//! the r are 1: from an odd number every action makes it even or leaves one r of 2 or more and an exclusive or that
//! is not 0; from an even number above 0 one takes an item from an r of 1, and where all r are 0 one takes M from a
//! heap. How long play lasts has no formula that we know; it is found by looking at everything, where few enough
//! positions can follow ([`MAX_POSITIONS`]).
//! Checked against: exhaustion, for every limit, in the tests.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::heaps::MAX_HEAPS;
use raichi_games::nim::{Nim, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use crate::complete::Complete;

/// The solver's line of the table.
pub(crate) fn solver(game: &Nim) -> Option<Arc<dyn Solver<Nim>>> {
    Some(Arc::new(Formula { game: game.clone(), lengths: Complete::new(game, sorted) }))
}

/// The most positions that may follow one whose length of play is looked for.
const MAX_POSITIONS: usize = 1 << 15;

struct Formula {
    game: Nim,
    lengths: Complete<Nim, [u8; MAX_HEAPS]>,
}

fn items(game: &Nim, state: &State) -> impl Iterator<Item = u8> {
    (0..game.setup().sizes().len() as u8).map(|heap| state.heaps().items(heap))
}

/// The order of heaps does not matter, nor who acts.
fn sorted(game: &Nim, state: &State) -> [u8; MAX_HEAPS] {
    let mut sorted = [0; MAX_HEAPS];
    for (into, items) in sorted.iter_mut().zip(items(game, state)) {
        *into = items;
    }
    sorted.sort_unstable();
    sorted
}

/// Whether the seat to act wins, by the formula.
pub fn is_won(game: &Nim, state: &State) -> bool {
    let modulus = u16::from(game.setup().limit()) + 1;
    let remainders = items(game, state).map(|items| u16::from(items) % modulus);
    let (mut sum, mut most) = (0, 0);
    for remainder in remainders {
        sum ^= remainder;
        most = most.max(remainder);
    }
    // Of remainders 0 and 1 the exclusive or is 1 exactly when an odd number of them are 1.
    if game.is_misere() && most <= 1 { sum == 0 } else { sum != 0 }
}

impl Solver<Nim> for Formula {
    fn method(&self) -> Method {
        Method::Proof
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let seat = position.to_act();
        let values = Payoffs::win(if is_won(&self.game, position) { seat } else { 1 - seat });
        let n_positions =
            items(&self.game, position).try_fold(1usize, |product, items| product.checked_mul(usize::from(items) + 1));
        let plies = match n_positions {
            Some(n) if n <= MAX_POSITIONS => self.lengths.solve(position, work).ok().and_then(|exact| exact.plies),
            _ => None,
        };
        Ok(Exact { values, plies, score: None })
    }

    fn statistics(&self) -> Statistics {
        self.lengths.statistics()
    }
}
