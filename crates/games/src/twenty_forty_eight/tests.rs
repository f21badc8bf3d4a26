//! The rule book, clause by clause, and the packed board against the plain one.

use raichi_core::game::Game;
use raichi_core::random::{FastRng, index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, Phase, Scene, View, Viewer};

use super::TwentyFortyEight;
use super::board::{Board, Direction, slide_line};
use super::packed::{self, Empty, Slides};

fn after(size: u8, history: &str) -> Match<TwentyFortyEight> {
    let mut game = Match::new(TwentyFortyEight::new(size));
    game.play_history(history).expect("the test's history is legal");
    game
}

fn slid(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    slide_line(&mut line);
    line
}

#[test]
fn tiles_slide_and_each_pair_from_that_side_merges_once() {
    assert_eq!(slid(&[0, 1, 0, 2]), [1, 2, 0, 0]);
    assert_eq!(slid(&[1, 1, 1, 0]), [2, 1, 0, 0], "the pair nearest to the side");
    assert_eq!(slid(&[1, 1, 1, 1]), [2, 2, 0, 0]);
    assert_eq!(slid(&[1, 1, 2, 0]), [2, 2, 0, 0], "a merged tile does not merge again");
    assert_eq!(slid(&[2, 1, 1, 0]), [2, 2, 0, 0]);
    assert_eq!(slid(&[1, 2, 0, 1]), [1, 2, 1, 0], "only neighbours merge");
    assert_eq!(slid(&[3, 0, 0, 3, 3]), [4, 3, 0, 0, 0]);
}

#[test]
fn two_tiles_come_first_and_one_after_every_action() {
    let mut game = after(4, "");
    assert_eq!((game.phase(), AnyMatch::outcomes(&game, Viewer::Referee).len()), (Phase::Chance, 32));
    game.play_history("~2@a1").unwrap();
    assert_eq!((game.phase(), AnyMatch::outcomes(&game, Viewer::Referee).len()), (Phase::Chance, 30));
    game.play_history("~4@d4").unwrap();
    assert_eq!(game.phase(), Phase::seat(0));
    game.play_history("right").unwrap();
    assert_eq!((game.phase(), AnyMatch::outcomes(&game, Viewer::Referee).len()), (Phase::Chance, 28));
    let total: u64 = AnyMatch::outcomes(&game, Viewer::Referee).iter().map(|&(_, weight)| weight).sum();
    for (text, weight) in AnyMatch::outcomes(&game, Viewer::Referee) {
        let expected = if text.starts_with("~2") { 0.9 } else { 0.1 };
        assert!((weight as f64 / total as f64 - expected / 14.0).abs() < 1e-12, "{text}");
    }
}

#[test]
fn a1_is_top_left_and_the_score_is_what_merges_bring() {
    let game = after(4, "~2@a1 ~2@b1 left ~4@a3 up ~2@d4 down ~2@b2 r ~4@b1");
    let drawing = "1     .    4    .    .\n\
                   2     .    .    .    2\n\
                   3     .    .    .    .\n\
                   4     .    .    8    2\n      a    b    c    d\nScore 12\n";
    assert_eq!(game.sketch(Viewer::Spectator).to_string(), drawing);
    assert_eq!(game.payoffs().as_slice(), [12.0]);
}

#[test]
fn an_action_that_moves_nothing_is_refused() {
    let mut game = after(4, "~2@a1 ~4@b1");
    assert_eq!(AnyMatch::legal(&game, 0), ["down", "right"]);
    let error = game.play_text(0, "left").unwrap_err().to_string();
    assert_eq!(error, "`left` is not legal: no tile would move or merge");
    for text in ["Left", "lef", "", "le", "x"] {
        let error = game.play_text(0, text).unwrap_err().to_string();
        assert!(error.contains("expected left, right, up or down"), "{text}: {error}");
    }
}

#[test]
fn outcomes_are_read_strictly() {
    let mut game = after(4, "");
    for text in ["~2@e1", "~2@a5", "~8@a1", "~2a1", "~2@", "~@a1", "2@a1", "~2@a01", "~2@A1"] {
        assert!(game.play_outcome_text(text).is_err(), "{text}");
    }
    game.play_history("~2@a1").unwrap();
    assert_eq!(game.play_outcome_text("~2@a1").unwrap_err().code(), "play/illegal");
}

#[test]
fn aliases_are_initials() {
    for (alias, text) in [("l", "left"), ("r", "right"), ("u", "up"), ("d", "down")] {
        assert_eq!(after(4, "~2@b2 ~2@c3").play_text(0, alias).as_deref(), Ok(text));
    }
}

