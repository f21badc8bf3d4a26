//! The laws that every game keeps, checked in the positions of random games.
//!
//! [`check`] plays one random game and looks at every position; [`random_params`] draws parameters to play it with.
//! Each law is a method of [`Place`], named after what it says, in the file of its subject.

mod distribution;
mod encoding;
mod endings;
mod information;
mod keys;
mod parameters;
mod pictures;
mod positions;
mod rules;
mod symmetry;
mod text;

use std::collections::HashSet;
use std::sync::Arc;

use crate::erased::{AnyMatch, Playable};
use crate::game::Phase;
use crate::history::Match;
use crate::path::PathGame;
use crate::random::{self, FastRng, stream};
use crate::seat::Viewer;

pub use parameters::{length_of_random_game, random_params};

/// How thoroughly one random game is checked.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Plies after which the game is left unfinished.
    pub max_plies: usize,
    /// Positions on the way that get the slow checks: pictures, determinizations, symmetries, replays.
    pub n_looks: usize,
    /// Positions on the way whose draws are counted and compared with the plain form's distribution.
    pub n_draws: usize,
}

/// Plays one random game and checks every law at every position.
///
/// # Panics
/// Where a law is broken, saying which, in which game and after which history.
pub fn check<G: Playable>(game: &Arc<PathGame<G>>, seed: u64, effort: Effort) {
    let mut rng = stream(seed, "conformance", 0);
    let mut current = Match::of(Arc::clone(game));
    let mut texts_seen: HashSet<String> = HashSet::new();
    let mut positions = keys::Positions::default();
    pictures::charts_and_exercises_are_whole(game.game(), seed);
    // Positions that get the slow checks: the first few, then fewer and fewer.
    let (mut looks_left, mut draws_left) = (effort.n_looks, effort.n_draws);
    loop {
        let n_plies = current.n_plies();
        let place = Place { seed, current: &current };
        let over = current.phase() == Phase::Over || n_plies >= effort.max_plies;
        place.actions_are_listed_once_and_read_back(&mut texts_seen, &mut rng);
        place.outcomes_have_weights_and_read_back(&mut rng);
        place.noise_is_refused(&mut rng);
        place.derived_values_equal_those_computed_again();
        place.different_positions_have_different_keys(&mut positions);
        if over || looks_left > 0 && (n_plies < 4 || random::index(&mut rng, 1 + n_plies / 8) == 0) {
            looks_left = looks_left.saturating_sub(1);
            place.the_history_leads_here();
            place.positions_read_back();
            place.noise_is_no_position(&mut rng);
            place.observations_say_what_a_seat_sees(&mut rng);
            place.states_read_back_from_bytes();
            place.actions_have_numbers();
            place.determinizations_show_each_seat_what_it_saw(&mut rng);
            place.seats_remember_what_they_saw();
            place.symmetries_commute_with_the_rules();
            place.paths_of_touches_tell_actions_apart();
            place.charts_are_whole();
            place.what_is_put_by_touching_reads_back();
            place.what_is_turned_about_does_not_fall();
            place.endings_have_words(&mut rng);
            if draws_left > 0 && !over {
                draws_left -= 1;
                place.draws_have_the_plain_distribution(&mut rng);
                place.every_action_is_accepted_exactly_if_listed();
            }
        }
        if over {
            place.the_class_is_one_of_the_types();
            place.payoffs_are_as_declared();
            place.over_means_nobody_can_act();
            return;
        }
        step(&mut current, &mut rng);
    }
}

fn step<G: Playable>(current: &mut Match<G>, rng: &mut FastRng) {
    match current.phase() {
        Phase::Chance => {
            current.sample_outcome(rng).expect("chance is to act");
        }
        Phase::Act(seats) => {
            let nth = random::index(rng, seats.len());
            let seat = seats.iter().nth(nth).expect("the index is below the length");
            let action = current.game().random_action(current.state(), seat, &mut Vec::new(), rng);
            current.play(seat, action).expect("a random action is legal");
        }
        Phase::Over => unreachable!("the caller has looked"),
    }
}

/// A position on the way of a random game.
struct Place<'a, G: Playable> {
    seed: u64,
    current: &'a Match<G>,
}

/// Asserts with the place in the message.
macro_rules! law {
    ($place:expr, $holds:expr, $($message:tt)+) => {
        assert!(
            $holds,
            "{}\n  in {} (seed {}), after {} plies: {}",
            format!($($message)+), $place.current.game().spec(), $place.seed, $place.current.n_plies(),
            $place.history(),
        )
    };
}
use law;

impl<G: Playable> Place<'_, G> {
    /// The rules without those of the path.
    fn game(&self) -> &G {
        self.current.game().game()
    }

    fn state(&self) -> &G::State {
        self.current.state().position()
    }

    fn history(&self) -> String {
        AnyMatch::history(self.current, Viewer::Referee)
    }
}

/// Plays one ply at random, outside of a match.
fn advance<G: Playable>(game: &G, state: &mut G::State, rng: &mut FastRng) {
    match game.phase(state) {
        Phase::Act(seats) => {
            let seat = seats.first();
            let action = game.random_action(state, seat, &mut Vec::new(), rng);
            game.apply(state, seat, action);
        }
        Phase::Chance => {
            let outcome = game.sample_outcome(state, rng);
            game.apply_outcome(state, outcome);
        }
        Phase::Over => {}
    }
}
