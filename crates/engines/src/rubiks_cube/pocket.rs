//! Rubik's Cube of size 2: the distance of every position.
//!
//! Method: breadth first over all 7! · 3⁶ = 3,674,160 positions, numbered by the order of the seven corners that move and by
//! their turns; a byte a position. The orders are rows: a twist takes a row to a row, and within it only turns change.
//! Handled: both metrics, every position, chance's scramble included: the expectation over what chance may still twist is
//! exact but for rounding (the probabilities of all positions are followed, twist by twist).
//! Promise: the fewest twists. Built in a process once for a metric, in about 0.1 s, and not kept in files: reading and
//! checking one would spare a fraction of that.
//! Checked: the published numbers of positions by distance, neighbours' distances, and the search in `patterns`.

use std::sync::OnceLock;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::rubiks_cube::{Cube, RubiksCube, State};
use raichi_solve::{Exact, Method, Progress, Solver, Statistics, Unsolved, Work};

use super::cubies::{Cubies, rank, rank_turns, unrank, unrank_turns};
use super::worth;

const N_CORNERS: usize = 7;
const N_ORDERS: usize = 5040;
const N_TURNS: usize = 729;
const N_POSITIONS: usize = N_ORDERS * N_TURNS;
/// What following the scramble takes: two sets of probabilities, by the face just twisted.
const SCRAMBLE_BYTES: usize = 2 * 3 * N_POSITIONS * size_of::<f64>();

/// The solver of size 2.
pub(super) struct Pocket {
    game: RubiksCube,
}

/// The distances, and where twists lead.
struct Table {
    distances: Vec<u8>,
    /// By twist, then by number.
    orders: Vec<[u16; N_ORDERS]>,
    turns: Vec<[u16; N_TURNS]>,
}

impl Pocket {
    /// # Panics
    /// When the size is not 2.
    pub(super) fn new(game: &RubiksCube) -> Pocket {
        assert_eq!(game.size(), 2, "the table is of size 2");
        Pocket { game: *game }
    }

    /// The table, built once in a process for a metric.
    fn table(&self) -> &'static Table {
        self.slot().get_or_init(|| Table::build(&self.game))
    }

    fn slot(&self) -> &'static OnceLock<Table> {
        static BUILT: [OnceLock<Table>; 2] = [const { OnceLock::new() }; 2];
        &BUILT[usize::from(self.game.has_half_turns())]
    }

    /// How many twists the player needs. A cube that is solved before the first twist is twisted and twisted back.
    fn to_go(&self, number: usize) -> u32 {
        match self.table().distances[number] {
            0 => 2,
            distance => distance.into(),
        }
    }

    /// The expectation over the scramble that is still to come.
    fn expect(&self, state: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if work.memory < SCRAMBLE_BYTES {
            return Err(Unsolved::OutOfMemory);
        }
        let likely = self.scrambled(state, work)?;
        let cost = |number| self.to_go(number).min(u32::from(self.game.limit()) + 1);
        let (mut expected, mut is_within) = (0.0, true);
        for (number, &likely) in likely.iter().enumerate().filter(|&(_, &likely)| likely > 0.0) {
            expected += likely * f64::from(cost(number));
            is_within &= self.to_go(number) <= u32::from(self.game.limit());
        }
        Ok(Exact { values: Payoffs::new([-expected]), plies: None, score: is_within.then_some(-expected) })
    }

    /// How likely each position is when the scramble is over.
    fn scrambled(&self, state: &State, work: &Work<'_>) -> Result<Vec<f64>, Unsolved> {
        let (table, n_each) = (self.table(), self.game.twists().len() / 3);
        let empty = || vec![vec![0.0; N_POSITIONS]; 3];
        // By the face just twisted, of which there is none at first: then each is as likely.
        let mut now = empty();
        let start = number(state.cube());
        match state.just_twisted() {
            Some(face) => now[face as usize][start] = 1.0,
            None => now.iter_mut().for_each(|likely| likely[start] = 1.0 / 3.0),
        }
        let mut is_first = state.just_twisted().is_none();
        for nth in 0..state.to_scramble() {
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            let (done, total) = (nth.into(), state.to_scramble().into());
            (work.progress)(Progress { stage: "following the scramble", done, total });
            let mut next = empty();
            let n_possible = if is_first { 3 } else { 2 } * n_each;
            is_first = false;
            for last in 0..3 {
                for (from, &likely) in now[last].iter().enumerate().filter(|&(_, &likely)| likely > 0.0) {
                    for face in (0..3).filter(|&face| n_possible == 3 * n_each || face != last) {
                        for twist in face * n_each..(face + 1) * n_each {
                            next[face][table.after(from, twist)] += likely / n_possible as f64;
                        }
                    }
                }
            }
            now = next;
        }
        let [mut all, second, third] = <[Vec<f64>; 3]>::try_from(now).expect("three faces turn");
        for ((all, second), third) in all.iter_mut().zip(second).zip(third) {
            *all += second + third;
        }
        Ok(all)
    }
}

