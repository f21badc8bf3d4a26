//! Take Away: one heap, and the seat that takes the last item wins.
//!
//! This is the game that the template holds. Make it yours, file by file, and replace this header last.
//!
//! Rules: the subtraction game; Berlekamp, Conway, Guy, *Winning Ways* (1982), chapter 4.
//! Decisions: a seat must take; there is no passing.
//! Not here: several heaps.
//! Actions: how many items are taken, from 1.
//! Positions: the items left, then the seat to act: `7 1`.
//! Checked against: perft.txt (counted by hand for small heaps) and the formula for who wins.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{State, TakeAway};
