//! Others at the table: engines, spectators, those who resign and those who want another game.

use serde_json::{Value, json};

use crate::common::{self, Client, TestServer, first_action, me_and_friend};

fn me_and(agent: &str) -> Value {
    json!([{ "kind": "me" }, { "kind": "engine", "agent": agent }])
}

/// Plays some legal action whenever there is one, until the game is over. Returns the last view.
async fn play_on(client: &mut Client) -> Value {
    let mut played = 0;
    loop {
        let view = client.view().await;
        if view["to_act"] == "over" {
            return view;
        }
        let n_plies = view["n_plies"].as_u64().unwrap();
        for (seat, choices) in view["choices"].as_object().unwrap() {
            played += 1;
            let (action, seat): (&Value, usize) = (&first_action(choices), seat.parse().unwrap());
            let play =
                json!({ "type": "play", "id": played.to_string(), "seat": seat, "action": action, "n_plies": n_plies });
            client.send(&play).await;
        }
    }
}

#[tokio::test]
async fn engines_play() {
    let server = TestServer::start();
    for agent in ["random", "mcts:time=200ms"] {
        let table = server.table("tic-tac-toe", me_and(agent)).await;
        let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
        let view = play_on(&mut client).await;
        assert_eq!(view["seats"][1]["occupant"], agent);
        assert_eq!(view["seats"][1]["kind"], "engine");
        let mut watcher = server.hello(&table.id, &[]).await;
        let plies = watcher.view().await["plies"].as_array().unwrap().clone();
        assert!(plies.iter().any(|ply| ply["by"] == 1), "{plies:?}");
    }
}

#[tokio::test]
async fn seats_that_choose_together_choose_each_for_themselves() {
    let server = TestServer::start();
    let engine = json!({ "kind": "engine", "agent": "random" });
    let table = server.table("jabirs-transmutations", json!([engine, { "kind": "me" }, engine])).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    let view = play_on(&mut client).await;
    assert_eq!(view["you"], json!([1]));
    let plies = server.hello(&table.id, &[]).await.view().await["plies"].clone();
    for seat in 0..3 {
        assert!(plies.as_array().unwrap().iter().any(|ply| ply["by"] == seat), "seat {seat} never acted: {plies}");
    }
    // With the record every outcome can be drawn again, and one that was another is seen.
    let record = server.get(&format!("/api/tables/{}/record", table.id)).await.text();
    let mut record = raichi_core::record::Record::from_line(&record, 1).unwrap();
    assert!(record.plies.iter().filter(|ply| ply.text.starts_with('~')).count() > 10);
    assert_eq!(raichi_server::check_fairness(&record).unwrap(), table.seed_hash);
    let (ply, outcome) = record.plies.iter().enumerate().find(|(_, ply)| ply.text.starts_with('~')).unwrap();
    let (ply, outcome) = (ply, outcome.text.clone());
    let game = raichi_games::game(&record.game).unwrap();
    let mut before = game.new_match();
    before.play_history(&record.history().split(' ').take(ply).collect::<Vec<_>>().join(" ")).unwrap();
    let mut possible = before.outcomes(raichi_core::Viewer::Referee).into_iter().map(|(text, _)| text);
    record.plies[ply].text = possible.find(|text| *text != outcome).unwrap();
    let error = raichi_server::check_fairness(&record).unwrap_err().to_string();
    let says = format!("ply {} is {}, but the seed gives {outcome}", ply + 1, record.plies[ply].text);
    assert_eq!(error, says);
}

#[tokio::test]
async fn engines_play_among_themselves_only_while_somebody_watches() {
    let server = TestServer::start();
    let table = server
        .table("tic-tac-toe", json!([{ "kind": "engine", "agent": "random" }, { "kind": "engine", "agent": "random" }]))
        .await;
    server.get(&format!("/api/tables/{}/record", table.id)).await.is_refused(409, "table/running");
    let mut watcher = server.hello(&table.id, &[]).await;
    let view = watcher.view_where(|view| view["to_act"] == "over").await;
    assert!(view["n_plies"].as_u64().unwrap() >= 5);
    assert_eq!(server.get(&format!("/api/tables/{}/record", table.id)).await.status, 200);
}

