//! `raichi check FILE`: whether a database of tables is whole.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use raichi_server::{Checked, Checking};

use crate::failure::Failure;
use crate::output::{Output, complain};
use crate::palette::{BAD, GOOD, paint};

/// Check a database of tables: that the file is intact, that no ply is missing, and that every game can be played again
/// under its rules.
///
/// It only reads, and a server may be running on the database.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi check raichi.sqlite
  raichi check /var/lib/raichi/tables.sqlite && echo all is well")]
pub(crate) struct Args {
    /// The database, as given to `raichi serve --database`.
    #[arg(value_name = "FILE")]
    database: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tables, about {eta} left");
    let progress = ProgressBar::no_length().with_style(style.expect("the template is well-formed"));
    let mut out = Output::new();
    let mut written = Ok(());
    let checked = raichi_server::check(&args.database, |checking| match checking {
        Checking::File => {}
        Checking::Tables { done, total } => {
            progress.set_length(total as u64);
            progress.set_position(done as u64);
        }
        Checking::Bad(why) => {
            let line = progress.suspend(|| out.line(paint(BAD, why)));
            written = std::mem::replace(&mut written, Ok(())).and(line);
        }
    });
    progress.finish_and_clear();
    let Checked { n_tables, n_plies, n_bad } = checked.map_err(|why| Failure::store(&why))?;
    // Who has closed the output still gets the exit code.
    if let Err(why @ Failure::Failed(_)) = written {
        complain(why);
    }
    let found = format!("{} with {}", counted(n_tables, "table", "tables"), counted(n_plies, "ply", "plies"));
    if n_bad > 0 {
        let faults = counted(n_bad, "fault", "faults");
        return Err(Failure::Refused(format!("{}: {faults}, listed above; {found}", args.database.display())));
    }
    out.line(format_args!("{} {found}", paint(GOOD, "whole:")))
}

pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
