//! Problems against a plain search that knows no solver, and against each other.

use raichi_agents::problems::{Problem, Question, forced_problems, problems};
use raichi_agents::truth::known;
use raichi_agents::{CancelFlag, SystemHost, Work};
use raichi_core::{AnyMatch, Phase, Viewer};
use raichi_games::game;

fn made(spec: &str, seed: u64, number: usize) -> Vec<Problem> {
    let game = game(spec).expect("the spec makes a game");
    let truth = known(&*game).expect("the game is solved");
    let cancel = CancelFlag::default();
    let work = Work {
        deadline: None,
        cancel: &cancel,
        host: &SystemHost,
        n_threads: 1,
        memory: 64 << 20,
        folder: None,
        progress: &|_| {},
    };
    problems(&*game, &*truth, seed, number, 400, &work).expect("the game is solved in time")
}

/// The payoff to `seat` under best play of two seats, by trying everything.
fn value(current: &mut dyn AnyMatch, seat: usize) -> f64 {
    let Phase::Act(seats) = current.phase() else { return current.payoffs()[seat] };
    let mover = seats.first();
    let n_plies = current.n_plies();
    let mut best = f64::NEG_INFINITY;
    for action in current.legal(mover) {
        current.play(mover, &action).unwrap();
        best = best.max(value(current, mover));
        current.truncate(n_plies);
    }
    if mover == seat { best } else { -best }
}

#[test]
fn a_problem_has_one_answer_by_a_plain_search() {
    let game = game("tic-tac-toe").unwrap();
    let problems = made("tic-tac-toe", 7, 20);
    assert!(problems.len() >= 10, "{}", problems.len());
    for problem in &problems {
        let mut current = game.match_at(&problem.position).unwrap();
        let after = |action: &str, current: &mut dyn AnyMatch| {
            current.play(problem.seat, action).unwrap();
            let value = value(current, problem.seat);
            current.truncate(0);
            value
        };
        let answer = after(&problem.action, &mut *current);
        let others: Vec<f64> = problem.refutations.iter().map(|one| after(&one.action, &mut *current)).collect();
        assert_eq!(others.len() + 1, current.legal(problem.seat).len());
        match problem.question {
            Question::KeepTheWin => assert!(answer > 0.0 && others.iter().all(|&value| value <= 0.0), "{problem:?}"),
            Question::Save => assert!(answer == 0.0 && others.iter().all(|&value| value < 0.0), "{problem:?}"),
            Question::FewestPlies => assert!(answer > 0.0 && others.contains(&1.0), "{problem:?}"),
            question => panic!("{question:?} is not asked in this game"),
        }
        assert!((1..=5).contains(&problem.grade));
        for refutation in &problem.refutations {
            let mut current = game.match_at(&problem.position).unwrap();
            current.play(problem.seat, &refutation.action).unwrap();
            current.play_history(&refutation.line.join(" ")).unwrap();
        }
    }
}

#[test]
fn no_two_problems_are_alike_up_to_symmetry_and_a_seed_makes_the_same_again() {
    let game = game("tic-tac-toe").unwrap();
    let problems = made("tic-tac-toe", 3, 30);
    let cells = |text: &str| {
        let current = game.match_at(text).unwrap();
        let position = current.position_text(Viewer::Referee);
        let (rows, seat) = position.split_once(' ').unwrap();
        let mut board = Vec::new();
        for c in rows.chars().filter(|&c| c != '/') {
            match c.to_digit(10) {
                Some(n) => board.extend(std::iter::repeat_n('.', n as usize)),
                None => board.push(c),
            }
        }
        (board, seat.to_string())
    };
    let turned = |board: &[char]| (0..9).map(|i| board[(2 - i % 3) * 3 + i / 3]).collect::<Vec<_>>();
    let mirrored = |board: &[char]| (0..9).map(|i| board[i / 3 * 3 + 2 - i % 3]).collect::<Vec<_>>();
    let mut seen: Vec<(Vec<char>, String)> = Vec::new();
    for problem in &problems {
        let (mut board, seat) = cells(&problem.position);
        let mut images = Vec::new();
        for _ in 0..4 {
            images.push(board.clone());
            images.push(mirrored(&board));
            board = turned(&board);
        }
        assert!(!images.iter().any(|image| seen.contains(&(image.clone(), seat.clone()))), "{}", problem.position);
        seen.push((board, seat));
    }
    let again = made("tic-tac-toe", 3, 30);
    let positions = |problems: &[Problem]| problems.iter().map(|one| one.position.clone()).collect::<Vec<_>>();
    assert_eq!(positions(&problems), positions(&again));
}

/// Whether `seat` wins within so many plies whatever happens, by trying everything.
fn forces(current: &mut dyn AnyMatch, seat: usize, plies: u32) -> bool {
    let Phase::Act(seats) = current.phase() else { return current.payoffs()[seat] > 0.0 };
    if plies == 0 {
        return false;
    }
    let (mover, n_plies) = (seats.first(), current.n_plies());
    let legal = current.legal(mover);
    let mut wins = |action: &String| {
        current.play(mover, action).unwrap();
        let wins = forces(current, seat, plies - 1);
        current.truncate(n_plies);
        wins
    };
    if mover == seat { legal.iter().any(&mut wins) } else { legal.iter().all(&mut wins) }
}

#[test]
fn a_forced_win_and_an_escape_have_one_answer_by_a_plain_search() {
    let (mut n_forced, mut n_averted) = (0, 0);
    for (spec, plies) in [("tic-tac-toe", 5), ("connect-four:width=5,height=4", 5)] {
        let game = game(spec).unwrap();
        for problem in forced_problems(&*game, &*game.new_match(), plies, 7, 12, 60) {
            let mut current = game.match_at(&problem.position).unwrap();
            let after = |action: &str, winner: usize, plies: u32| {
                current.play(problem.seat, action).unwrap();
                let forced = forces(&mut *current, winner, plies);
                current.truncate(0);
                forced
            };
            check_forced(&problem, after);
            n_forced += usize::from(matches!(problem.question, Question::Force(_)));
            n_averted += usize::from(matches!(problem.question, Question::Avert(_)));
            assert_eq!(problem.refutations.len() + 1, current.legal(problem.seat).len());
        }
    }
    assert!(n_forced >= 5 && n_averted >= 5, "{n_forced} and {n_averted}");
}

/// That the answer does what is asked, and nothing else does.
fn check_forced(problem: &Problem, mut after: impl FnMut(&str, usize, u32) -> bool) {
    let mut others = problem.refutations.iter().map(|one| one.action.as_str());
    match problem.question {
        Question::Force(within) => {
            assert!(after(&problem.action, problem.seat, within - 1), "{problem:?}");
            assert!(others.all(|action| !after(action, problem.seat, within - 1)), "{problem:?}");
        }
        Question::Avert(within) => {
            assert!(!after(&problem.action, 1 - problem.seat, within), "{problem:?}");
            assert!(others.all(|action| after(action, 1 - problem.seat, within)), "{problem:?}");
        }
        question => panic!("{question:?} is not about force"),
    }
}

#[test]
fn against_chance_the_answer_brings_the_most() {
    let problems = made("2048:size=2", 1, 8);
    assert!(problems.len() >= 5, "{}", problems.len());
    for problem in problems {
        assert_eq!(problem.question, Question::Most);
        assert!(!problem.refutations.is_empty() && problem.refutations.iter().all(|one| one.line.is_empty()));
    }
}
