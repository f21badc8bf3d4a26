//! Escapes, catches, closes the way, else captures where it can.

use raichi_core::game::{Game, Phase};
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;
use raichi_games::tablut::board::{BESIDE, CASTLE, Cells, EDGE, bit};
use raichi_games::tablut::{Action, Side, State, Tablut};
use raichi_search::PlayoutPolicy;

use super::Ways;

/// The king escapes where he can; the Muscovites catch him where they can, and else close an open way. Elsewhere an action
/// that captures is preferred among a few drawn at random.
#[derive(Clone, Debug)]
pub(super) struct Hunts;

/// How many actions are drawn until one captures.
const DRAWS: usize = 3;

impl Hunts {
    // Some legal action of those that are wanted.
    fn among(
        game: &Tablut,
        state: &State,
        seat: Seat,
        scratch: &mut Vec<Action>,
        rng: &mut FastRng,
        is_wanted: impl Fn(Action) -> bool,
    ) -> Option<Action> {
        scratch.clear();
        game.legal_actions(state, seat, scratch);
        scratch.retain(|&action| is_wanted(action));
        (!scratch.is_empty()).then(|| scratch[index(rng, scratch.len())])
    }

    fn catches(game: &Tablut, state: &State, seat: Seat, action: Action) -> bool {
        let mut next = *state;
        game.apply(&mut next, seat, action);
        game.phase(&next) == Phase::Over && game.payoffs(&next)[seat] > 0.0
    }
}

impl PlayoutPolicy<Tablut> for Hunts {
    fn choose(
        &self,
        game: &Tablut,
        state: &State,
        seat: Seat,
        _last: Option<Action>,
        scratch: &mut Vec<Action>,
        rng: &mut FastRng,
    ) -> Action {
        let on_open = Ways::open_to(game, state);
        let king = state.king();
        let decisive = match state.to_act() {
            Side::White if on_open != 0 => {
                let escapes = |action: Action| action.cells().0 == king && bit(action.cells().1) & EDGE != 0;
                Hunts::among(game, state, seat, scratch, rng, escapes)
            }
            Side::White => None,
            Side::Black => {
                let last_side = last_side_of_king(state);
                let catches = |action: Action| {
                    bit(action.cells().1) & last_side != 0 && Hunts::catches(game, state, seat, action)
                };
                let closes = |action: Action| bit(action.cells().1) & on_open != 0;
                let caught = if last_side == 0 { None } else { Hunts::among(game, state, seat, scratch, rng, catches) };
                let close = || if on_open == 0 { None } else { Hunts::among(game, state, seat, scratch, rng, closes) };
                caught.or_else(close)
            }
        };
        decisive.unwrap_or_else(|| {
            let mut action = game.random_action(state, seat, scratch, rng);
            for _ in 1..DRAWS {
                if game.captured_by(state, action) != 0 {
                    break;
                }
                action = game.random_action(state, seat, scratch, rng);
            }
            action
        })
    }
}

/// The only side of the king that is open, where the other three are taken by Muscovites or the castle.
fn last_side_of_king(state: &State) -> Cells {
    let open = BESIDE[usize::from(state.king())] & !(state.of(Side::Black) | bit(CASTLE));
    if open.count_ones() == 1 { open & state.empty() } else { 0 }
}
