//! Random play, to the end or broken off, and random numbers for the trees.

use raichi_core::game::{Game, Phase};
use raichi_core::random::Rng;

/// Plays at most `max_plies` plies by uniformly random actions and outcomes drawn by weight; answers how many it made.
///
/// Core's `playout` with a bound: where a game goes on and on, `payoffs` of the unfinished state must do.
#[inline]
pub(super) fn playout_within<G: Game, R: Rng>(
    game: &G,
    state: &mut G::State,
    max_plies: u32,
    scratch: &mut Vec<G::Action>,
    rng: &mut R,
) -> u32 {
    for ply in 0..max_plies {
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
            Phase::Over => return ply,
        }
    }
    max_plies
}

/// A random number from 0 up to 1.
#[inline]
pub(super) fn random_fraction<R: Rng>(rng: &mut R) -> f64 {
    // 53 bits are all that a double holds.
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
