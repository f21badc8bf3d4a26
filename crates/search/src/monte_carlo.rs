//! Flat Monte Carlo: playouts after each action, and the action that paid best on average. No tree.
//!
//! How the playouts are shared out among the actions (`allocation`):
//! - `uniform`: the same number each (Abramson, *Expected-outcome: a general model of static evaluation*, 1990);
//! - `ucb`: by UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002), which
//!   keeps the losses small while it tries things out;
//! - `halving`: sequential halving (Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits*, 2013),
//!   which wastes playouts on nothing but finding the best action: in each of ⌈log₂ n⌉ rounds of equal cost the actions
//!   left are tried equally often, and the better half of them is kept. A budget of time is shared out in the same way.
//!
//! Fits every game. Where something is hidden each playout begins with a determinization of its own; where other seats
//! act at the same time they choose at random. The k-th playout of every action draws the same random numbers, so that all
//! meet the same determinization and as far as possible the same luck.
//!
//! Promises: values are means over playouts, with standard errors by the sample's variance. They are what the action pays
//! against random play, not against good play: with more playouts the errors vanish and that difference does not. With
//! `uniform` and `halving` a budget of simulations makes the result a function of view and seed alone, however many threads
//! there are; with `ucb` each thread goes by its own bounds, and their number matters.
//! Checked against: exact means of trees written by hand, and matches against random play.

use std::cmp::Reverse;
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Payoffs};
use raichi_core::host::Job;
use raichi_core::information::SeatView;
use raichi_core::order::Total;
use raichi_core::playout::playout_within;
use raichi_core::random::{FastRng, Rng, shuffle, stream};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Budget, Cost, Limits, Session};
use crate::clock::Clock;
use crate::line::token;
use crate::options::{AgentOption, OptionKind, Options};
use crate::tally::{Tally, advise};

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// How many threads play out side by side. At least 1.
    pub threads: usize,
    /// How playouts are shared out among the actions.
    pub allocation: Allocation,
    /// UCB's constant, for payoffs between 0 and 1.
    pub exploration: f64,
    /// A playout is broken off after so many plies and pays what the game pays there; 0 is never.
    pub depth: u32,
}

/// How playouts are shared out among the actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// The same number each.
    Uniform,
    /// More to those whose upper confidence bound is high.
    Ucb,
    /// In rounds, after each of which the worse half drops out.
    Halving,
}

impl Config {
    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        let int = |name| options.int(name).expect("the option has a default");
        Config {
            threads: int("threads") as usize,
            allocation: match options.choice("allocation") {
                Some("uniform") => Allocation::Uniform,
                Some("ucb") => Allocation::Ucb,
                _ => Allocation::Halving,
            },
            exploration: options.decimal("c").expect("the option has a default"),
            depth: int("depth") as u32,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config::from_options(&Options::parse("mc", OPTIONS, None, None).expect("without options nothing can be wrong"))
    }
}

/// The options of the search, after those of the budget.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "allocation",
        kind: OptionKind::Choice { options: &["uniform", "ucb", "halving"] },
        default: Some("halving"),
        help: "How games are shared out among the actions: equally, more to those that do well, or in rounds after which \
               the worse half drops out.",
    },
    AgentOption {
        name: "threads",
        kind: OptionKind::Int { min: 1, max: 256 },
        default: Some("1"),
        help: "How many games are tried at the same time.",
    },
    AgentOption {
        name: "c",
        kind: OptionKind::Decimal { min: 0.0, max: 100.0 },
        default: Some("0.7"),
        help: "For allocation=ucb: more of it tries more actions.",
    },
    AgentOption {
        name: "depth",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("1000"),
        help: "After so many plies a game that it tries is broken off and pays what it pays there; 0 is never.",
    },
];

/// A search in one game in progress; it keeps nothing.
pub struct MonteCarlo {
    config: Config,
}

impl MonteCarlo {
    /// A search as `config` says.
    pub fn new(config: Config) -> Self {
        MonteCarlo { config }
    }
}

impl<G: Playable> Session<G> for MonteCarlo {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        let mut actions = view.legal_actions();
        if let [only] = actions[..] {
            return Advice::without_search(only, true);
        }
        // Where nothing else decides, the order does.
        shuffle(rng, &mut actions);
        let (facts, seat) = (view.facts(), view.seat());
        let max_plies = if self.config.depth == 0 { u32::MAX } else { self.config.depth };
        let player = || -> Player<'_> {
            let (game, actions) = (view.game(), &actions);
            let mut scratch = Vec::new();
            Box::new(move |place, rng| {
                let mut state = view.determinize(rng);
                game.apply(&mut state, seat, actions[place]);
                playout_within(game, &mut state, max_plies, &mut scratch, rng);
                game.payoffs(&state)
            })
        };
        let trial = Trial { config: self.config, player: &player, facts, seat, limits, start, seed: rng.next_u64() };
        let advice = trial.decide(actions.len()).of(&actions);
        Advice { line: vec![token(view.game(), &view.determinize(rng), seat, advice.action)], ..advice }
    }
}

/// Plays a playout that begins with the action at a place; returns what it paid.
type Player<'a> = Box<dyn FnMut(usize, &mut FastRng) -> Payoffs + 'a>;

/// One decision. Actions are told apart by their places, so that it is compiled once and not for each game.
struct Trial<'a> {
    config: Config,
    /// Makes a player for a thread.
    player: &'a (dyn Fn() -> Player<'a> + Sync),
    facts: Facts,
    seat: Seat,
    limits: &'a Limits<'a>,
    start: Duration,
    seed: u64,
}

