//! What each client may take, counted by address: connections, requests, messages, large replies, new tables, imports and runs of
//! the lab.
//!
//! A client that takes all it may leaves the others unharmed: what one address may have is a small part of what the
//! server has. Of the WebSockets, a part is kept for those who hold a seat, so that spectators cannot lock them out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::client::ClientAddress;
use crate::config::Limits;
use crate::error::Refusal;
use crate::limit::Allowance;

/// So many addresses are remembered, at about 200 bytes each; those that come when there are more share their limits.
const MOST_ADDRESSES: usize = 65_536;
/// An address may have so many times as many runs paused as may work.
const PAUSED_FOR_ONE_THAT_WORKS: u32 = 2;
/// A reply of so many bytes is large.
const LARGE_REPLY: usize = 256 << 10;
/// So many bytes of large replies may wait for an address to read them; a single one may be larger.
const MOST_UNREAD: usize = 64 << 20;
/// Who waits for room for a large reply looks again after so long.
const ROOM_AGAIN: Duration = Duration::from_millis(250);
/// Requests and messages of so many seconds may come at once.
const BURST_SECONDS: u32 = 10;

/// What each client has taken.
pub(crate) struct Admission {
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    clients: HashMap<ClientAddress, Usage>,
    /// Of all who came when too many addresses were remembered.
    others: Usage,
    n_spectators: u32,
    n_runs: u32,
    tables: Allowance,
    /// When there are so many addresses, those that are as good as new are forgotten.
    forget_at: usize,
}

/// What a client has taken.
struct Usage {
    n_tcp: u32,
    n_websockets: u32,
    n_spectators: u32,
    n_analyses: u32,
    n_runs: u32,
    n_paused: u32,
    is_importing: bool,
    /// Bytes of large replies that were not read yet.
    n_unread: usize,
    requests: Allowance,
    messages: Allowance,
    tables: Allowance,
}

/// Whose usage something counts to; `None` is all others.
type Account = Option<ClientAddress>;

/// A place that a connection takes, until it is dropped.
pub(crate) struct Place {
    admission: Arc<Admission>,
    account: Account,
    kind: PlaceKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaceKind {
    Tcp,
    /// A WebSocket of somebody who holds a seat, or has not said yet.
    WebSocket,
    Spectator,
    /// A reply that goes on while somebody looks at a position.
    Analysis,
    /// A run of the lab that works.
    Run,
    /// One that is paused.
    Paused,
    /// A trained agent that is being imported.
    Import,
    /// A large reply of so many bytes.
    Reply(usize),
}

/// What is sent of a large reply, and its place until it is sent.
struct Unread {
    bytes: Bytes,
    _place: Place,
}

impl AsRef<[u8]> for Unread {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Admission {
    pub(crate) fn new(limits: Limits) -> Admission {
        let now = Instant::now();
        let state = State {
            clients: HashMap::new(),
            others: Usage::new(&limits, now),
            n_spectators: 0,
            n_runs: 0,
            tables: Allowance::per_minute(limits.tables_per_minute, now),
            forget_at: 1_000.min(MOST_ADDRESSES),
        };
        Admission { limits, state: Mutex::new(state) }
    }

    /// A place for a TCP connection.
    pub(crate) fn tcp(self: &Arc<Admission>, client: ClientAddress) -> Option<Place> {
        let (mut state, account) = self.account(client);
        let usage = state.usage(account);
        if usage.n_tcp >= self.limits.tcp_connections_per_address {
            return None;
        }
        usage.n_tcp += 1;
        Some(Place { admission: Arc::clone(self), account, kind: PlaceKind::Tcp })
    }

    /// A place for a WebSocket that has not said hello yet.
    pub(crate) fn websocket(self: &Arc<Admission>, client: ClientAddress) -> Result<Place, Refusal> {
        let (mut state, account) = self.account(client);
        let usage = state.usage(account);
        if usage.n_websockets >= self.limits.websockets_per_address {
            return Err(Refusal::busy("too many connections from your address"));
        }
        usage.n_websockets += 1;
        Ok(Place { admission: Arc::clone(self), account, kind: PlaceKind::WebSocket })
    }

