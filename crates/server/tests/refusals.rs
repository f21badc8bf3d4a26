//! Bad input of every kind: a stable code and a sentence, and nothing is lost.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::common::{self, TestServer, me_and_friend, with_limits};

fn play(seat: usize, action: &str, n_plies: usize) -> Value {
    json!({ "type": "play", "id": "p", "seat": seat, "action": action, "n_plies": n_plies })
}

#[tokio::test]
async fn illegal_plies_are_refused_and_the_game_goes_on() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let mut watcher = server.hello(&table.id, &[]).await;

    bob.is_refused(&play(1, "a1", 0), "play/not-to-act").await;
    bob.is_refused(&play(0, "a1", 0), "seat/not-yours").await;
    watcher.is_refused(&play(0, "a1", 0), "seat/not-yours").await;
    ann.is_refused(&play(7, "a1", 0), "seat/not-yours").await;
    ann.is_refused(&play(0, "d4", 0), "play/not-understood").await;
    ann.is_refused(&play(0, "", 0), "play/not-understood").await;
    ann.is_refused(&play(0, "~a1", 0), "play/not-understood").await;
    ann.is_refused(&play(0, "a1", 1), "play/stale").await;
    assert_eq!(ann.play("1", 0, "a1", 0).await["type"], "ack");
    bob.is_refused(&play(1, "b1", 0), "play/stale").await;
    bob.is_refused(&play(1, "a1", 1), "play/illegal").await;
    assert_eq!(bob.play("1", 1, "b1", 1).await["type"], "ack");
    ann.is_refused(&json!({ "type": "rematch", "id": "r" }), "table/running").await;
    ann.is_refused(&json!({ "type": "look", "id": "l", "n_plies": 3 }), "message/malformed").await;
    watcher.is_refused(&json!({ "type": "resign", "id": "r", "seat": 0 }), "seat/not-yours").await;
    let view = server.hello(&table.id, &[]).await.view().await;
    assert_eq!((&view["n_plies"], &view["to_act"]), (&json!(2), &json!([0])));
}

#[tokio::test]
async fn choices_are_narrowed_only_for_those_who_have_them() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let narrow = |seat: usize, n_plies: usize, touched: &[&str]| json!({ "type": "narrow", "id": "n", "seat": seat, "n_plies": n_plies, "touched": touched });
    ann.is_refused(&narrow(0, 0, &["d4"]), "play/no-path").await;
    ann.is_refused(&narrow(0, 0, &["a1", "a1"]), "play/no-path").await;
    ann.is_refused(&narrow(0, 0, &["a1"]), "play/no-path").await;
    ann.is_refused(&narrow(0, 1, &[]), "play/stale").await;
    ann.is_refused(&narrow(1, 0, &[]), "seat/not-yours").await;
    ann.is_refused(&narrow(99, 0, &[]), "seat/not-yours").await;
    bob.is_refused(&narrow(1, 0, &[]), "play/not-to-act").await;
    server.hello(&table.id, &[]).await.is_refused(&narrow(0, 0, &[]), "seat/not-yours").await;
    ann.is_refused(&json!({ "type": "narrow", "id": "n", "seat": 0, "n_plies": 0 }), "message/malformed").await;
    ann.is_refused(
        &json!({ "type": "narrow", "id": "n", "seat": 0, "n_plies": 0, "touched": "a1" }),
        "message/malformed",
    )
    .await;
    ann.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    assert_eq!(ann.reply_to("r").await["type"], "ack");
    ann.is_refused(&narrow(0, 0, &[]), "play/over").await;
}

