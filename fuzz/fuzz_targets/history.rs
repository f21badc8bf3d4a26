//! Histories from strangers: a spec, a line break, tokens. Never a panic, and what is accepted reads back.
#![no_main]

use raichi_core::Viewer;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Some((spec, history)) = text.split_once('\n') else { return };
    let Ok(game) = raichi_games::game(spec) else { return };
    let mut current = game.new_match();
    let _ = current.play_history(history);
    let mut again = game.new_match();
    again.play_history(&current.history(Viewer::Referee)).expect("canonical histories are accepted");
    assert_eq!(again.plies(), current.plies());
    current.picture(Viewer::Spectator);
    current.sketch(Viewer::Referee);
    for seat in 0..current.facts().n_seats {
        current.touches(seat);
    }
});
