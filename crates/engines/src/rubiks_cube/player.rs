//! The player `cube-ida`: the fewest twists that its time finds.
//!
//! Iterative deepening ([`deepening`](super::deepening)) with tables that are built when the first game of a size and metric is
//! prepared. For size 3 two phases ([`Quick`]) find some solution first, in a share of the budget; iterative deepening then
//! looks for shorter ones, and what is left of a solution that is not proven to be shortest is looked at anew before each
//! twist.
//! Handled: sizes 2 and 3, both metrics. Size 2: the table is of all positions, and every solution is found at once. In
//! quarter turns a half turn of the two phases is made as two.
//! Not here: the solvers' tables, which take seconds to build.
//! Promise: a solution that is said to be proven is a shortest one ([`Advice::proven`]); a cube that cannot be solved within
//! the limit is never said to be.
//! Checked: `tests/rubiks_cube.rs`.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::Notation;
use raichi_core::information::SeatView;
use raichi_core::random::FastRng;
use raichi_games::rubiks_cube::{Cube, RubiksCube, State, Twist};
use raichi_search::{Advice, Budget, Candidate, Certainty, Cost, Limits, Session};

use super::deepening::Search;
use super::patterns::Patterns;
use super::two_phase::{Effort, Quick};

/// More twists of two phases are not asked for: there is always a solution of so many.
const ENOUGH: u32 = 30;
/// Which part of the nodes the two phases may take, and of the time, and at most how long.
const QUICK_SHARE: u64 = 4;
const QUICK_TIME: Duration = Duration::from_millis(150);
/// As many nodes where neither nodes nor time are limited.
const QUICK_NODES: u64 = 1_000_000;

/// The player. It keeps the solution that it is playing.
pub struct CubeIda {
    patterns: Arc<Patterns>,
    quick: Option<&'static Quick>,
    plan: Option<Plan>,
}

/// A solution.
struct Plan {
    /// The cube that it solves.
    from: Cube,
    twists: Vec<Twist>,
    /// Whether none is shorter.
    is_shortest: bool,
}

impl CubeIda {
    /// The player for this size and metric, with its tables.
    pub fn new(game: &RubiksCube) -> CubeIda {
        let quick = (game.size() == 3).then(Quick::tables);
        CubeIda { patterns: Patterns::of(game), quick, plan: None }
    }

    /// The best solution of at most `n_left` twists that the budget finds.
    fn plan(
        &mut self,
        game: &RubiksCube,
        state: &State,
        n_left: u32,
        search: &mut Search<'_>,
        quick_until: Duration,
    ) -> Option<Plan> {
        let cube = *state.cube();
        // The same cube may come again with fewer twists left than its plan has.
        let fits = |plan: &Plan| plan.from == cube && !plan.twists.is_empty() && plan.twists.len() as u32 <= n_left;
        let going_on = self.plan.take().filter(fits);
        if let Some(plan) = going_on.as_ref()
            && plan.is_shortest
        {
            return going_on;
        }
        let known = going_on.map(|plan| plan.twists).or_else(|| {
            let quick = self.quick.filter(|_| cube != Cube::SOLVED)?;
            quickly(quick, game, &cube, search, quick_until)
        });
        let known = known.filter(|twists| twists.len() as u32 <= n_left);
        let shorter = known.as_ref().map_or(n_left, |twists| twists.len() as u32 - 1);
        match (search.solve(&cube, shorter), known) {
            (Some(twists), _) => Some(Plan { from: cube, twists, is_shortest: true }),
            (None, Some(twists)) => Some(Plan { from: cube, twists, is_shortest: search.exhausted }),
            (None, None) => None,
        }
    }
}

