//! Where chance follows actions, positions before an action can be learned beside those after one, for searches.

use std::sync::Arc;

use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, stream};
use raichi_games::al_jabar::{AlJabar, Group, House};
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, NTuplePolicy, OPTIONS, read_policy};
use raichi_learn::{CancelFlag, Evaluator, Learned, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

type State = <AlJabar as Game>::State;

const GAMES: u64 = 4000;

fn game() -> Arc<PathGame<AlJabar>> {
    let group = Group::new(&[2, 2]).expect("such a group exists");
    let house = House::published(&group);
    Arc::new(PathGame::from(AlJabar::new(2, group, 5, 40, house)))
}

fn config(game: &PathGame<AlJabar>, more: &str) -> Result<Config, String> {
    let text = format!("tuples=30x4,blocks=all,alpha=0.5,epsilon=0.1,random-plies=4{more}");
    Config::from_options(&Options::parse("ntuple", OPTIONS, None, Some(&text)).unwrap(), &game.facts())
}

/// After the games of each step.
fn trained(game: &Arc<PathGame<AlJabar>>, more: &str, steps: &[u64]) -> NTupleLearner<AlJabar> {
    let mut learner = NTupleLearner::new(game, config(game, more).unwrap(), 1, GAMES).unwrap();
    let work = Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 };
    steps.iter().for_each(|&n_games| learner.advance(n_games, &work));
    learner
}

/// Positions of random games in which a seat is to act, with the seat.
fn positions(game: &AlJabar) -> Vec<(State, usize)> {
    let mut seen = Vec::new();
    for number in 0..40 {
        let rng: &mut FastRng = &mut stream(number, "positions", 0);
        let mut state = game.initial_state();
        loop {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, rng);
                    game.apply_outcome(&mut state, outcome);
                }
                Phase::Act(seats) => {
                    let seat = seats.first();
                    seen.push((state, seat));
                    let action = game.random_action(&state, seat, &mut Vec::new(), rng);
                    game.apply(&mut state, seat, action);
                }
            }
        }
    }
    seen
}

/// What the best action is worth by the values of positions after actions.
fn best(policy: &NTuplePolicy<AlJabar>, game: &AlJabar, (state, seat): &(State, usize)) -> f64 {
    let mut actions = Vec::new();
    game.legal_actions(state, *seat, &mut actions);
    let mut values = vec![0.0; actions.len()];
    policy.value_actions(game, state, *seat, &actions, &mut values);
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_position_before_an_action_is_worth_what_the_best_action_is() {
    let game = game();
    let positions = positions(game.game());
    let mean = |of: &dyn Fn(&(State, usize)) -> f64| positions.iter().map(of).sum::<f64>() / positions.len() as f64;
    let [both, after] = [",learned=both", ""].map(|more| trained(&game, more, &[GAMES]));
    let error = mean(&|at| {
        (f64::from(both.policy().value(game.game(), &at.0, at.1)) - best(both.policy(), game.game(), at)).abs()
    });
    let without = mean(&|at| best(both.policy(), game.game(), at).abs());
    assert!(error < 0.5 * without, "{error}, and {without} if all were worth nothing");
    // With positions after actions alone, every action is looked at.
    let exact = mean(&|at| {
        (f64::from(after.policy().value(game.game(), &at.0, at.1)) - best(after.policy(), game.game(), at)).abs()
    });
    assert!(exact < 1e-6, "{exact}");
    // The values of both seats add up, and a file says the same.
    let saved = both.save(false);
    let read = read_policy(&game, &config(&game, ",learned=both").unwrap(), &saved).unwrap();
    for (state, _) in &positions {
        let [first, second] = [0, 1].map(|seat| both.policy().value(game.game(), state, seat));
        assert!((first + second).abs() < 1e-5, "{first} and {second}");
        assert_eq!(read.value(game.game(), state, 0), first);
    }
    assert!(read_policy(&game, &config(&game, "").unwrap(), &saved).is_err(), "it has more tables");
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let game = game();
    let whole = trained(&game, ",learned=both,tcl=exp", &[300]).save(true);
    let saved = trained(&game, ",learned=both,tcl=exp", &[130]).save(true);
    let mut again = trained(&game, ",learned=both,tcl=exp", &[]);
    again.resume(&saved).unwrap();
    again.advance(170, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
    assert_eq!(again.save(true).tensors, whole.tensors);
}

#[test]
fn it_is_refused_where_nothing_comes_between() {
    let game = PathGame::from(TicTacToe);
    let options = Options::parse("ntuple", OPTIONS, None, Some("learned=both")).unwrap();
    let why = Config::from_options(&options, &game.facts()).unwrap_err();
    assert!(why.starts_with("learned=both is for games of chance between two seats"), "{why}");
    for wrong in [",learned=both,method=q", ",learned=both,backup=own", ",learned=both,rewards=score,output=linear"] {
        let why = config(&self::game(), wrong).unwrap_err();
        assert!(why.starts_with("learned=both goes with method=td"), "{why}");
    }
}

/// A search that asks about a position before chance is told what the action that led there was worth, whichever seat chose it.
#[test]
fn positions_before_chance_are_worth_what_the_action_was() {
    let game = game();
    for more in ["", ",learned=both"] {
        let learner = trained(&game, more, &[GAMES / 4]);
        let (policy, game) = (learner.policy(), game.game());
        let mut n_seen = [0; 2];
        for (state, seat) in positions(game) {
            let mut actions = Vec::new();
            game.legal_actions(&state, seat, &mut actions);
            for action in actions {
                let mut after = state;
                game.apply(&mut after, seat, action);
                if game.phase(&after) != Phase::Chance {
                    continue;
                }
                let (mut of_action, mut values) = ([0.0], [0.0; 2]);
                policy.value_actions(game, &state, seat, &[action], &mut of_action);
                policy.values(game, &after, &mut values);
                assert!(
                    (of_action[0] - f64::from(values[seat])).abs() < 1e-6,
                    "seat {seat}{more}: {of_action:?} {values:?}"
                );
                n_seen[seat] += 1;
            }
        }
        assert!(n_seen.iter().all(|&n| n > 20), "{n_seen:?}");
    }
}

/// Who leads is told on the way too; what is still to come is the difference to that.
#[test]
fn what_was_paid_on_the_way_counts_once_between_two_seats() {
    let game = game();
    let positions = positions(game.game());
    let [by_score, by_end] = ["score", "end"].map(|rewards| {
        let text =
            format!("tuples=30x4,blocks=all,alpha=0.05,epsilon=0.1,random-plies=4,output=linear,rewards={rewards}");
        let options = Options::parse("ntuple", OPTIONS, None, Some(&text)).unwrap();
        let config = Config::from_options(&options, &game.facts()).unwrap();
        let mut learner = NTupleLearner::new(&game, config, 1, GAMES).unwrap();
        learner.advance(GAMES, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
        learner
    });
    let value = |learner: &NTupleLearner<AlJabar>, at: &(State, usize)| best(learner.policy(), game.game(), at);
    let sum: f64 = positions.iter().map(|at| (value(&by_score, at) - value(&by_end, at)).abs()).sum();
    let mean = sum / positions.len() as f64;
    // 0.45; where what was paid counts again, 0.74.
    assert!(mean < 0.6, "{mean}");
}
