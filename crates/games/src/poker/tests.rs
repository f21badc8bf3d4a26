//! The rule book, clause by clause.

use std::sync::Arc;

use raichi_core::erased::{create, marks_of_last};
use raichi_core::game::{Choice, Game, Phase};
use raichi_core::picture::BadgeKind;
use raichi_core::random::stream;
use raichi_core::{AnyMatch, Encoding, Information, Match, Notation, PathGame, Seat, Viewer};

use super::hands::strength;
use super::pots;
use super::{Poker, State};
use crate::cards::{Card, CardSet};

fn game(params: &str) -> PathGame<Poker> {
    create::<Poker>((!params.is_empty()).then_some(params)).expect("the test's parameters make a game")
}

fn after(params: &str, history: &str) -> Match<Poker> {
    let mut current = Match::new(game(params));
    current.play_history(history).expect("the test's history is legal");
    current
}

fn legal(current: &Match<Poker>) -> String {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    format!("{}: {}", seats.first(), current.legal(seats.first()).join(" "))
}

/// What `text` is read as by the seat to act, or why it is refused.
fn read(current: &Match<Poker>, text: &str) -> String {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    current.clone().play_text(seats.first(), text).unwrap_or_else(|why| why.to_string())
}

fn stacks(current: &Match<Poker>) -> &[u32] {
    &current.state().stacks[..current.facts().n_seats]
}

fn bets(current: &Match<Poker>) -> &[u32] {
    &current.state().bets[..current.facts().n_seats]
}

fn dealt_to(current: &Match<Poker>, seat: usize) -> Vec<String> {
    current.state().holes[seat].highest_first().iter().map(Card::to_string).collect()
}

/// What everybody saw of the last round's end.
fn aftermath(current: &Match<Poker>) -> State {
    *current.scene().aftermath.expect("a round has ended")
}

fn won(current: &Match<Poker>) -> Vec<u32> {
    aftermath(current).winnings()[..current.facts().n_seats].to_vec()
}

fn error(params: &str) -> String {
    create::<Poker>(Some(params)).expect_err("the test's parameters make no game").to_string()
}

// Hole cards that settle a showdown whatever else comes: seat after seat from the small blind, the first hand the best.
const TWO: &str = "~As ~Kd ~Ah ~Kc";
const THREE: &str = "~As ~Ks ~Qs ~Ah ~Kh ~Qh";
const BOARD: [&str; 3] = ["~2c ~3d ~7c", "~8d", "~9h"];

#[test]
fn parameters_are_checked_one_by_one_and_together() {
    assert_eq!(error("chips=20,blind=30"), "`chips=20`: with blind=30, chips is a whole number from 30 to 1000000");
    assert_eq!(error("blind=200"), "`chips=100`: with blind=200, chips is a whole number from 200 to 1000000");
    assert_eq!(error("blind=7"), "`blind=7`: blind is a whole number from 2 to 100000 in steps of 2");
    assert_eq!(error("players=11"), "`players=11`: players is a whole number from 2 to 10");
    assert_eq!(error("heads-up=cash"), "`heads-up=cash`: heads-up is one of source, casino");
    for params in ["rounds=100001", "chips=1000001", "blind=100002", "players=1"] {
        error(params);
    }
    let casino = game("heads-up=casino,rounds=3,blind=20,chips=20,players=4");
    assert_eq!(casino.spec(), "poker:players=4,chips=20,blind=20,rounds=3,heads-up=casino");
    assert_eq!(game("players=2,chips=100,blind=10,rounds=0,heads-up=source").spec(), "poker");
}

#[test]
fn blinds_are_posted_and_cards_dealt_from_the_small_blind_twice_round() {
    let start = after("players=3", "");
    assert_eq!((bets(&start), stacks(&start)), ([0, 5, 10].as_slice(), [100, 95, 90].as_slice()));
    let mut dealt = after("players=3", "~2c ~3c ~4c ~5c ~6c ~7c");
    assert_eq!(dealt_to(&dealt, 1), ["5c", "2c"]);
    assert_eq!(dealt_to(&dealt, 2), ["6c", "3c"]);
    assert_eq!(dealt_to(&dealt, 0), ["7c", "4c"]);
    assert_eq!(legal(&dealt), "0: all-in call fold raise");
    let error = dealt.play_outcome_text("~2c").unwrap_err();
    assert_eq!(error.code(), "play/not-chance");
    let error = after("players=3", "~2c").play_outcome_text("~2c").unwrap_err();
    assert_eq!(error.to_string(), "`~2c` is not legal: that cannot happen here; 51 outcomes can, such as ~3c");
}

#[test]
fn heads_up_the_source_has_the_dealer_post_the_big_blind_the_casino_the_small_one() {
    let source = after("", TWO);
    assert_eq!((bets(&source), legal(&source).as_str()), ([10, 5].as_slice(), "1: all-in call fold raise"));
    assert_eq!(dealt_to(&source, 1), ["As", "Ah"]);
    let flop = after("", &format!("{TWO} call check {}", BOARD[0]));
    assert_eq!(legal(&flop), "1: all-in bet check fold");

    let casino = after("heads-up=casino", TWO);
    assert_eq!((bets(&casino), legal(&casino).as_str()), ([5, 10].as_slice(), "0: all-in call fold raise"));
    assert_eq!(dealt_to(&casino, 0), ["As", "Ah"]);
    let flop = after("heads-up=casino", &format!("{TWO} call check {}", BOARD[0]));
    assert_eq!(legal(&flop), "1: all-in bet check fold");
    // With three seats the setting changes nothing.
    assert_eq!(bets(&after("players=3,heads-up=casino", "")), [0, 5, 10]);
}

#[test]
fn the_big_blind_may_raise_when_nobody_has() {
    let option = after("", &format!("{TWO} call"));
    assert_eq!(legal(&option), "0: all-in check fold raise");
    let raised = after("", &format!("{TWO} call raise"));
    assert_eq!((bets(&raised), legal(&raised).as_str()), ([20, 10].as_slice(), "1: all-in call fold raise"));
    assert_eq!(after("", &format!("{TWO} call check")).phase(), Phase::Chance);
}

#[test]
fn before_the_flop_the_seat_after_the_big_blind_acts_first_later_the_first_after_the_dealer_who_can() {
    let four = "~As ~Ks ~Qs ~Js ~Ah ~Kh ~Qh ~Jh";
    let start = after("players=4", four);
    assert_eq!(legal(&start), "3: all-in call fold raise");
    // Seat 1, the small blind, folds: after the flop seat 2 is the first who can act.
    let flop = after("players=4", &format!("{four} call call fold check {}", BOARD[0]));
    assert_eq!(legal(&flop), "2: all-in bet check fold");
}

