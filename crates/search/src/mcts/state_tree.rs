//! The tree of a game in which every seat sees everything: one state a node.
//!
//! A node's statistics are for the seat that chose it, so that any number of seats are served without a change of sign
//! (max^n). Chance nodes list their outcomes and draw one by its probability. What is proven is backed up exactly: an
//! end of the game; a decision once one action is proven to pay its seat the best there is, or all are proven; chance
//! once all its outcomes are (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008, with payoffs in
//! place of wins). With three seats or more a proof settles equal choices of a seat by the first: the payoffs of the
//! others are then those of one way of rational play among several.

use std::collections::VecDeque;
use std::hint::select_unpredictable;

use raichi_core::erased::Playable;
use raichi_core::game::{Facts, Game, Payoffs, Phase};
use raichi_core::information::SeatView;
use raichi_core::random::{FastRng, shuffle};
use raichi_core::seat::{MAX_SEATS, Seat};

use super::exploration::{Exploration, sqrt_ln};
use super::playout::{playout_within, random_fraction};
use super::{Config, RootArm, SearchTree, token};

/// A leaf gets its children at this visit. Most leaves are visited once; their children would only fill the memory.
const VISITS_TO_EXPAND: u32 = 2;

/// A chooser that is no seat.
const CHANCE: u8 = u8::MAX;

const NONE: u32 = u32::MAX;

/// What leads to a node.
enum Choice<G: Game> {
    Root,
    Action(G::Action),
    Outcome(G::Outcome),
}

// Derived, they would ask for G: Copy.
impl<G: Game> Clone for Choice<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Choice<G> {}

/// What a choice among siblings looks at, and nothing else: they lie side by side, a cache line to eight of them.
///
/// A child is chosen by `value` + factor · `bonus`. The two are kept so that neither a division nor a case is left
/// for the moment of choice: a node without visits has the value its seat had in hope and the bonus of one visit, a
/// proven node its exact value and no bonus.
#[derive(Clone, Copy)]
struct Score {
    /// The payoff expected by the seat that chose this node; where chance chose it, the outcome's probability.
    value: f32,
    /// 1 / √visits.
    bonus: f32,
}

struct Node<G: Game> {
    /// What its visits paid the seat that chose it, added up; where chance chose it, the outcome's probability.
    total: f64,
    visits: u32,
    /// √ln visits: kept, because in the moment of choice everything else would have to wait for it.
    breadth: f32,
    first_child: u32,
    n_children: u32,
    /// Where the proven payoffs begin in `proofs`; [`NONE`] while nothing is proven.
    proof: u32,
    /// The seat that chose this node, or [`CHANCE`].
    chooser: u8,
    /// Whether chance chooses among its children.
    is_chance: bool,
    choice: Choice<G>,
}

impl<G: Game> Clone for Node<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Node<G> {}

impl<G: Game> Node<G> {
    fn new(choice: Choice<G>, chooser: u8, total: f64) -> Self {
        Node {
            total,
            visits: 0,
            breadth: 0.0,
            first_child: NONE,
            n_children: 0,
            proof: NONE,
            chooser,
            is_chance: false,
            choice,
        }
    }

    #[inline]
    fn is_proven(&self) -> bool {
        self.proof != NONE
    }

    #[inline]
    fn children(&self) -> std::ops::Range<usize> {
        self.first_child as usize..(self.first_child + self.n_children) as usize
    }
}

/// A node on the way of a simulation.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    /// The proven child whose payoffs count from here on up; [`NONE`] where the simulation's own do.
    instead: u32,
}

/// A search tree that can be kept from one decision to the next.
pub(super) struct StateTree<G: Game> {
    root_state: G::State,
    nodes: Vec<Node<G>>,
    /// Of each node, by the same index.
    scores: Vec<Score>,
    proofs: Vec<f64>,
    /// For each child of the root, by seat: the sum of what its simulations paid.
    root_sums: Vec<f64>,
    facts: Facts,
    c: f64,
    exploration: Exploration,
    max_nodes: usize,
    max_plies: u32,
    // Buffers, so that a simulation allocates nothing.
    path: Vec<Step>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
}

impl<G: Playable> SearchTree<G> for StateTree<G> {
    fn begin(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) {
        let (game, state) = (view.game(), view.determinize(rng));
        if !self.advance_to(game, &state) {
            self.clear(state);
        }
    }

