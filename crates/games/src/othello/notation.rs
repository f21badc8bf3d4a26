//! Text in and out: cells `a1` to `j10`, `a1` at the top left, and `pass`.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::board::Cell;
use super::rules::{Action, Othello, State};

impl Othello {
    pub(super) fn cell_text(&self, cell: Cell) -> String {
        let (column, row) = self.column_and_row(cell);
        squares::text(column.into(), row.into())
    }

    pub(super) fn parse_cell(&self, text: &str) -> Option<Cell> {
        let (column, row) = squares::parse(text, self.size.into(), self.size.into())?;
        Some(self.cell(column as u8, row as u8))
    }
}

impl Notation for Othello {
    const ID: &'static str = "othello";
    const NAME: &'static str = "Othello";
    const BLURB: &'static str = "Enclose a row of enemy discs and all of it becomes yours, until it is enclosed again.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![ParamSpec {
            name: "size",
            kind: ParamKind::Int { min: 4, max: 10, step: 2 },
            default: Some("8"),
            help: "Cells along each side of the board.",
        }]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Othello::new(params.int("size") as u8))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White"][seat].into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Place(cell) => self.cell_text(cell),
            Action::Pass => "pass".into(),
        }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        if text == "pass" {
            return Ok(Action::Pass);
        }
        self.parse_cell(text).map(Action::Place).ok_or_else(|| {
            let last = squares::text(usize::from(self.size) - 1, usize::from(self.size) - 1);
            ParseError::new(text, format!("a cell from a1 to {last} or pass"))
        })
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Pass => "who can place a disc may not pass".into(),
            Action::Place(cell) if self.disc(state, cell).is_some() => {
                format!("there is a disc on {} already", self.cell_text(cell))
            }
            Action::Place(cell) => format!("a disc on {} encloses no enemy disc", self.cell_text(cell)),
        }
    }
}
