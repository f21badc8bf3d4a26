//! The rule book, clause by clause, and the slow program.

use std::collections::BTreeMap;

use raichi_core::erased::{create, split_spec};
use raichi_core::game::Game;
use raichi_core::perft::{KnownCounts, perft};
use raichi_core::random::{self, stream};
use raichi_core::seat::Seat;
use raichi_core::{AnyMatch, Encoding, Match, Notation, PathGame, Phase, Scene, View, Viewer};

use super::group::{Colour, Group};
use super::pieces::Pieces;
use super::reference::Reference;
use super::rules::{Stage, hand_size, least_copies};
use super::{Action, AlJabar, State};

fn rules(spec: &str) -> AlJabar {
    create::<AlJabar>(split_spec(spec).1).expect("the test's spec is allowed").game().clone()
}

fn refused(params: &str) -> String {
    create::<AlJabar>(Some(params)).expect_err("the test's parameters are refused").to_string()
}

fn pile(game: &AlJabar, texts: &str) -> Pieces {
    let mut pieces = Pieces::default();
    let parse = |text: &[u8]| game.group().parse_colour(text).expect("the test's pieces have texts");
    if game.group().is_published() {
        texts.as_bytes().chunks(1).for_each(|text| pieces.add(parse(text), 1));
    } else {
        texts.split_whitespace().for_each(|text| pieces.add(parse(text.as_bytes()), 1));
    }
    pieces
}

/// A pile's pieces in order.
fn texts(game: &AlJabar, pieces: &Pieces) -> String {
    let all = game
        .group()
        .colours()
        .flat_map(|colour| std::iter::repeat_n(game.group().colour_text(colour), pieces.count(colour).into()));
    all.collect::<Vec<_>>().join(if game.group().is_published() { "" } else { " " })
}

/// Seat 0's turn with these piles; the bag holds the rest.
fn position(spec: &str, center: &str, hands: &[&str]) -> (AlJabar, State) {
    let game = rules(spec);
    let mut state = game.initial_state();
    state.stage = Stage::Turn { drawn: false };
    state.center = pile(&game, center);
    for (hand, texts) in state.hands.iter_mut().zip(hands) {
        *hand = pile(&game, texts);
    }
    for colour in game.group().coloured() {
        let out = state.center.count(colour) + state.hands.iter().map(|hand| hand.count(colour)).sum::<u16>();
        state.bag.remove(colour, out);
    }
    (game, state)
}

fn legal(game: &AlJabar, state: &State) -> Vec<String> {
    let Phase::Act(seats) = game.phase(state) else { return Vec::new() };
    let mut actions = Vec::new();
    game.legal_actions(state, seats.first(), &mut actions);
    let mut texts: Vec<String> =
        actions.into_iter().map(|action| game.action_text(state, seats.first(), action)).collect();
    texts.sort();
    texts
}

fn play(game: &AlJabar, state: &mut State, history: &str) {
    for token in history.split_whitespace() {
        match game.phase(state) {
            Phase::Act(seats) => {
                let action = game.parse_action(state, seats.first(), token).expect("the test's text is read");
                assert!(game.is_legal(state, seats.first(), action), "{token} is not legal");
                game.apply(state, seats.first(), action);
            }
            Phase::Chance => {
                let outcome = game.parse_outcome(state, token).expect("the test's text is read");
                game.apply_outcome(state, outcome);
            }
            Phase::Over => panic!("the game is over before {token}"),
        }
    }
}

fn why(game: &AlJabar, state: &State, text: &str) -> String {
    let action = game.parse_action(state, 0, text).expect("the test's text is read");
    assert!(!game.is_legal(state, 0, action), "{text} is legal");
    game.why_illegal(state, 0, action)
}

// The example of play

/// The opening of the source's example: Robert, left of the dealer, then Cyrus, then the Center.
const EXAMPLE_DEAL: &str = "~R ~R ~Y ~Y ~Y ~G ~B ~P ~P ~P ~W ~W ~W \
                            ~R ~R ~O ~O ~O ~Y ~Y ~G ~B ~B ~P ~P ~W ~G";

/// What is played, what cancels, the Center without its zeros and how many these are, both hands afterwards.
const EXAMPLE: [(&str, &str, &str, u16, [&str; 2]); 16] = [
    ("BPW>G", "", "BPW", 1, ["RRYYYGGPPWW", "RRYYBBOOOGPPW"]),
    ("ROG>B", "", "ROGPW", 1, ["RRYYYGGPPWW", "RYYBBBOOPPW"]),
    ("RYG>P", "RG", "YOW", 3, ["RYYGPPPWW", "RYYBBBOOPPWKK"]),
    ("RYBW>K", "YW", "RBO", 4, ["RYYGPPPWWKK", "YBBOOPPKKK"]),
    ("PKK>RB", "", "OP", 6, ["RRYYBGPPWW", "YBBOOPPKKK"]),
    ("YBO>P", "O", "YB", 7, ["RRYYBGPPWWK", "BOPPPKKK"]),
    ("RYBW>K", "YB", "RW", 8, ["RYGPPWKK", "BOPPPKKKKK"]),
    ("KKK>K", "", "RW", 10, ["RYGPPWKK", "BOPPPKKK"]),
    ("RGK>W", "R", "G", 12, ["YPPWWK", "BOPPPKKKK"]),
    ("KKK>K", "", "G", 14, ["YPPWWK", "BOPPPKK"]),
    ("YPW>K", "", "YGPW", 13, ["PWKK", "BOPPPKK"]),
    ("OPK>G", "P", "YOW", 15, ["PWKKK", "BGPPK"]),
    // The source hands this zero to Robert, who has played; by its own rule it is Cyrus's.
    ("PWK>Y", "W", "OP", 17, ["YKK", "BGPPKK"]),
    ("GPK>O", "P", "G", 19, ["YKKK", "BOPK"]),
    ("KKK>K", "", "G", 21, ["YK", "BOPK"]),
    ("OPK>G", "", "OP", 22, ["YK", "BG"]),
];

#[test]
fn the_example_of_play_is_replayed_hand_by_hand() {
    let mut game = Match::new(rules("al-jabar"));
    game.play_history(EXAMPLE_DEAL).unwrap();
    let hand = |game: &Match<AlJabar>, seat: Seat| texts(game.game(), &game.state().hands[seat]);
    assert_eq!([hand(&game, 0), hand(&game, 1)], ["RRYYYBGPPPWWW", "RRYYBBOOOGPPW"]);
    assert_eq!(texts(game.game(), &game.state().center), "GK");
    for (ply, (action, cancelled, center, zeros, hands)) in EXAMPLE.into_iter().enumerate() {
        let other = 1 - ply % 2;
        let before = *game.state().position();
        assert_eq!(game.play_text(ply % 2, action).as_deref(), Ok(action));
        let after = game.state().position();
        assert_eq!(texts(game.game(), &after.center), center.to_string() + &"K".repeat(zeros.into()), "{action}");
        assert_eq!([hand(&game, 0), hand(&game, 1)], hands, "{action}");
        let received = after.hands[other].count(Colour::ZERO) - before.hands[other].count(Colour::ZERO);
        assert_eq!(usize::from(received), cancelled.len(), "{action}");
        for colour in game.game().group().coloured() {
            let out = |state: &State| {
                state.center.count(colour) + state.hands.iter().map(|hand| hand.count(colour)).sum::<u16>()
            };
            let expected = 2 * u16::from(cancelled.contains(&game.game().group().colour_text(colour)));
            assert_eq!(out(&before) - out(after), expected, "{action} cancels {cancelled}");
        }
    }
    game.play_text(0, "final").unwrap();
    assert!(AnyMatch::legal(&game, 0).contains(&"draw".into()), "drawing is optional");
    game.play_text(0, "pass").unwrap();
    assert!(AnyMatch::legal(&game, 1).contains(&"G>OP".into()), "passing is free");
    game.play_text(1, "pass").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("final-round"), [0.0, 0.0].as_slice()));
    assert_eq!(hand(&game, 0).len(), 2);
    assert_eq!(hand(&game, 1).len(), 2);
}

