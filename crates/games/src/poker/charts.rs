//! The chart of hands: the strongest first, each with cards, how many such hands there are, and what breaks ties.
//!
//! Checked against [`hands`](super::hands): what each example is, that each beats the next, and the numbers of hands.

use raichi_core::chart::{Chart, Entry, Figure, Row};
use raichi_core::picture::{PieceKind, Tone};

/// A kind of hand.
pub(super) struct Line {
    pub(super) name: &'static str,
    /// An example.
    pub(super) cards: &'static str,
    pub(super) what: &'static str,
    pub(super) ties: &'static str,
    /// How many sets of five cards are such a hand.
    pub(super) n_hands: u32,
}

const fn line(name: &'static str, cards: &'static str, what: &'static str, ties: &'static str, n_hands: u32) -> Line {
    Line { name, cards, what, ties, n_hands }
}

pub(super) const LINES: [Line; 10] = [
    line("royal flush", "AsKsQsJsTs", "a straight flush to the ace", "none", 4),
    line("straight flush", "9h8h7h6h5h", "a straight in one suit", "its highest card", 36),
    line("four of a kind", "8c8d8h8sKd", "four of a rank", "the rank, then the fifth card", 624),
    line("full house", "TcTdTh4s4c", "three of a rank and two of another", "the three, then the pair", 3744),
    line("flush", "AdJd8d6d2d", "five of one suit", "the cards from the top", 5108),
    line("straight", "9c8d7h6s5c", "five ranks in sequence; an ace may be low", "its highest card", 10_200),
    line("three of a kind", "QcQdQh9s4c", "three of a rank", "the rank, then the others from the top", 54_912),
    line("two pairs", "KcKd7h7s3c", "two of a rank, twice", "the higher pair, the lower one, the fifth card", 123_552),
    line("pair", "JcJdAh8s5c", "two of a rank", "the rank, then the others from the top", 1_098_240),
    line("high card", "AcQd9h6s3c", "nothing of these", "the cards from the top", 1_302_540),
];

pub(super) fn all() -> Vec<Chart> {
    let columns = ["cards", "what it is", "ties are broken by", "of 2,598,960 hands"].map(Entry::text).into();
    vec![Chart {
        id: "hands".into(),
        title: "The hands".into(),
        text:
            "The strongest first. The best five of seven cards play; the suits are equal. Hands that are level in all \
               that breaks ties share the pot."
                .into(),
        corner: "hand".into(),
        columns,
        rows: LINES.iter().map(row).collect(),
    }]
}

fn row(line: &Line) -> Row {
    let figure = |card: &str| Figure { kind: PieceKind::Card, tone: Tone::Plain, text: Some(card.into()) };
    let cards: Vec<&str> = line.cards.as_bytes().chunks(2).filter_map(|card| str::from_utf8(card).ok()).collect();
    let entries = vec![
        Entry::figures(cards.iter().map(|card| figure(card)).collect(), cards.join(" ")),
        Entry::text(line.what),
        Entry::text(line.ties),
        Entry::text(grouped(line.n_hands)),
    ];
    Row { head: Entry::text(line.name), entries }
}

/// `1,302,540`
fn grouped(n: u32) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, CardSet};
    use crate::poker::hands::{Category, strength};

    fn set(line: &Line) -> CardSet {
        let chunks = line.cards.as_bytes().chunks(2);
        chunks.map(|text| Card::parse(str::from_utf8(text).unwrap()).unwrap()).collect()
    }

    #[test]
    fn each_example_is_what_it_is_called_and_beats_the_next() {
        use Category::*;
        let categories =
            [StraightFlush, StraightFlush, Quads, FullHouse, Flush, Straight, Trips, TwoPairs, Pair, HighCard];
        for (line, category) in LINES.iter().zip(categories) {
            assert_eq!(set(line).len(), 5, "{}", line.name);
            assert_eq!(strength(set(line)).category(), category, "{}", line.name);
        }
        for pair in LINES.windows(2) {
            assert!(strength(set(&pair[0])) > strength(set(&pair[1])), "{} and {}", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn there_are_so_many_of_each() {
        let royal = strength(set(&LINES[0]));
        let mut counts = [0; 10];
        let deck: Vec<Card> = Card::all().collect();
        for a in 0..48 {
            for b in a + 1..49 {
                for c in b + 1..50 {
                    for d in c + 1..51 {
                        for e in d + 1..52 {
                            let hand = strength([a, b, c, d, e].into_iter().map(|i| deck[i]).collect());
                            counts[if hand == royal { 0 } else { 9 - hand.category() as usize }] += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(counts, LINES.map(|line| line.n_hands));
        assert_eq!((grouped(4), grouped(3744), grouped(1_302_540)), ("4".into(), "3,744".into(), "1,302,540".into()));
    }
}
