//! How each game says that it is over, and who has won.

use std::collections::BTreeSet;
use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::random::stream;
use raichi_core::resignation::RESIGNED;
use raichi_core::verdict::{Names, UNKNOWN, sentence};
use raichi_core::{Match, PathGame, Phase, Seat};

/// The sentence for the person who holds the seat `you`, or for somebody who looks on.
fn said(spec: &str, history: &str, people: &[Option<&str>], you: Option<Seat>) -> String {
    let game = raichi_games::game(spec).unwrap();
    let mut current = match history.split_once('|') {
        Some((position, _)) => game.match_at(position.trim()).unwrap(),
        None => game.new_match(),
    };
    current.play_history(history.split_once('|').map_or(history, |(_, history)| history).trim()).unwrap();
    let end = current.end_reason().unwrap_or_else(|| panic!("{spec} is not over after {history}"));
    let names = Names::of(&*game).with_people(people).spoken_to(you);
    sentence(&*current, &names, &current.payoffs(), end)
}

const DRAWN: &str = "A draw: the board is full.";

#[test]
fn the_winner_and_the_loser_and_whoever_looks_on_are_told() {
    // The game, a history (behind a position, if it does not begin at the start), the sentence for seat 0, for seat 1
    // and for somebody who looks on.
    for (spec, history, to_0, to_1, to_all) in [
        (
            "tic-tac-toe",
            "a1 a2 b1 b2 c1",
            "You win: three in a row.",
            "X wins: three in a row.",
            "X wins: three in a row.",
        ),
        ("tic-tac-toe", "XOX/XOO/OX1 0 | c3", DRAWN, DRAWN, DRAWN),
        (
            "connect-four",
            "1 2 1 2 1 2 1",
            "You win: four in a row.",
            "Yellow wins: four in a row.",
            "Yellow wins: four in a row.",
        ),
        (
            "tablut",
            "9/4K4/9/9/9/9/9/9/M8 0 | a1-a2 e8-e9",
            "The Swedes win: their king escaped.",
            "You win: your king escaped.",
            "The Swedes win: their king escaped.",
        ),
        (
            "tablut",
            "2M6/1MK6/2MM5/9/9/9/9/9/9 0 | d7-d8",
            "You win: the Swedes' king is captured.",
            "The Muscovites win: your king is captured.",
            "The Muscovites win: the Swedes' king is captured.",
        ),
        (
            "hex:size=2",
            "a1 b1 a2",
            "You win: the top and the bottom are joined.",
            "Black wins: the top and the bottom are joined.",
            "Black wins: the top and the bottom are joined.",
        ),
        (
            "nim:sizes=1/1,misere=true",
            "a1 b1",
            "You win: White had to take the last stick.",
            "Black wins: you had to take the last stick.",
            "Black wins: White had to take the last stick.",
        ),
        (
            "sim",
            "1-2 1-4 2-3 2-5 1-3",
            "White wins: you completed a triangle.",
            "You win: Black completed a triangle.",
            "White wins: Black completed a triangle.",
        ),
        (
            "french-military",
            "1-4 5-1 4-7 1-5 A-1 5-4 3-5",
            "You win: Black is pinned.",
            "White wins: you are pinned.",
            "White wins: Black is pinned.",
        ),
        (
            "focus:rule=none",
            "4/6/8/3,B,4/3,R,4/8/6/4 0 reserves=0/0 | d4-d5",
            "You win: Black cannot move.",
            "Red wins: you cannot move.",
            "Red wins: Black cannot move.",
        ),
        (
            "french-military:max-plies=1",
            "1-4",
            "A draw: the limit of 1 ply is reached.",
            "A draw: the limit of 1 ply is reached.",
            "A draw: the limit of 1 ply is reached.",
        ),
    ] {
        let to = |you| said(spec, history, &[None, None], you);
        assert_eq!([to(Some(0)), to(Some(1)), to(None)], [to_0, to_1, to_all], "{spec} {history}");
    }
}

#[test]
fn people_are_called_by_their_names() {
    let said = |people: [Option<&str>; 2], you| said("nim:sizes=1", "a1", &people, you);
    assert_eq!(said([Some("Ann"), None], None), "Ann wins by taking the last stick.");
    assert_eq!(said([Some("Ann"), None], Some(0)), "You win by taking the last stick.");
    assert_eq!(said([Some("Ann"), Some("Ann")], None), "Black wins by taking the last stick.");
}

