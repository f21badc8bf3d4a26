//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

/// The rules: the board.
#[derive(Clone, Copy, Debug)]
pub struct Black {
    pub(super) rows: u8,
    pub(super) columns: u8,
}

/// A cell: its row in the high four bits, its column in the low four, both from 0 at the top left.
pub(super) type Cell = u8;

/// A side of a cell. Opposite sides differ in the higher bit.
pub(super) type Side = u8;
pub(super) const LEFT: Side = 0;
pub(super) const TOP: Side = 1;
pub(super) const RIGHT: Side = 2;
pub(super) const BOTTOM: Side = 3;

/// How a tile pairs the sides of its cell: its number turns either side of a line into the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tile {
    /// Left with top, right with bottom.
    Slash = 1,
    /// Left with right, top with bottom.
    Cross = 2,
    /// Left with bottom, right with top.
    Backslash = 3,
}

impl Tile {
    /// All of them, the straight one first.
    pub const ALL: [Tile; 3] = [Tile::Cross, Tile::Slash, Tile::Backslash];

    /// The side by which a path that comes in by `side` leaves.
    #[inline]
    pub(super) fn turn(self, side: Side) -> Side {
        side ^ self as Side
    }

    /// The sides that each of its two lines joins.
    pub(super) fn lines(self) -> [[Side; 2]; 2] {
        match self {
            Tile::Slash => [[LEFT, TOP], [RIGHT, BOTTOM]],
            Tile::Cross => [[LEFT, RIGHT], [TOP, BOTTOM]],
            Tile::Backslash => [[LEFT, BOTTOM], [TOP, RIGHT]],
        }
    }
}

/// A tile is put where the path goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    pub(super) cell: Cell,
    pub(super) tile: Tile,
}

/// The cell a path has come into, and by which side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Tip {
    pub(super) cell: Cell,
    pub(super) side: Side,
}

/// Where the path begins: it comes into a1 from the left.
pub(super) const START: Tip = Tip { cell: 0, side: LEFT };

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// The lower right cell was marked.
    Corner,
    /// The path ran to the border.
    Border,
}

/// The tiles, and where the path they make has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The number of the tile on each cell, 0 where there is none.
    tiles: [u64; 8],
    /// Kept along: the seat that puts the next tile.
    pub(super) to_act: u8,
    /// Kept along: the next cell, or the last one of a finished game.
    pub(super) tip: Tip,
    /// Kept along.
    pub(super) end: Option<End>,
}

impl State {
    /// The cell into which the path points: its row in the high four bits, its column in the low four.
    #[inline]
    pub fn next_cell(&self) -> Cell {
        self.tip.cell
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }

    /// What a cell is marked with.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        match self.tiles[usize::from(cell / 32)] >> (cell % 32 * 2) & 3 {
            1 => Some(Tile::Slash),
            2 => Some(Tile::Cross),
            3 => Some(Tile::Backslash),
            _ => None,
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.tile(START.cell).is_none()
    }

    #[inline]
    pub(super) fn put(&mut self, cell: Cell, tile: Tile) {
        self.tiles[usize::from(cell / 32)] |= (tile as u64) << (cell % 32 * 2);
    }

    /// How many cells are marked.
    pub(super) fn n_tiles(&self) -> u32 {
        let lower_bits = 0x5555_5555_5555_5555;
        self.tiles.iter().map(|tiles| ((tiles | tiles >> 1) & lower_bits).count_ones()).sum()
    }
}

impl Black {
    /// Rows and columns.
    #[inline]
    pub fn sides(&self) -> (u8, u8) {
        (self.rows, self.columns)
    }

    /// The game on a board of this size.
    ///
    /// # Panics
    /// When a side is not from 2 to 16.
    pub fn new(rows: u8, columns: u8) -> Black {
        let fits = |n| (2..=16).contains(&n);
        assert!(fits(rows) && fits(columns), "sides are from 2 to 16, not {rows} and {columns}");
        Black { rows, columns }
    }

    /// The lower right cell.
    #[inline]
    pub(super) fn corner(&self) -> Cell {
        (self.rows - 1) << 4 | (self.columns - 1)
    }

    /// All cells, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| row << 4 | column))
    }

    /// The tiles that may be put now: first the cross, then any.
    #[inline]
    pub(super) fn tiles(&self, state: &State) -> &'static [Tile] {
        if state.is_empty() { &Tile::ALL[..1] } else { &Tile::ALL }
    }

    /// The cell beyond a side, unless that side is on the border.
    #[inline]
    pub(super) fn beyond(&self, cell: Cell, side: Side) -> Option<Cell> {
        let (row, column) = (cell >> 4, cell & 15);
        match side {
            LEFT => (column > 0).then(|| cell - 1),
            TOP => (row > 0).then(|| cell - 16),
            RIGHT => (column + 1 < self.columns).then(|| cell + 1),
            _ => (row + 1 < self.rows).then(|| cell + 16),
        }
    }

    /// Where the path goes on from a cell, unless that is empty, or the path ends there.
    #[inline]
    pub(super) fn onward(&self, state: &State, tip: Tip) -> Option<Tip> {
        let exit = state.tile(tip.cell)?.turn(tip.side);
        let next = if tip.cell == self.corner() { None } else { self.beyond(tip.cell, exit) };
        next.map(|cell| Tip { cell, side: exit ^ 2 })
    }

    /// The path from a1 to its tip, cell by cell; it passes some cells twice. It never runs in a circle: it comes in from
    /// the border, and every step can be traced back in one way only.
    pub(super) fn path_from_start(&self, state: &State) -> impl Iterator<Item = Tip> {
        std::iter::successors(Some(START), move |&tip| self.onward(state, tip))
    }

    #[inline]
    fn follow_path(&self, state: &mut State) {
        while let Some(next) = self.onward(state, state.tip) {
            state.tip = next;
        }
        let is_marked = state.tile(state.tip.cell).is_some();
        state.end = is_marked.then(|| if state.tip.cell == self.corner() { End::Corner } else { End::Border });
    }
}

impl Game for Black {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        State { tiles: [0; 8], to_act: 0, tip: START, end: None }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        actions.extend(self.tiles(state).iter().map(|&tile| Action { cell: state.tip.cell, tile }));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        state.put(action.cell, action.tile);
        state.to_act = 1 - seat as u8;
        self.follow_path(state);
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let to_act = Seat::from(state.to_act);
        match state.end {
            Some(End::Corner) => Payoffs::win(1 - to_act),
            Some(End::Border) => Payoffs::win(to_act),
            None => Payoffs::zero(2),
        }
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::Corner) => "corner",
            Some(End::Border) | None => "border",
        }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        self.tiles(state).len()
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        let tiles = self.tiles(state);
        Action { cell: state.tip.cell, tile: tiles[random::index(rng, tiles.len())] }
    }

    #[inline]
    fn is_legal(&self, state: &State, _seat: Seat, action: Action) -> bool {
        action.cell == state.tip.cell && self.tiles(state).contains(&action.tile)
    }

    // The tiles are the position.
    fn key(&self, state: &State) -> u64 {
        let n_words = usize::from(self.rows.div_ceil(2));
        state.tiles[..n_words].iter().fold(0, |key, &word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        let mut again = State { tiles: state.tiles, to_act: (state.n_tiles() % 2) as u8, tip: START, end: None };
        self.follow_path(&mut again);
        again
    }
}

impl Information for Black {}
