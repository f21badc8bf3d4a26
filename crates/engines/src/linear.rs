//! What most hand-made evaluators are: features of a position, each with a weight, their sum squashed into a payoff.
//!
//! The weights are found by matches and by fitting the value to how games ended (after P. Österlund's *Texel's tuning
//! method*, 2014): `cargo run --release -p raichi-engines --example tune`, see docs/strength.md.

use raichi_core::game::Game;
use raichi_search::Evaluator;

/// An evaluator for two seats whose weights can be tuned.
pub trait Tunable<G: Game>: Evaluator<G> + Sized {
    /// What the weights belong to, in their order.
    const FEATURES: &'static [&'static str];

    /// The evaluator with its weights as they stand; `None` for parameters that it does not know.
    fn new(game: &G) -> Option<Self>;

    /// As many weights as there are features.
    fn weights(&self) -> &[f32];

    /// As many weights as there are features.
    fn weights_mut(&mut self) -> &mut [f32];

    /// The features of a position as seat 0 sees them, good ones positive, into one number each. `false` where the value
    /// does not rest on them, because a ply decides the game.
    fn features(&self, game: &G, state: &G::State, features: &mut [f32]) -> bool;
}

/// The greatest value of a position that is not over: less than a win.
pub(crate) const NEARLY_WON: f32 = 0.995;

/// A sum of weighted features as a payoff between −1 and 1. It needs no exponential function and is the same on every
/// machine.
#[inline]
pub fn squash(sum: f32) -> f32 {
    NEARLY_WON * sum / (1.0 + sum * sum).sqrt()
}

/// The sum of the features, each times its weight.
#[inline]
pub(crate) fn weigh<const N: usize>(features: &[f32; N], weights: &[f32; N]) -> f32 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += features[i] * weights[i];
    }
    sum
}

/// A value of seat 0 as a seat sees it, where the payoffs of two seats sum to 0.
#[inline]
pub(crate) fn seen_by(seat: usize, value: f32) -> f32 {
    if seat == 0 { value } else { -value }
}
