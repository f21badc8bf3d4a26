//! Multisets of cards, numbered one after the other among those whose cards count as much together.

/// Kinds of cards at most: ten values, and tens of one rank apart from the others.
pub(super) const MAX_KINDS: usize = 11;
/// By kind.
pub(super) type Counts = [u8; MAX_KINDS];

/// What a card of this kind counts, aces one.
pub(super) const fn value_of(kind: usize) -> usize {
    if kind < 9 { kind + 1 } else { 10 }
}

/// Which multisets are asked for: those that count no more than this together with so many of their highest cards once more.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) base: usize,
    pub(super) n_highest: usize,
}

impl Bound {
    /// The bound of those with so many cards of a value and none of higher values, but lower ones.
    pub(super) fn with(self, value: usize, count: usize) -> Bound {
        let n = count.min(self.n_highest);
        Bound { base: self.base + n * value, n_highest: self.n_highest - n }
    }

    /// The most that they may count, where no further card counts more than `value`.
    pub(super) fn most(self, value: usize) -> usize {
        self.base + self.n_highest * value
    }
}

/// All multisets of some kinds, of so many cards of each at most, that count up to a limit together.
pub(super) struct Multisets {
    n_kinds: usize,
    pub(super) most: Counts,
    /// Those that count `n` together, by `n`.
    sizes: Vec<usize>,
    /// By kind, by what this kind and those before it count together, by how many are of this kind: how many multisets have
    /// fewer of it.
    fewer: Vec<Vec<u32>>,
}

impl Multisets {
    /// Those that count `limit` at most; kinds without a card in `most` have none.
    pub(super) fn new(n_kinds: usize, most: Counts, limit: usize) -> Multisets {
        // Those with a card more are asked for too.
        let limit = limit + 10;
        let mut ways: Vec<u32> = (0..=limit).map(|n| u32::from(n <= usize::from(most[0]))).collect();
        let mut fewer = vec![Vec::new()];
        for kind in 1..n_kinds {
            let (value, width) = (value_of(kind), width(most[kind]));
            let mut of_kind = vec![0; (limit + 1) * width];
            for n in 0..=limit {
                for more in 1..width {
                    let rest = n.checked_sub((more - 1) * value);
                    of_kind[n * width + more] = of_kind[n * width + more - 1] + rest.map_or(0, |rest| ways[rest]);
                }
            }
            ways = (0..=limit).map(|n| of_kind[(n + 1) * width - 1]).collect();
            fewer.push(of_kind);
        }
        Multisets { n_kinds, most, sizes: ways.into_iter().map(|n| n as usize).collect(), fewer }
    }

    /// How many count `n` together.
    pub(super) fn size(&self, n: usize) -> usize {
        self.sizes[n]
    }

    pub(super) fn n_kinds(&self) -> usize {
        self.n_kinds
    }

    /// How many multisets that count `n` with the kinds up to this one have fewer than `count` of it, and else the same.
    #[inline]
    pub(super) fn n_fewer(&self, kind: usize, n: usize, count: usize) -> u32 {
        self.fewer[kind][n * width(self.most[kind]) + count]
    }

    /// Calls with all multisets within the bound that count `n` together, in their order: the cards, the number, and by kind the
    /// number of the one with a card more, among those that count as much as that one. Where there is no such card the number
    /// means nothing.
    pub(super) fn each(&self, n: usize, bound: Bound, call: &mut impl FnMut(&Counts, usize, &[u32; MAX_KINDS])) {
        let mut walk = Walk { multisets: self, n, counts: [0; MAX_KINDS], call };
        walk.below(self.n_kinds - 1, n, bound, 0, &[0; MAX_KINDS]);
    }
}

/// A walk over multisets that count `n` together.
struct Walk<'a, F> {
    multisets: &'a Multisets,
    n: usize,
    counts: Counts,
    call: &'a mut F,
}

