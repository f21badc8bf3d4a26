//! The last four empty cells, written out: most positions of a search are here.

use raichi_games::othello::lines::Lines;
use raichi_machine::{Body, Instructions};

/// The score of a finished game with so many discs: their difference, empty cells to the winner.
#[inline]
pub(super) fn score_of(own: i32, foes: i32, n_cells: i32) -> i32 {
    let empty = n_cells - own - foes;
    own - foes + empty * (own - foes).signum()
}

/// The same with the discs given.
#[inline]
pub(super) fn finished(own: u64, foes: u64, n_cells: i32) -> i32 {
    score_of(own.count_ones() as i32, foes.count_ones() as i32, n_cells)
}

/// Positions with four empty cells and fewer. All methods return a bound of the score on the same side of `beta` as the score
/// itself.
pub(super) struct Last<'a, I> {
    pub(super) instructions: I,
    pub(super) n_cells: i32,
    pub(super) nodes: &'a mut u64,
}

/// [`Last::four`] with its arguments.
struct Four<'s, 'a, I> {
    last: &'s mut Last<'a, I>,
    own: u64,
    foes: u64,
    cells: [u32; 4],
    beta: i32,
}

impl<I: Instructions> Body for Four<'_, '_, I> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Four { last, own, foes, cells, beta } = self;
        match last.best_of_four(own, foes, cells, beta) {
            Some(best) => best,
            None => {
                last.best_of_four(foes, own, cells, 1 - beta).map_or(finished(own, foes, last.n_cells), |best| -best)
            }
        }
    }
}

impl<I: Instructions> Last<'_, I> {
    /// The cells in the order in which they are tried.
    #[inline(always)]
    pub(super) fn four(&mut self, own: u64, foes: u64, cells: [u32; 4], beta: i32) -> i32 {
        self.instructions.run(Four { last: self, own, foes, cells, beta })
    }

    #[inline(always)]
    fn three(&mut self, own: u64, foes: u64, cells: [u32; 3], beta: i32) -> i32 {
        match self.best_of_three(own, foes, cells, beta) {
            Some(best) => best,
            None => {
                self.best_of_three(foes, own, cells, 1 - beta).map_or(finished(own, foes, self.n_cells), |best| -best)
            }
        }
    }

    /// `None` where there is no placement.
    #[inline(always)]
    fn best_of_four(&mut self, own: u64, foes: u64, cells: [u32; 4], beta: i32) -> Option<i32> {
        *self.nodes += 1;
        let [a, b, c, d] = cells;
        let mut best = None;
        // Of a pair that lies together the other one comes first then.
        for (cell, left) in [(a, [b, c, d]), (b, [a, c, d]), (c, [d, a, b]), (d, [c, a, b])] {
            let turned = self.instructions.turned(cell, own, foes);
            if turned != 0 {
                best = best.max(Some(-self.three(foes ^ turned, own | turned | 1 << cell, left, 1 - beta)));
                if best >= Some(beta) {
                    break;
                }
            }
        }
        best
    }

    #[inline(always)]
    fn best_of_three(&mut self, own: u64, foes: u64, cells: [u32; 3], beta: i32) -> Option<i32> {
        *self.nodes += 1;
        let [a, b, c] = cells;
        let mut best = None;
        for (cell, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let turned = self.instructions.turned(cell, own, foes);
            if turned != 0 {
                best = best.max(Some(-self.two(foes ^ turned, own | turned | 1 << cell, left, 1 - beta)));
                if best >= Some(beta) {
                    break;
                }
            }
        }
        best
    }

    #[inline(always)]
    fn two(&mut self, own: u64, foes: u64, cells: [u32; 2], beta: i32) -> i32 {
        *self.nodes += 1;
        let mut best = i32::MIN;
        for (cell, last) in [(cells[0], cells[1]), (cells[1], cells[0])] {
            let turned = self.instructions.turned(cell, own, foes);
            if turned != 0 {
                best = best.max(-self.one(foes ^ turned, own | turned | 1 << cell, last, 1 - beta));
                if best >= beta {
                    return best;
                }
            }
        }
        if best > i32::MIN {
            return best;
        }
        // The other seat, if it can.
        let mut worst = i32::MAX;
        for (cell, last) in [(cells[0], cells[1]), (cells[1], cells[0])] {
            let turned = self.instructions.turned(cell, foes, own);
            if turned != 0 {
                worst = worst.min(self.one(own ^ turned, foes | turned | 1 << cell, last, beta));
                if worst < beta {
                    return worst;
                }
            }
        }
        if worst < i32::MAX { worst } else { finished(own, foes, self.n_cells) }
    }

    #[inline(always)]
    fn one(&mut self, own: u64, foes: u64, cell: u32, beta: i32) -> i32 {
        *self.nodes += 1;
        let n_own = own.count_ones() as i32;
        let mine = n_turned(cell, own);
        if mine != 0 {
            return 2 * (n_own + 1 + mine) - self.n_cells;
        }
        // Nothing more for `own`: at best the other seat cannot either.
        let at_best = score_of(n_own, self.n_cells - 1 - n_own, self.n_cells);
        if at_best < beta {
            return at_best;
        }
        match n_turned(cell, foes) {
            0 => at_best,
            theirs => 2 * (n_own - theirs) - self.n_cells,
        }
    }
}

/// For each place in a line of eight cells and each set of own discs in it: how many of the others a disc in that place
/// turns, where all others are foes.
static TURNED_IN_LINE: [[u8; 256]; 8] = {
    let mut all = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 * 256 {
        let (place, own) = (i / 256, i % 256);
        let (above, below): (usize, usize) = (own >> place >> 1, own & ((1 << place) - 1));
        let mut n = 0;
        if above != 0 {
            n += above.trailing_zeros();
        }
        if below != 0 {
            n += place as u32 - 1 - below.ilog2();
        }
        all[place][own] = n as u8;
        i += 1;
    }
    all
};

/// How many discs one of `own` on the last empty cell turns: what is not own is the other seat's, or lies beside the board,
/// where no own disc follows.
#[inline(always)]
pub(super) fn n_turned(cell: u32, own: u64) -> i32 {
    let cell = cell as usize & 63;
    let (column, row) = (cell & 7, cell >> 3);
    // Lines as bytes: a column by a product that gathers its bits, diagonals by one that adds up their rows.
    let in_row = own >> (8 * row) & 0xff;
    let in_column = (own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let diagonal = |cells: u64| (own & cells).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let [down, up] = DIAGONALS[cell];
    let of_columns = &TURNED_IN_LINE[column];
    let n = of_columns[in_row as usize]
        + TURNED_IN_LINE[row][in_column as usize]
        + of_columns[diagonal(down) as usize]
        + of_columns[diagonal(up) as usize];
    n.into()
}

/// The two diagonals through each cell.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (cell, other) = (i / 64, i % 64);
        let (columns, rows) = ((cell % 8) as i32 - (other % 8) as i32, (cell / 8) as i32 - (other / 8) as i32);
        all[cell][0] |= ((columns == rows) as u64) << other;
        all[cell][1] |= ((columns == -rows) as u64) << other;
        i += 1;
    }
    all
};
