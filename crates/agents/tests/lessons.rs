//! Where a lesson or a problem says something that the rules alone do not decide, the solvers say so too: that certain actions,
//! and no others, keep what a position is worth, that they force a win or avert one, that a line is best play.

use std::collections::HashMap;

use raichi_agents::problems::forcing;
use raichi_agents::truth::{alone, known};
use raichi_agents::{Budget, CancelFlag, Equilibrium, SOLVED, SystemHost, Work, action_values, equilibrium, prepare};
use raichi_core::lesson::{Course, Step};
use raichi_core::rulebook::{Passage, passages};
use raichi_core::{AnyGame, AnyMatch, Phase};
use raichi_engines::poker::{preflop, push_or_fold};
use raichi_games::cards::Card;
use raichi_games::{REGISTRY, ROOMS, game, rooms};

fn work(cancel: &CancelFlag) -> Work<'_> {
    Work { deadline: None, cancel, host: &SystemHost, n_threads: 1, memory: 64 << 20, folder: None, progress: &|_| {} }
}

/// All steps of all lessons and problems, with the folder of their game.
fn steps() -> Vec<(&'static str, Step)> {
    let course = |text| Course::parse(text).expect("a test of the games parses every lesson").lesson;
    let of = |rooms: &raichi_games::Rooms| [course(rooms.lesson), course(rooms.problems)].concat();
    let all = ROOMS.iter().flat_map(|rooms| of(rooms).into_iter().map(|lesson| (rooms.folder, lesson)));
    all.flat_map(|(folder, lesson)| lesson.step.into_iter().map(move |step| (folder, step))).collect()
}

fn opened(step: &Step) -> (std::sync::Arc<dyn AnyGame>, Box<dyn AnyMatch>) {
    let game = game(&step.game).expect("a test of the games parses every spec");
    let current = step.open(&*game).expect("a test of the games opens every step");
    (game, current)
}

/// What each action is worth to the seat to act: by the solvers; in a game with secrets, by an equilibrium; where nobody else
/// acts any more, by looking at all that can happen.
fn values(step: &Step, equilibria: &mut HashMap<String, Option<Equilibrium>>) -> Vec<(String, f64)> {
    let (game, current) = opened(step);
    let cancel = CancelFlag::default();
    let work = work(&cancel);
    let Ok(truth) = known(&*game) else {
        let solved = || equilibrium(&*game, SOLVED, &work).map(|found| found.expect("the game is small"));
        if let Some(found) = equilibria.entry(step.game.clone()).or_insert_with(solved) {
            return action_values(&*game, &*current, found).expect("the seat comes there");
        }
        return alone(&*game, &*current, 2_000_000).unwrap_or_else(|| panic!("{}: others act", step.title));
    };
    let examined = truth.examine(&*current, None, &work);
    let seat = examined.seat.expect("a seat is to act");
    let value = |action: &raichi_agents::truth::ExaminedAction| {
        let exact = action.exact.as_ref().unwrap_or_else(|why| panic!("{}: {why}", step.title));
        (action.action.clone(), exact.values[seat])
    };
    examined.actions.iter().map(value).collect()
}

fn sorted(mut actions: Vec<String>) -> Vec<String> {
    actions.sort();
    actions
}

/// How far an equilibrium may be from a true one, in chips.
const EQUAL: f64 = 1e-3;

#[test]
fn what_a_lesson_says_of_values_is_true() {
    let (mut n_asked, mut faults, mut equilibria) = (0, Vec::new(), HashMap::new());
    for (folder, step) in steps().iter().filter(|(_, step)| step.keeps && !step.actions.is_empty()) {
        let values = values(step, &mut equilibria);
        let best = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let keeping = values.iter().filter(|(_, value)| best - value < EQUAL).map(|(action, _)| action.clone());
        if sorted(step.actions.clone()) != sorted(keeping.collect()) {
            faults.push(format!("{folder}: {}: {:?}, not {values:?}", step.title, step.actions));
        }
        n_asked += 1;
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(n_asked >= 100, "{n_asked} steps are about values");
}

/// The answer of the chart of all-in or fold to a position of Poker for two, with the own cards: `all-in` or `fold`.
fn charted(position: &str) -> &'static str {
    let field = |name: &str| {
        let value = position.split(' ').find_map(|word| word.strip_prefix(name)).expect("the position has it");
        value.split('/').collect::<Vec<_>>()
    };
    let seat: usize = field("seen-by=")[0].parse().expect("a seat");
    let number = |name, seat: usize| field(name)[seat].parse::<u32>().expect("a number");
    let big_blinds = (number("stacks=", seat) + number("staked=", seat)) / 10;
    let cards = field("cards=")[seat];
    let hole = [&cards[..2], &cards[2..]].map(|card| Card::parse(card).expect("a card"));
    let kind = preflop::class(hole.into_iter().collect());
    let is_called = number("stacks=", 1 - seat) == 0;
    let often = if is_called { push_or_fold::call(kind, big_blinds) } else { push_or_fold::push(kind, big_blinds) };
    match often.expect("the chart has the stack") {
        often if often > 0.999 => "all-in",
        often if often < 0.001 => "fold",
        often => panic!("{position}: the chart mixes, {often}"),
    }
}