impl<F: FnMut(&Counts, usize, &[u32; MAX_KINDS])> Walk<'_, F> {
    /// All ways to count `left` with the kinds up to this one.
    fn below(&mut self, kind: usize, left: usize, bound: Bound, number: u32, with: &[u32; MAX_KINDS]) {
        if kind == 0 {
            if self.n <= bound.with(1, left).base {
                self.counts[0] = left as u8;
                (self.call)(&self.counts, number as usize, with);
            }
            return;
        }
        let multisets = self.multisets;
        let (value, width) = (value_of(kind), width(multisets.most[kind]));
        let of_kind = &multisets.fewer[kind];
        let own = &of_kind[left * width..][..width];
        for count in 0..=usize::from(multisets.most[kind]).min(left / value) {
            let bound = bound.with(value, count);
            if own[count] == own[count + 1] || self.n > bound.most(value_of(kind - 1)) {
                continue;
            }
            let mut with = *with;
            for (other, with) in with.iter_mut().enumerate().take(multisets.n_kinds) {
                *with += match other.cmp(&kind) {
                    std::cmp::Ordering::Less => of_kind[(left + value_of(other)) * width + count],
                    std::cmp::Ordering::Equal => of_kind[(left + value) * width + count + 1],
                    std::cmp::Ordering::Greater => own[count],
                };
            }
            self.counts[kind] = count as u8;
            self.below(kind - 1, left - count * value, bound, number + own[count], &with);
        }
    }
}

/// From none to one more than the most, so that one more can be asked for.
const fn width(most: u8) -> usize {
    most as usize + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    const ALL: Bound = Bound { base: usize::MAX, n_highest: 0 };

    #[test]
    fn every_multiset_is_met_once_and_those_with_a_card_more_have_their_numbers() {
        let most = [4, 3, 4, 0, 2, 4, 1, 4, 4, 5, 2];
        for n_kinds in [10, 11] {
            let (multisets, limit) = (Multisets::new(n_kinds, most, 30), 30);
            let mut numbers = FxHashMap::default();
            for n in 0..=limit {
                let mut expected = 0;
                multisets.each(n, ALL, &mut |counts, number, _| {
                    assert_eq!(number, expected);
                    expected += 1;
                    let together: usize = (0..n_kinds).map(|kind| value_of(kind) * usize::from(counts[kind])).sum();
                    assert!(together == n && (0..n_kinds).all(|kind| counts[kind] <= most[kind]), "{counts:?}");
                    assert!(numbers.insert(*counts, number).is_none());
                });
                assert_eq!(multisets.size(n), expected);
            }
            for n in 0..limit - 10 {
                multisets.each(n, ALL, &mut |counts, _, with| {
                    for kind in (0..n_kinds).filter(|&kind| counts[kind] < most[kind]) {
                        let mut more = *counts;
                        more[kind] += 1;
                        assert_eq!(numbers[&more], with[kind] as usize);
                    }
                });
            }
            assert!(numbers.len() > 4_000, "{}", numbers.len());
        }
    }

    #[test]
    fn only_multisets_within_the_bound_are_met() {
        let multisets = Multisets::new(10, [4; MAX_KINDS], 40);
        let bound = Bound { base: 18, n_highest: 2 };
        let (mut n_all, mut n_met) = (0, 0);
        for n in 0..=40 {
            let mut met = Vec::new();
            multisets.each(n, bound, &mut |counts, number, with| met.push((*counts, number, *with)));
            let mut expected = Vec::new();
            multisets.each(n, ALL, &mut |counts, number, with| {
                let cards = (0..10).rev().flat_map(|kind| vec![value_of(kind); counts[kind].into()]);
                if n <= 18 + cards.take(2).sum::<usize>() {
                    expected.push((*counts, number, *with));
                }
                n_all += 1;
            });
            assert_eq!(met, expected);
            n_met += met.len();
        }
        assert!(n_met > 1_000 && n_met < n_all, "{n_met} {n_all}");
    }
}
