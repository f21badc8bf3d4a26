//! How strong a hand is: the best five of up to seven cards.
//!
//! Ranks are bits, so that a set of kickers of a fixed size compares as a number just as its cards compare from the
//! highest down; nothing is looked up, and no five cards are ever picked out.

use std::fmt;

use crate::cards::CardSet;

/// The categories, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Category {
    /// Five cards that make nothing else.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two pairs.
    TwoPairs,
    /// Three of a rank.
    Trips,
    /// Five ranks in a row, the ace low or high.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four of a rank.
    Quads,
    /// A straight in one suit; to the ace it is called royal.
    StraightFlush,
}

const CATEGORIES: [Category; 9] = [
    Category::HighCard,
    Category::Pair,
    Category::TwoPairs,
    Category::Trips,
    Category::Straight,
    Category::Flush,
    Category::FullHouse,
    Category::Quads,
    Category::StraightFlush,
];

/// A hand's strength: the greater beats the lesser, equals share.
///
/// Four bits of category, then 13 bits of the ranks that make it, then 13 bits of the ranks that break ties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strength(u32);

impl Strength {
    #[inline]
    const fn new(category: Category, major: u32, minor: u32) -> Strength {
        Strength((category as u32) << 26 | major << 13 | minor)
    }

    /// What it is.
    pub const fn category(self) -> Category {
        CATEGORIES[(self.0 >> 26) as usize]
    }

    const fn major(self) -> u32 {
        self.0 >> 13 & 0x1fff
    }

    const fn minor(self) -> u32 {
        self.0 & 0x1fff
    }
}

/// The strength of the best five of five, six or seven cards.
#[inline]
pub fn strength(cards: CardSet) -> Strength {
    debug_assert!((5..=7).contains(&cards.len()), "a hand is five to seven cards");
    let suits = [cards.ranks_of(0), cards.ranks_of(1), cards.ranks_of(2), cards.ranks_of(3)];
    let [c, d, h, s] = suits;
    let any = c | d | h | s;

    // Five of seven cards in one suit leave no room for four of a rank or a full house.
    for ranks in suits {
        if ranks.count_ones() >= 5 {
            return match straight(ranks) {
                0 => Strength::new(Category::Flush, highest(ranks, 5), 0),
                low => Strength::new(Category::StraightFlush, low, 0),
            };
        }
    }

    let quads = c & d & h & s;
    if quads != 0 {
        return Strength::new(Category::Quads, quads, highest(any & !quads, 1));
    }
    let trips = (c & d & (h | s)) | (h & s & (c | d));
    let pairs = (c & d) | (h & s) | ((c | d) & (h | s)); // two or more of the rank
    if trips != 0 {
        let best = highest(trips, 1);
        let over = pairs & !best;
        if over != 0 {
            return Strength::new(Category::FullHouse, best, highest(over, 1));
        }
    }
    let low = straight(any);
    if low != 0 {
        return Strength::new(Category::Straight, low, 0);
    }
    if trips != 0 {
        return Strength::new(Category::Trips, trips, highest(any & !trips, 2));
    }
    match pairs.count_ones() {
        0 => Strength::new(Category::HighCard, highest(any, 5), 0),
        1 => Strength::new(Category::Pair, pairs, highest(any & !pairs, 3)),
        _ => {
            let best = highest(pairs, 2);
            Strength::new(Category::TwoPairs, best, highest(any & !best, 1))
        }
    }
}

// The n highest bits; all of them where there are no more.
#[inline]
const fn highest(mut ranks: u32, n: u32) -> u32 {
    while ranks.count_ones() > n {
        ranks &= ranks - 1;
    }
    ranks
}

// The best straight among these ranks, as the bit one above its lowest card: bit 0 stands for the ace below the two.
// 0 where there is none.
#[inline]
const fn straight(ranks: u32) -> u32 {
    let ranks = ranks << 1 | ranks >> 12;
    highest(ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4, 1)
}

const ONE: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const MANY: [&str; 13] = [
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings",
    "aces",
];

fn top(ranks: u32) -> usize {
    31 - ranks.leading_zeros() as usize
}

