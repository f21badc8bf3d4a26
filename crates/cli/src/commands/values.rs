//! `raichi values GAME HISTORY`: what a position and each action are worth under best play.

use std::sync::Arc;
use std::time::Duration;

use raichi_agents::truth::{self, Examined, Truth};
use raichi_agents::{CancelFlag, Exact, Progress, SystemHost, Unsolved, Work};
use raichi_core::verdict::{counted, signed};
use raichi_core::{AnyGame, AnyMatch, Host};
use serde_json::{Map, Value, json};

use super::lines::{self, Lines, n_cores};
use super::replay::play_on;
use super::solver_bar::SolverBar;
use super::tables::Tables;
use crate::args::{GameSpec, Start, length_of_time};
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{BOLD, CODE, FAINT, paint};

/// Find out what a position is worth, and each action in it, when all seats play as well as possible.
///
/// Values are payoffs by seat, without any cap, also of a game that the cap has ended. Where the cap or a rule of repetition
/// could change them on the path given, they are not exact for this game in progress, and it is said so. Nothing is guessed:
/// actions whose values are not found in the time are named as such; these may be all. Where the value of the position itself
/// is not found the exit code is 1, and what actions are worth is shown as far as it was found.
///
/// With --file lines are worked on side by side, but for games with one search for all positions (Hex, Yavalath, Black, large
/// boards of Othello): there one after the other.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi values tic-tac-toe \"b2 a1\"
  raichi values nim --json
  raichi values connect-four:width=4,height=4 \"1 1 2\" --time 5s
  raichi values tic-tac-toe --file histories.txt")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// The plies; `-` reads them from standard input, nothing is the position at the start.
    #[arg(default_value = "", hide_default_value = true)]
    history: String,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    lines: Lines,

    /// How long it may take, for each position: 500ms, 60s, 5m.
    #[arg(long, value_name = "D", default_value = "60s", allow_hyphen_values = true, value_parser = length_of_time)]
    time: Duration,

    #[command(flatten)]
    tables: Tables,

    /// Write one JSON object: `spec`, `seat`, `exact`, `values` and, where known, `plies` and `score`; and `actions`, best first;
    /// `unknown` are the actions whose values were not found, where there are any. An action whose value the cap or a rule of
    /// repetition may change has `exact`: false. Where the position's value was not found there are no `values`, and `exact` is
    /// false; where no action's was found either, nothing but the error is written.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let bar = SolverBar::new();
    args.tables.keep(bar.bar())?;
    let game = &*args.game;
    if let Some(file) = &args.lines.file {
        // What no line can help is said once.
        args.start.open(game)?;
        let truth = truth(game).map_err(|why| why.to_string());
        // No line's time is spent waiting for the others.
        let one_at_a_time = truth.as_ref().is_ok_and(|truth| truth.answers_one_at_a_time());
        let (n_workers, n_threads) = if one_at_a_time { (1, n_cores()) } else { (n_cores(), 1) };
        return lines::answer_all(file, n_workers, |line| {
            let current = lines::match_of(game, &args.start, line)?;
            let truth = truth.as_deref().map_err(String::clone)?;
            let examined = examine(truth, &*current, args.time, n_threads, &|_| ()).map_err(|why| why.to_string())?;
            match unsolved(&examined, &*current, args.time) {
                Some(why) if examined.ranked().is_empty() => Err(why),
                why => {
                    let mut about = described(game, &examined);
                    if let Some(why) = why {
                        about["error"] = json!(why);
                    }
                    Ok(about)
                }
            }
        });
    }
    let truth = truth(game)?;
    let mut current = args.start.open(game)?;
    play_on(&mut *current, &args.history)?;
    bar.watch(&truth);
    bar.begin(Some(args.time));
    let examined = examine(&*truth, &*current, args.time, n_cores(), &|progress| bar.show(progress));
    bar.finish();
    let examined = examined?;
    let unsolved = unsolved(&examined, &*current, args.time);
    let mut out = Output::new();
    match args.json {
        _ if unsolved.is_some() && examined.ranked().is_empty() => {}
        true => out.line(described(game, &examined))?,
        false => out.print(page(game, &examined))?,
    }
    unsolved.map_or(Ok(()), |why| Err(Failure::Failed(why)))
}

/// What knows the values of the game.
///
/// # Errors
/// Says why nothing does.
pub(crate) fn truth(game: &dyn AnyGame) -> Result<Arc<dyn Truth>, Failure> {
    truth::known(game).map_err(|why| Failure::Failed(format!("no exact values of {} are known: {why}", game.spec())))
}

