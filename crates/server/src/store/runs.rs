//! Runs of the lab as rows: what was asked for, how far it is, and what it has finished.

use std::ops::Range;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::Stored;
use super::{Millis, SqliteStore, StoreError};
use crate::secret::KeyHash;

/// The numbers of all that a run has finished.
pub const ALL_ITEMS: Range<u64> = 0..u64::MAX;

/// A run as it was asked for, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id.
    pub id: String,
    /// The hash of the key that may pause, stop and remove it.
    pub key: KeyHash,
    /// What was asked for, as JSON.
    pub request: String,
    /// What people are told that it is.
    pub title: String,
    /// When it was asked for.
    pub created_at: Millis,
    /// How far it is.
    pub standing: RunStanding,
}

/// How far a run is: all of it that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunStanding {
    /// One of the names in `migrations/0007_runs.sql`.
    pub state: String,
    /// Why it failed.
    pub why: Option<String>,
    /// For how long it has worked.
    pub millis: u64,
    /// How much is done.
    pub n_done: u64,
    /// Of how much, where that is known.
    pub n_total: Option<u64>,
    /// What it has come to, as JSON.
    pub progress: Option<String>,
}

/// The storage of runs. Durability is that of [`super::Store`].
#[async_trait]
pub trait RunStore: Send + Sync + 'static {
    /// Adds a run. Of those that do not work only the latest are kept, so that there are at most `most` runs; those that have
    /// ended are forgotten before those that are paused. Returns the ids of those that were forgotten.
    async fn create_run(&self, run: &RunRow, most: usize) -> Result<Vec<String>, StoreError>;

    /// Says how far a run is, and adds to its items, the first of which has the number `first`; all of it or nothing.
    async fn advance_run(
        &self,
        id: &str,
        standing: &RunStanding,
        first: u64,
        items: &[String],
    ) -> Result<(), StoreError>;

    /// Changes the state of a run from `from` to `to`; says whether it was `from`, and changes nothing where it was not.
    async fn change_run(&self, id: &str, from: &str, to: &str) -> Result<bool, StoreError>;

    /// The run with this id.
    async fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError>;

    /// What a run has finished, in order: those of these numbers.
    async fn run_items(&self, id: &str, numbers: Range<u64>) -> Result<Vec<String>, StoreError>;

    /// The latest `most` runs, newest first.
    async fn runs(&self, most: usize) -> Result<Vec<RunRow>, StoreError>;

    /// The runs in this state, oldest first.
    async fn runs_in(&self, state: &str) -> Result<Vec<RunRow>, StoreError>;

    /// Removes a run and all that it has finished.
    async fn remove_run(&self, id: &str) -> Result<(), StoreError>;
}

#[async_trait]
impl RunStore for SqliteStore {
    async fn create_run(&self, run: &RunRow, most: usize) -> Result<Vec<String>, StoreError> {
        let run = run.clone();
        self.write(move |connection| insert(connection, &run, most)).await
    }

    async fn advance_run(
        &self,
        id: &str,
        standing: &RunStanding,
        first: u64,
        items: &[String],
    ) -> Result<(), StoreError> {
        let (id, standing, items) = (id.to_string(), standing.clone(), items.to_vec());
        self.write(move |connection| advance(connection, &id, &standing, first, &items)).await
    }

    async fn change_run(&self, id: &str, from: &str, to: &str) -> Result<bool, StoreError> {
        let [id, from, to] = [id, from, to].map(String::from);
        self.write(move |connection| {
            let mut update = connection.prepare_cached("UPDATE runs SET state = ? WHERE id = ? AND state = ?")?;
            Ok(update.execute([to, id, from])? > 0)
        })
        .await
    }

    async fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        let id = id.to_string();
        self.read(move |connection| {
            let mut select = connection.prepare_cached(&select("WHERE id = ?"))?;
            Ok(select.query_row([id], row).optional()?)
        })
        .await
    }

    async fn run_items(&self, id: &str, numbers: Range<u64>) -> Result<Vec<String>, StoreError> {
        let id = id.to_string();
        // SQLite's numbers are signed.
        let [first, end] = [numbers.start, numbers.end].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let find = move |connection: &Connection| {
            let sql = "SELECT content FROM run_items WHERE run_id = ? AND number >= ? AND number < ? ORDER BY number";
            let mut select = connection.prepare_cached(sql)?;
            let found = select.query_map(params![id, first, end], |row| row.get(0))?;
            Ok(found.collect::<Result<_, _>>()?)
        };
        self.read(find).await
    }

    async fn runs(&self, most: usize) -> Result<Vec<RunRow>, StoreError> {
        self.read(move |connection| find(connection, "ORDER BY created_at DESC, id DESC LIMIT ?", most as i64)).await
    }

    async fn runs_in(&self, state: &str) -> Result<Vec<RunRow>, StoreError> {
        let state = state.to_string();
        self.read(move |connection| find(connection, "WHERE state = ? ORDER BY created_at, id", state)).await
    }

    async fn remove_run(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |connection| {
            connection.prepare_cached("DELETE FROM runs WHERE id = ?")?.execute([id])?;
            Ok(())
        })
        .await
    }
}

