//! The board the plain way: what a tile's exponent is, and how lines slide. 4×4 boards are packed into nibbles
//! ([`super::packed`]); what is here works for every size and is what the packed form is tested against.

use serde::{Deserialize, Serialize};

/// Where tiles slide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];
}

/// The exponent of every tile (1 for a 2, 0 for an empty cell): a byte a cell and a word a row, except on boards of
/// size 4, where the first word has a nibble for each cell and the second the same for what is above 15.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Board(pub(super) [u64; 8]);

/// The size whose boards are packed.
pub(super) const PACKED_SIZE: u8 = 4;

impl Board {
    #[inline]
    pub(super) fn exponent(&self, size: u8, cell: u8) -> u8 {
        if size == PACKED_SIZE {
            let nibble = |word: u64| (word >> (4 * cell)) as u8 & 15;
            return nibble(self.0[0]) | nibble(self.0[1]) << 4;
        }
        (self.0[usize::from(cell / size)] >> (8 * (cell % size))) as u8
    }

    #[inline]
    pub(super) fn set(&mut self, size: u8, cell: u8, exponent: u8) {
        if size == PACKED_SIZE {
            let nibble = |word: u64, value: u8| word & !(15 << (4 * cell)) | u64::from(value) << (4 * cell);
            self.0[0] = nibble(self.0[0], exponent & 15);
            self.0[1] = nibble(self.0[1], exponent >> 4);
            return;
        }
        let (row, shift) = (usize::from(cell / size), 8 * (cell % size));
        self.0[row] = self.0[row] & !(0xff << shift) | u64::from(exponent) << shift;
    }

    /// Slides all tiles as far as they go.
    pub(super) fn slide(&mut self, size: u8, direction: Direction) {
        for line in 0..size {
            let mut exponents = [0; 8];
            let exponents = &mut exponents[..size.into()];
            for (nth, exponent) in (0..).zip(exponents.iter_mut()) {
                *exponent = self.exponent(size, cell_of_line(size, direction, line, nth));
            }
            slide_line(exponents);
            for (nth, &exponent) in (0..).zip(exponents.iter()) {
                self.set(size, cell_of_line(size, direction, line, nth), exponent);
            }
        }
    }

    /// Whether some tile moves or merges in this direction.
    pub(super) fn can_slide(&self, size: u8, direction: Direction) -> bool {
        (0..size).any(|line| {
            (1..size).any(|nth| {
                let [before, tile] =
                    [nth - 1, nth].map(|nth| self.exponent(size, cell_of_line(size, direction, line, nth)));
                tile != 0 && (before == 0 || before == tile)
            })
        })
    }
}

/// Slides the tiles of a line towards its beginning. Each equal pair, from there, becomes one tile, once.
pub(super) fn slide_line(line: &mut [u8]) {
    let mut end = 0;
    let mut last_may_merge = false;
    for nth in 0..line.len() {
        let tile = std::mem::take(&mut line[nth]);
        if tile == 0 {
            continue;
        }
        if last_may_merge && line[end - 1] == tile {
            line[end - 1] += 1;
            last_may_merge = false;
        } else {
            line[end] = tile;
            end += 1;
            last_may_merge = true;
        }
    }
}

// The cells of a row or column, counted from the side that the tiles slide to.
fn cell_of_line(size: u8, direction: Direction, line: u8, nth: u8) -> u8 {
    let far = size - 1 - nth;
    match direction {
        Direction::Left => line * size + nth,
        Direction::Right => line * size + far,
        Direction::Up => nth * size + line,
        Direction::Down => far * size + line,
    }
}
