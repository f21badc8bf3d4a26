//! `raichi problems GAME`: problems made from what the solvers know; with `--today` the problem of the day.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use raichi_agents::problems::{Draws, Line, Problem, Question, Refutation, forced_problems, lost_problems, problems};
use raichi_agents::truth::is_solved;
use raichi_agents::{CancelFlag, Progress, SystemHost, Unsolved};
use raichi_core::lesson::{Course, Place, Step};
use raichi_core::verdict::{Names, counted, signed};
use raichi_core::{AnyGame, Host, Seat, Viewer};
use raichi_games::{REGISTRY, rooms};
use serde_json::{Value, json};

use super::shown;
use super::tables::Tables;
use super::values::{Needs, truth};
use crate::args::{GameSpec, length_of_time};
use crate::failure::Failure;
use crate::markdown;
use crate::output::{Output, width};
use crate::palette::{BOLD, FAINT, paint};

/// Make problems of a game: positions in which one action, and no other, keeps the win, saves the game or wins fastest.
///
/// They come from games played at random, and the solvers say what each action is worth; so they are made only of games
/// and sizes that can be solved, or, with `--within`, of wins that a search proves to be forced. `raichi lesson GAME --problems`
/// gives the problems that come with Raichi, and `--today` one of them a day, the same for all.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi problems tic-tac-toe --seed 7
  raichi problems hex:size=4 --seed 7 --number 3 --answers
  raichi problems tablut --within 3 --number 3
  raichi problems connect-four:width=5,height=4 --lost --number 3
  raichi problems othello:size=4 --lost --counter discs
  raichi problems connect-four:width=5,height=5 --seed 7 --json
  raichi problems --today")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true, required_unless_present = "today")]
    game: Option<Arc<dyn AnyGame>>,

    /// The problem of the day instead: of the game given, else of the game whose turn it is. Days begin at midnight UTC.
    #[arg(long, conflicts_with_all = ["seed", "number", "within", "position", "lost", "counter", "games", "time", "toml"])]
    today: bool,

    /// What the games are drawn from: the same seed gives the same problems.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many problems.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    number: u64,

    /// Of games too large to be solved: make problems of wins that can be forced within so many plies (1 to 7),
    /// which a search proves.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=7))]
    within: Option<u32>,

    /// With --within: the position that the games begin with, as text; the start where none is given.
    // Positions may begin with a hyphen: an empty table of Kaalu.
    #[arg(long, value_name = "TEXT", requires = "within", allow_hyphen_values = true)]
    position: Option<String>,

    /// Make problems of positions that are lost: which action holds out longest, and after how many plies the game is over.
    #[arg(long, conflicts_with = "within")]
    lost: bool,

    /// With --lost, in a game that is won by what a counter shows, its name (`discs`): ask which action loses by the least, and
    /// what it shows in the end.
    #[arg(long, value_name = "NAME", requires = "lost")]
    counter: Option<String>,

    /// How many games are played at random to find them.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// How long solving may take in all: 60s, 5m; what was found until then is written. Without it, until it is done. Not with
    /// --within.
    #[arg(long, value_name = "D", conflicts_with = "within", allow_hyphen_values = true, value_parser = length_of_time)]
    time: Option<Duration>,

    #[command(flatten)]
    tables: Tables,

    /// Show the answers.
    #[arg(long)]
    answers: bool,

    /// Write one JSON object a problem, with its answer and the refutation of every wrong action.
    #[arg(long)]
    json: bool,

    /// Write them as the file of a shelf: `problems.toml` in the game's folder.
    #[arg(long, conflicts_with = "json")]
    toml: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.today {
        return today(args);
    }
    let game = &**args.game.as_ref().expect("without --today a game is required");
    let facts = game.facts();
    // Where one seat sees all that others know, what it does not see is chance.
    if facts.simultaneous || facts.hidden && facts.n_seats > 1 {
        return Err(Failure::Failed(format!("in {} something is hidden: no problem has one answer", game.spec())));
    }
    if let (None, Err(why)) = (args.within, is_solved(game)) {
        return Err(Failure::Failed(format!("{} is not solved: {why}; {}", game.spec(), instead(args))));
    }
    if let Some(counter) = &args.counter {
        check_counter(game, counter)?;
    }
    let mut made = made(args, game)?;
    made.sort_by_key(|problem| problem.grade);
    if made.is_empty() {
        return Err(Failure::Failed(format!("{} random games of {} held no problem", args.games, game.spec())));
    }
    let mut out = Output::new();
    if args.toml {
        return out.print(shelf(game, &made, args));
    }
    for (i, problem) in made.iter().enumerate() {
        match args.json {
            true => out.line(described(game, problem))?,
            false => out.line(page(game, i + 1, problem, args))?,
        }
    }
    Ok(())
}

