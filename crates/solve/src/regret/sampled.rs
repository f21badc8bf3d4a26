//! Monte Carlo CFR: regrets from parts of the game that are drawn, so that it need not be walked as a whole.
//!
//! Lanctot, Waugh, Zinkevich, Bowling (2009). *External sampling* follows all actions of one seat and draws everything
//! else; *outcome sampling* draws a single line of play, with some exploration, and divides by its probability. Both find
//! the same equilibria as CFR, with noise that falls with the square root of the iterations. Information sets are made
//! when they are first met.

use raichi_core::game::{Choice, Phase};
use raichi_core::information::{Information, Recall};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{self, FastRng, Rng};
use raichi_core::seat::Seat;
use rustc_hash::FxHashMap;

use super::sequences::Sequences;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    /// Chance and the other seat.
    External,
    /// Everything; so often the learning seat draws evenly rather than by its regrets.
    Outcome {
        /// From 0 to 1; its authors use 0.6.
        exploration: f64,
    },
}

/// Regrets and strategies of the information sets met so far.
pub struct SampledCfr<'a, G: Information> {
    game: &'a PathGame<G>,
    sampling: Sampling,
    sets: [FxHashMap<u64, Set>; 2],
    rng: FastRng,
    n_iterations: u64,
}

/// One number an action each.
#[derive(Clone, Debug)]
struct Set {
    regrets: Box<[f64]>,
    sum: Box<[f64]>,
}

/// A place in the game: a state and what the seats have seen.
struct Here<G: Information> {
    state: PathState<G>,
    recall: Recall,
}

/// Probabilities of a line of play up to here.
#[derive(Clone, Copy)]
struct Reach {
    /// By the learning seat's strategy.
    own: f64,
    /// By chance and the other seat's strategy.
    others: f64,
    /// To have been drawn.
    drawn: f64,
}

impl<'a, G: Information> SampledCfr<'a, G> {
    /// Nothing is regretted yet. The game has two seats whose payoffs add up to a constant.
    pub fn new(game: &'a PathGame<G>, sampling: Sampling, seed: u64) -> Self {
        let rng = random::stream(seed, "sampled cfr", 0);
        SampledCfr { game, sampling, sets: Default::default(), rng, n_iterations: 0 }
    }

    /// One iteration: a sample for each seat in turn.
    pub fn iterate(&mut self) {
        self.n_iterations += 1;
        for learner in 0..2 {
            let here = Here { state: self.game.initial_state(), recall: Recall::new(2) };
            match self.sampling {
                Sampling::External => {
                    self.external(here, learner);
                }
                Sampling::Outcome { exploration } => {
                    self.outcome(here, learner, exploration, Reach { own: 1.0, others: 1.0, drawn: 1.0 });
                }
            }
        }
    }

    /// How many iterations there were.
    pub fn n_iterations(&self) -> u64 {
        self.n_iterations
    }

    /// How many information sets were met.
    pub fn n_information_sets(&self) -> usize {
        self.sets.iter().map(FxHashMap::len).sum()
    }

    /// The average plans, as sequences of the same game. Where nothing was learned all actions are equally likely.
    pub fn average(&self, sequences: &Sequences) -> [Vec<f64>; 2] {
        [0, 1].map(|seat| {
            let mut weights = vec![0.0; sequences.n_sequences(seat)];
            for (&key, set) in &self.sets[seat] {
                if let Some(actions) = sequences.actions(seat, key) {
                    weights[actions].copy_from_slice(&set.sum);
                }
            }
            sequences.plan(seat, &weights)
        })
    }

