//! The WebSocket side: a client's connection to a table, from hello to goodbye.
//!
//! A session does one thing at a time. While it sends to a slow client it reads nothing from it and asks for no view, so
//! a client gets the latest view as often as it can take one, and delays only itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use hyper_tungstenite::{HyperWebsocketStream, is_upgrade_request};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_tungstenite::tungstenite;
use tracing::debug;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame};
use tungstenite::protocol::{Message, WebSocketConfig};

use crate::admission::Place;
use crate::client::ClientAddress;
use crate::error::Refusal;
use crate::http::App;
use crate::limit::Allowance;
use crate::message::{ClientMessage, ServerMessage, id_of_malformed};
use crate::metrics::Counted;
use crate::table::{Connection, Gone, Hinting, Play};
use crate::view::PartialChoice;

/// Messages beyond the allowance after which a session is closed.
const MAX_EXCESS: u32 = 100;
/// How long a session that is closed here is kept for the client to read why.
const LINGER: Duration = Duration::from_millis(500);
/// Messages of clients are read in pieces of this size; most have 100 to 300 bytes.
const READ_BUFFER: usize = 1024;
/// Messages are sent in frames of at most this size. The library copies each into a buffer that keeps its size for as
/// long as the connection lasts, and a view has 5 to 50 KiB.
const MAX_FRAME: usize = 4 * 1024;

pub(crate) async fn upgrade(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    table: Result<Path<String>, PathRejection>,
    mut request: Request,
) -> Result<Response, Refusal> {
    app.origins.check(request.headers())?;
    let Path(table) = table.map_err(Refusal::malformed)?;
    if !is_upgrade_request(&request) {
        return Err(Refusal::malformed("expected a request for a WebSocket"));
    }
    let permit = Arc::clone(&app.websockets).try_acquire_owned();
    let permit = permit.map_err(|_| Refusal::busy("the server is full"))?;
    let place = app.admission.websocket(client)?;
    let upgraded = hyper_tungstenite::upgrade(&mut request, Some(socket_config(app.limits.message_bytes)));
    let (response, socket) = upgraded.map_err(Refusal::malformed)?;
    tokio::spawn(async move {
        if let Ok(socket) = socket.await {
            let _counted = Counted::in_gauge(&app.metrics.websockets);
            Session::new(socket, app, table, client, place).run().await;
        }
        drop(permit);
    });
    Ok(response.map(|_| Body::empty()))
}

fn socket_config(message_bytes: usize) -> WebSocketConfig {
    // A message somewhat too large is refused; what is far too large is not even read.
    let most = Some(4 * message_bytes);
    WebSocketConfig::default()
        .max_message_size(most)
        .max_frame_size(most)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
}

/// Why a session ends.
enum End {
    /// The client has disconnected or does not read.
    Lost,
    /// The client is told why.
    Refused(Refusal),
    /// The server stops.
    Closing,
}

impl From<Gone> for End {
    fn from(_: Gone) -> End {
        End::Refused(Refusal::internal())
    }
}

struct Session {
    socket: HyperWebsocketStream,
    app: Arc<App>,
    table: String,
    client: ClientAddress,
    place: Place,
    allowance: Allowance,
    n_excess: u32,
    last_received: Instant,
    /// A hint that was asked for: it takes long, so that the session goes on meanwhile.
    hinting: Option<Hinting>,
}

impl Session {
    fn new(socket: HyperWebsocketStream, app: Arc<App>, table: String, client: ClientAddress, place: Place) -> Session {
        let now = Instant::now();
        let allowance = Allowance::new(app.limits.message_burst, app.limits.messages_per_second.into(), now);
        Session { socket, app, table, client, place, allowance, n_excess: 0, last_received: now, hinting: None }
    }

    async fn run(mut self) {
        let Err(end) = self.serve().await;
        let (code, reason) = match end {
            End::Lost => return,
            End::Closing => (CloseCode::Away, "server/closing"),
            End::Refused(refusal) => {
                debug!(table = self.table, code = refusal.code, "a session is closed");
                let code = refusal.code;
                if self.send_message(&ServerMessage::Error { id: None, refusal }).await.is_err() {
                    return;
                }
                (if code == "server/internal" { CloseCode::Error } else { CloseCode::Policy }, code)
            }
        };
        let goodbye = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        if self.send(goodbye).await.is_ok() {
            let _ = timeout(LINGER, self.wait_for_goodbye()).await;
        }
    }

