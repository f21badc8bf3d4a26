//! What depends on how a position was reached: repetition, plies without progress, the cap.
//!
//! A game whose rules look at the path declares it: its memory of the path ([`Game::PathMemory`]) is [`Repetitions`], and
//! it implements [`PathRules`]. All others have [`NoMemory`], which takes no room and no time. [`PathGame`] keeps the
//! rules, the same way for every game, and adds `max-plies`. Play, search and traces go through it. Solvers and tables
//! work on the positions of the game inside and treat cycles openly.
//!
//! [`PathGame`] dereferences to the game and [`PathState`] to the position. Only what the path can change (who acts,
//! applying a choice, payoffs, end reasons) has a method here; all other methods are the game's own, so there is nothing
//! to forward and nothing to forget. Passing a `PathState` where the game wants a position works by
//! dereferencing; the reverse does not compile.

use std::fmt::{self, Debug};
use std::ops::Deref;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::game::{Choice, Facts, Game, Payoffs, Phase};
use crate::information::Information;
use crate::random::{self, Rng};
use crate::seat::Seat;

/// The rules of a game about the path to a position.
pub trait PathRules: Game<PathMemory = Repetitions> {
    /// How often and how long.
    fn path_limits(&self) -> PathLimits;

    /// What counts as the same position for the repetition rule, the seat to act included.
    #[inline]
    fn repetition_key(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// How often at most a seat comes to positions of one repetition key while it forces a payoff by always choosing what is nearest
    /// the end: once where such positions are alike in all that matters to play, more often where one of them may have a legal
    /// action that another has not.
    #[inline]
    fn visits_in_proofs(&self) -> u8 {
        1
    }

    /// A number that changes whenever a ply makes it impossible for any earlier position to come again, and only then
    /// needs to: the men on the board, the stones in the stocks. Equal positions have equal stages.
    fn stage(&self, state: &Self::State) -> u64;

    /// Whether `action` in `state` (the state before) counts towards the rule of plies without progress.
    #[inline]
    fn is_quiet(&self, _state: &Self::State, _seat: Seat, _action: Self::Action) -> bool {
        false
    }

    /// What each seat gets when a rule of the path ends the game in `state`.
    #[inline]
    fn payoffs_by_path(&self, state: &Self::State, _end: PathEnd) -> Payoffs {
        self.payoffs(state)
    }
}

/// When rules of the path end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathLimits {
    /// The game ends when the same position ([`PathRules::repetition_key`]) occurs for this time; the first one counts.
    pub occurrences: u8,
    /// The game ends after this many quiet plies ([`PathRules::is_quiet`]) in a row.
    pub quiet_plies: Option<u32>,
}

impl PathLimits {
    /// The third occurrence of a position ends the game.
    pub const THIRD_OCCURRENCE: PathLimits = PathLimits { occurrences: 3, quiet_plies: None };
}

/// Which rule of the path ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathEnd {
    /// The position occurred too often.
    Repetition,
    /// Too many quiet plies in a row.
    NoProgress,
    /// `max-plies` was reached.
    Cap,
}

impl PathEnd {
    /// The contract's name of the reason.
    pub const fn reason(self) -> &'static str {
        match self {
            PathEnd::Repetition => "repetition",
            PathEnd::NoProgress => "no-progress",
            PathEnd::Cap => "cap",
        }
    }
}

