//! The rule book, clause by clause. Positions are drawn as the terminal draws them (`M` Muscovite, `S` Swede, `K` king,
//! `+` the empty castle; row 9 on top, columns a to i) or listed, `K g8, M a3 c5, S b3`.

use raichi_core::encoding::Encoding;
use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::notation::Notation;
use raichi_core::path::PathRules as _;
use raichi_core::picture::{PieceKind, Scene, Tone, View};
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{Match, PathGame, PathState, Viewer};
use std::collections::HashMap;

use super::board::{CASTLE, Cell, Cells, bit, cell, each, map_cell};
use super::notation::parse;
use super::rules::{Action, End, Side, State, Tablut};

const TABLUT: Tablut = Tablut { first: Side::Black, king_range: 8 };

fn position(text: &str, to_act: Side) -> State {
    let listed = if text.contains(',') { text.to_string() } else { listed(text) };
    let men = ['M', 'S'].map(|letter| cells_of(&listed, letter));
    let king = cells_of(&listed, 'K');
    State::new([men[0], men[1] | king], each(king).next().expect("a king is on the board"), to_act)
}

// The cells listed behind a letter.
fn cells_of(listed: &str, letter: char) -> Cells {
    let groups = listed.split(',').filter_map(|group| group.trim().strip_prefix(letter));
    groups.map(cells).fold(0, |all, cells| all | cells)
}

fn cells(texts: &str) -> Cells {
    texts.split_whitespace().map(|text| bit(parse(text).expect("a cell"))).fold(0, |all, cell| all | cell)
}

fn listed(drawing: &str) -> String {
    let rows: Vec<&str> = drawing.split_whitespace().collect();
    assert_eq!(rows.len(), 9, "nine rows are drawn");
    let mut listed = String::new();
    for (row, text) in rows.iter().rev().enumerate() {
        assert_eq!(text.len(), 9, "nine cells are drawn in {text}");
        for (column, piece) in text.chars().enumerate().filter(|(_, piece)| !".+".contains(*piece)) {
            listed += &format!("{piece} {}, ", super::notation::text(cell(column as u8, row as u8)));
        }
    }
    listed
}

fn action(text: &str) -> Action {
    TABLUT.parse_action(&TABLUT.initial_state(), 0, text).expect("the test's actions are well-formed")
}

#[track_caller]
fn after_in(game: Tablut, state: &State, history: &str) -> State {
    let mut state = *state;
    for text in history.split_whitespace() {
        let seat = game.seat(state.to_act);
        assert_eq!(game.phase(&state), Phase::seat(seat), "before {text}");
        assert!(game.is_legal(&state, seat, action(text)), "{text}: {}", game.why_illegal(&state, seat, action(text)));
        game.apply(&mut state, seat, action(text));
    }
    state
}

#[track_caller]
fn after(before: &str, side: Side, history: &str) -> State {
    after_in(TABLUT, &position(before, side), history)
}

/// Plays on from a position, counting occurrences; returns why the game is over, if it is.
#[track_caller]
fn end_of(before: &State, history: &str) -> Option<&'static str> {
    let game = PathGame::new(TABLUT, 0);
    let state = after_by_path(&game, game.state_at(*before), history);
    (game.phase(&state) == Phase::Over).then(|| game.end_reason(&state))
}

fn after_by_path(game: &PathGame<Tablut>, mut state: PathState<Tablut>, history: &str) -> PathState<Tablut> {
    for text in history.split_whitespace() {
        let seat = game.seat(state.to_act);
        assert_eq!(game.phase(&state), Phase::seat(seat), "before {text}");
        assert!(game.is_legal(&state, seat, action(text)), "{text}: {}", game.why_illegal(&state, seat, action(text)));
        game.apply(&mut state, seat, action(text));
    }
    state
}

/// Checks the pieces expected after an action; returns why the game is over, if it is.
#[track_caller]
fn check(before: &str, side: Side, text: &str, expected: &str) -> Option<End> {
    let state = after(before, side, text);
    let expected = position(expected, side);
    assert_eq!((listed_state(&state), state.king), (listed_state(&expected), expected.king), "after {text}");
    state.end
}

fn listed_state(state: &State) -> [Vec<String>; 2] {
    state.men.map(|men| each(men).map(super::notation::text).collect())
}

#[test]
fn the_pieces_stand_as_linnaeus_drew_them() {
    let state = TABLUT.initial_state();
    let contract = "M d1 e1 f1 e2 a4 a5 a6 b5 i4 i5 i6 h5 d9 e9 f9 e8, S e3 e4 e6 e7 c5 d5 f5 g5, K e5";
    assert_eq!(state, position(contract, Side::Black));
    let drawing = "9  . . . M M M . . .
8  . . . . M . . . .
7  . . . . S . . . .
6  M . . . S . . . M
5  M M S S K S S M M
4  M . . . S . . . M
3  . . . . S . . . .
2  . . . . M . . . .
1  . . . M M M . . .
   a b c d e f g h i
";
    assert_eq!(TABLUT.sketch(&Scene::of(&state), Viewer::Spectator).to_string(), drawing);
}

