//! The laws of evaluators and playout policies, over every game and its parameters, in the positions of random games.

use std::cell::Cell;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use raichi_core::conformance::random_params;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{Rng, index, stream};
use raichi_core::seat::Seat;
use raichi_games::REGISTRY;
use raichi_search::Evaluator;

const TOLERANCE: f32 = 1e-3;
const MAX_PLIES: usize = 120;

/// Plays a random game and checks what is known about its positions.
struct Check {
    seed: u64,
}

/// What there was to be checked.
#[derive(Clone, Copy, Default)]
struct Checked {
    evaluator: bool,
    policy: bool,
}

impl GameVisitor for Check {
    type Output = Checked;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Checked {
        let game = game.game();
        let (hand, learned) = (raichi_engines::hand(game), raichi_engines::learned(game));
        let policy = raichi_engines::playout_policy(game);
        let mut rng = stream(self.seed, "law", 0);
        let mut state = game.initial_state();
        let (mut scratch, mut last) = (Vec::new(), None);
        for _ in 0..MAX_PLIES {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, &mut rng);
                    game.apply_outcome(&mut state, outcome);
                    last = None;
                }
                Phase::Act(seats) => {
                    let seat = seats.iter().nth(index(&mut rng, seats.len())).expect("somebody may act");
                    for evaluator in hand.iter().chain(&learned) {
                        values_are_payoffs(game, &state, &**evaluator);
                        symmetric_positions_have_symmetric_values(game, &state, seat, &**evaluator, &mut rng);
                    }
                    let mut action = game.random_action(&state, seat, &mut scratch, &mut rng);
                    if let Some(policy) = &policy {
                        let chosen = policy.choose(game, &state, seat, last, &mut scratch, &mut rng);
                        assert!(game.is_legal(&state, seat, chosen), "{chosen:?} is not legal in {state:?}");
                        // Half of the plies, so that positions are met that it avoids.
                        if rng.next_u64() & 1 == 0 {
                            action = chosen;
                        }
                    }
                    game.apply(&mut state, seat, action);
                    last = Some(action);
                }
            }
        }
        Checked { evaluator: hand.is_some(), policy: policy.is_some() }
    }
}

fn values_are_payoffs<G: Game>(game: &G, state: &G::State, evaluator: &dyn Evaluator<G>) {
    let facts = game.facts();
    let mut values = vec![f32::NAN; facts.n_seats];
    evaluator.values(game, state, &mut values);
    for (seat, &value) in values.iter().enumerate() {
        assert!(value.is_finite(), "seat {seat} is worth {value} in {state:?}");
        assert!(
            (evaluator.value(game, state, seat) - value).abs() < TOLERANCE,
            "two values of seat {seat} in {state:?}"
        );
        let mut batch = [f32::NAN];
        evaluator.value_batch(game, &[(state, seat)], &mut batch);
        assert!((batch[0] - value).abs() < TOLERANCE, "another value of seat {seat} in a batch: {state:?}");
        if let Some((least, greatest)) = facts.payoff_range {
            let within = least as f32 <= value && value <= greatest as f32;
            assert!(within, "seat {seat} is worth {value}, beyond {least} to {greatest}, in {state:?}");
        }
    }
    if let Some(sum) = facts.payoff_sum {
        let total: f32 = values.iter().sum();
        assert!((total - sum as f32).abs() < TOLERANCE, "the values {values:?} do not sum to {sum} in {state:?}");
    }
}

