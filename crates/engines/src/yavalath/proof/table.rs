//! What is known of positions, in a table that grows to its bound and forgets then what took least work.

use super::board::Places;

/// The numbers of df-pn for the seat to act, and what they rest on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    /// The least number of positions that must still be decided before the seat to act succeeds; 0 where it does.
    pub(super) phi: u32,
    /// The same before it fails.
    pub(super) delta: u32,
    /// Where it is decided: whether that rests on a draw, which counts for one of the seats.
    pub(super) by_draw: bool,
}

/// The number of what cannot be reached.
pub(super) const INFINITE: u32 = (1 << NUMBER_BITS) - 1;
/// No other number is greater.
pub(super) const LARGEST_FINITE: u32 = INFINITE - 1;
const NUMBER_BITS: u32 = 28;
const WORK_BITS: u32 = 6;

impl Numbers {
    pub(super) const fn succeeds(by_draw: bool) -> Numbers {
        Numbers { phi: 0, delta: INFINITE, by_draw }
    }

    pub(super) const fn fails(by_draw: bool) -> Numbers {
        Numbers { phi: INFINITE, delta: 0, by_draw }
    }

    pub(super) const fn open(phi: u32, delta: u32) -> Numbers {
        Numbers { phi, delta, by_draw: false }
    }

    pub(super) const fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// The same for the other seat.
    pub(super) const fn for_other_seat(self) -> Numbers {
        Numbers { phi: self.delta, delta: self.phi, by_draw: self.by_draw }
    }
}

/// A key, which is never 0, and the numbers with the logarithm of the work that they took.
#[derive(Clone, Copy)]
struct Entry<P> {
    key: P,
    data: u64,
}

impl<P: Places> Entry<P> {
    fn nothing() -> Entry<P> {
        Entry { key: P::zero(), data: 0 }
    }

    fn numbers(self) -> Numbers {
        let number = |at: u32| (self.data >> at) as u32 & INFINITE;
        Numbers { phi: number(0), delta: number(NUMBER_BITS), by_draw: self.data >> (2 * NUMBER_BITS) & 1 == 1 }
    }

    fn work(self) -> u64 {
        self.data >> (64 - WORK_BITS)
    }
}

/// As many as fit in a cache line, or in two.
const WAYS: usize = 4;
const FEWEST_BUCKETS: usize = 1 << 10;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket<P>([Entry<P>; WAYS]);

pub(super) struct Table<P> {
    /// As many as a power of two.
    buckets: Vec<Bucket<P>>,
    n: usize,
}

impl<P: Places> Table<P> {
    pub(super) fn new() -> Table<P> {
        Table { buckets: Self::empty(FEWEST_BUCKETS), n: 0 }
    }

    fn empty(n: usize) -> Vec<Bucket<P>> {
        vec![Bucket([Entry::nothing(); WAYS]); n]
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket<P>>()
    }

    #[inline(always)]
    fn place(&self, key: P) -> usize {
        let key = key.to_u128().unwrap_or_default();
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: P) {
        raichi_machine::prefetch(&self.buckets[self.place(key)]);
    }

    #[inline(always)]
    pub(super) fn get(&self, key: P) -> Option<Numbers> {
        let Bucket(ways) = &self.buckets[self.place(key)];
        ways.iter().find(|entry| entry.key == key).map(|entry| entry.numbers())
    }

    /// Keeps what is known of a position, in no more than `bytes`.
    pub(super) fn put(&mut self, key: P, numbers: Numbers, work: u64, bytes: usize) {
        if 4 * self.n >= 3 * WAYS * self.buckets.len() {
            self.grow(bytes);
        }
        let Numbers { phi, delta, by_draw } = numbers;
        let data = u64::from(phi) | u64::from(delta) << NUMBER_BITS | u64::from(by_draw) << (2 * NUMBER_BITS);
        let work = u64::from((work + 1).ilog2());
        self.put_entry(Entry { key, data: data | work << (64 - WORK_BITS) });
    }

    fn put_entry(&mut self, entry: Entry<P>) {
        let place = self.place(entry.key);
        let Bucket(ways) = &mut self.buckets[place];
        let least = match ways.iter().position(|other| other.key == entry.key || other.key.is_zero()) {
            Some(way) => way,
            None => (0..WAYS).min_by_key(|&way| ways[way].work()).expect("there are some"),
        };
        self.n += usize::from(ways[least].key.is_zero());
        ways[least] = entry;
    }

    fn grow(&mut self, bytes: usize) {
        let n = 2 * self.buckets.len();
        // While it grows there are both.
        if 3 * n / 2 * size_of::<Bucket<P>>() > bytes {
            return;
        }
        let before = std::mem::replace(&mut self.buckets, Self::empty(n));
        self.n = 0;
        for entry in before.into_iter().flat_map(|Bucket(ways)| ways).filter(|entry| !entry.key.is_zero()) {
            self.put_entry(entry);
        }
    }
}