impl Solver<RubiksCube> for Pocket {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        match self.game.phase(position) {
            Phase::Over => Ok(over(&self.game, position)),
            Phase::Chance => self.expect(position, work),
            _ => Ok(worth(&self.game, position, self.to_go(number(position.cube())))),
        }
    }

    fn statistics(&self) -> Statistics {
        let is_built = self.slot().get().is_some();
        let n = if is_built { N_POSITIONS as u64 } else { 0 };
        Statistics { positions: n, nodes: n * self.game.twists().len() as u64, bytes: n }
    }
}

/// What a finished game is worth.
pub(super) fn over(game: &RubiksCube, state: &State) -> Exact {
    let values = game.payoffs(state);
    let is_solved = *state.cube() == Cube::SOLVED;
    let score = is_solved.then(|| values[0]);
    Exact { values, plies: Some(0), score }
}

/// The number of a position.
#[inline]
fn number(cube: &Cube) -> usize {
    let (mut order, mut turns) = ([0; N_CORNERS], [0; N_CORNERS]);
    for slot in 0..N_CORNERS {
        let cubie = cube.corner(slot);
        (order[slot], turns[slot]) = (cubie.number as u8, cubie.turn as u8);
    }
    rank(&order) * N_TURNS + rank_turns(&turns, 3)
}

impl Table {
    fn build(game: &RubiksCube) -> Table {
        let motions = game.twists().iter().map(|&twist| Cubies::of_twist(twist));
        let (mut orders, mut turns) = (Vec::new(), Vec::new());
        for motion in motions {
            let from = |slot: usize| usize::from(motion.corners[slot]);
            orders.push(std::array::from_fn(|number| {
                let order: [u8; N_CORNERS] = unrank(number);
                let after: [u8; N_CORNERS] = std::array::from_fn(|slot| order[from(slot)]);
                rank(&after) as u16
            }));
            turns.push(std::array::from_fn(|number| {
                let turns: [u8; N_CORNERS] = unrank_turns(number, 3);
                let turn = |slot: usize| (turns[from(slot)] + motion.corner_turns[slot]) % 3;
                let after: [u8; N_CORNERS] = std::array::from_fn(turn);
                rank_turns(&after, 3) as u16
            }));
        }
        let mut table = Table { distances: vec![UNKNOWN; N_POSITIONS], orders, turns };
        table.distances[number(&Cube::SOLVED)] = 0;
        (0..).find(|&distance| !table.extend(distance));
        table
    }

    /// Finds the positions one twist further away than these; returns whether there are any.
    fn extend(&mut self, distance: u8) -> bool {
        let (mut found, mut at) = (false, Vec::new());
        for order in 0..N_ORDERS {
            let row = &self.distances[order * N_TURNS..][..N_TURNS];
            at.clear();
            at.extend(row.iter().enumerate().filter(|&(_, &known)| known == distance).map(|(turns, _)| turns));
            if at.is_empty() {
                continue;
            }
            for (orders, turns) in self.orders.iter().zip(&self.turns) {
                let row = &mut self.distances[usize::from(orders[order]) * N_TURNS..][..N_TURNS];
                for &from in &at {
                    let known = &mut row[usize::from(turns[from])];
                    found |= *known == UNKNOWN;
                    *known = (*known).min(distance + 1);
                }
            }
        }
        found
    }

