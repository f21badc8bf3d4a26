//! Finished games, found by what is public of them.

use rusqlite::{Connection, OptionalExtension, ToSql, params, params_from_iter};

use super::rows::{self, Stored};
use super::{Ending, Millis, PlyRow, StoreError, TableRow, TriedLine, variations};
use crate::secret::Seed;

/// Which finished games are wanted. Everything that is given has to be so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The id of the game, whatever its parameters.
    pub game: Option<String>,
    /// The name of somebody who held a seat; upper and lower case are the same for ASCII.
    pub name: Option<String>,
    /// The spec of an engine that held a seat, or what stands before its colon.
    pub agent: Option<String>,
    /// How it ended.
    pub result: Option<WantedResult>,
    /// How many seats it has.
    pub seats: Option<usize>,
    /// Only games before this one in the list, newest first.
    pub before: Option<(Millis, String)>,
}

/// How a game is to have ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedResult {
    /// This seat alone got most.
    Won(usize),
    /// All seats got the same.
    Drawn,
    /// For this reason.
    By(String),
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The table's id.
    pub id: String,
    /// The canonical spec of the game.
    pub game: String,
    /// The version of the record format that the spec was written with.
    pub version: u32,
    /// When it ended.
    pub ended_at: Millis,
    /// How.
    pub ending: Ending,
    /// How many plies it has.
    pub n_plies: usize,
    /// By seat.
    pub seats: Vec<FinishedSeat>,
}

/// Who held a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSeat {
    /// The spec of the engine that played it at the end.
    pub agent: Option<String>,
    /// The person's name, where one was given.
    pub name: Option<String>,
}

/// A record from elsewhere, as a table.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The table; nobody has the keys of its seats, but there is one for its variations.
    pub table: TableRow,
    /// Its plies.
    pub plies: Vec<PlyRow>,
    /// How it ended.
    pub ending: Ending,
    /// What was tried in its analysis.
    pub variations: Vec<TriedLine>,
    /// When it was imported.
    pub at: Millis,
    /// By what the game is known again where an earlier version imported it: what that one kept as [`Origin::hash`].
    ///
    /// [`Origin::hash`]: super::Origin::hash
    pub earlier_hashes: Vec<String>,
}

/// The latest `most` of the games that are wanted.
pub(super) fn find(connection: &Connection, wanted: &Wanted, most: usize) -> Stored<Vec<Finished>> {
    let mut sql = String::from(
        "SELECT id, game, version, ended_at, end_reason, payoffs, \
         (SELECT count(*) FROM plies WHERE table_id = id) FROM tables WHERE ended_at IS NOT NULL",
    );
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let mut also = |condition: &str, given: Vec<Box<dyn ToSql>>| {
        sql += " AND ";
        sql += condition;
        values.extend(given);
    };
    if let Some(game) = &wanted.game {
        also("kind = ?", vec![Box::new(game.clone())]);
    }
    if let Some(name) = &wanted.name {
        let condition = "id IN (SELECT table_id FROM seats WHERE name = ? COLLATE NOCASE)";
        also(condition, vec![Box::new(name.clone())]);
    }
    if let Some(agent) = &wanted.agent {
        // All specs that begin with it and a colon: a range, so that the index is used.
        let condition = "id IN (SELECT table_id FROM seats WHERE agent = ? OR agent >= ? AND agent < ?)";
        also(condition, vec![Box::new(agent.clone()), Box::new(format!("{agent}:")), Box::new(format!("{agent};"))]);
    }
    match &wanted.result {
        None => {}
        Some(WantedResult::Won(seat)) => also("winner = ?", vec![Box::new(*seat as i64)]),
        Some(WantedResult::Drawn) => also("winner = -1", vec![]),
        Some(WantedResult::By(reason)) => also("end_reason = ?", vec![Box::new(reason.clone())]),
    }
    if let Some(seats) = wanted.seats {
        also("json_array_length(payoffs) = ?", vec![Box::new(i64::try_from(seats).unwrap_or(i64::MAX))]);
    }
    if let Some((at, id)) = &wanted.before {
        also("(ended_at, id) < (?, ?)", vec![Box::new(*at), Box::new(id.clone())]);
    }
    sql += " ORDER BY ended_at DESC, id DESC LIMIT ?";
    values.push(Box::new(most as i64));
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, payoffs): (String, String) = (row.get(0)?, row.get(5)?);
        let damaged = |why: serde_json::Error| StoreError::Damaged { table: id.clone(), why: why.to_string() };
        found.push(Finished {
            ending: Ending { end: row.get(4)?, payoffs: serde_json::from_str(&payoffs).map_err(damaged)? },
            seats: seats(connection, &id)?,
            game: row.get(1)?,
            version: row.get(2)?,
            ended_at: row.get(3)?,
            n_plies: row.get::<_, u32>(6)? as usize,
            id,
        });
    }
    Ok(found)
}

