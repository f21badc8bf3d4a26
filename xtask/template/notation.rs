//! Text in and out: an action is the number of items taken, `1`, `2`, `3`.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::rules::{State, TakeAway};

impl Notation for TakeAway {
    const ID: &'static str = "take-away";
    const NAME: &'static str = "Take Away";
    const BLURB: &'static str = "One heap, a few items at a time: whoever takes the last one wins.";
    const RULES: &'static str = include_str!("rules.md");

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

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        action.to_string()
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        let canonical = !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        let count = text.parse().ok().filter(|_| canonical);
        count.ok_or_else(|| ParseError::new(text, "how many items to take, such as 1"))
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: u8) -> String {
        if action > state.items {
            format!("there are only {} on the heap", state.items)
        } else {
            format!("at most {} are taken at once", self.most)
        }
    }
}
