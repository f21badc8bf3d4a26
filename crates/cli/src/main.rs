//! The command `raichi`: play, check and measure games in the terminal.
//!
//! Each subcommand has a file under [`commands`]; what they share is beside it. The command decides nothing about games: it
//! reads a line of arguments, calls the crates that know, and prints what they return.

// These macros panic when the pipe they write to is closed; see [`output`].
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod agents;
mod args;
mod commands;
mod failure;
mod json;
mod markdown;
mod output;
mod palette;
mod trained;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match args::Cli::read() {
        Ok(cli) => cli,
        Err(why) => return failure::usage(&why),
    };
    cli.color.write_global();
    if let Some(folder) = cli.agents_dir {
        raichi_agents::trained::store::keep_in(folder);
    }
    match commands::run(cli.command, cli.verbose) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => why.report(),
    }
}
