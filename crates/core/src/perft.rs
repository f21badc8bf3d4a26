//! Perft: the number of legal paths of exactly n plies, the field's check that two programs play the same game.
//! Games that end sooner are not counted. Outcomes of chance count like actions; where several seats may act, each
//! seat's actions are counted.

use crate::game::{Game, Phase};

/// The number of legal paths of exactly `depth` plies from `state`.
///
/// The last ply is counted, not played ([`Game::count_actions`]).
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut buffers: Vec<Buffers<G>> =
        (0..depth).map(|_| Buffers { actions: Vec::new(), outcomes: Vec::new() }).collect();
    count(game, state, &mut buffers)
}

struct Buffers<G: Game> {
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Outcome, u64)>,
}

// One buffer a ply still to go, so that nothing is allocated on the way.
fn count<G: Game>(game: &G, state: &G::State, buffers: &mut [Buffers<G>]) -> u64 {
    let Some((buffer, deeper)) = buffers.split_last_mut() else { return 1 };
    let mut total = 0;
    match game.phase(state) {
        Phase::Over => {}
        Phase::Chance => {
            buffer.outcomes.clear();
            game.outcomes(state, &mut buffer.outcomes);
            if deeper.is_empty() {
                return buffer.outcomes.len() as u64;
            }
            for &(outcome, _) in &buffer.outcomes {
                let mut next = state.clone();
                game.apply_outcome(&mut next, outcome);
                total += count(game, &next, deeper);
            }
        }
        Phase::Act(seats) => {
            for seat in seats.iter() {
                if deeper.is_empty() {
                    total += game.count_actions(state, seat, &mut buffer.actions) as u64;
                    continue;
                }
                buffer.actions.clear();
                game.legal_actions(state, seat, &mut buffer.actions);
                for &action in &buffer.actions {
                    let mut next = state.clone();
                    game.apply(&mut next, seat, action);
                    total += count(game, &next, deeper);
                }
            }
        }
    }
    total
}
