//! State, legal actions, apply, outcomes, payoffs.

use raichi_core::game::{Chance, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::square;

use super::board::{Board, Direction, PACKED_SIZE};
use super::packed::{self, Empty, Slides};

/// The rules on a board of any size from 2 to 8.
#[derive(Clone, Debug)]
pub struct TwentyFortyEight {
    pub(super) size: u8,
    slides: &'static Slides,
}

/// The tiles, and how things stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) board: Board,
    /// How many 4s chance has put; with the tiles it says the score.
    pub(super) fours: u32,
    /// How many tiles chance is still to put before the player acts.
    pub(super) to_come: u8,
    /// Kept along: the directions in which some tile moves or merges, a bit each; none while chance is to act.
    slidable: u8,
}

/// A new tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spawn {
    /// Row × size + column, from the top left.
    pub cell: u8,
    /// Whether it is a 4 and not a 2.
    pub four: bool,
}

/// Of ten new tiles so many are a 2; the others are a 4.
const TWOS_IN_TEN: u64 = 9;

// For every set of directions: the first, second … of them.
const NTH_DIRECTION: [[Direction; 4]; 16] = {
    let mut table = [[Direction::Left; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut direction, mut n) = (0, 0);
        while direction < 4 {
            if set >> direction & 1 == 1 {
                table[set][n] = Direction::ALL[direction];
                n += 1;
            }
            direction += 1;
        }
        set += 1;
    }
    table
};

const N_DIRECTIONS: [u8; 16] = {
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        table[set] = (set as u8).count_ones() as u8;
        set += 1;
    }
    table
};

impl TwentyFortyEight {
    /// These tiles, of which chance has put `fours` as 4s, while it is still to put `to_come`.
    pub(super) fn set_up(&self, board: Board, fours: u32, to_come: u8) -> State {
        let slidable = if to_come == 0 { self.slidable(&board) } else { 0 };
        State { board, fours, to_come, slidable }
    }

    /// The game on a board of this size.
    ///
    /// # Panics
    /// When `size` is not from 2 to 8.
    pub fn new(size: u8) -> TwentyFortyEight {
        assert!((2..=8).contains(&size), "the size is from 2 to 8, not {size}");
        TwentyFortyEight { size, slides: Slides::get() }
    }

    /// How many cells a side has.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The exponent of a cell's tile, 0 where it is empty; cells count row by row from the top left.
    #[inline]
    pub fn exponent(&self, state: &State, cell: u8) -> u8 {
        state.board.exponent(self.size, cell)
    }

    /// The four rows and the four columns of a 4×4 board, a nibble a cell; `None` for other sizes, and where a tile is above
    /// what a nibble holds.
    #[inline]
    pub fn packed_lines(&self, state: &State) -> Option<[u16; 8]> {
        let rows = self.one_word(&state.board)?;
        let columns = packed::transposed(rows);
        Some(std::array::from_fn(|i| (if i < 4 { rows >> (16 * i) } else { columns >> (16 * (i - 4)) }) as u16))
    }

    pub(super) fn n_cells(&self) -> u8 {
        self.size * self.size
    }

    // The board in one word, if it is packed and no tile is above what a nibble holds.
    #[inline]
    fn one_word(&self, board: &Board) -> Option<u64> {
        (self.size == PACKED_SIZE && board.0[1] == 0).then_some(board.0[0])
    }

    #[inline]
    fn slidable(&self, board: &Board) -> u8 {
        if let Some(board) = self.one_word(board) {
            return packed::slidable(board);
        }
        let bit = |direction| u8::from(board.can_slide(self.size, direction)) << direction as u8;
        Direction::ALL.into_iter().fold(0, |set, direction| set | bit(direction))
    }

    fn empty_cells(&self, board: &Board) -> impl Iterator<Item = u8> + Clone {
        let (size, board) = (self.size, *board);
        (0..self.n_cells()).filter(move |&cell| board.exponent(size, cell) == 0)
    }

    /// What the merges have brought. A tile 2^e is worth (e − 1) · 2^e, all that merging 2s into it brings; a 4 that
    /// chance has put brought nothing.
    pub fn score(&self, state: &State) -> u128 {
        self.worth(&state.board) - 4 * u128::from(state.fours)
    }

    /// What the tiles would have brought if chance had put no 4.
    pub(super) fn worth(&self, board: &Board) -> u128 {
        // Tiles that can be met in practice add up in a word; those of long play on large boards may not.
        let (mut sum, mut beyond) = (0, 0);
        for exponent in (0..self.n_cells()).map(|cell| board.exponent(self.size, cell)) {
            match WORTH.get(usize::from(exponent)) {
                Some(worth) => sum += worth,
                None => beyond += u128::from(exponent - 1) << exponent,
            }
        }
        u128::from(sum) + beyond
    }
}

/// What a tile has brought, by its exponent: 64 of them add up to less than a word holds.
static WORTH: [u64; 48] = {
    let mut worth = [0; 48];
    let mut exponent = 1;
    while exponent < worth.len() {
        worth[exponent] = (exponent as u64 - 1) << exponent;
        exponent += 1;
    }
    worth
};

