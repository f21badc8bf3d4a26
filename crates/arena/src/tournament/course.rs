//! How a tournament went whose meetings depend on each other: its stages, and who has won.

use serde::Serialize;

/// What a tournament has come to. Agents are told by their places among those of the contest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Course {
    /// Of a knock-out or a Swiss tournament; empty where everybody meets everybody.
    pub stages: Vec<Stage>,
    /// Of a Swiss tournament, by agent: its scores of all meetings, with 1 for each bye. Empty elsewhere.
    pub scores: Vec<f64>,
    /// Of a knock-out the agent that is left; of a Swiss tournament the one with the highest score, if it is one alone.
    /// `None` before the end, and where everybody meets everybody.
    pub winner: Option<usize>,
}

/// Meetings that did not depend on each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stage {
    /// Those that are over.
    pub meetings: Vec<Met>,
    /// Agents that met nobody and went on, or scored 1.
    pub byes: Vec<usize>,
}

/// A meeting that is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Met {
    /// Who met.
    pub agents: Vec<usize>,
    /// What each of them scored, between 0 and 1.
    pub scores: Vec<f64>,
    /// How many games they played, those included with which a level meeting was played on.
    pub games: u64,
    /// Of a knock-out, the agent that went on.
    pub winner: Option<usize>,
}
