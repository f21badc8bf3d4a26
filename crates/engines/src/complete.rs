//! Games of two seats that are small enough for every position after a given one to be looked at.
//!
//! Depth-first with a table of all positions, no cut-offs: so that what is found is the value and the length of play
//! under best play, of every position met. For games that never come back to a position. Positions that symmetry
//! makes one are kept once, by the key that a game's folder gives.
//! What the result promises: it is exact, or there is none. Checked against: each game's tests.

use std::hash::Hash;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::seat::Seat;
use raichi_solve::{Exact, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use crate::shared_table::{SharedTable, is_full};

/// The clock and the table are looked at after so many nodes, each of which may be an entry.
const ASK_EVERY: u64 = 1 << 10;

/// What a position is worth to the seat to act, and in how many plies the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// 1, 0 or −1.
    pub(crate) value: i8,
    /// Under best play: the winner shortens the game and the loser prolongs it; of draws the longest.
    pub(crate) plies: u16,
}

impl Outcome {
    /// As the seat sees it that acts before.
    pub(crate) fn before(self) -> Outcome {
        Outcome { value: -self.value, plies: self.plies + 1 }
    }

    /// Greater is better.
    pub(crate) fn rank(self) -> i32 {
        let plies = i32::from(self.plies);
        match self.value {
            1 => (1 << 20) - plies,
            value => i32::from(value) * (1 << 20) + plies,
        }
    }

    /// The payoffs, where `seat` is to act.
    pub(crate) fn exact(self, seat: Seat) -> Exact {
        let values = match self.value {
            0 => Payoffs::zero(2),
            value => Payoffs::win(if value > 0 { seat } else { 1 - seat }),
        };
        Exact { values, plies: Some(self.plies.into()), score: None }
    }
}

/// All positions met so far, with their outcomes.
pub(crate) struct Complete<G: Game, K> {
    game: G,
    /// Positions with equal keys have equal outcomes.
    key: fn(&G, &G::State) -> K,
    known: SharedTable<K, Outcome>,
}

impl<G: Game, K: Copy + Eq + Hash> Complete<G, K> {
    pub(crate) fn new(game: &G, key: fn(&G, &G::State) -> K) -> Complete<G, K> {
        Complete { game: game.clone(), key, known: SharedTable::new() }
    }

    /// The value of a position, and what the table lacks of all that can follow it.
    pub(crate) fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        let Phase::Act(seats) = self.game.phase(position) else {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        };
        let outcome = match self.known.find(&(self.key)(&self.game, position), work)? {
            Some(outcome) => outcome,
            None => {
                let mut known = self.known.fill(work)?;
                let mut search = Search { complete: self, known: &mut known, work, n_nodes: 0 };
                let (found, n_nodes) = (search.outcome(position), search.n_nodes);
                known.end(found, n_nodes)?
            }
        };
        Ok(outcome.exact(seats.first()))
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.known.statistics()
    }
}

struct Search<'a, G: Game, K> {
    complete: &'a Complete<G, K>,
    known: &'a mut FxHashMap<K, Outcome>,
    work: &'a Work<'a>,
    n_nodes: u64,
}

impl<G: Game, K: Copy + Eq + Hash> Search<'_, G, K> {
    fn outcome(&mut self, state: &G::State) -> Result<Outcome, Unsolved> {
        let game = &self.complete.game;
        let key = (self.complete.key)(game, state);
        if let Some(&outcome) = self.known.get(&key) {
            return Ok(outcome);
        }
        let Phase::Act(seats) = game.phase(state) else { unreachable!("asked of positions that are not over") };
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let mut best: Option<Outcome> = None;
        for action in actions {
            let mut next = state.clone();
            game.apply(&mut next, seat, action);
            self.n_nodes += 1;
            self.check()?;
            let outcome = match game.phase(&next) {
                Phase::Over => Outcome { value: game.payoffs(&next)[seat] as i8, plies: 1 },
                // The same seat may act again.
                Phase::Act(seats) if seats.first() == seat => {
                    let outcome = self.outcome(&next)?;
                    Outcome { plies: outcome.plies + 1, ..outcome }
                }
                _ => self.outcome(&next)?.before(),
            };
            if best.is_none_or(|best| outcome.rank() > best.rank()) {
                best = Some(outcome);
            }
        }
        let best = best.expect("a seat that is to act has an action");
        self.known.insert(key, best);
        Ok(best)
    }

    fn check(&self) -> Result<(), Unsolved> {
        if self.n_nodes.is_multiple_of(ASK_EVERY) {
            if self.work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            if is_full(self.known, ASK_EVERY as usize, self.work.memory) {
                return Err(Unsolved::OutOfMemory);
            }
        }
        Ok(())
    }
}
