//! Choose an action now.
//!
//! A session sees a seat's view, spends a budget, and returns an action and what it found on the way. [`agent`] says what
//! that is, [`raichi_core::host`] what a search uses of the machine, [`evaluator`] what it may know of a game, [`options`]
//! reads the options of a spec (`mcts:time=1s`). The methods: [`minimax`], [`greedy`], [`alphabeta`], [`proof_number`],
//! [`monte_carlo`], [`rolling_horizon`] and [`mcts`].
//!
//! Searches know machine and core only, and name no game. They use no clock, thread, file or random source but those passed to them.

pub mod agent;
mod clock;
mod deepening;
pub mod evaluator;
mod line;
pub mod options;
mod tally;
mod ties;

pub mod alphabeta;
pub mod greedy;
pub mod mcts;
pub mod minimax;
pub mod monte_carlo;
pub mod proof_number;
pub mod rolling_horizon;

pub use agent::{Advice, Budget, Candidate, Certainty, Cost, Limits, Session};
pub use alphabeta::AlphaBeta;
pub use evaluator::{Evaluator, Failure, PlayoutPolicy};
pub use greedy::Greedy;
pub use mcts::Mcts;
pub use minimax::Minimax;
pub use monte_carlo::MonteCarlo;
pub use proof_number::DfPn;
pub use raichi_core::host::{BareHost, CancelFlag, Host};
pub use rolling_horizon::RollingHorizon;
pub use ties::share_ties;