    #[inline]
    fn simulate(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) {
        let game = view.game();
        let mut state = self.select(game, rng);
        let payoffs = self.evaluate(game, &mut state, rng);
        self.exploration.observe(&payoffs);
        self.back_up(payoffs);
    }

    fn is_settled(&self) -> bool {
        // Counts of visits have 32 bits.
        self.nodes[0].is_proven() || self.nodes[0].visits == u32::MAX
    }

    fn root_arms(&self, view: &SeatView<'_, G>) -> Vec<RootArm<G::Action>> {
        view.legal_actions().into_iter().map(|action| self.root_arm(action)).collect()
    }

    fn line(&self, view: &SeatView<'_, G>, first: G::Action) -> Vec<String> {
        let game = view.game();
        let mut state = self.root_state.clone();
        let mut at = self.child_by(0, first);
        let mut tokens = Vec::new();
        while let Some((seat, action)) = at.and_then(|at| self.chosen(at)) {
            tokens.push(token(game, &state, seat, action));
            game.apply(&mut state, seat, action);
            at = at.and_then(|at| self.expected_child(at));
        }
        tokens
    }
}

impl<G: Game> StateTree<G> {
    pub(super) fn new(game: &G, config: &Config, root_state: G::State) -> Self {
        let facts = game.facts();
        StateTree {
            root_state,
            nodes: vec![Node::new(Choice::Root, CHANCE, 0.0)],
            scores: vec![Score { value: 0.0, bonus: 1.0 }],
            proofs: Vec::new(),
            root_sums: Vec::new(),
            c: config.exploration,
            exploration: Exploration::new(config.exploration, &facts),
            facts,
            max_nodes: config.nodes,
            max_plies: if config.depth == 0 { u32::MAX } else { config.depth },
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Begins anew.
    fn clear(&mut self, root_state: G::State) {
        self.root_state = root_state;
        self.nodes.truncate(1);
        self.nodes[0] = Node::new(Choice::Root, CHANCE, 0.0);
        self.scores.truncate(1);
        self.proofs.clear();
        self.root_sums.clear();
        self.exploration = Exploration::new(self.c, &self.facts);
    }

    /// Walks from the root to a leaf, and leaves the way in `path`.
    ///
    /// Where the best child is proven nothing is left to find out about it. Its payoffs go up from there all the same,
    /// but the walk goes on to the best sibling that is open, to prove that one too.
    #[inline]
    fn select(&mut self, game: &G, rng: &mut FastRng) -> G::State {
        let mut state = self.root_state.clone();
        let mut at = 0;
        self.path.clear();
        loop {
            self.path.push(Step { node: at, instead: NONE });
            let node = &self.nodes[at as usize];
            if node.is_proven() || node.n_children == 0 && !self.expand(game, at, &state, rng) {
                return state;
            }
            let parent = at;
            at = self.choose_child(parent, rng);
            if self.nodes[at as usize].is_proven() {
                self.path.last_mut().expect("it was just pushed").instead = at;
                at = self.choose_open_child(parent, rng);
            }
            let child = &self.nodes[at as usize];
            match child.choice {
                Choice::Action(action) => game.apply(&mut state, child.chooser.into(), action),
                Choice::Outcome(outcome) => game.apply_outcome(&mut state, outcome),
                Choice::Root => unreachable!("the root is nobody's child"),
            }
        }
    }

    #[inline]
    fn choose_child(&self, parent: u32, rng: &mut FastRng) -> u32 {
        let node = &self.nodes[parent as usize];
        let scores = &self.scores[node.children()];
        let chosen = if node.is_chance {
            draw_outcome(scores, rng, |_| true)
        } else {
            upper_confidence_bound(scores, self.factor(node), |_| true)
        };
        node.first_child + chosen as u32
    }

    /// The child to go on to when the best one is proven; one is open, or the parent would be proven.
    #[cold]
    fn choose_open_child(&self, parent: u32, rng: &mut FastRng) -> u32 {
        let node = &self.nodes[parent as usize];
        let (children, scores) = (&self.nodes[node.children()], &self.scores[node.children()]);
        let is_open = |i: usize| !children[i].is_proven();
        let chosen = if node.is_chance {
            draw_outcome(scores, rng, is_open)
        } else {
            upper_confidence_bound(scores, self.factor(node), is_open)
        };
        node.first_child + chosen as u32
    }

    #[inline]
    fn factor(&self, parent: &Node<G>) -> f32 {
        self.exploration.factor() as f32 * parent.breadth
    }

    /// Gives a leaf its children, if it has deserved them and there is room; answers whether it has some now.
    fn expand(&mut self, game: &G, leaf: u32, state: &G::State, rng: &mut FastRng) -> bool {
        let visits = self.nodes[leaf as usize].visits;
        if leaf != 0 && (visits + 1 < VISITS_TO_EXPAND || self.nodes.len() >= self.max_nodes) {
            return false;
        }
        let first_child = self.nodes.len();
        match game.phase(state) {
            Phase::Over => return false,
            Phase::Act(seats) => {
                let seat = seats.first();
                self.actions.clear();
                game.legal_actions(state, seat, &mut self.actions);
                // Unvisited children tie; in the rules' order the first would be preferred by accident.
                shuffle(rng, &mut self.actions);
                let hope = Score { value: self.hope(seat as u8), bonus: 1.0 };
                let child = |&action: &G::Action| Node::new(Choice::Action(action), seat as u8, 0.0);
                self.nodes.extend(self.actions.iter().map(child));
                self.scores.resize(self.nodes.len(), hope);
            }
            Phase::Chance => {
                self.outcomes.clear();
                game.outcomes(state, &mut self.outcomes);
                let total: u64 = self.outcomes.iter().map(|&(_, weight)| weight).sum();
                for &(outcome, weight) in &self.outcomes {
                    let probability = weight as f64 / total as f64;
                    self.nodes.push(Node::new(Choice::Outcome(outcome), CHANCE, probability));
                    self.scores.push(Score { value: probability as f32, bonus: 0.0 });
                }
                self.nodes[leaf as usize].is_chance = true;
            }
        }
        let n_children = self.nodes.len() - first_child;
        let node = &mut self.nodes[leaf as usize];
        node.first_child = first_child as u32;
        node.n_children = n_children as u32;
        if leaf == 0 {
            self.root_sums = vec![0.0; n_children * self.facts.n_seats];
        }
        true
    }

    /// What `seat` expected when it last chose on the path: the value of its actions before they are tried.
    fn hope(&self, seat: u8) -> f32 {
        let mut choices = self.path.iter().rev().map(|step| step.node as usize);
        choices.find(|&at| self.nodes[at].chooser == seat).map_or(f32::INFINITY, |at| self.scores[at].value)
    }

    /// What the game pays from the end of the path: exactly where that is known, or else by a playout.
    #[inline]
    fn evaluate(&mut self, game: &G, state: &mut G::State, rng: &mut FastRng) -> Payoffs {
        let leaf = self.path[self.path.len() - 1].node;
        if self.nodes[leaf as usize].is_proven() {
            return self.proof(leaf);
        }
        let n_plies = playout_within(game, state, self.max_plies, &mut self.actions, rng);
        let payoffs = game.payoffs(state);
        if n_plies == 0 && game.phase(state) == Phase::Over {
            self.prove(leaf, &payoffs);
        }
        payoffs
    }

    /// Counts the visits, averages what they paid, and carries proofs as far up as they reach.
    #[inline]
    fn back_up(&mut self, mut payoffs: Payoffs) {
        let mut proven = false;
        for i in (0..self.path.len()).rev() {
            let Step { node: at, instead } = self.path[i];
            if proven {
                proven = self.try_to_prove(at);
            } else if i + 1 == self.path.len() {
                proven = self.nodes[at as usize].is_proven();
            }
            if proven {
                payoffs = self.proof(at);
            } else if instead != NONE {
                payoffs = self.proof(instead);
            }
            if i == 1 {
                self.add_to_root_sums(at, &payoffs);
            }
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.breadth = sqrt_ln(node.visits);
            if node.chooser != CHANCE {
                let payoff = payoffs[node.chooser.into()];
                node.total += payoff;
                self.scores[at as usize] = if proven {
                    Score { value: payoff as f32, bonus: 0.0 }
                } else {
                    let n = node.visits as f32;
                    Score { value: node.total as f32 / n, bonus: 1.0 / n.sqrt() }
                };
            }
        }
    }

    fn add_to_root_sums(&mut self, child: u32, payoffs: &Payoffs) {
        let n_seats = self.facts.n_seats;
        let first = (child - self.nodes[0].first_child) as usize * n_seats;
        for (sum, payoff) in self.root_sums[first..first + n_seats].iter_mut().zip(payoffs.as_slice()) {
            *sum += payoff;
        }
    }

    fn proof(&self, at: u32) -> Payoffs {
        let first = self.nodes[at as usize].proof as usize;
        Payoffs::new(self.proofs[first..first + self.facts.n_seats].iter().copied())
    }

    fn prove(&mut self, at: u32, payoffs: &Payoffs) {
        self.nodes[at as usize].proof = self.proofs.len() as u32;
        self.proofs.extend_from_slice(payoffs.as_slice());
    }

    /// Proves a node whose children prove it; answers whether they do.
    fn try_to_prove(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        let first_child = node.first_child;
        let children = &self.nodes[node.children()];
        if node.is_chance {
            if !children.iter().all(Node::is_proven) {
                return false;
            }
            let expected = self.expectation(at);
            self.prove(at, &expected);
            return true;
        }
        let payoff = |child: &Node<G>| self.proofs[child.proof as usize + usize::from(child.chooser)];
        let proven = children.iter().enumerate().filter(|(_, child)| child.is_proven());
        let proven = proven.map(|(i, child)| (i, payoff(child)));
        let Some((best, highest)) = proven.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
            return false;
        };
        let nothing_pays_more = self.facts.payoff_range.is_some_and(|(_, high)| highest >= high);
        if nothing_pays_more || children.iter().all(Node::is_proven) {
            let payoffs = self.proof(first_child + best as u32);
            self.prove(at, &payoffs);
            return true;
        }
        false
    }

    /// What a chance node pays on average, all its outcomes proven.
    fn expectation(&self, at: u32) -> Payoffs {
        let mut sums = [0.0; MAX_SEATS];
        for child in self.nodes[at as usize].children() {
            let probability = self.nodes[child].total;
            for (sum, payoff) in sums.iter_mut().zip(self.proof(child as u32).as_slice()) {
                *sum += probability * payoff;
            }
        }
        Payoffs::new(sums.into_iter().take(self.facts.n_seats))
    }
}

// The decision, and what is kept of the tree for the next one.
impl<G: Game> StateTree<G> {
    fn root_arm(&self, action: G::Action) -> RootArm<G::Action> {
        let n_seats = self.facts.n_seats;
        let Some(at) = self.child_by(0, action) else { return RootArm::new(action, n_seats) };
        let node = &self.nodes[at as usize];
        let first = (at - self.nodes[0].first_child) as usize * n_seats;
        RootArm {
            action,
            visits: node.visits.into(),
            sums: self.root_sums[first..first + n_seats].to_vec(),
            proof: node.is_proven().then(|| self.proof(at).as_slice().to_vec()),
        }
    }

