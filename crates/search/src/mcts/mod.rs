//! Monte-Carlo tree search, for every game.
//!
//! After Coulom (*Efficient selectivity and backup operators in Monte-Carlo tree search*, 2006) and Kocsis and
//! Szepesvári (*Bandit based Monte-Carlo planning*, 2006): a simulation walks down the tree by upper confidence bounds,
//! plays on at random from where it leaves it, and counts what that paid on the way back up.
//!
//! Three trees serve: [`state_tree`] where every seat sees everything, with chance nodes, any number of seats and proofs;
//! [`information_tree`] where something is hidden or seats act together, with determinizations; and, where it is asked for,
//! [`forest`] where something is hidden, in which the other seats do not know the searching seat's secrets. Budgets, threads
//! and the choice of an action are shared here.
//!
//! Promises: in a game of perfect information `proven` means proven, and with enough simulations and memory every finite
//! game is. With secrets nothing is. A budget of nodes counts the positions entered by an action, in the tree and in
//! playouts; the simulation that enters the last one is finished. A budget of simulations or nodes makes the result a
//! function of view and seed alone in one thread, and with secrets in any number of them, where each has a tree of its own; threads that share a tree do not
//! promise it, and neither does a budget of time. The tree takes the memory that was asked for, all of it from the
//! start; from then on simulations allocate nothing but what the rules of a game allocate.
//! Not here: knowledge of any game; it comes in as [`Knowledge`].
//!
//! What knows the types of a game is compiled for each game. Where time does not matter it fills lists by loops: each adapter
//! of an iterator would be compiled for each game too.
//! Checked against: exact values of trees written by hand; tic-tac-toe solved, by one thread and by several; Kuhn poker's
//! secrets; allocations counted (`tests/memory.rs`).

mod exploration;
mod forest;
mod information_tree;
mod playouts;
mod proofs;
mod root;
mod state_tree;
mod statistics;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Class, Classes, Game, Phase};
use raichi_core::host::Job;
use raichi_core::information::SeatView;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, Rng, stream};

use crate::agent::{Advice, Cost, Limits, Session};
use crate::clock::Clock;
use crate::line::token;
use crate::options::{AgentOption, OptionKind, Options};
use forest::Forest;
use information_tree::InformationTree;
use state_tree::StateTree;

pub use playouts::{Knowledge, Playouts};

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// How many threads search. At least 1.
    pub threads: usize,
    /// UCB's constant, for payoffs between 0 and 1. A larger value looks at more actions, a smaller one looks deeper.
    pub exploration: f64,
    /// A playout is broken off after so many plies and pays what the game pays there; 0 is never.
    pub depth: u32,
    /// What the tree may take, in bytes. A tree that has no room left grows no further, but its statistics do.
    pub memory: usize,
    /// How playouts choose.
    pub playouts: Playouts,
    /// RAVE's equivalence parameter: at so many visits the average of all moves as first counts for half; 0 is off.
    pub rave: f64,
    /// Whether ends of the game are looked for when a node gets its children.
    pub decisive: bool,
    /// Whether positions that several ways lead to have their children in common.
    pub joins: bool,
    /// What an evaluator's priors are used for.
    pub priors: Priors,
    /// How much priors count, for payoffs between 0 and 1.
    pub prior_weight: f64,
    /// First-play urgency, where actions are chosen by priors: how much less than its position an action is worth before it is tried,
    /// for payoffs between 0 and 1. Elsewhere all actions are tried at each seat's first choice of a simulation.
    pub fpu: f64,
    /// What goes up from a node.
    pub backup: Backup,
    /// How seats that act together choose.
    pub together: Together,
    /// Whether each seat learns from what is drawn from its own view, in games with secrets.
    pub redeterminize: bool,
    /// With an evaluator a playout ends after so many plies, and the evaluator says what it pays.
    pub cut: u32,
}

impl Default for Config {
    fn default() -> Self {
        let options = Options::parse("mcts", OPTIONS, None, None).expect("without options nothing can be wrong");
        Config::from_options(&options)
    }
}

