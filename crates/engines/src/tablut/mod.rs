//! Tablut: the king's ways to the edge, and the men around him.
//!
//! What counts: how many straight ways to the edge are open, which cells with such a way the king can reach, the men of
//! both sides and how far they stand from the castle, who stands beside the king. All parameters are known; with a short
//! `king-range` ways are counted as far as the king goes.
//! Quiet is a position in which no way to the edge is open and the king cannot be captured; forcing are the king's plies,
//! those beside him and those that close a way.
//! The playout policy escapes, catches, closes open ways, and prefers captures.
//! Weights: fitted to games of self-play; a second fit was worse, see docs/strength.md. What was tried and not taken: whether
//! the Muscovites have encircled the king, and how much ground they have left him.
//! Endings with few men are known exactly ([`endings`]).
//! Not here: captures of men as forcing plies.

pub mod endings;
mod policy;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use raichi_core::seat::Seat;
use raichi_games::tablut::board::{
    BESIDE, BOARD, CASTLE, Cells, DOWN, EDGE, LEFT, RIGHT, UP, bit, cell, slides, slides_within,
};
use raichi_games::tablut::{Action, Side, State, Tablut};
use raichi_search::{Evaluator, PlayoutPolicy};
use raichi_solve::Solver;

use crate::linear::{NEARLY_WON, Tunable, seen_by, squash, weigh};

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &Tablut) -> Option<Arc<dyn Evaluator<Tablut>>> {
    Some(Arc::new(Hand::new(game)?))
}

/// The playout policy's line of the table.
pub(crate) fn playout_policy(_game: &Tablut) -> Option<Arc<dyn PlayoutPolicy<Tablut>>> {
    Some(Arc::new(policy::Hunts))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &Tablut) -> Option<Arc<dyn Solver<Tablut>>> {
    Some(Arc::new(endings::Endings::new(game)))
}

const N: usize = 16;

/// The hand-made evaluator.
#[derive(Clone, Debug)]
pub struct Hand {
    weights: [f32; N],
}

/// Weighed as the Swedes see it.
const WEIGHTS: [f32; N] =
    [0.791, 0.015, 0.5, 3.0, -0.032, -0.045, 1.137, 0.037, -0.203, 0.317, -0.163, -0.552, -0.4, -0.002, 0.112, -0.109];

/// Cells by how far they are from the castle, the greater of rows and columns: 1 to 4.
const RINGS: [Cells; 5] = {
    let mut rings = [0; 5];
    let mut at = 0;
    while at < 81 {
        let (column, row) = (at % 9, at / 9);
        let (dx, dy) = ((column as i8 - 4).unsigned_abs(), (row as i8 - 4).unsigned_abs());
        rings[if dx > dy { dx } else { dy } as usize] |= bit(cell(column, row));
        at += 1;
    }
    rings
};

/// What stands around the king and where he can go.
struct Ways {
    /// Straight ways to the edge that are open.
    open: u32,
    /// The cells on them.
    on_open: Cells,
    /// The cells he reaches by one ply.
    reach: Cells,
    /// The cells from which some straight way to the edge is open.
    exits: Cells,
    /// Those from which two or more are.
    forks: Cells,
}

/// The cells with a straight way to the edge over `empty` cells, those from which a piece need go at most `range` steps.
fn ways_out(empty: Cells, direction: i8, range: u8) -> Cells {
    // The way out is looked at from its end.
    let rim = match direction {
        RIGHT => BOARD & !(BOARD >> 1),
        LEFT => BOARD & !(BOARD << 1),
        UP => BOARD & !(BOARD >> 10),
        _ => BOARD & !(BOARD << 10),
    };
    let ends = rim & empty;
    if range >= 8 {
        return ends | slides(ends, empty, -direction);
    }
    let mut cells = ends;
    for _ in 1..range {
        cells |= raichi_games::tablut::board::step(cells, -direction) & empty;
    }
    cells
}

impl Ways {
    /// The cells on the straight ways to the edge that are open.
    #[inline]
    fn open_to(game: &Tablut, state: &State) -> Cells {
        [RIGHT, LEFT, UP, DOWN].into_iter().fold(0, |open, direction| {
            let run = Ways::run(game, state, direction);
            if run & EDGE != 0 { open | run } else { open }
        })
    }

    // The cells that the king reaches in a direction.
    #[inline]
    fn run(game: &Tablut, state: &State, direction: i8) -> Cells {
        if game.king_range() >= 8 {
            slides(bit(state.king()), state.empty(), direction)
        } else {
            slides_within(state.king(), state.empty(), direction, game.king_range())
        }
    }

    #[inline]
    fn of(game: &Tablut, state: &State) -> Ways {
        let (empty, range) = (state.empty(), game.king_range());
        let mut ways = Ways { open: 0, on_open: 0, reach: 0, exits: 0, forks: 0 };
        for direction in [RIGHT, LEFT, UP, DOWN] {
            let run = Ways::run(game, state, direction);
            ways.reach |= run;
            if run & EDGE != 0 {
                ways.open += 1;
                ways.on_open |= run;
            }
            let out = ways_out(empty, direction, range);
            ways.forks |= ways.exits & out;
            ways.exits |= out;
        }
        ways
    }
}

/// Whether a Muscovite who moves now may capture the king: three of his sides are taken by them or the castle.
#[inline]
fn is_king_in_danger(state: &State) -> bool {
    let around = BESIDE[usize::from(state.king())];
    let held = (around & (state.of(Side::Black) | bit(CASTLE))).count_ones();
    held >= 3 && around & state.empty() & !bit(CASTLE) != 0
}

