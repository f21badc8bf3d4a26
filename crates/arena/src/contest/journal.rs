//! The file in which a contest's records are kept: one line of JSON for each game, in the order of the games' numbers.
//!
//! The file is the progress: what stands there is not played again. Every line is compared with the game that the
//! contest plans at its place, and replayed; another contest's file is refused and left as it is. A last line that was cut
//! off by a kill is removed. Beside it, in a file of the same name and `.costs`, is what the decisions of each game cost:
//! times are not the same in another run, and records are. Without that file nothing but the costs is missing.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use raichi_core::notation::shortened_to;
use raichi_core::record::Record;
use serde::{Deserialize, Serialize};

use super::{Contest, Cost, Outcome, Planned};

/// The records of a contest in a file, or nowhere.
#[derive(Debug, Default)]
pub struct Journal {
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    path: PathBuf,
    /// What is still to be read; `None` once all was.
    unread: Option<BufReader<File>>,
    file: File,
    /// Of the lines read so far.
    n_lines: usize,
    n_bytes: u64,
    costs: HashMap<u64, Vec<Cost>>,
    costs_file: Option<File>,
}

/// Why records cannot be kept in a file, or what is there cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system does not allow it.
    #[error("{} cannot be {verb}: {why}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        verb: &'static str,
        /// What the system says.
        why: io::Error,
    },
    /// Somebody else has it.
    #[error("{} is being written by another contest", path.display())]
    Busy {
        /// Which file.
        path: PathBuf,
    },
    /// It holds something else.
    #[error("{}, line {line}: {why}. The file is not this command's: name another, or remove it", path.display())]
    Other {
        /// Which file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// How one can tell.
        why: String,
    },
}

#[derive(Serialize, Deserialize)]
struct CostLine {
    game: u64,
    seats: Vec<Cost>,
}

/// How each begins as JSON.
const COST_LINE: &str = "{\"game\"";

impl Journal {
    /// Keeps nothing.
    pub fn none() -> Journal {
        Journal::default()
    }

    /// Keeps the records in this file, which may have some already.
    ///
    /// # Errors
    /// When the file cannot be used, or another process uses it.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let failed = |verb| move |why| JournalError::File { path: path.into(), verb, why };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(failed("opened"))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::Busy { path: path.into() });
        }
        let is_file = file.metadata().map_err(failed("read"))?.is_file();
        let unread = match is_file {
            true => Some(BufReader::new(file.try_clone().map_err(failed("read"))?)),
            // A device, such as the one that takes everything, has nothing to go on with.
            false => None,
        };
        let is_empty = is_file && file.metadata().map_err(failed("read"))?.len() == 0;
        let (costs, costs_file) = if is_file { open_costs(&costs_path(path), is_empty)? } else { Default::default() };
        let kept = Kept { path: path.into(), unread, file, n_lines: 0, n_bytes: 0, costs, costs_file };
        Ok(Journal { kept: Some(kept) })
    }

    /// The result of a planned game, where its record stands next in the file.
    ///
    /// # Errors
    /// When another record, or anything else, stands there.
    pub(super) fn recorded(
        &mut self,
        contest: &Contest,
        planned: &Planned,
    ) -> Result<Option<(Outcome, Record)>, JournalError> {
        match &mut self.kept {
            Some(kept) => kept.next(contest, planned),
            None => Ok(None),
        }
    }

    /// Adds a record behind the others.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn add(&mut self, outcome: &Outcome, record: &Record) -> Result<(), JournalError> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        // In one piece: a kill between two pieces would leave half a line more often.
        let failed = |path: PathBuf| move |why| JournalError::File { path, verb: "written", why };
        // First what it cost: of a game whose record is missing after a kill between the two, it is told again.
        if let (Some(file), Some(costs)) = (&mut kept.costs_file, &outcome.costs) {
            let line = CostLine { game: outcome.planned.number, seats: costs.clone() };
            let line = serde_json::to_string(&line).expect("costs are finite numbers") + "\n";
            file.write_all(line.as_bytes()).map_err(failed(costs_path(&kept.path)))?;
        }
        kept.file.write_all((record.to_line() + "\n").as_bytes()).map_err(failed(kept.path.clone()))
    }

    /// That nothing is left in the file when the contest is over.
    ///
    /// # Errors
    /// When there is.
    pub(super) fn finish(&mut self) -> Result<(), JournalError> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        if kept.read_line()?.is_none() {
            return Ok(());
        }
        let why = format!("there is more than this command's {} games", kept.n_lines - 1);
        Err(kept.other(why))
    }
}

impl Kept {
    fn next(&mut self, contest: &Contest, planned: &Planned) -> Result<Option<(Outcome, Record)>, JournalError> {
        let begin = self.n_bytes;
        let Some(line) = self.read_line()? else { return Ok(None) };
        let expected = contest.blank_record(planned);
        if !line.ends_with('\n') {
            self.drop_torn_line(&line, &expected, begin)?;
            return Ok(None);
        }
        let record = Record::from_line(line.trim_end(), self.n_lines).map_err(|why| self.other(why.to_string()))?;
        check(contest, planned, &expected, &record).map_err(|why| self.other(why))?;
        let costs = self.costs.remove(&planned.number).filter(|costs| costs.len() == planned.seats.len());
        let outcome = Outcome::of(planned.clone(), &record, costs).expect("it was checked to have a result");
        Ok(Some((outcome, record)))
    }

