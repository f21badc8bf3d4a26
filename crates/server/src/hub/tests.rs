//! Tables without sockets, on a store that fails when told to.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use raichi_agents::{Advice, AgentError, Budget, CancelFlag, Prepared, Session};
use raichi_core::AnyMatch;
use raichi_core::seat::Seat;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::*;
use crate::admission::Admission;
use crate::agents::Engines;
use crate::config::Limits;
use crate::metrics::Metrics;
use crate::operations::Readiness;
use crate::store::{
    Ending, Finished, Imported, KeptVariations, Millis, PlyRow, Resignation, SqliteStore, Store, StoreError,
    StoredTable, TriedLine, Wanted, Written,
};
use crate::table::Play;
use crate::thinking::{EngineTimes, Thinking};

/// A store that writes nothing while it is broken.
struct Fragile {
    store: SqliteStore,
    is_broken: AtomicBool,
    is_full: AtomicBool,
}

impl Fragile {
    fn check(&self) -> Result<(), StoreError> {
        if self.is_full.load(Ordering::SeqCst) {
            return Err(StoreError::Full);
        }
        if self.is_broken.load(Ordering::SeqCst) { Err(StoreError::failed("the disk is on fire")) } else { Ok(()) }
    }
}

#[async_trait]
impl Store for Fragile {
    async fn create(&self, table: &TableRow) -> Result<(), StoreError> {
        self.check()?;
        self.store.create(table).await
    }
    async fn create_rematch(&self, previous: &str, table: &TableRow) -> Result<String, StoreError> {
        self.check()?;
        self.store.create_rematch(previous, table).await
    }
    async fn load(&self, id: &str) -> Result<Option<StoredTable>, StoreError> {
        self.store.load(id).await
    }
    async fn append(&self, t: &str, first: usize, plies: &[PlyRow], end: Option<&Ending>) -> Result<(), StoreError> {
        self.check()?;
        self.store.append(t, first, plies, end).await
    }
    async fn take_back(&self, table: &str, n_plies: usize, request: &str) -> Result<(), StoreError> {
        self.check()?;
        self.store.take_back(table, n_plies, request).await
    }
    async fn resign(
        &self,
        table: &str,
        seat: usize,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
        request: Option<&str>,
    ) -> Result<(), StoreError> {
        self.check()?;
        self.store.resign(table, seat, resignation, at, ending, request).await
    }
    async fn start_clock(&self, table: &str, at: Millis) -> Result<(), StoreError> {
        self.check()?;
        self.store.start_clock(table, at).await
    }
    async fn offer_draw(
        &self,
        table: &str,
        seat: usize,
        n_plies: usize,
        at: Millis,
        ending: Option<&Ending>,
        request: &str,
    ) -> Result<(), StoreError> {
        self.check()?;
        self.store.offer_draw(table, seat, n_plies, at, ending, request).await
    }
    async fn finished(&self, wanted: &Wanted, most: usize) -> Result<Vec<Finished>, StoreError> {
        self.check()?;
        self.store.finished(wanted, most).await
    }
    async fn played_with(&self, seed: &Seed) -> Result<Option<String>, StoreError> {
        self.store.played_with(seed).await
    }
    async fn import(&self, imported: &Imported) -> Result<String, StoreError> {
        self.check()?;
        self.store.import(imported).await
    }
    async fn variations(&self, table: &str) -> Result<KeptVariations, StoreError> {
        self.store.variations(table).await
    }
    async fn keep_variations(&self, t: &str, revision: u32, lines: &[TriedLine]) -> Result<Option<u32>, StoreError> {
        self.check()?;
        self.store.keep_variations(t, revision, lines).await
    }
    async fn name(&self, table: &str, seat: usize, name: &str) -> Result<(), StoreError> {
        self.check()?;
        self.store.name(table, seat, name).await
    }
    fn serving_at(&self, address: std::net::SocketAddr) {
        self.store.serving_at(address);
    }
    async fn ready(&self) -> Result<(), StoreError> {
        self.check()?;
        self.store.ready().await
    }
    fn written(&self) -> Written {
        self.store.written()
    }
    async fn close(&self) {
        self.store.close().await;
    }
}

async fn hub() -> (Hub, Arc<Fragile>) {
    hub_on(Path::new(":memory:")).await
}

async fn hub_on(database: &Path) -> (Hub, Arc<Fragile>) {
    hub_with(database, false).await
}

