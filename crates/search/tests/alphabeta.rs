//! Alpha-beta against plain minimax: on trees of brackets, and on the small positions of every game of the registry.

use std::sync::Arc;

use raichi_core::conformance::random_params;
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::Phase;
use raichi_core::playout::playout_within;
use raichi_core::random::{self, FastRng, stream};
use raichi_core::seat::Seat;
use raichi_core::toy::Toy;
use raichi_core::{Match, PathGame};
use raichi_games::REGISTRY;
use raichi_games::connect_four::ConnectFour;
use raichi_search::alphabeta::{Config, Others};
use raichi_search::options::{OptionValue, Options};
use raichi_search::{Advice, AlphaBeta, Budget, CancelFlag, Certainty, Evaluator, Limits, Minimax, Session};

use crate::common::{Half, Noise, Threads, decide, random_tree};

/// All outcomes of chance and nothing less deep, so that a depth means what it means to minimax.
fn config() -> Config {
    Config { outcomes: 0, reductions: false, memory: 1 << 20, ..Config::default() }
}

fn minimax<G: Playable>(depth: u32, evaluator: Option<Arc<dyn Evaluator<G>>>) -> Minimax<G> {
    let mut options = Options::parse("minimax", raichi_search::minimax::OPTIONS, None, None).unwrap();
    options.give("depth", OptionValue::Int(depth.into()));
    options.give("outcomes", OptionValue::Int(0));
    Minimax::new(&options, evaluator)
}

/// What is said of each action is true: exact values are, bounds bound; the best action is one.
/// `everywhere` says that the reference went as deep as the search for every action.
fn agrees<A: PartialEq + Copy + std::fmt::Debug>(
    found: &Advice<A>,
    reference: &Advice<A>,
    everywhere: bool,
    seat: Seat,
    place: &str,
) {
    let known = |action: A| reference.candidates.iter().find(|candidate| candidate.action == action).unwrap();
    let close = |a: f64, b: f64| (a - b).abs() < 1e-5 * a.abs().max(1.0);
    let best = reference.candidates[0].values[seat];
    let chosen = found.values()[seat];
    assert!(close(chosen, best), "{place}: {chosen} is not the best, {best}\n{found:?}\n{reference:?}");
    let true_value = known(found.action).values[seat];
    assert!(close(true_value, best), "{place}: {:?} is worth {true_value}, not {best}\n{found:?}", found.action);
    for candidate in &found.candidates {
        let Some(&value) = candidate.values.get(seat) else { continue };
        // What a proven win left open was not searched to the end.
        if !everywhere && !candidate.is_exact() {
            continue;
        }
        let truth = known(candidate.action).values[seat];
        let right = match candidate.certainty {
            Certainty::UpperBound => truth <= value + 1e-5,
            Certainty::LowerBound => truth >= value - 1e-5,
            _ => close(truth, value),
        };
        assert!(right, "{place}: {:?} is worth {truth}, not {value} ({:?})", candidate.action, candidate.certainty);
    }
}

#[test]
fn trees_of_brackets_have_the_values_of_minimax() {
    let n = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 20_000 } else { 600 };
    let mut compared = [0; 4];
    for seed in 0..n {
        let mut rng = stream(seed, "tree", 0);
        let (n_seats, chance) = (2 + seed as usize % 2, seed % 4 >= 2);
        let tree = random_tree(&mut rng, n_seats, chance, 6);
        let current = Match::new(Toy::new(&tree));
        let Phase::Act(seats) = current.phase() else { continue };
        let seat = seats.first();
        if current.legal_actions(seat).len() == 1 {
            continue;
        }
        for whole in [false, true] {
            let view = current.view(seat);
            let mut search = AlphaBeta::new(Config { whole, ..config() }, None);
            let found = decide(&mut search, &view, Budget::UNLIMITED, &mut rng);
            let reference = decide(&mut minimax(0, None), &view, Budget::UNLIMITED, &mut rng);
            assert!(found.proven, "{tree}: {found:?}");
            // Minimax stops where one action pays the most, and has only estimates of the others.
            if reference.candidates.iter().all(|candidate| candidate.is_exact()) {
                agrees(&found, &reference, false, seat, &tree);
            } else {
                assert!((found.values()[seat] - reference.values()[seat]).abs() < 1e-5, "{tree}: {found:?}");
            }
            // And on the way there, with an evaluator.
            if n_seats == 2 {
                let evaluator = || Some(Arc::new(Half) as Arc<dyn Evaluator<Toy>>);
                let depth = 1 + random::index(&mut rng, 4) as u32;
                let mut search = AlphaBeta::new(Config { whole, depth, ..config() }, evaluator());
                let found = decide(&mut search, &view, Budget::UNLIMITED, &mut rng);
                let reference = decide(&mut minimax(depth, evaluator()), &view, Budget::UNLIMITED, &mut rng);
                let alike = found.cost.depth == reference.cost.depth && !found.proven;
                if alike {
                    agrees(&found, &reference, true, seat, &format!("{tree} depth {depth}"));
                }
            }
        }
        compared[seed as usize % 4] += 1;
    }
    assert!(compared.iter().all(|&n| n > 60), "{compared:?}");
}

