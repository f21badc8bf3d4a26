//! Proves what each first stone of Yavalath is worth between two seats, without a swap.
//!
//! `cargo run --profile figures -p raichi-engines --example yavalath_openings -- SIZE [SECONDS]`: of the stones that
//! symmetry makes one, one each; SECONDS for all of them.

use std::time::{Duration, Instant};

use raichi_core::game::Game;
use raichi_core::host::{CancelFlag, Host};
use raichi_core::notation::Notation;
use raichi_engines::yavalath::prove_openings;
use raichi_games::yavalath::Yavalath;
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
    let mut arguments = std::env::args().skip(1);
    let size = arguments.next().and_then(|size| size.parse().ok()).expect("SIZE is a number from 3 to 5");
    let seconds: Option<u64> = arguments.next().map(|seconds| seconds.parse().expect("SECONDS is a number"));
    let game = Yavalath::new(size, 2, false);
    let clock = Clock(Instant::now());
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: seconds.map(Duration::from_secs),
        cancel: &cancel,
        host: &clock,
        n_threads: 1,
        memory: 2 << 30,
        folder: None,
        progress: &|_| {},
    };
    let start = game.initial_state();
    prove_openings(&game, &work, &mut |cell, value, statistics| {
        let text = match value {
            Some(1) => "wins",
            Some(0) => "draws",
            Some(_) => "loses",
            None => "is not known",
        };
        println!("{} {text} {:.2} s {statistics:?}", game.action_text(&start, 0, cell), clock.now().as_secs_f64());
    });
}
