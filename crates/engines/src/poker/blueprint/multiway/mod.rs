//! Strategies for three seats and more, and for stacks of more than ten big blinds between two, learned by regret.
//!
//! There is no graph of the betting here, which would be too large: what a decision looks like is described by a few numbers, each in classes
//! ([`spot`]), and decisions that look alike share a strategy for each bucket of hands. It is learned over the rules of the game themselves
//! ([`training`]) and kept as bytes ([`strategy`]).
//! What that leaves open: between more than two seats regret that falls to nothing promises no equilibrium, and an equilibrium
//! promises nothing against two others who play another one; and spots forget most of the past. So what it is worth is said by matches
//! alone (docs/strength.md).

pub mod spot;
pub mod strategy;
#[cfg(test)]
mod tests;
pub mod training;

pub use strategy::{Strategies, shipped};
pub use training::Training;

/// The strategies that come with the engine are of tables with at most so many seats.
pub const MOST_SEATS: usize = 3;
/// They have met tables with at most so many big blinds a seat.
pub const MOST_BLINDS: u32 = 16;