#[test]
fn pieces_move_along_rows_and_columns_over_empty_cells() {
    let mut game = Match::new(TABLUT);
    let apart = "pieces move along a row or a column, and";
    let expected = "expected two cells from a1 to i9 with a hyphen between them, such as d1-d3";
    for (text, why) in [
        ("d1-e2", format!("`d1-e2` is not legal: {apart} d1 and e2 share neither or are the same cell")),
        ("d1-d1", format!("`d1-d1` is not legal: {apart} d1 and d1 share neither or are the same cell")),
        ("d1-e1", "`d1-e1` is not legal: e1 is taken".into()),
        ("d1-d5", "`d1-d5` is not legal: d5 is taken".into()),
        ("d1-d6", "`d1-d6` is not legal: a piece stands between d1 and d6".into()),
        ("e3-d3", "`e3-d3` is not legal: no piece of yours stands on e3".into()),
        ("c3-c4", "`c3-c4` is not legal: no piece of yours stands on c3".into()),
        ("d1d3", format!("`d1d3` is not understood; {expected}")),
        ("d1-d10", format!("`d1-d10` is not understood; {expected}")),
        ("d1-d3-d4", format!("`d1-d3-d4` is not understood; {expected}")),
    ] {
        assert_eq!(game.play_text(0, text).unwrap_err().to_string(), why);
    }
    for text in ["d1-d4", "d1-a1", "d1-c1", "e2-i2", "a4-a1", "a4-d4"] {
        assert!(game.clone().play_text(0, text).is_ok(), "{text}");
    }
    assert_eq!(game.play_text(0, "d1-d3").as_deref(), Ok("d1-d3"));
}

#[test]
fn only_the_king_may_stop_on_the_castle_and_all_may_pass_over_it() {
    let legal = |state: &State, text| TABLUT.is_legal(state, TABLUT.seat(state.to_act), action(text));
    let white = position("K e4, S c5, M a1", Side::White);
    assert!(!legal(&white, "c5-e5"));
    let why = TABLUT.why_illegal(&white, 1, action("c5-e5"));
    assert_eq!(why, "only the king may stop on the castle; others may pass over it");
    assert!(legal(&white, "c5-f5") && legal(&white, "c5-i5"));
    assert!(legal(&white, "e4-e5"), "the king goes home");
    assert!(legal(&white, "e4-e6"), "and passes through");
    let black = position("K h2, M e7 e4", Side::Black);
    assert!(!legal(&black, "e7-e5") && !legal(&black, "e4-e5"));
    assert!(legal(&black, "e7-e6") && legal(&black, "e4-e6"));
    let home = position("K e5, S c5, M a1", Side::White);
    assert!(!legal(&home, "c5-f5"), "nobody passes the king");
}

// Gardner's figure 33, top.
#[test]
fn one_move_captures_up_to_three_men() {
    let before = "
        .........
        ......K..
        .........
        .........
        ..M.+....
        ..S......
        MS.SM....
        .........
        ..M......";
    let after = "
        .........
        ......K..
        .........
        .........
        ..M.+....
        .........
        M.M.M....
        .........
        .........";
    assert_eq!(check(before, Side::Black, "c1-c3", after), None);
}

#[test]
fn captures_are_made_along_rows_and_columns_by_both_sides() {
    assert_eq!(check("K g8, M b4 d2, S c4", Side::Black, "d2-d4", "K g8, M b4 d4"), None);
    assert_eq!(check("K g8, M b3 c1, S b2", Side::Black, "c1-b1", "K g8, M b3 b1"), None);
    assert_eq!(check("K g8, S b4 d2, M c4 i1", Side::White, "d2-d4", "K g8, S b4 d4, M i1"), None);
    assert_eq!(check("K g8, S b7 b1, M b6 i1", Side::White, "b1-b5", "K g8, S b7 b5, M i1"), None);
}

#[test]
fn only_the_piece_that_moves_captures_and_only_straight_on() {
    // c6 stands between c7 and c5 already: a move elsewhere does nothing to it.
    let between = "K g8, S c6, M c7 c5 i1";
    assert_eq!(check(between, Side::Black, "i1-i2", "K g8, S c6, M c7 c5 i2"), None);
    // A partner round the corner, or one cell too far.
    assert_eq!(check("K g8, S c6, M b6 c1", Side::Black, "c1-c5", "K g8, S c6, M b6 c5"), None);
    assert_eq!(check("K g8, S c6, M c8 c1", Side::Black, "c1-c5", "K g8, S c6, M c8 c5"), None);
    // Two men in a row are not taken together.
    assert_eq!(check("K g8, S c6 c7, M c8 c1", Side::Black, "c1-c5", "K g8, S c6 c7, M c8 c5"), None);
    // One's own men are no prey.
    assert_eq!(check("K g8, S a9, M c6 c7 c1", Side::Black, "c1-c5", "K g8, S a9, M c6 c7 c5"), None);
}

#[test]
fn moving_in_between_two_enemies_is_safe() {
    let between = "K g8, S c6, M c7 c5 a9";
    assert_eq!(check("K g8, S a6, M c7 c5 a9", Side::White, "a6-c6", between), None);
    assert_eq!(check("K g8, M c1 i1, S b4 d4", Side::Black, "c1-c4", "K g8, M c4 i1, S b4 d4"), None);
    // One of the two must step away and come back.
    let state = after(between, Side::Black, "a9-a8 g8-g7 c5-b5 g7-g8");
    assert_eq!(state.of(Side::White), cells("c6 g8"));
    assert_eq!(after_in(TABLUT, &state, "b5-c5").of(Side::White), cells("g8"));
}

#[test]
fn neither_the_edge_nor_the_empty_castle_captures() {
    assert_eq!(check("K g8, S a1, M c2", Side::Black, "c2-a2", "K g8, S a1, M a2"), None);
    assert_eq!(check("K g8, S a4, M b9", Side::Black, "b9-b4", "K g8, S a4, M b4"), None);
    assert_eq!(check("K g8, S e6, M a7", Side::Black, "a7-e7", "K g8, S e6, M e7"), None);
    assert_eq!(check("K g8, S a7, M e6", Side::White, "a7-e7", "K g8, S e7, M e6"), None);
}

