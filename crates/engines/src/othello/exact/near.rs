//! A small table of bounds for positions near the end. It stays in the core's own cache, so that asking takes less time than searching
//! even where few cells are empty; each search has its own, and the newest position takes the place of another.

use super::table::mixed;

/// Two to this power of positions: 384 KiB.
const LOG: u32 = 14;
/// No score is further from a draw.
const MOST: i32 = 64;

/// Own discs, foes, and the bounds (eight bits each, the lower one lowest): how far the score is at least from the lowest and from the
/// highest one. A zero says nothing.
type Entry = [u64; 3];

pub(super) struct Near {
    entries: Vec<Entry>,
}

impl Near {
    pub(super) fn new() -> Near {
        Near { entries: vec![[0; 3]; 1 << LOG] }
    }

    /// A bound of the score on the same side of `beta` as the score itself, if there is one.
    #[inline(always)]
    pub(super) fn bound(&self, own: u64, foes: u64, beta: i32) -> Option<i32> {
        let [known_own, known_foes, bounds] = self.entries[place(own, foes)];
        if (known_own, known_foes) != (own, foes) {
            return None;
        }
        let (lower, upper) = ((bounds & 0xff) as i32 - MOST, MOST - (bounds >> 8) as i32);
        if lower >= beta { Some(lower) } else { (upper < beta).then_some(upper) }
    }

    /// Keeps what a search with this `beta` found.
    #[inline(always)]
    pub(super) fn keep(&mut self, own: u64, foes: u64, beta: i32, found: i32) {
        let entry = &mut self.entries[place(own, foes)];
        let is_it = [entry[0], entry[1]] == [own, foes];
        let (from_lowest, from_highest) = if is_it { (entry[2] & 0xff, entry[2] >> 8) } else { (0, 0) };
        let bounds = if found >= beta {
            from_lowest.max((found + MOST) as u64) | from_highest << 8
        } else {
            from_lowest | from_highest.max((MOST - found) as u64) << 8
        };
        *entry = [own, foes, bounds];
    }
}

#[inline(always)]
fn place(own: u64, foes: u64) -> usize {
    (mixed(own, foes) >> (64 - LOG)) as usize
}
