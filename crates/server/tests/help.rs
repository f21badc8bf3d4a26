//! Hints and plies taken back, over real sockets.

use raichi_core::record::Record;
use serde_json::{Value, json};

use crate::common::{self, Client, TestServer, TestTable};

fn against_random() -> Value {
    json!([{ "kind": "me", "name": "Ann" }, { "kind": "engine", "agent": "random" }])
}

async fn take_back(client: &mut Client, id: &str, seat: usize, n_plies: u64) -> Value {
    client.send(&json!({ "type": "take-back", "id": id, "seat": seat, "n_plies": n_plies })).await;
    client.reply_to(id).await
}

async fn hint(client: &mut Client, seat: usize, n_plies: u64) -> Value {
    client.send(&json!({ "type": "hint", "id": "hint", "seat": seat, "n_plies": n_plies })).await;
    client.reply_to("hint").await
}

async fn table_with(server: &TestServer, game: &str, seats: Value, help: bool) -> TestTable {
    let body = json!({ "game": game, "seats": seats, "help": help }).to_string();
    TestTable::read(&server.request("POST", "/api/tables", &[], &body).await)
}

#[tokio::test]
async fn a_ply_is_taken_back_with_the_engines_reply_and_the_record_says_how_it_was_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let table = server.table("tic-tac-toe", against_random()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!((&view["help"], &view["take_back"]), (&json!(true), &json!({})));
    assert_eq!(take_back(&mut ann, "0", 0, 0).await["code"], "play/no-way-back");
    ann.play("a", 0, "a1", 0).await;
    let view = ann.view_after(2).await;
    assert_eq!(view["take_back"], json!({ "0": 0 }));

    assert_eq!(take_back(&mut ann, "b", 0, 2).await, json!({ "type": "ack", "id": "b", "n_plies": 0 }));
    let view = ann.view_after(0).await;
    assert_eq!((&view["plies_from"], &view["to_act"]), (&json!(0), &json!([0])));
    // Sent again it is acknowledged, and what it took back is not played again: also after a crash.
    assert_eq!(ann.play("c", 0, "b2", 0).await["n_plies"], 1);
    let replied = ann.view_after(2).await;
    assert_eq!(take_back(&mut ann, "b", 0, 2).await["n_plies"], 0);
    server.crash();
    let server = TestServer::on(&database);
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    assert_eq!(ann.view().await["n_plies"], 2);
    assert_eq!(take_back(&mut ann, "b", 0, 2).await["n_plies"], 0);
    assert_eq!(ann.play("a", 0, "a1", 0).await["n_plies"], 1);
    assert_eq!(ann.play("a", 0, "c3", 2).await["code"], "message/reused-id");
    let view = server.hello(&table.id, &[]).await.view().await;
    assert_eq!(view["plies"][0]["text"], "b2");
    assert_eq!(view["plies"][1]["text"], replied["plies"].as_array().unwrap().last().unwrap()["text"]);

    // To the end; the record holds only what was played in the end.
    let mut n_plies = 2;
    let over = loop {
        let mut watcher = server.hello(&table.id, &[&table.keys[0]]).await;
        let view = watcher.view_where(|view| view["to_act"] != json!([1])).await;
        n_plies = n_plies.max(view["n_plies"].as_u64().unwrap());
        if view["to_act"] == "over" {
            break view;
        }
        let action = common::first_action(&view["choices"]["0"]);
        watcher.play(&format!("end {n_plies}"), 0, action.as_str().unwrap(), n_plies as usize).await;
    };
    assert_eq!(take_back(&mut ann, "late", 0, n_plies).await["code"], "play/over");
    let text = server.get(&format!("/api/tables/{}/record", table.id)).await.text();
    let record = Record::from_line(&text, 1).unwrap();
    assert_eq!(record.plies.len() as u64, over["n_plies"].as_u64().unwrap());
    assert_eq!(record.plies[0].text, "b2");
    let game = raichi_games::game_of_record(&record).unwrap();
    assert_eq!(record.replay(game.as_ref()).unwrap().end_reason(), Some(over["result"]["end"].as_str().unwrap()));
}

