//! How often a seat can force a win within a few plies: `forced_wins N-GAMES GAME…`.
//!
//! Plays random games, and in each position where a seat acts looks for a win of that seat within 1, 3, 5 or 7 plies against
//! every defence. Prints in how many positions there is one, the shortest, how many were given up after [`MOST`] nodes, and what
//! each seat can force from the start. Wins are proofs: nothing rests on keys or on an evaluator.

use std::sync::Arc;

use raichi_core::erased::{GameVisitor, Playable};
use raichi_core::game::{Game, Phase};
use raichi_core::path::PathGame;
use raichi_core::random::{FastRng, index, stream, weighted};
use raichi_core::seat::Seat;
use raichi_solve::Bounded;

/// Nodes of a search.
const MOST: u64 = 1_000_000;
/// A seat that wins makes the first ply and the last one.
const PLIES: [u32; 4] = [1, 3, 5, 7];

fn main() {
    let mut args = std::env::args().skip(1);
    let n_games: u64 = args
        .next()
        .and_then(|text| text.parse().ok())
        .expect("the number of games comes first; with 0 only the start is looked at");
    for spec in args {
        raichi_games::visit(&spec, Look { n_games }).unwrap_or_else(|why| panic!("{spec}: {why}"));
    }
}

struct Look {
    n_games: u64,
}

#[derive(Debug)]
enum Shortest {
    Within(u32),
    None,
    GivenUp,
}

/// The shortest win that the seat can force.
fn shortest<G: Game>(game: &G, position: &G::State, seat: Seat) -> Shortest {
    let mut search = Bounded::new(game, seat, MOST).expect("nothing is hidden");
    for plies in PLIES {
        match search.wins(position, plies) {
            Some(true) => return Shortest::Within(plies),
            Some(false) => {}
            None => return Shortest::GivenUp,
        }
    }
    Shortest::None
}

impl GameVisitor for Look {
    type Output = ();

    fn visit<G: Playable>(self, game: &Arc<PathGame<G>>) {
        let (rules, spec) = (game.game(), game.spec());
        for seat in 0..rules.facts().n_seats {
            println!("{spec}: from the start seat {seat}: {:?}", shortest(rules, &rules.initial_state(), seat));
        }
        let (mut n_positions, mut n_given_up, mut n_wins) = (0u64, 0u64, [0u64; PLIES.len()]);
        for nth in 0..self.n_games {
            let mut rng = stream(nth, "forced-wins", 0);
            let mut state = game.initial_state();
            loop {
                match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => {
                        let outcome = drawn(rules, state.position(), &mut rng);
                        game.apply_outcome(&mut state, outcome);
                    }
                    Phase::Act(seats) => {
                        let seat = seats.first();
                        n_positions += 1;
                        match shortest(rules, state.position(), seat) {
                            Shortest::Within(plies) => n_wins[plies as usize / 2] += 1,
                            Shortest::GivenUp => n_given_up += 1,
                            Shortest::None => {}
                        }
                        let mut actions = Vec::new();
                        rules.legal_actions(state.position(), seat, &mut actions);
                        game.apply(&mut state, seat, actions[index(&mut rng, actions.len())]);
                    }
                }
            }
        }
        println!(
            "{spec}: {} random games, {n_positions} positions: shortest forced wins of {PLIES:?} plies in {n_wins:?}, \
             {n_given_up} given up",
            self.n_games
        );
    }
}

fn drawn<G: Game>(game: &G, position: &G::State, rng: &mut FastRng) -> G::Outcome {
    let mut outcomes = Vec::new();
    game.outcomes(position, &mut outcomes);
    let nth = weighted(rng, outcomes.iter().map(|&(_, weight)| weight));
    outcomes[nth].0
}
