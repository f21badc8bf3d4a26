//! The positions in the rules of every game, and in what is told about it, can be drawn.

use raichi_core::erased::split_spec;
use raichi_core::history::By;
use raichi_core::rulebook::{OpenError, Passage, Position, passages, positions};
use raichi_core::{AnyMatch, Viewer};
use raichi_games::{REGISTRY, game, rooms};

#[test]
fn positions_in_the_rules_are_of_their_game_and_legal() {
    for entry in REGISTRY {
        let about = rooms(entry.id).expect("every game has its rooms").about;
        for text in [entry.rules, about] {
            passages(text).iter().for_each(|passage| check_passage(entry.id, passage));
        }
        for position in positions(entry.rules).into_iter().chain(positions(about)) {
            assert_eq!(split_spec(position.spec).0, entry.id, "{position:?} stands in the rules of {}", entry.id);
            let game = game(position.spec).unwrap_or_else(|why| panic!("{position:?}: {why}"));
            let current = position.open(&*game).unwrap_or_else(|why| panic!("{position:?}: {why}"));
            let picture = current.picture(Viewer::Referee);
            assert!(picture.areas.iter().any(|area| !area.cells.is_empty()), "{position:?} has nothing to draw");
            let joined = position.joined().unwrap_or_else(|line| panic!("`{line}` joins nothing"));
            let is_place = |id: &String| picture.areas.iter().any(|area| area.cells.iter().any(|cell| cell.id == *id));
            assert!(joined.iter().flatten().all(is_place), "{position:?} joins what is not there");
            check_remarks(&position, current);
        }
    }
}

fn check_passage(id: &str, passage: &Passage<'_>) {
    match passage {
        Passage::Position(_) => {}
        Passage::Text(text) => assert!(!text.contains("```"), "{id}: a block must begin its line: {text}"),
        Passage::Sealed { question, answer } => {
            assert!(!question.is_empty() && !answer.is_empty(), "{id}: {question}");
            answer.iter().for_each(|passage| check_passage(id, passage));
        }
    }
}

/// A remark stands at a ply of the history; a better action is legal there, by the seat whose action it replaces.
fn check_remarks(position: &Position<'_>, mut current: Box<dyn AnyMatch>) {
    let plies = current.plies().to_vec();
    for remark in position.remarks() {
        let remark = remark.unwrap_or_else(|line| panic!("`{line}` is no remark"));
        assert!(remark.ply <= plies.len() && !remark.text.is_empty(), "{remark:?}");
        let Some(better) = remark.better else { continue };
        let played = plies.get(remark.ply).unwrap_or_else(|| panic!("{remark:?} replaces nothing"));
        let By::Seat(seat) = played.by else { panic!("{remark:?} stands where chance acts") };
        current.truncate(remark.ply);
        assert_ne!(better, played.text, "{remark:?}");
        assert!(current.legal(seat).iter().any(|action| action == better), "{remark:?}");
        current
            .play_history(position.history.split_whitespace().skip(remark.ply).collect::<Vec<_>>().join(" ").as_str())
            .expect("the history was played before");
    }
}

#[test]
fn a_position_may_begin_with_its_text() {
    let game = game("tic-tac-toe").expect("the defaults make a game");
    let open = |from, history| {
        let opened = Position { spec: "tic-tac-toe", from, history, said: "" }.open(&*game)?;
        Ok::<_, OpenError>(opened.position_text(Viewer::Referee))
    };
    assert_eq!(open(Some("X1O/3/2X 1"), "b2 a2").as_deref(), Ok("X1O/XO1/2X 1"));
    assert_eq!(open(None, "b2 a2").as_deref(), Ok("3/OX1/3 0"));
    let error = open(Some("X1Z/3/2X 1"), "").unwrap_err().to_string();
    assert!(error.starts_with("position, character 3: `Z` cannot stand here"), "{error}");
    let error = open(Some("X1O/3/2X 1"), "b2 b2").unwrap_err().to_string();
    assert!(error.starts_with("ply 2 (`b2`)"), "{error}");
}
