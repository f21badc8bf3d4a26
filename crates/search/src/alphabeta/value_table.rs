//! A table of positions with payoffs that are no integers, of one thread.

use arrayvec::ArrayVec;
use raichi_core::seat::MAX_SEATS;

use super::table::Bound;

/// A number a seat, or the one of the seat that searches.
pub(super) type Values = ArrayVec<f64, MAX_SEATS>;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    key: u64,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) proven: bool,
    /// Which of the legal actions was best.
    pub(super) action: u16,
}

/// The table. An entry gives way to any other of its place that is as deep, and to every one of a later decision.
pub(super) struct ValueTable {
    entries: Vec<Option<Known>>,
    /// `n_seats` for each entry.
    values: Vec<f64>,
    n_seats: usize,
}

impl ValueTable {
    /// A table of at most `bytes` with room for `n_entries`, no smaller than the smallest.
    pub(super) fn new(bytes: usize, n_entries: u64, n_seats: usize) -> ValueTable {
        let each = size_of::<Option<Known>>() + n_seats * size_of::<f64>();
        let most = (bytes / each).max(1024);
        let most = 1 << most.ilog2();
        let n = usize::try_from(n_entries).unwrap_or(usize::MAX).clamp(1024, most).next_power_of_two().min(most);
        ValueTable { entries: vec![None; n], values: vec![0.0; n * n_seats], n_seats }
    }

    pub(super) fn find(&self, key: u64) -> Option<(Known, &[f64])> {
        let place = key as usize & (self.entries.len() - 1);
        let known = self.entries[place].filter(|known| known.key == key)?;
        Some((known, &self.values[place * self.n_seats..][..self.n_seats]))
    }

    /// Takes note of what was found out; `values` are one a seat, or one alone.
    pub(super) fn keep(&mut self, key: u64, depth: u32, bound: Bound, proven: bool, action: usize, values: &[f64]) {
        let place = key as usize & (self.entries.len() - 1);
        let known = Known { key, depth: depth.min(255) as u8, bound, proven, action: action as u16 };
        if self.entries[place].is_some_and(|old| old.key != key && old.depth > known.depth) {
            return;
        }
        self.entries[place] = Some(known);
        self.values[place * self.n_seats..][..values.len()].copy_from_slice(values);
    }

    /// Makes all that is kept give way first; it still serves.
    pub(super) fn age(&mut self) {
        // What is proven needs no depth, and what is not is soon found again.
        self.entries.iter_mut().for_each(|entry| *entry = entry.filter(|known| known.proven));
    }
}
