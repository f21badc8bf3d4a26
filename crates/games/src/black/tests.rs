//! The rule book, clause by clause.

use std::collections::HashMap;

use raichi_core::erased::create;
use raichi_core::game::{Game, Phase};
use raichi_core::picture::Tone;
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, Viewer};

use super::rules::{BOTTOM, LEFT, RIGHT, TOP};
use super::{Action, Black, State, Tile};

fn after(rows: u8, columns: u8, history: &str) -> Match<Black> {
    let mut game = Match::new(Black::new(rows, columns));
    game.play_history(history).expect("the test's history is legal");
    game
}

fn drawing(game: &Match<Black>) -> String {
    game.sketch(Viewer::Spectator).to_string()
}

#[test]
fn the_first_tile_is_the_cross_in_a1() {
    let mut game = after(4, 4, "");
    assert_eq!((game.phase(), AnyMatch::legal(&game, 0)), (Phase::seat(0), vec!["a1x".to_string()]));
    for text in ["a1/", "a1\\"] {
        let error = game.play_text(0, text).unwrap_err().to_string();
        assert_eq!(error, format!("`{text}` is not legal: the first tile is the cross, a1x"));
    }
    // The decision: the path leaves a1 to the right.
    game.play_history("a1x").unwrap();
    assert_eq!(
        (game.phase(), AnyMatch::legal(&game, 1)),
        (Phase::seat(1), ["b1/", "b1\\", "b1x"].map(Into::into).into())
    );
}

#[test]
fn a_tile_turns_the_path_as_a_mirror_turns_light() {
    for (tile, turns) in [
        (Tile::Cross, [(LEFT, RIGHT), (TOP, BOTTOM)]),
        (Tile::Slash, [(LEFT, TOP), (RIGHT, BOTTOM)]),
        (Tile::Backslash, [(LEFT, BOTTOM), (RIGHT, TOP)]),
    ] {
        for (side, other) in turns {
            assert_eq!((tile.turn(side), tile.turn(other)), (other, side), "{tile:?}");
        }
        assert!(tile.lines().iter().all(|&[from, to]| tile.turn(from) == to));
    }
}

#[test]
fn the_path_points_into_the_next_cell() {
    for (history, next) in [
        ("a1x b1x", "c1"),
        ("a1x b1\\", "b2"),
        ("a1x b1\\ b2x", "b3"),
        ("a1x b1\\ b2/", "a2"),
        ("a1x b1\\ b2\\", "c2"),
        ("a1x b1\\ b2\\ c2/", "c1"),
    ] {
        let game = after(4, 4, history);
        let Phase::Act(seats) = game.phase() else { panic!("{history} is not the end") };
        assert!(AnyMatch::legal(&game, seats.first()).iter().all(|text| text.starts_with(next)), "{history}");
    }
}

#[test]
fn the_path_follows_the_lines_of_cells_marked_before() {
    // Back into b2 from the right, and across it along its other line.
    let mut game = after(4, 4, "a1x b1\\ b2x b3\\ c3/ c2\\");
    assert_eq!(AnyMatch::legal(&game, 0), ["a2/", "a2\\", "a2x"], "{}", drawing(&game));
    let error = game.play_text(0, "b2x").unwrap_err().to_string();
    assert_eq!(error, "`b2x` is not legal: b2 is marked already; the path goes on in a2");
}

#[test]
fn only_the_cell_at_the_tip_may_be_marked() {
    let mut game = after(4, 4, "a1x b1\\");
    for (text, why) in [
        ("c1x", "`c1x` is not legal: the path goes on in b2"),
        ("b1x", "`b1x` is not legal: b1 is marked already; the path goes on in b2"),
        ("b2", "`b2` is not understood; expected a cell from a1 to d4 and its tile, x, / or \\, such as b1/"),
        ("e1x", "`e1x` is not understood; expected a cell from a1 to d4 and its tile, x, / or \\, such as b1/"),
        ("b2+", "`b2+` is not understood; expected a cell from a1 to d4 and its tile, x, / or \\, such as b1/"),
        ("b2//", "`b2//` is not understood; expected a cell from a1 to d4 and its tile, x, / or \\, such as b1/"),
        ("x", "`x` is not understood; expected a cell from a1 to d4 and its tile, x, / or \\, such as b1/"),
    ] {
        assert_eq!(game.play_text(0, text).unwrap_err().to_string(), why);
    }
}

#[test]
fn whoever_runs_the_path_to_the_border_loses() {
    let at_once = after(4, 4, "a1x b1/");
    assert_eq!((at_once.end_reason(), at_once.payoffs().as_slice()), (Some("border"), [1.0, -1.0].as_slice()));
    let by_old_lines = after(4, 4, "a1x b1\\ b2/ a2\\");
    assert_eq!((by_old_lines.end_reason(), by_old_lines.payoffs()[0]), (Some("border"), 1.0), "up through a1");
}

