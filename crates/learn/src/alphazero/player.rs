//! How a network plays: by its policy, or by the search that it was trained with, without luck.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::information::SeatView;
use raichi_core::order::{Total, sort_by_keys};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::FastRng;
use raichi_core::seat::Seat;
use raichi_search::{Advice, Candidate, Certainty, Cost, Evaluator, Limits, Session};

use super::environment::{Position, PositionOf};
use super::policy::NetworkPolicy;
use super::search::Search;
use crate::learner::Learned;

/// The session. What the network said of positions is kept for the next decision: it changes nothing but how much is looked at.
pub struct NetworkPlayer<G: Playable> {
    policy: NetworkPolicy,
    simulations: u64,
    kept: Option<Kept<G>>,
}

/// What the last decision left.
struct Kept<G: Playable> {
    search: Search,
    /// The choices that led to the position that was searched.
    followed: Vec<Choice<G>>,
    state: PathState<G>,
}

impl<G: Playable> Kept<G> {
    /// Goes on to `state` by the choices that were made since; `false` where the search does not know the way, chance having
    /// acted for example, or it leads to another position.
    fn follow(&mut self, game: &PathGame<G>, choices: &[Choice<G>], state: &PathState<G>) -> bool {
        let Some(since) = choices.strip_prefix(self.followed.as_slice()) else { return false };
        for &choice in since {
            let Choice::Action(seat, action) = choice else { return false };
            let knows =
                game.phase(&self.state) == Phase::seat(seat) && self.search.follow(game.action_number(action) as u32);
            if !knows {
                return false;
            }
            game.play(&mut self.state, choice);
        }
        self.state.position() == state.position() && game.path_key(&self.state) == game.path_key(state)
    }
}

impl<G: Playable> NetworkPlayer<G> {
    /// Plays with so many simulations; with 0 by the policy alone.
    pub fn new(policy: NetworkPolicy, simulations: u64) -> NetworkPlayer<G> {
        NetworkPlayer { policy, simulations, kept: None }
    }

    /// By the policy, without looking ahead. The values shown are those of the positions after each action; where something is
    /// hidden, their means over several positions that fit what the seat knows.
    fn by_policy(&self, view: &SeatView<'_, G>, state: &PathState<G>, rng: &mut FastRng) -> Advice<G::Action> {
        let (game, seat, actions) = (view.game(), view.seat(), view.legal_actions());
        let mut log_odds = vec![0.0; actions.len()];
        self.policy.priors(game.game(), state.position(), seat, &actions, &mut log_odds);
        let mut values = vec![0.0; actions.len()];
        self.policy.value_actions(game.game(), state.position(), seat, &actions, &mut values);
        let n_worlds = self.policy.search.n_worlds.max(1);
        for _ in 1..n_worlds {
            let mut more = vec![0.0; actions.len()];
            self.policy.value_actions(game.game(), view.determinize(rng).position(), seat, &actions, &mut more);
            values.iter_mut().zip(more).for_each(|(sum, value)| *sum += value);
        }
        values.iter_mut().for_each(|value| *value /= n_worlds as f64);
        let mut order: Vec<usize> = (0..actions.len()).collect();
        // Of equal ones the first.
        sort_by_keys(&mut order, |&i| Reverse(Total(log_odds[i].into())));
        let mut candidates = Vec::with_capacity(order.len());
        for &i in &order {
            candidates.push(Candidate {
                action: actions[i],
                values: self.by_seat(view, values[i]),
                certainty: Certainty::Estimate { standard_error: None },
                visits: None,
                depth: Some(1),
                plies: None,
            });
        }
        let cost = Cost { nodes: actions.len() as u64, depth: Some(1), ..Cost::default() };
        Advice { cost, candidates, ..Advice::without_search(actions[order[0]], false) }
    }