async fn hub_with(database: &Path, engine_ponder: bool) -> (Hub, Arc<Fragile>) {
    let store = SqliteStore::open(database).await.unwrap();
    let store = Arc::new(Fragile { store, is_broken: AtomicBool::default(), is_full: AtomicBool::default() });
    let common = Common {
        metrics: Arc::new(Metrics::new()),
        store: store.clone(),
        engines: Arc::new(Engines::new(Thinking::new(1, EngineTimes::default()).unwrap(), 32)),
        engine_pause: Duration::ZERO,
        engine_ponder,
        admission: Arc::new(Admission::new(Limits::default())),
        spectators: 10,
        websockets_per_seat: 10,
        idle: Duration::from_secs(60),
        at_length: Arc::new(Semaphore::new(1)),
    };
    (Hub::new(common), store)
}

/// Where all come from.
fn here() -> ClientAddress {
    ClientAddress::of([127, 0, 0, 1].into())
}

fn request(game: &str) -> TableRequest {
    let seats = [(); 2].map(|()| SeatRequest::Me { name: None });
    TableRequest { game: game.into(), position: None, help: None, clock: None, seats: seats.into() }
}

async fn view(connection: &mut Connection) -> Value {
    serde_json::from_slice(&connection.view().await.expect("the table is open").expect("the place is kept")).unwrap()
}

fn play(id: &str, seat: usize, action: &str, n_plies: usize) -> Play {
    Play { id: id.into(), seat, action: action.into(), n_plies }
}

#[tokio::test]
async fn what_could_not_be_written_did_not_happen() {
    let (hub, store) = hub().await;
    let table = hub.create(request("tic-tac-toe"), here()).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut connection = hub.join(&table.table, here(), &keys, None).await.unwrap();
    assert_eq!(connection.play(play("a", 0, "a1", 0)).await, Ok(1));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(connection.play(play("b", 1, "b2", 1)).await.unwrap_err().code, "server/internal");
    assert!(hub.create(request("tic-tac-toe"), here()).await.is_err());
    // The table has closed; nobody was shown what is not on disk.
    while connection.changed().await.is_ok() {}
    assert!(connection.view().await.is_err());
    store.is_broken.store(false, Ordering::SeqCst);
    let mut connection = hub.join(&table.table, here(), &keys, None).await.unwrap();
    assert_eq!(view(&mut connection).await["n_plies"], 1);
    // The same message again, as a client would send it: this time it is played.
    assert_eq!(connection.play(play("b", 1, "b2", 1)).await, Ok(2));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(connection.resign("r0".into(), 0).await.unwrap_err().code, "server/internal");
    store.is_broken.store(false, Ordering::SeqCst);
    let mut connection = hub.join(&table.table, here(), &keys, None).await.unwrap();
    assert_eq!(view(&mut connection).await["result"], Value::Null);
}

#[tokio::test]
async fn on_a_full_disk_nothing_happens_until_there_is_room() {
    let (hub, store) = hub().await;
    let full = |on| store.is_full.store(on, Ordering::SeqCst);
    let table = hub.create(request("tic-tac-toe"), here()).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut connection = hub.join(&table.table, here(), &keys, None).await.unwrap();
    assert_eq!(connection.play(play("a", 0, "a1", 0)).await, Ok(1));
    full(true);
    let refused = Refusal::from(StoreError::Full);
    assert_eq!((refused.code, refused.ends_the_session()), ("server/disk-full", false));
    assert_eq!(connection.play(play("b", 1, "b2", 1)).await, Err(refused.clone()));
    assert_eq!(connection.resign("r0".into(), 0).await, Err(refused.clone()));
    assert_eq!(hub.create(request("tic-tac-toe"), here()).await.err(), Some(refused));
    // People still get in and see the position; a name is given another time.
    let other = hub.join(&table.table, here(), &keys, Some("Ann")).await.unwrap();
    let seen = view(&mut connection).await;
    assert_eq!(seen["n_plies"], 1);
    assert_eq!([&seen["result"], &seen["seats"][0]["occupant"]], [&Value::Null; 2]);
    drop(other);
    full(false);
    assert_eq!(connection.play(play("b", 1, "b2", 1)).await, Ok(2));
    assert_eq!(connection.play(play("c", 0, "a2", 2)).await, Ok(3));
    assert_eq!(store.load(&table.table).await.unwrap().unwrap().plies.len(), 3);

    // Chance and engines try again by themselves.
    let engine_first = vec![SeatRequest::Engine { agent: "random".into() }, SeatRequest::Me { name: None }];
    for (game, seats) in [("2048", vec![SeatRequest::Me { name: None }]), ("nim", engine_first)] {
        let table = hub
            .create(TableRequest { game: game.into(), position: None, help: None, clock: None, seats }, here())
            .await
            .unwrap();
        full(true);
        let mut connection = hub.join(&table.table, here(), &[table.keys[0].key.clone()], None).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(view(&mut connection).await["n_plies"], 0, "{game}");
        full(false);
        let view = view_after(&mut connection, 1).await;
        assert_ne!(view["choices"], serde_json::json!({}), "{game}");
    }
}

