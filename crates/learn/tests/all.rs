//! The files of tests as one program: a program for each file takes longer to build, and more of the disk.

mod alphazero;
mod average;
mod base;
mod before_actions;
mod blackjack;
mod described;
mod floors;
mod puzzles;
mod reference;
mod search;