    fn read_line(&mut self) -> Result<Option<String>, JournalError> {
        let Some(unread) = &mut self.unread else { return Ok(None) };
        let mut line = Vec::new();
        let failed = |why| JournalError::File { path: self.path.clone(), verb: "read", why };
        let n_bytes = unread.read_until(b'\n', &mut line).map_err(failed)?;
        if n_bytes == 0 {
            self.unread = None;
            // The reader shares the place in the file with the writer.
            self.file.seek(SeekFrom::End(0)).map_err(failed)?;
            return Ok(None);
        }
        self.n_lines += 1;
        self.n_bytes += n_bytes as u64;
        String::from_utf8(line).map(Some).map_err(|_| self.other("this is no text (UTF-8)".into()))
    }

    // A kill while the line was written: it begins as the planned game's does, and is not whole.
    fn drop_torn_line(&mut self, line: &str, expected: &Record, begin: u64) -> Result<(), JournalError> {
        let whole = expected.to_line();
        let plies = whole.find("\"plies\":[").unwrap_or(whole.len());
        let beginning = &whole[..plies];
        if !(line.starts_with(beginning) || beginning.starts_with(line)) {
            return Err(self.other(format!("`{}` is no record", shortened_to(80, line))));
        }
        let failed = |why| JournalError::File { path: self.path.clone(), verb: "written", why };
        self.unread = None;
        self.file.set_len(begin).map_err(failed)?;
        self.file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        Ok(())
    }

    fn other(&self, why: String) -> JournalError {
        JournalError::Other { path: self.path.clone(), line: self.n_lines, why }
    }
}

// That a record is the planned game's and that the rules lead to its result.
pub(super) fn check(contest: &Contest, planned: &Planned, expected: &Record, record: &Record) -> Result<(), String> {
    let place = planned.number + 1;
    let differs = |what: &str, found: &str, needed: &str| {
        let (found, needed) = (shortened_to(200, found), shortened_to(200, needed));
        Err(format!("the record has {what} {found}, and game {place} of this command has {needed}"))
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
    if record.game != expected.game {
        return differs("the game", &record.game, &expected.game);
    }
    if record.seats != expected.seats {
        return differs("the seats", &record.seats.join(", "), &expected.seats.join(", "));
    }
    if let (Some(found), Some(needed)) = (record.levels, expected.levels)
        && found != needed
    {
        return differs("version", &format!("{found} of the levels"), &needed.to_string());
    }
    if record.seed != expected.seed {
        return differs("the seed", &text(&record.seed), &text(&expected.seed));
    }
    if record.position != expected.position || !record.plies.starts_with(&expected.plies) {
        let opening = |record: &Record, n: usize| {
            let plies = record.plies.iter().take(n).map(|ply| ply.text.as_str()).collect::<Vec<_>>().join(" ");
            format!("{} {plies}", record.position.as_deref().unwrap_or_default()).trim().to_string()
        };
        let n = expected.plies.len();
        return differs("the opening", &opening(record, n), &opening(expected, n));
    }
    let current = record.replay(contest.games[planned.game].as_ref()).map_err(|why| why.to_string())?;
    let Some(result) = &record.result else { return Err("the record has no result".into()) };
    if current.payoffs().as_slice() != result.payoffs || current.end_reason() != Some(&result.end) {
        return Err("the record's result is not the one that its plies lead to".into());
    }
    Ok(())
}

fn costs_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".costs");
    name.into()
}

/// What the decisions of each game cost, and the file to add more to.
type Costs = (HashMap<u64, Vec<Cost>>, Option<File>);

fn open_costs(path: &Path, anew: bool) -> Result<Costs, JournalError> {
    let failed = |verb| move |why| JournalError::File { path: path.into(), verb, why };
    let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed("opened"))?;
    let mut costs = HashMap::new();
    for (i, line) in BufReader::new(&file).lines().enumerate() {
        let line = line.map_err(failed("read"))?;
        match serde_json::from_str::<CostLine>(&line) {
            // Of a game that was played again after a kill the later line counts.
            Ok(line) => drop(costs.insert(line.game, line.seats)),
            // Cut off by a kill.
            Err(_) if i > 0 || line.starts_with(COST_LINE) || COST_LINE.starts_with(&line) => {}
            Err(_) => {
                let why = "the costs of a contest's decisions were to be kept here, and this is something else".into();
                return Err(JournalError::Other { path: path.into(), line: 1, why });
            }
        }
    }
    if anew {
        file.set_len(0).map_err(failed("written"))?;
        costs.clear();
    } else {
        end_line(&file).map_err(failed("written"))?;
    }
    Ok((costs, Some(file)))
}

// What is added begins a line of its own, behind one that was cut off.
fn end_line(mut file: &File) -> io::Result<()> {
    use std::io::Read;
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(());
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}
