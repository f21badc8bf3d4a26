//! `cargo xtask golden`: the recorded game of each game, written anew or compared.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use raichi_core::playthrough::standard;
use raichi_games::{REGISTRY, entry, rooms};
use similar::TextDiff;

use crate::workspace;

pub(crate) fn run(root: &Path, check: bool, games: &[String]) -> Result<()> {
    let chosen = match games {
        [] => REGISTRY.iter().collect(),
        ids => ids.iter().map(|id| entry(id)).collect::<Result<Vec<_>, _>>()?,
    };
    let mut stale = 0;
    for entry in chosen {
        let path = workspace::games(root).join(rooms(entry.id)?.folder).join("playthrough.txt");
        let old = fs::read_to_string(&path).unwrap_or_default();
        let new = standard(entry);
        if old == new {
            continue;
        }
        stale += 1;
        if check {
            println!("{}", difference(&path, &old, &new));
        } else {
            fs::write(&path, new).with_context(|| format!("{} cannot be written", path.display()))?;
            println!("{}", path.display());
        }
    }
    if check && stale > 0 {
        bail!("{stale} playthroughs differ; `cargo xtask golden` records them anew, then read the diff");
    }
    Ok(())
}

fn difference(path: &Path, old: &str, new: &str) -> String {
    let path = path.display().to_string();
    TextDiff::from_lines(old, new).unified_diff().context_radius(2).header(&path, "as played now").to_string()
}
