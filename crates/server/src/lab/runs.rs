//! Runs: work that goes on without anybody looking at it, a slice at a time, in the queue of those who think.
//!
//! A run takes one thread at most, and its client's share of the time, like a table ([`crate::thinking`]). What it has
//! finished is stored within a second or so; what it had begun beyond that is done again after a restart, with the same
//! seeds. A run that worked when the server ended works again when it starts.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use raichi_agents::CancelFlag;
use raichi_core::record::Record;
use serde_json::Value;
use tokio::sync::watch;

use super::message::{FrameView, NewRun, RunGameView, RunMessage, RunOrder, RunRequest, RunState, RunView};
use super::tournament;
use super::trained::Turns;
use super::training;
use super::work::{self, Before, Work, damaged};
use crate::admission::{Admission, Place};
use crate::agents::Engines;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::lines::{Sender, Stopped};
use crate::secret::{Key, KeyHash, is_table_id, table_id};
use crate::store::{ALL_ITEMS, RunRow, RunStanding, RunStore, StoreError};
use crate::thinking::ThinkingRequest;

/// How long a run works before others may: a tenth of a second is not felt by anybody who waits.
const SLICE: Duration = Duration::from_millis(100);
/// How often viewers of a run are sent its state.
const TOLD: Duration = Duration::from_millis(400);
/// How often what was finished is stored.
const STORED: Duration = Duration::from_secs(1);
/// Where the files of runs have more bytes than these, a new training makes room: a full disk would end play at tables too.
const MOST_BYTES: u64 = 16 << 30;
/// So many records of a tournament are read at a time.
const GAMES_AT_A_TIME: u64 = 50;

/// All runs.
pub(crate) struct Lab {
    store: Arc<dyn RunStore>,
    engines: Arc<Engines>,
    admission: Arc<Admission>,
    /// Where runs keep what is too large for the store.
    folder: Folder,
    /// At most so many are kept.
    most: usize,
    closing: watch::Receiver<bool>,
    /// Who drives a run has an entry here first ([`Entry`]), so that none is driven twice.
    working: Mutex<HashMap<String, Arc<Working>>>,
    /// Whose the paused runs are, of those that were paused since the server began.
    paused: Mutex<HashMap<String, Place>>,
    turns: Turns,
    /// For the tasks that drive runs.
    me: Weak<Lab>,
}

/// A folder for files of runs.
pub(crate) enum Folder {
    /// Of a server that keeps nothing: it goes with the server.
    Passing(tempfile::TempDir),
    Kept(PathBuf),
}

impl Folder {
    /// The one beside this database, which is made when there is something to keep.
    ///
    /// # Errors
    /// When a passing one cannot be made.
    pub(crate) fn beside(database: &Path) -> std::io::Result<Folder> {
        if database.as_os_str() == ":memory:" {
            return tempfile::tempdir().map(Folder::Passing);
        }
        let mut name = database.as_os_str().to_owned();
        name.push("-runs");
        Ok(Folder::Kept(name.into()))
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Passing(folder) => folder.path(),
            Folder::Kept(path) => path,
        }
    }
}

/// A run that works.
struct Working {
    wanted: watch::Sender<RunState>,
    told: watch::Sender<Arc<RunView>>,
}

/// The right to drive a run: it exists once, until it is dropped.
struct Entry {
    lab: Arc<Lab>,
    id: String,
    run: Arc<Working>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.lab.working().remove(&self.id);
    }
}

/// Whose time a run takes, and its place among those of that client.
struct Holder {
    client: ClientAddress,
    /// Until it does not work any more.
    _place: Place,
}

impl Lab {
    pub(crate) fn new(
        store: Arc<dyn RunStore>,
        engines: Arc<Engines>,
        admission: Arc<Admission>,
        folder: Folder,
        most: usize,
        closing: watch::Receiver<bool>,
    ) -> Arc<Lab> {
        Arc::new_cyclic(|me| Lab {
            store,
            engines,
            admission,
            folder,
            most,
            closing,
            working: Mutex::default(),
            paused: Mutex::default(),
            turns: Turns::new(),
            me: me.clone(),
        })
    }

