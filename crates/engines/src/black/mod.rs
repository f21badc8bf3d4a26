//! Black: whether the empty cells can be covered by dominoes.
//!
//! A seat that is to act wins if the empty cells without the lower right one can be covered by dominoes. It leads the
//! path from the cell it marks into the other cell of the same domino. From there the other seat runs to the border, or
//! into the lower right cell, which wins for the first seat, or into some cell whose domino is still empty; and so on
//! until no cell is left. (Elwyn Berlekamp's pairing, told in Gardner, *Four Unusual Board Games*; here it is asked
//! again at each ply, of the cells that are left.) This settles boards with an odd side; what it does not settle is
//! weighed by how far the two colours of a chessboard are from being equally many. All sizes are known.
//! Checked against: the winners by exhaustive search of all boards up to 16 cells.
//! The solver has the whole strategy, with split dominoes for boards with two even sides (`cover.rs`), and searches
//! what it leaves open.

mod cover;
mod reason;
mod solver;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::black::{Action, Black, State};
use raichi_search::Evaluator;
use raichi_solve::Solver;

pub use cover::{Cover, Pair, cover};

use crate::linear::{NEARLY_WON, Tunable, seen_by, squash, weigh};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Black) -> Option<Arc<dyn Evaluator<Black>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Black) -> Option<Arc<dyn Solver<Black>>> {
    Some(Arc::new(solver::Dominoes::new(game)))
}

const N: usize = 3;

const WEIGHTS: [f32; N] = [0.1, 0.1, 0.1];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
}

/// The empty cells without the lower right one, a word a row.
struct Open {
    rows: [u16; 16],
    /// How many there are of each colour of a chessboard.
    n: [u32; 2],
}

impl Open {
    fn of(game: &Black, state: &State) -> Open {
        let (rows, columns) = game.sides();
        let mut open = Open { rows: [0; 16], n: [0; 2] };
        for row in 0..rows {
            for column in 0..columns {
                let is_corner = row + 1 == rows && column + 1 == columns;
                if !is_corner && state.tile(row << 4 | column).is_none() {
                    open.rows[usize::from(row)] |= 1 << column;
                    open.n[usize::from((row + column) % 2)] += 1;
                }
            }
        }
        open
    }

    fn is_empty_at(&self, cell: u8) -> bool {
        self.rows[usize::from(cell >> 4)] >> (cell & 15) & 1 == 1
    }

    fn beside(&self, cell: u8) -> impl Iterator<Item = u8> {
        let (row, column) = (cell >> 4, cell & 15);
        let beside = [
            (row > 0).then(|| cell - 16),
            (column > 0).then(|| cell - 1),
            (column < 15).then(|| cell + 1),
            (row < 15).then(|| cell + 16),
        ];
        beside.into_iter().flatten().filter(|&cell| self.is_empty_at(cell))
    }

    /// Whether dominoes can cover all of them: a perfect matching of the two colours, by augmenting paths.
    fn can_be_covered(&self) -> bool {
        if self.n[0] != self.n[1] {
            return false;
        }
        let mut partner = [None; 256];
        let cells = (0..=255u8).filter(|&cell| ((cell >> 4) + (cell & 15)) & 1 == 0 && self.is_empty_at(cell));
        cells.into_iter().all(|cell| self.find_partner(cell, &mut partner, &mut [false; 256]))
    }

    fn find_partner(&self, cell: u8, partner: &mut [Option<u8>; 256], tried: &mut [bool; 256]) -> bool {
        for beside in self.beside(cell) {
            if partner[usize::from(beside)].is_none() {
                partner[usize::from(beside)] = Some(cell);
                return true;
            }
        }
        for beside in self.beside(cell) {
            if !std::mem::replace(&mut tried[usize::from(beside)], true) {
                let other = partner[usize::from(beside)].expect("a free one was taken above");
                if self.find_partner(other, partner, tried) {
                    partner[usize::from(beside)] = Some(cell);
                    return true;
                }
            }
        }
        false
    }
}

fn is_at_corner(game: &Black, state: &State) -> bool {
    let (rows, columns) = game.sides();
    state.next_cell() == (rows - 1) << 4 | (columns - 1)
}

/// Whether the seat to act wins by dominoes, or by marking the lower right cell.
fn is_won(game: &Black, state: &State) -> bool {
    is_at_corner(game, state) || Open::of(game, state).can_be_covered()
}

impl Hand {
    /// What is settled for the seat to act, and else the features as seat 0 sees them.
    fn sum_up(game: &Black, state: &State) -> Result<f32, [f32; N]> {
        if is_won(game, state) {
            return Ok(NEARLY_WON);
        }
        let seat = state.to_act();
        let mut actions = Vec::with_capacity(3);
        game.legal_actions(state, seat, &mut actions);
        let loses = |&action: &Action| {
            let mut next = *state;
            game.apply(&mut next, seat, action);
            match game.phase(&next) {
                Phase::Over => game.payoffs(&next)[seat] < 0.0,
                _ => is_won(game, &next),
            }
        };
        let n_losing = actions.iter().filter(|action| loses(action)).count();
        if n_losing == actions.len() {
            return Ok(-NEARLY_WON);
        }
        let open = Open::of(game, state);
        let excess = open.n[0].abs_diff(open.n[1]);
        // The seat that is to act with an even number of cells left is the one that dominoes can help.
        let helped = if excess.is_multiple_of(2) { seat } else { 1 - seat };
        let near = if excess <= 2 { 1.0 } else { 0.0 };
        Err([seen_by(helped, 1.0), seen_by(helped, near), seen_by(seat, 1.0 - n_losing as f32)])
    }
}

impl Evaluator<Black> for Hand {
    fn value(&self, game: &Black, state: &State, seat: Seat) -> f32 {
        match Hand::sum_up(game, state) {
            Ok(value) => seen_by(seat ^ state.to_act(), value),
            Err(features) => seen_by(seat, squash(weigh(&features, &self.weights))),
        }
    }
}

impl Tunable<Black> for Hand {
    const FEATURES: &'static [&'static str] =
        &["dominoes can help it", "colours nearly equal", "tiles that do not lose"];

    fn new(_game: &Black) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &Black, state: &State, features: &mut [f32]) -> bool {
        match Hand::sum_up(game, state) {
            Ok(_) => false,
            Err(all) => {
                features.copy_from_slice(&all);
                true
            }
        }
    }
}
