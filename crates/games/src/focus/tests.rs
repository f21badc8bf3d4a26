//! The rule book, clause by clause. Positions are listed, `c3 RBB, d4 B`, each pile from its top.

use std::collections::{BTreeMap, HashMap, HashSet};

use raichi_core::encoding::Encoding;
use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::path::PathRules as _;
use raichi_core::picture::{AreaKind, PieceKind, Scene, Tone, View};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{Match, PathGame, PathState, Viewer};

use super::board::{BOARD, Cell, cell, each, map_cell};
use super::notation::{parse, text};
use super::pile::Pile;
use super::rules::{Action, Focus, MOST_QUIET_PLIES, Rule, State};

const FOCUS: Focus = Focus { rule: Rule::None };

fn pile(pieces: &str) -> Pile {
    let seat = |piece| "RB".find(piece).expect("a piece is R or B");
    pieces.chars().rev().fold(Pile::EMPTY, |pile, piece| pile.put(Pile::single(seat(piece))).0)
}

fn position(listed: &str, reserves: [u8; 2], to_act: u8) -> State {
    let mut piles = [Pile::EMPTY; 64];
    for entry in listed.split(", ").filter(|entry| !entry.is_empty()) {
        let (at, pieces) = entry.split_once(' ').expect("a cell and its pieces");
        piles[usize::from(parse(at).expect("a cell of the board"))] = pile(pieces);
    }
    State::new(piles, reserves, to_act, 0)
}

fn pieces(state: &State, at: Cell) -> String {
    state.pile(at).pieces().map(|seat| ['R', 'B'][seat]).collect()
}

fn listed(state: &State) -> String {
    let piles = each(BOARD).filter(|&at| state.pile(at) != Pile::EMPTY);
    piles.map(|at| format!("{} {}", text(at), pieces(state, at))).collect::<Vec<_>>().join(", ")
}

fn action(text: &str) -> Action {
    let game = Focus::new(Rule::Exchange);
    game.parse_action(&game.initial_state(), 0, text).expect("the test's actions are well-formed")
}

#[track_caller]
fn after_in(game: Focus, state: &State, history: &str) -> State {
    let mut state = *state;
    for text in history.split_whitespace() {
        let seat = state.to_act.into();
        assert_eq!(game.phase(&state), Phase::seat(seat), "before {text}");
        assert!(game.is_legal(&state, seat, action(text)), "{text}: {}", game.why_illegal(&state, seat, action(text)));
        game.apply(&mut state, seat, action(text));
    }
    state
}

#[track_caller]
fn after(state: &State, history: &str) -> State {
    after_in(FOCUS, state, history)
}

/// Plays on, counting occurrences and quiet plies.
#[track_caller]
fn on(game: Focus, mut state: PathState<Focus>, history: &str) -> PathState<Focus> {
    let game = PathGame::new(game, 0);
    for text in history.split_whitespace() {
        let seat = state.to_act.into();
        assert_eq!(game.phase(&state), Phase::seat(seat), "before {text}");
        assert!(game.is_legal(&state, seat, action(text)), "{text}: {}", game.why_illegal(&state, seat, action(text)));
        game.apply(&mut state, seat, action(text));
    }
    state
}

fn from(state: &State) -> PathState<Focus> {
    PathGame::new(FOCUS, 0).state_at(*state)
}

fn end_of(game: Focus, state: &PathState<Focus>) -> Option<&'static str> {
    let game = PathGame::new(game, 0);
    (game.phase(state) == Phase::Over).then(|| game.end_reason(state))
}

// The enemy pieces that each seat has captured on the way from one position to the other.
fn captured(before: &State, after: &State) -> [u16; 2] {
    [1, 0].map(|foe| before.n_pieces_of(foe) - after.n_pieces_of(foe))
}

fn legal(game: Focus, state: &State) -> Vec<String> {
    let seat = state.to_act.into();
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let mut texts: Vec<String> = actions.iter().map(|&action| game.action_text(state, seat, action)).collect();
    texts.sort();
    texts
}

fn moves_from(state: &State, at: &str) -> Vec<String> {
    legal(FOCUS, state).into_iter().filter(|text| text.starts_with(&format!("{at}-"))).collect()
}

fn game_of(spec: &str) -> Match<Focus> {
    Match::new(create::<Focus>(spec.split_once(':').map(|(_, params)| params)).expect("the test's spec is right"))
}

#[test]
fn the_pieces_stand_as_in_gardners_figure() {
    let drawing = "8              .     .     .     .
7        R     R     B     B     R     R
6  .     B     B     R     R     B     B     .
5  .     R     R     B     B     R     R     .
4  .     B     B     R     R     B     B     .
3  .     R     R     B     B     R     R     .
2        B     B     R     R     B     B
1              .     .     .     .
   a     b     c     d     e     f     g     h
Red: 0 in reserve, 0 captured
Black: 0 in reserve, 0 captured
";
    assert_eq!(FOCUS.sketch(&Scene::of(&FOCUS.initial_state()), Viewer::Spectator).to_string(), drawing);
    let cells: Vec<Cell> = each(BOARD).collect();
    assert_eq!(cells.len(), 52);
    assert!(cells.iter().all(|&at| parse(&text(at)) == Some(at)));
    for corner in ["a1", "b1", "g1", "h1", "a2", "h2", "a7", "h7", "a8", "b8", "g8", "h8", "i3", "c9", "c0", ""] {
        assert_eq!(parse(corner), None, "{corner}");
    }
}

