//! Tic Tac Toe on a 3×3 board.
//!
//! Rules: the collection of the Java framework GBG, *Tic Tac Toe*. Seat 0 is X.
//! Decisions: none; the source leaves nothing open.
//! Actions: cell `row * 3 + column` from the top left.
//! Positions: three rows from the top with `X`, `O` and numbers of empty cells, then the seat to act: `X1O/3/2X 1`.
//! Checked against: perft.txt (counts by exhaustive enumeration, published) and clause-by-clause tests.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{State, TicTacToe};
