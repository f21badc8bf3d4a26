//! Games with secrets, with a tree for each seat: what a seat does depends on what that seat knows.
//!
//! Information-set Monte-Carlo tree search with several observers (Cowling, Powley and Whitehouse, *Information set Monte
//! Carlo tree search*, 2012): a node is an information state of the seat that chooses there. With re-determinization
//! (Goodman, *Re-determinizing MCTS in Hanabi*, 2019): a seat learns only from states that are drawn from its own view.
//! Were the others to learn from states that all have the searching seat's true cards, they would play as if they knew
//! them, and a bluff could never pay.
//!
//! One seat learns in a simulation: the searching seat in every second one, the others in turns. It chooses by upper
//! confidence bounds; the others do what they have done on average, as in fictitious play (in trees: Heinrich and Silver,
//! *Smooth UCT search in computer poker*, 2015). What a seat knew before the search is told apart by its observation, what
//! it sees from then on by its recall.
//!
//! Not for seats that act together. Not promised: an equilibrium. What others have done so far is not held against what
//! they may hold: every draw that fits is as likely.

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Payoffs, Phase};
use raichi_core::information::{Information, Recall, SeatView};
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{FastRng, index, mix};
use raichi_core::seat::Seat;
use rustc_hash::FxHashMap;

use super::exploration::{Exploration, sqrt_ln};
use super::playouts::{Beyond, Knowledge};
use super::root::RootArm;
use super::{Config, Simulator, draw};

/// For so many nodes there is room at first.
const FIRST_NODES: usize = 1 << 10;

/// How the information states of all seats are searched together, for one decision.
pub(super) struct Forest<'a, G: Information> {
    view: &'a SeatView<'a, G>,
    /// By information state.
    nodes: FxHashMap<u64, Node>,
    arms: Vec<Arm<G::Action>>,
    /// The searching seat's own choice now.
    root_actions: Vec<G::Action>,
    root: Vec<RootArm>,
    simulations: u32,
    exploration: Exploration,
    n_seats: usize,
    max_nodes: usize,
    max_arms: usize,
    beyond: Beyond<G>,
    // Buffers.
    path: Vec<(u64, usize)>,
    actions: Vec<G::Action>,
    weights: Vec<f64>,
    observation: Vec<i32>,
    /// What each seat knew before the search.
    known: Vec<u64>,
}

/// An information state.
#[derive(Clone, Copy)]
struct Node {
    /// The first of its arms.
    first: u32,
    n_arms: u32,
    visits: u32,
}

/// An action there.
struct Arm<A> {
    action: A,
    /// The payoff its chooser got on average.
    value: f64,
    visits: u32,
}

impl<G: Playable> Simulator for Forest<'_, G> {
    fn simulate(&mut self, rng: &mut FastRng) -> u64 {
        let view = self.view;
        let (game, learner) = (view.game(), self.learner(view.seat()));
        let mut state = view.determinize(rng);
        if learner != view.seat() {
            state = game.determinize(&state, learner, rng);
        }
        let (own_action, entered) = self.play(game, &mut state, learner, rng);
        let (payoffs, played) = self.beyond.play(game, &mut state, &mut self.actions, rng);
        self.exploration.observe(&payoffs);
        self.back_up(&payoffs, learner);
        if learner == view.seat()
            && let Some(place) = self.root_actions.iter().position(|&action| Some(action) == own_action)
        {
            self.root[place].pay(&payoffs);
        }
        self.simulations += 1;
        u64::from(entered + played)
    }

    fn is_settled(&self) -> bool {
        // Counts of visits have 32 bits.
        self.simulations == u32::MAX
    }
}

impl<'a, G: Playable> Forest<'a, G> {
    pub(super) fn new(view: &'a SeatView<'a, G>, config: &Config, knowledge: &Knowledge<G>) -> Self {
        let facts = view.facts();
        let root_actions = view.legal_actions();
        // A table of hashes has up to half of its places free, what grows is there twice for a moment, and a node has about
        // three arms.
        let a_node = 3 * (size_of::<(u64, Node)>() + 1) + 3 * 2 * size_of::<Arm<G::Action>>();
        let max_nodes = (config.memory / config.threads / a_node).clamp(1, u32::MAX as usize / 4);
        let max_arms = (3 * max_nodes).max(1024);
        Forest {
            view,
            // They grow up to there: to clear the whole table for a short search would take longer than the search.
            nodes: FxHashMap::with_capacity_and_hasher(max_nodes.min(FIRST_NODES), Default::default()),
            arms: Vec::with_capacity(max_arms.min(3 * FIRST_NODES)),
            root: vec![RootArm::new(facts.n_seats); root_actions.len()],
            root_actions,
            simulations: 0,
            exploration: Exploration::new(config.exploration, &facts),
            n_seats: facts.n_seats,
            max_nodes,
            max_arms,
            beyond: Beyond::new(config, knowledge, facts),
            path: Vec::with_capacity(64),
            actions: Vec::with_capacity(256),
            weights: Vec::with_capacity(256),
            observation: vec![0; view.game().layout().len()],
            known: vec![0; facts.n_seats],
        }
    }

