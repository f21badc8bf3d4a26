//! Text in and out: `2-5` colours the edge between nodes 2 and 5, the smaller number first.

use raichi_core::game::Never;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::board::{ENDS, MAX_NODES, edge};
use super::rules::{Sim, State};

impl Notation for Sim {
    const ID: &'static str = "sim";
    const NAME: &'static str = "Sim";
    const BLURB: &'static str = "Draw lines between points, but never a triangle of your own colour.";
    const RULES: &'static str = include_str!("rules.md");

    fn params() -> Vec<ParamSpec> {
        vec![
            ParamSpec {
                name: "nodes",
                kind: ParamKind::int(3, MAX_NODES as u64),
                default: Some("6"),
                help: "Points, each joined to each other by a line.",
            },
            ParamSpec { name: "players", kind: ParamKind::int(2, 3), default: Some("2"), help: "How many play." },
            ParamSpec {
                name: "coalition",
                kind: ParamKind::Choice { options: &["none", "1-2"] },
                default: Some("none"),
                help: "With three players, the second and the third may play together against the first.",
            },
        ]
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let (n_nodes, n_seats) = (params.int("nodes") as u8, params.int("players") as u8);
        let coalition = params.choice("coalition") != "none";
        if coalition && n_seats == 2 {
            return Err(SpecError::conflict(
                "coalition",
                "1-2",
                "a coalition takes three players; with two it is none",
            ));
        }
        Ok(Sim { n_nodes, n_seats, coalition })
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White", "Blue"][seat].into()
    }

    fn action_text(&self, _state: &State, _seat: Seat, action: u8) -> String {
        let (a, b) = ENDS[usize::from(action)];
        format!("{}-{}", a + 1, b + 1)
    }

    fn parse_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<u8, ParseError> {
        let node = |text: &str| (0..self.n_nodes).find(|node| (node + 1).to_string() == text);
        text.split_once('-')
            .and_then(|(a, b)| Some((node(a)?, node(b)?)))
            .filter(|(a, b)| a < b)
            .map(|(a, b)| edge(a, b))
            .ok_or_else(|| {
                let n = self.n_nodes;
                ParseError::new(text, format!("two nodes from 1 to {n}, the smaller number first, such as 1-{n}"))
            })
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: u8) -> String {
        match state.colour(action) {
            Some(seat) => format!("{} has coloured that edge already", self.seat_name(seat)),
            None => "that edge is free".into(),
        }
    }
}
