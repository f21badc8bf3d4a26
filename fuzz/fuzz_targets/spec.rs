//! Specs from strangers: never a panic, and what is accepted has a canonical text that names itself.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(game) = raichi_games::game(text) {
        let canonical = game.spec().to_string();
        let again = raichi_games::game(&canonical).expect("canonical text is accepted");
        assert_eq!(again.spec(), canonical);
        game.new_match();
    }
});
