//! A copy of a database, also while a server writes to it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::file::{self, Unusable};
use super::sqlite::{open_to_read, whole};
use super::{StoreError, rows};

/// Pages copied between two reports.
pub(super) const PAGES_AT_ONCE: i32 = 1024;

/// Copies the database `from` to a new file `to`, as it is at one moment; `progress` is told how many pages of how many
/// are copied. Returns how many tables the copy has.
///
/// # Errors
/// When `from` is not a database of this program, there is a file `to` already, or the copy is not whole.
pub fn backup(from: &Path, to: &Path, progress: impl FnMut(u64, u64)) -> Result<usize, StoreError> {
    let source = open_to_read(from)?;
    let unusable = |why| StoreError::Unusable { path: to.into(), why: Arc::new(why) };
    let copied = copy(&source, to, progress).map_err(unusable)?;
    Ok(rows::table_ids(&copied)?.len())
}

fn copy(source: &Connection, to: &Path, mut progress: impl FnMut(u64, u64)) -> Result<Connection, Unusable> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(Unusable::Exists);
    }
    let (to, _) = file::resolve(to)?;
    file::check_absent(&to)?;
    let folder = to.parent().expect("the path is absolute and names a file");
    // Under another name until it is whole.
    let part = tempfile::Builder::new().prefix(".raichi-").suffix(".part").tempfile_in(folder)?;
    let mut copied = Connection::open(part.path())?;
    // One transaction for all pages: what is written meanwhile is in the log, behind what this one reads.
    let snapshot = source.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let backup = Backup::new(source, &mut copied)?;
    loop {
        let step = backup.step(PAGES_AT_ONCE)?;
        let (total, left) = (backup.progress().pagecount, backup.progress().remaining);
        progress((total - left).max(0) as u64, total.max(0) as u64);
        if step == StepResult::Done {
            break;
        }
    }
    drop(backup);
    snapshot.finish()?;
    // A file by itself, without a log beside it.
    copied.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    whole(&copied, "integrity_check")?;
    copied.close().map_err(|(_, why)| why)?;
    part.as_file().sync_all()?;
    part.persist_noclobber(&to).map_err(|why| match why.error.kind() {
        std::io::ErrorKind::AlreadyExists => Unusable::Exists,
        _ => why.error.into(),
    })?;
    file::sync_folder_of(&to)?;
    Ok(Connection::open(&to)?)
}
