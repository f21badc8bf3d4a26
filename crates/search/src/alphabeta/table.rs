//! The transposition table: what was found out about positions, of a fixed size, shared by threads without locks.
//!
//! An entry is two words, of which the first is the position's key XOR the second: what two threads have written half each
//! is no entry of any position (Hyatt and Mann, *A lock-less transposition table implementation for parallel search*, 2002).
//! Four entries share a cache line; the shallowest of the oldest makes room.

use std::sync::atomic::{AtomicU64, Ordering};

use raichi_machine::{Zeroed, prefetch};

/// In an entry's `height`: it rests on estimates.
pub(super) const OPEN: u8 = 255;
/// In an entry's `height`: proven, by lines of this many plies or more.
pub(super) const HIGH: u8 = 254;

/// The greatest absolute score that an entry holds.
pub(super) const MAX_SCORE: i32 = (1 << 23) - 1;

/// What the score of an entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Nothing.
    None,
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value is the score.
    Exact,
}

impl Bound {
    /// From two bits, in the order of the words.
    pub(super) fn of_bits(bits: u64) -> Bound {
        match bits {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// How deep it was searched.
    pub(super) depth: u8,
    /// How many plies on the farthest end of its proof lies, or [`OPEN`].
    pub(super) height: u8,
    /// Which of the legal actions was best.
    pub(super) action: u16,
}

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.action)
            | u64::from((self.score + MAX_SCORE) as u32) << 16
            | u64::from(self.depth) << 40
            | u64::from(self.height) << 48
            | (self.bound as u64) << 56
            | u64::from(generation) << 58
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            action: data as u16,
            score: (data >> 16 & 0xff_ffff) as i32 - MAX_SCORE,
            depth: (data >> 40) as u8,
            height: (data >> 48) as u8,
            bound: Bound::of_bits(data >> 56 & 3),
        }
    }
}

/// The check and what is known.
type Slot = [AtomicU64; 2];

#[inline]
fn read([check, data]: &Slot) -> (u64, u64) {
    let data = data.load(Ordering::Relaxed);
    (check.load(Ordering::Relaxed) ^ data, data)
}

#[inline]
fn write([check, data]: &Slot, key: u64, known: u64) {
    check.store(key ^ known, Ordering::Relaxed);
    data.store(known, Ordering::Relaxed);
}

/// A cache line, where the memory begins at one.
type Bucket = [Slot; 4];

/// Generations are counted so far and begin again.
const GENERATIONS: u8 = 64;
/// The smallest table.
const FEWEST_BUCKETS: usize = 1 << 10;

/// The table.
pub(super) struct Table {
    buckets: Zeroed<Bucket>,
    generation: u8,
}

impl Table {
    /// A table of at most `bytes` (but no smaller than the smallest) that has room for `n_entries`, or for fewer where the
    /// system does not give so much memory.
    pub(super) fn new(bytes: usize, n_entries: u64) -> Table {
        Table { buckets: empty(n_buckets(bytes, n_entries)), generation: 0 }
    }

