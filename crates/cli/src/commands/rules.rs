//! `raichi rules GAME`: how a game is played, and what can be set.

use std::fmt::Write;
use std::sync::Arc;

use raichi_core::params::ParamSpec;
use raichi_core::reason::joined_text;
use raichi_core::rulebook::{Passage, Position, passages};
use raichi_core::{AnyGame, Viewer};

use super::games::traits;
use super::shown;
use crate::args::GameSpec;
use crate::failure::Failure;
use crate::markdown;
use crate::output::{Output, width};
use crate::palette::{BOLD, CODE, FAINT, TITLE, paint};

/// Explain a game: its rules, and its parameters with ranges and defaults.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi rules tablut
  raichi rules french-military --answers
  raichi rules tic-tac-toe --markdown > rules.md
  raichi rules tablut --color always | less -R")]
pub(crate) struct Args {
    /// The game's id.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// Write the rules as they stand in the source, in Markdown.
    #[arg(long)]
    markdown: bool,

    /// Show the answers to the questions that the rules put.
    #[arg(long)]
    answers: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::new();
    if args.markdown {
        out.print(source(args.game.as_ref()))
    } else {
        out.print(page(args.game.as_ref(), width(), args.answers))
    }
}

/// The rules in Markdown.
fn source(game: &dyn AnyGame) -> &'static str {
    raichi_games::entry(game.id()).expect("the game is of the registry").rules
}

/// Rules and parameters for a terminal of `width` columns.
pub(crate) fn page(game: &dyn AnyGame, width: usize, open: bool) -> String {
    let entry = raichi_games::entry(game.id()).expect("the game is of the registry");
    let mut page = format!("{}\n{}\n\n", paint(TITLE, entry.name), textwrap::fill(entry.blurb, width));
    page += &passages_of(entry.rules, width, open);
    page += &format!("\n{}\n{}\n", paint(TITLE, "Seats"), seats(game));
    page += &format!("\n{}\n", paint(TITLE, "Parameters"));
    for param in (entry.params)() {
        page += &parameter(&param, width);
    }
    page
}

/// A text with positions in it for a terminal of `width` columns; sealed answers are shown where they are to be open.
pub(super) fn passages_of(text: &str, width: usize, open: bool) -> String {
    told(passages(text), width, open)
}

fn told(passages: Vec<Passage<'_>>, width: usize, open: bool) -> String {
    let passage = |passage| match passage {
        Passage::Text(text) => markdown::render(text, width),
        Passage::Position(position) => drawn(position, width),
        Passage::Sealed { question, answer } if open => {
            format!("{}\n{}", paint(BOLD, question), told(answer, width, open))
        }
        Passage::Sealed { question, .. } => {
            format!("{} {}\n", paint(BOLD, question), paint(FAINT, "The answer is sealed; --answers shows it."))
        }
    };
    passages.into_iter().map(passage).collect::<Vec<_>>().join("\n")
}

/// The position as the other subcommands show it, set in.
fn drawn(position: Position<'_>, width: usize) -> String {
    let game = raichi_games::game(position.spec).expect("a test of the games opens every position");
    let current = position.open(&*game).expect("a test of the games opens every position");
    let mut text = textwrap::indent(&shown::position(&*current, Viewer::Referee), "    ");
    let joined = position.joined().expect("a test of the games reads what is joined");
    if !joined.is_empty() {
        text += &textwrap::fill(
            &format!("Joined: {}", joined_text(&joined)),
            textwrap::Options::new(width).initial_indent("    ").subsequent_indent("    "),
        );
        text += "\n";
    }
    for remark in position.remarks().flatten() {
        let better = remark.better.map_or(String::new(), |action| format!(" `{action}` is better."));
        let made = remark.ply.checked_sub(1).and_then(|last| current.plies().get(last));
        let when = made.map_or("At the beginning".into(), |ply| {
            format!("After ply {}, `{}`", remark.ply, ply.token(Viewer::Referee))
        });
        text += &markdown::render(&format!("{when}:{better} {}", remark.text), width);
    }
    text
}

fn seats(game: &dyn AnyGame) -> String {
    let facts = game.facts();
    let names: Vec<String> = (0..facts.n_seats).map(|seat| game.seat_name(seat)).collect();
    let names = names.join(", ");
    traits(&facts).map_or(names.clone(), |traits| format!("{names}; with {traits}"))
}

fn parameter(param: &ParamSpec, width: usize) -> String {
    let default = param.default.map_or("depends on the others, or absent".into(), |text| paint(CODE, text));
    let mut text = format!("  {}  {}; default {default}\n", paint(BOLD, param.name), param.kind);
    let options = textwrap::Options::new(width).initial_indent("      ").subsequent_indent("      ");
    if !param.help.is_empty() {
        let _ = writeln!(text, "{}", paint(FAINT, textwrap::fill(param.help, options)));
    }
    text
}
