//! The tree of a game in which every seat sees everything: one state a node.
//!
//! A node's statistics are for the seat that chose it, so that any number of seats are served without a change of sign
//! (max^n). Chance nodes list their outcomes and draw one by its probability. What is proven is backed up exactly: an
//! end of the game; a decision once one action is proven to pay its seat the best there is, or all are proven; chance
//! once all its outcomes are (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008, with payoffs in
//! place of wins). With three seats or more a proof settles equal choices of a seat by the first: the payoffs of the
//! others are then those of one way of rational play among several.
//!
//! Positions that several ways lead to may have their children in common: what is found out on one way serves the others
//! (Childs, Brodeur and Kocsis, *Transpositions and move groups in Monte Carlo tree search*, 2008, UCT2 there). They are
//! told by their keys of 64 bits. Games with a memory of the path have none in common.
//!
//! Threads share one tree without locks (Enzenberger and Müller, *A lock-free multithreaded Monte-Carlo tree search
//! algorithm*, 2009): a thread that goes down lowers the scores on its way as if its simulation were lost (virtual loss,
//! Chaslot, Winands and van den Herik, *Parallel Monte-Carlo tree search*, 2008), so that the others take other ways, and
//! on the way up every score is made anew from counts that lose nothing. A single thread uses the same tree without
//! read-modify-write instructions.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Facts, Game, Payoffs, Phase};
use raichi_core::information::{Information, SeatView};
use raichi_core::path::{PathGame, PathMemory, PathState};
use raichi_core::random::{FastRng, Rng, mix};
use raichi_core::seat::{MAX_SEATS, Seat};
use raichi_machine::{Entry, Family, Head, SharedTree, Zeroed};

use super::exploration::{Exploration, sqrt_ln};
use super::playouts::{Knowledge, Lessons, SLOTS, expected, play_at_random, slot};
use super::proofs::Proofs;
use super::root::{self, RootArm};
use super::{Config, Found, Priors, Simulator, random_fraction, token};

/// A leaf gets its children at this visit. Most leaves are visited once; their children would only fill the memory.
const VISITS_TO_EXPAND: u32 = 2;

/// The longest way down. The buffers of a thread have this length from the start.
const MOST_LEVELS: usize = 4096;

const NONE: u32 = u32::MAX;

// The flags of an entry.
/// Who chose it: a seat, or chance.
const CHOOSER: u8 = 0b1111;
/// A chooser that is no seat.
const CHANCE: u8 = CHOOSER;
/// Chance chooses among its children.
const CHANCE_IS_NEXT: u8 = 1 << 4;
const PROVEN: u8 = 1 << 5;

#[inline]
fn is_proven(head: Head) -> bool {
    head.flags() & PROVEN != 0
}

#[inline]
fn chooser(head: Head) -> u8 {
    head.flags() & CHOOSER
}

/// What leads to a node.
enum Incoming<G: Game> {
    Root,
    Action(G::Action),
    Outcome(G::Outcome),
}

/// What only the nodes on the way of a simulation are asked.
///
/// What a choice among siblings looks at lies apart from it ([`Entry`]): its children, and two numbers that make its
/// `Score`.
struct Node<G: Game> {
    /// What its visits paid the seat that chose it, added up, as a double; where chance chose it, the outcome's
    /// probability.
    total: AtomicU64,
    visits: AtomicU32,
    /// The number of its proof, once it is proven.
    proof: AtomicU32,
    /// Where there are priors: how promising the evaluator finds it among its siblings; they add up to 1. Elsewhere √ln of
    /// the visits: kept, because in the moment of choice everything else would wait for its square root.
    weight: AtomicU32,
    incoming: Incoming<G>,
}

impl<G: Game> Node<G> {
    fn new(incoming: Incoming<G>, total: f64, weight: f32) -> Self {
        let weight = weight.to_bits().into();
        Node { total: total.to_bits().into(), visits: 0.into(), proof: NONE.into(), weight, incoming }
    }

    #[inline]
    fn weight(&self) -> f32 {
        f32::from_bits(self.weight.load(Ordering::Relaxed))
    }

    /// The action that leads to it; `None` where chance or nothing does.
    fn action(&self) -> Option<G::Action> {
        match self.incoming {
            Incoming::Action(action) => Some(action),
            Incoming::Outcome(_) | Incoming::Root => None,
        }
    }

    #[inline]
    fn total(&self) -> f64 {
        f64::from_bits(self.total.load(Ordering::Relaxed))
    }

    #[inline]
    fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }
}

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

impl Score {
    #[inline]
    fn of(entry: Entry<'_>) -> Score {
        let [value, bonus] = entry.numbers();
        Score { value, bonus }
    }

    #[inline]
    fn numbers(self) -> [f32; 2] {
        [self.value, self.bonus]
    }

    #[inline]
    fn put(self, entry: Entry<'_>) {
        entry.set_numbers(self.numbers());
    }
}

/// A node on the way of a simulation.
struct Step<'a, G: Game> {
    at: u32,
    entry: Entry<'a>,
    node: &'a Node<G>,
    /// The proven child whose payoffs count from here on up; [`NONE`] where the simulation's own do.
    instead: u32,
}

