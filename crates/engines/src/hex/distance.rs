//! Distances from the rims, by levels of sets of cells.

use raichi_games::hex::State;

const N_WORDS: usize = 6;
type Cells = [u64; N_WORDS];

/// Farther than any way.
const NEVER: u8 = 60;

/// The neighbours and the rims of a board.
#[derive(Clone, Debug)]
pub(super) struct Map {
    n_cells: u16,
    /// Words that hold the board.
    n_words: usize,
    neighbours: Vec<Cells>,
    all: Cells,
    /// For each seat the cells at its two rims.
    rims: [[Cells; 2]; 2],
}

/// How far a seat is from joining its rims.
pub(super) struct Distances {
    /// Stones needed if the other seat passes.
    pub(super) shortest: u8,
    /// The least sum of both two-distances.
    pub(super) two: u8,
    /// How many cells have that sum.
    pub(super) n_best: u32,
    /// Of each cell the two-distances from both rims added up.
    through: Vec<u8>,
}

impl Distances {
    /// The two-distances of a cell from both rims added up.
    pub(super) fn through(&self, cell: u16) -> u8 {
        self.through[usize::from(cell)]
    }
}

/// The neighbours of a cell, both coordinates from 0, in the order in which they lie around it.
pub(super) const AROUND: [(i8, i8); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

fn insert(cells: &mut Cells, cell: usize) {
    cells[cell / 64] |= 1 << (cell % 64);
}

fn contains(cells: &Cells, cell: usize) -> bool {
    cells[cell / 64] >> (cell % 64) & 1 == 1
}

impl Map {
    pub(super) fn new(size: u8) -> Map {
        let n = usize::from(size);
        let mut map = Map {
            n_cells: (n * n) as u16,
            n_words: (n * n).div_ceil(64),
            neighbours: vec![Cells::default(); n * n],
            all: Cells::default(),
            rims: Default::default(),
        };
        for cell in 0..n * n {
            let (column, row) = (cell % n, cell / n);
            insert(&mut map.all, cell);
            for (rim, is_there) in [(0, row == 0), (1, row + 1 == n)] {
                if is_there {
                    insert(&mut map.rims[0][rim], cell);
                }
            }
            for (rim, is_there) in [(0, column == 0), (1, column + 1 == n)] {
                if is_there {
                    insert(&mut map.rims[1][rim], cell);
                }
            }
            for (dx, dy) in AROUND {
                let (x, y) = (column as i8 + dx, row as i8 + dy);
                if (0..n as i8).contains(&x) && (0..n as i8).contains(&y) {
                    insert(&mut map.neighbours[cell], y as usize * n + x as usize);
                }
            }
        }
        map
    }

    fn each(&self, cells: &Cells) -> impl Iterator<Item = usize> + use<> {
        raichi_core::bits::ones(*cells).map(|cell| cell as usize)
    }

    /// The distances of a seat.
    pub(super) fn distances(&self, state: &State, seat: usize) -> Distances {
        let own = *state.stones(seat);
        let foes = *state.stones(1 - seat);
        let mut empty = self.all;
        for word in 0..N_WORDS {
            empty[word] &= !(own[word] | foes[word]);
        }
        // 1. Cells that a chain of own stones joins are neighbours, and those of a chain at the rim lie at the rim.
        let mut neighbours: Vec<Cells> = Vec::with_capacity(self.n_cells.into());
        neighbours.extend_from_slice(&self.neighbours);
        let mut at_rims = self.rims[seat];
        let mut left = own;
        while let Some(first) = self.each(&left).next() {
            let mut chain = Cells::default();
            let mut around = Cells::default();
            let mut pending = vec![first];
            insert(&mut chain, first);
            while let Some(stone) = pending.pop() {
                left[stone / 64] &= !(1 << (stone % 64));
                let mut fresh = Cells::default();
                for word in 0..self.n_words {
                    fresh[word] = self.neighbours[stone][word] & own[word] & !chain[word];
                    chain[word] |= fresh[word];
                    around[word] |= self.neighbours[stone][word] & empty[word];
                }
                pending.extend(self.each(&fresh));
            }
            for cell in self.each(&around) {
                for word in 0..self.n_words {
                    neighbours[cell][word] |= around[word];
                }
            }
            for (rim, at_rim) in self.rims[seat].iter().zip(&mut at_rims) {
                if (0..self.n_words).any(|word| chain[word] & rim[word] != 0) {
                    for word in 0..self.n_words {
                        at_rim[word] |= around[word];
                    }
                }
            }
        }
        // 2. Levels, from each rim.
        let levels = |rim: usize, needed: u32| self.levels(&neighbours, &at_rims[rim], &empty, needed);
        let [one, other] = [levels(0, 1), levels(1, 1)];
        let sum = |one: &[u8], other: &[u8], cell: usize| one[cell].saturating_add(other[cell]).min(2 * NEVER);
        let shortest = self.each(&empty).map(|cell| sum(&one, &other, cell) - 1).min().unwrap_or(NEVER);
        let [one, other] = [levels(0, 2), levels(1, 2)];
        let through: Vec<u8> = (0..self.n_cells.into())
            .map(|cell| if contains(&empty, cell) { sum(&one, &other, cell) } else { 2 * NEVER })
            .collect();
        let two = through.iter().copied().min().unwrap_or(2 * NEVER);
        let n_best = through.iter().filter(|&&sum| sum == two).count() as u32;
        // Where nothing is left to be reached, more than any way needs.
        let most = self.n_cells.isqrt() as u8;
        Distances { shortest: shortest.min(most), two: two.min(2 * most), n_best, through }
    }

    /// How many levels each empty cell is from `start`, which is level 1: one more than the `needed`-th best neighbour.
    fn levels(&self, neighbours: &[Cells], start: &Cells, empty: &Cells, needed: u32) -> Vec<u8> {
        let mut levels = vec![NEVER; self.n_cells.into()];
        let mut reached = Cells::default();
        let mut next = Cells::default();
        for word in 0..self.n_words {
            next[word] = start[word] & empty[word];
        }
        let mut level = 1;
        while next != Cells::default() {
            for cell in self.each(&next) {
                levels[cell] = level;
            }
            let mut open = Cells::default();
            for word in 0..self.n_words {
                reached[word] |= next[word];
                open[word] = empty[word] & !reached[word];
            }
            next = Cells::default();
            for cell in self.each(&open) {
                let n: u32 = (0..self.n_words).map(|word| (neighbours[cell][word] & reached[word]).count_ones()).sum();
                if n >= needed {
                    insert(&mut next, cell);
                }
            }
            level += 1;
        }
        levels
    }
}
