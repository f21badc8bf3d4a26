//! `raichi about GAME`: where a game comes from, and what was decided about its rules.

use std::sync::Arc;

use raichi_core::AnyGame;

use super::rules::passages_of;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::palette::{TITLE, paint};

/// Tell where a game comes from: who made it and when, its history, what to read, what was decided about its rules and why,
/// and how they were checked.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi about tablut
  raichi about al-jabar --markdown")]
pub(crate) struct Args {
    /// The game's id.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// Write the text as it stands in the source, in Markdown.
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let id = args.game.id();
    let rooms = raichi_games::rooms(id).expect("the game is of the registry");
    let mut out = Output::new();
    if args.markdown {
        return out.print(rooms.about);
    }
    out.print(format!(
        "{}\n\n{}",
        paint(TITLE, format!("About {}", args.game.name())),
        passages_of(rooms.about, width(), false)
    ))
}