#[test]
fn stuck_is_over_and_pays_the_score() {
    let game = after(2, "~2@a1 ~2@b1 d ~4@a1 u");
    assert_eq!((game.phase(), game.end_reason()), (Phase::Chance, None));
    let game = after(2, "~2@a1 ~2@b1 d ~4@a1 u ~4@b2");
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("stuck"), [0.0].as_slice()));
    let game = after(2, "~2@a1 ~2@b1 d ~4@a1 u ~2@b2");
    assert_eq!(game.phase(), Phase::seat(0), "full, but three 2s are neighbours");
}

#[test]
fn broken_off_it_pays_the_score() {
    let mut capped = crate::game("2048:size=3,max-plies=4").unwrap().new_match();
    capped.play_history("~4@a1 ~4@a3 down ~2@a1").unwrap();
    assert_eq!((capped.end_reason(), capped.payoffs().as_slice()), (Some("cap"), [8.0].as_slice()));
}

fn random_board(rng: &mut FastRng, size: u8, largest: u8) -> Board {
    let mut board = Board::default();
    for cell in 0..size * size {
        let exponent = if index(rng, 3) == 0 { 0 } else { index(rng, usize::from(largest) + 1) as u8 };
        board.set(size, cell, exponent);
    }
    board
}

#[test]
fn the_packed_board_slides_like_the_plain_one() {
    let mut rng = stream(1, "packed", 0);
    let mut n_packed = 0;
    for round in 0..40_000 {
        let board = random_board(&mut rng, 4, [2, 5, 12, 15, 17][round % 5]);
        if board.0[1] != 0 || !packed::is_within_reach(board.0[0]) {
            continue;
        }
        n_packed += 1;
        for direction in Direction::ALL {
            let mut plain = board;
            plain.slide(4, direction);
            assert_eq!(
                [packed::slide(Slides::get(), board.0[0], direction), 0],
                plain.0[..2],
                "{board:?} {direction:?}"
            );
            let slidable = packed::slidable(board.0[0]) >> direction as u8 & 1 == 1;
            assert_eq!(slidable, board.can_slide(4, direction), "{board:?} {direction:?}");
            assert_eq!(slidable, plain != board, "{board:?} {direction:?}");
        }
        let empty = Empty::of(board.0[0]);
        let drawn: Vec<u8> = (0..empty.count() as u64).map(|nth| empty.nth(nth)).collect();
        let cells: Vec<u8> = (0..16).filter(|&cell| board.exponent(4, cell) == 0).collect();
        assert_eq!(drawn, cells);
    }
    assert!(n_packed > 25_000, "{n_packed}");
}

#[test]
fn an_empty_packed_board_has_sixteen_cells_to_draw() {
    let empty = Empty::of(0);
    assert_eq!((0..empty.count() as u64).map(|nth| empty.nth(nth)).collect::<Vec<_>>(), Vec::from_iter(0..16));
}

#[test]
fn tiles_grow_to_what_the_board_can_hold() {
    let game = TwentyFortyEight::new(4);
    let mut state = game.initial_state();
    state.to_come = 0;
    // 65536 down to 4 along a snake, and a second 4 at its tail: each merge makes the neighbour of the next.
    for (cell, exponent) in (0..).zip([16, 15, 14, 13, 9, 10, 11, 12, 8, 7, 6, 5, 2, 2, 3, 4]) {
        state.board.set(4, cell, exponent);
    }
    state = game.recomputed(&state);
    let before = game.score(&state);
    let way = "left right right up right right right left up left left left right up left left left";
    for text in way.split(' ') {
        let action = game.parse_action(&state, 0, text).expect("a direction");
        assert!(game.is_legal(&state, 0, action), "{text}: {}", game.sketch(&Scene::of(&state), Viewer::Spectator));
        game.apply(&mut state, 0, action);
        // Without a new tile in between.
        state.to_come = 0;
        state = game.recomputed(&state);
    }
    let drawing = game.sketch(&Scene::of(&state), Viewer::Spectator).to_string();
    assert!(drawing.starts_with("1  131072      .      .      .\n2       .      .      .      .\n"), "{drawing}");
    // 8 and 16 and so on up to 131072.
    assert_eq!(game.score(&state) - before, (1 << 18) - 8);
}

#[test]
fn the_largest_board_holds_tiles_beyond_64_bits() {
    let game = TwentyFortyEight::new(8);
    let mut state = game.initial_state();
    state.to_come = 0;
    state.board.set(8, 62, 64);
    state.board.set(8, 63, 64);
    state = game.recomputed(&state);
    game.apply(&mut state, 0, Direction::Left);
    assert_eq!(state.board.exponent(8, 56), 65);
    assert!(game.sketch(&Scene::of(&state), Viewer::Spectator).to_string().contains(" 36893488147419103232 "));
    assert_eq!(game.payoffs(&state)[0], 64.0 * 2f64.powi(65));
}

