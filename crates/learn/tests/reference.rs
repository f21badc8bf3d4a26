//! The learner against a plain one: tables that are looked up by what is seen, eligibility traces as the textbook has them
//! (Sutton and Barto, 2018, ch. 12), one value after the other. Both play the same games, draw by draw.

use std::collections::HashMap;
use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, Rng, index, stream};
use raichi_games::tic_tac_toe::TicTacToe;
use raichi_learn::ntuple::{Config, NTupleLearner, OPTIONS};
use raichi_learn::{CancelFlag, Learner, Work};
use raichi_search::BareHost;
use raichi_search::options::Options;

fn config(options: &str, game: &PathGame<impl Encoding>) -> Config {
    let options = Options::parse("ntuple", OPTIONS, None, Some(options)).unwrap();
    Config::from_options(&options, &game.facts()).unwrap()
}

const ALPHA: f32 = 0.25;
const EPSILON: f64 = 0.1;
const GAMES: u64 = 300;

/// What a plain learner knows: a value for what a seat sees, and traces.
#[derive(Default)]
struct Plain {
    values: HashMap<Vec<i32>, f32>,
    /// For seat 0's trail and, with `own`, seat 1's: the eligibility of each entry, and the last one.
    traces: [HashMap<Vec<i32>, f32>; 2],
    last: [Option<(Vec<i32>, f32)>; 2],
}

struct Rules {
    lambda: f32,
    own: bool,
    final_adaptation: bool,
}

fn seen(game: &TicTacToe, state: &<TicTacToe as Game>::State, seat: usize) -> Vec<i32> {
    let mut observation = vec![0; 10];
    game.observe(state, seat, &mut observation);
    // Who is to act is not part of what tuples see.
    observation.truncate(9);
    observation
}

impl Plain {
    fn value(&self, key: &Vec<i32>) -> f32 {
        self.values.get(key).copied().unwrap_or(0.0)
    }

    fn learn(&mut self, trail: usize, target: f32) {
        let Some((key, sign)) = &self.last[trail] else { return };
        let error = target - sign * self.value(key);
        for (key, eligibility) in &self.traces[trail] {
            *self.values.entry(key.clone()).or_default() += ALPHA * error * eligibility;
        }
    }

    fn join(&mut self, trail: usize, key: Vec<i32>, sign: f32, lambda: f32) {
        self.traces[trail].values_mut().for_each(|eligibility| *eligibility *= lambda);
        self.traces[trail].retain(|_, eligibility| *eligibility != 0.0);
        *self.traces[trail].entry(key.clone()).or_default() += sign;
        self.last[trail] = Some((key, sign));
    }

    fn cut(&mut self, trail: usize) {
        self.traces[trail].clear();
        self.last[trail] = None;
    }

    fn play(&mut self, game: &TicTacToe, rules: &Rules, rng: &mut FastRng) {
        let mut state = game.initial_state();
        (0..2).for_each(|trail| self.cut(trail));
        if !rules.own {
            self.join(0, seen(game, &state, 1), -1.0, rules.lambda);
        }
        let mut last = 0;
        while let Phase::Act(seats) = game.phase(&state) {
            let seat = seats.first();
            last = seat;
            let mut actions = Vec::new();
            game.legal_actions(&state, seat, &mut actions);
            let after = |action| {
                let mut after = state;
                game.apply(&mut after, seat, action);
                after
            };
            let value_of = |after: &<TicTacToe as Game>::State| match game.phase(after) {
                Phase::Over => game.payoffs(after)[seat] as f32,
                _ => self.value(&seen(game, after, seat)),
            };
            let explored = ((rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64) < EPSILON;
            let chosen = if explored {
                index(rng, actions.len())
            } else {
                let values: Vec<f32> = actions.iter().map(|&action| value_of(&after(action))).collect();
                let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let ties: Vec<usize> = (0..values.len()).filter(|&i| values[i] >= best).collect();
                if ties.len() > 1 { ties[index(rng, ties.len())] } else { ties[0] }
            };
            let next = after(actions[chosen]);
            let value = value_of(&next);
            let (trail, sign) = if rules.own { (seat, 1.0) } else { (0, if seat == 0 { 1.0 } else { -1.0 }) };
            if explored {
                self.cut(trail);
            }
            state = next;
            if game.phase(&state) != Phase::Over {
                self.learn(trail, sign * value);
                self.join(trail, seen(game, &state, seat), sign, rules.lambda);
            }
        }
        for trail in 0..2 {
            if !rules.own || trail == last || rules.final_adaptation {
                self.learn(trail, game.payoffs(&state)[trail] as f32);
            }
        }
    }
}

fn compare(options: &str, rules: &Rules) {
    let game = Arc::new(PathGame::from(TicTacToe));
    let options =
        format!("tuples=0-1-2-3-4-5-6-7-8,symmetries=1,output=linear,horizon=0,alpha=0.25,epsilon=0.1,{options}");
    let mut learner = NTupleLearner::new(&game, config(&options, &game), 5, GAMES).unwrap();
    let work = Work { cancel: &CancelFlag::default(), host: &BareHost, n_threads: 1 };
    learner.advance(GAMES, &work);
    let mut plain = Plain::default();
    for number in 0..GAMES {
        plain.play(game.game(), rules, &mut stream(5, "training", number));
    }
    assert!(plain.values.len() > 100, "the games went different ways");
    for (key, value) in &plain.values {
        let mut observation = key.clone();
        observation.push(0);
        let learned = learner.policy().network().plain_sum(&observation, 0, 0);
        assert!((learned - value).abs() < 1e-5, "{options}: {key:?} is {learned}, and not {value}");
    }
}

#[test]
fn td_0_is_that_of_the_textbook() {
    compare("lambda=0", &Rules { lambda: 0.0, own: false, final_adaptation: true });
}

#[test]
fn td_lambda_is_that_of_the_textbook() {
    compare("lambda=0.7", &Rules { lambda: 0.7, own: false, final_adaptation: true });
}

#[test]
fn each_seat_learns_from_its_own_positions() {
    compare("lambda=0.5,backup=own", &Rules { lambda: 0.5, own: true, final_adaptation: true });
    compare("lambda=0,backup=own,final=off", &Rules { lambda: 0.0, own: true, final_adaptation: false });
}
