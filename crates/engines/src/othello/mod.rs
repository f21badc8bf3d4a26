//! Othello: mobility, discs that can be placed beside, corners and what leads to them.
//!
//! What counts: where the discs lie (ten kinds of cells by their distance from the corner), who has more placements, how many
//! empty cells lie beside the enemy's discs, discs that can never be turned along the edges, and cells beside a corner
//! only while that corner is empty. Each has two weights, for the beginning and the end of the game, and counts between
//! them by the number of discs. All sizes are known; a larger board uses the kinds of the 8×8 board.
//! Weights: set by hand; a fit to games of self-play was no better, see docs/strength.md.
//! It is the baseline for the one that was learned, [`patterns`].
//! Not here: parity of regions, an exact count at the end: [`exact`] finds that by search.

mod board;
mod effort;
pub mod exact;
pub mod patterns;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::othello::{Action, Othello, State};
use raichi_search::Evaluator;

use crate::linear::{NEARLY_WON, Tunable, seen_by, squash};

pub(crate) use exact::solver;

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Othello) -> Option<Arc<dyn Evaluator<Othello>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// Kinds of cells: by the distances from the nearest edges, the smaller one first.
const KINDS: [(u8, u8); 10] = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];
/// The cells beside a corner along the edge, and the one diagonally beside it, count only while the corner is empty.
const EDGE_BESIDE_CORNER: usize = 1;
const DIAGONAL_BESIDE_CORNER: usize = 4;

/// After the kinds of cells.
const MOBILITY: usize = 10;
const FRONTIER: usize = 11;
const STABLE: usize = 12;
const DISCS: usize = 13;
const TO_ACT: usize = 14;
const N: usize = 15;

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    /// For the beginning and for the end.
    weights: [f32; 2 * N],
    /// The cells of each kind.
    kinds: [u128; 10],
    /// For each corner: itself, and the cells beside it that count while it is empty.
    corners: [(u128, u128); 4],
    edges: u128,
    stride: u32,
    /// All columns but the left one, and all but the right one.
    not_left: u128,
    not_right: u128,
    n_cells: f32,
}

const WEIGHTS: [f32; 2 * N] = [
    0.8, -0.2, 0.1, 0.05, -0.5, -0.02, 0.0, 0.02, 0.0, 0.0, 0.08, 0.04, 0.1, -0.02, 0.0, //
    0.5, -0.1, 0.1, 0.05, -0.2, -0.02, 0.0, 0.02, 0.0, 0.0, 0.08, 0.02, 0.1, 0.05, 0.0,
];

/// A set of cells in as many bits as the board needs.
trait Bits:
    Copy
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::Not<Output = Self>
    + std::ops::Shl<u32, Output = Self>
    + std::ops::Shr<u32, Output = Self>
{
    fn of(cells: u128) -> Self;
    fn n(self) -> f32;
    /// How many more cells these are than `others`.
    fn n_more(self, others: Self) -> f32;
    fn is_none(self) -> bool;
}

macro_rules! bits {
    ($($word:ty)+) => {$(
        impl Bits for $word {
            #[inline]
            fn of(cells: u128) -> Self {
                cells as $word
            }
            #[inline]
            fn n(self) -> f32 {
                self.count_ones() as f32
            }
            #[inline]
            fn n_more(self, others: Self) -> f32 {
                (self.count_ones() as i32 - others.count_ones() as i32) as f32
            }
            #[inline]
            fn is_none(self) -> bool {
                self == 0
            }
        }
    )+};
}
bits!(u64 u128);

impl Hand {
    /// The features of the seat to act against the other one, and how much of the game is played, from 0 to 1.
    #[inline]
    fn sum_up<B: Bits>(&self, game: &Othello, state: &State) -> ([f32; N], f32) {
        let [own, foes] = state.own_and_foes();
        let mobility = B::of(state.placements()).n_more(B::of(game.replies(own, foes, None)));
        let (own, foes) = (B::of(own), B::of(foes));
        let mut features = [0.0; N];
        let taken = own | foes;
        // What lies beside a taken corner is no danger.
        let mut at_rest = B::of(0);
        for &(corner, beside) in &self.corners {
            if !(B::of(corner) & taken).is_none() {
                at_rest = at_rest | B::of(beside);
            }
        }
        for (kind, &cells) in self.kinds.iter().enumerate() {
            let cells = B::of(cells);
            let cells = match kind {
                EDGE_BESIDE_CORNER | DIAGONAL_BESIDE_CORNER => cells & !at_rest,
                _ => cells,
            };
            features[kind] = (own & cells).n_more(foes & cells);
        }
        let empty = B::of(game.board()) & !taken;
        let beside_empty = self.beside(empty);
        features[MOBILITY] = mobility;
        features[FRONTIER] = (foes & beside_empty).n_more(own & beside_empty);
        features[STABLE] = self.stable(own).n_more(self.stable(foes));
        features[DISCS] = own.n_more(foes);
        features[TO_ACT] = 1.0;
        (features, taken.n() / self.n_cells)
    }

    #[inline]
    fn beside<B: Bits>(&self, cells: B) -> B {
        let row = cells | (cells & B::of(self.not_right)) << 1 | (cells & B::of(self.not_left)) >> 1;
        row | row << self.stride | row >> self.stride
    }

