//! The table of agents: the one place where every agent is compiled for every game.
//!
//! An agent's search is generic over the game, so that whoever asks `raichi_games::visit` for one has all of them
//! compiled once more, nineteen times. Edges ask here.

use raichi_core::SpecError;
use raichi_search::{AgentError, AnyAgent, MakeAgent};

/// The agent that `spec` names, for the game that `game` names; `seed` decides all its random draws.
///
/// # Errors
/// Outside, what is wrong with the game's spec; inside, what is wrong with the agent's, or why it does not play the game.
pub fn make_agent(game: &str, spec: &str, seed: u64) -> Result<Result<Box<dyn AnyAgent>, AgentError>, SpecError> {
    raichi_games::visit(game, MakeAgent { spec, seed })
}