#[tokio::test]
async fn agents_are_listed_for_all_games_and_for_one() {
    let server = TestServer::start();
    let all = server.get("/api/agents").await.json();
    let specs: Vec<&str> = all.as_array().unwrap().iter().map(|agent| agent["spec"].as_str().unwrap()).collect();
    assert_eq!((specs[0], specs[9], specs[10]), ("level:1", "level:10", "best:time=200ms"));
    assert_eq!(specs.iter().filter(|spec| **spec == "random").count(), 1, "{specs:?}");
    assert!(all.as_array().unwrap().iter().all(|agent| agent["name"] != "" && agent["help"] != ""));
    // An agent that is listed for a game can sit at it, under the very name in the list.
    let for_one = server.get("/api/agents?spec=tic-tac-toe").await.json();
    for agent in for_one.as_array().unwrap() {
        let table = server.table("tic-tac-toe", me_and(agent["spec"].as_str().unwrap())).await;
        let view = server.hello(&table.id, &[]).await.view().await;
        assert_eq!(view["seats"][1]["occupant"], agent["spec"]);
    }
}

#[tokio::test]
async fn resigning_a_game_of_two_loses_it() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    assert_eq!(ann.play("1", 0, "a1", 0).await["type"], "ack");
    let resign = json!({ "type": "resign", "id": "r", "seat": 0 });
    for _ in 0..2 {
        ann.send(&resign).await;
        assert_eq!(ann.reply_to("r").await, json!({ "type": "ack", "id": "r", "n_plies": 1 }));
    }
    let view = bob.view_where(|view| view["to_act"] == "over").await;
    assert_eq!(view["result"]["payoffs"], json!([-1.0, 1.0]));
    assert_eq!(view["result"]["end"], "resigned");
    assert_eq!(view["result"]["sentence"], "You win: Ann resigned.");
    assert_eq!(view["choices"], json!({}));
    bob.is_refused(&json!({ "type": "play", "id": "p", "seat": 1, "action": "b2", "n_plies": 1 }), "play/over").await;
    bob.is_refused(&json!({ "type": "resign", "id": "s", "seat": 1 }), "play/over").await;
    let record = server.get(&format!("/api/tables/{}/record", table.id)).await.json();
    assert_eq!(record["result"], json!({ "payoffs": [-1.0, 1.0], "end": "resigned" }));
    assert_eq!(record["seats"][0], "Ann (resigned after 1 plies)");
}

#[tokio::test]
async fn resigning_alone_pays_as_the_game_stands() {
    let server = TestServer::start();
    let table = server.table("2048", json!([{ "kind": "me" }])).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    client.view().await;
    client.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    assert_eq!(client.reply_to("r").await["type"], "ack");
    let view = client.view_where(|view| view["to_act"] == "over").await;
    assert_eq!((&view["result"]["end"], &view["result"]["payoffs"]), (&json!("resigned"), &json!([0.0])));
}

#[tokio::test]
async fn elsewhere_an_engine_plays_on_after_a_resignation() {
    let server = TestServer::start();
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "friend" }, { "kind": "friend" }]);
    let table = server.table("nim3p", seats).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    ann.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    assert_eq!(ann.reply_to("r").await["type"], "ack");
    let view = ann.view_after(1).await;
    assert_eq!((&view["you"], &view["seats"][0]["kind"]), (&json!([]), &json!("engine")));
    assert_eq!(view["to_act"], json!([1]));
    ann.is_refused(&json!({ "type": "play", "id": "p", "seat": 0, "action": "a1", "n_plies": 1 }), "seat/not-yours")
        .await;
    let mut others = server.hello(&table.id, &[&table.keys[1], &table.keys[2]]).await;
    let view = play_on(&mut others).await;
    assert_ne!(view["result"]["end"], "resigned");
    let record = server.get(&format!("/api/tables/{}/record", table.id)).await.json();
    assert!(record["seats"][0].as_str().unwrap().starts_with("Ann (after 0 plies "), "{}", record["seats"]);
}

