//! A tree for one decision, grown a simulation at a time, by Danihelka and others (2022).
//!
//! At the root, sequential halving spends the simulations on the actions whose luck (Gumbel noise), logit and value are
//! greatest together; below, the action is taken whose visits lie furthest behind the *improved policy*: the softmax of logits
//! plus values, where actions without a visit have the value that the others and the network suggest. What is learned is
//! the improved policy at the root. Where chance acts an outcome is drawn by weight each time.
//!
//! Where something is hidden, the tree is grown in several *determinizations*: positions drawn from those that the seat that
//! decides cannot tell apart. They take turns, simulation by simulation; the actions of the root are judged by all of them
//! together, and below them each has a tree of its own, in which everything is known. That is what the method overlooks: that a
//! seat cannot act by what it does not know (Frank and Basin's *strategy fusion*, 1998). Seats that act at the same time
//! choose one after another in the tree, and later ones as if they knew what the earlier ones chose.
//!
//! Where one value tells what all seats get, proofs go up the tree (Winands and others, *Monte-Carlo Tree Search Solver*, 2008): what an
//! ending is worth is known, a seat that can choose the greatest payoff has it, and a position of whose actions all are known is
//! worth the best of them. Such values take the place of means, lost actions are not tried again, and a root that is
//! proven needs no more simulations. Where there are few actions, those that end the game, and those that let the next seat win at
//! once, are found before the network is asked. Positions that this decides, and those that leave a single action, need no network:
//! a simulation goes on from the latter to the first position in which there is something to choose. They are proofs on the path
//! that led there, in the determinization that they were found in.
//!
//! With a discount (`gamma`) values shrink towards the middle of the payoffs with every ply that they go up, so that wins that are
//! near count more than distant ones, and losses that are far off less than near ones. Proofs tell then what is paid, and what
//! that counts by the way that is known.
//!
//! The tree asks for positions to be looked at ([`Search::next_leaf`], [`Search::receive`]), so that those of many games can
//! be looked at together. What the network said of positions is kept from decision to decision ([`Search::follow`]): the tree
//! begins anew, since the schedule counts visits from none, but those positions need not be looked at again. Checked
//! against: schedules written by hand, wins and threats of Tic Tac Toe, trees with chance and with three seats, and
//! searches that keep nothing.

use raichi_core::game::Phase;
use raichi_core::random::FastRng;
use raichi_core::seat::{MAX_SEATS, Seat};

use super::environment::Position;
use super::options::SearchConfig;
use super::tree::{Drawn, Edge, Kind, LOST, NONE, Node, Place, Tree, WON};
use super::units::{BySeat, Units};
use crate::network::net::{fraction, softmax};

/// How much values count before there are visits, in visits (the paper's c_visit).
const VISITS_AT_FIRST: f32 = 50.0;
/// Where there are more actions than this, those that end the game are found when they are tried.
const FEW_ACTIONS: usize = 16;
/// What was found out about an action of the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The action's number.
    pub(crate) action: u32,
    pub(crate) visits: u32,
    /// What it is worth to the seat that chooses, in units; an estimate by the others where it has no visit.
    pub(crate) value: f32,
    /// Whether that is proven.
    pub(crate) is_exact: bool,
    /// The improved policy.
    pub(crate) probability: f32,
}

/// A search.
pub(crate) struct Search {
    config: SearchConfig,
    units: Units,
    /// The position to be decided; where something is hidden, its determinizations.
    roots: Vec<Box<dyn Position>>,
    /// The seat that decides; others may be to act too.
    seat: Seat,
    tree: Tree,
    /// Memory for the tree that another one is kept from.
    last: Tree,
    /// Where the last tree has the position that play has come to.
    followed: u32,
    /// The position that is to be looked at.
    leaf: Box<dyn Position>,
    /// Memory for the position after one of its actions, and after the reply to it.
    after: Box<dyn Position>,
    replied: Box<dyn Position>,
    place: Place,
    path: Vec<(u32, u32)>,
    /// Of each action of the root; empty as long as it is not drawn.
    noise: Vec<f32>,
    noise_scale: f32,
    n_simulations: usize,
    /// For each simulation the visits that the action must have.
    schedule: Vec<u32>,
    done: usize,
    /// Of the values of the simulations that took each action of the root.
    root_sums: Vec<BySeat>,
    scores: Vec<f32>,
    policy: Vec<f32>,
    /// The leaf's actions, and the nodes after those of them whose outcome is known.
    actions: Vec<u32>,
    known: Vec<(usize, Node)>,
    replies: Vec<u32>,
}