/// That a game shows a counter of this name for its seats.
fn check_counter(game: &dyn AnyGame, name: &str) -> Result<(), Failure> {
    let counters = game.new_match().picture(Viewer::Referee).counters;
    let names: BTreeSet<&str> =
        counters.iter().filter(|one| one.seat.is_some()).map(|one| one.label.as_str()).collect();
    if names.contains(name) {
        return Ok(());
    }
    let there = match names.into_iter().collect::<Vec<_>>().as_slice() {
        [] => "it has none".into(),
        names => format!("it has {}", names.join(", ")),
    };
    Err(Failure::Usage(format!("--counter {name}: {} has no such counter; {there}", game.spec())))
}

/// What can be asked for where a game is too large to be solved.
fn instead(args: &Args) -> &'static str {
    match args.lost {
        true => "problems of lost positions need a smaller size",
        false => {
            "`--within N --position TEXT` makes problems of wins that can be forced within N plies (1 to 7), from random games \
             that begin with a position (the start where none is given)"
        }
    }
}

/// Makes the problems, with a bar on standard error where that is a terminal.
fn made(args: &Args, game: &dyn AnyGame) -> Result<Vec<Problem>, Failure> {
    let start = match &args.position {
        None => game.new_match(),
        Some(text) => game.match_at(text).map_err(|why| Failure::Refused(format!("--{why}")))?,
    };
    let bar = bar(args);
    args.tables.keep(&bar)?;
    let progress = |n_games, n_found: usize| {
        bar.set_position(n_games);
        bar.set_prefix(format!("{n_found} of {} problems", args.number));
    };
    let solving = |progress: Progress| bar.set_message(format!("{} {}", progress.stage, progress.done));
    let cancel = CancelFlag::default();
    let deadline = args.time.map(|time| SystemHost.now() + time);
    let needs = Needs { deadline, progress: &solving, ..Needs::default() };
    let draws = Draws { seed: args.seed, number: args.number as usize, n_games: args.games, progress: &progress };
    let made = match args.within {
        Some(plies) => Ok(forced_problems(game, &*start, plies, &draws)),
        None if args.lost => lost_problems(game, &*truth(game)?, args.counter.as_deref(), &draws, &needs.work(&cancel)),
        None => problems(game, &*truth(game)?, &draws, &needs.work(&cancel)),
    };
    bar.finish_and_clear();
    made.map_err(|why| {
        let why = match (why, args.time) {
            (Unsolved::OutOfTime, Some(time)) => {
                format!("no problem was found in {}", humantime::format_duration(time))
            }
            (why, _) => format!("it is not solved: {why}"),
        };
        Failure::Failed(format!("{}: {why}; {}", game.spec(), instead(args)))
    })
}