fn seats(connection: &Connection, id: &str) -> Stored<Vec<FinishedSeat>> {
    let mut select = connection
        .prepare_cached("SELECT ifnull(agent, successor), name FROM seats WHERE table_id = ? ORDER BY seat")?;
    let seat = |row: &rusqlite::Row<'_>| Ok(FinishedSeat { agent: row.get(0)?, name: row.get(1)? });
    Ok(select.query_map([id], seat)?.collect::<Result<_, _>>()?)
}

/// The id of the finished game that was played here with this seed.
pub(super) fn played_with(connection: &Connection, seed: &Seed) -> Stored<Option<String>> {
    let mut select = connection
        .prepare_cached("SELECT id FROM tables WHERE seed = ? AND imported IS NULL AND ended_at IS NOT NULL")?;
    Ok(select.query_row([seed.0.as_slice()], |row| row.get(0)).optional()?)
}

/// Adds a finished game, unless its record is there already. Returns the id of its table.
pub(super) fn import(connection: &Connection, imported: &Imported) -> Stored<String> {
    let Imported { table, plies, ending, variations, at, earlier_hashes } = imported;
    let hash = table.imported.as_ref().map(|imported| &imported.hash);
    let mut select = connection.prepare_cached("SELECT id FROM tables WHERE imported = ?")?;
    for hash in hash.into_iter().chain(earlier_hashes) {
        if let Some(there_is) = select.query_row([hash], |row| row.get(0)).optional()? {
            return Ok(there_is);
        }
    }
    rows::insert_table(connection, table, None)?;
    rows::append(connection, &table.id, 0, plies, None)?;
    for (seat, row) in table.seats.iter().enumerate() {
        if let Some(resignation) = &row.resignation {
            rows::resign(connection, &table.id, seat, resignation, *at, None, None)?;
        }
        if let Some(n_plies) = row.draw_offered {
            rows::offer_draw(connection, &table.id, seat, n_plies, *at, None, None)?;
        }
    }
    rows::update_ending(connection, &table.id, *at, ending)?;
    if !variations.is_empty() {
        variations::keep(connection, &table.id, 0, variations)?;
    }
    Ok(table.id.clone())
}

/// The seat that alone has the most, or -1 where all have the same; nothing elsewhere, and for a seat that is alone.
pub(super) fn winner(payoffs: &[f64]) -> Option<i64> {
    let most = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners: Vec<usize> = (0..payoffs.len()).filter(|&seat| payoffs[seat] == most).collect();
    match winners[..] {
        _ if payoffs.len() < 2 => None,
        [winner] => Some(winner as i64),
        _ => (winners.len() == payoffs.len()).then_some(-1),
    }
}

/// Notes where a table's record came from.
pub(super) fn mark_imported(connection: &Connection, table: &TableRow) -> Stored<()> {
    let Some(imported) = &table.imported else { return Ok(()) };
    let mut update = connection.prepare_cached("UPDATE tables SET imported = ?, imported_seed = ? WHERE id = ?")?;
    update.execute(params![imported.hash, imported.seed, table.id])?;
    Ok(())
}