    /// Discs along the edges in an unbroken row from a corner: nothing turns them any more.
    #[inline]
    fn stable<B: Bits>(&self, own: B) -> B {
        let mut stable = B::of(self.kinds[0]) & own;
        if stable.is_none() {
            return stable;
        }
        let own = own & B::of(self.edges);
        for _ in 1..self.stride {
            let row = (stable & B::of(self.not_right)) << 1 | (stable & B::of(self.not_left)) >> 1;
            stable = stable | own & (row | stable << self.stride | stable >> self.stride);
        }
        stable
    }

    #[inline]
    fn weigh(&self, features: &[f32; N], played: f32) -> f32 {
        let (mut early, mut late) = (0.0, 0.0);
        for i in 0..N {
            early += features[i] * self.weights[i];
            late += features[i] * self.weights[N + i];
        }
        early * (1.0 - played) + late * played
    }

    #[inline]
    fn value_to_act(&self, game: &Othello, state: &State) -> f32 {
        let (features, played) =
            if game.size() <= 8 { self.sum_up::<u64>(game, state) } else { self.sum_up::<u128>(game, state) };
        squash(self.weigh(&features, played))
    }

    fn kind_of(&self, cell: u8) -> usize {
        self.kinds.iter().position(|cells| cells >> cell & 1 == 1).expect("every cell is of some kind")
    }
}

impl Evaluator<Othello> for Hand {
    #[inline]
    fn value(&self, game: &Othello, state: &State, seat: Seat) -> f32 {
        seen_by(seat ^ state.to_act(), self.value_to_act(game, state)).clamp(-NEARLY_WON, NEARLY_WON)
    }

    fn priors(&self, game: &Othello, state: &State, _seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        let [own, foes] = state.own_and_foes();
        let taken = own | foes;
        for (&action, odds) in actions.iter().zip(log_odds) {
            *odds = match action {
                Action::Pass => 0.0,
                Action::Place(cell) => {
                    let kind = self.kind_of(cell);
                    let beside_empty_corner =
                        self.corners.iter().any(|&(corner, beside)| corner & taken == 0 && beside >> cell & 1 == 1);
                    let replies = game.replies(own, foes, Some(cell)).count_ones();
                    PRIORS[kind] * f32::from(u8::from(beside_empty_corner || !is_beside_corner(kind)))
                        - PRIOR_OF_REPLY * replies as f32
                }
            };
        }
    }

    fn has_priors(&self) -> bool {
        true
    }
}

fn is_beside_corner(kind: usize) -> bool {
    matches!(kind, EDGE_BESIDE_CORNER | DIAGONAL_BESIDE_CORNER)
}

// Log-odds of placing on each kind of cell, and of leaving the other seat a placement.
const PRIORS: [f32; 10] = [2.5, -0.7, 0.4, 0.2, -1.5, -0.2, 0.0, 0.1, 0.0, 0.0];
const PRIOR_OF_REPLY: f32 = 0.15;

impl Tunable<Othello> for Hand {
    const FEATURES: &'static [&'static str] = &[
        "corner, early",
        "edge by corner, early",
        "edge, third, early",
        "edge, fourth, early",
        "diagonal by corner, early",
        "second row, third, early",
        "second row, fourth, early",
        "third row, third, early",
        "third row, fourth, early",
        "middle, early",
        "mobility, early",
        "frontier, early",
        "stable, early",
        "discs, early",
        "to act, early",
        "corner, late",
        "edge by corner, late",
        "edge, third, late",
        "edge, fourth, late",
        "diagonal by corner, late",
        "second row, third, late",
        "second row, fourth, late",
        "third row, third, late",
        "third row, fourth, late",
        "middle, late",
        "mobility, late",
        "frontier, late",
        "stable, late",
        "discs, late",
        "to act, late",
    ];

    fn new(game: &Othello) -> Option<Hand> {
        let (size, stride) = (game.size(), game.stride());
        let cells = |of: &dyn Fn(u8, u8) -> bool| -> u128 {
            let all = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
            all.filter(|&(column, row)| of(column, row)).map(|(column, row)| 1 << (row * stride + column)).sum()
        };
        let from_edge = |at: u8| at.min(size - 1 - at);
        let kind = |column: u8, row: u8| {
            let (a, b) = (from_edge(column).min(3), from_edge(row).min(3));
            (a.min(b), a.max(b))
        };
        let corner = |right: bool, bottom: bool| {
            let (x, y) = (if right { size - 1 } else { 0 }, if bottom { size - 1 } else { 0 });
            let beside =
                cells(&|column, row| column.abs_diff(x) <= 1 && row.abs_diff(y) <= 1 && (column, row) != (x, y));
            (cells(&|column, row| (column, row) == (x, y)), beside)
        };
        Some(Hand {
            weights: WEIGHTS,
            kinds: KINDS.map(|wanted| cells(&|column, row| kind(column, row) == wanted)),
            corners: [corner(false, false), corner(true, false), corner(false, true), corner(true, true)],
            edges: cells(&|column, row| from_edge(column).min(from_edge(row)) == 0),
            stride: stride.into(),
            not_left: cells(&|column, _| column > 0),
            not_right: cells(&|column, _| column + 1 < size),
            n_cells: f32::from(size) * f32::from(size),
        })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &Othello, state: &State, features: &mut [f32]) -> bool {
        let (all, played) = self.sum_up::<u128>(game, state);
        for (i, feature) in features.iter_mut().enumerate() {
            let share = if i < N { 1.0 - played } else { played };
            *feature = seen_by(state.to_act(), all[i % N] * share);
        }
        true
    }
}
