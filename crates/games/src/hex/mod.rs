//! Hex on a size × size rhombus.
//!
//! Rules: the collection of the Java framework GBG, *Hex*; C. Browne, *Hex Strategy* (2000) for the swap.
//! Decisions: Black (seat 0) joins the top and the bottom rim, White the left and the right: the source says adjacent
//! rims, but opposite ones are meant. The swap mirrors the stone and changes its colour; the seats stay.
//! Not here: handicaps, boards above 19×19.
//! Actions: `row * size + column` from the top left; the swap is `size * size`.
//! Positions: rows from the top with `B`, `W` and numbers of empty cells, then the seat to act: `3/1B1/3 1`. Where the swap
//! is played, White may swap exactly when a black stone is alone on the board and White is to act.
//! Checked against: perft.txt (counts by an independent enumeration), a plain search for the winner in tests.rs.

mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Hex, State};
