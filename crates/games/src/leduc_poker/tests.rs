//! The rule book, clause by clause.

use std::collections::HashSet;

use raichi_core::erased::create;
use raichi_core::game::{Choice, Game, Phase};
use raichi_core::information::Recall;
use raichi_core::random::stream;
use raichi_core::{AnyMatch, Encoding, Match, Notation, PathGame, PathState, Seat, Viewer};

use super::LeducPoker;

fn game() -> PathGame<LeducPoker> {
    create::<LeducPoker>(None).expect("there are no parameters")
}

fn after(history: &str) -> Match<LeducPoker> {
    let mut current = Match::new(game());
    current.play_history(history).expect("the test's history is legal");
    current
}

fn legal(history: &str) -> String {
    let current = after(history);
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    format!("{}: {}", seats.first(), current.legal(seats.first()).join(" "))
}

/// Payoffs of seat 0 and why it is over.
fn end(history: &str) -> (f64, &'static str) {
    let current = after(history);
    let payoffs = current.payoffs();
    assert_eq!(payoffs[0], -payoffs[1]);
    (payoffs[0], current.end_reason().expect("it is over"))
}

#[test]
fn fold_needs_a_bet_and_raise_stops_at_two() {
    assert_eq!(legal("~Js ~Kh"), "0: call raise");
    assert_eq!(legal("~Js ~Kh call"), "1: call raise");
    assert_eq!(legal("~Js ~Kh raise"), "1: call fold raise");
    assert_eq!(legal("~Js ~Kh raise raise"), "0: call fold");
    assert_eq!(legal("~Js ~Kh call raise"), "0: call fold raise");
    assert_eq!(legal("~Js ~Kh call raise raise"), "1: call fold");
    // The second round counts anew.
    assert_eq!(legal("~Js ~Kh raise raise call ~Jh"), "0: call raise");
    assert_eq!(legal("~Js ~Kh raise raise call ~Jh raise"), "1: call fold raise");
    let refused = |history: &str, seat, text| after(history).play_text(seat, text).unwrap_err().to_string();
    assert_eq!(refused("~Js ~Kh", 0, "fold"), "`fold` is not legal: there is no bet to give in to: call is the check");
    let why = refused("~Js ~Kh raise raise", 0, "raise");
    assert_eq!(why, "`raise` is not legal: there were two raises in this round already: call or fold");
    assert_eq!(refused("~Js ~Kh", 0, "check"), "`check` is not understood; expected fold, call or raise");
}

#[test]
fn raises_are_of_two_chips_and_then_of_four() {
    let stakes = |history: &str| after(history).state().stakes;
    assert_eq!(stakes("~Js ~Kh"), [1, 1]);
    assert_eq!(stakes("~Js ~Kh raise"), [3, 1]);
    assert_eq!(stakes("~Js ~Kh raise raise"), [3, 5]);
    assert_eq!(stakes("~Js ~Kh raise raise call ~Jh"), [5, 5]);
    assert_eq!(stakes("~Js ~Kh raise raise call ~Jh call raise raise call"), [13, 13]);
}

#[test]
fn seat_0_begins_both_rounds_and_a_round_ends_when_both_have_acted_and_put_in_the_same() {
    for history in ["call call", "raise call", "call raise call", "raise raise call", "call raise raise call"] {
        let first = format!("~Js ~Kh {history}");
        assert_eq!(after(&first).phase(), Phase::Chance, "{history}");
        assert_eq!(legal(&format!("{first} ~Qs")), "0: call raise");
        assert_eq!(after(&format!("{first} ~Qs {history}")).end_reason(), Some("showdown"), "{history}");
    }
    // Nobody is asked again after a fold.
    assert_eq!(end("~Js ~Kh raise fold"), (1.0, "fold"));
    assert_eq!(end("~Js ~Kh call raise fold"), (-1.0, "fold"));
    assert_eq!(end("~Js ~Kh raise raise fold"), (-3.0, "fold"));
    assert_eq!(end("~Js ~Kh raise call ~Jh raise fold"), (3.0, "fold"));
    assert_eq!(end("~Js ~Kh raise call ~Jh raise raise fold"), (-7.0, "fold"));
}

