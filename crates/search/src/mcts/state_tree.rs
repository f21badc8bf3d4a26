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
//! on the way up every score is made anew from counts that lose nothing. Nodes that have many visits are told of them in batches
//! and lose nothing virtually; there threads take other ways since their factors of exploration differ a little. A single thread
//! uses the same tree without read-modify-write instructions.
//!
//! Here is what needs the types of a game: positions, and what leads from node to node. All that is counted and compared
//! lies in [`super::statistics`].

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Game, Payoffs, Phase};
use raichi_core::information::{Information, SeatView};
use raichi_core::path::{PathGame, PathMemory, PathState};
use raichi_core::random::{FastRng, Rng};
use raichi_core::seat::Seat;
use raichi_machine::{Entries, Head, SharedTree, Start, Starts};

use super::playouts::{Knowledge, Lessons, SLOTS, expected, play_at_random, slot};
use super::root::RootArm;
use super::statistics::{
    CHANCE, CHANCE_IS_NEXT, Found, Node, Nodes, Room, Score, Statistics, Walk, chooser, is_proven, lose_virtually,
};
use super::{Config, Simulator};
use crate::line::token;

/// A leaf gets its children at this visit. Most leaves are visited once; their children would only fill the memory.
const VISITS_TO_EXPAND: u32 = 2;

/// What leads to a node.
enum Incoming<G: Game> {
    Root,
    Action(G::Action),
    Outcome(G::Outcome),
}

/// A search tree that can be kept from one decision to the next.
pub(super) struct StateTree<G: Playable> {
    tree: SharedTree<Incoming<G>>,
    statistics: Statistics,
    root_state: PathState<G>,
    knowledge: Knowledge<G>,
    max_plies: u32,
}

/// One thread's descents of the tree: what it needs for itself, so that a simulation allocates nothing.
// Those of all threads lie side by side: none shares a line of the cache, nor the next one, with its neighbour.
#[repr(align(128))]
pub(super) struct Descent<'a, G: Playable> {
    game: &'a PathGame<G>,
    tree: &'a StateTree<G>,
    walk: Walk<'a>,
    state: PathState<G>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
    priors: Vec<f32>,
    starts: Vec<Start>,
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
        // What the path may decide is no matter of the position.
        let joins = config.joins && !<G::PathMemory as PathMemory<G>>::DECIDES;
        let room = Room::new(config, &facts, joins, SharedTree::<Incoming<G>>::BYTES_PER_ENTRY);
        let n_entries = room.n_entries.max(room_for_root(game, &root_state));
        let tree = SharedTree::new(n_entries, Node::root(), Incoming::Root);
        let has_priors = knowledge.evaluator.as_ref().is_some_and(|evaluator| evaluator.has_priors());
        StateTree {
            statistics: Statistics::new(config, facts, has_priors, &room, tree.capacity()),
            tree,
            root_state,
            knowledge: knowledge.clone(),
            max_plies: config.longest_playout(knowledge),
        }
    }

    /// Begins anew from another position, in the same memory; returns whether there is room for its actions.
    pub(super) fn plant(&mut self, game: &PathGame<G>, root_state: PathState<G>) -> bool {
        if self.tree.capacity() < room_for_root(game, &root_state) {
            return false;
        }
        self.tree.plant(Node::root(), Incoming::Root);
        self.statistics.clear();
        self.root_state = root_state;
        true
    }

    /// The position at the root.
    pub(super) fn root_state(&self) -> &PathState<G> {
        &self.root_state
    }

    #[inline]
    fn nodes(&self) -> Nodes<'_> {
        Nodes { entries: &self.tree, statistics: &self.statistics }
    }

    /// What `n_threads` threads need for their descents. The root gets its children here.
    pub(super) fn descents<'a>(
        &'a mut self,
        game: &'a PathGame<G>,
        n_threads: usize,
        rng: &mut FastRng,
    ) -> Vec<Descent<'a, G>> {
        if self.nodes().root_head().n_children() == 0 {
            self.descent(game, 0, n_threads).expand(self.statistics.root, rng);
        }
        self.statistics.prepare_root(self.nodes().root_head().n_children() as usize);
        let tree = &*self;
        let mut descents = Vec::with_capacity(n_threads);
        for thread in 0..n_threads {
            descents.push(tree.descent(game, thread, n_threads));
        }
        descents
    }

    fn descent<'a>(&'a self, game: &'a PathGame<G>, thread: usize, n_threads: usize) -> Descent<'a, G> {
        let facts = &self.statistics.facts;
        let has_amaf = self.statistics.has_amaf();
        let lessons = Lessons::new(self.statistics.config.playouts, has_amaf, facts);
        let plain = lessons.are_plain()
            && !self.statistics.has_priors()
            && !self.statistics.backs_up_best
            && self.knowledge.evaluator.is_none();
        Descent {
            game,
            tree: self,
            walk: Walk::new(self.nodes(), thread, n_threads, plain),
            state: self.root_state.clone(),
            actions: Vec::with_capacity(256),
            outcomes: Vec::with_capacity(64),
            priors: Vec::with_capacity(256),
            starts: Vec::with_capacity(256),
            lessons,
            n_outcomes: 0,
            chosen: vec![0; if has_amaf { facts.n_seats * SLOTS } else { 0 }],
            simulation: 0,
        }
    }

    /// Adds what each thread found out for itself.
    pub(super) fn add(&mut self, found: Vec<Found>) {
        found.into_iter().for_each(|found| self.statistics.add(found));
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

impl<G: Playable> Simulator for Descent<'_, G> {
    #[inline]
    fn simulate(&mut self, rng: &mut FastRng) -> u64 {
        if self.walk.plain && !self.walk.shared { self.simulate_as::<true>(rng) } else { self.simulate_otherwise(rng) }
    }

    #[inline]
    fn is_settled(&self) -> bool {
        self.tree.nodes().is_settled()
    }
}