    /// Who waits for whom to read trained agents.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    pub(super) fn engines(&self) -> &Arc<Engines> {
        &self.engines
    }

    /// Lets those go on that worked when the server ended. Whose they were is not stored: they share one client's time.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn go_on(&self) -> Result<(), StoreError> {
        self.tidy().await?;
        let client = ClientAddress::of(Ipv4Addr::UNSPECIFIED.into());
        for row in self.store.runs_in(name(RunState::Running)).await? {
            let place = self.admission.run_again(client);
            match self.enter(&row) {
                Ok(entry) => Lab::start(entry, row, Holder { client, _place: place }),
                Err(refusal) => tracing::error!(run = row.id, why = refusal.message, "does not go on"),
            }
        }
        Ok(())
    }

    /// Removes the files of runs that are not kept any more.
    async fn tidy(&self) -> Result<(), StoreError> {
        for id in self.files().into_keys() {
            if self.store.run(&id).await?.is_none() {
                self.forgotten(&id);
            }
        }
        Ok(())
    }

    /// The runs that have a file, and how many bytes it has.
    fn files(&self) -> HashMap<String, u64> {
        let Ok(files) = std::fs::read_dir(self.folder.path()) else { return HashMap::new() };
        let of_a_run = files.flatten().filter_map(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            let id = name.strip_suffix(".zip").filter(|id| is_table_id(id))?;
            Some((id.to_string(), file.metadata().ok()?.len()))
        });
        of_a_run.collect()
    }

    /// Where the files have more than `most` bytes, forgets runs that have one and do not work, the oldest first, those that
    /// have ended before those that are paused.
    async fn make_room(&self, most: u64) -> Result<(), Refusal> {
        let files = self.files();
        let mut bytes: u64 = files.values().sum();
        if bytes <= most {
            return Ok(());
        }
        let (running, paused) = (name(RunState::Running), name(RunState::Paused));
        let mut rows = self.store.runs(usize::MAX).await?;
        rows.retain(|row| row.standing.state != running && files.contains_key(&row.id));
        rows.sort_by_key(|row| (row.standing.state == paused, row.created_at));
        for row in rows {
            // Nobody resumes it meanwhile.
            let Ok(_entry) = self.enter(&row) else { continue };
            self.store.remove_run(&row.id).await?;
            self.forgotten(&row.id);
            tracing::info!(run = row.id, "forgotten, so that there is room for the files of others");
            bytes -= files[&row.id];
            if bytes <= most {
                break;
            }
        }
        Ok(())
    }

    /// Makes a run, which works at once.
    pub(super) async fn create(&self, request: RunRequest, client: ClientAddress) -> Result<NewRun, Refusal> {
        let place = self.admission.new_run(client)?;
        self.admission.table(client)?;
        let (engines, asked) = (Arc::clone(&self.engines), request.clone());
        // Making agents ready takes a while.
        let checked = tokio::task::spawn_blocking(move || {
            work::begin(&asked, Before::default(), &engines)?;
            work::title(&asked)
        });
        let title = checked.await.map_err(|why| {
            tracing::error!(%why, "a run cannot be prepared");
            Refusal::internal()
        })??;
        let key = Key::new()?;
        let row = RunRow {
            id: table_id()?,
            key: key.hash(),
            request: serde_json::to_string(&request).expect("requests are texts and numbers"),
            title,
            created_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64),
            standing: RunStanding { state: name(RunState::Running).into(), ..RunStanding::default() },
        };
        if matches!(request, RunRequest::Training(_)) {
            self.make_room(MOST_BYTES).await?;
        }
        let entry = self.enter(&row)?;
        for id in self.store.create_run(&row, self.most).await? {
            self.forgotten(&id);
        }
        let id = row.id.clone();
        tracing::info!(run = id, title = row.title, "made");
        Lab::start(entry, row, Holder { client, _place: place });
        Ok(NewRun { run: id, key: key.reveal() })
    }

    /// The latest runs, newest first, without what they have come to.
    pub(super) async fn list(&self, most: usize) -> Result<Vec<RunView>, Refusal> {
        let rows = self.store.runs(most).await?;
        let seen = rows.into_iter().map(|row| {
            let now = self.working().get(&row.id).map(|run| (**run.told.borrow()).clone());
            now.map_or_else(|| view(&row), Ok)
        });
        seen.map(|view| view.map(|view| RunView { progress: None, ..view })).collect()
    }

    /// A run, with all that it has come to.
    pub(super) async fn view(&self, id: &str) -> Result<RunView, Refusal> {
        let working = self.working().get(id).map(|run| Arc::clone(&run.told.borrow()));
        match working {
            Some(view) => Ok((*view).clone()),
            None => view(&self.row(id).await?),
        }
    }

    /// Tells of a run as long as it works.
    pub(super) async fn watch(&self, id: &str, sender: &Sender) -> Result<(), Stopped> {
        let watched = self.working().get(id).map(|run| run.told.subscribe());
        if let Some(mut watched) = watched {
            watched.mark_changed();
            while watched.changed().await.is_ok() {
                let view = Arc::clone(&watched.borrow_and_update());
                sender.send(RunMessage::Run(Box::new((*view).clone()))).await?;
            }
        }
        let last = view(&self.row(id).await?)?;
        Ok(sender.send(RunMessage::Run(Box::new(last))).await?)
    }

    /// The games of a tournament so far.
    pub(super) async fn games(&self, id: &str) -> Result<Vec<RunGameView>, Refusal> {
        let request = request(&self.row(id).await?)?;
        let RunRequest::Tournament(request) = request else {
            return Err(Refusal::new("run/no-games", "only a tournament has games that can be looked at"));
        };
        let mut games = Vec::new();
        // Records may be long: few are held at a time, and read beside what serves others.
        loop {
            let first = games.len() as u64;
            let finished = self.store.run_items(id, first..first + GAMES_AT_A_TIME).await?;
            if finished.is_empty() {
                return Ok(games);
            }
            let agents = request.agents.clone();
            let read = tokio::task::spawn_blocking(move || tournament::games(&agents, first, &finished));
            games.extend(read.await.map_err(|_| Refusal::internal())??);
        }
    }

    /// The record of one of these games.
    pub(crate) async fn record(&self, id: &str, number: u64) -> Result<Record, Refusal> {
        let row = self.row(id).await?;
        let is_tournament = matches!(request(&row)?, RunRequest::Tournament(_));
        let kept =
            if is_tournament { self.store.run_items(id, number..number.saturating_add(1)).await? } else { Vec::new() };
        let unknown = || Refusal::new("run/unknown", format!("there is no game {number} in this run, or not yet"));
        let kept = kept.into_iter().next().ok_or_else(unknown)?;
        let read = tokio::task::spawn_blocking(move || serde_json::from_str(&kept));
        let kept: tournament::Kept = read.await.map_err(|_| Refusal::internal())?.map_err(damaged)?;
        Ok(kept.record)
    }

    /// Does what somebody asks who has the key.
    pub(super) async fn order(
        &self,
        id: &str,
        key: &str,
        what: RunOrder,
        named: Option<String>,
        client: ClientAddress,
    ) -> Result<RunView, Refusal> {
        let row = self.row(id).await?;
        if KeyHash::of(key) != row.key {
            return Err(Refusal::new("run/key", "this key is not the one of this run"));
        }
        match what {
            RunOrder::Resume => self.resume(&row, client).await?,
            RunOrder::Pause => self.end(id, RunState::Paused).await?,
            RunOrder::Stop => self.end(id, RunState::Stopped).await?,
            RunOrder::Keep => self.keep(&row, named).await?,
            RunOrder::Remove => {
                let last = view(&row)?;
                // It may have come to its end by itself.
                let _ = self.end(id, RunState::Stopped).await;
                self.store.remove_run(id).await?;
                self.forgotten(id);
                return Ok(last);
            }
        }
        self.view(id).await
    }

    async fn resume(&self, row: &RunRow, client: ClientAddress) -> Result<(), Refusal> {
        if state(row)? != RunState::Paused {
            return Err(Refusal::new("run/state", format!("this run is {}, not paused", row.standing.state)));
        }
        // Of several who ask at the same time one goes on from here.
        let entry = self.enter(row)?;
        let place = self.admission.run(client)?;
        let is_mine = self.store.change_run(&row.id, name(RunState::Paused), name(RunState::Running)).await?;
        // Since it was read it may have worked, been paused again, or ended.
        let row = self.row(&row.id).await?;
        if !is_mine {
            return Err(Refusal::new("run/state", format!("this run is {}, not paused", row.standing.state)));
        }
        self.paused().remove(&row.id);
        Lab::start(entry, row, Holder { client, _place: place });
        Ok(())
    }

    /// Lets a run that works or is paused become paused or stopped; returns once it is.
    async fn end(&self, id: &str, wanted: RunState) -> Result<(), Refusal> {
        loop {
            let working = self.working().get(id).cloned();
            if let Some(run) = working {
                let mut told = run.told.subscribe();
                run.wanted.send_replace(wanted);
                drop(run);
                // The task drops what it tells by when it has ended.
                while told.changed().await.is_ok() {}
            }
            let row = self.row(id).await?;
            match state(&row)? {
                now if now == wanted => return Ok(()),
                // Resumed meanwhile.
                RunState::Running if self.working().contains_key(id) => {}
                // One that nobody drives says that it runs where its failure could not be stored.
                RunState::Paused | RunState::Running => {
                    if self.store.change_run(id, &row.standing.state, name(wanted)).await? {
                        self.paused().remove(id);
                        return Ok(());
                    }
                }
                _ => return Err(Refusal::new("run/state", format!("this run is {} already", row.standing.state))),
            }
        }
    }

    /// Keeps what a training has learned as an agent of this name.
    async fn keep(&self, row: &RunRow, name: Option<String>) -> Result<(), Refusal> {
        let RunRequest::Training(request) = request(row)? else {
            return Err(Refusal::new("run/state", "only a training has an agent that could be kept"));
        };
        if self.working().contains_key(&row.id) {
            return Err(Refusal::new("run/state", "this run is running; pause or stop it first"));
        }
        let (file, engines) = (self.file(&row.id), Arc::clone(&self.engines));
        let name = name.unwrap_or_default();
        let kept = tokio::task::spawn_blocking(move || training::keep(&request, &file, &name, &engines));
        kept.await.map_err(|_| Refusal::internal())?
    }

    /// What a training's agent played against itself, position by position.
    pub(super) async fn sample(&self, id: &str) -> Result<Vec<FrameView>, Refusal> {
        let view = self.view(id).await?;
        let frames = tokio::task::spawn_blocking(move || training::frames(&view.request, view.progress.as_ref()));
        frames.await.map_err(|_| Refusal::internal())?
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.path().join(format!("{id}.zip"))
    }

    async fn row(&self, id: &str) -> Result<RunRow, Refusal> {
        let found = if is_table_id(id) { self.store.run(id).await? } else { None };
        found.ok_or_else(|| Refusal::new("run/unknown", "there is no such run here"))
    }

    fn working(&self) -> MutexGuard<'_, HashMap<String, Arc<Working>>> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paused(&self) -> MutexGuard<'_, HashMap<String, Place>> {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what is kept of a run outside the store, once it is not in the store any more.
    fn forgotten(&self, id: &str) {
        self.paused().remove(id);
        // Most runs have none. One that stays is removed when the server starts.
        let _ = std::fs::remove_file(self.file(id));
    }

    /// Makes the caller the one who drives a run.
    ///
    /// # Errors
    /// When somebody does already.
    fn enter(&self, row: &RunRow) -> Result<Entry, Refusal> {
        let lab = self.me.upgrade().ok_or_else(Refusal::internal)?;
        let standing = RunStanding { state: name(RunState::Running).into(), ..row.standing.clone() };
        let first = view(&RunRow { standing, ..row.clone() })?;
        let run = Arc::new(Working {
            wanted: watch::Sender::new(RunState::Running),
            told: watch::Sender::new(Arc::new(first)),
        });
        let mut working = self.working();
        if working.contains_key(&row.id) {
            return Err(Refusal::new("run/state", "this run is running already"));
        }
        working.insert(row.id.clone(), Arc::clone(&run));
        drop(working);
        Ok(Entry { lab, id: row.id.clone(), run })
    }

    /// Drives a run from now on.
    fn start(entry: Entry, row: RunRow, holder: Holder) {
        tokio::spawn(async move {
            let lab = Arc::clone(&entry.lab);
            let now = Instant::now();
            let mut drive = Drive { entry, row, n_items: 0, new: Vec::new(), stored_at: now, tell_at: now };
            if let Err(refusal) = lab.drive(&mut drive, &holder).await {
                tracing::warn!(run = drive.row.id, why = refusal.message, "failed");
                drive.row.standing.why = Some(refusal.message);
                drive.row.standing.state = name(RunState::Failed).into();
                // Where nothing can be stored any more, it works again after a restart.
                let _ = drive.store(&lab).await;
            }
            if drive.row.standing.state == name(RunState::Paused) {
                lab.paused().insert(drive.row.id.clone(), lab.admission.paused(holder.client));
            }
            // Before the entry: who is told that it has ended may begin another one.
            drop(holder);
        });
    }

    /// Works until all is done, or something else is wanted, or the server ends.
    async fn drive(&self, drive: &mut Drive, holder: &Holder) -> Result<(), Refusal> {
        let finished = self.store.run_items(&drive.row.id, ALL_ITEMS).await?;
        drive.n_items = finished.len() as u64;
        let (request, engines) = (request(&drive.row)?, Arc::clone(&self.engines));
        let before = Before { finished, file: Some(self.file(&drive.row.id)) };
        let begun = tokio::task::spawn_blocking(move || work::begin(&request, before, &engines)).await;
        let mut work = begun.map_err(|_| Refusal::internal())??;
        let cancel = work.cancel_flag();
        let (mut wanted, mut closing) = (drive.entry.run.wanted.subscribe(), self.closing.clone());
        loop {
            let now = *wanted.borrow_and_update();
            if work.is_over() || now != RunState::Running {
                let last = tokio::task::spawn_blocking(move || {
                    let saved = work.save();
                    saved.map(|()| (work.is_over(), Noted::of(&*work)))
                });
                let (is_over, noted) = last.await.map_err(|_| Refusal::internal())??;
                drive.note(noted, if is_over { RunState::Done } else { now });
                drive.store(self).await?;
                return Ok(());
            }
            let Slice { work: after, finished, noted, took } = {
                let slice = self.slice(&drive.row.id, holder.client, work, drive.tell_at);
                tokio::pin!(slice);
                loop {
                    tokio::select! {
                        slice = &mut slice => break slice?,
                        // What was not stored is done again.
                        _ = closing.changed() => return Ok(()),
                        // A request to pause or stop does not wait for what takes long.
                        Ok(()) = wanted.changed() => cancel.iter().for_each(CancelFlag::cancel),
                    }
                }
            };
            work = after;
            drive.new.extend(finished?);
            drive.row.standing.millis += took.as_millis() as u64;
            let Some(noted) = noted else { continue };
            drive.note(noted, RunState::Running);
            if drive.stored_at.elapsed() >= STORED {
                drive.store(self).await?;
            }
        }
    }

    /// Works for a slice, once it is the run's turn. After `tell_at` it takes note of how far the work is, which may take a
    /// while too.
    async fn slice(
        &self,
        id: &str,
        client: ClientAddress,
        mut work: Box<dyn Work>,
        tell_at: Instant,
    ) -> Result<Slice, Refusal> {
        let cancel = CancelFlag::default();
        let request =
            ThinkingRequest { client, table: id.into(), wants: SLICE, cancel: cancel.clone(), begun: Arc::default() };
        let thought = self.engines.thinking().think(request, move |time| {
            let start = Instant::now();
            let finished = work.advance(&mut || start.elapsed() >= time || cancel.is_cancelled());
            let took = start.elapsed();
            let noted = (Instant::now() >= tell_at).then(|| Noted::of(&*work));
            Slice { work, finished, noted, took }
        });
        thought.await.map_err(|_| Refusal::new("run/failed", "the work ended without a result"))
    }
}

