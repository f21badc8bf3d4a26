//! What happens at a table, one thing after the other.
//!
//! The order that everything rests on: the game is moved on in memory, the plies are written and synced, and only then
//! is the ply acknowledged and shown. Should writing fail, the actor ends without another word, and the table is
//! opened anew from what is on disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use raichi_core::HistoryError;
use raichi_core::erased::AnyGame;
use raichi_core::record::{self, Record, RecordedPly, RecordedResult};
use raichi_core::seat::{Seat, SeatSet};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use tracing::{debug, error, info};

use super::{Command, Common, Line, Play};
use crate::agents::{Hurry, NoAnswer, Question};
use crate::error::Refusal;
use crate::message::View;
use crate::secret::{KeyHash, Seed, table_id};
use crate::sitting::Sitting;
use crate::store::{Ending, Millis, PlyRow, Resignation, StoreError, StoredTable, TableRow};
use crate::view::{Filter, Known, Surroundings};

pub(super) struct Actor {
    common: Common,
    id: String,
    seed: Seed,
    created_at: Millis,
    sitting: Sitting,
    /// When each ply was played.
    played_at: Vec<Millis>,
    /// How many plies there were with the one that each message asked for.
    requests: HashMap<String, usize>,
    next_table: Option<String>,

    n_lines: usize,
    lines_of_seat: Vec<usize>,
    changed: watch::Sender<u64>,

    thoughts: JoinSet<Thought>,
    thinkers: BTreeMap<Seat, Thinker>,
    n_thoughts: u64,

    /// Writing failed: what is in memory may be ahead of the disk.
    broken: bool,
    idle_since: Instant,
}

/// An engine at work.
struct Thinker {
    number: u64,
    task: AbortHandle,
    hurry: Hurry,
}

/// What came of it.
struct Thought {
    seat: Seat,
    number: u64,
    n_plies: usize,
    answer: Result<String, NoAnswer>,
}

impl Actor {
    pub(super) fn new(
        common: Common,
        game: Arc<dyn AnyGame>,
        stored: StoredTable,
        changed: watch::Sender<u64>,
    ) -> Result<Actor, Refusal> {
        let StoredTable { table, plies, next_table } = stored;
        let unreadable = |why: String| Refusal::from(StoreError::Unreadable { table: table.id.clone(), why });
        let n_seats = table.seats.len();
        if n_seats != game.facts().n_seats {
            return Err(unreadable(format!("{n_seats} seats are taken in {}", game.spec())));
        }
        let mut sitting = Sitting::new(game, table.seats);
        // The log is told which ply, not what it was: it may be a hidden one.
        let refused = |why: HistoryError| unreadable(format!("the rules refuse ply {} ({})", why.ply, why.why.code()));
        sitting.replay(plies.iter().map(|ply| ply.text.as_str())).map_err(refused)?;
        let numbered = plies.iter().enumerate();
        Ok(Actor {
            common,
            seed: table.seed,
            created_at: table.created_at,
            sitting,
            played_at: plies.iter().map(|ply| ply.played_at).collect(),
            requests: numbered.filter_map(|(i, ply)| Some((ply.request.clone()?, i + 1))).collect(),
            next_table,
            n_lines: 0,
            lines_of_seat: vec![0; n_seats],
            changed,
            thoughts: JoinSet::new(),
            thinkers: BTreeMap::new(),
            n_thoughts: 0,
            broken: false,
            idle_since: Instant::now(),
            id: table.id,
        })
    }

