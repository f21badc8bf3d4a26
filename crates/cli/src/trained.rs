//! Trained agents at the terminal: listing, checking, packing and unpacking them; and how a command is told that it is to
//! stop.

use std::path::Path;
use std::sync::Arc;

use raichi_agents::CancelFlag;
use raichi_agents::trained::{self, Evaluation, Files, Manifest, StoreError, store, write_archive};
use raichi_core::AnyGame;
use raichi_core::erased::split_spec;
use raichi_core::notation::shortened;

use crate::failure::Failure;
use crate::output::{Output, write_whole};
use crate::palette::{CODE, FAINT, paint};

/// Why a trained agent cannot be had, as a failure with its exit code.
pub(crate) fn failure(why: StoreError) -> Failure {
    match why {
        StoreError::File { .. } => Failure::Refused(why.to_string()),
        StoreError::Io { .. } => Failure::Failed(why.to_string()),
        _ => Failure::Usage(why.to_string()),
    }
}

/// The spec of an agent that may be a trained agent's bare name.
pub(crate) fn spec_of(agent: &str) -> String {
    let is_kind = raichi_agents::KINDS.iter().any(|kind| kind.id == split_spec(agent).0);
    if !is_kind && store::check_name(agent).is_ok() && store::list().iter().any(|place| place.name == agent) {
        return format!("trained:{agent}");
    }
    agent.into()
}

/// The name of the trained agent that a spec plays by, if it does.
fn name_in(spec: &str) -> Option<&str> {
    let (id, options) = split_spec(spec);
    let mut entries = options?.split(',');
    if id == "trained" {
        let first = entries.next()?;
        return Some(first.strip_prefix("name=").unwrap_or(first));
    }
    entries
        .find_map(|entry| entry.strip_prefix("evaluator="))
        .filter(|name| !raichi_agents::BUILT_IN_EVALUATORS.contains(name))
}

/// The game that an agent was trained for.
///
/// # Errors
/// When it was trained for none, or cannot be read.
pub(crate) fn game_of(spec: &str) -> Result<Arc<dyn AnyGame>, Failure> {
    let Some(name) = name_in(spec) else {
        let id = split_spec(spec).0;
        if !raichi_agents::KINDS.iter().any(|kind| kind.id == id) {
            let known = "`raichi agents` and `raichi agents list` say which there are";
            return Err(Failure::Usage(format!(
                "there is no agent `{}`, and none is trained of this name; {known}",
                shortened(id)
            )));
        }
        return Err(Failure::Usage(format!("--game is missing: {spec} was not trained for one")));
    };
    let manifest = store::manifest(name).map_err(failure)?;
    raichi_games::game(&manifest.game).map_err(|why| Failure::Refused(format!("{name}: {why}")))
}

pub(crate) fn list(json: bool) -> Result<(), Failure> {
    let places = store::list();
    let mut out = Output::new();
    if json {
        let described = |place: &store::Place| match store::manifest(&place.name) {
            Ok(Manifest { game, agent, games, seed, version, evaluations, .. }) => serde_json::json!({
                "name": place.name, "shipped": place.shipped, "game": game, "agent": agent, "games": games, "seed": seed,
                "version": version, "evaluations": evaluations,
            }),
            Err(why) => serde_json::json!({"name": place.name, "shipped": place.shipped, "error": why.to_string()}),
        };
        let all: Vec<_> = places.iter().map(described).collect();
        return out.pretty_json(&serde_json::Value::Array(all));
    }
    if places.is_empty() {
        return out.line("No trained agents yet; raichi train tic-tac-toe --out mine makes one.");
    }
    for place in &places {
        let shipped = if place.shipped { ", comes with the command" } else { "" };
        match store::manifest(&place.name) {
            Ok(manifest) => {
                let best = manifest.evaluations.first().map(|one| format!("; {}", sentence(one))).unwrap_or_default();
                let text = format!("{} games of {}{shipped}{best}", manifest.games, manifest.game);
                out.line(format_args!("{}  {text}", paint(CODE, &place.name)))?;
            }
            Err(why) => out.line(format_args!("{}  {}", paint(CODE, &place.name), paint(FAINT, why)))?,
        }
    }
    Ok(())
}

/// An evaluation as a sentence.
pub(crate) fn sentence(evaluation: &Evaluation) -> String {
    let Evaluation { against, starts, score, interval, kept, games, .. } = evaluation;
    let number = |number: f64| format!("{number:.3}").replace('-', "−");
    let within = interval.map(|ends| ends.map(number));
    let within = within.map_or(String::new(), |[low, high]| format!(" [{low}, {high}]"));
    let kept = kept.map_or(String::new(), |kept| format!(", kept {kept:.3}"));
    let starts = if starts == "start" { String::new() } else { format!(" from {starts}") };
    let score = number(*score);
    format!("score {score}{within}{kept} against {against}{starts}, {games} games")
}

