//! The library over HTTP: finished games listed, filtered, downloaded and imported.

use raichi_core::record::Record;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::{self, TestServer, TestTable, with_limits};

/// Plays a game of people to its end; returns the table.
async fn played(server: &TestServer, game: &str, names: [&str; 2], actions: &str) -> TestTable {
    let seats = names.map(|name| json!({ "kind": "me", "name": name }));
    let table = server.table(game, json!(seats)).await;
    let keys: Vec<&str> = table.keys.iter().map(String::as_str).collect();
    let mut both = server.hello(&table.id, &keys).await;
    both.view().await;
    for (n_plies, action) in actions.split_whitespace().enumerate() {
        let reply = both.play(&n_plies.to_string(), n_plies % 2, action, n_plies).await;
        assert_eq!(reply["type"], "ack", "{reply}");
    }
    both.view_where(|view| view["to_act"] == "over").await;
    table
}

async fn list(server: &TestServer, query: &str) -> Value {
    let response = server.get(&format!("/api/library?{query}")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

fn tables(page: &Value) -> Vec<String> {
    page["games"].as_array().unwrap().iter().map(|game| game["table"].as_str().unwrap().into()).collect()
}

async fn import(server: &TestServer, lines: &str) -> Value {
    let response = server.request("POST", "/api/library", &[("content-type", "application/jsonl")], lines).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

#[tokio::test]
async fn finished_games_are_listed_and_filtered() {
    let server = TestServer::start();
    let won = played(&server, "tic-tac-toe", ["Ann", "Bob"], "a1 b1 a2 b2 a3").await;
    let drawn = played(&server, "tic-tac-toe", ["ann", "Cleo"], "b2 a1 a2 c2 b1 b3 a3 c1 c3").await;
    let lost = played(&server, "connect-four:width=5", ["Dan", "Ann"], "1 2 1 2 1 2 5 2").await;
    // One that goes on is in no list.
    server.table("tic-tac-toe", common::me_and_friend()).await;

    let all = list(&server, "").await;
    assert_eq!(tables(&all), [&lost.id, &drawn.id, &won.id].map(String::clone));
    assert_eq!(all["next"], Value::Null);
    let newest = &all["games"][0];
    assert_eq!((&newest["game"], &newest["name"]), (&json!("connect-four:width=5"), &json!("Connect Four")));
    assert_eq!(
        (&newest["outcome"], &newest["end"], &newest["n_plies"]),
        (&json!("Ann wins"), &json!("line"), &json!(8))
    );
    assert_eq!(newest["seats"][0], json!({ "name": "Yellow", "occupant": "Dan", "kind": "human" }));
    assert_eq!(all["games"][1]["outcome"], "A draw");
    for (query, expected) in [
        ("game=connect-four", vec![&lost]),
        ("game=tic-tac-toe", vec![&drawn, &won]),
        ("name=ANN", vec![&lost, &drawn, &won]),
        ("name=Cleo", vec![&drawn]),
        ("name=An", vec![]),
        ("result=draw", vec![&drawn]),
        ("result=0", vec![&won]),
        ("result=1&name=ann", vec![&lost]),
        ("result=line", vec![&lost, &won]),
        ("agent=random", vec![]),
        ("game=tic-tac-toe&name=Bob&result=line", vec![&won]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|table| table.id.clone()).collect();
        assert_eq!(tables(&list(&server, query).await), expected, "{query}");
    }

    // In pages of two.
    let first = list(&server, "limit=2").await;
    assert_eq!(tables(&first), [lost.id.clone(), drawn.id.clone()]);
    let second = list(&server, &format!("limit=2&before={}", first["next"].as_str().unwrap())).await;
    assert_eq!((tables(&second), &second["next"]), (vec![won.id.clone()], &Value::Null));
    for (query, code) in
        [("before=x", "message/malformed"), ("limit=x", "message/malformed"), ("x=1", "message/malformed")]
    {
        server.get(&format!("/api/library?{query}")).await.is_refused(400, code);
    }
    let text = server.get("/api/library").await.text();
    assert!(!won.keys.iter().any(|key| text.contains(key)));
}

#[tokio::test]
async fn games_are_found_by_their_number_of_seats() {
    let server = TestServer::start();
    let two = played(&server, "tic-tac-toe", ["Ann", "Bob"], "a1 b1 a2 b2 a3").await.id;
    let three = server.table("nim3p", json!(vec![json!({ "kind": "engine", "agent": "random" }); 3])).await.id;
    server.hello(&three, &[]).await.view_where(|view| view["to_act"] == "over").await;
    for (query, expected) in [
        ("seats=2", vec![&two]),
        ("seats=3", vec![&three]),
        ("seats=3&agent=random", vec![&three]),
        ("seats=2&game=nim3p", vec![]),
        ("seats=1", vec![]),
        ("seats=0", vec![]),
        ("seats=18446744073709551615", vec![]),
    ] {
        let expected: Vec<String> = expected.into_iter().cloned().collect();
        assert_eq!(tables(&list(&server, query).await), expected, "{query}");
    }
    assert_eq!(server.get("/api/library/records?seats=3").await.text().lines().count(), 1);
    server.get("/api/library?seats=two").await.is_refused(400, "message/malformed");
}

#[tokio::test]
async fn games_with_engines_are_found_by_their_agents() {
    let server = TestServer::start();
    let engine = |agent: &str| json!({ "kind": "engine", "agent": agent });
    let quick = server.table("tic-tac-toe", json!([engine("random"), engine("mcts:time=200ms")])).await;
    server.hello(&quick.id, &[]).await.view_where(|view| view["to_act"] == "over").await;
    for agent in ["random", "mcts", "mcts:time=200ms"] {
        assert_eq!(tables(&list(&server, &format!("agent={agent}")).await), std::slice::from_ref(&quick.id), "{agent}");
    }
    for agent in ["mct", "rando", "mcts:time=1s"] {
        assert_eq!(tables(&list(&server, &format!("agent={agent}")).await).len(), 0, "{agent}");
    }
}

#[tokio::test]
async fn records_go_from_one_server_to_another_and_back() {
    let here = TestServer::start();
    played(&here, "tic-tac-toe", ["Ann", "Bob"], "a1 b1 a2 b2 a3").await;
    let resigned = here.table("tic-tac-toe", json!([{ "kind": "me", "name": "Ann" }, { "kind": "me" }])).await;
    let mut both = here.hello(&resigned.id, &[&resigned.keys[0], &resigned.keys[1]]).await;
    both.play("1", 0, "b2", 0).await;
    both.send(&json!({ "type": "resign", "id": "2", "seat": 0 })).await;
    both.view_where(|view| view["to_act"] == "over").await;
    // With chance and secrets.
    let poker = here
        .table(
            "poker:players=2,rounds=2",
            json!([{ "kind": "engine", "agent": "random" }, { "kind": "engine", "agent": "random" }]),
        )
        .await;
    here.hello(&poker.id, &[]).await.view_where(|view| view["to_act"] == "over").await;

    let lines = here.get("/api/library/records").await.text();
    assert_eq!(lines.lines().count(), 3);
    let only = here.get("/api/library/records?game=tic-tac-toe&result=resigned").await.text();
    assert_eq!(only.lines().count(), 1);
    let one = here.get(&format!("/api/tables/{}/record", resigned.id)).await.text();
    assert_eq!(only.trim(), one.trim(), "the same record, from the library and from its table");

    let there = TestServer::start();
    let imported = import(&there, &lines).await;
    let ids: Vec<&str> = imported.as_array().unwrap().iter().map(|one| one["table"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 3);
    let listed = list(&there, "").await;
    assert_eq!(listed["games"].as_array().unwrap().len(), 3);
    for (id, line) in ids.iter().zip(lines.lines()) {
        let record = there.get(&format!("/api/tables/{id}/record")).await.text();
        let (before, after) = (Record::from_line(line, 1).unwrap(), Record::from_line(&record, 1).unwrap());
        assert_eq!(
            (&before.game, &before.seats, &before.seed, &before.plies, &before.result),
            (&after.game, &after.seats, &after.seed, &after.plies, &after.result)
        );
        // A link that anybody can open; nobody holds a seat, and no seed is said to be this server's.
        let view = there.hello(id, &[]).await.view().await;
        assert_eq!((&view["to_act"], &view["seed"], &view["seed_hash"]), (&json!("over"), &json!(null), &json!("")));
        assert_eq!(view["n_plies"], before.plies.len());
    }
    // The same records again are the same games, in the hands of who brought them first.
    let again = import(&there, &lines).await;
    let as_before = |i: usize| json!({ "line": i + 1, "table": ids[i], "already_here": true });
    assert_eq!(again, json!([as_before(0), as_before(1), as_before(2)]));
    assert_eq!(list(&there, "").await["games"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_engine_that_took_over_has_played_here_and_elsewhere() {
    let here = TestServer::start();
    let random = json!({ "kind": "engine", "agent": "random" });
    let table = here.table("nim3p", json!([{ "kind": "me", "name": "Ann" }, random, random])).await;
    let mut ann = here.hello(&table.id, &[&table.keys[0]]).await;
    ann.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    ann.view_where(|view| view["to_act"] == "over").await;
    let line = here.get(&format!("/api/tables/{}/record", table.id)).await.text();
    let record = Record::from_line(&line, 1).unwrap();
    assert!(record.seats[0].starts_with("Ann (after 0 plies "), "{line}");

    let there = TestServer::start();
    let imported = import(&there, &line).await[0]["table"].as_str().unwrap().to_string();
    let again = there.get(&format!("/api/tables/{imported}/record")).await.text();
    assert_eq!(Record::from_line(&again, 1).unwrap().seats, record.seats);
    assert_eq!(import(&there, &again).await[0]["already_here"], true);
    let listed = list(&here, "name=Ann").await["games"][0]["seats"].clone();
    assert_eq!(listed[0]["kind"], "engine");
    assert_eq!(list(&there, "name=Ann").await["games"][0]["seats"], listed);

    // What cannot have happened did not.
    let forged = import(&there, &line.replace("(after 0 plies", "(after 999 plies")).await;
    let view = there.hello(forged[0]["table"].as_str().unwrap(), &[]).await.view().await;
    assert_eq!((&view["seats"][0]["occupant"], &view["seats"][0]["kind"]), (&json!("Ann"), &json!("human")));
}

#[tokio::test]
async fn a_game_that_an_earlier_version_imported_without_who_took_over_is_known_again() {
    let here = TestServer::start();
    let (random, level) =
        (json!({ "kind": "engine", "agent": "random" }), json!({ "kind": "engine", "agent": "level:1" }));
    let table = here.table("nim3p", json!([{ "kind": "me", "name": "Ann" }, random, level])).await;
    let mut ann = here.hello(&table.id, &[&table.keys[0]]).await;
    ann.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    ann.view_where(|view| view["to_act"] == "over").await;
    let line = here.get(&format!("/api/tables/{}/record", table.id)).await.text();

    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let there = TestServer::on(&database);
    let id = import(&there, &line).await[0]["table"].as_str().unwrap().to_string();
    there.crash();
    // What that version had kept: no engine that took over, and the hash of the record that it wrote then.
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.execute("UPDATE seats SET resigned = NULL, successor = NULL WHERE table_id = ?", [&id]).unwrap();
    let there = TestServer::on(&database);
    let without = there.get(&format!("/api/tables/{id}/record")).await.text();
    there.crash();
    let record = Record::from_line(&without, 1).unwrap();
    assert_eq!(record.seats[0], "Ann");
    let hashed = Record { version: 0, program: String::new(), ..record }.to_line();
    let hash: String = Sha256::digest(hashed.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    connection.execute("UPDATE tables SET imported = ? WHERE id = ?", [&hash, &id]).unwrap();

    let there = TestServer::on(&database);
    for record in [&line, &without] {
        assert_eq!(import(&there, record).await, json!([{ "line": 1, "table": id, "already_here": true }]));
    }
    // To this version a record without it is another game, whichever comes first.
    let elsewhere = TestServer::start();
    assert_eq!(import(&elsewhere, &format!("{without}\n{line}")).await[1].get("already_here"), None);
}

#[tokio::test]
async fn a_record_that_comes_back_is_the_game_that_is_here() {
    let server = TestServer::start();
    let won = played(&server, "tic-tac-toe", ["Ann", "Bob"], "a1 b1 a2 b2 a3").await;
    played(&server, "kaalu", ["Ann", "Bob"], "a b c b d!").await;
    let resigned = server.table("tic-tac-toe", json!([{ "kind": "me", "name": "Ann" }, { "kind": "me" }])).await;
    let mut both = server.hello(&resigned.id, &[&resigned.keys[0], &resigned.keys[1]]).await;
    both.play("1", 0, "b2", 0).await;
    both.send(&json!({ "type": "resign", "id": "2", "seat": 0 })).await;
    both.view_where(|view| view["to_act"] == "over").await;
    let random = json!({ "kind": "engine", "agent": "random" });
    let poker = server.table("poker:players=3,rounds=2", json!([random, random, random])).await;
    server.hello(&poker.id, &[]).await.view_where(|view| view["to_act"] == "over").await;

    let all = tables(&list(&server, "").await);
    let lines = server.get("/api/library/records").await.text();
    let already_here = |line: usize, table: &str| json!({ "line": line, "table": table, "already_here": true });
    let expected: Vec<Value> = all.iter().enumerate().map(|(i, table)| already_here(i + 1, table)).collect();
    assert_eq!(import(&server, &lines).await, json!(expected));
    // Written by another program, with an empty line before it.
    let text = server.get(&format!("/api/tables/{}/record", won.id)).await.text();
    let by_another = text.replace("\"program\":\"raichi ", "\"program\":\"raichi of old ");
    assert_ne!(by_another, text);
    assert_eq!(import(&server, &format!("\n{by_another}")).await, json!([already_here(2, &won.id)]));
    assert_eq!(tables(&list(&server, "").await), all);

    // What says something else of a game than what happened is another game, whatever its seed.
    let record: Value = serde_json::from_str(&text).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut record = record.clone();
        change(&mut record);
        record.to_string()
    };
    let forged = [
        changed(&|record| record["seats"][0] = json!("Zoe")),
        changed(&|record| record["plies"][1]["text"] = json!("c1")),
        changed(&|record| record["plies"][0]["millis"] = json!(123_456)),
        changed(&|record| record["seed"] = json!("0".repeat(64))),
    ];
    let imported = import(&server, &forged.join("\n")).await;
    let mut ids: Vec<&str> = imported.as_array().unwrap().iter().map(|one| one["table"].as_str().unwrap()).collect();
    assert!(imported.as_array().unwrap().iter().all(|one| one.get("already_here").is_none()), "{imported}");
    assert!(!ids.contains(&&*won.id), "{imported}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), forged.len());
}

#[tokio::test]
async fn an_imported_game_that_is_downloaded_and_comes_back_is_the_same() {
    let server = TestServer::start();
    let text = json!({
        "version": 1, "game": "tic-tac-toe", "seats": ["Ann (resigned after 2 plies)", "mcts:sims=400,time=1s"],
        "plies": [{ "text": "a1" }, { "text": "b1", "millis": 7 }],
        "result": { "payoffs": [-1, 1], "end": "resigned" }, "program": "another",
    });
    // A score sheet says neither who played nor how long each ply took.
    let lines = format!("{text}\nkaalu c a d a b!\n");
    let imported = import(&server, &lines).await;
    for (i, one) in imported.as_array().unwrap().iter().enumerate() {
        let table = one["table"].as_str().unwrap_or_else(|| panic!("{one}"));
        assert_eq!(one.get("already_here"), None);
        let record = server.get(&format!("/api/tables/{table}/record")).await.text();
        assert_ne!(Some(&*record), lines.lines().nth(i), "something of it is lost");
        assert_eq!(import(&server, &record).await, json!([{ "line": 1, "table": table, "already_here": true }]));
    }
    assert_eq!(import(&server, &lines).await[1]["already_here"], true);
    assert_eq!(list(&server, "").await["games"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn score_sheets_are_imported_and_written_and_another_form_is_the_same_game() {
    let server = TestServer::start();
    // A short game of kaalu, by its letters and by others.
    let lines = ["kaalu 1. a b 2. c b 3. d!", "kaalu c a d a b!", "tic-tac-toe 1. a1 b1 2. a2 b2 3. a3"];
    let imported = import(&server, &lines.join("\n")).await;
    let tables: Vec<&str> = imported.as_array().unwrap().iter().map(|one| one["table"].as_str().unwrap()).collect();
    assert_eq!(tables[0], tables[1]);
    assert_eq!(list(&server, "").await["games"].as_array().unwrap().len(), 2);
    for (table, wanted) in [(tables[0], lines[0]), (tables[2], lines[2])] {
        let sheet = server.request("GET", &format!("/api/tables/{table}/sheet"), &[], "").await;
        assert_eq!(sheet.text(), format!("{wanted}\n"));
        assert_eq!(import(&server, &sheet.text()).await[0]["table"], table);
    }
    let refused = import(&server, "kaalu 1. a b\nnim3p 1. a5 b5 c5\nchess 1. e4\nkaalu 2. a").await;
    for (line, says) in ["not over", "two seats without chance", "chess", "`2.` where 1."].into_iter().enumerate() {
        let message = refused[line]["error"]["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
    }
}

#[tokio::test]
async fn what_was_kept_is_told_where_the_lines_after_it_are_too_many() {
    let server = TestServer::with(with_limits(|limits| limits.tables_per_minute_per_address = 2));
    let lines = ["a1 b1 a2 b2 a3", "b1 a1 b2 a2 b3", "c1 b1 c2 b2 c3", "a1 b1 b2 a2 c3"];
    let lines = lines.map(|plies| format!("tic-tac-toe {plies}")).join("\n");
    let imported = import(&server, &lines).await;
    let imported = imported.as_array().unwrap();
    assert_eq!(imported.len(), 4);
    for (i, one) in imported.iter().enumerate() {
        assert_eq!((&one["line"], one["variations_key"].is_string()), (&json!(i + 1), i < 2), "{one}");
        assert_eq!(one["error"]["code"], if i < 2 { Value::Null } else { json!("server/busy") }, "{one}");
    }
    assert_eq!(list(&server, "").await["games"].as_array().unwrap().len(), 2);
    server.request("POST", "/api/library", &[], &lines).await.is_refused(429, "server/busy");
}

#[tokio::test]
async fn what_is_no_finished_game_is_refused_by_its_line() {
    let server = TestServer::start();
    let record = |plies: &str, result: Value| {
        let plies: Vec<Value> = plies.split_whitespace().map(|text| json!({ "text": text })).collect();
        let record = json!({ "version": 2, "game": "tic-tac-toe", "seats": ["Ann", "Bob"], "plies": plies, "program": "x", "result": result });
        let mut record = record;
        if record["result"].is_null() {
            record.as_object_mut().unwrap().remove("result");
        }
        record.to_string()
    };
    let won = json!({ "payoffs": [1, -1], "end": "line" });
    let lines = [
        "nonsense".into(),
        record("a1 b1", Value::Null),
        record("a1 a1", Value::Null),
        record("a1 b1 a2 b2 a3", json!({ "payoffs": [-1, 1], "end": "line" })),
        record("a1", json!({ "payoffs": [0, 0], "end": "full" })),
        record("a1", json!({ "payoffs": [5, -7], "end": "resigned" })),
        record("a1 b1 a2 b2 a3", won),
        record("a1", json!({ "payoffs": [0, 0], "end": "agreed" })),
        record("a1", json!({ "payoffs": [-1, 1], "end": "time" })),
    ];
    let imported = import(&server, &lines.join("\n")).await;
    let imported = imported.as_array().unwrap();
    assert_eq!(imported.len(), lines.len());
    for (i, one) in imported.iter().enumerate() {
        assert_eq!(one["line"], i + 1);
        assert_eq!(one["table"].is_string(), i >= 6, "{one}");
        assert_eq!(one["error"]["message"].is_string(), i < 6, "{one}");
    }
    let message = imported[2]["error"]["message"].as_str().unwrap();
    assert!(message.contains("ply 2 (`a1`): "), "{message}");
    let many = format!("{}\n", lines[6]).repeat(101);
    server.request("POST", "/api/library", &[], &many).await.is_refused(422, "record/too-many");
}
