//! The French Military Game: three men drive one into a corner of eleven points.
//!
//! Rules: Gardner, *Four Unusual Board Games*, after Lucas, *Récréations Mathématiques* III (1893).
//! Decisions: Black has slipped behind the lines as soon as its column is not larger than the smallest one of a white
//! man. That changes no value: from there on White cannot pin it. A position that comes for the third time is a win for
//! Black. White is never without a move before Black has slipped past, except in positions that no play leads to; set up
//! so, it has lost. With `goal=b` (Sites) White loses by pinning Black anywhere but on B; the reason is `pinned` all the same.
//! Not here: Schuh's variants.
//! State: all of it fits in 33 bits, which are the key by which repetitions are counted. White never goes back, so the
//! columns of its men are the stage.
//! Actions: a point to put Black's man on, or a point moved from and a point moved to; points are numbered in `board.rs`.
//! Positions: the points as three rows from the top (1 4 7, A 2 5 8 B, 3 6 9) with `W`, `B` and numbers of free points,
//! then the seat to act: `W2/W1B2/W2 0`. Without a `B` Black has still to choose.
//! Checked against: perft.txt (an independent enumeration), and the analysis of all positions in tests.rs, which finds
//! what Lucas, Schuh and Sites found.

mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, FrenchMilitary, Side, State};