/// A hand in words: `a full house, kings over nines`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (self.major(), self.minor());
        let high = top(major);
        // The straight's bit is one above its lowest card; its highest card is four ranks above that.
        let to = || ONE[high + 3];
        match self.category() {
            Category::HighCard => write!(f, "{} high", ONE[high]),
            Category::Pair => write!(f, "a pair of {}", MANY[high]),
            Category::TwoPairs => write!(f, "two pairs, {} and {}", MANY[high], MANY[major.trailing_zeros() as usize]),
            Category::Trips => write!(f, "three {}", MANY[high]),
            Category::Straight => write!(f, "a straight to the {}", to()),
            Category::Flush => write!(f, "a flush, {} high", ONE[high]),
            Category::FullHouse => write!(f, "a full house, {} over {}", MANY[high], MANY[top(minor)]),
            Category::Quads => write!(f, "four {}", MANY[high]),
            Category::StraightFlush if high == 9 => write!(f, "a royal flush"),
            Category::StraightFlush => write!(f, "a straight flush to the {}", to()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, N_CARDS};
    use raichi_core::random::stream;
    use std::collections::HashSet;

    fn cards(text: &str) -> CardSet {
        text.split(' ').map(|card| Card::parse(card).expect("the test's cards exist")).collect()
    }

    /// The textbook's way: five cards, sorted by how often their rank occurs and then by rank.
    fn strength_of_five(five: &[Card; 5]) -> (Category, Vec<u8>) {
        let mut ranks: Vec<u8> = five.iter().map(|card| card.rank()).collect();
        let count = |rank: u8| five.iter().filter(|card| card.rank() == rank).count();
        ranks.sort_by_key(|&rank| std::cmp::Reverse((count(rank), rank)));
        let counts: Vec<usize> = ranks.iter().map(|&rank| count(rank)).collect();
        let flush = five.iter().all(|card| card.suit() == five[0].suit());
        let straight = match ranks[..] {
            [12, 3, 2, 1, 0] => Some(3),
            _ if counts == [1; 5] && ranks[0] - ranks[4] == 4 => Some(ranks[0]),
            _ => None,
        };
        match (flush, straight, counts[0], counts[3]) {
            (true, Some(to), ..) => (Category::StraightFlush, vec![to]),
            (_, _, 4, _) => (Category::Quads, ranks),
            (_, _, 3, 2) => (Category::FullHouse, ranks),
            (true, ..) => (Category::Flush, ranks),
            (_, Some(to), ..) => (Category::Straight, vec![to]),
            (_, _, 3, _) => (Category::Trips, ranks),
            (_, _, 2, _) if counts[2] == 2 => (Category::TwoPairs, ranks),
            (_, _, 2, _) => (Category::Pair, ranks),
            _ => (Category::HighCard, ranks),
        }
    }

    fn best_of_21(hand: &[Card]) -> (Category, Vec<u8>) {
        let fives = (0..1u32 << hand.len()).filter(|chosen| chosen.count_ones() == 5);
        let five = |chosen: u32| {
            let mut picked = (0..hand.len()).filter(|i| chosen >> i & 1 == 1).map(|i| hand[i]);
            strength_of_five(&std::array::from_fn(|_| picked.next().expect("five are chosen")))
        };
        fives.map(five).max().expect("there are 21 ways")
    }

    #[test]
    fn the_order_is_that_of_the_best_of_21() {
        let mut rng = stream(1, "test", 0);
        let mut draw = |n_shared: usize| -> (CardSet, CardSet) {
            let (mut deck, mut hands) = (CardSet::DECK, [CardSet::EMPTY; 2]);
            for i in 0..14 - n_shared {
                let card = deck.choose(&mut rng);
                deck.remove(card);
                let both = i < n_shared;
                hands
                    .iter_mut()
                    .enumerate()
                    .filter(|(h, _)| both || i % 2 == *h)
                    .for_each(|(_, hand)| hand.insert(card));
            }
            (hands[0], hands[1])
        };
        for i in 0..6000 {
            // Five shared cards as in play give many near ties, none give more of the rare hands.
            let (one, other) = draw(if i % 4 == 0 { 0 } else { 5 });
            if one.len() != 7 || other.len() != 7 {
                continue;
            }
            let reference = |hand: CardSet| best_of_21(&hand.iter().collect::<Vec<_>>());
            assert_eq!(strength(one).category(), reference(one).0, "{:?}", one.highest_first());
            let (found, expected) = (strength(one).cmp(&strength(other)), reference(one).cmp(&reference(other)));
            assert_eq!(found, expected, "{:?} against {:?}", one.highest_first(), other.highest_first());
        }
    }

    fn counted<const N: usize>() -> ([u32; 9], usize) {
        let mut counts = [0; 9];
        let mut distinct = HashSet::new();
        fn deal(first: usize, n: usize, hand: CardSet, each: &mut impl FnMut(CardSet)) {
            if n == 0 {
                return each(hand);
            }
            for index in first..=N_CARDS - n {
                let mut more = hand;
                more.insert(Card::from_index(index));
                deal(index + 1, n - 1, more, each);
            }
        }
        let mut last = None;
        deal(0, N, CardSet::EMPTY, &mut |hand| {
            let strength = strength(hand);
            counts[strength.category() as usize] += 1;
            if last.replace(strength) != Some(strength) {
                distinct.insert(strength);
            }
        });
        (counts, distinct.len())
    }

    #[test]
    fn five_cards_come_to_the_published_numbers() {
        let published = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40];
        assert_eq!(counted::<5>(), (published, 7462));
    }

    #[test]
    fn seven_cards_come_to_the_published_numbers() {
        if std::env::var_os("RAICHI_NIGHTLY").is_none() {
            return; // 133,784,560 hands
        }
        let published =
            [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584];
        assert_eq!(counted::<7>(), (published, 4824));
    }

    #[test]
    fn hands_in_words_weakest_first() {
        let rising = [
            ("2c 3d 5h 7s 9c Jd Kh", "king high"),
            ("2c 3d 5h 7s 9c Jd Ah", "ace high"),
            ("2c 2d 5h 7s 9c Jd Ah", "a pair of twos"),
            ("3c 3d 2h 4s 7c 9d Jh", "a pair of threes"),
            ("2c 2d 3h 3s 9c Jd Kh", "two pairs, threes and twos"),
            ("2c 2d 9h 9s Kc Kd 3h", "two pairs, kings and nines"),
            ("2c 2d 9h 9s Kc Kd Ah", "two pairs, kings and nines"),
            ("6c 6d 6h 9s Jc Kd 3h", "three sixes"),
            ("Ac 2d 3h 4s 5c 9d Jh", "a straight to the five"),
            ("9c Td Jh Qs Kc 2d 3h", "a straight to the king"),
            ("9c Td Jh Qs Kc Ad 3h", "a straight to the ace"),
            ("2c 4c 6c 8c Tc Ad Ah", "a flush, ten high"),
            ("2c 2d 2h 9s 9c 4d Kh", "a full house, twos over nines"),
            ("2c 2d 2h 9s 9c 9d Kh", "a full house, nines over twos"),
            ("9s 9c 9d 9h 2c 2d 2h", "four nines"),
            ("9s 9c 9d 9h 2c 2d 3h", "four nines"),
            ("Ac 2c 3c 4c 5c 6d 7h", "a straight flush to the five"),
            ("8c 9c Tc Jc Qc Kd Ah", "a straight flush to the queen"),
            ("Th Jh Qh Kh Ah As Ac", "a royal flush"),
        ];
        for pair in rising.windows(2) {
            assert!(strength(cards(pair[0].0)) < strength(cards(pair[1].0)), "{} < {}", pair[0].0, pair[1].0);
        }
        for (hand, words) in rising {
            assert_eq!(strength(cards(hand)).to_string(), words, "{hand}");
        }
    }

    #[test]
    fn the_board_can_be_everybodys_best_five_and_a_straight_does_not_wrap() {
        let board = "Tc Jd Qh Ks Ac";
        assert_eq!(strength(cards(&format!("{board} 2c 3d"))), strength(cards(&format!("{board} Qd Qs"))));
        assert_eq!(strength(cards("Qc Kd Ah 2s 3c 7d 8h")).category(), Category::HighCard);
        // A third pair is a kicker only by its rank.
        assert_eq!(strength(cards("Ac Ad Kh Ks Qc 2d 3h")), strength(cards("Ac Ad Kh Ks Qc Qd 3h")));
    }
}
