//! `raichi encode GAME HISTORY`: a position as numbers.

use std::sync::Arc;

use raichi_core::encoding::{Block, Heads, Layout, Meaning, Shape};
use raichi_core::{AnyGame, AnyMatch, Phase, Seat, Viewer};
use serde_json::{Value, json};

use super::from_view;
use super::lines::{self, Lines, n_cores};
use super::replay::history;
use crate::args::{GameSpec, Start};
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::palette::{BOLD, FAINT, paint};

/// Show a position as numbers, as learners, tables and other languages get it.
///
/// An observation is taken for a seat: 1 is its own, 2 the next seat's, and so on. Grids lie as one sees the board. From a position
/// that hides something (`?`) plies go on as in `raichi replay`: as far as what they lead to does not depend on what it hides.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi encode tic-tac-toe \"b2 a1 c3\"
  raichi encode poker \"~As ~Kd ~2c ~7h call\" --seat 0
  raichi encode connect-four \"4 4 3\" --json | jq .legal
  raichi encode connect-four --file histories.txt")]
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

    /// Whose view, from 0; the seat to act where none is given, the lowest where several may act. A position that hides
    /// something has the view of its seat only.
    #[arg(long, value_name = "SEAT")]
    seat: Option<Seat>,

    /// Write one JSON object: `game`, `seat`, `observation` (the integers), `ranges`, `grids`, `blocks` (which part is what),
    /// `n_actions`, `legal` (numbers, rising).
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_ref();
    let layout = game.layout();
    if let Some(file) = &args.lines.file {
        // What no line can help is said once. Whose view is shown of a position that hides something is the same after plies.
        let start = args.start.open(game)?;
        seat(args, &*start, start.seen_by())?;
        return lines::answer_all(file, n_cores(), |line| {
            let (current, seer) = match args.start.position {
                Some(_) => reached(args, &layout, line).map_err(|why| why.to_string())?,
                None => {
                    let current = lines::match_of(game, &args.start, line)?;
                    let seer = current.seen_by();
                    (current, seer)
                }
            };
            let seat = seat(args, current.as_ref(), seer).map_err(|why| why.to_string())?;
            Ok(described(game, current.as_ref(), seat, &layout))
        });
    }
    let (current, seer) = reached(args, &layout, &history(&args.history)?)?;
    let seat = seat(args, current.as_ref(), seer)?;
    let mut out = Output::new();
    match args.json {
        true => out.line(described(game, current.as_ref(), seat, &layout)),
        false => out.print(page(game, current.as_ref(), seat, &layout)),
    }
}

/// What a history leads to from where play begins, and who sees it.
///
/// # Errors
/// When a ply is refused, or what the plies lead to depends on what the position hides.
fn reached(args: &Args, layout: &Layout, history: &str) -> Result<(Box<dyn AnyMatch>, Option<Viewer>), Failure> {
    let game = args.game.as_ref();
    from_view::reached(game, &args.start, history, |drawn, seer| {
        Ok(described(game, drawn, seat(args, drawn, Some(seer))?, layout))
    })
}

/// The numbers, as `seat` sees the position.
fn observation(current: &dyn AnyMatch, seat: Seat, layout: &Layout) -> Vec<i32> {
    let mut observation = vec![0; layout.len()];
    current.observe(seat, &mut observation);
    observation
}

/// Whose view is shown, of a position that hides something from all but `seer`.
///
/// # Errors
/// Seats that the game has not, and those whose view a position that hides something does not have.
fn seat(args: &Args, current: &dyn AnyMatch, seer: Option<Viewer>) -> Result<Seat, Failure> {
    let last = args.game.facts().n_seats - 1;
    match (args.seat, seer) {
        (Some(seat), _) if seat > last => {
            Err(Failure::Usage(format!("--seat {seat}: the seats of {} are 0 to {last}", args.game.spec())))
        }
        (None, None) => Ok(match current.phase() {
            Phase::Act(seats) => seats.first(),
            Phase::Chance | Phase::Over => 0,
        }),
        (Some(seat), None) => Ok(seat),
        (asked, Some(Viewer::Seat(seat))) if asked.is_none_or(|asked| asked == seat) => Ok(seat),
        (_, Some(Viewer::Seat(seat))) => {
            Err(Failure::Usage(format!("--position is what seat {seat} sees: only --seat {seat} can be shown")))
        }
        (_, Some(_)) => Err(Failure::Refused("--position is what a spectator sees, and shows no seat's view".into())),
    }
}

