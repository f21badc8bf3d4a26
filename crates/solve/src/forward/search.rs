//! The search of one window by one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use raichi_core::game::{Game, Phase};
use raichi_core::random;
use raichi_core::seat::Seat;
use rustc_hash::FxHashMap;

use super::Tables;
use super::score::{LONGEST, Score};
use super::table::{Bound, Known, Table};
use crate::exact::{Unsolved, Work};

/// Games that last longer are not searched: they are likely to go round in circles, and the stack has an end.
const DEEPEST: usize = 1000;

/// What a search finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// The payoffs; lengths are all 0.
    Payoffs,
    /// The payoffs and lengths.
    Lengths,
}

/// The clock is read after so many nodes, and after so many successors: on large boards a node has hundreds.
const ASK_EVERY_NODES: u64 = 1 << 8;
const ASK_EVERY_LISTED: usize = 1 << 12;

/// A successor of a position.
struct Child<G: Game> {
    action: G::Action,
    state: G::State,
    /// Of its canonical image.
    key: u64,
    /// In the order in which the game lists the actions.
    place: u8,
    /// The greater, the sooner it is searched.
    priority: i64,
}

pub(super) struct Searcher<'a, G: Game> {
    game: &'a G,
    sum: f64,
    pass: Pass,
    tables: &'a Tables,
    work: &'a Work<'a>,
    /// Set by the thread that has finished.
    ended: &'a AtomicBool,
    thread: usize,
    n_nodes: u64,
    /// What all searches have entered, and how much of that this one has told.
    all_nodes: &'a AtomicU64,
    n_told: u64,
    /// Successors listed since the clock was last read.
    n_listed: usize,
    pub(super) n_stored: u64,
    /// How much may be stored before larger tables are wanted.
    most_stored: u64,
    /// Whether it ended because larger tables are wanted.
    pub(super) is_full: bool,
    /// By ply, what refuted a sibling last.
    killers: Vec<Option<G::Action>>,
    history: FxHashMap<(Seat, G::Action), i64>,
    /// By ply, a buffer.
    children: Vec<Vec<Child<G>>>,
    actions: Vec<G::Action>,
    /// The least and the greatest payoff, where the game says so.
    extremes: (Option<f64>, Option<f64>),
}

impl<'a, G: Game> Searcher<'a, G> {
    #[expect(clippy::too_many_arguments, reason = "they are its fields")]
    pub(super) fn new(
        game: &'a G,
        sum: f64,
        pass: Pass,
        tables: &'a Tables,
        work: &'a Work<'a>,
        ended: &'a AtomicBool,
        all_nodes: &'a AtomicU64,
        thread: usize,
        most_stored: u64,
    ) -> Self {
        let range = game.facts().payoff_range;
        Searcher {
            game,
            sum,
            pass,
            tables,
            work,
            ended,
            thread,
            n_nodes: 0,
            all_nodes,
            n_told: 0,
            n_listed: 0,
            n_stored: 0,
            most_stored,
            is_full: false,
            killers: Vec::new(),
            history: FxHashMap::default(),
            children: Vec::new(),
            actions: Vec::new(),
            extremes: (range.map(|(low, _)| low), range.map(|(_, high)| high)),
        }
    }

    /// The score of `root` where it lies within the window, else a bound beyond it.
    pub(super) fn run(&mut self, root: &G::State, (alpha, beta): (Score, Score)) -> Result<Score, Unsolved> {
        let key = self.key(root);
        self.search(root, key, 0, alpha, beta)
    }

    /// Counts the nodes that were not counted yet among those of all searches.
    pub(super) fn tell_nodes(&mut self) {
        self.all_nodes.fetch_add(self.n_nodes - self.n_told, Ordering::Relaxed);
        self.n_told = self.n_nodes;
    }

