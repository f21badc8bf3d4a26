//! The 52 playing cards and sets of them, for every game that is played with them.

use std::fmt;

use raichi_core::bits;
use raichi_core::position::{Field, PositionError};
use raichi_core::random::Rng;
use serde::{Deserialize, Serialize};

/// How many cards a deck has.
pub const N_CARDS: usize = 52;

/// The ranks in rising order, as a card's text begins with them.
pub const RANKS: &[u8; 13] = b"23456789TJQKA";

/// The suits: clubs, diamonds, hearts, spades.
pub const SUITS: &[u8; 4] = b"cdhs";

/// What the suits are called, in the order of [`SUITS`].
pub const SUIT_NAMES: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

/// What the ranks are called, in the order of [`RANKS`].
pub fn rank_names() -> impl Iterator<Item = char> {
    RANKS.iter().map(|&rank| char::from(rank))
}

/// A card: `suit * 13 + rank`, below 52. Its text is rank and suit, `As`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Card(u8);

impl Card {
    /// The card of this rank (0 is a two, 12 an ace) and suit (an index of [`SUITS`]).
    #[inline]
    pub const fn new(rank: u8, suit: u8) -> Card {
        debug_assert!(rank < 13 && suit < 4, "there are thirteen ranks and four suits");
        Card(suit * 13 + rank)
    }

    /// The card number `index`, below 52.
    #[inline]
    pub const fn from_index(index: usize) -> Card {
        debug_assert!(index < N_CARDS, "a deck has 52 cards");
        Card(index as u8)
    }

    /// The card's number, below 52.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// From 0, a two, to 12, an ace.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 13
    }

    /// An index of [`SUITS`].
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 / 13
    }

    /// The card that `text` names exactly.
    pub fn parse(text: &str) -> Option<Card> {
        let &[rank, suit] = text.as_bytes() else { return None };
        let rank = RANKS.iter().position(|&r| r == rank)?;
        let suit = SUITS.iter().position(|&s| s == suit)?;
        Some(Card::new(rank as u8, suit as u8))
    }

    /// All 52, clubs first, in rising order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..N_CARDS).map(Card::from_index)
    }

    /// The same rank in another suit, under one of the [`SUIT_MAPS`].
    pub fn with_suits(self, map: [u8; 4]) -> Card {
        Card::new(self.rank(), map[usize::from(self.suit())])
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rank, suit) = (RANKS[usize::from(self.rank())], SUITS[usize::from(self.suit())]);
        write!(f, "{}{}", char::from(rank), char::from(suit))
    }
}

