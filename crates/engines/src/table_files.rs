//! Tables of numbered positions in a folder: read where they lie there, else made, with checkpoints on the way.
//!
//! A table is `NAME.table`, what is not finished `NAME.checkpoint`; both are there whole or not at all. A checkpoint is kept
//! at most once a minute, and when the work ends early.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use raichi_machine::Map;
use raichi_solve::numbered::{Analysis, Beyond, Content, Numbered, Refused, Table};
use raichi_solve::{Folder, Unsolved, Work};

use crate::whole_file;

/// What follows the dot in the names of files.
const TABLE: &str = "table";
const CHECKPOINT: &str = "checkpoint";
/// How long the work goes on between two checkpoints.
const BETWEEN: Duration = Duration::from_secs(60);
/// Work on fewer numbers takes a few seconds, and is not written down before it is done.
const WORTH_KEEPING: u64 = 1 << 20;

/// The table of `set` in the folder, checked for damage; `None` where there is no such file.
pub(crate) fn read<N: Numbered>(set: &N, folder: &Path, name: &str) -> Option<Result<Table, Refused>> {
    Some(Table::read(set, content(&path(folder, name, TABLE))?))
}

fn content(path: &Path) -> Option<Content> {
    let file = File::open(path).ok()?;
    // What the system cannot map is read.
    let content = Map::of(&file).map(Content::Mapped).or_else(|_| fs::read(path).map(Content::Memory));
    content.ok()
}

/// Begins the work on `set`, or goes on with it where it was left in the folder.
pub(crate) fn begin<N: Numbered>(set: &N, folder: Option<&Path>, name: &str) -> Analysis {
    let checkpoint = folder.and_then(|folder| content(&path(folder, name, CHECKPOINT)));
    // One that is damaged, or of another version, is as good as none.
    checkpoint.and_then(|file| Analysis::read(set, &file).ok()).unwrap_or_else(|| Analysis::new(set))
}

fn path(folder: &Path, name: &str, what: &str) -> PathBuf {
    folder.join(format!("{name}.{what}"))
}

/// Goes on with the work until it is done.
///
/// # Errors
/// When the work ends before, after which it may go on another time; and as [`Analysis::advance`].
pub(crate) fn finish<N: Numbered>(
    set: &N,
    analysis: &mut Analysis,
    beyond: &Beyond<'_, N>,
    work: &Work<'_>,
    name: &str,
) -> Result<(), Unsolved> {
    let mut folder = work.folder.filter(|_| set.n_numbers() >= WORTH_KEEPING);
    let mut keep = |analysis: &Analysis| {
        let is_kept = |folder| whole_file::keep(folder, name, CHECKPOINT, &|file| analysis.write(set, file));
        // Where one cannot be kept it is said once, and no other is tried.
        folder = folder.filter(|&folder| is_kept(folder));
    };
    loop {
        let advanced = analysis.advance(set, beyond, work, Some(work.host.now() + BETWEEN));
        match advanced {
            Ok(true) => return Ok(()),
            // A host whose clock stands still never pauses.
            Ok(false) | Err(Unsolved::OutOfTime) => keep(analysis),
            Err(_) => {}
        }
        advanced?;
    }
}

