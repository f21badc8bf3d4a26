//! A line of play as tokens of a history.

use raichi_core::erased::Playable;
use raichi_core::game::{Choice, Phase};
use raichi_core::path::{PathGame, PathState};
use raichi_core::seat::Seat;

/// The canonical text of an action, with its seat where several may act.
pub(crate) fn token<G: Playable>(game: &PathGame<G>, state: &PathState<G>, seat: Seat, action: G::Action) -> String {
    let text = game.action_text(state, seat, action);
    match game.phase(state) {
        Phase::Act(seats) if seats.len() > 1 => format!("{seat}:{text}"),
        _ => text,
    }
}

/// The tokens of `choices`, made one after the other from `state`.
pub(crate) fn tokens<G: Playable>(game: &PathGame<G>, state: &PathState<G>, choices: &[Choice<G>]) -> Vec<String> {
    let mut state = state.clone();
    let mut tokens = Vec::with_capacity(choices.len());
    for &choice in choices {
        tokens.push(match choice {
            Choice::Outcome(outcome) => game.outcome_text(&state, outcome),
            Choice::Action(seat, action) => token(game, &state, seat, action),
        });
        game.play(&mut state, choice);
    }
    tokens
}

/// The same for actions alone, where chance has no part and no two seats act together.
pub(crate) fn tokens_of_actions<G: Playable>(
    game: &PathGame<G>,
    state: &PathState<G>,
    actions: &[G::Action],
) -> Vec<String> {
    let mut state = state.clone();
    let mut tokens = Vec::with_capacity(actions.len());
    for &action in actions {
        let Phase::Act(seats) = game.phase(&state) else { break };
        tokens.push(game.action_text(&state, seats.first(), action));
        game.apply(&mut state, seats.first(), action);
    }
    tokens
}
