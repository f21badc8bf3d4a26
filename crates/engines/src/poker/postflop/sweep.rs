//! What hands are worth at the ends of the betting, against all hands of the other seat at once.
//!
//! Hands that share a card exclude each other. Instead of comparing pairs of hands, weights are summed up in all and by card:
//! the weight of hands without either card of `h` is the sum less the sums of its two cards, and the weight of `h` itself,
//! which was taken off twice. From the weakest hand up, the sums so far are those of weaker hands. So an end costs as many
//! steps as there are hands, and several ends are done at once, side by side: they differ in weights only.

use super::layout::Side;

/// The weights of several ends side by side, or what their hands are worth.
pub(super) type Lanes<const L: usize> = [f32; L];

/// Sums of weights: by card, and in all.
pub(super) struct Sums<const L: usize> {
    // 64, so that no index has to be checked.
    of_cards: [Lanes<L>; 64],
    all: Lanes<L>,
}

impl<const L: usize> Sums<L> {
    fn new() -> Sums<L> {
        Sums { of_cards: [[0.0; L]; 64], all: [0.0; L] }
    }

    #[inline(always)]
    fn add(&mut self, cards: [u8; 2], weights: &Lanes<L>) {
        let [one, other] = cards.map(|card| usize::from(card & 63));
        for lane in 0..L {
            self.all[lane] += weights[lane];
            self.of_cards[one][lane] += weights[lane];
            self.of_cards[other][lane] += weights[lane];
        }
    }

    /// The weight of hands without either card, less that of the very same hand.
    #[inline(always)]
    fn without(&self, cards: [u8; 2]) -> Lanes<L> {
        let [one, other] = cards.map(|card| &self.of_cards[usize::from(card & 63)]);
        std::array::from_fn(|lane| self.all[lane] - one[lane] - other[lane])
    }
}

/// For each hand of `own`, the weight of the hands of `other` that it beats less that of those that beat it. Returns the sums
/// of all hands of `other`.
pub(super) fn showdown<const L: usize>(
    own: &Side,
    other: &Side,
    weights: &[Lanes<L>],
    out: &mut [Lanes<L>],
) -> Sums<L> {
    let mut sums = Sums::new();
    let mut theirs = other.cards.iter().zip(weights);
    let (mut begin, mut n_added) = (0, 0);
    for group in &own.groups {
        let hands = begin..usize::from(group.end);
        begin = hands.end;
        let (below, equal) = (usize::from(group.below), usize::from(group.equal));
        for (&cards, weights) in theirs.by_ref().take(below - n_added) {
            sums.add(cards, weights);
        }
        for (out, &cards) in out[hands.clone()].iter_mut().zip(&own.cards[hands.clone()]) {
            *out = sums.without(cards);
        }
        for (&cards, weights) in theirs.by_ref().take(equal - below) {
            sums.add(cards, weights);
        }
        n_added = equal;
        for (out, &cards) in out[hands.clone()].iter_mut().zip(&own.cards[hands]) {
            let not_above = sums.without(cards);
            (0..L).for_each(|lane| out[lane] += not_above[lane]);
        }
    }
    for (&cards, weights) in theirs {
        sums.add(cards, weights);
    }
    // Less those above, who are all less those not above. The same hand is in none of these.
    for (out, &cards) in out.iter_mut().zip(&own.cards) {
        let all = sums.without(cards);
        (0..L).for_each(|lane| out[lane] -= all[lane]);
    }
    sums
}

/// For each hand of `own`, the weight of the hands of `other` that are as strong and share no card with it.
pub(super) fn equal<const L: usize>(own: &Side, other: &Side, weights: &[Lanes<L>], out: &mut [Lanes<L>]) {
    let mut begin = 0;
    for group in &own.groups {
        let hands = begin..usize::from(group.end);
        begin = hands.end;
        let mut sums = Sums::new();
        for nth in usize::from(group.below)..usize::from(group.equal) {
            sums.add(other.cards[nth], &weights[nth]);
        }
        for nth in hands {
            // The same hand is as strong, and was taken off twice.
            let (rest, same) = (sums.without(own.cards[nth]), &weights[usize::from(own.same[nth])]);
            out[nth] = std::array::from_fn(|lane| rest[lane] + same[lane]);
        }
    }
}

/// The sums of all hands of `other`.
pub(super) fn all<const L: usize>(other: &Side, weights: &[Lanes<L>]) -> Sums<L> {
    let mut sums = Sums::new();
    for (&cards, weights) in other.cards.iter().zip(weights) {
        sums.add(cards, weights);
    }
    sums
}

/// For each hand of `own`, the weight of all hands of `other` that share no card with it; `all` are their sums.
pub(super) fn totals<const L: usize>(own: &Side, weights: &[Lanes<L>], out: &mut [Lanes<L>], all: &Sums<L>) {
    for ((out, &cards), &same) in out.iter_mut().zip(&own.cards).zip(&own.same) {
        let (rest, same) = (all.without(cards), &weights[usize::from(same)]);
        *out = std::array::from_fn(|lane| rest[lane] + same[lane]);
    }
}
