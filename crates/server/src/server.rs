//! Starts and stops the server.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tracing::{info, warn};

use crate::agents::Engines;
use crate::config::Config;
use crate::error::ServeError;
use crate::http::{App, router};
use crate::hub::Hub;
use crate::limit::SharedAllowance;
use crate::lobby;
use crate::origin::Origins;
use crate::store::{SqliteStore, Store};
use crate::table::Common;

/// How long a client may take to send the headers of a request.
const HEADER_TIME: Duration = Duration::from_secs(15);
/// How long WebSockets and requests have to end when the server stops.
const GOODBYE: Duration = Duration::from_secs(5);
/// Bytes that the system keeps for a client that reads slowly. By default it would be
/// megabytes of views that are out of date by the time they are read.
const SEND_BUFFER: u32 = 128 * 1024;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// Serves until it is told to stop by SIGINT or SIGTERM.
///
/// # Errors
/// When the address or the database cannot be used.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    bind(config).await?.run().await
}

/// A server that listens but does not accept connections yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    connections: Arc<Semaphore>,
    n_connections: u32,
    websockets: Arc<Semaphore>,
    n_websockets: u32,
    closing: watch::Sender<bool>,
    store: Arc<dyn Store>,
    router: Router,
}

/// Opens the database and listens on the address.
///
/// # Errors
/// When either cannot be used.
pub async fn bind(config: Config) -> Result<Server, ServeError> {
    let Config { address, database, allowed_origins, engine_threads, engine_pause, limits } = config;
    let origins = Origins::new(&allowed_origins, address.ip().is_loopback())?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&database).await?);
    let listener = listen(address).map_err(|why| ServeError::Listen { address, why })?;
    let address = listener.local_addr()?;
    store.serving_at(address);
    let common = Common {
        store: Arc::clone(&store),
        engines: Arc::new(Engines::new(engine_threads)),
        engine_pause,
        websockets_per_table: limits.websockets_per_table,
        idle: limits.idle_table,
        new_tables: Arc::new(SharedAllowance::per_minute(limits.tables_per_minute)),
    };
    let games = serde_json::to_vec(&lobby::games()).expect("pictures have only text keys and finite numbers");
    let (closing, is_closing) = watch::channel(false);
    let (n_websockets, n_connections) = (limits.websockets, limits.tcp_connections);
    let websockets = Arc::new(Semaphore::new(n_websockets as usize));
    let connections = Arc::new(Semaphore::new(n_connections as usize));
    let app = App {
        hub: Hub::new(common),
        origins,
        limits,
        websockets: Arc::clone(&websockets),
        closing: is_closing,
        games: games.into(),
    };
    let router = router(Arc::new(app));
    Ok(Server { listener, address, connections, n_connections, websockets, n_websockets, closing, store, router })
}

fn listen(address: SocketAddr) -> Result<TcpListener, std::io::Error> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // The port of a server that was just stopped may still be in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

impl Server {
    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until SIGINT or SIGTERM.
    ///
    /// # Errors
    /// When the system cannot wait for signals.
    pub async fn run(self) -> Result<(), ServeError> {
        let signal = signal()?;
        self.run_until(signal).await
    }

    /// Serves until `stop` completes, then closes all connections.
    ///
    /// # Errors
    /// None at present.
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        info!(address = %self.address, "serving");
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
        tokio::pin!(stop);
        loop {
            let accepted = async {
                // Beyond the limit, connections wait in the system's queue.
                let permit = Arc::clone(&self.connections).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(why) => {
                    // Probably out of file handles; some will be closed.
                    warn!(%why, "a connection was not accepted");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            // Messages are small and should be sent at once (no Nagle delay).
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(self.router.clone());
            let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            let mut closing = self.closing.subscribe();
            tokio::spawn(async move {
                tokio::pin!(connection);
                // A client that disconnects is not worth a log line.
                tokio::select! {
                    _ = connection.as_mut() => {}
                    _ = closing.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = connection.await;
                    }
                }
                drop(permit);
            });
        }
        info!("stopping");
        drop(self.listener);
        self.closing.send_replace(true);
        let everybody_gone = async {
            let _ = self.connections.acquire_many(self.n_connections).await;
            let _ = self.websockets.acquire_many(self.n_websockets).await;
        };
        if timeout(GOODBYE, everybody_gone).await.is_err() {
            warn!("some connections did not end in time");
        }
        self.store.close().await;
        info!("stopped");
        Ok(())
    }
}

/// Waits for SIGINT or SIGTERM.
fn signal() -> Result<impl Future<Output = ()>, std::io::Error> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
