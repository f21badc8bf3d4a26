//! A line of play as tokens of a history.

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::path::{PathGame, PathState};

/// The tokens of `choices`, made one after the other from `state`.
pub(crate) fn tokens<G: Playable>(game: &PathGame<G>, state: &PathState<G>, choices: &[Choice<G>]) -> Vec<String> {
    let mut state = state.clone();
    let token = |&choice: &Choice<G>| {
        let token = match choice {
            Choice::Outcome(outcome) => game.outcome_text(&state, outcome),
            Choice::Action(seat, action) => {
                let text = game.action_text(&state, seat, action);
                let several = matches!(game.phase(&state), Phase::Act(seats) if seats.len() > 1);
                if several { format!("{seat}:{text}") } else { text }
            }
        };
        game.play(&mut state, choice);
        token
    };
    choices.iter().map(token).collect()
}
