//! Text in and out: cells `a1` to `c3`, `a1` at the top left.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::rules::{State, TicTacToe};

impl Notation for TicTacToe {
    const ID: &'static str = "tic-tac-toe";
    const NAME: &'static str = "Tic Tac Toe";
    const BLURB: &'static str = "Three in a row on nine cells: the game everybody knows, and nobody need lose.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Ok(TicTacToe)
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["X", "O"][seat].into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        squares::text(usize::from(action % 3), usize::from(action / 3))
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        let (column, row) = squares::parse(text, 3, 3).ok_or_else(|| ParseError::new(text, "a cell from a1 to c3"))?;
        Ok((row * 3 + column) as u8)
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: u8) -> String {
        "there is a mark on that cell already".into()
    }
}
