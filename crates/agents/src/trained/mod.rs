//! Trained agents: training them, keeping them, and playing by what they have learned.
//!
//! `learn` knows how to learn and how an agent is written as bytes; here are their names, the folder where they lie
//! ([`store`]), the form without types ([`Training`]), and the agents that come with the command.

mod archive;
pub mod evaluations;
mod learners;
pub mod onnx;
pub mod presets;
mod shipped;
pub mod store;
mod training;
mod tuples;

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::path::PathGame;
use raichi_learn::learner::Numbers;
use raichi_learn::ntuple;
use raichi_learn::{Learned, Saved};

pub use archive::{
    read as read_archive, read_bounded as read_bounded_archive, read_checkpoint as read_checkpoint_archive,
    write as write_archive,
};
pub use learners::{KINDS as LEARNERS, LearnerKind};
pub use raichi_learn::file::{CurvePoint, Evaluation, FileError, Files, Manifest};
pub use store::StoreError;
pub(crate) use training::PreparedLearned;
pub use training::{Plan, Training, begin, canonical_learner};
pub use tuples::{Tuple, Tuples, tuples};

/// What an agent learned, for a game whose type is known.
///
/// # Errors
/// A sentence, when it was trained for another game or what it says of itself does not fit.
pub(crate) fn learned<G: Playable>(
    game: &PathGame<G>,
    manifest: &Manifest,
    saved: &Saved,
) -> Result<Arc<dyn Learned<G>>, String> {
    check_game(game.spec(), &manifest.game)?;
    if manifest.agent == onnx::ID {
        return onnx::read(game, saved);
    }
    let (kind, options) = training::options(&manifest.agent).map_err(|why| why.to_string())?;
    learners::read(game, kind, &options, saved)
}

/// That an agent was trained for this game. The cap is no part of what it learned.
fn check_game(spec: &str, trained_for: &str) -> Result<(), String> {
    if without_cap(spec) == without_cap(trained_for) {
        return Ok(());
    }
    Err(format!("it was trained for {trained_for}"))
}

/// A spec without `max-plies`.
fn without_cap(spec: &str) -> String {
    let (id, params) = raichi_core::erased::split_spec(spec);
    let params =
        params.into_iter().flat_map(|params| params.split(',')).filter(|param| !param.starts_with("max-plies="));
    let params: Vec<&str> = params.collect();
    if params.is_empty() { id.into() } else { format!("{id}:{}", params.join(",")) }
}

/// The options of a network of tuples for this game.
fn tuples_config<G: Playable>(game: &PathGame<G>, spec: &str) -> Result<ntuple::Config, String> {
    if spec == onnx::ID {
        return Err("it is a network that was trained elsewhere, and has no tuples".into());
    }
    let (kind, options) = training::options(spec).map_err(|why| why.to_string())?;
    if kind.id != ntuple::ID {
        return Err(format!("it is of the kind {}, and has no tuples", kind.id));
    }
    ntuple::Config::from_options(&options, &game.facts())
}

/// Checks files from anywhere: every checksum, that there are no others, and that they are an agent which can play its game.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check(files: &Files) -> Result<Manifest, String> {
    let (manifest, saved) = read_listed(files)?;
    check_plays(&manifest, &saved)?;
    Ok(manifest)
}

/// The same for an agent of at most so many weights: each has 32 bits where it plays, however it is written. The files are
/// let go before it is made ready to play, so that no more than two copies of an agent are in memory at once.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_bounded(files: Files, most_weights: usize) -> Result<(), String> {
    let (manifest, saved) = read_listed(&files)?;
    drop(files);
    let n_weights: usize = saved.tensors.iter().map(|tensor| n_numbers(&tensor.numbers)).sum();
    // The numbers of a network that was trained elsewhere are the bytes of its file.
    if manifest.agent != onnx::ID && n_weights > most_weights {
        return Err(format!("it has {n_weights} weights, and {most_weights} are allowed"));
    }
    check_plays(&manifest, &saved)
}

fn read_listed(files: &Files) -> Result<(Manifest, Saved), String> {
    let (manifest, saved) = raichi_learn::file::read(files).map_err(|why| why.to_string())?;
    let mut known: Vec<&str> = manifest.files.iter().map(|file| file.name.as_str()).collect();
    known.push(raichi_learn::file::MANIFEST);
    for (name, _) in files {
        // What no checksum covers came from somebody else.
        let Some(i) = known.iter().position(|known| known == name) else {
            return Err(format!("{} does not list {name}, or it is there twice", raichi_learn::file::MANIFEST));
        };
        known.swap_remove(i);
    }
    Ok((manifest, saved))
}

fn check_plays(manifest: &Manifest, saved: &Saved) -> Result<(), String> {
    let game = raichi_games::game(&manifest.game).map_err(|why| why.to_string())?;
    raichi_games::visit_game(&*game, Check { manifest, saved })
}

fn n_numbers(numbers: &Numbers) -> usize {
    match numbers {
        Numbers::F32(numbers) => numbers.len(),
        Numbers::I16(numbers) => numbers.len(),
        Numbers::I8(numbers) => numbers.len(),
    }
}

struct Check<'a> {
    manifest: &'a Manifest,
    saved: &'a Saved,
}

impl GameVisitor for Check<'_> {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        learned(game, self.manifest, self.saved).map(|_| ())
    }
}
