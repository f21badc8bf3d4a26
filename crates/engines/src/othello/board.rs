//! The board as 64 bits, eight a row from the top left: what turns, where discs may be placed, what is stable.
//!
//! Smaller boards lie in the upper left corner; cells beside them hold no disc, so that no run ends there. *Up* is towards higher
//! bits.

use raichi_machine::{Instructions, Words};

/// The cells beyond a cell in the four upward and in the four downward directions, and those beside it.
#[repr(align(32))]
struct Around {
    up: [u64; 4],
    down: [u64; 4],
    beside: u64,
}

static AROUND: [Around; 64] = {
    const NONE: Around = Around { up: [0; 4], down: [0; 4], beside: 0 };
    let mut all = [NONE; 64];
    let mut i = 0;
    while i < 64 * 4 {
        let (cell, line) = (i / 4, i % 4);
        all[cell].up[line] = ray(cell as i32, STEPS[line], 8);
        all[cell].down[line] = ray(cell as i32, (-STEPS[line].0, -STEPS[line].1), 8);
        all[cell].beside |= ray(cell as i32, STEPS[line], 1) | ray(cell as i32, (-STEPS[line].0, -STEPS[line].1), 1);
        i += 1;
    }
    all
};

const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

const fn ray(cell: i32, (dx, dy): (i32, i32), length: i32) -> u64 {
    let (mut column, mut row, mut n) = (cell % 8 + dx, cell / 8 + dy, 0);
    let mut cells = 0;
    while 0 <= column && column < 8 && 0 <= row && row < 8 && n < length {
        cells |= 1 << (8 * row + column);
        (column, row, n) = (column + dx, row + dy, n + 1);
    }
    cells
}

