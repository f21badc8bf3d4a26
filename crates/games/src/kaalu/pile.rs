//! A pile: its stones, who has the primacy, and what may be taken from it.

use raichi_core::random;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

/// The colour that is nobody's; the other two are the seats'.
pub(super) const NEUTRAL: usize = 2;

/// The least stones of a pile.
pub(super) const LEAST: u8 = 7;

/// How many stones of each colour lie there: black, white, neutral.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Pile(pub(super) [u8; 3]);

/// Stones that move together: of the mover's colour, and neutral.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Portion {
    pub(super) own: u8,
    pub(super) neutral: u8,
}

impl Pile {
    /// A pile that no action has named.
    pub(super) const UNTOUCHED: Pile = Pile([2, 2, 3]);

    #[inline]
    pub(super) fn size(self) -> u8 {
        let [black, white, neutral] = self.0;
        black + white + neutral
    }

    /// Whether all three colours have the same number of stones.
    #[inline]
    pub(super) fn is_balanced(self) -> bool {
        let [black, white, neutral] = self.0;
        black == white && white == neutral
    }

    /// See [`primacy`].
    #[inline]
    pub(super) fn primacy(self) -> usize {
        primacy(self.0)
    }

    /// Four bits a colour: the other six piles hold at least six of the 21 stones.
    #[inline]
    pub(super) fn code(self) -> u64 {
        let [black, white, neutral] = self.0.map(u64::from);
        black | white << 4 | neutral << 8
    }

    /// The pile's part of the hash of a multiset of piles.
    #[inline]
    pub(super) fn hash(self) -> u64 {
        random::mix(self.code())
    }

    #[inline]
    pub(super) fn plus(mut self, seat: Seat, portion: Portion) -> Pile {
        self.0[seat] += portion.own;
        self.0[NEUTRAL] += portion.neutral;
        self
    }

    /// The pile without a portion that lies there.
    #[inline]
    pub(super) fn minus(mut self, seat: Seat, portion: Portion) -> Pile {
        self.0[seat] -= portion.own;
        self.0[NEUTRAL] -= portion.neutral;
        self
    }

    #[inline]
    pub(super) fn holds(self, seat: Seat, portion: Portion) -> bool {
        portion.own <= self.0[seat] && portion.neutral <= self.0[NEUTRAL]
    }

    /// How many neutral stones, at most, may leave together with `own` of the seat's: one of each colour and seven in
    /// all stay behind. None where not even `own` may leave.
    #[inline]
    fn most_neutral(self, seat: Seat, own: u8) -> Option<u8> {
        let spare = self.size().checked_sub(LEAST + own)?;
        (own < self.0[seat]).then(|| spare.min(self.0[NEUTRAL] - 1))
    }

    /// What a seat may take as far as numbers go; the rest of the pile may be balanced.
    pub(super) fn portions(self, seat: Seat) -> impl Iterator<Item = Portion> {
        let with = move |own| self.most_neutral(seat, own).map(|most| (own, most));
        let some = |&portion: &Portion| portion.own + portion.neutral > 0;
        (0..)
            .map_while(with)
            .flat_map(|(own, most)| (0..=most).map(move |neutral| Portion { own, neutral }))
            .filter(some)
    }

    /// How many there are of these.
    #[inline]
    pub(super) fn n_portions(self, seat: Seat) -> u32 {
        // Pairs of numbers whose sum is below a bound make a triangle. Off go the smaller ones beyond either colour's
        // stones, and back comes what went twice. Nothing at all is no portion.
        let triangle = |side: i32| side.max(0) * (side + 1) / 2;
        let (own, neutral) = (i32::from(self.0[seat]), i32::from(self.0[NEUTRAL]));
        let bound = i32::from(self.size() - LEAST) + 1;
        let pairs =
            triangle(bound) - triangle(bound - own) - triangle(bound - neutral) + triangle(bound - own - neutral);
        pairs as u32 - 1
    }

    /// The one that comes at this place among them.
    #[inline]
    pub(super) fn nth_portion(self, seat: Seat, nth: u32) -> Portion {
        let mut nth = nth + 1;
        let mut own = 0;
        loop {
            let most = self.most_neutral(seat, own).expect("the place is below the count");
            match nth.checked_sub(u32::from(most) + 1) {
                None => return Portion { own, neutral: nth as u8 },
                Some(left) => nth = left,
            }
            own += 1;
        }
    }

    /// What a seat would have to take away to balance the pile.
    #[inline]
    pub(super) fn surplus(self, seat: Seat) -> Option<Portion> {
        let other = self.0[1 - seat];
        Some(Portion { own: self.0[seat].checked_sub(other)?, neutral: self.0[NEUTRAL].checked_sub(other)? })
    }

    /// What a seat would have to add to balance the pile.
    #[inline]
    pub(super) fn want(self, seat: Seat) -> Option<Portion> {
        let other = self.0[1 - seat];
        Some(Portion { own: other.checked_sub(self.0[seat])?, neutral: other.checked_sub(self.0[NEUTRAL])? })
    }

    /// Whether a seat may take this, as far as numbers go.
    #[inline]
    pub(super) fn spares(self, seat: Seat, portion: Portion) -> bool {
        portion.own < self.0[seat]
            && portion.neutral < self.0[NEUTRAL]
            && LEAST + portion.own + portion.neutral <= self.size()
    }
}

/// The colour that rules a pile of so many black, white and neutral stones: 0 black, 1 white, 2 neutral. Of two equal
/// numbers the third colour does, whether they are more, which makes it the untied one, or fewer, which makes it the most.
#[inline]
pub fn primacy([black, white, neutral]: [u8; 3]) -> usize {
    if black == white {
        NEUTRAL
    } else if black == neutral {
        1
    } else if white == neutral {
        0
    } else if neutral > black.max(white) {
        NEUTRAL
    } else {
        usize::from(white > black)
    }
}
