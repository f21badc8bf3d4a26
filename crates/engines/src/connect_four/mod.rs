//! Connect Four: threats, and on which rows they lie.
//!
//! A *threat* of a seat is an empty cell with which it would have four in a row. When all other columns are full, the
//! seats fill the last one in turn, so that each row of it belongs to one seat: with columns of even height the odd rows,
//! counted from 1 at the bottom, are seat 0's (J. D. Allen, *A Note on the Computer Solution of Connect-Four*, 1989; V.
//! Allis, *A Knowledge-Based Approach of Connect-Four*, 1988). A threat on a row of one's own decides the end of a game;
//! one above a cell that the other threatens as well counts less, and two threats on top of each other win.
//! What counts besides: how many lines go through the cells that each has. All sizes of the board are known.
//! Quiet is a position in which nobody has a threat that can be filled now; forcing are the plies that fill one.
//! The playout policy wins, blocks, and gives no win away if it can help it.
//! Weights: set by hand; a fit to games of self-play was no better, see docs/strength.md.
//! Not here: Allis' rules, by which threats are combined.
//! [`exact`] finds the score of any position, without an evaluator.

pub mod exact;
mod policy;
#[cfg(test)]
mod tests;

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};
use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::connect_four::{ConnectFour, State};
use raichi_search::{Evaluator, PlayoutPolicy};

use crate::linear::{NEARLY_WON, Tunable, seen_by, squash, weigh};

pub(crate) use exact::solver;

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &ConnectFour) -> Option<Arc<dyn Evaluator<ConnectFour>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The playout policy's line of the table.
pub(crate) fn playout_policy(game: &ConnectFour) -> Option<Arc<dyn PlayoutPolicy<ConnectFour>>> {
    Some(Arc::new(policy::Careful(Hand::new(game)?)))
}

const N: usize = 10;

const WEIGHTS: [f32; N] = [0.5, 0.15, 0.4, 0.15, 1.0, 0.05, 0.03, 0.05, 0.0, 0.0];

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
    board: u128,
    bottom: u128,
    /// The first column.
    column: u128,
    /// The rows that are seat 0's.
    rows_of_first: u128,
    /// The cells by how many lines go through them, from the bits of that number.
    lines: [u128; 4],
}

/// A set of cells in as many bits as the board needs.
trait Cells:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    fn of(cells: u128) -> Self;
    fn n(self) -> f32;
    fn is_none(self) -> bool;
    fn wide(self) -> u128;
    /// The cells on which the next stone of each column falls.
    fn landing(self, bottom: Self, board: Self) -> Self;
}

macro_rules! cells {
    ($($word:ty)+) => {$(
        impl Cells for $word {
            #[inline]
            fn of(cells: u128) -> Self {
                cells as $word
            }
            #[inline]
            fn n(self) -> f32 {
                self.count_ones() as f32
            }
            #[inline]
            fn is_none(self) -> bool {
                self == 0
            }
            #[inline]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline]
            fn landing(self, bottom: Self, board: Self) -> Self {
                // The carry of the sum climbs to the lowest empty cell.
                self.wrapping_add(bottom) & board
            }
        }
    )+};
}
cells!(u64 u128);

/// The empty cells with which `own` would have four in a row.
#[inline]
fn threats<C: Cells>(own: C, empty: C, stride: u32) -> C {
    let mut found = own << 1 & own << 2 & own << 3;
    for step in [stride - 1, stride, stride + 1] {
        let (one_up, one_down) = (own << step, own >> step);
        let (pairs_up, pairs_down) = (one_up & own << (2 * step), one_down & own >> (2 * step));
        found = found | pairs_up & (own << (3 * step) | one_down) | pairs_down & (own >> (3 * step) | one_up);
    }
    found & empty
}

impl Hand {
    // A narrow board has a fixed stride, so that shifts are by constants.
    #[inline]
    fn summed_up(&self, game: &ConnectFour, state: &State) -> Summary {
        if game.is_narrow() { self.sum_up::<u64>(state, 8) } else { self.sum_up::<u128>(state, game.stride()) }
    }

