//! The cards that are not dealt yet: how many there are of each, which is all that anybody can know.

use raichi_core::random::{self, Rng};
use serde::{Deserialize, Serialize};

use crate::cards::{Card, N_CARDS};

/// Some decks shuffled together, less what has been dealt. A shoe of no decks never changes: every card is put back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Shoe {
    n_decks: u8,
    /// How often the shoe ran out and as many decks again were shuffled in.
    n_refills: u8,
    n_left: u16,
    #[serde(with = "copies")]
    left: [u8; N_CARDS],
}

/// Serde has no arrays of this length.
mod copies {
    use arrayvec::ArrayVec;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use super::N_CARDS;

    pub(super) fn serialize<S: Serializer>(left: &[u8; N_CARDS], serializer: S) -> Result<S::Ok, S::Error> {
        left.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; N_CARDS], D::Error> {
        let left = ArrayVec::<u8, N_CARDS>::deserialize(deserializer)?;
        left.into_inner().map_err(|_| D::Error::custom("a shoe counts 52 cards"))
    }
}

impl Shoe {
    /// A shoe before the first card is dealt.
    pub(super) fn full(n_decks: u8) -> Shoe {
        Shoe { n_decks, n_refills: 0, n_left: u16::from(n_decks) * N_CARDS as u16, left: [n_decks; N_CARDS] }
    }

    /// How many copies of a card may come next; one of each where cards are put back.
    #[inline]
    pub fn copies(&self, card: Card) -> u8 {
        match (self.n_decks, self.n_left) {
            (0, _) => 1,
            // It will be filled up when the next card is wanted.
            (n_decks, 0) => n_decks,
            _ => self.left[card.index()],
        }
    }

    /// How many copies of a card are left; none where cards are put back.
    pub(super) fn left(&self, card: Card) -> u8 {
        self.left[card.index()]
    }

    /// How many cards are left; `None` where cards are put back.
    pub fn n_left(&self) -> Option<u16> {
        (self.n_decks > 0).then_some(self.n_left)
    }

    /// Whether the shoe has run out and was filled up again.
    pub(super) fn was_refilled(&self) -> bool {
        self.n_refills > 0
    }

    #[inline]
    pub(super) fn take(&mut self, card: Card) {
        debug_assert!(self.copies(card) > 0, "the card is in the shoe");
        if self.n_decks == 0 {
            return;
        }
        if self.n_left == 0 {
            *self = Shoe { n_refills: self.n_refills + 1, ..Shoe::full(self.n_decks) };
        }
        self.left[card.index()] -= 1;
        self.n_left -= 1;
    }

    /// Undoes a `take` that did not fill the shoe up.
    pub(super) fn put_back(&mut self, card: Card) {
        if self.n_decks > 0 {
            self.left[card.index()] += 1;
            self.n_left += 1;
        }
    }

    /// A card drawn by copies. A card of the full shoe is drawn until it is one that is still there, which is quick
    /// as long as most are.
    #[inline]
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Card {
        loop {
            let drawn = random::index(rng, N_CARDS * usize::from(self.n_decks.max(1)));
            let (copy, card) = (drawn / N_CARDS, Card::from_index(drawn % N_CARDS));
            if copy < usize::from(self.copies(card)) {
                return card;
            }
        }
    }

    /// The shoe from which these cards have been dealt, filled up as often as this one was.
    pub(super) fn without(&self, dealt: impl Iterator<Item = Card>) -> Shoe {
        let mut left = [i32::from(self.n_decks) * (1 + i32::from(self.n_refills)); N_CARDS];
        if self.n_decks > 0 {
            dealt.for_each(|card| left[card.index()] -= 1);
        }
        let n_left = left.iter().sum::<i32>();
        Shoe { left: left.map(|copies| copies as u8), n_left: n_left as u16, ..*self }
    }

    /// The shoe of so many decks from which these cards have been dealt, and whatever shoes ran out before; `None` where
    /// they cannot have been.
    pub(super) fn after(n_decks: u8, dealt: &[Card]) -> Option<Shoe> {
        let mut shoe = Shoe::full(n_decks);
        if n_decks > 0 {
            let n_refills = dealt.len().saturating_sub(1) / usize::from(shoe.n_left);
            shoe.n_refills = u8::try_from(n_refills).ok()?;
            let copies = usize::from(n_decks) * (1 + n_refills);
            for card in Card::all() {
                let n_dealt = dealt.iter().filter(|&&other| other == card).count();
                let left = copies.checked_sub(n_dealt).filter(|&left| left <= usize::from(n_decks))?;
                shoe.left[card.index()] = left as u8;
            }
            shoe.n_left = shoe.left.iter().map(|&left| u16::from(left)).sum();
        }
        Some(shoe)
    }

    #[must_use]
    pub(super) fn with_suits(&self, map: [u8; 4]) -> Shoe {
        let mut shoe = *self;
        for card in Card::all() {
            shoe.left[card.with_suits(map).index()] = self.left[card.index()];
        }
        shoe
    }
}
