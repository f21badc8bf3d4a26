//! The position as numbers: five boards, one for the top pieces, one for those below them and so on, each from row 8 down;
//! then the reserves, the exchanges left, and who is to act.
//!
//! Action numbers: first the moves that a pile of five has, cell by cell as `rules::nth_move` numbers them; then a cell to
//! put a reserve on; then, with `rule=exchange`, 52 times the own cell plus the enemy's. Cells count from a1, off-board
//! ones left out.

use raichi_core::bits;
use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::board::{BOARD, Cell, DIRECTIONS, N_MOVES, REACH, SIZE, bit, cell, distance, step};
use super::notation::MOST_PIECES;
use super::pile::TALLEST;
use super::rules::{Action, Focus, Rule, State, nth_move};
use crate::square;

const N_GRID: usize = SIZE as usize * SIZE as usize;
const N_CELLS: u64 = BOARD.count_ones() as u64;
const NO_CELL: i32 = 3;
const LEVELS: [&str; TALLEST as usize] = ["top piece", "second piece", "third piece", "fourth piece", "fifth piece"];

/// The number of each cell's first move; last the number of all moves.
const FIRST_MOVE: [u64; N_GRID + 1] = {
    let mut first = [0; N_GRID + 1];
    let mut at = 0;
    while at < N_GRID {
        let on_board = BOARD >> at & 1 == 1;
        first[at + 1] = first[at] + if on_board { N_MOVES[at][TALLEST as usize] as u64 } else { 0 };
        at += 1;
    }
    first
};
const N_ALL_MOVES: u64 = FIRST_MOVE[N_GRID];

impl Encoding for Focus {
    fn layout(&self) -> Layout {
        let size = usize::from(SIZE);
        let boards = LEVELS.map(|name| Block::grid(name, size, size, &["none", "own", "enemy", "no cell"]));
        let rest = [
            Block::amounts("own reserve", 1, MOST_PIECES.into(), "pieces"),
            Block::amounts("enemy reserve", 1, MOST_PIECES.into(), "pieces"),
            Block::amounts("exchanges left", 1, 2, "exchanges"),
            Block::to_act(2),
        ];
        Layout::new(boards.into_iter().chain(rest))
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (boards, rest) = observation.split_at_mut(LEVELS.len() * N_GRID);
        for i in 0..N_GRID {
            let at = cell((i % usize::from(SIZE)) as u8, SIZE - 1 - (i / usize::from(SIZE)) as u8);
            let nothing = if BOARD & bit(at) == 0 { NO_CELL } else { 0 };
            let mut pieces = state.pile(at).pieces();
            for level in boards.chunks_exact_mut(N_GRID) {
                level[i] = pieces.next().map_or(nothing, |owner| relative_seat(seat, owner, 2));
            }
        }
        rest[0] = state.reserves[seat].into();
        rest[1] = state.reserves[1 - seat].into();
        rest[2] = state.exchanges_left.into();
        rest[3] = relative_seat(seat, state.to_act.into(), 2);
    }

    fn n_actions(&self) -> u64 {
        N_ALL_MOVES + N_CELLS + if self.rule == Rule::Exchange { N_CELLS * N_CELLS } else { 0 }
    }

    // Cells that no pile can reach from each other are no action; their number is beyond all of them.
    fn action_number(&self, action: Action) -> u64 {
        match action {
            Action::Move { from, to } => {
                nth_of_moves(from, to).map_or(self.n_actions(), |nth| FIRST_MOVE[usize::from(from)] + nth)
            }
            Action::Reserve { to } => N_ALL_MOVES + index(to),
            Action::Exchange { own, foe } => N_ALL_MOVES + N_CELLS + index(own) * N_CELLS + index(foe),
        }
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        if number >= self.n_actions() {
            return None;
        }
        if number < N_ALL_MOVES {
            let from = FIRST_MOVE.partition_point(|&first| first <= number) - 1;
            return Some(nth_move(from as Cell, TALLEST, (number - FIRST_MOVE[from]) as u8));
        }
        let number = number - N_ALL_MOVES;
        if number < N_CELLS {
            return Some(Action::Reserve { to: nth_cell(number) });
        }
        let number = number - N_CELLS;
        Some(Action::Exchange { own: nth_cell(number / N_CELLS), foe: nth_cell(number % N_CELLS) })
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        let n_entries = LEVELS.len() * N_GRID;
        let images = image[..n_entries].chunks_exact_mut(N_GRID);
        for (board, image) in observation[..n_entries].chunks_exact(N_GRID).zip(images) {
            square::map_grid_from_bottom(symmetry, SIZE, board, image);
        }
    }
}

/// The place of a move among those that a pile of five has on its cell.
fn nth_of_moves(from: Cell, to: Cell) -> Option<u64> {
    let n = distance(from, to).filter(|&n| n <= TALLEST)?;
    let direction = (0..DIRECTIONS.len()).find(|&direction| step(from, direction, n) == to)?;
    let before: u8 = REACH[usize::from(from)][..direction].iter().map(|&reach| reach.min(TALLEST)).sum();
    Some(u64::from(before + n - 1))
}

/// The place of a cell among those of the board.
fn index(at: Cell) -> u64 {
    (BOARD & (bit(at) - 1)).count_ones().into()
}

fn nth_cell(nth: u64) -> Cell {
    bits::nth_one(BOARD, nth as u32) as Cell
}