    #[inline]
    fn sum_up<C: Cells>(&self, state: &State, stride: u32) -> Summary {
        let (own, all) = (C::of(state.own()), C::of(state.all()));
        let (board, bottom) = (C::of(self.board), C::of(self.bottom));
        let empty = board & !all;
        let foes = all & !own;
        let landing = all.landing(bottom, board);
        let (mine, theirs) = (threats(own, empty, stride), threats(foes, empty, stride));
        // 1. What the next plies decide.
        if !(mine & landing).is_none() {
            return Summary::Decided(NEARLY_WON);
        }
        let urgent = theirs & landing;
        if urgent.n() > 1.0 || !(urgent << 1 & theirs).is_none() {
            return Summary::Decided(-NEARLY_WON);
        }
        // 2. Threats by row, and what is left of them where the other seat's lie below.
        let (first, second) = if state.to_act() == 0 { (mine, theirs) } else { (theirs, mine) };
        let odd = C::of(self.rows_of_first);
        let under_second = second << 1;
        let under_first = first << 1;
        let (first, second) = (first & !(under_second & !odd), second & !(under_first & odd));
        let stacked = |threats: C| f32::from(u8::from(!(threats & threats << 1).is_none()));
        let (stones_of_first, stones_of_second) = if state.to_act() == 0 { (own, foes) } else { (foes, own) };
        let good = (first & odd).n();
        let features = [
            good,
            (first & !odd).n(),
            -(second & !odd).n(),
            -(second & odd).n(),
            stacked(first) - stacked(second),
            self.sum_of_lines(stones_of_first) - self.sum_of_lines(stones_of_second),
            f32::from(u8::from(!urgent.is_none())) * seen_by(state.to_act(), -1.0),
            seen_by(state.to_act(), 1.0),
            f32::from(u8::from(good > 0.0)),
            -f32::from(u8::from(!(second & !odd).is_none() && good == 0.0)),
        ];
        Summary::Open(features)
    }

    #[inline]
    fn sum_of_lines<C: Cells>(&self, stones: C) -> f32 {
        let [ones, twos, fours, eights] = self.lines.map(|cells| (stones & C::of(cells)).n());
        ones + 2.0 * twos + 4.0 * fours + 8.0 * eights
    }

    /// The cells where a stone of either seat makes four now.
    #[inline]
    fn urgent(&self, game: &ConnectFour, state: &State) -> u128 {
        let (landing, mine, theirs) = self.now_and_threats(game, state);
        (mine | theirs) & landing
    }

    /// The cells on which stones fall now, and the threats of the seat to act and of the other one.
    #[inline]
    fn now_and_threats(&self, game: &ConnectFour, state: &State) -> (u128, u128, u128) {
        if game.is_narrow() {
            self.now_and_threats_in::<u64>(state, 8)
        } else {
            self.now_and_threats_in::<u128>(state, game.stride())
        }
    }

    #[inline]
    fn now_and_threats_in<C: Cells>(&self, state: &State, stride: u32) -> (u128, u128, u128) {
        let (own, all) = (C::of(state.own()), C::of(state.all()));
        let (board, bottom) = (C::of(self.board), C::of(self.bottom));
        let empty = board & !all;
        let (mine, theirs) = (threats(own, empty, stride), threats(all & !own, empty, stride));
        (all.landing(bottom, board).wide(), mine.wide(), theirs.wide())
    }

    #[inline]
    fn find_priors<C: Cells>(&self, state: &State, stride: u32, actions: &[u8], log_odds: &mut [f32]) {
        let (own, all) = (C::of(state.own()), C::of(state.all()));
        let (board, bottom) = (C::of(self.board), C::of(self.bottom));
        let empty = board & !all;
        let landing = all.landing(bottom, board);
        let (mine, theirs) = (threats(own, empty, stride), threats(all & !own, empty, stride));
        for (&action, odds) in actions.iter().zip(log_odds) {
            let at = landing & (C::of(self.column) << (u32::from(action) * stride));
            let with_stone = threats(own | at, empty & !at, stride) & !mine;
            let mut sum = PRIOR_OF_LINE * self.sum_of_lines(at);
            sum += if (mine & at).is_none() { 0.0 } else { WIN };
            sum += if (theirs & at).is_none() { 0.0 } else { BLOCK };
            // The cell above is then the other seat's.
            sum -= if (theirs & at << 1).is_none() { 0.0 } else { GIVES_WIN };
            sum -= if (mine & at << 1).is_none() { 0.0 } else { SPENDS_THREAT };
            sum += NEW_THREAT * with_stone.n();
            *odds = sum;
        }
    }

