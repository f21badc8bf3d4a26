//! The positions in the rules of every game can be drawn.

use raichi_core::Viewer;
use raichi_core::erased::split_spec;
use raichi_core::rulebook::{Passage, passages};
use raichi_games::{REGISTRY, game};

#[test]
fn positions_in_the_rules_are_of_their_game_and_legal() {
    for entry in REGISTRY {
        for passage in passages(entry.rules) {
            let position = match passage {
                Passage::Position(position) => position,
                Passage::Text(text) => {
                    assert!(!text.contains("```position"), "{}: a block must begin its line", entry.id);
                    continue;
                }
            };
            assert_eq!(split_spec(position.spec).0, entry.id, "{position:?} stands in the rules of {}", entry.id);
            let game = game(position.spec).unwrap_or_else(|why| panic!("{position:?}: {why}"));
            let current = position.open(&*game).unwrap_or_else(|why| panic!("{position:?}: {why}"));
            let picture = current.picture(Viewer::Referee);
            assert!(picture.areas.iter().any(|area| !area.cells.is_empty()), "{position:?} has nothing to draw");
        }
    }
}
