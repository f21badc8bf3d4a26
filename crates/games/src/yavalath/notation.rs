//! Text in and out: cells `a1` to `o8`, row `a` at the bottom, numbers from the left end of each row, and `swap`; positions
//! row by row from the top.

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError, Value};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{State, Yavalath};

// A swap leaves seats without colours of their own, so stones are the terminal's marks.
pub(super) const STONES: [char; 3] = ['X', 'O', '#'];

impl Yavalath {
    pub(super) fn cell_text(&self, cell: u8) -> String {
        let (row, k) = self.board.row_and_k(cell);
        squares::text(row.into(), k.into())
    }

    // From the top.
    pub(super) fn row_lengths(&self) -> impl Iterator<Item = usize> {
        (0..self.board.n_rows()).map(|row| self.board.row_len(row).into())
    }

    pub(super) fn cell_from_top(&self, nth_row: usize, k: usize) -> u8 {
        self.board.cell(self.board.n_rows() - 1 - nth_row as u8, k as u8)
    }
}

impl Notation for Yavalath {
    const ID: &'static str = "yavalath";
    const NAME: &'static str = "Yavalath";
    const BLURB: &'static str = "Four in a row win, three lose: force the other to spoil its own row.";
    const ALIASES: &'static [&'static str] = &["three loses", "hexagonal four in a row"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["four", "three", "full"];

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

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let losers: Vec<Seat> = (0..self.n_seats.into()).filter(|&seat| !state.still_in.contains(seat)).collect();
        match ending.reason {
            "four" => ending.because("four in a row"),
            "three" => ending.because(format!("{} made three in a row", ending.names.list(&losers))),
            _ => ending.in_common(),
        }
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

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let stone = |row: usize, k: usize| self.stone(state, self.cell_from_top(row, k)).map(|seat| STONES[seat]);
        format!("{} {}", write_rows(self.row_lengths(), stone), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, row by row from the top, like 3/4/2X2/4/3")?;
        let n_seats = usize::from(self.n_seats);
        let symbols = ["X or O", "X, O or #"][n_seats - 2];
        let mut stones = Vec::new();
        board.rows(self.row_lengths(), symbols, |row, k, symbol| {
            let seat = STONES[..n_seats].iter().position(|&stone| stone == symbol);
            seat.inspect(|&seat| stones.push((seat, self.cell_from_top(row, k)))).is_some()
        })?;
        let actor = reader.peek();
        let to_act = reader.seat(n_seats)?;
        reader.end()?;
        let state = self.position(stones, to_act as u8);
        let with_four = self.seats_with_row(&state, |n_stones| n_stones >= 4);
        match with_four.len() {
            0 if state.still_in.is_empty() => Err(board.error("somebody without three in a row")),
            0 if !state.still_in.contains(to_act) => Err(actor.error("a seat without three in a row")),
            1 if !with_four.contains(to_act) => {
                Err(actor.error(format!("{}, the seat that has won by four in a row", with_four.first())))
            }
            0 | 1 => Ok(SetUp::full(state)),
            _ => Err(board.error("four in a row of one seat only")),
        }
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
