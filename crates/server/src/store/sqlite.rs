//! The store in one SQLite file.
//!
//! The write-ahead log is synced on every commit (`synchronous = FULL`), so that a commit survives a power cut. All
//! writes go through one thread, which puts many into one commit; reads have connections of their own and do not wait.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, io};

use async_trait::async_trait;
use raichi_core::seat::Seat;
use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use tokio::sync::Semaphore;

use super::backup::PAGES_AT_ONCE;
use super::file::{self, Unusable};
use super::lock::Lock;
use super::writer::{RECENT, Writer, extend_log, locked};
use super::{
    Ending, Finished, Imported, KeptVariations, Millis, PlyRow, Resignation, Store, StoreError, StoredTable, TableRow,
    TriedLine, Wanted, Written, finished, rows, schema, variations,
};
use crate::secret::Seed;

/// Connections that read.
const READERS: usize = 4;
/// Pages in the log after which they are copied into the file. The more there are, the more often one copy does for
/// several commits.
const LOG_PAGES: u64 = 2000;
/// Somewhat more, since a commit that has begun is finished first.
const LOG_BYTES: u64 = (LOG_PAGES + LOG_PAGES / 8) * 4120;
/// Bytes that a disk has room for, or else it is full.
const ROOM: usize = 4 << 20;
/// A file up to this size is read through when the server starts; larger ones are left to `raichi check`.
const CHECKED_AT_START: u64 = 256 << 20;

/// The store in one SQLite file.
#[derive(Clone, Debug)]
pub struct SqliteStore(Arc<Inner>);

// Dropped in this order: the lock goes last.
#[derive(Debug)]
struct Inner {
    /// `None` in memory, where the one connection does everything.
    readers: Option<Readers>,
    /// When there was last found to be room on the disk.
    had_room: Mutex<Option<Instant>>,
    writer: Writer,
    /// `None` in memory, and once the store is closed.
    lock: Mutex<Option<Lock>>,
}

impl SqliteStore {
    /// Opens the file and locks it for this process; creates it where there is none, and brings it up to date.
    /// `:memory:` is a store for as long as it is open.
    ///
    /// # Errors
    /// When the file is in use, or is no whole database of this server.
    pub async fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let owned = path.to_path_buf();
        let opened = tokio::task::spawn_blocking(move || open(&owned)).await;
        let opened = opened.unwrap_or_else(|why| Err(Unusable::Io(io::Error::other(why))));
        let inner = opened.map_err(|why| unusable(path, why))?;
        Ok(SqliteStore(Arc::new(inner)))
    }

    pub(super) async fn write<T, F>(&self, write: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.0.writer.run(0, write).await
    }

    pub(super) async fn read<T, F>(&self, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let Some(readers) = &self.0.readers else { return self.0.writer.run(0, read).await };
        // Held while reading, so that there are never more connections than that.
        let _permit = readers.permits.acquire().await.map_err(|_| StoreError::failed("it is closed"))?;
        let inner = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || {
            let readers = inner.readers.as_ref().expect("it was there just now");
            readers.read(read)
        });
        done.await.unwrap_or_else(|why| Err(StoreError::failed(why)))
    }
}

impl Inner {
    /// Whether the disk has room for some time to come: the log alone takes plies for a while on a disk that is full.
    /// Looks at most once a second.
    fn check_room(&self) -> Result<(), StoreError> {
        let Some(folder) = self.readers.as_ref().and_then(|readers| readers.path.parent()) else { return Ok(()) };
        let mut had_room = locked(&self.had_room);
        if had_room.is_some_and(|at| at.elapsed() < RECENT) {
            return Ok(());
        }
        *had_room = None;
        let fill = || tempfile::tempfile_in(folder)?.write_all(&vec![0; ROOM]);
        fill().map_err(|why| match why.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full,
            _ => StoreError::failed(why),
        })?;
        *had_room = Some(Instant::now());
        Ok(())
    }
}

fn unusable(path: &Path, why: Unusable) -> StoreError {
    StoreError::Unusable { path: path.into(), why: Arc::new(why) }
}

fn open(path: &Path) -> Result<Inner, Unusable> {
    if path.as_os_str() == ":memory:" {
        let mut connection = Connection::open_in_memory()?;
        schema::create(&mut connection)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        return Ok(Inner {
            readers: None,
            had_room: Mutex::default(),
            writer: Writer::start(connection)?,
            lock: Mutex::default(),
        });
    }
    let (path, is_there) = file::resolve(path)?;
    if is_there {
        file::check_outside(&path)?;
    }
    let lock = Lock::take(&path)?;
    // The last holder of the lock may have made it meanwhile.
    if path.exists() {
        file::check_outside(&path)?;
    } else {
        file::check_absent(&path)?;
        create(&path)?;
    }
    let connection = open_to_write(&path)?;
    let readers = Readers { path, free: Mutex::default(), permits: Semaphore::new(READERS) };
    Ok(Inner {
        readers: Some(readers),
        had_room: Mutex::default(),
        writer: Writer::start(connection)?,
        lock: Mutex::new(Some(lock)),
    })
}

