//! What standing is worth behind all multisets of cards at once.
//!
//! Method: that of [`gone`](super::super::gone), over a tree of all multisets that count up to a limit.
//! Checked: against the dealer's ends one by one.

use raichi_solve::{Unsolved, Work};

use super::super::dealer::{Draws, MOST_ALIKE, N_ENDS};
use super::super::gone::{Lanes, N_FACTORS, N_LANES, Sums};
use super::super::shoe::Shoe;
use super::multisets::{Bound, MAX_KINDS, Multisets, value_of};

const TENS: usize = 9;
/// Whether the work is over is asked at each choice of sixes and more.
const ASKED_AT: usize = 4;

struct Walk<'a, F> {
    multisets: &'a Multisets,
    limit: usize,
    sums: &'a Sums,
    /// By value, by how many are gone, by how many are drawn: the product of what is left before each draw.
    left: [Vec<[f64; MOST_ALIKE + 1]>; 10],
    /// The same of all cards, inverted.
    totals: Vec<[f64; MOST_ALIKE + 1]>,
    work: &'a Work<'a>,
    is_over: bool,
    call: F,
}

/// Calls with how likely each end of the dealer is behind all these multisets, that count up to a limit, within the bound or a little
/// beyond: what they count together, their number, and the ends. Tens of one rank apart are tens to the dealer.
///
/// # Errors
/// When the work is over.
pub(super) fn ends_behind_all(
    draws: &Draws,
    shoe: &Shoe,
    multisets: &Multisets,
    limit: usize,
    bound: Bound,
    work: &Work<'_>,
    call: impl FnMut(usize, usize, &[f64; N_ENDS]),
) -> Result<(), Unsolved> {
    let sums = Sums::new(draws);
    let products = |left: f64, least: f64, n_gone: usize| {
        let mut products = [1.0; MOST_ALIKE + 1];
        for nth in 0..MOST_ALIKE {
            products[nth + 1] = products[nth] * (left - (n_gone + nth) as f64).max(least);
        }
        products
    };
    let most = |value: usize| usize::from(multisets.most[value]) + if value == TENS { apart(multisets) } else { 0 };
    let left = std::array::from_fn(|value| (0..=most(value)).map(|n| products(shoe.left[value], 0.0, n)).collect());
    let totals = (0..=limit).map(|n| products(shoe.total, 1.0, n).map(|product| 1.0 / product)).collect();
    let mut walk = Walk { multisets, limit, sums: &sums, left, totals, work, is_over: false, call };
    let mut room: Vec<Vec<Lanes>> = sums.steps.iter().map(|step| vec![Lanes::NONE; step.n_sums]).collect();
    let n_orders: Vec<Lanes> = sums.n_orders.iter().map(|&n_orders| Lanes([n_orders; N_LANES])).collect();
    for n_apart in 0..=apart(multisets).min(limit / 10) {
        let fewer = |n: usize| if n_apart > 0 { multisets.n_fewer(MAX_KINDS - 1, n, n_apart) } else { 0 };
        let together = 10 * n_apart;
        let numbers: Vec<u32> = (0..=limit).map(|n| if n < together { 0 } else { fewer(n) }).collect();
        let bound = bound.with(10, n_apart);
        let above = Above { n_gone: n_apart, together, bound, numbers: &numbers, sums: &n_orders, lane: 0 };
        walk.below(TENS, n_apart, &above, &mut room);
    }
    if walk.is_over { Err(Unsolved::OutOfTime) } else { Ok(()) }
}

/// The most tens of one rank apart.
fn apart(multisets: &Multisets) -> usize {
    if multisets.n_kinds() == MAX_KINDS { usize::from(multisets.most[MAX_KINDS - 1]) } else { 0 }
}

/// The cards of higher values.
struct Above<'a> {
    n_gone: usize,
    /// What they count together.
    together: usize,
    bound: Bound,
    /// The number so far of multisets that count `n` together, by `n`.
    numbers: &'a [u32],
    sums: &'a [Lanes],
    lane: usize,
}

