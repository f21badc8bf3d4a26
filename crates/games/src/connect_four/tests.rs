//! The rule book, clause by clause.

use raichi_core::game::Game;
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Match, Phase, Viewer};

use super::ConnectFour;

fn after(width: u8, height: u8, history: &str) -> Match<ConnectFour> {
    let mut game = Match::new(ConnectFour::new(width, height).expect("the test's board fits"));
    game.play_history(history).expect("the test's history is legal");
    game
}

fn refusal(spec: &str) -> String {
    crate::game(spec).err().expect("the spec makes no game").to_string()
}

#[test]
fn stones_fall_to_the_lowest_empty_cell() {
    let drawing = after(7, 6, "4 4 3 5 4 1").sketch(Viewer::Spectator).to_string();
    let expected = "  .  .  .  .  .  .  .\n\
                    \x20 .  .  .  .  .  .  .\n\
                    \x20 .  .  .  .  .  .  .\n\
                    \x20 .  .  .  X  .  .  .\n\
                    \x20 .  .  .  O  .  .  .\n\
                    \x20 O  .  X  X  O  .  .\n\
                    \x20 1  2  3  4  5  6  7\n";
    assert_eq!(drawing, expected);
}

#[test]
fn four_in_a_row_win_in_every_direction() {
    for (direction, history) in [
        ("level", "1 1 2 2 3 3 4"),
        ("upright", "4 5 4 5 4 5 4"),
        ("rising", "1 2 2 3 3 4 3 4 4 7 4"),
        ("falling", "7 6 6 5 5 4 5 4 4 1 4"),
    ] {
        let won = after(7, 6, history);
        assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("line"), [1.0, -1.0].as_slice()), "{direction}");
    }
    let red = after(7, 6, "7 1 7 2 7 3 6 4");
    assert_eq!((red.end_reason(), red.payoffs().as_slice()), (Some("line"), [-1.0, 1.0].as_slice()));
}

#[test]
fn three_and_lines_over_the_rim_do_not_win() {
    // Yellow's top stones of column 1 and its bottom stones of column 2 are neighbours only in the bits.
    assert_eq!(after(7, 6, "2 1 2 1 3 1 4 6 1 6 1").end_reason(), None);
    assert_eq!(after(7, 6, "1 1 2 2 3 3").end_reason(), None);
}

#[test]
fn a_full_board_is_drawn_and_a_line_on_its_last_cell_wins() {
    let draw = after(4, 4, "1 1 1 1 2 2 2 2 4 3 3 3 3 4 4 4");
    assert_eq!((draw.end_reason(), draw.payoffs().as_slice()), (Some("full"), [0.0, 0.0].as_slice()));
    let win = after(4, 4, "2 1 2 2 4 3 3 4 3 1 4 2 4 1 3 1");
    assert_eq!((win.plies().len(), win.end_reason(), win.payoffs()[0]), (16, Some("line"), -1.0));
}

#[test]
fn a_full_column_and_a_finished_game_are_refused() {
    let error = after(7, 6, "4 4 4 4 4 4").play_text(0, "4").unwrap_err();
    assert_eq!(error.to_string(), "`4` is not legal: that column is full");
    let error = after(7, 6, "1 1 2 2 3 3 4").play_text(1, "5").unwrap_err();
    assert_eq!(error.code(), "play/over");
}

#[test]
fn a_column_is_its_number_and_nothing_else() {
    for text in ["0", "8", "04", "+4", "4 ", "d", "", "10", "99999999999999999999"] {
        let error = after(7, 6, "").play_text(0, text).unwrap_err();
        assert!(error.to_string().ends_with("expected a column from 1 to 7"), "{text}: {error}");
    }
    assert_eq!(after(12, 6, "").play_text(0, "12").as_deref(), Ok("12"));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let why = "width × (height + 1) is at most 128, so with width 12 the height is at most 9";
    assert_eq!(refusal("connect-four:height=10,width=12"), format!("`height=10`: {why}"));
    assert_eq!(refusal("connect-four:width=3"), "`width=3`: width is a whole number from 4 to 12");
    for fits in ["width=12,height=9", "width=9,height=12", "width=8,height=7", "width=4,height=4"] {
        let spec = format!("connect-four:{fits}");
        assert_eq!(crate::game(&spec).expect("it fits").spec(), spec);
    }
}

// A board of plain cells, without a thought for speed.
struct Cells(Vec<Vec<Option<usize>>>);

impl Cells {
    fn at(&self, column: isize, row: isize) -> Option<usize> {
        *self.0.get(usize::try_from(column).ok()?)?.get(usize::try_from(row).ok()?)?
    }

    fn free_columns(&self) -> Vec<u8> {
        (0..self.0.len()).filter(|&column| self.0[column].contains(&None)).map(|column| column as u8).collect()
    }