/// Makes a database under another name, so that there is a whole one or none.
fn create(path: &Path) -> Result<(), Unusable> {
    let folder = path.parent().expect("the path is absolute and names a file");
    let made = tempfile::Builder::new().prefix(".raichi-").suffix(".new").tempfile_in(folder)?;
    let mut connection = Connection::open(made.path())?;
    schema::create(&mut connection)?;
    connection.close().map_err(|(_, why)| why)?;
    made.as_file().sync_all()?;
    made.persist_noclobber(path).map_err(|why| why.error)?;
    Ok(file::sync_folder_of(path)?)
}

fn open_to_write(path: &Path) -> Result<Connection, Unusable> {
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX)?;
    set_up(&connection)?;
    schema::migrate(&mut connection)?;
    if fs::metadata(path)?.len() <= CHECKED_AT_START {
        whole(&connection, "quick_check")?;
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES as i64)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Writes, so that there is a log to extend.
    write_a_little(&connection)?;
    if let Err(why) = extend_log(&file::beside(path, "-wal"), LOG_BYTES) {
        tracing::warn!(%why, "the database's log cannot be made as long as it may become");
    }
    Ok(connection)
}

/// Every connection is used by one thread at a time.
const NO_MUTEX: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    // Others hold locks for moments only.
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(32);
    // The end of a process that was not asked to end is like a crash: the log stays.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(())
}

/// Opens a database that a server may be using, only to read it. An earlier version may have written it.
///
/// # Errors
/// Says why it is not one that can be read.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    let open = || -> Result<Connection, Unusable> {
        let (path, is_there) = file::resolve(path)?;
        if !is_there {
            file::check_absent(&path)?;
            return Err(Unusable::Missing);
        }
        file::check_outside(&path)?;
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY | NO_MUTEX)?;
        set_up(&connection)?;
        // Whose it is.
        schema::is_up_to_date(&connection)?;
        Ok(connection)
    };
    open().map_err(|why| unusable(path, why))
}

/// A copy of this database that is brought up to date, where an earlier version has written it; nothing where it is as
/// today's. The copy is a file without a name, gone with the connection.
///
/// # Errors
/// When it cannot be copied or is damaged.
pub(crate) fn copy_up_to_date(connection: &Connection, path: &Path) -> Result<Option<Connection>, StoreError> {
    let copy = || -> Result<Option<Connection>, Unusable> {
        if schema::is_up_to_date(connection)? {
            return Ok(None);
        }
        let mut copy = Connection::open("")?;
        Backup::new(connection, &mut copy)?.run_to_completion(PAGES_AT_ONCE, Duration::ZERO, None)?;
        schema::migrate(&mut copy)?;
        Ok(Some(copy))
    };
    copy().map_err(|why| unusable(path, why))
}

/// Reads the file through, by one of SQLite's checks.
///
/// # Errors
/// Says what is wrong first.
pub(crate) fn whole(connection: &Connection, check: &str) -> Result<(), Unusable> {
    let found: String = connection.pragma_query_value(None, check, |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    // Of several lines the first only says which database it is.
    Err(Unusable::Damaged(found.lines().find(|line| !line.starts_with("***")).unwrap_or(&found).into()))
}

fn write_a_little(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", schema::APPLICATION_ID)
}

/// Connections that read, each when there is something to read.
#[derive(Debug)]
struct Readers {
    path: PathBuf,
    free: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

impl Readers {
    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let free = locked(&self.free).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => {
                let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX;
                let connection = Connection::open_with_flags(&self.path, flags)?;
                set_up(&connection)?;
                connection.pragma_update(None, "query_only", true)?;
                connection
            }
        };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let done = read(&transaction);
        transaction.finish()?;
        if !self.permits.is_closed() {
            locked(&self.free).push(connection);
        }
        done
    }

    fn close(&self) {
        self.permits.close();
        locked(&self.free).clear();
    }
}

impl StoreError {
    pub(crate) fn failed(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Failed(Arc::from(why.into()))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            _ => StoreError::failed(error),
        }
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn create(&self, table: &TableRow) -> Result<(), StoreError> {
        let table = table.clone();
        self.0.writer.run(0, move |connection| rows::insert_table(connection, &table, None)).await
    }

    async fn create_rematch(&self, previous: &str, table: &TableRow) -> Result<String, StoreError> {
        let (previous, table) = (previous.to_string(), table.clone());
        let create = move |connection: &Connection| match rows::rematch_of(connection, &previous)? {
            Some(there_is) => Ok(there_is),
            None => rows::insert_table(connection, &table, Some(&previous)).map(|()| table.id),
        };
        self.0.writer.run(0, create).await
    }

