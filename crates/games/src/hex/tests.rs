//! The rule book, clause by clause.

use raichi_core::game::Game;
use raichi_core::random::{index, stream};
use raichi_core::{AnyMatch, Encoding, Match, Notation, Phase, Scene, View, Viewer};

use super::board::STEPS;
use super::{Hex, State};

fn after(size: u8, swap: bool, history: &str) -> Match<Hex> {
    let mut game = Match::new(Hex::new(size, swap));
    game.play_history(history).expect("the test's history is legal");
    game
}

#[test]
fn a1_is_top_left_and_rows_lie_half_a_cell_further_right() {
    let drawing = after(3, false, "a1 b1 a3 c2").sketch(Viewer::Spectator).to_string();
    assert_eq!(drawing, "   a b c\n 1 X O .\n  2 . . O\n   3 X . .\n");
    let game = Hex::new(3, false);
    let cells = game.picture(&Scene::of(&game.initial_state()), Viewer::Spectator).areas.remove(0).cells;
    assert!((cells[3].x - cells[0].x - 0.5).abs() < 1e-9);
}

#[test]
fn black_joins_top_and_bottom() {
    let won = after(3, false, "b1 a1 b2 a2 a3");
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("connection"), [1.0, -1.0].as_slice()));
    let across = after(3, false, "a2 a1 b2 b1 c2");
    assert_eq!(across.end_reason(), None, "left to right is White's way");
}

#[test]
fn white_joins_left_and_right() {
    let won = after(3, false, "a1 a3 b1 b3 a2 c2");
    assert_eq!((won.end_reason(), won.payoffs().as_slice()), (Some("connection"), [-1.0, 1.0].as_slice()));
}

#[test]
fn neighbours_are_the_six_of_the_contract() {
    // (c, r ± 1), (c + 1, r − 1) and (c − 1, r + 1) join; (c − 1, r − 1) and (c + 1, r + 1) do not.
    for (history, joined) in
        [("b1 a1 b2 c1 b3", true), ("c1 a1 b2 b1 a3", true), ("a1 b1 b2 c1 b3", false), ("b1 a1 b2 c1 c3", false)]
    {
        assert_eq!(after(3, false, history).end_reason().is_some(), joined, "{history}");
    }
}

#[test]
fn a_chain_closed_in_its_middle_is_seen() {
    let won = after(5, false, "a1 b1 a2 b2 a4 b4 a5 b5 a3");
    assert_eq!(won.end_reason(), Some("connection"));
}

#[test]
fn the_swap_mirrors_the_stone_and_black_moves() {
    let game = after(3, true, "b1 swap");
    assert_eq!(game.phase(), Phase::seat(0));
    assert_eq!(game.sketch(Viewer::Spectator).to_string(), "   a b c\n 1 . . .\n  2 O . .\n   3 . . .\n");
    assert_eq!(game.plies()[1].marks, ["a2"]);
    assert!(AnyMatch::legal(&game, 0).contains(&"b1".to_string()));
    // White's stone is joined to the left rim from where it came to lie.
    assert_eq!(after(3, true, "b1 swap b1 b2 c1 c2").payoffs().as_slice(), [-1.0, 1.0]);
}

#[test]
fn the_swap_is_whites_first_action_only() {
    for history in ["", "a1 b1", "a1 swap", "a1 b1 c1", "a1 swap b2"] {
        let game = after(3, true, history);
        let Phase::Act(seats) = game.phase() else { panic!("nobody has won yet") };
        assert!(!AnyMatch::legal(&game, seats.first()).contains(&"swap".to_string()), "{history}");
        let error = game.clone().play_text(seats.first(), "swap").unwrap_err().to_string();
        assert_eq!(error, "`swap` is not legal: only White's first action may be the swap");
    }
    assert_eq!(AnyMatch::legal(&after(3, true, "a1"), 1).len(), 9);
    assert_eq!(AnyMatch::legal(&after(3, false, "a1"), 1).len(), 8);
    let error = after(3, false, "a1").play_text(1, "swap").unwrap_err().to_string();
    assert_eq!(error, "`swap` is not understood; expected a cell from a1 to c3");
}

