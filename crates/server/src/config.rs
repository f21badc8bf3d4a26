//! The configuration of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of a server. The default listens on this machine only and keeps nothing on disk.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 lets the system choose one.
    pub address: SocketAddr,
    /// The SQLite file, created if it does not exist; `:memory:` keeps everything in memory and loses it at the end.
    pub database: PathBuf,
    /// Pages of other origins that may use this server, as `https://games.example`, besides its own. A server that
    /// listens on this machine only accepts the names and addresses of this machine as its own: behind a proxy, add the
    /// public origin here.
    pub allowed_origins: Vec<String>,
    /// How many engines may run at the same time.
    pub engine_threads: usize,
    /// The least time that an engine's turn takes, so that people can follow.
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

/// What clients may ask for. A request beyond a limit is refused with a code; other clients are not affected.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a WebSocket message or of a posted body.
    pub message_bytes: usize,
    /// Messages that a client may send at once.
    pub message_burst: u32,
    /// Messages per second that a client may send in the long run.
    pub messages_per_second: u32,
    /// WebSockets at one table.
    pub websockets_per_table: usize,
    /// WebSockets at all tables.
    pub websockets: u32,
    /// TCP connections.
    pub tcp_connections: u32,
    /// Tables created per minute, by all clients together, rematches included.
    pub tables_per_minute: u32,
    /// How long a WebSocket may take to say hello.
    pub hello: Duration,
    /// How long a WebSocket may be silent before it is closed. A ping is sent three times as often.
    pub silence: Duration,
    /// How long sending a message to a slow client may take before the WebSocket is closed.
    pub sending: Duration,
    /// How long a table that nobody is connected to is kept in memory.
    pub idle_table: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: 16 * 1024,
            message_burst: 100,
            messages_per_second: 20,
            websockets_per_table: 64,
            websockets: 2_000,
            tcp_connections: 4_000,
            tables_per_minute: 120,
            hello: Duration::from_secs(10),
            silence: Duration::from_secs(75),
            sending: Duration::from_secs(20),
            idle_table: Duration::from_secs(120),
        }
    }
}
