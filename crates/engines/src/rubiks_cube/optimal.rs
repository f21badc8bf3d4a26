//! Rubik's Cube of size 3: the fewest twists of any cube.
//!
//! Method: iterative deepening A* (R. Korf, 1997). The bound of a cube is the greatest of its distances to three cosets, one
//! for each axis ([`cosets`](super::cosets)), and one more where all three are the same number above 0: before the last
//! twist of a solution the cube is in the coset of that twist's axis already (H. Kociemba). Near cubes are found with the
//! small tables of [`patterns`](super::patterns), so that the large one is not built for them.
//! Handled: both metrics; several threads, which share the first two twists of a length among them.
//! In the scramble: the mean over all cubes that can come of it, where these are few.
//! Not here: bounds of the inverse cube.
//! Promise: the value is exact. Cubes of 16 twists take seconds, those of 18 and more (most) take hours: then it ends with
//! the time given.
//! Checked: against breadth first search near solved, against the tables of `patterns`, and on cubes of known distance.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::host::Job;
use raichi_games::rubiks_cube::{Cube, RubiksCube, State, Twist};
use raichi_search::{Budget, Limits};
use raichi_solve::{Exact, Method, Progress, Solver, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use super::cosets::{Coset, MOST_TWISTS, Table};
use super::cubies::{Cubies, Image};
use super::deepening::Search;
use super::patterns::Patterns;
use super::pocket::over;
use super::sequences::{START, Sequences};
use super::worth;

/// How many nodes are searched with the small tables before the large one is built.
const NEAR: u64 = 200_000;
const N_AXES: usize = 3;
/// Of more cubes no mean is worked out.
const MOST_SCRAMBLED: usize = 5_000;

/// The solver of size 3.
pub(super) struct Optimal {
    game: RubiksCube,
    /// The number of a twist's image, for each axis as if it were up and down.
    seen_from: [[u8; MOST_TWISTS]; N_AXES],
    axes: [Image; N_AXES],
    sequences: Sequences,
    n_nodes: AtomicU64,
    n_positions: AtomicU64,
    n_bytes: AtomicUsize,
}

/// A cube as the three axes see it.
#[derive(Clone, Copy)]
struct Node([Coset; N_AXES]);

/// What the threads of one length share.
struct Deepening<'a> {
    solver: &'a Optimal,
    table: &'a Table,
    work: &'a Work<'a>,
    /// Set when a solution is found or the time is over.
    ends: AtomicBool,
    found: Mutex<Option<Vec<u8>>>,
}

impl Optimal {
    /// # Panics
    /// When the size is not 3.
    pub(super) fn new(game: &RubiksCube) -> Optimal {
        assert_eq!(game.size(), 3, "the search is for size 3");
        // The first three symmetries rotate U, R and F into each other.
        let axes = [0, 1, 2].map(|symmetry| Image::new(game, symmetry));
        let number =
            |twist: Twist| game.twists().iter().position(|&other| other == twist).expect("a twist of the metric");
        let seen =
            |axis: &Image, nth: usize| game.twists().get(nth).map_or(0, |&twist| number(axis.twist(twist)) as u8);
        Optimal {
            game: *game,
            seen_from: std::array::from_fn(|axis| std::array::from_fn(|nth| seen(&axes[axis], nth))),
            axes,
            sequences: Sequences::new(game),
            n_nodes: AtomicU64::new(0),
            n_positions: AtomicU64::new(0),
            n_bytes: AtomicUsize::new(0),
        }
    }

    /// A shortest solution of at most `most` twists; `None` where there is none.
    ///
    /// # Errors
    /// When the time or the memory does not suffice.
    pub(super) fn solve(&self, cube: &Cube, most: u32, work: &Work<'_>) -> Result<Option<Vec<Twist>>, Unsolved> {
        if *cube == Cube::SOLVED {
            return Ok(Some(Vec::new()));
        }
        let patterns = Patterns::of(&self.game);
        let limits =
            Limits { budget: Budget { nodes: Some(NEAR), ..Budget::UNLIMITED }, cancel: work.cancel, host: work.host };
        let mut near = Search::new(&patterns, &self.game, &limits, work.deadline);
        let solution = near.solve(cube, most);
        self.n_nodes.fetch_add(near.n_nodes, Relaxed);
        if solution.is_some() || near.exhausted {
            return Ok(solution);
        }
        if work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        let not_enough = near.completed.unwrap_or(0);
        let table = Table::of(&self.game, work)?;
        self.n_bytes.store(table.n_bytes(), Relaxed);
        self.deepen(cube, not_enough, most, table, work)
    }

