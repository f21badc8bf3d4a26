//! Whether a search may go on: its simulations (or nodes) are counted, and the clock is read often enough.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::agent::Limits;

/// How long a search should go between two readings of the clock.
const BETWEEN_READINGS: Duration = Duration::from_micros(500);

/// After how many steps the clock is read at the latest. Steps can suddenly become a thousand times as slow, when a search
/// begins to touch memory that the system has yet to clear. A reading takes some 25 ns, so that this costs less than half a
/// nanosecond a step.
const MOST_STEPS: u64 = 64;

/// What chance does is no step, but a search of which nothing else is counted must end too: after so many outcomes for each step
/// that it may make. Searches that draw from many outcomes, as they do unless told otherwise, stay far below.
const OUTCOMES_A_STEP: u64 = 1000;

/// One thread's share of a budget.
#[derive(Clone)]
pub(crate) struct Clock<'a> {
    limits: Limits<'a>,
    deadline: Option<Duration>,
    max_simulations: u64,
    max_nodes: u64,
    nodes: u64,
    /// Set when another thread has made further search needless.
    settled: Option<&'a AtomicBool>,
    simulations: u64,
    ended: bool,
    /// What was done that is no step.
    between: u64,
    next_reading: u64,
    last_reading: (u64, Duration),
}

