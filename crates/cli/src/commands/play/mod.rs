//! `raichi play GAME`: a game in the terminal.
//!
//! [`seats`] says who holds which seat, [`table`] plays the game, [`typed`] understands what a person types, [`keyboard`](super::keyboard) reads lines and
//! [`save`] writes the game to the disk.

mod save;
mod seats;
mod table;
mod typed;

use std::path::PathBuf;
use std::sync::Arc;

use raichi_core::AnyGame;

use crate::args::{GameSpec, Start};
use crate::failure::Failure;
use save::SaveFile;
use table::Table;

/// Play a game in the terminal: against engines, with others at the same keyboard, or watch engines.
///
/// Type an action as the game writes it (`legal` lists them; Tab completes), or `help`. Only what the person at the
/// keyboard may see is shown; with secrets and several people, the keyboard is passed on at a cleared screen.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi play connect-four                                  # you begin against an engine
  raichi play tablut --seat mcts:time=5s --seat human       # the engine begins
  raichi play nim3p --seat human:name=Ann --seat human:name=Bob --seat random
  raichi play poker:players=3 --seat human --seat human     # two at one keyboard, and an engine
  raichi play 2048 --seat mcts:time=200ms                   # watch
  raichi play connect-four --position 4453                  # from a position on
  raichi play tablut --save game.json                       # survives a crash …
  raichi play --resume game.json                            # … and goes on")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true, required_unless_present = "resume")]
    game: Option<Arc<dyn AnyGame>>,

    #[command(flatten)]
    start: Start,

    /// Who plays the next seat: `human`, `human:name=Ann`, or an agent; once for each seat, in order. Seats not given
    /// go to one human, if there is none yet, and to engines.
    #[arg(long = "seat", value_name = "WHO")]
    seats: Vec<String>,

    /// What chance and the agents draw from; a fresh one where none is given.
    #[arg(long, value_name = "S", conflicts_with = "resume")]
    seed: Option<u64>,

    /// Write the game to this file after every ply, as one record. The file must not exist yet, unless it is that of
    /// --resume.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Go on with the game in this file, and save it there; with --save in the other file, and this one stays as it is.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    resume: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut table = match &args.resume {
        Some(path) => {
            let record = save::read(path)?;
            let other = args.save.as_ref().filter(|other| !save::is_same(other, path));
            let file = match other {
                Some(other) => SaveFile::fresh(other.clone())?,
                None => SaveFile::new(path.clone()),
            };
            let table = Table::resume(&record, path, args.game.as_deref(), &args.seats, file)?;
            // A player who leaves before the first ply is told to go on with it. The file of a game that is only looked at stays
            // as it is.
            if other.is_some() {
                table.save()?;
            }
            table
        }
        None => {
            let game = args.game.clone().expect("the arguments ask for a game or a file to resume");
            let seed = match args.seed {
                Some(seed) => seed,
                None => getrandom::u64().map_err(|why| Failure::Failed(format!("no random seed to be had: {why}")))?,
            };
            let file = args.save.clone().map(SaveFile::fresh).transpose()?;
            Table::new(game, &args.start, &args.seats, seed, file)?
        }
    };
    table.play()
}
