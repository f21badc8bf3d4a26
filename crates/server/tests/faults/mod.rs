//! A disk for a program that runs as a process of its own: it can be slow, full or broken, and lose what was not synced.
//! `faults.c` says how; it is compiled here with the system's C compiler.
#![allow(dead_code, unreachable_pub)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The library that is put between a program and its disk.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/faults.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(["-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o"]).arg(&library).args([source, "-ldl"]);
        assert!(cc.status().expect("there is a C compiler").success());
        library
    })
}

/// A disk of its own, gone with this value.
pub struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    pub fn new() -> Disk {
        let folder = tempfile::tempdir().unwrap();
        for name in ["disk", "synced"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Disk { folder }
    }

    /// A file on it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("disk").join(name)
    }

    /// Lets a program see the disk so.
    pub fn under<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("LD_PRELOAD", library()).env("RAICHI_FAULTS", self.folder.path())
    }

    /// Each sync takes so much longer.
    pub fn sync_takes(&self, ms: u64) {
        fs::write(self.folder.path().join("sync-ms"), ms.to_string()).unwrap();
    }

    /// `full`: no file gets longer. `broken`: no sync succeeds.
    pub fn set(&self, fault: &str, on: bool) {
        let file = self.folder.path().join(fault);
        if on { fs::write(file, "").unwrap() } else { fs::remove_file(file).unwrap() }
    }

    /// What is on the disk after a power cut, in a folder of its own. The program has been killed. Of what was written and
    /// not synced `survives` says whether it came to the disk, sector by sector.
    pub fn after_power_cut(&self, mut survives: impl FnMut() -> bool) -> tempfile::TempDir {
        const SECTOR: usize = 512;
        let after = tempfile::tempdir().unwrap();
        let names = fs::read_to_string(self.folder.path().join("synced/names")).expect("the folder was synced");
        for line in names.lines() {
            let (inode, name) = line.split_once(' ').unwrap();
            let mut content = fs::read(self.folder.path().join("synced").join(inode)).unwrap_or_default();
            let written = fs::read(self.file(name)).unwrap_or_default();
            for (i, sector) in written.chunks(SECTOR).enumerate() {
                let at = i * SECTOR;
                let synced = content.get(at..(at + sector.len()).min(content.len()));
                if synced == Some(sector) || !survives() {
                    continue;
                }
                content.resize(content.len().max(at + sector.len()), 0);
                content[at..at + sector.len()].copy_from_slice(sector);
            }
            fs::write(after.path().join(name), content).unwrap();
        }
        after
    }
}
