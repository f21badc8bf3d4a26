use std::collections::HashMap;

use raichi_core::game::{Game, Phase};
use raichi_games::black::{Black, State};
use raichi_search::Evaluator;

use super::{Hand, Tunable};

// Whether the seat to act wins, by exhaustive search; every position that it looked at is kept.
fn wins(game: &Black, state: &State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let Phase::Act(seats) = game.phase(state) else { unreachable!("asked of open positions") };
    let seat = seats.first();
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let mut found = false;
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, seat, action);
        // No short cut, so that all positions are looked at.
        found |= match game.phase(&next) {
            Phase::Over => game.payoffs(&next)[seat] > 0.0,
            _ => !wins(game, &next, known),
        };
    }
    known.insert(*state, found);
    found
}

#[test]
fn what_is_called_won_or_lost_is_so() {
    let mut n_settled = 0;
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4), (2, 7), (3, 5)] {
        let game = Black::new(rows, columns);
        let hand = Hand::new(&game).unwrap();
        let mut known = HashMap::new();
        wins(&game, &game.initial_state(), &mut known);
        for (state, &wins) in &known {
            let Phase::Act(seats) = game.phase(state) else { unreachable!("only open positions are kept") };
            let value = hand.value(&game, state, seats.first());
            if value.abs() > 0.9 {
                assert_eq!(value > 0.0, wins, "{rows} × {columns}: {state:?}");
                n_settled += 1;
            }
        }
    }
    assert!(n_settled > 1000, "only {n_settled} positions are settled");
}

// Boards with an odd side are settled after the first two plies at the latest.
#[test]
fn large_boards_with_an_odd_side_are_settled_at_once() {
    for (rows, columns, winner) in [(9, 8, 1), (8, 11, 1), (9, 9, 0), (15, 7, 0), (15, 16, 1)] {
        let game = Black::new(rows, columns);
        let hand = Hand::new(&game).unwrap();
        let mut state = game.initial_state();
        let mut actions = Vec::new();
        game.legal_actions(&state, 0, &mut actions);
        game.apply(&mut state, 0, actions[0]);
        assert!(hand.value(&game, &state, winner) > 0.9, "{rows} × {columns}");
    }
}
