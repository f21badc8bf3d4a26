//! Text in and out: cells `a1` to `c3`, `a1` at the top left.

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{State, TicTacToe, has_line};

pub(super) const MARKS: [char; 2] = ['X', 'O'];

impl Notation for TicTacToe {
    const ID: &'static str = "tic-tac-toe";
    const NAME: &'static str = "Tic Tac Toe";
    const BLURB: &'static str = "Three in a row on nine cells: the game everybody knows, and nobody need lose.";
    const ALIASES: &'static [&'static str] = &["noughts and crosses", "three in a row", "xs and os", "OXO"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["line", "full"];

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Ok(TicTacToe)
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["X", "O"][seat].into()
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "line" => ending.because("three in a row"),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        squares::text(usize::from(action % 3), usize::from(action / 3))
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        let (column, row) = squares::parse(text, 3, 3).ok_or_else(|| ParseError::new(text, "a cell from a1 to c3"))?;
        Ok((row * 3 + column) as u8)
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let mark = |row: usize, column: usize| {
            (0..2).find(|&seat| state.marks[seat] >> (row * 3 + column) & 1 == 1).map(|seat| MARKS[seat])
        };
        format!("{} {}", write_rows([3; 3], mark), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, like X1O/3/3")?;
        let mut marks = [0; 2];
        board.rows([3; 3], "X or O", |row, column, symbol| {
            let seat = MARKS.iter().position(|&mark| mark == symbol);
            seat.inspect(|&seat| marks[seat] |= 1 << (row * 3 + column)).is_some()
        })?;
        let to_act = reader.seat(2)?;
        reader.end()?;
        if has_line(marks[to_act]) {
            return Err(
                board.error(format!("no line of {}, who is to act: the seat that makes a line has won", MARKS[to_act]))
            );
        }
        let winner = has_line(marks[1 - to_act]).then_some(1 - to_act as u8);
        Ok(SetUp::full(State { marks, to_act: to_act as u8, winner }))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: u8) -> String {
        "there is a mark on that cell already".into()
    }
}
