//! All tables: creates them, and opens those that somebody asks for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use raichi_agents::levels;
use raichi_core::record::{self, Record};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::agents::Engines;
use crate::client::ClientAddress;
use crate::clock::TimeControl;
use crate::error::Refusal;
use crate::game_in_progress::set_up;
use crate::library::{self, Sent};
use crate::message::{ImportedRecord, KeyKind, NewTable, SeatKey, SeatRequest, TableRequest};
use crate::names;
use crate::restore::restore;
use crate::secret::{Key, KeyHash, NoRandomness, Seed, is_table_id, table_id};
use crate::settings::Settings;
use crate::store::{Holder, SeatRow, StoreError, TableRow};
use crate::table::{Common, Connection, Table};

/// Longest spec that is read. The longest canonical one of the collection has a few hundred characters.
const MAX_SPEC: usize = 1_000;
/// An idle table may close while somebody connects to it; then it is opened again.
const ATTEMPTS: usize = 3;

/// For how long a table that is damaged is refused without looking at it again: it may have been repaired meanwhile.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How long the records of a request may take: a request that takes much longer is cut off, and what it was to be told is lost.
const IMPORT_TIME: Duration = Duration::from_secs(20);

type Tables = HashMap<String, Arc<OnceCell<Result<Table, Damaged>>>>;

/// Why a table cannot be opened, as it was found.
#[derive(Clone)]
struct Damaged {
    refusal: Refusal,
    found: Instant,
}

/// All tables.
pub(crate) struct Hub {
    common: Common,
    /// The tables in memory, or being loaded; and for a while those that are damaged.
    open: Mutex<Tables>,
    /// What the log says of damaged tables, so that it says it once.
    logged: Mutex<HashMap<String, String>>,
    /// As [`LOOK_AGAIN`].
    look_again: Duration,
    /// As [`IMPORT_TIME`].
    import_time: Duration,
}

impl Hub {
    pub(crate) fn new(common: Common) -> Hub {
        Hub {
            common,
            open: Mutex::default(),
            logged: Mutex::default(),
            look_again: LOOK_AGAIN,
            import_time: IMPORT_TIME,
        }
    }

    pub(crate) fn common(&self) -> &Common {
        &self.common
    }

    /// Creates a table.
    pub(crate) async fn create(&self, request: TableRequest, client: ClientAddress) -> Result<NewTable, Refusal> {
        let engines = Arc::clone(&self.common.engines);
        // Making a large board or an engine ready takes a while.
        let prepared = tokio::task::spawn_blocking(move || prepare(&engines, request)).await;
        let (table, new) = prepared.map_err(|why| {
            tracing::error!(%why, "a table cannot be prepared");
            Refusal::internal()
        })??;
        self.common.admission.table(client)?;
        self.common.store.create(&table).await?;
        self.common.metrics.tables_created.inc();
        tracing::info!(table = table.id, game = table.game, "made");
        Ok(new)
    }

    /// Connects the holder of these keys to a table.
    pub(crate) async fn join(
        &self,
        id: &str,
        client: ClientAddress,
        keys: &[String],
        name: Option<&str>,
    ) -> Result<Connection, Refusal> {
        let keys: Vec<KeyHash> = keys.iter().map(|key| KeyHash::of(key)).collect();
        let name = name.and_then(names::name);
        for _ in 0..ATTEMPTS {
            if let Ok(joined) = self.open(id).await?.join(client, keys.clone(), name.clone()).await {
                return joined;
            }
        }
        Err(Refusal::internal())
    }

    /// The whole record of a finished game.
    pub(crate) async fn record(&self, id: &str) -> Result<Record, Refusal> {
        for _ in 0..ATTEMPTS {
            if let Ok(record) = self.open(id).await?.record().await {
                return record;
            }
        }
        Err(Refusal::internal())
    }

    /// Makes finished games of records, each on a line. Lines beyond what the client may take are refused one by one, so that
    /// the reply names all that were kept, with their keys.
    pub(crate) async fn import(&self, text: String, client: ClientAddress) -> Result<Vec<ImportedRecord>, Refusal> {
        let lines: Vec<(usize, String)> = text.lines().enumerate().map(|(i, line)| (i + 1, line.to_string())).collect();
        let lines: Vec<_> = lines.into_iter().filter(|(_, line)| !line.trim().is_empty()).collect();
        if lines.len() > library::MAX_RECORDS {
            let (n, most) = (lines.len(), library::MAX_RECORDS);
            return Err(Refusal::new("record/too-many", format!("at most {most} records are taken at once, not {n}")));
        }
        let begun = Instant::now();
        let mut imported = Vec::new();
        // Why all lines that follow are refused.
        let mut over = None;
        for (line, text) in lines {
            if over.is_none() && begun.elapsed() >= self.import_time {
                over = Some(Refusal::busy("the records before this one took as long as a request may take"));
            }
            let kept = match over.clone().map_or_else(|| self.common.admission.table(client), Err) {
                Ok(()) => self.import_line(line, text).await,
                // Nothing is kept that the client would have to be told of.
                Err(refusal) if imported.is_empty() => return Err(refusal),
                Err(refusal) => {
                    over = Some(refusal.clone());
                    Err(refusal)
                }
            };
            let refused = |error| ImportedRecord {
                line,
                table: None,
                already_here: false,
                variations_key: None,
                error: Some(error),
            };
            imported.push(kept.unwrap_or_else(refused));
        }
        Ok(imported)
    }

    async fn import_line(&self, line: usize, text: String) -> Result<ImportedRecord, Refusal> {
        // Replaying a long game takes a while.
        let made = tokio::task::spawn_blocking(move || library::import(&text, line)).await;
        self.keep(line, made.unwrap_or_else(|_| Err(Refusal::internal()))?).await
    }

