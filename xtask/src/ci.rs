//! `cargo xtask ci`: everything that continuous integration checks on the Rust side, in the order of what is cheap. That the
//! repository is tidy and its golden records are current are tests of this crate.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

const STEPS: [(&str, &[&str]); 5] = [
    ("format", &["fmt", "--all", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ("tests", &["test", "--workspace", "--tests"]),
    ("examples in the documentation", &["test", "--workspace", "--doc"]),
    ("documentation", &["doc", "--workspace", "--no-deps", "--quiet"]),
];

pub(crate) fn run(root: &Path) -> Result<()> {
    let mut failed = Vec::new();
    for (name, arguments) in STEPS {
        if !step(name, || cargo(root, arguments))? {
            failed.push(name);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

fn step(name: &str, check: impl FnOnce() -> Result<bool>) -> Result<bool> {
    println!("── {name}");
    let clock = Instant::now();
    let passed = check()?;
    println!("── {name}: {} after {:.0?}", if passed { "passed" } else { "FAILED" }, clock.elapsed());
    Ok(passed)
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(arguments).env("RUSTDOCFLAGS", "-D warnings");
    Ok(command.status().context("cargo does not start")?.success())
}
