//! What is known exactly about a position of any game: the solver made for the game, else the one that fits its facts.
//!
//! Solvers are compiled for every game here and nowhere else. [`known`] finds them for a game, and shares them among all who
//! ask while anybody uses them, so that what one found out the others know. A solver knows positions, not paths: whether
//! what it says holds on the path of a match is said by [`Examined::holds`].

mod by_proof;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use raichi_core::erased::{AnyGame, AnyMatch, GameVisitor, Playable};
use raichi_core::game::{Class, Payoffs, Phase};
use raichi_core::history::Match;
use raichi_core::host::{CancelFlag, Host};
use raichi_core::params::ParamKind;
use raichi_core::path::{PathEnd, PathGame, PathMemory, PathState};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use raichi_solve::bounded::LONGEST;
use raichi_solve::exhaustive::best_and_worst;
use raichi_solve::{
    Alone, Bounded, Exact, Folder, Method, NotKept, Progress, Solver, Statistics, Unsolved, Work, generic,
};

/// What is known about the positions of a game with its parameters.
pub trait Truth: Send + Sync {
    /// Finds out what the position of `current`, and each that an action of the seat to act leads to, is worth.
    ///
    /// With `hidden` what the seat to act does not see is drawn first, so that it is told nothing that it cannot know.
    fn examine(&self, current: &dyn AnyMatch, hidden: Option<&mut FastRng>, work: &Work<'_>) -> Examined;

    /// What no seat gets more than, and less than, in the position of `current`, however equal choices are made; `None` where
    /// that makes no difference: with one seat, or two whose payoffs have a constant sum.
    fn best_and_worst(&self, current: &dyn AnyMatch, work: &Work<'_>) -> Option<Result<(Payoffs, Payoffs), Unsolved>>;

    /// Why the position of `current` is worth what it is, where a solver can say that to people.
    fn reason(&self, current: &dyn AnyMatch) -> Option<Reason>;

    /// Whether every value is known at once, so that no deadline is needed.
    fn is_immediate(&self) -> bool;

    /// Whether every value is known within about a second.
    fn is_quick(&self) -> bool;

    /// Makes or reads tables before a clock runs: all of them where every value is known at once then, else those that take
    /// little time.
    fn get_ready(&self, work: &Work<'_>);

    /// With less memory than this, in bytes, nothing is known.
    fn least_memory(&self) -> usize;

    /// What solving has cost so far.
    fn statistics(&self) -> Statistics;
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The seat to act; `None` at chance and when the game is over.
    pub seat: Option<Seat>,
    /// What the position is worth under best play, without a cap.
    pub exact: Result<Exact, Unsolved>,
    /// Whether that holds on the path of the match too: that neither the cap nor a rule of the path can change it.
    pub holds: bool,
    /// How it is known.
    pub method: Method,
    /// The actions of the seat, in the order in which the game lists them. Where the position was not solved, what some of them
    /// are worth may be known all the same; there are none where it is of none.
    pub actions: Vec<ExaminedAction>,
}

/// What an action leads to.
#[derive(Clone, Debug)]
pub struct ExaminedAction {
    /// The action's text.
    pub action: String,
    /// What is known after it. The score is from the view of the seat that chooses, the plies count from after the action.
    pub exact: Result<Exact, Unsolved>,
    /// As [`Examined::holds`].
    pub holds: bool,
}

/// What [`Progress`] calls the work on a position itself, on the first look at all its actions, and on each in turn. While these
/// go on, solvers tell of their own work.
pub const POSITION: &str = "the position";
/// See [`POSITION`].
pub const ACTIONS_FIRST: &str = "first look at actions";
/// See [`POSITION`].
pub const ACTIONS: &str = "actions";

/// The part of the time, one of so many, that is kept for the actions, and that goes to a first look at all of them.
const PARTS: u32 = 8;

/// Relative differences below this are rounding.
const EQUAL: f64 = 1e-9;

fn compare(one: f64, other: f64) -> std::cmp::Ordering {
    match (one - other).abs() <= EQUAL * one.abs().max(1.0) {
        true => std::cmp::Ordering::Equal,
        false => one.total_cmp(&other),
    }
}

/// Which of two results of `seat`'s own actions is better: by its payoff; then it shortens a win and prolongs a loss, and
/// draws are equal, however long; then by the score, where there is one. The better one is the greater.
///
/// What has no length counts as longer than all that has one: a win at once is not put off, nor a loss at once sought.
pub fn better(seat: Seat, one: &Exact, other: &Exact) -> std::cmp::Ordering {
    let length = |exact: &Exact| exact.plies.map_or(u64::MAX, u64::from);
    let own = |exact: &Exact| exact.values[seat];
    let others = |exact: &Exact| {
        let values = exact.values.as_slice().iter().enumerate();
        values.filter(|&(i, _)| i != seat).map(|(_, &value)| value).fold(f64::NEG_INFINITY, f64::max)
    };
    let by_payoff = compare(own(one), own(other)).then_with(|| match compare(own(one), others(one)) {
        std::cmp::Ordering::Greater => length(other).cmp(&length(one)),
        std::cmp::Ordering::Less => length(one).cmp(&length(other)),
        std::cmp::Ordering::Equal => std::cmp::Ordering::Equal,
    });
    by_payoff.then_with(|| match (one.score, other.score) {
        (Some(one), Some(other)) => compare(one, other),
        _ => std::cmp::Ordering::Equal,
    })
}

impl Examined {
    /// Everything there is to know, or why it is not known.
    ///
    /// # Errors
    /// Of the position, or of the first action that is not solved.
    pub fn complete(&self) -> Result<(), &Unsolved> {
        let mut all = std::iter::once(&self.exact).chain(self.actions.iter().map(|action| &action.exact));
        all.try_for_each(|exact| exact.as_ref().map(|_| ()))
    }

    /// Whether the position and an action that is worth as much to the seat are solved, so that a best action is known, however
    /// many others are not.
    ///
    /// # Errors
    /// Of the position, or of the first action that is not solved.
    pub fn knows_best(&self) -> Result<(), &Unsolved> {
        let root = self.exact.as_ref()?;
        let reaches = |seat: Seat, best: &Exact| compare(best.values[seat], root.values[seat]).is_eq();
        match (self.seat, self.ranked().first()) {
            (Some(seat), Some((_, best))) if reaches(seat, best) => Ok(()),
            _ => self.complete(),
        }
    }

    /// The action that best play goes on with: the first of the best ones where all are known, else one that is worth what the
    /// position is and takes as long.
    pub fn best(&self) -> Option<&ExaminedAction> {
        let (action, best) = *self.ranked().first()?;
        let takes_as_long = |root: &Exact| root.plies.is_some() && best.plies.map(|plies| plies + 1) == root.plies;
        let is_best =
            self.complete().is_ok() || self.knows_best().is_ok() && self.exact.as_ref().is_ok_and(takes_as_long);
        is_best.then_some(action)
    }

    /// The actions whose values were not found, in the order in which the game lists them.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().filter(|action| action.exact.is_err()).map(|action| &*action.action)
    }

    /// The actions whose values are known, best first; of equals the first that the game lists comes first.
    pub fn ranked(&self) -> Vec<(&ExaminedAction, &Exact)> {
        let Some(seat) = self.seat else { return Vec::new() };
        let known = self.actions.iter().filter_map(|action| Some((action, action.exact.as_ref().ok()?)));
        let mut ranked: Vec<_> = known.collect();
        ranked.sort_by(|(_, one), (_, other)| better(seat, other, one));
        ranked
    }
}

/// What is known about `game`, shared by all who ask.
///
/// # Errors
/// A sentence that says why nothing can be known.
pub fn known(game: &dyn AnyGame) -> Result<Arc<dyn Truth>, String> {
    static KNOWN: Mutex<Option<HashMap<String, Weak<dyn Truth>>>> = Mutex::new(None);
    let mut known = lock(&KNOWN);
    let known = known.get_or_insert_default();
    if let Some(truth) = known.get(game.spec()).and_then(Weak::upgrade) {
        return Ok(truth);
    }
    known.retain(|_, truth| truth.strong_count() > 0);
    let truth = raichi_games::visit_game(game, Find)?;
    known.insert(game.spec().into(), Arc::downgrade(&truth));
    Ok(truth)
}

/// What each action of the seat to act brings it on average where nobody else decides anything until the game is over;
/// `None` where others may come to act, or more than `most` positions would have to be looked at.
pub fn alone(game: &dyn AnyGame, current: &dyn AnyMatch, most: u64) -> Option<Vec<(String, f64)>> {
    raichi_games::visit_game(game, ToTheEnd { current, most })
}

struct ToTheEnd<'a> {
    current: &'a dyn AnyMatch,
    most: u64,
}

impl GameVisitor for ToTheEnd<'_> {
    type Output = Option<Vec<(String, f64)>>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let current: &Match<G> = self.current.as_any().downcast_ref()?;
        let Phase::Act(seats) = current.phase() else { return None };
        let (seat, mut search) = (seats.first(), Alone::new(game.game(), seats.first(), self.most));
        let worth = |action| {
            let mut next = current.state().position().clone();
            game.game().apply(&mut next, seat, action);
            Some((game.action_text(current.state(), seat, action), search.expects(&next)?))
        };
        current.legal_actions(seat).into_iter().map(worth).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Kept {
    path: PathBuf,
    not_kept: Box<dyn Fn(&NotKept) + Send + Sync>,
}

static KEPT: OnceLock<Kept> = OnceLock::new();

/// Says where tables are kept from run to run, once and before they are used; nowhere if it is never said. `not_kept` is
/// told of each table that cannot be kept there.
pub fn keep_tables_in(folder: PathBuf, not_kept: impl Fn(&NotKept) + Send + Sync + 'static) {
    // Who comes second finds that it is decided.
    let _ = KEPT.set(Kept { path: folder, not_kept: Box::new(not_kept) });
}

/// Where tables are kept.
pub fn folder() -> Option<Folder<'static>> {
    KEPT.get().map(|kept| Folder { path: &kept.path, not_kept: &*kept.not_kept })
}

