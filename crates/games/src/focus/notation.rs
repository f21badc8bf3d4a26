//! Text in and out: `c3-c5`, `*d4`, `c3:d3`, `a1` at the bottom left (and not on the board).

use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::board::{BOARD, Cell, SIZE, START, bit, cell, column_and_row, distance, each};
use super::pile::{Pile, TALLEST};
use super::rules::{Action, Focus, MOST_QUIET_PLIES, Rule, State};

/// The pieces of the seats in a position's text.
const PIECES: [char; 2] = ['R', 'B'];
/// The most pieces a seat has.
pub(super) const MOST_PIECES: u8 = START[0].count_ones() as u8;

impl Notation for Focus {
    const ID: &'static str = "focus";
    const NAME: &'static str = "Focus";
    const BLURB: &'static str = "Pile upon pile: the player on top commands, and a pile of three moves three.";
    const ALIASES: &'static [&'static str] = &["Domination", "stacks", "draughts-like"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["stuck"];

    fn params() -> Vec<ParamSpec> {
        vec![ParamSpec {
            name: "rule",
            kind: ParamKind::Choice { options: &["none", "draw-wins", "exchange"] },
            default: Some("exchange"),
            help: "Against symmetric play: nothing, Red wins every draw, or each first exchanges two pieces.",
        }]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Focus::new(match params.choice("rule") {
            "draw-wins" => Rule::DrawWins,
            "exchange" => Rule::Exchange,
            _ => Rule::None,
        }))
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Red", "Black"][seat].into()
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        let by_rule = match self.rule {
            Rule::DrawWins => format!(", and a draw counts as a win for {}", ending.names.subject(0)),
            Rule::None | Rule::Exchange => String::new(),
        };
        match ending.reason {
            "stuck" => ending.because(format!("{} cannot move", ending.names.subject(ending.losers()[0]))),
            "no-progress" => {
                ending.because(format!("nothing was captured or brought in for {MOST_QUIET_PLIES} plies{by_rule}"))
            }
            _ => ending.because(format!("{}{by_rule}", ending.common_reason())),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Action) -> String {
        match action {
            Action::Move { from, to } => format!("{}-{}", text(from), text(to)),
            Action::Reserve { to } => format!("*{}", text(to)),
            Action::Exchange { own, foe } => format!("{}:{}", text(own), text(foe)),
        }
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, ParseError> {
        let exchange = |pair: (&str, &str)| Some(Action::Exchange { own: parse(pair.0)?, foe: parse(pair.1)? });
        let action = if let Some((from, to)) = text.split_once('-') {
            parse(from).zip(parse(to)).map(|(from, to)| Action::Move { from, to })
        } else if let Some(to) = text.strip_prefix('*') {
            parse(to).map(|to| Action::Reserve { to })
        } else {
            text.split_once(':').filter(|_| self.rule == Rule::Exchange).and_then(exchange)
        };
        action.ok_or_else(|| {
            let exchange = if self.rule == Rule::Exchange { ", an exchange such as c3:d3" } else { "" };
            ParseError::new(
                text,
                format!("cells of the board in a move such as c3-c5{exchange} or a reserve such as *d4"),
            )
        })
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let rows: Vec<String> = (0..SIZE).rev().map(|row| row_text(state, row)).collect();
        let [red, black] = state.reserves;
        let exchanges = match state.exchanges_left {
            0 => String::new(),
            n => format!(" exchanges={n}"),
        };
        format!("{} {} reserves={red}/{black}{exchanges}", rows.join("/"), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the board, row 8 first, like 4/6/8/3,RBB,1,B,2/8/8/6/4")?;
        let piles = parse_board(board)?;
        let to_act = reader.peek();
        let seat = reader.seat(2)?;
        let reserves = reader.optional_value("reserves").map_or(Ok([0; 2]), parse_reserves)?;
        let exchanges = if self.rule == Rule::Exchange { reader.optional_value("exchanges") } else { None };
        reader.end()?;
        let exchanges_left = exchanges.map_or(Ok(0), |field| field.number(1..=2))? as u8;
        let state = State::new(piles, reserves, seat as u8, exchanges_left);
        for (seat, piece) in PIECES.into_iter().enumerate() {
            let n = state.n_pieces_of(seat);
            if n > MOST_PIECES.into() {
                return Err(board.error(format!("at most {MOST_PIECES} pieces {piece} with the reserve, not {n}")));
            }
        }
        if exchanges_left > 0 {
            let singles = state.owned.map(|cells| cells.count_ones() as u8);
            if singles != [MOST_PIECES; 2] {
                let expected =
                    format!("{MOST_PIECES} single pieces of each colour until both exchanges have been made");
                return Err(board.error(expected));
            }
            if seat != 2 - usize::from(exchanges_left) {
                return Err(to_act.error("seat 0 with exchanges=2, seat 1 with exchanges=1"));
            }
        }
        Ok(SetUp::full(state))
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        let exchanging = state.exchanges_left > 0;
        match action {
            Action::Exchange { .. } if !exchanging => "both exchanges have been made".into(),
            Action::Exchange { own, .. } if state.owned[seat] & bit(own) == 0 => {
                format!("the piece on {} is not yours", text(own))
            }
            Action::Exchange { foe, .. } if state.owned[1 - seat] & bit(foe) == 0 => {
                format!("no enemy piece stands on {}", text(foe))
            }
            Action::Exchange { .. } => {
                "after it half a turn of the board would exchange the colours exactly, and that is barred".into()
            }
            _ if exchanging => "an exchange such as c3:d3 has to be chosen first".into(),
            Action::Reserve { .. } => "you have no piece in reserve".into(),
            Action::Move { from, .. } if state.owned[seat] & bit(from) == 0 => {
                format!("no pile of yours stands on {}", text(from))
            }
            Action::Move { from, to } if distance(from, to).is_none() => {
                format!(
                    "piles move along a row or a column, and {} and {} share neither or are the same cell",
                    text(from),
                    text(to)
                )
            }
            Action::Move { from, .. } => {
                format!(
                    "a pile goes at most as far as it is high, and that on {} is {} high",
                    text(from),
                    state.pile(from).height()
                )
            }
        }
    }
}

/// The cells of a row from the left.
pub(super) fn cells_of(row: u8) -> impl Iterator<Item = Cell> {
    each(BOARD & 0xff << (row * SIZE))
}

fn row_text(state: &State, row: u8) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut n_empty = 0;
    for pile in cells_of(row).map(|at| state.pile(at)).map(Some).chain([None]) {
        if pile == Some(Pile::EMPTY) {
            n_empty += 1;
            continue;
        }
        if n_empty > 0 {
            parts.push(n_empty.to_string());
        }
        n_empty = 0;
        parts.extend(pile.map(|pile| pile.pieces().map(|seat| PIECES[seat]).collect()));
    }
    parts.join(",")
}

fn parse_board(board: Field<'_>) -> Result<[Pile; 64], PositionError> {
    let mut piles = [Pile::EMPTY; 64];
    let mut rows = board.split('/');
    for row in (0..SIZE).rev() {
        let end = board.text.chars().count();
        let field = rows.next().ok_or_else(|| board.error_at(end, "8 rows with / between them, row 8 first"))?;
        parse_row(field, row, &mut piles)?;
    }
    match rows.next() {
        None => Ok(piles),
        Some(surplus) => Err(surplus.error("8 rows with / between them, row 8 first")),
    }
}

fn parse_row(field: Field<'_>, row: u8, piles: &mut [Pile; 64]) -> Result<(), PositionError> {
    let mut cells = cells_of(row);
    let length = cells_of(row).count();
    let too_many = |part: Field<'_>| part.error(format!("{length} cells in row {}", row + 1));
    for part in field.split(',') {
        if part.text.starts_with(|c: char| c.is_ascii_digit()) {
            let n_empty = part.number(1..=length as u64)? as usize;
            if cells.nth(n_empty - 1).is_none() {
                return Err(too_many(part));
            }
        } else {
            let at = cells.next().ok_or_else(|| too_many(part))?;
            piles[usize::from(at)] = parse_pile(part)?;
        }
    }
    let n_missing = cells.count();
    if n_missing > 0 {
        let end = field.text.chars().count();
        return Err(field.error_at(end, format!("{length} cells in row {}, {n_missing} more", row + 1)));
    }
    Ok(())
}

fn parse_pile(part: Field<'_>) -> Result<Pile, PositionError> {
    let mut pile = Pile::EMPTY;
    for (i, piece) in part.text.chars().enumerate() {
        let expected = || format!("1 to {TALLEST} pieces R or B from the top, or a number of empty cells");
        let seat = PIECES.iter().position(|&known| known == piece);
        pile = seat.and_then(|seat| pile.on(seat)).ok_or_else(|| part.error_at(i, expected()))?;
    }
    if pile == Pile::EMPTY {
        return Err(part.error_at(0, "a pile, from the top, or a number of empty cells"));
    }
    Ok(pile)
}

fn parse_reserves(field: Field<'_>) -> Result<[u8; 2], PositionError> {
    let numbers: Vec<Field<'_>> = field.split('/').collect();
    let [red, black] = numbers[..] else {
        return Err(field.error("Red's and Black's pieces in reserve, like 1/0"));
    };
    let number = |field: Field<'_>| field.number(0..=MOST_PIECES.into()).map(|n| n as u8);
    Ok([number(red)?, number(black)?])
}

pub(super) fn text(at: Cell) -> String {
    let (column, row) = column_and_row(at);
    squares::text(column.into(), row.into())
}

pub(super) fn parse(text: &str) -> Option<Cell> {
    let (column, row) = squares::parse(text, SIZE.into(), SIZE.into())?;
    Some(cell(column as u8, row as u8)).filter(|&at| BOARD & bit(at) != 0)
}
