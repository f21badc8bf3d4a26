//! Depth-first proof-number search: whether the seat to act has won, and if not, whether it can be sure of a draw.
//!
//! After Allis (*Searching for solutions in games and artificial intelligence*, 1994) and Nagai (*Df-pn algorithm for
//! searching AND/OR trees and its applications*, 2002), with the thresholds of Pawlewicz and Lew (*Improving depth-first
//! PN-search: 1 + ε trick*, 2007) and leaves numbered by their mobility. The table has a fixed size and replaces what cost
//! least; the positions between the root and the search lie on a stack of their own, so that long games do no harm.
//!
//! The *goal* is a payoff that the seat to act wants to be sure of: first the greatest there is (a win), then half of the
//! sum (a draw), each as a question with the results proven, disproven and unknown. Together they bound the value of the
//! position and of every action; where the bounds meet the value is exact.
//!
//! *Repetition.* Where the path decides (a third occurrence, plies without progress, a cap) a position may be won on one way
//! and not on another: the graph-history interaction problem. As in Kishimoto and Müller (*A general solution to the graph
//! history interaction problem*, 2004) what is solved is kept for the way on which it was solved, that is under a key of
//! position and path ([`raichi_core::path::PathGame::path_key`]), and on another way it counts only after it was checked
//! there: the winner's actions are followed against all replies under the rules of the path. Numbers that prove nothing are
//! shared by all ways. So what is said to be proven is proven by the rules as they stand, and in games whose positions
//! come back much is searched more than once.
//!
//! Fits games of two seats whose payoffs have a constant sum, without chance and secrets.
//! Promises: proven and disproven are so (but for two positions of one 64-bit key). While the budget is not spent it goes on
//! until both questions are answered; when it is, the action with the least proof number is played among those that are not
//! known to be worse. A budget of nodes decides the result.
//! Not here: threads; the shortest win; numbers corrected for positions that are reached on several ways, which count
//! repeatedly.
//! Checked against: exact values of trees written by hand and drawn, plain search of small positions of all fitting games,
//! repetition and caps included, and solved games.

mod search;
mod table;

use std::cmp::Reverse;

use raichi_core::erased::Playable;
use raichi_core::game::Facts;
use raichi_core::information::SeatView;
use raichi_core::order::Total;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Budget, Candidate, Certainty, Cost, Limits, Session};
use crate::clock::Clock;
use crate::options::{AgentOption, OptionKind, Options};
use search::{Child, Goal, Search, Seen};
use table::Table;

/// How a search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// The most that the table may take, in bytes.
    pub memory: usize,
    /// By how much the numbers of the best action may exceed the second's before another one is looked at.
    pub epsilon: f64,
}

impl Default for Config {
    fn default() -> Self {
        let options = Options::parse("dfpn", OPTIONS, None, None).expect("without options nothing can be wrong");
        Config::from_options(&options)
    }
}

impl Config {
    /// What the options say.
    pub fn from_options(options: &Options) -> Config {
        Config {
            memory: (options.int("memory").expect("the option has a default") as usize) << 20,
            epsilon: options.decimal("epsilon").expect("the option has a default"),
        }
    }
}

/// The options of the search, after those of the budget.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "memory",
        kind: OptionKind::Int { min: 1, max: 65_536 },
        default: Some("64"),
        help: "How large its table may grow, in MiB.",
    },
    AgentOption {
        name: "epsilon",
        kind: OptionKind::Decimal { min: 0.0, max: 10.0 },
        default: Some("0.25"),
        help: "The larger it is, the longer the search stays with an action before it looks at another one.",
    },
];

