//! The rule book, clause by clause.

use std::sync::Arc;

use raichi_core::erased::create;
use raichi_core::game::{Choice, Game, Phase};
use raichi_core::picture::Picture;
use raichi_core::random::stream;
use raichi_core::{AnyMatch, Encoding, Information, Match, Notation, PathGame, Viewer};

use super::cards::Cards;
use super::rules::{Blackjack, Turn};
use crate::cards::Card;

fn game(params: &str) -> PathGame<Blackjack> {
    create::<Blackjack>((!params.is_empty()).then_some(params)).expect("the test's parameters make a game")
}

fn after(params: &str, history: &str) -> Match<Blackjack> {
    let mut current = Match::new(game(params));
    current.play_history(history).expect("the test's history is legal");
    current
}

fn legal(current: &Match<Blackjack>) -> String {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act, not {:?}", current.phase()) };
    format!("{}: {}", seats.first(), current.legal(seats.first()).join(" "))
}

fn refused(current: &Match<Blackjack>, text: &str) -> String {
    let Phase::Act(seats) = current.phase() else { panic!("a seat is to act") };
    current.clone().play_text(seats.first(), text).expect_err(text).to_string()
}

fn chips(current: &Match<Blackjack>) -> &[u64] {
    &current.state().chips[..current.facts().n_seats]
}

/// What one seat has won after a round, given the round without its bet of 10.
fn won(round: &str) -> i64 {
    won_by("", round)
}

/// The same by house rules, each with a comma behind it.
fn won_by(house: &str, round: &str) -> i64 {
    let end = after(&format!("{house}rounds=1"), &format!("bet-10 {round}"));
    assert_eq!(end.end_reason(), Some("rounds"), "{round}");
    end.payoffs()[0] as i64
}

fn cards(text: &str) -> Cards {
    text.split(' ').map(|card| Card::parse(card).expect("a card")).collect()
}

/// What is going on, and what the settled round brought.
fn notes(current: &Match<Blackjack>) -> Vec<String> {
    let sketch = AnyMatch::sketch(current, Viewer::Spectator).to_string();
    let results = sketch.lines().filter(|line| line.starts_with("The dealer ")).map(String::from);
    current.picture(Viewer::Spectator).notes.into_iter().chain(results).collect()
}

fn error(params: &str) -> String {
    create::<Blackjack>(Some(params)).expect_err("the test's parameters make no game").to_string()
}

#[test]
fn parameters_are_checked_one_by_one_and_together() {
    let defaults = "players=1,chips=200,bets=10,rounds=15,decks=6";
    assert_eq!(game(defaults).spec(), "blackjack");
    let largest = game("decks=0,rounds=1000,bets=10/20/50,chips=10,players=7");
    assert_eq!(largest.spec(), "blackjack:players=7,chips=10,bets=10/20/50,rounds=1000,decks=0");
    for bets in ["15", "10/15", "20/10", "10/10"] {
        assert_eq!(error(&format!("bets={bets}")), format!("`bets={bets}`: bets are even numbers in rising order"));
    }
    let why = "`chips=18`: with a smallest wager of 20, chips is a whole number from 20 to 1000000";
    assert_eq!(error("chips=18,bets=20/40"), why);
    for params in ["players=0", "players=8", "chips=1000001", "rounds=0", "rounds=1001", "decks=9", "bets=", "bets=0"] {
        error(params);
    }
}

#[test]
fn an_ace_counts_eleven_or_one_as_in_the_sources_examples() {
    let read = |text: &str| (cards(text).count(), cards(text).is_soft());
    assert_eq!(read("As 9s"), (20, true));
    assert_eq!(read("As 9s 5s"), (15, false));
    assert_eq!(read("9s 7h"), (16, false));
    assert_eq!(read("5s Ah"), (16, true));
    assert_eq!(read("5s Ah Td"), (16, false));
    assert_eq!(read("Kc Qd Jh"), (30, false));
    assert_eq!(read("Ac Ad Ah As"), (14, true));
    assert!(cards("As Qs").are_natural() && cards("Td Ah").are_natural());
    assert!(!cards("7s 7h 7d").are_natural() && !cards("As 9s").are_natural());
    let mut hand = cards("8c Ad");
    assert_eq!((hand.pop(), hand), (Card::parse("Ad").unwrap(), cards("8c")));
}

#[test]
fn the_longest_hands_find_room() {
    // Ten aces count 20; a two makes them 12, eight more aces 20 in nineteen cards, and one more may come.
    let mut hand = "bet-10 ~Ac ~5d ~Ac ~5h".to_string();
    (0..8).for_each(|_| hand += " hit ~Ac");
    hand += " hit ~2c";
    (0..8).for_each(|_| hand += " hit ~Ac");
    let longest = after("decks=0", &hand);
    assert_eq!((longest.state().hands[0].cards.len(), longest.state().hands[0].cards.count()), (19, 20));
    assert_eq!(legal(&longest), "0: hit stand");
    let bust = after("decks=0", &(hand + " hit ~2c"));
    assert_eq!(bust.scene().aftermath.expect("the round has ended").hands[0].cards.count(), 22);
}

#[test]
fn wagers_are_placed_in_order_and_only_those_that_can_be_paid() {
    let start = after("players=2,chips=45,bets=10/20/50", "");
    assert_eq!(legal(&start), "0: bet-10 bet-20");
    assert_eq!(refused(&start, "bet-50"), "`bet-50` is not legal: there are only 45 chips to bet with");
    assert_eq!(refused(&start, "bet-30"), "`bet-30` is not legal: the wagers here are 10, 20, 50");
    assert_eq!(refused(&start, "stand"), "`stand` is not legal: a wager is placed first");
    for text in ["bet", "bet-", "bet-010", "bet-+10", "10", "bet-10 ", "bet-99999999999"] {
        assert!(refused(&start, text).ends_with("expected bet- and a wager, such as bet-10"), "{text}");
    }
    let second = after("players=2,chips=45,bets=10/20/50", "bet-20");
    assert_eq!((chips(&second), legal(&second).as_str()), ([25, 45].as_slice(), "1: bet-10 bet-20"));
}

#[test]
fn cards_go_round_twice_the_dealers_second_face_down() {
    let dealt = after("players=2", "bet-10 bet-10 ~2c ~3c ~4c ~5c ~6c ~7c");
    let state = dealt.state();
    assert_eq!(state.hands.iter().map(|hand| hand.cards).collect::<Vec<_>>(), [cards("2c 5c"), cards("3c 6c")]);
    assert_eq!((state.dealer, state.face_down), (cards("4c"), Card::parse("7c")));
    assert_eq!(legal(&dealt), "0: double hit stand surrender");
}

#[test]
fn each_remaining_card_is_equally_likely_and_without_decks_each_card() {
    let weights = |params: &str, history: &str| -> Vec<(String, u64)> {
        AnyMatch::outcomes(&after(params, history), Viewer::Referee)
    };
    assert!(weights("decks=2", "bet-10").iter().all(|&(_, weight)| weight == 2));
    let later = weights("decks=2", "bet-10 ~7h ~7h ~8h");
    assert_eq!((later.len(), later.iter().map(|&(_, weight)| weight).sum::<u64>()), (51, 101));
    assert!(later.contains(&("~8h".into(), 1)) && later.contains(&("~9h".into(), 2)));
    let endless = weights("decks=0", "bet-10 ~7h ~7h ~7h");
    assert_eq!((endless.len(), endless.iter().all(|&(_, weight)| weight == 1)), (52, true));
    // All cards are shuffled together anew for each round.
    let next = weights("decks=1", "bet-10 ~Th ~Td ~Tc ~9s stand bet-10");
    assert_eq!(next.len(), 52);
    let once = after("decks=1", "bet-10 ~7h").play_outcome_text("~7h").unwrap_err().to_string();
    assert_eq!(once, "`~7h` is not legal: that cannot happen here; 51 outcomes can, such as ~2c");
}

