//! The position as numbers: the rhombus as a square, in which the six neighbours of a cell are still beside it, who is to
//! act, and which rims are one's own. An action is its cell, and last the swap, if it is played.

use raichi_core::bits;
use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::rules::{Hex, State};

impl Encoding for Hex {
    fn layout(&self) -> Layout {
        let size = self.board.size.into();
        Layout::new([
            Block::grid("board", size, size, &seat_names("empty", 2)),
            Block::to_act(2),
            Block::named("own rims", 1, &["top and bottom", "left and right"]),
        ])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (cells, rest) = observation.split_at_mut(self.board.n_cells().into());
        cells.fill(0);
        for (stones, value) in [(state.stones[seat], 1), (state.stones[1 - seat], 2)] {
            bits::ones(stones).for_each(|cell| cells[cell as usize] = value);
        }
        rest[0] = relative_seat(seat, state.to_act.into(), 2);
        rest[1] = seat as i32;
    }

    fn n_actions(&self) -> u64 {
        u64::from(self.board.n_cells()) + u64::from(self.swap)
    }

    fn action_number(&self, action: u16) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u16> {
        (number < self.n_actions()).then_some(number as u16)
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        if symmetry == 1 {
            image[..self.board.n_cells().into()].reverse();
        }
    }
}