#[tokio::test]
async fn whoever_missed_it_is_sent_the_plies_that_came_in_their_place() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", json!([{ "kind": "me" }, { "kind": "me" }])).await;
    let keys = [table.keys[0].as_str(), table.keys[1].as_str()];
    let mut both = server.hello(&table.id, &keys).await;
    let mut watcher = server.hello(&table.id, &[]).await;
    watcher.view().await;
    both.play("1", 0, "a1", 0).await;
    watcher.view_after(1).await;
    take_back(&mut both, "2", 0, 1).await;
    both.play("3", 0, "b2", 0).await;
    both.play("4", 1, "c3", 1).await;
    let mut plies: Vec<Value> = vec![json!("a1")];
    loop {
        let view = watcher.view().await;
        plies.truncate(view["plies_from"].as_u64().unwrap() as usize);
        plies.extend(view["plies"].as_array().unwrap().iter().map(|ply| ply["text"].clone()));
        if view["n_plies"] == 2 {
            break;
        }
    }
    assert_eq!(plies, [json!("b2"), json!("c3")]);
}

#[tokio::test]
async fn an_engine_that_thinks_about_a_ply_taken_back_is_cancelled() {
    let server = TestServer::start();
    let seats = json!([{ "kind": "me" }, { "kind": "engine", "agent": "mcts:time=5s" }]);
    let table = server.table("connect-four", seats).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    ann.view().await;
    ann.play("1", 0, "4", 0).await;
    ann.view_where(|view| view["thinking"] == json!([1])).await;
    assert_eq!(take_back(&mut ann, "2", 0, 1).await["n_plies"], 0);
    let view = ann.view_after(0).await;
    assert_eq!((&view["thinking"], &view["to_act"]), (&json!([]), &json!([0])));
}

#[tokio::test]
async fn a_hint_that_a_newer_one_replaces_is_told_so() {
    let server = TestServer::start();
    let table = server.table("connect-four", json!([{ "kind": "me" }, { "kind": "me" }])).await;
    let mut client = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    client.view().await;
    let ask = |id: &str| json!({ "type": "hint", "id": id, "seat": 0, "n_plies": 0 });
    client.send(&ask("first")).await;
    // The same message again asks for the same hint.
    client.send(&ask("first")).await;
    client.send(&ask("second")).await;
    let replaced = client.reply_to("first").await;
    assert_eq!((&replaced["type"], &replaced["code"]), (&json!("error"), &json!("hint/replaced")), "{replaced}");
    assert_eq!(client.reply_to("second").await["type"], "hint");
}

#[tokio::test]
async fn a_hint_is_a_legal_action_with_its_touches_and_value() {
    let server = TestServer::start();
    // Three in a row are open at both ends: only one action wins.
    for (game, history, best) in [("connect-four", "4 1 4 1 4 2", Some("4")), ("2048", "", None), ("poker", "", None)] {
        let n_seats = raichi_games::game(game).unwrap().facts().n_seats;
        let mut seats = vec![json!({ "kind": "me" }); n_seats];
        if game == "poker" {
            seats[1..].fill(json!({ "kind": "engine", "agent": "random" }));
        }
        let table = server.table(game, json!(seats)).await;
        let keys: Vec<&str> = table.keys.iter().map(String::as_str).collect();
        let mut client = server.hello(&table.id, &keys).await;
        for (n_plies, action) in history.split_whitespace().enumerate() {
            client.play(&n_plies.to_string(), n_plies % 2, action, n_plies).await;
        }
        let view = client.view_where(|view| view["choices"]["0"].is_object()).await;
        let n_plies = view["n_plies"].as_u64().unwrap();
        if n_plies < history.split_whitespace().count() as u64 {
            client.view_after(history.split_whitespace().count() as u64).await;
        }
        let n_plies = n_plies.max(history.split_whitespace().count() as u64);
        let told = hint(&mut client, 0, n_plies).await;
        assert_eq!((&told["type"], &told["n_plies"]), (&json!("hint"), &json!(n_plies)), "{game}: {told}");
        let path = told["path"].as_array().unwrap();
        assert!(!path.is_empty() && told["value"].is_number(), "{game}: {told}");
        if let Some(best) = best {
            assert_eq!(told["action"], best, "{told}");
        }
        let played = client.play("hinted", 0, told["action"].as_str().unwrap(), n_plies as usize).await;
        assert_eq!(played["type"], "ack", "{game}: {told}");
    }
}

