//! All positions that can follow, up to the names of the nodes.
//!
//! Two seats: values and lengths, without cut-offs (`complete.rs`). Three seats, with and without the coalition:
//! backward induction (`induction.rs`); in the coalition ties do not matter, since seats 1 and 2 get the same. Graphs
//! of up to eight nodes can be written; how many nodes can be solved is a matter of time and memory, see
//! docs/truths.md.

use std::sync::Arc;

use raichi_games::sim::{Sim, State};
use raichi_solve::backward::Ties;
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use super::canonical::{MOST_NODES, canonical};
use crate::complete::Complete;
use crate::induction::Induction;

/// The solver that reads ties as given; `None` for more nodes than it can write.
pub fn solver_with(game: &Sim, ties: Ties) -> Option<Arc<dyn Solver<Sim>>> {
    let fits = usize::from(game.n_nodes()) <= MOST_NODES;
    fits.then(|| match game.n_seats() {
        2 => Arc::new(Two(Complete::new(game, canonical))) as Arc<dyn Solver<Sim>>,
        _ => Arc::new(Induction::new(game, ties, canonical)),
    })
}

struct Two(Complete<Sim, u64>);

impl Solver<Sim> for Two {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        self.0.solve(position, work)
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }
}