// Groups and parameters

#[test]
fn hands_are_as_large_as_the_source_has_it() {
    for (moduli, size) in [(&[2, 2, 2][..], 13), (&[2, 2, 2, 2], 29), (&[3, 3], 23), (&[2], 1), (&[5], 19)] {
        assert_eq!(hand_size(&Group::new(moduli).unwrap()), size, "{moduli:?}");
    }
    // Unequal moduli: elements for mⁿ, the least common multiple for m.
    for (moduli, size) in [(&[2, 3][..], 6 * 6 - 6 - 1), (&[4, 2], 8 * 4 - 4 - 1), (&[2, 3, 4], 24 * 12 - 12 - 1)] {
        assert_eq!(hand_size(&Group::new(moduli).unwrap()), size, "{moduli:?}");
    }
}

#[test]
fn groups_above_32_elements_are_refused_and_so_are_too_many_sets() {
    for allowed in ["3/3/3", "5/5", "2/3/4", "2/2/2/2", "5", "9", "4/8", "2/2/8", "2/2/2/2/2,limit=3", "3/9,limit=3"] {
        rules(&format!("al-jabar:copies=100,group={allowed}"));
    }
    assert_eq!(refused("group=5/7"), "`group=5/7`: the group has 35 colours; at most 32 are allowed");
    assert_eq!(refused("group=2/10"), "`group=2/10`: group is 1 to 5 numbers from 2 to 9 with / between them");
    assert_eq!(
        refused("group=2/2/2/2/2"),
        "`group=2/2/2/2/2`: with five moduli it has to be said how many pieces are given at most: limit, a whole number from 1 to 3"
    );
    assert_eq!(
        refused("group=2/2/2/3,limit=4,copies=100"),
        "`limit=4`: 20474 sets of 1 to 4 pieces could be given in a group of 24 colours, and at most 10000 are allowed; \
         limit is a whole number from 1 to 3 then"
    );
    assert!(refused("group=2/2/2/3,copies=100").starts_with("`limit=4`: 20474 sets"), "the default is too high");
}

#[test]
fn the_bag_must_hold_the_deal_and_no_more() {
    // 2 × 13 + 1 of 7 colours.
    rules("al-jabar:copies=4");
    assert_eq!(
        refused("copies=3"),
        "`copies=3`: 2 players are dealt 13 pieces each and the Center one, from 7 colours in group 2/2/2; copies is a \
         whole number from 4 to 100 then"
    );
    rules("al-jabar:copies=8,players=4");
    assert!(refused("copies=7,players=4").contains("a whole number from 8 to 100"));
    // 4 × 379 + 1 of 19 colours: the most copies that any group asks for.
    assert!(refused("group=4/5,players=4").starts_with("`copies=10`: 4 players are dealt 379 pieces each"));
    rules("al-jabar:group=4/5,players=4,copies=80");
    for moduli in (2..=5u8).flat_map(|a| (2..=5).flat_map(move |b| [vec![a], vec![a, b], vec![a, b, 2], vec![a, b, 3]]))
    {
        let needs = Group::new(&moduli).map(|group| least_copies(&group, 4, hand_size(&group)));
        let order: u8 = moduli.iter().product();
        assert!(needs.is_none_or(|copies| copies <= 80 || order > 27), "{moduli:?}");
    }
    for params in ["players=1", "players=5", "copies=0", "copies=101", "max-rounds=0", "max-rounds=100001", "hands=3"] {
        let key = params.split('=').next().unwrap();
        assert!(refused(params).contains(key), "{params}");
    }
}

#[test]
fn canonical_specs_leave_defaults_out() {
    let canonical = |params| create::<AlJabar>(Some(params)).unwrap().spec().to_string();
    assert_eq!(canonical("max-rounds=200,copies=10,group=2/2/2,players=2"), "al-jabar");
    assert_eq!(canonical("copies=20,group=3/2,players=3"), "al-jabar:players=3,group=3/2,copies=20");
    assert_eq!(canonical("limit=3,hand=13,spectrum=true,gift=true"), "al-jabar");
    let all = "gift=false,spectrum=false,limit=2,hand=5,max-plies=90,max-rounds=9";
    assert_eq!(canonical(all), "al-jabar:max-rounds=9,hand=5,limit=2,spectrum=false,gift=false,max-plies=90");
}

