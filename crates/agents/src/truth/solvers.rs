//! A position is put to the solvers of its game, one after the other, and their answers are fitted to the path of a match.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::{AnyMatch, Playable};
use raichi_core::game::{Class, Payoffs, Phase};
use raichi_core::history::Match;
use raichi_core::path::{PathEnd, PathGame, PathMemory, PathState};
use raichi_core::random::FastRng;
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use raichi_solve::exhaustive::best_and_worst;
use raichi_solve::{Bounded, Exact, Method, Progress, Statistics, Unsolved, Work};

use super::by_proof::Proof;
use super::examined::{Examined, ExaminedAction};
use super::{ACTIONS, ACTIONS_FIRST, POSITION, SolversOf, Truth};

/// The part of the time, one of so many, that is kept for the actions, and that goes to a first look at all of them.
const PARTS: u32 = 8;

/// So many positions are looked at for a short win.
const SHORT: u64 = 2_000;

/// What a position is worth on the path of a match.
struct OnPath {
    exact: Result<Exact, Unsolved>,
    /// As [`Examined::holds`].
    holds: bool,
    method: Method,
}

impl OnPath {
    fn known(exact: Exact, method: Method) -> OnPath {
        OnPath { exact: Ok(exact), holds: true, method }
    }
}

pub(super) struct Solvers<G: Playable> {
    pub(super) game: Arc<PathGame<G>>,
    /// At least one; the next is asked where one does not know such positions.
    pub(super) solvers: Arc<SolversOf<G>>,
}

impl<G: Playable> Solvers<G> {
    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<(Exact, Method), Unsolved> {
        let mut why = Unsolved::OutOfTime;
        for (i, solver) in self.solvers.iter().enumerate() {
            // Only the first may know at once; the others search, and look at the clock after some hundred nodes.
            if i > 0 && work.is_over() {
                return Err(why);
            }
            let is_last = i + 1 == self.solvers.len() || !solver.leaves_the_rest(position);
            // The last one searches all that can come.
            if is_last
                && !work.is_over()
                && let Some(won) = self.short_win(position, work)
            {
                return Ok((won, Method::Search));
            }
            match solver.solve(position, work) {
                Err(unknown @ Unsolved::Unknown(_)) if is_last => return Err(unknown),
                Err(unknown @ Unsolved::Unknown(_)) => why = unknown,
                // What the first one says of such positions tells more than that there was no time for a search of all.
                Err(Unsolved::OutOfTime) if matches!(why, Unsolved::Unknown(_)) => return Err(why),
                known => {
                    return known.map(|exact| (self.with_length(position, exact, work), solver.method_of(position)));
                }
            }
        }
        Err(why)
    }

    /// Whether two seats play for all or nothing and see everything.
    pub(super) fn is_duel(&self) -> bool {
        let facts = self.game.facts();
        let all_is_known = !facts.hidden && !facts.chance && !facts.simultaneous;
        facts.n_seats == 2 && facts.payoff_sum.is_some() && all_is_known
    }

    /// Whether two such seats' payoffs have bounds that one gets where the other gets the opposite one.
    pub(super) fn is_won_or_lost(&self) -> bool {
        let facts = self.game.facts();
        let bounds = facts.payoff_range.map(|(low, high)| low + high);
        self.is_duel() && bounds.is_some() && facts.payoff_sum == bounds
    }

    /// Whether each seat gets the most or the least that there is.
    pub(super) fn is_extreme(&self, values: &Payoffs) -> bool {
        let range = self.game.facts().payoff_range;
        range.is_some_and(|(low, high)| values.as_slice().iter().all(|&value| value == low || value == high))
    }

    /// A win that a seat can force within a few plies, where play may go on for ever: solvers look at all positions that can come
    /// then, which are too many where a win is near too.
    fn short_win(&self, position: &G::State, work: &Work<'_>) -> Option<Exact> {
        let (low, high) = self.game.facts().payoff_range?;
        if !G::PathMemory::DECIDES || !self.is_won_or_lost() || self.solvers[0].is_immediate() {
            return None;
        }
        (0..2).find_map(|winner| {
            let plies = self.shortest_win(position, winner, work)?;
            let values = Payoffs::new((0..2).map(|seat| if seat == winner { high } else { low }));
            Some(Exact { plies: Some(plies), ..Exact::of(values) })
        })
    }

