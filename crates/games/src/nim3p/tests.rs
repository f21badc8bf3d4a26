//! The rule book, clause by clause, and that of the heaps.

use std::collections::HashMap;

use raichi_core::game::Game;
use raichi_core::random::stream;
use raichi_core::{AnyMatch, Encoding, Match, Notation, Viewer};

use super::Nim3P;
use crate::heaps::Setup;

fn game(sizes: &[u8], extra: bool) -> Nim3P {
    Nim3P { setup: Setup::new(sizes, u8::MAX), extra }
}

fn after(sizes: &[u8], history: &str) -> Match<Nim3P> {
    let mut game = Match::new(game(sizes, true));
    game.play_history(history).expect("the test's history is legal");
    game
}

fn spec(text: &str) -> Result<String, String> {
    crate::game(text).map(|game| game.spec().to_string()).map_err(|why| why.to_string())
}

#[test]
fn the_seat_after_the_last_taker_wins_and_the_next_gets_a_little() {
    for (history, payoffs) in [
        ("a1", [0.0, 1.0, 0.2]),
        ("a1 b1", [0.2, 0.0, 1.0]),
        ("a1 b1 c1", [1.0, 0.2, 0.0]),
        ("a1 b1 c1 d1", [0.0, 1.0, 0.2]),
    ] {
        let sizes = vec![1; history.split(' ').count()];
        let over = after(&sizes, history);
        assert_eq!(
            (over.end_reason(), over.payoffs().as_slice()),
            (Some("last-item"), payoffs.as_slice()),
            "{history}"
        );
        let mut plain = Match::new(game(&sizes, false));
        plain.play_history(history).unwrap();
        assert_eq!(plain.payoffs().as_slice(), payoffs.map(f64::trunc), "{history}");
    }
}

#[test]
fn any_number_may_be_taken_from_one_heap() {
    let game = after(&[5, 5, 5], "a5 b2");
    let drawing = game.sketch(Viewer::Spectator).to_string();
    assert_eq!(drawing, "a    0\nb  |||  3\nc  |||||  5\n");
    assert_eq!(AnyMatch::legal(&game, 2), ["b1", "b2", "b3", "c1", "c2", "c3", "c4", "c5"]);
}

