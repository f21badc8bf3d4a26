//! Text in and out: cells `a1` to `o8`, row `a` at the bottom, numbers from the left end of each row, and `swap`.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError, Value};
use raichi_core::seat::Seat;

use super::rules::{State, Yavalath};

impl Yavalath {
    pub(super) fn cell_text(&self, cell: u8) -> String {
        let (row, k) = self.board.row_and_k(cell);
        squares::text(row.into(), k.into())
    }
}

impl Notation for Yavalath {
    const ID: &'static str = "yavalath";
    const NAME: &'static str = "Yavalath";
    const BLURB: &'static str = "Four in a row win, three lose: force the other to spoil its own row.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "size",
                kind: ParamKind::int(3, 8),
                default: Some("5"),
                help: "Cells along each side of the board.",
            },
            ParamSpec { name: "players", kind: ParamKind::int(2, 3), default: Some("2"), help: "How many play." },
            ParamSpec {
                name: "swap",
                kind: ParamKind::Bool,
                default: Some("true"),
                help: "Of two players, the second may take over the first stone instead of putting one.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let n_seats = params.int("players") as u8;
        if n_seats == 3 {
            params.set_default("swap", Value::Bool(false));
        }
        let swap = params.bool("swap");
        if swap && n_seats == 3 {
            return Err(SpecError::conflict("swap", swap, "three players never swap; with three it is false"));
        }
        Ok(Yavalath::new(params.int("size") as u8, n_seats, swap))
    }

    // Where seats may swap they have no colours of their own.
    fn seat_name(&self, seat: Seat) -> String {
        if self.swap { format!("Player {}", seat + 1) } else { ["White", "Black", "Red"][seat].into() }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        if action == self.swap_action() { "swap".into() } else { self.cell_text(action) }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        if self.swap && text == "swap" {
            return Ok(self.swap_action());
        }
        let n_rows = usize::from(self.board.n_rows());
        squares::parse(text, n_rows, n_rows)
            .map(|(row, k)| (row as u8, k as u8))
            .filter(|&(row, k)| k < self.board.row_len(row))
            .map(|(row, k)| self.board.cell(row, k))
            .ok_or_else(|| {
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

    fn why_illegal(&self, state: &State, _seat: Seat, action: u8) -> String {
        if action == self.swap_action() {
            "only the second player's first action may be the swap".into()
        } else if self.stone(state, action).is_some() {
            "there is a stone on that cell already".into()
        } else {
            "the next player could win at once; block that or win yourself".into()
        }
    }
}
