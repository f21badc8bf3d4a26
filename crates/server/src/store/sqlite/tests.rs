use std::path::Path;
use std::time::Duration;

use rusqlite::params;

use super::super::{Holder, SeatRow, Start, backup};
use super::*;
use crate::secret::{KeyHash, Seed};
use crate::settings::Settings;

fn table(id: &str) -> TableRow {
    let human = Holder::Human { key: KeyHash([1; 32]), name: None };
    let engine = Holder::Engine { agent: "random".into() };
    TableRow {
        id: id.into(),
        game: "hex:size=3".into(),
        version: 7,
        start: Some(Start { position: "3/3/3 0".into(), seen_by: Some(1) }),
        seed: Seed([9; 32]),
        created_at: 5,
        settings: Settings::default(),
        clock_started: None,
        imported: None,
        variations_key: Some(KeyHash([2; 32])),
        levels: Some(3),
        seats: [human, engine].map(|holder| SeatRow { holder, resignation: None, draw_offered: None }).into(),
    }
}

fn ply(text: &str, request: Option<&str>) -> PlyRow {
    PlyRow { text: text.into(), request: request.map(String::from), played_at: 6, used: None }
}

fn numbered_ply(n: usize) -> [PlyRow; 1] {
    [ply("a1", Some(&n.to_string()))]
}

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.unwrap()
}

async fn refused(path: &Path) -> String {
    SqliteStore::open(path).await.unwrap_err().to_string()
}

/// Changes the file as another program would.
fn change(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[tokio::test]
async fn what_is_stored_is_read_back_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    let store = open(&path).await;
    store.create(&table("t")).await.unwrap();
    let plies = [ply("a1", Some("0:x")), ply("b2", None)];
    store.append("t", 0, &plies, None).await.unwrap();
    store.name("t", 0, "Ann").await.unwrap();
    store.name("t", 0, "Bob").await.unwrap();
    let resignation = Resignation { n_plies: 2, successor: None, by_time: false };
    let ending = Ending { end: "resigned".into(), payoffs: vec![-1.0, 1.0] };
    store.resign("t", 0, &resignation, 7, Some(&ending), Some("0:r")).await.unwrap();
    assert_eq!(store.create_rematch("t", &table("u")).await.unwrap(), "u");
    assert_eq!(store.create_rematch("t", &table("v")).await.unwrap(), "u");
    // No clean shutdown: the log stays beside the file.
    drop(store);
    assert!(file::beside(&path, "-wal").exists());
    let store = open(&path).await;
    let stored = store.load("t").await.unwrap().expect("the table is there");
    assert_eq!((stored.table.game.as_str(), stored.table.created_at), ("hex:size=3", 5));
    assert_eq!((stored.table.version, stored.table.start, stored.table.levels), (7, table("t").start, Some(3)));
    assert_eq!((stored.table.seed, stored.table.variations_key), (Seed([9; 32]), Some(KeyHash([2; 32]))));
    assert_eq!(stored.plies, plies);
    assert_eq!(stored.requests, [("0:r".to_string(), 2)]);
    assert_eq!((stored.next_table.as_deref(), stored.ended), (Some("u"), true));
    let [ann, engine] = &stored.table.seats[..] else { panic!("two seats") };
    assert!(matches!(&ann.holder, Holder::Human { key: KeyHash(hash), name: Some(name) }
        if *hash == [1; 32] && name == "Ann"));
    assert_eq!(ann.resignation, Some(resignation));
    assert!(matches!(&engine.holder, Holder::Engine { agent } if agent == "random"));
    assert!(store.load("v").await.unwrap().is_none());
    store.close().await;
    assert!(!file::beside(&path, "-wal").exists());
    assert!(store.load("t").await.is_err(), "it is closed");
    assert!(store.name("t", 0, "Eve").await.is_err(), "it is closed");
}