struct Find;

impl GameVisitor for Find {
    type Output = Result<Arc<dyn Truth>, String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let fitting = generic(game.game());
        let made = raichi_engines::solver(game.game());
        let solvers: Vec<_> = made.into_iter().chain(fitting.clone().ok()).collect();
        match fitting {
            Err(why) if solvers.is_empty() => {
                let secrets = game.facts().hidden && game.facts().n_seats > 1;
                let hint = if secrets { "; `raichi solve` finds equilibria of small ones" } else { "" };
                Err(format!("{why}, and no solver was made for it{hint}"))
            }
            _ => Ok(Arc::new(Solvers { game: Arc::clone(game), solvers })),
        }
    }
}

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

struct Solvers<G: Playable> {
    game: Arc<PathGame<G>>,
    /// At least one; the next is asked where one does not know such positions.
    solvers: Vec<Arc<dyn Solver<G>>>,
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
    fn is_duel(&self) -> bool {
        let facts = self.game.facts();
        let all_is_known = !facts.hidden && !facts.chance && !facts.simultaneous;
        facts.n_seats == 2 && facts.payoff_sum.is_some() && all_is_known
    }

    /// Whether two such seats' payoffs have bounds that one gets where the other gets the opposite one.
    fn is_won_or_lost(&self) -> bool {
        let facts = self.game.facts();
        let bounds = facts.payoff_range.map(|(low, high)| low + high);
        self.is_duel() && bounds.is_some() && facts.payoff_sum == bounds
    }

