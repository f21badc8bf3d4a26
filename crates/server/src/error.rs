//! Why a server does not start, and why a client is refused: each refusal a stable code and a sentence.

use std::net::SocketAddr;

use axum::http::StatusCode;
use raichi_core::{PlayError, Seat, SpecError};
use raichi_search::AgentError;
use serde::Serialize;

use crate::store::StoreError;

/// Why a server does not start, or ends otherwise than it was told to.
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
    /// An allowed origin is not one.
    #[error("`{origin}` is not an origin; expected something like https://games.example or http://127.0.0.1:5173")]
    Origin {
        /// What was given.
        origin: String,
    },
    /// The system did not let us wait for signals or connections.
    #[error("the server stopped: {0}")]
    Stopped(#[from] std::io::Error),
}

/// Why a client is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }

    pub(crate) fn unknown_table() -> Refusal {
        Refusal::new("table/unknown", "there is no such table here")
    }

    pub(crate) fn running() -> Refusal {
        Refusal::new("table/running", "the game at this table is not over yet")
    }

    pub(crate) fn not_yours(seat: Seat) -> Refusal {
        Refusal::new("seat/not-yours", format!("seat {seat} is held by another key"))
    }

    pub(crate) fn malformed(why: impl std::fmt::Display) -> Refusal {
        Refusal::new("message/malformed", format!("the message is not understood: {why}"))
    }

    pub(crate) fn too_large(limit: usize) -> Refusal {
        Refusal::new("message/too-large", format!("a message has at most {limit} bytes"))
    }

    pub(crate) fn busy(what: &str) -> Refusal {
        Refusal::new("server/busy", format!("{what}; please try again in a while"))
    }

    /// Something went wrong here, not with the client; the log knows more.
    pub(crate) fn internal() -> Refusal {
        Refusal::new("server/internal", "something went wrong on the server; what was acknowledged is safe")
    }

    /// Whether a line is closed once this has been said.
    pub(crate) fn ends_the_line(&self) -> bool {
        matches!(self.code, "table/unknown" | "seat/key" | "server/busy" | "server/internal")
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self.code {
            "table/unknown" | "path/unknown" => StatusCode::NOT_FOUND,
            "table/running" => StatusCode::CONFLICT,
            "path/method" => StatusCode::METHOD_NOT_ALLOWED,
            "origin/wrong" | "seat/key" | "seat/not-yours" => StatusCode::FORBIDDEN,
            "message/malformed" => StatusCode::BAD_REQUEST,
            "message/too-large" => StatusCode::PAYLOAD_TOO_LARGE,
            "message/too-many" | "server/busy" => StatusCode::TOO_MANY_REQUESTS,
            "server/internal" => StatusCode::INTERNAL_SERVER_ERROR,
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
        Refusal::new(code, error.to_string())
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
        Refusal::internal()
    }
}
