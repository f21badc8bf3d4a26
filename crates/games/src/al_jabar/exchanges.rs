//! Which exchanges a hand and the Center allow: counted, listed, and found by number without a list.

use std::ops::Range;

use super::group::MAX_ORDER;
use super::pieces::{Packed, Pieces};
use super::sets::{SetId, Sets};

/// Pieces given, and pieces taken instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Exchange {
    pub(super) give: SetId,
    pub(super) take: SetId,
}

/// The exchanges of a hand with the Center.
pub(super) struct Exchanges<'a> {
    sets: &'a Sets,
    hand: Packed,
    center: Packed,
}

/// How many exchanges there are.
pub(super) struct Tally {
    /// By sum: sets that may be taken, and pairs of a set to give and a different one to take.
    by_sum: [(u32, u32); MAX_ORDER],
    pub(super) total: usize,
}

impl<'a> Exchanges<'a> {
    #[inline]
    pub(super) fn new(sets: &'a Sets, hand: &Pieces, center: &Pieces) -> Self {
        Exchanges { sets, hand: sets.pack(hand), center: sets.pack(center) }
    }

    #[inline]
    pub(super) fn can_give(&self, set: SetId) -> bool {
        self.sets.is_in(set.into(), self.hand)
    }

    #[inline]
    pub(super) fn can_take(&self, set: SetId) -> bool {
        self.sets.is_in(set.into(), self.center)
    }

    /// Whether the rules allow the exchange where all its pieces are there.
    #[inline]
    fn is_fair(&self, Exchange { give, take }: Exchange) -> bool {
        if Some(give) == self.sets.spectrum() {
            return take == self.sets.zero();
        }
        self.sets.sum(give) == self.sets.sum(take) && give != take && Some(take) != self.sets.spectrum()
    }

    pub(super) fn contains(&self, exchange: Exchange) -> bool {
        self.is_fair(exchange) && self.can_give(exchange.give) && self.can_take(exchange.take)
    }

    /// The exchange of the spectrum, where it is an exception and all its pieces are there.
    #[inline]
    fn spectrum(&self) -> Option<Exchange> {
        let give = self.sets.spectrum()?;
        Some(Exchange { give, take: self.sets.zero() }).filter(|&exchange| self.contains(exchange))
    }

    #[inline]
    pub(super) fn tally(&self) -> Tally {
        let mut by_sum = [(0, 0); MAX_ORDER];
        let mut total = usize::from(self.spectrum().is_some());
        for (of_sum, group) in by_sum.iter_mut().zip(self.sets.groups()) {
            let [gives, takes, both] = self.sets.tally(group.clone(), self.hand, self.center);
            *of_sum = (takes, gives * takes - both);
            total += of_sum.1 as usize;
        }
        Tally { by_sum, total }
    }

    /// Exchange number `n` of the list, `n` below the tally's total.
    #[inline]
    pub(super) fn nth(&self, tally: &Tally, n: usize) -> Exchange {
        let mut left = n as u32;
        for (&(takes, pairs), group) in tally.by_sum.iter().zip(self.sets.groups()) {
            if left < pairs {
                return self.nth_of_group(group, takes, left);
            }
            left -= pairs;
        }
        debug_assert!(left == 0 && n < tally.total, "{n} is not below {}", tally.total);
        self.spectrum().expect("the tally counts it")
    }

    #[inline]
    fn gives(&self, group: &Range<usize>) -> impl Iterator<Item = usize> {
        group.clone().filter(|&set| self.sets.is_in(set, self.hand))
    }

    #[inline]
    fn takes(&self, group: &Range<usize>) -> impl Iterator<Item = usize> {
        group.clone().filter(|&set| self.sets.is_in(set, self.center))
    }

    #[inline]
    fn nth_of_group(&self, group: &Range<usize>, takes: u32, n: u32) -> Exchange {
        let mut left = n;
        for give in self.gives(group) {
            // What is given cannot be what is taken.
            let others = takes - u32::from(self.sets.is_in(give, self.center));
            if left < others {
                let mut takes = self.takes(group).filter(|&take| take != give);
                let take = takes.nth(left as usize).expect("the tally counts them");
                return Exchange { give: give as SetId, take: take as SetId };
            }
            left -= others;
        }
        unreachable!("the tally counts {n} and more")
    }

    /// Calls `each` with every exchange, once.
    pub(super) fn for_each(&self, mut each: impl FnMut(Exchange)) {
        let mut takes = Vec::new();
        for group in self.sets.groups() {
            takes.clear();
            takes.extend(self.takes(group));
            if takes.is_empty() {
                continue;
            }
            for give in self.gives(group) {
                for &take in takes.iter().filter(|&&take| take != give) {
                    each(Exchange { give: give as SetId, take: take as SetId });
                }
            }
        }
        if let Some(spectrum) = self.spectrum() {
            each(spectrum);
        }
    }
}
