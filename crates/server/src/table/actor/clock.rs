//! The clocks of a table. What each ply took is stored with it, and when the clocks began; everything else follows from
//! the plies, so that a crash loses nothing. A person's time runs from the moment at which the seat is to act, also while
//! nobody is connected and while the server is down; whether a flag has fallen is found when the table is opened again. An
//! engine's time is what it thinks, not what it waits for a thread.

use std::time::Duration;

use raichi_core::history::By;
use raichi_core::seat::{Seat, SeatSet};
use tokio::time::Instant;

use super::{Actor, RETRY, now};
use crate::clock::Clocks;
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::message::ClockView;
use crate::store::{Holder, Millis, PlyRow, Resignation, StoreError, TableRow};

/// The clocks, and since when they run.
pub(super) struct Timekeeper {
    clocks: Clocks,
    /// By seat: since when it is to act.
    since: Vec<Option<Millis>>,
    /// The seats whose holders have been here.
    come: SeatSet,
    /// What an engine's decision took, until its ply is stored.
    thought: Option<(Seat, Millis)>,
    /// What views show.
    shown: ClockView,
}

impl Timekeeper {
    /// The clocks of a table as its plies have left them.
    pub(super) fn of(table: &TableRow, game: &GameInProgress, plies: &[PlyRow]) -> Option<Timekeeper> {
        let control = table.settings.clock?;
        let n_seats = game.seats().len();
        let mut clocks = Clocks::new(control, n_seats, table.clock_started);
        let by = game.current().plies();
        let mut come = SeatSet::EMPTY;
        for (ply, row) in by.iter().zip(plies) {
            if let By::Seat(seat) = ply.by {
                come = come.with(seat);
                if let Some(used) = row.used {
                    clocks.take(seat, used);
                }
            }
        }
        // A seat that chooses together with others has been to act since before they chose.
        let since = |seat: Seat| {
            let last = by.iter().rposition(|ply| !ply.simultaneous || ply.by == By::Seat(seat));
            let last = last.and_then(|at| plies.get(at)).map_or(table.created_at, |row| row.played_at);
            Some(last.max(clocks.started?)).filter(|_| game.to_act().contains(seat))
        };
        let since = (0..n_seats).map(since).collect();
        let shown = ClockView { control, left: Vec::new(), running: Vec::new(), started: false };
        Some(Timekeeper { clocks, since, come, thought: None, shown })
    }

    pub(super) fn shown(&self) -> &ClockView {
        &self.shown
    }

    /// When the flag of a person who is to act falls, and whose it is.
    fn next_fall(&self, game: &GameInProgress) -> Option<(Millis, Seat)> {
        let falls = |seat: Seat| Some((self.since[seat]? + self.clocks.left(seat), seat));
        game.to_act()
            .iter()
            .filter(|&seat| has_clock(game, seat) && game.engine(seat).is_none())
            .filter_map(falls)
            .min()
    }
}

/// Whether a seat plays by the clock: an engine that took over has all the time it wants.
fn has_clock(game: &GameInProgress, seat: Seat) -> bool {
    game.seats()[seat].resignation.is_none()
}

impl Actor {
    /// Starts the clocks, once all seats' holders have been here.
    pub(super) async fn start_clock(&mut self) -> Result<(), Refusal> {
        let connected = self.connected();
        let Some(keeper) = &mut self.clock else { return Ok(()) };
        keeper.come = connected.iter().fold(keeper.come, SeatSet::with);
        let (come, seats) = (keeper.come, self.game.seats().iter().enumerate());
        let has_come = |(seat, row): (Seat, &crate::store::SeatRow)| {
            come.contains(seat) || matches!(row.holder, Holder::Engine { .. })
        };
        if keeper.clocks.started.is_some() || !seats.clone().all(has_come) {
            return Ok(());
        }
        let at = now();
        let stored = self.common.store.start_clock(&self.id, at).await;
        if matches!(stored, Err(StoreError::Full)) {
            // They start with the next one who comes.
            return Ok(());
        }
        self.checked(stored)?;
        if let Some(keeper) = &mut self.clock {
            keeper.clocks.started = Some(at);
        }
        Ok(())
    }

