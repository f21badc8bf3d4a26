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
    /// The path under which a proxy passes requests on, as [`base_path`] writes it: empty or like `/raichi`.
    pub base_path: String,
    /// Proxies that are believed when they say who asked them: addresses or networks, as `127.0.0.1` or `10.0.0.0/8`.
    /// Behind a proxy that is not listed here, all clients have the proxy's address and share its limits.
    pub trusted_proxies: Vec<String>,
    /// Where trusted proxies say so. They must set or append to this header in every request.
    pub forwarded_header: ForwardedHeader,
    /// How many engines may run at the same time.
    pub engine_threads: usize,
    /// How long an engine may think at least, however many others want to think.
    pub engine_least: Duration,
    /// How long an engine may think at most while one of another client waits.
    pub engine_turn: Duration,
    /// How many engines keep what they have found from ply to ply, over all tables. A search's tree may take 250 MB;
    /// where there are more engines, those beyond search anew at each ply.
    pub engine_trees: usize,
    /// The least time that an engine's turn takes, so that people can follow.
    pub engine_pause: Duration,
    /// Whether engines think on while people do, on threads that nobody else wants. They play better than their times
    /// say then, and keep the processors busy.
    pub engine_ponder: bool,
    /// Whether there is a lab: runs that go on for long without anybody looking at them.
    pub lab: bool,
    /// What clients may ask for.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            database: PathBuf::from(":memory:"),
            allowed_origins: Vec::new(),
            base_path: String::new(),
            trusted_proxies: Vec::new(),
            forwarded_header: ForwardedHeader::default(),
            engine_threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            engine_least: Duration::from_millis(50),
            engine_turn: Duration::from_secs(1),
            engine_trees: 32,
            engine_pause: Duration::from_millis(400),
            engine_ponder: false,
            lab: true,
            limits: Limits::default(),
        }
    }
}

/// A text that is no base path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a base path; expected something like /raichi/ or /games/raichi/, of letters, digits, `-`, `_`, `.` and `~`"
)]
pub struct BadBasePath(String);

/// A base path as the server writes it: without a slash at the end, and empty where it is the root.
///
/// # Errors
/// When a part of it is empty, a dot or two, or has characters that a URL would have to escape.
pub fn base_path(text: &str) -> Result<String, BadBasePath> {
    if matches!(text, "" | "/") {
        return Ok(String::new());
    }
    let inner = text.strip_prefix('/').unwrap_or(text);
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && part.chars().all(is_plain);
    if inner.split('/').all(is_part) { Ok(format!("/{inner}")) } else { Err(BadBasePath(text.into())) }
}

/// The header in which a proxy says who asked it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`, which most proxies write.
    #[default]
    XForwardedFor,
    /// `Forwarded`, of RFC 7239.
    Forwarded,
}

/// What clients may ask for. A request beyond a limit is refused with a code; other clients are not affected. An
/// address is that of an IPv4 client, or the network of 64 bits of an IPv6 client, as trusted proxies forward it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a WebSocket message or of a posted body.
    pub message_bytes: usize,
    /// Messages that may be sent at once over a WebSocket.
    pub message_burst: u32,
    /// Messages per second that may be sent over a WebSocket in the long run.
    pub messages_per_second: u32,
    /// Messages per second from one address over all its WebSockets in the long run, and ten times as many at once.
    pub messages_per_second_per_address: u32,
    /// Requests per second from one address in the long run, and ten times as many at once. Files of the page do not
    /// count.
    pub requests_per_second_per_address: u32,
    /// WebSockets of spectators at one table. When there are as many, the address with the most makes room.
    pub spectators_per_table: usize,
    /// WebSockets that hold the same seat. One more closes the oldest, so that the holder of the key always gets in.
    pub websockets_per_seat: usize,
    /// WebSockets at all tables.
    pub websockets: u32,
    /// WebSockets from one address.
    pub websockets_per_address: u32,
    /// How many of a hundred WebSockets, of all and of each address, are kept for those who hold a seat.
    pub reserved_for_seats_percent: u32,
    /// Analyses from one address: replies that go on while somebody looks at a position.
    pub analyses_per_address: u32,
    /// Runs of the lab that work at the same time, by all clients together.
    pub runs: u32,
    /// Runs of the lab that work at the same time, from one address. Twice as many of them may be paused.
    pub runs_per_address: u32,
    /// Runs of the lab that are kept. Of those that do not work the oldest are forgotten, those that have ended before those that
    /// are paused.
    pub runs_kept: usize,
    /// TCP connections. Beyond that, connections wait.
    pub tcp_connections: u32,
    /// TCP connections from one address. Beyond that, connections are closed. Trusted proxies may have any number.
    pub tcp_connections_per_address: u32,
    /// Tables created per minute, by all clients together, rematches included; as many may be created at once.
    pub tables_per_minute: u32,
    /// Tables created per minute from one address, rematches included; as many may be created at once.
    pub tables_per_minute_per_address: u32,
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
            messages_per_second_per_address: 200,
            requests_per_second_per_address: 50,
            spectators_per_table: 64,
            websockets_per_seat: 8,
            websockets: 2_000,
            websockets_per_address: 200,
            reserved_for_seats_percent: 25,
            analyses_per_address: 32,
            runs: 16,
            runs_per_address: 4,
            runs_kept: 500,
            tcp_connections: 4_000,
            tcp_connections_per_address: 400,
            tables_per_minute: 1_200,
            tables_per_minute_per_address: 120,
            hello: Duration::from_secs(10),
            silence: Duration::from_secs(75),
            sending: Duration::from_secs(20),
            idle_table: Duration::from_secs(120),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_is_written_in_one_way() {
        for (text, path) in [("", ""), ("/", ""), ("raichi", "/raichi"), ("/raichi/", "/raichi"), ("/a/b-1/", "/a/b-1")]
        {
            assert_eq!(base_path(text).as_deref(), Ok(path), "{text}");
        }
        for bad in ["//", "/a//b", "/..", "a/./b", "/ra ichi", "/{table}", "/a?b", "https://games.example/raichi"] {
            assert!(base_path(bad).unwrap_err().to_string().contains("like /raichi/"), "{bad}");
        }
    }
}