/// A search tree that can be kept from one decision to the next.
pub(super) struct StateTree<G: Playable> {
    tree: SharedTree<Node<G>>,
    /// Play may have gone on since the tree was begun.
    root: u32,
    root_state: PathState<G>,
    proofs: Proofs,
    /// For each child of the root, by seat: the sum of what its simulations paid.
    root_sums: Vec<f64>,
    facts: Facts,
    config: Config,
    knowledge: Knowledge<G>,
    /// What a prior counts for, in units of the payoff; 0 where there are none.
    prior_weight: f32,
    /// RAVE: of each entry, the average payoff of simulations in which its action was chosen now or later, and of how
    /// many. Empty where it is off.
    amaf: Zeroed<[AtomicU32; 2]>,
    /// Positions that have children, where they are joined: each as the index of its node, and its key exclusive or that
    /// index, so that a record half written by another thread is not taken for one (Hyatt and Mann, *A lockless
    /// transposition table implementation for parallel search*, 2002). Empty where they are not.
    positions: Zeroed<[AtomicU64; 2]>,
    /// Goes into the keys of positions, so that those of an earlier tree are not found.
    round: u64,
    exploration: Exploration,
    max_plies: u32,
}

/// One thread's descents of the tree: what it needs for itself, so that a simulation allocates nothing.
pub(super) struct Descent<'a, G: Playable> {
    tree: &'a StateTree<G>,
    /// Whether other threads use the tree at the same time.
    shared: bool,
    /// Plain UCT: neither priors nor RAVE, and uniform playouts to the end.
    plain: bool,
    root_sums: Vec<f64>,
    /// The first child of the root.
    first_at_root: u32,
    exploration: Exploration,
    state: PathState<G>,
    path: Vec<Step<'a, G>>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
    priors: Vec<f32>,
    lessons: Lessons<G>,
    /// How many outcomes of chance this simulation has met.
    n_outcomes: u32,
    /// RAVE: by seat and slot, the last simulation in which the action was chosen where the way up has arrived.
    chosen: Vec<u32>,
    simulation: u32,
}

impl<G: Playable> StateTree<G> {
    /// A tree that takes as much memory as `config` says, and no more later.
    pub(super) fn new(game: &PathGame<G>, config: &Config, knowledge: &Knowledge<G>, root_state: PathState<G>) -> Self {
        let facts = game.facts();
        let range = facts.payoff_range.map_or(1.0, |(low, high)| high - low);
        let has_priors = knowledge.evaluator.as_ref().is_some_and(|evaluator| evaluator.has_priors());
        let uses_priors = has_priors && config.priors != Priors::Off;
        // There are seldom more than a few hundred different ones, but where chance decides.
        let n_proofs = (config.memory / 64 / Proofs::bytes_per_proof(facts.n_seats)).clamp(1 << 8, 1 << 14);
        let bytes = config.memory.saturating_sub(n_proofs * Proofs::bytes_per_proof(facts.n_seats));
        let at_least = room_for_root(game, &root_state);
        let bytes_per_amaf = if config.rave > 0.0 { size_of::<[AtomicU32; 2]>() } else { 0 };
        // What the path may decide is no matter of the position.
        let joins = config.joins && !<G::PathMemory as PathMemory<G>>::DECIDES;
        let n_positions = if joins { (bytes / 8 / size_of::<[AtomicU64; 2]>()).max(1) } else { 0 };
        let bytes = bytes.saturating_sub(n_positions * size_of::<[AtomicU64; 2]>());
        let n_nodes = (bytes / (SharedTree::<Node<G>>::BYTES_PER_ENTRY + bytes_per_amaf)).max(at_least);
        let tree = SharedTree::new(n_nodes, CHANCE, Node::new(Incoming::Root, 0.0, 0.0));
        let n_amaf = if config.rave > 0.0 { tree.capacity() } else { 0 };
        StateTree {
            amaf: Zeroed::new(n_amaf).expect("the system has some memory left"),
            positions: Zeroed::new(n_positions).expect("the system has some memory left"),
            round: 0,
            config: *config,
            knowledge: knowledge.clone(),
            prior_weight: if uses_priors { (config.prior_weight * range) as f32 } else { 0.0 },
            tree,
            root: SharedTree::<Node<G>>::ROOT,
            root_state,
            proofs: Proofs::new(facts.n_seats, n_proofs),
            root_sums: Vec::new(),
            exploration: Exploration::new(config.exploration, &facts),
            facts,
            max_plies: config.longest_playout(knowledge),
        }
    }

    /// Begins anew from another position, in the same memory; returns whether there is room for its actions.
    pub(super) fn plant(&mut self, game: &PathGame<G>, root_state: PathState<G>) -> bool {
        if self.tree.capacity() < room_for_root(game, &root_state) {
            return false;
        }
        self.tree.plant(CHANCE, Node::new(Incoming::Root, 0.0, 0.0));
        self.root = SharedTree::<Node<G>>::ROOT;
        self.root_state = root_state;
        self.proofs.clear();
        self.round += 1;
        self.root_sums.clear();
        self.exploration = Exploration::new(self.config.exploration, &self.facts);
        true
    }

