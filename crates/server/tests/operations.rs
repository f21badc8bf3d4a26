//! What those who run the server see of it: alive, ready, figures; and a server under a path.

use raichi_server::Config;
use serde_json::json;

use crate::common::{TestServer, config, me_and_friend};

#[tokio::test]
async fn a_server_says_that_it_is_alive_and_ready() {
    let server = TestServer::start();
    for (path, body) in [("/health", "alive\n"), ("/ready", "ready\n")] {
        let response = server.get(path).await;
        assert_eq!((response.status, response.text().as_str()), (200, body), "{path}");
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[tokio::test]
async fn a_server_says_what_it_has_done() {
    let server = TestServer::start();
    let table = server.table("tic-tac-toe", me_and_friend()).await;
    let mut both = server.hello(&table.id, &[&table.keys[0], &table.keys[1]]).await;
    both.view().await;
    assert_eq!(both.play("1", 0, "a1", 0).await["type"], "ack");
    both.is_refused(&json!({ "type": "play", "id": "2", "seat": 0, "action": "b2", "n_plies": 1 }), "play/not-to-act")
        .await;
    server.get("/api/tables/nowhere/record").await.is_refused(404, "table/unknown");
    server.get("/no/such.file").await.is_refused(404, "path/unknown");
    let response = server.get("/metrics").await;
    assert_eq!(response.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let text = response.text();
    for line in [
        "raichi_tables_created_total 1",
        "raichi_tables_open 1",
        "raichi_websockets 1",
        "raichi_plies_acknowledged_total 1",
        "raichi_append_seconds_count 1",
        "raichi_refusals_total{code=\"play/not-to-act\"} 1",
        "raichi_refusals_total{code=\"table/unknown\"} 1",
        "raichi_http_requests_total{method=\"POST\",path=\"/api/tables\",status=\"201\"} 1",
        "raichi_http_requests_total{method=\"GET\",path=\"/api/tables/{table}/record\",status=\"404\"} 1",
        "raichi_http_requests_total{method=\"GET\",path=\"page\",status=\"404\"} 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|written| written == line), "{line} is not in\n{text}");
    }
    // Nothing that a client chooses becomes a name.
    server.request("FROBNICATE", "/api/games", &[], "").await;
    let text = server.get("/metrics").await.text();
    assert!(text.contains("method=\"other\"") && !text.contains("FROBNICATE"), "{text}");
}

#[tokio::test]
async fn a_server_can_be_under_a_path() {
    let server = TestServer::with(Config { base_path: "/raichi".into(), ..config() });
    for path in ["/raichi/api/games", "/raichi/", "/raichi", "/raichi/t/some-table", "/health", "/ready", "/metrics"] {
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
    for path in ["/api/games", "/t/some-table", "/raichix/api/games"] {
        server.get(path).await.is_refused(404, "path/unknown");
    }
    let response = server.get("/").await;
    assert_eq!((response.status, response.header("location")), (307, Some("/raichi/")));
    let seats = json!({ "game": "tic-tac-toe", "seats": me_and_friend() });
    let made = server.post("/raichi/api/tables", &seats).await;
    assert_eq!(made.status, 201, "{made:?}");
    let (table, key) = (made.json()["table"].clone(), made.json()["keys"][0]["key"].clone());
    let mut client = server.connect_at(&format!("/raichi/ws/{}", table.as_str().unwrap())).await;
    client.send(&json!({ "type": "hello", "keys": [key] })).await;
    assert_eq!(client.view().await["you"], json!([0]));
}
