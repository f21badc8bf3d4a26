//! Making the agents that arguments name.

use raichi_core::AnyGame;
use raichi_search::{AnyAgent, MakeAgent};

use crate::failure::Failure;

/// The agent that `spec` names, for `game`.
///
/// # Errors
/// When there is no such agent, or it cannot play the game; says why.
pub(crate) fn make(game: &dyn AnyGame, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
    let made = raichi_games::visit(game.spec(), MakeAgent { spec, seed }).expect("the game was made before");
    made.map_err(|why| Failure::Usage(format!("`{spec}`: {why}")))
}