    /// Makes room for `n_entries`, within `bytes`; what the table holds is kept, and is older than what comes.
    pub(super) fn begin_decision(&mut self, bytes: usize, n_entries: u64) {
        self.generation = (self.generation + 1) % GENERATIONS;
        let wanted = n_buckets(bytes, n_entries);
        if wanted <= self.buckets.len() {
            return;
        }
        let larger = empty(wanted);
        if larger.len() <= self.buckets.len() {
            return;
        }
        let old = std::mem::replace(&mut self.buckets, larger);
        for slot in old.iter().flatten() {
            let (key, data) = read(slot);
            if data != 0 {
                let free = self.bucket(key).iter().find(|slot| read(slot).1 == 0);
                write(free.expect("the entries of a bucket are spread over several"), key, data);
            }
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The number of buckets is a power of two; the low bits choose one, so that a larger table divides a smaller one's.
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// Asks for what is known about a position, and does not wait for it.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about a position.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let mut slots = self.bucket(key).iter().map(read);
        slots.find(|&(k, data)| k == key && data != 0).map(|(_, data)| Entry::unpack(data))
    }

    /// Takes note of what was found out about a position. Where that is nothing but an action it displaces no more.
    #[inline]
    pub(super) fn keep(&self, key: u64, entry: Entry) {
        let (mut displaced, mut least) = (0, u32::MAX);
        let slots = self.bucket(key);
        for (i, slot) in slots.iter().enumerate() {
            let (k, data) = read(slot);
            if k == key && data != 0 {
                if entry.bound == Bound::None && data >> 56 & 3 != 0 {
                    return;
                }
                displaced = i;
                break;
            }
            let age = u32::from((GENERATIONS + self.generation - (data >> 58) as u8) % GENERATIONS);
            let rank =
                if data == 0 { 0 } else { 1 + (data >> 40 & 0xff) as u32 + 256 * (u32::from(GENERATIONS) - age) };
            if rank < least {
                (displaced, least) = (i, rank);
            }
        }
        write(&slots[displaced], key, entry.pack(self.generation));
    }
}

/// So many buckets, or half as many (and so on) where the system does not give so much memory.
fn empty(mut n_buckets: usize) -> Zeroed<Bucket> {
    loop {
        match Zeroed::new(n_buckets) {
            Some(buckets) => return buckets,
            None if n_buckets > FEWEST_BUCKETS => n_buckets /= 2,
            None => panic!("the system has no memory left"),
        }
    }
}

fn n_buckets(bytes: usize, n_entries: u64) -> usize {
    let most = (bytes / size_of::<Bucket>()).max(1);
    // The greatest power of two within what is allowed.
    let most = 1 << most.ilog2();
    let wanted = usize::try_from(n_entries.div_ceil(4)).unwrap_or(usize::MAX).clamp(FEWEST_BUCKETS, usize::MAX / 2);
    wanted.next_power_of_two().min(most).max(FEWEST_BUCKETS)
}

#[cfg(test)]
mod tests {
    use raichi_core::random::mix;

    use super::*;

    fn entry(i: u64) -> Entry {
        let bound = [Bound::Upper, Bound::Lower, Bound::Exact][i as usize % 3];
        let score = (mix(i) % (2 * MAX_SCORE as u64)) as i32 - MAX_SCORE;
        Entry { score, bound, depth: i as u8, height: mix(i) as u8, action: i as u16 }
    }

    #[test]
    fn entries_read_back() {
        let table = Table::new(1 << 20, 100);
        for i in 0..1000 {
            table.keep(mix(i), entry(i));
            assert_eq!(table.find(mix(i)), Some(entry(i)));
        }
        assert_eq!(table.find(mix(1000)), None);
        let extreme = Entry { score: -MAX_SCORE, ..entry(0) };
        table.keep(7, extreme);
        assert_eq!(table.find(7), Some(extreme));
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let mut table = Table::new(1 << 20, 100);
        (0..2000).for_each(|i| table.keep(mix(i), entry(i)));
        let held: Vec<u64> = (0..2000).filter(|&i| table.find(mix(i)).is_some()).collect();
        assert!(held.len() > 1500);
        let before = table.buckets.len();
        table.begin_decision(1 << 20, 50_000);
        assert!(table.buckets.len() > before && table.buckets.len() * size_of::<Bucket>() <= 1 << 20);
        assert!(held.iter().all(|&i| table.find(mix(i)) == Some(entry(i))));
    }

    #[test]
    fn where_there_is_less_memory_than_allowed_the_table_is_smaller() {
        let table = Table::new(1 << 60, u64::MAX);
        assert!((FEWEST_BUCKETS..1 << 54).contains(&table.buckets.len()));
        table.keep(7, entry(7));
        assert_eq!(table.find(7), Some(entry(7)));
    }

    #[test]
    fn what_was_searched_deepest_stays_until_it_is_old() {
        let mut table = Table::new(1, 1);
        let n = table.buckets.len() as u64;
        // All in one bucket.
        let keep = |table: &Table, i: u64, depth| table.keep(i * n, Entry { depth, ..entry(i) });
        (1..=4).for_each(|i| keep(&table, i, 10 * i as u8));
        keep(&table, 5, 1);
        assert!(table.find(n).is_none() && (2..=5).all(|i| table.find(i * n).is_some()));
        table.begin_decision(1, 1);
        keep(&table, 6, 1);
        assert!(table.find(5 * n).is_none(), "the shallowest of the old");
        keep(&table, 7, 1);
        assert!(table.find(2 * n).is_none() && table.find(6 * n).is_some());
    }

    #[test]
    fn an_action_alone_displaces_nothing_known() {
        let table = Table::new(1, 1);
        table.keep(9, entry(1));
        table.keep(9, Entry { bound: Bound::None, ..entry(2) });
        assert_eq!(table.find(9), Some(entry(1)));
    }
}