impl<G: Playable> Descent<'_, G> {
    /// What the thread found out for itself.
    pub(super) fn found(self) -> Found {
        self.walk.found()
    }

    /// A simulation. `SIMPLE`: plain UCT by a thread alone, as most searches are; compiled by itself, it asks for nothing
    /// else on its way.
    #[inline(always)]
    fn simulate_as<const SIMPLE: bool>(&mut self, rng: &mut FastRng) -> u64 {
        self.select::<SIMPLE>(rng);
        let payoffs = self.evaluate(rng);
        let n_plies = self.state.n_plies() - self.tree.root_state.n_plies();
        self.walk.observe(&payoffs);
        if !SIMPLE && !self.walk.plain {
            self.lessons.learn(&payoffs);
            self.back_up_all_moves_as_first(&payoffs);
        }
        self.walk.back_up::<SIMPLE>(payoffs);
        u64::from(n_plies - self.n_outcomes)
    }

    /// A simulation of any other kind. Apart from the simple one, so that each is optimised by itself.
    #[inline(never)]
    fn simulate_otherwise(&mut self, rng: &mut FastRng) -> u64 {
        self.simulate_as::<false>(rng)
    }

    /// Walks from the root to a leaf, and leaves the way in `walk` and the position in `state`.
    ///
    /// Where the best child is proven nothing is left to find out about it. Its payoffs go up from there all the same,
    /// but the walk goes on to the best sibling that is open, to prove that one too.
    #[inline]
    fn select<const SIMPLE: bool>(&mut self, rng: &mut FastRng) {
        let (game, tree) = (self.game, &self.tree.tree);
        self.state.clone_from(&self.tree.root_state);
        self.walk.begin();
        self.n_outcomes = 0;
        if !SIMPLE {
            self.lessons.begin();
        }
        let mut at = self.tree.statistics.root;
        let (mut entry, mut head, mut record, _) = tree.get(at);
        loop {
            if self.walk.enter(at, entry, Node(record)) || is_proven(head) {
                return;
            }
            if head.n_children() == 0 {
                match self.expand(at, rng) {
                    Some(grown) => head = grown,
                    None => return,
                }
            }
            tree.prefetch_children(head);
            let (parent, family) = (head, tree.family(head));
            at = parent.first() + self.walk.choose::<SIMPLE>(family, parent, Node(record), rng) as u32;
            let mut incoming;
            (entry, head, record, incoming) = tree.get(at);
            if is_proven(head) {
                let Some(open) = self.walk.choose_open(at, parent, rng) else { return };
                at = parent.first() + open as u32;
                (entry, head, record, incoming) = tree.get(at);
            }
            match *incoming {
                Incoming::Action(action) => {
                    if !SIMPLE && !self.walk.plain {
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
            if !SIMPLE && self.walk.shared {
                lose_virtually(entry, Node(record));
            }
        }
    }

    /// Gives a leaf its children, if it has deserved them and there is room; returns its head if it has some now.
    fn expand(&mut self, leaf: u32, rng: &mut FastRng) -> Option<Head> {
        let (game, tree, nodes) = (self.game, &self.tree.tree, self.tree.nodes());
        if leaf != nodes.statistics.root && Node(tree.record(leaf)).visits() + 1 < VISITS_TO_EXPAND {
            return None;
        }
        match game.phase(&self.state) {
            Phase::Over => None,
            Phase::Act(seats) => {
                let seat = seats.first();
                self.actions.clear();
                game.legal_actions(&self.state, seat, &mut self.actions);
                if nodes.statistics.joins() {
                    let (key, n_plies) = (game.key(&self.state), self.state.n_plies());
                    let joined = nodes.join(leaf, key, n_plies, self.actions.len());
                    if joined.is_some() {
                        return joined;
                    }
                }
                // Unvisited children tie; in the rules' order the first would be preferred by accident.
                shuffle(rng, &mut self.actions);
                self.find_priors(seat);
                let value = self.walk.first_play_urgency(seat, || {
                    let evaluator = self.tree.knowledge.evaluator.as_ref().expect("there are priors");
                    evaluator.value(game, &self.state, seat)
                });
                let starts = nodes.start_actions(seat, value, self.actions.len(), &self.priors, &mut self.starts);
                let incoming = self.actions.iter().map(|&action| Incoming::Action(action));
                let grown = tree.grow(leaf, 0, starts, incoming)?;
                nodes.begin_family(grown);
                if nodes.statistics.config.decisive {
                    self.prove_ends(grown, seat);
                }
                Some(grown)
            }
            Phase::Chance => {
                self.outcomes.clear();
                game.outcomes(&self.state, &mut self.outcomes);
                let mut all = 0;
                for &(_, weight) in &self.outcomes {
                    all += weight;
                }
                self.starts.clear();
                for &(_, weight) in &self.outcomes {
                    let probability = weight as f64 / all as f64;
                    let score = Score { value: probability as f32, bonus: 0.0 };
                    self.starts.push(Node::start(CHANCE, score, probability, 0.0));
                }
                let incoming = self.outcomes.iter().map(|&(outcome, _)| Incoming::Outcome(outcome));
                tree.grow(leaf, CHANCE_IS_NEXT, Starts::Each(&self.starts), incoming)
            }
        }
    }

    /// The priors of `actions`, where the evaluator has some and they are wanted.
    #[inline]
    fn find_priors(&mut self, seat: Seat) {
        if self.tree.statistics.has_priors()
            && let Some(evaluator) = &self.tree.knowledge.evaluator
        {
            self.priors.clear();
            self.priors.resize(self.actions.len(), 0.0);
            evaluator.priors(self.game, &self.state, seat, &self.actions, &mut self.priors);
            softmax(&mut self.priors);
        }
    }

    /// Decisive moves (Teytaud and Teytaud, *On the huge benefit of decisive moves*, 2010), in the tree: children in which
    /// the game is over are proven when they are made, so that a win is not overlooked, and a loss by the opponent's next
    /// action (anti-decisive) as soon as it has children.
    fn prove_ends(&mut self, family: Head, seat: Seat) {
        let before = self.state.clone();
        for (at, i) in family.children().zip(0..) {
            self.game.apply(&mut self.state, seat, self.actions[i]);
            if self.game.phase(&self.state) == Phase::Over {
                self.tree.nodes().prove_end(at, seat, &self.game.payoffs(&self.state));
            }
            self.state.clone_from(&before);
        }
    }

    /// What the game pays from the end of the path: exactly where that is known, or else by a playout.
    #[inline]
    fn evaluate(&mut self, rng: &mut FastRng) -> Payoffs {
        if let Some(proof) = self.walk.proof_of_leaf() {
            return proof;
        }
        let game = self.game;
        let leaf = self.walk.leaf().at;
        let max_plies = self.tree.max_plies;
        let knowledge = &self.tree.knowledge;
        let played = if self.walk.plain {
            play_at_random(game, &mut self.state, max_plies, &mut self.actions, rng)
        } else {
            let last = self.tree.action(leaf);
            let policy = knowledge.policy.as_deref();
            self.lessons.play(game, &mut self.state, max_plies, policy, last, &mut self.actions, rng)
        };
        self.n_outcomes += played.outcomes;
        if let Some(evaluator) = &knowledge.evaluator
            && game.phase(&self.state) != Phase::Over
        {
            return expected(game, &self.tree.statistics.facts, evaluator.as_ref(), &self.state);
        }
        let payoffs = game.payoffs(&self.state);
        if played.plies == 0 && game.phase(&self.state) == Phase::Over {
            self.tree.nodes().prove(leaf, &payoffs, 0.0);
        }
        payoffs
    }

    /// All moves as first: each action of the simulation counts for the nodes above it, as if it had been chosen there
    /// by the same seat (rapid action value estimation; Gelly and Silver, *Combining online and offline knowledge in
    /// UCT*, 2007).
    #[cold]
    fn back_up_all_moves_as_first(&mut self, payoffs: &Payoffs) {
        if !self.tree.statistics.has_amaf() {
            return;
        }
        self.simulation += 1;
        let mut below = self.lessons.played.len();
        // Chance's plies are not among those played.
        let in_tree = |at: u32| usize::from(self.tree.action(at).is_some());
        let mut n_played = 0;
        for step in self.walk.path() {
            n_played += in_tree(step.at);
        }
        for step in self.walk.path().iter().rev() {
            while below > n_played {
                below -= 1;
                let played = self.lessons.played[below];
                self.chosen[usize::from(played.seat) * SLOTS + usize::from(played.slot)] = self.simulation;
            }
            for at in step.entry.head().children() {
                let Some(action) = self.tree.action(at) else { break };
                let seat = usize::from(chooser(self.tree.tree.head(at)));
                let slot = usize::from(slot(self.game.game(), action));
                if self.chosen[seat * SLOTS + slot] == self.simulation {
                    self.tree.nodes().pay_as_first(at, payoffs[seat]);
                }
            }
            n_played -= in_tree(step.at);
        }
    }
}

/// The first child of which this is true.
fn child_where(parent: Head, wanted: &dyn Fn(u32) -> bool) -> Option<u32> {
    parent.children().find(|&at| wanted(at))
}

/// Numbers that add up to 1 in place of log odds.
fn softmax(numbers: &mut [f32]) {
    let highest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers.iter_mut().for_each(|x| *x = (*x - highest).exp());
    let all: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|x| *x /= all);
}

// The decision, and what is kept of the tree for the next one.
impl<G: Playable> StateTree<G> {
    /// What was found out about each of `actions` at the root, in their order.
    pub(super) fn root_arms(&self, game: &PathGame<G>, actions: &[G::Action]) -> Vec<RootArm> {
        let head = self.tree.head(self.statistics.root);
        let mut children = Vec::with_capacity(head.n_children() as usize);
        for at in head.children() {
            if let Some(action) = self.action(at) {
                children.push((game.game().action_number(action), at));
            }
        }
        let mut numbers = Vec::with_capacity(actions.len());
        for &action in actions {
            numbers.push(game.game().action_number(action));
        }
        self.nodes().root_arms(&numbers, children)
    }

    /// The line of play expected, as tokens of a history, its first action given.
    pub(super) fn line(&self, view: &SeatView<'_, G>, first: G::Action) -> Vec<String> {
        let game = view.game();
        let mut state = self.root_state.clone();
        let mut next = self.child_by(self.statistics.root, first);
        let mut tokens = Vec::new();
        while let Some(at) = next {
            let choice = self.choice(at).expect("the root is nobody's child");
            tokens.push(match choice {
                Choice::Action(seat, action) => token(game, &state, seat, action),
                Choice::Outcome(outcome) => game.outcome_text(&state, outcome),
            });
            game.play(&mut state, choice);
            next = self.nodes().expected_child(at);
        }
        tokens
    }

    fn child_by(&self, parent: u32, action: G::Action) -> Option<u32> {
        child_where(self.tree.head(parent), &|at| self.action(at) == Some(action))
    }

    /// The action that leads to a node; `None` where chance or nothing does.
    #[inline]
    fn action(&self, at: u32) -> Option<G::Action> {
        match *self.tree.value(at) {
            Incoming::Action(action) => Some(action),
            Incoming::Outcome(_) | Incoming::Root => None,
        }
    }

    /// What leads to a node; `None` at the root.
    fn choice(&self, at: u32) -> Option<Choice<G>> {
        match *self.tree.value(at) {
            Incoming::Root => None,
            Incoming::Action(action) => Some(Choice::Action(chooser(self.tree.head(at)).into(), action)),
            Incoming::Outcome(outcome) => Some(Choice::Outcome(outcome)),
        }
    }

    /// Makes the node to which these choices lead from the root the new root, if the tree has it; returns whether it had.
    ///
    /// Payoffs of all seats are known at the root only, so this serves games of one seat, and of two that share a constant
    /// sum.
    pub(super) fn advance(&mut self, game: &PathGame<G>, choices: &[Choice<G>]) -> bool {
        if !self.statistics.one_payoff_tells_all() {
            return false;
        }
        let mut at = self.statistics.root;
        for &choice in choices {
            let child = child_where(self.tree.head(at), &|child| self.choice(child) == Some(choice));
            let Some(child) = child else { return false };
            game.play(&mut self.root_state, choice);
            at = child;
        }
        if at != self.statistics.root {
            // What lies beside the new root is in nobody's way until the memory is needed.
            let moves = self.tree.len() > self.tree.capacity() / 2;
            if moves {
                self.tree.keep(at, &mut |from, to| self.statistics.move_entry(from, to));
                at = Entries::ROOT;
            }
            self.statistics.set_root(&self.tree, at, moves);
        }
        true
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
