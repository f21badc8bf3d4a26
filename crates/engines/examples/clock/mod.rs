//! The processor's time, for examples that measure.

use std::time::SystemTime;

/// Processor time of this thread in seconds, which other programs on the machine do not lengthen; by the clock where the system
/// does not say it.
pub(crate) fn processor_seconds() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
        |nanoseconds| nanoseconds / 1e9,
    )
}
