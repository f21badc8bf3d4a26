//! Work without limits, for the tests of solvers.

use raichi_core::host::{BareHost, CancelFlag};
use raichi_solve::Work;

/// Calls `job` with work that never ends: one thread, a gigabyte, nothing kept.
pub(crate) fn unlimited<T>(job: impl FnOnce(&Work<'_>) -> T) -> T {
    let cancel = CancelFlag::default();
    job(&Work {
        deadline: None,
        cancel: &cancel,
        host: &BareHost,
        n_threads: 1,
        memory: 1 << 30,
        folder: None,
        progress: &|_| {},
    })
}
