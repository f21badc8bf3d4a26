//! Readers that go away and disks that are full: no panic, and the exit code says which of the two.
#![cfg(unix)]

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use crate::running::raichi;

const COMMANDS: [&[&str]; 14] = [
    &["games"],
    &["games", "--json"],
    &["rules", "tic-tac-toe"],
    &["replay", "tic-tac-toe", "b2"],
    &["encode", "tic-tac-toe", "b2"],
    &["perft", "tic-tac-toe", "3"],
    &["trace", "tic-tac-toe", "--games", "2000"],
    // One game, whose trace fits no memory.
    &["trace", "2048:size=8"],
    &["play", "tic-tac-toe", "--seat", "random", "--seat", "random"],
    &["balance", "tic-tac-toe", "--games", "2", "--agent", "random"],
    &["match", "random", "mcts:sims=1", "--game", "nim", "--games", "2"],
    &["tournament", "random", "mcts:sims=1", "--game", "nim", "--json"],
    &["completions", "bash"],
    &["--help"],
];

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for args in COMMANDS {
        let mut child =
            raichi(args).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        // One byte, then the pipe is closed, as by `head -c 1`.
        let mut stdout = child.stdout.take().unwrap();
        assert_eq!(stdout.read(&mut [0]).unwrap(), 1, "raichi {args:?}");
        drop(stdout);
        let done = child.wait_with_output().unwrap();
        let complaint = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), complaint.as_str()), (Some(0), ""), "raichi {args:?}");
    }
}

#[test]
fn nobody_need_read_the_complaint() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    for (args, code) in [(&["rules", "chess"][..], 2), (&["replay", "tic-tac-toe", "zz"], 3)] {
        let status = raichi(args).stderr(writer.try_clone().unwrap()).stdout(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "raichi {args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    for args in COMMANDS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let done = raichi(args).stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let complaint = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "raichi {args:?}: {complaint}");
        assert!(complaint.contains("cannot write to standard output: No space left"), "raichi {args:?}: {complaint}");
    }
}
