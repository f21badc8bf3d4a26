//! Tables, seats, storage and the page, over HTTP and WebSocket.
//!
//! [`serve`] does everything; [`bind`] and [`Server`] are its two halves, for callers who need the address first. The
//! protocol is described in `docs/protocol.md` and typed in `message`. A table is an actor (`table`) around
//! a `game_in_progress`; everything that leaves it passes the one filter (`view`). A ply is in the [`store`] before
//! anybody is told of it. The server decides nothing about games and calls agents by their specs only.

mod config;
mod error;
mod message;
mod names;
mod secret;
mod settings;

mod choices;
mod clock;
mod fairness;
mod game_in_progress;
mod view;

mod check;
mod restore;

pub mod store;

mod agents;
mod hub;
mod library;
mod lobby;
mod offers;
mod table;
mod thinking;

mod admission;
mod analysis;
mod assets;
mod client;
mod constant;
mod http;
mod lab;
mod lessons;
mod limit;
mod lines;
mod metrics;
mod open_files;
mod operations;
mod origin;
mod placing;
mod reference;
mod server;
mod variations;
mod ws;

#[cfg(test)]
mod wire;

pub use check::{Checked, Checking, check};
pub use clock::TimeControl;
pub use config::{BadBasePath, Config, ForwardedHeader, Limits, base_path};
pub use error::ServeError;
pub use fairness::{Unfair, check_fairness};
pub use secret::{Seed, outcome_stream};
pub use server::{Server, bind, serve};
pub use settings::Settings;

/// The program that writes records: its name and version.
pub(crate) const PROGRAM: &str = concat!("raichi ", env!("CARGO_PKG_VERSION"));
