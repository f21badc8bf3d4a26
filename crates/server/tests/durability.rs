//! What was acknowledged is on disk, and many plies share the time that a disk takes: on a disk that is slow, full or
//! loses what was not synced. The store runs in a process of its own: this file's own program, asked for one test.

mod faults;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use faults::Disk;
use raichi_core::random::{index, stream};
use raichi_server::store::{Holder, PlyRow, SeatRow, SqliteStore, Store, StoreError, TableRow};
use raichi_server::{Seed, Settings};

const DATABASE: &str = "tables.sqlite";

fn table(id: &str) -> TableRow {
    let engine =
        || SeatRow { holder: Holder::Engine { agent: "random".into() }, resignation: None, draw_offered: None };
    TableRow {
        id: id.into(),
        game: "nim".into(),
        version: 2,
        start: None,
        seed: Seed::from_hex(&"07".repeat(32)).unwrap(),
        created_at: 0,
        settings: Settings::default(),
        clock_started: None,
        imported: None,
        variations_key: None,
        levels: None,
        seats: vec![engine(), engine()],
    }
}

fn ply(table: usize, n: usize) -> PlyRow {
    PlyRow {
        text: format!("a1-{table}-{n}-and-some-more-text"),
        request: Some(format!("0:{n}")),
        played_at: 0,
        used: None,
    }
}

/// Not a test: writes plies to many tables until it is killed, and says `TABLE N_PLIES` after each acknowledgement, or
/// `full` where the disk was; with no tables, whether it is ready.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs as a process of its own, for the other tests"]
async fn worker() {
    let Ok(database) = std::env::var("RAICHI_TEST_DATABASE") else { return };
    let n_tables: usize = std::env::var("RAICHI_TEST_TABLES").unwrap().parse().unwrap();
    let store = Arc::new(SqliteStore::open(Path::new(&database)).await.unwrap());
    if n_tables == 0 {
        loop {
            println!("{}", store.ready().await.map_or_else(|why| format!("not ready: {why}"), |()| "ready".into()));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let mut writing = tokio::task::JoinSet::new();
    for t in 0..n_tables {
        let store = Arc::clone(&store);
        writing.spawn(async move {
            let id = format!("t{t}");
            store.create(&table(&id)).await.unwrap();
            let mut n = 0;
            loop {
                match store.append(&id, n, &[ply(t, n)], None).await {
                    Ok(()) => {
                        n += 1;
                        println!("{t} {n}");
                    }
                    Err(StoreError::Full) => {
                        println!("full");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    Err(why) => println!("failed {why}"),
                }
            }
        });
    }
    writing.join_next().await;
}

/// The worker, and what it says as it says it.
struct Worker {
    child: Child,
    said: Receiver<(Instant, String)>,
}

impl Worker {
    fn start(disk: &Disk, n_tables: usize) -> Worker {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["worker", "--exact", "--ignored", "--nocapture", "--quiet"]);
        command.env("RAICHI_TEST_DATABASE", disk.file(DATABASE)).env("RAICHI_TEST_TABLES", n_tables.to_string());
        let mut child = disk.under(&mut command).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, said) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Worker { child, said }
    }

    /// Everything it says in so long a time, or until `enough`.
    fn listen(&self, time: Duration, mut enough: impl FnMut(&str) -> bool) -> Vec<(Instant, String)> {
        let deadline = Instant::now() + time;
        let mut heard = Vec::new();
        while let Ok(said) = self.said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            let last = enough(&said.1);
            heard.push(said);
            if last {
                break;
            }
        }
        heard
    }

    /// Kills it; returns what it had still said.
    fn kill(mut self) -> Vec<(Instant, String)> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.said.iter().collect()
    }
}

/// By table: how many plies were acknowledged.
fn acknowledged(said: &[(Instant, String)]) -> HashMap<usize, usize> {
    let mut counts = HashMap::new();
    for (_, line) in said {
        assert!(!line.starts_with("failed"), "{line}");
        // The test harness has lines of its own.
        let Some((table, n)) = line.split_once(' ') else { continue };
        if let (Ok(table), Ok(n)) = (table.parse::<usize>(), n.parse()) {
            counts.insert(table, n);
        }
    }
    counts
}

/// Asserts that a database has what was acknowledged, as it was, and at most one ply more for each table.
fn has_all(database: &Path, acknowledged: &HashMap<usize, usize>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(database).await.unwrap();
        for (&t, &n) in acknowledged {
            let stored = store.load(&format!("t{t}")).await.unwrap().unwrap_or_else(|| panic!("table {t} is lost"));
            let there = stored.plies.len();
            assert!(there == n || there == n + 1, "table {t} has {there} plies, and {n} were acknowledged");
            assert!(stored.plies.iter().enumerate().all(|(i, row)| *row == ply(t, i)), "table {t}");
        }
        store.close().await;
    });
}