fn bar(args: &Args) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len} games, {prefix} ({elapsed}) {wide_msg}");
    let bar = ProgressBar::new(args.games).with_style(style.expect("the template is well-formed"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Shows the problem of the day.
fn today(args: &Args) -> Result<(), Failure> {
    let now = SystemTime::now();
    let day = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let date = humantime::format_rfc3339_seconds(now).to_string();
    let date = date.split('T').next().unwrap_or_default();
    let id = args.game.as_ref().map(|game| game.id());
    let Some((id, place, step)) = of_the_day(id, day) else {
        return Err(Failure::Failed("there is no problem of the day: no game has problems".into()));
    };
    const WHY: &str = "a test of the games opens every problem";
    let game = raichi_games::game(&step.game).expect(WHY);
    let opened = step.open(&*game).expect(WHY);
    let mut out = Output::new();
    let (lesson, number) = (place.lesson + 1, place.step + 1);
    let shown = step.shown(&*game).expect(WHY).join(" ");
    if args.json {
        let mut about = json!({
            "date": date,
            "game": id,
            "lesson": lesson,
            "step": number,
            "spec": game.spec(),
            "position": opened.position_text(step.viewer(&*opened)),
            "grade": step.grade,
            "task": step.task,
            "choices": step.answers(&*game),
        });
        if args.answers {
            about["answer"] = json!(shown);
        }
        return out.line(about);
    }
    out.line(paint(BOLD, format!("The problem of the day, {date}: {}", game.name())))?;
    out.print(format_args!("{}\n", markdown::render(&step.text, width())))?;
    out.print(format_args!("{}\n", shown::position(&*opened, step.viewer(&*opened))))?;
    out.line(paint(BOLD, textwrap::fill(&step.task, width())))?;
    let answers = step.answers(&*game);
    if !answers.is_empty() {
        out.line(format_args!("Answers: {}", answers.join(", ")))?;
    }
    if args.answers {
        return out.print(textwrap::fill(&format!("answer: {shown}. {}", step.right), width()) + "\n");
    }
    let grade = step.grade.map_or(String::new(), |grade| format!("grade {grade} of 5; "));
    let solve = format!("raichi lesson {id} --problems --lesson {lesson} --step {number}");
    out.line(paint(FAINT, format!("{grade}solve it: {solve}; --answers shows the answer")))
}

/// The problem of the day, counted from 1970, of the game with this id, or of the game whose turn it is: where a game has no
/// problems, the next. The page chooses in the same way (`web/src/lib/today.ts`).
fn of_the_day(id: Option<&str>, day: u64) -> Option<(&'static str, Place, Step)> {
    let first = (day % REGISTRY.len() as u64) as usize;
    let mut ids = REGISTRY.iter().cycle().skip(first).take(REGISTRY.len()).map(|entry| entry.id);
    ids.find_map(|of| {
        if id.is_some_and(|id| id != of) {
            return None;
        }
        let course = Course::parse(rooms(of).ok()?.problems).expect("a test of the games parses every problem");
        let place = course.of_the_day(day)?;
        let step = course.lesson[place.lesson].step[place.step].clone();
        Some((of, place, step))
    })
}

fn question(game: &dyn AnyGame, problem: &Problem, args: &Args) -> String {
    let counter = args.counter.as_deref().unwrap_or_default();
    let who = game.seat_name(problem.seat);
    match problem.question {
        Question::KeepTheWin => format!("{who}: find the only action that keeps the win."),
        Question::Save => format!("{who}: find the only action that does not lose."),
        Question::FewestPlies => format!("{who}: find the action that wins in the fewest plies."),
        Question::Most if game.facts().n_seats == 1 => "Find the action that brings the most on average.".into(),
        Question::Most => format!("{who}: find the action that brings the most on average."),
        Question::Force(plies) => match plies.div_ceil(2) {
            1 => format!("{who}: win at once."),
            n => format!("{who}: find the only action that forces a win in {n} actions, itself counted."),
        },
        Question::Avert(1) => format!("{who}: find the only action after which the opponent cannot win at once."),
        Question::Avert(plies) => {
            let n = plies.div_ceil(2);
            format!("{who}: find the only action after which the opponent cannot force a win in {n} actions.")
        }
        Question::HoldOut(_) => {
            format!("{who}: you are lost, whatever you do. Find the action that holds out longest.")
        }
        Question::LoseLeast(_) => {
            format!("{who}: you are lost, whatever you do. Find the action that loses by the least, by score.")
        }
        Question::LostIn(_) => format!(
            "{who}: you are lost, whatever you do. You hold out as long as you can, and the other side wins as soon as it can: \
             after how many plies is the game over?"
        ),
        Question::Left(_) => format!(
            "{who}: you are lost, whatever you do. You keep as many {counter} as you can, and the other side leaves you as few as \
             it can: how many have you in the end?"
        ),
    }
}

fn name(question: Question) -> &'static str {
    match question {
        Question::KeepTheWin => "keep-the-win",
        Question::Save => "save",
        Question::FewestPlies => "fewest-plies",
        Question::Most => "most",
        Question::Force(_) => "force",
        Question::Avert(_) => "avert",
        Question::HoldOut(_) => "hold-out",
        Question::LoseLeast(_) => "lose-least",
        Question::LostIn(_) => "lost-in",
        Question::Left(_) => "left",
    }
}

fn page(game: &dyn AnyGame, number: usize, problem: &Problem, args: &Args) -> String {
    let opened = game.match_at(&problem.position).expect("a problem's position was opened when it was made");
    let mut page = paint(BOLD, textwrap::fill(&format!("{number}. {}", question(game, problem, args)), width()));
    page += "\n\n";
    page += &shown::position(&*opened, Viewer::Referee);
    if !problem.choices.is_empty() {
        page += &format!("Answers: {}\n", problem.choices.join(", "));
    }
    page += &paint(FAINT, format!("grade {} of 5; position: {}\n", problem.grade, problem.position));
    if args.answers {
        page += &format!("answer: {}\n  {}\n", problem.answer, right(problem));
        for (tried, said) in tries(game, problem) {
            page += &format!("  {tried}: {said}\n");
        }
    }
    page
}

/// What is said to the right answer.
fn right(problem: &Problem) -> String {
    let Some(Line { plies, end }) = &problem.line else {
        let plies = problem.plies.filter(|&plies| plies > 0);
        return plies.map_or("Right.".into(), |plies| {
            format!("Right: {} to the end.", counted(plies.into(), "more ply", "more plies"))
        });
    };
    let end = end.as_deref().unwrap_or_default();
    let line = plies.join(" ");
    match problem.question {
        _ if plies.is_empty() => format!("Right. {end}"),
        Question::LoseLeast(by) => format!("Right: by score it loses by {by}. Best play goes on {line}. {end}"),
        Question::LostIn(_) | Question::Left(_) => format!("Right, for example {line}. {end}"),
        _ => format!("Right: {} to the end, {line}. {end}", counted(plies.len() as u64, "more ply", "more plies")),
    }
}

/// What is said to each wrong try: an action, or a number.
fn tries(game: &dyn AnyGame, problem: &Problem) -> Vec<(String, String)> {
    if !problem.question.is_counted() {
        let said = |one: &Refutation| (one.action.clone(), refuted(game, problem, one));
        return problem.refutations.iter().map(said).collect();
    }
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let said = |choice: &String| {
        let too_few = number(choice) < number(&problem.answer);
        let said = match (problem.question, too_few) {
            (Question::LostIn(_), true) => "You can hold out longer.",
            (Question::LostIn(_), false) => "The other side wins sooner.",
            (_, true) => "You can keep more.",
            (_, false) => "The other side leaves you fewer.",
        };
        (choice.clone(), said.into())
    };
    problem.choices.iter().filter(|&choice| *choice != problem.answer).map(said).collect()
}

/// What is said to a wrong action: what it is answered with, who wins or what is lost, and how the line ends.
fn refuted(game: &dyn AnyGame, problem: &Problem, refutation: &Refutation) -> String {
    let Refutation { action, line, value, score, winner, plies } = refutation;
    if problem.question == Question::Most {
        let rounded = |value: f64| (value * 1e3).round() / 1e3;
        let less = rounded(problem.value - value);
        return format!("{action} brings {} on average, {less} less than the best.", signed(rounded(*value)));
    }
    let alone = game.facts().n_seats == 1;
    let answered = match line.plies.join(" ") {
        // An end says by itself that the game is over.
        plies if plies.is_empty() => action.clone(),
        plies if alone => format!("After {action} the shortest way is {plies}"),
        plies => format!("{action} is answered by {plies}"),
    };
    let length = |before: &str| {
        plies.map_or(String::new(), |plies| format!("{before}{}", counted(plies.into(), "more ply", "more plies")))
    };
    let mut said = match (&line.end, problem.question) {
        (Some(end), _) if line.plies.is_empty() => format!("{action}: the game is over. {end}"),
        (Some(end), _) => format!("{answered}. {end}"),
        (None, Question::Force(within)) => {
            let n = counted(within.div_ceil(2).into(), "action", "actions");
            format!("{answered}{} {} can no longer force a win in {n}.", and(line), subject(game, problem.seat))
        }
        (None, Question::Avert(within)) => {
            let winner = winner.map_or("another seat".into(), |seat| subject(game, seat));
            let n = counted(within.div_ceil(2).into(), "action", "actions");
            format!("{answered}{} {winner} can force a win in {n}.", and(line))
        }
        (None, _) if alone => format!("{answered} …{}.", length(", ")),
        (None, _) => format!("{answered} …: {}{}.", outcome(game, *winner), length(" after ")),
    };
    said += &match (problem.question, plies, problem.plies) {
        // The wrong action, and the right one, counted.
        (Question::FewestPlies | Question::HoldOut(_), Some(plies), Some(best)) => {
            format!(" That takes {}, not {}.", counted(u64::from(*plies) + 1, "ply", "plies"), best + 1)
        }
        (Question::LoseLeast(best), ..) => {
            score.map_or(String::new(), |score| format!(" By score that loses by {}, not {best}.", -score))
        }
        _ => String::new(),
    };
    said
}

/// What joins a line with what comes of it.
fn and(line: &Line) -> &'static str {
    if line.plies.is_empty() { ":" } else { ", and" }
}