#[test]
fn the_king_captures_by_moving_as_a_partner_and_on_his_castle() {
    assert_eq!(check("K e7, S c8, M d8 a1", Side::White, "e7-e8", "K e8, S c8, M a1"), None);
    assert_eq!(check("K c8, S e2, M d8 a1", Side::White, "e2-e8", "K c8, S e8, M a1"), None);
    assert_eq!(check("K e5, S a7, M e6 a1", Side::White, "a7-e7", "K e5, S e7, M a1"), None);
    assert_eq!(check("K e3, S g5, M f5 a1", Side::White, "e3-e5", "K e5, S g5, M a1"), None);
}

#[test]
fn the_king_is_not_captured_like_a_man() {
    assert_eq!(check("K d3, M c3 e1", Side::Black, "e1-e3", "K d3, M c3 e3"), None);
    assert_eq!(check("K e5, M d5 f1", Side::Black, "f1-f5", "K e5, M d5 f5"), None);
}

// Gardner's figure 33, bottom.
#[test]
fn a_man_beside_the_king_on_his_castle_is_captured_against_him() {
    let before = "
        .........
        .........
        .........
        ....M....
        ...MKM...
        ....S....
        .........
        .........
        ....M....";
    let after = "
        .........
        .........
        .........
        ....M....
        ...MKM...
        .........
        ....M....
        .........
        .........";
    assert_eq!(check(before, Side::Black, "e1-e3", after), None);
    // From each side of the castle.
    for symmetry in 0..8 {
        let mut turned = TABLUT.map_state(symmetry, &position(before, Side::Black));
        TABLUT.apply(&mut turned, 0, TABLUT.map_action(symmetry, action("e1-e3")));
        assert_eq!(turned.of(Side::White), bit(turned.king), "symmetry {symmetry}");
    }
    // Another man is taken at the same time.
    let both = check("K e5, M e6 d5 f5 a3 c3, S e4 d3", Side::Black, "a3-a4", "K e5, M e6 d5 f5 a4 c3, S e4 d3");
    assert_eq!(both, None);
    let both = check("K e5, M e6 d5 f5 c3 e1, S e4 d3", Side::Black, "e1-e3", "K e5, M e6 d5 f5 c3 e3");
    assert_eq!(both, None);
}

#[test]
fn that_needs_three_muscovites_the_castle_and_the_straight_line() {
    let nothing = |before: &str, text, after: &str| assert_eq!(check(before, Side::Black, text, after), None);
    // The third side is free, or another Swede's.
    nothing("K e5, M e6 d5 e1, S e4", "e1-e3", "K e5, M e6 d5 e3, S e4");
    nothing("K e5, M e6 d5 e1, S e4 f5", "e1-e3", "K e5, M e6 d5 e3, S e4 f5");
    // The same a row lower: the king is not on his castle.
    nothing("K e4, M d4 f4 e1, S e3 e9", "e1-e2", "K e4, M d4 f4 e2, S e3 e9");
    nothing("K d4, M d5 c4 e4 d1, S d3", "d1-d2", "K d4, M d5 c4 e4 d2, S d3");
    // Beside the Swede, but not beyond him.
    nothing("K e5, M e6 d5 f5 i4, S e4", "i4-f4", "K e5, M e6 d5 f5 f4, S e4");
    // Beyond him already: another's move, even to complete the three, does not count.
    nothing("K e5, M e6 d5 e3 f1, S e4", "f1-f5", "K e5, M e6 d5 e3 f5, S e4");
}

// Gardner's figure 33, middle.
#[test]
fn the_king_is_taken_by_four_muscovites() {
    let before = "
        .........
        ..M......
        .MKM.....
        ...M.....
        ....+....
        .........
        .........
        .........
        .........";
    let after = "
        .........
        ..M......
        .MKM.....
        ..M......
        ....+....
        .........
        .........
        .........
        .........";
    assert_eq!(check(before, Side::Black, "d6-c6", after), Some(End::KingCaptured));
    // On his castle too.
    let state = self::after("K e5, M e6 d5 f5 e3", Side::Black, "e3-e4");
    assert_eq!((state.end, TABLUT.end_reason(&state)), (Some(End::KingCaptured), "king-captured"));
    assert_eq!(TABLUT.payoffs(&state).as_slice(), [1.0, -1.0]);
}

// The same figure, beside the castle.
#[test]
fn the_king_is_taken_by_three_and_the_castle() {
    let before = "
        .........
        .........
        .........
        ...M.....
        ..MK+....
        ....M....
        .........
        .........
        ....S....";
    let after = before.replace("....M....", "...M.....");
    assert_eq!(check(before, Side::Black, "e4-d4", &after), Some(End::KingCaptured));
    // Any of the three may be the last to come, and the Swede between may fall by the same move.
    assert_eq!(self::after("K d5, M d6 d4 a5", Side::Black, "a5-c5").end, Some(End::KingCaptured));
    assert_eq!(self::after("K e6, M d6 e7 f1", Side::Black, "f1-f6").end, Some(End::KingCaptured));
}

#[test]
fn fewer_do_not_take_the_king() {
    assert_eq!(after("K d5, M d6 a5, S i1", Side::Black, "a5-c5").end, None, "two and the castle");
    assert_eq!(after("K c7, M c8 b7 d6, S i1", Side::Black, "d6-c6").end, None, "three and a free cell");
    assert_eq!(after("K c7, M c8 b7 d6, S d7", Side::Black, "d6-c6").end, None, "three and a Swede");
    assert_eq!(after("K d5, M d6 c5 e4, S d4", Side::Black, "e4-f4").end, None, "a Swede before the castle");
    assert_eq!(after("K e5, M e6 d5 f1, S e4", Side::Black, "f1-f5").end, None, "on the castle beside a Swede");
}

