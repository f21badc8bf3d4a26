//! Which action to look at first, by what was best elsewhere: killers, countermoves, history.
//!
//! Killers are the last actions that were too good for the opponent at the same ply (Akl and Newborn, 1977),
//! countermoves those after the same action of the opponent (Uiterwijk, 1992), and history counts how often an action was
//! too good anywhere (Schaeffer, *The history heuristic and alpha-beta search enhancements in practice*, 1989).

use raichi_core::erased::Playable;
use raichi_core::seat::Seat;

/// How many entries a table by actions has; actions that share one are mistaken for each other, which costs only order.
const N_ENTRIES: usize = 1 << 12;
/// No count of the history is greater.
const MOST: i32 = 1 << 14;

/// The ranks, greatest first: the table's action, killers, the countermove, history.
pub(super) const RANK_OF_TABLE: i32 = 1 << 24;
const RANK_OF_KILLER: i32 = 1 << 20;
const RANK_OF_COUNTER: i32 = 1 << 19;

/// The rank of an action and its place in the list of legal actions, of which the first goes before its equals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank(i64);

impl Rank {
    #[inline]
    pub(super) fn new(rank: i32, place: usize) -> Rank {
        Rank(i64::from(rank) << 32 | (u32::MAX as usize - place) as i64)
    }

    #[inline]
    pub(super) fn add(&mut self, more: i32) {
        self.0 += i64::from(more) << 32;
    }

    #[inline]
    pub(super) fn place(self) -> usize {
        u32::MAX as usize - (self.0 & 0xffff_ffff) as usize
    }
}

/// Sorts the highest rank to the front. Compiled once, not for each game.
pub(super) fn highest_first(ranks: &mut [Rank]) {
    ranks.sort_unstable_by(|a, b| b.cmp(a));
}

/// Where somebody chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<A> {
    pub(super) ply: usize,
    /// Who chooses; with more than two seats 0 is the one that searches and 1 all others.
    pub(super) seat: Seat,
    /// What was chosen before.
    pub(super) last: Option<A>,
}

/// What was best elsewhere; one a thread.
pub(super) struct Ordering<G: Playable> {
    killers: Vec<[Option<G::Action>; 2]>,
    counters: Vec<Option<G::Action>>,
    history: Vec<i32>,
}

impl<G: Playable> Default for Ordering<G> {
    fn default() -> Self {
        Ordering { killers: Vec::new(), counters: vec![None; 2 * N_ENTRIES], history: vec![0; 2 * N_ENTRIES] }
    }
}

impl<G: Playable> Ordering<G> {
    /// Forgets what belongs to a ply, and half of the rest.
    pub(super) fn begin_decision(&mut self) {
        self.killers.clear();
        self.history.iter_mut().for_each(|count| *count /= 2);
    }

    #[inline]
    fn entry(game: &G, seat: Seat, action: G::Action) -> usize {
        let number = game.action_number(action);
        (seat & 1) * N_ENTRIES + (number ^ number >> 12 ^ number >> 24) as usize % N_ENTRIES
    }

    /// The place of a killer among the actions at this ply, the later one's before the earlier one's.
    #[inline]
    pub(super) fn killer_among(&self, ply: usize, actions: &[G::Action]) -> Option<usize> {
        let killers = self.killers.get(ply)?;
        let place = |killer: G::Action| actions.iter().position(|&action| action == killer);
        killers.iter().flatten().find_map(|&killer| place(killer))
    }

    /// Ranks the actions of a turn.
    #[inline]
    pub(super) fn rank(
        &self,
        game: &G,
        Turn { ply, seat, last }: Turn<G::Action>,
        actions: &[G::Action],
        ranks: &mut Vec<Rank>,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let counter = last.and_then(|last| self.counters[Self::entry(game, 1 - (seat & 1), last)]);
        ranks.extend(actions.iter().enumerate().map(|(place, &action)| {
            let rank = if killers[0] == Some(action) {
                RANK_OF_KILLER + 1
            } else if killers[1] == Some(action) {
                RANK_OF_KILLER
            } else {
                let bonus = if counter == Some(action) { RANK_OF_COUNTER } else { 0 };
                bonus + self.history[Self::entry(game, seat, action)]
            };
            Rank::new(rank, place)
        }));
    }

    /// `action` was too good for the opponent, `before` it were looked at in vain.
    #[inline]
    pub(super) fn learn(
        &mut self,
        game: &G,
        Turn { ply, seat, last }: Turn<G::Action>,
        depth: u32,
        action: G::Action,
        before: &[G::Action],
    ) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        if let Some(last) = last {
            self.counters[Self::entry(game, 1 - (seat & 1), last)] = Some(action);
        }
        let weight = (depth * depth).min(400) as i32;
        self.count(Self::entry(game, seat, action), weight);
        before.iter().for_each(|&other| self.count(Self::entry(game, seat, other), -weight));
    }

    // Counts that are far from 0 grow slower, so that none leaves its bounds.
    #[inline]
    fn count(&mut self, entry: usize, weight: i32) {
        let count = &mut self.history[entry];
        *count += weight - *count * weight.abs() / MOST;
    }
}