/// What is remembered of the path in games of the type `G`.
pub trait PathMemory<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// Whether the path can end a game.
    const DECIDES: bool;

    /// What there is to remember when play begins in `position`.
    fn start(game: &G, position: &G::State) -> Self;

    /// An action is about to be applied to `position`.
    fn before_action(&mut self, game: &G, position: &G::State, seat: Seat, action: G::Action);

    /// An action has been applied and led to `position`.
    fn after_action(&mut self, game: &G, position: &G::State);

    /// Which rule ends the game here.
    fn end(&self, game: &G) -> Option<PathEnd>;

    /// The rules of the path that can end the game, the cap apart.
    fn ends(game: &G) -> ArrayVec<PathEnd, 2>;

    /// What each seat gets when `end`, which is no cap, ends the game in `position`.
    fn payoffs(game: &G, position: &G::State, end: PathEnd) -> Payoffs;

    /// How often the position has occurred, this time included; 1 where that is not counted.
    fn occurrences(&self) -> u8;

    /// Quiet plies in a row up to now; 0 where they are not counted.
    fn n_quiet(&self) -> u32;

    /// A key of all that is remembered and may still decide: equal memories have equal keys, in whatever order the
    /// positions occurred, and different ones, in all likelihood, different keys.
    fn key(&self) -> u64;

    /// See [`PathGame::proofs_hold`]; the cap is not looked at here.
    fn proofs_hold(&self, game: &G, n_plies: u32) -> bool;

    /// See [`PathGame::estimates_hold`]; the cap is not looked at here.
    fn estimates_hold(&self, game: &G, n_plies: u32) -> bool;
}

/// The memory of games whose rules do not look at the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory;

impl<G: Game> PathMemory<G> for NoMemory {
    const DECIDES: bool = false;

    #[inline]
    fn start(_game: &G, _position: &G::State) -> Self {
        NoMemory
    }
    #[inline]
    fn before_action(&mut self, _game: &G, _position: &G::State, _seat: Seat, _action: G::Action) {}
    #[inline]
    fn after_action(&mut self, _game: &G, _position: &G::State) {}
    #[inline]
    fn end(&self, _game: &G) -> Option<PathEnd> {
        None
    }
    fn ends(_game: &G) -> ArrayVec<PathEnd, 2> {
        ArrayVec::new()
    }
    fn payoffs(game: &G, position: &G::State, _end: PathEnd) -> Payoffs {
        game.payoffs(position)
    }
    fn occurrences(&self) -> u8 {
        1
    }
    fn n_quiet(&self) -> u32 {
        0
    }
    #[inline]
    fn key(&self) -> u64 {
        0
    }
    #[inline]
    fn proofs_hold(&self, _game: &G, _n_plies: u32) -> bool {
        true
    }
    #[inline]
    fn estimates_hold(&self, _game: &G, _n_plies: u32) -> bool {
        true
    }
}

/// The memory of games with [`PathRules`].
#[derive(Debug)]
pub struct Repetitions {
    /// The repetition keys of the positions since the stage changed, without the present one: the first of them here,
    /// where they are copied with the state and without an allocation.
    first: ArrayVec<u64, 8>,
    /// The others.
    more: Vec<u64>,
    /// [`PathRules::repetition_key`] of the present position.
    key: u64,
    /// [`PathRules::stage`] of the present position.
    stage: u64,
    n_quiet: u32,
    occurrences: u8,
    /// The most that any position has occurred since the stage changed.
    most_occurrences: u8,
}

impl Clone for Repetitions {
    #[inline]
    fn clone(&self) -> Self {
        Repetitions { first: self.first.clone(), more: self.more.clone(), ..*self }
    }

    // Keeps the buffer.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.first.clone_from(&source.first);
        self.more.clone_from(&source.more);
        (self.key, self.stage) = (source.key, source.stage);
        (self.n_quiet, self.occurrences) = (source.n_quiet, source.occurrences);
        self.most_occurrences = source.most_occurrences;
    }
}

impl Repetitions {
    #[inline]
    fn remember(&mut self, key: u64) {
        if self.first.try_push(key).is_err() {
            self.more.push(key);
        }
    }

    #[inline]
    fn forget(&mut self) {
        self.first.clear();
        self.more.clear();
    }

    /// Whether so many plies more cannot end the game for lack of progress.
    #[inline]
    fn progresses<G: PathRules>(&self, game: &G, n_plies: u32) -> bool {
        game.path_limits().quiet_plies.is_none_or(|most| self.n_quiet.saturating_add(n_plies) <= most)
    }

