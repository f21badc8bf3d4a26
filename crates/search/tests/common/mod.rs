//! Small games of which everything is known, for tests of agents.

#![allow(dead_code, unreachable_pub, reason = "each file of tests uses its own part")]

use std::time::Duration;

use raichi_core::encoding::{Block, Encoding, Layout};
use raichi_core::game::{Chance, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::{Information, SeatView};
use raichi_core::notation::{Notation, OutcomeText, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::path::{NoMemory, PathLimits, PathRules, Repetitions};
use raichi_core::picture::{Picture, Scene, Sketch, View};
use raichi_core::position::{PositionError, Reader, SetUp};
use raichi_core::random::{self, FastRng, Rng, stream};
use raichi_core::seat::{Seat, SeatSet, Viewer};
use raichi_core::toy::Toy;
use raichi_core::verdict::Ending;
use raichi_core::{Match, Playable};
use raichi_search::mcts::{Config, Mcts};
use raichi_search::{Advice, BareHost, Budget, CancelFlag, Evaluator, Host, Limits, Session};

/// A decision of a search with this budget, without clock and threads.
pub fn decide<G: Playable>(
    search: &mut impl Session<G>,
    view: &SeatView<'_, G>,
    budget: Budget,
    rng: &mut FastRng,
) -> Advice<G::Action> {
    let cancel = CancelFlag::default();
    search.decide(view, &Limits { budget, cancel: &cancel, host: &BareHost }, rng)
}

/// A host with threads, whose clock stands still.
pub struct Threads;

impl Host for Threads {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        std::thread::scope(|scope| jobs.iter_mut().for_each(|job| drop(scope.spawn(job))));
    }
}

/// What a new search of so many simulations advises `seat` to do now.
pub fn advise<G: Playable>(
    current: &Match<G>,
    seat: Seat,
    config: Config,
    simulations: u64,
    seed: u64,
) -> Advice<G::Action> {
    let mut rng = stream(seed, "test", 0);
    decide(&mut Mcts::new(config), &current.view(seat), Budget::simulations(simulations), &mut rng)
}

/// The same, timeless: what must not differ between equal searches.
pub fn findings<A: std::fmt::Debug>(advice: &Advice<A>) -> String {
    format!("{:?} {:?} {:?} {}", advice.action, advice.candidates, advice.line, advice.cost.simulations)
}

/// Says of every position of a game of two seats that seat 0 will get half a point.
pub struct Half;

impl<G: Game> Evaluator<G> for Half {
    fn value(&self, _game: &G, _state: &G::State, seat: Seat) -> f32 {
        [0.5, -0.5][seat]
    }
}

/// Values positions by their keys: as uneven as can be, and the same whenever a position comes up.
pub struct Noise;

impl<G: Game> Evaluator<G> for Noise {
    fn value(&self, game: &G, state: &G::State, seat: Seat) -> f32 {
        let facts = game.facts();
        let (low, high) = facts.payoff_range.unwrap_or((-100.0, 100.0));
        // What two seats get has the sum that it must have.
        let opposed = facts.n_seats == 2 && facts.payoff_sum.is_some();
        let drawn = random::mix(game.key(state) ^ if opposed { 0 } else { seat as u64 }) % 1000;
        let value = low + (high - low) * (drawn as f64 + 1.0) / 1002.0;
        (if opposed && seat == 1 { facts.payoff_sum.unwrap() - value } else { value }) as f32
    }
}

// What a test game need not have.
macro_rules! test_game {
    ($game:ty, $id:literal, $action:ty, $action_text:expr) => {
        impl Notation for $game {
            const ID: &'static str = $id;
            const NAME: &'static str = $id;
            const BLURB: &'static str = "";
            const RULES: &'static str = "";
            fn params() -> Vec<ParamSpec> {
                Vec::new()
            }
            fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
                unimplemented!("test games are made by hand")
            }
            const END_REASONS: &'static [&'static str] = &[];
            fn end_text(&self, _state: &Self::State, ending: &Ending<'_>) -> String {
                ending.in_common()
            }
            fn action_text(&self, _state: &Self::State, _seat: Seat, action: $action) -> String {
                $action_text(action)
            }
            fn parse_action(&self, state: &Self::State, seat: Seat, text: &str) -> Result<$action, ParseError> {
                let mut actions = Vec::new();
                self.legal_actions(state, seat, &mut actions);
                let named = |&action: &$action| $action_text(action) == text;
                actions.into_iter().find(named).ok_or_else(|| ParseError::new(text, "a legal action"))
            }
            fn position_text(&self, state: &Self::State, _viewer: Viewer) -> String {
                format!("{state:?}").replace(' ', "")
            }
            fn parse_position(&self, text: &str) -> Result<SetUp<Self::State>, PositionError> {
                Err(Reader::new(text).peek().error("no position: test games are played from the start"))
            }
        }

        impl View for $game {
            fn picture(&self, _scene: &Scene<'_, Self>, _viewer: Viewer) -> Picture {
                Picture::default()
            }
            fn path(&self, state: &Self::State, seat: Seat, action: $action) -> Vec<String> {
                vec![self.action_text(state, seat, action)]
            }
            fn sketch(&self, _scene: &Scene<'_, Self>, _viewer: Viewer) -> Sketch {
                Sketch::default()
            }
        }

        impl Encoding for $game {
            fn layout(&self) -> Layout {
                Layout::new([Block::to_act(2)])
            }
            fn observe(&self, _state: &Self::State, _seat: Seat, observation: &mut [i32]) {
                observation.fill(0);
            }
            fn n_actions(&self) -> u64 {
                16
            }
            fn action_number(&self, action: $action) -> u64 {
                action.into()
            }
            fn numbered_action(&self, _number: u64) -> Option<$action> {
                None
            }
        }
    };
}

