//! The server as a process of its own: found at the address it prints, killed in mid-game, started again.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::running::{raichi, refused};
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

/// The settings that these arguments, these variables and this file come to.
fn settings(args: &[&str], variables: &[(&str, &str)], file: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raichi.toml");
    std::fs::write(&path, file).unwrap();
    let mut command = raichi(&["serve", "--print-settings", "--settings", path.to_str().unwrap()]);
    let output = command.args(args).envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_setting_comes_from_the_command_line_the_environment_a_file_or_its_default() {
    let file =
        "base-path = \"/file/\"\nallow-origin = [\"https://a.example\"]\n[limits]\nhello = \"7s\"\nwebsockets = 7\n";
    let variables =
        [("RAICHI_HELLO", "8s"), ("RAICHI_WEBSOCKETS", "8"), ("RAICHI_ALLOW_ORIGIN", "http://b.c,http://d.e")];
    let printed = settings(&["--websockets", "9"], &variables, file);
    for line in [
        "base-path = \"/file/\"",
        "allow-origin = [\"http://b.c\", \"http://d.e\"]",
        "hello = \"8s\"",
        "websockets = 9",
        "idle-table = \"2m\"",
        "database = \"raichi.sqlite\"",
        "log-format = \"text\"",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line} is not in\n{printed}");
    }
    // What is printed is such a file.
    assert_eq!(settings(&[], &[], &printed), printed);
}

#[test]
fn settings_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raichi.toml");
    let path = path.to_str().unwrap();
    let args = ["serve", "--print-settings", "--settings", path];
    refused(&args, 1, &[path, "cannot be read"]);
    std::fs::write(path, "[limits]\nwebsocket = 3\n").unwrap();
    refused(&args, 2, &[path, "line 2, column 1", "websocket", "`websockets`", "`idle-table`"]);
    std::fs::write(path, "[limits]\nwebsockets = 0\n").unwrap();
    refused(&args, 2, &["websockets is at least 1, not 0"]);
    refused(&["serve", "--hello", "soon"], 2, &["--hello", "like 400ms, 10s or 2m"]);
    refused(&["serve", "--base-path", "a b"], 2, &["--base-path", "like /raichi/"]);
    refused(&["serve", "--address", "127.0.0.1:0", "--database", ":memory:", "--log", "==="], 2, &["log", "==="]);
}

#[test]
fn the_log_can_be_json() {
    let args = ["serve", "--address", "127.0.0.1:0", "--database", ":memory:", "--log", "info", "--log-format", "json"];
    let mut child = raichi(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let event: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
    assert_eq!((&event["level"], event["timestamp"].is_string()), (&json!("INFO"), true), "{event}");
}

#[test]
#[cfg(unix)]
fn a_hangup_does_not_stop_a_server() {
    let server = Running::start(":memory:");
    let signal = |name: &str| std::process::Command::new("kill").args([name, &server.child.id().to_string()]).status();
    for _ in 0..3 {
        assert!(signal("-HUP").unwrap().success());
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    assert!(server.post("/api/tables", &json!({"game": "tic-tac-toe", "seats": seats}))["table"].is_string());
}

#[test]
#[cfg(unix)]
fn a_server_told_to_stop_says_goodbye() {
    let mut server = Running::start(":memory:");
    let told = std::process::Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