/// The discs of `foes` that a disc of `own` on this empty cell turns.
#[inline(always)]
pub(in crate::othello) fn turned(cell: u32, own: u64, foes: u64) -> u64 {
    let around = &AROUND[cell as usize & 63];
    if around.beside & foes == 0 {
        return 0;
    }
    let mut found = 0;
    for ray in around.up {
        // The carry climbs along the run to the first cell that is no foe's.
        let end = (foes | !ray).wrapping_add(1) & ray & own;
        found |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in around.down {
        let others = ray & !foes;
        let end = (1 << (63 - (others | 1).leading_zeros())) & others & own;
        found |= (end << 1).wrapping_neg() & ray;
    }
    found
}

/// What turns and where discs may be placed, by instructions that are chosen at run time: in a [`Body`](raichi_machine::Body)
/// that runs by them, and in what is always inlined there. Elsewhere each operation would be a call.
pub(in crate::othello) trait Lines: Instructions {
    /// As [`turned`].
    #[inline(always)]
    fn turned(self, cell: u32, own: u64, foes: u64) -> u64 {
        if Self::ARE_WIDE { turned_side_by_side(self, cell, own, foes) } else { turned(cell, own, foes) }
    }

    /// As [`placements`].
    #[inline(always)]
    fn placements(self, own: u64, foes: u64, empty: u64) -> u64 {
        empty & if Self::ARE_WIDE { enclosing_side_by_side(self, own, foes) } else { enclosing(own, foes) }
    }
}

impl<I: Instructions> Lines for I {}

/// How far apart neighbours are in the four directions, and twice as far.
const STEP: [u64; 4] = [1, 7, 8, 9];
const TWO_STEPS: [u64; 4] = [2, 14, 16, 18];

/// [`turned`], with the four directions of each kind side by side.
#[inline(always)]
fn turned_side_by_side<I: Instructions>(instructions: I, cell: u32, own: u64, foes: u64) -> u64 {
    let around = &AROUND[cell as usize & 63];
    // Where all takes about as long as a mispredicted branch, nothing is asked first.
    if !I::Words::FIND_HIGHEST && around.beside & foes == 0 {
        return 0;
    }
    let (own, foes, zero) = (instructions.splat(own), instructions.splat(foes), instructions.splat(0));
    // Up: the first cell that is no foe's is the lowest one.
    let ray = instructions.words(around.up);
    let others = ray & !foes;
    let end = others & (zero - others) & own;
    let up = (end - instructions.splat(1) - end.is_zero()) & ray;
    // Down: it is the one above which there is none.
    let ray = instructions.words(around.down);
    let others = ray & !foes;
    let first = if I::Words::FIND_HIGHEST {
        others.highest()
    } else {
        let (step, two_steps) = (instructions.words(STEP), instructions.words(TWO_STEPS));
        let mut hidden = others >> step;
        hidden = hidden | hidden >> step;
        hidden = hidden | hidden >> two_steps;
        hidden = hidden | hidden >> two_steps;
        others & !hidden
    };
    let end = first & own;
    let down = (zero - (end + end)) & ray;
    (up | down).any()
}

/// [`enclosing`], with the four directions side by side.
#[inline(always)]
fn enclosing_side_by_side<I: Instructions>(instructions: I, own: u64, foes: u64) -> u64 {
    let (step, two_steps) = (instructions.words(STEP), instructions.words(TWO_STEPS));
    let own = instructions.splat(own);
    let foes = instructions.splat(foes) & instructions.words([INNER, INNER, !0, INNER]);
    let (mut up, mut down) = (foes & own << step, foes & own >> step);
    (up, down) = (up | foes & up << step, down | foes & down >> step);
    let (pairs_up, pairs_down) = (foes & foes << step, foes & foes >> step);
    (up, down) = (up | pairs_up & up << two_steps, down | pairs_down & down >> two_steps);
    (up, down) = (up | pairs_up & up << two_steps, down | pairs_down & down >> two_steps);
    (up << step | down >> step).any()
}

const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The cells behind a run of foes that begins at an own disc, empty or not.
#[inline(always)]
fn enclosing(own: u64, foes: u64) -> u64 {
    let inner = foes & INNER;
    let mut found = 0;
    for (step, foes) in [(1, inner), (8, foes), (7, inner), (9, inner)] {
        let (mut up, mut down) = (foes & own << step, foes & own >> step);
        (up, down) = (up | foes & up << step, down | foes & down >> step);
        let (pairs_up, pairs_down) = (foes & foes << step, foes & foes >> step);
        (up, down) = (up | pairs_up & up << (2 * step), down | pairs_down & down >> (2 * step));
        (up, down) = (up | pairs_up & up << (2 * step), down | pairs_down & down >> (2 * step));
        found |= up << step | down >> step;
    }
    found
}

/// Where `own` may place.
#[inline(always)]
pub(in crate::othello) fn placements(own: u64, foes: u64, empty: u64) -> u64 {
    enclosing(own, foes) & empty
}

/// All cells beside those of a set, and they themselves.
#[inline]
pub(in crate::othello) fn spread(cells: u64) -> u64 {
    let row = cells | (cells & !COLUMN_H) << 1 | (cells & !COLUMN_A) >> 1;
    row | row << 8 | row >> 8
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// For each direction the cells from which one step up, one down leads off the board.
const OFF: [(u32, u64, u64); 4] = [
    (1, COLUMN_H, COLUMN_A),
    (7, COLUMN_A | 0xff << 56, COLUMN_H | 0xff),
    (8, 0xff << 56, 0xff),
    (9, COLUMN_H | 0xff << 56, COLUMN_A | 0xff),
];

/// Discs of `own` that nothing can turn any more: not all of them, but only such.
///
/// In each direction a stable disc lies in a full line, beside the border, or beside a stable disc of its own colour.
#[inline]
pub(in crate::othello) fn stable(own: u64, foes: u64, board: u64) -> u64 {
    let full = own | foes | !board;
    let mut safe = [0; 4];
    for (safe, (step, off_up, off_down)) in safe.iter_mut().zip(OFF) {
        let (mut up, mut down) = (full, full);
        for _ in 0..7 {
            up &= up >> step | off_up;
            down &= down << step | off_down;
        }
        // Beside the border of a smaller board lies a cell off the board.
        let border = off_up | off_down | !board >> step | !board << step;
        *safe = up & down | border;
    }
    let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        let mut next = own;
        for (safe, (step, off_up, off_down)) in safe.iter().zip(OFF) {
            next &= safe | (stable & !off_up) << step | (stable & !off_down) >> step;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// Of all eight images of a position under the symmetries of the board the least one, as numbers go.
pub(in crate::othello) fn canonical(mut own: u64, mut foes: u64, size: u32) -> (u64, u64) {
    let mut least = (own, foes);
    // Two mirrors in turn go through the whole group.
    for i in 0..7 {
        let mirror = |cells| if i % 2 == 0 { transposed(cells) } else { upside_down(cells, size) };
        (own, foes) = (mirror(own), mirror(foes));
        least = least.min((own, foes));
    }
    least
}

/// The mirror image on the diagonal from the top left.
fn transposed(mut cells: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let moved = (cells ^ cells >> shift) & mask;
        cells ^= moved ^ moved << shift;
    }
    cells
}

/// The mirror image on the middle row.
fn upside_down(cells: u64, size: u32) -> u64 {
    cells.swap_bytes() >> (8 * (8 - size))
}

/// The cells of a set, in ascending order.
#[inline]
pub(in crate::othello) fn ones(mut cells: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros());
        cells &= cells.wrapping_sub(1);
        cell
    })
}
