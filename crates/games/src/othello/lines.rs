//! What turns and where discs may be placed on boards of up to 8×8 cells, which take one word; see [`board`](super::board).
//!
//! Smaller boards lie in the upper left corner; cells beside them hold no disc, so that no run ends there. What [`Lines`] does is
//! compiled several times, the four directions side by side where the processor has instructions for that. The engine of Othello works
//! by the same functions.

use raichi_machine::{Body, Choice, InstructionSet, Instructions, Words};

use super::board::{LINES, ray};

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
        let (dx, dy) = LINES[line];
        let (up, down) = (ray(8, cell as i32, (dx, dy)) as u64, ray(8, cell as i32, (-dx, -dy)) as u64);
        all[cell].up[line] = up;
        all[cell].down[line] = down;
        // Of a ray upward the lowest cell is the one beside, of one downward the highest.
        all[cell].beside |= up & up.wrapping_neg();
        all[cell].beside |= if down == 0 { 0 } else { 1 << down.ilog2() };
        i += 1;
    }
    all
};

/// The discs of `foes` that a disc of `own` on this empty cell turns.
#[inline(always)]
pub fn turned(cell: u32, own: u64, foes: u64) -> u64 {
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

/// The empty cells on which `own` may place.
#[inline(always)]
pub fn placements(own: u64, foes: u64, empty: u64) -> u64 {
    enclosing(own, foes) & empty
}

/// What turns and where discs may be placed, by instructions that are chosen at run time: in a [`Body`] that runs by them, and in
/// what is always inlined there. Elsewhere each operation would be a call.
pub trait Lines: Instructions {
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

/// All columns but the outer two: a disc on those is enclosed along its column or not at all.
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

/// The position of a board of one word after a turn, for the seat that acts then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Next {
    pub(super) own: u64,
    pub(super) foes: u64,
    pub(super) placements: u64,
    /// Whether neither seat may place.
    pub(super) is_over: bool,
}

/// A turn of the one with the discs `own`: a disc on this cell of the board, or none.
///
/// Own discs and foes' do not lie side by side in memory: they would be loaded as one vector, which waits until both have reached the cache.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Turn {
    pub(super) own: u64,
    pub(super) board: u64,
    pub(super) foes: u64,
    pub(super) cell: Option<u32>,
}

impl Turn {
    /// What it leads to.
    #[inline]
    pub(super) fn next(self, instructions: InstructionSet) -> Next {
        instructions.choose(self)
    }
}

impl Choice for Turn {
    type Output = Next;

    #[inline(always)]
    fn with<I: Instructions>(self, instructions: I) -> Next {
        instructions.run(TurnBy(instructions, self))
    }
}

struct TurnBy<I>(I, Turn);

impl<I: Instructions> Body for TurnBy<I> {
    type Output = Next;

    #[inline(always)]
    fn run(self) -> Next {
        let TurnBy(instructions, Turn { board, own: placing, foes: other, cell }) = self;
        let (mut own, mut foes) = (other, placing);
        if let Some(cell) = cell {
            let turned = instructions.turned(cell, placing, other);
            (own, foes) = (other & !turned, placing | turned | 1 << cell);
        }
        let empty = board & !(own | foes);
        let placements = instructions.placements(own, foes, empty);
        let is_over = placements == 0 && instructions.placements(foes, own, empty) == 0;
        Next { own, foes, placements, is_over }
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::random::{Rng, stream};

    use super::*;

    /// Walks from every cell in every direction.
    fn plain(own: u64, foes: u64, cell: u32) -> u64 {
        let has = |cells: u64, (x, y): (i32, i32)| {
            (0..8).contains(&x) && (0..8).contains(&y) && cells >> (8 * y + x) & 1 == 1
        };
        let mut found = 0;
        for (dx, dy) in LINES.into_iter().flat_map(|(dx, dy)| [(dx, dy), (-dx, -dy)]) {
            let (mut at, mut run) = ((cell as i32 % 8 + dx, cell as i32 / 8 + dy), 0);
            while has(foes, at) {
                run |= 1 << (8 * at.1 + at.0);
                at = (at.0 + dx, at.1 + dy);
            }
            if has(own, at) {
                found |= run;
            }
        }
        found
    }

    #[test]
    fn what_turns_and_where_discs_may_be_placed_are_found_by_all_instructions() {
        let mut rng = stream(1, "lines", 0);
        for i in 0..3000 {
            let (a, b, c): (u64, u64, u64) = (rng.next_u64(), rng.next_u64(), rng.next_u64());
            // Boards of all sizes, some nearly full and some nearly empty.
            let board = [!0, 0x3f3f_3f3f_3f3f, 0x0f0f_0f0f][i % 3];
            let taken = board & if i % 2 == 0 { a | c } else { a & c };
            let (own, foes) = (taken & b, taken & !b);
            let empty = board & !taken;
            let turned_on: Vec<u64> =
                (0..64).map(|cell| if empty >> cell & 1 == 1 { plain(own, foes, cell) } else { 0 }).collect();
            let where_to = (0..64).filter(|&cell| turned_on[cell] != 0).fold(0, |cells, cell| cells | 1 << cell);
            let passed = |set: InstructionSet| Turn { board, own: foes, foes: own, cell: None }.next(set);
            for set in InstructionSet::all() {
                let next = passed(set);
                assert_eq!((next.own, next.foes, next.placements), (own, foes, where_to), "{set:?} {own:x} {foes:x}");
                for cell in (0..64).filter(|cell| empty >> cell & 1 == 1) {
                    let turned = turned_on[cell as usize];
                    let next = Turn { board, own, foes, cell: Some(cell) }.next(set);
                    assert_eq!(
                        (next.own, next.foes),
                        (foes & !turned, own | turned | 1 << cell),
                        "{set:?} {own:x} {foes:x} {cell}"
                    );
                    assert_eq!(
                        next.is_over,
                        next.placements == 0 && placements(next.foes, next.own, empty & !(1 << cell)) == 0
                    );
                }
            }
        }
    }
}
