//! The table of proof and disproof numbers: bounded, and grown as it fills.

/// No proof, whatever is expanded: the number of a position that is disproven.
pub(super) const INFINITE: u32 = u32::MAX;

/// How many positions have at least to be proven or disproven for a proof or a disproof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const PROVEN: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVEN: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(super) fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    pub(super) fn is_solved(self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) numbers: Numbers,
    /// Positions expanded below, rounded down to what fits: entries that cost little make room for others.
    work: u32,
    /// Where it is solved, the place of the action that solves it, in the rules' order.
    pub(super) best: u16,
    is_used: bool,
}

const EMPTY: Entry = Entry { key: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0, best: 0, is_used: false };

/// Entries that a key may lie in.
const BUCKET: usize = 4;

/// The least that a table may take.
const FEWEST: usize = 1 << 12;

pub(super) struct Table {
    entries: Vec<Entry>,
    n_used: usize,
    /// A power of two.
    most: usize,
}

impl Table {
    /// A table that takes at most so many bytes, but always a few kilobytes.
    pub(super) fn new(bytes: usize) -> Table {
        let fits = (bytes / size_of::<Entry>()).max(FEWEST);
        Table { entries: Vec::new(), n_used: 0, most: 1 << fits.ilog2() }
    }

    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        self.bucket(key)?.iter().find(|entry| entry.is_used && entry.key == key)
    }

    /// Keeps what was found out about a position. Where there is no room it takes the place of what cost least.
    pub(super) fn put(&mut self, key: u64, numbers: Numbers, best: usize, work: u64) {
        if self.n_used * 4 >= self.entries.len() * 3 && self.entries.len() < self.most {
            self.grow();
        }
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let best = u16::try_from(best).unwrap_or(u16::MAX);
        self.insert(Entry { key, numbers, work, best, is_used: true });
    }

    fn insert(&mut self, new: Entry) {
        let first = self.first_of(new.key);
        let bucket = &mut self.entries[first..first + BUCKET];
        let place = bucket.iter().position(|old| old.is_used && old.key == new.key);
        let cost = |old: &Entry| (old.is_used, old.work);
        let place = place.or_else(|| (0..BUCKET).min_by_key(|&i| cost(&bucket[i]))).expect("a bucket is not empty");
        self.n_used += usize::from(!bucket[place].is_used);
        bucket[place] = new;
    }

    fn grow(&mut self) {
        let larger = (self.entries.len() * 2).clamp(FEWEST, self.most);
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; larger]);
        self.n_used = 0;
        old.into_iter().filter(|entry| entry.is_used).for_each(|entry| self.insert(entry));
    }

    fn bucket(&self, key: u64) -> Option<&[Entry]> {
        let first = self.first_of(key);
        self.entries.get(first..first + BUCKET)
    }

    fn first_of(&self, key: u64) -> usize {
        (key as usize) & self.entries.len().saturating_sub(1) & !(BUCKET - 1)
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::random::mix;

    use super::*;

    #[test]
    fn a_table_keeps_to_its_size_and_keeps_what_cost_most() {
        let bytes = FEWEST * 4 * size_of::<Entry>();
        let mut table = Table::new(bytes);
        let dear: Vec<u64> = (0..100).map(mix).collect();
        for &key in &dear {
            table.put(key, Numbers::PROVEN, 3, 1_000_000);
        }
        for i in 1_000..100_000 {
            table.put(mix(i), Numbers { proof: 2, disproof: 3 }, 0, 1);
        }
        assert!(table.entries.len() * size_of::<Entry>() <= bytes);
        assert!(
            dear.iter().all(|&key| table.get(key).is_some_and(|entry| entry.numbers.is_proven() && entry.best == 3))
        );
        assert!(table.get(mix(99_999)).is_some(), "the last one is there");
    }
}
