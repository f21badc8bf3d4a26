//! A tree of fixed size that threads grow together.
//!
//! An entry is appended with its siblings and never moves while the tree is shared. What changes is atomic: the head
//! (where the children are, and flags), two numbers, and a record. What does not change, the value, is written before the
//! entry is published and read after. Growth reserves a range by compare-and-swap, so that no two threads write the same
//! entry. All but the values are [`Entries`], which are of no type of the user's: what looks only at them is compiled once,
//! whatever the values are.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::prefetch;
use crate::zeroed::{Zero, Zeroed};

/// Siblings begin at a multiple of this.
const UNIT: u32 = 4;

/// Where an entry's children are, and its flags: one word, so that both change together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head(u64);

// The word: the first child (30 bits), how many there are (20), the generation (6), the flags (8).
impl Head {
    const FIRST: u64 = (1 << 30) - 1;
    const N_SHIFT: u32 = 30;
    const N: u64 = (1 << 20) - 1;
    const GENERATION_SHIFT: u32 = 50;
    const GENERATION: u64 = (1 << 6) - 1;
    const FLAGS_SHIFT: u32 = 56;
    /// A first child, without any children: a thread is making them.
    const BUSY: u64 = Self::FIRST;
    const CHILDREN: u64 = Self::FIRST | Self::N << Self::N_SHIFT;

    #[inline]
    fn new(first: u32, n: u32, generation: u64, flags: u8) -> Head {
        Head(
            u64::from(first)
                | u64::from(n) << Self::N_SHIFT
                | generation << Self::GENERATION_SHIFT
                | u64::from(flags) << Self::FLAGS_SHIFT,
        )
    }

    /// The index of the first child.
    #[inline]
    pub fn first(self) -> u32 {
        (self.0 & Self::FIRST) as u32
    }

    /// How many children there are.
    #[inline]
    pub fn n_children(self) -> u32 {
        (self.0 >> Self::N_SHIFT & Self::N) as u32
    }

    /// The indices of the children.
    #[inline]
    pub fn children(self) -> Range<u32> {
        self.first()..self.first() + self.n_children()
    }

    /// The flags, whatever they mean to the user.
    #[inline]
    pub fn flags(self) -> u8 {
        (self.0 >> Self::FLAGS_SHIFT) as u8
    }

    #[inline]
    fn generation(self) -> u64 {
        self.0 >> Self::GENERATION_SHIFT & Self::GENERATION
    }
}

/// What changes of four entries: a cache line.
#[repr(C, align(64))]
struct Unit {
    heads: [AtomicU64; UNIT as usize],
    /// Of each entry the first number, then of each the second.
    numbers: [[AtomicU32; UNIT as usize]; 2],
}

// SAFETY: atomics may be zero, and have nothing to drop.
unsafe impl Zero for Unit {}

/// What changes of an entry and is not looked at in a choice among siblings. What the words mean is the user's.
pub struct Record {
    /// A number of 64 bits.
    pub long: AtomicU64,
    /// Three numbers of 32 bits.
    pub words: [AtomicU32; 3],
    /// What the long word's alignment would leave idle: the value, where it fits ([`SharedTree::IN_RECORD`]).
    value: UnsafeCell<MaybeUninit<u32>>,
}

// SAFETY: atomics and uninitialised memory may be zero, and have nothing to drop.
unsafe impl Zero for Record {}
// SAFETY: the value is reached through `SharedTree::slot` alone, and written and read as a slot is.
unsafe impl Sync for Record {}

/// What an entry begins with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// Its flags.
    pub flags: u8,
    /// Its two numbers.
    pub numbers: [f32; 2],
    /// Its record's long word.
    pub long: u64,
    /// Its record's other words.
    pub words: [u32; 3],
}

/// What the children of an entry begin with.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'a> {
    /// So many begin alike: nothing is written down for each of them first.
    Alike(Start, usize),
    /// Each begins with its own.
    Each(&'a [Start]),
}

impl Starts<'_> {
    fn len(&self) -> usize {
        match self {
            Starts::Alike(_, n) => *n,
            Starts::Each(starts) => starts.len(),
        }
    }

    /// The first `n` of them.
    fn first(self, n: usize) -> Self {
        match self {
            Starts::Alike(start, _) => Starts::Alike(start, n),
            Starts::Each(starts) => Starts::Each(&starts[..n]),
        }
    }
}

/// What changes of an entry.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    unit: &'a Unit,
    lane: usize,
}

