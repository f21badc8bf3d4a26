//! The rule book, clause by clause. Boards are drawn as the terminal draws them: `X` Black, `O` White.

use std::collections::HashMap;

use raichi_core::game::Game;
use raichi_core::picture::{Scene, Tone, View};
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, PathGame, Phase, Viewer};

use super::board::{Cells, each};
use super::notation::DISCS;
use super::{Action, Othello, State};

const SIZES: [u8; 4] = [4, 6, 8, 10];

fn after(size: u8, history: &str) -> Match<Othello> {
    let mut game = Match::new(Othello::new(size));
    game.play_history(history).expect("the test's history is legal");
    game
}

fn position(drawing: &str, to_act: usize) -> (Othello, State) {
    let rows: Vec<&str> = drawing.split_whitespace().collect();
    let game = Othello::new(rows.len() as u8);
    let mut discs = [0; 2];
    for (row, text) in rows.iter().enumerate() {
        assert_eq!(text.len(), rows.len(), "the board is square");
        for (column, disc) in text.chars().enumerate() {
            if let Some(seat) = "XO".find(disc) {
                discs[seat] |= 1 << game.cell(column as u8, row as u8);
            }
        }
    }
    (game, game.position(discs, to_act))
}

fn drawing(game: &Othello, state: &State) -> String {
    let row = |row| (0..game.size).map(move |column| game.cell(column, row));
    let mark = |cell| game.disc(state, cell).map_or('.', |seat| ['X', 'O'][seat]);
    (0..game.size).map(|i| row(i).map(mark).collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn legal(game: &Othello, state: &State) -> String {
    let text = |cell| game.cell_text(cell);
    each(state.placements).map(text).collect::<Vec<_>>().join(" ")
}

/// The board after Black, or White where the seat is 1, has placed on `cell`.
#[track_caller]
fn check(before: &str, seat: usize, cell: &str, expected: &str) {
    let (game, mut state) = position(before, seat);
    let action = Action::Place(game.parse_cell(cell).expect("a cell"));
    assert!(game.is_legal(&state, seat, action), "{cell} is not legal");
    game.apply(&mut state, seat, action);
    assert_eq!(drawing(&game, &state), expected.split_whitespace().collect::<Vec<_>>().join(" "), "after {cell}");
}

#[test]
fn four_discs_lie_crosswise_in_the_middle_and_black_begins() {
    let game = after(8, "");
    let expected = "   a b c d e f g h
 1 . . . . . . . .
 2 . . . . . . . .
 3 . . . . . . . .
 4 . . . O X . . .
 5 . . . X O . . .
 6 . . . . . . . .
 7 . . . . . . . .
 8 . . . . . . . .
";
    assert_eq!(game.sketch(Viewer::Spectator).to_string(), expected);
    assert_eq!(game.phase(), Phase::seat(0));
    for size in SIZES {
        let (game, middle) = (Othello::new(size), size / 2);
        let state = game.initial_state();
        let disc = |column, row| game.disc(&state, game.cell(column, row));
        assert_eq!((disc(middle - 1, middle - 1), disc(middle, middle)), (Some(1), Some(1)));
        assert_eq!((disc(middle, middle - 1), disc(middle - 1, middle)), (Some(0), Some(0)));
        assert_eq!(state.discs().map(Cells::count_ones), [2, 2]);
    }
}

#[test]
fn a_disc_is_put_where_it_encloses_enemy_discs() {
    assert_eq!(AnyMatch::legal(&after(8, ""), 0), ["c4", "d3", "e6", "f5"]);
    let mut game = after(8, "");
    for (text, why) in [
        ("d4", "`d4` is not legal: there is a disc on d4 already"),
        ("e3", "`e3` is not legal: a disc on e3 encloses no enemy disc"),
        ("a1", "`a1` is not legal: a disc on a1 encloses no enemy disc"),
        ("pass", "`pass` is not legal: who can place a disc may not pass"),
        ("i1", "`i1` is not understood; expected a cell from a1 to h8 or pass"),
        ("a10", "`a10` is not understood; expected a cell from a1 to h8 or pass"),
    ] {
        assert_eq!(game.play_text(0, text).unwrap_err().to_string(), why);
    }
    let error = after(10, "").play_text(0, "Pass").unwrap_err().to_string();
    assert_eq!(error, "`Pass` is not understood; expected a cell from a1 to j10 or pass");
}

#[test]
fn runs_in_all_eight_directions_are_turned_at_once() {
    check(
        "X..X..X. .O.O.O.. ..OOO... XOO.OOOX ..OOO... .O.O.O.. X..O..X. ...X....",
        0,
        "d4",
        "X..X..X. .X.X.X.. ..XXX... XXXXXXXX ..XXX... .X.X.X.. X..X..X. ...X....",
    );
}

#[test]
fn the_longest_runs_are_turned() {
    check(
        "XOOOOOO. ........ ........ ........ ........ ........ ........ ........",
        0,
        "h1",
        "XXXXXXXX ........ ........ ........ ........ ........ ........ ........",
    );
    let row = "..........";
    let rows = |first: &str| format!("{first} {}", [row; 9].join(" "));
    check(&rows(".OOOOOOOOX"), 0, "a1", &rows("XXXXXXXXXX"));
    // The diagonal from j1 to a10.
    let diagonal = |ends: [char; 2], middle: char| {
        let rows = (0..10).map(|i| {
            let disc = [ends[0], middle, ends[1]][(i > 0) as usize + (i == 9) as usize];
            (0..10).map(|column| if column == 9 - i { disc } else { '.' }).collect::<String>()
        });
        rows.collect::<Vec<_>>().join(" ")
    };
    check(&diagonal(['X', '.'], 'O'), 0, "a10", &diagonal(['X', 'X'], 'X'));
    check(&diagonal(['.', 'X'], 'O'), 0, "j1", &diagonal(['X', 'X'], 'X'));
}

#[test]
fn only_runs_that_end_at_the_new_disc_are_turned() {
    // b1 is turned, and so b2 comes to lie between black discs, but not in a line with the new one.
    check(".OX. .O.. .X.. ....", 0, "a1", "XXX. .O.. .X.. ....");
}

#[test]
fn an_interrupted_run_is_not_turned() {
    let (game, state) = position("XO.O.... ........ ........ ........ ........ ........ ........ ........", 0);
    assert_eq!(legal(&game, &state), "c1");
}

#[test]
fn runs_do_not_go_on_over_the_rim() {
    for size in SIZES {
        // White at the right end of a row and at the left end of the next, Black beyond them, in all four lines.
        let game = Othello::new(size);
        let last = size - 1;
        let cells = |cells: &[(u8, u8)]| cells.iter().fold(0, |all, &(column, row)| all | 1 << game.cell(column, row));
        for (black, white) in [
            ([(last - 1, 1)], [(last, 1), (0, 2)]),
            ([(1, 1)], [(0, 1), (last, 0)]),
            ([(last - 1, 1)], [(last, 2), (0, 3)]),
            ([(1, 2)], [(0, 1), (last, 0)]),
            ([(1, 1)], [(0, 2), (last, 2)]),
            ([(last - 1, 2)], [(last, 1), (0, 1)]),
        ] {
            let state = game.position([cells(&black), cells(&white)], 0);
            assert_eq!(legal(&game, &state), "", "{}", drawing(&game, &state));
        }
    }
}

#[test]
fn who_cannot_place_must_pass_and_then_the_other_goes_on() {
    let (game, state) = position("XO.. .... .... ..OX", 1);
    assert_eq!((legal(&game, &state).as_str(), state.over), ("", false));
    let mut actions = Vec::new();
    game.legal_actions(&state, 1, &mut actions);
    assert_eq!(actions, [Action::Pass]);
    assert_eq!(game.count_actions(&state, 1, &mut Vec::new()), 1);
    assert_eq!(game.random_action(&state, 1, &mut Vec::new(), &mut stream(1, "pass", 0)), Action::Pass);
    let picture = game.picture(&Scene::of(&state), Viewer::Spectator);
    assert_eq!(
        (picture.buttons[0].id.as_str(), picture.notes[0].as_str()),
        ("pass", "White can place no disc and must pass.")
    );
    assert!(game.action_marks(&state, 1, Action::Pass).is_empty());
    let mut passed = state;
    game.apply(&mut passed, 1, Action::Pass);
    assert_eq!((game.phase(&passed), legal(&game, &passed).as_str()), (Phase::seat(0), "c1 b4"));
    assert_eq!(passed.discs(), state.discs());
}

#[test]
fn the_game_is_over_as_soon_as_neither_can_place() {
    // The shortest game there is: White has no disc left, and Black does not pass.
    let over = after(8, "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!((over.end_reason(), over.payoffs().as_slice()), (Some("no-moves"), [1.0, -1.0].as_slice()));
    assert_eq!(over.state().discs().map(Cells::count_ones), [13, 0]);
    assert!(over.clone().play_text(1, "pass").is_err());
    let counters = over.picture(Viewer::Spectator).counters;
    assert_eq!(counters.iter().map(|counter| counter.value.as_str()).collect::<Vec<_>>(), ["13", "0"]);
}

#[test]
fn more_discs_win_and_equally_many_draw_whoever_cannot_place() {
    for (board, payoffs) in [
        ("XXXX XXXX OOOO OOOO", [0.0, 0.0]),
        ("XXXX XXXX XOOO OOOO", [1.0, -1.0]),
        ("XXXX XXXO OOOO OOOO", [-1.0, 1.0]),
        // Empty cells go to nobody.
        ("XX.. .... .... ..OO", [0.0, 0.0]),
        ("XX.. X... .... ..OO", [1.0, -1.0]),
    ] {
        for to_act in 0..2 {
            let (game, state) = position(board, to_act);
            assert_eq!(game.phase(&state), Phase::Over, "{board}");
            assert_eq!(game.payoffs(&state).as_slice(), payoffs, "{board}");
        }
    }
}

#[test]
fn a_capped_game_is_drawn_and_the_games_own_end_comes_first() {
    let shortest = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
    let mut game = Match::new(PathGame::new(Othello::new(8), 8));
    let history: Vec<&str> = shortest.split(' ').take(8).collect();
    game.play_history(&history.join(" ")).unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("cap"), [0.0, 0.0].as_slice()));
    let mut game = Match::new(PathGame::new(Othello::new(8), 9));
    game.play_history(shortest).unwrap();
    assert_eq!((game.end_reason(), game.payoffs().as_slice()), (Some("no-moves"), [1.0, -1.0].as_slice()));
}

// How many discs more the seat to act ends with when both play their best.
fn best_margin(game: &Othello, state: &State, known: &mut HashMap<State, i32>) -> i32 {
    let seat = usize::from(state.to_act);
    if state.over {
        return state.discs()[seat].count_ones() as i32 - state.discs()[1 - seat].count_ones() as i32;
    }
    if let Some(&margin) = known.get(state) {
        return margin;
    }
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let after = |action| {
        let mut next = *state;
        game.apply(&mut next, seat, action);
        -best_margin(game, &next, known)
    };
    let margin = actions.into_iter().map(after).max().expect("somebody is to act");
    known.insert(*state, margin);
    margin
}

#[test]
fn on_4_by_4_the_second_player_wins_by_eight() {
    let game = Othello::new(4);
    assert_eq!(best_margin(&game, &game.initial_state(), &mut HashMap::new()), -8);
}

// Paths of `depth` plies, and shorter ones to a game's end: what is published as Othello's perft.
fn count_with_ends(game: &Othello, state: &State, depth: u32) -> u64 {
    if state.over || depth == 0 {
        return 1;
    }
    if depth == 1 {
        return game.count_actions(state, state.to_act.into(), &mut Vec::new()) as u64;
    }
    let mut actions = Vec::new();
    game.legal_actions(state, state.to_act.into(), &mut actions);
    let after = |action| {
        let mut next = *state;
        game.apply(&mut next, state.to_act.into(), action);
        count_with_ends(game, &next, depth - 1)
    };
    actions.into_iter().map(after).sum()
}

#[test]
fn published_counts_include_games_that_are_over_sooner() {
    let game = Othello::new(8);
    let published = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800];
    let n_depths = if std::env::var_os("RAICHI_NIGHTLY").is_some() { 11 } else { 9 };
    for (depth, &count) in (1..).zip(&published[..n_depths]) {
        assert_eq!(count_with_ends(&game, &game.initial_state(), depth), count, "depth {depth}");
    }
}