#[test]
fn a_betting_round_ends_when_all_have_acted_since_the_last_increase_and_matched_it() {
    let flop = format!("{THREE} call call check {}", BOARD[0]);
    assert_eq!(legal(&after("players=3", &format!("{flop} check check bet"))), "1: all-in call fold raise");
    assert_eq!(legal(&after("players=3", &format!("{flop} check check bet raise call"))), "0: all-in call fold raise");
    let done = after("players=3", &format!("{flop} check check bet raise call call"));
    assert_eq!((done.phase(), stacks(&done)), (Phase::Chance, [70, 70, 70].as_slice()));
    assert_eq!(after("players=3", &format!("{flop} check check check")).phase(), Phase::Chance);
}

#[test]
fn raises_go_on_without_a_limit_in_steps_of_one_blind() {
    let raises = ["raise"; 8].join(" ");
    assert_eq!(bets(&after("", &format!("{TWO} {raises}"))), [90, 80]);
    let mut last = after("", &format!("{TWO} {raises}"));
    assert_eq!(legal(&last), "1: all-in call fold");
    assert_eq!(read(&last, "raise"), "all-in");
    last.play_history("all-in").unwrap();
    // Ten more chips for the whole stack: `call` would put in all of them, so it is no word of its own.
    assert_eq!(legal(&last), "0: all-in fold");
}

#[test]
fn words_that_would_take_the_whole_stack_are_aliases_of_all_in_and_others_are_not() {
    // Before the flop, 20 chips: seat 1 has 15 and owes 5; a raise would take all 15.
    let start = after("chips=20", TWO);
    assert_eq!(legal(&start), "1: all-in call fold");
    assert_eq!(read(&start, "raise"), "all-in");
    assert_eq!(read(&start, "call"), "call");
    assert_eq!(read(&start, "bet"), "`bet` is not legal: there is a bet of 10 already: call it or raise it");
    assert_eq!(read(&start, "check"), "`check` is not legal: there is a bet, and 5 more chips are needed to match it");

    // The big blind owes nothing: no call, whatever its stack.
    let option = after("chips=20", &format!("{TWO} call"));
    assert_eq!(legal(&option), "0: all-in check fold");
    assert_eq!(read(&option, "raise"), "all-in");
    assert_eq!(read(&option, "call"), "`call` is not legal: there is nothing to match: check instead");

    // The flop with 10 chips left: a bet would take them all; there is nothing to raise.
    let flop = after("chips=20", &format!("{TWO} call check {}", BOARD[0]));
    assert_eq!(legal(&flop), "1: all-in check fold");
    assert_eq!(read(&flop, "bet"), "all-in");
    assert_eq!(read(&flop, "raise"), "`raise` is not legal: there is no bet to raise: bet instead");
    assert_eq!(read(&flop, "call"), "`call` is not legal: there is nothing to match: check instead");

    // With 11 left a bet is a bet, and against it a raise takes everything.
    let flop = after("chips=21", &format!("{TWO} call check {}", BOARD[0]));
    assert_eq!(legal(&flop), "1: all-in bet check fold");
    let bet = after("chips=21", &format!("{TWO} call check {} bet", BOARD[0]));
    assert_eq!(legal(&bet), "0: all-in call fold");
    assert_eq!((read(&bet, "raise").as_str(), read(&bet, "call").as_str()), ("all-in", "call"));

    // Less than what is owed: call and raise both mean all-in.
    let short = after("chips=21", &format!("{TWO} call check {} all-in", BOARD[0]));
    assert_eq!(legal(&short), "0: all-in fold");
    assert_eq!((read(&short, "raise").as_str(), read(&short, "call").as_str()), ("all-in", "all-in"));
    assert_eq!(read(&short, "allin"), "`allin` is not understood; expected fold, check, bet, call, raise or all-in");
}

#[test]
fn an_all_in_above_the_bet_is_an_increase_of_any_size_one_below_is_not() {
    // Three seats with 25: before the flop all call 10; the flop: bet, call, then all-in for 15, five above the bet.
    let flop = format!("{THREE} call call check {}", BOARD[0]);
    let above = after("players=3,chips=25", &format!("{flop} bet call all-in"));
    assert_eq!((bets(&above), legal(&above).as_str()), ([15, 10, 10].as_slice(), "1: all-in fold"));
    let above = after("players=3,chips=26", &format!("{flop} bet call all-in"));
    assert_eq!((bets(&above), legal(&above).as_str()), ([16, 10, 10].as_slice(), "1: all-in fold"));
    // Seat 1 is all-in for 40, seat 2 raises to 120, seat 0 goes all-in for 100: nobody acts again.
    let below = after("players=3,blind=60", &format!("{SHORT_STACK} call raise all-in"));
    assert_eq!((below.phase(), below.state().staked[..3].to_vec()), (Phase::Chance, vec![100, 40, 120]));
}

// With blinds of 60 and 100 chips each: seat 1 calls and folds on the flop. Then it has 40, seat 2 160, seat 0 100;
// seat 1 is the dealer of round 2, seat 2 the small blind. Cards of round 2: seat 1's aces, seat 0's kings, seat 2's
// queens.
const SHORT_STACK: &str = "~As ~Ks ~Qs ~Ah ~Kh ~Qh fold call check ~2c ~3d ~7c fold ~Qs ~Ks ~As ~Qh ~Kh ~Ah";

#[test]
fn side_pots_as_in_the_sources_example_with_its_misprint_corrected() {
    let start = after("players=3,blind=60", SHORT_STACK);
    assert_eq!((stacks(&start), bets(&start)), ([40, 40, 130].as_slice(), [60, 0, 30].as_slice()));
    // Seat 1 is all-in for 40, seats 0 and 2 put in 100 each: 3·40 = 120 for all three, 2·60 = 120 for two.
    let all_in = format!("{SHORT_STACK} all-in call all-in call");
    let betting_over = after("players=3,blind=60", &all_in);
    assert_eq!(betting_over.state().staked[..3], [100, 40, 100]);
    assert_eq!(betting_over.phase(), Phase::Chance);
    let end = after("players=3,blind=60,rounds=2", &format!("{all_in} {}", BOARD.join(" ")));
    assert_eq!(stacks(&end), [120, 120, 60]);
    assert_eq!(won(&end), [120, 120, 0]);
    assert_eq!((end.end_reason(), end.payoffs().as_slice()), (Some("rounds"), [20.0, 20.0, -40.0].as_slice()));
}

