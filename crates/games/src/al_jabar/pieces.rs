//! Piles of pieces, counted by colour, and the same counts packed to be compared all at once.

use serde::{Deserialize, Serialize};

use super::group::{Colour, MAX_COLOURED, Map};

/// How many pieces of each colour lie somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Pieces {
    coloured: [u8; MAX_COLOURED],
    /// Unlimited by the rules, but each comes from a cancellation: a few thousand at the most.
    zeros: u16,
}

impl Pieces {
    #[inline]
    pub(super) fn count(&self, colour: Colour) -> u16 {
        self.coloured.get(colour.index()).map_or(self.zeros, |&count| count.into())
    }

    #[inline]
    pub(super) fn len(&self) -> u16 {
        self.coloured.iter().map(|&count| u16::from(count)).sum::<u16>() + self.zeros
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.coloured == [0; MAX_COLOURED] && self.zeros == 0
    }

    #[inline]
    pub(super) fn add(&mut self, colour: Colour, n: u16) {
        match self.coloured.get_mut(colour.index()) {
            Some(count) => *count += n as u8,
            None => self.zeros += n,
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, colour: Colour, n: u16) {
        match self.coloured.get_mut(colour.index()) {
            Some(count) => *count -= n as u8,
            None => self.zeros -= n,
        }
    }

    /// The colour of piece number `n` when all but the zeros lie in a row by colour.
    #[inline]
    pub(super) fn nth(&self, n: usize) -> Colour {
        let mut left = n;
        for (i, &count) in (0..).zip(&self.coloured) {
            if left < usize::from(count) {
                return Colour(i);
            }
            left -= usize::from(count);
        }
        Colour::ZERO
    }

    pub(super) fn map(&self, map: &Map) -> Pieces {
        let mut image = Pieces { zeros: self.zeros, ..Pieces::default() };
        for (i, &count) in self.coloured.iter().enumerate().filter(|&(_, &count)| count > 0) {
            image.add(map[i], count.into());
        }
        image
    }

    /// The counts of the first `n_coloured` colours and of the zero.
    #[inline]
    pub(super) fn packed(&self, n_coloured: usize) -> Packed {
        let (first, rest) = self.coloured[..n_coloured].split_at(n_coloured.min(ZERO_LANE));
        let lanes = |counts: &[u8]| counts.iter().rev().fold(0, |word, &count| word << 4 | u64::from(count.min(MOST)));
        let zeros = u64::from(self.zeros.min(MOST.into())) << (4 * ZERO_LANE);
        Packed { low: lanes(first) | zeros, high: lanes(rest) }
    }
}

/// The zero has the last four bits of the first word; groups of up to 16 colours need no second one.
const ZERO_LANE: usize = 15;
/// More pieces of a colour than this are never given or taken; packed counts go no further.
const MOST: u8 = 7;
const GUARDS: u64 = 0x8888_8888_8888_8888;

/// A count of at most seven for each colour, in four bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    pub(super) low: u64,
    pub(super) high: u64,
}

/// Whether every count of `need` is within that of `have`: no subtraction borrows from the bit set above it.
#[inline]
pub(super) fn covers(have: u64, need: u64) -> bool {
    (have | GUARDS).wrapping_sub(need) & GUARDS == GUARDS
}