impl State {
    /// How many 4s chance has put.
    #[inline]
    pub fn n_fours(&self) -> u32 {
        self.fours
    }

    /// How many tiles chance is still to put before the player acts.
    pub fn n_to_come(&self) -> u8 {
        self.to_come
    }

    /// Whether tiles of this direction's action move or merge.
    #[inline]
    pub(super) fn slides(&self, direction: Direction) -> bool {
        self.slidable >> direction as u8 & 1 == 1
    }
}

impl Game for TwentyFortyEight {
    type State = State;
    type Action = Direction;
    type Outcome = Spawn;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::PERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        Facts { n_seats: 1, chance: true, payoff_sum: None, payoff_range: None, ..Facts::TWO_SEATS }
    }

    fn initial_state(&self) -> State {
        State { board: Board::default(), fours: 0, to_come: 2, slidable: 0 }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.to_come {
            0 if state.slidable == 0 => Phase::Over,
            0 => Phase::seat(0),
            _ => Phase::Chance,
        }
    }

    #[inline]
    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Direction>) {
        let set = usize::from(state.slidable);
        actions.extend_from_slice(&NTH_DIRECTION[set][..N_DIRECTIONS[set].into()]);
    }

    #[inline]
    fn apply(&self, state: &mut State, _seat: Seat, action: Direction) {
        debug_assert!(state.slides(action), "no tile moves {action:?}");
        match self.one_word(&state.board).filter(|&board| packed::is_within_reach(board)) {
            Some(board) => state.board.0[0] = packed::slide(self.slides, board, action),
            None => state.board.slide(self.size, action),
        }
        state.to_come = 1;
        state.slidable = 0;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        Payoffs::new([self.score(state) as f64])
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "stuck"
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Direction>) -> usize {
        N_DIRECTIONS[usize::from(state.slidable)].into()
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Direction>,
        rng: &mut R,
    ) -> Direction {
        let set = usize::from(state.slidable);
        NTH_DIRECTION[set][random::index(rng, N_DIRECTIONS[set].into())]
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: Direction) -> bool {
        state.slides(action)
    }

    fn recomputed(&self, state: &State) -> State {
        self.set_up(state.board, state.fours, state.to_come)
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let mut board = Board::default();
        for cell in 0..self.n_cells() {
            board.set(self.size, self.map_cell(symmetry, cell), state.board.exponent(self.size, cell));
        }
        self.set_up(board, state.fours, state.to_come)
    }

    fn map_action(&self, symmetry: usize, action: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let mirrored = match action {
            Left | Right if symmetry & 1 != 0 => opposite(action),
            Up | Down if symmetry & 2 != 0 => opposite(action),
            _ => action,
        };
        match mirrored {
            _ if symmetry & 4 == 0 => mirrored,
            Left => Up,
            Up => Left,
            Right => Down,
            Down => Right,
        }
    }
}

impl Chance<TwentyFortyEight> for Spawn {
    fn list(game: &TwentyFortyEight, state: &State, outcomes: &mut Vec<(Spawn, u64)>) {
        for cell in game.empty_cells(&state.board) {
            outcomes.push((Spawn { cell, four: false }, TWOS_IN_TEN));
            outcomes.push((Spawn { cell, four: true }, 10 - TWOS_IN_TEN));
        }
    }

    #[inline]
    fn happen(self, game: &TwentyFortyEight, state: &mut State) {
        debug_assert!(state.board.exponent(game.size, self.cell) == 0, "there is a tile already");
        if game.size == PACKED_SIZE {
            state.board.0[0] |= (1 + u64::from(self.four)) << (4 * self.cell);
        } else {
            state.board.set(game.size, self.cell, 1 + u8::from(self.four));
        }
        state.fours += u32::from(self.four);
        state.to_come -= 1;
        if state.to_come == 0 {
            state.slidable = game.slidable(&state.board);
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(game: &TwentyFortyEight, state: &State, rng: &mut R) -> Spawn {
        // One draw of a cell and of one in ten.
        let draw = |n_empty: usize, rng: &mut R| {
            let drawn = random::index(rng, 10 * n_empty) as u64;
            (drawn / 10, drawn % 10 >= TWOS_IN_TEN)
        };
        if let Some(board) = game.one_word(&state.board) {
            let empty = Empty::of(board);
            let (nth, four) = draw(empty.count(), rng);
            return Spawn { cell: empty.nth(nth), four };
        }
        let mut empty = game.empty_cells(&state.board);
        let (nth, four) = draw(empty.clone().count(), rng);
        Spawn { cell: empty.nth(nth as usize).expect("the draw is below the count"), four }
    }

    fn map(self, game: &TwentyFortyEight, symmetry: usize) -> Spawn {
        Spawn { cell: game.map_cell(symmetry, self.cell), ..self }
    }
}

fn opposite(direction: Direction) -> Direction {
    Direction::ALL[direction as usize ^ 1]
}

impl TwentyFortyEight {
    fn map_cell(&self, symmetry: usize, cell: u8) -> u8 {
        let (column, row) = square::image(symmetry, self.size, (cell % self.size, cell / self.size));
        row * self.size + column
    }
}

impl Information for TwentyFortyEight {}
