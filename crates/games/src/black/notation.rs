//! Text in and out: the cell and its tile, `b1/`, with `a1` at the top left.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::rules::{Action, Black, Cell, State, Tile};

impl Notation for Black {
    const ID: &'static str = "black";
    const NAME: &'static str = "Black";
    const BLURB: &'static str = "Two players draw one winding path, and whoever runs it off the board has lost.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        let side = |name, help| ParamSpec { name, kind: ParamKind::int(2, 16), default: Some("8"), help };
        vec![side("rows", "Cells from top to bottom."), side("columns", "Cells from left to right.")]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Black::new(params.int("rows") as u8, params.int("columns") as u8))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["First", "Second"][seat].into()
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

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
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
    fn parse(&self, text: &str) -> Option<Action> {
        let tile = Tile::ALL.into_iter().find(|tile| text.ends_with(tile.sign()))?;
        let cell = text.strip_suffix(tile.sign())?;
        let (column, row) = squares::parse(cell, self.columns.into(), self.rows.into())?;
        Some(Action { cell: (row << 4 | column) as Cell, tile })
    }
}

impl Tile {
    /// How the tile is written.
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
