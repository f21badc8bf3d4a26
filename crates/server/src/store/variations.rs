//! What was tried in the analysis of a finished game, kept with its table.

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::rows::Stored;

/// The tree of what was tried, and how often it has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeptVariations {
    /// Counts the changes; 0 where nothing has been kept yet.
    pub revision: u32,
    /// The tree as its lines, each to its end.
    pub lines: Vec<TriedLine>,
}

/// Plies that were tried in place of those that were played, or after them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(expecting = "an object with after and plies")]
pub struct TriedLine {
    /// So many plies of the game come first.
    pub after: usize,
    /// The plies that follow, as a history writes them.
    pub plies: Vec<String>,
}

/// What is kept with a table; an empty tree where that is nothing.
pub(crate) fn load(connection: &Connection, table: &str) -> Stored<KeptVariations> {
    let mut select = connection.prepare_cached("SELECT revision, lines FROM variations WHERE table_id = ?")?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: Option<(u32, String)> = select.query_row([table], row).optional()?;
    let Some((revision, lines)) = found else { return Ok(KeptVariations::default()) };
    let lines = serde_json::from_str(&lines).map_err(|why| StoreError::Damaged {
        table: table.into(),
        why: format!("its variations cannot be read: {why}"),
    })?;
    Ok(KeptVariations { revision, lines })
}

/// Keeps `lines` in place of revision `revision`. Returns the new revision, or nothing where another one is there.
pub(super) fn keep(connection: &Connection, table: &str, revision: u32, lines: &[TriedLine]) -> Stored<Option<u32>> {
    let mut select = connection.prepare_cached("SELECT revision FROM variations WHERE table_id = ?")?;
    let there_is: Option<u32> = select.query_row([table], |row| row.get(0)).optional()?;
    if there_is.unwrap_or(0) != revision {
        return Ok(None);
    }
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO variations (table_id, revision, lines) VALUES (?, ?, ?)")?;
    let lines = serde_json::to_string(lines).expect("lines have only text keys");
    insert.execute(params![table, revision + 1, lines])?;
    Ok(Some(revision + 1))
}
