//! Monte-Carlo tree search, for every game.
//!
//! After Coulom (*Efficient selectivity and backup operators in Monte-Carlo tree search*, 2006) and Kocsis and
//! Szepesvári (*Bandit based Monte-Carlo planning*, 2006): a simulation walks down the tree by upper confidence bounds,
//! plays on at random from where it leaves it, and counts what that paid on the way back up.
//!
//! Two trees serve: [`state_tree`] where every seat sees everything, with chance nodes, any number of seats and proofs;
//! [`information_tree`] where something is hidden or seats act together, with determinizations. Both answer the
//! same question, and the rest (budgets, threads, choosing, telling) is shared here.
//!
//! Promises: in a game of perfect information `proven` means what it says, and with simulations enough every finite
//! game is proven. With secrets nothing is. A budget of simulations makes the answer a function of view and seed alone,
//! however many threads there are and however they run; a budget of time does not.
//! Not here: knowledge of any game, transpositions, mixed strategies.
//! Checked against: exact values of trees written by hand; tic-tac-toe solved; Kuhn poker's secrets.

mod exploration;
mod information_tree;
mod playout;
mod state_tree;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Phase};
use raichi_core::information::SeatView;
use raichi_core::random::{FastRng, Rng, index, stream};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Agent, Budget, Candidate, Stop};
use crate::clock::Clock;
use crate::erased::AgentKind;
use crate::options::{AgentOption, OptionKind, OptionValue, Options};
use information_tree::InformationTree;
use state_tree::StateTree;

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// What a decision may cost.
    pub budget: Budget,
    /// How many trees are grown side by side, each by a thread; their findings are added up. At least 1.
    pub threads: usize,
    /// UCB's constant, for payoffs between 0 and 1. More of it looks at more actions, less looks deeper.
    pub exploration: f64,
    /// A playout is broken off after so many plies and pays what the game pays there; 0 is never.
    pub depth: u32,
    /// A tree of so many nodes grows no further, but its statistics do.
    pub nodes: usize,
}

impl Default for Config {
    fn default() -> Self {
        let options = Options::parse(KIND.id, KIND.options, None).expect("without options nothing can be wrong");
        Config::from_options(&options)
    }
}

impl Config {
    pub(crate) fn from_options(options: &Options) -> Config {
        let int = |name| options.int(name).expect("the option has a default");
        Config {
            budget: Budget { time: options.duration("time"), simulations: options.int("sims") },
            threads: int("threads") as usize,
            exploration: options.decimal("c").expect("the option has a default"),
            depth: int("depth") as u32,
            nodes: int("nodes") as usize,
        }
    }
}

/// Without any budget the search takes a second. It stands in the canonical text all the same.
pub(crate) fn settle_budget(options: &mut Options) {
    if options.get("sims").is_none() {
        options.give("time", OptionValue::Duration(Duration::from_secs(1)));
    }
}

/// What the list of agents says.
pub(crate) const KIND: AgentKind = AgentKind {
    id: "mcts",
    name: "Monte-Carlo tree search",
    help: "Plays many games at random from here, more of those that begin well, and takes what paid best.",
    options: &[
        AgentOption {
            name: "time",
            kind: OptionKind::Duration { max_seconds: 86_400 },
            default: None,
            help: "How long it thinks; 1s unless sims is given.",
        },
        AgentOption {
            name: "sims",
            kind: OptionKind::Int { min: 1, max: 1_000_000_000_000 },
            default: None,
            help: "How many games it tries, whatever time they take; with time, whichever comes first.",
        },
        AgentOption {
            name: "threads",
            kind: OptionKind::Int { min: 1, max: 256 },
            default: Some("1"),
            help: "How many searches run side by side.",
        },
        AgentOption {
            name: "c",
            kind: OptionKind::Decimal { min: 0.0, max: 100.0 },
            default: Some("0.7"),
            help: "More looks at more actions, less looks deeper.",
        },
        AgentOption {
            name: "depth",
            kind: OptionKind::Int { min: 0, max: 1_000_000 },
            default: Some("1000"),
            help: "After so many plies a game that it tries is broken off and pays what it pays there; 0 is never.",
        },
        AgentOption {
            name: "nodes",
            kind: OptionKind::Int { min: 1_000, max: 400_000_000 },
            default: Some("4000000"),
            help: "How large each search's tree may grow, at some 32 to 64 bytes a node.",
        },
    ],
};

/// The agent.
pub struct Mcts<G: Playable> {
    config: Config,
    stop: Stop,
    /// One a thread, with the rules they were grown for.
    kept: Option<(String, Vec<StateTree<G>>)>,
}

