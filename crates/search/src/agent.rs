//! What an agent is to a search: a session that sees a seat's view and returns an action.
//!
//! The names under which agents are known, their preparation for a game, and the form without types lie above, in the
//! crate `agents`. Here is what every method shares: what it may spend, how it is cancelled, and what it returns.

use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::host::{CancelFlag, Host};
use raichi_core::information::SeatView;
use raichi_core::random::FastRng;
use raichi_core::reason::Reason;

/// What a decision may cost; the search stops at whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Time by the host's clock. The action is returned before it has passed.
    pub time: Option<Duration>,
    /// Simulations, all threads together.
    pub simulations: Option<u64>,
    /// Positions entered by an action, all threads together.
    pub nodes: Option<u64>,
}

impl Budget {
    /// No bound at all: the search ends when it has nothing left to find out or is cancelled.
    pub const UNLIMITED: Budget = Budget { time: None, simulations: None, nodes: None };

    /// So much time.
    pub const fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::UNLIMITED }
    }

    /// So many simulations, however long they take.
    pub const fn simulations(simulations: u64) -> Budget {
        Budget { simulations: Some(simulations), ..Budget::UNLIMITED }
    }

    /// The tighter of each of two bounds.
    #[must_use]
    pub fn at_most(self, other: Budget) -> Budget {
        fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Budget {
            time: least(self.time, other.time),
            simulations: least(self.simulations, other.simulations),
            nodes: least(self.nodes, other.nodes),
        }
    }
}

/// What a decision may use.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// What it may cost.
    pub budget: Budget,
    /// Ends it early.
    pub cancel: &'a CancelFlag,
    /// The clock and the threads.
    pub host: &'a dyn Host,
}

/// An agent in one game in progress: it may keep what it found from decision to decision.
pub trait Session<G: Playable>: Send {
    /// Chooses for the seat of `view`, which is to act.
    ///
    /// # Panics
    /// When that seat has no legal action; the erased form checks.
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action>;

    /// Thinks while others do, until `limits` end it (its cancellation flag within a millisecond or so): about the position
    /// that `view` shows, in which the seat is not to act. What comes of it is kept for the next decision, which may be
    /// about any position. Searches that keep nothing do nothing.
    fn ponder(&mut self, _view: &SeatView<'_, G>, _limits: &Limits<'_>, _rng: &mut FastRng) {}

    /// Whether it is to be asked, where seats act at the same time, about the position before any of them chose: which of them were
    /// asked before its own is no matter of the game, and the seat does not see what they chose.
    fn thinks_of_all_who_act(&self) -> bool {
        false
    }
}

/// What a decision came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice<A> {
    /// What to play; always legal.
    pub action: A,
    /// The actions considered, best first; empty where none was looked at.
    pub candidates: Vec<Candidate<A>>,
    /// The line of play expected, as tokens of a history, `action` first. At chance it follows the outcome that was
    /// looked at most.
    pub line: Vec<String>,
    /// What the decision cost.
    pub cost: Cost,
    /// Whether `action` is proven to be best: nothing that it was compared with rests on an estimate any more.
    pub proven: bool,
    /// How what is exact is known, in a word ("table", "proof", "search"), where a solver says it.
    pub known_by: Option<&'static str>,
    /// Why `action` is chosen, where the agent goes by something that can be said to people.
    pub why: Option<Reason>,
}

/// What a decision cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Simulations made.
    pub simulations: u64,
    /// Positions entered by an action; 0 for methods that do not count them.
    pub nodes: u64,
    /// The depth that was completed, in plies, where the method goes by depth.
    pub depth: Option<u32>,
    /// By the host's clock.
    pub elapsed: Duration,
}

/// One action that was considered.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// The payoff expected after it, by seat; empty where nothing is known.
    pub values: Vec<f64>,
    /// How sure `values` are.
    pub certainty: Certainty,
    /// How many simulations went this way, for methods that simulate.
    pub visits: Option<u64>,
    /// How deep it was searched, in plies, for methods that go by depth.
    pub depth: Option<u32>,
    /// After how many plies, this action included, the game is over under best play: the winner shortens it, the loser
    /// prolongs it. Only beside exact values, where a solver knows it.
    pub plies: Option<u32>,
}

/// How sure a value is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Certainty {
    /// Nothing is known.
    Unknown,
    /// An estimate, with the standard error of the chooser's own value where the method has one.
    Estimate {
        /// In units of the payoff.
        standard_error: Option<f64>,
    },
    /// The chooser's own value is at least this.
    LowerBound,
    /// The chooser's own value is at most this.
    UpperBound,
    /// Exact, by a proof or a table.
    Exact,
}

impl<A> Candidate<A> {
    /// Whether the values are exact.
    pub fn is_exact(&self) -> bool {
        self.certainty == Certainty::Exact
    }
}

impl<A> Advice<A> {
    /// Advice that took no search: the only action, or one chosen without looking ahead.
    pub fn without_search(action: A, proven: bool) -> Advice<A> {
        let cost = Cost::default();
        Advice { action, candidates: Vec::new(), line: Vec::new(), cost, proven, known_by: None, why: None }
    }

    /// The same advice with its actions expressed in another way. The closure has no type of its own here, since this is
    /// compiled for every game.
    pub fn map<B>(self, express: &mut dyn FnMut(A) -> B) -> Advice<B> {
        let mut candidates = Vec::with_capacity(self.candidates.len());
        for Candidate { action, values, certainty, visits, depth, plies } in self.candidates {
            candidates.push(Candidate { action: express(action), values, certainty, visits, depth, plies });
        }
        let Advice { action, line, cost, proven, known_by, why, .. } = self;
        Advice { action: express(action), candidates, line, cost, proven, known_by, why }
    }

    /// What is expected after the chosen action, by seat; empty where nothing is known.
    pub fn values(&self) -> &[f64]
    where
        A: PartialEq,
    {
        let chosen = self.candidates.iter().find(|candidate| candidate.action == self.action);
        chosen.map_or(&[], |candidate| &candidate.values)
    }
}

impl Advice<usize> {
    /// The advice with the actions in place of their numbers, which are places in `actions`.
    pub fn of<A: Copy>(self, actions: &[A]) -> Advice<A> {
        self.map(&mut |place| actions[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_bound_counts() {
        let one = Budget { simulations: Some(5), ..Budget::time(Duration::from_secs(2)) };
        let other = Budget { nodes: Some(7), ..Budget::time(Duration::from_secs(1)) };
        let both = Budget { time: Some(Duration::from_secs(1)), simulations: Some(5), nodes: Some(7) };
        assert_eq!((one.at_most(other), other.at_most(one)), (both, both));
    }
}
