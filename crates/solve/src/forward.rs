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
//! same tree and share the tables; they differ in the order of equals.
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
use std::sync::{Mutex, OnceLock, PoisonError};

use raichi_core::game::{Game, Payoffs, Phase};

use crate::exact::{Exact, Method, Progress, Solver, Statistics, Unsolved, Work};
use score::{LONGEST, Score};
use search::{Pass, Searcher};
use table::Table;

/// Solves positions by a search to the end.
pub struct Forward<G: Game> {
    game: G,
    /// What both seats get together.
    sum: f64,
    tables: OnceLock<Option<Tables>>,
    n_nodes: AtomicU64,
    n_positions: AtomicU64,
}

/// A table for each pass.
struct Tables {
    payoffs: Table,
    lengths: Table,
}

/// The most that the tables take, in bytes, however much is allowed: touching more would cost more than it saves for games
/// of which nothing is known but their rules.
const MOST_BYTES: usize = 1 << 30;

impl<G: Game> Forward<G> {
    /// A solver of `game`; `None` where it is not of the kind described above, circles apart, which are found on the way.
    pub fn new(game: G) -> Option<Self> {
        let facts = game.facts();
        let fits = facts.n_seats == 2 && !facts.chance && !facts.hidden && !facts.simultaneous;
        let sum = facts.payoff_sum.filter(|_| fits)?;
        let (n_nodes, n_positions) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(Forward { game, sum, tables: OnceLock::new(), n_nodes, n_positions })
    }

    fn tables(&self, work: &Work<'_>) -> Result<&Tables, Unsolved> {
        let make = || {
            let bytes = work.memory.min(MOST_BYTES) / 2;
            Some(Tables { payoffs: Table::new(bytes)?, lengths: Table::new(bytes)? })
        };
        self.tables.get_or_init(make).as_ref().ok_or(Unsolved::OutOfMemory)
    }

    /// One search of a window, by all threads.
    fn search(&self, pass: Pass, root: &G::State, window: (Score, Score), work: &Work<'_>) -> Result<Score, Unsolved> {
        let tables = self.tables(work)?;
        let found: Mutex<Option<Result<Score, Unsolved>>> = Mutex::new(None);
        let ended = AtomicBool::new(false);
        let search = |thread: usize| {
            let mut searcher = Searcher::new(&self.game, self.sum, pass, tables, work, &ended, thread);
            let result = searcher.run(root, window);
            self.n_nodes.fetch_add(searcher.n_nodes, Ordering::Relaxed);
            self.n_positions.fetch_add(searcher.n_stored, Ordering::Relaxed);
            // Who was told to end has nothing to say.
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if !ended.swap(true, Ordering::Relaxed) {
                *found = Some(result);
            }
        };
        let mut jobs: Vec<_> = (0..work.n_threads.max(1)).map(|thread| move || search(thread)).collect();
        let mut jobs: Vec<&mut (dyn FnMut() + Send)> = jobs.iter_mut().map(|job| job as _).collect();
        work.host.run(&mut jobs);
        found.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Err(Unsolved::OutOfTime))
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
        let bytes = self.tables.get().and_then(Option::as_ref);
        Statistics {
            positions: self.n_positions.load(Ordering::Relaxed),
            nodes: self.n_nodes.load(Ordering::Relaxed),
            bytes: bytes.map_or(0, |tables| tables.payoffs.bytes() + tables.lengths.bytes()),
        }
    }
}