#[tokio::test]
async fn a_ply_is_written_once_and_a_batch_as_a_whole() {
    let store = open(Path::new(":memory:")).await;
    store.create(&table("t")).await.unwrap();
    store.append("t", 0, &[ply("a1", Some("0:x"))], None).await.unwrap();
    for (first, batch) in [
        (0, vec![ply("b2", None)]),
        (1, vec![ply("b2", None), ply("c3", Some("0:x"))]),
        (1, vec![ply("b2", Some("0:x"))]),
    ] {
        assert!(matches!(store.append("t", first, &batch, None).await, Err(StoreError::Failed(_))));
    }
    assert!(store.append("nowhere", 0, &[ply("a1", None)], None).await.is_err());
    assert_eq!(store.load("t").await.unwrap().unwrap().plies.len(), 1);
    assert_eq!(store.written().plies, 1);
    store.ready().await.unwrap();
}

/// Work that keeps the writer busy until the sender is dropped, so that what is wanted meanwhile shares a commit.
async fn busy(store: &SqliteStore) -> std::sync::mpsc::Sender<()> {
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let store = store.clone();
    tokio::spawn(async move {
        let wait = move |_: &Connection| {
            begun.send(()).unwrap();
            let _ = released.recv();
            Ok(())
        };
        store.0.writer.run(0, wait).await.unwrap();
    });
    has_begun.await.unwrap();
    release
}

#[tokio::test]
async fn plies_of_many_tables_share_a_commit_and_one_that_is_wrong_fails_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("tables.sqlite")).await;
    let ids: Vec<String> = (0..100).map(|n| format!("t{n}")).collect();
    for id in &ids {
        store.create(&table(id)).await.unwrap();
    }
    let before = store.written();
    let release = busy(&store).await;
    let mut appends = tokio::task::JoinSet::new();
    for (n, id) in ids.iter().cloned().enumerate() {
        let store = store.clone();
        // Every tenth begins in the middle of two plies, of which the second is there twice.
        let plies = if n % 10 == 0 { vec![ply("a1", Some("x")), ply("b1", Some("x"))] } else { vec![ply("a1", None)] };
        appends.spawn(async move { (n, store.append(&id, 0, &plies, None).await.is_ok()) });
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Reads do not wait for the writer.
    assert!(store.load("t1").await.unwrap().unwrap().plies.is_empty());
    drop(release);
    while let Some(appended) = appends.join_next().await {
        let (n, done) = appended.unwrap();
        assert_eq!(done, n % 10 != 0, "table {n}");
    }
    let after = store.written();
    assert_eq!((after.plies - before.plies, after.commits - before.commits), (90, 2));
    for (n, id) in ids.iter().enumerate() {
        let plies = store.load(id).await.unwrap().unwrap().plies;
        assert_eq!(plies.len(), usize::from(n % 10 != 0), "table {n}");
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_play_goes_on_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    let store = open(&path).await;
    store.create(&table("t")).await.unwrap();
    let room = |pages: u32| {
        let limit = move |connection: &Connection| {
            connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).map_err(StoreError::from)
        };
        store.0.writer.run(0, limit)
    };
    room(1).await.unwrap(); // SQLite takes as many as there are.
    let mut n_plies = 0;
    let why = loop {
        match store.append("t", n_plies, &[ply(&"x".repeat(500), None)], None).await {
            Ok(()) => n_plies += 1,
            Err(why) => break why,
        }
        assert!(n_plies < 1000, "the disk is never full");
    };
    assert!(matches!(why, StoreError::Full), "{why}");
    assert!(n_plies > 0 && store.load("t").await.unwrap().unwrap().plies.len() == n_plies);
    room(100_000).await.unwrap();
    store.append("t", n_plies, &[ply("y", None)], None).await.unwrap();
    drop(store);
    assert_eq!(open(&path).await.load("t").await.unwrap().unwrap().plies.len(), n_plies + 1);
}

