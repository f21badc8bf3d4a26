//! Writing to the terminal, or to a pipe or file in its place.
//!
//! Everything goes through here, because the print macros panic when a pipe is closed. Colours are removed where they
//! are not wanted: see `--color`, and the variables `NO_COLOR` and `CLICOLOR_FORCE`.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::AutoStream;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::failure::Failure;

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

    /// Writes `text` and ends the line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        self.print(format_args!("{text}\n"))
    }
}

/// Writes a line to standard error. An error there is ignored: there is nowhere to report it.
pub(crate) fn complain(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Writes a file whole or not at all.
///
/// # Errors
/// When it cannot be written; names the file.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // What is no plain file, such as /dev/stdout, is written to as it is.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes).map_err(|why| Failure::file(path, "written", why));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        // Asked first: an error would name the temporary file, not what is missing.
        std::fs::metadata(folder)?;
        let mut new = readable(tempfile::Builder::new()).tempfile_in(folder)?;
        new.write_all(bytes)?;
        new.persist(path).map_err(|why| why.error)
    };
    write().map(|_| ()).map_err(|why: io::Error| Failure::file(path, "written", why))
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
    let log = fmt::layer().with_writer(io::stderr).log_internal_errors(false);
    if json {
        registry().with(log.json().flatten_event(true).with_filter(filter)).init();
    } else {
        let coloured = AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        registry().with(log.with_ansi(coloured).compact().with_filter(filter)).init();
    }
}
