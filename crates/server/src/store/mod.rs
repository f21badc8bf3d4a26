//! Storage of tables behind one small trait, and of the lab's runs behind another. SQLite is the implementation.
//!
//! Durability: when a method has returned, its data survives the end of the process and a power cut. Tables only grow:
//! nothing is rewritten but `name`, `resigned`, how the game ended and what was tried in its analysis, and only plies that
//! are taken back are deleted.

mod backup;
mod file;
mod finished;
mod lock;
mod rows;
mod runs;
mod schema;
mod sqlite;
mod variations;
mod writer;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

pub use backup::backup;
pub use file::Unusable;
pub use finished::{Finished, FinishedSeat, Imported, Wanted, WantedResult};
pub use lock::LockHolder;
pub(crate) use rows::{load, table_ids};
pub use runs::{ALL_ITEMS, RunRow, RunStanding, RunStore};
pub use sqlite::SqliteStore;
pub(crate) use sqlite::{copy_up_to_date, open_to_read, whole};
pub(crate) use variations::load as load_variations;
pub use variations::{KeptVariations, TriedLine};

use crate::secret::{KeyHash, Seed};
use crate::settings::Settings;
use raichi_core::seat::Seat;

/// Why the store failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be used.
    #[error("the database {} cannot be used: {why}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: Arc<Unusable>,
    },
    /// There is no room on the disk; nothing was written.
    #[error("the disk is full")]
    Full,
    /// The database failed; nothing is known to be written.
    #[error("the database failed: {0}")]
    Failed(#[source] Arc<dyn std::error::Error + Send + Sync>),
    /// What is stored about a table is incomplete or makes no sense.
    #[error("table {table} is damaged: {why}")]
    Damaged {
        /// The table.
        table: String,
        /// What is wrong with it.
        why: String,
    },
    /// A later version of this program made the table.
    #[error("table {table} is from a later version: {why}")]
    Newer {
        /// The table.
        table: String,
        /// What this version knows.
        why: String,
    },
}

/// Milliseconds since 1970.
pub type Millis = i64;

/// A table as it was created.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its id.
    pub id: String,
    /// The canonical spec of the game.
    pub game: String,
    /// The version of the record format that the spec was written with.
    pub version: u32,
    /// The position that play began with, where that is not the game's own start.
    pub start: Option<Start>,
    /// The seed of chance.
    pub seed: Seed,
    /// When it was created.
    pub created_at: Millis,
    /// What was agreed.
    pub settings: Settings,
    /// When the clocks began to run.
    pub clock_started: Option<Millis>,
    /// The record that it came from, where it was imported.
    pub imported: Option<Origin>,
    /// The hash of the key that its variations are written with, where nobody holds a seat.
    pub variations_key: Option<KeyHash>,
    /// The version of the game's levels when it was created; nothing where that was not written down.
    pub levels: Option<u32>,
    /// Who holds the seats.
    pub seats: Vec<SeatRow>,
}

impl TableRow {
    /// What chance was drawn from, as the table's record says it: that of an imported one is what its own record said.
    pub(crate) fn seed_of_record(&self) -> Option<String> {
        self.imported.as_ref().map_or_else(|| Some(self.seed.reveal()), |origin| origin.seed.clone())
    }
}

/// The record that a table came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The SHA-256 of the record that this server writes of the game, by which it is known again. Earlier versions wrote other
    /// ones, the first of them that of the record that was sent.
    pub hash: String,
    /// The seed as the record has it.
    pub seed: Option<String>,
}

/// The position that play began with.
#[derive(Clone, PartialEq, Eq)]
pub struct Start {
    /// Its text, hidden things in full.
    pub position: String,
    /// The seat whose view was given, where it hid something; what it hid was drawn, and is drawn again in a rematch.
    pub seen_by: Option<Seat>,
}

// The text may hold secrets, which do not belong in a log.
impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Start(…)")
    }
}

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct SeatRow {
    /// An engine, or the person who has a key.
    pub holder: Holder,
    /// Set when the holder has resigned.
    pub resignation: Option<Resignation>,
    /// How many plies there were when the holder offered a draw for the last time.
    pub draw_offered: Option<usize>,
}

/// An engine, or the person who has a key.
#[derive(Clone, Debug)]
pub enum Holder {
    /// An engine.
    Engine {
        /// Its spec.
        agent: String,
    },
    /// The person who has the key.
    Human {
        /// The hash of the key.
        key: KeyHash,
        /// What the person is called, once that is known.
        name: Option<String>,
    },
}

