//! Wins within so many plies, and what one seat alone can expect, against the solvers of small games.

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::Phase;
use raichi_core::path::PathGame;
use raichi_core::playout::playout_within;
use raichi_core::random::stream;
use raichi_core::seat::Seat;
use raichi_games::{game, visit_game};
use raichi_solve::{Alone, Bounded, generic};

use crate::common::solve;

const MOST: u64 = 5_000_000;

/// Wins are found exactly from the plies on that the solver says.
struct WinsAgree(u64);

impl GameVisitor for WinsAgree {
    type Output = usize;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> usize {
        let (rules, solver) = (game.game(), generic(game.game()).expect("the game has a solver"));
        let mut n_wins = 0;
        for nth in 0..self.0 {
            let mut rng = stream(3, "bounded", nth);
            let mut state = game.initial_state();
            playout_within(game, &mut state, nth as u32 % 14, &mut Vec::new(), &mut rng);
            let position = state.position().clone();
            let Phase::Act(seats) = rules.phase(&position) else { continue };
            let exact = solve(&*solver, &position, 1).expect("the game is small");
            let seat = seats.first();
            let wins = |plies| Bounded::new(rules, seat, MOST).unwrap().wins(&position, plies).unwrap();
            let least = exact.plies.filter(|&plies| exact.values[seat] > 0.0 && plies <= 7);
            for plies in 0..=7 {
                assert_eq!(wins(plies), least.is_some_and(|least| least <= plies), "{position:?}, {plies}");
            }
            n_wins += usize::from(least.is_some());
        }
        n_wins
    }
}

#[test]
fn wins_are_found_within_the_plies_that_they_need() {
    for (spec, n, least) in
        [("tic-tac-toe", 200, 40), ("connect-four:width=4,height=4", 120, 5), ("nim:sizes=1/3/4", 60, 20)]
    {
        let n_wins = visit_game(&*game(spec).unwrap(), WinsAgree(n));
        assert!(n_wins >= least, "{spec}: {n_wins}");
    }
}

/// What is expected alone is what the solver of the game says.
struct ExpectsAgree(Seat);

impl GameVisitor for ExpectsAgree {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let (rules, solver) = (game.game(), generic(game.game()).expect("the game has a solver"));
        for nth in 0..20 {
            let (mut state, mut rng) = (game.initial_state(), stream(4, "alone", nth));
            playout_within(game, &mut state, 2 + nth as u32, &mut Vec::new(), &mut rng);
            let position = state.position().clone();
            let exact = solve(&*solver, &position, 1).expect("the game is small");
            let found = Alone::new(rules, self.0, MOST).expects(&position).expect("nobody else acts");
            assert!((found - exact.values[self.0]).abs() < 1e-9, "{position:?}: {found}, not {exact:?}");
        }
    }
}

#[test]
fn what_one_seat_expects_is_what_the_solver_says() {
    visit_game(&*game("2048:size=2").unwrap(), ExpectsAgree(0));
}

/// What is expected alone from a position that another seat can come to act in, and what is forced with few positions.
struct Refused;

impl GameVisitor for Refused {
    type Output = (Option<f64>, Option<bool>);

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let start = game.game().initial_state();
        let wins = Bounded::new(game.game(), 0, 100).and_then(|mut search| search.wins(&start, 7));
        (Alone::new(game.game(), 0, MOST).expects(&start), wins)
    }
}

#[test]
fn nothing_is_said_where_others_act_or_too_much_would_be_looked_at() {
    assert_eq!(visit_game(&*game("tic-tac-toe").unwrap(), Refused), (None, None));
    // One with secrets is refused.
    assert_eq!(visit_game(&*game("kuhn-poker").unwrap(), Refused).1, None);
}
