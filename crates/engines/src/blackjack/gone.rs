//! How the dealer ends behind very many hands at once.
//!
//! Method: how likely an end is, is a sum over the multisets that the dealer may draw of products of one factor a value,
//! which depends only on how many cards of that value are gone and how many are drawn. The sum is therefore taken one value after the
//! other, tens first and aces last: what is summed over tens is shared by all hands with as many tens, and so on. Multisets that
//! are gone stand in a tree by value for this, and those that have a node in common share all the work down to it. At
//! each value, terms that differ only in it become one, so that the sums near the leaves, which are most, are short.
//! Promise: the same as [`Draws::ends`] one by one, but for rounding.
//! Checked: against it, over all hands and splits of a rule set.

use rustc_hash::FxHashMap;

use super::dealer::{Draws, MOST_ALIKE, N_ENDS};
use super::shoe::Shoe;

const N_VALUES: usize = 10;
/// Siblings whose sums are taken side by side.
pub(super) const N_LANES: usize = 4;

/// More than there are cards of one value in a hand, and a power of two, so that no index needs to be compared with it.
pub(super) const N_FACTORS: usize = (MOST_ALIKE + 1).next_power_of_two();

/// A number of each of them.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [f64; N_LANES]);

impl Lanes {
    pub(super) const NONE: Lanes = Lanes([0.0; N_LANES]);
}

/// Cards as one number, in the order of the tree: tens count most.
fn packed(cards: &[u8; N_VALUES]) -> u64 {
    cards.iter().rev().fold(0, |packed, &n| packed << N_BITS | u64::from(n))
}

/// Of a packed number of cards.
const N_BITS: usize = 5;

fn of_value(packed: u64, value: usize) -> u8 {
    (packed >> (N_BITS * value) & ((1 << N_BITS) - 1)) as u8
}

/// Multisets of cards that may be gone, each with a number.
pub(super) struct Gone {
    /// From tens to aces; a last one ends each level.
    levels: [Vec<Branch>; N_VALUES],
    numbers: FxHashMap<u64, u32>,
}

/// So many cards of a level's value, after what stands above.
#[derive(Clone, Copy)]
struct Branch {
    n: u8,
    /// Of the next level; of the last one, the multiset's number.
    first: u32,
}

impl Gone {
    pub(super) fn new(multisets: impl Iterator<Item = [u8; N_VALUES]>) -> Gone {
        let mut words: Vec<u64> = multisets.map(|cards| packed(&cards)).collect();
        words.sort_unstable();
        words.dedup();
        let mut levels = [const { Vec::new() }; N_VALUES];
        for (number, &word) in words.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| words[before]);
            let value = |level: usize| of_value(word, N_VALUES - 1 - level);
            let is_alike =
                |level: &usize| before.is_some_and(|before| of_value(before, N_VALUES - 1 - level) == value(*level));
            for level in (0..N_VALUES).take_while(is_alike).count()..N_VALUES {
                let first = levels.get(level + 1).map_or(number, Vec::len) as u32;
                levels[level].push(Branch { n: value(level), first });
            }
        }
        for level in 0..N_VALUES {
            let first = levels.get(level + 1).map_or(words.len(), Vec::len) as u32;
            levels[level].push(Branch { n: 0, first });
        }
        let numbers = words.into_iter().zip(0..).collect();
        Gone { levels, numbers }
    }

    /// The number of a multiset that is among these.
    pub(super) fn number(&self, cards: &[u8; N_VALUES]) -> Option<u32> {
        self.numbers.get(&packed(cards)).copied()
    }
}

/// The sums that are taken for one first card of the dealer.
pub(super) struct Sums {
    /// In how many orders each multiset comes.
    pub(super) n_orders: Vec<f64>,
    /// From tens to aces.
    pub(super) steps: Vec<Step>,
    /// What the sums of the last step are of: an end, and how many cards were drawn.
    pub(super) last: Vec<(u8, u8)>,
    pub(super) most_cards: usize,
}

/// The sums over how many cards of one value are drawn, those of as many terms together: a loop over few terms costs little
/// where it is always as long.
pub(super) struct Step {
    alike: Vec<Alike>,
    pub(super) n_sums: usize,
    pub(super) most_drawn: usize,
}

/// Sums of so many terms each.
struct Alike {
    n_terms: usize,
    terms: Vec<Term>,
}

#[derive(Clone, Copy)]
struct Term {
    /// A sum of the step before.
    of: u16,
    n_drawn: u8,
}

