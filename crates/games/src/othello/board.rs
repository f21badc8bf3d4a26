//! The board as bits, row by row from the top left.
//!
//! Boards of up to 8×8 cells take one word with eight cells a row ([`lines`](super::lines)); smaller ones lie in its top left corner.
//! The 10×10 board takes two words with ten cells a row ([`large`](super::large)). *Up* is towards higher bits: to the right and down
//! the board.

use raichi_core::bits;

/// A set of cells of any board.
pub(super) type Cells = u128;

/// A cell's bit number.
pub(super) type Cell = u8;

/// Cells a row of the words that a board of this size takes.
#[inline]
pub(super) const fn stride(size: u8) -> u8 {
    if size > 8 { 10 } else { 8 }
}

/// The whole board.
pub(super) fn board(size: u8) -> Cells {
    columns(size.into(), stride(size).into(), (1 << size) - 1)
}

/// The same columns in every row.
pub(super) const fn columns(n_rows: u32, stride: u32, columns: Cells) -> Cells {
    let mut cells = 0;
    let mut row = 0;
    while row < n_rows {
        cells |= columns << (row * stride);
        row += 1;
    }
    cells
}

/// The lines through a cell: along its row, its column and the two diagonals, as steps up in columns and rows.
pub(super) const LINES: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The cells beyond a cell in one direction, on a board of words with so many cells a row.
pub(super) const fn ray(stride: i32, cell: i32, (dx, dy): (i32, i32)) -> Cells {
    let (mut column, mut row) = (cell % stride + dx, cell / stride + dy);
    let mut cells = 0;
    while 0 <= column && column < stride && 0 <= row && row < stride {
        cells |= 1 << (row * stride + column);
        column += dx;
        row += dy;
    }
    cells
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
