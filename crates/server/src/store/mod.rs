//! What is kept of tables, behind one small trait. SQLite is the implementation at hand.
//!
//! The promise: when a method has answered, what it was given survives the process and the machine's power supply.
//! Tables only grow: nothing is ever rewritten but the marks `name`, `resigned` and how the game ended.

mod sqlite;

use async_trait::async_trait;

pub use sqlite::SqliteStore;

use crate::secret::{KeyHash, Seed};
use raichi_core::seat::Seat;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be opened.
    #[error("the database {path} cannot be opened: {why}")]
    Open {
        /// The file.
        path: String,
        /// What is wrong.
        why: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database does not answer as it should.
    #[error("the database failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What is stored makes no sense to this version.
    #[error("table {table} cannot be read: {why}")]
    Unreadable {
        /// The table.
        table: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Milliseconds since 1970.
pub type Millis = i64;

/// A table as it was made.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its id.
    pub id: String,
    /// The canonical spec of the game.
    pub game: String,
    /// What chance is drawn from.
    pub seed: Seed,
    /// When it was made.
    pub created_at: Millis,
    /// Who holds the seats.
    pub seats: Vec<SeatRow>,
}

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct SeatRow {
    /// An engine, or whoever has a key.
    pub holder: Holder,
    /// Set when the holder has resigned.
    pub resignation: Option<Resignation>,
}

/// An engine, or whoever has a key.
#[derive(Clone, Debug)]
pub enum Holder {
    /// An engine.
    Engine {
        /// Its spec.
        agent: String,
    },
    /// Whoever has the key.
    Human {
        /// The hash of the key.
        key: KeyHash,
        /// What the person is called, once that is known.
        name: Option<String>,
    },
}

/// That a seat has resigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// How many plies there were.
    pub n_plies: usize,
    /// The engine that plays on; the game ended where there is none.
    pub successor: Option<String>,
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRow {
    /// As a history writes it, hidden ones in full.
    pub text: String,
    /// Seat and id of the message that asked for it.
    pub request: Option<String>,
    /// When it was played.
    pub played_at: Millis,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The game's own reason, or `resigned`.
    pub end: String,
    /// By seat.
    pub payoffs: Vec<f64>,
}

/// A table with all that happened there.
#[derive(Clone, Debug)]
pub struct StoredTable {
    /// As it was made, with what became of its seats.
    pub table: TableRow,
    /// The plies so far.
    pub plies: Vec<PlyRow>,
    /// The rematch, if there was one.
    pub next_table: Option<String>,
}

/// What is kept of tables.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Adds a table.
    async fn create(&self, table: &TableRow) -> Result<(), StoreError>;

    /// Adds `table` as the rematch of `previous`, unless that has one; answers the id of the one it has now.
    async fn create_rematch(&self, previous: &str, table: &TableRow) -> Result<String, StoreError>;

    /// The table with this id.
    async fn load(&self, id: &str) -> Result<Option<StoredTable>, StoreError>;

    /// Adds plies, the first of them number `first`, all of them or none; `ending` where the game is over with them.
    /// Fails where there is such a ply already.
    async fn append(
        &self,
        table: &str,
        first: usize,
        plies: &[PlyRow],
        ending: Option<&Ending>,
    ) -> Result<(), StoreError>;

    /// Notes that a seat has resigned; `ending` where the game is over with that.
    async fn resign(
        &self,
        table: &str,
        seat: Seat,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
    ) -> Result<(), StoreError>;

    /// Names the person on a seat.
    async fn name(&self, table: &str, seat: Seat, name: &str) -> Result<(), StoreError>;

    /// Finishes what is under way and lets go of the database.
    async fn close(&self);
}
