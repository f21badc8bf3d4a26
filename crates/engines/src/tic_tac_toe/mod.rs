//! Tic Tac Toe: all of it.
//!
//! Every position that can follow the one asked about is looked at once and kept: 5,478 from the empty board. Wins are
//! counted to the line, draws to the full board.
//! Checked against: the known value, a draw, and the number of positions; every value against those that follow it.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_games::tic_tac_toe::{State, TicTacToe};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use crate::complete::Complete;

/// The solver's line of the table.
pub(crate) fn solver(game: &TicTacToe) -> Option<Arc<dyn Solver<TicTacToe>>> {
    Some(Arc::new(Table(Complete::new(game, |_, state| *state))))
}

struct Table(Complete<TicTacToe, State>);

impl Solver<TicTacToe> for Table {
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
