//! The position as numbers: the board with a tile's exponent in each cell, how many 4s chance has put, and who acts.
//!
//! The score is what the tiles are worth, (exponent − 1) · 2^exponent each, less 4 for each 4 that chance has put.
//! Action numbers: left, right, up, down.

use raichi_core::encoding::{Block, Encoding, Layout};
use raichi_core::seat::Seat;

use super::board::Direction;
use super::notation::MOST_FOURS;
use super::rules::{State, TwentyFortyEight};
use crate::square;

impl Encoding for TwentyFortyEight {
    fn layout(&self) -> Layout {
        let (size, largest) = (usize::from(self.size), i32::from(self.n_cells()) + 1);
        Layout::new([
            Block::amounts_on_grid(
                "exponents of the tiles, 0 for an empty cell",
                size,
                size,
                largest,
                "doublings of 1",
            ),
            Block::amounts("4s that chance has put", 1, MOST_FOURS as i32, "tiles"),
            Block::amounts("tiles to come before the player acts", 1, 2, "tiles"),
            Block::to_act(1),
        ])
    }

    #[inline]
    fn observe(&self, state: &State, _seat: Seat, observation: &mut [i32]) {
        let (cells, rest) = observation.split_at_mut(self.n_cells().into());
        for (cell, entry) in (0..).zip(cells) {
            *entry = state.board.exponent(self.size, cell).into();
        }
        rest[0] = state.fours.min(MOST_FOURS) as i32;
        rest[1] = state.to_come.into();
        rest[2] = (state.to_come == 0).into();
    }

    fn n_actions(&self) -> u64 {
        Direction::ALL.len() as u64
    }

    fn action_number(&self, action: Direction) -> u64 {
        action as u64
    }

    fn numbered_action(&self, number: u64) -> Option<Direction> {
        Direction::ALL.get(usize::try_from(number).ok()?).copied()
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        let n_cells = usize::from(self.n_cells());
        square::map_grid(symmetry, self.size, &observation[..n_cells], &mut image[..n_cells]);
    }
}
