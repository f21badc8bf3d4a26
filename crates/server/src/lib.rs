//! Tables, seats, storage and the page, over HTTP and WebSocket.
//!
//! [`serve`] is the whole of it; [`bind`] and [`Server`] are its two halves for those who must know the address first.
//! What goes over the wire is written in `docs/protocol.md` and typed in `message`. A table is an actor (`table`) around
//! a game in progress (`sitting`); whatever leaves it passes the one filter (`view`). A ply is in the [`store`] before
//! anybody hears of it. The server decides nothing about games and calls agents by their specs only.

mod config;
mod error;
mod message;
mod secret;

mod choices;
mod fairness;
mod sitting;
mod view;

pub mod store;

mod agents;
mod hub;
mod lobby;
mod table;

mod assets;
mod http;
mod limit;
mod origin;
mod server;
mod ws;

pub use config::{Config, Limits};
pub use error::ServeError;
pub use fairness::{Unfair, check_fairness};
pub use secret::{Seed, outcome_stream};
pub use server::{Server, bind, serve};

/// Who writes records: the name and version.
pub(crate) const PROGRAM: &str = concat!("raichi ", env!("CARGO_PKG_VERSION"));
