//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::{PathLimits, PathRules, Repetitions};
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::square;

use super::board::{
    BESIDE, BOARD, CASTLE, Cell, Cells, DIRECTIONS, DOWN, EDGE, LEFT, RIGHT, UP, between, bit, cell, each, map_cell,
    map_cells, nth, slid_from, slides, slides_within, step,
};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Tablut {
    /// The side of seat 0.
    pub(super) first: Side,
    /// The most steps the king goes at once; 8 is the whole board.
    pub(super) king_range: u8,
}

/// Whose men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    /// The Muscovites, who besiege the castle.
    Black,
    /// The Swedes and their king.
    White,
}

impl Side {
    /// The one that plays against this one.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

/// A piece slides from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Action {
    pub(super) from: Cell,
    pub(super) to: Cell,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// Muscovites stand around the king.
    KingCaptured,
    /// The king stands on the edge.
    Escaped,
    /// The side to act cannot.
    Stuck,
}

/// Where the pieces stand, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The Muscovites, and the Swedes with their king.
    pub(super) men: [Cells; 2],
    pub(super) king: Cell,
    pub(super) to_act: Side,
    pub(super) end: Option<End>,
    /// Kept along: the numbers of the pieces in [`NUMBERS`], by exclusive or.
    hash: u64,
}

/// A random number for each kind of piece on each cell: a Muscovite, a Swede or the king, and the king once more.
static NUMBERS: [[u64; 128]; 3] = {
    let mut numbers = [[0; 128]; 3];
    let mut i = 0;
    while i < 3 * 128 {
        numbers[i / 128][i % 128] = random::mix(i as u64);
        i += 1;
    }
    numbers
};
const KING: usize = 2;

#[inline]
fn number(kind: usize, at: Cell) -> u64 {
    NUMBERS[kind][usize::from(at) & 127]
}

pub(super) const START: [Cells; 2] = [
    four_ways(bit(cell(3, 0)) | bit(cell(4, 0)) | bit(cell(5, 0)) | bit(cell(4, 1))),
    four_ways(bit(cell(4, 2)) | bit(cell(4, 3))) | bit(CASTLE),
];

// A part of the set-up at the bottom, and the same at the three other sides.
const fn four_ways(part: Cells) -> Cells {
    let mut all = 0;
    let mut at = 0;
    while at < 90 {
        if part & bit(at) != 0 {
            let (column, row) = super::board::column_and_row(at);
            all |= bit(cell(column, row)) | bit(cell(row, column));
            all |= bit(cell(column, 8 - row)) | bit(cell(8 - row, column));
        }
        at += 1;
    }
    all
}

impl State {
    /// These pieces, the game not over.
    pub(super) fn new(men: [Cells; 2], king: Cell, to_act: Side) -> State {
        let of_men = (0..2).flat_map(|side| each(men[side]).map(move |at| number(side, at)));
        let hash = of_men.fold(number(KING, king), |hash, number| hash ^ number);
        State { men, king, to_act, end: None, hash }
    }

    /// The men of a side, the king among the Swedes.
    #[inline]
    pub fn of(&self, side: Side) -> Cells {
        self.men[side as usize]
    }

    #[inline]
    fn occupied(&self) -> Cells {
        self.men[0] | self.men[1]
    }

    /// The cells without a piece, the castle among them.
    #[inline]
    pub fn empty(&self) -> Cells {
        BOARD & !self.occupied()
    }

    // All pieces of the side to act but the king.
    #[inline]
    fn movers(&self) -> Cells {
        match self.to_act {
            Side::Black => self.men[0],
            Side::White => self.men[1] & !bit(self.king),
        }
    }

    /// Where the king stands.
    #[inline]
    pub fn king(&self) -> Cell {
        self.king
    }

    /// Whose turn it is.
    #[inline]
    pub fn to_act(&self) -> Side {
        self.to_act
    }

    /// The men that the piece just moved to `to` captures, on the board after the move.
    pub fn captured(&self, side: Side, to: Cell) -> Cells {
        let foes = self.of(side.other()) & !bit(self.king);
        if BESIDE[usize::from(to)] & foes == 0 {
            return 0;
        }
        let own = self.of(side);
        let mut captured = 0;
        for direction in DIRECTIONS {
            let man = step(bit(to), direction) & foes;
            let beyond = step(man, direction);
            if beyond & own != 0 || side == Side::Black && self.held_against_king(man, beyond) {
                captured |= man;
            }
        }
        captured
    }

