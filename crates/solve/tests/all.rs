//! The files of tests as one program: a program for each file takes longer to build, and more of the disk.

mod common;

mod bounded;
mod clock;
mod known_values;
mod numbered;
mod rounds;
mod small_positions;
