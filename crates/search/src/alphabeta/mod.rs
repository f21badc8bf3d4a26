//! Alpha-beta, for every game.
//!
//! Two seats whose payoffs have a constant sum, nothing hidden and nothing left to chance: [`two_seats`], with a table
//! that joins transpositions. All else: [`by_value`]: chance by expectation with Star1 and Star2, any number of seats.
//! Where something is hidden full states are drawn and searched as if everybody saw them; see [`crate::deepening`].
//!
//! Promises: what is said to be proven or exact is so, whatever the path, where nothing is hidden. A budget of nodes is kept
//! to the node, and with one thread the result is then a function of view and seed. With several threads it is not.
//! Where a depth is broken off the values told are those of the last one completed, but for what the deeper search found
//! better than the best of that one; each value says its depth. Late moves are looked at a ply less deep, so that the depth by
//! which all is known may be greater than the number of plies that are left.
//! Not here: null moves, since nothing in a game's facts says that to pass is never better than to move, nor is there a
//! pass in the rules of most.
//! Checked against: plain minimax on trees of brackets and on the small positions of all games.

mod by_value;
mod ordering;
mod table;
mod two_seats;
mod value_table;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Atomic};
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Class, Classes, Facts, Phase};
use raichi_core::host::Job;
use raichi_core::information::SeatView;
use raichi_core::order::sort_by_keys;
use raichi_core::path::PathState;
use raichi_core::random::{FastRng, shuffle};

use crate::agent::{Advice, Budget, Candidate, Certainty, Cost, Limits, Session};
use crate::clock::Clock;
use crate::deepening::{DEEPEST, Deepening, Estimates, deepen, only_choice};
use crate::evaluator::Evaluator;
use crate::line::tokens_of_actions;
use crate::options::{AgentOption, OptionKind, Options};
use by_value::ByValue;
use ordering::Ordering;
use table::Table;
use two_seats::{Methods, RootAction, Scale, Search};
use value_table::ValueTable;

/// The options of the search, after those of the budget and the evaluator.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "depth",
        kind: OptionKind::Int { min: 0, max: DEEPEST as u64 },
        default: Some("0"),
        help: "How many plies it looks ahead; 0 is as many as the budget allows.",
    },
    AgentOption {
        name: "threads",
        kind: OptionKind::Int { min: 1, max: 256 },
        default: Some("1"),
        help: "How many threads search, in games of two seats without chance and secrets; in others it is one.",
    },
    AgentOption {
        name: "memory",
        kind: OptionKind::Int { min: 1, max: 1_000_000 },
        default: Some("64"),
        help: "What its table of positions may take, in MiB; it takes less where the budget has no use for more.",
    },
    AgentOption {
        name: "values",
        kind: OptionKind::Choice { options: &["best", "all"] },
        default: Some("best"),
        help: "best: of all actions but the best it finds out only that they are no better; all: the value of each, which takes longer, until one is known to win.",
    },
    AgentOption {
        name: "seats",
        kind: OptionKind::Choice { options: &["max-n", "paranoid", "best-reply"] },
        default: Some("max-n"),
        help: "With three seats and more: max-n: each takes what is best for it; paranoid: all others play against this one; best-reply: one of the others does at a time, and the rest play what looks best to them.",
    },
    AgentOption {
        name: "worlds",
        kind: OptionKind::Int { min: 1, max: 10_000 },
        default: Some("16"),
        help: "Where something is hidden: how many possible positions are drawn, each searched as if everything were known; an action is worth what it is worth on average. Seats that act together act one after the other there.",
    },
    AgentOption {
        name: "outcomes",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("40"),
        help: "Where chance can do more than this, so many outcomes are drawn and the others left out; 0 is never.",
    },
    AgentOption {
        name: "reductions",
        kind: OptionKind::Choice { options: &["on", "off"] },
        default: Some("on"),
        help: "on: actions that come late in the order are first searched less deep, in games of two seats; off: a depth means the same as for plain minimax.",
    },
];

/// What becomes of the payoffs of seats that are not the searching one's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// Each takes what is best for it.
    MaxN,
    /// All play against the seat that searches.
    Paranoid,
    /// One of them at a time does.
    BestReply,
}

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How many actions deep at most.
    pub depth: u32,
    /// How many threads search games of two seats.
    pub threads: usize,
    /// What the table may take, in bytes.
    pub memory: usize,
    /// Whether the values of all actions are asked for.
    pub whole: bool,
    /// With three seats and more.
    pub others: Others,
    /// How many states are drawn where something is hidden.
    pub worlds: usize,
    /// At most so many outcomes of chance are looked at; 0 is all.
    pub outcomes: usize,
    /// Whether actions that come late in the order are first searched less deep, in games of two seats. On, since it won
    /// matches; off, a depth means the same as for plain minimax.
    pub reductions: bool,
}