/// What came of a slice.
struct Slice {
    work: Box<dyn Work>,
    finished: Result<Vec<String>, Refusal>,
    noted: Option<Noted>,
    took: Duration,
}

/// How far work is.
struct Noted {
    n_done: u64,
    n_total: Option<u64>,
    /// As JSON.
    progress: String,
}

impl Noted {
    /// Works out what the work has come to, which may take a while.
    fn of(work: &dyn Work) -> Noted {
        let progress = serde_json::to_string(&work.progress()).expect("progress is texts and finite numbers");
        Noted { n_done: work.n_done(), n_total: work.n_total(), progress }
    }
}

/// A run that is driven.
struct Drive {
    entry: Entry,
    row: RunRow,
    /// How many items are stored.
    n_items: u64,
    /// What is to be stored besides.
    new: Vec<String>,
    stored_at: Instant,
    /// When those who look at it are told how far it is.
    tell_at: Instant,
}

impl Drive {
    /// Takes note of how far the work is, and tells those who look at it.
    fn note(&mut self, noted: Noted, state: RunState) {
        let standing = &mut self.row.standing;
        standing.state = name(state).into();
        (standing.n_done, standing.n_total, standing.progress) = (noted.n_done, noted.n_total, Some(noted.progress));
        self.tell_at = Instant::now() + TOLD;
        // The last state is read from the store.
        if state == RunState::Running
            && let Ok(view) = view(&self.row)
        {
            self.entry.run.told.send_replace(Arc::new(view));
        }
    }

