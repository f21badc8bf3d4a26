//! All numbers looked at once, by several threads, with breaks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use raichi_core::host::Job;

use crate::exact::{Unsolved, Work};

/// How many numbers a thread takes at once: some milliseconds of work, after which it looks at the clock.
const CHUNK: u64 = 1024;

/// Calls `job` for all numbers in `numbers`, a part at a time, and returns the first number that is left when the work is over
/// or the clock has reached `pause`: all before it are done.
///
/// # Errors
/// The first that a job returned.
pub(super) fn sweep(
    numbers: Range<u64>,
    work: &Work<'_>,
    pause: Option<Duration>,
    job: &(dyn Fn(Range<u64>) -> Result<(), Unsolved> + Sync),
) -> Result<u64, Unsolved> {
    let (next, stops) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let failure = Mutex::new(None);
    let run = || {
        while !stops.load(Ordering::Relaxed) {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= numbers.end {
                break;
            }
            if let Err(why) = job(from..(from + CHUNK).min(numbers.end)) {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                stops.store(true, Ordering::Relaxed);
            }
            if work.is_over() || pause.is_some_and(|pause| work.host.now() >= pause) {
                stops.store(true, Ordering::Relaxed);
            }
        }
    };
    let n_left = (numbers.end - numbers.start).div_ceil(CHUNK);
    let n_threads = work.n_threads.clamp(1, n_left.clamp(1, 1024) as usize);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for _ in 0..n_threads {
        jobs.push(Box::new(run));
    }
    work.host.run_all(jobs);
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(why) => Err(why),
        None => Ok(next.into_inner().min(numbers.end)),
    }
}
