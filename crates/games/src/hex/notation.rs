//! Text in and out: cells `a1` to `s19`, `a1` at the top left, and `swap`; positions row by row.

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::board::{Cells, insert};
use super::rules::{Hex, State};

pub(super) const STONES: [char; 2] = ['B', 'W'];

impl Hex {
    pub(super) fn cell_text(&self, cell: u16) -> String {
        let size = u16::from(self.board.size);
        squares::text((cell % size).into(), (cell / size).into())
    }

    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::repeat_n(self.board.size.into(), self.board.size.into())
    }
}

impl Notation for Hex {
    const ID: &'static str = "hex";
    const NAME: &'static str = "Hex";
    const BLURB: &'static str = "Join your two rims with a chain of stones. One of the two always can.";
    const ALIASES: &'static [&'static str] = &["Con-tac-tix", "Nash", "Polygon", "connection game"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["connection"];

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

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "connection" if ending.winners() == [0] => ending.because("the top and the bottom are joined"),
            "connection" => ending.because("the left and the right are joined"),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u16) -> String {
        if action == self.swap_action() { "swap".into() } else { self.cell_text(action) }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u16, ParseError> {
        if self.swap && text == "swap" {
            return Ok(self.swap_action());
        }
        let size = usize::from(self.board.size);
        let cell = squares::parse(text, size, size).map(|(column, row)| self.board.cell(column, row));
        cell.ok_or_else(|| {
            let last = self.cell_text(self.board.n_cells() - 1);
            let or_swap = if self.swap { " or swap" } else { "" };
            ParseError::new(text, format!("a cell from a1 to {last}{or_swap}"))
        })
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let stone =
            |row: usize, column: usize| self.stone(state, self.board.cell(column, row)).map(|seat| STONES[seat]);
        format!("{} {}", write_rows(self.rows(), stone), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, row by row, like 3/1B1/3")?;
        let mut stones = [Cells::default(); 2];
        board.rows(self.rows(), "B or W", |row, column, symbol| {
            let seat = STONES.iter().position(|&stone| stone == symbol);
            seat.inspect(|&seat| insert(&mut stones[seat], self.board.cell(column, row))).is_some()
        })?;
        let to_act = reader.seat(2)?;
        reader.end()?;
        let state = self.position(stones, to_act);
        if self.has_joined(&state, to_act) {
            let actor = STONES[to_act];
            return Err(
                board.error(format!("no chain of {actor}, who is to act: the seat that joins both rims has won"))
            );
        }
        Ok(SetUp::full(state))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, action: u16) -> String {
        if action == self.swap_action() {
            return "only White's first action may be the swap".into();
        }
        "there is a stone on that cell already".into()
    }
}
