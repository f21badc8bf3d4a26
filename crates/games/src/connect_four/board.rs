//! The board as bits: column by column from the left, each column from the bottom up, with at least one bit above
//! every column that stays empty, so that neither a carry nor a line runs over into the next column.
//!
//! ```text
//!  5 13 21 29      the stride of a narrow board is 8: this one has 4 columns and 6 rows,
//!  4 12 20 28      and of each column's eight bits the upper two stay empty
//!  …
//!  0  8 16 24
//! ```
//!
//! Boards of at most 8 columns and 7 rows are *narrow*: they fit in one word with 8 bits a column, so that every shift
//! is by a constant. All others take two words with height + 1 bits a column.

use std::ops::{Add, BitAnd, BitOr, BitXor, Shr};

use serde::{Deserialize, Serialize};

/// 128 bits in two words: narrow boards leave the upper one empty and never read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Bits {
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Bits {
    #[inline]
    pub(super) fn wide(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

impl From<u128> for Bits {
    #[inline]
    fn from(bits: u128) -> Bits {
        Bits { low: bits as u64, high: (bits >> 64) as u64 }
    }
}

/// Bits in one word or in two.
pub(super) trait Word:
    Copy
    + Eq
    + From<bool>
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shr<u32, Output = Self>
{
}

impl Word for u64 {}
impl Word for u128 {}

/// The stones of the seat to act and of both seats, after the seat to act has put a stone on top of the column with
/// this `bottom` cell; and whether that made a line.
#[inline]
pub(super) fn drop_stone<W: Word>(own: W, all: W, bottom: W, stride: u32) -> (W, W, bool) {
    let enemy = own ^ all;
    // The carry of the sum climbs to the lowest empty cell.
    let all = all | (all + bottom);
    (enemy, all, has_line(enemy ^ all, stride))
}

/// Whether `stones` hold four in a row in any direction.
#[inline]
pub(super) fn has_line<W: Word>(stones: W, stride: u32) -> bool {
    let first_cells = [1, stride - 1, stride, stride + 1].into_iter().fold(W::from(false), |found, step| {
        let pairs = stones & (stones >> step);
        found | (pairs & (pairs >> (2 * step)))
    });
    first_cells != W::from(false)
}

/// Rows and columns of 8 × 8 bits exchanged: bit 8·i + j becomes bit 8·j + i (Warren, *Hacker's Delight*, 7-3).
#[inline]
pub(super) fn transposed(bits: u64) -> u64 {
    let swap = |bits: u64, mask: u64, shift: u32| {
        let moved = (bits ^ (bits >> shift)) & mask;
        bits ^ moved ^ (moved << shift)
    };
    let bits = swap(bits, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}
