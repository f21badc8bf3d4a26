//! The actor of a table: handles one command after the other.
//!
//! Everything depends on this order: the ply is applied in memory, written and synced, and only then acknowledged and
//! shown. Where the disk is full, the ply is taken back. When writing fails otherwise, nobody knows what is on disk: the
//! actor ends at once, and the table is opened again from there.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use raichi_agents::{AgentError, CancelFlag, Prepared, Session};
use raichi_core::record::{self, Record, RecordedPly, RecordedResult};
use raichi_core::resignation;
use raichi_core::seat::{Seat, SeatSet};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use tracing::{debug, error, info};

use super::{Command, Common, Connection, Play};
use crate::agents::{EngineDecision, EngineError, EngineRequest, KeptSession};
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::message::View;
use crate::secret::{KeyHash, Seed, table_id};
use crate::store::{Ending, Millis, PlyRow, Resignation, StoreError, StoredTable, TableRow};
use crate::view::{Filter, Known, TableState};

/// How long to wait for room on a full disk.
const RETRY: Duration = Duration::from_secs(1);

pub(super) struct Actor {
    common: Common,
    id: String,
    seed: Seed,
    created_at: Millis,
    game: GameInProgress,
    /// When each ply was played.
    played_at: Vec<Millis>,
    /// By message: how many plies there were with the one that it asked for.
    requests: HashMap<String, usize>,
    next_table: Option<String>,

    n_connections: usize,
    connections_of_seat: Vec<usize>,
    changed: watch::Sender<u64>,

    engine_replies: JoinSet<EngineReply>,
    engine_tasks: BTreeMap<Seat, EngineTask>,
    /// Those that have been to act.
    engines: BTreeMap<Seat, Engine>,
    n_engine_tasks: u64,

    /// Writing failed: what is in memory may be ahead of the disk.
    broken: bool,
    /// The disk was full: when chance and the engines try again. What people choose, they choose again themselves.
    retry_at: Option<Instant>,
    idle_since: Instant,
}

/// An engine of this table.
struct Engine {
    /// Kept here, so that all tables of the game share it.
    prepared: Arc<dyn Prepared>,
    /// `None` while it is choosing, and after a choice that was cancelled or failed; then it begins anew.
    session: Option<KeptSession>,
}

/// An engine that is choosing an action.
struct EngineTask {
    number: u64,
    handle: AbortHandle,
    cancel: CancelFlag,
}

/// The action that it has chosen.
struct EngineReply {
    seat: Seat,
    /// Of the task.
    number: u64,
    n_plies: usize,
    decision: Result<EngineDecision, NoDecision>,
}

/// Why an engine decided nothing.
#[derive(Debug, thiserror::Error)]
enum NoDecision {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Actor {
    pub(super) fn new(common: Common, game: GameInProgress, stored: StoredTable, changed: watch::Sender<u64>) -> Actor {
        let StoredTable { table, plies, next_table, ended: _ } = stored;
        let n_seats = game.seats().len();
        let numbered = plies.iter().enumerate();
        Actor {
            common,
            seed: table.seed,
            created_at: table.created_at,
            game,
            played_at: plies.iter().map(|ply| ply.played_at).collect(),
            requests: numbered.filter_map(|(i, ply)| Some((ply.request.clone()?, i + 1))).collect(),
            next_table,
            n_connections: 0,
            connections_of_seat: vec![0; n_seats],
            changed,
            engine_replies: JoinSet::new(),
            engine_tasks: BTreeMap::new(),
            engines: BTreeMap::new(),
            n_engine_tasks: 0,
            broken: false,
            retry_at: None,
            idle_since: Instant::now(),
            id: table.id,
        }
    }

