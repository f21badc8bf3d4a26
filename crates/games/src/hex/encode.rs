//! The position as numbers: the rhombus as a square, in which the six neighbours of a cell are still beside it, who is to
//! act, and which rims are one's own. An action is its cell, and last the swap, if it is played.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::board::Cells;
use super::rules::{Hex, State};
use crate::spread::SPREAD;

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
        let (own, other) = (&state.stones[seat], &state.stones[1 - seat]);
        // A byte is eight cells, which are written without a loop.
        let byte = |stones: &Cells, nth: usize| (stones[nth / 8] >> (8 * (nth % 8))) as usize & 255;
        for (nth, entries) in cells.chunks_mut(8).enumerate() {
            let (of_own, of_other) = (&SPREAD[byte(own, nth)], &SPREAD[byte(other, nth)]);
            match entries.first_chunk_mut::<8>() {
                Some(entries) => (0..8).for_each(|i| entries[i] = of_own[i] + 2 * of_other[i]),
                None => entries.iter_mut().enumerate().for_each(|(i, entry)| *entry = of_own[i] + 2 * of_other[i]),
            }
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
