//! A search that chooses the actions of training: what it finds is learned, with the same weights wherever the training was
//! interrupted.

use std::sync::Arc;

use raichi_core::Game;
use raichi_core::path::PathGame;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{CancelFlag, Evaluator, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

const GAMES: u64 = 300;

fn config(game: &PathGame<TicTacToe>, options: &str) -> Result<Config, String> {
    Config::from_options(&Options::parse("ntuple", OPTIONS, None, Some(options)).unwrap(), &game.facts())
}

/// After the games of each step.
fn trained(game: &Arc<PathGame<TicTacToe>>, nodes: u64, steps: &[u64]) -> NTupleLearner<TicTacToe> {
    let options = format!("tuples=1x9,alpha=0.5,epsilon=0.3,search={nodes}");
    let mut learner = NTupleLearner::new(game, config(game, &options).unwrap(), 1, GAMES).unwrap();
    advance(&mut learner, steps);
    learner
}

fn advance(learner: &mut NTupleLearner<TicTacToe>, steps: &[u64]) {
    let work = Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 };
    steps.iter().for_each(|&n_games| learner.advance(n_games, &work));
}

/// What the second seat makes of its answer in a corner less its answer in the middle of a side, to a first stone in the
/// middle: the one draws and the other loses.
fn margin(game: &TicTacToe, learner: &NTupleLearner<TicTacToe>) -> f32 {
    let after = |answer| {
        let mut state = game.initial_state();
        game.apply(&mut state, 0, 4);
        game.apply(&mut state, 1, answer);
        learner.policy().value(game, &state, 1)
    };
    after(0) - after(1)
}

#[test]
fn what_the_search_finds_is_learned() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let [with, without] = [5000, 0].map(|nodes| margin(game.game(), &trained(&game, nodes, &[GAMES])));
    assert!(with > 0.5 && with > without + 0.2, "{with} with a search, {without} without");
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let whole = trained(&game, 50, &[GAMES]).save(true);
    let saved = trained(&game, 50, &[130]).save(true);
    let mut again = trained(&game, 50, &[]);
    again.resume(&saved).unwrap();
    advance(&mut again, &[1, GAMES - 131]);
    assert_eq!(again.save(true).tensors, whole.tensors);
}

#[test]
fn it_goes_with_values_of_positions_at_the_end_alone() {
    let game = PathGame::from(TicTacToe);
    for wrong in ["search=10,method=q", "search=10,rewards=score,output=linear"] {
        let why = config(&game, wrong).unwrap_err();
        assert!(why.starts_with("search values positions by what they are worth at the end"), "{why}");
    }
}