/// The exact payoffs of a tree of brackets when each seat takes what pays it most, the first of equals.
pub fn exact(game: &Toy, state: u32) -> Vec<f64> {
    let children = |outcomes: Vec<u32>| {
        outcomes.into_iter().map(move |choice| {
            let mut next = state;
            game.apply(&mut next, 0, choice);
            exact(game, next)
        })
    };
    match game.phase(&state) {
        Phase::Over => game.payoffs(&state).as_slice().to_vec(),
        Phase::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(&state, &mut outcomes);
            let n = outcomes.len() as f64;
            let all: Vec<Vec<f64>> = children(outcomes.into_iter().map(|(outcome, _)| outcome).collect()).collect();
            (0..all[0].len()).map(|seat| all.iter().map(|payoffs| payoffs[seat]).sum::<f64>() / n).collect()
        }
        Phase::Act(seats) => {
            let seat = seats.first();
            let mut actions = Vec::new();
            game.legal_actions(&state, seat, &mut actions);
            let better = |best: Vec<f64>, next: Vec<f64>| if next[seat] > best[seat] { next } else { best };
            children(actions).reduce(better).expect("a node has children")
        }
    }
}

/// A tree of brackets drawn at random, in text; `depth` is how deep it may be. With two seats payoffs are often equal,
/// with three hardly ever: there rational play would not be one thing.
pub fn random_tree(rng: &mut FastRng, n_seats: usize, chance: bool, depth: u32) -> String {
    if depth == 0 || random::index(rng, 6) == 0 {
        let (n, range) = if n_seats == 2 { (1, 4) } else { (n_seats, 100_000) };
        let payoff = |rng: &mut FastRng| (random::index(rng, 2 * range + 1) as i32 - range as i32).to_string();
        return (0..n).map(|_| payoff(rng)).collect::<Vec<_>>().join(",");
    }
    let brackets = ["()", "[]", "<>", "{}"];
    let kinds = n_seats + usize::from(chance);
    let kind = match random::index(rng, kinds) {
        seat if seat < n_seats => seat,
        _ => 3,
    };
    let n_children = 1 + random::index(rng, 4);
    let children: Vec<String> = (0..n_children).map(|_| random_tree(rng, n_seats, chance, depth - 1)).collect();
    format!("{}{}{}", &brackets[kind][..1], children.join(" "), &brackets[kind][1..])
}

/// Kuhn's poker: three cards, one each, one bet of 1 beside an ante of 1. Its value for the first seat is −1/18.
#[derive(Clone, Debug)]
pub struct Kuhn;

/// The cards dealt so far, and whether each action was a bet (or call) rather than a check (or fold).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct KuhnState {
    pub cards: [Option<u8>; 2],
    pub bets: [Option<bool>; 3],
}

