//! Plain alpha-beta for two seats with iterative deepening: enough to compare evaluators at equal nodes.

use std::collections::HashMap;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_search::Evaluator;

/// Wins are worth more the sooner they come, and any win more than any estimate.
const WIN: f32 = 2.0;

pub(crate) struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    /// `None` values every unfinished position as a draw.
    evaluator: Option<&'a dyn Evaluator<G>>,
    n_nodes: u64,
    most_nodes: u64,
    /// The best action found in each position, which is tried first.
    best: HashMap<u64, G::Action, rustc_hash::FxBuildHasher>,
}

const MAX_DEPTH: u32 = 40;
const MAX_QUIESCENCE: u32 = 8;

impl<'a, G: Game> AlphaBeta<'a, G> {
    pub(crate) fn new(game: &'a G, evaluator: Option<&'a dyn Evaluator<G>>, most_nodes: u64) -> Self {
        AlphaBeta { game, evaluator, n_nodes: 0, most_nodes, best: HashMap::default() }
    }

    /// The action of the deepest search that the nodes allowed, among those `allowed` at the root.
    pub(crate) fn decide(
        &mut self,
        state: &G::State,
        seat: Seat,
        allowed: &dyn Fn(G::Action) -> Option<f32>,
    ) -> G::Action {
        self.n_nodes = 0;
        self.best.clear();
        let mut actions = self.sorted(state, seat);
        let mut chosen = actions[0];
        for depth in 1..=MAX_DEPTH {
            let (mut alpha, mut best) = (-WIN * 2.0, None);
            for &action in &actions {
                let known = allowed(action);
                let value = match known {
                    Some(value) => Some(value),
                    None => self.after(state, seat, action, depth, 0, (alpha, WIN * 2.0)),
                };
                let Some(value) = value else { break };
                if value > alpha {
                    (alpha, best) = (value, Some(action));
                }
            }
            if let Some(best) = best {
                chosen = best;
                let at = actions.iter().position(|&action| action == best).expect("it is one of them");
                actions[..=at].rotate_right(1);
            }
            if self.n_nodes >= self.most_nodes || alpha.abs() > 1.5 {
                break;
            }
        }
        chosen
    }

    fn sorted(&self, state: &G::State, seat: Seat) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.legal_actions(state, seat, &mut actions);
        if let Some(evaluator) = self.evaluator.filter(|evaluator| evaluator.has_priors()) {
            let mut priors = vec![0.0; actions.len()];
            evaluator.priors(self.game, state, seat, &actions, &mut priors);
            let mut order: Vec<usize> = (0..actions.len()).collect();
            order.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
            actions = order.into_iter().map(|i| actions[i]).collect();
        }
        if let Some(&best) = self.best.get(&self.game.key(state))
            && let Some(at) = actions.iter().position(|&action| action == best)
        {
            actions[..=at].rotate_right(1);
        }
        actions
    }

    // The value for `seat` of doing `action`; `None` when the nodes are spent.
    fn after(
        &mut self,
        state: &G::State,
        seat: Seat,
        action: G::Action,
        depth: u32,
        ply: u32,
        (alpha, beta): (f32, f32),
    ) -> Option<f32> {
        self.n_nodes += 1;
        if self.n_nodes > self.most_nodes {
            return None;
        }
        let mut next = state.clone();
        self.game.apply(&mut next, seat, action);
        match self.game.phase(&next) {
            Phase::Act(seats) if seats.contains(seat) => self.search(&next, seat, depth - 1, ply + 1, alpha, beta),
            Phase::Act(_) => self.search(&next, 1 - seat, depth - 1, ply + 1, -beta, -alpha).map(|value| -value),
            _ => {
                let payoff = self.game.payoffs(&next)[seat] as f32;
                Some(payoff * (WIN - 0.001 * ply as f32))
            }
        }
    }

    fn search(&mut self, state: &G::State, seat: Seat, depth: u32, ply: u32, mut alpha: f32, beta: f32) -> Option<f32> {
        if depth == 0 {
            return self.quiesce(state, seat, MAX_QUIESCENCE, ply, alpha, beta);
        }
        let (mut highest, mut best) = (f32::NEG_INFINITY, None);
        for action in self.sorted(state, seat) {
            let value = self.after(state, seat, action, depth, ply, (alpha, beta))?;
            if value > highest {
                (highest, best) = (value, Some(action));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        if let Some(best) = best {
            self.best.insert(self.game.key(state), best);
        }
        Some(highest)
    }

    fn quiesce(&mut self, state: &G::State, seat: Seat, left: u32, ply: u32, mut alpha: f32, beta: f32) -> Option<f32> {
        let Some(evaluator) = self.evaluator else { return Some(0.0) };
        let standing = evaluator.value(self.game, state, seat);
        if left == 0 || standing >= beta || evaluator.is_quiet(self.game, state) {
            return Some(standing);
        }
        let mut highest = standing;
        alpha = alpha.max(standing);
        let mut actions = Vec::new();
        self.game.legal_actions(state, seat, &mut actions);
        for action in actions {
            if !evaluator.is_forcing(self.game, state, seat, action) {
                continue;
            }
            self.n_nodes += 1;
            if self.n_nodes > self.most_nodes {
                return None;
            }
            let mut next = state.clone();
            self.game.apply(&mut next, seat, action);
            let value = match self.game.phase(&next) {
                Phase::Act(seats) if seats.contains(seat) => {
                    self.quiesce(&next, seat, left - 1, ply + 1, alpha, beta)?
                }
                Phase::Act(_) => -self.quiesce(&next, 1 - seat, left - 1, ply + 1, -beta, -alpha)?,
                _ => self.game.payoffs(&next)[seat] as f32 * (WIN - 0.001 * ply as f32),
            };
            highest = highest.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(highest)
    }
}
