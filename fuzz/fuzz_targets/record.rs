//! Records from strangers: never a panic, and what is accepted survives its own line.
#![no_main]

use raichi_core::record::Record;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(record) = Record::from_line(text, 1) {
        let again = Record::from_line(&record.to_line(), 1).expect("a record's own line is accepted");
        assert_eq!(again.to_line(), record.to_line());
        if let Ok(game) = raichi_games::game(&record.game) {
            let _ = game.new_match().play_history(&record.history());
        }
    }
});
