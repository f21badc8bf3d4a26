//! The position as numbers: the items left and who is to act; an action is how many items are taken, less one.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::rules::{State, TakeAway};

impl Encoding for TakeAway {
    fn layout(&self) -> Layout {
        Layout::new([Block::amounts("heap", 1, self.size.into(), "items"), Block::to_act(2)])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        observation[0] = state.items.into();
        observation[1] = relative_seat(seat, state.to_act.into(), 2);
    }

    fn n_actions(&self) -> u64 {
        self.most.into()
    }

    fn action_number(&self, action: u8) -> u64 {
        u64::from(action) - 1
    }

    fn numbered_action(&self, number: u64) -> Option<u8> {
        (number < self.n_actions()).then(|| number as u8 + 1)
    }
}
