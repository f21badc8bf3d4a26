//! Clients that take all they can get, and what another client notices of them. Limits are as they are by default.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::Harness;
use crate::client::Client;
use crate::report::{Report, millis, percentile};
use crate::server::{Setup, connect, create};

/// The client that takes all it can get.
const GREEDY: Ipv4Addr = Ipv4Addr::new(127, 0, 9, 9);
/// Longer than anybody waits: what takes longer is wrong on any machine.
const NEVER: Duration = Duration::from_secs(60);

fn setup(harness: &Harness, folder: &tempfile::TempDir) -> Setup {
    Setup {
        program: harness.program.clone(),
        database: folder.path().join("tables.sqlite"),
        options: ["--engine-pause", "0s", "--log", "error"].map(String::from).into(),
        variables: Vec::new(),
    }
}

/// A client has a hundred tables where two engines of five seconds play, and watches all of them. Another plays against
/// an engine of one second.
pub(crate) async fn engines(harness: &Harness, report: &mut Report) -> Result<()> {
    const TABLES: usize = 100;
    let name = format!("{TABLES} tables of two 5-second engines each");
    let folder = harness.folder()?;
    let server = setup(harness, &folder).start().await?;
    let address = server.address;
    let engine = |time: &str| json!({ "kind": "engine", "agent": format!("mcts:time={time}") });
    let mut watched = JoinSet::new();
    for _ in 0..TABLES {
        // Where that is refused, the client has all it may have.
        let Ok((table, _)) = create(address, GREEDY, "othello", json!([engine("5s"), engine("5s")])).await else {
            break;
        };
        let Ok(mut client) = Client::join(address, GREEDY, &table, &[]).await else { break };
        watched.spawn(async move { while let Ok(Some(_)) = client.next().await {} });
    }
    let n_watched = watched.len();
    sleep(Duration::from_secs(2)).await;

    let from = Ipv4Addr::new(127, 0, 2, 1);
    let (table, keys) = create(address, from, "othello", json!([{"kind": "me"}, engine("1s")])).await?;
    let mut client = Client::join(address, from, &table, &keys).await?;
    let mut replies = Vec::new();
    let end = Instant::now() + harness.seconds(0.1).max(Duration::from_secs(10));
    let mut view = client.view_where(NEVER, |_| true).await?;
    while Instant::now() < end && !view.is_over() {
        let Some((seat, action)) = view.some_action() else {
            view = client.view_where(NEVER, |_| true).await?;
            continue;
        };
        let n_plies = view.n_plies;
        let id = n_plies.to_string();
        client.send(&json!({ "type": "play", "id": id, "seat": seat, "action": action, "n_plies": n_plies })).await?;
        let sent = Instant::now();
        view = client.view_where(NEVER, |view| view.n_plies >= n_plies + 2 || view.is_over()).await?;
        replies.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    watched.shutdown().await;
    replies.sort_unstable();
    report.figure(&name, "tables that the client gets", n_watched);
    report.figure(&name, "plies of another's 1-second engine", replies.len());
    let (half, most) = (percentile(&replies, 50), percentile(&replies, 100));
    report.figure(
        &name,
        "it replies after, p50 and at most (under 3 s)",
        format!("{} and {}", millis(half), millis(most)),
    );
    report.check(&name, "it replies at all", !replies.is_empty());
    Ok(())
}

/// A client makes tables without end, and holds as many connections as it gets. Another makes a table and sits down.
pub(crate) async fn crowd(harness: &Harness, report: &mut Report) -> Result<()> {
    let name = "one client makes tables and holds connections";
    let folder = harness.folder()?;
    let server = setup(harness, &folder).start().await?;
    let address = server.address;
    let other = Ipv4Addr::new(127, 0, 2, 2);
    let (shared, keys) = create(address, other, "othello", json!([{"kind": "me"}, {"kind": "friend"}])).await?;
    let (made, refused) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut greedy = JoinSet::new();
    for _ in 0..4 {
        let (made, refused) = (Arc::clone(&made), Arc::clone(&refused));
        greedy.spawn(async move {
            loop {
                let done = create(address, GREEDY, "tic-tac-toe", json!([{"kind": "me"}, {"kind": "friend"}])).await;
                if done.is_ok() { &made } else { &refused }.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(10)).await;
            }
        });
    }
    // Spectators at the other's table, and connections that say nothing.
    let held = hold(address, &shared).await;
    let n_held = held.len();
    sleep(Duration::from_secs(1)).await;

    let (mut tables, mut seats) = (Vec::new(), Vec::new());
    let mut n_failed = 0;
    let end = Instant::now() + harness.seconds(0.05).max(Duration::from_secs(5));
    while Instant::now() < end {
        let began = Instant::now();
        match create(address, other, "tic-tac-toe", json!([{"kind": "me"}, {"kind": "friend"}])).await {
            Ok(_) => tables.push(began.elapsed().as_micros() as u32),
            Err(_) => n_failed += 1,
        }
        // The seats of a table that the other client's spectators fill.
        let began = Instant::now();
        let sits = async {
            let mut client = Client::join(address, other, &shared, &keys[..1]).await?;
            client.view_where(NEVER, |view| view.you == [0]).await
        };
        match timeout(NEVER, sits).await {
            Ok(Ok(_)) => seats.push(began.elapsed().as_micros() as u32),
            _ => n_failed += 1,
        }
        sleep(Duration::from_secs(1)).await;
    }
    greedy.shutdown().await;
    drop(held);
    tables.sort_unstable();
    seats.sort_unstable();
    report.figure(name, "connections that it holds", n_held);
    report.figure(
        name,
        "tables that it makes, and that it is refused",
        format!("{} and {}", made.load(Ordering::Relaxed), refused.load(Ordering::Relaxed)),
    );
    let both = |times: &[u32]| format!("{} and {}", millis(percentile(times, 50)), millis(percentile(times, 100)));
    report.figure(name, "another's new table, p50 and at most (under 100 ms)", both(&tables));
    report.figure(name, "another's seat, p50 and at most (under 100 ms)", both(&seats));
    report.check(name, "nobody else is refused", n_failed == 0);
    report.check(name, "tables are made and seats are taken", !tables.is_empty() && !seats.is_empty());
    Ok(())
}

/// As many connections as one address gets, half of them spectators; it gives up at the first that is refused.
async fn hold(address: SocketAddr, table: &str) -> Vec<Held> {
    let mut held = Vec::new();
    for nth in 0..4000 {
        let connection = async {
            if nth % 2 == 0 {
                return connect(address, GREEDY).await.map(Held::Silent);
            }
            let mut client = Client::join(address, GREEDY, table, &[]).await?;
            client.view_where(Duration::from_secs(2), |_| true).await?;
            anyhow::Ok(Held::Watching(Box::new(client)))
        };
        match timeout(Duration::from_secs(3), connection).await {
            Ok(Ok(connection)) => held.push(connection),
            _ => break,
        }
    }
    held
}

/// A connection that is kept open.
#[allow(dead_code, reason = "held, not used")]
enum Held {
    Silent(tokio::net::TcpStream),
    Watching(Box<Client>),
}
