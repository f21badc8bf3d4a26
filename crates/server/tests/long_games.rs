//! Games of very many plies: what is worked out about them goes on beside what serves others.

use std::time::{Duration, Instant};

use raichi_core::record::Record;
use raichi_core::{AnyMatch, Viewer};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::common::{TestServer, long_record};

/// About as many as one request may bring.
const N_PLIES: usize = 240_000;

/// A long game, and a server with one thread that serves, in whose library it is.
async fn served() -> (TestServer, String, Box<dyn AnyMatch>) {
    let server = TestServer::with_one_thread();
    let line = long_record(N_PLIES);
    let record = Record::from_line(&line, 1).unwrap();
    let played = record.replay(&*raichi_games::game_of_record(&record).unwrap()).unwrap();
    let imported = server.request("POST", "/api/library", &[], &line).await.json();
    let table = imported[0]["table"].as_str().unwrap_or_else(|| panic!("{imported}")).to_string();
    // It is opened once.
    server.get(&format!("/api/tables/{table}/sheet")).await;
    (server, table, played)
}

/// The longest that somebody else waits in the time that the server is busy for.
async fn longest_wait(server: &TestServer, busy: Duration) -> Duration {
    let (begun, mut longest) = (Instant::now(), Duration::ZERO);
    while begun.elapsed() < busy {
        let asked = Instant::now();
        assert_eq!(server.get("/health").await.status, 200);
        longest = longest.max(asked.elapsed());
    }
    longest
}

/// Whether others wait for less than half as long as something takes; once is enough, since other programs slow some tries down.
async fn others_go_on(alone: Duration, mut attempt: impl AsyncFnMut() -> Duration) {
    println!("alone it takes {alone:?}");
    let mut waits = Vec::new();
    for _ in 0..8 {
        let longest = attempt().await;
        if longest < alone / 2 {
            return;
        }
        waits.push(longest);
    }
    panic!("{waits:?} where it takes {alone:?}");
}

#[tokio::test]
async fn the_curve_of_a_long_game_is_walked_beside_what_serves_others() {
    let (server, table, played) = served().await;
    let begun = Instant::now();
    assert_eq!(played.plies().len(), N_PLIES);
    let alone = begun.elapsed();
    let body = json!({ "of": { "kind": "table", "table": table }, "agents": ["random"] }).to_string();
    let request = format!(
        "POST /api/analysis/curve HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    others_go_on(alone, async || {
        let mut curve = TcpStream::connect(server.address).await.unwrap();
        curve.write_all(request.as_bytes()).await.unwrap();
        longest_wait(&server, 12 * alone).await
    })
    .await;
}

#[tokio::test]
async fn who_looks_back_in_a_long_game_keeps_nobody_waiting() {
    let (server, table, played) = served().await;
    played.plies();
    let begun = Instant::now();
    played.picture_after(N_PLIES - 1, Viewer::Spectator);
    played.position_text_after(N_PLIES - 1, Viewer::Spectator);
    let alone = begun.elapsed();
    let mut client = server.hello(&table, &[]).await;
    client.view().await;
    let mut n = 0;
    others_go_on(alone, async || {
        for _ in 0..3 {
            n += 1;
            client.send(&json!({ "type": "look", "id": n.to_string(), "n_plies": N_PLIES - 1 })).await;
        }
        let longest = longest_wait(&server, 6 * alone).await;
        let look: Value = client.reply_to(&n.to_string()).await;
        assert_eq!(look["type"], "look", "{look}");
        longest
    })
    .await;
}