    /// Whether each seat gets the most or the least that there is.
    fn is_extreme(&self, values: &Payoffs) -> bool {
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
    fn with_length(&self, position: &G::State, exact: Exact, work: &Work<'_>) -> Exact {
        let most = self.game.facts().payoff_range.map(|(_, high)| high);
        let winner = (0..exact.values.as_slice().len()).find(|&seat| Some(exact.values[seat]) == most);
        let (Some(winner), true, None, None) = (winner, self.is_duel(), exact.plies, exact.score) else { return exact };
        Exact { plies: self.shortest_win(position, winner, work), ..exact }
    }

    /// In how few plies `winner` wins, where that is found among a few positions.
    fn shortest_win(&self, position: &G::State, winner: Seat, work: &Work<'_>) -> Option<u32> {
        Bounded::new(self.game.game(), winner, SHORT)?.within(work).shortest(position, LONGEST)?
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
        let mut known = self.solvers.iter().filter_map(|solver| solver.solve_action(position, seat, action, work));
        known.find(|exact| !matches!(exact, Err(Unsolved::Unknown(_))))
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
        OnPath { exact, holds, method }
    }

    /// Whether neither the cap nor a rule of the path can change what a position is worth.
    fn holds(&self, state: &PathState<G>, exact: &Exact) -> bool {
        let (game, facts) = (&self.game, self.game.facts());
        if !facts.path_dependent {
            return true;
        }
        // Who has the most that can be had forces it within `plies`; of other payoffs the other seat's part may take longer.
        let extreme = self.is_extreme(&exact.values);
        let within = exact.plies.is_some_and(|plies| game.proofs_hold(state, plies));
        if within && (extreme || game.max_plies().is_none()) {
            return true;
        }
        // What is worth as much as play without an end stays so, as long as all rules of the path pay that.
        let paid = |end| G::PathMemory::payoffs(game.game(), state.position(), end) == exact.values;
        G::PathMemory::DECIDES && game.max_plies().is_none() && G::PathMemory::ends(game.game()).into_iter().all(paid)
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
        ExaminedAction { action: self.game.action_text(state, seat, action), exact: Ok(exact), holds }
    }

    /// What all actions are worth. Where the time is limited each has a small part of it first, one like the other: an action that
    /// decides is found, then, also where one before it takes all the time there is.
    fn actions(&self, state: &PathState<G>, seat: Seat, actions: &[G::Action], work: &Work<'_>) -> Vec<ExaminedAction> {
        let mut found = match work.deadline {
            Some(deadline) => self.look(state, seat, actions, deadline.saturating_sub(work.host.now()) / PARTS, work),
            None => vec![None; actions.len()],
        };
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

    /// What is known of the actions of a position that was not solved, from a look at each: all of them, or none where nothing is
    /// known of any.
    fn known_actions(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        time: Duration,
        work: &Work<'_>,
    ) -> Vec<ExaminedAction> {
        let found = self.look(state, seat, actions, time, work);
        if found.iter().all(Option::is_none) {
            return Vec::new();
        }
        let or_unknown =
            |(found, &action): (Option<_>, _)| found.unwrap_or_else(|| self.not_found(state, seat, action));
        found.into_iter().zip(actions).map(or_unknown).collect()
    }

    /// What is found out about actions when each has the same part of so much time.
    fn look(
        &self,
        state: &PathState<G>,
        seat: Seat,
        actions: &[G::Action],
        time: Duration,
        work: &Work<'_>,
    ) -> Vec<Option<ExaminedAction>> {
        const LEAST: Duration = Duration::from_millis(1);
        let (start, total) = (work.host.now(), actions.len() as u64);
        let share = (time / actions.len().max(1) as u32).max(LEAST);
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
        actions.iter().enumerate().map(look).collect()
    }

    fn not_found(&self, state: &PathState<G>, seat: Seat, action: G::Action) -> ExaminedAction {
        let action = self.game.action_text(state, seat, action);
        ExaminedAction { action, exact: Err(Unsolved::OutOfTime), holds: false }
    }

    fn ends(&self, state: &PathState<G>, seat: Seat, action: G::Action) -> bool {
        let mut next = state.position().clone();
        self.game.game().apply(&mut next, seat, action);
        self.game.game().phase(&next) == Phase::Over
    }

    fn action(&self, state: &PathState<G>, seat: Seat, action: G::Action, work: &Work<'_>) -> ExaminedAction {
        let mut next = state.clone();
        self.game.apply(&mut next, seat, action);
        let OnPath { mut exact, mut holds, .. } = self.on_path(&next, work);
        if let Some(known) = self.solve_action(state.position(), seat, action, work) {
            holds = known.as_ref().is_ok_and(|known| self.holds(&next, known));
            exact = known;
        }
        if let Ok(Exact { score: Some(score), .. }) = &mut exact
            && self.view_of_score(&next) != seat
        {
            *score = -*score;
        }
        ExaminedAction { action: self.game.action_text(state, seat, action), exact, holds }
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
        if let (Err(_), Some(seat)) = (&exact, prover)
            && let Some(proven) = self.by_proof(current, seat, &within(for_position))
        {
            return proven;
        }
        let actions = match (seat, &exact) {
            (Some(seat), Ok(exact)) if self.is_lost(seat, exact) => {
                self.lost_actions(&state, seat, &current.legal_actions(seat), exact, work)
            }
            (Some(seat), Ok(_)) => self.actions(&state, seat, &current.legal_actions(seat), work),
            (Some(seat), Err(_)) if work.deadline.is_some() => {
                self.known_actions(&state, seat, &current.legal_actions(seat), for_actions, work)
            }
            _ => Vec::new(),
        };
        Examined { seat, exact, holds, method, actions }
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

/// Whether the game with these parameters is solved: a solver was made for it, or it is so small that all of it is searched
/// in a moment.
///
/// # Errors
/// A sentence that says why not.
pub fn is_solved(game: &dyn AnyGame) -> Result<(), String> {
    static VERDICTS: Mutex<Option<HashMap<String, Result<(), String>>>> = Mutex::new(None);
    if let Some(verdict) = lock(&VERDICTS).get_or_insert_default().get(game.spec()) {
        return verdict.clone();
    }
    let verdict = raichi_games::visit_game(game, Solves);
    let mut verdicts = lock(&VERDICTS);
    let verdicts = verdicts.get_or_insert_default();
    // Strangers may ask for any number of parameters.
    if verdicts.len() >= 1000 {
        verdicts.clear();
    }
    verdicts.insert(game.spec().into(), verdict.clone());
    verdict
}

/// Games like `game`, with one parameter changed, that are solved: the largest of them by that parameter, six at most.
pub(crate) fn solved_instead(game: &dyn AnyGame) -> Vec<String> {
    /// Solved games that differ in more than one parameter, or in a list.
    const OTHERS: &[(&str, &[&str])] = &[("al-jabar", &["al-jabar:group=2/2,copies=4", "al-jabar:group=2/2,copies=5"])];
    if let Some((_, others)) = OTHERS.iter().find(|(id, _)| *id == game.id()) {
        return others.iter().map(ToString::to_string).collect();
    }
    let Ok(entry) = raichi_games::entry(game.id()) else { return Vec::new() };
    let (mut found, mut n_tried) = (Vec::new(), 0);
    for param in (entry.params)().iter().filter(|param| param.name != "max-plies") {
        let values: Vec<String> = match &param.kind {
            ParamKind::Int { min, max, step } => {
                (0..).map(|i| min + i * step).take_while(|n| n <= max).take(8).map(|n| n.to_string()).collect()
            }
            ParamKind::Choice { options } => options.iter().map(ToString::to_string).collect(),
            ParamKind::Bool => vec!["false".into(), "true".into()],
            ParamKind::List { .. } => Vec::new(),
        };
        for value in values {
            let Ok(other) = raichi_games::game(&format!("{}:{}={value}", game.id(), param.name)) else { continue };
            n_tried += 1;
            if found.len() < 6 && n_tried <= 8 && !found.contains(&other.spec().to_string()) {
                match raichi_games::visit_game(&*other, Solves) {
                    Ok(()) => found.push(other.spec().to_string()),
                    // Larger ones are not smaller.
                    Err(_) if matches!(param.kind, ParamKind::Int { .. }) => break,
                    Err(_) => {}
                }
            }
        }
    }
    found
}

/// Whether a game is solved; see [`is_solved`].
struct Solves;

impl GameVisitor for Solves {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        if raichi_engines::solver(game.game()).is_some() {
            return Ok(());
        }
        let solver = generic(game.game()).map_err(|why| format!("{why}, and nobody has made a solver for it"))?;
        let too_large = || {
            Err::<(), String>("nobody has made a solver for it, and it is too large to be searched to its ends".into())
        };
        if is_wide(game) {
            return too_large();
        }
        // By a clock that goes by what is asked of it, so that the verdict is the same on every machine.
        let clock = AskedClock::default();
        let cancel = CancelFlag::default();
        let work = Work {
            deadline: Some(Duration::from_millis(most_asked(solver.method()))),
            cancel: &cancel,
            host: &clock,
            n_threads: 1,
            memory: 64 << 20,
            folder: None,
            progress: &|_| (),
        };
        match solver.solve(&game.game().initial_state(), &work) {
            Ok(_) => Ok(()),
            Err(Unsolved::Unknown(why)) => Err(format!("{why}, and nobody has made a solver for it")),
            Err(_) => too_large(),
        }
    }
}

/// Whether a single random game offers more actions than a search may see positions that looks at the clock so few times as
/// [`most_asked`]. Where a position has thousands of actions, such a search takes many seconds.
fn is_wide<G: Playable>(game: &PathGame<G>) -> bool {
    const MOST_OFFERED: usize = 4096;
    let mut rng: FastRng = stream(0, "width", 0);
    let (mut state, mut actions, mut n_offered) = (game.initial_state(), Vec::new(), 0);
    loop {
        match game.phase(&state) {
            Phase::Over => return false,
            Phase::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng);
                game.apply_outcome(&mut state, outcome);
            }
            Phase::Act(seats) => {
                actions.clear();
                game.legal_actions(&state, seats.first(), &mut actions);
                n_offered += actions.len();
                if n_offered > MOST_OFFERED {
                    return true;
                }
                let action = actions[index(&mut rng, actions.len())];
                game.apply(&mut state, seats.first(), action);
            }
        }
    }
}

/// How often a solver may look at the clock in a game that is small; a search does so about every 256 positions, what works
/// on all positions every thousand or more.
fn most_asked(method: Method) -> u64 {
    if method == Method::Search { 16 } else { 4 }
}

/// A clock that goes on by a millisecond whenever it is asked.
#[derive(Default)]
struct AskedClock(AtomicU64);

impl Host for AskedClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

/// What seats get, for JSON and people: without what rounding left behind.
pub fn rounded(values: &Payoffs) -> Payoffs {
    Payoffs::new(values.as_slice().iter().copied().map(rounded_number))
}

/// A number, for JSON and people, likewise.
pub fn rounded_number(number: f64) -> f64 {
    let short = (number * 1e9).round() / 1e9 + 0.0;
    if (number - short).abs() < 1e-12 { short } else { number }
}