    pub(super) async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Command>) {
        debug!(table = self.id, n_plies = self.game.n_plies(), "opened");
        // Chance may be the first to act, or a crash may have come before chance acted.
        // When this fails, `broken` is set, or a time to try again.
        let _ = self.settle(None).await;
        while !self.broken {
            tokio::select! {
                command = inbox.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => break,
                },
                Some(reply) = self.engine_replies.join_next(), if !self.engine_replies.is_empty() => {
                    // Only a cancelled task ends without a reply.
                    if let Ok(reply) = reply {
                        self.handle_engine_reply(reply).await;
                    }
                }
                () = sleep_until(self.retry_at.unwrap_or_else(Instant::now)), if self.retry_at.is_some() => {
                    self.retry_at = None;
                    let _ = self.settle(None).await;
                }
                () = sleep_until(self.idle_since + self.common.idle), if self.is_idle() => break,
            }
        }
        debug!(table = self.id, "closed");
    }

    fn is_idle(&self) -> bool {
        self.n_connections == 0 && self.engine_replies.is_empty()
    }

    async fn handle(&mut self, command: Command) {
        self.idle_since = Instant::now();
        // A reply that nobody waits for any more is dropped.
        match command {
            Command::Join { connection, keys, name, reply } => {
                drop(reply.send(self.join(connection, &keys, name).await));
            }
            Command::Leave { held } => self.leave(held),
            Command::View { held, known, reply } => drop(reply.send(self.view(held, known))),
            Command::Play { held, play, reply } => drop(reply.send(self.play(held, play).await)),
            Command::Resign { held, seat, reply } => drop(reply.send(self.resign(held, seat).await)),
            Command::Rematch { held, reply } => drop(reply.send(self.rematch(held).await)),
            Command::Look { held, id, n_plies, reply } => {
                drop(reply.send(Filter::new(&self.game, held).look(id, n_plies)));
            }
            Command::Narrow { held, id, choice, reply } => {
                drop(reply.send(Filter::new(&self.game, held).narrow(id, &choice)));
            }
            Command::Record { reply } => drop(reply.send(self.record())),
        }
    }

    // Connections

    async fn join(
        &mut self,
        mut connection: Connection,
        keys: &[KeyHash],
        name: Option<String>,
    ) -> Result<Connection, Refusal> {
        if self.n_connections >= self.common.websockets_per_table {
            return Err(Refusal::busy("this table is full"));
        }
        let held = self.game.held_by(keys)?;
        if let Some(name) = name {
            for seat in self.game.name(held, &name) {
                match self.common.store.name(&self.id, seat, &name).await {
                    // Nobody is turned away for that; the name comes with the next hello again.
                    Err(StoreError::Full) => self.game.unname(seat),
                    stored => self.checked(stored)?,
                }
            }
        }
        self.n_connections += 1;
        held.iter().for_each(|seat| self.connections_of_seat[seat] += 1);
        let started = self.start_engines();
        // Spectators are not shown in a view.
        if started || !held.is_empty() {
            self.announce();
        }
        (connection.held, connection.joined) = (held, true);
        Ok(connection)
    }

    fn leave(&mut self, held: SeatSet) {
        self.n_connections -= 1;
        if self.n_connections == 0 {
            self.engines.values_mut().for_each(|engine| engine.session = None);
        }
        held.iter().for_each(|seat| self.connections_of_seat[seat] -= 1);
        if !held.is_empty() {
            self.announce();
        }
    }

    fn connected(&self) -> SeatSet {
        (0..self.connections_of_seat.len()).filter(|&seat| self.connections_of_seat[seat] > 0).collect()
    }

    fn announce(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    fn view(&self, held: SeatSet, known: Known) -> (View, Known) {
        let around = TableState {
            table: &self.id,
            connected: self.connected(),
            thinking: self.engine_tasks.keys().copied().collect(),
            seed: &self.seed,
            next_table: self.next_table.as_deref(),
        };
        Filter::new(&self.game, held).view(&around, known)
    }

    // Commands

    async fn play(&mut self, held: SeatSet, play: Play) -> Result<usize, Refusal> {
        let Play { id, seat, action, n_plies } = play;
        self.check_seat(held, seat)?;
        let request = format!("{seat}:{id}");
        if let Some(&n_plies) = self.requests.get(&request) {
            return Ok(n_plies);
        }
        if !self.game.playing(held).contains(seat) {
            return Err(Refusal::new("seat/not-yours", format!("an engine plays seat {seat} now")));
        }
        self.game.play(seat, &action, n_plies)?;
        let with_this = self.game.n_plies();
        self.settle(Some(request.clone())).await?;
        self.requests.insert(request, with_this);
        Ok(with_this)
    }

    fn check_seat(&self, held: SeatSet, seat: Seat) -> Result<(), Refusal> {
        if held.contains(seat) {
            return Ok(());
        }
        Err(Refusal::not_yours(seat))
    }

    async fn resign(&mut self, held: SeatSet, seat: Seat) -> Result<usize, Refusal> {
        self.check_seat(held, seat)?;
        let n_plies = self.game.n_plies();
        if self.game.seats()[seat].resignation.is_some() {
            return Ok(n_plies);
        }
        if self.game.is_over() {
            return Err(raichi_core::PlayError::GameOver.into());
        }
        let successor = match self.game.resignation_of(seat) {
            resignation::Resignation::Ends(_) => None,
            resignation::Resignation::EnginePlaysOn => Some(self.successor()?),
        };
        let resignation = Resignation { n_plies, successor };
        self.game.resign(seat, Some(resignation.clone()));
        let ending = self.game.ending();
        let stored = self.common.store.resign(&self.id, seat, &resignation, now(), ending.as_ref()).await;
        if let Err(StoreError::Full) = stored {
            self.game.resign(seat, None);
        }
        self.checked(stored)?;
        self.log_ending(ending.as_ref());
        self.cancel_engines();
        self.start_engines();
        self.announce();
        Ok(n_plies)
    }

    fn successor(&self) -> Result<String, Refusal> {
        let nobody = || Refusal::new("agent/refused", "no engine here can play on, so this seat cannot resign");
        self.common.engines.successor(self.game.rules().as_ref()).ok_or_else(nobody)
    }

    async fn rematch(&mut self, held: SeatSet) -> Result<usize, Refusal> {
        if held.is_empty() {
            return Err(Refusal::new("seat/not-yours", "only those who hold a seat can ask for a rematch"));
        }
        if !self.game.is_over() {
            return Err(Refusal::running());
        }
        if self.next_table.is_none() {
            if !self.common.new_tables.take() {
                return Err(Refusal::busy("too many tables are being created"));
            }
            let randomness = |why| {
                error!(%why, "no rematch");
                Refusal::internal()
            };
            let seed = Seed::new().map_err(randomness)?;
            let table = TableRow {
                id: table_id().map_err(randomness)?,
                game: self.game.rules().spec().into(),
                version: record::VERSION,
                start: self.game.start_of_rematch(&seed)?,
                seed,
                created_at: now(),
                seats: self.game.holders_in_rematch(),
            };
            let stored = self.common.store.create_rematch(&self.id, &table).await;
            self.next_table = Some(self.checked(stored)?);
            self.announce();
        }
        Ok(self.game.n_plies())
    }

    fn record(&self) -> Result<Record, Refusal> {
        let ending = self.game.ending().ok_or_else(Refusal::running)?;
        let since = [self.created_at].into_iter().chain(self.played_at.iter().copied());
        let millis = since.zip(&self.played_at).map(|(before, &at)| Some((at - before).max(0) as u64));
        let plies = self.game.tokens_from(0).zip(millis).map(|(text, millis)| RecordedPly { text, millis });
        Ok(Record {
            version: record::VERSION,
            game: self.game.rules().spec().into(),
            position: self.game.start().map(|start| start.position.clone()),
            seats: self.game.occupants(),
            seed: Some(self.seed.reveal()),
            plies: plies.collect(),
            result: Some(RecordedResult { payoffs: ending.payoffs, end: ending.end }),
            program: crate::PROGRAM.into(),
        })
    }

    /// Completes a ply: chance acts, new plies are written to disk (nowhere else are they), and then shown.
    async fn settle(&mut self, request: Option<String>) -> Result<(), Refusal> {
        let first = self.played_at.len();
        self.game.play_chance(&self.seed);
        let at = now();
        let mut plies: Vec<PlyRow> =
            self.game.tokens_from(first).map(|text| PlyRow { text, request: None, played_at: at }).collect();
        if let Some(ply) = plies.first_mut() {
            ply.request = request;
            let ending = self.game.ending();
            let stored = self.common.store.append(&self.id, first, &plies, ending.as_ref()).await;
            if let Err(StoreError::Full) = stored {
                self.game.truncate(first);
                self.retry_at = Some(Instant::now() + RETRY);
            }
            self.checked(stored)?;
            self.played_at.extend(plies.iter().map(|ply| ply.played_at));
            self.log_ending(ending.as_ref());
        }
        self.cancel_engines();
        self.start_engines();
        self.announce();
        Ok(())
    }

    fn checked<T>(&mut self, stored: Result<T, StoreError>) -> Result<T, Refusal> {
        // When the disk is full, nothing was written, and what happened in memory is undone.
        self.broken |= stored.as_ref().is_err_and(|why| !matches!(why, StoreError::Full));
        Ok(stored?)
    }

    fn log_ending(&self, ending: Option<&Ending>) {
        if let Some(Ending { end, .. }) = ending {
            info!(table = self.id, game = self.game.rules().spec(), n_plies = self.game.n_plies(), end, "over");
        }
    }

    // Engines

    /// Starts every engine that is to act, as long as somebody is connected. Returns whether one was started.
    fn start_engines(&mut self) -> bool {
        if self.n_connections == 0 {
            return false;
        }
        let n_before = self.n_engine_tasks;
        for seat in self.game.to_act().iter() {
            let Some(agent) = self.game.engine(seat).map(String::from) else { continue };
            if self.engine_tasks.contains_key(&seat) {
                continue;
            }
            let session = self.session(seat, &agent);
            let n_plies = self.game.n_plies();
            self.n_engine_tasks += 1;
            let number = self.n_engine_tasks;
            let cancel = session.as_ref().map_or_else(|_| CancelFlag::default(), |session| session.cancel_flag());
            let current = self.game.current().boxed_clone();
            let (engines, pause) = (Arc::clone(&self.common.engines), self.common.engine_pause);
            let handle = self.engine_replies.spawn(async move {
                let decide = async {
                    let session = session?;
                    Ok(engines.decide(EngineRequest { session, current, seat }).await?)
                };
                let (decision, ()) = tokio::join!(decide, sleep(pause));
                EngineReply { seat, number, n_plies, decision }
            });
            self.engine_tasks.insert(seat, EngineTask { number, handle, cancel });
        }
        self.n_engine_tasks > n_before
    }

    /// The session of the engine on `seat`, or a new one, whose random draws reveal nothing of the deck.
    fn session(&mut self, seat: Seat, agent: &str) -> Result<Box<dyn Session>, AgentError> {
        if !self.engines.contains_key(&seat) {
            let prepared = self.common.engines.prepared(self.game.rules(), agent)?;
            self.engines.insert(seat, Engine { prepared, session: None });
        }
        let engine = self.engines.get_mut(&seat).expect("it was just inserted");
        let open = || engine.prepared.open(self.seed.for_engine(seat, 0));
        Ok(engine.session.take().map_or_else(open, |kept| kept.session))
    }

    /// Cancels the engines that have nothing to decide any more, and forgets all of them once the game is over.
    fn cancel_engines(&mut self) {
        if self.game.is_over() {
            // People stay to look at the end, and what a search has found may be large.
            self.engines.clear();
        }
        let to_act = self.game.to_act();
        self.engine_tasks.retain(|&seat, task| {
            let goes_on = to_act.contains(seat);
            if !goes_on {
                task.handle.abort();
                task.cancel.cancel();
            }
            goes_on
        });
    }

    async fn handle_engine_reply(&mut self, reply: EngineReply) {
        self.idle_since = Instant::now();
        let EngineReply { seat, number, n_plies, decision } = reply;
        if self.engine_tasks.get(&seat).is_none_or(|task| task.number != number) {
            return;
        }
        self.engine_tasks.remove(&seat);
        let action = decision.and_then(|EngineDecision { action, session }| {
            if let Some(engine) = self.engines.get_mut(&seat) {
                engine.session = self.common.engines.keep(session);
            }
            Ok(action?)
        });
        let played = match action {
            // The code is logged and not the sentence, which may name a hidden action.
            Ok(action) => self.game.play(seat, &action, n_plies).map_err(|why| why.code.to_string()),
            Err(why) => Err(why.to_string()),
        };
        if let Err(why) = played {
            // Where the game moved on meanwhile, the engine is started again. Otherwise it cannot play, and a legal
            // action is played for it, so that the others do not wait for ever.
            if self.game.is_current(n_plies) && self.game.to_act().contains(seat) {
                error!(table = self.id, game = self.game.rules().spec(), seat, why, "an engine failed");
                self.play_any_action(seat, n_plies);
            }
        }
        // When this fails, `broken` is set and the actor ends.
        let _ = self.settle(None).await;
    }

    fn play_any_action(&mut self, seat: Seat, n_plies: usize) {
        let legal = self.game.current().legal(seat);
        let index = self.seed.for_engine(seat, n_plies) % legal.len().max(1) as u64;
        if let Some(action) = legal.get(index as usize) {
            let played = self.game.play(seat, action, n_plies);
            debug_assert!(played.is_ok(), "a listed action is legal: {played:?}");
        }
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        // No engine goes on for a table that is closed.
        self.engine_tasks.values().for_each(|task| task.cancel.cancel());
    }
}

fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}