#[test]
fn colours_are_in_the_order_of_texts() {
    let all = |spec| {
        let game = rules(spec);
        game.group().colours().map(|colour| game.group().colour_text(colour)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(all("al-jabar"), "R Y B O G P W K");
    assert_eq!(all("al-jabar:group=2/3,copies=20"), "01 02 10 11 12 00");
    assert_eq!(all("al-jabar:group=4"), "1 2 3 0");
    assert_eq!(all("al-jabar:group=2/2"), "01 10 11 00");
    assert!(all("al-jabar:group=2/2/3,copies=20").starts_with("001 002 010"));
}

#[test]
fn colours_add_up_as_the_source_says() {
    let group = Group::new(&[2, 2, 2]).unwrap();
    let sum = |texts: &str| {
        let sum = group.sum(texts.bytes().map(|letter| group.parse_colour(&[letter]).unwrap()));
        group.colour_text(sum)
    };
    for (texts, expected) in [
        ("RB", "P"),
        ("RY", "O"),
        ("BY", "G"),
        ("RBY", "W"),
        ("RK", "R"),
        ("RR", "K"),
        ("RBB", "R"),
        ("WPB", "G"),
        ("GOR", "B"),
    ] {
        assert_eq!(sum(texts), expected, "{texts}");
    }
    let group = Group::new(&[2, 3]).unwrap();
    let colour = |text: &str| group.parse_colour(text.as_bytes()).unwrap();
    assert_eq!(group.sum([colour("12"), colour("12")]), colour("01"));
}

#[test]
fn symmetries_are_the_exchanges_of_the_spectrum() {
    let n = |spec: &str| rules(&format!("al-jabar:copies=100,group={spec}")).n_symmetries();
    let counts = ["2/2/2", "2/2", "2", "3", "5", "3/3/3", "2/2/2/2", "2/3", "2/2/3", "5/5"].map(n);
    assert_eq!(counts, [24, 6, 1, 2, 2, 24, 120, 1, 2, 6]);
}

// The deal

#[test]
fn seats_are_dealt_one_after_another_then_the_center() {
    let mut game = Match::new(rules("al-jabar:group=2/2,players=3,copies=6"));
    assert_eq!(texts(game.game(), &game.state().center), "00");
    game.play_history(&"~01 ".repeat(5)).unwrap();
    game.play_history(&"~10 ".repeat(5)).unwrap();
    assert_eq!(game.state().hands.map(|hand| hand.len()), [5, 5, 0, 0]);
    assert_eq!(AnyMatch::outcomes(&game, Viewer::Referee).len(), 3);
    game.play_history("~01 ~10 ~11 ~11 ~11").unwrap();
    assert_eq!(game.phase(), Phase::Chance);
    // The sixth 01 and the sixth 10 are dealt: only 11 is left.
    assert_eq!(AnyMatch::outcomes(&game, Viewer::Referee).len(), 1);
    game.play_history("~11").unwrap();
    assert_eq!(game.phase(), Phase::seat(0));
    assert_eq!(texts(game.game(), &game.state().center), "11 00");
}

#[test]
fn pieces_are_drawn_as_often_as_they_lie_in_the_bag() {
    let (game, mut state) = position("al-jabar", "K", &["K", "K"]);
    state.stage = Stage::Draw;
    state.bag = pile(&game, "RBBWWW");
    let mut rng = stream(1, "bag", 0);
    let mut counts: BTreeMap<String, i32> = BTreeMap::new();
    for _ in 0..6_000 {
        *counts.entry(game.outcome_text(&state, game.sample_outcome(&state, &mut rng))).or_default() += 1;
    }
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    for (outcome, weight) in outcomes {
        // Five standard deviations of a binomial with p = 1/2.
        let count = counts.remove(&game.outcome_text(&state, outcome)).unwrap();
        assert!((count - 1_000 * weight as i32).abs() < 194, "{outcome:?} came {count} times");
    }
    assert!(counts.is_empty());
}

// Exchanges

#[test]
fn equal_sums_are_exchanged_one_to_three_for_one_to_three() {
    let (game, state) = position("al-jabar", "OWK", &["RYY", "K"]);
    // R + Y = O, R = Y + O; O + W + K = G and the like are out of reach.
    assert_eq!(legal(&game, &state), ["RY>O", "RY>OK", "YY>K", "draw", "final"]);
    let (game, state) = position("al-jabar", "RYB", &["W", "K"]);
    assert_eq!(legal(&game, &state), ["W>RYB", "draw", "final"]);
    assert_eq!(why(&game, &state, "W>RYY"), "the Center does not hold RYY");
    assert_eq!(why(&game, &state, "W>R"), "the sums differ: White, but Red");
    assert_eq!(why(&game, &state, "O>RY"), "the hand does not hold O");
    let (game, state) = position("al-jabar", "RYB", &["RYG", "K"]);
    assert_eq!(why(&game, &state, "YG>RY"), "the sums differ: Yellow + Green = Blue, but Red + Yellow = Orange");
}

#[test]
fn an_exchange_has_to_change_something() {
    let (game, state) = position("al-jabar", "RK", &["RK", "K"]);
    assert_eq!(legal(&game, &state), ["R>RK", "RK>R", "draw", "final"]);
    assert_eq!(why(&game, &state, "RK>RK"), "an exchange has to change something");
}

#[test]
fn what_is_given_cannot_be_taken_back_but_its_colour_can() {
    let (game, mut state) = position("al-jabar", "K", &["KKKR", "K"]);
    assert!(legal(&game, &state).contains(&"KKK>K".into()));
    assert_eq!(why(&game, &state, "KKK>KK"), "the Center does not hold KK");
    play(&game, &mut state, "KKK>K");
    assert_eq!(texts(&game, &state.center), "KKK");
    assert_eq!(texts(&game, &state.hands[0]), "RK");
}

#[test]
fn the_spectrum_is_four_pieces_for_one_zero() {
    let (game, mut state) = position("al-jabar", "PKK", &["RYBW", "KK"]);
    assert!(legal(&game, &state).contains(&"RYBW>K".into()));
    assert!(!legal(&game, &state).contains(&"RYBW>KK".into()));
    assert_eq!(why(&game, &state, "RYBW>KK"), "the spectrum is exchanged for Black alone");
    assert_eq!(why(&game, &state, "RYBW>P"), "the spectrum is exchanged for Black alone");
    play(&game, &mut state, "RYBW>K");
    assert_eq!(texts(&game, &state.center), "RYBPWK");
    assert_eq!(texts(&game, &state.hands[0]), "K");
    assert!(state.signalled);
    let (game, state) = position("al-jabar", "P", &["RYBWO", "KK"]);
    assert_eq!(why(&game, &state, "RYBW>K"), "the Center does not hold K");
}

#[test]
fn other_groups_have_their_own_spectrum() {
    for (spec, hand, action) in [
        ("al-jabar:group=2,copies=9", "1 1", "1.1>0"),
        ("al-jabar:group=5", "1 4", "1.4>0"),
        ("al-jabar:group=2/3,copies=20", "01 10 12", "01.10.12>00"),
        ("al-jabar:group=3/3/3", "001 010 100 222", "001.010.100.222>000"),
        ("al-jabar:group=2/2/2/2", "0001 0010 0100 1000 1111", "0001.0010.0100.1000.1111>0000"),
    ] {
        let zero = action.split('>').nth(1).unwrap();
        let (game, mut state) = position(spec, zero, &[hand, zero]);
        assert!(legal(&game, &state).contains(&action.into()), "{spec}");
        play(&game, &mut state, action);
        assert_eq!(texts(&game, &state.hands[0]), zero);
    }
}

#[test]
fn with_one_modulus_only_the_spectrum_gives_two_pieces() {
    let (game, state) = position("al-jabar:group=3", "0 1", &["1 2 2 0", "0"]);
    assert_eq!(legal(&game, &state), ["1.2>0", "draw"]);
    assert!(game.parse_action(&state, 0, "1.0>1").is_err());
}

// Drawing and passing

#[test]
fn without_an_exchange_one_draws_until_there_is_one() {
    let (game, mut state) = position("al-jabar", "W", &["RRYY", "K"]);
    assert_eq!(legal(&game, &state), ["draw"]);
    assert_eq!(why(&game, &state, "pass"), "before the final round one passes only when the bag is empty");
    assert_eq!(why(&game, &state, "final"), "the final round is called with at most 3 pieces in hand");
    play(&game, &mut state, "draw ~R");
    assert_eq!(legal(&game, &state), ["draw"]);
    play(&game, &mut state, "draw ~B");
    assert!(legal(&game, &state).contains(&"RYB>W".into()));
    assert!(legal(&game, &state).contains(&"draw".into()));
    play(&game, &mut state, "RYB>W");
    assert_eq!((state.to_act, texts(&game, &state.hands[0])), (1, "RRYW".into()));
}

#[test]
fn with_an_empty_bag_and_no_exchange_one_passes() {
    let (game, mut state) = position("al-jabar", "W", &["RRYY", "K"]);
    state.bag = Pieces::default();
    assert_eq!(legal(&game, &state), ["pass"]);
    assert_eq!(why(&game, &state, "draw"), "the bag is empty");
    let (game, mut state) = position("al-jabar", "W", &["RR", "K"]);
    assert_eq!(legal(&game, &state), ["draw", "final"], "with n pieces or fewer one may still draw");
    state.bag = Pieces::default();
    assert_eq!(legal(&game, &state), ["final", "pass"]);
    play(&game, &mut state, "pass");
    assert_eq!((state.signalled, state.to_act), (false, 1));
    let (game, mut state) = position("al-jabar", "OK", &["RYY", "K"]);
    state.bag = Pieces::default();
    assert_eq!(legal(&game, &state), ["RY>O", "RY>OK", "YY>K", "final"]);
    assert_eq!(why(&game, &state, "pass"), "there is an exchange, and the final round has not been called");
}

#[test]
fn drawing_is_free_at_any_time() {
    let (game, mut state) = position("al-jabar", "O", &["RYYB", "K"]);
    play(&game, &mut state, "draw ~W draw ~W RY>O");
    assert_eq!(texts(&game, &state.hands[0]), "YBOWW");
    assert_eq!(state.bag.count(game.group().parse_colour(b"W").unwrap()), 8);
}

// Cancelling

#[test]
fn cancelled_pieces_leave_the_game_and_give_the_others_zeros() {
    let (game, mut state) = position("al-jabar:players=3", "ROP", &["RYG", "R", "Y"]);
    play(&game, &mut state, "RY>O");
    assert_eq!(texts(&game, &state.center), "YPK");
    assert_eq!([0, 1, 2].map(|seat| texts(&game, &state.hands[seat])), ["OG", "RK", "YK"]);
    // R and Y are both doubled here.
    let (game, mut state) = position("al-jabar", "RYO", &["RYG", "R"]);
    play(&game, &mut state, "RY>O");
    assert_eq!(texts(&game, &state.center), "KK");
    assert_eq!(texts(&game, &state.hands[1]), "RKK");
}

#[test]
fn zeros_never_cancel() {
    let (game, mut state) = position("al-jabar", "RK", &["RKK", "R"]);
    play(&game, &mut state, "RKK>R");
    assert_eq!(texts(&game, &state.center), "RKKK");
    assert_eq!(texts(&game, &state.hands[1]), "R");
}

#[test]
fn a_double_that_is_given_cancels_for_nothing() {
    let (game, mut state) = position("al-jabar", "YKK", &["RRG", "B"]);
    play(&game, &mut state, "RR>K");
    assert_eq!(texts(&game, &state.center), "YKK");
    assert_eq!(texts(&game, &state.hands[1]), "B");
    let (game, mut state) = position("al-jabar", "YK", &["RRYB", "B"]);
    play(&game, &mut state, "RRY>Y");
    assert_eq!(texts(&game, &state.center), "YKK", "what is taken leaves before");
    assert_eq!(texts(&game, &state.hands[1]), "B");
    // Another colour cancelled in the same turn is not excepted.
    let (game, mut state) = position("al-jabar", "YRBP", &["RRYB", "B"]);
    play(&game, &mut state, "RRB>RP");
    assert_eq!(texts(&game, &state.center), "YKK", "two R, then the two B");
    assert_eq!(texts(&game, &state.hands[1]), "BK", "for the B alone");
}

#[test]
fn three_and_one_cancel_twice_for_nothing() {
    let (game, mut state) = position("al-jabar", "RYO", &["RRRB", "B"]);
    play(&game, &mut state, "RRR>YO");
    assert_eq!(texts(&game, &state.center), "KK");
    assert_eq!(texts(&game, &state.hands[1]), "B");
}

#[test]
fn as_many_as_the_exponent_cancel() {
    let (game, mut state) = position("al-jabar:group=3/3", "10 10 20 00", &["10 10 01", "01"]);
    play(&game, &mut state, "10.10>20");
    assert_eq!(texts(&game, &state.center), "10 00 00");
    assert_eq!(texts(&game, &state.hands[1]), "01 00", "four given and there: three cancel");
    // In 2/3 two of 10 already sum to zero, but six of any colour do.
    let (game, mut state) = position("al-jabar:group=2/3,copies=20", "10 10 10 10 00", &["10 10 01 01", "01"]);
    play(&game, &mut state, "10.10>00");
    assert_eq!(texts(&game, &state.center), "00");
    assert_eq!(texts(&game, &state.hands[1]), "01 00", "two were given, fewer than six");
    // The spectrum of a single modulus 2 is itself a double.
    let (game, mut state) = position("al-jabar:group=2,copies=9", "0", &["1 1 1", "1"]);
    play(&game, &mut state, "1.1>0");
    assert_eq!(texts(&game, &state.center), "0");
    assert_eq!(texts(&game, &state.hands[1]), "1");
}

// The final round and the end

#[test]
fn a_turn_that_ends_with_one_piece_signals() {
    let (game, mut state) = position("al-jabar", "OK", &["RY", "RYB"]);
    play(&game, &mut state, "RY>O");
    assert!(state.signalled);
    assert_eq!(game.phase(&state), Phase::seat(1));
    assert!(legal(&game, &state).contains(&"pass".into()), "passing is free now");
    play(&game, &mut state, "draw ~W");
    assert!(legal(&game, &state).contains(&"pass".into()), "after drawing too");
    play(&game, &mut state, "pass");
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "final-round"));
    assert_eq!(game.payoffs(&state).as_slice(), [1.0, -1.0]);
}

