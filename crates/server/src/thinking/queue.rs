//! Whose engine thinks next, and for how long: the order, without clock and threads.
//!
//! Time is shared among clients, and each client's among its tables. Where there is more to think about than there are
//! threads, everybody thinks for a shorter time: a client's engines for the part that its threads allow, and while another
//! client waits, nobody longer than a turn. What is too long by the time that somebody comes is cut short. Threads that are
//! left over are for what can be done in spare time ([`super::spare`]), which ends as soon as a job has no thread.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::shares::Shares;
use super::spare::Spare;
use crate::client::ClientAddress;

pub(super) type JobId = u64;

/// A table, by its id.
pub(super) type Table = Arc<str>;

/// How long engines may think while others want to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineTimes {
    /// Everybody gets at least this, however many there are.
    pub(crate) least: Duration,
    /// Nobody gets more than this while another client waits.
    pub(crate) turn: Duration,
}

#[cfg(test)]
impl Default for EngineTimes {
    fn default() -> EngineTimes {
        let crate::config::Config { engine_least: least, engine_turn: turn, .. } = Default::default();
        EngineTimes { least, turn }
    }
}

/// What waits and what is being thought about. Times are counted from any fixed moment.
pub(super) struct Queue {
    n_threads: usize,
    times: EngineTimes,
    clients: Shares<ClientAddress>,
    tables: HashMap<ClientAddress, Shares<Table>>,
    waiting: BTreeMap<ClientAddress, BTreeMap<Table, VecDeque<JobId>>>,
    jobs: HashMap<JobId, Job>,
    n_waiting: usize,
    spare: Spare,
    n_jobs: JobId,
}

/// Something to think about.
struct Job {
    client: ClientAddress,
    table: Table,
    /// How long it would take, had it a thread for itself.
    wants: Duration,
    begun: Option<Begun>,
}

#[derive(Clone, Copy)]
struct Begun {
    at: Duration,
    /// How long it was allowed when it began.
    most: Duration,
    is_hurried: bool,
}

/// A job that is to begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) job: JobId,
    /// How long it may take.
    pub(super) time: Duration,
}

/// The jobs that have had their time while others wait.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Overdue {
    pub(super) jobs: Vec<JobId>,
    /// When the next one will be, unless something changes.
    pub(super) next: Option<Duration>,
}

impl Queue {
    pub(super) fn new(n_threads: usize, times: EngineTimes) -> Queue {
        Queue {
            n_threads: n_threads.max(1),
            times,
            clients: Shares::default(),
            tables: HashMap::new(),
            waiting: BTreeMap::new(),
            jobs: HashMap::new(),
            n_waiting: 0,
            spare: Spare::new(times.turn),
            n_jobs: 0,
        }
    }

    /// Adds something to think about.
    pub(super) fn enter(&mut self, client: ClientAddress, table: &Table, wants: Duration) -> JobId {
        self.n_jobs += 1;
        let (id, table) = (self.n_jobs, Arc::clone(table));
        self.clients.enter(&client);
        self.tables.entry(client).or_default().enter(&table);
        self.waiting.entry(client).or_default().entry(Arc::clone(&table)).or_default().push_back(id);
        self.n_waiting += 1;
        self.jobs.insert(id, Job { client, table, wants, begun: None });
        id
    }

    /// Adds something to think about in spare time.
    pub(super) fn enter_spare(&mut self, client: ClientAddress) -> JobId {
        self.n_jobs += 1;
        self.spare.enter(self.n_jobs, client);
        self.n_jobs
    }

    /// Threads on which no job runs; on some of them something may be done in spare time.
    fn n_left_over(&self) -> usize {
        self.n_threads.saturating_sub(self.jobs.len() - self.n_waiting)
    }

    /// How many jobs have to wait until another one ends.
    fn n_short_of_threads(&self) -> usize {
        self.n_waiting.saturating_sub(self.n_left_over())
    }