    async fn load(&self, id: &str) -> Result<Option<StoredTable>, StoreError> {
        let id = id.to_string();
        self.read(move |connection| rows::load(connection, &id)).await
    }

    async fn append(
        &self,
        table: &str,
        first: usize,
        plies: &[PlyRow],
        ending: Option<&Ending>,
    ) -> Result<(), StoreError> {
        let n_plies = plies.len();
        let (table, plies, ending) = (table.to_string(), plies.to_vec(), ending.cloned());
        let append = move |connection: &Connection| rows::append(connection, &table, first, &plies, ending.as_ref());
        self.0.writer.run(n_plies, append).await
    }

    async fn take_back(&self, table: &str, n_plies: usize, request: &str) -> Result<(), StoreError> {
        let (table, request) = (table.to_string(), request.to_string());
        let take_back = move |connection: &Connection| rows::take_back(connection, &table, n_plies, &request);
        self.0.writer.run(0, take_back).await
    }

    async fn resign(
        &self,
        table: &str,
        seat: Seat,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
        request: Option<&str>,
    ) -> Result<(), StoreError> {
        let (table, resignation, ending) = (table.to_string(), resignation.clone(), ending.cloned());
        let request = request.map(String::from);
        let resign = move |connection: &Connection| {
            rows::resign(connection, &table, seat, &resignation, at, ending.as_ref(), request.as_deref())
        };
        self.0.writer.run(0, resign).await
    }

    async fn start_clock(&self, table: &str, at: Millis) -> Result<(), StoreError> {
        let table = table.to_string();
        self.0.writer.run(0, move |connection| rows::start_clock(connection, &table, at)).await
    }

    async fn offer_draw(
        &self,
        table: &str,
        seat: Seat,
        n_plies: usize,
        at: Millis,
        ending: Option<&Ending>,
        request: &str,
    ) -> Result<(), StoreError> {
        let (table, ending, request) = (table.to_string(), ending.cloned(), request.to_string());
        let offer = move |connection: &Connection| {
            rows::offer_draw(connection, &table, seat, n_plies, at, ending.as_ref(), Some(&request))
        };
        self.0.writer.run(0, offer).await
    }

    async fn finished(&self, wanted: &Wanted, most: usize) -> Result<Vec<Finished>, StoreError> {
        let wanted = wanted.clone();
        self.read(move |connection| finished::find(connection, &wanted, most)).await
    }

    async fn played_with(&self, seed: &Seed) -> Result<Option<String>, StoreError> {
        let seed = *seed;
        self.read(move |connection| finished::played_with(connection, &seed)).await
    }

    async fn import(&self, imported: &Imported) -> Result<String, StoreError> {
        let imported = imported.clone();
        let n_plies = imported.plies.len();
        self.0.writer.run(n_plies, move |connection| finished::import(connection, &imported)).await
    }

    async fn variations(&self, table: &str) -> Result<KeptVariations, StoreError> {
        let table = table.to_string();
        self.read(move |connection| variations::load(connection, &table)).await
    }

    async fn keep_variations(
        &self,
        table: &str,
        revision: u32,
        lines: &[TriedLine],
    ) -> Result<Option<u32>, StoreError> {
        let (table, lines) = (table.to_string(), lines.to_vec());
        self.0.writer.run(0, move |connection| variations::keep(connection, &table, revision, &lines)).await
    }

    async fn name(&self, table: &str, seat: Seat, name: &str) -> Result<(), StoreError> {
        let (table, name) = (table.to_string(), name.to_string());
        self.0.writer.run(0, move |connection| rows::name(connection, &table, seat, &name)).await
    }

    fn serving_at(&self, address: SocketAddr) {
        let lock = locked(&self.0.lock);
        if let Some(Err(why)) = lock.as_ref().map(|lock| lock.serving_at(address.to_string())) {
            tracing::warn!(%why, "the lock of the database does not say where this server is");
        }
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let inner = Arc::clone(&self.0);
        let room = tokio::task::spawn_blocking(move || inner.check_room()).await;
        room.unwrap_or_else(|why| Err(StoreError::failed(why)))?;
        if self.0.writer.has_just_written() {
            return Ok(());
        }
        self.0.writer.run(0, |connection| Ok(write_a_little(connection)?)).await
    }

    fn written(&self) -> Written {
        self.0.writer.written()
    }

    async fn close(&self) {
        let inner = Arc::clone(&self.0);
        let close = move || {
            // The last connection to close folds the log into the file.
            if let Some(readers) = &inner.readers {
                readers.close();
            }
            inner.writer.close();
            drop(locked(&inner.lock).take());
        };
        if let Err(why) = tokio::task::spawn_blocking(close).await {
            tracing::error!(%why, "the database was not closed");
        }
    }
}

#[cfg(test)]
mod tests;
