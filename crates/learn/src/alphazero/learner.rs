//! The training as a learner of one type of games.

use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::path::PathGame;

use super::environment::OfGame;
use super::options::Config;
use super::policy::NetworkPolicy;
use super::training::Training;
use crate::learner::{Learned, Learner, Progress, Saved, Work};
use crate::network::Net;

/// A network in training.
pub struct AlphaZeroLearner<G: Encoding> {
    game: Arc<PathGame<G>>,
    training: Training,
}

impl<G: Encoding> AlphaZeroLearner<G> {
    /// A learner that knows nothing, for `planned` games.
    ///
    /// # Errors
    /// A sentence, where the game cannot be learned so or the network would be too large.
    pub fn new(game: &Arc<PathGame<G>>, config: Config, seed: u64, planned: u64) -> Result<Self, String> {
        let environment = Arc::new(OfGame { game: Arc::clone(game), starts: Vec::new() });
        Ok(AlphaZeroLearner { game: Arc::clone(game), training: Training::new(environment, config, seed, planned)? })
    }

    /// Games of training begin with one of these positions, drawn evenly; with the game's start where there are none.
    pub fn begin_with(&mut self, starts: Vec<G::State>) {
        self.training.begin_in(Arc::new(OfGame { game: Arc::clone(&self.game), starts }));
    }

    /// Goes on from what was saved, by a learner of the same game, options and seed.
    ///
    /// # Errors
    /// A sentence, where it was not saved to go on, or by another learner.
    pub fn resume(&mut self, saved: &Saved) -> Result<(), String> {
        self.training.resume(saved)
    }

    /// The network as it is now.
    pub fn net(&self) -> &Net<f32> {
        self.training.net()
    }

    /// What was learned so far.
    pub fn policy(&self) -> NetworkPolicy {
        self.training.policy()
    }
}

impl<G: Encoding> Learner<G> for AlphaZeroLearner<G> {
    fn advance(&mut self, n_games: u64, work: &Work<'_>) {
        self.training.advance(n_games, work);
    }

    fn progress(&self) -> Progress {
        self.training.progress()
    }

    fn n_weights(&self) -> usize {
        self.net().weights.len()
    }

    fn is_finite(&self) -> bool {
        self.net().weights.iter().all(|weight| weight.is_finite())
    }

    fn learned(&self) -> Arc<dyn Learned<G>> {
        Arc::new(self.policy())
    }

    fn save(&self, to_go_on: bool) -> Saved {
        self.training.save(to_go_on)
    }

    fn save_small(&self, bits: u8) -> Result<Saved, String> {
        Ok(self.training.save_small(bits))
    }
}
