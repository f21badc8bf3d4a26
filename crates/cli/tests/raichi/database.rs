//! The database from outside: in use, damaged, checked and copied.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::running::{output, refused, run};
use crate::serving::Running;

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tests/fixtures/tables.sqlite");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Plays some of a game there; returns how many plies were acknowledged.
fn play_a_little(server: &Running) -> u64 {
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let made = server.post("/api/tables", &json!({"game": "tic-tac-toe", "seats": seats}));
    let keys: Vec<&str> = made["keys"].as_array().unwrap().iter().map(|key| key["key"].as_str().unwrap()).collect();
    let mut line = server.sit_down(made["table"].as_str().unwrap(), &keys);
    for (n_plies, action) in ["b2", "a1", "c3"].into_iter().enumerate() {
        line.play(n_plies as u64 % 2, action, n_plies as u64);
    }
    3
}

#[test]
fn a_second_server_on_a_database_is_told_who_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    let first = Running::start(text(&database));
    let process = format!("process {}", first.child.id());
    let at = format!("at http://{}", first.address);
    let serve = ["serve", "--address", "127.0.0.1:0", "--database", text(&database)];
    refused(&serve, 1, &["tables.sqlite cannot be used", "another server is using it", &process, ", since ", &at]);
    play_a_little(&first);
    // A killed server leaves no lock behind.
    first.kill();
    let second = Running::start(text(&database));
    refused(&serve, 1, &[&format!("process {}", second.child.id())]);
    play_a_little(&second);
    second.kill();
    assert!(output(&["check", text(&database)]).contains("whole: 2 tables with 6 plies"));
}

#[test]
fn a_database_is_checked_and_copied_while_a_server_uses_it() {
    let folder = tempfile::tempdir().unwrap();
    let [database, copy] = ["tables.sqlite", "copy.sqlite"].map(|name| folder.path().join(name));
    let server = Running::start(text(&database));
    play_a_little(&server);
    assert_eq!(output(&["check", text(&database)]), "whole: 1 table with 3 plies\n");
    let copied = output(&["backup", text(&database), text(&copy)]);
    assert_eq!(copied, format!("1 table copied to {}\n", copy.display()));
    play_a_little(&server);
    refused(&["backup", text(&database), text(&copy)], 1, &["copy.sqlite", "it is not replaced"]);
    refused(&["backup", text(&database), "/nowhere/copy.sqlite"], 1, &["/nowhere/copy.sqlite"]);
    refused(&["backup", "/nowhere/tables.sqlite", text(&copy)], 1, &["/nowhere/tables.sqlite"]);
    server.kill();
    assert_eq!(output(&["check", text(&copy)]), "whole: 1 table with 3 plies\n");
    assert_eq!(output(&["check", text(&database)]), "whole: 2 tables with 6 plies\n");
    // A copy is served like any other.
    let server = Running::start(text(&copy));
    play_a_little(&server);
    server.kill();
    assert_eq!(output(&["check", text(&copy)]), "whole: 2 tables with 6 plies\n");
}

/// Returns the id of the table.
fn damage_a_table(database: &Path) -> String {
    let connection = rusqlite::Connection::open(database).unwrap();
    let id: String = connection
        .query_row("SELECT table_id FROM plies WHERE ply = 2 AND text NOT LIKE '~%'", [], |row| row.get(0))
        .unwrap();
    connection.execute("UPDATE plies SET text = 'nonsense' WHERE table_id = ? AND ply = 2", [&id]).unwrap();
    id
}

#[test]
fn a_database_of_an_earlier_version_is_checked_and_copied_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["old.sqlite", "today.sqlite"] {
        fs::copy(FIXTURE, at(name)).unwrap();
    }
    Running::start(text(&at("today.sqlite"))).kill();
    let whole = output(&["check", text(&at("old.sqlite"))]);
    assert!(whole.starts_with("whole: "), "{whole}");
    assert_eq!(whole, output(&["check", text(&at("today.sqlite"))]));
    output(&["backup", text(&at("old.sqlite")), text(&at("copy.sqlite"))]);
    assert!(fs::read(at("old.sqlite")).unwrap() == fs::read(FIXTURE).unwrap(), "it has changed");
    // A server of that version could go on with the copy, and so can today's.
    assert_eq!(whole, output(&["check", text(&at("copy.sqlite"))]));
    Running::start(text(&at("copy.sqlite"))).kill();
    assert_eq!(whole, output(&["check", text(&at("copy.sqlite"))]));

    let id = damage_a_table(&at("old.sqlite"));
    let checked = run(&["check", text(&at("old.sqlite"))]);
    assert_eq!(checked.code, 3, "{}", checked.err);
    assert!(checked.out.contains(&format!("table {id} is damaged: the rules refuse ply 3")), "{}", checked.out);
}

#[test]
fn the_log_says_once_that_a_table_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    fs::copy(FIXTURE, &database).unwrap();
    Running::start(text(&database)).kill();
    let id = damage_a_table(&database);
    let log = folder.path().join("log");
    let server = Running::start_logging(text(&database), fs::File::create(&log).unwrap());
    for path in ["record", "sheet", "record"] {
        let reply = server.get(&format!("/api/tables/{id}/{path}"));
        assert!(reply.starts_with("HTTP/1.1 500 ") && reply.contains("table/damaged"), "{reply}");
    }
    server.kill();
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(log.matches("ERROR").count(), 1, "{log}");
    assert!(log.contains(&format!("table {id} is damaged: the rules refuse ply 3")), "{log}");
}

#[test]
fn what_is_damaged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty.sqlite"), "").unwrap();
    fs::write(at("notes.txt"), "not a database".repeat(50)).unwrap();
    refused(&["check", text(&at("none.sqlite"))], 1, &["none.sqlite", "no such file"]);
    refused(&["check", text(&at("empty.sqlite"))], 1, &["empty.sqlite", "empty (0 bytes)"]);
    refused(&["check", text(&at("notes.txt"))], 1, &["notes.txt", "not an SQLite database"]);
    for name in ["empty.sqlite", "notes.txt"] {
        refused(&["serve", "--address", "127.0.0.1:0", "--database", text(&at(name))], 1, &[name]);
    }

    let database = at("tables.sqlite");
    fs::copy(FIXTURE, &database).unwrap();
    Running::start(text(&database)).kill();
    let id = damage_a_table(&database);
    let checked = run(&["check", text(&database)]);
    assert_eq!(checked.code, 3, "{}", checked.err);
    assert!(checked.out.contains(&format!("table {id} is damaged: the rules refuse ply 3")), "{}", checked.out);
    assert!(checked.err.contains("1 fault, listed above"), "{}", checked.err);

    let cut = fs::OpenOptions::new().write(true).open(&database).unwrap();
    cut.set_len(cut.metadata().unwrap().len() / 2 / 4096 * 4096).unwrap();
    refused(&["check", text(&database)], 3, &["tables.sqlite", "damaged"]);
    let serve = ["serve", "--address", "127.0.0.1:0", "--database", text(&database)];
    refused(&serve, 1, &["tables.sqlite", "damaged", "Restore a backup"]);
}
