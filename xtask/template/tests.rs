//! The rule book, clause by clause.

use raichi_core::erased::create;
use raichi_core::{AnyMatch, Game, Match, Notation, Phase};

use super::TakeAway;

fn after(params: &str, history: &str) -> Match<TakeAway> {
    let mut game = Match::new(create::<TakeAway>(Some(params)).expect("the test's parameters make a game"));
    game.play_history(history).expect("the test's history is legal");
    game
}

#[test]
fn whoever_takes_the_last_item_wins_or_loses() {
    let normal = after("size=4", "3 1");
    assert_eq!((normal.end_reason(), normal.payoffs().as_slice()), (Some("last-item"), &[-1.0, 1.0][..]));
    assert_eq!(after("size=4,misere=true", "3 1").payoffs().as_slice(), [1.0, -1.0]);
}

#[test]
fn no_more_is_taken_than_allowed_or_there() {
    let refused = |params, history, text| after(params, history).play_text(0, text).unwrap_err().to_string();
    assert_eq!(refused("size=9", "", "4"), "`4` is not legal: at most 3 are taken at once");
    assert_eq!(refused("size=4", "1 1", "3"), "`3` is not legal: there are only 2 on the heap");
    for text in ["0", "01", "+1", "x", "", "256"] {
        assert!(refused("size=9", "", text).contains("expected how many items to take"), "{text}");
    }
}

#[test]
fn an_unfinished_game_is_drawn() {
    let game = after("size=9", "1");
    assert_eq!((game.phase(), game.payoffs().as_slice()), (Phase::seat(1), &[0.0, 0.0][..]));
}

#[test]
fn positions_that_cannot_be_set_up_are_refused_with_their_place() {
    let game = create::<TakeAway>(Some("size=9")).unwrap();
    let refused = |text| game.parse_position(text).unwrap_err().to_string();
    assert_eq!(refused("10 0"), "position, character 1: `10` cannot stand here; expected a number from 0 to 9");
    assert_eq!(refused("7 2"), "position, character 3: `2` cannot stand here; expected the seat to act, 0 to 1");
    assert_eq!(refused("7 1 x"), "position, character 5: `x` cannot stand here; expected the end of the text");
}

#[test]
fn the_mover_loses_exactly_at_multiples_of_one_more_than_may_be_taken() {
    fn wins(game: &TakeAway, state: &<TakeAway as Game>::State) -> bool {
        let mut actions = Vec::new();
        game.legal_actions(state, state.to_act.into(), &mut actions);
        actions.into_iter().any(|action| {
            let mut next = *state;
            game.apply(&mut next, state.to_act.into(), action);
            next.items == 0 || !wins(game, &next)
        })
    }
    for size in 1..=16 {
        let game = create::<TakeAway>(Some(&format!("size={size}"))).unwrap();
        assert_eq!(wins(&game, &game.initial_state()), size % 4 != 0, "{size} items");
    }
}
