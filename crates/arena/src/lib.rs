//! Agents meet, and what happened is counted.
//!
//! [`runner`] is the one loop that plays them against each other. What is wanted of a game is an observer: [`trace`] writes
//! it down for referees, [`measure`] counts what a statistician asks. [`playthrough`] makes a trace readable;
//! [`statistics`] has estimates with their intervals; [`mod@balance`] makes a balance sheet of many games, and [`report`]
//! prints it as text and as a page. [`calibration`] finds the levels of a game, [`training`] trains
//! agents and says how well they play.

pub mod runner;

pub mod contest;

pub mod ratings;

pub mod tournament;

pub mod measure;
pub mod standings;
pub mod trace;

pub mod playthrough;
pub mod statistics;

pub mod calibration;

pub mod training;

pub mod balance;

pub mod report;

pub use balance::{BalanceSheet, Sampling, balance};
pub use measure::{Meter, PlayedGame};
pub use runner::{ArenaError, Meeting, Observer, Runner, Step, Streams};
pub use trace::Tracer;
