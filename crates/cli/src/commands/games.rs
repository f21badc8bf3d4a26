//! `raichi games`: the list of games.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use raichi_core::{Entry, Facts};
use raichi_games::{REGISTRY, seat_range};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Output, width};

/// List the games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi games
  raichi games --json | jq -r '.[].id'")]
pub(crate) struct Args {
    /// Write JSON: an array with an object for each game, its parameters included.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::new();
    if args.json {
        let games: Vec<Value> = REGISTRY.iter().map(described).collect();
        return out.pretty_json(&Value::Array(games));
    }
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width() as u16);
    table.set_header(["GAME", "SEATS", "ABOUT"]);
    // An id that is to be copied must be whole.
    let widest = REGISTRY.iter().map(|entry| entry.id.len()).max().unwrap_or(0) as u16 + 2;
    let column = table.column_mut(0).expect("the header has columns");
    column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(widest)));
    for entry in REGISTRY {
        let facts = facts(entry);
        let with = traits(&facts).map_or(String::new(), |traits| format!(" With {traits}."));
        let also = if entry.aliases.is_empty() { "" } else { " Also: " };
        let about = format!("{}. {}{with}{also}{}", entry.name, entry.blurb, entry.aliases.join(", "));
        table.add_row([entry.id, &seats(entry), &about]);
    }
    out.line(table.trim_fmt())
}

/// How many can play: 2, or 2–4.
fn seats(entry: &Entry) -> String {
    match seat_range(entry) {
        (fewest, most) if fewest == most => most.to_string(),
        (fewest, most) => format!("{fewest}–{most}"),
    }
}

fn described(entry: &Entry) -> Value {
    let facts = facts(entry);
    json!({
        "id": entry.id,
        "name": entry.name,
        "blurb": entry.blurb,
        "aliases": entry.aliases,
        "seats": facts.n_seats,
        "seat_range": seat_range(entry),
        "chance": facts.chance,
        "hidden": facts.hidden,
        "simultaneous": facts.simultaneous,
        "params": (entry.params)(),
    })
}

fn facts(entry: &Entry) -> Facts {
    (entry.create)(None).expect("the defaults make a game").facts()
}

/// What is unusual about a game, in words.
pub(crate) fn traits(facts: &Facts) -> Option<String> {
    let traits = [(facts.chance, "chance"), (facts.hidden, "secrets"), (facts.simultaneous, "seats that act at once")];
    let traits: Vec<&str> = traits.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect();
    (!traits.is_empty()).then(|| traits.join(", "))
}