    fn drop(&mut self, column: u8, seat: usize) {
        *self.0[usize::from(column)].iter_mut().find(|cell| cell.is_none()).expect("the column is free") = Some(seat);
    }

    fn has_line(&self, seat: usize) -> bool {
        let (width, height) = (self.0.len() as isize, self.0[0].len() as isize);
        let starts = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
        let mut rays = starts.flat_map(|start| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| (start, step)));
        rays.any(|((x, y), (dx, dy))| (0..4).all(|n| self.at(x + n * dx, y + n * dy) == Some(seat)))
    }
}

#[test]
fn the_bits_play_like_plain_cells() {
    for (width, height) in [(7, 6), (4, 4), (8, 7), (4, 12), (12, 4), (9, 7), (8, 8), (12, 9), (9, 12)] {
        let game = ConnectFour::new(width, height).expect("the board fits");
        for seed in 0..60 {
            let mut rng = stream(seed, "plain cells", 0);
            let mut cells = Cells(vec![vec![None; height.into()]; width.into()]);
            let mut state = game.initial_state();
            let mut seat = 0;
            while let Phase::Act(seats) = game.phase(&state) {
                assert_eq!(seats.first(), seat);
                let mut actions = Vec::new();
                game.legal_actions(&state, seat, &mut actions);
                assert_eq!(actions, cells.free_columns());
                // The first column is crowded on purpose: random stones seldom fill one.
                let action = if index(&mut rng, 3) == 0 { actions[0] } else { actions[index(&mut rng, actions.len())] };
                game.apply(&mut state, seat, action);
                cells.drop(action, seat);
                let over = cells.has_line(seat) || cells.free_columns().is_empty();
                assert_eq!(game.phase(&state) == Phase::Over, over);
                if over {
                    assert_eq!(game.end_reason(&state) == "line", cells.has_line(seat));
                    assert_eq!(game.payoffs(&state)[seat], if cells.has_line(seat) { 1.0 } else { 0.0 });
                }
                seat = 1 - seat;
            }
            for column in 0..width {
                for row in 0..height {
                    assert_eq!(game.stone(&state, column, row), cells.at(column.into(), row.into()));
                }
            }
        }
    }
}

#[test]
fn any_spot_of_a_column_is_touched_to_choose_it_and_the_landing_cell_is_marked() {
    let game = after(7, 6, "4 4");
    let picture = game.picture(Viewer::Spectator);
    let touching = picture.areas[0].cells.iter().filter(|cell| cell.touch.as_ref().unwrap_or(&cell.id) == "column:4");
    assert_eq!(touching.count(), 7, "six holes and the rack behind them");
    assert_eq!(game.plies()[1].marks, ["4-2"]);
    assert_eq!(game.touches(0)[3].path, ["column:4"]);
}

#[test]
fn a_win_is_shown_by_its_line() {
    let game = after(7, 6, "1 1 2 2 3 3 4");
    let lines = game.picture(Viewer::Spectator).areas[0].lines.clone();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].points, [(0.5, 5.5), (3.5, 5.5)]);
}

#[test]
fn positions_are_set_up_from_rows_and_from_columns() {
    use raichi_core::{Notation, SetUp};
    let game = ConnectFour::new(7, 6).unwrap();
    let text = |history: &str| after(7, 6, history).position_text(Viewer::Spectator);
    assert_eq!(text(""), "7/7/7/7/7/7 0");
    assert_eq!(text("4 4 3"), "7/7/7/7/3R3/2YY3 1");
    for (rows, columns) in
        [("7/7/7/7/3R3/2YY3 1", "443"), ("7/7/7/Y6/YR5/YR5 1", "12121"), ("7/7/Y6/Y6/YR5/YRR4 1", "1213121")]
    {
        assert_eq!(game.parse_position(rows), game.parse_position(columns), "{rows}");
    }
    assert!(matches!(game.parse_position("44"), Ok(SetUp { seen_by: None, .. })));
    for (text, says) in [
        (
            "7/7/7/7/3R3/7 0",
            "character 1: `7/7/7/7/3R3/7` cannot stand here; expected a stone below that in column 4, row 2",
        ),
        ("7/7/Y6/Y6/YR5/YRR4 0", "expected no line of Y, who is to act"),
        ("7/7/7/7/7/3Z3 0", "character 12: `Z` cannot stand here; expected Y or R, or a number of empty cells"),
        ("7/7/7/7/7/7", "character 12: the text ends here; expected the seat to act, 0 to 1"),
        ("1213121 3", "expected the end of the text"),
        ("12131213", "character 8: `3` cannot stand here; expected the end of the text: the game is over here"),
        ("1111111", "character 7: `1` cannot stand here; expected a column with room for a stone"),
        ("118", "character 3: `8` cannot stand here; expected a column from 1 to 7"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}
