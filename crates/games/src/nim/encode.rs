//! The position as numbers: the heaps and who is to act.

use raichi_core::encoding::{Encoding, Layout};
use raichi_core::seat::Seat;

use super::rules::{Nim, State};
use crate::heaps::Take;

impl Encoding for Nim {
    fn layout(&self) -> Layout {
        self.setup.layout(2)
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        self.setup.observe(&state.heaps, state.to_act.into(), seat, 2, observation);
    }

    fn n_actions(&self) -> u64 {
        self.setup.n_numbers()
    }

    fn action_number(&self, action: Take) -> u64 {
        self.setup.number(action)
    }

    fn numbered_action(&self, number: u64) -> Option<Take> {
        self.setup.numbered(number)
    }
}
