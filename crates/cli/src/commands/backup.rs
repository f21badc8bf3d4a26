//! `raichi backup FROM TO`: a copy of a database of tables.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::check::counted;
use crate::failure::Failure;
use crate::output::Output;

/// Copy a database of tables, also while a server is running on it.
///
/// The copy is of one moment, whole and checked before it gets its name. It is a database like any other: `raichi serve
/// --database COPY` serves it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi backup raichi.sqlite monday.sqlite
  raichi backup /var/lib/raichi/tables.sqlite /backup/tables-$(date +%F).sqlite
  raichi check monday.sqlite")]
pub(crate) struct Args {
    /// The database.
    #[arg(value_name = "FROM")]
    from: PathBuf,

    /// The copy, a file that does not exist yet.
    #[arg(value_name = "TO")]
    to: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, about {eta} left");
    let progress = ProgressBar::no_length().with_style(style.expect("the template is well-formed"));
    let copied = raichi_server::store::backup(&args.from, &args.to, |done, total| {
        progress.set_length(total);
        progress.set_position(done);
    });
    progress.finish_and_clear();
    let n_tables = copied.map_err(|why| Failure::store(&why))?;
    Output::new().line(format_args!("{} copied to {}", counted(n_tables, "table", "tables"), args.to.display()))
}