/// Keeps a finished table in the folder, and gives back the one that is read from there; the same where it cannot be kept.
pub(crate) fn keep<N: Numbered>(set: &N, table: Table, folder: Option<Folder<'_>>, name: &str) -> Table {
    let Some(folder) = folder.filter(|&folder| whole_file::keep(folder, name, TABLE, &|file| table.write(file))) else {
        return table;
    };
    let _ = fs::remove_file(path(folder.path, name, CHECKPOINT));
    read(set, folder.path, name).and_then(Result::ok).unwrap_or(table)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use raichi_core::host::{CancelFlag, Host};

    use super::*;
    use crate::endings::Ending;
    use crate::focus::endings::Pieces;
    use crate::own_folder::OwnFolder;
    use crate::solved::patient;
    use crate::tablut::endings::Men;

    fn set(king_range: u8) -> Men {
        Men::of((king_range, 1, 0)).expect("one man is numbered")
    }

    fn made(king_range: u8) -> Table {
        let mut analysis = begin(&set(king_range), None, "none");
        finish(&set(king_range), &mut analysis, &|_| None, &patient(), "none").unwrap();
        analysis.into_table(&set(king_range)).unwrap()
    }

    #[test]
    fn what_is_kept_reads_back_and_what_is_damaged_or_of_other_rules_does_not() {
        let folder = OwnFolder::new("kept");
        assert!(read(&set(8), &folder.0, "test").is_none());
        let kept = keep(&set(8), made(8), Some(folder.kept()), "test");
        assert_eq!(kept.bytes(), 0, "it is read from the file");
        let table = made(8);
        assert!((0..table.n_numbers()).all(|number| kept.value(number) == table.value(number)));
        // Of a king of another range.
        let why = read(&set(4), &folder.0, "test").unwrap().unwrap_err().to_string();
        assert!(why.contains("king-range=8") && why.contains("king-range=4") && why.ends_with("is wanted"), "{why}");
        // Written anew, never changed in place: the file is mapped.
        let path = folder.0.join("test.table");
        let whole = fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            whole_file::write(&folder.0, "test.table", &|file| file.write_all(bytes)).unwrap();
            read(&set(8), &folder.0, "test").unwrap().unwrap_err().to_string()
        };
        let mut flipped = whole.clone();
        flipped[whole.len() - 100] ^= 1;
        assert_eq!(refused(&flipped), "the file is damaged: its checksum is not that of what it holds");
        assert!(refused(&whole[..1000]).ends_with("it was cut off, or something was added"));
        assert_eq!(refused(&[b'x'; 1000]), "the file is no table of positions");
    }

    #[test]
    fn work_goes_on_from_its_checkpoint() {
        let folder = OwnFolder::new("checkpoint");
        let mut n_processes = 0;
        let table = loop {
            n_processes += 1;
            // One stage a process.
            let cancel = CancelFlag::default();
            cancel.cancel();
            let mut analysis = begin(&set(8), Some(&folder.0), "test");
            match finish(&set(8), &mut analysis, &|_| None, &Work { cancel: &cancel, ..patient() }, "test") {
                Ok(()) => break analysis.into_table(&set(8)).unwrap(),
                Err(why) => assert_eq!(why, Unsolved::OutOfTime),
            }
            whole_file::keep(folder.kept(), "test", CHECKPOINT, &|file| analysis.write(&set(8), file));
        };
        assert!(n_processes > 5, "{n_processes}");
        let bytes = |table: &Table| {
            let mut bytes = Vec::new();
            table.write(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(bytes(&table), bytes(&made(8)));
        keep(&set(8), table, Some(folder.kept()), "test");
        assert!(!folder.0.join("test.checkpoint").exists(), "it is of no more use");
    }

    #[test]
    fn what_cannot_be_kept_is_said_and_known_all_the_same() {
        let folder = OwnFolder::new("not-kept");
        folder.block("test.table");
        let (table, not_kept) = folder.with(|folder| keep(&set(8), made(8), Some(folder), "test"));
        let said = format!("the table test cannot be kept in {}: ", folder.0.display());
        assert!(not_kept.len() == 1 && not_kept[0].starts_with(&said), "{not_kept:?}");
        assert_eq!(table.n_numbers(), made(8).n_numbers());
        let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left, ["test.table"], "nothing half written is left");
    }

    /// A clock that goes on by a minute whenever it is looked at, so that the work pauses again and again.
    #[derive(Default)]
    struct Minutes(AtomicU64);

    impl Host for Minutes {
        fn now(&self) -> Duration {
            BETWEEN * self.0.fetch_add(1, Ordering::Relaxed) as u32
        }

        fn run(&self, jobs: &mut [&mut (dyn FnMut() + Send)]) {
            jobs.iter_mut().for_each(|job| job());
        }
    }

    #[test]
    fn that_checkpoints_cannot_be_kept_is_said_once() {
        // Nothing is captured with so few pieces, so that no other table is needed.
        let sets = [[2, 1], [2, 2], [3, 2]].map(|totals| Pieces::of((false, totals)).expect("few pieces are numbered"));
        let large = sets.into_iter().find(|set| set.n_numbers() >= WORTH_KEEPING).expect("some set is large");
        let folder = OwnFolder::new("checkpoints");
        folder.block("test.checkpoint");
        let minutes = Minutes::default();
        let (ended, not_kept) = folder.with(|folder| {
            let (folder, deadline) = (Some(folder), Some(20 * BETWEEN));
            let work = Work { deadline, host: &minutes, folder, ..patient() };
            finish(&large, &mut Analysis::new(&large), &|_| None, &work, "test")
        });
        assert_eq!(ended, Err(Unsolved::OutOfTime));
        assert!(not_kept.len() == 1 && not_kept[0].starts_with("the checkpoint test cannot be kept"), "{not_kept:?}");
    }
}
