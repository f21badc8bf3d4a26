//! Whose database it is, and what its tables are like: the application id and the user version in its header.

use rusqlite::{Connection, Transaction};

use super::file::Unusable;

/// `Raic` in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x5261_6963;

/// By version, from 1.
const MIGRATIONS: [&str; 11] = [
    include_str!("../../migrations/0001_tables.sql"),
    include_str!("../../migrations/0002_positions.sql"),
    include_str!("../../migrations/0003_application_id.sql"),
    include_str!("../../migrations/0004_settings.sql"),
    include_str!("../../migrations/0005_clocks.sql"),
    include_str!("../../migrations/0006_library.sql"),
    include_str!("../../migrations/0007_runs.sql"),
    include_str!("../../migrations/0008_levels.sql"),
    include_str!("../../migrations/0009_variations.sql"),
    include_str!("../../migrations/0010_variations_key.sql"),
    include_str!("../../migrations/0011_seeds.sql"),
];
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Which migrations our database has had.
///
/// # Errors
/// When it is not ours, or from a later version.
fn version(connection: &Connection) -> Result<i64, Unusable> {
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found = match id {
        APPLICATION_ID => connection.pragma_query_value(None, "user_version", |row| row.get(0))?,
        0 => version_without_id(connection)?.ok_or(Unusable::Foreign { id })?,
        _ => return Err(Unusable::Foreign { id }),
    };
    if found > VERSION { Err(Unusable::Newer { found, known: VERSION }) } else { Ok(found) }
}

/// The version of a database from before the id, which a library wrote down; `None` where it is not one.
fn version_without_id(connection: &Connection) -> Result<Option<i64>, Unusable> {
    let ours = "SELECT count(*) = 4 FROM sqlite_schema WHERE type = 'table' \
                AND name IN ('tables', 'seats', 'plies', '_sqlx_migrations')";
    if !connection.query_row(ours, [], |row| row.get(0))? {
        return Ok(None);
    }
    Ok(connection.query_row("SELECT max(version) FROM _sqlx_migrations WHERE success", [], |row| row.get(0))?)
}

/// Brings our database up to date.
///
/// # Errors
/// When it is not ours, or from a later version.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Unusable> {
    let found = version(connection)?;
    migrate_from(connection, found)
}

/// Makes an empty database ours.
pub(super) fn create(connection: &mut Connection) -> Result<(), Unusable> {
    migrate_from(connection, 0)
}

fn migrate_from(connection: &mut Connection, found: i64) -> Result<(), Unusable> {
    if found == VERSION {
        return Ok(());
    }
    // Foreign keys are checked at the end: a migration may rebuild a table.
    let transaction: Transaction<'_> = connection.transaction()?;
    for migration in &MIGRATIONS[found as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

/// Whether our database is as today's.
///
/// # Errors
/// When it is not ours, or from a later version.
pub(super) fn is_up_to_date(connection: &Connection) -> Result<bool, Unusable> {
    Ok(version(connection)? == VERSION)
}
