//! The WebSocket side: somebody's line to a table, from hello to goodbye.
//!
//! A line does one thing at a time. While it sends to a slow client it reads nothing from it and asks for no view, so a
//! client gets the latest view as often as it can take one, and what it keeps waiting is itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::PathRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tracing::debug;

use crate::error::Refusal;
use crate::http::App;
use crate::limit::Allowance;
use crate::message::{ClientMessage, ServerMessage, id_of_malformed};
use crate::table::{Gone, Line, Play};
use crate::view::HalfMade;

/// Messages beyond the allowance after which a line is cut off.
const MAX_STRIKES: u32 = 100;
/// How long a line that is closed here is kept for the client to hear why.
const LINGER: Duration = Duration::from_millis(500);

pub(crate) async fn upgrade(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    table: Result<Path<String>, PathRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    app.origins.check(&headers)?;
    let Path(table) = table.map_err(Refusal::malformed)?;
    let upgrade = upgrade.map_err(Refusal::malformed)?;
    let permit = Arc::clone(&app.lines).try_acquire_owned();
    let permit = permit.map_err(|_| Refusal::busy("too many people are here"))?;
    // A message somewhat too large is answered; what is far too large is not even read.
    let most = 4 * app.limits.message_bytes;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    Ok(upgrade.on_upgrade(async move |socket| {
        Attendance::new(socket, app, table).run().await;
        drop(permit);
    }))
}

/// Why a line ends.
enum End {
    /// The client has gone or does not listen.
    Lost,
    /// With a last word.
    Refused(Refusal),
    /// The server stops.
    Closing,
}

impl From<Gone> for End {
    fn from(_: Gone) -> End {
        End::Refused(Refusal::internal())
    }
}

struct Attendance {
    socket: WebSocket,
    app: Arc<App>,
    table: String,
    allowance: Allowance,
    strikes: u32,
    last_sign_of_life: Instant,
}

impl Attendance {
    fn new(socket: WebSocket, app: Arc<App>, table: String) -> Attendance {
        let now = Instant::now();
        let allowance = Allowance::new(app.limits.message_burst, app.limits.messages_per_second.into(), now);
        Attendance { socket, app, table, allowance, strikes: 0, last_sign_of_life: now }
    }

    async fn run(mut self) {
        let Err(end) = self.attend().await;
        let (code, reason) = match end {
            End::Lost => return,
            End::Closing => (close_code::AWAY, "server/closing"),
            End::Refused(refusal) => {
                debug!(table = self.table, code = refusal.code, "a line is closed");
                let code = refusal.code;
                if self.say(&ServerMessage::Error { id: None, refusal }).await.is_err() {
                    return;
                }
                (if code == "server/internal" { close_code::ERROR } else { close_code::POLICY }, code)
            }
        };
        let goodbye = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        if self.send(goodbye).await.is_ok() {
            let _ = timeout(LINGER, self.wait_for_goodbye()).await;
        }
    }

    /// Closing a socket with something unread in it would take back what was just said.
    async fn wait_for_goodbye(&mut self) {
        loop {
            match self.socket.recv().await {
                Some(Ok(_)) => {}
                Some(Err(_)) => std::future::pending().await,
                None => return,
            }
        }
    }

    // Never answers but with how it ended.
    async fn attend(&mut self) -> Result<std::convert::Infallible, End> {
        let mut line = self.greet().await?;
        let mut closing = self.app.closing.clone();
        let mut pings = interval(self.app.limits.silence / 3);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.show(&mut line).await?;
        loop {
            tokio::select! {
                received = self.socket.recv() => {
                    if let Some(message) = self.read(received).await? {
                        self.answer(&mut line, message).await?;
                    }
                }
                changed = line.changed() => {
                    changed?;
                    self.show(&mut line).await?;
                }
                _ = pings.tick() => {
                    if self.last_sign_of_life.elapsed() > self.app.limits.silence {
                        return Err(End::Lost);
                    }
                    self.send(Message::Ping(Vec::new().into())).await?;
                }
                _ = closing.changed() => return Err(End::Closing),
            }
        }
    }