    fn child_by(&self, parent: u32, action: G::Action) -> Option<u32> {
        let is_it = |&i: &usize| matches!(self.nodes[i].choice, Choice::Action(other) if other == action);
        self.nodes[parent as usize].children().find(is_it).map(|i| i as u32)
    }

    fn chosen(&self, at: u32) -> Option<(Seat, G::Action)> {
        let node = &self.nodes[at as usize];
        if let Choice::Action(action) = node.choice { Some((node.chooser.into(), action)) } else { None }
    }

    /// The child that the seat to act holds best: by proof where the parent is proven, elsewhere by visits.
    fn expected_child(&self, parent: u32) -> Option<u32> {
        let by_proof = self.nodes[parent as usize].is_proven();
        let rank = |&i: &usize| {
            let node = &self.nodes[i];
            (if by_proof && node.is_proven() { self.scores[i].value } else { f32::NEG_INFINITY }, node.visits)
        };
        let visited = self.nodes[parent as usize].children().filter(|&i| self.nodes[i].visits > 0);
        visited.max_by(|a, b| rank(a).0.total_cmp(&rank(b).0).then(rank(a).1.cmp(&rank(b).1))).map(|i| i as u32)
    }

    /// Makes the node at which the game now stands the root, if the tree has it; answers whether it had.
    ///
    /// Payoffs of all seats are known at the root only, so this serves games of one seat, and of two that share out a
    /// constant sum.
    fn advance_to(&mut self, game: &G, state: &G::State) -> bool {
        let shares_a_sum = self.facts.n_seats == 1 || self.facts.n_seats == 2 && self.facts.payoff_sum.is_some();
        if !shares_a_sum {
            return false;
        }
        let Some(node) = self.find(game, state) else { return false };
        if node != 0 {
            self.keep_only(node);
            self.root_state = state.clone();
        }
        true
    }

