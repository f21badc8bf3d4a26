//! `--file`: a history or position a line in, a JSON object a line out, in the order given, with all cores.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};

use raichi_core::score_sheet::{self, SheetError};
use raichi_core::{AnyGame, AnyMatch};
use serde_json::{Value, json};

use crate::args::Start;
use crate::failure::Failure;
use crate::output::Output;

/// Where many histories or positions come from.
#[derive(clap::Args)]
pub(crate) struct Lines {
    /// Read many, a history or a position a line, from a file or, with `-`, from standard input; write one JSON object a line
    /// for each, in the same order, with all cores. A line that is refused gives an object with `error`.
    #[arg(long, value_name = "FILE", conflicts_with = "history")]
    pub(crate) file: Option<PathBuf>,
}

/// The match that a line describes: a history from `start`, or else a position where `start` names none.
pub(crate) fn match_of(game: &dyn AnyGame, start: &Start, line: &str) -> Result<Box<dyn AnyMatch>, String> {
    let mut current = start.open(game).map_err(|why| why.to_string())?;
    let Err(no_history) = score_sheet::play(&mut *current, line) else { return Ok(current) };
    // Where plies were understood it is a history.
    let nothing_understood = matches!(&no_history, SheetError::Ply(why) if why.ply == 0);
    if !nothing_understood || start.position.is_some() {
        return Err(no_history.to_string());
    }
    game.match_at(line).map_err(|no_position| format!("no history ({no_history}) and no position ({no_position})"))
}

/// Writes what `answer` says to each line of `file`. `n_workers` lines are worked on at a time, and what is known of one is
/// written when those before it are.
///
/// # Errors
/// When the file cannot be read or the output not be written.
pub(crate) fn answer_all(
    file: &Path,
    n_workers: usize,
    answer: impl Fn(&str) -> Result<Value, String> + Sync,
) -> Result<(), Failure> {
    let cannot_be_read = |why: io::Error| Failure::file(file, "read", why);
    let lines: Box<dyn BufRead + Send> = match file.to_str() {
        Some("-") => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(File::open(file).map_err(cannot_be_read)?)),
    };
    // Few at a time, so that a long file is not held in memory.
    let (give, taken) = mpsc::sync_channel::<(usize, Vec<u8>)>(4 * n_workers);
    let taken = Mutex::new(taken);
    let (found, answers) = mpsc::sync_channel::<(usize, Value)>(4 * n_workers);
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || write_in_order(&answers));
        for _ in 0..n_workers {
            let (found, taken, answer) = (found.clone(), &taken, &answer);
            scope.spawn(move || {
                let next = || taken.lock().expect("no worker panics with the lock").recv();
                while let Ok((number, line)) = next() {
                    let answer = text_of(line, number).and_then(|line| answer(&line));
                    let answer = answer.unwrap_or_else(|why| json!({"error": why}));
                    if found.send((number, answer)).is_err() {
                        // Nobody reads any more: what was given already is thrown away, so that the giver does not wait.
                        while next().is_ok() {}
                    }
                }
            });
        }
        drop(found);
        let mut read = Ok(());
        for (number, line) in lines.split(b'\n').enumerate() {
            if writer.is_finished() {
                // The reader of the output has gone.
                break;
            }
            match line {
                Ok(line) => give.send((number, line)).expect("the channel outlives this loop"),
                Err(why) => {
                    read = Err(cannot_be_read(why));
                    break;
                }
            }
        }
        drop(give);
        let written = writer.join().expect("writing does not panic");
        written.and(read)
    })
}

/// The line with this number without what ends it, and the first one without the mark that some programs write before UTF-8.
///
/// # Errors
/// A sentence, when it is no text.
fn text_of(line: Vec<u8>, number: usize) -> Result<String, String> {
    let mut line = String::from_utf8(line).map_err(|why| format!("the line is no text: {why}"))?;
    if line.ends_with('\r') {
        line.pop();
    }
    Ok(if number == 0 { without_mark(&line).into() } else { line })
}

/// A file's text without the mark (U+FEFF) that some programs write before UTF-8.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn write_in_order(answers: &mpsc::Receiver<(usize, Value)>) -> Result<(), Failure> {
    let mut out = Output::new();
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (number, answer) in answers {
        waiting.insert(number, answer);
        while let Some(answer) = waiting.remove(&next) {
            out.line(answer)?;
            next += 1;
        }
    }
    Ok(())
}

/// How many threads this machine runs at once.
pub(crate) fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