/// A set of cards, one bit a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// A whole deck.
    pub const DECK: CardSet = CardSet((1 << N_CARDS) - 1);

    /// Whether `card` is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Puts `card` in.
    #[inline]
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Takes `card` out.
    #[inline]
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// The cards of both sets.
    #[inline]
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ranks held in one suit, bit 0 the two and bit 12 the ace.
    #[inline]
    pub const fn ranks_of(self, suit: u32) -> u32 {
        (self.0 >> (13 * suit)) as u32 & 0x1fff
    }

    /// The cards, clubs first, in rising order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        bits::ones([self.0]).map(|card| Card(card as u8))
    }

    /// The cards as people hold them: the highest rank first.
    pub fn highest_first(self) -> Vec<Card> {
        let mut cards: Vec<Card> = self.iter().collect();
        cards.sort_unstable_by_key(|card| std::cmp::Reverse((card.rank(), card.suit())));
        cards
    }

    /// The first card in the order of [`CardSet::iter`].
    pub fn first(self) -> Option<Card> {
        (!self.is_empty()).then(|| Card(self.0.trailing_zeros() as u8))
    }

    /// A uniformly chosen card of a set that has one. Numbers of six bits are drawn until one is in the set: for a
    /// deck that is quicker than counting to the n-th card.
    #[inline]
    pub fn choose<R: Rng + ?Sized>(self, rng: &mut R) -> Card {
        debug_assert!(!self.is_empty(), "there is no card to choose");
        loop {
            let mut bits = rng.next_u64();
            for _ in 0..10 {
                if self.0 >> (bits & 63) & 1 == 1 {
                    return Card((bits & 63) as u8);
                }
                bits >>= 6;
            }
        }
    }

    /// The same ranks in other suits, under one of the [`SUIT_MAPS`].
    #[must_use]
    pub fn with_suits(self, map: [u8; 4]) -> CardSet {
        self.iter().map(|card| card.with_suits(map)).collect()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

/// The 24 ways to exchange the suits, the identity first: where suits only tell cards apart they are symmetries.
pub const SUIT_MAPS: [[u8; 4]; 24] = {
    let mut maps = [[0; 4]; 24];
    let mut n = 0;
    while n < 24 {
        // The digits of n in the factorial number system choose among the suits that are left.
        let mut left = [0, 1, 2, 3];
        let choices = [n / 6, n / 2 % 3, n % 2, 0];
        let mut i = 0;
        while i < 4 {
            maps[n][i] = left[choices[i]];
            let mut j = choices[i];
            while j < 3 - i {
                left[j] = left[j + 1];
                j += 1;
            }
            i += 1;
        }
        n += 1;
    }
    maps
};

/// Cards in a position's text, one behind another: `AsKd`. `??` is a card that the viewer must not see, and `-` stands for
/// no card at all.
pub fn write_cards(cards: impl IntoIterator<Item = Option<Card>>) -> String {
    let text: String =
        cards.into_iter().map(|card| card.map_or_else(|| "??".into(), |card| card.to_string())).collect();
    if text.is_empty() { "-".into() } else { text }
}

/// Reads what [`write_cards`] writes, each card with its place in the text.
///
/// # Errors
/// Names the first card that is none.
pub fn read_cards(field: Field<'_>) -> Result<Vec<(Field<'_>, Option<Card>)>, PositionError> {
    if field.text == "-" {
        return Ok(Vec::new());
    }
    let mut cards = Vec::new();
    while cards.is_empty() || 2 * cards.len() < field.text.len() {
        let at = 2 * cards.len();
        let text = field.text.get(at..at + 2).unwrap_or("");
        let card = Card::parse(text);
        if card.is_none() && text != "??" {
            return Err(field.error_at(at, "a card: a rank of 23456789TJQKA, then a suit of cdhs, such as As"));
        }
        cards.push((Field { text, column: field.column + at }, card));
    }
    Ok(cards)
}

/// How many entries of an observation a grid of cards takes: a row for each suit, a column for each rank.
pub const GRID: usize = N_CARDS;

/// A grid of cards in an observation under one of the [`SUIT_MAPS`]: whole rows change places.
pub fn map_grid(map: [u8; 4], grid: &[i32], image: &mut [i32]) {
    for (row, &to) in grid.chunks_exact(13).zip(&map) {
        image[13 * usize::from(to)..][..13].copy_from_slice(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::stream;
    use std::collections::HashSet;

    #[test]
    fn texts_round_trip_and_nothing_else_parses() {
        for card in Card::all() {
            assert_eq!(Card::parse(&card.to_string()), Some(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
        assert_eq!((Card::parse("As"), Card::parse("2c")), (Some(Card(51)), Some(Card(0))));
        for bad in ["", "A", "s", "as", "AS", "10s", "1s", "As ", "Ax", "é", "♠A"] {
            assert_eq!(Card::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn cards_of_a_position_read_back() {
        let field = |text| Field { text, column: 5 };
        let read =
            |text| read_cards(field(text)).map(|cards| cards.into_iter().map(|(_, card)| card).collect::<Vec<_>>());
        for text in ["-", "As", "As??2c"] {
            assert_eq!(write_cards(read(text).expect("these are cards")), text);
        }
        for (text, column) in [("", 5), ("A", 5), ("As2", 7), ("As2x", 7), ("Asé", 7), ("As-", 7), ("é", 5), ("?", 5)]
        {
            assert_eq!(read(text).unwrap_err().column, column, "{text}");
        }
    }

    #[test]
    fn choices_are_even_and_in_the_set() {
        let set: CardSet = ["2c", "7d", "Kh", "As"].iter().filter_map(|text| Card::parse(text)).collect();
        let mut counts = [0i32; N_CARDS];
        let mut rng = stream(1, "test", 0);
        for _ in 0..40_000 {
            counts[set.choose(&mut rng).index()] += 1;
        }
        for card in Card::all() {
            // Five standard deviations of a binomial with p = 1/4.
            let expected = if set.contains(card) { 10_000 } else { 0 };
            assert!((counts[card.index()] - expected).abs() < 450, "{card} came {} times", counts[card.index()]);
        }
    }

    #[test]
    fn suit_maps_are_all_the_permutations() {
        let distinct: HashSet<[u8; 4]> = SUIT_MAPS.into_iter().collect();
        assert_eq!((distinct.len(), SUIT_MAPS[0]), (24, [0, 1, 2, 3]));
        for map in SUIT_MAPS {
            assert_eq!(CardSet::DECK.with_suits(map), CardSet::DECK);
        }
    }
}