#[tokio::test]
async fn a_damaged_table_says_so_and_others_are_not_affected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    let (mut hub, store) = hub_on(&path).await;
    hub.look_again = Duration::MAX;
    let [bad, good] =
        [hub.create(request("nim"), here()).await.unwrap(), hub.create(request("nim"), here()).await.unwrap()];
    for table in [&bad, &good] {
        let plies = ["a1", "b1"].map(|text| PlyRow { text: text.into(), request: None, played_at: 0, used: None });
        store.append(&table.table, 0, &plies, None).await.unwrap();
    }
    let change = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute(sql, [&bad.table]).unwrap();
    change("DELETE FROM plies WHERE ply = 0 AND table_id = ?");
    for _ in 0..2 {
        let refused = hub.join(&bad.table, here(), &[], None).await.err().unwrap();
        assert_eq!((refused.code, refused.ends_the_session()), ("table/damaged", true));
    }
    assert_eq!(hub.record(&bad.table).await.err().unwrap().code, "table/damaged");
    let mut connection = hub.join(&good.table, here(), &[], None).await.unwrap();
    assert_eq!(view(&mut connection).await["n_plies"], 2);
    // Once it is repaired it opens, without a restart, and before that it is not read again and again.
    change("INSERT INTO plies (table_id, ply, text, played_at) VALUES (?, 0, 'a1', 0)");
    assert_eq!(hub.join(&bad.table, here(), &[], None).await.err().unwrap().code, "table/damaged");
    hub.look_again = Duration::ZERO;
    let mut connection = hub.join(&bad.table, here(), &[], None).await.unwrap();
    assert_eq!(view(&mut connection).await["n_plies"], 2);
}

#[tokio::test]
async fn what_the_rules_of_today_refuse_is_not_played_on() {
    let (hub, store) = hub().await;
    let table = hub.create(request("tic-tac-toe"), here()).await.unwrap();
    let nonsense = ["a1", "a1"].map(|text| PlyRow { text: text.into(), request: None, played_at: 0, used: None });
    store.append(&table.table, 0, &nonsense, None).await.unwrap();
    assert_eq!(hub.join(&table.table, here(), &[], None).await.err().map(|why| why.code), Some("table/damaged"));
}

