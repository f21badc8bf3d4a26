//! What an n-tuple network knows, for play: values of actions, and of positions for searches.

use std::sync::Arc;

use raichi_core::encoding::Encoding;
use raichi_core::game::Phase;
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_search::Evaluator;

use super::head::Head;
use super::network::Network;
use super::options::Method;
use crate::learner::Learned;

/// A network and how its sums are read.
#[derive(Clone)]
pub struct NTuplePolicy {
    pub(crate) network: Arc<Network>,
    pub(crate) head: Head,
}

impl NTuplePolicy {
    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    fn observed<G: Encoding>(&self, game: &G, state: &G::State, seat: Seat) -> Vec<i32> {
        let mut observation = vec![0; self.network.observation_len()];
        game.observe(state, seat, &mut observation);
        observation
    }

    /// What `seat` can expect in a position after an action, as a payoff; what was paid before included.
    fn after<G: Encoding>(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let phase = game.phase(state);
        if phase == Phase::Over {
            return game.payoffs(state)[seat];
        }
        let (looker, kind, turned) = self.head.looker(phase, seat);
        let observation = self.observed(game, state, looker);
        let own = self.head.unit_value(self.network.plain_sum(&observation, looker, kind));
        let value = self.head.payoff(if turned { -own } else { own });
        if self.head.by_score { game.paid(state)[seat] + value } else { value }
    }

    /// What an action is worth by its own table.
    fn of_action<G: Encoding>(&self, game: &G, observation: &[i32], seat: Seat, action: G::Action) -> f64 {
        let kind = game.action_number(action) as usize;
        self.head.payoff(self.head.unit_value(self.network.plain_sum(observation, seat, kind)))
    }

    /// The value of the best action of who is to act.
    fn best<G: Encoding>(&self, game: &G, state: &G::State, actor: Seat) -> f64 {
        let mut actions = Vec::new();
        game.legal_actions(state, actor, &mut actions);
        let mut values = vec![0.0; actions.len()];
        Learned::<G>::value_actions(self, game, state, actor, &actions, &mut values);
        values.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The value for `seat`, not yet fitted to the game's bounds.
    fn estimate<G: Encoding>(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let Phase::Act(seats) = game.phase(state) else { return self.after(game, state, seat) };
        let facts = game.facts();
        // Positions that come after chance were never learned, those after the next action were; and so were actions.
        let looks_on = self.head.method != Method::Td || facts.chance && (facts.n_seats == 1 || self.head.one_number);
        if !looks_on {
            return self.after(game, state, seat);
        }
        let actor = seats.first();
        let best = self.best(game, state, actor);
        match facts.payoff_sum {
            Some(sum) if actor != seat => sum - best,
            _ => best,
        }
    }
}

impl<G: Encoding> Evaluator<G> for NTuplePolicy {
    fn value(&self, game: &G, state: &G::State, seat: Seat) -> f32 {
        let mut values = [0.0; MAX_SEATS];
        let values = &mut values[..game.facts().n_seats];
        self.values(game, state, values);
        values[seat]
    }

    fn values(&self, game: &G, state: &G::State, values: &mut [f32]) {
        let facts = game.facts();
        let within = |value: f64| facts.payoff_range.map_or(value, |(low, high)| value.clamp(low, high));
        if let (true, Some(sum)) = (self.head.one_number, facts.payoff_sum) {
            let first = within(self.estimate(game, state, 0)) as f32;
            (values[0], values[1]) = (first, sum as f32 - first);
            return;
        }
        for (seat, value) in values.iter_mut().enumerate() {
            *value = within(self.estimate(game, state, seat)) as f32;
        }
        if let (Some(sum), Some((low, _)), true) = (facts.payoff_sum, facts.payoff_range, facts.n_seats > 1) {
            share_out(values, sum as f32, low as f32);
        }
    }
}

/// Makes values add up to `sum`: what lies above the least is shared in the same proportions.
fn share_out(values: &mut [f32], sum: f32, low: f32) {
    let n = values.len() as f32;
    let above: f32 = values.iter().map(|value| value - low).sum();
    for value in values {
        let share = if above > 1e-6 { (*value - low) / above } else { 1.0 / n };
        *value = low + share * (sum - n * low);
    }
}

impl<G: Encoding> Learned<G> for NTuplePolicy {
    fn value_actions(&self, game: &G, state: &G::State, seat: Seat, actions: &[G::Action], values: &mut [f64]) {
        if self.head.method == Method::Td {
            for (&action, value) in actions.iter().zip(values) {
                let mut after = state.clone();
                game.apply(&mut after, seat, action);
                *value = self.after(game, &after, seat);
            }
        } else {
            let observation = self.observed(game, state, seat);
            for (&action, value) in actions.iter().zip(values) {
                *value = self.of_action(game, &observation, seat, action);
            }
        }
    }

    fn cannot_evaluate(&self) -> Option<String> {
        let knows_actors_only = self.head.method != Method::Td && !self.head.one_number && self.head.n_seats() > 1;
        knows_actors_only
            .then(|| "it values the actions of who is to act, and not what they are worth to others".into())
    }
}
