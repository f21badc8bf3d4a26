//! Text in and out: `b3` takes three items from heap b.

use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{Nim3P, State};
use crate::heaps::{HEAPS, SIZE, SIZES, Setup, Take, sizes};

impl Notation for Nim3P {
    const ID: &'static str = "nim3p";
    const NAME: &'static str = "Nim3P";
    const BLURB: &'static str = "Nim for three: the player who sits after the one that takes the last stick wins.";
    const ALIASES: &'static [&'static str] = &["Nim for three", "three-player Nim", "matches", "sticks"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["last-item"];

    fn params() -> Vec<ParamSpec> {
        let extra = ParamSpec {
            name: "extra",
            kind: ParamKind::Bool,
            default: Some("true"),
            help: "The player after the winner gets 0.2.",
        };
        vec![HEAPS, SIZE, SIZES, extra]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        Ok(Nim3P { setup: Setup::new(&sizes(params)?, u8::MAX), extra: params.bool("extra") })
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "last-item" => {
                let taker = (ending.winners()[0] + 2) % 3;
                ending.because(format!("{} took the last stick", ending.names.subject(taker)))
            }
            _ => ending.in_common(),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: Take) -> String {
        self.setup.text(action)
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Take, ParseError> {
        self.setup.parse(text)
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        self.setup.position_text(&state.heaps, state.to_act.into())
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let (heaps, to_act) = self.setup.parse_position(text, 3)?;
        Ok(SetUp::full(State { heaps, to_act: to_act as u8 }))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Take) -> String {
        self.setup.why_illegal(&state.heaps, action)
    }
}
