//! `raichi trace GAME`: random games for referees to replay.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_core::random::{mix, stream};
use raichi_core::trace::{trace, uniform};
use raichi_core::{AnyGame, AnyMatch, Seat};
use raichi_search::{AgentError, AnyAgent};

use crate::agents;
use crate::args::GameSpec;
use crate::failure::Failure;

/// Play games and write down every ply: who may act, what is legal, what is played.
///
/// One JSON object a line for each ply and one for each end. Game i (from 0) is played from the seed S + i; the same
/// arguments give the same bytes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi trace tic-tac-toe
  raichi trace tic-tac-toe --games 100 --seed 7 --out games.jsonl
  raichi trace tablut --agent mcts:sims=30")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,

    /// The seed of the first game.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Who chooses the actions of all seats; uniformly random where no agent is given.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Write to a file rather than to standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let last = args.games.saturating_sub(1);
    if args.seed.checked_add(last).is_none() {
        return Err(Failure::Usage(format!("--seed {}: the last game's seed would be above {}", args.seed, u64::MAX)));
    }
    let mut sink = Sink::open(args.out.as_deref())?;
    let progress = progress(args.games);
    for seed in (0..args.games).map(|i| args.seed + i) {
        game(args, seed, &mut sink)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    sink.flush()
}

/// The trace of one game, written as it is played: there are games whose traces fit no memory.
fn game(args: &Args, seed: u64, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let game = args.game.as_ref();
    let Some(spec) = &args.agent else {
        return trace(game, seed, uniform(stream(seed, "choice", 0)), sink.out()).map_err(|why| sink.failure(why));
    };
    let mut table = Table::new(game, spec, seed)?;
    let traced = trace(game, seed, |current, seat| table.choose(current, seat), sink.out());
    table.trouble.map_or(Ok(()), |why| Err(Failure::Failed(format!("{spec}: {why}"))))?;
    traced.map_err(|why| sink.failure(why))
}

/// An agent on each seat. What goes wrong is kept until the game is over: a trace's chooser must choose.
struct Table {
    agents: Vec<Box<dyn AnyAgent>>,
    trouble: Option<AgentError>,
}

impl Table {
    fn new(game: &dyn AnyGame, spec: &str, seed: u64) -> Result<Table, Failure> {
        let seats = 0..game.facts().n_seats as u64;
        let agents = seats.map(|seat| agents::make(game, spec, mix(mix(seed) ^ seat))).collect::<Result<_, _>>()?;
        Ok(Table { agents, trouble: None })
    }

    fn choose(&mut self, current: &dyn AnyMatch, seat: Seat) -> String {
        match self.agents[seat].decide(current, seat) {
            Ok(advice) => advice.action,
            Err(why) => {
                self.trouble = Some(why);
                current.legal(seat).swap_remove(0)
            }
        }
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
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}");
    ProgressBar::new(games).with_style(style.expect("the template is well-formed"))
}
