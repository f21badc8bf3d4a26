//! The 4×4 board in one word, a nibble a cell, row by row from the top left: slides by table, the rest by arithmetic on
//! all cells at once. For boards whose tiles stay below 2¹⁶, the next action included; others go the plain way.

use std::fmt;
use std::sync::LazyLock;

use super::board::{Direction, slide_line};

/// 1 in every nibble.
const ONES: u64 = 0x1111_1111_1111_1111;
/// 1 in every byte.
const BYTE_ONES: u64 = 0x0101_0101_0101_0101;

/// Every row of four nibbles after it has slid to the left, and to the right.
pub(super) struct Slides([[u16; 1 << 16]; 2]);

impl fmt::Debug for Slides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slides").finish_non_exhaustive()
    }
}

impl Slides {
    /// The tables, worked out once in a process.
    pub(super) fn get() -> &'static Slides {
        static SLIDES: LazyLock<Box<Slides>> = LazyLock::new(|| {
            let mut slides = Box::new(Slides([[0; 1 << 16]; 2]));
            for row in 0..=u16::MAX {
                let mut line = [0, 4, 8, 12].map(|shift| (row >> shift) as u8 & 15);
                slides.0[0][usize::from(row)] = slid(line);
                line.reverse();
                slides.0[1][usize::from(row)] = mirrored(slid(line));
            }
            slides
        });
        &SLIDES
    }
}

// Two 15s make a 16, which no nibble holds; `is_within_reach` keeps such rows from being looked up.
fn slid(mut line: [u8; 4]) -> u16 {
    slide_line(&mut line);
    line.iter().rev().fold(0, |row, &exponent| row << 4 | u16::from(exponent & 15))
}

fn mirrored(row: u16) -> u16 {
    row >> 12 | (row >> 4 & 0x00f0) | (row << 4 & 0x0f00) | row << 12
}

/// Whether no slide can make a tile that a nibble does not hold: no two cells are 15.
#[inline]
pub(super) fn is_within_reach(board: u64) -> bool {
    let pairs = board & (board >> 1);
    let fifteens = pairs & (pairs >> 2) & ONES;
    fifteens & fifteens.wrapping_sub(1) == 0
}

/// Slides all tiles as far as they go.
#[inline]
pub(super) fn slide(slides: &Slides, board: u64, direction: Direction) -> u64 {
    // Random directions cannot be predicted, so columns are made rows by a mask and not by a branch.
    let vertical = u64::from(direction as u8 >> 1).wrapping_neg();
    let table = &slides.0[usize::from(direction as u8 & 1)];
    let rows = board ^ ((board ^ transposed(board)) & vertical);
    let slid = (0..64)
        .step_by(16)
        .fold(0, |slid, shift| slid | u64::from(table[usize::from((rows >> shift) as u16)]) << shift);
    slid ^ ((slid ^ transposed(slid)) & vertical)
}

/// Rows become columns.
#[inline]
pub(super) fn transposed(board: u64) -> u64 {
    // The off-diagonal cells of each 2×2 block change places, then the off-diagonal blocks.
    let cells = (board ^ (board >> 12)) & 0x0000_f0f0_0000_f0f0;
    let board = board ^ cells ^ (cells << 12);
    let blocks = (board ^ (board >> 24)) & 0x0000_0000_ff00_ff00;
    board ^ blocks ^ (blocks << 24)
}

// 1 in every nibble that is not 0.
#[inline]
fn tiles(board: u64) -> u64 {
    let halves = board | (board >> 2);
    (halves | (halves >> 1)) & ONES
}

/// The directions in which some tile moves or merges, a bit each.
#[inline]
pub(super) fn slidable(board: u64) -> u8 {
    const FIRST_COLUMN: u64 = 0x0001_0001_0001_0001;
    const FIRST_ROW: u64 = 0x0000_0000_0000_ffff;
    let tiles = tiles(board);
    // Each mark stands on the left or upper cell of a pair of neighbours.
    let beside = ONES & !(FIRST_COLUMN << 12);
    let below = ONES & !(FIRST_ROW << 48);
    let merges_beside = tiles & !self::tiles(board ^ (board >> 4)) & beside;
    let merges_below = tiles & !self::tiles(board ^ (board >> 16)) & below;
    let left = merges_beside | (!tiles & (tiles >> 4) & beside);
    let right = merges_beside | (tiles & !(tiles >> 4) & beside);
    let up = merges_below | (!tiles & (tiles >> 16) & below);
    let down = merges_below | (tiles & !(tiles >> 16) & below);
    u8::from(left != 0) | u8::from(right != 0) << 1 | u8::from(up != 0) << 2 | u8::from(down != 0) << 3
}

/// The empty cells, so that one can be drawn: in byte i how many there are in cells 0 to 2i + 1.
#[derive(Clone, Copy)]
pub(super) struct Empty {
    cells: u64,
    sums: u64,
}

impl Empty {
    #[inline]
    pub(super) fn of(board: u64) -> Empty {
        let cells = !tiles(board) & ONES;
        let in_pairs = (cells & BYTE_ONES) + (cells >> 4 & BYTE_ONES);
        Empty { cells, sums: in_pairs.wrapping_mul(BYTE_ONES) }
    }

    #[inline]
    pub(super) fn count(self) -> usize {
        (self.sums >> 56) as usize
    }

    /// The empty cell number `nth`.
    #[inline]
    pub(super) fn nth(self, nth: u64) -> u8 {
        const TOPS: u64 = 0x80 * BYTE_ONES;
        // The top bit of each byte whose sum is beyond nth; the lowest is of the pair looked for.
        let reached = !(((BYTE_ONES * nth) | TOPS) - self.sums) & TOPS;
        let shift = reached.trailing_zeros() - 7;
        let before = (self.sums << 8) >> shift & 0xff;
        let first_is_empty = self.cells >> shift & 1;
        (shift / 4) as u8 + u8::from(nth - before >= first_is_empty)
    }
}
