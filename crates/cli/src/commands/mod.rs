//! The subcommands, each in its file.

mod about;
mod agents;
mod analyse;
mod backup;
mod balance;
mod bench;
mod calibrate;
mod check;
mod completions;
mod contest;
mod drill;
mod encode;
mod eval;
mod from_view;
mod games;
mod keyboard;
mod lesson;
mod lines;
mod perft;
mod play;
mod print;
mod problems;
mod replay;
mod report;
mod rules;
mod serve;
mod shown;
mod solve;
mod solver_bar;
mod sweep;
mod tables;
mod trace;
mod train;
mod values;

use clap::Subcommand;

use crate::failure::Failure;
use crate::output::log_to_stderr;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Games(games::Args),
    Rules(rules::Args),
    About(about::Args),
    Lesson(lesson::Args),
    Drill(drill::Args),
    Problems(problems::Args),
    Print(print::Args),
    Agents(agents::Args),
    Play(play::Args),
    Perft(perft::Args),
    Replay(replay::Args),
    Encode(encode::Args),
    Analyse(analyse::Args),
    Values(values::Args),
    Solve(solve::Args),
    Trace(trace::Args),
    Balance(balance::Args),
    Match(contest::matches::Args),
    Tournament(contest::tournament::Args),
    Strength(contest::strength::Args),
    Bench(bench::Args),
    Calibrate(calibrate::Args),
    Train(Box<train::Args>),
    Eval(eval::Args),
    Report(report::Args),
    Sweep(Box<sweep::Args>),
    Serve(Box<serve::Args>),
    Check(check::Args),
    Backup(backup::Args),
    Completions(completions::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// Says why not.
pub(crate) fn run(command: Command, verbose: u8) -> Result<(), Failure> {
    // The server is told by its settings how to log.
    if !matches!(command, Command::Serve(_)) {
        log_to_stderr(verbose);
    }
    match command {
        Command::Games(args) => games::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::About(args) => about::run(&args),
        Command::Lesson(args) => lesson::run(&args),
        Command::Drill(args) => drill::run(&args),
        Command::Problems(args) => problems::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Agents(args) => agents::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Encode(args) => encode::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Values(args) => values::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Balance(args) => balance::run(&args),
        Command::Match(args) => contest::matches::run(&args),
        Command::Tournament(args) => contest::tournament::run(&args),
        Command::Strength(args) => contest::strength::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Serve(args) => serve::run(*args, verbose),
        Command::Check(args) => check::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
