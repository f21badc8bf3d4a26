//! Starts and stops the server.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;
use tracing::{info, warn};

use crate::admission::{Admission, Place};
use crate::agents::Engines;
use crate::assets::{self, Page};
use crate::client::{ClientAddress, Peer, TrustedProxies};
use crate::config::Config;
use crate::constant::{CHECKED, Constant};
use crate::error::ServeError;
use crate::http::{App, router};
use crate::hub::Hub;
use crate::lab::{Folder, Lab};
use crate::lobby::{self, Texts};
use crate::metrics::{Counted, Metrics};
use crate::open_files;
use crate::operations::Readiness;
use crate::origin::Origins;
use crate::reference::Charts;
use crate::store::{SqliteStore, Store};
use crate::table::Common;
use crate::thinking::{EngineTimes, Thinking};

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
    base_path: String,
    admission: Arc<Admission>,
    proxies: TrustedProxies,
    connections: Arc<Semaphore>,
    n_connections: u32,
    websockets: Arc<Semaphore>,
    n_websockets: u32,
    closing: watch::Sender<bool>,
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    router: Router,
}

/// An address has as many connections as it may have.
struct TooMany;

/// Opens the database and listens on the address.
///
/// # Errors
/// When either cannot be used.
pub async fn bind(config: Config) -> Result<Server, ServeError> {
    let Config { address, database, engine_threads, engine_pause, engine_ponder, limits, .. } = config;
    let base_path = crate::config::base_path(&config.base_path)?;
    let origins = Origins::new(&config.allowed_origins, address.ip().is_loopback())?;
    let proxies = TrustedProxies::new(&config.trusted_proxies, config.forwarded_header)?;
    let sqlite = SqliteStore::open(&database).await?;
    let store: Arc<dyn Store> = Arc::new(sqlite.clone());
    let listener = listen(address).map_err(|why| ServeError::Listen { address, why })?;
    let address = listener.local_addr()?;
    store.serving_at(address);
    let admission = Arc::new(Admission::new(limits.clone()));
    let times = EngineTimes { least: config.engine_least, turn: config.engine_turn };
    let thinking = Thinking::new(engine_threads, times)?;
    let metrics = Arc::new(Metrics::new());
    let common = Common {
        metrics: Arc::clone(&metrics),
        store: Arc::clone(&store),
        engines: Arc::new(Engines::new(thinking, config.engine_trees)),
        engine_pause,
        engine_ponder,
        admission: Arc::clone(&admission),
        spectators: limits.spectators_per_table,
        websockets_per_seat: limits.websockets_per_seat,
        idle: limits.idle_table,
        at_length: Arc::new(Semaphore::new(1)),
    };
    let entries = lobby::games();
    let facts = assets::head(&entries, config.lab);
    let drawable = "pictures have only text keys and finite numbers";
    let games = serde_json::to_vec(&entries).expect(drawable);
    let cards = serde_json::to_vec(&lobby::cards(&entries)).expect(drawable);
    let (closing, is_closing) = watch::channel(false);
    let lab = match config.lab {
        true => Some(Lab::new(
            Arc::new(sqlite),
            Arc::clone(&common.engines),
            Arc::clone(&admission),
            Folder::beside(&database)?,
            limits.runs_kept,
            is_closing.clone(),
        )),
        false => None,
    };
    if let Some(lab) = &lab {
        lab.go_on().await?;
    }
    let (n_websockets, n_connections) = (limits.websockets, limits.tcp_connections);
    open_files::raise(n_connections, n_websockets);
    let websockets = Arc::new(Semaphore::new(n_websockets as usize));
    let connections = Arc::new(Semaphore::new(n_connections as usize));
    let app = App {
        hub: Hub::new(common),
        origins,
        proxies: proxies.clone(),
        limits,
        base_path: base_path.clone(),
        metrics: Arc::clone(&metrics),
        readiness: Readiness::default(),
        lab,
        admission: Arc::clone(&admission),
        websockets: Arc::clone(&websockets),
        closing: is_closing,
        page: Page::new(&base_path, &cards, &facts),
        games: Constant::new("application/json", CHECKED, games),
        texts: Texts::default(),
        charts: Charts::default(),
    };
    let router = router(Arc::new(app));
    Ok(Server {
        listener,
        address,
        base_path,
        admission,
        proxies,
        connections,
        n_connections,
        websockets,
        n_websockets,
        closing,
        store,
        metrics,
        router,
    })
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

    /// The path under which the page is; empty or like `/raichi`.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }

    /// A place for a connection; a trusted proxy, behind which there are many clients, needs none.
    fn place(&self, peer: IpAddr) -> Result<Option<Place>, TooMany> {
        if self.proxies.trusts(peer) {
            return Ok(None);
        }
        self.admission.tcp(ClientAddress::of(peer)).map(Some).ok_or(TooMany)
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
            let (stream, peer) = match accepted {
                Ok((stream, address)) => (stream, address.ip()),
                Err(why) => {
                    // Probably out of file handles; some will be closed.
                    warn!(%why, "a connection was not accepted");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            // One that has too many is told so by closing: a reply would keep the connection.
            let Ok(place) = self.place(peer) else { continue };
            // Messages are small and should be sent at once (no Nagle delay).
            let _ = stream.set_nodelay(true);
            let service = self.router.clone().map_request(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                request
            });
            let service = TowerToHyperService::new(service);
            let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            let mut closing = self.closing.subscribe();
            let counted = Counted::in_gauge(&self.metrics.tcp_connections);
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
                drop((place, permit, counted));
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
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => return,
                _ = terminate.recv() => return,
                _ = hangup.recv() => info!("SIGHUP changes nothing: settings are read at the start only"),
            }
        }
    })
}
