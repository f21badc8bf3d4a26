//! A table: one actor that owns a game in progress, and the connections of those who play or watch.
//!
//! Everything at a table happens one after the other in its actor. A [`Connection`] sends one command at a time and
//! waits for the reply, so the actor's queue is never longer than the number of connections. Views are not pushed: a
//! connection is told that something has changed, and asks for a view when it is able to send one. A slow client
//! therefore misses views, but never the last one, and delays nobody.

mod actor;
mod hint;
mod requests;
mod views;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use raichi_core::record::Record;
use raichi_core::seat::{Seat, SeatSet};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use crate::admission::Admission;
use crate::agents::Engines;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::message::{Pace, ServerMessage};
use crate::metrics::Metrics;
use crate::secret::KeyHash;
use crate::store::{Store, StoredTable};
use crate::view::{Known, PartialChoice};
pub(crate) use hint::Hinting;
use hint::Question;

/// What all tables share.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) engine_pause: Duration,
    /// Whether engines think on while people do.
    pub(crate) engine_ponder: bool,
    pub(crate) admission: Arc<Admission>,
    /// The most at one table.
    pub(crate) spectators: usize,
    pub(crate) websockets_per_seat: usize,
    pub(crate) idle: Duration,
    /// Who works out something about very many plies, one table after the other.
    pub(crate) at_length: Arc<Semaphore>,
}

/// A handle to a table's actor.
#[derive(Clone)]
pub(crate) struct Table {
    commands: mpsc::UnboundedSender<Command>,
    changes: watch::Receiver<u64>,
}

/// The actor has ended: it was idle for long or has failed. The table can be opened again.
#[derive(Debug)]
pub(crate) struct Gone;

type Reply<T> = oneshot::Sender<T>;

enum Command {
    Join { connection: Connection, keys: Vec<KeyHash>, name: Option<String>, reply: Reply<Result<Connection, Refusal>> },
    Leave { number: u64 },
    View { number: u64, held: SeatSet, known: Known, reply: Reply<Result<(Bytes, Known), Refusal>> },
    Play { held: SeatSet, play: Play, reply: Reply<Result<usize, Refusal>> },
    Resign { held: SeatSet, id: String, seat: Seat, reply: Reply<Result<usize, Refusal>> },
    Draw { held: SeatSet, id: String, seat: Seat, n_plies: usize, reply: Reply<Result<usize, Refusal>> },
    Rematch { client: ClientAddress, held: SeatSet, id: String, reply: Reply<Result<usize, Refusal>> },
    Look { held: SeatSet, id: String, n_plies: usize, reply: Reply<Result<ServerMessage, Refusal>> },
    Narrow { held: SeatSet, id: String, choice: PartialChoice, reply: Reply<Result<ServerMessage, Refusal>> },
    Pace { id: String, pace: Pace, reply: Reply<Result<usize, Refusal>> },
    Step { id: String, reply: Reply<Result<usize, Refusal>> },
    Why { held: SeatSet, id: String, choice: PartialChoice, reply: Reply<Result<ServerMessage, Refusal>> },
    Hint { seat: Seat, n_plies: usize, held: SeatSet, client: ClientAddress, reply: Reply<Result<Question, Refusal>> },
    TakeBack { held: SeatSet, id: String, seat: Seat, n_plies: usize, reply: Reply<Result<usize, Refusal>> },
    Record { reply: Reply<Result<Record, Refusal>> },
}

/// A request to play.
pub(crate) struct Play {
    /// What the client calls it.
    pub(crate) id: String,
    pub(crate) seat: Seat,
    pub(crate) action: String,
    /// How many plies the client had seen.
    pub(crate) n_plies: usize,
}

impl Table {
    /// Starts the actor of a table, whose game is that of `stored`.
    pub(crate) fn start(common: Common, game: GameInProgress, stored: StoredTable) -> Table {
        let (commands, inbox) = mpsc::unbounded_channel();
        let (changed, changes) = watch::channel(0);
        tokio::spawn(actor::Actor::new(common, game, stored, changed).run(inbox));
        Table { commands, changes }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.commands.is_closed()
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Gone> {
        let (reply, replied) = oneshot::channel();
        self.commands.send(command(reply)).map_err(|_| Gone)?;
        replied.await.map_err(|_| Gone)
    }

    /// A connection for the holder of these keys; a spectator's where there are none.
    pub(crate) async fn join(
        &self,
        client: ClientAddress,
        keys: Vec<KeyHash>,
        name: Option<String>,
    ) -> Result<Result<Connection, Refusal>, Gone> {
        // The connection goes to the actor and back, so that it is closed even where its owner did not wait for it.
        let connection =
            Connection { table: self.clone(), client, number: None, held: SeatSet::EMPTY, known: Known::default() };
        self.ask(|reply| Command::Join { connection, keys, name, reply }).await
    }

    pub(crate) async fn record(&self) -> Result<Result<Record, Refusal>, Gone> {
        self.ask(|reply| Command::Record { reply }).await
    }
}

/// A client's connection to a table. Dropping it leaves the table.
pub(crate) struct Connection {
    table: Table,
    client: ClientAddress,
    /// What the actor counts it by, once it has joined.
    number: Option<u64>,
    held: SeatSet,
    known: Known,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            // A table that has gone need not be told.
            let _ = self.table.commands.send(Command::Leave { number });
        }
    }
}

