//! Nim3P: all positions that can follow, by backward induction.
//!
//! The order of the heaps does not matter, so heaps are sorted. With three seats equal choices matter: as a rule each
//! of them is made equally often, and [`solver_with`] takes the other readings, always in favour of a seat or always
//! against it. How large a game can be solved is a matter of time and memory; three heaps of five have 56 positions a
//! seat. Checked against: the plain induction of the crate `solve`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_games::heaps::MAX_HEAPS;
use raichi_games::nim3p::{Nim3P, State};
use raichi_solve::Solver;
use raichi_solve::backward::Ties;

use crate::induction::Induction;

/// The solver's line of the table.
pub(crate) fn solver(game: &Nim3P) -> Option<Arc<dyn Solver<Nim3P>>> {
    Some(solver_with(game, Ties::Shared))
}

/// The solver that reads ties as given.
pub fn solver_with(game: &Nim3P, ties: Ties) -> Arc<dyn Solver<Nim3P>> {
    Arc::new(Induction::new(game, ties, key))
}

/// The heaps in order, and who acts.
fn key(game: &Nim3P, state: &State) -> ([u8; MAX_HEAPS], u8) {
    let mut sorted = [0; MAX_HEAPS];
    for (heap, into) in sorted.iter_mut().enumerate().take(game.setup().sizes().len()) {
        *into = state.heaps().items(heap as u8);
    }
    sorted.sort_unstable();
    (sorted, state.to_act() as u8)
}
