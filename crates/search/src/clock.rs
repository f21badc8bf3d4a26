//! Whether a search may go on: its simulations are counted, and the clock is looked at often enough.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::agent::{Budget, Stop};

/// How long a search should go between two looks at the clock.
const BETWEEN_LOOKS: Duration = Duration::from_micros(500);

/// One thread's share of a budget.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    deadline: Option<Instant>,
    max_simulations: u64,
    stop: &'a Stop,
    /// Set when another thread has made further search needless.
    settled: Option<&'a AtomicBool>,
    simulations: u64,
    next_look: u64,
    last_look: (u64, Instant),
}

impl<'a> Clock<'a> {
    /// The share of thread `thread` of `n_threads` in a decision that began at `start`.
    pub(crate) fn new(budget: Budget, start: Instant, stop: &'a Stop, thread: u64, n_threads: u64) -> Clock<'a> {
        let share = |all: u64| all / n_threads + u64::from(thread < all % n_threads);
        Clock {
            deadline: budget.time.map(|time| start + time - time_to_answer(time)),
            max_simulations: budget.simulations.map_or(u64::MAX, share),
            stop,
            settled: None,
            simulations: 0,
            next_look: 0,
            last_look: (0, start),
        }
    }

    /// The search also ends when `settled` is set.
    pub(crate) fn until_settled(self, settled: &'a AtomicBool) -> Clock<'a> {
        Clock { settled: Some(settled), ..self }
    }

    /// How many simulations were allowed so far.
    pub(crate) fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Asks for one more simulation.
    #[inline]
    pub(crate) fn allows_another(&mut self) -> bool {
        if self.simulations >= self.next_look && self.time_is_up() || self.simulations >= self.max_simulations {
            return false;
        }
        self.simulations += 1;
        true
    }

    #[cold]
    fn time_is_up(&mut self) -> bool {
        let now = Instant::now();
        let left = self.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
        let settled = self.settled.is_some_and(|settled| settled.load(Ordering::Relaxed));
        if left.is_zero() || settled || self.stop.is_pressed() {
            return true;
        }
        // Simulations grow dearer within a search by small steps only, so the last stretch foretells the next; but a
        // first, cold one says little: from one look to the next their number at most doubles.
        let (then, elapsed) = (self.last_look.0, now - self.last_look.1);
        let done = (self.simulations - then).max(1);
        let each = (elapsed.as_nanos() / u128::from(done)).max(1);
        let affordable = (BETWEEN_LOOKS.min(left / 2).as_nanos() / each) as u64;
        self.next_look = self.simulations + affordable.clamp(1, 2 * done);
        self.last_look = (self.simulations, now);
        false
    }
}

/// What is kept back from the time for merging, telling and tidying up.
fn time_to_answer(time: Duration) -> Duration {
    (time / 20).min(Duration::from_millis(20))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulations(mut clock: Clock<'_>, mut simulate: impl FnMut()) -> u64 {
        while clock.allows_another() {
            simulate();
        }
        clock.simulations()
    }

    #[test]
    fn simulations_are_shared_out_to_the_last() {
        let (start, stop) = (Instant::now(), Stop::default());
        let budget = Budget::simulations(10);
        let shares = [0, 1, 2, 3].map(|thread| simulations(Clock::new(budget, start, &stop, thread, 4), || {}));
        assert_eq!(shares, [3, 3, 2, 2]);
    }

    #[test]
    fn time_ends_a_search_of_slow_and_of_fast_simulations() {
        let stop = Stop::default();
        let budget = Budget::time(Duration::from_millis(40));
        let fast = simulations(Clock::new(budget, Instant::now(), &stop, 0, 1), || {});
        assert!(fast > 100, "{fast}");
        let slow = Duration::from_millis(15);
        let few = simulations(Clock::new(budget, Instant::now(), &stop, 0, 1), || std::thread::sleep(slow));
        // 38 ms hold at most three whole simulations; after each the clock is looked at.
        assert!((1..=3).contains(&few), "{few}");
    }

    #[test]
    fn a_deadline_that_has_passed_allows_nothing() {
        let stop = Stop::default();
        let long_ago = Instant::now() - Duration::from_millis(50);
        assert_eq!(simulations(Clock::new(Budget::time(Duration::from_millis(40)), long_ago, &stop, 0, 1), || {}), 0);
    }

    #[test]
    fn the_button_ends_a_search_without_any_other_bound() {
        let stop = Stop::default();
        let mut n = 0;
        let made = simulations(Clock::new(Budget::default(), Instant::now(), &stop, 0, 1), || {
            n += 1;
            if n == 1000 {
                stop.press();
            }
        });
        assert!(made >= 1000);
    }
}
