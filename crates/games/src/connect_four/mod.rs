//! Connect Four on a width × height board.
//!
//! Rules: the collection of the Java framework GBG, *Connect Four*. Seat 0 is Yellow.
//! Decisions: none; the source leaves nothing open. A line on the last free cell wins.
//! Actions: the column, from 0 at the left.
//! Positions: rows from the top with `Y`, `R` and numbers of empty cells, then the seat to act: `7/7/7/7/3R3/3Y3 0`; or,
//! as solvers write them, the columns played so far: `44`.
//! Bits: as in J. Tromp's *Fhourstones* (column by column with an empty bit on top of each), in one word where the
//! board fits and in two where it does not.
//! Checked against: perft.txt (published counts), a board of plain cells that plays along in tests.rs.

mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{ConnectFour, State};
