//! Heaps of items from which the seats take in turn: what Nim and Nim3P share.
//!
//! An action takes some items from one heap. Who wins is each game's own.
//!
//! Positions: the items left in each heap, then the seat to act: `5/3/0 1`.
//! Numbers: the items of each heap; an action is `heap * most + count - 1`, where `most` is the most items that any action
//! takes from a full heap.

mod encode;
mod notation;
#[cfg(test)]
mod tests;
mod view;

use arrayvec::ArrayVec;
use raichi_core::random::{self, Rng};
use serde::{Deserialize, Serialize};

pub use notation::{HEAPS, SIZE, SIZES, sizes};

/// The most heaps there can be.
pub const MAX_HEAPS: usize = 12;

/// The heaps at the start, and how many items one action may take.
#[derive(Clone, Debug)]
pub struct Setup {
    sizes: ArrayVec<u8, MAX_HEAPS>,
    limit: u8,
    // The limit in every byte, where it is below 128.
    limits: u64,
    // Whether one word holds all heaps, and a byte's seven low bits the number of actions.
    one_word: bool,
}

/// The items left: a byte a heap, the first eight heaps in the first word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Heaps {
    first: u64,
    second: u64,
}

/// Taking items from a heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    /// The heap, from 0.
    pub heap: u8,
    /// How many items, at least one.
    pub count: u8,
}

// 1 in every byte, and the top bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

impl Setup {
    /// Heaps of these sizes; an action takes at most `limit` items, 255 being all that a heap can hold.
    ///
    /// # Panics
    /// When there are more than [`MAX_HEAPS`].
    pub fn new(sizes: &[u8], limit: u8) -> Setup {
        let n_actions: u16 = sizes.iter().map(|&size| u16::from(size.min(limit))).sum();
        let one_word = sizes.len() <= 8 && n_actions < 128 && sizes.iter().all(|&size| size < 128);
        let sizes = sizes.try_into().expect("parameters bound the number of heaps");
        Setup { sizes, limit, limits: ONES * u64::from(limit.min(127)), one_word }
    }

    /// The items in each heap at the start.
    pub fn sizes(&self) -> &[u8] {
        &self.sizes
    }

    /// The most items that an action may take; 255 is as many as a heap holds.
    #[inline]
    pub fn limit(&self) -> u8 {
        self.limit
    }

    // The items in the largest heap at the start.
    fn largest(&self) -> u8 {
        self.sizes.iter().copied().max().expect("there is at least one heap")
    }

    /// The heaps before the first ply.
    pub fn start(&self) -> Heaps {
        Heaps::holding(&self.sizes)
    }

    /// Appends everything that may be taken, heap by heap.
    pub fn list(&self, heaps: &Heaps, takes: &mut Vec<Take>) {
        for heap in 0..self.sizes.len() as u8 {
            takes.extend((1..=self.most(heaps, heap)).map(|count| Take { heap, count }));
        }
    }

    // The most items an action may take from a heap.
    #[inline]
    fn most(&self, heaps: &Heaps, heap: u8) -> u8 {
        heaps.items(heap).min(self.limit)
    }

    /// How many actions there are.
    #[inline]
    pub fn n_actions(&self, heaps: &Heaps) -> usize {
        if self.one_word {
            return (self.running_sums(heaps.first) >> 56) as usize;
        }
        (0..self.sizes.len() as u8).map(|heap| usize::from(self.most(heaps, heap))).sum()
    }

    // In byte i, how many actions take from heaps 0 to i, where all heaps are in one word.
    #[inline]
    fn running_sums(&self, items: u64) -> u64 {
        let limit = self.limits;
        // All bits of the bytes that have reached the limit.
        let reached = (((items | TOPS) - limit) & TOPS) >> 7;
        let reached = reached * 0xff;
        ((items & !reached) | (limit & reached)).wrapping_mul(ONES)
    }

    /// Whether this may be taken.
    pub fn is_legal(&self, heaps: &Heaps, take: Take) -> bool {
        usize::from(take.heap) < self.sizes.len() && (1..=self.most(heaps, take.heap)).contains(&take.count)
    }

    /// One of everything that may be taken, uniformly.
    #[inline]
    pub fn random<R: Rng + ?Sized>(&self, heaps: &Heaps, rng: &mut R) -> Take {
        if self.one_word {
            let sums = self.running_sums(heaps.first);
            let nth = random::index(rng, (sums >> 56) as usize) as u64;
            return nth_of_sums(sums, nth);
        }
        let mut nth = random::index(rng, self.n_actions(heaps));
        let mut heap = 0;
        while nth >= self.most(heaps, heap).into() {
            nth -= usize::from(self.most(heaps, heap));
            heap += 1;
        }
        Take { heap, count: nth as u8 + 1 }
    }

    /// Takes.
    #[inline]
    pub fn take(&self, heaps: &mut Heaps, take: Take) {
        debug_assert!(self.is_legal(heaps, take), "{take:?} is not legal");
        let word = if take.heap < 8 { &mut heaps.first } else { &mut heaps.second };
        *word -= u64::from(take.count) << (8 * (take.heap & 7));
    }
}

// The `nth` action of the list when `sums` are the running sums of the actions of each heap, all below 128.
#[inline]
fn nth_of_sums(sums: u64, nth: u64) -> Take {
    // The top bit of each byte whose sum is not beyond nth: the heaps before the one that is wanted.
    let passed = (((ONES * nth) | TOPS) - sums) & TOPS;
    let heap = (!passed & TOPS).trailing_zeros() / 8;
    let before = (sums << 8) >> (8 * heap) & 0xff;
    Take { heap: heap as u8, count: (nth - before) as u8 + 1 }
}

impl Heaps {
    // Heaps that hold so many items each.
    pub(super) fn holding(items: &[u8]) -> Heaps {
        let word = |items: &[u8]| items.iter().rev().fold(0, |word, &items| word << 8 | u64::from(items));
        let (first, second) = items.split_at(items.len().min(8));
        Heaps { first: word(first), second: word(second) }
    }

    /// The items left in a heap.
    #[inline]
    pub fn items(&self, heap: u8) -> u8 {
        let word = if heap < 8 { self.first } else { self.second };
        (word >> (8 * (heap & 7))) as u8
    }

    /// Whether the last item has been taken.
    #[inline]
    pub fn are_gone(&self) -> bool {
        self.first | self.second == 0
    }
}
