//! The store in one SQLite file.
//!
//! The write-ahead log is synced on every commit (`synchronous = FULL`), so that a commit survives a power cut. All
//! writes go through one connection, so that they need not poll for SQLite's write lock; reads have their own.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use raichi_core::seat::Seat;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{Row, Sqlite, Transaction, query, query_scalar};

use super::{
    Ending, Holder, Millis, PlyRow, Resignation, SeatRow, Start, Store, StoreError, StoredTable, TableRow, Written,
};
use crate::secret::{KeyHash, Seed};

/// The store in one SQLite file.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    writer: SqlitePool,
    reader: SqlitePool,
    n_commits: Arc<AtomicU64>,
    n_plies: Arc<AtomicU64>,
}

const READERS: u32 = 4;

fn migrations() -> Migrator {
    let migration = |version, name: &'static str, sql: &'static str| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(vec![
        migration(1, "tables", include_str!("../../migrations/0001_tables.sql")),
        migration(2, "positions", include_str!("../../migrations/0002_positions.sql")),
    ])
}

impl SqliteStore {
    /// Opens the file, creates it if it does not exist, and migrates it; `:memory:` is a store for as long as
    /// it is open.
    ///
    /// # Errors
    /// When the file cannot be opened or is not a database of this server.
    pub async fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let in_memory = path.as_os_str() == ":memory:";
        let failed =
            |why: Box<dyn std::error::Error + Send + Sync>| StoreError::Open { path: path.display().to_string(), why };
        let options = if in_memory {
            SqliteConnectOptions::new().in_memory(true)
        } else {
            SqliteConnectOptions::new().filename(path).create_if_missing(true).journal_mode(SqliteJournalMode::Wal)
        };
        let options =
            options.synchronous(SqliteSynchronous::Full).foreign_keys(true).busy_timeout(Duration::from_secs(5));
        // A database in memory is lost with its connection: the pool must neither close it nor open a second one.
        let pool = |size| {
            SqlitePoolOptions::new().min_connections(1).max_connections(size).idle_timeout(None).max_lifetime(None)
        };
        let writer = pool(1).connect_with(options.clone()).await.map_err(|why| failed(why.into()))?;
        migrations().run(&writer).await.map_err(|why| failed(why.into()))?;
        let reader = if in_memory {
            writer.clone()
        } else {
            pool(READERS).connect_with(options).await.map_err(|why| failed(why.into()))?
        };
        Ok(SqliteStore { writer, reader, n_commits: Arc::default(), n_plies: Arc::default() })
    }
}