#[test]
fn the_king_who_walks_in_among_muscovites_is_safe_until_one_of_them_comes_anew() {
    // Not from his castle: into three, the castle behind him.
    let state = after("K b6, M c5 d4 d7 i1, S i9", Side::White, "b6-d6");
    let state = after_in(TABLUT, &state, "i1-i2 d6-d5 d7-d6");
    assert_eq!(state.end, Some(End::KingCaptured), "the move to d6 closes the ring");
    let state = after("K d2, M c5 d6 e4 i1, S i9", Side::White, "d2-d5");
    assert_eq!(after_in(TABLUT, &state, "i1-i2 i9-h9").end, None);
    let inside = after("K e4, M e7 d6 f6 i1, S i9", Side::White, "e4-e6");
    assert_eq!(inside.end, None);
    // Muscovites who move elsewhere do not take him; one who leaves and returns does.
    let waiting = after_in(TABLUT, &inside, "i1-i2 i9-h9");
    assert_eq!(waiting.end, None);
    assert_eq!(after_in(TABLUT, &waiting, "e7-e8 h9-i9 e8-e7").end, Some(End::KingCaptured));
}

// Decision of the contract: the step is legal, and lost.
#[test]
fn the_king_who_steps_out_of_his_castle_into_three_muscovites_is_taken() {
    let state = after("K e5, M e7 d6 f6, S i9", Side::White, "e5-e6");
    assert_eq!((state.end, TABLUT.end_reason(&state)), (Some(End::KingCaptured), "king-captured"));
    assert_eq!(TABLUT.payoffs(&state).as_slice(), [1.0, -1.0]);
    assert_eq!(after("K e5, M e7 d6, S f6", Side::White, "e5-e6").end, None, "two and a Swede");
    assert_eq!(after("K e5, M d8 e9 f8 i1, S i9", Side::White, "e5-e8").end, None, "not beside the castle");
}

#[test]
fn his_own_captures_are_made_first_when_he_steps_out() {
    let end = check("K e5, M e7 d6 f6, S g6", Side::White, "e5-e6", "K e6, M e7 d6, S g6");
    assert_eq!(end, None);
}

#[test]
fn the_king_escapes_on_any_cell_of_the_edge() {
    for text in ["c3-c1", "c3-c9", "c3-a3", "c3-i3"] {
        let state = after("K c3, M e1", Side::White, text);
        assert_eq!((state.end, TABLUT.end_reason(&state)), (Some(End::Escaped), "escaped"), "{text}");
        assert_eq!(TABLUT.payoffs(&state).as_slice(), [-1.0, 1.0]);
    }
    assert_eq!(after("K c3, S g2, M e1", Side::White, "g2-g1").end, None, "a Swede on the edge wins nothing");
}

fn game_of(spec: &str) -> Match<Tablut> {
    let params = spec.split_once(':').map(|(_, params)| params);
    Match::new(create::<Tablut>(params).expect("the test's spec is right"))
}

#[test]
fn the_kings_range_limits_the_king_alone() {
    let before = position("K e5, S c3, M i1", Side::White);
    for range in 1..=8 {
        let game = Tablut { first: Side::Black, king_range: range };
        for steps in 1..=4 {
            let to = format!("e5-{}5", (b'e' + steps) as char);
            assert_eq!(game.is_legal(&before, 1, action(&to)), steps <= range, "range {range}, {to}");
        }
        assert!(game.is_legal(&before, 1, action("c3-c9")), "men go any distance");
        let listed = game.count_actions(&before, 1, &mut Vec::new());
        assert_eq!(listed, 16 + 4 * usize::from(range.min(4)), "range {range}");
    }
    let game = Tablut { first: Side::Black, king_range: 2 };
    assert_eq!(game.why_illegal(&before, 1, action("e5-h5")), "the king moves at most 2 cells at once");
    // 0 and 8 are the same game, and 8 is kept in the canonical text.
    for params in ["king-range=0", "king-range=8"] {
        assert_eq!(create::<Tablut>(Some(params)).unwrap().king_range, 8);
    }
    assert_eq!(create::<Tablut>(Some("king-range=8")).unwrap().spec(), "tablut:king-range=8");
    let error = create::<Tablut>(Some("king-range=9")).unwrap_err().to_string();
    assert_eq!(error, "`king-range=9`: king-range is a whole number from 0 to 8");
}

#[test]
fn a_side_that_cannot_act_loses() {
    let white = after("K e5, S e4, M e6 d5 f5 d4 f4 e3 i1", Side::Black, "i1-i2");
    assert_eq!((white.end, TABLUT.end_reason(&white)), (Some(End::Stuck), "stuck"));
    assert_eq!(TABLUT.payoffs(&white).as_slice(), [1.0, -1.0]);
    let black = after("K e5, S a2 b1, M a1", Side::White, "e5-e6");
    assert_eq!(black.end, Some(End::Stuck));
    assert_eq!(TABLUT.payoffs(&black).as_slice(), [-1.0, 1.0]);
    let nobody = after("K e5, S a1 d1, M b1", Side::White, "d1-c1");
    assert_eq!((nobody.of(Side::Black), nobody.end), (0, Some(End::Stuck)));
}

#[test]
fn a_man_whose_only_way_leads_over_the_castle_is_not_stuck() {
    let state = after("K g2, S d4 f4 e3, M e4", Side::White, "g2-g3");
    assert_eq!(state.end, None);
    assert_eq!(TABLUT.count_actions(&state, 0, &mut Vec::new()), 4, "e6 to e9");
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = Match::new(TABLUT);
    game.play_history("a4-a3 e3-d3 a3-a4 d3-e3 a4-a3 e3-d3 a3-a4").unwrap();
    assert_eq!(game.end_reason(), None, "the first position has occurred twice");
    game.play_history("d3-e3").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("repetition"), [0.0, 0.0].as_slice()));
}

