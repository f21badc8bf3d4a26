//! The host of examples that solve: the system's clock, and a thread for each job.

use std::time::{Duration, Instant};

use raichi_core::host::Host;

pub(crate) struct Machine(Instant);

impl Machine {
    /// The clock stands at zero.
    pub(crate) fn new() -> Machine {
        Machine(Instant::now())
    }
}

impl Host for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        std::thread::scope(|scope| jobs.iter_mut().for_each(|job| drop(scope.spawn(job))));
    }
}