#[test]
fn a_taken_cell_is_refused() {
    let error = after(19, false, "s19").play_text(1, "s19").unwrap_err().to_string();
    assert_eq!(error, "`s19` is not legal: there is a stone on that cell already");
    let error = after(11, true, "k11").play_text(1, "l1").unwrap_err().to_string();
    assert_eq!(error, "`l1` is not understood; expected a cell from a1 to k11 or swap");
}

// A search from the rim, for every position anew.
fn has_joined(game: &Hex, state: &State, seat: usize) -> bool {
    let size = game.board.size;
    let own = |column: u8, row: u8| {
        column < size
            && row < size
            && game.stone(state, u16::from(row) * u16::from(size) + u16::from(column)) == Some(seat)
    };
    let start = |i| if seat == 0 { (i, 0) } else { (0, i) };
    let mut found: Vec<(u8, u8)> = (0..size).map(start).filter(|&(column, row)| own(column, row)).collect();
    let mut next = 0;
    while let Some(&(column, row)) = found.get(next) {
        for (dx, dy) in STEPS {
            let (Some(x), Some(y)) = (column.checked_add_signed(dx), row.checked_add_signed(dy)) else { continue };
            if own(x, y) && !found.contains(&(x, y)) {
                found.push((x, y));
            }
        }
        next += 1;
    }
    found.iter().any(|&(column, row)| [row, column][seat] == size - 1)
}

#[test]
fn what_is_joined_is_found_as_by_a_plain_search_and_nobody_draws() {
    for size in [2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 17, 19] {
        let game = Hex::new(size, size % 2 == 0);
        for seed in 0..if size < 9 { 60 } else { 6 } {
            let mut rng = stream(seed, "plain search", size.into());
            let mut state = game.initial_state();
            while let Phase::Act(seats) = game.phase(&state) {
                let seat = seats.first();
                let action = game.random_action(&state, seat, &mut Vec::new(), &mut rng);
                game.apply(&mut state, seat, action);
                assert_eq!(game.phase(&state) == Phase::Over, has_joined(&game, &state, seat));
                assert!(!has_joined(&game, &state, 1 - seat));
            }
        }
    }
}

// A game of random actions in which `n_empty` cells are left and nobody has won.
fn late(size: u8, n_empty: usize) -> Match<Hex> {
    let mut games = (0..).map(|seed| {
        let mut rng = stream(seed, "late", 0);
        let mut game = Match::new(Hex::new(size, true));
        while let Phase::Act(seats) = game.phase() {
            let actions = game.legal_actions(seats.first());
            if actions.len() == n_empty {
                break;
            }
            game.play(seats.first(), actions[index(&mut rng, actions.len())]).expect("the action is listed");
        }
        game
    });
    games.find(|game| game.phase() != Phase::Over).expect("some random game goes on so long")
}

#[test]
fn random_actions_are_uniform_at_the_swap_and_when_few_cells_are_left() {
    let mut rng = stream(1, "uniform", 0);
    for game in [after(3, true, "a2"), late(5, 3), late(5, 4)] {
        let Phase::Act(seats) = game.phase() else { panic!("nobody has won") };
        let actions = game.legal_actions(seats.first());
        let mut counts = [0i32; 26];
        for _ in 0..9_000 {
            counts[usize::from(game.game().random_action(game.state(), seats.first(), &mut Vec::new(), &mut rng))] += 1;
        }
        for action in 0..26 {
            let expected = if actions.contains(&action) { 9_000 / actions.len() as i32 } else { 0 };
            // Five standard deviations of a binomial with p = 1/3.
            assert!((counts[usize::from(action)] - expected).abs() < 224, "{actions:?}: {counts:?}");
        }
    }
}

#[test]
fn each_seat_has_its_colour_on_its_own_rims() {
    let game = Hex::new(4, true);
    let mut state = game.initial_state();
    let board = game.picture(&Scene::of(&state), Viewer::Spectator).areas.remove(0);
    assert_eq!(board.lines.len(), 8, "a line below each of the four");
    for line in &board.lines {
        assert!(line.points.iter().all(|&(x, y)| (0.0..board.width).contains(&x) && (0.0..board.height).contains(&y)));
    }
    assert!(game.picture(&Scene::of(&state), Viewer::Spectator).buttons.is_empty());
    game.apply(&mut state, 0, 5);
    assert_eq!(game.picture(&Scene::of(&state), Viewer::Spectator).buttons[0].id, "swap");
}