    /// The position at the root.
    pub(super) fn root_state(&self) -> &PathState<G> {
        &self.root_state
    }

    /// What `n_threads` threads need for their descents. The root gets its children here.
    pub(super) fn descents(&mut self, game: &PathGame<G>, n_threads: usize, rng: &mut FastRng) -> Vec<Descent<'_, G>> {
        let mut first = self.descent(n_threads > 1);
        if self.tree.head(self.root).n_children() == 0 {
            first.expand(game, self.root, rng);
        }
        drop(first);
        let n_sums = self.tree.head(self.root).n_children() as usize * self.facts.n_seats;
        self.root_sums.resize(n_sums, 0.0);
        (0..n_threads).map(|_| self.descent(n_threads > 1)).collect()
    }

    fn descent(&self, shared: bool) -> Descent<'_, G> {
        let lessons = Lessons::new(self.config.playouts, !self.amaf.is_empty(), &self.facts);
        Descent {
            tree: self,
            shared,
            plain: lessons.are_plain() && !self.has_priors() && self.knowledge.evaluator.is_none(),
            root_sums: vec![0.0; self.root_sums.len()],
            first_at_root: self.tree.head(self.root).first(),
            exploration: self.exploration,
            state: self.root_state.clone(),
            path: Vec::with_capacity(MOST_LEVELS),
            actions: Vec::with_capacity(256),
            outcomes: Vec::with_capacity(64),
            priors: Vec::with_capacity(256),
            lessons,
            n_outcomes: 0,
            chosen: vec![0; if self.amaf.is_empty() { 0 } else { self.facts.n_seats * SLOTS }],
            simulation: 0,
        }
    }

    /// Adds what a thread found out for itself.
    pub(super) fn add(&mut self, found: Found) {
        self.root_sums.iter_mut().zip(&found.root_sums).for_each(|(sum, more)| *sum += more);
        self.exploration = found.exploration;
    }

    pub(super) fn is_settled(&self) -> bool {
        // Counts of visits have 32 bits, and a few may be on their way.
        is_proven(self.tree.head(self.root)) || self.tree.value(self.root).visits() >= u32::MAX - 1024
    }
}

/// How many entries the root and its children need.
fn room_for_root<G: Information>(game: &PathGame<G>, state: &PathState<G>) -> usize {
    let n_actions = match game.phase(state) {
        Phase::Act(seats) => game.count_actions(state, seats.first(), &mut Vec::new()),
        _ => 0,
    };
    n_actions + 8
}

impl<G: Playable> Simulator<G> for Descent<'_, G> {
    #[inline]
    fn simulate(&mut self, view: &SeatView<'_, G>, rng: &mut FastRng) -> u64 {
        if self.plain && !self.shared {
            self.simulate_as::<true>(view.game(), rng)
        } else {
            self.simulate_as::<false>(view.game(), rng)
        }
    }

    #[inline]
    fn is_settled(&self) -> bool {
        self.tree.is_settled()
    }
}

