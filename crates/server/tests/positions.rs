//! Tables that begin with a position.

use raichi_core::record::Record;
use raichi_core::{AnyMatch, Phase, Viewer};
use serde_json::{Value, json};

use crate::common::{self, TestServer, me_and_friend};

async fn table_at(server: &TestServer, game: &str, position: &str) -> (String, [String; 2]) {
    let body = json!({ "game": game, "position": position, "seats": me_and_friend() });
    let response = server.post("/api/tables", &body).await;
    assert_eq!(response.status, 201, "{response:?}");
    let made = response.json();
    let key = |seat: usize| made["keys"][seat]["key"].as_str().unwrap().to_string();
    (made["table"].as_str().unwrap().into(), [key(0), key(1)])
}

async fn record(server: &TestServer, table: &str) -> Record {
    Record::from_line(&server.get(&format!("/api/tables/{table}/record")).await.text(), 1).unwrap()
}

#[tokio::test]
async fn a_position_is_shown_kept_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let mut start = raichi_games::game("tic-tac-toe").unwrap().new_match();
    start.play_history("a1 b2 a2").unwrap();
    let text = start.position_text(Viewer::Spectator);
    let server = TestServer::on(&database);
    let (table, [x, o]) = table_at(&server, "tic-tac-toe", &format!("  {text} ")).await;
    let mut both = server.hello(&table, &[&x, &o]).await;
    let view = both.view().await;
    assert_eq!((&view["start"], &view["position"], &view["n_plies"]), (&json!(text), &json!(text), &json!(0)));
    assert_eq!(view["to_act"], json!([1]));
    assert_eq!(both.play("1", 1, "c3", 0).await["n_plies"], 1);
    server.crash();

    let server = TestServer::on(&database);
    let mut both = server.hello(&table, &[&x, &o]).await;
    let view = both.view().await;
    start.play_history("c3").unwrap();
    let after = start.position_text(Viewer::Spectator);
    assert_eq!((&view["start"], &view["position"]), (&json!(text), &json!(after)));
    both.send(&json!({ "type": "look", "id": "look", "n_plies": 0 })).await;
    assert_eq!(both.reply_to("look").await["position"], text.as_str());
    assert_eq!(both.play("2", 0, "a3", 1).await["n_plies"], 2);
    let record = record(&server, &table).await;
    assert_eq!((record.version, record.position.as_deref()), (2, Some(text.as_str())));
    let game = raichi_games::game_of_record(&record).unwrap();
    assert_eq!(record.replay(&*game).unwrap().phase(), Phase::Over);
    both.send(&json!({ "type": "rematch", "id": "again" })).await;
    let view = both.view_where(|view| !view["next_table"].is_null()).await;
    let next = view["next_table"]["table"].as_str().unwrap();
    assert_eq!(server.hello(next, &[]).await.view().await["start"], text.as_str());
}

#[tokio::test]
async fn a_table_without_a_position_says_so() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let view = server.hello(&table.id, &[]).await.view().await;
    let start = raichi_games::game("tic-tac-toe").unwrap().new_match().position_text(Viewer::Spectator);
    assert_eq!((&view["start"], &view["position"]), (&Value::Null, &json!(start)));
}

/// A game of poker in which both have their cards.
fn dealt() -> Box<dyn AnyMatch> {
    let mut current = raichi_games::game("poker").unwrap().new_match();
    let mut rng = raichi_core::random::stream(5, "deal", 0);
    while current.phase() == Phase::Chance {
        current.sample_outcome(&mut rng).unwrap();
    }
    current
}

#[tokio::test]
async fn what_a_text_hides_is_drawn_once_and_shown_to_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let given = dealt().position_text(Viewer::Seat(0));
    let spectators = dealt().position_text(Viewer::Spectator);
    assert!(given.contains('?') && given != spectators, "{given}");
    let server = TestServer::on(&database);
    let game = "poker:max-plies=2";
    let (table, [ann, bob]) = table_at(&server, game, &given).await;
    assert_eq!(server.hello(&table, &[&ann]).await.view().await["start"], given.as_str());
    assert_eq!(server.hello(&table, &[]).await.view().await["start"], spectators.as_str());
    let bobs = server.hello(&table, &[&bob]).await.view().await["start"].clone();
    assert!(bobs.as_str().is_some_and(|text| text.contains("seen-by=1") && text != given), "{bobs}");
    server.crash();

    let server = TestServer::on(&database);
    assert_eq!(server.hello(&table, &[&bob]).await.view().await["start"], bobs);
    let mut both = server.hello(&table, &[&ann, &bob]).await;
    for n_plies in 0..2 {
        let view = both.view_after(n_plies).await;
        let seat = view["to_act"][0].as_u64().unwrap() as usize;
        let action = common::first_action(&view["choices"][seat.to_string()]);
        let reply = both.play(&n_plies.to_string(), seat, action.as_str().unwrap(), n_plies as usize).await;
        assert_eq!(reply["type"], "ack", "{reply}");
    }
    let view = both.view_where(|view| view["to_act"] == "over").await;
    assert_eq!(view["start"], given.as_str(), "the lowest seat's view, as its picture is");
    let record = record(&server, &table).await;
    assert!(!record.position.as_deref().unwrap().contains('?'), "{:?}", record.position);
    raichi_server::check_fairness(&record).unwrap();
    // What was hidden is drawn again for the next game, or everybody would know it.
    both.send(&json!({ "type": "rematch", "id": "again" })).await;
    let view = both.view_where(|view| !view["next_table"].is_null()).await;
    let next = view["next_table"]["table"].as_str().unwrap();
    assert_eq!(server.hello(next, &[&bob]).await.view().await["start"], given.as_str(), "who moves on to seat 0");
    assert_ne!(server.hello(next, &[&ann]).await.view().await["start"], bobs);
}

#[tokio::test]
async fn a_position_that_cannot_be_played_is_refused_with_its_place() {
    let server = TestServer::start();
    let mut won = raichi_games::game("tic-tac-toe").unwrap().new_match();
    let unfinished = won.position_text(Viewer::Spectator);
    won.play_history("a1 b1 a2 b2 a3").unwrap();
    for (game, position, code, says) in [
        ("tic-tac-toe", "", "position/malformed", "position, character 1: the text ends here"),
        ("tic-tac-toe", "nonsense 0", "position/malformed", "position, character 1"),
        ("tic-tac-toe", &format!("{unfinished} x"), "position/malformed", "expected the end of the text"),
        ("tic-tac-toe", &won.position_text(Viewer::Spectator), "position/over", "over in this position"),
        ("poker", &dealt().position_text(Viewer::Spectator), "position/spectator", "a spectator's"),
    ] {
        let body = json!({ "game": game, "position": position, "seats": me_and_friend() });
        let refused = server.post("/api/tables", &body).await;
        refused.is_refused(422, code);
        assert!(refused.text().contains(says), "{position}: {}", refused.text());
        assert_eq!(refused.json()["param"], "position");
        let query = position.replace(' ', "%20").replace('?', "%3F").replace('=', "%3D").replace('+', "%2B");
        server.get(&format!("/api/describe?spec={game}&position={query}")).await.is_refused(422, code);
    }
    let query = unfinished.replace(' ', "%20");
    let described = server.get(&format!("/api/describe?spec=tic-tac-toe&position={query}")).await;
    assert_eq!(described.status, 200, "{}", described.text());
}