    /// Each action of the root with what was found out about it, in the rules' order.
    pub(super) fn root_arms(&self) -> Vec<RootArm> {
        self.root.clone()
    }

    /// Who learns from the next simulation.
    fn learner(&self, observer: Seat) -> Seat {
        let n_others = self.n_seats as u32 - 1;
        if self.simulations.is_multiple_of(2) || n_others == 0 {
            return observer;
        }
        let nth = (self.simulations / 2 % n_others) as usize;
        (observer + 1 + nth) % self.n_seats
    }

    /// Plays from a state until the learner has left its tree. Returns what it chose first, and how many actions that was.
    fn play(
        &mut self,
        game: &PathGame<G>,
        state: &mut PathState<G>,
        learner: Seat,
        rng: &mut FastRng,
    ) -> (Option<G::Action>, u32) {
        self.know(game, state);
        let mut recall = Recall::new(self.n_seats);
        let (mut first, mut entered) = (None, 0);
        self.path.clear();
        loop {
            let choice = match game.phase(state) {
                Phase::Over => break,
                Phase::Chance => Choice::Outcome(game.sample_outcome(state, rng)),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    self.actions.clear();
                    game.legal_actions(state, seat, &mut self.actions);
                    let key = mix(self.known[seat] ^ recall.key(seat));
                    entered += 1;
                    if seat == learner {
                        let (action, leaves) = self.learn(key, rng);
                        first.get_or_insert(action);
                        if leaves {
                            game.apply(state, seat, action);
                            break;
                        }
                        Choice::Action(seat, action)
                    } else {
                        Choice::Action(seat, self.do_as_before(key, rng))
                    }
                }
            };
            recall.play(game, state, choice);
        }
        (first, entered)
    }

    /// Notes what each seat knows in `state`.
    fn know(&mut self, game: &PathGame<G>, state: &PathState<G>) {
        for seat in 0..self.n_seats {
            game.observe(state, seat, &mut self.observation);
            let add = |key: u64, &number: &i32| mix(key.rotate_left(1) ^ u64::from(number as u32));
            self.known[seat] = self.observation.iter().fold(mix(!(seat as u64)), add);
        }
    }

    /// The learner's choice among `actions`: one that was never tried, or the one with the highest upper confidence bound;
    /// and whether it leaves the tree with it.
    fn learn(&mut self, key: u64, rng: &mut FastRng) -> (G::Action, bool) {
        let Some(node) = self.node(key) else {
            return (self.actions[index(rng, self.actions.len())], true);
        };
        let first = node.first as usize;
        let arms = &self.arms[first..first + node.n_arms as usize];
        let untried = arms.iter().filter(|arm| arm.visits == 0).count();
        let chosen = if untried > 0 {
            let untried_ones = (0..arms.len()).filter(|&i| arms[i].visits == 0);
            untried_ones.clone().nth(index(rng, untried)).expect("they were counted")
        } else {
            let width = self.exploration.factor() * f64::from(sqrt_ln(node.visits));
            let bound = |i: &usize| arms[*i].value + width / f64::from(arms[*i].visits).sqrt();
            (0..arms.len()).max_by(|a, b| bound(a).total_cmp(&bound(b))).expect("there are legal actions")
        };
        let action = arms[chosen].action;
        if !self.actions.contains(&action) {
            // Two information states share a key; as good as never.
            return (self.actions[index(rng, self.actions.len())], true);
        }
        self.path.push((key, first + chosen));
        (action, untried > 0)
    }

    /// What another seat does: as often what it has tried so often, and at random where it has tried nothing yet.
    fn do_as_before(&mut self, key: u64, rng: &mut FastRng) -> G::Action {
        self.weights.clear();
        if let Some(node) = self.nodes.get(&key) {
            let arms = &self.arms[node.first as usize..][..node.n_arms as usize];
            let weight = |action: &G::Action| arms.iter().find(|arm| arm.action == *action).map_or(0, |arm| arm.visits);
            self.weights.extend(self.actions.iter().map(weight).map(f64::from));
        }
        let is_known = self.weights.iter().any(|&weight| weight > 0.0);
        let i = if is_known { draw(&self.weights, rng) } else { index(rng, self.actions.len()) };
        self.actions[i]
    }

    /// The node of an information state, made where there is none; `None` where there is no room.
    fn node(&mut self, key: u64) -> Option<Node> {
        if let Some(&node) = self.nodes.get(&key) {
            return Some(node);
        }
        if self.nodes.len() == self.max_nodes || self.arms.len() + self.actions.len() > self.max_arms {
            return None;
        }
        let node = Node { first: self.arms.len() as u32, n_arms: self.actions.len() as u32, visits: 0 };
        self.arms.extend(self.actions.iter().map(|&action| Arm { action, value: 0.0, visits: 0 }));
        self.nodes.insert(key, node);
        Some(node)
    }

    fn back_up(&mut self, payoffs: &Payoffs, learner: Seat) {
        for &(key, arm) in &self.path {
            if let Some(node) = self.nodes.get_mut(&key) {
                node.visits += 1;
            }
            let arm = &mut self.arms[arm];
            arm.visits += 1;
            arm.value += (payoffs[learner] - arm.value) / f64::from(arm.visits);
        }
    }
}
