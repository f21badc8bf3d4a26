//! Chores of the house: `cargo xtask --help`.

mod ci;
mod golden;
mod new_game;
// What is public beside the fuzz targets is private here.
#[allow(unreachable_pub)]
mod refusals;
mod seeds;
mod tidy;
mod workspace;

#[cfg(test)]
// What is public in a game is private here.
#[allow(unreachable_pub, unused_imports)]
#[path = "../template/mod.rs"]
mod template;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the house.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Write the rooms of a new game: a small whole game to be made into yours, and its registry line.
    NewGame {
        /// The id used in specs: small letters and digits, with hyphens between words.
        id: String,
    },
    /// Check the house: arrows between crates, rooms of the games, leftovers.
    Tidy,
    /// Write anew what follows from the games: `playthrough.txt` of each, and the texts that a fuzzer begins with.
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
    let done = match Arguments::parse().chore {
        Chore::NewGame { id } => new_game::run(&workspace::root(), &id),
        Chore::Tidy => tidy::run(&workspace::root()),
        Chore::Golden { check, games } => golden::run(&workspace::root(), check, &games),
        Chore::Ci => ci::run(&workspace::root()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why:#}");
            ExitCode::FAILURE
        }
    }
}
