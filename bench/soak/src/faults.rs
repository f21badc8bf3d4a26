//! What goes wrong with machines: processes killed, disks that are slow or full.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use rlimit::Resource;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::Harness;
use crate::disk::Disk;
use crate::load::look_all;
use crate::player::{Figures, Player};
use crate::report::{Report, millis, percentile};
use crate::server::{Setup, address_of, create, get};

/// So many are played at.
const TABLES: usize = 40;
/// Besides those without secrets, one where each sees other plies.
const GAMES: [&str; 5] = ["tic-tac-toe", "connect-four", "hex:size=5", "nim", "poker:players=2"];

/// Players at tables of two, each with this pace.
async fn seat(server: SocketAddr, n_tables: usize, pace: Duration, figures: &Arc<Figures>) -> Result<JoinSet<Player>> {
    let mut playing = JoinSet::new();
    for nth in 0..n_tables {
        let game = GAMES[nth % GAMES.len()];
        let (table, keys) = create(server, address_of(nth), game, json!([{"kind": "me"}, {"kind": "friend"}])).await?;
        for key in keys {
            let player = Player::new(address_of(nth), table.clone(), key, pace, Instant::now());
            let figures = Arc::clone(figures);
            playing.spawn(async move { player.play(server, &figures).await });
        }
    }
    Ok(playing)
}

/// The server is killed again and again in the middle of games, and started again on the same database.
pub(crate) async fn kills(harness: &Harness, report: &mut Report) -> Result<()> {
    let folder = harness.folder()?;
    let setup = Setup::new(&harness.program, &folder.path().join("tables.sqlite"), 10 * TABLES);
    interrupt(harness, &setup, "killed in mid-game", || Ok(()), report).await
}

/// The same, and each time the power is cut: what was not synced is lost, or parts of it.
pub(crate) async fn power_cuts(harness: &Harness, report: &mut Report) -> Result<()> {
    let disk = Disk::new(harness.folder()?)?;
    let setup = disk.under(Setup::new(&harness.program, &disk.database(), 10 * TABLES));
    interrupt(harness, &setup, "power cut in mid-game", || disk.cut_power(), report).await
}

/// Kills the server again and again while two play at each table. `then` happens before it is started again.
async fn interrupt(
    harness: &Harness,
    setup: &Setup,
    name: &str,
    then: impl Fn() -> Result<()>,
    report: &mut Report,
) -> Result<()> {
    let mut server = setup.start().await?;
    let address = server.address;
    let figures = Arc::new(Figures::default());
    let playing = seat(address, TABLES, Duration::from_millis(10), &figures).await?;
    let (began, mut n_kills) = (Instant::now(), 0);
    while began.elapsed() < harness.seconds(0.12) {
        sleep(Duration::from_millis(rand::random_range(300..1500))).await;
        server.kill().await?;
        then()?;
        n_kills += 1;
        server = setup.start_at(address).await?;
    }
    figures.stop();
    let mut players = playing.join_all().await;
    server.kill().await?;
    then()?;
    let server = setup.start_at(address).await?;
    look_all(&mut players, &server, &figures).await?;
    let name = format!("{name}, {TABLES} tables");
    report.figure(&name, "times", n_kills + 1);
    report.figure(&name, "acknowledged plies", figures.acknowledged.load(Ordering::Relaxed));
    report.figure(&name, "plies sent again afterwards", figures.sent_again.load(Ordering::Relaxed));
    report.figure(&name, "times that an acknowledged ply was looked for", figures.found.load(Ordering::Relaxed));
    report.figure(&name, "lost plies", figures.lost.load(Ordering::Relaxed));
    report.check(&name, "plies are made", figures.acknowledged.load(Ordering::Relaxed) > 0);
    report.faults(&name, &figures);
    Ok(())
}

/// Many tables on a disk whose syncs take 5 ms: played as fast as it goes, and at a pace of about 2,000 plies a second.
pub(crate) async fn slow_disk(harness: &Harness, report: &mut Report) -> Result<()> {
    on_a_slow_disk(harness, "as fast as it goes", Duration::ZERO, report).await?;
    on_a_slow_disk(harness, "each seat a ply every 0.18 s", Duration::from_millis(180), report).await
}

