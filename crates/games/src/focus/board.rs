//! The 52 cells of the board, and how far piles go on them.
//!
//! Cell (column, row), both from 0 at a1, is bit `row * 8 + column`. No row or column has a gap, so that a way along
//! one leads over cells of the board whenever it ends on one.

use raichi_core::bits;

use crate::square;

/// A set of cells.
pub type Cells = u64;

/// A cell's bit number.
pub type Cell = u8;

/// Rows, and columns.
pub const SIZE: u8 = 8;

/// All cells but three at each corner.
pub const BOARD: Cells = 0x3c7e_ffff_ffff_7e3c;

/// Where each seat's pieces stand at the start, one to a cell.
pub(super) const START: [Cells; 2] = [0x0066_1866_1866_1800, 0x0018_6618_6618_6600];

/// One step right, left, up, down, as a difference of bit numbers.
pub const DIRECTIONS: [i8; 4] = [1, -1, 8, -8];

/// How many cells of the board lie beyond each cell in each direction.
pub const REACH: [[u8; 4]; 64] = {
    let mut reach = [[0; 4]; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (cell, direction) = (i / 4, i % 4);
        let (mut column, mut row) = (cell as i8 % 8, cell as i8 / 8);
        loop {
            column += [1, -1, 0, 0][direction];
            row += [0, 0, 1, -1][direction];
            if !(0 <= column && column < 8 && 0 <= row && row < 8 && BOARD >> (row * 8 + column) & 1 == 1) {
                break;
            }
            reach[cell][direction] += 1;
        }
        i += 1;
    }
    reach
};

/// How many moves a pile of each height has on each cell.
pub(super) const N_MOVES: [[u8; 6]; 64] = {
    let mut n_moves = [[0; 6]; 64];
    let mut i = 0;
    while i < 64 * 6 * 4 {
        let (cell, height, direction) = (i / 24, i / 4 % 6, i % 4);
        let reach = REACH[cell][direction];
        n_moves[cell][height] += if reach < height as u8 { reach } else { height as u8 };
        i += 1;
    }
    n_moves
};

/// The cell in this column and row.
pub const fn cell(column: u8, row: u8) -> Cell {
    row * SIZE + column
}

/// Its column and row.
pub const fn column_and_row(cell: Cell) -> (u8, u8) {
    (cell % SIZE, cell / SIZE)
}

/// The set of this cell.
#[inline]
pub const fn bit(cell: Cell) -> Cells {
    1 << cell
}

/// The cells of a set, in ascending order.
#[inline]
pub fn each(cells: Cells) -> impl Iterator<Item = Cell> {
    bits::ones([cells]).map(|cell| cell as Cell)
}

/// The cell `n` steps away in a direction.
#[inline]
pub fn step(from: Cell, direction: usize, n: u8) -> Cell {
    from.wrapping_add_signed(DIRECTIONS[direction] * n as i8)
}

/// How many steps two cells of one row or column are apart; `None` for all other pairs.
#[inline]
pub(super) fn distance(from: Cell, to: Cell) -> Option<u8> {
    let ((from_column, from_row), (to_column, to_row)) = (column_and_row(from), column_and_row(to));
    let (columns, rows) = (from_column.abs_diff(to_column), from_row.abs_diff(to_row));
    ((columns == 0) != (rows == 0)).then_some(columns + rows)
}

/// The image of a cell.
pub fn map_cell(symmetry: usize, at: Cell) -> Cell {
    let (column, row) = square::image(symmetry, SIZE, column_and_row(at));
    cell(column, row)
}
