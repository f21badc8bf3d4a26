//! Yavalath: who threatens four, and where each must not put a stone.
//!
//! What decides at once: a cell with which the seat to act has four; two such cells of the next one; one of them, if
//! blocking it makes three. What counts else: pairs that can become a threat of four without making three, and cells
//! that are closed to a seat because they make three. Two seats and three, all sizes; of three seats each has a share
//! that grows with its own pairs, and a seat that is out has none.
//! Quiet is a position in which nobody can make four; forcing are the plies that make four or block.
//! The playout policy wins, blocks, and makes no three if it can help it.
//! Weights: set by hand; a fit to games of self-play of two seats was worse, see docs/strength.md.
//! Sequences of threats are left to a search, and who wins to `solver.rs`.

mod lines;
mod openings;
mod policy;
mod proof;
mod solver;
#[cfg(test)]
mod tests;
mod three_seats;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::yavalath::{State, Yavalath};
use raichi_search::{Evaluator, PlayoutPolicy};
use raichi_solve::Solver;

pub use solver::prove_openings;

use crate::linear::{NEARLY_WON, Tunable, seen_by, squash, weigh};

use lines::{Board, Lines, Rows};
use policy::Careful;

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Yavalath) -> Option<Arc<dyn Evaluator<Yavalath>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The playout policy's line of the table.
pub(crate) fn playout_policy(game: &Yavalath) -> Option<Arc<dyn PlayoutPolicy<Yavalath>>> {
    Some(Arc::new(Careful::new(game)))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Yavalath) -> Option<Arc<dyn Solver<Yavalath>>> {
    solver::solver(game)
}

const N: usize = 4;

const WEIGHTS: [f32; N] = [0.05, 0.03, 0.2, 0.1];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
    board: Board,
}

/// What the evaluator finds where two seats play.
enum Summary {
    /// The next plies decide the game; the value for the seat to act.
    Decided(f32),
    /// As seat 0 sees it.
    Open([f32; N]),
}

fn n_cells(cells: &[u64; 3]) -> u32 {
    cells.iter().map(|word| word.count_ones()).sum()
}