    /// The expectation over the scramble that is still to come, as far as it is short: each cube that it can end with is solved.
    fn expect(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let mut expected = [0.0, 0.0];
        let mut has_score = true;
        for (cube, likely) in self.scrambled(position, work)? {
            let exact = Solver::solve(self, &cube, work)?;
            has_score &= exact.score.is_some();
            expected[0] += likely * exact.values[0];
            expected[1] += likely * exact.score.unwrap_or(0.0);
        }
        let [value, score] = expected;
        Ok(Exact { values: Payoffs::new([value]), plies: None, score: has_score.then_some(score) })
    }

    /// The positions when the scramble is over, with how likely each is.
    fn scrambled(&self, position: &State, work: &Work<'_>) -> Result<FxHashMap<State, f64>, Unsolved> {
        let mut now = FxHashMap::from_iter([(*position, 1.0)]);
        let mut outcomes = Vec::new();
        for _ in 0..position.to_scramble() {
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            let mut next: FxHashMap<State, f64> = FxHashMap::default();
            for (state, likely) in now {
                outcomes.clear();
                self.game.outcomes(&state, &mut outcomes);
                let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
                for &(twist, weight) in &outcomes {
                    let mut after = state;
                    self.game.apply_outcome(&mut after, twist);
                    *next.entry(after).or_default() += likely * weight as f64 / total as f64;
                }
            }
            if next.len() > MOST_SCRAMBLED {
                let why = format!(
                    "of size 3 a scramble is valued where at most {MOST_SCRAMBLED} cubes can come of it, as of the last \
                     three twists"
                );
                return Err(Unsolved::Unknown(why));
            }
            now = next;
        }
        Ok(now)
    }

    /// The search with the large table, when so many twists are known not to be enough.
    fn deepen(
        &self,
        cube: &Cube,
        not_enough: u32,
        most: u32,
        table: &Table,
        work: &Work<'_>,
    ) -> Result<Option<Vec<Twist>>, Unsolved> {
        let cubies = Cubies::of(cube);
        let node = Node(std::array::from_fn(|axis| Coset::of(&self.axes[axis].cubies(&cubies))));
        let least = bound(node.0.map(|coset| table.distance(coset)));
        // Of quarter turns an odd number makes an odd order of the corners.
        let parity = (!self.game.has_half_turns()).then(|| n_inversions(&cubies.corners) % 2);
        for length in (not_enough + 1).max(least.into())..=most {
            if parity.is_some_and(|parity| length % 2 != parity) {
                continue;
            }
            let deepening =
                Deepening { solver: self, table, work, ends: AtomicBool::new(false), found: Mutex::new(None) };
            if let Some(twists) = deepening.of(cube, &node, length as u8)? {
                return Ok(Some(twists.into_iter().map(|nth| self.game.twists()[usize::from(nth)]).collect()));
            }
        }
        Ok(None)
    }

    #[inline]
    fn after(&self, table: &Table, coset: Coset, axis: usize, twist: usize) -> Coset {
        table.cosets.after(coset, usize::from(self.seen_from[axis][twist]))
    }
}

/// No fewer twists solve a cube of these three distances.
#[inline]
fn bound([one, two, three]: [u8; N_AXES]) -> u8 {
    one.max(two).max(three) + u8::from(one > 0 && one == two && two == three)
}

fn n_inversions(order: &[u8]) -> u32 {
    (0..order.len()).map(|i| order[..i].iter().filter(|&&earlier| earlier > order[i]).count() as u32).sum()
}

impl Deepening<'_> {
    /// A solution of exactly this length.
    fn of(&self, cube: &Cube, node: &Node, length: u8) -> Result<Option<Vec<u8>>, Unsolved> {
        let starts = self.starts(length);
        let next = AtomicUsize::new(0);
        let job = || {
            let mut path = Path { deepening: self, cube, twists: Vec::new(), n_nodes: 0 };
            loop {
                let nth = next.fetch_add(1, Relaxed);
                if nth >= starts.len() || self.ends.load(Relaxed) {
                    break;
                }
                (self.work.progress)(Progress {
                    stage: STAGES[usize::from(length).min(STAGES.len() - 1)],
                    done: nth as u64,
                    total: starts.len() as u64,
                });
                path.begin(node, &starts[nth], length);
            }
            self.solver.n_nodes.fetch_add(path.n_nodes, Relaxed);
        };
        self.work.host.run_all((0..self.work.n_threads.max(1)).map(|_| -> Job<'_> { Box::new(&job) }).collect());
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).take();
        if found.is_none() && self.ends.load(Relaxed) { Err(Unsolved::OutOfTime) } else { Ok(found) }
    }

    /// The first two twists, or the only one, with what then came last.
    fn starts(&self, length: u8) -> Vec<Vec<(u8, u8)>> {
        let after = |last| self.solver.sequences.after(last);
        let one = after(START).iter().map(|&first| vec![first]);
        if length < 2 {
            return one.collect();
        }
        one.flat_map(|one| after(one[0].1).iter().map(move |&second| vec![one[0], second])).collect()
    }
}

