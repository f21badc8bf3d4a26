//! Text in and out: cells `a1` to `s19`, `a1` at the top left, and `swap`.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::rules::{Hex, State};

impl Hex {
    pub(super) fn cell_text(&self, cell: u16) -> String {
        let size = u16::from(self.board.size);
        squares::text((cell % size).into(), (cell / size).into())
    }
}

impl Notation for Hex {
    const ID: &'static str = "hex";
    const NAME: &'static str = "Hex";
    const BLURB: &'static str = "Join your two rims with a chain of stones. One of the two always can.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "size",
                kind: ParamKind::int(2, 19),
                default: Some("11"),
                help: "Cells along each side of the board.",
            },
            ParamSpec {
                name: "swap",
                kind: ParamKind::Bool,
                default: Some("false"),
                help: "White may take over Black's first stone instead of putting one.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Hex::new(params.int("size") as u8, params.bool("swap")))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White"][seat].into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u16) -> String {
        if action == self.swap_action() { "swap".into() } else { self.cell_text(action) }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u16, ParseError> {
        if self.swap && text == "swap" {
            return Ok(self.swap_action());
        }
        let size = usize::from(self.board.size);
        let cell = squares::parse(text, size, size).map(|(column, row)| (row * size + column) as u16);
        cell.ok_or_else(|| {
            let last = self.cell_text(self.board.n_cells() - 1);
            let or_swap = if self.swap { " or swap" } else { "" };
            ParseError::new(text, format!("a cell from a1 to {last}{or_swap}"))
        })
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, action: u16) -> String {
        if action == self.swap_action() {
            return "only White's first action may be the swap".into();
        }
        "there is a stone on that cell already".into()
    }
}
