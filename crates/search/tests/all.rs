//! The files of tests as one program, but those that need a process of their own (`Cargo.toml` names them): a program for each
//! file takes longer to build, and more of the disk.

#[macro_use]
mod common;

mod alphabeta;
mod mcts;
mod minimax;
mod proof_number;
mod secrets;
mod simple;
mod wide;