#[test]
fn zeros_received_after_the_signal_count() {
    let (game, mut state) = position("al-jabar", "OWBK", &["RY", "YBO"]);
    play(&game, &mut state, "RY>O");
    // Y and B meet theirs; the caller gets two zeros and is caught up with.
    play(&game, &mut state, "YB>RW");
    assert_eq!(texts(&game, &state.hands[0]), "OKK");
    assert_eq!(texts(&game, &state.hands[1]), "ROW");
    assert_eq!(game.payoffs(&state).as_slice(), [0.0, 0.0]);
}

#[test]
fn the_last_seats_single_piece_ends_the_game_at_once() {
    let (game, mut state) = position("al-jabar", "OK", &["RYBB", "RY"]);
    play(&game, &mut state, "BB>K RY>O");
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "final-round"));
    assert_eq!(game.payoffs(&state).as_slice(), [-1.0, 1.0]);
}

#[test]
fn a_pass_that_ends_with_one_piece_signals_too() {
    let (game, mut state) = position("al-jabar", "W", &["R", "YY"]);
    state.bag = Pieces::default();
    play(&game, &mut state, "pass");
    assert!(state.signalled);
    assert_eq!(game.phase(&state), Phase::seat(1));
}

#[test]
fn the_final_round_is_called_first_thing_with_few_pieces() {
    let (game, mut state) = position("al-jabar:players=3", "OK", &["RYBB", "RYB", "YY"]);
    assert!(!legal(&game, &state).contains(&"final".into()));
    play(&game, &mut state, "BB>K");
    assert!(legal(&game, &state).contains(&"final".into()), "though there is an exchange");
    let mut drawn = state;
    play(&game, &mut drawn, "draw ~B");
    assert!(!legal(&game, &drawn).contains(&"final".into()));
    play(&game, &mut state, "final");
    let options = legal(&game, &state);
    assert!(["RY>O", "draw", "pass"].iter().all(|&word| options.contains(&word.into())), "{options:?}");
    assert!(!options.contains(&"final".into()));
    play(&game, &mut state, "draw ~B pass");
    // Only the seats behind the caller still act.
    assert_eq!(game.phase(&state), Phase::seat(2));
    assert!(!legal(&game, &state).contains(&"final".into()));
    play(&game, &mut state, "YY>K");
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "final-round"));
    assert_eq!(game.payoffs(&state).as_slice(), [0.0, 0.0, 1.0]);
}

#[test]
fn final_after_a_draw_says_why_not() {
    let (game, mut state) = position("al-jabar", "W", &["R", "Y"]);
    play(&game, &mut state, "draw ~R");
    assert_eq!(why(&game, &state, "final"), "the final round is called before anything else in a turn");
    let (game, mut state) = position("al-jabar", "W", &["R", "Y"]);
    play(&game, &mut state, "final");
    assert_eq!(why(&game, &state, "final"), "the final round has been signalled already");
}

#[test]
fn the_last_seat_may_call_too() {
    let (game, mut state) = position("al-jabar", "OK", &["RYBB", "RYB"]);
    play(&game, &mut state, "BB>K final pass");
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "final-round"));
    assert_eq!(game.payoffs(&state).as_slice(), [0.0, 0.0]);
}

#[test]
fn rounds_run_out_and_the_fewest_pieces_win_all_the_same() {
    let (game, mut state) = position("al-jabar:max-rounds=1,players=3", "OKK", &["RYBB", "RYBB", "YYYYY"]);
    play(&game, &mut state, "BB>K BB>K YY>K");
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "rounds"));
    assert_eq!(game.payoffs(&state).as_slice(), [0.5, 0.5, 0.0]);
    // Both at once: the final round is named.
    let (game, mut state) = position("al-jabar:max-rounds=1", "OKK", &["RYBB", "RY"]);
    play(&game, &mut state, "BB>K RY>O");
    assert_eq!(game.end_reason(&state), "final-round");
}

#[test]
fn the_cap_ranks_as_things_stand() {
    let mut game = Match::new(create::<AlJabar>(Some("max-plies=28")).unwrap());
    game.play_history(EXAMPLE_DEAL).unwrap();
    game.play_text(0, "BPW>G").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [1.0, -1.0].as_slice()));
}

