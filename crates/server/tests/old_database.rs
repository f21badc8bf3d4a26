//! A database written before tables had positions and versions still opens, replays and goes on. `fixtures/README.md`
//! says how it was made.

use std::path::Path;

use raichi_core::record::Record;
use serde_json::{Value, json};

use crate::common::{TestServer, first_action};

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Whether written as 1 or as 1.0.
fn numbers(list: &Value) -> Option<Vec<f64>> {
    list.as_array().map(|list| list.iter().map(|number| number.as_f64().unwrap()).collect())
}

#[tokio::test]
async fn every_table_is_as_it_was_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.sqlite");
    std::fs::copy(fixture("tables.sqlite"), &database).unwrap();
    let tables: Value = serde_json::from_slice(&std::fs::read(fixture("tables.json")).unwrap()).unwrap();
    let tables = tables.as_array().unwrap();
    let server = TestServer::on(&database);
    for table in tables {
        let (id, game) = (table["table"].as_str().unwrap(), table["game"].as_str().unwrap());
        for holder in table["holders"].as_array().unwrap() {
            let mut view = server.hello(id, &[holder["key"].as_str().unwrap()]).await.view().await;
            // Which ply begins a round was not said then.
            for ply in view["plies"].as_array_mut().unwrap() {
                ply.as_object_mut().unwrap().remove("begins");
            }
            for field in ["you", "n_plies", "plies", "to_act"] {
                assert_eq!(view[field], holder[field], "{game}: {field} of seat {}", holder["seat"]);
            }
            assert_eq!(view["result"]["end"], holder["result"]["end"], "{game}");
            assert_eq!(numbers(&view["result"]["payoffs"]), numbers(&holder["result"]["payoffs"]), "{game}");
            let today = raichi_games::game(&raichi_games::spec_of_version(1, game)).unwrap();
            assert_eq!(view["game"], today.spec(), "{game}");
            assert_eq!((&view["seed_hash"], &view["start"]), (&table["seed_hash"], &Value::Null), "{game}");
            assert_eq!(view["next_table"]["table"], table["next_table"], "{game}");
        }
    }

    let mut n_plies_after = Vec::new();
    for table in tables {
        let (id, game) = (table["table"].as_str().unwrap(), table["game"].as_str().unwrap());
        let keys: Vec<&str> =
            table["holders"].as_array().unwrap().iter().map(|holder| holder["key"].as_str().unwrap()).collect();
        let mut everybody = server.hello(id, &keys).await;
        let view = everybody.view().await;
        if let Some((seat, choices)) = view["choices"].as_object().unwrap().iter().next() {
            let n_plies = view["n_plies"].as_u64().unwrap() as usize;
            let action = first_action(choices);
            let reply = everybody.play("next", seat.parse().unwrap(), action.as_str().unwrap(), n_plies).await;
            assert_eq!((&reply["type"], &reply["n_plies"]), (&json!("ack"), &json!(n_plies + 1)), "{game}: {reply}");
            n_plies_after.push((id, n_plies + 1));
        } else {
            assert_eq!(view["to_act"], "over", "{game}");
            let text = server.get(&format!("/api/tables/{id}/record")).await.text();
            let record = Record::from_line(&text, 1).unwrap();
            let before: Record = serde_json::from_value(table["record"].clone()).unwrap();
            assert_eq!((before.version, record.version), (1, 2));
            assert_eq!(before.plies, record.plies, "{game}");
            assert_eq!(before.result, record.result, "{game}");
            assert_eq!(raichi_games::game_of_record(&before).unwrap().spec(), record.game);
            for record in [before, record] {
                assert_eq!(raichi_server::check_fairness(&record).unwrap(), table["seed_hash"].as_str().unwrap());
            }
            n_plies_after.push((id, view["n_plies"].as_u64().unwrap() as usize));
        }
    }
    server.crash();

    let server = TestServer::on(&database);
    for (id, n_plies) in n_plies_after {
        let view = server.hello(id, &[]).await.view().await;
        assert!(view["n_plies"].as_u64().unwrap() as usize >= n_plies, "{view}");
    }
}
