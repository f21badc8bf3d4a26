//! Proves who wins Hex after each first stone, and prints the maps of `src/hex/openings.txt`.
//!
//! `cargo run --profile figures -p raichi-engines --example hex_openings -- 6` for one size, without a size for 2 to 6.
//! What each first stone took goes to standard error.

use std::time::{Duration, Instant};

use raichi_core::host::{CancelFlag, Host};
use raichi_engines::hex::{map_text, prove_openings};
use raichi_solve::Work;

struct Clock(Instant);

impl Host for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}

fn main() {
    let sizes: Vec<u8> = match std::env::args().nth(1) {
        Some(size) => vec![size.parse().expect("the size is a number from 2 to 8")],
        None => (2..=6).collect(),
    };
    for size in sizes {
        let clock = Clock(Instant::now());
        let cancel = CancelFlag::default();
        let work = Work {
            deadline: None,
            cancel: &cancel,
            host: &clock,
            n_threads: 1,
            memory: 8 << 30,
            folder: None,
            progress: &|_| {},
        };
        let mut last = clock.now();
        let wins = prove_openings(size, &work, &mut |cell, wins, statistics| {
            let column = char::from(b'a' + (cell % usize::from(size)) as u8);
            let row = cell / usize::from(size) + 1;
            let took = clock.now() - last;
            last = clock.now();
            eprintln!(
                "{size}x{size} {column}{row} {} {:.3} s, {} positions in all, {} MiB",
                if wins { "wins" } else { "loses" },
                took.as_secs_f64(),
                statistics.positions,
                statistics.bytes >> 20
            );
        });
        let wins = wins.expect("there is time and memory");
        eprintln!("{size}x{size}: {:.3} s", clock.now().as_secs_f64());
        println!("{}", map_text(size, &wins));
    }
}
