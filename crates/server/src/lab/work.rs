//! Long work that is done a slice at a time, and goes on from what it had finished.

use std::path::PathBuf;
use std::sync::Arc;

use raichi_agents::CancelFlag;
use raichi_core::AnyGame;

use super::balance::Balance;
use super::message::{PlayedGameView, RunProgress, RunRequest};
use super::tournament::Tournament;
use super::training::Training;
use crate::agents::Engines;
use crate::error::Refusal;
use crate::hub::check_spec;

/// Long work.
pub(crate) trait Work: Send {
    /// Goes on until `enough` says so, which is asked often. Returns what was finished, in order, from which another of
    /// the same request can go on.
    ///
    /// # Errors
    /// When it cannot go on at all.
    fn advance(&mut self, enough: &mut dyn FnMut() -> bool) -> Result<Vec<String>, Refusal>;

    /// The flag that ends [`Work::advance`] early and for good, where what it does between two questions may take long.
    fn cancel_flag(&self) -> Option<CancelFlag> {
        None
    }

    /// Whether all is done.
    fn is_over(&self) -> bool;

    /// How much is done.
    fn n_done(&self) -> u64;

    /// Of how much, where that is known.
    fn n_total(&self) -> Option<u64>;

    /// What it has come to so far.
    fn progress(&self) -> RunProgress;

    /// Keeps what does not stand in what was finished, before it ends or pauses.
    ///
    /// # Errors
    /// When that cannot be written.
    fn save(&mut self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What work had done before.
#[derive(Default)]
pub(crate) struct Before {
    /// What it had finished.
    pub(crate) finished: Vec<String>,
    /// Where it keeps what is too large for that, and may have something already; nowhere where it keeps nothing.
    pub(crate) file: Option<PathBuf>,
}

/// The work that is asked for, after what it had done before. This may take long.
///
/// # Errors
/// Says what is wrong with the request; `server/internal` where what it had finished is not this request's.
pub(crate) fn begin(request: &RunRequest, before: Before, engines: &Engines) -> Result<Box<dyn Work>, Refusal> {
    Ok(match request {
        RunRequest::Tournament(request) => Box::new(Tournament::begin(request, &before.finished, engines)?),
        RunRequest::Balance(request) => Box::new(Balance::begin(request, &before.finished, engines)?),
        RunRequest::Training(request) => Box::new(Training::begin(request, before.file, engines)?),
    })
}

/// What people are told that a request is.
pub(crate) fn title(request: &RunRequest) -> Result<String, Refusal> {
    Ok(match request {
        RunRequest::Tournament(request) => {
            format!("{}: {} agents meet", game(&request.game)?.name(), request.agents.len())
        }
        RunRequest::Balance(request) => {
            let names = request.variants.iter().map(|spec| Ok(game(spec)?.spec().to_string()));
            format!("Balance of {}", names.collect::<Result<Vec<_>, Refusal>>()?.join(" and "))
        }
        RunRequest::Training(request) => format!("An agent learns {}", game(&request.game)?.spec()),
    })
}

pub(super) fn game(spec: &str) -> Result<Arc<dyn AnyGame>, Refusal> {
    check_spec(spec)?;
    Ok(raichi_games::game(spec)?)
}

/// What was finished does not fit the request, though it was kept with it.
pub(super) fn damaged(why: impl std::fmt::Display) -> Refusal {
    tracing::error!(%why, "a run cannot go on from what it had finished");
    Refusal::new("run/damaged", "what is kept of this run is damaged, so that it cannot go on")
}

/// A number within its range.
pub(super) fn within(what: &'static str, n: u64, least: u64, most: u64) -> Result<(), Refusal> {
    if (least..=most).contains(&n) {
        return Ok(());
    }
    let message = format!("{what}: from {least} to {most} are taken, not {n}");
    Err(Refusal { param: Some(what.into()), ..Refusal::new("run/out-of-range", message) })
}

impl PlayedGameView {
    pub(super) fn of(game: &dyn AnyGame) -> PlayedGameView {
        let seats = 0..game.facts().n_seats;
        PlayedGameView {
            game: game.spec().into(),
            name: game.name().into(),
            seat_names: seats.clone().map(|seat| game.seat_name(seat)).collect(),
            seat_tones: seats.map(|seat| game.seat_tone(seat)).collect(),
        }
    }
}