impl KuhnState {
    fn n_actions(&self) -> usize {
        self.bets.iter().flatten().count()
    }
}

impl Game for Kuhn {
    type State = KuhnState;
    type Action = bool;
    type Outcome = u8;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        Facts { chance: true, hidden: true, payoff_range: Some((-2.0, 2.0)), ..Facts::TWO_SEATS }
    }
    fn initial_state(&self) -> KuhnState {
        KuhnState::default()
    }
    fn phase(&self, state: &KuhnState) -> Phase {
        if state.cards.contains(&None) {
            return Phase::Chance;
        }
        match state.bets {
            [None, ..] => Phase::seat(0),
            [Some(_), None, _] => Phase::seat(1),
            [Some(false), Some(true), None] => Phase::seat(0),
            _ => Phase::Over,
        }
    }
    fn legal_actions(&self, _state: &KuhnState, _seat: Seat, actions: &mut Vec<bool>) {
        actions.extend([false, true]);
    }
    fn apply(&self, state: &mut KuhnState, _seat: Seat, action: bool) {
        state.bets[state.n_actions()] = Some(action);
    }
    fn payoffs(&self, state: &KuhnState) -> Payoffs {
        let showdown = usize::from(state.cards[1] > state.cards[0]);
        let (winner, stake) = match state.bets {
            [Some(false), Some(false), _] => (showdown, 1.0),
            [Some(true), Some(true), _] | [_, Some(true), Some(true)] => (showdown, 2.0),
            [Some(true), Some(false), _] => (0, 1.0),
            [Some(false), Some(true), Some(false)] => (1, 1.0),
            _ => return Payoffs::zero(2),
        };
        Payoffs::new((0..2).map(|seat| if seat == winner { stake } else { -stake }))
    }
    fn end_reason(&self, _state: &KuhnState) -> &'static str {
        "pot"
    }
}

impl Chance<Kuhn> for u8 {
    fn list(_game: &Kuhn, state: &KuhnState, outcomes: &mut Vec<(u8, u64)>) {
        outcomes.extend((0..3).filter(|&card| state.cards[0] != Some(card)).map(|card| (card, 1)));
    }
    fn happen(self, _game: &Kuhn, state: &mut KuhnState) {
        let seat = state.cards.iter().position(Option::is_none).expect("a card is missing");
        state.cards[seat] = Some(self);
    }
}

impl OutcomeText<Kuhn> for u8 {
    fn text(self, _game: &Kuhn, _state: &KuhnState) -> String {
        format!("~{}", ["J", "Q", "K"][usize::from(self)])
    }
    fn parse(game: &Kuhn, state: &KuhnState, text: &str) -> Result<u8, ParseError> {
        (0..3).find(|card: &u8| card.text(game, state) == text).ok_or_else(|| ParseError::new(text, "~J, ~Q or ~K"))
    }
}

impl Information for Kuhn {
    fn sees_outcome(&self, state: &KuhnState, _outcome: u8, viewer: Viewer) -> bool {
        viewer.is(usize::from(state.cards[0].is_some()))
    }
    fn determinize<R: Rng + ?Sized>(&self, state: &KuhnState, seat: Seat, rng: &mut R) -> KuhnState {
        let mut drawn = *state;
        if let Some(own) = state.cards[seat] {
            // The unseen cards in a fixed order: the draw must not depend on what is there.
            let unseen: Vec<u8> = (0..3).filter(|&card| card != own).collect();
            let other = &mut drawn.cards[1 - seat];
            *other = other.map(|_| unseen[random::index(rng, 2)]);
        }
        drawn
    }
}

fn bet_text(bet: bool) -> String {
    if bet { "bet".into() } else { "pass".into() }
}

test_game!(Kuhn, "kuhn", bool, bet_text);

/// Two seats choose a row and a column at the same time, and the matrix says what seat 0 gets from seat 1.
#[derive(Clone, Debug)]
pub struct Matrix(pub Vec<Vec<f64>>);

