use std::collections::HashSet;

use raichi_core::game::Game;
use raichi_games::tic_tac_toe::TicTacToe;

use super::solver;
use crate::solved::{check_against_successors, nexts, patient, position};

#[test]
fn every_value_follows_from_those_after_it() {
    let solver = solver(&TicTacToe).unwrap();
    let mut pending = vec![TicTacToe.initial_state()];
    let mut seen = HashSet::new();
    while let Some(state) = pending.pop() {
        if seen.insert(state) {
            check_against_successors(&TicTacToe, &*solver, &state);
            pending.extend(nexts(&TicTacToe, &state));
        }
    }
    // Finished ones included; those are not kept.
    assert_eq!(seen.len(), 5478);
    assert_eq!(solver.statistics().positions, 5478 - 958);
}

#[test]
fn known_positions() {
    let solver = solver(&TicTacToe).unwrap();
    let solve = |text: &str| {
        let exact = solver.solve(&position(&TicTacToe, text), &patient()).unwrap();
        (exact.values[0], exact.plies)
    };
    assert_eq!(solve("3/3/3 0"), (0.0, Some(9)));
    // A corner is answered by the centre only; on the edge O loses.
    assert_eq!(solve("X2/1O1/3 0").0, 0.0);
    assert_eq!(solve("XO1/3/3 0"), (1.0, Some(5)));
    assert_eq!(solve("XX1/OO1/3 0"), (1.0, Some(1)));
    assert_eq!(solve("XX1/OO1/3 1"), (-1.0, Some(1)));
}