#[test]
fn what_cannot_be_taken_is_refused_with_its_reason() {
    let mut game = after(&[5, 5, 5], "a5 b2");
    for (text, says) in [
        ("a1", "`a1` is not legal: heap a is empty"),
        ("b4", "`b4` is not legal: heap b has only 3 left"),
        ("b0", "expected a heap from a to c and how many to take from it, such as a1"),
        ("b01", "expected a heap"),
        ("b256", "expected a heap"),
        ("d1", "expected a heap from a to c"),
        ("b", "expected a heap"),
        ("", "expected a heap"),
        ("é1", "expected a heap"),
        ("B1", "expected a heap"),
    ] {
        let error = game.play_text(2, text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn broken_off_the_three_share() {
    let mut capped = crate::game("nim3p:max-plies=2").unwrap().new_match();
    capped.play_history("a1 a1").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [1.0 / 3.0; 3].as_slice()));
}

#[test]
fn sizes_stand_instead_of_heaps_and_size() {
    assert_eq!(spec("nim3p:sizes=5/5/5"), Ok("nim3p:sizes=5/5/5".into()));
    assert_eq!(spec("nim3p:extra=false,size=5,heaps=4"), Ok("nim3p:heaps=4,extra=false".into()));
    let error = spec("nim3p:sizes=1/2,heaps=3").unwrap_err();
    assert!(error.starts_with("`sizes=1/2`: ") && error.ends_with("beside heaps"), "{error}");
    for wrong in ["sizes=", "sizes=1/0", "sizes=256", "sizes=1//2", "sizes=1/1/1/1/1/1/1/1/1/1/1/1/1", "heaps=13"] {
        assert!(spec(&format!("nim3p:{wrong}")).is_err(), "{wrong}");
    }
}

#[test]
fn random_actions_are_uniform() {
    let game = game(&[3, 1, 4], true);
    let mut state = game.initial_state();
    game.setup.take(&mut state.heaps, game.setup.parse("b1").unwrap());
    let mut rng = stream(1, "uniform", 0);
    let mut counts: HashMap<_, i32> = HashMap::new();
    for _ in 0..70_000 {
        *counts.entry(game.random_action(&state, 1, &mut Vec::new(), &mut rng)).or_default() += 1;
    }
    assert_eq!(counts.len(), 7);
    // Five standard deviations of a binomial with p = 1/7.
    assert!(counts.values().all(|count| (count - 10_000).abs() < 463), "{counts:?}");
}

#[test]
fn touching_a_stick_takes_it_and_all_above() {
    let game = after(&[25, 3], "a2");
    let touches = game.touches(1);
    let path = |action: &str| touches.iter().find(|touch| touch.action == action).unwrap().path.clone();
    assert_eq!(path("a1"), ["a-23"]);
    assert_eq!(path("a23"), ["a-1"]);
    let picture = game.picture(Viewer::Spectator);
    let label = |id: &str| picture.areas[0].cells.iter().find(|cell| cell.id == id).unwrap().label.clone().unwrap();
    assert_eq!((label("a-23"), label("a-24")), ("Heap a: take 1".into(), "Heap a: taken".into()));
    assert_eq!(game.plies()[0].marks, ["a-24", "a-25"]);
}

#[test]
fn a_position_is_the_heaps_and_the_seat_to_act() {
    let text = |history: &str| after(&[5, 5, 5], history).position_text(Viewer::Spectator);
    assert_eq!([text(""), text("a5 b2")], ["5/5/5 0", "0/3/5 2"]);
    let game = game(&[5, 12, 1], true);
    let last = game.parse_position("0/0/1 2").unwrap().state;
    assert_eq!(game.parse_position("0/12/1 1").unwrap().state.heaps.items(1), 12);
    let mut over = last;
    game.apply(&mut over, 2, game.setup.parse("c1").unwrap());
    assert_eq!(game.parse_position("0/0/0 0").unwrap().state, over);
    assert_eq!(game.payoffs(&over).as_slice(), [1.0, 0.2, 0.0]);
    for (text, says) in [
        ("5/12 0", "character 1: `5/12` cannot stand here; expected 3 heaps with / between them, and there are 2"),
        ("5/12/1/1 0", "expected 3 heaps with / between them, and there are 4"),
        ("6/12/1 0", "character 1: `6` cannot stand here; expected a number from 0 to 5"),
        ("5/12/01 0", "character 6: `01` cannot stand here; expected a number from 0 to 1"),
        ("5//1 0", "expected a number from 0 to 12"),
        ("5/12/1", "character 7: the text ends here; expected the seat to act, 0 to 2"),
        ("5/12/1 3", "character 8: `3` cannot stand here; expected the seat to act, 0 to 2"),
        ("5/12/1 2 x", "expected the end of the text"),
        ("", "character 1: the text ends here; expected the items of each heap, like 5/3/0"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn heaps_are_observed_as_they_are_and_seats_from_the_one_that_looks() {
    let game = after(&[5, 12, 1], "b9 a5");
    let seen = [0, 1, 2].map(|seat| {
        let mut observation = [-1; 4];
        AnyMatch::observe(&game, seat, &mut observation);
        observation
    });
    assert_eq!(seen, [[0, 3, 1, 3], [0, 3, 1, 2], [0, 3, 1, 1]]);
    let game = game.game();
    assert_eq!(game.layout().ranges(), [(0, 12), (0, 12), (0, 12), (0, 3)]);
    let take = game.setup.parse("c1").unwrap();
    assert_eq!((game.n_actions(), game.action_number(take), game.numbered_action(24)), (36, 24, Some(take)));
    assert_eq!(game.numbered_action(36), None);
}
