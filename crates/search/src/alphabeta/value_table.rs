//! A table of positions with payoffs that are no integers, of one thread.

use arrayvec::ArrayVec;
use raichi_core::seat::MAX_SEATS;

use super::table::Bound;

/// A number a seat, or the one of the seat that searches.
pub(super) type Values = ArrayVec<f64, MAX_SEATS>;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) proven: bool,
    /// Which of the legal actions was best.
    pub(super) action: u16,
}

/// In an entry's word: that there is one.
const IS_KNOWN: u64 = 1 << 63;

impl Known {
    fn pack(self, generation: u16) -> u64 {
        let (depth, action) = (u64::from(self.depth) << 8, u64::from(self.action) << 16);
        IS_KNOWN | u64::from(generation) << 32 | action | depth | u64::from(self.proven) << 2 | self.bound as u64
    }

    /// `None` where there is nothing, or what is left of an earlier decision and proven by nothing: that needs no depth to be
    /// found again.
    fn unpack(word: u64, generation: u16) -> Option<Known> {
        let proven = word >> 2 & 1 == 1;
        let counts = word & IS_KNOWN != 0 && (proven || (word >> 32) as u16 == generation);
        counts.then(|| Known {
            depth: (word >> 8) as u8,
            bound: Bound::of_bits(word & 3),
            proven,
            action: (word >> 16) as u16,
        })
    }
}

/// The table. An entry gives way to any other of its place that is as deep, and to every one of a later decision unless it is
/// proven.
pub(super) struct ValueTable {
    /// Keys, and what is known packed into a word. Zeros are free of charge until they are written: no decision waits for a
    /// large table.
    entries: Vec<[u64; 2]>,
    /// `n_seats` for each entry.
    values: Vec<f64>,
    n_seats: usize,
    /// Of the decision. After 65,536 of them an old entry may count again, which is as right as it was.
    generation: u16,
}

impl ValueTable {
    /// A table of at most `bytes` with room for `n_entries` or for what the system gives, no smaller than the smallest.
    pub(super) fn new(bytes: usize, n_entries: u64, n_seats: usize) -> ValueTable {
        let each = size_of::<[u64; 2]>() + n_seats * size_of::<f64>();
        let most = (bytes / each).max(1024);
        let most = 1 << most.ilog2();
        let mut n = usize::try_from(n_entries).unwrap_or(usize::MAX).clamp(1024, most).next_power_of_two().min(most);
        // Where the system does not give so much memory, half of it, and so on.
        while n > 1024 && Vec::<u8>::new().try_reserve_exact(n * each).is_err() {
            n /= 2;
        }
        ValueTable { entries: vec![[0; 2]; n], values: vec![0.0; n * n_seats], n_seats, generation: 0 }
    }

    pub(super) fn find(&self, key: u64) -> Option<(Known, &[f64])> {
        let place = key as usize & (self.entries.len() - 1);
        let [kept, word] = self.entries[place];
        let known = Known::unpack(word, self.generation).filter(|_| kept == key)?;
        Some((known, &self.values[place * self.n_seats..][..self.n_seats]))
    }

    /// Takes note of what was found out; `values` are one a seat, or one alone.
    pub(super) fn keep(&mut self, key: u64, depth: u32, bound: Bound, proven: bool, action: usize, values: &[f64]) {
        let place = key as usize & (self.entries.len() - 1);
        let known = Known { depth: depth.min(255) as u8, bound, proven, action: action as u16 };
        let [kept, word] = self.entries[place];
        if Known::unpack(word, self.generation).is_some_and(|old| kept != key && old.depth > known.depth) {
            return;
        }
        self.entries[place] = [key, known.pack(self.generation)];
        self.values[place * self.n_seats..][..values.len()].copy_from_slice(values);
    }

    /// Begins the next decision: only what is proven still counts.
    pub(super) fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_comes_back_and_only_proofs_outlive_a_decision() {
        let mut table = ValueTable::new(1 << 16, 1024, 2);
        let n = table.entries.len() as u64;
        assert!(table.find(0).is_none() && table.find(7).is_none());
        for (key, depth, bound, proven, action) in
            [(0, 3, Bound::Upper, false, 0), (7, 255, Bound::Exact, true, 65_535), (8, 0, Bound::Lower, false, 300)]
        {
            table.keep(key, depth, bound, proven, action, &[0.5, -0.5]);
            let (known, values) = table.find(key).unwrap();
            assert_eq!(known, Known { depth: depth as u8, bound, proven, action: action as u16 });
            assert_eq!(values, [0.5, -0.5]);
        }
        // In the place of another: what is deeper stays, what is as deep gives way.
        table.keep(n, 2, Bound::Exact, false, 1, &[1.0, 0.0]);
        assert!(table.find(n).is_none() && table.find(0).is_some());
        table.keep(n, 3, Bound::Exact, false, 1, &[1.0, 0.0]);
        assert!(table.find(n).is_some() && table.find(0).is_none());
        table.age();
        assert!(table.find(n).is_none() && table.find(8).is_none() && table.find(7).is_some());
        table.keep(0, 1, Bound::Exact, false, 1, &[1.0, 0.0]);
        assert_eq!(table.find(0).unwrap().0.depth, 1, "what does not count any more gives way");
    }
}
