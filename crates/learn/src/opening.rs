//! How games of training begin.

use raichi_core::encoding::Encoding;
use raichi_core::game::Phase;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, index};

/// The position that a game of training begins with: one of `starts`, or the game's own, and then up to so many random plies.
pub(crate) fn start<G: Encoding>(
    game: &PathGame<G>,
    starts: &[G::State],
    random_plies: u64,
    rng: &mut FastRng,
) -> PathState<G> {
    let begin = |rng: &mut FastRng| match starts {
        [] => game.initial_state(),
        starts => game.state_at(starts[index(rng, starts.len())].clone()),
    };
    let mut state = begin(rng);
    let n_plies = if random_plies == 0 { 0 } else { index(rng, random_plies as usize + 1) };
    let mut scratch = Vec::new();
    for _ in 0..n_plies {
        let before = state.clone();
        let Phase::Act(seats) = settle(game, &mut state, rng) else { return before };
        let action = game.random_action(&state, seats.first(), &mut scratch, rng);
        game.apply(&mut state, seats.first(), action);
        if game.phase(&state) == Phase::Over {
            return before;
        }
    }
    state
}

/// Lets chance act until a seat is to act or the game is over.
pub(crate) fn settle<G: Encoding>(game: &PathGame<G>, state: &mut PathState<G>, rng: &mut FastRng) -> Phase {
    loop {
        match game.phase(state) {
            Phase::Chance => {
                let outcome = game.sample_outcome(state, rng);
                game.apply_outcome(state, outcome);
            }
            phase => return phase,
        }
    }
}
