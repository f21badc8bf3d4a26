//! Text in and out: the cell and its tile, `b1/`, with `a1` at the top left; positions row by row.

use std::collections::HashSet;

use raichi_core::game::Game;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{Action, Black, Cell, START, State, Tile};

impl Notation for Black {
    const ID: &'static str = "black";
    const NAME: &'static str = "Black";
    const BLURB: &'static str = "Two players draw one winding path, and the player who runs it off the board has lost.";
    const ALIASES: &'static [&'static str] = &["Black Path Game", "path game", "Truchet tiles"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["corner", "border"];

    fn params() -> Vec<ParamSpec> {
        let side = |name, help| ParamSpec { name, kind: ParamKind::int(2, 16), default: Some("8"), help };
        vec![side("rows", "Cells from top to bottom."), side("columns", "Cells from left to right.")]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Black::new(params.int("rows") as u8, params.int("columns") as u8))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Blue", "Orange"][seat].into()
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        let loser = ending.losers()[0];
        match ending.reason {
            "corner" => ending.because("the path reached the lower right corner"),
            "border" => ending.because(format!("{} ran the path to the border", ending.names.subject(loser))),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        format!("{}{}", cell_text(action.cell), action.tile.sign())
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        self.parse(text).ok_or_else(|| {
            let last = cell_text(self.corner());
            ParseError::new(text, format!("a cell from a1 to {last} and its tile, x, / or \\, such as b1/"))
        })
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let tile = |row: usize, column: usize| state.tile((row << 4 | column) as Cell).map(Tile::letter);
        format!("{} {}", write_rows(self.row_lengths(), tile), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, row by row, like xb2/1s2/4/4")?;
        let mut state = self.initial_state();
        board.rows(self.row_lengths(), "x, s for / or b for \\", |row, column, symbol| {
            let tile = Tile::ALL.into_iter().find(|tile| tile.letter() == symbol);
            tile.inspect(|&tile| state.put((row << 4 | column) as Cell, tile)).is_some()
        })?;
        let actor = reader.peek();
        let to_act = reader.seat(2)?;
        reader.end()?;
        let state = self.recomputed(&state);
        self.check_path(&state, board)?;
        if to_act != usize::from(state.to_act) {
            let expected = format!("{}, the seat to act after {} tiles", state.to_act, state.n_tiles());
            return Err(actor.error(expected));
        }
        Ok(SetUp::full(state))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Action) -> String {
        let (cell, next) = (cell_text(action.cell), cell_text(state.tip.cell));
        if state.tile(action.cell).is_some() {
            format!("{cell} is marked already; the path goes on in {next}")
        } else if action.cell != state.tip.cell {
            format!("the path goes on in {next}")
        } else {
            "the first tile is the cross, a1x".into()
        }
    }
}

impl Black {
    fn row_lengths(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::repeat_n(self.columns.into(), self.rows.into())
    }

    /// Tiles are put at the tip of the path only, the first of them a cross.
    fn check_path(&self, state: &State, board: Field<'_>) -> Result<(), PositionError> {
        if state.n_tiles() > 0 && state.tile(START.cell) != Some(Tile::Cross) {
            return Err(board.error_at(0, "x in a1, where every path begins"));
        }
        let on_path: HashSet<Cell> = self.path_from_start(state).map(|tip| tip.cell).collect();
        match self.cells().find(|cell| state.tile(*cell).is_some() && !on_path.contains(cell)) {
            Some(cell) => Err(board.error(format!("tiles on the path only, which does not pass {}", cell_text(cell)))),
            None => Ok(()),
        }
    }

    fn parse(&self, text: &str) -> Option<Action> {
        let tile = Tile::ALL.into_iter().find(|tile| text.ends_with(tile.sign()))?;
        let cell = text.strip_suffix(tile.sign())?;
        let (column, row) = squares::parse(cell, self.columns.into(), self.rows.into())?;
        Some(Action { cell: (row << 4 | column) as Cell, tile })
    }
}

impl Tile {
    /// How a position writes the tile.
    pub(super) fn letter(self) -> char {
        match self {
            Tile::Cross => 'x',
            Tile::Slash => 's',
            Tile::Backslash => 'b',
        }
    }

    /// How an action writes the tile.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Tile::Cross => "x",
            Tile::Slash => "/",
            Tile::Backslash => "\\",
        }
    }
}

/// `b1` for row 0, column 1.
pub(super) fn cell_text(cell: Cell) -> String {
    squares::text((cell & 15).into(), (cell >> 4).into())
}