impl Sums {
    pub(super) fn new(draws: &Draws) -> Sums {
        // Cards, end and how many cards, as one number.
        let multiset = |&(cards, end, _): &([u8; N_VALUES], u8, u32)| {
            packed(&cards) << 8 | u64::from(end) << 5 | u64::from(cards.iter().sum::<u8>())
        };
        let mut of: Vec<u64> = draws.multisets.iter().map(multiset).collect();
        let mut steps = Vec::new();
        for value in (0..N_VALUES).rev() {
            let mut terms: Vec<(u64, Term)> = Vec::with_capacity(of.len());
            for (&multiset, nth) in of.iter().zip(0..) {
                let n_drawn = of_value(multiset >> 8, value);
                terms.push((multiset - (u64::from(n_drawn) << (8 + N_BITS * value)), Term { of: nth, n_drawn }));
            }
            terms.sort_unstable_by_key(|&(sum, Term { n_drawn, .. })| (sum, n_drawn));
            let mut sums: Vec<&[(u64, Term)]> = terms.chunk_by(|(one, _), (other, _)| one == other).collect();
            sums.sort_by_key(|terms| terms.len());
            let alike = sums.chunk_by(|one, other| one.len() == other.len()).map(|alike| Alike {
                n_terms: alike[0].len(),
                terms: alike.iter().flat_map(|terms| terms.iter()).map(|&(_, term)| term).collect(),
            });
            let most_drawn = terms.iter().map(|(_, term)| term.n_drawn.into()).max().unwrap_or(0);
            steps.push(Step { alike: alike.collect(), n_sums: sums.len(), most_drawn });
            of = sums.into_iter().map(|terms| terms[0].0).collect();
        }
        let n_orders = draws.multisets.iter().map(|&(.., n_orders)| n_orders.into()).collect();
        let last: Vec<(u8, u8)> = of.into_iter().map(|sum| ((sum >> 5) as u8 & 7, sum as u8 & 31)).collect();
        let most_cards = last.iter().map(|&(_, n_cards)| n_cards.into()).max().unwrap_or(0);
        Sums { n_orders, steps, last, most_cards }
    }
}

/// One walk through the tree of what is gone.
struct Walk<'a> {
    gone: &'a Gone,
    sums: &'a Sums,
    /// By value, by how many are gone, by how many are drawn: the product of what is left before each draw.
    left: [Vec<[f64; MOST_ALIKE + 1]>; N_VALUES],
    /// The same of all cards, inverted.
    totals: Vec<[f64; MOST_ALIKE + 1]>,
    ends: Vec<[f64; N_ENDS]>,
}

impl Draws {
    /// How likely each end is, by the number of what is gone from the shoe. What the shoe does not have gives no sensible number.
    pub(super) fn ends_behind(&self, gone: &Gone, shoe: &Shoe) -> Vec<[f64; N_ENDS]> {
        let sums = Sums::new(self);
        let most = |level: &Vec<Branch>| level.iter().map(|branch| branch.n).max().unwrap_or(0);
        let products = |left: f64, least: f64, n_gone: usize| {
            let mut products = [1.0; MOST_ALIKE + 1];
            for nth in 0..MOST_ALIKE {
                products[nth + 1] = products[nth] * (left - shoe.taken * (n_gone + nth) as f64).max(least);
            }
            products
        };
        let left = std::array::from_fn(|value| {
            let most = usize::from(most(&gone.levels[N_VALUES - 1 - value]));
            (0..=most).map(|n| products(shoe.left[value], 0.0, n)).collect()
        });
        let most: usize = gone.levels.iter().map(|level| usize::from(most(level))).sum();
        let totals = (0..=most).map(|n| products(shoe.total, 1.0, n).map(|product| 1.0 / product)).collect();
        let mut walk = Walk { gone, sums: &sums, left, totals, ends: Vec::with_capacity(gone.numbers.len()) };
        let mut room: Vec<Vec<Lanes>> = sums.steps.iter().map(|step| vec![Lanes::NONE; step.n_sums]).collect();
        let n_orders: Vec<Lanes> = sums.n_orders.iter().map(|&n_orders| Lanes([n_orders; N_LANES])).collect();
        walk.below(0, 0..gone.levels[0].len() - 1, 0, &n_orders, 0, &mut room);
        walk.ends
    }
}

impl Walk<'_> {
    /// All multisets below these branches of a level; `n_gone` cards stand above it, and this lane of `above` has their sums.
    fn below(
        &mut self,
        level: usize,
        branches: std::ops::Range<usize>,
        n_gone: usize,
        above: &[Lanes],
        lane_above: usize,
        room: &mut [Vec<Lanes>],
    ) {
        let (own, room) = room.split_first_mut().expect("there is room for every level");
        let (gone, sums) = (self.gone, self.sums);
        let branches = &gone.levels[level][branches.start..=branches.end];
        let step = &sums.steps[level];
        let mut factors = [Lanes::NONE; N_FACTORS];
        for from in (0..branches.len() - 1).step_by(N_LANES) {
            let some = &branches[from..(from + N_LANES).min(branches.len() - 1)];
            for (lane, branch) in some.iter().enumerate() {
                let left = &self.left[N_VALUES - 1 - level][usize::from(branch.n)];
                let factors = factors.iter_mut().zip(left).take(step.most_drawn + 1);
                factors.for_each(|(factors, &left)| factors.0[lane] = left);
            }
            step.sum(above, lane_above, &factors, own);
            if level + 1 == N_VALUES {
                self.finish(n_gone, some, own);
                continue;
            }
            for (lane, branch) in some.iter().enumerate() {
                let next = branch.first as usize..branches[from + lane + 1].first as usize;
                self.below(level + 1, next, n_gone + usize::from(branch.n), own, lane, room);
            }
        }
    }

    /// The ends of some siblings.
    fn finish(&mut self, n_gone: usize, some: &[Branch], sums: &[Lanes]) {
        let mut totals = [Lanes::NONE; MOST_ALIKE + 1];
        for (lane, branch) in some.iter().enumerate() {
            let of_lane = &self.totals[n_gone + usize::from(branch.n)];
            totals.iter_mut().zip(of_lane).take(self.sums.most_cards + 1).for_each(|(totals, &of)| totals.0[lane] = of);
        }
        let mut ends = [[0.0; N_LANES]; N_ENDS];
        for (&(end, n_cards), sum) in self.sums.last.iter().zip(sums) {
            let (end, total) = (&mut ends[usize::from(end)], &totals[usize::from(n_cards)]);
            (0..N_LANES).for_each(|lane| end[lane] += sum.0[lane] * total.0[lane]);
        }
        self.ends.extend((0..some.len()).map(|lane| ends.map(|end| end[lane])));
    }
}