fn symmetric_positions_have_symmetric_values<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    evaluator: &dyn Evaluator<G>,
    rng: &mut impl Rng,
) {
    let symmetry = index(rng, game.n_symmetries());
    let image = game.map_state(symmetry, state);
    for seat in 0..game.facts().n_seats {
        let (value, mapped) = (evaluator.value(game, state, seat), evaluator.value(game, &image, seat));
        assert!((value - mapped).abs() < TOLERANCE, "symmetry {symmetry} makes {mapped} of {value} in {state:?}");
    }
    assert_eq!(evaluator.is_quiet(game, state), evaluator.is_quiet(game, &image), "symmetry {symmetry} of {state:?}");
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let images: Vec<_> = actions.iter().map(|&action| game.map_action(symmetry, action)).collect();
    let (mut odds, mut mapped) = (vec![f32::NAN; actions.len()], vec![f32::NAN; actions.len()]);
    evaluator.priors(game, state, seat, &actions, &mut odds);
    evaluator.priors(game, &image, seat, &images, &mut mapped);
    for i in 0..actions.len() {
        assert!(odds[i].is_finite(), "{:?} has the odds {} in {state:?}", actions[i], odds[i]);
        assert!((odds[i] - mapped[i]).abs() < TOLERANCE, "symmetry {symmetry} of {:?} in {state:?}", actions[i]);
        let forcing = evaluator.is_forcing(game, state, seat, actions[i]);
        assert_eq!(forcing, evaluator.is_forcing(game, &image, seat, images[i]), "{:?} in {state:?}", actions[i]);
    }
}

/// Plays a random game and checks how many plies it can have at most. Returns whether that is known.
struct CheckLength {
    seed: u64,
}

impl GameVisitor for CheckLength {
    type Output = bool;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> bool {
        const MOST_PLIES: usize = 2_000;
        let game = game.game();
        let mut rng = stream(self.seed, "length", 0);
        let (mut state, mut scratch, mut longest) = (game.initial_state(), Vec::new(), Vec::new());
        while longest.len() < MOST_PLIES {
            let Some(most) = raichi_engines::longest(game, &state) else { break };
            longest.push(most);
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, &mut rng);
                    game.apply_outcome(&mut state, outcome);
                }
                Phase::Act(seats) => {
                    let action = game.random_action(&state, seats.first(), &mut scratch, &mut rng);
                    game.apply(&mut state, seats.first(), action);
                }
            }
        }
        for (n_left, most) in longest.iter().rev().enumerate() {
            assert!(n_left <= *most as usize, "{n_left} plies, not {most}, before {state:?}");
        }
        !longest.is_empty()
    }
}

#[test]
fn no_game_is_longer_than_the_longest() {
    let mut n_known = 0;
    for entry in REGISTRY {
        let mut is_known = false;
        for seed in 0..30 {
            let params = random_params(&(entry.params)(), &mut stream(seed, "parameters", 1)).filter(|_| seed > 0);
            let spec = params.map_or(entry.id.to_string(), |params| format!("{}:{params}", entry.id));
            // Combinations that make no game are refused.
            if raichi_games::game(&spec).is_ok() {
                is_known |= raichi_games::visit(&spec, CheckLength { seed }).expect("the spec was accepted");
            }
        }
        n_known += usize::from(is_known);
    }
    assert_eq!(n_known, 13);
}

/// Draws the same cases each time, so that no change is refused by luck; nightly draws others.
fn runner(config: Config) -> TestRunner {
    match std::env::var_os("RAICHI_NIGHTLY") {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

#[test]
fn what_is_known_keeps_the_laws_for_drawn_parameters() {
    let cases = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 1000 } else { 40 };
    let (mut n_valued, mut n_played) = (0, 0);
    for entry in REGISTRY {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let checked = Cell::new((0, 0));
        runner(config)
            .run(&any::<u64>(), |seed| {
                // One game in four by the standard rules.
                let params = if seed.is_multiple_of(4) {
                    None
                } else {
                    random_params(&(entry.params)(), &mut stream(seed, "parameters", 0))
                };
                let spec = params.map_or(entry.id.to_string(), |params| format!("{}:{params}", entry.id));
                // Combinations that make no game are refused.
                let Ok(_) = raichi_games::game(&spec) else { return Ok(()) };
                let found = raichi_games::visit(&spec, Check { seed }).expect("the spec was accepted");
                let (evaluators, policies) = checked.get();
                checked.set((evaluators + u32::from(found.evaluator), policies + u32::from(found.policy)));
                Ok(())
            })
            .unwrap_or_else(|why| panic!("{}: {why}", entry.id));
        n_valued += usize::from(checked.get().0 > 0);
        n_played += usize::from(checked.get().1 > 0);
    }
    // So that a table that finds nothing is noticed.
    assert!(n_valued >= 10 && n_played >= 2, "{n_valued} games have an evaluator, {n_played} a playout policy");
}
