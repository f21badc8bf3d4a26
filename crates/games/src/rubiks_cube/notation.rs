//! Text in and out: Singmaster's `U`, `U'` and `U2`; the scramble's twists are `~U`.

use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp};
use raichi_core::resignation::RESIGNED;
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Called, Ending, counted};

use super::cube::Cube;
use super::face::{Face, Twist};
use super::rules::{RubiksCube, State};

/// A longer word is no twist, not even with `~` before it.
const LONGEST_TWIST: usize = 3;

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
    const ALIASES: &'static [&'static str] = &["Rubik", "magic cube", "pocket cube", "2x2x2", "3x3x3"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["solved", "limit"];

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

    fn seat_called(&self, _seat: Seat) -> Called {
        Called::one("the player")
    }

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let n = u64::from(state.n_twists);
        match ending.reason {
            "solved" => format!("solved in {}", counted(n, "twist", "twists")),
            "limit" => format!("not solved in {}, which is the limit", counted(n, "twist", "twists")),
            RESIGNED => format!("given up after {}", counted(n, "twist", "twists")),
            _ => format!("not solved: {}", ending.common_reason()),
        }
    }

    fn action_text(&self, _state: &State, _seat: Seat, twist: Twist) -> String {
        text(twist)
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Twist, ParseError> {
        parse(text).ok_or_else(|| ParseError::new(text, self.expected()))
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let facelets: String = self.in_order().map(|place| self.colour(state, place).letter()).collect();
        if state.to_scramble == 0 {
            return format!("{facelets} 0 twists={}", state.n_twists);
        }
        let just_twisted = state.just_twisted.map_or(String::new(), |face| format!(" just-twisted={}", face.letter()));
        format!("{facelets} ~{}{just_twisted}", state.to_scramble)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let played = |cube| State { cube, to_scramble: 0, just_twisted: None, n_twists: 0 };
        if reader.peek().text.len() <= LONGEST_TWIST {
            return self.after_scramble(reader).map(played).map(SetUp::full);
        }
        let mut state = played(self.parse_facelets(reader.field("the stickers' colours")?)?);
        if reader.is_at_end() {
            return Ok(SetUp::full(state));
        }
        let acts = reader.field("who acts")?;
        let to_scramble =
            acts.text.strip_prefix('~').and_then(|n| self.numbers_to_scramble().find(|m| m.to_string() == n));
        match to_scramble {
            Some(n) => {
                state.to_scramble = n;
                state.just_twisted = self.parse_just_twisted(&mut reader)?;
            }
            None if acts.text == "0" => {
                state.n_twists = reader.value("twists")?.number(0..=self.limit.into())? as u8;
            }
            None if self.scramble == 0 => return Err(acts.error("0, the player to act")),
            None => return Err(acts.error(format!("0 for the player, or ~1 to ~{} for the scramble", self.scramble))),
        }
        reader.end()?;
        Ok(SetUp::full(state))
    }

    fn why_illegal(&self, _state: &State, _seat: Seat, twist: Twist) -> String {
        if self.faces().contains(&twist.face()) {
            "in the metric qtm a half turn is made of two twists".into()
        } else {
            "in a cube of size 2 only U, R and F turn, so that one corner stays where it is".into()
        }
    }
}

impl OutcomeText<RubiksCube> for Twist {
    fn text(self, _game: &RubiksCube, _state: &State) -> String {
        format!("~{}", text(self))
    }

    fn parse(game: &RubiksCube, _state: &State, text: &str) -> Result<Twist, ParseError> {
        let twist = text.strip_prefix('~').and_then(parse);
        twist.ok_or_else(|| ParseError::new(text, format!("~ and {}", game.expected())))
    }
}

impl RubiksCube {
    /// How many twists chance may still have to make while it acts.
    fn numbers_to_scramble(&self) -> impl Iterator<Item = u8> + use<> {
        1..=self.scramble
    }

    fn parse_just_twisted(&self, reader: &mut Reader<'_>) -> Result<Option<Face>, PositionError> {
        let Some(field) = reader.optional_value("just-twisted") else { return Ok(None) };
        let faces = self.faces();
        let face = faces.iter().find(|face| field.text.chars().eq([face.letter()]));
        let letters: String = faces.iter().map(|face| face.letter()).collect();
        face.map(|&face| Some(face)).ok_or_else(|| field.error(format!("one of {letters}")))
    }

    /// The cube after these twists, as scrambles are written: `R U2 F'`, or `~R ~U2 ~F'` as in a history. Half turns are
    /// read in either metric.
    fn after_scramble(&self, mut reader: Reader<'_>) -> Result<Cube, PositionError> {
        let mut cube = Cube::SOLVED;
        let n_stickers = 6 * usize::from(self.size) * usize::from(self.size);
        loop {
            let field =
                reader.field(&format!("{n_stickers} letters for the stickers, or a scramble such as R U2 F'"))?;
            let twist = parse(field.text.strip_prefix('~').unwrap_or(field.text));
            let twist = twist.filter(|twist| self.faces().contains(&twist.face()));
            let faces: String = self.faces().iter().map(|face| face.letter()).collect();
            let expected = || format!("a twist: one of {faces}, then ', 2 or nothing");
            self.twist(&mut cube, twist.ok_or_else(|| field.error(expected()))?);
            if reader.is_at_end() {
                return Ok(cube);
            }
        }
    }
}