#[test]
fn a_blind_short_of_chips_is_all_in_and_the_other_is_not_asked() {
    // 13 chips each, blind 10: in round 1 seat 1 calls and folds on the flop, leaving it 3 against 23.
    let lose_10 = format!("{TWO} call check {} fold", BOARD[0]);
    let round_2 = after("chips=13", &lose_10);
    // Seat 1 deals round 2 and posts a big blind of 3; seat 0 posts 5 and owes nothing: the betting is over.
    assert_eq!((stacks(&round_2), bets(&round_2), round_2.state().bet), ([18, 0].as_slice(), [5, 3].as_slice(), 5));
    let dealt = after("chips=13", &format!("{lose_10} {TWO}"));
    assert_eq!((dealt.phase(), dealt.state().staked[..2].to_vec()), (Phase::Chance, vec![5, 3]));
    // Seat 0 holds the aces: what seat 1 did not match comes back, and all 26 chips are seat 0's.
    let over = after("chips=13", &format!("{lose_10} {TWO} {}", BOARD.join(" ")));
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("last-standing"), [13.0, -13.0].as_slice()));
    assert_eq!(won(&over), [6, 0]);

    // The casino's way seat 1 posts the small blind of 3, and the big blind has no option.
    let casino = after("chips=13,heads-up=casino", &lose_10);
    assert_eq!(bets(&casino), [10, 3]);
    assert_eq!(after("chips=13,heads-up=casino", &format!("{lose_10} {TWO}")).phase(), Phase::Chance);
}

#[test]
fn a_short_blind_does_not_count_as_a_full_one() {
    // Round 1 leaves 3, 3 and 33 chips; seat 1 deals round 2, seat 2 posts 5 and seat 0 a big blind of 3.
    let short = format!("{THREE} call call check {} fold check fold", BOARD[0]);
    let round_2 = after("players=3,chips=13", &format!("{short} {THREE}"));
    assert_eq!((bets(&round_2), round_2.state().bet), ([3, 0, 5].as_slice(), 5));
    assert_eq!(legal(&round_2), "1: all-in fold");
}

#[test]
fn the_last_seat_with_chips_to_put_in_acts_only_while_it_owes() {
    // All-in against 100: seat 0 owes 90 and may fold, or call by going all-in; nothing else.
    let owes = after("", &format!("{TWO} all-in"));
    assert_eq!(legal(&owes), "0: all-in fold");
    // In round 2 seat 0 has 110, seat 1 90 and is all-in: `raise` and `all-in` stay legal, and what is not matched
    // comes back.
    let small = format!("{TWO} call check {} fold ~Kd ~As ~Kc ~Ah call all-in", BOARD[0]);
    let owes = after("", &small);
    assert_eq!((stacks(&owes), legal(&owes).as_str()), ([100, 0].as_slice(), "0: all-in call fold raise"));
    for (reply, left) in [("call", 20), ("raise", 10), ("all-in", 0)] {
        let over = after("", &format!("{small} {reply}"));
        assert_eq!((over.phase(), stacks(&over)), (Phase::Chance, [left, 0].as_slice()), "{reply}");
        let mut end = over.clone();
        end.play_history(&BOARD.join(" ")).unwrap();
        assert_eq!(won(&end), [0, 180], "{reply}");
        assert_eq!(stacks(&end).iter().sum::<u32>() + bets(&end).iter().sum::<u32>(), 200);
    }
}

#[test]
fn all_cards_that_came_together_are_marked() {
    let marks = |more: &str| marks_of_last(after("", more).plies(), Viewer::Referee);
    assert_eq!(marks("~2c ~Kd ~Ah ~Kc"), ["hole:1:0", "hole:0:0", "hole:1:1", "hole:0:1"]);
    let flop = format!("{TWO} call check ~2c ~3d ~7c");
    assert_eq!(marks(&flop)[1..], ["board:0", "board:1", "board:2"]);
    // Of those after it the one that came.
    assert_eq!(marks(&format!("{flop} check check ~5c"))[1..], ["board:1"]);
}

#[test]
fn the_board_of_a_round_is_not_marked_in_the_next_one() {
    let called = format!("{TWO} call check {} fold ~Kd ~As ~Kc ~Ah call all-in call", BOARD[0]);
    let marks = |more: &str| marks_of_last(after("", &format!("{called} {more}")).plies(), Viewer::Referee);
    let kinds =
        |marks: Vec<String>| marks.iter().map(|mark| mark.split(':').next().unwrap().into()).collect::<Vec<String>>();
    assert_eq!(kinds(marks(BOARD[0])), ["tray", "board", "board", "board"]);
    // What was dealt after the last action belongs to the round that is over.
    assert_eq!(kinds(marks(&format!("{} ~As ~Kd", BOARD.join(" ")))), ["tray", "hole", "hole"]);
}

#[test]
fn with_no_more_chips_than_the_blind_there_is_one_choice_and_the_board_is_dealt() {
    let start = after("chips=2,blind=2", TWO);
    assert_eq!(legal(&start), "1: all-in fold");
    let mut end = after("chips=2,blind=2", &format!("{TWO} call"));
    assert_eq!(end.plies().last().expect("a call was played").text, "all-in");
    assert_eq!(end.phase(), Phase::Chance);
    end.play_history(&BOARD.join(" ")).unwrap();
    assert_eq!((end.end_reason(), end.payoffs().as_slice()), (Some("last-standing"), [-2.0, 2.0].as_slice()));
    // Three seats: all-in before the small blind, whose fold leaves two without chips to bet.
    let mut three = after("players=3,chips=2,blind=2", &format!("{THREE} all-in"));
    assert_eq!(legal(&three), "1: all-in fold");
    three.play_history("fold").unwrap();
    assert_eq!(three.phase(), Phase::Chance);
}

