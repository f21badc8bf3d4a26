use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::seat::Viewer;
use raichi_games::al_jabar::{AlJabar, Numbers, State};
use raichi_solve::backward::Ties;
use raichi_solve::rounds::{Bound, Repeats};
use raichi_solve::{Exhaustive, Solver, Unsolved, Work};

use super::{by_rounds, endless};
use crate::solved::{game, nexts, patient, position};

/// What follows a position, with probabilities, or each with 1 where a seat chooses.
fn after(game: &AlJabar, state: &State) -> Vec<(State, f64)> {
    if game.phase(state) != Phase::Chance {
        return nexts(game, state).into_iter().map(|next| (next, 1.0)).collect();
    }
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
    let after = |(outcome, weight)| {
        let mut next = *state;
        game.apply_outcome(&mut next, outcome);
        (next, weight as f64 / total as f64)
    };
    outcomes.into_iter().map(after).collect()
}

/// The positions of a random game, the last one over.
fn random_game(game: &AlJabar, rng: &mut FastRng) -> Vec<State> {
    let mut states = vec![game.initial_state()];
    loop {
        let after = after(game, &states[states.len() - 1]);
        if after.is_empty() {
            return states;
        }
        states.push(after[index(rng, after.len())].0);
    }
}

fn value(solver: &dyn Solver<AlJabar>, state: &State) -> f64 {
    let values = solver.solve(state, &patient()).unwrap().values;
    assert_eq!(values[1], -values[0]);
    values[0]
}

fn check_against_backward_induction(spec: &str, n_games: u64) {
    let game: AlJabar = game(spec);
    let (ours, plain) = (by_rounds(&game).unwrap(), Exhaustive::backward(game.clone(), Ties::Shared));
    for seed in 0..n_games {
        for state in random_game(&game, &mut stream(seed, "al-jabar", 0)) {
            let (one, other) = (value(&ours, &state), value(&plain, &state));
            assert!(
                (one - other).abs() < 1e-9,
                "{spec} {}: {one} {other}",
                game.position_text(&state, Viewer::Referee)
            );
        }
    }
}

#[test]
fn small_games_have_the_values_of_backward_induction() {
    for (group, n_rounds) in [("group=2,copies=5", 9), ("group=3,copies=6", 6), ("group=2,copies=9,hand=3", 5)] {
        for max_rounds in 1..=n_rounds {
            check_against_backward_induction(&format!("{group},max-rounds={max_rounds}"), 10);
        }
    }
    for spec in [
        "group=2/2,copies=4,max-rounds=1",
        "group=2/2,copies=3,hand=3,max-rounds=3",
        "group=2/2,copies=2,hand=2,max-rounds=7",
        "group=2/2,copies=2,hand=2,gift=false,max-rounds=4",
        "group=2/2,copies=2,hand=2,limit=1,max-rounds=4",
        "group=2/2/2,copies=1,hand=2,max-rounds=3",
        "group=2/3,copies=1,hand=2,max-rounds=3",
        "group=4,copies=3,hand=3,max-rounds=3",
    ] {
        check_against_backward_induction(spec, 10);
    }
}

#[test]
#[ignore = "takes a minute"]
fn nightly_larger_games_have_the_values_of_backward_induction() {
    for max_rounds in 2..=6 {
        check_against_backward_induction(&format!("group=2/2,copies=4,max-rounds={max_rounds}"), 20);
    }
    check_against_backward_induction("group=3/3,copies=1,hand=3,max-rounds=3", 20);
}

/// A position is worth the best of what follows, or its mean.
fn check_against_successors(spec: &str, n_games: u64) {
    let game: AlJabar = game(spec);
    let solver = by_rounds(&game).unwrap();
    for seed in 0..n_games {
        for state in random_game(&game, &mut stream(seed, "al-jabar", 1)) {
            let after =
                after(&game, &state).into_iter().map(|(next, probability)| (value(&solver, &next), probability));
            let right = match game.phase(&state) {
                Phase::Over => game.payoffs(&state)[0],
                Phase::Chance => after.map(|(value, probability)| value * probability).sum(),
                Phase::Act(seats) if seats.first() == 0 => after.map(|(value, _)| value).fold(-1.0, f64::max),
                Phase::Act(_) => after.map(|(value, _)| value).fold(1.0, f64::min),
            };
            let found = value(&solver, &state);
            assert!(
                (found - right).abs() < 1e-12,
                "{spec} {}: {found}, not {right}",
                game.position_text(&state, Viewer::Referee)
            );
            let image = game.map_state(seed as usize % game.n_symmetries(), &state);
            assert_eq!(found, value(&solver, &image));
        }
    }
}