pub(crate) fn show(name: &str, json: bool) -> Result<(), Failure> {
    let manifest = store::manifest(name).map_err(failure)?;
    let mut out = Output::new();
    if json {
        let text = serde_json::to_string_pretty(&manifest).expect("a manifest is plain data");
        return out.line(text);
    }
    for (label, value) in [
        ("name", name.to_owned()),
        ("game", manifest.game.clone()),
        ("agent", manifest.agent.clone()),
        ("seed", manifest.seed.to_string()),
        ("training", format!("{} games, {} plies, {:.1} s", manifest.games, manifest.plies, manifest.seconds)),
        ("command", manifest.command.clone()),
        ("version", manifest.version.clone()),
        ("licence", manifest.licence.clone()),
    ] {
        out.line(format_args!("{label:<10} {value}"))?;
    }
    for file in &manifest.files {
        out.line(format_args!("{:<10} {}, {} bytes, SHA-256 {}", "file", file.name, file.bytes, file.sha256))?;
    }
    for point in &manifest.curve {
        for evaluation in &point.evaluations {
            out.line(format_args!("{:>10} games: {}", point.games, sentence(evaluation)))?;
        }
    }
    Ok(())
}

/// The files of a trained agent by name, or of a file.
fn files(name: &str) -> Result<Files, Failure> {
    let path = Path::new(name);
    let by_name = store::check_name(name).is_ok() && store::list().iter().any(|place| place.name == name);
    if !by_name && path.exists() {
        return store::files_at(path).map_err(failure);
    }
    store::files(name).map_err(failure)
}

pub(crate) fn verify(name: &str) -> Result<(), Failure> {
    let manifest = checked(name, &files(name)?)?;
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    Output::new().line(format_args!("{name} is whole: {} bytes for {}", bytes, manifest.game))
}

/// That files are an agent that can play its game.
fn checked(name: &str, files: &Files) -> Result<Manifest, Failure> {
    trained::check(files).map_err(|why| Failure::Refused(format!("the trained agent {name} is refused: {why}")))
}

pub(crate) fn export(name: &str, file: &Path) -> Result<(), Failure> {
    if file.is_file() {
        let file = file.display();
        return Err(Failure::Usage(format!("{file}: there is such a file; remove it or name another one")));
    }
    let files = store::files(name).map_err(failure)?;
    checked(name, &files)?;
    write_whole(file, &write_archive(&files, true))?;
    // Where it is standard output nothing else goes there.
    if file.is_file() { Output::new().line(format_args!("{name} written to {}", file.display())) } else { Ok(()) }
}

/// Keeps an agent from a file. A file in ONNX's form does not say its game, so `game` must; other files do.
pub(crate) fn import(file: &Path, name: Option<&str>, game: Option<&dyn AnyGame>) -> Result<(), Failure> {
    let shown = file.display().to_string();
    let is_onnx = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx"));
    let files = match game {
        Some(game) if is_onnx => onnx_files(file, name, game)?,
        None if is_onnx => {
            let why = format!("--game is missing: {shown} is a network in ONNX's form, which does not say its game");
            return Err(Failure::Usage(why));
        }
        Some(_) => {
            let why = format!("--game is for files in ONNX's form (.onnx) alone; {shown} says its game itself");
            return Err(Failure::Usage(why));
        }
        None => store::files_at(file).map_err(failure)?,
    };
    let manifest = checked(&shown, &files)?;
    let name = name.map_or(manifest.name.clone(), String::from);
    store::save(&name, &files, false).map_err(failure)?;
    Output::new().line(format_args!("{name} imported: it plays {} as trained:{name}", manifest.game))
}

/// A network in ONNX's form as an agent's files, named after its file where nothing is said.
fn onnx_files(file: &Path, name: Option<&str>, game: &dyn AnyGame) -> Result<Files, Failure> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.unwrap_or(&stem);
    store::check_name(name).map_err(failure)?;
    let command = format!("raichi agents import {} --game {} --as {name}", file.display(), game.spec());
    Ok(trained::onnx::files(name, game, &command, &store::bytes_at(file).map_err(failure)?))
}

pub(crate) fn remove(name: &str) -> Result<(), Failure> {
    store::remove(name).map_err(failure)?;
    Output::new().line(format_args!("{name} removed"))
}

/// Cancels `flag` when the user or the system asks the command to stop.
pub(crate) fn cancel_on_signals(flag: CancelFlag) {
    cancel_and_say(flag, || ());
}

/// The same, and calls `say` at once: what is done then may take a while.
pub(crate) fn cancel_and_say(flag: CancelFlag, say: impl Fn() + Send + 'static) {
    let (ready, is_ready) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            use tokio::signal::unix::{SignalKind, signal};
            let (Ok(mut interrupt), Ok(mut terminate)) =
                (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
            else {
                return;
            };
            drop(ready);
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if flag.is_cancelled() {
                    // Asked twice: what is not saved yet is lost.
                    std::process::exit(130);
                }
                flag.cancel();
                say();
            }
        });
    });
    // A signal that comes from now on is not lost; where signals cannot be waited for the sender is gone too.
    let _ = is_ready.recv();
}
