//! All writes, on one thread: what is wanted while the disk is busy shares the next transaction, and so one sync.
//!
//! Each piece of work has a savepoint of its own, so that one that fails leaves the others of its transaction alone.
//! Nobody gets a reply before the commit, which syncs the log. The queue is bounded: beyond it, writers wait.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::{mpsc, oneshot};

use super::{StoreError, Written};

/// Work that waits before writers have to.
const QUEUE: usize = 1024;
/// The most work in one transaction.
const MOST_AT_ONCE: usize = 512;
/// What was found so recently still holds.
pub(super) const RECENT: Duration = Duration::from_secs(1);

/// The thread that writes, and its queue.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Box<dyn Work>>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    commits: AtomicU64,
    plies: AtomicU64,
    committed_at: Mutex<Option<Instant>>,
    /// Whether the log is to be folded into the file at the end. After a crash, or where nobody said goodbye, it is not.
    fold: AtomicBool,
}

/// One piece of work, from the queue to the reply.
trait Work: Send {
    /// Does it; what fails is undone.
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError>;
    /// How many plies it writes.
    fn n_plies(&self) -> usize;
    /// Replies, once what it did is on disk, or `failed` where nothing of the transaction is.
    fn reply(self: Box<Self>, failed: Option<&StoreError>);
}

struct Job<T, F> {
    work: Option<F>,
    n_plies: usize,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Work for Job<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let work = self.work.take().expect("work is done once");
        let result = work(connection);
        let done = result.as_ref().map(|_| ()).map_err(StoreError::clone);
        self.result = Some(result);
        done
    }

    fn n_plies(&self) -> usize {
        if matches!(self.result, Some(Ok(_))) { self.n_plies } else { 0 }
    }

    fn reply(self: Box<Self>, failed: Option<&StoreError>) {
        let result = match (failed, self.result) {
            // What failed by itself says why.
            (_, Some(Err(why))) => Err(why),
            (Some(why), _) => Err(why.clone()),
            (None, Some(done)) => done,
            (None, None) => unreachable!("a transaction is committed once all its work is done"),
        };
        // Nobody may be waiting any more.
        drop(self.reply.send(result));
    }
}

impl Writer {
    /// Starts to write over this connection.
    pub(super) fn start(connection: Connection) -> Result<Writer, std::io::Error> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new().name("store".into()).spawn(move || write(connection, jobs, &shared))?;
        Ok(Writer { queue: Mutex::new(Some(queue)), thread: Mutex::new(Some(thread)), state })
    }

    /// Does `work`, which writes so many plies, and returns once it is on disk.
    pub(super) async fn run<T, F>(&self, n_plies: usize, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let closed = || StoreError::failed("it is closed");
        let queue = locked(&self.queue).clone().ok_or_else(closed)?;
        let (reply, replied) = oneshot::channel();
        let job = Job { work: Some(work), n_plies, result: None, reply };
        queue.send(Box::new(job)).await.map_err(|_| closed())?;
        replied.await.map_err(|_| closed())?
    }

    /// Whether there was a commit just now, after which none has failed.
    pub(super) fn has_just_written(&self) -> bool {
        locked(&self.state.committed_at).is_some_and(|at| at.elapsed() < RECENT)
    }

    pub(super) fn written(&self) -> Written {
        let State { commits, plies, .. } = &*self.state;
        Written { commits: commits.load(Ordering::Relaxed), plies: plies.load(Ordering::Relaxed) }
    }

    /// Finishes all work, folds the log into the file and closes it.
    pub(super) fn close(&self) {
        self.state.fold.store(true, Ordering::Relaxed);
        self.stop();
    }

    fn stop(&self) {
        drop(locked(&self.queue).take());
        let thread = locked(&self.thread).take();
        // One that has panicked has said so.
        let _ = thread.map(JoinHandle::join);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The value, also where another thread has panicked while it had it: none leaves it half changed.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(connection: Connection, mut jobs: mpsc::Receiver<Box<dyn Work>>, state: &State) {
    while let Some(job) = jobs.blocking_recv() {
        let mut batch = vec![job];
        while batch.len() < MOST_AT_ONCE
            && let Ok(job) = jobs.try_recv()
        {
            batch.push(job);
        }
        let failed = commit(&connection, &mut batch).err();
        if let Some(why) = &failed {
            // What SQLite has not rolled back by itself.
            if !connection.is_autocommit()
                && let Err(why) = connection.execute_batch("ROLLBACK")
            {
                tracing::error!(%why, "a transaction cannot be rolled back");
            }
            tracing::warn!(%why, n = batch.len(), "a transaction failed");
        } else {
            state.commits.fetch_add(1, Ordering::Relaxed);
            let n_plies: usize = batch.iter().map(|job| job.n_plies()).sum();
            state.plies.fetch_add(n_plies as u64, Ordering::Relaxed);
        }
        *locked(&state.committed_at) = failed.is_none().then(Instant::now);
        batch.into_iter().for_each(|job| job.reply(failed.as_ref()));
    }
    if state.fold.load(Ordering::Relaxed)
        && let Err(why) = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
    {
        tracing::warn!(%why, "the log stays beside the database");
    }
}

/// One transaction with all the work that can be done. Fails where the disk does, and then all of it.
fn commit(connection: &Connection, batch: &mut [Box<dyn Work>]) -> Result<(), StoreError> {
    let run = |sql: &str| -> rusqlite::Result<()> { connection.prepare_cached(sql)?.execute([]).map(drop) };
    run("BEGIN IMMEDIATE")?;
    for job in batch {
        run("SAVEPOINT work")?;
        match job.run(connection) {
            Ok(()) => {}
            Err(why @ StoreError::Full) => return Err(why),
            // The disk has failed, and SQLite has rolled back everything.
            Err(why) if connection.is_autocommit() => return Err(why),
            Err(_) => run("ROLLBACK TO work")?,
        }
        run("RELEASE work")?;
    }
    Ok(run("COMMIT")?)
}

/// Makes the log as long as it will be, so that from then on its length need not be synced with each commit. Where there
/// is no room for that, it grows as it is written.
///
/// SQLite takes zeros behind the last commit for the end of the log.
pub(super) fn extend_log(log: &Path, length: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];
    let mut file = std::fs::OpenOptions::new().read(true).write(true).open(log)?;
    let before = file.seek(SeekFrom::End(0))?;
    let mut fill = || -> std::io::Result<()> {
        let mut missing = length.saturating_sub(before);
        while missing > 0 {
            let n = missing.min(ZEROS.len() as u64);
            file.write_all(&ZEROS[..n as usize])?;
            missing -= n;
        }
        file.sync_all()
    };
    fill().or_else(|why| file.set_len(before).and(Err(why)))
}
