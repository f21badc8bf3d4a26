//! Yavalath on a hexagon of hexagons: four in a row win, three in a row lose.
//!
//! Rules: the collection of the Java framework GBG, *Yavalath*, after C. Browne's system Ludi (2007), for two or three
//! seats.
//! Decisions: a stone that makes four or more wins, even if it also makes three elsewhere. The swap changes the stone's
//! owner, not its cell. Of three seats, one that makes three is out and its stones stay. A seat must block if the next
//! seat still in could win at once, unless it wins itself, also when only two are left. The last seat left wins, even if
//! the board is full.
//! Actions: cells, numbered in `board.rs`; the swap is the number of cells.
//! Positions: rows from the top with `X`, `O`, `#` for the stones of seats 0, 1 and 2 and numbers of empty cells, then the
//! seat to act, or the winner by four: `3/4/2X2/4/3 1`. Who is out, whether the game is over and whether seat 1 may swap
//! (seat 0's stone is alone on the board and seat 1 is to act) follow from them.
//! Checked against: perft.txt (counts by an independent enumeration), a plain scan along the lines in tests.rs.

mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{End, State, Yavalath};