#[tokio::test]
async fn malformed_messages_are_refused_and_the_connection_stays() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut client = server.connect(&table.id).await;
    client.is_refused(&play(0, "a1", 0), "message/malformed").await;
    client.send(&json!({ "type": "hello", "keys": [&table.keys[0]] })).await;
    client.view().await;
    for message in [
        json!({}),
        json!([]),
        json!("play"),
        json!({ "type": "cheat", "id": "c" }),
        json!({ "type": "play", "id": "p" }),
        json!({ "type": "play", "id": "p", "seat": -1, "action": "a1", "n_plies": 0 }),
        json!({ "type": "play", "id": "p", "seat": 0, "action": 4, "n_plies": 0 }),
        json!({ "type": "play", "id": "", "seat": 0, "action": "a1", "n_plies": 0 }),
        json!({ "type": "hello", "keys": "none" }),
        json!({ "type": "hello", "keys": vec!["key"; 33] }),
    ] {
        client.is_refused(&message, "message/malformed").await;
    }
    let long_id = json!({ "type": "rematch", "id": "x".repeat(65) });
    client.send(&long_id).await;
    assert_eq!(client.next().await.unwrap()["code"], "message/malformed");
    let deep = format!(r#"{{"type":"rematch","id":"r","x":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    for text in [
        "",
        "{",
        "null",
        "\u{0}",
        &"[".repeat(5000),
        "{\"type\":\"play\",\"id\":\"é",
        r#"{"type":"play","id":"p","seat":0,"action":"\ud800","n_plies":0}"#,
    ] {
        client.send_text(text).await;
        let error = client.next().await.unwrap();
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("message/malformed")), "{text}");
    }
    for text in [
        r#"{"type":"play","id":"p","id":"q","seat":0,"action":"a1","n_plies":0}"#,
        r#"{"type":"play","id":"p","seat":1e400,"action":"a1","n_plies":0}"#,
        r#"{"type":"play","id":"p","seat":18446744073709551616,"action":"a1","n_plies":0}"#,
        r#"{"type":"play","id":"p","seat":0,"action":"a1","n_plies":NaN}"#,
        r#"{"type":"play","id":"p","seat":0,"action":"a1","n_plies":0} {}"#,
        &deep,
    ] {
        client.send_text(text).await;
        assert_eq!(client.next().await.unwrap()["code"], "message/malformed", "{text}");
    }
    client.is_refused(&play(usize::MAX, "a1", 0), "seat/not-yours").await;
    client.is_refused(&play(0, "a1", usize::MAX), "play/stale").await;
    client.is_refused(&play(0, "\u{1b}[31m\u{0}", 0), "play/not-understood").await;
    client.is_refused(&play(0, &"é".repeat(5000), 0), "play/not-understood").await;
    client.is_refused(&json!({ "type": "look", "id": "l", "n_plies": usize::MAX }), "message/malformed").await;
    client.send_raw(Message::binary(vec![0; 10])).await;
    assert_eq!(client.next().await.unwrap()["code"], "message/malformed");
    client.is_refused(&json!({ "type": "hello", "pad": "x".repeat(17_000) }), "message/too-large").await;
    assert_eq!(client.play("1", 0, "a1", 0).await["type"], "ack");
    // Far too large a message is not read to its end.
    client.send_text(&"x".repeat(200_000)).await;
    client.is_disconnected("message/too-large").await;
}

#[tokio::test]
async fn tables_and_keys_that_do_not_exist_close_the_connection() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    for unknown in ["0123456789abcdefghjk", "nothing", "..%2f..", "%00"] {
        server.hello(unknown, &[]).await.is_disconnected("table/unknown").await;
        let path = format!("/api/tables/{unknown}/record");
        server.get(&path).await.is_refused(404, "table/unknown");
    }
    server.hello(&table.id, &["no-such-key"]).await.is_disconnected("seat/key").await;
    let error = server.hello(&table.id, &[&table.keys[0], "no-such-key"]).await.is_disconnected("seat/key").await;
    assert_eq!(error["param"], "keys[1]", "it says which, so that a page can forget it");
    // A key of another table.
    let other = server.table("tic-tac-toe", me_and_friend()).await;
    server.hello(&table.id, &[&other.keys[0]]).await.is_disconnected("seat/key").await;
}

#[tokio::test]
async fn pages_of_foreign_origins_are_refused() {
    let config = raichi_server::Config { allowed_origins: vec!["https://games.example".into()], ..common::config() };
    let server = TestServer::with(config);
    let own = format!("http://{}", server.address);
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let body = json!({ "game": "tic-tac-toe", "seats": me_and_friend() }).to_string();
    for (origin, welcome) in [
        (own.as_str(), true),
        ("https://games.example", true),
        ("https://evil.example", false),
        ("http://games.example", false),
        ("null", false),
    ] {
        let response = server.request("POST", "/api/tables", &[("origin", origin)], &body).await;
        let connected = server.connect_from(&table.id, origin).await.map(drop);
        let asked = [("origin", origin), ("access-control-request-method", "POST")];
        let permission = server.request("OPTIONS", "/api/tables", &asked, "").await;
        let permitted = permission.header("access-control-allow-origin") == Some(origin);
        assert_eq!(permitted, origin == "https://games.example", "{permission:?}");
        if welcome {
            assert_eq!((response.status, connected), (201, Ok(())), "{origin}");
        } else {
            response.is_refused(403, "origin/wrong");
            assert_eq!(connected, Err(403), "{origin}");
        }
    }
    // A foreign name that points to this machine.
    let rebound = [("host", "evil.example"), ("origin", "http://evil.example")];
    server.request("POST", "/api/tables", &rebound, &body).await.is_refused(403, "origin/wrong");
}

