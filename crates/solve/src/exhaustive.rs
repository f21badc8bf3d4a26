//! Solvers that look at every position that can be reached: they enumerate the graph ([`crate::graph`]) from the position
//! that they are asked for, value all of it, and keep it, so that all positions further on are known at once.
//!
//! Positions are told apart by themselves, so nothing rests on keys. What does not fit into the memory given is not
//! solved. While one thread enumerates, others that need a graph wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use raichi_core::game::{Game, Payoffs};

use crate::backward::{self, Ties};
use crate::exact::{Exact, Method, Solver, Statistics, Unsolved, Work};
use crate::graph::{Graph, Positions, canonical, explore};
use crate::retrograde::{self, Levels};

/// How a graph is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Retrograde,
    Backward(Ties),
    /// By retrograde analysis where no chance acts in what can be reached, else backward.
    Fitting,
}

#[derive(Debug)]
enum Values {
    Levels(Levels),
    /// By node and seat.
    Expected(Vec<f64>),
}

impl Values {
    fn of(graph: &Graph, how: How, work: &Work<'_>) -> Result<Values, Unsolved> {
        match how {
            How::Fitting if graph.acts_chance() => Values::of(graph, How::Backward(Ties::Shared), work),
            How::Retrograde | How::Fitting => retrograde::analyse(graph, work).map(Values::Levels),
            How::Backward(ties) => backward::induce(graph, ties, work).map(Values::Expected),
        }
    }

    fn exact(&self, node: usize, n_seats: usize) -> Exact {
        match self {
            Values::Levels(levels) => levels.exact(node),
            Values::Expected(values) => Exact::of(Payoffs::new(values[node * n_seats..][..n_seats].iter().copied())),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Values::Levels(levels) => levels.bytes(),
            Values::Expected(values) => size_of_val(values.as_slice()),
        }
    }
}

/// What no seat gets more than, and what none gets less than, in `position`, however equal choices are made; see
/// [`backward::bounds`].
///
/// # Errors
/// As [`Exhaustive::backward`].
pub fn best_and_worst<G: Game>(game: &G, position: &G::State, work: &Work<'_>) -> Result<(Payoffs, Payoffs), Unsolved> {
    let (_, graph) = explore(game, position, work)?;
    let [least, most] = backward::bounds(&graph, work)?;
    let root = |values: Vec<f64>| Payoffs::new(values.into_iter().take(graph.n_seats));
    Ok((root(most), root(least)))
}

/// All positions that can be reached from one, and what they are worth.
struct Solved<G: Game> {
    positions: Positions<G>,
    values: Values,
    bytes: usize,
}

/// Solves a position with all that can be reached from it.
pub struct Exhaustive<G: Game> {
    game: G,
    how: How,
    /// The latest last.
    solved: RwLock<Vec<Arc<Solved<G>>>>,
    enumerating: Mutex<()>,
    n_positions: AtomicU64,
    n_nodes: AtomicU64,
}

impl<G: Game> Exhaustive<G> {
    /// Retrograde analysis, for one seat or two against each other, without chance; circles are allowed. See
    /// [`crate::retrograde`].
    pub fn retrograde(game: G) -> Self {
        Exhaustive::new(game, How::Retrograde)
    }

    /// Backward induction, for any number of seats and with chance, without circles; see [`crate::backward`].
    pub fn backward(game: G, ties: Ties) -> Self {
        Exhaustive::new(game, How::Backward(ties))
    }

    /// Whatever fits what can be reached from a position, for one seat or two against each other: chance may have done all
    /// that it does.
    pub fn fitting(game: G) -> Self {
        Exhaustive::new(game, How::Fitting)
    }

    fn new(game: G, how: How) -> Self {
        Exhaustive {
            game,
            how,
            solved: RwLock::default(),
            enumerating: Mutex::default(),
            n_positions: AtomicU64::new(0),
            n_nodes: AtomicU64::new(0),
        }
    }

    fn known(&self, position: &G::State) -> Option<Exact> {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let n_seats = self.game.facts().n_seats;
        solved
            .iter()
            .rev()
            .find_map(|solved| solved.positions.get_index_of(position).map(|node| solved.values.exact(node, n_seats)))
    }

    fn enumerate(&self, position: &G::State, work: &Work<'_>) -> Result<(), Unsolved> {
        let (positions, graph) = explore(&self.game, position, work)?;
        self.n_nodes.fetch_add(graph.n_edges() as u64, Ordering::Relaxed);
        let values = Values::of(&graph, self.how, work)?;
        self.n_positions.fetch_add(graph.len() as u64, Ordering::Relaxed);
        let bytes = positions.len() * (size_of::<G::State>() + 32) + values.bytes();
        let solved = Arc::new(Solved { positions, values, bytes });
        let mut kept = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        // A graph that contains the root of another contains all of it.
        kept.retain(|other| !solved.positions.contains(&other.positions[0]));
        kept.push(solved);
        while kept.len() > 1 && kept.iter().map(|solved| solved.bytes).sum::<usize>() > work.memory {
            kept.remove(0);
        }
        Ok(())
    }
}

impl<G: Game> Solver<G> for Exhaustive<G> {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let position = canonical(&self.game, position);
        if let Some(exact) = self.known(&position) {
            return Ok(exact);
        }
        let _one_at_a_time = work.lock(&self.enumerating)?;
        if self.known(&position).is_none() {
            self.enumerate(&position, work)?;
        }
        Ok(self.known(&position).expect("it was just enumerated"))
    }

    fn is_immediate(&self) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        let kept = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        Statistics {
            positions: self.n_positions.load(Ordering::Relaxed),
            nodes: self.n_nodes.load(Ordering::Relaxed),
            bytes: kept.iter().map(|solved| solved.bytes as u64).sum(),
        }
    }
}
