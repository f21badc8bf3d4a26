//! What goes over the wire, typed: `docs/protocol.md` in Rust.

use std::collections::BTreeMap;

use raichi_core::params::ParamSpec;
use raichi_core::picture::Picture;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::choices::Choices;
use crate::error::Refusal;

/// Client to server. It has no Debug form, so that no key gets into a log.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum ClientMessage {
    Hello {
        keys: Vec<String>,
        #[serde(default)]
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

    /// What the client calls the message.
    pub(crate) fn id(&self) -> Option<&str> {
        match self {
            ClientMessage::Hello { .. } => None,
            ClientMessage::Play { id, .. }
            | ClientMessage::Resign { id, .. }
            | ClientMessage::Rematch { id }
            | ClientMessage::Look { id, .. }
            | ClientMessage::Narrow { id, .. } => Some(id),
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
        picture: Box<Picture>,
        last: Vec<String>,
    },
    Narrowed {
        id: String,
        #[serde(flatten)]
        choices: Choices,
        caption: Option<String>,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
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

/// A table as one client may see it.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    pub(crate) table: String,
    pub(crate) game: String,
    pub(crate) name: &'static str,
    pub(crate) seats: Vec<SeatView>,
    pub(crate) you: Vec<Seat>,
    pub(crate) n_plies: usize,
    pub(crate) plies_from: usize,
    pub(crate) plies: Vec<PlyView>,
    pub(crate) to_act: ToAct,
    pub(crate) thinking: Vec<Seat>,
    pub(crate) picture: Picture,
    pub(crate) last: Vec<String>,
    pub(crate) choices: BTreeMap<Seat, Choices>,
    pub(crate) result: Option<ResultView>,
    pub(crate) seed_hash: String,
    pub(crate) seed: Option<String>,
    pub(crate) next_table: Option<String>,
}

/// A seat and who holds it.
#[derive(Debug, Serialize)]
pub(crate) struct SeatView {
    pub(crate) name: String,
    pub(crate) occupant: Option<String>,
    pub(crate) kind: SeatKind,
    pub(crate) connected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeatKind {
    Human,
    Engine,
}

/// A ply as a viewer saw it.
#[derive(Debug, Serialize)]
pub(crate) struct PlyView {
    pub(crate) by: ByView,
    pub(crate) text: String,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ByView {
    Seat(Seat),
    Chance(&'static str),
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ToAct {
    Seats(Vec<Seat>),
    Nobody(&'static str),
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ResultView {
    pub(crate) payoffs: Vec<f64>,
    pub(crate) end: String,
    pub(crate) sentence: String,
}

/// A game of the lobby.
#[derive(Debug, Serialize)]
pub(crate) struct GameEntry {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) blurb: &'static str,
    pub(crate) params: Vec<ParamSpec>,
    pub(crate) seats: usize,
    /// The fewest and the most seats it can have.
    pub(crate) seat_range: (usize, usize),
    pub(crate) seat_names: Vec<String>,
    pub(crate) picture: Picture,
}

/// A part of a game's rules.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum PassageView {
    Text { text: &'static str },
    Position { spec: String, seats: Vec<String>, picture: Box<Picture>, last: Vec<String> },
}

/// A game with its parameters.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    pub(crate) spec: String,
    pub(crate) name: &'static str,
    pub(crate) seats: Vec<String>,
    pub(crate) picture: Picture,
}

/// Somebody to play against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AgentEntry {
    pub(crate) spec: String,
    pub(crate) name: String,
    pub(crate) help: &'static str,
}

/// The wish for a table.
#[derive(Debug, Deserialize)]
pub(crate) struct TableRequest {
    pub(crate) game: String,
    pub(crate) seats: Vec<SeatRequest>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum SeatRequest {
    Me {
        #[serde(default)]
        name: Option<String>,
    },
    Friend {
        #[serde(default)]
        name: Option<String>,
    },
    Engine {
        agent: String,
    },
}

/// A table just made.
#[derive(Serialize)]
pub(crate) struct NewTable {
    pub(crate) table: String,
    pub(crate) keys: Vec<SeatKey>,
    pub(crate) seed_hash: String,
}

/// A key for whoever made the table. It has no Debug form, so that it gets into no log.
#[derive(Serialize)]
pub(crate) struct SeatKey {
    pub(crate) seat: Seat,
    pub(crate) kind: &'static str,
    pub(crate) key: String,
}