/// Why the search cannot play a game with these facts, as a sentence.
///
/// # Errors
/// When it cannot.
pub fn supports(facts: &Facts) -> Result<(), String> {
    let why = match facts {
        Facts { n_seats, .. } if *n_seats != 2 => {
            return Err(format!("it proves wins between two seats, and this game has {n_seats}"));
        }
        Facts { chance: true, .. } => "it proves wins, and in this game chance decides",
        Facts { hidden: true, .. } => "it proves wins, and in this game something is hidden",
        Facts { simultaneous: true, .. } => "it asks one seat after the other, and here they act at the same time",
        Facts { payoff_sum: None, .. } | Facts { payoff_range: None, .. } => {
            "it proves wins, and here what one seat gets is not what the other one loses"
        }
        _ => return Ok(()),
    };
    Err(why.into())
}

/// A search in one game in progress. What it has proven stays from decision to decision.
pub struct DfPn {
    config: Config,
    table: Table,
    /// About each goal that was ever searched for.
    seen: Vec<(Goal, Seen)>,
}

/// What is known of a payoff.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    fn at_least(&mut self, payoff: f64) {
        self.low = self.low.max(payoff).min(self.high);
    }

    fn at_most(&mut self, payoff: f64) {
        self.high = self.high.min(payoff).max(self.low);
    }

    fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// What was found out about an action of the root. Actions are told apart by their places, so that what chooses among them is
/// compiled once and not for each game.
struct RootAction {
    bounds: Bounds,
    /// The proof number of the last goal that it was not solved for.
    proof: u32,
    work: u64,
}

impl DfPn {
    /// A search as `config` says.
    pub fn new(config: Config) -> Self {
        DfPn { config, table: Table::new(config.memory), seen: Vec::new() }
    }

    /// Asks one question: the root's bounds and those of its actions are tightened by what was found.
    fn ask<G: Playable>(
        &mut self,
        game: &PathGame<G>,
        root: &PathState<G>,
        goal: Goal,
        clock: &mut Clock<'_>,
        legal: &[G::Action],
        actions: &mut [RootAction],
    ) {
        let i = self.seen.iter().position(|&(known, _)| known == goal).unwrap_or(self.seen.len());
        if i == self.seen.len() {
            self.seen.push((goal, Seen::NOTHING));
        }
        let mut search = Search {
            game,
            goal,
            table: &mut self.table,
            clock,
            seen: &mut self.seen[i].1,
            epsilon: self.config.epsilon,
            path_decides: game.facts().path_dependent,
            is_over: false,
            scratch: Vec::new(),
        };
        let children = search.run(root);
        let seen = self.seen[i].1;
        for Child { action, numbers, work } in children {
            let place = legal.iter().position(|&known| known == action).expect("they are the root's");
            let known = &mut actions[place];
            known.work += work;
            if numbers.is_proven() {
                known.bounds.at_least(seen.least_reaching.max(goal.at_least));
            } else if numbers.is_disproven() {
                known.bounds.at_most(seen.greatest_missing);
            } else {
                known.proof = numbers.proof;
            }
        }
    }

    /// What the position is worth as far as the budget goes, also where there is only one action: deciding needs no search then,
    /// but who asks for the value does.
    pub fn examine<G: Playable>(
        &mut self,
        view: &SeatView<'_, G>,
        limits: &Limits<'_>,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let start = limits.host.now();
        let (facts, seat, game) = (view.facts(), view.seat(), view.game());
        let legal = view.legal_actions();
        let root = view.determinize(rng);
        let (low, high) = facts.payoff_range.expect("games without bounds are refused");
        let even = facts.payoff_sum.expect("games without a constant sum are refused") / 2.0;
        let everything = Bounds { low, high };
        let open = |_| RootAction { bounds: everything, proof: 1, work: 0 };
        let mut actions: Vec<_> = legal.iter().map(open).collect();
        let mut nodes = 0;
        for (at_least, share) in [(high, 0.5), (even, 1.0)] {
            let value = value_of(&actions);
            if at_least <= value.low || at_least > value.high {
                continue;
            }
            let spent = limits.host.now().saturating_sub(start);
            let budget = Budget {
                time: limits.budget.time.map(|time| time.mul_f64(share).saturating_sub(spent)),
                // The clock counts what this search does, which is to enter positions.
                simulations: limits.budget.nodes.map(|all| ((all as f64 * share) as u64).saturating_sub(nodes)),
                nodes: None,
            };
            let mut clock = Clock::new(Limits { budget, ..*limits }, limits.host.now(), 0, 1);
            self.ask(game, &root, Goal { seat, at_least }, &mut clock, &legal, &mut actions);
            nodes += clock.simulations();
        }
        let elapsed = limits.host.now().saturating_sub(start);
        let cost = Cost { nodes, elapsed, ..Cost::default() };
        let chosen = choose(&actions, high, rng);
        let line = vec![game.action_text(&root, seat, legal[chosen])];
        let advice = advise(chosen, &actions, (seat, &facts), cost).of(&legal);
        Advice { line, ..advice }
    }
}

