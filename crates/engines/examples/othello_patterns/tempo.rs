//! What it is worth to be the one who acts, by the number of discs.
//!
//! Weights are learned from positions many of which come right after a random ply, mostly a bad one. So they expect who acts to be
//! better off than in games without such plies, and values of searches of even and of odd depths differ. Here games are played
//! out by a search from random beginnings, and what they end with is compared with what the weights say of their positions: the
//! mean difference, by the number of discs, is added to the weights.
//!
//! A search comes to positions that the weights overrate for whom it chooses, at its leaves, so that the difference depends on
//! whose turn it is there. Games are played by searches of two depths in turn, and numbers of discs of both parities count the
//! same.

use std::array;

use raichi_core::game::{Game, Phase};
use raichi_core::random::stream;
use raichi_engines::othello::patterns::{PER_DISC, Patterns};
use raichi_games::othello::Othello;

use crate::games::{Settings, choose};

/// Random plies at the beginning of a game.
const OPENING: usize = 6;
/// How much a number of discs counts beside those around it, from two fewer to two more.
const NEAR: [f64; 5] = [1.0, 2.0, 2.0, 2.0, 1.0];

/// What the weights say too much or too little of, for one number of discs.
#[derive(Clone, Copy, Default)]
struct Difference {
    sum: f64,
    squares: f64,
    n: f64,
}

/// Adds what being the one who acts is worth to `patterns`, by so many games.
pub(crate) fn balance(patterns: &mut Patterns, games: u64, settings: &Settings) {
    let mut differences = [Difference::default(); 65];
    for number in 0..games {
        compare(patterns, number, settings, &mut differences);
    }
    let near = |n: usize| {
        let near =
            NEAR.iter().enumerate().filter_map(|(i, weight)| Some((weight, differences.get((n + i).checked_sub(2)?)?)));
        near.fold(Difference::default(), |all, (weight, one)| Difference {
            sum: all.sum + weight * one.sum,
            squares: all.squares + weight * one.squares,
            n: all.n + weight * one.n,
        })
    };
    let means: [Option<f64>; 65] = array::from_fn(|n| {
        let Difference { sum, squares, n: count } = near(n);
        let mean = sum / count;
        if count >= 100.0 && n % 10 == 0 {
            // Positions of one game have one end: a game counts once, however many of them there are.
            let games = count / NEAR.iter().sum::<f64>();
            let error = ((squares / count - mean * mean) / games).sqrt();
            println!("  {n} discs: who acts is worth {mean:+.2} ± {error:.2} discs more than the weights say");
        }
        (count >= 100.0).then_some(mean)
    });
    // With fewer discs than any beginning has it is as with the fewest that were seen.
    let first = means.iter().copied().flatten().next();
    let mut is_before = true;
    for (n, mean) in means.into_iter().enumerate() {
        is_before &= mean.is_none();
        if let Some(mean) = mean.or(first.filter(|_| is_before)) {
            patterns.add_to_act(n as u32, (mean * f64::from(PER_DISC)).round() as i16);
        }
    }
}

/// Plays a game and compares its end with what was said of its positions.
fn compare(patterns: &Patterns, number: u64, settings: &Settings, differences: &mut [Difference; 65]) {
    let game = Othello::new(8);
    let settings = &Settings { play: settings.play + (number % 2) as u32, ..settings.clone() };
    let mut rng = stream(settings.seed, "tempo", number);
    let (mut state, mut said) = (game.initial_state(), Vec::new());
    for ply in 0.. {
        let Phase::Act(to_act) = game.phase(&state) else { break };
        let seat = to_act.first();
        let [own, foes] = state.own_and_foes().map(|cells| cells as u64);
        // The last random ply is two plies back at least.
        if ply > OPENING + 1 && state.placements() != 0 {
            let score = patterns.score(own, foes, state.placements() as u64);
            said.push((seat, (own | foes).count_ones() as usize, f64::from(score) / f64::from(PER_DISC)));
        }
        let action = if ply < OPENING {
            game.random_action(&state, seat, &mut Vec::new(), &mut rng)
        } else {
            choose(&game, &state, Some(patterns), settings, &mut rng)
        };
        game.apply(&mut state, seat, action);
    }
    let [black, white] = state.discs().map(|cells| f64::from(cells.count_ones()));
    let left = 64.0 - black - white;
    let score = black - white + if black == white { 0.0 } else { left * (black - white).signum() };
    for (seat, n_discs, said) in said {
        let difference = if seat == 0 { score - said } else { -score - said };
        let of = &mut differences[n_discs];
        (of.sum, of.squares, of.n) = (of.sum + difference, of.squares + difference * difference, of.n + 1.0);
    }
}
