//! Running the real binary.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run of the command came to.
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// The command, not yet run, without colours and with nothing of the caller's environment that changes it.
pub(crate) fn raichi(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raichi"));
    command
        .args(args)
        .env_remove("RAICHI_LOG")
        .env_remove("RAICHI_AGENTS_DIR")
        .env_remove("RAICHI_TABLES")
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1");
    command
}

/// Runs it with nothing to read.
pub(crate) fn run(args: &[&str]) -> Run {
    run_with(args, "")
}

/// Runs it with `input` to read.
pub(crate) fn run_with(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut command = raichi(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.as_ref().to_vec();
    // From its own thread: the command may write much before it reads, and need not read it all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("writing does not panic");
    Run {
        code: output.status.code().expect("the binary ends by itself"),
        out: String::from_utf8(output.stdout).expect("output is text"),
        err: String::from_utf8(output.stderr).expect("errors are text"),
    }
}

/// Runs it and expects it to succeed in silence; returns its output.
#[track_caller]
pub(crate) fn output(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "raichi {args:?}");
    run.out
}

/// Runs it and expects this exit code and these words on standard error, and neither panic nor backtrace.
#[track_caller]
pub(crate) fn refused(args: &[&str], code: i32, says: &[&str]) {
    let run = run(args);
    assert_eq!(run.code, code, "raichi {args:?}: {}", run.err);
    assert!(run.err.starts_with("error: "), "raichi {args:?}: {}", run.err);
    assert!(!run.err.contains("panicked"), "raichi {args:?}: {}", run.err);
    for word in says {
        assert!(run.err.contains(word), "raichi {args:?} does not say `{word}`: {}", run.err);
    }
}