    /// Keeps a game from elsewhere. Where it is here already, it stays in the hands of who has the key.
    async fn keep(&self, line: usize, sent: Sent) -> Result<ImportedRecord, Refusal> {
        let Sent { record, game, key } = sent;
        let store = self.common.store.as_ref();
        let table = match library::played_here(store, record).await? {
            Some(table) => table,
            None => store.import(&game).await?,
        };
        let is_new = table == game.table.id;
        Ok(ImportedRecord {
            line,
            table: Some(table),
            already_here: !is_new,
            variations_key: is_new.then(|| key.reveal()),
            error: None,
        })
    }

    async fn open(&self, id: &str) -> Result<Table, Refusal> {
        if !is_table_id(id) {
            return Err(Refusal::unknown_table());
        }
        let cell = Arc::clone(self.tables().entry(id.into()).or_default());
        let opened = cell.get_or_try_init(|| self.load(id)).await?;
        opened.clone().map_err(|damaged| damaged.refusal)
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        let mut tables = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Removes those that have closed, and those that could not be opened and that nobody is trying to open.
        tables.retain(|_, cell| match cell.get() {
            Some(Ok(table)) => !table.is_gone(),
            Some(Err(damaged)) => damaged.found.elapsed() < self.look_again,
            None => Arc::strong_count(cell) > 1,
        });
        tables
    }

    async fn load(&self, id: &str) -> Result<Result<Table, Damaged>, Refusal> {
        match self.load_whole(id).await {
            Ok(table) => table.map(Ok).ok_or_else(Refusal::unknown_table),
            Err(why @ (StoreError::Damaged { .. } | StoreError::Newer { .. })) => {
                self.log_once(id, &why);
                Ok(Err(Damaged { refusal: Refusal::of_store(&why), found: Instant::now() }))
            }
            Err(why) => Err(why.into()),
        }
    }

    /// As long as it stays damaged in the same way.
    fn log_once(&self, id: &str, why: &StoreError) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        let sentence = why.to_string();
        if logged.get(id) != Some(&sentence) {
            tracing::error!(table = id, %why, "a table cannot be opened");
            logged.insert(id.into(), sentence);
        }
    }

    async fn load_whole(&self, id: &str) -> Result<Option<Table>, StoreError> {
        let Some(stored) = self.common.store.load(id).await? else { return Ok(None) };
        let (common, runtime) = (self.common.clone(), tokio::runtime::Handle::current());
        // Replaying a long game takes a while.
        let start = move || {
            let _runtime = runtime.enter();
            let game = restore(&stored)?;
            // They are asked for at once, and describing them takes longer than replaying them.
            game.current().plies();
            Ok(Some(Table::start(common, game, stored)))
        };
        tokio::task::spawn_blocking(start).await.unwrap_or_else(|why| Err(StoreError::failed(why)))
    }
}

/// The table that is asked for, and the answer to the person who creates it.
fn prepare(engines: &Engines, request: TableRequest) -> Result<(TableRow, NewTable), Refusal> {
    check_spec(&request.game)?;
    let game = raichi_games::game(&request.game)?;
    let (given, n_seats) = (request.seats.len(), game.facts().n_seats);
    if given != n_seats {
        return Err(Refusal::new("table/seats", format!("{} has {n_seats} seats, not {given}", game.spec())));
    }
    let among_friends = request.seats.iter().any(|seat| matches!(seat, SeatRequest::Friend { .. }));
    request.clock.map_or(Ok(()), TimeControl::check)?;
    let settings = Settings { help: request.help.unwrap_or(!among_friends), clock: request.clock };
    let mut seats = Vec::with_capacity(n_seats);
    let mut keys = Vec::new();
    for (seat, request) in request.seats.into_iter().enumerate() {
        let (kind, name) = match request {
            SeatRequest::Engine { agent } => {
                check_spec(&agent)?;
                let agent = engines.seat(&game, seat, &agent)?;
                seats.push(Holder::Engine { agent });
                continue;
            }
            SeatRequest::Me { name } => (KeyKind::Me, name),
            SeatRequest::Friend { name } => (KeyKind::Friend, name),
        };
        let key = Key::new()?;
        seats.push(Holder::Human { key: key.hash(), name: name.as_deref().and_then(names::name) });
        keys.push(SeatKey { seat, kind, key: key.reveal() });
    }
    let variations_key = if keys.is_empty() { Some(Key::new()?) } else { None };
    let seed = Seed::new()?;
    let start = request.position.as_deref().map(|text| set_up(game.as_ref(), text, &seed)).transpose()?;
    let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
    let table = TableRow {
        id: table_id()?,
        game: game.spec().into(),
        version: record::VERSION,
        start,
        seed,
        created_at,
        settings,
        clock_started: None,
        imported: None,
        variations_key: variations_key.as_ref().map(Key::hash),
        levels: Some(levels::version(&*game)),
        seats: seats.into_iter().map(|holder| SeatRow { holder, resignation: None, draw_offered: None }).collect(),
    };
    let seed_hash = table.seed.hash();
    let new = NewTable { table: table.id.clone(), keys, variations_key: variations_key.map(Key::reveal), seed_hash };
    Ok((table, new))
}

impl From<NoRandomness> for Refusal {
    fn from(error: NoRandomness) -> Refusal {
        tracing::error!(%error, "no secret could be made");
        Refusal::internal()
    }
}

/// Refuses specs that are too long to be valid.
pub(crate) fn check_spec(spec: &str) -> Result<(), Refusal> {
    if spec.len() <= MAX_SPEC {
        return Ok(());
    }
    Err(Refusal::new("spec/too-long", format!("a spec has at most {MAX_SPEC} bytes, not {}", spec.len())))
}

#[cfg(test)]
mod tests;
