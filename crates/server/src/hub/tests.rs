//! Tables without sockets, on a store that fails when told to.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use super::*;
use crate::agents::Engines;
use crate::limit::SharedAllowance;
use crate::store::{Ending, Millis, PlyRow, Resignation, SqliteStore, Store, StoreError, StoredTable};
use crate::table::Play;

/// A store that writes nothing while it is broken.
struct Fragile {
    store: SqliteStore,
    is_broken: AtomicBool,
}

impl Fragile {
    fn check(&self) -> Result<(), StoreError> {
        if self.is_broken.load(Ordering::SeqCst) { Err(StoreError::Failed("the disk is full".into())) } else { Ok(()) }
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
    async fn resign(
        &self,
        table: &str,
        seat: usize,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
    ) -> Result<(), StoreError> {
        self.check()?;
        self.store.resign(table, seat, resignation, at, ending).await
    }
    async fn name(&self, table: &str, seat: usize, name: &str) -> Result<(), StoreError> {
        self.check()?;
        self.store.name(table, seat, name).await
    }
    async fn close(&self) {
        self.store.close().await;
    }
}

async fn hub() -> (Hub, Arc<Fragile>) {
    let store = SqliteStore::open(Path::new(":memory:")).await.unwrap();
    let store = Arc::new(Fragile { store, is_broken: AtomicBool::new(false) });
    let common = Common {
        store: store.clone(),
        engines: Arc::new(Engines::new(1)),
        engine_pause: Duration::ZERO,
        lines_per_table: 10,
        idle: Duration::from_secs(60),
        new_tables: Arc::new(SharedAllowance::per_minute(100)),
    };
    (Hub::new(common), store)
}

fn wish(game: &str) -> TableRequest {
    let seats = [(); 2].map(|()| SeatRequest::Me { name: None });
    TableRequest { game: game.into(), seats: seats.into() }
}

fn play(id: &str, seat: usize, action: &str, n_plies: usize) -> Play {
    Play { id: id.into(), seat, action: action.into(), n_plies }
}

#[tokio::test]
async fn what_could_not_be_written_did_not_happen() {
    let (hub, store) = hub().await;
    let table = hub.create(wish("tic-tac-toe")).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut line = hub.join(&table.table, &keys, None).await.unwrap();
    assert_eq!(line.play(play("a", 0, "a1", 0)).await, Ok(1));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(line.play(play("b", 1, "b2", 1)).await.unwrap_err().code, "server/internal");
    assert!(hub.create(wish("tic-tac-toe")).await.is_err());
    // The table has closed; nobody was shown what is not on disk.
    while line.changed().await.is_ok() {}
    assert!(line.view().await.is_err());
    store.is_broken.store(false, Ordering::SeqCst);
    let mut line = hub.join(&table.table, &keys, None).await.unwrap();
    assert_eq!(line.view().await.unwrap().n_plies, 1);
    // The same message again, as a client would send it: this time it counts.
    assert_eq!(line.play(play("b", 1, "b2", 1)).await, Ok(2));
    store.is_broken.store(true, Ordering::SeqCst);
    assert_eq!(line.resign(0).await.unwrap_err().code, "server/internal");
    store.is_broken.store(false, Ordering::SeqCst);
    let mut line = hub.join(&table.table, &keys, None).await.unwrap();
    assert!(line.view().await.unwrap().result.is_none());
}

#[tokio::test]
async fn what_the_rules_of_today_refuse_is_not_played_on() {
    let (hub, store) = hub().await;
    let table = hub.create(wish("tic-tac-toe")).await.unwrap();
    let nonsense = ["a1", "a1"].map(|text| PlyRow { text: text.into(), request: None, played_at: 0 });
    store.append(&table.table, 0, &nonsense, None).await.unwrap();
    assert_eq!(hub.join(&table.table, &[], None).await.err().map(|why| why.code), Some("server/internal"));
}

#[tokio::test]
async fn whoever_does_not_wait_for_the_door_does_not_stay() {
    let (hub, _) = hub().await;
    let table = hub.create(wish("tic-tac-toe")).await.unwrap();
    let keys: Vec<String> = table.keys.into_iter().map(|key| key.key).collect();
    let mut witness = hub.join(&table.table, &[], None).await.unwrap();
    for _ in 0..50 {
        // Dropped before, during or after the table has heard of it.
        let _ = tokio::time::timeout(Duration::from_micros(20), hub.join(&table.table, &keys, None)).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let view = witness.view().await.unwrap();
    assert!(view.seats.iter().all(|seat| !seat.connected));
}

#[test]
fn names_are_made_presentable() {
    assert_eq!(presentable("  Ann \n"), Some("Ann".into()));
    assert_eq!(presentable("A\u{202e}n\u{7}n"), Some("Ann".into()));
    assert_eq!(presentable(" \t\u{200b}"), None);
    assert_eq!(presentable(&"ö".repeat(1000)).map(|name| name.chars().count()), Some(40));
}
