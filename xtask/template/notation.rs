//! Text in and out: an action is the number of items taken, `1`, `2`, `3`; a position is the items left and the seat to
//! act, `7 1`.

use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{State, TakeAway};

impl Notation for TakeAway {
    const ID: &'static str = "take-away";
    const NAME: &'static str = "Take Away";
    const BLURB: &'static str = "One heap, a few items at a time: take the last one and win.";
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["last-item"];

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec { name: "size", kind: ParamKind::int(1, 99), default: Some("12"), help: "Items on the heap." },
            ParamSpec {
                name: "take",
                kind: ParamKind::int(1, 99),
                default: Some("3"),
                help: "The most items taken at once.",
            },
            ParamSpec {
                name: "misere",
                kind: ParamKind::Bool,
                default: Some("false"),
                help: "Whether taking the last item loses.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(TakeAway { size: params.int("size") as u8, most: params.int("take") as u8, misere: params.bool("misere") })
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "last-item" if self.misere => {
                ending.because(format!("{} took the last item", ending.names.subject(ending.losers()[0])))
            }
            "last-item" => format!("{} by taking the last item", ending.headline()),
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        action.to_string()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        let canonical = !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        let count = text.parse().ok().filter(|_| canonical);
        count.ok_or_else(|| ParseError::new(text, "how many items to take, such as 1"))
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        format!("{} {}", state.items, state.to_act)
    }

    // More than `size` items would be no position of this game: the picture and the observation have no room for them.
    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let items = reader.field("the items left")?.number(0..=self.size.into())? as u8;
        let to_act = reader.seat(2)? as u8;
        reader.end()?;
        Ok(SetUp::full(State { items, to_act }))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: u8) -> String {
        if action > state.items {
            format!("there are only {} on the heap", state.items)
        } else {
            format!("at most {} are taken at once", self.most)
        }
    }
}
