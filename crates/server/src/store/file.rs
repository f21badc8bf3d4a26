//! Which file the database is, and why it may be refused.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::LockHolder;

/// Why a file is not used as the database.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// A server has it.
    #[error("{0}")]
    InUse(LockHolder),
    /// There is nothing to read.
    #[error("there is no such file")]
    Missing,
    /// A folder, a device, a symbolic link to nothing.
    #[error("it is {0}, not a file")]
    NoFile(&'static str),
    /// It has several names.
    #[error(
        "the file has {0} names (hard links), and a log would be kept for each of them, so that plies are lost; remove all \
         names but one"
    )]
    Linked(u64),
    /// Nothing is in it.
    #[error(
        "it is empty (0 bytes), as no database is, not even a new one. If it had tables, restore a backup; if it is to be \
         made, remove the file"
    )]
    Empty,
    /// The file is gone, what was last written is there.
    #[error(
        "the file is missing, but {} with its last plies is there. Put the file back beside it, or remove that too to \
         begin anew", .log.display()
    )]
    LogWithoutFile {
        /// The log.
        log: PathBuf,
    },
    /// It is something else.
    #[error("it is not an SQLite database")]
    NotSqlite,
    /// It is another program's.
    #[error(
        "it is another program's database (its application id is {id:#x}, not {:#x})",
        super::schema::APPLICATION_ID
    )]
    Foreign {
        /// Whose it is.
        id: i32,
    },
    /// This version does not know how to read it.
    #[error("a later version of Raichi has written it (format {found}; this version reads up to {known})")]
    Newer {
        /// The version of its tables.
        found: i64,
        /// The latest that is known here.
        known: i64,
    },
    /// Parts of it are missing or overwritten.
    #[error("it is damaged ({0}). Restore a backup, or try SQLite's `.recover` on a copy")]
    Damaged(String),
    /// A copy is not to replace anything.
    #[error("there is a file of this name already, and it is not replaced")]
    Exists,
    /// The system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// SQLite refuses.
    #[error("{0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Unusable {
    fn from(error: rusqlite::Error) -> Unusable {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match error.sqlite_error_code() {
            Some(NotADatabase) => Unusable::NotSqlite,
            Some(DatabaseCorrupt) => Unusable::Damaged("a page of it is missing or was overwritten".into()),
            _ => Unusable::Sqlite(error),
        }
    }
}

/// The file that `path` names, by its one true name, so that all names of it have the same log and the same lock; and
/// whether it is there.
pub(super) fn resolve(path: &Path) -> Result<(PathBuf, bool), Unusable> {
    match fs::canonicalize(path) {
        Ok(path) => Ok((path, true)),
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
        Err(_) if fs::symlink_metadata(path).is_ok() => Err(Unusable::NoFile("a symbolic link to nothing")),
        Err(_) => {
            let name = path.file_name().ok_or(Unusable::NoFile("a folder"))?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let missing = |why: io::Error| io::Error::new(why.kind(), format!("its folder cannot be used: {why}"));
            Ok((fs::canonicalize(folder).map_err(missing)?.join(name), false))
        }
    }
}

/// Looks at a file that is there from outside, before SQLite opens it.
pub(super) fn check_outside(path: &Path) -> Result<(), Unusable> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Unusable::NoFile("a folder"));
    }
    if !metadata.is_file() {
        return Err(Unusable::NoFile("a device"));
    }
    match n_names(&metadata) {
        0 | 1 => {}
        n => return Err(Unusable::Linked(n)),
    }
    if metadata.len() == 0 { Err(Unusable::Empty) } else { Ok(()) }
}

#[cfg(unix)]
fn n_names(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn n_names(_metadata: &fs::Metadata) -> u64 {
    1
}

/// Where no file is, nothing may be left of one either.
pub(super) fn check_absent(path: &Path) -> Result<(), Unusable> {
    let log = beside(path, "-wal");
    let has_log = fs::metadata(&log).is_ok_and(|metadata| metadata.len() > 0);
    if has_log { Err(Unusable::LogWithoutFile { log }) } else { Ok(()) }
}

/// The name of a file that belongs to the database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
