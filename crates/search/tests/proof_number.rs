//! Proof-number search: what it says of wins and draws is what plain search finds.

use std::sync::Arc;

use raichi_core::game::Phase;
use raichi_core::path::{PathGame, PathState};
use raichi_core::random::{index, stream};
use raichi_core::seat::Seat;
use raichi_core::toy::Toy;
use raichi_core::{GameVisitor, Match, Playable};
use raichi_search::proof_number::{Config, supports};
use raichi_search::{Advice, BareHost, Budget, CancelFlag, Certainty, DfPn, Limits, Session};

use crate::common::{Walk, random_tree};

fn decide<G: Playable>(search: &mut DfPn, current: &Match<G>, seat: Seat, nodes: u64) -> Advice<G::Action> {
    let (cancel, budget) = (CancelFlag::default(), Budget { nodes: Some(nodes), ..Budget::UNLIMITED });
    let limits = Limits { budget, cancel: &cancel, host: &BareHost };
    search.decide(&current.view(seat), &limits, &mut stream(1, "test", 0))
}

/// Whether `seat` can be sure of a payoff, by looking at every way there is, without any table; `None` after too many nodes.
fn is_sure<G: Playable>(
    game: &PathGame<G>,
    state: &PathState<G>,
    seat: Seat,
    at_least: f64,
    left: &mut u64,
) -> Option<bool> {
    let Phase::Act(seats) = game.phase(state) else { return Some(game.payoffs(state)[seat] >= at_least) };
    *left = left.checked_sub(1)?;
    let chooser = seats.first();
    let mut actions = Vec::new();
    game.legal_actions(state, chooser, &mut actions);
    for action in actions {
        let mut next = state.clone();
        game.apply(&mut next, chooser, action);
        if is_sure(game, &next, seat, at_least, left)? == (chooser == seat) {
            return Some(chooser == seat);
        }
    }
    Some(chooser != seat)
}

/// What plain search may take for a position.
const MOST_NODES: u64 = 30_000;

/// Compares all that is said about a position with plain search; returns whether that was within reach.
fn compare<G: Playable>(current: &Match<G>, seat: Seat, nodes: u64, payoffs: &[f64]) -> bool {
    let (game, mut left) = (current.game(), MOST_NODES);
    let mut exact = Vec::new();
    for action in current.legal_actions(seat) {
        let mut next = current.state().clone();
        game.apply(&mut next, seat, action);
        let mut value = f64::NEG_INFINITY;
        for &payoff in payoffs {
            match is_sure(game, &next, seat, payoff, &mut left) {
                None => return false,
                Some(true) => value = payoff,
                Some(false) => break,
            }
        }
        exact.push((action, value));
    }
    let advice = decide(&mut DfPn::new(Config::default()), current, seat, nodes);
    let about = || format!("{} after {:?}: {advice:?} for {exact:?}", game.spec(), current.plies());
    let value = |action| exact.iter().find(|&&(known, _)| known == action).expect("it is legal").1;
    let best = exact.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
    if advice.proven {
        assert_eq!(value(advice.action), best, "{}", about());
    }
    for candidate in &advice.candidates {
        let (value, said) = (value(candidate.action), candidate.values.get(seat).copied());
        let right = match candidate.certainty {
            Certainty::Exact => said == Some(value),
            Certainty::LowerBound => said.is_some_and(|said| said <= value),
            Certainty::UpperBound => said.is_some_and(|said| said >= value),
            _ => true,
        };
        assert!(right, "{candidate:?} is worth {value}: {}", about());
    }
    let is_easy = left > MOST_NODES * 9 / 10;
    assert!(advice.proven || nodes < 50_000 || !is_easy, "not proven: {}", about());
    true
}

