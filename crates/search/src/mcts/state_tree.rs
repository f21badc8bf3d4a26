//! The tree of a game in which every seat sees everything: one state a node.
//!
//! A node's statistics are for the seat that chose it, so that any number of seats are served without a change of sign
//! (max^n). Chance nodes list their outcomes and draw one by its probability. What is proven is backed up exactly: an
//! end of the game; a decision once one action is proven to pay its seat the best there is, or all are proven; chance
//! once all its outcomes are (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008, with payoffs in
//! place of wins). With three seats or more a proof settles equal choices of a seat by the first: the payoffs of the
//! others are then those of one way of rational play among several.

use std::hint::select_unpredictable;

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Facts, Game, Payoffs, Phase};
use raichi_core::information::{Information, SeatView};
use raichi_core::path::{PathGame, PathState};
use raichi_core::playout::playout_within;
use raichi_core::random::{FastRng, shuffle};
use raichi_core::seat::MAX_SEATS;

use super::exploration::{Exploration, sqrt_ln};
use super::{Config, RootArm, SearchTree, random_fraction, token};

/// A leaf gets its children at this visit. Most leaves are visited once; their children would only fill the memory.
const VISITS_TO_EXPAND: u32 = 2;

/// A chooser that is no seat.
const CHANCE: u8 = u8::MAX;

const NONE: u32 = u32::MAX;

/// What leads to a node.
enum Incoming<G: Game> {
    Root,
    Action(G::Action),
    Outcome(G::Outcome),
}

// Derived, they would ask for G: Copy.
impl<G: Game> Clone for Incoming<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Incoming<G> {}

/// What a choice among siblings looks at, and nothing else: they lie side by side, a cache line to eight of them.
///
/// A child is chosen by `value` + factor · `bonus`. The two are kept so that neither a division nor a case is left
/// for the moment of choice: a node without visits has the first-play urgency as its value and the bonus of one visit, a
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
    /// √ln visits: kept, because the choice of a child would have to wait for it.
    sqrt_ln_visits: f32,
    first_child: u32,
    n_children: u32,
    /// Where the proven payoffs begin in `proofs`; [`NONE`] while nothing is proven.
    proof: u32,
    /// The seat that chose this node, or [`CHANCE`].
    chooser: u8,
    /// Whether chance chooses among its children.
    is_chance: bool,
    incoming: Incoming<G>,
}

impl<G: Game> Clone for Node<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Node<G> {}