/// What is said while a length is searched.
const STAGES: [&str; 27] = [
    "0 twists",
    "1 twist",
    "2 twists",
    "3 twists",
    "4 twists",
    "5 twists",
    "6 twists",
    "7 twists",
    "8 twists",
    "9 twists",
    "10 twists",
    "11 twists",
    "12 twists",
    "13 twists",
    "14 twists",
    "15 twists",
    "16 twists",
    "17 twists",
    "18 twists",
    "19 twists",
    "20 twists",
    "21 twists",
    "22 twists",
    "23 twists",
    "24 twists",
    "25 twists",
    "26 twists",
];

/// One thread's search.
struct Path<'a> {
    deepening: &'a Deepening<'a>,
    cube: &'a Cube,
    twists: Vec<u8>,
    n_nodes: u64,
}

impl Path<'_> {
    /// Searches behind these first twists.
    fn begin(&mut self, node: &Node, start: &[(u8, u8)], length: u8) {
        let Deepening { solver, table, .. } = *self.deepening;
        let mut node = *node;
        self.twists.clear();
        for &(twist, _) in start {
            for axis in 0..N_AXES {
                node.0[axis] = solver.after(table, node.0[axis], axis, twist.into());
            }
            self.twists.push(twist);
        }
        let n_left = length - start.len() as u8;
        let last = start.last().map_or(START, |&(_, last)| last);
        let distances = node.0.map(|coset| table.distance(coset));
        if bound(distances) <= n_left && self.reach(&node, n_left, last) {
            self.deepening.ends.store(true, Relaxed);
            *self.deepening.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.twists.clone());
        }
    }

    /// Whether exactly `n_left` twists solve the cube; the path is then the solution.
    fn reach(&mut self, node: &Node, n_left: u8, last: u8) -> bool {
        if n_left == 0 {
            return self.is_solved();
        }
        let Deepening { solver, table, .. } = *self.deepening;
        let following = solver.sequences.after(last);
        self.n_nodes += following.len() as u64;
        if self.is_over() {
            return false;
        }
        // All of an axis first: the table is far away, and what is asked for at once comes at once.
        let mut first = [(Coset::default(), 0); MOST_TWISTS];
        for (&(twist, _), first) in following.iter().zip(&mut first) {
            let coset = solver.after(table, node.0[0], 0, twist.into());
            *first = (coset, table.distance(coset));
        }
        for (&(twist, then), &(coset, one)) in following.iter().zip(&first) {
            if one >= n_left {
                continue;
            }
            let second = solver.after(table, node.0[1], 1, twist.into());
            let third = solver.after(table, node.0[2], 2, twist.into());
            let (two, three) = (table.distance(second), table.distance(third));
            if bound([one, two, three]) >= n_left {
                continue;
            }
            self.twists.push(twist);
            if self.reach(&Node([coset, second, third]), n_left - 1, then) {
                return true;
            }
            self.twists.pop();
        }
        false
    }

    fn is_solved(&self) -> bool {
        let twists = self.deepening.solver.game.twists();
        let mut cube = *self.cube;
        self.twists.iter().for_each(|&nth| cube.twist(twists[usize::from(nth)]));
        cube == Cube::SOLVED
    }

    fn is_over(&self) -> bool {
        let Deepening { ends, work, .. } = self.deepening;
        if self.n_nodes % 4096 < MOST_TWISTS as u64 && work.is_over() {
            ends.store(true, Relaxed);
        }
        ends.load(Relaxed)
    }
}

impl Solver<RubiksCube> for Optimal {
    fn method(&self) -> Method {
        Method::Search
    }

