//! The rule book, clause by clause. Piles are written as the contract does: neutral, black, white.

use std::collections::HashMap;

use raichi_core::encoding::Encoding;
use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::path::{PathGame, PathRules as _, PathState};
use raichi_core::picture::{PieceKind, Scene, Tone, View};
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Match, Viewer};

use super::pile::{NEUTRAL, Pile};
use super::{Action, End, Kaalu, State};

const UNTOUCHED: [u8; 3] = [3, 2, 2];

fn after(history: &str) -> Match<Kaalu> {
    let mut game = Match::new(Kaalu);
    game.play_history(history).expect("the test's history is legal");
    game
}

fn legal(game: &Match<Kaalu>) -> Vec<String> {
    let Phase::Act(seats) = game.phase() else { return Vec::new() };
    AnyMatch::legal(game, seats.first())
}

fn pile([neutral, black, white]: [u8; 3]) -> Pile {
    Pile([black, white, neutral])
}

/// The given piles with letters, as many untouched ones behind them as make seven.
fn position(piles: &[[u8; 3]], stocks: [u8; 2], to_act: u8) -> State {
    let all: Vec<Pile> = piles.iter().copied().chain([UNTOUCHED; 7]).take(7).map(pile).collect();
    State::new(all.try_into().expect("seven piles"), piles.len() as u8, stocks, to_act)
}

fn texts(state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    Kaalu.legal_actions(state, state.seat(), &mut actions);
    actions.into_iter().map(|action| Kaalu.action_text(state, state.seat(), action)).collect()
}

fn play(state: &mut State, text: &str) {
    assert_eq!(refusal(state, text), "");
    let action = Kaalu.parse_action(state, state.seat(), text).expect("the text was understood before");
    Kaalu.apply(state, state.seat(), action);
}

/// Why an action is refused, or nothing where it is legal.
fn refusal(state: &State, text: &str) -> String {
    let action = Kaalu.parse_action(state, state.seat(), text).expect("the test's actions are well-formed");
    let is_listed = texts(state).iter().any(|listed| listed.trim_end_matches(['#', '!']) == text);
    assert_eq!(Kaalu.is_legal(state, state.seat(), action), is_listed, "{text}");
    if is_listed { String::new() } else { Kaalu.why_illegal(state, state.seat(), action) }
}

#[test]
fn the_stones_lie_as_the_source_sets_them_up() {
    let state = Kaalu.initial_state();
    assert_eq!(state, position(&[], [7, 7], 0));
    let total = |colour: usize| state.piles.iter().map(|pile| pile.0[colour]).sum::<u8>();
    assert_eq!([total(0) + state.stocks[0], total(1) + state.stocks[1], total(NEUTRAL)], [21; 3]);
    assert_eq!((Kaalu.phase(&state), state.primacies), (Phase::seat(0), [0, 0]), "neutral primacy everywhere");
}

#[test]
fn primacy_is_the_majoritys_or_the_untied_colours() {
    for (stones, primacy) in [
        ([3, 2, 2], NEUTRAL),
        ([3, 4, 2], 0),
        ([2, 1, 5], 1),
        ([4, 3, 2], NEUTRAL),
        // Two tie for most: the third.
        ([3, 3, 2], 1),
        ([3, 2, 3], 0),
        ([1, 4, 4], NEUTRAL),
        // Two tie for least: the one with most.
        ([2, 5, 2], 0),
        ([2, 2, 5], 1),
        ([5, 2, 2], NEUTRAL),
    ] {
        assert_eq!(pile(stones).primacy(), primacy, "{stones:?}");
    }
}

#[test]
fn primacy_is_found_as_by_the_words_of_the_rules() {
    for stones in (1..=6).flat_map(|n| (1..=6).flat_map(move |b| (1..=6).map(move |w| [n, b, w]))) {
        let [neutral, black, white] = stones;
        let named = [(black, 0), (white, 1), (neutral, NEUTRAL)];
        let most = stones.into_iter().max().unwrap();
        let tops: Vec<usize> = named.iter().filter(|named| named.0 == most).map(|named| named.1).collect();
        let expected = match tops.as_slice() {
            [only] => *only,
            [a, b] => 3 - a - b,
            _ => continue,
        };
        assert_eq!(pile(stones).primacy(), expected, "{stones:?}");
    }
}

