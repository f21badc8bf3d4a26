//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use raichi_solve::{Folder, NotKept};

/// Keeps a table, or another `what` that its file is named by (`NAME.table`); who gave the folder is told where that fails.
/// Returns whether it is kept.
pub(crate) fn keep(
    folder: Folder<'_>,
    name: &str,
    what: &'static str,
    fill: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> bool {
    let Err(why) = write(folder.path, &format!("{name}.{what}"), fill) else { return true };
    (folder.not_kept)(&NotKept { what, name: name.into(), folder: folder.path.into(), why });
    false
}

/// Writes a file beside its place and then moves it there, so that a reader sees all of it or nothing, also after a power cut.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn write(folder: &Path, name: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!("{name}.{}.part", std::process::id()));
    let written = File::create(&beside).and_then(|file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        file.into_inner()?.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, folder.join(name)));
    if moved.is_err() {
        let _ = fs::remove_file(&beside);
    }
    moved
}
