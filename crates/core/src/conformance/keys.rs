//! Position keys.

use std::collections::HashMap;

use super::{Place, law};
use crate::erased::Playable;
use crate::game::Phase;

/// The positions met so far, by their keys.
pub(super) struct Positions<S>(HashMap<u64, S>);

impl<S> Default for Positions<S> {
    fn default() -> Self {
        Positions(HashMap::new())
    }
}

/// Games with large states and very many positions are not remembered to the last.
const MOST_POSITIONS: usize = 20_000;
/// Successors of a position that are remembered too.
const MOST_SUCCESSORS: usize = 24;

impl<G: Playable> Place<'_, G> {
    /// Those on the way and the first of their successors.
    pub(super) fn different_positions_have_different_keys(&self, positions: &mut Positions<G::State>) {
        let (game, state) = (self.game(), self.state());
        self.meet(state, positions);
        if positions.0.len() >= MOST_POSITIONS {
            return;
        }
        let Phase::Act(seats) = self.current.phase() else { return };
        let seat = seats.first();
        for action in self.current.legal_actions(seat).into_iter().take(MOST_SUCCESSORS) {
            let mut next = state.clone();
            game.apply(&mut next, seat, action);
            self.meet(&next, positions);
        }
    }

    fn meet(&self, state: &G::State, positions: &mut Positions<G::State>) {
        let key = self.game().key(state);
        if let Some(other) = positions.0.get(&key) {
            law!(self, other == state, "{state:?}\nand {other:?}\nshare the key {key:x}");
        } else {
            positions.0.insert(key, state.clone());
        }
    }
}