    fn by_search(
        &mut self,
        view: &SeatView<'_, G>,
        state: &PathState<G>,
        limits: &Limits<'_>,
        rng: &mut FastRng,
    ) -> Advice<G::Action> {
        let (game, began) = (view.game(), limits.host.now());
        let most = limits.budget.simulations.map_or(self.simulations, |most| most.min(self.simulations));
        let root = PositionOf::new(&Arc::new(game.clone()), state);
        let mut search = self.search_for(view, state, &root);
        search.begin(&root, view.seat(), usize::try_from(most).unwrap_or(usize::MAX), 0.0, rng);
        let n_looked_at = self.look_ahead(&mut search, limits, began, rng);
        let best = search.best();
        let mut found = search.found();
        sort_by_keys(&mut found, |found| Reverse((found.action == best, Total(found.probability.into()))));
        let action = |number: u32| game.numbered_action(number.into()).expect("it is the number of a legal action");
        let mut candidates = Vec::with_capacity(found.len());
        for found in &found {
            let is_exact = found.is_exact && self.policy.search.n_worlds == 0;
            candidates.push(Candidate {
                action: action(found.action),
                values: self.by_seat(view, self.policy.units.payoff(found.value)),
                certainty: if is_exact { Certainty::Exact } else { Certainty::Estimate { standard_error: None } },
                visits: Some(found.visits.into()),
                depth: None,
                plies: None,
            });
        }
        let cost = Cost { simulations: search.n_done() as u64, nodes: n_looked_at, ..Cost::default() };
        let advice = Advice { cost, candidates, ..Advice::without_search(action(best), search.exact().is_some()) };
        let followed = view.choices().map(<[_]>::to_vec);
        self.kept = followed.map(|followed| Kept { search, followed, state: state.clone() });
        advice
    }

    /// The search of the last decision where play has gone on inside it, or else a new one.
    fn search_for(&mut self, view: &SeatView<'_, G>, state: &PathState<G>, root: &dyn Position) -> Search {
        if let (Some(mut kept), Some(choices)) = (self.kept.take(), view.choices())
            && kept.follow(view.game(), choices, state)
        {
            return kept.search;
        }
        Search::new(self.policy.search, self.policy.units, root.boxed_clone())
    }

    /// Searches until it is done, late or cancelled. Returns how many positions the network was asked about.
    fn look_ahead(&self, search: &mut Search, limits: &Limits<'_>, began: Duration, rng: &mut FastRng) -> u64 {
        let mut n_looked_at = 0;
        while search.next_leaf(rng) {
            n_looked_at += 1;
            let (leaf, seat) = search.leaf();
            let observe = |_, seat: Seat, observation: &mut [i32]| leaf.observe(seat, observation);
            let (mut logits, mut said) = (Vec::new(), Vec::new());
            self.policy.ask(&[seat], &observe, &mut |asking| {
                (logits, said) = (asking.work.logits.clone(), asking.work.values.clone());
            });
            search.receive(&logits, &said, rng);
            let is_late =
                limits.budget.time.is_some_and(|time| limits.host.now().saturating_sub(began) * 20 >= time * 19);
            if limits.cancel.is_cancelled() || is_late {
                break;
            }
        }
        n_looked_at
    }

    /// Payoffs by seat from that of the seat that chooses; none where they do not follow from it.
    fn by_seat(&self, view: &SeatView<'_, G>, value: f64) -> Vec<f64> {
        let facts = view.facts();
        match (facts.n_seats, facts.payoff_sum, view.seat()) {
            (1, ..) => vec![value],
            (2, Some(sum), 0) => vec![value, sum - value],
            (2, Some(sum), _) => vec![sum - value, value],
            _ => Vec::new(),
        }
    }
}

impl<G: Playable> Session<G> for NetworkPlayer<G> {
    fn decide(&mut self, view: &SeatView<'_, G>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<G::Action> {
        let began = limits.host.now();
        // Where something is hidden, a state that fits what the seat knows.
        let state = view.determinize(rng);
        let mut advice = if self.simulations == 0 {
            self.by_policy(view, &state, rng)
        } else {
            self.by_search(view, &state, limits, rng)
        };
        advice.cost.elapsed = limits.host.now().saturating_sub(began);
        advice
    }
}
