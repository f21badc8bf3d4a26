//! Yavalath on a hexagon of hexagons: four in a row win, three in a row lose.
//!
//! Rules: the collection of the Java framework GBG, *Yavalath*, after C. Browne's system Ludi (2007), for two or three
//! seats.
//! Decisions: a stone that makes four or more wins, though it make three elsewhere. The swap changes the stone's owner,
//! not its cell. Of three seats, one that makes three is out and its stones stay; whom the next seat still in threatens to
//! beat at once must stop that or win itself, also when only two are left. Nobody left but one: that one wins, though the
//! board be full.
//! Actions: cells, numbered in `board.rs`; the swap is the number of cells.
//! Checked against: perft.txt (counts by an independent enumeration), a plain scan along the lines in tests.rs.

mod board;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{End, State, Yavalath};
