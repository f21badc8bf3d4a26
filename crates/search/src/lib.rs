//! Choose an action now.
//!
//! An agent sees a seat's view, spends a budget, and answers with an action and what it found on the way. [`agent`]
//! says what that is; [`options`] reads the specs that name agents (`mcts:time=1s`); [`erased`] is the form for tables,
//! matches and the command, and the list of the agents made here. The agents: [`random`] and [`mcts`].
//!
//! Agents know core only. They read a game's facts, and refuse with an error what they cannot handle.

pub mod agent;
mod clock;
pub mod options;

pub mod mcts;
pub mod random;

pub mod erased;

pub use agent::{Advice, Agent, Budget, Candidate, Stop};
pub use erased::{AGENTS, AgentError, AgentKind, AnyAgent, MakeAgent, canonical};
pub use mcts::Mcts;
pub use random::RandomAgent;
