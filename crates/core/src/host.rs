//! What searches and solvers use of the machine: a clock, threads, and a flag that cancels them. They come in from outside,
//! so that a search runs where there are none (in a browser) and so that tests can set the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Work for a thread.
pub type Job<'a> = Box<dyn FnMut() + Send + 'a>;

/// A clock and threads.
pub trait Host: Sync {
    /// The time since some fixed moment; it never goes back.
    fn now(&self) -> Duration;

    /// Runs all jobs, at the same time where there are threads, and returns when all have ended.
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]);

    /// The same with jobs that are handed over. What makes them is often compiled for each game, this is compiled once.
    fn run_all(&self, mut jobs: Vec<Job<'_>>) {
        let mut jobs: Vec<&mut (dyn FnMut() + Send)> = jobs.iter_mut().map(|job| &mut **job as _).collect();
        self.run(&mut jobs);
    }
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

/// A flag that makes a search return at once with the best action it has. Clones share the flag.
///
/// It stays set until it is reset, so that cancelling before a decision begins is not lost.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Makes the search return.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets the next search use its budget again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search is to return.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
