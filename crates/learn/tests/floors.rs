//! A short training of each method reaches its floor: the share of all positions of Tic Tac Toe in which the action that it
//! holds for best keeps what the position is worth. With one seed and one thread the share is always the same.

use std::collections::HashMap;
use std::sync::Arc;

use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{CancelFlag, Learned, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

type State = <TicTacToe as Game>::State;

/// What each position is worth to seat 0, by minimax.
fn solve(game: &TicTacToe, state: &State, values: &mut HashMap<State, f64>) -> f64 {
    if let Some(&value) = values.get(state) {
        return value;
    }
    let Phase::Act(seats) = game.phase(state) else { return game.payoffs(state)[0] };
    let seat = seats.first();
    let children =
        actions(game, state, seat).into_iter().map(|action| solve(game, &after(game, state, seat, action), values));
    let value = if seat == 0 { children.fold(-2.0, f64::max) } else { children.fold(2.0, f64::min) };
    values.insert(*state, value);
    value
}

fn actions(game: &TicTacToe, state: &State, seat: usize) -> Vec<u8> {
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    actions
}

fn after(game: &TicTacToe, state: &State, seat: usize, action: u8) -> State {
    let mut after = *state;
    game.apply(&mut after, seat, action);
    after
}

/// The share of positions with the right action after `n_games` games.
fn share(options: &str, n_games: u64) -> f64 {
    let game = Arc::new(PathGame::from(TicTacToe));
    let options = Options::parse("ntuple", OPTIONS, None, Some(options)).unwrap();
    let config = Config::from_options(&options, &game.facts()).unwrap();
    let mut learner = NTupleLearner::new(&game, config, 1, n_games).unwrap();
    learner.advance(n_games, &Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 });
    let learned: Arc<dyn Learned<TicTacToe>> = learner.learned();
    let mut values = HashMap::new();
    solve(game.game(), &game.game().initial_state(), &mut values);
    let right = values.iter().filter(|(state, value)| {
        let Phase::Act(seats) = game.game().phase(state) else { return true };
        let seat = seats.first();
        let actions = actions(game.game(), state, seat);
        let mut learned_values = vec![0.0; actions.len()];
        learned.value_actions(game.game(), state, seat, &actions, &mut learned_values);
        let best = (0..actions.len()).max_by(|&a, &b| learned_values[a].total_cmp(&learned_values[b])).unwrap();
        let next = after(game.game(), state, seat, actions[best]);
        let reached = values.get(&next).copied().unwrap_or_else(|| game.game().payoffs(&next)[0]);
        reached == **value
    });
    right.count() as f64 / values.len() as f64
}

#[test]
fn every_method_reaches_its_floor() {
    let common = "tuples=1x9,tables=seat,epsilon=0.3,random-plies=8";
    for (options, games, floor) in [
        ("alpha=1,alpha-end=0.2,tcl=id", 40_000, 0.999),
        ("alpha=0.5", 20_000, 0.97),
        ("alpha=0.5,lambda=0.6", 20_000, 0.97),
        ("alpha=0.5,n-step=2", 20_000, 0.95),
        ("alpha=0.5,backup=own", 20_000, 0.95),
        ("alpha=0.5,output=linear", 20_000, 0.95),
        ("alpha=1,tcl=exp", 20_000, 0.97),
        ("alpha=0.5,phases=3", 20_000, 0.95),
        ("method=q,alpha=0.5", 60_000, 0.9),
        ("method=sarsa,alpha=0.5,epsilon-end=0.05", 60_000, 0.85),
    ] {
        let options = format!("{common},{options}");
        let share = share(&options, games);
        println!("{share:.4} {options}");
        assert!(share >= floor, "{options}: {share}");
    }
}

/// What the end is worth to who did not make it: without final adaptation the loser learns nothing from losing.
#[test]
fn final_adaptation_matters() {
    let options = "tuples=1x9,tables=seat,epsilon=0.3,alpha=0.5,backup=own";
    let (with, without) = (share(options, 10_000), share(&format!("{options},final=off"), 10_000));
    assert!(with > without + 0.05, "{with} with it, {without} without");
}
