//! Uniformly random play to the end.

use crate::game::{Game, Phase};
use crate::random::Rng;

/// Plays `state` to its end by uniformly random actions and outcomes drawn by weight; answers how many plies that took.
///
/// Where several seats may act at once the lowest goes first: their choices do not depend on each other.
#[inline]
pub fn playout<G: Game, R: Rng + ?Sized>(
    game: &G,
    state: &mut G::State,
    scratch: &mut Vec<G::Action>,
    rng: &mut R,
) -> u32 {
    let mut plies = 0;
    loop {
        match game.phase(state) {
            Phase::Act(seats) => {
                let seat = seats.first();
                let action = game.random_action(state, seat, scratch, rng);
                game.apply(state, seat, action);
            }
            Phase::Chance => {
                let outcome = game.sample_outcome(state, rng);
                game.apply_outcome(state, outcome);
            }
            Phase::Over => return plies,
        }
        plies += 1;
    }
}
