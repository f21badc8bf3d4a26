//! The position as numbers: the board as it stands and who is to act; an action is its column.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names};
use raichi_core::seat::Seat;

use super::board::transposed;
use super::rules::{ConnectFour, State};

/// Eight bits as eight numbers.
const SPREAD: [[i32; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte][bit] = (byte >> bit & 1) as i32;
            bit += 1;
        }
        byte += 1;
    }
    spread
};

impl Encoding for ConnectFour {
    fn layout(&self) -> Layout {
        let board = Block::grid("board", self.height.into(), self.width.into(), &seat_names("empty", 2));
        Layout::new([board, Block::to_act(2)])
    }

    #[inline]
    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let to_act = Seat::from(state.to_act);
        let (all, of_actor) = (state.all.wide(), state.own.wide());
        let own = if seat == to_act { of_actor } else { all ^ of_actor };
        let (cells, rest) = observation.split_at_mut(width * height);
        if self.narrow {
            // A column is a byte; transposed, a row is one.
            let [own, all] = [own as u64, all as u64].map(|bits| transposed(bits).to_le_bytes());
            for (row, entries) in cells.chunks_exact_mut(width).enumerate() {
                let row = height - 1 - row;
                let (own, other) = (SPREAD[usize::from(own[row])], SPREAD[usize::from(own[row] ^ all[row])]);
                for (column, entry) in entries.iter_mut().enumerate().take(8) {
                    *entry = own[column] + 2 * other[column];
                }
            }
        } else {
            for (row, entries) in cells.chunks_exact_mut(width).enumerate() {
                for (column, entry) in entries.iter_mut().enumerate() {
                    let bit = self.bit(column as u8, (height - 1 - row) as u8);
                    let [own, all] = [own, all].map(|bits| (bits >> bit & 1) as i32);
                    *entry = 2 * all - own;
                }
            }
        }
        rest[0] = relative_seat(seat, to_act, 2);
    }

    fn n_actions(&self) -> u64 {
        self.width.into()
    }

    fn action_number(&self, action: u8) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u8> {
        (number < u64::from(self.width)).then_some(number as u8)
    }

    fn map_observation(&self, symmetry: usize, observation: &[i32], image: &mut [i32]) {
        image.copy_from_slice(observation);
        if symmetry == 1 {
            let (width, n_cells) = (usize::from(self.width), observation.len() - 1);
            image[..n_cells].chunks_exact_mut(width).for_each(<[i32]>::reverse);
        }
    }
}