impl<G: Playable> Descent<'_, G> {
    /// What the thread found out for itself.
    pub(super) fn found(self) -> Found {
        Found { root_sums: self.root_sums, exploration: self.exploration }
    }

    /// A simulation. `SIMPLE`: plain UCT by a thread alone, as most searches are; compiled by itself, it asks for nothing
    /// else on its way.
    #[inline(always)]
    fn simulate_as<const SIMPLE: bool>(&mut self, game: &PathGame<G>, rng: &mut FastRng) -> u64 {
        self.select::<SIMPLE>(game, rng);
        let payoffs = self.evaluate(game, rng);
        let n_plies = self.state.n_plies() - self.tree.root_state.n_plies();
        self.exploration.observe(&payoffs);
        if !SIMPLE && !self.plain {
            self.lessons.learn(&payoffs);
            self.back_up_all_moves_as_first(game, &payoffs);
        }
        self.back_up::<SIMPLE>(payoffs);
        u64::from(n_plies - self.n_outcomes)
    }

    /// Walks from the root to a leaf, and leaves the way in `path` and the position in `state`.
    ///
    /// Where the best child is proven nothing is left to find out about it. Its payoffs go up from there all the same,
    /// but the walk goes on to the best sibling that is open, to prove that one too.
    #[inline]
    fn select<const SIMPLE: bool>(&mut self, game: &PathGame<G>, rng: &mut FastRng) {
        let tree = &self.tree.tree;
        self.state.clone_from(&self.tree.root_state);
        self.path.clear();
        self.n_outcomes = 0;
        if !SIMPLE {
            self.lessons.begin();
        }
        let mut at = self.tree.root;
        let (mut entry, mut head, mut node) = tree.get(at);
        loop {
            self.path.push(Step { at, entry, node, instead: NONE });
            if is_proven(head) || self.path.len() == MOST_LEVELS {
                return;
            }
            if head.n_children() == 0 {
                match self.expand(game, at, rng) {
                    Some(grown) => head = grown,
                    None => return,
                }
            }
            let family = tree.family(head);
            tree.prefetch_values(head);
            let first = head.first();
            let chosen = if head.flags() & CHANCE_IS_NEXT != 0 {
                draw_outcome(family, rng, |_| true)
            } else {
                family.highest(if SIMPLE { self.plain_factor(node) } else { self.factor(node) })
            };
            let (parent, parent_node) = (head, node);
            let above = at;
            at = first + chosen as u32;
            (entry, head, node) = tree.get(at);
            if is_proven(head) {
                self.path.last_mut().expect("it was just pushed").instead = at;
                let Some(open) = self.choose_open(above, parent, parent_node, rng) else { return };
                at = first + open as u32;
                (entry, head, node) = tree.get(at);
            }
            match node.incoming {
                Incoming::Action(action) => {
                    if !SIMPLE && !self.plain {
                        self.lessons.note(game, chooser(head).into(), action);
                    }
                    game.apply(&mut self.state, chooser(head).into(), action);
                }
                Incoming::Outcome(outcome) => {
                    self.n_outcomes += 1;
                    game.apply_outcome(&mut self.state, outcome);
                }
                Incoming::Root => unreachable!("the root is nobody's child"),
            }
            if !SIMPLE && self.shared {
                lose_virtually(entry, node);
            }
        }
    }

    /// The child to go on to when the best one is proven. None is open where another thread has just proven the last.
    #[cold]
    fn choose_open(&self, at: u32, parent: Head, node: &Node<G>, rng: &mut FastRng) -> Option<usize> {
        // Children in common may have been proven on another way.
        if !self.tree.positions.is_empty() && self.tree.try_to_prove(at) {
            return None;
        }
        let family = self.tree.tree.family(parent);
        let is_open = |i: usize| !is_proven(family.entry(i).head());
        let chosen = if parent.flags() & CHANCE_IS_NEXT != 0 {
            draw_outcome(family, rng, is_open)
        } else {
            upper_confidence_bound(family, self.factor(node), is_open)
        };
        is_open(chosen).then_some(chosen)
    }

    #[inline]
    fn factor(&self, node: &Node<G>) -> f32 {
        if self.tree.goes_by_priors() {
            self.tree.prior_weight * (node.visits() as f32).sqrt()
        } else if self.tree.has_priors() {
            self.exploration.factor() as f32 * sqrt_ln(node.visits())
        } else {
            self.plain_factor(node)
        }
    }

    /// The same where there are no priors.
    #[inline]
    fn plain_factor(&self, node: &Node<G>) -> f32 {
        self.exploration.factor() as f32 * node.weight()
    }

    /// Gives a leaf its children, if it has deserved them and there is room; returns its head if it has some now.
    fn expand(&mut self, game: &PathGame<G>, leaf: u32, rng: &mut FastRng) -> Option<Head> {
        let tree = &self.tree.tree;
        if leaf != self.tree.root && tree.value(leaf).visits() + 1 < VISITS_TO_EXPAND {
            return None;
        }
        match game.phase(&self.state) {
            Phase::Over => None,
            Phase::Act(seats) => {
                let seat = seats.first();
                self.actions.clear();
                game.legal_actions(&self.state, seat, &mut self.actions);
                let joined = self.tree.join(game, leaf, &self.state, self.actions.len());
                if joined.is_some() {
                    return joined;
                }
                // Unvisited children tie; in the rules' order the first would be preferred by accident.
                shuffle(rng, &mut self.actions);
                self.find_priors(game, seat);
                let value = self.first_play_urgency(seat as u8);
                let child = |(&action, &prior): (&G::Action, &f32)| {
                    let score = self.tree.score(value, prior, 0, 1.0);
                    (seat as u8, score.numbers(), Node::new(Incoming::Action(action), 0.0, prior))
                };
                let grown = tree.grow(leaf, 0, self.actions.iter().zip(&self.priors).map(child))?;
                if !self.tree.amaf.is_empty() {
                    let amaf = &self.tree.amaf[grown.first() as usize..][..self.actions.len()];
                    amaf.iter().flatten().for_each(|number| number.store(0, Ordering::Relaxed));
                }
                if self.tree.config.decisive {
                    self.prove_ends(game, grown, seat);
                }
                Some(grown)
            }
            Phase::Chance => {
                self.outcomes.clear();
                game.outcomes(&self.state, &mut self.outcomes);
                let all: u64 = self.outcomes.iter().map(|&(_, weight)| weight).sum();
                let child = |&(outcome, weight): &(G::Outcome, u64)| {
                    let probability = weight as f64 / all as f64;
                    let score = Score { value: probability as f32, bonus: 0.0 };
                    (CHANCE, score.numbers(), Node::new(Incoming::Outcome(outcome), probability, 0.0))
                };
                tree.grow(leaf, CHANCE_IS_NEXT, self.outcomes.iter().map(child))
            }
        }
    }

    /// The priors of `actions`: the evaluator's where it has some and they are wanted.
    #[inline]
    fn find_priors(&mut self, game: &PathGame<G>, seat: Seat) {
        self.priors.clear();
        self.priors.resize(self.actions.len(), 0.0);
        if self.tree.has_priors()
            && let Some(evaluator) = &self.tree.knowledge.evaluator
        {
            evaluator.priors(game, &self.state, seat, &self.actions, &mut self.priors);
            softmax(&mut self.priors);
        }
    }

    /// Decisive moves (Teytaud and Teytaud, *On the huge benefit of decisive moves*, 2010), in the tree: children in which
    /// the game is over are proven when they are made, so that a win is not overlooked, and a loss by the opponent's next
    /// action (anti-decisive) as soon as it has children.
    fn prove_ends(&mut self, game: &PathGame<G>, family: Head, seat: Seat) {
        let before = self.state.clone();
        for (at, i) in family.children().zip(0..) {
            let action = self.actions[i];
            game.apply(&mut self.state, seat, action);
            if game.phase(&self.state) == Phase::Over {
                let payoffs = game.payoffs(&self.state);
                if self.tree.prove(at, &payoffs, 0.0) {
                    Score { value: payoffs[seat] as f32, bonus: 0.0 }.put(self.tree.tree.entry(at));
                }
            }
            self.state.clone_from(&before);
        }
    }

    /// The value of an action before it is tried: what `seat` expected when it last chose on the path.
    fn first_play_urgency(&self, seat: u8) -> f32 {
        let mut choices = self.path.iter().skip(1).rev().map(|step| step.entry);
        choices.find(|entry| chooser(entry.head()) == seat).map_or(f32::INFINITY, |entry| Score::of(entry).value)
    }

    /// What the game pays from the end of the path: exactly where that is known, or else by a playout.
    #[inline]
    fn evaluate(&mut self, game: &PathGame<G>, rng: &mut FastRng) -> Payoffs {
        let leaf = &self.path[self.path.len() - 1];
        // Where the walk ended above proven children, they prove it.
        if is_proven(leaf.entry.head()) || leaf.instead != NONE && self.tree.try_to_prove(leaf.at) {
            return self.tree.proof(leaf.at);
        }
        let leaf = leaf.at;
        let max_plies = self.tree.max_plies;
        let knowledge = &self.tree.knowledge;
        let played = if self.plain {
            play_at_random(game, &mut self.state, max_plies, &mut self.actions, rng)
        } else {
            let last = self.path.last().and_then(|step| step.node.action());
            let policy = knowledge.policy.as_deref();
            self.lessons.play(game, &mut self.state, max_plies, policy, last, &mut self.actions, rng)
        };
        self.n_outcomes += played.outcomes;
        if let Some(evaluator) = &knowledge.evaluator
            && game.phase(&self.state) != Phase::Over
        {
            return expected(game, &self.tree.facts, evaluator.as_ref(), &self.state);
        }
        let payoffs = game.payoffs(&self.state);
        if played.plies == 0 && game.phase(&self.state) == Phase::Over {
            self.tree.prove(leaf, &payoffs, 0.0);
        }
        payoffs
    }

    /// Counts the visits, averages what they paid, and carries proofs as far up as they reach.
    #[inline]
    fn back_up<const SIMPLE: bool>(&mut self, mut payoffs: Payoffs) {
        let shared = !SIMPLE && self.shared;
        let mut proven = false;
        for (i, &Step { at, entry, node, instead }) in self.path.iter().enumerate().rev() {
            let mut head = entry.head();
            if proven && !is_proven(head) && self.tree.try_to_prove(at) {
                head = entry.head();
            }
            proven = is_proven(head);
            if proven {
                payoffs = self.tree.proof(at);
            } else if instead != NONE {
                payoffs = self.tree.proof(instead);
            }
            if i == 1 {
                let first = (at - self.first_at_root) as usize * payoffs.as_slice().len();
                let sums = self.root_sums[first..].iter_mut();
                sums.zip(payoffs.as_slice()).for_each(|(sum, payoff)| *sum += payoff);
            }
            let visits = add_visit(&node.visits, shared);
            let bonus = 1.0 / (visits as f32).sqrt();
            if SIMPLE || !self.tree.has_priors() {
                node.weight.store(sqrt_ln(visits).to_bits(), Ordering::Relaxed);
            }
            let chooser = chooser(head);
            let score = if chooser == CHANCE {
                Score { bonus, ..Score::of(entry) }
            } else {
                let payoff = payoffs[chooser.into()];
                let total = add_payoff(&node.total, payoff, shared);
                if proven {
                    Score { value: payoff as f32, bonus: 0.0 }
                } else {
                    let value = total as f32 / visits as f32;
                    if SIMPLE || self.plain {
                        Score { value, bonus }
                    } else {
                        self.tree.score(self.tree.with_amaf(at, value, visits), node.weight(), visits, bonus)
                    }
                }
            };
            score.put(entry);
        }
    }
}