impl Config {
    /// After how many plies a playout is broken off.
    fn longest_playout<G: Game>(&self, knowledge: &Knowledge<G>) -> u32 {
        match (&knowledge.evaluator, self.depth) {
            (Some(_), _) => self.cut,
            (None, 0) => u32::MAX,
            (None, depth) => depth,
        }
    }

    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        let int = |name| options.int(name).expect("the option has a default");
        Config {
            threads: int("threads") as usize,
            exploration: options.decimal("c").expect("the option has a default"),
            depth: int("depth") as u32,
            memory: usize::try_from(int("memory") << 20).unwrap_or(usize::MAX),
            playouts: match options.choice("playouts") {
                Some("mast") => Playouts::Mast,
                Some("reply") => Playouts::Reply,
                Some("policy") => Playouts::Policy,
                _ => Playouts::Uniform,
            },
            rave: int("rave") as f64,
            decisive: options.choice("decisive") == Some("on"),
            joins: options.choice("joins") == Some("on"),
            priors: match options.choice("priors") {
                Some("bias") => Priors::Bias,
                Some("off") => Priors::Off,
                _ => Priors::Puct,
            },
            prior_weight: options.decimal("prior-weight").expect("the option has a default"),
            fpu: options.decimal("fpu").expect("the option has a default"),
            backup: if options.choice("backup") == Some("best") { Backup::Best } else { Backup::Mean },
            cut: int("cut") as u32,
            redeterminize: options.choice("redeterminize") == Some("on"),
            together: match options.choice("together") {
                Some("regret") => Together::Regret,
                _ => Together::Bounds,
            },
        }
    }
}

/// The options of the search, after those of the budget.
pub const OPTIONS: &[AgentOption] = &[
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
        help: "A larger value looks at more actions, a smaller one looks deeper.",
    },
    AgentOption {
        name: "depth",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("1000"),
        help: "After so many plies a game that it tries is broken off and pays what it pays there; 0 is never.",
    },
    AgentOption {
        name: "memory",
        kind: OptionKind::Int { min: 1, max: 16_384 },
        default: Some("256"),
        help: "What its tree may take, in MiB.",
    },
    AgentOption {
        name: "playouts",
        kind: OptionKind::Choice { options: &["uniform", "mast", "reply", "policy"] },
        default: Some("uniform"),
        help: "How the games that it tries go on: at random, by what paid on average, by the last good reply, or as the game's own policy says.",
    },
    AgentOption {
        name: "rave",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("0"),
        help: "For so many visits what an action paid later in the game counts for it now; 0 is never.",
    },
    AgentOption {
        name: "decisive",
        kind: OptionKind::Choice { options: &["off", "on"] },
        default: Some("off"),
        help: "Whether it looks for actions that end the game wherever its tree grows.",
    },
    AgentOption {
        name: "joins",
        kind: OptionKind::Choice { options: &["off", "on"] },
        default: Some("off"),
        help: "Whether what it finds out about a position serves all ways that lead there.",
    },
    AgentOption {
        name: "priors",
        kind: OptionKind::Choice { options: &["puct", "bias", "off"] },
        default: Some("puct"),
        help: "What it does with an evaluator's opinion of actions: chooses by it, adds it to their value, or nothing.",
    },
    AgentOption {
        name: "prior-weight",
        kind: OptionKind::Decimal { min: 0.0, max: 100.0 },
        default: Some("0.4"),
        help: "How much an evaluator's opinion of actions counts.",
    },
    AgentOption {
        name: "fpu",
        kind: OptionKind::Decimal { min: 0.0, max: 100.0 },
        default: Some("0.05"),
        help: "With an evaluator's opinion of actions: how much less than its position an action is worth before it is tried.",
    },
    AgentOption {
        name: "backup",
        kind: OptionKind::Choice { options: &["mean", "best"] },
        default: Some("mean"),
        help: "What a position is worth: the mean of what was tried from there, or its best action, for one seat, or two that share a constant sum, where all is known.",
    },
    AgentOption {
        name: "cut",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("0"),
        help: "With an evaluator: after how many random plies it values the position.",
    },
    AgentOption {
        name: "together",
        kind: OptionKind::Choice { options: &["bounds", "regret"] },
        default: Some("bounds"),
        help: "Where seats act at the same time: each takes what promises most, or mixes its actions by regret matching.",
    },
    AgentOption {
        name: "redeterminize",
        kind: OptionKind::Choice { options: &["off", "on"] },
        default: Some("off"),
        help: "With secrets: whether the others choose by what they know themselves, so that they can be bluffed.",
    },
];

/// What an evaluator's priors are used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priors {
    /// The children of a node are chosen by PUCT.
    Puct,
    /// The value of a child has a bias that fades with its visits.
    Bias,
    /// Nothing.
    Off,
}

/// What a node of a tree is worth by what was tried below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// The mean of its visits.
    Mean,
    /// What its best action is worth, where one payoff tells those of all seats and everything is known. What an
    /// evaluator says counts then as if it were certain, which suits puzzles: one good way is enough.
    Best,
}

/// How seats choose that act together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Together {
    /// By upper confidence bounds, each for itself (decoupled UCT).
    Bounds,
    /// By regret matching, each for itself; the action played is drawn from the average strategy.
    Regret,
}

