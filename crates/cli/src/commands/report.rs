//! `raichi report RUN…`: training runs as one page.

use std::path::{Path, PathBuf};

use raichi_agents::trained::{CurvePoint, Manifest, store};
use raichi_arena::report::training::{ReportedRun, html};

use crate::failure::Failure;
use crate::output::{Output, write_whole};
use crate::trained::failure;

/// Draw training runs as one HTML page: their curves, and mean and spread of runs that differ in their seed only.
///
/// A run is a trained agent's name, its file, or the JSON lines that `raichi train --json` wrote.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi report four four-2 four-3 --html four.html
  raichi report curve.jsonl > curve.html")]
pub(crate) struct Args {
    /// The runs.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,

    /// Write the page to this file; to standard output where not given.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut runs = Vec::new();
    for run in &args.runs {
        runs.extend(read(run)?);
    }
    let page = html(&runs);
    match &args.html {
        None => Output::new().print(page),
        Some(path) => write_whole(path, page.as_bytes()),
    }
}

fn read(run: &str) -> Result<Vec<ReportedRun>, Failure> {
    let path = Path::new(run);
    let is_kept = store::check_name(run).is_ok() && store::list().iter().any(|place| place.name == run);
    if is_kept || !path.is_file() {
        let manifest = store::manifest(run).map_err(failure)?;
        return Ok(vec![ReportedRun { name: run.into(), manifest }]);
    }
    let bytes = std::fs::read(path).map_err(|why| Failure::file(path, "read", why))?;
    if bytes.starts_with(b"{") {
        let text = String::from_utf8(bytes).map_err(|why| Failure::file(path, "read", why))?;
        return lines(run, &text);
    }
    if !bytes.starts_with(b"PK") {
        let wanted = "neither the file of a trained agent nor lines that `raichi train --json` wrote";
        return Err(Failure::Refused(format!("{run}: this is {wanted}")));
    }
    let files = store::files_at(path).map_err(failure)?;
    let manifest = store::manifest_of(run, &files).map_err(failure)?;
    Ok(vec![ReportedRun { name: run.into(), manifest }])
}

/// The runs whose points are lines of JSON.
fn lines(file: &str, text: &str) -> Result<Vec<ReportedRun>, Failure> {
    let mut runs: Vec<ReportedRun> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let refused =
            |why: serde_json::Error| Failure::Refused(format!("{file}, line {number}: no point of a curve: {why}"));
        let point: CurvePoint = serde_json::from_str(line).map_err(refused)?;
        let header: serde_json::Value = serde_json::from_str(line).map_err(refused)?;
        let name = header["name"].as_str().unwrap_or(file).to_owned();
        let i = runs.iter().position(|run| run.name == name).unwrap_or_else(|| {
            let text = |key: &str| header[key].as_str().unwrap_or_default().to_owned();
            let seed = header["seed"].as_u64().unwrap_or_default();
            let manifest = Manifest { seed, game: text("game"), agent: text("agent"), ..Manifest::default() };
            runs.push(ReportedRun { name, manifest });
            runs.len() - 1
        });
        let manifest = &mut runs[i].manifest;
        (manifest.games, manifest.plies, manifest.seconds) = (point.games, point.plies, point.seconds);
        manifest.curve.push(point);
    }
    Ok(runs)
}
