//! The exact score on boards whose cells do not fit into one word: 10×10.
//!
//! Alpha-beta with a table of bounds, the actions first that leave the other seat the fewest placements. Everything goes by the
//! game's own rules, some thousand times slower than on the smaller boards: ten empty cells take seconds.
//! Checked against: a plain search (tests.rs).

use raichi_core::game::{Game, Phase};
use raichi_games::othello::{Action, Othello, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use super::last::score_of;
use super::worth;
use crate::one_at_a_time::{OneAtATime, WithTable};
use crate::shared_table::{bytes, is_full};

/// Positions with fewer empty cells are not kept.
const LEAST_KEPT: u32 = 4;
/// The clock is read after so many nodes.
const ASK_EVERY: u64 = 1 << 10;

/// Solves positions of a large board.
pub(super) struct Wide {
    game: Othello,
    search: OneAtATime<Search>,
}

#[derive(Default)]
struct Search {
    /// The least and the greatest score that a position can have for the seat to act.
    known: FxHashMap<State, (i32, i32)>,
    nodes: u64,
}

impl Wide {
    pub(super) fn new(game: &Othello) -> Wide {
        Wide { game: *game, search: OneAtATime::new(Search::default()) }
    }
}

impl Search {
    /// The score where it lies between `alpha` and `beta`, else a bound beyond them.
    fn score(
        &mut self,
        game: &Othello,
        state: &State,
        (alpha, beta): (i32, i32),
        work: &Work<'_>,
    ) -> Result<i32, Unsolved> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASK_EVERY) {
            self.check(work)?;
        }
        if game.phase(state) == Phase::Over {
            return Ok(score_of_end(game, state));
        }
        // 1. What is known.
        let [own, foes] = state.own_and_foes();
        let is_kept = (game.board() & !(own | foes)).count_ones() >= LEAST_KEPT;
        let most = game.board().count_ones() as i32;
        let (low, high) = self.known.get(state).copied().unwrap_or((-most, most));
        let (mut alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return Ok(if low >= beta { low } else { high });
        }
        // 2. The successors, those first that leave the other seat little choice.
        let mut actions: Vec<Action> = Vec::new();
        game.legal_actions(state, state.to_act(), &mut actions);
        let after = |action| {
            let mut next = *state;
            game.apply(&mut next, state.to_act(), action);
            next
        };
        let mut successors: Vec<State> = actions.into_iter().map(after).collect();
        successors.sort_by_key(|next| next.placements().count_ones());
        // 3. Search them.
        let (mut best, lowest) = (-most, alpha);
        for next in &successors {
            best = best.max(-self.score(game, next, (-beta, -alpha), work)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if is_kept {
            let bounds = self.known.entry(*state).or_insert((low, high));
            if best > lowest {
                bounds.0 = bounds.0.max(best);
            }
            if best < beta {
                bounds.1 = bounds.1.min(best);
            }
        }
        Ok(best)
    }

    fn check(&self, work: &Work<'_>) -> Result<(), Unsolved> {
        if work.is_over() {
            Err(Unsolved::OutOfTime)
        } else if is_full(&self.known, ASK_EVERY as usize, work.memory) {
            Err(Unsolved::OutOfMemory)
        } else {
            Ok(())
        }
    }
}

/// The score of a finished game, for the seat to act.
fn score_of_end(game: &Othello, state: &State) -> i32 {
    let [own, foes] = state.own_and_foes().map(|cells| cells.count_ones() as i32);
    score_of(own, foes, game.board().count_ones() as i32)
}

impl Solver<Othello> for Wide {
    fn method(&self) -> Method {
        Method::Search
    }

    fn answers_one_at_a_time(&self) -> bool {
        true
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            let [black, white] = position.discs().map(|cells| cells.count_ones() as i32);
            let score = score_of(black, white, self.game.board().count_ones() as i32);
            return Ok(Exact { values: self.game.payoffs(position), plies: Some(0), score: Some(score.into()) });
        }
        let most = self.game.board().count_ones() as i32;
        let score = self.search.ask(work, |search| {
            search.check(work)?;
            search.score(&self.game, position, (-most, most), work)
        })?;
        Ok(worth(position, score))
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

impl WithTable for Search {
    fn cost(&self) -> Statistics {
        let bytes = bytes(&self.known);
        Statistics { positions: self.known.len() as u64, nodes: self.nodes, bytes }
    }

    fn forget(&mut self) {
        self.known = FxHashMap::default();
    }
}
