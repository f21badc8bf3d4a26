//! Cells that need not be played: dead ones, which matter to nobody, and captured ones, which one side has in any case.
//!
//! Two neighbouring cells of which each is dead as soon as a side holds the other are that side's: an intrusion into
//! one is answered in the other, and has then been played on a dead cell. Both are filled with stones, after which
//! others may be dead or captured, until nothing is found any more. The value of the position stays the same for both
//! sides to act. (P. Henderson, *Playing and solving the game of Hex*, 2010.)

use super::board::{Board, Cells, Stones, each};

/// A position with such cells filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filled {
    pub(crate) stones: Stones,
    /// Of those, what each side has captured.
    pub(crate) captured: Stones,
}

impl Board {
    pub(crate) fn filled(&self, stones: &Stones) -> Filled {
        let mut filled = Filled { stones: *stones, captured: [0; 2] };
        loop {
            let before = filled.stones;
            let empty = self.all & !(before[0] | before[1]);
            for cell in each(empty) {
                if self.is_dead(&filled.stones, cell) {
                    // It does not matter for whom.
                    filled.stones[0] |= 1 << cell;
                }
            }
            let mut empty = self.all & !(filled.stones[0] | filled.stones[1]);
            for cell in each(empty) {
                // Each pair once, from its first cell.
                for other in each(self.neighbours[cell] & empty & !((2u64 << cell).wrapping_sub(1))) {
                    if empty >> cell & 1 == 1
                        && let Some(side) = (0..2).find(|&side| self.captures(&filled.stones, side, cell, other))
                    {
                        let pair: Cells = 1 << cell | 1 << other;
                        filled.stones[side] |= pair;
                        filled.captured[side] |= pair;
                        empty &= !pair;
                    }
                }
            }
            if filled.stones == before {
                return filled;
            }
        }
    }

    fn captures(&self, stones: &Stones, side: usize, one: usize, other: usize) -> bool {
        let dead_beside = |cell: usize, beside: usize| {
            let mut with = *stones;
            with[side] |= 1 << beside;
            self.is_dead(&with, cell)
        };
        dead_beside(one, other) && dead_beside(other, one)
    }
}
