//! `raichi print GAME`: sheets for paper, as one page in HTML.

use std::path::PathBuf;
use std::sync::Arc;

use raichi_arena::report::print;
use raichi_core::AnyGame;

use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, write_whole};
use crate::palette::{BOLD, paint};

/// Make sheets for paper: the rules of a game, its board to be played on with real pieces, and its charts.
///
/// The sheets are one page in HTML that needs nothing else; open it in a browser and print it, on A4 or Letter. They hold
/// for the parameters that are given: a larger board, another group's sums.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi print tablut --html tablut.html
  raichi print hex:size=9 --what board --html hex.html
  raichi print al-jabar:group=3/3 --what sums,makers > sums.html
  raichi print blackjack:decks=6 --what strategy --html chart.html
  raichi print poker --what push,call,equity --html poker.html
  raichi print poker --list")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// Which sheets; all of them where not given. `--list` says which there are.
    #[arg(long, value_name = "SHEET", value_delimiter = ',')]
    what: Vec<String>,

    /// Write the page to this file; to standard output where not given.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// List the sheets that the game has.
    #[arg(long, conflicts_with_all = ["what", "html"])]
    list: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let charts = raichi_agents::charts(&*args.game);
    let mut out = Output::new();
    if args.list {
        let sheets = print::sheets(&charts);
        let widest = sheets.iter().map(|sheet| sheet.id.len()).max().unwrap_or(0);
        let line = |sheet: &print::Sheet| {
            let pad = " ".repeat(widest - sheet.id.len());
            format!("{}{pad}  {}\n", paint(BOLD, &sheet.id), sheet.title)
        };
        return out.print(sheets.iter().map(line).collect::<String>());
    }
    let page = print::html(&*args.game, &charts, &args.what).map_err(|why| Failure::Usage(format!("--what: {why}")))?;
    match &args.html {
        None => out.print(page),
        Some(path) => write_whole(path, page.as_bytes()),
    }
}
