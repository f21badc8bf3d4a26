//! A touch that is not allowed is answered with the rule: in the games that people begin with, wherever they touch a
//! board, and in no game where the touch is allowed.

use raichi_core::picture::{AreaKind, Picture};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyMatch, Phase, Viewer};
use raichi_games::REGISTRY;

/// Every touch of a board that begins no action has a sentence here.
const TOLD: [&str; 11] = [
    "tic-tac-toe",
    "othello",
    "tablut",
    "connect-four",
    "hex",
    "focus",
    "black",
    "kaalu",
    "french-military",
    "yavalath",
    "sim",
];

fn after(spec: &str, history: &str, seat: usize, touched: &[&str]) -> Option<String> {
    let mut current = raichi_games::game(spec).unwrap().new_match();
    current.play_history(history).unwrap();
    current.why_not(seat, &touched.iter().map(|id| id.to_string()).collect::<Vec<_>>())
}

/// The ids that can be touched on the boards of a picture.
fn places(picture: &Picture) -> Vec<String> {
    let boards = picture.areas.iter().filter(|area| area.kind == AreaKind::Board);
    let cells = boards.flat_map(|area| &area.cells).filter(|cell| !cell.passing);
    cells.map(|cell| cell.touch.clone().unwrap_or_else(|| cell.id.clone())).collect()
}

fn check(current: &dyn AnyMatch, seat: usize, told: bool, rng: &mut FastRng) {
    let touches = current.touches(seat);
    let begins = |id: &String| {
        touches.iter().any(|touch| touch.next(std::slice::from_ref(id), &|id| current.any_order(id)).is_some())
    };
    for id in places(&current.picture(Viewer::Seat(seat))) {
        let why = current.why_not(seat, std::slice::from_ref(&id));
        if begins(&id) {
            assert_eq!(why, None, "{}: {id} is allowed", current.spec());
            continue;
        }
        let place = || format!("{} after {}: {id}", current.spec(), current.history(Viewer::Referee));
        assert!(why.is_some() || !told, "{}", place());
        let fits = |why: &String| !why.is_empty() && !why.ends_with('.') && !why.contains('\n');
        assert!(why.as_ref().is_none_or(fits), "{}: {why:?}", place());
    }
    // The whole of any path, and one that went astray, are no panic.
    let touch = &touches[index(rng, touches.len())];
    assert_eq!(current.why_not(seat, &touch.path), None, "{}: {:?}", current.spec(), touch.path);
    let mut astray = touch.path.clone();
    let at = index(rng, astray.len());
    astray[at] = touches[index(rng, touches.len())].path[0].clone();
    let _ = current.why_not(seat, &astray);
    astray.insert(at, "ok".into());
    let _ = current.why_not(seat, &astray);
}

#[test]
fn wherever_a_beginner_touches_there_is_a_rule_or_an_action() {
    for entry in REGISTRY {
        let told = TOLD.contains(&entry.id);
        for seed in 0..3 {
            let mut rng = stream(seed, entry.id, 0);
            let mut current = raichi_games::game(entry.id).unwrap().new_match();
            for _ in 0..60 {
                match current.phase() {
                    Phase::Over => break,
                    Phase::Chance => current.sample_outcome(&mut rng).unwrap(),
                    Phase::Act(seats) => {
                        check(current.as_ref(), seats.first(), told, &mut rng);
                        current.play_random(seats.first(), &mut rng).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn the_rule_is_the_one_that_forbids_it() {
    let cases: Vec<(&str, &str, usize, &[&str], &str)> = vec![
        ("tic-tac-toe", "b2", 1, &["b2"], "already"),
        ("othello", "", 0, &["a1"], "a disc on a1 encloses no enemy disc"),
        ("othello", "", 0, &["d4"], "there is a disc on d4 already"),
        ("tablut", "", 0, &["a4", "b5"], "share neither"),
        ("tablut", "", 0, &["a4", "a6"], "taken"),
        ("tablut", "", 0, &["e5"], "the piece on e5 is not yours"),
        ("tablut", "", 0, &["c3"], "there is no piece on c3"),
        ("tablut", "d1-d3", 1, &["e5"], "cannot move"),
        ("connect-four", "4 4 4 4 4 4", 0, &["column:4"], "that column is full"),
        ("hex", "f6", 1, &["f6"], "there is a stone on that cell already"),
        ("focus:rule=none", "", 0, &["c6"], "not yours"),
        ("focus:rule=none", "", 0, &["b7", "e7"], "as far as it is high"),
        ("focus", "", 0, &["b7", "c7"], "no enemy piece"),
        ("black", "a1x", 1, &["d4"], "the path goes on in"),
        ("black", "a1x", 1, &["a1"], "marked already"),
        ("kaalu", "", 0, &["stock:1"], "your opponent's"),
        ("kaalu", "", 0, &["stock:0", "pile:3"], "the next pile to be named is"),
        ("yavalath:swap=false", "e5", 1, &["e5"], "there is a stone on that cell already"),
        ("sim", "1-2", 1, &["1", "2"], "Black has coloured that edge already"),
    ];
    for (spec, history, seat, touched, says) in cases {
        let why = after(spec, history, seat, touched);
        assert!(why.as_ref().is_some_and(|why| why.contains(says)), "{spec} {history} {touched:?}: {why:?}");
    }
    // Another seat's turn, nothing touched, and nothing that means anything.
    assert_eq!(after("tic-tac-toe", "b2", 0, &["b2"]), None);
    assert_eq!(after("tic-tac-toe", "", 0, &[]), None);
    assert_eq!(after("tic-tac-toe", "", 0, &["z9"]), None);
}
