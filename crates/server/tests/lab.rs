//! The lab over HTTP: runs that are made, looked at, paused and stopped; that go on after a crash as they would have;
//! what is refused, and that a server without a lab says so.

use std::time::Duration;

use futures_util::future::join_all;
use raichi_agents::trained::write_archive;
use raichi_server::Config;
use serde_json::{Value, json};

use crate::common::{Response, TestServer, config, with_limits};

fn tournament(game: &str, agents: &[&str], games: u64) -> Value {
    json!({ "kind": "tournament", "game": game, "agents": agents, "games": games, "seed": 5 })
}

fn balance(variants: &[&str], games: u64) -> Value {
    json!({ "kind": "balance", "variants": variants, "agent": "random", "games": games, "seed": 5 })
}

/// A small network of tuples learns a small game, measured from every position.
fn training(games: u64) -> Value {
    json!({ "kind": "training", "game": "tic-tac-toe", "learner": "ntuple:tuples=6x4,alpha=0.5,epsilon=0.2",
            "games": games, "seed": 3, "against": "random", "starts": "plies:2", "measure_games": 20 })
}

/// A folder of this test's own for trained agents; all tests here share it.
fn agents_folder() {
    static FOLDER: std::sync::OnceLock<tempfile::TempDir> = std::sync::OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap());
    raichi_agents::trained::store::keep_in(folder.path().into());
}

/// A run and its key.
async fn made(server: &TestServer, request: &Value) -> (String, String) {
    let response = server.post("/api/lab/runs", request).await;
    assert_eq!(response.status, 201, "{response:?}");
    let made = response.json();
    (made["run"].as_str().unwrap().into(), made["key"].as_str().unwrap().into())
}

async fn view(server: &TestServer, run: &str) -> Value {
    server.get(&format!("/api/lab/runs/{run}")).await.json()
}

