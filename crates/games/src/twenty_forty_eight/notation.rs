//! Text in and out: `left`, `right`, `up`, `down` and their initials; a new tile is `~2@c4`.

use raichi_core::notation::{Notation, OutcomeText, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp};
use raichi_core::resignation::RESIGNED;
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Called, Ending};

use super::board::{Board, Direction};
use super::rules::{Spawn, State, TwentyFortyEight};

/// The most 4s that a position set up may count, so that play can go on counting.
pub(super) const MOST_FOURS: u32 = i32::MAX as u32;

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
    const ALIASES: &'static [&'static str] = &["twenty forty-eight", "sliding tiles", "doubling"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["stuck"];

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

    fn seat_called(&self, _seat: Seat) -> Called {
        Called::one("the player")
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let scored = format!("{} scored {}", ending.names.subject(0), self.score(state));
        match ending.reason {
            "stuck" => format!("{scored}: no tile can move"),
            RESIGNED => format!("{scored} and stopped"),
            _ => format!("{scored}: {}", ending.common_reason()),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Direction) -> String {
        action.text().into()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Direction, ParseError> {
        let named = |direction: &Direction| direction.text() == text || &direction.text()[..1] == text;
        Direction::ALL.into_iter().find(named).ok_or_else(|| ParseError::new(text, "left, right, up or down"))
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let tile = |cell: u8| match state.board.exponent(self.size, cell) {
            0 => ".".to_string(),
            exponent => (1u128 << exponent).to_string(),
        };
        let row = |row: u8| (0..self.size).map(|column| tile(row * self.size + column)).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = (0..self.size).map(row).collect();
        let acts = if state.to_come == 0 { "0".to_string() } else { format!("~{}", state.to_come) };
        format!("{} {acts} score={}", rows.join("/"), self.score(state))
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let field = reader.field("the tiles, row by row from the top, like .,2/4,.")?;
        let board = self.parse_board(field)?;
        let n_empty = (0..self.n_cells()).filter(|&cell| board.exponent(self.size, cell) == 0).count();
        let acts = reader.field("who acts")?;
        let to_come = match acts.text {
            "0" => 0,
            "~1" if n_empty >= 1 => 1,
            "~2" if n_empty >= 2 => 2,
            _ => return Err(acts.error("0 for the player, or ~1 or ~2 for so many new tiles, for which there is room")),
        };
        // Where no score is given, chance has put no 4: the score is the most that these tiles can be worth.
        let fours = reader.optional_value("score").map_or(Ok(0), |score| self.fours(&board, score))?;
        reader.end()?;
        Ok(SetUp::full(self.set_up(board, fours, to_come)))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: Direction) -> String {
        "no tile would move or merge".into()
    }
}

impl OutcomeText<TwentyFortyEight> for Spawn {
    fn text(self, game: &TwentyFortyEight, _state: &State) -> String {
        format!("~{}@{}", if self.four { 4 } else { 2 }, game.cell_text(self.cell))
    }

    fn parse(game: &TwentyFortyEight, _state: &State, text: &str) -> Result<Spawn, ParseError> {
        let read = || {
            let (tile, cell) = text.split_once('@')?;
            let four = match tile {
                "~2" => false,
                "~4" => true,
                _ => return None,
            };
            let (column, row) = squares::parse(cell, game.size.into(), game.size.into())?;
            Some(Spawn { cell: row as u8 * game.size + column as u8, four })
        };
        let last = game.cell_text(game.n_cells() - 1);
        read().ok_or_else(|| ParseError::new(text, format!("a new tile such as ~2@a1 or ~4@{last}")))
    }
}

impl TwentyFortyEight {
    fn parse_board(&self, field: Field<'_>) -> Result<Board, PositionError> {
        let size = usize::from(self.size);
        let mut board = Board::default();
        let mut total = 0;
        let rows: Vec<Field<'_>> = field.split('/').collect();
        if rows.len() != size {
            return Err(field.error(format!("{size} rows with / between them")));
        }
        for (nth, row) in (0..self.size).zip(rows) {
            let tiles: Vec<Field<'_>> = row.split(',').collect();
            if tiles.len() != size {
                return Err(row.error(format!("{size} tiles, or dots for empty cells, with commas between them")));
            }
            for (column, tile) in (0..self.size).zip(tiles) {
                let exponent = self.parse_tile(tile)?;
                total += if exponent == 0 { 0 } else { 1u128 << exponent };
                board.set(self.size, nth * self.size + column, exponent);
            }
        }
        // No more can lie there, since a tile comes only where a cell is empty; play from less never leads to more.
        let most = (1u128 << (self.n_cells() + 2)) - 4;
        if total > most {
            return Err(field.error(format!("tiles that add up to at most {most}")));
        }
        Ok(board)
    }

    fn parse_tile(&self, field: Field<'_>) -> Result<u8, PositionError> {
        // Programs write a 0 where they have no dot.
        if matches!(field.text, "." | "0") {
            return Ok(0);
        }
        let most = 1u128 << (self.n_cells() + 1);
        let tile = whole_number(field).filter(|tile| tile.is_power_of_two() && (2..=most).contains(tile));
        let tile = tile.ok_or_else(|| field.error(format!("a power of two from 2 to {most}, or a dot")))?;
        Ok(tile.ilog2() as u8)
    }

    /// How many 4s chance has put if the score is this one.
    fn fours(&self, board: &Board, score: Field<'_>) -> Result<u32, PositionError> {
        let worth = self.worth(board);
        let exponents = (0..self.n_cells()).map(|cell| board.exponent(self.size, cell));
        let most = exponents.filter(|&exponent| exponent >= 2).map(|exponent| 1u128 << (exponent - 2)).sum::<u128>();
        let most = most.min(MOST_FOURS.into());
        let fours = whole_number(score).and_then(|score| worth.checked_sub(score)).filter(|lost| lost % 4 == 0);
        let fours = fours.map(|lost| lost / 4).filter(|&fours| fours <= most);
        let expected =
            || format!("a score from {} to {worth} in steps of 4: these tiles bring no other", worth - 4 * most);
        fours.map(|fours| fours as u32).ok_or_else(|| score.error(expected()))
    }
}

/// A decimal number without sign or leading zeros.
fn whole_number(field: Field<'_>) -> Option<u128> {
    let digits = field.text.bytes().all(|b| b.is_ascii_digit()) && (field.text == "0" || !field.text.starts_with('0'));
    if digits { field.text.parse().ok() } else { None }
}
