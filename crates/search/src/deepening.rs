//! What the searches by depth share: the value of a position that is looked no further into, the game tried one ply deeper
//! after the other until the budget is spent, and states drawn where something is hidden.
//!
//! Depth is counted in actions; what chance does costs none, since evaluators value positions in which somebody acts.
//! Where something is hidden, full states are drawn from those that the seat cannot tell apart (determinizations), each is
//! searched as if everybody saw it, and an action is worth what it is worth on average. That overrates what depends on
//! knowing the secret, and knows no bluff (Frank and Basin, *Search in games with incomplete information*, 1998). Seats
//! that act together act one after the other there, the lowest first, and the later ones see what the earlier ones did.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Facts};
use raichi_core::information::SeatView;
use raichi_core::order::{Total, sort_by_keys};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, shuffle, stream, weighted};
use raichi_core::seat::{MAX_SEATS, Seat};

use crate::agent::{Advice, Candidate, Certainty, Cost, Limits};
use crate::clock::Clock;
use crate::evaluator::Evaluator;
use crate::line::tokens;

/// No search goes deeper.
pub(crate) const DEEPEST: u32 = 240;

/// The values of positions where a search looks no further.
pub(crate) struct Estimates<G: Playable> {
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    facts: Facts,
}

impl<G: Playable> Clone for Estimates<G> {
    fn clone(&self) -> Self {
        Estimates { evaluator: self.evaluator.clone(), facts: self.facts }
    }
}

impl<G: Playable> Estimates<G> {
    pub(crate) fn new(evaluator: Option<Arc<dyn Evaluator<G>>>, facts: Facts) -> Self {
        Estimates { evaluator, facts }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn evaluator(&self) -> Option<&dyn Evaluator<G>> {
        self.evaluator.as_deref()
    }

    /// What each seat can expect of an unfinished game. Without an evaluator that is neutral: an equal share where the sum
    /// is constant, else the middle of the range of payoffs, else what the game pays if it is broken off here.
    pub(crate) fn values(&self, game: &PathGame<G>, state: &PathState<G>, values: &mut [f64]) {
        if let Some(evaluator) = &self.evaluator {
            let mut estimates = [0.0; MAX_SEATS];
            let estimates = &mut estimates[..values.len()];
            evaluator.values(game.game(), state.position(), estimates);
            values.iter_mut().zip(estimates).for_each(|(value, &mut estimate)| *value = self.within(estimate));
        } else {
            (0..values.len()).for_each(|seat| values[seat] = self.neutral(game, state, seat));
        }
    }

    /// The same for one seat.
    pub(crate) fn value(&self, game: &PathGame<G>, state: &PathState<G>, seat: Seat) -> f64 {
        match &self.evaluator {
            Some(evaluator) => self.within(evaluator.value(game.game(), state.position(), seat)),
            None => self.neutral(game, state, seat),
        }
    }

    fn within(&self, estimate: f32) -> f64 {
        let estimate = f64::from(estimate);
        self.facts.payoff_range.map_or(estimate, |(low, high)| estimate.clamp(low, high))
    }

    fn neutral(&self, game: &PathGame<G>, state: &PathState<G>, seat: Seat) -> f64 {
        match (self.facts.payoff_sum, self.facts.payoff_range) {
            (Some(sum), _) => sum / self.facts.n_seats as f64,
            (None, Some((low, high))) => (low + high) / 2.0,
            (None, None) => game.payoffs(state)[seat],
        }
    }
}

/// What chance can do in `state`, with weights, and whether some was left out: of more than `most` (at least 1) outcomes
/// so many are drawn, the same whenever the position comes up.
pub(crate) fn outcomes<G: Playable>(
    game: &PathGame<G>,
    state: &PathState<G>,
    most: usize,
) -> (Vec<(G::Outcome, u64)>, bool) {
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    let most = most.max(1);
    if outcomes.len() <= most {
        return (outcomes, false);
    }
    let mut rng = stream(game.key(state), "outcomes", 0);
    let mut drawn: Vec<(G::Outcome, u64)> = Vec::with_capacity(most);
    for _ in 0..most {
        let (outcome, _) = outcomes[weighted(&mut rng, outcomes.iter().map(|&(_, weight)| weight))];
        match drawn.iter_mut().find(|(other, _)| *other == outcome) {
            Some((_, n)) => *n += 1,
            None => drawn.push((outcome, 1)),
        }
    }
    (drawn, true)
}

/// What a search by depth found out about an action of the root.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// By seat.
    pub(crate) values: Vec<f64>,
    /// Whether the chooser's value is at most what `values` says, and not known better.
    pub(crate) at_most: bool,
    /// Whether that rests on no estimate.
    pub(crate) proven: bool,
    /// Whether it rests on how the other seats are taken to play, in place of what is best for them: then it is not exact, and may be
    /// no bound either.
    pub(crate) assumed: bool,
}

