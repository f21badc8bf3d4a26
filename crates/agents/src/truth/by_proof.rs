//! Wins that proof-number search finds, where play may go on for ever: a solver would have to look at all that can come, which is
//! too much where a win is near too.

use raichi_core::erased::Playable;
use raichi_core::game::{Class, Payoffs};
use raichi_core::history::Match;
use raichi_core::path::{PathEnd, PathMemory};
use raichi_core::random::stream;
use raichi_core::seat::Seat;
use raichi_search::proof_number::Config;
use raichi_search::{Advice, Budget, Candidate, DfPn, Limits};
use raichi_solve::{Exact, Method, Work};

use super::examined::ExaminedAction;
use super::solvers::Solvers;

/// The most that its table takes, in bytes, whatever is allowed.
const LARGEST_TABLE: usize = 256 << 20;

/// What is proven about a position.
#[derive(Default)]
pub(super) struct Proof {
    /// What it is worth, where it is known who wins.
    pub(super) position: Option<Exact>,
    /// Its actions, where that is known of them; there may be none.
    pub(super) actions: Vec<Option<ExaminedAction>>,
}

impl<G: Playable> Solvers<G> {
    /// Whether such a search may find what solvers do not: two seats play for all or nothing, what came before may end the game,
    /// and breaking it off makes nobody win.
    pub(super) fn may_be_proven(&self, position: &G::State) -> bool {
        if const { !G::CLASSES.has(Class::Adversarial) } {
            return false;
        }
        let broken_off = G::PathMemory::payoffs(self.game.game(), position, PathEnd::Cap);
        G::PathMemory::DECIDES
            && self.is_duel()
            && !self.solvers[0].is_immediate()
            && self.is_won_or_lost()
            && !self.is_extreme(&broken_off)
    }

    /// What is proven in the time about the position of `current` and the `actions` of `seat`, and holds on the path.
    pub(super) fn by_proof(&self, current: &Match<G>, seat: Seat, actions: &[G::Action], work: &Work<'_>) -> Proof {
        if const { !G::CLASSES.has(Class::Adversarial) } {
            return Proof::default();
        }
        let mut search = DfPn::new(Config { memory: work.memory.min(LARGEST_TABLE), ..Config::default() });
        let time = work.deadline.map(|deadline| deadline.saturating_sub(work.host.now()));
        let limits = Limits { budget: Budget { time, ..Budget::UNLIMITED }, cancel: work.cancel, host: work.host };
        let advice: Advice<G::Action> =
            search.examine(&current.view(seat), &limits, &mut stream(0, "proof", current.n_plies() as u64));
        let known = |action: G::Action| {
            let is_exact = |candidate: &&Candidate<_>| candidate.action == action && candidate.is_exact();
            let values = &advice.candidates.iter().find(is_exact)?.values;
            Some(Payoffs::new(values.iter().copied())).filter(|values| self.is_extreme(values)).map(Exact::of)
        };
        let position = known(advice.action).filter(|_| advice.proven);
        let examined = |&action: &G::Action| {
            let mut next = current.state().position().clone();
            self.game.game().apply(&mut next, seat, action);
            let exact = Ok(self.with_length(&next, known(action)?, work));
            let action = self.game.action_text(current.state(), seat, action);
            Some(ExaminedAction { action, exact, holds: true, method: Method::Search })
        };
        let actions = actions.iter().map(examined).collect();
        Proof { position: position.map(|exact| self.with_length(current.state().position(), exact, work)), actions }
    }
}