    // The king on his castle, `man` beside him, and Muscovites on his three other sides.
    fn held_against_king(&self, man: Cells, beyond: Cells) -> bool {
        beyond == bit(CASTLE) && self.king == CASTLE && BESIDE[usize::from(CASTLE)] & !man & !self.men[0] == 0
    }

    /// Muscovites, or the castle, on all four sides of the king.
    pub fn king_is_surrounded(&self) -> bool {
        BESIDE[usize::from(self.king)] & !(self.men[0] | bit(CASTLE)) == 0
    }
}

impl Action {
    /// The cells moved from and to.
    #[inline]
    pub fn cells(self) -> (Cell, Cell) {
        (self.from, self.to)
    }
}

impl Tablut {
    /// The most steps the king goes at once.
    #[inline]
    pub fn king_range(&self) -> u8 {
        self.king_range
    }

    /// The men that an action of the side to act captures.
    pub fn captured_by(&self, state: &State, action: Action) -> Cells {
        let mut after = *state;
        after.men[state.to_act as usize] ^= bit(action.from) | bit(action.to);
        if action.from == state.king {
            after.king = action.to;
        }
        after.captured(state.to_act, action.to)
    }

    /// These pieces (the Muscovites, and the Swedes with their king), and whether the game is over with them. Whether the king
    /// was captured depends on the ply before; everything else is on the board.
    pub fn set_up(&self, men: [Cells; 2], king: Cell, to_act: Side, king_captured: bool) -> State {
        let state = State::new(men, king, to_act);
        State { end: self.find_end(&state, king_captured), ..state }
    }

    /// The side a seat plays.
    #[inline]
    pub fn side(&self, seat: Seat) -> Side {
        if seat == 0 { self.first } else { self.first.other() }
    }

    /// The seat that plays a side.
    #[inline]
    pub fn seat(&self, side: Side) -> Seat {
        usize::from(side != self.first)
    }

    /// Where the men to act slide to in each direction, never onto the castle.
    #[inline]
    fn slides_of_men(&self, state: &State) -> [(i8, Cells); 4] {
        let (movers, empty) = (state.movers(), state.empty());
        [RIGHT, LEFT, UP, DOWN].map(|direction| (direction, slides(movers, empty, direction) & !bit(CASTLE)))
    }

    /// Where the king goes to, if he is to act.
    #[inline]
    fn slides_of_king(&self, state: &State) -> Cells {
        let empty = state.empty();
        let slide = |direction| slides_within(state.king, empty, direction, self.king_range);
        match state.to_act {
            Side::Black => 0,
            Side::White => slide(RIGHT) | slide(LEFT) | slide(UP) | slide(DOWN),
        }
    }

    fn has_action(&self, state: &State) -> bool {
        let (movers, stops) = (state.movers(), state.empty() & !bit(CASTLE));
        // Only somebody hemmed in has to be asked in full: the king, or a man who must pass over the castle.
        DIRECTIONS.iter().any(|&direction| step(movers, direction) & stops != 0)
            || self.slides_of_king(state) != 0
            || self.slides_of_men(state).iter().any(|&(_, men)| men != 0)
    }

    /// How many of the four straight ways from the king to the edge are open to him.
    pub(super) fn open_ways(&self, state: &State) -> usize {
        let reached = |&direction: &i8| slides_within(state.king, state.empty(), direction, self.king_range);
        DIRECTIONS.iter().filter(|&direction| reached(direction) & EDGE != 0).count()
    }

    fn winner(&self, state: &State) -> Option<Side> {
        match state.end? {
            End::KingCaptured => Some(Side::Black),
            End::Escaped => Some(Side::White),
            End::Stuck => Some(state.to_act.other()),
        }
    }

    // The first that holds, in the order of the rules.
    fn find_end(&self, state: &State, king_captured: bool) -> Option<End> {
        if king_captured {
            Some(End::KingCaptured)
        } else if bit(state.king) & EDGE != 0 {
            Some(End::Escaped)
        } else if !self.has_action(state) {
            Some(End::Stuck)
        } else {
            None
        }
    }
}