#[test]
fn drawn_cards_are_as_likely_as_listed() {
    for (params, history) in
        [("decks=1", "bet-10 ~7h ~7d"), ("decks=2", "bet-10 ~7h ~7h ~8h"), ("decks=0", "bet-10 ~7h")]
    {
        let current = after(params, history);
        let mut listed = Vec::new();
        current.game().outcomes(current.state(), &mut listed);
        let total: u64 = listed.iter().map(|&(_, weight)| weight).sum();
        let mut counts = [0i64; 52];
        let mut rng = stream(1, params, 0);
        (0..1000 * total).for_each(|_| counts[current.game().sample_outcome(current.state(), &mut rng).index()] += 1);
        for card in Card::all() {
            let expected =
                listed.iter().find(|&&(other, _)| other == card).map_or(0, |&(_, weight)| 1000 * weight as i64);
            // Six standard deviations.
            assert!((counts[card.index()] - expected).abs() <= 6 * (expected as f64).sqrt() as i64, "{params} {card}");
        }
    }
}

#[test]
fn a_natural_pays_three_to_two_as_in_the_sources_example() {
    let end = after("bets=100,rounds=1", "bet-100 ~As ~9d ~Qs ~8c");
    assert_eq!((end.payoffs()[0], chips(&end)[0]), (150.0, 350));
    assert_eq!(notes(&end), ["the end", "The dealer had 17: Player 1 won 150."]);
    // It stands by itself, and the dealer draws nothing for it alone.
    assert_eq!(won("~As ~9d ~Qs ~3c"), 15);
    assert_eq!(after("rounds=1,bets=2,chips=2", "bet-2 ~As ~9d ~Qs ~3c").payoffs()[0], 3.0);
}

#[test]
fn a_natural_beats_any_other_21_and_ties_another_natural() {
    // Two seats: a natural, and 20, for which the dealer draws to 21.
    let end = after("players=2,rounds=1", "bet-10 bet-10 ~As ~Ts ~9d ~Qs ~Jc ~5c stand ~7c");
    assert_eq!(end.payoffs().as_slice(), [15.0, -10.0]);
    // The dealer's natural against a natural and 20.
    let end = after("players=2,rounds=1", "bet-10 bet-10 ~As ~Ts ~Kd ~Qs ~Jc ~Ac");
    assert_eq!(end.payoffs().as_slice(), [0.0, -10.0]);
}

#[test]
fn insurance_is_offered_in_order_to_those_who_can_pay_it_naturals_too() {
    // An ace up; seat 0 has a natural, seat 1 has bet all it has, seat 2 has not.
    let ace = "bet-10 bet-20 bet-10 ~As ~9s ~8s ~Ad ~Ks ~9d ~8d ~Th";
    let params = "players=3,chips=20,bets=10/20,rounds=1";
    let asked = after(params, ace);
    assert_eq!(legal(&asked), "0: insurance no-insurance");
    assert_eq!(refused(&asked, "hit"), "`hit` is not legal: the question is whether to take insurance");
    assert!(refused(&asked, "yes").ends_with("expected insurance or no-insurance"));
    let next = after(params, &format!("{ace} insurance"));
    assert_eq!((legal(&next).as_str(), chips(&next)), ("2: insurance no-insurance", [0, 0, 10].as_slice()));
    // The dealer has a natural: seat 0 is paid 2:1 and ties, seat 1 loses, seat 2 loses.
    let end = after(params, &format!("{ace} insurance no-insurance"));
    assert_eq!(end.payoffs().as_slice(), [20.0, -20.0, -10.0]);
    assert_eq!(end.phase(), Phase::Over);
}

#[test]
fn insurance_costs_the_whole_wager_and_comes_back_with_twice_itself() {
    // Insured against the dealer's natural: the wager is lost, twice as much is won.
    assert_eq!(won("~Th ~Ad ~9c ~Ks insurance"), 10);
    assert_eq!(won("~Th ~Ad ~9c ~Ks no-insurance"), -10);
    // No natural: the insurance is lost at once, and the hand is played: 19 against 18 wins.
    let lost = after("", "bet-10 ~Th ~Ad ~9c ~7s insurance");
    assert_eq!(chips(&lost)[0], 180);
    assert_eq!(won("~Th ~Ad ~9c ~7s insurance stand"), 0);
    assert_eq!(won("~Th ~Ad ~9c ~7s no-insurance stand"), 10);
    // A natural insured against a natural: the wager back and twice the insurance; against none: 3:2 less the insurance.
    assert_eq!(won("~As ~Ad ~Kc ~Ks insurance"), 20);
    assert_eq!(won("~As ~Ad ~Kc ~9s insurance"), 5);
    // There is less left to double and split.
    let poor = after("chips=20", "bet-10 ~8h ~Ad ~8c ~7s insurance");
    assert_eq!(legal(&poor), "0: hit stand surrender");
    let rich = after("chips=30", "bet-10 ~8h ~Ad ~8c ~7s insurance");
    assert_eq!(legal(&rich), "0: double hit split stand surrender");
}

#[test]
fn no_insurance_is_offered_when_nobody_can_pay_or_no_ace_is_up() {
    let all_in = after("chips=10,rounds=1", "bet-10 ~Th ~Ad ~9c ~7s");
    assert_eq!(legal(&all_in), "0: hit stand surrender");
    assert_eq!(after("chips=10,rounds=1", "bet-10 ~Th ~Ad ~9c ~Ks").payoffs()[0], -10.0);
    assert_eq!(legal(&after("", "bet-10 ~Th ~Kd ~9c ~7s")), "0: double hit stand surrender");
}

#[test]
fn the_dealer_peeks_under_an_ace_or_a_ten_and_a_natural_ends_the_round() {
    for up in ["Td", "Jd", "Qd", "Kd"] {
        assert_eq!(won(&format!("~Th ~{up} ~9c ~As")), -10, "{up}: nobody acts");
        let peeked = after("", &format!("bet-10 ~Th ~{up} ~9c ~2s"));
        assert_eq!(
            (legal(&peeked).as_str(), notes(&peeked)[0].as_str()),
            ("0: double hit stand surrender", "the dealer has looked: no natural")
        );
    }
    assert_eq!(notes(&after("", "bet-10 ~Th ~9d ~9c ~2s")), ["the hands are played"]);
}

#[test]
fn more_wins_even_money_equal_is_even_less_loses() {
    assert_eq!(won("~Th ~9d ~9c ~9s stand"), 10);
    assert_eq!(won("~Th ~9d ~9c ~Ts stand"), 0);
    assert_eq!(won("~Th ~Td ~9c ~Ts stand"), -10);
    // The dealer is bust.
    assert_eq!(won("~Th ~Td ~3c ~6s stand ~6d"), 10);
    // A bust hand is lost at once, and the dealer draws nothing.
    assert_eq!(won("~Th ~Td ~6c ~6s hit ~6d"), -10);
    // It is lost even if the dealer goes bust for another seat.
    let both = after("players=2,rounds=1", "bet-10 bet-10 ~Th ~9h ~Td ~6c ~9c ~6s hit ~6d stand ~7d");
    assert_eq!(both.payoffs().as_slice(), [-10.0, 10.0]);
}

#[test]
fn a_hand_of_21_stands_by_itself() {
    let stands = after("", "bet-10 ~Th ~6d ~6c ~9s hit ~5d");
    assert_eq!((stands.phase(), notes(&stands)[0].as_str()), (Phase::Chance, "the dealer draws"));
    assert_eq!(won("~5h ~6d ~6c ~9s hit ~Td ~2c"), 10);
}

#[test]
fn the_dealer_draws_to_17_and_stands_on_a_soft_one() {
    assert_eq!(won("~Th ~6d ~8c ~As stand"), 10, "soft 17 stands");
    assert_eq!(won("~Th ~2d ~8c ~3s stand ~Ac ~Ah"), 10, "2 3 A A is soft 17");
    assert_eq!(won("~Th ~6d ~8c ~5s stand ~Ac ~4d ~5h"), -10, "11, 12, 16, 21");
    assert_eq!(won("~Th ~6d ~8c ~5s stand ~Ac ~5d"), 10, "a soft 12 that became a hard 17");
}

#[test]
fn the_dealer_draws_only_if_a_hand_is_in_contest() {
    // Bust, surrendered, a natural: each alone leaves the dealer with 15.
    for round in ["~Th ~9d ~6c ~6s hit ~7c", "~Th ~9d ~6c ~6s surrender", "~Ah ~9d ~Kc ~6s"] {
        let over = after("rounds=1", &format!("bet-10 {round}"));
        let table = over.scene().aftermath.expect("a round has ended").clone();
        assert_eq!((over.phase(), table.dealer.count()), (Phase::Over, 15), "{round}");
    }
    let contest = after("players=2", "bet-10 bet-10 ~Th ~Ah ~9d ~6c ~Kc ~6s stand");
    assert_eq!(contest.phase(), Phase::Chance);
}

