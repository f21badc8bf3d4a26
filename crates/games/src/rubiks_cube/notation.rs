//! Text in and out: Singmaster's `U`, `U'` and `U2`; the scramble's twists are `~U`.

use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::face::{Face, Twist};
use super::rules::{RubiksCube, State};

/// How one, two and three quarter turns are written behind the face.
const TURNS: [&str; 3] = ["", "2", "'"];

fn text(twist: Twist) -> String {
    format!("{}{}", twist.face().letter(), TURNS[usize::from(twist.quarters()) - 1])
}

fn parse(text: &str) -> Option<Twist> {
    let face = Face::ALL.into_iter().find(|face| text.starts_with(face.letter()))?;
    let turns = TURNS.iter().position(|&turns| turns == &text[1..])?;
    Some(Twist::new(face, turns as u8 + 1))
}

impl RubiksCube {
    /// What a twist looks like here.
    fn expected(&self) -> String {
        let faces: String = self.faces().iter().map(|face| face.letter()).collect();
        let turns = if self.half_turns { "', 2 or nothing" } else { "' or nothing" };
        format!("one of {faces}, then {turns}, such as R'")
    }
}

impl Notation for RubiksCube {
    const ID: &'static str = "rubiks-cube";
    const NAME: &'static str = "Rubik's Cube";
    const BLURB: &'static str = "Six faces in disorder: bring each back to one colour, in as few twists as you can.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec { name: "size", kind: ParamKind::int(2, 3), default: Some("2"), help: "Cubies a side." },
            ParamSpec {
                name: "metric",
                kind: ParamKind::Choice { options: &["htm", "qtm"] },
                default: Some("htm"),
                help: "Whether a half turn is one twist (htm) or has to be made of two (qtm).",
            },
            ParamSpec {
                name: "scramble",
                kind: ParamKind::int(0, 100),
                default: Some("11"),
                help: "How many random twists the cube gets first.",
            },
            ParamSpec {
                name: "limit",
                kind: ParamKind::int(1, 200),
                default: Some("20"),
                help: "The most twists you may make.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let half_turns = params.choice("metric") == "htm";
        let (size, scramble, limit) = (params.int("size"), params.int("scramble"), params.int("limit"));
        Ok(RubiksCube::new(size as u8, half_turns, scramble as u8, limit as u8))
    }

    fn seat_name(&self, _seat: Seat) -> String {
        "Player".into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, twist: Twist) -> String {
        text(twist)
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Twist, ParseError> {
        parse(text).ok_or_else(|| ParseError::new(text, self.expected()))
    }

    fn outcome_text(&self, _state: &State, twist: Twist) -> String {
        format!("~{}", text(twist))
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Twist, ParseError> {
        let twist = text.strip_prefix('~').and_then(parse);
        twist.ok_or_else(|| ParseError::new(text, format!("~ and {}", self.expected())))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, twist: Twist) -> String {
        if self.faces().contains(&twist.face()) {
            "in the metric qtm a half turn is made of two twists".into()
        } else {
            "in a cube of size 2 only U, R and F turn, so that one corner stays where it is".into()
        }
    }
}
