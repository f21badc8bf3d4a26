//! The positions of a game that still learn, and how an error is shared among them.
//!
//! A trail is a line of positions that learn from one another: of the game, or of a seat. TD(λ) with traces kept as the
//! positions themselves: an error changes the weights of the position before by its full step and of those further back by
//! `(gamma * lambda)^k` of it, until that falls below the horizon. With n steps a position waits until n more have come.
//!
//! A weight that several positions of the trail share takes part in the error once for each of them (accumulating traces), or
//! only as a part of the last of them (replacing traces; Singh and Sutton, 1996). Where most weights stay from ply to ply, as
//! on a board that fills, accumulating makes the steps several times as large as was asked for.
//!
//! Values on a trail are all from one side. A position that was seen from the other side is `turned`.

use std::collections::VecDeque;

use super::head::Head;
use super::network::Network;
use super::options::Traces;
use super::weights::Rates;

/// A position on a trail.
#[derive(Default)]
struct Step {
    /// From what the sum of its weights counts.
    from: f32,
    first: usize,
    indices: Vec<u32>,
    /// With replacing traces: the placements whose weights no later position of the trail has.
    live: Vec<u32>,
    turned: bool,
    /// How much its value changed with the sum when it was seen last.
    slope: f32,
    /// What came between this position and the next one.
    reward: f32,
}

/// How a trail learns.
#[derive(Clone, Copy)]
pub(crate) struct Learning<'a> {
    pub(crate) network: &'a Network,
    pub(crate) head: &'a Head,
    pub(crate) rates: &'a Rates,
    /// The step size for a single weight.
    pub(crate) step: f32,
    pub(crate) gamma: f32,
    pub(crate) lambda: f32,
    pub(crate) horizon: f32,
    pub(crate) traces: Traces,
    pub(crate) n_steps: usize,
}

impl Learning<'_> {
    /// Whether a weight that several positions have is learned as a part of the last of them alone.
    fn replaces(&self) -> bool {
        self.traces == Traces::Replacing && self.lambda > 0.0
    }
}

/// A line of positions that learn from one another, the last one first.
#[derive(Default)]
pub(crate) struct Trail {
    steps: VecDeque<Step>,
    spare: Vec<Step>,
}

impl Trail {
    /// An empty trail for each seat.
    pub(crate) fn of_seats(n_seats: usize) -> Vec<Trail> {
        (0..n_seats).map(|_| Trail::default()).collect()
    }

    /// Nothing before this is learned from what comes.
    pub(crate) fn cut(&mut self) {
        self.spare.extend(self.steps.drain(..));
    }

    /// Whether there is a position.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The value and the slope of a step now.
    fn value(learning: &Learning<'_>, step: &Step) -> (f32, f32) {
        let own = learning.head.unit_value(step.from, learning.network.weights().sum(step.first, &step.indices));
        (if step.turned { -own } else { own }, learning.head.slope(own))
    }

    fn change(learning: &Learning<'_>, step: &Step, error: f32) {
        let error = if step.turned { -error } else { error };
        let change = learning.step * error * step.slope;
        let weights = learning.network.weights();
        if learning.replaces() {
            let live = step.live.iter().map(|&placement| step.indices[placement as usize]);
            weights.change(step.first, live, change, learning.rates);
        } else {
            weights.change(step.first, step.indices.iter().copied(), change, learning.rates);
        }
    }

    /// After a reward a position came whose value is `value`.
    pub(crate) fn learn(&mut self, learning: &Learning<'_>, reward: f32, value: f32) {
        if learning.n_steps > 1 {
            self.learn_from_later(learning, reward, value);
        } else {
            self.learn_error(learning, reward + learning.gamma * value);
        }
    }

    fn learn_error(&mut self, learning: &Learning<'_>, target: f32) {
        let Some(last) = self.steps.front_mut() else { return };
        let (value, slope) = Trail::value(learning, last);
        last.slope = slope;
        let error = target - value;
        let mut share = 1.0;
        for step in &self.steps {
            Trail::change(learning, step, error * share);
            share *= learning.gamma * learning.lambda;
            if share < learning.horizon || share == 0.0 {
                break;
            }
        }
    }

    /// The position `n_steps` before learns from `value`.
    fn learn_from_later(&mut self, learning: &Learning<'_>, reward: f32, value: f32) {
        if let Some(last) = self.steps.front_mut() {
            last.reward = reward;
        }
        if self.steps.len() >= learning.n_steps {
            self.learn_back(learning, learning.n_steps - 1, value);
        }
    }

    /// The step `back` before the last learns from the rewards since and `value` after them.
    fn learn_back(&mut self, learning: &Learning<'_>, back: usize, value: f32) {
        let target = (0..=back).fold(value, |later, i| self.steps[i].reward + learning.gamma * later);
        let step = &mut self.steps[back];
        let (value, slope) = Trail::value(learning, step);
        step.slope = slope;
        Trail::change(learning, &self.steps[back], target - value);
    }

