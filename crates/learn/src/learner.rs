//! What every kind of learner is to those who train it.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::Game;
use raichi_core::seat::Seat;
use raichi_search::{CancelFlag, Evaluator, Failure, Host, Session};

/// What a training may use.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// Ends it after the games in progress.
    pub cancel: &'a CancelFlag,
    /// The clock and the threads.
    pub host: &'a dyn Host,
    /// How many threads learn at the same time. With more than one the result depends on which came first.
    pub n_threads: usize,
}

/// How far a training has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games of training played.
    pub games: u64,
    /// Games that the training is planned for.
    pub planned: u64,
    /// Plies of seats in them, chance not counted.
    pub plies: u64,
    /// The time they took by the host's clock.
    pub elapsed: Duration,
}

impl Progress {
    /// Plies a second; 0 before any time has passed.
    pub fn plies_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.plies as f64 / seconds } else { 0.0 }
    }

    /// The time that the games left will take at the speed so far.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.planned.saturating_sub(self.games);
        (self.games > 0).then(|| self.elapsed.mul_f64(left as f64 / self.games as f64))
    }
}

/// What has been learned of a game of the type `G`.
pub trait Learned<G: Game>: Evaluator<G> {
    /// What each of `actions`, all legal for `seat`, is worth to it: expected payoffs, into one number each. What ends the
    /// game has its true value.
    fn value_actions(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], values: &mut [f64]);

    /// Its own way to play: with so many simulations, with 0 without looking ahead, or with `None` as long as the limits of each
    /// decision allow. The result is `None` where it has no way of its own, and the values of actions decide. The session
    /// says in `failure` what goes wrong.
    fn session(&self, _simulations: Option<u64>, _failure: &Failure) -> Option<Box<dyn Session<G>>>
    where
        G: Playable,
    {
        None
    }

    /// Why it cannot value positions for a search, as a sentence; `None` where it can.
    fn cannot_evaluate(&self) -> Option<String> {
        None
    }
}

/// Something that becomes a better player by playing.
pub trait Learner<G: Game>: Send {
    /// Plays up to `n_games` more games of training, fewer where it is cancelled.
    fn advance(&mut self, n_games: u64, work: &Work<'_>);

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// How many numbers it learns.
    fn n_weights(&self) -> usize;

    /// Whether all numbers that it has learned are finite. They are not for long where errors grow from step to step.
    fn is_finite(&self) -> bool;

    /// What it knows now. It may go on changing where the training goes on.
    fn learned(&self) -> Arc<dyn Learned<G>>;

    /// All that is needed to play as it does now, and with `to_go_on` to train on as if nothing had happened.
    fn save(&self, to_go_on: bool) -> Saved;

    /// What is needed to play nearly as it does now, with whole numbers of so many bits, 2 to 15.
    ///
    /// # Errors
    /// A sentence, where it cannot be written so.
    fn save_small(&self, bits: u8) -> Result<Saved, String>;
}

/// What a learner has learned, as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Saved {
    /// What the tensors mean.
    pub network: serde_json::Value,
    /// The numbers.
    pub tensors: Vec<Tensor>,
}

/// A named list of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// The numbers.
    pub numbers: Numbers,
}

/// Numbers of a kind.
#[derive(Clone, PartialEq, Debug)]
pub enum Numbers {
    /// Of 32 bits with a fraction.
    F32(Vec<f32>),
    /// Whole, of 16 bits.
    I16(Vec<i16>),
    /// Whole, of 8 bits.
    I8(Vec<i8>),
}

impl Saved {
    /// The numbers of this name.
    pub fn tensor(&self, name: &str) -> Option<&Numbers> {
        self.tensors.iter().find(|tensor| tensor.name == name).map(|tensor| &tensor.numbers)
    }
}
