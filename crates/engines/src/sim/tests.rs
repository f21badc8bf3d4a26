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

fn has_values(exact: &Exact, expected: &[f64]) -> bool {
    let values = exact.values.as_slice();
    values.len() == expected.len() && values.iter().zip(expected).all(|(one, other)| (one - other).abs() < 6e-7)
}

// As docs/truths.md has it.
#[test]
#[ignore = "ten seconds"]
fn nightly_values_of_all_graphs_that_are_solved() {
    // With two seats the length too, where one of them wins.
    for (spec, values, plies, positions) in [
        ("nodes=3", [0.0, 0.0], None, 3),
        ("nodes=4", [0.0, 0.0], None, 17),
        ("nodes=5", [0.0, 0.0], None, 135),
        ("", [-1.0, 1.0], Some(15), 2_250),
        ("nodes=7", [-1.0, 1.0], Some(19), 77_608),
    ] {
        let (exact, statistics) = start(spec, Ties::Shared);
        assert!(has_values(&exact, &values), "sim:{spec}: {exact:?}");
        assert!(plies.is_none() || exact.plies == plies, "sim:{spec}: {exact:?}");
        assert_eq!(statistics.positions, positions, "sim:{spec}");
    }
    const THIRDS: [f64; 3] = [1.0 / 3.0; 3];
    const OTHERS: [f64; 3] = [0.0, 0.5, 0.5];
    for (spec, by_ties) in [
        ("nodes=3,players=3", [THIRDS; 3]),
        ("nodes=4,players=3", [THIRDS; 3]),
        ("nodes=5,players=3", [OTHERS; 3]),
        ("players=3", [[0.495_879, 0.504_121, 0.0], [0.5, 0.478_472, 0.021_528], [0.5, 0.407_407, 0.092_593]]),
    ] {
        for (ties, values) in [Ties::Shared, Ties::InFavourOf(0), Ties::Against(0)].into_iter().zip(by_ties) {
            let (exact, _) = start(spec, ties);
            assert!(has_values(&exact, &values), "sim:{spec} {ties:?}: {exact:?}");
        }
    }
    for (nodes, values) in [(3, [0.0; 3]), (4, [0.0; 3]), (5, [-1.0, 1.0, 1.0]), (6, [0.0; 3])] {
        let (exact, _) = start(&format!("nodes={nodes},players=3,coalition=1-2"), Ties::Shared);
        assert!(has_values(&exact, &values), "{nodes} nodes, coalition: {exact:?}");
    }
}
