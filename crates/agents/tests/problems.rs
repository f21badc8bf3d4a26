//! Problems against a plain search that knows no solver, and against each other.

use raichi_agents::problems::{Draws, Problem, Question, forced_problems, lost_problems, problems};
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
    problems(&*game, &*truth, &draws(seed, number, 400), &work).expect("the game is solved in time")
}

fn draws(seed: u64, number: usize, n_games: u64) -> Draws<'static> {
    Draws { seed, number, n_games, progress: &|_, _| {} }
}

/// Problems of lost positions.
fn lost(spec: &str, counter: Option<&str>, number: usize) -> Vec<Problem> {
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
    lost_problems(&*game, &*truth, counter, &draws(7, number, 400), &work).expect("the game is solved in time")
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
        let answer = after(&problem.answer, &mut *current);
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
            current.play_history(&refutation.line.plies.join(" ")).unwrap();
            // Nine cells are filled within the plies that are told: every line says how it ends.
            let end = refutation.line.end.as_deref().expect("the line goes to the end");
            let winner = refutation.winner.map_or("draw".to_string(), |seat| format!("{} wins", game.seat_name(seat)));
            assert_eq!(current.phase(), Phase::Over);
            assert!(end.contains(&winner), "{end}, not {winner}");
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
        for problem in forced_problems(&*game, &*game.new_match(), plies, &draws(7, 12, 60)) {
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
            for refutation in &problem.refutations {
                let mut current = game.match_at(&problem.position).unwrap();
                current.play(problem.seat, &refutation.action).unwrap();
                current.play_history(&refutation.line.plies.join(" ")).unwrap();
                if let Question::Avert(within) = problem.question {
                    // The whole win, and as long as it was said at most.
                    let winner = refutation.winner.expect("the other seat wins");
                    assert!(current.payoffs()[winner] > 0.0 && refutation.line.end.is_some(), "{refutation:?}");
                    assert!(refutation.line.plies.len() <= within as usize, "{within}: {refutation:?}");
                }
            }
        }
    }
    assert!(n_forced >= 5 && n_averted >= 5, "{n_forced} and {n_averted}");
}

/// That the answer does what is asked, and nothing else does.
fn check_forced(problem: &Problem, mut after: impl FnMut(&str, usize, u32) -> bool) {
    let mut others = problem.refutations.iter().map(|one| one.action.as_str());
    match problem.question {
        Question::Force(within) => {
            assert!(after(&problem.answer, problem.seat, within - 1), "{problem:?}");
            assert!(others.all(|action| !after(action, problem.seat, within - 1)), "{problem:?}");
        }
        Question::Avert(within) => {
            assert!(!after(&problem.answer, 1 - problem.seat, within), "{problem:?}");
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
        assert!(!problem.refutations.is_empty() && problem.refutations.iter().all(|one| one.line.plies.is_empty()));
    }
}

/// What the seat to act gets and how many plies the game lasts, where the winner hurries and the loser holds out.
fn lasts(current: &mut dyn AnyMatch) -> (i32, i32) {
    let Phase::Act(seats) = current.phase() else { panic!("the game is over") };
    let (mover, n_plies) = (seats.first(), current.n_plies());
    let mut best = None;
    for action in current.legal(mover) {
        current.play(mover, &action).unwrap();
        let (value, plies) = match current.phase() {
            Phase::Over => (current.payoffs()[mover] as i32, 1),
            _ => {
                let (value, plies) = lasts(current);
                (-value, plies + 1)
            }
        };
        current.truncate(n_plies);
        let rank = if value > 0 { (value, -plies) } else { (value, plies) };
        best = best.max(Some(rank));
    }
    let (value, rank) = best.expect("the seat has an action");
    (value, rank.abs())
}

#[test]
fn a_lost_position_asks_what_a_plain_search_answers() {
    let (mut n_actions, mut n_numbers) = (0, 0);
    let game = game("tic-tac-toe").unwrap();
    for problem in lost("tic-tac-toe", None, 12) {
        let mut current = game.match_at(&problem.position).unwrap();
        assert_eq!(lasts(&mut *current).0, -1, "{problem:?}");
        let line = problem.line.as_ref().expect("best play is told");
        match problem.question {
            Question::LostIn(n) => {
                assert_eq!(lasts(&mut *current).1, n as i32);
                assert_eq!((line.plies.len(), problem.answer.as_str()), (n as usize, n.to_string().as_str()));
                assert_eq!(problem.choices.iter().filter(|&choice| *choice == problem.answer).count(), 1);
                current.play_history(&line.plies.join(" ")).unwrap();
                assert_eq!(current.phase(), Phase::Over);
                n_numbers += 1;
            }
            Question::HoldOut(n) => {
                assert_eq!(lasts(&mut *current).1, n as i32);
                for wrong in &problem.refutations {
                    current.play(problem.seat, &wrong.action).unwrap();
                    let plies = if current.phase() == Phase::Over { 0 } else { lasts(&mut *current).1 };
                    current.truncate(0);
                    assert!(plies + 1 < n as i32, "{problem:?}");
                    assert_eq!(wrong.plies, Some(plies as u32));
                }
                n_actions += 1;
            }
            question => panic!("{question:?} is not asked of lost positions"),
        }
    }
    assert!(n_actions >= 3 && n_numbers >= 3, "{n_actions} and {n_numbers}");
}

#[test]
fn where_discs_count_a_lost_position_asks_how_many_are_left() {
    let problems = lost("othello:size=4", Some("discs"), 10);
    let (left, least): (Vec<_>, Vec<_>) =
        problems.iter().partition(|problem| matches!(problem.question, Question::Left(_)));
    assert!(left.len() >= 3 && least.len() >= 3, "{} and {}", left.len(), least.len());
    let game = game("othello:size=4").unwrap();
    for problem in left {
        let mut current = game.match_at(&problem.position).unwrap();
        current.play_history(&problem.line.as_ref().unwrap().plies.join(" ")).unwrap();
        let picture = current.picture(Viewer::Referee);
        let discs = picture.counters.iter().find(|one| one.label == "discs" && one.seat == Some(problem.seat)).unwrap();
        assert_eq!(discs.value, problem.answer);
        assert!(current.payoffs()[problem.seat] < 0.0 && problem.choices.contains(&problem.answer));
    }
    for problem in least {
        let Question::LoseLeast(by) = problem.question else { panic!("{problem:?}") };
        assert!(by > 0 && problem.refutations.iter().all(|one| -one.score.unwrap() > f64::from(by)), "{problem:?}");
    }
    assert!(lost("othello:size=4", Some("stones"), 10).iter().all(|problem| !problem.question.is_counted()));
}