impl Game for Matrix {
    type State = [Option<u8>; 2];
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        let all = || self.0.iter().flatten().map(|x| x.abs());
        let most = all().fold(0.0, f64::max);
        Facts { hidden: true, simultaneous: true, payoff_range: Some((-most, most)), ..Facts::TWO_SEATS }
    }
    fn initial_state(&self) -> Self::State {
        [None; 2]
    }
    fn phase(&self, state: &Self::State) -> Phase {
        let to_act: SeatSet = (0..2).filter(|&seat| state[seat].is_none()).collect();
        if to_act.is_empty() { Phase::Over } else { Phase::Act(to_act) }
    }
    fn legal_actions(&self, _state: &Self::State, seat: Seat, actions: &mut Vec<u8>) {
        let n = if seat == 0 { self.0.len() } else { self.0[0].len() };
        actions.extend(0..n as u8);
    }
    fn apply(&self, state: &mut Self::State, seat: Seat, action: u8) {
        state[seat] = Some(action);
    }
    fn payoffs(&self, state: &Self::State) -> Payoffs {
        let [Some(row), Some(column)] = *state else { return Payoffs::zero(2) };
        let payoff = self.0[usize::from(row)][usize::from(column)];
        Payoffs::new([payoff, -payoff])
    }
    fn end_reason(&self, _state: &Self::State) -> &'static str {
        "chosen"
    }
}

impl Information for Matrix {
    fn sees_action(&self, _state: &Self::State, seat: Seat, _action: u8, viewer: Viewer) -> bool {
        viewer.is(seat)
    }
    fn determinize<R: Rng + ?Sized>(&self, state: &Self::State, seat: Seat, rng: &mut R) -> Self::State {
        let mut drawn = *state;
        if state.contains(&None) {
            let other = 1 - seat;
            let n = if other == 0 { self.0.len() } else { self.0[0].len() };
            drawn[other] = state[other].map(|_| random::index(rng, n) as u8);
        }
        drawn
    }
}

fn number_text(action: u8) -> String {
    action.to_string()
}

test_game!(Matrix, "matrix", u8, number_text);

/// A walk over a graph: at each node a seat chooses where to go on, the dead ends pay, and a node that occurs too often ends
/// the game and pays too. Positions come back on many ways, and are worth different things on them.
#[derive(Clone, Debug)]
pub struct Walk {
    /// By node: who chooses, where it may go, and what seat 0 gets if the game ends there.
    pub nodes: Vec<(Seat, Vec<u8>, f64)>,
    pub occurrences: u8,
}

impl Walk {
    /// A graph drawn at random.
    pub fn random(rng: &mut FastRng) -> Walk {
        let n = 4 + random::index(rng, 4);
        let node = |rng: &mut FastRng| {
            let n_edges = if random::index(rng, 4) == 0 { 0 } else { 1 + random::index(rng, 3) };
            let mut edges: Vec<u8> = (0..n_edges).map(|_| random::index(rng, n) as u8).collect();
            edges.sort_unstable();
            edges.dedup();
            (random::index(rng, 2), edges, random::index(rng, 3) as f64 - 1.0)
        };
        let mut nodes: Vec<_> = (0..n).map(|_| node(rng)).collect();
        nodes[0].1 = (1..n as u8).take(3).collect();
        Walk { nodes, occurrences: 2 + random::index(rng, 2) as u8 }
    }
}

impl Game for Walk {
    type State = u8;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = Repetitions;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }
    fn initial_state(&self) -> u8 {
        0
    }
    fn phase(&self, &state: &u8) -> Phase {
        let (seat, edges, _) = &self.nodes[usize::from(state)];
        if edges.is_empty() { Phase::Over } else { Phase::seat(*seat) }
    }
    fn legal_actions(&self, &state: &u8, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(&self.nodes[usize::from(state)].1);
    }
    fn apply(&self, state: &mut u8, _seat: Seat, action: u8) {
        *state = action;
    }
    fn payoffs(&self, &state: &u8) -> Payoffs {
        let payoff = self.nodes[usize::from(state)].2;
        Payoffs::new([payoff, -payoff])
    }
    fn end_reason(&self, _state: &u8) -> &'static str {
        "dead end"
    }
}

impl PathRules for Walk {
    fn path_limits(&self) -> PathLimits {
        PathLimits { occurrences: self.occurrences, quiet_plies: None }
    }
    fn stage(&self, _state: &u8) -> u64 {
        0
    }
}

impl Information for Walk {}

test_game!(Walk, "walk", u8, number_text);
