//! The rule book, clause by clause.

use std::collections::HashSet;

use raichi_core::erased::create;
use raichi_core::game::{Choice, Game, Phase};
use raichi_core::information::Recall;
use raichi_core::random::stream;
use raichi_core::{AnyMatch, Match, Notation, PathGame, PathState, Seat, Viewer};

use super::KuhnPoker;

fn game() -> PathGame<KuhnPoker> {
    create::<KuhnPoker>(None).expect("there are no parameters")
}

fn after(history: &str) -> Match<KuhnPoker> {
    let mut current = Match::new(game());
    current.play_history(history).expect("the test's history is legal");
    current
}

/// Payoffs of seat 0 and why it is over.
fn end(history: &str) -> (f64, &'static str) {
    let current = after(history);
    let payoffs = current.payoffs();
    assert_eq!(payoffs[0], -payoffs[1]);
    (payoffs[0], current.end_reason().expect("it is over"))
}

#[test]
fn the_five_ends_pay_what_the_rules_say() {
    for (cards, won) in
        [("~K ~J", 1.0), ("~K ~Q", 1.0), ("~Q ~J", 1.0), ("~J ~K", -1.0), ("~Q ~K", -1.0), ("~J ~Q", -1.0)]
    {
        assert_eq!(end(&format!("{cards} pass pass")), (won, "showdown"));
        assert_eq!(end(&format!("{cards} bet bet")), (2.0 * won, "showdown"));
        assert_eq!(end(&format!("{cards} pass bet bet")), (2.0 * won, "showdown"));
        assert_eq!(end(&format!("{cards} bet pass")), (1.0, "fold"));
        assert_eq!(end(&format!("{cards} pass bet pass")), (-1.0, "fold"));
    }
}

#[test]
fn both_words_are_always_legal_and_nothing_else_is() {
    for history in ["~K ~J", "~K ~J pass", "~K ~J bet", "~K ~J pass bet"] {
        let current = after(history);
        let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
        assert_eq!(current.legal(seats.first()), ["bet", "pass"]);
        let error = current.clone().play_text(seats.first(), "call").unwrap_err().to_string();
        assert_eq!(error, "`call` is not understood; expected pass or bet");
    }
    let error = after("~K").play_outcome_text("~K").unwrap_err().to_string();
    assert_eq!(error, "`~K` is not legal: that cannot happen here; 2 outcomes can, such as ~J");
    let error = after("").play_outcome_text("~Ks").unwrap_err().to_string();
    assert!(error.ends_with("expected ~ and a card: J, Q or K"), "{error}");
}

#[test]
fn a_hand_broken_off_pays_nothing() {
    let mut capped = crate::game("kuhn-poker:max-plies=4").unwrap().new_match();
    capped.play_history("~K ~J pass bet").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
    assert_eq!(after("~K ~J bet").payoffs().as_slice(), [0.0, 0.0]);
}

#[test]
fn cards_are_shown_at_a_showdown_and_not_after_a_fold() {
    let shown = |history: &str, viewer: Viewer| -> Vec<String> {
        let picture = after(history).picture(viewer);
        picture.areas.iter().flat_map(|area| &area.pieces).filter_map(|piece| piece.text.clone()).collect()
    };
    for (history, is_shown) in [
        ("~K ~J pass", false),
        ("~K ~J bet pass", false),
        ("~K ~J pass bet pass", false),
        ("~K ~J pass pass", true),
        ("~K ~J bet bet", true),
    ] {
        let both = ["Ks", "Js"];
        assert_eq!(shown(history, Viewer::Seat(0)), if is_shown { &both[..] } else { &both[..1] }, "{history}");
        assert_eq!(shown(history, Viewer::Seat(1)), if is_shown { &both[..] } else { &both[1..] }, "{history}");
        assert_eq!(shown(history, Viewer::Spectator), if is_shown { &both[..] } else { &[] }, "{history}");
    }
    assert_eq!(after("~K ~J pass").history(Viewer::Seat(1)), "~? ~J pass");
}

#[test]
fn determinizations_deal_each_unseen_card_equally_often() {
    let current = after("~Q ~J bet");
    let mut rng = stream(1, "test", 0);
    let mut n_kings = 0;
    for _ in 0..1000 {
        let drawn = current.game().determinize(current.state(), 1, &mut rng);
        assert_eq!(drawn.hands[1], current.state().hands[1]);
        n_kings += u32::from(drawn.hands[0].is_some_and(|card| card.rank() == 11));
    }
    assert!((400..600).contains(&n_kings), "{n_kings} of 1000");
    // Everybody knows both hands after a showdown.
    let end = after("~Q ~J bet bet");
    assert_eq!(end.game().determinize(end.state(), 1, &mut rng).position(), end.state().position());
}

