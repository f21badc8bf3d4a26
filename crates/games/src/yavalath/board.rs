//! The hexagon. Rows count from 0 at the bottom, cells row by row from the left.
//!
//! In row i the j of a cell counts from the left as if all rows began on one slanting line, so that the three lines of a
//! cell run along (0, 1), (1, 0) and (1, 1) in (i, j):
//!
//! ```text
//!    i = 2     12  13  14          j =       2   3   4
//!    i = 1    7   8 …   10             1 …         4
//!    i = 0      0 …   3              0 …     3
//! ```

use std::sync::Arc;

use raichi_core::bits;
use serde::{Deserialize, Serialize};

const N_WORDS: usize = 3;

/// A bit a cell: sets of cells, one after the other.
pub(super) type Cells = [u64; N_WORDS];

/// Any place beyond the rim: a bit that is never set.
const BEYOND: u8 = 64 * N_WORDS as u8 - 1;

const LINES: [(i8, i8); 3] = [(0, 1), (1, 0), (1, 1)];
const MAX_SIZE: usize = 8;
const MAX_LINES: usize = 2 * MAX_SIZE - 1;

/// A hexagon of some size.
#[derive(Clone, Debug)]
pub(super) struct Hexagon {
    /// Cells on each side.
    pub(super) size: u8,
    places: Arc<[Place]>,
}

/// Where a cell lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    i: i8,
    j: i8,
    /// In each direction which line of the board it lies on, and how far along.
    on: [(u8, u8); 3],
    /// In each direction from three cells before to three after; the cell itself is in the middle.
    around: [[u8; 7]; 3],
}

/// A seat's stones, a word for each line of the board: rows are then found by a shift and a look into a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stones([[u16; MAX_LINES]; 3]);

impl Stones {
    /// The stones in words, to be hashed.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.0[0].chunks(4).map(|lines| lines.iter().fold(0, |word, &line| word << 16 | u64::from(line)))
    }

    /// In each direction a word for each line.
    #[inline]
    pub(super) fn lines(&self) -> &[[u16; MAX_LINES]; 3] {
        &self.0
    }

    /// The stones in row i, a bit for each j.
    pub(super) fn in_row(&self, row: u8) -> u16 {
        self.0[0][usize::from(row)]
    }
}

impl Hexagon {
    pub(super) fn new(size: u8) -> Hexagon {
        let mut board = Hexagon { size, places: Arc::new([]) };
        let cells = (0..board.n_rows()).flat_map(|row| (0..board.row_len(row)).map(move |k| (row, k)));
        let places = cells.map(|(row, k)| {
            let (i, j) = (row as i8, (k + board.skipped(row)) as i8);
            let along = |(di, dj): (i8, i8)| [-3, -2, -1, 0, 1, 2, 3].map(|n| board.at(i + n * di, j + n * dj));
            let on = [(i, j), (j, i), (i - j + size as i8 - 1, i)].map(|(line, along)| (line as u8, along as u8));
            Place { i, j, on, around: LINES.map(|line| along(line).map(|cell| cell.unwrap_or(BEYOND))) }
        });
        board.places = places.collect();
        board
    }

    pub(super) fn n_rows(&self) -> u8 {
        2 * self.size - 1
    }

    pub(super) fn row_len(&self, row: u8) -> u8 {
        self.n_rows() - row.abs_diff(self.size - 1)
    }

    // The j of a row's first cell.
    fn skipped(&self, row: u8) -> u8 {
        (row + 1).saturating_sub(self.size)
    }

    /// The cells of row i, a bit for each j.
    pub(super) fn row(&self, row: u8) -> u16 {
        ((1 << self.row_len(row)) - 1) << self.skipped(row)
    }

    /// The index of a cell in a square grid of all (i, j), the top row first.
    pub(super) fn on_grid(&self, cell: u8) -> usize {
        let Place { i, j, .. } = self.places[usize::from(cell)];
        let n_rows = usize::from(self.n_rows());
        (n_rows - 1 - i as usize) * n_rows + j as usize
    }

    #[inline]
    pub(super) fn n_cells(&self) -> u8 {
        self.places.len() as u8
    }

    pub(super) fn all(&self) -> Cells {
        (0..self.n_cells()).fold(Cells::default(), |mut all, cell| {
            insert(&mut all, cell);
            all
        })
    }

    /// A row's cell, counted from its left end.
    pub(super) fn cell(&self, row: u8, k: u8) -> u8 {
        (0..row).map(|below| self.row_len(below)).sum::<u8>() + k
    }

    /// The row of a cell, and how many cells lie at its left there.
    pub(super) fn row_and_k(&self, cell: u8) -> (u8, u8) {
        let Place { i, j, .. } = self.places[usize::from(cell)];
        (i as u8, j as u8 - self.skipped(i as u8))
    }

    pub(super) fn at(&self, i: i8, j: i8) -> Option<u8> {
        let (row, j) = (u8::try_from(i).ok()?, u8::try_from(j).ok()?);
        let k = j.checked_sub(self.skipped(row)).filter(|_| row < self.n_rows())?;
        (k < self.row_len(row)).then(|| self.cell(row, k))
    }

