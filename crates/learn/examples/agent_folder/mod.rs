//! An agent in a folder, as the example `train` writes it.

use raichi_learn::Saved;
use raichi_learn::file::{self, Files, Manifest};

/// Reads it, and prints how it was trained.
///
/// # Errors
/// A sentence, where a file is missing or damaged.
pub(crate) fn read(folder: &str) -> Result<(Manifest, Saved), String> {
    let read = |name: &str| {
        let bytes = std::fs::read(format!("{folder}/{name}")).map_err(|why| format!("{folder}/{name}: {why}"))?;
        Ok::<_, String>((name.to_string(), bytes))
    };
    let files: Files = vec![read(file::MANIFEST)?, read(file::WEIGHTS)?];
    let (manifest, saved) = file::read(&files).map_err(|why| why.to_string())?;
    println!("{} games of training, {:.0} s: {}", manifest.games, manifest.seconds, manifest.agent);
    Ok((manifest, saved))
}
