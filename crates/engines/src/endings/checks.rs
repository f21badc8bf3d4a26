//! What holds for the endings of every game, for the tests of their folders.

use std::collections::HashSet;

use raichi_core::erased::Playable;
use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Viewer;
use raichi_solve::numbered::State;
use raichi_solve::{Exact, Exhaustive, Solver};

use super::Ending;
use crate::solved::{nexts, patient};

/// A position of the ending drawn at random that stands for its images.
pub(crate) fn drawn<E: Ending>(ending: &E, rng: &mut FastRng) -> (u64, State<E>) {
    loop {
        let number = index(rng, ending.n_numbers() as usize) as u64;
        if let Some(state) = ending.position(number) {
            return (number, state);
        }
    }
}

/// All images have the number of the one that stands for them. Returns how many positions there are, every image counted.
pub(crate) fn count_all_images<E: Ending>(ending: &E) -> u64 {
    let mut n_positions = 0;
    for number in 0..ending.n_numbers() {
        let Some(state) = ending.position(number) else { continue };
        assert_eq!(ending.number(&state), Some(number));
        let game = ending.game();
        let images: HashSet<_> = (0..game.n_symmetries()).map(|symmetry| game.map_state(symmetry, &state)).collect();
        assert!(images.iter().all(|image| ending.number(image) == Some(number)), "{state:?}");
        n_positions += images.len() as u64;
    }
    n_positions
}

/// Positions drawn and their images have the number that was drawn.
pub(crate) fn numbers_are_those_of_drawn_positions<E: Ending>(ending: &E, rng: &mut FastRng) {
    for _ in 0..300 {
        let (number, state) = drawn(ending, rng);
        assert_eq!(ending.number(&state), Some(number), "{state:?}");
        let symmetry = index(rng, ending.game().n_symmetries());
        assert_eq!(ending.number(&ending.game().map_state(symmetry, &state)), Some(number), "{state:?}");
    }
}

/// The predecessors of drawn positions are those from which an action leads there. `number` says of what follows whether it
/// is one of the positions that have predecessors.
pub(crate) fn predecessors_lead_here<E: Ending>(
    ending: &E,
    number: impl Fn(&State<E>) -> Option<u64>,
    rng: &mut FastRng,
) {
    let before = |state: &State<E>| {
        let mut numbers = Vec::new();
        ending.predecessors(state, &mut numbers);
        numbers
    };
    for _ in 0..100 {
        let (here, state) = drawn(ending, rng);
        for next in nexts(ending.game(), &state).iter().filter(|next| number(next).is_some()) {
            assert!(before(next).contains(&here), "{state:?} leads to {next:?}");
        }
        for number_before in before(&state) {
            let earlier = ending.position(number_before).expect("it stands for a position");
            let Phase::Act(seats) = ending.game().phase(&earlier) else { panic!("{earlier:?} is over") };
            assert_eq!(ending.seat(number_before), seats.first());
            let nexts = nexts(ending.game(), &earlier);
            assert!(nexts.iter().any(|next| number(next) == Some(here)), "{earlier:?} does not lead to {state:?}");
        }
    }
}

/// What a table says of all positions that are to be played, images folded.
pub(crate) struct Tally {
    /// By who acts: won by seat 0, by seat 1, by neither.
    by_actor: [[u64; 3]; 2],
    /// The longest wins of both seats, in plies.
    pub(crate) longest: [Option<u32>; 2],
}

impl Tally {
    /// Won by seat 0, by seat 1, by neither; positions of both seats to act together.
    pub(crate) fn by_seat(&self) -> [u64; 3] {
        let [first, second] = self.by_actor;
        std::array::from_fn(|result| first[result] + second[result])
    }

    /// Won by who acts, by the other, by neither.
    pub(crate) fn of_actor(&self) -> [u64; 3] {
        let [first, second] = self.by_actor;
        [first[0] + second[1], first[1] + second[0], first[2] + second[2]]
    }
}

