//! The table of kinds, and what the crate knows of a game without playing it: charts and equilibria.

use std::collections::HashSet;

use raichi_agents::{
    Budget, CancelFlag, KINDS, SOLVED, SystemHost, Work, action_values, canonical, charts, check_ranges, equilibrium,
    has_charts, prepare,
};
use raichi_core::game::Phase;

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
fn help_with_a_budget_names_the_options_that_the_kind_has_and_no_others() {
    const BUDGET: [&str; 3] = ["time", "sims", "nodes"];
    for kind in KINDS {
        let has = |name: &str| kind.options.iter().any(|option| option.name == name);
        // Behind the semicolon stands how the options of the budget go together.
        for option in kind.options.iter().filter(|option| has("time") && BUDGET.contains(&option.name)) {
            for other in BUDGET.into_iter().filter(|&other| other != option.name) {
                let (_, names) = option.help.split_once(';').expect("what follows names the others");
                let is_named = names.split(|c: char| !c.is_alphabetic()).any(|word| word == other);
                assert_eq!(is_named, has(other), "{}, {}: {}", kind.id, option.name, option.help);
            }
        }
    }
}

#[test]
fn ranges_of_poker_are_two_or_none() {
    let check = |ranges: &[&str]| check_ranges(&ranges.iter().map(|range| range.to_string()).collect::<Vec<_>>());
    assert_eq!(check(&[]), Ok(()));
    assert_eq!(check(&["AA,AK:0.5", "any"]), Ok(()));
    assert!(check(&["AA"]).unwrap_err().starts_with("two ranges are needed"));
    assert!(check(&["AA", "XX"]).unwrap_err().starts_with("`XX` is not a range"));
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
    assert_eq!(ids("poker"), ["hands", "push", "call", "equity"]);
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
    let found = equilibrium(&*kuhn, SOLVED, &work).expect("it has a line").expect("it is small");
    assert!((found.values[0] + 1.0 / 18.0).abs() < 1e-5 && found.exploitability < 1e-5, "{:?}", found.values);
    assert_eq!(found.information_sets, 12);
    assert!(equilibrium(&*raichi_games::game("tic-tac-toe").unwrap(), SOLVED, &work).is_none());
    // With a jack against a bet a pass loses one, calling two; with a king calling wins two.
    for (history, wanted) in [("~J ~Q pass bet", [-1.0, -2.0]), ("~K ~Q pass bet", [-1.0, 2.0])] {
        let mut current = kuhn.new_match();
        current.play_history(history).unwrap();
        let found = action_values(&*kuhn, &*current, &found).unwrap();
        assert_eq!(found.iter().map(|(action, _)| action.as_str()).collect::<Vec<_>>(), ["pass", "bet"]);
        assert!(found.iter().zip(wanted).all(|((_, value), wanted)| (value - wanted).abs() < 1e-9), "{found:?}");
    }
}

#[test]
fn perfect_plays_an_equilibrium_where_something_is_hidden() {
    let kuhn = raichi_games::game("kuhn-poker").unwrap();
    let agent = prepare(&kuhn, "perfect").unwrap();
    let share_of = |history: &str, action: &str| {
        let mut current = kuhn.new_match();
        current.play_history(history).unwrap();
        let Phase::Act(seats) = current.phase() else { panic!("{history}: somebody is to act") };
        let chosen = |seed: u64| agent.open(seed).decide(&*current, seats.first(), Budget::UNLIMITED).unwrap();
        assert_eq!(chosen(1).candidates.len(), 2, "both actions have a value");
        (0..1200).filter(|&seed| chosen(seed).action == action).count() as f64 / 1200.0
    };
    // What every equilibrium has (Kuhn 1950): the second seat bets a king always, a queen never, and bluffs and calls a third.
    assert_eq!(
        [share_of("~J ~K pass", "bet"), share_of("~J ~Q pass", "bet"), share_of("~Q ~K bet", "bet")],
        [1.0, 0.0, 1.0]
    );
    let third = 1.0 / 3.0;
    for (history, wanted) in [("~Q ~J pass", third), ("~K ~Q bet", third), ("~Q ~J bet", 0.0)] {
        let share = share_of(history, "bet");
        assert!((share - wanted).abs() < 0.05, "{history}: {share} for {wanted}");
    }
    // The first seat never bets a queen, and a king three times as often as a jack.
    let [jack, queen, king] = ["~J ~Q", "~Q ~K", "~K ~J"].map(|history| share_of(history, "bet"));
    assert!(queen == 0.0 && (king - 3.0 * jack).abs() < 0.1, "{jack} {queen} {king}");

    // Leduc Poker is small enough too, Poker is not.
    assert!(prepare(&raichi_games::game("leduc-poker").unwrap(), "perfect").is_ok());
    assert!(prepare(&raichi_games::game("poker").unwrap(), "perfect").is_err());

    // A position that was set up has no past: another agent plays it.
    let mut current = kuhn.new_match();
    current.play_history("~J ~Q pass").unwrap();
    let text = current.position_text(raichi_core::seat::Viewer::Seat(1));
    let set_up = kuhn.match_at(&text).unwrap();
    assert!(agent.open(1).decide(&*set_up, 1, Budget::UNLIMITED).is_ok());
}
