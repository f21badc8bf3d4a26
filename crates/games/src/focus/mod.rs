//! Focus, Sidney Sackson's game of piles, on the 8×8 board without its corners.
//!
//! Rules: Gardner, *Four Unusual Board Games*, with both of Sackson's remedies against symmetric play (`rule`).
//! Decisions: seat 0 has colour 1 and moves first. Surplus pieces leave a pile from the bottom one by one: own ones go
//! into reserve, enemy ones are captured. A player who cannot act at the start of a turn loses. The third occurrence of
//! a position (piles, reserves, player to act) is a draw, and so are 100 plies in a row in which no piece left the
//! board and none came from a reserve; exchanges are not counted among them. With `draw-wins` every draw is the first
//! player's win, also at the cap. With `exchange` the two exchanges are plies of the game, first seat 0's, then seat
//! 1's, which may not make any position that half a turn of the board changes into itself with the colours exchanged.
//! Not here: the games for three and four, the set-up of the edition of 1965.
//! State: a capture cannot be taken back, so repetition looks at the plies since the last one only. The state keeps the
//! position after it, these plies, and before each the position's hash of 64 bits; equal hashes are taken for equal
//! positions. Everything else can be worked out anew from there, and is mapped under the eight symmetries so.
//! Actions: cells are numbered in `board.rs`; a move's distance says how many pieces go.
//! Checked against: perft.txt (an independent enumeration), Gardner's examples, a plain board in tests.rs.

mod board;
mod notation;
mod pile;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, Focus, Rule, State};
