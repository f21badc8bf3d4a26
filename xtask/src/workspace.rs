//! Where things stand in the repository.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the repository").to_path_buf()
}

/// The folders of the games.
pub(crate) fn games(root: &Path) -> PathBuf {
    root.join("crates/games/src")
}
