//! The runs of discs on the 10×10 board, which takes two words, and the part of them that is turned.

use super::board::{Cell, Cells, LINES, columns, ray};

const STRIDE: u8 = 10;
const N_CELLS: usize = 100;

/// All columns but the outer two: a disc on those is enclosed along its column or not at all.
const INNER: Cells = columns(STRIDE as u32, STRIDE as u32, (1 << (STRIDE - 1)) - 2);

/// The cells beyond a cell in the four upward and in the four downward directions.
type Rays = [[Cells; 4]; 2];

static RAYS: [Rays; N_CELLS] = {
    let mut rays = [[[0; 4]; 2]; N_CELLS];
    let mut i = 0;
    while i < 4 * N_CELLS {
        let (cell, line) = (i / 4, i % 4);
        let (dx, dy) = LINES[line];
        rays[cell][0][line] = ray(STRIDE as i32, cell as i32, (dx, dy));
        rays[cell][1][line] = ray(STRIDE as i32, cell as i32, (-dx, -dy));
        i += 1;
    }
    rays
};

/// The cells on which `own` could place if they were empty: those behind a run of `foes` that begins at an own disc.
#[inline]
pub(super) fn enclosing(own: Cells, foes: Cells) -> Cells {
    let inner = foes & INNER;
    // To the right one addition does it: a run of foes right of an own disc is a run of ones, and carries.
    let right = (inner + (inner & own << 1)) & !inner;
    let mut found = right | behind(own, inner, 1, |cells, n| cells >> n);
    let stride = u32::from(STRIDE);
    for (step, foes) in [(stride, foes), (stride - 1, inner), (stride + 1, inner)] {
        found |= behind(own, foes, step, |cells, n| cells << n);
        found |= behind(own, foes, step, |cells, n| cells >> n);
    }
    found
}

// Runs grow by one disc, by one more, and then by pairs until the longest that fits on the board is found.
#[inline]
fn behind(own: Cells, foes: Cells, step: u32, shift: impl Fn(Cells, u32) -> Cells) -> Cells {
    let pairs = foes & shift(foes, step);
    let mut runs = foes & shift(own, step);
    runs |= foes & shift(runs, step);
    for _ in 0..STRIDE / 2 - 2 {
        runs |= pairs & shift(runs, 2 * step);
    }
    shift(runs, step)
}

/// The discs of `foes` enclosed between a disc put on `cell` and one of `own`.
#[inline]
pub(super) fn enclosed(cell: Cell, own: Cells, foes: Cells) -> Cells {
    let [up, down] = &RAYS[usize::from(cell)];
    // A run of foes ends at the first cell of the ray where there is none, and is enclosed if that is an own disc.
    let upward = up.iter().fold(0, |found, &ray| {
        let end = lowest(ray & !foes) & own;
        found | ray & below(end)
    });
    down.iter().fold(upward, |found, &ray| {
        let end = highest(ray & !foes) & ray & own;
        found | ray & above(end)
    })
}

/// The lowest cell of the set, if there is one.
#[inline]
fn lowest(cells: Cells) -> Cells {
    cells & cells.wrapping_neg()
}

/// The highest cell of the set, the first of the board where there is none.
#[inline]
fn highest(cells: Cells) -> Cells {
    1 << (cells | 1).ilog2()
}

/// All cells below one, or nothing below nothing.
#[inline]
fn below(cell: Cells) -> Cells {
    cell.wrapping_sub(Cells::from(cell != 0))
}

/// All cells above one, or nothing above nothing.
#[inline]
fn above(cell: Cells) -> Cells {
    (cell << 1).wrapping_neg()
}
