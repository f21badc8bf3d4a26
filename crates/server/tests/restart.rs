//! What was acknowledged survives a crash of the server.

use serde_json::json;

use crate::common::{self, TestServer, me_and_friend};

#[tokio::test]
async fn a_game_goes_on_after_a_crash_and_resending_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let keys = [table.keys[0].as_str(), table.keys[1].as_str()];
    let mut both = server.hello(&table.id, &keys).await;
    let view = both.view().await;
    assert_eq!((&view["you"], &view["choices"].as_object().unwrap().len()), (&json!([0, 1]), &1));
    for (n_plies, action) in ["b2", "a1", "c3"].into_iter().enumerate() {
        assert_eq!(both.play(&format!("{n_plies}"), n_plies % 2, action, n_plies).await["n_plies"], n_plies + 1);
    }
    // Sent again: acknowledged as it was, and nothing happens.
    assert_eq!(both.play("1", 1, "a1", 1).await["n_plies"], 2);
    // The same id for something else is no repetition.
    assert_eq!(both.play("1", 1, "a1", 3).await["code"], "message/reused-id");
    server.crash();

    let server = TestServer::on(&database);
    let mut both = server.hello(&table.id, &keys).await;
    assert_eq!(both.play("2", 0, "c3", 2).await["n_plies"], 3);
    assert_eq!(both.play("2", 0, "c2", 4).await["code"], "message/reused-id");
    assert_eq!(both.play("0", 0, "c3", 2).await["code"], "message/reused-id");
    // Ids are each seat's own: this is another message.
    assert_eq!(both.play("2", 1, "a2", 3).await["n_plies"], 4);
    let view = both.view_after(4).await;
    assert_eq!(view["seed_hash"], table.seed_hash.as_str());
    let plies =
        json!([{"by": 0, "text": "b2"}, {"by": 1, "text": "a1"}, {"by": 0, "text": "c3"}, {"by": 1, "text": "a2"}]);
    let mut watcher = server.hello(&table.id, &[]).await;
    let view = watcher.view().await;
    assert_eq!((&view["plies"], &view["seats"][0]["occupant"]), (&plies, &json!("Ann")));
}

#[tokio::test]
async fn a_resignation_is_known_again_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    // An engine plays on, so that more plies come.
    let table = server.table("nim3p", json!(vec![json!({ "kind": "me" }); 3])).await;
    let keys: Vec<&str> = table.keys.iter().map(String::as_str).collect();
    let resign = |id: &str| json!({ "type": "resign", "id": id, "seat": 0 });
    let ack = |id: &str| json!({ "type": "ack", "id": id, "n_plies": 0 });
    let mut all = server.hello(&table.id, &keys).await;
    all.send(&resign("r")).await;
    assert_eq!(all.reply_to("r").await, ack("r"));
    all.view_after(1).await;
    server.crash();

    let server = TestServer::on(&database);
    let mut all = server.hello(&table.id, &keys).await;
    // By another id, too, it happened then.
    for id in ["r", "s"] {
        all.send(&resign(id)).await;
        assert_eq!(all.reply_to(id).await, ack(id));
    }
    let other = json!({ "type": "draw", "id": "r", "seat": 0, "n_plies": 1 });
    all.is_refused(&other, "message/reused-id").await;
}

/// Plays a game of one seat with the first legal action each time; returns all plies.
async fn play_first_actions(server: &TestServer, table: &common::TestTable, until: u64) -> serde_json::Value {
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    loop {
        let view = client.view().await;
        let n_plies = view["n_plies"].as_u64().unwrap();
        if n_plies >= until {
            return server.hello(&table.id, &[]).await.view().await["plies"].clone();
        }
        let action = common::first_action(&view["choices"]["0"]);
        assert_eq!(
            client.play(&n_plies.to_string(), 0, action.as_str().unwrap(), n_plies as usize).await["type"],
            "ack"
        );
    }
}

#[tokio::test]
async fn chance_goes_on_as_it_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let (original, copy) = (folder.path().join("original.sqlite"), folder.path().join("copy.sqlite"));
    let server = TestServer::on(&original);
    let table = server.table("2048", json!([{ "kind": "me" }])).await;
    play_first_actions(&server, &table, 10).await;
    server.crash();
    // The same table twice, in two servers that know nothing of each other.
    std::fs::copy(&original, &copy).unwrap();
    let log = |path: &std::path::Path| path.with_extension("sqlite-wal");
    std::fs::copy(log(&original), log(&copy)).unwrap();
    let (one, other) = (TestServer::on(&original), TestServer::on(&copy));
    let plies = play_first_actions(&one, &table, 40).await;
    assert_eq!(plies, play_first_actions(&other, &table, 40).await);
    assert!(plies.as_array().unwrap().iter().filter(|ply| ply["by"] == "chance").count() >= 15, "{plies}");
}

#[tokio::test]
async fn an_engine_resumes_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let slow = |pause| raichi_server::Config {
        database: database.clone(),
        engine_pause: std::time::Duration::from_secs(pause),
        ..common::config()
    };
    let server = TestServer::with(slow(3600));
    let table = server.table("tic-tac-toe", json!([{ "kind": "me" }, { "kind": "engine", "agent": "random" }])).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    assert_eq!(client.play("1", 0, "b2", 0).await["type"], "ack");
    let view = client.view_after(1).await;
    assert_eq!((&view["to_act"], &view["thinking"]), (&json!([1]), &json!([1])));
    server.crash();
    let server = TestServer::with(slow(0));
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = client.view_after(2).await;
    assert_eq!(view["plies"].as_array().unwrap().last().unwrap()["by"], 1);
}

#[tokio::test]
async fn an_idle_table_is_closed_and_opened_again() {
    let server = TestServer::with(common::with_limits(|limits| limits.idle_table = std::time::Duration::ZERO));
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    for n_plies in 0..4 {
        let seat = n_plies % 2;
        let mut client = server.hello(&table.id, &[&table.keys[seat]]).await;
        assert_eq!(client.view().await["n_plies"], n_plies);
        let action = ["a1", "b1", "a2", "b2"][n_plies];
        assert_eq!(client.play(&n_plies.to_string(), seat, action, n_plies).await["type"], "ack");
    }
}

#[tokio::test]
async fn a_server_stops_when_told_and_closes_its_connections() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let config = raichi_server::Config { database: database.clone(), ..common::config() };
    let server = raichi_server::bind(config).await.unwrap();
    let address = server.address();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run_until(async { drop(stopped.await) }));
    let client = TestServer::at(address);
    let table = client.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = client.hello(&table.id, &[&table.keys[0]]).await;
    ann.view().await;
    assert_eq!(ann.play("1", 0, "a1", 0).await["type"], "ack");
    ann.view_after(1).await;
    stop.send(()).unwrap();
    assert_eq!(ann.next().await, None);
    running.await.unwrap().unwrap();
    // The log has been folded into the file.
    assert!(!database.with_extension("sqlite-wal").exists());
    let server = TestServer::on(&database);
    assert_eq!(server.hello(&table.id, &[]).await.view().await["n_plies"], 1);
}
