//! The positions in which hands of a split are played, by how many more splits were made and by which hand is played.

use super::super::shoe::BEST;
use super::Hands;
use super::multisets::Bound;

/// From this hard count on a hand stands.
pub(super) const STANDS: usize = 18;
/// The most that a hand counts which drew below [`STANDS`].
const MOST: usize = STANDS - 1 + 10;

/// The positions in which so many splits more were made than at first. What counts there are cards drawn beside those of the pairs
/// that were split.
pub(super) struct Family {
    pub(super) n_more: usize,
    pub(super) stages: Vec<Stage>,
}

/// Positions in which a hand of these is played.
pub(super) struct Stage {
    /// What the hand counts before it draws.
    pub(super) held: usize,
    /// The most that cards count together that are drawn before this hand draws.
    pub(super) first: usize,
    /// The same when it may still draw one.
    pub(super) hits: usize,
    /// The same when it has drawn all its cards and is not lost.
    pub(super) stands: usize,
    /// Whether it has two cards or more already.
    pub(super) is_played: bool,
}

impl Stage {
    pub(super) fn two_cards(&self) -> usize {
        self.first + 10
    }

    /// What its hand counts at least when all that was drawn counts `n`.
    pub(super) fn least(&self, n: usize) -> usize {
        self.held.max((self.held + n).saturating_sub(self.first)).max(2)
    }
}

impl Family {
    pub(super) fn new(hands: &Hands, n_more: usize) -> Family {
        let mut stages: Vec<Stage> = Vec::new();
        let mut first = 0;
        let mut add = |held: usize, most: usize, is_played: bool| {
            let stands = first + BEST - held;
            stages.push(Stage { held, first, hits: first + (STANDS - 1).saturating_sub(held), stands, is_played });
            first += most - held;
        };
        if let Some(played) = hands.played {
            add(played.hard, MOST.max(played.hard + 10), true);
        }
        (0..hands.n_waiting + n_more).for_each(|_| add(hands.pair + 1, MOST, false));
        Family { n_more, stages }
    }

    /// Which cards may be drawn when the last hand has drawn cards that count so much: hands before it count no more than
    /// [`STANDS`] − 1 without their last cards.
    fn bound(&self, drawn_by_last: usize) -> Bound {
        let before = &self.stages[..self.stages.len().saturating_sub(1)];
        let drawn = |stage: &Stage| (STANDS - 1).saturating_sub(stage.held);
        Bound { base: before.iter().map(drawn).sum::<usize>() + drawn_by_last, n_highest: before.len() }
    }

    /// The same when it may still draw, or has just got its second card.
    pub(super) fn bound_of_draws(&self) -> Bound {
        self.bound(self.stages.last().map_or(0, |last| (STANDS - 1).saturating_sub(last.held).max(10)))
    }

    /// The same when it stands.
    pub(super) fn bound_of_stands(&self) -> Bound {
        self.bound(self.stages.last().map_or(0, |last| BEST - last.held))
    }

    /// The most that cards count together behind which a hand stands.
    pub(super) fn limit(&self) -> usize {
        self.stages.last().map_or(0, |stage| stage.stands)
    }
}