#[test]
fn a_pair_wins_then_the_higher_rank_and_equal_cards_share() {
    assert_eq!(end("~Js ~Kh call call ~Jh call call"), (1.0, "showdown"));
    assert_eq!(end("~Ks ~Qh call call ~Qs call call"), (-1.0, "showdown"));
    assert_eq!(end("~Ks ~Qh call call ~Jh call call"), (1.0, "showdown"));
    assert_eq!(end("~Js ~Qh raise call ~Kh call call"), (-3.0, "showdown"));
    assert_eq!(end("~Ks ~Kh raise raise call ~Qs raise raise call"), (0.0, "showdown"));
}

#[test]
fn a_hand_broken_off_pays_nothing() {
    let mut capped = crate::game("leduc-poker:max-plies=5").unwrap().new_match();
    capped.play_history("~Ks ~Jh raise raise call").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
}

#[test]
fn cards_are_shown_at_a_showdown_and_not_after_a_fold() {
    let shown = |history: &str, viewer: Viewer| -> Vec<String> {
        let picture = after(history).picture(viewer);
        picture.areas.iter().flat_map(|area| &area.pieces).filter_map(|piece| piece.text.clone()).collect()
    };
    let fold = "~Ks ~Jh call call ~Qs raise fold";
    assert_eq!(shown(fold, Viewer::Seat(0)), ["Qs", "Ks"]);
    assert_eq!(shown(fold, Viewer::Seat(1)), ["Qs", "Jh"]);
    assert_eq!(shown(fold, Viewer::Spectator), ["Qs"]);
    let showdown = "~Ks ~Jh call call ~Qs raise call";
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        assert_eq!(shown(showdown, viewer), ["Qs", "Ks", "Jh"]);
    }
    assert_eq!(after(fold).history(Viewer::Seat(1)), "~? ~Jh call call ~Qs raise fold");
}

#[test]
fn buttons_say_what_they_cost() {
    let labels = |history: &str, seat| -> Vec<String> {
        after(history).picture(Viewer::Seat(seat)).buttons.into_iter().map(|button| button.label).collect()
    };
    assert_eq!(labels("~Ks ~Jh", 0), ["Check", "Bet 2"]);
    assert_eq!(labels("~Ks ~Jh raise", 1), ["Fold", "Call 2", "Raise by 2 (put in 4)"]);
    assert_eq!(labels("~Ks ~Jh call call ~Qs raise", 1), ["Fold", "Call 4", "Raise by 4 (put in 8)"]);
    assert!(labels("~Ks ~Jh", 1).is_empty());
}

#[test]
fn determinizations_deal_each_unseen_card_equally_often() {
    let current = after("~Ks ~Jh raise call ~Qs");
    let mut rng = stream(1, "test", 0);
    let mut counts = [0; 52];
    for _ in 0..4000 {
        let drawn = current.game().determinize(current.state(), 0, &mut rng);
        assert_eq!((drawn.hands[0], drawn.public), (current.state().hands[0], current.state().public));
        counts[drawn.hands[1].expect("a card was dealt").index()] += 1;
    }
    let drawn: Vec<i32> = counts.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(drawn.len(), 4);
    assert!(drawn.iter().all(|count| (850..1150).contains(count)), "{drawn:?}");
}

