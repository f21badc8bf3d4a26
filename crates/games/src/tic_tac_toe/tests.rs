//! The rule book, clause by clause.

use raichi_core::{Match, Phase, Viewer};

use super::TicTacToe;

fn after(history: &str) -> Match<TicTacToe> {
    let mut game = Match::new(TicTacToe);
    game.play_history(history).expect("the test's history is legal");
    game
}

fn drawn(history: &str) -> String {
    after(history).sketch(Viewer::Spectator).to_string()
}

#[test]
fn a1_is_top_left_and_seat_0_is_x() {
    assert_eq!(drawn("a1 b1 c3"), "1  X O .\n2  . . .\n3  . . X\n   a b c\n");
}

#[test]
fn every_line_wins() {
    for line in [
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
        ["a3", "b3", "c3"],
        ["a1", "a2", "a3"],
        ["b1", "b2", "b3"],
        ["c1", "c2", "c3"],
        ["a1", "b2", "c3"],
        ["a3", "b2", "c1"],
    ] {
        // O answers on cells that make no line of their own and are not in X's.
        let mut game = Match::new(TicTacToe);
        let free: Vec<&str> = ["b1", "a2", "c2", "b3", "a1", "c3"].into_iter().filter(|c| !line.contains(c)).collect();
        game.play_history(&format!("{} {} {} {} {}", line[0], free[0], line[1], free[1], line[2])).unwrap();
        assert_eq!(game.end_reason(), Some("line"), "{line:?}");
        assert_eq!(game.payoffs().as_slice(), [1.0, -1.0]);
    }
}

#[test]
fn a_full_board_without_a_line_is_drawn_and_a_line_on_the_last_cell_wins() {
    let draw = after("a1 b1 c1 b2 a2 c2 b3 a3 c3");
    assert_eq!((draw.end_reason(), draw.payoffs().as_slice()), (Some("full"), [0.0, 0.0].as_slice()));
    let win = after("a1 b1 c1 a2 b2 c2 b3 a3 c3");
    assert_eq!((win.end_reason(), win.payoffs()[0]), (Some("line"), 1.0));
}

#[test]
fn a_taken_cell_and_a_finished_game_are_refused() {
    let error = after("b2").play_text(1, "b2").unwrap_err();
    assert_eq!(error.to_string(), "`b2` is not legal: there is a mark on that cell already");
    let error = after("b2").play_text(1, "d4").unwrap_err();
    assert_eq!(error.to_string(), "`d4` is not understood; expected a cell from a1 to c3");
    let mut over = after("a1 a2 b1 b2 c1");
    assert_eq!(over.phase(), Phase::Over);
    assert_eq!(over.play_text(1, "c3").unwrap_err().code(), "play/over");
}

#[test]
fn there_are_255168_games() {
    use raichi_core::game::Game;
    fn games(state: &<TicTacToe as Game>::State) -> u32 {
        let Phase::Act(seats) = TicTacToe.phase(state) else { return 1 };
        let mut actions = Vec::new();
        TicTacToe.legal_actions(state, seats.first(), &mut actions);
        let after = |action| {
            let mut next = *state;
            TicTacToe.apply(&mut next, seats.first(), action);
            next
        };
        actions.into_iter().map(|action| games(&after(action))).sum()
    }
    assert_eq!(games(&TicTacToe.initial_state()), 255_168);
}