#[test]
fn a_double_takes_the_wager_again_one_card_and_stands() {
    let doubled = after("", "bet-10 ~5h ~6d ~6c ~9s double");
    assert_eq!((chips(&doubled)[0], doubled.state().hands[0].wager, doubled.phase()), (180, 20, Phase::Chance));
    assert_eq!(won("~5h ~6d ~6c ~9s double ~9d ~2c"), 20);
    assert_eq!(won("~5h ~6d ~6c ~9s double ~2d ~2c"), -20);
    assert_eq!(won("~5h ~6d ~6c ~9s double ~9d ~5c"), 0);
    assert_eq!(won("~Th ~6d ~6c ~9s double ~9d"), -20, "bust");
    // Two cards only, and only with the chips.
    let three = after("", "bet-10 ~5h ~6d ~6c ~9s hit ~2c");
    assert_eq!(legal(&three), "0: hit stand");
    assert_eq!(refused(&three, "double"), "`double` is not legal: that takes a hand of two cards");
    let poor = after("chips=18", "bet-10 ~5h ~6d ~6c ~9s");
    assert_eq!(refused(&poor, "double"), "`double` is not legal: it costs 10 more chips");
}

#[test]
fn only_two_cards_of_one_rank_are_split() {
    let split =
        |one: &str, other: &str| legal(&after("", &format!("bet-10 ~{one} ~6d ~{other} ~9s"))).contains("split");
    assert!(split("8h", "8c") && split("Kh", "Kd") && split("Ah", "Ac") && split("Th", "Th"));
    assert!(!split("Kh", "Qd") && !split("Th", "Jc") && !split("8h", "9h"));
    let tens = after("", "bet-10 ~Kh ~6d ~Qd ~9s");
    assert_eq!(refused(&tens, "split"), "`split` is not legal: only two cards of the same rank are split");
    let poor = after("chips=18", "bet-10 ~8h ~6d ~8c ~9s");
    assert_eq!(refused(&poor, "split"), "`split` is not legal: it costs 10 more chips");
    let three = after("", "bet-10 ~4h ~6d ~4c ~9s hit ~4d");
    assert_eq!(refused(&three, "split"), "`split` is not legal: that takes a hand of two cards");
}

#[test]
fn a_split_makes_two_hands_the_first_played_first_the_second_directly_after() {
    let split = after("players=2", "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split");
    let state = split.state();
    assert_eq!(
        state.hands.iter().map(|hand| hand.cards).collect::<Vec<_>>(),
        [cards("8h"), cards("8c"), cards("5s 6s")]
    );
    assert_eq!((chips(&split), split.phase()), ([180, 190].as_slice(), Phase::Chance));
    let first = after("players=2", "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split ~3d");
    assert_eq!((first.state().hands[0].cards, legal(&first).as_str()), (cards("8h 3d"), "0: double hit stand"));
    assert_eq!(refused(&first, "surrender"), "`surrender` is not legal: a hand from a split cannot be surrendered");
    // The second hand gets its second card when its turn comes; then the next seat plays.
    let second = after("players=2", "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split ~3d double ~Td");
    assert_eq!((second.state().hands[1].cards, second.phase()), (cards("8c"), Phase::Chance));
    let next = after("players=2", "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split ~3d double ~Td ~Tc stand");
    assert_eq!(legal(&next), "1: double hit stand surrender");
    // Doubled 21 wins 20, 18 wins 10 when the dealer, 15, goes bust; so does seat 1's 11.
    let end =
        after("players=2,rounds=1", "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split ~3d double ~Td ~Tc stand stand ~Qh");
    assert_eq!(end.payoffs().as_slice(), [30.0, 10.0]);
}

#[test]
fn a_seat_splits_three_times_a_round_in_any_of_its_hands() {
    // The hand split off is split again, then the first, then no more.
    let twice = "bet-10 ~8h ~6d ~8c ~9s split ~8d split ~8s";
    let thrice = after("", &format!("{twice} split ~8h"));
    assert_eq!((thrice.state().hands.len(), legal(&thrice).as_str()), (4, "0: double hit stand"));
    assert_eq!(refused(&thrice, "split"), "`split` is not legal: a seat may split three times a round");
    let later = after("", &format!("{twice} stand ~8h"));
    assert_eq!(legal(&later), "0: double hit split stand", "the second of three hands");
    let hands = after("", &format!("{twice} stand ~8h split ~2c")).state().hands.clone();
    assert_eq!(
        hands.iter().map(|hand| hand.cards).collect::<Vec<_>>(),
        [cards("8h 8s"), cards("8d 2c"), cards("8h"), cards("8c")]
    );
    // Another seat has three splits of its own.
    let other = after(
        "players=2",
        "bet-10 bet-10 ~8h ~5s ~6d ~8c ~5d ~9s split ~8d split ~8s split ~2c stand ~2d stand ~2h stand ~2s stand",
    );
    assert_eq!(legal(&other), "1: double hit split stand surrender");
}

#[test]
fn split_aces_are_no_exception_and_their_21_is_no_natural() {
    let aces = after("", "bet-10 ~Ah ~6d ~Ac ~9s split ~3d");
    assert_eq!(legal(&aces), "0: double hit stand");
    assert_eq!(legal(&after("", "bet-10 ~Ah ~6d ~Ac ~9s split ~Ad")), "0: double hit split stand");
    // 21 stands by itself; both pay 1:1, and tie a dealer's 21 in three cards.
    assert_eq!(won("~Ah ~6d ~Ac ~9s split ~Kd ~Qd ~Th"), 20);
    assert_eq!(won("~Ah ~6d ~Ac ~9s split ~Kd ~Qd ~6h"), 0);
    // They are in contest: the dealer draws.
    assert_eq!(after("", "bet-10 ~Ah ~6d ~Ac ~9s split ~Kd ~Qd").phase(), Phase::Chance);
}

#[test]
fn surrender_returns_half_as_the_first_action_only() {
    assert_eq!(won("~Th ~9d ~6c ~8s surrender"), -5);
    assert_eq!(after("bets=2,chips=2,rounds=1", "bet-2 ~Th ~9d ~6c ~8s surrender").payoffs()[0], -1.0);
    let hit = after("", "bet-10 ~2h ~9d ~6c ~8s hit ~3c");
    assert_eq!(refused(&hit, "surrender"), "`surrender` is not legal: that takes a hand of two cards");
    // After insurance, which is lost besides.
    let insured = after("", "bet-10 ~Th ~Ad ~6c ~8s insurance");
    assert_eq!(legal(&insured), "0: double hit stand surrender");
    assert_eq!(won("~Th ~Ad ~6c ~8s insurance surrender"), -15);
    assert_eq!(won("~Th ~Ad ~6c ~8s no-insurance surrender"), -5);
    // Not before the dealer has peeked.
    assert_eq!(
        refused(&after("", "bet-10 ~Th ~Ad ~6c ~8s"), "surrender").split(": ").nth(1),
        Some("the question is whether to take insurance")
    );
}

/// Plays on, splitting what can be split and drawing a third card of a rank to a pair of it, until chance is to act and
/// no card is left.
fn deplete(current: &mut Match<Blackjack>) {
    while current.phase() != Phase::Chance || current.state().shoe.n_left() != Some(0) {
        match (current.phase(), current.state().turn) {
            (Phase::Act(seats), _) => {
                let splits = current.legal(seats.first()).contains(&"split".into());
                current.play_text(seats.first(), if splits { "split" } else { "stand" }).unwrap();
            }
            (_, Turn::Draw(hand)) => {
                let rank = current.state().hands[usize::from(hand)].cards.as_slice()[0].rank();
                let left = Card::all().filter(|&card| current.state().shoe.copies(card) > 0);
                let card = left.max_by_key(|card| (card.rank() == rank, card.rank())).expect("cards are left");
                current.play_outcome_text(&format!("~{card}")).unwrap();
            }
            (phase, turn) => panic!("the hands are played, not {phase:?} {turn:?}"),
        }
    }
}

