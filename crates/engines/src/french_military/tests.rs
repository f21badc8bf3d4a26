use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::params::Params;
use raichi_games::french_military::{FrenchMilitary, Side, State};
use raichi_search::Evaluator;

use super::Solved;

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
