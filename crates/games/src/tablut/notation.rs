//! Text in and out: `d1-d3`, `a1` at the bottom left.

use raichi_core::game::Game;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Called, Ending};

use super::board::{BESIDE, CASTLE, Cell, EDGE, SIZE, between, bit, cell, column_and_row};
use super::rules::{Action, End, Side, State, Tablut};

/// The most Muscovites and Swedes, those of the start.
const MOST_MEN: [u32; 2] = [16, 8];

impl Notation for Tablut {
    const ID: &'static str = "tablut";
    const NAME: &'static str = "Tablut";
    const BLURB: &'static str =
        "A king breaks out of his castle through twice as many besiegers: the north's own chess.";
    const ALIASES: &'static [&'static str] = &["hnefatafl", "tafl", "Viking chess", "king's table"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["king-captured", "escaped", "stuck"];
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

    fn seat_called(&self, seat: Seat) -> Called {
        Called::many(format!("the {}", self.seat_name(seat)))
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        let names = ending.names;
        let [muscovites, swedes] = [Side::Black, Side::White].map(|side| self.seat(side));
        match ending.reason {
            "king-captured" => ending.because(format!("{} king is captured", names.whose(swedes))),
            "escaped" => ending.because(format!("{} king escaped", names.own(swedes))),
            "stuck" => {
                let loser = if ending.winners() == [swedes] { muscovites } else { swedes };
                ending.because(format!("{} cannot move", names.subject(loser)))
            }
            _ => ending.in_common(),
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

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let piece = |row: usize, column: usize| {
            let at = cell(column as u8, SIZE - 1 - row as u8);
            if at == state.king {
                Some('K')
            } else if state.of(Side::White) & bit(at) != 0 {
                Some('S')
            } else {
                (state.of(Side::Black) & bit(at) != 0).then_some('M')
            }
        };
        let king = if state.end == Some(End::KingCaptured) { " king=captured" } else { "" };
        format!("{} {}{king}", write_rows(ROWS, piece), self.seat(state.to_act))
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, row 9 first, like 9/9/4K4/9/M8/9/9/9/9")?;
        let (mut men, mut kings) = ([0; 2], 0);
        within_slashes(board).rows(ROWS, "M, S or K", |row, column, symbol| {
            let at = bit(cell(column as u8, SIZE - 1 - row as u8));
            match symbol {
                'M' | 't' => men[0] |= at,
                'S' | 'T' => men[1] |= at,
                'K' => kings |= at,
                _ => return false,
            }
            true
        })?;
        let side = self.side(reader.seat(2)?);
        let king_captured = reader.optional_value("king");
        reader.end()?;
        for (men, most, name) in [(men[0], MOST_MEN[0], "Muscovites (M)"), (men[1], MOST_MEN[1], "Swedes (S)")] {
            if men.count_ones() > most {
                return Err(board.error(format!("at most {most} {name}")));
            }
        }
        if kings.count_ones() != 1 {
            return Err(board.error("one king (K)"));
        }
        if (men[0] | men[1]) & bit(CASTLE) != 0 {
            return Err(board.error("nobody but the king on the castle, e5"));
        }
        let king = kings.trailing_zeros() as Cell;
        let state = State::new([men[0], men[1] | kings], king, side);
        if let Some(field) = king_captured {
            check_capture_of_king(&state, field)?;
        }
        Ok(SetUp::full(self.set_up(state.men, king, side, king_captured.is_some())))
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

const ROWS: [usize; SIZE as usize] = [SIZE as usize; SIZE as usize];

// OpenTafl writes a slash before the first row and after the last.
fn within_slashes(board: Field<'_>) -> Field<'_> {
    let inside = board.text.strip_prefix('/').and_then(|text| text.strip_suffix('/'));
    inside.map_or(board, |text| Field { text, column: board.column + 1 })
}

fn check_capture_of_king(state: &State, field: Field<'_>) -> Result<(), PositionError> {
    if field.text != "captured" {
        return Err(field.error("captured, or no field king="));
    }
    let king = bit(state.king);
    if king & EDGE != 0 || !state.king_is_surrounded() {
        return Err(field.error("a king with Muscovites, or the castle, on all four sides"));
    }
    if state.to_act == Side::Black && king & BESIDE[usize::from(CASTLE)] == 0 {
        return Err(field.error("a king beside his castle, out of which he has just stepped, or White to act"));
    }
    Ok(())
}

pub(super) fn text(at: Cell) -> String {
    let (column, row) = column_and_row(at);
    squares::text(column.into(), row.into())
}

pub(super) fn parse(text: &str) -> Option<Cell> {
    let (column, row) = squares::parse(text, SIZE.into(), SIZE.into())?;
    Some(cell(column as u8, row as u8))
}
