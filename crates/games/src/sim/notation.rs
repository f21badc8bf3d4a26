//! Text in and out: `2-5` colours the edge between nodes 2 and 5, the smaller number first; positions node by node.

use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamKind, ParamSpec, Params, SpecError};
use raichi_core::position::{PositionError, Reader, SetUp, write_rows};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::board::{ENDS, MAX_NODES, edge};
use super::rules::{Sim, State};

pub(super) const COLOURS: [char; 3] = ['X', 'O', '#'];

impl Notation for Sim {
    const ID: &'static str = "sim";
    const NAME: &'static str = "Sim";
    const BLURB: &'static str = "Draw lines between points, but never a triangle of your own colour.";
    const ALIASES: &'static [&'static str] = &["triangle game", "Ramsey game", "Hexi"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["triangle", "full"];

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

    fn end_text(&self, state: &State, ending: &Ending<'_>) -> String {
        let losers: Vec<Seat> = (0..self.n_seats.into()).filter(|&seat| !state.still_in.contains(seat)).collect();
        let triangles = if losers.len() > 1 { "triangles" } else { "a triangle" };
        match ending.reason {
            "triangle" => ending.because(format!("{} completed {triangles}", ending.names.list(&losers))),
            "full" => ending.because("all lines are drawn"),
            _ => ending.in_common(),
        }
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

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let colour = |row: usize, a: usize| state.colour(edge(a as u8, row as u8 + 1)).map(|seat| COLOURS[seat]);
        format!("{} {}", write_rows(1..self.n_nodes.into(), colour), state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let edges = reader.field("for each node from 2 on its edges to the smaller ones, like X/1O/3")?;
        let n_seats = usize::from(self.n_seats);
        let symbols = ["X or O", "X, O or #"][n_seats - 2];
        let mut coloured = Vec::new();
        edges.rows(1..self.n_nodes.into(), symbols, |row, a, symbol| {
            let seat = COLOURS[..n_seats].iter().position(|&colour| colour == symbol);
            seat.inspect(|&seat| coloured.push((seat, edge(a as u8, row as u8 + 1)))).is_some()
        })?;
        let actor = reader.peek();
        let to_act = reader.seat(n_seats)?;
        reader.end()?;
        let state = self.position(coloured, to_act as u8);
        if self.coalition && state.still_in.len() < 2 {
            return Err(edges.error("triangles of one player only: the first one ends the game of a coalition"));
        }
        if state.still_in.is_empty() {
            return Err(edges.error("somebody without a triangle"));
        }
        if !state.still_in.contains(to_act) {
            return Err(actor.error("a seat without a triangle"));
        }
        Ok(SetUp::full(state))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: u8) -> String {
        match state.colour(action) {
            Some(seat) => format!("{} has coloured that edge already", self.seat_name(seat)),
            None => "that edge is free".into(),
        }
    }
}
