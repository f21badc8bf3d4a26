//! The server as a process of its own: found at the address it prints, killed in mid-game, started again.

use serde_json::json;

use crate::running::refused;
use crate::serving::Running;

#[test]
fn an_acknowledged_ply_survives_a_killed_server() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let database = database.to_str().unwrap();

    let server = Running::start(database);
    let seats = json!([{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bob"}]);
    let made = server.post("/api/tables", &json!({"game": "tic-tac-toe", "seats": seats}));
    let table = made["table"].as_str().unwrap().to_string();
    let keys: Vec<&str> = made["keys"].as_array().unwrap().iter().map(|key| key["key"].as_str().unwrap()).collect();
    let mut line = server.sit_down(&table, &keys);
    line.play(0, "b2", 0);
    line.play(1, "a1", 1);
    server.kill();

    let server = Running::start(database);
    let mut line = server.sit_down(&table, &keys);
    let view = line.until(|message| message["type"] == "view");
    assert_eq!(view["n_plies"], 2, "{view}");
    let texts: Vec<&str> = view["plies"].as_array().unwrap().iter().map(|ply| ply["text"].as_str().unwrap()).collect();
    assert_eq!((texts, &view["to_act"], &view["you"]), (vec!["b2", "a1"], &json!([0]), &json!([0, 1])));
    // The seats are held as before, and the game goes on to its end.
    for (n_plies, action) in [(2, "b1"), (3, "a2"), (4, "b3")] {
        line.play(n_plies % 2, action, n_plies);
    }
    let end = line.until(|message| message["type"] == "view" && !message["result"].is_null());
    assert_eq!((&end["result"]["payoffs"], &end["result"]["end"]), (&json!([1.0, -1.0]), &json!("line")));
    server.kill();
}

#[test]
fn an_address_that_is_taken_is_explained() {
    let server = Running::start(":memory:");
    let args = ["serve", "--database", ":memory:", "--address", &server.address];
    refused(&args, 1, &[&server.address, "another program listens there", "--address"]);
    refused(&["serve", "--address", "here"], 2, &["here", "like 127.0.0.1:8080"]);
    refused(&["serve", "--address", "127.0.0.1:0", "--database", "/nowhere/at/all"], 1, &["/nowhere/at/all"]);
    let args = ["serve", "--address", "127.0.0.1:0", "--database", ":memory:", "--allow-origin", "nonsense"];
    refused(&args, 2, &["--allow-origin", "nonsense"]);
}

#[test]
#[cfg(unix)]
fn a_server_told_to_stop_says_goodbye() {
    let mut server = Running::start(":memory:");
    let told = std::process::Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
