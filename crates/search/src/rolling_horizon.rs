//! Rolling-horizon evolution: sequences of the seat's own next actions are bred, and the first action of the best is
//! played; at the next decision it begins anew.
//!
//! After Perez, Samothrakis, Lucas and Rohlfshagen (*Rolling horizon evolution versus tree search for navigation in
//! single-player real-time games*, 2013). A gene is a number that is mapped to one of the actions legal when its turn
//! comes, so that every sequence fits every course of the game. A generation keeps its best individual; the others are
//! children of two parents, each the better of two drawn, crossed gene by gene, with genes drawn anew at the rate
//! `mutation`. The fitness of a sequence is the mean over `samples` of what its seat is paid: by the evaluator at the
//! horizon where one is named, else by a random playout from there. The best individual is sampled again in each
//! generation, so that a lucky one does not stay.
//!
//! Fits every game: others act by the model `opponents`, chance by its weights, and what is hidden is drawn anew for each
//! sample. `random` opponents choose at random; those of `same` act by the same sequence, each by the gene that the
//! seat itself has just used, as if they thought as it does.
//!
//! Promises nothing: no convergence to the best action, no proof. A budget of simulations and the seed decide the result.
//! Not here: threads, a population kept from decision to decision, opponents that evolve.
//! Checked against: trees written by hand, and matches against random play.

use std::cmp::Reverse;
use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::{Payoffs, Phase};
use raichi_core::information::SeatView;
use raichi_core::order::Total;
use raichi_core::path::{PathGame, PathState};
use raichi_core::playout::playout_within;
use raichi_core::random::{FastRng, Rng, index};
use raichi_core::seat::{MAX_SEATS, Seat};

use crate::agent::{Advice, Cost, Limits, Session};
use crate::clock::Clock;
use crate::evaluator::{Evaluator, as_payoffs};
use crate::options::{AgentOption, OptionKind, Options};
use crate::tally::{Tally, advise};

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Individuals in a generation. At least 2.
    pub population: usize,
    /// Genes: how many plies of its own an individual plans. At least 1.
    pub horizon: usize,
    /// How likely it is that a child's gene is drawn anew.
    pub mutation: f64,
    /// How often an individual is tried before it is judged. At least 1.
    pub samples: u32,
    /// How the other seats act.
    pub opponents: Opponents,
    /// A playout is broken off after so many plies and pays what the game pays there; 0 is never.
    pub depth: u32,
}

/// How the other seats are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponents {
    /// They choose at random.
    Random,
    /// They go by the same sequence of numbers.
    Same,
}

impl Config {
    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        let int = |name| options.int(name).expect("the option has a default");
        Config {
            population: int("population") as usize,
            horizon: int("horizon") as usize,
            mutation: options.decimal("mutation").expect("the option has a default"),
            samples: int("samples") as u32,
            opponents: match options.choice("opponents") {
                Some("same") => Opponents::Same,
                _ => Opponents::Random,
            },
            depth: int("depth") as u32,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let options = Options::parse("rhea", OPTIONS, None, None).expect("without options nothing can be wrong");
        Config::from_options(&options)
    }
}

/// The options of the search, after those of the budget.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "population",
        kind: OptionKind::Int { min: 2, max: 10_000 },
        default: Some("20"),
        help: "How many sequences of actions a generation has.",
    },
    AgentOption {
        name: "horizon",
        kind: OptionKind::Int { min: 1, max: 1_000 },
        default: Some("6"),
        help: "How many of its own plies a sequence plans.",
    },
    AgentOption {
        name: "mutation",
        kind: OptionKind::Decimal { min: 0.0, max: 1.0 },
        default: Some("0.2"),
        help: "How likely each action of a new sequence is drawn anew.",
    },
    AgentOption {
        name: "samples",
        kind: OptionKind::Int { min: 1, max: 10_000 },
        default: Some("4"),
        help: "How often a sequence is tried before it is judged.",
    },
    AgentOption {
        name: "opponents",
        kind: OptionKind::Choice { options: &["random", "same"] },
        default: Some("random"),
        help: "How it thinks that others act: at random, or by the same sequence.",
    },
    AgentOption {
        name: "depth",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("1000"),
        help: "After so many plies a game that it tries is broken off and pays what it pays there; 0 is never.",
    },
];

