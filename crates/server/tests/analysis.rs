//! Analysis over HTTP: positions, what agents think of them as it deepens, and what a game was worth ply by ply.

use std::time::{Duration, Instant};

use raichi_core::{AnyMatch, Phase, Viewer};
use raichi_server::Config;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::common::{self, Response, TestServer, TestTable, config, me_and_friend, with_limits};

const MCTS: &str = "mcts:time=200ms";

/// The lines of a reply that is streamed: each comes in a chunk of its own.
fn lines(response: &Response) -> Vec<Value> {
    assert_eq!(response.status, 200, "{}", response.text());
    response
        .text()
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn analysis(server: &TestServer, request: Value) -> Vec<Value> {
    lines(&server.post("/api/analysis", &request).await)
}

async fn curve(server: &TestServer, request: Value) -> Vec<Value> {
    lines(&server.post("/api/analysis/curve", &request).await)
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

fn of_game(game: &str) -> Value {
    json!({ "kind": "position", "game": game })
}

fn of_position(game: &str, position: &str) -> Value {
    json!({ "kind": "position", "game": game, "position": position })
}

/// A table of two people where these plies were played.
async fn played(server: &TestServer, game: &str, plies: &str) -> TestTable {
    let table = server.table(game, me_and_friend()).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    for (i, ply) in plies.split(' ').enumerate() {
        let seat = both.view_after(i as u64).await["to_act"][0].as_u64().unwrap();
        assert_eq!(both.play(&i.to_string(), seat as usize, ply, i).await["type"], "ack", "{ply}");
    }
    table
}

/// The candidate of an action in the last advice of an agent.
fn candidate<'a>(lines: &'a [Value], agent: usize, action: &str) -> &'a Value {
    let last = of_type(lines, "advice").into_iter().rfind(|line| line["agent"] == agent).expect("there is advice");
    let mut candidates = last["candidates"].as_array().unwrap().iter();
    candidates.find(|candidate| candidate["action"] == action).unwrap_or_else(|| panic!("{action} is not in {last}"))
}

// X wins because O replies to the corner with an edge.
const LOST_BY_AN_EDGE: &str = "a1 b1 b2 c3 a3 a2 c1";

#[tokio::test]
async fn what_is_exact_says_how_it_is_known_and_when_the_game_is_over() {
    let server = TestServer::start();
    let table = played(&server, "tic-tac-toe", LOST_BY_AN_EDGE).await;
    let request = json!({ "of": { "kind": "table", "table": table.id }, "n_plies": 6, "agents": ["perfect:time=1s"] });
    let lines = analysis(&server, request).await;
    assert_eq!(of_type(&lines, "advice").last().unwrap()["known_by"], "table");
    assert_eq!(candidate(&lines, 0, "c1")["ends"], json!({ "result": "win", "plies": 1 }));
    assert_eq!(candidate(&lines, 0, "c2")["ends"]["result"], "draw");
}

#[tokio::test]
async fn an_agent_of_one_seat_says_why_it_answers_and_refuses_the_other_seat() {
    let server = TestServer::start();
    let at = |line: &str| {
        let line: Vec<&str> = line.split_whitespace().collect();
        json!({ "of": { "kind": "position", "game": "focus:rule=none" }, "line": line, "agents": ["mirror"] })
    };
    let lines = analysis(&server, at("b5-b4")).await;
    let advice = *of_type(&lines, "advice").last().unwrap();
    assert_eq!(advice["candidates"][0]["action"], "g4-g5");
    assert_eq!(advice["candidates"][0]["path"], json!(["g4", "g5"]));
    assert!(
        advice["why"]["text"].as_str().unwrap().starts_with("Half a turn of the board takes b5-b4 to g4-g5"),
        "{advice}"
    );
    // Of the positions after other actions, where the first seat is to act, it says nothing: that is no error.
    assert_eq!((advice["candidates"].as_array().unwrap().len(), of_type(&lines, "error").len()), (1, 0));
    let refused = analysis(&server, at("")).await;
    assert_eq!(of_type(&refused, "error")[0]["code"], "agent/refused");
}

