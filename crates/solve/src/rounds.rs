//! Value iteration over rounds: games of two seats against each other, with or without chance, in which positions come again
//! from round to round.
//!
//! A game that is broken off after so many rounds has no circles, but of every position as many copies as there are rounds.
//! Here a position is without its round, and valued once for each number of rounds left: with none left it is worth what the
//! game pays when it is broken off there, with k left what follows from the positions further on in the round and, across
//! its end, from those of the next round with k − 1 left. Within a round no position may come again.
//! Sources: R. Bellman, *Dynamic Programming* (1957); L. S. Shapley, *Stochastic Games* (1953), here without a discount, so
//! that values need not settle.
//! Handled: values for every number of rounds left. If those of all positions with k left are those with j < k left, bit by
//! bit, they repeat for ever with period k − j, since each follows from the last in the same way. With period 1 they have
//! settled, and all larger caps have the same values. That is not yet the value without a cap, which depends on what play
//! without an end pays; [`ByRounds::endless`] bounds it whatever that is.
//! Promise: the value with every number of rounds, exact but for rounding at chance. Where chance has no part in circles, as
//! in a game that draws from a bag, rounding does not add up from round to round.
//! Not here: payoffs without a constant sum, how long play lasts.
//! Checked against graphs written by hand, [`crate::backward`] on games with the round in their positions
//! (`tests/rounds.rs`), and Al-Jabar by its own rules (crate `engines`).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::random::mix;
use rustc_hash::FxHashMap;

use crate::backward::sum;
use crate::exact::{Exact, Method, Progress, Solver, Statistics, Unsolved, Work};
use crate::graph::Turn;

/// Where a choice leads to; `f64` is what seat 0 gets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Leads {
    /// To a node of the same round.
    Within(u32),
    /// To a node of the next round.
    Across(u32),
    /// To the end of the game.
    Ends(f64),
}

/// Positions without their rounds, by number, and where they lead to.
#[derive(Debug, Default)]
pub struct RoundGraph {
    /// Parts are small, so that none has to be moved in one go when it grows.
    parts: Vec<Part>,
    ends: Vec<f64>,
    n_edges: u64,
}

#[derive(Debug, Default)]
struct Part {
    turns: Vec<Turn>,
    /// What seat 0 gets where the game is broken off.
    broken_off: Vec<f64>,
    /// Where the words of each node end.
    end: Vec<u32>,
    /// Where a node leads to; behind each word of a node of chance its weight.
    words: Vec<u32>,
}

const PART: usize = 1 << 14;
const ACROSS: u32 = 1 << 31;
const END: u32 = 1 << 30;
const MOST_NODES: usize = END as usize;