    /// Breadth first: the game has usually gone on by one action of each seat.
    fn find(&self, game: &G, sought: &G::State) -> Option<u32> {
        const MAX_NODES_LOOKED_AT: usize = 1 << 14;
        let mut queue = VecDeque::from([(0u32, self.root_state.clone())]);
        for _ in 0..MAX_NODES_LOOKED_AT {
            let (at, state) = queue.pop_front()?;
            if &state == sought {
                return Some(at);
            }
            if queue.len() >= MAX_NODES_LOOKED_AT {
                continue;
            }
            for i in self.nodes[at as usize].children().filter(|&i| self.nodes[i].visits > 0) {
                let mut next = state.clone();
                match self.nodes[i].choice {
                    Choice::Action(action) => game.apply(&mut next, self.nodes[i].chooser.into(), action),
                    Choice::Outcome(outcome) => game.apply_outcome(&mut next, outcome),
                    Choice::Root => unreachable!("the root is nobody's child"),
                }
                queue.push_back((i as u32, next));
            }
        }
        None
    }

    /// Drops everything that is not below `root`.
    fn keep_only(&mut self, root: u32) {
        let old = std::mem::take(&mut self.nodes);
        let old_scores = std::mem::take(&mut self.scores);
        let old_proofs = std::mem::take(&mut self.proofs);
        let n_seats = self.facts.n_seats;
        self.nodes.push(old[root as usize]);
        self.scores.push(old_scores[root as usize]);
        let mut at = 0;
        while at < self.nodes.len() {
            let first_child = self.nodes.len() as u32;
            let node = &mut self.nodes[at];
            let children = node.children();
            if node.is_proven() {
                let proof = &old_proofs[node.proof as usize..][..n_seats];
                node.proof = self.proofs.len() as u32;
                self.proofs.extend_from_slice(proof);
            }
            if !children.is_empty() {
                node.first_child = first_child;
                self.nodes.extend_from_slice(&old[children.clone()]);
                self.scores.extend_from_slice(&old_scores[children]);
            }
            at += 1;
        }
        self.nodes[0].choice = Choice::Root;
        self.nodes[0].chooser = CHANCE;
        self.root_sums = self.nodes[0].children().flat_map(|i| self.sums_from_total(i)).collect();
    }