impl<G: Playable> Descent<'_, G> {
    /// All moves as first: each action of the simulation counts for the nodes above it, as if it had been chosen there
    /// by the same seat (rapid action value estimation; Gelly and Silver, *Combining online and offline knowledge in
    /// UCT*, 2007).
    #[cold]
    fn back_up_all_moves_as_first(&mut self, game: &PathGame<G>, payoffs: &Payoffs) {
        if self.tree.amaf.is_empty() {
            return;
        }
        self.simulation += 1;
        let mut below = self.lessons.played.len();
        // Chance's plies are not among those played.
        let in_tree = |step: &Step<'_, G>| usize::from(step.node.action().is_some());
        let mut n_played: usize = self.path.iter().map(in_tree).sum();
        for step in self.path.iter().rev() {
            while below > n_played {
                below -= 1;
                let played = self.lessons.played[below];
                self.chosen[usize::from(played.seat) * SLOTS + usize::from(played.slot)] = self.simulation;
            }
            for at in step.entry.head().children() {
                let (entry, head, node) = self.tree.tree.get(at);
                let Some(action) = node.action() else { break };
                let seat = usize::from(chooser(head));
                if self.chosen[seat * SLOTS + usize::from(slot(game.game(), action))] != self.simulation {
                    continue;
                }
                let [average, n] = &self.tree.amaf[at as usize];
                let visits = n.load(Ordering::Relaxed) + 1;
                let before = f32::from_bits(average.load(Ordering::Relaxed));
                let now = before + (payoffs[seat] as f32 - before) / visits as f32;
                n.store(visits, Ordering::Relaxed);
                average.store(now.to_bits(), Ordering::Relaxed);
                if !is_proven(head) {
                    let n = node.visits();
                    let mean = if n == 0 { now } else { node.total() as f32 / n as f32 };
                    let bonus = if n == 0 { 1.0 } else { 1.0 / (n as f32).sqrt() };
                    self.tree.score(self.tree.with_amaf(at, mean, n), node.weight(), n, bonus).put(entry);
                }
            }
            n_played -= in_tree(step);
        }
    }
}

