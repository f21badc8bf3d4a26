//! `raichi balance GAME`: a balance sheet from self-play.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_arena::contest::Openings;
use raichi_arena::{ArenaError, Meeting, balance, report};
use raichi_core::AnyGame;

use super::contest::{OpeningSource, note_repeated, parse_opening};
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::json;
use crate::output::{Output, check_writable, write_whole};

/// Play a game against itself many times and draw up its balance sheet.
///
/// Result by seat with 95 % intervals, draws, length, branching, changes of lead, use of the board and end reasons. The
/// same arguments give the same sheet, whatever the number of threads, as long as the agents count simulations or
/// nodes and not time, and search with one thread each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi balance connect-four
  raichi balance hex:size=5 --agent best:nodes=2000 --openings 2
  raichi balance tablut:king-range=4 --games 400 --agent mcts:sims=200 --html tablut.html
  raichi balance nim3p --agent mcts:sims=500 --agent random --agent random --json")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// Who plays: one agent for every seat, or one for each in order.
    #[arg(long, value_name = "AGENT", default_value = "mcts:sims=200")]
    agent: Vec<String>,

    /// How games begin: after so many plies drawn at random, or with the lines of a file in turn, each a history or the text
    /// of a position.
    #[arg(long, value_name = "PLIES|FILE", value_parser = parse_opening)]
    openings: Option<OpeningSource>,

    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Decides everything.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many games are played at once; all cores where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Print the sheet as JSON.
    #[arg(long)]
    json: bool,

    /// Write the sheet as one HTML page with plots, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let openings = args.openings.as_ref().map_or(Ok(Openings::Start), |source| source.read(&*args.game))?;
    let meeting = Meeting::new(Arc::clone(&args.game), &args.agent).and_then(|meeting| meeting.with_openings(openings));
    let meeting = meeting.map_err(|why| Failure::Usage(why.to_string()))?;
    args.html.as_deref().map_or(Ok(()), check_writable)?;
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let progress = progress(args.games);
    let sheet = balance(&meeting, args.seed, args.games, threads, |n| progress.inc(n)).map_err(failed)?;
    progress.finish_and_clear();
    note_repeated(sheet.n_repeated as u64, args.games);
    let text = match args.json {
        true => json::pretty(&sheet) + "\n",
        false => report::balance::text(&sheet),
    };
    // The sheet first: it is not lost where the page cannot be written; and that is written where nobody reads the sheet.
    let printed = Output::new().print(text);
    let html = |path: &Path| write_whole(path, report::balance::html(&sheet, args.game.as_ref()).as_bytes());
    args.html.as_deref().map_or(Ok(()), html).and(printed)
}

fn failed(why: ArenaError) -> Failure {
    Failure::Failed(why.to_string())
}

fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} to go");
    ProgressBar::new(games).with_style(style.expect("the template is well-formed"))
}