    fn sums_from_total(&self, i: usize) -> Vec<f64> {
        let node = &self.nodes[i];
        let mut sums = vec![0.0; self.facts.n_seats];
        if node.chooser != CHANCE {
            let chooser = usize::from(node.chooser);
            sums[chooser] = node.total;
            if let (2, Some(sum)) = (self.facts.n_seats, self.facts.payoff_sum) {
                sums[1 - chooser] = sum * f64::from(node.visits) - node.total;
            }
        }
        sums
    }
}

/// The index of the eligible child with the highest upper confidence bound, the first of equals (Auer, Cesa-Bianchi and
/// Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002; Kocsis and Szepesvári, *Bandit based
/// Monte-Carlo planning*, 2006).
#[inline]
fn upper_confidence_bound(scores: &[Score], factor: f32, eligible: impl Fn(usize) -> bool) -> usize {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (i, score) in scores.iter().enumerate() {
        let bound = score.value + factor * score.bonus;
        // Which child is best is as good as random; a branch on it would be foretold wrongly all the time.
        if eligible(i) {
            best = select_unpredictable(bound > highest, i, best);
            highest = if bound > highest { bound } else { highest };
        }
    }
    best
}

/// The index of an eligible outcome, drawn by probability.
fn draw_outcome(scores: &[Score], rng: &mut FastRng, eligible: impl Fn(usize) -> bool) -> usize {
    let outcomes = || scores.iter().enumerate().filter(|&(i, _)| eligible(i));
    let total: f32 = outcomes().map(|(_, outcome)| outcome.value).sum();
    let mut left = f64::from(total) * random_fraction(rng);
    let mut last = 0;
    for (i, outcome) in outcomes() {
        last = i;
        left -= f64::from(outcome.value);
        if left < 0.0 {
            break;
        }
    }
    // Rounding may leave a crumb; the last one has it.
    last
}