    #[inline]
    fn after(&self, number: usize, twist: usize) -> usize {
        let (order, turns) = (number / N_TURNS, number % N_TURNS);
        usize::from(self.orders[twist][order]) * N_TURNS + usize::from(self.turns[twist][turns])
    }
}

const UNKNOWN: u8 = u8::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::erased::create;
    use raichi_core::random::{index, stream};

    const HTM: &[usize] = &[1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    const QTM: &[usize] =
        &[1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276];

    fn game(params: &str) -> RubiksCube {
        *create::<RubiksCube>(Some(params)).unwrap().game()
    }

    fn solve(game: &RubiksCube, state: &State) -> Exact {
        unlimited(|work| Pocket::new(game).solve(state, work)).unwrap()
    }

    #[test]
    fn positions_by_distance_are_as_many_as_published() {
        for (metric, published) in [("htm", HTM), ("qtm", QTM)] {
            let pocket = Pocket::new(&game(&format!("metric={metric}")));
            let mut counts = vec![0; published.len()];
            pocket.table().distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
            assert_eq!(counts, published, "{metric}");
        }
    }

    #[test]
    fn the_best_twist_keeps_the_value_and_none_betters_it() {
        for metric in ["htm", "qtm"] {
            let game = game(&format!("scramble=0,metric={metric},limit=12"));
            let mut rng = stream(1, "test", 0);
            for _ in 0..200 {
                let mut state = game.initial_state();
                while game.phase(&state) != Phase::Over {
                    let here = solve(&game, &state);
                    let after = game.twists().iter().map(|&twist| {
                        let mut next = state;
                        game.apply(&mut next, 0, twist);
                        let next = solve(&game, &next);
                        (next.values[0], next.plies.unwrap())
                    });
                    let after: Vec<(f64, u32)> = after.collect();
                    let best = after.iter().map(|next| next.0).fold(f64::NEG_INFINITY, f64::max);
                    assert_eq!(here.values[0], best, "{state:?}");
                    let quickest = after.iter().filter(|next| next.0 == best).map(|next| next.1).min();
                    assert_eq!(here.plies.unwrap(), 1 + quickest.unwrap());
                    let twist = game.twists()[index(&mut rng, game.twists().len())];
                    game.apply(&mut state, 0, twist);
                }
            }
        }
    }

    #[test]
    fn the_scramble_is_expected_as_its_twists_one_by_one() {
        /// The value, and whether the limit allows all cubes to be solved.
        fn plainly(game: &RubiksCube, state: &State) -> (f64, bool) {
            if game.phase(state) != Phase::Chance {
                let exact = solve(game, state);
                return (exact.values[0], exact.score.is_some());
            }
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let n = outcomes.len() as f64;
            outcomes.iter().fold((0.0, true), |sum, &(twist, _)| {
                let mut next = *state;
                game.apply_outcome(&mut next, twist);
                let (value, is_within) = plainly(game, &next);
                (sum.0 + value / n, sum.1 && is_within)
            })
        }
        for limit in [3, 5] {
            let game = game(&format!("scramble=4,limit={limit}"));
            let mut state = game.initial_state();
            for _ in 0..3 {
                let (exact, (value, is_within)) = (solve(&game, &state), plainly(&game, &state));
                assert!((exact.values[0] - value).abs() < 1e-12);
                assert_eq!(exact.score, is_within.then_some(exact.values[0]), "{state:?}");
                // Four twists may need as many.
                assert!(is_within == (limit == 5) || state.to_scramble() < 4, "{state:?}");
                // Two faces in turn.
                let twist = game.twists()[if state.to_scramble().is_multiple_of(2) { 4 } else { 0 }];
                game.apply_outcome(&mut state, twist);
            }
        }
    }
}