#[test]
fn positions_hide_what_is_hidden_and_read_back() {
    for (history, viewer, text) in [
        ("", Viewer::Referee, "- chance stakes=1/1"),
        ("~Ks ~Jh", Viewer::Seat(0), "- 0 stakes=1/1 cards=Ks/?? seen-by=0"),
        ("~Ks ~Jh raise call", Viewer::Seat(1), "- chance stakes=3/3 cards=??/Jh seen-by=1"),
        ("~Ks ~Jh raise call ~Qs raise raise", Viewer::Seat(1), "Qs 0 stakes=7/11 raises=2 cards=??/Jh seen-by=1"),
        ("~Ks ~Jh raise raise call ~Qs call raise", Viewer::Referee, "Qs 0 stakes=5/9 raises=1 cards=Ks/Jh"),
        ("~Ks ~Jh call call ~Qs raise fold", Viewer::Referee, "Qs over stakes=5/1 cards=Ks/Jh folded=1"),
        ("~Ks ~Jh call call ~Qs call call", Viewer::Spectator, "Qs over stakes=1/1 cards=Ks/Jh"),
    ] {
        let current = after(history);
        assert_eq!(current.position_text(viewer), text);
        let read = current.game().parse_position(text).unwrap();
        assert_eq!(current.game().position_text(&read.state, viewer), text);
    }
    // The order in which the first round's chips came decides nothing.
    let one = after("~Ks ~Jh raise call ~Qs raise");
    assert_eq!(one.state().position(), after("~Ks ~Jh call raise call ~Qs raise").state().position());
}

#[test]
fn positions_that_cannot_be_are_refused_with_their_place() {
    let game = game();
    for (text, says) in [
        ("", "position, character 1: the text ends here; expected the public card"),
        ("?? 0 stakes=1/1 cards=Ks/Js", "position, character 1: `??` cannot stand here; expected a card that both see"),
        (
            "Ks 0 stakes=1/1 cards=Ks/Js",
            "position, character 23: `Ks` cannot stand here; expected one of the cards Js,",
        ),
        (
            "Kx 0 stakes=1/1 cards=Ks/Js",
            "position, character 1: `Kx` cannot stand here; expected one of the cards Js, Jh, Qs, Qh, Ks or Kh that lies nowhere \
             else, or - for none",
        ),
        (
            "- 0 stakes=1/1 cards=Ks/?",
            "position, character 25: `?` cannot stand here; expected one of the cards Js, Jh, Qs, Qh, Ks or Kh that lies nowhere \
             else, ?? for a hidden one, or - for none",
        ),
        ("Ks 0 stakes=1/1", "position, character 4: `0` cannot stand here; expected as many cards"),
        ("- chance stakes=3/1 cards=Ks/Js", "position, character 17: `3/1` cannot stand here; expected 1/1 or 3/3"),
        ("Qs 0 stakes=5/9 cards=Ks/Js", "position, character 17: `cards=Ks/Js` cannot stand here; expected raises=1"),
        ("Qs 0 stakes=5/9 raises=2 cards=Ks/Js", ""),
        ("- 0 stakes=1/1 raises=3 cards=Ks/Js", "position, character 23: `3` cannot stand here; expected a number"),
    ] {
        match game.parse_position(text) {
            Ok(_) => assert_eq!(says, "", "{text} is accepted"),
            Err(error) => assert!(!says.is_empty() && error.to_string().starts_with(says), "{text}: {error}"),
        }
    }
}

/// What is found in the whole tree of the game.
#[derive(Default)]
struct Found {
    information_sets: HashSet<(Seat, u64)>,
    observations: HashSet<(Seat, Vec<i32>)>,
}

impl Found {
    fn visit(&mut self, game: &PathGame<LeducPoker>, state: &PathState<LeducPoker>, recall: &Recall) {
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
                let mut observation = vec![0; game.layout().len()];
                game.observe(state, seat, &mut observation);
                self.information_sets.insert((seat, recall.key(seat)));
                self.observations.insert((seat, observation));
                let mut actions = Vec::new();
                game.legal_actions(state, seat, &mut actions);
                choices.extend(actions.into_iter().map(|action| Choice::Action(seat, action)));
            }
        }
        for choice in choices {
            let (mut state, mut recall) = (state.clone(), recall.clone());
            recall.play(game, &mut state, choice);
            self.visit(game, &state, &recall);
        }
    }
}

#[test]
fn there_are_936_information_sets_and_576_positions_as_a_seat_sees_them() {
    let (game, mut found) = (game(), Found::default());
    found.visit(&game, &game.initial_state(), &Recall::new(2));
    assert_eq!((found.information_sets.len(), found.observations.len()), (936, 576));
}
