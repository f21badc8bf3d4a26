//! Symmetries commute with the rules and with the encoding.

use std::collections::HashSet;

use super::{Place, law};
use crate::erased::Playable;
use crate::game::Phase;

impl<G: Playable> Place<'_, G> {
    pub(super) fn symmetries_commute_with_the_rules(&self) {
        let (game, state) = (self.game(), self.state());
        for symmetry in 0..game.n_symmetries() {
            let image = game.map_state(symmetry, state);
            if symmetry == 0 {
                law!(self, &image == state, "symmetry 0 is not the identity");
            }
            law!(self, game.recomputed(&image) == image, "symmetry {symmetry} leaves something behind");
            law!(self, game.phase(&image) == game.phase(state), "symmetry {symmetry} changes who acts");
            law!(self, game.payoffs(&image) == game.payoffs(state), "symmetry {symmetry} changes the payoffs");
            self.symmetry_commutes_with_the_encoding(symmetry, &image);
            match game.phase(state) {
                Phase::Over => {}
                Phase::Act(seats) => {
                    for seat in seats.iter() {
                        let (mut actions, mut images) = (Vec::new(), Vec::new());
                        game.legal_actions(state, seat, &mut actions);
                        game.legal_actions(&image, seat, &mut images);
                        let mapped: HashSet<_> =
                            actions.iter().map(|&action| game.map_action(symmetry, action)).collect();
                        let images: HashSet<_> = images.into_iter().collect();
                        law!(self, mapped == images, "symmetry {symmetry} changes what is legal");
                        for &action in actions.iter().take(6) {
                            let mut after = state.clone();
                            game.apply(&mut after, seat, action);
                            let mut image_after = image.clone();
                            game.apply(&mut image_after, seat, game.map_action(symmetry, action));
                            let same = game.map_state(symmetry, &after) == image_after;
                            law!(self, same, "symmetry {symmetry} does not commute with {action:?}");
                        }
                    }
                }
                Phase::Chance => {
                    let (mut outcomes, mut images) = (Vec::new(), Vec::new());
                    game.outcomes(state, &mut outcomes);
                    game.outcomes(&image, &mut images);
                    let mapped: HashSet<_> = outcomes
                        .iter()
                        .map(|&(outcome, weight)| (game.map_outcome(symmetry, outcome), weight))
                        .collect();
                    let images: HashSet<_> = images.into_iter().collect();
                    law!(self, mapped == images, "symmetry {symmetry} changes what may happen");
                }
            }
        }
    }

    fn symmetry_commutes_with_the_encoding(&self, symmetry: usize, image: &G::State) {
        for seat in 0..self.game().facts().n_seats {
            let observation = self.observe(self.state(), seat);
            let mut mapped = vec![i32::MIN; observation.len()];
            self.game().map_observation(symmetry, &observation, &mut mapped);
            let seen = self.observe(image, seat);
            law!(self, mapped == seen, "symmetry {symmetry} maps what seat {seat} sees to {mapped:?}, not {seen:?}");
        }
    }
}