#[tokio::test]
async fn an_agent_that_is_refused_ends_only_its_own_part() {
    let server = TestServer::start();
    let game = json!({ "kind": "position", "game": "focus:rule=none" });
    // The first seat is to act, which `mirror` does not play.
    let both = json!({ "of": game, "agents": ["mirror", "mcts:time=1s"] });
    let is_enough = |lines: &[Value]| !of_type(lines, "error").is_empty() && of_type(lines, "advice").len() > 1;
    let lines = begun(&server, &both, is_enough).await;
    let errors = of_type(&lines, "error");
    assert_eq!((errors.len(), &errors[0]["agent"], &errors[0]["code"]), (1, &json!(0), &json!("agent/refused")));
    assert!(of_type(&lines, "advice").iter().all(|line| line["agent"] == 1));
    // Where nobody is left the reply ends as always.
    let lines = analysis(&server, json!({ "of": game, "agents": ["mirror"] })).await;
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["position", "error", "end"]);
    assert_eq!(lines[1]["agent"], 0);
}

/// The lines of a reply so far, as soon as they are enough.
async fn begun(server: &TestServer, body: &Value, enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let mut stream = posted(server, "/api/analysis", body).await;
    let (mut read, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let lines: Vec<Value> = read.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if enough(&lines) {
            return lines;
        }
        let n = stream.read(&mut buffer).await.unwrap();
        assert!(n > 0, "the reply is over: {read}");
        read += &String::from_utf8_lossy(&buffer[..n]);
    }
}

#[tokio::test]
async fn a_finished_game_has_a_value_at_every_action() {
    let server = TestServer::start();
    let table = played(&server, "tic-tac-toe", LOST_BY_AN_EDGE).await;
    let request = json!({ "of": { "kind": "table", "table": table.id }, "n_plies": 1, "agents": [MCTS] });
    let lines = analysis(&server, request).await;
    let position = &lines[0];
    assert_eq!(
        (&position["type"], &position["n_plies"], &position["n_own"]),
        (&json!("position"), &json!(1), &json!(7))
    );
    assert_eq!(position["game"], "tic-tac-toe");
    assert_eq!(position["seats"][0]["occupant"], "Ann");
    assert_eq!(position["to_act"], json!([1]));
    assert_eq!(position["payoff_range"], json!([-1.0, 1.0]));
    // It deepens until everything is proven, which in this game is soon.
    let advice = of_type(&lines, "advice");
    let last = advice.last().unwrap();
    assert_eq!((&last["seat"], last["candidates"].as_array().unwrap().len()), (&json!(1), 8));
    let centre = candidate(&lines, 0, "b2");
    assert_eq!((&centre["values"], &centre["certainty"]), (&json!([0.0, 0.0]), &json!("exact")), "{centre}");
    assert_eq!(centre["path"], json!(["b2"]));
    assert_eq!(candidate(&lines, 0, "b1")["values"], json!([1.0, -1.0]));
    assert_eq!(last["line"][0]["token"], last["candidates"][0]["token"]);
    assert_eq!(lines.last().unwrap()["type"], "end");
    // All of the game's plies are told to a client that asks for its end.
    let whole = analysis(&server, json!({ "of": { "kind": "table", "table": table.id } })).await;
    let plies = whole[0]["plies"].as_array().unwrap();
    let tokens: Vec<&str> = plies.iter().map(|ply| ply["token"].as_str().unwrap()).collect();
    assert_eq!(tokens.join(" "), LOST_BY_AN_EDGE);
    assert_eq!(whole[0]["result"]["end"], "line");
}

#[tokio::test]
async fn the_curve_names_the_ply_that_lost_most() {
    let server = TestServer::start();
    let table = played(&server, "tic-tac-toe", LOST_BY_AN_EDGE).await;
    let lines = curve(&server, json!({ "of": { "kind": "table", "table": table.id }, "agents": [MCTS] })).await;
    let points: Vec<&Value> =
        of_type(&lines, "curve").iter().flat_map(|line| line["points"].as_array().unwrap()).collect();
    let last_of = |n: u64| points.iter().rfind(|point| point["n_plies"] == n).unwrap_or_else(|| panic!("no point {n}"));
    assert_eq!((&last_of(1)["values"], &last_of(2)["values"]), (&json!([0.0, 0.0]), &json!([1.0, -1.0])));
    assert_eq!((&last_of(7)["values"], &last_of(7)["exact"]), (&json!([1.0, -1.0]), &json!(true)));
    let last = of_type(&lines, "curve").last().copied().unwrap();
    assert_eq!(last["worst"], json!([2]), "the second ply lost the game");
    let losses: Vec<&Value> =
        of_type(&lines, "curve").iter().flat_map(|line| line["losses"].as_array().unwrap()).collect();
    assert_eq!(losses.iter().rfind(|loss| loss["ply"] == 2).unwrap()["loss"], 1.0);
    assert_eq!(lines.last().unwrap()["type"], "end");
}

