//! Text in and out: `d1-d3`, `a1` at the bottom left.

use raichi_core::game::{Game, Never};
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::board::{CASTLE, Cell, SIZE, between, bit, cell, column_and_row};
use super::rules::{Action, Side, State, Tablut};

impl Notation for Tablut {
    const ID: &'static str = "tablut";
    const NAME: &'static str = "Tablut";
    const BLURB: &'static str =
        "A king breaks out of his castle through twice as many besiegers: the north's own chess.";
    const RULES: &'static str = include_str!("rules.md");
    const DEFAULT_MAX_PLIES: &'static str = "512";

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "first",
                kind: ParamKind::Choice { options: &["black", "white"] },
                default: Some("black"),
                help: "Who moves first: the Muscovites (black) or the Swedes (white).",
            },
            ParamSpec {
                name: "king-range",
                kind: ParamKind::int(0, 8),
                default: Some("0"),
                help: "The most cells the king moves at once; 0 is any number, 4 the game of 1863.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let first = if params.choice("first") == "black" { Side::Black } else { Side::White };
        let king_range = match params.int("king-range") as u8 {
            0 => SIZE - 1,
            range => range,
        };
        Ok(Tablut { first, king_range })
    }

    fn seat_name(&self, seat: Seat) -> String {
        match self.side(seat) {
            Side::Black => "Muscovites".into(),
            Side::White => "Swedes".into(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        format!("{}-{}", text(action.from), text(action.to))
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        text.split_once('-')
            .and_then(|(from, to)| Some(Action { from: parse(from)?, to: parse(to)? }))
            .ok_or_else(|| ParseError::new(text, "two cells from a1 to i9 with a hyphen between them, such as d1-d3"))
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        let (from, to) = (text(action.from), text(action.to));
        if state.of(self.side(seat)) & bit(action.from) == 0 {
            return format!("no piece of yours stands on {from}");
        }
        let Some((way, steps)) = between(action.from, action.to) else {
            return format!(
                "pieces move along a row or a column, and {from} and {to} share neither or are the same cell"
            );
        };
        let occupied = state.of(Side::Black) | state.of(Side::White);
        if occupied & bit(action.to) != 0 {
            format!("{to} is taken")
        } else if occupied & way != 0 {
            format!("a piece stands between {from} and {to}")
        } else if action.to == CASTLE && action.from != state.king {
            "only the king may stop on the castle; others may pass over it".into()
        } else if action.from == state.king && steps > self.king_range {
            format!("the king moves at most {} cells at once", self.king_range)
        } else {
            debug_assert!(!self.is_legal(state, seat, action), "a legal action was asked about");
            "that is not one of the legal actions here".into()
        }
    }
}

pub(super) fn text(at: Cell) -> String {
    let (column, row) = column_and_row(at);
    squares::text(column.into(), row.into())
}

pub(super) fn parse(text: &str) -> Option<Cell> {
    let (column, row) = squares::parse(text, SIZE.into(), SIZE.into())?;
    Some(cell(column as u8, row as u8))
}