#[tokio::test]
async fn requests_for_tables_are_checked() {
    let server = TestServer::start();
    let me = json!({ "kind": "me" });
    let engine = |agent: &str| json!({ "kind": "engine", "agent": agent });
    for (body, status, code) in [
        (json!({ "game": "chess", "seats": [me, me] }), 422, "spec/unknown-game"),
        (json!({ "game": "tic-tac-toe:size=4", "seats": [me, me] }), 422, "spec/unknown-key"),
        (json!({ "game": "x".repeat(2_000), "seats": [me, me] }), 422, "spec/too-long"),
        (json!({ "game": "tic-tac-toe", "seats": [me] }), 422, "table/seats"),
        (json!({ "game": "tic-tac-toe", "seats": [me, me, me] }), 422, "table/seats"),
        (json!({ "game": "tic-tac-toe", "seats": [me, engine("stockfish")] }), 422, "agent/unknown"),
        (json!({ "game": "tic-tac-toe", "seats": [me, engine("mcts:time=86400s")] }), 422, "agent/not-offered"),
        (json!({ "game": "tic-tac-toe", "seats": [me, engine("mcts:time=1y")] }), 422, "agent/option"),
        (json!({ "game": "tic-tac-toe", "seats": [me, { "kind": "ghost" }] }), 400, "message/malformed"),
        (json!({ "game": "tic-tac-toe" }), 400, "message/malformed"),
        (json!({ "game": "tic-tac-toe", "seats": [me, me], "pad": "x".repeat(20_000) }), 413, "message/too-large"),
    ] {
        server.post("/api/tables", &body).await.is_refused(status, code);
    }
    for body in ["", "{", "\u{feff}{}", &"[".repeat(10_000)] {
        server.request("POST", "/api/tables", &[], body).await.is_refused(400, "message/malformed");
    }
    server.get("/api/describe?spec=chess").await.is_refused(422, "spec/unknown-game");
    server.get("/api/describe").await.is_refused(400, "message/malformed");
    server.get("/api/agents?spec=chess").await.is_refused(422, "spec/unknown-game");
    server.get("/api/nothing").await.is_refused(404, "path/unknown");
    server.get("/api/tables").await.is_refused(405, "path/method");
    server.request("DELETE", "/", &[], "").await.is_refused(405, "path/method");
    server.get("/ws/0123456789abcdefghjk").await.is_refused(400, "message/malformed");
}

#[tokio::test]
async fn floods_are_refused_and_then_disconnected() {
    let server = TestServer::with(with_limits(|limits| {
        limits.message_burst = 5;
        limits.messages_per_second = 1;
    }));
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    client.view().await;
    for i in 0..300 {
        client.send(&json!({ "type": "look", "id": i.to_string(), "n_plies": 0 })).await;
    }
    let (mut looks, mut refused) = (0, 0);
    while let Some(message) = client.next().await {
        match message["type"].as_str() {
            Some("look") => looks += 1,
            Some("error") => {
                assert_eq!(message["code"], "message/too-many");
                refused += 1;
            }
            _ => panic!("{message}"),
        }
    }
    // Hello was one of the five; a slow machine may have earned one or two more meanwhile.
    assert!((4..10).contains(&looks), "{looks} looks got a reply");
    assert_eq!(refused, 101);
    // Other clients are not affected.
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    bob.view().await;
}

#[tokio::test]
async fn an_id_that_is_used_again_for_something_else_is_refused() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    // What was refused has not taken its id.
    assert_eq!(ann.play("1", 0, "d4", 0).await["code"], "play/not-understood");
    for _ in 0..2 {
        assert_eq!(ann.play("1", 0, "a1", 0).await, json!({ "type": "ack", "id": "1", "n_plies": 1 }));
    }
    let resign = |id: &str, seat: usize| json!({ "type": "resign", "id": id, "seat": seat });
    let rematch = |id: &str| json!({ "type": "rematch", "id": id });
    ann.is_refused(&resign("1", 0), "message/reused-id").await;
    // The other seat has ids of its own.
    assert_eq!(bob.play("1", 1, "b2", 1).await["n_plies"], 2);
    assert_eq!(ann.play("1", 0, "c3", 2).await["code"], "message/reused-id");
    for _ in 0..2 {
        ann.send(&resign("2", 0)).await;
        assert_eq!(ann.reply_to("2").await["n_plies"], 2);
    }
    for id in ["1", "2"] {
        ann.is_refused(&rematch(id), "message/reused-id").await;
    }
    for _ in 0..2 {
        ann.send(&rematch("3")).await;
        assert_eq!(ann.reply_to("3").await["type"], "ack");
    }
    let view = server.hello(&table.id, &[]).await.view().await;
    assert_eq!((&view["n_plies"], &view["result"]["end"]), (&json!(2), &json!("resigned")));
}

#[tokio::test]
async fn silent_clients_are_disconnected() {
    let server = TestServer::with(with_limits(|limits| {
        limits.hello = std::time::Duration::from_millis(100);
        limits.silence = std::time::Duration::from_millis(600);
    }));
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    server.connect(&table.id).await.is_disconnected("message/malformed").await;
    let mut quiet = server.hello(&table.id, &[]).await;
    quiet.view().await;
    let mut awake = server.hello(&table.id, &[&table.keys[0]]).await;
    // Reading replies to the pings; `quiet` does not read.
    let reading = awake.view_where(|view| view["n_plies"] == 1);
    assert!(tokio::time::timeout(std::time::Duration::from_secs(2), reading).await.is_err());
    assert_eq!(awake.play("1", 0, "a1", 0).await["type"], "ack");
    while let Some(message) = quiet.next().await {
        assert_eq!((&message["type"], &message["n_plies"]), (&json!("view"), &json!(0)), "{message}");
    }
}
