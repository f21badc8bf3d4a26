//! Tables, seats and plies as rows, in both directions.

use raichi_core::seat::Seat;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use super::finished;
use super::{Ending, Holder, Millis, Origin, PlyRow, Resignation, SeatRow, Start, StoreError, StoredTable, TableRow};
use crate::secret::{KeyHash, Seed};
use crate::settings::Settings;

pub(super) type Stored<T> = Result<T, StoreError>;

pub(super) fn insert_table(connection: &Connection, table: &TableRow, previous: Option<&str>) -> Stored<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO tables (id, game, version, position, position_seen_by, seed, created_at, settings, previous, \
         program, levels, variations_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        table.id,
        table.game,
        table.version,
        table.start.as_ref().map(|start| &start.position),
        table.start.as_ref().and_then(|start| start.seen_by).map(|seat| seat as i64),
        table.seed.0.as_slice(),
        table.created_at,
        table.settings.to_text(),
        previous,
        crate::PROGRAM,
        table.levels,
        table.variations_key.as_ref().map(|key| key.0.as_slice()),
    ])?;
    let mut insert = connection
        .prepare_cached("INSERT INTO seats (table_id, seat, agent, key_hash, name) VALUES (?, ?, ?, ?, ?)")?;
    for (seat, row) in table.seats.iter().enumerate() {
        let (agent, key, name) = match &row.holder {
            Holder::Engine { agent } => (Some(agent), None, None),
            Holder::Human { key, name } => (None, Some(key.0.as_slice()), name.as_deref()),
        };
        insert.execute(params![table.id, seat as i64, agent, key, name])?;
    }
    finished::mark_imported(connection, table)
}

pub(super) fn rematch_of(connection: &Connection, table: &str) -> Stored<Option<String>> {
    let mut select = connection.prepare_cached("SELECT id FROM tables WHERE previous = ?")?;
    Ok(select.query_row([table], |row| row.get(0)).optional()?)
}

pub(super) fn append(
    connection: &Connection,
    table: &str,
    first: usize,
    plies: &[PlyRow],
    ending: Option<&Ending>,
) -> Stored<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO plies (table_id, ply, text, request, played_at, used) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    for (i, ply) in plies.iter().enumerate() {
        insert.execute(params![table, (first + i) as i64, ply.text, ply.request, ply.played_at, ply.used])?;
    }
    match (ending, plies.last()) {
        (Some(ending), Some(last)) => update_ending(connection, table, last.played_at, ending),
        _ => Ok(()),
    }
}

pub(super) fn take_back(connection: &Connection, table: &str, n_plies: usize, request: &str) -> Stored<()> {
    let n_plies = n_plies as i64;
    let mut keep = connection.prepare_cached(
        "INSERT INTO requests (table_id, request, n_plies) \
         SELECT table_id, request, ply + 1 FROM plies WHERE table_id = ? AND ply >= ? AND request IS NOT NULL",
    )?;
    keep.execute(params![table, n_plies])?;
    let mut delete = connection.prepare_cached("DELETE FROM plies WHERE table_id = ? AND ply >= ?")?;
    delete.execute(params![table, n_plies])?;
    let mut withdraw =
        connection.prepare_cached("UPDATE seats SET draw_offered = NULL WHERE table_id = ? AND draw_offered > ?")?;
    withdraw.execute(params![table, n_plies])?;
    keep_request(connection, table, request, n_plies)
}

/// Keeps in mind a request that has no ply.
fn keep_request(connection: &Connection, table: &str, request: &str, n_plies: i64) -> Stored<()> {
    let mut insert = connection.prepare_cached("INSERT INTO requests (table_id, request, n_plies) VALUES (?, ?, ?)")?;
    insert.execute(params![table, request, n_plies])?;
    Ok(())
}

pub(super) fn resign(
    connection: &Connection,
    table: &str,
    seat: Seat,
    resignation: &Resignation,
    at: Millis,
    ending: Option<&Ending>,
    request: Option<&str>,
) -> Stored<()> {
    let mut update = connection
        .prepare_cached("UPDATE seats SET resigned = ?, successor = ?, flagged = ? WHERE table_id = ? AND seat = ?")?;
    let flagged = resignation.by_time.then_some(1);
    let n_plies = resignation.n_plies as i64;
    update.execute(params![n_plies, resignation.successor, flagged, table, seat as i64])?;
    request.map_or(Ok(()), |request| keep_request(connection, table, request, n_plies))?;
    ending.map_or(Ok(()), |ending| update_ending(connection, table, at, ending))
}

pub(super) fn start_clock(connection: &Connection, table: &str, at: Millis) -> Stored<()> {
    let mut update =
        connection.prepare_cached("UPDATE tables SET clock_started = ? WHERE id = ? AND clock_started IS NULL")?;
    update.execute(params![at, table])?;
    Ok(())
}

pub(super) fn offer_draw(
    connection: &Connection,
    table: &str,
    seat: Seat,
    n_plies: usize,
    at: Millis,
    ending: Option<&Ending>,
    request: Option<&str>,
) -> Stored<()> {
    let mut update = connection.prepare_cached("UPDATE seats SET draw_offered = ? WHERE table_id = ? AND seat = ?")?;
    let n_plies = n_plies as i64;
    update.execute(params![n_plies, table, seat as i64])?;
    request.map_or(Ok(()), |request| keep_request(connection, table, request, n_plies))?;
    ending.map_or(Ok(()), |ending| update_ending(connection, table, at, ending))
}

pub(super) fn name(connection: &Connection, table: &str, seat: Seat, name: &str) -> Stored<()> {
    let mut update =
        connection.prepare_cached("UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND name IS NULL")?;
    update.execute(params![name, table, seat as i64])?;
    Ok(())
}

