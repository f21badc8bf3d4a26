//! Why a command did not do what it was asked, and the exit code that tells scripts so.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use raichi_server::store::{StoreError, Unusable};

use crate::args::Cli;
use crate::output::complain;

/// Why a command stops. Each kind has its own exit code, listed in `raichi --help`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// It could not be done: a file, an address, a full disk.
    #[error("{0}")]
    Failed(String),
    /// What was asked for does not exist or does not go together.
    #[error("{0}")]
    Usage(String),
    /// A history, a position or a record breaks the rules of its game.
    #[error("{0}")]
    Refused(String),
    /// Raichi computed something that is known to be wrong.
    #[error("{0}")]
    WrongResult(String),
    /// The reader of the output has closed it, like `head`. Nothing is wrong.
    #[error("nobody reads the output any more")]
    ReaderGone,
}

impl Failure {
    /// Standard output does not take what is written to it.
    pub(crate) fn output(why: io::Error) -> Failure {
        match why.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Failed(format!("cannot write to standard output: {why}")),
        }
    }

    /// A file cannot be `read`, `written`, ….
    pub(crate) fn file(path: &Path, verb: &str, why: impl std::fmt::Display) -> Failure {
        Failure::Failed(format!("{} cannot be {verb}: {why}", path.display()))
    }

    /// A database cannot be used. One that is damaged is refused like any record that makes no sense.
    pub(crate) fn store(why: &StoreError) -> Failure {
        match why {
            StoreError::Unusable { why: unusable, .. } if matches!(**unusable, Unusable::Damaged(_)) => {
                Failure::Refused(why.to_string())
            }
            _ => Failure::Failed(why.to_string()),
        }
    }

    /// Says what is wrong on standard error; returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let code = match self {
            Failure::ReaderGone => return ExitCode::SUCCESS,
            Failure::Failed(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Refused(_) => 3,
            Failure::WrongResult(_) => 4,
        };
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        complain(format!("{red}error:{red:#} {self}"));
        ExitCode::from(code)
    }
}

/// Prints help, the version, or what is wrong with the arguments; returns the exit code.
pub(crate) fn usage(why: &clap::Error) -> ExitCode {
    if why.kind() == ErrorKind::ValueValidation {
        let mut text = in_plain_words(&why.render().ansi().to_string());
        if let Some(ContextValue::String(value)) = why.get(ContextKind::InvalidValue)
            && value.starts_with('-')
        {
            text = text.replace("a whole number is wanted", "a whole number is wanted, and no negative one");
        }
        complain(text.trim_end());
    } else {
        match why.print() {
            Err(why) if !why_is_pipe(&why) => return Failure::output(why).report(),
            _ => {}
        }
    }
    if let Some(variable) = variable_at_fault(why, &Cli::command(), std::env::args()) {
        complain(format!("The value comes from the environment variable {variable}."));
    }
    ExitCode::from(why.exit_code() as u8)
}

/// What the standard library says of a number it cannot read, said so that it names what is wanted.
fn in_plain_words(text: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("invalid digit found in string", "a whole number is wanted"),
        ("cannot parse integer from empty string", "a whole number is wanted"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "a number is wanted"),
    ];
    WORDS.iter().fold(text.into(), |text: String, (library, ours)| text.replace(library, ours))
}

/// The environment variable that gave the value that is wrong; `None` where the command line did.
fn variable_at_fault(why: &clap::Error, root: &Command, args: impl IntoIterator<Item = String>) -> Option<String> {
    let Some(ContextValue::String(shown)) = why.get(ContextKind::InvalidArg) else { return None };
    let flag = shown.split(' ').next()?;
    let arg = arg_by_flag(root, flag)?;
    let is_given = |text: &String| text == flag || text.starts_with(&format!("{flag}="));
    if args.into_iter().any(|text| is_given(&text)) {
        return None;
    }
    let variable = arg.get_env()?.to_str()?;
    std::env::var_os(variable).map(|_| variable.to_owned())
}

fn arg_by_flag<'a>(command: &'a Command, flag: &str) -> Option<&'a clap::Arg> {
    let is_it = |arg: &&clap::Arg| arg.get_long().is_some_and(|long| flag.strip_prefix("--") == Some(long));
    let here = command.get_arguments().find(|arg| is_it(arg) && arg.get_env().is_some());
    here.or_else(|| command.get_subcommands().find_map(|one| arg_by_flag(one, flag)))
}

fn why_is_pipe(why: &io::Error) -> bool {
    why.kind() == io::ErrorKind::BrokenPipe
}