#[test]
fn men_of_one_side_are_alike_in_a_repetition_but_the_king_is_not() {
    // Two Muscovites exchange their places by a detour.
    let start = position("K g8, M b1 b2", Side::Black);
    let exchange = "b2-a2 g8-g7 b1-b2 g7-g8 a2-a1 g8-g7 a1-b1 g7-g8";
    assert_eq!(after_in(TABLUT, &start, exchange), start);
    assert_eq!(end_of(&start, exchange), None);
    assert_eq!(end_of(&start, &format!("{exchange} {exchange}")), Some("repetition"));
    // The king and a man exchange theirs and come back: the Swedes stand on the same cells for the third time, but the
    // position is only at its second.
    let start = position("K g8, S h8, M b1", Side::Black);
    let exchange = "b1-a1 g8-g7 a1-b1 h8-g8 b1-a1 g7-h7 a1-b1 h7-h8";
    let back = "b1-a1 h8-h7 a1-b1 g8-h8 b1-a1 h7-g7 a1-b1 g7-g8";
    let exchanged = after_in(TABLUT, &start, exchange);
    assert_eq!((exchanged.of(Side::White), exchanged == start), (cells("g8 h8"), false));
    assert_ne!(TABLUT.repetition_key(&exchanged), TABLUT.repetition_key(&start));
    assert_eq!(after_in(TABLUT, &exchanged, back), start);
    assert_eq!(end_of(&start, &format!("{exchange} {back}")), None);
    let game = PathGame::new(TABLUT, 0);
    let again = after_by_path(&game, game.state_at(start), &format!("{exchange} {back}"));
    assert_eq!(again.occurrences(), 2);
}

#[test]
fn a_capture_begins_the_counting_anew() {
    let start = position("K g8, S b3 d1, M c3 i1", Side::Black);
    let game = PathGame::new(TABLUT, 0);
    let before = after_by_path(&game, game.state_at(start), "i1-i2 g8-g7 i2-i1 g7-g8 i1-i2");
    let state = after_by_path(&game, before.clone(), "d1-d3");
    assert_eq!(state.of(Side::Black), cells("i2"));
    assert_eq!((before.occurrences(), state.occurrences()), (2, 1));
    assert_ne!(TABLUT.stage(&before), TABLUT.stage(&state));
    let shuffle = "i2-i1 g8-g7 i1-i2 g7-g8 ";
    let state = after_by_path(&game, state, shuffle);
    assert_eq!(game.phase(&state), Phase::seat(0));
    let state = after_by_path(&game, state, shuffle);
    assert_eq!((game.phase(&state), game.end_reason(&state)), (Phase::Over, "repetition"));
}

#[test]
fn a_capped_game_is_drawn_and_the_cap_is_512_unless_given() {
    let round = "a4-a3 e3-d3 a3-a4 d3-e3";
    let mut game = game_of("tablut:max-plies=4");
    game.play_history(round).unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
    // A draw by repetition on the last ply is given before the cap.
    let mut game = game_of("tablut:max-plies=8");
    game.play_history(&format!("{round} {round}")).unwrap();
    assert_eq!(game.end_reason(), Some("repetition"));
    assert_eq!(create::<Tablut>(Some("max-plies=512")).unwrap().spec(), "tablut");
    assert_eq!(create::<Tablut>(Some("max-plies=0")).unwrap().spec(), "tablut:max-plies=0");
}

#[test]
fn either_side_may_begin() {
    let mut game = game_of("tablut:first=white");
    assert_eq!(game.play_text(0, "d1-d3").unwrap_err().code(), "play/illegal");
    // The king walks out; seat 0 wins.
    game.play_history("e3-d3 a4-a3 e4-f4 a3-a4 e5-e3 a4-a3 e3-h3 a3-a4 h3-h1").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("escaped"), [1.0, -1.0].as_slice()));
    let seats = |spec: &str| [0, 1].map(|seat| game_of(spec).game().seat_name(seat));
    assert_eq!(seats("tablut"), ["Muscovites", "Swedes"]);
    assert_eq!(seats("tablut:first=white"), ["Swedes", "Muscovites"]);
    assert!(create::<Tablut>(Some("first=red")).unwrap_err().to_string().contains("one of black, white"));
}

#[test]
fn raichi_and_tuichu_are_called_after_whites_action() {
    let notes = |game: &Tablut, state: &State| game.picture(&Scene::of(state), Viewer::Spectator).notes;
    assert!(notes(&TABLUT, &TABLUT.initial_state()).is_empty());
    let before = "K e5, S e2, M e7 i3 b1";
    // On e3 only the left is open; on e4 left and right are.
    let raichi = after(before, Side::White, "e5-e3");
    assert_eq!(notes(&TABLUT, &raichi), ["Raichi!"]);
    assert!(TABLUT.sketch(&Scene::of(&raichi), Viewer::Spectator).to_string().ends_with("h i\nRaichi!\n"));
    assert!(notes(&TABLUT, &after_in(TABLUT, &raichi, "e7-d7")).is_empty(), "it is White's call");
    let tuichu = after(before, Side::White, "e5-e4");
    assert_eq!(notes(&TABLUT, &tuichu), ["Tuichu!"]);
    // The king's range counts: e4 is four steps from a4 and from i4, f5 is three from i5.
    let limited = |king_range| Tablut { first: Side::Black, king_range };
    assert_eq!(notes(&limited(4), &tuichu), ["Tuichu!"]);
    assert!(notes(&limited(3), &tuichu).is_empty());
    assert_eq!(notes(&limited(3), &after_in(limited(3), &position(before, Side::White), "e5-f5")), ["Raichi!"]);
    // The way leads over the castle as well, and a game that is over needs no call.
    assert_eq!(notes(&TABLUT, &after("K b6, S c3, M b1 b9 i1", Side::White, "b6-b5")), ["Tuichu!"]);
    assert!(notes(&TABLUT, &after(before, Side::White, "e5-a5")).is_empty());
}

