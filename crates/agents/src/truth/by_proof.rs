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
use raichi_solve::{Exact, Method, Unsolved, Work};

use super::{Examined, ExaminedAction, Solvers};

/// The most that its table takes, in bytes, whatever is allowed.
const LARGEST_TABLE: usize = 256 << 20;

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

    /// What is proven in the time about the position of `current` and the actions of `seat`; `None` where it is not known who
    /// wins. What is proven holds on the path.
    pub(super) fn by_proof(&self, current: &Match<G>, seat: Seat, work: &Work<'_>) -> Option<Examined> {
        if const { !G::CLASSES.has(Class::Adversarial) } {
            return None;
        }
        let mut search = DfPn::new(Config { memory: work.memory.min(LARGEST_TABLE), ..Config::default() });
        let time = work.deadline.map(|deadline| deadline.saturating_sub(work.host.now()));
        let limits = Limits { budget: Budget { time, ..Budget::UNLIMITED }, cancel: work.cancel, host: work.host };
        let advice: Advice<G::Action> =
            search.examine(&current.view(seat), &limits, &mut stream(0, "proof", current.n_plies() as u64));
        let known = |candidate: &Candidate<G::Action>| {
            let values = candidate.is_exact().then(|| Payoffs::new(candidate.values.iter().copied()))?;
            self.is_extreme(&values).then(|| Exact::of(values))
        };
        let chosen = advice.candidates.iter().find(|candidate| candidate.action == advice.action);
        let root = chosen.filter(|_| advice.proven).and_then(known)?;
        let action = |action: G::Action| {
            let candidate = advice.candidates.iter().find(|candidate| candidate.action == action);
            let exact = candidate.and_then(known).map(|exact| {
                let mut next = current.state().position().clone();
                self.game.game().apply(&mut next, seat, action);
                self.with_length(&next, exact, work)
            });
            ExaminedAction {
                action: self.game.action_text(current.state(), seat, action),
                holds: exact.is_some(),
                exact: exact.ok_or(Unsolved::OutOfTime),
            }
        };
        let actions = current.legal_actions(seat).into_iter().map(action).collect();
        let exact = Ok(self.with_length(current.state().position(), root, work));
        Some(Examined { seat: Some(seat), exact, holds: true, method: Method::Search, actions })
    }
}