#[test]
fn sizes_are_even_from_4_to_10() {
    for (spec, canonical) in
        [("othello", "othello"), ("othello:size=8", "othello"), ("othello:size=10", "othello:size=10")]
    {
        assert_eq!(crate::game(spec).map(|game| game.spec().to_string()).as_deref(), Ok(canonical));
    }
    for size in [2, 5, 7, 9, 12] {
        let error = crate::game(&format!("othello:size={size}")).err().expect("no such board").to_string();
        assert_eq!(error, format!("`size={size}`: size is a whole number from 4 to 10 in steps of 2"));
    }
}

#[test]
fn symmetries_are_those_of_the_square() {
    let game = Othello::new(10);
    let map = |symmetry, text| match game.map_action(symmetry, Action::Place(game.parse_cell(text).unwrap())) {
        Action::Place(cell) => game.cell_text(cell),
        Action::Pass => "pass".into(),
    };
    assert_eq!([map(1, "b4"), map(2, "b4"), map(4, "b4"), map(7, "b4")], ["i4", "b7", "d2", "g9"]);
    assert_eq!(game.map_action(5, Action::Pass), Action::Pass);
    // The start looks the same along both diagonals, and with the colours exchanged in a mirror.
    let start = game.initial_state();
    for symmetry in [3, 4, 7] {
        assert_eq!(game.map_state(symmetry, &start), start);
    }
    assert_eq!(game.map_state(1, &start).discs(), [start.discs()[1], start.discs()[0]]);
}