// Texts and the picture

#[test]
fn only_canonical_texts_are_read() {
    let game = rules("al-jabar");
    let state = game.initial_state();
    for bad in [
        "YR>O", "R.Y>O", "RY", "RY>", ">O", "RYBO>K", "K>RYBW", "RY>O>", "ry>o", "RYÖ>O", "DRAW", "final ", "",
        "RYBWK>K",
    ] {
        let error = game.parse_action(&state, 0, bad).unwrap_err().to_string();
        assert!(error.contains("draw, pass or final"), "{bad}: {error}");
    }
    assert_eq!(
        game.parse_action(&state, 0, "x").unwrap_err().expected,
        "an exchange (1 to 3 pieces for 1 to 3 in the order R Y B O G P W K, such as RK>R), the spectrum RYBW>K, draw, pass \
         or final"
    );
    let other_order = game.parse_action(&state, 0, "GWYK>OR").unwrap_err().to_string();
    assert!(other_order.ends_with("or final"), "four pieces are too many: {other_order}");
    let other_order = game.parse_action(&state, 0, "GO>P").unwrap_err().to_string();
    assert!(other_order.ends_with("; in that order this is OG>P"), "{other_order}");
    assert_eq!(
        game.parse_outcome(&state, "~K").unwrap_err().expected,
        "a piece of the bag, ~ before one of R Y B O G P W"
    );
    let game = rules("al-jabar:group=2/3,copies=20");
    for bad in ["1001>11", "10.1>11", "10.01.>11", "10..01>11", "13>01", "20>01", "101>01", "10.01>11"] {
        assert!(game.parse_action(&state, 0, bad).is_err(), "{bad}");
    }
    assert!(game.parse_action(&state, 0, "01.10>11").is_ok());
    assert!(["~00", "~13", "~1", "~", "01", "~010"].iter().all(|bad| game.parse_outcome(&state, bad).is_err()));
}

#[test]
fn an_exchange_is_touched_piece_by_piece_with_its_sums_said() {
    let mut game = Match::new(rules("al-jabar"));
    game.play_history(EXAMPLE_DEAL).unwrap();
    let action = game.game().parse_action(game.state(), 0, "BPW>G").unwrap();
    let path = game.game().path(game.state(), 0, action);
    assert_eq!(path, ["hand:0:B", "hand:0:P", "hand:0:W", "for", "center:G", "ok"]);
    let caption = |n: usize| AnyMatch::caption(&game, 0, &path[..n]).unwrap();
    assert_eq!(caption(1), "Blue");
    assert_eq!(caption(2), "Blue + Purple = Red");
    assert_eq!(caption(3), "Blue + Purple + White = Green");
    assert_eq!(caption(4), "Blue + Purple + White = Green; take pieces that sum to Green");
    assert_eq!(caption(5), "Blue + Purple + White = Green; for Green");
    let path = ["hand:0:B", "hand:0:P", "for", "center:G"].map(String::from);
    let caption = AnyMatch::caption(&game, 0, &path);
    assert_eq!(caption.unwrap(), "Blue + Purple = Red; for Green, but Red is wanted");
    assert_eq!(AnyMatch::caption(&game, 0, &["draw".into()]), None);
    let open = ["hand:0:B", "center:G", "for", "ok", "draw"].map(|id| AnyMatch::any_order(&game, id));
    assert_eq!(open, [true, true, false, false, false]);
}

#[test]
fn each_place_says_what_its_colour_is_made_of() {
    let game = rules("al-jabar");
    let picture = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator);
    let labels: Vec<&str> = picture.areas[0].cells.iter().filter_map(|cell| cell.label.as_deref()).collect();
    let expected = [
        "Red: 0",
        "Yellow: 0",
        "Blue: 0",
        "Orange = Red + Yellow: 0",
        "Green = Yellow + Blue: 0",
        "Purple = Red + Blue: 0",
        "White = Red + Yellow + Blue: 0",
        "Black: 1",
    ];
    assert_eq!(labels, expected);
}

// Against the slow program, and the list

fn step(game: &AlJabar, state: &mut State, rng: &mut random::FastRng) -> Option<String> {
    Some(match game.phase(state) {
        Phase::Over => return None,
        Phase::Chance => {
            let outcome = game.sample_outcome(state, rng);
            let text = game.outcome_text(state, outcome);
            game.apply_outcome(state, outcome);
            text
        }
        Phase::Act(seats) => {
            // More draws than a uniform choice makes, so that the bag is empty now and then.
            let seat = seats.first();
            let draws = !state.bag.is_empty() && random::index(rng, 8) == 0;
            let random = game.random_action(state, seat, &mut Vec::new(), rng);
            let action = if draws { Action::Draw } else { random };
            let text = game.action_text(state, seat, action);
            game.apply(state, seat, action);
            text
        }
    })
}

const GROUPS: [&str; 14] =
    ["2/2/2", "2", "3", "5", "2/2", "2/3", "3/2", "3/3", "4/2", "2/2/3", "2/2/2/2", "5/5", "3/3/3", "2/5/2"];

#[test]
fn random_games_agree_with_the_slow_program_at_every_ply() {
    let mut ends = BTreeMap::new();
    for (i, group) in GROUPS.iter().cycle().take(42).enumerate() {
        let moduli: Vec<usize> = group.split('/').map(|modulus| modulus.parse().unwrap()).collect();
        let players = [2, 3, 4][i % 3];
        let least = {
            let moduli: Vec<u8> = moduli.iter().map(|&modulus| modulus as u8).collect();
            let group = Group::new(&moduli).unwrap();
            least_copies(&group, players, hand_size(&group))
        };
        let copies = (least + i as u16 % 4).min(100);
        let max_rounds = [200, 7, 30][i / GROUPS.len() % 3];
        let game = rules(&format!("al-jabar:players={players},group={group},copies={copies},max-rounds={max_rounds}"));
        let mut slow = Reference::new(players.into(), &moduli, copies.into(), max_rounds);
        let mut rng = stream(i as u64, "reference", 0);
        let mut state = game.initial_state();
        // Large groups have too many exchanges to list them so slowly at every ply.
        let (n_plies, looks_every) = if game.group().order() > 9 { (400, 80) } else { (2_000, 1) };
        for ply in 0..n_plies {
            if ply % looks_every == 0 {
                let mut ours = legal(&game, &state);
                if game.phase(&state) == Phase::Chance {
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    ours.extend(outcomes.iter().map(|&(outcome, _)| game.outcome_text(&state, outcome)));
                    ours.sort();
                }
                assert_eq!(ours, slow.legal().into_iter().collect::<Vec<_>>(), "{group} after {ply} plies");
            }
            for (hand, slow_hand) in state.hands.iter().zip(&slow.hands) {
                assert_eq!(texts(&game, hand).replace(' ', "."), slow.texts(slow_hand));
            }
            assert_eq!(texts(&game, &state.center).replace(' ', "."), slow.texts(&slow.center));
            assert_eq!(game.payoffs(&state).as_slice(), slow.payoffs());
            let Some(token) = step(&game, &mut state, &mut rng) else { break };
            slow.play(&token);
        }
        if game.phase(&state) == Phase::Over {
            assert_eq!(slow.end, Some(game.end_reason(&state)));
            *ends.entry(game.end_reason(&state)).or_insert(0) += 1;
        }
    }
    assert!(ends["final-round"] > 4 && ends["rounds"] > 4, "both ends come up: {ends:?}");
}

/// The rules of the house: hand, limit, spectrum, gift.
const HOUSES: [(&str, usize, usize, bool, bool); 10] = [
    ("2/2/2", 5, 3, false, true),
    ("2/2/2", 6, 4, true, false),
    ("2/2/2", 6, 4, false, true),
    ("2/2/2", 7, 2, true, true),
    ("2/2/2", 4, 1, true, false),
    ("2", 9, 2, true, true),
    ("3/3", 8, 3, true, false),
    ("2/3", 12, 4, false, false),
    ("2/2/2/2/2", 9, 2, true, true),
    ("9", 12, 3, true, true),
];