/// Counts who wins the positions of an ending.
pub(crate) fn tally<E: Ending>(key: E::Key) -> Tally {
    let found = E::tables().get(key, &patient()).unwrap();
    let (ending, table) = (&found.ending, &found.table);
    let mut tally = Tally { by_actor: [[0; 3]; 2], longest: [None; 2] };
    for number in 0..ending.n_numbers() {
        let Some(state) = ending.position(number) else { continue };
        let Phase::Act(seats) = ending.game().phase(&state) else { continue };
        let exact = table.exact(number);
        let winner = exact.plies.map(|_| usize::from(exact.values[0] <= exact.values[1]));
        tally.by_actor[seats.first()][winner.unwrap_or(2)] += 1;
        if let Some(winner) = winner {
            tally.longest[winner] = tally.longest[winner].max(exact.plies);
        }
    }
    tally
}

/// Every position of an ending has the value that the analysis of the graph finds.
pub(crate) fn compare_with_graph<E: Ending<Game: Playable>>(key: E::Key) {
    let found = E::tables().get(key, &patient()).unwrap();
    let (ending, table) = (&found.ending, &found.table);
    let graph = Exhaustive::retrograde(ending.game().clone());
    let mut n_compared = 0;
    for number in 0..ending.n_numbers() {
        let Some(state) = ending.position(number) else { continue };
        let wanted = graph.solve(&state, &patient()).unwrap();
        let text = ending.game().position_text(&state, Viewer::Referee);
        assert_eq!(table.exact(number), wanted, "{key:?} {text}");
        n_compared += 1;
    }
    assert!(n_compared > 500 && n_compared > ending.n_numbers() as usize / 2, "{n_compared}");
}

/// From a hundred positions of the ending both sides play as well as can be: what it is worth stays, and the distance falls.
pub(crate) fn best_play_keeps_the_value<E: Ending>(
    ending: &E,
    game: &E::Game,
    solver: &dyn Solver<E::Game>,
    rng: &mut FastRng,
) {
    let solve = |state: &State<E>| solver.solve(state, &patient()).unwrap();
    for _ in 0..100 {
        let (_, mut state) = drawn(ending, rng);
        let mut exact = solve(&state);
        // Drawn play goes on for ever.
        for _ in 0..200 {
            let Phase::Act(seats) = game.phase(&state) else { break };
            let seat = seats.first();
            let after = nexts(game, &state).into_iter().map(|next| (solve(&next), next));
            let best = after.max_by(|(one, _), (other, _)| {
                let plies = |exact: &Exact| exact.plies.unwrap_or(u32::MAX);
                let longer = plies(one).cmp(&plies(other));
                let longer = if exact.values[seat] > 0.0 { longer.reverse() } else { longer };
                one.values[seat].total_cmp(&other.values[seat]).then(longer)
            });
            let (next_exact, next) = best.expect("there are actions");
            assert_eq!(next_exact.values, exact.values, "{state:?}");
            assert_eq!(next_exact.plies.map(|plies| plies + 1), exact.plies, "{state:?}");
            (state, exact) = (next, next_exact);
        }
        if exact.plies.is_some() {
            assert_eq!((game.phase(&state), exact.plies), (Phase::Over, Some(0)), "{state:?}");
            assert_eq!(exact.values, game.payoffs(&state));
        }
    }
}

/// A table that was interrupted again and again is the same in the end.
pub(crate) fn goes_on_where_it_was_interrupted<E: Ending<Game: Playable>>(key: E::Key) {
    let cancel = raichi_core::host::CancelFlag::default();
    cancel.cancel();
    let interrupted = raichi_solve::Work { cancel: &cancel, ..patient() };
    let mut n_interrupted = 0;
    while let Err(why) = E::tables().get(key, &interrupted) {
        assert_eq!(why, raichi_solve::Unsolved::OutOfTime);
        n_interrupted += 1;
        // While another test makes a table, nothing is done here.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(n_interrupted > 10, "{n_interrupted}");
    compare_with_graph::<E>(key);
}