#[tokio::test]
async fn a_rematch_rotates_the_seats_and_keeps_the_keys() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let mut watcher = server.hello(&table.id, &[]).await;
    let rematch = json!({ "type": "rematch", "id": "again" });
    ann.is_refused(&rematch, "table/running").await;
    ann.send(&json!({ "type": "resign", "id": "r", "seat": 0 })).await;
    watcher.view_where(|view| view["to_act"] == "over").await;
    watcher.is_refused(&rematch, "seat/not-yours").await;
    for _ in 0..2 {
        for client in [&mut ann, &mut bob] {
            client.send(&rematch).await;
            assert_eq!(client.reply_to("again").await["type"], "ack");
        }
    }
    let view = watcher.view_where(|view| view["next_table"] != json!(null)).await;
    assert_eq!(view["next_table"]["seats"], json!([1, 0]));
    let next = view["next_table"]["table"].as_str().unwrap();
    assert_ne!(next, table.id);
    let mut ann = server.hello(next, &[&table.keys[0]]).await;
    let view = ann.view().await;
    assert_eq!((&view["you"], &view["to_act"], &view["n_plies"]), (&json!([1]), &json!([0]), &json!(0)));
    assert_eq!(view["seats"][1]["occupant"], "Ann");
    assert_ne!(view["seed_hash"], table.seed_hash.as_str());
    let mut bob = server.hello(next, &[&table.keys[1]]).await;
    assert_eq!(bob.play("1", 0, "b2", 0).await["type"], "ack");
    // The table before still knows.
    let view = server.hello(&table.id, &[]).await.view().await;
    assert_eq!(view["next_table"]["table"], next);
}

#[tokio::test]
async fn nobody_sees_cards_that_are_not_theirs() {
    let server = TestServer::start();
    let table = server.table("poker:players=2", me_and_friend()).await;
    let mut ann = server.hello(&table.id, &[&table.keys[0]]).await;
    let mut bob = server.hello(&table.id, &[&table.keys[1]]).await;
    let mut watcher = server.hello(&table.id, &[]).await;
    let (ann, bob, watcher) = (ann.view().await, bob.view().await, watcher.view().await);
    let hidden = |view: &Value| view["plies"].as_array().unwrap().iter().filter(|ply| ply["text"] == "~?").count();
    assert_eq!((hidden(&ann), hidden(&bob), hidden(&watcher)), (2, 2, 4));
    let backs = |view: &Value| view["picture"].to_string().matches("card-back").count();
    assert_eq!((backs(&ann), backs(&bob), backs(&watcher)), (2, 2, 4));
    // Nothing that one of them was dealt is anywhere in what the others got.
    for (owner, others) in [(&ann, [&bob, &watcher]), (&bob, [&ann, &watcher])] {
        for ply in owner["plies"].as_array().unwrap().iter().filter(|ply| ply["text"] != "~?") {
            let card = ply["text"].as_str().unwrap().trim_start_matches('~');
            for other in others {
                assert!(!other["picture"].to_string().contains(&format!("\"{card}\"")), "{card} in {other}");
                assert!(!other["plies"].to_string().contains(card), "{card} in {other}");
            }
        }
    }
    // Two seats of one person: the picture is that of the one to act.
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let view = both.view().await;
    let to_act = view["to_act"][0].as_u64().unwrap();
    let theirs = if to_act == 0 { &ann } else { &bob };
    assert_eq!((&view["picture"], &view["plies"]), (&theirs["picture"], &theirs["plies"]));
    // It says whose, so that a page can wait until this person has the device.
    assert_eq!((&view["private_to"], &ann["private_to"]), (&json!(to_act), &json!(0)));
    assert_eq!(watcher["private_to"], json!(null));
}

#[tokio::test]
async fn one_who_holds_several_seats_goes_on_seeing_what_the_last_to_act_saw() {
    let server = TestServer::start();
    let me = || json!({ "kind": "me" });
    let seats = json!([me(), me(), { "kind": "friend" }]);
    let table = server.table("poker:players=3", seats).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let mut friend = server.hello(&table.id, &[&table.keys[2]]).await;
    let mut view = both.view().await;
    let mut friends = friend.view().await;
    let mut last = None;
    // Until the friend is to act after both have been.
    for turn in 0..6 {
        let seat = view["to_act"][0].as_u64().unwrap();
        if seat == 2 {
            let expected = last.unwrap_or(0);
            assert_eq!(view["private_to"], json!(expected), "{view}");
            assert_eq!(friends["private_to"], json!(2));
            if last == Some(1) {
                return;
            }
        } else {
            assert_eq!(view["private_to"], json!(seat), "{view}");
            last = Some(seat);
        }
        let n_plies = view["n_plies"].as_u64().unwrap() as usize;
        let client = if seat == 2 { &mut friend } else { &mut both };
        let legal = if seat == 2 { &friends } else { &view };
        let action = common::first_action(&legal["choices"][seat.to_string()]);
        let call = if legal["choices"].to_string().contains("\"call\"") { json!("call") } else { action };
        let reply = client.play(&turn.to_string(), seat as usize, call.as_str().unwrap(), n_plies).await;
        assert_eq!(reply["type"], "ack", "{reply}");
        view = both.view_where(|view| view["n_plies"].as_u64().unwrap() as usize > n_plies).await;
        friends = friend.view_where(|view| view["n_plies"].as_u64().unwrap() as usize > n_plies).await;
    }
    panic!("the friend was never to act after the second of the others");
}

