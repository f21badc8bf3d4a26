//! Text in and out: cells `a1` to `j10`, `a1` at the top left, and `pass`; positions as rows or cell by cell.

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::board::{Cell, Cells};
use super::rules::{Action, Othello, State};

pub(super) const DISCS: [char; 2] = ['X', 'O'];

impl Othello {
    pub(super) fn cell_text(&self, cell: Cell) -> String {
        let (column, row) = self.column_and_row(cell);
        squares::text(column.into(), row.into())
    }

    pub(super) fn parse_cell(&self, text: &str) -> Option<Cell> {
        let (column, row) = squares::parse(text, self.size.into(), self.size.into())?;
        Some(self.cell(column as u8, row as u8))
    }
}

impl Notation for Othello {
    const ID: &'static str = "othello";
    const NAME: &'static str = "Othello";
    const BLURB: &'static str = "Enclose a row of enemy discs and all of it becomes yours, until it is enclosed again.";
    const ALIASES: &'static [&'static str] = &["Reversi"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["no-moves"];

    fn params() -> Vec<ParamSpec> {
        vec![ParamSpec {
            name: "size",
            kind: ParamKind::Int { min: 4, max: 10, step: 2 },
            default: Some("8"),
            help: "Cells along each side of the board.",
        }]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Othello::new(params.int("size") as u8))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White"][seat].into()
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let [black, white] = state.discs().map(Cells::count_ones);
        let count = format!("{} to {}", black.max(white), black.min(white));
        match ending.reason {
            "no-moves" if ending.is_drawn() => format!("{}, {count}", ending.headline()),
            "no-moves" => format!("{} {count}", ending.headline()),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Place(cell) => self.cell_text(cell),
            Action::Pass => "pass".into(),
        }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        if text == "pass" {
            return Ok(Action::Pass);
        }
        self.parse_cell(text).map(Action::Place).ok_or_else(|| {
            let last = squares::text(usize::from(self.size) - 1, usize::from(self.size) - 1);
            ParseError::new(text, format!("a cell from a1 to {last} or pass"))
        })
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let disc =
            |row: usize, column: usize| self.disc(state, self.cell(column as u8, row as u8)).map(|seat| DISCS[seat]);
        format!("{} {}", write_rows(self.rows(), disc), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, like 8/8/8/3OX3/3XO3/8/8/8, or every cell as X, O or -")?;
        if !board.text.contains('/') {
            return self.parse_cells(text).map(SetUp::full);
        }
        let mut discs = [0; 2];
        board.rows(self.rows(), "X or O", |row, column, symbol| {
            put(&mut discs, self.cell(column as u8, row as u8), symbol)
        })?;
        let to_act = reader.seat(2)?;
        reader.end()?;
        Ok(SetUp::full(self.position(discs, to_act)))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Pass => "who can place a disc may not pass".into(),
            Action::Place(cell) if self.disc(state, cell).is_some() => {
                format!("there is a disc on {} already", self.cell_text(cell))
            }
            Action::Place(cell) => format!("a disc on {} encloses no enemy disc", self.cell_text(cell)),
        }
    }
}

impl Othello {
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::repeat_n(self.size.into(), self.size.into())
    }

    /// A position as `.obf` files write it; behind a `;` they list the values of moves.
    fn parse_cells(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text.split(';').next().unwrap_or(text));
        let n_cells = usize::from(self.size) * usize::from(self.size);
        let expected = format!("{n_cells} cells from a1 row by row, each X, O or -");
        let cells = reader.field(&expected)?;
        let mut discs = [0; 2];
        for (nth, symbol) in cells.text.chars().enumerate() {
            let cell = || self.cell((nth % usize::from(self.size)) as u8, (nth / usize::from(self.size)) as u8);
            if nth >= n_cells || symbol != '-' && !put(&mut discs, cell(), symbol) {
                return Err(cells.error_at(nth, expected));
            }
        }
        let n_read = cells.text.len();
        if n_read < n_cells {
            return Err(cells.error_at(n_read, format!("{expected}, and there are {n_read}")));
        }
        let mover = reader.field("X or O, who is to move")?;
        let to_act = DISCS.iter().position(|disc| mover.text.chars().eq([*disc]));
        let to_act = to_act.ok_or_else(|| mover.error("X or O, who is to move"))?;
        reader.end()?;
        Ok(self.position(discs, to_act))
    }
}

/// Adds the disc that `symbol` names; says whether it names one.
fn put(discs: &mut [Cells; 2], cell: Cell, symbol: char) -> bool {
    let seat = DISCS.iter().position(|&disc| disc == symbol);
    seat.inspect(|&seat| discs[seat] |= 1 << cell).is_some()
}
