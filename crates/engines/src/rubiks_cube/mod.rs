//! Rubik's Cube: tables, solvers, and the player `cube-ida`.
//!
//! Size 2 is a table of all positions ([`pocket`]). Size 3: the fewest twists by iterative deepening with the distances of
//! cosets ([`optimal`]), and few twists at once in two phases ([`two_phase()`]).
//!
//! The player: IDA* (R. Korf, *Finding Optimal Solutions to Rubik's Cube Using Pattern Databases*, 1997) with small tables
//! ([`patterns`]), built when the first game of a size and metric is prepared.
//! Handled: sizes 2 and 3, both metrics. Size 2: the table is of all positions, and every solution is found at once. Size 3:
//! the five tables take less than a megabyte. How far away a cube may be that is solved in a second was not measured (the
//! tests ask for six twists); for others it is only said which twist brings the tables nearest to solved.
//! Not here: a player that uses the solvers' tables.
//! Promise: a solution that is found is a shortest one ([`Advice::proven`]); a cube that cannot be solved within the limit is
//! never said to be.
//! Checked: `tests/rubiks_cube.rs`, and the published numbers of positions of size 2 by distance.

mod cosets;
mod cubies;
mod kept;
mod optimal;
mod patterns;
mod pocket;
mod sequences;
mod two_phase;

use std::sync::Arc;
use std::time::Duration;

use raichi_core::Notation;
use raichi_core::game::Payoffs;
use raichi_core::information::SeatView;
use raichi_core::random::FastRng;
use raichi_games::rubiks_cube::{Cube, RubiksCube, State, Twist};
use raichi_search::{Advice, Candidate, Certainty, Cost, Limits, Session};
use raichi_solve::{Exact, Solver};

use patterns::{Patterns, Pieces};
pub use two_phase::two_phase;

/// The solver of this size and metric.
pub fn solver(game: &RubiksCube) -> Option<Arc<dyn Solver<RubiksCube>>> {
    Some(if game.size() == 2 { Arc::new(pocket::Pocket::new(game)) } else { Arc::new(optimal::Optimal::new(game)) })
}

/// What a position is worth from which so many twists are needed at least. The score counts the twists from the first
/// on, whether or not the limit allows them all.
fn worth(game: &RubiksCube, state: &State, to_go: u32) -> Exact {
    let (made, limit) = (u32::from(state.n_twists()), u32::from(game.limit()));
    let total = made + to_go;
    let (cost, plies) = if total <= limit { (total, to_go) } else { (limit + 1, limit - made) };
    Exact { values: Payoffs::new([-f64::from(cost)]), plies: Some(plies), score: Some(-f64::from(total)) }
}

/// The player by iterative deepening. It keeps the solution that it is playing.
pub struct CubeIda {
    patterns: Arc<Patterns>,
    /// The twists still to be made from the cube beside them.
    plan: Option<(Cube, Vec<Twist>)>,
}

impl CubeIda {
    /// The solver for this size and metric, with its tables.
    pub fn new(game: &RubiksCube) -> CubeIda {
        CubeIda { patterns: Patterns::of(game), plan: None }
    }
}

impl Session<RubiksCube> for CubeIda {
    fn decide(&mut self, view: &SeatView<'_, RubiksCube>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<Twist> {
        let start = limits.host.now();
        // Nothing is hidden: the determinization is the state.
        let state = view.determinize(rng);
        let game = view.game().game();
        let cube = *state.cube();
        let n_left = u32::from(game.limit() - state.n_twists());
        let mut search = Search::new(&self.patterns, game, limits, start);
        let planned = self.plan.take().filter(|(at, twists)| *at == cube && !twists.is_empty());
        let solution = match planned {
            Some((_, twists)) => Some(twists),
            None => search.solve(&cube, n_left),
        };
        let n_made = f64::from(state.n_twists());
        let cost = Cost {
            nodes: search.n_nodes,
            depth: search.completed,
            elapsed: limits.host.now().saturating_sub(start),
            ..Cost::default()
        };
        let Some(twists) = solution else {
            let action = search.nearest(&cube);
            let candidate = Candidate {
                action,
                values: vec![-(f64::from(game.limit()) + 1.0)],
                certainty: if search.exhausted { Certainty::Exact } else { Certainty::LowerBound },
                visits: None,
                depth: None,
                plies: None,
            };
            return Advice {
                action,
                candidates: vec![candidate],
                line: Vec::new(),
                cost,
                proven: search.exhausted,
                known_by: None,
            };
        };
        let action = twists[0];
        let candidate = Candidate {
            action,
            values: vec![-(n_made + twists.len() as f64)],
            certainty: Certainty::Exact,
            visits: None,
            depth: Some(twists.len() as u32),
            plies: Some(twists.len() as u32),
        };
        let line = twists.iter().map(|&twist| game.action_text(&state, 0, twist)).collect();
        let mut next = cube;
        game.twist(&mut next, action);
        self.plan = Some((next, twists[1..].to_vec()));
        Advice { action, candidates: vec![candidate], line, cost, proven: true, known_by: Some("search") }
    }
}