    async fn store(&mut self, lab: &Lab) -> Result<(), Refusal> {
        lab.store.advance_run(&self.row.id, &self.row.standing, self.n_items, &self.new).await?;
        self.n_items += self.new.len() as u64;
        self.new.clear();
        self.stored_at = Instant::now();
        Ok(())
    }
}

fn request(row: &RunRow) -> Result<RunRequest, Refusal> {
    serde_json::from_str(&row.request).map_err(damaged)
}

fn view(row: &RunRow) -> Result<RunView, Refusal> {
    let RunStanding { why, millis, n_done, n_total, progress, .. } = row.standing.clone();
    let progress = progress.map(|text| serde_json::from_str::<Value>(&text).map_err(damaged)).transpose()?;
    Ok(RunView {
        run: row.id.clone(),
        request: request(row)?,
        title: row.title.clone(),
        state: state(row)?,
        why,
        created_at: row.created_at,
        millis,
        n_done,
        n_total,
        progress,
    })
}

const STATES: [(RunState, &str); 5] = [
    (RunState::Running, "running"),
    (RunState::Paused, "paused"),
    (RunState::Stopped, "stopped"),
    (RunState::Done, "done"),
    (RunState::Failed, "failed"),
];

/// A state as it is stored.
fn name(state: RunState) -> &'static str {
    STATES.iter().find(|(one, _)| *one == state).map_or("failed", |(_, name)| name)
}