impl<F: FnMut(usize, usize, &[f64; N_ENDS])> Walk<'_, F> {
    /// All multisets with these cards of higher values; so many more of this value are gone than stand in this level.
    fn below(&mut self, value: usize, n_more: usize, above: &Above<'_>, room: &mut [Vec<Lanes>]) {
        self.is_over = self.is_over || value == ASKED_AT && self.work.is_over();
        if self.is_over {
            return;
        }
        let (own, room) = room.split_first_mut().expect("there is room for every level");
        let step = &self.sums.steps[TENS - value];
        let counts_as = value_of(value);
        let limit = self.limit.min(above.bound.most(counts_as));
        let Some(left) = limit.checked_sub(above.together) else { return };
        let most = usize::from(self.multisets.most[value]).min(left / counts_as);
        let mut factors = [Lanes::NONE; N_FACTORS];
        let mut numbers = vec![0; self.limit + 1];
        for from in (0..=most).step_by(N_LANES) {
            let some = from..(from + N_LANES).min(most + 1);
            for (lane, count) in some.clone().enumerate() {
                let left = &self.left[value][n_more + count];
                let factors = factors.iter_mut().zip(left).take(step.most_drawn + 1);
                factors.for_each(|(factors, &left)| factors.0[lane] = left);
            }
            step.sum(above.sums, above.lane, &factors, own);
            if value == 0 {
                self.finish(some, above, own);
                continue;
            }
            for (lane, count) in some.enumerate() {
                let together = above.together + count * counts_as;
                // Aces fill up what is left, as far as there are so many.
                for n in together..=limit {
                    let fewer = self.multisets.n_fewer(value, n - above.together, count);
                    numbers[n] = above.numbers[n] + fewer;
                }
                let bound = above.bound.with(counts_as, count);
                let next = Above { n_gone: above.n_gone + count, together, bound, numbers: &numbers, sums: own, lane };
                self.below(value - 1, 0, &next, room);
            }
        }
    }

    /// The ends behind so many aces.
    fn finish(&mut self, aces: std::ops::Range<usize>, above: &Above<'_>, sums: &[Lanes]) {
        let mut totals = [Lanes::NONE; MOST_ALIKE + 1];
        for (lane, count) in aces.clone().enumerate() {
            let of_lane = &self.totals[above.n_gone + count];
            totals.iter_mut().zip(of_lane).take(self.sums.most_cards + 1).for_each(|(totals, &of)| totals.0[lane] = of);
        }
        let mut ends = [[0.0; N_LANES]; N_ENDS];
        for (&(end, n_cards), sum) in self.sums.last.iter().zip(sums) {
            let (end, total) = (&mut ends[usize::from(end)], &totals[usize::from(n_cards)]);
            (0..N_LANES).for_each(|lane| end[lane] += sum.0[lane] * total.0[lane]);
        }
        for (lane, count) in aces.enumerate() {
            let n = above.together + count;
            (self.call)(n, above.numbers[n] as usize, &ends.map(|end| end[lane]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::multisets::Counts;
    use super::*;
    use crate::unlimited::unlimited;

    const ALL: Bound = Bound { base: usize::MAX, n_highest: 0 };

    #[test]
    fn ends_behind_all_are_those_behind_each() {
        for (n_kinds, decks, up, limit) in [(10, 1, 9, 24), (10, 6, 0, 20), (11, 1, 3, 26)] {
            let mut shoe = Shoe::full(decks).without(up, 1);
            let (draws, copies) = (Draws::from_up(up, false), 4 * decks);
            let mut most: Counts = std::array::from_fn(|kind| if kind < 10 { shoe.left[kind] as u8 } else { 0 });
            if n_kinds == MAX_KINDS {
                (most[TENS], most[TENS + 1]) = (3 * copies, copies - 2);
                shoe = shoe.without(TENS, 2);
            }
            let multisets = Multisets::new(n_kinds, most, limit);
            let mut found: Vec<Vec<[f64; N_ENDS]>> =
                (0..=limit).map(|n| vec![[f64::NAN; N_ENDS]; multisets.size(n)]).collect();
            let keep = |n: usize, number: usize, ends: &[f64; N_ENDS]| found[n][number] = *ends;
            unlimited(|work| ends_behind_all(&draws, &shoe, &multisets, limit, ALL, work, keep)).unwrap();
            for (n, found) in found.iter().enumerate() {
                multisets.each(n, ALL, &mut |counts, number, _| {
                    let mut cards: [u8; 10] = counts[..10].try_into().unwrap();
                    cards[TENS] += counts[TENS + 1];
                    let plainly = draws.ends(&shoe.without_all(&cards));
                    let ends = found[number];
                    assert!(
                        ends.iter().zip(plainly).all(|(one, other)| (one - other).abs() < 1e-14),
                        "{counts:?}: {ends:?} {plainly:?}"
                    );
                });
            }
        }
    }
}