    /// A place for an analysis.
    pub(crate) fn analysis(self: &Arc<Admission>, client: ClientAddress) -> Result<Place, Refusal> {
        let (mut state, account) = self.account(client);
        let usage = state.usage(account);
        if usage.n_analyses >= self.limits.analyses_per_address {
            return Err(Refusal::busy("too many analyses from your address"));
        }
        usage.n_analyses += 1;
        Ok(Place { admission: Arc::clone(self), account, kind: PlaceKind::Analysis })
    }

    /// A place for the import of a trained agent, from before it arrives until it is kept.
    pub(crate) fn import(self: &Arc<Admission>, client: ClientAddress) -> Result<Place, Refusal> {
        let (mut state, account) = self.account(client);
        let usage = state.usage(account);
        if usage.is_importing {
            return Err(Refusal::busy("another agent is being imported from your address"));
        }
        usage.is_importing = true;
        Ok(Place { admission: Arc::clone(self), account, kind: PlaceKind::Import })
    }

    /// What is to be sent to a client, unless much that is large waits for the client to read it.
    pub(crate) fn reply(self: &Arc<Admission>, client: ClientAddress, bytes: Bytes) -> Result<Bytes, Refusal> {
        let n = bytes.len();
        if n < LARGE_REPLY {
            return Ok(bytes);
        }
        let (mut state, account) = self.account(client);
        let usage = state.usage(account);
        if !usage.has_room(n) {
            return Err(Refusal::busy("too many large replies to your address have not been read"));
        }
        usage.n_unread += n;
        drop(state);
        let place = Place { admission: Arc::clone(self), account, kind: PlaceKind::Reply(n) };
        Ok(Bytes::from_owner(Unread { bytes, _place: place }))
    }

    /// Waits until a reply of `n` bytes may be sent to a client.
    pub(crate) async fn room(&self, client: ClientAddress, n: usize) {
        let has_room = || {
            let (mut state, account) = self.account(client);
            state.usage(account).has_room(n)
        };
        while !has_room() {
            tokio::time::sleep(ROOM_AGAIN).await;
        }
    }

    /// Lets a client make another run, unless it has too many that are paused: each keeps what it has come to.
    pub(crate) fn new_run(self: &Arc<Admission>, client: ClientAddress) -> Result<Place, Refusal> {
        let most = self.limits.runs_per_address.saturating_mul(PAUSED_FOR_ONE_THAT_WORKS);
        let (mut state, account) = self.account(client);
        if state.usage(account).n_paused >= most {
            let message =
                format!("as many runs of yours are paused as may be ({most}); resume, stop or remove one of them");
            return Err(Refusal::new("run/too-many", message));
        }
        drop(state);
        self.run(client)
    }

    /// A place for a run of the lab that is paused, for as long as it is.
    pub(crate) fn paused(self: &Arc<Admission>, client: ClientAddress) -> Place {
        let (mut state, account) = self.account(client);
        state.usage(account).n_paused += 1;
        Place { admission: Arc::clone(self), account, kind: PlaceKind::Paused }
    }

    /// A place for a run of the lab, for as long as it works.
    pub(crate) fn run(self: &Arc<Admission>, client: ClientAddress) -> Result<Place, Refusal> {
        let (mut state, account) = self.account(client);
        let most = self.limits.runs_per_address;
        if state.usage(account).n_runs >= most {
            let message = format!("as many runs of yours work as may at a time ({most}); pause or stop one of them");
            return Err(Refusal::new("run/too-many", message));
        }
        if state.n_runs >= self.limits.runs {
            return Err(Refusal::busy("as many runs work on this server as may at a time"));
        }
        Ok(self.placed(state, account))
    }

    /// A place for a run that had one before the server was started anew.
    pub(crate) fn run_again(self: &Arc<Admission>, client: ClientAddress) -> Place {
        let (state, account) = self.account(client);
        self.placed(state, account)
    }

    fn placed(self: &Arc<Admission>, mut state: MutexGuard<'_, State>, account: Account) -> Place {
        state.n_runs += 1;
        state.usage(account).n_runs += 1;
        Place { admission: Arc::clone(self), account, kind: PlaceKind::Run }
    }