    fn search(
        &mut self,
        state: &G::State,
        key: u64,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, Unsolved> {
        // 1. The end, and whether to go on.
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(ASK_EVERY_NODES) || self.n_listed >= ASK_EVERY_LISTED {
            self.n_listed = 0;
            self.tell_nodes();
            if self.work.is_over() || self.ended.load(Ordering::Relaxed) {
                return Err(Unsolved::OutOfTime);
            }
        }
        if self.n_stored >= self.most_stored {
            self.is_full = true;
            return Err(Unsolved::OutOfMemory);
        }
        let seat = match self.game.phase(state) {
            Phase::Over => return self.score_of_end(state, ply),
            Phase::Act(seats) => seats.first(),
            Phase::Chance => return Err(Unsolved::Unknown("chance acts in it".into())),
        };
        if ply >= DEEPEST {
            return Err(Unsolved::Unknown(format!("it can last longer than {DEEPEST} plies")));
        }

        // 2. What is known without a search.
        if let Some(score) = self.nearest_end(ply, &mut alpha, &mut beta) {
            return Ok(score);
        }
        let (window_low, window_high) = (alpha, beta);
        let known = self.table().get(key);
        if let Some(score) = self.narrowed(key, known, ply, &mut alpha, &mut beta) {
            return Ok(score);
        }

        // 3. The successors; one that is known well enough ends the search here.
        let mut children = self.take_buffer(ply);
        self.list(state, seat, ply, known.map(|known| known.best), &mut children);
        for child in &children {
            let (mut low, mut high) = (alpha, beta);
            let known = self.table().get(child.key);
            if let Some(score) = self.narrowed(child.key, known, ply + 1, &mut low, &mut high)
                && (seat == 0 && score >= beta || seat == 1 && score <= alpha)
            {
                let bound = if seat == 0 { Bound::Lower } else { Bound::Upper };
                self.store(key, ply, score, bound, child.place, 0);
                self.children[ply] = children;
                return Ok(score);
            }
        }
        children.sort_by_key(|child| std::cmp::Reverse(child.priority));

        // 4. Search them.
        let nodes_before = self.n_nodes;
        let mut best = if seat == 0 { Score::LEAST } else { Score::MOST };
        let mut best_place = 0;
        for child in &children {
            let score = self.search(&child.state, child.key, ply + 1, alpha, beta)?;
            if seat == 0 && score > best || seat == 1 && score < best {
                (best, best_place) = (score, child.place);
                if seat == 0 {
                    alpha = alpha.max(best);
                } else {
                    beta = beta.min(best);
                }
                if alpha >= beta {
                    self.refuted_by(seat, child.action, ply, self.n_nodes - nodes_before);
                    break;
                }
            }
        }

        // 5. Remember it.
        let bound = match () {
            () if best >= window_high => Bound::Lower,
            () if best <= window_low => Bound::Upper,
            () => Bound::Exact,
        };
        let effort = (self.n_nodes - nodes_before + 1).ilog2() as u8;
        self.store(key, ply, best, bound, best_place, effort);
        children.clear();
        self.children[ply] = children;
        Ok(best)
    }

    fn score_of_end(&self, state: &G::State, ply: usize) -> Result<Score, Unsolved> {
        let payoff = self.game.payoffs(state)[0];
        if !Score::is_kept(payoff) {
            return Err(Unsolved::Unknown(format!("it pays {payoff}, which the tables cannot keep")));
        }
        Ok(match self.pass {
            Pass::Payoffs => Score::of(payoff),
            Pass::Lengths => Score::lasting(payoff, ply as u32, Score::shortening_seat(payoff, self.sum)),
        })
    }

    /// Narrows the window by how soon the game can end from here; the score where that leaves nothing.
    fn nearest_end(&self, ply: usize, alpha: &mut Score, beta: &mut Score) -> Option<Score> {
        if self.pass == Pass::Payoffs {
            return None;
        }
        let soonest = |payoff, seat| {
            (Score::shortening_seat(payoff, self.sum) == seat).then(|| Score::lasting(payoff, ply as u32 + 1, seat))
        };
        if let Some(most) = self.extremes.1.and_then(|payoff| soonest(payoff, 0)) {
            *beta = most.min(*beta);
            if *alpha >= most {
                return Some(most);
            }
        }
        if let Some(least) = self.extremes.0.and_then(|payoff| soonest(payoff, 1)) {
            *alpha = least.max(*alpha);
            if *beta <= least {
                return Some(least);
            }
        }
        None
    }

    /// Narrows the window by what the tables say; the score where that leaves nothing.
    ///
    /// Whatever is narrowed is true of the position, so a score at the edge of the narrower window is exact.
    fn narrowed(
        &self,
        key: u64,
        known: Option<Known>,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        let mut narrow = |score: Score, bound: Bound| {
            if bound != Bound::Upper {
                *alpha = score.max(*alpha);
            }
            if bound != Bound::Lower {
                *beta = score.min(*beta);
            }
            (bound == Bound::Exact || *alpha >= *beta).then_some(score)
        };
        if let Some(score) = known.and_then(|known| narrow(self.shifted(known.score, ply as i32), known.bound)) {
            return Some(score);
        }
        if self.pass == Pass::Payoffs {
            return None;
        }
        // What the first pass found bounds the second, whatever the length.
        let Known { score, bound, .. } = self.tables.payoffs.get(key)?;
        let (payoff, _) = score.parts();
        let any_length = LONGEST + ply as i32;
        let lower = (bound != Bound::Upper).then(|| narrow(Score::from_parts(payoff, -any_length), Bound::Lower));
        let upper = (bound != Bound::Lower).then(|| narrow(Score::from_parts(payoff, any_length), Bound::Upper));
        lower.flatten().or(upper.flatten())
    }

    fn table(&self) -> &'a Table {
        match self.pass {
            Pass::Payoffs => &self.tables.payoffs,
            Pass::Lengths => &self.tables.lengths,
        }
    }

