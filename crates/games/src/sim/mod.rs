//! Sim: the complete graph is coloured edge by edge, and the player who completes a triangle of its own colour loses.
//!
//! Rules: the collection of the Java framework GBG, *Sim*, after G. J. Simmons (1969), for two or three seats.
//! Decisions: of three seats the first to complete a triangle is out and its edges stay; when a second one follows, the
//! third wins alone, even if the graph is full. In a coalition the first triangle by anybody ends the game; a full
//! graph and the cap pay everybody 0.
//! Actions: edges, numbered in `board.rs`.
//! Positions: for each node from 2 on its edges to the smaller ones, in their order, `X`, `O`, `#` by seats 0, 1 and 2
//! and numbers of edges without a colour; then the seat to act: `X/1O/3 0` has 1-2 by seat 0 and 2-3 by seat 1. Who is
//! out follows from the triangles.
//! Checked against: perft.txt (counts by an independent enumeration), a plain search for triangles, Ramsey numbers and
//! the solution of the game on six nodes in tests.rs.

mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Sim, State};
