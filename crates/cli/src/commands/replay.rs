//! `raichi replay GAME HISTORY`: what a history leads to.

use std::io::Read;
use std::sync::Arc;

use raichi_core::score_sheet;
use raichi_core::verdict::Names;
use raichi_core::{AnyGame, AnyMatch, Phase, Seat, Viewer};
use serde_json::{Value, json};

use super::from_view;
use super::lines::{self, Lines, n_cores};
use super::shown;
use crate::args::{GameSpec, Start};
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::palette::{BOLD, FAINT, paint};

/// Play a history and show what it leads to: the position, the legal actions, the payoffs.
///
/// From a position that hides something (`?`) plies go on as far as what they lead to does not depend on what it hides, which is
/// drawn 64 times; plies that fewer than two of these draws allow are refused.
///
/// A history is all plies, actions and outcomes of chance, with spaces between them; of a game for two without chance a score
/// sheet is read as well, with a number before each ply of the first seat. The ply that is refused is named
/// with its number, counted from 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi replay tic-tac-toe \"b2 a1 c3\"
  raichi replay kaalu \"1. a b 2. a c 3. a1/1c b\"
  raichi replay tic-tac-toe \"b2 a1 c3\" --viewer 1
  raichi replay tic-tac-toe \"c3\" --position \"O2/1X1/3 0\"
  echo \"b2 a1 c3\" | raichi replay tic-tac-toe - --json
  raichi replay tic-tac-toe --file histories.txt")]
pub(crate) struct Args {
    /// The game, with its parameters.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Arc<dyn AnyGame>,

    /// The plies; `-` reads them from standard input, nothing is the position at the start.
    #[arg(default_value = "", hide_default_value = true)]
    history: String,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    lines: Lines,

    /// Whose view: `all`, `spectator`, or a seat's number from 0. A position that hides something has one view only.
    #[arg(long, value_name = "WHO", default_value = "all", value_parser = parse_viewer)]
    viewer: Viewer,

    /// Write one JSON object.
    #[arg(long)]
    json: bool,

    /// Write the plies as a score sheet: `1. a b 2. a c`.
    #[arg(long, conflicts_with_all = ["json", "file"])]
    sheet: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_ref();
    if let Viewer::Seat(seat) = args.viewer
        && seat >= game.facts().n_seats
    {
        let last = game.facts().n_seats - 1;
        return Err(Failure::Usage(format!("--viewer {seat}: the seats of {} are 0 to {last}", game.spec())));
    }
    if let Some(file) = &args.lines.file {
        // What no line can help is said once.
        args.start.open(game)?;
        return lines::answer_all(file, n_cores(), |line| {
            let (current, viewer) = match args.start.position {
                Some(_) => reached(args, line).map_err(|why| why.to_string())?,
                None => {
                    let current = lines::match_of(game, &args.start, line)?;
                    let viewer = current.seen_by().unwrap_or(args.viewer);
                    (current, viewer)
                }
            };
            Ok(described(game, current.as_ref(), viewer))
        });
    }
    let (current, viewer) = reached(args, &history(&args.history)?)?;
    let mut out = Output::new();
    if args.sheet {
        let none = || {
            Failure::Usage(format!(
                "--sheet: score sheets are for games of two seats without chance, and {} is not one",
                game.spec()
            ))
        };
        return out.line(score_sheet::written(&*current).ok_or_else(none)?);
    }
    if args.json {
        return out.line(described(game, current.as_ref(), viewer));
    }
    let plies = match (current.n_plies(), &args.start.position) {
        (0, None) => "at the start".into(),
        (0, Some(_)) => "set up".into(),
        (1, _) => "after 1 ply".into(),
        (n, _) => format!("after {n} plies"),
    };
    out.print(page(game, &plies, current.as_ref(), viewer))
}

/// What a history leads to from where play begins, and who sees it.
///
/// # Errors
/// When a ply is refused, or what the plies lead to depends on what the position hides.
fn reached(args: &Args, history: &str) -> Result<(Box<dyn AnyMatch>, Viewer), Failure> {
    let game = args.game.as_ref();
    let (current, seer) =
        from_view::reached(game, &args.start, history, |drawn, viewer| Ok(described(game, drawn, viewer)))?;
    Ok((current, seer.unwrap_or(args.viewer)))
}

