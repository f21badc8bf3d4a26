//! What a search found out about the actions of its root, and the choice among them.
//!
//! Actions are told apart by their places in the rules' order, so that all of this is compiled once and not for each game.

use std::cmp::Reverse;

use raichi_core::game::{Facts, Payoffs};
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;

use crate::agent::{Advice, Candidate, Certainty, Cost};

/// What one or all threads found out about an action.
#[derive(Clone, Debug)]
pub(super) struct RootArm {
    pub(super) visits: u64,
    /// Of the payoffs, by seat.
    pub(super) sums: Vec<f64>,
    pub(super) proof: Option<Vec<f64>>,
    /// After how many plies a proof's payoffs are paid.
    pub(super) plies_of_proof: f64,
}

impl RootArm {
    pub(super) fn new(n_seats: usize) -> Self {
        RootArm { visits: 0, sums: vec![0.0; n_seats], proof: None, plies_of_proof: 0.0 }
    }

    /// Counts a simulation.
    pub(super) fn pay(&mut self, payoffs: &Payoffs) {
        self.visits += 1;
        self.sums.iter_mut().zip(payoffs.as_slice()).for_each(|(sum, payoff)| *sum += payoff);
    }

    fn add(&mut self, other: RootArm) {
        self.visits += other.visits;
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        if self.proof.is_none() {
            (self.proof, self.plies_of_proof) = (other.proof, other.plies_of_proof);
        }
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

/// What the threads found out about each action, added up; there is one thread at least.
pub(super) fn add(threads: Vec<Vec<RootArm>>) -> Vec<RootArm> {
    let add = |mut sums: Vec<RootArm>, more: Vec<RootArm>| {
        sums.iter_mut().zip(more).for_each(|(sum, arm)| sum.add(arm));
        sums
    };
    threads.into_iter().reduce(add).unwrap_or_default()
}

/// Where there is no choice no time is spent.
pub(super) fn only_choice(facts: &Facts, seat: Seat) -> Advice<usize> {
    let only = candidate(0, &RootArm::new(facts.n_seats), facts, seat);
    Advice { candidates: vec![only], ..Advice::without_search(0, true) }
}

/// Chooses among the actions; the line is left out.
pub(super) fn advise(arms: Vec<RootArm>, facts: &Facts, seat: Seat, cost: Cost, rng: &mut FastRng) -> Advice<usize> {
    let best = best_arm(&arms, facts, seat).unwrap_or_else(|| index(rng, arms.len()));
    let proven = pays_the_most(&arms[best], facts, seat) || arms.iter().all(|arm| arm.proof.is_some());
    let mut others: Vec<usize> = (0..arms.len()).filter(|&place| place != best).collect();
    others.sort_by_key(|&place| Reverse(arms[place].visits));
    let places = std::iter::once(best).chain(others);
    Advice {
        action: best,
        candidates: places.map(|place| candidate(place, &arms[place], facts, seat)).collect(),
        line: Vec::new(),
        cost,
        proven,
        known_by: None,
        why: None,
    }
}

/// Makes another action the chosen one, which stands first.
pub(super) fn choose(advice: &mut Advice<usize>, place: usize) {
    let at = advice.candidates.iter().position(|candidate| candidate.action == place).expect("it is one of them");
    advice.candidates[..=at].rotate_right(1);
    advice.action = place;
}

fn candidate(place: usize, arm: &RootArm, facts: &Facts, seat: Seat) -> Candidate<usize> {
    let certainty = match arm.proof {
        Some(_) => Certainty::Exact,
        None if arm.visits == 0 => Certainty::Unknown,
        None => Certainty::Estimate { standard_error: standard_error(arm, facts, seat) },
    };
    Candidate { action: place, values: arm.values(), certainty, visits: Some(arm.visits), depth: None, plies: None }
}

/// At most this, if the simulations were independent (Bhatia and Davis, *A better bound on the variance*, 2000); `None`
/// where the game bounds no payoffs.
fn standard_error(arm: &RootArm, facts: &Facts, seat: Seat) -> Option<f64> {
    let (low, high) = facts.payoff_range?;
    let value = arm.value(seat);
    Some(((high - value) * (value - low) / arm.visits as f64).max(0.0).sqrt())
}

/// How a seat ranks proven payoffs that are equal: a win paid as soon as possible, a loss as late as possible, all else
/// alike.
pub(super) fn preference(payoff: f64, n_plies: f64, facts: &Facts) -> f64 {
    match facts.payoff_range {
        Some((_, high)) if payoff >= high => -n_plies,
        Some((low, _)) if payoff <= low => n_plies,
        _ => 0.0,
    }
}

/// Whether it is proven that no action can be better for `seat`.
fn pays_the_most(arm: &RootArm, facts: &Facts, seat: Seat) -> bool {
    arm.proof.is_some() && facts.payoff_range.is_some_and(|(_, high)| arm.value(seat) >= high)
}

/// The most visited action whose value is open, or the best of those proven, whichever promises more; `None` when
/// nothing was looked at.
fn best_arm(arms: &[RootArm], facts: &Facts, seat: Seat) -> Option<usize> {
    let by_value = |&a: &usize, &b: &usize| arms[a].value(seat).total_cmp(&arms[b].value(seat));
    let by_plies = |&a: &usize, &b: &usize| {
        let rank = |i: usize| preference(arms[i].value(seat), arms[i].plies_of_proof, facts);
        rank(a).total_cmp(&rank(b))
    };
    // Among what is proven equal, the one that did best in simulations: it is the easiest to go wrong against.
    let chances = |&i: &usize| arms[i].sums[seat] / arms[i].visits.max(1) as f64;
    let by_chances = |a: &usize, b: &usize| chances(a).total_cmp(&chances(b));
    let by_visits = |&a: &usize, &b: &usize| arms[a].visits.cmp(&arms[b].visits);
    // The last of equals is taken, so that reversed the rules' order decides where nothing else does.
    let (proven, open): (Vec<usize>, Vec<usize>) = (0..arms.len()).rev().partition(|&i| arms[i].proof.is_some());
    let proven = proven.into_iter();
    let proven = proven.max_by(|a, b| by_value(a, b).then_with(|| by_plies(a, b)).then_with(|| by_chances(a, b)));
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