impl RoundGraph {
    /// A graph without nodes.
    pub fn new() -> RoundGraph {
        RoundGraph::default()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parts.last().map_or(0, |last| (self.parts.len() - 1) * PART + last.turns.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many edges there are, equal ones counted once.
    pub fn n_edges(&self) -> u64 {
        self.n_edges
    }

    /// Adds the node with the next number: who acts, what seat 0 gets if the game is broken off in it, and where it leads to,
    /// with weights that count for chance only. It may lead to nodes that are added later.
    ///
    /// # Panics
    /// When there are no choices, or more than 2³⁰ nodes.
    pub fn push(&mut self, turn: Turn, broken_off: f64, choices: &[(Leads, u32)]) {
        assert!(!choices.is_empty() && self.len() < MOST_NODES, "a node has choices, and a number below 2³⁰");
        let mut words: Vec<(u32, u32)> = choices.iter().map(|&(leads, weight)| (self.word(leads), weight)).collect();
        words.sort_unstable();
        words.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        self.n_edges += words.len() as u64;
        if self.parts.last().is_none_or(|last| last.turns.len() == PART) {
            self.parts.push(Part::default());
        }
        let part = self.parts.last_mut().expect("one was pushed");
        for (word, weight) in words {
            part.words.push(word);
            if turn == Turn::Chance {
                part.words.push(weight);
            }
        }
        part.turns.push(turn);
        part.broken_off.push(broken_off);
        part.end.push(part.words.len() as u32);
    }

    fn word(&mut self, leads: Leads) -> u32 {
        match leads {
            Leads::Within(node) => node,
            Leads::Across(node) => node | ACROSS,
            Leads::Ends(paid) => {
                let known = self.ends.iter().position(|end| end.to_bits() == paid.to_bits());
                END | known.unwrap_or_else(|| {
                    self.ends.push(paid);
                    self.ends.len() - 1
                }) as u32
            }
        }
    }

    #[inline]
    fn node(&self, node: usize) -> (Turn, &[u32]) {
        let (part, node) = (&self.parts[node / PART], node % PART);
        let begin = if node == 0 { 0 } else { part.end[node - 1] };
        (part.turns[node], &part.words[begin as usize..part.end[node] as usize])
    }

    /// The words of a node without weights.
    #[inline]
    fn words(&self, node: usize) -> impl Iterator<Item = u32> {
        let (turn, words) = self.node(node);
        words.iter().copied().step_by(if turn == Turn::Chance { 2 } else { 1 })
    }

    fn bytes(&self) -> usize {
        let words: usize = self.parts.iter().map(|part| part.words.capacity() * size_of::<u32>()).sum();
        words + self.parts.len() * PART * (size_of::<Turn>() + size_of::<f64>() + size_of::<u32>())
    }
}

/// In which order nodes are valued, so that each comes after those that it leads to in its round.
struct Order {
    nodes: Vec<u32>,
    /// So many of them, the first, lead to no next round, and are worth the same with every number of rounds left.
    n_closed: usize,
}

/// The most plies of a round.
const MOST_PLIES: u32 = 1 << 16;

impl Order {
    /// Sorts nodes by how many plies their round may go on. Nodes found later come mostly later in the round, so that few passes
    /// over them are needed.
    fn of(graph: &RoundGraph, work: &Work<'_>) -> Result<Order, Unsolved> {
        let n = graph.len();
        // Twice the plies, and one where the next round can be reached.
        let mut heights = vec![0u32; n];
        let mut changed = true;
        let mut most = 0;
        while changed {
            changed = false;
            for node in (0..n).rev() {
                watch(node, work)?;
                let mut height = 0;
                for word in graph.words(node) {
                    height = match word {
                        word if word & END != 0 => height,
                        word if word & ACROSS != 0 => height | 1,
                        word => {
                            let next = heights[word as usize];
                            ((height & !1).max((next & !1) + 2)) | (height | next) & 1
                        }
                    };
                }
                changed |= height != heights[node];
                heights[node] = height;
                most = most.max(height >> 1);
            }
            if most > MOST_PLIES {
                return Err(Unsolved::Unknown("positions can come again within a round of it".into()));
            }
        }
        Order::sorted(&heights, most as usize + 1, work)
    }

    /// A counting sort.
    fn sorted(heights: &[u32], n_heights: usize, work: &Work<'_>) -> Result<Order, Unsolved> {
        let class = |height: u32| (height >> 1) as usize + (height & 1) as usize * n_heights;
        let mut next = vec![0usize; 2 * n_heights + 1];
        for (node, &height) in heights.iter().enumerate() {
            watch(node, work)?;
            next[class(height) + 1] += 1;
        }
        for class in 0..2 * n_heights {
            next[class + 1] += next[class];
        }
        let n_closed = next[n_heights];
        let mut nodes = vec![0; heights.len()];
        for (node, &height) in heights.iter().enumerate() {
            watch(node, work)?;
            nodes[next[class(height)]] = node as u32;
            next[class(height)] += 1;
        }
        Ok(Order { nodes, n_closed })
    }
}

/// Ends work that is over; asks every few thousand nodes.
#[inline]
fn watch(done: usize, work: &Work<'_>) -> Result<(), Unsolved> {
    if done.is_multiple_of(1 << 12) && work.is_over() { Err(Unsolved::OutOfTime) } else { Ok(()) }
}

/// From which number of rounds on values repeat, and after how many rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeats {
    /// The values with so many rounds left come again. With period 1 it is the least such number.
    pub from: u32,
    /// 1 where values settle.
    pub period: u32,
}

/// What seat 0 gets, by node and number of rounds left.
#[derive(Debug)]
pub struct RoundValues {
    /// With the most rounds that were looked at.
    last: Vec<f64>,
    /// What changed with each round more, from the second on.
    changes: Vec<Changes>,
    repeats: Option<Repeats>,
}

#[derive(Debug, Default)]
struct Changes {
    /// Rising.
    nodes: Vec<u32>,
    before: Vec<f64>,
}

impl RoundValues {
    /// The values with 1 to `most` rounds left, or until they repeat.
    ///
    /// # Errors
    /// When time or memory are used up, or positions can come again within a round.
    ///
    /// # Panics
    /// When `most` is 0.
    pub fn of(graph: &RoundGraph, most: u32, work: &Work<'_>) -> Result<RoundValues, Unsolved> {
        assert!(most > 0, "there is a round to be valued");
        let order = Order::of(graph, work)?;
        let fixed = graph.bytes() + graph.len() * (3 * size_of::<f64>() + size_of::<u32>());
        let mut iteration = Iteration::new(graph, work)?;
        iteration.sweep(&order.nodes, work)?;
        let mut changes: Vec<Changes> = Vec::new();
        let mut n_changes = 0;
        let mut repeats = None;
        iteration.step(1, None, work)?;
        for n_rounds in 2..=most {
            (work.progress)(Progress { stage: "rounds", done: n_rounds.into(), total: most.into() });
            iteration.sweep(&order.nodes[order.n_closed..], work)?;
            let mut changed = Changes::default();
            repeats = iteration.step(n_rounds, Some(&mut changed), work)?;
            if repeats.is_some_and(|repeats| repeats.period == 1) {
                break;
            }
            n_changes += changed.nodes.len();
            changes.push(changed);
            if fixed + n_changes * (size_of::<u32>() + size_of::<f64>()) * 2 > work.memory {
                return Err(Unsolved::OutOfMemory);
            }
            if repeats.is_some() {
                break;
            }
        }
        Ok(RoundValues { last: iteration.values, changes, repeats })
    }