impl<G: Playable> StateTree<G> {
    /// Whether nodes have priors.
    #[inline]
    fn has_priors(&self) -> bool {
        self.prior_weight > 0.0
    }

    /// Whether children are chosen by PUCT.
    #[inline]
    fn goes_by_priors(&self) -> bool {
        self.has_priors() && self.config.priors == Priors::Puct
    }

    /// What a choice looks at, of a node with this average, which `bonus` is the plain bonus of.
    ///
    /// With priors the bonus is PUCT's (Rosin, *Multi-armed bandits with episode context*, 2011; Silver and others,
    /// *Mastering the game of Go with deep neural networks and tree search*, 2016), or the value has a progressive bias
    /// (Chaslot and others, *Progressive strategies for Monte-Carlo tree search*, 2008).
    #[inline]
    fn score(&self, value: f32, prior: f32, visits: u32, bonus: f32) -> Score {
        if self.prior_weight == 0.0 {
            return Score { value, bonus };
        }
        let share = prior / (1.0 + visits as f32);
        match self.config.priors {
            Priors::Puct => Score { value, bonus: share },
            _ => Score { value: value + self.prior_weight * share, bonus },
        }
    }

    /// A node's average, and RAVE's as far as that counts: the less the more visits there are.
    #[inline]
    fn with_amaf(&self, at: u32, mean: f32, visits: u32) -> f32 {
        let Some([average, n]) = self.amaf.get(at as usize) else { return mean };
        if n.load(Ordering::Relaxed) == 0 {
            return mean;
        }
        let k = self.config.rave as f32;
        let beta = if visits == 0 { 1.0 } else { (k / (3.0 * visits as f32 + k)).sqrt() };
        beta * f32::from_bits(average.load(Ordering::Relaxed)) + (1.0 - beta) * mean
    }

    /// Gives a leaf the children that another node of the same position has after as many plies, if there is one; if not
    /// the leaf is remembered. With as many plies no way leads round in a circle, and a cap ends both alike.
    fn join(&self, game: &PathGame<G>, leaf: u32, state: &PathState<G>, n_children: usize) -> Option<Head> {
        if self.positions.is_empty() {
            return None;
        }
        let key = mix(game.key(state) ^ mix(u64::from(state.n_plies()) ^ mix(self.round)));
        let [word, node] = &self.positions[(key % self.positions.len() as u64) as usize];
        let other = node.load(Ordering::Relaxed);
        if word.load(Ordering::Relaxed) ^ other == key
            && other != 0
            && self.tree.head(other as u32).n_children() as usize == n_children
        {
            return self.tree.share(leaf, other as u32, 0);
        }
        node.store(leaf.into(), Ordering::Relaxed);
        word.store(key ^ u64::from(leaf), Ordering::Relaxed);
        None
    }
}

/// Numbers that add up to 1 in place of log odds.
fn softmax(numbers: &mut [f32]) {
    let highest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers.iter_mut().for_each(|x| *x = (*x - highest).exp());
    let all: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|x| *x /= all);
}

/// Counts a visit; returns how many there are now.
#[inline]
fn add_visit(visits: &AtomicU32, shared: bool) -> u32 {
    if shared {
        return visits.fetch_add(1, Ordering::Relaxed) + 1;
    }
    let n = visits.load(Ordering::Relaxed) + 1;
    visits.store(n, Ordering::Relaxed);
    n
}

