//! `cargo xtask golden`: what follows from the games and is committed, regenerated or compared. The recorded game of
//! each game, the texts that a fuzzer begins with, and how those of its corpora are refused; the page's types and the
//! data of its tests, which a test of the server generates and compares.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use raichi_arena::playthrough::standard;
use raichi_core::Entry;
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
    // In a check the server's own test compares them.
    if !check && games.is_empty() {
        write_wire(root)?;
    }
    if check && stale > 0 {
        bail!("{stale} golden records differ; `cargo xtask golden` regenerates them, then read the diff");
    }
    Ok(())
}

/// Writes `web/src/lib/wire.ts` and `web/src/fixtures`.
fn write_wire(root: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["test", "--quiet", "--package", "raichi-server", "--lib", "wire::"]);
    let status =
        command.env("RAICHI_WRITE_WIRE", "1").stdout(Stdio::null()).status().context("cargo does not start")?;
    if status.success() { Ok(()) } else { bail!("the page's types cannot be generated") }
}

/// Writes a file, or shows what would change; returns whether the file was up to date.
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
    let seed = |seeds::Seed { target, name, text }| (root.join("fuzz/corpus").join(target).join(name), text);
    Ok([playthrough].into_iter().chain(seeds::of(entry).into_iter().map(seed)).collect())
}

fn difference(path: &Path, old: &str, new: &str) -> String {
    let path = path.display().to_string();
    TextDiff::from_lines(old, new).unified_diff().context_radius(2).header(&path, "as it would be now").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_committed_is_what_the_games_make() {
        run(&workspace::root(), true, &[]).unwrap();
    }
}
