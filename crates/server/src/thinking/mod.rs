//! The threads that engines think on, shared fairly among clients and tables.
//!
//! [`queue`] says who is next and for how long; here are the threads and the clock. A caller that drops a [`Thought`]
//! does not need it any more: if it was waiting it never begins, and if it has begun it is cancelled.

mod queue;
mod shares;
mod spare;

use std::collections::HashMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use raichi_agents::CancelFlag;
use tokio::sync::oneshot;

use crate::client::ClientAddress;
pub(crate) use queue::EngineTimes;
use queue::{JobId, Queue};

/// The threads that engines think on. Dropping it cancels whatever is thought about.
pub(crate) struct Thinking {
    shared: Arc<Shared>,
}

struct Shared {
    start: Instant,
    state: Mutex<State>,
    /// A job has come, or the end.
    work: Condvar,
    /// Somebody waits, or the end.
    waiting: Condvar,
}

struct State {
    queue: Queue,
    tasks: HashMap<JobId, Task>,
    is_closing: bool,
}

struct Task {
    cancel: CancelFlag,
    begun: Arc<AtomicBool>,
    /// Taken when it begins.
    run: Option<Box<dyn FnOnce(Duration) + Send>>,
}

/// Something to think about.
pub(crate) struct ThinkingRequest {
    /// Whose time it takes.
    pub(crate) client: ClientAddress,
    pub(crate) table: Arc<str>,
    /// How long it takes where nobody else wants to think.
    pub(crate) wants: Duration,
    /// Cancels it once it has begun; reset when it begins.
    pub(crate) cancel: CancelFlag,
    /// Set when it begins.
    pub(crate) begun: Arc<AtomicBool>,
}

/// The engine panicked, or the server is closing.
#[derive(Debug, thiserror::Error)]
#[error("the engine failed")]
pub(crate) struct NoThought;

/// What something that is thought about will have come to.
pub(crate) struct Thought<T> {
    reply: oneshot::Receiver<T>,
    _ticket: Ticket,
}

/// Withdraws its job when it is dropped.
struct Ticket {
    job: JobId,
    shared: Arc<Shared>,
}

impl Thinking {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system has no more.
    pub(crate) fn new(n_threads: usize, times: EngineTimes) -> std::io::Result<Thinking> {
        let n_threads = n_threads.max(1);
        let state = State { queue: Queue::new(n_threads, times), tasks: HashMap::new(), is_closing: false };
        let shared =
            Shared { start: Instant::now(), state: Mutex::new(state), work: Condvar::new(), waiting: Condvar::new() };
        let thinking = Thinking { shared: Arc::new(shared) };
        let spawn = |name: String, run: fn(&Shared)| {
            let shared = Arc::clone(&thinking.shared);
            thread::Builder::new().name(name).spawn(move || run(&shared)).map(drop)
        };
        (0..n_threads).try_for_each(|n| spawn(format!("engine {n}"), Shared::think))?;
        spawn("engine clock".into(), Shared::watch_the_clock)?;
        Ok(thinking)
    }

    /// Queues `think`, which is told how long it may take.
    pub(crate) fn think<T: Send + 'static>(
        &self,
        request: ThinkingRequest,
        think: impl FnOnce(Duration) -> T + Send + 'static,
    ) -> Thought<T> {
        let ThinkingRequest { client, table, wants, cancel, begun } = request;
        self.add((cancel, begun), think, |queue| queue.enter(client, &table, wants))
    }

    /// Queues `think` for a thread that nothing else waits for. It is cancelled when something else does, or when it has
    /// had its turn and another one of these waits.
    pub(crate) fn ponder<T: Send + 'static>(
        &self,
        client: ClientAddress,
        cancel: CancelFlag,
        think: impl FnOnce() -> T + Send + 'static,
    ) -> Thought<T> {
        self.add((cancel, Arc::default()), |_| think(), |queue| queue.enter_spare(client))
    }

    fn add<T: Send + 'static>(
        &self,
        (cancel, begun): (CancelFlag, Arc<AtomicBool>),
        think: impl FnOnce(Duration) -> T + Send + 'static,
        enter: impl FnOnce(&mut Queue) -> JobId,
    ) -> Thought<T> {
        let (sender, reply) = oneshot::channel();
        // A caller that gave up waiting needs no reply.
        let run = Box::new(move |time| drop(sender.send(think(time))));
        let mut state = self.shared.lock();
        let job = enter(&mut state.queue);
        state.tasks.insert(job, Task { cancel, begun, run: Some(run) });
        drop(state);
        self.shared.work.notify_one();
        self.shared.waiting.notify_one();
        Thought { reply, _ticket: Ticket { job, shared: Arc::clone(&self.shared) } }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closing = true;
        // Those who wait learn by their task that it will never begin.
        state.tasks.values().for_each(|task| task.cancel.cancel());
        state.tasks.clear();
        drop(state);
        self.shared.work.notify_all();
        self.shared.waiting.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// A thread: thinks about one thing after the other.
    fn think(&self) {
        let mut state = self.lock();
        while !state.is_closing {
            let Some(turn) = state.queue.begin_next(self.now()) else {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let run = state.tasks.get_mut(&turn.job).and_then(|task| {
                // Only from now on does the flag mean this job; it is withdrawn under the same lock.
                task.cancel.reset();
                task.begun.store(true, Ordering::Relaxed);
                task.run.take()
            });
            drop(state);
            self.waiting.notify_one();
            if let Some(run) = run {
                // A panic is the job's and not the thread's: it drops the reply.
                let _ = catch_unwind(AssertUnwindSafe(|| run(turn.time)));
            }
            self.remove(turn.job);
            state = self.lock();
        }
    }

    /// A thread: cuts short what takes too long while others wait.
    fn watch_the_clock(&self) {
        let mut state = self.lock();
        while !state.is_closing {
            let now = self.now();
            let overdue = state.queue.overdue(now);
            for job in overdue.jobs {
                if let Some(task) = state.tasks.get(&job) {
                    task.cancel.cancel();
                }
            }
            state = match overdue.next {
                Some(next) => {
                    let waited = self.waiting.wait_timeout(state, next.saturating_sub(now));
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.waiting.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Removes a job that has ended, or that nobody needs any more. While it still runs it takes its thread, which
    /// is why only the thread itself ends what has begun.
    fn remove(&self, job: JobId) {
        let mut state = self.lock();
        state.queue.remove(job, self.now());
        state.tasks.remove(&job);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let Some(task) = state.tasks.get(&self.job) else { return };
        if task.run.is_none() {
            task.cancel.cancel();
            return;
        }
        state.queue.remove(self.job, self.shared.now());
        // What it holds is dropped without the lock.
        let task = state.tasks.remove(&self.job);
        drop(state);
        drop(task);
    }
}

impl<T> Future for Thought<T> {
    type Output = Result<T, NoThought>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.reply).poll(context).map_err(|_| NoThought)
    }
}

#[cfg(test)]
mod tests;