#[test]
fn the_picture_is_a_board_with_row_1_on_top() {
    let game = Othello::new(6);
    let picture = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator);
    let board = &picture.areas[0];
    assert_eq!((board.cells.len(), board.pieces.len(), picture.buttons.len()), (36, 4, 0));
    let cell = |id: &str| board.cells.iter().find(|cell| cell.id == id).expect("the cell is drawn");
    assert!(cell("a1").y < cell("a6").y && cell("a1").x < cell("f1").x);
    let tone = |id: &str| board.pieces.iter().find(|piece| piece.cell == id).map(|piece| piece.tone);
    assert_eq!([tone("c3"), tone("d3"), tone("a1")], [Some(Tone::Seat(1)), Some(Tone::Seat(0)), None]);
}

/// The same rules the plain way: cell by cell, step by step.
struct Plain {
    size: i32,
    board: Vec<Vec<char>>,
    to_act: usize,
}

impl Plain {
    fn at(&self, column: i32, row: i32) -> Option<char> {
        let inside = (0..self.size).contains(&column) && (0..self.size).contains(&row);
        inside.then(|| self.board[row as usize][column as usize])
    }

    fn turned(&self, seat: usize, column: i32, row: i32) -> Vec<(i32, i32)> {
        let (own, foe) = (['X', 'O'][seat], ['O', 'X'][seat]);
        let mut turned = Vec::new();
        if self.at(column, row) != Some('.') {
            return turned;
        }
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let mut n = 1;
            while self.at(column + n * dx, row + n * dy) == Some(foe) {
                n += 1;
            }
            if self.at(column + n * dx, row + n * dy) == Some(own) {
                turned.extend((1..n).map(|i| (column + i * dx, row + i * dy)));
            }
        }
        turned
    }

    fn placements(&self, seat: usize) -> Vec<String> {
        let cells = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        let enclosing = cells.filter(|&(column, row)| !self.turned(seat, column, row).is_empty());
        enclosing.map(|(column, row)| format!("{}{}", (b'a' + column as u8) as char, row + 1)).collect()
    }

    /// `None` when the game is over.
    fn legal(&self) -> Option<Vec<String>> {
        match (self.placements(self.to_act), self.placements(1 - self.to_act)) {
            (own, others) if own.is_empty() && others.is_empty() => None,
            (own, _) if own.is_empty() => Some(vec!["pass".into()]),
            (own, _) => Some(own),
        }
    }

    fn play(&mut self, text: &str) {
        if text != "pass" {
            let (column, row) = (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().unwrap() - 1);
            for (x, y) in self.turned(self.to_act, column, row).into_iter().chain([(column, row)]) {
                self.board[y as usize][x as usize] = ['X', 'O'][self.to_act];
            }
        }
        self.to_act = 1 - self.to_act;
    }
}