#[test]
fn positions_hide_what_is_hidden_and_read_back() {
    for (history, viewer, text) in [
        ("", Viewer::Referee, "chance stakes=1/1"),
        ("~K", Viewer::Seat(1), "chance stakes=1/1 cards=?/- seen-by=1"),
        ("~K ~J", Viewer::Seat(0), "0 stakes=1/1 cards=K/? seen-by=0"),
        ("~K ~J pass bet", Viewer::Seat(1), "0 stakes=1/2 cards=?/J seen-by=1"),
        ("~K ~J bet", Viewer::Spectator, "1 stakes=2/1 cards=?/? seen-by=spectator"),
        ("~K ~J bet pass", Viewer::Referee, "over stakes=2/1 cards=K/J folded=1"),
        ("~K ~J bet bet", Viewer::Spectator, "over stakes=2/2 cards=K/J"),
    ] {
        let current = after(history);
        assert_eq!(current.position_text(viewer), text);
        let read = current.game().parse_position(text).unwrap();
        assert_eq!(current.game().position_text(&read.state, viewer), text);
    }
    // The way to a bet to be matched decides nothing.
    assert_eq!(after("~K ~J bet bet").state().position(), after("~K ~J pass bet bet").state().position());
}

#[test]
fn positions_that_cannot_be_are_refused_with_their_place() {
    let game = game();
    for (text, says) in [
        ("", "position, character 1: the text ends here; expected the seat to act, 0 or 1, chance or over"),
        ("2 stakes=1/1 cards=K/J", "position, character 1: `2` cannot stand here; expected the seat to act, 0 or 1"),
        ("0 stakes=1/1", "position, character 1: `0` cannot stand here; expected as many cards"),
        ("0 stakes=1/1 cards=K/-", "position, character 14: `cards=K/-` cannot stand here; expected as many cards"),
        ("0 stakes=2/1 cards=K/J", "position, character 10: `2/1` cannot stand here; expected 1/1 or 1/2"),
        (
            "0 stakes=1/1 cards=K/K",
            "position, character 22: `K` cannot stand here; expected one of the cards J, Q or K",
        ),
        (
            "0 stakes=1/1 cards=K/??",
            "position, character 22: `??` cannot stand here; expected one of the cards J, Q or K that lies nowhere else, ? for a \
             hidden one, or - for none",
        ),
        ("0 stakes=1/1 cards=-/K", "position, character 20: `-` cannot stand here; expected a card"),
        ("0 stakes=1/1 cards=K", "position, character 20: `K` cannot stand here; expected two cards"),
        ("0 stakes=1/1 raises=1 cards=K/J", "position, character 14: `raises=1` cannot stand here; expected no raises"),
        ("0 stakes=1/1 cards=K/?", "position, character 23: the text ends here; expected seen-by=…"),
        (
            "0 stakes=1/1 cards=K/? seen-by=1",
            "position, character 14: `cards=K/?` cannot stand here; expected the cards",
        ),
        ("0 stakes=1/1 cards=K/J seen-by=1", "position, character 24: `seen-by=1` cannot stand here; expected the end"),
        ("over stakes=2/2 cards=?/J seen-by=1", "position, character 17: `cards=?/J` cannot stand here; expected the"),
        (
            "over stakes=2/1 cards=K/J folded=0",
            "position, character 27: `folded=0` cannot stand here; expected folded=1",
        ),
        ("over stakes=2/1 cards=K/J", "position, character 26: the text ends here; expected folded=1"),
    ] {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.starts_with(says), "{text}: {error}");
    }
}

#[test]
fn there_are_twelve_information_sets() {
    fn visit(
        game: &PathGame<KuhnPoker>,
        state: &PathState<KuhnPoker>,
        recall: &Recall,
        found: &mut HashSet<(Seat, u64)>,
    ) {
        let mut choices = Vec::new();
        match game.phase(state) {
            Phase::Over => {}
            Phase::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                choices.extend(outcomes.into_iter().map(|(outcome, _)| Choice::Outcome(outcome)));
            }
            Phase::Act(seats) => {
                let seat = seats.first();
                found.insert((seat, recall.key(seat)));
                choices.extend(super::rules::ACTIONS.map(|action| Choice::Action(seat, action)));
            }
        }
        for choice in choices {
            let (mut state, mut recall) = (state.clone(), recall.clone());
            recall.play(game, &mut state, choice);
            visit(game, &state, &recall, found);
        }
    }
    let (game, mut found) = (game(), HashSet::new());
    visit(&game, &game.initial_state(), &Recall::new(2), &mut found);
    assert_eq!(found.len(), 12);
}