/// A search in one game in progress; it keeps nothing.
pub struct RollingHorizon<G: Playable> {
    config: Config,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Playable> RollingHorizon<G> {
    /// A search as `config` says; with an evaluator sequences are judged by it, else by playouts.
    pub fn new(config: Config, evaluator: Option<Arc<dyn Evaluator<G>>>) -> Self {
        RollingHorizon { config, evaluator }
    }
}

impl<G: Playable> Session<G> for RollingHorizon<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        let actions = view.legal_actions();
        if let [only] = actions[..] {
            return Advice::without_search(only, true);
        }
        let mut scratch = Vec::new();
        let mut play = |genes: &[u64], rng: &mut FastRng| self.simulate(view, &actions, genes, &mut scratch, rng);
        let (facts, seat) = (view.facts(), view.seat());
        let evolution = Evolution {
            config: self.config,
            play: &mut play,
            seat,
            tallies: Tally::of_actions(actions.len(), &facts, seat),
            clock: Clock::new(*limits, start, 0, 1),
        };
        let mut advice = evolution.decide(rng).of(&actions);
        advice.cost.elapsed = limits.host.now().saturating_sub(start);
        advice
    }
}

impl<G: Playable> RollingHorizon<G> {
    /// Plays a sequence out once; returns what it paid.
    fn simulate(
        &self,
        view: &SeatView<'_, G>,
        actions: &[G::Action],
        genes: &[u64],
        scratch: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> Payoffs {
        let (game, seat, config) = (view.game(), view.seat(), self.config);
        let mut state = view.determinize(rng);
        game.apply(&mut state, seat, actions[scaled(genes[0], actions.len())]);
        let (mut used, mut n_plies) = (1, 1);
        let max_plies = if config.depth == 0 { u32::MAX } else { config.depth };
        while n_plies < max_plies {
            match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample_outcome(&state, rng);
                    game.apply_outcome(&mut state, outcome);
                }
                Phase::Act(seats) => {
                    let to_act = seats.first();
                    let gene = match to_act == seat {
                        true if used == genes.len() => break,
                        true => {
                            used += 1;
                            genes[used - 1]
                        }
                        false if config.opponents == Opponents::Same => genes[used - 1],
                        false => rng.next_u64(),
                    };
                    scratch.clear();
                    game.legal_actions(&state, to_act, scratch);
                    let action = scratch[scaled(gene, scratch.len())];
                    game.apply(&mut state, to_act, action);
                }
            }
            n_plies += 1;
        }
        self.settle(view.game(), &mut state, max_plies - n_plies, scratch, rng)
    }

    /// Values the position at the horizon. An evaluator knows positions in which a seat acts: chance acts before.
    fn settle(
        &self,
        game: &PathGame<G>,
        state: &mut PathState<G>,
        plies_left: u32,
        scratch: &mut Vec<G::Action>,
        rng: &mut FastRng,
    ) -> Payoffs {
        let Some(evaluator) = &self.evaluator else {
            playout_within(game, state, plies_left, scratch, rng);
            return game.payoffs(state);
        };
        while game.phase(state) == Phase::Chance {
            let outcome = game.sample_outcome(state, rng);
            game.apply_outcome(state, outcome);
        }
        if game.phase(state) != Phase::Over {
            let mut values = [0.0f32; MAX_SEATS];
            let values = &mut values[..game.facts().n_seats];
            evaluator.values(game, state, values);
            return as_payoffs(values);
        }
        game.payoffs(state)
    }
}

