//! Training runs: an agent learns, is evaluated now and then, and is kept.
//!
//! [`evaluation`] plays games of an agent against an opponent from given starts, and counts what it kept of the exact value.
//! [`mod@accuracy`] counts in which share of positions an agent's action is right.
//! [`run`] is a training that can be killed at any time: checkpoints are written whole or not at all, and a run that goes on
//! from one ends with the same weights, to the bit, where one thread trains.

pub mod accuracy;
pub mod evaluation;
pub mod exact;
pub mod run;

pub use accuracy::{Accuracy, Positions, accuracy};
pub use evaluation::{Evaluating, EvaluationError, EvaluationPlan, Opponent, Starts, USUAL_GAMES, evaluate};
pub use exact::ExactStarts;
pub use run::{Goal, MeasuringTime, Points, Run, RunError, RunPlan, Status};
