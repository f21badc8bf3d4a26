//! Endings by number: the king and so many Swedes against so many Muscovites, the king not at the edge.
//!
//! Of the eight images of a position under the symmetries of the board stand those whose king is in the eighth of the board
//! with 10 of its 49 inner cells, and of those the one with the least number. With the king on the castle, a diagonal or a
//! middle line several images are left, so that some numbers stand for no position (Ströhlein and Zagler fold chess endings
//! without pawns so). A number is made of, the last varying first: who acts; the Swedes' cells among those free of
//! Muscovites; the Muscovites' cells; the king's. Sets of cells are numbered by the sum of C(cell, nth), the
//! combinatorial number system (Lehmer).

use std::sync::LazyLock;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::path::{PathEnd, PathMemory};
use raichi_core::seat::Seat;
use raichi_games::square;
use raichi_games::tablut::board::{
    BESIDE, CASTLE, Cell, Cells, DIRECTIONS, EDGE, SIZE, bit, cell, column_and_row, each, slides_within,
};
use raichi_games::tablut::{Side, State, Tablut};
use raichi_solve::numbered::Numbered;

use super::Men;
use crate::combinations::{self, choose, rank, unrank};

/// Cells from which the king has not escaped, one of each eight images.
const N_KINGS: usize = 10;
/// Cells by row and column, as in the numbers of sets.
const N_PLACES: usize = 81;
/// More men a side are not numbered.
pub(super) const MOST_MEN: usize = combinations::MOST;

/// What the numbering looks up.
struct Geometry {
    /// By symmetry: where a cell goes.
    images: [[Cell; 90]; square::N_SYMMETRIES],
    kings: [Cell; N_KINGS],
    /// By cell: which of `kings` it is.
    nth_king: [u8; 90],
    /// By cell: the symmetries that take a king there into the eighth.
    folding: [Vec<usize>; 90],
}

static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| {
    let image = |symmetry, at: usize| {
        let (column, row) = column_and_row(at as Cell);
        if column < SIZE { square::image(symmetry, SIZE, (column, row)) } else { (column, row) }
    };
    let images = std::array::from_fn(|symmetry| {
        std::array::from_fn(|at| {
            let (column, row) = image(symmetry, at);
            cell(column, row)
        })
    });
    let eighth = (4..SIZE - 1).flat_map(|column| (4..=column).map(move |row| cell(column, row)));
    let kings: [Cell; N_KINGS] = std::array::from_fn(|nth| eighth.clone().nth(nth).expect("they are ten"));
    let nth_king = |at: Cell| kings.iter().position(|&king| king == at);
    let folds = |symmetry: usize, at: usize| {
        let images: &[[Cell; 90]; square::N_SYMMETRIES] = &images;
        nth_king(images[symmetry][at]).is_some()
    };
    Geometry {
        images,
        kings,
        nth_king: std::array::from_fn(|at| nth_king(at as Cell).map_or(u8::MAX, |nth| nth as u8)),
        folding: std::array::from_fn(|at| (0..square::N_SYMMETRIES).filter(|&symmetry| folds(symmetry, at)).collect()),
    }
});

/// The pieces, without what is not on the board.
#[derive(Clone, Copy)]
struct Pieces {
    king: Cell,
    muscovites: Cells,
    swedes: Cells,
    to_act: Side,
}

impl Pieces {
    fn of(state: &State) -> Pieces {
        let king = state.king();
        let swedes = state.of(Side::White) & !bit(king);
        Pieces { king, muscovites: state.of(Side::Black), swedes, to_act: state.to_act() }
    }

    fn image(&self, symmetry: usize) -> Pieces {
        let images = &GEOMETRY.images[symmetry];
        let all = |cells| each(cells).fold(0, |image, at| image | bit(images[usize::from(at)]));
        let king = images[usize::from(self.king)];
        Pieces { king, muscovites: all(self.muscovites), swedes: all(self.swedes), ..*self }
    }
}

/// Numbers in the order of rows and columns, and the other way round.
fn place(at: Cell) -> usize {
    let (column, row) = column_and_row(at);
    usize::from(row) * usize::from(SIZE) + usize::from(column)
}

fn cell_at(place: usize) -> Cell {
    cell((place % usize::from(SIZE)) as u8, (place / usize::from(SIZE)) as u8)
}

impl Men {
    /// How many cells the men may stand on.
    fn n_free(king: Cell) -> usize {
        if king == CASTLE { N_PLACES - 1 } else { N_PLACES - 2 }
    }

    fn n_sets_of_swedes(&self, king: Cell) -> u64 {
        choose(self.swedes, Men::n_free(king) - self.muscovites)
    }

    /// How many numbers there are with the king there.
    fn n_with(&self, king: Cell) -> u64 {
        2 * choose(self.muscovites, Men::n_free(king)) * self.n_sets_of_swedes(king)
    }

    fn begin(&self, nth_king: usize) -> u64 {
        GEOMETRY.kings[..nth_king].iter().map(|&king| self.n_with(king)).sum()
    }

    /// The number of pieces whose king is in the eighth.
    fn number_of_image(&self, pieces: &Pieces) -> u64 {
        let Pieces { king, muscovites, swedes, to_act } = *pieces;
        let free = |at: Cell| place(at) - usize::from(at > CASTLE) - usize::from(king != CASTLE && at > king);
        let besides = |at: Cell| free(at) - (muscovites & (bit(at) - 1)).count_ones() as usize;
        let sets = rank(each(muscovites).map(free)) * self.n_sets_of_swedes(king) + rank(each(swedes).map(besides));
        let nth_king = GEOMETRY.nth_king[usize::from(king)];
        self.begins[usize::from(nth_king)] + 2 * sets + to_act as u64
    }

