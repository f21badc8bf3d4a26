//! Weights from how games of self-play ended, and what an evaluation costs.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use raichi_core::erased::Playable;
use raichi_core::game::Phase;
use raichi_core::path::PathGame;
use raichi_core::random::{index, stream};
use raichi_engines::{Tunable, squash};

use crate::games::Settings;
use crate::matches::{Player, opening};

struct Example {
    features: Vec<f32>,
    /// What seat 0 was paid.
    payoff: f32,
}

pub(crate) fn run<G: Playable, E: Tunable<G>>(game: PathGame<G>, settings: &Settings<'_>) {
    let game = Arc::new(game);
    let mut hand = E::new(game.game()).expect("the evaluator knows the parameters");
    settings.replace(hand.weights_mut());
    let examples = self_play(&game, &hand, settings);
    let before = error(&examples, hand.weights());
    let fitted = fit(&examples, hand.weights(), settings.number("rounds", 300));
    println!("{} positions; error {before:.4} before, {:.4} after", examples.len(), error(&examples, &fitted));
    let drawn = examples.iter().map(|example| example.payoff).sum::<f32>() / examples.len() as f32;
    println!("mean payoff of seat 0: {drawn:.3}");
    for (name, (before, after)) in E::FEATURES.iter().zip(hand.weights().iter().zip(&fitted)) {
        println!("  {name:<28} {before:>8.3} {after:>8.3}");
    }
    hand.weights_mut().copy_from_slice(&fitted);
    println!("{}", fitted.iter().map(|weight| format!("{weight:.3}")).collect::<Vec<_>>().join(","));
}

// One ply in `noise` is random, so that games differ and mistakes are seen punished.
fn self_play<G: Playable, E: Tunable<G>>(game: &Arc<PathGame<G>>, hand: &E, settings: &Settings<'_>) -> Vec<Example> {
    let (seed, nodes) = (settings.number("seed", 1), settings.number("nodes", 2000));
    let mut evaluator = E::new(game.game()).expect("the evaluator knows the parameters");
    evaluator.weights_mut().copy_from_slice(hand.weights());
    let player = Player::AlphaBeta(Some(Arc::new(evaluator)), nodes);
    let mut examples = Vec::new();
    for number in 0..settings.number("games", 300) {
        let mut rng = stream(seed, "self-play", number);
        let mut current = opening(game, seed.wrapping_mul(1_000_003) ^ number, settings.number("opening", 8));
        let mut seen = Vec::new();
        while let Phase::Act(seats) = current.phase() {
            let seat = seats.first();
            let position = current.state().position();
            let mut features = vec![0.0; E::FEATURES.len()];
            if hand.is_quiet(game.game(), position) && hand.features(game.game(), position, &mut features) {
                seen.push(features);
            }
            if index(&mut rng, settings.number("noise", 10) as usize) == 0 {
                current.play_random(seat, &mut Vec::new(), &mut rng).expect("a seat that may act can");
            } else {
                let action = player.choose(&current, seat, &mut None, number);
                current.play(seat, action).expect("players choose legal actions");
            }
        }
        let payoff = current.payoffs()[0] as f32;
        examples.extend(seen.into_iter().map(|features| Example { features, payoff }));
    }
    examples
}

fn value(features: &[f32], weights: &[f32]) -> f32 {
    squash(features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum())
}

fn error(examples: &[Example], weights: &[f32]) -> f32 {
    let squares = examples.iter().map(|example| (value(&example.features, weights) - example.payoff).powi(2));
    squares.sum::<f32>() / examples.len() as f32
}

// Least squares by Adam (Kingma and Ba, 2015) over all examples at once, with a little decay towards 0.
fn fit(examples: &[Example], start: &[f32], rounds: u64) -> Vec<f32> {
    let n = start.len();
    // Features differ in size, so each is scaled to a spread of 1.
    let spread: Vec<f32> = (0..n)
        .map(|i| {
            let squares = examples.iter().map(|example| example.features[i].powi(2)).sum::<f32>();
            (squares / examples.len() as f32).sqrt().max(1e-3)
        })
        .collect();
    let mut weights: Vec<f32> = start.iter().zip(&spread).map(|(weight, spread)| weight * spread).collect();
    let (mut mean, mut square) = (vec![0.0f32; n], vec![0.0f32; n]);
    for round in 1..=rounds {
        let mut gradient: Vec<f32> = weights.iter().map(|weight| 0.0005 * weight).collect();
        for example in examples {
            let sum: f32 = (0..n).map(|i| example.features[i] / spread[i] * weights[i]).sum();
            let slope = (1.0 + sum * sum).powf(-1.5);
            let error = squash(sum) - example.payoff;
            for i in 0..n {
                gradient[i] += 2.0 * error * slope * example.features[i] / spread[i] / examples.len() as f32;
            }
        }
        let rate = 0.05 * (1.0 - 0.9 * round as f32 / rounds as f32);
        for i in 0..n {
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
            square[i] = 0.99 * square[i] + 0.01 * gradient[i].powi(2);
            weights[i] -= rate * mean[i] / (square[i].sqrt() + 1e-6);
        }
    }
    weights.iter().zip(&spread).map(|(weight, spread)| weight / spread).collect()
}

pub(crate) fn time<G: Playable, E: Tunable<G>>(game: PathGame<G>) {
    let game = Arc::new(game);
    let hand = E::new(game.game()).expect("the evaluator knows the parameters");
    let mut positions: Vec<G::State> = Vec::new();
    for number in 0..40 {
        let mut rng = stream(3, "time", number);
        let mut state = game.game().initial_state();
        let mut scratch = Vec::new();
        for _ in 0..60 {
            let Phase::Act(seats) = game.game().phase(&state) else { break };
            positions.push(state.clone());
            let action = game.game().random_action(&state, seats.first(), &mut scratch, &mut rng);
            game.game().apply(&mut state, seats.first(), action);
        }
    }
    // The least of many short rounds: on a busy machine most of them are interrupted.
    let (mut least, mut sum) = (f64::INFINITY, 0.0);
    for _ in 0..300 {
        let start = Instant::now();
        for state in &positions {
            sum += hand.value(game.game(), black_box(state), 0);
        }
        least = least.min(start.elapsed().as_nanos() as f64 / positions.len() as f64);
    }
    println!("{least:.1} ns an evaluation");
    black_box(sum);
}
