//! Many connections: what they cost in memory, and how soon plies are acknowledged.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::client::Client;
use crate::player::{Figures, Player};
use crate::report::{Report, kib, millis, percentile};
use crate::server::{Server, Setup, address_of, create};
use crate::{GAMES, Harness};

/// A ply of each player.
const PACE: Duration = Duration::from_secs(10);
/// How many connections and tables are begun at the same time.
const AT_ONCE: usize = 48;

/// A server that has shown what it needs without clients: each game once.
async fn warm(setup: &Setup) -> Result<(Server, u64)> {
    let server = setup.start().await?;
    for game in GAMES {
        let (table, keys) =
            create(server.address, address_of(0), game, json!([{"kind": "me"}, {"kind": "me"}])).await?;
        let mut client = Client::join(server.address, address_of(0), &table, &keys).await?;
        client.view_where(Duration::from_secs(30), |_| true).await?;
    }
    let resident = server.settled(Duration::from_secs(5)).await?;
    Ok((server, resident))
}

/// Players at two-seat tables, each with a ply every ten seconds; the server is killed at the end.
pub(crate) async fn players(harness: &Harness, n: usize, report: &mut Report) -> Result<()> {
    let folder = harness.folder()?;
    let setup = Setup::new(&harness.program, &folder.path().join("tables.sqlite"), n);
    let (server, before) = warm(&setup).await?;
    let address = server.address;
    let tables: Vec<(String, Vec<String>)> = stream::iter(0..n / 2)
        .map(|nth| {
            create(address, address_of(nth), GAMES[nth % GAMES.len()], json!([{"kind": "me"}, {"kind": "friend"}]))
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await?;

    // 1. Everybody connects, over some seconds, and plays.
    let figures = Arc::new(Figures::default());
    let began = Instant::now();
    let ramp = Duration::from_secs_f64(n as f64 / 1000.0).max(PACE);
    let mut playing = JoinSet::new();
    for (nth, (table, keys)) in tables.into_iter().enumerate() {
        for (seat, key) in keys.into_iter().enumerate() {
            let number = 2 * nth + seat;
            let joins = began + ramp.mul_f64(number as f64 / n as f64);
            let player = Player::new(
                address_of(number),
                table.clone(),
                key,
                PACE,
                joins + PACE.mul_f64(0.5 * (1 + seat) as f64),
            );
            let figures = Arc::clone(&figures);
            playing.spawn(async move {
                tokio::time::sleep_until(joins).await;
                player.play(address, &figures).await
            });
        }
    }
    let all = async {
        while figures.connected.load(Ordering::Relaxed) < n as u64 {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(ramp + Duration::from_secs(120), all).await.context("not everybody gets a connection")?;
    let connected_after = began.elapsed();

    // 2. What is measured begins when all are there.
    sleep(PACE).await;
    figures.take_latencies();
    let (acknowledged, cpu, since) =
        (figures.acknowledged.load(Ordering::Relaxed), server.cpu().await?, Instant::now());
    let mut most = 0;
    while since.elapsed() < harness.seconds(0.25) {
        most = most.max(server.resident().await?);
        sleep(Duration::from_millis(500)).await;
    }
    let seconds = since.elapsed().as_secs_f64();
    let plies = figures.acknowledged.load(Ordering::Relaxed) - acknowledged;
    let cpu = (server.cpu().await? - cpu) / seconds;
    let latencies = figures.take_latencies();
    let still = figures.connected.load(Ordering::Relaxed);

    // 3. The server is killed, and whatever it had acknowledged is looked for.
    server.kill().await?;
    figures.stop();
    let mut players = playing.join_all().await;
    let server = setup.start_at(address).await?;
    look_all(&mut players, &server, &figures).await?;

    let name = format!("{n} players, a ply every {} s each", PACE.as_secs());
    report.figure(&name, "connected after", format!("{:.1} s", connected_after.as_secs_f64()));
    report.figure(&name, "plies a second", format!("{:.0}", plies as f64 / seconds));
    report.figure(
        &name,
        "acknowledged, p50 and p99",
        format!("{} and {}", millis(percentile(&latencies, 50)), millis(percentile(&latencies, 99))),
    );
    report.figure(&name, "resident memory at most", kib(most));
    report.figure(&name, "of it before they came", kib(before));
    report.figure(
        &name,
        "memory a connection, its share of a table included",
        format!("{:.1} KiB", (most.saturating_sub(before)) as f64 / n as f64),
    );
    report.figure(&name, "processor time", format!("{:.0} % of one core", 100.0 * cpu));
    report.figure(&name, "acknowledged plies looked for after a kill", figures.found.load(Ordering::Relaxed));
    report.figure(&name, "lost plies", figures.lost.load(Ordering::Relaxed));
    report.check(&name, "nobody was disconnected", still == n as u64);
    report.check(&name, "plies are made", plies > 0);
    report.faults(&name, &figures);
    Ok(())
}

/// Looks after what all players were acknowledged.
pub(crate) async fn look_all(players: &mut [Player], server: &Server, figures: &Figures) -> Result<()> {
    stream::iter(players.iter_mut())
        .map(|player| player.look(server.address, figures))
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<()>>()
        .await?;
    Ok(())
}

/// Spectators at few tables: what a connection costs by itself, and whether views are made once for all of them.
pub(crate) async fn spectators(harness: &Harness, n: usize, report: &mut Report) -> Result<()> {
    const TABLES: usize = 20;
    let folder = harness.folder()?;
    let setup = Setup::new(&harness.program, &folder.path().join("tables.sqlite"), n).option("--idle-table", "2s");
    let (server, before) = warm(&setup).await?;
    let address = server.address;
    let mut tables = Vec::new();
    for nth in 0..TABLES {
        tables.push(
            create(address, address_of(nth), GAMES[nth % GAMES.len()], json!([{"kind": "me"}, {"kind": "friend"}]))
                .await?,
        );
    }
    let watching: Vec<Client> = stream::iter(0..n)
        .map(|nth| {
            let table = &tables[nth % TABLES].0;
            async move {
                let mut client = Client::join(address, address_of(nth), table, &[]).await?;
                client.view_where(Duration::from_secs(60), |_| true).await?;
                anyhow::Ok(client)
            }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    // Those who watch read on while two at each table play.
    let figures = Arc::new(Figures::default());
    let mut reading = JoinSet::new();
    for mut client in watching {
        let figures = Arc::clone(&figures);
        reading.spawn(async move {
            while let Ok(Some(_)) = client.next().await {
                figures.found.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let (made, sent) =
        (server.metric("raichi_views_made_total").await?, server.metric("raichi_views_sent_total").await?);
    let mut playing = JoinSet::new();
    for (nth, (table, keys)) in tables.into_iter().enumerate() {
        for key in keys {
            let player = Player::new(address_of(nth), table.clone(), key, Duration::from_secs(2), Instant::now());
            let figures = Arc::clone(&figures);
            playing.spawn(async move { player.play(address, &figures).await });
        }
    }
    sleep(harness.seconds(0.1).max(Duration::from_secs(5))).await;
    let resident = server.settled(Duration::from_secs(5)).await?;
    let made = server.metric("raichi_views_made_total").await? - made;
    let sent = server.metric("raichi_views_sent_total").await? - sent;
    figures.stop();
    playing.join_all().await;

    // Everybody leaves, and so do the tables.
    reading.shutdown().await;
    let gone = async {
        while server.metric("raichi_tables_open").await? > 0.0 {
            sleep(Duration::from_millis(200)).await;
        }
        anyhow::Ok(())
    };
    timeout(Duration::from_secs(60), gone).await.context("idle tables stay in memory")??;
    let after = server.settled(Duration::from_secs(10)).await?;

    let name = format!("{n} spectators at {TABLES} tables");
    report.figure(
        &name,
        "memory a connection",
        format!("{:.1} KiB", resident.saturating_sub(before) as f64 / n as f64),
    );
    report.figure(
        &name,
        "resident memory before, with and after them",
        format!("{}, {} and {}", kib(before), kib(resident), kib(after)),
    );
    report.figure(&name, "views made and sent", format!("{made:.0} and {sent:.0}"));
    report.check(&name, "a view is made once for many", sent > 0.0 && made < sent / 10.0);
    report.faults(&name, &figures);
    ensure!(n > 0);
    Ok(())
}