impl Finding {
    fn certainty(&self) -> Certainty {
        match (self.at_most, self.proven) {
            _ if self.assumed => Certainty::Estimate { standard_error: None },
            (true, _) => Certainty::UpperBound,
            (false, true) => Certainty::Exact,
            (false, false) => Certainty::Estimate { standard_error: None },
        }
    }
}

/// Where a search by depth begins.
pub(crate) struct Root<'a, G: Playable> {
    pub(crate) game: &'a PathGame<G>,
    pub(crate) state: &'a PathState<G>,
    /// The seat that chooses.
    pub(crate) seat: Seat,
    /// Its actions.
    pub(crate) actions: &'a [G::Action],
    /// In which order to look at them.
    pub(crate) order: &'a [usize],
    /// Whether the values of all actions are asked for, not only of the best.
    pub(crate) whole: bool,
}

/// A search that goes so many actions deep.
pub(crate) trait ByDepth<G: Playable> {
    /// Finds out about the root's actions; about none after the clock has ended it.
    fn search(&mut self, root: &Root<'_, G>, depth: u32, clock: &mut Clock<'_>, findings: &mut [Option<Finding>]);

    /// The line that was expected when the best action was found, that action first.
    fn line(&self) -> &[Choice<G>];
}

/// How a search by depth goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deepening {
    /// The depth to end with.
    pub(crate) last: u32,
    /// How many states are drawn where something is hidden.
    pub(crate) worlds: usize,
    /// Whether the values of all actions are asked for.
    pub(crate) whole: bool,
}

/// Searches deeper and deeper while the budget lasts, and chooses. Compiled once for a game, not for each search.
pub(crate) fn deepen<G: Playable>(
    search: &mut dyn ByDepth<G>,
    deepening: Deepening,
    view: &SeatView<'_, G>,
    limits: &Limits<'_>,
    start: Duration,
    rng: &mut FastRng,
) -> Advice<G::Action> {
    let (game, facts, seat, actions) = (view.game(), view.facts(), view.seat(), view.legal_actions());
    let secret = facts.hidden || facts.simultaneous;
    let n_worlds = if facts.hidden { deepening.worlds } else { 1 };
    let mut worlds: Vec<PathState<G>> = Vec::with_capacity(n_worlds);
    for _ in 0..n_worlds {
        worlds.push(view.determinize(rng));
    }
    let mut clock = Clock::of_nodes(*limits, start, 0, 1);
    let mut order: Vec<usize> = (0..actions.len()).collect();
    // Which of equals comes first is left to chance.
    shuffle(rng, &mut order);
    let mut found: Vec<Option<Finding>> = vec![None; actions.len()];
    let (mut line, mut completed) = (Vec::new(), 0);
    for depth in 1..=deepening.last {
        let mut tally = Tally::new(actions.len());
        for state in &worlds {
            let whole = deepening.whole || n_worlds > 1;
            let root = Root { game, state, seat, actions: &actions, order: &order, whole };
            let mut findings = vec![None; actions.len()];
            search.search(&root, depth, &mut clock, &mut findings);
            tally.add(findings);
            if clock.has_ended() {
                break;
            }
        }
        // A depth that was broken off counts only where there is nothing else.
        if clock.has_ended() && completed > 0 {
            break;
        }
        found = tally.averages(secret);
        sort(&mut order, &found, seat);
        line = search.line().to_vec();
        if clock.has_ended() {
            break;
        }
        completed = depth;
        if is_proven(&found, &order, &facts, seat) {
            break;
        }
    }
    let best = order[0];
    let first = Choice::Action(seat, actions[best]);
    // In another world the others would do something else.
    if secret || line.first() != Some(&first) {
        line = vec![first];
    }
    let cost = Cost {
        simulations: 0,
        nodes: clock.simulations(),
        depth: Some(completed),
        elapsed: limits.host.now().saturating_sub(start),
    };
    let advice = advise(&order, &found, &facts, seat, cost).of(&actions);
    Advice { line: tokens(game, &worlds[0], &line), ..advice }
}

