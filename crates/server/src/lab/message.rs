//! What the lab is asked and what it replies (`docs/protocol.md`).

use std::collections::BTreeMap;

use raichi_arena::statistics;
use raichi_core::picture::{Picture, Tone};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Refusal;
use crate::lines::Ending;
use crate::message::AgentEntry;

/// A run that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum RunRequest {
    /// Agents meet.
    Tournament(TournamentRequest),
    /// Many games between equal agents say what a game is like.
    Balance(BalanceRequest),
    /// An agent learns by playing against itself.
    Training(TrainingRequest),
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingRequest {
    pub(crate) game: String,
    /// The spec of the learner, such as `ntuple:tuples=70x8`.
    pub(crate) learner: String,
    /// Games of training.
    pub(crate) games: u64,
    #[serde(default)]
    pub(crate) seed: u32,
    /// The spec of the opponent that it is measured against.
    pub(crate) against: String,
    /// Where the games begin that it is measured in: `start`, `plies:N` or `all`.
    pub(crate) starts: String,
    /// Its seat in them; every seat in turn where there is none.
    #[serde(default)]
    pub(crate) seat: Option<usize>,
    /// Games for each point of the curve.
    pub(crate) measure_games: u64,
}

/// What can learn a game, and how.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LearnersView {
    pub(crate) learners: Vec<LearnerView>,
    pub(crate) presets: Vec<PresetView>,
    pub(crate) opponents: Vec<AgentEntry>,
}

/// A kind of learner.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LearnerView {
    /// Its id, with which its spec begins.
    pub(crate) learner: &'static str,
    pub(crate) name: &'static str,
    /// One sentence about how it learns.
    pub(crate) help: &'static str,
    pub(crate) options: Vec<OptionView>,
}

/// Options that work.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PresetView {
    pub(crate) name: String,
    /// About how long it takes.
    pub(crate) time: String,
    pub(crate) request: TrainingRequest,
}

/// The first thing to try in the lab.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ExampleView {
    /// The name of the game.
    pub(crate) name: String,
    pub(crate) preset: PresetView,
}

