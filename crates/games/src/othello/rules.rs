//! State, legal actions, apply, payoffs.

use std::cmp::Ordering;

use raichi_core::bits;
use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use raichi_machine::InstructionSet;
use serde::{Deserialize, Serialize};

use crate::square;

use super::board::{Cell, Cells, board, each, nth, stride};
use super::large::{enclosed, enclosing};
use super::lines::Turn;

/// The rules on a board of this size.
#[derive(Clone, Copy, Debug)]
pub struct Othello {
    pub(super) size: u8,
    pub(super) board: Cells,
    /// By which the lines of boards of one word are followed.
    instructions: InstructionSet,
}

/// What a seat does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Puts a disc on a cell, by its bit number.
    Place(Cell),
    /// Leaves the turn to the other seat, having no cell to place on.
    Pass,
}

/// The discs, and how things stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The discs of the seat to act.
    own: Cells,
    /// The discs of the other seat.
    foes: Cells,
    /// Kept along: where the seat to act may place.
    pub(super) placements: Cells,
    pub(super) to_act: u8,
    /// Kept along: whether neither seat may place.
    pub(super) over: bool,
}

impl State {
    /// The discs of each seat, as bits; see [`Othello::stride`].
    #[inline]
    pub fn discs(&self) -> [Cells; 2] {
        if self.to_act == 0 { [self.own, self.foes] } else { [self.foes, self.own] }
    }
}

impl State {
    /// The discs of the seat to act and of the other one.
    #[inline]
    pub fn own_and_foes(&self) -> [Cells; 2] {
        [self.own, self.foes]
    }

    /// Where the seat to act may place.
    #[inline]
    pub fn placements(&self) -> Cells {
        self.placements
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }
}

impl Othello {
    /// Cells along each side.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Bits a row: cell (column, row), both from 0 at the top left, is bit `row * stride + column`.
    #[inline]
    pub fn stride(&self) -> u8 {
        stride(self.size)
    }

    /// All cells.
    #[inline]
    pub fn board(&self) -> Cells {
        self.board
    }

    /// The game on a board of this size.
    ///
    /// # Panics
    /// When `size` is not 4, 6, 8 or 10.
    pub fn new(size: u8) -> Othello {
        assert!(matches!(size, 4 | 6 | 8 | 10), "the size is 4, 6, 8 or 10, not {size}");
        Othello { size, board: board(size), instructions: InstructionSet::newest() }
    }

    /// Where the other seat may place after `own` has placed on a cell, or has passed.
    #[inline]
    pub fn replies(&self, own: Cells, foes: Cells, cell: Option<Cell>) -> Cells {
        let mut state = State { own, foes, placements: 0, to_act: 0, over: false };
        self.turn(&mut state, cell);
        state.placements
    }

    /// The cell's bit number; column and row from 0 at the top left.
    pub(super) fn cell(&self, column: u8, row: u8) -> Cell {
        row * stride(self.size) + column
    }

    pub(super) fn column_and_row(&self, cell: Cell) -> (u8, u8) {
        (cell % stride(self.size), cell / stride(self.size))
    }

    /// Whose disc lies on a cell.
    pub(super) fn disc(&self, state: &State, cell: Cell) -> Option<Seat> {
        (0..2).find(|&seat| state.discs()[seat] >> cell & 1 == 1)
    }

    /// The position with these discs. Any discs make one: play goes on from it, if only by a pass, or it is over.
    pub(super) fn position(&self, discs: [Cells; 2], to_act: Seat) -> State {
        // As after a pass of the other one.
        let (own, foes) = (discs[1 - to_act], discs[to_act]);
        let mut state = State { own, foes, placements: 0, to_act: 1 - to_act as u8, over: false };
        self.turn(&mut state, None);
        state
    }