    /// What seat 0 gets from a node on, with so many rounds left, the one that is played included; `None` where so many were not
    /// looked at.
    ///
    /// # Panics
    /// When no round is left.
    pub fn get(&self, node: u32, n_rounds: u32) -> Option<f64> {
        assert!(n_rounds > 0, "a round is played");
        let n_seen = self.changes.len() as u32 + 1;
        let n_rounds = match self.repeats {
            _ if n_rounds <= n_seen => n_rounds,
            Some(Repeats { from, period }) => from + (n_rounds - from) % period,
            None => return None,
        };
        let later = &self.changes[n_rounds as usize - 1..];
        let changed = later.iter().find_map(|changes| {
            let found = changes.nodes.binary_search(&node).ok()?;
            Some(changes.before[found])
        });
        Some(changed.unwrap_or(self.last[node as usize]))
    }

    /// Where the values repeat; `None` where they did not with as many rounds as were looked at.
    pub fn repeats(&self) -> Option<Repeats> {
        self.repeats
    }

    fn bytes(&self) -> usize {
        let changes = self.changes.iter();
        size_of_val(self.last.as_slice())
            + changes.map(|changes| changes.nodes.capacity() * 4 + changes.before.capacity() * 8).sum::<usize>()
    }
}

/// Values with one more round from step to step.
struct Iteration<'a> {
    graph: &'a RoundGraph,
    values: Vec<f64>,
    /// With one round less.
    previous: Vec<f64>,
    /// With some number of rounds before, a power of two (R. P. Brent's search for a circle, 1980).
    anchor: Vec<f64>,
    anchored: u32,
    n_different: u64,
}

