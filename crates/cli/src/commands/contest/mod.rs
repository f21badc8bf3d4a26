//! What `match`, `tournament` and `strength` share: how games begin, where records are kept, and the score while they are played.

pub(super) mod matches;
pub(super) mod strength;
pub(super) mod tournament;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_arena::ArenaError;
use raichi_arena::contest::{ContestError, Journal, JournalError, Openings};
use raichi_core::AnyGame;

use super::lines::without_mark;
use crate::failure::Failure;
use crate::output::complain;

/// The options that all of them have.
#[derive(clap::Args)]
struct Shared {
    /// How games begin: after so many plies drawn at random, or with the lines of a file, each a history or the text of a
    /// position. Every opening is played from all sides.
    #[arg(long, value_name = "PLIES|FILE", value_parser = parse_opening)]
    openings: Option<OpeningSource>,

    /// Decides everything; the same seed gives the same games with any number of threads, as long as the agents count
    /// simulations or nodes and not time, and search with one thread each.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How many games are played at once; all cores where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Keep the records of all games in this file, one line of JSON each. The same command with the same file goes on
    /// where it was stopped. What decisions cost is kept beside it, in FILE.costs.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write JSON; the last line has the agents with their games, points and Elo.
    #[arg(long)]
    json: bool,
}

/// Where openings come from, as a command is told.
#[derive(Clone, Debug)]
pub(super) enum OpeningSource {
    Random(usize),
    File(PathBuf),
}

pub(super) fn parse_opening(text: &str) -> Result<OpeningSource, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(plies @ 0..=10_000) => Ok(OpeningSource::Random(plies)),
        _ if is_number => Err("expected at most 10000 plies, or a file (./NAME where its name is a number)".into()),
        _ => Ok(OpeningSource::File(text.into())),
    }
}

impl OpeningSource {
    /// The openings of `game` there.
    ///
    /// # Errors
    /// When a file cannot be read, or a line of it is no opening.
    pub(super) fn read(&self, game: &dyn AnyGame) -> Result<Openings, Failure> {
        match self {
            OpeningSource::Random(0) => Ok(Openings::Start),
            &OpeningSource::Random(plies) => Ok(Openings::Random { plies }),
            OpeningSource::File(path) => {
                let refused = |why| Failure::Refused(format!("{}: {why}", path.display()));
                Openings::list(game, &read(path)?).map_err(refused)
            }
        }
    }
}

/// Says on standard error how many games were the same as an earlier one: what they say they have said before.
pub(super) fn note_repeated(n_repeated: u64, n_games: u64) {
    // Random agents may well play the same short game twice.
    if 10 * n_repeated > n_games {
        complain(format!(
            "note: {n_repeated} of the {n_games} games repeat an earlier one; --openings makes them differ"
        ));
    }
}

impl Shared {
    fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// How games of `game` begin.
    fn openings(&self, game: &dyn AnyGame) -> Result<Openings, Failure> {
        self.openings.as_ref().map_or(Ok(Openings::Start), |source| source.read(game))
    }

    fn journal(&self) -> Result<Journal, Failure> {
        self.out.as_deref().map_or_else(|| Ok(Journal::none()), Journal::open).map_err(kept)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
    Ok(without_mark(&text).into())
}

fn unready(why: ArenaError) -> Failure {
    Failure::Usage(why.to_string())
}

fn stopped(why: ContestError) -> Failure {
    match why {
        ContestError::Journal(why) => kept(why),
        ContestError::Agent(why) => Failure::Failed(why.to_string()),
    }
}

fn kept(why: JournalError) -> Failure {
    match why {
        JournalError::Other { .. } => Failure::Refused(format!("--out {why}")),
        _ => Failure::Failed(why.to_string()),
    }
}

// On standard error, and only where that is a terminal.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:16} {pos}/{len} games, {eta} to go{wide_msg}");
    let progress = ProgressBar::new(games).with_style(style.expect("the template is well-formed"));
    progress.enable_steady_tick(Duration::from_millis(500));
    progress
}