#[test]
fn gardners_piece_has_four_moves_at_the_start() {
    // His is a piece of the far side: up is empty, right an own one, left and down an enemy's.
    let black = after(&FOCUS.initial_state(), "b3-a3");
    assert_eq!(moves_from(&black, "d7"), ["d7-c7", "d7-d6", "d7-d8", "d7-e7"]);
    for (history, changed, from) in
        [("d7-d8", "B", "d8"), ("d7-e7", "BB", "e7"), ("d7-c7", "BR", "c7"), ("d7-d6", "BR", "d6")]
    {
        let state = after(&black, history);
        assert_eq!(pieces(&state, parse(from).unwrap()), changed, "{history}");
        assert_eq!(pieces(&state, parse("d7").unwrap()), "", "{history}");
    }
    // Red's on e2 has the same four, half a turn of the board away.
    let red = FOCUS.initial_state();
    assert_eq!(moves_from(&red, "e2"), ["e2-d2", "e2-e1", "e2-e3", "e2-f2"]);
    let piles = ["e2-e1", "e2-d2", "e2-f2", "e2-e3"].map(|text| pieces(&after(&red, text), parse(&text[3..]).unwrap()));
    assert_eq!(piles, ["R", "RR", "RB", "RB"]);
}

#[test]
fn a_pile_of_two_moves_two_cells_or_its_top_moves_one() {
    let state = position("d4 RB, e4 B, d5 RR", [0; 2], 0);
    assert_eq!(moves_from(&state, "d4"), ["d4-b4", "d4-c4", "d4-d2", "d4-d3", "d4-d5", "d4-d6", "d4-e4", "d4-f4"]);
    // Both over the black piece on e4, or the top one alone onto it: the pile left behind is Black's then.
    assert_eq!(listed(&after(&state, "d4-f4")), "e4 B, f4 RB, d5 RR");
    let split = after(&state, "d4-e4");
    assert_eq!(listed(&split), "d4 B, e4 RB, d5 RR");
    assert_eq!(legal(FOCUS, &split), ["d4-c4", "d4-d3", "d4-d5", "d4-e4"]);
}

#[test]
fn tall_piles_go_as_far_as_they_are_high_and_never_off_the_board() {
    let state = position("c3 RBBRB, c5 B", [0; 2], 0);
    let expected = [
        "c3-a3", "c3-b3", "c3-c1", "c3-c2", "c3-c4", "c3-c5", "c3-c6", "c3-c7", "c3-c8", "c3-d3", "c3-e3", "c3-f3",
        "c3-g3", "c3-h3",
    ];
    assert_eq!(moves_from(&state, "c3"), expected);
    // As many pieces as cells, from the top.
    assert_eq!(listed(&after(&state, "c3-f3")), "c3 RB, f3 RBB, c5 B");
    assert_eq!(listed(&after(&state, "c3-c8")), "c5 B, c8 RBBRB");
    let three = position("c3 RBB, f6 B", [0; 2], 0);
    for (text, why) in [
        ("c3-g3", "a pile goes at most as far as it is high, and that on c3 is 3 high"),
        ("c3-d4", "piles move along a row or a column, and c3 and d4 share neither or are the same cell"),
        ("c3-c3", "piles move along a row or a column, and c3 and c3 share neither or are the same cell"),
        ("f6-f5", "no pile of yours stands on f6"),
        ("d3-d4", "no pile of yours stands on d3"),
        ("*d3", "you have no piece in reserve"),
        ("c3:f6", "both exchanges have been made"),
    ] {
        assert!(!FOCUS.is_legal(&three, 0, action(text)), "{text}");
        assert_eq!(FOCUS.why_illegal(&three, 0, action(text)), why);
    }
}

#[test]
fn what_is_above_five_leaves_from_the_bottom() {
    // Seven: the two lowest go, a red one into reserve and a black one captured.
    let before = position("e3 RB, e5 BRRBR, a3 B", [0; 2], 0);
    let state = after(&before, "e3-e5");
    assert_eq!(listed(&state), "a3 B, e5 RBBRR");
    assert_eq!((state.reserves, captured(&before, &state)), ([1, 0], [1, 0]));
    // Five on five: all that stood there go.
    let before = position("b5 BBRRB, g5 RRBRB, a3 R", [0; 2], 1);
    let state = after(&before, "b5-g5");
    assert_eq!(listed(&state), "a3 R, g5 BBRRB");
    assert_eq!((state.reserves, captured(&before, &state)), ([0, 2], [0, 3]));
    // Exactly five stay.
    let before = position("e3 RB, e5 BRB, a3 B", [0; 2], 0);
    let state = after(&before, "e3-e5");
    assert_eq!((listed(&state).as_str(), captured(&before, &state)), ("a3 B, e5 RBBRB", [0, 0]));
}

#[test]
fn a_reserve_goes_on_any_cell_instead_of_a_move() {
    let state = position("d4 BRBRB, e4 R", [2, 1], 0);
    let texts = legal(FOCUS, &state);
    assert_eq!((texts.len(), texts.iter().filter(|text| text.starts_with('*')).count()), (56, 52));
    let empty = after(&state, "*f1");
    assert_eq!((listed(&empty).as_str(), empty.reserves, empty.to_act), ("f1 R, d4 BRBRB, e4 R", [1, 1], 1));
    // On a pile of five it has the effect of a move.
    let full = after(&state, "*d4");
    assert_eq!((listed(&full).as_str(), full.reserves), ("d4 RBRBR, e4 R", [1, 1]));
    assert_eq!(captured(&state, &full), [1, 0]);
    // An own piece at the bottom comes back at once.
    let before = position("d4 BRBRR, e4 R", [2, 1], 0);
    let own = after(&before, "*d4");
    assert_eq!((listed(&own).as_str(), own.reserves, captured(&before, &own)), ("d4 RBRBR, e4 R", [2, 1], [0, 0]));
}

