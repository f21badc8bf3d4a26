//! The files of tests as one program, but those that need a process of their own (`Cargo.toml` names them): a program for each
//! file takes longer to build, and more of the disk.

mod common;

mod analysis;
mod clocks;
mod company;
mod engines_share;
mod help;
mod lab;
mod library;
mod limits;
mod long_games;
mod old_database;
mod operations;
mod pace;
mod page;
mod play;
mod positions;
mod refusals;
mod restart;
mod secrets;
mod variations;