#[tokio::test]
async fn a_client_that_gives_up_while_joining_is_not_counted() {
    let (hub, _) = hub().await;
    let table = hub.create(request("tic-tac-toe"), here()).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut witness = hub.join(&table.table, here(), &[], None).await.unwrap();
    for _ in 0..50 {
        // Dropped before, while or after the table handles it.
        let _ = tokio::time::timeout(Duration::from_micros(20), hub.join(&table.table, here(), &keys, None)).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let view = view(&mut witness).await;
    assert!(view["seats"].as_array().unwrap().iter().all(|seat| seat["connected"] == false));
}

#[tokio::test]
async fn a_view_is_made_once_for_all_who_see_the_same() {
    let (hub, _) = hub().await;
    let table = hub.create(request("poker:players=2"), here()).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut players = Vec::new();
    for key in &keys {
        players.push(hub.join(&table.table, here(), std::slice::from_ref(key), None).await.unwrap());
    }
    let mut watchers = Vec::new();
    for _ in 0..8 {
        let mut watcher = hub.join(&table.table, here(), &[], None).await.unwrap();
        watcher.view().await.unwrap().unwrap();
        watchers.push(watcher);
    }
    for action in ["call", "check"] {
        let seat = view(&mut players[0]).await["to_act"][0].as_u64().unwrap() as usize;
        let seen = view(&mut players[seat]).await;
        let n_plies = seen["n_plies"].as_u64().unwrap() as usize;
        players[seat].play(play(action, seat, action, n_plies)).await.unwrap();
        let mut texts = Vec::new();
        for connection in players.iter_mut().chain(&mut watchers) {
            texts.push(connection.view().await.unwrap().unwrap());
        }
        // One buffer for all watchers, and none of it for the players, whose cards are their own.
        let places: Vec<*const u8> = texts.iter().map(|text| text.as_ptr()).collect();
        assert!(places[2..].iter().all(|place| *place == places[2]), "{places:?}");
        assert!(texts[0] != texts[1] && texts[0] != texts[2] && texts[1] != texts[2]);
    }
}

#[tokio::test]
async fn a_server_that_cannot_write_is_not_ready_and_says_why() {
    let (hub, store) = hub().await;
    let ready = || async { Readiness::default().check(hub.common().store.as_ref()).await };
    assert_eq!(ready().await, Ok(()));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(ready().await, Err("the database failed: the disk is on fire".into()));
    store.is_broken.store(false, Ordering::SeqCst);
    assert_eq!(ready().await, Ok(()));
    // What was said is repeated for a moment.
    let readiness = Readiness::default();
    assert_eq!(readiness.check(hub.common().store.as_ref()).await, Ok(()));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(readiness.check(hub.common().store.as_ref()).await, Ok(()));
}

/// The agent `random` behind a count of what is asked of it; one that refuses decides nothing.
struct Counting {
    inner: Arc<dyn Prepared>,
    refuses: bool,
    n_sessions: AtomicUsize,
    n_decisions: Arc<AtomicUsize>,
}

struct CountingSession {
    inner: Box<dyn Session>,
    refuses: bool,
    n_decisions: Arc<AtomicUsize>,
}

impl Counting {
    fn new(game: &str, refuses: bool) -> Arc<Counting> {
        let inner = raichi_agents::prepare(&raichi_games::game(game).unwrap(), "random").unwrap();
        Arc::new(Counting { inner, refuses, n_sessions: AtomicUsize::new(0), n_decisions: Arc::default() })
    }

    /// Sessions opened, and decisions asked for.
    fn counts(&self) -> (usize, usize) {
        (self.n_sessions.load(Ordering::SeqCst), self.n_decisions.load(Ordering::SeqCst))
    }
}

impl Prepared for Counting {
    fn spec(&self) -> &str {
        self.inner.spec()
    }
    fn open(&self, seed: u64) -> Box<dyn Session> {
        self.n_sessions.fetch_add(1, Ordering::SeqCst);
        let (inner, n_decisions) = (self.inner.open(seed), Arc::clone(&self.n_decisions));
        Box::new(CountingSession { inner, refuses: self.refuses, n_decisions })
    }
}

impl Session for CountingSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        self.n_decisions.fetch_add(1, Ordering::SeqCst);
        if self.refuses {
            return Err(AgentError::NotToAct { seat });
        }
        self.inner.decide(current, seat, limit)
    }
    fn cancel_flag(&self) -> CancelFlag {
        self.inner.cancel_flag()
    }
}