// Broken off after any number of nodes, the list is that of the last depth completed, unless the deeper search found another
// action to be better: then that one has the value of the greater depth, and is above all it was compared with there.
#[test]
fn what_a_broken_off_depth_says_does_not_contradict_the_one_before() {
    let current = Match::of(Arc::new(PathGame::from(ConnectFour::new(5, 4).unwrap())));
    let search = |whole: bool, depth: u32, budget: Budget| {
        let config = Config { whole, depth, ..config() };
        let mut search = AlphaBeta::new(config, Some(Arc::new(Noise) as Arc<dyn Evaluator<ConnectFour>>));
        decide(&mut search, &current.view(0), budget, &mut stream(1, "test", 0))
    };
    let mut changed = 0;
    for whole in [false, true] {
        let full: Vec<_> = (1..=6).map(|depth| search(whole, depth, Budget::UNLIMITED)).collect();
        assert!(full.iter().all(|advice| !advice.proven), "the depths are told apart by their estimates");
        for nodes in (full[0].cost.nodes..full[5].cost.nodes).step_by(3) {
            let found = search(whole, 6, Budget { nodes: Some(nodes), ..Budget::UNLIMITED });
            let completed = found.cost.depth.expect("it counts depths");
            let last = &full[completed as usize - 1];
            let place = format!("{nodes} nodes, depth {completed}: {found:?}\n{last:?}");
            if found.action == last.action {
                assert_eq!(found.candidates, last.candidates, "{place}");
                continue;
            }
            changed += 1;
            let best = &found.candidates[0];
            assert_eq!(best.depth, Some(completed + 1), "{place}");
            for candidate in &found.candidates[1..] {
                if candidate.depth == Some(completed + 1) {
                    assert!(candidate.values[0] <= best.values[0], "{place}");
                } else {
                    assert!(last.candidates.contains(candidate), "{place}");
                }
            }
            let deeper =
                |action| found.candidates.iter().any(|other| other.action == action && other.depth == best.depth);
            assert!(deeper(last.action), "what was best before was looked at again: {place}");
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn paranoid_takes_all_others_for_opponents() {
    // Seat 1 would rather have its own 3 than hurt seat 0; paranoia expects the worst.
    let current = Match::new(Toy::new("( [<5,3,0> <0,1,0>] <2,2,2 1,9,9> )"));
    for (others, value) in [(Others::MaxN, 5.0), (Others::Paranoid, 1.0), (Others::BestReply, 1.0)] {
        let mut search = AlphaBeta::new(Config { others, ..config() }, None);
        let advice = decide(&mut search, &current.view(0), Budget::UNLIMITED, &mut stream(1, "test", 0));
        assert_eq!(advice.values()[0], value, "{others:?}: {advice:?}");
    }
}

/// Positions of a game from which minimax reaches the end, or the given depth, within so many nodes.
struct Compare<'a> {
    seed: u64,
    spec: &'a str,
    nodes: u64,
}

impl GameVisitor for Compare<'_> {
    /// How many were compared to the end, and to a depth.
    type Output = [usize; 2];

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> [usize; 2] {
        let facts = game.facts();
        if facts.hidden || facts.simultaneous {
            return [0, 0];
        }
        let mut rng = stream(self.seed, "positions", 0);
        // Far into a random game, and sometimes with a cap close by.
        let mut length = 0;
        let mut state = game.initial_state();
        while length < 1500 && game.phase(&state) != Phase::Over {
            playout_within(game, &mut state, 1, &mut Vec::new(), &mut rng);
            length += 1;
        }
        let capped = random::index(&mut rng, 2) == 0;
        let back = 2 + random::index(&mut rng, if capped { 40 } else { 8 });
        let from = (length as usize).saturating_sub(back);
        let cap = from + 1 + random::index(&mut rng, 6);
        let cap = if capped { cap.min(game.max_plies().unwrap_or(u32::MAX) as usize) as u32 } else { 0 };
        let cap = if cap == 0 { game.max_plies().unwrap_or(0) } else { cap };
        let game = Arc::new(PathGame::new(game.game().clone(), cap).named(game.spec()));
        let mut current = Match::of(Arc::clone(&game));
        let mut same = stream(self.seed, "positions", 0);
        while current.n_plies() < from {
            match current.phase() {
                Phase::Over => return [0, 0],
                Phase::Chance => current.sample_outcome(&mut same).unwrap(),
                Phase::Act(seats) => {
                    let seat = seats.first();
                    let action = game.random_action(current.state(), seat, &mut Vec::new(), &mut same);
                    current.play(seat, action).unwrap();
                }
            }
        }
        let Phase::Act(seats) = current.phase() else { return [0, 0] };
        let seat = seats.first();
        if current.legal_actions(seat).len() < 2 {
            return [0, 0];
        }
        let place = format!("{} (seed {}) cap {cap} after {}", self.spec, self.seed, from);
        let budget = Budget { nodes: Some(self.nodes), ..Budget::UNLIMITED };
        let config = Config { whole: random::index(&mut rng, 2) == 0, ..config() };
        let reference = decide(&mut minimax(0, None), &current.view(seat), budget, &mut rng);
        if reference.proven {
            compare_to_the_end(current, reference, config, budget, &place, &mut rng);
            return [1, 0];
        }
        // Too large: to a depth, what lies beyond being valued at random.
        let depth = reference.cost.depth.unwrap_or(0).min(4);
        if depth == 0 {
            return [0, 0];
        }
        let view = current.view(seat);
        let noise = || Some(Arc::new(Noise) as Arc<dyn Evaluator<G>>);
        let reference = decide(&mut minimax(depth, noise()), &view, Budget::UNLIMITED, &mut rng);
        let mut search = AlphaBeta::new(Config { depth, ..config }, noise());
        let found = decide(&mut search, &view, Budget::UNLIMITED, &mut rng);
        agrees(&found, &reference, !found.proven, seat, &format!("{place} depth {depth}"));
        [0, 1]
    }
}

/// Plays on from a small position, deciding with one search all the way, and compares each decision.
fn compare_to_the_end<G: Playable>(
    mut current: Match<G>,
    mut reference: Advice<G::Action>,
    config: Config,
    budget: Budget,
    place: &str,
    rng: &mut FastRng,
) {
    let threads = 1 + random::index(rng, 2);
    // What is proven does not depend on depths.
    let reductions = random::index(rng, 2) == 0;
    let mut search = AlphaBeta::new(Config { threads, reductions, ..config }, None);
    while let Phase::Act(seats) = current.phase() {
        let seat = seats.first();
        if current.legal_actions(seat).len() > 1 {
            let cancel = CancelFlag::default();
            let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &Threads };
            let found = search.decide(&current.view(seat), &limits, rng);
            let place = format!("{place} and {} plies, {threads} threads", current.n_plies());
            assert!(found.proven, "{place}: {found:?}");
            let (value, best) = (found.values()[seat], reference.values()[seat]);
            assert!((value - best).abs() < 1e-5 * best.abs().max(1.0), "{place}: {value}, not {best}\n{found:?}");
            if reference.candidates.iter().all(|candidate| candidate.is_exact()) {
                agrees(&found, &reference, false, seat, &place);
            }
        }
        // On by a random ply or two: also where nobody would go.
        let action = current.game().random_action(current.state(), seat, &mut Vec::new(), rng);
        current.play(seat, action).unwrap();
        while current.phase() == Phase::Chance {
            current.sample_outcome(rng).unwrap();
        }
        let Phase::Act(seats) = current.phase() else { return };
        if current.legal_actions(seats.first()).len() > 1 {
            reference = decide(&mut minimax(0, None), &current.view(seats.first()), budget, rng);
            if !reference.proven {
                return;
            }
        }
    }
}