    fn column(game: &ConnectFour, column: u8) -> u128 {
        ((1 << game.height()) - 1) << (u32::from(column) * game.stride())
    }
}

/// What the evaluator finds.
enum Summary {
    /// The next plies decide the game; the value for the seat to act.
    Decided(f32),
    /// As seat 0 sees it.
    Open([f32; N]),
}

impl Evaluator<ConnectFour> for Hand {
    #[inline]
    fn value(&self, game: &ConnectFour, state: &State, seat: Seat) -> f32 {
        match self.summed_up(game, state) {
            Summary::Decided(value) => seen_by(seat ^ state.to_act(), value),
            Summary::Open(features) => seen_by(seat, squash(weigh(&features, &self.weights))),
        }
    }

    fn priors(&self, game: &ConnectFour, state: &State, _seat: Seat, actions: &[u8], log_odds: &mut [f32]) {
        if game.is_narrow() {
            self.find_priors::<u64>(state, 8, actions, log_odds);
        } else {
            self.find_priors::<u128>(state, game.stride(), actions, log_odds);
        }
    }

    fn has_priors(&self) -> bool {
        true
    }

    fn is_quiet(&self, game: &ConnectFour, state: &State) -> bool {
        self.urgent(game, state) == 0
    }

    fn is_forcing(&self, game: &ConnectFour, state: &State, _seat: Seat, action: u8) -> bool {
        self.urgent(game, state) & Hand::column(game, action) != 0
    }
}

// Log-odds of actions.
const WIN: f32 = 10.0;
const BLOCK: f32 = 6.0;
const GIVES_WIN: f32 = 6.0;
const SPENDS_THREAT: f32 = 1.0;
const NEW_THREAT: f32 = 0.7;
const PRIOR_OF_LINE: f32 = 0.1;

impl Tunable<ConnectFour> for Hand {
    const FEATURES: &'static [&'static str] = &[
        "seat 0's threats on its rows",
        "seat 0's on the others",
        "seat 1's threats on its rows",
        "seat 1's on the others",
        "two on top of each other",
        "lines through the cells",
        "must block",
        "to act",
        "seat 0 has one on its rows",
        "only seat 1 has one",
    ];

    fn new(game: &ConnectFour) -> Option<Hand> {
        let (width, height, stride) = (game.width(), game.height(), game.stride());
        let cells = |of: &dyn Fn(u8, u8) -> bool| -> u128 {
            let all = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
            let bit = |(column, row): (u8, u8)| 1 << (u32::from(column) * stride + u32::from(row));
            all.filter(|&(column, row)| of(column, row)).map(bit).sum()
        };
        // The cells of all other columns are filled in turn before the last one.
        let others_are_even = ((width - 1) * height).is_multiple_of(2);
        let n_lines = |column: u8, row: u8| {
            let windows = |before: u8, after: u8| (before.min(3) + after.min(3)).saturating_sub(2);
            let (left, right, down, up) = (column, width - 1 - column, row, height - 1 - row);
            windows(left, right)
                + windows(down, up)
                + windows(left.min(down), right.min(up))
                + windows(left.min(up), right.min(down))
        };
        Some(Hand {
            weights: WEIGHTS,
            board: cells(&|_, _| true),
            bottom: cells(&|_, row| row == 0),
            column: cells(&|column, _| column == 0),
            rows_of_first: cells(&|_, row| row.is_multiple_of(2) == others_are_even),
            lines: [0, 1, 2, 3].map(|bit| cells(&|column, row| n_lines(column, row) >> bit & 1 == 1)),
        })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &ConnectFour, state: &State, features: &mut [f32]) -> bool {
        match self.summed_up(game, state) {
            Summary::Decided(_) => false,
            Summary::Open(all) => {
                features.copy_from_slice(&all);
                true
            }
        }
    }
}