    /// The same with the length of a short win where the solver tells none, as it may prove that a position is won and not how
    /// soon, and the work leaves time for it.
    pub(super) fn with_length(&self, position: &G::State, exact: Exact, work: &Work<'_>) -> Exact {
        let most = self.game.facts().payoff_range.map(|(_, high)| high);
        let winner = (0..exact.values.as_slice().len()).find(|&seat| Some(exact.values[seat]) == most);
        let (Some(winner), true, None, None) = (winner, self.is_duel(), exact.plies, exact.score) else { return exact };
        Exact { plies: self.shortest_win(position, winner, work), ..exact }
    }

    /// In how few plies `winner` wins, where that is found among a few positions.
    fn shortest_win(&self, position: &G::State, winner: Seat, work: &Work<'_>) -> Option<u32> {
        Bounded::new(self.game.game(), winner, SHORT)?.within(work).shortest(position, u32::MAX)?
    }

    /// What an action brings where something hidden comes to light with it; `None` where nothing does.
    fn solve_action(
        &self,
        position: &G::State,
        seat: Seat,
        action: G::Action,
        work: &Work<'_>,
    ) -> Option<Result<Exact, Unsolved>> {
        if !self.game.facts().hidden {
            return None;
        }
        let mut unknown = None;
        for told in self.solvers.iter().filter_map(|solver| solver.solve_action(position, seat, action, work)) {
            match told {
                // Another one may know. If none does, nothing is said: the position that follows gives away what is hidden.
                Err(Unsolved::Unknown(_)) => unknown = unknown.or(Some(told)),
                known => return Some(known),
            }
        }
        unknown
    }

    /// What a position is worth on the path of `state`, and whether it holds there.
    fn on_path(&self, state: &PathState<G>, work: &Work<'_>) -> OnPath {
        let ended_by_rule = matches!(self.game.path_end(state), Some(PathEnd::Repetition | PathEnd::NoProgress));
        let facts = self.game.facts();
        let has_length = facts.n_seats <= 2 && !facts.chance;
        if ended_by_rule {
            let plies = has_length.then_some(0);
            return OnPath::known(Exact { plies, ..Exact::of(self.game.payoffs(state)) }, self.solvers[0].method());
        }
        let (exact, method) = match self.solve(state.position(), work) {
            Ok((exact, method)) => (Ok(exact), method),
            Err(why) => (Err(why), self.solvers[0].method()),
        };
        if self.game.game().phase(state.position()) == Phase::Over {
            let over = Exact::of(self.game.game().payoffs(state.position()));
            // A solver of a game with chance may know lengths: once the cube is scrambled, nothing is drawn any more.
            let (told, score) = exact.map_or((None, None), |exact| (exact.plies, exact.score));
            let plies = if has_length { Some(0) } else { told };
            return OnPath::known(Exact { plies, score, ..over }, method);
        }
        let holds = exact.as_ref().is_ok_and(|exact| self.holds(state, exact));
        match self.won_by_rule(state) {
            Some(won) if !holds => OnPath::known(Exact { plies: has_length.then_some(1), ..Exact::of(won) }, method),
            _ => OnPath { exact, holds, method },
        }
    }

    /// The payoffs where an action ends the game by a rule of the path, and brings its seat the most that there is: a third
    /// occurrence may win what is lost without it.
    fn won_by_rule(&self, state: &PathState<G>) -> Option<Payoffs> {
        let (_, most) = self.game.facts().payoff_range.filter(|_| G::PathMemory::DECIDES)?;
        let Phase::Act(seats) = self.game.phase(state) else { return None };
        let (seat, mut actions) = (seats.first(), Vec::new());
        self.game.game().legal_actions(state.position(), seat, &mut actions);
        actions.into_iter().find_map(|action| {
            let mut next = state.clone();
            self.game.apply(&mut next, seat, action);
            let by_rule = matches!(self.game.path_end(&next), Some(PathEnd::Repetition | PathEnd::NoProgress));
            Some(self.game.payoffs(&next)).filter(|payoffs| by_rule && payoffs[seat] == most)
        })
    }

