//! This machine's clock and threads, for searches, which have none of their own.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use raichi_search::Host;

/// The operating system's clock and threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemHost;

impl Host for SystemHost {
    fn now(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        let Some((first, others)) = jobs.split_first_mut() else { return };
        std::thread::scope(|scope| {
            for job in others {
                scope.spawn(job);
            }
            first();
        });
    }
}