    /// The small tables, and the large one where it is kept: to build that takes too long for a game.
    fn get_ready(&self, work: &Work<'_>) {
        Patterns::of(&self.game);
        Table::read(&self.game, work);
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        match self.game.phase(position) {
            Phase::Over => return Ok(over(&self.game, position)),
            Phase::Chance => return self.expect(position, work),
            _ => {}
        }
        let most = u32::from(self.game.limit() - position.n_twists());
        let solution = self.solve(position.cube(), most, work)?;
        self.n_positions.fetch_add(1, Relaxed);
        Ok(match solution {
            // A cube that is solved before the first twist is twisted and twisted back.
            Some(twists) if twists.is_empty() => worth(&self.game, position, 2),
            Some(twists) => worth(&self.game, position, twists.len() as u32),
            // More than the limit allows; how many more nobody asked.
            None => worth(&self.game, position, most + 1),
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            positions: self.n_positions.load(Relaxed),
            nodes: self.n_nodes.load(Relaxed),
            bytes: self.n_bytes.load(Relaxed) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::unlimited;
    use raichi_core::Notation;
    use raichi_core::erased::create;
    use raichi_core::host::{BareHost, CancelFlag};
    use raichi_core::random::{index, stream};

    fn game(params: &str) -> RubiksCube {
        *create::<RubiksCube>(Some(params)).unwrap().game()
    }

    fn solve(solver: &Optimal, state: &State) -> Result<Exact, Unsolved> {
        unlimited(|work| Solver::solve(solver, state, work))
    }

    #[test]
    fn cubes_near_solved_take_the_twists_that_breadth_first_search_finds() {
        for metric in ["htm", "qtm"] {
            let game = game(&format!("size=3,scramble=0,metric={metric}"));
            let solver = Optimal::new(&game);
            let (mut seen, mut frontier) = (vec![Cube::SOLVED], vec![Cube::SOLVED]);
            for distance in 1..=2 {
                let twisted = |cube: &Cube| {
                    game.twists()
                        .iter()
                        .map(|&twist| {
                            let mut next = *cube;
                            next.twist(twist);
                            next
                        })
                        .collect::<Vec<_>>()
                };
                let next: Vec<Cube> = frontier.iter().flat_map(twisted).collect();
                frontier.clear();
                for cube in next {
                    if !seen.contains(&cube) {
                        seen.push(cube);
                        frontier.push(cube);
                    }
                }
                for cube in &frontier {
                    let found = unlimited(|work| solver.solve(cube, 20, work)).unwrap().unwrap();
                    assert_eq!(found.len(), distance);
                }
            }
        }
    }

    #[test]
    fn a_short_scramble_is_worth_the_mean_of_the_cubes_that_come_of_it() {
        let game = game("size=3,scramble=2");
        let solver = Optimal::new(&game);
        let start = solve(&solver, &game.initial_state()).unwrap();
        // Of the second twist's 18 − 3 on other faces each leaves a cube that two twists solve.
        assert!((start.values[0] + 2.0).abs() < 1e-9 && (start.score.unwrap() + 2.0).abs() < 1e-9, "{start:?}");
        assert_eq!(start.plies, None);
        let mut one = game.initial_state();
        let mut outcomes = Vec::new();
        game.outcomes(&one, &mut outcomes);
        game.apply_outcome(&mut one, outcomes[0].0);
        assert!((solve(&solver, &one).unwrap().values[0] + 2.0).abs() < 1e-9);
        let long = self::game("size=3,scramble=11");
        let why = solve(&Optimal::new(&long), &long.initial_state()).unwrap_err();
        assert!(matches!(&why, Unsolved::Unknown(why) if why.contains("scramble")), "{why}");
    }

    #[test]
    fn a_limit_and_a_solved_cube_are_valued_as_the_rules_say() {
        let game = game("size=3,scramble=0,limit=3");
        let solver = Optimal::new(&game);
        let position = |text: &str| game.parse_position(text).unwrap().state;
        let exact = solve(&solver, &position("R U F D")).unwrap();
        assert_eq!((exact.values[0], exact.plies, exact.score), (-4.0, Some(3), None));
        let exact = solve(&solver, &position("R U F")).unwrap();
        assert_eq!((exact.values[0], exact.plies, exact.score), (-3.0, Some(3), Some(-3.0)));
        let exact = solve(&solver, &game.initial_state()).unwrap();
        assert_eq!((exact.values[0], exact.plies, exact.score), (-2.0, Some(2), Some(-2.0)));
    }

    #[test]
    #[ignore = "nightly: the tables of both metrics take a minute to build"]
    fn nightly_the_large_table_finds_what_the_small_ones_find() {
        for (metric, n_twists) in [("htm", 9), ("qtm", 10)] {
            let game = game(&format!("size=3,scramble=0,metric={metric}"));
            let (solver, patterns) = (Optimal::new(&game), Patterns::of(&game));
            let cancel = CancelFlag::default();
            let table = unlimited(|work| Table::of(&game, work)).unwrap();
            let mut rng = stream(1, "test", 0);
            for _ in 0..10 {
                let mut cube = Cube::SOLVED;
                (0..n_twists).for_each(|_| cube.twist(game.twists()[index(&mut rng, game.twists().len())]));
                let limits = Limits { budget: Budget::UNLIMITED, cancel: &cancel, host: &BareHost };
                let plainly = Search::new(&patterns, &game, &limits, None).solve(&cube, 20).unwrap();
                let found = unlimited(|work| solver.deepen(&cube, 0, 20, table, work)).unwrap().unwrap();
                assert_eq!(found.len(), plainly.len(), "{metric}: {cube:?}");
            }
        }
    }
}