impl<'a> Clock<'a> {
    /// The share of thread `thread` of `n_threads` in a decision that began at `start`.
    pub(crate) fn new(limits: Limits<'a>, start: Duration, thread: u64, n_threads: u64) -> Clock<'a> {
        let share = |all: u64| all / n_threads + u64::from(thread < all % n_threads);
        Clock {
            deadline: limits.budget.time.map(|time| start + time - time_to_answer(time)),
            max_simulations: limits.budget.simulations.map_or(u64::MAX, share),
            max_nodes: limits.budget.nodes.map_or(u64::MAX, share),
            nodes: 0,
            limits,
            settled: None,
            simulations: 0,
            ended: false,
            between: 0,
            next_reading: 0,
            last_reading: (0, start),
        }
    }

    /// The same for a search whose steps are nodes.
    pub(crate) fn of_nodes(limits: Limits<'a>, start: Duration, thread: u64, n_threads: u64) -> Clock<'a> {
        let budget = crate::Budget { simulations: limits.budget.nodes, nodes: None, ..limits.budget };
        Clock::new(Limits { budget, ..limits }, start, thread, n_threads)
    }

    /// The search also ends when `settled` is set.
    pub(crate) fn until_settled(self, settled: &'a AtomicBool) -> Clock<'a> {
        Clock { settled: Some(settled), ..self }
    }

    /// Whether a step was refused.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// How many steps were allowed so far.
    pub(crate) fn simulations(&self) -> u64 {
        self.simulations
    }

    /// How many nodes the steps have entered.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Takes note of the nodes that a step of many has entered. The step in which the last one allowed is entered is the last.
    #[inline]
    pub(crate) fn enter(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.nodes >= self.max_nodes {
            self.max_simulations = self.simulations;
        }
    }

    /// Asks for one more step.
    #[inline]
    pub(crate) fn allows_another(&mut self) -> bool {
        // The flag is looked at before each step, since a step costs up to a millisecond where the system has yet to find memory
        // for what it touches.
        let is_over = self.limits.cancel.is_cancelled()
            || self.simulations >= self.next_reading && self.is_over()
            || self.simulations >= self.max_simulations;
        if is_over {
            self.ended = true;
            return false;
        }
        self.simulations += 1;
        true
    }

    /// Asks for something that is no step but takes time: what chance does. The clock is read now and then.
    #[inline]
    pub(crate) fn goes_on(&mut self) -> bool {
        self.between += 1;
        if self.limits.cancel.is_cancelled()
            || self.between.is_multiple_of(256) && self.is_over()
            || self.between > self.max_simulations.saturating_mul(OUTCOMES_A_STEP)
        {
            self.ended = true;
        }
        !self.ended
    }

    #[cold]
    fn is_over(&mut self) -> bool {
        let now = self.limits.host.now();
        let left = self.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_sub(now));
        let settled = self.settled.is_some_and(|settled| settled.load(Ordering::Relaxed));
        if left.is_zero() || settled {
            return true;
        }
        // The cost of a simulation changes slowly within a search, so the last interval predicts the next; but a first,
        // cold one says little: from one reading to the next the number of simulations at most doubles.
        let (then, elapsed) = (self.last_reading.0, now.saturating_sub(self.last_reading.1));
        let done = self.simulations - then;
        let each = (elapsed.as_nanos() / u128::from(done.max(1))).max(1);
        let affordable = (BETWEEN_READINGS.min(left / 2).as_nanos() / each) as u64;
        self.next_reading = self.simulations + affordable.clamp(1, (2 * done).clamp(1, MOST_STEPS));
        self.last_reading = (self.simulations, now);
        false
    }
}

/// What is kept back from the time for merging, reporting and freeing memory.
fn time_to_answer(time: Duration) -> Duration {
    (time / 20).min(Duration::from_millis(20))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use raichi_core::host::{BareHost, CancelFlag, Host};

    use super::*;
    use crate::agent::Budget;

    /// A clock that goes on only when it is told to.
    #[derive(Default)]
    struct SetClock(AtomicU64);

    impl SetClock {
        fn pass(&self, time: Duration) {
            self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    impl Host for SetClock {
        fn now(&self) -> Duration {
            Duration::from_nanos(self.0.load(Ordering::Relaxed))
        }
        fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
            BareHost.run(jobs);
        }
    }

    fn simulations(mut clock: Clock<'_>, mut simulate: impl FnMut()) -> u64 {
        while clock.allows_another() {
            simulate();
        }
        clock.simulations()
    }

    #[test]
    fn simulations_are_shared_out_to_the_last() {
        let cancel = CancelFlag::default();
        let limits = Limits { budget: Budget::simulations(10), cancel: &cancel, host: &BareHost };
        let shares = [0, 1, 2, 3].map(|thread| simulations(Clock::new(limits, Duration::ZERO, thread, 4), || {}));
        assert_eq!(shares, [3, 3, 2, 2]);
    }

    #[test]
    fn the_step_that_enters_the_last_node_is_finished_and_none_after_it() {
        let cancel = CancelFlag::default();
        let budget = Budget { nodes: Some(21), ..Budget::UNLIMITED };
        let limits = Limits { budget, cancel: &cancel, host: &BareHost };
        // Shares of 11 and 10.
        for (thread, steps) in [(0, 3), (1, 2)] {
            let mut clock = Clock::new(limits, Duration::ZERO, thread, 2);
            while clock.allows_another() {
                clock.enter(5);
            }
            assert_eq!((clock.simulations(), clock.nodes()), (steps, 5 * steps));
        }
    }

    #[test]
    fn time_ends_a_search_of_slow_and_of_fast_simulations() {
        let cancel = CancelFlag::default();
        // 40 ms, of which 2 are kept back.
        for (each, expected) in
            [(1_000, 37_000..=38_000), (100_000, 375..=380), (15_000_000, 3..=3), (38_000_000, 1..=1)]
        {
            let host = SetClock::default();
            let limits = Limits { budget: Budget::time(Duration::from_millis(40)), cancel: &cancel, host: &host };
            let clock = Clock::new(limits, Duration::ZERO, 0, 1);
            let made = simulations(clock, || host.pass(Duration::from_nanos(each)));
            assert!(expected.contains(&made), "{made} simulations of {each} ns");
            let over = host.now().saturating_sub(Duration::from_millis(38));
            assert!(over < Duration::from_nanos(each).max(Duration::from_millis(1)), "{over:?} over the deadline");
        }
    }

    #[test]
    fn a_deadline_that_has_passed_allows_nothing() {
        let (cancel, host) = (CancelFlag::default(), SetClock::default());
        host.pass(Duration::from_millis(50));
        let limits = Limits { budget: Budget::time(Duration::from_millis(40)), cancel: &cancel, host: &host };
        assert_eq!(simulations(Clock::new(limits, Duration::ZERO, 0, 1), || {}), 0);
    }

    #[test]
    fn steps_that_become_slow_at_once_are_noticed() {
        let cancel = CancelFlag::default();
        let host = SetClock::default();
        let limits = Limits { budget: Budget::time(Duration::from_millis(400)), cancel: &cancel, host: &host };
        let mut n = 0;
        simulations(Clock::new(limits, Duration::ZERO, 0, 1), || {
            n += 1;
            host.pass(if n < 100_000 { Duration::from_nanos(100) } else { Duration::from_micros(200) });
            if n == 100_010 {
                cancel.cancel();
            }
        });
        assert!(host.now() < Duration::from_millis(10 + 20), "{:?}", host.now());
    }

    #[test]
    fn cancelling_ends_a_search_without_any_other_bound() {
        let (cancel, host) = (CancelFlag::default(), SetClock::default());
        let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
        let mut n = 0;
        let made = simulations(Clock::new(limits, Duration::ZERO, 0, 1), || {
            n += 1;
            host.pass(Duration::from_micros(1));
            if n == 1000 {
                cancel.cancel();
            }
        });
        assert!((1000..4000).contains(&made), "{made}");
    }
}
