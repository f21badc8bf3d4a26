//! Blueprints: strategies learned by regret. Those of more than two seats are in [`multiway`]; here is heads-up play, strategies of both blinds
//! for every stack up to ten big blinds.
//!
//! The game: one round between two seats, whose chips won are what counts. What matters of it is the shorter stack, in
//! small blinds, and who acts first after the flop ([`tree`]); hands are played by their bucket ([`abstraction`]). Strategies are
//! learned by Monte Carlo CFR ([`training`]), kept as bytes and looked up ([`strategy`]); [`player`] plays them. How much a player who
//! knows them can win is measured from below by local best response ([`lbr`]).
//! Stacks that are no multiple of the small blind are rounded up: then exactly the actions of the tree are legal, and pots are wrong
//! by less than a small blind.
//! Not here: what chips are worth beyond their number (a match to the last chip is close to fair in
//! chips), playing on weaknesses that the other shows.
//! Checked in tests.rs and `tests/blueprint.rs`; what it is worth is in docs/strength.md, how it was made in docs/learning.md.

pub mod abstraction;
pub mod lbr;
pub mod multiway;
pub mod player;
pub mod strategy;
#[cfg(test)]
mod tests;
pub mod training;
pub mod tree;

pub use player::BlueprintPlayer;
pub use strategy::{Blueprint, shipped};
pub use training::Training;