fn insert(connection: &Connection, run: &RunRow, most: usize) -> Stored<Vec<String>> {
    let RunStanding { state, why, millis, n_done, n_total, progress } = &run.standing;
    let mut insert = connection.prepare_cached(
        "INSERT INTO runs (id, key_hash, request, title, created_at, state, why, millis, n_done, n_total, progress) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        run.id,
        run.key.0.as_slice(),
        run.request,
        run.title,
        run.created_at,
        state,
        why,
        *millis as i64,
        *n_done as i64,
        n_total.map(|n| n as i64),
        progress,
    ])?;
    let mut forget = connection.prepare_cached(
        "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE state <> 'running' \
         ORDER BY state = 'paused', created_at, id LIMIT max(0, (SELECT count(*) FROM runs) - ?)) RETURNING id",
    )?;
    Ok(forget.query_map([most as i64], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

fn advance(connection: &Connection, id: &str, standing: &RunStanding, first: u64, items: &[String]) -> Stored<()> {
    let RunStanding { state, why, millis, n_done, n_total, progress } = standing;
    let mut update = connection.prepare_cached(
        "UPDATE runs SET state = ?, why = ?, millis = ?, n_done = ?, n_total = ?, progress = ? WHERE id = ?",
    )?;
    let counts = (*millis as i64, *n_done as i64, n_total.map(|n| n as i64));
    update.execute(params![state, why, counts.0, counts.1, counts.2, progress, id])?;
    let mut insert = connection.prepare_cached("INSERT INTO run_items (run_id, number, content) VALUES (?, ?, ?)")?;
    for (number, item) in (first..).zip(items) {
        insert.execute(params![id, number as i64, item])?;
    }
    Ok(())
}

fn select(which: &str) -> String {
    format!(
        "SELECT id, key_hash, request, title, created_at, state, why, millis, n_done, n_total, progress \
         FROM runs {which}"
    )
}

fn find(connection: &Connection, which: &str, value: impl rusqlite::ToSql) -> Stored<Vec<RunRow>> {
    let mut select = connection.prepare_cached(&select(which))?;
    Ok(select.query_map([value], row)?.collect::<Result<_, _>>()?)
}

fn row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let count = |n: i64| n.max(0) as u64;
    Ok(RunRow {
        id: row.get(0)?,
        key: KeyHash(row.get(1)?),
        request: row.get(2)?,
        title: row.get(3)?,
        created_at: row.get::<_, Millis>(4)?,
        standing: RunStanding {
            state: row.get(5)?,
            why: row.get(6)?,
            millis: count(row.get(7)?),
            n_done: count(row.get(8)?),
            n_total: row.get::<_, Option<i64>>(9)?.map(count),
            progress: row.get(10)?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, state: &str, created_at: Millis) -> RunRow {
        RunRow {
            id: id.into(),
            key: KeyHash::of(id),
            request: "{}".into(),
            title: "a run".into(),
            created_at,
            standing: RunStanding { state: state.into(), ..RunStanding::default() },
        }
    }

    #[tokio::test]
    async fn a_run_is_kept_with_what_it_has_finished() {
        let store = SqliteStore::open(":memory:".as_ref()).await.unwrap();
        let mut a = run("a", "running", 1);
        store.create_run(&a, 10).await.unwrap();
        a.standing = RunStanding {
            state: "paused".into(),
            millis: 5,
            n_done: 2,
            n_total: Some(9),
            progress: Some("{}".into()),
            why: None,
        };
        store.advance_run("a", &a.standing, 0, &["x".into(), "y".into()]).await.unwrap();
        // All or nothing: there is such an item already.
        assert!(store.advance_run("a", &RunStanding::default(), 1, &["z".into()]).await.is_err());
        assert_eq!(store.run("a").await.unwrap(), Some(a));
        assert_eq!(store.run_items("a", ALL_ITEMS).await.unwrap(), ["x", "y"]);
        assert_eq!(store.run_items("a", 1..2).await.unwrap(), ["y"]);
        assert_eq!(store.run_items("a", 0..1).await.unwrap(), ["x"]);
        assert!(store.run_items("a", 2..u64::MAX).await.unwrap().is_empty());
        store.remove_run("a").await.unwrap();
        assert_eq!(store.run("a").await.unwrap(), None);
        assert!(store.run_items("a", ALL_ITEMS).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn of_two_who_change_a_state_one_does() {
        let store = SqliteStore::open(":memory:".as_ref()).await.unwrap();
        store.create_run(&run("a", "paused", 1), 10).await.unwrap();
        assert!(store.change_run("a", "paused", "running").await.unwrap());
        assert!(!store.change_run("a", "paused", "stopped").await.unwrap());
        assert_eq!(store.run("a").await.unwrap().unwrap().standing.state, "running");
        assert!(!store.change_run("b", "paused", "running").await.unwrap());
    }

    #[tokio::test]
    async fn runs_that_work_are_not_forgotten_and_paused_ones_last() {
        let store = SqliteStore::open(":memory:".as_ref()).await.unwrap();
        for (id, state, at) in [("a", "running", 1), ("b", "done", 2), ("c", "stopped", 3), ("d", "paused", 4)] {
            store.create_run(&run(id, state, at), 10).await.unwrap();
        }
        assert_eq!(store.create_run(&run("e", "running", 5), 4).await.unwrap(), ["b"]);
        let ids = async |store: &SqliteStore| -> Vec<String> {
            store.runs(9).await.unwrap().into_iter().map(|run| run.id).collect()
        };
        assert_eq!(ids(&store).await, ["e", "d", "c", "a"]);
        assert_eq!(store.create_run(&run("f", "running", 6), 4).await.unwrap(), ["c"]);
        assert_eq!(ids(&store).await, ["f", "e", "d", "a"]);
        assert_eq!(store.create_run(&run("g", "running", 7), 1).await.unwrap(), ["d"]);
        store.remove_run("g").await.unwrap();
        let running: Vec<String> = store.runs_in("running").await.unwrap().into_iter().map(|run| run.id).collect();
        assert_eq!(running, ["a", "e", "f"]);
    }
}
