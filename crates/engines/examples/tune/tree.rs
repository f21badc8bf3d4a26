//! Plain Monte-Carlo tree search for two seats, for what is compared at equal simulations: UCB with random playouts or
//! with those of a playout policy, and PUCT with the priors and values of an evaluator.

use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, stream};
use raichi_core::seat::Seat;
use raichi_search::{Evaluator, PlayoutPolicy};

/// How a leaf is valued and where the search looks.
#[derive(Clone, Copy)]
pub(crate) enum Guide<'a, G: Game> {
    Random,
    Policy(&'a dyn PlayoutPolicy<G>),
    Evaluator(&'a dyn Evaluator<G>),
}

struct Node<G: Game> {
    action: Option<G::Action>,
    /// Whose payoffs are added up: the seat that chose this node.
    chooser: Seat,
    prior: f32,
    total: f64,
    visits: u32,
    children: Option<std::ops::Range<usize>>,
}

pub(crate) struct Tree<'a, G: Game> {
    game: &'a G,
    guide: Guide<'a, G>,
    nodes: Vec<Node<G>>,
    rng: FastRng,
}

const UCB: f64 = 1.4;
const PUCT: f64 = 2.5;
const MAX_PLIES: u32 = 1000;

impl<'a, G: Game> Tree<'a, G> {
    pub(crate) fn new(game: &'a G, guide: Guide<'a, G>, seed: u64) -> Self {
        Tree { game, guide, nodes: Vec::new(), rng: stream(seed, "tree", 0) }
    }

    pub(crate) fn decide(&mut self, state: &G::State, seat: Seat, simulations: u64) -> G::Action {
        self.nodes.clear();
        self.nodes.push(Node { action: None, chooser: 1 - seat, prior: 1.0, total: 0.0, visits: 0, children: None });
        for _ in 0..simulations {
            self.simulate(state.clone());
        }
        let children = self.nodes[0].children.clone().expect("the root was expanded");
        let best = children.max_by_key(|&child| self.nodes[child].visits).expect("there is an action");
        self.nodes[best].action.expect("a child has an action")
    }

    fn simulate(&mut self, mut state: G::State) {
        let mut path = vec![0];
        loop {
            let at = path[path.len() - 1];
            let Phase::Act(seats) = self.game.phase(&state) else { break };
            let seat = seats.first();
            if self.nodes[at].children.is_none() {
                if self.nodes[at].visits == 0 && at != 0 {
                    break;
                }
                self.expand(at, &state, seat);
            }
            let child = self.select(at);
            self.game.apply(&mut state, seat, self.nodes[child].action.expect("a child has an action"));
            path.push(child);
        }
        let last = self.nodes[path[path.len() - 1]].action;
        let value = self.value(state, last);
        for node in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.total += if node.chooser == 0 { value } else { -value };
        }
    }

    fn expand(&mut self, at: usize, state: &G::State, seat: Seat) {
        let mut actions = Vec::new();
        self.game.legal_actions(state, seat, &mut actions);
        raichi_core::random::shuffle(&mut self.rng, &mut actions);
        let mut priors = vec![0.0f32; actions.len()];
        if let Guide::Evaluator(evaluator) = self.guide {
            evaluator.priors(self.game, state, seat, &actions, &mut priors);
        }
        let highest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = priors.iter().map(|prior| (prior - highest).exp()).sum();
        let first = self.nodes.len();
        self.nodes.extend(actions.into_iter().zip(priors).map(|(action, prior)| Node {
            action: Some(action),
            chooser: seat,
            prior: (prior - highest).exp() / sum,
            total: 0.0,
            visits: 0,
            children: None,
        }));
        self.nodes[at].children = Some(first..self.nodes.len());
    }

    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let visits = f64::from(node.visits.max(1));
        let parent_value = -node.total / visits;
        let score = |&child: &usize| {
            let child = &self.nodes[child];
            let n = f64::from(child.visits);
            match self.guide {
                Guide::Evaluator(_) => {
                    let value = if child.visits == 0 { parent_value - 0.2 } else { child.total / n };
                    value + PUCT * f64::from(child.prior) * visits.sqrt() / (1.0 + n)
                }
                _ if child.visits == 0 => f64::INFINITY,
                _ => child.total / n + UCB * (visits.ln() / n).sqrt(),
            }
        };
        let children = node.children.clone().expect("it was expanded");
        children.max_by(|a, b| score(a).total_cmp(&score(b))).expect("there is an action")
    }

    // For seat 0.
    fn value(&mut self, mut state: G::State, mut last: Option<G::Action>) -> f64 {
        let mut scratch = Vec::new();
        for _ in 0..MAX_PLIES {
            let Phase::Act(seats) = self.game.phase(&state) else { break };
            let seat = seats.first();
            let action = match self.guide {
                Guide::Evaluator(evaluator) => return evaluator.value(self.game, &state, 0).into(),
                Guide::Random => self.game.random_action(&state, seat, &mut scratch, &mut self.rng),
                Guide::Policy(policy) => policy.choose(self.game, &state, seat, last, &mut scratch, &mut self.rng),
            };
            self.game.apply(&mut state, seat, action);
            last = Some(action);
        }
        self.game.payoffs(&state)[0]
    }
}
