//! What a seat can force within so many plies, in games that are too large to be solved.
//!
//! A search of AND and OR to a bounded depth: where the seat acts, one action must win; where another seat or chance acts,
//! everything that can happen must. Depths grow by one from the end, so that short wins are found first.
//! Handled: positions without secrets where one seat acts at a time; chance and any number of seats are allowed.
//! Not here: the path. Where a rule of it may end the game, no more than [`LONGEST`] plies are looked at: a third occurrence of
//! a position needs eight plies at least, or more visits than the shortest way to a win makes
//! (`PathRules::visits_in_proofs`), so that no such win from a position that begins a game can be ended by it.
//! Promise: a win that is found is one against every defence; that none is found means that there is none within these plies.
//! Nothing rests on keys. Checked in `tests/bounded.rs` against minimax on trees and against solved games.

use raichi_core::game::{Game, Phase};
use raichi_core::path::PathMemory;
use raichi_core::seat::Seat;

use crate::exact::Work;

/// The most plies that are looked at where the path may end the game.
pub const LONGEST: u32 = 7;

/// The clock is read after so many positions; in a large game they take a few microseconds each.
const ASK_EVERY: u64 = 32;

/// Looks for wins that `seat` can force.
pub struct Bounded<'a, G: Game> {
    game: &'a G,
    seat: Seat,
    left: u64,
    /// Ends it early.
    work: Option<&'a Work<'a>>,
    /// By the plies left: the choice that decided the last position of that depth, tried first in the next.
    killers: Vec<Option<G::Action>>,
}

impl<'a, G: Game> Bounded<'a, G> {
    /// A search for `seat` that looks at so many positions at most, in all that it is asked for; `None` where the game has
    /// secrets or seats that act at the same time.
    pub fn new(game: &'a G, seat: Seat, most: u64) -> Option<Self> {
        let facts = game.facts();
        let fits = !facts.hidden && !facts.simultaneous;
        fits.then(|| Bounded { game, seat, left: most, work: None, killers: Vec::new() })
    }

    /// The same that ends with `work`, as if too many positions would have to be looked at.
    pub fn within(self, work: &'a Work<'a>) -> Self {
        Bounded { work: Some(work), ..self }
    }

    /// Whether the seat wins from `position` within `plies` plies, whatever the others do; `None` where too many positions
    /// would have to be looked at.
    pub fn wins(&mut self, position: &G::State, plies: u32) -> Option<bool> {
        self.shortest(position, plies).map(|length| length.is_some())
    }

    /// In how few plies, of so many at most, the seat wins from `position`, whatever the others do: `Some(None)` where it does
    /// not, `None` where too many positions would have to be looked at.
    pub fn shortest(&mut self, position: &G::State, plies: u32) -> Option<Option<u32>> {
        let most = if G::PathMemory::DECIDES { plies.min(LONGEST) } else { plies };
        for depth in 0..=most {
            if self.is_over() {
                return None;
            }
            self.killers.resize(self.killers.len().max(depth as usize + 1), None);
            if self.wins_at(position, depth)? {
                return Some(Some(depth));
            }
        }
        Some(None)
    }

    fn wins_at(&mut self, position: &G::State, plies: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if self.left.is_multiple_of(ASK_EVERY) && self.is_over() {
            return None;
        }
        let seat = match self.game.phase(position) {
            Phase::Over => return Some(self.has_won(position)),
            _ if plies == 0 => return Some(false),
            Phase::Chance => return self.wins_all_outcomes(position, plies),
            Phase::Act(seats) => seats.first(),
        };
        let is_own = seat == self.seat;
        let mut actions = Vec::new();
        self.game.legal_actions(position, seat, &mut actions);
        let killer = self.killers[plies as usize];
        if let Some(at) = actions.iter().position(|&action| Some(action) == killer) {
            actions.swap(0, at);
        }
        for action in actions {
            let mut next = position.clone();
            self.game.apply(&mut next, seat, action);
            // A win among the own actions decides, and a defence among those of others.
            if self.wins_at(&next, plies - 1)? == is_own {
                self.killers[plies as usize] = Some(action);
                return Some(is_own);
            }
        }
        Some(!is_own)
    }

    fn wins_all_outcomes(&mut self, position: &G::State, plies: u32) -> Option<bool> {
        let mut outcomes = Vec::new();
        self.game.outcomes(position, &mut outcomes);
        for (outcome, _) in outcomes {
            let mut next = position.clone();
            self.game.apply_outcome(&mut next, outcome);
            if !self.wins_at(&next, plies - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_over(&self) -> bool {
        self.work.is_some_and(Work::is_over)
    }

    fn has_won(&self, position: &G::State) -> bool {
        let payoffs = self.game.payoffs(position);
        let mut others = payoffs.as_slice().iter().enumerate().filter(|&(seat, _)| seat != self.seat);
        others.all(|(_, &other)| payoffs[self.seat] > other)
    }
}
