//! Networks in ONNX's form, run by ONNX Runtime: `make onnx` installs it and runs this. The network is one made by hand for
//! Tic Tac Toe (`onnx/tic_tac_toe.py`): it wins where it can, else blocks, else prefers the middle and the corners.
#![cfg(feature = "onnx")]

use std::sync::Once;

use raichi_agents::trained::{check, onnx, store};
use raichi_agents::{Budget, prepare};
use raichi_core::game::Phase;
use raichi_core::random::{index, stream};

const NETWORK: &[u8] = include_bytes!("onnx/tic-tac-toe.onnx");

/// Keeps the network as `by-hand`, in a folder of the tests' own.
fn keep() {
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("onnx-agents");
        std::fs::create_dir_all(&folder).unwrap();
        store::keep_in(folder);
        let game = raichi_games::game("tic-tac-toe").unwrap();
        let files = onnx::files("by-hand", &*game, "a test", NETWORK);
        assert_eq!(check(&files).unwrap().agent, onnx::ID);
        store::save("by-hand", &files, true).unwrap();
    });
}

/// What an agent says after a history: the actions, the best first, with what each is worth to who plays it.
fn advised(spec: &str, history: &str) -> Vec<(String, f64)> {
    keep();
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let mut current = game.new_match();
    current.play_history(history).unwrap();
    let Phase::Act(seats) = current.phase() else { panic!("the game is over") };
    let seat = seats.first();
    let mut session = prepare(&game, spec).unwrap().open(1);
    let advice = session.decide(&*current, seat, Budget::UNLIMITED).unwrap();
    let worth = |values: &[f64]| values.get(seat).copied().unwrap_or(f64::NAN);
    assert_eq!(advice.action, advice.candidates[0].action);
    advice.candidates.into_iter().map(|candidate| (candidate.action, worth(&candidate.values))).collect()
}

#[test]
fn it_plays_alone_with_its_own_search_and_in_others() {
    // Three in a row is there to be made, then to be blocked.
    for (history, expected) in [("a1 a2 b1 b2", "c1"), ("a1 b2 c3 b1", "b3"), ("", "b2")] {
        assert_eq!(advised("trained:by-hand", history)[0].0, expected, "{history}");
    }
    for spec in ["trained:by-hand,sims=50", "mcts:sims=200,evaluator=by-hand", "alphabeta:depth=2,evaluator=by-hand"] {
        for (history, expected) in [("a1 a2 b1 b2", "c1"), ("a1 b2 c3 b1", "b3")] {
            assert_eq!(advised(spec, history)[0].0, expected, "{spec} {history}");
        }
    }
}

#[test]
fn its_values_are_those_of_who_acts() {
    // After a ply that wins the value is the payoff itself.
    assert_eq!(advised("trained:by-hand", "a1 a2 b1 b2")[0], ("c1".into(), 1.0));
    // Of X's two open rows O closes one. With c3 it opens one of its own, so that X, who acts then, is not ahead.
    let advised = advised("greedy:evaluator=by-hand", "a1 b1 b2 c1 a3");
    let worth = |action: &str| advised.iter().find(|(other, _)| other == action).expect("it is legal").1;
    assert_eq!((advised[0].0.as_str(), worth("c3")), ("c3", 0.0));
    assert!((worth("a2") + 1f64.tanh()).abs() < 1e-6, "{advised:?}");
}

#[test]
fn it_loses_to_nobody_who_plays_at_random_as_first() {
    keep();
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let prepared = prepare(&game, "trained:by-hand").unwrap();
    for seed in 0..50 {
        let (mut current, mut session) = (game.new_match(), prepared.open(seed));
        let rng = &mut stream(seed, "random player", 0);
        while let Phase::Act(seats) = current.phase() {
            if seats.first() == 0 {
                session.play(&mut *current, 0, Budget::UNLIMITED).unwrap();
            } else {
                let legal = current.legal(1);
                current.play(1, &legal[index(rng, legal.len())]).unwrap();
            }
        }
        assert!(current.payoffs()[0] >= 0.0, "{}", current.history(raichi_core::Viewer::Referee));
    }
}

#[test]
fn what_does_not_fit_is_refused_with_a_sentence() {
    keep();
    for (game, part) in [("connect-four", "ONNX Runtime cannot run its network"), ("2048", "no bounds")] {
        let game = raichi_games::game(game).unwrap();
        let why = check(&onnx::files("other", &*game, "a test", NETWORK)).unwrap_err();
        assert!(why.contains(part), "{why}");
    }
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let why = check(&onnx::files("damaged", &*game, "a test", &NETWORK[..500])).unwrap_err();
    assert!(why.contains("ONNX Runtime refuses its network"), "{why}");
}

/// Networks made by hand for Tic Tac Toe that fail (`onnx/failing.py`): in one position, and unless asked about two at once.
const SELDOM: &[u8] = include_bytes!("onnx/seldom.onnx");
const AT_ONCE: &[u8] = include_bytes!("onnx/at-once.onnx");

#[test]
fn a_network_that_cannot_be_asked_about_any_number_of_positions_is_refused() {
    keep();
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let why = check(&onnx::files("at-once", &*game, "a test", AT_ONCE)).unwrap_err();
    assert!(why.contains("ONNX Runtime cannot run its network"), "{why}");
}

#[test]
fn where_a_network_fails_its_decision_ends_with_the_reason_and_others_go_on() {
    keep();
    let game = raichi_games::game("tic-tac-toe").unwrap();
    let files = onnx::files("seldom", &*game, "a test", SELDOM);
    check(&files).expect("no position that is drawn shows it");
    store::save("seldom", &files, true).unwrap();
    let at = |history: &str| {
        let mut current = game.new_match();
        current.play_history(history).unwrap();
        current
    };
    let (bad, good) = (at("a1 a2 c3 b3"), at("a1 b2"));
    for spec in [
        "trained:seldom",
        "trained:seldom,sims=20",
        "trained:seldom,time=20ms",
        "mcts:sims=50,evaluator=seldom",
        "alphabeta:depth=2,evaluator=seldom",
        "alphabeta:depth=2,evaluator=seldom,threads=2",
    ] {
        let prepared = prepare(&game, spec).unwrap();
        let [mut one, mut other] = [1, 2].map(|seed| prepared.open(seed));
        assert!(one.decide(&*good, 0, Budget::simulations(20)).is_ok(), "{spec}");
        // Greedy and alpha-beta look at the position from the one before it.
        let before = at("a1 a2 c3");
        let failed = one.decide(&*before, 1, Budget::UNLIMITED).or_else(|_| one.decide(&*bad, 0, Budget::UNLIMITED));
        let why = failed.and_then(|_| one.decide(&*bad, 0, Budget::UNLIMITED)).unwrap_err();
        assert_eq!(why.code(), "agent/failed", "{spec}: {why}");
        assert!(why.to_string().contains("ONNX Runtime cannot run its network"), "{spec}: {why}");
        assert!(why.to_string().contains("seldom"), "it is said which agent: {why}");
        // What it found since rests on nothing.
        assert_eq!(one.decide(&*good, 0, Budget::UNLIMITED).unwrap_err().code(), "agent/failed", "{spec}");
        assert!(other.decide(&*good, 0, Budget::simulations(20)).is_ok(), "{spec}: another game goes on");
    }
}