/// What the seat is called within a sentence.
fn subject(game: &dyn AnyGame, seat: Seat) -> String {
    Names::of(game).subject(seat).into()
}

/// Who wins.
fn outcome(game: &dyn AnyGame, winner: Option<Seat>) -> String {
    let names = Names::of(game);
    winner.map_or("nobody wins alone".into(), |seat| {
        format!("{} {}", names.subject(seat), names.verb(seat, "win", "wins"))
    })
}

fn described(game: &dyn AnyGame, problem: &Problem) -> Value {
    let refutation = |refutation: &Refutation| {
        json!({
            "action": refutation.action,
            "line": refutation.line.plies,
            "end": refutation.line.end,
            "winner": refutation.winner,
            "value": refutation.value,
            "score": refutation.score,
            "plies": refutation.plies,
        })
    };
    json!({
        "game": game.spec(),
        "question": name(problem.question),
        "position": problem.position,
        "seat": problem.seat,
        "answer": problem.answer,
        "choices": problem.choices,
        "plies": problem.plies,
        "line": problem.line.as_ref().map(|line| &line.plies),
        "end": problem.line.as_ref().and_then(|line| line.end.as_ref()),
        "grade": problem.grade,
        "refutations": problem.refutations.iter().map(refutation).collect::<Vec<_>>(),
    })
}

