//! The table of positions that the threads of a search share without locks.
//!
//! An entry is a word: what is left of the key's one-to-one image beside the bits that name the bucket, the bounds of the
//! score, and how much work they took. Together bucket and entry give the whole key, so that no two positions are ever taken
//! for one another. Boards of more than 64 bits have a second word an entry, XORed with the first: what two threads
//! wrote half each is not recognised.
//! A bucket keeps the entries that took most work, and in its last place the newest one.
//! [`Near`] is the small table of one thread, for positions near the end.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use raichi_machine::{Zeroed, prefetch};

use super::board::{Cells, Shape};

/// What is known of a position's score: it lies between these, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds { lower: -OFFSET, upper: OFFSET - 1 };

    #[inline]
    pub(super) fn narrow(&mut self, known: Bounds) {
        self.lower = self.lower.max(known.lower);
        self.upper = self.upper.min(known.upper);
    }

    /// The bound that says on which side of `beta` the score is, where one does.
    #[inline]
    pub(super) fn decides(self, beta: i32) -> Option<i32> {
        if self.upper < beta { Some(self.upper) } else { (self.lower >= beta).then_some(self.lower) }
    }
}

/// Scores are kept as so much more, to be positive; no board has so many stones a seat.
const OFFSET: i32 = 64;
const BOUND: u32 = 7;
const WORK: u32 = 5;
const DATA: u32 = 2 * BOUND + WORK;
/// Fewer buckets would leave the word too little room for the rest of the key.
pub(super) const FEWEST_BUCKETS: usize = 1 << DATA;
const WAYS: usize = 4;
/// A large page, in bytes.
const PAGE: usize = 2 << 20;

pub(super) struct Table {
    words: Zeroed<AtomicU64>,
    /// Words an entry.
    n_words: usize,
    /// The bits of a hash that name its bucket: those above.
    shift: u32,
}

/// A position's place in the table.
#[derive(Clone, Copy)]
pub(super) struct Place {
    first: usize,
    tag: u64,
    low: u64,
}

fn data(bounds: Bounds, work: u32) -> u64 {
    let bound = |score: i32| (score + OFFSET) as u64;
    bound(bounds.lower) | bound(bounds.upper) << BOUND | u64::from(work) << (2 * BOUND)
}

#[inline]
fn bounds(word: u64) -> Bounds {
    let bound = |shift: u32| (word >> shift & ((1 << BOUND) - 1)) as i32 - OFFSET;
    Bounds { lower: bound(0), upper: bound(BOUND) }
}

#[inline]
fn work(word: u64) -> u32 {
    (word >> (2 * BOUND)) as u32 & ((1 << WORK) - 1)
}

impl Table {
    /// As large as fits in so many bytes, for boards of one word or of two; `None` where that is too little.
    pub(super) fn new<C: Cells>(bytes: usize) -> Option<Table> {
        let n_words = size_of::<C>() / 8;
        let buckets = bytes / (8 * n_words * WAYS);
        if buckets < FEWEST_BUCKETS {
            return None;
        }
        let bits = buckets.ilog2();
        Some(Table { words: Zeroed::new((n_words * WAYS) << bits)?, n_words, shift: 64 - bits })
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Touches every large page, which the system clears then; `false` where the work is over before. A search jumps about, and
    /// would touch nearly all of them before it looked at the clock.
    pub(super) fn touch(&self, is_over: &dyn Fn() -> bool) -> bool {
        self.words.chunks(PAGE / 8).all(|page| {
            // A zero is written where there is one: the system clears no page that is only read.
            let _ = page[0].compare_exchange(0, 0, Relaxed, Relaxed);
            !is_over()
        })
    }

    #[inline]
    pub(super) fn place<S: Shape>(&self, key: S::Cells, shape: S) -> Place {
        let [high, low] = key.spread(shape.n_bits());
        let first = (high >> self.shift) as usize * WAYS * self.n_words;
        Place { first, tag: high << (64 - self.shift), low }
    }

    #[inline]
    pub(super) fn prefetch(&self, place: Place) {
        prefetch(&self.words[place.first]);
    }

    /// What is known of the position there.
    #[inline]
    pub(super) fn get<C: Cells>(&self, place: Place) -> Option<Bounds> {
        let entries = self.bucket(place);
        for i in 0..WAYS {
            let word = entries[i * self.n_words].load(Relaxed);
            if self.is_of::<C>(word, &entries[i * self.n_words..], place) {
                return Some(bounds(word));
            }
        }
        None
    }

    #[inline]
    fn bucket(&self, place: Place) -> &[AtomicU64] {
        &self.words[place.first..place.first + WAYS * self.n_words]
    }

    #[inline]
    fn is_of<C: Cells>(&self, word: u64, entry: &[AtomicU64], place: Place) -> bool {
        // The tag lies in the upper bits, what it left free below; an entry never written has no work.
        (word ^ place.tag) >> DATA == 0
            && word & ((1 << DATA) - 1) != 0
            && (size_of::<C>() == 8 || entry[1].load(Relaxed) ^ word == place.low)
    }

    /// Keeps what was found out, in place of what matters least.
    #[inline]
    pub(super) fn put<C: Cells>(&self, place: Place, bounds: Bounds, work_done: u32) {
        let entries = self.bucket(place);
        let mut new = place.tag >> DATA << DATA | data(bounds, work_done);
        let mut low = place.low;
        for i in 0..WAYS {
            let entry = &entries[i * self.n_words..];
            let old = entry[0].load(Relaxed);
            let same = self.is_of::<C>(old, entry, place);
            // The last place takes whatever comes.
            if same || i == WAYS - 1 || work(old) <= work(new) {
                let old_low = if size_of::<C>() == 8 { 0 } else { entry[1].load(Relaxed) ^ old };
                entry[0].store(new, Relaxed);
                if size_of::<C>() > 8 {
                    entry[1].store(low ^ new, Relaxed);
                }
                if same {
                    return;
                }
                (new, low) = (old, old_low);
            }
        }
    }
}

/// The small table of one thread: each position has one place, the newest takes it.
pub(super) struct Near<C>(Vec<(C, i8, i8)>);

/// Half a megabyte on boards of one word: it stays in a core's own cache.
const NEAR_BITS: u32 = 15;

impl<C: Cells> Near<C> {
    pub(super) const BYTES: usize = size_of::<(C, i8, i8)>() << NEAR_BITS;

    pub(super) fn new() -> Near<C> {
        // No position has this key: a column never ends in ones only.
        Near(vec![(!C::NONE, 0, 0); 1 << NEAR_BITS])
    }

    #[inline]
    fn index(key: C) -> usize {
        (key.spread(8 * size_of::<C>() as u32)[0] >> (64 - NEAR_BITS)) as usize
    }

    #[inline]
    pub(super) fn get(&self, position: C) -> Option<Bounds> {
        let (key, lower, upper) = self.0[Self::index(position)];
        (key == position).then_some(Bounds { lower: lower.into(), upper: upper.into() })
    }

    #[inline]
    pub(super) fn put(&mut self, position: C, bounds: Bounds) {
        self.0[Self::index(position)] = (position, bounds.lower as i8, bounds.upper as i8);
    }
}