    /// Whether neither the cap nor a rule of the path can change what a position is worth.
    fn holds(&self, state: &PathState<G>, exact: &Exact) -> bool {
        let (game, facts) = (&self.game, self.game.facts());
        if !facts.path_dependent {
            return true;
        }
        if game.path_end(state) == Some(PathEnd::Cap) {
            return game.payoffs(state) == exact.values;
        }
        let is_capped = self.may_be_capped(state);
        if !is_capped && !G::PathMemory::DECIDES {
            return true;
        }
        // Who has the most that can be had forces it within `plies`; of other payoffs the other seat's part may take longer.
        let extreme = self.is_extreme(&exact.values);
        let within = exact.plies.is_some_and(|plies| game.proofs_hold(state, plies));
        if within && (extreme || !is_capped) {
            return true;
        }
        if const { G::PathMemory::DECIDES } && extreme && self.is_won_or_lost() {
            let winner = usize::from(exact.values[0] < exact.values[1]);
            if exact.plies.is_some_and(|plies| self.is_forced(state, winner, plies, &mut SHORT.clone())) {
                return true;
            }
        }
        let paid_by = |end| G::PathMemory::payoffs(game.game(), state.position(), end);
        // One seat alone goes by its plan to the end, where to be broken off pays no more; and there is no less than the least.
        if facts.n_seats == 1 && !G::PathMemory::DECIDES {
            let (value, broken_off) = (exact.values[0], paid_by(PathEnd::Cap)[0]);
            let is_least = facts.payoff_range.is_some_and(|(low, _)| value == low);
            return broken_off <= value && (within || is_least);
        }
        // What is worth as much as play without an end stays so, as long as all rules of the path pay that. Of two seats against each
        // other neither gets less than it can be sure of where play is broken off with that.
        let pays_as_much = |end| paid_by(end) == exact.values;
        G::PathMemory::ends(game.game()).into_iter().all(pays_as_much)
            && (!is_capped || self.is_duel() && pays_as_much(PathEnd::Cap))
    }

    /// Whether `winner` wins within so many plies whatever the other seat does, by all rules of the path, as far as `left` positions
    /// tell.
    fn is_forced(&self, state: &PathState<G>, winner: Seat, plies: u32, left: &mut u64) -> bool {
        let Some(fewer) = left.checked_sub(1) else { return false };
        *left = fewer;
        let Phase::Act(seats) = self.game.phase(state) else {
            let payoffs = self.game.payoffs(state);
            return payoffs[winner] > payoffs[1 - winner];
        };
        if plies == 0 {
            return false;
        }
        let (seat, mut actions) = (seats.first(), Vec::new());
        self.game.legal_actions(state, seat, &mut actions);
        let mut wins_after = |action| {
            let mut next = state.clone();
            self.game.apply(&mut next, seat, action);
            self.is_forced(&next, winner, plies - 1, left)
        };
        let mut actions = actions.into_iter();
        if seat == winner { actions.any(&mut wins_after) } else { actions.all(&mut wins_after) }
    }

    /// Whether the cap may end the game: some way to play on may be longer than what it leaves.
    fn may_be_capped(&self, state: &PathState<G>) -> bool {
        let fits = |left: u32| {
            let longest = raichi_engines::longest(self.game.game(), state.position());
            longest.is_some_and(|n_plies| n_plies <= left)
        };
        self.game.max_plies().is_some_and(|most| !fits(most.saturating_sub(state.n_plies())))
    }

    /// Whether `seat` gets the least payoff whatever it does, and no more than that is told: no length, no score. Nothing is left
    /// to be found out then about its actions.
    fn is_lost(&self, seat: Seat, exact: &Exact) -> bool {
        let least = self.game.facts().payoff_range.map(|(low, _)| low);
        self.is_duel() && Some(exact.values[seat]) == least && exact.plies.is_none() && exact.score.is_none()
    }

