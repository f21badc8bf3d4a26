//! What the lab is asked and what it replies (`docs/protocol.md`).

use std::collections::BTreeMap;

use raichi_arena::statistics;
use raichi_core::picture::Tone;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Refusal;
use crate::lines::Ending;

/// A run that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum RunRequest {
    /// Agents meet.
    Tournament(TournamentRequest),
    /// Many games between equal agents say what a game is like.
    Balance(BalanceRequest),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentRequest {
    /// The spec of the game.
    pub(crate) game: String,
    /// The specs of those who meet.
    pub(crate) agents: Vec<String>,
    #[serde(default)]
    pub(crate) format: FormatView,
    /// Games of a meeting, or as many more as make whole rounds.
    pub(crate) games: u64,
    /// So many plies at random begin each round.
    #[serde(default)]
    pub(crate) opening_plies: usize,
    #[serde(default)]
    pub(crate) seed: u32,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FormatView {
    #[default]
    RoundRobin,
    Double,
    KnockOut,
    Swiss,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct BalanceRequest {
    /// The specs of one game or two, which are played in turn.
    pub(crate) variants: Vec<String>,
    /// Who plays on all seats.
    pub(crate) agent: String,
    /// Games of each variant.
    pub(crate) games: u64,
    #[serde(default)]
    pub(crate) seed: u32,
}

/// What a run is asked to do, by somebody who has its key.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunCommand {
    pub(crate) key: String,
    #[serde(rename = "do")]
    pub(crate) what: RunOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunOrder {
    Pause,
    Resume,
    /// What was found stays.
    Stop,
    /// Nothing of it stays.
    Remove,
}

/// A run that was made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NewRun {
    pub(crate) run: String,
    /// The secret with which it is paused, stopped and removed.
    pub(crate) key: String,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    Running,
    Paused,
    /// Before its end, for good.
    Stopped,
    Done,
    /// `why` says why.
    Failed,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunView {
    pub(crate) run: String,
    pub(crate) request: RunRequest,
    /// What it is, for people.
    pub(crate) title: String,
    pub(crate) state: RunState,
    pub(crate) why: Option<String>,
    pub(crate) created_at: i64,
    /// For how long it has worked.
    pub(crate) millis: u64,
    pub(crate) n_done: u64,
    /// Where that is known.
    pub(crate) n_total: Option<u64>,
    /// What it has come to; not in a list of runs.
    #[cfg_attr(test, ts(type = "RunProgress | null"))]
    pub(crate) progress: Option<Value>,
}

/// A line about a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum RunMessage {
    Run(Box<RunView>),
    /// Of work that is not kept.
    Progress {
        n_done: u64,
        n_total: Option<u64>,
        progress: Option<RunProgress>,
    },
    /// Nothing more will come unless somebody lets it go on.
    End,
    Error {
        #[serde(flatten)]
        refusal: Refusal,
    },
}

impl From<Ending> for RunMessage {
    fn from(ending: Ending) -> RunMessage {
        match ending {
            Ending::Whole => RunMessage::End,
            Ending::Refused(refusal) => RunMessage::Error { refusal },
        }
    }
}

/// What a run has come to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum RunProgress {
    Tournament(TournamentView),
    Balance(BalanceView),
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EstimateView {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl From<statistics::Estimate> for EstimateView {
    fn from(estimate: statistics::Estimate) -> EstimateView {
        let statistics::Estimate { value, low, high } = estimate;
        EstimateView { value, low, high }
    }
}

/// A game that is played in a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedGameView {
    /// The canonical spec.
    pub(crate) game: String,
    pub(crate) name: String,
    pub(crate) seat_names: Vec<String>,
    pub(crate) seat_tones: Vec<Tone>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TournamentView {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub(crate) of: PlayedGameView,
    pub(crate) n_games: u64,
    /// How many games are the same as an earlier one, ply for ply.
    pub(crate) n_repeated: u64,
    /// In plies.
    pub(crate) mean_length: f64,
    /// In the order of the request.
    pub(crate) agents: Vec<StandingView>,
    /// Agents from the first to the last.
    pub(crate) order: Vec<usize>,
    /// Won, drawn, lost of rows against columns; empty where games are played alone.
    pub(crate) matrix: Vec<Vec<[u64; 3]>>,
    /// What each seat was paid, all agents together.
    pub(crate) seats: Vec<EstimateView>,
    /// Whether a drawn game was added to each pair, because no finite ratings are likeliest.
    pub(crate) with_prior: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StandingView {
    pub(crate) spec: String,
    /// For people.
    pub(crate) name: String,
    pub(crate) games: u64,
    /// A draw is half a point; in games of another number of seats than two what the seats were paid.
    pub(crate) points: f64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Above the mean of all; null where games do not say.
    pub(crate) elo: Option<EstimateView>,
    /// What a seat was paid; null without games.
    pub(crate) payoff: Option<EstimateView>,
    /// A decision, in the mean; null where none was timed.
    pub(crate) millis: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BalanceView {
    pub(crate) agent: String,
    /// By variant; null before its first game.
    pub(crate) sheets: Vec<Option<SheetView>>,
}

/// What many games between equal agents say about a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SheetView {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub(crate) of: PlayedGameView,
    pub(crate) n_games: usize,
    pub(crate) seats: Vec<SeatBalanceView>,
    /// One seat alone won.
    pub(crate) decisive: EstimateView,
    pub(crate) drawn: EstimateView,
    /// Plies: the mean and the standard deviation.
    pub(crate) length: [f64; 2],
    /// How many games were how long: from, to (not included), how many.
    pub(crate) lengths: Vec<[u64; 3]>,
    /// Actions a decision: the mean and the standard deviation.
    pub(crate) branching: [f64; 2],
    pub(crate) most_actions: usize,
    pub(crate) lead_changes: Option<EstimateView>,
    /// The share of the board's places that ever changed.
    pub(crate) coverage: Option<EstimateView>,
    /// Games by end reason.
    pub(crate) ends: BTreeMap<String, usize>,
    /// How the seats' shares came about.
    pub(crate) course: Vec<CourseView>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeatBalanceView {
    pub(crate) payoff: EstimateView,
    /// The share of games that it won alone.
    pub(crate) wins: EstimateView,
}

/// What was known after so many games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CourseView {
    pub(crate) n_games: usize,
    /// The share of games that each seat won alone; what it was paid where it is alone.
    pub(crate) seats: Vec<EstimateView>,
}

/// A game of a tournament.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunGameView {
    pub(crate) number: u64,
    /// The agents by seat, as the request counts them.
    pub(crate) seats: Vec<usize>,
    pub(crate) payoffs: Vec<f64>,
    pub(crate) n_plies: usize,
    pub(crate) end: String,
}
