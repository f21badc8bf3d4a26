//! What is tried in the analysis of a finished game, kept with its record.

use serde_json::{Value, json};

use crate::common::{Response, TestServer, TestTable, me_and_friend};

const GAME: &str = "a1 b1 a2 b2 a3";

/// Plays a game of tic-tac-toe of two people as far as these actions go.
async fn played(server: &TestServer, actions: &str) -> TestTable {
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    both.view().await;
    for (n_plies, action) in actions.split(' ').enumerate() {
        assert_eq!(both.play(&n_plies.to_string(), n_plies % 2, action, n_plies).await["type"], "ack");
    }
    table
}

fn line(after: usize, plies: &str) -> Value {
    json!({ "after": after, "plies": plies.split(' ').collect::<Vec<_>>() })
}

async fn keep(server: &TestServer, table: &str, keys: &[&str], revision: u32, lines: &[Value]) -> Response {
    let body = json!({ "keys": keys, "revision": revision, "lines": lines });
    server.post(&format!("/api/tables/{table}/variations"), &body).await
}

async fn kept(server: &TestServer, table: &str) -> Value {
    let response = server.get(&format!("/api/tables/{table}/variations")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

#[tokio::test]
async fn a_tree_is_kept_with_its_game_and_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let table = played(&server, GAME).await;
    let record = format!("/api/tables/{}/record", table.id);
    assert_eq!(kept(&server, &table.id).await, json!({ "revision": 0, "lines": [] }));
    assert_eq!(server.get(&record).await.json().get("variations"), None);

    // Lines are kept once, in the order in which they branch off, and what was played is no part of them.
    let tried = [line(3, "c3 a3"), line(1, "b2 a2"), line(1, "b1 a2 c3"), line(2, "a2 c3 a3"), line(0, "a1 b1")];
    let lines = [line(1, "b2 a2"), line(3, "c3 a3")];
    let tried = [&tried[..], &[line(0, "a1 b1 a2 b2 a3")]].concat();
    // The friend's key is as good as any other.
    let response = keep(&server, &table.id, &["nobody's", &table.keys[1]], 0, &tried).await;
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.json(), json!({ "revision": 1, "lines": lines }));
    server.crash();

    let server = TestServer::on(&database);
    assert_eq!(kept(&server, &table.id).await, json!({ "revision": 1, "lines": lines }));
    assert_eq!(server.get(&record).await.json()["variations"], json!(lines));
    let all = server.get("/api/library/records").await.text();
    assert_eq!(all.trim(), server.get(&record).await.text(), "the same record, from the library and from its table");

    // A change is made from what is there, so that nobody's is lost.
    keep(&server, &table.id, &[&table.keys[0]], 0, &[]).await.is_refused(409, "variations/changed");
    assert_eq!(keep(&server, &table.id, &[&table.keys[0]], 1, &[]).await.json(), json!({ "revision": 2, "lines": [] }));
    assert_eq!(server.get(&record).await.json().get("variations"), None);
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused() {
    let server = TestServer::start();
    let (table, other) = (played(&server, GAME).await, played(&server, GAME).await);
    let key: &[&str] = &[&table.keys[0]];
    for keys in [&[][..], &["x"], &[&other.keys[0]]] {
        keep(&server, &table.id, keys, 0, &[line(1, "b2")]).await.is_refused(403, "seat/key");
    }
    let too_many = vec![line(1, "b2"); 201];
    for (lines, status, code, says) in [
        (vec![line(1, "b2"), line(1, "a1")], 422, "play/illegal", "variation 2, ply 2 (`a1`)"),
        (vec![line(1, "z9")], 422, "play/not-understood", "`z9`"),
        (vec![line(5, "b3")], 422, "play/over", "variation 1, ply 6"),
        (vec![line(6, "b3")], 400, "message/malformed", "the game has 5"),
        (vec![json!({ "after": 1 })], 400, "message/malformed", "plies"),
        (too_many, 422, "variations/too-many", "at most 200"),
        (vec![json!({ "after": 1, "plies": vec!["b2"; 2_001] })], 422, "variations/too-many", "2000 plies"),
        (vec![line(1, &"b".repeat(60_000))], 413, "message/too-large", "60000 bytes"),
    ] {
        let response = keep(&server, &table.id, key, 0, &lines).await;
        response.is_refused(status, code);
        assert!(response.text().contains(says), "{}", response.text());
    }
    assert_eq!(kept(&server, &table.id).await["revision"], 0, "nothing of all that was kept");

    let running = played(&server, "a1 b1").await;
    let path = format!("/api/tables/{}/variations", running.id);
    server.get(&path).await.is_refused(409, "table/running");
    keep(&server, &running.id, &[&running.keys[0]], 0, &[line(1, "b2")]).await.is_refused(409, "table/running");
    server.get("/api/tables/nowhere/variations").await.is_refused(404, "table/unknown");
    let body = json!({ "keys": key, "revision": 0, "lines": [] }).to_string();
    let elsewhere = [("origin", "http://elsewhere.example")];
    let path = format!("/api/tables/{}/variations", table.id);
    server.request("POST", &path, &elsewhere, &body).await.is_refused(403, "origin/wrong");
}

#[tokio::test]
async fn a_record_takes_its_tree_along() {
    let (here, there) = (TestServer::start(), TestServer::start());
    let table = played(&here, GAME).await;
    let lines = [line(1, "b2 a2"), line(3, "c3 a3")];
    assert_eq!(keep(&here, &table.id, &[&table.keys[0]], 0, &lines).await.status, 200);
    let record = here.get(&format!("/api/tables/{}/record", table.id)).await.text();
    let import = async |line: &str| there.request("POST", "/api/library", &[], line).await.json()[0].clone();
    let imported = import(&record).await["table"].as_str().unwrap().to_string();
    assert_eq!(kept(&there, &imported).await, json!({ "revision": 1, "lines": lines }));
    // The same game without it is the same game, and keeps it.
    let mut without: Value = serde_json::from_str(&record).unwrap();
    without.as_object_mut().unwrap().remove("variations");
    assert_eq!(import(&without.to_string()).await["table"], *imported);
    assert_eq!(kept(&there, &imported).await["lines"], json!(lines));
    // The key of a seat there was is none here.
    keep(&there, &imported, &[&table.keys[0]], 1, &[]).await.is_refused(403, "variations/key");

    for (variations, says) in [
        (json!([line(1, "a1")]), "variation 1, ply 2 (`a1`)"),
        (json!("b2"), "its variations cannot be read"),
        (json!(vec![line(1, "b2"); 201]), "at most 200"),
    ] {
        let mut bad = without.clone();
        bad["variations"] = variations;
        let refused = import(&bad.to_string()).await;
        assert!(refused["error"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
}

async fn import(server: &TestServer, lines: &str) -> Value {
    let response = server.request("POST", "/api/library", &[], lines).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

/// A table of engines where the game is over, and the key of its variations.
async fn of_engines(server: &TestServer) -> (String, String) {
    let engine = json!({ "kind": "engine", "agent": "random" });
    let made = server.post("/api/tables", &json!({ "game": "tic-tac-toe", "seats": [engine, engine] })).await.json();
    assert_eq!(made["keys"], json!([]));
    let (table, key) = (made["table"].as_str().unwrap(), made["variations_key"].as_str().unwrap());
    server.hello(table, &[]).await.view_where(|view| view["to_act"] == "over").await;
    (table.into(), key.into())
}

/// What was played first, and something else.
async fn another_first_ply(server: &TestServer, table: &str) -> Value {
    let record = server.get(&format!("/api/tables/{table}/record")).await.json();
    line(0, if record["plies"][0]["text"] == "a1" { "b2 a1" } else { "a1 b3" })
}

fn says(response: &Response, status: u16, code: &str, sentence: &str) {
    response.is_refused(status, code);
    let refusal = response.json();
    assert_eq!((&refusal["param"], refusal["message"].as_str()), (&json!("keys"), Some(sentence)));
}

const IMPORTED: &str = "variations of this game are written with the key that was given to the person who imported it";
const CREATED: &str =
    "variations of this game are written with the key that was given to the person who created its table";

#[tokio::test]
async fn who_imports_a_game_may_write_its_tree() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    // Two games, one of them twice, and a line that is none.
    let lines = "tic-tac-toe a1 b1 a2 b2 a3\nnonsense\ntic-tac-toe 1. a1 b1 2. a2 b2 3. a3\nkaalu a b c b d!";
    let taken = import(&server, lines).await;
    let key = |i: usize| taken[i]["variations_key"].as_str().unwrap();
    let table = taken[0]["table"].as_str().unwrap().to_string();
    assert!(key(0).len() == 32 && key(0) != key(3), "each game has a key of its own: {taken}");
    assert_eq!(taken[1].get("variations_key"), None);
    assert_eq!(
        taken[2],
        json!({ "line": 3, "table": table, "already_here": true }),
        "it has been given to who brought the game first"
    );
    let again = import(&server, "tic-tac-toe a1 b1 a2 b2 a3").await;
    assert_eq!(again, json!([{ "line": 1, "table": table, "already_here": true }]), "and nobody else is given it");

    let tried = [line(1, "b2 a2")];
    let refused = keep(&server, &table, &[], 0, &tried).await;
    says(&refused, 403, "variations/key", &format!("{IMPORTED}, and no key was given"));
    let refused = keep(&server, &table, &[key(3)], 0, &tried).await;
    says(&refused, 403, "variations/key", &format!("{IMPORTED}, and the key given is another one"));
    let refused = keep(&server, &table, &["x", key(3)], 0, &tried).await;
    says(&refused, 403, "variations/key", &format!("{IMPORTED}, and none of the keys given is that"));
    let response = keep(&server, &table, &["x", key(0)], 0, &tried).await;
    assert_eq!(response.json(), json!({ "revision": 1, "lines": tried }));
    server.crash();

    let server = TestServer::on(&database);
    assert_eq!(kept(&server, &table).await, json!({ "revision": 1, "lines": tried }));
    let more = [line(1, "b2 a2"), line(3, "c3")];
    assert_eq!(keep(&server, &table, &[key(0)], 1, &more).await.json(), json!({ "revision": 2, "lines": more }));
    // It holds no seat.
    server.hello(&table, &[key(0)]).await.is_disconnected("seat/key").await;

    // It is in the record, and the key in nothing that others read.
    let record = server.get(&format!("/api/tables/{table}/record")).await.text();
    let all = server.get("/api/library/records").await.text();
    let list = server.get("/api/library").await.text();
    let view = server.hello(&table, &[]).await.view().await.to_string();
    for text in [&record, &all, &list, &view] {
        assert!(text.contains("tic-tac-toe") && !text.contains(key(0)) && !text.contains("variations_key"), "{text}");
    }
    let there = TestServer::start();
    let imported = import(&there, &record).await[0].clone();
    let (table, theirs) = (imported["table"].as_str().unwrap(), imported["variations_key"].as_str().unwrap());
    assert_eq!(kept(&there, table).await, json!({ "revision": 1, "lines": more }));
    keep(&there, table, &[key(0)], 1, &[]).await.is_refused(403, "variations/key");
    assert_eq!(keep(&there, table, &[theirs], 1, &tried).await.json(), json!({ "revision": 2, "lines": tried }));
}

#[tokio::test]
async fn who_lets_engines_play_may_write_the_tree_of_their_game() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let ((table, key), (_, other)) = (of_engines(&server).await, of_engines(&server).await);
    let tried = [another_first_ply(&server, &table).await];
    let refused = keep(&server, &table, &[], 0, &tried).await;
    says(&refused, 403, "variations/key", &format!("{CREATED}, and no key was given"));
    let refused = keep(&server, &table, &[&other], 0, &tried).await;
    says(&refused, 403, "variations/key", &format!("{CREATED}, and the key given is another one"));
    assert_eq!(keep(&server, &table, &[&key], 0, &tried).await.json(), json!({ "revision": 1, "lines": tried }));
    server.crash();
    let server = TestServer::on(&database);
    assert_eq!(keep(&server, &table, &[&key], 1, &[]).await.json(), json!({ "revision": 2, "lines": [] }));

    // Who plays has the key of a seat, and needs no other.
    let people = server.post("/api/tables", &json!({ "game": "tic-tac-toe", "seats": me_and_friend() })).await.json();
    assert_eq!(people.get("variations_key"), None);
    let played = played(&server, GAME).await;
    let refused = keep(&server, &played.id, &[&key], 0, &[]).await;
    let of_seat = "variations of this game are written with a key that holds a seat of it";
    says(&refused, 403, "seat/key", &format!("{of_seat}, and the key given is another one"));
}

#[tokio::test]
async fn the_tree_of_a_game_from_before_there_were_keys_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let (table, key) = of_engines(&server).await;
    let tried = [another_first_ply(&server, &table).await];
    server.crash();
    let connection = rusqlite::Connection::open(&database).unwrap();
    let stored: Vec<u8> = connection.query_row("SELECT variations_key FROM tables", [], |row| row.get(0)).unwrap();
    assert_eq!(stored.len(), 32, "only its hash is stored");
    connection.execute("UPDATE tables SET variations_key = NULL", []).unwrap();
    drop(connection);
    let server = TestServer::on(&database);
    let refused = keep(&server, &table, &[&key], 0, &tried).await;
    let nobodys = "nobody can write variations of this game: it was made before there were keys for that";
    says(&refused, 403, "variations/key", nobodys);
    assert_eq!(kept(&server, &table).await["revision"], 0, "it can be read");
}

#[tokio::test]
async fn a_tree_is_written_in_the_form_of_its_game() {
    let server = TestServer::start();
    // By its letters this is `a b c b d!`; another pile is tried in the fourth ply.
    let plies: Vec<Value> = ["c", "a", "d", "a", "b!"].into_iter().map(|text| json!({ "text": text })).collect();
    let record = json!({ "version": 2, "game": "kaalu", "seats": ["Ann", "Bob"], "plies": plies, "program": "x",
        "variations": [line(2, "d f")] });
    let imported = server.request("POST", "/api/library", &[], &record.to_string()).await.json();
    let table = imported[0]["table"].as_str().unwrap_or_else(|| panic!("{imported}"));
    assert_eq!(kept(&server, table).await["lines"], json!([line(3, "d")]));
}