fn examine(
    truth: &dyn Truth,
    current: &dyn AnyMatch,
    time: Duration,
    n_threads: usize,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Examined, Failure> {
    let deadline = Some(SystemHost.now() + time);
    Needs { deadline, n_threads, progress, ..Needs::default() }.examine(truth, current)
}

/// Why the position's value is not known; `None` where it is. It may be where nothing is known of its actions: after the first
/// stone of Hex, from a map.
fn unsolved(examined: &Examined, current: &dyn AnyMatch, time: Duration) -> Option<String> {
    let sentence = match examined.exact.as_ref().err()? {
        Unsolved::OutOfTime => {
            format!("no exact value of the position was found in {}", humantime::format_duration(time))
        }
        why => format!("no exact value of {}: {why}", current.spec()),
    };
    let (known, all) = (examined.ranked().len(), examined.actions.len());
    Some(if known == 0 { sentence } else { format!("{sentence}; of its {all} actions {known} are known") })
}

/// What finding values may take, in this command and in `solve`.
pub(crate) struct Needs<'a> {
    pub(crate) deadline: Option<Duration>,
    pub(crate) n_threads: usize,
    pub(crate) memory: usize,
    pub(crate) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Default for Needs<'_> {
    fn default() -> Self {
        Needs { deadline: None, n_threads: 1, memory: 1 << 30, progress: &|_| () }
    }
}

impl Needs<'_> {
    /// Values of a position and what its actions lead to, those that are found.
    ///
    /// # Errors
    /// Where the position hides something.
    pub(crate) fn examine(&self, truth: &dyn Truth, current: &dyn AnyMatch) -> Result<Examined, Failure> {
        if current.seen_by().is_some() {
            let why = "the position hides something (`?`), and exact values are of positions that are known whole";
            return Err(Failure::Refused(why.into()));
        }
        Ok(truth.examine(current, None, &self.work(&CancelFlag::default())))
    }

    /// The same for solvers.
    pub(crate) fn work<'a>(&'a self, cancel: &'a CancelFlag) -> Work<'a> {
        Work {
            deadline: self.deadline,
            cancel,
            host: &SystemHost,
            n_threads: self.n_threads,
            memory: self.memory,
            folder: truth::folder(),
            progress: self.progress,
        }
    }
}

/// What is known of a position whose value was found, as JSON.
pub(crate) fn described(game: &dyn AnyGame, examined: &Examined) -> Value {
    let mut about = Map::new();
    about.insert("spec".into(), json!(game.spec()));
    about.insert("seat".into(), json!(examined.seat));
    about.insert("exact".into(), json!(examined.holds));
    if let Ok(exact) = &examined.exact {
        add(&mut about, exact);
    }
    let action = |(action, exact): (&truth::ExaminedAction, &Exact)| {
        let mut about = Map::new();
        about.insert("action".into(), json!(action.action));
        add(&mut about, exact);
        if !action.holds {
            about.insert("exact".into(), json!(false));
        }
        Value::Object(about)
    };
    about.insert("actions".into(), examined.ranked().into_iter().map(action).collect());
    let unknown: Vec<&str> = examined.unknown().collect();
    if !unknown.is_empty() {
        about.insert("unknown".into(), json!(unknown));
    }
    Value::Object(about)
}

/// `values`, and `plies` and `score` where there are any.
fn add(about: &mut Map<String, Value>, exact: &Exact) {
    about.insert("values".into(), json!(truth::rounded(&exact.values)));
    if let Some(plies) = exact.plies {
        about.insert("plies".into(), json!(plies));
    }
    if let Some(score) = exact.score.map(truth::rounded_number) {
        let whole = score.fract() == 0.0 && score.abs() < 1e15;
        about.insert("score".into(), if whole { json!(score as i64) } else { json!(score) });
    }
}

pub(crate) fn page(game: &dyn AnyGame, examined: &Examined) -> String {
    let remark = |holds: bool| if holds { "" } else { " (the cap or a rule of repetition may change that)" };
    let exact = remark(examined.holds);
    let mut page = match &examined.exact {
        Ok(known) => format!("{}{exact}\n", paint(BOLD, format!("{}: {}", game.spec(), words(game, known)))),
        Err(_) => format!("{}\n", paint(BOLD, format!("{}: not found", game.spec()))),
    };
    let ranked = examined.ranked();
    let widest = ranked.iter().map(|(action, _)| action.action.chars().count()).max().unwrap_or(0);
    for (action, exact) in ranked {
        let name = paint(CODE, format!("{:widest$}", action.action));
        // Where that is so of the position it has been said.
        let not_sure = remark(action.holds || !examined.holds);
        page += &format!("  {name}  {}\n", paint(FAINT, format!("{}{not_sure}", words(game, exact))));
    }
    let unknown: Vec<&str> = examined.unknown().collect();
    if !unknown.is_empty() {
        let more = unknown.len().saturating_sub(MOST_NAMED);
        let named = unknown[..unknown.len() - more].join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        page += &paint(FAINT, format!("  not found: {named}{more}\n"));
    }
    page
}

/// So many of the actions whose values were not found are named for people.
const MOST_NAMED: usize = 12;

fn words(game: &dyn AnyGame, exact: &Exact) -> String {
    let values = truth::rounded(&exact.values);
    let each = values.as_slice().iter().enumerate();
    let each = each.map(|(seat, &value)| format!("{} {}", game.seat_name(seat), signed(value)));
    let mut words = each.collect::<Vec<_>>().join(", ");
    if let Some(plies) = exact.plies {
        words += &format!(", {}", counted(plies.into(), "ply", "plies"));
    }
    if let Some(score) = exact.score.map(truth::rounded_number) {
        words += &format!(", score {}", signed(score));
    }
    words
}