impl Hand {
    #[inline]
    fn sum_up(&self, game: &Tablut, state: &State) -> (bool, [f32; N]) {
        let ways = Ways::of(game, state);
        let black_acts = state.to_act() == Side::Black;
        let decided = !black_acts && ways.open > 0;
        let (black, white) = (state.of(Side::Black), state.of(Side::White));
        let swedes = white & !bit(state.king());
        let beside = BESIDE[usize::from(state.king())];
        let count = |cells: Cells| cells.count_ones() as f32;
        let flag = |is: bool| f32::from(u8::from(is));
        let held = (beside & (black | bit(CASTLE))).count_ones();
        let (exits, forks) = (ways.reach & ways.exits, ways.reach & ways.forks);
        let features = [
            1.0,
            flag(!black_acts),
            flag(ways.open == 1),
            flag(ways.open > 1),
            count(exits).min(6.0),
            flag(exits != 0),
            flag(forks != 0) * if black_acts { 0.3 } else { 1.0 },
            count(ways.reach),
            count(black) - 16.0,
            count(swedes) - 8.0,
            flag(held == 2),
            flag(held >= 3),
            flag(held >= 3 && black_acts),
            count(black & RINGS[4]),
            count(black & (RINGS[1] | RINGS[2])),
            count(swedes & RINGS[3]),
        ];
        (decided, features)
    }

    // As the Swedes see it.
    #[inline]
    fn value_of_swedes(&self, game: &Tablut, state: &State) -> f32 {
        let (decided, features) = self.sum_up(game, state);
        if decided { NEARLY_WON } else { squash(weigh(&features, &self.weights)) }
    }
}

impl Evaluator<Tablut> for Hand {
    #[inline]
    fn value(&self, game: &Tablut, state: &State, seat: Seat) -> f32 {
        let value = self.value_of_swedes(game, state);
        if game.side(seat) == Side::White { value } else { -value }
    }

    fn priors(&self, game: &Tablut, state: &State, _seat: Seat, actions: &[Action], log_odds: &mut [f32]) {
        let ways = Ways::of(game, state);
        let king = state.king();
        let beside = BESIDE[usize::from(king)];
        for (&action, odds) in actions.iter().zip(log_odds) {
            let (from, to) = action.cells();
            let mut sum = CAPTURE * game.captured_by(state, action).count_ones() as f32;
            match state.to_act() {
                Side::White if from == king => {
                    let at = bit(to);
                    sum += KING_MOVES;
                    sum += if at & EDGE != 0 { ESCAPE } else { 0.0 };
                    sum += if at & ways.forks != 0 {
                        FORK
                    } else if at & ways.exits != 0 {
                        EXIT
                    } else {
                        0.0
                    };
                }
                Side::White => {}
                Side::Black => {
                    sum += if bit(to) & ways.on_open != 0 { CLOSE } else { 0.0 };
                    sum += if bit(to) & beside != 0 { BESIDE_KING } else { 0.0 };
                    sum -= if bit(from) & beside != 0 { BESIDE_KING } else { 0.0 };
                    sum += if bit(to) & ways.reach & ways.exits != 0 { CLOSE_EXIT } else { 0.0 };
                }
            }
            *odds = sum;
        }
    }

    fn has_priors(&self) -> bool {
        true
    }

    fn is_quiet(&self, game: &Tablut, state: &State) -> bool {
        let open = || Ways::of(game, state).open > 0;
        match state.to_act() {
            Side::Black => !open() && !is_king_in_danger(state),
            Side::White => !open(),
        }
    }

    fn is_forcing(&self, game: &Tablut, state: &State, _seat: Seat, action: Action) -> bool {
        let (from, to) = action.cells();
        match state.to_act() {
            Side::White => from == state.king() && bit(to) & EDGE != 0,
            Side::Black => {
                let ways = Ways::of(game, state);
                bit(to) & BESIDE[usize::from(state.king())] != 0 || bit(to) & ways.on_open != 0
            }
        }
    }
}

// Log-odds of actions.
const ESCAPE: f32 = 8.0;
const FORK: f32 = 2.5;
const EXIT: f32 = 1.5;
const KING_MOVES: f32 = 0.5;
const CAPTURE: f32 = 1.5;
const CLOSE: f32 = 4.0;
const CLOSE_EXIT: f32 = 0.7;
const BESIDE_KING: f32 = 0.7;

impl Tunable<Tablut> for Hand {
    const FEATURES: &'static [&'static str] = &[
        "constant",
        "Swedes act",
        "one way open",
        "two ways open",
        "exits in reach",
        "some exit in reach",
        "a fork in reach",
        "cells in reach",
        "Muscovites",
        "Swedes",
        "two beside the king",
        "three beside the king",
        "three, and Muscovites act",
        "Muscovites at the edge",
        "Muscovites near the castle",
        "Swedes in the third ring",
    ];

    fn new(_game: &Tablut) -> Option<Hand> {
        Some(Hand { weights: WEIGHTS })
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn features(&self, game: &Tablut, state: &State, features: &mut [f32]) -> bool {
        let (decided, all) = self.sum_up(game, state);
        let sign = seen_by(game.seat(Side::White), 1.0);
        for (feature, value) in features.iter_mut().zip(all) {
            *feature = sign * value;
        }
        !decided
    }
}
