//! Nim, with a limit to what one action may take, won or lost by the last item.
//!
//! Rules: the collection of the Java framework GBG, *Nim*. Seat 0 is Black, as there.
//! Decisions: the limit is 5 where the largest heap has more (the source's example says 3 and leaves the default open).
//! Actions: a heap and how many of its items; see `heaps`.
//! Positions: the items left in each heap, then the seat to act: `5/3/0 1`.
//! Checked against: perft.txt (counts by an independent enumeration), the theory of Nim in tests.rs.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Nim, State};
