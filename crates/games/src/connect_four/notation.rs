//! Text in and out: a column's number, from 1 at the left.

use raichi_core::game::{Game, Phase};
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{ConnectFour, MAX_WIDTH, State};

pub(super) const STONES: [char; 2] = ['Y', 'R'];

impl Notation for ConnectFour {
    const ID: &'static str = "connect-four";
    const NAME: &'static str = "Connect Four";
    const BLURB: &'static str = "Stones fall to the bottom of their column; four in a row win.";
    const ALIASES: &'static [&'static str] = &["four in a row", "connect 4", "four up", "plot four"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["line", "full"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "width",
                kind: ParamKind::int(4, MAX_WIDTH as u64),
                default: Some("7"),
                help: "Columns of the board.",
            },
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

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "line" => ending.because("four in a row"),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        (action + 1).to_string()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        (0..self.width)
            .find(|column| (column + 1).to_string() == text)
            .ok_or_else(|| ParseError::new(text, format!("a column from 1 to {}", self.width)))
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let stone = |row: usize, column: usize| {
            self.stone(state, column as u8, self.height - 1 - row as u8).map(|seat| STONES[seat])
        };
        format!("{} {}", write_rows(self.rows(), stone), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, like 7/7/7/7/3R3/3Y3, or the columns played, like 4453")?;
        if !board.text.contains('/') {
            reader.end()?;
            return self.after_columns(board).map(SetUp::full);
        }
        let mut stones = [0u128; 2];
        board.rows(self.rows(), "Y or R", |row, column, symbol| {
            let bit = self.bit(column as u8, self.height - 1 - row as u8);
            let seat = STONES.iter().position(|&stone| stone == symbol);
            seat.inspect(|&seat| stones[seat] |= 1 << bit).is_some()
        })?;
        let to_act = reader.seat(2)?;
        reader.end()?;
        self.check_that_all_have_fallen(stones[0] | stones[1], board)?;
        let line =
            || board.error(format!("no line of {}, who is to act: the seat that makes a line has won", STONES[to_act]));
        self.set_up(stones, to_act).map(SetUp::full).ok_or_else(line)
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, _action: u8) -> String {
        "that column is full".into()
    }
}

impl ConnectFour {
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::repeat_n(self.width.into(), self.height.into())
    }

    fn check_that_all_have_fallen(&self, all: u128, board: Field<'_>) -> Result<(), PositionError> {
        for column in 0..self.width {
            for row in 1..self.height {
                let [below, here] = [row - 1, row].map(|row| all >> self.bit(column, row) & 1);
                if here > below {
                    let place = format!("column {}, row {} from the bottom", column + 1, row + 1);
                    return Err(board.error(format!("a stone below that in {place}: stones fall")));
                }
            }
        }
        Ok(())
    }

    /// The position after these columns, one digit each, as solvers' collections write them.
    fn after_columns(&self, columns: Field<'_>) -> Result<State, PositionError> {
        let mut state = self.initial_state();
        for (nth, digit) in columns.text.chars().enumerate() {
            let expected = |what: &str| columns.error_at(nth, format!("{what} from 1 to {}", self.width.min(9)));
            let column = digit.to_digit(10).filter(|column| (1..=self.width.into()).contains(column));
            let action = column.ok_or_else(|| expected("a column"))? as u8 - 1;
            let Phase::Act(seats) = self.phase(&state) else {
                return Err(columns.error_at(nth, "the end of the text: the game is over here"));
            };
            if !self.is_legal(&state, seats.first(), action) {
                return Err(expected("a column with room for a stone,"));
            }
            self.apply(&mut state, seats.first(), action);
        }
        Ok(state)
    }
}
