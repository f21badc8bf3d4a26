//! Find true values.
//!
//! [`exact`] says what a solver is and what it returns: the payoffs of a position under best play. Solvers work on positions,
//! so on the game inside a [`raichi_core::path::PathGame`], and treat cycles openly. [`regret`] finds equilibria of games
//! with secrets, whose values belong to information states and not to positions. They know machine and core only, and name no game;
//! what can be said about one game only (a formula, a better order of actions) lies in the crate `engines`.
//!
//! [`mod@generic`] chooses among the methods by a game's facts: [`forward`] searches to the end; [`exhaustive`] enumerates
//! all positions as a [`graph`] and values it by [`retrograde`] analysis or by [`backward`] induction. Where positions
//! come again from round to round, [`rounds`] values them for each number of rounds left. Sets of positions that
//! can be [`numbered`], endings with few pieces, are analysed without a graph. Of games too large for that, [`bounded`] proves what a seat can force within some plies, and [`alone`] values what is one seat's alone to the end.

pub mod exact;
pub mod regret;

pub mod alone;
pub mod backward;
pub mod bounded;
pub mod exhaustive;
pub mod forward;
pub mod generic;
pub mod graph;
pub mod numbered;
pub mod retrograde;
pub mod rounds;

pub use alone::Alone;
pub use bounded::Bounded;
pub use exact::{Exact, Folder, Method, NotKept, Progress, Solver, Statistics, Unsolved, Work};
pub use exhaustive::Exhaustive;
pub use forward::Forward;
pub use generic::generic;
pub use rounds::{ByRounds, Rounds};
