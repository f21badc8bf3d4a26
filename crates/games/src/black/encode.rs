//! The position as numbers: the tiles as they lie, where the path goes on, and who is to act. An action is its cell, row by
//! row, three times, and its tile.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat};
use raichi_core::seat::Seat;

use super::rules::{Action, Black, State, Tile};

impl Encoding for Black {
    fn layout(&self) -> Layout {
        let (rows, columns) = (self.rows.into(), self.columns.into());
        // The sides in the order of their numbers.
        let tips = ["not here", "comes in from the left", "from the top", "from the right", "from the bottom"];
        Layout::new([
            Block::grid("tiles", rows, columns, &["empty", "/", "x", "\\"]),
            Block::grid("path goes on", rows, columns, &tips),
            Block::to_act(2),
        ])
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let n_cells = usize::from(self.rows) * usize::from(self.columns);
        let (tiles, rest) = observation.split_at_mut(n_cells);
        let (tip, rest) = rest.split_at_mut(n_cells);
        tip.fill(0);
        for (nth, cell) in self.cells().enumerate() {
            tiles[nth] = state.tile(cell).map_or(0, |tile| tile as i32);
            if cell == state.tip.cell && state.end.is_none() {
                tip[nth] = i32::from(state.tip.side) + 1;
            }
        }
        rest[0] = relative_seat(seat, state.to_act.into(), 2);
    }

    fn n_actions(&self) -> u64 {
        3 * u64::from(self.rows) * u64::from(self.columns)
    }

    fn action_number(&self, action: Action) -> u64 {
        let (row, column) = (u64::from(action.cell >> 4), u64::from(action.cell & 15));
        let nth_tile = match action.tile {
            Tile::Cross => 0,
            Tile::Slash => 1,
            Tile::Backslash => 2,
        };
        3 * (row * u64::from(self.columns) + column) + nth_tile
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let (nth, columns) = (number / 3, u64::from(self.columns));
        let (row, column) = (nth / columns, nth % columns);
        let cell = row << 4 | column;
        (number < self.n_actions()).then(|| Action { cell: cell as u8, tile: Tile::ALL[number as usize % 3] })
    }
}
