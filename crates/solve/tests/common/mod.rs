//! What the solvers are compared with: the plainest forms of minimax, without tables, symmetries or bounds.

#![allow(unreachable_pub, reason = "tests export nothing")]

use std::collections::HashMap;
use std::time::Duration;

use raichi_core::game::{Chance, Facts, Game, Never, Payoffs, Phase};
use raichi_core::host::{CancelFlag, Host};
use raichi_core::path::{PathEnd, PathLimits, PathMemory, PathRules, Repetitions};
use raichi_core::random::{self, FastRng};
use raichi_core::seat::Seat;
use raichi_solve::{Exact, Solver, Unsolved, Work};

/// A host with threads, whose clock stands still.
pub struct Threads;

impl Host for Threads {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
        let Some((first, others)) = jobs.split_first_mut() else { return };
        std::thread::scope(|scope| {
            others.iter_mut().for_each(|job| drop(scope.spawn(job)));
            first();
        });
    }
}

/// So many threads and 16 MiB.
pub fn work(cancel: &CancelFlag, n_threads: usize) -> Work<'_> {
    Work { deadline: None, cancel, host: &Threads, n_threads, memory: 16 << 20, folder: None, progress: &|_| () }
}

/// Solves with so many threads and 16 MiB.
pub fn solve<G: Game>(solver: &dyn Solver<G>, position: &G::State, n_threads: usize) -> Result<Exact, Unsolved> {
    solve_within(solver, position, n_threads, 16 << 20)
}

/// Solves with so many threads and bytes.
pub fn solve_within<G: Game>(
    solver: &dyn Solver<G>,
    position: &G::State,
    n_threads: usize,
    memory: usize,
) -> Result<Exact, Unsolved> {
    solver.solve(position, &Work { memory, ..work(&CancelFlag::default(), n_threads) })
}

/// Whether both seats' payoffs always have the same sum, or there is one seat only.
pub fn is_opposed(facts: &Facts) -> bool {
    facts.n_seats == 1 || facts.n_seats == 2 && facts.payoff_sum.is_some()
}

/// The choices in a position, and their probabilities.
pub fn successors<G: Game>(game: &G, state: &G::State) -> Vec<(G::State, f64)> {
    match game.phase(state) {
        Phase::Over => Vec::new(),
        Phase::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            let after = |outcome| {
                let mut next = state.clone();
                game.apply_outcome(&mut next, outcome);
                next
            };
            outcomes.into_iter().map(|(outcome, weight)| (after(outcome), weight as f64 / total as f64)).collect()
        }
        Phase::Act(seats) => {
            let mut actions = Vec::new();
            game.legal_actions(state, seats.first(), &mut actions);
            let after = |action| {
                let mut next = state.clone();
                game.apply(&mut next, seats.first(), action);
                (next, 1.0)
            };
            actions.into_iter().map(after).collect()
        }
    }
}

/// The payoffs when each seat takes what pays it most, each of equals equally often; `None` where that takes more nodes than
/// are left, or more than 200 plies.
pub fn expected<G: Game>(game: &G, state: &G::State, left: &mut u64) -> Option<Vec<f64>> {
    expected_within(game, state, left, 200)
}

fn expected_within<G: Game>(game: &G, state: &G::State, left: &mut u64, plies: u32) -> Option<Vec<f64>> {
    *left = left.checked_sub(1)?;
    let plies = plies.checked_sub(1)?;
    let turn = game.phase(state);
    let choices = successors(game, state);
    let mut values = Vec::new();
    for (next, probability) in choices {
        values.push((expected_within(game, &next, left, plies)?, probability));
    }
    let n_seats = game.facts().n_seats;
    Some(match turn {
        Phase::Over => game.payoffs(state).as_slice().to_vec(),
        Phase::Chance => (0..n_seats).map(|i| values.iter().map(|(value, p)| value[i] * p).sum()).collect(),
        Phase::Act(seats) => {
            let seat = seats.first();
            let best = values.iter().map(|(value, _)| value[seat]).fold(f64::MIN, f64::max);
            values.retain(|(value, _)| (best - value[seat]).abs() < 1e-9);
            (0..n_seats).map(|i| values.iter().map(|(value, _)| value[i]).sum::<f64>() / values.len() as f64).collect()
        }
    })
}