/// Adds to a sum; returns what it is now.
#[inline]
fn add_payoff(total: &AtomicU64, payoff: f64, shared: bool) -> f64 {
    let mut before = total.load(Ordering::Relaxed);
    loop {
        let sum = f64::from_bits(before) + payoff;
        if !shared {
            total.store(sum.to_bits(), Ordering::Relaxed);
            return sum;
        }
        match total.compare_exchange_weak(before, sum.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return sum,
            Err(now) => before = now,
        }
    }
}

/// Virtual loss: until the simulation comes back the node's bonus is that of one visit more. What it will pay is left
/// open (Liu and others, *Watch the unobserved*, 2020): payoffs of any size would want a loss of any size.
#[cold]
fn lose_virtually<G: Game>(entry: Entry<'_>, node: &Node<G>) {
    let score = Score::of(entry);
    if chooser(entry.head()) != CHANCE {
        let visits = node.visits() as f32;
        Score { bonus: score.bonus * ((visits + 1.0) / (visits + 2.0)).sqrt(), ..score }.put(entry);
    }
}

// Proofs.
impl<G: Playable> StateTree<G> {
    fn proof(&self, at: u32) -> Payoffs {
        self.proofs.payoffs(self.proof_number(at))
    }

    #[inline]
    fn proof_number(&self, at: u32) -> u32 {
        self.tree.value(at).proof.load(Ordering::Relaxed)
    }

    fn is_proven(&self, at: u32) -> bool {
        is_proven(self.tree.head(at))
    }

    /// After how many plies a proven node's payoffs are paid.
    fn plies_of_proof(&self, at: u32) -> f64 {
        self.proofs.n_plies(self.proof_number(at))
    }

    /// What a proven node pays the seat that chose it.
    fn proven_payoff(&self, at: u32) -> f64 {
        self.proofs.payoff(self.proof_number(at), chooser(self.tree.head(at)).into())
    }

    /// How a seat ranks proven actions that pay it the same: a win as soon as possible, a loss as late as possible, all
    /// else alike.
    fn preference(&self, at: u32) -> f64 {
        root::preference(self.proven_payoff(at), self.plies_of_proof(at), &self.facts)
    }

    /// Records a proof; returns whether there was room. The first of several threads decides: what its parents' proofs
    /// were made of stays as it was.
    fn prove(&self, at: u32, payoffs: &Payoffs, n_plies: f64) -> bool {
        let Some(number) = self.proofs.record(payoffs, n_plies) else { return false };
        let _ = self.tree.value(at).proof.compare_exchange(NONE, number, Ordering::Relaxed, Ordering::Relaxed);
        self.tree.set_flags(at, PROVEN);
        true
    }

    /// Proves a node whose children prove it; returns whether they do.
    #[cold]
    fn try_to_prove(&self, at: u32) -> bool {
        let head = self.tree.head(at);
        if is_proven(head) {
            return true;
        }
        // Asked before the payoffs are compared: other threads go on proving, and what they prove next may pay more.
        let all_proven = head.children().all(|child| self.is_proven(child));
        if head.flags() & CHANCE_IS_NEXT != 0 {
            if !all_proven {
                return false;
            }
            let n_plies = head.children().map(|child| self.plies_of_proof(child)).fold(0.0, f64::max);
            return self.prove(at, &self.expectation(head), n_plies + 1.0);
        }
        let proven = || head.children().filter(|&child| self.is_proven(child));
        let Some(highest) = proven().map(|child| self.proven_payoff(child)).max_by(f64::total_cmp) else {
            return false;
        };
        let nothing_pays_more = self.facts.payoff_range.is_some_and(|(_, high)| highest >= high);
        if !nothing_pays_more && !all_proven {
            return false;
        }
        let equals = proven().rev().filter(|&child| self.proven_payoff(child) == highest);
        // Another thread may have proven one more meanwhile: one that pays as much is there all the same.
        let Some(best) = equals.max_by(|&a, &b| self.preference(a).total_cmp(&self.preference(b))) else {
            return false;
        };
        self.prove(at, &self.proof(best), self.plies_of_proof(best) + 1.0)
    }

    /// What a chance node pays on average, all its outcomes proven.
    fn expectation(&self, head: Head) -> Payoffs {
        let mut sums = [0.0; MAX_SEATS];
        for child in head.children() {
            let probability = self.tree.value(child).total();
            for (sum, payoff) in sums.iter_mut().zip(self.proof(child).as_slice()) {
                *sum += probability * payoff;
            }
        }
        Payoffs::new(sums.into_iter().take(self.facts.n_seats))
    }
}

// The decision, and what is kept of the tree for the next one.
impl<G: Playable> StateTree<G> {
    /// What was found out about an action of the root.
    pub(super) fn root_arm(&self, action: G::Action) -> RootArm {
        let n_seats = self.facts.n_seats;
        let Some(at) = self.child_by(self.root, action) else { return RootArm::new(n_seats) };
        let first = (at - self.tree.head(self.root).first()) as usize * n_seats;
        let is_proven = self.is_proven(at);
        RootArm {
            visits: self.tree.value(at).visits().into(),
            sums: self.root_sums[first..first + n_seats].to_vec(),
            proof: is_proven.then(|| self.proof(at).as_slice().to_vec()),
            plies_of_proof: if is_proven { self.plies_of_proof(at) } else { 0.0 },
        }
    }

