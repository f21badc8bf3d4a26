//! Observations, action numbers, bytes.

use std::collections::HashSet;

use super::{Place, law};
use crate::encoding::Shape;
use crate::erased::{AnyMatch, Playable};
use crate::random::FastRng;
use crate::seat::Seat;

impl<G: Playable> Place<'_, G> {
    pub(super) fn observe(&self, state: &G::State, seat: Seat) -> Vec<i32> {
        // What is not written is found out.
        let mut observation = vec![i32::MIN; self.game().layout().len()];
        self.game().observe(state, seat, &mut observation);
        observation
    }

    pub(super) fn observations_say_what_a_seat_sees(&self, rng: &mut FastRng) {
        let game = self.game();
        let ranges = game.layout().ranges();
        law!(self, !ranges.is_empty(), "an observation has no entries");
        for block in &game.layout().blocks {
            let heads = block.heads.as_ref().map(|heads| (heads.rows.len(), heads.columns.len()));
            let fits = heads.is_none_or(|(rows, columns)| block.shape == Shape::Grid { rows, columns });
            law!(self, fits, "{}: {heads:?} heads for {:?}", block.name, block.shape);
        }
        let mut next = self.state().clone();
        super::advance(game, &mut next, rng);
        for seat in 0..game.facts().n_seats {
            let observation = self.observe(self.state(), seat);
            for (i, (&entry, &(min, max))) in observation.iter().zip(&ranges).enumerate() {
                law!(self, (min..=max).contains(&entry), "seat {seat} sees {entry} in entry {i}, not {min} to {max}");
            }
            let other = game.determinize(self.state(), seat, rng);
            law!(self, self.observe(&other, seat) == observation, "seat {seat}: the observation tells states apart");
            // Where everything is seen, the observation is the position.
            if !game.facts().hidden && &next != self.state() {
                let differs = self.observe(&next, seat) != observation;
                law!(self, differs, "seat {seat} sees the same in {:?} and {next:?}", self.state());
            }
        }
    }

    pub(super) fn states_read_back_from_bytes(&self) {
        let (game, state) = (self.game(), self.state());
        let mut bytes = Vec::new();
        game.write_state(state, &mut bytes);
        let read = game.read_state(&bytes);
        law!(self, read.as_ref() == Ok(state), "the bytes {bytes:?} are read as {read:?}, not {state:?}");
        law!(self, game.read_state(&bytes[..bytes.len() / 2]).as_ref() != Ok(state), "half of the bytes are enough");
    }

    pub(super) fn actions_have_numbers(&self) {
        let game = self.game();
        for seat in 0..game.facts().n_seats {
            let (mut numbers, mut all_factors) = (HashSet::new(), HashSet::new());
            for action in self.current.legal_actions(seat) {
                let number = game.action_number(action);
                law!(self, number < game.n_actions(), "{action:?} has the number {number} of {}", game.n_actions());
                law!(self, numbers.insert(number), "two actions of seat {seat} have the number {number}");
                let back = game.numbered_action(number);
                law!(self, back == Some(action), "{action:?} has the number {number}, which is {back:?}'s");
                let mut factors = Vec::new();
                game.factors(action, &mut factors);
                let n_factors = game.n_factors();
                let are_factors = !factors.is_empty() && factors.iter().all(|&factor| factor < n_factors);
                law!(self, are_factors, "{action:?} has the factors {factors:?} of {n_factors}");
                factors.sort_unstable();
                law!(self, all_factors.insert(factors), "two actions of seat {seat} have the factors of {action:?}");
            }
            let rising = AnyMatch::legal_numbers(self.current, seat);
            law!(self, rising.is_sorted() && rising.len() == numbers.len(), "the legal numbers are {rising:?}");
        }
        for number in [game.n_actions(), u64::MAX] {
            law!(self, game.numbered_action(number).is_none(), "there is an action number {number}");
        }
    }
}
