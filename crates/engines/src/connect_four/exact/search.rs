//! The search: null windows on the score (bisected as in P. Pons, *Solving Connect 4*, 2015), each decided by alpha-beta.
//!
//! Only stones that do not lose at once are looked at, so that nobody is ever to act who could win at once. Cut-offs come from
//! the number of stones left, from double threats, from strategies that a seat can follow to the end ([`super::strategies`]),
//! from the table, and from what the table knows of the positions after each stone before any of them is searched. Stones are
//! tried in the order of the threats that they make, without those above a threat of the other seat.
//! Positions near the end, most of all, have a small table that stays in the processor's cache; to wait for memory there
//! took two thirds of the time. Positions near the root share an entry with their mirror image.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;

use super::board::{Cells, Shape, key, landing, mirrored, threats};
use super::strategies;
use super::table::{Bounds, Near, Place, Table};

/// Columns of the widest board.
const MAX_WIDTH: usize = 12;
/// With so many empty cells positions are kept in the large table, with fewer in the small one; measured.
const FAR: i32 = 18;
/// With fewer empty cells they are not kept at all.
const NEAR: i32 = 6;
/// With so many empty cells a position and its mirror image are kept as one.
const MIRRORED: i32 = 30;
/// How often it is asked whether the work is over, in nodes.
pub(super) const ASK_EVERY: u64 = 1 << 12;

/// A search by one thread.
pub(super) struct Search<'a, S: Shape> {
    shape: S,
    table: &'a Table,
    pub(super) near: Near<S::Cells>,
    /// Whether the work is over, after so many nodes; it is told every [`ASK_EVERY`] of them.
    is_over: &'a (dyn Fn(u64) -> bool + Sync),
    /// Set by the first thread that has the score.
    is_found: &'a AtomicBool,
    /// Threads search in different orders, so that they find different parts of the tree for each other.
    thread: u32,
    pub(super) nodes: u64,
    stopped: bool,
}

/// A stone that may be put, and what is known after it.
#[derive(Clone, Copy)]
struct Candidate<C> {
    stone: C,
    threats: C,
    rank: i32,
    place: Option<Place>,
}

impl<'a, S: Shape> Search<'a, S> {
    pub(super) fn new(
        shape: S,
        table: &'a Table,
        near: Near<S::Cells>,
        is_over: &'a (dyn Fn(u64) -> bool + Sync),
        is_found: &'a AtomicBool,
        thread: u32,
    ) -> Self {
        Search { shape, table, near, is_over, is_found, thread, nodes: 0, stopped: false }
    }

    /// The exact score of a position without a line; `None` where the work ended before.
    pub(super) fn score(&mut self, own: S::Cells, all: S::Cells) -> Option<i32> {
        let n_empty = (self.shape.board() & !all).n() as i32;
        if !(threats(self.shape, own, all) & landing(self.shape, all)).is_none() {
            return Some((n_empty + 1) / 2);
        }
        let foe_threats = threats(self.shape, own ^ all, all);
        let (mut lower, mut upper) = (-(n_empty / 2), ((n_empty - 1) / 2).max(0));
        while lower < upper {
            // From the outer scores inwards: those that are quickly decided first.
            let mut middle = lower + (upper - lower) / 2;
            if middle <= 0 && lower / 2 < middle {
                middle = lower / 2;
            } else if middle >= 0 && upper / 2 > middle {
                middle = upper / 2;
            }
            let found = self.search(own, all, foe_threats, n_empty, middle + 1);
            if self.stopped {
                return None;
            }
            if found > middle { lower = found } else { upper = found }
        }
        self.is_found.store(true, Relaxed);
        Some(lower)
    }

