//! Contests as a whole: the same on any number of threads, gone on with after a kill at any byte, and refused where the
//! file is another contest's.

use std::fs;
use std::path::Path;

use raichi_arena::contest::{Contest, Flow, Journal, MatchSchedule, Openings, Outcome, Schedule, play};
use raichi_arena::tournament::{Format, TournamentSchedule};

const SPECS: [&str; 2] = ["mcts:sims=8", "random"];

fn contest(game: &str, openings: Openings, seed: u64) -> Contest {
    let game = raichi_games::game(game).unwrap();
    Contest::new(vec![game], &SPECS.map(String::from), openings, seed).unwrap()
}

fn matched(contest: &Contest, n_games: u64) -> MatchSchedule {
    MatchSchedule::new(contest.agents(), contest.games()[0].facts().n_seats, n_games, contest.seed())
}

fn written(
    contest: &Contest,
    schedule: &mut dyn Schedule,
    path: &Path,
    threads: usize,
) -> Result<Vec<Outcome>, String> {
    let mut journal = Journal::open(path).map_err(|why| why.to_string())?;
    play(contest, schedule, &mut journal, threads, &mut |_, _| Flow::Continue).map_err(|why| why.to_string())
}

// What does not depend on the machine.
fn results(outcomes: &[Outcome]) -> Vec<(u64, Vec<f64>, u64)> {
    outcomes.iter().map(|outcome| (outcome.planned.number, outcome.payoffs.clone(), outcome.fingerprint)).collect()
}

#[test]
fn records_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    // Chance, three seats, and several at once.
    for game in ["tic-tac-toe", "nim3p", "2048:max-plies=40", "blackjack"] {
        let contest = contest(game, Openings::Random { plies: 1 }, 3);
        let files = [1, 2, 5].map(|threads| {
            let path = folder.path().join(format!("{}-{threads}", game.replace(':', "-")));
            written(&contest, &mut matched(&contest, 24), &path, threads).unwrap();
            fs::read(path).unwrap()
        });
        assert!(files[0] == files[1] && files[0] == files[2], "{game}");
        assert_eq!(files[0].iter().filter(|&&byte| byte == b'\n').count(), 24);
    }
}

#[test]
fn a_match_goes_on_from_any_byte_at_which_it_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest("tic-tac-toe", Openings::Random { plies: 2 }, 7);
    let path = folder.path().join("whole");
    let outcomes = written(&contest, &mut matched(&contest, 12), &path, 1).unwrap();
    let whole = fs::read(&path).unwrap();
    for cut in (0..=whole.len()).step_by(37).chain([whole.len() - 1, whole.len()]) {
        let path = folder.path().join("cut");
        fs::write(&path, &whole[..cut]).unwrap();
        let again = written(&contest, &mut matched(&contest, 12), &path, 2).unwrap();
        assert_eq!(results(&again), results(&outcomes), "cut at {cut}");
        assert!(fs::read(&path).unwrap() == whole, "cut at {cut}");
    }
}

#[test]
fn an_adaptive_tournament_goes_on_as_it_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let agents: Vec<String> = (1..=5).map(|n| format!("mcts:sims={n}")).collect();
    let games = ["tic-tac-toe", "nim"].map(|spec| raichi_games::game(spec).unwrap()).to_vec();
    let contest = Contest::new(games, &agents, Openings::Random { plies: 1 }, 9).unwrap();
    for format in [Format::KnockOut, Format::Swiss, Format::Double] {
        let schedule = || TournamentSchedule::new(&contest, format, Some(4));
        let path = folder.path().join(format!("{format:?}"));
        let outcomes = written(&contest, &mut schedule(), &path, 1).unwrap();
        let whole = fs::read(&path).unwrap();
        for part in [3, 5, 9] {
            let path = folder.path().join("cut");
            fs::write(&path, &whole[..whole.len() * part / 10]).unwrap();
            let again = written(&contest, &mut schedule(), &path, 2).unwrap();
            assert_eq!(results(&again), results(&outcomes), "{format:?}");
            assert!(fs::read(&path).unwrap() == whole, "{format:?}");
        }
    }
}

