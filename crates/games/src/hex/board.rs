//! The rhombus as bits, row by row from the top left, and what is joined to a rim.

use std::sync::Arc;

/// Words for the largest board: 19 × 19 cells.
pub(super) const N_WORDS: usize = 6;

/// A bit a cell.
pub(super) type Cells = [u64; N_WORDS];

/// Columns and rows to the six neighbours of a cell.
pub(super) const STEPS: [(i8, i8); 6] = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];

/// The cells, their neighbours and the rims of a board.
#[derive(Clone, Debug)]
pub(super) struct Rhombus {
    pub(super) size: u8,
    neighbours: Arc<[Cells]>,
    /// For each seat the rim its reach starts from, top and left, and the opposite one.
    pub(super) rims: [[Cells; 2]; 2],
}

impl Rhombus {
    pub(super) fn new(size: u8) -> Rhombus {
        let cells = |of: &dyn Fn(u8, u8) -> bool| {
            let mut cells = Cells::default();
            for cell in 0..u16::from(size) * u16::from(size) {
                let (column, row) = (cell % u16::from(size), cell / u16::from(size));
                if of(column as u8, row as u8) {
                    insert(&mut cells, cell);
                }
            }
            cells
        };
        let last = size - 1;
        let rims = [
            [cells(&|_, row| row == 0), cells(&|_, row| row == last)],
            [cells(&|column, _| column == 0), cells(&|column, _| column == last)],
        ];
        let neighbours = (0..size).flat_map(|row| (0..size).map(move |column| (column, row))).map(|(column, row)| {
            let beside = |x: u8, y: u8| {
                STEPS
                    .iter()
                    .any(|&(dx, dy)| (column.checked_add_signed(dx), row.checked_add_signed(dy)) == (Some(x), Some(y)))
            };
            cells(&beside)
        });
        Rhombus { size, neighbours: neighbours.collect(), rims }
    }

    pub(super) fn n_cells(&self) -> u16 {
        u16::from(self.size) * u16::from(self.size)
    }

    pub(super) fn cell(&self, column: usize, row: usize) -> u16 {
        (row * usize::from(self.size) + column) as u16
    }

    /// Whether `cell` is in `rim` or beside one of `reach`. Looks at the first `W` words only, which hold the board.
    #[inline]
    pub(super) fn is_joined<const W: usize>(&self, rim: &Cells, reach: &Cells, cell: u16) -> bool {
        let neighbours = &self.neighbours[usize::from(cell)];
        contains(rim, cell) || (0..W).fold(0, |all, word| all | neighbours[word] & reach[word]) != 0
    }

    /// Adds `cell`, and all `stones` that are joined to it by stones outside `reach`, to `reach`.
    #[inline]
    pub(super) fn join<const W: usize>(&self, stones: &Cells, reach: &mut Cells, cell: u16) {
        let mut pending = [0u64; W];
        pending[usize::from(cell / 64)] = 1 << (cell % 64);
        while pending != [0; W] {
            for word in 0..W {
                while pending[word] != 0 {
                    let bit = pending[word].trailing_zeros();
                    reach[word] |= 1 << bit;
                    let neighbours = &self.neighbours[word * 64 + bit as usize];
                    for i in 0..W {
                        pending[i] = (pending[i] | neighbours[i] & stones[i]) & !reach[i];
                    }
                }
            }
        }
    }
}

#[inline]
pub(super) fn contains(cells: &Cells, cell: u16) -> bool {
    cells[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
}

#[inline]
pub(super) fn insert(cells: &mut Cells, cell: u16) {
    cells[usize::from(cell / 64)] |= 1 << (cell % 64);
}

/// Whether some cell is in both.
#[inline]
pub(super) fn meet<const W: usize>(one: &Cells, other: &Cells) -> bool {
    (0..W).fold(0, |all, word| all | one[word] & other[word]) != 0
}