    /// What the actions of a lost position are worth. Each has the same part of what is left of the time for its length: a loss
    /// at once is soon found, behind the last action as behind the first.
    fn lost_actions(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        lost: &Exact,
        work: &Work<'_>,
    ) -> Vec<ExaminedAction> {
        let mut found = Vec::with_capacity(actions.len());
        for (nth, &action) in actions.iter().enumerate() {
            found.push(self.lost_action(state, seat, action, lost, &share(work, actions.len() - nth)));
        }
        found
    }

    /// Looks in half of what is left of the time for lengths that the first look at the actions left no time for.
    fn lengthen(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        found: &mut [Option<ExaminedAction>],
        work: &Work<'_>,
    ) {
        let lacks_length = |exact: &Exact| self.is_duel() && exact.plies.is_none() && exact.score.is_none();
        let known = found.iter_mut().zip(actions).filter_map(|(found, &action)| Some((found.as_mut()?, action)));
        let lacking = |(found, _): &(&mut ExaminedAction, G::Action)| found.exact.as_ref().is_ok_and(lacks_length);
        let lacking: Vec<_> = known.filter(lacking).collect();
        let (half, n_lacking) = (share(work, 2), lacking.len());
        for (nth, (found, action)) in lacking.into_iter().enumerate() {
            let Ok(exact) = found.exact.clone() else { continue };
            let mut next = state.clone();
            self.game.apply(&mut next, seat, action);
            let exact = self.with_length(next.position(), exact, &share(&half, n_lacking - nth));
            found.holds = self.holds(&next, &exact);
            found.exact = Ok(exact);
        }
    }

    /// What an action of a lost position is worth.
    fn lost_action(
        &self,
        state: &PathState<G>,
        seat: Seat,
        action: G::Action,
        lost: &Exact,
        work: &Work<'_>,
    ) -> ExaminedAction {
        let mut next = state.clone();
        self.game.apply(&mut next, seat, action);
        if self.game.phase(&next) == Phase::Over {
            return self.action(state, seat, action, work);
        }
        let exact = self.with_length(next.position(), lost.clone(), work);
        let holds = self.holds(&next, &exact);
        let method = self.solvers[0].method_of(next.position());
        ExaminedAction { action: self.game.action_text(state, seat, action), exact: Ok(exact), holds, method }
    }

    /// What all actions are worth. Where the time is limited each has a small part of it first, one like the other: an action that
    /// decides is found, then, also where one before it takes all the time there is.
    fn actions(&self, state: &PathState<G>, seat: Seat, actions: &[G::Action], work: &Work<'_>) -> Vec<ExaminedAction> {
        let mut found = vec![None; actions.len()];
        if let Some(deadline) = work.deadline {
            found = self.look(state, seat, actions, found, deadline.saturating_sub(work.host.now()) / PARTS, work);
        }
        self.lengthen(state, seat, actions, &mut found, work);
        let is_late = || !self.is_immediate() && work.is_over();
        let total = actions.len() as u64;
        let examine = |(done, (found, &action)): (usize, (Option<ExaminedAction>, _))| match found {
            Some(found) => found,
            None if is_late() && !self.ends(state, seat, action) => self.not_found(state, seat, action),
            None => {
                (work.progress)(Progress { stage: ACTIONS, done: done as u64, total });
                self.action(state, seat, action, work)
            }
        };
        found.into_iter().zip(actions).enumerate().map(examine).collect()
    }

    /// What is known of the actions of a position that was not solved, from a look at each that is not `proven` (which may be
    /// empty): all of them, or none where nothing is known of any.
    fn known_actions(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        mut proven: Vec<Option<ExaminedAction>>,
        time: Duration,
        work: &Work<'_>,
    ) -> Vec<ExaminedAction> {
        proven.resize(actions.len(), None);
        let found = self.look(state, seat, actions, proven, time, work);
        if found.iter().all(Option::is_none) { Vec::new() } else { self.or_not_found(state, seat, actions, found) }
    }