/// The problems as a lesson's steps.
fn shelf(game: &dyn AnyGame, made: &[Problem], args: &Args) -> String {
    let seed = args.seed;
    let mut how = args.within.map_or(String::new(), |plies| format!(" --within {plies}"));
    if let Some(position) = &args.position {
        how += &format!(" --position \"{position}\"");
    }
    if args.lost {
        how += " --lost";
    }
    if let Some(counter) = &args.counter {
        how += &format!(" --counter {counter}");
    }
    if let Some(time) = args.time {
        how += &format!(" --time {}", humantime::format_duration(time).to_string().replace(' ', ""));
    }
    let title = if args.lost { "All is lost: how long, by how much?" } else { "Problems" };
    let mut text = format!(
        "# Written by `raichi problems {} --seed {seed} --number {} --games {}{how} --toml`.\n[[lesson]]\ntitle = \"{title}\"\n",
        game.spec(),
        made.len(),
        args.games,
    );
    for (i, problem) in made.iter().enumerate() {
        let mut step = toml::Table::new();
        let mut put = |key: &str, value: toml::Value| {
            step.insert(key.into(), value);
        };
        put("title", format!("Problem {}", i + 1).into());
        put("game", game.spec().into());
        put("from", problem.position.clone().into());
        put("grade", i64::from(problem.grade).into());
        if matches!(problem.question, Question::LoseLeast(_)) {
            put("text", "The score is what experts of the game count; the rules say how.".into());
        }
        put("task", question(game, problem, args).into());
        goal(problem, args, &mut put);
        put("right", right(problem).into());
        put("wrong", "That is not it.".into());
        let tries = tries(game, problem).into_iter().map(|(tried, said)| (tried, said.into()));
        put("tries", toml::Value::Table(tries.collect()));
        let first = |one: &Refutation| Some((one.action.clone(), one.line.plies.first()?.clone().into()));
        put("replies", toml::Value::Table(problem.refutations.iter().filter_map(first).collect()));
        let step = toml::to_string(&step).expect("texts and numbers make a table");
        // Within an array of tables, what stands in a table of its own needs its full name.
        text += &format!("\n[[lesson.step]]\n{}", step.replace("\n[", "\n[lesson.step."));
    }
    text
}