#[tokio::test]
async fn there_is_help_alone_and_against_engines_and_among_people_where_they_agreed() {
    let server = TestServer::start();
    let friends = json!([{ "kind": "me" }, { "kind": "friend" }]);
    let table = server.table("tic-tac-toe", friends.clone()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!((&view["help"], &view["take_back"]), (&json!(false), &json!({})));
    assert_eq!(hint(&mut ann, 0, 0).await["code"], "table/no-help");
    ann.play("1", 0, "a1", 0).await;
    assert_eq!(take_back(&mut ann, "2", 0, 1).await["code"], "table/no-help");

    let table = table_with(&server, "tic-tac-toe", friends, true).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    ann.view().await;
    bob.view().await;
    ann.play("1", 0, "a1", 0).await;
    assert_eq!(take_back(&mut bob, "1", 0, 1).await["code"], "seat/not-yours");
    assert_eq!(take_back(&mut ann, "2", 0, 0).await["code"], "play/stale");
    assert_eq!(take_back(&mut ann, "2", 0, 1).await["n_plies"], 0);

    let alone = table_with(&server, "tic-tac-toe", against_random(), false).await;
    let mut ann = server.hello(&alone.id, &[&alone.keys[0]]).await;
    assert_eq!(ann.view().await["help"], false);
    assert_eq!(hint(&mut ann, 0, 0).await["code"], "table/no-help");
}

#[tokio::test]
async fn a_draw_offered_after_what_was_taken_back_is_offered_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let mut server = TestServer::on(&database);
    let table = table_with(&server, "connect-four", json!([{ "kind": "me" }, { "kind": "me" }]), true).await;
    let keys = [table.keys[0].as_str(), table.keys[1].as_str()];
    // In memory, and as it is read from the disk.
    for crashes in [false, true] {
        let mut both = server.hello(&table.id, &keys).await;
        let id = |what: &str| format!("{what} {crashes}");
        both.play(&id("1"), 0, "4", 0).await;
        both.play(&id("2"), 1, "4", 1).await;
        both.send(&json!({ "type": "draw", "id": id("3"), "seat": 0, "n_plies": 2 })).await;
        assert_eq!(both.view_where(|view| view["draw_offers"] == json!([0])).await["n_plies"], 2);
        assert_eq!(take_back(&mut both, &id("4"), 0, 2).await["n_plies"], 0);
        if crashes {
            server.crash();
            server = TestServer::on(&database);
            both = server.hello(&table.id, &keys).await;
        }
        both.play(&id("5"), 0, "3", 0).await;
        both.play(&id("6"), 1, "3", 1).await;
        assert_eq!(both.view_after(2).await["draw_offers"], json!([]), "crashes: {crashes}");
        // One that was made after no more plies than are left still stands.
        both.send(&json!({ "type": "draw", "id": id("7"), "seat": 0, "n_plies": 2 })).await;
        both.play(&id("8"), 0, "1", 2).await;
        assert_eq!(take_back(&mut both, &id("9"), 0, 3).await["n_plies"], 2);
        assert_eq!(both.view_after(2).await["draw_offers"], json!([0]));
        assert_eq!(take_back(&mut both, &id("10"), 0, 2).await["n_plies"], 0);
    }
}

#[tokio::test]
async fn what_was_seen_of_secrets_is_not_taken_back() {
    let server = TestServer::start();
    let friends = json!([{ "kind": "me" }, { "kind": "friend" }]);
    let table = table_with(&server, "poker:players=2", friends, true).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let view = both.view_where(|view| view["to_act"].is_array()).await;
    let seat = view["to_act"][0].as_u64().unwrap();
    let n_plies = view["n_plies"].as_u64().unwrap();
    both.play("1", seat as usize, "call", n_plies as usize).await;
    let view = both.view_after(n_plies + 1).await;
    assert_eq!((&view["help"], &view["take_back"]), (&json!(true), &json!({})));
    let code = take_back(&mut both, "2", seat as usize, n_plies + 1).await;
    assert_eq!(code["code"], "play/no-way-back", "{code}");
}
