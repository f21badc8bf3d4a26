//! Solves a set of positions of Othello and prints for each the score, time, nodes and nodes per second.
//!
//!     cargo run --profile figures --example othello_set -- FILE [FROM] [COUNT] [THREADS] [SIZE] [MIB]
//!
//! A line of the file: a position, a semicolon, and the score of the seat to act. Each is searched with an empty table of MIB, 512 where nothing is said.

mod machine;

use std::time::Instant;

use raichi_core::Notation;
use raichi_core::host::CancelFlag;
use raichi_games::othello::Othello;
use raichi_solve::Work;

use machine::Machine;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().expect("the first argument is a file of positions");
    let number = |i: usize, or: usize| args.get(i).map_or(or, |text| text.parse().expect("a number"));
    let (from, count, n_threads, size) = (number(1, 0), number(2, usize::MAX), number(3, 1), number(4, 8));
    let game = Othello::new(size as u8);
    let host = Machine::new();
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &host,
        n_threads,
        memory: number(5, 512) << 20,
        folder: None,
        progress: &|_| {},
    };
    let (mut n_wrong, mut time, mut nodes) = (0, 0.0, 0);
    let text = std::fs::read_to_string(file).expect("the file can be read");
    for (i, line) in text.lines().enumerate().skip(from).take(count) {
        let (position, expected) = line.split_once(';').expect("a line is a position and its score");
        let position = game.parse_position(position).expect("it is a position").state;
        let solver = raichi_engines::solver(&game).expect("boards to 8×8 are known");
        let start = Instant::now();
        let exact = solver.solve(&position, &work).expect("nothing ends it");
        let seconds = start.elapsed().as_secs_f64();
        let n = solver.statistics().nodes;
        let is_right = exact.score == expected.trim().parse().ok();
        n_wrong += usize::from(!is_right);
        let (millions, rate) = (n as f64 / 1e6, n as f64 / seconds / 1e6);
        let score = exact.score.expect("there is one");
        println!(
            "line {}: {score}, expected {expected}, {seconds:.2} s, {millions:.1} M nodes, {rate:.1} M nodes/s",
            i + 1
        );
        (time, nodes) = (time + seconds, nodes + n);
    }
    let (millions, rate) = (nodes as f64 / 1e6, nodes as f64 / time / 1e6);
    println!("{n_wrong} wrong, {time:.2} s, {millions:.1} M nodes, {rate:.1} M nodes/s");
}
