//! Playing over real sockets: from the first ply to the record.

mod common;

use common::{TestServer, me_and_friend};
use serde_json::json;

#[tokio::test]
async fn two_people_play_tic_tac_toe_to_the_end() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!(view["table"], table.id.as_str());
    assert_eq!((&view["game"], &view["name"]), (&json!("tic-tac-toe"), &json!("Tic Tac Toe")));
    assert_eq!((&view["you"], &view["to_act"], &view["n_plies"]), (&json!([0]), &json!([0]), &json!(0)));
    assert_eq!(view["choices"]["0"]["touches"].as_array().unwrap().len(), 9);
    assert_eq!(view["seats"][0], json!({"name": "X", "occupant": "Ann", "kind": "human", "connected": true}));
    assert_eq!(view["seats"][1]["occupant"], json!(null));
    assert_eq!(view["seed_hash"], table.seed_hash.as_str());
    assert_eq!((&view["seed"], &view["result"]), (&json!(null), &json!(null)));

    let mut bob = server.connect(&table.id).await;
    bob.say(&json!({ "type": "hello", "keys": [&table.keys[1]], "name": " Bob " })).await;
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
    assert_eq!(view["result"]["sentence"], "X wins: line");
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
async fn where_there_are_very_many_actions_they_are_narrowed_touch_by_touch() {
    let server = TestServer::start();
    let table = server.table("nim:sizes=255/255,max=0", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let choices = ann.view().await["choices"]["0"].clone();
    assert_eq!((&choices["n_actions"], &choices["example"]), (&json!(510), &json!("a1")));
    assert_eq!((choices.get("touches"), choices["next"].as_array().unwrap().len()), (None, 510));

    let narrow = |touched: &[&str]| json!({ "type": "narrow", "id": "n", "seat": 0, "n_plies": 0, "touched": touched });
    ann.say(&narrow(&["b-250"])).await;
    let narrowed = ann.answer_to("n").await;
    assert_eq!(narrowed["type"], "narrowed");
    assert_eq!(narrowed["touches"], json!([{ "action": "b6", "path": ["b-250"] }]));
    assert_eq!((&narrowed["n_actions"], &narrowed["caption"]), (&json!(1), &json!(null)));
    ann.say(&narrow(&[])).await;
    assert_eq!(ann.answer_to("n").await["n_actions"], 510);

    // Where there are few, the view tells them all, and is not contradicted.
    assert_eq!(ann.play("1", 0, "b6", 0).await["type"], "ack");
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let choices = bob.view().await["choices"]["1"].clone();
    assert_eq!(choices["n_actions"], 504);
    assert_eq!(bob.play("1", 1, "b9", 1).await["type"], "ack");
    let choices = ann.view_after(2).await["choices"]["0"].clone();
    assert_eq!((choices["touches"].as_array().unwrap().len(), &choices["captions"]), (495, &json!(false)));
}

#[tokio::test]
async fn a_half_made_choice_has_a_caption_where_the_game_has_something_to_say() {
    let server = TestServer::start();
    let table = server.table("kaalu", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let choices = ann.view().await["choices"]["0"].clone();
    assert_eq!(choices["captions"], true);
    let first = choices["touches"][0]["path"][0].clone();
    let narrow = json!({ "type": "narrow", "id": "n", "seat": 0, "n_plies": 0, "touched": [first] });
    ann.say(&narrow).await;
    let narrowed = ann.answer_to("n").await;
    assert!(narrowed["caption"].as_str().is_some_and(|caption| caption.contains("which pile")), "{narrowed}");
    assert_eq!(narrowed["n_actions"], narrowed["touches"].as_array().unwrap().len());
}
