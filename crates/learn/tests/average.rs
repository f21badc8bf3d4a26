//! The mean of the weights over the end of a training: that of the weights at its samples, whatever the steps the training is
//! taken in, also where it was interrupted; and what learns does not know of it.

use std::sync::Arc;

use raichi_core::path::PathGame;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::learner::Numbers;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS, read_policy};
use raichi_learn::{CancelFlag, Learner, Saved, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

const GAMES: u64 = 500;
const PLAIN: &str = "tuples=20x4,tcl=id,epsilon=0.2";
const HALF: &str = "tuples=20x4,tcl=id,epsilon=0.2,average=0.5";

fn config(game: &PathGame<TicTacToe>, options: &str) -> Config {
    Config::from_options(&Options::parse("ntuple", OPTIONS, None, Some(options)).unwrap(), &game.facts()).unwrap()
}

/// After the games of each step.
fn trained(game: &Arc<PathGame<TicTacToe>>, options: &str, steps: &[u64]) -> NTupleLearner<TicTacToe> {
    let mut learner = NTupleLearner::new(game, config(game, options), 1, GAMES).unwrap();
    advance(&mut learner, steps);
    learner
}

fn advance(learner: &mut NTupleLearner<TicTacToe>, steps: &[u64]) {
    let work = Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 };
    steps.iter().for_each(|&n_games| learner.advance(n_games, &work));
}

fn weights(saved: &Saved) -> &[f32] {
    let Some(Numbers::F32(weights)) = saved.tensor("weights") else { panic!("there are weights") };
    weights
}

#[test]
fn what_is_kept_is_the_mean_of_the_weights_at_its_samples() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let averaged = trained(&game, HALF, &[GAMES]);
    // Fifty samples in the last half: every five games.
    let mut plain = trained(&game, PLAIN, &[GAMES / 2]);
    let mut sums = vec![0.0; weights(&plain.save(false)).len()];
    for _ in 0..50 {
        advance(&mut plain, &[5]);
        sums.iter_mut().zip(weights(&plain.save(false))).for_each(|(sum, &weight)| *sum += f64::from(weight));
    }
    let kept = averaged.save(false);
    for (sum, &mean) in sums.iter().zip(weights(&kept)) {
        assert!((sum / 50.0 - f64::from(mean)).abs() < 1e-5, "{} and not {mean}", sum / 50.0);
    }
    assert_eq!(weights(&averaged.save(true)), weights(&plain.save(true)), "training goes on from the last weights");
    assert_ne!(weights(&kept), weights(&plain.save(false)));

    // What plays is what is kept.
    let (game, state) = (game.game(), raichi_core::Game::initial_state(game.game()));
    let read = read_policy(&PathGame::from(TicTacToe), &config(&PathGame::from(TicTacToe), HALF), &kept).unwrap();
    let value = |policy: &dyn raichi_learn::Evaluator<TicTacToe>| policy.value(game, &state, 0);
    let playing: f32 = value(&*averaged.learned());
    assert_eq!(playing, value(&read));
    assert_ne!(playing, value(averaged.policy()));
}

#[test]
fn the_mean_does_not_depend_on_steps_or_interruptions() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let whole = trained(&game, HALF, &[GAMES]).save(true);
    assert_eq!(trained(&game, HALF, &[3, 300, 1, 196]).save(true).tensors, whole.tensors);
    for interrupted in [100, 377] {
        let saved = trained(&game, HALF, &[interrupted]).save(true);
        let mut again = NTupleLearner::new(&game, config(&game, HALF), 1, GAMES).unwrap();
        again.resume(&saved).unwrap();
        advance(&mut again, &[GAMES - interrupted]);
        assert_eq!(again.save(true).tensors, whole.tensors, "after {interrupted}");
    }
    let mut other = NTupleLearner::new(&game, config(&game, HALF), 1, GAMES).unwrap();
    let mut damaged = whole;
    damaged.tensors.retain(|tensor| tensor.name != "mean");
    assert!(other.resume(&damaged).unwrap_err().contains("the mean of its weights is missing"));
}

/// The mean of these samples, each counted so many times, and the mean that a learner has.
fn assert_is_mean(learner: &NTupleLearner<TicTacToe>, samples: &[(f64, Vec<f32>)]) {
    let all: f64 = samples.iter().map(|&(n, _)| n).sum();
    let kept = learner.save(false);
    for (i, &mean) in weights(&kept).iter().enumerate() {
        let sum: f64 = samples.iter().map(|(n, weights)| n * f64::from(weights[i])).sum();
        assert!((sum / all - f64::from(mean)).abs() < 1e-5, "{} and not {mean}", sum / all);
    }
}

#[test]
fn a_training_that_goes_on_with_more_games_has_the_mean_over_the_end_that_it_has_now() {
    let game = Arc::new(PathGame::from(TicTacToe));
    let saved = trained(&game, HALF, &[GAMES]).save(true);
    let longer = |planned: u64| {
        let mut again = NTupleLearner::new(&game, config(&game, HALF), 1, planned).unwrap();
        again.resume(&saved).unwrap();
        again
    };
    // Nothing in these options goes by how many games are planned, so that the plain training is the same.
    let mut plain = trained(&game, PLAIN, &[GAMES]);
    let last = weights(&plain.save(false)).to_vec();
    let mut samples_from = |first: u64, every: u64, n: u64| {
        let mut samples = Vec::new();
        for number in 0..n {
            let games = plain.progress().games;
            advance(&mut plain, &[first + every * number - games]);
            samples.push((1.0, weights(&plain.save(false)).to_vec()));
        }
        samples
    };

    // Of 600 games the last 300 count: most of what was counted in lies there, where 42 samples stand for as many games.
    let mut somewhat = longer(600);
    let mean = weights(&trained(&game, HALF, &[GAMES]).save(false)).to_vec();
    assert_eq!(weights(&somewhat.save(false)), mean);
    advance(&mut somewhat, &[100]);
    let mut samples = samples_from(504, 6, 17);
    samples.push((42.0, mean));
    assert_is_mean(&somewhat, &samples);

    // Of 2,000 games the last 1,000 count: until they begin the last weights are played with.
    let mut far = longer(2000);
    assert_eq!(weights(&far.save(false)), last);
    advance(&mut far, &[1500]);
    assert_is_mean(&far, &samples_from(1020, 20, 50));
}
