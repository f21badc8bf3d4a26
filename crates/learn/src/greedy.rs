//! Plays the action of the greatest learned value, without looking further.

use std::cmp::Reverse;
use std::sync::Arc;

use raichi_core::erased::Playable;
use raichi_core::game::Facts;
use raichi_core::information::SeatView;
use raichi_core::order::Total;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;
use raichi_search::{Advice, Candidate, Certainty, Cost, Limits, Session};

use crate::learner::Learned;

/// The session; it keeps nothing. Of equal actions it plays one at random.
pub struct GreedyByValues<G: Playable>(Arc<dyn Learned<G>>);

impl<G: Playable> GreedyByValues<G> {
    /// Plays by what was learned.
    pub fn new(learned: Arc<dyn Learned<G>>) -> Self {
        GreedyByValues(learned)
    }
}

impl<G: Playable> Session<G> for GreedyByValues<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let start = limits.host.now();
        let (game, seat) = (view.game(), view.seat());
        let actions = view.legal_actions();
        // Nothing depends on what is hidden: learners of games with secrets value actions by what the seat sees.
        let state = view.determinize(rng);
        let mut values = vec![0.0; actions.len()];
        self.0.value_actions(game.game(), state.position(), seat, &actions, &mut values);
        let cost = Cost { elapsed: limits.host.now().saturating_sub(start), ..Cost::default() };
        advise(&values, &view.facts(), seat, cost, rng).of(&actions)
    }
}

/// Chooses the action of the highest value. Actions are told apart by their places, so that it is compiled once and not for
/// each game.
fn advise(values: &[f64], facts: &Facts, seat: Seat, cost: Cost, rng: &mut FastRng) -> Advice<usize> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties: Vec<usize> = (0..values.len()).filter(|&i| values[i] >= best).collect();
    let chosen = ties[index(rng, ties.len())];
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&i| Reverse((i == chosen, Total(values[i]))));
    let by_seat = |value: f64| match facts.payoff_sum {
        Some(sum) if facts.n_seats == 2 && seat == 0 => vec![value, sum - value],
        Some(sum) if facts.n_seats == 2 => vec![sum - value, value],
        _ if facts.n_seats == 1 => vec![value],
        // Only the chooser's own value is known.
        _ => Vec::new(),
    };
    let candidate = |i: usize| Candidate {
        action: i,
        values: by_seat(values[i]),
        certainty: Certainty::Estimate { standard_error: None },
        visits: None,
        depth: Some(1),
        plies: None,
    };
    Advice {
        action: chosen,
        candidates: order.into_iter().map(candidate).collect(),
        line: Vec::new(),
        cost: Cost { nodes: values.len() as u64, depth: Some(1), ..cost },
        proven: false,
        known_by: None,
        why: None,
    }
}
