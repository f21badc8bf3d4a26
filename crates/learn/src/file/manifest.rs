//! What a trained agent says of itself.

use serde::{Deserialize, Serialize};

/// The version of the format that is written.
pub const FORMAT: u64 = 1;

/// A trained agent's manifest.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this format.
    pub format: u64,
    /// The agent's name.
    pub name: String,
    /// The canonical spec of the game it was trained for, parameters included.
    pub game: String,
    /// The canonical spec of the learner: its kind and options.
    pub agent: String,
    /// The seed of the training.
    pub seed: u64,
    /// The version of Raichi that trained it.
    pub version: String,
    /// The command that trains it.
    pub command: String,
    /// The SHA-256 of the positions with which games of training began, a line each; empty where they began at the start.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub starts_sha256: String,
    /// Under which licence it may be used.
    pub licence: String,
    /// Games of training.
    pub games: u64,
    /// Plies in them.
    pub plies: u64,
    /// Seconds that the training took.
    pub seconds: f64,
    /// How the training went.
    pub curve: Vec<CurvePoint>,
    /// How well it plays.
    pub evaluations: Vec<Evaluation>,
    /// What the tensors mean.
    pub network: serde_json::Value,
    /// The other files.
    pub files: Vec<FileSum>,
    /// The checksum of this file. It comes last.
    pub manifest_sha256: String,
}

/// A file's size and checksum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileSum {
    /// The file's name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// A point of a training's curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Games of training so far.
    pub games: u64,
    /// Plies in them.
    pub plies: u64,
    /// Seconds of training so far.
    pub seconds: f64,
    /// What each seat can expect at the start of the game, as far as the learner knows.
    pub start_values: Vec<f64>,
    /// How well it plays.
    pub evaluations: Vec<Evaluation>,
}

/// How well an agent plays: games against an opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// The opponent's spec.
    pub against: String,
    /// With which positions the games began.
    pub starts: String,
    /// The agent's seat, where it was always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The mean payoff to the agent.
    pub score: f64,
    /// Between which the mean payoff lies with a confidence of 95 %; not known of one round of games whose payoffs have no bounds.
    pub interval: Option<[f64; 2]>,
    /// The share of games in which the agent got at least the exact value of its start and seat, where that is known.
    pub kept: Option<f64>,
    /// Between which that share lies with a confidence of 95 %; earlier versions did not write it.
    #[serde(default)]
    pub kept_interval: Option<[f64; 2]>,
    /// How many games.
    pub games: u64,
    /// Games in which the agent got more than any other seat.
    pub wins: u64,
    /// Games in which it got as much as the best of the others.
    pub draws: u64,
    /// The other games.
    pub losses: u64,
}