#[tokio::test]
async fn a_game_that_goes_on_is_not_analysed() {
    let server = TestServer::start();
    let table = played(&server, "connect-four", "4 4").await;
    let of = json!({ "kind": "table", "table": table.id });
    for path in ["/api/analysis", "/api/analysis/curve"] {
        let refused = server.post(path, &json!({ "of": of, "agents": [MCTS] })).await;
        refused.is_refused(409, "table/running");
        assert!(!refused.text().contains("plies\""), "{}", refused.text());
    }
    let narrow = json!({ "of": of, "seat": 0, "touched": ["column:4"] });
    server.post("/api/analysis/narrow", &narrow).await.is_refused(409, "table/running");
}

#[tokio::test]
async fn a_position_is_analysed_by_two_agents() {
    let server = TestServer::start();
    // Three of Yellow's in a row, and Yellow to act: column 4 wins at once.
    let request = json!({ "of": of_position("connect-four", "7/7/7/6R/6R/YYY3R 0"), "agents": [MCTS, "mcts:time=1s"] });
    let lines = analysis(&server, request).await;
    assert_eq!((&lines[0]["start"], &lines[0]["n_own"]), (&json!("7/7/7/6R/6R/YYY3R 0"), &json!(0)));
    for agent in [0, 1] {
        let wins = candidate(&lines, agent, "4");
        assert_eq!((&wins["values"], &wins["certainty"]), (&json!([1.0, -1.0]), &json!("exact")));
        // The search ends with the proof of the win; the other actions are looked at by themselves.
        for action in ["1", "2", "3", "5", "6", "7"] {
            assert!(!candidate(&lines, agent, action)["values"].as_array().unwrap().is_empty(), "{action}");
        }
    }
}