#[test]
fn all_in_or_fold_is_what_the_chart_says() {
    let course = Course::parse(rooms("poker").expect("Poker has rooms").problems).expect("it parses");
    let lesson = course.lesson.iter().find(|lesson| lesson.title == "All-in or fold?").expect("it is there");
    assert!(lesson.step.len() >= 6);
    for step in &lesson.step {
        let (_, current) = opened(step);
        let Phase::Act(seats) = current.phase() else { panic!("{}: nobody is to act", step.title) };
        assert!(current.legal(seats.first()).contains(&step.actions[0]), "{}", step.title);
        assert_eq!(step.actions, [charted(step.from.as_deref().expect("a position"))], "{}", step.title);
    }
}

/// What is wrong with a step that says what can be forced.
fn wrongly_forced(step: &Step) -> Option<String> {
    let (game, current) = opened(step);
    let seat = step.learner(&*current);
    let legal = current.legal(seat);
    let right = if let Some(plies) = step.forces {
        forcing(&*game, &*current, seat, plies - 1).expect("the game has no secrets")
    } else {
        let plies = step.averts?;
        let others = (0..game.facts().n_seats).filter(|&other| other != seat);
        let lost = |other| forcing(&*game, &*current, other, plies).expect("the game has no secrets");
        let lost: Vec<String> = others.flat_map(lost).collect();
        legal.into_iter().filter(|action| !lost.contains(action)).collect()
    };
    (sorted(right.clone()) != sorted(step.actions.clone())).then(|| format!("{}: {right:?}", step.title))
}

/// Within so many plies what is forced is proven in a moment; the others wait for the nightly tests.
const QUICK: u32 = 3;

fn check_forced(is_asked: impl Fn(u32) -> bool) -> usize {
    let mut n_asked = 0;
    for (folder, step) in steps() {
        if step.forces.or(step.averts).is_some_and(&is_asked) {
            assert_eq!(wrongly_forced(&step), None, "{folder}: {:?}", step.from);
            n_asked += 1;
        }
    }
    n_asked
}

#[test]
fn what_can_be_forced_in_a_few_plies_is_true() {
    let n_asked = check_forced(|plies| plies <= QUICK);
    assert!(n_asked >= 10, "{n_asked} steps are about what can be forced");
}

#[test]
#[ignore = "proofs of several seconds each"]
fn nightly_what_can_be_forced_is_true() {
    check_forced(|plies| plies > QUICK);
}

#[test]
fn a_line_that_is_called_best_play_is() {
    let mut kept = HashMap::new();
    for (folder, step) in steps().into_iter().filter(|(_, step)| step.keeps && step.is_question()) {
        let (game, mut current) = opened(&step);
        let truth = kept.entry(step.game.clone()).or_insert_with(|| known(&*game).expect("the game is solved"));
        let cancel = CancelFlag::default();
        for token in step.line().unwrap_or_default().split_whitespace() {
            let examined = truth.examine(&*current, None, &work(&cancel));
            let seat = examined.seat.expect("a seat is to act");
            let ranked = examined.ranked();
            let played = ranked.iter().find(|(action, _)| action.action == token).expect("the action is legal").1;
            assert_eq!(played.values[seat], ranked[0].1.values[seat], "{folder}: {}: {token}", step.title);
            if step.lasts.is_some() {
                assert_eq!(played.plies, ranked[0].1.plies, "{folder}: {}: {token}", step.title);
            }
            if step.shows.is_some() {
                let most = ranked.iter().filter_map(|(_, exact)| exact.score).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(played.score, Some(most), "{folder}: {}: {token}", step.title);
            }
            current.play_token(token).expect("a test of the games plays the line");
        }
        assert_eq!(current.phase(), Phase::Over, "{folder}: {}", step.title);
    }
}

