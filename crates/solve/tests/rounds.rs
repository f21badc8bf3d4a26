//! Value iteration over rounds: graphs written by hand, and games in which backward induction knows every round.

use std::sync::atomic::{AtomicU64, Ordering};

use raichi_core::game::{Chance, Facts, Game, Payoffs, Phase};
use raichi_core::host::CancelFlag;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, FastRng, stream};
use raichi_core::seat::Seat;
use raichi_core::toy::Toy;
use raichi_solve::backward::Ties;
use raichi_solve::graph::Turn;
use raichi_solve::rounds::{Bound, ByRounds, Leads, Repeats, RoundGraph, RoundValues, Rounds};
use raichi_solve::{Exhaustive, Solver, Unsolved, Work};

use Leads::{Across, Ends, Within};

use crate::common::{self, expected, random_tree, work};

/// Who acts, what is paid when the game is broken off there, and where it leads to.
type Written<'a> = (Turn, f64, &'a [(Leads, u32)]);

fn graph(nodes: &[Written<'_>]) -> RoundGraph {
    let mut graph = RoundGraph::new();
    nodes.iter().for_each(|&(turn, broken_off, choices)| graph.push(turn, broken_off, choices));
    graph
}

fn values(graph: &RoundGraph, most: u32) -> Result<RoundValues, Unsolved> {
    RoundValues::of(graph, most, &work(&CancelFlag::default(), 1))
}

fn of_node(values: &RoundValues, node: u32, n_rounds: std::ops::RangeInclusive<u32>) -> Vec<f64> {
    n_rounds.map(|n| values.get(node, n).unwrap()).collect()
}

#[test]
fn values_settle_when_no_more_rounds_are_needed() {
    // Seat 0 goes on for three rounds to win; seat 1 would rather end it, and cannot.
    let graph = graph(&[
        (Turn::Seat(0), -1.0, &[(Across(1), 1), (Ends(0.0), 1)]),
        (Turn::Seat(0), -1.0, &[(Within(2), 1), (Across(0), 1)]),
        (Turn::Seat(1), -1.0, &[(Across(3), 1), (Across(0), 1)]),
        (Turn::Seat(0), -1.0, &[(Ends(1.0), 1)]),
    ]);
    let values = values(&graph, 200).unwrap();
    // Seat 1 goes back for ever, so that seat 0 takes the draw, but in the last round it is too late from node 1 on.
    assert_eq!(of_node(&values, 0, 1..=5), [0.0; 5]);
    assert_eq!(of_node(&values, 1, 1..=5), [-1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of_node(&values, 3, 1..=2), [1.0, 1.0]);
    assert_eq!(values.repeats(), Some(Repeats { from: 2, period: 1 }));
    assert_eq!(values.get(1, u32::MAX), Some(0.0));
}

#[test]
fn values_that_alternate_for_ever_are_known_for_ever() {
    // Nobody has a choice: round and round, and where it is broken off counts.
    let two = graph(&[(Turn::Seat(0), 1.0, &[(Across(1), 1)]), (Turn::Seat(1), -1.0, &[(Across(0), 1)])]);
    let alternating = values(&two, 1000).unwrap();
    assert_eq!(alternating.repeats().map(|repeats| repeats.period), Some(2));
    assert_eq!(of_node(&alternating, 0, 1..=6), [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0]);
    assert_eq!(alternating.get(0, 999_999), Some(-1.0));
    assert_eq!(alternating.get(1, 999_999), Some(1.0));

    let to = [[(Across(1), 1)], [(Across(2), 1)], [(Across(0), 1)]];
    let three = graph(&[(Turn::Chance, 0.0, &to[0]), (Turn::Chance, 1.0, &to[1]), (Turn::Chance, 2.0, &to[2])]);
    let values = values(&three, 1000).unwrap();
    assert_eq!(values.repeats().map(|repeats| repeats.period), Some(3));
    for node in 0..3 {
        assert!((1..40).all(|n| values.get(node, n) == Some(f64::from((node + n) % 3))));
    }
}

#[test]
fn what_lies_beyond_the_rounds_looked_at_is_not_known() {
    let toss = [(Ends(1.0), 1), (Across(0), 1)];
    let graph = graph(&[(Turn::Chance, 0.0, &toss)]);
    let few = values(&graph, 10).unwrap();
    assert_eq!((few.repeats(), few.get(0, 11)), (None, None));
    assert_eq!(of_node(&few, 0, 1..=3), [0.5, 0.75, 0.875]);
    // By 2⁻ⁿ below 1, until that is rounded away.
    let many = values(&graph, 100).unwrap();
    assert_eq!(many.repeats().map(|repeats| repeats.period), Some(1));
    assert_eq!(many.get(0, 100), Some(1.0));
}

#[test]
fn weights_of_the_same_node_add_up() {
    let graph = graph(&[
        (Turn::Chance, 0.0, &[(Within(1), 2), (Ends(1.0), 3), (Within(1), 3), (Ends(-1.0), 2)]),
        (Turn::Seat(1), 0.0, &[(Ends(4.0), 1), (Ends(0.5), 1), (Ends(0.5), 1)]),
    ]);
    assert_eq!(graph.n_edges(), 5);
    assert_eq!(values(&graph, 3).unwrap().get(0, 1), Some((5.0 * 0.5 + 3.0 - 2.0) / 10.0));
}

#[test]
fn a_circle_within_a_round_is_refused() {
    let graph =
        graph(&[(Turn::Seat(0), 0.0, &[(Within(1), 1)]), (Turn::Seat(1), 0.0, &[(Within(0), 1), (Ends(1.0), 1)])]);
    assert!(matches!(values(&graph, 3), Err(Unsolved::Unknown(_))));
}

/// A game of rounds on a graph drawn at random: within a round play leads to later nodes.
#[derive(Clone, Debug)]
struct Drawn {
    nodes: Vec<Node>,
    most: u32,
}

#[derive(Clone, Debug)]
struct Node {
    /// Seat 2 is chance.
    seat: usize,
    /// The node and whether it is in the next round; none where the game ends.
    choices: Vec<(u8, bool)>,
    payoff: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    node: u8,
    round: u32,
}

impl Drawn {
    /// With chance between rounds too, or at the first node only, which is not come back to.
    fn random(rng: &mut FastRng, chance: bool, most: u32) -> Drawn {
        let n = 4 + random::index(rng, 12);
        let node = |rng: &mut FastRng, at: usize| {
            let choice = |rng: &mut FastRng| match random::index(rng, 2) {
                1 if at + 1 < n => ((at + 1 + random::index(rng, n - at - 1)) as u8, false),
                _ => ((1 + random::index(rng, n - 1)) as u8, true),
            };
            let is_end = at > 0 && random::index(rng, 5) == 0;
            let n_choices = if is_end { 0 } else { 1 + random::index(rng, 3) };
            let seat = if at == 0 { 2 } else { random::index(rng, 2 + usize::from(chance)) };
            let choices = (0..n_choices).map(|_| choice(rng)).collect();
            Node { seat, choices, payoff: random::index(rng, 5) as f64 - 2.0 }
        };
        Drawn { nodes: (0..n).map(|at| node(rng, at)).collect(), most }
    }

    fn node(&self, place: &Place) -> &Node {
        &self.nodes[usize::from(place.node)]
    }

    fn go(&self, place: &mut Place, choice: u8) {
        let (node, is_next_round) = self.node(place).choices[usize::from(choice)];
        *place = Place { node, round: place.round + u32::from(is_next_round) };
    }
}

impl Game for Drawn {
    type State = Place;
    type Action = u8;
    type Outcome = u8;
    type PathMemory = NoMemory;

    fn facts(&self) -> Facts {
        Facts { chance: true, payoff_range: Some((-2.0, 2.0)), ..Facts::TWO_SEATS_AND_DRAWS }
    }
    fn initial_state(&self) -> Place {
        Place { node: 0, round: 0 }
    }
    fn phase(&self, place: &Place) -> Phase {
        let node = self.node(place);
        match node.seat {
            _ if node.choices.is_empty() || place.round == self.most => Phase::Over,
            2 => Phase::Chance,
            seat => Phase::seat(seat),
        }
    }
    fn legal_actions(&self, place: &Place, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(0..self.node(place).choices.len() as u8);
    }
    fn apply(&self, place: &mut Place, _seat: Seat, action: u8) {
        self.go(place, action);
    }
    fn payoffs(&self, place: &Place) -> Payoffs {
        let payoff = self.node(place).payoff;
        Payoffs::new([payoff, -payoff])
    }
    fn end_reason(&self, _place: &Place) -> &'static str {
        "end"
    }
}

impl Chance<Drawn> for u8 {
    fn list(game: &Drawn, place: &Place, outcomes: &mut Vec<(u8, u64)>) {
        outcomes.extend((0..game.node(place).choices.len() as u8).map(|choice| (choice, 1 + u64::from(choice))));
    }
    fn happen(self, game: &Drawn, place: &mut Place) {
        game.go(place, self);
    }
}

struct Nodes {
    most: u32,
}

impl Rounds<Drawn> for Nodes {
    fn key(&self, place: &Place) -> Option<u64> {
        Some(place.node.into())
    }
    fn position(&self, key: u64) -> Place {
        Place { node: key as u8, round: 0 }
    }
    fn n_completed(&self, place: &Place) -> u32 {
        place.round
    }
    fn most(&self) -> u32 {
        self.most
    }
}

fn by_rounds(game: &Drawn) -> ByRounds<Drawn, Nodes> {
    ByRounds::new(game.clone(), Nodes { most: game.most })
}

/// All places that can be reached.
fn places(game: &Drawn) -> Vec<Place> {
    let mut places = vec![game.initial_state()];
    let mut done = 0;
    while done < places.len() {
        for (next, _) in common::successors(game, &places[done]) {
            if !places.contains(&next) {
                places.push(next);
            }
        }
        done += 1;
    }
    places
}

#[test]
fn every_round_of_drawn_games_has_the_values_of_backward_induction() {
    let mut rng = stream(5, "rounds", 0);
    let mut n_alternating = 0;
    for n in 0..400 {
        let game = Drawn::random(&mut rng, n % 2 == 0, 1 + n % 40);
        let (ours, plain) = (by_rounds(&game), Exhaustive::backward(game.clone(), Ties::Shared));
        for place in places(&game) {
            let [one, other] = [&ours as &dyn Solver<Drawn>, &plain].map(|solver| {
                let exact = common::solve(solver, &place, 1).unwrap();
                [exact.values[0], exact.values[1]]
            });
            assert!((one[0] - other[0]).abs() < 1e-9 && one[1] == -one[0], "{game:?} {place:?}: {one:?} {other:?}");
        }
        let repeats = ours.repeats(&game.initial_state(), &work(&CancelFlag::default(), 1)).unwrap();
        n_alternating += u32::from(repeats.is_some_and(|repeats| repeats.period > 1));
    }
    assert!(n_alternating > 10, "{n_alternating} games alternate");
}

#[test]
fn bounds_without_a_cap_enclose_what_late_caps_bring() {
    let mut rng = stream(6, "rounds", 0);
    let mut n_narrow = 0;
    for _ in 0..300 {
        let game = Drawn::random(&mut rng, false, 1000);
        let (cancel, start) = (CancelFlag::default(), game.initial_state());
        let value = |n_rounds| by_rounds(&game).value(&start, n_rounds, &work(&cancel, 1)).unwrap();
        let [least, most] = [Bound::AtLeast, Bound::AtMost].map(|bound| {
            let solver = ByRounds::endless(game.clone(), Nodes { most: game.most }, bound);
            common::solve(&solver, &start, 1).unwrap().values[0]
        });
        for n_rounds in [997, 998, 999, 1000] {
            let late = value(n_rounds);
            assert!(least - 1e-9 <= late && late <= most + 1e-9, "{game:?}: {late} outside {least} to {most}");
        }
        n_narrow += u32::from(least == most);
    }
    assert!((10..290).contains(&n_narrow), "{n_narrow} games need no rule for play without an end");
}

#[test]
fn a_tree_is_a_game_of_one_round() {
    struct Whole;
    impl Rounds<Toy> for Whole {
        fn key(&self, &position: &u32) -> Option<u64> {
            Some(position.into())
        }
        fn position(&self, key: u64) -> u32 {
            key as u32
        }
        fn n_completed(&self, _position: &u32) -> u32 {
            0
        }
        fn most(&self) -> u32 {
            1
        }
    }
    let mut rng = stream(7, "rounds", 0);
    for _ in 0..200 {
        let text = random_tree(&mut rng, 2, true, 6);
        let game = Toy::new(&text);
        let root = game.initial_state();
        let reference = expected(&game, &root, &mut u64::MAX.clone()).unwrap();
        let found = common::solve(&ByRounds::new(game, Whole), &root, 1).unwrap();
        assert!((found.values[0] - reference[0]).abs() < 1e-9, "{text}: {found:?}, not {reference:?}");
    }
}

/// Every place that is found is a new one.
struct EverNew(AtomicU64);

impl Rounds<Drawn> for EverNew {
    fn key(&self, _place: &Place) -> Option<u64> {
        Some(self.0.fetch_add(1, Ordering::Relaxed))
    }
    fn position(&self, _key: u64) -> Place {
        Place { node: 0, round: 0 }
    }
    fn n_completed(&self, place: &Place) -> u32 {
        place.round
    }
    fn most(&self) -> u32 {
        5
    }
}

#[test]
fn work_that_is_over_and_memory_that_is_too_small_are_said() {
    let game = Drawn { nodes: vec![Node { seat: 0, choices: vec![(0, true)], payoff: 0.0 }], most: 5 };
    let (solver, start) = (ByRounds::new(game.clone(), EverNew(AtomicU64::new(0))), game.initial_state());
    assert_eq!(common::solve(&solver, &start, 1), Err(Unsolved::OutOfMemory));
    let cancel = CancelFlag::default();
    cancel.cancel();
    let cancelled = Work { memory: usize::MAX, ..work(&cancel, 1) };
    assert_eq!(solver.solve(&start, &cancelled), Err(Unsolved::OutOfTime));
}
