//! 2048 on a size × size board.
//!
//! Rules: the collection of the Java framework GBG, *2048*.
//! Decisions: the two tiles of the start are two outcomes like those after each action; tiles have no limit of
//! representation below what a board can hold (2 to the power of its cells plus one).
//! Actions: left, right, up, down. Outcomes: a cell and whether the new tile is a 4.
//! Score: not kept along, but worked out from the tiles and the number of 4s that chance has put (`rules.rs`).
//! Positions: rows from the top with tiles, dots for empty cells and commas between them; `0` where the player acts, `~1` or
//! `~2` where so many new tiles come first; the score: `.,.,4,./.,.,.,2/.,.,.,./.,.,8,2 0 score=12`.
//! Checked against: perft.txt (counts by an independent enumeration); the packed 4×4 board against the plain one.

mod board;
mod encode;
mod notation;
mod packed;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use board::Direction;
pub use rules::{Spawn, State, TwentyFortyEight};
