//! `raichi trace GAME`: random games for referees to replay.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use raichi_agents::Played;
use raichi_arena::{Meeting, Observer, Step, Tracer};
use raichi_core::{AnyGame, AnyMatch};

use crate::args::GameSpec;
use crate::failure::Failure;

/// Play games and write down every ply: who may act, what is legal, what is played.
///
/// One JSON object a line for each ply and one for each end. Game i (from 0) is played from the seed S + i; the same
/// arguments give the same bytes, as long as the agents count simulations or nodes and not time, and search with one
/// thread each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi trace tic-tac-toe
  raichi trace tic-tac-toe --games 100 --seed 7 --out games.jsonl
  raichi trace tablut --agent mcts:sims=30 --agent random")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// The seed of the first game.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Who plays: one agent for every seat, or one for each in order.
    #[arg(long, value_name = "AGENT", default_value = "random")]
    agent: Vec<String>,

    /// Write to a file rather than to standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let last = args.games - 1;
    if args.seed.checked_add(last).is_none() {
        return Err(Failure::Usage(format!("--seed {}: the last game's seed would be above {}", args.seed, u64::MAX)));
    }
    let meeting = Meeting::new(Arc::clone(&args.game), &args.agent)
        .map_err(|why| Failure::Usage(format!("--agent {}: {why}", args.agent.join(", "))))?;
    let mut sink = Sink::open(args.out.as_deref())?;
    let progress = progress(args.games);
    for seed in (0..args.games).map(|i| args.seed + i) {
        // Written as it is played: there are games whose traces fit no memory.
        let mut tracer = Tracer::new(seed, sink.out());
        let mut ticker = Ticker(&progress);
        let mut runner = meeting.open(seed);
        // A long game is not played on once its reader has gone.
        let played = loop {
            let observers: &mut [&mut dyn Observer] = &mut [&mut tracer, &mut ticker];
            match runner.step(observers) {
                Ok(Step::Played) if !tracer.has_failed() => {}
                done => break done,
            }
        };
        let written = tracer.finish().map(drop);
        written.map_err(|why| sink.failure(why))?;
        played.map_err(|why| Failure::Failed(format!("{}: {why}", args.agent.join(", "))))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    sink.flush()
}

/// Shows how far a long game has come.
struct Ticker<'a>(&'a ProgressBar);

impl Observer for Ticker<'_> {
    fn after(&mut self, current: &dyn AnyMatch, _played: &Played) {
        if current.n_plies().is_multiple_of(1024) {
            self.0.set_message(format!(", {} plies of this one", HumanCount(current.n_plies() as u64)));
            self.0.tick();
        }
    }

    fn end(&mut self, _current: &dyn AnyMatch) {
        self.0.set_message("");
    }
}

/// Where the lines go.
enum Sink<'a> {
    Stdout(BufWriter<io::Stdout>),
    File(BufWriter<File>, &'a Path),
}

impl Sink<'_> {
    fn open(path: Option<&Path>) -> Result<Sink<'_>, Failure> {
        let Some(path) = path else { return Ok(Sink::Stdout(BufWriter::new(io::stdout()))) };
        let file = File::create(path).map_err(|why| Failure::file(path, "written", why))?;
        Ok(Sink::File(BufWriter::new(file), path))
    }

    fn out(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(out) => out,
            Sink::File(out, _) => out,
        }
    }

    fn failure(&self, why: io::Error) -> Failure {
        match self {
            Sink::Stdout(_) => Failure::output(why),
            Sink::File(_, path) => Failure::file(path, "written", why),
        }
    }

    fn flush(mut self) -> Result<(), Failure> {
        self.out().flush().map_err(|why| self.failure(why))
    }
}

// On standard error, and only where that is a terminal.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}{msg}");
    ProgressBar::new(games).with_style(style.expect("the template is well-formed"))
}
