//! Text in and out: `c3-c5`, `*d4`, `c3:d3`, `a1` at the bottom left (and not on the board).

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError, squares};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::board::{BOARD, Cell, SIZE, bit, cell, column_and_row, distance};
use super::rules::{Action, Focus, Rule, State};

impl Notation for Focus {
    const ID: &'static str = "focus";
    const NAME: &'static str = "Focus";
    const BLURB: &'static str = "Pile upon pile: whoever is on top commands, and as high as it is, so far it goes.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![ParamSpec {
            name: "rule",
            kind: ParamKind::Choice { options: &["none", "draw-wins", "exchange"] },
            default: Some("none"),
            help: "Against symmetric play: nothing, a draw is won by Red, or each exchanges two pieces first.",
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

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, seat: Seat, action: Action) -> String {
        let exchanging = state.position.exchanges_left > 0;
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

pub(super) fn text(at: Cell) -> String {
    let (column, row) = column_and_row(at);
    squares::text(column.into(), row.into())
}

pub(super) fn parse(text: &str) -> Option<Cell> {
    let (column, row) = squares::parse(text, SIZE.into(), SIZE.into())?;
    Some(cell(column as u8, row as u8)).filter(|&at| BOARD & bit(at) != 0)
}
