//! Minimax, plain: every line of play is looked at, to the given depth or to the end.
//!
//! Each seat takes what pays it most, the first of equals, for any number of seats (with two of constant sum that is von
//! Neumann's minimax, with more max-n: Luckhardt and Irani, *An algorithmic solution of n-person games*, 1986). Chance is
//! taken by expectation. Path rules and the cap are kept, since play goes through `PathGame`. Where something is hidden it
//! works on determinizations; see [`crate::deepening`].
//!
//! Promises: without secrets, what it says is exact is exact. It prunes nothing and remembers nothing: it is what the
//! other searches are compared with. Checked against: exact values of trees of brackets.

use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::information::SeatView;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;

use crate::agent::{Advice, Limits, Session};
use crate::clock::Clock;
use crate::deepening::{ByDepth, DEEPEST, Deepening, Estimates, Finding, Root, deepen, only_choice, outcomes};
use crate::evaluator::Evaluator;
use crate::options::{AgentOption, OptionKind, Options};
use crate::ties::share_ties;

/// The options of the search, after those of the budget and the evaluator.
pub const OPTIONS: &[AgentOption] = &[
    AgentOption {
        name: "depth",
        kind: OptionKind::Int { min: 0, max: DEEPEST as u64 },
        default: Some("0"),
        help: "How many plies it looks ahead; 0 is as many as the budget allows.",
    },
    AgentOption {
        name: "worlds",
        kind: OptionKind::Int { min: 1, max: 10_000 },
        default: Some("16"),
        help: "Where something is hidden: how many possible positions are drawn, each searched as if everything were known.",
    },
    AgentOption {
        name: "outcomes",
        kind: OptionKind::Int { min: 0, max: 1_000_000 },
        default: Some("40"),
        help: "Where chance can do more than this, so many outcomes are drawn and the others left out; 0 is never.",
    },
];

/// A search in one game in progress.
pub struct Minimax<G: Playable> {
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    deepening: Deepening,
    most_outcomes: usize,
}

impl<G: Playable> Minimax<G> {
    /// The search that the options ask for, with an evaluator or without.
    pub fn new(options: &Options, evaluator: Option<Arc<dyn Evaluator<G>>>) -> Self {
        let depth = options.int("depth").expect("the option has a default") as u32;
        let worlds = options.int("worlds").expect("the option has a default") as usize;
        let last = if depth == 0 { DEEPEST } else { depth };
        let most_outcomes = match options.int("outcomes").expect("the option has a default") {
            0 => usize::MAX,
            most => most as usize,
        };
        Minimax { evaluator, deepening: Deepening { last, worlds, whole: true }, most_outcomes }
    }
}

impl<G: Playable> Session<G> for Minimax<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        if let [only] = view.legal_actions()[..] {
            return only_choice(only);
        }
        let start = limits.host.now();
        let estimates = Estimates::new(self.evaluator.clone(), view.facts());
        let mut plain = Plain { estimates, most_outcomes: self.most_outcomes, line: Vec::new() };
        deepen(&mut plain, self.deepening, view, limits, start, rng)
    }
}

/// The payoffs of a position and how they come about.
struct Worth<G: Playable> {
    /// By seat.
    values: Vec<f64>,
    /// Whether nothing was estimated.
    proven: bool,
    /// The line of play, the last choice first.
    line: Vec<Choice<G>>,
}

struct Plain<G: Playable> {
    estimates: Estimates<G>,
    most_outcomes: usize,
    line: Vec<Choice<G>>,
}

impl<G: Playable> ByDepth<G> for Plain<G> {
    fn search(&mut self, root: &Root<'_, G>, depth: u32, clock: &mut Clock<'_>, findings: &mut [Option<Finding>]) {
        let mut best = f64::NEG_INFINITY;
        for &i in root.order {
            let choice = Choice::Action(root.seat, root.actions[i]);
            let Some(worth) = self.after(root.game, root.state, choice, depth, 1, clock) else { return };
            if worth.values[root.seat] > best {
                best = worth.values[root.seat];
                self.line = worth.line;
                self.line.reverse();
            }
            findings[i] = Some(Finding { values: worth.values, at_most: false, proven: worth.proven, assumed: false });
        }
    }

    fn line(&self) -> &[Choice<G>] {
        &self.line
    }
}

impl<G: Playable> Plain<G> {
    /// What `choice` leads to, `depth` actions deep with this one; `None` where the budget ended first. `spread`: how many
    /// outcomes chance had here, and in the plies directly before, multiplied.
    fn after(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        choice: Choice<G>,
        depth: u32,
        spread: usize,
        clock: &mut Clock<'_>,
    ) -> Option<Worth<G>> {
        let is_action = matches!(choice, Choice::Action(..));
        let goes_on = if is_action { clock.allows_another() } else { clock.goes_on() };
        if !goes_on {
            return None;
        }
        let mut next = state.clone();
        game.play(&mut next, choice);
        let mut worth = self.worth(game, &next, depth - u32::from(is_action), spread, clock)?;
        worth.line.push(choice);
        Some(worth)
    }

    fn worth(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        depth: u32,
        spread: usize,
        clock: &mut Clock<'_>,
    ) -> Option<Worth<G>> {
        match game.phase(state) {
            Phase::Over => {
                Some(Worth { values: game.payoffs(state).as_slice().to_vec(), proven: true, line: Vec::new() })
            }
            Phase::Chance => self.expectation(game, state, depth, spread, clock),
            Phase::Act(_) if depth == 0 => {
                let mut values = vec![0.0; self.estimates.facts().n_seats];
                self.estimates.values(game, state, &mut values);
                Some(Worth { values, proven: false, line: Vec::new() })
            }
            Phase::Act(seats) => self.best(game, state, seats.first(), depth, clock),
        }
    }

    fn best(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        seat: Seat,
        depth: u32,
        clock: &mut Clock<'_>,
    ) -> Option<Worth<G>> {
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let mut best: Option<Worth<G>> = None;
        let mut proven = true;
        let mut all = Vec::new();
        for action in actions {
            let worth = self.after(game, state, Choice::Action(seat, action), depth, 1, clock)?;
            proven &= worth.proven;
            all.push(worth.values.clone());
            if best.as_ref().is_none_or(|best| worth.values[seat] > best.values[seat]) {
                best = Some(worth);
            }
        }
        let mut best = best.expect("a seat that is to act has a legal action");
        if proven && self.estimates.facts().ties_matter() {
            best.values = share_ties(all.iter().map(Vec::as_slice), seat);
        }
        Some(Worth { proven, ..best })
    }

    fn expectation(
        &self,
        game: &PathGame<G>,
        state: &PathState<G>,
        depth: u32,
        spread: usize,
        clock: &mut Clock<'_>,
    ) -> Option<Worth<G>> {
        let (outcomes, some_left_out) = outcomes(game, state, self.most_outcomes / spread);
        let spread = spread.saturating_mul(outcomes.len());
        let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        let likeliest = outcomes.iter().map(|&(_, weight)| weight).max();
        let mut expected =
            Worth { values: vec![0.0; self.estimates.facts().n_seats], proven: !some_left_out, line: Vec::new() };
        for (outcome, weight) in outcomes {
            let worth = self.after(game, state, Choice::Outcome(outcome), depth, spread, clock)?;
            let share = weight as f64 / total as f64;
            add(&mut expected.values, &worth.values, share);
            expected.proven &= worth.proven;
            if expected.line.is_empty() && Some(weight) == likeliest {
                expected.line = worth.line;
            }
        }
        Some(expected)
    }
}

fn add(sums: &mut [f64], values: &[f64], weight: f64) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
}