#[test]
fn positions_are_rows_and_the_seat_to_act() {
    let text = |swap, history: &str| after(3, swap, history).position_text(Viewer::Spectator);
    assert_eq!(text(false, ""), "3/3/3 0");
    assert_eq!(text(false, "b1 a1 b2"), "WB1/1B1/3 1");
    assert_eq!(text(true, "b1 swap"), "3/W2/3 0");
    assert_eq!(text(false, "b1 a1 b2 a2 a3"), "WB1/WB1/B2 1");
    let read = |game: &Hex, text: &str| game.parse_position(text).unwrap_or_else(|why| panic!("{text}: {why}")).state;
    let won = read(&Hex::new(3, false), "WB1/WB1/B2 1");
    assert_eq!(
        (Hex::new(3, false).phase(&won), &won),
        (Phase::Over, after(3, false, "b1 a1 b2 a2 a3").state().position())
    );
    let far = after(19, false, "s19 a19 s1").position_text(Viewer::Spectator);
    assert!(far.starts_with("18B/19/") && far.ends_with("/19/W17B 1"), "{far}");
    assert_eq!(&read(&Hex::new(19, false), &far), after(19, false, "s19 a19 s1").state().position());
}

#[test]
fn a_position_says_whether_white_may_swap() {
    let game = Hex::new(3, true);
    for (text, may_swap) in [
        ("3/1B1/3 1", true),
        ("3/1B1/3 0", false),
        ("3/1W1/3 0", false),
        // White has put its first stone already.
        ("3/1W1/3 1", false),
        ("B2/1B1/3 1", false),
        ("3/3/3 1", false),
    ] {
        let state = game.parse_position(text).expect("a position").state;
        let seat = usize::from(state.to_act);
        assert_eq!(game.is_legal(&state, seat, game.swap_action()), may_swap, "{text}");
        let mut actions = Vec::new();
        game.legal_actions(&state, seat, &mut actions);
        assert_eq!(
            (actions.contains(&9), actions.len()),
            (may_swap, game.count_actions(&state, seat, &mut Vec::new()))
        );
        let plain = Hex::new(3, false);
        let state = plain.parse_position(text).expect("a position without a swap too").state;
        assert_eq!(plain.count_actions(&state, seat, &mut Vec::new()), actions.len() - usize::from(may_swap));
    }
}

#[test]
fn what_is_no_position_is_refused_where_it_goes_wrong() {
    for (text, says) in [
        ("1B1/1B1/1B1 0", "character 1: `1B1/1B1/1B1` cannot stand here; expected no chain of B, who is to act"),
        ("3/WWW/3 1", "expected no chain of W, who is to act: the seat that joins both rims has won"),
        ("3/3/2X 0", "character 6: `X` cannot stand here; expected B or W, or a number of empty cells (row 3 has 3)"),
        ("3/3 0", "character 4: the text ends here; expected 3 rows with / between them, and there are 2"),
        ("3/3/4 0", "character 5: `4` cannot stand here; expected at most 3 cells in row 3"),
        ("3/3/3", "character 6: the text ends here; expected the seat to act, 0 to 1"),
        ("3/3/3 0 swap", "character 9: `swap` cannot stand here; expected the end of the text"),
        ("", "expected the board, row by row, like 3/1B1/3"),
    ] {
        let error = Hex::new(3, true).parse_position(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn each_seat_sees_its_own_stones_and_rims() {
    let game = after(3, true, "b1 a3 c2");
    let observe = |seat| {
        let mut observation = [-1; 11];
        AnyMatch::observe(&game, seat, &mut observation);
        observation
    };
    assert_eq!(observe(0), [0, 1, 0, 0, 0, 1, 2, 0, 0, 2, 0]);
    assert_eq!(observe(1), [0, 2, 0, 0, 0, 2, 1, 0, 0, 1, 1]);
    let text =
        |number| game.game().numbered_action(number).map(|action| game.game().action_text(game.state(), 1, action));
    assert_eq!(
        [text(0), text(3), text(9), text(10)],
        ["a1", "a2", "swap", ""].map(|text| (!text.is_empty()).then(|| text.into()))
    );
    assert_eq!((game.game().n_actions(), Hex::new(19, false).n_actions()), (10, 361));
}
