//! Games of training, several side by side: where each waits for the network, all their positions are looked at together.
//!
//! A game depends on the weights, its number and the seed alone, and not on the games beside it.

use raichi_core::game::Phase;
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::Seat;
use raichi_search::CancelFlag;

use super::environment::{Environment, Position};
use super::options::Config;
use super::replay::Sample;
use super::search::Search;
use super::units::{BySeat, Units};
use crate::network::net::fraction;
use crate::network::{Forward, Planes, Shape, Workspace};

/// What games of training are played with.
pub(crate) struct Play<'a> {
    pub(crate) environment: &'a dyn Environment,
    pub(crate) config: &'a Config,
    pub(crate) planes: &'a Planes,
    pub(crate) units: Units,
    pub(crate) net: &'a dyn Forward,
    pub(crate) shape: Shape,
    pub(crate) seed: u64,
}

/// A game in progress.
pub(crate) struct Playing {
    number: u64,
    rng: FastRng,
    position: Box<dyn Position>,
    search: Search,
    decision: Decision,
    samples: Vec<Searched>,
    pub(crate) n_plies: u64,
    is_over: bool,
    actions: Vec<u32>,
}

/// A decision to learn from.
struct Searched {
    /// Without values.
    sample: Sample,
    seat: Seat,
    /// After how many plies of the game it was.
    ply: u64,
    /// What the search expects each seat to get, discounted.
    expected: BySeat,
    /// Whether it is proven.
    is_exact: bool,
}

/// What is being decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decision {
    /// Nothing yet.
    None,
    /// A ply that is learned from.
    Full,
    /// Another ply.
    Fast,
}

/// A game that is over, and what is learned from it.
pub(crate) struct Played {
    pub(crate) samples: Vec<Sample>,
    pub(crate) n_plies: u64,
}

