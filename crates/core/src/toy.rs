//! A game written as a tree of brackets, for tests of algorithms: `[ (3 5) {2 9} ]`.
//!
//! `(…)` is a node of seat 0, `[…]` of seat 1, `<…>` of seat 2, `{…}` of chance, its outcomes equally likely. A leaf is
//! a number, what seat 0 gets (seat 1 gets its negative), or numbers with commas between them, one a seat: `1,0,0`.

use std::sync::Arc;

use crate::encoding::{Block, Encoding, Layout};
use crate::game::{Chance, Facts, Game, Payoffs, Phase};
use crate::information::Information;
use crate::notation::{Notation, OutcomeText, ParseError};
use crate::params::{ParamSpec, Params, SpecError};
use crate::path::NoMemory;
use crate::picture::{Picture, Scene, Sketch, View};
use crate::position::{PositionError, Reader, SetUp};
use crate::seat::{Seat, Viewer};
use crate::verdict::Ending;

/// A tree of brackets.
#[derive(Clone, Debug)]
pub struct Toy {
    nodes: Arc<Vec<Node>>,
    facts: Facts,
}

#[derive(Debug)]
enum Node {
    Leaf(Payoffs),
    Inner { phase: Phase, children: Vec<u32> },
}

impl Toy {
    /// Reads a tree.
    ///
    /// # Panics
    /// When the text is not one: toys are written in tests, by hand.
    pub fn new(text: &str) -> Toy {
        let mut tokens = Vec::new();
        for c in text.chars() {
            match c {
                '(' | ')' | '[' | ']' | '<' | '>' | '{' | '}' => tokens.push(c.to_string()),
                c if c.is_whitespace() => tokens.push(String::new()),
                c => match tokens.last_mut() {
                    Some(last) if last.is_empty() || last.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                        last.push(c);
                    }
                    _ => tokens.push(c.to_string()),
                },
            }
        }
        tokens.retain(|token| !token.is_empty());
        let mut nodes = Vec::new();
        let mut rest = tokens.as_slice();
        read(&mut rest, &mut nodes);
        assert!(rest.is_empty(), "something follows the tree in {text}");
        Toy { facts: facts(&nodes), nodes: Arc::new(nodes) }
    }
}

// Children are pushed before their parent, so the root comes last.
fn read(rest: &mut &[String], nodes: &mut Vec<Node>) -> u32 {
    let (token, tail) = rest.split_first().expect("the tree is complete");
    *rest = tail;
    let (phase, close) = match token.as_str() {
        "(" => (Phase::seat(0), ")"),
        "[" => (Phase::seat(1), "]"),
        "<" => (Phase::seat(2), ">"),
        "{" => (Phase::Chance, "}"),
        leaf => {
            let numbers: Vec<f64> = leaf.split(',').map(|x| x.parse().expect("leaves are numbers")).collect();
            let payoffs = if let [x] = numbers[..] { Payoffs::new([x, -x]) } else { Payoffs::new(numbers) };
            nodes.push(Node::Leaf(payoffs));
            return nodes.len() as u32 - 1;
        }
    };
    let mut children = Vec::new();
    while rest.first().expect("brackets close") != close {
        children.push(read(rest, nodes));
    }
    *rest = &rest[1..];
    nodes.push(Node::Inner { phase, children });
    nodes.len() as u32 - 1
}

fn facts(nodes: &[Node]) -> Facts {
    let leaves: Vec<&Payoffs> =
        nodes.iter().filter_map(|node| if let Node::Leaf(payoffs) = node { Some(payoffs) } else { None }).collect();
    let sum = |payoffs: &Payoffs| payoffs.as_slice().iter().sum::<f64>();
    let all = || leaves.iter().flat_map(|payoffs| payoffs.as_slice().iter().copied());
    Facts {
        n_seats: leaves[0].as_slice().len(),
        chance: nodes.iter().any(|node| matches!(node, Node::Inner { phase: Phase::Chance, .. })),
        hidden: false,
        simultaneous: false,
        path_dependent: false,
        payoff_sum: leaves.iter().all(|leaf| sum(leaf) == sum(leaves[0])).then(|| sum(leaves[0])),
        payoff_range: Some((all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max))),
        draws: leaves.iter().any(|leaf| leaf.as_slice().iter().all(|payoff| *payoff == leaf.as_slice()[0])),
    }
}