#[test]
fn when_the_cards_run_out_as_many_decks_again_are_shuffled_in() {
    // Every seat gets a pair from two to eight, and splits it three times; the dealer has two tens.
    let bets = "bet-10 bet-10 bet-10 bet-10 bet-10 bet-10 bet-10";
    let dealt = "~2c ~3c ~4c ~5c ~6c ~7c ~8c ~Tc ~2d ~3d ~4d ~5d ~6d ~7d ~8d ~Td";
    let mut current = after("players=7,decks=1,rounds=1", &format!("{bets} {dealt}"));
    deplete(&mut current);
    // The next card may be any of a full deck again.
    let outcomes = AnyMatch::outcomes(&current, Viewer::Referee);
    assert_eq!((outcomes.len(), outcomes.iter().all(|&(_, weight)| weight == 1)), (52, true));
    current.play_outcome_text("~Kh").unwrap();
    assert_eq!(current.state().shoe.n_left(), Some(51));
    assert_eq!(current.game().recomputed(current.state()), *current.state().position());
    // All other cards of the first deck were seen, so everybody knows which one lies face down.
    let mut rng = stream(1, "test", 0);
    for seat in 0..7 {
        let drawn = current.game().determinize(current.state(), seat, &mut rng);
        assert_eq!(drawn.position(), current.state().position());
    }
    assert!(current.game().determinize(current.state(), 0, &mut rng).face_down.is_some());
}

#[test]
fn the_card_face_down_is_drawn_from_the_unseen_cards_by_copies() {
    let current = after("decks=2", "bet-10 ~7h ~9h ~7h ~8h");
    let (game, state) = (current.game(), current.state());
    let mut counts = [0i32; 52];
    let mut rng = stream(1, "test", 0);
    for _ in 0..101_000 {
        let drawn = game.determinize(state, 0, &mut rng);
        assert_eq!((&drawn.hands, drawn.dealer, drawn.turn), (&state.hands, state.dealer, state.turn));
        assert_eq!(&game.recomputed(&drawn), drawn.position());
        counts[drawn.face_down.expect("it still lies there").index()] += 1;
    }
    for card in Card::all() {
        let expected = match card.to_string().as_str() {
            "7h" => 0,
            "9h" => 1000,
            _ => 2000,
        };
        assert!((counts[card.index()] - expected).abs() < 270, "{card} came {} times", counts[card.index()]);
    }
}

#[test]
fn a_peek_without_a_natural_tells_everybody_so_and_nothing_more() {
    let drawn = |params: &str, history: &str| -> Vec<String> {
        let current = after(params, history);
        let mut rng = stream(1, "test", 0);
        let mut cards: Vec<String> = (0..20_000)
            .map(|_| {
                current.game().determinize(current.state(), 0, &mut rng).face_down.expect("it lies there").to_string()
            })
            .collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    };
    // While insurance is offered the card may be any of the others; after the peek it is no ten.
    let asked = drawn("decks=1", "bet-10 ~7h ~Ah ~8h ~2s");
    assert_eq!((asked.len(), asked.contains(&"Kd".into())), (49, true));
    let peeked = drawn("decks=1", "bet-10 ~7h ~Ah ~8h ~2s no-insurance");
    assert_eq!((peeked.len(), peeked.contains(&"Kd".into())), (33, false));
    let under_a_ten = drawn("decks=1", "bet-10 ~7h ~Th ~8h ~2s");
    assert_eq!((under_a_ten.len(), under_a_ten.contains(&"Ad".into())), (45, false));
    assert_eq!(drawn("decks=1", "bet-10 ~7h ~9h ~8h ~2s").len(), 49);
    assert_eq!(drawn("decks=0", "bet-10 ~7h ~Th ~8h ~2s").len(), 48);
    assert_eq!(drawn("decks=0", "bet-10 ~7h ~9h ~8h ~2s").len(), 52);
}

#[test]
fn nobody_sees_the_card_face_down_until_the_dealer_turns_it() {
    let current = after("players=2", "bet-10 bet-10 ~2c ~3c ~4c ~5c ~6c ~7d");
    assert_eq!(current.history(Viewer::Referee), "bet-10 bet-10 ~2c ~3c ~4c ~5c ~6c ~7d");
    let sent = |current: &Match<Blackjack>, viewer| {
        format!("{} {:?} {}", current.history(viewer), current.picture(viewer), AnyMatch::sketch(current, viewer))
    };
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        assert_eq!(current.history(viewer), "bet-10 bet-10 ~2c ~3c ~4c ~5c ~6c ~?");
        assert!(!sent(&current, viewer).contains("7d"), "{viewer:?}");
    }
    assert!(sent(&current, Viewer::Referee).contains("7d"));
    let turned = after("players=2", "bet-10 bet-10 ~2c ~3c ~4c ~5c ~6c ~7d stand stand");
    assert!(sent(&turned, Viewer::Spectator).contains("7d"));
}

#[test]
fn seats_that_cannot_pay_the_smallest_wager_are_out_and_the_rest_go_on() {
    // Seat 0 loses all it has in round 1.
    let history = "bet-10 bet-10 ~Th ~Ts ~Td ~8c ~Tc ~9s stand stand";
    let next = after("players=2,chips=10", history);
    assert_eq!((chips(&next), legal(&next).as_str()), ([0, 20].as_slice(), "1: bet-10"));
    let dealt = after("players=2,chips=10", &format!("{history} bet-10 ~2c ~3c ~4c ~5c"));
    assert_eq!((dealt.state().hands.len(), legal(&dealt).as_str()), (1, "1: double hit stand surrender"));
}

#[test]
fn the_game_ends_after_the_rounds_or_when_nobody_can_bet_and_the_former_is_named_first() {
    let lose = "bet-10 ~Th ~Td ~8c ~Ts stand";
    let end = |params: &str, rounds: usize| {
        let end = after(params, &vec![lose; rounds].join(" "));
        (end.end_reason().map(String::from), end.payoffs()[0])
    };
    assert_eq!(end("chips=30,rounds=2", 2), (Some("rounds".into()), -20.0));
    assert_eq!(end("chips=20,rounds=3", 2), (Some("broke".into()), -20.0));
    assert_eq!(end("chips=20,rounds=2", 2), (Some("rounds".into()), -20.0));
    assert_eq!(end("chips=20,rounds=15", 1), (None, -10.0));
    // A few chips may be left that are no wager.
    assert_eq!(end("chips=25,rounds=9", 2), (Some("broke".into()), -20.0));
}

#[test]
fn a_round_that_is_broken_off_is_void_for_bust_surrendered_and_insured_seats_too() {
    let pays = |history: &str| after("players=2", history).payoffs().as_slice().to_vec();
    let ace = "bet-10 bet-10 ~Th ~8h ~Ad ~6c ~8c ~9s";
    let plain = "bet-10 bet-10 ~Th ~8h ~9d ~6c ~8c ~7s";
    for (history, what) in [
        ("bet-10".into(), "a wager"),
        ("bet-10 bet-10 ~8c".into(), "cards are dealt"),
        (format!("{ace} insurance"), "insurance is asked about"),
        (format!("{ace} insurance insurance"), "insurance is lost"),
        (format!("{ace} insurance insurance surrender"), "insured and surrendered"),
        (format!("{plain} hit ~8d"), "bust"),
        (format!("{plain} double"), "doubled"),
        (format!("{plain} double ~8d"), "doubled and bust"),
        (format!("{plain} stand split ~2d"), "split"),
        (format!("{plain} surrender"), "surrendered"),
    ] {
        let current = after("players=2", &history);
        assert!(current.state().chips[0] < 200, "{what}: chips are on the table");
        assert_eq!(pays(&history), [0.0, 0.0], "{what}");
    }
    // The round before counts.
    let next = "bet-10 bet-10 ~Th ~8h ~9d ~6c ~8c ~8s stand stand";
    assert_eq!(pays(next), [-10.0, -10.0]);
    assert_eq!(pays(&format!("{next} bet-10")), [-10.0, -10.0]);
    let mut capped = crate::game("blackjack:max-plies=5").unwrap().new_match();
    capped.play_history("bet-10 ~Th ~9d ~6c ~8s").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs()[0]), (Some("cap"), 0.0));
}