#[test]
fn proofs_hold_on_paths_where_no_rule_of_the_path_comes_between() {
    let game = PathGame::new(raichi_games::connect_four::ConnectFour::new(7, 6).unwrap(), 10);
    let mut state = game.initial_state();
    assert!(game.proofs_hold(&state, 10) && !game.proofs_hold(&state, 11));
    game.apply(&mut state, 0, 3);
    assert!(game.proofs_hold(&state, 9) && !game.proofs_hold(&state, 10));

    // There and back again: the start has occurred twice, and ends the game the next time.
    let mut current = raichi_games::visit("tablut", ThereAndBack).unwrap();
    assert_eq!(current.remove(0), (1, true));
    assert_eq!(current.last(), Some(&(2, false)));
}

/// How often the position has occurred, and whether proofs hold, from the start until it comes again.
struct ThereAndBack;

impl GameVisitor for ThereAndBack {
    type Output = Vec<(u8, bool)>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let start = game.initial_state();
        let mut found = vec![(start.occurrences(), game.proofs_hold(&start, 5))];
        let mut state = start.clone();
        for ply in 0..4 {
            let Phase::Act(seats) = game.phase(&state) else { panic!("nobody wins so soon") };
            let seat = seats.first();
            let mut actions = Vec::new();
            game.legal_actions(&state, seat, &mut actions);
            // The first way out, and the way back that leads, after the opponent's, to the start.
            let leads_back = |&action: &G::Action| {
                let mut next = state.clone();
                game.apply(&mut next, seat, action);
                let Phase::Act(seats) = game.phase(&next) else { return false };
                let mut replies = Vec::new();
                game.legal_actions(&next, seats.first(), &mut replies);
                ply == 3 && next.position() == start.position()
                    || replies.iter().any(|&reply| {
                        let mut last = next.clone();
                        game.apply(&mut last, seats.first(), reply);
                        last.position() == start.position()
                    })
            };
            let action = if ply < 2 { actions[0] } else { *actions.iter().find(|action| leads_back(action)).unwrap() };
            game.apply(&mut state, seat, action);
            found.push((state.occurrences(), game.proofs_hold(&state, 5)));
        }
        found
    }
}

