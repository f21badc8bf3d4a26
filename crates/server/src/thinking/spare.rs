//! What is thought about on threads that no job wants: who is next, and who has to make room.
//!
//! Time is shared among clients; of a client's, the first to come is next. Where more wait than there are threads left,
//! each has a turn. When a job needs the thread, it is given up at once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use super::queue::{JobId, Overdue, Turn};
use super::shares::Shares;
use crate::client::ClientAddress;

pub(super) struct Spare {
    turn: Duration,
    clients: Shares<ClientAddress>,
    waiting: BTreeMap<ClientAddress, VecDeque<JobId>>,
    owners: HashMap<JobId, ClientAddress>,
    /// In the order in which they began.
    running: Vec<Running>,
}

struct Running {
    id: JobId,
    at: Duration,
    /// Whether it was told to end.
    is_ending: bool,
}

impl Spare {
    pub(super) fn new(turn: Duration) -> Spare {
        Spare {
            turn,
            clients: Shares::default(),
            waiting: BTreeMap::new(),
            owners: HashMap::new(),
            running: Vec::new(),
        }
    }

    pub(super) fn n_running(&self) -> usize {
        self.running.len()
    }

    pub(super) fn enter(&mut self, id: JobId, client: ClientAddress) {
        self.clients.enter(&client);
        self.owners.insert(id, client);
        self.waiting.entry(client).or_default().push_back(id);
    }

    /// Begins the one that is next.
    pub(super) fn begin_next(&mut self, now: Duration) -> Option<Turn> {
        let client = self.clients.next(self.waiting.keys())?;
        let waiting = self.waiting.get_mut(&client)?;
        let id = waiting.pop_front()?;
        if waiting.is_empty() {
            self.waiting.remove(&client);
        }
        self.clients.serve(&client, self.turn);
        self.running.push(Running { id, at: now, is_ending: false });
        Some(Turn { job: id, time: self.turn })
    }

    /// Removes one that has ended or that nobody needs any more; others are left alone.
    pub(super) fn remove(&mut self, id: JobId, now: Duration) {
        let Some(client) = self.owners.remove(&id) else { return };
        if let Some(i) = self.running.iter().position(|running| running.id == id) {
            let used = now.saturating_sub(self.running.remove(i).at);
            self.clients.charge(&client, self.turn, used);
        } else if let Some(waiting) = self.waiting.get_mut(&client) {
            waiting.retain(|&other| other != id);
            if waiting.is_empty() {
                self.waiting.remove(&client);
            }
        }
        self.clients.leave(&client);
    }

    /// Which are to end: so many threads are needed, or others wait for their turn. Each is named once.
    pub(super) fn overdue(&mut self, n_needed: usize, now: Duration) -> Overdue {
        let n_ending = self.running.iter().filter(|running| running.is_ending).count();
        let mut n_needed = n_needed.saturating_sub(n_ending);
        let others_wait = !self.waiting.is_empty();
        let mut overdue = Overdue::default();
        for running in self.running.iter_mut().filter(|running| !running.is_ending) {
            let end = running.at + self.turn;
            if n_needed > 0 || others_wait && end <= now {
                n_needed = n_needed.saturating_sub(1);
                running.is_ending = true;
                overdue.jobs.push(running.id);
            } else if others_wait {
                overdue.next = Some(overdue.next.map_or(end, |next| next.min(end)));
            }
        }
        overdue
    }
}
