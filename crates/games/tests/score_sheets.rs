//! Score sheets of every game that has them: written, read back, and refused where they are wrong.

use raichi_core::random::stream;
use raichi_core::score_sheet::{SheetError, has_sheets, play, record, written};
use raichi_core::{Phase, Viewer};
use raichi_games::{REGISTRY, game};

#[test]
fn a_sheet_reads_back_to_the_same_game() {
    let mut n_games = 0;
    for entry in REGISTRY {
        let game = (entry.create)(None).expect("the defaults make a game");
        let mut current = game.new_match();
        let mut rng = stream(7, "sheets", 0);
        while let Phase::Act(seats) = current.phase() {
            if current.n_plies() == 40 || current.play_random(seats.first(), &mut rng).is_err() {
                break;
            }
        }
        let Some(sheet) = written(&*current) else {
            assert!(!has_sheets(&game.facts()));
            continue;
        };
        n_games += 1;
        for text in [sheet.clone(), current.history(Viewer::Referee)] {
            let mut again = game.new_match();
            play(&mut *again, &text).unwrap_or_else(|why| panic!("{}: {why}: {text}", entry.id));
            assert_eq!(written(&*again).as_ref(), Some(&sheet), "{}", entry.id);
        }
        let numbers = sheet.split(' ').filter(|token| token.ends_with('.'));
        assert_eq!(sheet.split(' ').count() - numbers.count(), current.n_plies());
    }
    assert!(n_games >= 10, "{n_games} games have score sheets");
}

#[test]
fn the_sources_sheet_of_kaalu_is_read() {
    let mut current = game("kaalu").expect("the defaults make a game").new_match();
    play(&mut *current, "1. a b 2. a c 3. a1/1c b").unwrap();
    assert_eq!(current.history(Viewer::Referee), "a b a c a1/1c b");
    assert_eq!(written(&*current).as_deref(), Some("1. a b 2. a c 3. a1/1c b"));
}

#[test]
fn a_sheet_with_other_letters_is_the_same_game() {
    let kaalu = game("kaalu").expect("the defaults make a game");
    let read = |sheet| record(&*kaalu, sheet, vec!["Ann".into(), "Bob".into()], "test").unwrap();
    let one = read("1. a b 2. a c 3. a1/1c b");
    assert_eq!(one.history(), "a b a c a1/1c b");
    for other in ["1. c a 2. c g 3. c1/1g a", "f d f e f1/1e d"] {
        assert_eq!(read(other), one, "{other}");
    }
    assert_ne!(read("1. a b 2. a c 3. a1/1b c"), one);
    // A record of plies too, and it replays.
    let mut foreign = one.clone();
    for (ply, text) in foreign.plies.iter_mut().zip(["g", "f", "g", "e", "g1/1e", "f"]) {
        ply.text = text.into();
    }
    assert!(foreign.replay(&*kaalu).is_err());
    assert_eq!(foreign.in_normal_form(&*kaalu), one);
    // Games that are written in one way only stay as they are.
    let hex = game("hex:size=3").expect("the spec makes a game");
    assert_eq!(record(&*hex, "1. b2 a1", vec![], "test").unwrap().history(), "b2 a1");
    assert!(record(&*kaalu, "1. h b", vec![], "test").is_err());
}

#[test]
fn wrong_sheets_are_refused_with_the_place() {
    let why = |spec: &str, sheet: &str| play(&mut *game(spec).unwrap().new_match(), sheet).unwrap_err();
    assert_eq!(why("kaalu", "2. a b"), SheetError::WrongNumber { number: "2.".into(), expected: 1 });
    assert_eq!(why("kaalu", "1. a 2. b"), SheetError::Misplaced { number: "2.".into() });
    assert_eq!(why("kaalu", "1. 1. a"), SheetError::Misplaced { number: "1.".into() });
    assert_eq!(why("nim3p", "1. a1"), SheetError::NoSheets { number: "1.".into() });
    assert_eq!(why("2048", "1. ~2@a1"), SheetError::NoSheets { number: "1.".into() });
    assert!(matches!(why("kaalu", "99999999999999999999999. a"), SheetError::WrongNumber { .. }));
    let error = why("tic-tac-toe", "1. a1 a1").to_string();
    assert!(error.starts_with("ply 2 (`a1`)"), "{error}");
}
