//! What a game is, and everything that follows from it.
//!
//! Start with [`game::Game`], the trait; then [`information::Information`] (who sees what), [`notation::Notation`]
//! (text in and out) and [`picture::View`] (a position as data). The rest is built on these four and knows no game.

pub mod bits;
pub mod capped;
pub mod conformance;
pub mod erased;
pub mod game;
pub mod history;
pub mod information;
pub mod notation;
pub mod params;
pub mod perft;
pub mod picture;
pub mod playout;
pub mod playthrough;
pub mod random;
pub mod record;
pub mod rulebook;
pub mod seat;
pub mod toy;
pub mod trace;
pub mod verdict;

pub use capped::Capped;
pub use erased::{AnyGame, AnyMatch, Entry, GameVisitor, Playable};
pub use game::{Facts, Game, Never, Payoffs, Phase};
pub use history::{HistoryError, Match, PlayError};
pub use information::{Information, SeatView};
pub use notation::{Notation, ParseError};
pub use params::{ParamKind, ParamSpec, Params, SpecError, Value};
pub use picture::View;
pub use seat::{Seat, SeatSet, Viewer};