#[test]
fn no_power_cut_loses_what_was_acknowledged() {
    let rounds = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 40 } else { 4 };
    let mut rng = stream(9, "power cuts", 0);
    let mut n_acknowledged = 0;
    for round in 0..rounds {
        let disk = Disk::new();
        disk.sync_takes(index(&mut rng, 4) as u64);
        let worker = Worker::start(&disk, 1 + index(&mut rng, 24));
        // Some rounds are long enough for the log to be copied into the file again and again.
        let n = [40, 400, 4000, 12000][round % 4] + index(&mut rng, 400);
        let mut n_said = 0;
        let mut said = worker.listen(Duration::from_secs(60), |_| {
            n_said += 1;
            n_said >= n
        });
        said.extend(worker.kill());
        let acknowledged = acknowledged(&said);
        n_acknowledged += acknowledged.values().sum::<usize>();
        // Nothing else reaches the disk, all of it does, or any part of it.
        has_all(&disk.after_power_cut(|| false).path().join(DATABASE), &acknowledged);
        has_all(&disk.after_power_cut(|| true).path().join(DATABASE), &acknowledged);
        for _ in 0..5 {
            let torn = disk.after_power_cut(|| index(&mut rng, 2) == 0);
            has_all(&torn.path().join(DATABASE), &acknowledged);
        }
    }
    assert!(n_acknowledged > 1000 * rounds, "only {n_acknowledged} plies were acknowledged");
}

/// The power cut of these tests loses what it should: a store that did not sync would be found out.
#[test]
fn a_power_cut_loses_what_was_not_synced() {
    let disk = Disk::new();
    let mut command = Command::new("sh");
    let script = "cd \"$1\" && echo synced | dd of=kept conv=fsync && echo lost > other && sync . && \
                  echo lost | dd of=kept oflag=append conv=notrunc";
    command.args(["-c", script, "sh"]).arg(disk.file("."));
    assert!(disk.under(command.stderr(Stdio::null())).status().unwrap().success());
    let after = disk.after_power_cut(|| false);
    let read = |name: &str| std::fs::read_to_string(after.path().join(name)).unwrap();
    assert_eq!((read("kept").as_str(), read("other").as_str()), ("synced\n", ""));
    let after = disk.after_power_cut(|| true);
    let read = |name: &str| std::fs::read_to_string(after.path().join(name)).unwrap();
    assert_eq!((read("kept").as_str(), read("other").as_str()), ("synced\nlost\n", "lost\n"));
}

#[test]
fn a_full_disk_refuses_and_play_goes_on_once_there_is_room() {
    let disk = Disk::new();
    let worker = Worker::start(&disk, 8);
    let mut said = worker.listen(Duration::from_secs(30), |line| line.ends_with(" 20"));
    disk.set("full", true);
    // What is in the log already can be overwritten; then the file has to grow.
    said.extend(worker.listen(Duration::from_secs(60), |line| line == "full"));
    assert!(said.last().is_some_and(|(_, line)| line == "full"), "the disk was never full");
    let refused = worker.listen(Duration::from_millis(300), |_| false);
    assert!(refused.iter().filter(|(_, line)| line == "full").count() > 8, "refused again and again");
    said.extend(refused);
    disk.set("full", false);
    let after = worker.listen(Duration::from_secs(30), |line| line != "full");
    assert!(after.last().is_some_and(|(_, line)| line != "full"), "nothing is written once there is room");
    said.extend(after);
    said.extend(worker.listen(Duration::from_millis(200), |_| false));
    said.extend(worker.kill());
    has_all(&disk.file(DATABASE), &acknowledged(&said));
}

#[test]
fn a_store_is_ready_while_its_disk_has_room_and_syncs() {
    let disk = Disk::new();
    let worker = Worker::start(&disk, 0);
    let says = |what: &str| {
        let said = worker.listen(Duration::from_secs(30), |line| line == what);
        assert_eq!(said.last().map(|(_, line)| line.as_str()), Some(what), "{said:?}");
    };
    says("ready");
    disk.set("full", true);
    says("not ready: the disk is full");
    disk.set("full", false);
    says("ready");
    disk.set("broken", true);
    says("not ready: the database failed: disk I/O error");
    disk.set("broken", false);
    says("ready");
    worker.kill();
}

#[test]
fn many_plies_share_a_slow_sync() {
    let disk = Disk::new();
    disk.sync_takes(5);
    let worker = Worker::start(&disk, 64);
    worker.listen(Duration::from_secs(30), |line| line.ends_with(" 5"));
    let begun = Instant::now();
    let said = worker.listen(Duration::from_secs(5), |_| false);
    let took = begun.elapsed();
    worker.kill();
    // Each table waits for one ply before it plays the next.
    let mut last: HashMap<&str, Instant> = HashMap::new();
    let mut waits: Vec<Duration> = Vec::new();
    for (at, line) in &said {
        let Some((table, _)) = line.split_once(' ') else { continue };
        waits.extend(last.insert(table, *at).map(|before| *at - before));
    }
    waits.sort_unstable();
    let per_second = said.len() as f64 / took.as_secs_f64();
    let at = |share: f64| waits[(waits.len() as f64 * share) as usize];
    println!("{per_second:.0} plies/s; half in {:?}, 99 of 100 in {:?}, all in {:?}", at(0.5), at(0.99), at(0.9999));
    // One commit for each ply would be 200 a second at most. The aim is 2,000; a busy machine may take longer.
    assert!(per_second > 1000.0, "{per_second:.0} plies/s");
}