    /// How often a key is remembered.
    #[inline]
    fn count(&self, key: u64) -> usize {
        let alike = |keys: &[u64]| keys.iter().filter(|&&earlier| earlier == key).count();
        alike(&self.first) + if self.more.is_empty() { 0 } else { alike(&self.more) }
    }
}

impl<G: PathRules> PathMemory<G> for Repetitions {
    const DECIDES: bool = true;

    fn start(game: &G, position: &G::State) -> Self {
        let (key, stage) = (game.repetition_key(position), game.stage(position));
        let (first, more) = (ArrayVec::new(), Vec::new());
        Repetitions { first, more, key, stage, n_quiet: 0, occurrences: 1, most_occurrences: 1 }
    }

    #[inline]
    fn before_action(&mut self, game: &G, position: &G::State, seat: Seat, action: G::Action) {
        if game.path_limits().quiet_plies.is_some() {
            self.n_quiet = if game.is_quiet(position, seat, action) { self.n_quiet + 1 } else { 0 };
        }
    }

    #[inline]
    fn after_action(&mut self, game: &G, position: &G::State) {
        let (key, stage) = (game.repetition_key(position), game.stage(position));
        let before = std::mem::replace(&mut self.key, key);
        if stage != self.stage {
            // Nothing before this can come again.
            self.stage = stage;
            self.forget();
            (self.occurrences, self.most_occurrences) = (1, 1);
            return;
        }
        self.remember(before);
        self.occurrences = 1 + self.count(key).min(254) as u8;
        self.most_occurrences = self.most_occurrences.max(self.occurrences);
    }

    // In the contract's order.
    #[inline]
    fn end(&self, game: &G) -> Option<PathEnd> {
        let limits = game.path_limits();
        if self.occurrences >= limits.occurrences {
            Some(PathEnd::Repetition)
        } else if limits.quiet_plies.is_some_and(|most| self.n_quiet >= most) {
            Some(PathEnd::NoProgress)
        } else {
            None
        }
    }

    fn ends(game: &G) -> ArrayVec<PathEnd, 2> {
        let no_progress = game.path_limits().quiet_plies.map(|_| PathEnd::NoProgress);
        std::iter::once(PathEnd::Repetition).chain(no_progress).collect()
    }

    fn payoffs(game: &G, position: &G::State, end: PathEnd) -> Payoffs {
        game.payoffs_by_path(position, end)
    }

    fn occurrences(&self) -> u8 {
        self.occurrences
    }

    fn n_quiet(&self) -> u32 {
        self.n_quiet
    }

    fn key(&self) -> u64 {
        let keys = self.first.iter().chain(&self.more);
        keys.fold(u64::from(self.n_quiet), |sum, &key| sum.wrapping_add(random::mix(key)))
    }

    #[inline]
    fn proofs_hold(&self, game: &G, n_plies: u32) -> bool {
        // From another position to one, back to it, and to the end takes four plies at least.
        let n_visits = if n_plies < 4 { 1 } else { game.visits_in_proofs() };
        // The present occurrence is itself the first visit.
        let of_earlier = if self.first.is_empty() { 0 } else { self.most_occurrences };
        let most = (of_earlier + n_visits).max(self.occurrences + n_visits - 1);
        self.progresses(game, n_plies) && most < game.path_limits().occurrences
    }

    #[inline]
    fn estimates_hold(&self, game: &G, n_plies: u32) -> bool {
        self.progresses(game, n_plies) && self.most_occurrences + 1 < game.path_limits().occurrences
    }
}

/// A game with its path rules kept and its length capped.
#[derive(Clone, Debug)]
pub struct PathGame<G> {
    game: G,
    max_plies: u32,
    spec: Arc<str>,
}

impl<G: Information> From<G> for PathGame<G> {
    /// The game without a cap.
    fn from(game: G) -> Self {
        PathGame::new(game, 0)
    }
}