#[test]
fn the_sources_example_replays() {
    let game = after("a b a c a1/1c b");
    let piles = [[2, 3, 2], [3, 2, 4], [4, 3, 3]];
    let expected = position(&piles, [5, 4], 0);
    assert_eq!((game.state().piles, game.state().stocks), (expected.piles, expected.stocks));
    assert_eq!((game.state().n_named, game.phase()), (3, Phase::seat(0)));
}

#[test]
fn letters_are_given_in_the_order_of_naming() {
    assert_eq!(legal(&after("")), ["a"]);
    // White may not put a stone on a: it would be balanced.
    assert_eq!(legal(&after("a")), ["a0/1b", "a1/0b", "b"]);
    assert_eq!(after("a a0/1b").state().n_named, 2);
    for (history, text, next) in [("", "b", "a"), ("a", "c", "b"), ("a b", "a1/0d", "c")] {
        let mut game = after(history);
        let Phase::Act(seats) = game.phase() else { panic!("{history} is not the end") };
        let error = game.play_text(seats.first(), text).unwrap_err().to_string();
        assert_eq!(error, format!("`{text}` is not legal: the next pile to be named is {next}"));
    }
}

#[test]
fn a_stone_from_the_stock_goes_on_any_pile() {
    let game = after("a b");
    assert_eq!((game.state().piles[1], game.state().stocks), (pile([3, 2, 3]), [6, 6]));
    let empty = position(&[[3, 3, 3 + 1]], [0, 1], 0);
    assert_eq!(refusal(&empty, "a"), "your stock is empty");
    assert_eq!(refusal(&empty, "b"), "your stock is empty");
}

#[test]
fn own_and_neutral_stones_move_and_no_others() {
    let state = position(&[[3, 3, 5], [3, 2, 2]], [0, 0], 0);
    let mut listed = texts(&state);
    listed.retain(|text| text.ends_with('b'));
    assert_eq!(listed, ["a0/1b", "a0/2b", "a1/0b", "a1/1b", "a1/2b", "a2/0b", "a2/1b", "a2/2b"]);
    assert_eq!(refusal(&state, "a0/0b"), "at least one stone moves");
    assert_eq!(refusal(&state, "a4/0b"), "the pile has not so many stones of that colour");
    assert_eq!(refusal(&state, "a0/4b"), "the pile has not so many stones of that colour");
    assert_eq!(refusal(&state, "a1/0a"), "stones move from one pile to another");
}

#[test]
fn seven_stones_and_one_of_each_colour_stay() {
    let state = position(&[[3, 2, 4]], [0, 0], 0);
    assert_eq!(refusal(&state, "a1/1b"), "");
    assert_eq!(refusal(&state, "a1/2b"), "seven stones stay in every pile");
    assert_eq!(refusal(&state, "a2/0b"), "one stone of each colour stays in every pile");
    assert_eq!(refusal(&state, "b0/1a"), "seven stones stay in every pile");
    assert_eq!(refusal(&position(&[[1, 3, 6]], [0, 0], 0), "a0/1b"), "one stone of each colour stays in every pile");
}

#[test]
fn no_pile_is_balanced() {
    let balanced = "no pile may have as many stones of each colour as of the others";
    assert_eq!(refusal(&position(&[[3, 3, 2]], [7, 7], 1), "a"), balanced);
    assert_eq!(refusal(&position(&[[5, 4, 3]], [7, 7], 0), "a1/2b"), balanced, "the source");
    assert_eq!(refusal(&position(&[[4, 3, 3], [2, 3, 3]], [7, 7], 0), "a0/1b"), balanced, "both");
    assert_eq!(refusal(&position(&[[4, 2, 3], [2, 3, 3]], [7, 7], 0), "a0/1b"), balanced, "the destination");
}

#[test]
fn a_move_does_not_exchange_two_piles() {
    // The source's own example, its misprint fixed: 3 black, 6 neutral, 2 white and 3 black, 4 neutral, 2 white.
    let state = position(&[[6, 3, 2], [4, 3, 2]], [7, 7], 0);
    assert_eq!(refusal(&state, "a0/2b"), "the two piles would only exchange their contents");
    assert_eq!(refusal(&state, "a0/1b"), "");
    // As printed it is no exchange.
    assert_eq!(refusal(&position(&[[6, 3, 2], [4, 3, 3]], [7, 7], 0), "a0/2b"), "");
    assert_eq!(refusal(after("a b a c a1/0d").state(), "b1/0e"), "the two piles would only exchange their contents");
}

