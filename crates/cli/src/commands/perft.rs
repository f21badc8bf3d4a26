//! `raichi perft GAME DEPTH`: positions counted, and compared with what is known.

use std::sync::Arc;
use std::time::Instant;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::history::describe;
use raichi_core::perft::{CountTable, KnownCounts, perft, perft_with_table};
use raichi_core::score_sheet;
use raichi_core::{AnyGame, AnyMatch, Choice, Match, PathGame, PathState, Phase, Viewer};
use serde_json::{Value, json};

use super::replay::history;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::Output;
use crate::palette::{BAD, FAINT, GOOD, paint};

/// Count the legal paths of exactly DEPTH plies.
///
/// Outcomes of chance count like actions; games that end sooner are not counted. Counts that are known are compared; the
/// exit code is 4 when one differs. Where the outcome does not depend on the path, positions that many paths lead to are
/// counted once, as far as the table holds them. Where there are 2^64 − 1 paths or more they are not
/// counted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi perft tic-tac-toe 9
  raichi perft tic-tac-toe 5 --divide
  raichi perft connect-four 9 --table 0                   # path by path
  raichi perft tic-tac-toe 3 --after \"b2 a1\" --json")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// How many plies.
    #[arg(value_parser = parse_depth)]
    depth: u32,

    /// Show how many of the paths begin with each ply.
    #[arg(long)]
    divide: bool,

    /// Count from the position after this history; `-` reads it from standard input.
    #[arg(long, value_name = "HISTORY", default_value = "", hide_default_value = true)]
    after: String,

    /// How large the table of positions may grow, in MiB; 0 counts path by path.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    table: u32,

    /// Write one JSON object.
    #[arg(long)]
    json: bool,
}

/// No game is counted deeper.
const DEEPEST: u32 = 100;

fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= DEEPEST);
    depth.ok_or_else(|| format!("expected how many plies, from 0 to {DEEPEST}"))
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let history = history(&args.after)?;
    let mut start = args.game.new_match();
    score_sheet::play(&mut *start, &history).map_err(|why| Failure::Refused(format!("--after: {why}")))?;
    let count = Count { start: &*start, depth: args.depth, table: args.table as usize * (1 << 20) };
    let counted = raichi_games::visit_game(args.game.as_ref(), count).ok_or_else(|| {
        let (depth, spec) = (args.depth, args.game.spec());
        Failure::Failed(format!("perft {depth} of {spec}: there are too many paths to be counted, 2^64 − 1 or more"))
    })?;
    let known = known_count(args.game.spec(), &history, args.depth);
    let mut out = Output::new();
    match args.json {
        true => out.line(as_json(args, &history, &counted, known.as_ref()))?,
        false => show(args, &counted, known.as_ref(), &mut out)?,
    }
    match known {
        Some((expected, source)) if expected != counted.total => Err(Failure::WrongResult(format!(
            "perft {} of {} is {}, but {expected} is known ({source})",
            args.depth,
            args.game.spec(),
            counted.total,
        ))),
        _ => Ok(()),
    }
}

/// The count that is known for this depth after this history, and who found it.
pub(super) fn known_count(spec: &str, history: &str, depth: u32) -> Option<(u64, String)> {
    let game = raichi_games::game(spec).ok()?;
    let lines = KnownCounts::parse(raichi_games::rooms(game.id()).ok()?.perft).ok()?;
    let same = |line: &&KnownCounts| {
        line.history.split_whitespace().eq(history.split_whitespace())
            && raichi_games::game(&line.spec).is_ok_and(|other| other.spec() == game.spec())
    };
    lines.iter().filter(same).find_map(|line| Some((line.at(depth)?, line.source.clone())))
}

/// What was counted.
struct Counted {
    total: u64,
    /// By the first ply; empty at depth 0.
    divided: Vec<(String, u64)>,
    seconds: f64,
}

impl Counted {
    fn per_second(&self) -> f64 {
        self.total as f64 / self.seconds.max(1e-9)
    }
}

struct Count<'a> {
    start: &'a dyn AnyMatch,
    depth: u32,
    /// In bytes.
    table: usize,
}

