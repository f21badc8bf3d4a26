//! Text in and out: `left`, `right`, `up`, `down` and their initials; a new tile is `~2@c4`.

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::board::Direction;
use super::rules::{Spawn, State, TwentyFortyEight};

impl Direction {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Direction::Left => "left",
            Direction::Right => "right",
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }
}

impl TwentyFortyEight {
    pub(super) fn cell_text(&self, cell: u8) -> String {
        squares::text((cell % self.size).into(), (cell / self.size).into())
    }
}

impl Notation for TwentyFortyEight {
    const ID: &'static str = "2048";
    const NAME: &'static str = "2048";
    const BLURB: &'static str = "Slide all tiles at once; equal ones merge and double, as long as there is room.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![ParamSpec {
            name: "size",
            kind: ParamKind::int(2, 8),
            default: Some("4"),
            help: "Rows and columns of the board.",
        }]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(TwentyFortyEight::new(params.int("size") as u8))
    }

    fn seat_name(&self, _seat: Seat) -> String {
        "Player".into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Direction) -> String {
        action.text().into()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Direction, ParseError> {
        let named = |direction: &Direction| direction.text() == text || &direction.text()[..1] == text;
        Direction::ALL.into_iter().find(named).ok_or_else(|| ParseError::new(text, "left, right, up or down"))
    }

    fn outcome_text(&self, _state: &State, outcome: Spawn) -> String {
        format!("~{}@{}", if outcome.four { 4 } else { 2 }, self.cell_text(outcome.cell))
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Spawn, ParseError> {
        let read = || {
            let (tile, cell) = text.split_once('@')?;
            let four = match tile {
                "~2" => false,
                "~4" => true,
                _ => return None,
            };
            let (column, row) = squares::parse(cell, self.size.into(), self.size.into())?;
            Some(Spawn { cell: row as u8 * self.size + column as u8, four })
        };
        let last = self.cell_text(self.n_cells() - 1);
        read().ok_or_else(|| ParseError::new(text, format!("a new tile such as ~2@a1 or ~4@{last}")))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: Direction) -> String {
        "no tile would move or merge".into()
    }
}