    /// After a reward the game was over, and what it paid then was `value`.
    pub(crate) fn end(&mut self, learning: &Learning<'_>, reward: f32, value: f32) {
        // What is paid at the end is no estimate of later plies, so it is not discounted.
        if learning.n_steps > 1 {
            if let Some(last) = self.steps.front_mut() {
                last.reward = reward + value;
            }
            for back in (0..self.steps.len().min(learning.n_steps)).rev() {
                self.learn_back(learning, back, 0.0);
            }
        } else {
            self.learn_error(learning, reward + value);
        }
        self.cut();
    }

    /// Another position, which learns from those after it: the sum of its weights, which counts from `from`.
    pub(crate) fn push(&mut self, learning: &Learning<'_>, from: f32, first: usize, indices: &[u32], turned: bool) {
        // It learns at the next ply, after all that is to be valued before.
        learning.network.weights().prefetch_changes(first, indices);
        let mut step = self.spare.pop().unwrap_or_default();
        step.indices.clear();
        step.indices.extend_from_slice(indices);
        (step.from, step.first, step.turned, step.slope, step.reward) = (from, first, turned, 0.0, 0.0);
        if learning.replaces() {
            step.live.clear();
            step.live.extend(0..indices.len() as u32);
            for earlier in self.steps.iter_mut().filter(|earlier| earlier.first == first) {
                let Step { live, indices: of_earlier, .. } = earlier;
                live.retain(|&placement| of_earlier[placement as usize] != indices[placement as usize]);
            }
        }
        self.steps.push_front(step);
        let kept = learning.n_steps.max(reach(learning.gamma * learning.lambda, learning.horizon));
        while self.steps.len() > kept {
            self.spare.extend(self.steps.pop_back());
        }
    }
}

/// How many positions get a share of an error.
fn reach(factor: f32, horizon: f32) -> usize {
    // No game of the collection is longer than this in positions that matter.
    let shares = std::iter::successors(Some(factor), |share| Some(share * factor)).take(1000);
    1 + shares.take_while(|&share| share >= horizon.max(1e-6)).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::path::PathGame;
    use raichi_core::random::{FastRng, index, stream};
    use raichi_games::tic_tac_toe::TicTacToe;
    use raichi_search::options::Options;

    use super::super::options::{Config, OPTIONS};
    use super::super::training::NTupleLearner;
    use super::super::weights::Coherence;
    use super::*;

    const STEP: f32 = 0.01;
    const LAMBDA: f32 = 0.8;

    /// The textbook's traces, one for each weight.
    struct Plain {
        weights: Vec<f32>,
        traces: Vec<f32>,
        replaces: bool,
    }

    impl Plain {
        fn push(&mut self, indices: &[u32], sign: f32) {
            self.traces.iter_mut().for_each(|trace| *trace *= LAMBDA);
            for &i in indices {
                let trace = &mut self.traces[i as usize];
                *trace = if self.replaces { sign } else { *trace + sign };
            }
        }

        fn learn(&mut self, last: &[u32], sign: f32, target: f32) {
            let value: f32 = last.iter().map(|&i| self.weights[i as usize]).sum();
            let error = target - sign * value;
            self.weights.iter_mut().zip(&self.traces).for_each(|(weight, trace)| *weight += STEP * error * trace);
        }
    }

    #[test]
    fn shared_weights_learn_as_the_textbook_says() {
        for traces in [Traces::Accumulating, Traces::Replacing] {
            let game = Arc::new(PathGame::new(TicTacToe, 0));
            let options = Options::parse("ntuple", OPTIONS, None, Some("tuples=6x4,output=linear")).unwrap();
            let config = Config::from_options(&options, &game.facts()).unwrap();
            let learner = NTupleLearner::new(&game, config, 1, 1).unwrap();
            let policy = learner.policy();
            let rates = Rates::of(Coherence::Off);
            let learning = Learning {
                network: &policy.network,
                head: &policy.head,
                rates: &rates,
                step: STEP,
                gamma: 1.0,
                lambda: LAMBDA,
                horizon: 0.0,
                traces,
                n_steps: 1,
            };
            let len = policy.network.weights().len();
            let mut plain =
                Plain { weights: vec![0.0; len], traces: vec![0.0; len], replaces: traces == Traces::Replacing };
            let mut trail = Trail::default();
            let rng: &mut FastRng = &mut stream(1, "positions", 0);
            let mut last: Option<(Vec<u32>, f32)> = None;
            for ply in 0..60 {
                if let Some((last, sign)) = &last {
                    let target = [-1.0, 0.0, 1.0][index(rng, 3)];
                    trail.learn(&learning, 0.0, target);
                    plain.learn(last, *sign, target);
                }
                // Each of six tuples has one of three weights of its own, so that many stay from ply to ply and come back.
                let indices: Vec<u32> = (0..6).map(|tuple| 3 * tuple + index(rng, 3) as u32).collect();
                let turned = ply % 2 == 1;
                trail.push(&learning, 0.0, 0, &indices, turned);
                let sign = if turned { -1.0 } else { 1.0 };
                plain.push(&indices, sign);
                last = Some((indices, sign));
            }
            for (i, &expected) in plain.weights.iter().enumerate() {
                let weight = policy.network.weights().get(i);
                assert!((weight - expected).abs() < 1e-5, "{traces:?}, weight {i}: {weight}, expected {expected}");
            }
            assert!(plain.weights.iter().any(|weight| weight.abs() > 0.01));
        }
    }
}
