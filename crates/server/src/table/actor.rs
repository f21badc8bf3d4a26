//! The actor of a table: handles one command after the other.
//!
//! Everything depends on this order: the ply is applied in memory, written and synced, and only then acknowledged and
//! shown. Where the disk is full, the ply is taken back. When writing fails otherwise, nobody knows what is on disk:
//! the actor ends at once, and the table is opened again from there.

mod clock;
mod draw;
mod help;
mod pace;
mod ponder;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use raichi_agents::levels;
use raichi_core::record::{self, Record, RecordedPly, RecordedResult};
use raichi_core::resignation;
use raichi_core::seat::{Seat, SeatSet};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet, block_in_place};
use tokio::time::{Instant, sleep, sleep_until};
use tracing::{debug, error, info};

use super::requests::{Request, Requests};
use super::views::Views;
use super::{Command, Common, Connection, Play};
use crate::agents::{Engine, EngineDecision, EngineRequest, NoDecision, Player, Pondering};
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::game_in_progress::GameInProgress;
use crate::metrics::{Counted, DecisionClock, observe};
use crate::secret::{KeyHash, Seed, table_id};
use crate::settings::Settings;
use crate::store::{Ending, Millis, Origin, PlyRow, Resignation, StoreError, StoredTable, TableRow};
use crate::view::{Filter, Known, TableState};
use clock::Timekeeper;
use pace::Tempo;

/// So many plies are played again, or written, in a few milliseconds.
const LONG: usize = 2_000;
/// How long to wait for room on a full disk.
const RETRY: Duration = Duration::from_secs(1);

pub(super) struct Actor {
    common: Common,
    id: Arc<str>,
    seed: Seed,
    created_at: Millis,
    settings: Settings,
    imported: Option<Origin>,
    levels: Option<u32>,
    clock: Option<Timekeeper>,
    tempo: Tempo,
    game: GameInProgress,
    /// When each ply was played.
    played_at: Vec<Millis>,
    requests: Requests,
    next_table: Option<String>,

    /// Who is connected, in the order in which they came.
    connections: BTreeMap<u64, Connected>,
    n_joined: u64,
    changed: watch::Sender<u64>,
    views: Views,

    engine_replies: JoinSet<EngineReply>,
    engine_tasks: BTreeMap<Seat, EngineTask>,
    /// Those that have decided and are going to decide again.
    engines: BTreeMap<Seat, Engine>,
    /// Those of them that think while people do.
    pondering: BTreeMap<Seat, Pondering>,
    n_engine_tasks: u64,

    /// Counts the tables that are open.
    _open: Counted,
    /// Writing failed: what is in memory may be ahead of the disk.
    broken: bool,
    /// The disk was full: when chance and the engines try again. What people choose, they choose again themselves.
    retry_at: Option<Instant>,
    idle_since: Instant,
}

/// The person a connection is for.
struct Connected {
    client: ClientAddress,
    held: SeatSet,
}

/// An engine that is choosing an action. Aborting the task cancels its search.
struct EngineTask {
    number: u64,
    handle: AbortHandle,
    /// Set when it has begun to think.
    begun: Arc<AtomicBool>,
}

/// The action that it has chosen.
struct EngineReply {
    seat: Seat,
    /// Of the task.
    number: u64,
    n_plies: usize,
    decision: Result<EngineDecision, NoDecision>,
}

impl Actor {
    pub(super) fn new(common: Common, game: GameInProgress, stored: StoredTable, changed: watch::Sender<u64>) -> Actor {
        let StoredTable { table, plies, requests, next_table, ended: _ } = stored;
        let views_made = common.metrics.views_made.clone();
        Actor {
            _open: Counted::in_gauge(&common.metrics.tables_open),
            tempo: Tempo::of(common.engine_pause),
            common,
            seed: table.seed,
            created_at: table.created_at,
            clock: Timekeeper::of(&table, &game, &plies),
            settings: table.settings,
            imported: table.imported,
            levels: table.levels,
            game,
            played_at: plies.iter().map(|ply| ply.played_at).collect(),
            requests: Requests::of(&plies, &requests),
            next_table,
            connections: BTreeMap::new(),
            n_joined: 0,
            changed,
            views: Views::new(views_made),
            engine_replies: JoinSet::new(),
            engine_tasks: BTreeMap::new(),
            engines: BTreeMap::new(),
            pondering: BTreeMap::new(),
            n_engine_tasks: 0,
            broken: false,
            retry_at: None,
            idle_since: Instant::now(),
            id: table.id.into(),
        }
    }