impl Search {
    pub(crate) fn new(config: SearchConfig, units: Units, root: Box<dyn Position>) -> Self {
        Search {
            config,
            units,
            leaf: root.boxed_clone(),
            after: root.boxed_clone(),
            replied: root.boxed_clone(),
            roots: (0..config.n_worlds.max(1)).map(|_| root.boxed_clone()).collect(),
            seat: 0,
            tree: Tree::new(config.gamma),
            last: Tree::new(config.gamma),
            followed: NONE,
            place: Place::Root,
            path: Vec::new(),
            noise: Vec::new(),
            noise_scale: 0.0,
            n_simulations: 0,
            schedule: Vec::new(),
            done: 0,
            root_sums: Vec::new(),
            scores: Vec::new(),
            policy: Vec::new(),
            actions: Vec::new(),
            known: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// Begins with another position, in which `seat` is to act: the one that was followed to, or any other where
    /// [`Search::forget`] was called. What is hidden from that seat is drawn. Until [`Search::follow`] is called, the position
    /// that was followed to is the one that was searched, so that it can be searched again with more simulations.
    pub(crate) fn begin(
        &mut self,
        root: &dyn Position,
        seat: Seat,
        n_simulations: usize,
        noise_scale: f32,
        rng: &mut FastRng,
    ) {
        self.seat = seat;
        self.roots.iter_mut().for_each(|own| own.copy_from(root));
        if self.config.n_worlds > 0 {
            self.roots.iter_mut().for_each(|world| world.determinize(seat, rng));
            self.forget();
        }
        std::mem::swap(&mut self.tree, &mut self.last);
        self.tree.keep(&self.last, self.followed);
        if !self.tree.nodes.is_empty() {
            self.recall_outcomes(0);
        }
        self.followed = 0;
        (self.n_simulations, self.noise_scale, self.done) = (n_simulations, noise_scale, 0);
        self.noise.clear();
        self.root_sums.clear();
    }

    /// Play went on by this action from the position that was searched or followed to. Returns whether the tree knows the
    /// position after it.
    pub(crate) fn follow(&mut self, action: u32) -> bool {
        let node = self.tree.nodes.get(self.followed as usize);
        let Some(node) = node.filter(|node| matches!(node.kind, Kind::Seat(_))) else {
            self.forget();
            return false;
        };
        let edges = &self.tree.edges[node.first as usize..][..node.n_edges as usize];
        self.followed = edges.iter().find(|edge| edge.action == action).map_or(NONE, |edge| edge.child);
        self.followed != NONE
    }

    /// The next position has nothing to do with the last one, or is not known to the tree.
    pub(crate) fn forget(&mut self) {
        self.followed = NONE;
    }

    /// Goes on to the next position that has to be looked at; `false` where all simulations are made.
    pub(crate) fn next_leaf(&mut self, rng: &mut FastRng) -> bool {
        self.next_leaf_within(usize::MAX, rng)
    }

    /// The same, and `false` too after so many simulations for which what is known was enough: so that who has a deadline can look
    /// at it. Whether there is more to do is said by [`Search::is_done`].
    pub(crate) fn next_leaf_within(&mut self, n_simulations: usize, rng: &mut FastRng) -> bool {
        if self.tree.nodes.is_empty() {
            self.leaf.copy_from(&*self.roots[0]);
            self.path.clear();
            self.place = Place::Root;
            return true;
        }
        if self.noise.is_empty() {
            self.draw_noise(rng);
        }
        let until = self.n_simulations.min(self.done.saturating_add(n_simulations));
        while self.done < until && self.tree.nodes[0].exact.is_none() {
            if self.descend(rng) {
                return true;
            }
            self.done += 1;
        }
        false
    }

    /// Whether all simulations are made, or the root is proven.
    pub(crate) fn is_done(&self) -> bool {
        self.tree.nodes.first().is_some_and(|root| self.done >= self.n_simulations || root.exact.is_some())
    }

    /// How many positions the tree has.
    pub(crate) fn n_positions(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The position to be looked at, and who is to act there.
    pub(crate) fn leaf(&self) -> (&dyn Position, Seat) {
        match self.leaf.phase() {
            Phase::Act(_) if matches!(self.place, Place::Root) => (&*self.leaf, self.seat),
            Phase::Act(seats) => (&*self.leaf, seats.first()),
            _ => unreachable!("positions are looked at in which a seat acts"),
        }
    }

    /// Takes what the network says of the position: the outputs of its policy, and its values.
    pub(crate) fn receive(&mut self, policy: &[f32], said: &[f32], rng: &mut FastRng) {
        let (_, seat) = self.leaf();
        let values = self.units.by_seat(said, seat);
        let is_root = matches!(self.place, Place::Root);
        if is_root {
            self.look_ahead(seat);
        }
        let node = self.expand(Some(policy), Node::looked_at(seat, values));
        if is_root {
            self.draw_noise(rng);
            return;
        }
        self.back_up(self.tree.nodes[node as usize].worth());
        self.done += 1;
    }

    /// Makes the leaf a node, with what is known of its actions; returns where it is.
    fn expand(&mut self, policy: Option<&[f32]>, node: Node) -> u32 {
        let first = self.tree.edges.len() as u32;
        for &action in &self.actions {
            let logit = policy.map_or(0.0, |policy| self.leaf.logit(action, policy));
            self.tree.edges.push(Edge { action, logit, visits: 0, sum: 0.0, child: NONE });
        }
        let node = self.hang(Node { first, n_edges: self.actions.len() as u32, ..node });
        for &(i, known) in &self.known {
            self.tree.hang(Place::Edge(first + i as u32), known);
        }
        self.tree.prove(node);
        node
    }

    /// Whether outcomes are to be found before the network looks at a position of so many actions. At the root of
    /// determinizations an action may end the game in some of them only.
    fn has_outlook(&self, is_root: bool, n_actions: usize) -> bool {
        self.units.n_values() == 1 && n_actions <= FEW_ACTIONS && (!is_root || self.config.n_worlds == 0)
    }

    /// Lists the actions of the leaf, in which `seat` is to act, and finds those that end the game or let the next seat win at once.
    fn look_ahead(&mut self, seat: Seat) {
        self.leaf.legal_actions(seat, &mut self.actions);
        self.known.clear();
        if !self.has_outlook(matches!(self.place, Place::Root), self.actions.len()) {
            return;
        }
        for i in 0..self.actions.len() {
            self.after.copy_from(&*self.leaf);
            self.after.apply(seat, self.actions[i]);
            let node = match self.after.phase() {
                Phase::Over => Some((Kind::Over, self.units.of_payoffs(&self.after.payoffs()))),
                Phase::Act(next) => self.win(next.first()).map(|payoffs| (Kind::Won, payoffs)),
                Phase::Chance => None,
            };
            if let Some((kind, payoffs)) = node {
                let node = Node::new(kind, payoffs);
                self.known.push((i, Node { exact: node.outcome(self.config.gamma), ..node }));
            }
        }
    }

    /// What is paid where `seat`, who is to act in `after`, ends the game at once with the greatest payoff.
    fn win(&mut self, seat: Seat) -> Option<BySeat> {
        self.after.legal_actions(seat, &mut self.replies);
        if self.replies.len() > FEW_ACTIONS {
            return None;
        }
        self.replies.iter().find_map(|&reply| {
            self.replied.copy_from(&*self.after);
            self.replied.apply(seat, reply);
            let is_over = self.replied.phase() == Phase::Over;
            is_over.then(|| self.units.of_payoffs(&self.replied.payoffs())).filter(|paid| paid[seat] >= WON)
        })
    }

    /// Whether the leaf, which was looked ahead of, needs no network: the seat to act can win, or has one action at most that is not
    /// lost.
    fn is_decided(&self, seat: Seat) -> bool {
        let payoff = |node: &Node| node.values[seat];
        let n_lost = self.known.iter().filter(|(_, node)| payoff(node) <= LOST).count();
        n_lost + 1 >= self.actions.len() || self.known.iter().any(|(_, node)| payoff(node) >= WON)
    }

    /// Takes what is known of the actions of a node that was kept for proven again.
    fn recall_outcomes(&mut self, node: u32) {
        let Node { first, n_edges, .. } = self.tree.nodes[node as usize];
        if !self.has_outlook(node == 0, n_edges as usize) {
            return;
        }
        for i in first..first + n_edges {
            let child = self.tree.edges[i as usize].child;
            if let Some(child) = self.tree.nodes.get_mut(child as usize) {
                child.exact = child.outcome(self.config.gamma);
            }
        }
        self.tree.prove(node);
    }

    fn draw_noise(&mut self, rng: &mut FastRng) {
        let n_actions = self.tree.nodes[0].n_edges as usize;
        self.noise.clear();
        for _ in 0..n_actions {
            let noise = if self.noise_scale > 0.0 { -(-fraction(rng).ln()).ln() } else { 0.0 };
            self.noise.push(self.noise_scale * noise as f32);
        }
        self.root_sums.resize(n_actions, [0.0; MAX_SEATS]);
        schedule(self.config.considered.min(n_actions), self.n_simulations, &mut self.schedule);
    }

    /// Walks down to a position that has to be looked at; `false` where what is known was enough.
    fn descend(&mut self, rng: &mut FastRng) -> bool {
        let world = self.done % self.roots.len();
        self.leaf.copy_from(&*self.roots[world]);
        self.path.clear();
        let mut at = 0u32;
        loop {
            if self.tree.nodes[at as usize].is_kept {
                self.tree.nodes[at as usize].is_kept = false;
                self.recall_outcomes(at);
                if self.tree.nodes[at as usize].is_looked_at {
                    self.back_up(self.tree.nodes[at as usize].worth());
                    return false;
                }
            }
            let node = self.tree.nodes[at as usize];
            if let Some(proof) = node.exact {
                self.back_up(proof.worth);
                return false;
            }
            match node.kind {
                Kind::Over | Kind::Won => {
                    let outcome = node.outcome(self.config.gamma).expect("its kind says it");
                    if self.units.n_values() == 1 {
                        self.tree.nodes[at as usize].exact = Some(outcome);
                    }
                    self.back_up(outcome.worth);
                    return false;
                }
                Kind::Seat(seat) => {
                    let edge = if at == 0 { self.choose_at_root() } else { self.choose(at) };
                    self.path.push((at, edge));
                    self.leaf.apply(seat.into(), self.tree.edges[edge as usize].action);
                    (at, self.place) = (self.tree.edges[edge as usize].child, Place::Edge(edge));
                }
                Kind::Chance | Kind::World => {
                    let outcome = if node.kind == Kind::World { world as u64 } else { self.leaf.draw(rng) };
                    let drawn = self.drawn_before(at, outcome);
                    (at, self.place) = (self.tree.drawn[drawn as usize].child, Place::Drawn(drawn));
                }
            }
            if at == NONE
                && self.roots.len() > 1
                && matches!(self.path[..], [_])
                && matches!(self.place, Place::Edge(_))
            {
                at = self.hang(Node::new(Kind::World, [0.0; MAX_SEATS]));
            } else if at == NONE {
                let no_values = [0.0; MAX_SEATS];
                at = match self.leaf.phase() {
                    Phase::Act(seats) => {
                        let seat = seats.first();
                        self.look_ahead(seat);
                        if !self.is_decided(seat) {
                            return true;
                        }
                        self.expand(None, Node::new(Kind::Seat(seat as u8), no_values))
                    }
                    Phase::Chance => self.hang(Node::new(Kind::Chance, no_values)),
                    Phase::Over => self.hang(Node::new(Kind::Over, self.units.of_payoffs(&self.leaf.payoffs()))),
                };
            }
        }
    }

    /// Puts a node in its place; returns where it is.
    fn hang(&mut self, node: Node) -> u32 {
        self.tree.hang(self.place, node)
    }

    /// An outcome's entry in the chain of a node, made where there is none yet.
    fn drawn_before(&mut self, node: u32, outcome: u64) -> u32 {
        let Tree { nodes, drawn, .. } = &mut self.tree;
        let mut at = nodes[node as usize].first;
        while at != NONE {
            if drawn[at as usize].outcome == outcome {
                return at;
            }
            at = drawn[at as usize].next;
        }
        let new = drawn.len() as u32;
        drawn.push(Drawn { outcome, child: NONE, next: nodes[node as usize].first });
        nodes[node as usize].first = new;
        new
    }

    /// Adds what the end of the path is worth to all on it, and carries proofs up.
    fn back_up(&mut self, mut values: BySeat) {
        for &(node, edge) in self.path.iter().rev() {
            values = values.map(|value| self.config.gamma * value);
            let node = &mut self.tree.nodes[node as usize];
            let Kind::Seat(seat) = node.kind else { continue };
            node.visits += 1;
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits += 1;
            edge.sum += values[usize::from(seat)];
        }
        let (_, first) = self.path[0];
        self.root_sums[first as usize].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        for &(node, edge) in self.path.iter().rev() {
            let is_known = self.tree.proof(&self.tree.edges[edge as usize]).is_some();
            let is_true_of_all = node > 0 || self.config.n_worlds == 0;
            if !(is_known && is_true_of_all && self.tree.prove(node)) {
                break;
            }
        }
    }

    /// Logits plus values of a node's actions into `scores`, and the softmax of the logits into `policy`; returns the value
    /// that actions without a visit have.
    fn complete(&mut self, at: u32) -> f32 {
        let node = &self.tree.nodes[at as usize];
        let edges = &self.tree.edges[node.first as usize..(node.first + node.n_edges) as usize];
        let Kind::Seat(seat) = node.kind else { unreachable!("only seats choose") };
        self.policy.clear();
        self.policy.extend(edges.iter().map(|edge| edge.logit));
        softmax(&mut self.policy);
        let (mut most_visits, mut visits, mut seen, mut worth) = (0, 0, 0.0, 0.0);
        for (edge, &probability) in edges.iter().zip(&self.policy).filter(|(edge, _)| edge.visits > 0) {
            most_visits = most_visits.max(edge.visits);
            visits += edge.visits;
            seen += probability;
            worth += probability * self.tree.value(edge, seat.into(), 0.0);
        }
        let own = node.values[usize::from(seat)];
        let mixed = if seen > 0.0 { (own + visits as f32 * worth / seen) / (1.0 + visits as f32) } else { own };
        let scale = (VISITS_AT_FIRST + most_visits as f32) * self.config.q_scale;
        self.scores.clear();
        self.scores.extend(edges.iter().map(|edge| {
            // The paper's values lie between 0 and 1.
            edge.logit + scale * (self.tree.value(edge, seat.into(), mixed) + 1.0) / 2.0
        }));
        mixed
    }

    /// Below the root: of the actions that are not known to be lost, the one whose visits lie furthest behind the improved policy.
    fn choose(&mut self, at: u32) -> u32 {
        self.complete(at);
        softmax(&mut self.scores);
        let node = &self.tree.nodes[at as usize];
        let all = 1.0 + node.visits as f32;
        let edge = |i: usize| &self.tree.edges[node.first as usize + i];
        let behind = |i: usize| self.scores[i] - edge(i).visits as f32 / all;
        node.first + greatest(node.n_edges as usize, behind, |i| !self.tree.is_lost(node, edge(i))) as u32
    }

    /// At the root: of the actions with as many visits as the schedule says, the one that promises most.
    fn choose_at_root(&mut self) -> u32 {
        self.complete(0);
        let wanted = self.schedule.get(self.done).copied().unwrap_or(0);
        let promise = |i: usize| self.scores[i] + self.noise[i];
        greatest(self.tree.nodes[0].n_edges as usize, promise, |i| self.tree.edges[i].visits == wanted) as u32
    }

    /// The number of the action to be played: of those with most visits, the one that promises most. Where the root is proven it
    /// is one that keeps its value, and one that is known to be lost only where all are.
    pub(crate) fn best(&mut self) -> u32 {
        self.complete(0);
        let root = &self.tree.nodes[0];
        let edges = &self.tree.edges[..root.n_edges as usize];
        let all_lost = edges.iter().all(|edge| self.tree.is_lost(root, edge));
        let keeps = |edge: &Edge| match root.exact {
            Some(proof) => self.tree.proof(edge) == Some(proof),
            None => all_lost || !self.tree.is_lost(root, edge),
        };
        let most = edges.iter().filter(|edge| keeps(edge)).map(|edge| edge.visits).max().unwrap_or(0);
        let promise = |i: usize| self.scores[i] + self.noise[i];
        edges[greatest(edges.len(), promise, |i| edges[i].visits == most && keeps(&edges[i]))].action
    }

    /// What is proven that each seat gets from the root on.
    pub(crate) fn exact(&self) -> Option<BySeat> {
        Some(self.tree.nodes.first()?.exact?.payoffs)
    }

    /// What was found out about the actions of the root.
    pub(crate) fn found(&mut self) -> Vec<Found> {
        let mixed = self.complete(0);
        softmax(&mut self.scores);
        let edges = self.tree.edges[..self.tree.nodes[0].n_edges as usize].iter().zip(&self.scores);
        let found = |(edge, &probability): (&Edge, &f32)| {
            let proof = self.tree.proof(edge);
            let value = proof.map_or(self.tree.value(edge, self.seat, mixed), |proof| proof.payoffs[self.seat]);
            Found { action: edge.action, visits: edge.visits, value, is_exact: proof.is_some(), probability }
        };
        edges.map(found).collect()
    }

    /// What each seat can expect at the root where the improved policy is followed, or what is proven, discounted.
    pub(crate) fn root_values(&mut self) -> BySeat {
        let root = self.tree.nodes[0];
        if let Some(proof) = root.exact {
            return proof.worth;
        }
        let found = self.found();
        let own = root.values;
        let of_seat = |seat: usize| {
            let value = |(found, sums): (&Found, &BySeat)| {
                let value = if found.visits > 0 { sums[seat] / found.visits as f32 } else { own[seat] };
                found.probability * value
            };
            found.iter().zip(&self.root_sums).map(value).sum()
        };
        std::array::from_fn(|seat| if seat < self.units.n_seats { of_seat(seat) } else { 0.0 })
    }

    /// How many simulations were made.
    pub(crate) fn n_done(&self) -> usize {
        self.done
    }
}

/// The index of the greatest, the first of equal ones, among those that may be taken; 0 where none may.
fn greatest(n: usize, of: impl Fn(usize) -> f32, may: impl Fn(usize) -> bool) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for i in (0..n).filter(|&i| may(i)) {
        let value = of(i);
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}

/// Sequential halving (Karnin and others, *Almost optimal exploration in multi-armed bandits*, 2013) as a list: how many visits
/// the action of each simulation must have already. Each phase gives the same number of simulations, evenly to its actions;
/// half of them are left for the next phase, two at least.
fn schedule(n_actions: usize, n_simulations: usize, schedule: &mut Vec<u32>) {
    schedule.clear();
    let n_phases = n_actions.next_power_of_two().trailing_zeros().max(1) as usize;
    let (mut left, mut visits) = (n_actions.max(1), 0);
    while schedule.len() < n_simulations {
        let each = (n_simulations / (n_phases * left)).max(1);
        for _ in 0..each {
            schedule.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2.min(n_actions.max(1)));
    }
    schedule.truncate(n_simulations);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use raichi_core::game::Game;
    use raichi_core::path::{PathGame, PathState};
    use raichi_core::random::stream;
    use raichi_core::toy::Toy;
    use raichi_games::cards::Card;
    use raichi_games::kuhn_poker::{self, KuhnPoker};
    use raichi_games::tic_tac_toe::TicTacToe;

    use super::super::environment::PositionOf;
    use super::*;

    #[test]
    fn simulations_are_halved_from_phase_to_phase() {
        let of = |n_actions, n_simulations| {
            let mut list = Vec::new();
            schedule(n_actions, n_simulations, &mut list);
            list
        };
        assert_eq!(of(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(of(4, 6), [0, 0, 0, 0, 1, 1]);
        assert_eq!(of(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(of(1, 3), [0, 1, 2]);
        assert_eq!(of(16, 8), [0; 8]);
        assert!(of(5, 0).is_empty());
    }

    /// A search by a network that knows nothing.
    fn search(plies: &[u8], n_simulations: usize, noise: f32) -> Search {
        let game = Arc::new(PathGame::from(TicTacToe));
        let mut root = game.initial_state();
        for (i, &ply) in plies.iter().enumerate() {
            game.apply(&mut root, i % 2, ply);
        }
        let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 };
        let root = PositionOf::new(&game, &root);
        let mut search = Search::new(config, Units::of(&game.facts()), root.boxed_clone());
        let rng = &mut stream(1, "test", 0);
        search.begin(&root, plies.len() % 2, n_simulations, noise, rng);
        while search.next_leaf(rng) {
            search.receive(&[0.0; 9], &[0.0], rng);
        }
        search
    }

    /// A network without sense: what it says follows from what it sees.
    fn said(search: &Search) -> ([f32; 9], [f32; 1]) {
        let (leaf, seat) = search.leaf();
        let mut observation = vec![0; 16];
        leaf.observe(seat, &mut observation);
        let mut rng: FastRng = stream(0, &format!("{observation:?}"), 0);
        (std::array::from_fn(|_| fraction(&mut rng) as f32), [fraction(&mut rng) as f32 - 0.5])
    }

    /// How many positions were looked at.
    fn look_at_all(search: &mut Search, rng: &mut FastRng) -> u32 {
        let mut n_looked_at = 0;
        while search.next_leaf(rng) {
            let (logits, values) = said(search);
            search.receive(&logits, &values, rng);
            n_looked_at += 1;
        }
        n_looked_at
    }

    #[test]
    fn what_is_kept_changes_nothing_but_how_much_is_looked_at() {
        let game = Arc::new(PathGame::from(TicTacToe));
        let new = |root: &PositionOf<TicTacToe>| {
            let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 };
            Search::new(config, Units::of(&game.facts()), root.boxed_clone())
        };
        let mut state = game.initial_state();
        let mut keeps = new(&PositionOf::new(&game, &state));
        let (mut n_kept, mut n_afresh) = (0, 0);
        for ply in 0..7 {
            let root = PositionOf::new(&game, &state);
            let mut afresh = new(&root);
            afresh.begin(&root, ply as usize % 2, 40, 1.0, &mut stream(1, "test", ply));
            keeps.begin(&root, ply as usize % 2, 40, 1.0, &mut stream(1, "test", ply));
            n_afresh += look_at_all(&mut afresh, &mut stream(1, "test", ply));
            n_kept += look_at_all(&mut keeps, &mut stream(1, "test", ply));
            let found = |search: &mut Search| format!("{:?} {:?}", search.found(), search.root_values());
            assert_eq!(found(&mut keeps), found(&mut afresh));
            assert_eq!(keeps.n_done(), afresh.n_done());
            let action = keeps.best();
            assert_eq!(action, afresh.best());
            game.apply(&mut state, ply as usize % 2, action as u8);
            keeps.follow(action);
            if game.phase(&state) == Phase::Over {
                break;
            }
        }
        assert!(n_kept * 6 < n_afresh * 5, "{n_kept} positions in place of {n_afresh}");
    }

    #[test]
    fn a_win_is_found_and_taken() {
        // X at 0 and 1, O at 3 and 4: X wins with 2.
        let mut search = search(&[0, 3, 1, 4], 32, 1.0);
        assert_eq!(search.best(), 2);
        let found = search.found();
        let win = found.iter().find(|found| found.action == 2).unwrap();
        assert_eq!(win.value, 1.0);
        assert!(win.probability > 0.99);
        let values = search.root_values();
        assert!(values[0] > 0.99 && values[1] < -0.99, "{values:?}");
    }

    #[test]
    fn a_threat_is_answered() {
        // X at 0 and 1: O must take 2.
        let mut search = search(&[0, 4, 1], 64, 0.0);
        assert_eq!(search.best(), 2);
        let sum: f32 = search.found().iter().map(|found| found.probability).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        let visits: u32 = search.found().iter().map(|found| found.visits).sum();
        // All others are lost at once, and the rest is soon known.
        assert_eq!(visits, search.n_done() as u32);
        assert_eq!(search.exact().map(|exact| exact[0]), Some(0.0));
    }

    #[test]
    fn a_simulation_goes_on_to_the_first_choice() {
        let game = Arc::new(PathGame::from(TicTacToe));
        let mut state = game.initial_state();
        [0, 4, 1].into_iter().enumerate().for_each(|(i, ply)| game.apply(&mut state, i % 2, ply));
        let root = PositionOf::new(&game, &state);
        let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 };
        let mut search = Search::new(config, Units::of(&game.facts()), root.boxed_clone());
        let rng = &mut stream(1, "test", 0);
        search.begin(&root, 1, 1, 0.0, rng);
        assert!(search.next_leaf(rng) && search.leaf().0.n_plies() == 3);
        search.receive(&[0.0; 9], &[0.0], rng);
        // O must take 2, X 6, O 3, X 5: then O has a choice between 7 and 8.
        assert!(search.next_leaf(rng));
        assert_eq!((search.leaf().0.n_plies(), search.leaf().1), (7, 1));
        search.receive(&[0.0; 9], &[0.5], rng);
        assert!(!search.next_leaf(rng));
        assert_eq!((search.n_done(), search.found()[0].visits), (1, 1));
    }

    /// The tree searched by a network that knows nothing: the best action, and what each is worth to seat 0 in payoff.
    fn toy(tree: &str, n_simulations: usize) -> (u32, Vec<f64>) {
        let game = Arc::new(PathGame::from(Toy::new(tree)));
        let units = Units::of(&game.facts());
        let root = PositionOf::new(&game, &game.initial_state());
        let mut search = Search::new(
            SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 },
            units,
            root.boxed_clone(),
        );
        let rng = &mut stream(1, "test", 0);
        search.begin(&root, 0, n_simulations, 0.0, rng);
        while search.next_leaf(rng) {
            search.receive(&[0.0; 9], &vec![0.0; units.n_values()], rng);
        }
        (search.best(), search.found().iter().map(|found| units.payoff(found.value)).collect())
    }

    /// What a position is worth to seat 0, by minimax.
    fn minimax(game: &PathGame<TicTacToe>, state: &PathState<TicTacToe>) -> f64 {
        let Phase::Act(seats) = game.phase(state) else { return game.payoffs(state)[0] };
        let (seat, mut actions) = (seats.first(), Vec::new());
        game.legal_actions(state, seat, &mut actions);
        let after = |&action: &u8| {
            let mut after = state.clone();
            game.apply(&mut after, seat, action);
            minimax(game, &after)
        };
        let worth = actions.iter().map(after);
        if seat == 0 { worth.fold(-1.0, f64::max) } else { worth.fold(1.0, f64::min) }
    }

    #[test]
    fn what_is_proven_is_true_and_is_played() {
        let game = Arc::new(PathGame::from(TicTacToe));
        let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 };
        let (mut n_proven, mut n_choices) = (0, 0);
        for number in 0..300 {
            let rng = &mut stream(number, "proofs", 0);
            let mut state = game.initial_state();
            for ply in 0..2 + number as usize % 6 {
                if game.phase(&state) != Phase::Over {
                    let action = game.random_action(&state, ply % 2, &mut Vec::new(), rng);
                    game.apply(&mut state, ply % 2, action);
                }
            }
            let Phase::Act(seats) = game.phase(&state) else { continue };
            let root = PositionOf::new(&game, &state);
            let mut search = Search::new(config, Units::of(&game.facts()), root.boxed_clone());
            search.begin(&root, seats.first(), 60, 1.0, rng);
            look_at_all(&mut search, rng);
            n_choices += 1;
            let Some(exact) = search.exact() else { continue };
            n_proven += 1;
            let worth = minimax(&game, &state);
            assert_eq!(f64::from(exact[0]), worth);
            for found in search.found().iter().filter(|found| found.is_exact) {
                let mut after = state.clone();
                game.apply(&mut after, seats.first(), found.action as u8);
                let own = if seats.first() == 0 { found.value } else { -found.value };
                assert_eq!(f64::from(own), minimax(&game, &after));
            }
            game.apply(&mut state, seats.first(), search.best() as u8);
            assert_eq!(minimax(&game, &state), worth);
        }
        // 173 of 262 when this was written.
        assert!(n_proven * 2 > n_choices && n_choices > 200, "{n_proven} of {n_choices}");
    }

    #[test]
    fn a_proof_needs_no_more_simulations() {
        // X wins at once; O loses whatever it does.
        for (plies, proven, most) in [(&[0, 3, 1, 4][..], 1.0, 0), (&[0, 1, 4, 8, 6], 1.0, 4)] {
            let search = search(plies, 64, 0.0);
            assert_eq!(search.exact().map(|exact| exact[0]), Some(proven), "{plies:?}");
            assert!(search.n_done() <= most, "{} simulations after {plies:?}", search.n_done());
        }
    }

    #[test]
    fn chance_and_three_seats_prove_nothing() {
        for tree in ["( {1 1} 0 )", "( <1,0,0 0,0,1> 0.5,0.25,0.25 )"] {
            let game = Arc::new(PathGame::from(Toy::new(tree)));
            let units = Units::of(&game.facts());
            let root = PositionOf::new(&game, &game.initial_state());
            let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds: 0 };
            let mut search = Search::new(config, units, root.boxed_clone());
            let rng = &mut stream(1, "test", 0);
            search.begin(&root, 0, 50, 0.0, rng);
            while search.next_leaf(rng) {
                search.receive(&[0.0; 9], &vec![0.0; units.n_values()], rng);
            }
            assert_eq!((search.exact().is_some(), search.n_done()), (false, 50), "{tree}");
        }
    }

    #[test]
    fn with_a_discount_losses_are_put_off_and_near_wins_preferred() {
        let best = |tree: &str, gamma: f32| {
            let game = Arc::new(PathGame::from(Toy::new(tree)));
            let units = Units::of(&game.facts());
            let root = PositionOf::new(&game, &game.initial_state());
            let config = SearchConfig { considered: 16, q_scale: 1.0, gamma, n_worlds: 0 };
            let mut search = Search::new(config, units, root.boxed_clone());
            let rng = &mut stream(1, "test", 0);
            search.begin(&root, 0, 200, 0.0, rng);
            while search.next_leaf(rng) {
                search.receive(&[0.0; 9], &vec![0.0; units.n_values()], rng);
            }
            (search.best(), search.exact().map(|payoffs| payoffs[0]), search.root_values()[0])
        };
        // The least payoff of the toy is that of the tree.
        let lost = "( -1 [ ( -1 [ -1 ] ) ] [ -1 1 ] )";
        assert_eq!(best(lost, 1.0).2, -1.0);
        assert_eq!(best(lost, 0.5), (1, Some(-1.0), -0.0625));
        let won = "( [ ( [ ( 1 -1 ) ] 0 ) ] [ ( 1 -1 ) ] [ -1 1 ] )";
        assert_eq!(best(won, 0.5), (1, Some(1.0), 0.125));
    }

    #[test]
    fn chance_is_the_mean_of_its_outcomes() {
        let (best, worth) = toy("( {6 0 0} [3 -5] 1 )", 600);
        assert_eq!(best, 0);
        assert!((worth[0] - 2.0).abs() < 0.5 && worth[1] < -3.0 && (worth[2] - 1.0).abs() < 1e-6, "{worth:?}");
    }

    #[test]
    fn each_of_three_seats_looks_after_itself() {
        let (best, worth) = toy("( <1,0,0 0,0,1> [0,1,0 1,0,0] 0.5,0.25,0.25 )", 400);
        assert_eq!(best, 2);
        assert!(worth[0] < 0.2 && worth[1] < 0.2 && (worth[2] - 0.5).abs() < 1e-6, "{worth:?}");
    }

    /// What Kuhn Poker's second seat, who holds `own` against `other` and was bet against, finds out about passing and betting.
    fn kuhn(own: Card, other: Card, n_worlds: usize) -> Vec<Found> {
        let game = Arc::new(PathGame::from(KuhnPoker));
        let mut state = game.initial_state();
        [other, own].into_iter().for_each(|card| game.apply_outcome(&mut state, card));
        game.apply(&mut state, 0, kuhn_poker::Action::Bet);
        let root = PositionOf::new(&game, &state);
        let config = SearchConfig { considered: 16, q_scale: 1.0, gamma: 1.0, n_worlds };
        let units = Units::of(&game.facts());
        let mut search = Search::new(config, units, root.boxed_clone());
        let rng = &mut stream(1, "test", 0);
        search.begin(&root, 1, 64, 0.0, rng);
        while search.next_leaf(rng) {
            search.receive(&[0.0; 9], &[0.0], rng);
        }
        search.found()
    }

    #[test]
    fn what_is_hidden_is_drawn_and_decides_nothing() {
        let [jack, queen, king] = [9, 10, 11].map(|rank| Card::new(rank, 3));
        let worth = |found: &[Found]| found.iter().map(|found| 2.0 * found.value).collect::<Vec<f32>>();
        // A queen wins two chips from a jack, and loses two to a king: both are as likely.
        let found = kuhn(queen, king, 16);
        let [folds, calls] = worth(&found)[..] else { panic!("two actions: {found:?}") };
        assert!(folds == -1.0 && calls.abs() <= 1.5, "{found:?}");
        assert_eq!(format!("{found:?}"), format!("{:?}", kuhn(queen, jack, 16)), "the other's card cannot be seen");
        assert_eq!(worth(&kuhn(king, queen, 16))[1], 2.0);
        assert_eq!(worth(&kuhn(jack, queen, 16))[1], -2.0);
        // With one position drawn all is known, rightly or wrongly.
        assert_eq!(worth(&kuhn(queen, king, 1))[1].abs(), 2.0);
    }

    #[test]
    fn without_simulations_the_network_decides() {
        let mut search = search(&[], 0, 0.0);
        assert_eq!(search.best(), 0);
        assert!(search.found().iter().all(|found| (found.probability - 1.0 / 9.0).abs() < 1e-6));
        // Noise draws from the policy.
        let first = |seed: usize| {
            let mut search = self::search(&[], 0, 1.0);
            search.noise.rotate_left(seed);
            search.best()
        };
        assert_ne!(first(0), first(1));
    }
}