#[tokio::test]
async fn earlier_positions_can_be_looked_at() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let empty = both.view().await["picture"].clone();
    for (n_plies, action) in ["b2", "a1"].into_iter().enumerate() {
        assert_eq!(both.play(action, n_plies, action, n_plies).await["type"], "ack");
    }
    let now = both.view_after(2).await;
    for (n_plies, picture, last) in [(0, &empty, json!([])), (2, &now["picture"], json!(["a1"]))] {
        both.send(&json!({ "type": "look", "id": "look", "n_plies": n_plies })).await;
        let look = both.reply_to("look").await;
        assert_eq!((&look["picture"], &look["last"], &look["n_plies"]), (picture, &last, &json!(n_plies)));
        assert_eq!(look["private_to"], Value::Null);
    }
}

/// The reply may come before the view that says that another seat's secrets are shown now.
#[tokio::test]
async fn an_earlier_position_says_whose_secrets_it_shows() {
    let server = TestServer::start();
    let table = server.table("leduc-poker", json!([{ "kind": "me" }, { "kind": "me" }])).await;
    let keys = [table.keys[0].as_str(), table.keys[1].as_str()];
    let mut both = server.hello(&table.id, &keys).await;
    let mut n_plies = both.view_where(|view| view["choices"]["0"].is_object()).await["n_plies"].as_u64().unwrap();
    for seat in [0, 1] {
        both.send(&json!({ "type": "look", "id": format!("look {seat}"), "n_plies": n_plies })).await;
        let look = both.reply_to(&format!("look {seat}")).await;
        assert_eq!(look["private_to"], seat);
        let text = look["position"].as_str().unwrap();
        let alone = server.hello(&table.id, &[keys[seat]]).await.view().await;
        assert_eq!(text, alone["position"], "of the same position");
        n_plies = both.play("call", seat, "call", n_plies as usize).await["n_plies"].as_u64().unwrap_or(n_plies);
    }
}

#[tokio::test]
async fn a_slow_client_delays_nobody_and_sees_the_end() {
    let server = TestServer::start();
    let table = server.table("tablut:max-plies=300", me_and_friend()).await;
    let mut slow = server.connect_slowly(&table.id).await;
    slow.send(&json!({ "type": "hello", "keys": [] })).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    let end = play_on(&mut both).await;
    let (mut n_views, mut view) = (0, slow.view().await);
    while view["to_act"] != "over" {
        n_views += 1;
        let before = view["n_plies"].clone();
        view = slow.view().await;
        assert_eq!(view["plies_from"], before, "the plies are without a gap");
    }
    assert_eq!(view["n_plies"], end["n_plies"]);
    assert!(n_views < 100, "{n_views} views were sent to a client that did not read");
}

#[tokio::test]
async fn a_client_that_never_reads_is_disconnected() {
    let server = TestServer::with(common::with_limits(|limits| {
        limits.sending = std::time::Duration::from_millis(200);
        limits.spectators_per_table = 1;
    }));
    let table = server.table("tablut:max-plies=300", me_and_friend()).await;
    let mut unread = server.connect_slowly(&table.id).await;
    unread.send(&json!({ "type": "hello", "keys": [] })).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    play_on(&mut both).await;
    // Its place becomes free.
    loop {
        let mut third = server.hello(&table.id, &[]).await;
        let message = third.next().await.unwrap();
        if message["type"] == "view" {
            break;
        }
        assert_eq!(message["code"], "server/busy");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