/// A sequence of numbers that stand for actions, and how it did.
#[derive(Clone)]
struct Individual {
    genes: Vec<u64>,
    visits: u32,
    sum: f64,
}

impl Individual {
    fn new(genes: Vec<u64>) -> Individual {
        Individual { genes, visits: 0, sum: 0.0 }
    }

    fn fitness(&self) -> f64 {
        if self.visits == 0 { f64::NEG_INFINITY } else { self.sum / f64::from(self.visits) }
    }
}

/// One decision. It knows no game, so that it is compiled once.
struct Evolution<'a> {
    config: Config,
    /// Plays a sequence out once; returns what it paid.
    play: &'a mut dyn FnMut(&[u64], &mut FastRng) -> Payoffs,
    seat: Seat,
    /// By action of the root, in the rules' order.
    tallies: Vec<Tally>,
    clock: Clock<'a>,
}

impl Evolution<'_> {
    fn decide(mut self, rng: &mut FastRng) -> Advice<usize> {
        let fittest = self.run(rng);
        let mut tallies = self.tallies;
        let chosen = tallies.remove(fittest);
        tallies.sort_by_key(|tally| Reverse(Total(tally.mean())));
        tallies.insert(0, chosen);
        advise(&tallies, Cost { simulations: self.clock.simulations(), ..Cost::default() })
    }

    /// Breeds until the budget is spent; returns the first action of the fittest, by its place in the rules' order.
    fn run(&mut self, rng: &mut FastRng) -> usize {
        let config = self.config;
        let random = |rng: &mut FastRng| Individual::new((0..config.horizon).map(|_| rng.next_u64()).collect());
        let mut population: Vec<Individual> = (0..config.population).map(|_| random(rng)).collect();
        while self.judge(&mut population, rng) {
            // The best is kept, and tried again with its children.
            population.sort_by_key(|individual| Reverse(Total(individual.fitness())));
            let children = (1..config.population).map(|_| self.child(&population, rng)).collect::<Vec<_>>();
            population.truncate(1);
            population.extend(children);
        }
        let by_fitness = |a: &&Individual, b: &&Individual| a.fitness().total_cmp(&b.fitness());
        // Those that were tried less than the others count less: a single lucky try is no plan.
        let tried = |individual: &&Individual| individual.visits >= config.samples;
        let fittest = population.iter().filter(tried).max_by(by_fitness);
        let fittest = fittest.or_else(|| population.iter().max_by(by_fitness)).expect("a population is not empty");
        scaled(fittest.genes[0], self.tallies.len())
    }

    /// Tries every individual; `false` when the budget ended before all had been tried.
    fn judge(&mut self, population: &mut [Individual], rng: &mut FastRng) -> bool {
        for individual in population {
            for _ in 0..self.config.samples {
                if !self.clock.allows_another() {
                    return false;
                }
                let payoffs = (self.play)(&individual.genes, rng);
                let first = scaled(individual.genes[0], self.tallies.len());
                self.tallies[first].add(payoffs.as_slice().iter().copied());
                individual.visits += 1;
                individual.sum += payoffs[self.seat];
            }
        }
        true
    }

    fn child(&self, parents: &[Individual], rng: &mut FastRng) -> Individual {
        // Parents are sorted: the better of two is the earlier.
        let mut parent = || index(rng, parents.len()).min(index(rng, parents.len()));
        let (one, other) = (&parents[parent()].genes, &parents[parent()].genes);
        let gene = |(&one, &other): (&u64, &u64)| {
            let kept = if rng.next_u64() & 1 == 0 { one } else { other };
            let anew = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if anew < self.config.mutation { rng.next_u64() } else { kept }
        };
        Individual::new(one.iter().zip(other).map(gene).collect())
    }
}

/// A gene as one of `n` things.
fn scaled(gene: u64, n: usize) -> usize {
    ((u128::from(gene) * n as u128) >> 64) as usize
}
