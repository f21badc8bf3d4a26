//! Boards of up to 8 × 8 cells as one word a side, what lies around each cell, and the rims.

/// A bit a cell, row by row from the top left.
pub(crate) type Cells = u64;

/// Black joins the top and the bottom, White the left and the right.
pub(crate) const BLACK: usize = 0;
pub(crate) const WHITE: usize = 1;

/// Both sides' stones.
pub(crate) type Stones = [Cells; 2];

/// The cells around a cell in the order in which they lie, from the one above: columns and rows.
const AROUND: [(i8, i8); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// The geometry of one size.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) n_cells: usize,
    pub(crate) all: Cells,
    pub(crate) neighbours: Vec<Cells>,
    /// For each side its two rims.
    pub(crate) rims: [[Cells; 2]; 2],
    /// For each cell the bits of the cells around it, in order; 0 beyond the rims.
    rings: Vec<[Cells; 6]>,
    /// For each cell and side which of the six lie beyond that side's rims.
    beyond: Vec<[u8; 2]>,
}

impl Board {
    /// # Panics
    /// When the size is not from 2 to 8.
    pub(crate) fn new(size: usize) -> Board {
        assert!((2..=8).contains(&size), "sizes from 2 to 8 fit in a word, and not {size}");
        let n_cells = size * size;
        let mut board = Board {
            n_cells,
            all: if n_cells == 64 { u64::MAX } else { (1 << n_cells) - 1 },
            neighbours: vec![0; n_cells],
            rims: [[0; 2]; 2],
            rings: vec![[0; 6]; n_cells],
            beyond: vec![[0; 2]; n_cells],
        };
        let on_board = |at: i8| (0..size as i8).contains(&at);
        for cell in 0..n_cells {
            let (column, row) = (cell % size, cell / size);
            for (rim, is_there) in [(0, row == 0), (1, row + 1 == size)] {
                board.rims[BLACK][rim] |= Cells::from(is_there) << cell;
            }
            for (rim, is_there) in [(0, column == 0), (1, column + 1 == size)] {
                board.rims[WHITE][rim] |= Cells::from(is_there) << cell;
            }
            for (place, (dx, dy)) in AROUND.into_iter().enumerate() {
                let (x, y) = (column as i8 + dx, row as i8 + dy);
                match (on_board(x), on_board(y)) {
                    (true, true) => {
                        let bit = 1 << (y as usize * size + x as usize);
                        board.neighbours[cell] |= bit;
                        board.rings[cell][place] = bit;
                    }
                    // Beyond a corner lie both rims; between the two it changes nothing which of them stands there.
                    (false, true) => board.beyond[cell][WHITE] |= 1 << place,
                    _ => board.beyond[cell][BLACK] |= 1 << place,
                }
            }
        }
        board
    }

    /// Cells under half a turn of the board, which keeps both sides' rims.
    pub(crate) fn turned(&self, cells: Cells) -> Cells {
        cells.reverse_bits() >> (64 - self.n_cells)
    }

    /// The stones of `own` joined to `seed` by others of them, `seed` included.
    pub(crate) fn joined(&self, own: Cells, seed: Cells) -> Cells {
        let (mut joined, mut fresh) = (seed & own, seed & own);
        while fresh != 0 {
            let around = self.around(fresh);
            fresh = around & own & !joined;
            joined |= fresh;
        }
        joined
    }

    /// The neighbours of some cells.
    pub(crate) fn around(&self, cells: Cells) -> Cells {
        each(cells).fold(0, |around, cell| around | self.neighbours[cell])
    }

    /// Whether a side has joined its rims.
    pub(crate) fn has_won(&self, own: Cells, side: usize) -> bool {
        self.joined(own, self.rims[side][0]) & self.rims[side][1] != 0
    }

    /// Whether what lies on a cell can make no difference, whatever comes to lie around it.
    #[inline]
    pub(crate) fn is_dead(&self, stones: &Stones, cell: usize) -> bool {
        let ring = &self.rings[cell];
        let [mut black, mut white] = self.beyond[cell];
        for (place, &bit) in ring.iter().enumerate() {
            black |= u8::from(stones[BLACK] & bit != 0) << place;
            white |= u8::from(stones[WHITE] & bit != 0) << place;
        }
        IS_DEAD[usize::from(black)] >> white & 1 == 1
    }
}

/// For the places around a cell that are black, a bit for each set that is white: whether the cell is dead then.
///
/// A cell joins what no other cell around it joins only where black and white places alternate at least four times
/// around it. It is dead where the empty places cannot be filled so.
static IS_DEAD: [u64; 64] = dead_cells();

const fn dead_cells() -> [u64; 64] {
    let mut table = [0; 64];
    let mut black = 0u8;
    while black < 64 {
        let mut white = 0u8;
        while white < 64 {
            if black & white == 0 && most_changes(black, white) <= 2 {
                table[black as usize] |= 1 << white;
            }
            white += 1;
        }
        black += 1;
    }
    table
}

const fn most_changes(black: u8, white: u8) -> u32 {
    let empty = 63 & !(black | white);
    let (mut most, mut filled) = (0, 0u8);
    while filled < 64 {
        if filled & !empty == 0 {
            let ring = black | filled;
            let next = (ring >> 1) | (ring & 1) << 5;
            let changes = (ring ^ next).count_ones();
            if changes > most {
                most = changes;
            }
        }
        filled += 1;
    }
    most
}

/// The cells of a set in ascending order.
pub(crate) fn each(cells: Cells) -> impl Iterator<Item = usize> {
    let mut left = cells;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            cell
        })
    })
}