/// The advice, with places in place of actions and without a line: compiled once, not for each game.
fn advise(order: &[usize], found: &[Option<Finding>], facts: &Facts, seat: Seat, cost: Cost) -> Advice<usize> {
    let depth = cost.depth.map(|completed| completed.max(1));
    let candidate = |&place: &usize| {
        let finding = found[place].as_ref();
        Candidate {
            action: place,
            values: finding.map_or(Vec::new(), |finding| finding.values.clone()),
            certainty: finding.map_or(Certainty::Unknown, Finding::certainty),
            visits: None,
            depth: finding.and(depth),
            plies: None,
        }
    };
    let candidates = order.iter().map(candidate).collect();
    let assumed = found.iter().flatten().any(|finding| finding.assumed);
    let proven = !assumed && is_proven(found, order, facts, seat);
    Advice { candidates, cost, ..Advice::without_search(order[0], proven) }
}

/// Where there is no choice no time is spent.
pub(crate) fn only_choice<A: Copy>(action: A) -> Advice<A> {
    let candidate =
        Candidate { action, values: Vec::new(), certainty: Certainty::Unknown, visits: None, depth: None, plies: None };
    Advice { candidates: vec![candidate], ..Advice::without_search(action, true) }
}

/// The findings of several worlds about each action, and of how many.
struct Tally(Vec<Option<(Finding, usize)>>);

impl Tally {
    fn new(n_actions: usize) -> Self {
        Tally(vec![None; n_actions])
    }

    fn add(&mut self, findings: Vec<Option<Finding>>) {
        for (sum, finding) in self.0.iter_mut().zip(findings) {
            let Some(finding) = finding else { continue };
            match sum {
                None => *sum = Some((finding, 1)),
                Some((sum, n)) => {
                    *n += 1;
                    sum.values.iter_mut().zip(finding.values).for_each(|(sum, value)| *sum += value);
                }
            }
        }
    }

    /// With secrets nothing is proven.
    fn averages(self, secret: bool) -> Vec<Option<Finding>> {
        let average = |(sum, n): (Finding, usize)| Finding {
            values: sum.values.iter().map(|value| value / n as f64).collect(),
            at_most: sum.at_most,
            proven: sum.proven && !secret,
            assumed: sum.assumed,
        };
        self.0.into_iter().map(|sum| sum.map(average)).collect()
    }
}

/// The best first: what is known to be worth so much before what is worth so much at most, the unknown last.
fn sort(order: &mut [usize], found: &[Option<Finding>], seat: Seat) {
    let worth = |i: usize| found[i].as_ref().map_or(f64::NEG_INFINITY, |finding| finding.values[seat]);
    let at_most = |i: usize| found[i].as_ref().is_some_and(|finding| finding.at_most);
    sort_by_keys(order, |&i| (Reverse(Total(worth(i))), at_most(i)));
}

/// Whether no action can be better than the first of `order`.
fn is_proven(found: &[Option<Finding>], order: &[usize], facts: &Facts, seat: Seat) -> bool {
    let Some(best) = &found[order[0]] else { return false };
    let pays_the_most = facts.payoff_range.is_some_and(|(_, high)| best.values[seat] >= high);
    let known = best.proven && !best.at_most;
    known && (pays_the_most || found.iter().all(|finding| finding.as_ref().is_some_and(|finding| finding.proven)))
}
