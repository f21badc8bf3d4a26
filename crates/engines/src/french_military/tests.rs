use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::params::Params;
use raichi_games::french_military::{FrenchMilitary, Side, State};
use raichi_search::Evaluator;

use super::{Solved, all_positions, solver};
use crate::solved::{check_against_successors, patient, position};

fn game(start: &str) -> FrenchMilitary {
    let mut params =
        Params::parse(FrenchMilitary::ID, FrenchMilitary::params(), Some(&format!("start={start}"))).unwrap();
    FrenchMilitary::from_params(&mut params).unwrap()
}

#[test]
fn white_wins_from_the_standard_start_and_wherever_black_begins() {
    let centre = game("center");
    assert!(Solved::new(&centre).value(&centre, &centre.initial_state(), centre.seat(Side::White)) > 0.9);
    let choose = game("choose");
    assert!(Solved::new(&choose).value(&choose, &choose.initial_state(), choose.seat(Side::White)) > 0.9);
}

// White by the values alone, Black by everything it can do.
#[test]
fn one_ply_by_the_values_pins_black_against_every_defence() {
    let game = game("center");
    let solved = Solved::new(&game);
    let white = game.seat(Side::White);
    let mut pending: Vec<(State, u32)> = vec![(game.initial_state(), 0)];
    let mut n_pinned = 0;
    while let Some((state, n_plies)) = pending.pop() {
        assert!(n_plies < 40, "no progress in {state:?}");
        let Phase::Act(seats) = game.phase(&state) else {
            assert_eq!(game.payoffs(&state)[white], 1.0, "{state:?}");
            n_pinned += 1;
            continue;
        };
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(&state, seat, &mut actions);
        let mut nexts: Vec<State> = Vec::new();
        for action in actions {
            let mut next = state;
            game.apply(&mut next, seat, action);
            nexts.push(next);
        }
        if seat == white {
            let worth = |next: &State| match game.phase(next) {
                Phase::Over => game.payoffs(next)[white] as f32,
                _ => solved.value(&game, next, white),
            };
            let best = nexts.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap();
            nexts = vec![best];
        }
        pending.extend(nexts.into_iter().map(|next| (next, n_plies + 1)));
    }
    assert!(n_pinned > 0);
}

#[test]
fn lengths_of_wins_follow_from_those_after_them() {
    for start in ["center", "choose"] {
        let game = game(start);
        let solver = solver(&game).unwrap();
        let (mut n_pins, mut n_escapes, mut n_repetitions) = (0, 0, 0);
        let playable = all_positions(&game).into_iter().filter(|state| game.phase(state) != Phase::Over);
        for state in playable {
            let exact = solver.solve(&state, &patient()).unwrap();
            if exact.plies.is_none() {
                // Black has a ply after which it still wins; White has none that wins.
                assert_eq!(exact.values[game.seat(Side::Black)], 1.0);
                n_repetitions += 1;
                continue;
            }
            if exact.values[game.seat(Side::White)] > 0.0 {
                n_pins += 1;
                check_against_successors(&game, &*solver, &state);
            } else {
                n_escapes += 1;
            }
        }
        assert!(n_pins > 100 && n_escapes > 100 && n_repetitions > 0, "{n_pins} {n_escapes} {n_repetitions}");
    }
}

// The source's table: where Black puts its man, and where White's men then stand after a reply that wins.
#[test]
fn every_reply_of_the_source_wins() {
    let game = game("choose");
    let solver = solver(&game).unwrap();
    let replies = [
        // Rows from the top: 1 4 7, A 2 5 8 B, 3 6 9.
        ("2", "3/WBW2/W2 0"),
        ("4", "WB1/W1W2/3 0"),
        ("4", "1B1/W1W2/W2 0"),
        ("6", "W2/W1W2/1B1 0"),
        ("6", "3/W1W2/WB1 0"),
        ("5", "W2/1WB2/W2 0"),
        ("7", "W1B/W1W2/3 0"),
        ("7", "2B/W1W2/W2 0"),
        ("9", "W2/W1W2/2B 0"),
        ("9", "3/W1W2/W1B 0"),
        ("8", "W2/W1WB1/3 0"),
        ("B", "W2/1W2B/W2 0"),
    ];
    for (black, text) in replies {
        let exact = solver.solve(&position(&game, text), &patient()).unwrap();
        assert_eq!(exact.values.as_slice(), [-1.0, 1.0], "the reply to {black}");
    }
    let start = solver.solve(&game.initial_state(), &patient()).unwrap();
    assert_eq!(start.values.as_slice(), [-1.0, 1.0]);
}