#[test]
fn trees_written_by_hand_are_solved() {
    for (tree, action, value) in [
        ("( [1 -1] [1 1] 0 )", 1, 1.0),
        ("( [1 -1] [0 1] [0 -1] )", 1, 0.0),
        ("( [1 -1] [-1 (1 0)] )", 0, -1.0),
        // The same seat twice, and then the other one twice.
        ("( (-1 (0 -1)) [[1 1] [1 -1]] )", 0, 0.0),
        // Nobody wins what only the other can: the greatest payoff of seat 0 is 9.
        ("( [9 2] [3 4] (-9 3) )", 1, 3.0),
    ] {
        let current = Match::new(Toy::new(tree));
        let advice = decide(&mut DfPn::new(Config::default()), &current, 0, 1_000);
        let said = advice.candidates[0].values[0];
        if value == 3.0 {
            // Beside a win and a draw it asks for nothing: that 3 is the value stays open.
            assert!(said <= 3.0, "{tree}: {advice:?}");
        } else {
            assert!(advice.proven && advice.candidates[0].is_exact(), "{tree}: {advice:?}");
            assert_eq!((advice.action == action || value == -1.0, said), (true, value), "{tree}: {advice:?}");
        }
    }
}

#[test]
fn the_only_action_is_played_at_once_and_valued_where_its_value_is_asked_for() {
    for (tree, value) in [("( [1 (1 -1)] )", 1.0), ("( [1 (0 -1)] )", 0.0), ("( [-1 (1 0)] )", -1.0)] {
        let current = Match::new(Toy::new(tree));
        let mut search = DfPn::new(Config::default());
        let advice = decide(&mut search, &current, 0, 1_000);
        assert_eq!((advice.action, advice.cost.nodes), (0, 0), "{tree}: {advice:?}");
        let (cancel, budget) = (CancelFlag::default(), Budget { nodes: Some(1_000), ..Budget::UNLIMITED });
        let limits = Limits { budget, cancel: &cancel, host: &BareHost };
        let advice = search.examine(&current.view(0), &limits, &mut stream(1, "test", 0));
        assert!(advice.proven && advice.candidates[0].is_exact(), "{tree}: {advice:?}");
        assert_eq!(advice.candidates[0].values[0], value, "{tree}: {advice:?}");
    }
}

#[test]
fn random_trees_are_solved() {
    let mut n_solved = 0;
    for seed in 0..2_000 {
        let tree = random_tree(&mut stream(seed, "tree", 0), 2, false, 5);
        let current = Match::new(Toy::new(&tree));
        let Phase::Act(seats) = current.phase() else { continue };
        let Some((low, high)) = current.game().facts().payoff_range else { continue };
        let payoffs: Vec<f64> = (low as i32..=high as i32).map(f64::from).collect();
        let advice = decide(&mut DfPn::new(Config::default()), &current, seats.first(), u64::MAX);
        for nodes in [3, 20] {
            compare(&current, seats.first(), nodes, &payoffs);
        }
        // Where there are only wins, draws and losses all is known in the end.
        if high <= 1.0 {
            assert!(advice.proven, "{tree}: {advice:?}");
        }
        n_solved += 1;
    }
    assert!(n_solved > 1_000, "only {n_solved} trees begin with a choice");
}

#[test]
fn ways_that_come_back_are_told_apart() {
    let (mut n_compared, mut n_open) = (0, 0);
    for seed in 0..6_000 {
        let mut rng = stream(seed, "walk", 0);
        let mut current = Match::new(Walk::random(&mut rng));
        // Some begin on the way, with a past that counts.
        for _ in 0..index(&mut rng, 4) {
            if let Phase::Act(seats) = current.phase() {
                current.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap();
            }
        }
        let Phase::Act(seats) = current.phase() else { continue };
        let compared = compare(&current, seats.first(), 50_000, &[-1.0, 0.0, 1.0]);
        n_compared += u32::from(compared);
        n_open += u32::from(!compared);
    }
    assert!(n_compared > 3_000, "{n_compared} compared, {n_open} too large for plain search");
}

#[test]
fn a_search_that_goes_on_in_the_same_game_stays_right() {
    for seed in 0..500 {
        let mut rng = stream(seed, "walk", 1);
        let mut current = Match::new(Walk::random(&mut rng));
        let mut search = DfPn::new(Config::default());
        while let Phase::Act(seats) = current.phase() {
            let seat = seats.first();
            let advice = decide(&mut search, &current, seat, 1_000_000);
            let fresh = decide(&mut DfPn::new(Config::default()), &current, seat, 1_000_000);
            if advice.proven && fresh.proven && current.legal_actions(seat).len() > 1 {
                assert_eq!(advice.values(), fresh.values(), "{:?}", current.plies());
            }
            current.play_random(seat, &mut Vec::new(), &mut rng).unwrap();
        }
    }
}