impl<'a> Iteration<'a> {
    /// With no round left.
    fn new(graph: &'a RoundGraph, work: &Work<'_>) -> Result<Iteration<'a>, Unsolved> {
        let mut previous = Vec::with_capacity(graph.len());
        for part in &graph.parts {
            watch(previous.len(), work)?;
            previous.extend_from_slice(&part.broken_off);
        }
        let (values, anchor) = (vec![0.0; graph.len()], vec![0.0; graph.len()]);
        Ok(Iteration { graph, values, previous, anchor, anchored: 0, n_different: 0 })
    }

    /// Values nodes with one round more than `previous`.
    fn sweep(&mut self, order: &[u32], work: &Work<'_>) -> Result<(), Unsolved> {
        for (done, &node) in order.iter().enumerate() {
            watch(done, work)?;
            self.values[node as usize] = self.value(node as usize);
        }
        Ok(())
    }

    fn value(&self, node: usize) -> f64 {
        let worth = |word: u32| match word {
            word if word & END != 0 => self.graph.ends[(word & !END) as usize],
            word if word & ACROSS != 0 => self.previous[(word & !ACROSS) as usize],
            word => self.values[word as usize],
        };
        let (turn, words) = self.graph.node(node);
        match turn {
            Turn::Seat(0) => words.iter().map(|&word| worth(word)).fold(f64::NEG_INFINITY, f64::max),
            Turn::Seat(_) => words.iter().map(|&word| worth(word)).fold(f64::INFINITY, f64::min),
            _ => {
                let (edges, _) = words.as_chunks::<2>();
                let total: u64 = edges.iter().map(|&[_, weight]| u64::from(weight)).sum();
                sum(edges.iter().map(|&[word, weight]| f64::from(weight) * worth(word))) / total as f64
            }
        }
    }

    /// What was valued becomes what is known; says what changed, and whether all came again.
    fn step(
        &mut self,
        n_rounds: u32,
        mut changes: Option<&mut Changes>,
        work: &Work<'_>,
    ) -> Result<Option<Repeats>, Unsolved> {
        let anew = (n_rounds - 1).is_power_of_two();
        if anew {
            (self.anchored, self.n_different) = (n_rounds - 1, 0);
        }
        let mut n_changed = 0u64;
        for node in 0..self.values.len() {
            watch(node, work)?;
            let (value, previous) = (self.values[node], self.previous[node]);
            if anew {
                self.anchor[node] = previous;
            }
            if value.to_bits() == previous.to_bits() {
                continue;
            }
            n_changed += 1;
            if self.anchored > 0 {
                let differs = |value: f64| u64::from(value.to_bits() != self.anchor[node].to_bits());
                self.n_different = self.n_different + differs(value) - differs(previous);
            }
            if let Some(changes) = &mut changes {
                changes.nodes.push(node as u32);
                changes.before.push(previous);
            }
            self.previous[node] = value;
        }
        Ok(match () {
            // With no round left only what begins a round has a value.
            () if n_rounds == 1 => None,
            () if n_changed == 0 => Some(Repeats { from: n_rounds - 1, period: 1 }),
            () if self.anchored > 0 && self.n_different == 0 => {
                Some(Repeats { from: self.anchored, period: n_rounds - self.anchored })
            }
            () => None,
        })
    }
}

/// What makes a game one of rounds. Rules must not depend on the round, except that the game is over, and pays what the position
/// is said to pay, when the last round is completed.
pub trait Rounds<G: Game>: Send + Sync {
    /// A position that is not over without its round; the same for positions that are worth the same. `None` where it has no key.
    fn key(&self, position: &G::State) -> Option<u64>;

    /// A position with a key, in the first round.
    fn position(&self, key: u64) -> G::State;

    /// How many rounds are completed.
    fn n_completed(&self, position: &G::State) -> u32;

    /// How many rounds there are at most.
    fn most(&self) -> u32;
}

/// The numbers of positions by their keys, in many small tables: none takes long to grow.
struct Numbered(Vec<FxHashMap<u64, u32>>);

const N_TABLES: usize = 256;
/// What an entry of a table takes at most: just after it has grown, 7/16 of its places are taken.
const ENTRY: usize = 40;

impl Numbered {
    fn new() -> Numbered {
        Numbered(vec![FxHashMap::default(); N_TABLES])
    }

    fn table(key: u64) -> usize {
        mix(key) as usize % N_TABLES
    }

    fn get(&self, key: u64) -> Option<u32> {
        self.0[Numbered::table(key)].get(&key).copied()
    }
}

