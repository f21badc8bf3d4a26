//! Making the agents that arguments name.

use raichi_arena::make_agent;
use raichi_core::AnyGame;
use raichi_search::AnyAgent;

use crate::failure::Failure;

/// The agent that `spec` names, for `game`.
///
/// # Errors
/// When there is no such agent, or it cannot play the game; says why.
pub(crate) fn make(game: &dyn AnyGame, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Failure> {
    let made = make_agent(game.spec(), spec, seed).expect("the game was made before");
    made.map_err(|why| Failure::Usage(format!("`{spec}`: {why}")))
}