impl Entry<'_> {
    #[inline]
    fn head_word(&self) -> &AtomicU64 {
        &self.unit.heads[self.lane % UNIT as usize]
    }

    /// Where the children are, and the flags.
    #[inline]
    pub fn head(&self) -> Head {
        Head(self.head_word().load(Ordering::Acquire))
    }

    /// The two numbers.
    #[inline]
    pub fn numbers(&self) -> [f32; 2] {
        [0, 1].map(|i: usize| f32::from_bits(self.unit.numbers[i][self.lane % UNIT as usize].load(Ordering::Relaxed)))
    }

    /// Sets the two numbers, one after the other.
    #[inline]
    pub fn set_numbers(&self, numbers: [f32; 2]) {
        for (lanes, number) in self.unit.numbers.iter().zip(numbers) {
            lanes[self.lane % UNIT as usize].store(number.to_bits(), Ordering::Relaxed);
        }
    }
}

/// The children of an entry.
#[derive(Clone, Copy)]
pub struct Family<'a> {
    units: &'a [Unit],
    n: usize,
}

impl<'a> Family<'a> {
    /// How many they are.
    #[inline]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// One of them.
    #[inline]
    pub fn entry(&self, i: usize) -> Entry<'a> {
        Entry { unit: &self.units[i / UNIT as usize], lane: i % UNIT as usize }
    }

    /// All of them.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Entry<'a>> + Clone {
        (0..self.n).map(move |i| self.entry(i))
    }

    /// The child with the highest first number + `factor` · second number, the first of equals; 0 where there is none.
    #[inline]
    pub fn highest(&self, factor: f32) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse4.1"))]
        // SAFETY: the whole program is compiled for processors that have this feature.
        return unsafe { highest::by_fours(self.units, factor) };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse4.1")))]
        highest::one_by_one(*self, factor)
    }
}

struct Slot<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: uninitialised memory may be zero, and is not dropped.
unsafe impl<T> Zero for Slot<T> {}
// SAFETY: a slot is written by the one thread that reserved it, before its entry is published in the tree's generation,
// and only read after that; see `SharedTree::value` and `SharedTree::grow`.
unsafe impl<T: Send + Sync> Sync for Slot<T> {}

/// The entries of a tree: all but their values.
///
/// Entry 0 is the root. Indices that are not of the tree are refused by a panic, never read.
pub struct Entries {
    units: Zeroed<Unit>,
    records: Zeroed<Record>,
    used: AtomicU32,
    /// Entries of another generation are not of the tree: so it can be emptied without going through it.
    generation: u64,
    /// As many entries as were ever used, so that a new round of generations can begin.
    peak: u32,
    /// The same over all rounds.
    touched: u32,
    // For `keep`: the units in use, a bit each, and how many there are before each word.
    live: Vec<u64>,
    rank: Vec<u32>,
}

/// A range of entries that one thread is writing.
struct Growth<'a> {
    parent: Entry<'a>,
    first: u32,
    n: u32,
}

impl Drop for Entries {
    fn drop(&mut self) {
        let used = self.ever_used() as usize;
        // SAFETY: entries are written to only after their range was reserved, which raises `used`; before that falls `peak`
        // or `touched` takes note of it.
        unsafe {
            self.units.is_unused_from(used.div_ceil(UNIT as usize));
            self.records.is_unused_from(used);
        }
    }
}

impl Entries {
    /// The root's index.
    pub const ROOT: u32 = 0;

    /// Entries without a root; `None` where the system does not give so much memory. The capacity is a multiple of [`UNIT`].
    fn new(capacity: usize) -> Option<Entries> {
        let units = Zeroed::new(capacity / UNIT as usize)?;
        // SAFETY: a record may hold any bytes; it is looked at only after it was written.
        let records = unsafe { Zeroed::of_any_bytes(capacity)? };
        let words = (capacity / UNIT as usize).div_ceil(64);
        Some(Entries {
            units,
            records,
            used: AtomicU32::new(0),
            generation: 0,
            peak: 0,
            touched: 0,
            live: Vec::with_capacity(words),
            rank: Vec::with_capacity(words),
        })
    }

    /// As many entries as were ever written to, at least.
    fn ever_used(&mut self) -> u32 {
        self.touched.max(self.peak).max(*self.used.get_mut())
    }

    /// Forgets everything; there is a root and nothing else.
    fn plant(&mut self, root: Start) {
        self.next_generation();
        self.begin(Self::ROOT, Starts::Alike(root, 1));
        *self.used.get_mut() = UNIT;
    }

    fn next_generation(&mut self) {
        self.peak = self.peak.max(*self.used.get_mut());
        if self.generation == Head::GENERATION {
            (0..self.peak).for_each(|at| self.entry(at).head_word().store(0, Ordering::Relaxed));
            self.touched = self.touched.max(self.peak);
            (self.generation, self.peak) = (0, 0);
        }
        self.generation += 1;
    }

    /// Writes entries that begin at a unit, and makes them of this generation.
    fn begin(&self, first: u32, starts: Starts<'_>) {
        match starts {
            Starts::Alike(start, n) => self.begin_each(first as usize, n, |_| start),
            Starts::Each(starts) => self.begin_each(first as usize, starts.len(), |i| starts[i]),
        }
    }

