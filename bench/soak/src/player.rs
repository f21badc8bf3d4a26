//! Somebody who plays on and on, keeps what was acknowledged, and looks after it whenever the whole game is sent.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use crate::client::{Client, Heard};

/// What all players of a scenario have done and seen.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) acknowledged: AtomicU64,
    pub(crate) connected: AtomicU64,
    /// Acknowledged plies that were not there later.
    pub(crate) lost: AtomicU64,
    /// Acknowledged plies that were looked for and found.
    pub(crate) found: AtomicU64,
    pub(crate) sent_again: AtomicU64,
    stopped: watch::Sender<bool>,
    /// From sending a ply to its acknowledgement, in microseconds.
    latencies: Mutex<Vec<u32>>,
    faults: Mutex<Vec<String>>,
}

impl Figures {
    pub(crate) fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    pub(crate) fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// The latencies since this was called last, in order.
    pub(crate) fn take_latencies(&self) -> Vec<u32> {
        let mut latencies = std::mem::take(&mut *self.latencies.lock().unwrap_or_else(PoisonError::into_inner));
        latencies.sort_unstable();
        latencies
    }

    /// Something that must not happen.
    pub(crate) fn fault(&self, what: String) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn acknowledge(&self, after: Duration) {
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
        let micros = u32::try_from(after.as_micros()).unwrap_or(u32::MAX);
        self.latencies.lock().unwrap_or_else(PoisonError::into_inner).push(micros);
    }
}

/// Somebody who holds a seat.
pub(crate) struct Player {
    from: Ipv4Addr,
    table: String,
    key: String,
    /// The least time between two plies.
    pace: Duration,
    due: Instant,
    /// Acknowledged plies of the game that is played: how many there were with it, and its text.
    kept: Vec<(usize, String)>,
    pending: Option<Pending>,
    n_sent: u64,
}

/// A ply that was sent and not acknowledged yet.
struct Pending {
    id: String,
    message: Value,
    action: String,
    sent: Instant,
}

/// Why a connection is given up.
enum End {
    Lost,
    Stopped,
    /// The game goes on at another table.
    Rematch(String),
}

impl Player {
    /// The first ply is not made before `due`.
    pub(crate) fn new(from: Ipv4Addr, table: String, key: String, pace: Duration, due: Instant) -> Player {
        Player { from, table, key, pace, due, kept: Vec::new(), pending: None, n_sent: 0 }
    }

    /// Plays until the figures are stopped, and connects again whenever the connection is lost.
    pub(crate) async fn play(mut self, server: SocketAddr, figures: &Figures) -> Player {
        while !figures.is_stopped() {
            match self.connection(server, figures).await {
                Ok(End::Stopped) => break,
                // The server may be down for a moment.
                Ok(End::Lost) | Err(_) => sleep(Duration::from_millis(100)).await,
                Ok(End::Rematch(table)) => {
                    while !figures.is_stopped() && self.look(server, figures).await.is_err() {
                        sleep(Duration::from_millis(100)).await;
                    }
                    self.table = table;
                    self.kept.clear();
                    self.pending = None;
                }
            }
        }
        self
    }

    /// Looks whether all that was acknowledged in this game is there.
    pub(crate) async fn look(&mut self, server: SocketAddr, figures: &Figures) -> Result<()> {
        let mut client = Client::join(server, self.from, &self.table, std::slice::from_ref(&self.key)).await?;
        let view = client.view_where(Duration::from_secs(60), |_| true).await?;
        self.compare(&view, figures);
        Ok(())
    }

    async fn connection(&mut self, server: SocketAddr, figures: &Figures) -> Result<End> {
        let mut client = Client::join(server, self.from, &self.table, std::slice::from_ref(&self.key)).await?;
        figures.connected.fetch_add(1, Ordering::Relaxed);
        let end = self.converse(&mut client, figures).await;
        figures.connected.fetch_sub(1, Ordering::Relaxed);
        end
    }

    async fn converse(&mut self, client: &mut Client, figures: &Figures) -> Result<End> {
        let mut stopped = figures.stopped.subscribe();
        let mut is_first = true;
        let mut choice: Option<(usize, String, usize)> = None;
        loop {
            let may_play = choice.is_some() && self.pending.is_none();
            tokio::select! {
                heard = client.next() => {
                    let Some(heard) = heard? else { return Ok(End::Lost) };
                    match heard.kind.as_str() {
                        "view" => {
                            if is_first {
                                is_first = false;
                                self.compare(&heard, figures);
                                if let Some(pending) = &self.pending {
                                    figures.sent_again.fetch_add(1, Ordering::Relaxed);
                                    client.send(&pending.message).await?;
                                }
                            }
                            if let Some(next) = heard.next_table {
                                return Ok(End::Rematch(next.table));
                            }
                            if heard.is_over() && self.pending.is_none() {
                                client.send(&json!({ "type": "rematch", "id": "again" })).await?;
                            }
                            choice = heard.some_action().map(|(seat, action)| (seat, action, heard.n_plies));
                        }
                        "ack" => {
                            self.acknowledged(&heard, figures);
                            // What was sent again may be the very ply that the view asked for.
                            choice.take_if(|(_, _, n_plies)| *n_plies < heard.n_plies);
                        }
                        // What is pending is sent again over another connection.
                        "error" if ["server/internal", "server/disk-full"].contains(&heard.code.as_str()) => {
                            return Ok(End::Lost);
                        }
                        "error" => {
                            figures.fault(format!("{} at {}: {}", heard.code, self.table, heard.message));
                            self.pending = None;
                            return Ok(End::Lost);
                        }
                        _ => {}
                    }
                }
                () = sleep_until(self.due), if may_play => {
                    if let Some((seat, action, n_plies)) = choice.take() {
                        self.send(client, seat, action, n_plies).await?;
                    }
                }
                () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => return Ok(End::Stopped),
            }
        }
    }

    async fn send(&mut self, client: &mut Client, seat: usize, action: String, n_plies: usize) -> Result<()> {
        self.n_sent += 1;
        let id = format!("{}-{}", self.n_sent, rand::random::<u32>());
        let message = json!({ "type": "play", "id": id, "seat": seat, "action": action, "n_plies": n_plies });
        let now = Instant::now();
        self.due = now + self.pace;
        let sent = client.send(&message).await;
        self.pending = Some(Pending { id, message, action, sent: now });
        sent
    }

    fn acknowledged(&mut self, ack: &Heard, figures: &Figures) {
        let Some(pending) = self.pending.take_if(|pending| ack.id.as_ref() == Some(&pending.id)) else { return };
        figures.acknowledge(pending.sent.elapsed());
        self.kept.push((ack.n_plies, pending.action));
    }

    /// Compares what was acknowledged with a view of the whole game.
    fn compare(&mut self, view: &Heard, figures: &Figures) {
        for (n_plies, action) in &self.kept {
            let at = n_plies.checked_sub(1 + view.plies_from).and_then(|at| view.plies.get(at));
            let ply = at.filter(|ply| ply.text == *action && ply.by.as_u64().is_some());
            if ply.is_some() {
                figures.found.fetch_add(1, Ordering::Relaxed);
            } else {
                figures.lost.fetch_add(1, Ordering::Relaxed);
                figures.fault(format!("table {} lost ply {n_plies} ({action}), which was acknowledged", self.table));
            }
        }
    }
}
