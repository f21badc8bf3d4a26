//! `cargo xtask golden`: what follows from the games and is committed, written anew or compared. The recorded game of
//! each game, the texts that a fuzzer begins with, and how those of its corpora are refused.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raichi_core::Entry;
use raichi_core::playthrough::standard;
use raichi_games::{REGISTRY, entry, rooms};
use similar::TextDiff;

use crate::{refusals, seeds, workspace};

pub(crate) fn run(root: &Path, check: bool, games: &[String]) -> Result<()> {
    let chosen = match games {
        [] => REGISTRY.iter().collect(),
        ids => ids.iter().map(|id| entry(id)).collect::<Result<Vec<_>, _>>()?,
    };
    let mut files = vec![(root.join("fuzz/words.dict"), seeds::dictionary())];
    for entry in chosen {
        files.extend(of_game(root, entry)?);
    }
    let mut stale = 0;
    for (path, text) in files {
        stale += usize::from(!settle(&path, &text, check)?);
    }
    // Last, for it tells of the texts written just now too.
    let fuzz = root.join("fuzz");
    stale += usize::from(!settle(&fuzz.join("refusals.txt"), &refusals::all(&fuzz), check)?);
    if check && stale > 0 {
        bail!("{stale} golden records differ; `cargo xtask golden` writes them anew, then read the diff");
    }
    Ok(())
}

/// Writes a file anew, or shows what would be new; answers whether it was so already.
fn settle(path: &Path, text: &str, check: bool) -> Result<bool> {
    let old = fs::read_to_string(path).unwrap_or_default();
    if old == text {
        return Ok(true);
    }
    if check {
        println!("{}", difference(path, &old, text));
    } else {
        fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        println!("{}", path.display());
    }
    Ok(false)
}

fn of_game(root: &Path, entry: &Entry) -> Result<Vec<(PathBuf, String)>> {
    let folder = workspace::games(root).join(rooms(entry.id)?.folder);
    let playthrough = (folder.join("playthrough.txt"), standard(entry));
    let seed = |(target, text)| (root.join("fuzz/corpus").join(target).join(entry.id), text);
    Ok([playthrough].into_iter().chain(seeds::of(entry).map(seed)).collect())
}

fn difference(path: &Path, old: &str, new: &str) -> String {
    let path = path.display().to_string();
    TextDiff::from_lines(old, new).unified_diff().context_radius(2).header(&path, "as it would be now").to_string()
}
