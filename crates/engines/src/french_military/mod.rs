//! The French Military Game: all of it, since it is small.
//!
//! There are 2,640 positions (eleven points, three men, one man, who is to act), and White never goes back, so that the
//! value of each is found by retrograde analysis when the evaluator is made: White wins where it can pin Black's man by
//! force, and Black wins everywhere else, because a position that comes for the third time is its win. A won position
//! is worth the more the sooner it is won, so that a search of one ply makes progress; a lost one the more the longer
//! it lasts. Both ways to start are known. The solver has the length of a win too: of White's to the pin, of Black's
//! to the escape where that can be forced (else only the repetition wins, and no length is told).
//! Checked against: the analysis of all positions in the game's own tests finds what Lucas, Schuh and Sites found; the
//! tests here play White from the start against every defence.

mod solver;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;
use raichi_games::french_military::{FrenchMilitary, Side, State};
use raichi_search::Evaluator;
use raichi_solve::Solver;

use crate::linear::NEARLY_WON;

/// The evaluator's line of the table.
pub(crate) fn evaluator(game: &FrenchMilitary) -> Option<Arc<dyn Evaluator<FrenchMilitary>>> {
    Some(Arc::new(Solved::new(game)))
}

/// The solver's line of the table.
pub(crate) fn solver(game: &FrenchMilitary) -> Option<Arc<dyn Solver<FrenchMilitary>>> {
    Some(Arc::new(solver::Table::new(game)))
}

/// Points of the board.
const N_POINTS: u8 = 11;

/// What each ply until the pin takes off a win.
const PER_PLY: f32 = 0.002;

/// In how many plies which side gets where it wants; see [`Solved::ends_in`].
type Plies = FxHashMap<State, u16>;

/// In how many plies White pins Black's man by force; Black wins the positions that are not here. And in how many Black
/// gets behind White's men by force.
#[derive(Clone, Debug)]
struct Solved {
    plies_to_pin: Plies,
    plies_to_escape: Plies,
    n_nodes: u64,
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
        let mut n_nodes = 0;
        let plies_to_pin = Solved::won(game, Side::White, &mut n_nodes);
        let plies_to_escape = Solved::won(game, Side::Black, &mut n_nodes);
        Solved { plies_to_pin, plies_to_escape, n_nodes }
    }

    /// Where a side wins by force on the board, repetition aside, and in how many plies: it hurries, the other does
    /// not.
    fn won(game: &FrenchMilitary, side: Side, n_nodes: &mut u64) -> Plies {
        let positions = all_positions(game);
        let is_won = |state: &&State| game.phase(state) == Phase::Over && game.payoffs(state)[game.seat(side)] > 0.0;
        let mut won: Plies = positions.iter().filter(is_won).map(|state| (*state, 0)).collect();
        // Wins in n plies follow from those in fewer, until nothing is added any more.
        for n in 1u16.. {
            let found: Vec<State> = positions
                .iter()
                .filter(|state| !won.contains_key(*state) && Solved::ends_in(game, side, state, &won, n, n_nodes))
                .copied()
                .collect();
            if found.is_empty() {
                break;
            }
            won.extend(found.into_iter().map(|state| (state, n)));
        }
        won
    }

    // Whether the side, to act, has a ply to a win in n − 1, or the other, to act, none to anything else.
    fn ends_in(game: &FrenchMilitary, side: Side, state: &State, won: &Plies, n: u16, n_nodes: &mut u64) -> bool {
        let Phase::Act(seats) = game.phase(state) else { return false };
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let mut wins = actions.into_iter().map(|action| {
            let mut next = *state;
            game.apply(&mut next, seat, action);
            *n_nodes += 1;
            won.get(&next).is_some_and(|&plies| plies < n)
        });
        if seat == game.seat(side) { wins.any(|wins| wins) } else { wins.all(|wins| wins) }
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
