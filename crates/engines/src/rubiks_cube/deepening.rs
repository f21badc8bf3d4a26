//! Iterative deepening with small tables (IDA*).
//!
//! Source: R. Korf, *Finding Optimal Solutions to Rubik's Cube Using Pattern Databases*, 1997.
//! Promise: a solution that is found is a shortest one.

use std::time::Duration;

use raichi_games::rubiks_cube::{Cube, RubiksCube, Twist};
use raichi_search::Limits;

use super::patterns::{Patterns, Pieces};

/// One search.
pub(super) struct Search<'a> {
    patterns: &'a Patterns,
    twists: &'static [Twist],
    half_turns: bool,
    pub(super) limits: &'a Limits<'a>,
    deadline: Option<Duration>,
    pub(super) n_nodes: u64,
    late: bool,
    /// The number of twists that were shown not to be enough.
    pub(super) completed: Option<u32>,
    /// Whether no solution within the limit exists.
    pub(super) exhausted: bool,
    path: Vec<Twist>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        patterns: &'a Patterns,
        game: &RubiksCube,
        limits: &'a Limits<'a>,
        deadline: Option<Duration>,
    ) -> Search<'a> {
        Search {
            patterns,
            twists: game.twists(),
            half_turns: game.has_half_turns(),
            limits,
            deadline,
            n_nodes: 0,
            late: false,
            completed: None,
            exhausted: false,
            path: Vec::new(),
        }
    }

    /// A shortest solution of at least one and at most `most` twists; `None` where there is none or the budget is spent.
    pub(super) fn solve(&mut self, cube: &Cube, most: u32) -> Option<Vec<Twist>> {
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
    pub(super) fn nearest(&self, cube: &Cube) -> Twist {
        let pieces = self.patterns.pieces(cube);
        let far = |&nth: &usize| self.patterns.sum(&self.patterns.twisted(&pieces, nth));
        let nth = (0..self.twists.len()).min_by_key(far).expect("a cube has twists");
        self.twists[nth]
    }
}