#[test]
fn a_fold_out_takes_the_pot_at_once_and_shows_nothing() {
    let end = after("rounds=1", &format!("{TWO} raise fold"));
    assert_eq!((end.end_reason(), end.payoffs().as_slice()), (Some("rounds"), [-10.0, 10.0].as_slice()));
    let last = aftermath(&end);
    assert!(last.holes.iter().all(|hand| hand.is_empty()));
    // The raise that nobody matched came back: the pot was 10 and 10.
    assert_eq!((won(&end), last.staked[..2].to_vec()), (vec![0, 20], vec![10, 10]));
    let picture = end.picture(Viewer::Spectator);
    assert_eq!((picture.notes, picture.before), (vec!["the end".into()], None));
    let outcome = picture.badges.iter().find(|badge| badge.kind == BadgeKind::Gain).expect("somebody won");
    assert_eq!((outcome.seat, outcome.text.as_str()), (1, "won 20 because all others folded"));
    let drawing = end.sketch(Viewer::Spectator).to_string();
    assert!(drawing.contains("Round 1: Player 2 won 20; all others folded.\n"), "{drawing}");
    // Folding is legal even where checking is free.
    let free = after("rounds=1", &format!("{TWO} call fold"));
    assert_eq!(free.payoffs().as_slice(), [-10.0, 10.0]);
}

#[test]
fn a_showdown_shows_the_hands_that_contest_and_no_folded_one() {
    let history = format!("{THREE} call call check {} check check fold ~8d check check ~9h check check", BOARD[0]);
    let next = after("players=3", &history);
    assert_eq!(won(&next), [0, 30, 0]);
    assert_eq!(aftermath(&next).holes.map(|hand| hand.len())[..3], [0, 2, 2]);
    let picture = next.picture(Viewer::Spectator);
    assert_eq!(picture.notes, ["the hole cards"]);
    let showdown = picture.before.expect("it is remembered for a round");
    let pieces = showdown.areas.iter().flat_map(|area| &area.pieces);
    let shown: Vec<&str> = pieces.filter_map(|piece| piece.text.as_deref()).collect();
    assert_eq!(shown, ["9h", "8d", "7c", "3d", "2c", "As", "Ah", "Ks", "Kh"]);
    let badges: Vec<(Seat, BadgeKind, &str)> =
        showdown.badges.iter().map(|badge| (badge.seat, badge.kind, badge.text.as_str())).collect();
    assert_eq!(
        badges,
        [
            (0, BadgeKind::Button, "D"),
            (0, BadgeKind::State, "folded"),
            (1, BadgeKind::Gain, "won 30 with a pair of aces"),
            (2, BadgeKind::State, "a pair of kings"),
        ]
    );
    let chips: Vec<&str> =
        showdown.counters.iter().filter(|counter| counter.seat.is_some()).map(|c| &*c.value).collect();
    assert_eq!(chips, ["90", "120", "90"]);
    // After the last round the table is left as it was.
    let end = after("players=3,rounds=1", &history).sketch(Viewer::Spectator).to_string();
    assert!(end.contains("Board: 9h 8d 7c 3d 2c"), "{end}");
    assert!(end.contains("As Ah") && end.contains("Ks Kh") && !end.contains('Q') && !end.contains('?'), "{end}");
}

#[test]
fn the_table_shows_the_button_the_stakes_and_what_each_seat_did() {
    let badges = |history: &str| -> Vec<String> {
        let picture = after("players=3", &format!("{THREE} {history}")).picture(Viewer::Seat(0));
        picture.badges.iter().map(|badge| format!("{} {:?} {}", badge.seat, badge.kind, badge.text)).collect()
    };
    assert_eq!(badges(""), ["0 Button D", "1 Stake 5", "2 Stake 10"]);
    assert_eq!(badges("fold"), ["0 Button D", "0 State folded", "1 Stake 5", "2 Stake 10"]);
    let flop = format!("call call check {} check", BOARD[0]);
    assert_eq!(badges(&flop), ["0 Button D", "1 State checked"]);
    assert_eq!(badges(&format!("{flop} all-in")), ["0 Button D", "2 Stake 90", "2 State all-in"]);
}

#[test]
fn a_round_begins_with_its_first_hole_card() {
    let rounds = |params: &str| -> Vec<(usize, String)> {
        let played = after(params, &format!("{TWO} raise fold {TWO}"));
        let plies = played.plies().iter().enumerate();
        plies.filter_map(|(i, ply)| ply.begins.clone().map(|text| (i, text))).collect()
    };
    assert_eq!(rounds("rounds=9"), [(0, "Round 1".into()), (6, "Round 2".into())]);
    assert_eq!(rounds(""), [(0, "Round".into()), (6, "Round".into())]);
}

#[test]
fn seats_without_chips_are_out_and_the_deal_passes_them_by() {
    // Seat 2 loses everything to seat 1 in round 1 (dealer 0); round 2 is dealt by seat 1 to seats 0 and 1.
    let out = format!("{THREE} fold all-in all-in {}", BOARD.join(" "));
    let round_2 = after("players=3", &out);
    assert_eq!(stacks(&round_2).iter().zip(bets(&round_2)).map(|(a, b)| a + b).collect::<Vec<_>>(), [100, 200, 0]);
    assert_eq!((round_2.state().dealer, bets(&round_2)), (1, [5, 10, 0].as_slice()));
    let dealt = after("players=3", &format!("{out} {TWO}"));
    assert_eq!((dealt_to(&dealt, 0).len(), dealt_to(&dealt, 1).len(), dealt_to(&dealt, 2).len()), (2, 2, 0));
    assert_eq!(legal(&dealt), "0: all-in call fold raise");
    // Round 3 is dealt by seat 0: seat 2 is passed by.
    let round_3 = after("players=3", &format!("{out} {TWO} fold"));
    assert_eq!((round_3.state().dealer, bets(&round_3)), (0, [10, 5, 0].as_slice()));
}

#[test]
fn play_ends_with_one_seat_left_or_after_the_rounds_and_the_former_is_named_first() {
    let all_in = format!("{TWO} all-in all-in {}", BOARD.join(" "));
    for params in ["", "rounds=1", "rounds=2"] {
        let end = after(params, &all_in);
        assert_eq!((end.end_reason(), end.payoffs().as_slice()), (Some("last-standing"), [-100.0, 100.0].as_slice()));
    }
    let two = after("rounds=2", &format!("{TWO} fold"));
    assert_eq!((two.phase(), two.state().round), (Phase::Chance, 2));
    // Without a limit nobody counts.
    assert_eq!(after("", &format!("{TWO} fold")).state().round, 0);
    let two = after("rounds=2", &format!("{TWO} fold {TWO} fold"));
    assert_eq!((two.end_reason(), two.payoffs().as_slice()), (Some("rounds"), [0.0, 0.0].as_slice()));
}

