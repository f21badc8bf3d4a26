//! The table of all agents, by name.
//!
//! Three steps, so that expensive work is done once: a [`AgentKind`] is registered in [`KINDS`]; [`prepare`] makes it ready
//! for a game with options ([`Prepared`], shared by all who use it); [`Prepared::open`] begins a [`Session`] for one game
//! in progress, which keeps what it finds from ply to ply.
//!
//! An agent's search is generic over the game. It is compiled for every game here and nowhere else; who needs an agent
//! asks this crate. Agents that need no speed of their own work on the form of a match without types.

mod charts;
mod equilibrium;
pub mod kind;
mod kinds;
pub mod levels;
mod of_one_game;
pub mod problems;
mod searching;
pub mod separately;
pub mod session;
mod system_host;
pub mod trained;
pub mod truth;

pub use charts::{charts, has_charts};
pub use equilibrium::{
    ActingStrategy, HandStrategy, RoundEquilibrium, SOLVED, action_values, check_ranges, equilibrium, equilibrium_at,
};
pub use kind::{AgentError, AgentKind, KINDS, canonical, prepare, supporting};
pub use raichi_learn::{Progress as TrainingProgress, Saved};
pub use raichi_search::options;
pub use raichi_search::{Advice, Budget, CancelFlag, Candidate, Certainty, Cost};
pub use raichi_solve::regret::Equilibrium;
pub use raichi_solve::{Exact, Folder, Method, NotKept, Progress, Statistics, Unsolved, Work};
pub use searching::BUILT_IN_EVALUATORS;
pub use session::{Played, Prepared, Session};
pub use system_host::SystemHost;
