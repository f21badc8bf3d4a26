//! What each line of the board holds for a seat, all lines of a direction at once.

use raichi_games::yavalath::{State, Yavalath};

/// In each direction a word for each line; the bits are the places along it.
pub(super) type Lines = [[u16; 15]; 3];

/// The places where a seat makes four, where it makes three only, and its threats to be.
pub(super) struct Rows {
    /// Free places with which the seat has four in a row.
    pub(super) fours: Lines,
    /// Free places with which it has three in a row along that line, and not four.
    pub(super) threes: Lines,
    /// Four places in a row with two own stones and two free places, one of which leaves a place for four and no three.
    pub(super) n_pairs: u32,
    /// How many places are in `fours` and in `threes`, over all directions.
    pub(super) n_fours: u32,
    pub(super) n_threes: u32,
}

#[inline]
fn count(lines: &[u16; 15]) -> u32 {
    lines.iter().map(|line| line.count_ones()).sum()
}

impl Rows {
    #[inline]
    pub(super) fn of(own: &Lines, free: &Lines) -> Rows {
        let mut rows = Rows { fours: [[0; 15]; 3], threes: [[0; 15]; 3], n_pairs: 0, n_fours: 0, n_threes: 0 };
        for direction in 0..3 {
            let mut pairs = [[0u16; 15]; 3];
            for line in 0..15 {
                let (o, e) = (own[direction][line], free[direction][line]);
                let (up, up2, down, down2) = (o << 1, o << 2, o >> 1, o >> 2);
                let fours = e & (up & up2 & (o << 3) | down & up & (up2 | down2) | down & down2 & (o >> 3));
                rows.fours[direction][line] = fours;
                rows.threes[direction][line] = e & (up & up2 | up & down | down & down2) & !fours;
                // The lowest place of each four in a row: own stones at its ends, or one place apart from each other
                // or from an end.
                pairs[0][line] = o & e >> 1 & e >> 2 & o >> 3;
                pairs[1][line] = o & o >> 1 & e >> 2 & e >> 3 | e & e >> 1 & o >> 2 & o >> 3;
                pairs[2][line] = o & e >> 1 & o >> 2 & e >> 3 | e & o >> 1 & e >> 2 & o >> 3;
            }
            rows.n_pairs += pairs.iter().map(count).sum::<u32>();
            rows.n_fours += count(&rows.fours[direction]);
            rows.n_threes += count(&rows.threes[direction]);
        }
        rows
    }
}

/// Which places of the lines are cells, and which cells they are.
#[derive(Clone, Debug)]
pub(super) struct Board {
    cells: Lines,
    of_cell: Vec<[(u8, u8); 3]>,
    /// For each direction and line the cell at each place.
    at: Vec<u8>,
}

impl Board {
    pub(super) fn new(game: &Yavalath) -> Board {
        let mut board = Board { cells: [[0; 15]; 3], of_cell: Vec::new(), at: vec![0; 3 * 15 * 16] };
        for cell in 0..game.n_cells() {
            let lines = game.lines_of(cell);
            for (direction, (line, along)) in lines.into_iter().enumerate() {
                board.cells[direction][usize::from(line)] |= 1 << along;
                board.at[(direction * 15 + usize::from(line)) * 16 + usize::from(along)] = cell;
            }
            board.of_cell.push(lines);
        }
        board
    }

    /// The places without a stone.
    #[inline]
    pub(super) fn free(&self, game: &Yavalath, state: &State) -> Lines {
        let mut free = self.cells;
        for seat in 0..game.n_seats() {
            let own = state.lines(seat);
            for direction in 0..3 {
                for line in 0..15 {
                    free[direction][line] &= !own[direction][line];
                }
            }
        }
        free
    }

    /// The cells of some places, a bit a cell.
    pub(super) fn cells_of(&self, lines: &Lines) -> [u64; 3] {
        let mut cells = [0; 3];
        for (direction, lines) in lines.iter().enumerate() {
            for (line, &places) in lines.iter().enumerate().filter(|&(_, &places)| places != 0) {
                for place in raichi_core::bits::ones([places.into()]) {
                    let cell = self.at[(direction * 15 + line) * 16 + place as usize];
                    cells[usize::from(cell / 64)] |= 1 << (cell % 64);
                }
            }
        }
        cells
    }

    /// Puts a stone on a cell.
    #[inline]
    pub(super) fn put(&self, own: &mut Lines, free: &mut Lines, cell: u8) {
        for (direction, &(line, along)) in self.of_cell[usize::from(cell)].iter().enumerate() {
            own[direction][usize::from(line)] |= 1 << along;
            free[direction][usize::from(line)] &= !(1 << along);
        }
    }

    /// The longest row that a stone of `own` on `cell` would be part of.
    #[inline]
    pub(super) fn longest_with(&self, own: &Lines, cell: u8) -> u32 {
        let mut longest = 0;
        for (direction, &(line, along)) in self.of_cell[usize::from(cell)].iter().enumerate() {
            let line = u32::from(own[direction][usize::from(line)]);
            let above = (line >> along >> 1).trailing_ones();
            let below = (line << (31 - u32::from(along)) << 1).leading_ones();
            longest = longest.max(above + below + 1);
        }
        longest
    }
}
