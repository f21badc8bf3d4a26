//! Load and faults for a server of this machine, on the loopback address only; `make soak` runs it.
//!
//! Each scenario starts servers of its own, as processes, with databases in a temporary folder. The harness stops by
//! itself, after about `SOAK_SECONDS` (300), and prints a table of figures. It exits with 1 where an acknowledged ply was
//! lost or something happened that must not; a slow machine is not a fault.
//!
//! `SOAK_CONNECTIONS` (2000) connections are made; `SOAK_ONLY` names the scenarios to run, separated by commas;
//! `RAICHI_BIN` is the command to test.
#![allow(missing_docs, reason = "a program")]

mod client;
mod disk;
mod faults;
mod load;
mod player;
mod report;
mod server;
mod unfair;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use report::Report;

/// Games of two seats without secrets, of which everybody sees all plies; the pictures of the first are large.
const GAMES: [&str; 3] = ["tablut", "hex", "othello"];
const SCENARIOS: [&str; 9] =
    ["spectators", "players", "kills", "power-cuts", "slow-disk", "full-disk", "no-disk", "engines", "crowd"];

/// What all scenarios share.
struct Harness {
    program: PathBuf,
    seconds: f64,
}

impl Harness {
    /// A folder that is removed in the end.
    fn folder(&self) -> Result<TempDir> {
        tempfile::Builder::new().prefix("raichi-soak-").tempdir().context("no temporary folder")
    }

    /// This share of the whole time.
    fn seconds(&self, share: f64) -> Duration {
        Duration::from_secs_f64(self.seconds * share)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            println!("{why:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let number = |name: &str, default: u32| match std::env::var(name) {
        Err(_) => Ok(default),
        Ok(text) => text.parse().with_context(|| format!("{name} is a number, not `{text}`")),
    };
    let (seconds, n) = (number("SOAK_SECONDS", 300)?, number("SOAK_CONNECTIONS", 2000)? as usize);
    let only = std::env::var("SOAK_ONLY").unwrap_or_else(|_| SCENARIOS.join(","));
    for name in only.split(',') {
        ensure!(SCENARIOS.contains(&name), "SOAK_ONLY: `{name}` is none of {}", SCENARIOS.join(", "));
    }
    let program = std::env::var_os("RAICHI_BIN").context("RAICHI_BIN names the command to test")?.into();
    let harness = Harness { program, seconds: seconds.into() };
    // Each connection is an open file here too.
    let allowed = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(0);
    if allowed < n as u64 + 200 {
        bail!("{n} connections need {} open files, and the system allows {allowed} (ulimit -Hn)", n + 200);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut report = Report::default();
    for name in SCENARIOS.into_iter().filter(|name| only.split(',').any(|wanted| wanted == *name)) {
        println!("-- {name}");
        let done = runtime.block_on(async {
            match name {
                "spectators" => load::spectators(&harness, n, &mut report).await,
                "players" => load::players(&harness, n, &mut report).await,
                "kills" => faults::kills(&harness, &mut report).await,
                "power-cuts" => faults::power_cuts(&harness, &mut report).await,
                "slow-disk" => faults::slow_disk(&harness, &mut report).await,
                "no-disk" => faults::no_disk(&harness, &mut report).await,
                "full-disk" => faults::full_disk(&harness, &mut report).await,
                "engines" => unfair::engines(&harness, &mut report).await,
                _ => unfair::crowd(&harness, &mut report).await,
            }
        });
        if let Err(why) = done {
            report.fault(name, format!("{why:#}"));
        }
    }
    Ok(report.print())
}