async fn on_a_slow_disk(harness: &Harness, played: &str, pace: Duration, report: &mut Report) -> Result<()> {
    const MANY: usize = 200;
    let disk = Disk::new(harness.folder()?)?;
    disk.sync_takes(5)?;
    let server = disk.under(Setup::new(&harness.program, &disk.database(), 10 * MANY)).start().await?;
    let figures = Arc::new(Figures::default());
    let playing = seat(server.address, MANY, pace, &figures).await?;
    sleep(Duration::from_secs(2)).await;
    figures.take_latencies();
    let (began, before) = (Instant::now(), figures.acknowledged.load(Ordering::Relaxed));
    sleep(harness.seconds(0.05)).await;
    let plies = (figures.acknowledged.load(Ordering::Relaxed) - before) as f64 / began.elapsed().as_secs_f64();
    let latencies = figures.take_latencies();
    figures.stop();
    playing.join_all().await;
    let name = format!("each sync takes 5 ms more, {MANY} tables, {played}");
    let (half, most) = (percentile(&latencies, 50), percentile(&latencies, 99));
    report.figure(&name, "plies a second", format!("{plies:.0}"));
    report.figure(&name, "acknowledged, p50 and p99", format!("{} and {}", millis(half), millis(most)));
    report.check(&name, "plies are made", plies > 0.0);
    report.faults(&name, &figures);
    Ok(())
}

/// The disk has no room: no file gets longer. Later there is room again.
pub(crate) async fn full_disk(harness: &Harness, report: &mut Report) -> Result<()> {
    let disk = Disk::new(harness.folder()?)?;
    let setup = disk.under(Setup::new(&harness.program, &disk.database(), 10 * TABLES));
    let full = || disk.set_full(true);
    no_writing(harness, &setup, "disk full, then not", |_| full(), |_| disk.set_full(false), false, report).await
}

/// No write succeeds at all: the system allows this process no file of any length. Later it does again.
pub(crate) async fn no_disk(harness: &Harness, report: &mut Report) -> Result<()> {
    let folder = harness.folder()?;
    let setup = Setup::new(&harness.program, &folder.path().join("tables.sqlite"), 10 * TABLES);
    let limit = |server: u32, most: u64| {
        Ok(rlimit::prlimit(server as i32, Resource::FSIZE, Some((most, rlimit::INFINITY)), None)?)
    };
    let (begin, end) = (|server| limit(server, 0), |server| limit(server, rlimit::INFINITY));
    no_writing(harness, &setup, "no write succeeds, then all do", begin, end, true, report).await
}

/// Players play on while the disk takes no more, from `begin` until `end`, both told the server's process; `stops` says that
/// nothing at all can be written then.
async fn no_writing(
    harness: &Harness,
    setup: &Setup,
    name: &str,
    begin: impl Fn(u32) -> Result<()>,
    end: impl Fn(u32) -> Result<()>,
    stops: bool,
    report: &mut Report,
) -> Result<()> {
    let server = setup.start().await?;
    let address = server.address;
    let figures = Arc::new(Figures::default());
    let playing = seat(address, TABLES, Duration::from_millis(20), &figures).await?;
    let part = harness.seconds(0.03).max(Duration::from_secs(3));
    let (ready, _) = ready_when(address, 200).await?;
    report.check(name, "the server is ready at first", ready);
    sleep(part).await;

    begin(server.id())?;
    // What was under way, and what fits into the room that files have, may still be acknowledged.
    let (unready, why) = ready_when(address, 503).await?;
    // A full disk takes what fits into the room that the files have.
    report.check(name, "/ready says 503 when nothing can be written", unready || !stops);
    report.check(name, "/health says 200 all the while", get(address, "/health").await?.0 == 200);
    let before = figures.acknowledged.load(Ordering::Relaxed);
    sleep(part).await;
    let meanwhile = figures.acknowledged.load(Ordering::Relaxed) - before;
    report.check(name, "nothing is acknowledged that cannot be written", meanwhile == 0 || !stops);

    end(server.id())?;
    let (ready, _) = ready_when(address, 200).await?;
    report.check(name, "the server is ready again", ready);
    sleep(part).await;
    let after = figures.acknowledged.load(Ordering::Relaxed) - before;
    report.check(name, "plies are made again", after > 0);
    figures.stop();
    let mut players = playing.join_all().await;
    server.kill().await?;
    let server = setup.start_at(address).await?;
    look_all(&mut players, &server, &figures).await?;
    report.figure(name, "acknowledged plies before, meanwhile and after", format!("{before}, {meanwhile} and {after}"));
    report.figure(name, "/ready meanwhile", why.trim());
    report.figure(name, "lost plies", figures.lost.load(Ordering::Relaxed));
    report.faults(name, &figures);
    Ok(())
}

/// Waits until `/ready` has this status; whether it came to that, and what was said last.
async fn ready_when(server: SocketAddr, wanted: u16) -> Result<(bool, String)> {
    let end = Instant::now() + Duration::from_secs(15);
    loop {
        let (status, text) = get(server, "/ready").await?;
        if status == wanted || Instant::now() > end {
            return Ok((status == wanted, text));
        }
        sleep(Duration::from_millis(200)).await;
    }
}
