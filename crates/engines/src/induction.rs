//! Games of three seats that are small enough for every position after a given one to be looked at: backward
//! induction, kept by a key of each game's own, so that positions that symmetry makes one are looked at once.
//!
//! What a seat does where its best choices are equal for itself decides what the others get; [`Ties`] says what is
//! assumed. For games without chance that never come back to a position. Checked against: the plain induction of the
//! crate `solve`, in each game's tests.

use std::hash::Hash;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_solve::backward::{EQUAL, Ties};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use crate::shared_table::{SharedTable, is_full};

/// The clock and the table are looked at after so many nodes, each of which may be an entry.
const ASK_EVERY: u64 = 1 << 10;

/// What each seat gets.
type Values = [f64; 3];

/// All positions met so far, with what the seats get.
pub(crate) struct Induction<G: Game, K> {
    game: G,
    ties: Ties,
    /// Positions with equal keys have equal payoffs.
    key: fn(&G, &G::State) -> K,
    /// Whether all positions from the start on are looked at in seconds.
    is_small: bool,
    /// The whole payoff, where one seat can get all of it: no other choice can be better then, and all that are as good are worth
    /// the same to everybody.
    everything: Option<f64>,
    known: SharedTable<K, Values>,
}

impl<G: Game, K: Copy + Eq + Hash> Induction<G, K> {
    /// For a game of three seats.
    pub(crate) fn new(game: &G, ties: Ties, key: fn(&G, &G::State) -> K) -> Induction<G, K> {
        let everything = game.facts().settling_payoff();
        Induction { game: game.clone(), ties, key, is_small: true, everything, known: SharedTable::new() }
    }

    /// The same for a game of which only positions near the end are known in a moment.
    pub(crate) fn of_large(self) -> Induction<G, K> {
        Induction { is_small: false, ..self }
    }
}

impl<G: Game, K: Copy + Eq + Hash + Send + Sync> Solver<G> for Induction<G, K> {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &G::State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact::of(self.game.payoffs(position)));
        }
        let key = (self.key)(&self.game, position);
        let values = match self.known.find(&key, work)? {
            Some(values) => values,
            None => {
                let mut known = self.known.fill(work)?;
                let mut search = Search { induction: self, known: &mut known, work, n_nodes: 0 };
                let (found, n_nodes) = (search.values(position), search.n_nodes);
                known.end(found, n_nodes)?
            }
        };
        Ok(Exact::of(Payoffs::new(values)))
    }

    fn is_immediate(&self) -> bool {
        self.is_small
    }

    fn statistics(&self) -> Statistics {
        self.known.statistics()
    }
}

struct Search<'a, G: Game, K> {
    induction: &'a Induction<G, K>,
    known: &'a mut FxHashMap<K, Values>,
    work: &'a Work<'a>,
    n_nodes: u64,
}

impl<G: Game, K: Copy + Eq + Hash> Search<'_, G, K> {
    fn values(&mut self, state: &G::State) -> Result<Values, Unsolved> {
        let game = &self.induction.game;
        let Phase::Act(seats) = game.phase(state) else {
            let payoffs = game.payoffs(state);
            return Ok([0, 1, 2].map(|seat| payoffs[seat]));
        };
        let key = (self.induction.key)(game, state);
        if let Some(&values) = self.known.get(&key) {
            return Ok(values);
        }
        let seat = seats.first();
        let mut actions = Vec::new();
        game.legal_actions(state, seat, &mut actions);
        let after = |&action: &G::Action| {
            let mut next = state.clone();
            game.apply(&mut next, seat, action);
            next
        };
        let is_everything = |values: &Values| Some(values[seat]) == self.induction.everything;
        // What is won at once needs no search.
        for action in &actions {
            self.count()?;
            let next = after(action);
            if game.phase(&next) == Phase::Over
                && let payoffs = game.payoffs(&next)
                && let values = [0, 1, 2].map(|seat| payoffs[seat])
                && is_everything(&values)
            {
                return Ok(values);
            }
        }
        let mut choices = Vec::with_capacity(actions.len());
        for action in &actions {
            let values = self.values(&after(action))?;
            choices.push(values);
            if is_everything(&values) {
                break;
            }
        }
        keep_best(&mut choices, |values| values[seat]);
        match self.induction.ties {
            Ties::Shared => {}
            Ties::InFavourOf(favoured) => keep_best(&mut choices, |values| values[favoured]),
            Ties::Against(loser) => keep_best(&mut choices, |values| -values[loser]),
        }
        let values = [0, 1, 2].map(|seat| mean(choices.iter().map(|values| values[seat])));
        self.known.insert(key, values);
        Ok(values)
    }

    fn count(&mut self) -> Result<(), Unsolved> {
        self.n_nodes += 1;
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

fn keep_best(choices: &mut Vec<Values>, value: impl Fn(&Values) -> f64) {
    let best = choices.iter().map(&value).fold(f64::NEG_INFINITY, f64::max);
    choices.retain(|values| best - value(values) <= EQUAL * best.abs().max(1.0));
}

/// The mean; of numbers that are all the same that number, without rounding.
fn mean(numbers: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let n = numbers.len() as f64;
    let first = numbers.clone().next().expect("there is a choice");
    first + numbers.map(|number| number - first).sum::<f64>() / n
}