#[test]
fn the_table_is_left_as_it_was_while_the_next_wagers_are_placed() {
    let between = after("players=2", "bet-10 bet-10 ~As ~8h ~9d ~Kc ~8c ~8s stand");
    assert_eq!(between.phase(), Phase::seat(0));
    assert_eq!(notes(&between), ["place your wagers", "The dealer had 17: Player 1 won 15, Player 2 lost 10."]);
    let drawing = AnyMatch::sketch(&between, Viewer::Spectator).to_string();
    assert!(drawing.contains(" As Kc  natural, won 15\n") && drawing.contains(" 9d 8s  17\n"), "{drawing}");
    let betting = after("players=2", "bet-10 bet-10 ~As ~8h ~9d ~Kc ~8c ~8s stand bet-10");
    assert!(betting.picture(Viewer::Spectator).areas[0].pieces.iter().any(|piece| piece.text.as_deref() == Some("9d")));
    let dealt = after("players=2", "bet-10 bet-10 ~As ~8h ~9d ~Kc ~8c ~8s stand bet-10 bet-10");
    assert!(
        dealt
            .picture(Viewer::Spectator)
            .areas
            .iter()
            .all(|area| area.pieces.iter().all(|piece| piece.text.as_deref() != Some("9d")))
    );
    // Then the table is a picture of its own.
    let badges = |picture: &Picture| -> Vec<String> {
        picture.badges.iter().map(|badge| format!("{} {:?} {}", badge.seat, badge.kind, badge.text)).collect()
    };
    let shown = between.picture(Viewer::Spectator);
    assert_eq!(
        (badges(&shown), shown.before),
        (vec!["0 Gain won 15".into(), "1 Loss lost 10".into(), "0 State to bet".into()], None)
    );
    let before = dealt.picture(Viewer::Seat(0)).before.expect("the round before is remembered");
    assert_eq!(badges(&before), ["0 Gain won 15", "1 Loss lost 10"]);
    assert!(before.areas[0].pieces.iter().any(|piece| piece.text.as_deref() == Some("9d")));
    let chips = |picture: &Picture| -> Vec<String> {
        picture.counters.iter().filter(|counter| counter.seat.is_some()).map(|counter| counter.value.clone()).collect()
    };
    assert_eq!(chips(&before), chips(&between.picture(Viewer::Spectator)));
    // Rounds begin with the first wager.
    let begins: Vec<Option<&str>> = dealt.plies().iter().map(|ply| ply.begins.as_deref()).collect();
    assert_eq!((begins[0], begins[9]), (Some("Round 1"), Some("Round 2")));
    assert_eq!(begins.iter().flatten().count(), 2);
    // It decides nothing and is no part of the position.
    let position = |history: &str| after("players=2", history).state().position().clone();
    let even = |cards: &str| position(&format!("bet-10 bet-10 {cards} stand stand"));
    assert_eq!(even("~Th ~9h ~Td ~9c ~Tc ~9s"), even("~Th ~9h ~Td ~9c ~Tc ~9c"));
    assert_ne!(position("bet-10 bet-10 ~Th"), position("bet-10 bet-10 ~9h"));
}

#[test]
fn results_count_insurance_doubles_and_splits() {
    let result = |round: &str| notes(&after("", &format!("bet-10 {round}")))[1].clone();
    assert_eq!(result("~Th ~Ad ~9c ~Ks insurance"), "The dealer had a natural: Player 1 won 10.");
    assert_eq!(result("~5h ~Ad ~6c ~7s insurance double ~Tc"), "The dealer had soft 18: Player 1 won 10.");
    assert_eq!(result("~Th ~Ad ~6c ~8s insurance surrender"), "The dealer had soft 19: Player 1 lost 15.");
    assert_eq!(result("~Th ~Td ~3c ~6s stand ~6d"), "The dealer went bust with 22: Player 1 won 10.");
    assert_eq!(result("~8h ~6d ~8c ~9s split ~3d double ~Td ~Tc stand ~3s"), "The dealer had 18: Player 1 won 20.");
}

#[test]
fn buttons_say_what_they_cost_and_only_the_seat_to_act_and_who_sees_all_have_them() {
    let labels = |params: &str, history: &str| -> Vec<String> {
        let current = after(params, history);
        assert!(current.picture(Viewer::Spectator).buttons.is_empty());
        let labels = |viewer| current.picture(viewer).buttons.into_iter().map(|button| button.label).collect();
        // Where all cards are known, as in a finished game that is analysed, every seat's actions can be chosen.
        let own: Vec<String> = labels(Viewer::Seat(0));
        assert_eq!(own, labels(Viewer::Referee));
        own
    };
    assert_eq!(labels("bets=10/20", ""), ["Bet 10", "Bet 20"]);
    assert_eq!(labels("", "bet-10 ~8h ~Ad ~8c ~7s"), ["Insurance for 10", "No insurance"]);
    let plays = ["Stand", "Hit", "Double for 10 more", "Split for 10 more", "Surrender, 5 back"];
    assert_eq!(labels("", "bet-10 ~8h ~6d ~8c ~7s"), plays);
}

#[test]
fn every_card_dealt_is_marked_where_it_lies() {
    let history = "bet-10 bet-10 ~8h ~5s ~6d ~8c ~6s ~9s split ~3d double ~Td ~Tc stand stand ~2h";
    let current = after("players=2", history);
    let marks: Vec<String> = current.plies().iter().map(|ply| ply.marks.join("+")).collect();
    let dealt = "card:0:0:0 card:1:0:0 dealer:0 card:0:0:1 card:1:0:1 dealer:1";
    let played = "hand:0:0 card:0:0:1 hand:0:0 card:0:0:2 card:0:1:1 hand:0:1 hand:1:0 dealer:2";
    assert_eq!(marks.join(" "), format!("tray:0 tray:1 {dealt} {played}"));
}

fn position(params: &str, history: &str, viewer: Viewer) -> String {
    after(params, history).position_text(viewer)
}

#[test]
fn positions_say_what_lies_on_the_table_and_hide_the_card_face_down() {
    let two = |history: &str| position("players=2", history, Viewer::Seat(1));
    assert_eq!(two(""), "- 0 round=1 chips=200/200");
    assert_eq!(two("bet-10"), "- 1 round=1 chips=190/200 hands=-:10/-");
    assert_eq!(two("bet-10 bet-10 ~Th"), "- chance round=1 chips=190/190 hands=Th:10/-:10");
    let ace = "bet-10 bet-10 ~Th ~8h ~Ad ~6c ~8c ~9s";
    let seen = " face-down=?? seen-by=1";
    let asked = "Ad 1 round=1 chips=180/190 hands=Th6c:10/8h8c:10 insured=0 insurance=open";
    assert_eq!(two(&format!("{ace} insurance")), format!("{asked}{seen}"));
    let played = "Ad chance round=1 chips=180/180 hands=Th6c:10s/8h:10,8c:10 insured=0";
    assert_eq!(two(&format!("{ace} insurance no-insurance stand split")), format!("{played}{seen}"));
    let referee = position("players=2", &format!("{ace} insurance no-insurance stand split"), Viewer::Referee);
    assert_eq!(referee, format!("{played} face-down=9s"));
    let dealer = "bet-10 bet-10 ~5h ~8h ~6d ~6c ~8c ~9s double ~2d surrender";
    assert_eq!(two(dealer), "6d9s chance round=1 chips=180/195 hands=5h6c2d:20d/8h8c:10x");
    assert_eq!(position("rounds=1", "bet-10 ~Th ~Td ~8c ~Ts stand", Viewer::Spectator), "- over round=1 chips=190");
    assert_eq!(position("chips=10", "bet-10 ~Th ~Td ~8c ~Ts stand", Viewer::Spectator), "- over chips=0");
}

#[test]
fn a_hidden_card_is_read_as_one_that_fits() {
    let made_up = |params: &str, text: &str| {
        let read = game(params).parse_position(text).expect(text);
        assert_eq!(read.seen_by, Some(Viewer::Seat(0)));
        assert_eq!(game(params).position_text(&read.state, Viewer::Seat(0)), text);
        read.state.face_down.expect("it lies there").to_string()
    };
    assert_eq!(made_up("decks=1", "7d 0 round=1 chips=190 hands=2c3c:10 face-down=?? seen-by=0"), "4c");
    // The dealer has looked under an ace: all that is left of two shoes are tens, which it cannot be, and eights.
    assert_eq!(made_up("", "Ad 0 round=1 chips=190 hands=2c3c:10 face-down=?? seen-by=0"), "2c");
    let under_an_ace = "Ad 0 round=1 chips=190 hands=2c3c:10 insurance=open face-down=Td";
    assert!(game("").parse_position(under_an_ace).is_ok(), "the dealer has not looked");
    let error = game("").parse_position("Ad 0 round=1 chips=190 hands=2c3c:10 face-down=Td").unwrap_err();
    assert_eq!(
        error.to_string(),
        "position, character 48: `Td` cannot stand here; expected a card that makes no natural: the dealer has looked"
    );
}

