//! The position as numbers: the points as they lie, and who is to act.
//!
//! Action numbers: 0 to 10 put Black's man on a point; then two for each line, there and back.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::board::{LINES, N_POINTS, Point, Points, bit};
use super::rules::{Action, FrenchMilitary, Side, State};

const N_ROWS: usize = 3;
const N_COLUMNS: usize = 5;
const N_CELLS: usize = N_ROWS * N_COLUMNS;
const NO_CELL: i32 = 3;

/// The points row by row from the top; A and B have nothing above and below them.
const GRID: [Option<Point>; N_CELLS] = [
    None,
    Some(1),
    Some(4),
    Some(7),
    None, //
    Some(0),
    Some(2),
    Some(5),
    Some(8),
    Some(10), //
    None,
    Some(3),
    Some(6),
    Some(9),
    None,
];

impl Encoding for FrenchMilitary {
    fn layout(&self) -> Layout {
        let men = ["empty", "own man", "enemy man", "no cell"];
        Layout::new([Block::grid("board", N_ROWS, N_COLUMNS, &men), Block::to_act(2)])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (own, enemy) = match self.side(seat) {
            Side::White => (state.white, state.black),
            Side::Black => (state.black, state.white),
        };
        let is_on = |men: Points, point: Point| i32::from(men & bit(point) != 0);
        for (entry, point) in observation.iter_mut().zip(GRID) {
            *entry = point.map_or(NO_CELL, |point| is_on(own, point) + 2 * is_on(enemy, point));
        }
        observation[N_CELLS] = relative_seat(seat, self.seat(state.to_act), 2);
    }

    fn n_actions(&self) -> u64 {
        (N_POINTS + 2 * LINES.len()) as u64
    }

    // A pair of points without a line is no action; its number is beyond all of them.
    fn action_number(&self, action: Action) -> u64 {
        let number = match action {
            Action::Place(point) => point.into(),
            Action::Move { from, to } => {
                let there = LINES.iter().position(|&line| line == (from, to)).map(|line| 2 * line);
                let back = || LINES.iter().position(|&line| line == (to, from)).map(|line| 2 * line + 1);
                N_POINTS + there.or_else(back).unwrap_or(2 * LINES.len())
            }
        };
        number as u64
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let number = usize::try_from(number).ok()?;
        if number < N_POINTS {
            return Some(Action::Place(number as Point));
        }
        let way = number - N_POINTS;
        let &(one, other) = LINES.get(way / 2)?;
        let (from, to) = if way.is_multiple_of(2) { (one, other) } else { (other, one) };
        Some(Action::Move { from, to })
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        if symmetry == 1 {
            image[..N_COLUMNS].copy_from_slice(&observation[2 * N_COLUMNS..N_CELLS]);
            image[2 * N_COLUMNS..N_CELLS].copy_from_slice(&observation[..N_COLUMNS]);
        }
    }
}