async fn view_where(server: &TestServer, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    // A slow machine may take long; no test waits that long when all is well.
    for _ in 0..1_500 {
        let view = view(server, run).await;
        if wanted(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    panic!("the run does not come to this: {}", view(server, run).await);
}

async fn done(server: &TestServer, run: &str) -> Value {
    view_where(server, run, |view| view["state"] != "running").await
}

async fn order(server: &TestServer, run: &str, key: &str, what: &str) -> Response {
    server.post(&format!("/api/lab/runs/{run}"), &json!({ "key": key, "do": what })).await
}

/// The lines of a reply, whole.
async fn lines(server: &TestServer, path: &str, body: Option<&Value>) -> Vec<Value> {
    let response = match body {
        Some(body) => server.post(path, body).await,
        None => server.get(path).await,
    };
    assert_eq!(response.status, 200, "{response:?}");
    let text = response.text();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()
}

#[tokio::test]
async fn a_tournament_is_played_and_each_of_its_games_can_be_looked_at() {
    let server = TestServer::start();
    let (run, _) = made(&server, &tournament("tic-tac-toe", &["random", "level:10", "level:5"], 4)).await;
    let told = lines(&server, &format!("/api/lab/runs/{run}/progress"), None).await;
    assert_eq!(told.last().unwrap()["type"], "end");
    let run_at_end = &told[told.len() - 2];
    assert_eq!((&run_at_end["type"], &run_at_end["state"]), (&json!("run"), &json!("done")));
    assert_eq!((&run_at_end["n_done"], &run_at_end["n_total"]), (&json!(12), &json!(12)));
    let progress = &run_at_end["progress"];
    assert_eq!((&progress["kind"], &progress["name"]), (&json!("tournament"), &json!("Tic Tac Toe")));
    let matrix = progress["matrix"].as_array().unwrap();
    for (row, others) in matrix.iter().enumerate() {
        for (column, tally) in others.as_array().unwrap().iter().enumerate() {
            let n: u64 = tally.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
            assert_eq!(n, if row == column { 0 } else { 4 });
            // What one has won the other has lost.
            assert_eq!(tally[0], matrix[column][row][2]);
        }
    }
    assert!(progress["agents"][1]["elo"]["value"].as_f64() > progress["agents"][0]["elo"]["value"].as_f64());
    assert_eq!(progress["agents"][0]["name"], "Random");

    let games = server.get(&format!("/api/lab/runs/{run}/games")).await.json();
    assert_eq!(games.as_array().unwrap().len(), 12);
    let game = &games[7];
    let record = server.get(&format!("/api/lab/runs/{run}/games/7")).await.json();
    assert_eq!((&game["number"], &game["payoffs"]), (&json!(7), &record["result"]["payoffs"]));
    let names = ["random", "level:10", "level:5"];
    for (seat, agent) in game["seats"].as_array().unwrap().iter().enumerate() {
        assert_eq!(record["seats"][seat], names[agent.as_u64().unwrap() as usize]);
    }
    let asked = json!({ "of": { "kind": "run", "run": run, "number": 7 } });
    let analysed = lines(&server, "/api/analysis", Some(&asked)).await;
    assert_eq!((&analysed[0]["type"], &analysed[0]["to_act"]), (&json!("position"), &json!("over")));
    assert_eq!(analysed[0]["n_own"], record["plies"].as_array().unwrap().len());
    server.get(&format!("/api/lab/runs/{run}/games/12")).await.is_refused(404, "run/unknown");
}

#[tokio::test]
async fn a_balance_sheet_compares_two_variants_and_what_is_tried_out_is_not_kept() {
    let server = TestServer::start();
    let request = balance(&["nim:heaps=3,size=3", "tic-tac-toe"], 300);
    let (run, _) = made(&server, &request).await;
    let view = done(&server, &run).await;
    assert_eq!((&view["state"], &view["n_done"]), (&json!("done"), &json!(600)), "{view}");
    let sheets = view["progress"]["sheets"].as_array().unwrap();
    assert_eq!(sheets[1]["name"], "Tic Tac Toe");
    assert_eq!((&sheets[0]["n_games"], &sheets[1]["n_games"]), (&json!(300), &json!(300)));
    // Exact, by weighing all 255,168 games: X wins 0.585. Three intervals away would be an error.
    let wins = &sheets[1]["seats"][0]["wins"];
    assert!((wins["value"].as_f64().unwrap() - 0.585).abs() < 0.09, "{wins}");
    assert_eq!(sheets[1]["course"].as_array().unwrap()[0]["n_games"], 1);

    let tried = lines(&server, "/api/lab/try", Some(&request)).await;
    let last = &tried[tried.len() - 2];
    assert_eq!((&last["type"], &last["progress"]), (&json!("progress"), &view["progress"]), "the same games");
    assert_eq!(server.get("/api/lab/runs").await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_run_goes_on_after_a_crash_as_it_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    let request = tournament("hex:size=5", &["level:5", "level:6"], 5_000);
    let (run, key) = made(&server, &request).await;
    // By then some of it is stored.
    view_where(&server, &run, |view| view["millis"].as_u64() > Some(1_500) && view["n_done"] != 0).await;
    server.crash();

    let server = TestServer::on(&database);
    let before = view(&server, &run).await;
    assert_eq!(before["state"], "running", "{before}");
    let n_before = before["n_done"].as_u64().unwrap();
    assert!(n_before > 0, "{before}");
    view_where(&server, &run, |view| view["n_done"].as_u64().unwrap() > n_before).await;
    // By the key of the visitor who made it.
    order(&server, &run, "another", "stop").await.is_refused(403, "run/key");
    assert_eq!(order(&server, &run, &key, "pause").await.json()["state"], "paused");
    let games = server.get(&format!("/api/lab/runs/{run}/games")).await.json();
    let n_played = games.as_array().unwrap().len();
    assert!(n_played as u64 >= n_before);

    // Elsewhere, without a crash: the first games are the same.
    let other = TestServer::start();
    let (same, same_key) = made(&other, &request).await;
    view_where(&other, &same, |view| view["n_done"].as_u64().unwrap() as usize >= n_played).await;
    order(&other, &same, &same_key, "pause").await;
    let same_games = other.get(&format!("/api/lab/runs/{same}/games")).await.json();
    assert_eq!(games.as_array().unwrap()[..], same_games.as_array().unwrap()[..n_played]);
}

#[tokio::test]
async fn who_has_the_key_pauses_resumes_stops_and_removes() {
    let server = TestServer::start();
    let (run, key) = made(&server, &tournament("hex:size=5", &["level:3", "level:4"], 1_000)).await;
    assert_eq!(order(&server, &run, &key, "pause").await.json()["state"], "paused");
    order(&server, &run, &key, "pause").await;
    let paused = view(&server, &run).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(view(&server, &run).await, paused, "nothing happens");
    assert_eq!(order(&server, &run, &key, "resume").await.json()["state"], "running");
    order(&server, &run, &key, "resume").await.is_refused(409, "run/state");
    assert_eq!(order(&server, &run, &key, "stop").await.json()["state"], "stopped");
    order(&server, &run, &key, "resume").await.is_refused(409, "run/state");
    order(&server, &run, "", "remove").await.is_refused(403, "run/key");
    order(&server, &run, &key, "remove").await;
    server.get(&format!("/api/lab/runs/{run}")).await.is_refused(404, "run/unknown");
    assert_eq!(server.get("/api/lab/runs").await.json(), json!([]));
}

#[tokio::test]
async fn of_many_who_resume_a_run_one_does_and_it_can_be_stopped() {
    let server = TestServer::with(with_limits(|limits| limits.runs_per_address = 2));
    // Nothing is faster than these games, so that there is always something to store.
    let (run, key) = made(&server, &balance(&["nim:heaps=1,size=1", "tic-tac-toe"], 20_000)).await;
    for _ in 0..5 {
        assert_eq!(order(&server, &run, &key, "pause").await.json()["state"], "paused");
        let replies = join_all((0..6).map(|_| order(&server, &run, &key, "resume"))).await;
        let accepted = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(accepted, 1, "{:?}", replies.iter().map(Response::text).collect::<Vec<_>>());
        replies.iter().filter(|reply| reply.status != 200).for_each(|reply| reply.is_refused(409, "run/state"));
        view_where(&server, &run, |view| view["state"] == "running").await;
    }
    // In whatever order they are carried out, it does not work any more.
    let ways = ["pause", "resume", "stop", "stop"];
    join_all(ways.map(|what| order(&server, &run, &key, what))).await;
    order(&server, &run, &key, "stop").await;
    assert_eq!(view(&server, &run).await["state"], "stopped");
    // Its places are free again.
    made(&server, &balance(&["tic-tac-toe"], 20_000)).await;
    made(&server, &balance(&["tic-tac-toe"], 20_000)).await;
}

#[tokio::test]
async fn paused_runs_are_few_and_the_files_of_forgotten_ones_are_removed() {
    agents_folder();
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let limits = with_limits(|limits| {
        limits.runs_per_address = 1;
        limits.runs_kept = 3;
    });
    let server = TestServer::with(Config { database, ..limits });
    let mut files = Vec::new();
    let mut keys = Vec::new();
    for _ in 0..2 {
        let (run, key) = made(&server, &training(3_000_000)).await;
        assert_eq!(order(&server, &run, &key, "pause").await.json()["state"], "paused");
        files.push(folder.path().join("tables.sqlite-runs").join(format!("{run}.zip")));
        keys.push((run, key));
    }
    assert!(files.iter().all(|file| file.exists()));
    let refused = server.post("/api/lab/runs", &training(10)).await;
    assert!(refused.text().contains("paused"), "{}", refused.text());
    refused.is_refused(429, "run/too-many");
    // One that is resumed is paused no more.
    let (run, key) = &keys[1];
    order(&server, run, key, "resume").await;
    order(&server, run, key, "stop").await;
    for _ in 0..2 {
        let (run, _) = made(&server, &balance(&["nim:heaps=1,size=1"], 1)).await;
        done(&server, &run).await;
    }
    // The stopped one was forgotten first.
    server.get(&format!("/api/lab/runs/{run}")).await.is_refused(404, "run/unknown");
    assert_eq!((files[0].exists(), files[1].exists()), (true, false));
}

#[tokio::test]
async fn what_would_take_all_memory_is_refused_before_it_does() {
    let server = TestServer::start();
    let begun = std::time::Instant::now();
    // 12,870 groups of 8.
    let many = tournament("poker:players=8", &["random"; 16], 5_000);
    let learner = |learner: &str| {
        json!({ "kind": "training", "game": "connect-four", "learner": learner, "games": 1_000, "seed": 1,
                "against": "random", "starts": "start", "measure_games": 2 })
    };
    // Two hundred million weights, and ten million positions.
    let large = ["ntuple:tuples=400x12,tcl=exp", "alphazero:net=layers,window=10000000"].map(learner);
    for path in ["/api/lab/runs", "/api/lab/try"] {
        let refused = server.post(path, &many).await;
        assert!(refused.text().contains("not 64350000"), "{}", refused.text());
        refused.is_refused(422, "run/out-of-range");
        for large in &large {
            let refused = server.post(path, large).await;
            assert_eq!(refused.json()["param"], "learner");
            refused.is_refused(422, "run/too-large");
        }
    }
    // More than any agent may have.
    let refused = server.post("/api/lab/runs", &learner("ntuple:tuples=2000x12,tcl=exp")).await;
    assert_eq!(refused.json()["param"], "learner");
    assert!(refused.text().contains("fewer or shorter tuples"), "{}", refused.text());
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn what_is_no_run_is_refused_with_a_sentence() {
    let server = TestServer::start();
    for (request, code, says) in [
        (tournament("chess", &["random", "level:1"], 1), "spec/unknown-game", "chess"),
        (tournament("hex", &["random"], 1), "run/out-of-range", "agents: from 2 to 16 are taken, not 1"),
        (tournament("hex", &["random", "level:1"], 0), "run/out-of-range", "games"),
        (tournament("hex", &["random", "level:1"], 6_000), "run/out-of-range", "games"),
        (tournament("hex", &["random", "nobody"], 1), "agent/unknown", "nobody"),
        (tournament("hex", &["random", "mcts:sims=1000000"], 1), "agent/not-offered", "not offered"),
        (tournament("hex", &["random", "best:time=5s"], 1), "agent/not-offered", "at most 1 second"),
        (balance(&[], 10), "run/out-of-range", "variants"),
        (balance(&["hex:size=99"], 10), "spec/bad-value", "size"),
        (balance(&["hex"], 1_000_000), "run/out-of-range", "games"),
        (json!({ "kind": "nothing" }), "message/malformed", "nothing"),
    ] {
        let response = server.post("/api/lab/runs", &request).await;
        let refusal = response.json();
        assert_eq!(refusal["code"], code, "{request}: {refusal}");
        assert!(refusal["message"].as_str().unwrap().contains(says), "{request}: {refusal}");
    }
    assert_eq!(server.get("/api/lab/runs").await.json(), json!([]));
    server.get("/api/lab/runs/nothing").await.is_refused(404, "run/unknown");
    server.get("/api/lab/runs/nothing/progress").await.is_refused(404, "run/unknown");
    // From another site's page.
    let body = balance(&["hex"], 10).to_string();
    let headers = [("origin", "https://elsewhere.example")];
    server.request("POST", "/api/lab/runs", &headers, &body).await.is_refused(403, "origin/wrong");
}

#[tokio::test]
async fn so_many_runs_work_for_an_address_at_a_time() {
    let server = TestServer::with(with_limits(|limits| limits.runs_per_address = 2));
    let long = tournament("hex:size=5", &["level:3", "level:4"], 1_000);
    let (first, key) = made(&server, &long).await;
    made(&server, &long).await;
    server.post("/api/lab/runs", &long).await.is_refused(429, "run/too-many");
    order(&server, &first, &key, "pause").await;
    let (_, other_key) = made(&server, &long).await;
    assert_ne!(other_key, key);
    order(&server, &first, &key, "resume").await.is_refused(429, "run/too-many");
}

#[tokio::test]
async fn a_server_without_a_lab_says_so() {
    let server = TestServer::with(Config { lab: false, ..config() });
    server.get("/api/lab/runs").await.is_refused(404, "lab/off");
    server.post("/api/lab/runs", &balance(&["hex"], 10)).await.is_refused(404, "lab/off");
    server.post("/api/lab/try", &balance(&["hex"], 10)).await.is_refused(404, "lab/off");
    server.get("/api/lab/agents?spec=hex").await.is_refused(404, "lab/off");
    let asked = json!({ "of": { "kind": "run", "run": "x", "number": 7 } });
    server.post("/api/analysis", &asked).await.is_refused(404, "lab/off");
    assert!(!server.get("/").await.text().contains("name=\"lab\""), "the page does not know of it");
    let with = TestServer::start();
    assert!(with.get("/").await.text().contains("<meta name=\"lab\" content=\"on\">"));
}

#[tokio::test]
async fn runs_leave_time_for_tables() {
    // One thread for all, and three runs that want it all the time.
    let server = TestServer::with(Config { engine_threads: 1, ..config() });
    for _ in 0..3 {
        made(&server, &tournament("hex:size=5", &["level:3", "level:4"], 1_000)).await;
    }
    let seats = json!([{"kind": "me"}, {"kind": "engine", "agent": "random"}]);
    let table = server.table("tic-tac-toe", seats).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    client.view().await;
    client.play("1", 0, "b2", 0).await;
    // The engine replies while the runs go on.
    client.view_after(2).await;
}

#[tokio::test]
async fn hidden_cards_are_told_of_games_that_are_over_only() {
    let server = TestServer::start();
    let (run, key) = made(&server, &tournament("poker:players=2", &["random", "level:1"], 2_000)).await;
    view_where(&server, &run, |view| view["n_done"].as_u64().unwrap() > 0).await;
    order(&server, &run, &key, "pause").await;
    // What is told of the run names no card; each game that can be asked for has its result.
    let told = view(&server, &run).await;
    assert!(told["progress"].get("picture").is_none() && told["progress"].get("plies").is_none());
    let games = server.get(&format!("/api/lab/runs/{run}/games")).await.json();
    let n = games.as_array().unwrap().len();
    assert_eq!(told["n_done"], n, "no game that goes on is among them");
    let last = server.get(&format!("/api/lab/runs/{run}/games/{}", n - 1)).await.json();
    assert!(last["result"]["payoffs"].is_array());
    server.get(&format!("/api/lab/runs/{run}/games/{n}")).await.is_refused(404, "run/unknown");
}

#[tokio::test]
async fn an_agent_learns_is_kept_exported_and_imported_and_plays() {
    agents_folder();
    let server = TestServer::start();
    let (run, key) = made(&server, &training(4_000)).await;
    let view = done(&server, &run).await;
    assert_eq!((&view["state"], &view["n_done"]), (&json!("done"), &json!(4_000)), "{view}");
    let progress = &view["progress"];
    let points = progress["points"].as_array().unwrap();
    // Before the first game, dense at first, then every tenth.
    let games: Vec<u64> = points.iter().map(|point| point["games"].as_u64().unwrap()).collect();
    assert_eq!(games[..8], [0, 4, 8, 20, 40, 80, 200, 400]);
    assert_eq!((points.len(), games[16]), (17, 4_000));
    assert!(points[16]["measure"]["score"]["value"].as_f64() > points[0]["measure"]["score"]["value"].as_f64());
    assert!(progress["measuring"].is_null(), "it is over");
    assert_eq!(progress["start"]["marks"].as_array().unwrap().len(), 9);
    let frames = server.get(&format!("/api/lab/runs/{run}/sample")).await.json();
    let n_plies = progress["sample"]["plies"].as_array().unwrap().len();
    assert_eq!(frames.as_array().unwrap().len(), n_plies + 1);

    let keep = |name: &'static str| json!({ "key": key, "do": "keep", "name": name });
    let path = format!("/api/lab/runs/{run}");
    server.post(&path, &keep("../x")).await.is_refused(422, "agent/no-name");
    assert_eq!(server.post(&path, &keep("learned")).await.status, 200);
    server.post(&path, &keep("learned")).await.is_refused(422, "agent/taken");
    let listed = server.get("/api/lab/trained").await.json();
    let agent = listed.as_array().unwrap().iter().find(|agent| agent["name"] == "learned").unwrap();
    assert_eq!(
        (&agent["game"], &agent["games"], &agent["damaged"]),
        (&json!("tic-tac-toe"), &json!(4_000), &json!(null))
    );
    let tuples = server.get("/api/lab/trained/learned/tuples").await.json();
    assert_eq!((tuples["tuples"].as_array().unwrap().len(), &tuples["grids"][0][1]), (6, &json!(3)));
    assert!(tuples["n_visited"].as_u64() > Some(0) && tuples["n_visited"].as_u64() <= tuples["n_weights"].as_u64());

    let archive = server.get("/api/lab/trained/learned/file").await.body;
    assert!(trained::import(&server, "again", &archive).await.status == 201);
    trained::import(&server, "again", &archive).await.is_refused(422, "agent/taken");
    for at in [0, archive.len() / 3, archive.len() / 2, archive.len() - 1] {
        let mut damaged = archive.clone();
        damaged[at] ^= 0x10;
        trained::import(&server, "damaged", &damaged).await.is_refused(422, "agent/refused");
    }
    // It is an engine like any other, of its game only.
    let spec = json!("trained:again");
    let offered = |agents: Value| agents.as_array().unwrap().iter().any(|agent| agent["spec"] == spec);
    assert!(offered(server.get("/api/agents?spec=tic-tac-toe").await.json()));
    assert!(!offered(server.get("/api/agents?spec=hex").await.json()));
    let table =
        server.table("tic-tac-toe", json!([{"kind": "me"}, {"kind": "engine", "agent": "trained:again"}])).await;
    let mut client = server.hello(&table.id, &[&table.keys[0]]).await;
    client.view().await;
    client.play("1", 0, "b2", 0).await;
    client.view_after(2).await;
    let (meets, _) = made(&server, &tournament("tic-tac-toe", &["random", "trained:again"], 20)).await;
    let agents = done(&server, &meets).await["progress"]["agents"].clone();
    assert!(agents[1]["points"].as_f64() > agents[0]["points"].as_f64(), "{agents}");
    let seats = json!([{"kind": "me"}, {"kind": "engine", "agent": "trained:again"}]);
    assert_ne!(server.post("/api/tables", &json!({ "game": "hex", "seats": seats })).await.status, 201);
}

mod trained {
    use std::net::Ipv4Addr;

    use super::{Response, TestServer};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpSocket, TcpStream};

    /// Begins to send an archive, which is no text.
    pub(super) async fn begin_from(server: &TestServer, from: Ipv4Addr, name: &str, len: usize) -> TcpStream {
        let head = format!(
            "POST /api/lab/trained?name={name} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {len}\r\n\r\n",
            server.address,
        );
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    pub(super) async fn import(server: &TestServer, name: &str, archive: &[u8]) -> Response {
        import_from(server, Ipv4Addr::LOCALHOST, name, archive).await
    }

    pub(super) async fn import_from(server: &TestServer, from: Ipv4Addr, name: &str, archive: &[u8]) -> Response {
        let mut stream = begin_from(server, from, name, archive.len()).await;
        // The server may respond and close before it has read everything.
        let _ = stream.write_all(archive).await;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).await.unwrap();
        Response::read(&reply)
    }
}

#[tokio::test]
async fn an_archive_that_is_small_only_while_it_is_packed_is_refused_before_it_is_unpacked() {
    agents_folder();
    let server = TestServer::start();
    let archive =
        write_archive(&vec![("a.bin".into(), vec![0; 4 << 20]), ("manifest.json".into(), vec![0; 2 << 20])], true);
    let refused = trained::import(&server, "bomb", &archive).await;
    refused.is_refused(422, "agent/refused");
    assert!(refused.text().contains("manifest.json is too large"), "{}", refused.text());
}

#[tokio::test]
async fn an_import_that_does_not_arrive_keeps_no_other_address_waiting() {
    agents_folder();
    let server = TestServer::start();
    let mut stalled = Vec::new();
    for host in 2..6 {
        let from = std::net::Ipv4Addr::new(127, 0, 0, host);
        stalled.push(trained::begin_from(&server, from, "a", 10).await);
        // It is there once another one from the same address is refused.
        let mut busy = trained::import_from(&server, from, "b", b"no archive").await.json();
        while busy["code"] != "server/busy" {
            tokio::time::sleep(Duration::from_millis(50)).await;
            busy = trained::import_from(&server, from, "b", b"no archive").await.json();
        }
        assert!(busy["message"].as_str().unwrap().contains("from your address"), "{busy}");
    }
    trained::import(&server, "c", b"no archive").await.is_refused(422, "agent/refused");
    // Its own address can go on once it has gone.
    stalled.clear();
    let from = std::net::Ipv4Addr::new(127, 0, 0, 2);
    while trained::import_from(&server, from, "b", b"no archive").await.json()["code"] != "agent/refused" {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A training of Connect Four that is measured against an opponent which takes long.
fn measured_slowly() -> Value {
    let learner = "ntuple:tuples=10x4,below=support";
    json!({ "kind": "training", "game": "connect-four", "learner": learner, "games": 1_000_000, "seed": 1,
            "against": "perfect", "starts": "start", "seat": 0, "measure_games": 2_000 })
}

#[tokio::test]
async fn a_training_that_is_being_measured_says_so_and_pauses_at_once() {
    agents_folder();
    let server = TestServer::start();
    let (run, key) = made(&server, &measured_slowly()).await;
    let measuring = view_where(&server, &run, |view| view["progress"]["measuring"].is_object()).await;
    assert_eq!(measuring["progress"]["measuring"]["is_final"], false);
    let asked = std::time::Instant::now();
    assert_eq!(order(&server, &run, &key, "pause").await.json()["state"], "paused");
    // A ply of the opponent takes a second at most; the rest is for a slow machine.
    assert!(asked.elapsed() < std::time::Duration::from_secs(10), "{:?}", asked.elapsed());
    // Measuring is bounded in time, so that it trains soon, and the point says how many games it has.
    order(&server, &run, &key, "resume").await;
    let trained = view_where(&server, &run, |view| view["n_done"].as_u64() > Some(0)).await;
    let games = trained["progress"]["points"][0]["measure"]["games"].as_u64().unwrap();
    assert!((1..2_000).contains(&games), "{games}");
    order(&server, &run, &key, "remove").await;
}

#[tokio::test]
async fn a_long_game_with_secrets_is_shown_once_it_is_over() {
    agents_folder();
    let server = TestServer::start();
    let learner = "alphazero:net=layers,width=8,blocks=1,sims=2";
    let request = json!({ "kind": "training", "game": "jabirs-transmutations", "learner": learner, "games": 1_000,
                          "seed": 1, "against": "random", "starts": "start", "measure_games": 2 });
    let (run, key) = made(&server, &request).await;
    let shown = view_where(&server, &run, |view| view["progress"]["sample"].is_object()).await;
    // It has some 600 plies, of which the first are shown.
    assert_eq!(shown["progress"]["sample"]["plies"].as_array().unwrap().len(), 200);
    order(&server, &run, &key, "remove").await;
}

#[tokio::test]
async fn a_training_goes_on_from_its_checkpoint() {
    agents_folder();
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let server = TestServer::on(&database);
    // Long enough not to be over when it is paused, on any machine.
    let (run, key) = made(&server, &training(3_000_000)).await;
    view_where(&server, &run, |view| view["n_done"].as_u64() > Some(0)).await;
    let paused = order(&server, &run, &key, "pause").await.json();
    assert_eq!(paused["state"], "paused");
    let n_paused = paused["n_done"].as_u64().unwrap();
    assert!(folder.path().join("tables.sqlite-runs").join(format!("{run}.zip")).exists());
    server.crash();

    let server = TestServer::on(&database);
    assert_eq!(view(&server, &run).await, paused);
    order(&server, &run, &key, "resume").await;
    let view = view_where(&server, &run, |view| view["n_done"].as_u64() > Some(n_paused)).await;
    assert!(view["progress"]["plies"].as_u64() > paused["progress"]["plies"].as_u64(), "it did not begin anew");
    assert_eq!(order(&server, &run, &key, "stop").await.json()["state"], "stopped");
    order(&server, &run, &key, "remove").await;
    assert!(!folder.path().join("tables.sqlite-runs").join(format!("{run}.zip")).exists());
}
