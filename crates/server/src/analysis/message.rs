//! What analysis is asked and what it replies (`docs/protocol.md`).

use std::collections::BTreeMap;

use raichi_agents::{Candidate, Certainty};
use raichi_core::picture::{Picture, Tone};
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::choices::Choices;
use crate::error::Refusal;
use crate::lines::Ending;
use crate::message::{ByView, PlyView, ResultView, ToAct};

/// A request for analysis.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnalysisRequest {
    pub(crate) of: Source,
    /// So many of the recorded plies come first; all of them where it is left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) n_plies: Option<usize>,
    /// The plies after them, as a history writes them.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) line: Vec<String>,
    /// Plies before this one are not told again.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) plies_from: usize,
    /// The specs of those who are asked.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub(crate) agents: Vec<String>,
}

/// What is analysed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Source {
    /// The finished game of a table.
    Table { table: String },
    /// A game that a run of the lab has played, by its number.
    Run { run: String, number: u64 },
    /// A game from its start, or from a position.
    Position {
        game: String,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        position: Option<String>,
    },
}

/// What goes on from some touches.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NarrowRequest {
    #[serde(flatten)]
    pub(crate) at: AnalysisRequest,
    pub(crate) seat: Seat,
    pub(crate) touched: Vec<String>,
}

/// A line of a reply.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum AnalysisMessage {
    Position(Box<AnalysedPosition>),
    /// What an agent thinks so far; it replaces what it thought before.
    Advice {
        /// Which of those that were asked.
        agent: usize,
        /// Whose choice it is.
        seat: Seat,
        /// The choice first, then the others by their values for the seat.
        candidates: Vec<CandidateView>,
        /// How many actions are legal; those beyond the candidates are not told.
        n_actions: usize,
        line: Vec<LinePly>,
        /// Whether the first of the candidates is proven to be best.
        proven: bool,
        /// How what is exact is known, in a word: by a table, a proof, a search; null where the agent does not say.
        known_by: Option<&'static str>,
        /// Why the first of the candidates is chosen, where the agent says it.
        why: Option<Reason>,
        /// Simulations or nodes so far, as the agent counts.
        simulations: u64,
        nodes: u64,
        depth: Option<u32>,
        millis: u64,
        /// Over how many draws of what is hidden the values are averaged, where the seat's own view is not known.
        draws: Option<usize>,
    },
    /// What a game was worth; a point or a loss replaces the one before for the same ply.
    Curve {
        points: Vec<CurvePoint>,
        losses: Vec<PlyLoss>,
        /// The plies that lost most, the worst first.
        worst: Vec<usize>,
        /// How much of the work is done, from 0 to 1.
        progress: f64,
    },
    /// Nothing more will come, unless it is asked for again.
    End,
    Error {
        /// Which of those that were asked is refused, where the others go on; the last line of the reply has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        agent: Option<usize>,
        #[serde(flatten)]
        refusal: Refusal,
    },
}

/// A position, and what can be done there.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnalysedPosition {
    pub(crate) game: String,
    pub(crate) name: &'static str,
    pub(crate) seats: Vec<AnalysedSeat>,
    /// Only what this seat knows is shown; null where everything is known.
    pub(crate) viewer: Option<Seat>,
    /// Whether this depends on how what the viewer did not know was drawn: some of it has come to light.
    pub(crate) of_one_draw: bool,
    /// How many plies the record has.
    pub(crate) n_own: usize,
    pub(crate) n_plies: usize,
    pub(crate) plies_from: usize,
    pub(crate) plies: Vec<AnalysedPly>,
    pub(crate) to_act: ToAct,
    pub(crate) picture: Picture,
    pub(crate) position: String,
    /// The text of the position that play began with; null where that is the game's own start.
    pub(crate) start: Option<String>,
    pub(crate) last: Vec<String>,
    pub(crate) choices: BTreeMap<Seat, Choices>,
    /// What chance may do, where it is to act, as far as the viewer knows.
    pub(crate) outcomes: Vec<OutcomeView>,
    /// How the game ended, where it is over here.
    pub(crate) result: Option<ResultView>,
    /// The least and the greatest payoff, where the rules bound them.
    pub(crate) payoff_range: Option<(f64, f64)>,
    /// Whether two seats play for the same thing: what one wins, the other loses.
    pub(crate) opposed: bool,
    /// Whether positions of the game can be set up by putting pieces.
    pub(crate) placing: bool,
}