#[test]
fn positions_are_rows_of_tiles_with_the_score() {
    let text = |size, history: &str| after(size, history).position_text(Viewer::Spectator);
    assert_eq!(text(4, ""), ".,.,.,./.,.,.,./.,.,.,./.,.,.,. ~2 score=0");
    assert_eq!(text(2, "~2@a1"), "2,./.,. ~1 score=0");
    let played = "~2@a1 ~2@b1 left ~4@a3 up ~2@d4 down ~2@b2 r ~4@b1";
    assert_eq!(text(4, played), ".,4,.,./.,.,.,2/.,.,.,./.,.,8,2 0 score=12");
    let game = TwentyFortyEight::new(4);
    let read = |text: &str| game.parse_position(text).map(|set_up| set_up.state);
    assert_eq!(read(".,4,.,./.,.,.,2/.,.,.,./.,.,8,2 0 score=12").as_ref(), Ok(after(4, played).state().position()));
    assert_eq!(read("0,4,0,0/0,0,0,2/0,0,0,0/0,0,8,2 0 score=12").as_ref(), Ok(after(4, played).state().position()));
    // The score tells positions apart: the 4 may have come as it is, and the 8 may be made of two such.
    let scores =
        [8, 12, 16, 20].map(|score| read(&format!(".,4,.,./.,.,.,2/.,.,.,./.,.,8,2 0 score={score}")).unwrap());
    assert_eq!(scores.map(|state| (game.score(&state), state.fours)), [(8, 3), (12, 2), (16, 1), (20, 0)]);
    assert_eq!(scores.map(|state| game.key(&state)).iter().collect::<std::collections::HashSet<_>>().len(), 4);
    let full = "131072,65536,32768,16384/1024,2048,4096,8192/512,256,128,64/4,8,16,32";
    let stuck = read(&format!("{full} 0 score=3932100")).unwrap();
    assert_eq!((game.phase(&stuck), stuck.fours), (Phase::Over, 16));
    for (text, says) in [
        (".,.,.,./.,.,.,./.,.,.,. ~2 score=0", "expected 4 rows with / between them"),
        (".,.,./.,.,.,./.,.,.,./.,.,.,. ~2 score=0", "character 1: `.,.,.` cannot stand here; expected 4 tiles"),
        (
            ".,.,6,./.,.,.,./.,.,.,./.,.,.,. 0 score=0",
            "character 5: `6` cannot stand here; expected a power of two from 2",
        ),
        (".,.,1,./.,.,.,./.,.,.,./.,.,.,. 0 score=0", "expected a power of two from 2 to 131072, or a dot"),
        (".,.,262144,./.,.,.,./.,.,.,./.,.,.,. 0 score=0", "expected a power of two from 2 to 131072, or a dot"),
        (".,.,131072,131072/.,.,.,./.,.,.,./.,.,.,. 0 score=0", "expected tiles that add up to at most 262140"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,. 1 score=0", "character 33: `1` cannot stand here; expected 0 for the player"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,. ~3 score=0", "expected 0 for the player, or ~1 or ~2"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,. ~2 scores=0", "expected the end of the text"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,8,2 0 score=4", "expected a score from 8 to 16 in steps of 4"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,8,2 0 score=10", "expected a score from 8 to 16 in steps of 4"),
        (".,.,.,./.,.,.,./.,.,.,./.,.,8,2 0 score=020", "expected a score from 8 to 16 in steps of 4"),
        (&format!("{full} ~1 score=3932100"), "for which there is room"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn observations_are_exponents() {
    let game = after(4, "~2@a1 ~2@b1 left ~4@a3 up ~2@d4 down ~2@b2 r ~4@b1");
    let mut observation = vec![-1; game.game().layout().len()];
    game.game().observe(game.state(), 0, &mut observation);
    let board = [0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 1];
    assert_eq!(observation, [&board[..], &[2, 0, 1]].concat());
    let directions: Vec<Option<Direction>> = (0..5).map(|number| game.game().numbered_action(number)).collect();
    let [left, right, up, down] = Direction::ALL.map(Some);
    assert_eq!(directions, [left, right, up, down, None]);
}

#[test]
fn the_tile_of_2048_and_larger_ones_are_called_out() {
    let game = raichi_core::erased::Entry::of::<TwentyFortyEight>();
    let game = (game.create)(None).unwrap();
    let notes = |rows: &str, score: u64| {
        let current = game.match_at(&format!("{rows}/.,.,.,./.,.,.,./.,.,.,. 0 score={score}")).unwrap();
        current.picture(raichi_core::Viewer::Referee).notes
    };
    assert_eq!(notes("1024,1024,.,.", 18432), [""; 0]);
    assert_eq!(notes("2048,2,.,.", 20480), ["2048!"]);
    assert_eq!(notes("4096,2048,.,.", 65536), ["4096!"]);
}
