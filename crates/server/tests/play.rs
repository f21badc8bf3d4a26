//! Playing over real sockets: from the first ply to the record.

use serde_json::json;

use crate::common::{TestServer, me_and_friend};

#[tokio::test]
async fn two_people_play_tic_tac_toe_to_the_end() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!(view["table"], table.id.as_str());
    assert_eq!((&view["game"], &view["name"]), (&json!("tic-tac-toe"), &json!("Tic Tac Toe")));
    assert_eq!((&view["you"], &view["to_act"], &view["n_plies"]), (&json!([0]), &json!([0]), &json!(0)));
    assert_eq!(view["choices"]["0"]["steps"][0]["n_actions"], 9);
    assert_eq!(view["choices"]["0"]["steps"][0]["next"][0], json!({ "id": "a1", "action": "a1" }));
    assert_eq!(
        view["seats"][0],
        json!({"name": "X", "tone": {"seat": 0}, "occupant": "Ann", "kind": "human", "connected": true})
    );
    assert_eq!(view["seats"][1]["occupant"], json!(null));
    assert_eq!(view["seed_hash"], table.seed_hash.as_str());
    assert_eq!((&view["seed"], &view["result"]), (&json!(null), &json!(null)));

    let mut bob = server.connect(&table.id).await;
    bob.send(&json!({ "type": "hello", "keys": [&table.keys[1]], "name": " Bob " })).await;
    let view = bob.view().await;
    assert_eq!((&view["you"], &view["choices"]), (&json!([1]), &json!({})));
    assert_eq!(view["seats"][1]["occupant"], "Bob");
    ann.view_where(|view| view["seats"][1]["connected"] == true).await;

    server.get(&format!("/api/tables/{}/record", table.id)).await.is_refused(409, "table/running");
    for (n_plies, action) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        let client = if n_plies % 2 == 0 { &mut ann } else { &mut bob };
        let ack = client.play(&format!("ply {n_plies}"), n_plies % 2, action, n_plies).await;
        assert_eq!(ack, json!({ "type": "ack", "id": format!("ply {n_plies}"), "n_plies": n_plies + 1 }));
        for client in [&mut ann, &mut bob] {
            let view = client.view_after(n_plies as u64 + 1).await;
            assert_eq!(view["plies_from"], n_plies);
            assert_eq!(view["plies"], json!([{ "by": n_plies % 2, "text": action }]));
            assert_eq!(view["last"], json!([action]));
        }
    }

    let mut watcher = server.hello(&table.id, &[]).await;
    let view = watcher.view().await;
    assert_eq!(view["to_act"], "over");
    assert_eq!(view["result"]["payoffs"], json!([1.0, -1.0]));
    assert_eq!(view["result"]["end"], "line");
    assert_eq!(view["result"]["sentence"], "Ann wins: three in a row.");
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    assert_eq!(bob.view().await["result"]["sentence"], "Ann wins: three in a row.");
    let mut winner = server.hello(&table.id, &[&table.keys[0]]).await;
    assert_eq!(winner.view().await["result"]["sentence"], "You win: three in a row.");
    assert_eq!((&view["plies_from"], view["plies"].as_array().unwrap().len()), (&json!(0), 5));
    assert_eq!(view["you"], json!([]));
    let seed = raichi_server::Seed::from_hex(view["seed"].as_str().unwrap()).unwrap();
    assert_eq!(seed.hash(), table.seed_hash);
    assert_eq!(ann.play("late", 0, "c3", 5).await["code"], "play/over");

    let record = server.get(&format!("/api/tables/{}/record", table.id)).await;
    let record = raichi_core::record::Record::from_line(&record.text(), 1).unwrap();
    assert_eq!(record.history(), "a1 b1 a2 b2 a3");
    assert_eq!((record.game.as_str(), record.seats), ("tic-tac-toe", vec!["Ann".into(), "Bob".into()]));
    assert_eq!(record.seed.as_deref(), view["seed"].as_str());
    assert_eq!(record.result.unwrap().end, "line");
    assert!(record.plies.iter().all(|ply| ply.millis.is_some()));
}

#[tokio::test]
async fn a_choice_can_be_narrowed_touch_by_touch() {
    let server = TestServer::start();
    let table = server.table("tablut", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let all = ann.view().await["choices"]["0"]["steps"][0].clone();
    let narrow = |touched: &[&str]| json!({ "type": "narrow", "id": "n", "seat": 0, "n_plies": 0, "touched": touched });
    ann.send(&narrow(&[])).await;
    assert_eq!(ann.reply_to("n").await["choices"]["steps"][0], all);
    ann.send(&narrow(&["d1"])).await;
    let narrowed = ann.reply_to("n").await;
    assert_eq!(narrowed["type"], "narrowed");
    let step = &narrowed["choices"]["steps"][0];
    assert!(step["n_actions"].as_u64().unwrap() < all["n_actions"].as_u64().unwrap());
    assert!(step["next"].as_array().unwrap().contains(&json!({ "id": "d3", "action": "d1-d3" })), "{narrowed}");
    assert_eq!((&step["removable"], step.get("caption")), (&json!(["d1"]), None));
    assert_eq!(ann.play("1", 0, "d1-d3", 0).await["type"], "ack");
}

#[tokio::test]
async fn a_choice_that_is_partly_made_has_a_caption_where_the_game_has_something_to_say() {
    let server = TestServer::start();
    let table = server.table("kaalu", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let choices = ann.view().await["choices"]["0"].clone();
    assert_eq!(choices["steps"][0].get("caption"), None);
    let step = choices["steps"][0]["next"][0]["step"].as_u64().unwrap() as usize;
    let caption = choices["steps"][step]["caption"].as_str();
    assert!(caption.is_some_and(|caption| caption.contains("which pile")), "{choices}");
}

#[tokio::test]
async fn whoever_touches_what_is_not_allowed_is_told_the_rule() {
    let server = TestServer::start();
    let table = server.table("othello", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    ann.view().await;
    let why = |seat: usize, n_plies: usize, touched: &[&str]| json!({ "type": "why", "id": "w", "seat": seat, "n_plies": n_plies, "touched": touched });
    for (touched, says) in [
        (&["a1"][..], json!("a disc on a1 encloses no enemy disc")),
        (&["d4"], json!("there is a disc on d4 already")),
        (&["d3"], json!(null)),
        (&["nowhere"], json!(null)),
    ] {
        ann.send(&why(0, 0, touched)).await;
        assert_eq!(ann.reply_to("w").await, json!({ "type": "why", "id": "w", "why": says }));
    }
    ann.is_refused(&why(1, 0, &["a1"]), "seat/not-yours").await;
    ann.is_refused(&why(0, 3, &["a1"]), "play/stale").await;
    ann.play("1", 0, "d3", 0).await;
    ann.is_refused(&why(0, 1, &["a1"]), "play/not-to-act").await;
}