#[test]
fn the_opponents_neutral_move_is_not_undone_at_once() {
    let undone = "the preceding move may not be undone exactly";
    let mut state = position(&[[5, 3, 3], [3, 3, 4]], [7, 7], 0);
    play(&mut state, "a0/1b");
    assert_eq!(refusal(&state, "b0/1a"), undone);
    assert!(
        Kaalu.picture(&Scene::of(&state), Viewer::Spectator).notes[0]
            .starts_with("White may not move 1 neutral from b back to a")
    );
    // Not exactly: with another number, to another pile, or with a stone of one's own.
    for text in ["b0/2a", "b0/1c", "b2/1a"] {
        assert_eq!(refusal(&state, text), "", "{text}");
    }
    // A ply later it may.
    play(&mut state, "c");
    assert_eq!(refusal(&state, "b0/1a"), "");
}

#[test]
fn four_piles_win_whoever_moved() {
    let won = after("a b a c d a d#");
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("primacy"), [1.0, -1.0].as_slice()));
    let blacks_own_fault = after("a b c b d!");
    assert_eq!((blacks_own_fault.end_reason(), blacks_own_fault.payoffs()[1]), (Some("primacy"), 1.0));
    let whites_own_fault = after("a b a c d e!");
    assert_eq!((whites_own_fault.end_reason(), whites_own_fault.payoffs()[0]), (Some("primacy"), 1.0));
}

#[test]
fn the_last_action_is_marked_and_a_wrong_mark_is_an_error() {
    for (history, seat, plain, canonical, wrong) in
        [("a b a c d a", 0, "d", "d#", "d!"), ("a b c b", 0, "d", "d!", "d#"), ("a b a c d", 1, "e", "e!", "e#")]
    {
        for text in [plain, canonical] {
            assert_eq!(after(history).play_text(seat, text).as_deref(), Ok(canonical), "{history} {text}");
        }
        let error = after(history).play_text(seat, wrong).unwrap_err();
        let effect = if canonical.ends_with('#') { "wins" } else { "loses" };
        let expected = format!("`{wrong}` is not understood; expected {canonical}, by which the mover {effect}");
        assert_eq!((error.code(), error.to_string()), ("play/not-understood", expected));
    }
    let error = after("a b a").play_text(1, "c#").unwrap_err().to_string();
    assert_eq!(error, "`c#` is not understood; expected c, by which nobody wins yet");
    for text in
        ["", "h", "A", "a1", "a1/b", "a/1b", "a1/1", "a01/1b", "a1/100b", "a1/1b##", "a1/1b#!", "#", "a1/1h", "é"]
    {
        let error = after("a b").play_text(0, text).unwrap_err().to_string();
        let expected =
            "expected a pile from a to g, a move such as a2/1c, or pass, and # or ! only where it ends the game";
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn who_cannot_act_passes_and_two_passes_are_a_draw() {
    let mut state = position(&[UNTOUCHED; 7], [0, 0], 0);
    assert_eq!((texts(&state), Kaalu.count_actions(&state, 0, &mut Vec::new())), (vec!["pass".to_string()], 1));
    assert_eq!(Kaalu.picture(&Scene::of(&state), Viewer::Spectator).buttons[0].id, "pass");
    Kaalu.apply(&mut state, 0, Action::Pass);
    assert_eq!((state.end, texts(&state)), (None, vec!["pass".to_string()]));
    Kaalu.apply(&mut state, 1, Action::Pass);
    assert_eq!((state.end, Kaalu.end_reason(&state)), (Some(End::Stuck), "stuck"));
    assert_eq!(Kaalu.payoffs(&state).as_slice(), [0.0, 0.0]);
    assert_eq!(refusal(&position(&[], [7, 7], 0), "pass"), "who can act may not pass");
    // White has a stone yet: one pass alone is nothing.
    let mut state = position(&[UNTOUCHED; 7], [0, 1], 0);
    play(&mut state, "pass");
    play(&mut state, "a");
    assert_eq!((state.end, state.n_passes), (None, 0));
}

#[test]
fn after_a_pass_no_reversal_is_barred() {
    let mut state = position(&[[3, 3, 2], [4, 2, 1], [4, 2, 1], [4, 2, 1], [4, 2, 1], [4, 2, 1], [4, 2, 1]], [0, 0], 0);
    play(&mut state, "a0/1b");
    // White could move b's one spare stone, but onto any other pile that would be an exchange, and back is barred.
    assert_eq!((refusal(&state, "b0/1a").is_empty(), texts(&state)), (false, vec!["pass".to_string()]));
    play(&mut state, "pass");
    assert_eq!(refusal(&state, "b0/1a"), "");
}

#[test]
fn the_third_occurrence_of_a_multiset_of_piles_is_a_draw() {
    let there_and_back = "a1/0d c1/0b d1/0a b1/0c";
    let mut game = after("a b a c");
    game.play_history(there_and_back).unwrap();
    assert_eq!((game.end_reason(), game.state().occurrences()), (None, 2));
    // Another pile takes d's part and gets another letter: the same piles all the same.
    game.play_history("a1/0e c1/0b e1/0a").unwrap();
    assert_eq!(game.end_reason(), None);
    game.play_history("b1/0c").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("repetition"), [0.0, 0.0].as_slice()));
    assert_eq!(game.picture(Viewer::Spectator).notes, ["This position has come for the third time."]);
}