#[test]
fn small_positions_of_all_games_have_the_values_of_minimax() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    let (n, nodes) = if nightly { (400, 30_000) } else { (30, 4_000) };
    for entry in REGISTRY {
        let (mut to_the_end, mut to_a_depth) = (0, 0);
        for seed in 0..n {
            let params = random_params(&(entry.params)(), &mut stream(seed, "parameters", 0));
            let drawn = params.filter(|_| seed % 2 == 0).map(|params| format!("{}:{params}", entry.id));
            let spec = drawn.filter(|spec| raichi_games::game(spec).is_ok()).unwrap_or_else(|| entry.id.to_string());
            let [end, depth] = raichi_games::visit(&spec, Compare { seed, spec: &spec, nodes }).unwrap();
            (to_the_end, to_a_depth) = (to_the_end + end, to_a_depth + depth);
        }
        println!("{}: {to_the_end} to the end, {to_a_depth} to a depth, of {n}", entry.id);
        let secret = raichi_games::game(entry.id).expect("every id is a spec").facts().hidden;
        assert!(secret || (to_the_end + to_a_depth) * 12 > n as usize, "{}: too few were compared", entry.id);
    }
}

/// How deep a decision of 3,000 nodes goes for seat 0, when seat 1 has played what a search expects, and when seat 0 has
/// thought so many nodes on its time.
fn depth_after_pondering(evaluator: Option<Arc<dyn Evaluator<ConnectFour>>>, opening: &str, pondered: u64) -> u32 {
    let nodes = |n| Budget { nodes: Some(n), ..Budget::UNLIMITED };
    let (cancel, host) = (CancelFlag::default(), Threads);
    let config = Config { memory: 16 << 20, ..Config::default() };
    let [mut search, mut other] = [(); 2].map(|()| AlphaBeta::new(config, evaluator.clone()));
    let mut current = Match::new(ConnectFour::new(7, 6).unwrap());
    current.play_history(opening).unwrap();
    let limits = Limits { budget: nodes(pondered), cancel: &cancel, host: &host };
    search.ponder(&current.view(0), &limits, &mut stream(1, "test", 0));
    let reply = decide(&mut other, &current.view(1), nodes(100_000), &mut stream(1, "test", 0)).action;
    current.play(1, reply).unwrap();
    decide(&mut search, &current.view(0), nodes(3_000), &mut stream(1, "test", 0)).cost.depth.unwrap()
}

#[test]
fn what_was_found_on_the_opponents_time_is_in_the_table() {
    for evaluator in [None, Some(Arc::new(Noise) as Arc<dyn Evaluator<ConnectFour>>)] {
        for opening in ["4", "3", "2", "4 4 3", "1 7 4"] {
            let [without, with] = [1, 30_000].map(|n| depth_after_pondering(evaluator.clone(), opening, n));
            assert!(with > without, "after {opening}: depth {with}, and {without} without");
        }
    }
}

#[test]
fn where_there_are_secrets_nothing_is_done_on_the_opponents_time() {
    let (cancel, host) = (CancelFlag::default(), Threads);
    let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &host };
    let mut current = Match::new(raichi_games::kuhn_poker::KuhnPoker);
    current.play_history("~K ~Q").unwrap();
    // Without an end, it would not return.
    AlphaBeta::new(config(), None).ponder(&current.view(1), &limits, &mut stream(1, "test", 0));
}