/// Compares positions of a game that are a few plies from its cap or its end.
struct SmallPositions {
    n_positions: u64,
    /// Plies that are left before the cap.
    plies_left: std::ops::Range<usize>,
}

impl GameVisitor for SmallPositions {
    type Output = u64;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> u64 {
        if supports(&game.facts()).is_err() {
            return u64::MAX;
        }
        let mut n_compared = 0;
        for seed in 0..self.n_positions {
            let mut rng = stream(seed, "positions", 0);
            let (least, most) = (self.plies_left.start, self.plies_left.end);
            let left = least + index(&mut rng, most - least);
            let before = index(&mut rng, 60);
            let capped = PathGame::new(game.game().clone(), (before + left) as u32);
            let mut current = Match::of(Arc::new(capped.named(&format!("{} of {}", seed, game.spec()))));
            while current.n_plies() < before {
                let Phase::Act(seats) = current.phase() else { break };
                current.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap();
            }
            // A game that was over sooner is taken up again shortly before its end.
            while current.phase() == Phase::Over {
                current.truncate(current.n_plies() - 1 - index(&mut rng, current.n_plies().min(3)));
            }
            let Phase::Act(seats) = current.phase() else { continue };
            n_compared += u64::from(compare(&current, seats.first(), 50_000, &[-1.0, 0.0, 1.0]));
        }
        n_compared
    }
}

#[test]
fn small_positions_of_all_fitting_games_are_worth_what_plain_search_says() {
    for entry in raichi_games::REGISTRY {
        let game = (entry.create)(None).unwrap();
        let n_compared = raichi_games::visit_game(&*game, SmallPositions { n_positions: 30, plies_left: 2..5 });
        assert!(n_compared >= 5, "{}: only {n_compared} compared", entry.id);
    }
    // Here positions are repeated within reach.
    let game = raichi_games::game("french-military").unwrap();
    let n_compared = raichi_games::visit_game(&*game, SmallPositions { n_positions: 40, plies_left: 7..11 });
    assert!(n_compared >= 5, "only {n_compared} compared");
}

fn solved(spec: &str) -> (Vec<f64>, u64) {
    struct Solve;
    impl GameVisitor for Solve {
        type Output = (Vec<f64>, u64);
        fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
            let current = Match::of(Arc::clone(game));
            let advice = decide(&mut DfPn::new(Config::default()), &current, 0, 20_000_000);
            assert!(advice.proven, "{}: {} nodes are not enough", game.spec(), advice.cost.nodes);
            (advice.values().to_vec(), advice.cost.nodes)
        }
    }
    raichi_games::visit_game(&*raichi_games::game(spec).unwrap(), Solve)
}

#[test]
fn solved_games_have_their_values() {
    for (spec, value) in [
        ("tic-tac-toe", 0.0),
        // Bouton: 3, 5 and 7 chips are a win for the seat to act; so are the heaps by default.
        ("nim", 1.0),
        // John Tromp's table of small boards: 4 × 4 is drawn, and so is 5 × 4.
        ("connect-four:width=4,height=4", 0.0),
        ("connect-four:width=5,height=4", 0.0),
        ("hex:size=3", 1.0),
        ("hex:size=4", 1.0),
        // The second player wins 4 × 4 by 8 discs.
        ("othello:size=4", -1.0),
    ] {
        assert_eq!(solved(spec).0[0], value, "{spec}");
    }
}

#[test]
fn a_small_table_changes_no_result() {
    let current = Match::new(raichi_games::connect_four::ConnectFour::new(4, 4).unwrap());
    let config = Config { memory: 1 << 16, ..Config::default() };
    let advice = decide(&mut DfPn::new(config), &current, 0, 20_000_000);
    assert!(advice.proven);
    assert_eq!(advice.values(), [0.0, 0.0]);
}

#[test]
fn a_budget_is_kept_and_an_open_question_is_answered_by_a_legal_action() {
    let current = Match::new(raichi_games::connect_four::ConnectFour::new(7, 6).unwrap());
    for nodes in [1, 10, 1_000] {
        let advice = decide(&mut DfPn::new(Config::default()), &current, 0, nodes);
        assert!(!advice.proven && advice.cost.nodes <= nodes);
        assert!(current.legal_actions(0).contains(&advice.action));
    }
}