#[test]
fn the_picture_shows_every_piece_with_a_tone_and_a_sign() {
    let game = Tablut { first: Side::White, king_range: 8 };
    let picture = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator);
    let board = &picture.areas[0];
    assert_eq!(board.cells.len(), 81);
    let count = |kind, tone, text: Option<&str>| {
        board.pieces.iter().filter(|p| (p.kind, p.tone, p.text.as_deref()) == (kind, tone, text)).count()
    };
    assert_eq!(count(PieceKind::Disc, Tone::Seat(1), Some("M")), 16);
    assert_eq!(count(PieceKind::Disc, Tone::Seat(0), Some("S")), 8);
    assert_eq!(count(PieceKind::King, Tone::Seat(0), None), 1);
    let tone = |tone| board.cells.iter().filter(|cell| cell.tone == tone).count();
    assert_eq!((tone(Tone::Accent), tone(Tone::Dark)), (1, 16));
    let cell = |id: &str| board.cells.iter().find(|cell| cell.id == id).unwrap();
    assert_eq!(cell("e5").label.as_deref(), Some("e5, castle, king"));
    assert_eq!(cell("a4").label.as_deref(), Some("a4, Muscovite"));
    // Row 1 is at the bottom.
    assert!(cell("a1").y > cell("a9").y && cell("a1").x < cell("i1").x);
}

#[test]
fn symmetries_turn_and_mirror_the_board() {
    let map = |symmetry, text| super::notation::text(map_cell(symmetry, parse(text).unwrap()));
    assert_eq!([map(1, "a4"), map(2, "a4"), map(4, "a4")], ["i4", "a6", "d1"]);
}

