//! The table of kinds, and what the crate knows of a game without playing it: charts and equilibria.

use std::collections::HashSet;

use raichi_agents::{CancelFlag, SystemHost, Work, action_values, canonical, charts, equilibrium, has_charts, prepare};

#[test]
fn a_kind_refuses_with_its_sentence_what_it_does_not_support() {
    let ready = |spec: &str| {
        let game = raichi_games::game(spec).unwrap();
        prepare(&game, "mirror").map(|prepared| prepared.spec().to_string())
    };
    assert_eq!(ready("focus:rule=none").unwrap(), "mirror");
    let refused = ready("nim3p").unwrap_err();
    assert_eq!(refused.code(), "agent/refused");
    let sentence = refused.to_string();
    assert!(sentence.starts_with("mirror does not play nim3p: "), "{sentence}");
    let refused = ready("focus").unwrap_err().to_string();
    assert!(refused.starts_with("mirror does not play focus: ") && refused.contains("rule=none"), "{refused}");
}

#[test]
fn a_spec_always_says_the_budget() {
    for (spec, full) in [
        ("mcts", "mcts:time=1s"),
        ("mcts:c=0.5", "mcts:time=1s,c=0.5"),
        ("mcts:sims=100", "mcts:sims=100"),
        ("mcts:threads=1,sims=100,time=2000ms", "mcts:time=2s,sims=100"),
        ("random", "random"),
        ("level:6", "level:6"),
        ("level", "level:5"),
        ("best", "best:time=1s"),
        ("best:sims=50", "best:sims=50"),
    ] {
        assert_eq!(canonical(spec).unwrap(), full);
        assert_eq!(canonical(full).unwrap(), full);
        let game = raichi_games::game("tic-tac-toe").unwrap();
        assert_eq!(prepare(&game, spec).unwrap().spec(), full);
    }
}

#[test]
fn wrong_specs_are_refused_with_what_is_allowed() {
    for (spec, code, says) in [
        (
            "max",
            "agent/unknown",
            "there is no agent `max`; the agents are random, level, dfpn, minimax, greedy, rhea, mc, alphabeta",
        ),
        ("mcts:time=1", "agent/option", "`time=1`"),
        ("random:sims=1", "agent/option", "no options"),
        ("level:11", "agent/option", "level is a level from 1 to 10"),
    ] {
        let error = canonical(spec).unwrap_err();
        assert_eq!(error.code(), code, "{spec}");
        assert!(error.to_string().contains(says), "{spec}: {error}");
    }
}

#[test]
fn charts_of_rules_and_of_engines_stand_side_by_side() {
    let ids = |spec: &str| -> Vec<String> {
        charts(&*raichi_games::game(spec).unwrap()).into_iter().map(|chart| chart.id).collect()
    };
    assert_eq!(ids("al-jabar"), ["sums", "makers"]);
    assert_eq!(ids("poker"), ["hands"]);
    assert_eq!(ids("jabirs-transmutations"), ["cards", "events"]);
    assert_eq!(ids("blackjack:decks=0"), ["strategy"]);
    let has = |spec: &str| has_charts(&*raichi_games::game(spec).unwrap());
    assert!(has("al-jabar") && has("blackjack") && !has("hex"));
    for entry in raichi_games::REGISTRY.iter().filter(|entry| entry.id != "blackjack") {
        let charts = charts(&*(entry.create)(None).unwrap());
        let different: HashSet<&str> = charts.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(different.len(), charts.len(), "{}", entry.id);
        for id in ["rules", "board"] {
            assert!(!different.contains(id), "{}: `{id}` is a sheet of every game", entry.id);
        }
    }
}

#[test]
fn kuhn_poker_is_solved_and_games_without_secrets_are_not() {
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &SystemHost,
        n_threads: 1,
        memory: 1 << 26,
        folder: None,
        progress: &|_| {},
    };
    let kuhn = raichi_games::game("kuhn-poker").unwrap();
    let found = equilibrium(&*kuhn, &work).expect("it has a line").expect("it is small");
    assert!((found.values[0] + 1.0 / 18.0).abs() < 1e-5 && found.exploitability < 1e-5, "{:?}", found.values);
    assert_eq!(found.information_sets, 12);
    assert!(equilibrium(&*raichi_games::game("tic-tac-toe").unwrap(), &work).is_none());
    // With a jack against a bet a pass loses one, calling two; with a king calling wins two.
    for (history, wanted) in [("~J ~Q pass bet", [-1.0, -2.0]), ("~K ~Q pass bet", [-1.0, 2.0])] {
        let mut current = kuhn.new_match();
        current.play_history(history).unwrap();
        let found = action_values(&*kuhn, &*current, &found).unwrap();
        assert_eq!(found.iter().map(|(action, _)| action.as_str()).collect::<Vec<_>>(), ["pass", "bet"]);
        assert!(found.iter().zip(wanted).all(|((_, value), wanted)| (value - wanted).abs() < 1e-9), "{found:?}");
    }
}