impl GameVisitor for Count<'_> {
    /// `None` where there are too many paths.
    type Output = Option<Counted>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let start = self.start.as_any().downcast_ref::<Match<G>>().expect("the match is of the game");
        let clock = Instant::now();
        if self.depth == 0 {
            return Some(Counted { total: 1, divided: Vec::new(), seconds: clock.elapsed().as_secs_f64() });
        }
        let first = next_states(game, start.state());
        let token = |choice: &Choice<G>| describe(game, start.state(), *choice).token(Viewer::Referee);
        let mut divided: Vec<(String, u64)> = first.iter().map(|(choice, _)| (token(choice), 0)).collect();

        // Parts two plies down are small enough for the bar to move, and too few to cost anything.
        let first = first.into_iter().map(|(_, state)| state).enumerate();
        let split = if self.depth > 3 { 2 } else { 1 };
        let parts: Vec<(usize, PathState<G>)> = match split {
            1 => first.collect(),
            _ => first
                .flat_map(|(i, state)| next_states(game, &state).into_iter().map(move |(_, next)| (i, next)))
                .collect(),
        };
        let progress = progress(parts.len() as u64);
        let mut table = (self.table > 0).then(|| CountTable::of_size(self.table));
        let mut total = 0_u64;
        for (i, state) in &parts {
            let count = match &mut table {
                Some(table) => perft_with_table(game, state, self.depth - split, table),
                None => perft(game, state, self.depth - split),
            };
            total = total.saturating_add(count);
            if total == u64::MAX {
                // The count of a part says no more than that there are so many.
                progress.finish_and_clear();
                return None;
            }
            divided[*i].1 += count;
            progress.inc(1);
        }
        progress.finish_and_clear();
        divided.sort_unstable();
        Some(Counted { total, divided, seconds: clock.elapsed().as_secs_f64() })
    }
}

/// Every ply that may follow `state`, and the state after it.
fn next_states<G: Playable>(game: &PathGame<G>, state: &PathState<G>) -> Vec<(Choice<G>, PathState<G>)> {
    let mut choices = Vec::new();
    match game.phase(state) {
        Phase::Over => {}
        Phase::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            choices.extend(outcomes.into_iter().map(|(outcome, _)| Choice::Outcome(outcome)));
        }
        Phase::Act(seats) => {
            for seat in seats.iter() {
                let mut actions = Vec::new();
                game.legal_actions(state, seat, &mut actions);
                choices.extend(actions.into_iter().map(|action| Choice::Action(seat, action)));
            }
        }
    }
    let after = |choice| {
        let mut after = state.clone();
        game.play(&mut after, choice);
        (choice, after)
    };
    choices.into_iter().map(after).collect()
}

fn progress(parts: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} parts, about {eta} left");
    ProgressBar::new(parts).with_style(style.expect("the template is well-formed"))
}

fn show(args: &Args, counted: &Counted, known: Option<&(u64, String)>, out: &mut Output) -> Result<(), Failure> {
    if args.divide {
        let widest = counted.divided.iter().map(|(token, _)| token.chars().count()).max().unwrap_or(0);
        for (token, count) in &counted.divided {
            out.line(format_args!("{token:widest$}  {count}"))?;
        }
        out.line("")?;
    }
    let verdict = match known {
        None => String::new(),
        Some((expected, source)) if *expected == counted.total => paint(GOOD, format!(" as known ({source})")),
        Some((expected, source)) => paint(BAD, format!(" but {expected} is known ({source})")),
    };
    out.line(format_args!("perft {} of {}: {}{verdict}", args.depth, args.game.spec(), counted.total))?;
    let rate = HumanCount(counted.per_second() as u64);
    out.line(paint(FAINT, format!("{:.3} s, {rate} leaves/s", counted.seconds)))
}

fn as_json(args: &Args, history: &str, counted: &Counted, known: Option<&(u64, String)>) -> Value {
    let mut about = json!({
        "game": args.game.spec(),
        "after": history.split_whitespace().collect::<Vec<_>>().join(" "),
        "depth": args.depth,
        "leaves": counted.total,
        "known": known.map(|(count, _)| count),
        "seconds": counted.seconds,
        "leaves_per_second": counted.per_second(),
    });
    if args.divide {
        about["divide"] = counted.divided.iter().map(|(token, count)| (token.clone(), json!(count))).collect();
    }
    about
}
