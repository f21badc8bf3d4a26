//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::board::{Bits, drop_stone, has_line};

/// Columns of the widest board.
pub(super) const MAX_WIDTH: usize = 12;

/// The rules on a board of any size that fits in 128 bits.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) narrow: bool,
    full: Bits,
}

/// The stones, and how things stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The stones of the seat to act.
    pub(super) own: Bits,
    /// The stones of both seats.
    pub(super) all: Bits,
    pub(super) to_act: u8,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum End {
    NotYet,
    /// The seat that is not to act has four in a row.
    Line,
    Full,
}

/// Bits a column on narrow boards.
const NARROW_STRIDE: u32 = 8;
/// The lowest bit of every column of a narrow board.
const NARROW_BOTTOM_ROW: u64 = 0x0101_0101_0101_0101;

impl State {
    /// The stones of the seat to act, as bits; see [`ConnectFour::stride`].
    #[inline]
    pub fn own(&self) -> u128 {
        self.own.wide()
    }

    /// The stones of both seats.
    #[inline]
    pub fn all(&self) -> u128 {
        self.all.wide()
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }
}

impl ConnectFour {
    /// Columns.
    #[inline]
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Whether the stones fit in the lower 64 bits, eight a column.
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// A board of this size; `None` where width × (height + 1) is beyond 128 bits or a side below four.
    pub fn new(width: u8, height: u8) -> Option<ConnectFour> {
        let fits = width >= 4 && height >= 4 && u32::from(width) * (u32::from(height) + 1) <= 128;
        let mut game = ConnectFour { width, height, narrow: width <= 8 && height <= 7, full: Bits::default() };
        fits.then(|| {
            let column = (1u128 << height) - 1;
            game.full = (0..width).fold(0, |full, i| full | column << game.bit(i, 0)).into();
            game
        })
    }

    /// Bits a column: the cell in a row, counted from the bottom, is bit `column * stride + row`, and at least one bit above
    /// each column is never set.
    #[inline]
    pub fn stride(&self) -> u32 {
        if self.narrow { NARROW_STRIDE } else { u32::from(self.height) + 1 }
    }

    // The bit of a cell; rows count from the bottom.
    #[inline]
    pub(super) fn bit(&self, column: u8, row: u8) -> u32 {
        u32::from(column) * self.stride() + u32::from(row)
    }

    #[inline]
    fn is_free(&self, state: &State, column: u8) -> bool {
        let top = self.bit(column, self.height - 1);
        if self.narrow { state.all.low >> top & 1 == 0 } else { state.all.wide() >> top & 1 == 0 }
    }

    /// Whose stone lies on a cell; rows count from the bottom.
    pub(super) fn stone(&self, state: &State, column: u8, row: u8) -> Option<Seat> {
        let bit = self.bit(column, row);
        let to_act = Seat::from(state.to_act);
        let seat = if state.own.wide() >> bit & 1 == 1 { to_act } else { 1 - to_act };
        (state.all.wide() >> bit & 1 == 1).then_some(seat)
    }

    /// The position with these stones of each seat; `None` where the seat to act has a line, which ended the game before.
    pub(super) fn set_up(&self, stones: [u128; 2], to_act: Seat) -> Option<State> {
        let line = |seat: Seat| {
            if self.narrow {
                has_line(stones[seat] as u64, NARROW_STRIDE)
            } else {
                has_line(stones[seat], self.stride())
            }
        };
        let all = Bits::from(stones[0] | stones[1]);
        let end = match (line(1 - to_act), all == self.full) {
            (true, _) => End::Line,
            (false, true) => End::Full,
            (false, false) => End::NotYet,
        };
        (!line(to_act)).then(|| State { own: stones[to_act].into(), all, to_act: to_act as u8, end })
    }

    /// The row, from the bottom, on which a stone put into this column comes to lie.
    pub(super) fn landing_row(&self, state: &State, column: u8) -> u8 {
        let stones = state.all.wide() & self.full.wide() & ((1u128 << self.height) - 1) << self.bit(column, 0);
        stones.count_ones() as u8
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS_AND_DRAWS
    }

    fn initial_state(&self) -> State {
        State { own: Bits::default(), all: Bits::default(), to_act: 0, end: End::NotYet }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end == End::NotYet { Phase::seat(state.to_act.into()) } else { Phase::Over }
    }

    #[inline]
    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u8>) {
        // Written to a place whether free or not, and counted if it is: a branch a column would often be mispredicted.
        let (mut free, mut n_free) = ([0; MAX_WIDTH], 0);
        for column in 0..self.width {
            free[n_free] = column;
            n_free += usize::from(self.is_free(state, column));
        }
        actions.extend_from_slice(&free[..n_free]);
    }

    // A search's way down is twice as long where this is a call.
    #[inline(always)]
    fn apply(&self, state: &mut State, _seat: Seat, action: u8) {
        debug_assert!(self.is_free(state, action), "the column is full");
        let bottom = self.bit(action, 0);
        let (line, full);
        if self.narrow {
            (state.own.low, state.all.low, line) =
                drop_stone(state.own.low, state.all.low, 1u64 << bottom, NARROW_STRIDE);
            full = state.all.low == self.full.low;
        } else {
            let (own, all);
            (own, all, line) = drop_stone(state.own.wide(), state.all.wide(), 1u128 << bottom, self.stride());
            (state.own, state.all) = (own.into(), all.into());
            full = state.all == self.full;
        }
        state.to_act ^= 1;
        // A line is looked at first: on the last free cell it still wins.
        if line {
            state.end = End::Line;
        } else if full {
            state.end = End::Full;
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        if state.end == End::Line { Payoffs::win(1 - Seat::from(state.to_act)) } else { Payoffs::zero(2) }
    }

    fn end_reason(&self, state: &State) -> &'static str {
        if state.end == End::Line { "line" } else { "full" }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>) -> usize {
        if self.narrow {
            let full_columns = state.all.low >> (self.height - 1) & NARROW_BOTTOM_ROW;
            // The product's top byte is the sum of the factor's bytes.
            usize::from(self.width) - (full_columns.wrapping_mul(NARROW_BOTTOM_ROW) >> 56) as usize
        } else {
            (0..self.width).filter(|&column| self.is_free(state, column)).count()
        }
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>, rng: &mut R) -> u8 {
        // Full columns are rare in random play; drawing again is faster than listing the others.
        loop {
            let column = random::index(rng, self.width.into()) as u8;
            if self.is_free(state, column) {
                return column;
            }
        }
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: u8) -> bool {
        action < self.width && self.is_free(state, action)
    }

    // Own plus all stones tells every position of a column from every other, and sums do not carry into the next.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let sum = state.own.wide() + state.all.wide();
        random::mix(sum as u64 ^ random::mix((sum >> 64) as u64 ^ random::mix(state.to_act.into())))
    }

    fn n_symmetries(&self) -> usize {
        2
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 {
            return *state;
        }
        let column_bits = (1u128 << self.height) - 1;
        let mirror = |bits: Bits| {
            (0..self.width).fold(0, |image, column| {
                let stones = bits.wide() >> self.bit(column, 0) & column_bits;
                image | stones << self.bit(self.width - 1 - column, 0)
            })
        };
        State { own: mirror(state.own).into(), all: mirror(state.all).into(), ..*state }
    }

    fn map_action(&self, symmetry: usize, action: u8) -> u8 {
        if symmetry == 0 { action } else { self.width - 1 - action }
    }
}

impl Information for ConnectFour {}