    pub(super) async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Command>) {
        debug!(table = &*self.id, n_plies = self.game.n_plies(), "opened");
        // Chance may be the first to act, or a crash may have come before chance acted.
        // When this fails, `broken` is set, or a time to try again.
        let _ = self.settle(None).await;
        while !self.broken {
            let flag_falls_at = self.flag_falls_at();
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
                () = sleep_until(flag_falls_at.unwrap_or_else(Instant::now)), if flag_falls_at.is_some() => {
                    let _ = self.let_flags_fall().await;
                }
                () = sleep_until(self.idle_since + self.common.idle), if self.is_idle() => break,
            }
        }
        debug!(table = &*self.id, "closed");
    }

    fn is_idle(&self) -> bool {
        self.connections.is_empty() && self.engine_replies.is_empty()
    }

    async fn handle(&mut self, command: Command) {
        self.idle_since = Instant::now();
        // A reply that nobody waits for any more is dropped.
        match command {
            Command::Join { connection, keys, name, reply } => {
                drop(reply.send(self.join(connection, &keys, name).await));
            }
            Command::Leave { number } => self.leave(number),
            Command::View { number, held, known, reply } => {
                let n_new = self.game.n_plies().saturating_sub(known.n_plies);
                drop(reply.send(self.at_length(n_new, |actor| actor.view(number, held, known)).await));
            }
            Command::Play { held, play, reply } => drop(reply.send(self.play(held, play).await)),
            Command::Resign { held, id, seat, reply } => drop(reply.send(self.resign(held, id, seat).await)),
            Command::Draw { held, id, seat, n_plies, reply } => {
                drop(reply.send(self.offer_draw(held, id, seat, n_plies).await));
            }
            Command::Rematch { client, held, id, reply } => {
                drop(reply.send(self.rematch(client, held, id).await));
            }
            Command::Look { held, id, n_plies, reply } => {
                let look = |actor: &mut Actor| Filter::new(&actor.game, held).look(id, n_plies);
                drop(reply.send(self.at_length(n_plies, look).await));
            }
            Command::Narrow { held, id, choice, reply } => {
                drop(reply.send(Filter::new(&self.game, held).narrow(id, &choice)));
            }
            Command::Pace { id, pace, reply } => drop(reply.send(self.change_pace(id, pace))),
            Command::Step { id, reply } => drop(reply.send(self.step(id))),
            Command::Why { held, id, choice, reply } => {
                drop(reply.send(Filter::new(&self.game, held).why(id, &choice)));
            }
            Command::Hint { seat, n_plies, held, client, reply } => {
                drop(reply.send(self.question(held, client, seat, n_plies)));
            }
            Command::TakeBack { held, id, seat, n_plies, reply } => {
                drop(reply.send(self.take_back(held, id, seat, n_plies).await));
            }
            Command::Record { reply } => {
                drop(reply.send(self.at_length(self.game.n_plies(), |actor| actor.record()).await));
            }
        }
    }

    /// Does what takes as long as `n_plies` plies make it. Where these are very many, one table does after the other, so that those
    /// who ask for it again and again take one processor at most, and what else this thread serves goes on meanwhile.
    async fn at_length<T>(&mut self, n_plies: usize, work: impl FnOnce(&mut Actor) -> T) -> T {
        if n_plies <= LONG {
            return work(self);
        }
        let _turn = Arc::clone(&self.common.at_length).acquire_owned().await;
        match Handle::current().runtime_flavor() {
            RuntimeFlavor::CurrentThread => work(self),
            _ => block_in_place(|| work(self)),
        }
    }

    // Connections

    async fn join(
        &mut self,
        mut connection: Connection,
        keys: &[KeyHash],
        name: Option<String>,
    ) -> Result<Connection, Refusal> {
        let client = connection.client;
        let held = self.game.held_by(keys)?;
        if held.is_empty() {
            self.make_room_for_a_spectator(client)?;
        } else {
            held.iter().for_each(|seat| self.make_room_at(seat));
        }
        if let Some(name) = name {
            for seat in self.game.name(held, &name) {
                match self.common.store.name(&self.id, seat, &name).await {
                    // Nobody is turned away for that; the name comes with the next hello again.
                    Err(StoreError::Full) => self.game.unname(seat),
                    stored => self.checked(stored)?,
                }
            }
        }
        self.n_joined += 1;
        self.connections.insert(self.n_joined, Connected { client, held });
        self.start_clock().await?;
        let started = self.start_engines();
        // Spectators are not shown in a view; a clock shows the time since it was announced.
        if started || !held.is_empty() || self.clock.is_some() {
            self.announce();
        }
        (connection.held, connection.number) = (held, Some(self.n_joined));
        Ok(connection)
    }

    /// Where there are as many spectators as there may be, the latest of the address with the most has to go, unless
    /// the newcomer's address would then have the most.
    fn make_room_for_a_spectator(&mut self, client: ClientAddress) -> Result<(), Refusal> {
        let mut latest_by_client: BTreeMap<ClientAddress, (usize, u64)> = BTreeMap::new();
        for (&number, spectator) in self.connections.iter().filter(|(_, connected)| connected.held.is_empty()) {
            let (n, latest) = latest_by_client.entry(spectator.client).or_default();
            (*n, *latest) = (*n + 1, number);
        }
        let n_spectators: usize = latest_by_client.values().map(|&(n, _)| n).sum();
        if n_spectators < self.common.spectators {
            return Ok(());
        }
        let own = latest_by_client.get(&client).map_or(0, |&(n, _)| n);
        match latest_by_client.into_values().max() {
            Some((most, latest)) if most > own + 1 => self.close(latest),
            _ => return Err(too_many_spectators()),
        }
        Ok(())
    }

    /// Where a seat is held by as many connections as may be, the oldest has to go: it may have been lost long ago.
    fn make_room_at(&mut self, seat: Seat) {
        let holding = |(_, connected): &(&u64, &Connected)| connected.held.contains(seat);
        let n_holding = self.connections.iter().filter(holding).count();
        if n_holding >= self.common.websockets_per_seat.max(1)
            && let Some((&oldest, _)) = self.connections.iter().find(holding)
        {
            self.close(oldest);
        }
    }

    /// Forgets a connection, which is told when it asks for its next view.
    fn close(&mut self, number: u64) {
        self.connections.remove(&number);
        self.announce();
    }

    fn leave(&mut self, number: u64) {
        let Some(Connected { held, .. }) = self.connections.remove(&number) else { return };
        self.views.forget_one();
        if self.connections.is_empty() {
            self.rest_engines();
        }
        if !held.is_empty() {
            self.announce();
        }
    }

    fn connected(&self) -> SeatSet {
        self.connections.values().flat_map(|connected| connected.held.iter()).collect()
    }

    fn announce(&mut self) {
        self.keep_time();
        self.views.renew(self.connections.len());
        self.changed.send_modify(|version| *version += 1);
    }

    fn view(&mut self, number: u64, held: SeatSet, known: Known) -> Result<(Bytes, Known), Refusal> {
        if !self.connections.contains_key(&number) {
            let elsewhere = || Refusal::new("seat/elsewhere", "this seat is open in too many other places");
            return Err(if held.is_empty() { too_many_spectators() } else { elsewhere() });
        }
        let around = TableState {
            table: &self.id,
            connected: self.connected(),
            thinking: self.engine_tasks.keys().copied().collect(),
            seed: &self.seed,
            next_table: self.next_table.as_deref(),
            settings: &self.settings,
            pace: self.pace(),
            is_imported: self.imported.is_some(),
            clock: self.clock.as_ref().map(Timekeeper::shown),
        };
        let filter = Filter::new(&self.game, held);
        self.common.metrics.views_sent.inc();
        Ok(self.views.view(filter.seats(), known, || filter.view(&around, known)))
    }

    // Commands

    async fn play(&mut self, held: SeatSet, play: Play) -> Result<usize, Refusal> {
        let Play { id, seat, action, n_plies } = play;
        self.check_seat(held, seat)?;
        let request = Request::play(seat, id, &action, n_plies);
        if let Some(n_plies) = self.requests.find(&request)? {
            return Ok(n_plies);
        }
        self.let_flags_fall().await?;
        if !self.game.playing(held).contains(seat) {
            return Err(Refusal::new("seat/not-yours", format!("an engine plays seat {seat} now")));
        }
        self.game.play(seat, &action, n_plies)?;
        let with_this = self.game.n_plies();
        self.settle(Some(request.to_text())).await?;
        self.common.metrics.plies_acknowledged.inc();
        self.requests.done(request, with_this);
        Ok(with_this)
    }

    fn check_seat(&self, held: SeatSet, seat: Seat) -> Result<(), Refusal> {
        if held.contains(seat) {
            return Ok(());
        }
        Err(Refusal::not_yours(seat))
    }

    async fn resign(&mut self, held: SeatSet, id: String, seat: Seat) -> Result<usize, Refusal> {
        self.check_seat(held, seat)?;
        let request = Request::resign(seat, id);
        if let Some(n_plies) = self.requests.find(&request)? {
            return Ok(n_plies);
        }
        if let Some(resignation) = &self.game.seats()[seat].resignation {
            return Ok(resignation.n_plies);
        }
        if self.game.is_over() {
            return Err(raichi_core::PlayError::GameOver.into());
        }
        let successor = match self.game.resignation_of(seat) {
            resignation::Resignation::Ends(_) => None,
            resignation::Resignation::EnginePlaysOn => Some(self.successor()?),
        };
        let n_plies = self.game.n_plies();
        let resignation = Resignation { n_plies, successor, by_time: false };
        self.game.resign(seat, Some(resignation.clone()));
        let ending = self.game.ending();
        let text = request.to_text();
        let stored = self.common.store.resign(&self.id, seat, &resignation, now(), ending.as_ref(), Some(&text)).await;
        if let Err(StoreError::Full) = stored {
            self.game.resign(seat, None);
        }
        self.checked(stored)?;
        self.requests.done(request, n_plies);
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

    async fn rematch(&mut self, client: ClientAddress, held: SeatSet, id: String) -> Result<usize, Refusal> {
        if held.is_empty() {
            return Err(Refusal::new("seat/not-yours", "only those who hold a seat can ask for a rematch"));
        }
        if !self.game.is_over() {
            return Err(Refusal::running());
        }
        let requests: Vec<Request> = held.iter().map(|seat| Request::rematch(seat, id.clone())).collect();
        for request in &requests {
            self.requests.find(request)?;
        }
        if self.next_table.is_none() {
            self.common.admission.table(client)?;
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
                settings: self.settings.clone(),
                clock_started: None,
                imported: None,
                variations_key: None,
                levels: Some(levels::version(&**self.game.rules())),
                seats: self.game.holders_in_rematch(),
            };
            let stored = self.common.store.create_rematch(&self.id, &table).await;
            self.next_table = Some(self.checked(stored)?);
            self.common.metrics.tables_created.inc();
            self.announce();
        }
        let n_plies = self.game.n_plies();
        requests.into_iter().for_each(|request| self.requests.done(request, n_plies));
        Ok(n_plies)
    }

    fn record(&self) -> Result<Record, Refusal> {
        let ending = self.game.ending().ok_or_else(Refusal::running)?;
        let since = [self.created_at].into_iter().chain(self.played_at.iter().copied());
        let millis = since.zip(&self.played_at).map(|(before, &at)| Some((at - before).max(0) as u64));
        let plies = self.game.tokens_from(0).zip(millis).map(|(text, millis)| RecordedPly { text, millis });
        let seats = self.game.occupants();
        Ok(Record {
            version: record::VERSION,
            game: self.game.rules().spec().into(),
            position: self.game.start().map(|start| start.position.clone()),
            levels: self.levels.and_then(|version| levels::version_in_record(&seats, version)),
            seats,
            seed: self.imported.as_ref().map_or_else(|| Some(self.seed.reveal()), |origin| origin.seed.clone()),
            plies: plies.collect(),
            result: Some(RecordedResult { payoffs: ending.payoffs, end: ending.end }),
            program: crate::PROGRAM.into(),
        })
    }

    /// Completes a ply: chance acts, new plies are written to disk (nowhere else are they), and then shown.
    async fn settle(&mut self, request: Option<String>) -> Result<(), Refusal> {
        self.stop_pondering();
        let first = self.played_at.len();
        self.game.play_chance(&self.seed);
        let at = now();
        let mut plies: Vec<PlyRow> = self
            .game
            .tokens_from(first)
            .map(|text| PlyRow { text, request: None, played_at: at, used: None })
            .collect();
        if let Some(ply) = plies.first_mut() {
            ply.request = request;
            ply.used = self.time_used(first, at);
            let ending = self.game.ending();
            let began = Instant::now();
            let stored = self.common.store.append(&self.id, first, &plies, ending.as_ref()).await;
            observe(&self.common.metrics.append, began.elapsed());
            if let Err(StoreError::Full) = stored {
                self.game.truncate(first);
                self.retry_at = Some(Instant::now() + RETRY);
            }
            self.checked(stored)?;
            self.stop_clocks(first, &plies);
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
            info!(table = &*self.id, game = self.game.rules().spec(), n_plies = self.game.n_plies(), end, "over");
        }
    }

    // Engines

    /// Starts every engine that is to act, as long as somebody is connected. Returns whether one was started.
    fn start_engines(&mut self) -> bool {
        let Some(client) = self.client_of_engines().filter(|_| self.may_go_on()) else { return false };
        let n_before = self.n_engine_tasks;
        for seat in self.game.to_act().iter() {
            let Some(agent) = self.game.engine(seat).map(String::from) else { continue };
            if self.engine_tasks.contains_key(&seat) {
                continue;
            }
            let n_plies = self.game.n_plies();
            self.n_engine_tasks += 1;
            let (number, begun) = (self.n_engine_tasks, Arc::new(AtomicBool::new(false)));
            // Its random draws reveal nothing of the deck.
            let player = Player { game: Arc::clone(self.game.rules()), agent, seed: self.seed.for_engine(seat, 0) };
            let request = EngineRequest {
                client,
                table: Arc::clone(&self.id),
                player,
                engine: self.engines.remove(&seat),
                current: self.game.current().boxed_clone(),
                seat,
                most: self.budget(seat),
                begun: Arc::clone(&begun),
            };
            let clock = DecisionClock::asked(&self.common.metrics);
            let (engines, pause) = (Arc::clone(&self.common.engines), self.engine_pause());
            let handle = self.engine_replies.spawn(async move {
                let (decision, ()) = tokio::join!(engines.decide(request, clock), sleep(pause));
                EngineReply { seat, number, n_plies, decision }
            });
            self.engine_tasks.insert(seat, EngineTask { number, handle, begun });
        }
        self.start_pondering(client);
        self.n_engine_tasks > n_before
    }

    /// Whose time this table's engines take: of those who are connected, the first to come who holds a seat, and where
    /// nobody holds one the first to come who watches.
    fn client_of_engines(&self) -> Option<ClientAddress> {
        let mut connected = self.connections.values();
        let player = self.connections.values().find(|connected| !connected.held.is_empty());
        player.or_else(|| connected.next()).map(|connected| connected.client)
    }

    /// Nobody is connected: engines that think finish, which is soon, and the others wait until somebody comes.
    fn rest_engines(&mut self) {
        self.stop_pondering();
        self.engines.values_mut().for_each(Engine::forget);
        self.engine_tasks.retain(|_, task| {
            let has_begun = task.begun.load(Ordering::Relaxed);
            if !has_begun {
                task.handle.abort();
            }
            has_begun
        });
    }

    /// Cancels the engines that have nothing to decide any more, and forgets all of them once the game is over.
    fn cancel_engines(&mut self) {
        self.stop_pondering();
        if self.game.is_over() {
            // People stay to look at the end, and what a search has found may be large.
            self.engines.clear();
        }
        let to_act = self.game.to_act();
        self.engine_tasks.retain(|&seat, task| {
            let goes_on = to_act.contains(seat);
            if !goes_on {
                task.handle.abort();
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
        self.tempo.stepped();
        let action = decision.and_then(|EngineDecision { advice, took, open }| {
            self.engine_took(seat, took);
            let mut engine = self.common.engines.keep(open);
            if self.connections.is_empty() {
                engine.forget();
            }
            self.engines.insert(seat, engine);
            Ok(advice?.action)
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
                error!(table = &*self.id, game = self.game.rules().spec(), seat, why, "an engine failed");
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

fn too_many_spectators() -> Refusal {
    Refusal::busy("this table is full of spectators")
}

fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}
