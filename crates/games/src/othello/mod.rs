//! Othello on a square board of 4, 6, 8 or 10 cells a side.
//!
//! Rules: the collection of the Java framework GBG, *Othello*.
//! Decisions: a pass is an action of its own, the only one of a seat that cannot place while the other can. When neither
//! can, the game is over at once, without passes at its end. Discs are counted as they lie: empty cells go to nobody.
//! Not here: clocks, handicaps, free set-ups of the first four discs.
//! Actions: a cell's bit as numbered in `board.rs`, or the pass.
//! Checked against: perft.txt (published counts), every game on 4×4 played out, a plain board in tests.rs.

mod board;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, Othello, State};