    /// The line of play expected, as tokens of a history, its first action given.
    pub(super) fn line(&self, view: &SeatView<'_, G>, first: G::Action) -> Vec<String> {
        let game = view.game();
        let mut state = self.root_state.clone();
        let mut next = self.child_by(self.root, first);
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

    fn child_by(&self, parent: u32, action: G::Action) -> Option<u32> {
        let is_it = |&i: &u32| matches!(self.tree.value(i).incoming, Incoming::Action(other) if other == action);
        self.tree.head(parent).children().find(is_it)
    }

    /// What leads to a node; `None` at the root.
    fn choice(&self, at: u32) -> Option<Choice<G>> {
        match self.tree.value(at).incoming {
            Incoming::Root => None,
            Incoming::Action(action) => Some(Choice::Action(chooser(self.tree.head(at)).into(), action)),
            Incoming::Outcome(outcome) => Some(Choice::Outcome(outcome)),
        }
    }

    /// The child that the seat to act holds best, or the outcome looked at most: by proof where the parent is a proven
    /// decision, elsewhere by visits.
    fn expected_child(&self, parent: u32) -> Option<u32> {
        let head = self.tree.head(parent);
        let by_proof = is_proven(head) && head.flags() & CHANCE_IS_NEXT == 0;
        let rank = |at: u32| match by_proof && self.is_proven(at) {
            true => (self.proven_payoff(at), self.preference(at), self.tree.value(at).visits()),
            false => (f64::NEG_INFINITY, 0.0, self.tree.value(at).visits()),
        };
        let compare = |&a: &u32, &b: &u32| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        head.children().filter(|&i| self.tree.value(i).visits() > 0).max_by(compare)
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
        let mut at = self.root;
        for &choice in choices {
            let child = self.tree.head(at).children().find(|&i| self.choice(i) == Some(choice));
            let Some(child) = child else { return false };
            game.play(&mut self.root_state, choice);
            at = child;
        }
        if at != self.root {
            self.root = at;
            // What lies beside the new root is in nobody's way until the memory is needed.
            if self.tree.len() > self.tree.capacity() / 2 {
                let amaf = &self.amaf;
                self.tree.keep(at, |from, to| {
                    if let Some(numbers) = amaf.get(from as usize) {
                        for (number, moved) in numbers.iter().zip(&amaf[to as usize]) {
                            moved.store(number.load(Ordering::Relaxed), Ordering::Relaxed);
                        }
                    }
                });
                self.root = SharedTree::<Node<G>>::ROOT;
                self.round += 1;
            }
            self.root_sums = self.tree.head(self.root).children().flat_map(|i| self.sums_from_total(i)).collect();
        }
        true
    }

    fn sums_from_total(&self, at: u32) -> Vec<f64> {
        let node = self.tree.value(at);
        let chooser = chooser(self.tree.head(at));
        let mut sums = vec![0.0; self.facts.n_seats];
        if chooser != CHANCE {
            let chooser = usize::from(chooser);
            sums[chooser] = node.total();
            if let (2, Some(sum)) = (self.facts.n_seats, self.facts.payoff_sum) {
                sums[1 - chooser] = sum * f64::from(node.visits()) - node.total();
            }
        }
        sums
    }
}

/// Shuffles, a word of random bits for as many items as it serves: after a draw among n, the fraction that is left is as
/// good as a new one. Of 64 bits 16 are left to the last of ten, more than the order of equals needs.
#[inline]
fn shuffle<T>(rng: &mut FastRng, items: &mut [T]) {
    const ITEMS_A_WORD: usize = 10;
    let mut fraction = 0;
    for (done, i) in (1..items.len()).rev().enumerate() {
        if done % ITEMS_A_WORD == 0 || i > 100 {
            fraction = rng.next_u64();
        }
        let product = u128::from(fraction) * (i as u128 + 1);
        items.swap(i, (product >> 64) as usize);
        fraction = product as u64;
    }
}

/// The index of the eligible child with the highest upper confidence bound, the first of equals (Auer, Cesa-Bianchi and
/// Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002; Kocsis and Szepesvári, *Bandit based
/// Monte-Carlo planning*, 2006).
fn upper_confidence_bound(family: Family<'_>, factor: f32, eligible: impl Fn(usize) -> bool) -> usize {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (i, entry) in family.iter().enumerate().filter(|&(i, _)| eligible(i)) {
        let score = Score::of(entry);
        let bound = score.value + factor * score.bonus;
        if bound > highest {
            (best, highest) = (i, bound);
        }
    }
    best
}

/// The index of an eligible outcome, drawn by probability.
fn draw_outcome(family: Family<'_>, rng: &mut FastRng, eligible: impl Fn(usize) -> bool) -> usize {
    let outcomes = || family.iter().map(Score::of).enumerate().filter(|&(i, _)| eligible(i));
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