    /// Notes which seats are to act from now on, and what views show.
    pub(super) fn keep_time(&mut self) {
        let Some(keeper) = &mut self.clock else { return };
        let (at, game) = (now(), &self.game);
        let to_act = game.to_act();
        let started = keeper.clocks.started.is_some();
        for (seat, since) in keeper.since.iter_mut().enumerate() {
            let runs = started && to_act.contains(seat);
            *since = runs.then(|| since.unwrap_or(at));
        }
        let n_seats = game.seats().len();
        let running: Vec<Seat> = (0..n_seats)
            .filter(|&seat| keeper.since[seat].is_some() && has_clock(game, seat))
            .filter(|seat| game.engine(*seat).is_none() || self.engine_tasks.contains_key(seat))
            .collect();
        let left = |seat: Seat| {
            let gone = if running.contains(&seat) { keeper.since[seat].map_or(0, |since| at - since) } else { 0 };
            has_clock(game, seat).then(|| (keeper.clocks.left(seat) - gone).max(0))
        };
        let left = (0..n_seats).map(left).collect();
        keeper.shown = ClockView { control: keeper.clocks.control, left, running, started };
    }

    /// What ply number `first`, which is played now, takes of its seat's time.
    pub(super) fn time_used(&self, first: usize, at: Millis) -> Option<Millis> {
        let keeper = self.clock.as_ref()?;
        keeper.clocks.started?;
        let By::Seat(seat) = self.game.current().plies().get(first)?.by else { return None };
        if self.game.engine(seat).is_some() {
            return Some(keeper.thought.filter(|&(thinker, _)| thinker == seat).map_or(0, |(_, took)| took));
        }
        Some((at - keeper.since[seat]?).max(0))
    }

    /// The plies from number `first` on are stored: the times of their seats stop.
    pub(super) fn stop_clocks(&mut self, first: usize, stored: &[PlyRow]) {
        let Some(keeper) = &mut self.clock else { return };
        keeper.thought = None;
        for (ply, row) in self.game.current().plies()[first..].iter().zip(stored) {
            if let (By::Seat(seat), Some(used)) = (ply.by, row.used) {
                keeper.clocks.take(seat, used);
            }
            if let By::Seat(seat) = ply.by {
                keeper.since[seat] = None;
                keeper.come = keeper.come.with(seat);
            }
        }
    }

    /// How long the engine of a seat may think by its clock.
    pub(super) fn budget(&self, seat: Seat) -> Option<Duration> {
        let keeper = self.clock.as_ref().filter(|_| has_clock(&self.game, seat))?;
        let budget = keeper.clocks.control.budget(keeper.clocks.left(seat));
        Some(Duration::from_millis(budget.max(1) as u64))
    }

    /// An engine has decided. Its budget is less than what it has; where a busy machine let it overrun all of that, it is
    /// let off with what was left, since that was not its doing.
    pub(super) fn engine_took(&mut self, seat: Seat, took: Duration) {
        if let Some(keeper) = &mut self.clock {
            let took = Millis::try_from(took.as_millis()).unwrap_or(Millis::MAX);
            keeper.thought = Some((seat, took.min(keeper.clocks.left(seat) - 1).max(0)));
        }
    }

    /// When the next flag falls.
    pub(super) fn flag_falls_at(&self) -> Option<Instant> {
        let (at, _) = self.clock.as_ref()?.next_fall(&self.game)?;
        // Beyond the millisecond that it falls in.
        let falls_at = Instant::now() + Duration::from_millis((at - now()).max(0) as u64 + 1);
        Some(self.retry_at.map_or(falls_at, |retry_at| falls_at.max(retry_at + Duration::from_millis(1))))
    }

    /// Lets every flag fall whose time has come: as when the seat resigns, but for another reason.
    pub(super) async fn let_flags_fall(&mut self) -> Result<(), Refusal> {
        while let Some((at, seat)) = self.clock.as_ref().and_then(|keeper| keeper.next_fall(&self.game)) {
            if at > now() {
                return Ok(());
            }
            let n_plies = self.game.n_plies();
            let successor = match self.game.resignation_of(seat) {
                raichi_core::resignation::Resignation::Ends(_) => None,
                raichi_core::resignation::Resignation::EnginePlaysOn => self.successor().ok(),
            };
            let resignation = Resignation { n_plies, successor, by_time: true };
            self.game.resign(seat, Some(resignation.clone()));
            let ending = self.game.ending();
            let stored = self.common.store.resign(&self.id, seat, &resignation, at, ending.as_ref(), None).await;
            if let Err(StoreError::Full) = stored {
                self.game.resign(seat, None);
                self.retry_at = Some(Instant::now() + RETRY);
            }
            self.checked(stored)?;
            self.log_ending(ending.as_ref());
            self.cancel_engines();
            self.start_engines();
            self.announce();
        }
        Ok(())
    }
}
