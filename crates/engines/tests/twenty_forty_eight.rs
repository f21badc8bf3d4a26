//! What is known about 2048.

use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_games::twenty_forty_eight::{Direction, State, TwentyFortyEight};

type Choose<'a> = dyn FnMut(&State, &mut FastRng) -> Direction + 'a;

fn final_score(game: &TwentyFortyEight, seed: u64, most_slides: usize, choose: &mut Choose<'_>) -> f64 {
    let mut rng = stream(seed, "game", 0);
    let (mut state, mut n_slides) = (game.initial_state(), 0);
    loop {
        match game.phase(&state) {
            Phase::Chance => {
                let spawn = game.sample_outcome(&state, &mut rng);
                game.apply_outcome(&mut state, spawn);
            }
            Phase::Act(_) if n_slides < most_slides => {
                let action = choose(&state, &mut rng);
                assert!(game.is_legal(&state, 0, action));
                game.apply(&mut state, 0, action);
                n_slides += 1;
            }
            _ => return game.payoffs(&state)[0],
        }
    }
}

#[test]
fn values_are_beyond_the_score_and_finite_at_every_size() {
    for size in 2..=8 {
        let game = TwentyFortyEight::new(size);
        let evaluator = raichi_engines::hand(&game).expect("it knows all sizes");
        final_score(&game, 1, 400, &mut |state, rng| {
            let (score, value) = (game.payoffs(state)[0], evaluator.value(&game, state, 0));
            assert!(value.is_finite() && f64::from(value) >= score - 1.0, "size {size}: {value} for {score}");
            let mut actions = Vec::new();
            game.legal_actions(state, 0, &mut actions);
            let mut odds = vec![0.0; actions.len()];
            evaluator.priors(&game, state, 0, &actions, &mut odds);
            assert!(odds.iter().all(|odds| odds.is_finite()));
            game.random_action(state, 0, &mut actions, rng)
        });
    }
}

#[test]
fn the_playout_policy_plays_far_better_than_chance() {
    for size in 3..=5 {
        let game = TwentyFortyEight::new(size);
        let policy = raichi_engines::playout_policy(&game).expect("it knows all sizes");
        let mean =
            |choose: &mut Choose<'_>| (0..10).map(|seed| final_score(&game, seed, 800, choose)).sum::<f64>() / 10.0;
        let by_chance = mean(&mut |state, rng| game.random_action(state, 0, &mut Vec::new(), rng));
        let by_policy = mean(&mut |state, rng| policy.choose(&game, state, 0, None, &mut Vec::new(), rng));
        assert!(by_policy > 1.5 * by_chance, "size {size}: {by_policy} against {by_chance}");
    }
}
