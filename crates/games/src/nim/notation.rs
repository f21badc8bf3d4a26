//! Text in and out: `b3` takes three items from heap b.

use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError, Value};
use raichi_core::position::{PositionError, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::rules::{Nim, State};
use crate::heaps::{HEAPS, SIZE, SIZES, Setup, Take, sizes};

/// The default of `max` where the largest heap holds more.
const USUAL_MAX: u64 = 5;

impl Notation for Nim {
    const ID: &'static str = "nim";
    const NAME: &'static str = "Nim";
    const BLURB: &'static str = "Take sticks from one heap; the last stick decides. Solved, and still full of traps.";
    const ALIASES: &'static [&'static str] = &["matches", "sticks", "Marienbad"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["last-item"];

    fn params() -> Vec<ParamSpec> {
        let max = ParamSpec {
            name: "max",
            kind: ParamKind::int(0, 255),
            default: None,
            help: "How many sticks may be taken at once, 0 for the whole heap; 5 or the largest heap where not given.",
        };
        let misere = ParamSpec {
            name: "misere",
            kind: ParamKind::Bool,
            default: Some("false"),
            help: "The player who takes the last stick loses.",
        };
        vec![HEAPS, SIZE, max, SIZES, misere]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let sizes = sizes(params)?;
        let largest = sizes.iter().copied().map(u64::from).max().expect("there is at least one heap");
        params.set_default("max", Value::Int(USUAL_MAX.min(largest)));
        let limit = match params.int("max") {
            0 => u8::MAX,
            max if max > largest => {
                let why = format!("the largest heap has {largest}, so max is at most {largest}, or 0 for no limit");
                return Err(SpecError::conflict("max", max, why));
            }
            max => max as u8,
        };
        Ok(Nim { setup: Setup::new(&sizes, limit), misere: params.bool("misere") })
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White"][seat].into()
    }

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "last-item" if self.misere => {
                ending.because(format!("{} had to take the last stick", ending.names.subject(ending.losers()[0])))
            }
            "last-item" => format!("{} by taking the last stick", ending.headline()),
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
        let (heaps, to_act) = self.setup.parse_position(text, 2)?;
        Ok(SetUp::full(State { heaps, to_act: to_act as u8 }))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Take) -> String {
        self.setup.why_illegal(&state.heaps, action)
    }
}
