//! The position as numbers: the hexagon in a square grid of all (i, j) as in `board.rs`, the top row first, in which the
//! six neighbours of a cell lie at its left and right, above and below, above right and below left of it; who is to act;
//! and, where it is played, whether the swap is open. An action is its cell, row by row from the bottom, and last the swap.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::rules::{State, Yavalath};

impl Encoding for Yavalath {
    fn layout(&self) -> Layout {
        let (n_rows, n_seats) = (self.board.n_rows().into(), self.n_seats.into());
        let mut cells = seat_names("empty", n_seats);
        cells.push("no cell".into());
        let mut blocks = vec![Block::grid("board", n_rows, n_rows, &cells), Block::to_act(n_seats)];
        if self.swap {
            blocks.push(Block::named("swap", 1, &["not possible", "possible"]));
        }
        Layout::new(blocks)
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (n_rows, n_seats) = (self.board.n_rows(), usize::from(self.n_seats));
        let side = usize::from(n_rows);
        let (grid, rest) = observation.split_at_mut(side * side);
        for (row, entries) in (0..n_rows).rev().zip(grid.chunks_exact_mut(side)) {
            let cells = self.board.row(row);
            for (j, entry) in entries.iter_mut().enumerate() {
                let is_cell = cells >> j & 1 == 1;
                *entry = if is_cell { 0 } else { n_seats as i32 + 1 };
            }
            for other in 0..n_seats {
                let mut stones = state.stones[other].in_row(row);
                while stones != 0 {
                    entries[stones.trailing_zeros() as usize] = relative_seat(seat, other, n_seats);
                    stones &= stones - 1;
                }
            }
        }
        rest[0] = relative_seat(seat, state.to_act.into(), n_seats);
        if self.swap {
            rest[1] = self.may_swap(state).into();
        }
    }

    fn n_actions(&self) -> u64 {
        u64::from(self.board.n_cells()) + u64::from(self.swap)
    }

    fn action_number(&self, action: u8) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u8> {
        (number < self.n_actions()).then_some(number as u8)
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        for cell in 0..self.board.n_cells() {
            let image_cell = self.board.map_cell(symmetry, cell);
            image[self.board.on_grid(image_cell)] = observation[self.board.on_grid(cell)];
        }
    }
}