impl Game for Tablut {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = Repetitions;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS_AND_DRAWS
    }

    fn initial_state(&self) -> State {
        State::new(START, CASTLE, self.first)
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(self.seat(state.to_act)) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        let occupied = state.occupied();
        for (direction, men) in self.slides_of_men(state) {
            actions.extend(each(men).map(|to| Action { from: slid_from(to, occupied, direction), to }));
        }
        actions.extend(each(self.slides_of_king(state)).map(|to| Action { from: state.king, to }));
    }

    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        // 1. Move.
        let side = state.to_act;
        state.men[side as usize] ^= bit(action.from) | bit(action.to);
        state.hash ^= number(side as usize, action.from) ^ number(side as usize, action.to);
        let king_moves = action.from == state.king;
        if king_moves {
            state.king = action.to;
            state.hash ^= number(KING, action.from) ^ number(KING, action.to);
        }
        // 2. Capture men.
        let foe = side.other() as usize;
        let captured = state.captured(side, action.to);
        if captured != 0 {
            state.men[foe] ^= captured;
            state.hash = each(captured).fold(state.hash, |hash, at| hash ^ number(foe, at));
        }
        // 3. Capture the king: a Muscovite steps beside him, or he steps out of the castle into the ring.
        let stepped_in = match side {
            Side::Black => BESIDE[usize::from(state.king)] & bit(action.to) != 0,
            Side::White => king_moves && action.from == CASTLE && BESIDE[usize::from(CASTLE)] & bit(action.to) != 0,
        };
        let king_captured = stepped_in && state.king_is_surrounded();
        // 4. Hand over, and see whether it is over.
        state.to_act = side.other();
        state.end = self.find_end(state, king_captured);
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        self.winner(state).map_or(Payoffs::zero(2), |winner| Payoffs::win(self.seat(winner)))
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::KingCaptured) => "king-captured",
            Some(End::Escaped) => "escaped",
            Some(End::Stuck) | None => "stuck",
        }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        let men: u32 = self.slides_of_men(state).iter().map(|(_, men)| men.count_ones()).sum();
        (men + self.slides_of_king(state).count_ones()) as usize
    }

    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        let (men, king) = (self.slides_of_men(state), self.slides_of_king(state));
        let counts = men.map(|(_, men)| men.count_ones());
        let n_actions = counts.iter().sum::<u32>() + king.count_ones();
        let mut n = random::index(rng, n_actions as usize) as u32;
        for ((direction, men), count) in men.into_iter().zip(counts) {
            if n < count {
                let to = nth(men, n);
                return Action { from: slid_from(to, state.occupied(), direction), to };
            }
            n -= count;
        }
        Action { from: state.king, to: nth(king, n) }
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: Action) -> bool {
        let Some((way, steps)) = between(action.from, action.to) else { return false };
        let is_king = action.from == state.king;
        state.of(state.to_act) & bit(action.from) != 0
            && (way | bit(action.to)) & state.occupied() == 0
            && (is_king || action.to != CASTLE)
            && (!is_king || steps <= self.king_range)
    }

    // What is not on the board is who acts, and whether the king was captured.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let rest = state.to_act as u64 | u64::from(state.end == Some(End::KingCaptured)) << 1;
        random::mix(state.hash ^ rest)
    }

    fn recomputed(&self, state: &State) -> State {
        self.set_up(state.men, state.king, state.to_act, state.end == Some(End::KingCaptured))
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let men = state.men.map(|men| map_cells(symmetry, men));
        State { end: state.end, ..State::new(men, map_cell(symmetry, state.king), state.to_act) }
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        Action { from: map_cell(symmetry, action.from), to: map_cell(symmetry, action.to) }
    }
}

impl PathRules for Tablut {
    #[inline]
    fn path_limits(&self) -> PathLimits {
        PathLimits::THIRD_OCCURRENCE
    }

    // Captures cannot be undone.
    #[inline]
    fn stage(&self, state: &State) -> u64 {
        state.occupied().count_ones().into()
    }
}

impl Information for Tablut {}
