//! The levels: their data, and as opponents: the first loses to somebody careful, the last wins.

use raichi_agents::levels::{best_in_turn, read, write};
use raichi_agents::{Budget, CancelFlag, Session, SystemHost, Work, canonical, prepare};
use raichi_core::game::Phase;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyGame, AnyMatch, Host, Seat, Viewer};
use std::sync::Arc;
use std::time::Duration;

/// Wins at once where it can, does not lose at once and lets nobody else win at once where it can help it, and does
/// anything otherwise.
fn careful(current: &dyn AnyMatch, seat: Seat, rng: &mut FastRng) -> String {
    let mut quiet = Vec::new();
    let legal = current.legal(seat);
    for action in &legal {
        let mut after = current.boxed_clone();
        after.play(seat, action).unwrap();
        match after.phase() {
            Phase::Over if after.payoffs()[seat] > 0.0 => return action.clone(),
            Phase::Over if after.payoffs()[seat] < 0.0 => {}
            Phase::Act(seats) if wins_at_once(&*after, seats.first(), seat) => {}
            _ => quiet.push(action.clone()),
        }
    }
    let choices = if quiet.is_empty() { legal } else { quiet };
    choices[index(rng, choices.len())].clone()
}

fn wins_at_once(current: &dyn AnyMatch, seat: Seat, other: Seat) -> bool {
    seat != other
        && current.legal(seat).iter().any(|action| {
            let mut after = current.boxed_clone();
            after.play(seat, action).unwrap();
            after.phase() == Phase::Over && after.payoffs()[seat] > 0.0
        })
}

/// What `one` scores against `other` in so many games, half of them from each side: 1 for a win, ½ for a draw.
fn score(
    game: &Arc<dyn AnyGame>,
    n_games: u64,
    one: &mut dyn FnMut(&dyn AnyMatch, Seat) -> String,
    other: &str,
) -> f64 {
    let agent = prepare(game, other).unwrap();
    let mut points = 0.0;
    for seed in 0..n_games {
        let (mut session, own): (Box<dyn Session>, Seat) = (agent.open(seed), seed as usize % 2);
        let mut current = game.new_match();
        while let Phase::Act(seats) = current.phase() {
            let seat = seats.first();
            let action = match seat == own {
                true => one(&*current, seat),
                false => session.decide(&*current, seat, Budget::UNLIMITED).unwrap().action,
            };
            current.play(seat, &action).unwrap();
        }
        points += (1.0 + current.payoffs()[own]) / 2.0;
    }
    points / n_games as f64
}

#[test]
fn somebody_careful_beats_the_first_level() {
    for (spec, n_games) in
        [("tic-tac-toe", 100), ("connect-four", 60), ("yavalath", 40), ("hex:size=4", 60), ("tablut", 20)]
    {
        let game = raichi_games::game(spec).unwrap();
        let mut rng = stream(1, "careful", 0);
        let points = score(&game, n_games, &mut |current, seat| careful(current, seat, &mut rng), "level:1");
        println!("{spec}: {points:.3}");
        assert!(points > 0.6, "{spec}: {points} points a game");
    }
}

#[test]
fn the_last_level_beats_the_first_at_connect_four() {
    let game = raichi_games::game("connect-four").unwrap();
    let agent = prepare(&game, "level:10").unwrap();
    let mut session = agent.open(1);
    let mut play = |current: &dyn AnyMatch, seat| session.decide(current, seat, Budget::UNLIMITED).unwrap().action;
    // Each game takes seconds.
    assert!(score(&game, 4, &mut play, "level:1") >= 0.95);
}

/// Whether an agent never goes by the clock: it has a count and no time, or `perfect` draws from an equilibrium.
fn is_counted(game: &str, agent: &str) -> bool {
    let draws = ["kuhn-poker", "leduc-poker"].contains(&game) && agent == "perfect";
    draws || !canonical(agent).unwrap().contains("time=")
}