impl<G> Deref for PathGame<G> {
    type Target = G;

    #[inline]
    fn deref(&self) -> &G {
        &self.game
    }
}

/// A position and what is remembered of the way to it.
pub struct PathState<G: Game> {
    position: G::State,
    n_plies: u32,
    memory: G::PathMemory,
}

impl<G: Game> Deref for PathState<G> {
    type Target = G::State;

    #[inline]
    fn deref(&self) -> &G::State {
        &self.position
    }
}

// Derived, it would ask for G: Clone, and `clone_from` would not keep buffers.
impl<G: Game> Clone for PathState<G> {
    #[inline]
    fn clone(&self) -> Self {
        PathState { position: self.position.clone(), n_plies: self.n_plies, memory: self.memory.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.position.clone_from(&source.position);
        self.n_plies = source.n_plies;
        self.memory.clone_from(&source.memory);
    }
}

impl<G: Game> Debug for PathState<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PathState")
            .field("position", &self.position)
            .field("n_plies", &self.n_plies)
            .field("memory", &self.memory)
            .finish()
    }
}

impl<G: Game> PathState<G> {
    /// The position.
    #[inline]
    pub fn position(&self) -> &G::State {
        &self.position
    }

    /// Plies since play began.
    #[inline]
    pub fn n_plies(&self) -> u32 {
        self.n_plies
    }

    /// How often the position has occurred, this time included; 1 where the game has no repetition rule.
    pub fn occurrences(&self) -> u8 {
        self.memory.occurrences()
    }

    /// Quiet plies in a row up to now; 0 where the game has no such rule.
    pub fn n_quiet(&self) -> u32 {
        self.memory.n_quiet()
    }
}

impl<G: Information> PathGame<G> {
    /// `game` with a cap on its plies; 0 is no cap.
    pub fn new(game: G, max_plies: u32) -> Self {
        PathGame { game, max_plies: if max_plies == 0 { u32::MAX } else { max_plies }, spec: "".into() }
    }

    /// The same game under its canonical spec.
    #[must_use]
    pub fn named(self, spec: &str) -> Self {
        PathGame { spec: spec.into(), ..self }
    }

    /// The canonical spec; empty where the game was not made from one.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The game inside.
    #[inline]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The most plies a game lasts; `None` without a cap.
    pub fn max_plies(&self) -> Option<u32> {
        (self.max_plies != u32::MAX).then_some(self.max_plies)
    }

    /// The game's facts, and whether its outcome depends on the path.
    pub fn facts(&self) -> Facts {
        Facts { path_dependent: G::PathMemory::DECIDES || self.max_plies().is_some(), ..self.game.facts() }
    }

    /// The position before the first ply.
    pub fn initial_state(&self) -> PathState<G> {
        self.state_at(self.game.initial_state())
    }

    /// A position that play begins with, nothing before it.
    pub fn state_at(&self, position: G::State) -> PathState<G> {
        PathState { memory: G::PathMemory::start(&self.game, &position), position, n_plies: 0 }
    }

    /// The same path to another position: one that a seat cannot tell from the true one.
    pub fn with_position(&self, state: &PathState<G>, position: G::State) -> PathState<G> {
        PathState { position, n_plies: state.n_plies, memory: state.memory.clone() }
    }

    /// A key of what the path can still change, for tables of results that depend on it: where positions and path keys are
    /// equal, play goes on in the same way. 0 in games without path rules and cap.
    pub fn path_key(&self, state: &PathState<G>) -> u64 {
        let plies = if self.max_plies == u32::MAX { 0 } else { random::mix(u64::from(state.n_plies)) };
        state.memory.key() ^ plies
    }

    /// Which rule of the path has ended the game; `None` where none has, or the game itself is over.
    #[inline]
    pub fn path_end(&self, state: &PathState<G>) -> Option<PathEnd> {
        let end = self.end_by_path(state)?;
        (self.game.phase(&state.position) != Phase::Over).then_some(end)
    }