#[test]
fn in_the_upper_right_cell_any_mark_may_lose() {
    // As in Gardner's account of a short game: the first player wins by driving the other into that cell.
    for tile in ["x", "/", "\\"] {
        let game = after(4, 4, &format!("a1x b1x c1\\ c2\\ d2/ d1{tile}"));
        assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("border"), [1.0, -1.0].as_slice()), "{tile}");
    }
}

#[test]
fn whoever_marks_the_lower_right_cell_wins_with_any_tile() {
    for tile in ["x", "/", "\\"] {
        let game = after(2, 2, &format!("a1x b1\\ b2{tile}"));
        assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("corner"), [1.0, -1.0].as_slice()), "{tile}");
    }
    let second = after(3, 3, "a1x b1\\ b2\\ c2\\ c3x");
    assert_eq!((second.end_reason(), second.payoffs()[0]), (Some("corner"), 1.0));
    let second = after(2, 3, "a1x b1x c1\\ c2/");
    assert_eq!((second.end_reason(), second.payoffs().as_slice()), (Some("corner"), [-1.0, 1.0].as_slice()));
}

#[test]
fn a_game_broken_off_is_drawn() {
    let game = create::<Black>(Some("max-plies=3")).unwrap();
    let mut game = Match::new(game);
    game.play_history("a1x b1x c1x").unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
    let game = create::<Black>(Some("max-plies=2")).unwrap();
    let mut game = Match::new(game);
    game.play_history("a1x b1/").unwrap();
    assert_eq!(game.end_reason(), Some("border"), "a loss comes before the cap");
}

#[test]
fn boards_have_from_2_to_16_rows_and_columns() {
    let spec = |text: &str| crate::game(text).map(|game| game.spec().to_string()).map_err(|why| why.to_string());
    assert_eq!(spec("black:columns=16,rows=2").as_deref(), Ok("black:rows=2,columns=16"));
    assert_eq!(spec("black:rows=8,columns=8,max-plies=0").as_deref(), Ok("black"));
    assert_eq!(spec("black:rows=1").unwrap_err(), "`rows=1`: rows is a whole number from 2 to 16");
    assert_eq!(spec("black:columns=17").unwrap_err(), "`columns=17`: columns is a whole number from 2 to 16");
}

/// Whether the seat to act wins: every line of play is tried until one wins.
fn wins(game: &Black, state: &State) -> bool {
    let seat = usize::from(state.to_act);
    if game.phase(state) == Phase::Over {
        return game.payoffs(state)[seat] > 0.0;
    }
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    actions.into_iter().any(|action| {
        let mut next = *state;
        game.apply(&mut next, seat, action);
        !wins(game, &next)
    })
}

fn check_winner(rows: u8, columns: u8) {
    let game = Black::new(rows, columns);
    let first = match (rows % 2, columns % 2) {
        (1, 1) => true,
        (0, 0) => rows == 2 || columns == 2,
        _ => false,
    };
    assert_eq!(wins(&game, &game.initial_state()), first, "{rows} × {columns}");
}

#[test]
fn the_first_player_wins_on_odd_boards_and_on_two_by_even() {
    let nightly = std::env::var_os("RAICHI_NIGHTLY").is_some();
    for (rows, columns) in (2..=16).flat_map(|rows| (2..=16).map(move |columns| (rows, columns))) {
        if rows * columns <= if nightly { 50 } else { 36 } {
            check_winner(rows as u8, columns as u8);
        }
    }
}

/// The same rules the plain way: tiles by cell, sides by name, the path walked from its beginning every time.
#[derive(Default)]
struct Plain {
    marks: HashMap<(i32, i32), char>,
}

impl Plain {
    fn exit(tile: char, side: char) -> char {
        let lines = match tile {
            'x' => ["LR", "TB"],
            '/' => ["LT", "RB"],
            _ => ["LB", "RT"],
        };
        let line = lines.into_iter().find(|line| line.contains(side)).unwrap();
        line.chars().find(|&other| other != side).unwrap()
    }

    /// The empty cell the path points into, or none where it runs to the border.
    fn tip(&self, rows: i32, columns: i32) -> Option<(i32, i32)> {
        let (mut column, mut row, mut side) = (0, 0, 'L');
        while let Some(&tile) = self.marks.get(&(column, row)) {
            let (dx, dy, entry) = match Plain::exit(tile, side) {
                'L' => (-1, 0, 'R'),
                'T' => (0, -1, 'B'),
                'R' => (1, 0, 'L'),
                _ => (0, 1, 'T'),
            };
            (column, row, side) = (column + dx, row + dy, entry);
            if !(0..columns).contains(&column) || !(0..rows).contains(&row) {
                return None;
            }
        }
        Some((column, row))
    }
}

