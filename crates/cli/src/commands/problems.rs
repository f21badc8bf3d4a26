//! `raichi problems GAME`: problems made from what the solvers know.

use std::sync::Arc;

use indicatif::ProgressBar;
use raichi_agents::problems::{Problem, Question, Refutation, forced_problems, problems};
use raichi_agents::truth::is_solved;
use raichi_agents::{CancelFlag, Unsolved};
use raichi_core::verdict::signed;
use raichi_core::{AnyGame, Viewer};
use serde_json::{Value, json};

use super::shown;
use super::tables::Tables;
use super::values::{Needs, truth};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{BOLD, FAINT, paint};

/// Make problems of a game: positions in which one action, and no other, keeps the win, saves the game or wins fastest.
///
/// They come from games played at random, and the solvers say what each action is worth; so they are made only of games
/// and sizes that can be solved, or, with `--within`, of wins that a search proves to be forced. `raichi lesson GAME --problems` gives the problems that come with Raichi.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi problems tic-tac-toe --seed 7
  raichi problems hex:size=4 --seed 7 --number 3 --answers
  raichi problems tablut --within 3 --number 3
  raichi problems connect-four:width=5,height=5 --seed 7 --json")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// What the games are drawn from: the same seed gives the same problems.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many problems.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    number: u64,

    /// Of games too large to be solved: make problems of wins that can be forced within so many plies, which a search proves.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=7))]
    within: Option<u32>,

    /// With --within: the position that the games begin with, as text; the start where none is given.
    #[arg(long, value_name = "TEXT", requires = "within")]
    position: Option<String>,

    /// How many games are played at random to find them.
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,

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
    args.tables.keep();
    let game = &*args.game;
    let facts = game.facts();
    // Where one seat sees all that others know, what it does not see is chance.
    if facts.simultaneous || facts.hidden && facts.n_seats > 1 {
        return Err(Failure::Failed(format!("in {} something is hidden: no problem has one answer", game.spec())));
    }
    if let (None, Err(why)) = (args.within, is_solved(game)) {
        let why = format!("{} is not solved: {why}; --within 3 makes problems of wins that can be forced", game.spec());
        return Err(Failure::Failed(why));
    }
    let bar = ProgressBar::new_spinner().with_message("solving");
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let needs = Needs::default();
    let cancel = CancelFlag::default();
    let number = args.number as usize;
    let start = match &args.position {
        None => game.new_match(),
        Some(text) => game.match_at(text).map_err(|why| Failure::Refused(format!("--{why}")))?,
    };
    let made = match args.within {
        Some(plies) => Ok(forced_problems(game, &*start, plies, args.seed, number, args.games)),
        None => problems(game, &*truth(game)?, args.seed, number, args.games, &needs.work(&cancel)),
    };
    bar.finish_and_clear();
    let mut made = made.map_err(|why: Unsolved| Failure::Failed(format!("{} is not solved: {why}", game.spec())))?;
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
            false => out.line(page(game, i + 1, problem, args.answers))?,
        }
    }
    Ok(())
}

fn question(game: &dyn AnyGame, problem: &Problem) -> String {
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
    }
}

fn page(game: &dyn AnyGame, number: usize, problem: &Problem, answers: bool) -> String {
    let opened = game.match_at(&problem.position).expect("a problem's position was opened when it was made");
    let mut page = format!("{}\n\n", paint(BOLD, format!("{number}. {}", question(game, problem))));
    page += &shown::position(&*opened, Viewer::Referee);
    page += &paint(FAINT, format!("grade {} of 5; position: {}\n", problem.grade, problem.position));
    if answers {
        page += &format!("answer: {}\n", problem.action);
        for refutation in &problem.refutations {
            page += &format!("  {}\n", refuted(problem.question, refutation));
        }
    }
    page
}

/// What is said to a wrong action.
fn refuted(question: Question, Refutation { action, line, plies, value }: &Refutation) -> String {
    let reply = line.first();
    match question {
        Question::Most => return format!("{action} brings {} on average", signed((value * 1e3).round() / 1e3)),
        Question::Force(_) => {
            return reply.map_or(format!("{action} forces nothing in time"), |reply| {
                format!("{action} is answered by {reply}, and no win can be forced in time")
            });
        }
        Question::Avert(within) => {
            let when = if within == 1 { "wins at once" } else { "forces a win" };
            return reply.map_or(format!("{action} loses"), |reply| format!("after {action}, {reply} {when}"));
        }
        _ => {}
    }
    let length = plies.map_or(String::new(), |plies| match plies {
        0 => "; the game is over".into(),
        1 => "; the game is over in 1 ply".into(),
        n => format!("; the game is over in {n} plies"),
    });
    match line.is_empty() {
        true => format!("{action}{length}"),
        false => format!("{action} is answered by {}{length}", line.join(" ")),
    }
}

fn described(game: &dyn AnyGame, problem: &Problem) -> Value {
    let refutation = |refutation: &Refutation| {
        json!({
            "action": refutation.action,
            "line": refutation.line,
            "value": refutation.value,
            "plies": refutation.plies,
        })
    };
    json!({
        "game": game.spec(),
        "question": name(problem.question),
        "position": problem.position,
        "seat": problem.seat,
        "answer": problem.action,
        "plies": problem.plies,
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
    let mut text = format!(
        "# Written by `raichi problems {} --seed {seed} --number {}{} --toml`.\n[[lesson]]\ntitle = \"Problems\"\n",
        game.spec(),
        made.len(),
        how,
    );
    for (i, problem) in made.iter().enumerate() {
        let mut step = toml::Table::new();
        let mut put = |key: &str, value: toml::Value| step.insert(key.into(), value);
        put("title", format!("Problem {}", i + 1).into());
        put("game", game.spec().into());
        put("from", problem.position.clone().into());
        put("grade", i64::from(problem.grade).into());
        put("task", question(game, problem).into());
        put("actions", vec![problem.action.clone()].into());
        match problem.question {
            Question::Force(plies) => put("forces", i64::from(plies).into()),
            Question::Avert(plies) => put("averts", i64::from(plies).into()),
            question => put("keeps", (question != Question::FewestPlies).into()),
        };
        let plies = problem.plies.filter(|&plies| plies > 0);
        put("right", plies.map_or("Right.".into(), |plies| format!("Right: {plies} more plies to the end.")).into());
        put("wrong", "That is not it.".into());
        let tries = problem.refutations.iter().map(|one| (one.action.clone(), refuted(problem.question, one).into()));
        put("tries", toml::Value::Table(tries.collect()));
        let first = |one: &Refutation| Some((one.action.clone(), one.line.first()?.clone().into()));
        put("replies", toml::Value::Table(problem.refutations.iter().filter_map(first).collect()));
        let step = toml::to_string(&step).expect("texts and numbers make a table");
        // Within an array of tables, what stands in a table of its own needs its full name.
        text += &format!("\n[[lesson.step]]\n{}", step.replace("\n[", "\n[lesson.step."));
    }
    text
}
