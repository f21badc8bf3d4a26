//! The arguments that every subcommand shares, and how games and agents are named in them.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, CommandFactory, FromArgMatches, Parser};
use raichi_core::{AnyGame, AnyMatch};
use raichi_games::REGISTRY;

use crate::commands;
use crate::failure::Failure;

const AFTER_HELP: &str = "\
A game is named by its id and parameters, like connect-four:width=9,height=7: `raichi games` lists the ids, \
`raichi rules GAME` the parameters. An agent is named likewise: level:6, best:time=2s, random, \
mcts:sims=500,threads=2; `raichi agents` lists them with their options.

Examples:
  raichi games
  raichi rules tic-tac-toe
  raichi play tablut --seat human --seat mcts:time=2s
  raichi perft tic-tac-toe 9 --divide
  raichi trace tic-tac-toe --games 3 --seed 7 | head -1

Exit codes:
  0  done, also when the reader of the output has gone (`raichi games | head -1`)
  1  it could not be done: a file, an address, a full disk
  2  wrong usage: an option, a game, a parameter or an agent that does not exist
  3  refused: a history, a position or a record that breaks the rules of its game, a damaged database
  4  a wrong result: a count differs from the one that is known (please report it)

Environment:
  NO_COLOR, CLICOLOR_FORCE   whether to use colours where --color is auto
  RAICHI_LOG                 what to log to standard error, e.g. info or raichi_server=debug";

/// Play, check and measure very different games: boards, cards, dice, hidden hands.
#[derive(Parser)]
#[command(name = "raichi", version, after_help = AFTER_HELP, propagate_version = true, max_term_width = 120)]
pub(crate) struct Cli {
    /// When to use colours; auto is on terminals that show them.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Log more to standard error; twice for still more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,

    /// Where trained agents lie; $XDG_DATA_HOME/raichi/agents or ~/.local/share/raichi/agents where not given.
    #[arg(long, global = true, value_name = "FOLDER", env = "RAICHI_AGENTS_DIR")]
    pub(crate) agents_dir: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: commands::Command,
}

impl Cli {
    /// The command line, read.
    ///
    /// # Errors
    /// Says what is wrong with it; also that there is nothing to do but to show help or the version.
    pub(crate) fn read() -> Result<Cli, clap::Error> {
        let mut command = with_negative_numbers(Cli::command());
        let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Cli::from_arg_matches_mut(&mut matches).map_err(|why| why.format(&mut command))
    }
}

/// A negative number is a value wherever one is wanted: so it is refused with what is allowed, and not as an unknown option.
fn with_negative_numbers(command: Command) -> Command {
    let with = |arg: Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    command.mut_args(with).mut_subcommands(with_negative_numbers)
}

/// When to use colours; `auto` is where the terminal shows them.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes the choice hold for everything that is written from now on.
    pub(crate) fn write_global(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Reads a game's spec; offers the ids to shells that complete.
#[derive(Clone)]
pub(crate) struct GameSpec;

impl TypedValueParser for GameSpec {
    type Value = Arc<dyn AnyGame>;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        raichi_games::game.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(REGISTRY.iter().map(|entry| PossibleValue::new(entry.id).help(entry.name))))
    }
}

/// Reads how long something may take.
///
/// # Errors
/// Says what is wanted, with examples.
pub(crate) fn length_of_time(text: &str) -> Result<Duration, String> {
    let wanted = |_| "expected a number with its unit, like 20ms, 1.5s, 2m or 1h".to_string();
    humantime::parse_duration(text).map_err(wanted)
}

/// Where play begins.
#[derive(clap::Args)]
pub(crate) struct Start {
    /// Begin with this position, written as `replay --json` writes it in `position`; the start of the game where none is
    /// given.
    // Positions may begin with a hyphen: an empty table of poker, an empty corner of Othello.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

impl Start {
    /// The game there, before its first ply.
    ///
    /// # Errors
    /// Texts that describe no position of the game; names the place.
    pub(crate) fn open(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, Failure> {
        match &self.position {
            None => Ok(game.new_match()),
            // The sentence begins with "position, character 3".
            Some(text) => game.match_at(text).map_err(|why| Failure::Refused(format!("--{why}"))),
        }
    }
}
