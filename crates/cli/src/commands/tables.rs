//! Where tables of solvers are kept.

use std::path::PathBuf;

/// Where tables of solvers are kept.
#[derive(clap::Args)]
pub(crate) struct Tables {
    /// Keep the tables of solvers in this folder, and use those that lie there; without it they are built again each time.
    #[arg(long = "tables", value_name = "FOLDER", env = "RAICHI_TABLES")]
    folder: Option<PathBuf>,
}

impl Tables {
    /// Says so to the solvers.
    pub(crate) fn keep(&self) {
        if let Some(folder) = &self.folder {
            raichi_agents::truth::keep_tables_in(folder.clone());
        }
    }
}