    /// What is found out about actions, those that are not `known`, when each has the same part of so much time.
    fn look(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        known: Vec<Option<ExaminedAction>>,
        time: Duration,
        work: &Work<'_>,
    ) -> Vec<Option<ExaminedAction>> {
        const LEAST: Duration = Duration::from_millis(1);
        let (start, total) = (work.host.now(), actions.len() as u64);
        let n_unknown = known.iter().filter(|known| known.is_none()).count();
        let share = (time / n_unknown.max(1) as u32).max(LEAST);
        let look = |(done, &action)| {
            let now = work.host.now();
            // What ends the game takes no time.
            if now >= start.saturating_add(time) && !self.ends(state, seat, action) {
                return None;
            }
            (work.progress)(Progress { stage: ACTIONS_FIRST, done: done as u64, total });
            let until = now.saturating_add(share);
            let until = work.deadline.map_or(until, |deadline| deadline.min(until));
            let examined = self.action(state, seat, action, &Work { deadline: Some(until), ..*work });
            Some(examined).filter(|examined| examined.exact.is_ok())
        };
        known
            .into_iter()
            .zip(actions.iter().enumerate())
            .map(|(known, action)| known.or_else(|| look(action)))
            .collect()
    }

    /// Of each action what was found out, or that nothing was.
    fn or_not_found(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        found: Vec<Option<ExaminedAction>>,
    ) -> Vec<ExaminedAction> {
        let found = found.into_iter().zip(actions);
        found.map(|(found, &action)| found.unwrap_or_else(|| self.not_found(state, seat, action))).collect()
    }

    fn not_found(&self, state: &PathState<G>, seat: Seat, action: G::Action) -> ExaminedAction {
        let action = self.game.action_text(state, seat, action);
        ExaminedAction { action, exact: Err(Unsolved::OutOfTime), holds: false, method: Method::Search }
    }

    fn ends(&self, state: &PathState<G>, seat: Seat, action: G::Action) -> bool {
        let mut next = state.position().clone();
        self.game.game().apply(&mut next, seat, action);
        self.game.game().phase(&next) == Phase::Over
    }

    fn action(&self, state: &PathState<G>, seat: Seat, action: G::Action, work: &Work<'_>) -> ExaminedAction {
        let mut next = state.clone();
        self.game.apply(&mut next, seat, action);
        let OnPath { mut exact, mut holds, method } = self.on_path(&next, work);
        if let Some(known) = self.solve_action(state.position(), seat, action, work) {
            holds = known.as_ref().is_ok_and(|known| self.holds(&next, known));
            exact = known;
        }
        if let Ok(Exact { score: Some(score), .. }) = &mut exact
            && self.view_of_score(&next) != seat
        {
            *score = -*score;
        }
        ExaminedAction { action: self.game.action_text(state, seat, action), exact, holds, method }
    }

    /// From whose view a solver counts the score.
    fn view_of_score(&self, state: &PathState<G>) -> Seat {
        match self.game.game().phase(state.position()) {
            Phase::Act(seats) => seats.first(),
            Phase::Chance | Phase::Over => 0,
        }
    }
}