    /// The least number of an image; the king must not be at the edge.
    fn number_of(&self, pieces: &Pieces) -> u64 {
        let folding = GEOMETRY.folding[usize::from(pieces.king)].iter();
        let numbers = folding.map(|&symmetry| self.number_of_image(&pieces.image(symmetry)));
        numbers.min().expect("some image of a king that is not at the edge is in the eighth")
    }

    fn pieces_of(&self, number: u64) -> Pieces {
        let nth_king = self.begins.partition_point(|&begin| begin <= number) - 1;
        let (king, number) = (GEOMETRY.kings[nth_king], number - self.begins[nth_king]);
        let to_act = if number & 1 == 0 { Side::Black } else { Side::White };
        let (first, second) = ((number / 2) / self.n_sets_of_swedes(king), (number / 2) % self.n_sets_of_swedes(king));
        let mut at = [0; MOST_MEN];
        let (mut muscovites, mut swedes) = (at, at);
        unrank(first, self.muscovites, &mut muscovites);
        unrank(second, self.swedes, &mut swedes);
        let (muscovites, swedes) = (&muscovites[..self.muscovites], &mut swedes[..self.swedes]);
        for swede in &mut *swedes {
            *swede = muscovites.iter().fold(*swede, |at, &taken| at + usize::from(taken <= at));
        }
        let mut taken = [place(king), place(CASTLE)];
        taken.sort_unstable();
        let taken = &taken[usize::from(king == CASTLE)..];
        let mut cells = |free: &[usize]| {
            at[..free.len()].copy_from_slice(free);
            let places = at[..free.len()].iter();
            let places = places.map(|&at| taken.iter().fold(at, |at, &taken| at + usize::from(taken <= at)));
            places.fold(0, |cells, place| cells | bit(cell_at(place)))
        };
        Pieces { king, muscovites: cells(muscovites), swedes: cells(swedes), to_act }
    }

    /// By nth king: the first number with the king there.
    pub(super) fn begins(&self) -> [u64; N_KINGS] {
        std::array::from_fn(|nth| self.begin(nth))
    }
}

impl Numbered for Men {
    type Game = Tablut;

    fn game(&self) -> &Tablut {
        &self.game
    }

    fn identity(&self) -> String {
        let Men { muscovites, swedes, .. } = self;
        format!(
            "tablut:king-range={}, {muscovites} Muscovites and {swedes} Swedes, numbering 1",
            self.game.king_range()
        )
    }

    fn n_numbers(&self) -> u64 {
        self.begin(N_KINGS)
    }

    #[inline]
    fn number(&self, position: &State) -> Option<u64> {
        let pieces = Pieces::of(position);
        let is_here = pieces.muscovites.count_ones() as usize == self.muscovites
            && pieces.swedes.count_ones() as usize == self.swedes
            && bit(pieces.king) & EDGE == 0;
        // That the king was captured does not stand on the board.
        let is_caught = || self.game.phase(position) == Phase::Over && self.game.end_reason(position) != "stuck";
        (is_here && !is_caught()).then(|| self.number_of(&pieces))
    }

    #[inline]
    fn position(&self, number: u64) -> Option<State> {
        let pieces = self.pieces_of(number);
        if GEOMETRY.folding[usize::from(pieces.king)].len() > 1 && self.number_of(&pieces) != number {
            return None;
        }
        let men = [pieces.muscovites, pieces.swedes | bit(pieces.king)];
        Some(self.game.set_up(men, pieces.king, pieces.to_act, false))
    }

    fn payoffs(&self) -> Vec<Payoffs> {
        vec![Payoffs::win(0), Payoffs::win(1)]
    }

    fn endless(&self) -> Payoffs {
        <Tablut as Game>::PathMemory::payoffs(&self.game, &self.game.initial_state(), PathEnd::Repetition)
    }

    #[inline]
    fn seat(&self, number: u64) -> Seat {
        // Each king's numbers are even.
        let side = if number & 1 == 0 { Side::Black } else { Side::White };
        self.game.seat(side)
    }

    fn offers_predecessors(&self) -> bool {
        true
    }

    /// Every ply that captures nothing can be taken back along the way that it came.
    fn predecessors(&self, position: &State, numbers: &mut Vec<u64>) {
        let after = Pieces::of(position);
        let (mover, empty) = (after.to_act.other(), position.empty());
        let beside_king = BESIDE[usize::from(after.king)];
        let is_surrounded = position.king_is_surrounded();
        for to in each(position.of(mover)) {
            let is_king = to == after.king;
            // Had the piece come here, there would be no such man, or the game would be over.
            let catches = mover == Side::Black && is_surrounded && beside_king & bit(to) != 0;
            if position.captured(mover, to) != 0 || catches {
                continue;
            }
            let range = if is_king { self.game.king_range() } else { SIZE - 1 };
            let reached = |direction| slides_within(to, empty, direction, range);
            let mut from = DIRECTIONS.into_iter().fold(0, |cells, direction| cells | reached(direction));
            if is_king {
                from &= !EDGE;
                if is_surrounded && BESIDE[usize::from(CASTLE)] & bit(to) != 0 {
                    // Out of his castle into such a place, he is caught.
                    from &= !bit(CASTLE);
                }
            } else {
                from &= !bit(CASTLE);
            }
            for from in each(from) {
                let moved = bit(from) | bit(to);
                let before = Pieces { to_act: mover, ..after };
                let before = match (mover, is_king) {
                    (_, true) => Pieces { king: from, ..before },
                    (Side::Black, false) => Pieces { muscovites: after.muscovites ^ moved, ..before },
                    (Side::White, false) => Pieces { swedes: after.swedes ^ moved, ..before },
                };
                numbers.push(self.number_of(&before));
            }
        }
    }
}
