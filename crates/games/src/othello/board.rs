//! The board as bits, row by row from the top left, and the runs of discs on it.
//!
//! Boards of up to 8×8 cells take one word with eight cells a row; smaller ones lie in its top left corner. The 10×10
//! board takes two words with ten cells a row. *Up* is towards higher bits: to the right and down the board.

use raichi_core::bits;

use std::ops::{Add, BitAnd, BitOr, Not, Shl, Shr};

/// A set of cells of any board.
pub(super) type Cells = u128;

/// A cell's bit number.
pub(super) type Cell = u8;

/// The cells beyond a cell in the four upward and in the four downward directions.
pub(super) type Rays<W> = [[W; 4]; 2];

/// As many bits as a board needs.
pub(super) trait Word:
    'static
    + Copy
    + Eq
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Cells a row.
    const STRIDE: u32;
    /// All columns but the outer two: a disc on those is enclosed along its column or not at all.
    const INNER: Self;
    const NONE: Self;

    fn narrow(cells: Cells) -> Self;
    fn wide(self) -> Cells;
    fn one(cell: Cell) -> Self;
    fn rays(cell: Cell) -> &'static Rays<Self>;

    /// The lowest cell of the set, if there is one.
    fn lowest(self) -> Self;
    /// The highest cell of the set, the first of the board where there is none.
    fn highest(self) -> Self;
    /// All cells below one, or nothing below nothing.
    fn below(self) -> Self;
    /// All cells above one, or nothing above nothing.
    fn above(self) -> Self;
}

macro_rules! word {
    ($word:ty, $stride:literal) => {
        impl Word for $word {
            const STRIDE: u32 = $stride;
            const INNER: $word = columns($stride, $stride, (1 << ($stride - 1)) - 2) as $word;
            const NONE: $word = 0;

            #[inline]
            fn narrow(cells: Cells) -> $word {
                cells as $word
            }

            #[inline]
            fn wide(self) -> Cells {
                self as Cells
            }

            #[inline]
            fn one(cell: Cell) -> $word {
                1 << cell
            }

            #[inline]
            fn rays(cell: Cell) -> &'static Rays<$word> {
                static RAYS: [Rays<$word>; $stride * $stride] = {
                    let mut rays = [[[0; 4]; 2]; $stride * $stride];
                    let mut i = 0;
                    while i < $stride * $stride * 8 {
                        let (cell, up, line) = (i / 8, i % 8 < 4, i % 4);
                        rays[cell][!up as usize][line] = ray($stride, cell as i32, line, up) as $word;
                        i += 1;
                    }
                    rays
                };
                &RAYS[usize::from(cell)]
            }

            #[inline]
            fn lowest(self) -> $word {
                self & self.wrapping_neg()
            }

            #[inline]
            fn highest(self) -> $word {
                1 << (self | 1).ilog2()
            }

            #[inline]
            fn below(self) -> $word {
                self.wrapping_sub(<$word>::from(self != 0))
            }

            #[inline]
            fn above(self) -> $word {
                (self << 1).wrapping_neg()
            }
        }
    };
}

word!(u64, 8);
word!(u128, 10);

/// Cells a row of the word that a board of this size takes.
pub(super) const fn stride(size: u8) -> u8 {
    if size > 8 { 10 } else { 8 }
}

/// The whole board.
pub(super) fn board(size: u8) -> Cells {
    columns(size.into(), stride(size).into(), (1 << size) - 1)
}

// The same columns in every row.
const fn columns(n_rows: u32, stride: u32, columns: Cells) -> Cells {
    let mut cells = 0;
    let mut row = 0;
    while row < n_rows {
        cells |= columns << (row * stride);
        row += 1;
    }
    cells
}

// The cells beyond a cell along its row, its column or a diagonal.
const fn ray(size: i32, cell: i32, line: usize, up: bool) -> Cells {
    let (dx, dy) = [(1, 0), (0, 1), (-1, 1), (1, 1)][line];
    let (dx, dy) = if up { (dx, dy) } else { (-dx, -dy) };
    let (mut column, mut row) = (cell % size + dx, cell / size + dy);
    let mut cells = 0;
    while 0 <= column && column < size && 0 <= row && row < size {
        cells |= 1 << (row * size + column);
        column += dx;
        row += dy;
    }
    cells
}

/// The cells on which `own` could place if they were empty: those behind a run of `foes` that begins at an own disc.
#[inline]
pub(super) fn enclosing<W: Word>(own: W, foes: W) -> W {
    let inner = foes & W::INNER;
    // To the right one addition does it: a run of foes right of an own disc is a run of ones, and carries.
    let right = (inner + (inner & own << 1)) & !inner;
    let mut found = right | behind(own, inner, 1, |cells, n| cells >> n);
    for (step, foes) in [(W::STRIDE, foes), (W::STRIDE - 1, inner), (W::STRIDE + 1, inner)] {
        found = found | behind(own, foes, step, |cells, n| cells << n);
        found = found | behind(own, foes, step, |cells, n| cells >> n);
    }
    found
}

// Runs grow by one disc, by one more, and then by pairs until the longest that fits on the board is found.
#[inline]
fn behind<W: Word>(own: W, foes: W, step: u32, shift: impl Fn(W, u32) -> W) -> W {
    let pairs = foes & shift(foes, step);
    let mut runs = foes & shift(own, step);
    runs = runs | foes & shift(runs, step);
    for _ in 0..W::STRIDE / 2 - 2 {
        runs = runs | pairs & shift(runs, 2 * step);
    }
    shift(runs, step)
}

/// The discs of `foes` enclosed between a disc put on `cell` and one of `own`.
#[inline]
pub(super) fn enclosed<W: Word>(cell: Cell, own: W, foes: W) -> W {
    let [up, down] = W::rays(cell);
    // A run of foes ends at the first cell of the ray where there is none, and is enclosed if that is an own disc.
    let upward = up.iter().fold(W::NONE, |found, &ray| {
        let end = (ray & !foes).lowest() & own;
        found | ray & end.below()
    });
    down.iter().fold(upward, |found, &ray| {
        let end = (ray & !foes).highest() & ray & own;
        found | ray & end.above()
    })
}

/// The cells of a set, in ascending order.
#[inline]
pub(super) fn each(cells: Cells) -> impl Iterator<Item = Cell> {
    bits::ones(words(cells)).map(|cell| cell as Cell)
}

/// The `n`-th cell of a set.
#[inline]
pub(super) fn nth(cells: Cells, n: u32) -> Cell {
    bits::nth_of(words(cells), n) as Cell
}

#[inline]
const fn words(cells: Cells) -> [u64; 2] {
    [cells as u64, (cells >> 64) as u64]
}
