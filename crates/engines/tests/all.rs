//! The files of tests as one program, but those that need a process of their own (`Cargo.toml` names them): a program for each
//! file takes longer to build, and more of the disk.

mod common;

mod blackjack;
mod blueprint;
mod connect_four;
mod laws;
mod othello;
mod poker;
mod rubiks_cube;
mod twenty_forty_eight;
