//! The messages of the protocol (`docs/protocol.md`) as Rust types.

use std::collections::BTreeMap;

use raichi_core::params::ParamSpec;
use raichi_core::picture::{Picture, Tone};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::choices::Choices;
use crate::clock::TimeControl;
use crate::error::Refusal;

/// Client to server. It has no Debug form, so that no key gets into a log.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum ClientMessage {
    Hello {
        keys: Vec<String>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    Play {
        id: String,
        seat: Seat,
        action: String,
        n_plies: usize,
    },
    Resign {
        id: String,
        seat: Seat,
    },
    /// Offers a draw, or accepts the one that is offered.
    Draw {
        id: String,
        seat: Seat,
        n_plies: usize,
    },
    Rematch {
        id: String,
    },
    Look {
        id: String,
        n_plies: usize,
    },
    Narrow {
        id: String,
        seat: Seat,
        n_plies: usize,
        touched: Vec<String>,
    },
    /// How fast engines play where nobody else does.
    Pace {
        id: String,
        #[serde(flatten)]
        pace: Pace,
    },
    /// The next ply of a paused match of engines.
    Step {
        id: String,
    },
    /// Which rule forbids what the touches are meant to choose.
    Why {
        id: String,
        seat: Seat,
        n_plies: usize,
        touched: Vec<String>,
    },
    /// What an engine would play.
    Hint {
        id: String,
        seat: Seat,
        n_plies: usize,
    },
    /// Takes back the seat's last action and whatever came after it.
    TakeBack {
        id: String,
        seat: Seat,
        n_plies: usize,
    },
}

/// Longest id that a client may choose; a UUID has 36 characters.
const MAX_ID: usize = 64;
/// No game has as many seats.
const MAX_KEYS: usize = 32;

impl ClientMessage {
    /// Reads a message.
    pub(crate) fn read(text: &str) -> Result<ClientMessage, Refusal> {
        let message: ClientMessage = serde_json::from_str(text).map_err(Refusal::malformed)?;
        match message.id() {
            Some(id) if id.is_empty() || id.len() > MAX_ID => {
                return Err(Refusal::malformed(format!("an id has 1 to {MAX_ID} bytes")));
            }
            _ => {}
        }
        match &message {
            ClientMessage::Hello { keys, .. } if keys.len() > MAX_KEYS => {
                Err(Refusal::malformed(format!("there are at most {MAX_KEYS} keys")))
            }
            _ => Ok(message),
        }
    }

    /// The client's id for the message.
    pub(crate) fn id(&self) -> Option<&str> {
        match self {
            ClientMessage::Hello { .. } => None,
            ClientMessage::Play { id, .. }
            | ClientMessage::Resign { id, .. }
            | ClientMessage::Draw { id, .. }
            | ClientMessage::Rematch { id }
            | ClientMessage::Look { id, .. }
            | ClientMessage::Narrow { id, .. }
            | ClientMessage::Pace { id, .. }
            | ClientMessage::Step { id }
            | ClientMessage::Why { id, .. }
            | ClientMessage::Hint { id, .. }
            | ClientMessage::TakeBack { id, .. } => Some(id),
        }
    }
}

/// The id of a message that could not be read as a whole, so that even then the client learns which one it was.
pub(crate) fn id_of_malformed(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct OnlyId {
        id: String,
    }
    serde_json::from_str(text).ok().map(|OnlyId { id }| id).filter(|id| id.len() <= MAX_ID)
}

/// Server to client.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum ServerMessage {
    View(Box<View>),
    Ack {
        id: String,
        n_plies: usize,
    },
    Look {
        id: String,
        n_plies: usize,
        /// As in a view: the viewer may have changed since the last one was sent.
        private_to: Option<Seat>,
        picture: Box<Picture>,
        position: String,
        last: Vec<String>,
    },
    /// What goes on from the touches that were asked about.
    Narrowed {
        id: String,
        choices: Choices,
    },
    /// The rule that forbids it; null where the touches mean nothing.
    Why {
        id: String,
        why: Option<String>,
    },
    /// What an engine would play, and what it expects from it.
    Hint {
        id: String,
        #[serde(flatten)]
        hint: HintView,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        id: Option<String>,
        #[serde(flatten)]
        refusal: Refusal,
    },
}

impl ServerMessage {
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("messages have only text keys and finite numbers")
    }
}

/// What an engine would play for a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HintView {
    /// How many plies there were.
    pub(crate) n_plies: usize,
    pub(crate) action: String,
    /// What is touched to choose it.
    pub(crate) path: Vec<String>,
    /// The payoff that the engine expects for the seat; null where it has no opinion.
    pub(crate) value: Option<f64>,
    /// Whether the action is proven to be best, and its value is exact.
    pub(crate) proven: bool,
    /// Which engine says so.
    pub(crate) agent: String,
}

