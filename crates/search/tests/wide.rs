//! Positions with thousands of actions: what a decision does with each of them must not grow with the number of the others.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use raichi_core::Match;
use raichi_core::encoding::{Block, Encoding, Layout};
use raichi_core::game::{Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::path::{NoMemory, PathGame};
use raichi_core::picture::{Picture, Scene, Sketch, View};
use raichi_core::position::{PositionError, Reader, SetUp};
use raichi_core::random::stream;
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;
use raichi_search::Budget;
use raichi_search::mcts::{Config, Mcts};

use crate::common::decide;

/// How often two actions were compared.
static COMPARED: AtomicU64 = AtomicU64::new(0);

/// An action that counts how often it is compared with another one.
#[derive(Clone, Copy, Debug)]
struct Counted(u32);

impl PartialEq for Counted {
    fn eq(&self, other: &Counted) -> bool {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        self.0 == other.0
    }
}
impl Eq for Counted {}
impl Hash for Counted {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}
impl From<Counted> for u64 {
    fn from(action: Counted) -> u64 {
        action.0.into()
    }
}

/// Each seat chooses once, among so many actions; chosen alike the first wins.
#[derive(Clone, Debug)]
struct Wide(u32);

impl Game for Wide {
    /// What was chosen, each more by 1; 0 is nothing yet.
    type State = [u32; 2];
    type Action = Counted;
    type Outcome = Never;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }
    fn initial_state(&self) -> [u32; 2] {
        [0; 2]
    }
    fn phase(&self, state: &[u32; 2]) -> Phase {
        state.iter().position(|&chosen| chosen == 0).map_or(Phase::Over, Phase::seat)
    }
    fn legal_actions(&self, _state: &[u32; 2], _seat: Seat, actions: &mut Vec<Counted>) {
        actions.extend((0..self.0).map(Counted));
    }
    fn apply(&self, state: &mut [u32; 2], seat: Seat, action: Counted) {
        state[seat] = action.0 + 1;
    }
    fn payoffs(&self, state: &[u32; 2]) -> Payoffs {
        let payoff = if state[0] == state[1] { 1.0 } else { -1.0 };
        Payoffs::new([payoff, -payoff])
    }
    fn end_reason(&self, _state: &[u32; 2]) -> &'static str {
        "both have chosen"
    }
}

impl Information for Wide {}

test_game!(Wide, "wide", Counted, |action: Counted| action.0.to_string());

/// How often actions are compared in a decision among so many.
fn compared(n_actions: u32) -> u64 {
    let current = Match::new(PathGame::from(Wide(n_actions)));
    let mut search = Mcts::new(Config { memory: 4 << 20, ..Config::default() });
    let before = COMPARED.load(Ordering::Relaxed);
    let advice = decide(&mut search, &current.view(0), Budget::simulations(10), &mut stream(1, "wide", 0));
    assert_eq!(advice.candidates.len(), n_actions as usize);
    let visits: u64 = advice.candidates.iter().filter_map(|candidate| candidate.visits).sum();
    assert_eq!(visits, 10, "what was found out about an action stands beside it");
    COMPARED.load(Ordering::Relaxed) - before
}

#[test]
fn a_decision_among_thousands_of_actions_compares_each_a_few_times() {
    let n_actions = 5000;
    let n_compared = compared(n_actions);
    assert!(n_compared < 20 * u64::from(n_actions), "{n_compared} times");
}