#[test]
fn positions_are_rows_from_the_top_with_counts() {
    let start = "3MMM3/4M4/4S4/M3S3M/MMSSKSSMM/M3S3M/4S4/4M4/3MMM3";
    let text = |game: Tablut, state: &State| game.position_text(state, Viewer::Spectator);
    assert_eq!(text(TABLUT, &TABLUT.initial_state()), format!("{start} 0"));
    let white_first = Tablut { first: Side::White, king_range: 8 };
    assert_eq!(text(white_first, &white_first.initial_state()), format!("{start} 0"));
    let read = |text: &str| TABLUT.parse_position(text).unwrap().state;
    assert_eq!(read(&format!("{start} 1")), position(&drawn(&TABLUT.initial_state()), Side::White));
    assert_eq!(read("9/6K2/9/9/9/9/2S6/2M6/9 1"), position("K g8, S c3, M c2", Side::White));
    // As OpenTafl writes it.
    assert_eq!(read("/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/ 0"), TABLUT.initial_state());
    // An end on the board is seen there; the capture of the king has to be said.
    assert_eq!(read("K8/9/9/9/9/9/9/9/M8 0").end, Some(End::Escaped));
    assert_eq!(read("9/9/4K4/9/9/9/9/9/9 0").end, Some(End::Stuck));
    let walked_in = "9/9/4M4/3MKM3/9/9/9/9/8S";
    let stepped_out = after("K e5, M e7 d6 f6, S i1", Side::White, "e5-e6");
    assert_eq!(text(TABLUT, &stepped_out), format!("{walked_in} 0 king=captured"));
    assert_eq!(read(&format!("{walked_in} 0 king=captured")), stepped_out);
    let inside = after("K e4, M e7 d6 f6, S i1", Side::White, "e4-e6");
    assert_eq!((text(TABLUT, &inside), inside.end), (format!("{walked_in} 0"), None));
    assert_ne!(TABLUT.key(&inside), TABLUT.key(&stepped_out));
    for (text, says) in [
        ("9/9/9/9/9/9/9/9 0", "expected 9 rows with / between them, and there are 8"),
        ("9/9/4X4/9/9/9/9/9/9 0", "character 6: `X` cannot stand here; expected M, S or K, or a number of empty cells"),
        ("9/9/9/9/9/9/9/9/9 0", "expected one king (K)"),
        ("K8/9/9/9/9/9/9/9/8K 0", "expected one king (K)"),
        ("MMMMMMMMM/MMMMMMMM1/9/4K4/9/9/9/9/9 0", "expected at most 16 Muscovites (M)"),
        ("SSSSSSSSS/9/9/4K4/9/9/9/9/9 0", "expected at most 8 Swedes (S)"),
        ("9/9/4K4/9/4S4/9/9/9/M8 0", "expected nobody but the king on the castle, e5"),
        ("9/9/4K4/9/9/9/9/9/M8 2", "character 22: `2` cannot stand here; expected the seat to act, 0 to 1"),
        ("9/9/4K4/9/9/9/9/9/M8 0 king=taken", "character 29: `taken` cannot stand here; expected captured"),
        ("9/9/4K4/9/9/9/9/9/M8 1 king=captured", "expected a king with Muscovites, or the castle, on all four sides"),
        ("M8/9/3M5/2MKM4/3M5/9/9/9/9 0 king=captured", "expected a king beside his castle"),
        ("M8/9/9/9/9/9/9/9/K8 1 king=captured", "expected a king with Muscovites"),
    ] {
        let error = TABLUT.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

fn drawn(state: &State) -> String {
    let drawing = TABLUT.sketch(&Scene::of(state), Viewer::Spectator).to_string();
    let rows = drawing.lines().take(9).map(|row| row[1..].replace(' ', ""));
    rows.collect::<Vec<_>>().join(" ")
}

#[test]
fn observations_are_the_board_from_the_top_as_a_seat_sees_it() {
    let state = position("K c8, S i9, M a9 b1", Side::White);
    let observe = |seat| {
        let mut observation = vec![-1; TABLUT.layout().len()];
        TABLUT.observe(&state, seat, &mut observation);
        observation
    };
    let seen = |entries: &[(usize, i32)], to_act| {
        let mut observation = vec![0; 83];
        entries.iter().for_each(|&(i, entry)| observation[i] = entry);
        observation[81] = to_act;
        observation
    };
    // a9 is the first entry, c8 in the second row, b1 in the last.
    assert_eq!(observe(0), seen(&[(0, 1), (8, 2), (11, 4), (73, 1)], 2));
    assert_eq!(observe(1), seen(&[(0, 2), (8, 1), (11, 3), (73, 2)], 1));
    let number = |text: &str| TABLUT.action_number(action(text));
    assert_eq!([number("a9-b9"), number("a9-i9"), number("a9-a8"), number("a9-a1")], [0, 7, 8, 15]);
    assert_eq!([number("b9-a9"), number("i1-h1"), number("i1-i9"), number("i1-i2")], [16, 1287, 1288, 1295]);
    for number in 0..TABLUT.n_actions() {
        let action = TABLUT.numbered_action(number).expect("every number is an action");
        assert_eq!(TABLUT.action_number(action), number);
    }
}

/// The same rules the plain way: a board of letters, every cell asked in turn, every position remembered.
struct Plain {
    board: [[char; 9]; 9],
    white_to_act: bool,
    seen: Vec<([[char; 9]; 9], bool)>,
}

const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

impl Plain {
    fn at(&self, column: i32, row: i32) -> Option<char> {
        let inside = (0..9).contains(&column) && (0..9).contains(&row);
        inside.then(|| self.board[row as usize][column as usize])
    }

    fn is_own(&self, piece: char, white: bool) -> bool {
        if white { piece == 'S' || piece == 'K' } else { piece == 'M' }
    }

    fn actions(&self, range: i32) -> Vec<String> {
        let mut actions = Vec::new();
        for (row, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
            let piece = self.at(column, row).unwrap();
            if !self.is_own(piece, self.white_to_act) {
                continue;
            }
            for (dx, dy) in STEPS {
                let reach = if piece == 'K' { range } else { 8 };
                for steps in 1..=reach {
                    let (x, y) = (column + dx * steps, row + dy * steps);
                    if self.at(x, y) != Some('.') {
                        break;
                    }
                    if piece == 'K' || (x, y) != (4, 4) {
                        let name = |x: i32, y: i32| format!("{}{}", (b'a' + x as u8) as char, y + 1);
                        actions.push(format!("{}-{}", name(column, row), name(x, y)));
                    }
                }
            }
        }
        actions
    }

    fn king_ring(&self) -> (i32, i32, [Option<char>; 4]) {
        let find = (0..81).find(|i| self.board[i / 9][i % 9] == 'K').unwrap() as i32;
        let (column, row) = (find % 9, find / 9);
        (column, row, STEPS.map(|(dx, dy)| self.at(column + dx, row + dy)))
    }

    fn play(&mut self, text: &str, range: i32) -> Option<&'static str> {
        let bytes: Vec<i32> = text.bytes().map(i32::from).collect();
        let (from, to) = ((bytes[0] - 97, bytes[1] - 49), (bytes[3] - 97, bytes[4] - 49));
        let white = self.white_to_act;
        let piece = std::mem::replace(&mut self.board[from.1 as usize][from.0 as usize], '.');
        self.board[to.1 as usize][to.0 as usize] = piece;
        let (king_column, king_row, ring) = self.king_ring();
        let held = (king_column, king_row) == (4, 4) && ring.iter().filter(|&&c| c == Some('M')).count() == 3;
        let mut taken = Vec::new();
        for (dx, dy) in STEPS {
            let (near, far) = ((to.0 + dx, to.1 + dy), (to.0 + 2 * dx, to.1 + 2 * dy));
            let (Some(man), Some(partner)) = (self.at(near.0, near.1), self.at(far.0, far.1)) else { continue };
            let foe = man != '.' && man != 'K' && !self.is_own(man, white);
            let against_king = !white && held && partner == 'K';
            if foe && (self.is_own(partner, white) || against_king) {
                taken.push(near);
            }
        }
        for &(x, y) in &taken {
            self.board[y as usize][x as usize] = '.';
        }
        let (king_column, king_row, ring) = self.king_ring();
        let beside = |(x, y): (i32, i32)| (x - king_column).abs() + (y - king_row).abs() == 1;
        let closed = STEPS.iter().zip(ring).all(|(&(dx, dy), piece)| {
            piece == Some('M') || (king_column + dx, king_row + dy) == (4, 4) && piece == Some('.')
        });
        let came = if white { piece == 'K' && from == (4, 4) && beside((4, 4)) } else { beside(to) };
        self.white_to_act = !white;
        self.seen.push((self.board, self.white_to_act));
        let occurrences = self.seen.iter().filter(|&&seen| seen == (self.board, self.white_to_act)).count();
        if closed && came {
            Some("king-captured")
        } else if [king_column, king_row].iter().any(|&x| x == 0 || x == 8) {
            Some("escaped")
        } else if self.actions(range).is_empty() {
            Some("stuck")
        } else if occurrences == 3 {
            Some("repetition")
        } else {
            None
        }
    }
}

impl Plain {
    fn of(state: &State) -> Plain {
        let mut board = [['.'; 9]; 9];
        for (letter, set) in ['M', 'S', 'K'].into_iter().zip([state.men[0], state.men[1], bit(state.king)]) {
            for at in each(set) {
                board[usize::from(at / 10)][usize::from(at % 10)] = letter;
            }
        }
        let white_to_act = state.to_act == Side::White;
        Plain { board, white_to_act, seen: vec![(board, white_to_act)] }
    }
}

// The king near his castle, Muscovites close around, a few Swedes: here he is caught often.
fn crowded(rng: &mut FastRng, to_act: Side) -> State {
    let king = [CASTLE, CASTLE, cell(4, 5), cell(3, 4), cell(2, 5)][index(rng, 5)];
    let mut men = [0, bit(king)];
    for i in 0..40 {
        let at = cell(1 + index(rng, 7) as u8, 1 + index(rng, 7) as u8);
        if at != CASTLE && (men[0] | men[1]) & bit(at) == 0 {
            men[usize::from(i % 6 == 0)] |= bit(at);
        }
    }
    State::new(men, king, to_act)
}

#[test]
fn random_games_agree_with_a_plain_board() {
    let mut ends = HashMap::new();
    for seed in 0..150 {
        let mut rng = stream(seed, "tablut", 0);
        let king_range = [8, 8, 4, 1][seed as usize % 4];
        let game = Tablut { first: if seed % 8 < 4 { Side::Black } else { Side::White }, king_range };
        let shuffling = seed % 3 == 1;
        let start = if seed % 3 == 2 { crowded(&mut rng, game.first) } else { game.initial_state() };
        let game = PathGame::new(game, 0);
        let mut state = game.state_at(start);
        let mut plain = Plain::of(&state);
        let mut history: Vec<Action> = Vec::new();
        let mut end = None;
        while end.is_none() && history.len() < 600 {
            let seat = game.seat(state.to_act);
            let mut actions = Vec::new();
            game.legal_actions(&state, seat, &mut actions);
            let text = |action: &Action| game.action_text(&state, seat, *action);
            let (mut listed, mut expected) =
                (actions.iter().map(text).collect::<Vec<_>>(), plain.actions(king_range.into()));
            listed.sort();
            expected.sort();
            assert_eq!(listed, expected, "after {history:?}");
            let mut action = actions[index(&mut rng, actions.len())];
            // Some games go to and fro, so that positions come again.
            let before = history.len().checked_sub(2).map(|ply| history[ply]);
            let back = before.map(|ply| Action { from: ply.to, to: ply.from });
            if let Some(back) = back.filter(|back| shuffling && actions.contains(back) && index(&mut rng, 3) > 0) {
                action = back;
            }
            end = plain.play(&game.action_text(&state, seat, action), king_range.into());
            game.apply(&mut state, seat, action);
            history.push(action);
            let found = (game.phase(&state) == Phase::Over).then(|| game.end_reason(&state));
            assert_eq!(found, end, "after {history:?}");
        }
        *ends.entry(end.unwrap_or("none")).or_insert(0) += 1;
    }
    for end in ["king-captured", "escaped", "repetition"] {
        assert!(ends.get(end).is_some_and(|&n| n >= 5), "too few games ended by {end}: {ends:?}");
    }
}

#[test]
fn every_cell_has_its_name() {
    let cells: Vec<Cell> = each(super::board::BOARD).collect();
    assert_eq!(cells.len(), 81);
    for at in cells {
        assert_eq!(parse(&super::notation::text(at)), Some(at));
    }
}

/// A Tuichu announces a win: whatever Black does, White's next action wins, unless the cap or a third occurrence ends the
/// game before it. A law over all positions that are met in random games, in which the king likes to run.
#[test]
fn after_a_tuichu_every_action_of_black_is_answered_by_a_win() {
    let mut n_met = 0;
    for seed in 0..240u64 {
        let king_range = [8, 8, 4, 2, 1, 3][seed as usize % 6];
        let first = if seed % 2 == 0 { Side::Black } else { Side::White };
        let game = Tablut { first, king_range };
        let (mut state, mut rng) = (game.initial_state(), stream(seed, "tuichu", 0));
        let (white, mut actions) = (game.seat(Side::White), Vec::new());
        for _ in 0..160 {
            let Phase::Act(seats) = game.phase(&state) else { break };
            let seat = seats.first();
            if seat != white && game.open_ways(&state) >= 2 {
                n_met += 1;
                actions.clear();
                game.legal_actions(&state, seat, &mut actions);
                for &action in &actions {
                    let mut after = state;
                    game.apply(&mut after, seat, action);
                    let wins = |action: &Action| {
                        let mut end = after;
                        game.apply(&mut end, white, *action);
                        end.end == Some(End::Escaped)
                    };
                    let mut replies = Vec::new();
                    if game.phase(&after) == Phase::seat(white) {
                        game.legal_actions(&after, white, &mut replies);
                    }
                    assert!(replies.iter().any(wins), "{}", game.position_text(&after, Viewer::Referee));
                }
            }
            actions.clear();
            game.legal_actions(&state, seat, &mut actions);
            let of_king: Vec<Action> =
                actions.iter().copied().filter(|action| action.from == state.king && !is_edge(action.to)).collect();
            let runs = seat == white && !of_king.is_empty() && index(&mut rng, 2) == 0;
            let from = if runs { &of_king } else { &actions };
            game.apply(&mut state, seat, from[index(&mut rng, from.len())]);
        }
    }
    assert!(n_met > 300, "Tuichu is called often enough to say something: {n_met}");
}

fn is_edge(at: Cell) -> bool {
    let (column, row) = (at % 9, at / 9);
    column % 8 == 0 || row % 8 == 0
}