/// One search.
struct Search<'a> {
    patterns: &'a Patterns,
    twists: &'static [Twist],
    half_turns: bool,
    limits: &'a Limits<'a>,
    deadline: Option<Duration>,
    n_nodes: u64,
    late: bool,
    /// The number of twists that were shown not to be enough.
    completed: Option<u32>,
    /// Whether no solution within the limit exists.
    exhausted: bool,
    path: Vec<Twist>,
}

impl<'a> Search<'a> {
    fn new(patterns: &'a Patterns, game: &RubiksCube, limits: &'a Limits<'a>, start: Duration) -> Search<'a> {
        let kept = |time: Duration| (time / 20).min(Duration::from_millis(20));
        Search {
            patterns,
            twists: game.twists(),
            half_turns: game.has_half_turns(),
            limits,
            deadline: limits.budget.time.map(|time| start + time - kept(time)),
            n_nodes: 0,
            late: false,
            completed: None,
            exhausted: false,
            path: Vec::new(),
        }
    }

    /// A shortest solution of at least one and at most `most` twists; `None` where there is none or the budget is spent.
    fn solve(&mut self, cube: &Cube, most: u32) -> Option<Vec<Twist>> {
        let pieces = self.patterns.pieces(cube);
        // A solved cube is twisted and twisted back, by two twists of one face, which are needless anywhere else.
        let twist = self.twists[0];
        if *cube == Cube::SOLVED {
            self.exhausted = most < 2;
            return (most >= 2).then(|| vec![twist, twist.inverse()]);
        }
        for length in self.patterns.distance(&pieces)..=most {
            if self.reach(&pieces, length, None) {
                return Some(std::mem::take(&mut self.path));
            }
            if self.late {
                return None;
            }
            self.completed = Some(length);
        }
        self.exhausted = true;
        None
    }

    /// Whether exactly `n_left` twists, or fewer, solve the cube; the path is then the solution.
    fn reach(&mut self, pieces: &Pieces, n_left: u32, last: Option<Twist>) -> bool {
        for nth in 0..self.twists.len() {
            let twist = self.twists[nth];
            if last.is_some_and(|last| self.is_needless(last, twist)) {
                continue;
            }
            if self.spent() {
                return false;
            }
            let next = self.patterns.twisted(pieces, nth);
            let distance = self.patterns.distance(&next);
            if distance > n_left - 1 {
                continue;
            }
            self.path.push(twist);
            if distance == 0 || self.reach(&next, n_left - 1, Some(twist)) {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Whether `twist` after `last` reaches nothing that is not reached in another way: the same face is turned at once, and
    /// opposite faces in one order.
    fn is_needless(&self, last: Twist, twist: Twist) -> bool {
        if last.face() == twist.face() {
            // A half turn takes two quarter turns, of which the clockwise ones will do.
            return self.half_turns || last != twist || twist.quarters() == 3 || self.has_made_two(twist);
        }
        last.face() == twist.face().opposite() && last.face() > twist.face()
    }

    fn has_made_two(&self, twist: Twist) -> bool {
        self.path.iter().rev().take_while(|&&made| made == twist).count() >= 2
    }

    fn spent(&mut self) -> bool {
        self.late |= self.limits.budget.nodes.is_some_and(|most| self.n_nodes >= most);
        if self.late {
            return true;
        }
        self.n_nodes += 1;
        if self.n_nodes % 1024 == 1 {
            let late = self.deadline.is_some_and(|deadline| self.limits.host.now() >= deadline);
            self.late |= late || self.limits.cancel.is_cancelled();
        }
        self.late
    }

    /// The twist after which the tables are nearest to solved, all together.
    fn nearest(&self, cube: &Cube) -> Twist {
        let pieces = self.patterns.pieces(cube);
        let far = |&nth: &usize| self.patterns.sum(&self.patterns.twisted(&pieces, nth));
        let nth = (0..self.twists.len()).min_by_key(far).expect("a cube has twists");
        self.twists[nth]
    }
}