#[test]
fn games_with_rules_of_the_house_agree_with_the_slow_program_at_every_ply() {
    for (i, (group, hand, limit, spectrum, gift)) in HOUSES.into_iter().cycle().take(30).enumerate() {
        let moduli: Vec<usize> = group.split('/').map(|modulus| modulus.parse().unwrap()).collect();
        let players = [2, 3][i % 2];
        let n_coloured = moduli.iter().product::<usize>() - 1;
        let copies = (players * hand + 1).div_ceil(n_coloured) + i % 3;
        let spec = format!(
            "al-jabar:players={players},group={group},copies={copies},hand={hand},limit={limit},spectrum={spectrum},\
             gift={gift}"
        );
        let game = rules(&spec);
        let mut slow = Reference::new(players, &moduli, copies, 200).with_house(hand, limit, spectrum, gift);
        let mut rng = stream(i as u64, "house", 0);
        let mut state = game.initial_state();
        let looks_every = if game.group().order() > 9 { 40 } else { 1 };
        for ply in 0..300 {
            if ply % looks_every == 0 && matches!(game.phase(&state), Phase::Act(_)) {
                assert_eq!(
                    legal(&game, &state),
                    slow.legal().into_iter().collect::<Vec<_>>(),
                    "{spec} after {ply} plies"
                );
                let read = game.parse_position(&game.position_text(&state, Viewer::Referee)).unwrap();
                assert_eq!(read.state, state, "{spec}");
            }
            for (hand, slow_hand) in state.hands.iter().zip(&slow.hands) {
                assert_eq!(texts(&game, hand).replace(' ', "."), slow.texts(slow_hand), "{spec}");
            }
            assert_eq!(texts(&game, &state.center).replace(' ', "."), slow.texts(&slow.center));
            let Some(token) = step(&game, &mut state, &mut rng) else { break };
            slow.play(&token);
        }
        assert_eq!(slow.end.is_some(), game.phase(&state) == Phase::Over, "{spec}");
    }
}

#[test]
fn the_spectrum_above_the_limit_is_an_ordinary_exchange() {
    let count = |spec: &str| {
        let (game, state) = position(spec, "RYBOK", &["RYBWGG", "K"]);
        legal(&game, &state).iter().filter(|text| *text == "RYBW>K").count()
    };
    assert_eq!(count("al-jabar"), 1);
    assert_eq!(count("al-jabar:limit=4"), 1, "once, not twice");
    assert_eq!(count("al-jabar:limit=4,spectrum=false"), 1);
    assert_eq!(count("al-jabar:spectrum=false"), 0);
    assert_eq!(count("al-jabar:limit=1"), 1, "the exception is as large as it is");
}

#[test]
fn the_nth_exchange_is_the_nth_of_the_list() {
    for (i, group) in GROUPS.iter().enumerate() {
        let game = rules(&format!("al-jabar:group={group},copies=100"));
        let mut rng = stream(i as u64, "nth", 0);
        let mut state = game.initial_state();
        for ply in 0..1_000 {
            if let Phase::Act(seats) = game.phase(&state)
                && ply % 7 == 0
            {
                let exchanges = game.exchanges(&state, seats.first());
                let mut listed = Vec::new();
                exchanges.for_each(|exchange| listed.push(exchange));
                let tally = exchanges.tally();
                assert_eq!(tally.total, listed.len());
                let stride = 1 + listed.len() / 500;
                for (n, &exchange) in listed.iter().enumerate().step_by(stride) {
                    assert_eq!(exchanges.nth(&tally, n), exchange, "{n} of {} in {group}", listed.len());
                    assert!(exchanges.contains(exchange));
                }
            }
            if step(&game, &mut state, &mut rng).is_none() {
                break;
            }
        }
    }
}

#[test]
fn random_actions_are_uniform() {
    let (game, state) = position("al-jabar", "RYOKK", &["RYGKK", "K"]);
    let options = legal(&game, &state);
    let n = options.len() as i32;
    let mut counts: BTreeMap<String, i32> = BTreeMap::new();
    let mut rng = stream(3, "uniform", 0);
    for _ in 0..1_000 * n {
        let action = game.random_action(&state, 0, &mut Vec::new(), &mut rng);
        *counts.entry(game.action_text(&state, 0, action)).or_default() += 1;
    }
    assert_eq!(counts.keys().collect::<Vec<_>>(), options.iter().collect::<Vec<_>>());
    // Five standard deviations of a count of 1000.
    assert!(counts.values().all(|count| (count - 1_000).abs() < 159), "{counts:?}");
}

#[test]
fn the_known_counts_agree_with_the_slow_program() {
    // The slow program is slow in listing, which it does at the ply before the last.
    let most = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 10_000 } else { 1_500 };
    for line in KnownCounts::parse(include_str!("perft.txt")).unwrap() {
        let game = rules(&line.spec);
        let moduli: Vec<usize> = game.group().moduli().iter().map(|&modulus| modulus.into()).collect();
        let copies = game.initial_state().bag.count(Colour(0));
        let mut slow = Reference::new(game.n_seats(), &moduli, copies.into(), game.max_rounds as usize);
        let mut state = game.initial_state();
        play(&game, &mut state, &line.history);
        line.history.split_whitespace().for_each(|token| slow.play(token));
        let most = if game.group().order() > 9 { 2 } else { most };
        let path_game = PathGame::from(game);
        let state = path_game.state_at(state);
        let is_near = |&depth: &u32| line.at(depth).is_some() && line.at(depth - 1).is_some_and(|before| before < most);
        for depth in (1..).take_while(is_near) {
            assert_eq!(Some(slow.perft(depth)), line.at(depth), "perft {depth} of {}", line.spec);
            assert_eq!(Some(perft(&path_game, &state, depth)), line.at(depth), "perft {depth} of {}", line.spec);
        }
    }
}

// Positions and numbers

#[test]
fn positions_name_the_piles_the_turn_and_the_signal() {
    let mut game = Match::new(rules("al-jabar"));
    let text = |game: &Match<AlJabar>| game.position_text(Viewer::Spectator);
    assert_eq!(text(&game), "K chance round=0 hands=-/- bag=R*10.Y*10.B*10.O*10.G*10.P*10.W*10");
    game.play_history(EXAMPLE_DEAL).unwrap();
    let hands = "hands=R*2.Y*3.B.G.P*3.W*3/R*2.Y*2.B*2.O*3.G.P*2.W";
    assert_eq!(text(&game), format!("G.K 0 round=0 {hands} bag=R*6.Y*5.B*7.O*7.G*7.P*5.W*6"));
    game.play_text(0, "draw").unwrap();
    assert_eq!(text(&game), format!("G.K chance round=0 {hands} bag=R*6.Y*5.B*7.O*7.G*7.P*5.W*6 draws=0"));
    let other = Match::new(rules("al-jabar:group=2/2,players=3,copies=6"));
    assert_eq!(text(&other), "00 chance round=0 hands=-/-/- bag=01*6.10*6.11*6");
    let (game, mut state) = position("al-jabar", "OK", &["RY", "RYB"]);
    play(&game, &mut state, "RY>O");
    let bag = "bag=R*8.Y*8.B*9.O*9.G*10.P*10.W*10";
    assert_eq!(
        game.position_text(&state, Viewer::Spectator),
        format!("R.Y.K 1 round=0 hands=O/R.Y.B {bag} signal=given")
    );
}

