//! Rubik's Cube of two or three cubies a side.
//!
//! Rules: the collection of the Java framework GBG, *Rubik's Cube*, which names it only; twists are Singmaster's.
//! Decisions: of size 2 only the faces U, R and F turn, so that the corner down-back-left never moves; chance does not
//! twist the face that it has just twisted, but may twist the opposite one in between; a cube that is solved after the
//! scramble is played all the same; a twist that solves the cube at the limit counts as solved.
//! Not here: turns of the whole cube, slices, sizes above 3.
//! Actions: `face * 3 + quarter turns − 1` with the faces in the order U R F D L B. Outcomes: the same.
//! Symmetries: the 48 of a cube, rotations and mirrors; of size 2 the six that keep the corner that never moves.
//! Checked against: perft.txt (counts by a program that turns stickers in space), the same model in tests.rs, and the
//! published numbers of positions by distance: size 2 in full, size 3 as far as the test takes little time.

mod cube;
mod face;
mod notation;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;
mod view;

pub use cube::{Cube, Cubie};
pub use face::{Face, Twist};
pub use rules::{RubiksCube, State};
