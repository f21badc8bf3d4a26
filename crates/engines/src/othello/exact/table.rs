//! The table of positions that the threads of a search share without locks.
//!
//! An entry has three words: what is known, and the discs of each side XORed with it, so that what two threads wrote half each is not
//! recognised; discs are kept whole, so that no position is taken for another. A bucket is a cache line with two entries:
//! the one that took more work, and the newest.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use raichi_machine::{Zeroed, prefetch};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The score lies between these, both included.
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// The best cell, or 64.
    pub(super) best: u32,
}

type Line = [AtomicU64; 8];

/// A position as a number of which the high bits say where a table has it.
#[inline(always)]
pub(super) fn mixed(own: u64, foes: u64) -> u64 {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ foes.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub(super) struct Table {
    lines: Zeroed<Line>,
}

/// The part of a table that a search uses: a short one does not need all of it, and memory costs time when it is first touched.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    lines: &'a [Line],
    shift: u32,
}

const OFFSET: i32 = 64;
/// A large page, in bytes.
const PAGE: usize = 2 << 20;
/// The bits of known: lower and upper bound (8 each), the best cell (8), the work (8), and a one.
const WRITTEN: u64 = 1 << 32;

impl Table {
    /// As large as fits in so many bytes; `None` where that is not even a megabyte.
    pub(super) fn new(bytes: usize) -> Option<Table> {
        let lines = bytes / size_of::<Line>();
        if lines < 1 << 14 {
            return None;
        }
        Some(Table { lines: Zeroed::new(1 << lines.ilog2())? })
    }

    pub(super) fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    /// Two to this power of its lines, or all where it has no more.
    pub(super) fn part(&self, log: u32) -> Part<'_> {
        let log = log.min(self.lines.len().ilog2());
        Part { lines: &self.lines[..1 << log], shift: 64 - log }
    }
}

impl Part<'_> {
    /// Touches every large page, which the system clears then; `false` where the work is over before. A search jumps about, and
    /// would touch nearly all of them before it looked at the clock.
    pub(super) fn touch(&self, is_over: &dyn Fn() -> bool) -> bool {
        self.lines.chunks(PAGE / size_of::<Line>()).all(|page| {
            // A zero is written where there is one: the system clears no page that is only read.
            let _ = page[0][0].compare_exchange(0, 0, Relaxed, Relaxed);
            !is_over()
        })
    }

    #[inline]
    fn line(&self, own: u64, foes: u64) -> &Line {
        &self.lines[(mixed(own, foes) >> self.shift) as usize]
    }

    #[inline]
    pub(super) fn prefetch(&self, own: u64, foes: u64) {
        prefetch(self.line(own, foes));
    }

    #[inline]
    pub(super) fn get(&self, own: u64, foes: u64) -> Option<Known> {
        let line = self.line(own, foes);
        [0, 3].into_iter().find_map(|at| {
            let data = line[at].load(Relaxed);
            let is_it =
                data != 0 && line[at + 1].load(Relaxed) ^ data == own && line[at + 2].load(Relaxed) ^ data == foes;
            let bound = |shift: u32| (data >> shift & 0xff) as i32 - OFFSET;
            is_it.then(|| Known { lower: bound(0), upper: bound(8), best: (data >> 16 & 0xff) as u32 })
        })
    }

    #[inline]
    pub(super) fn put(&self, own: u64, foes: u64, known: Known, work: u32) {
        let line = self.line(own, foes);
        let bound = |score: i32| (score + OFFSET) as u64;
        let data = bound(known.lower)
            | bound(known.upper) << 8
            | u64::from(known.best) << 16
            | u64::from(work) << 24
            | WRITTEN;
        let old = line[0].load(Relaxed);
        let is_it = line[1].load(Relaxed) ^ old == own && line[2].load(Relaxed) ^ old == foes;
        let at = if is_it || old >> 24 & 0xff <= u64::from(work) { 0 } else { 3 };
        if at == 0 && !is_it {
            // What took less work moves on.
            (3..6).for_each(|i| line[i].store(line[i - 3].load(Relaxed), Relaxed));
        }
        line[at].store(data, Relaxed);
        line[at + 1].store(own ^ data, Relaxed);
        line[at + 2].store(foes ^ data, Relaxed);
    }
}
