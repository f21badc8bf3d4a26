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

/// All sets of one to n pieces, those with the same sum side by side; the spectrum, of n + 1 pieces, comes last.
#[derive(Debug)]
pub(super) struct Sets {
    sets: Vec<Set>,
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
    pub(super) fn new(group: &Group) -> Sets {
        let colours: Vec<Colour> = group.colours().collect();
        let mut sets = Vec::new();
        extend(&mut sets, &Set::new(), &colours, group.n_moduli());
        sets.sort_by_cached_key(|set| group.sum(set.iter().copied()));
        let mut sums: Vec<Colour> = sets.iter().map(|set| group.sum(set.iter().copied())).collect();
        let bound = |colour| sums.partition_point(|&sum| sum < colour)..sums.partition_point(|&sum| sum <= colour);
        let groups = colours.iter().map(|&colour| bound(colour)).collect();

        let mut spectrum = group.spectrum();
        spectrum.sort();
        sets.push(spectrum);
        sums.push(Colour::ZERO);

        let n_coloured = group.n_coloured();
        let packed: Vec<Packed> = sets.iter().map(|set| pile(set).packed(n_coloured)).collect();
        let low = packed.iter().map(|counts| counts.low).collect();
        let is_wide = packed.iter().any(|counts| counts.high != 0);
        let high = packed.iter().filter(|_| is_wide).map(|counts| counts.high).collect();
        let ids: FxHashMap<Set, SetId> = sets.iter().cloned().zip(0..).collect();
        let zero = ids[&Set::from_iter([Colour::ZERO])];
        Sets { sets, ids, groups, sums, zero, n_coloured, low, high }
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

    #[inline]
    pub(super) fn spectrum(&self) -> SetId {
        (self.sets.len() - 1) as SetId
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
