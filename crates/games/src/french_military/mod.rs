//! The French Military Game: three men drive one into a corner of eleven points.
//!
//! Rules: Gardner, *Four Unusual Board Games*, after Lucas, *Récréations Mathématiques* III (1893).
//! Decisions: Black has slipped behind the lines as soon as its column is not larger than the smallest one of a white
//! man. That changes no value: from there on White cannot pin it. A position that comes for the third time is a win for
//! Black. White is never without a move before Black has slipped past, so nothing asks for that.
//! Not here: Schuh's variants.
//! State: White never goes back, so a position can come again only until White next goes forward. Up to then each man
//! keeps to its column, which leaves 27 ways to stand; a counter of two bits for each, Black's point and whose turn it
//! is makes repetition part of a state of fixed size.
//! Actions: a point to put Black's man on, or a point moved from and a point moved to; points are numbered in `board.rs`.
//! Checked against: perft.txt (an independent enumeration), and the analysis of all positions in tests.rs, which finds
//! what Lucas, Schuh and Sites found.

mod board;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, FrenchMilitary, Side, State};
