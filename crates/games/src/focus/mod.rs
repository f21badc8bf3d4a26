//! Focus, Sidney Sackson's game of piles, on the 8×8 board without its corners.
//!
//! Rules: Gardner, *Four Unusual Board Games*, with both of Sackson's remedies against symmetric play (`rule`).
//! Decisions: seat 0 has colour 1 and moves first. Surplus pieces leave a pile from the bottom one by one: own ones go
//! into reserve, enemy ones are captured. A player who cannot act at the start of a turn loses. The third occurrence of
//! a position (piles, reserves, player to act) is a draw, and so are 100 plies in a row in which no piece left the
//! board and none came from a reserve; exchanges are not counted among them. With `draw-wins` every draw is the first
//! player's win, also at the cap. With `exchange`, the default, the two exchanges are plies of the game, first seat 0's,
//! then seat 1's, which may not make any position that half a turn of the board changes into itself with the colours
//! exchanged.
//! Not here: the games for three and four, the set-up of the edition of 1965.
//! State: a hash of piles and reserves is kept along, by which core counts repetitions; equal hashes are taken for equal
//! positions. Captures and exchanges cannot be undone, so the pieces left and the exchanges left are the stage. What each
//! has captured decides nothing: it is what is missing of the 18 pieces of each, and only pictures show it.
//! Actions: cells are numbered in `board.rs`; a move's distance says how many pieces go.
//! Positions: rows from row 8 down, in each its piles from the top (`R`, `B`) and numbers of empty cells with commas
//! between them, as in Tak's TPS; then the seat to act, both reserves, and `exchanges=` while any is left:
//! `4/6/8/3,RBB,1,B,2/8/8/6/4 0 reserves=1/0`.
//! Checked against: perft.txt (an independent enumeration), Gardner's examples, a plain board in tests.rs.

pub mod board;
mod encode;
mod notation;
mod pile;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use pile::{Pile, TALLEST};
pub use rules::{Action, Focus, Rule, State};