#[tokio::test]
async fn a_second_store_on_the_file_is_refused_and_told_who_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    let store = open(&path).await;
    store.create(&table("t")).await.unwrap();
    let process = format!("process {}", std::process::id());
    let sentence = refused(&path).await;
    for part in ["tables.sqlite", "another server is using it", &process, ", since ", "GMT"] {
        assert!(sentence.contains(part), "{sentence}");
    }
    store.serving_at("127.0.0.1:8080".parse().unwrap());
    // By other names of the same file.
    let link = folder.path().join("link.sqlite");
    #[cfg(unix)]
    std::os::unix::fs::symlink("tables.sqlite", &link).unwrap();
    let roundabout = folder.path().join(".").join("..").join(folder.path().file_name().unwrap()).join("tables.sqlite");
    for name in [&link, &roundabout] {
        let sentence = refused(name).await;
        assert!(sentence.contains(&process) && sentence.ends_with("at http://127.0.0.1:8080"), "{sentence}");
    }
    let second = folder.path().join("second.sqlite");
    std::fs::hard_link(&path, &second).unwrap();
    let sentence = refused(&second).await;
    assert!(sentence.contains("second.sqlite") && sentence.contains("2 names (hard links)"), "{sentence}");
    std::fs::remove_file(&second).unwrap();
    // Others are not in the way, and the first goes on.
    open(&folder.path().join("other.sqlite")).await;
    store.append("t", 0, &[ply("a1", None)], None).await.unwrap();
    drop(store);
    assert!(!file::beside(&path, "-lock").exists());
    // What a killed server leaves behind is no lock.
    std::fs::write(file::beside(&path, "-lock"), r#"{"process":1,"since":0,"address":null}"#).unwrap();
    assert_eq!(open(&link).await.load("t").await.unwrap().unwrap().plies.len(), 1);
}

#[tokio::test]
async fn what_is_no_database_of_ours_is_refused_by_name_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("notes.txt"), "no database at all, but long enough to be taken for one".repeat(20)).unwrap();
    std::fs::write(at("empty.sqlite"), "").unwrap();
    std::fs::create_dir(at("folder.sqlite")).unwrap();
    change(&at("foreign.sqlite"), "PRAGMA application_id = 7; CREATE TABLE tables (id)");
    change(&at("nameless.sqlite"), "CREATE TABLE tables (id)");
    std::fs::write(at("moved.sqlite-wal"), "plies").unwrap();
    for name in ["newer.sqlite", "short.sqlite", "scratched.sqlite"] {
        let store = open(&at(name)).await;
        store.create(&table("t")).await.unwrap();
        store.close().await;
    }
    change(&at("newer.sqlite"), "PRAGMA user_version = 99");
    let cut = std::fs::OpenOptions::new().write(true).open(at("short.sqlite")).unwrap();
    cut.set_len(cut.metadata().unwrap().len() / 4096 / 2 * 4096).unwrap();
    let mut bytes = std::fs::read(at("scratched.sqlite")).unwrap();
    bytes[2 * 4096..4 * 4096].fill(0xa5);
    std::fs::write(at("scratched.sqlite"), bytes).unwrap();
    for (name, says) in [
        ("notes.txt", "not an SQLite database"),
        ("empty.sqlite", "empty (0 bytes)"),
        ("folder.sqlite", "a folder, not a file"),
        ("foreign.sqlite", "another program's database (its application id is 0x7, not 0x52616963)"),
        ("nameless.sqlite", "another program's database"),
        ("moved.sqlite", "moved.sqlite-wal with its last plies"),
        ("newer.sqlite", "a later version of Raichi has written it (format 99; this version reads up to "),
        ("short.sqlite", "damaged"),
        ("scratched.sqlite", "damaged"),
        ("nowhere/tables.sqlite", "its folder cannot be used"),
    ] {
        let before = std::fs::read(at(name)).ok();
        let sentence = refused(&at(name)).await;
        assert!(sentence.contains(name) && sentence.contains(says), "{sentence}");
        assert!(std::fs::read(at(name)).ok() == before, "{name} has changed");
    }
}

#[tokio::test]
async fn a_table_with_gaps_is_damaged_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    let store = open(&path).await;
    for id in ["whole", "gap", "late", "seatless", "nameless"] {
        store.create(&table(id)).await.unwrap();
        for n in 0..4 {
            store.append(id, n, &numbered_ply(n), None).await.unwrap();
        }
    }
    store.close().await;
    change(
        &path,
        "DELETE FROM plies WHERE table_id = 'gap' AND ply = 2; DELETE FROM plies WHERE table_id = 'late' AND ply = 0; \
         DELETE FROM seats WHERE table_id = 'seatless' AND seat = 0; \
         UPDATE seats SET resigned = -1 WHERE table_id = 'nameless'",
    );
    let store = open(&path).await;
    assert_eq!(store.load("whole").await.unwrap().unwrap().plies.len(), 4);
    for (id, says) in [
        ("gap", "ply 3 is missing, there is a ply 4"),
        ("late", "ply 1 is missing, there is a ply 2"),
        ("seatless", "seat 0 is missing, there is a seat 1"),
        ("nameless", ""),
    ] {
        let why = store.load(id).await.unwrap_err();
        assert!(matches!(&why, StoreError::Damaged { table, .. } if table == id), "{why}");
        assert!(why.to_string().contains(says), "{why}");
    }
}

