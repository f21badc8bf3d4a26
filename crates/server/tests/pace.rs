//! Matches of engines, paused and stepped through by those who watch.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Client, TestServer};

async fn pace(client: &mut Client, id: &str, paused: bool, millis: u64) -> Value {
    client.send(&json!({ "type": "pace", "id": id, "paused": paused, "millis": millis })).await;
    client.reply_to(id).await
}

/// A match of two engines that somebody who watches paused with the id `1`.
async fn paused_match(server: &TestServer) -> (String, Client) {
    let engine = json!({ "kind": "engine", "agent": "random" });
    let table = server.table("connect-four", json!([engine, engine])).await;
    let mut watcher = server.connect(&table.id).await;
    watcher.send(&json!({ "type": "hello", "keys": [] })).await;
    assert_eq!(pace(&mut watcher, "1", true, 0).await["type"], "ack");
    (table.id, watcher)
}

#[tokio::test]
async fn a_match_of_engines_is_paused_stepped_and_goes_on() {
    let server = TestServer::start();
    let (table, mut watcher) = paused_match(&server).await;
    let view = watcher.view_where(|view| view["pace"]["paused"] == true).await;
    let n_plies = view["n_plies"].as_u64().unwrap();
    assert_eq!((&view["pace"], &view["thinking"]), (&json!({ "paused": true, "millis": 0 }), &json!([])));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut other = server.hello(&table, &[]).await;
    assert_eq!(other.view().await["n_plies"], n_plies, "nobody plays on, also when somebody comes");

    watcher.send(&json!({ "type": "step", "id": "2" })).await;
    watcher.reply_to("2").await;
    other.view_after(n_plies + 1).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(server.hello(&table, &[]).await.view().await["n_plies"], n_plies + 1, "one ply and no more");

    assert_eq!(pace(&mut other, "3", false, 0).await["type"], "ack");
    let view = other.view_where(|view| view["to_act"] == "over").await;
    assert_eq!(view["pace"], json!(null));
    assert_eq!(pace(&mut other, "4", true, 0).await["code"], "play/over");
}

#[tokio::test]
async fn what_is_sent_again_changes_nothing() {
    let server = TestServer::start();
    let (table, mut watcher) = paused_match(&server).await;
    let n_plies = watcher.view_where(|view| view["pace"]["paused"] == true).await["n_plies"].as_u64().unwrap();
    let step = json!({ "type": "step", "id": "2" });
    let ack = json!({ "type": "ack", "id": "2", "n_plies": n_plies });
    watcher.send(&step).await;
    assert_eq!(watcher.reply_to("2").await, ack);
    watcher.view_after(n_plies + 1).await;
    watcher.send(&step).await;
    assert_eq!(watcher.reply_to("2").await, ack);
    assert_eq!(pace(&mut watcher, "3", true, 500).await["type"], "ack");
    assert_eq!(pace(&mut watcher, "1", true, 0).await["n_plies"], n_plies);
    tokio::time::sleep(Duration::from_millis(700)).await;
    let view = server.hello(&table, &[]).await.view().await;
    assert_eq!((&view["n_plies"], &view["pace"]["millis"]), (&json!(n_plies + 1), &json!(500)));
    // The same id for something else is no repetition.
    assert_eq!(pace(&mut watcher, "1", false, 0).await["code"], "message/reused-id");
    assert_eq!(pace(&mut watcher, "2", true, 0).await["code"], "message/reused-id");
}

#[tokio::test]
async fn a_slower_pace_holds_at_once_and_not_where_people_play() {
    let server = TestServer::start();
    let engine = json!({ "kind": "engine", "agent": "random" });
    let table = server.table("tic-tac-toe", json!([engine, engine])).await;
    let mut watcher = server.hello(&table.id, &[]).await;
    pace(&mut watcher, "1", true, 0).await;
    let view = watcher.view_where(|view| view["pace"]["paused"] == true).await;
    if view["to_act"] != "over" {
        pace(&mut watcher, "2", false, 600).await;
        let began = std::time::Instant::now();
        watcher.view_after(view["n_plies"].as_u64().unwrap() + 1).await;
        assert!(began.elapsed() > Duration::from_millis(550), "{:?}", began.elapsed());
    }

    let table = server.table("tic-tac-toe", json!([{ "kind": "me" }, engine])).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    assert_eq!(ann.view().await["pace"], json!(null));
    assert_eq!(pace(&mut ann, "1", true, 0).await["code"], "table/no-pace");
}
