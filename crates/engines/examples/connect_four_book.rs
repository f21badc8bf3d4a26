//! Computes the book of Connect Four's first positions (`connect_four::exact::book`).
//!
//!     cargo run --profile figures --example connect_four_book -- PLIES LOG FILE [THREADS] [MEGABYTES]
//!
//! Each position after so many plies is searched without the book in the program, THREADS of them at once, all in one table, and its score written to the log (the columns, the score
//! and the seconds); those in the log are not searched again, so that the work can be stopped and taken up. Every minute and at the end the
//! book of what is known is written to the file. All positions after fewer plies follow from them.

mod machine;

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use raichi_core::host::CancelFlag;
use raichi_core::{Game, Notation};
use raichi_engines::connect_four::exact::book::{self, Book};
use raichi_engines::connect_four::exact::without_book;
use raichi_games::connect_four::ConnectFour;
use raichi_solve::{Solver, Work};

use machine::Machine;

const WRITTEN_EVERY: Duration = Duration::from_secs(60);

/// The stones of the seat to act and of both, seven bits a column.
fn stones(columns: &str) -> (u64, u64) {
    columns.bytes().fold((0, 0), |(own, all), digit| {
        let bottom = 1 << (7 * u32::from(digit - b'1'));
        (own ^ all, all | (all + bottom))
    })
}

/// One history for each position after so many plies, of no two mirror images.
fn histories(n_plies: u8) -> Vec<String> {
    let mut level = vec![String::new()];
    for positions in &book::positions_to(n_plies)[1..] {
        let mut left: HashMap<u64, ()> =
            positions.iter().map(|&(own, all)| (book::canonical_key(own, all), ())).collect();
        let next = level.iter().flat_map(|before| (1..=7).map(move |column| format!("{before}{column}")));
        let fits = |columns: &String| {
            (b'1'..=b'7').all(|column| columns.bytes().filter(|&other| other == column).count() <= 6)
        };
        level = next
            .filter(fits)
            .filter(|columns| {
                let (own, all) = stones(columns);
                left.remove(&book::canonical_key(own, all)).is_some()
            })
            .collect();
    }
    level
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [n_plies, log, file, ..] = &args[..] else { panic!("the arguments are PLIES LOG FILE [THREADS] [MEGABYTES]") };
    let number = |i: usize, or: usize| args.get(i).map_or(or, |text| text.parse().expect("a number"));
    let (n_threads, memory) = (number(3, 1), number(4, 1024) << 20);
    let n_plies: u8 = n_plies.parse().expect("a number of plies");
    let mut known: HashMap<u64, i32> = HashMap::new();
    for line in fs::read_to_string(log).unwrap_or_default().lines() {
        let mut fields = line.split(' ');
        let (Some(columns), Some(Ok(score))) = (fields.next(), fields.next().map(str::parse)) else { continue };
        let (own, all) = stones(columns);
        known.insert(book::canonical_key(own, all), score);
    }
    let write = |known: &HashMap<u64, i32>| {
        let book = Book::gathered(n_plies, |key| known.get(&key).copied());
        let beside = format!("{file}.part");
        fs::write(&beside, book.write()).and_then(|()| fs::rename(&beside, file)).expect("the book can be written");
        book
    };
    let histories = histories(n_plies);
    let is_left = |columns: &&String| {
        let (own, all) = stones(columns);
        !known.contains_key(&book::canonical_key(own, all))
    };
    let left: Vec<&String> = histories.iter().filter(is_left).collect();
    println!("{} of {} positions after {n_plies} plies are left", left.len(), histories.len());
    let log = OpenOptions::new().append(true).create(true).open(log).expect("the log can be written");
    let found = Mutex::new((log, known, 0, Instant::now()));
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    // Where there are fewer positions than threads, each search gets several.
    let search = Search::new((n_threads / left.len().max(1)).max(1), memory);
    let one_thread = || {
        while let Some(columns) = left.get(next.fetch_add(1, Relaxed)) {
            let (score, seconds) = search.score(columns);
            let (own, all) = stones(columns);
            let mut found = found.lock().expect("no thread panics while it holds what was found");
            let (log, known, n_done, written) = &mut *found;
            writeln!(log, "{columns} {score} {seconds:.2}").expect("the log can be written");
            known.insert(book::canonical_key(own, all), score);
            *n_done += 1;
            let (passed, n_left) = (start.elapsed().as_secs_f64(), left.len() - *n_done);
            let remaining = passed / *n_done as f64 * n_left as f64;
            println!("{n_left} left, {remaining:.0} s more: {columns} {score}, {seconds:.1} s");
            if written.elapsed() > WRITTEN_EVERY {
                write(known);
                *written = Instant::now();
            }
        }
    };
    std::thread::scope(|scope| (0..n_threads.max(1)).for_each(|_| drop(scope.spawn(one_thread))));
    let (_, known, ..) = found.into_inner().expect("no thread panics while it holds what was found");
    let book = write(&known);
    println!("{} positions, {} bytes", book.entries.len(), book.write().len());
}

/// A search of exact scores, all in one table.
struct Search {
    game: ConnectFour,
    solver: Arc<dyn Solver<ConnectFour>>,
    host: Machine,
    /// For each position.
    n_threads: usize,
    memory: usize,
}

impl Search {
    fn new(n_threads: usize, memory: usize) -> Search {
        let game = ConnectFour::new(7, 6).expect("it fits");
        Search { game, solver: without_book(), host: Machine::new(), n_threads, memory }
    }

    /// The score of the seat to act, and the seconds that it took.
    fn score(&self, columns: &str) -> (i32, f64) {
        let (start, cancel) = (Instant::now(), CancelFlag::default());
        let work = Work {
            deadline: None,
            cancel: &cancel,
            host: &self.host,
            n_threads: self.n_threads,
            memory: self.memory,
            folder: None,
            progress: &|_| {},
        };
        let position = match columns {
            "" => self.game.initial_state(),
            columns => self.game.parse_position(columns).expect("it is a position").state,
        };
        let exact = self.solver.solve(&position, &work).expect("nothing ends it");
        (exact.score.expect("there is one") as i32, start.elapsed().as_secs_f64())
    }
}