/// A search in one game in progress.
pub struct Mcts<G: Playable> {
    config: Config,
    knowledge: Knowledge<G>,
    kept: Option<Kept<G>>,
}

/// What the last decision left.
struct Kept<G: Playable> {
    /// The choices that led to the root.
    followed: Vec<Choice<G>>,
    tree: StateTree<G>,
}

/// One thread's part of a search.
trait Simulator: Send {
    /// One descent of the tree, one playout from where it ends, and what they paid carried back up. Returns how many
    /// positions were entered by an action, in the tree and in the playout.
    fn simulate(&mut self, rng: &mut FastRng) -> u64;

    /// Whether more simulations would change nothing.
    fn is_settled(&self) -> bool;
}

impl<G: Playable> Mcts<G> {
    /// A search as `config` says.
    pub fn new(config: Config) -> Self {
        Mcts::knowing(config, Knowledge::default())
    }

    /// The same with what is known about the game. Where something is hidden or seats act together an evaluator's values
    /// are used, its priors and a playout policy are not.
    pub fn knowing(config: Config, knowledge: Knowledge<G>) -> Self {
        Mcts { config, knowledge, kept: None }
    }

    fn search_states(
        &mut self,
        view: &SeatView<'_, G>,
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let choices = view.choices().expect("where nothing is hidden every choice is seen");
        let (tree, cost) = self.grown_tree(view, choices, limits, start, rng);
        let actions = view.legal_actions();
        let arms = tree.root_arms(view.game(), &actions);
        let cost = Cost { elapsed: limits.host.now().saturating_sub(start), ..cost };
        let advice = root::advise(arms, &view.facts(), view.seat(), cost, rng);
        let advice = in_actions::<G>(advice, &actions, |action| tree.line(view, action));
        self.kept = Some(Kept { followed: choices.to_vec(), tree });
        advice
    }

