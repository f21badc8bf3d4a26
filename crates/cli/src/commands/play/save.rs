//! The game on disk: one record, replaced as a whole, so that a crash leaves the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use raichi_core::record::Record;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::output::without_path;

/// Where a game is saved.
pub(super) struct SaveFile {
    path: PathBuf,
}

impl SaveFile {
    /// A file that may hold a game already, which is replaced.
    pub(super) fn new(path: PathBuf) -> SaveFile {
        SaveFile { path }
    }

    /// A file that must not exist yet.
    ///
    /// # Errors
    /// When it does.
    pub(super) fn fresh(path: PathBuf) -> Result<SaveFile, Failure> {
        if path.is_dir() {
            return Err(Failure::Usage(format!("--save {}: that is a folder", path.display())));
        }
        if path.exists() {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "--save {path}: there is such a file; go on with it by --resume {path}"
            )));
        }
        Ok(SaveFile { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file by this record; on return it is on disk.
    ///
    /// # Errors
    /// Names the file and what went wrong; the old record is still there then.
    pub(super) fn write(&self, record: &Record) -> Result<(), Failure> {
        self.replace(&record.to_line()).map_err(|why| Failure::file(&self.path, "written", why))
    }

    fn replace(&self, line: &str) -> io::Result<()> {
        let folder = match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Asked first: an error would name the temporary file, not what is missing.
        fs::metadata(folder)?;
        let mut file = NamedTempFile::new_in(folder).map_err(without_path)?;
        writeln!(file.as_file_mut(), "{line}")?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        // The new name must be on disk too. Windows opens no folders.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }
}

/// Whether two paths name the same file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    one == other || whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// The one record of a file.
///
/// # Errors
/// Says what is wrong with the file.
pub(super) fn read(path: &Path) -> Result<Record, Failure> {
    let text = fs::read_to_string(path).map_err(|why| Failure::file(path, "read", why))?;
    let refuse = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (i, line) = lines.next().ok_or_else(|| refuse("there is no record in this file".into()))?;
    if lines.next().is_some() {
        return Err(refuse("there are several records in this file; a game to resume is alone in its file".into()));
    }
    Record::from_line(line, i + 1).map_err(|why| refuse(why.to_string()))
}