impl<G: Game> Node<G> {
    fn new(incoming: Incoming<G>, chooser: u8, total: f64) -> Self {
        Node {
            total,
            visits: 0,
            sqrt_ln_visits: 0.0,
            first_child: NONE,
            n_children: 0,
            proof: NONE,
            chooser,
            is_chance: false,
            incoming,
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
pub(super) struct StateTree<G: Information> {
    root_state: PathState<G>,
    nodes: Vec<Node<G>>,
    /// Of each node, by the same index.
    scores: Vec<Score>,
    /// Of each proven node: the payoffs by seat, then after how many plies they are paid.
    proofs: Vec<f64>,
    /// For each child of the root, by seat: the sum of what its simulations paid.
    root_sums: Vec<f64>,
    facts: Facts,
    exploration: Exploration,
    max_nodes: usize,
    max_plies: u32,
    // Buffers, so that a simulation allocates nothing.
    path: Vec<Step>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
}

impl<G: Playable> SearchTree<G> for StateTree<G> {
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
        let mut next = self.child_by(0, first);
        let mut tokens = Vec::new();
        while let Some(at) = next {
            let choice = self.choice(at).expect("the root is nobody's child");
            tokens.push(match choice {
                Choice::Action(seat, action) => token(game, &state, seat, action),
                Choice::Outcome(outcome) => game.outcome_text(&state, outcome),
            });
            game.play(&mut state, choice);
            next = self.expected_child(at);
        }
        tokens
    }
}

impl<G: Information> StateTree<G> {
    pub(super) fn new(game: &PathGame<G>, config: &Config, root_state: PathState<G>) -> Self {
        let facts = game.facts();
        StateTree {
            root_state,
            nodes: vec![Node::new(Incoming::Root, CHANCE, 0.0)],
            scores: vec![Score { value: 0.0, bonus: 1.0 }],
            proofs: Vec::new(),
            root_sums: Vec::new(),
            exploration: Exploration::new(config.exploration, &facts),
            facts,
            max_nodes: config.nodes,
            max_plies: if config.depth == 0 { u32::MAX } else { config.depth },
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// The position at the root.
    pub(super) fn root_state(&self) -> &PathState<G> {
        &self.root_state
    }

    /// Walks from the root to a leaf, and leaves the way in `path`.
    ///
    /// Where the best child is proven nothing is left to find out about it. Its payoffs go up from there all the same,
    /// but the walk goes on to the best sibling that is open, to prove that one too.
    #[inline]
    fn select(&mut self, game: &PathGame<G>, rng: &mut FastRng) -> PathState<G> {
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
            match child.incoming {
                Incoming::Action(action) => game.apply(&mut state, child.chooser.into(), action),
                Incoming::Outcome(outcome) => game.apply_outcome(&mut state, outcome),
                Incoming::Root => unreachable!("the root is nobody's child"),
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
        self.exploration.factor() as f32 * parent.sqrt_ln_visits
    }

    /// Gives a leaf its children, if it has deserved them and there is room; returns whether it has some now.
    fn expand(&mut self, game: &PathGame<G>, leaf: u32, state: &PathState<G>, rng: &mut FastRng) -> bool {
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
                let unvisited = Score { value: self.first_play_urgency(seat as u8), bonus: 1.0 };
                let child = |&action: &G::Action| Node::new(Incoming::Action(action), seat as u8, 0.0);
                self.nodes.extend(self.actions.iter().map(child));
                self.scores.resize(self.nodes.len(), unvisited);
            }
            Phase::Chance => {
                self.outcomes.clear();
                game.outcomes(state, &mut self.outcomes);
                let total: u64 = self.outcomes.iter().map(|&(_, weight)| weight).sum();
                for &(outcome, weight) in &self.outcomes {
                    let probability = weight as f64 / total as f64;
                    self.nodes.push(Node::new(Incoming::Outcome(outcome), CHANCE, probability));
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

    /// The value of an action before it is tried: what `seat` expected when it last chose on the path.
    fn first_play_urgency(&self, seat: u8) -> f32 {
        let mut choices = self.path.iter().rev().map(|step| step.node as usize);
        choices.find(|&at| self.nodes[at].chooser == seat).map_or(f32::INFINITY, |at| self.scores[at].value)
    }

    /// What the game pays from the end of the path: exactly where that is known, or else by a playout.
    #[inline]
    fn evaluate(&mut self, game: &PathGame<G>, state: &mut PathState<G>, rng: &mut FastRng) -> Payoffs {
        let leaf = self.path[self.path.len() - 1].node;
        if self.nodes[leaf as usize].is_proven() {
            return self.proof(leaf);
        }
        let n_plies = playout_within(game, state, self.max_plies, &mut self.actions, rng);
        let payoffs = game.payoffs(state);
        if n_plies == 0 && game.phase(state) == Phase::Over {
            self.prove(leaf, &payoffs, 0.0);
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
            node.sqrt_ln_visits = sqrt_ln(node.visits);
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

    /// After how many plies a proven node's payoffs are paid.
    fn plies_of_proof(&self, node: &Node<G>) -> f64 {
        self.proofs[node.proof as usize + self.facts.n_seats]
    }

    /// How a seat ranks proven actions that pay it the same: a win as soon as possible, a loss as late as possible, all
    /// else alike.
    fn preference(&self, node: &Node<G>) -> f64 {
        let payoff = self.proofs[node.proof as usize + usize::from(node.chooser)];
        super::preference(payoff, self.plies_of_proof(node), &self.facts)
    }

    fn prove(&mut self, at: u32, payoffs: &Payoffs, n_plies: f64) {
        self.nodes[at as usize].proof = self.proofs.len() as u32;
        self.proofs.extend_from_slice(payoffs.as_slice());
        self.proofs.push(n_plies);
    }

    /// Proves a node whose children prove it; returns whether they do.
    fn try_to_prove(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        let first_child = node.first_child;
        let children = &self.nodes[node.children()];
        if node.is_chance {
            if !children.iter().all(Node::is_proven) {
                return false;
            }
            let n_plies = children.iter().map(|child| self.plies_of_proof(child)).fold(0.0, f64::max);
            let expected = self.expectation(at);
            self.prove(at, &expected, n_plies + 1.0);
            return true;
        }
        let payoff = |child: &Node<G>| self.proofs[child.proof as usize + usize::from(child.chooser)];
        let proven = children.iter().enumerate().filter(|(_, child)| child.is_proven());
        let Some(highest) = proven.clone().map(|(_, child)| payoff(child)).max_by(f64::total_cmp) else { return false };
        let nothing_pays_more = self.facts.payoff_range.is_some_and(|(_, high)| highest >= high);
        if !nothing_pays_more && !children.iter().all(Node::is_proven) {
            return false;
        }
        let equals = proven.rev().filter(|(_, child)| payoff(child) == highest);
        let best = equals.max_by(|a, b| self.preference(a.1).total_cmp(&self.preference(b.1)));
        let (best, child) = best.expect("the highest payoff is somebody's");
        let n_plies = self.plies_of_proof(child);
        let payoffs = self.proof(first_child + best as u32);
        self.prove(at, &payoffs, n_plies + 1.0);
        true
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
impl<G: Information> StateTree<G> {
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
            plies_of_proof: if node.is_proven() { self.plies_of_proof(node) } else { 0.0 },
        }
    }

    fn child_by(&self, parent: u32, action: G::Action) -> Option<u32> {
        let is_it = |&i: &usize| matches!(self.nodes[i].incoming, Incoming::Action(other) if other == action);
        self.nodes[parent as usize].children().find(is_it).map(|i| i as u32)
    }

    /// What leads to a node; `None` at the root.
    fn choice(&self, at: u32) -> Option<Choice<G>> {
        let node = &self.nodes[at as usize];
        match node.incoming {
            Incoming::Root => None,
            Incoming::Action(action) => Some(Choice::Action(node.chooser.into(), action)),
            Incoming::Outcome(outcome) => Some(Choice::Outcome(outcome)),
        }
    }

    /// The child that the seat to act holds best, or the outcome looked at most: by proof where the parent is a proven
    /// decision, elsewhere by visits.
    fn expected_child(&self, parent: u32) -> Option<u32> {
        let parent_node = &self.nodes[parent as usize];
        let by_proof = parent_node.is_proven() && !parent_node.is_chance;
        let rank = |&i: &usize| {
            let node = &self.nodes[i];
            match by_proof && node.is_proven() {
                true => (self.scores[i].value, self.preference(node), node.visits),
                false => (f32::NEG_INFINITY, 0.0, node.visits),
            }
        };
        let compare = |a: &usize, b: &usize| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        parent_node.children().filter(|&i| self.nodes[i].visits > 0).max_by(compare).map(|i| i as u32)
    }

    /// Makes the node to which these choices lead from the root the new root, if the tree has it; returns whether it had.
    ///
    /// Payoffs of all seats are known at the root only, so this serves games of one seat, and of two that share a constant
    /// sum.
    pub(super) fn advance(&mut self, game: &PathGame<G>, choices: &[Choice<G>]) -> bool {
        let shares_a_sum = self.facts.n_seats == 1 || self.facts.n_seats == 2 && self.facts.payoff_sum.is_some();
        if !shares_a_sum {
            return false;
        }
        let mut at = 0;
        for &choice in choices {
            let child = self.nodes[at as usize].children().find(|&i| self.choice(i as u32) == Some(choice));
            let Some(child) = child else { return false };
            game.play(&mut self.root_state, choice);
            at = child as u32;
        }
        if at != 0 {
            self.keep_only(at);
        }
        true
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
                let proof = &old_proofs[node.proof as usize..][..=n_seats];
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
        self.nodes[0].incoming = Incoming::Root;
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
        // Which child is best is as good as random; a branch on it would be mispredicted all the time.
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
    // Rounding may leave a little; it counts as the last one's.
    last
}
