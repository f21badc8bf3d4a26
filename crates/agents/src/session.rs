//! Agents without the type of their game: prepared for a game, and in a session for one game in progress.

use std::sync::Arc;

use raichi_core::erased::{AnyMatch, Playable};
use raichi_core::game::{Choice, Phase};
use raichi_core::history::Match;
use raichi_core::information::SeatView;
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::{Seat, Viewer};
use raichi_search::{Advice, Budget, CancelFlag, Cost, Failure, Limits};

use crate::kind::AgentError;
use crate::system_host::SystemHost;

/// An agent with its options, ready for a game: what it loads or computes once is done. Shared by all its sessions.
pub trait Prepared: Send + Sync {
    /// The canonical spec, options included.
    fn spec(&self) -> &str;

    /// Whether it plays this seat; nearly all play all of them.
    ///
    /// # Errors
    /// Says in a sentence why it does not.
    fn check_seat(&self, _seat: Seat) -> Result<(), AgentError> {
        Ok(())
    }

    /// Opens a session for one game in progress, whose plies so far may be none. `seed` decides all its random draws; each
    /// decision draws from a stream of its own, so that a game resumed later goes on as it would have.
    fn open(&self, seed: u64) -> Box<dyn Session>;
}

/// What an agent says of a ply that it has made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// The payoffs that it expects, by seat; empty where it has no opinion.
    pub values: Vec<f64>,
    /// What the decision cost.
    pub cost: Cost,
}

/// An agent in one game in progress. It may keep what it finds from decision to decision; where the game is another one
/// than it last saw, or plies were taken back, it notices and starts from scratch.
pub trait Session: Send {
    /// Chooses for `seat`, within the agent's own budget and within `limit`.
    ///
    /// # Errors
    /// When the seat is not to act, or the match is of another game than the agent was prepared for.
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError>;

    /// Chooses for `seat` and plays it.
    ///
    /// # Errors
    /// As [`Session::decide`]; nothing was played then.
    fn play(&mut self, current: &mut dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Played, AgentError> {
        let advice = self.decide(current, seat, limit)?;
        current.play(seat, &advice.action).expect("what an agent advises is legal");
        Ok(Played { values: advice.values().to_vec(), cost: advice.cost })
    }

    /// The flag that ends a decision early.
    fn cancel_flag(&self) -> CancelFlag;

    /// Thinks while others do: about `current`, in which `seat` is not to act, until `limit` or `cancel` ends it or
    /// nothing is left to be found out. What comes of it is kept for the next decision. Agents that keep nothing return at
    /// once; and so do those that count what a decision costs, since they are to play alike on every machine.
    fn ponder(&mut self, _current: &dyn AnyMatch, _seat: Seat, _limit: Budget, _cancel: &CancelFlag) {}
}

/// A session of a search that knows its game's type.
pub(crate) struct Typed<G: Playable> {
    pub(crate) game: Arc<PathGame<G>>,
    pub(crate) search: Box<dyn raichi_search::Session<G>>,
    pub(crate) budget: Budget,
    pub(crate) cancel: CancelFlag,
    pub(crate) seed: u64,
    /// The agent's spec.
    pub(crate) agent: String,
    /// Where what values positions for the search says that it failed.
    pub(crate) failure: Failure,
}

impl<G: Playable> Typed<G> {
    fn matching<'a>(&self, current: &'a dyn AnyMatch) -> Result<&'a Match<G>, AgentError> {
        let same =
            |current: &&Match<G>| Arc::ptr_eq(current.game(), &self.game) || current.game().spec() == self.game.spec();
        current
            .as_any()
            .downcast_ref::<Match<G>>()
            .filter(same)
            .ok_or_else(|| AgentError::OtherGame { prepared_for: self.game.spec().into(), game: current.spec().into() })
    }

    /// That nothing has failed so far: a search keeps the values that it was given.
    fn check_values(&self) -> Result<(), AgentError> {
        let failed = |why: &str| Err(AgentError::Failed { agent: self.agent.clone(), why: why.into() });
        self.failure.why().map_or(Ok(()), failed)
    }

    fn advise(&mut self, current: &Match<G>, seat: Seat, limit: Budget) -> Advice<G::Action> {
        let limits = Limits { budget: self.budget.at_most(limit), cancel: &self.cancel, host: &SystemHost };
        let rng = &mut decision_stream(self.seed, current.n_plies());
        if current.game().facts().simultaneous && self.search.thinks_of_all_who_act() {
            let n_plies = n_before_unseen(current, seat);
            let state = current.state_after(n_plies);
            let view = SeatView::new(current.game(), &state, &current.choices()[..n_plies], seat);
            return self.search.decide(&view, &limits, rng);
        }
        self.search.decide(&current.view(seat), &limits, rng)
    }
}

/// How many plies were made before the last ones, in which others who act at the same time as `seat` chose what it does not see.
fn n_before_unseen<G: Playable>(current: &Match<G>, seat: Seat) -> usize {
    let mut n_plies = current.n_plies();
    while let Some(&Choice::Action(by, action)) = n_plies.checked_sub(1).map(|last| &current.choices()[last]) {
        let before = current.state_after(n_plies - 1);
        let both_act = matches!(current.game().phase(&before), Phase::Act(seats) if seats.contains(seat) && by != seat);
        if !both_act || current.game().sees_action(&before, by, action, Viewer::Seat(seat)) {
            break;
        }
        n_plies -= 1;
    }
    n_plies
}

impl<G: Playable> Session for Typed<G> {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        let typed = self.matching(current)?;
        // Asked without the type: a typed match as `dyn AnyMatch` would compile all that a match can do, for each game.
        check_turn(current, seat)?;
        let current = typed;
        self.check_values()?;
        let advice = self.advise(current, seat, limit);
        self.check_values()?;
        Ok(advice.map(&mut |action| current.game().action_text(current.state(), seat, action)))
    }

    fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }

    fn ponder(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget, cancel: &CancelFlag) {
        if self.budget.simulations.is_some() || self.budget.nodes.is_some() {
            return;
        }
        let Ok(current) = self.matching(current) else { return };
        let limits = Limits { budget: limit, cancel, host: &SystemHost };
        self.search.ponder(&current.view(seat), &limits, &mut stream(self.seed, "pondering", current.n_plies() as u64));
    }
}

/// What the decision after `n_plies` plies draws from.
pub(crate) fn decision_stream(seed: u64, n_plies: usize) -> FastRng {
    stream(seed, "decision", n_plies as u64)
}

/// That `seat` has something to decide.
pub(crate) fn check_turn(current: &dyn AnyMatch, seat: Seat) -> Result<(), AgentError> {
    match current.phase() {
        Phase::Act(seats) if seats.contains(seat) => Ok(()),
        _ => Err(AgentError::NotToAct { seat }),
    }
}
