use raichi_core::game::{Game, Payoffs};
use raichi_core::random::{index, stream};
use raichi_games::sim::Sim;
use raichi_solve::backward::Ties;
use raichi_solve::exhaustive::Exhaustive;
use raichi_solve::{Exact, Solver, Statistics};

use super::solver_with;
use crate::drawn::Known;
use crate::solved::{check_against_successors, game, nexts, patient};

#[test]
fn safe_lines_count() {
    let known = Known::<Sim>::new("");
    // Seat 0 has a path of two lines, which closes one; seat 1's two lines are apart.
    let value = known.value("X/X1/1O1/4/4O 0", 0);
    assert!(value < 0.0, "{value}");
}

#[test]
fn of_three_seats_the_one_with_more_safe_lines_has_more() {
    let known = Known::<Sim>::new("players=3");
    let [first, second, third] = [0, 1, 2].map(|seat| known.value("X/X1/1O1/4/4O 2", seat));
    assert!(first < second && first < third, "{first} {second} {third}");
}

#[test]
fn an_own_triangle_is_looked_at_last() {
    let known = Known::<Sim>::new("");
    assert!(!known.best("X/X1/1O1/4/4O 0").contains(&"2-3".to_string()));
}

fn start(spec: &str, ties: Ties) -> (Exact, Statistics) {
    let game: Sim = game(spec);
    let solver = solver_with(&game, ties).unwrap();
    let exact = solver.solve(&game.initial_state(), &patient()).unwrap();
    (exact, solver.statistics())
}

#[test]
fn two_seats_on_six_nodes() {
    let (exact, statistics) = start("", Ties::Shared);
    // Mead, Rosa and Huang 1974: the second seat wins. With the longest defence all but the last line are drawn.
    assert_eq!(exact.values, Payoffs::win(1));
    assert!(statistics.positions < 10_000, "{statistics:?}");
}

#[test]
fn lengths_follow_from_those_after_them() {
    for spec in ["nodes=3", "nodes=5", ""] {
        let game: Sim = game(spec);
        let solver = solver_with(&game, Ties::Shared).unwrap();
        for seed in 0..10 {
            let mut rng = stream(seed, "sim", 0);
            let mut state = game.initial_state();
            loop {
                check_against_successors(&game, &*solver, &state);
                let nexts = nexts(&game, &state);
                if nexts.is_empty() {
                    break;
                }
                state = nexts[index(&mut rng, nexts.len())];
            }
        }
    }
}

fn are_near(one: &Payoffs, other: &Payoffs) -> bool {
    one.as_slice().iter().zip(other.as_slice()).all(|(one, other)| (one - other).abs() < 1e-9)
}

// Names of nodes do not matter; nor, in a coalition, ties.
#[test]
fn positions_up_to_names_have_the_values_of_plain_induction() {
    for spec in ["nodes=4", "nodes=5", "nodes=4,players=3", "nodes=5,players=3,coalition=1-2"] {
        let game: Sim = game(spec);
        for ties in [Ties::Shared, Ties::InFavourOf(0), Ties::Against(1)] {
            if game.n_seats() == 2 && ties != Ties::Shared {
                continue;
            }
            let ours = solver_with(&game, ties).unwrap();
            let plain = Exhaustive::backward(game, ties);
            for seed in 0..10 {
                let mut rng = stream(seed, "sim", 1);
                let mut state = game.initial_state();
                // Further on, so that the plain induction has little to do.
                for _ in 0..3 {
                    let nexts = nexts(&game, &state);
                    state = nexts[index(&mut rng, nexts.len())];
                }
                let [one, other] =
                    [&*ours as &dyn Solver<Sim>, &plain].map(|solver| solver.solve(&state, &patient()).unwrap().values);
                assert!(are_near(&one, &other), "{spec} {ties:?} {state:?}: {one:?} {other:?}");
            }
        }
    }
}

#[test]
#[ignore = "prints what docs/truths.md says of Sim: --nocapture"]
fn nightly_values_of_all_graphs_that_are_solved() {
    let clock = std::time::Instant::now();
    for spec in [
        "nodes=3",
        "nodes=4",
        "nodes=5",
        "",
        "nodes=7",
        "nodes=3,players=3",
        "nodes=4,players=3",
        "nodes=5,players=3",
        "players=3",
        "nodes=3,players=3,coalition=1-2",
        "nodes=4,players=3,coalition=1-2",
        "nodes=5,players=3,coalition=1-2",
        "players=3,coalition=1-2",
    ] {
        let three = spec.contains("players=3") && !spec.contains("coalition");
        let ties = [Ties::Shared, Ties::InFavourOf(0), Ties::Against(0)];
        for ties in ties.into_iter().take(if three { 3 } else { 1 }) {
            let before = clock.elapsed();
            let (exact, statistics) = start(spec, ties);
            let seconds = (clock.elapsed() - before).as_secs_f64();
            println!(
                "sim:{spec} {ties:?}: {:?} in {:?} plies, {statistics:?}, {seconds:.2} s",
                exact.values.as_slice(),
                exact.plies
            );
        }
    }
}
