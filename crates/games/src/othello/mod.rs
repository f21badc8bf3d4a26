//! Othello on a square board of 4, 6, 8 or 10 cells a side.
//!
//! Rules: the collection of the Java framework GBG, *Othello*.
//! Decisions: a pass is an action of its own, the only one of a seat that cannot place while the other can. When neither
//! can, the game is over at once, without passes at its end. Discs are counted as they lie: empty cells go to nobody.
//! Not here: clocks, handicaps, games that begin with other discs than the four (a position can be set up).
//! Actions: a cell's bit as numbered in `board.rs`, or the pass.
//! Positions: rows from the top with `X` (Black), `O` (White) and numbers of empty cells, then the seat to act:
//! `8/8/8/3OX3/3XO3/8/8/8 0`; or, as in `.obf` files, every cell from a1 row by row with `-` for an empty one, then who is
//! to move: `------OXXO------ X`, and whatever follows a `;` is skipped. Who must pass and whether the game is over follow
//! from the discs.
//! Checked against: perft.txt (published counts), every game on 4×4 played out, a plain board in tests.rs.

mod board;
mod encode;
mod large;
pub mod lines;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, Othello, State};