impl Game for Toy {
    type State = u32;
    type Action = u32;
    type Outcome = u32;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        self.facts
    }

    fn initial_state(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    fn phase(&self, &state: &u32) -> Phase {
        match self.nodes[state as usize] {
            Node::Leaf(_) => Phase::Over,
            Node::Inner { phase, .. } => phase,
        }
    }

    fn legal_actions(&self, &state: &u32, _seat: Seat, actions: &mut Vec<u32>) {
        if let Node::Inner { children, .. } = &self.nodes[state as usize] {
            actions.extend(0..children.len() as u32);
        }
    }

    fn apply(&self, state: &mut u32, _seat: Seat, action: u32) {
        if let Node::Inner { children, .. } = &self.nodes[*state as usize] {
            *state = children[action as usize];
        }
    }

    fn payoffs(&self, &state: &u32) -> Payoffs {
        match &self.nodes[state as usize] {
            Node::Leaf(payoffs) => payoffs.clone(),
            Node::Inner { .. } => Payoffs::zero(self.facts.n_seats),
        }
    }

    fn end_reason(&self, _state: &u32) -> &'static str {
        "leaf"
    }
}

impl Chance<Toy> for u32 {
    fn list(game: &Toy, &state: &u32, outcomes: &mut Vec<(u32, u64)>) {
        if let Node::Inner { children, .. } = &game.nodes[state as usize] {
            outcomes.extend((0..children.len() as u32).map(|i| (i, 1)));
        }
    }

    fn happen(self, game: &Toy, state: &mut u32) {
        game.apply(state, 0, self);
    }
}

impl Information for Toy {}

/// Actions and outcomes are called by their number, from 0; a position by its node's.
impl Notation for Toy {
    const ID: &'static str = "toy";
    const NAME: &'static str = "Toy";
    const BLURB: &'static str = "A tree of brackets.";
    const RULES: &'static str = "";
    const END_REASONS: &'static [&'static str] = &["leaf"];

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    /// # Errors
    /// Always: toys are written in tests, by hand.
    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Err(SpecError::UnknownGame { id: "toy".into(), meant: String::new(), known: "no toy".into() })
    }

    fn end_text(&self, _state: &u32, ending: &Ending<'_>) -> String {
        ending.because("this leaf is reached")
    }

    fn action_text(&self, _state: &u32, _seat: Seat, action: u32) -> String {
        action.to_string()
    }

    fn parse_action(&self, _state: &u32, _seat: Seat, text: &str) -> Result<u32, ParseError> {
        text.parse().map_err(|_| ParseError::new(text, "the number of a branch"))
    }

    fn position_text(&self, state: &u32, _viewer: Viewer) -> String {
        state.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<u32>, PositionError> {
        let node = Reader::new(text).field("a node")?.number(0..=self.nodes.len() as u64 - 1)?;
        Ok(SetUp::full(node as u32))
    }
}

impl OutcomeText<Toy> for u32 {
    fn text(self, _game: &Toy, _state: &u32) -> String {
        format!("~{self}")
    }

    fn parse(_game: &Toy, _state: &u32, text: &str) -> Result<u32, ParseError> {
        let number = text.strip_prefix('~').and_then(|number| number.parse().ok());
        number.ok_or_else(|| ParseError::new(text, "~ and the number of a branch"))
    }
}

impl View for Toy {
    fn picture(&self, _scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
        Picture::default()
    }

    fn path(&self, _state: &u32, _seat: Seat, action: u32) -> Vec<String> {
        vec![action.to_string()]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
        let mut sketch = Sketch::default();
        sketch.text(format!("node {}", scene.state)).end_line();
        sketch
    }
}

impl Encoding for Toy {
    fn layout(&self) -> Layout {
        Layout::new([Block::amounts("node", 1, self.nodes.len() as i32 - 1, "nodes before it")])
    }

    fn observe(&self, &state: &u32, _seat: Seat, observation: &mut [i32]) {
        observation[0] = state as i32;
    }

    fn n_actions(&self) -> u64 {
        let children = |node: &Node| if let Node::Inner { children, .. } = node { children.len() } else { 0 };
        self.nodes.iter().map(children).max().unwrap_or(0) as u64
    }

    fn action_number(&self, action: u32) -> u64 {
        action.into()
    }

    fn numbered_action(&self, number: u64) -> Option<u32> {
        (number < self.n_actions()).then_some(number as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathGame;
    use crate::perft::perft;

    #[test]
    fn trees_are_read() {
        let toy = PathGame::from(Toy::new("( [3 -5] {2 9 1} 7 )"));
        assert_eq!(perft(&toy, &toy.initial_state(), 1), 3);
        assert_eq!(perft(&toy, &toy.initial_state(), 2), 5);
        assert_eq!(toy.facts().payoff_range, Some((-9.0, 9.0)));
        let mut state = toy.initial_state();
        toy.apply(&mut state, 0, 0);
        toy.apply(&mut state, 1, 1);
        assert_eq!(toy.payoffs(&state), Payoffs::new([-5.0, 5.0]));
        assert_eq!(Toy::new("(1,0,0 <0,1,0 0,0,1>)").facts().n_seats, 3);
    }
}