#[test]
fn letters_tell_positions_apart_but_not_repetitions() {
    // b and c have exchanged their parts.
    let [one, other] = ["a b a c a1/1b", "a b a c a1/1c"].map(|history| *after(history).state().position());
    assert_ne!(one, other);
    assert_ne!(Kaalu.key(&one), Kaalu.key(&other));
    assert_eq!(Kaalu.repetition_key(&one), Kaalu.repetition_key(&other));
    assert_eq!((Kaalu.stage(&one), Kaalu.stage(&Kaalu.initial_state())), (10, 14));
}

#[test]
fn proofs_allow_for_positions_that_come_again_with_another_move_barred() {
    let game = PathGame::from(Kaalu);
    let mut state = game.state_at(position(&[[4, 2, 2], [3, 3, 2]], [6, 7], 0));
    let play = |state: &mut PathState<Kaalu>, text: &str| {
        let seat = state.seat();
        let action = Kaalu.parse_action(state, seat, text).unwrap();
        assert!(Kaalu.is_legal(state, seat, action), "{text}");
        game.apply(state, seat, action);
    };
    assert!(game.proofs_hold(&state, 100));
    play(&mut state, "a0/1b");
    // The position before may come twice more on the way to an end, though not in three plies.
    assert!(game.proofs_hold(&state, 3) && !game.proofs_hold(&state, 4) && game.estimates_hold(&state, 4));
    play(&mut state, "b0/1c");
    assert_eq!((state.occurrences(), refusal(&state, "c0/1b").is_empty()), (2, false));
    assert!(!game.proofs_hold(&state, 1));
    // A stone from a stock: nothing before it comes again.
    play(&mut state, "a");
    assert!(game.proofs_hold(&state, 100));
}

#[test]
fn a_game_is_broken_off_after_400_plies() {
    let game = create::<Kaalu>(Some("max-plies=400")).unwrap();
    assert_eq!((game.spec(), game.max_plies()), ("kaalu", Some(400)));
    let mut game = Match::new(create::<Kaalu>(Some("max-plies=4")).unwrap());
    game.play_history("a b a c").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
    let mut game = Match::new(create::<Kaalu>(Some("max-plies=7")).unwrap());
    game.play_history("a b a c d a d#").unwrap();
    assert_eq!(game.end_reason(), Some("primacy"), "a win comes before the cap");
}