    pub(super) async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Command>) {
        debug!(table = self.id, n_plies = self.sitting.n_plies(), "opened");
        // Where the first plies are chance's, or the last one's were cut off by a crash.
        let opened = self.settle(None).await;
        self.broken |= opened.is_err();
        while !self.broken {
            tokio::select! {
                command = inbox.recv() => match command {
                    Some(command) => self.obey(command).await,
                    None => break,
                },
                Some(thought) = self.thoughts.join_next(), if !self.thoughts.is_empty() => {
                    // Only those that were called off end without an answer.
                    if let Ok(thought) = thought {
                        self.hear(thought).await;
                    }
                }
                () = sleep_until(self.idle_since + self.common.idle), if self.is_idle() => break,
            }
        }
        debug!(table = self.id, "closed");
    }

    fn is_idle(&self) -> bool {
        self.n_lines == 0 && self.thoughts.is_empty()
    }

    async fn obey(&mut self, command: Command) {
        self.idle_since = Instant::now();
        // An answer that nobody waits for any more is dropped.
        match command {
            Command::Join { line, keys, name, answer } => drop(answer.send(self.join(line, &keys, name).await)),
            Command::Leave { held } => self.leave(held),
            Command::View { held, known, answer } => drop(answer.send(self.view(held, known))),
            Command::Play { held, play, answer } => drop(answer.send(self.play(held, play).await)),
            Command::Resign { held, seat, answer } => drop(answer.send(self.resign(held, seat).await)),
            Command::Rematch { held, answer } => drop(answer.send(self.rematch(held).await)),
            Command::Look { held, id, n_plies, answer } => {
                drop(answer.send(Filter::new(&self.sitting, held).look(id, n_plies)));
            }
            Command::Narrow { held, id, half, answer } => {
                drop(answer.send(Filter::new(&self.sitting, held).narrow(id, &half)));
            }
            Command::Record { answer } => drop(answer.send(self.record())),
        }
    }

    // Who is there

    async fn join(&mut self, mut line: Line, keys: &[KeyHash], name: Option<String>) -> Result<Line, Refusal> {
        if self.n_lines >= self.common.lines_per_table {
            return Err(Refusal::busy("too many people are at this table"));
        }
        let held = self.sitting.held_by(keys)?;
        if let Some(name) = name {
            for seat in self.sitting.name(held, &name) {
                let stored = self.common.store.name(&self.id, seat, &name).await;
                self.unless_broken(stored)?;
            }
        }
        self.n_lines += 1;
        held.iter().for_each(|seat| self.lines_of_seat[seat] += 1);
        let woken = self.start_engines();
        // A spectator more or less is nothing to see.
        if woken || !held.is_empty() {
            self.announce();
        }
        (line.held, line.joined) = (held, true);
        Ok(line)
    }

    fn leave(&mut self, held: SeatSet) {
        self.n_lines -= 1;
        held.iter().for_each(|seat| self.lines_of_seat[seat] -= 1);
        if !held.is_empty() {
            self.announce();
        }
    }

    fn connected(&self) -> SeatSet {
        (0..self.lines_of_seat.len()).filter(|&seat| self.lines_of_seat[seat] > 0).collect()
    }

    fn announce(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    fn view(&self, held: SeatSet, known: Known) -> (View, Known) {
        let around = Surroundings {
            table: &self.id,
            connected: self.connected(),
            thinking: self.thinkers.keys().copied().collect(),
            seed: &self.seed,
            next_table: self.next_table.as_deref(),
        };
        Filter::new(&self.sitting, held).view(&around, known)
    }

    // What they do

    async fn play(&mut self, held: SeatSet, play: Play) -> Result<usize, Refusal> {
        let Play { id, seat, action, n_plies } = play;
        self.check_seat(held, seat)?;
        let request = format!("{seat}:{id}");
        if let Some(&n_plies) = self.requests.get(&request) {
            return Ok(n_plies);
        }
        if !self.sitting.playing(held).contains(seat) {
            return Err(Refusal::new("seat/not-yours", format!("an engine plays seat {seat} now")));
        }
        self.sitting.play(seat, &action, n_plies)?;
        let with_this = self.sitting.n_plies();
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
        let n_plies = self.sitting.n_plies();
        if self.sitting.seats()[seat].resignation.is_some() {
            return Ok(n_plies);
        }
        if self.sitting.is_over() {
            return Err(raichi_core::PlayError::GameOver.into());
        }
        let successor = if self.sitting.resigning_ends_it() { None } else { Some(self.successor()?) };
        let resignation = Resignation { n_plies, successor };
        self.sitting.resign(seat, resignation.clone());
        let ending = self.sitting.ending();
        let stored = self.common.store.resign(&self.id, seat, &resignation, now(), ending.as_ref()).await;
        self.unless_broken(stored)?;
        self.log_ending(ending.as_ref());
        self.call_off_engines();
        self.start_engines();
        self.announce();
        Ok(n_plies)
    }

    fn successor(&self) -> Result<String, Refusal> {
        let nobody = || Refusal::new("agent/refused", "no engine here can play on, so the seat cannot be given up");
        self.common.engines.successor(self.sitting.game().spec()).ok_or_else(nobody)
    }

    async fn rematch(&mut self, held: SeatSet) -> Result<usize, Refusal> {
        if held.is_empty() {
            return Err(Refusal::new("seat/not-yours", "a rematch is for those who hold a seat"));
        }
        if !self.sitting.is_over() {
            return Err(Refusal::running());
        }
        if self.next_table.is_none() {
            if !self.common.new_tables.take() {
                return Err(Refusal::busy("too many tables are being made"));
            }
            let randomness = |why| {
                error!(%why, "no rematch");
                Refusal::internal()
            };
            let table = TableRow {
                id: table_id().map_err(randomness)?,
                game: self.sitting.game().spec().into(),
                seed: Seed::new().map_err(randomness)?,
                created_at: now(),
                seats: self.sitting.seats_of_rematch(),
            };
            let stored = self.common.store.create_rematch(&self.id, &table).await;
            self.next_table = Some(self.unless_broken(stored)?);
            self.announce();
        }
        Ok(self.sitting.n_plies())
    }

    fn record(&self) -> Result<Record, Refusal> {
        let ending = self.sitting.ending().ok_or_else(Refusal::running)?;
        let since = [self.created_at].into_iter().chain(self.played_at.iter().copied());
        let millis = since.zip(&self.played_at).map(|(before, &at)| Some((at - before).max(0) as u64));
        let plies = self.sitting.tokens_from(0).zip(millis).map(|(text, millis)| RecordedPly { text, millis });
        Ok(Record {
            version: record::VERSION,
            game: self.sitting.game().spec().into(),
            seats: self.sitting.occupants(),
            seed: Some(self.seed.reveal()),
            plies: plies.collect(),
            result: Some(RecordedResult { payoffs: ending.payoffs, end: ending.end }),
            program: crate::PROGRAM.into(),
        })
    }

    /// What follows a ply, and the only way to disk: chance acts, what is new is written, and then shown.
    async fn settle(&mut self, request: Option<String>) -> Result<(), Refusal> {
        let first = self.played_at.len();
        self.sitting.play_chance(&self.seed);
        let at = now();
        let mut plies: Vec<PlyRow> =
            self.sitting.tokens_from(first).map(|text| PlyRow { text, request: None, played_at: at }).collect();
        if let Some(ply) = plies.first_mut() {
            ply.request = request;
            let ending = self.sitting.ending();
            let stored = self.common.store.append(&self.id, first, &plies, ending.as_ref()).await;
            self.unless_broken(stored)?;
            self.played_at.extend(plies.iter().map(|ply| ply.played_at));
            self.log_ending(ending.as_ref());
        }
        self.call_off_engines();
        self.start_engines();
        self.announce();
        Ok(())
    }

    fn unless_broken<T>(&mut self, stored: Result<T, StoreError>) -> Result<T, Refusal> {
        self.broken |= stored.is_err();
        Ok(stored?)
    }

    fn log_ending(&self, ending: Option<&Ending>) {
        if let Some(Ending { end, .. }) = ending {
            info!(table = self.id, game = self.sitting.game().spec(), n_plies = self.sitting.n_plies(), end, "over");
        }
    }

    // Engines

    /// Every engine that is to act thinks, as long as somebody is there to see it; answers whether one began to.
    fn start_engines(&mut self) -> bool {
        if self.n_lines == 0 {
            return false;
        }
        let thoughts_before = self.n_thoughts;
        for seat in self.sitting.to_act().iter() {
            let Some(agent) = self.sitting.engine(seat) else { continue };
            if self.thinkers.contains_key(&seat) {
                continue;
            }
            let n_plies = self.sitting.n_plies();
            let question = Question {
                game: self.sitting.game().spec().into(),
                agent: agent.into(),
                current: self.sitting.current().boxed_clone(),
                seat,
                seed: self.seed.for_engine(seat, n_plies),
            };
            self.n_thoughts += 1;
            let (number, hurry) = (self.n_thoughts, Hurry::default());
            let (engines, pause) = (Arc::clone(&self.common.engines), self.common.engine_pause);
            let button = hurry.clone();
            let task = self.thoughts.spawn(async move {
                let (answer, ()) = tokio::join!(engines.decide(question, button), sleep(pause));
                Thought { seat, number, n_plies, answer }
            });
            self.thinkers.insert(seat, Thinker { number, task, hurry });
        }
        self.n_thoughts > thoughts_before
    }

    /// Those who have nothing to decide any more stop thinking.
    fn call_off_engines(&mut self) {
        let to_act = self.sitting.to_act();
        self.thinkers.retain(|&seat, thinker| {
            let goes_on = to_act.contains(seat);
            if !goes_on {
                thinker.task.abort();
                thinker.hurry.up();
            }
            goes_on
        });
    }

    async fn hear(&mut self, thought: Thought) {
        self.idle_since = Instant::now();
        let Thought { seat, number, n_plies, answer } = thought;
        if self.thinkers.get(&seat).is_none_or(|thinker| thinker.number != number) {
            return;
        }
        self.thinkers.remove(&seat);
        let played = match answer {
            // The code and not the sentence, which may name a hidden action, goes into the log.
            Ok(action) => self.sitting.play(seat, &action, n_plies).map_err(|why| why.code.to_string()),
            Err(why) => Err(why.to_string()),
        };
        if let Err(why) = played {
            // The table moved on meanwhile, and the engine is asked again; otherwise it cannot play, and something
            // legal is played in its stead, so that the others need not wait for ever.
            if self.sitting.is_current(n_plies) && self.sitting.to_act().contains(seat) {
                error!(table = self.id, game = self.sitting.game().spec(), seat, why, "an engine failed");
                self.play_anything(seat, n_plies);
            }
        }
        // Should it fail, the actor ends.
        let _ = self.settle(None).await;
    }

    fn play_anything(&mut self, seat: Seat, n_plies: usize) {
        let legal = self.sitting.current().legal(seat);
        let index = self.seed.for_engine(seat, n_plies) % legal.len().max(1) as u64;
        if let Some(action) = legal.get(index as usize) {
            let played = self.sitting.play(seat, action, n_plies);
            debug_assert!(played.is_ok(), "a listed action is legal: {played:?}");
        }
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        // No thread thinks on for a table that is closed.
        self.thinkers.values().for_each(|thinker| thinker.hurry.up());
    }
}

fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}
