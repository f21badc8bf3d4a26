//! Text in and out: `3-5` goes from point 3 to point 5, `@7` puts Black's man on point 7.

use raichi_core::game::Game;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::board::{BESIDE, N_POINTS, Point, Points, bit, column};
use super::rules::{Action, FrenchMilitary, Side, State};

const NAMES: [&str; N_POINTS] = ["A", "1", "2", "3", "4", "5", "6", "7", "8", "9", "B"];

/// The points as one sees them, row by row from the top.
pub(super) const ROWS: [&[Point]; 3] = [&[1, 4, 7], &[0, 2, 5, 8, 10], &[3, 6, 9]];

impl Notation for FrenchMilitary {
    const ID: &'static str = "french-military";
    const NAME: &'static str = "French Military Game";
    const BLURB: &'static str = "Three men corner one on eleven points. They always can; seldom do they know how.";
    const ALIASES: &'static [&'static str] = &["military game", "jeu militaire", "hare and hounds"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["pinned", "escaped", "stuck"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "start",
                kind: ParamKind::Choice { options: &["center", "choose"] },
                default: Some("center"),
                help: "Black's man starts in the center, or wherever Black chooses before White's first move.",
            },
            ParamSpec {
                name: "goal",
                kind: ParamKind::Choice { options: &["pass", "b"] },
                default: Some("pass"),
                help: "With b White wins only by pinning Black on point B; pinned elsewhere Black wins.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(FrenchMilitary { choose: params.choice("start") == "choose", on_b_only: params.choice("goal") == "b" })
    }

    fn seat_name(&self, seat: Seat) -> String {
        match self.side(seat) {
            Side::White => "White".into(),
            Side::Black => "Black".into(),
        }
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let names = ending.names;
        let [black, white] = [Side::Black, Side::White].map(|side| self.seat(side));
        match ending.reason {
            "pinned" if self.payoffs(state)[black] > 0.0 => ending.because(format!(
                "{} {} pinned, but not on B",
                names.subject(black),
                names.verb(black, "are", "is")
            )),
            "pinned" => ending.because(format!("{} {} pinned", names.subject(black), names.verb(black, "are", "is"))),
            "escaped" => ending.because(format!("{} man slipped past {} three", names.own(black), names.whose(white))),
            "stuck" => ending.because(format!("{} cannot move", names.subject(white))),
            "repetition" => {
                let why = ending.common_reason();
                ending.because(format!("{why}, which counts against {}", names.subject(white)))
            }
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Place(point) => format!("@{}", name(point)),
            Action::Move { from, to } => format!("{}-{}", name(from), name(to)),
        }
    }

    fn parse_action(&self, state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        let placed = || Some(Action::Place(parse(text.strip_prefix('@')?)?));
        let moved = || {
            let (from, to) = text.split_once('-')?;
            Some(Action::Move { from: parse(from)?, to: parse(to)? })
        };
        placed().or_else(moved).ok_or_else(|| {
            let expected = if state.black == 0 {
                "@ and a point A, 1 to 9 or B, such as @5"
            } else {
                "two points, A, 1 to 9 or B, with a hyphen between them, such as 3-5"
            };
            ParseError::new(text, expected)
        })
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let man = |row: usize, place: usize| {
            let point = bit(ROWS[row][place]);
            if state.white & point != 0 { Some('W') } else { (state.black & point != 0).then_some('B') }
        };
        format!("{} {}", write_rows(ROWS.map(<[Point]>::len), man), self.seat(state.to_act))
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, like W2/W1B2/W2")?;
        let (mut white, mut black): (Points, Points) = (0, 0);
        board.rows(ROWS.map(<[Point]>::len), "W or B", |row, place, symbol| {
            let men = match symbol {
                'W' => &mut white,
                'B' => &mut black,
                _ => return false,
            };
            *men |= bit(ROWS[row][place]);
            true
        })?;
        if white.count_ones() != 3 {
            return Err(board.error("three white men (W)"));
        }
        let n_black = black.count_ones();
        if n_black > 1 || n_black == 0 && !self.choose {
            return Err(board.error("one black man (B)"));
        }
        let seat = reader.peek();
        let to_act = self.side(reader.seat(2)?);
        if n_black == 0 && to_act == Side::White {
            return Err(seat.error("seat 0, which has still to put Black's man on a point"));
        }
        reader.end()?;
        Ok(SetUp::full(State::new(white, black, to_act)))
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        debug_assert!(!self.is_legal(state, seat, action), "a legal action was asked about");
        let taken = |point: Point| format!("a man stands on {} already", name(point));
        match action {
            Action::Place(_) if state.black != 0 => "Black's man is on the board already".into(),
            Action::Place(point) => taken(point),
            Action::Move { .. } if state.black == 0 => "Black's man must be put on a point first, such as @5".into(),
            Action::Move { from, .. } if state.movers() & bit(from) == 0 => {
                format!("no man of yours stands on {}", name(from))
            }
            Action::Move { from, to } if BESIDE[usize::from(from)] & bit(to) == 0 => {
                format!("no line goes from {} to {}", name(from), name(to))
            }
            Action::Move { to, .. } if state.free() & bit(to) == 0 => taken(to),
            Action::Move { from, to } => {
                debug_assert!(column(to) < column(from), "only going back is left");
                "White's men never go back".into()
            }
        }
    }
}

pub(super) fn name(point: Point) -> &'static str {
    NAMES[usize::from(point)]
}

pub(super) fn parse(text: &str) -> Option<Point> {
    NAMES.iter().position(|&name| name == text).map(|point| point as Point)
}
