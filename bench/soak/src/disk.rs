//! A disk for one server: slow, full or losing what was not synced, by the library that `faults.c` beside the server's tests
//! describes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::server::Setup;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/server/tests/faults/faults.c");
/// What a disk writes as a whole.
const SECTOR: usize = 512;

/// A disk, gone with this value.
pub(crate) struct Disk {
    folder: TempDir,
}

impl Disk {
    pub(crate) fn new(folder: TempDir) -> Result<Disk> {
        for name in ["disk", "synced"] {
            fs::create_dir(folder.path().join(name))?;
        }
        let disk = Disk { folder };
        let compile = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(disk.path("faults.so"))
            .args([SOURCE, "-ldl"])
            .status();
        ensure!(compile.context("there is no C compiler `cc`")?.success(), "{SOURCE} cannot be compiled");
        Ok(disk)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where a database on it belongs.
    pub(crate) fn database(&self) -> PathBuf {
        self.path("disk").join("tables.sqlite")
    }

    /// A server whose disk it is.
    pub(crate) fn under(&self, mut setup: Setup) -> Setup {
        setup.variables.push(("LD_PRELOAD".into(), self.path("faults.so").display().to_string()));
        setup.variables.push(("RAICHI_FAULTS".into(), self.folder.path().display().to_string()));
        setup
    }

    /// Each sync takes so much longer.
    pub(crate) fn sync_takes(&self, ms: u64) -> Result<()> {
        Ok(fs::write(self.path("sync-ms"), ms.to_string())?)
    }

    /// No file gets longer from now on, or all may again.
    pub(crate) fn set_full(&self, is_full: bool) -> Result<()> {
        let file = self.path("full");
        let set = if is_full { fs::write(file, "") } else { fs::remove_file(file) };
        Ok(set?)
    }

    /// The power is cut: what was not synced is lost, or some sectors of it. The server has been killed.
    pub(crate) fn cut_power(&self) -> Result<()> {
        let names =
            fs::read_to_string(self.path("synced/names")).context("the folder of the database was never synced")?;
        let mut left = Vec::new();
        for line in names.lines() {
            let (inode, name) = line.split_once(' ').context("a line of `names` without a blank")?;
            let synced = fs::read(self.path("synced").join(inode)).unwrap_or_default();
            let written = fs::read(self.path("disk").join(name)).unwrap_or_default();
            left.push((name, with_some_sectors(synced, &written)));
        }
        // The files are new ones, and on this disk nothing was synced yet but they.
        for folder in ["disk", "synced"] {
            fs::remove_dir_all(self.path(folder))?;
            fs::create_dir(self.path(folder))?;
        }
        let mut names = String::new();
        for (name, content) in left {
            let file = self.path("disk").join(name);
            fs::write(&file, &content)?;
            let inode = inode(&file)?;
            fs::write(self.path("synced").join(inode.to_string()), content)?;
            names += &format!("{inode} {name}\n");
        }
        Ok(fs::write(self.path("synced/names"), names)?)
    }
}

fn inode(file: &Path) -> Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(file)?.ino())
}

/// What was synced, and of what was written since then each sector with an even chance.
fn with_some_sectors(mut synced: Vec<u8>, written: &[u8]) -> Vec<u8> {
    for (nth, sector) in written.chunks(SECTOR).enumerate() {
        let at = nth * SECTOR;
        let known = synced.get(at..(at + sector.len()).min(synced.len()));
        if known != Some(sector) && rand::random::<bool>() {
            synced.resize(synced.len().max(at + sector.len()), 0);
            synced[at..at + sector.len()].copy_from_slice(sector);
        }
    }
    synced
}
