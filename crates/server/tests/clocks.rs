//! Clocks and draws by agreement, over real sockets.

use std::time::Duration;

use raichi_core::record::Record;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::common::{Client, TestServer, TestTable};

async fn table(server: &TestServer, game: &str, seats: Value, clock: Value) -> TestTable {
    let body = json!({ "game": game, "seats": seats, "clock": clock }).to_string();
    TestTable::read(&server.request("POST", "/api/tables", &[], &body).await)
}

fn friends() -> Value {
    json!([{ "kind": "me", "name": "Ann" }, { "kind": "friend", "name": "Bob" }])
}

fn left(view: &Value, seat: usize) -> i64 {
    view["clock"]["left"][seat].as_i64().unwrap_or_else(|| panic!("no time in {}", view["clock"]))
}

async fn draw(client: &mut Client, id: &str, seat: usize, n_plies: usize) -> Value {
    client.send(&json!({ "type": "draw", "id": id, "seat": seat, "n_plies": n_plies })).await;
    client.reply_to(id).await
}

#[tokio::test]
async fn clocks_run_once_all_have_come_and_a_crash_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let fischer = json!({ "kind": "fischer", "initial": 60_000, "increment": 5_000 });
    let table = table(&server, "tic-tac-toe", friends(), fischer.clone()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!(view["clock"], json!({ "control": fischer, "left": [60_000, 60_000], "running": [], "started": false }));
    assert_eq!(view["take_back"], json!({}));
    sleep(Duration::from_millis(60)).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let view = bob.view_where(|view| view["clock"]["started"] == true).await;
    assert_eq!((&view["clock"]["running"], left(&view, 1)), (&json!([0]), 60_000));
    assert!(left(&view, 0) > 59_000);

    sleep(Duration::from_millis(1_200)).await;
    ann.play("1", 0, "b2", 0).await;
    let view = bob.view_after(1).await;
    assert_eq!(view["clock"]["running"], json!([1]));
    let after = left(&view, 0);
    assert!((60_000..63_900).contains(&after), "60 s less at least 1.2, and 5 more: {after}");
    server.crash();

    sleep(Duration::from_millis(500)).await;
    let server = TestServer::on(&database);
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let view = bob.view().await;
    assert_eq!((&view["clock"]["running"], &view["clock"]["started"]), (&json!([1]), &json!(true)));
    assert_eq!(left(&view, 0), after);
    // A person's time runs while the server is down.
    assert!(left(&view, 1) <= 59_500, "{view}");
}

#[tokio::test]
async fn whoever_runs_out_of_time_loses_also_while_nobody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let bronstein = json!({ "kind": "bronstein", "initial": 1_000, "delay": 0 });
    let watched = table(&server, "tic-tac-toe", friends(), bronstein.clone()).await;
    let mut both = server.hello(&watched.id, &[&watched.keys[0], &watched.keys[1]]).await;
    let view = both.view_where(|view| view["to_act"] == "over").await;
    assert_eq!(view["result"]["end"], "time");
    assert_eq!(view["result"]["sentence"], "Bob wins: Ann ran out of time.");
    assert_eq!(view["result"]["payoffs"], json!([-1.0, 1.0]));
    assert_eq!(left(&view, 1), 1_000);
    assert_eq!(both.play("late", 0, "a1", 0).await["code"], "play/over");
    let record = server.get(&format!("/api/tables/{}/record", watched.id)).await.text();
    let record = Record::from_line(&record, 1).unwrap();
    assert_eq!(
        (record.result.unwrap().end.as_str(), record.seats[0].as_str()),
        ("time", "Ann (out of time after 0 plies)")
    );

    let alone = table(&server, "tic-tac-toe", friends(), bronstein).await;
    drop(server.hello(&alone.id, &[&alone.keys[0], &alone.keys[1]]).await.view().await);
    server.crash();
    sleep(Duration::from_millis(1_100)).await;
    let server = TestServer::on(&database);
    let view = server.hello(&alone.id, &[]).await.view_where(|view| view["to_act"] == "over").await;
    assert_eq!(view["result"]["end"], "time");
    for id in [watched.id, alone.id] {
        assert_eq!(server.hello(&id, &[]).await.view().await["result"]["end"], "time");
    }
}

#[tokio::test]
async fn where_three_play_an_engine_takes_over_from_whom_time_has_left() {
    let server = TestServer::start();
    let seats = json!([{ "kind": "me" }, { "kind": "me" }, { "kind": "engine", "agent": "random" }]);
    let table = table(&server, "nim3p", seats, json!({ "kind": "ply", "time": 1_000 })).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let view = both.view_where(|view| view["seats"][0]["kind"] == "engine").await;
    assert_eq!((&view["result"], &view["clock"]["left"][0]), (&json!(null), &json!(null)));
    let view = both.view_where(|view| view["n_plies"].as_u64() >= Some(1)).await;
    assert_eq!(view["you"], json!([1]));
}