impl Playing {
    pub(crate) fn new(play: &Play<'_>, number: u64) -> Self {
        let mut rng: FastRng = stream(play.seed, "self-play", number);
        let position = play.environment.start(play.config.random_plies, &mut rng);
        Playing {
            number,
            search: Search::new(play.config.search, play.units, position.boxed_clone()),
            rng,
            position,
            decision: Decision::None,
            samples: Vec::new(),
            n_plies: 0,
            is_over: false,
            actions: Vec::new(),
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Plays on until the network has to look at a position; `false` where the game is over.
    fn go_on(&mut self, play: &Play<'_>) -> bool {
        loop {
            if self.decision != Decision::None {
                if self.search.next_leaf(&mut self.rng) {
                    return true;
                }
                self.decide(play);
            }
            if self.is_over || !self.begin_decision(play) {
                self.is_over = true;
                return false;
            }
        }
    }

    /// Begins to search the next ply that is a choice; `false` where the game is over.
    fn begin_decision(&mut self, play: &Play<'_>) -> bool {
        let config = play.config;
        loop {
            if self.position.phase() == Phase::Chance {
                self.search.forget();
            }
            let Phase::Act(seats) = self.position.settle(&mut self.rng) else { return false };
            if self.position.n_plies() >= config.longest {
                return false;
            }
            let seat = seats.first();
            self.position.legal_actions(seat, &mut self.actions);
            if let [only] = self.actions[..] {
                self.play(seat, only);
                continue;
            }
            let is_full = fraction(&mut self.rng) < config.full;
            self.decision = if is_full { Decision::Full } else { Decision::Fast };
            let n_simulations = if is_full { config.simulations } else { config.fast_simulations };
            let noise = if self.n_plies < config.gumbel_plies.into() { config.gumbel } else { 0.0 };
            self.search.begin(&*self.position, seat, n_simulations, noise, &mut self.rng);
            return true;
        }
    }

    /// Plays what the search found best.
    fn decide(&mut self, play: &Play<'_>) {
        let Phase::Act(seats) = self.position.phase() else { return };
        let seat = seats.first();
        let action = self.search.best();
        if self.decision == Decision::Full {
            let found = self.search.found();
            let mut observation = vec![0; play.planes.observation_len()];
            self.position.observe(seat, &mut observation);
            let sample = Sample {
                observation: observation.into(),
                seat: seat as u8,
                actions: found.iter().map(|found| found.action).collect(),
                policy: found.iter().map(|found| found.probability).collect(),
                values: [].into(),
            };
            let (expected, is_exact) = (self.search.root_values(), self.search.exact().is_some());
            self.samples.push(Searched { sample, seat, ply: self.n_plies, expected, is_exact });
        }
        self.decision = Decision::None;
        self.play(seat, action);
    }

    fn play(&mut self, seat: Seat, action: u32) {
        self.position.apply(seat, action);
        self.search.follow(action);
        self.n_plies += 1;
    }

    /// What is learned from the game, which is over: values of the end, of the search as far as options say, or what it proved;
    /// discounted by the plies until the end.
    pub(crate) fn finish(self, play: &Play<'_>) -> Played {
        let end = play.units.of_payoffs(&self.position.payoffs());
        let n_plies = self.n_plies;
        let learned = |Searched { sample, seat, ply, expected, is_exact }: Searched| {
            let mix = if is_exact { 1.0 } else { play.config.value_mix };
            let left = play.config.search.gamma.powi((n_plies - ply) as i32);
            let end = end.map(|value| left * value);
            let values: BySeat = std::array::from_fn(|i| end[i] + mix * (expected[i] - end[i]));
            Sample { values: play.units.outputs(&values, seat), ..sample }
        };
        Played { samples: self.samples.into_iter().map(learned).collect(), n_plies: self.n_plies }
    }
}

/// Memory for looking at the positions of several games.
#[derive(Default)]
pub(crate) struct Batch {
    input: Vec<f32>,
    waiting: Vec<usize>,
    observation: Vec<i32>,
    work: Workspace<f32>,
}

/// Plays games to their end, or until it is cancelled.
pub(crate) fn play_on(games: &mut [Playing], play: &Play<'_>, batch: &mut Batch, cancel: &CancelFlag) {
    while !cancel.is_cancelled() {
        batch.input.clear();
        batch.waiting.clear();
        batch.observation.resize(play.planes.observation_len(), 0);
        for (i, playing) in games.iter_mut().enumerate().filter(|(_, playing)| !playing.is_over) {
            if playing.go_on(play) {
                let (position, seat) = playing.search.leaf();
                position.observe(seat, &mut batch.observation);
                play.planes.write(&batch.observation, seat, &mut batch.input);
                batch.waiting.push(i);
            }
        }
        if batch.waiting.is_empty() {
            return;
        }
        play.net.forward(&batch.input, &mut batch.work).expect("networks that are trained here can always be run");
        let said =
            batch.work.logits.chunks_exact(play.shape.actions).zip(batch.work.values.chunks_exact(play.shape.values));
        for (&i, (logits, values)) in batch.waiting.iter().zip(said) {
            let playing = &mut games[i];
            playing.search.receive(logits, values, &mut playing.rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::path::PathGame;
    use raichi_games::tic_tac_toe::TicTacToe;
    use raichi_search::options::Options;

    use super::super::environment::OfGame;
    use super::super::options::{ID, OPTIONS};
    use super::super::training::shape_of;
    use super::*;
    use crate::network::Net;

    #[test]
    fn what_is_learned_counts_less_the_farther_the_end_is() {
        let game = Arc::new(PathGame::from(TicTacToe));
        let options = Options::parse(ID, OPTIONS, None, Some("gamma=0.5,full=1,sims=4,width=8,blocks=0")).unwrap();
        let facts = game.facts();
        let config = Config::from_options(&options, &facts).unwrap();
        let environment = OfGame { game, starts: Vec::new() };
        let planes = Planes::new(&environment.layout(), facts.n_seats, config.net).unwrap();
        let shape = shape_of(environment.n_outputs().unwrap(), &facts, &config, &planes).unwrap();
        let net = Net::<f32>::new(shape, 1).unwrap();
        let units = Units::of(&facts);
        let play =
            Play { environment: &environment, config: &config, planes: &planes, units, net: &net, shape, seed: 1 };
        let mut games: Vec<Playing> = (0..20).map(|number| Playing::new(&play, number)).collect();
        play_on(&mut games, &play, &mut Batch::default(), &CancelFlag::default());
        let mut n_decided = 0;
        for playing in games {
            let (plies, end) = (playing.n_plies, units.of_payoffs(&playing.position.payoffs())[0]);
            let searched: Vec<(u64, Seat, bool)> =
                playing.samples.iter().map(|found| (found.ply, found.seat, found.is_exact)).collect();
            for ((ply, seat, is_exact), sample) in searched.into_iter().zip(playing.finish(&play).samples) {
                let worth = if seat == 0 { end } else { -end } * 0.5f32.powi((plies - ply) as i32);
                // What was proven counts for itself: the loser may have been able to do better, or to delay the end.
                if !is_exact {
                    assert_eq!(sample.values[..], [worth], "ply {ply} of {plies}");
                    n_decided += u32::from(end != 0.0);
                }
            }
        }
        assert!(n_decided > 10, "{n_decided}");
    }
}