/// The resignation of a seat, or that its time ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// How many plies there were.
    pub n_plies: usize,
    /// The engine that plays on; `None` where the game ended.
    pub successor: Option<String>,
    /// Whether the seat's time ran out.
    pub by_time: bool,
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRow {
    /// As a history writes it, hidden ones in full.
    pub text: String,
    /// The message that asked for it, by which it is known again.
    pub request: Option<String>,
    /// When it was played.
    pub played_at: Millis,
    /// What it took of the seat's clock, where that ran.
    pub used: Option<Millis>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The game's own reason, or `resigned`, `time` or `agreed`.
    pub end: String,
    /// By seat.
    pub payoffs: Vec<f64>,
}

/// A table with all that happened there.
#[derive(Clone, Debug)]
pub struct StoredTable {
    /// As it was created, with the current state of its seats.
    pub table: TableRow,
    /// The plies so far.
    pub plies: Vec<PlyRow>,
    /// The requests that have no ply there, each with how many plies there were with it.
    pub requests: Vec<(String, usize)>,
    /// The rematch, if there was one.
    pub next_table: Option<String>,
    /// Whether the game was over after the last ply.
    pub ended: bool,
}

/// What a store has written since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Transactions, each with a sync.
    pub commits: u64,
    /// Plies in them.
    pub plies: u64,
}

/// The storage of tables.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Adds a table.
    async fn create(&self, table: &TableRow) -> Result<(), StoreError>;

    /// Adds `table` as the rematch of `previous`, unless that has one. Returns the id of the one it has now.
    async fn create_rematch(&self, previous: &str, table: &TableRow) -> Result<String, StoreError>;

    /// The table with this id. Fails where plies or seats are missing.
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

    /// Deletes the plies from number `n_plies` on and the draws offered after more, because of `request`, and keeps in
    /// mind which requests the plies were for.
    async fn take_back(&self, table: &str, n_plies: usize, request: &str) -> Result<(), StoreError>;

    /// Records that a seat has resigned because of `request`, or that its time ran out; `ending` where the game is over with
    /// that.
    async fn resign(
        &self,
        table: &str,
        seat: Seat,
        resignation: &Resignation,
        at: Millis,
        ending: Option<&Ending>,
        request: Option<&str>,
    ) -> Result<(), StoreError>;

    /// Records that the clocks run.
    async fn start_clock(&self, table: &str, at: Millis) -> Result<(), StoreError>;

    /// Records that a seat has offered a draw after so many plies, or accepted one, because of `request`; `ending` where
    /// the game is over with that.
    async fn offer_draw(
        &self,
        table: &str,
        seat: Seat,
        n_plies: usize,
        at: Millis,
        ending: Option<&Ending>,
        request: &str,
    ) -> Result<(), StoreError>;

    /// The latest `most` of the finished games that are wanted, newest first.
    async fn finished(&self, wanted: &Wanted, most: usize) -> Result<Vec<Finished>, StoreError>;

    /// The id of the finished game that was played here with this seed.
    async fn played_with(&self, seed: &Seed) -> Result<Option<String>, StoreError>;

    /// Adds a finished game, unless its record is there already. Returns the id of its table.
    async fn import(&self, imported: &Imported) -> Result<String, StoreError>;

    /// What was tried in the analysis of a finished game.
    async fn variations(&self, table: &str) -> Result<KeptVariations, StoreError>;

    /// Keeps what was tried in place of revision `revision`. Returns the new revision; nothing where another one is there,
    /// and then nothing has changed.
    async fn keep_variations(&self, table: &str, revision: u32, lines: &[TriedLine])
    -> Result<Option<u32>, StoreError>;

    /// Names the person on a seat.
    async fn name(&self, table: &str, seat: Seat, name: &str) -> Result<(), StoreError>;

    /// Takes note of where the server listens, for others who find the database in use.
    fn serving_at(&self, address: SocketAddr);

    /// Whether plies can be written, now and for some time to come: it looks for room on the disk, and writes a little
    /// unless something was written a moment ago.
    async fn ready(&self) -> Result<(), StoreError>;

    /// What was written since the store was opened.
    fn written(&self) -> Written;

    /// Finishes what is under way and closes the database.
    async fn close(&self);
}