#[test]
fn who_has_neither_pile_nor_reserve_loses() {
    let black = after(&position("d4 R, d5 B", [0; 2], 0), "d4-d5");
    assert_eq!((FOCUS.phase(&black), FOCUS.end_reason(&black)), (Phase::Over, "stuck"));
    assert_eq!(FOCUS.payoffs(&black).as_slice(), [1.0, -1.0]);
    let red = after(&position("d4 R, d5 B", [0; 2], 1), "d5-d4");
    assert_eq!((red.is_stuck(), FOCUS.payoffs(&red).as_slice()), (true, [-1.0, 1.0].as_slice()));
    assert_eq!(Focus::new(Rule::DrawWins).payoffs(&red).as_slice(), [-1.0, 1.0]);
    // A reserve is enough to go on.
    let reserve = after(&position("d4 R, d5 B", [0, 1], 0), "d4-d5");
    assert_eq!((reserve.is_stuck(), legal(FOCUS, &reserve).len()), (false, 52));
    // So is giving up one's last pile, until the other has taken it.
    let uncovered = after(&position("d4 R, d5 BR", [0; 2], 1), "d5-d6");
    assert_eq!((uncovered.is_stuck(), listed(&uncovered).as_str()), (false, "d4 R, d5 R, d6 B"));
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = Match::new(FOCUS);
    game.play_history("b3-a3 g6-h6 a3-b3 h6-g6 b3-a3 g6-h6 a3-b3").unwrap();
    assert_eq!((game.end_reason(), game.state().occurrences()), (None, 2));
    game.play_history("h6-g6").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("repetition"), [0.0, 0.0].as_slice()));
    let picture = |rule| {
        let mut game = Match::new(Focus::new(rule));
        game.play_history("b3-a3 g6-h6 a3-b3 h6-g6").unwrap();
        game.picture(Viewer::Spectator).notes
    };
    assert_eq!(picture(Rule::None), ["This position has come for the second time; the third is a draw."]);
    assert_eq!(
        picture(Rule::DrawWins),
        ["This position has come for the second time; the third wins the game for Red."]
    );
}

#[test]
fn whose_turn_it_is_is_part_of_a_position() {
    // A reserve on five of one's own changes nothing, so a position comes again after two plies.
    let start = from(&position("c3 RRRRR, f6 BBBBB", [1, 1], 0));
    let again = on(FOCUS, start, "*c3 *f6 *c3");
    assert_eq!((end_of(FOCUS, &again), again.occurrences()), (None, 2));
    assert_eq!(end_of(FOCUS, &on(FOCUS, again, "*f6")), Some("repetition"));
    // Here the same piles stand for the third time, but once it was Black's turn.
    let shifted = on(FOCUS, from(&position("c3 RRRRR, f6 B", [1, 0], 0)), "*c3 f6-f5 *c3 f5-f6");
    assert_eq!((end_of(FOCUS, &shifted), shifted.occurrences()), (None, 2));
}

#[test]
fn after_a_capture_the_counting_begins_anew() {
    let before = from(&position("c3 RB, c5 BBBBB, f6 B", [0; 2], 1));
    let state = on(FOCUS, before.clone(), "f6-f7 c3-c5");
    assert_eq!((captured(&before, &state), state.occurrences()), ([2, 0], 1));
    assert_ne!(FOCUS.stage(&before), FOCUS.stage(&state));
    let round = "f7-f6 c5-d5 f6-f7 d5-c5";
    let twice = on(FOCUS, state, round);
    assert_eq!((end_of(FOCUS, &twice), twice.occurrences()), (None, 2));
    assert_eq!(end_of(FOCUS, &on(FOCUS, twice, round)), Some("repetition"));
}

// A state one ply before a hundred without progress, in which no position has come three times.
fn nearly_drawn(game: Focus, start: &State) -> PathState<Focus> {
    let mut rng = stream(1, "quiet", 0);
    let game = PathGame::new(game, 0);
    let mut state = game.state_at(*start);
    while state.n_quiet() < MOST_QUIET_PLIES - 1 {
        let seat = state.to_act.into();
        let next = game.random_action(&state, seat, &mut Vec::new(), &mut rng);
        let mut tried = state.clone();
        game.apply(&mut tried, seat, next);
        if tried.n_quiet() == state.n_quiet() + 1 && tried.occurrences() == 1 && !tried.is_stuck() {
            state = tried;
        }
    }
    state
}

#[test]
fn a_hundred_plies_without_progress_are_a_draw() {
    for (rule, payoffs) in [(Rule::None, [0.0, 0.0]), (Rule::DrawWins, [1.0, -1.0])] {
        let game = Focus::new(rule);
        let state = nearly_drawn(game, &position("c3 RB, f6 BR, d4 RRRRR, e5 BBBBB", [1, 1], 1));
        assert_eq!((end_of(game, &state), state.n_quiet()), (None, 99));
        let all = legal(game, &state).into_iter().map(|text| on(game, state.clone(), &text));
        let (drawn, on): (Vec<_>, Vec<_>) = all.partition(|next| end_of(game, next) == Some("no-progress"));
        assert!(drawn.iter().all(|next| next.n_quiet() == 100));
        assert!(drawn.iter().all(|next| PathGame::new(game, 0).payoffs(next).as_slice() == payoffs));
        // A reserve is progress.
        assert!(!drawn.is_empty() && on.len() >= 52 && on.iter().all(|next| next.n_quiet() == 0));
    }
    // So is a piece that leaves the board, one's own too.
    let start = from(&position("d4 RRRRR, d5 R, e5 B", [0; 2], 0));
    let quiet = on(FOCUS, start, "d5-d6 e5-f5 d6-d5 f5-e5");
    let own = on(FOCUS, quiet.clone(), "d5-d4");
    assert_eq!((quiet.n_quiet(), own.n_quiet(), own.reserves), (4, 0, [1, 0]));
}

