//! What holds of every text that a stranger may write about a game: nothing panics, what is accepted reads back, and
//! what is refused is refused in a sentence, which is returned.
//!
//! The fuzz targets ask it of what libFuzzer makes up, `crates/games/tests/corpus.rs` of the committed corpora, and
//! `cargo xtask golden` writes the sentences down.

use std::fmt::Display;

use raichi_core::erased::{AnyGame, AnyMatch};
use raichi_core::random::stream;
use raichi_core::record::Record;
use raichi_core::{Phase, Viewer};

/// Longer histories say nothing new about the parsers and take their time.
const MOST_TOKENS: usize = 100;
/// So many plies are played on from a position.
const PLIES_ON: usize = 8;

/// A spec, and what the lobby shows of the game that it names.
pub fn spec(text: &str) -> Option<String> {
    let game = match raichi_games::game(text) {
        Ok(game) => game,
        Err(why) => return sentence(&why),
    };
    let canonical = game.spec().to_string();
    let again = raichi_games::game(&canonical).expect("canonical text is accepted");
    assert_eq!(again.spec(), canonical);
    look_at(&*game, &*game.new_match());
    None
}

/// A spec, a line break, a history.
pub fn history(text: &str) -> Option<String> {
    let (spec, history) = text.split_once('\n')?;
    let game = raichi_games::game(spec).ok()?;
    let mut current = game.new_match();
    let refused = current.play_history(&beginning(history)).err();
    if let Some(why) = &refused {
        assert_eq!(Some(&*why.token), history.split_whitespace().nth(why.ply), "the first token that is refused");
        assert_eq!(why.ply, current.plies().len(), "those before it have been played");
    }
    let mut again = game.new_match();
    again.play_history(&current.history(Viewer::Referee)).expect("canonical histories are accepted");
    assert_eq!(again.plies(), current.plies());
    look_at(&*game, &*current);
    refused.and_then(|why| sentence(&why))
}

/// A spec, a line break, a position.
pub fn position(text: &str) -> Option<String> {
    let (spec, text) = text.split_once('\n')?;
    let game = raichi_games::game(spec).ok()?;
    let mut current = match game.match_at(text) {
        Ok(current) => current,
        Err(why) => {
            assert!((1..=text.chars().count() + 1).contains(&why.column), "{why}: the text has no such place");
            return sentence(&why);
        }
    };
    let canonical = current.position_text(Viewer::Referee);
    let again = game.match_at(&canonical).expect("canonical positions are accepted");
    assert_eq!((again.position_text(Viewer::Referee), again.seen_by()), (canonical, current.seen_by()));
    look_at(&*game, &*current);
    play_on(&*game, current.as_mut());
    None
}

/// Plays on at random from a position set up; a spectator's cannot be played.
fn play_on(game: &dyn AnyGame, current: &mut dyn AnyMatch) {
    let mut rng = stream(1, "position", 0);
    if current.draw_hidden(&mut rng).is_err() {
        return;
    }
    let mut observation = vec![0; game.layout().len()];
    for _ in 0..PLIES_ON {
        match current.phase() {
            Phase::Over => break,
            Phase::Chance => current.sample_outcome(&mut rng).expect("chance is to act"),
            Phase::Act(seats) => current.play_random(seats.first(), &mut rng).expect("the seat is to act"),
        }
        (0..game.facts().n_seats).for_each(|seat| current.observe(seat, &mut observation));
    }
    look_at(game, current);
}

/// A record, one line of JSON.
pub fn record(text: &str) -> Option<String> {
    let record = match Record::from_line(text, 1) {
        Ok(record) => record,
        Err(why) => return sentence(&why),
    };
    let again = Record::from_line(&record.to_line(), 1).expect("a record's own line is accepted");
    assert_eq!(again, record);
    let game = match raichi_games::game_of_record(&record) {
        Ok(game) => game,
        Err(why) => return sentence(&why),
    };
    match record.replay(&*game) {
        Ok(current) => assert_eq!(current.plies().len(), record.plies.len()),
        Err(why) => return sentence(&why),
    }
    None
}

/// A choice, as a client of a table makes it. Line by line: the spec, the history so far, the seat, the text of an action,
/// and the ids of things touched.
pub fn choice(text: &str) -> Option<String> {
    let mut lines = text.split('\n');
    let game = raichi_games::game(lines.next()?).ok()?;
    let mut current = game.new_match();
    current.play_history(&beginning(lines.next()?)).ok()?;
    let seat = lines.next()?.parse().ok()?;
    let action = lines.next()?;
    let touched: Vec<String> = lines.map(String::from).collect();
    if let Some(begun) = current.touches(seat).iter().find(|touch| touch.path.starts_with(&touched)) {
        current.caption(seat, &touched);
        current.boxed_clone().play(seat, &begun.action).expect("what can be touched can be played");
    }
    let n_plies = current.plies().len();
    match current.play(seat, action) {
        Ok(canonical) => assert_eq!(current.plies().last().map(|ply| &ply.text), Some(&canonical)),
        Err(why) => {
            assert_eq!(current.plies().len(), n_plies, "nothing has changed");
            return sentence(&why);
        }
    }
    None
}

fn beginning(history: &str) -> String {
    history.split_whitespace().take(MOST_TOKENS).collect::<Vec<_>>().join(" ")
}

/// Everything that is shown of a position to anybody.
fn look_at(game: &dyn AnyGame, current: &dyn AnyMatch) {
    let facts = game.facts();
    // Where nothing is hidden everybody is shown the same.
    let seats = if facts.hidden { 0..facts.n_seats } else { 0..0 };
    for viewer in seats.map(Viewer::Seat).chain([Viewer::Spectator]) {
        current.picture(viewer);
        current.sketch(viewer);
        current.last_marks(viewer);
    }
    match current.phase() {
        Phase::Over => assert!(current.end_reason().is_some()),
        Phase::Chance => assert!(!current.outcomes(Viewer::Referee).is_empty()),
        Phase::Act(seats) => seats.iter().for_each(|seat| assert!(!current.touches(seat).is_empty())),
    }
}

/// However long and wild the text that is refused was, a person reads one line about it.
fn sentence(error: &dyn Display) -> Option<String> {
    let sentence = error.to_string();
    assert!(sentence.chars().count() <= 1500 && !sentence.contains(char::is_control), "{sentence:?}");
    Some(sentence)
}