#[test]
fn a_position_is_worth_what_the_best_after_it_is() {
    check_against_successors("group=2/2,copies=4", 30);
    check_against_successors("group=2/2,copies=4,max-rounds=12", 30);
    check_against_successors("group=2/2/2,copies=1,hand=3", 30);
}

fn start(spec: &str) -> (f64, Option<Repeats>, u64) {
    let game: AlJabar = game(spec);
    let solver = by_rounds(&game).unwrap();
    let value = value(&solver, &game.initial_state());
    let repeats = solver.repeats(&game.initial_state(), &patient()).unwrap();
    (value, repeats, solver.statistics().positions)
}

fn bounds(spec: &str) -> [f64; 2] {
    let game: AlJabar = game(spec);
    [Bound::AtLeast, Bound::AtMost].map(|bound| value(&endless(&game, bound).unwrap(), &game.initial_state()))
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

#[test]
fn four_copies_settle_for_the_second_seat() {
    let (value, repeats, n_positions) = start("group=2/2,copies=4");
    assert!(near(value, -26.0 / 231.0), "{value}");
    assert_eq!((repeats, n_positions), (Some(Repeats { from: 9, period: 1 }), 120_971));
    let [least, most] = bounds("group=2/2,copies=4");
    assert!(near(least, -26.0 / 231.0) && near(most, 2.0 / 21.0), "{least} {most}");
}

#[test]
#[ignore = "takes a minute"]
fn nightly_five_copies_alternate_for_the_first_seat() {
    let (value, repeats, n_positions) = start("group=2/2,copies=5");
    assert!((value - 0.178_155_178_155).abs() < 1e-12, "{value}");
    assert_eq!((repeats, n_positions), (Some(Repeats { from: 16, period: 2 }), 2_499_634));
    check_against_successors("group=2/2,copies=5", 5);
}

#[test]
fn a_position_without_a_bag_has_the_values_of_backward_induction_in_every_round() {
    let game: AlJabar = game("group=2/2,copies=4");
    let (ours, plain) = (by_rounds(&game).unwrap(), Exhaustive::backward(game.clone(), Ties::Shared));
    for hands in ["01.10.00/01.10.00", "01*2.00/10*2.00"] {
        for round in [199, 198, 197, 196, 190, 160] {
            let state = position(&game, &format!("00*3 0 round={round} hands={hands} bag=-"));
            assert_eq!(value(&ours, &state), value(&plain, &state), "{hands} {round}");
        }
    }
}

#[test]
fn large_games_and_more_seats_have_no_solver() {
    for spec in ["", "players=3,group=2/2", "group=2/2", "group=2/3,copies=12"] {
        assert!(super::solver(&game::<AlJabar>(spec)).is_none(), "{spec}");
    }
}

#[test]
fn too_little_memory_is_said() {
    let game: AlJabar = game("group=2/2,copies=4");
    let work = Work { memory: 1 << 20, ..patient() };
    assert_eq!(by_rounds(&game).unwrap().solve(&game.initial_state(), &work), Err(Unsolved::OutOfMemory));
}

#[test]
fn all_images_have_one_number_and_the_estimate_is_near() {
    for spec in ["group=2/2,copies=5", "group=3,copies=6", "group=2/3,copies=2,hand=3", "group=2/2/2,copies=2,hand=5"] {
        let game: AlJabar = game(spec);
        let numbers = Numbers::new(&game).unwrap();
        for seed in 0..20 {
            for state in random_game(&game, &mut stream(seed, "al-jabar", 2)) {
                let Some(number) = numbers.least(&state) else {
                    assert_eq!(game.phase(&state), Phase::Over);
                    continue;
                };
                let one = numbers.position(number);
                assert_eq!((one.n_rounds(), numbers.least(&one)), (0, Some(number)));
                let images = (0..game.n_symmetries()).map(|symmetry| game.map_state(symmetry, &state));
                let text = |state: &State| {
                    game.position_text(state, Viewer::Referee).replace(&format!("round={}", state.n_rounds()), "")
                };
                assert!(images.clone().all(|image| numbers.least(&image) == Some(number)));
                assert!(images.map(|image| text(&image)).any(|image| image == text(&one)), "{}", text(&state));
            }
        }
    }
    let (_, _, n_positions) = start("group=2/2,copies=4");
    let estimate = game::<AlJabar>("group=2/2,copies=4").n_positions();
    assert!((1.0..3.0).contains(&(estimate / n_positions as f64)), "{estimate}");
}