impl<G: Playable> Truth for Solvers<G> {
    fn examine(&self, current: &dyn AnyMatch, hidden: Option<&mut FastRng>, work: &Work<'_>) -> Examined {
        let Some(current) = current.as_any().downcast_ref::<Match<G>>() else {
            let why = Unsolved::Unknown(format!("this is a game of {}", current.spec()));
            let method = self.solvers[0].method();
            return Examined { seat: None, exact: Err(why), holds: false, method, actions: Vec::new() };
        };
        let seat = match current.phase() {
            Phase::Act(seats) => Some(seats.first()),
            Phase::Chance | Phase::Over => None,
        };
        let state = match (seat, hidden) {
            (Some(seat), Some(rng)) if self.game.facts().hidden => self.game.determinize(current.state(), seat, rng),
            _ => current.state().clone(),
        };
        (work.progress)(Progress { stage: POSITION, done: 0, total: 0 });
        // A part of the time is kept for the actions. Of the rest, half is for a proof, where that may find what the solvers do not;
        // it needs an end, since it may find nothing for ever.
        let start = work.host.now();
        let time = work.deadline.map(|deadline| deadline.saturating_sub(start));
        let for_actions = time.unwrap_or_default() / PARTS;
        let keeps_a_part = seat.is_some() && !self.is_immediate();
        let for_position = if keeps_a_part { time.map(|time| time - for_actions) } else { time };
        let prover = seat.filter(|_| work.deadline.is_some() && self.may_be_proven(state.position()));
        let for_solvers = if prover.is_some() { for_position.map(|time| time / 2) } else { for_position };
        let within = |time: Option<Duration>| Work { deadline: time.map(|time| start + time), ..*work };
        let OnPath { exact, holds, method } = self.on_path(&state, &within(for_solvers));
        let legal = || seat.map(|seat| current.legal_actions(seat)).unwrap_or_default();
        let proof = match (&exact, prover) {
            (Err(_), Some(seat)) => self.by_proof(current, seat, &legal(), &within(for_position)),
            _ => Proof::default(),
        };
        if let (Some(exact), Some(seat)) = (proof.position, seat) {
            let actions = self.or_not_found(&state, seat, &legal(), proof.actions);
            return Examined { seat: Some(seat), exact: Ok(exact), holds: true, method: Method::Search, actions };
        }
        let actions = match (seat, &exact) {
            // A table has a value for each action, with its length where it has one.
            (Some(seat), Ok(exact)) if !self.is_immediate() && self.is_lost(seat, exact) => {
                self.lost_actions(&state, seat, &legal(), exact, work)
            }
            (Some(seat), Ok(_)) => self.actions(&state, seat, &legal(), work),
            (Some(seat), Err(_)) if work.deadline.is_some() => {
                self.known_actions(&state, seat, &legal(), proof.actions, for_actions, work)
            }
            _ => Vec::new(),
        };
        Examined { seat, exact, holds, method, actions }.by_methods_of_actions().or_by_actions()
    }

    fn best_and_worst(&self, current: &dyn AnyMatch, work: &Work<'_>) -> Option<Result<(Payoffs, Payoffs), Unsolved>> {
        // What no game of the type needs is not compiled for it.
        if const { !G::CLASSES.has(Class::PerfectInformation) } {
            return None;
        }
        let facts = self.game.facts();
        let indifferent = facts.n_seats == 1 || facts.n_seats == 2 && facts.payoff_sum.is_some();
        let current = current.as_any().downcast_ref::<Match<G>>().filter(|_| !indifferent && !facts.hidden)?;
        Some(best_and_worst(self.game.game(), current.state().position(), work))
    }

    fn reason(&self, current: &dyn AnyMatch) -> Option<Reason> {
        // What is hidden gives no reason away.
        let current = current.as_any().downcast_ref::<Match<G>>().filter(|_| !self.game.facts().hidden)?;
        self.solvers.iter().find_map(|solver| solver.reason(current.state().position()))
    }

    fn is_immediate(&self) -> bool {
        self.solvers[0].is_immediate()
    }

    fn is_quick(&self) -> bool {
        self.solvers[0].is_quick()
    }

    fn answers_one_at_a_time(&self) -> bool {
        self.solvers.iter().any(|solver| solver.answers_one_at_a_time())
    }

    fn get_ready(&self, work: &Work<'_>) {
        self.solvers.iter().for_each(|solver| solver.get_ready(work));
        if self.is_immediate() {
            // The first position needs the tables of all others.
            let _ = self.solve(&self.game.game().initial_state(), work);
        }
    }

    fn least_memory(&self) -> usize {
        self.solvers[0].least_memory()
    }

    fn statistics(&self) -> Statistics {
        let add = |sum: Statistics, other: Statistics| Statistics {
            positions: sum.positions + other.positions,
            nodes: sum.nodes + other.nodes,
            bytes: sum.bytes + other.bytes,
        };
        self.solvers.iter().map(|solver| solver.statistics()).fold(Statistics::default(), add)
    }
}

/// Work that ends when one of so many equal parts of the time left is over.
fn share<'a>(work: &Work<'a>, n_parts: usize) -> Work<'a> {
    let now = work.host.now();
    let deadline = work.deadline.map(|deadline| now + deadline.saturating_sub(now) / n_parts as u32);
    Work { deadline, ..*work }
}
