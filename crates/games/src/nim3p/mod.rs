//! Nim for three seats.
//!
//! Rules: the collection of the Java framework GBG, *Nim3P*: the seat after the one that takes the last item wins.
//! Decisions: none; broken off at the cap, the three share.
//! Actions: a heap and how many of its items (`heaps`), as many as there are.
//! Checked against: perft.txt (counts by an independent enumeration) and clause-by-clause tests.

mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Nim3P, State};
