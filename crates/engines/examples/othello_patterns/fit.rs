//! Least squares with a ridge, by conjugate gradients.
//!
//! The sum of squared errors and `ridge` times the sum of squared changes from the weights that it begins with is least: what was seen
//! seldom stays near the next phase. The equations are solved by conjugate gradients, each weight scaled by how often it was
//! seen (Jacobi's preconditioner).

use raichi_engines::othello::patterns::{N_ACTIVE, PER_DISC, Patterns, active, phase_of};
use raichi_engines::squash;

use crate::games::{Position, Settings};

/// What a fit came to.
pub(crate) struct Fitted {
    pub(crate) n: usize,
    /// The root of the mean squared error in discs, of games that were not learned from and positions of the phase itself.
    pub(crate) error: f64,
    /// Weights that do not fit into a byte.
    pub(crate) clamped: usize,
    /// The score in discs that is worth 0.7 of a win.
    pub(crate) scale: f64,
}

const ITERATIONS: usize = 40;

/// Fits the weights of a phase, which begin with those of the next one, and puts them into the evaluator.
pub(crate) fn fit(
    positions: &[&Position],
    phase: usize,
    weights: &mut [f32],
    patterns: &mut Patterns,
    settings: &Settings,
) -> Fitted {
    let is_held_out = |position: &Position| u64::from(position.game) % 100 < settings.share;
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for position in positions.iter().filter(|position| !is_held_out(position)) {
        let row = active(position.own, position.foes);
        errors.push(wanted(position) - sum(&row, weights));
        rows.push(row);
    }
    let change = solve(&rows, &errors, weights.len(), settings.ridge);
    weights.iter_mut().zip(change).for_each(|(weight, change)| *weight += change);
    let clamped = weights.iter().filter(|weight| weight.abs() * PER_DISC as f32 > 127.0).count();
    let scale = scale(positions, weights);
    let rounded: Vec<i16> = weights.iter().map(|weight| (weight * PER_DISC as f32).round() as i16).collect();
    patterns.set_phase(phase, &rounded, (scale * f64::from(PER_DISC)) as u16);
    let (mut squares, mut n) = (0.0, 0);
    for position in positions.iter().filter(|position| is_held_out(position) && phase_of(position.n_discs()) == phase) {
        squares += f64::from(wanted(position) - found(patterns, position)).powi(2);
        n += 1;
    }
    Fitted { n: rows.len(), error: (squares / f64::from(n.max(1))).sqrt(), clamped, scale }
}

fn wanted(position: &Position) -> f32 {
    position.score.expect("it was valued before")
}

fn found(patterns: &Patterns, position: &Position) -> f32 {
    let most = 1000 * PER_DISC;
    let score =
        raichi_engines::othello::patterns::search(patterns, position.own, position.foes, 0, -most, most, &mut 0);
    score as f32 / PER_DISC as f32
}

fn sum(row: &[u32; N_ACTIVE], weights: &[f32]) -> f32 {
    row.iter().map(|&weight| weights[weight as usize]).sum()
}

/// The changes of weights that make the errors least.
fn solve(rows: &[[u32; N_ACTIVE]], errors: &[f32], n: usize, ridge: f32) -> Vec<f32> {
    let mut diagonal = vec![ridge; n];
    let mut residual = vec![0.0f32; n];
    for (row, &error) in rows.iter().zip(errors) {
        for &weight in row {
            diagonal[weight as usize] += 1.0;
            residual[weight as usize] += error;
        }
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    let scaled = |residual: &[f32]| residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect::<Vec<f32>>();
    let mut found = vec![0.0f32; n];
    let mut conditioned = scaled(&residual);
    let mut direction = conditioned.clone();
    let mut size = dot(&residual, &conditioned);
    let goal = size * 1e-6;
    for _ in 0..ITERATIONS {
        if size <= goal {
            break;
        }
        let mut image: Vec<f32> = direction.iter().map(|weight| ridge * weight).collect();
        for row in rows {
            let along = sum(row, &direction);
            row.iter().for_each(|&weight| image[weight as usize] += along);
        }
        let step = (size / dot(&direction, &image)) as f32;
        for i in 0..n {
            found[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        conditioned = scaled(&residual);
        let before = size;
        size = dot(&residual, &conditioned);
        let share = (size / before) as f32;
        for i in 0..n {
            direction[i] = conditioned[i] + share * direction[i];
        }
    }
    found
}

/// The score that is worth 0.7 of a win by how the games ended, or by the exact scores where they are known.
fn scale(positions: &[&Position], weights: &[f32]) -> f64 {
    let seen: Vec<(f32, f32)> = positions
        .iter()
        .step_by(positions.len() / 20_000 + 1)
        .map(|position| {
            let payoff = position.exact.map_or(position.payoff, i8::signum);
            (sum(&active(position.own, position.foes), weights), payoff.into())
        })
        .collect();
    let error = |scale: f64| -> f64 {
        seen.iter().map(|&(score, payoff)| f64::from(squash(score / scale as f32) - payoff).powi(2)).sum()
    };
    let scales = (2..=30).map(|half| f64::from(half) / 2.0);
    scales.min_by(|&a, &b| error(a).total_cmp(&error(b))).expect("there are some")
}
