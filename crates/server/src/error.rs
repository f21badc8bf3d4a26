//! Why a server does not start, and why a request is refused: a stable code and a sentence.

use std::net::SocketAddr;

use axum::http::StatusCode;
use raichi_agents::AgentError;
use raichi_core::history::SpectatorsView;
use raichi_core::position::PositionError;
use raichi_core::{PlayError, Seat, SpecError};
use serde::Serialize;

use crate::config::BadBasePath;
use crate::store::StoreError;

/// Why a server does not start, or stops without being told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        why: std::io::Error,
    },
    /// The storage cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An allowed origin is malformed.
    #[error("`{origin}` is not an origin; expected something like https://games.example or http://127.0.0.1:5173")]
    Origin {
        /// What was given.
        origin: String,
    },
    /// The base path is malformed.
    #[error(transparent)]
    BasePath(#[from] BadBasePath),
    /// A trusted proxy is malformed.
    #[error("`{proxy}` is neither an address nor a network; expected something like 127.0.0.1 or 10.0.0.0/8")]
    Proxy {
        /// What was given.
        proxy: String,
    },
    /// The system cannot wait for signals or connections.
    #[error("the server stopped: {0}")]
    Stopped(#[from] std::io::Error),
}

/// Why a request is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Refusal {
    /// Stable, for programs.
    pub(crate) code: &'static str,
    /// A sentence for people.
    pub(crate) message: String,
    /// What is to be changed: a parameter of the game, `position`, or keys: one of the hello's (`keys[0]`, `keys[1]`, …)
    /// or all of a request (`keys`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) param: Option<String>,
    /// The place in a position's text, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) column: Option<usize>,
}

/// The code of a refusal, beside the response that says it.
#[derive(Clone, Copy)]
pub(crate) struct RefusalCode(pub(crate) &'static str);

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), param: None, column: None }
    }

    /// About the position that a game is to begin with.
    pub(crate) fn position(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { param: Some("position".into()), ..Refusal::new(code, message) }
    }

    pub(crate) fn unknown_table() -> Refusal {
        Refusal::new("table/unknown", "there is no such table here")
    }

    /// About the key with this index in a hello.
    pub(crate) fn key(index: usize) -> Refusal {
        let param = Some(format!("keys[{index}]"));
        Refusal { param, ..Refusal::new("seat/key", "this key holds no seat at this table") }
    }

    pub(crate) fn running() -> Refusal {
        Refusal::new("table/running", "the game at this table is not over yet")
    }

    pub(crate) fn not_yours(seat: Seat) -> Refusal {
        Refusal::new("seat/not-yours", format!("seat {seat} is held by another key"))
    }

    pub(crate) fn malformed(why: impl std::fmt::Display) -> Refusal {
        Refusal::new("message/malformed", format!("the message cannot be read: {why}"))
    }

    pub(crate) fn too_large(limit: usize) -> Refusal {
        Refusal::new("message/too-large", format!("a message has at most {limit} bytes"))
    }

    pub(crate) fn busy(what: &str) -> Refusal {
        Refusal::new("server/busy", format!("{what}; please try again later"))
    }

    /// The server failed, not the client; the log says more.
    pub(crate) fn internal() -> Refusal {
        Refusal::new("server/internal", "something went wrong on the server; what was acknowledged is safe")
    }

    /// Whether a session is closed once this has been sent.
    pub(crate) fn ends_the_session(&self) -> bool {
        matches!(
            self.code,
            "table/unknown"
                | "table/damaged"
                | "table/newer"
                | "seat/key"
                | "seat/elsewhere"
                | "server/busy"
                | "server/internal"
        )
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self.code {
            "table/unknown" | "path/unknown" | "run/unknown" | "lab/off" => StatusCode::NOT_FOUND,
            "table/running" | "seat/elsewhere" | "run/state" | "variations/changed" => StatusCode::CONFLICT,
            "path/method" => StatusCode::METHOD_NOT_ALLOWED,
            "origin/wrong" | "seat/key" | "seat/not-yours" | "run/key" | "variations/key" => StatusCode::FORBIDDEN,
            "message/malformed" => StatusCode::BAD_REQUEST,
            "message/too-large" => StatusCode::PAYLOAD_TOO_LARGE,
            "message/too-many" | "server/busy" | "run/too-many" => StatusCode::TOO_MANY_REQUESTS,
            "server/internal" | "table/damaged" | "table/newer" => StatusCode::INTERNAL_SERVER_ERROR,
            "server/disk-full" => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Refusal {
        Refusal::new(error.code(), error.to_string())
    }
}

impl From<SpecError> for Refusal {
    fn from(error: SpecError) -> Refusal {
        let code = match &error {
            SpecError::UnknownGame { .. } => "spec/unknown-game",
            SpecError::NotKeyValue { .. } => "spec/malformed",
            SpecError::UnknownKey { .. } => "spec/unknown-key",
            SpecError::RepeatedKey { .. } => "spec/repeated-key",
            SpecError::BadValue { .. } => "spec/bad-value",
            SpecError::Conflict { .. } => "spec/conflict",
        };
        Refusal { param: error.param().map(String::from), ..Refusal::new(code, error.to_string()) }
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Refusal {
        Refusal { column: Some(error.column), ..Refusal::position("position/malformed", error.to_string()) }
    }
}

impl From<SpectatorsView> for Refusal {
    fn from(error: SpectatorsView) -> Refusal {
        Refusal::position("position/spectator", error.to_string())
    }
}

impl From<AgentError> for Refusal {
    fn from(error: AgentError) -> Refusal {
        Refusal::new(error.code(), error.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        tracing::error!(%error, "the store failed");
        Refusal::of_store(&error)
    }
}

impl Refusal {
    /// As `From` does it, but logs nothing.
    pub(crate) fn of_store(error: &StoreError) -> Refusal {
        match error {
            StoreError::Full => Refusal::new(
                "server/disk-full",
                "the server's disk is full; what was acknowledged is safe, but nothing new can be kept at present",
            ),
            StoreError::Damaged { .. } => Refusal::new(
                "table/damaged",
                "what is stored about this table is damaged, so that it cannot be opened; other tables are not affected",
            ),
            StoreError::Newer { .. } => Refusal::new(
                "table/newer",
                "a later version of the server made this table, and this one cannot read it",
            ),
            StoreError::Unusable { .. } | StoreError::Failed(_) => Refusal::internal(),
        }
    }
}