    /// What the learner gets from here, in expectation over what is drawn.
    fn external(&mut self, mut here: Here<G>, learner: Seat) -> f64 {
        let mut actions = Vec::new();
        loop {
            match self.game.phase(&here.state) {
                Phase::Over => return self.game.payoffs(&here.state)[learner],
                Phase::Chance => self.draw_outcome(&mut here),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    actions.clear();
                    self.game.legal_actions(&here.state, seat, &mut actions);
                    let key = here.recall.key(seat);
                    let strategy = self.set(seat, key, actions.len()).strategy();
                    if seat == learner {
                        return self.try_all(&here, learner, &actions, &strategy);
                    }
                    // The learner's samples are as likely as the other's strategy makes them, so its average needs no weight.
                    self.set(seat, key, actions.len()).add_to_sum(&strategy, 1.0);
                    let drawn = draw(&mut self.rng, &strategy);
                    here.play(self.game, Choice::Action(seat, actions[drawn]));
                }
            }
        }
    }

    fn try_all(&mut self, here: &Here<G>, learner: Seat, actions: &[G::Action], strategy: &[f64]) -> f64 {
        let mut worths = Vec::with_capacity(actions.len());
        for &action in actions {
            let mut after = here.clone();
            after.play(self.game, Choice::Action(learner, action));
            worths.push(self.external(after, learner));
        }
        let mean: f64 = worths.iter().zip(strategy).map(|(worth, share)| worth * share).sum();
        let set = self.set(learner, here.recall.key(learner), actions.len());
        for (regret, worth) in set.regrets.iter_mut().zip(worths) {
            *regret += worth - mean;
        }
        mean
    }

    /// An unbiased estimate of what the learner gets from here under the strategies.
    fn outcome(&mut self, mut here: Here<G>, learner: Seat, exploration: f64, reach: Reach) -> f64 {
        let mut reach = reach;
        loop {
            match self.game.phase(&here.state) {
                Phase::Over => return self.game.payoffs(&here.state)[learner],
                // Chance is drawn as it is: both probabilities have the same factor, which cancels.
                Phase::Chance => self.draw_outcome(&mut here),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    let mut actions = Vec::new();
                    self.game.legal_actions(&here.state, seat, &mut actions);
                    let key = here.recall.key(seat);
                    let strategy = self.set(seat, key, actions.len()).strategy();
                    if seat != learner {
                        let drawn = draw(&mut self.rng, &strategy);
                        reach.others *= strategy[drawn];
                        reach.drawn *= strategy[drawn];
                        here.play(self.game, Choice::Action(seat, actions[drawn]));
                        continue;
                    }
                    let even = exploration / actions.len() as f64;
                    let mixed: Vec<f64> = strategy.iter().map(|share| even + (1.0 - exploration) * share).collect();
                    let drawn = draw(&mut self.rng, &mixed);
                    let after = Reach {
                        own: reach.own * strategy[drawn],
                        others: reach.others,
                        drawn: reach.drawn * mixed[drawn],
                    };
                    here.play(self.game, Choice::Action(seat, actions[drawn]));
                    let worth = self.outcome(here, learner, exploration, after) / mixed[drawn];
                    let mean = strategy[drawn] * worth;
                    let set = self.set(seat, key, actions.len());
                    set.add_to_sum(&strategy, reach.own / reach.drawn);
                    for (action, regret) in set.regrets.iter_mut().enumerate() {
                        let worth = if action == drawn { worth } else { 0.0 };
                        *regret += (worth - mean) * reach.others / reach.drawn;
                    }
                    return mean;
                }
            }
        }
    }

    fn draw_outcome(&mut self, here: &mut Here<G>) {
        let outcome = self.game.sample_outcome(&here.state, &mut self.rng);
        here.play(self.game, Choice::Outcome(outcome));
    }

    fn set(&mut self, seat: Seat, key: u64, n_actions: usize) -> &mut Set {
        let zeros = || vec![0.0; n_actions].into_boxed_slice();
        self.sets[seat].entry(key).or_insert_with(|| Set { regrets: zeros(), sum: zeros() })
    }
}

impl Set {
    /// By regret matching.
    fn strategy(&self) -> Vec<f64> {
        let total: f64 = self.regrets.iter().map(|regret| regret.max(0.0)).sum();
        let even = 1.0 / self.regrets.len() as f64;
        let share = |&regret: &f64| if total > 0.0 { regret.max(0.0) / total } else { even };
        self.regrets.iter().map(share).collect()
    }

    fn add_to_sum(&mut self, strategy: &[f64], weight: f64) {
        for (sum, share) in self.sum.iter_mut().zip(strategy) {
            *sum += weight * share;
        }
    }
}

impl<G: Information> Here<G> {
    fn play(&mut self, game: &PathGame<G>, choice: Choice<G>) {
        self.recall.play(game, &mut self.state, choice);
    }
}

// Derived, it would ask for G: Clone.
impl<G: Information> Clone for Here<G> {
    fn clone(&self) -> Self {
        Here { state: self.state.clone(), recall: self.recall.clone() }
    }
}

/// An index drawn by weights that add up to 1.
fn draw(rng: &mut FastRng, weights: &[f64]) -> usize {
    let mut left = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    // What rounding left over falls to the last that is possible.
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}