impl Connection {
    pub(crate) fn is_spectator(&self) -> bool {
        self.held.is_empty()
    }

    /// Waits until there is something new to see. `Err` when the table has gone.
    pub(crate) async fn changed(&mut self) -> Result<(), Gone> {
        self.table.changes.changed().await.map_err(|_| Gone)
    }

    /// The table as it is now, without the plies that were sent before: the text of a `ServerMessage::View`; a
    /// refusal where another connection took its place.
    pub(crate) async fn view(&mut self) -> Result<Result<Bytes, Refusal>, Gone> {
        self.table.changes.mark_unchanged();
        let (number, held, known) = (self.number.unwrap_or_default(), self.held, self.known);
        let viewed = self.table.ask(|reply| Command::View { number, held, known, reply }).await?;
        Ok(viewed.map(|(view, known)| {
            self.known = known;
            view
        }))
    }

    /// Plays an action. Returns how many plies there were with this one.
    pub(crate) async fn play(&self, play: Play) -> Result<usize, Refusal> {
        self.ask(|held, reply| Command::Play { held, play, reply }).await
    }

    /// Resigns. Returns how many plies there are.
    pub(crate) async fn resign(&self, id: String, seat: Seat) -> Result<usize, Refusal> {
        self.ask(|held, reply| Command::Resign { held, id, seat, reply }).await
    }

    /// Offers a draw, or accepts the one that is offered. Returns how many plies there are.
    pub(crate) async fn draw(&self, id: String, seat: Seat, n_plies: usize) -> Result<usize, Refusal> {
        self.ask(|held, reply| Command::Draw { held, id, seat, n_plies, reply }).await
    }

    /// Creates the rematch, unless there is one. Returns how many plies there are.
    pub(crate) async fn rematch(&self, id: String) -> Result<usize, Refusal> {
        let client = self.client;
        self.ask(|held, reply| Command::Rematch { client, held, id, reply }).await
    }

    /// An earlier position.
    pub(crate) async fn look(&self, id: String, n_plies: usize) -> Result<ServerMessage, Refusal> {
        self.ask(|held, reply| Command::Look { held, id, n_plies, reply }).await
    }

    /// What goes on from a choice that is partly made.
    pub(crate) async fn narrow(&self, id: String, choice: PartialChoice) -> Result<ServerMessage, Refusal> {
        self.ask(|held, reply| Command::Narrow { held, id, choice, reply }).await
    }

    /// Changes how fast the engines play. Returns how many plies there are.
    pub(crate) async fn pace(&self, id: String, pace: Pace) -> Result<usize, Refusal> {
        self.ask(|_, reply| Command::Pace { id, pace, reply }).await
    }

    /// Lets a paused match of engines go on by a ply. Returns how many plies there are.
    pub(crate) async fn step(&self, id: String) -> Result<usize, Refusal> {
        self.ask(|_, reply| Command::Step { id, reply }).await
    }

    /// Which rule forbids a choice.
    pub(crate) async fn why(&self, id: String, choice: PartialChoice) -> Result<ServerMessage, Refusal> {
        self.ask(|held, reply| Command::Why { held, id, choice, reply }).await
    }

    /// Takes back the last action of a seat. Returns how many plies are left.
    pub(crate) async fn take_back(&self, id: String, seat: Seat, n_plies: usize) -> Result<usize, Refusal> {
        self.ask(|held, reply| Command::TakeBack { held, id, seat, n_plies, reply }).await
    }

    async fn ask<T>(&self, command: impl FnOnce(SeatSet, Reply<Result<T, Refusal>>) -> Command) -> Result<T, Refusal> {
        let held = self.held;
        match self.table.ask(|reply| command(held, reply)).await {
            Ok(reply) => reply,
            Err(Gone) => Err(Refusal::internal()),
        }
    }
}