impl Default for Config {
    fn default() -> Self {
        let options = Options::parse("alphabeta", OPTIONS, None, None).expect("without options nothing can be wrong");
        Config::from_options(&options)
    }
}

impl Config {
    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        let int = |name| options.int(name).expect("the option has a default") as usize;
        Config {
            depth: if int("depth") == 0 { DEEPEST } else { int("depth") as u32 },
            threads: int("threads"),
            memory: int("memory") << 20,
            whole: options.choice("values") == Some("all"),
            others: match options.choice("seats") {
                Some("paranoid") => Others::Paranoid,
                Some("best-reply") => Others::BestReply,
                _ => Others::MaxN,
            },
            worlds: int("worlds"),
            outcomes: int("outcomes"),
            reductions: options.choice("reductions") != Some("off"),
        }
    }
}

/// A search in one game in progress.
pub struct AlphaBeta<G: Playable> {
    config: Config,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    /// What the last decision left.
    table: Option<Table>,
    values: Option<ValueTable>,
    orderings: Vec<Ordering<G>>,
}

impl<G: Playable> AlphaBeta<G> {
    /// A search as `config` says, with an evaluator or without.
    pub fn new(config: Config, evaluator: Option<Arc<dyn Evaluator<G>>>) -> Self {
        AlphaBeta { config, evaluator, table: None, values: None, orderings: Vec::new() }
    }

    fn search_two_seats(
        &mut self,
        view: &SeatView<'_, G>,
        scale: Scale,
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let config = self.config;
        let (state, seat) = (view.determinize(rng), view.seat());
        let mut actions = view.legal_actions();
        // Which of equals comes first is left to chance.
        shuffle(rng, &mut actions);
        let n_threads = config.threads;
        let n_entries = entries(limits.budget, n_threads);
        let table = self.table.get_or_insert_with(|| Table::new(config.memory, n_entries));
        table.begin_decision(config.memory, n_entries);
        self.orderings.resize_with(n_threads, Ordering::default);
        for ordering in &mut self.orderings {
            ordering.begin_decision();
        }

        let settled = AtomicBool::new(false);
        let methods = Methods { whole: config.whole, reductions: config.reductions };
        let clock = |thread| Clock::of_nodes(*limits, start, thread, n_threads as u64).until_settled(&settled);
        let evaluator = self.evaluator.as_deref();
        let mut searches: Vec<Search<'_, G>> = Vec::with_capacity(n_threads);
        for ordering in &mut self.orderings {
            let (game, state, clock) = (view.game(), state.clone(), clock(searches.len() as u64));
            searches.push(Search::new(game, evaluator, scale, methods, table, ordering, clock, state, seat, &actions));
        }
        // Lazy SMP: all search the same, every second one a ply deeper, and meet in the table.
        let mut jobs: Vec<Job<'_>> = Vec::with_capacity(n_threads);
        for search in &mut searches {
            let (first, settled) = (1 + jobs.len() as u32 % 2, &settled);
            jobs.push(Box::new(move || {
                search.deepen(first.min(config.depth), config.depth);
                // The others have nothing left to do when one is through.
                settled.fetch_or(search.completed == config.depth || search.is_proven(), Atomic::Relaxed);
            }));
        }
        limits.host.run_all(jobs);
        let mut nodes = 0;
        let mut best = &searches[0];
        for search in &searches {
            nodes += search.nodes();
            if (search.is_proven(), search.completed) > (best.is_proven(), best.completed) {
                best = search;
            }
        }
        let cost = Cost {
            simulations: 0,
            nodes,
            depth: Some(best.completed),
            elapsed: limits.host.now().saturating_sub(start),
        };
        advise(view, &state, &best.findings(), best.is_proven(), scale, cost)
    }
}

