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
    let all = Induction::new(game, ties, key);
    Arc::new(if n_arrangements(game.setup().sizes()) <= SMALL { all } else { all.of_large() })
}

/// Of so many arrangements of heaps all positions are looked at in a few seconds.
const SMALL: u64 = 100_000;

/// How many different heaps, in order, can be left of heaps of these sizes.
fn n_arrangements(sizes: &[u8]) -> u64 {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    // How many there are of the heaps so far whose largest has so many items.
    let mut with_largest = vec![1u64];
    for size in sorted {
        let mut n_smaller = 0u64;
        with_largest = (0..=usize::from(size))
            .map(|largest| {
                n_smaller = n_smaller.saturating_add(with_largest.get(largest).copied().unwrap_or(0));
                n_smaller
            })
            .collect();
    }
    with_largest.into_iter().fold(0, u64::saturating_add)
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
