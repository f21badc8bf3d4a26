//! All positions that can be reached from one, as a graph of numbers.
//!
//! Positions are found breadth-first and told apart by themselves, not by keys, so that nothing rests on hashes being
//! different. Of positions that a symmetry of the rules maps to each other one stands for all ([`canonical`]). What is
//! computed on the graph ([`crate::retrograde`], [`crate::backward`]) knows neither the game nor its types.
//!
//! Not here: games in which several seats act at the same time.

use std::ops::Range;

use indexmap::IndexSet;
use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::Job;
use raichi_core::path::{PathEnd, PathMemory};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::exact::{Progress, Unsolved, Work};

/// Who acts in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat.
    Seat(u8),
    /// Chance, by the probabilities of the edges.
    Chance,
    /// Nobody.
    Over,
}

/// Positions by number and where they lead to; node 0 is the root.
#[derive(Debug)]
pub struct Graph {
    /// How many seats there are.
    pub n_seats: usize,
    turns: Vec<Turn>,
    /// Where the successors of each node begin; one entry more than there are nodes.
    first: Vec<u32>,
    successors: Vec<u32>,
    /// Beside `successors`, where chance ever acts or it matters which of equal actions a seat chooses.
    weights: Vec<f64>,
    /// The nodes that are over, rising, and which of `payoffs` they pay.
    ends: Vec<(u32, u32)>,
    payoffs: Vec<Payoffs>,
    endless: Endless,
    has_rule: bool,
}

/// What a game pays that goes on for ever.
#[derive(Clone, PartialEq, Debug)]
enum Endless {
    /// No position was looked at yet.
    Unseen,
    Same(Payoffs),
    /// It depends on the position in which it ends.
    Differs,
}

impl Graph {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there is none; there always is the root.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// How many edges there are, equal ones counted once.
    pub fn n_edges(&self) -> usize {
        self.successors.len()
    }

    /// Who acts.
    #[inline]
    pub fn turn(&self, node: usize) -> Turn {
        self.turns[node]
    }

    /// Whether chance acts anywhere.
    pub fn acts_chance(&self) -> bool {
        self.turns.contains(&Turn::Chance)
    }

    fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node] as usize..self.first[node + 1] as usize
    }

    /// Where `node` leads to, each once.
    #[inline]
    pub fn successors(&self, node: usize) -> &[u32] {
        &self.successors[self.edges(node)]
    }

    /// In the order of its successors, the probabilities of what follows a node of chance, and how many actions of a seat lead to
    /// each; nothing where chance never acts and it does not matter which of equal actions a seat chooses.
    pub fn weights(&self, node: usize) -> &[f64] {
        self.weights.get(self.edges(node)).unwrap_or_default()
    }

    /// The nodes that are over, rising, and what they pay.
    pub fn ends(&self) -> impl Iterator<Item = (usize, &Payoffs)> {
        self.ends.iter().map(|&(node, paid)| (node as usize, &self.payoffs[paid as usize]))
    }

    /// What play pays that never ends: what the path's rule of repetition pays where the game has one, else what a game
    /// pays that is broken off. `None` where that depends on the position.
    pub fn endless(&self) -> Option<&Payoffs> {
        match &self.endless {
            Endless::Same(payoffs) => Some(payoffs),
            Endless::Unseen | Endless::Differs => None,
        }
    }

    /// Whether a rule of the path says what play without an end pays.
    pub fn has_rule(&self) -> bool {
        self.has_rule
    }

    /// The edges the other way round.
    ///
    /// # Errors
    /// When time is up.
    pub fn predecessors(&self, work: &Work<'_>) -> Result<Predecessors, Unsolved> {
        let mut first = vec![0u32; self.len() + 1];
        for (nth, &to) in self.successors.iter().enumerate() {
            look_at_clock(nth, work)?;
            first[to as usize + 1] += 1;
        }
        for node in 0..self.len() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut nodes = vec![0; self.successors.len()];
        for from in 0..self.len() {
            look_at_clock(from, work)?;
            for &to in self.successors(from) {
                nodes[next[to as usize] as usize] = from as u32;
                next[to as usize] += 1;
            }
        }
        Ok(Predecessors { first, nodes })
    }

    /// The nodes in an order in which each comes after all its successors; `None` where play can go round in a circle.
    ///
    /// # Errors
    /// When time is up.
    pub fn last_first(&self, work: &Work<'_>) -> Result<Option<Vec<u32>>, Unsolved> {
        let before = self.predecessors(work)?;
        let mut left: Vec<u32> = (0..self.len()).map(|node| self.successors(node).len() as u32).collect();
        let mut order: Vec<u32> = (0..self.len() as u32).filter(|&node| left[node as usize] == 0).collect();
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            look_at_clock(done, work)?;
            done += 1;
            for &from in before.of(node as usize) {
                left[from as usize] -= 1;
                if left[from as usize] == 0 {
                    order.push(from);
                }
            }
        }
        Ok((order.len() == self.len()).then_some(order))
    }

    fn bytes(&self) -> usize {
        self.turns.len() * (size_of::<Turn>() + size_of::<u32>())
            + self.successors.len() * size_of::<u32>()
            + self.weights.len() * size_of::<f64>()
            + self.ends.len() * size_of::<(u32, u32)>()
    }
}

