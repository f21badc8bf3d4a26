//! The table of all sets of pieces (with repetition) that can be given or taken, ordered by their sums.

use std::ops::Range;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::group::{Colour, Group, MAX_MODULI};
use super::pieces::{Packed, Pieces, covers};

/// Pieces in the order of colours.
pub(super) type Set = ArrayVec<Colour, { MAX_MODULI + 1 }>;

/// A set's number in the table.
pub(super) type SetId = u16;

/// The most pieces that may be given or taken at once.
pub(super) const MAX_LIMIT: usize = 4;

/// The most sets there may be of one to so many pieces.
pub(super) const MAX_SETS: u64 = 10_000;

/// How many sets of one to `limit` pieces there are in a group of `order` elements: C(order + limit, limit) − 1.
pub(super) fn n_sets(order: usize, limit: usize) -> u64 {
    (1..=limit as u64).fold(1, |ways, i| ways * (order as u64 + i) / i) - 1
}

/// All sets of one to `limit` pieces, those with the same sum side by side; the spectrum comes last where it is larger than
/// these and may be given all the same.
#[derive(Debug)]
pub(super) struct Sets {
    sets: Vec<Set>,
    /// The spectrum, where it is an exception.
    spectrum: Option<SetId>,
    ids: FxHashMap<Set, SetId>,
    /// Where the sets of each sum stand, in the order of colours.
    groups: Vec<Range<usize>>,
    sums: Vec<Colour>,
    zero: SetId,
    n_coloured: usize,
    /// Packed counts; the high words are left out where no colour needs them.
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Sets {
    /// The sets of a group; `spectrum`: whether the spectrum may be given even where it is larger than `limit`.
    pub(super) fn new(group: &Group, limit: usize, spectrum: bool) -> Sets {
        let colours: Vec<Colour> = group.colours().collect();
        let mut sets = Vec::new();
        extend(&mut sets, &Set::new(), &colours, limit);
        sets.sort_by_cached_key(|set| group.sum(set.iter().copied()));
        let mut sums: Vec<Colour> = sets.iter().map(|set| group.sum(set.iter().copied())).collect();
        let bound = |colour| sums.partition_point(|&sum| sum < colour)..sums.partition_point(|&sum| sum <= colour);
        let groups = colours.iter().map(|&colour| bound(colour)).collect();

        let is_exception = spectrum && limit <= group.n_moduli();
        let spectrum = is_exception.then_some(sets.len() as SetId);
        if is_exception {
            let mut pieces = group.spectrum();
            pieces.sort();
            sets.push(pieces);
            sums.push(Colour::ZERO);
        }

        let n_coloured = group.n_coloured();
        let packed: Vec<Packed> = sets.iter().map(|set| pile(set).packed(n_coloured)).collect();
        let low = packed.iter().map(|counts| counts.low).collect();
        let is_wide = packed.iter().any(|counts| counts.high != 0);
        let high = packed.iter().filter(|_| is_wide).map(|counts| counts.high).collect();
        let ids: FxHashMap<Set, SetId> = sets.iter().cloned().zip(0..).collect();
        let zero = ids[&Set::from_iter([Colour::ZERO])];
        Sets { sets, spectrum, ids, groups, sums, zero, n_coloured, low, high }
    }

    /// The pieces of a set, in order.
    #[inline]
    pub(super) fn get(&self, id: SetId) -> &[Colour] {
        &self.sets[usize::from(id)]
    }

    #[inline]
    pub(super) fn sum(&self, id: SetId) -> Colour {
        self.sums[usize::from(id)]
    }

    /// The spectrum, where it may be given although it is larger than other sets.
    #[inline]
    pub(super) fn spectrum(&self) -> Option<SetId> {
        self.spectrum
    }

    /// The set of these pieces, which are in order, if one can be given or taken.
    pub(super) fn find(&self, pieces: &[Colour]) -> Option<SetId> {
        self.ids.get(&Set::try_from(pieces).ok()?).copied()
    }

    /// The zero alone.
    #[inline]
    pub(super) fn zero(&self) -> SetId {
        self.zero
    }

    pub(super) fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    #[inline]
    pub(super) fn pack(&self, pieces: &Pieces) -> Packed {
        pieces.packed(self.n_coloured)
    }

    /// Whether all pieces of a set are there.
    #[inline]
    pub(super) fn is_in(&self, set: usize, there: Packed) -> bool {
        covers(there.low, self.low[set]) && self.high.get(set).is_none_or(|&high| covers(there.high, high))
    }

    /// How many sets of a group are in `hand`, in `center`, and in both.
    #[inline]
    pub(super) fn tally(&self, group: Range<usize>, hand: Packed, center: Packed) -> [u32; 3] {
        let low = &self.low[group.clone()];
        if self.high.is_empty() {
            return tally(low.iter().map(|&low| [covers(hand.low, low), covers(center.low, low)]));
        }
        let both = low.iter().zip(&self.high[group]);
        tally(both.map(|(&low, &high)| [hand, center].map(|there| covers(there.low, low) & covers(there.high, high))))
    }
}

#[inline]
fn tally(sets: impl Iterator<Item = [bool; 2]>) -> [u32; 3] {
    sets.fold([0; 3], |[gives, takes, both], [in_hand, in_center]| {
        [gives + u32::from(in_hand), takes + u32::from(in_center), both + u32::from(in_hand & in_center)]
    })
}

/// Appends `set` with every one to `more` pieces of `colours` behind it.
fn extend(sets: &mut Vec<Set>, set: &Set, colours: &[Colour], more: usize) {
    if more == 0 {
        return;
    }
    for (i, &colour) in colours.iter().enumerate() {
        let mut longer = set.clone();
        longer.push(colour);
        sets.push(longer.clone());
        extend(sets, &longer, &colours[i..], more - 1);
    }
}

fn pile(set: &Set) -> Pieces {
    let mut pieces = Pieces::default();
    set.iter().for_each(|&colour| pieces.add(colour, 1));
    pieces
}
