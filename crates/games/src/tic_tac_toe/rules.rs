//! State, legal actions, apply, payoffs.

use raichi_core::bits;
use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::square;

/// The rules; there is nothing to set.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The marks of each seat as nine bits, cell `row * 3 + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) marks: [u32; 2],
    pub(super) to_act: u8,
    /// The seat that has a line.
    pub(super) winner: Option<u8>,
}

pub(super) const FULL: u32 = 0b111_111_111;

pub(super) const LINES: [u32; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

// Bit i: whether the nine marks i hold a line. 512 bits, worked out at compile time.
const HAS_LINE: [u64; 8] = {
    let mut table = [0u64; 8];
    let mut marks = 0;
    while marks < 512 {
        let mut line = 0;
        while line < 8 {
            if marks as u32 & LINES[line] == LINES[line] {
                table[marks / 64] |= 1 << (marks % 64);
            }
            line += 1;
        }
        marks += 1;
    }
    table
};

#[inline]
pub(super) fn has_line(marks: u32) -> bool {
    HAS_LINE[marks as usize / 64] >> (marks % 64) & 1 == 1
}

impl State {
    #[inline]
    fn empty(&self) -> u32 {
        FULL & !(self.marks[0] | self.marks[1])
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS_AND_DRAWS
    }

    fn initial_state(&self) -> State {
        State { marks: [0; 2], to_act: 0, winner: None }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.winner.is_some() || state.empty() == 0 { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(bits::ones([state.empty().into()]).map(|cell| cell as u8));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: u8) {
        debug_assert!(state.empty() >> action & 1 == 1, "the cell is taken");
        let marks = &mut state.marks[seat];
        *marks |= 1 << action;
        if has_line(*marks) {
            state.winner = Some(seat as u8);
        }
        state.to_act = 1 - seat as u8;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        state.winner.map_or(Payoffs::zero(2), |winner| Payoffs::win(winner.into()))
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.winner.is_some() { "line" } else { "full" }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>) -> usize {
        state.empty().count_ones() as usize
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>, rng: &mut R) -> u8 {
        random::set_bit(rng, state.empty().into()) as u8
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: u8) -> bool {
        action < 9 && state.empty() >> action & 1 == 1
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let map = |marks: u32| {
            (0..9).filter(|cell| marks >> cell & 1 == 1).fold(0, |image, cell| image | 1 << map_cell(symmetry, cell))
        };
        State { marks: state.marks.map(map), ..*state }
    }

    fn map_action(&self, symmetry: usize, action: u8) -> u8 {
        map_cell(symmetry, action)
    }
}

fn map_cell(symmetry: usize, cell: u8) -> u8 {
    let (column, row) = square::image(symmetry, 3, (cell % 3, cell / 3));
    row * 3 + column
}

impl Information for TicTacToe {}
