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

/// The most nodes of which all positions are looked at in less than half a minute: of two seats and of three.
const SMALL: [u8; 2] = [7, 6];

/// The solver that reads ties as given; `None` for more nodes than it can write.
pub fn solver_with(game: &Sim, ties: Ties) -> Option<Arc<dyn Solver<Sim>>> {
    let fits = usize::from(game.n_nodes()) <= MOST_NODES;
    let is_small = game.n_nodes() <= SMALL[usize::from(game.n_seats() == 3)];
    fits.then(|| match game.n_seats() {
        2 => Arc::new(Two { positions: Complete::new(game, canonical), is_small }) as Arc<dyn Solver<Sim>>,
        _ if is_small => Arc::new(Induction::new(game, ties, canonical)),
        _ => Arc::new(Induction::new(game, ties, canonical).of_large()),
    })
}

struct Two {
    positions: Complete<Sim, u64>,
    is_small: bool,
}

impl Solver<Sim> for Two {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        self.positions.solve(position, work)
    }

    fn is_immediate(&self) -> bool {
        self.is_small
    }

    fn statistics(&self) -> Statistics {
        self.positions.statistics()
    }
}
