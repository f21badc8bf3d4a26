//! Checks a database: the file, and every table in it.

use std::path::Path;

use rusqlite::{Connection, Row};

use crate::restore::restore;
use crate::store::{StoreError, copy_up_to_date, load, load_variations, open_to_read, table_ids, whole};

/// What a check has come to.
#[derive(Clone, Debug)]
pub enum Checking<'a> {
    /// The file is being read through.
    File,
    /// So many of so many tables have been played again.
    Tables {
        /// Checked.
        done: usize,
        /// In all.
        total: usize,
    },
    /// Something is wrong: the sentence names the table, or the file's part.
    Bad(&'a str),
}

/// What a check has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The tables in the database.
    pub n_tables: usize,
    /// Their plies, those of bad tables not included.
    pub n_plies: usize,
    /// What is wrong, sentence by sentence: tables, and parts of the file.
    pub n_bad: usize,
}

/// Checks that the file is intact, and that every table in it is complete and can be played again under its rules. A
/// server may be using it; where an earlier version has written it, the tables are read from a copy as a server would
/// bring it up to date, and the file stays as it is.
///
/// # Errors
/// When it cannot be read at all.
pub fn check(database: &Path, mut report: impl FnMut(Checking<'_>)) -> Result<Checked, StoreError> {
    let file = open_to_read(database)?;
    let mut checked = Checked::default();
    report(Checking::File);
    for why in faults_of_file(&file) {
        checked.n_bad += 1;
        report(Checking::Bad(&why));
    }
    let copy = copy_up_to_date(&file, database)?;
    let connection = copy.as_ref().unwrap_or(&file);
    let ids = table_ids(connection)?;
    checked.n_tables = ids.len();
    for (done, id) in ids.iter().enumerate() {
        report(Checking::Tables { done, total: ids.len() });
        // One transaction for each, so that a server's log need not wait for the end of the check.
        let transaction = connection.unchecked_transaction()?;
        let stored = load_variations(&transaction, id).and_then(|_| load(&transaction, id));
        transaction.finish()?;
        let restored = stored.and_then(|stored| match stored {
            None => Ok(0),
            Some(stored) => restore(&stored).map(|game| game.n_plies()),
        });
        match restored {
            Ok(n_plies) => checked.n_plies += n_plies,
            Err(why @ (StoreError::Damaged { .. } | StoreError::Newer { .. })) => {
                checked.n_bad += 1;
                report(Checking::Bad(&why.to_string()));
            }
            Err(why) => return Err(why),
        }
    }
    report(Checking::Tables { done: ids.len(), total: ids.len() });
    Ok(checked)
}

/// What is wrong with the file apart from single tables.
fn faults_of_file(connection: &Connection) -> Vec<String> {
    let mut faults: Vec<String> = whole(connection, "integrity_check").err().iter().map(ToString::to_string).collect();
    let orphans = || -> rusqlite::Result<Vec<String>> {
        let mut orphans = connection.prepare("SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1")?;
        let sentence = |row: &Row<'_>| {
            let (rows, n): (String, i64) = (row.get(0)?, row.get(1)?);
            Ok(format!("{n} rows of {rows} belong to a table that is missing"))
        };
        orphans.query_map([], sentence)?.collect()
    };
    match orphans() {
        Ok(orphans) => faults.extend(orphans),
        Err(why) => faults.push(why.to_string()),
    }
    faults.into_iter().map(|fault| format!("the file: {fault}")).collect()
}