impl<G: Playable> Session<G> for AlphaBeta<G> {
    /// In games of two seats with a constant sum, without chance or secrets, the position is searched for the other seat,
    /// and the table remembers it; elsewhere nothing is done.
    fn ponder(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) {
        if const { G::CLASSES.has(Class::Adversarial) } {
            let start = limits.host.now();
            let (Some(scale), Phase::Act(seats)) = (adversarial_scale(&view.facts()), view.phase()) else { return };
            let state = view.determinize(rng);
            let choices = view.choices().expect("where nothing is hidden every choice is seen");
            let other = SeatView::new(view.game(), &state, choices, seats.first());
            if other.legal_actions().len() > 1 {
                self.search_two_seats(&other, scale, limits, start, rng);
            }
        }
    }

    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        if let [only] = view.legal_actions()[..] {
            return only_choice(only);
        }
        let facts = view.facts();
        if const { G::CLASSES.has(Class::Adversarial) }
            && let Some(scale) = adversarial_scale(&facts)
        {
            return self.search_two_seats(view, scale, limits, start, rng);
        }
        if const { G::CLASSES.meets(NOT_ADVERSARIAL) } {
            return self.search_by_value(view, limits, start, rng);
        }
        unreachable!("every game of this type is adversarial")
    }
}

/// Which games are searched by expectation and by what each seat gets.
const NOT_ADVERSARIAL: Classes = Classes::PERFECT_INFORMATION.and(Classes::IMPERFECT_INFORMATION);

impl<G: Playable> AlphaBeta<G> {
    fn search_by_value(
        &mut self,
        view: &SeatView<'_, G>,
        limits: &Limits<'_>,
        start: Duration,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let facts = view.facts();
        let Config { depth, whole, worlds, others, outcomes, memory, .. } = self.config;
        let estimates = Estimates::new(self.evaluator.clone(), facts);
        let n_entries = entries(limits.budget, 1);
        let table = self.values.take().unwrap_or_else(|| ValueTable::new(memory, n_entries, facts.n_seats));
        let mut search = ByValue::new(estimates, others, outcomes, table);
        let advice = deepen(&mut search, Deepening { last: depth, worlds, whole }, view, limits, start, rng);
        self.values = Some(search.into_table());
        advice
    }
}

/// The scale of adversarial games; `None` of others.
fn adversarial_scale(facts: &Facts) -> Option<Scale> {
    (facts.class() == Class::Adversarial).then(|| Scale::of(facts)).flatten()
}

/// For how many positions a table has a use, within a budget.
fn entries(budget: Budget, n_threads: usize) -> u64 {
    /// What a thread finds out about in a second, roughly.
    const EACH_SECOND: f64 = 1e6;
    let by_time = budget.time.map_or(u64::MAX, |time| (time.as_secs_f64() * EACH_SECOND * n_threads as f64) as u64);
    by_time.min(budget.nodes.unwrap_or(u64::MAX))
}

/// The actions of the root, the best first, with what was found out about them.
fn advise<G: Playable>(
    view: &SeatView<'_, G>,
    state: &PathState<G>,
    root: &[RootAction<G::Action>],
    proven: bool,
    scale: Scale,
    cost: Cost,
) -> Advice<G::Action> {
    let seat = view.seat();
    let sum = view.facts().payoff_sum.expect("the sum is constant");
    let candidate = |found: &RootAction<G::Action>| {
        let own = scale.payoff(found.score);
        let mut values = if found.depth == 0 { Vec::new() } else { vec![sum - own; 2] };
        if let Some(value) = values.get_mut(seat) {
            *value = own;
        }
        let certainty = match found {
            RootAction { depth: 0, .. } => Certainty::Unknown,
            RootAction { at_most: true, .. } => Certainty::UpperBound,
            RootAction { at_least: true, .. } => Certainty::LowerBound,
            RootAction { proven: true, .. } => Certainty::Exact,
            _ => Certainty::Estimate { standard_error: None },
        };
        let depth = (found.depth > 0).then_some(found.depth);
        Candidate { action: found.action, values, certainty, visits: None, depth, plies: None }
    };
    let (best, others) = root.split_first().expect("there are several actions");
    let mut order: Vec<usize> = (0..others.len()).collect();
    sort_by_keys(&mut order, |&i| (others[i].depth == 0, Reverse(others[i].score)));
    let mut candidates = Vec::with_capacity(root.len());
    candidates.push(candidate(best));
    for i in order {
        candidates.push(candidate(&others[i]));
    }
    Advice {
        action: best.action,
        candidates,
        line: tokens_of_actions(view.game(), state, &best.line),
        cost,
        proven,
        known_by: None,
        why: None,
    }
}
