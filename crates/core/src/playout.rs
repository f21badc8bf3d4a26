//! Uniformly random play to the end, or for so many plies.

use crate::game::Phase;
use crate::information::Information;
use crate::path::{PathGame, PathState};
use crate::random::Rng;

/// Plays `state` to its end by uniformly random actions and outcomes drawn by weight; returns how many plies that took.
///
/// Where several seats may act at once the lowest goes first: their choices do not depend on each other.
#[inline]
pub fn playout<G: Information, R: Rng + ?Sized>(
    game: &PathGame<G>,
    state: &mut PathState<G>,
    scratch: &mut Vec<G::Action>,
    rng: &mut R,
) -> u32 {
    let mut n_plies = 0;
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
            Phase::Over => return n_plies,
        }
        n_plies += 1;
    }
}

/// The same for at most `max_plies` plies: in a game that goes on and on, the payoffs of the unfinished state count.
// The loop is written out in both: one through the other made Nim's playouts 5 % slower.
#[inline]
pub fn playout_within<G: Information, R: Rng + ?Sized>(
    game: &PathGame<G>,
    state: &mut PathState<G>,
    max_plies: u32,
    scratch: &mut Vec<G::Action>,
    rng: &mut R,
) -> u32 {
    for n_plies in 0..max_plies {
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
            Phase::Over => return n_plies,
        }
    }
    max_plies
}