impl Trial<'_> {
    /// Chooses among `n` actions.
    fn decide(&self, n: usize) -> Advice<usize> {
        let mut tallies = Tally::of_actions(n, &self.facts, self.seat);
        match self.config.allocation {
            Allocation::Uniform => self.uniformly(&mut tallies, self.limits.budget),
            Allocation::Ucb => self.by_bounds(&mut tallies),
            Allocation::Halving => self.by_halving(&mut tallies),
        }
        let cost = Cost {
            simulations: tallies.iter().map(|tally| tally.visits).sum(),
            elapsed: self.limits.host.now().saturating_sub(self.start),
            ..Cost::default()
        };
        advise(&tallies, cost)
    }

    /// Tries all actions equally often within `budget`, whose time counts from the start of the decision; sorts them, the
    /// best first.
    fn uniformly(&self, tallies: &mut [Tally], budget: Budget) {
        let n = tallies.len() as u64;
        // Playouts of one action are numbered through.
        let first = tallies.iter().map(|tally| tally.visits).max().unwrap_or(0);
        self.in_threads(tallies, budget, |thread, tallies, clock, player| {
            let mut next = thread;
            while clock.allows_another() {
                let tally = &mut tallies[(next % n) as usize];
                self.playout(tally, first + next / n, player);
                next += self.config.threads as u64;
            }
        });
        tallies.sort_by_key(|tally| Reverse(Total(tally.mean())));
    }

    fn by_halving(&self, tallies: &mut [Tally]) {
        let n_rounds = rounds(tallies.len());
        let (mut left, mut n_left) = (self.limits.budget.simulations, tallies.len());
        for round in 0..n_rounds {
            let budget = Budget {
                simulations: left.map(|left| left / u64::from(n_rounds - round)),
                time: self.limits.budget.time.map(|time| time * (round + 1) / n_rounds),
                nodes: None,
            };
            let before: u64 = tallies[..n_left].iter().map(|tally| tally.visits).sum();
            self.uniformly(&mut tallies[..n_left], budget);
            let made = tallies[..n_left].iter().map(|tally| tally.visits).sum::<u64>() - before;
            left = left.map(|left| left - made);
            n_left = n_left.div_ceil(2);
        }
    }

    /// Each thread goes by the bounds of its own playouts.
    fn by_bounds(&self, tallies: &mut [Tally]) {
        let range = self.facts.payoff_range;
        self.in_threads(tallies, self.limits.budget, |thread, tallies, clock, player| {
            let (mut made, mut seen) = (0u64, (f64::INFINITY, f64::NEG_INFINITY));
            while clock.allows_another() {
                let untried = tallies.iter().position(|tally| tally.visits == 0);
                let (low, high) = range.unwrap_or(seen);
                let factor = self.config.exploration * (high - low) * (made as f64).ln().max(0.0).sqrt();
                let bound = |tally: &Tally| tally.mean() + factor / (tally.visits as f64).sqrt();
                let highest = || {
                    let by_bound = |&a: &usize, &b: &usize| bound(&tallies[a]).total_cmp(&bound(&tallies[b]));
                    (0..tallies.len()).max_by(by_bound).expect("there are actions")
                };
                let chosen = &mut tallies[untried.unwrap_or_else(highest)];
                // Each thread draws from numbers of its own.
                let number = chosen.visits * self.config.threads as u64 + thread;
                let payoff = self.playout(chosen, number, player);
                seen = (seen.0.min(payoff), seen.1.max(payoff));
                made += 1;
            }
        });
        tallies.sort_by_key(|tally| Reverse((tally.visits, Total(tally.mean()))));
    }

    /// Runs `work` in each thread on tallies of its own, and adds them up.
    fn in_threads(
        &self,
        tallies: &mut [Tally],
        budget: Budget,
        work: impl Fn(u64, &mut [Tally], &mut Clock<'_>, &mut Player<'_>) + Sync,
    ) {
        let n_threads = self.config.threads as u64;
        let limits = Limits { budget, ..*self.limits };
        let empty: Vec<_> = tallies.iter().map(|tally| Tally::new(tally.place, &self.facts, self.seat)).collect();
        let mut found = vec![empty; self.config.threads];
        let work = &work;
        let mut jobs: Vec<Job<'_>> = Vec::with_capacity(found.len());
        for (thread, own) in (0..).zip(&mut found) {
            let (start, player) = (self.start, self.player);
            let clock = move || Clock::new(limits, start, thread, n_threads);
            jobs.push(Box::new(move || work(thread, own, &mut clock(), &mut player())));
        }
        limits.host.run_all(jobs);
        for own in &found {
            tallies.iter_mut().zip(own).for_each(|(tally, more)| tally.merge(more));
        }
    }

    /// One playout that begins with an action, the `number`-th of it; returns what it paid the chooser.
    fn playout(&self, tally: &mut Tally, number: u64, player: &mut Player<'_>) -> f64 {
        let payoffs = player(tally.place, &mut stream(self.seed, "playout", number));
        tally.add(payoffs.as_slice().iter().copied());
        payoffs[self.seat]
    }
}

/// How often `n` actions can be halved until one is left.
fn rounds(n: usize) -> u32 {
    n.next_power_of_two().trailing_zeros()
}