#[test]
fn random_games_agree_with_a_plain_board() {
    let (mut n_passes, mut n_not_full) = (0, 0);
    for (size, n_games) in [(4, 200), (6, 60), (8, 40), (10, 25)] {
        let game = Othello::new(size);
        for seed in 0..n_games {
            let mut rng = stream(seed, "plain board", size.into());
            let mut state = game.initial_state();
            let board = drawing(&game, &state).split(' ').map(|row| row.chars().collect()).collect();
            let mut plain = Plain { size: size.into(), board, to_act: 0 };
            while let Phase::Act(seats) = game.phase(&state) {
                let seat = seats.first();
                assert_eq!(seat, plain.to_act);
                let mut actions = Vec::new();
                game.legal_actions(&state, seat, &mut actions);
                let texts: Vec<String> = actions.iter().map(|&action| game.action_text(&state, seat, action)).collect();
                assert_eq!(Some(&texts), plain.legal().as_ref());
                let nth = index(&mut rng, actions.len());
                n_passes += u32::from(actions[nth] == Action::Pass);
                game.apply(&mut state, seat, actions[nth]);
                plain.play(&texts[nth]);
                assert_eq!(
                    drawing(&game, &state),
                    plain.board.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
                );
            }
            assert_eq!(plain.legal(), None);
            n_not_full += u32::from(state.discs()[0] | state.discs()[1] != game.board);
        }
    }
    assert!(n_passes > 100 && n_not_full > 20, "{n_passes} passes, {n_not_full} ends before the board was full");
}