#[test]
fn positions_are_piles_in_the_order_of_their_letters() {
    let text = |history: &str| after(history).position_text(Viewer::Spectator);
    assert_eq!(text(""), "- 0 stocks=7/7");
    assert_eq!(text("a b a"), "3/4/2,3/2/3 1 stocks=5/6");
    assert_eq!(text("a b a c a1/1c b"), "2/3/2,3/2/4,4/3/3 0 stocks=5/4");
    let barred = after("a b a c a0/1b");
    assert_eq!(barred.position_text(Viewer::Spectator), "2/4/2,4/2/3,3/2/3 1 stocks=5/5 barred=b0/1a");
    let read = |text: &str| Kaalu.parse_position(text).unwrap().state;
    assert_eq!(&read("2/4/2,4/2/3,3/2/3 1 stocks=5/5 barred=b0/1a"), barred.state().position());
    assert_ne!(&read("2/4/2,4/2/3,3/2/3 1 stocks=5/5"), barred.state().position());
    // A finished game bars nothing.
    assert_eq!(text("a b a c d a d#"), "3/4/3,3/2/3,3/2/3,3/4/2 1 stocks=3/4");
    let won = read("3/4/3,3/2/3,3/2/3,3/4/2 1 stocks=3/4");
    assert_eq!((won.end, Kaalu.payoffs(&won)[0]), (Some(End::Primacy(0)), 1.0));
    let passed = read("- 0 stocks=7/7 passes=1");
    assert_eq!((passed.n_passes, passed.end, read("- 0 stocks=7/7 passes=2").end), (1, None, Some(End::Stuck)));
    for (text, says) in [
        ("", "expected the piles with letters, like 3/4/2,3/2/3, or -"),
        ("3/2,3/2/3 0 stocks=7/6", "character 1: `3/2` cannot stand here; expected a pile's neutral, black and white"),
        ("3/0/4 0 stocks=7/7", "character 3: `0` cannot stand here; expected a number from 1 to 15"),
        ("3/2/2,2/2/2 0 stocks=7/7", "character 7: `2/2/2` cannot stand here; expected at least 7 stones in a pile"),
        ("3/3/3 0 stocks=6/6", "expected a pile without the same number of all three colours"),
        ("3/4/2 1 stocks=7/7", "expected 21 black stones with the stock, not 23"),
        ("4/2/2 1 stocks=7/7", "expected 21 neutral stones with the stock, not 22"),
        ("3/2/2,3/2/2,3/2/2,3/2/2,3/2/2,3/2/2,3/2/2,3/2/2 0 stocks=7/7", "expected at most 7 piles"),
        ("- 0 stocks=8/7", "expected a number from 0 to 7"),
        ("- 0 stocks=7", "expected Black's and White's stocks, like 7/6"),
        ("- 0", "expected stocks=…"),
        ("3/4/2,3/2/3 1 stocks=5/6 barred=a1/0b", "expected a move of neutral stones that could be made"),
        ("3/4/2,3/2/3 1 stocks=5/6 barred=b0/3a", "expected a move of neutral stones that could be made"),
        ("3/4/2,3/2/3 1 stocks=5/6 barred=a0/1c", "expected a move of neutral stones that could be made"),
        ("2/4/2,4/2/3,3/2/3 1 stocks=5/5 barred=b0/1a passes=1", "expected no pass after a move"),
        ("3/4/3,3/2/3,3/2/3,3/4/2 1 stocks=3/4 passes=1", "expected no pass after a move"),
        ("- 0 stocks=7/7 passes=3", "expected a number from 1 to 2"),
    ] {
        let error = Kaalu.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn observations_are_a_column_for_each_pile() {
    let game = after("a b a c a0/1b");
    let observe = |seat| {
        let mut observation = vec![-1; Kaalu.layout().len()];
        Kaalu.observe(game.state(), seat, &mut observation);
        observation
    };
    let (black, white, neutral) = ([4, 2, 2, 2, 2, 2, 2], [2, 3, 3, 2, 2, 2, 2], [2, 4, 3, 3, 3, 3, 3]);
    assert_eq!(observe(1), [&white[..], &black, &neutral, &[3, 5, 5, 2, 1, 1, 0, 1]].concat());
    assert_eq!(observe(0), [&black[..], &white, &neutral, &[3, 5, 5, 2, 1, 1, 0, 2]].concat());
    let number = |text: &str| Kaalu.action_number(Kaalu.parse_action(game.state(), 1, text).unwrap());
    assert_eq!([number("a"), number("g"), number("pass"), number("a0/1b"), number("a1/0b")], [0, 6, 7, 8, 22]);
    assert_eq!((number("g14/14f") + 1, number("a0/0b"), number("a1/0a")), (Kaalu.n_actions(), 9416, 9416));
    for number in 0..Kaalu.n_actions() {
        assert_eq!(Kaalu.action_number(Kaalu.numbered_action(number).expect("every number is an action")), number);
    }
}

#[test]
fn random_actions_are_uniform() {
    let mut rng = stream(1, "uniform", 0);
    for history in ["a", "a b a c", "a b a c a0/1b", "a b a c a1/1c b"] {
        let game = after(history);
        let actions = game.legal_actions(game.state().seat());
        let mut counts: HashMap<Action, i32> = HashMap::new();
        for _ in 0..20_000 {
            *counts
                .entry(Kaalu.random_action(game.state(), game.state().seat(), &mut Vec::new(), &mut rng))
                .or_default() += 1;
        }
        assert_eq!(counts.len(), actions.len(), "{history}");
        let expected = 20_000.0 / actions.len() as f64;
        for (action, count) in counts {
            // Six standard deviations of a Poisson count.
            assert!((f64::from(count) - expected).abs() < 6.0 * expected.sqrt(), "{action:?} came {count} times");
        }
    }
}

/// The same rules the plain way: piles that stand apart, everything tried and judged as the rules say it, every
/// position remembered.
#[derive(Clone)]
struct Plain {
    piles: [[u8; 3]; 7],
    /// The piles with letters, in the order of these.
    named: Vec<usize>,
    stocks: [u8; 2],
    seat: usize,
    last: PlainAction,
    seen: Vec<PlainPosition>,
}

type PlainPosition = (Vec<[u8; 3]>, [u8; 2], usize);

#[derive(Clone, Copy, PartialEq, Debug)]
enum PlainAction {
    Place(usize),
    Move { from: usize, to: usize, own: u8, neutral: u8 },
    Pass,
}

impl Plain {
    fn new() -> Plain {
        let (piles, stocks) = ([UNTOUCHED; 7], [7, 7]);
        let seen = vec![(piles.to_vec(), stocks, 0)];
        Plain { piles, named: Vec::new(), stocks, seat: 0, last: PlainAction::Place(0), seen }
    }

    /// The piles and stocks after an action, unless the rules forbid it.
    fn outcome(&self, action: PlainAction) -> Option<([[u8; 3]; 7], [u8; 2])> {
        let (mut piles, mut stocks) = (self.piles, self.stocks);
        match action {
            PlainAction::Place(pile) => {
                stocks[self.seat] = stocks[self.seat].checked_sub(1)?;
                piles[pile][1 + self.seat] += 1;
            }
            PlainAction::Move { from, to, own, neutral } => {
                piles[from][1 + self.seat] = piles[from][1 + self.seat].checked_sub(own)?;
                piles[from][0] = piles[from][0].checked_sub(neutral)?;
                piles[to][1 + self.seat] += own;
                piles[to][0] += neutral;
                let exchanged = piles[from] == self.piles[to] && piles[to] == self.piles[from];
                let undone = own == 0 && self.last == PlainAction::Move { from: to, to: from, own, neutral };
                if from == to || own + neutral == 0 || exchanged || undone {
                    return None;
                }
            }
            PlainAction::Pass => return None,
        }
        let bears = |pile: &[u8; 3]| pile.iter().sum::<u8>() >= 7 && !pile.contains(&0);
        let ties = |pile: &[u8; 3]| pile[0] == pile[1] && pile[1] == pile[2];
        piles.iter().all(|pile| bears(pile) && !ties(pile)).then_some((piles, stocks))
    }

    fn actions(&self, piles: &[usize]) -> Vec<PlainAction> {
        let mut actions: Vec<PlainAction> = piles.iter().map(|&pile| PlainAction::Place(pile)).collect();
        for (&from, &to) in piles.iter().flat_map(|from| piles.iter().map(move |to| (from, to))) {
            for own in 0..self.piles[from][1 + self.seat] {
                actions.extend((0..self.piles[from][0]).map(|neutral| PlainAction::Move { from, to, own, neutral }));
            }
        }
        actions.retain(|&action| self.outcome(action).is_some());
        if actions.is_empty() { vec![PlainAction::Pass] } else { actions }
    }

    /// The piles that have letters and the first of the others.
    fn nameable(&self) -> Vec<usize> {
        let next = (0..7).find(|pile| !self.named.contains(pile));
        self.named.iter().copied().chain(next).collect()
    }

    fn primacies(&self, colour: usize) -> usize {
        let rules = |pile: &&[u8; 3]| {
            let most = *pile.iter().max().unwrap();
            let tops: Vec<usize> = (0..3).filter(|&colour| pile[colour] == most).collect();
            if tops.len() == 1 { tops[0] == colour } else { !tops.contains(&colour) }
        };
        self.piles.iter().filter(rules).count()
    }

    /// The seat with four piles.
    fn winner(&self) -> Option<usize> {
        (0..2).find(|seat| self.primacies(1 + seat) >= 4)
    }

    fn play(&mut self, action: PlainAction) -> Option<&'static str> {
        let passed_twice = action == PlainAction::Pass && self.last == PlainAction::Pass;
        if let Some((piles, stocks)) = self.outcome(action) {
            (self.piles, self.stocks) = (piles, stocks);
        }
        let names = match action {
            PlainAction::Place(pile) => vec![pile],
            PlainAction::Move { from, to, .. } => vec![from, to],
            PlainAction::Pass => vec![],
        };
        for pile in names {
            if !self.named.contains(&pile) {
                self.named.push(pile);
            }
        }
        self.last = action;
        self.seat = 1 - self.seat;
        let mut sorted = self.piles.to_vec();
        sorted.sort();
        let now = (sorted, self.stocks, self.seat);
        self.seen.push(now.clone());
        if self.winner().is_some() {
            Some("primacy")
        } else if passed_twice {
            Some("stuck")
        } else {
            (self.seen.iter().filter(|&seen| *seen == now).count() >= 3).then_some("repetition")
        }
    }

    fn text(&self, action: PlainAction) -> String {
        let mut after = self.clone();
        after.play(action);
        let letter = |pile| (b'a' + after.named.iter().position(|&named| named == pile).unwrap() as u8) as char;
        let mark = after.winner().map_or("", |winner| if winner == self.seat { "#" } else { "!" });
        match action {
            PlainAction::Place(pile) => format!("{}{mark}", letter(pile)),
            PlainAction::Move { from, to, own, neutral } => {
                format!("{}{own}/{neutral}{}{mark}", letter(from), letter(to))
            }
            PlainAction::Pass => "pass".into(),
        }
    }

    fn perft_told_apart(&self, depth: u32) -> u64 {
        let actions = self.actions(&[0, 1, 2, 3, 4, 5, 6]);
        if depth == 1 {
            return actions.len() as u64;
        }
        let count = |action| {
            let mut after = self.clone();
            if after.play(action).is_some() { 0 } else { after.perft_told_apart(depth - 1) }
        };
        actions.into_iter().map(count).sum()
    }
}

#[test]
fn with_piles_told_apart_there_are_as_many_games_as_known() {
    let counts: Vec<u64> = (1..=5).map(|depth| Plain::new().perft_told_apart(depth)).collect();
    assert_eq!(counts, [7, 126, 2310, 52836, 1458450]);
}

#[test]
fn random_games_agree_with_plain_piles() {
    let mut ends = HashMap::new();
    for seed in 0..120 {
        let mut rng = stream(seed, "kaalu", 0);
        let mut game = after("");
        let mut plain = Plain::new();
        let mut end = None;
        let mut played: Vec<PlainAction> = Vec::new();
        while end.is_none() && played.len() < 400 {
            let actions = plain.actions(&plain.nameable());
            let mut expected: Vec<String> = actions.iter().map(|&action| plain.text(action)).collect();
            expected.sort();
            assert_eq!(legal(&game), expected, "{}", AnyMatch::history(&game, Viewer::Referee));
            let mut action = actions[index(&mut rng, actions.len())];
            // Some games go to and fro, so that positions come again.
            let before = played.len().checked_sub(2).map(|ply| played[ply]);
            if let (Some(PlainAction::Move { from, to, own, neutral }), 0..3) = (before, index(&mut rng, 4)) {
                let back = PlainAction::Move { from: to, to: from, own, neutral };
                action = if seed % 2 == 0 && actions.contains(&back) { back } else { action };
            }
            let (text, seat) = (plain.text(action), plain.seat);
            end = plain.play(action);
            assert_eq!(game.play_text(seat, &text).unwrap(), text);
            assert_eq!(game.end_reason(), end, "{}", AnyMatch::history(&game, Viewer::Referee));
            played.push(action);
        }
        let winner = plain.winner().map_or([0.0, 0.0], |winner| if winner == 0 { [1.0, -1.0] } else { [-1.0, 1.0] });
        assert_eq!(game.payoffs().as_slice(), winner);
        *ends.entry(end.unwrap_or("none")).or_insert(0) += 1;
    }
    assert!(ends["primacy"] > 10 && ends["repetition"] > 10, "{ends:?}");
}

#[test]
fn the_sketch_shows_stones_letters_and_primacy() {
    let expected = "\
a  NNNBBBBWW  black
b  NNNBBWWW   black
c  NNNBBWW    neutral
d  NNNBBWW    neutral
e  NNNBBWW    neutral
f  NNNBBWW    neutral
g  NNNBBWW    neutral
Black: stock 5, piles 2 of 4
White: stock 6, piles 2 of 4
";
    let sketch = after("a b a").sketch(Viewer::Spectator).to_string();
    assert_eq!(sketch, expected.replace("White: stock 6, piles 2", "White: stock 6, piles 0"));
}

#[test]
fn the_picture_shows_every_stone_and_whose_each_pile_is() {
    let game = after("a b a");
    let picture = game.picture(Viewer::Spectator);
    let board = &picture.areas[0];
    let of_pile = |id: &str, kind| board.pieces.iter().filter(|piece| piece.cell == id && piece.kind == kind).count();
    assert_eq!((of_pile("pile:0", PieceKind::Slab), of_pile("pile:1", PieceKind::Slab)), (9, 8));
    let crown = board.pieces.iter().find(|piece| piece.kind == PieceKind::King).unwrap();
    assert_eq!((crown.cell.as_str(), crown.tone), ("pile:0", Tone::Seat(0)));
    let labels: Vec<&str> = board.cells.iter().map(|cell| cell.label.as_deref().unwrap()).collect();
    assert_eq!(labels[0], "pile a: 3 neutral, 4 black, 2 white; black primacy");
    assert_eq!(labels[6], "pile g, untouched: 3 neutral, 2 black, 2 white; neutral primacy");
    let counters: Vec<&str> = picture.counters.iter().map(|counter| counter.value.as_str()).collect();
    assert_eq!(counters, ["2 of 4", "5", "0 of 4", "6"]);
    let names: Vec<&str> = board.texts.iter().map(|text| text.text.as_str()).filter(|text| text.len() == 1).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g"]);
    // How many stones to take is chosen at the pile that they are taken from.
    let path = Kaalu.path(game.state(), 1, Action::Move { from: 6, to: 0, own: 1, neutral: 0 });
    assert_eq!(path, ["pile:6", "own:6:1", "neutral:6:0", "pile:0"]);
    for choice in board.cells.iter().filter(|cell| cell.id.starts_with("own:6") || cell.id.starts_with("neutral:6")) {
        let pile = board.cells.iter().find(|cell| cell.id == "pile:6").unwrap();
        assert!(choice.passing && (choice.x - pile.x).abs() < 0.8, "{choice:?}");
        assert!(choice.x > 0.3 && choice.x < board.width - 0.3 && choice.y > 0.3, "{choice:?}");
    }
    for area in &picture.areas {
        for piece in &area.pieces {
            let cell = area.cells.iter().find(|cell| cell.id == piece.cell).unwrap();
            let y = cell.y + piece.dy;
            assert!((0.1..area.height - 0.1).contains(&y), "{piece:?}");
        }
    }
}

#[test]
fn stones_are_touched_pile_by_pile() {
    let game = after("a b a");
    let touches = AnyMatch::touches(&game, 1);
    let path = |text: &str| touches.iter().find(|touch| touch.action == text).unwrap().path.clone();
    assert_eq!(path("c"), ["stock:1", "pile:2"]);
    assert_eq!(path("a1/1b"), ["pile:0", "own:0:1", "neutral:0:1", "pile:1"]);
    let touched = path("a1/1b");
    let captions: Vec<String> = (1..4).map(|n| AnyMatch::caption(&game, 1, &touched[..n]).unwrap()).collect();
    assert_eq!(captions[0], "from a: how many white and how many neutral stones?");
    assert_eq!(captions[1], "from a, 1 white: and how many neutral stones?");
    assert_eq!(captions[2], "from a, 1 white and 1 neutral: to which pile?");
    // The other way round.
    assert!(AnyMatch::any_order(&game, &touched[1]) && AnyMatch::any_order(&game, &touched[2]));
    assert!(!AnyMatch::any_order(&game, &touched[0]));
    let turned = [touched[0].clone(), touched[2].clone(), touched[1].clone()];
    let captions: Vec<String> = (2..4).map(|n| AnyMatch::caption(&game, 1, &turned[..n]).unwrap()).collect();
    assert_eq!(captions[0], "from a, 1 neutral: and how many white stones?");
    assert_eq!(captions[1], "from a, 1 white and 1 neutral: to which pile?");
}
