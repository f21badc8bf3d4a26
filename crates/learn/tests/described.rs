//! Descriptions of n-tuple networks that a file may have and no training makes.

use std::sync::Arc;

use raichi_core::path::PathGame;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::learner::Numbers;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS, read_policy};
use raichi_learn::{Learner, Saved};
use raichi_search::options::Options;
use serde_json::{Value, json};

fn read(change: impl FnOnce(&mut Value)) -> Result<(), String> {
    read_with(|saved| change(&mut saved.network))
}

fn read_with(change: impl FnOnce(&mut Saved)) -> Result<(), String> {
    let game = Arc::new(PathGame::from(TicTacToe));
    let options = Options::parse("ntuple", OPTIONS, None, Some("tuples=1x9")).unwrap();
    let config = Config::from_options(&options, &game.facts()).unwrap();
    let learner = NTupleLearner::new(&game, config.clone(), 1, 10).unwrap();
    let mut saved: Saved = learner.save(false);
    change(&mut saved);
    read_policy(&game, &config, &saved).map(|_| ())
}

#[test]
fn what_the_game_does_not_have_is_refused() {
    assert_eq!(read(|_| ()), Ok(()));
    let values = |network: &mut Value, least: i64, n: u64| {
        network["points"][4]["min"] = json!(least);
        network["points"][4]["n_values"] = json!(n);
    };
    let refused = |change: &dyn Fn(&mut Value)| read(change).unwrap_err();
    for (least, n) in [(0, 4), (-1, 3), (0, 254), (i64::from(i32::MIN), 3)] {
        let why = refused(&|network| values(network, least, n));
        assert!(why.contains("does not have"), "{least}, {n}: {why}");
    }
    let why = refused(&|network| network["points"] = json!(vec![network["points"][0].clone(); 1000]));
    assert!(why.contains("does not have"), "{why}");
}

#[test]
fn weights_whose_sums_may_overflow_are_refused() {
    for weight in [f32::NAN, f32::INFINITY, 1e38, -1e38] {
        let why = read_with(|saved| {
            let Numbers::F32(weights) = &mut saved.tensors[0].numbers else { panic!("weights are whole") };
            weights[0] = weight;
        });
        assert!(why.unwrap_err().contains("no numbers from"), "{weight}");
    }
}

#[test]
fn more_tuples_than_a_training_may_have_are_refused() {
    let why = read(|network| network["tuples"] = json!(vec![[0, 1, 2]; 5000])).unwrap_err();
    assert!(why.contains("more than 4096 tuples"), "{why}");
}