#[test]
fn random_actions_are_uniform_on_boards_of_one_word_and_of_two() {
    for (size, history) in [(8, ""), (10, "")] {
        let game = after(size, history);
        let mut rng = stream(1, "uniform", 0);
        let mut counts: HashMap<Action, i32> = HashMap::new();
        for _ in 0..8_000 {
            *counts.entry(game.game().random_action(game.state(), 0, &mut Vec::new(), &mut rng)).or_default() += 1;
        }
        // Five standard deviations of a binomial with p = 1/4.
        assert!(counts.len() == 4 && counts.values().all(|count| (count - 2_000).abs() < 194), "{counts:?}");
    }
}

fn set_up(size: u8, text: &str) -> (Othello, State) {
    let game = Othello::new(size);
    let state = game.parse_position(text).unwrap_or_else(|why| panic!("{text}: {why}")).state;
    (game, state)
}

#[test]
fn positions_are_rows_and_the_seat_to_act() {
    assert_eq!(after(8, "").position_text(Viewer::Spectator), "8/8/8/3OX3/3XO3/8/8/8 0");
    assert_eq!(after(8, "d3 c3").position_text(Viewer::Spectator), "8/8/2OX4/3OX3/3XO3/8/8/8 0");
    assert_eq!(after(10, "").position_text(Viewer::Spectator), "10/10/10/10/4OX4/4XO4/10/10/10/10 0");
    let (game, state) = set_up(4, "XO2/4/4/2OX 1");
    assert_eq!((drawing(&game, &state).as_str(), state.to_act), ("XO.. .... .... ..OX", 1));
}

#[test]
fn positions_are_read_cell_by_cell_as_collections_write_them() {
    // The first of FForum's endgames; all moves and their values are listed behind the position.
    let line = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;";
    let (game, state) = set_up(8, line);
    assert_eq!((legal(&game, &state).as_str(), state.to_act), ("h5 f6 g6 h6", 0));
    let rows = "XXXOXXXX/OXXXXXXX/OOXXXXXX/OOOXXXXX/OOOXXOO1/OOOOO3/OOOOOOO1/OOOOOOO1 0";
    assert_eq!(game.position_text(&state, Viewer::Spectator), rows);
    assert_eq!(set_up(8, rows).1, state);
    for size in SIZES {
        let game = Othello::new(size);
        for state in [game.initial_state(), game.position([0, game.board], 1)] {
            let cells = drawing(&game, &state).replace(' ', "").replace('.', "-");
            for behind in ["", ";", " ; % whatever / follows"] {
                let text = format!("{cells} {}{behind}", DISCS[usize::from(state.to_act)]);
                assert_eq!(set_up(size, &text).1, state);
            }
        }
    }
}

