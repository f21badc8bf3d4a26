//! Where tables of solvers are kept.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use raichi_agents::truth::keep_tables_in;

use crate::failure::Failure;
use crate::output::complain;

/// Where tables of solvers are kept.
#[derive(clap::Args)]
pub(crate) struct Tables {
    /// Keep the tables of solvers in this folder, and use those that lie there; without it they are built again each time. Kept
    /// are those of endings of Tablut and Focus, of the cube of size 3 and of 2048 on 3×3 (503 MB).
    #[arg(long = "tables", value_name = "FOLDER", env = "RAICHI_TABLES")]
    folder: Option<PathBuf>,
}

impl Tables {
    /// Says so to the solvers. A table that cannot be kept later is named on standard error, beside the bar that is there.
    ///
    /// # Errors
    /// When nothing can be kept in the folder, and no table lies there either.
    pub(crate) fn keep(&self, bar: &ProgressBar) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let writable = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        match writable {
            // Tables that somebody else put there can be used all the same.
            Err(why) if !holds_tables(folder) => {
                return Err(Failure::Failed(format!("--tables: nothing can be kept in {}: {why}", folder.display())));
            }
            _ => {}
        }
        let bar = bar.clone();
        keep_tables_in(folder.clone(), move |why| bar.suspend(|| complain(format!("note: {why}"))));
        Ok(())
    }
}

fn holds_tables(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).any(|file| file.extension().is_some_and(|ending| ending == "table"))
}
