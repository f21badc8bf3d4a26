//! The position as numbers; see `one_card_poker`. An action is its place in the list of the three words.

use raichi_core::encoding::{Encoding, Layout};
use raichi_core::seat::Seat;

use super::rules::{ACTIONS, Action, DECK, LeducPoker, MOST_RAISES, MOST_STAKED, State, exchanged};

impl Encoding for LeducPoker {
    fn layout(&self) -> Layout {
        DECK.layout(MOST_STAKED, MOST_RAISES)
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        DECK.observe(state, seat, true, observation);
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

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        for entry in &mut image[..DECK.n_card_entries()] {
            *entry = DECK.number(DECK.numbered(*entry).map(|card| exchanged(symmetry, card)));
        }
    }
}
