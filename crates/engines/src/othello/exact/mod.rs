//! The exact score of Othello positions near the end.
//!
//! Papers: G. Andersson's notes on endgame search for fastest first and parity; M. Brockington and J. Schaeffer (1996) for
//! enhanced transposition cut-offs; A. Plaat et al., *Best-First Fixed-Depth Minimax Algorithms* (1996), for MTD(f); M. Buro,
//! *ProbCut* (1995), for the selective search that comes before the exact one.
//! The score of the seat to act is the difference of the discs when the game is over, empty cells to the winner.
//! What it promises: the score is exact, or there is none; the learned patterns ([`patterns`](super::patterns)) decide about the
//! order only. How long the game lasts it does not tell: who plays for discs does not play for length.
//! Handled: all positions, passes included; those with more than some 26 empty cells take minutes and more. Threads search the same
//! tree in slightly different orders and share the table.
//! 10×10, which needs two words, has a plain search of its own ([`wide`]).
//! Not here: learned patterns on other boards than 8×8.
//! Checked against: the FFO endgame test (`tests/othello.rs`), a plain search on all sizes (tests.rs).

mod last;
mod near;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod wide;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::Job;
use raichi_games::othello::{Othello, State};
use raichi_machine::{Choice, InstructionSet, Instructions};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use search::Search;
use table::Table;
use wide::Wide;

/// The solver's line of the table.
pub(crate) fn solver(game: &Othello) -> Option<Arc<dyn Solver<Othello>>> {
    if game.size() > 8 {
        return Some(Arc::new(Wide::new(game)));
    }
    let (table, positions, nodes) = (OnceLock::new(), AtomicU64::new(0), AtomicU64::new(0));
    Some(Arc::new(Searcher { game: *game, table, positions, nodes }))
}

/// What a position is worth with this score of the seat to act.
fn worth(position: &State, score: i32) -> Exact {
    let values = match score {
        0 => Payoffs::zero(2),
        1.. => Payoffs::win(position.to_act()),
        _ => Payoffs::win(1 - position.to_act()),
    };
    Exact { values, plies: None, score: Some(score.into()) }
}

/// The most that the table takes, in bytes, whatever is allowed.
const LARGEST_TABLE: usize = 1 << 30;
/// A search uses a part of the table, of 64 bytes by two to the power of its empty cells less these: on the FFO test it has 0.2 % more
/// nodes than by 32 times as much, which takes the system longer to clear and the processor longer to read.
const EMPTIER: u32 = 5;
/// No part is smaller, again as a power of two.
const SMALLEST_PART: u32 = 14;
/// Fewer empty cells are searched by one thread: it takes no longer than starting another.
const FOR_THREADS: u32 = 16;

/// Solves positions of one size by search.
struct Searcher {
    game: Othello,
    /// Made by the first search.
    table: OnceLock<Option<Table>>,
    positions: AtomicU64,
    nodes: AtomicU64,
}

impl Searcher {
    /// The score by search, by as many threads as the work has.
    fn search(&self, own: u64, foes: u64, work: &Work<'_>) -> Result<i32, Unsolved> {
        InstructionSet::newest().choose(Searched { searcher: self, own, foes, work })
    }

    fn search_with<I: Instructions>(
        &self,
        instructions: I,
        own: u64,
        foes: u64,
        work: &Work<'_>,
    ) -> Result<i32, Unsolved> {
        let table = self.table.get_or_init(|| Table::new(work.memory.min(LARGEST_TABLE)));
        let table = table.as_ref().ok_or(Unsolved::OutOfMemory)?;
        let n_empty = (self.game.board() as u64 & !(own | foes)).count_ones();
        let table = table.part(n_empty.saturating_sub(EMPTIER).max(SMALLEST_PART));
        let n_threads = if n_empty >= FOR_THREADS { work.n_threads.max(1) } else { 1 };
        let is_found = AtomicBool::new(false);
        let is_over = |nodes| {
            self.nodes.fetch_add(nodes, Relaxed);
            is_found.load(Relaxed) || work.is_over()
        };
        if !table.touch(&|| work.is_over()) {
            return Err(Unsolved::OutOfTime);
        }
        let found = Mutex::new(None);
        let one = |thread: usize| {
            let mut search = Search::new(instructions, self.game.size().into(), table, &is_over, thread as u32);
            if let Some(score) = search.score(own, foes) {
                *found.lock().expect("no thread panics while it holds the score") = Some(score);
                is_found.store(true, Relaxed);
            }
            self.nodes.fetch_add(search.effort.not_told(), Relaxed);
        };
        if n_threads == 1 {
            one(0);
        } else {
            let one = &one;
            work.host.run_all((0..n_threads).map(|thread| -> Job<'_> { Box::new(move || one(thread)) }).collect());
        }
        self.positions.fetch_add(1, Relaxed);
        found.into_inner().expect("no thread panics while it holds the score").ok_or(Unsolved::OutOfTime)
    }
}

/// [`Searcher::search_with`] without the instructions.
struct Searched<'a, 'w> {
    searcher: &'a Searcher,
    own: u64,
    foes: u64,
    work: &'a Work<'w>,
}

impl Choice for Searched<'_, '_> {
    type Output = Result<i32, Unsolved>;

    fn with<I: Instructions>(self, instructions: I) -> Self::Output {
        self.searcher.search_with(instructions, self.own, self.foes, self.work)
    }
}

impl Solver<Othello> for Searcher {
    fn method(&self) -> Method {
        Method::Search
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            let [black, white] = position.discs().map(|cells| cells as u64);
            let score = last::finished(black, white, self.game.board().count_ones() as i32);
            return Ok(Exact { values: self.game.payoffs(position), plies: Some(0), score: Some(score.into()) });
        }
        let [own, foes] = position.own_and_foes().map(|cells| cells as u64);
        let score = self.search(own, foes, work)?;
        Ok(worth(position, score))
    }

    fn statistics(&self) -> Statistics {
        let bytes = self.table.get().and_then(Option::as_ref).map_or(0, Table::bytes) as u64;
        Statistics { positions: self.positions.load(Relaxed), nodes: self.nodes.load(Relaxed), bytes }
    }
}
