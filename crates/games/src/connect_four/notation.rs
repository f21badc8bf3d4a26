//! Text in and out: a column's number, from 1 at the left.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::rules::{ConnectFour, State};

impl Notation for ConnectFour {
    const ID: &'static str = "connect-four";
    const NAME: &'static str = "Connect Four";
    const BLURB: &'static str = "Stones fall to the bottom of their column; four in a row win.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec { name: "width", kind: ParamKind::int(4, 12), default: Some("7"), help: "Columns of the board." },
            ParamSpec {
                name: "height",
                kind: ParamKind::int(4, 12),
                default: Some("6"),
                help: "Rows of the board; width × (height + 1) is at most 128.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let (width, height) = (params.int("width"), params.int("height"));
        ConnectFour::new(width as u8, height as u8).ok_or_else(|| {
            let most = 128 / width - 1;
            let why =
                format!("width × (height + 1) is at most 128, so with width {width} the height is at most {most}");
            SpecError::conflict("height", height, why)
        })
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Yellow", "Red"][seat].into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        (action + 1).to_string()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        (0..self.width)
            .find(|column| (column + 1).to_string() == text)
            .ok_or_else(|| ParseError::new(text, format!("a column from 1 to {}", self.width)))
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: u8) -> String {
        "that column is full".into()
    }
}
