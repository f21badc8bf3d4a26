//! Nim for three seats.
//!
//! Rules: the collection of the Java framework GBG, *Nim3P*: the seat after the one that takes the last item wins.
//! Decisions: none; broken off at the cap, the three share.
//! Actions: a heap and how many of its items, as many as there are; see `heaps`.
//! Positions: the items left in each heap, then the seat to act: `5/3/0 2`.
//! Checked against: perft.txt (counts by an independent enumeration) and clause-by-clause tests.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Nim3P, State};
