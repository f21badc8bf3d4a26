//! The turn and the river between two seats, solved on demand: strategies of both, range against range, that are as near to
//! an equilibrium as is asked for.
//!
//! Method: discounted counterfactual regret minimisation (Brown and Sandholm 2019, after Zinkevich et al. 2007) over public
//! states, for all hands of a seat at once (Johanson et al. 2011, *Accelerating best response calculation in large extensive
//! games*); the seats learn in turn. Where hands are shown or a seat has folded, all hands are valued in as many steps as
//! there are hands ([`sweep`]), several such ends side by side. River cards that differ only by an exchange of suits are gone
//! through once, where board and ranges allow. Numbers have 32 bits; nothing is allocated while it learns.
//! Handled: two seats left in a round, four community cards or five; the betting of the game itself from any position there
//! ([`remaining`]), with what folded seats have put in, unequal stacks, side pots and odd chips; or bets of sizes chosen freely
//! ([`Betting`]). Ranges are given, every hand alike where none is; the cards of a position are never looked at.
//! Not here: the flop, three seats, what chips are worth beyond this round.
//! Promise: [`Solution::exploitability`] is computed by best responses, not bounded, for the betting and the ranges given.
//! Checked: every end against comparing all pairs of hands; values and best responses against a plain form in 64 bits; a
//! river with a known equilibrium; with suits exchanged and without; the ends of random rounds against the game's own chips.

mod cfr;
mod layout;
mod position;
mod sizes;
mod strategy;
mod street;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

use raichi_games::cards::CardSet;
use raichi_solve::{Progress, Unsolved, Work};

use super::equity::Range;

pub use cfr::{Cfr, Refused, RootHand, RootStrategy, Weights};
pub use position::{NotSolved, Remaining, remaining};
pub use sizes::{Betting, NoTree, Size};
pub use tree::{Action, MOST_ACTIONS, Node};

/// When [`solve`] is content.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// How much older iterations count.
    pub weights: Weights,
    /// The most iterations.
    pub iterations: u64,
    /// The exploitability, in chips, at which it ends before that.
    pub target: f64,
}

/// Strategies, and how near they are to an equilibrium.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// What the first seat gets by them, in the numbers of the tree; the second seat pays it. The game's value is no further
    /// from it than the exploitability, twice.
    pub value: f64,
    /// What both seats together could win by deviating, halved, in chips.
    pub exploitability: f64,
    /// How many iterations there were.
    pub iterations: u64,
    /// Of both seats; river cards that are alike count once.
    pub information_sets: usize,
    /// What the seat to act does with its hands; `None` where nobody is to act before the river card.
    pub root: Option<RootStrategy>,
}

/// Learns strategies for the betting of `tree` on `board`. Where the time was up before the target was reached, what was found
/// by then: its exploitability says what it is worth.
///
/// # Errors
/// When board and ranges fit no play, or the strategies do not fit in memory.
pub fn solve(
    tree: &Node,
    board: CardSet,
    ranges: [&Range; 2],
    options: &Options,
    work: &Work<'_>,
) -> Result<Solution, Unsolved> {
    let mut cfr = Cfr::new(tree, board, ranges, true, work.memory).map_err(|why| match why {
        Refused::Memory(_) => Unsolved::OutOfMemory,
        Refused::Board | Refused::NoHands => Unsolved::Unknown(why.to_string()),
    })?;
    let mut next_look = 10;
    while cfr.n_iterations() < options.iterations && !work.is_over() {
        cfr.iterate(&options.weights);
        let done = cfr.n_iterations();
        if done == next_look {
            (work.progress)(Progress { stage: "regrets", done, total: options.iterations });
            next_look += (done / 8).max(10);
            if cfr.exploitability() <= options.target {
                break;
            }
        }
    }
    Ok(Solution {
        value: cfr.value(),
        exploitability: cfr.exploitability(),
        iterations: cfr.n_iterations(),
        information_sets: cfr.n_information_sets(),
        root: cfr.at_root(),
    })
}
