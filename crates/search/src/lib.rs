//! Choose an action now.
//!
//! A session sees a seat's view, spends a budget, and returns an action and what it found on the way. [`agent`] says what
//! that is, [`host`] what a search uses of the machine, [`evaluator`] what it may know of a game, [`options`] reads the
//! options of a spec (`mcts:time=1s`). The methods: [`minimax`],
//! [`alphabeta`], [`mcts`].
//!
//! Searches know core only, and name no game. They use no clock, thread, file or random source but those passed to them.

pub mod agent;
mod clock;
mod deepening;
pub mod evaluator;
pub mod host;
mod line;
pub mod options;

pub mod alphabeta;
pub mod mcts;
pub mod minimax;

pub use agent::{Advice, Budget, CancelFlag, Candidate, Certainty, Cost, Limits, Session};
pub use alphabeta::AlphaBeta;
pub use evaluator::{Evaluator, PlayoutPolicy};
pub use host::{BareHost, Host};
pub use mcts::Mcts;
pub use minimax::Minimax;