    #[inline]
    fn begin_each(&self, first: usize, n: usize, start: impl Fn(usize) -> Start) {
        for (i, record) in self.records[first..first + n].iter().enumerate() {
            let start = start(i);
            record.long.store(start.long, Ordering::Relaxed);
            record.words.iter().zip(start.words).for_each(|(word, number)| word.store(number, Ordering::Relaxed));
        }
        let a_unit = UNIT as usize;
        let units = &self.units[first / a_unit..(first + n).div_ceil(a_unit)];
        for (unit, at) in units.iter().zip((0..n).step_by(a_unit)) {
            for lane in 0..a_unit.min(n - at) {
                let (entry, start) = (Entry { unit, lane }, start(at + lane));
                entry.set_numbers(start.numbers);
                entry.head_word().store(Head::new(0, 0, self.generation, start.flags).0, Ordering::Release);
            }
        }
    }

    /// How many entries are taken, a few that lie idle between families included.
    pub fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= UNIT as usize
    }

    /// How many entries there is room for.
    pub fn capacity(&self) -> usize {
        self.records.len()
    }

    /// An entry.
    #[inline]
    pub fn entry(&self, at: u32) -> Entry<'_> {
        Entry { unit: &self.units[(at / UNIT) as usize], lane: (at % UNIT) as usize }
    }

    /// An entry's head.
    #[inline]
    pub fn head(&self, at: u32) -> Head {
        self.entry(at).head()
    }

    /// An entry's record.
    #[inline]
    pub fn record(&self, at: u32) -> &Record {
        &self.records[at as usize]
    }

    /// The entries of an entry's children.
    #[inline]
    pub fn family(&self, head: Head) -> Family<'_> {
        let (first, n) = ((head.first() / UNIT) as usize, head.n_children() as usize);
        Family { units: &self.units[first..first + n.div_ceil(UNIT as usize)], n }
    }

    /// Sets flags of an entry, besides those it has.
    #[inline]
    pub fn set_flags(&self, at: u32, flags: u8) {
        self.entry(at).head_word().fetch_or(u64::from(flags) << Head::FLAGS_SHIFT, Ordering::Release);
    }

    /// Reserves a range for children of an entry, which is busy from here on; `None` where it has children, another thread
    /// is making them, or there is no room.
    fn reserve(&self, parent: u32, n: usize) -> Option<Growth<'_>> {
        let n = u32::try_from(n).ok().filter(|&n| n > 0 && u64::from(n) <= Head::N)?;
        let parent = self.entry(parent);
        let head = parent.head_word();
        let leaf = head.load(Ordering::Acquire);
        if Head(leaf).generation() != self.generation || leaf & Head::CHILDREN != 0 {
            return None;
        }
        let room = n.next_multiple_of(UNIT);
        if self.used.load(Ordering::Relaxed) + room > self.capacity() as u32 {
            return None;
        }
        head.compare_exchange(leaf, leaf | Head::BUSY, Ordering::Acquire, Ordering::Relaxed).ok()?;
        let reserve = |used: u32| used.checked_add(room).filter(|&after| after <= self.capacity() as u32);
        let Ok(first) = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, reserve) else {
            head.fetch_and(!Head::CHILDREN, Ordering::Release);
            return None;
        };
        Some(Growth { parent, first, n })
    }

    /// Begins the children whose values are written, and makes them the parent's. Returns its head then.
    fn publish(&self, growth: &Growth<'_>, flags: u8, starts: Starts<'_>) -> Option<Head> {
        let Growth { parent, first, n } = *growth;
        let made = starts.len() as u32;
        self.begin(first, starts);
        // What lies idle in the last unit is never the highest.
        let idle = first + made..first + n.next_multiple_of(UNIT);
        idle.for_each(|idle| self.entry(idle).set_numbers([f32::NEG_INFINITY, 0.0]));
        let family = Head::new(first, made, 0, flags).0;
        // Flags may have been set meanwhile; the rest of the word is this thread's since it is busy.
        let publish = |busy: u64| Some(busy & !Head::CHILDREN | family);
        let before = parent.head_word().fetch_update(Ordering::Release, Ordering::Relaxed, publish);
        before.ok().and_then(publish).map(Head)
    }

    /// Gives an entry the children of another one: from here on they have them in common. Returns its head then; `None`
    /// as [`SharedTree::grow`], or where the other one has none.
    pub fn share(&self, parent: u32, other: u32, flags: u8) -> Option<Head> {
        let family = self.head(other);
        let parent = self.entry(parent);
        let head = parent.head_word();
        let leaf = head.load(Ordering::Acquire);
        let of_the_tree = [family, Head(leaf)].iter().all(|head| head.generation() == self.generation);
        if !of_the_tree || family.n_children() == 0 || leaf & Head::CHILDREN != 0 {
            return None;
        }
        let joined = leaf | family.0 & Head::CHILDREN | u64::from(flags) << Head::FLAGS_SHIFT;
        head.compare_exchange(leaf, joined, Ordering::Release, Ordering::Relaxed).ok().map(|_| Head(joined))
    }

    fn keep(&mut self, root: u32, moved: &mut dyn FnMut(u32, u32)) {
        assert!(self.head(root).generation() == self.generation, "no entry of the tree");
        self.mark_live(root);
        let mut n_units = 1;
        for (rank, live) in self.rank.iter_mut().zip(&self.live) {
            *rank = n_units;
            n_units += live.count_ones();
        }
        let (before, wraps) = (self.generation, self.generation == Head::GENERATION);
        self.generation = if wraps { 1 } else { before + 1 };
        self.relocate(root, Self::ROOT, before);
        moved(root, Self::ROOT);
        for word in 0..self.live.len() {
            let mut left = self.live[word];
            while left != 0 {
                let unit = (word as u32 * 64 + left.trailing_zeros()) * UNIT;
                left &= left - 1;
                let to = self.place(unit);
                for i in 0..UNIT {
                    self.relocate(unit + i, to + i, before);
                    moved(unit + i, to + i);
                }
            }
        }
        self.peak = self.peak.max(*self.used.get_mut());
        *self.used.get_mut() = n_units * UNIT;
        if wraps {
            (n_units * UNIT..self.peak).for_each(|idle| self.entry(idle).head_word().store(0, Ordering::Relaxed));
        }
    }

    /// Marks the units of all that is below `root`.
    fn mark_live(&mut self, root: u32) {
        // The vectors have room for all units from the start, and are as long as the units in use are many.
        let words = (*self.used.get_mut() / UNIT).div_ceil(64) as usize;
        self.live.clear();
        self.live.resize(words, 0);
        self.rank.resize(words, 0);
        self.mark_family(self.head(root));
        // A family is behind its parent, or before it where it is shared: then another pass is needed.
        let mut again = true;
        while again {
            again = false;
            for word in 0..self.live.len() {
                let mut done = 0;
                while self.live[word] & !done != 0 {
                    let bit = (self.live[word] & !done).trailing_zeros();
                    done |= 1 << bit;
                    let unit = (word as u32 * 64 + bit) * UNIT;
                    for at in unit..unit + UNIT {
                        let head = self.head(at);
                        if head.generation() == self.generation && self.mark_family(head) {
                            again |= head.first() < unit;
                        }
                    }
                }
            }
        }
    }

    /// Marks the units of a family; returns whether they were not.
    fn mark_family(&mut self, head: Head) -> bool {
        let n = head.n_children();
        let is_live = |live: &[u64], unit: u32| live[unit as usize / 64] >> (unit % 64) & 1 == 1;
        if n == 0 || is_live(&self.live, head.first() / UNIT) {
            return false;
        }
        for unit in head.first() / UNIT..(head.first() + n).div_ceil(UNIT) {
            self.live[unit as usize / 64] |= 1 << (unit % 64);
        }
        true
    }

    /// Where a live unit goes: never behind its old place, as the root's old unit is live no more.
    fn place(&self, first: u32) -> u32 {
        let unit = first / UNIT;
        let before = self.live[unit as usize / 64] & ((1 << (unit % 64)) - 1);
        (self.rank[unit as usize / 64] + before.count_ones()) * UNIT
    }

    /// Moves an entry, if it is one of the generation `before`, into this one.
    fn relocate(&mut self, from: u32, to: u32, before: u64) {
        let (source, target) = (self.entry(from), self.entry(to));
        let head = source.head();
        target.set_numbers(source.numbers());
        if head.generation() != before {
            target.head_word().store(0, Ordering::Relaxed);
            return;
        }
        let (source, record) = (self.record(from), self.record(to));
        record.long.store(source.long.load(Ordering::Relaxed), Ordering::Relaxed);
        for (word, source) in record.words.iter().zip(&source.words) {
            word.store(source.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        // SAFETY: `&mut self`: nobody else reads or writes. The content is copied whether or not it is a value.
        unsafe { record.value.get().copy_from(source.value.get(), 1) };
        let first = if head.n_children() == 0 { 0 } else { self.place(head.first()) };
        let moved = Head::new(first, head.n_children(), self.generation, head.flags());
        target.head_word().store(moved.0, Ordering::Release);
    }
}

/// A tree with room for so many entries, which it never exceeds, each with a value.
///
/// A value lies in its entry's record where it fits, so that whoever looks at both waits for one cache line.
pub struct SharedTree<T> {
    entries: Entries,
    /// The values that fit in no record; else none.
    values: Zeroed<Slot<T>>,
}

/// What changes, and how entries hang together.
impl<T> Deref for SharedTree<T> {
    type Target = Entries;

    #[inline]
    fn deref(&self) -> &Entries {
        &self.entries
    }
}

impl<T> Drop for SharedTree<T> {
    fn drop(&mut self) {
        // SAFETY: values are written to only after their range of entries was reserved.
        unsafe { self.values.is_unused_from(self.entries.ever_used() as usize) };
    }
}

impl<T> SharedTree<T> {
    /// Whether values lie in the records.
    const IN_RECORD: bool = size_of::<T>() <= size_of::<u32>() && align_of::<T>() <= align_of::<u32>();

    /// Where the value of an entry is.
    ///
    /// # Safety
    /// The index must be below the capacity.
    #[inline]
    unsafe fn slot(&self, at: u32) -> *mut T {
        // SAFETY: there are as many records as the capacity is, and as many slots where values are not in records.
        unsafe {
            if Self::IN_RECORD {
                self.entries.records.get_unchecked(at as usize).value.get().cast()
            } else {
                self.values.get_unchecked(at as usize).0.get().cast()
            }
        }
    }
}

impl<T: Send + Sync> SharedTree<T> {
    /// The most entries a tree can have.
    pub const MOST_ENTRIES: usize = 1 << 29;

    /// How many bytes an entry takes, all told.
    pub const BYTES_PER_ENTRY: usize =
        size_of::<Unit>() / UNIT as usize + size_of::<Record>() + if Self::IN_RECORD { 0 } else { size_of::<T>() } + 1;

    /// A tree of a root, with room for `capacity` entries, at least 8; fewer where the system does not give so much memory.
    ///
    /// # Panics
    /// When it does not give any.
    pub fn new(capacity: usize, start: Start, root: T) -> Self {
        const { assert!(!std::mem::needs_drop::<T>(), "values are forgotten, not dropped") };
        let mut capacity = capacity.clamp(8, Self::MOST_ENTRIES).next_multiple_of(UNIT as usize);
        let (entries, values) = loop {
            // SAFETY: a slot may hold any bytes; a value is read only after it was written.
            let values = unsafe { Zeroed::of_any_bytes(if Self::IN_RECORD { 0 } else { capacity }) };
            if let (Some(entries), Some(values)) = (Entries::new(capacity), values) {
                break (entries, values);
            }
            assert!(capacity > 1024, "the system has no memory left");
            capacity = (capacity / 2).next_multiple_of(UNIT as usize);
        };
        let mut tree = SharedTree { entries, values };
        tree.plant(start, root);
        tree
    }

    /// Forgets everything; the tree has a root and nothing else.
    pub fn plant(&mut self, start: Start, root: T) {
        // SAFETY: `&mut self`: nobody else reads or writes. There is room for a root.
        unsafe { self.slot(Entries::ROOT).write(root) };
        self.entries.plant(start);
    }

    /// Asks for the records and values of an entry's children before it is known which of them is wanted, unless they are
    /// many.
    #[inline]
    pub fn prefetch_children(&self, head: Head) {
        // Of this many records of 24 bytes, these lie on all of their cache lines; of values of up to 8 bytes, the first does.
        const FEW: usize = 8;
        const ONE_A_LINE: [usize; 4] = [0, 3, 5, 7];
        let first = head.first() as usize;
        if head.n_children() as usize <= FEW
            && let Some(records) = self.entries.records.get(first..first + FEW)
        {
            ONE_A_LINE.iter().for_each(|&i| prefetch(&records[i]));
            if let Some(values) = self.values.get(first..first + FEW) {
                prefetch(&values[0]);
                if size_of::<T>() > 8 {
                    prefetch(&values[4]);
                }
            }
        }
    }

    /// An entry, its head now, its record and its value.
    ///
    /// # Panics
    /// When the index is not of the tree.
    #[inline]
    pub fn get(&self, at: u32) -> (Entry<'_>, Head, &Record, &T) {
        let entry = self.entry(at);
        let head = entry.head();
        assert!(head.generation() == self.entries.generation, "no entry of the tree");
        // SAFETY: there are as many slots and records as lanes of units, and `entry` has found the unit. The head is of this
        // generation, so the value was written before it; the head was loaded with Acquire and stored with Release.
        // Nothing writes the slot again but under `&mut self`, after which the generation is another one.
        let (record, value) =
            unsafe { (self.entries.records.get_unchecked(at as usize), &*self.slot(at).cast_const()) };
        (entry, head, record, value)
    }

    /// The value of an entry.
    ///
    /// # Panics
    /// When the index is not of the tree.
    #[inline]
    pub fn value(&self, at: u32) -> &T {
        self.get(at).3
    }

    /// Gives an entry children, as many as there are both starts and values, and flags of its own besides those it has.
    /// Returns its head then; `None` where it has children, another thread is making them, or there is no room.
    pub fn grow(
        &self,
        parent: u32,
        flags: u8,
        starts: Starts<'_>,
        values: impl IntoIterator<Item = T>,
    ) -> Option<Head> {
        let growth = self.entries.reserve(parent, starts.len())?;
        let mut made = 0;
        for (at, value) in (growth.first..).zip(values).take(starts.len()) {
            // SAFETY: the range is within the capacity and was reserved for this call alone. No entry of it is of this
            // generation yet, so nobody reads the slot.
            unsafe { self.slot(at).write(value) };
            made += 1;
        }
        self.entries.publish(&growth, flags, starts.first(made))
    }

    /// Makes an entry the root and keeps what is below it; `moved` is called for each entry that goes to another place, in
    /// an order in which what is already moved is never written over.
    pub fn keep(&mut self, root: u32, moved: &mut dyn FnMut(u32, u32)) {
        let SharedTree { entries, values } = self;
        entries.keep(root, &mut |from, to| {
            if !Self::IN_RECORD {
                // SAFETY: `&mut self`: nobody else reads or writes. The slot's content is copied whether or not it is a
                // value; values are not dropped.
                unsafe { values[to as usize].0.get().copy_from(values[from as usize].0.get(), 1) };
            }
            moved(from, to);
        });
    }
}

/// Which of many is the highest: by four at a time, and one by one, which is the same and runs anywhere.
mod highest {
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse4.1"))))]
    pub(super) fn one_by_one(family: super::Family<'_>, factor: f32) -> usize {
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        for (i, entry) in family.iter().enumerate() {
            let [number, more] = entry.numbers();
            let sum = number + factor * more;
            // Which one is best is as good as random; a branch on it would be mispredicted all the time.
            best = std::hint::select_unpredictable(sum > highest, i, best);
            highest = if sum > highest { sum } else { highest };
        }
        best
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse4.1"))]
    #[target_feature(enable = "sse4.1")]
    #[inline]
    pub(super) fn by_fours(units: &[super::Unit], factor: f32) -> usize {
        use std::arch::x86_64::*;
        let factor = _mm_set1_ps(factor);
        match units {
            [unit] => return of_one(unit, factor),
            [first, second] => return of_two(first, second, factor),
            _ => {}
        }
        let mut highest = _mm_set1_ps(f32::NEG_INFINITY);
        let mut best = _mm_setzero_si128();
        let mut here = _mm_set_epi32(3, 2, 1, 0);
        for unit in units {
            let [numbers, more] = [0, 1].map(|i: usize| load(&unit.numbers[i]));
            let sum = _mm_add_ps(numbers, _mm_mul_ps(factor, more));
            let higher = _mm_cmpgt_ps(sum, highest);
            best = _mm_blendv_epi8(best, here, _mm_castps_si128(higher));
            highest = _mm_max_ps(sum, highest);
            here = _mm_add_epi32(here, _mm_set1_epi32(4));
        }
        let most = _mm_max_ps(highest, _mm_shuffle_ps::<0b01_00_11_10>(highest, highest));
        let most = _mm_max_ps(most, _mm_shuffle_ps::<0b10_11_00_01>(most, most));
        let equal = _mm_castps_si128(_mm_cmpeq_ps(highest, most));
        let first = _mm_blendv_epi8(_mm_set1_epi32(i32::MAX), best, equal);
        let first = _mm_min_epi32(first, _mm_shuffle_epi32::<0b01_00_11_10>(first));
        let first = _mm_min_epi32(first, _mm_shuffle_epi32::<0b10_11_00_01>(first));
        _mm_cvtsi128_si32(first) as usize
    }

    /// The same of one unit: no indices are carried along.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse4.1"))]
    #[target_feature(enable = "sse4.1")]
    #[inline]
    fn of_one(unit: &super::Unit, factor: std::arch::x86_64::__m128) -> usize {
        use std::arch::x86_64::*;
        let [numbers, more] = [0, 1].map(|i: usize| load(&unit.numbers[i]));
        let sums = _mm_add_ps(numbers, _mm_mul_ps(factor, more));
        let most = _mm_max_ps(sums, _mm_shuffle_ps::<0b01_00_11_10>(sums, sums));
        let most = _mm_max_ps(most, _mm_shuffle_ps::<0b10_11_00_01>(most, most));
        // Where a sum is no number nothing may equal the most; then it is the first.
        let equal = _mm_movemask_ps(_mm_cmpeq_ps(sums, most)) | 1 << 4;
        equal.trailing_zeros() as usize % 4
    }

    /// The same of two units.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse4.1"))]
    #[target_feature(enable = "sse4.1")]
    #[inline]
    fn of_two(first: &super::Unit, second: &super::Unit, factor: std::arch::x86_64::__m128) -> usize {
        use std::arch::x86_64::*;
        let [low, high] = [first, second].map(|unit| {
            let [numbers, more] = [0, 1].map(|i: usize| load(&unit.numbers[i]));
            _mm_add_ps(numbers, _mm_mul_ps(factor, more))
        });
        let most = _mm_max_ps(low, high);
        let most = _mm_max_ps(most, _mm_shuffle_ps::<0b01_00_11_10>(most, most));
        let most = _mm_max_ps(most, _mm_shuffle_ps::<0b10_11_00_01>(most, most));
        let [low, high] = [low, high].map(|sums| _mm_movemask_ps(_mm_cmpeq_ps(sums, most)));
        // Where a sum is no number nothing may equal the most; then it is the first.
        (low | high << 4 | 1 << 8).trailing_zeros() as usize % 8
    }

    /// Four numbers at once.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse4.1"))]
    #[target_feature(enable = "sse4.1")]
    #[inline]
    fn load(numbers: &[std::sync::atomic::AtomicU32; 4]) -> std::arch::x86_64::__m128 {
        let four;
        // SAFETY: it reads four aligned words that are alive and does nothing else. Other threads may write them
        // meanwhile: to the language this is what four relaxed loads do, and the processor reads each aligned word whole.
        // An ordinary load of the 16 bytes would be a data race.
        unsafe {
            std::arch::asm!(
                "movups {four}, [{numbers}]",
                four = lateout(xmm_reg) four,
                numbers = in(reg) numbers.as_ptr(),
                options(readonly, nostack, preserves_flags),
            );
        }
        four
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(value: u64) -> Start {
        let numbers = if value == 0 { [0.0; 2] } else { [value as f32, 7.0] };
        Start { flags: value as u8, numbers, long: value, words: [1, 2, 3].map(|word| word * value as u32) }
    }

    fn grow(tree: &SharedTree<u64>, parent: u32, values: &[u64]) -> Option<Head> {
        let starts: Vec<Start> = values.iter().copied().map(start).collect();
        tree.grow(parent, 0, Starts::Each(&starts), values.iter().copied())
    }

    fn plant(tree: &mut SharedTree<u64>) {
        tree.plant(start(0), 0);
    }

    fn tree(capacity: usize) -> SharedTree<u64> {
        SharedTree::new(capacity, start(0), 0)
    }

    #[test]
    fn the_highest_is_the_same_by_fours_and_one_by_one() {
        let mut x = 1u64;
        let mut random = move || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Few different ones, so that many are equal, and now and then an infinite one.
            match x >> 40 & 15 {
                15 => f32::INFINITY,
                number => number as f32 / 8.0 - 0.5,
            }
        };
        for n in (1..40).chain([100, 361]) {
            for _ in 0..50 {
                let mut tree = tree(1024);
                // What lay there before must not count.
                let highest = Start { numbers: [f32::INFINITY, 1.0], ..start(0) };
                tree.grow(0, 0, Starts::Alike(highest, 400), 0..).unwrap();
                plant(&mut tree);
                let random = |_| Start { numbers: [random(), random().min(2.0)], ..start(0) };
                let children: Vec<_> = (0..n).map(random).collect();
                let family = tree.family(tree.grow(0, 0, Starts::Each(&children), 0..).unwrap());
                for factor in [0.0, 0.5, 3.0] {
                    assert_eq!(family.highest(factor), highest::one_by_one(family, factor), "{n} children");
                }
            }
        }
    }

    /// The whole tree as nested lists, by walking it.
    fn text(tree: &SharedTree<u64>, at: u32) -> String {
        let children: Vec<String> = tree.head(at).children().map(|child| text(tree, child)).collect();
        let (entry, head, record, value) = tree.get(at);
        assert_eq!(head.flags(), *value as u8);
        assert_eq!(entry.numbers()[0], *value as f32 * f32::from(u8::from(at != 0)));
        assert_eq!(record.long.load(Ordering::Relaxed), *value);
        assert_eq!(record.words[2].load(Ordering::Relaxed), 3 * *value as u32);
        format!(
            "{}{}",
            tree.value(at),
            if children.is_empty() { String::new() } else { format!("({})", children.join(" ")) }
        )
    }

    #[test]
    fn a_tree_grows_until_it_is_full() {
        let mut tree = tree(16);
        let head = grow(&tree, 0, &[1, 2, 3, 4, 5]).unwrap();
        assert_eq!(head.children(), 4..9);
        assert!(grow(&tree, 0, &[6]).is_none(), "it has children");
        assert!(grow(&tree, 4, &[6, 7, 8, 9, 10]).is_none(), "there is no room for five");
        assert!(grow(&tree, 4, &[]).is_none());
        grow(&tree, 4, &[6, 7, 8, 9]).unwrap();
        assert_eq!((text(&tree, 0), tree.len()), ("0(1(6 7 8 9) 2 3 4 5)".into(), 16));
        for round in 0..200 {
            plant(&mut tree);
            assert_eq!((text(&tree, 0), tree.is_empty()), ("0".into(), true));
            grow(&tree, 0, &[round, 2]).unwrap();
            assert_eq!(text(&tree, 0), format!("0({round} 2)"));
        }
    }

    #[test]
    #[should_panic(expected = "no entry of the tree")]
    fn what_was_forgotten_is_not_read() {
        let mut tree = tree(16);
        grow(&tree, 0, &[1]).unwrap();
        plant(&mut tree);
        tree.value(4);
    }

    #[test]
    fn a_subtree_is_kept() {
        let mut tree = tree(64);
        grow(&tree, 0, &[1, 2]).unwrap();
        grow(&tree, 4, &[3, 4, 5]).unwrap();
        grow(&tree, 5, &[6, 7, 8, 9, 10]).unwrap();
        grow(&tree, 9, &[11]).unwrap();
        grow(&tree, 14, &[12, 13]).unwrap();
        assert_eq!(text(&tree, 0), "0(1(3 4(11) 5) 2(6 7 8(12 13) 9 10))");
        let mut order = Vec::new();
        tree.entry(5).set_numbers([0.0; 2]);
        tree.keep(5, &mut |from, to| order.push((from, to)));
        assert_eq!(text(&tree, 0), "2(6 7 8(12 13) 9 10)");
        assert_eq!((tree.len(), order[0]), (16, (5, 0)));
        assert!(order[1..].iter().all(|(from, to)| from >= to), "{order:?}");
        // As often as there are generations, and more.
        for _ in 0..200 {
            tree.keep(0, &mut |_, _| ());
            assert_eq!(text(&tree, 0), "2(6 7 8(12 13) 9 10)");
        }
        grow(&tree, 4, &[14]).unwrap();
        assert_eq!(text(&tree, 0), "2(6(14) 7 8(12 13) 9 10)");
    }

    #[test]
    fn small_values_go_where_their_entries_go() {
        let mut tree = SharedTree::new(64, start(0), 0u8);
        assert_eq!(tree.values.len(), 0, "they lie in the records");
        tree.grow(0, 0, Starts::Alike(start(1), 5), 1..).unwrap();
        let head = tree.grow(6, 0, Starts::Alike(start(2), 3), 10..).unwrap();
        tree.grow(head.first() + 2, 0, Starts::Alike(start(3), 2), 20..).unwrap();
        tree.keep(6, &mut |_, _| ());
        assert_eq!(*tree.value(Entries::ROOT), 3);
        let children = |at| tree.head(at).children().map(|child| (child, *tree.value(child))).collect::<Vec<_>>();
        let first = children(Entries::ROOT);
        assert_eq!(first.iter().map(|child| child.1).collect::<Vec<_>>(), [10, 11, 12]);
        assert_eq!(children(first[2].0).iter().map(|child| child.1).collect::<Vec<_>>(), [20, 21]);
    }

    #[test]
    fn children_in_common_are_kept_in_common() {
        let mut tree = tree(64);
        grow(&tree, 0, &[1, 2]).unwrap();
        grow(&tree, 4, &[3]).unwrap();
        assert!(tree.share(5, 5, 0).is_none(), "it has none");
        // The child of 2 leads to a family that was made before it.
        grow(&tree, 8, &[4, 5]).unwrap();
        grow(&tree, 5, &[6]).unwrap();
        assert_eq!(tree.share(16, 8, 0).unwrap().children(), 12..14);
        assert!(tree.share(16, 8, 0).is_none(), "it has children now");
        assert_eq!(text(&tree, 0), "0(1(3(4 5)) 2(6(4 5)))");
        tree.entry(5).set_numbers([0.0; 2]);
        tree.keep(5, &mut |_, _| ());
        assert_eq!(text(&tree, 0), "2(6(4 5))");
    }

    #[test]
    fn threads_grow_it_together() {
        let tree = tree(1 << 16);
        grow(&tree, 0, &[1, 2, 3, 4]).unwrap();
        let grown = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for seed in 0..4u64 {
                let (tree, grown) = (&tree, &grown);
                scope.spawn(move || {
                    let mut x = seed + 1;
                    for _ in 0..20_000 {
                        // Down at random to a leaf, which is given children.
                        let mut at = 0;
                        while tree.head(at).n_children() > 0 {
                            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                            let head = tree.head(at);
                            at = head.first() + (x >> 33) as u32 % head.n_children();
                            let value = *tree.value(at);
                            assert_eq!(tree.head(at).flags(), value as u8);
                        }
                        let value = *tree.value(at);
                        if grow(tree, at, &[value + 1, value + 2, value + 3]).is_some() {
                            grown.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let mut families = 0;
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            families += u32::from(tree.head(at).n_children() > 0);
            open.extend(tree.head(at).children());
        }
        assert_eq!(families, grown.load(Ordering::Relaxed) + 1, "every family made is in the tree, once");
        assert!(tree.len() + 4 > tree.capacity(), "{} of {}", tree.len(), tree.capacity());
    }
}