    // In the contract's order, the cap last.
    #[inline]
    fn end_by_path(&self, state: &PathState<G>) -> Option<PathEnd> {
        let capped = || (state.n_plies >= self.max_plies).then_some(PathEnd::Cap);
        state.memory.end(&self.game).or_else(capped)
    }

    /// Who acts now.
    #[inline]
    pub fn phase(&self, state: &PathState<G>) -> Phase {
        if self.end_by_path(state).is_some() { Phase::Over } else { self.game.phase(&state.position) }
    }

    /// Carries out a legal action; see [`Game::apply`].
    #[inline]
    pub fn apply(&self, state: &mut PathState<G>, seat: Seat, action: G::Action) {
        state.memory.before_action(&self.game, &state.position, seat, action);
        self.game.apply(&mut state.position, seat, action);
        state.memory.after_action(&self.game, &state.position);
        state.n_plies += 1;
    }

    /// Carries out an outcome of positive weight; see [`Game::apply_outcome`]. What happens by chance is no quiet ply
    /// and no position to be repeated.
    #[inline]
    pub fn apply_outcome(&self, state: &mut PathState<G>, outcome: G::Outcome) {
        self.game.apply_outcome(&mut state.position, outcome);
        state.n_plies += 1;
    }

    /// Carries out a choice.
    #[inline]
    pub fn play(&self, state: &mut PathState<G>, choice: Choice<G>) {
        match choice {
            Choice::Action(seat, action) => self.apply(state, seat, action),
            Choice::Outcome(outcome) => self.apply_outcome(state, outcome),
        }
    }

    /// What each seat gets if play ends here; see [`Game::payoffs`] and [`PathRules::payoffs_by_path`].
    #[inline]
    pub fn payoffs(&self, state: &PathState<G>) -> Payoffs {
        match self.path_end(state) {
            Some(end) if G::PathMemory::DECIDES => G::PathMemory::payoffs(&self.game, &state.position, end),
            _ => self.game.payoffs(&state.position),
        }
    }

    /// Whether what was proven of the position of `state` on another path holds on this one: that a seat can force a payoff
    /// within `n_plies` plies, no rule of the path ending the game on the way.
    ///
    /// Who can force it at all can do so without coming to a position twice: by always choosing what is nearest the end.
    /// So a position that has occurred less often than `occurrences - 1` times cannot end the game by repetition, and the
    /// other rules cannot in so few plies. Where positions that differ count as the same one, it may take more visits
    /// ([`PathRules::visits_in_proofs`]).
    #[inline]
    pub fn proofs_hold(&self, state: &PathState<G>, n_plies: u32) -> bool {
        state.n_plies.saturating_add(n_plies) <= self.max_plies && state.memory.proofs_hold(&self.game, n_plies)
    }

    /// As [`PathGame::proofs_hold`], for estimates of a search to the depth `n_plies`, of which so much is not asked: each position
    /// is taken to come once more at most.
    #[inline]
    pub fn estimates_hold(&self, state: &PathState<G>, n_plies: u32) -> bool {
        state.n_plies.saturating_add(n_plies) <= self.max_plies && state.memory.estimates_hold(&self.game, n_plies)
    }

    /// Why the game is over; asked only when it is.
    pub fn end_reason(&self, state: &PathState<G>) -> &'static str {
        self.path_end(state).map_or_else(|| self.game.end_reason(&state.position), PathEnd::reason)
    }

    /// A full state drawn uniformly from those consistent with all that `seat` knows; see [`Information::determinize`].
    #[inline]
    pub fn determinize<R: Rng + ?Sized>(&self, state: &PathState<G>, seat: Seat, rng: &mut R) -> PathState<G> {
        self.with_position(state, self.game.determinize(&state.position, seat, rng))
    }
}
