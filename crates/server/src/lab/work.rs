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

/// A game of a run has at most so many plies: all of them are in memory while it is played, and there are games that need not
/// end.
const MOST_PLIES_OF_A_GAME: usize = 1_000_000;

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

/// Refuses to go on with games that are too long: `n_plies` has the game in progress, `n_before` all before it, and `most` may
/// all of them have.
pub(super) fn not_too_long(n_plies: usize, n_before: u64, most: u64) -> Result<(), Refusal> {
    let refuse = |why: String| Err(Refusal::new("run/too-long", why));
    if n_plies > MOST_PLIES_OF_A_GAME {
        return refuse(format!(
            "a game of this run has more than {MOST_PLIES_OF_A_GAME} plies; `max-plies` ends games sooner"
        ));
    }
    if n_before.saturating_add(n_plies as u64) > most {
        let ways = "ask for fewer games, or for shorter ones by `max-plies`";
        return refuse(format!(
            "the games of this run have more than {most} plies together, which is too much; {ways}"
        ));
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::message::{BalanceRequest, FormatView, TournamentRequest};
    use super::*;
    use crate::thinking::{EngineTimes, Thinking};

    #[test]
    fn work_ends_where_its_games_are_too_long() {
        let thinking = Thinking::new(1, EngineTimes::default()).unwrap();
        let engines = Arc::new(Engines::new(thinking, 1));
        let balance =
            BalanceRequest { variants: vec!["tic-tac-toe".into()], agent: "random".into(), games: 100, seed: 1 };
        let mut balance = Balance::begin(&balance, &[], &engines).unwrap();
        let tournament = TournamentRequest {
            game: "tic-tac-toe".into(),
            agents: ["random", "level:1"].map(String::from).into(),
            format: FormatView::RoundRobin,
            games: 100,
            seed: 1,
            opening_plies: 0,
        };
        let mut tournament = Tournament::begin(&tournament, &[], &engines).unwrap();
        (balance.most_plies, tournament.most_plies) = (50, 50);
        for work in [&mut balance as &mut dyn Work, &mut tournament] {
            let refused = work.advance(&mut || false).unwrap_err();
            assert_eq!(refused.code, "run/too-long", "{}", refused.message);
            assert!((5..=10).contains(&work.n_done()), "games have 5 to 9 plies: {}", work.n_done());
        }
        assert!(not_too_long(MOST_PLIES_OF_A_GAME, 0, u64::MAX).is_ok());
        assert!(not_too_long(MOST_PLIES_OF_A_GAME + 1, 0, u64::MAX).is_err());
        assert!(not_too_long(1, u64::MAX, 5).is_err());
    }
}