fn described(game: &dyn AnyGame, current: &dyn AnyMatch, seat: Seat, layout: &Layout) -> Value {
    let grids = layout.offsets().filter_map(|(first, block)| match block.shape {
        Shape::Grid { rows, columns } => {
            let mut grid = json!({"name": block.name, "first": first, "rows": rows, "columns": columns});
            if let Some(heads) = &block.heads {
                (grid["row_names"], grid["column_names"]) = (json!(heads.rows), json!(heads.columns));
            }
            Some(grid)
        }
        Shape::Numbers(_) => None,
    });
    let blocks = layout.offsets().map(
        |(first, block)| json!({"name": block.name, "first": first, "length": block.len(), "values": meaning(block)}),
    );
    json!({
        "game": game.spec(),
        "seat": seat,
        "observation": observation(current, seat, layout),
        "ranges": layout.ranges(),
        "grids": grids.collect::<Vec<_>>(),
        "blocks": blocks.collect::<Vec<_>>(),
        "n_actions": game.n_actions(),
        "legal": current.legal_numbers(seat),
    })
}

fn meaning(block: &Block) -> Value {
    match &block.meaning {
        Meaning::Names(names) => json!(names),
        Meaning::Amount(what) => json!(what),
    }
}

fn page(game: &dyn AnyGame, current: &dyn AnyMatch, seat: Seat, layout: &Layout) -> String {
    let observation = observation(current, seat, layout);
    let title = format!("{}, seen by {} (seat {seat}): {} numbers", game.spec(), game.seat_name(seat), layout.len());
    let mut page = format!("{}\n", paint(BOLD, title));
    for (first, block) in layout.offsets() {
        page += &drawn(block, first, &observation[first..first + block.len()]);
    }
    let legal = current.numbered_actions(seat);
    page += &format!("\n{}\n", paint(BOLD, format!("{} action numbers, {} legal", game.n_actions(), legal.len())));
    if !legal.is_empty() {
        let numbers: Vec<String> = legal.iter().map(|(number, action)| format!("{number}:{action}")).collect();
        page += &format!("{}\n", textwrap::fill(&numbers.join("  "), width()));
    }
    page
}

/// A block's name, its entries as they lie, and what the values that occur mean.
fn drawn(block: &Block, first: usize, entries: &[i32]) -> String {
    let last = first + entries.len().max(1) - 1;
    let place = if entries.len() == 1 { format!("entry {first}") } else { format!("entries {first} to {last}") };
    let mut text = format!("\n{}  {}\n", paint(BOLD, &block.name), paint(FAINT, place));
    match block.shape {
        Shape::Grid { columns, .. } => text += &grid(entries, columns.max(1), first, block.heads.as_ref()),
        Shape::Numbers(_) => {
            let words: Vec<String> = entries.iter().map(i32::to_string).collect();
            text += &(textwrap::fill(&format!("  {}", words.join(" ")), width()) + "\n");
        }
    }
    let legend = match &block.meaning {
        Meaning::Amount(what) => format!("{what}, {} to {}", block.min, block.max),
        Meaning::Names(names) => {
            let seen = |i: &usize| entries.contains(&(block.min + *i as i32));
            let named = (0..names.len()).filter(seen).map(|i| format!("{} {}", block.min + i as i32, names[i]));
            named.collect::<Vec<_>>().join(", ")
        }
    };
    text += &format!("{}\n", paint(FAINT, textwrap::fill(&format!("  {legend}"), width())));
    text
}

/// Entries row by row under the names of the columns, behind those of the rows; where these have none, behind the number of
/// a row's first entry.
fn grid(entries: &[i32], n_columns: usize, first: usize, heads: Option<&Heads>) -> String {
    let row_head = |row: usize| match heads {
        Some(heads) => heads.rows[row].clone(),
        None => format!("{}:", first + row * n_columns),
    };
    let n_rows = entries.len() / n_columns;
    let head_width = (0..n_rows).map(|row| row_head(row).chars().count()).max().unwrap_or(0);
    let width_of = |column: usize| {
        let widest = entries.iter().skip(column).step_by(n_columns).map(|entry| entry.to_string().len()).max();
        widest.unwrap_or(0).max(heads.map_or(0, |heads| heads.columns[column].chars().count()))
    };
    // Where columns have no names they are all as wide as the widest, so that a board looks like one.
    let mut widths: Vec<usize> = (0..n_columns).map(width_of).collect();
    if heads.is_none() {
        let widest = widths.iter().copied().max().unwrap_or(0);
        widths.fill(widest);
    }
    let line = |head: String, words: &mut dyn Iterator<Item = String>| {
        let cells = words.zip(&widths).map(|(word, &width)| format!("  {word:>width$}"));
        format!("  {}{}\n", paint(FAINT, format!("{head:>head_width$}")), cells.collect::<String>())
    };
    let mut text = String::new();
    if let Some(heads) = heads {
        text += &line(String::new(), &mut heads.columns.iter().cloned());
    }
    for (row, entries) in entries.chunks(n_columns).enumerate() {
        text += &line(row_head(row), &mut entries.iter().map(i32::to_string));
    }
    text
}