    /// Begins the job that is next, if a thread is free.
    pub(super) fn begin_next(&mut self, now: Duration) -> Option<Turn> {
        if self.spare.n_running() >= self.n_left_over() {
            return None;
        }
        if self.n_waiting == 0 {
            return self.spare.begin_next(now);
        }
        let client = self.clients.next(self.waiting.keys())?;
        let table = self.tables[&client].next(self.waiting[&client].keys())?;
        let id = *self.waiting[&client][&table].front()?;
        self.no_longer_waits(id);
        let time = self.allowed(&self.jobs[&id]);
        self.clients.serve(&client, time);
        self.tables.get_mut(&client)?.serve(&table, time);
        self.jobs.get_mut(&id)?.begun = Some(Begun { at: now, most: time, is_hurried: false });
        Some(Turn { job: id, time })
    }

    /// Removes a job that has ended or that nobody needs any more.
    pub(super) fn remove(&mut self, id: JobId, now: Duration) {
        self.spare.remove(id, now);
        if self.is_waiting(id) {
            self.no_longer_waits(id);
        }
        let Some(Job { client, table, begun, .. }) = self.jobs.remove(&id) else { return };
        let Some(tables) = self.tables.get_mut(&client) else { return };
        if let Some(Begun { at, most, .. }) = begun {
            let used = now.saturating_sub(at);
            self.clients.charge(&client, most, used);
            tables.charge(&table, most, used);
        }
        tables.leave(&table);
        if tables.n_active() == 0 {
            self.tables.remove(&client);
        }
        self.clients.leave(&client);
    }

    fn is_waiting(&self, id: JobId) -> bool {
        self.jobs.get(&id).is_some_and(|job| job.begun.is_none())
    }

    fn no_longer_waits(&mut self, id: JobId) {
        let Job { client, table, .. } = &self.jobs[&id];
        let Some(tables) = self.waiting.get_mut(client) else { return };
        if let Some(jobs) = tables.get_mut(table) {
            jobs.retain(|&job| job != id);
            if jobs.is_empty() {
                tables.remove(table);
            }
        }
        if tables.is_empty() {
            self.waiting.remove(client);
        }
        self.n_waiting -= 1;
    }

    /// Which jobs have had their time; each is named once.
    pub(super) fn overdue(&mut self, now: Duration) -> Overdue {
        let n_free = self.n_left_over().saturating_sub(self.spare.n_running());
        let mut overdue = self.spare.overdue(self.n_waiting.saturating_sub(n_free), now);
        if self.n_short_of_threads() == 0 {
            return overdue;
        }
        for (&id, job) in &self.jobs {
            let Some(Begun { at, is_hurried: false, .. }) = job.begun else { continue };
            let end = at + self.allowed(job);
            if end <= now {
                overdue.jobs.push(id);
            } else {
                overdue.next = Some(overdue.next.map_or(end, |next| next.min(end)));
            }
        }
        // Those in spare time are none of these.
        for id in &overdue.jobs {
            if let Some(Job { begun: Some(begun), .. }) = self.jobs.get_mut(id) {
                begun.is_hurried = true;
            }
        }
        overdue
    }

    /// How long a job may be thought about, as things are.
    fn allowed(&self, job: &Job) -> Duration {
        if self.n_short_of_threads() == 0 {
            return job.wants;
        }
        let threads_of_a_client = self.n_threads as f64 / self.clients.n_active() as f64;
        let part = threads_of_a_client / self.clients.n_jobs(&job.client) as f64;
        let mut allowed = job.wants.mul_f64(part.min(1.0));
        let another_waits = self.waiting.keys().any(|&client| client != job.client);
        if another_waits {
            allowed = allowed.min(self.times.turn.mul_f64(threads_of_a_client.min(1.0)));
        }
        allowed.max(self.times.least).min(job.wants)
    }
}

#[cfg(test)]
mod tests;
