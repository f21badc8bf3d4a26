//! Writing to the terminal, or to a pipe or file in its place.
//!
//! Everything goes through here, because the print macros panic when a pipe is closed. Colours are removed where they
//! are not wanted: see `--color`, and the variables `NO_COLOR` and `CLICOLOR_FORCE`.

use std::fmt::{self, Display};
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::AutoStream;
use serde::Serialize;
use serde_json::Value;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt as log_format, registry};

use crate::failure::Failure;
use crate::json;

/// Standard output for text, coloured where that is wanted.
pub(crate) struct Output {
    stdout: AutoStream<io::Stdout>,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { stdout: AutoStream::auto(io::stdout()) }
    }

    /// Writes `text` as it is, at once.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn print(&mut self, text: impl Display) -> Result<(), Failure> {
        write!(self.stdout, "{text}").and_then(|()| self.stdout.flush()).map_err(Failure::output)
    }

    /// Writes a text or JSON and ends the line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn line(&mut self, line: impl Line) -> Result<(), Failure> {
        self.print(line.text() + "\n")
    }

    /// Writes JSON on a line, its keys in the order in which the type has them.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn json(&mut self, about: &impl Serialize) -> Result<(), Failure> {
        self.line(json::compact(about))
    }

    /// Writes JSON on many lines.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn pretty_json(&mut self, about: &impl Serialize) -> Result<(), Failure> {
        self.line(json::pretty(about))
    }
}

/// What can stand on a line. JSON is no other text here, since it is written by [`crate::json`].
pub(crate) trait Line {
    fn text(&self) -> String;
}

impl Line for Value {
    fn text(&self) -> String {
        json::compact(self)
    }
}

impl Line for String {
    fn text(&self) -> String {
        self.clone()
    }
}

impl Line for &String {
    fn text(&self) -> String {
        (*self).clone()
    }
}

impl Line for &str {
    fn text(&self) -> String {
        (*self).into()
    }
}

impl Line for fmt::Arguments<'_> {
    fn text(&self) -> String {
        self.to_string()
    }
}

/// Writes a line to standard error. An error there is ignored: there is nowhere to report it.
pub(crate) fn complain(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// That a file will be writable when there is something to write, so that a wrong name is known before the work is done.
/// What it holds stays, and a file that does not exist is not left behind.
///
/// # Errors
/// When it cannot be written; names the file.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    let opened = match path.metadata() {
        // A pipe is not opened: who reads from it would see it closed.
        Ok(about) if !about.is_file() && !about.is_dir() => return Ok(()),
        Ok(_) => options.write(true).open(path).map(drop),
        Err(_) => match options.write(true).create_new(true).open(path) {
            Ok(_) => fs::remove_file(path),
            // A link to what does not exist yet.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(why) => Err(why),
        },
    };
    opened.map_err(|why| Failure::file(path, "written", why))
}

/// Writes a file whole or not at all. What is no plain file, such as /dev/stdout, is written to as it is, and a link stays
/// one: what it leads to is replaced.
///
/// # Errors
/// When it cannot be written; names the file.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let write = || match fs::canonicalize(path) {
        Ok(file) if file.is_file() => replace(&file, bytes),
        Err(_) if !path.is_symlink() => replace(path, bytes),
        _ => fs::write(path, bytes),
    };
    write().map_err(|why| Failure::file(path, "written", why))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Asked first: an error would name the temporary file, not what is missing.
    fs::metadata(folder)?;
    let mut new = match readable(tempfile::Builder::new()).tempfile_in(folder) {
        // Where the folder takes no new file, one that is there can still be written to.
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied && path.is_file() => return fs::write(path, bytes),
        new => new.map_err(without_path)?,
    };
    if let Ok(there) = fs::metadata(path) {
        new.as_file().set_permissions(there.permissions())?;
    }
    new.as_file_mut().write_all(bytes)?;
    new.persist(path).map(drop).map_err(|why| why.error)
}

/// An error of a temporary file without its name, which says nothing to who named another file.
pub(crate) fn without_path(why: io::Error) -> io::Error {
    why.kind().into()
}

/// A file that others may read as any other file, rather than one for secrets.
fn readable(mut builder: tempfile::Builder<'static, 'static>) -> tempfile::Builder<'static, 'static> {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// Whether a person reads standard output as it is written.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// The columns to fill: the terminal's, up to what reads well, or 100 where there is no terminal.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    terminal.map_or(100, |width| width.clamp(40, 120))
}

/// Sends what the crates log to standard error: warnings, more with `-v`, or what `RAICHI_LOG` asks for.
pub(crate) fn log_to_stderr(verbose: u8) {
    let asked_for = std::env::var("RAICHI_LOG").ok().and_then(|filter| filter.parse().ok());
    start_log(asked_for.unwrap_or_else(|| usual_filter(verbose)), false);
}

/// Sends what the crates log to standard error, as JSON where that is wanted: what the filter asks for, else as
/// [`log_to_stderr`].
///
/// # Errors
/// When the filter is malformed.
pub(crate) fn log_as(json: bool, filter: Option<&str>, verbose: u8) -> Result<(), Failure> {
    let refused = |filter: &str, why: ParseError| {
        Failure::Usage(format!("log: `{filter}` is no filter ({why}); one is like info"))
    };
    let filter = match filter {
        None => usual_filter(verbose),
        Some(filter) => filter.parse().map_err(|why| refused(filter, why))?,
    };
    start_log(filter, json);
    Ok(())
}

fn usual_filter(verbose: u8) -> Targets {
    const LEVELS: [LevelFilter; 4] = [LevelFilter::WARN, LevelFilter::INFO, LevelFilter::DEBUG, LevelFilter::TRACE];
    Targets::new().with_default(LEVELS[usize::from(verbose.min(3))])
}

fn start_log(filter: Targets, json: bool) {
    // Where the log is a file on a full disk, saying so on standard error would panic.
    let log = log_format::layer().with_writer(io::stderr).log_internal_errors(false);
    if json {
        registry().with(log.json().flatten_event(true).with_filter(filter)).init();
    } else {
        let coloured = AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        registry().with(log.with_ansi(coloured).compact().with_filter(filter)).init();
    }
}