    /// A bound of the score on the same side of `beta` as the score itself. The seat to act cannot win at once.
    fn search(&mut self, own: S::Cells, all: S::Cells, foe_threats: S::Cells, n_empty: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASK_EVERY) {
            let is_over = (self.is_over)(self.nodes);
            self.stopped |= is_over || self.is_found.load(Relaxed);
        }
        if self.stopped {
            return 0;
        }
        let (shape, foes) = (self.shape, own ^ all);
        // 1. What does not lose at once.
        let next = landing(shape, all);
        let urgent = next & foe_threats;
        let allowed = if urgent.is_none() { next } else { urgent };
        let stones = allowed & !(foe_threats >> 1);
        let lost = -(n_empty / 2);
        if stones.is_none() || urgent.is_several() {
            return lost;
        }
        if n_empty <= 2 {
            return 0;
        }
        // 2. What the number of stones left allows: neither seat wins with its next one.
        let mut bounds = Bounds { lower: lost + 1, upper: (n_empty - 1) / 2 };
        if let Some(bound) = bounds.decides(beta) {
            return bound;
        }
        if !stones.is_several() {
            let after = all | stones;
            let mine = threats(shape, own | stones, after);
            return -self.search(foes, after, mine, n_empty - 1, 1 - beta);
        }
        // 3. What a simple strategy of either seat ensures.
        bounds.narrow(strategies::bounds(shape, own, all, foe_threats, n_empty));
        if let Some(bound) = bounds.decides(beta) {
            return bound;
        }
        // 4. What the tables know.
        let place = (n_empty >= FAR).then(|| self.place(own, all, n_empty));
        let known = match place {
            Some(place) => self.table.get::<S::Cells>(place),
            None if n_empty >= NEAR => self.near.get(key(own, all)),
            None => None,
        };
        if let Some(known) = known {
            bounds.narrow(known);
            if let Some(bound) = bounds.decides(beta) {
                return bound;
            }
        }
        // 5. The stones and the threats that they make.
        let mut candidates = ArrayVec::<Candidate<S::Cells>, MAX_WIDTH>::new();
        let mut left = stones;
        while !left.is_none() {
            let stone = left.lowest();
            left = left ^ stone;
            let after = all | stone;
            let mine = threats(shape, own | stone, after);
            let urgent = mine & landing(shape, after);
            if urgent.is_several() || !(urgent << 1 & mine).is_none() {
                // Two at once, or one above the other: the next stone but one wins.
                return (n_empty - 1) / 2;
            }
            // An urgent one leaves one reply, after which the table is looked at.
            let place = (n_empty > FAR && urgent.is_none()).then(|| {
                let place = self.place(foes, after, n_empty - 1);
                self.table.prefetch(place);
                place
            });
            candidates.push(Candidate {
                stone,
                threats: mine,
                rank: self.rank(stone, mine & !(foe_threats << 1)),
                place,
            });
        }
        // 6. What the table knows of the positions after them.
        let mut best = bounds.lower;
        let mut n = 0;
        for i in 0..candidates.len() {
            let known = candidates[i].place.and_then(|place| self.table.get::<S::Cells>(place));
            if let Some(known) = known {
                if -known.upper >= beta {
                    return -known.upper;
                }
                if -known.lower < beta {
                    best = best.max(-known.lower);
                    continue;
                }
            }
            candidates[n] = candidates[i];
            n += 1;
        }
        candidates.truncate(n);
        sort(&mut candidates);
        // 7. The search.
        let before = self.nodes;
        for &Candidate { stone, threats, .. } in &candidates {
            best = best.max(-self.search(foes, all | stone, threats, n_empty - 1, 1 - beta));
            if self.stopped {
                return 0;
            }
            if best >= beta {
                break;
            }
        }
        if best >= beta {
            bounds.lower = best;
        } else {
            bounds.upper = best;
        }
        match place {
            Some(place) => self.table.put::<S::Cells>(place, bounds, (self.nodes - before + 2).ilog2()),
            None if n_empty >= NEAR => self.near.put(key(own, all), bounds),
            None => {}
        }
        best
    }

    #[inline]
    fn place(&self, own: S::Cells, all: S::Cells, n_empty: i32) -> Place {
        let key = key(own, all);
        self.table.place(if n_empty >= MIRRORED { key.min(mirrored(self.shape, key)) } else { key }, self.shape)
    }

    /// Many threats first, then the columns from the middle outwards.
    #[inline]
    fn rank(&self, stone: S::Cells, threats: S::Cells) -> i32 {
        let column = (stone.first() / self.shape.stride()) as i32;
        let from_middle = (2 * column - (self.shape.width() as i32 - 1)).abs();
        let by_column = if self.thread.is_multiple_of(2) { -from_middle } else { from_middle };
        32 * threats.n() as i32 + by_column
    }
}

// By insertion: there are few, and most are in order.
#[inline]
fn sort<C: Copy>(candidates: &mut [Candidate<C>]) {
    for i in 1..candidates.len() {
        let candidate = candidates[i];
        let mut j = i;
        while j > 0 && candidates[j - 1].rank < candidate.rank {
            candidates[j] = candidates[j - 1];
            j -= 1;
        }
        candidates[j] = candidate;
    }
}