#[tokio::test]
async fn a_copy_is_of_one_moment_while_plies_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("tables.sqlite"), folder.path().join("copy.sqlite"));
    let store = open(&path).await;
    // Two tables that always have as many plies, give or take the one that is being written.
    for id in ["a", "b"] {
        store.create(&table(id)).await.unwrap();
    }
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for n in 0..400 {
                for id in ["a", "b"] {
                    store.append(id, n, &numbered_ply(n), None).await.unwrap();
                }
            }
        }
    });
    while store.written().plies < 100 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let acknowledged = store.written().plies as usize;
    let mut last = (0, 1);
    let n_tables = {
        let (path, copy) = (path.clone(), copy.clone());
        let copied = tokio::task::spawn_blocking(move || {
            let n = backup(&path, &copy, |done, total| last = (done, total)).unwrap();
            (n, last)
        });
        let (n, last) = copied.await.unwrap();
        assert_eq!(last.0, last.1);
        n
    };
    assert_eq!(n_tables, 2);
    writing.await.unwrap();
    assert!(backup(&path, &copy, |_, _| {}).unwrap_err().to_string().contains("not replaced"));
    assert!(backup(&folder.path().join("none"), &copy, |_, _| {}).unwrap_err().to_string().contains("no such file"));
    let copied = open(&copy).await;
    let [a, b] = [copied.load("a").await, copied.load("b").await].map(|t| t.unwrap().unwrap().plies.len());
    assert!(a + b >= acknowledged && a - b <= 1 && a < 400, "{a} and {b} plies, {acknowledged} acknowledged");
    assert_eq!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|entry| { entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".raichi") })
            .count(),
        0,
        "nothing is left behind"
    );
}

#[tokio::test]
async fn a_database_from_before_the_application_id_gets_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.sqlite");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tables.sqlite"), &path).unwrap();
    open(&path).await.close().await;
    let connection = open_to_read(&path).unwrap();
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
    let n: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = ?", params!["_sqlx_migrations"], |row| row.get(0))
        .unwrap();
    assert_eq!((id, n), (schema::APPLICATION_ID, 0));
}

#[tokio::test]
async fn what_was_tried_is_kept_by_its_revision_and_goes_with_its_table() {
    let store = open(Path::new(":memory:")).await;
    store.create(&table("t")).await.unwrap();
    let lines = [TriedLine { after: 2, plies: vec!["a1".into(), "é\"".into()] }];
    assert_eq!(store.variations("t").await.unwrap(), KeptVariations::default());
    assert_eq!(store.keep_variations("t", 1, &lines).await.unwrap(), None);
    assert_eq!(store.keep_variations("t", 0, &lines).await.unwrap(), Some(1));
    assert_eq!(store.keep_variations("t", 0, &[]).await.unwrap(), None);
    assert_eq!(store.variations("t").await.unwrap(), KeptVariations { revision: 1, lines: lines.to_vec() });
    assert_eq!(store.keep_variations("t", 1, &[]).await.unwrap(), Some(2));
    assert_eq!(store.variations("t").await.unwrap(), KeptVariations { revision: 2, lines: Vec::new() });
    assert!(store.keep_variations("nowhere", 0, &lines).await.is_err());

    let run = async |sql: &'static str| {
        store.write(move |connection| Ok(connection.execute_batch(sql)?)).await.unwrap();
    };
    run("UPDATE variations SET lines = '[7]'").await;
    assert!(matches!(store.variations("t").await, Err(StoreError::Damaged { .. })));
    run("DELETE FROM seats; DELETE FROM tables").await;
    assert_eq!(store.variations("t").await.unwrap(), KeptVariations::default());
}