/// All positions that can be reached from `root` (a key), which becomes node 0.
fn explore<G: Game, R: Rounds<G>>(
    solver: &ByRounds<G, R>,
    root: u64,
    work: &Work<'_>,
) -> Result<(Numbered, RoundGraph), Unsolved> {
    let (game, rounds) = (&solver.game, &solver.rounds);
    let mut numbered = Numbered::new();
    let (mut n_found, mut waiting) = (0u32, VecDeque::new());
    let mut number = |key: u64, waiting: &mut VecDeque<u64>| {
        *numbered.0[Numbered::table(key)].entry(key).or_insert_with(|| {
            waiting.push_back(key);
            n_found += 1;
            n_found - 1
        })
    };
    number(root, &mut waiting);
    let mut graph = RoundGraph::new();
    let (mut actions, mut outcomes, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(key) = waiting.pop_front() {
        let state = rounds.position(key);
        choices.clear();
        let mut leads = |next: &G::State| {
            if game.phase(next) == Phase::Over {
                return Ok(Leads::Ends(game.payoffs(next)[0]));
            }
            let key = rounds.key(next).ok_or_else(no_key)?;
            let node = number(key, &mut waiting);
            Ok(if rounds.n_completed(next) == 0 { Leads::Within(node) } else { Leads::Across(node) })
        };
        let turn = match game.phase(&state) {
            Phase::Over => return Err(no_key()),
            Phase::Chance => {
                outcomes.clear();
                game.outcomes(&state, &mut outcomes);
                for &(outcome, weight) in &outcomes {
                    let mut next = state.clone();
                    game.apply_outcome(&mut next, outcome);
                    let weight =
                        u32::try_from(weight).map_err(|_| Unsolved::Unknown("its chances are too fine".into()))?;
                    choices.push((leads(&next)?, weight));
                }
                Turn::Chance
            }
            Phase::Act(seats) if seats.len() > 1 => {
                return Err(Unsolved::Unknown("several seats act at the same time in it".into()));
            }
            Phase::Act(seats) => {
                let seat = seats.first();
                actions.clear();
                game.legal_actions(&state, seat, &mut actions);
                for &action in &actions {
                    let mut next = state.clone();
                    game.apply(&mut next, seat, action);
                    choices.push((leads(&next)?, 1));
                }
                Turn::Seat(seat as u8)
            }
        };
        graph.push(turn, solver.endless.unwrap_or_else(|| game.payoffs(&state)[0]), &choices);
        if graph.len().is_multiple_of(1 << 10) {
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            // What valuing takes is counted before it begins.
            let n = graph.len() + waiting.len();
            let of_nodes = n * (ENTRY + 3 * size_of::<f64>() + 2 * size_of::<u32>());
            let bytes = graph.bytes() + of_nodes + waiting.capacity() * size_of::<u64>() * 3 / 2;
            if bytes > work.memory || n >= MOST_NODES {
                return Err(Unsolved::OutOfMemory);
            }
            (work.progress)(Progress { stage: "positions", done: graph.len() as u64, total: 0 });
        }
    }
    Ok((numbered, graph))
}

fn no_key() -> Unsolved {
    Unsolved::Unknown("its positions can be numbered in part only".into())
}

/// All positions that can be reached from one, and what they are worth.
struct Solved {
    numbered: Numbered,
    values: RoundValues,
    bytes: usize,
}

/// Which bound of what seat 0 gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It gets no less.
    AtLeast,
    /// It gets no more.
    AtMost,
}

/// Solves a position of a game of rounds with all that can be reached from it.
pub struct ByRounds<G: Game, R> {
    game: G,
    rounds: R,
    /// What seat 0 gets where the game is broken off; `None` is what the game pays.
    endless: Option<f64>,
    /// The latest last.
    solved: RwLock<Vec<Arc<Solved>>>,
    exploring: Mutex<()>,
    n_positions: AtomicU64,
    n_nodes: AtomicU64,
}

impl<G: Game, R: Rounds<G>> ByRounds<G, R> {
    /// For a game of two seats whose payoffs have a constant sum.
    ///
    /// # Panics
    /// When it is another game.
    pub fn new(game: G, rounds: R) -> Self {
        ByRounds::with(game, rounds, None)
    }

    /// For the same game without a cap on its rounds: what seat 0 gets at least or at most, whatever play without an end pays,
    /// so far as it shows in as many rounds as there are at most. Bounds only become narrower with more rounds; where they
    /// settle they are the values of the game in which play without an end pays seat 0 the least (or the most) that the game
    /// ever pays.
    ///
    /// # Panics
    /// When it is another game, its payoffs have no range, or it has less than two rounds.
    pub fn endless(game: G, rounds: R, bound: Bound) -> Self {
        assert!(rounds.most() >= 2, "in a game of one round every position would be in the last");
        let (least, most) = game.facts().payoff_range.expect("the payoffs have a range");
        ByRounds::with(game, rounds, Some(if bound == Bound::AtLeast { least } else { most }))
    }

