//! Agents meet, and what happened is counted.
//!
//! [`agents`] makes them; [`self_play`] plays games between agents and keeps what a statistician asks of each; [`statistics`] has the estimates
//! with their intervals; [`mod@balance`] makes a balance sheet of many games; [`report`] prints it as text and as a page.

pub mod agents;
pub mod self_play;
pub mod statistics;

pub mod balance;

pub mod report;

pub use agents::make_agent;
pub use balance::{BalanceSheet, balance};
pub use self_play::{ArenaError, PlayedGame, SelfPlay};
