//! Who wins, by dominoes and, where they do not settle it, by a search that ends where they do.
//!
//! On boards with an odd side dominoes settle the game from the first tile on. With two even sides of four cells or
//! more the second seat leads the path from b1 down into b2, and whatever is put there, its free line makes the split
//! domino that evens the colours. With a side of two and the other even the first seat wins; that and positions off
//! these ways are searched, three actions a ply, deeper and deeper, with a table of positions.
//! Dominoes say who wins and not how soon: where few cells are empty all that can follow is looked at for that.

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::reason::Reason;
use raichi_core::seat::Seat;
use raichi_games::black::{Black, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use super::cover::cover;
use super::is_at_corner;
use super::reason::reason;
use crate::lengths::of_black;
use crate::one_at_a_time::{OneAtATime, WithTable};
use crate::shared_table::{bytes, is_full};

/// Who wins each position searched.
type Winners = FxHashMap<State, Seat>;

/// Who wins each position near the end, and after how many plies.
type Ends = FxHashMap<State, (Seat, u32)>;

/// What was found, and what that cost.
#[derive(Default)]
struct Known {
    winners: Winners,
    ends: Ends,
    n_nodes: u64,
}

/// With no more empty cells than these all that can follow is looked at: some thousand positions.
const FEW_EMPTY: u32 = 16;

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

    /// A length is told where few cells are empty; elsewhere the strategy wins, whenever that may be.
    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        self.search.ask(work, |known| {
            let Known { winners, ends, n_nodes } = known;
            let mut search = Search { game: &self.game, winners, ends, work, n_nodes: 0 };
            let found = match of_black(&self.game, position) <= FEW_EMPTY {
                true => search.end(position).map(|(winner, plies)| (winner, Some(plies))),
                false => {
                    let winner = DEPTHS.into_iter().find_map(|depth| search.winner(position, depth).transpose());
                    winner.expect("no game is longer than the last depth").map(|winner| (winner, None))
                }
            };
            *n_nodes += search.n_nodes;
            found.map(|(winner, plies)| Exact { plies, ..Exact::of(Payoffs::win(winner)) })
        })
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
        let positions = (self.winners.len() + self.ends.len()) as u64;
        Statistics { positions, nodes: self.n_nodes, bytes: bytes(&self.winners) + bytes(&self.ends) }
    }

    fn forget(&mut self) {
        (self.winners, self.ends) = Default::default();
    }
}

/// How deep is looked, time after time: the strategies need three plies at most.
const DEPTHS: [u32; 4] = [3, 6, 12, u32::MAX];

struct Search<'a> {
    game: &'a Black,
    winners: &'a mut Winners,
    ends: &'a mut Ends,
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

    /// Who wins, and after how many plies: the winner wins soon, the loser loses late.
    fn end(&mut self, state: &State) -> Result<(Seat, u32), Unsolved> {
        let game = self.game;
        let Phase::Act(seats) = game.phase(state) else {
            return Ok((usize::from(game.payoffs(state)[1] > 0.0), 0));
        };
        if let Some(&end) = self.ends.get(state) {
            return Ok(end);
        }
        self.count()?;
        let (seat, mut actions) = (seats.first(), Vec::with_capacity(3));
        game.legal_actions(state, seat, &mut actions);
        let (mut soonest, mut latest) = (None::<u32>, 0);
        for action in actions {
            let mut next = *state;
            game.apply(&mut next, seat, action);
            let (winner, plies) = self.end(&next)?;
            if winner == seat {
                soonest = Some(soonest.map_or(plies, |soonest| soonest.min(plies)));
            } else {
                latest = latest.max(plies);
            }
        }
        let end = soonest.map_or((1 - seat, latest + 1), |plies| (seat, plies + 1));
        self.ends.insert(*state, end);
        Ok(end)
    }

    fn count(&mut self) -> Result<(), Unsolved> {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(64) && self.work.is_over() {
            return Err(Unsolved::OutOfTime);
        }
        // Each of the tables has half of the memory.
        if is_full(self.winners, 1, self.work.memory / 2) || is_full(self.ends, 1, self.work.memory / 2) {
            return Err(Unsolved::OutOfMemory);
        }
        Ok(())
    }
}