/// What both trees do.
trait SearchTree<G: Playable>: Send {
    /// Makes the root the position that `view` shows.
    fn begin(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng);
    /// One descent of the tree, one playout from where it ends, and what they paid carried back up.
    fn simulate(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng);
    /// Whether more simulations would change nothing.
    fn is_settled(&self) -> bool;
    /// Each action of the root with what was found out about it, in the rules' order.
    fn root_arms(&self, view: &SeatView<'_, G>) -> Vec<RootArm<G::Action>>;
    /// The line of play expected, as tokens of a history, its first action given.
    fn line(&self, view: &SeatView<'_, G>, first: G::Action) -> Vec<String>;
}

/// What one or all threads found out about an action of the root.
#[derive(Clone, Debug)]
struct RootArm<A> {
    action: A,
    visits: u64,
    /// Of the payoffs, by seat.
    sums: Vec<f64>,
    proof: Option<Vec<f64>>,
}

impl<A> RootArm<A> {
    fn new(action: A, n_seats: usize) -> Self {
        RootArm { action, visits: 0, sums: vec![0.0; n_seats], proof: None }
    }

    fn add(&mut self, other: RootArm<A>) {
        self.visits += other.visits;
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        self.proof = self.proof.take().or(other.proof);
    }

    fn values(&self) -> Vec<f64> {
        match &self.proof {
            Some(payoffs) => payoffs.clone(),
            None if self.visits == 0 => Vec::new(),
            None => self.sums.iter().map(|sum| sum / self.visits as f64).collect(),
        }
    }

    fn value(&self, seat: Seat) -> f64 {
        match &self.proof {
            Some(payoffs) => payoffs[seat],
            None if self.visits == 0 => f64::NEG_INFINITY,
            None => self.sums[seat] / self.visits as f64,
        }
    }
}

impl<G: Playable> Mcts<G> {
    /// An agent that searches as `config` says.
    pub fn new(config: Config) -> Self {
        Mcts { config, stop: Stop::default(), kept: None }
    }

    /// State trees are kept from decision to decision, and go on growing where play went on inside them.
    fn search_states(&mut self, view: &SeatView<'_, G>, start: Instant, rng: &mut FastRng) -> Advice<G::Action> {
        let rules = format!("{:?}", view.game());
        let mut trees = match self.kept.take() {
            Some((grown_for, trees)) if grown_for == rules => trees,
            _ => {
                let state = view.determinize(rng);
                (0..self.config.threads).map(|_| StateTree::new(view.game(), &self.config, state.clone())).collect()
            }
        };
        let simulations = self.grow(&mut trees, view, start, rng);
        let advice = advise(&trees, view, simulations, start, rng);
        self.kept = Some((rules, trees));
        advice
    }

    fn search_information(&mut self, view: &SeatView<'_, G>, start: Instant, rng: &mut FastRng) -> Advice<G::Action> {
        let mut trees: Vec<_> = (0..self.config.threads).map(|_| InformationTree::new(view, &self.config)).collect();
        let simulations = self.grow(&mut trees, view, start, rng);
        advise(&trees, view, simulations, start, rng)
    }

    /// Grows each tree in a thread of its own until the budget is spent; answers how many simulations were made.
    fn grow<T: SearchTree<G>>(
        &self,
        trees: &mut [T],
        view: &SeatView<'_, G>,
        start: Instant,
        rng: &mut FastRng,
    ) -> u64 {
        let (seed, n_threads) = (rng.next_u64(), trees.len() as u64);
        let settled = AtomicBool::new(false);
        let grow_one = |thread: u64, tree: &mut T| {
            let mut rng = stream(seed, "search", thread);
            let mut clock = Clock::new(self.config.budget, start, &self.stop, thread, n_threads);
            // Only where the clock decides anyway may one thread end the others' search.
            if self.config.budget.simulations.is_none() {
                clock = clock.until_settled(&settled);
            }
            tree.begin(view, &mut rng);
            while !tree.is_settled() && clock.allows_another() {
                tree.simulate(view, &mut rng);
            }
            settled.fetch_or(tree.is_settled(), Ordering::Relaxed);
            clock.simulations()
        };
        let (first, others) = trees.split_first_mut().expect("there is at least one thread");
        std::thread::scope(|scope| {
            let grow_one = &grow_one;
            let others: Vec<_> =
                (1..).zip(others).map(|(thread, tree)| scope.spawn(move || grow_one(thread, tree))).collect();
            let mine = grow_one(0, first);
            let theirs = others.into_iter().map(|thread| thread.join().expect("searching does not panic"));
            mine + theirs.sum::<u64>()
        })
    }
}

impl<G: Playable> Agent<G> for Mcts<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = Instant::now();
        let facts = view.facts();
        match view.legal_actions()[..] {
            [only] => only_choice(only, facts.n_seats, start),
            _ if facts.hidden || facts.simultaneous => self.search_information(view, start, rng),
            _ => self.search_states(view, start, rng),
        }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// Where there is no choice no time is spent.
fn only_choice<A: Copy>(action: A, n_seats: usize, start: Instant) -> Advice<A> {
    let arm = RootArm::new(action, n_seats);
    Advice {
        action,
        candidates: vec![candidate(&arm)],
        line: Vec::new(),
        simulations: 0,
        elapsed: start.elapsed(),
        proven: true,
    }
}

/// Adds up what all trees found, and chooses.
fn advise<G: Playable, T: SearchTree<G>>(
    trees: &[T],
    view: &SeatView<'_, G>,
    simulations: u64,
    start: Instant,
    rng: &mut FastRng,
) -> Advice<G::Action> {
    let mut arms = trees[0].root_arms(view);
    for tree in &trees[1..] {
        arms.iter_mut().zip(tree.root_arms(view)).for_each(|(arm, more)| arm.add(more));
    }
    let (facts, seat) = (view.facts(), view.seat());
    let best = best_arm(&arms, &facts, seat).unwrap_or_else(|| index(rng, arms.len()));
    let proven = pays_the_most(&arms[best], &facts, seat) || arms.iter().all(|arm| arm.proof.is_some());
    let best = arms.remove(best);
    arms.sort_by_key(|arm| std::cmp::Reverse(arm.visits));
    Advice {
        action: best.action,
        candidates: std::iter::once(&best).chain(&arms).map(candidate).collect(),
        line: trees[0].line(view, best.action),
        simulations,
        elapsed: start.elapsed(),
        proven,
    }
}

fn candidate<A: Copy>(arm: &RootArm<A>) -> Candidate<A> {
    Candidate { action: arm.action, visits: arm.visits, values: arm.values(), proven: arm.proof.is_some() }
}

/// Whether it is proven that no action can be better for `seat`.
fn pays_the_most<A>(arm: &RootArm<A>, facts: &Facts, seat: Seat) -> bool {
    arm.proof.is_some() && facts.payoff_range.is_some_and(|(_, high)| arm.value(seat) >= high)
}

/// The most visited action whose value is open, or the best of those proven, whichever promises more; `None` when
/// nothing was looked at.
fn best_arm<A>(arms: &[RootArm<A>], facts: &Facts, seat: Seat) -> Option<usize> {
    let by_value = |&a: &usize, &b: &usize| arms[a].value(seat).total_cmp(&arms[b].value(seat));
    // Among what is proven equal, the one that did best in simulations: it is the easiest to go wrong against.
    let chances = |&i: &usize| arms[i].sums[seat] / arms[i].visits.max(1) as f64;
    let by_chances = |a: &usize, b: &usize| chances(a).total_cmp(&chances(b));
    let by_visits = |&a: &usize, &b: &usize| arms[a].visits.cmp(&arms[b].visits);
    // The last of equals is taken, so that reversed the rules' order decides where nothing else does.
    let (proven, open): (Vec<usize>, Vec<usize>) = (0..arms.len()).rev().partition(|&i| arms[i].proof.is_some());
    let proven = proven.into_iter().max_by(|a, b| by_value(a, b).then_with(|| by_chances(a, b)));
    let open = open.into_iter().filter(|&i| arms[i].visits > 0);
    let open = open.max_by(|a, b| by_visits(a, b).then_with(|| by_value(a, b)));
    match (proven, open) {
        // What is open may be better than it looks, or an opponent may err: a known value must be better, not equal.
        (Some(proven), Some(open)) => {
            let known_is_better = arms[proven].value(seat) > arms[open].value(seat);
            Some(if known_is_better || pays_the_most(&arms[proven], facts, seat) { proven } else { open })
        }
        (proven, open) => open.or(proven),
    }
}

/// The canonical text of an action, with its seat where several may act.
fn token<G: Playable>(game: &G, state: &G::State, seat: Seat, action: G::Action) -> String {
    let text = game.action_text(state, seat, action);
    match game.phase(state) {
        Phase::Act(seats) if seats.len() > 1 => format!("{seat}:{text}"),
        _ => text,
    }
}
