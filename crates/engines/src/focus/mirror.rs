//! Symmetric play for the second seat: each move is answered by the same move after half a turn of the board.
//!
//! Source: Paul Yearout, in Gardner's *Four Unusual Board Games*: the second player can always draw by symmetry.
//! Promise: with no rule against it (`rule=none`) the second seat never loses, whatever the first one does.
//!
//! Proof. Call a position *balanced* if half a turn of the board, and the reserves taken by the other seat, give the same
//! position with the colours exchanged. The first position is balanced, with seat 0 to move. Let a position with seat 0 to
//! move be balanced, and let seat 0 move from cell c to cell d, or put a reserve on d. Half a turn sends the cell of column i
//! and row j (from 0) to column 7 − i and row 7 − j. Since i = 7 − i has no solution in whole numbers, no cell lies in the
//! row or the column of its own image; so c, which is in the row or the column of d, is neither the image of d nor of
//! itself, and d is not its own image. The move therefore changes nothing on the images of c and d, nor in the reserve of
//! seat 1. There stands what stood on c and d, with the colours exchanged: the turned move is legal. It has the same effect
//! there, with the colours exchanged, surplus included. So the position after it is balanced again, and seat 1 always has
//! an action. Seat 1 loses only when it has none; repetitions, quiet plies and the cap are draws. Hence it never loses. Nor
//! does seat 0 while both play so: to be stuck, neither would have a pile, and the seat that moved last has one.
//!
//! Checked: in random games the turned move is legal and balances the board; matches in `agents/tests`.

use raichi_core::game::Game;
use raichi_games::focus::{Action, Focus, Rule, State};

/// Why symmetric play is of no use by these rules; `None` where it is.
pub fn refusal(game: &Focus) -> Option<&'static str> {
    match game.rule() {
        Rule::None => None,
        Rule::DrawWins => Some("it plays with rule=none only: by draw-wins its draws are lost"),
        Rule::Exchange => Some("it plays with rule=none only: the exchange breaks the symmetry that it keeps"),
    }
}

/// The answer of seat 1: the move of seat 0 after half a turn. Where that is not known, since play began here, any after which
/// half a turn of the board exchanges the colours; `None` where there is none.
pub fn reply(game: &Focus, state: &State, last: Option<Action>) -> Option<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, 1, &mut actions);
    // The turned move is tried first: now and then another one balances the board as well.
    let turned = last.map(Action::half_turned);
    actions.sort_by_key(|&action| Some(action) != turned);
    actions.into_iter().find(|&action| {
        let mut after = *state;
        game.apply(&mut after, 1, action);
        after.is_balanced()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::{index, stream};

    #[test]
    fn the_turned_move_is_there_after_every_action_of_random_games() {
        let game = Focus::new(Rule::None);
        for seed in 0..60 {
            let (mut state, mut rng) = (game.initial_state(), stream(seed, "test", 0));
            assert!(state.is_balanced());
            for _ in 0..150 {
                let mut actions = Vec::new();
                game.legal_actions(&state, 0, &mut actions);
                let action = actions[index(&mut rng, actions.len())];
                game.apply(&mut state, 0, action);
                assert!(game.is_legal(&state, 1, action.half_turned()), "{action:?}");
                assert_eq!(reply(&game, &state, Some(action)), Some(action.half_turned()));
                assert!(reply(&game, &state, None).is_some(), "{action:?}");
                game.apply(&mut state, 1, action.half_turned());
                assert!(state.is_balanced(), "{action:?}");
            }
        }
    }

    #[test]
    fn no_cell_lies_in_line_with_its_image() {
        for cell in 0..64u8 {
            let image = 63 - cell;
            assert!(cell / 8 != image / 8 && cell % 8 != image % 8);
        }
    }
}
