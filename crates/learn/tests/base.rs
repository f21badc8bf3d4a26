//! A network on the base of another evaluator says what that one says until it has learned, and then something better.

use std::sync::Arc;

use raichi_core::Game;
use raichi_core::path::PathGame;
use raichi_core::seat::Seat;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS, read_policy};
use raichi_learn::{CancelFlag, Evaluator, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

type State = <TicTacToe as Game>::State;

/// Likes what nobody else would: few legal actions.
struct Base;

impl Evaluator<TicTacToe> for Base {
    fn value(&self, game: &TicTacToe, state: &State, seat: Seat) -> f32 {
        let of_first = 0.05 * game.count_actions(state, 0, &mut Vec::new()) as f32;
        if seat == 0 { of_first } else { -of_first }
    }

    fn priors(&self, _: &TicTacToe, _: &State, _: Seat, actions: &[u8], log_odds: &mut [f32]) {
        log_odds.iter_mut().zip(actions).for_each(|(log_odds, &action)| *log_odds = f32::from(action));
    }

    fn has_priors(&self) -> bool {
        true
    }

    fn is_quiet(&self, _: &TicTacToe, _: &State) -> bool {
        false
    }

    fn is_forcing(&self, _: &TicTacToe, _: &State, _: Seat, action: u8) -> bool {
        action == 4
    }
}

fn learner(game: &Arc<PathGame<TicTacToe>>, alpha: &str) -> (Config, NTupleLearner<TicTacToe>) {
    let text = format!("base=hand,tuples=20x4,epsilon=0.3,alpha={alpha}");
    let options = Options::parse("ntuple", OPTIONS, None, Some(&text)).unwrap();
    let config = Config::from_options(&options, &game.facts()).unwrap();
    let mut learner = NTupleLearner::new(game, config.clone(), 1, 2000).unwrap().on(Arc::new(Base));
    learner.advance(2000, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
    (config, learner)
}

/// Positions after some plies, with the seat to act.
fn positions(game: &TicTacToe) -> Vec<State> {
    let mut state = game.initial_state();
    let mut seen = vec![state];
    for (ply, action) in [0, 4, 1].into_iter().enumerate() {
        game.apply(&mut state, ply % 2, action);
        seen.push(state);
    }
    seen
}

#[test]
fn what_has_learned_nothing_says_what_its_base_says() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let (_, learner) = learner(&game, "0");
    let (policy, game) = (learner.policy(), game.game());
    for state in positions(game) {
        for seat in 0..2 {
            let (own, base) = (policy.value(game, &state, seat), Base.value(game, &state, seat));
            assert!((own - base).abs() < 1e-4, "{own} and not {base}");
        }
    }
    let (mut log_odds, state) = ([0.0; 3], game.initial_state());
    policy.priors(game, &state, 0, &[1, 4, 7], &mut log_odds);
    assert_eq!(log_odds, [1.0, 4.0, 7.0]);
    assert!(policy.has_priors() && !policy.is_quiet(game, &state));
    assert!(policy.is_forcing(game, &state, 0, 4) && !policy.is_forcing(game, &state, 0, 5));
}

#[test]
fn it_learns_what_its_base_does_not_know() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let (config, learner) = learner(&game, "0.5");
    let (policy, of_game) = (learner.policy(), game.game());
    // The first has two of a line, which the second must shut: it is the second's turn.
    let state = positions(of_game).pop().unwrap();
    let (shut, open) = (2, 5);
    let after = |action| {
        let mut after = state;
        of_game.apply(&mut after, 1, action);
        policy.value(of_game, &after, 1)
    };
    assert!(after(shut) > after(open) + 0.3, "{} and {}", after(shut), after(open));
    assert_eq!(Base.value(of_game, &state, 1), -0.05 * 6.0);
    let read = read_policy(&game, &config, &learner.save(false)).unwrap().on(Arc::new(Base));
    assert_eq!(read.value(of_game, &state, 1), policy.value(of_game, &state, 1));
}

#[test]
fn it_goes_with_values_of_positions_at_the_end_alone() {
    let game = PathGame::from(TicTacToe);
    for wrong in ["base=hand,method=q", "base=hand,init=0.5"] {
        let options = Options::parse("ntuple", OPTIONS, None, Some(wrong)).unwrap();
        let why = Config::from_options(&options, &game.facts()).unwrap_err();
        assert!(why.starts_with("base=hand says what positions are worth at the end"), "{why}");
    }
}