    fn with(game: G, rounds: R, endless: Option<f64>) -> Self {
        let facts = game.facts();
        assert!(facts.n_seats == 2 && facts.payoff_sum.is_some(), "two seats are against each other");
        ByRounds {
            game,
            rounds,
            endless,
            solved: RwLock::default(),
            exploring: Mutex::default(),
            n_positions: AtomicU64::new(0),
            n_nodes: AtomicU64::new(0),
        }
    }

    /// What seat 0 gets from a position that is not over, however many rounds are left; the round of the position does not count.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn value(&self, position: &G::State, n_rounds: u32, work: &Work<'_>) -> Result<f64, Unsolved> {
        let (solved, node) = self.solved_with(position, work)?;
        let unseen = || Unsolved::Unknown(format!("values were found for {} rounds at most", self.rounds.most()));
        solved.values.get(node, n_rounds).ok_or_else(unseen)
    }

    /// Where the values of all positions that can be reached from this one repeat.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn repeats(&self, position: &G::State, work: &Work<'_>) -> Result<Option<Repeats>, Unsolved> {
        Ok(self.solved_with(position, work)?.0.values.repeats())
    }

    /// A table that contains a position that is not over, and its number there.
    fn solved_with(&self, position: &G::State, work: &Work<'_>) -> Result<(Arc<Solved>, u32), Unsolved> {
        let key = self.rounds.key(position).ok_or_else(no_key)?;
        if let Some(known) = self.known(key) {
            return Ok(known);
        }
        let _one_at_a_time = work.lock(&self.exploring)?;
        match self.known(key) {
            Some(known) => Ok(known),
            None => Ok((self.make(key, work)?, 0)),
        }
    }

    fn known(&self, key: u64) -> Option<(Arc<Solved>, u32)> {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        solved.iter().rev().find_map(|solved| Some((Arc::clone(solved), solved.numbered.get(key)?)))
    }

    fn make(&self, key: u64, work: &Work<'_>) -> Result<Arc<Solved>, Unsolved> {
        let kept = self.bytes_kept();
        let within = |memory: usize| {
            let work = Work { memory, ..*work };
            let (numbered, graph) = explore(self, key, &work)?;
            self.n_positions.fetch_add(graph.len() as u64, Ordering::Relaxed);
            self.n_nodes.fetch_add(graph.n_edges(), Ordering::Relaxed);
            let of_tables = graph.len() * ENTRY;
            let work = Work { memory: memory.saturating_sub(of_tables), ..work };
            let values = RoundValues::of(&graph, self.rounds.most(), &work)?;
            Ok(Arc::new(Solved { bytes: of_tables + values.bytes(), numbered, values }))
        };
        let made = match within(work.memory.saturating_sub(kept)) {
            Err(Unsolved::OutOfMemory) if kept > 0 => {
                self.solved.write().unwrap_or_else(PoisonError::into_inner).clear();
                within(work.memory)
            }
            made => made,
        }?;
        self.solved.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&made));
        Ok(made)
    }

    fn bytes_kept(&self) -> usize {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        solved.iter().map(|solved| solved.bytes).sum()
    }
}

impl<G: Game, R: Rounds<G>> Solver<G> for ByRounds<G, R> {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact::of(self.game.payoffs(position)));
        }
        let n_left = match self.endless {
            None => self.rounds.most() - self.rounds.n_completed(position),
            Some(_) => self.repeats(position, work)?.map_or(self.rounds.most(), |_| u32::MAX),
        };
        let value = self.value(position, n_left, work)?;
        let sum = self.game.facts().payoff_sum.expect("it was asked when the solver was made");
        Ok(Exact::of(Payoffs::new([value, sum - value])))
    }

    fn is_immediate(&self) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            positions: self.n_positions.load(Ordering::Relaxed),
            nodes: self.n_nodes.load(Ordering::Relaxed),
            bytes: self.bytes_kept() as u64,
        }
    }
}
