//! The transposition table: bounded, shared by threads without locks.
//!
//! An entry is two words, the data and the key xor the data, so that an entry torn by two writers is not found (Hyatt and
//! Mann 2002). Two entries a bucket: one keeps what took longest to find, the other what came last.

use std::sync::atomic::{AtomicU64, Ordering};

use raichi_machine::Zeroed;

use super::score::Score;

/// Which bound of the true value a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

/// What is known of a position; lengths count from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// The place of the best action in the order in which the game lists them.
    pub(super) best: u8,
    /// The logarithm of the nodes that it took.
    pub(super) effort: u8,
}

impl Known {
    fn pack(self) -> u64 {
        let (payoff, length) = self.score.parts();
        u64::from(payoff as u32) << 32
            | u64::from(length as i16 as u16) << 16
            | u64::from(self.best) << 8
            | u64::from(self.effort.min(63)) << 2
            | self.bound as u64
    }

    fn unpack(data: u64) -> Option<Known> {
        let bound = match data & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let score = Score::from_parts((data >> 32) as i32, i32::from((data >> 16) as i16));
        Some(Known { score, bound, best: (data >> 8) as u8, effort: (data >> 2 & 63) as u8 })
    }
}

/// Of each entry the key xor the data, and the data.
type Bucket = [[AtomicU64; 2]; 2];

pub(super) struct Table {
    buckets: Zeroed<Bucket>,
}

impl Table {
    /// A table of at most so many bytes; `None` where they are not to be had.
    pub(super) fn new(bytes: usize) -> Option<Table> {
        let n_buckets = (bytes / size_of::<Bucket>()).max(2);
        // The greatest power of two that is not more.
        Zeroed::new(1 << n_buckets.ilog2()).map(|buckets| Table { buckets })
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key).then(|| Known::unpack(data)).flatten()
        })
    }

    pub(super) fn put(&self, key: u64, known: Known) {
        let [first, last] = self.bucket(key);
        let old = first[1].load(Ordering::Relaxed);
        let is_own = first[0].load(Ordering::Relaxed) ^ old == key;
        let yields = is_own || Known::unpack(old).is_none_or(|old| old.effort <= known.effort);
        let [check, data] = if yields { first } else { last };
        let packed = known.pack();
        check.store(key ^ packed, Ordering::Relaxed);
        data.store(packed, Ordering::Relaxed);
    }

    /// How many entries it has room for.
    pub(super) fn n_entries(&self) -> u64 {
        2 * self.buckets.len() as u64
    }

    /// Puts in all that another one has.
    pub(super) fn take_over(&self, other: &Table) {
        for [check, data] in other.buckets.iter().flatten() {
            let data = data.load(Ordering::Relaxed);
            if let Some(known) = Known::unpack(data) {
                self.put(check.load(Ordering::Relaxed) ^ data, known);
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val::<[Bucket]>(&self.buckets) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let table = Table::new(1 << 12).unwrap();
        assert_eq!(table.bytes(), 1 << 12);
        for (n, bound) in [Bound::Lower, Bound::Upper, Bound::Exact].into_iter().enumerate() {
            for payoff in [-1.0, 0.0, 0.5, 40.0] {
                let known = Known { score: Score::lasting(payoff, 999, n % 2), bound, best: 200, effort: 63 };
                let key = 0x1234_5678_9abc_def0 + n as u64;
                table.put(key, known);
                assert_eq!(table.get(key), Some(known));
            }
        }
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn a_larger_table_takes_over_what_is_known() {
        let (small, large) = (Table::new(1 << 10).unwrap(), Table::new(1 << 14).unwrap());
        let known = Known { score: Score::of(1.0), bound: Bound::Lower, best: 3, effort: 4 };
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (1..10).for_each(|n| small.put(key(n), known));
        let kept = (1..10).filter(|&n| small.get(key(n)).is_some()).count();
        large.take_over(&small);
        assert!(kept > 5 && (1..10).filter(|&n| large.get(key(n)) == Some(known)).count() == kept);
    }

    #[test]
    fn what_took_longest_stays() {
        let table = Table::new(1).unwrap();
        let known = |effort| Known { score: Score::of(1.0), bound: Bound::Exact, best: 0, effort };
        let key = |n: u64| n << 8;
        table.put(key(1), known(9));
        table.put(key(2), known(3));
        table.put(key(3), known(2));
        assert_eq!([1, 2, 3].map(|n| table.get(key(n)).is_some()), [true, false, true]);
    }
}
