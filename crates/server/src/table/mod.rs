//! A table: one actor that owns a game in progress, and the lines of those who sit or watch there.
//!
//! Everything at a table happens one after the other in its actor. A [`Line`] asks for one thing at a time and waits
//! for the answer, so the queue to the actor is never longer than there are lines. News are not pushed: a line is told
//! that something has changed, and asks for a view when it is able to send one. A slow client therefore misses views,
//! never the last one, and holds up nobody.

mod actor;

use std::sync::Arc;
use std::time::Duration;

use raichi_core::erased::AnyGame;
use raichi_core::record::Record;
use raichi_core::seat::{Seat, SeatSet};
use tokio::sync::{mpsc, oneshot, watch};

use crate::agents::Engines;
use crate::error::Refusal;
use crate::limit::SharedAllowance;
use crate::message::{ServerMessage, View};
use crate::secret::KeyHash;
use crate::store::{Store, StoredTable};
use crate::view::{HalfMade, Known};

/// What tables share.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) engine_pause: Duration,
    pub(crate) lines_per_table: usize,
    pub(crate) idle: Duration,
    /// How many tables may still be made.
    pub(crate) new_tables: Arc<SharedAllowance>,
}

/// The way to a table's actor.
#[derive(Clone)]
pub(crate) struct Table {
    commands: mpsc::UnboundedSender<Command>,
    changes: watch::Receiver<u64>,
}

/// The actor has gone: it was idle for long or has failed. Whoever wants to can open the table again.
#[derive(Debug)]
pub(crate) struct Gone;

type Answer<T> = oneshot::Sender<T>;

enum Command {
    Join { line: Line, keys: Vec<KeyHash>, name: Option<String>, answer: Answer<Result<Line, Refusal>> },
    Leave { held: SeatSet },
    View { held: SeatSet, known: Known, answer: Answer<(View, Known)> },
    Play { held: SeatSet, play: Play, answer: Answer<Result<usize, Refusal>> },
    Resign { held: SeatSet, seat: Seat, answer: Answer<Result<usize, Refusal>> },
    Rematch { held: SeatSet, answer: Answer<Result<usize, Refusal>> },
    Look { held: SeatSet, id: String, n_plies: usize, answer: Answer<Result<ServerMessage, Refusal>> },
    Narrow { held: SeatSet, id: String, half: HalfMade, answer: Answer<Result<ServerMessage, Refusal>> },
    Record { answer: Answer<Result<Record, Refusal>> },
}

/// The wish to play.
pub(crate) struct Play {
    /// What the client calls it.
    pub(crate) id: String,
    pub(crate) seat: Seat,
    pub(crate) action: String,
    /// How many plies the client had seen.
    pub(crate) n_plies: usize,
}

impl Table {
    /// Sets up the table and starts its actor.
    ///
    /// # Errors
    /// When its history makes no sense to the game of today.
    pub(crate) fn start(common: Common, game: Arc<dyn AnyGame>, stored: StoredTable) -> Result<Table, Refusal> {
        let (commands, inbox) = mpsc::unbounded_channel();
        let (changed, changes) = watch::channel(0);
        let actor = actor::Actor::new(common, game, stored, changed)?;
        tokio::spawn(actor.run(inbox));
        Ok(Table { commands, changes })
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.commands.is_closed()
    }

    async fn ask<T>(&self, command: impl FnOnce(Answer<T>) -> Command) -> Result<T, Gone> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).map_err(|_| Gone)?;
        answered.await.map_err(|_| Gone)
    }

    /// A line for whoever holds these keys, a spectator's where there are none.
    pub(crate) async fn join(&self, keys: Vec<KeyHash>, name: Option<String>) -> Result<Result<Line, Refusal>, Gone> {
        // The line goes there and back, so that it is left even where its owner did not wait for it.
        let line = Line { table: self.clone(), held: SeatSet::EMPTY, joined: false, known: Known::default() };
        self.ask(|answer| Command::Join { line, keys, name, answer }).await
    }

    pub(crate) async fn record(&self) -> Result<Result<Record, Refusal>, Gone> {
        self.ask(|answer| Command::Record { answer }).await
    }
}

/// Somebody's line to a table. Dropping it is leaving.
pub(crate) struct Line {
    table: Table,
    held: SeatSet,
    joined: bool,
    known: Known,
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.joined {
            // A table that has gone needs not be told.
            let _ = self.table.commands.send(Command::Leave { held: self.held });
        }
    }
}

impl Line {
    /// Waits until there is something new to see. `Err` when the table has gone.
    pub(crate) async fn changed(&mut self) -> Result<(), Gone> {
        self.table.changes.changed().await.map_err(|_| Gone)
    }

    /// What there is to see now that was not seen yet.
    pub(crate) async fn view(&mut self) -> Result<View, Gone> {
        self.table.changes.mark_unchanged();
        let (held, known) = (self.held, self.known);
        let (view, known) = self.table.ask(|answer| Command::View { held, known, answer }).await?;
        self.known = known;
        Ok(view)
    }

    /// Plays; answers how many plies there were with this one.
    pub(crate) async fn play(&self, play: Play) -> Result<usize, Refusal> {
        self.ask(|held, answer| Command::Play { held, play, answer }).await
    }

    /// Gives up a seat; answers how many plies there are.
    pub(crate) async fn resign(&self, seat: Seat) -> Result<usize, Refusal> {
        self.ask(|held, answer| Command::Resign { held, seat, answer }).await
    }

    /// Makes the next table, unless there is one; answers how many plies there are.
    pub(crate) async fn rematch(&self) -> Result<usize, Refusal> {
        self.ask(|held, answer| Command::Rematch { held, answer }).await
    }

    /// An earlier position.
    pub(crate) async fn look(&self, id: String, n_plies: usize) -> Result<ServerMessage, Refusal> {
        self.ask(|held, answer| Command::Look { held, id, n_plies, answer }).await
    }

    /// What goes on from a half-made choice.
    pub(crate) async fn narrow(&self, id: String, half: HalfMade) -> Result<ServerMessage, Refusal> {
        self.ask(|held, answer| Command::Narrow { held, id, half, answer }).await
    }

    async fn ask<T>(&self, command: impl FnOnce(SeatSet, Answer<Result<T, Refusal>>) -> Command) -> Result<T, Refusal> {
        let held = self.held;
        match self.table.ask(|answer| command(held, answer)).await {
            Ok(answer) => answer,
            Err(Gone) => Err(Refusal::internal()),
        }
    }
}