/// A seat, and who held it where that is recorded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnalysedSeat {
    pub(crate) name: String,
    pub(crate) tone: Tone,
    pub(crate) occupant: Option<String>,
}

/// A ply as the viewer sees it, and as a history writes it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnalysedPly {
    #[serde(flatten)]
    pub(crate) ply: PlyView,
    pub(crate) token: String,
}

/// An outcome that can be chosen.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OutcomeView {
    pub(crate) token: String,
    pub(crate) weight: u64,
}

/// An action that was considered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CandidateView {
    pub(crate) action: String,
    /// The same as a history writes it.
    pub(crate) token: String,
    /// What is touched to choose it.
    pub(crate) path: Vec<String>,
    /// The payoffs expected after it, by seat; empty where nothing is known.
    pub(crate) values: Vec<f64>,
    pub(crate) certainty: CertaintyView,
    pub(crate) standard_error: Option<f64>,
    pub(crate) visits: Option<u64>,
    pub(crate) depth: Option<u32>,
    /// How and when the game is decided for the chooser under best play; null where that is not known.
    pub(crate) ends: Option<EndsView>,
}

/// How the game ends under best play: the winner shortens it, the loser prolongs it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndsView {
    pub(crate) result: EndsAs,
    /// After how many plies, the action included.
    pub(crate) plies: u32,
}

/// What the end is to the seat that chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EndsAs {
    Win,
    Loss,
    /// Nobody gets more than all others.
    Draw,
    /// Nobody else plays.
    Alone,
}

/// How sure a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CertaintyView {
    Unknown,
    Estimate,
    AtLeast,
    AtMost,
    Exact,
}

/// A ply of the line of play that is expected.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LinePly {
    pub(crate) by: ByView,
    pub(crate) token: String,
}

/// What a position of the game was worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CurvePoint {
    /// After so many plies.
    pub(crate) n_plies: usize,
    /// The payoffs expected, by seat.
    pub(crate) values: Vec<f64>,
    /// Never where it depends on how what the viewer did not know was drawn.
    pub(crate) exact: bool,
    /// What the agent would have played.
    pub(crate) best: Option<String>,
}

/// What a ply lost to the seat that chose it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlyLoss {
    /// From 1.
    pub(crate) ply: usize,
    pub(crate) seat: Seat,
    pub(crate) loss: f64,
}

impl EndsView {
    /// What `candidate` leads to for `seat`, where its end is known.
    pub(crate) fn of(candidate: &Candidate<String>, seat: Seat) -> Option<EndsView> {
        let plies = candidate.plies.filter(|_| candidate.is_exact())?;
        let own = *candidate.values.get(seat)?;
        let others = candidate.values.iter().enumerate().filter(|&(other, _)| other != seat).map(|(_, &value)| value);
        let result = match others.max_by(f64::total_cmp) {
            None => EndsAs::Alone,
            Some(most) if own > most => EndsAs::Win,
            Some(most) if own < most => EndsAs::Loss,
            Some(_) => EndsAs::Draw,
        };
        Some(EndsView { result, plies })
    }
}

impl CertaintyView {
    pub(crate) fn of(certainty: Certainty) -> (CertaintyView, Option<f64>) {
        match certainty {
            Certainty::Unknown => (CertaintyView::Unknown, None),
            Certainty::Estimate { standard_error } => (CertaintyView::Estimate, standard_error),
            Certainty::LowerBound => (CertaintyView::AtLeast, None),
            Certainty::UpperBound => (CertaintyView::AtMost, None),
            Certainty::Exact => (CertaintyView::Exact, None),
        }
    }
}

impl From<Ending> for AnalysisMessage {
    fn from(ending: Ending) -> AnalysisMessage {
        match ending {
            Ending::Whole => AnalysisMessage::End,
            Ending::Refused(refusal) => AnalysisMessage::Error { agent: None, refusal },
        }
    }
}