#[test]
fn random_games_agree_with_a_plain_board() {
    let mut ends = HashMap::new();
    for seed in 0..600 {
        let mut rng = stream(seed, "black", 0);
        let mut side = || 2 + index(&mut rng, if seed % 3 == 0 { 15 } else { 4 }) as u8;
        let (rows, columns) = (side(), side());
        let mut game = after(rows, columns, "");
        let mut plain = Plain::default();
        while let Phase::Act(seats) = game.phase() {
            let (column, row) = plain.tip(rows.into(), columns.into()).expect("the path has not ended");
            let seat = seats.first();
            assert_eq!(seat, game.plies().len() % 2);
            let cell = format!("{}{}", char::from(b'a' + column as u8), row + 1);
            let tiles = if game.plies().is_empty() { vec!['x'] } else { vec!['/', '\\', 'x'] };
            let expected: Vec<String> = tiles.iter().map(|tile| format!("{cell}{tile}")).collect();
            assert_eq!(AnyMatch::legal(&game, seat), expected);
            let nth = index(&mut rng, expected.len());
            game.play_text(seat, &expected[nth]).unwrap();
            plain.marks.insert((column, row), tiles[nth]);
            let end = match plain.tip(rows.into(), columns.into()) {
                _ if (column + 1, row + 1) == (columns.into(), rows.into()) => Some("corner"),
                None => Some("border"),
                Some(_) => None,
            };
            assert_eq!(game.end_reason(), end, "{}", drawing(&game));
            if let Some(end) = end {
                let winner = if end == "corner" { seat } else { 1 - seat };
                assert_eq!(game.payoffs()[winner], 1.0);
                *ends.entry(end).or_insert(0) += 1;
            }
        }
    }
    assert!(ends["corner"] > 20 && ends["border"] > 20, "{ends:?}");
}

