//! The board as 64 bits, eight a row from the top left: what is stable, and which of its images is the least. Smaller boards lie in
//! the upper left corner. What turns and where discs may be placed are the rules' own: `raichi_games::othello::lines`.

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