/// What counts as done.
fn goal(problem: &Problem, args: &Args, put: &mut dyn FnMut(&str, toml::Value)) {
    if let (true, Some(line)) = (problem.question.is_counted(), &problem.line) {
        let about = if matches!(problem.question, Question::Left(_)) { "shows" } else { "lasts" };
        put(about, line.plies.join(" ").into());
        put("choices", problem.choices.clone().into());
        put("keeps", true.into());
        if let Some(counter) = &args.counter {
            put("counter", counter.clone().into());
            put("seat", (problem.seat as i64).into());
        }
        return;
    }
    put("actions", vec![problem.answer.clone()].into());
    let (about, number) = match problem.question {
        Question::Force(plies) => ("forces", plies),
        Question::Avert(plies) => ("averts", plies),
        Question::HoldOut(plies) => ("lost_in", plies),
        Question::LoseLeast(by) => ("lost_by", by),
        question => {
            put("keeps", (question != Question::FewestPlies).into());
            return;
        }
    };
    put(about, i64::from(number).into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_take_turns_by_the_day_and_a_game_has_a_problem_of_each_day() {
        let n_games = REGISTRY.len() as u64;
        for day in 20_000..20_000 + 2 * n_games {
            let (id, place, step) = of_the_day(None, day).expect("there are problems");
            // Every game has problems, so that none is passed over.
            assert_eq!(id, REGISTRY[(day % n_games) as usize].id);
            let (same, of_game, _) = of_the_day(Some(id), day).expect("the game has problems");
            assert_eq!((same, of_game), (id, place), "{}", step.title);
        }
        assert_eq!(of_the_day(Some("chess"), 20_000).map(|(id, ..)| id), None);
    }
}
