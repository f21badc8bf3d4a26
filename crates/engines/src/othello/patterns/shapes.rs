//! The shapes whose contents are weighed, and the numbers of what lies in them.
//!
//! The contents of a shape are a number in base 3: an empty cell is 0, a disc of the seat to act 1, one of the other seat 2. All
//! places of a shape on the board have the same weights, and contents that a symmetry of the board turns into each other have one
//! weight.
//!
//! A row of the board is a byte of each side's discs, and what it adds to the numbers of all places is looked up at once: 46 numbers of
//! 16 bits, which are added as vectors.

use std::sync::LazyLock;

use raichi_machine::{Instructions, Sixteen, Sums};

/// How many cells each shape has.
const LENGTHS: [usize; N_SHAPES] = [9, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4];
/// How many places each shape has on the board.
pub(super) const PLACES: [usize; N_SHAPES] = [4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4];
pub(super) const N_SHAPES: usize = 11;
pub(super) const N_PLACES: usize = 46;

/// Columns and rows of one place of each shape, the digit of least worth first.
const CELLS: [&[(usize, usize)]; N_SHAPES] = [
    // Three by three cells in the corner.
    &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)],
    // An edge and the cells diagonally beside its corners.
    &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (1, 1), (6, 1)],
    // Two by five cells in the corner.
    &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)],
    // The second, third and fourth row.
    &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)],
    &[(0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)],
    &[(0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3)],
    // Diagonals of eight to four cells.
    &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)],
    &[(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6)],
    &[(2, 0), (3, 1), (4, 2), (5, 3), (6, 4), (7, 5)],
    &[(3, 0), (4, 1), (5, 2), (6, 3), (7, 4)],
    &[(4, 0), (5, 1), (6, 2), (7, 3)],
];

/// The number of the first place of a shape.
pub(super) const fn first_place(shape: usize) -> usize {
    let (mut i, mut place) = (0, 0);
    while i < shape {
        place += PLACES[i];
        i += 1;
    }
    place
}

/// Where the contents of each place begin in a table of all shapes; places of one shape begin together.
pub(super) const STARTS: [usize; N_PLACES] = {
    let mut starts = [0; N_PLACES];
    let (mut shape, mut place, mut start) = (0, 0, 0);
    while shape < N_SHAPES {
        let mut i = 0;
        while i < PLACES[shape] {
            starts[place] = start;
            (place, i) = (place + 1, i + 1);
        }
        start += 3usize.pow(LENGTHS[shape] as u32);
        shape += 1;
    }
    starts
};

/// All contents of all shapes.
pub(super) const N_CONTENTS: usize = STARTS[N_PLACES - 1] + 3usize.pow(4);

/// The numbers of the contents of all places, and two more to fill vectors.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers([Sixteen; 3]);

impl Numbers {
    /// That of one place.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> u16 {
        self.0[place / 16].0[place % 16]
    }
}

/// What can be worked out of the shapes once.
pub(super) struct Shapes {
    /// For each row and each set of its cells: what discs of the seat to act add there.
    rows: Vec<[Numbers; 256]>,
    /// For all contents of all shapes: the number of their weight.
    pub(super) weight_of: Vec<u32>,
    pub(super) n_weights: usize,
}

pub(super) static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

impl Shapes {
    fn new() -> Shapes {
        let mut rows = vec![[Numbers::default(); 256]; 8];
        let (mut weight_of, mut n_weights, mut place) = (Vec::with_capacity(N_CONTENTS), 0, 0);
        for (shape, cells) in CELLS.iter().enumerate() {
            let places = places(cells);
            assert_eq!(places.len(), PLACES[shape], "the places are counted right");
            for cells in &places {
                for (i, &(column, row)) in cells.iter().enumerate() {
                    for (set, numbers) in rows[row].iter_mut().enumerate().filter(|(set, _)| set >> column & 1 == 1) {
                        debug_assert!(set < 256);
                        numbers.0[place / 16].0[place % 16] += 3u16.pow(i as u32);
                    }
                }
                place += 1;
            }
            let twins = twins(cells);
            let start = weight_of.len();
            for content in 0..3usize.pow(cells.len() as u32) {
                let first = twins.iter().map(|twin| rearranged(content, twin)).min().expect("one is the identity");
                if first == content {
                    weight_of.push(n_weights);
                    n_weights += 1;
                } else {
                    weight_of.push(weight_of[start + first]);
                }
            }
        }
        Shapes { rows, weight_of, n_weights: n_weights as usize }
    }

    /// The numbers of what lies in all places.
    #[inline(always)]
    pub(super) fn numbers<I: Instructions>(&self, instructions: I, own: u64, foes: u64) -> Numbers {
        let rows: &[[Numbers; 256]; 8] = self.rows.as_slice().try_into().expect("there are eight rows");
        let (own, foes) = (own.to_le_bytes(), foes.to_le_bytes());
        let mut numbers = Numbers::default();
        // Loops and no closures, which would be calls (see `Body`).
        for part in 0..3 {
            let mut sum = instructions.sums(&rows[0][usize::from(own[0])].0[part]);
            let mut twice = instructions.sums(&rows[0][usize::from(foes[0])].0[part]);
            for row in 1..8 {
                sum = sum + instructions.sums(&rows[row][usize::from(own[row])].0[part]);
                twice = twice + instructions.sums(&rows[row][usize::from(foes[row])].0[part]);
            }
            numbers.0[part] = (sum + twice + twice).numbers();
        }
        numbers
    }
}

/// A cell under one of the board's eight symmetries.
fn image(symmetry: usize, (column, row): (usize, usize)) -> (usize, usize) {
    let (column, row) = if symmetry & 1 == 1 { (row, column) } else { (column, row) };
    let column = if symmetry & 2 == 2 { 7 - column } else { column };
    (column, if symmetry & 4 == 4 { 7 - row } else { row })
}

/// The cells of all places of a shape.
fn places(cells: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut places: Vec<Vec<(usize, usize)>> = Vec::new();
    for symmetry in 0..8 {
        let place: Vec<_> = cells.iter().map(|&cell| image(symmetry, cell)).collect();
        if !places.iter().any(|other| place.iter().all(|cell| other.contains(cell))) {
            places.push(place);
        }
    }
    places
}

/// The cells of all places of all shapes, in their order.
#[cfg(test)]
pub(super) fn all_places() -> Vec<Vec<(usize, usize)>> {
    CELLS.iter().flat_map(|cells| places(cells)).collect()
}

/// Where each digit goes by those symmetries that leave the place where it is.
fn twins(cells: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let twin = |symmetry: usize| {
        let to = cells.iter().map(|&cell| cells.iter().position(|&other| other == image(symmetry, cell)));
        to.collect::<Option<Vec<usize>>>()
    };
    (0..8).filter_map(twin).collect()
}

fn rearranged(mut content: usize, to: &[usize]) -> usize {
    let mut image = 0;
    for &to in to {
        image += content % 3 * POWERS[to];
        content /= 3;
    }
    image
}

/// Of three.
const POWERS: [usize; 10] = {
    let mut powers = [1; 10];
    let mut i = 1;
    while i < 10 {
        powers[i] = 3 * powers[i - 1];
        i += 1;
    }
    powers
};
