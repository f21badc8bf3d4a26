//! Depth-first search to the end, for two seats whose payoffs have a constant sum, without chance, secrets or circles.
//!
//! Alpha-beta in two passes. The first finds the payoffs, with its window as narrow as the payoffs of the game allow. The
//! second, with a window around those payoffs, finds how long the game lasts, the winner shortening and the loser
//! prolonging it; in a draw seat 0 shortens. Wins are looked for within 4 plies, then 8, then 16, …. If the time ends in
//! the second pass, the payoffs are returned without a length.
//!
//! Both use a bounded transposition table ([`table`]) of positions up to symmetry (`Game::map_state`), look there for a
//! cut-off by any successor before they search one (enhanced transposition cut-offs: Plaat, Schaeffer, Pijls, de Bruin
//! 1996), and order actions by the table, by killers and by the history heuristic (Schaeffer 1989). Several threads search the
//! same tree and share the tables; they differ in the order of equals. Tables begin small, so that small positions cost
//! little, and grow eightfold when more was stored than they hold, up to the memory given.
//!
//! The tables know positions by keys of 64 bits ([`Game::key`]), not by themselves: two positions with the same key would
//! be taken for one. With n positions of which all keys were random this happens with a probability of about n² / 2^65
//! (one in 30 million for a million). Where that is too much, [`crate::exhaustive`] compares positions.
//!
//! Checked against plain minimax in `tests/small_positions.rs`, on trees of brackets and small positions of all games.

mod score;
mod search;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::Job;

use crate::exact::{Exact, Method, Progress, Solver, Statistics, Unsolved, Work};
use score::{LONGEST, Score};
use search::{Pass, Searcher};
use table::Table;

/// Solves positions by a search to the end.
pub struct Forward<G: Game> {
    game: G,
    /// What both seats get together.
    sum: f64,
    tables: Mutex<Option<Arc<Tables>>>,
    n_nodes: AtomicU64,
    n_positions: AtomicU64,
}

/// A table for each pass.
struct Tables {
    payoffs: Table,
    lengths: Table,
}

/// What each table takes at first, in bytes.
const FIRST_BYTES: usize = 1 << 20;

/// How many times as large the next one is.
const GROWTH: usize = 8;

/// The most that each table takes.
fn most_bytes(work: &Work<'_>) -> usize {
    work.memory / 2
}

impl<G: Game> Forward<G> {
    /// A solver of `game`; `None` where it is not of the kind described above, circles apart, which are found on the way.
    pub fn new(game: G) -> Option<Self> {
        let facts = game.facts();
        let fits = facts.n_seats == 2 && !facts.chance && !facts.hidden && !facts.simultaneous;
        let sum = facts.payoff_sum.filter(|_| fits)?;
        let (n_nodes, n_positions) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(Forward { game, sum, tables: Mutex::new(None), n_nodes, n_positions })
    }

    /// The tables, larger than those that proved to be too small.
    ///
    /// # Errors
    /// When the system does not give the memory.
    fn tables(&self, too_small: Option<&Tables>, work: &Work<'_>) -> Result<Arc<Tables>, Unsolved> {
        let most = most_bytes(work);
        let mut kept = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have made larger ones.
        if let Some(tables) = &*kept
            && too_small.is_none_or(|too_small| tables.payoffs.bytes() > too_small.payoffs.bytes())
        {
            return Ok(Arc::clone(tables));
        }
        let bytes = too_small.map_or(FIRST_BYTES, |old| GROWTH * old.payoffs.bytes() as usize).min(most);
        let made = || Some(Tables { payoffs: Table::new(bytes)?, lengths: Table::new(bytes)? });
        let made = made().ok_or(Unsolved::OutOfMemory)?;
        if let Some(old) = &*kept {
            made.payoffs.take_over(&old.payoffs);
            made.lengths.take_over(&old.lengths);
        }
        Ok(Arc::clone(kept.insert(Arc::new(made))))
    }

