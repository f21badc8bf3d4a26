//! `raichi agents [GAME]`: who plays, and what can be set; `raichi agents list` and its sisters: the trained ones.

use std::path::PathBuf;
use std::sync::Arc;

use raichi_agents::options::{AgentOption, OptionKind};
use raichi_agents::{AgentKind, KINDS, levels};
use raichi_core::AnyGame;
use serde_json::{Value, json};

use crate::args::GameSpec;
use crate::failure::Failure;
use crate::output::{Output, width};
use crate::palette::{CODE, FAINT, TITLE, paint};
use crate::trained;

/// List the agents with their options, all of them or those that play a game.
///
/// An agent's spec is its id, or the id and options: `mcts:time=1s,c=0.9`. Where an agent says so the first value may stand
/// bare.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi agents
  raichi agents tablut
  raichi agents poker:players=6 --json | jq -r '.[].id'
  raichi agents list
  raichi agents export four four.zip
  raichi agents import four.zip --as other-four
  raichi agents import mine.onnx --game othello --as mine")]
pub(crate) struct Args {
    #[command(subcommand)]
    kept: Option<Kept>,

    /// Only those that play this game; the others are named with what stands in their way.
    #[arg(value_parser = GameSpec, hide_possible_values = true)]
    game: Option<Arc<dyn AnyGame>>,

    /// Write JSON: an array with an object for each agent, weakest first.
    #[arg(long)]
    json: bool,
}

/// What can be done with trained agents.
#[derive(clap::Subcommand)]
enum Kept {
    /// List the trained agents.
    List {
        /// Write JSON: an array with an object for each.
        #[arg(long)]
        json: bool,
    },
    /// Show what a trained agent says of itself: its game, options, training and evaluations.
    Show {
        /// The agent.
        name: String,
        /// Write its manifest as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check a trained agent: every checksum, and that it is ready to play its game.
    Verify {
        /// The agent's name, or a file or folder.
        #[arg(value_name = "NAME|FILE")]
        name: String,
    },
    /// Write a trained agent to one file.
    Export {
        /// The agent.
        name: String,
        /// The file, a .zip that does not exist yet.
        file: PathBuf,
    },
    /// Take a trained agent from a file or folder, or a network from a file in ONNX's form (.onnx); what is damaged is refused.
    Import {
        /// The file or folder.
        file: PathBuf,
        /// Its name here; the one that it says itself, or its file's, where not given.
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        /// Of a network in ONNX's form: the game that it plays.
        #[arg(long, value_name = "SPEC", value_parser = GameSpec, hide_possible_values = true)]
        game: Option<Arc<dyn AnyGame>>,
    },
    /// Remove a trained agent.
    Remove {
        /// The agent.
        name: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    // Not left to clap, which would refuse --agents-dir before the subcommand too.
    if let (Some(game), Some(_)) = (&args.game, &args.kept) {
        let why = format!("`{}` stands before a subcommand: trained agents are listed for all games", game.spec());
        return Err(Failure::Usage(why));
    }
    match &args.kept {
        None => {}
        Some(Kept::List { json }) => return trained::list(*json || args.json),
        Some(Kept::Show { name, json }) => return trained::show(name, *json || args.json),
        Some(Kept::Verify { name }) => return trained::verify(name),
        Some(Kept::Export { name, file }) => return trained::export(name, file),
        Some(Kept::Import { file, name, game }) => return trained::import(file, name.as_deref(), game.as_deref()),
        Some(Kept::Remove { name }) => return trained::remove(name),
    }
    let refusal = |kind: &AgentKind| args.game.as_ref().and_then(|game| (kind.supports)(&**game).err());
    let able = || KINDS.iter().filter(|kind| refusal(kind).is_none());
    let mut out = Output::new();
    if args.json {
        let agents: Vec<Value> = able().map(|kind| described(kind, args.game.as_deref())).collect();
        return out.pretty_json(&Value::Array(agents));
    }
    for kind in able() {
        out.print(page(kind, args.game.as_deref()))?;
    }
    for kind in KINDS {
        if let Some(why) = refusal(kind) {
            out.line(paint(FAINT, textwrap::fill(&format!("not {}: {why}", kind.id), width())))?;
        }
    }
    Ok(())
}

fn described(kind: &AgentKind, game: Option<&dyn AnyGame>) -> Value {
    let option = |option: &AgentOption| json!({"name": option.name, "values": option.kind.to_string(), "default": option.default, "help": option.help});
    let mut described = json!({
        "id": kind.id,
        "name": kind.name,
        "help": kind.help,
        "bare": kind.bare,
        "options": kind.options.iter().map(option).collect::<Vec<_>>(),
    });
    if let Some(game) = game.filter(|_| kind.id == "level") {
        described["version"] = levels::version(game).into();
    }
    described
}

fn page(kind: &AgentKind, game: Option<&dyn AnyGame>) -> String {
    let mut page = format!("{}  {}\n", paint(TITLE, kind.id), kind.name);
    let help = match game {
        Some(game) if kind.id == "level" => format!("{} {}", kind.help, levels::about(game)),
        _ => kind.help.into(),
    };
    page += &textwrap::fill(&help, textwrap::Options::new(width()).initial_indent("  ").subsequent_indent("  "));
    page += "\n";
    for option in kind.options {
        page += &line(kind, option);
    }
    page + "\n"
}

fn line(kind: &AgentKind, option: &AgentOption) -> String {
    let bare = if kind.bare == Some(option.name) { ", may stand bare as the first value" } else { "" };
    let default = option.default.map(|default| format!(", {default} where not given")).unwrap_or_default();
    let values = match option.kind {
        OptionKind::Choice { options } => options.join(", "),
        ref kind => kind.to_string(),
    };
    let indented = textwrap::Options::new(width()).initial_indent("      ").subsequent_indent("      ");
    let help = textwrap::fill(option.help, indented);
    format!("  {}  {values}{default}{bare}\n{}\n", paint(CODE, option.name), paint(FAINT, help))
}