#[test]
fn the_sketch_shows_tiles_and_where_the_path_goes_on() {
    let game = after(4, 4, "a1x b1\\ b2/");
    let expected = [" 1  x \\ . .", " 2  < / . .", " 3  . . . .", " 4  . . . *", "    a b c d"];
    assert_eq!(drawing(&game).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_picture_has_one_line_for_the_path_and_a_tray_of_tiles() {
    let game = after(4, 4, "a1x b1\\ b2/");
    let picture = game.picture(Viewer::Spectator);
    let [board, tray] = picture.areas.as_slice() else { panic!("a board and a tray") };
    let path: Vec<_> = board.lines.iter().filter(|line| line.arrow).collect();
    assert_eq!((path.len(), path[0].tone), (1, Tone::Accent));
    // Two lines a tile, then the path: in, over Blue's, Orange's and Blue's tile, and on.
    let tones: Vec<Tone> = board.lines[6..].iter().map(|line| line.tone).collect();
    assert_eq!(tones, [Tone::Accent, Tone::Seat(0), Tone::Seat(1), Tone::Seat(0), Tone::Accent]);
    let passed = board.cells.iter().find(|cell| cell.id == "b1").unwrap();
    assert_eq!(passed.label.as_deref(), Some("b1, \\ put by Orange"));
    // It ends inside the next cell, a2, coming from the right.
    let next = board.cells.iter().find(|cell| cell.id == "a2").unwrap();
    let &(x, y) = path[0].points.last().unwrap();
    assert!((x - next.x).abs() < 0.5 && x > next.x && (y - next.y).abs() < 1e-9);
    assert_eq!(next.label.as_deref(), Some("a2, next"));
    let labels: Vec<_> = tray.cells.iter().map(|cell| cell.label.as_deref().unwrap()).collect();
    assert_eq!(
        labels,
        ["x: the path runs to the border", "/: the path goes on in a3", "\\: the path runs to the border"]
    );
    let paths: Vec<_> = AnyMatch::touches(&game, 1).into_iter().map(|touch| (touch.action, touch.path)).collect();
    let touch = |action: &str, id: &str| (action.to_string(), vec![id.to_string()]);
    assert_eq!(paths, [touch("a2/", "tile:/"), touch("a2\\", "tile:\\"), touch("a2x", "tile:x")]);
    assert_eq!(game.plies()[2].marks, ["b2"]);
    let over = after(4, 4, "a1x b1/").picture(Viewer::Spectator);
    assert_eq!((over.areas.len(), over.notes), (1, vec!["The path has run to the border.".to_string()]));
}

fn read(game: &Black, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|why| panic!("{text}: {why}")).state
}

#[test]
fn positions_are_the_tiles_and_the_seat_to_act() {
    let text = |history: &str| after(4, 4, history).position_text(Viewer::Spectator);
    assert_eq!(text(""), "4/4/4/4 0");
    assert_eq!(text("a1x b1\\ b2/"), "xb2/1s2/4/4 1");
    assert_eq!(after(2, 16, "a1x").position_text(Viewer::Spectator), "x15/16 1");
    for (rows, columns, history) in [
        (4, 4, "a1x b1\\ b2/"),
        // The path crosses b2 twice.
        (4, 4, "a1x b1\\ b2x b3\\ c3/ c2\\"),
        (4, 4, "a1x b1/"),
        (4, 4, "a1x b1\\ b2/ a2\\"),
        (2, 2, "a1x b1\\ b2x"),
        (16, 2, "a1x b1\\ b2x b3x"),
    ] {
        let game = after(rows, columns, history);
        assert_eq!(&read(game.game(), &game.position_text(Viewer::Spectator)), game.state().position(), "{history}");
    }
}

#[test]
fn what_is_no_position_is_refused_where_it_goes_wrong() {
    let game = Black::new(4, 4);
    for (text, says) in [
        ("4/4/4/4 1", "character 9: `1` cannot stand here; expected 0, the seat to act after 0 tiles"),
        ("xb2/1s2/4/4 0", "character 13: `0` cannot stand here; expected 1, the seat to act after 3 tiles"),
        ("s3/4/4/4 1", "character 1: `s` cannot stand here; expected x in a1, where every path begins"),
        ("4/1x2/4/4 1", "character 1: `4` cannot stand here; expected x in a1"),
        (
            "xb2/4/2x1/4 1",
            "character 1: `xb2/4/2x1/4` cannot stand here; expected tiles on the path only, which does not pass c3",
        ),
        // The path ends in the lower right cell.
        ("xx1b/3s/3x/b2x 0", "expected tiles on the path only, which does not pass d1"),
        ("xxxb/3x/3x/b2x 0", "expected tiles on the path only, which does not pass a4"),
        ("x/3/4/4/4 1", "character 2: the text ends here; expected 3 more cells in row 1"),
        (
            "xb2/1\\2/4/4 1",
            "character 6: `\\` cannot stand here; expected x, s for / or b for \\, or a number of empty cells",
        ),
        ("x3/4/4/4", "character 9: the text ends here; expected the seat to act, 0 to 1"),
        ("", "expected the board, row by row, like xb2/1s2/4/4"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn tiles_are_observed_as_they_lie_and_the_tip_with_its_side() {
    let observe = |history: &str, seat| {
        let game = after(3, 3, history);
        let mut observation = [-1; 19];
        AnyMatch::observe(&game, seat, &mut observation);
        observation
    };
    // The path comes into a2 from the right.
    #[rustfmt::skip]
    assert_eq!(observe("a1x b1\\ b2/", 1), [
        2, 3, 0,
        0, 1, 0,
        0, 0, 0,
        0, 0, 0,
        3, 0, 0,
        0, 0, 0,
        1,
    ]);
    assert_eq!(observe("a1x b1\\ b2/", 0)[18], 2);
    assert_eq!(observe("", 0)[9..], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(observe("a1x b1/", 0)[9..18], [0; 9], "the path goes on nowhere");
}

#[test]
fn actions_are_numbered_by_cell_and_tile() {
    let game = Black::new(3, 5);
    assert_eq!(game.n_actions(), 45);
    let action = |number| game.numbered_action(number).map(|action| game.action_text(&game.initial_state(), 0, action));
    assert_eq!(
        [action(0), action(4), action(17), action(44), action(45)],
        [Some("a1x".into()), Some("b1/".into()), Some("a2\\".into()), Some("e3\\".into()), None]
    );
    assert_eq!(game.action_number(Action { cell: 0x24, tile: Tile::Slash }), 43);
}

/// The source says that the second player wins on every board with an even number of cells. On 2×2 that is not so: after
/// the forced cross in a1 two of the three tiles in b1 lead to the border, and the third one leads the path to the corner.
#[test]
fn on_two_by_two_the_first_player_wins_whatever_the_second_does() {
    for tile in ["b1x", "b1/"] {
        let lost = after(2, 2, &format!("a1x {tile}"));
        assert_eq!((lost.end_reason(), lost.payoffs().as_slice()), (Some("border"), [1.0, -1.0].as_slice()), "{tile}");
    }
    let only = after(2, 2, "a1x b1\\");
    assert_eq!(only.phase(), Phase::seat(0));
    for tile in AnyMatch::legal(&only, 0) {
        let mut end = only.clone();
        end.play_text(0, &tile).unwrap();
        assert_eq!((end.end_reason(), end.payoffs().as_slice()), (Some("corner"), [1.0, -1.0].as_slice()), "{tile}");
    }
}