/// Plays a history or a score sheet: the argument given, or what stands on standard input.
pub(crate) fn play_on(current: &mut dyn AnyMatch, argument: &str) -> Result<(), Failure> {
    score_sheet::play(current, &history(argument)?).map_err(|why| Failure::Refused(why.to_string()))
}

/// The history given, or what stands on standard input.
pub(crate) fn history(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|why| Failure::Failed(format!("cannot read standard input: {why}")))?;
    String::from_utf8(bytes).map_err(|_| Failure::Refused("the history on standard input is not text (UTF-8)".into()))
}

fn parse_viewer(text: &str) -> Result<Viewer, String> {
    match text {
        "all" => Ok(Viewer::Referee),
        "spectator" => Ok(Viewer::Spectator),
        seat => seat.parse().map(Viewer::Seat).map_err(|_| "expected all, spectator or a seat's number from 0".into()),
    }
}

fn page(game: &dyn AnyGame, plies: &str, current: &dyn AnyMatch, viewer: Viewer) -> String {
    let mut page = format!("{} {plies}\n\n{}", paint(BOLD, game.spec()), shown::position(current, viewer));
    page += &paint(FAINT, format!("position: {}\n", current.position_text(viewer)));
    page += "\n";
    match current.phase() {
        Phase::Over => {
            let end = current.end_reason().unwrap_or_default();
            page += &shown::result(game, current, &Names::of(game), &current.payoffs(), end);
        }
        Phase::Chance => {
            let outcomes = current.outcomes(viewer);
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            page += &format!("chance acts, {} outcomes:\n", outcomes.len());
            let percent = |weight: u64| 100.0 * weight as f64 / total as f64;
            let entries = outcomes.iter().map(|(text, weight)| format!("{text} {:.3} %", percent(*weight)));
            page += &shown::columns(&entries.collect::<Vec<_>>(), width());
        }
        Phase::Act(seats) => {
            for seat in seats.iter() {
                let name = game.seat_name(seat);
                if !viewer.is(seat) && game.facts().hidden {
                    page += &format!("{name} (seat {seat}) to act\n");
                    continue;
                }
                let legal = current.legal(seat);
                page += &format!("{name} (seat {seat}) to act, {} legal:\n", legal.len());
                page += &shown::columns(&legal, width());
            }
            page += &paint(FAINT, shown::as_it_stands(game, &current.payoffs()));
            page += "\n";
        }
    }
    page
}

/// What `viewer` sees of a position, as JSON.
pub(super) fn described(game: &dyn AnyGame, current: &dyn AnyMatch, viewer: Viewer) -> Value {
    let picture = current.picture(viewer);
    let mut about = json!({
        "game": game.spec(),
        "plies": current.n_plies(),
        "position": current.position_text(viewer),
        "history": current.history(viewer),
        "payoffs": current.payoffs(),
        "end": current.end_reason(),
        "notes": picture.notes,
        "counters": picture.counters,
        "sketch": current.sketch(viewer).to_string(),
    });
    match current.phase() {
        Phase::Over => about["to_act"] = json!("over"),
        Phase::Chance => {
            about["to_act"] = json!("chance");
            let outcomes = current.outcomes(viewer);
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            about["weights"] = outcomes.iter().map(|&(_, weight)| json!(weight as f64 / total as f64)).collect();
            about["legal"] = outcomes.into_iter().map(|(text, _)| json!(text)).collect();
        }
        Phase::Act(seats) => {
            about["to_act"] = seats.iter().collect();
            let shown: Vec<Seat> = seats.iter().filter(|&seat| viewer.is(seat) || !game.facts().hidden).collect();
            let each = shown.iter().map(|&seat| (seat.to_string(), json!(current.legal(seat))));
            about["legal"] = if seats.len() > 1 {
                each.collect()
            } else {
                shown.iter().flat_map(|&seat| current.legal(seat)).collect()
            };
        }
    }
    about
}