    /// One search of a window, by all threads, with larger tables until they are large enough.
    fn search(&self, pass: Pass, root: &G::State, window: (Score, Score), work: &Work<'_>) -> Result<Score, Unsolved> {
        let mut tables = self.tables(None, work)?;
        loop {
            let can_grow = (tables.payoffs.bytes() as usize) * 2 <= most_bytes(work);
            let most_stored =
                if can_grow { tables.payoffs.n_entries() / work.n_threads.max(1) as u64 } else { u64::MAX };
            match self.search_with(&tables, most_stored, pass, root, window, work) {
                None => tables = self.tables(Some(&tables), work)?,
                Some(result) => return result,
            }
        }
    }

    /// `None` where larger tables are wanted.
    fn search_with(
        &self,
        tables: &Tables,
        most_stored: u64,
        pass: Pass,
        root: &G::State,
        window: (Score, Score),
        work: &Work<'_>,
    ) -> Option<Result<Score, Unsolved>> {
        let found: Mutex<Option<Option<Result<Score, Unsolved>>>> = Mutex::new(None);
        let ended = AtomicBool::new(false);
        let search = |thread: usize| {
            let (game, nodes) = (&self.game, &self.n_nodes);
            let mut searcher = Searcher::new(game, self.sum, pass, tables, work, &ended, nodes, thread, most_stored);
            let result = searcher.run(root, window);
            searcher.tell_nodes();
            self.n_positions.fetch_add(searcher.n_stored, Ordering::Relaxed);
            // Who was told to end has nothing to say.
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if !ended.swap(true, Ordering::Relaxed) {
                *found = Some((!searcher.is_full).then_some(result));
            }
        };
        let search = &search;
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for thread in 0..work.n_threads.max(1) {
            jobs.push(Box::new(move || search(thread)));
        }
        work.host.run_all(jobs);
        found.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Some(Err(Unsolved::OutOfTime)))
    }

    fn payoffs(&self, root: &G::State, work: &Work<'_>) -> Result<f64, Unsolved> {
        (work.progress)(Progress { stage: "payoffs", done: 0, total: 0 });
        let window = match self.game.facts().payoff_range {
            Some((low, high)) => (Score::of(low), Score::of(high)),
            None => (Score::LEAST, Score::MOST),
        };
        self.search(Pass::Payoffs, root, window, work).map(Score::payoff)
    }

    fn length(&self, root: &G::State, payoff: f64, work: &Work<'_>) -> Result<u32, Unsolved> {
        let shortener = Score::shortening_seat(payoff, self.sum);
        let mut window = (Score::long(payoff, -LONGEST), Score::long(payoff, LONGEST));
        let won = payoff * 2.0 != self.sum;
        let mut within = 4;
        while won && within < LONGEST / 2 {
            (work.progress)(Progress { stage: "length", done: within as u64, total: 0 });
            // Does the winner force the end within so many plies?
            let bound = Score::lasting(payoff, within as u32, shortener);
            let (low, high) = if shortener == 0 { (bound.less(), bound) } else { (bound, bound.more()) };
            let score = self.search(Pass::Lengths, root, (low, high), work)?;
            match shortener {
                0 if score >= bound => {
                    window.0 = score.max(window.0);
                    break;
                }
                1 if score <= bound => {
                    window.1 = score.min(window.1);
                    break;
                }
                0 => window.1 = low,
                _ => window.0 = high,
            }
            within *= 2;
        }
        if window.0 >= window.1 {
            return Ok(window.0.plies());
        }
        // The window includes its ends: what lies at one of them is found as a bound that is reached.
        self.search(Pass::Lengths, root, (window.0.less(), window.1.more()), work).map(Score::plies)
    }
}

impl<G: Game> Solver<G> for Forward<G> {
    fn method(&self) -> Method {
        Method::Search
    }

    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let values = |payoff: f64| Payoffs::new([payoff, self.sum - payoff]);
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let payoff = self.payoffs(position, work)?;
        let plies = match self.length(position, payoff, work) {
            Ok(plies) => Some(plies),
            Err(Unsolved::OutOfTime) => None,
            Err(why) => return Err(why),
        };
        Ok(Exact { plies, ..Exact::of(values(payoff)) })
    }

    fn statistics(&self) -> Statistics {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        Statistics {
            positions: self.n_positions.load(Ordering::Relaxed),
            nodes: self.n_nodes.load(Ordering::Relaxed),
            bytes: tables.as_ref().map_or(0, |tables| tables.payoffs.bytes() + tables.lengths.bytes()),
        }
    }
}
