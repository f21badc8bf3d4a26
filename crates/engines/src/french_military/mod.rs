//! The French Military Game: all of it, since it is small.
//!
//! There are 2,640 positions (eleven points, three men, one man, who is to act), and White never goes back, so that the
//! value of each is found by retrograde analysis when the evaluator is made: White wins where it can pin Black's man by
//! force, and Black wins everywhere else, because a position that comes for the third time is its win. A won position
//! is worth the more the sooner it is won, so that a search of one ply makes progress; a lost one the more the longer it
//! lasts. Both ways to start are known.
//! Checked against: the analysis of all positions in the game's own tests finds what Lucas, Schuh and Sites found; the
//! tests here play White from the start against every defence.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::french_military::{FrenchMilitary, Side, State};
use raichi_search::Evaluator;

use crate::linear::NEARLY_WON;

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &FrenchMilitary) -> Option<Arc<dyn Evaluator<FrenchMilitary>>> {
    Some(Arc::new(Solved::new(game)))
}

/// Points of the board.
const N_POINTS: u8 = 11;

/// What each ply until the pin takes off a win.
const PER_PLY: f32 = 0.002;

/// In how many plies White pins Black's man by force; Black wins the positions that are not here.
#[derive(Clone, Debug)]
struct Solved {
    plies_to_pin: FxHashMap<State, u16>,
}

fn all_positions(game: &FrenchMilitary) -> Vec<State> {
    let mut positions = Vec::new();
    for white in (0u16..1 << N_POINTS).filter(|white| white.count_ones() == 3) {
        for black in (0..N_POINTS).map(|point| 1 << point).filter(|black| white & black == 0) {
            positions.extend([Side::White, Side::Black].map(|side| game.position(white, black, side)));
        }
        positions.push(game.position(white, 0, Side::Black));
    }
    positions
}

impl Solved {
    fn new(game: &FrenchMilitary) -> Solved {
        let mut solved = Solved { plies_to_pin: FxHashMap::default() };
        let positions = all_positions(game);
        let pinned =
            |state: &&State| game.phase(state) == Phase::Over && game.payoffs(state)[game.seat(Side::White)] > 0.0;
        solved.plies_to_pin.extend(positions.iter().filter(pinned).map(|state| (*state, 0)));
        // Wins in n plies follow from those in fewer, until nothing is added any more.
        for n in 1u16.. {
            let found: Vec<State> = positions
                .iter()
                .filter(|state| !solved.plies_to_pin.contains_key(*state) && solved.is_pinned_in(game, state, n))
                .copied()
                .collect();
            if found.is_empty() {
                break;
            }
            solved.plies_to_pin.extend(found.into_iter().map(|state| (state, n)));
        }
        solved
    }

    // Whether White, to act, has a ply to a win in n − 1, or Black, to act, none to anything else.
    fn is_pinned_in(&self, game: &FrenchMilitary, state: &State, n: u16) -> bool {
        let Phase::Act(seats) = game.phase(state) else { return false };
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let mut wins = actions.into_iter().map(|action| {
            let mut next = *state;
            game.apply(&mut next, seat, action);
            self.plies_to_pin.get(&next).is_some_and(|&plies| plies < n)
        });
        if seat == game.seat(Side::White) { wins.any(|wins| wins) } else { wins.all(|wins| wins) }
    }

    fn value_of_white(&self, state: &State) -> f32 {
        match self.plies_to_pin.get(state) {
            Some(&plies) => NEARLY_WON - PER_PLY * f32::from(plies),
            None => -NEARLY_WON,
        }
    }
}

impl Evaluator<FrenchMilitary> for Solved {
    fn value(&self, game: &FrenchMilitary, state: &State, seat: Seat) -> f32 {
        let value = self.value_of_white(state);
        if game.side(seat) == Side::White { value } else { -value }
    }
}
