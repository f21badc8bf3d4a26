//! Rubik's Cube: tables, solvers, and the player `cube-ida`.
//!
//! Size 2 is a table of all positions ([`pocket`]). Size 3: the fewest twists by iterative deepening with the distances of
//! cosets ([`optimal`]), and few twists at once in two phases ([`two_phase()`]).
//!
//! The player is in [`player`].
//! Checked: `tests/rubiks_cube.rs`, and the published numbers of positions of size 2 by distance.

mod cosets;
mod cubies;
mod deepening;
mod few_bounds;
mod near;
mod optimal;
mod patterns;
mod player;
mod pocket;
mod sequences;
mod two_phase;

use std::sync::Arc;

use raichi_core::game::Payoffs;
use raichi_games::rubiks_cube::{RubiksCube, State};
use raichi_solve::{Exact, Solver};

pub use player::CubeIda;
pub use two_phase::two_phase;

/// The solver of this size and metric.
pub fn solver(game: &RubiksCube) -> Option<Arc<dyn Solver<RubiksCube>>> {
    Some(if game.size() == 2 { Arc::new(pocket::Pocket::new(game)) } else { Arc::new(optimal::Optimal::new(game)) })
}

/// What a position is worth from which so many twists are needed at least. The score counts the twists from the first
/// on; there is none where the limit does not allow them all.
fn worth(game: &RubiksCube, state: &State, to_go: u32) -> Exact {
    let (made, limit) = (u32::from(state.n_twists()), u32::from(game.limit()));
    let total = made + to_go;
    let exact = |cost: u32, plies, score| Exact { values: Payoffs::new([-f64::from(cost)]), plies: Some(plies), score };
    if total <= limit { exact(total, to_go, Some(-f64::from(total))) } else { exact(limit + 1, limit - made, None) }
}