impl Step {
    /// All sums, of some siblings at once.
    #[inline]
    pub(super) fn sum(&self, above: &[Lanes], lane_above: usize, factors: &[Lanes; N_FACTORS], sums: &mut [Lanes]) {
        let mut from = 0;
        for Alike { n_terms, terms } in &self.alike {
            let some = &mut sums[from..][..terms.len() / n_terms];
            from += some.len();
            match n_terms {
                1 => sum_of::<1>(terms, above, lane_above, factors, some),
                2 => sum_of::<2>(terms, above, lane_above, factors, some),
                3 => sum_of::<3>(terms, above, lane_above, factors, some),
                4 => sum_of::<4>(terms, above, lane_above, factors, some),
                5 => sum_of::<5>(terms, above, lane_above, factors, some),
                6 => sum_of::<6>(terms, above, lane_above, factors, some),
                _ => {
                    for (terms, sum) in terms.chunks_exact(*n_terms).zip(some) {
                        *sum = Lanes::NONE;
                        terms.iter().for_each(|term| term.add(above, lane_above, factors, sum));
                    }
                }
            }
        }
    }
}

/// Sums of so many terms, without a loop over them.
fn sum_of<const N: usize>(
    terms: &[Term],
    above: &[Lanes],
    lane_above: usize,
    factors: &[Lanes; N_FACTORS],
    sums: &mut [Lanes],
) {
    let (terms, _) = terms.as_chunks::<N>();
    for (terms, sum) in terms.iter().zip(sums) {
        let mut all = Lanes::NONE;
        terms.iter().for_each(|term| term.add(above, lane_above, factors, &mut all));
        *sum = all;
    }
}

impl Term {
    #[inline]
    fn add(self, above: &[Lanes], lane_above: usize, factors: &[Lanes; N_FACTORS], sum: &mut Lanes) {
        let (above, factors) =
            (above[usize::from(self.of)].0[lane_above], &factors[usize::from(self.n_drawn) % N_FACTORS].0);
        (0..N_LANES).for_each(|lane| sum.0[lane] += above * factors[lane]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackjack::shoe::all_hands;

    #[test]
    fn ends_behind_many_hands_are_those_behind_each() {
        let hands = all_hands();
        for (decks, hits_soft_17) in [(1, false), (6, true)] {
            let shoe = Shoe::full(decks);
            // Hands, and hands with more of one value than a hand can have.
            let mut asked: Vec<[u8; 10]> = hands.iter().step_by(3).map(|hand| hand.cards).collect();
            asked.extend(hands.iter().skip(1).step_by(5).map(|hand| {
                let mut cards = hand.cards;
                cards[usize::from(hand.hard) % 10] += 3;
                cards
            }));
            asked.retain(|cards| cards.iter().zip(shoe.left).all(|(&n, left)| f64::from(n) < left));
            let gone = Gone::new(asked.iter().copied());
            assert_eq!(gone.number(&[9; 10]), None);
            for up in [0, 1, 4, 8, 9] {
                let (draws, shoe) = (Draws::from_up(up, hits_soft_17), shoe.without(up, 1));
                let ends = draws.ends_behind(&gone, &shoe);
                for cards in &asked {
                    let plainly = draws.ends(&shoe.without_all(cards));
                    let ends = ends[gone.number(cards).unwrap() as usize];
                    assert!(
                        ends.iter().zip(plainly).all(|(one, other)| (one - other).abs() < 1e-14),
                        "{up}, {cards:?}: {ends:?} {plainly:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn where_cards_are_put_back_nothing_gone_is_the_only_multiset() {
        let (gone, shoe, draws) = (Gone::new([[0; 10]; 3].into_iter()), Shoe::full(0), Draws::from_up(5, false));
        let ends = draws.ends_behind(&gone, &shoe);
        assert_eq!((ends.len(), gone.number(&[0; 10])), (1, Some(0)));
        assert!(ends[0].iter().zip(draws.ends(&shoe)).all(|(one, other)| (one - other).abs() < 1e-15));
    }
}
