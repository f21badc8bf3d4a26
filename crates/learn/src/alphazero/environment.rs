//! A game as this method sees it: positions, and actions by their numbers, without the types of the game.
//!
//! The network takes nearly all of the time, so that search, games of training and the training are compiled once for all
//! games. Searches that live on quick positions, and networks of tuples, keep the types.

use std::any::Any;
use std::hash::BuildHasher;
use std::sync::Arc;

use raichi_core::encoding::{Encoding, Layout};
use raichi_core::game::{Facts, Payoffs, Phase};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use rustc_hash::FxBuildHasher;

use super::outputs::{logit, n_outputs, outputs_of};
use crate::opening;

/// The rules of a game, and the positions that its games of training begin with.
pub(crate) trait Environment: Send + Sync {
    fn facts(&self) -> Facts;

    /// What an observation is made of.
    fn layout(&self) -> Layout;

    /// How many action numbers there are.
    fn n_actions(&self) -> u64;

    /// How many outputs a policy has; a sentence where these would be too many.
    fn n_outputs(&self) -> Result<u64, String>;

    fn n_symmetries(&self) -> usize;

    /// The image of an observation under a symmetry.
    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]);

    /// Appends the outputs of the image of an action under a symmetry, by the action's number; returns how many they are.
    fn outputs(&self, symmetry: usize, number: u32, outputs: &mut Vec<u16>) -> u8;

    /// A position that a game of training begins with, after up to so many random plies.
    fn start(&self, random_plies: u64, rng: &mut FastRng) -> Box<dyn Position>;
}

/// A position on its path.
pub(crate) trait Position: Send {
    fn phase(&self) -> Phase;

    fn n_plies(&self) -> u32;

    /// What each seat has got; the game is over.
    fn payoffs(&self) -> Payoffs;

    /// What a seat observes, into integers as many as the layout has.
    fn observe(&self, seat: Seat, observation: &mut [i32]);

    /// The numbers of a seat's legal actions, in the order of the rules, in place of what was in `numbers`.
    fn legal_actions(&mut self, seat: Seat, numbers: &mut Vec<u32>);

    /// An action's logit, by its number and the outputs of a policy.
    fn logit(&mut self, number: u32, policy: &[f32]) -> f32;

    /// Goes on by the action with this number, which is legal for the seat.
    fn apply(&mut self, seat: Seat, number: u32);

    /// Draws an outcome, and goes on by it. Returns a hash that tells it from the others.
    fn draw(&mut self, rng: &mut FastRng) -> u64;

    /// Becomes a position drawn from those that a seat cannot tell apart from this one.
    fn determinize(&mut self, seat: Seat, rng: &mut FastRng);

    /// Lets chance act until a seat is to act or the game is over.
    fn settle(&mut self, rng: &mut FastRng) -> Phase;

    /// Becomes another position of the same game, in the memory that it has.
    fn copy_from(&mut self, other: &dyn Position);

    fn boxed_clone(&self) -> Box<dyn Position>;

    fn as_any(&self) -> &dyn Any;
}

/// A game with its types.
pub(crate) struct OfGame<G: Encoding> {
    pub(crate) game: Arc<PathGame<G>>,
    /// Drawn from evenly; where there are none, games begin with the game's start.
    pub(crate) starts: Vec<G::State>,
}

impl<G: Encoding> Environment for OfGame<G> {
    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn layout(&self) -> Layout {
        self.game.layout()
    }

    fn n_actions(&self) -> u64 {
        self.game.n_actions()
    }

    fn n_outputs(&self) -> Result<u64, String> {
        n_outputs(self.game.game())
    }

    fn n_symmetries(&self) -> usize {
        self.game.n_symmetries()
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        self.game.map_observation(symmetry, observation, image);
    }

    fn outputs(&self, symmetry: usize, number: u32, all: &mut Vec<u16>) -> u8 {
        let game = self.game.game();
        let action = game.numbered_action(number.into()).expect("it is the number of an action");
        let mut outputs = Vec::new();
        outputs_of(game, game.map_action(symmetry, action), &mut outputs);
        all.extend(outputs.iter().map(|&output| output as u16));
        outputs.len() as u8
    }

    fn start(&self, random_plies: u64, rng: &mut FastRng) -> Box<dyn Position> {
        let state = opening::start(&self.game, &self.starts, random_plies, rng);
        Box::new(PositionOf::new(&self.game, &state))
    }
}

/// A position with the types of its game.
pub(crate) struct PositionOf<G: Encoding> {
    game: Arc<PathGame<G>>,
    state: PathState<G>,
    /// Memory for lists of actions.
    actions: Vec<G::Action>,
    /// Memory for an action's outputs.
    outputs: Vec<u64>,
}

impl<G: Encoding> PositionOf<G> {
    pub(crate) fn new(game: &Arc<PathGame<G>>, state: &PathState<G>) -> Self {
        PositionOf { game: Arc::clone(game), state: state.clone(), actions: Vec::new(), outputs: Vec::new() }
    }
}

impl<G: Encoding> Position for PositionOf<G> {
    fn phase(&self) -> Phase {
        self.game.phase(&self.state)
    }

    fn n_plies(&self) -> u32 {
        self.state.n_plies()
    }

    fn payoffs(&self) -> Payoffs {
        self.game.payoffs(&self.state)
    }

    fn observe(&self, seat: Seat, observation: &mut [i32]) {
        self.game.observe(&self.state, seat, observation);
    }

    fn legal_actions(&mut self, seat: Seat, numbers: &mut Vec<u32>) {
        self.actions.clear();
        self.game.legal_actions(&self.state, seat, &mut self.actions);
        numbers.clear();
        numbers.extend(self.actions.iter().map(|&action| self.game.action_number(action) as u32));
    }

    fn logit(&mut self, number: u32, policy: &[f32]) -> f32 {
        let action = self.game.numbered_action(number.into()).expect("it is the number of an action");
        logit(self.game.game(), action, policy, &mut self.outputs)
    }

    fn apply(&mut self, seat: Seat, number: u32) {
        let action = self.game.numbered_action(number.into()).expect("it is the number of a legal action");
        self.game.apply(&mut self.state, seat, action);
    }

    fn draw(&mut self, rng: &mut FastRng) -> u64 {
        let outcome = self.game.sample_outcome(&self.state, rng);
        self.game.apply_outcome(&mut self.state, outcome);
        FxBuildHasher.hash_one(outcome)
    }

    fn determinize(&mut self, seat: Seat, rng: &mut FastRng) {
        self.state = self.game.determinize(&self.state, seat, rng);
    }

    fn settle(&mut self, rng: &mut FastRng) -> Phase {
        opening::settle(&self.game, &mut self.state, rng)
    }

    fn copy_from(&mut self, other: &dyn Position) {
        let other: &Self = other.as_any().downcast_ref().expect("both are of one game");
        self.state.clone_from(&other.state);
    }

    fn boxed_clone(&self) -> Box<dyn Position> {
        Box::new(PositionOf::new(&self.game, &self.state))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