#[test]
fn a_game_is_lost_rather_than_drawn() {
    // Two single pieces walk about; now and then one can step on the other on the hundredth quiet ply.
    let mut rng = stream(2, "lost", 0);
    let game = PathGame::new(FOCUS, 0);
    let mut lost = 0;
    for _ in 0..100 {
        let state = nearly_drawn_apart(&game, &mut rng);
        for text in legal(FOCUS, &state) {
            let next = on(FOCUS, state.clone(), &text);
            assert_eq!(next.n_quiet(), MOST_QUIET_PLIES);
            let end = match next.occurrences() {
                _ if next.is_stuck() => "stuck",
                3 => "repetition",
                _ => "no-progress",
            };
            assert_eq!(end_of(FOCUS, &next), Some(end));
            lost += usize::from(next.is_stuck());
        }
    }
    assert!(lost > 0, "the two never met");
}

// One red and one black piece that have kept apart for 99 plies; no position has come three times.
fn nearly_drawn_apart(game: &PathGame<Focus>, rng: &mut FastRng) -> PathState<Focus> {
    loop {
        let mut state = game.state_at(position("b3 R, g6 B", [0; 2], 0));
        while game.phase(&state) != Phase::Over {
            if state.n_quiet() == MOST_QUIET_PLIES - 1 {
                return state;
            }
            let seat = state.to_act.into();
            let next = game.random_action(&state, seat, &mut Vec::new(), rng);
            game.apply(&mut state, seat, next);
        }
    }
}

#[test]
fn every_draw_is_the_first_players_under_draw_wins() {
    let shuffle = "b3-a3 g6-h6 a3-b3 h6-g6 b3-a3 g6-h6 a3-b3 h6-g6";
    for (spec, payoffs) in
        [("focus:rule=none", [0.0, 0.0]), ("focus:rule=draw-wins", [1.0, -1.0]), ("focus", [0.0, 0.0])]
    {
        let mut game = game_of(spec);
        let exchanges = if spec == "focus" { "c3:d3 c2:e4 " } else { "" };
        game.play_history(&format!("{exchanges}{shuffle}")).unwrap();
        assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("repetition"), payoffs.as_slice()), "{spec}");
        let separator = if spec.contains(':') { "," } else { ":" };
        let mut game = game_of(&format!("{spec}{separator}max-plies=2"));
        game.play_history(if exchanges.is_empty() { "b3-a3 g6-h6" } else { exchanges }).unwrap();
        assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), payoffs.as_slice()), "{spec}");
    }
    // The game's own reason is given before the cap.
    let mut game = game_of("focus:rule=draw-wins,max-plies=8");
    game.play_history(shuffle).unwrap();
    assert_eq!(game.end_reason(), Some("repetition"));
}

#[test]
fn both_exchange_two_pieces_before_red_moves() {
    let game = Focus::new(Rule::Exchange);
    let start = game.initial_state();
    assert_eq!(legal(game, &start).len(), 18 * 18);
    let once = after_in(game, &start, "b3:d3");
    assert_eq!((pieces(&once, parse("b3").unwrap()), pieces(&once, parse("d3").unwrap())), ("B".into(), "R".into()));
    assert_eq!(game.phase(&once), Phase::seat(1));
    let twice = after_in(game, &once, "b2:e4");
    assert_eq!((game.phase(&twice), legal(game, &twice).len() > 60), (Phase::seat(0), true));
    for (state, seat, text, why) in [
        (&start, 0, "b3-a3", "an exchange such as c3:d3 has to be chosen first"),
        (&start, 0, "*a3", "an exchange such as c3:d3 has to be chosen first"),
        (&start, 0, "d3:b3", "the piece on d3 is not yours"),
        (&start, 0, "b3:c3", "no enemy piece stands on c3"),
        (&start, 0, "b3:a3", "no enemy piece stands on a3"),
        (&once, 1, "b4:c4", "no enemy piece stands on c4"),
        (&twice, 0, "b5:d5", "both exchanges have been made"),
    ] {
        assert!(!game.is_legal(state, seat, action(text)), "{text}");
        assert_eq!(game.why_illegal(state, seat, action(text)), why);
    }
    let notes = |state| game.picture(&Scene::of(state), Viewer::Spectator).notes;
    assert_eq!(notes(&start), ["Red has one of its pieces change places with one of Black's."]);
    assert_eq!(notes(&once), ["Black has one of its pieces change places with one of Red's."]);
    assert!(notes(&twice).is_empty());
}

// Whether half a turn of the board changes the position into itself with the colours exchanged, cell by cell.
fn is_antisymmetric(state: &State) -> bool {
    each(BOARD).all(|at| {
        let other: Vec<usize> = state.pile(63 - at).pieces().map(|seat| 1 - seat).collect();
        state.pile(at).pieces().eq(other)
    })
}

#[test]
fn the_second_exchange_may_not_restore_any_half_turn_symmetry() {
    let game = Focus::new(Rule::Exchange);
    let start = game.initial_state();
    assert!(is_antisymmetric(&start));
    let mut n_barred = 0;
    for first in legal(game, &start) {
        let once = after_in(game, &start, &first);
        let allowed: HashSet<String> = legal(game, &once).into_iter().collect();
        let unrestricted = Focus::new(Rule::Exchange);
        for own in each(once.owned[1]) {
            for foe in each(once.owned[0]) {
                let second = Action::Exchange { own, foe };
                let mut piles = once.piles;
                piles.swap(own.into(), foe.into());
                let twice = State::new(piles, once.reserves, 0, 0);
                let barred = is_antisymmetric(&twice);
                n_barred += usize::from(barred);
                assert_eq!(
                    allowed.contains(&unrestricted.action_text(&once, 1, second)),
                    !barred,
                    "{first} {second:?}"
                );
            }
        }
    }
    assert_eq!(n_barred, 324 * 324 - 103_428);
    // Taking the exchange back is barred, and so is its image under the half turn.
    let once = after_in(game, &start, "b3:d3");
    for text in ["b3:d3", "g6:e6"] {
        assert!(!game.is_legal(&once, 1, action(text)));
        assert!(game.why_illegal(&once, 1, action(text)).starts_with("after it half a turn"));
    }
}

