//! Solves a set of positions of Connect Four and prints mean time, nodes, nodes per second and how many scores were wrong.
//!
//!     cargo run --profile figures --example connect_four_set -- FILE [FROM] [COUNT] [THREADS] [LOG]
//!
//! A line of the file: the columns played, and the score of the seat to act. The tables are kept from position to position;
//! times are by the clock, those of the processor for the whole of one thread (Linux only). With a log, each position is written to it, and those in it are not searched again.

mod clock;
mod machine;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Instant;

use raichi_core::Notation;
use raichi_core::host::CancelFlag;
use raichi_games::connect_four::ConnectFour;
use raichi_solve::Work;

use clock::processor_seconds;
use machine::Machine;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().expect("the first argument is a file of positions");
    let number = |i: usize, or: usize| args.get(i).map_or(or, |text| text.parse().expect("a number"));
    let (from, count, n_threads) = (number(1, 0), number(2, usize::MAX), number(3, 1));
    let log = args.get(4);
    let done: BTreeMap<String, f64> =
        log.and_then(|log| fs::read_to_string(log).ok()).map_or_else(BTreeMap::new, |text| {
            let line = |line: &str| {
                let mut fields = line.split(' ');
                Some((fields.next()?.to_string(), fields.next()?.parse().ok()?))
            };
            text.lines().filter_map(line).collect()
        });
    let mut log =
        log.map(|log| OpenOptions::new().append(true).create(true).open(log).expect("the log can be written"));

    let game = ConnectFour::new(7, 6).expect("it fits");
    let solver = raichi_engines::solver(&game).expect("Connect Four has a solver");
    let host = Machine::new();
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &host,
        n_threads,
        memory: 1 << 30,
        folder: None,
        progress: &|_| {},
    };
    let (mut n, mut n_wrong, mut time, mut worst) = (0, 0, 0.0, 0.0f64);
    let processor = processor_seconds();
    let text = fs::read_to_string(file).expect("the file can be read");
    for line in text.lines().skip(from).take(count) {
        let (columns, expected) = line.split_once(' ').expect("a line is a position and its score");
        let seconds = match done.get(columns) {
            Some(&seconds) => seconds,
            None => {
                let position = game.parse_position(columns).expect("it is a position").state;
                let start = Instant::now();
                let exact = solver.solve(&position, &work).expect("nothing ends it");
                let seconds = start.elapsed().as_secs_f64();
                if exact.score != expected.trim().parse().ok() {
                    n_wrong += 1;
                    println!("{columns}: {:?}, expected {expected}", exact.score);
                } else if let Some(log) = &mut log {
                    writeln!(log, "{columns} {seconds}").expect("the log can be written");
                }
                seconds
            }
        };
        (n, time, worst) = (n + 1, time + seconds, worst.max(seconds));
    }
    let nodes = solver.statistics().nodes as f64;
    let processor = (processor_seconds() - processor) / f64::from(n);
    println!(
        "{n} positions, {n_wrong} wrong, mean {:.6} s ({processor:.6} s of the processor), worst {worst:.3} s, mean {:.1} nodes, {:.2} M nodes/s",
        time / f64::from(n),
        nodes / f64::from(n),
        nodes / time / 1e6,
    );
}
