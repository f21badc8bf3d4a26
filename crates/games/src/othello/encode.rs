//! The position as numbers: the board as it lies and who is to act; an action is its cell, row by row, and last the pass.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::board::{Cells, stride};
use super::rules::{Action, Othello, State};
use crate::spread::SPREAD;
use crate::square;

impl Encoding for Othello {
    fn layout(&self) -> Layout {
        let size = self.size.into();
        Layout::new([Block::grid("board", size, size, &seat_names("empty", 2)), Block::to_act(2)])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let discs = state.discs();
        let discs = [discs[seat], discs[1 - seat]];
        let (cells, rest) = observation.split_at_mut(self.n_cells());
        // Rows of known length are written without a loop.
        match self.size {
            4 => spread_rows::<4>(discs, cells),
            6 => spread_rows::<6>(discs, cells),
            8 => spread_rows::<8>(discs, cells),
            _ => self.spread_cells(discs, cells),
        }
        rest[0] = relative_seat(seat, state.to_act.into(), 2);
    }

    fn n_actions(&self) -> u64 {
        self.n_cells() as u64 + 1
    }

    fn action_number(&self, action: Action) -> u64 {
        match action {
            // The words of this board have no other cells.
            Action::Place(cell) if self.size == 8 => cell.into(),
            Action::Place(cell) => {
                let (column, row) = self.column_and_row(cell);
                u64::from(row) * u64::from(self.size) + u64::from(column)
            }
            Action::Pass => self.n_cells() as u64,
        }
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let size = u64::from(self.size);
        match number {
            n if n < size * size => Some(Action::Place(self.cell((n % size) as u8, (n / size) as u8))),
            n if n == size * size => Some(Action::Pass),
            _ => None,
        }
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        let n_cells = self.n_cells();
        square::map_grid(symmetry, self.size, &observation[..n_cells], &mut image[..n_cells]);
        image[n_cells] = observation[n_cells];
    }
}

impl Othello {
    fn n_cells(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// Cell by cell, for the board of two words.
    fn spread_cells(&self, discs: [Cells; 2], cells: &mut [i32]) {
        for (row, entries) in cells.chunks_exact_mut(self.size.into()).enumerate() {
            let [own, other] = discs.map(|discs| discs >> (row * usize::from(stride(self.size))));
            for (column, entry) in entries.iter_mut().enumerate() {
                *entry = (own >> column & 1) as i32 + 2 * (other >> column & 1) as i32;
            }
        }
    }
}

/// The boards of one word, on which a row is a byte.
#[inline]
fn spread_rows<const SIZE: usize>(discs: [Cells; 2], cells: &mut [i32]) {
    let [own, other] = discs.map(|discs| (discs as u64).to_le_bytes());
    for (entries, (own, other)) in cells.as_chunks_mut::<SIZE>().0.iter_mut().zip(own.into_iter().zip(other)) {
        let (own, other) = (&SPREAD[usize::from(own)], &SPREAD[usize::from(other)]);
        for column in 0..SIZE {
            entries[column] = own[column] + 2 * other[column];
        }
    }
}