    /// The tree of this position, with what a budget adds to it, and what of the budget that took.
    fn grown_tree(
        &mut self,
        view: &SeatView<'_, G>,
        choices: &[Choice<G>],
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> (StateTree<G>, Cost) {
        let mut tree = self.tree_for(view.game(), choices, view.determinize(rng));
        let mut descents = tree.descents(view.game(), self.config.threads, rng);
        let cost = grow(erased(&mut descents), limits, start, rng);
        let mut found = Vec::with_capacity(descents.len());
        for descent in descents {
            found.push(descent.found());
        }
        tree.add(found);
        (tree, cost)
    }

    /// A tree with `state` as its root: that of the last decision where play has gone on inside it, or else a new one, in
    /// the same memory if there is some.
    fn tree_for(&mut self, game: &PathGame<G>, choices: &[Choice<G>], state: PathState<G>) -> StateTree<G> {
        if let Some(Kept { followed, mut tree }) = self.kept.take() {
            let since = choices.strip_prefix(followed.as_slice());
            let follows = since.is_some_and(|since| tree.advance(game, since));
            // Another game may have begun with the same choices.
            if follows && tree.root_state().position() == state.position() || tree.plant(game, state.clone()) {
                return tree;
            }
        }
        StateTree::new(game, &self.config, &self.knowledge, state)
    }

    fn search_information(
        &mut self,
        view: &SeatView<'_, G>,
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let mut trees: Vec<_> =
            (0..self.config.threads).map(|_| InformationTree::new(view, &self.config, &self.knowledge)).collect();
        let cost = grow(erased(&mut trees), limits, start, rng);
        let arms = root::add(trees.iter().map(InformationTree::root_arms).collect());
        let elapsed = limits.host.now().saturating_sub(start);
        let strategies = trees.iter().filter_map(|tree| tree.root_strategy(view.seat()));
        let strategy = strategies.reduce(|sum, more| sum.iter().zip(more).map(|(a, b)| a + b).collect());
        let drawn = strategy.map(|strategy| draw(&strategy, rng));
        let mut advice = root::advise(arms, &view.facts(), view.seat(), Cost { elapsed, ..cost }, rng);
        if let Some(drawn) = drawn {
            root::choose(&mut advice, drawn);
        }
        in_actions::<G>(advice, &view.legal_actions(), |action| trees[0].line(view, action))
    }

    fn search_forest(
        &mut self,
        view: &SeatView<'_, G>,
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let mut forests: Vec<_> =
            (0..self.config.threads).map(|_| Forest::new(view, &self.config, &self.knowledge)).collect();
        let cost = grow(erased(&mut forests), limits, start, rng);
        let arms = root::add(forests.iter().map(Forest::root_arms).collect());
        // What the others do is drawn, so that no line is expected beyond the action.
        let line = |action| {
            let state = view.determinize(&mut stream(0, "line", 0));
            vec![token(view.game(), &state, view.seat(), action)]
        };
        let elapsed = limits.host.now().saturating_sub(start);
        let advice = root::advise(arms, &view.facts(), view.seat(), Cost { elapsed, ..cost }, rng);
        in_actions::<G>(advice, &view.legal_actions(), line)
    }
}

/// The index of one of `weights`, which are not all 0, drawn by them.
fn draw(weights: &[f64], rng: &mut FastRng) -> usize {
    let mut left = weights.iter().sum::<f64>() * random_fraction(rng);
    let mut last = 0;
    for (i, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
        last = i;
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// Simulates in a thread for each of `simulators` until the budget is spent; returns how many simulations and nodes that
/// were.
fn grow(simulators: Vec<&mut dyn Simulator>, limits: &Limits<'_>, start: Duration, rng: &mut FastRng) -> Cost {
    let (seed, n_threads) = (rng.next_u64(), simulators.len() as u64);
    let settled = AtomicBool::new(false);
    let grow_one = |thread: u64, simulator: &mut dyn Simulator| {
        let mut rng = stream(seed, "search", thread);
        let mut clock = Clock::new(*limits, start, thread, n_threads);
        // Only where the clock decides anyway may one thread end the others' search.
        if limits.budget.simulations.is_none() && limits.budget.nodes.is_none() {
            clock = clock.until_settled(&settled);
        }
        // Compiled once: two indirect calls are nothing beside a simulation.
        while !simulator.is_settled() && clock.allows_another() {
            // One that enters nothing would never use up a budget.
            clock.enter(simulator.simulate(&mut rng).max(1));
        }
        settled.fetch_or(simulator.is_settled(), Ordering::Relaxed);
        [clock.simulations(), clock.nodes()]
    };
    let mut made = vec![[0; 2]; simulators.len()];
    let grow_one = &grow_one;
    let mut jobs: Vec<Job<'_>> = Vec::with_capacity(simulators.len());
    for (thread, (simulator, made)) in (0..).zip(simulators.into_iter().zip(&mut made)) {
        jobs.push(Box::new(move || *made = grow_one(thread, simulator)));
    }
    limits.host.run_all(jobs);
    made.iter().fold(Cost::default(), |all, [simulations, nodes]| Cost {
        simulations: all.simulations + simulations,
        nodes: all.nodes + nodes,
        ..all
    })
}

/// Simulators without their types.
fn erased<S: Simulator>(simulators: &mut [S]) -> Vec<&mut dyn Simulator> {
    let mut erased: Vec<&mut dyn Simulator> = Vec::with_capacity(simulators.len());
    for simulator in simulators {
        erased.push(simulator);
    }
    erased
}

impl<G: Playable> Session<G> for Mcts<G> {
    /// Regrets are of all who act: each would else be sure of what the others draw at random.
    fn thinks_of_all_who_act(&self) -> bool {
        self.config.together == Together::Regret
    }

    /// Where nothing is hidden the tree of the next decision is grown; elsewhere every decision has a tree of its own,
    /// and there is nothing to be done.
    fn ponder(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) {
        if const { G::CLASSES.meets(Classes::NO_SECRETS) } {
            let has_secrets = view.facts().class() == Class::ImperfectInformation;
            if has_secrets || !matches!(view.phase(), Phase::Act(_)) {
                return;
            }
            let start = limits.host.now();
            let choices = view.choices().expect("where nothing is hidden every choice is seen");
            let tree = self.grown_tree(view, choices, limits, start, rng).0;
            self.kept = Some(Kept { followed: choices.to_vec(), tree });
        }
    }

    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        let facts = view.facts();
        if let [only] = view.legal_actions()[..] {
            return root::only_choice(&facts, view.seat()).of(&[only]);
        }
        if const { G::CLASSES.has(Class::ImperfectInformation) } && facts.class() == Class::ImperfectInformation {
            return match self.config.redeterminize && !facts.simultaneous {
                true => self.search_forest(view, limits, start, rng),
                false => self.search_information(view, limits, start, rng),
            };
        }
        if const { G::CLASSES.meets(Classes::NO_SECRETS) } {
            return self.search_states(view, limits, start, rng);
        }
        unreachable!("every game of this type has secrets")
    }
}

/// The advice with the root's actions in place of their numbers, and the line that follows.
fn in_actions<G: Playable>(
    advice: Advice<usize>,
    actions: &[G::Action],
    line: impl FnOnce(G::Action) -> Vec<String>,
) -> Advice<G::Action> {
    let advice = advice.of(actions);
    Advice { line: line(advice.action), ..advice }
}

/// A random number from 0 up to 1.
#[inline]
fn random_fraction<R: Rng>(rng: &mut R) -> f64 {
    // 53 bits are all that a double holds.
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