    /// The seat to act puts a disc on a cell or passes, and the other one acts then.
    #[inline]
    fn turn(&self, state: &mut State, cell: Option<Cell>) {
        if self.size > 8 {
            return self.turn_on_large_board(state, cell);
        }
        let (board, own, foes) = (self.board as u64, state.own as u64, state.foes as u64);
        let next = Turn { board, own, foes, cell: cell.map(u32::from) }.next(self.instructions);
        *state = State {
            own: next.own.into(),
            foes: next.foes.into(),
            placements: next.placements.into(),
            to_act: state.to_act ^ 1,
            over: next.is_over,
        };
    }

    fn turn_on_large_board(&self, state: &mut State, cell: Option<Cell>) {
        if let Some(cell) = cell {
            let enclosed = enclosed(cell, state.own, state.foes);
            state.own |= 1 << cell | enclosed;
            state.foes &= !enclosed;
        }
        (state.own, state.foes) = (state.foes, state.own);
        state.to_act ^= 1;
        let empty = self.board & !(state.own | state.foes);
        state.placements = enclosing(state.own, state.foes) & empty;
        state.over = state.placements == 0 && enclosing(state.foes, state.own) & empty == 0;
    }

    #[inline]
    fn n_placements(&self, state: &State) -> u32 {
        if self.size <= 8 { (state.placements as u64).count_ones() } else { state.placements.count_ones() }
    }

    fn map_cell(&self, symmetry: usize, cell: Cell) -> Cell {
        let (column, row) = square::image(symmetry, self.size, self.column_and_row(cell));
        self.cell(column, row)
    }

    fn map_cells(&self, symmetry: usize, cells: Cells) -> Cells {
        each(cells).fold(0, |image, cell| image | 1 << self.map_cell(symmetry, cell))
    }
}

impl Game for Othello {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS_AND_DRAWS
    }

    fn initial_state(&self) -> State {
        let (low, high) = (self.size / 2 - 1, self.size / 2);
        let two = |one: Cell, other: Cell| 1 << one | 1 << other;
        let black = two(self.cell(high, low), self.cell(low, high));
        let white = two(self.cell(low, low), self.cell(high, high));
        self.position([black, white], 0)
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.over { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    #[inline]
    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        if self.size <= 8 {
            actions.extend(bits::ones([state.placements as u64]).map(|cell| Action::Place(cell as Cell)));
        } else {
            actions.extend(each(state.placements).map(Action::Place));
        }
        if state.placements == 0 {
            actions.push(Action::Pass);
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        match action {
            Action::Place(cell) => self.turn(state, Some(cell)),
            Action::Pass => self.turn(state, None),
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let [black, white] = state.discs().map(Cells::count_ones);
        match black.cmp(&white) {
            Ordering::Greater if state.over => Payoffs::win(0),
            Ordering::Less if state.over => Payoffs::win(1),
            _ => Payoffs::zero(2),
        }
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "no-moves"
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        // A seat without a placement has the pass.
        self.n_placements(state).max(1) as usize
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        if state.placements == 0 {
            return Action::Pass;
        }
        let n = random::index(rng, self.n_placements(state) as usize);
        Action::Place(nth(state.placements, n as u32))
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: Action) -> bool {
        match action {
            Action::Place(cell) => state.placements >> cell & 1 == 1,
            Action::Pass => state.placements == 0,
        }
    }

    // The discs and who acts are the position.
    fn key(&self, state: &State) -> u64 {
        let words = [state.own as u64, state.foes as u64, (state.own >> 64) as u64, (state.foes >> 64) as u64];
        let n_words = if self.size <= 8 { 2 } else { 4 };
        words[..n_words].iter().fold(random::mix(state.to_act.into()), |key, &word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        self.position(state.discs(), state.to_act.into())
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        State {
            own: self.map_cells(symmetry, state.own),
            foes: self.map_cells(symmetry, state.foes),
            placements: self.map_cells(symmetry, state.placements),
            ..*state
        }
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        match action {
            Action::Place(cell) => Action::Place(self.map_cell(symmetry, cell)),
            Action::Pass => Action::Pass,
        }
    }
}

impl Information for Othello {}