fn contains(cells: &[u64; 3], cell: u8) -> bool {
    cells[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
}

impl Hand {
    fn rows(&self, game: &Yavalath, state: &State, seat: Seat) -> Rows {
        Rows::of(state.lines(seat), &self.board.free(game, state))
    }

    /// The cells where a seat makes four.
    fn fours(&self, game: &Yavalath, state: &State, seat: Seat) -> [u64; 3] {
        let rows = self.rows(game, state, seat);
        if rows.n_fours == 0 { [0; 3] } else { self.board.cells_of(&rows.fours) }
    }

    fn sum_up(&self, game: &Yavalath, state: &State) -> Summary {
        let seat = state.to_act();
        let free = self.board.free(game, state);
        let (own, foe) = (Rows::of(state.lines(seat), &free), Rows::of(state.lines(1 - seat), &free));
        if own.n_fours > 0 {
            return Summary::Decided(NEARLY_WON);
        }
        let mut blocks = 0.0;
        if foe.n_fours > 0 {
            let threats = self.board.cells_of(&foe.fours);
            let closed = self.board.cells_of(&own.threes);
            if n_cells(&threats) > 1 || (0..3).any(|word| threats[word] & closed[word] != 0) {
                return Summary::Decided(-NEARLY_WON);
            }
            blocks = 1.0;
        }
        let (first, second) = if seat == 0 { (&own, &foe) } else { (&foe, &own) };
        Summary::Open([
            first.n_pairs as f32 - second.n_pairs as f32,
            second.n_threes as f32 - first.n_threes as f32,
            seen_by(seat, -blocks),
            seen_by(seat, 1.0),
        ])
    }

    /// Of three seats: a share of 1 for each, the more the more it can threaten.
    fn shares(&self, game: &Yavalath, state: &State) -> [f32; 3] {
        let free = self.board.free(game, state);
        let to_act = state.to_act();
        let rows = [0, 1, 2].map(|seat| Rows::of(state.lines(seat), &free));
        let share = |seat: Seat| {
            if !state.still_in().contains(seat) {
                return 0.0;
            }
            let rows = &rows[seat];
            let sum = self.weights[0] * rows.n_pairs as f32 - self.weights[1] * rows.n_threes as f32;
            let turn = if seat == to_act { self.weights[3] } else { 0.0 };
            let wins = if rows.n_fours > 0 && seat == to_act { SHARE_OF_A_WIN } else { 0.0 };
            1.0 + 0.8 * squash(sum + turn) + wins
        };
        let shares = [share(0), share(1), share(2)];
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }
}

/// How much more than another's the share of a seat is that makes four now.
const SHARE_OF_A_WIN: f32 = 100.0;

impl Evaluator<Yavalath> for Hand {
    fn value(&self, game: &Yavalath, state: &State, seat: Seat) -> f32 {
        if game.n_seats() == 3 {
            return self.shares(game, state)[seat];
        }
        match self.sum_up(game, state) {
            Summary::Decided(value) => seen_by(seat ^ state.to_act(), value),
            Summary::Open(features) => seen_by(seat, squash(weigh(&features, &self.weights))),
        }
    }

    fn values(&self, game: &Yavalath, state: &State, values: &mut [f32]) {
        if game.n_seats() == 3 {
            values.copy_from_slice(&self.shares(game, state));
        } else {
            let value = self.value(game, state, 0);
            values.copy_from_slice(&[value, -value]);
        }
    }

    fn priors(&self, game: &Yavalath, state: &State, seat: Seat, actions: &[u8], log_odds: &mut [f32]) {
        let free = self.board.free(game, state);
        let own = Rows::of(state.lines(seat), &free);
        let (wins, spoils) = (self.board.cells_of(&own.fours), self.board.cells_of(&own.threes));
        let mut blocks = [0; 3];
        for other in (0..game.n_seats()).filter(|&other| other != seat && state.still_in().contains(other)) {
            let cells = self.fours(game, state, other);
            blocks = [0, 1, 2].map(|word| blocks[word] | cells[word]);
        }
        for (&action, odds) in actions.iter().zip(log_odds) {
            *odds = if action == game.swap_action() {
                SWAP
            } else if contains(&wins, action) {
                WIN
            } else if contains(&spoils, action) {
                THREE
            } else if contains(&blocks, action) {
                BLOCK
            } else {
                self.threat(state, seat, action, &free)
            };
        }
    }

    fn has_priors(&self) -> bool {
        true
    }

    fn is_quiet(&self, game: &Yavalath, state: &State) -> bool {
        let free = self.board.free(game, state);
        (0..game.n_seats()).all(|seat| Rows::of(state.lines(seat), &free).n_fours == 0)
    }

    fn is_forcing(&self, game: &Yavalath, state: &State, _seat: Seat, action: u8) -> bool {
        action != game.swap_action() && (0..game.n_seats()).any(|seat| contains(&self.fours(game, state, seat), action))
    }
}

// Log-odds of actions.
const WIN: f32 = 10.0;
const BLOCK: f32 = 6.0;
const THREE: f32 = -6.0;
const SWAP: f32 = 1.0;
const THREAT: f32 = 1.0;

impl Hand {
    // A stone that threatens four.
    fn threat(&self, state: &State, seat: Seat, cell: u8, free: &Lines) -> f32 {
        let (mut own, mut free) = (*state.lines(seat), *free);
        self.board.put(&mut own, &mut free, cell);
        let n = Rows::of(&own, &free).n_fours;
        THREAT * n.min(2) as f32
    }
}

impl Tunable<Yavalath> for Hand {
    const FEATURES: &'static [&'static str] = &["pairs", "closed cells", "must block", "to act"];

    fn new(game: &Yavalath) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS, board: Board::new(game) })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &Yavalath, state: &State, features: &mut [f32]) -> bool {
        match self.sum_up(game, state) {
            Summary::Decided(_) => false,
            Summary::Open(all) => {
                features.copy_from_slice(&all);
                true
            }
        }
    }
}