    /// Lets a request pass, unless the client makes too many.
    pub(crate) fn request(&self, client: ClientAddress) -> Result<(), Refusal> {
        let (mut state, account) = self.account(client);
        if state.usage(account).requests.take(Instant::now()) {
            return Ok(());
        }
        Err(Refusal::busy("too many requests from your address"))
    }

    /// Whether the client may send one more message, over all its WebSockets.
    pub(crate) fn message(&self, client: ClientAddress) -> bool {
        let (mut state, account) = self.account(client);
        state.usage(account).messages.take(Instant::now())
    }

    /// Lets the client create a table, unless it or all together create too many.
    pub(crate) fn table(&self, client: ClientAddress) -> Result<(), Refusal> {
        let (mut state, account) = self.account(client);
        let now = Instant::now();
        // First its own, so that those who create too many take nothing from the others.
        if !state.usage(account).tables.take(now) {
            return Err(Refusal::busy("too many tables are being created from your address"));
        }
        if !state.tables.take(now) {
            return Err(Refusal::busy("too many tables are being created"));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the account of a client, or opens one.
    fn account(&self, client: ClientAddress) -> (MutexGuard<'_, State>, Account) {
        let mut state = self.lock();
        if state.clients.contains_key(&client) {
            return (state, Some(client));
        }
        let now = Instant::now();
        if state.clients.len() >= state.forget_at {
            state.clients.retain(|_, usage| !usage.is_as_new(now));
            // So that forgetting takes a small part of the time, however many stay.
            state.forget_at = (2 * state.clients.len()).clamp(1_000.min(MOST_ADDRESSES), MOST_ADDRESSES);
        }
        if state.clients.len() >= MOST_ADDRESSES {
            return (state, None);
        }
        state.clients.insert(client, Usage::new(&self.limits, now));
        (state, Some(client))
    }

    /// How many spectators there may be of so many WebSockets.
    fn for_spectators(&self, websockets: u32) -> u32 {
        let reserved = u64::from(websockets) * u64::from(self.limits.reserved_for_seats_percent.min(100)) / 100;
        (websockets - reserved as u32).max(1)
    }
}

impl State {
    fn usage(&mut self, account: Account) -> &mut Usage {
        // An account with a place is not forgotten, nor is one that was just looked up.
        account.and_then(|client| self.clients.get_mut(&client)).unwrap_or(&mut self.others)
    }
}

impl Usage {
    fn new(limits: &Limits, now: Instant) -> Usage {
        let per_second = |n: u32| Allowance::new(n.saturating_mul(BURST_SECONDS), n.into(), now);
        Usage {
            n_tcp: 0,
            n_websockets: 0,
            n_spectators: 0,
            n_analyses: 0,
            n_runs: 0,
            n_paused: 0,
            is_importing: false,
            n_unread: 0,
            requests: per_second(limits.requests_per_second_per_address),
            messages: per_second(limits.messages_per_second_per_address),
            tables: Allowance::per_minute(limits.tables_per_minute_per_address, now),
        }
    }

    /// Whether a large reply of `n` bytes may wait to be read, besides those that do.
    fn has_room(&self, n: usize) -> bool {
        self.n_unread == 0 || self.n_unread + n <= MOST_UNREAD
    }

    /// Whether forgetting it makes no difference.
    fn is_as_new(&self, now: Instant) -> bool {
        let connected = self.n_tcp + self.n_websockets + self.n_analyses + self.n_runs + self.n_paused > 0;
        !connected
            && !self.is_importing
            && self.n_unread == 0
            && [&self.requests, &self.messages, &self.tables].iter().all(|allowance| allowance.is_full(now))
    }
}

impl Place {
    /// Says whether the WebSocket is a spectator's.
    pub(crate) fn watches(&mut self, watches: bool) -> Result<(), Refusal> {
        if watches == (self.kind == PlaceKind::Spectator) {
            return Ok(());
        }
        let admission = Arc::clone(&self.admission);
        let mut state = admission.lock();
        if !watches {
            state.n_spectators -= 1;
            state.usage(self.account).n_spectators -= 1;
            self.kind = PlaceKind::WebSocket;
            return Ok(());
        }
        let Limits { websockets, websockets_per_address, .. } = admission.limits;
        if state.n_spectators >= admission.for_spectators(websockets) {
            return Err(Refusal::busy("the server is full of spectators"));
        }
        let usage = state.usage(self.account);
        if usage.n_spectators >= admission.for_spectators(websockets_per_address) {
            return Err(Refusal::busy("too many spectators from your address"));
        }
        usage.n_spectators += 1;
        state.n_spectators += 1;
        self.kind = PlaceKind::Spectator;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.admission.lock();
        if self.kind == PlaceKind::Spectator {
            state.n_spectators -= 1;
        }
        if self.kind == PlaceKind::Run {
            state.n_runs -= 1;
        }
        let usage = state.usage(self.account);
        match self.kind {
            PlaceKind::Run => usage.n_runs -= 1,
            PlaceKind::Paused => usage.n_paused -= 1,
            PlaceKind::Import => usage.is_importing = false,
            PlaceKind::Reply(n) => usage.n_unread -= n,
            PlaceKind::Tcp => usage.n_tcp -= 1,
            PlaceKind::Analysis => usage.n_analyses -= 1,
            PlaceKind::WebSocket => usage.n_websockets -= 1,
            PlaceKind::Spectator => {
                usage.n_websockets -= 1;
                usage.n_spectators -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(n: u32) -> ClientAddress {
        ClientAddress::of(Ipv4Addr::from(n).into())
    }

    fn admission(change: impl FnOnce(&mut Limits)) -> Arc<Admission> {
        let mut limits = Limits::default();
        change(&mut limits);
        Arc::new(Admission::new(limits))
    }

    #[test]
    fn a_client_that_takes_all_it_may_leaves_the_others_unharmed() {
        let admission = admission(|limits| {
            limits.tables_per_minute_per_address = 3;
            limits.tables_per_minute = 5;
            limits.websockets_per_address = 2;
            limits.tcp_connections_per_address = 2;
            limits.requests_per_second_per_address = 1;
            limits.messages_per_second_per_address = 1;
        });
        let granted = |what: &dyn Fn() -> bool| (0..50).filter(|_| what()).count();
        assert_eq!(granted(&|| admission.table(client(1)).is_ok()), 3);
        assert_eq!(granted(&|| admission.request(client(1)).is_ok()), 10);
        assert_eq!(granted(&|| admission.message(client(1))), 10);
        let places: Vec<Place> = (0..50).filter_map(|_| admission.websocket(client(1)).ok()).collect();
        let connections: Vec<Place> = (0..50).filter_map(|_| admission.tcp(client(1))).collect();
        assert_eq!((places.len(), connections.len()), (2, 2));
        assert!(admission.request(client(2)).is_ok() && admission.message(client(2)));
        assert!(admission.websocket(client(2)).is_ok() && admission.tcp(client(2)).is_some());
        // Those that were refused for the one did not count to all.
        assert_eq!(granted(&|| admission.table(client(2)).is_ok()), 2);
        assert_eq!(admission.table(client(3)).unwrap_err().code, "server/busy");
        drop((places, connections));
        assert!(admission.websocket(client(1)).is_ok() && admission.tcp(client(1)).is_some());
    }

    #[test]
    fn spectators_leave_room_for_those_who_hold_seats() {
        let admission = admission(|limits| {
            limits.websockets = 8;
            limits.websockets_per_address = 4;
            limits.reserved_for_seats_percent = 25;
        });
        let watch = |n| {
            let mut place = admission.websocket(client(n))?;
            place.watches(true).map(|()| place)
        };
        let mut spectators: Vec<Place> = (0..8).filter_map(|_| watch(1).ok()).collect();
        assert_eq!(spectators.len(), 3, "three quarters of one address");
        let player = admission.websocket(client(1)).unwrap();
        assert!(admission.websocket(client(1)).is_err());
        spectators.extend((2..20).filter_map(|n| watch(n).ok()));
        assert_eq!(spectators.len(), 6, "three quarters of all");
        // A spectator who turns out to hold a seat makes room for another one.
        let changed = &mut spectators[0];
        changed.watches(false).unwrap();
        assert!(watch(30).is_ok());
        changed.watches(true).unwrap();
        assert!(watch(30).is_err());
        drop((spectators, player));
        assert!((1..3).all(|n| watch(n).is_ok()));
        let mut state = admission.lock();
        assert_eq!((state.n_spectators, state.usage(Some(client(1))).n_websockets), (0, 0));
    }

    #[test]
    fn so_many_runs_work_for_an_address_and_for_all() {
        let admission = admission(|limits| {
            limits.runs_per_address = 2;
            limits.runs = 3;
        });
        let again = admission.run_again(client(9));
        let first = admission.run(client(1)).unwrap();
        let second = admission.run(client(1)).unwrap();
        assert_eq!(admission.run(client(1)).err().unwrap().code, "run/too-many");
        assert_eq!(admission.run(client(2)).err().unwrap().code, "server/busy");
        drop(again);
        assert!(admission.run(client(2)).is_ok());
        drop((first, second));
        assert!(admission.run(client(1)).is_ok());
        assert_eq!(admission.lock().n_runs, 0);
    }

    #[test]
    fn so_many_runs_of_an_address_are_paused() {
        let admission = admission(|limits| limits.runs_per_address = 2);
        let mut paused: Vec<Place> = (0..4).map(|_| admission.paused(client(1))).collect();
        let refused = admission.new_run(client(1)).err().unwrap();
        assert!(refused.code == "run/too-many" && refused.message.contains("are paused as may be (4)"), "{refused:?}");
        // It may go on with one of them, and others are not affected.
        assert!(admission.run(client(1)).is_ok() && admission.new_run(client(2)).is_ok());
        paused.pop();
        assert!(admission.new_run(client(1)).is_ok());
        drop(paused);
        assert_eq!(admission.lock().usage(Some(client(1))).n_paused, 0);
    }

    #[test]
    fn so_much_of_large_replies_waits_for_an_address() {
        let admission = admission(|_| {});
        let reply = |n: u32, len: usize| admission.reply(client(n), vec![0; len].into());
        let large = reply(1, MOST_UNREAD + 1).unwrap();
        assert_eq!(large.len(), MOST_UNREAD + 1);
        assert_eq!(reply(1, LARGE_REPLY).unwrap_err().code, "server/busy");
        assert!(reply(1, LARGE_REPLY - 1).is_ok() && reply(2, LARGE_REPLY).is_ok());
        // What is left of it counts whole.
        let rest = large.slice(large.len() - 1..);
        drop(large);
        assert!(reply(1, LARGE_REPLY).is_err());
        drop(rest);
        assert!(reply(1, LARGE_REPLY).is_ok());
        assert_eq!(admission.lock().usage(Some(client(1))).n_unread, 0);
    }

    #[test]
    fn so_many_addresses_are_remembered_and_no_more() {
        let admission = admission(|limits| {
            limits.tables_per_minute = u32::MAX;
            // What is spent does not grow back while the test runs.
            limits.tables_per_minute_per_address = 1;
        });
        let all = MOST_ADDRESSES as u32;
        let refused = (0..all + 1_000).filter(|&n| admission.table(client(n)).is_err()).count();
        assert_eq!(refused, 999, "those beyond share one table");
        let places: Vec<Place> = (0..3).map(|n| admission.websocket(client(2 * all + n)).unwrap()).collect();
        let mut state = admission.lock();
        assert_eq!(state.clients.len(), MOST_ADDRESSES);
        assert_eq!(state.usage(None).n_websockets, 3, "they share an account");
        // Time passes: nobody has spent anything any more.
        for usage in state.clients.values_mut() {
            usage.tables = Allowance::new(1, 1.0, Instant::now());
        }
        drop(state);
        drop(places);
        admission.table(client(all + 1_001)).unwrap();
        assert_eq!(admission.lock().clients.len(), 1);
        assert_eq!(admission.lock().others.n_websockets, 0);
    }
}
