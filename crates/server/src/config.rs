//! What a server is told when it starts.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What a server is told when it starts. The default listens on this machine only and keeps nothing on disk.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 lets the system choose one.
    pub address: SocketAddr,
    /// The SQLite file, made where there is none; `:memory:` keeps everything in memory and loses it at the end.
    pub database: PathBuf,
    /// Pages of other origins that may use this server, as `https://games.example`, besides its own. A server that
    /// listens on this machine only knows itself by the machine's own names and numbers: behind a proxy, the public
    /// origin belongs here.
    pub allowed_origins: Vec<String>,
    /// How many engines may think at the same time.
    pub engine_threads: usize,
    /// How long an engine's turn lasts at least, so that people can follow.
    pub engine_pause: Duration,
    /// What clients may ask for.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            database: PathBuf::from(":memory:"),
            allowed_origins: Vec::new(),
            engine_threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            engine_pause: Duration::from_millis(400),
            limits: Limits::default(),
        }
    }
}

/// What clients may ask for. Whoever goes beyond is refused with a code; nobody else notices.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a WebSocket message or of a posted body.
    pub message_bytes: usize,
    /// Messages that a line may send at once.
    pub message_burst: u32,
    /// Messages a second that a line may send in the long run.
    pub messages_per_second: u32,
    /// Lines to one table.
    pub lines_per_table: usize,
    /// Lines to all tables.
    pub lines: u32,
    /// TCP connections.
    pub connections: u32,
    /// Tables made a minute, by everybody together, rematches included.
    pub tables_per_minute: u32,
    /// How long a line may take to say hello.
    pub hello: Duration,
    /// How long a line may give no sign of life; it is pinged three times as often.
    pub silence: Duration,
    /// How long a message may take to be sent to a slow client before it is cut off.
    pub sending: Duration,
    /// How long a table without anybody at it is kept in memory.
    pub idle_table: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: 16 * 1024,
            message_burst: 100,
            messages_per_second: 20,
            lines_per_table: 64,
            lines: 2_000,
            connections: 4_000,
            tables_per_minute: 120,
            hello: Duration::from_secs(10),
            silence: Duration::from_secs(75),
            sending: Duration::from_secs(20),
            idle_table: Duration::from_secs(120),
        }
    }
}
