//! Computes the book of Connect Four's first positions (`connect_four::exact::book`).
//!
//!     cargo run --profile figures --example connect_four_book -- PLIES LOG FILE [THREADS] [MEGABYTES]
//!
//! Each position after so many plies is searched, all in one table, and its score written to the log (the columns, then the score); those
//! in the log are not searched again, so that the work can be stopped and taken up. After each the book of what is known is written
//! to the file. All positions after fewer plies follow from them.

mod machine;

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Instant;

use raichi_core::Notation;
use raichi_core::host::CancelFlag;
use raichi_engines::connect_four::exact::book::{self, Book};
use raichi_games::connect_four::ConnectFour;
use raichi_solve::Work;

use machine::Machine;

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
        fs::write(file, book.write()).expect("the book can be written");
        book
    };
    let game = ConnectFour::new(7, 6).expect("it fits");
    let solver = raichi_engines::solver(&game).expect("Connect Four has a solver");
    let host = Machine::new();
    let cancel = CancelFlag::default();
    let work =
        Work { deadline: None, cancel: &cancel, host: &host, n_threads, memory, folder: None, progress: &|_| {} };
    let mut log = OpenOptions::new().append(true).create(true).open(log).expect("the log can be written");
    let histories = histories(n_plies);
    for (i, columns) in histories.iter().enumerate() {
        let (own, all) = stones(columns);
        let key = book::canonical_key(own, all);
        if known.contains_key(&key) {
            continue;
        }
        let start = Instant::now();
        let position = game.parse_position(columns).expect("it is a position").state;
        let score = solver.solve(&position, &work).expect("nothing ends it").score.expect("there is one") as i32;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(log, "{columns} {score} {seconds:.2}").expect("the log can be written");
        println!("{} of {}: {columns} {score}, {seconds:.1} s", i + 1, histories.len());
        known.insert(key, score);
        write(&known);
    }
    let book = write(&known);
    println!("{} positions, {} bytes", book.entries.len(), book.write().len());
}