/// Where all is lost, the solvers say how long, or by how much, and with which actions.
#[test]
fn what_a_lost_position_asks_is_true() {
    let (mut n_actions, mut n_numbers, mut kept) = (0, 0, HashMap::new());
    for (folder, step) in steps() {
        let is_number = step.keeps && (step.lasts.is_some() || step.shows.is_some());
        if !is_number && step.lost_in.is_none() && step.lost_by.is_none() {
            continue;
        }
        let (game, current) = opened(&step);
        let truth = kept.entry(step.game.clone()).or_insert_with(|| known(&*game).expect("the game is solved"));
        let cancel = CancelFlag::default();
        let examined = truth.examine(&*current, None, &work(&cancel));
        let (seat, exact) = (examined.seat.expect("a seat is to act"), examined.exact.clone().expect("it is solved"));
        let place = format!("{folder}: {}", step.title);
        assert!(examined.holds, "{place}");
        // Of two seats one has lost exactly where the other has won, by every action.
        assert_eq!(current.facts().n_seats, 2, "{place}");
        assert!(exact.values[seat] < exact.values[1 - seat], "{place}");
        let of = |worth: fn(&raichi_agents::Exact) -> Option<f64>| -> Vec<(String, f64)> {
            let ranked = examined.ranked();
            assert_eq!(ranked.len(), current.legal(seat).len(), "{place}");
            let worth = |exact| worth(exact).unwrap_or_else(|| panic!("{place}: a value is not known"));
            ranked.into_iter().map(|(action, exact)| (action.action.clone(), worth(exact))).collect()
        };
        let best_of = |values: &[(String, f64)]| {
            let best = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
            let actions = values.iter().filter(|(_, value)| *value == best).map(|(action, _)| action.clone());
            (best, sorted(actions.collect()))
        };
        if let Some(plies) = step.lost_in {
            let (longest, actions) = best_of(&of(|exact| exact.plies.map(f64::from)));
            assert_eq!((longest as u32 + 1, actions), (plies, sorted(step.actions.clone())), "{place}");
            n_actions += 1;
        }
        if let Some(by) = step.lost_by {
            let (score, actions) = best_of(&of(|exact| exact.score));
            assert_eq!((-score, actions), (f64::from(by), sorted(step.actions.clone())), "{place}");
            n_actions += 1;
        }
        let answer = step.is_question().then(|| step.shown(&*game).expect("the game plays the line").remove(0));
        if step.lasts.is_some() {
            assert_eq!(answer.as_deref(), exact.plies.map(|plies| plies.to_string()).as_deref(), "{place}");
            n_numbers += 1;
        }
        if is_number && step.shows.is_some() {
            // The score counts the winner's discs and the empty cells against the loser's discs.
            assert_eq!(folder, "othello", "how the score is counted in {folder} is not known to this test");
            let n_cells = current.picture(raichi_core::Viewer::Referee).areas[0].cells.len() as f64;
            let left = (n_cells + exact.score.expect("the score is known")) / 2.0;
            assert_eq!(answer, Some(left.to_string()), "{place}");
            n_numbers += 1;
        }
    }
    assert!(n_actions >= 15 && n_numbers >= 20, "{n_actions} actions, {n_numbers} numbers");
}

/// Of a problem of one seat alone the solution is as short as can be.
#[test]
fn a_solution_of_a_cube_is_as_short_as_can_be() {
    let cancel = CancelFlag::default();
    let mut n_asked = 0;
    for (folder, step) in steps() {
        let (game, current) = opened(&step);
        if folder != "rubiks_cube" || step.solution.is_empty() || step.grade.is_none() {
            continue;
        }
        let truth = known(&*game).expect("the game is solved");
        let exact = truth.examine(&*current, None, &work(&cancel)).exact.expect("the position is solved");
        assert_eq!(exact.plies, Some(step.solution.len() as u32), "{}", step.title);
        assert_eq!(step.within, Some(step.solution.len()), "{}", step.title);
        n_asked += 1;
    }
    assert!(n_asked >= 1);
}

/// Beside an example a better action may be named, with how it was found: a search of its own finds it better too.
#[test]
#[ignore = "long searches"]
fn nightly_what_is_called_better_is_better_by_a_search() {
    let mut n_asked = 0;
    for entry in REGISTRY {
        let about = rooms(entry.id).expect("every game has its rooms").about;
        for passage in passages(entry.rules).into_iter().chain(passages(about)) {
            let Passage::Position(position) = passage else { continue };
            let game = game(position.spec).expect("a test of the games opens every position");
            let whole = position.open(&*game).expect("a test of the games opens every position");
            for remark in position.remarks().filter_map(Result::ok) {
                let Some(better) = remark.better else { continue };
                let history: Vec<String> = whole.plies().iter().map(|ply| ply.text.clone()).collect();
                let worth = |action: &str| {
                    let mut current = game.new_match();
                    current.play_history(&history[..remark.ply].join(" ")).expect("it was played before");
                    let Phase::Act(seats) = current.phase() else { panic!("{remark:?}") };
                    current.play_token(action).expect("a test of the games has found it legal");
                    expected(&game, &*current, seats.first())
                };
                let (better, played) = (worth(better), worth(&history[remark.ply]));
                assert!(better > played + 0.02, "{}: {remark:?}: {better}, not more than {played}", entry.id);
                n_asked += 1;
            }
        }
    }
    assert!(n_asked >= 5, "{n_asked} actions are called better");
}

/// What tree search expects for `seat`.
fn expected(game: &std::sync::Arc<dyn AnyGame>, current: &dyn AnyMatch, seat: usize) -> f64 {
    let agent = prepare(game, "mcts:evaluator=hand,sims=60000").expect("the agent plays the game");
    let Phase::Act(acting) = current.phase() else { return current.payoffs()[seat] };
    let advice = agent.open(1).decide(current, acting.first(), Budget::default()).expect("the seat is to act");
    advice.values()[seat]
}