impl SqliteStore {
    async fn commit(&self, transaction: Transaction<'_, Sqlite>, n_plies: usize) -> Result<(), StoreError> {
        transaction.commit().await?;
        self.n_commits.fetch_add(1, Ordering::Relaxed);
        self.n_plies.fetch_add(n_plies as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Failed(error.into())
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn create(&self, table: &TableRow) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        insert_table(&mut transaction, table, None).await?;
        self.commit(transaction, 0).await
    }

    async fn create_rematch(&self, previous: &str, table: &TableRow) -> Result<String, StoreError> {
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let there_is: Option<String> =
            query_scalar(NEXT_TABLE).bind(previous).fetch_optional(&mut *transaction).await?;
        if let Some(id) = there_is {
            return Ok(id);
        }
        insert_table(&mut transaction, table, Some(previous)).await?;
        self.commit(transaction, 0).await?;
        Ok(table.id.clone())
    }

    async fn load(&self, id: &str) -> Result<Option<StoredTable>, StoreError> {
        // One transaction, so that table, seats and plies are consistent.
        let mut transaction = self.reader.begin().await?;
        let table =
            query("SELECT game, version, position, position_seen_by, seed, created_at FROM tables WHERE id = ?");
        let Some(row) = table.bind(id).fetch_optional(&mut *transaction).await? else {
            return Ok(None);
        };
        let seats =
            query("SELECT agent, key_hash, name, resigned, successor FROM seats WHERE table_id = ? ORDER BY seat");
        let seats = seats.bind(id).fetch_all(&mut *transaction).await?;
        let plies = query("SELECT text, request, played_at FROM plies WHERE table_id = ? ORDER BY ply");
        let plies = plies.bind(id).fetch_all(&mut *transaction).await?;
        let next_table = query_scalar(NEXT_TABLE).bind(id).fetch_optional(&mut *transaction).await?;
        let table = TableRow {
            id: id.into(),
            game: row.try_get("game")?,
            version: row.try_get("version")?,
            start: read_start(&row)?,
            seed: Seed(bytes(id, row.try_get("seed")?)?),
            created_at: row.try_get("created_at")?,
            seats: seats.iter().map(|row| read_seat(id, row)).collect::<Result<_, _>>()?,
        };
        let plies = plies.iter().map(read_ply).collect::<Result<_, _>>()?;
        Ok(Some(StoredTable { table, plies, next_table }))
    }

    async fn append(
        &self,
        table: &str,
        first: usize,
        plies: &[PlyRow],
        ending: Option<&Ending>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for (i, ply) in plies.iter().enumerate() {
            query("INSERT INTO plies (table_id, ply, text, request, played_at) VALUES (?, ?, ?, ?, ?)")
                .bind(table)
                .bind((first + i) as i64)
                .bind(&ply.text)
                .bind(&ply.request)
                .bind(ply.played_at)
                .execute(&mut *transaction)
                .await?;
        }
        if let (Some(ending), Some(last)) = (ending, plies.last()) {
            update_ending(&mut transaction, table, last.played_at, ending).await?;
        }
        self.commit(transaction, plies.len()).await
    }

    async fn resign(
        &self,
        table: &str,
        seat: Seat,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        query("UPDATE seats SET resigned = ?, successor = ? WHERE table_id = ? AND seat = ?")
            .bind(resignation.n_plies as i64)
            .bind(&resignation.successor)
            .bind(table)
            .bind(seat as i64)
            .execute(&mut *transaction)
            .await?;
        if let Some(ending) = ending {
            update_ending(&mut transaction, table, at, ending).await?;
        }
        self.commit(transaction, 0).await
    }

    async fn name(&self, table: &str, seat: Seat, name: &str) -> Result<(), StoreError> {
        query("UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND name IS NULL")
            .bind(name)
            .bind(table)
            .bind(seat as i64)
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    async fn ready(&self) -> Result<(), StoreError> {
        // Nobody reads this number; writing it writes and syncs a page.
        query("PRAGMA user_version = 0").execute(&self.writer).await?;
        Ok(())
    }

    fn written(&self) -> Written {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Written { commits: read(&self.n_commits), plies: read(&self.n_plies) }
    }

    async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }
}

const NEXT_TABLE: &str = "SELECT id FROM tables WHERE previous = ?";

async fn insert_table(
    connection: &mut SqliteConnection,
    table: &TableRow,
    previous: Option<&str>,
) -> Result<(), StoreError> {
    let insert = query(
        "INSERT INTO tables (id, game, version, position, position_seen_by, seed, created_at, previous, program) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    insert
        .bind(&table.id)
        .bind(&table.game)
        .bind(table.version)
        .bind(table.start.as_ref().map(|start| &start.position))
        .bind(table.start.as_ref().and_then(|start| start.seen_by).map(|seat| seat as i64))
        .bind(table.seed.0.as_slice())
        .bind(table.created_at)
        .bind(previous)
        .bind(crate::PROGRAM)
        .execute(&mut *connection)
        .await?;
    for (seat, row) in table.seats.iter().enumerate() {
        let (agent, key, name) = match &row.holder {
            Holder::Engine { agent } => (Some(agent), None, None),
            Holder::Human { key, name } => (None, Some(key.0.as_slice()), name.as_deref()),
        };
        query("INSERT INTO seats (table_id, seat, agent, key_hash, name) VALUES (?, ?, ?, ?, ?)")
            .bind(&table.id)
            .bind(seat as i64)
            .bind(agent)
            .bind(key)
            .bind(name)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn update_ending(
    connection: &mut SqliteConnection,
    table: &str,
    at: Millis,
    ending: &Ending,
) -> Result<(), StoreError> {
    let payoffs = serde_json::to_string(&ending.payoffs).expect("payoffs are finite");
    query("UPDATE tables SET ended_at = ?, end_reason = ?, payoffs = ? WHERE id = ?")
        .bind(at)
        .bind(&ending.end)
        .bind(payoffs)
        .bind(table)
        .execute(connection)
        .await?;
    Ok(())
}

fn read_start(row: &SqliteRow) -> Result<Option<Start>, StoreError> {
    let Some(position) = row.try_get("position")? else { return Ok(None) };
    let seen_by: Option<i64> = row.try_get("position_seen_by")?;
    Ok(Some(Start { position, seen_by: seen_by.map(|seat| seat as Seat) }))
}

fn read_seat(table: &str, row: &SqliteRow) -> Result<SeatRow, StoreError> {
    let agent: Option<String> = row.try_get("agent")?;
    let key: Option<Vec<u8>> = row.try_get("key_hash")?;
    let holder = match (agent, key) {
        (Some(agent), _) => Holder::Engine { agent },
        (None, key) => {
            Holder::Human { key: KeyHash(bytes(table, key.unwrap_or_default())?), name: row.try_get("name")? }
        }
    };
    let resigned: Option<i64> = row.try_get("resigned")?;
    let resignation = match resigned {
        Some(n_plies) => Some(Resignation { n_plies: n_plies as usize, successor: row.try_get("successor")? }),
        None => None,
    };
    Ok(SeatRow { holder, resignation })
}

fn read_ply(row: &SqliteRow) -> Result<PlyRow, StoreError> {
    Ok(PlyRow { text: row.try_get("text")?, request: row.try_get("request")?, played_at: row.try_get("played_at")? })
}

fn bytes(table: &str, bytes: Vec<u8>) -> Result<[u8; 32], StoreError> {
    let unreadable = |bytes: Vec<u8>| StoreError::Unreadable {
        table: table.into(),
        why: format!("a secret has {} bytes, not 32", bytes.len()),
    };
    bytes.try_into().map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(id: &str) -> TableRow {
        let human = Holder::Human { key: KeyHash([1; 32]), name: None };
        let engine = Holder::Engine { agent: "random".into() };
        TableRow {
            id: id.into(),
            game: "hex:size=3".into(),
            version: 7,
            start: Some(Start { position: "3/3/3 0".into(), seen_by: Some(1) }),
            seed: Seed([9; 32]),
            created_at: 5,
            seats: [human, engine].map(|holder| SeatRow { holder, resignation: None }).into(),
        }
    }

    fn ply(text: &str, request: Option<&str>) -> PlyRow {
        PlyRow { text: text.into(), request: request.map(String::from), played_at: 6 }
    }

    #[tokio::test]
    async fn what_is_stored_is_read_back_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables.sqlite");
        let store = SqliteStore::open(&path).await.unwrap();
        store.create(&table("t")).await.unwrap();
        let plies = [ply("a1", Some("0:x")), ply("b2", None)];
        store.append("t", 0, &plies, None).await.unwrap();
        store.name("t", 0, "Ann").await.unwrap();
        store.name("t", 0, "Bob").await.unwrap();
        let resignation = Resignation { n_plies: 2, successor: None };
        let ending = Ending { end: "resigned".into(), payoffs: vec![-1.0, 1.0] };
        store.resign("t", 0, &resignation, 7, Some(&ending)).await.unwrap();
        assert_eq!(store.create_rematch("t", &table("u")).await.unwrap(), "u");
        assert_eq!(store.create_rematch("t", &table("v")).await.unwrap(), "u");
        // No clean shutdown: the first store is still open.
        let store = SqliteStore::open(&path).await.unwrap();
        let stored = store.load("t").await.unwrap().expect("the table is there");
        assert_eq!((stored.table.game.as_str(), stored.table.created_at), ("hex:size=3", 5));
        assert_eq!((stored.table.version, stored.table.start), (7, table("t").start));
        assert_eq!(stored.table.seed, Seed([9; 32]));
        assert_eq!(stored.plies, plies);
        assert_eq!(stored.next_table.as_deref(), Some("u"));
        let [ann, engine] = &stored.table.seats[..] else { panic!("two seats") };
        assert!(matches!(&ann.holder, Holder::Human { key: KeyHash(hash), name: Some(name) }
            if *hash == [1; 32] && name == "Ann"));
        assert_eq!(ann.resignation, Some(resignation));
        assert!(matches!(&engine.holder, Holder::Engine { agent } if agent == "random"));
        assert!(store.load("v").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_ply_is_written_once_and_a_batch_as_a_whole() {
        let store = SqliteStore::open(Path::new(":memory:")).await.unwrap();
        store.create(&table("t")).await.unwrap();
        store.append("t", 0, &[ply("a1", Some("0:x"))], None).await.unwrap();
        for (first, batch) in [
            (0, vec![ply("b2", None)]),
            (1, vec![ply("b2", None), ply("c3", Some("0:x"))]),
            (1, vec![ply("b2", Some("0:x"))]),
        ] {
            assert!(matches!(store.append("t", first, &batch, None).await, Err(StoreError::Failed(_))));
        }
        assert_eq!(store.written(), Written { commits: 2, plies: 1 });
        store.ready().await.unwrap();
        assert!(store.append("nowhere", 0, &[ply("a1", None)], None).await.is_err());
        assert_eq!(store.load("t").await.unwrap().unwrap().plies.len(), 1);
    }

    #[tokio::test]
    async fn what_is_no_database_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "no database at all, but long enough to be taken for one".repeat(20)).unwrap();
        let error = SqliteStore::open(&path).await.unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
    }
}
