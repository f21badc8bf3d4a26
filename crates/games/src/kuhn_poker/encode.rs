//! The position as numbers; see `one_card_poker`. An action is its place in the list of both.

use raichi_core::encoding::{Encoding, Layout};
use raichi_core::seat::Seat;

use super::rules::{ACTIONS, Action, DECK, KuhnPoker, State};

impl Encoding for KuhnPoker {
    fn layout(&self) -> Layout {
        DECK.layout(2, 0)
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        DECK.observe(state, seat, false, observation);
    }

    fn n_actions(&self) -> u64 {
        ACTIONS.len() as u64
    }

    fn action_number(&self, action: Action) -> u64 {
        action as u64
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        ACTIONS.get(usize::try_from(number).ok()?).copied()
    }
}
