//! A host with one thread, whose clock is the processor's.

use std::time::{Duration, Instant};

use raichi_core::Host;

/// The time that the processor gave to this thread: that of a shared machine's clock says less.
/// Where the system does not say it, the time since then.
pub(crate) struct Clock(pub(crate) Instant);

impl Host for Clock {
    fn now(&self) -> Duration {
        let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse().ok());
        nanoseconds.map_or_else(|| self.0.elapsed(), Duration::from_nanos)
    }

    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        jobs.iter_mut().for_each(|job| job());
    }
}