/// A solution by two phases, and shorter ones as long as the share of the budget lasts.
fn quickly(
    quick: &Quick,
    game: &RubiksCube,
    cube: &Cube,
    search: &mut Search<'_>,
    until: Duration,
) -> Option<Vec<Twist>> {
    let limits = search.limits;
    let most_nodes = match limits.budget {
        Budget { nodes: Some(nodes), .. } => nodes / QUICK_SHARE,
        Budget { time: Some(_), .. } => u64::MAX,
        _ => QUICK_NODES,
    };
    let is_over = || limits.host.now() >= until || limits.cancel.is_cancelled();
    let effort = Effort::new(most_nodes, &is_over);
    let (mut best, mut most) = (None::<Vec<Twist>>, ENOUGH);
    while let Some(twists) = quick.solve(cube, most, &effort) {
        let n_twists = twists.len() as u32;
        let twists = if game.has_half_turns() { twists } else { in_quarter_turns(&twists) };
        if best.as_ref().is_none_or(|best| twists.len() < best.len()) {
            best = Some(twists);
        }
        if n_twists == 0 {
            break;
        }
        most = n_twists - 1;
    }
    search.n_nodes += effort.n_nodes.get();
    best
}

fn in_quarter_turns(twists: &[Twist]) -> Vec<Twist> {
    let quarters = |twist: &Twist| match twist.quarters() {
        2 => vec![Twist::new(twist.face(), 1); 2],
        _ => vec![*twist],
    };
    twists.iter().flat_map(quarters).collect()
}

impl Session<RubiksCube> for CubeIda {
    fn decide(&mut self, view: &SeatView<'_, RubiksCube>, limits: &Limits<'_>, rng: &mut FastRng) -> Advice<Twist> {
        let start = limits.host.now();
        // Nothing is hidden: the determinization is the state.
        let state = view.determinize(rng);
        let game = view.game().game();
        let kept = |time: Duration| (time / 20).min(Duration::from_millis(20));
        let deadline = limits.budget.time.map(|time| start + time - kept(time));
        // What counts nodes is to play alike on every machine, also within a time that is only the most it may take.
        let most_quick = if limits.budget.nodes.is_some() { Duration::MAX } else { QUICK_TIME };
        let quick_time = limits.budget.time.map_or(Duration::MAX, |time| (time / QUICK_SHARE as u32).min(most_quick));
        let patterns = Arc::clone(&self.patterns);
        let mut search = Search::new(&patterns, game, limits, deadline);
        let before_cap = view.game().max_plies().map_or(u32::MAX, |most| most.saturating_sub(state.n_plies()));
        let n_left = before_cap.min(u32::from(game.limit() - state.n_twists()));
        let plan = self.plan(game, &state, n_left, &mut search, start.saturating_add(quick_time));
        let cost = Cost {
            nodes: search.n_nodes,
            depth: search.completed,
            elapsed: limits.host.now().saturating_sub(start),
            ..Cost::default()
        };
        let Some(plan) = plan else { return unsolved(game, &state, &search, cost) };
        let advice = solved(game, &state, &plan, cost);
        let mut next = *state.cube();
        game.twist(&mut next, advice.action);
        self.plan = Some(Plan { from: next, twists: plan.twists[1..].to_vec(), ..plan });
        advice
    }
}

/// The first twist of a solution.
fn solved(game: &RubiksCube, state: &State, plan: &Plan, cost: Cost) -> Advice<Twist> {
    let (action, n_twists) = (plan.twists[0], plan.twists.len() as u32);
    let candidate = Candidate {
        action,
        values: vec![-f64::from(u32::from(state.n_twists()) + n_twists)],
        certainty: if plan.is_shortest { Certainty::Exact } else { Certainty::LowerBound },
        visits: None,
        depth: Some(n_twists),
        plies: plan.is_shortest.then_some(n_twists),
    };
    let line = plan.twists.iter().map(|&twist| game.action_text(state, 0, twist)).collect();
    let known_by = plan.is_shortest.then_some("search");
    Advice { action, candidates: vec![candidate], line, cost, proven: plan.is_shortest, known_by, why: None }
}

/// The twist after which the tables are nearest to solved.
fn unsolved(game: &RubiksCube, state: &State, search: &Search<'_>, cost: Cost) -> Advice<Twist> {
    let action = search.nearest(state.cube());
    let candidate = Candidate {
        action,
        values: vec![-(f64::from(game.limit()) + 1.0)],
        certainty: if search.exhausted { Certainty::Exact } else { Certainty::LowerBound },
        visits: None,
        depth: None,
        plies: None,
    };
    let candidates = vec![candidate];
    Advice { action, candidates, line: Vec::new(), cost, proven: search.exhausted, known_by: None, why: None }
}