/// The first view after at least so many plies.
async fn view_after(connection: &mut Connection, n_plies: usize) -> Value {
    let wait = async {
        loop {
            let view = view(connection).await;
            if view["n_plies"].as_u64() >= Some(n_plies as u64) {
                return view;
            }
            connection.changed().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait).await.expect("the engine plays")
}

#[tokio::test]
async fn an_engine_keeps_its_session_from_ply_to_ply() {
    for refuses in [false, true] {
        let (hub, _) = hub().await;
        let agent = Counting::new("nim", refuses);
        hub.common.engines.put("nim", "random", &(Arc::clone(&agent) as Arc<dyn Prepared>));
        let seats = vec![SeatRequest::Me { name: None }, SeatRequest::Engine { agent: "random".into() }];
        let table = hub
            .create(TableRequest { game: "nim".into(), position: None, help: None, clock: None, seats }, here())
            .await
            .unwrap();
        let mut connection = hub.join(&table.table, here(), &[table.keys[0].key.clone()], None).await.unwrap();
        for n_plies in [0, 2] {
            let view = view_after(&mut connection, n_plies).await;
            if !view["result"].is_null() {
                break;
            }
            // One stick from the first heap that has any left.
            let action = view["choices"]["0"]["example"].as_str().unwrap();
            connection.play(play(&n_plies.to_string(), 0, action, n_plies)).await.unwrap();
        }
        let view = view_after(&mut connection, 4).await;
        assert_eq!((agent.counts(), &view["n_plies"]), ((1, 2), &4.into()), "refuses: {refuses}");
    }
}

#[tokio::test]
async fn where_an_engine_refuses_the_game_goes_on_without_it() {
    let (hub, store) = hub().await;
    let key = Key::new().unwrap();
    let human = Holder::Human { key: key.hash(), name: None };
    // As if a later version had stored the table.
    let engine = Holder::Engine { agent: "oracle".into() };
    let table = TableRow {
        id: table_id().unwrap(),
        game: "nim".into(),
        version: record::VERSION,
        start: None,
        seed: Seed::new().unwrap(),
        created_at: 0,
        settings: Settings::default(),
        clock_started: None,
        imported: None,
        variations_key: None,
        levels: Some(3),
        seats: [human, engine].map(|holder| SeatRow { holder, resignation: None, draw_offered: None }).into(),
    };
    store.create(&table).await.unwrap();
    let mut connection = hub.join(&table.id, here(), &[key.reveal()], None).await.unwrap();
    let seen = view(&mut connection).await;
    connection.play(play("a", 0, seen["choices"]["0"]["example"].as_str().unwrap(), 0)).await.unwrap();
    assert_eq!(view_after(&mut connection, 2).await["n_plies"], 2);
}

#[tokio::test]
async fn a_spec_of_a_version_to_come_is_not_guessed_at() {
    let (hub, store) = hub().await;
    let human = || Holder::Human { key: Key::new().unwrap().hash(), name: None };
    let table = TableRow {
        id: table_id().unwrap(),
        game: "nim".into(),
        version: record::VERSION + 1,
        start: None,
        seed: Seed::new().unwrap(),
        created_at: 0,
        settings: Settings::default(),
        clock_started: None,
        imported: None,
        variations_key: None,
        levels: Some(3),
        seats: [(); 2].map(|()| SeatRow { holder: human(), resignation: None, draw_offered: None }).into(),
    };
    store.create(&table).await.unwrap();
    assert_eq!(hub.join(&table.id, here(), &[], None).await.err().map(|why| why.code), Some("table/newer"));
}

#[tokio::test]
async fn an_engine_that_plays_on_has_a_session_of_its_own() {
    let (hub, _) = hub().await;
    let spec = hub.common.engines.successor(&*raichi_games::game("nim3p").unwrap()).unwrap();
    let agent = Counting::new("nim3p", false);
    hub.common.engines.put("nim3p", &spec, &(Arc::clone(&agent) as Arc<dyn Prepared>));
    let seats = (0..3).map(|_| SeatRequest::Me { name: None }).collect();
    let table = hub
        .create(TableRequest { game: "nim3p".into(), position: None, help: None, clock: None, seats }, here())
        .await
        .unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut connection = hub.join(&table.table, here(), &keys, None).await.unwrap();
    connection.resign("r0".into(), 0).await.unwrap();
    connection.resign("r1".into(), 1).await.unwrap();
    let view = view_after(&mut connection, 2).await;
    assert_eq!((agent.counts(), &view["to_act"]), ((2, 2), &serde_json::json!([2])));
}

/// An agent that thinks until it is cancelled or has had its time, and is opened only when it may be.
struct Thinker {
    inner: Arc<dyn Prepared>,
    may_open: Arc<AtomicBool>,
    n_thinking: Arc<AtomicUsize>,
}

struct ThinkerSession {
    inner: Box<dyn Session>,
    cancel: CancelFlag,
    n_thinking: Arc<AtomicUsize>,
}

impl Thinker {
    /// In the place of the 5-second engine for nim.
    fn put(hub: &Hub) -> (Arc<Thinker>, &'static str) {
        let spec = "mcts:time=5s";
        let inner = raichi_agents::prepare(&raichi_games::game("nim").unwrap(), "random").unwrap();
        let (may_open, n_thinking) = (Arc::new(AtomicBool::new(true)), Arc::default());
        let agent = Arc::new(Thinker { inner, may_open, n_thinking });
        hub.common.engines.put("nim", spec, &(Arc::clone(&agent) as Arc<dyn Prepared>));
        (agent, spec)
    }

    async fn until_thinking(&self, n: usize) {
        let start = std::time::Instant::now();
        while self.n_thinking.load(Ordering::SeqCst) != n {
            assert!(start.elapsed() < Duration::from_secs(4), "there are not {n} that think");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Prepared for Thinker {
    fn spec(&self) -> &str {
        self.inner.spec()
    }
    fn open(&self, seed: u64) -> Box<dyn Session> {
        let start = std::time::Instant::now();
        while !self.may_open.load(Ordering::SeqCst) && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (cancel, n_thinking) = (CancelFlag::default(), Arc::clone(&self.n_thinking));
        Box::new(ThinkerSession { inner: self.inner.open(seed), cancel, n_thinking })
    }
}

impl Session for ThinkerSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        self.n_thinking.fetch_add(1, Ordering::SeqCst);
        let start = std::time::Instant::now();
        while !self.cancel.is_cancelled() && start.elapsed() < limit.time.expect("there is always a limit") {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.n_thinking.fetch_sub(1, Ordering::SeqCst);
        self.inner.decide(current, seat, limit)
    }
    fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }
}

/// The agent `random`, that ponders until it is told to stop and decides at once.
struct Ponderer {
    inner: Arc<dyn Prepared>,
    n_pondering: Arc<AtomicUsize>,
}

struct PondererSession {
    inner: Box<dyn Session>,
    n_pondering: Arc<AtomicUsize>,
    /// Whether it has pondered since its last decision.
    has_pondered: bool,
}

impl Prepared for Ponderer {
    fn spec(&self) -> &str {
        self.inner.spec()
    }
    fn open(&self, seed: u64) -> Box<dyn Session> {
        let (inner, n_pondering) = (self.inner.open(seed), Arc::clone(&self.n_pondering));
        Box::new(PondererSession { inner, n_pondering, has_pondered: true })
    }
}

impl Session for PondererSession {
    fn decide(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget) -> Result<Advice<String>, AgentError> {
        // One that decides without having pondered plays something else than the first action.
        let advice = self.inner.decide(current, seat, limit)?;
        let legal = current.legal(seat);
        let action = if self.has_pondered { legal.first() } else { legal.last() };
        self.has_pondered = false;
        Ok(Advice { action: action.unwrap().clone(), ..advice })
    }
    fn cancel_flag(&self) -> CancelFlag {
        self.inner.cancel_flag()
    }
    fn ponder(&mut self, current: &dyn AnyMatch, seat: Seat, limit: Budget, cancel: &CancelFlag) {
        assert!(!matches!(current.phase(), raichi_core::game::Phase::Act(seats) if seats.contains(seat)));
        let start = std::time::Instant::now();
        self.n_pondering.fetch_add(1, Ordering::SeqCst);
        while !cancel.is_cancelled() && start.elapsed() < limit.time.unwrap() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.has_pondered = true;
        self.n_pondering.fetch_sub(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn an_engine_ponders_while_people_think_and_delays_nobody() {
    for lets in [false, true] {
        let (hub, _) = hub_with(Path::new(":memory:"), lets).await;
        let inner = raichi_agents::prepare(&raichi_games::game("nim").unwrap(), "random").unwrap();
        let agent = Arc::new(Ponderer { inner, n_pondering: Arc::default() });
        hub.common.engines.put("nim", "random", &(Arc::clone(&agent) as Arc<dyn Prepared>));
        let until_pondering = async |n: usize| {
            let start = std::time::Instant::now();
            while agent.n_pondering.load(Ordering::SeqCst) != n {
                assert!(start.elapsed() < Duration::from_secs(20), "there are not {n} that ponder");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let mut connections = Vec::new();
        for _ in 0..2 {
            let table = hub.create(against("random", [0, 1]), here()).await.unwrap();
            connections.push(hub.join(&table.table, here(), &[table.keys[0].key.clone()], None).await.unwrap());
        }
        let mut game = raichi_games::game("nim").unwrap().new_match();
        for n_plies in [0, 2] {
            let action = game.legal(0)[0].clone();
            connections[0].play(play(&n_plies.to_string(), 0, &action, n_plies)).await.unwrap();
            game.play(0, &action).unwrap();
            let view = view_after(&mut connections[0], n_plies + 2).await;
            // What it found out meanwhile is there when it decides.
            let legal = game.legal(1);
            let expected = if lets || n_plies == 0 { legal.first() } else { legal.last() };
            let played = view["plies"].as_array().unwrap().last().unwrap()["text"].as_str().unwrap();
            assert_eq!(played, expected.unwrap(), "ply {n_plies}, lets: {lets}");
            game.play(1, played).unwrap();
            until_pondering(usize::from(lets)).await;
        }
        // There is one thread, and the other table gets it.
        let action = raichi_games::game("nim").unwrap().new_match().legal(0)[0].clone();
        connections[1].play(play("0", 0, &action, 0)).await.unwrap();
        view_after(&mut connections[1], 2).await;
        // Nobody is there for whom it would be of use.
        drop(connections);
        until_pondering(0).await;
    }
}

fn against(agent: &str, seats: [usize; 2]) -> TableRequest {
    let seat = |seat| match seat {
        0 => SeatRequest::Me { name: None },
        _ => SeatRequest::Engine { agent: agent.into() },
    };
    TableRequest { game: "nim".into(), position: None, help: None, clock: None, seats: seats.map(seat).into() }
}

#[tokio::test]
async fn an_engine_that_nobody_needs_stops_thinking() {
    let (hub, _) = hub().await;
    let (agent, spec) = Thinker::put(&hub);
    let resigned = hub.create(against(spec, [1, 0]), here()).await.unwrap();
    let connection = hub.join(&resigned.table, here(), &[resigned.keys[0].key.clone()], None).await.unwrap();
    agent.until_thinking(1).await;
    connection.resign("r".into(), 1).await.unwrap();
    agent.until_thinking(0).await;
    // Its thread, the only one, is free for the next table.
    let next = hub.create(against(spec, [1, 0]), here()).await.unwrap();
    let _watcher = hub.join(&next.table, here(), &[], None).await.unwrap();
    agent.until_thinking(1).await;
}

#[tokio::test]
async fn an_engine_whose_turn_has_not_come_waits_until_somebody_is_there() {
    let (hub, _) = hub().await;
    let (agent, spec) = Thinker::put(&hub);
    let [busy, left] = [(); 2].map(|()| hub.create(against(spec, [1, 0]), here()));
    let (busy, left) = (busy.await.unwrap(), left.await.unwrap());
    let first = hub.join(&busy.table, here(), &[], None).await.unwrap();
    agent.until_thinking(1).await;
    let mut second = hub.join(&left.table, here(), &[], None).await.unwrap();
    assert_eq!(view(&mut second).await["thinking"], serde_json::json!([0]));
    drop(second);
    // The first goes on and ends; the second does not begin.
    let mut first = first;
    view_after(&mut first, 1).await;
    agent.until_thinking(0).await;
    let mut second = hub.join(&left.table, here(), &[], None).await.unwrap();
    assert_eq!(view(&mut second).await["n_plies"], 0);
    view_after(&mut second, 1).await;
}

/// The test has one thread for all that is asynchronous.
#[tokio::test]
async fn while_an_engine_is_opened_others_play() {
    let (hub, _) = hub().await;
    let (agent, spec) = Thinker::put(&hub);
    agent.may_open.store(false, Ordering::SeqCst);
    let table = hub.create(against(spec, [1, 0]), here()).await.unwrap();
    let mut watcher = hub.join(&table.table, here(), &[], None).await.unwrap();
    let other = hub.create(request("tic-tac-toe"), here()).await.unwrap();
    let keys: Vec<String> = other.keys.into_iter().map(|key| key.key).collect();
    let players = hub.join(&other.table, here(), &keys, None).await.unwrap();
    assert_eq!(players.play(play("a", 0, "a1", 0)).await, Ok(1));
    assert_eq!(view(&mut watcher).await["thinking"], serde_json::json!([0]));
    agent.may_open.store(true, Ordering::SeqCst);
    view_after(&mut watcher, 1).await;
}

#[tokio::test]
async fn records_are_refused_rather_than_cut_off_where_they_take_too_long() {
    let (mut hub, _) = hub().await;
    let sheet = || "tic-tac-toe a1 b1 a2 b2 a3".to_string();
    hub.import_time = Duration::ZERO;
    assert_eq!(hub.import(sheet(), here()).await.err().unwrap().code, "server/busy");
    hub.import_time = Duration::from_secs(60);
    let kept = hub.import(sheet(), here()).await.unwrap();
    assert!(kept[0].variations_key.is_some() && !kept[0].already_here);
}