fn state(row: &RunRow) -> Result<RunState, Refusal> {
    let found = STATES.iter().find(|(_, name)| *name == row.standing.state);
    found.map(|(state, _)| *state).ok_or_else(|| damaged("an unknown state"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;
    use crate::store::SqliteStore;
    use crate::thinking::{EngineTimes, Thinking};

    #[tokio::test]
    async fn room_is_made_by_forgetting_the_oldest_that_do_not_work() {
        let store = Arc::new(SqliteStore::open(":memory:".as_ref()).await.unwrap());
        let engines = Arc::new(Engines::new(Thinking::new(1, EngineTimes::default()).unwrap(), 1));
        let folder = Folder::Passing(tempfile::tempdir().unwrap());
        let (_closing, is_closing) = watch::channel(false);
        let lab = Lab::new(store.clone(), engines, Arc::new(Admission::new(Limits::default())), folder, 10, is_closing);
        let request = r#"{"kind":"balance","variants":["nim"],"agent":"random","games":1,"seed":1}"#;
        let mut ids = Vec::new();
        for (at, state) in ["paused", "done", "running", "stopped", "done"].into_iter().enumerate() {
            let id = table_id().unwrap();
            let standing = RunStanding { state: state.into(), ..RunStanding::default() };
            let (key, title) = (KeyHash::of("key"), "a run".into());
            let row = RunRow { id: id.clone(), key, request: request.into(), title, created_at: at as i64, standing };
            store.create_run(&row, 10).await.unwrap();
            // The last one has no file.
            if at < 4 {
                std::fs::write(lab.file(&id), [0; 100]).unwrap();
            }
            ids.push(id);
        }
        let left = async || {
            let mut left = Vec::new();
            for (i, id) in ids.iter().enumerate() {
                let is_there = store.run(id).await.unwrap().is_some();
                assert_eq!(is_there && i < 4, lab.file(id).exists(), "{i}");
                left.extend(is_there.then_some(i));
            }
            left
        };
        lab.make_room(400).await.unwrap();
        assert_eq!(left().await, [0, 1, 2, 3, 4]);
        lab.make_room(399).await.unwrap();
        assert_eq!(left().await, [0, 2, 3, 4]);
        lab.make_room(100).await.unwrap();
        assert_eq!(left().await, [2, 4], "one that works stays");
        lab.make_room(0).await.unwrap();
        assert_eq!(left().await, [2, 4]);
        assert!(lab.working().is_empty());
    }
}