#[tokio::test]
async fn other_plies_are_tried_and_those_that_are_against_the_rules_are_refused() {
    let server = TestServer::start();
    let at = |line: Value| json!({ "of": of_game("tic-tac-toe"), "line": line });
    let lines = analysis(&server, at(json!(["a1", "b2"]))).await;
    assert_eq!(lines.len(), 2, "a position and the end");
    assert_eq!((&lines[0]["n_plies"], &lines[0]["last"], &lines[0]["n_own"]), (&json!(2), &json!(["b2"]), &json!(0)));
    assert!(lines[0]["choices"]["0"]["steps"][0]["next"].as_array().unwrap().len() == 7);
    let refused = server.post("/api/analysis", &at(json!(["a1", "a1"]))).await;
    refused.is_refused(422, "play/illegal");
    assert!(refused.text().contains("ply 2"), "{}", refused.text());
    let over = analysis(&server, at(json!(["a1", "b1", "a2", "b2", "a3"]))).await;
    assert_eq!((&over[0]["to_act"], &over[0]["result"]["payoffs"]), (&json!("over"), &json!([1.0, -1.0])));
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_with_what_is_wrong() {
    let server = TestServer::start();
    let refused =
        server.post("/api/analysis", &json!({ "of": of_position("connect-four", "7/7/7/6R/6X/YYY3R 0") })).await;
    refused.is_refused(422, "position/malformed");
    assert_eq!((&refused.json()["param"], &refused.json()["column"]), (&json!("position"), &json!(11)));
    let agents = |agents: Value| json!({ "of": of_game("connect-four"), "agents": agents });
    server.post("/api/analysis", &agents(json!(["mcts:time=3s"]))).await.is_refused(422, "agent/not-offered");
    server.post("/api/analysis", &agents(json!([MCTS, MCTS, MCTS]))).await.is_refused(422, "analysis/agents");
    server.post("/api/analysis", &json!({ "of": of_game("chess") })).await.is_refused(422, "spec/unknown-game");
    let unknown = json!({ "of": { "kind": "table", "table": "nowhere" } });
    server.post("/api/analysis", &unknown).await.is_refused(404, "table/unknown");
    server.post("/api/analysis", &json!({ "table": 1 })).await.is_refused(400, "message/malformed");
}

#[tokio::test]
async fn chance_is_chosen_by_hand() {
    let server = TestServer::start();
    let start = analysis(&server, json!({ "of": of_game("2048") })).await;
    assert_eq!(start[0]["to_act"], "chance");
    let outcomes = start[0]["outcomes"].as_array().unwrap();
    assert!(outcomes.len() > 10 && outcomes.iter().all(|outcome| outcome["weight"].as_u64().unwrap() > 0));
    let token = outcomes[0]["token"].clone();
    let next = analysis(&server, json!({ "of": of_game("2048"), "line": [token] })).await;
    assert_eq!(next[0]["plies"][0], json!({ "by": "chance", "text": token, "token": token }));
}

/// A hand of poker as seat 0 sees it: the other's cards are hidden.
fn poker_as_seen() -> String {
    let mut current = raichi_games::game("poker:players=2").unwrap().new_match();
    let mut rng = raichi_core::random::stream(4, "poker", 0);
    while current.phase() == Phase::Chance {
        current.sample_outcome(&mut rng).unwrap();
    }
    current.position_text(Viewer::Seat(0))
}

#[tokio::test]
async fn of_a_position_seen_by_a_seat_only_that_is_known() {
    let server = TestServer::start();
    let text = poker_as_seen();
    assert!(text.contains('?'));
    let of = of_position("poker:players=2", &text);
    let lines = analysis(&server, json!({ "of": of, "agents": [MCTS] })).await;
    assert_eq!((&lines[0]["viewer"], &lines[0]["position"]), (&json!(0), &json!(text)));
    let seat = lines[0]["to_act"][0].as_u64().unwrap() as usize;
    assert_eq!(of_type(&lines, "advice").last().unwrap()["seat"], seat);
    // The other seat's choices are averaged over what it may hold.
    let choices = lines[0]["choices"][seat.to_string()].clone();
    let line = json!([common::first_action(&choices)]);
    let other = analysis(&server, json!({ "of": of, "line": line, "agents": [MCTS] })).await;
    let advice = of_type(&other, "advice");
    if seat == 0 && !advice.is_empty() {
        assert_eq!(advice.last().unwrap()["seat"], 1);
        assert!(advice.last().unwrap()["draws"].as_u64().unwrap() > 1, "{}", advice.last().unwrap());
    }
}

#[tokio::test]
async fn what_came_to_light_of_what_a_seat_did_not_know_is_said_to_be_drawn() {
    let server = TestServer::start();
    let of = of_position("kuhn-poker", "0 stakes=1/1 cards=J/? seen-by=0");
    // Cards are laid open where nobody folds.
    for (line, of_one_draw) in
        [(vec![], false), (vec!["pass"], false), (vec!["bet", "pass"], false), (vec!["pass", "pass"], true)]
    {
        let lines = analysis(&server, json!({ "of": of, "line": line })).await;
        assert_eq!(lines[0]["of_one_draw"], of_one_draw, "{line:?}");
    }
    // Where all is known nothing is drawn.
    let known = of_position("kuhn-poker", "0 stakes=1/1 cards=J/Q");
    let lines = analysis(&server, json!({ "of": known, "line": ["pass", "pass"] })).await;
    assert_eq!((&lines[0]["viewer"], &lines[0]["of_one_draw"]), (&Value::Null, &json!(false)));
}

/// With a draw that laid two of the unseen cards in the other seat's hand, these would not be offered.
#[tokio::test]
async fn chance_may_do_whatever_the_seat_can_expect_whose_view_it_is() {
    let server = TestServer::start();
    let game = raichi_games::game("poker:players=2").unwrap();
    let mut current = game.new_match();
    let mut rng = raichi_core::random::stream(5, "test", 0);
    while current.phase() == Phase::Chance {
        current.sample_outcome(&mut rng).unwrap();
    }
    current.play_history("call check").unwrap();
    assert_eq!(current.phase(), Phase::Chance);
    let of = of_position("poker:players=2", &current.position_text(Viewer::Seat(0)));
    let lines = analysis(&server, json!({ "of": of })).await;
    assert_eq!((&lines[0]["viewer"], &lines[0]["to_act"]), (&json!(0), &json!("chance")));
    let outcomes = lines[0]["outcomes"].as_array().unwrap().clone();
    assert_eq!(outcomes.len(), 50, "{outcomes:?}");
    for outcome in &outcomes {
        let lines = analysis(&server, json!({ "of": of, "line": [outcome["token"]] })).await;
        assert_eq!((&lines[0]["type"], &lines[0]["of_one_draw"]), (&json!("position"), &json!(false)), "{outcome}");
    }
    // The seat's own cards cannot be dealt again, and the refusal says which ply that is.
    let own = current.plies().iter().find(|ply| ply.seen_by(Viewer::Seat(0))).unwrap().token(Viewer::Seat(0));
    let request = json!({ "of": of, "line": [own] });
    server.request("POST", "/api/analysis", &[], &request.to_string()).await.is_refused(422, "play/illegal");
}

/// What a seat gets when cards are laid open that it did not know is exact of one draw only.
#[tokio::test]
async fn the_end_of_a_game_is_no_exact_point_of_its_curve_where_it_depends_on_a_draw() {
    let server = TestServer::start();
    for (position, line, is_exact) in [
        ("0 stakes=1/1 cards=J/? seen-by=0", ["pass", "pass"], false),
        ("0 stakes=1/1 cards=J/? seen-by=0", ["bet", "pass"], true),
        ("0 stakes=1/1 cards=J/Q", ["pass", "pass"], true),
    ] {
        let request = json!({ "of": of_position("kuhn-poker", position), "line": line, "agents": [MCTS] });
        let lines = curve(&server, request).await;
        let points = of_type(&lines, "curve").into_iter().flat_map(|line| line["points"].as_array().unwrap());
        let ends: Vec<&Value> = points.filter(|point| point["n_plies"] == 2).collect();
        assert!(!ends.is_empty() && ends.iter().all(|end| end["exact"] == is_exact), "{position} {line:?}: {ends:?}");
    }
}

#[tokio::test]
async fn every_game_is_analysed() {
    let server = TestServer::start();
    for entry in raichi_games::REGISTRY {
        let game = raichi_games::game(entry.id).unwrap();
        let mut current: Box<dyn AnyMatch> = game.new_match();
        let mut rng = raichi_core::random::stream(7, entry.id, 0);
        for _ in 0..400 {
            match current.phase() {
                Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                Phase::Act(seats) if current.n_plies() < 12 => {
                    current.play_random(seats.first(), &mut rng).unwrap();
                }
                _ => break,
            }
        }
        let history = current.history(Viewer::Referee);
        let line: Vec<&str> = history.split_whitespace().collect();
        let lines = analysis(&server, json!({ "of": of_game(entry.id), "line": line, "agents": ["random"] })).await;
        assert_eq!((&lines[0]["type"], &lines[0]["n_plies"]), (&json!("position"), &json!(line.len())), "{}", entry.id);
        assert_eq!(lines.last().unwrap()["type"], "end", "{}", entry.id);
    }
}

/// Posts, reads until there is advice, and returns the open connection.
async fn begin(server: &TestServer, path: &str, body: &Value) -> TcpStream {
    let mut stream = posted(server, path, body).await;
    let mut read = String::new();
    let mut buffer = [0; 4096];
    while !read.contains("\"type\":\"advice\"") {
        let n = stream.read(&mut buffer).await.unwrap();
        assert!(n > 0, "{read}");
        read += &String::from_utf8_lossy(&buffer[..n]);
    }
    stream
}

async fn posted(server: &TestServer, path: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn gauge(server: &TestServer, name: &str) -> u64 {
    let text = server.get("/metrics").await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_else(|| panic!("{text}"));
    line.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn it_stops_when_nobody_looks() {
    let server = TestServer::with(Config { engine_threads: 1, ..config() });
    let request = json!({ "of": of_game("hex"), "agents": ["mcts:time=5s"] });
    let stream = begin(&server, "/api/analysis", &request).await;
    assert_eq!(gauge(&server, "raichi_analyses").await, 1);
    drop(stream);
    let left = Instant::now();
    while gauge(&server, "raichi_analyses").await + gauge(&server, "raichi_engines_searching").await > 0 {
        assert!(left.elapsed() < Duration::from_secs(3), "it still thinks");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn an_address_has_so_many_at_once() {
    let server = TestServer::with(with_limits(|limits| limits.analyses_per_address = 2));
    let request = json!({ "of": of_game("hex"), "agents": ["mcts:time=5s"] });
    let streams = [begin(&server, "/api/analysis", &request).await, begin(&server, "/api/analysis", &request).await];
    server.post("/api/analysis", &request).await.is_refused(429, "server/busy");
    drop(streams);
    let left = Instant::now();
    while server.post("/api/analysis", &json!({ "of": of_game("hex") })).await.status == 429 {
        assert!(left.elapsed() < Duration::from_secs(3), "places are not given back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