#[test]
fn once_the_shoe_has_run_out_everybody_knows_the_card_face_down() {
    let bets = "bet-10 bet-10 bet-10 bet-10 bet-10 bet-10 bet-10";
    let dealt = "~2c ~3c ~4c ~5c ~6c ~7c ~8c ~Tc ~2d ~3d ~4d ~5d ~6d ~7d ~8d ~Td";
    let mut current = after("players=7,decks=1,rounds=1", &format!("{bets} {dealt}"));
    deplete(&mut current);
    assert!(current.position_text(Viewer::Seat(3)).ends_with(" face-down=?? seen-by=3"));
    current.play_outcome_text("~Kh").unwrap();
    let text = current.position_text(Viewer::Seat(3));
    assert!(text.ends_with(" face-down=Td"), "{text}");
    assert_eq!(current.game().parse_position(&text).unwrap().state, *current.state().position());
    let mut seen = vec![-1; current.game().layout().len()];
    current.game().observe(current.state(), 3, &mut seen);
    assert_eq!(seen[65], 10, "a ten");
}

#[test]
fn the_example_in_the_header_can_be_set_up() {
    let example = "9d 0 round=3 chips=180/190 hands=8h3c:10,8c:10/Th7s:10 face-down=?? seen-by=0";
    let read = game("players=2").parse_position(example).unwrap();
    assert_eq!(game("players=2").position_text(&read.state, Viewer::Seat(0)), example);
}

