//! The position as numbers: the board from the top, who is to act, and whether the king was captured.
//!
//! Action numbers: 16 for each cell moved from, in the order of the grid: first the other cells of its row from the left,
//! then those of its column from the top.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::board::{Cell, SIZE, bit, cell, column_and_row};
use super::rules::{Action, End, Side, State, Tablut};
use crate::square;

const N_CELLS: usize = SIZE as usize * SIZE as usize;
/// Other cells in a row, and in a column.
const OTHERS: u8 = SIZE - 1;
const PER_CELL: u64 = 2 * OTHERS as u64;

impl Encoding for Tablut {
    fn layout(&self) -> Layout {
        let pieces = ["empty", "own man", "enemy man", "own king", "enemy king"];
        Layout::new([
            Block::grid("board", SIZE.into(), SIZE.into(), &pieces),
            Block::to_act(2),
            Block::named("king", 1, &["free", "captured"]),
        ])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let side = self.side(seat);
        let (own, enemy) = (state.of(side), state.of(side.other()));
        for (i, entry) in observation[..N_CELLS].iter_mut().enumerate() {
            let at = bit(cell_of(i));
            *entry = i32::from(own & at != 0) + 2 * i32::from(enemy & at != 0);
        }
        observation[grid_index(state.king)] = if side == Side::White { 3 } else { 4 };
        observation[N_CELLS] = relative_seat(seat, self.seat(state.to_act), 2);
        observation[N_CELLS + 1] = (state.end == Some(End::KingCaptured)).into();
    }

    fn n_actions(&self) -> u64 {
        N_CELLS as u64 * PER_CELL
    }

    fn action_number(&self, action: Action) -> u64 {
        let ((from_column, from_row), (to_column, to_row)) = (from_top(action.from), from_top(action.to));
        let place = if from_row == to_row {
            to_column - u8::from(to_column > from_column)
        } else {
            OTHERS + to_row - u8::from(to_row > from_row)
        };
        grid_index(action.from) as u64 * PER_CELL + u64::from(place)
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let (from, place) = ((number / PER_CELL) as usize, (number % PER_CELL) as u8);
        if number >= self.n_actions() {
            return None;
        }
        let from = cell_of(from);
        let (column, row) = from_top(from);
        let other = |place: u8, own: u8| place + u8::from(place >= own);
        let (to_column, to_row) =
            if place < OTHERS { (other(place, column), row) } else { (column, other(place - OTHERS, row)) };
        Some(Action { from, to: cell(to_column, SIZE - 1 - to_row) })
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        square::map_grid_from_bottom(symmetry, SIZE, &observation[..N_CELLS], &mut image[..N_CELLS]);
    }
}

// Column and row, the row counted from the top.
fn from_top(at: Cell) -> (u8, u8) {
    let (column, row) = column_and_row(at);
    (column, SIZE - 1 - row)
}

#[inline]
fn grid_index(at: Cell) -> usize {
    let (column, row) = from_top(at);
    usize::from(row) * usize::from(SIZE) + usize::from(column)
}

// The cell at a place of the grid.
#[inline]
fn cell_of(grid_index: usize) -> Cell {
    let (row, column) = (grid_index / usize::from(SIZE), grid_index % usize::from(SIZE));
    cell(column as u8, SIZE - 1 - row as u8)
}