    fn store(&mut self, key: u64, ply: usize, score: Score, bound: Bound, best: u8, effort: u8) {
        self.n_stored += 1;
        let score = self.shifted(score, -(ply as i32));
        self.table().put(key, Known { score, bound, best, effort });
    }

    /// A score that counts from a position, counted from so many plies before it.
    fn shifted(&self, score: Score, plies: i32) -> Score {
        if self.pass == Pass::Payoffs {
            return score;
        }
        let (payoff, length) = score.parts();
        match Score::shortening_seat(score.payoff(), self.sum) {
            0 => Score::from_parts(payoff, length - plies),
            _ => Score::from_parts(payoff, length + plies),
        }
    }

    /// The key of the canonical image.
    fn key(&self, state: &G::State) -> u64 {
        let images = (1..self.game.n_symmetries()).map(|symmetry| self.game.key(&self.game.map_state(symmetry, state)));
        images.fold(self.game.key(state), u64::min)
    }

    fn take_buffer(&mut self, ply: usize) -> Vec<Child<G>> {
        if self.children.len() <= ply {
            self.children.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, None);
        }
        let mut buffer = std::mem::take(&mut self.children[ply]);
        buffer.clear();
        buffer
    }

    /// The successors, of several that are the same by symmetry the first.
    fn list(&mut self, state: &G::State, seat: Seat, ply: usize, best: Option<u8>, children: &mut Vec<Child<G>>) {
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        self.game.legal_actions(state, seat, &mut actions);
        self.n_listed += actions.len();
        for (place, &action) in actions.iter().enumerate() {
            let mut next = state.clone();
            self.game.apply(&mut next, seat, action);
            let key = self.key(&next);
            if children.iter().any(|child| child.key == key) {
                continue;
            }
            let place = u8::try_from(place).unwrap_or(u8::MAX);
            let priority = self.priority(seat, action, ply, place, best, &next, key);
            children.push(Child { action, state: next, key, place, priority });
        }
        self.actions = actions;
    }

    #[expect(clippy::too_many_arguments, reason = "all that can be said of an action")]
    fn priority(
        &self,
        seat: Seat,
        action: G::Action,
        ply: usize,
        place: u8,
        best: Option<u8>,
        next: &G::State,
        key: u64,
    ) -> i64 {
        if self.game.phase(next) == Phase::Over {
            let payoffs = self.game.payoffs(next);
            return if payoffs[seat] > payoffs[1 - seat] { i64::MAX } else { i64::MIN };
        }
        if best == Some(place) && place != u8::MAX {
            return i64::MAX - 1;
        }
        if self.killers[ply] == Some(action) {
            return i64::MAX - 2;
        }
        let history = self.history.get(&(seat, action)).copied().unwrap_or(0);
        // Threads go different ways.
        let drawn = match self.thread {
            0 => 0,
            thread => (random::mix(key ^ thread as u64) >> 33) as i64 % (history / 2 + 4),
        };
        history + drawn
    }

    fn refuted_by(&mut self, seat: Seat, action: G::Action, ply: usize, n_nodes: u64) {
        self.killers[ply] = Some(action);
        *self.history.entry((seat, action)).or_default() += i64::from(n_nodes.max(1).ilog2()) + 1;
    }
}