#[test]
fn whoever_plays_alone_is_told_what_it_came_to() {
    assert_eq!(said("rubiks-cube", "R U2 F' | F U2 R'", &[None], Some(0)), "Solved in 3 twists.");
    assert_eq!(
        said("rubiks-cube:limit=1", "R U2 F' | F", &[None], Some(0)),
        "Not solved in 1 twist, which is the limit."
    );
    let alone = |spec: &str, you| {
        let game = raichi_games::game(spec).unwrap();
        let current = game.new_match();
        sentence(&*current, &Names::of(&*game).spoken_to(you), &current.payoffs(), RESIGNED)
    };
    assert_eq!(alone("2048", Some(0)), "You scored 0 and stopped.");
    assert_eq!(alone("2048", None), "The player scored 0 and stopped.");
    assert_eq!(alone("rubiks-cube", Some(0)), "Given up after 0 twists.");
    assert_eq!(alone("blackjack:players=1", Some(0)), "You came out even: you resigned.");
}

/// Small rules, so that random games come to every end that there is.
const SPECS: &[&str] = &[
    "2048:size=2",
    "al-jabar",
    "al-jabar:max-rounds=2",
    "black:rows=2,columns=2",
    "black",
    "blackjack:rounds=1",
    "blackjack:players=1,chips=10,bets=10",
    "blackjack:players=2,chips=10,bets=10",
    "connect-four:width=4,height=4",
    "focus",
    "french-military",
    "hex:size=3",
    "jabirs-transmutations",
    "jabirs-transmutations:max-rounds=2",
    "kaalu",
    "kuhn-poker",
    "leduc-poker",
    "nim:sizes=1/2,misere=true",
    "nim:sizes=1/2",
    "nim3p:sizes=1/2",
    "othello:size=4",
    "poker",
    "poker:rounds=1",
    "rubiks-cube:size=2,scramble=1,limit=2",
    "sim:nodes=4",
    "sim:nodes=4,players=3",
    "sim:players=3,coalition=1-2",
    "tablut",
    "tic-tac-toe",
    "yavalath:size=3",
    "yavalath:size=3,players=3",
];

/// Ends that no play leads to, or that random play does not come to.
const NOT_REACHED: &[(&str, &str)] = &[
    ("french-military", "pinned"),
    ("french-military", "stuck"),
    ("tablut", "stuck"),
    ("focus", "stuck"),
    ("kaalu", "stuck"),
];

/// The sentences with which random games end for seat 0, each with its reason.
struct Said(&'static str);

impl GameVisitor for Said {
    type Output = BTreeSet<(&'static str, &'static str, String)>;

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) -> Self::Output {
        let mut said = BTreeSet::new();
        for seed in 0..60 {
            let mut rng = stream(seed, self.0, 0);
            let mut current = Match::of(Arc::clone(game));
            while current.phase() != Phase::Over && current.n_plies() < 2000 {
                match current.phase() {
                    Phase::Act(seats) => current.play_random(seats.first(), &mut Vec::new(), &mut rng).unwrap(),
                    _ => current.sample_outcome(&mut rng).unwrap(),
                }
            }
            if let Some(end) = current.end_reason() {
                let names = Names::called((0..game.facts().n_seats).map(|seat| game.seat_called(seat)));
                let text = sentence(&current, &names.spoken_to(Some(0)), &current.payoffs(), end);
                assert!(!text.contains(UNKNOWN), "{}: `{end}` has no words", self.0);
                said.insert((G::ID, end, text));
            }
        }
        let reached = |end: &&&str| !NOT_REACHED.contains(&(G::ID, **end));
        said.extend(G::END_REASONS.iter().filter(reached).map(|end| (G::ID, *end, String::new())));
        said
    }
}

#[test]
fn random_games_come_to_every_end_and_each_has_words() {
    let said: BTreeSet<_> =
        SPECS.iter().flat_map(|spec| raichi_games::visit(spec, Said(spec)).expect("the spec is right")).collect();
    // Of each reason the empty text that stands for it, and at least one sentence.
    let has_sentence =
        |id: &str, end: &str| said.iter().any(|(of, with, text)| *of == id && *with == end && !text.is_empty());
    let missing: Vec<_> = said
        .iter()
        .filter(|(id, end, text)| text.is_empty() && !has_sentence(id, end))
        .map(|(id, end, _)| (id, end))
        .collect();
    assert!(missing.is_empty(), "no random game ends so: {missing:?}");
    for entry in raichi_games::REGISTRY {
        assert!(said.iter().any(|(id, _, _)| *id == entry.id), "{} has no sentence", entry.id);
    }
}
