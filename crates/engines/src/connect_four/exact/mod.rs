//! The exact score of any position of Connect Four, on boards of all sizes.
//!
//! Papers: J. D. Allen (1989) and V. Allis (1988) for the game and its strategies; P. Pons, *Solving Connect 4* (2015), for the
//! bisection of the score and for looking only at stones that do not lose at once. See [`search`] for what cuts off.
//! The score of the seat to act is 1 + the stones that it has left when it wins, negative when it loses, 0 for a draw, where the
//! empty cells are shared out in turn; so it tells the number of plies too. Positions need not be reachable.
//! What it promises: the score is exact, or there is none: the tables take no position for another.
//! Threads search the same tree in different orders and share the table. On the board of 7×6 a [`book`] of the first seven plies is asked first.
//! Not here: other lengths of line than four, which the game does not have.
//! Checked against: the six sets of positions published by P. Pons, a plain search on small boards (tests.rs), the known
//! values of docs/truths.md.

mod board;
pub mod book;
mod search;
mod strategies;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::Job;
use raichi_core::seat::Seat;
use raichi_games::connect_four::{ConnectFour, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use board::{AnySize, Cells, Shape, Standard};
use search::{ASK_EVERY, Search};
use table::{Near, Table};

/// The solver's line of the table.
pub(crate) fn solver(game: &ConnectFour) -> Option<Arc<dyn Solver<ConnectFour>>> {
    let (width, height) = (u32::from(game.width()), u32::from(game.height()));
    Some(match (width, height) {
        (7, 6) => Arc::new(Searcher { asks_book: true, ..Searcher::new(Standard) }),
        _ if width * (height + 1) <= 64 => Arc::new(Searcher::new(AnySize::<u64>::new(width, height))),
        _ => Arc::new(Searcher::new(AnySize::<u128>::new(width, height))),
    })
}

/// A solver of the board of 7×6 that searches every position and asks no book: what makes the book.
pub fn without_book() -> Arc<dyn Solver<ConnectFour>> {
    Arc::new(Searcher::new(Standard))
}

/// What the tables take at most, in bytes, whatever is allowed: the one of short searches, and the one of long searches. The
/// system clears the pages of a large one when they are first touched, which takes longer than a short search.
const LARGEST_TABLES: [usize; 2] = [1 << 24, 1 << 29];
/// Each search begins as a short one, by one thread; after so many nodes it begins again as a long one.
const SHORT: u64 = 1 << 18;

/// Solves positions of one size by search.
struct Searcher<S: Shape> {
    shape: S,
    asks_book: bool,
    /// Of short searches and of long ones, each made by the first.
    tables: [OnceLock<Option<Table>>; 2],
    /// The small tables of threads that are done.
    idle: Mutex<Vec<Near<S::Cells>>>,
    positions: AtomicU64,
    nodes: AtomicU64,
}

impl<S: Shape> Searcher<S> {
    fn new(shape: S) -> Searcher<S> {
        let (positions, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
        Searcher { shape, asks_book: false, tables: Default::default(), idle: Mutex::default(), positions, nodes }
    }

    /// The position in the search's arrangement: the cells of the seat to act, and of both.
    fn arranged(&self, position: &State) -> [S::Cells; 2] {
        let game = ConnectFour::new(self.shape.width() as u8, self.shape.height() as u8).expect("it was made for one");
        [position.own(), position.all()].map(|cells| moved(&game, self.shape, cells))
    }

    /// The score by the book.
    fn in_book(&self, own: S::Cells, all: S::Cells) -> Option<i32> {
        self.asks_book.then(|| book::score(own.wide() as u64, all.wide() as u64)).flatten()
    }

    /// The score by search.
    fn search(&self, own: S::Cells, all: S::Cells, work: &Work<'_>) -> Result<i32, Unsolved> {
        let words = size_of::<S::Cells>() / 8;
        let [short, long] = LARGEST_TABLES.map(|bytes| bytes * words);
        let make = |bytes: usize| Table::new::<S::Cells>(work.memory.min(bytes));
        let table = self.tables[0].get_or_init(|| make(short)).as_ref().ok_or(Unsolved::OutOfMemory)?;
        self.positions.fetch_add(1, Relaxed);
        if let Some(score) = self.search_in(table, own, all, 1, SHORT, work) {
            return Ok(score);
        }
        if work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        let rest = long.min(work.memory.saturating_sub(short));
        let table = self.tables[1].get_or_init(|| make(rest)).as_ref().unwrap_or(table);
        if !table.touch(&|| work.is_over()) {
            return Err(Unsolved::OutOfTime);
        }
        self.search_in(table, own, all, work.n_threads.max(1), u64::MAX, work).ok_or(Unsolved::OutOfTime)
    }

    /// The score by so many threads, unless one of them has had so many nodes or the work is over.
    fn search_in(
        &self,
        table: &Table,
        own: S::Cells,
        all: S::Cells,
        n_threads: usize,
        most_nodes: u64,
        work: &Work<'_>,
    ) -> Option<i32> {
        let is_found = AtomicBool::new(false);
        let is_over = |nodes: u64| {
            self.nodes.fetch_add(ASK_EVERY, Relaxed);
            nodes >= most_nodes || work.is_over()
        };
        let found = Mutex::new(None);
        let one = |thread: usize| {
            let near = self.idle().pop().unwrap_or_else(Near::new);
            let mut search = Search::new(self.shape, table, near, &is_over, &is_found, thread as u32);
            if let Some(score) = search.score(own, all) {
                *found.lock().expect("no thread panics while it holds the score") = Some(score);
            }
            self.nodes.fetch_add(search.nodes % ASK_EVERY, Relaxed);
            self.idle().push(search.near);
        };
        if n_threads == 1 {
            one(0);
        } else {
            let one = &one;
            work.host.run_all((0..n_threads).map(|thread| -> Job<'_> { Box::new(move || one(thread)) }).collect());
        }
        found.into_inner().expect("no thread panics while it holds the score")
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Near<S::Cells>>> {
        self.idle.lock().expect("no thread panics while it takes a table")
    }
}

impl<S: Shape> Solver<ConnectFour> for Searcher<S> {
    fn get_ready(&self, _work: &Work<'_>) {
        if self.asks_book {
            book::built_in();
        }
    }

    fn method(&self) -> Method {
        Method::Search
    }

    fn method_of(&self, position: &State) -> Method {
        let [own, all] = self.arranged(position);
        if self.in_book(own, all).is_some() { Method::Table } else { Method::Search }
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let game = ConnectFour::new(self.shape.width() as u8, self.shape.height() as u8).expect("it was made for one");
        let [own, all] = self.arranged(position);
        let n_empty = (self.shape.board() & !all).n();
        if game.phase(position) == Phase::Over {
            let values = game.payoffs(position);
            // The winner has just put a stone, so the other one is next to share in the empty cells.
            let score = values[0] * f64::from(1 + n_empty / 2);
            return Ok(Exact { values, plies: Some(0), score: Some(score) });
        }
        let score = match self.in_book(own, all) {
            Some(score) => score,
            None => self.search(own, all, work)?,
        };
        Ok(exact(position.to_act(), n_empty, score))
    }

    /// Behind the book's plies on 7×6 a position takes a tenth of a second in the mean.
    fn is_quick(&self) -> bool {
        self.asks_book
    }

    fn statistics(&self) -> Statistics {
        let tables = self.tables.iter().filter_map(|table| table.get()?.as_ref()).map(Table::bytes).sum::<usize>();
        let near = self.idle().len() * Near::<S::Cells>::BYTES;
        let (positions, nodes) = (self.positions.load(Relaxed), self.nodes.load(Relaxed));
        Statistics { positions, nodes, bytes: (tables + near) as u64 }
    }
}

/// The cells in the search's arrangement: one bit above each column.
fn moved<S: Shape>(game: &ConnectFour, shape: S, cells: u128) -> S::Cells {
    let column = (1 << shape.height()) - 1;
    (0..shape.width()).fold(S::Cells::NONE, |moved, i| {
        moved | S::Cells::of((cells >> (i * game.stride()) & column) << (i * shape.stride()))
    })
}

/// What the score of the seat to act means.
fn exact(to_act: Seat, n_empty: u32, score: i32) -> Exact {
    let (values, plies) = match score {
        0 => (Payoffs::zero(2), n_empty),
        // The winner's last stone but `score - 1` wins; the seat to act has the odd plies from here.
        1.. => (Payoffs::win(to_act), 2 * (n_empty.div_ceil(2) + 1 - score.unsigned_abs()) - 1),
        _ => (Payoffs::win(1 - to_act), 2 * (n_empty / 2 + 1 - score.unsigned_abs())),
    };
    Exact { values, plies: Some(plies), score: Some(score.into()) }
}
