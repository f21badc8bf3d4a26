//! The repository's own tools: `cargo xtask --help`.

mod ci;
mod golden;
mod locks;
mod new_game;
mod purity;
// What is public beside the fuzz targets is private here.
#[allow(unreachable_pub)]
mod refusals;
mod seeds;
mod test_files;
mod tidy;
mod workspace;

#[cfg(test)]
// What is public in a game is private here.
#[allow(unreachable_pub, unused_imports)]
#[path = "../template/mod.rs"]
mod template;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The repository's own tools.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the files of a new game: a small whole game to be made into yours, and its registry line.
    NewGame {
        /// The id used in specs: small letters and digits, with hyphens between words.
        id: String,
    },
    /// Check what no compiler checks: which crate uses which, what each game has, what no game may use, leftovers.
    Tidy,
    /// Regenerate what follows from the games: `playthrough.txt` of each, the texts that a fuzzer begins with, and the
    /// page's types and test data.
    Golden {
        /// Change nothing; show what differs and fail.
        #[arg(long)]
        check: bool,
        /// Only these games; all where none is given.
        games: Vec<String>,
    },
    /// Run what continuous integration runs on the Rust side.
    Ci,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::NewGame { id } => new_game::run(&workspace::root(), &id),
        Task::Tidy => tidy::run(&workspace::root()),
        Task::Golden { check, games } => golden::run(&workspace::root(), check, &games),
        Task::Ci => ci::run(&workspace::root()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why:#}");
            ExitCode::FAILURE
        }
    }
}