pub(super) fn update_ending(connection: &Connection, table: &str, at: Millis, ending: &Ending) -> Stored<()> {
    let payoffs = serde_json::to_string(&ending.payoffs).expect("payoffs are finite");
    let mut update = connection
        .prepare_cached("UPDATE tables SET ended_at = ?, end_reason = ?, payoffs = ?, winner = ? WHERE id = ?")?;
    update.execute(params![at, ending.end, payoffs, finished::winner(&ending.payoffs), table])?;
    Ok(())
}

/// The ids of all tables, oldest first.
pub(crate) fn table_ids(connection: &Connection) -> Stored<Vec<String>> {
    let mut select = connection.prepare("SELECT id FROM tables ORDER BY created_at, id")?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The table with this id. The connection is in a transaction, so that table, seats and plies are consistent.
///
/// # Errors
/// [`StoreError::Damaged`] where seats or plies are missing or cannot be read.
pub(crate) fn load(connection: &Connection, id: &str) -> Stored<Option<StoredTable>> {
    let damaged = |why: String| StoreError::Damaged { table: id.into(), why };
    read(connection, id).map_err(|why| match why {
        Unread::Incomplete(why) => damaged(why),
        Unread::Sqlite(why) => match why.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => damaged("a page with its records is missing or was overwritten".into()),
            Some(_) => why.into(),
            // A value is not of its column's type.
            None => damaged(why.to_string()),
        },
    })
}

enum Unread {
    Sqlite(rusqlite::Error),
    Incomplete(String),
}

impl From<rusqlite::Error> for Unread {
    fn from(why: rusqlite::Error) -> Unread {
        Unread::Sqlite(why)
    }
}

fn read(connection: &Connection, id: &str) -> Result<Option<StoredTable>, Unread> {
    let mut select = connection.prepare_cached(
        "SELECT game, version, position, position_seen_by, seed, created_at, ended_at IS NOT NULL, settings, \
         clock_started, imported, imported_seed, levels, variations_key FROM tables WHERE id = ?",
    )?;
    let table = |row: &Row<'_>| -> rusqlite::Result<(TableRow, bool, Option<String>)> {
        let start = match row.get::<_, Option<String>>(2)? {
            None => None,
            Some(position) => Some(Start { position, seen_by: row.get::<_, Option<u8>>(3)?.map(Seat::from) }),
        };
        let row_of_table = TableRow {
            id: id.into(),
            game: row.get(0)?,
            version: row.get(1)?,
            start,
            seed: Seed(row.get(4)?),
            created_at: row.get(5)?,
            settings: Settings::default(),
            clock_started: row.get(8)?,
            imported: match row.get::<_, Option<String>>(9)? {
                None => None,
                Some(hash) => Some(Origin { hash, seed: row.get(10)? }),
            },
            variations_key: row.get::<_, Option<[u8; 32]>>(12)?.map(KeyHash),
            levels: row.get(11)?,
            seats: Vec::new(),
        };
        Ok((row_of_table, row.get(6)?, row.get(7)?))
    };
    let Some((mut table, ended, settings)) = select.query_row([id], table).optional()? else { return Ok(None) };
    table.seats = numbered(
        connection,
        "SELECT seat, agent, key_hash, name, resigned, successor, flagged, draw_offered FROM seats \
         WHERE table_id = ? ORDER BY seat",
        id,
        ("seat", 0),
        seat,
    )?;
    table.settings = match settings {
        None => Settings::of_old_table(&table.seats),
        Some(text) => serde_json::from_str(&text)
            .map_err(|why| Unread::Incomplete(format!("its settings cannot be read: {why}")))?,
    };
    let plies = numbered(
        connection,
        "SELECT ply, text, request, played_at, used FROM plies WHERE table_id = ? ORDER BY ply",
        id,
        ("ply", 1),
        |row| Ok(PlyRow { text: row.get(1)?, request: row.get(2)?, played_at: row.get(3)?, used: row.get(4)? }),
    )?;
    let mut select = connection.prepare_cached("SELECT request, n_plies FROM requests WHERE table_id = ?")?;
    let request = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize));
    let requests = select.query_map([id], request)?.collect::<Result<_, _>>()?;
    let mut select = connection.prepare_cached("SELECT id FROM tables WHERE previous = ?")?;
    let next_table = select.query_row([id], |row| row.get(0)).optional()?;
    Ok(Some(StoredTable { table, plies, requests, next_table, ended }))
}

/// The rows of a table, whose first column counts them from 0 without a gap. `what` is what one of them is called, and the
/// number that the first one has in messages.
fn numbered<T>(
    connection: &Connection,
    sql: &str,
    id: &str,
    (what, first): (&str, i64),
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Unread> {
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([id])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, expected): (i64, _) = (row.get(0)?, all.len() as i64);
        if number != expected {
            let [missing, there] = [expected, number].map(|number| number + first);
            return Err(Unread::Incomplete(format!("{what} {missing} is missing, there is a {what} {there}")));
        }
        all.push(read(row)?);
    }
    Ok(all)
}

fn seat(row: &Row<'_>) -> rusqlite::Result<SeatRow> {
    let holder = match row.get(1)? {
        Some(agent) => Holder::Engine { agent },
        None => Holder::Human { key: KeyHash(row.get(2)?), name: row.get(3)? },
    };
    let resignation = match row.get::<_, Option<u32>>(4)? {
        Some(n_plies) => {
            let by_time = row.get::<_, Option<i64>>(6)?.is_some();
            Some(Resignation { n_plies: n_plies as usize, successor: row.get(5)?, by_time })
        }
        None => None,
    };
    let draw_offered = row.get::<_, Option<u32>>(7)?.map(|n_plies| n_plies as usize);
    Ok(SeatRow { holder, resignation, draw_offered })
}