#[test]
fn without_a_remedy_the_second_player_can_keep_the_symmetry() {
    for seed in 0..20 {
        let mut rng = stream(seed, "symmetry", 0);
        let mut state = FOCUS.initial_state();
        let mut n_plies = 0;
        while !state.is_stuck() && n_plies < 400 {
            n_plies += 2;
            let action = FOCUS.random_action(&state, 0, &mut Vec::new(), &mut rng);
            FOCUS.apply(&mut state, 0, action);
            if !state.is_stuck() {
                let reply = FOCUS.map_action(3, action);
                assert!(FOCUS.is_legal(&state, 1, reply));
                FOCUS.apply(&mut state, 1, reply);
                assert!(is_antisymmetric(&state));
            }
        }
        assert!(FOCUS.payoffs(&state)[1] >= 0.0);
    }
}

#[test]
fn exchanges_are_no_quiet_plies_and_begin_the_counting() {
    let game = Focus::new(Rule::Exchange);
    let start = from(&game.initial_state());
    assert_eq!(on(game, start.clone(), "b3:d3 b2:e4 c3-c4").n_quiet(), 1);
    assert_eq!(on(game, start, "b3:d3 b2:e4 b5-a5 g6-h6 a5-b5 h6-g6").occurrences(), 2);
}

