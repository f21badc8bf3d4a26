//! Who wins, by dominoes and, where they do not settle it, by a search that ends where they do.
//!
//! On boards with an odd side dominoes settle the game from the first tile on. With two even sides of four cells or
//! more the second seat leads the path from b1 down into b2, and whatever is put there, its free line makes the split
//! domino that evens the colours. With a side of two and the other even the first seat wins; that and positions off
//! these ways are searched, three actions a ply, deeper and deeper, with a table of positions.

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use raichi_games::black::{Black, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use super::cover::cover;
use super::is_at_corner;
use super::reason::reason;
use crate::one_at_a_time::{OneAtATime, WithTable};
use crate::shared_table::{bytes, is_full};

/// Who wins each position searched.
type Winners = FxHashMap<State, Seat>;

/// What was found, and what that cost.
#[derive(Default)]
struct Known {
    winners: Winners,
    n_nodes: u64,
}

pub(super) struct Dominoes {
    game: Black,
    search: OneAtATime<Known>,
}

impl Dominoes {
    pub(super) fn new(game: &Black) -> Dominoes {
        Dominoes { game: *game, search: OneAtATime::new(Known::default()) }
    }
}

impl Solver<Black> for Dominoes {
    fn method(&self) -> Method {
        Method::Proof
    }

    /// No length is told: the strategy wins, whenever that may be.
    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let winner = self.search.ask(work, |known| {
            let mut search = Search { game: &self.game, winners: &mut known.winners, work, n_nodes: 0 };
            let winner = DEPTHS.into_iter().find_map(|depth| search.winner(position, depth).transpose());
            known.n_nodes += search.n_nodes;
            winner.expect("no game is longer than the last depth")
        })?;
        Ok(Exact::of(Payoffs::win(winner)))
    }

    fn reason(&self, position: &State) -> Option<Reason> {
        reason(&self.game, position)
    }

    // Off the strategies a position may have to be searched.
    fn is_immediate(&self) -> bool {
        false
    }

    fn answers_one_at_a_time(&self) -> bool {
        true
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

impl WithTable for Known {
    fn cost(&self) -> Statistics {
        Statistics { positions: self.winners.len() as u64, nodes: self.n_nodes, bytes: bytes(&self.winners) }
    }

    fn forget(&mut self) {
        self.winners = Winners::default();
    }
}

/// How deep is looked, time after time: the strategies need three plies at most.
const DEPTHS: [u32; 4] = [3, 6, 12, u32::MAX];

struct Search<'a> {
    game: &'a Black,
    winners: &'a mut Winners,
    work: &'a Work<'a>,
    n_nodes: u64,
}

impl Search<'_> {
    /// Who wins, where that is found within so many plies.
    fn winner(&mut self, state: &State, depth: u32) -> Result<Option<Seat>, Unsolved> {
        let game = self.game;
        let Phase::Act(seats) = game.phase(state) else {
            return Ok(Some(usize::from(game.payoffs(state)[1] > 0.0)));
        };
        let seat = seats.first();
        if is_at_corner(game, state) {
            return Ok(Some(seat));
        }
        if let Some(&winner) = self.winners.get(state) {
            return Ok(Some(winner));
        }
        self.count()?;
        let winner = match cover(game, state) {
            Some(cover) => Some(cover.winner),
            None if depth == 0 => None,
            None => self.winner_of_actions(state, seat, depth - 1)?,
        };
        if let Some(winner) = winner {
            self.winners.insert(*state, winner);
        }
        Ok(winner)
    }

    fn winner_of_actions(&mut self, state: &State, seat: Seat, depth: u32) -> Result<Option<Seat>, Unsolved> {
        let mut actions = Vec::with_capacity(3);
        self.game.legal_actions(state, seat, &mut actions);
        let mut all_lose = true;
        for action in actions {
            let mut next = *state;
            self.game.apply(&mut next, seat, action);
            match self.winner(&next, depth)? {
                Some(winner) if winner == seat => return Ok(Some(seat)),
                Some(_) => {}
                None => all_lose = false,
            }
        }
        Ok(all_lose.then_some(1 - seat))
    }

    fn count(&mut self) -> Result<(), Unsolved> {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(64) && self.work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        if is_full(self.winners, 1, self.work.memory) {
            return Err(Unsolved::OutOfMemory);
        }
        Ok(())
    }
}