#[test]
fn levels_of_the_cube_play_alike_however_much_time_they_are_given() {
    // The larger cube is not the one that was calibrated.
    let game = raichi_games::game("rubiks-cube:size=3").unwrap();
    for level in ["level:1", "level:10"] {
        let agent = prepare(&game, level).unwrap();
        let play = |limit: Budget| {
            let (mut session, mut current) = (agent.open(3), game.new_match());
            let mut chance = stream(3, "chance", 0);
            let mut n_nodes = Vec::new();
            loop {
                match current.phase() {
                    Phase::Over => return (current.history(Viewer::Referee), n_nodes),
                    Phase::Chance => current.sample_outcome(&mut chance).unwrap(),
                    Phase::Act(_) => n_nodes.push(session.play(current.as_mut(), 0, limit).unwrap().cost.nodes),
                }
            }
        };
        let (history, n_nodes) = play(Budget::UNLIMITED);
        assert_eq!((history, n_nodes.clone()), play(Budget::time(Duration::from_secs(600))), "{level}");
        assert!(n_nodes.iter().all(|&nodes| nodes <= 100_000), "{level}: {n_nodes:?}");
    }
}

#[test]
fn levels_count_where_no_equilibrium_is_known_of_a_position_that_was_set_up() {
    for (spec, position) in [("kuhn-poker", "0 stakes=1/1 cards=J/Q"), ("leduc-poker", "- 0 stakes=1/1 cards=Js/Qs")] {
        let game = raichi_games::game(spec).unwrap();
        let current = game.match_at(position).unwrap();
        let decide = |limit| {
            let advice = prepare(&game, "level:10").unwrap().open(5).decide(&*current, 0, limit).unwrap();
            (advice.action, advice.cost.simulations)
        };
        let (action, simulations) = decide(Budget::UNLIMITED);
        assert!((1..=200_000).contains(&simulations), "{spec}: {simulations}");
        assert_eq!(decide(Budget::time(Duration::from_secs(600))), (action, simulations), "{spec}");
    }
}

#[test]
fn the_data_reads_back_and_names_agents_that_play_their_games() {
    let ladders = read(include_str!("../src/levels/levels.toml")).unwrap();
    assert_eq!(read(&write(&ladders)).unwrap(), ladders);
    for (id, ladder) in &ladders {
        let game = raichi_games::game(if ladder.game.is_empty() { id } else { &ladder.game }).unwrap();
        assert_eq!(game.id(), id);
        assert!(prepare(&game, &ladder.best).is_ok(), "{id}: {}", ladder.best);
        assert!([0, 10].contains(&ladder.levels.len()), "{id}");
        for level in &ladder.levels {
            assert!(level.prepare(&game, "level").is_ok(), "{id}: {}", level.agent);
            assert!(is_counted(id, &level.agent), "{id}: a level counts, whatever the machine");
            assert!((0.0..=1.0).contains(&level.random), "{id}");
        }
    }
}

#[test]
fn every_game_has_all_levels_and_a_best_agent_with_every_set_of_parameters() {
    let specs = raichi_games::REGISTRY.iter().map(|entry| entry.id);
    let others = ["hex:size=5", "poker:players=6", "al-jabar:players=2", "yavalath:players=3", "connect-four:width=9"];
    for spec in specs.chain(others) {
        let game = raichi_games::game(spec).unwrap();
        for n in 1..=10 {
            let spec = format!("level:{n}");
            assert_eq!(prepare(&game, &spec).map(|ready| ready.spec().to_string()), Ok(spec));
        }
        assert_eq!(prepare(&game, "best:time=2s").unwrap().spec(), "best:time=2s");
    }
}