/// What seat 0 gets and after how many plies (`u32::MAX`: never), of every position that can be reached from `root`, by
/// looking ever further until nothing changes; `None` where there are more than so many positions, or chance acts. What lies beyond pays
/// what endless play pays.
pub fn by_iteration<G: Game>(game: &G, root: &G::State, most: usize) -> Option<HashMap<G::State, (f64, u32)>> {
    let mut numbers: HashMap<G::State, usize> = HashMap::from([(root.clone(), 0)]);
    let mut states = vec![root.clone()];
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while edges.len() < states.len() {
        let mut here = Vec::new();
        for (next, _) in successors(game, &states[edges.len()]) {
            let new = numbers.len();
            let number = *numbers.entry(next.clone()).or_insert(new);
            if number == new {
                states.push(next);
            }
            here.push(number);
        }
        edges.push(here);
        if states.len() > most || game.phase(&states[edges.len() - 1]) == Phase::Chance {
            return None;
        }
    }
    let endless = |state: &G::State| match G::PathMemory::DECIDES {
        true => G::PathMemory::payoffs(game, state, PathEnd::Repetition)[0],
        false => game.facts().payoff_sum.unwrap_or(0.0) / 2.0,
    };
    let half = game.facts().payoff_sum.unwrap_or(f64::MIN) / 2.0;
    let is_over = |state: &G::State| game.phase(state) == Phase::Over;
    let begin = |state: &G::State| match is_over(state) {
        true => (game.payoffs(state)[0], 0),
        false => (endless(state), u32::MAX),
    };
    let mut values: Vec<(f64, u32)> = states.iter().map(begin).collect();
    loop {
        let mut next = values.clone();
        for (node, state) in states.iter().enumerate() {
            let Phase::Act(seats) = game.phase(state) else { continue };
            let seat = seats.first();
            let endless = endless(state);
            // The greater, the better for the seat: its payoff, then the length with its sign.
            let worth = |&(payoff, plies): &(f64, u32)| {
                let seat_0_shortens = if payoff == endless { payoff >= half } else { payoff > endless };
                let own = if seat == 0 { payoff } else { -payoff };
                (own, if seat_0_shortens == (seat == 0) { -f64::from(plies) } else { f64::from(plies) })
            };
            let after = edges[node].iter().map(|&to| (values[to].0, values[to].1.saturating_add(1)));
            next[node] = after.max_by(|a, b| worth(a).partial_cmp(&worth(b)).unwrap()).expect("there are actions");
        }
        if next == values {
            return Some(states.into_iter().zip(values).collect());
        }
        values = next;
    }
}

/// A walk over a graph: at each node a seat chooses where to go on, the dead ends pay, and going round for ever pays too.
#[derive(Clone, Debug)]
pub struct Walk {
    /// By node: who chooses, where it may go, and what seat 0 gets if the game ends there.
    pub nodes: Vec<(Seat, Vec<u8>, f64)>,
    /// What seat 0 gets from play without an end.
    pub endless: f64,
}

impl Walk {
    /// A graph drawn at random.
    pub fn random(rng: &mut FastRng) -> Walk {
        let n = 4 + random::index(rng, 20);
        let node = |rng: &mut FastRng| {
            let n_edges = if random::index(rng, 4) == 0 { 0 } else { 1 + random::index(rng, 3) };
            let edges = (0..n_edges).map(|_| random::index(rng, n) as u8).collect();
            (random::index(rng, 2), edges, random::index(rng, 5) as f64 - 2.0)
        };
        Walk { nodes: (0..n).map(|_| node(rng)).collect(), endless: random::index(rng, 5) as f64 - 2.0 }
    }
}

impl Game for Walk {
    type State = u8;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = Repetitions;

    fn facts(&self) -> Facts {
        Facts { payoff_range: Some((-2.0, 2.0)), ..Facts::TWO_SEATS_AND_DRAWS }
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
        actions.sort_unstable();
        actions.dedup();
    }
    fn apply(&self, state: &mut u8, _seat: Seat, action: u8) {
        *state = action;
    }
    fn payoffs(&self, &state: &u8) -> Payoffs {
        let payoff = self.nodes[usize::from(state)].2;
        Payoffs::new([payoff, -payoff])
    }
    fn end_reason(&self, _state: &u8) -> &'static str {
        "end"
    }
}

impl PathRules for Walk {
    fn path_limits(&self) -> PathLimits {
        PathLimits::THIRD_OCCURRENCE
    }
    fn stage(&self, _state: &u8) -> u64 {
        0
    }
    fn payoffs_by_path(&self, _state: &u8, _end: PathEnd) -> Payoffs {
        Payoffs::new([self.endless, -self.endless])
    }
}

const _: () = assert!(!<Never as Chance<Walk>>::ACTS);

/// A tree of brackets drawn at random, in text; `depth` is how deep it may be.
pub fn random_tree(rng: &mut FastRng, n_seats: usize, chance: bool, depth: u32) -> String {
    if depth == 0 || random::index(rng, 6) == 0 {
        let n = if n_seats == 2 { 1 } else { n_seats };
        // Few payoffs, so that many are equal.
        return (0..n).map(|_| (random::index(rng, 5) as i32 - 2).to_string()).collect::<Vec<_>>().join(",");
    }
    let brackets = ["()", "[]", "<>", "{}"];
    let kind = match random::index(rng, n_seats + usize::from(chance)) {
        seat if seat < n_seats => seat,
        _ => 3,
    };
    let n_children = 1 + random::index(rng, 4);
    let children: Vec<String> = (0..n_children).map(|_| random_tree(rng, n_seats, chance, depth - 1)).collect();
    format!("{}{}{}", &brackets[kind][..1], children.join(" "), &brackets[kind][1..])
}
