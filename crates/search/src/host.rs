//! What a search uses of the machine: a clock and threads. They come in from outside, so that a search runs where there
//! are none (in a browser) and so that tests can set the time.

use std::time::Duration;

/// A clock and threads.
pub trait Host: Sync {
    /// The time since some fixed moment; it never goes back.
    fn now(&self) -> Duration;

    /// Runs all jobs, at the same time where there are threads, and returns when all have ended.
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]);
}

/// A host without clock and threads: time stands still, and jobs run one after the other. Budgets of simulations and
/// nodes work, budgets of time do not end anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct BareHost;

impl Host for BareHost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}
