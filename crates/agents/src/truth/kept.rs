//! Where tables are kept from run to run.

use std::path::PathBuf;
use std::sync::OnceLock;

use raichi_solve::{Folder, NotKept};

struct Kept {
    path: PathBuf,
    not_kept: Box<dyn Fn(&NotKept) + Send + Sync>,
}

static KEPT: OnceLock<Kept> = OnceLock::new();

/// Says where tables are kept from run to run, once and before they are used; nowhere if it is never said. `not_kept` is
/// told of each table that cannot be kept there.
pub fn keep_tables_in(folder: PathBuf, not_kept: impl Fn(&NotKept) + Send + Sync + 'static) {
    // Who comes second finds that it is decided.
    let _ = KEPT.set(Kept { path: folder, not_kept: Box::new(not_kept) });
}

/// Where tables are kept.
pub fn folder() -> Option<Folder<'static>> {
    KEPT.get().map(|kept| Folder { path: &kept.path, not_kept: &*kept.not_kept })
}