#[test]
fn positions_that_cannot_be_set_up_are_refused_with_the_place() {
    let params = "players=2,bets=10/20,decks=1,rounds=9";
    let split = "6d 1 round=3 chips=180/190 hands=8h3c:10s,8c2d:10s/Th7s:10 face-down=9s";
    assert!(game(params).parse_position(split).is_ok());
    for (from, to, says) in [
        ("6d 1", "6d 0", "character 4: `0` cannot stand here; expected seat 1, whose hand is not finished"),
        ("6d 1", "6d 2", "character 4: `2` cannot stand here; expected the seat to act, 0 to 1, chance or over"),
        ("6d 1", "6d over", "expected a seat or chance: there are wagers or cards on the table"),
        ("6d 1", "6d5d 1", "character 1: `6d5d` cannot stand here; expected one open card beside the one face down"),
        ("6d 1", "8h 1", "expected cards that 1 decks have"),
        ("round=3", "round=10", "character 12: `10` cannot stand here; expected a number from 1 to 9"),
        ("round=3 ", "", "expected round=… before it"),
        ("180/190", "180", "expected one part for each of 2 seats"),
        ("180/190", "180/900", "expected at most 520 chips of each seat before this round"),
        ("8h3c:10s", "8h3c:30s", "expected one of the wagers (10, 20), twice as much for a doubled hand"),
        ("8h3c:10s", "8h3c", "expected the cards of a hand, a colon and its wager, such as Th7s:10"),
        ("8h3c:10s", "8h3c:20s", "expected hands of one split: the same wagers, and first cards of one rank"),
        ("8h3c:10s", "9h3c:10s", "expected hands of one split: the same wagers, and first cards of one rank"),
        ("8h3c:10s", "8h3c:10x", "expected cards with which that could be decided"),
        ("8c2d:10s", "8c:10", "expected chance: a hand waits for a card"),
        (
            "8h3c:10s",
            "8h3cKcQc2h:10",
            "character 40: `Qc` cannot stand here; expected no card more than those that come to 21",
        ),
        ("Th7s:10", "Th7s:10s", "expected a hand that is not finished"),
        ("Th7s:10", "-", "expected hands=… with one of every seat that could pay a wager"),
        ("face-down=9s", "face-down=??", "expected a card, or seen-by=… at the end and ?? for it"),
        ("face-down=9s", "face-down=9s seen-by=1", "expected ?? where a viewer is named"),
        ("face-down=9s", "insured=1 face-down=9s", "expected no insurance: the dealer shows no ace"),
        ("face-down=9s", "insurance=open face-down=9s", "expected an ace where insurance is asked about"),
        (" face-down=9s", "", "expected chance, or a card face down before somebody acts"),
    ] {
        let text = split.replacen(from, to, 1);
        assert_ne!(text, split, "{from} occurs");
        let error = game(params).parse_position(&text).expect_err(&text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    for (text, says) in [
        ("6d9s chance round=1 chips=190/190 hands=Th7s:10/8h8c:10s", "expected finished hands when the dealer draws"),
        ("6dTs chance round=1 chips=190/190 hands=Th7s:10x/8h8c:10x", "expected a dealer who has to draw"),
        ("- 1 round=1 chips=200/200", "expected the first seat without a wager"),
        ("- chance round=1 chips=190/190 hands=-:10/Th:10", "expected hands of one seat each, as they are dealt"),
        ("- over round=3 chips=200/200", "expected a number from 9 to 9"),
        ("- over chips=9/10", "expected round=… before it"),
    ] {
        let error = game(params).parse_position(text).expect_err(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn an_observation_shows_what_a_seat_sees_as_numbers() {
    let current = after("players=2,decks=1,chips=1000000", "bet-10 bet-10 ~8h ~Th ~6d ~8c ~7s ~9s split ~3c");
    let layout = current.game().layout();
    let mut seen = vec![-1; layout.len()];
    current.game().observe(current.state(), 1, &mut seen);
    let block = |name: &str| -> &[i32] {
        let (first, block) = layout.offsets().find(|(_, block)| block.name == name).expect(name);
        &seen[first..first + block.len()]
    };
    let unseen = block("unseen cards");
    assert_eq!(unseen.iter().sum::<i32>(), 52 - 6, "the card face down is unseen");
    assert_eq!(unseen[..13], [1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1], "3c and 8c lie open");
    assert_eq!(block("dealer"), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(block("card face down"), [1]);
    let hands: Vec<&[i32]> = block("hands").chunks(13).collect();
    assert_eq!(hands[0], [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0], "its own seven and ten");
    assert_eq!(hands[4], [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], "the other seat's first hand");
    assert_eq!(hands[5], [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], "and its second");
    assert_eq!((block("dealer count"), block("hand counts")), ([6].as_slice(), [17, 0, 0, 0, 11, 8, 0, 0].as_slice()));
    assert_eq!(block("soft hands"), [0; 8]);
    assert_eq!(block("wagers on hands"), [10, 0, 0, 0, 10, 10, 0, 0]);
    assert_eq!(block("standing of hands"), [1, 0, 0, 0, 1, 1, 0, 0]);
    assert_eq!(
        (block("chips, millions"), block("chips, the rest")),
        ([0, 0].as_slice(), [999_990, 999_980].as_slice())
    );
    assert_eq!((block("turn"), block("hand in question")), ([3].as_slice(), [1].as_slice()));
    assert_eq!((block("whose hand that is"), block("to act")), ([2].as_slice(), [2].as_slice()));
}

#[test]
fn actions_are_numbered_by_the_wagers_and_then_by_the_words() {
    let game = game("bets=10/20/50");
    let state = game.initial_state();
    let number = |text: &str| game.action_number(game.parse_action(&state, 0, text).unwrap());
    let texts = "bet-10 bet-20 bet-50 insurance no-insurance stand hit double split surrender";
    let numbers: Vec<u64> = texts.split(' ').map(number).collect();
    assert_eq!(numbers, (0..game.n_actions()).collect::<Vec<u64>>());
}

#[test]
fn the_aftermath_is_the_settled_table_with_the_card_turned() {
    let before = after("players=2", "bet-10 bet-10 ~Th ~8h ~9d ~6c ~8c ~8s stand");
    let stand = before.game().parse_action(before.state(), 1, "stand").unwrap();
    let table = before.game().aftermath(before.state(), Choice::Action(1, stand)).expect("the round ends");
    let text = before.game().position_text(&table, Viewer::Spectator);
    assert_eq!(text, "9d8s over round=1 chips=190/190 hands=Th6c:10s/8h8c:10s");
    let earlier = after("players=2", "bet-10 bet-10 ~Th ~8h ~9d ~6c ~8c ~8s");
    assert_eq!(earlier.game().aftermath(earlier.state(), Choice::Action(0, stand)), None);
    // A position set up has no round before it.
    let position = game("").parse_position("- over chips=0").unwrap();
    let end = Match::from_position(Arc::new(game("")), position);
    assert_eq!((notes(&end), end.end_reason()), (vec!["the end".to_string()], Some("broke")));
}

#[test]
fn house_rules_stand_last_in_the_canonical_text_in_their_order() {
    let all = "surrender=false,double-after-split=false,peek=false,natural=6:5,insurance=half,soft17=hit,decks=2";
    let canonical = "blackjack:decks=2,soft17=hit,insurance=half,natural=6:5,peek=false,double-after-split=false,\
                     surrender=false";
    assert_eq!(game(all).spec(), canonical);
    assert_eq!(crate::game(&format!("{canonical},max-plies=9")).unwrap().spec(), format!("{canonical},max-plies=9"));
    let defaults = "soft17=stand,insurance=full,natural=3:2,peek=true,double-after-split=true,surrender=true";
    assert_eq!(game(defaults).spec(), "blackjack");
    for params in ["soft17=draw", "insurance=quarter", "natural=2:1", "peek=no", "surrender=early", "peek="] {
        error(params);
    }
}

#[test]
fn six_to_five_wants_wagers_divisible_by_ten() {
    let why = "`natural=6:5`: 6:5 is paid in whole chips, so all bets must be divisible by 10 then";
    for bets in ["2", "10/12", "4/10/20"] {
        assert_eq!(error(&format!("natural=6:5,bets={bets}")), why);
    }
    assert_eq!(won_by("natural=6:5,", "~As ~9d ~Qs ~8c"), 12);
    assert_eq!(won_by("natural=6:5,", "~As ~Ad ~Qs ~Kc no-insurance"), 0);
    let end = after("natural=6:5,bets=10/30,rounds=1", "bet-30 ~As ~9d ~Qs ~8c");
    assert_eq!((end.payoffs()[0], notes(&end)[1].as_str()), (36.0, "The dealer had 17: Player 1 won 36."));
    // 21 from a split is no natural here either.
    assert_eq!(won_by("natural=6:5,", "~Ah ~6d ~Ac ~9s split ~Kd ~Qd ~Th"), 20);
}

#[test]
fn by_soft17_hit_the_dealer_draws_on_17_that_counts_an_ace_as_eleven() {
    // Ace and six, then a ten: hard 17, on which it stands.
    assert_eq!(won_by("soft17=hit,", "~Th ~6d ~8c ~As stand ~Tc"), 10);
    assert_eq!(won_by("soft17=hit,", "~Th ~6d ~8c ~As stand ~4c"), -10);
    // Two, three and two aces are soft 17 too; a soft 18 and a hard 17 stand.
    assert_eq!(won_by("soft17=hit,", "~Th ~2d ~8c ~3s stand ~Ac ~Ah ~2h"), -10);
    assert_eq!(won_by("soft17=hit,", "~Th ~7d ~8c ~As stand"), 0);
    assert_eq!(won_by("soft17=hit,", "~Th ~7d ~8c ~Ts stand"), 10);
}

#[test]
fn by_soft17_hit_a_dealer_without_a_hand_in_contest_still_draws_nothing() {
    assert_eq!(won_by("soft17=hit,", "~Th ~6d ~6c ~As surrender"), -5);
    let soft = "6dAs chance round=1 chips=190 hands=Th8c:10s";
    assert!(game("").parse_position(soft).unwrap_err().to_string().contains("expected a dealer who has to draw"));
    let hit = game("soft17=hit").parse_position(soft).expect("the dealer draws to it");
    assert_eq!(game("soft17=hit").position_text(&hit.state, Viewer::Spectator), soft);
    let third = "6dAsTc chance round=1 chips=190 hands=Th8c:10s";
    let error = |params: &str| game(params).parse_position(third).unwrap_err().to_string();
    assert!(error("").ends_with("expected no card more than those with which the dealer stands"), "{}", error(""));
    assert!(error("soft17=hit").contains("expected a dealer who has to draw"), "hard 17");
}

#[test]
fn half_insurance_costs_half_the_wager_and_comes_back_with_twice_itself() {
    assert_eq!(won_by("insurance=half,", "~Th ~Ad ~9c ~Ks insurance"), 0);
    assert_eq!(won_by("insurance=half,", "~As ~Ad ~Kc ~Ks insurance"), 10);
    assert_eq!(won_by("insurance=half,", "~As ~Ad ~Kc ~9s insurance"), 10);
    assert_eq!(won_by("insurance=half,", "~Th ~Ad ~9c ~7s insurance stand"), 5);
    assert_eq!(won_by("insurance=half,", "~Th ~Ad ~6c ~8s insurance surrender"), -10);
    let insured = after("insurance=half", "bet-10 ~Th ~Ad ~9c ~7s insurance");
    assert_eq!((chips(&insured)[0], insured.payoffs()[0]), (185, 0.0));
    let asked = after("insurance=half", "bet-10 ~Th ~Ad ~9c ~7s");
    let buttons: Vec<String> = asked.picture(Viewer::Seat(0)).buttons.into_iter().map(|button| button.label).collect();
    assert_eq!(buttons, ["Insurance for 5", "No insurance"]);
    let result = |round: &str| notes(&after("insurance=half", &format!("bet-10 {round}")))[1].clone();
    assert_eq!(result("~Th ~Ad ~9c ~Ks insurance"), "The dealer had a natural: Player 1 even.");
    assert_eq!(result("~5h ~Ad ~6c ~7s insurance double ~Tc"), "The dealer had soft 18: Player 1 won 15.");
    // A wager of 2 is insured for one chip.
    assert_eq!(after("insurance=half,bets=2,chips=3,rounds=1", "bet-2 ~Th ~Ad ~9c ~Ks insurance").payoffs()[0], 0.0);
}

#[test]
fn half_insurance_is_offered_to_who_can_pay_half() {
    let ace = "bet-20 bet-20 bet-10 ~Th ~8h ~3h ~Ad ~6c ~8c ~4c ~9s";
    let params = |insurance: &str| format!("players=3,chips=29,bets=10/20,insurance={insurance}");
    let asked = |insurance: &str| legal(&after(&params(insurance), ace));
    assert_eq!(asked("full"), "2: insurance no-insurance", "nine chips are left to the others");
    assert_eq!(asked("half"), "2: insurance no-insurance");
    let richer = |insurance: &str| format!("players=3,chips=30,bets=10/20,insurance={insurance}");
    assert_eq!(legal(&after(&richer("full"), ace)), "2: insurance no-insurance");
    assert_eq!(legal(&after(&richer("half"), ace)), "0: insurance no-insurance", "ten are left: enough for half");
    let next = after(&richer("half"), &format!("{ace} insurance"));
    assert_eq!((legal(&next).as_str(), chips(&next)), ("1: insurance no-insurance", [0, 10, 20].as_slice()));
    let text = next.position_text(Viewer::Seat(1));
    let set_up = next.game().parse_position(&text).unwrap().state;
    assert_eq!(next.game().position_text(&set_up, Viewer::Seat(1)), text);
    assert_eq!((set_up.turn, set_up.chips), (next.state().turn, next.state().chips));
}

#[test]
fn without_insurance_nobody_is_asked() {
    let ace = after("insurance=none", "bet-10 ~Th ~Ad ~9c ~7s");
    assert_eq!(legal(&ace), "0: double hit stand surrender");
    assert_eq!(refused(&ace, "insurance"), "`insurance` is not legal: insurance is not offered here");
    assert_eq!(won_by("insurance=none,", "~Th ~Ad ~9c ~Ks"), -10, "the dealer has looked");
    let natural = "Ad 0 round=1 chips=190 hands=Th9c:10 face-down=Ks";
    assert!(game("insurance=none").parse_position(natural).is_err());
    for text in [
        "Ad 0 round=1 chips=180 hands=Th9c:10 insured=0 face-down=7s",
        "Ad 0 round=1 chips=190 hands=Th9c:10 insurance=open face-down=7s",
    ] {
        assert!(game("").parse_position(text).is_ok(), "{text}");
        game("insurance=none").parse_position(text).expect_err(text);
    }
}

#[test]
fn without_a_peek_hands_are_played_and_a_natural_shows_at_the_end() {
    for up in ["Td", "Jd", "Qd", "Kd"] {
        let played = after("peek=false", &format!("bet-10 ~Th ~{up} ~9c ~As"));
        assert_eq!(
            (legal(&played).as_str(), notes(&played)[0].as_str()),
            ("0: double hit stand surrender", "the hands are played")
        );
        assert_eq!(won_by("peek=false,", &format!("~Th ~{up} ~9c ~As stand")), -10, "{up}");
    }
    // Insurance comes first, and is settled when the card is turned.
    let insured = after("peek=false,rounds=1", "bet-10 ~Th ~Ad ~9c ~Ks insurance");
    assert_eq!((legal(&insured).as_str(), chips(&insured)[0]), ("0: double hit stand surrender", 180));
    assert_eq!(won_by("peek=false,", "~Th ~Ad ~9c ~Ks insurance stand"), 10);
    assert_eq!(won_by("peek=false,", "~Th ~Ad ~9c ~7s insurance stand"), 0);
    assert_eq!(won_by("peek=false,insurance=half,", "~Th ~Ad ~9c ~Ks insurance stand"), 0);
}

#[test]
fn without_a_peek_a_natural_takes_doubled_and_split_wagers_and_any_other_21() {
    assert_eq!(won_by("peek=false,", "~5h ~Kd ~6c ~As double ~Tc"), -20, "21 in three cards, doubled");
    assert_eq!(won_by("peek=false,", "~8h ~Kd ~8c ~As split ~Td stand ~9d stand"), -20);
    assert_eq!(won_by("peek=false,", "~8h ~Kd ~8c ~As split ~3d double ~Td ~3h double ~Th"), -40);
    assert_eq!(won_by("peek=false,", "~Ah ~Kd ~Ac ~As split ~Kh ~Kc"), -20, "21 of a split is no natural");
    // Only a natural is as much, and its seat has nothing to choose.
    assert_eq!(won_by("peek=false,", "~Ah ~Kd ~Kc ~As"), 0);
    assert_eq!(won_by("peek=false,", "~Ah ~Kd ~Kc ~9s"), 15);
    assert_eq!(won_by("peek=false,", "~Ah ~Ad ~Kc ~Ks insurance"), 20);
    // The dealer draws nothing to a natural, and turns it even when all hands are lost.
    assert_eq!(won_by("peek=false,", "~Th ~Ad ~6c ~Ks insurance hit ~Tc"), 10);
    let bust = after("peek=false,rounds=1", "bet-10 ~Th ~Kd ~6c ~As hit ~Tc");
    assert_eq!((bust.payoffs()[0], notes(&bust)[1].as_str()), (-10.0, "The dealer had a natural: Player 1 lost 10."));
}

#[test]
fn without_a_peek_surrender_is_early() {
    assert_eq!(won_by("peek=false,", "~Th ~Kd ~6c ~As surrender"), -5);
    assert_eq!(won_by("peek=false,", "~Th ~Ad ~6c ~Ks no-insurance surrender"), -5);
    assert_eq!(won_by("peek=false,", "~Th ~Ad ~6c ~Ks insurance surrender"), 15);
    let both = after("players=2,peek=false,rounds=1", "bet-10 bet-10 ~Th ~9h ~Kd ~6c ~9c ~As surrender double ~3d");
    assert_eq!(both.payoffs().as_slice(), [-5.0, -20.0]);
}

#[test]
fn without_a_peek_nothing_is_known_of_the_card_face_down() {
    let drawn = |history: &str| -> Vec<String> {
        let current = after("decks=1,peek=false", history);
        let mut rng = stream(1, "test", 0);
        let card = |_| {
            let drawn = current.game().determinize(current.state(), 0, &mut rng);
            drawn.face_down.expect("it lies there").to_string()
        };
        let mut cards: Vec<String> = (0..20_000).map(card).collect();
        cards.sort_unstable();
        cards.dedup();
        cards
    };
    for history in ["bet-10 ~7h ~Ah ~8h ~2s", "bet-10 ~7h ~Ah ~8h ~2s no-insurance", "bet-10 ~7h ~Th ~8h ~2s"] {
        assert_eq!(drawn(history).len(), 49, "{history}");
    }
    // The next card is as likely as it is unseen: 49 cards that nobody has seen.
    let current = after("decks=1,peek=false", "bet-10 ~7h ~Th ~8h ~2s hit");
    let mut outcomes = Vec::new();
    current.game().expected_outcomes(current.state(), Viewer::Seat(0), &mut outcomes);
    assert_eq!(outcomes.len(), 49);
    assert!(outcomes.iter().all(|&(_, weight)| weight == outcomes[0].1));
    // What a seat is sent does not tell a natural from another card.
    let sent = |down: &str| {
        let current = after("decks=1,peek=false", &format!("bet-10 ~7h ~Th ~8h ~{down}"));
        let seat = Viewer::Seat(0);
        format!("{:?} {} {}", current.picture(seat), current.history(seat), current.position_text(seat))
    };
    assert_eq!(sent("As"), sent("2s"));
    let text = "Td 0 round=1 chips=190 hands=7h8h:10 face-down=As";
    assert!(game("").parse_position(text).is_err());
    let read = game("peek=false").parse_position(text).expect("the dealer has not looked").state;
    assert_eq!(game("peek=false").position_text(&read, Viewer::Referee), text);
    let hidden = "Ad 0 round=1 chips=190 hands=2c3c:10 face-down=?? seen-by=0";
    assert!(game("peek=false").parse_position(hidden).is_ok());
}

#[test]
fn by_double_after_split_false_hands_of_a_split_are_not_doubled() {
    let split = after("double-after-split=false", "bet-10 ~8h ~6d ~8c ~9s split ~3d");
    assert_eq!(legal(&split), "0: hit stand");
    assert_eq!(refused(&split, "double"), "`double` is not legal: a hand from a split cannot be doubled here");
    assert_eq!(legal(&after("double-after-split=false", "bet-10 ~8h ~6d ~3c ~9s")), "0: double hit stand surrender");
    let again = after("double-after-split=false", "bet-10 ~8h ~6d ~8c ~9s split ~8d");
    assert_eq!(legal(&again), "0: hit split stand");
    let doubled = "6d 0 round=1 chips=170 hands=8h3dTc:20d,8c2d:10 face-down=9s";
    assert!(game("").parse_position(doubled).is_ok());
    let why = game("double-after-split=false").parse_position(doubled).unwrap_err().to_string();
    assert!(why.ends_with("expected cards with which that could be decided"), "{why}");
}

#[test]
fn by_surrender_false_no_hand_is_given_up() {
    for house in ["surrender=false", "surrender=false,peek=false"] {
        let dealt = after(house, "bet-10 ~Th ~9d ~6c ~8s");
        assert_eq!(legal(&dealt), "0: double hit stand");
        assert_eq!(refused(&dealt, "surrender"), "`surrender` is not legal: surrender is not offered here");
    }
    let given_up = "9d 1 round=1 chips=195/190 hands=Th6c:10x/Th7s:10 face-down=8s";
    assert!(game("players=2").parse_position(given_up).is_ok());
    game("players=2,surrender=false").parse_position(given_up).unwrap_err();
}

#[test]
fn what_is_put_in_comes_back_when_a_round_is_broken_off_whatever_insurance_costs() {
    for house in ["insurance=half", "insurance=half,peek=false", "peek=false", "insurance=full"] {
        let insured = "bet-10 bet-10 ~Th ~8h ~Ad ~6c ~8c ~9s insurance insurance";
        for more in ["", " surrender", " double", " double ~2c split", " hit ~Tc"] {
            let current = after(&format!("players=2,{house}"), &format!("{insured}{more}"));
            assert_eq!(current.payoffs().as_slice(), [0.0, 0.0], "{house}: {more}");
        }
    }
}