#[test]
fn records_say_which_levels_played() {
    use raichi_agents::levels::{about, version, version_in_record};
    let game = raichi_games::game("connect-four").unwrap();
    assert!(version(&*game) >= 1);
    let seats = |names: [&str; 2]| names.map(String::from).to_vec();
    assert_eq!(version_in_record(&seats(["level:6", "Ann"]), 4), Some(4));
    assert_eq!(version_in_record(&seats(["mcts:time=1s", "Level"]), 4), None);
    assert!(about(&*game).ends_with(&format!("(version {}).", version(&*game))), "{}", about(&*game));
}

/// Plays first against `other` and asks after each of its own plies whether the position is still won.
fn first_wins_without_error(size: usize, other: &str, seed: u64) {
    let game = raichi_games::game(&format!("hex:size={size}")).unwrap();
    let truth = raichi_agents::truth::known(&*game).unwrap();
    let mut sessions = [prepare(&game, "best:time=1s").unwrap().open(seed), prepare(&game, other).unwrap().open(seed)];
    let mut current = game.new_match();
    while let Phase::Act(seats) = current.phase() {
        let seat = seats.first();
        let action = sessions[seat].decide(&*current, seat, Budget::UNLIMITED).unwrap().action;
        current.play(seat, &action).unwrap();
        if seat == 0 && current.phase() != Phase::Over {
            let cancel = CancelFlag::default();
            let work = Work {
                deadline: Some(SystemHost.now() + Duration::from_secs(60)),
                cancel: &cancel,
                host: &SystemHost,
                n_threads: 1,
                memory: 1 << 28,
                folder: None,
                progress: &|_| {},
            };
            let exact = truth.examine(&*current, None, &work).exact.unwrap();
            assert_eq!(exact.values[0], 1.0, "{size}: {}", current.history(Viewer::Referee));
        }
    }
    assert_eq!(current.payoffs()[0], 1.0);
}

#[test]
fn best_plays_the_smallest_boards_of_hex_without_error_when_first() {
    for seed in 0..2 {
        first_wins_without_error(3, "random", seed);
        first_wins_without_error(4, "mcts:sims=50", seed);
    }
}

#[test]
#[ignore = "takes half an hour"]
fn nightly_best_plays_small_boards_of_hex_without_error_when_first() {
    for size in 5..=7 {
        for seed in 0..8 {
            let other = ["random", "mcts:sims=500", "mcts:evaluator=hand,sims=200", "level:10"][seed % 4];
            first_wins_without_error(size, other, seed as u64);
        }
    }
}

#[test]
fn specs_of_games_with_another_best_agent_are_canonical() {
    let ladders = read(include_str!("../src/levels/levels.toml")).unwrap();
    let specs: Vec<&String> = ladders.values().flat_map(|ladder| ladder.best_of.keys()).collect();
    assert!(!specs.is_empty());
    for spec in specs {
        assert_eq!(raichi_games::game(spec).unwrap().spec(), spec);
    }
}

#[test]
fn other_agents_stand_in_for_one_that_does_not_fit() {
    let game = raichi_games::game("kaalu").unwrap();
    let in_turn: Vec<&str> = best_in_turn(&*game).collect();
    assert_eq!(in_turn, ["alphabeta:evaluator=learned-kaalu", "mcts:evaluator=hand", "mcts"]);
    // The first counts no simulations, the second does.
    for budget in ["time=20ms", "sims=50"] {
        assert!(prepare(&game, &format!("best:{budget}")).is_ok(), "{budget}");
    }
    // With parameters for which the game is solved while it thinks, another one comes first.
    let small = raichi_games::game("hex:size=5,swap=true").unwrap();
    let in_turn: Vec<&str> = best_in_turn(&*small).collect();
    assert_eq!(in_turn, ["perfect:ties=best", "mcts:evaluator=hand", "mcts"]);
    assert!(prepare(&small, "best:time=20ms").is_ok());
    let not_calibrated = raichi_games::game("tic-tac-toe").unwrap();
    assert_eq!(best_in_turn(&*not_calibrated).last(), Some("mcts"));
}