#[test]
fn a_round_that_is_broken_off_is_void_for_all_folded_seats_too() {
    let midway = after("players=3", &format!("{THREE} raise call fold"));
    assert_eq!((midway.phase(), midway.state().staked[2]), (Phase::Chance, 10));
    assert_eq!(midway.payoffs().as_slice(), [0.0, 0.0, 0.0]);
    assert_eq!(after("players=3", "~As").payoffs().as_slice(), [0.0, 0.0, 0.0]);
    // The first round counts: seat 2 lost its big blind to seat 0.
    let mut capped = crate::game("poker:players=3,max-plies=17").unwrap().new_match();
    capped.play_history(&format!("{THREE} raise fold fold {THREE} fold raise")).unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [15.0, -5.0, -10.0].as_slice()));
}

fn hand(text: &str) -> Option<super::hands::Strength> {
    Some(strength(text.split(' ').filter_map(Card::parse).collect()))
}

#[test]
fn pots_go_level_by_level_and_folded_chips_stay_in() {
    let (aces, kings) = (hand("As Ah 2c 3d 7c 8d 9h"), hand("Ks Kh 2c 3d 7c 8d 9h"));
    let mut staked = [0; 10];
    let mut strengths = [None; 10];
    // Seat 0 all-in for 30 with the best hand, seats 1 and 2 for 80 and 100, seat 3 folded after 50.
    staked[..4].copy_from_slice(&[30, 80, 100, 50]);
    strengths[..3].copy_from_slice(&[aces, kings, kings]);
    let mut stacks = [0; 10];
    pots::return_uncalled(&mut staked, &mut stacks);
    assert_eq!((staked[..4].to_vec(), stacks[..4].to_vec()), (vec![30, 80, 80, 50], vec![0, 0, 20, 0]));
    // 4·30 to the aces; 2·50 and the 20 that seat 3 left to the kings.
    assert_eq!(pots::share(&staked, &strengths, 0)[..4], [120, 60, 60, 0]);
}

#[test]
fn odd_chips_go_to_the_first_after_the_dealer_the_dealer_last_in_each_pot_anew() {
    let tie = hand("As Ks 2c 3d 7c 8d 9h");
    let mut staked = [0; 10];
    let mut strengths = [None; 10];
    // Three share 3·3 + 2 folded chips: 11 is 3 each and 2 odd.
    staked[..4].copy_from_slice(&[3, 3, 3, 2]);
    strengths[..3].copy_from_slice(&[tie, tie, tie]);
    assert_eq!(pots::share(&staked, &strengths, 0)[..3], [3, 4, 4]);
    assert_eq!(pots::share(&staked, &strengths, 1)[..3], [4, 3, 4]);
    assert_eq!(pots::share(&staked, &strengths, 3)[..3], [4, 4, 3]);
    // Levels of 3 and 5 with 2 and 1 folded chips: 2 + 6 and 1 + 4, each with an odd chip of its own for two who tie.
    staked[..4].copy_from_slice(&[5, 5, 3, 4]);
    let weak = hand("Qs Js 2c 3d 7c 8d 9h");
    strengths[..3].copy_from_slice(&[tie, tie, weak]);
    // Level 3: 12 chips, 6 each. Level 5: 2·2 and 1 folded chip, the odd one to seat 1 after dealer 0.
    assert_eq!(pots::share(&staked, &strengths, 0)[..3], [8, 9, 0]);
    staked[..4].copy_from_slice(&[5, 5, 2, 4]);
    // Level 2: 8 chips. Level 5: 2·3 and 2 folded: nothing odd.
    assert_eq!(pots::share(&staked, &strengths, 0)[..3], [8, 8, 0]);
}

#[test]
fn hole_cards_are_seen_by_their_seat_alone() {
    let current = after("players=3", THREE);
    assert_eq!(current.history(Viewer::Seat(2)), "~? ~Ks ~? ~? ~Kh ~?");
    assert_eq!(current.history(Viewer::Spectator), "~? ~? ~? ~? ~? ~?");
    assert_eq!(current.history(Viewer::Referee), THREE);
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Seat(2), Viewer::Spectator] {
        let sent = sent_to(&current, viewer);
        for (seat, card) in [(1, "As"), (1, "Ah"), (2, "Ks"), (2, "Kh"), (0, "Qs"), (0, "Qh")] {
            assert_eq!(sent.contains(card), viewer == Viewer::Seat(seat), "{viewer:?} {card}");
        }
    }
}

fn sent_to(current: &Match<Poker>, viewer: Viewer) -> String {
    format!("{:?} {}", current.picture(viewer), AnyMatch::sketch(current, viewer))
}

#[test]
fn the_order_in_which_hole_cards_came_is_forgotten() {
    let (one, other) = (after("", "~As ~Kd ~Ah ~Kc"), after("", "~Ah ~Kc ~As ~Kd"));
    assert_eq!(one.state().position(), other.state().position());
}

#[test]
fn determinizations_are_uniform_and_keep_what_the_seat_sees() {
    let current = after("players=3", &format!("{THREE} call call check {}", BOARD[0]));
    let (game, state) = (current.game(), current.state());
    let seen: CardSet = ["Ks", "Kh", "2c", "3d", "7c"].iter().filter_map(|card| Card::parse(card)).collect();
    let mut rng = stream(1, "test", 0);
    let mut counts = [0i32; 52];
    let n_draws = 47_000;
    for _ in 0..n_draws {
        let drawn = game.determinize(state, 2, &mut rng);
        assert_eq!((drawn.holes[2], drawn.board), (state.holes[2], state.board));
        assert_eq!((drawn.holes[0].len(), drawn.holes[1].len()), (2, 2));
        drawn.holes[0].iter().for_each(|card| counts[card.index()] += 1);
    }
    for card in Card::all() {
        // Two of the 47 cards that seat 2 has not seen; five standard deviations.
        let expected = if seen.contains(card) { 0 } else { 2000 };
        assert!((counts[card.index()] - expected).abs() < 220, "{card} came {} times", counts[card.index()]);
    }
}