/// An option of a learner.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OptionView {
    pub(crate) name: &'static str,
    pub(crate) kind: OptionKindView,
    pub(crate) default: Option<&'static str>,
    pub(crate) help: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum OptionKindView {
    Number { min: f64, max: f64, whole: bool },
    Choice { options: Vec<&'static str> },
    Text,
}

/// What a run is asked to do, by somebody who has its key.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RunCommand {
    pub(crate) key: String,
    #[serde(rename = "do")]
    pub(crate) what: RunOrder,
    /// Under which name an agent is kept.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) name: Option<String>,
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
    /// What was learned is kept as an agent with a name.
    Keep,
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
        progress: Option<Box<RunProgress>>,
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
    Training(Box<TrainingView>),
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

/// A mean with its 95 % interval; its ends are null where one value alone, or one round of games, tells of none.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MeanView {
    pub(crate) value: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

impl From<statistics::Mean> for MeanView {
    fn from(mean: statistics::Mean) -> MeanView {
        let [low, high] = mean.interval.map_or([None; 2], |ends| ends.map(Some));
        MeanView { value: mean.value, low, high }
    }
}

impl From<statistics::Estimate> for MeanView {
    fn from(estimate: statistics::Estimate) -> MeanView {
        MeanView { value: estimate.value, low: Some(estimate.low), high: Some(estimate.high) }
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
    pub(crate) seats: Vec<MeanView>,
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
    pub(crate) payoff: Option<MeanView>,
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

/// What games reached: the largest tile, say.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReachedView {
    pub(crate) what: String,
    /// Each amount at which a game ended, rising, and the share of games that reached it or more.
    pub(crate) shares: Vec<(u64, EstimateView)>,
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
    /// One seat alone won; null where there is one seat.
    pub(crate) decisive: Option<EstimateView>,
    pub(crate) drawn: Option<EstimateView>,
    /// Plies: the mean and the standard deviation.
    pub(crate) length: [f64; 2],
    /// How many games were how long: from, to (not included), how many.
    pub(crate) lengths: Vec<[u64; 3]>,
    /// Actions a decision: the mean and the standard deviation.
    pub(crate) branching: [f64; 2],
    pub(crate) most_actions: usize,
    pub(crate) lead_changes: Option<MeanView>,
    /// The share of the board's places that ever changed.
    pub(crate) coverage: Option<MeanView>,
    /// How much was reached in how many games; null where a game counts nothing.
    pub(crate) reached: Option<ReachedView>,
    /// Games by end reason.
    pub(crate) ends: BTreeMap<String, usize>,
    /// How the seats' shares came about.
    pub(crate) course: Vec<CourseView>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeatBalanceView {
    pub(crate) payoff: MeanView,
    /// The share of games that it won alone.
    pub(crate) wins: EstimateView,
}

/// What was known after so many games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CourseView {
    pub(crate) n_games: usize,
    /// The share of games that each seat won alone; what it was paid where it is alone.
    pub(crate) seats: Vec<MeanView>,
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

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TrainingView {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub(crate) of: PlayedGameView,
    pub(crate) learner: String,
    /// The opponent that it is measured against, for people.
    pub(crate) against: String,
    /// What a seat can get at least and at most.
    pub(crate) payoff_range: Option<(f64, f64)>,
    pub(crate) plies: u64,
    pub(crate) plies_per_second: f64,
    /// Until it is over, measuring included.
    pub(crate) seconds_left: Option<f64>,
    /// What it measures now; null while it trains.
    pub(crate) measuring: Option<MeasuringView>,
    /// The curve so far.
    pub(crate) points: Vec<PointView>,
    /// In all games that its measure means, once the training is over; null before, and where each point has them all.
    #[serde(rename = "final")]
    pub(crate) last: Option<MeasureView>,
    /// What its actions at the start of the game are worth to it now; null where no seat acts there.
    pub(crate) start: Option<StartView>,
    /// A game that it played against itself; null before the first.
    pub(crate) sample: Option<SampleView>,
}

/// How far a measure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MeasuringView {
    /// Games that are over.
    pub(crate) n_over: u64,
    /// Of so many, or fewer where they take long.
    pub(crate) n_games: u64,
    /// Whether it is the measure in all games, at the end.
    pub(crate) is_final: bool,
}

/// A point of a training's curve.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PointView {
    pub(crate) games: u64,
    pub(crate) seconds: f64,
    pub(crate) plies_per_second: f64,
    /// What each seat can expect at the start, as far as it has learned; empty where that is not known.
    pub(crate) start_values: Vec<f64>,
    pub(crate) measure: MeasureView,
}

/// How well an agent played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MeasureView {
    /// The spec of the opponent.
    pub(crate) against: String,
    pub(crate) starts: String,
    /// The mean payoff.
    pub(crate) score: MeanView,
    /// The share of games in which it got at least the exact value; null where that is not known.
    pub(crate) kept: Option<EstimateView>,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StartView {
    pub(crate) seat: usize,
    /// What is touched first, and the best that it leads to.
    pub(crate) marks: Vec<(String, f64)>,
    /// The text of the best action.
    pub(crate) best: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SampleView {
    /// After so many games of training.
    pub(crate) games: u64,
    /// As a history writes them.
    pub(crate) plies: Vec<String>,
}

/// A position of a sample game, as it is drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FrameView {
    pub(crate) picture: Picture,
    pub(crate) last: Vec<String>,
}

/// A trained agent of the library.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TrainedView {
    pub(crate) name: String,
    /// Its spec, as a player.
    pub(crate) spec: String,
    /// Whether it came with the command.
    pub(crate) shipped: bool,
    pub(crate) game: String,
    pub(crate) game_name: String,
    pub(crate) learner: String,
    pub(crate) seed: u64,
    pub(crate) version: String,
    pub(crate) command: String,
    pub(crate) licence: String,
    pub(crate) games: u64,
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
    pub(crate) measures: Vec<MeasureView>,
    /// Why it cannot be used; then the rest says nothing.
    pub(crate) damaged: Option<String>,
}

/// What a network of tuples looks at.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TuplesView {
    /// The grids of an observation: its name, rows, columns.
    pub(crate) grids: Vec<(String, usize, usize)>,
    pub(crate) n_weights: u64,
    /// Those that training has changed.
    pub(crate) n_visited: u64,
    pub(crate) symmetries: u64,
    pub(crate) tuples: Vec<TupleView>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TupleView {
    /// Its points on grids: which grid, row, column.
    pub(crate) cells: Vec<(usize, usize, usize)>,
    /// The names of its points that lie on no grid.
    pub(crate) others: Vec<String>,
    pub(crate) n_weights: u64,
    pub(crate) n_visited: u64,
    /// The mean size of the weights that were changed.
    pub(crate) mean_size: f64,
    pub(crate) greatest: f64,
}
