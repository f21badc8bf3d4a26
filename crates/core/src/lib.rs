//! What a game is, and everything that follows from it.
//!
//! Start with [`game::Game`], the trait; then [`information::Information`] (who sees what), [`notation::Notation`]
//! (text in and out), [`picture::View`] (a position as data) and [`encoding::Encoding`] (a position as numbers).
//! [`path::PathGame`] keeps what depends on the way to a position. The rest is built on these and knows no game.

pub mod bits;
pub mod chart;
pub mod conformance;
pub mod drill;
pub mod encoding;
pub mod erased;
pub mod game;
pub mod history;
pub mod host;
pub mod information;
pub mod lesson;
pub mod notation;
pub mod order;
pub mod params;
pub mod path;
pub mod perft;
pub mod picture;
pub mod placement;
pub mod playout;
pub mod position;
pub mod random;
pub mod reason;
pub mod record;
pub mod resignation;
pub mod rulebook;
pub mod score_sheet;
pub mod seat;
pub mod toy;
pub mod verdict;

pub use encoding::Encoding;
pub use erased::{AnyGame, AnyMatch, Entry, GameVisitor, Playable};
pub use game::{Chance, Choice, Class, Classes, Facts, Game, Never, Payoffs, Phase};
pub use history::{HistoryError, Match, PlayError};
pub use host::{BareHost, CancelFlag, Host};
pub use information::{Information, SeatView, Seen};
pub use notation::{Notation, OutcomeText, ParseError};
pub use params::{ParamKind, ParamSpec, Params, SpecError, Value};
pub use path::{NoMemory, PathGame, PathRules, PathState, Repetitions};
pub use picture::{Scene, View};
pub use position::{PositionError, SetUp};
pub use seat::{Seat, SeatSet, Viewer};