#[test]
fn buttons_say_what_they_cost() {
    let labels = |current: &Match<Poker>, seat| -> Vec<String> {
        current.picture(Viewer::Seat(seat)).buttons.into_iter().map(|button| button.label).collect()
    };
    let start = after("", TWO);
    assert_eq!(labels(&start, 1), ["Fold", "Call 5", "Raise to 20 (put in 15)", "All-in 95"]);
    assert!(labels(&start, 0).is_empty());
    let flop = after("", &format!("{TWO} call check {}", BOARD[0]));
    assert_eq!(labels(&flop, 1), ["Fold", "Check", "Bet 10", "All-in 90"]);
}

#[test]
fn what_decides_nothing_is_no_part_of_the_position() {
    let position = |history: &str| *after("players=3", history).state().position();
    let flop = format!("{THREE} call call check");
    assert_eq!(position(&format!("{flop} ~2c ~3d ~7c")), position(&format!("{flop} ~7c ~2c ~3d")));
    assert_ne!(position(&format!("{flop} ~2c ~3d ~7c")), position(&format!("{flop} ~2c ~3d ~8c")));
    // Which hands lost in the round before: three rounds of one lost blind each lead back to the start.
    let around = format!("{THREE} fold fold {THREE} fold fold {THREE} fold fold");
    assert_eq!(position(&around), position(""));
    // In which round that was counts only where rounds are limited.
    let limited = |history: &str| *after("players=3,rounds=9", history).state().position();
    assert_ne!(limited(&around), limited(""));
    // What a folded seat had bet, once it is in the pot: the bet and the call of others are what is to be matched.
    let folded = position(&format!("{flop} ~2c ~3d ~7c bet call raise fold"));
    assert_eq!((folded.bets[1], folded.staked[1]), (0, 20));
    let keys = [format!("{flop} ~2c ~3d ~7c"), format!("{flop} ~7c ~2c ~3d")].map(|history| {
        let current = after("players=3", &history);
        current.game().key(current.state())
    });
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn the_aftermath_is_what_everybody_saw() {
    let before =
        after("players=3", &format!("{THREE} fold call check {} check check ~8d check check ~9h check", BOARD[0]));
    let check = before.game().parse_action(before.state(), 2, "check").unwrap();
    let table = before.game().aftermath(before.state(), Choice::Action(2, check)).expect("the river ends the round");
    let text = before.game().position_text(&table, Viewer::Spectator);
    assert_eq!(
        text,
        "9h8d7c3d2c over dealer=0 stacks=100/90/90 staked=0/10/10 folded=0 cards=-/????/???? seen-by=spectator"
    );
    assert_eq!(table.winnings()[..3], [0, 20, 0]);
    assert!(table.holes[0].is_empty(), "seat 0 has folded");
    let earlier = after("players=3", &format!("{THREE} fold call"));
    let check = earlier.game().parse_action(earlier.state(), 2, "check").unwrap();
    assert_eq!(earlier.game().aftermath(earlier.state(), Choice::Action(2, check)), None);
    assert_eq!(earlier.scene().aftermath, None);
}

fn position(params: &str, history: &str, viewer: Viewer) -> String {
    after(params, history).position_text(viewer)
}

#[test]
fn positions_are_written_with_question_marks_for_what_a_viewer_must_not_see() {
    let start = "- chance dealer=0 stacks=90/95 staked=10/5 bets=10/5";
    assert_eq!(position("", "", Viewer::Seat(0)), start);
    let first = position("", "~As", Viewer::Seat(0));
    assert_eq!(first, format!("{start} cards=-/?? seen-by=0"));
    assert_eq!(position("", "~As", Viewer::Seat(1)), format!("{start} cards=-/As"));
    let flop = format!("{TWO} raise call {} bet", BOARD[0]);
    let text = |cards: &str| format!("7c3d2c 0 dealer=0 stacks=80/70 staked=20/30 bets=0/10 acted=1 cards={cards}");
    assert_eq!(position("", &flop, Viewer::Referee), text("KdKc/AsAh"));
    assert_eq!(position("", &flop, Viewer::Seat(0)), text("KdKc/???? seen-by=0"));
    assert_eq!(position("", &flop, Viewer::Seat(1)), text("????/AsAh seen-by=1"));
    assert_eq!(position("", &flop, Viewer::Spectator), text("????/???? seen-by=spectator"));
    let end = position("rounds=1", &format!("{TWO} fold"), Viewer::Spectator);
    assert_eq!(end, "- over stacks=105/95");
    let limited = position("rounds=3", &format!("{TWO} fold"), Viewer::Spectator);
    assert_eq!(limited, "- chance round=2 dealer=1 stacks=100/85 staked=5/10 bets=5/10");
}

#[test]
fn a_view_is_read_as_one_of_the_states_that_fit() {
    let flop = format!("{TWO} raise call {} bet", BOARD[0]);
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        let text = position("", &flop, viewer);
        let read = game("").parse_position(&text).unwrap();
        assert_eq!((read.seen_by, game("").position_text(&read.state, viewer)), (Some(viewer), text));
    }
    let read = game("")
        .parse_position("7c3d2c 0 dealer=0 stacks=80/70 staked=20/30 bets=0/10 acted=1 cards=3c2h/???? seen-by=0");
    let state = read.unwrap().state;
    let made_up = state.holes[1].highest_first().iter().map(Card::to_string).collect::<Vec<_>>();
    assert_eq!(made_up, ["5c", "4c"], "the lowest cards that lie nowhere else");
}

#[test]
fn the_example_in_the_header_can_be_set_up() {
    let example = "Th7c2d 0 dealer=0 stacks=90/70 staked=10/30 bets=0/20 acted=1 cards=AsAh/???? seen-by=0";
    let read = game("").parse_position(example).unwrap();
    assert_eq!(game("").position_text(&read.state, Viewer::Seat(0)), example);
}

