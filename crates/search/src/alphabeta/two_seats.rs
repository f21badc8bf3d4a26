//! Alpha-beta for two seats whose payoffs have a constant sum, where nothing is hidden and nothing left to chance.
//!
//! Knuth and Moore, *An analysis of alpha-beta pruning* (1975); principal variation search after Marsland and Campbell,
//! *Parallel search of strongly ordered game trees* (1982).
//!
//! **Scores** are integers: [`UNIT`] is the greatest payoff, −[`UNIT`] the least, the middle of the range is 0. Beyond them
//! are [`WIN`] and its negative, less the plies it takes, so that a win is taken soon and a loss late; estimates and
//! payoffs in between are never beyond. So a score beyond [`UNIT`] is a proven win.
//!
//! **Heights.** Every result knows whether it rests on estimates ([`OPEN`]) and, where it does not, how many plies on the
//! farthest end of its proof lies. A proven bound needs no depth: it cuts wherever it holds.
//!
//! **Paths.** A result in which a rule of the path ended a line (a third occurrence, the cap) holds on this path only; of
//! it the table keeps the action and no bound. What was found on another path cuts only where
//! [`PathGame::proofs_hold`]. So what is said to be proven is, whatever the path. Estimates of positions from which one that
//! came before can come again for the third time within the depth may differ from those of plain minimax.

use std::cmp::Reverse;

use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Phase};
use raichi_core::order::sort_by_keys;
use raichi_core::path::{PathGame, PathState};
use raichi_core::seat::Seat;

use super::ordering::{Ordering, Rank, Turn};
use super::table::{Bound, Entry, HIGH, OPEN, Table};
use crate::clock::Clock;
use crate::evaluator::Evaluator;

/// The score of the greatest payoff, if it were paid at the root.
const WIN: i32 = 1_010_000;
/// The greatest score that is no win.
const UNIT: i32 = 1_000_000;
/// Beyond all scores.
const INFINITE: i32 = 1_100_000;
/// How many forcing actions in a row are looked at where the depth is used up.
const MOST_FORCED: u32 = 24;
/// One ply above the leaves the table is left alone where there are so few actions.
const FEW_ACTIONS: usize = 24;
/// So many actions are sorted one and two plies above the leaves.
const FEW_SORTED: usize = 6;
/// Priors are asked for at this depth and above.
const PRIOR_DEPTH: u32 = 3;
/// The first aspiration window reaches so far to both sides.
const ASPIRATION: i32 = 25_000;

/// From payoffs to scores and back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    middle: f64,
    /// Score a unit of payoff.
    factor: f64,
}

impl Scale {
    /// `None` where the facts do not bound the payoffs.
    pub(super) fn of(facts: &Facts) -> Option<Scale> {
        let (low, high) = facts.payoff_range?;
        let half = (high - low) / 2.0;
        let factor = if half > 0.0 { f64::from(UNIT) / half } else { 0.0 };
        Some(Scale { low, high, middle: (low + high) / 2.0, factor })
    }

    #[inline]
    fn of_payoff(&self, payoff: f64, ply: usize) -> i32 {
        if self.factor == 0.0 {
            0
        } else if payoff >= self.high {
            WIN - ply as i32
        } else if payoff <= self.low {
            ply as i32 - WIN
        } else {
            ((payoff - self.middle) * self.factor).round() as i32
        }
    }

    #[inline]
    fn of_estimate(&self, estimate: f32) -> i32 {
        let score = ((estimate - self.middle as f32) * self.factor as f32) as i32;
        score.clamp(1 - UNIT, UNIT - 1)
    }

