//! Records of version 1 replay under the rules of their time, and go on. `fixtures/version-1/README.md` says how they
//! were made.

use std::fs;
use std::path::Path;

use raichi_core::Phase;
use raichi_core::record::Record;

#[test]
fn records_of_version_1_replay_and_go_on() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-1");
    let mut n_records = 0;
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        n_records += 1;
        let name = path.display();
        let record = Record::from_line(fs::read_to_string(&path).unwrap().trim_end(), 1).unwrap();
        assert_eq!((record.version, &record.position), (1, &None), "{name}");
        let game = raichi_games::game_of_record(&record).unwrap();
        if record.game.starts_with("focus") {
            assert!(game.spec().contains("rule=none"), "{name}: {}", game.spec());
        }
        let mut current = record.replay(&*game).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(current.n_plies(), record.plies.len());
        match record.result {
            Some(result) => {
                assert_eq!(current.end_reason(), Some(result.end.as_str()), "{name}");
                assert_eq!(current.payoffs().as_slice(), result.payoffs, "{name}");
            }
            None => {
                let Phase::Act(seats) = current.phase() else { panic!("{name}: nobody is to act") };
                let action = current.legal(seats.first()).swap_remove(0);
                current.play(seats.first(), &action).unwrap();
            }
        }
    }
    assert_eq!(n_records, 7);
}