#[test]
fn positions_that_cannot_be_set_up_are_refused_with_the_place() {
    let flop = "7c3d2c 0 dealer=0 stacks=80/70 staked=20/30 bets=0/10 acted=1 cards=KdKc/AsAh";
    assert!(game("").parse_position(flop).is_ok());
    for (from, to, says) in [
        ("7c3d2c", "7c3d", "character 6: `0` cannot stand here; expected chance: the flop is three cards"),
        ("7c3d2c", "7c3dKd", "character 69: `Kd` cannot stand here; expected a card that lies nowhere else"),
        (
            "7c3d2c",
            "8c7c6c5c4c3c",
            "character 1: `8c7c6c5c4c3c` cannot stand here; expected at most five community cards",
        ),
        ("7c3d2c", "7c3d2x", "character 5: `2` cannot stand here; expected a card: a rank of"),
        ("2c 0", "2c 2", "character 8: `2` cannot stand here; expected the seat to act, 0 to 1, chance or over"),
        ("2c 0", "2c 1", "character 8: `1` cannot stand here; expected chance, or a seat that has not acted"),
        (
            "2c 0",
            "2c chance",
            "character 8: `chance` cannot stand here; expected the seat to act: before the next card",
        ),
        ("2c 0", "2c over", "expected stacks=…"),
        ("dealer=0", "dealer=2", "character 17: `2` cannot stand here; expected a number from 0 to 1"),
        (
            "80/70",
            "80/71",
            "character 32: `staked=20/30` cannot stand here; expected 200 chips in stacks and staked together, not 201",
        ),
        ("80/70", "80/70/0", "expected 2 values with / between them, one a seat"),
        ("bets=0/10", "bets=0/40", "character 52: `40` cannot stand here; expected a number from 0 to 30"),
        ("bets=0/10", "bets=10/10", "expected the same for all who can still bet"),
        ("acted=1", "acted=0", "expected seats that have chips, have not folded and have matched the bet"),
        ("acted=1", "acted=11", "expected seats in rising order, below 2"),
        ("acted=1", "folded=1", "expected seats with chips, and two at least that have not folded"),
        ("KdKc", "KdKcQc", "expected two cards at most"),
        ("KdKc", "Kd??", "expected either cards or ?? for all of them"),
        ("KdKc", "????", "expected seen-by=… and a seat or spectator, since cards are hidden"),
        ("AsAh", "AsAh seen-by=1", "expected hidden cards, ??, where a viewer is named"),
        ("AsAh", "???? seen-by=1", "expected ?? for all cards but those of the seat that looks"),
        ("AsAh", "As", "expected hole cards as they are dealt, from the small blind twice round"),
        ("AsAh", "AsAh x", "expected the end of the text"),
    ] {
        let text = flop.replacen(from, to, 1);
        assert_ne!(text, flop, "{from} occurs");
        let error = game("").parse_position(&text).expect_err(&text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    for (params, text, says) in [
        ("", "- over stacks=100/90", "character 8: `stacks=100/90` cannot stand here; expected 200 chips"),
        ("", "2c over stacks=100/100", "expected a seat or chance: there are cards on the table"),
        ("", "- over stacks=100/100", "expected a seat or chance: several seats have chips"),
        ("", "- chance dealer=0 stacks=95/95 staked=5/5 bets=5/5", "expected the blinds and nothing else"),
        (
            "",
            "7c3d2c 1 dealer=0 stacks=80/70 staked=20/30 bets=0/10 cards=KdKc/AsAh",
            "expected the last seat to act: one that has matched the bet and has not acted",
        ),
        ("rounds=3", "- chance round=4 dealer=0 stacks=90/95 staked=10/5 bets=10/5", "expected a number from 1 to 3"),
        ("rounds=3", "- chance dealer=0 stacks=90/95 staked=10/5 bets=10/5", "expected round=…"),
        (
            "players=3",
            "7c3d2c 1 dealer=0 stacks=50/90/90 staked=50/10/10 folded=0 cards=KdKc/AsAh/QsQh",
            "expected at least as much",
        ),
    ] {
        let error = game(params).parse_position(text).expect_err(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    assert!(game("rounds=3").parse_position("- over stacks=100/100").is_ok());
}

#[test]
fn an_observation_shows_what_a_seat_sees_as_numbers() {
    let current = after("players=3,rounds=9", &format!("{THREE} call call check {} bet", BOARD[0]));
    let layout = current.game().layout();
    let mut seen = vec![-1; layout.len()];
    current.game().observe(current.state(), 2, &mut seen);
    let blocks: Vec<(&str, &[i32])> =
        layout.offsets().map(|(first, block)| (block.name.as_str(), &seen[first..first + block.len()])).collect();
    let suit = |name: usize| &blocks[0].1[13 * name..][..13];
    assert_eq!(suit(0), [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0], "2c and 7c on the table");
    assert_eq!(suit(1), [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "3d");
    assert_eq!(suit(2), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0], "Kh in hand");
    assert_eq!(suit(3), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0], "Ks");
    // Seat 2, then seats 0 and 1: seat 1 has bet 10.
    let rest: Vec<(&str, Vec<i32>)> = blocks[1..].iter().map(|(name, entries)| (*name, entries.to_vec())).collect();
    assert_eq!(
        rest,
        [
            ("chips", vec![90, 90, 80]),
            ("staked this round", vec![10, 10, 20]),
            ("bet this betting round", vec![0, 0, 10]),
            ("standing", vec![2, 2, 2]),
            ("acted since the last increase", vec![0, 0, 1]),
            ("hole cards", vec![2, 2, 2]),
            ("dealer", vec![2]),
            ("round", vec![1]),
            ("turn", vec![0]),
            ("to act", vec![1]),
        ]
    );
    let number = |text: &str| {
        let action = current.game().parse_action(current.state(), 2, text).unwrap();
        current.game().action_number(action)
    };
    assert_eq!(["fold", "check", "bet", "call", "raise", "all-in"].map(number), [0, 1, 2, 3, 4, 5]);
    assert_eq!(current.legal_numbers(2), [0, 3, 4, 5]);
}

#[test]
fn a_position_set_up_is_drawn_without_a_round_before_it() {
    let notes = |text: &str| {
        let position = game("").parse_position(text).unwrap();
        let current = Match::from_position(Arc::new(game("")), position);
        assert_eq!(current.picture(Viewer::Spectator).before, None);
        current.picture(Viewer::Spectator).notes
    };
    assert_eq!(notes("- over stacks=0/200"), ["the end"]);
    assert_eq!(notes("- chance dealer=0 stacks=90/95 staked=10/5 bets=10/5"), ["the hole cards"]);
}

/// So many rounds in each of which the seat that acts first gives up its blind.
fn folded_rounds(n: usize) -> String {
    vec![format!("{TWO} fold"); n].join(" ")
}

#[test]
fn rise_is_a_parameter_behind_heads_up() {
    let spec = "poker:chips=50,rounds=9,heads-up=casino,rise=3";
    assert_eq!(game("rise=3,chips=50,heads-up=casino,rounds=9").spec(), spec);
    assert_eq!(game("rise=0").spec(), "poker");
    assert_eq!(error("rise=1001"), "`rise=1001`: rise is a whole number from 0 to 1000");
}

#[test]
fn the_blind_doubles_after_every_so_many_rounds_up_to_all_the_chips() {
    for (params, players, chips, blind, rise) in [
        ("rise=1", 2, 100, 10, 1),
        ("rise=3", 2, 100, 10, 3),
        ("rise=7,players=10,chips=1000000,blind=2", 10, 1_000_000, 2, 7),
        ("rise=2,chips=128,blind=128,players=4", 4, 128, 128, 2),
        ("rise=1000,chips=127,blind=2", 2, 127, 2, 1000),
    ] {
        let game = game(params);
        for round in (1..60).chain([999, 1000, 1001, 2001, 12_001, 1_000_000_000]) {
            // The largest power as the rule says, by trying all.
            let most = (0..40).filter(|&k| k <= (round - 1) / rise && blind << k <= chips * players).max().unwrap();
            let state = State { round: round as u32, ..*game.initial_state().position() };
            assert_eq!(u64::from(game.blind(&state)), blind << most, "{params}, round {round}");
        }
    }
}

#[test]
fn blinds_bets_and_raises_are_those_of_the_round() {
    let bets_of = |n: usize| bets(&after("rise=2", &folded_rounds(n))).to_vec();
    assert_eq!([0, 1, 2, 3, 4].map(bets_of), [[10, 5], [5, 10], [20, 10], [10, 20], [40, 20]]);
    // In the third round of `rise=2` the blind is 20.
    let third = after("rise=2", &format!("{} {TWO}", folded_rounds(2)));
    assert_eq!(stacks(&third), [80, 90]);
    let raised = after("rise=2", &format!("{} {TWO} raise", folded_rounds(2)));
    assert_eq!(bets(&raised), [20, 40]);
    let bet = after("rise=2", &format!("{} {TWO} call check {} bet", folded_rounds(2), BOARD[0]));
    assert_eq!(bets(&bet), [0, 20]);
    // What the blind would take whole is all-in: 30 chips are left, then 20 are to be matched and 20 to be raised.
    let short = after("rise=2,chips=55", &format!("{} {TWO} raise", folded_rounds(2)));
    assert_eq!((stacks(&short), legal(&short).as_str()), ([35, 15].as_slice(), "0: all-in call fold"));
    assert_eq!(read(&short, "raise"), "all-in");
}

#[test]
fn blinds_stop_before_they_are_more_than_all_chips_and_short_ones_are_all_in() {
    // 40 chips in all: 10, 20, 40, and 40 again.
    let bets_of = |n: usize| bets(&after("rise=1,chips=20", &folded_rounds(n))).to_vec();
    assert_eq!([0, 1].map(bets_of), [[10, 5], [10, 15]], "25 and 15: the big blind of 20 is 15 and all-in");
    let big = State { round: 9, ..*after("rise=1,chips=20", "").state().position() };
    assert_eq!(game("rise=1,chips=20").blind(&big), 40);
}

#[test]
fn where_blinds_rise_the_rounds_number_is_part_of_the_position() {
    let third = format!("{} {TWO}", folded_rounds(2));
    let text = position("rise=2", &third, Viewer::Seat(0));
    assert_eq!(text, "- 1 round=3 dealer=0 stacks=80/90 staked=20/10 bets=20/10 cards=KdKc/???? seen-by=0");
    let set_up = |text: &str| game("rise=2").parse_position(text);
    let read = set_up(&text).unwrap();
    assert_eq!(game("rise=2").position_text(&read.state, Viewer::Seat(0)), text);
    assert_eq!(game("rise=2").blind(&read.state), 20);
    assert!(set_up(&text.replace(" round=3", "")).unwrap_err().to_string().contains("expected round="));
    // While hole cards are dealt the blinds must be those of the round.
    let dealing = "- chance round=3 dealer=0 stacks=80/90 staked=20/10 bets=20/10";
    assert!(set_up(dealing).is_ok());
    let why = set_up(&dealing.replace("round=3", "round=2")).unwrap_err().to_string();
    assert!(why.contains("expected the blinds and nothing else"), "{why}");
    assert!(set_up(&dealing.replace("round=3", "round=1000000001")).is_err());
    assert!(game("rise=2,rounds=2").parse_position(dealing).is_err(), "there is no third round");
    // Four rounds of one lost blind each lead back to the same chips, but not to the same position.
    let of_round = |n: usize| *after("rise=1000", &folded_rounds(n)).state().position();
    assert_eq!(of_round(4).stacks, of_round(0).stacks);
    assert_ne!(of_round(4), of_round(0));
    let number = after("rise=1000", &folded_rounds(4));
    let (at, _) = number.game().layout().offsets().find(|(_, block)| block.name == "round").expect("a block");
    let mut seen = vec![0; number.game().layout().len()];
    number.game().observe(number.state(), 1, &mut seen);
    assert_eq!(seen[at], 5);
}

#[test]
fn everyone_sees_the_blind_and_the_round() {
    let third = after("rise=2", &format!("{} {TWO}", folded_rounds(2)));
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        let picture = third.picture(viewer);
        let counter = |label: &str| {
            picture.counters.iter().find(|counter| counter.label == label).map(|counter| counter.value.clone())
        };
        assert_eq!((counter("Blinds"), counter("Round")), (Some("10/20".into()), Some("3".into())));
        // The round before had its own.
        let before = picture.before.as_ref().expect("two rounds have ended");
        assert!(before.counters.iter().any(|counter| counter.label == "Blinds" && counter.value == "5/10"));
        let drawing = AnyMatch::sketch(&third, viewer).to_string();
        assert!(drawing.starts_with("Round 3: before the flop. Blinds 10/20. Pot 30."), "{drawing}");
    }
    assert_eq!(third.picture(Viewer::Seat(1)).buttons[2].label, "Raise to 40 (put in 30)");
    let limited = after("rise=2,rounds=7", &folded_rounds(2));
    assert!(limited.picture(Viewer::Spectator).counters.iter().any(|counter| counter.value == "3 of 7"));
}

#[test]
fn with_rising_blinds_seats_that_only_fold_come_to_an_end() {
    let mut current = Match::new(game("rise=1"));
    let mut rng = stream(1, "test", 0);
    while current.phase() != Phase::Over {
        match current.phase() {
            Phase::Act(seats) => drop(current.play_text(seats.first(), "fold").unwrap()),
            _ => current.sample_outcome(&mut rng).unwrap(),
        }
    }
    assert_eq!(current.end_reason(), Some("last-standing"));
}