#[test]
fn a_kill_may_cut_off_the_costs_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (path, costs) = (folder.path().join("file"), folder.path().join("file.costs"));
    let contest = contest("tic-tac-toe", Openings::Start, 1);
    written(&contest, &mut matched(&contest, 2), &path, 1).unwrap();
    let whole = fs::read(&costs).unwrap();
    for len in 0..20 {
        fs::write(&costs, &whole[..len]).unwrap();
        assert_eq!(written(&contest, &mut matched(&contest, 2), &path, 1).unwrap().len(), 2, "{len} bytes");
    }
    fs::write(&costs, "notes").unwrap();
    assert!(written(&contest, &mut matched(&contest, 2), &path, 1).unwrap_err().contains("something else"));
}

#[test]
fn another_contests_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let first = contest("tic-tac-toe", Openings::Start, 1);
    written(&first, &mut matched(&first, 4), &path, 1).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let refused = |contest: &Contest, n_games: u64, says: &str| {
        let before = fs::read(&path).unwrap();
        let error = written(contest, &mut matched(contest, n_games), &path, 1).unwrap_err();
        assert!(error.contains(says) && error.contains("not this command's"), "{error}");
        assert!(fs::read(&path).unwrap() == before, "{says}");
    };
    refused(&contest("tic-tac-toe", Openings::Start, 2), 4, "line 1: the record has the seed");
    refused(&contest("nim", Openings::Start, 1), 4, "the record has the game tic-tac-toe");
    refused(&contest("tic-tac-toe", Openings::Random { plies: 2 }, 1), 4, "the record has the opening");
    refused(&first, 2, "more than this command's 2 games");
    // More games are more of the same.
    assert_eq!(written(&first, &mut matched(&first, 6), &path, 1).unwrap().len(), 6);
    for (text, says) in [
        ("my notes\n", "line 1 is not a record"),
        ("my notes", "`my notes` is no record"),
        (&whole.replacen("\"text\":\"", "\"text\":\"z", 1), "ply 1"),
        (&whole.replacen("\"payoffs\":[", "\"payoffs\":[7.5,", 1), "payoffs"),
        (&whole.replacen("\"end\":\"", "\"end\":\"not-", 1), "not the one that its plies lead to"),
    ] {
        fs::write(&path, text).unwrap();
        refused(&first, 4, says);
    }
    fs::write(&path, [0xff, 0xfe, b'\n']).unwrap();
    refused(&first, 4, "no text");
}

#[test]
fn two_contests_do_not_write_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let held = Journal::open(&path).unwrap();
    let error = Journal::open(&path).unwrap_err().to_string();
    assert!(error.contains("is being written by another contest"), "{error}");
    drop(held);
    Journal::open(&path).unwrap();
}

#[test]
fn a_contest_can_be_stopped_and_its_result_is_that_of_the_games_before() {
    let contest = contest("tic-tac-toe", Openings::Start, 1);
    for threads in [1, 3] {
        let mut n = 0;
        let outcomes = play(&contest, &mut matched(&contest, 1000), &mut Journal::none(), threads, &mut |_, _| {
            n += 1;
            if n == 10 { Flow::Stop } else { Flow::Continue }
        });
        assert_eq!(outcomes.unwrap().len(), 10);
    }
}

#[test]
fn everybody_meets_the_same_chance_in_a_round() {
    let contest = contest("2048:max-plies=30", Openings::Start, 1);
    let outcomes = play(&contest, &mut matched(&contest, 8), &mut Journal::none(), 1, &mut |_, record| {
        // Two tiles are laid before the first action: the same for both agents.
        assert!(record.plies[0].text.starts_with('~'));
        Flow::Continue
    });
    let outcomes = outcomes.unwrap();
    for pair in outcomes.chunks(2) {
        assert_eq!((pair[0].planned.seed, pair[0].planned.round), (pair[1].planned.seed, pair[1].planned.round));
        assert_ne!(pair[0].planned.seats, pair[1].planned.seats);
    }
}

#[test]
fn an_agent_of_one_seat_meets_nobody_from_all_sides() {
    let game = raichi_games::game("focus:rule=none").unwrap();
    let refused = Contest::new(vec![game], &["random", "mirror"].map(String::from), Openings::Start, 1);
    let sentence = refused.err().expect("mirror plays the second seat only").to_string();
    assert_eq!(
        sentence,
        "mirror does not play focus:rule=none: it plays the second seat, 1; at seat 0 there is no move to mirror, and here \
         every agent plays every seat"
    );
}