#[test]
fn rules_have_names_and_texts_are_read() {
    for spec in ["focus", "focus:rule=draw-wins", "focus:rule=none"] {
        assert_eq!(crate::game(spec).map(|game| game.spec().to_string()).as_deref(), Ok(spec));
    }
    assert_eq!(crate::game("focus:rule=exchange").map(|game| game.spec().to_string()).as_deref(), Ok("focus"));
    let error = crate::game("focus:rule=pie").err().expect("no such rule").to_string();
    assert_eq!(error, "`rule=pie`: rule is one of none, draw-wins, exchange");
    let mut game = Match::new(FOCUS);
    let expected = "expected cells of the board in a move such as c3-c5 or a reserve such as *d4";
    for text in ["b3:d3", "b3", "b3-", "-b3", "*", "*a1", "a1-a2", "b3-b33", "b3-b4-b5", "~b3"] {
        let error = game.play_text(0, text).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    let error = Match::new(Focus::new(Rule::Exchange)).play_text(0, "b3/d3").unwrap_err().to_string();
    assert!(error.ends_with("a move such as c3-c5, an exchange such as c3:d3 or a reserve such as *d4"), "{error}");
    assert_eq!([0, 1].map(|seat| FOCUS.seat_name(seat)), ["Red", "Black"]);
}

#[test]
fn the_picture_shows_piles_from_the_side_and_reserves_in_trays() {
    let state = position("c3 RBB, d4 B", [7, 0], 0);
    let picture = FOCUS.picture(&Scene::of(&state), Viewer::Spectator);
    let board = &picture.areas[0];
    assert_eq!(board.cells.len(), 52);
    let pile: Vec<_> =
        board.pieces.iter().filter(|piece| piece.cell == "c3" && piece.kind == PieceKind::Slab).collect();
    let height = board.pieces.iter().find(|piece| piece.kind == PieceKind::Token).unwrap();
    assert_eq!((height.cell.as_str(), height.text.as_deref(), height.tone), ("c3", Some("3"), Tone::Seat(0)));
    let seen = pile.iter().map(|piece| (piece.kind, piece.tone)).collect::<Vec<_>>();
    let (red, black) = ((PieceKind::Slab, Tone::Seat(0)), (PieceKind::Slab, Tone::Seat(1)));
    assert_eq!(seen, [black, black, red], "drawn from the bottom");
    assert!(pile[0].dy > pile[1].dy && pile[1].dy > pile[2].dy, "y goes downward");
    let label = |id: &str| board.cells.iter().find(|cell| cell.id == id).unwrap().label.clone().unwrap();
    assert_eq!([label("c3"), label("d4"), label("e5")], ["c3, from the top Red, Black, Black", "d4, Black", "e5"]);
    let trays = &picture.areas[1..];
    assert!(trays.iter().all(|tray| tray.kind == AreaKind::Tray));
    assert_eq!(
        trays.iter().map(|tray| (tray.seat, tray.pieces.len())).collect::<Vec<_>>(),
        [(Some(0), 7), (Some(1), 0)]
    );
    assert_eq!(FOCUS.path(&state, 0, action("*e5")), ["reserve:0", "e5"]);
    assert_eq!(FOCUS.path(&state, 0, action("c3-e3")), ["c3", "e3"]);
    assert_eq!(Focus::new(Rule::Exchange).path(&state, 0, action("c3:d4")), ["c3", "d4"]);
}

#[test]
fn a_pile_has_room_in_its_cell_however_high() {
    let picture = FOCUS.picture(&Scene::of(&position("c3 RBBRR", [0, 11], 0)), Viewer::Spectator);
    let pile = picture.areas[0].pieces.iter().filter(|piece| piece.cell == "c3" && piece.kind == PieceKind::Slab);
    assert_eq!(pile.clone().count(), 5);
    assert!(pile.clone().all(|piece| piece.dy.abs() < 0.4), "{:?}", pile.collect::<Vec<_>>());
    let tray = &picture.areas[2];
    assert_eq!((tray.width, tray.pieces.len(), tray.texts.len()), (3.0, 11, 0));
    assert_eq!(picture.areas[1].texts[0].text, "none");
}

#[test]
fn a_half_made_choice_says_how_far_it_may_go() {
    let state = position("c3 RBB, d4 R", [1, 0], 0);
    let caption = |focus: &Focus, id: &str| focus.caption(&state, 0, &[id.to_string()]).unwrap();
    assert_eq!(caption(&FOCUS, "c3"), "from c3, 1 to 3 cells: as many pieces go along");
    assert_eq!(caption(&FOCUS, "d4"), "from d4, one cell");
    assert_eq!(caption(&FOCUS, "reserve:0"), "a piece from the reserve: onto which cell?");
    let exchange = Focus::new(Rule::Exchange);
    let caption = exchange.caption(&exchange.initial_state(), 0, &["b3".into()]);
    assert_eq!(caption.unwrap(), "b3 and which enemy piece?");
}

#[test]
fn symmetries_turn_and_mirror_the_board() {
    let map = |symmetry, at| text(map_cell(symmetry, parse(at).unwrap()));
    assert_eq!([map(1, "a3"), map(2, "a3"), map(4, "a3"), map(3, "a3")], ["h3", "a6", "c1", "h6"]);
}

#[test]
fn what_was_captured_is_what_is_missing() {
    let game = game_of("focus:rule=none");
    let count = |game: &Match<Focus>| {
        let counters = game.picture(Viewer::Spectator).counters;
        let of =
            |label: &str| counters.iter().filter(|c| c.label == label).map(|c| c.value.clone()).collect::<Vec<_>>();
        (of("captured"), of("plies without progress"))
    };
    assert_eq!(count(&game), (vec!["0".into(), "0".into()], vec!["0 of 100".into()]));
    let mut game = game;
    game.play_history("d6-e6 b6-c6 e4-e3 g4-h4 c5-b5 b4-b5 f5-e5 b5-e5").unwrap();
    assert_eq!(count(&game).1, ["8 of 100"]);
    game.play_history("e3-e5").unwrap();
    assert_eq!(count(&game), (vec!["1".into(), "0".into()], vec!["0 of 100".into()]));
}

#[test]
fn positions_are_rows_of_piles() {
    let exchange = Focus::new(Rule::Exchange);
    let start = "4/R,R,B,B,R,R/1,B,B,R,R,B,B,1/1,R,R,B,B,R,R,1/1,B,B,R,R,B,B,1/1,R,R,B,B,R,R,1/B,B,R,R,B,B/4";
    let text = |game: Focus, state: &State| game.position_text(state, Viewer::Spectator);
    assert_eq!(text(FOCUS, &FOCUS.initial_state()), format!("{start} 0 reserves=0/0"));
    assert_eq!(text(exchange, &exchange.initial_state()), format!("{start} 0 reserves=0/0 exchanges=2"));
    let once = after_in(exchange, &exchange.initial_state(), "b3:d3");
    assert_eq!(exchange.parse_position(&text(exchange, &once)).unwrap().state, once);
    assert!(text(exchange, &once).ends_with("1 reserves=0/0 exchanges=1"));
    let small = "4/6/8/8/8/2,RBB,1,B,3/6/4 1 reserves=1/12";
    let state = position("c3 RBB, e3 B", [1, 12], 1);
    assert_eq!(FOCUS.parse_position(small).unwrap().state, state);
    assert_eq!(text(FOCUS, &state), small);
    // Runs may be split; they are written as one. Both exchanges have been made here.
    assert_eq!(exchange.parse_position(&small.replacen("/6/", "/2,4/", 1)).unwrap().state, state);
    let nobody = FOCUS.parse_position("4/6/8/8/8/2,BR,5/6/4 0 reserves=0/0").unwrap().state;
    assert_eq!((FOCUS.phase(&nobody), FOCUS.payoffs(&nobody)[0]), (Phase::Over, -1.0));
    for (game, text, says) in [
        (
            FOCUS,
            "4/6/8/8/8/2,RXB,5/6/4 0 reserves=0/0",
            "character 14: `X` cannot stand here; expected 1 to 5 pieces R or B",
        ),
        (FOCUS, "4/6/8/8/8/RRRRRR,7/6/4 0 reserves=0/0", "character 16: `R` cannot stand here; expected 1 to 5 pieces"),
        (FOCUS, "5/6/8/8/8/8/6/4 0 reserves=0/0", "character 1: `5` cannot stand here; expected a number from 1 to 4"),
        (FOCUS, "4/6/8/8/8/2,B,6/6/4 0 reserves=0/0", "character 15: `6` cannot stand here; expected 8 cells in row 3"),
        (FOCUS, "4/6/8/8/8/2,B/6/4 0 reserves=0/0", "expected 8 cells in row 3, 5 more"),
        (FOCUS, "4/6/8/8/8/8/6 0 reserves=0/0", "character 14: the text ends here; expected 8 rows"),
        (FOCUS, "4/6/8/8/8/8/6/4/4 0 reserves=0/0", "character 17: `4` cannot stand here; expected 8 rows"),
        (FOCUS, "4/6/8/8/8/8,,/6/4 0 reserves=0/0", "expected 8 cells in row 3"),
        (FOCUS, "4/6/8/8/8/8/6/4 2 reserves=0/0", "expected the seat to act, 0 to 1"),
        (FOCUS, "4/6/8/8/8/8/6/4 0 reserve=1/0", "expected the end of the text"),
        (FOCUS, "4/6/8/8/8/8/6/4 0 reserves=1", "expected Red's and Black's pieces in reserve, like 1/0"),
        (FOCUS, "4/6/8/8/8/8/6/4 0 reserves=19/0", "expected a number from 0 to 18"),
        (FOCUS, "4/6/8/8/8/8,R/6/4 0 reserves=18/0", "expected 8 cells in row 3"),
        (FOCUS, "4/6/8/8/8/7,R/6/4 0 reserves=18/0", "expected at most 18 pieces R with the reserve, not 19"),
        (FOCUS, "4/6/8/8/8/8/6/4 0 reserves=0/0 exchanges=2", "expected the end of the text"),
        (exchange, "4/6/8/8/8/8/6/4 0 reserves=0/0 exchanges=2", "expected 18 single pieces of each colour"),
        (exchange, "4/6/8/8/8/8/6/4 0 reserves=0/0 exchanges=3", "expected a number from 1 to 2"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let error = exchange.parse_position(&format!("{start} 1 reserves=0/0 exchanges=2")).unwrap_err().to_string();
    assert!(
        error.ends_with("`1` cannot stand here; expected seat 0 with exchanges=2, seat 1 with exchanges=1"),
        "{error}"
    );
    // All cells with five pieces are too many, and no number overflows.
    let full = [4, 6, 8, 8, 8, 8, 6, 4].map(|n| vec!["RRRRR"; n].join(",")).join("/");
    let error = FOCUS.parse_position(&format!("{full} 0 reserves=18/0")).unwrap_err().to_string();
    assert!(error.ends_with("expected at most 18 pieces R with the reserve, not 278"), "{error}");
}

#[test]
fn observations_are_five_boards_from_the_top() {
    let state = position("c8 RBB, h3 B", [2, 1], 1);
    let observe = |seat| {
        let mut observation = vec![-1; FOCUS.layout().len()];
        FOCUS.observe(&state, seat, &mut observation);
        observation
    };
    let (own, enemy) = (observe(1), observe(0));
    // Row 8 begins with two cells off the board, then come c8 to f8.
    assert_eq!(own[..8], [3, 3, 2, 0, 0, 0, 3, 3]);
    assert_eq!(own[64..72], [3, 3, 1, 0, 0, 0, 3, 3]);
    assert_eq!((own[128 + 2], own[192 + 2], own[40 + 7], own[64 + 40 + 7]), (1, 0, 1, 0));
    assert_eq!(own[320..], [1, 2, 0, 1]);
    assert_eq!(enemy[..8], [3, 3, 1, 0, 0, 0, 3, 3]);
    assert_eq!(enemy[320..], [2, 1, 0, 2]);
    for rule in [Rule::None, Rule::Exchange] {
        let game = Focus::new(rule);
        for number in 0..game.n_actions() {
            let action = game.numbered_action(number).expect("every number is an action");
            assert_eq!(game.action_number(action), number);
        }
    }
    let number = |text: &str| FOCUS.action_number(action(text));
    // From c1 five cells to the right are three, and five up; no pile goes six.
    assert_eq!([number("c1-d1"), number("c1-f1"), number("c1-c2"), number("c1-c6"), number("d1-e1")], [0, 2, 3, 7, 8]);
    assert_eq!(
        (number("*c1"), number("*f8") + 1, number("c1-c7")),
        (number("*f8") - 51, FOCUS.n_actions(), FOCUS.n_actions())
    );
}

#[test]
fn piles_are_taken_apart_and_put_together() {
    let five = pile("RBBRB");
    assert_eq!((five.height(), five.owner(), five.count(0), five.count(1)), (5, Some(0), 2, 3));
    assert_eq!(five.take(2), (pile("BRB"), pile("RB")));
    assert_eq!(five.take(5), (Pile::EMPTY, five));
    assert_eq!(Pile::EMPTY.put(five), (five, Pile::EMPTY));
    assert_eq!(pile("BRB").put(pile("RB")), (pile("RBBRB"), Pile::EMPTY));
    assert_eq!(five.put(pile("BBR")), (pile("BBRRB"), pile("BRB")));
    assert_eq!((Pile::EMPTY.owner(), Pile::EMPTY.height(), Pile::EMPTY.count(0)), (None, 0, 0));
}

/// Piles by cell, reserves, and whose turn it is.
type Standing = (BTreeMap<(i32, i32), String>, [usize; 2], usize);

/// The same rules the plain way: piles as texts from the top, every position remembered.
#[derive(Clone)]
struct Plain {
    piles: BTreeMap<(i32, i32), String>,
    reserves: [usize; 2],
    seat: usize,
    exchanges_left: usize,
    n_quiet: usize,
    seen: Vec<Standing>,
}

const LETTERS: [char; 2] = ['R', 'B'];

impl Plain {
    fn of(state: &State) -> Plain {
        let coordinates = |at: Cell| (i32::from(at % 8), i32::from(at / 8));
        let piles = each(BOARD).map(|at| (coordinates(at), pieces(state, at))).collect();
        let mut plain = Plain {
            piles,
            reserves: state.reserves.map(usize::from),
            seat: state.to_act.into(),
            exchanges_left: state.exchanges_left.into(),
            n_quiet: 0,
            seen: Vec::new(),
        };
        plain.seen.push(plain.position());
        plain
    }

    fn position(&self) -> Standing {
        (self.piles.clone(), self.reserves, self.seat)
    }

    fn name((column, row): (i32, i32)) -> String {
        format!("{}{}", (b'a' + column as u8) as char, row + 1)
    }

    fn cell(text: &str) -> (i32, i32) {
        (i32::from(text.as_bytes()[0] - b'a'), i32::from(text.as_bytes()[1] - b'1'))
    }

    fn antisymmetric_after(&self, one: (i32, i32), other: (i32, i32)) -> bool {
        let mut piles = self.piles.clone();
        let (a, b) = (piles[&one].clone(), piles[&other].clone());
        piles.insert(one, b);
        piles.insert(other, a);
        let turned = |text: &str| text.chars().map(|c| if c == 'R' { 'B' } else { 'R' }).collect::<String>();
        piles.iter().all(|(&(column, row), pile)| *pile == turned(&piles[&(7 - column, 7 - row)]))
    }

    fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        let own: Vec<_> = self.piles.iter().filter(|(_, pile)| pile.starts_with(LETTERS[self.seat])).collect();
        if self.exchanges_left > 0 {
            for &(&one, _) in &own {
                for (&other, _) in self.piles.iter().filter(|(_, pile)| pile.starts_with(LETTERS[1 - self.seat])) {
                    if self.seat == 0 || !self.antisymmetric_after(one, other) {
                        actions.push(format!("{}:{}", Plain::name(one), Plain::name(other)));
                    }
                }
            }
            return actions;
        }
        for &(&(column, row), pile) in &own {
            for n in 1..=pile.len() as i32 {
                for to in [(column + n, row), (column - n, row), (column, row + n), (column, row - n)] {
                    if self.piles.contains_key(&to) {
                        actions.push(format!("{}-{}", Plain::name((column, row)), Plain::name(to)));
                    }
                }
            }
        }
        if self.reserves[self.seat] > 0 {
            actions.extend(self.piles.keys().map(|&to| format!("*{}", Plain::name(to))));
        }
        actions
    }

    fn play(&mut self, text: &str) -> Option<&'static str> {
        let mut progress = text.starts_with('*');
        if let Some((one, other)) = text.split_once(':').map(|(one, other)| (Plain::cell(one), Plain::cell(other))) {
            let (a, b) = (self.piles[&one].clone(), self.piles[&other].clone());
            self.piles.insert(one, b);
            self.piles.insert(other, a);
            self.exchanges_left -= 1;
            progress = true;
        } else {
            let (to, moving) = if let Some(to) = text.strip_prefix('*') {
                self.reserves[self.seat] -= 1;
                (Plain::cell(to), LETTERS[self.seat].to_string())
            } else {
                let (from, to) = text.split_once('-').map(|(from, to)| (Plain::cell(from), Plain::cell(to))).unwrap();
                let n = ((from.0 - to.0).abs() + (from.1 - to.1).abs()) as usize;
                let pile = self.piles[&from].clone();
                self.piles.insert(from, pile[n..].into());
                (to, pile[..n].into())
            };
            let mut pile = moving + &self.piles[&to];
            while pile.len() > 5 {
                let lowest = pile.pop();
                self.reserves[self.seat] += usize::from(lowest == Some(LETTERS[self.seat]));
                progress = true;
            }
            self.piles.insert(to, pile);
        }
        self.n_quiet = if progress { 0 } else { self.n_quiet + 1 };
        self.seat = 1 - self.seat;
        let now = self.position();
        self.seen.push(now.clone());
        let occurrences = self.seen.iter().filter(|&seen| *seen == now).count();
        if self.actions().is_empty() {
            Some("stuck")
        } else if occurrences == 3 {
            Some("repetition")
        } else if self.n_quiet == 100 {
            Some("no-progress")
        } else {
            None
        }
    }
}

// A few piles close together, some pieces in reserve: here somebody is stuck soon, and piles of five meet.
fn sparse(rng: &mut FastRng) -> State {
    let mut piles = [Pile::EMPTY; 64];
    let n_piles = 2 + index(rng, 4);
    for i in 0..n_piles {
        let height = 1 + index(rng, 5);
        let pieces: String = (1..height).map(|_| LETTERS[index(rng, 2)]).collect();
        piles[usize::from(cell(2 + index(rng, 3) as u8, 2 + i as u8 % 4))] =
            pile(&format!("{}{pieces}", LETTERS[i % 2]));
    }
    let reserves = [index(rng, n_piles) as u8 / 2, index(rng, n_piles) as u8 / 2];
    State::new(piles, reserves, 0, 0)
}

#[test]
fn random_games_agree_with_a_plain_board() {
    let mut ends: HashMap<&str, u32> = HashMap::new();
    for seed in 0..150 {
        let mut rng = stream(seed, "focus", 0);
        let game = Focus::new([Rule::None, Rule::DrawWins, Rule::Exchange][seed as usize % 3]);
        let start = if seed % 4 > 0 { sparse(&mut rng) } else { game.initial_state() };
        let game = PathGame::new(game, 0);
        let mut state = game.state_at(start);
        let mut plain = Plain::of(&state);
        let shuffling = seed % 5 == 0;
        let mut history: Vec<Action> = Vec::new();
        let mut end = state.is_stuck().then_some("stuck");
        while end.is_none() && history.len() < 400 {
            let seat = state.to_act.into();
            let mut expected = plain.actions();
            expected.sort();
            assert_eq!(legal(*game.game(), &state), expected, "after {history:?}");
            let mut action = game.random_action(&state, seat, &mut Vec::new(), &mut rng);
            // Some games go to and fro, so that positions come again.
            if let Some(&Action::Move { from, to }) = history.len().checked_sub(2).map(|ply| &history[ply]) {
                let back = Action::Move { from: to, to: from };
                if shuffling && index(&mut rng, 4) > 0 && game.is_legal(&state, seat, back) {
                    action = back;
                }
            }
            end = plain.play(&game.action_text(&state, seat, action));
            game.apply(&mut state, seat, action);
            history.push(action);
            assert_eq!(end_of(*game.game(), &state), end, "after {history:?}");
            assert_eq!(state.reserves.map(usize::from), plain.reserves, "after {history:?}");
        }
        *ends.entry(end.unwrap_or("none")).or_insert(0) += 1;
    }
    for end in ["stuck", "repetition", "no-progress"] {
        assert!(ends.get(end).is_some_and(|&n| n >= 5), "too few games ended by {end}: {ends:?}");
    }
}

#[test]
fn random_actions_are_uniform() {
    let state = position("c3 RB, e1 RBR, d8 B", [1, 0], 0);
    let mut actions = Vec::new();
    FOCUS.legal_actions(&state, 0, &mut actions);
    let mut counts: HashMap<Action, i32> = HashMap::new();
    let mut rng = stream(1, "uniform", 0);
    for _ in 0..actions.len() * 400 {
        *counts.entry(FOCUS.random_action(&state, 0, &mut Vec::new(), &mut rng)).or_default() += 1;
    }
    // Five standard deviations of a count of 400.
    assert!(counts.len() == actions.len() && counts.values().all(|count| (count - 400).abs() < 100), "{counts:?}");
    assert_eq!(FOCUS.count_actions(&state, 0, &mut Vec::new()), actions.len());
}