/// A table as one client may see it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct View {
    pub(crate) table: String,
    pub(crate) game: String,
    pub(crate) name: &'static str,
    pub(crate) seats: Vec<SeatView>,
    pub(crate) you: Vec<Seat>,
    /// Of `you`, the seat whose secrets this view shows; null where the game has none or nobody's are shown.
    pub(crate) private_to: Option<Seat>,
    pub(crate) n_plies: usize,
    pub(crate) plies_from: usize,
    pub(crate) plies: Vec<PlyView>,
    pub(crate) to_act: ToAct,
    pub(crate) thinking: Vec<Seat>,
    pub(crate) picture: Picture,
    /// The position as text.
    pub(crate) position: String,
    /// The text of the position that play began with; null where that is the game's own start.
    pub(crate) start: Option<String>,
    pub(crate) last: Vec<String>,
    pub(crate) choices: BTreeMap<Seat, Choices>,
    /// Whether hints are given at this table, and plies taken back.
    pub(crate) help: bool,
    /// For each of `you` that may take back its last action, how many plies there would be then.
    pub(crate) take_back: BTreeMap<Seat, usize>,
    /// The clocks, where the table has some.
    pub(crate) clock: Option<ClockView>,
    /// How fast the engines play; null where people play.
    pub(crate) pace: Option<Pace>,
    /// Whether people can agree on a draw here.
    pub(crate) draws: bool,
    /// Whether anything is drawn by chance in this game.
    pub(crate) chance: bool,
    /// Whether the plies can be written as a score sheet: a game of two seats without chance.
    pub(crate) score_sheet: bool,
    /// The seats whose offer of a draw stands.
    pub(crate) draw_offers: Vec<Seat>,
    pub(crate) result: Option<ResultView>,
    pub(crate) seed_hash: String,
    pub(crate) seed: Option<String>,
    pub(crate) next_table: Option<NextTable>,
}

/// How fast engines play where nobody else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Pace {
    pub(crate) paused: bool,
    /// The least time that a ply takes.
    pub(crate) millis: u64,
}

/// The clocks of a table, when its view was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClockView {
    pub(crate) control: TimeControl,
    /// By seat, in milliseconds; null for a seat that has no clock any more.
    pub(crate) left: Vec<Option<i64>>,
    /// The seats whose time runs.
    pub(crate) running: Vec<Seat>,
    /// Whether everybody has come, so that the clocks run.
    pub(crate) started: bool,
}

/// The rematch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NextTable {
    pub(crate) table: String,
    /// For each seat here, the seat that its holder has there.
    pub(crate) seats: Vec<Seat>,
}

/// A seat and who holds it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeatView {
    pub(crate) name: String,
    pub(crate) tone: Tone,
    pub(crate) occupant: Option<String>,
    pub(crate) kind: SeatKind,
    pub(crate) connected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeatKind {
    Human,
    Engine,
}

/// A ply as a viewer saw it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlyView {
    pub(crate) by: ByView,
    pub(crate) text: String,
    /// What begins with the ply: a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) begins: Option<String>,
}

/// Who made a ply.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ByView {
    Chance,
    #[serde(untagged)]
    Seat(Seat),
}

/// Whose turn it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ToAct {
    Chance,
    Over,
    #[serde(untagged)]
    Seats(Vec<Seat>),
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ResultView {
    pub(crate) payoffs: Vec<f64>,
    pub(crate) end: String,
    pub(crate) sentence: String,
}

/// A game of the lobby.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameEntry {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) blurb: &'static str,
    /// Other names, for searching.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) params: Vec<ParamSpec>,
    pub(crate) seats: usize,
    /// The fewest and the most seats it can have.
    pub(crate) seat_range: (usize, usize),
    pub(crate) seat_names: Vec<String>,
    pub(crate) seat_tones: Vec<Tone>,
    pub(crate) picture: Picture,
    /// Whether it has charts, several ways of writing what stands on its pieces, and a drill.
    pub(crate) charts: bool,
    pub(crate) letterings: bool,
    pub(crate) drill: bool,
    /// Whether a position of it is set up by its text: its pieces cannot be put one by one.
    pub(crate) by_text: bool,
    /// How many problems it has.
    pub(crate) problems: usize,
}

/// What the card of a game shows in the lobby: a part of its entry.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameCard {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) blurb: &'static str,
    /// Other names, for searching.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) seat_range: (usize, usize),
    pub(crate) seat_names: Vec<String>,
    pub(crate) seat_tones: Vec<Tone>,
    /// What is drawn of the entry's picture; absent where that can come later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) picture: Option<Picture>,
}

