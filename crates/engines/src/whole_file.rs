//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

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
