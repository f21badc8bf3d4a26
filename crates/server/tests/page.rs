//! The lobby and the page.

use serde_json::json;

use crate::common::TestServer;

#[tokio::test]
async fn the_lobby_lists_every_game_with_a_picture() {
    let server = TestServer::start();
    let response = server.get("/api/games").await;
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    let games = response.json();
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), raichi_games::REGISTRY.len());
    for (game, entry) in games.iter().zip(raichi_games::REGISTRY) {
        assert_eq!(game["id"], entry.id);
        assert!(game["picture"]["areas"].as_array().is_some_and(|areas| !areas.is_empty()), "{}", entry.id);
        assert!(game["seats"].as_u64().is_some_and(|seats| seats > 0));
        let params = game["params"].as_array().unwrap();
        assert_eq!(params.last().unwrap()["name"], "max-plies");
        assert!(params.iter().all(|param| param["kind"]["type"].is_string()));
        let described = server.get(&format!("/api/describe?spec={}", entry.id)).await.json();
        assert_eq!((&described["spec"], &described["name"]), (&game["id"], &game["name"]));
        assert_eq!(described["seat_names"].as_array().unwrap().len() as u64, game["seats"].as_u64().unwrap());
    }
    let described = server.get("/api/describe?spec=connect-four:width%3D9,height%3D6").await.json();
    assert_eq!(described["spec"], "connect-four:width=9");
}

#[tokio::test]
async fn the_rules_come_with_their_positions_drawn() {
    let server = TestServer::start();
    let response = server.get("/api/rules/tablut").await;
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    let rules = response.json();
    let of_type = |kind: &str| rules.as_array().unwrap().iter().filter(|passage| passage["type"] == kind).count();
    assert!(of_type("text") > 0 && of_type("position") > 0);
    let position = rules.as_array().unwrap().iter().find(|passage| passage["type"] == "position").unwrap();
    assert!(position["spec"].as_str().unwrap().starts_with("tablut"));
    assert_eq!(position["seat_names"], json!(["Muscovites", "Swedes"]));
    assert_eq!(position["seat_tones"], json!(["black", "white"]));
    assert!(!position["picture"]["areas"][0]["pieces"].as_array().unwrap().is_empty());
    assert!(position["last"].is_array());
    server.get("/api/rules/chess").await.is_refused(422, "spec/unknown-game");
}

#[tokio::test]
async fn every_address_of_the_page_is_the_page() {
    let server = TestServer::start();
    let page = server.get("/").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text().contains("Raichi"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    for path in ["/t/0123456789abcdefghjk", "/rules/hex", "/index.html", "/anything"] {
        let other = server.get(path).await;
        assert_eq!((other.status, other.header("content-type")), (200, Some("text/html; charset=utf-8")), "{path}");
        assert!(other.text().contains("Raichi") && !other.text().contains("id=\"cards\""), "{path}");
    }
    for path in
        ["/nothing.js", "/assets/nothing.css", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd.x", "/table.html"]
    {
        let response = server.get(path).await;
        assert_eq!(response.status, 404, "{path}: {}", response.text());
    }
    let tag = page.header("etag").unwrap();
    let again = server.request("GET", "/", &[("if-none-match", tag)], "").await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[tokio::test]
async fn responses_have_the_security_headers() {
    let server = TestServer::start();
    for path in ["/", "/api/games", "/api/nothing", "/nothing.js"] {
        let response = server.get(path).await;
        let policy = response.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(response.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert!(response.header("cache-control").is_some(), "{path}");
    }
}

#[tokio::test]
async fn the_lobby_has_its_cards_in_it() {
    let server = TestServer::start();
    let (page, games) = (server.get("/").await, server.get("/api/games").await.json());
    let page = page.text();
    let (_, data) =
        page.split_once(r#"<script type="application/json" id="cards">"#).expect("the cards are in the page");
    let (data, _) = data.split_once("</script>").unwrap();
    let cards: serde_json::Value = serde_json::from_str(data).unwrap();
    let (cards, games) = (cards.as_array().unwrap(), games.as_array().unwrap());
    assert_eq!(cards.len(), games.len());
    for (card, game) in cards.iter().zip(games) {
        // Of the picture a card has what it draws, if it has it yet.
        for (field, value) in card.as_object().unwrap().iter().filter(|(field, _)| *field != "picture") {
            assert_eq!(value, &game[field], "{}", game["id"]);
        }
    }
    assert!(cards[0]["picture"]["areas"].is_array() && cards.last().unwrap()["picture"].is_null());
}

#[tokio::test]
async fn what_stays_the_same_is_compressed_as_the_client_accepts() {
    let server = TestServer::start();
    for path in ["/", "/t/0123456789abcdefghjk", "/api/games", "/api/rules/hex"] {
        let plain = server.get(path).await;
        assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")), "{path}");
        let mut lengths = vec![plain.body.len()];
        for (accepted, encoding) in [("gzip", "gzip"), ("gzip, br", "br")] {
            let response = server.request("GET", path, &[("accept-encoding", accepted)], "").await;
            assert_eq!(response.header("content-encoding"), Some(encoding), "{path}");
            assert_eq!(response.header("etag"), plain.header("etag"), "{path}");
            lengths.push(response.body.len());
        }
        assert!(lengths.is_sorted_by(|a, b| a > b), "{path}: {lengths:?}");
        let tag = [("if-none-match", plain.header("etag").unwrap()), ("accept-encoding", "br")];
        let again = server.request("GET", path, &tag, "").await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    // What is made for one request is compressed then.
    let described = server.request("GET", "/api/describe?spec=hex", &[("accept-encoding", "gzip, br")], "").await;
    assert_eq!(described.header("content-encoding"), Some("gzip"));
}