/// A part of a game's rules.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a text has a few dozen passages")]
pub(crate) enum PassageView {
    Text {
        text: &'static str,
    },
    /// An answer that is shown only when it is asked for.
    Sealed {
        question: &'static str,
        answer: Vec<PassageView>,
    },
    Position {
        /// Of the text's positions, from 0, those in answers included.
        number: usize,
        /// Places that belong together, each a way from place to place.
        joined: Vec<Vec<String>>,
        spec: String,
        seat_names: Vec<String>,
        seat_tones: Vec<Tone>,
        picture: Box<Picture>,
        last: Vec<String>,
        /// As text.
        position: String,
        /// The text of the position that the plies begin with; null where that is the game's own start.
        start: Option<String>,
        /// The plies, as a history writes them.
        line: Vec<String>,
        /// After so many of them comes the position that is shown at first: after all of them, or where an example begins that
        /// is told step by step.
        at: usize,
        /// What is said on the way.
        remarks: Vec<RemarkView>,
        is_over: bool,
    },
}

/// What is said about a position on the way to one that a text draws.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RemarkView {
    /// After so many plies of the line.
    pub(crate) ply: usize,
    /// An action that is better than the one that follows.
    pub(crate) better: Option<&'static str>,
    /// Markdown.
    pub(crate) text: &'static str,
}

/// A position on the way to one that a text draws.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StepOfPassage {
    pub(crate) picture: Picture,
    pub(crate) last: Vec<String>,
    pub(crate) position: String,
}

/// A game with its parameters.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Description {
    pub(crate) spec: String,
    pub(crate) name: &'static str,
    pub(crate) seat_names: Vec<String>,
    pub(crate) seat_tones: Vec<Tone>,
    pub(crate) picture: Picture,
}

/// An engine to play against.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentEntry {
    pub(crate) spec: String,
    pub(crate) name: String,
    pub(crate) help: String,
    pub(crate) group: AgentGroup,
    /// The one seat that it plays; null where it plays all of them.
    pub(crate) seat: Option<usize>,
    /// Whether it knows what every position of the game is worth, at once or after about a second.
    pub(crate) exact: bool,
}

/// What an engine is offered as, in the order of the offer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AgentGroup {
    /// An opponent of a certain strength.
    Levels,
    /// The strongest that is known.
    Best,
    /// Those who have learned.
    Trained,
    /// A method, for those who know it.
    Methods,
}

/// A page of the list of finished games.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibraryPage {
    /// Newest first.
    pub(crate) games: Vec<LibraryEntry>,
    /// What `before` is to be for the games that follow; null where there are none.
    pub(crate) next: Option<String>,
}

/// A finished game.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibraryEntry {
    pub(crate) table: String,
    /// The spec.
    pub(crate) game: String,
    pub(crate) name: String,
    pub(crate) seats: Vec<LibrarySeat>,
    pub(crate) n_plies: usize,
    /// In milliseconds since 1970.
    pub(crate) ended_at: i64,
    pub(crate) end: String,
    pub(crate) payoffs: Vec<f64>,
    /// `Ann wins`, `A draw`; of a seat that is alone what it got.
    pub(crate) outcome: String,
    /// Whether there are score sheets of such games.
    pub(crate) score_sheet: bool,
}

/// Who held a seat of a finished game.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibrarySeat {
    pub(crate) name: String,
    pub(crate) occupant: Option<String>,
    pub(crate) kind: SeatKind,
}

/// What became of the records that were sent. It has no Debug form, so that no key gets into a log.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ImportedRecord {
    /// From 1.
    pub(crate) line: usize,
    /// The finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) table: Option<String>,
    /// Whether it was here before, played or imported; nothing has changed then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub(crate) already_here: bool,
    /// With it the variations of the game are written; none where the game was here already.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) variations_key: Option<String>,
    /// Why there is no game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) error: Option<Refusal>,
}

/// A request for a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableRequest {
    pub(crate) game: String,
    /// The text of the position to begin with, rather than the game's own start.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) position: Option<String>,
    pub(crate) seats: Vec<SeatRequest>,
    /// Whether people may ask for hints and take back their plies; without it, where no friend plays.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) help: Option<bool>,
    /// How much time seats have.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub(crate) clock: Option<TimeControl>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum SeatRequest {
    Me {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    Friend {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    Engine {
        agent: String,
    },
}

/// A table that was just created.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NewTable {
    pub(crate) table: String,
    pub(crate) keys: Vec<SeatKey>,
    /// With it the variations of the game are written, where only engines play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) variations_key: Option<String>,
    pub(crate) seed_hash: String,
}

/// A key for the creator of the table. It has no Debug form, so that no key gets into a log.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeatKey {
    pub(crate) seat: Seat,
    pub(crate) kind: KeyKind,
    pub(crate) key: String,
}

/// For whom a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeyKind {
    Me,
    Friend,
}
