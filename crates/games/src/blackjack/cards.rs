//! The cards of a hand and what they count.

use serde::{Deserialize, Serialize};

use crate::cards::Card;

/// The most cards a hand can have: the hard count of one that may still draw is at most 20, and every card counts.
const MAX_CARDS: usize = 21;

/// No hand counts more without being lost, and one that counts as much draws no more.
pub(super) const BEST: u8 = 21;

/// Cards as they lie on the table, in the order in which they were dealt: of a pair, a split takes the second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Cards {
    cards: [Card; MAX_CARDS],
    len: u8,
    /// Kept along: the count with every ace as one.
    hard: u8,
    /// Kept along: how many aces there are.
    n_aces: u8,
}

// By rank, from the two to the ace.
const VALUES: [u8; 13] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1];

/// What a card counts; an ace counts one.
#[inline]
pub const fn value(card: Card) -> u8 {
    VALUES[card.rank() as usize]
}

/// Whether two cards are an ace and a card that counts ten.
#[inline]
pub(super) const fn make_natural(one: Card, other: Card) -> bool {
    matches!((value(one), value(other)), (1, 10) | (10, 1))
}

impl Cards {
    /// The cards, in the order in which they were dealt.
    #[inline]
    pub fn as_slice(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether an ace counts eleven.
    #[inline]
    pub const fn is_soft(&self) -> bool {
        self.n_aces > 0 && self.hard + 10 <= BEST
    }

    /// What the cards count: as much as aces of one or eleven allow without going over 21.
    #[inline]
    pub const fn count(&self) -> u8 {
        if self.is_soft() { self.hard + 10 } else { self.hard }
    }

    /// Whether these are just an ace and a card that counts ten.
    #[inline]
    pub const fn are_natural(&self) -> bool {
        self.len == 2 && self.count() == BEST
    }

    /// What the cards count with every ace as one.
    #[inline]
    pub const fn hard_count(&self) -> u8 {
        self.hard
    }

    /// Whether there is an ace.
    #[inline]
    pub const fn has_ace(&self) -> bool {
        self.n_aces > 0
    }

    #[inline]
    pub(super) fn push(&mut self, card: Card) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
        self.hard += value(card);
        self.n_aces += u8::from(value(card) == 1);
    }

    /// Takes the last card off.
    pub(super) fn pop(&mut self) -> Card {
        debug_assert!(self.len > 0, "there is a card to take");
        self.len -= 1;
        let card = std::mem::take(&mut self.cards[usize::from(self.len)]);
        self.hard -= value(card);
        self.n_aces -= u8::from(value(card) == 1);
        card
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        let mut hand = Cards::default();
        cards.into_iter().for_each(|card| hand.push(card));
        hand
    }
}