#[tokio::test]
async fn engines_play_within_their_clocks() {
    let server = TestServer::start();
    let slow = json!({ "kind": "engine", "agent": "mcts:time=5s" });
    let table = table(
        &server,
        "tic-tac-toe",
        json!([slow, slow]),
        json!({ "kind": "fischer", "initial": 2_000, "increment": 0 }),
    )
    .await;
    let mut watcher = server.hello(&table.id, &[]).await;
    let began = std::time::Instant::now();
    let view = watcher.view_where(|view| view["to_act"] == "over").await;
    assert_ne!(view["result"]["end"], "time");
    assert!(began.elapsed() < Duration::from_secs(15));
    for seat in [0, 1] {
        assert!((1..2_000).contains(&left(&view, seat)), "{view}");
    }
}

#[tokio::test]
async fn wrong_times_are_refused() {
    let server = TestServer::start();
    for clock in [
        json!({ "kind": "fischer", "initial": 10, "increment": 0 }),
        json!({ "kind": "bronstein", "initial": 60_000, "delay": -1 }),
        json!({ "kind": "days", "days": 0 }),
    ] {
        let body = json!({ "game": "tic-tac-toe", "seats": friends(), "clock": clock }).to_string();
        server.request("POST", "/api/tables", &[], &body).await.is_refused(422, "clock/bad-time");
    }
    let body = json!({ "game": "tic-tac-toe", "seats": friends(), "clock": { "kind": "sundial" } }).to_string();
    server.request("POST", "/api/tables", &[], &body).await.is_refused(400, "message/malformed");
}

#[tokio::test]
async fn a_draw_is_agreed_on_and_an_offer_survives_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let table = server.table("tic-tac-toe", friends()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let view = ann.view().await;
    assert_eq!((&view["draws"], &view["draw_offers"]), (&json!(true), &json!([])));
    assert_eq!(draw(&mut ann, "1", 0, 0).await["type"], "ack");
    ann.play("2", 0, "b2", 0).await;
    // The offer stands, and Bob declines it by playing.
    assert_eq!(bob.view_after(1).await["draw_offers"], json!([0]));
    bob.play("1", 1, "a1", 1).await;
    assert_eq!(ann.view_after(2).await["draw_offers"], json!([]));
    assert_eq!(draw(&mut bob, "2", 1, 1).await["code"], "play/stale");
    assert_eq!(draw(&mut bob, "3", 1, 2).await["type"], "ack");
    server.crash();

    let server = TestServer::on(&database);
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!(view["draw_offers"], json!([1]));
    assert_eq!(draw(&mut ann, "4", 0, 2).await["type"], "ack");
    let view = ann.view_where(|view| view["to_act"] == "over").await;
    assert_eq!((&view["result"]["end"], &view["result"]["payoffs"]), (&json!("agreed"), &json!([0.0, 0.0])));
    assert_eq!(view["result"]["sentence"], "A draw: all agreed on it.");
    // What Ann had sent before, and Bob had declined, is acknowledged again and offers nothing.
    assert_eq!(draw(&mut ann, "1", 0, 0).await, json!({ "type": "ack", "id": "1", "n_plies": 0 }));
    assert_eq!(draw(&mut ann, "1", 0, 2).await["code"], "message/reused-id");
    assert_eq!(draw(&mut ann, "5", 0, 2).await["code"], "play/over");
    let record = server.get(&format!("/api/tables/{}/record", table.id)).await.text();
    assert_eq!(Record::from_line(&record, 1).unwrap().result.unwrap().end, "agreed");
    server.crash();
    let server = TestServer::on(&database);
    assert_eq!(server.hello(&table.id, &[]).await.view().await["result"]["end"], "agreed");
    // The one that ended the game too.
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    assert_eq!(draw(&mut ann, "4", 0, 2).await, json!({ "type": "ack", "id": "4", "n_plies": 2 }));
}

#[tokio::test]
async fn there_is_no_draw_with_engines_or_where_the_game_has_none() {
    let server = TestServer::start();
    let engine = json!([{ "kind": "me" }, { "kind": "engine", "agent": "random" }]);
    for (game, seats) in [("hex", friends()), ("tic-tac-toe", engine), ("2048", json!([{ "kind": "me" }]))] {
        let table = server.table(game, seats).await;
        let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
        let view = ann.view().await;
        assert_eq!(view["draws"], false, "{game}");
        assert_eq!(draw(&mut ann, "1", 0, view["n_plies"].as_u64().unwrap() as usize).await["code"], "draw/none");
    }
}