    /// Closing a socket with unread data in it could discard what was just sent.
    async fn wait_for_goodbye(&mut self) {
        loop {
            match self.socket.next().await {
                Some(Ok(_)) => {}
                Some(Err(_)) => std::future::pending().await,
                None => return,
            }
        }
    }

    // Returns only with the reason why the session ended.
    async fn serve(&mut self) -> Result<std::convert::Infallible, End> {
        let mut connection = self.greet().await?;
        let mut closing = self.app.closing.clone();
        let mut pings = interval(self.app.limits.silence / 3);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.send_view(&mut connection).await?;
        loop {
            tokio::select! {
                received = self.socket.next() => {
                    if let Some(message) = self.read(received).await? {
                        self.handle(&mut connection, message).await?;
                    }
                }
                hint = Hinting::next(&mut self.hinting) => self.reply(hint.0, hint.1).await?,
                changed = connection.changed() => {
                    changed?;
                    self.send_view(&mut connection).await?;
                }
                _ = pings.tick() => {
                    if self.last_received.elapsed() > self.app.limits.silence {
                        return Err(End::Lost);
                    }
                    self.send(Message::Ping(Vec::new().into())).await?;
                }
                _ = closing.changed() => return Err(End::Closing),
            }
        }
    }

    /// Waits for the hello.
    async fn greet(&mut self) -> Result<Connection, End> {
        let mut closing = self.app.closing.clone();
        let deadline = sleep(self.app.limits.hello);
        tokio::pin!(deadline);
        loop {
            tokio::select! {
                received = self.socket.next() => match self.read(received).await? {
                    None => {}
                    Some(ClientMessage::Hello { keys, name }) => return self.join(&keys, name.as_deref()).await,
                    Some(other) => {
                        let id = other.id().map(String::from);
                        let refusal = Refusal::malformed("a session begins with hello");
                        self.send_message(&ServerMessage::Error { id, refusal }).await?;
                    }
                },
                () = &mut deadline => {
                    return Err(End::Refused(Refusal::malformed("no hello was received in time")));
                }
                _ = closing.changed() => return Err(End::Closing),
            }
        }
    }

    async fn join(&mut self, keys: &[String], name: Option<&str>) -> Result<Connection, End> {
        let joined = self.app.hub.join(&self.table, self.client, keys, name).await;
        let connection = joined.map_err(End::Refused)?;
        self.place.watches(connection.is_spectator()).map_err(End::Refused)?;
        Ok(connection)
    }

    /// Reads a message; `None` where it has been handled here.
    async fn read(
        &mut self,
        received: Option<Result<Message, tungstenite::Error>>,
    ) -> Result<Option<ClientMessage>, End> {
        let text = match received {
            None | Some(Ok(Message::Close(_))) => return Err(End::Lost),
            Some(Err(tungstenite::Error::Capacity(_))) => {
                return Err(End::Refused(Refusal::too_large(self.app.limits.message_bytes)));
            }
            Some(Err(_)) => return Err(End::Lost),
            Some(Ok(message)) => {
                let now = Instant::now();
                self.last_received = now;
                match message {
                    Message::Text(text) => text,
                    Message::Binary(_) => {
                        self.check_allowance(now, None).await?;
                        let refusal = Refusal::malformed("expected text, not binary data");
                        self.send_message(&ServerMessage::Error { id: None, refusal }).await?;
                        return Ok(None);
                    }
                    // The library replies to these.
                    _ => return Ok(None),
                }
            }
        };
        let most = self.app.limits.message_bytes;
        let message = if text.len() > most { Err(Refusal::too_large(most)) } else { ClientMessage::read(&text) };
        let id = match &message {
            Ok(message) => message.id().map(String::from),
            Err(_) if text.len() > most => None,
            Err(_) => id_of_malformed(&text),
        };
        if !self.check_allowance(Instant::now(), id.as_deref()).await? {
            return Ok(None);
        }
        match message {
            Ok(message) => Ok(Some(message)),
            Err(refusal) => {
                self.send_message(&ServerMessage::Error { id, refusal }).await?;
                Ok(None)
            }
        }
    }

    /// Whether one more message is within the allowance.
    async fn check_allowance(&mut self, now: Instant, id: Option<&str>) -> Result<bool, End> {
        if self.allowance.take(now) && self.app.admission.message(self.client) {
            return Ok(true);
        }
        self.n_excess += 1;
        let refusal = Refusal::new("message/too-many", "too many messages; please wait a moment");
        if self.n_excess > MAX_EXCESS {
            return Err(End::Refused(refusal));
        }
        self.send_message(&ServerMessage::Error { id: id.map(String::from), refusal }).await?;
        Ok(false)
    }

