//! What the fuzz targets ask of made-up texts, asked of the committed ones and of endless ones.

#[path = "../../../fuzz/corpus.rs"]
mod committed;
#[path = "../../../fuzz/src/games.rs"]
mod games;

use std::path::Path;

use raichi_core::random::{index, stream};
use raichi_core::{Phase, Viewer};
use raichi_games::{REGISTRY, game};

fn ask(target: &str, check: committed::Check) {
    committed::each(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz"), target, check);
}

#[test]
fn specs() {
    ask("spec", games::spec);
}

#[test]
fn histories() {
    ask("history", games::history);
}

#[test]
fn positions() {
    ask("position", games::position);
}

#[test]
fn records() {
    ask("record", games::record);
}

#[test]
fn choices() {
    ask("choice", games::choice);
}

#[test]
fn a_megabyte_is_refused_like_a_word() {
    let long = |text: &str| text.repeat(1_000_000 / text.len());
    for text in ["x", "é", "\0", ":", ",", "=", "max-plies=1,", "\u{202e}"].map(long) {
        assert!(games::spec(&text).is_some());
        assert!(games::spec(&format!("hex:{text}")).is_some());
    }
    for entry in REGISTRY {
        let id = entry.id;
        for text in ["1", "1/"].map(long) {
            for param in (entry.params)() {
                assert!(games::spec(&format!("{id}:{}={text}", param.name)).is_some(), "{id}, {}", param.name);
            }
        }
        for text in ["a1", "~"].map(long) {
            assert!(games::history(&format!("{id}\n{text}")).is_some(), "{id}");
        }
        for text in ["1", "X", "/", "1 ", "1/", "?"].map(long) {
            assert!(games::position(&format!("{id}\n{text}")).is_some(), "{id}");
        }
    }
}

#[test]
fn the_hundred_thousandth_ply_is_played_and_refused_like_the_first() {
    let game = game("2048:size=8").expect("the largest board");
    let mut current = game.new_match();
    let mut rng = stream(1, "hundred thousand", 0);
    while current.plies().len() < 100_000 {
        if current.phase() == Phase::Chance {
            current.sample_outcome(&mut rng).expect("chance is to act");
        } else {
            let legal = current.legal(0);
            current.play(0, &legal[index(&mut rng, legal.len())]).expect("a listed action is legal");
        }
    }
    let mut again = game.new_match();
    let refused = again.play_history(&(current.history(Viewer::Referee) + " nowhere")).unwrap_err();
    assert_eq!((again.plies().len(), refused.ply, refused.token.as_str()), (100_000, 100_000, "nowhere"));
}
