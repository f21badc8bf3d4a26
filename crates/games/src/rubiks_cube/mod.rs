//! Rubik's Cube of two or three cubies a side.
//!
//! Rules: the collection of the Java framework GBG, *Rubik's Cube*, which names it only; twists are Singmaster's.
//! Decisions: of size 2 only the faces U, R and F turn, so that the corner down-back-left never moves; chance does not
//! twist the face that it has just twisted, but may twist the opposite one in between; a cube that is solved after the
//! scramble is played all the same; a twist that solves the cube at the limit counts as solved.
//! Not here: turns of the whole cube, slices, sizes above 3.
//! Actions: `face * 3 + quarter turns − 1` with the faces in the order U R F D L B. Outcomes: the same.
//! Positions: the stickers as solvers write them, face by face in the order U R F D L B and each row by row as in the
//! unfolded cube (54 letters, 24 in size 2), then `0` and the twists made; or, while chance scrambles, `~` with the twists
//! to come and the face just twisted: `UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB 0 twists=0`,
//! `UUUURRRRFFFFDDDDLLLLBBBB ~11`. The stickers alone are read too, and so is a scramble: `R U2 F'`, `~R ~U2 ~F'`.
//! Symmetries: the 48 of a cube, rotations and mirrors; of size 2 the six that keep the corner that never moves.
//! Checked against: perft.txt (counts by a program that turns stickers in space), the same model in tests.rs, and the
//! published numbers of positions by distance: size 2 in full, size 3 as far as the test takes little time.

mod cube;
mod encode;
mod face;
mod facelets;
mod notation;
mod rules;
mod symmetry;
#[cfg(test)]
mod tests;
mod view;

pub use cube::{CORNERS, Cube, Cubie, EDGES};
pub use face::{Face, Twist};
pub use rules::{RubiksCube, State};
