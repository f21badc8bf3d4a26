//! Sets of cells of the 9×9 board as bits, and what can be slid to.
//!
//! Cell (column, row), both from 0 at a1, is bit `row * 10 + column`. Column 9 belongs to no set: what is shifted over
//! the right or left edge ends there.

use raichi_core::bits;

use crate::square;

/// A set of cells.
pub type Cells = u128;

/// A cell's bit number.
pub type Cell = u8;

/// Rows, and columns.
pub const SIZE: u8 = 9;
const STRIDE: u8 = 10;

/// One step right, left, up, down, as a difference of bit numbers.
pub const DIRECTIONS: [i8; 4] = [RIGHT, LEFT, UP, DOWN];
/// To the next column.
pub const RIGHT: i8 = 1;
/// To the column before.
pub const LEFT: i8 = -1;
/// To the next row.
pub const UP: i8 = STRIDE as i8;
/// To the row before.
pub const DOWN: i8 = -UP;

/// All cells.
pub const BOARD: Cells = {
    let mut cells = 0;
    let mut row = 0;
    while row < SIZE {
        cells |= 0x1ff << (row * STRIDE);
        row += 1;
    }
    cells
};

/// The cells from which the king has escaped.
pub const EDGE: Cells = {
    let inner = BOARD & (BOARD << 1) & (BOARD >> 1) & (BOARD << STRIDE) & (BOARD >> STRIDE);
    BOARD & !inner
};

/// The middle.
pub const CASTLE: Cell = cell(4, 4);

/// The cells beside each cell, by bit number.
pub const BESIDE: [Cells; 128] = {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 128 {
        let cells = bit(at) & BOARD;
        table[at as usize] = BOARD & (cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE);
        at += 1;
    }
    table
};

/// The cell in this column and row, both from 0.
pub const fn cell(column: u8, row: u8) -> Cell {
    row * STRIDE + column
}

/// Both from 0.
pub const fn column_and_row(cell: Cell) -> (u8, u8) {
    (cell % STRIDE, cell / STRIDE)
}

/// The set of one cell.
#[inline]
pub const fn bit(cell: Cell) -> Cells {
    1 << cell
}

/// The cells of a set, in ascending order.
#[inline]
pub fn each(cells: Cells) -> impl Iterator<Item = Cell> {
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

/// The set moved by `by`, over the top or the bottom into nothing.
#[inline]
const fn shifted(cells: Cells, by: i8) -> Cells {
    if by >= 0 { cells << by } else { cells >> -by }
}

/// The set one step in a direction, without what leaves the board.
#[inline]
pub const fn step(cells: Cells, direction: i8) -> Cells {
    shifted(cells, direction) & BOARD
}

/// All cells that some piece of `pieces` slides to in a direction over `empty` cells; at most one piece reaches each.
///
/// To the right one addition does it: a run of empty cells right of a piece is a run of ones, and carries. Elsewhere
/// runs of 1, 2, 4 and 8 cells are joined in turn; no run is longer, the piece itself stands on the ninth.
#[inline]
pub fn slides(pieces: Cells, empty: Cells, direction: i8) -> Cells {
    let first = shifted(pieces, direction) & empty;
    if direction == RIGHT {
        return empty & !(empty + first);
    }
    let mut reached = first;
    let mut run = empty;
    reached |= run & shifted(reached, direction);
    run &= shifted(run, direction);
    reached |= run & shifted(reached, 2 * direction);
    run &= shifted(run, 2 * direction);
    reached | run & shifted(reached, 4 * direction)
}

/// The cells that a piece on `from` slides to in a direction over `empty` cells, at most `range` steps.
#[inline]
pub fn slides_within(from: Cell, empty: Cells, direction: i8, range: u8) -> Cells {
    let mut reached = 0;
    let mut next = shifted(bit(from), direction) & empty;
    for _ in 0..range {
        if next == 0 {
            break;
        }
        reached |= next;
        next = shifted(next, direction) & empty;
    }
    reached
}

/// Where the piece stands that slid to `to` in a direction.
#[inline]
pub(super) fn slid_from(to: Cell, occupied: Cells, direction: i8) -> Cell {
    match direction {
        RIGHT => 127 - (occupied & (bit(to) - 1)).leading_zeros() as Cell,
        LEFT => (occupied & !(bit(to) - 1)).trailing_zeros() as Cell,
        _ => {
            let mut at = bit(to);
            while at & occupied == 0 {
                at = shifted(at, -direction);
            }
            at.trailing_zeros() as Cell
        }
    }
}

/// The cells strictly between two cells of one row or column, and the number of steps; `None` for all other pairs.
pub(super) fn between(from: Cell, to: Cell) -> Option<(Cells, u8)> {
    let ((from_column, from_row), (to_column, to_row)) = (column_and_row(from), column_and_row(to));
    let direction = match (to_column.cmp(&from_column), to_row.cmp(&from_row)) {
        (std::cmp::Ordering::Greater, std::cmp::Ordering::Equal) => RIGHT,
        (std::cmp::Ordering::Less, std::cmp::Ordering::Equal) => LEFT,
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Greater) => UP,
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => DOWN,
        _ => return None,
    };
    let steps = from_column.abs_diff(to_column) + from_row.abs_diff(to_row);
    let cells = (1..steps).fold((0, bit(from)), |(cells, at), _| {
        let next = shifted(at, direction);
        (cells | next, next)
    });
    Some((cells.0, steps))
}

/// The image of a cell.
pub(super) fn map_cell(symmetry: usize, at: Cell) -> Cell {
    let (column, row) = square::image(symmetry, SIZE, column_and_row(at));
    cell(column, row)
}

pub(super) fn map_cells(symmetry: usize, cells: Cells) -> Cells {
    each(cells).fold(0, |image, at| image | bit(map_cell(symmetry, at)))
}