#[test]
fn having_drawn_is_kept_only_where_it_decides() {
    let drawn = |hand: &str, plies: &str| {
        let (game, mut state) = position("al-jabar", "OK", &[hand, "RYB"]);
        play(&game, &mut state, plies);
        state.stage == Stage::Turn { drawn: true }
    };
    assert!(drawn("RY", "draw ~B"), "three pieces: the final round could be called but for the draw");
    assert!(!drawn("RYB", "draw ~B"), "four pieces");
    assert!(!drawn("RY", "final draw ~B"), "it has been called");
}

#[test]
fn the_example_in_the_header_can_be_set_up() {
    let example = "G.K*2 0 round=3 hands=R*2.Y/O.W.K bag=R*8.Y*9.B*10.O*9.G*7.P*10.W*9";
    let game = rules("al-jabar");
    assert_eq!(game.read_position(example).map(|state| game.write_position(&state)).as_deref(), Ok(example));
}

#[test]
fn positions_that_cannot_be_set_up_are_refused_with_the_place() {
    let game = rules("al-jabar:copies=4,max-rounds=9");
    let good = "O.K*2 0 round=3 hands=R.Y/R.Y.B.K bag=R*2.Y*2.B*3.O.G*2.P*4.W*4 drawn=yes";
    assert_eq!(game.read_position(good).map(|state| game.write_position(&state)).as_deref(), Ok(good));
    for (from, to, says) in [
        (
            "O.K*2 0 round=3 hands=R.Y/R.Y.B.K bag=R*2.Y*2.B*3.O.",
            "O*2.K*2 0 round=3 hands=R.Y/R.Y.B.K bag=R*2.Y*2.B*3.",
            "character 1: `O*2.K*2` cannot stand here; expected fewer than 2 of O, which cancel",
        ),
        ("O.K*2", "O.O.K*2", "character 3: `O` cannot stand here; expected a colour that is not in the pile yet"),
        ("O.K*2", "O.X", "character 3: `X` cannot stand here"),
        ("O.K*2", "O.K*1", "character 5: `1` cannot stand here; expected a number from 2 to"),
        ("O.K*2", "O.K", "expected 3 to 5 of K in the hands and the Center after 2 cancellations, not 2"),
        ("O.K*2", "K*2", "expected 4 of O in all, or fewer by a multiple of 2; not 1"),
        ("K*2 0", "K*2 2", "character 7: `2` cannot stand here; expected the seat to act, 0 to 1, chance or over"),
        ("K*2 0", "K*2 chance", "expected chance while pieces are dealt, or draws=…"),
        ("K*2 0", "K*2 over", "expected nothing: drawn is left out"),
        ("round=3", "round=9", "character 15: `9` cannot stand here; expected a number from 0 to 8"),
        ("round=3", "round=10", "expected a number from 0 to 9"),
        ("hands=R.Y/", "hands=R.Y/-/", "expected 2 hands with / between them"),
        ("B.K", "B.K.W", "expected 4 of W in all, or fewer by a multiple of 2; not 5"),
        ("drawn=yes", "drawn=no", "expected yes"),
        ("drawn=yes", "drawn=yes signal=given", "expected nothing: drawn is left out"),
        ("drawn=yes", "draws=1", "expected chance where a seat draws"),
        ("drawn=yes", "signal=given x", "expected the end of the text"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from} occurs");
        let error = game.read_position(&text).expect_err(&text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let deal = "K chance round=0 hands=R*2.Y/- bag=R*2.Y*3.B*4.O*4.G*4.P*4.W*4";
    assert!(game.read_position(deal).is_ok());
    let error = game.read_position(&deal.replace("R*2.Y/-", "R*2/Y")).unwrap_err().to_string();
    assert!(error.contains("expected 13 pieces of the bag for one seat after another"), "{error}");
}

#[test]
fn an_observation_is_a_grid_of_piles_and_colours() {
    let (game, mut state) = position("al-jabar", "OK", &["RY", "RYB"]);
    play(&game, &mut state, "RY>O");
    let mut seen = vec![-1; game.layout().len()];
    game.observe(&state, 1, &mut seen);
    let rows: Vec<&[i32]> = seen[..32].chunks(8).collect();
    let expected = [
        [1, 1, 1, 0, 0, 0, 0, 0],    // its own R Y B
        [0, 0, 0, 1, 0, 0, 0, 0],    // the other seat's O
        [1, 1, 0, 0, 0, 0, 0, 1],    // the Center
        [8, 8, 9, 9, 10, 10, 10, 0], // the bag
    ];
    assert_eq!(rows, expected);
    assert_eq!(seen[32..], [1, 1, 0, 0, 1], "it acts, the final round has been called");
}

#[test]
fn exchanges_are_numbered_by_what_is_given_and_taken() {
    let game = rules("al-jabar");
    // 8 sets of one piece, 36 of two, 120 of three, and the spectrum.
    assert_eq!(game.n_actions(), 3 + 165 * 164);
    let number = |text: &str| game.action_number(game.parse_action(&game.initial_state(), 0, text).unwrap());
    assert_eq!(["draw", "pass", "final"].map(number), [0, 1, 2]);
    assert_eq!(["R>R", "R>Y", "R>K", "R>RR", "R>RY", "R>YY"].map(number), [3, 4, 10, 11, 12, 13]);
    assert_eq!(["Y>R", "KKK>KKK", "RYBW>R"].map(number), [3 + 164, 2 + 164 * 164, 3 + 164 * 164]);
    for spec in
        ["al-jabar", "al-jabar:group=5,copies=20", "al-jabar:group=2/3,copies=12", "al-jabar:group=3/3,copies=20"]
    {
        let game = rules(spec);
        for number in 0..game.n_actions() {
            let action = game.numbered_action(number).expect("every number is an action's");
            assert_eq!(game.action_number(action), number, "{spec}");
        }
        assert_eq!(game.numbered_action(game.n_actions()), None);
    }
    for (spec, n_sets) in
        [("al-jabar:group=2/2/2/2", 4844), ("al-jabar:group=3/3/3", 4059), ("al-jabar:group=5/5", 350)]
    {
        let game = rules(spec);
        assert_eq!(game.n_actions(), 3 + (n_sets + 1) * n_sets, "{spec}");
        for number in (0..game.n_actions()).step_by(100_003).chain([game.n_actions() - 1]) {
            let action = game.numbered_action(number).expect("every number is an action's");
            assert_eq!(game.action_number(action), number, "{spec}");
        }
    }
}

// The shortest game

/// The source says that somebody could be done after four turns. Thirteen pieces become one in four turns only if each of
/// them loses three, which only the spectrum does; four spectrums are sixteen coloured pieces, and thirteen were dealt. This
/// forgets sums, the Center and what the others send, and counts coloured pieces and zeros alone: what is impossible here is
/// impossible in the game.
#[test]
fn nobody_can_be_down_to_one_piece_after_four_turns_nor_call_the_last_round_before_the_fifth() {
    let mut hands = std::collections::BTreeSet::from([(13u8, 0u8)]);
    for turn in 1..=5 {
        let mut next = std::collections::BTreeSet::new();
        for &(coloured, zeros) in &hands {
            if coloured >= 4 {
                next.insert((coloured - 4, zeros + 1));
            }
            for give in 1..=3 {
                for of_colour in 0..=give.min(coloured) {
                    let Some(zeros_left) = zeros.checked_sub(give - of_colour) else { continue };
                    for take in 1..=3 {
                        next.extend(
                            (0..=take).map(|of_zeros| (coloured - of_colour + take - of_zeros, zeros_left + of_zeros)),
                        );
                    }
                }
            }
        }
        hands = next;
        let fewest = hands.iter().map(|&(coloured, zeros)| coloured + zeros).min().unwrap();
        // 13, 10, 7, 4 by three spectrums; then two at most go at a time, since one coloured piece is left.
        assert_eq!(fewest, [10, 7, 4, 2, 1][turn - 1], "after {turn} turns");
    }
}

#[test]
fn a_game_of_five_rounds_is_possible() {
    let deal = "~R ~R ~R ~R ~Y ~Y ~Y ~B ~B ~B ~W ~W ~W ~Y ~Y ~Y ~B ~B ~B ~O ~O ~G ~P ~W ~W ~W ~R";
    let mut game = Match::new(rules("al-jabar"));
    game.play_history(&format!("{deal} RYBW>K G>YB RYBW>K P>RB RYBW>K O>BW KKK>K KKK>K RK>R pass")).unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("final-round"), [1.0, -1.0].as_slice()));
    assert_eq!(texts(game.game(), &game.state().hands[0]), "R");
}