impl<G: Playable> Session<G> for DfPn {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        match view.legal_actions()[..] {
            [only] => Advice::without_search(only, true),
            _ => self.examine(view, limits, rng),
        }
    }
}

/// What the chooser can be sure of, and what it can hope for.
fn value_of(actions: &[RootAction]) -> Bounds {
    let greatest =
        |bound: fn(Bounds) -> f64| actions.iter().map(|action| bound(action.bounds)).fold(f64::NEG_INFINITY, f64::max);
    Bounds { low: greatest(|bounds| bounds.low), high: greatest(|bounds| bounds.high) }
}

/// The action to play, by its place. Where one is known to be best: of several the one that wins with the least work, or is
/// refuted with the most. Else one of those that are surest, and of these that hold out more the one with the least proof
/// number.
fn choose(actions: &[RootAction], greatest: f64, rng: &mut FastRng) -> usize {
    let value = value_of(actions);
    let best = (0..actions.len()).filter(|&i| actions[i].bounds.low >= value.high);
    let best = match value.high >= greatest {
        true => best.min_by_key(|&i| actions[i].work),
        false => best.max_by_key(|&i| actions[i].work),
    };
    if let Some(best) = best {
        return best;
    }
    let (surest, others): (Vec<usize>, Vec<usize>) = (0..actions.len())
        .filter(|&i| actions[i].bounds.low >= value.low)
        .partition(|&i| actions[i].bounds.high > value.low);
    let open = if surest.is_empty() { others } else { surest };
    let least = open.iter().map(|&i| actions[i].proof).min();
    let equals: Vec<usize> = open.into_iter().filter(|&i| Some(actions[i].proof) == least).collect();
    equals[index(rng, equals.len())]
}

/// Advice to play the action at a place; the line is left out.
fn advise(chosen: usize, actions: &[RootAction], (seat, facts): (Seat, &Facts), cost: Cost) -> Advice<usize> {
    let proven = actions[chosen].bounds.low >= value_of(actions).high;
    let mut places: Vec<usize> = (0..actions.len()).collect();
    places.sort_by_key(|&place| {
        let RootAction { bounds, proof, .. } = actions[place];
        (place != chosen, Reverse(Total(bounds.low + bounds.high)), proof)
    });
    let candidates = places.into_iter().map(|place| candidate(place, &actions[place], seat, facts)).collect();
    Advice { action: chosen, candidates, line: Vec::new(), cost, proven, known_by: None, why: None }
}

fn candidate(place: usize, known: &RootAction, seat: Seat, facts: &Facts) -> Candidate<usize> {
    let (low, high) = facts.payoff_range.expect("games without bounds are refused");
    let sum = facts.payoff_sum.expect("games without a constant sum are refused");
    let both = |own: f64| (0..2).map(|other: Seat| if other == seat { own } else { sum - own }).collect();
    let (values, certainty) = match known.bounds {
        bounds if bounds.is_exact() => (both(bounds.low), Certainty::Exact),
        bounds if bounds.low > low => (both(bounds.low), Certainty::LowerBound),
        bounds if bounds.high < high => (both(bounds.high), Certainty::UpperBound),
        _ => (Vec::new(), Certainty::Unknown),
    };
    Candidate { action: place, values, certainty, visits: None, depth: None, plies: None }
}