    /// Waits for the hello.
    async fn greet(&mut self) -> Result<Line, End> {
        let mut closing = self.app.closing.clone();
        let patience = sleep(self.app.limits.hello);
        tokio::pin!(patience);
        loop {
            tokio::select! {
                received = self.socket.recv() => match self.read(received).await? {
                    None => {}
                    Some(ClientMessage::Hello { keys, name }) => return self.join(&keys, name.as_deref()).await,
                    Some(other) => {
                        let id = other.id().map(String::from);
                        let refusal = Refusal::malformed("a line begins with hello");
                        self.say(&ServerMessage::Error { id, refusal }).await?;
                    }
                },
                () = &mut patience => {
                    return Err(End::Refused(Refusal::malformed("there was no hello for too long")));
                }
                _ = closing.changed() => return Err(End::Closing),
            }
        }
    }

    async fn join(&mut self, keys: &[String], name: Option<&str>) -> Result<Line, End> {
        self.app.hub.join(&self.table, keys, name).await.map_err(End::Refused)
    }

    /// Reads what was received: a message, or nothing where it has been dealt with here.
    async fn read(&mut self, received: Option<Result<Message, axum::Error>>) -> Result<Option<ClientMessage>, End> {
        let text = match received {
            None | Some(Ok(Message::Close(_))) => return Err(End::Lost),
            Some(Err(why)) if is_too_large(&why) => {
                return Err(End::Refused(Refusal::too_large(self.app.limits.message_bytes)));
            }
            Some(Err(_)) => return Err(End::Lost),
            Some(Ok(message)) => {
                let now = Instant::now();
                self.last_sign_of_life = now;
                match message {
                    Message::Text(text) => text,
                    Message::Binary(_) => {
                        self.check_allowance(now, None).await?;
                        let refusal = Refusal::malformed("text is expected, not binary data");
                        self.say(&ServerMessage::Error { id: None, refusal }).await?;
                        return Ok(None);
                    }
                    // Answered by the library.
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
                self.say(&ServerMessage::Error { id, refusal }).await?;
                Ok(None)
            }
        }
    }

    /// Whether one more message is within the allowance.
    async fn check_allowance(&mut self, now: Instant, id: Option<&str>) -> Result<bool, End> {
        if self.allowance.take(now) {
            return Ok(true);
        }
        self.strikes += 1;
        let refusal = Refusal::new("message/too-many", "too many messages; please wait a moment");
        if self.strikes > MAX_STRIKES {
            return Err(End::Refused(refusal));
        }
        self.say(&ServerMessage::Error { id: id.map(String::from), refusal }).await?;
        Ok(false)
    }

    async fn answer(&mut self, line: &mut Line, message: ClientMessage) -> Result<(), End> {
        let (id, answer) = match message {
            // Another hello: the line is another's now.
            ClientMessage::Hello { keys, name } => {
                *line = self.join(&keys, name.as_deref()).await?;
                return self.show(line).await;
            }
            ClientMessage::Look { id, n_plies } => {
                let look = line.look(id.clone(), n_plies).await;
                (id, look)
            }
            ClientMessage::Narrow { id, seat, n_plies, touched } => {
                let narrowed = line.narrow(id.clone(), HalfMade { seat, n_plies, touched }).await;
                (id, narrowed)
            }
            ClientMessage::Play { id, seat, action, n_plies } => {
                let played = line.play(Play { id: id.clone(), seat, action, n_plies }).await;
                acknowledged(id, played)
            }
            ClientMessage::Resign { id, seat } => acknowledged(id, line.resign(seat).await),
            ClientMessage::Rematch { id } => acknowledged(id, line.rematch().await),
        };
        match answer {
            Ok(message) => self.say(&message).await,
            Err(refusal) => {
                let ends = refusal.ends_the_line();
                self.say(&ServerMessage::Error { id: Some(id), refusal: refusal.clone() }).await?;
                if ends && refusal.code == "server/internal" { Err(End::Lost) } else { Ok(()) }
            }
        }
    }

    async fn show(&mut self, line: &mut Line) -> Result<(), End> {
        let view = line.view().await?;
        self.say(&ServerMessage::View(Box::new(view))).await
    }

    async fn say(&mut self, message: &ServerMessage) -> Result<(), End> {
        self.send(Message::Text(message.to_text().into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(self.app.limits.sending, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Lost),
        }
    }
}

fn acknowledged(id: String, done: Result<usize, Refusal>) -> (String, Result<ServerMessage, Refusal>) {
    let ack = done.map(|n_plies| ServerMessage::Ack { id: id.clone(), n_plies });
    (id, ack)
}

fn is_too_large(error: &axum::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<tungstenite::Error>());
    matches!(cause, Some(tungstenite::Error::Capacity(_)))
}