// What stands beside the board

fn chart(game: &AlJabar, id: &str) -> raichi_core::chart::Chart {
    game.charts().into_iter().find(|chart| chart.id == id).expect("the chart is there")
}

#[test]
fn the_table_of_sums_is_the_sources() {
    let sums = chart(&rules("al-jabar"), "sums");
    let letter = |entry: &raichi_core::chart::Entry| entry.figures[0].text.clone().unwrap();
    let heads: String = sums.columns.iter().map(letter).collect();
    assert_eq!(heads, "RYBOGPWK");
    let rows: Vec<String> = sums.rows.iter().map(|row| row.entries.iter().map(letter).collect()).collect();
    // By the source's colours: O = R + Y, G = B + Y, P = R + B, W = all three, and two alike make K.
    assert_eq!(rows, ["KOPYWBGR", "OKGRBWPY", "PGKWYROB", "YRWKPGBO", "WBYPKORG", "BWRGOKYP", "GPOBRYKW", "RYBOGPWK"]);
}

#[test]
fn what_makes_a_colour_is_what_the_source_lists() {
    let makers = chart(&rules("al-jabar"), "makers");
    let red = &makers.rows[0];
    // Y + O = B + P = G + W = R, and Y + P + G and O + P + W among the triples.
    assert_eq!(red.entries[0].text, "YO, BP, GW");
    let triples: Vec<&str> = red.entries[1].text.split(", ").collect();
    assert!(triples.contains(&"YGP") && triples.contains(&"OPW") && triples.len() == 4, "{triples:?}");
    let black = makers.rows.last().unwrap();
    assert_eq!(black.entries[0].text, "RR, YY, BB, OO, GG, PP, WW");
    // Three make black where they lie on a line of the figure.
    assert_eq!(black.entries[1].text.split(", ").count(), 7);
    let head = &chart(&rules("al-jabar"), "sums").rows[0].head;
    assert_eq!(head.details[0].value, "YO, BP, GW");
}

#[test]
fn what_makes_a_colour_is_found_among_all_sets() {
    for spec in ["al-jabar", "al-jabar:group=3/3", "al-jabar:group=4/2", "al-jabar:group=5"] {
        let game = rules(spec);
        let group = game.group();
        for (n, sum) in [2, 3].into_iter().flat_map(|n| group.colours().map(move |sum| (n, sum))) {
            // Every tuple in order, and every part of it.
            let colours: Vec<Colour> = group.colours().collect();
            let mut wanted = Vec::new();
            for number in 0..colours.len().pow(n) {
                let set: Vec<Colour> =
                    (0..n).map(|i| colours[number / colours.len().pow(n - 1 - i) % colours.len()]).collect();
                let part_sum = |part: u32| group.sum((0..n).filter(|i| part >> i & 1 == 1).map(|i| set[i as usize]));
                let all = (1 << n) - 1;
                if set.is_sorted() && part_sum(all) == sum && (1..all).all(|part| part_sum(part) != Colour::ZERO) {
                    wanted.push(set);
                }
            }
            assert_eq!(group.made_by(sum, n as usize), wanted, "{spec}: {} by {n}", group.colour_text(sum));
        }
    }
}

#[test]
fn pieces_can_be_written_otherwise() {
    let letterings = rules("al-jabar").letterings();
    let written = |i: usize, text: &str| letterings[i].texts.iter().find(|(own, _)| own == text).unwrap().1.clone();
    assert_eq!((written(0, "R"), written(1, "R"), written(2, "R")), ("R".into(), "Red".into(), "100".into()));
    assert_eq!((written(2, "O"), written(2, "W"), written(2, "K")), ("110".into(), "111".into(), "000".into()));
    let dyes = &rules("al-jabar:group=3/3").letterings()[1];
    assert!(dyes.texts.contains(&("12".into(), "bluish purple".into())), "{dyes:?}");
    assert!(rules("al-jabar:group=2/2/2/2").letterings().is_empty());
}

/// The pieces that a step of a sum names.
fn pieces_of(game: &AlJabar, step: &str) -> Vec<Colour> {
    let (_, set) = step.split_once(": ").unwrap();
    if set == "nothing is left" {
        return Vec::new();
    }
    set.split(" + ").map(|text| game.group().parse_colour(text.as_bytes()).unwrap()).collect()
}

#[test]
fn the_steps_to_a_sum_are_those_of_the_source() {
    let game = rules("al-jabar");
    let group = game.group();
    let handful: Vec<Colour> = "RGGOW".bytes().map(|letter| group.parse_colour(&[letter]).unwrap()).collect();
    let said =
        ["Doubles go out: R + O + W", "Taken apart into primaries: R + R + Y + R + Y + B", "Doubles go out: R + B"];
    assert_eq!(group.steps_of_sum(&handful)[..3], said);
    assert_eq!(group.steps_of_sum(&handful)[3], "Put together: Purple");
}

#[test]
fn a_handful_is_asked_for_its_sum() {
    for spec in ["al-jabar", "al-jabar:group=3/3", "al-jabar:group=2/3/4,hand=10"] {
        let game = rules(spec);
        let mut seen = std::collections::HashSet::new();
        for number in 0..200 {
            let exercise = game.handful(number / 25, &mut stream(7, "drill", number as u64));
            let pieces: Vec<&str> = exercise.figures.iter().map(|figure| figure.text.as_deref().unwrap()).collect();
            assert_eq!(pieces.len(), (2 + number / 25).min(8));
            // Added digit by digit, as the source does it.
            let digits = |text: &str| game.group().element(game.group().parse_colour(text.as_bytes()).unwrap());
            let sum: Vec<u8> = (0..game.group().n_moduli())
                .map(|i| pieces.iter().map(|text| digits(text)[i]).sum::<u8>() % game.group().moduli()[i])
                .collect();
            let right = &exercise.answers[exercise.right];
            assert_eq!(&digits(&right.key)[..sum.len()], sum, "{spec}: {}", exercise.because);
            assert_eq!(exercise.answers.len(), game.group().order());
            assert_eq!(exercise.steps.len(), 4);
            let [simpler, primaries, left] = [0, 1, 2].map(|step| pieces_of(&game, &exercise.steps[step]));
            for (set, step) in [&simpler, &primaries, &left].into_iter().zip(&exercise.steps) {
                assert_eq!(
                    game.group().sum(set.iter().copied()),
                    game.group().colours().nth(exercise.right).unwrap(),
                    "{step}"
                );
            }
            for set in [&primaries, &left] {
                assert!(set.iter().all(|&colour| game.group().element(colour).iter().sum::<u8>() == 1), "{exercise:?}");
            }
            assert!(exercise.steps[3].ends_with(&exercise.answers[exercise.right].text));
            seen.insert(exercise.right);
        }
        assert!(seen.len() > 1, "the answers differ");
    }
    let game = rules("al-jabar");
    let handful = |seed| game.handful(3, &mut stream(seed, "drill", 0));
    assert_eq!(handful(1), handful(1));
    assert_ne!(handful(1), handful(2));
}
