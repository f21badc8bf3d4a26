//! State, legal actions, apply, payoffs.

use raichi_core::game::{Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The Muscovites, who besiege the castle.
    Black,
    /// The Swedes and their king.
    White,
}

impl Side {
    #[inline]
    pub(super) const fn other(self) -> Side {
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Muscovites stand around the king.
    KingCaptured,
    /// The king stands on the edge.
    Escaped,
    /// The side to act cannot.
    Stuck,
    /// The position came for the third time.
    Repetition,
}

/// Where the pieces stand, whose turn it is, and what the repetition rule remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The Muscovites, and the Swedes with their king.
    pub(super) men: [Cells; 2],
    pub(super) king: Cell,
    pub(super) to_act: Side,
    pub(super) end: Option<End>,
    /// How often this position has occurred, this time included.
    occurrences: u8,
    /// The plies since the last capture, and the cells they left and entered.
    quiet: Vec<Action>,
    left: Cells,
    entered: Cells,
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
    /// A position that comes for the first time, nothing before it.
    pub(super) fn new(men: [Cells; 2], king: Cell, to_act: Side) -> State {
        State { men, king, to_act, end: None, occurrences: 1, quiet: Vec::new(), left: 0, entered: 0 }
    }

    #[inline]
    pub(super) fn of(&self, side: Side) -> Cells {
        self.men[side as usize]
    }

    #[inline]
    fn occupied(&self) -> Cells {
        self.men[0] | self.men[1]
    }

    #[inline]
    fn empty(&self) -> Cells {
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

    /// The men that the piece just moved to `to` captures, on the board after the move.
    fn captured(&self, side: Side, to: Cell) -> Cells {
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

    // Muscovites, or the castle, on all four sides of the king.
    fn king_is_surrounded(&self) -> bool {
        BESIDE[usize::from(self.king)] & !(self.men[0] | bit(CASTLE)) == 0
    }

    #[inline]
    fn remember(&mut self, ply: Action, captured: bool) {
        if captured {
            self.quiet.clear();
            (self.left, self.entered) = (0, 0);
            self.occurrences = 1;
            return;
        }
        // A position comes again only when both sides' last plies left cells entered before and entered cells left
        // before. That is seldom, and seen at once.
        let undone = |ply: Action| self.entered & bit(ply.from) != 0 && self.left & bit(ply.to) != 0;
        let suspect = undone(ply) && self.quiet.last().is_some_and(|&reply| undone(reply));
        self.quiet.push(ply);
        self.left |= bit(ply.from);
        self.entered |= bit(ply.to);
        self.occurrences = if suspect { self.count_occurrences() } else { 1 };
    }

    /// How often this position has occurred since the last capture; before that it cannot have.
    fn count_occurrences(&self) -> u8 {
        // What differs between now and then, while the plies are taken back two by two.
        let (mut movers, mut others, mut king) = (0, 0, self.king);
        let mut occurrences = 1;
        let mut plies = self.quiet.iter().rev();
        while let (Some(last), Some(before)) = (plies.next(), plies.next()) {
            movers ^= bit(last.from) | bit(last.to);
            others ^= bit(before.from) | bit(before.to);
            for ply in [last, before] {
                if king == ply.to {
                    king = ply.from;
                }
            }
            occurrences += u8::from(movers == 0 && others == 0 && king == self.king);
        }
        occurrences
    }
}

impl Tablut {
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
            End::Repetition => None,
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
        } else if state.occurrences >= 3 {
            Some(End::Repetition)
        } else {
            None
        }
    }
}

impl Game for Tablut {
    type State = State;
    type Action = Action;
    type Outcome = Never;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
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
        let king_moves = action.from == state.king;
        if king_moves {
            state.king = action.to;
        }
        // 2. Capture men.
        let captured = state.captured(side, action.to);
        state.men[side.other() as usize] ^= captured;
        // 3. Capture the king: a Muscovite steps beside him, or he steps out of the castle into the ring.
        let stepped_in = match side {
            Side::Black => BESIDE[usize::from(state.king)] & bit(action.to) != 0,
            Side::White => king_moves && action.from == CASTLE && BESIDE[usize::from(CASTLE)] & bit(action.to) != 0,
        };
        let king_captured = stepped_in && state.king_is_surrounded();
        // 4. Hand over, remember, and see whether it is over.
        state.to_act = side.other();
        state.remember(action, captured != 0);
        state.end = self.find_end(state, king_captured);
    }

    fn outcomes(&self, _state: &State, _outcomes: &mut Vec<(Never, u64)>) {}

    fn apply_outcome(&self, _state: &mut State, outcome: Never) {
        match outcome {}
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        self.winner(state).map_or(Payoffs::zero(2), |winner| Payoffs::win(self.seat(winner)))
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::KingCaptured) => "king-captured",
            Some(End::Escaped) => "escaped",
            Some(End::Stuck) => "stuck",
            Some(End::Repetition) | None => "repetition",
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

    /// The position and how often it has occurred; by which way it was reached is left out, so that a search may share
    /// what it found among ways.
    fn key(&self, state: &State) -> u64 {
        let halves = |cells: Cells| [cells as u64, (cells >> 64) as u64];
        let ([a, b], [c, d]) = (halves(state.men[0]), halves(state.men[1]));
        let rest = u64::from(state.king) | (state.to_act as u64) << 8 | u64::from(state.occurrences) << 16;
        // The high halves have 26 bits each.
        [a, c, b | d << 32, rest].into_iter().fold(0, |key, word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        let mut fresh = state.clone();
        (fresh.left, fresh.entered) =
            state.quiet.iter().fold((0, 0), |(left, entered), ply| (left | bit(ply.from), entered | bit(ply.to)));
        fresh.occurrences = fresh.count_occurrences();
        // Whether the king was captured depends on the ply as well; everything else is in the position.
        fresh.end = self.find_end(&fresh, state.end == Some(End::KingCaptured));
        fresh
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        State {
            men: state.men.map(|men| map_cells(symmetry, men)),
            king: map_cell(symmetry, state.king),
            quiet: state.quiet.iter().map(|&ply| self.map_action(symmetry, ply)).collect(),
            left: map_cells(symmetry, state.left),
            entered: map_cells(symmetry, state.entered),
            ..*state
        }
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        Action { from: map_cell(symmetry, action.from), to: map_cell(symmetry, action.to) }
    }
}

impl Information for Tablut {}