    pub(super) fn payoff(&self, score: i32) -> f64 {
        match score {
            _ if self.factor == 0.0 => self.middle,
            UNIT.. => self.high,
            _ if score <= -UNIT => self.low,
            _ => self.middle + f64::from(score) / self.factor,
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
struct Value {
    score: i32,
    /// How many plies on the farthest end of the proof lies, or [`OPEN`].
    height: u8,
    /// Whether a rule of the path ended a line.
    by_path: bool,
}

impl Value {
    const fn open(score: i32) -> Value {
        Value { score, height: OPEN, by_path: false }
    }

    const fn proven(score: i32) -> Value {
        Value { score, height: 0, by_path: false }
    }
}

/// The height one ply above.
#[inline]
const fn above(height: u8) -> u8 {
    if height < HIGH { height + 1 } else { height }
}

/// An action of the root.
#[derive(Clone, Debug)]
pub(super) struct RootAction<A> {
    pub(super) action: A,
    pub(super) score: i32,
    /// Whether the value is at most the score, and not known better.
    pub(super) at_most: bool,
    /// Whether it is at least the score, and not known better: the search was broken off above its window.
    pub(super) at_least: bool,
    pub(super) proven: bool,
    /// How deep it was searched; 0 where it was not.
    pub(super) depth: u32,
    /// The line of play expected, this action first.
    pub(super) line: Vec<A>,
}

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Methods {
    /// Whether the values of all actions of the root are asked for.
    pub(super) whole: bool,
    /// Whether actions far down the order are first searched less deep.
    pub(super) reductions: bool,
}

/// One thread's search.
pub(super) struct Search<'a, G: Playable> {
    game: &'a PathGame<G>,
    evaluator: Option<&'a dyn Evaluator<G>>,
    scale: Scale,
    methods: Methods,
    table: &'a Table,
    ordering: &'a mut Ordering<G>,
    clock: Clock<'a>,
    seat: Seat,
    pub(super) root: Vec<RootAction<G::Action>>,
    /// The depth that was completed.
    pub(super) completed: u32,
    /// What was found out about the root's actions when it was.
    at_completed: Vec<RootAction<G::Action>>,
    /// How many of the root's actions, from the first on, have been compared at the depth that is going on.
    n_compared: usize,
    /// One a ply, the root first.
    states: Vec<PathState<G>>,
    /// What was played at each ply.
    played: Vec<Option<G::Action>>,
    /// The actions of all plies, one list after the other, and their ranks.
    actions: Vec<G::Action>,
    ranks: Vec<Rank>,
    log_odds: Vec<f32>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Action>>,
    /// Whether the last position one ply above the leaves had so many actions that the table was read; then the next one
    /// has, presumably.
    had_many: bool,
    stopped: bool,
}

impl<'a, G: Playable> Search<'a, G> {
    #[expect(clippy::too_many_arguments, reason = "a search has one maker")]
    pub(super) fn new(
        game: &'a PathGame<G>,
        evaluator: Option<&'a dyn Evaluator<G>>,
        scale: Scale,
        methods: Methods,
        table: &'a Table,
        ordering: &'a mut Ordering<G>,
        clock: Clock<'a>,
        state: PathState<G>,
        seat: Seat,
        actions: &[G::Action],
    ) -> Self {
        let unknown = |&action: &G::Action| RootAction {
            action,
            score: 0,
            at_most: true,
            at_least: false,
            proven: false,
            depth: 0,
            line: vec![action],
        };
        Search {
            game,
            evaluator,
            scale,
            methods,
            table,
            ordering,
            clock,
            seat,
            root: actions.iter().map(unknown).collect(),
            completed: 0,
            at_completed: Vec::new(),
            n_compared: 0,
            states: vec![state],
            played: vec![None],
            actions: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(1024),
            log_odds: Vec::new(),
            lines: vec![Vec::new(); 2],
            had_many: false,
            stopped: false,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.clock.simulations()
    }

    /// Searches deeper and deeper, until `last`, a proof or the end of the budget.
    pub(super) fn deepen(&mut self, first: u32, last: u32) {
        for depth in first..=last {
            self.n_compared = 0;
            if self.methods.whole {
                self.search_root(depth, -INFINITE, INFINITE);
            } else {
                self.aspire(depth);
            }
            if self.stopped {
                return;
            }
            self.completed = depth;
            self.at_completed.clone_from(&self.root);
            if self.is_proven() {
                return;
            }
        }
    }

    /// What was found out about the root's actions, the best first.
    ///
    /// Of a depth that was broken off nothing is told, unless it showed that another action is the best: then that one, and
    /// those that it was compared with there, have their values of that depth, and all others those of the depth before.
    pub(super) fn findings(&self) -> Vec<RootAction<G::Action>> {
        let Some(best_before) = self.at_completed.first() else { return self.first_findings() };
        if !self.stopped || self.is_proven() {
            return self.root.clone();
        }
        if self.n_compared == 0 || self.root[0].action == best_before.action {
            return self.at_completed.clone();
        }
        let (compared, others) = self.root.split_at(self.n_compared);
        let mut findings = compared.to_vec();
        for other in others {
            let before = self.at_completed.iter().find(|found| found.action == other.action);
            findings.push(before.expect("every depth is about the same actions").clone());
        }
        findings
    }

    /// What was found out where not all actions were looked at: those that lose come last, also after those of which nothing is known.
    fn first_findings(&self) -> Vec<RootAction<G::Action>> {
        let mut findings = self.root.clone();
        findings.sort_by_key(|found| found.depth > 0 && found.proven && found.score < -UNIT);
        findings
    }

    /// Whether no action can be better than the first: a win needs no proof of the others.
    pub(super) fn is_proven(&self) -> bool {
        let best = &self.root[0];
        let known = best.depth > 0 && best.proven && !best.at_most;
        known && (best.score > UNIT || self.root.iter().all(|action| action.proven))
    }

    /// One depth, in a window around the value of the last one, which is opened where it falls outside.
    fn aspire(&mut self, depth: u32) {
        let expected = self.root[0].score;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth > 3 && expected.abs() < UNIT {
            (alpha, beta) = (expected - ASPIRATION, expected + ASPIRATION);
        }
        loop {
            let score = self.search_root(depth, alpha, beta);
            if self.stopped {
                return;
            }
            if score <= alpha && alpha > -INFINITE {
                alpha = -INFINITE;
                // All are worse than expected, and none is known to be better than another.
                self.n_compared = 0;
            } else if score >= beta && beta < INFINITE {
                beta = INFINITE;
            } else {
                return;
            }
        }
    }

    /// One depth at the root. An action that is better than all before it comes first.
    fn search_root(&mut self, depth: u32, alpha: i32, beta: i32) -> i32 {
        let (mut best, mut lower) = (-INFINITE, alpha);
        for i in 0..self.root.len() {
            let action = self.root[i].action;
            let Some(to_act) = self.enter(0, self.seat, action) else { return best };
            let (value, at_most) = if self.methods.whole {
                (self.below(0, depth, self.seat, to_act, -INFINITE, INFINITE), false)
            } else {
                let value = self.in_window(0, depth, depth, self.seat, to_act, lower, beta, i == 0);
                (value, value.score <= lower)
            };
            if self.stopped {
                return best;
            }
            let found = &mut self.root[i];
            // Above a window that is not all there is only a win is known for what it is.
            let within = value.score < beta || beta == INFINITE || value.score > UNIT;
            let proven = value.height != OPEN && within;
            (found.score, found.at_most, found.at_least) = (value.score, at_most, !within);
            (found.proven, found.depth) = (proven, depth);
            if value.score > best {
                best = value.score;
                // Above the window nothing is known but that it is better.
                if value.score > lower || self.methods.whole {
                    found.line.truncate(1);
                    found.line.extend_from_slice(&self.lines[1]);
                    self.root[..=i].rotate_right(1);
                }
            }
            lower = lower.max(value.score);
            self.n_compared = self.n_compared.max(i + 1);
            if !self.methods.whole && value.score >= beta {
                break;
            }
        }
        if self.methods.whole {
            sort_by_keys(&mut self.root, |action| Reverse(action.score));
        }
        best
    }

    /// Plays `action` at `ply`; returns who acts then, the same seat where play is over. `None` where the budget is spent.
    #[inline]
    fn enter(&mut self, ply: usize, seat: Seat, action: G::Action) -> Option<Option<Seat>> {
        if !self.clock.allows_another() {
            self.stopped = true;
            return None;
        }
        if self.states.len() == ply + 1 {
            self.states.push(self.states[ply].clone());
            self.played.push(None);
            self.lines.push(Vec::new());
        } else {
            let (before, after) = self.states.split_at_mut(ply + 1);
            after[0].clone_from(&before[ply]);
        }
        let next = &mut self.states[ply + 1];
        self.game.apply(next, seat, action);
        self.played[ply + 1] = Some(action);
        match self.game.phase(next) {
            Phase::Act(seats) => Some(Some(seats.first())),
            Phase::Over | Phase::Chance => Some(None),
        }
    }

    /// The value for `seat` of the position after `ply`, where `to_act` acts, `depth` plies deep counted from `ply`.
    #[inline]
    fn below(&mut self, ply: usize, depth: u32, seat: Seat, to_act: Option<Seat>, alpha: i32, beta: i32) -> Value {
        let next = ply + 1;
        let Some(to_act) = to_act else {
            self.lines[next].clear();
            let state = &self.states[next];
            let score = self.scale.of_payoff(self.game.payoffs(state)[seat], next);
            return Value { score, height: 0, by_path: self.game.path_end(state).is_some() };
        };
        let mirrored = to_act != seat;
        let (low, high) = if mirrored { (-beta, -alpha) } else { (alpha, beta) };
        let value = if depth <= 1 {
            self.settle(next, to_act, low, high, MOST_FORCED)
        } else {
            self.search(next, depth - 1, to_act, low, high)
        };
        if mirrored { Value { score: -value.score, ..value } } else { value }
    }

    /// The same for an action that is expected to be no better than those before it: that is asked first, where it is not
    /// the first, and `reduced` plies deep.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "what a call in the innermost loop needs")]
    fn in_window(
        &mut self,
        ply: usize,
        depth: u32,
        reduced: u32,
        seat: Seat,
        to_act: Option<Seat>,
        alpha: i32,
        beta: i32,
        is_first: bool,
    ) -> Value {
        if is_first {
            return self.below(ply, depth, seat, to_act, alpha, beta);
        }
        let mut value = self.below(ply, reduced, seat, to_act, alpha, alpha + 1);
        if reduced < depth && value.score > alpha && !self.stopped {
            value = self.below(ply, depth, seat, to_act, alpha, alpha + 1);
        }
        if value.score > alpha && value.score < beta && !self.stopped {
            value = self.below(ply, depth, seat, to_act, alpha, beta);
        }
        value
    }

    /// The value for `seat`, which acts at `ply`, at least one ply deep.
    fn search(&mut self, ply: usize, depth: u32, seat: Seat, mut alpha: i32, beta: i32) -> Value {
        self.lines[ply].clear();
        // No better than to win by the next ply, no worse than to lose by it.
        let (worst, best_possible) = (ply as i32 + 1 - WIN, WIN - 1 - ply as i32);
        if best_possible <= alpha {
            return Value::proven(best_possible);
        }
        if worst >= beta {
            return Value::proven(worst);
        }
        // The table is slow memory: it is asked for an entry before the actions are listed, and read after.
        let mut key = 0;
        let is_asked = depth > 1 || self.had_many;
        if is_asked {
            key = self.game.key(&self.states[ply]);
            self.table.prefetch(key);
        }
        let begin = self.actions.len();
        self.game.legal_actions(&self.states[ply], seat, &mut self.actions);
        let n = self.actions.len() - begin;
        // A few leaves are valued sooner than the table answers.
        let has_entry = depth > 1 || n > FEW_ACTIONS;
        if has_entry && !is_asked {
            key = self.game.key(&self.states[ply]);
        }
        if depth == 1 {
            self.had_many = n > FEW_ACTIONS;
        }
        let entry = if has_entry { self.table.find(key) } else { None };
        if let Some(value) = entry.and_then(|entry| self.cut_by(entry, ply, depth, alpha, beta)) {
            self.actions.truncate(begin);
            return value;
        }
        let is_wide = beta - alpha > 1;
        let from_table = entry.map_or(usize::MAX, |entry| usize::from(entry.action));
        let turn = Turn { ply, seat, last: self.played[ply] };
        let first = self.first_of_all(turn, depth, begin, from_table);
        // Mostly the first action is good enough; then the others need no ranks.
        let mut are_ranked = first.is_none();
        if are_ranked {
            self.rank(turn, depth, begin, None);
        }

        let original = alpha;
        let mut best = Value { score: -INFINITE, height: OPEN, by_path: false };
        let (mut height, mut by_path, mut best_action) = (0, false, 0);
        for i in 0..n {
            let listed = match first {
                Some(first) if i == 0 => first,
                _ => {
                    if !are_ranked {
                        self.rank(turn, depth, begin, first);
                        are_ranked = true;
                    }
                    // Near the leaves, where the first few were not good enough, the order of the others matters little.
                    if depth > 2 || i < FEW_SORTED {
                        self.pick(begin, i, n);
                    }
                    self.ranks[begin + i].place()
                }
            };
            let action = if are_ranked { self.actions[begin + i] } else { self.actions[begin + listed] };
            let Some(to_act) = self.enter(ply, seat, action) else { break };
            let reduced = depth - self.reduction(depth, i, is_wide);
            let value = self.in_window(ply, depth, reduced, seat, to_act, alpha, beta, i == 0);
            if self.stopped {
                break;
            }
            (height, by_path) = (above(value.height).max(height), by_path | value.by_path);
            if value.score <= best.score {
                continue;
            }
            best = Value { height: above(value.height), ..value };
            best_action = listed;
            if value.score <= alpha {
                continue;
            }
            alpha = value.score;
            if alpha >= beta {
                self.ordering.learn(self.game, turn, depth, action, &self.actions[begin..begin + i]);
                break;
            }
            if is_wide {
                let (upper, lower) = self.lines.split_at_mut(ply + 1);
                upper[ply].clear();
                upper[ply].push(action);
                upper[ply].extend_from_slice(&lower[0]);
            }
        }
        self.actions.truncate(begin);
        self.ranks.truncate(begin);
        if self.stopped {
            return Value::open(0);
        }
        let mut bound = match best.score {
            score if score >= beta => Bound::Lower,
            score if score > original => Bound::Exact,
            _ => Bound::Upper,
        };
        if bound == Bound::Exact && best.score > UNIT && height == OPEN {
            // A win is proven by itself, though a shorter one may be among what is open.
            bound = Bound::Lower;
        } else if bound != Bound::Lower {
            // All else by all actions together: also that there is no win sooner than one that is known elsewhere.
            (best.height, best.by_path) = (height, by_path);
        }
        if has_entry {
            self.keep(key, ply, depth, best, bound, best_action);
        }
        best
    }

    /// What the table says about the position at `ply`, where that is enough.
    #[inline]
    fn cut_by(&self, entry: Entry, ply: usize, depth: u32, alpha: i32, beta: i32) -> Option<Value> {
        let is_open = entry.height == OPEN;
        // Estimates do not cut the line of play short.
        if is_open && (u32::from(entry.depth) < depth || beta - alpha > 1) {
            return None;
        }
        let score = match entry.score {
            score if score > UNIT => score - ply as i32,
            score if score < -UNIT => score + ply as i32,
            score => score,
        };
        let cuts = match entry.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        let state = &self.states[ply];
        let holds = || match entry.height {
            OPEN => self.game.estimates_hold(state, depth),
            HIGH => self.game.proofs_hold(state, u32::MAX),
            height => self.game.proofs_hold(state, height.into()),
        };
        (cuts && holds()).then_some(Value { score, height: entry.height, by_path: false })
    }

    #[inline]
    fn keep(&self, key: u64, ply: usize, depth: u32, value: Value, bound: Bound, action: usize) {
        let score = match value.score {
            score if score > UNIT => score + ply as i32,
            score if score < -UNIT => score - ply as i32,
            score => score,
        };
        let bound = if value.by_path { Bound::None } else { bound };
        let action = u16::try_from(action).unwrap_or(u16::MAX);
        self.table.keep(key, Entry { score, bound, depth: depth as u8, height: value.height, action });
    }

    /// By how much an action is searched less deep at first: those that come late are seldom good.
    #[inline]
    fn reduction(&self, depth: u32, i: usize, is_wide: bool) -> u32 {
        if !self.methods.reductions || depth < 3 || i < 3 {
            return 0;
        }
        let by = 1 + u32::from(i >= 12 && depth >= 5) - u32::from(is_wide && i < 6);
        by.min(depth - 2)
    }

    /// Brings the best ranked of the actions `i..n` to place `i`.
    #[inline]
    fn pick(&mut self, begin: usize, i: usize, n: usize) {
        let ranks = &mut self.ranks[begin..begin + n];
        let (mut best, mut highest) = (i, ranks[i]);
        for (j, &rank) in ranks.iter().enumerate().skip(i + 1) {
            // No branch: which one is higher is as good as random.
            best = if rank > highest { j } else { best };
            highest = highest.max(rank);
        }
        ranks.swap(i, best);
        self.actions.swap(begin + i, begin + best);
    }

    /// The value for `seat`, which acts at `ply`, where the depth is used up: as the position stands, or as `left` forcing
    /// actions in a row leave it; none of them need be chosen.
    fn settle(&mut self, ply: usize, seat: Seat, mut alpha: i32, beta: i32, left: u32) -> Value {
        self.lines[ply].clear();
        let Some(evaluator) = self.evaluator else { return Value::open(0) };
        let (game, position) = (self.game.game(), self.states[ply].position());
        let mut best = Value::open(self.scale.of_estimate(evaluator.value(game, position, seat)));
        if best.score >= beta || left == 0 || evaluator.is_quiet(game, position) {
            return best;
        }
        alpha = alpha.max(best.score);
        let begin = self.actions.len();
        self.game.legal_actions(&self.states[ply], seat, &mut self.actions);
        for i in begin..self.actions.len() {
            let action = self.actions[i];
            if !evaluator.is_forcing(game, self.states[ply].position(), seat, action) {
                continue;
            }
            let Some(to_act) = self.enter(ply, seat, action) else { break };
            let value = match to_act {
                Some(to_act) if to_act == seat => self.settle(ply + 1, to_act, alpha, beta, left - 1),
                Some(to_act) => {
                    let value = self.settle(ply + 1, to_act, -beta, -alpha, left - 1);
                    Value { score: -value.score, ..value }
                }
                None => self.below(ply, 1, seat, None, alpha, beta),
            };
            if self.stopped {
                break;
            }
            if value.score > best.score {
                // What was not looked at may be better: only a win is proven.
                let height = if value.score > UNIT { above(value.height) } else { OPEN };
                best = Value { height, ..value };
                alpha = alpha.max(value.score);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.actions.truncate(begin);
        best
    }

    /// The place of the action from `begin` on that is looked at before all others, where that is known without ranks: the
    /// table's, else a killer where no priors are asked for.
    #[inline]
    fn first_of_all(&self, turn: Turn<G::Action>, depth: u32, begin: usize, from_table: usize) -> Option<usize> {
        let actions = &self.actions[begin..];
        if from_table < actions.len() {
            return Some(from_table);
        }
        if depth >= PRIOR_DEPTH { None } else { self.ordering.killer_among(turn.ply, actions) }
    }

    /// Ranks the actions from `begin` on. Where `first` has been looked at it is brought to their beginning.
    fn rank(&mut self, turn: Turn<G::Action>, depth: u32, begin: usize, first: Option<usize>) {
        let actions = &self.actions[begin..];
        // Those of the plies before that have no ranks yet have none here.
        self.ranks.resize(begin, Rank::new(0, 0));
        self.ordering.rank(self.game, turn, actions, &mut self.ranks);
        if let Some(evaluator) = self.evaluator.filter(|evaluator| depth >= PRIOR_DEPTH && evaluator.has_priors()) {
            self.log_odds.clear();
            self.log_odds.resize(actions.len(), 0.0);
            let position = self.states[turn.ply].position();
            evaluator.priors(self.game.game(), position, turn.seat, actions, &mut self.log_odds);
            let ranks = self.ranks[begin..].iter_mut().zip(&self.log_odds);
            ranks.for_each(|(rank, log_odds)| rank.add((log_odds * 2000.0) as i32));
        }
        if let Some(first) = first {
            self.ranks.swap(begin, begin + first);
            self.actions.swap(begin, begin + first);
        }
    }
}