    async fn handle(&mut self, connection: &mut Connection, message: ClientMessage) -> Result<(), End> {
        let (id, reply) = match message {
            // Another hello replaces the connection.
            ClientMessage::Hello { keys, name } => {
                *connection = self.join(&keys, name.as_deref()).await?;
                return self.send_view(connection).await;
            }
            ClientMessage::Look { id, n_plies } => {
                let look = connection.look(id.clone(), n_plies).await;
                (id, look)
            }
            ClientMessage::Pace { id, pace } => {
                let changed = connection.pace(id.clone(), pace).await;
                acknowledged(id, changed)
            }
            ClientMessage::Step { id } => {
                let stepped = connection.step(id.clone()).await;
                acknowledged(id, stepped)
            }
            ClientMessage::Why { id, seat, n_plies, touched } => {
                let why = connection.why(id.clone(), PartialChoice { seat, n_plies, touched }).await;
                (id, why)
            }
            // A later question takes the place of an earlier one.
            ClientMessage::Hint { id, seat, n_plies } => {
                let engines = Arc::clone(&self.app.hub.common().engines);
                let replaced = self.hinting.take().and_then(|earlier| earlier.replaced(&id));
                self.hinting = Some(connection.hint(engines, &self.app.metrics, id, seat, n_plies));
                return match replaced {
                    Some((id, reply)) => self.reply(id, reply).await,
                    None => Ok(()),
                };
            }
            ClientMessage::TakeBack { id, seat, n_plies } => {
                let taken_back = connection.take_back(id.clone(), seat, n_plies).await;
                acknowledged(id, taken_back)
            }
            ClientMessage::Narrow { id, seat, n_plies, touched } => {
                let narrowed = connection.narrow(id.clone(), PartialChoice { seat, n_plies, touched }).await;
                (id, narrowed)
            }
            ClientMessage::Play { id, seat, action, n_plies } => {
                let played = connection.play(Play { id: id.clone(), seat, action, n_plies }).await;
                acknowledged(id, played)
            }
            ClientMessage::Resign { id, seat } => {
                let resigned = connection.resign(id.clone(), seat).await;
                acknowledged(id, resigned)
            }
            ClientMessage::Draw { id, seat, n_plies } => {
                let offered = connection.draw(id.clone(), seat, n_plies).await;
                acknowledged(id, offered)
            }
            ClientMessage::Rematch { id } => {
                let made = connection.rematch(id.clone()).await;
                acknowledged(id, made)
            }
        };
        self.reply(id, reply).await
    }

    async fn reply(&mut self, id: String, reply: Result<ServerMessage, Refusal>) -> Result<(), End> {
        match reply {
            Ok(message) => self.send_message(&message).await,
            Err(refusal) => {
                let ends = refusal.ends_the_session();
                self.send_message(&ServerMessage::Error { id: Some(id), refusal: refusal.clone() }).await?;
                if ends && refusal.code == "server/internal" { Err(End::Lost) } else { Ok(()) }
            }
        }
    }

    async fn send_view(&mut self, connection: &mut Connection) -> Result<(), End> {
        let view = connection.view().await?.map_err(End::Refused)?;
        let view = self.app.admission.reply(self.client, view).map_err(End::Refused)?;
        self.send_text(view).await
    }

    async fn send_message(&mut self, message: &ServerMessage) -> Result<(), End> {
        if let ServerMessage::Error { refusal, .. } = message {
            self.app.metrics.refused(refusal.code);
        }
        self.send_text(message.to_text().into()).await
    }

    async fn send_text(&mut self, mut text: Bytes) -> Result<(), End> {
        let frames = async {
            let mut data = Data::Text;
            loop {
                let payload = text.split_to(text.len().min(MAX_FRAME));
                let is_last = text.is_empty();
                self.socket.send(Message::Frame(Frame::message(payload, OpCode::Data(data), is_last))).await?;
                if is_last {
                    return Ok(());
                }
                data = Data::Continue;
            }
        };
        in_time(self.app.limits.sending, frames).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        in_time(self.app.limits.sending, self.socket.send(message)).await
    }
}

fn acknowledged(id: String, done: Result<usize, Refusal>) -> (String, Result<ServerMessage, Refusal>) {
    let ack = done.map(|n_plies| ServerMessage::Ack { id: id.clone(), n_plies });
    (id, ack)
}

async fn in_time(limit: Duration, sending: impl Future<Output = Result<(), tungstenite::Error>>) -> Result<(), End> {
    match timeout(limit, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Lost),
    }
}
