//! Retrograde analysis of sets of positions that can be numbered: endings with few pieces, a byte or two a position.
//!
//! Sources: Ströhlein, *Untersuchungen über kombinatorische Spiele* (1970), and Thompson, "Retrograde Analysis of Certain
//! Endgames" (1986). A game says how many positions there are and which number each has ([`Numbered`]); [`Analysis`] values
//! all of them, and [`Table`] is what is kept. For one seat or two whose payoffs have a constant sum, without chance. What
//! values and distances mean is as in [`crate::retrograde`], which does the same for graphs that are enumerated.
//!
//! *Sets depend on sets.* An action may lead out of a set, as a capture leads to fewer pieces: the value of such a
//! position is asked of `beyond`, which looks it up in tables that are finished. A position that is in the set, in no
//! finished table and not over is an error, never a guess.
//!
//! *Cycles.* What nobody forces to an end is worth what play without an end pays ([`Numbered::endless`]).
//!
//! *Checked* by a second pass that re-derives every value and distance from those of the successors, and in the tests
//! against [`crate::retrograde`]. The values do not depend on the number of threads, nor on how often the work was
//! interrupted.

mod analysis;
mod checkpoint;
mod file;
mod scale;
mod spread;
mod sweep;
mod table;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::seat::Seat;

pub use analysis::Analysis;
pub use file::{Content, Refused};
pub use scale::Value;
pub use table::Table;

/// A state of the game whose positions are numbered.
pub type State<N> = <<N as Numbered>::Game as Game>::State;

/// What positions outside a set are worth, by tables that are finished; `None` for those that lie in none.
pub type Beyond<'a, N> = dyn Fn(&State<N>) -> Option<Value> + Sync + 'a;

/// A set of positions of a game, each with a number below [`n_numbers`](Numbered::n_numbers).
///
/// Positions that a symmetry of the rules maps to each other may share a number. Then one of them stands for all, and
/// [`position`](Numbered::position) returns it.
pub trait Numbered: Sync {
    /// The game.
    type Game: Game;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// What the table is of: the game with all parameters that matter, the set, and a version of the numbering. A file is
    /// read only where it says the same.
    fn identity(&self) -> String;

    /// How many numbers there are.
    fn n_numbers(&self) -> u64;

    /// The number of a position; `None` where it is not in the set.
    fn number(&self, position: &State<Self>) -> Option<u64>;

    /// The position with a number; `None` where the number stands for none. It has this number again.
    fn position(&self, number: u64) -> Option<State<Self>>;

    /// All payoffs that games can end with, and that of play without an end; at most seven.
    fn payoffs(&self) -> Vec<Payoffs>;

    /// What play without an end pays, the same in all positions.
    fn endless(&self) -> Payoffs;

    /// Who acts in the position with a number; asked only where one acts.
    fn seat(&self, number: u64) -> Seat {
        let position = self.position(number).expect("the number of a position");
        match self.game().phase(&position) {
            Phase::Act(seats) => seats.first(),
            Phase::Chance | Phase::Over => unreachable!("nobody acts in position {number}"),
        }
    }

    /// Whether [`predecessors`](Numbered::predecessors) finds them. Where it does not, every position without a value is looked
    /// at in each sweep.
    fn offers_predecessors(&self) -> bool {
        false
    }

    /// Adds the numbers of the positions of the set from which an action leads to `position`, which is in the set too. A
    /// number may be added more than once.
    fn predecessors(&self, _position: &State<Self>, _numbers: &mut Vec<u64>) {
        unreachable!("they are asked for only where they are offered")
    }
}
