//! The mean of the weights over the end of a training (Polyak and Juditsky, 1992).
//!
//! With steps that stay large weights go on swinging about what they should be; their mean over many games swings less. It is
//! what is played with and kept, and what learns does not know of it.

use std::sync::Arc;

use super::network::Network;
use super::weights::Weights;

/// So many times in its part of the training the weights are counted in.
const SAMPLES: u64 = 50;

/// How often weights were counted in after so many games of a plan.
#[derive(Clone, Copy)]
pub(crate) struct Sampled {
    pub(crate) samples: u64,
    pub(crate) games: u64,
    pub(crate) planned: u64,
}

/// The mean so far.
pub(crate) struct Average {
    /// The part of the training that counts, from 0 to 1.
    share: f64,
    n_samples: u64,
    /// Has the mean weights.
    network: Arc<Network>,
}

impl Average {
    /// The mean over the last `share` of a training, of weights like those of `network`.
    ///
    /// # Errors
    /// A sentence, where there is too little memory.
    pub(crate) fn new(share: f64, network: &Network) -> Result<Average, String> {
        Ok(Average { share, n_samples: 0, network: Arc::new(network.empty_copy()?) })
    }

    /// How many samples of the present plan those count for that were taken up to `at` by an earlier one, of which a sample
    /// stood for fewer games; 0 where most of the games lie before the part of the training that counts now.
    pub(crate) fn worth(&self, at: Sampled, planned: u64) -> u64 {
        if at.planned == planned {
            return at.samples;
        }
        let begin = |planned: u64| planned as f64 * (1.0 - self.share);
        if begin(planned) > (begin(at.planned) + at.games as f64) / 2.0 {
            return 0;
        }
        (at.samples as f64 * at.planned as f64 / planned as f64).round() as u64
    }

    /// Goes on after so many samples, whose mean is `mean`.
    pub(crate) fn resume(&mut self, n_samples: u64, mean: &[f32]) {
        self.n_samples = n_samples;
        mean.iter().enumerate().filter(|&(_, &n)| n != 0.0).for_each(|(i, &n)| self.network.weights().set(i, n));
    }

    /// After how many games of `planned` the weights are counted in next, when `games` have been played.
    pub(crate) fn next(&self, games: u64, planned: u64) -> Option<u64> {
        let part = planned as f64 * self.share;
        let at = |left: u64| planned - (part * left as f64 / SAMPLES as f64) as u64;
        (0..SAMPLES).rev().map(at).find(|&at| at > games)
    }

    /// Counts the weights in.
    pub(crate) fn add(&mut self, weights: &Weights) {
        self.n_samples += 1;
        let (part, mean) = (1.0 / self.n_samples as f32, self.network.weights());
        for (i, weight) in weights.values().enumerate() {
            let before = mean.get(i);
            // Weights that no position has touched stay untouched, so that their memory costs nothing.
            if weight != before {
                mean.set(i, before + part * (weight - before));
            }
        }
    }

    /// How many times weights were counted in.
    pub(crate) fn n_samples(&self) -> u64 {
        self.n_samples
    }

    /// The network with the mean weights; `None` before the first were counted in.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        (self.n_samples > 0).then_some(&self.network)
    }
}