    /// In each direction which line of the board a cell lies on, and how far along.
    #[inline]
    pub(super) fn lines_of(&self, cell: u8) -> [(u8, u8); 3] {
        self.places[usize::from(cell)].on
    }

    #[inline]
    pub(super) fn is_on(&self, stones: &Stones, cell: u8) -> bool {
        let (line, along) = self.places[usize::from(cell)].on[0];
        stones.0[0][usize::from(line)] >> along & 1 == 1
    }

    #[inline]
    pub(super) fn put(&self, stones: &mut Stones, cell: u8) {
        for (lines, (line, along)) in stones.0.iter_mut().zip(self.places[usize::from(cell)].on) {
            lines[usize::from(line)] |= 1 << along;
        }
    }

    /// The row that the stones around one of them make with it, in each direction.
    #[inline]
    pub(super) fn windows(&self, stones: &Stones, cell: u8) -> [Window; 3] {
        let on = &self.places[usize::from(cell)].on;
        [0, 1, 2].map(|direction| {
            let (line, along) = on[direction];
            let stones = usize::from(stones.0[direction][usize::from(line)]);
            WINDOWS[stones << MIDDLE >> along & 127]
        })
    }

    /// In each direction the cells from three before a cell to three after it.
    #[inline]
    pub(super) fn around(&self, cell: u8) -> &[[u8; 7]; 3] {
        &self.places[usize::from(cell)].around
    }

    /// Along each line on which `first` is an end of own cells in a row: those cells, from end to end.
    pub(super) fn rows_from(&self, first: u8, is_own: impl Fn(u8) -> bool) -> Vec<Vec<u8>> {
        let Place { i, j, .. } = self.places[usize::from(first)];
        let own = |n: i8, (di, dj): (i8, i8)| self.at(i + n * di, j + n * dj).filter(|&cell| is_own(cell));
        let ends_here = LINES.into_iter().filter(|&line| own(-1, line).is_none());
        ends_here.map(|line| (0..).map_while(|n| own(n, line)).collect()).collect()
    }

    /// A cell under one of the twelve symmetries: six turns, then six turns of the mirror image.
    pub(super) fn map_cell(&self, symmetry: usize, cell: u8) -> u8 {
        let Place { i, j, .. } = self.places[usize::from(cell)];
        let centre = self.size as i8 - 1;
        let (a, b) = (i - centre, j - centre);
        let mirrored = if symmetry < 6 { (a, b) } else { (b, a) };
        let (a, b) = (0..symmetry % 6).fold(mirrored, |(a, b), _| (b, b - a));
        self.at(a + centre, b + centre).expect("symmetries keep to the board")
    }
}

/// The row around the middle of seven cells of a line, where an own stone stands.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// Own stones in a row with the middle one.
    pub(super) run: u8,
    /// The places where one more own stone would stand in a row of four or more with the middle one.
    pub(super) fours: u8,
}

const MIDDLE: u8 = 3;
const WINDOWS: [Window; 128] = windows();

const fn windows() -> [Window; 128] {
    let mut windows = [Window { run: 0, fours: 0 }; 128];
    let mut stones = 1 << MIDDLE;
    while stones < 128u8 {
        let mut fours = 0;
        let mut place = 0;
        while place < 7 {
            let with_place = row(stones | 1 << place);
            if stones >> place & 1 == 0 && with_place >> place & 1 == 1 && with_place.count_ones() >= 4 {
                fours |= 1 << place;
            }
            place += 1;
        }
        windows[stones as usize] = Window { run: row(stones).count_ones() as u8, fours };
        stones = (stones + 1) | 1 << MIDDLE;
    }
    windows
}

// Those stones that stand in a row with the middle one.
const fn row(stones: u8) -> u8 {
    let mut row = 1 << MIDDLE;
    let mut n = 0;
    while n < MIDDLE {
        row |= stones & (row << 1 | row >> 1);
        n += 1;
    }
    row
}

#[inline]
pub(super) fn contains(cells: &Cells, cell: u8) -> bool {
    cells[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
}

#[inline]
pub(super) fn insert(cells: &mut Cells, cell: u8) {
    cells[usize::from(cell / 64)] |= 1 << (cell % 64);
}

#[inline]
pub(super) fn remove(cells: &mut Cells, cell: u8) {
    cells[usize::from(cell / 64)] &= !(1 << (cell % 64));
}

#[inline]
pub(super) fn both(one: &Cells, other: &Cells) -> Cells {
    [one[0] & other[0], one[1] & other[1], one[2] & other[2]]
}

#[inline]
pub(super) fn either(one: &Cells, other: &Cells) -> Cells {
    [one[0] | other[0], one[1] | other[1], one[2] | other[2]]
}

#[inline]
pub(super) fn is_none(cells: &Cells) -> bool {
    cells[0] | cells[1] | cells[2] == 0
}

#[inline]
pub(super) fn count(cells: &Cells) -> usize {
    cells.iter().map(|word| word.count_ones() as usize).sum()
}

/// The `n`-th of some cells.
#[inline]
pub(super) fn nth(cells: Cells, n: usize) -> u8 {
    bits::nth_of(cells, n as u32) as u8
}

/// Cells in ascending order.
#[inline]
pub(super) fn each(cells: Cells) -> impl Iterator<Item = u8> {
    bits::ones(cells).map(|cell| cell as u8)
}