#[test]
fn a_position_set_up_may_leave_only_a_pass_or_nothing_at_all() {
    for text in ["XO2/4/4/2OX 1", "XO------------OX O; pass"] {
        let (game, state) = set_up(4, text);
        let mut actions = Vec::new();
        game.legal_actions(&state, 1, &mut actions);
        assert_eq!((game.phase(&state), actions), (Phase::seat(1), vec![Action::Pass]), "{text}");
    }
    for (text, payoffs) in [("4/4/4/4 1", [0.0, 0.0]), ("X3/4/4/4 1", [1.0, -1.0]), ("OOOOOOOOOOOOOOOO X", [-1.0, 1.0])]
    {
        let (game, state) = set_up(4, text);
        assert_eq!((game.phase(&state), game.payoffs(&state).as_slice()), (Phase::Over, payoffs.as_slice()), "{text}");
    }
}

#[test]
fn what_is_no_position_is_refused_where_it_goes_wrong() {
    let cells = "------OXXO------";
    for (text, says) in [
        (
            "",
            "character 1: the text ends here; expected the board, like 8/8/8/3OX3/3XO3/8/8/8, or every cell as X, O or -",
        ),
        ("4/1OX1/1XO1/4", "character 14: the text ends here; expected the seat to act, 0 to 1"),
        ("4/1OX1/1XO1/4 X", "character 15: `X` cannot stand here; expected the seat to act, 0 to 1"),
        ("4/1OX1/1XO1/4 0; a1", "character 15: `0;` cannot stand here; expected the seat to act"),
        (
            "4/1OB1/1XO1/4 0",
            "character 5: `B` cannot stand here; expected X or O, or a number of empty cells (row 2 has 4)",
        ),
        (
            "------oxxo------ X",
            "character 7: `o` cannot stand here; expected 16 cells from a1 row by row, each X, O or -",
        ),
        (&format!("{cells}- X"), "character 17: `-` cannot stand here; expected 16 cells"),
        (
            "------OXXO----- X",
            "character 16: the text ends here; expected 16 cells from a1 row by row, each X, O or -, and there are 15",
        ),
        (cells, "character 17: the text ends here; expected X or O, who is to move"),
        (&format!("{cells}; X"), "character 17: the text ends here; expected X or O, who is to move"),
        (&format!("{cells} 0"), "character 18: `0` cannot stand here; expected X or O, who is to move"),
        (&format!("{cells} X O"), "character 20: `O` cannot stand here; expected the end of the text"),
    ] {
        let error = Othello::new(4).parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn a_seat_sees_its_own_discs_as_1() {
    let (game, state) = position("XO.. .... .X.. ..OX", 1);
    let observe = |seat| {
        let mut observation = [-1; 17];
        game.observe(&state, seat, &mut observation);
        observation
    };
    assert_eq!(observe(0), [1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 1, 2]);
    assert_eq!(observe(1), [2, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 2, 1]);
    // All sizes lie row by row, however many bits a row takes.
    for size in SIZES {
        let mut game = after(size, "");
        let mut rng = stream(2, "observed", size.into());
        while game.phase() != Phase::Over {
            game.play_random(usize::from(game.state().to_act), &mut Vec::new(), &mut rng).expect("it is to act");
            let mut observation = vec![-1; game.game().layout().len()];
            AnyMatch::observe(&game, 0, &mut observation);
            let seen: String =
                observation[..observation.len() - 1].iter().map(|&entry| [".", "X", "O"][entry as usize]).collect();
            assert_eq!(seen, drawing(game.game(), game.state()).replace(' ', ""));
        }
    }
}

#[test]
fn actions_are_numbered_row_by_row_and_the_pass_last() {
    for size in SIZES {
        let game = Othello::new(size);
        let n_cells = u64::from(size) * u64::from(size);
        assert_eq!((game.n_actions(), game.action_number(Action::Pass)), (n_cells + 1, n_cells));
        let text =
            |number| game.action_text(&game.initial_state(), 0, game.numbered_action(number).expect("an action"));
        assert_eq!([text(0), text(u64::from(size)), text(n_cells)], ["a1", "a2", "pass"]);
        assert!((0..=n_cells).all(|number| game.action_number(game.numbered_action(number).unwrap()) == number));
    }
}