/// Where each node can be come from.
#[derive(Debug)]
pub struct Predecessors {
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl Predecessors {
    /// The nodes that lead to `node`.
    #[inline]
    pub fn of(&self, node: usize) -> &[u32] {
        &self.nodes[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// The image of `state` under the symmetries that has the least key.
pub fn canonical<G: Game>(game: &G, state: &G::State) -> G::State {
    let (mut best, mut least) = (None, game.key(state));
    for symmetry in 1..game.n_symmetries() {
        let image = game.map_state(symmetry, state);
        let key = game.key(&image);
        if key < least {
            (best, least) = (Some(image), key);
        }
    }
    best.unwrap_or_else(|| state.clone())
}

/// The positions of a graph: the number of a node is its index. All are [`canonical`].
pub type Positions<G> = IndexSet<<G as Game>::State, FxBuildHasher>;

/// How many positions a thread expands before what it found is put together with what others found.
const BATCH: usize = 1024;
/// While positions are expanded the clock is read after so many images of successors, one for each symmetry: on large boards each
/// position has hundreds of successors, and a microsecond goes into each image. While successors are numbered it is read after so
/// many edges.
const ASK_EVERY: usize = 1 << 14;

/// What came out of expanding a few nodes.
struct Expanded<G: Game> {
    /// By node: who acts, how many successors follow, and what it pays (if it is over) or would pay for ever.
    nodes: Vec<(Turn, usize, Payoffs)>,
    successors: Vec<(G::State, u64)>,
}

/// All that can be reached from `root`, which becomes node 0.
///
/// # Errors
/// When time or memory are used up, or several seats act at the same time somewhere.
pub fn explore<G: Game>(game: &G, root: &G::State, work: &Work<'_>) -> Result<(Positions<G>, Graph), Unsolved> {
    let facts = game.facts();
    let is_weighed = facts.chance || facts.ties_matter();
    let mut positions = Positions::<G>::default();
    positions.insert(canonical(game, root));
    let mut graph = Graph {
        n_seats: facts.n_seats,
        turns: Vec::new(),
        first: vec![0],
        successors: Vec::new(),
        weights: Vec::new(),
        ends: Vec::new(),
        payoffs: Vec::new(),
        endless: Endless::Unseen,
        has_rule: G::PathMemory::DECIDES,
    };
    let mut interned = FxHashMap::default();
    // By position: the last edge that leads to it.
    let mut last_edge: Vec<u32> = Vec::new();
    let mut asked = 0;
    while graph.len() < positions.len() {
        // 1. Expand the next positions, several threads at once.
        let left = positions.len() - graph.len();
        let n_threads = work.n_threads.clamp(1, left.div_ceil(BATCH));
        let mut expanded: Vec<Result<Expanded<G>, Unsolved>> = Vec::new();
        for _ in 0..n_threads {
            expanded.push(Err(Unsolved::OutOfTime));
        }
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for result in &mut expanded {
            let from = graph.len() + jobs.len() * BATCH;
            let (batch, positions) = (from..(from + BATCH).min(positions.len()), &positions);
            jobs.push(Box::new(move || *result = expand(game, positions, batch.clone(), work)));
        }
        work.host.run_all(jobs);

        // 2. Number what they found, in order: the numbers do not depend on the threads.
        for batch in expanded {
            let batch = batch?;
            let mut successors = batch.successors.into_iter();
            for (turn, n_successors, payoffs) in batch.nodes {
                let begin = graph.successors.len();
                if begin >= asked + ASK_EVERY {
                    asked = begin;
                    if work.is_over() {
                        return Err(Unsolved::OutOfTime);
                    }
                }
                let total: f64 = match turn {
                    Turn::Chance => {
                        successors.as_slice()[..n_successors].iter().map(|&(_, weight)| weight as f64).sum()
                    }
                    _ => 1.0,
                };
                for (state, weight) in successors.by_ref().take(n_successors) {
                    let to = positions.insert_full(state).0 as u32;
                    let weight = weight as f64 / total;
                    if last_edge.len() < positions.len() {
                        last_edge.resize(positions.len(), u32::MAX);
                    }
                    let edge = last_edge[to as usize] as usize;
                    if edge < begin || edge >= graph.successors.len() {
                        last_edge[to as usize] = graph.successors.len() as u32;
                        graph.successors.push(to);
                        if is_weighed {
                            graph.weights.push(weight);
                        }
                    } else if is_weighed {
                        graph.weights[edge] += weight;
                    }
                }
                match turn {
                    Turn::Over => {
                        let bits = bits(payoffs.as_slice());
                        let paid = *interned.entry(bits).or_insert_with(|| {
                            graph.payoffs.push(payoffs);
                            graph.payoffs.len() as u32 - 1
                        });
                        graph.ends.push((graph.turns.len() as u32, paid));
                    }
                    _ => graph.endless.see(payoffs),
                }
                graph.turns.push(turn);
                graph.first.push(graph.successors.len() as u32);
            }
        }

        // 3. Count what it takes, the edges turned round and the values included.
        let bytes = bytes_of(&positions, &graph);
        if bytes > work.memory || graph.successors.len() >= u32::MAX as usize || positions.len() >= u32::MAX as usize {
            return Err(Unsolved::OutOfMemory);
        }
        if work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        (work.progress)(Progress { stage: "positions", done: graph.len() as u64, total: 0 });
    }
    Ok((positions, graph))
}

/// The clock is read after so many nodes or edges: some milliseconds of work.
const LOOK_EVERY: usize = 1 << 16;

/// Looks at the clock now and then, where it is called for each node or edge, with its number.
///
/// # Errors
/// When the work is to end.
#[inline]
pub(crate) fn look_at_clock(nth: usize, work: &Work<'_>) -> Result<(), Unsolved> {
    if nth % LOOK_EVERY == LOOK_EVERY - 1 && work.is_over() { Err(Unsolved::OutOfTime) } else { Ok(()) }
}

/// Payoffs as bits, which can be hashed.
fn bits(payoffs: &[f64]) -> Vec<u64> {
    payoffs.iter().map(|payoff| payoff.to_bits()).collect()
}

impl Endless {
    fn see(&mut self, payoffs: Payoffs) {
        match self {
            Endless::Unseen => *self = Endless::Same(payoffs),
            Endless::Same(same) if *same != payoffs => *self = Endless::Differs,
            Endless::Same(_) | Endless::Differs => {}
        }
    }
}

/// What the work on a graph takes at most: positions, edges both ways, values. What states keep on the heap is not counted.
fn bytes_of<State>(positions: &IndexSet<State, FxBuildHasher>, graph: &Graph) -> usize {
    positions.len() * (size_of::<State>() + 32 + size_of::<u32>()) + graph.bytes() + graph.n_edges() * size_of::<u32>()
}

/// The positions with these numbers, with what follows on them.
fn expand<G: Game>(
    game: &G,
    positions: &Positions<G>,
    batch: Range<usize>,
    work: &Work<'_>,
) -> Result<Expanded<G>, Unsolved> {
    let mut expanded = Expanded { nodes: Vec::new(), successors: Vec::new() };
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    let (mut asked, ask_every) = (0, ASK_EVERY / game.n_symmetries().max(1));
    for node in batch {
        if expanded.successors.len() >= asked + ask_every {
            asked = expanded.successors.len();
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
        }
        let state = &positions[node];
        let begin = expanded.successors.len();
        let endless = || match G::PathMemory::DECIDES {
            true => G::PathMemory::payoffs(game, state, PathEnd::Repetition),
            false => game.payoffs(state),
        };
        let (turn, payoffs) = match game.phase(state) {
            Phase::Over => (Turn::Over, game.payoffs(state)),
            Phase::Chance => {
                outcomes.clear();
                game.outcomes(state, &mut outcomes);
                for &(outcome, weight) in &outcomes {
                    let mut next = state.clone();
                    game.apply_outcome(&mut next, outcome);
                    expanded.successors.push((canonical(game, &next), weight));
                }
                (Turn::Chance, endless())
            }
            Phase::Act(seats) if seats.len() > 1 => {
                return Err(Unsolved::Unknown("several seats act at the same time in it".into()));
            }
            Phase::Act(seats) => {
                let seat = seats.first();
                actions.clear();
                game.legal_actions(state, seat, &mut actions);
                for &action in &actions {
                    let mut next = state.clone();
                    game.apply(&mut next, seat, action);
                    expanded.successors.push((canonical(game, &next), 1));
                }
                (Turn::Seat(seat as u8), endless())
            }
        };
        expanded.nodes.push((turn, expanded.successors.len() - begin, payoffs));
    }
    Ok(expanded)
}
