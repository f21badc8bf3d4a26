//! The position as numbers: nine cells and who is to act; an action is its cell.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::rules::{State, TicTacToe};
use crate::square;

impl Encoding for TicTacToe {
    fn layout(&self) -> Layout {
        Layout::new([Block::grid("board", 3, 3, &seat_names("empty", 2)), Block::to_act(2)])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let [own, other] = [state.marks[seat], state.marks[1 - seat]];
        for (cell, entry) in observation[..9].iter_mut().enumerate() {
            *entry = (own >> cell & 1) as i32 + 2 * (other >> cell & 1) as i32;
        }
        observation[9] = relative_seat(seat, state.to_act.into(), 2);
    }

    fn n_actions(&self) -> u64 {
        9
    }

    fn action_number(&self, action: u8) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u8> {
        (number < 9).then_some(number as u8)
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        square::map_grid(symmetry, 3, &observation[..9], &mut image[..9]);
        image[9] = observation[9];
    }
}
