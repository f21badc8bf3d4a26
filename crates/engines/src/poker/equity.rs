//! The share of the pot that hands and ranges can expect when all cards are shown: exactly, over all boards, or from
//! samples.
//!
//! Exactly, two ranges: on each board both are sorted by strength, and one sweep compares all their hands; those that share
//! a card are taken out by counting card by card. Samples: any number of ranges.
//! Checked: against a comparison of every pair of hands on every board, and published shares.

use std::fmt;

use raichi_core::random::{Rng, index};
use raichi_games::cards::{Card, CardSet, N_CARDS, RANKS};

use super::evaluator::{Evaluator, Hand};
use super::preflop::{class, class_name, hands};

/// Hole cards, each with how likely it is in proportion to the others.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    hands: Vec<(CardSet, f64)>,
}

/// Less weight beside 1 is lost where weights are summed up in 32 bits ([`postflop`](super::postflop)).
const LEAST_WEIGHT: f64 = 0.0001;

/// Why a text is no range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotARange(String);

impl fmt::Display for NotARange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = "any, two cards (AsKd) or kinds of hands (AA, AKs, AKo, AK, TT+, A9s+, QQ-77, A5s-A2s), with commas between them and a weight from 0.0001 to 1 after a colon (AK:0.5)";
        write!(f, "`{}` is not a range; expected {expected}", self.0)
    }
}

impl std::error::Error for NotARange {}

impl Range {
    /// Every pair of hole cards.
    pub fn any() -> Range {
        Range { hands: hands().map(|hole| (hole, 1.0)).collect() }
    }

    /// Hands by weight; those without weight are left out.
    pub fn of(hands: impl IntoIterator<Item = (CardSet, f64)>) -> Range {
        Range { hands: hands.into_iter().filter(|&(_, weight)| weight > 0.0).collect() }
    }

    /// Reads `any`, or hands and kinds of hands with commas between them: `AsKd`, `AA`, `AKs`, `AKo`, `AK`, `TT+`, `A9s+`
    /// (the lower card rises up to just below the higher one), `QQ-77`, `A5s-A2s`, `T9s-76s` (from the first down to the
    /// last). A weight from 0.0001 to 1 follows after a colon: `AK:0.5`; where a hand is named twice, the last one counts.
    ///
    /// # Errors
    /// Names the part that is none of these.
    pub fn parse(text: &str) -> Result<Range, NotARange> {
        if text == "any" {
            return Ok(Range::any());
        }
        let mut range = Range { hands: Vec::new() };
        for part in text.split(',') {
            let part = part.trim();
            let wrong = || NotARange(part.chars().take(40).collect());
            let (kinds, weight) = match part.split_once(':') {
                Some((kinds, weight)) => (kinds, weight.parse().ok().filter(|w| (LEAST_WEIGHT..=1.0).contains(w))),
                None => (part, Some(1.0)),
            };
            let of_part = read_hand(kinds).map(|hole| vec![hole]).or_else(|| read_kinds(kinds));
            let weight = weight.ok_or_else(wrong)?;
            for hole in of_part.ok_or_else(wrong)? {
                match range.hands.iter_mut().find(|known| known.0 == hole) {
                    Some(known) => known.1 = weight,
                    None => range.hands.push((hole, weight)),
                }
            }
        }
        Ok(range)
    }

    /// The hands with their weights.
    pub fn hands(&self) -> &[(CardSet, f64)] {
        &self.hands
    }
}

fn read_hand(text: &str) -> Option<CardSet> {
    let (one, other) = (Card::parse(text.get(..2)?)?, Card::parse(text.get(2..)?)?);
    (one != other).then(|| [one, other].into_iter().collect())
}

fn read_kinds(text: &str) -> Option<Vec<CardSet>> {
    let (kind, last) = match text.split_once('-') {
        Some((first, last)) => (first, Some(read_kind(last)?)),
        None => (text, None),
    };
    let (kind, up) = kind.strip_suffix('+').map_or((kind, false), |kind| (kind, true));
    let ((high, low), endings) = read_kind(kind)?;
    let pairs: Vec<(usize, usize)> = match (last, up) {
        (None, false) => vec![(high, low)],
        (None, true) if high == low => (high..13).map(|rank| (rank, rank)).collect(),
        (None, true) => (low..high).map(|low| (high, low)).collect(),
        (Some(((last_high, last_low), of_last)), false) if endings == of_last && last_low <= low => {
            if last_high == high && low < high {
                (last_low..=low).map(|low| (high, low)).collect()
            } else if last_high + low == last_low + high {
                (0..=low - last_low).map(|down| (high - down, low - down)).collect()
            } else {
                return None;
            }
        }
        (Some(_), _) => return None,
    };
    let name = |(high, low): (usize, usize), ending: &str| {
        format!("{}{}{ending}", char::from(RANKS[high]), char::from(RANKS[low]))
    };
    let names: Vec<String> =
        pairs.iter().flat_map(|&pair| endings.iter().map(move |ending| name(pair, ending))).collect();
    Some(hands().filter(|&hole| names.contains(&class_name(class(hole)))).collect())
}

type Kind = ((usize, usize), &'static [&'static str]);

/// The ranks of a kind of hands, the higher one first, and how the names of what belongs to it end.
fn read_kind(kind: &str) -> Option<Kind> {
    let rank = |letter: u8| RANKS.iter().position(|&rank| rank == letter);
    let (&[high, low], suits) = kind.as_bytes().split_first_chunk::<2>()?;
    let (high, low) = (rank(high)?, rank(low)?);
    let endings: &[&str] = match (suits, high == low) {
        (b"", true) => &[""],
        (b"", false) => &["s", "o"],
        (b"s", false) => &["s"],
        (b"o", false) => &["o"],
        _ => return None,
    };
    (low <= high).then_some(((high, low), endings))
}

/// How two ranges fare against each other, in weights of pairs of hands times boards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Equity {
    /// Won by the first range.
    pub wins: f64,
    /// Shared.
    pub ties: f64,
    /// Won by the second range.
    pub losses: f64,
}

impl Equity {
    /// The first range's share of the pot, from 0 to 1; not a number where no two hands go together.
    pub fn share(&self) -> f64 {
        (self.wins + self.ties / 2.0) / (self.wins + self.ties + self.losses)
    }
}

/// Compares two ranges on all boards that begin with `board`, at most five cards. Hands that share a card with the board
/// or with each other do not count.
pub fn exact(ranges: [&Range; 2], board: CardSet) -> Equity {
    let evaluator = Evaluator::get();
    let mut deck = CardSet::DECK.minus(board);
    // Cards of a range of one hand cannot come.
    for range in ranges {
        if let [(hole, _)] = range.hands[..] {
            deck = deck.minus(hole);
        }
    }
    let known = |range: &Range| -> Vec<Held> {
        let apart = range.hands.iter().filter(|(hole, _)| hole.minus(board) == *hole);
        apart.map(|&(hole, weight)| Held::new(hole, weight, evaluator)).collect()
    };
    let mut compared =
        Comparison { evaluator, sides: ranges.map(known), sorted: [Vec::new(), Vec::new()], equity: Equity::default() };
    let cards: Vec<Card> = deck.iter().collect();
    let hand = Hand::EMPTY.with(evaluator.cards(board));
    compared.complete(&cards, board, hand, 5 - board.len().min(5));
    compared.equity
}

/// A hand of a range.
#[derive(Clone, Copy)]
struct Held {
    cards: CardSet,
    places: [usize; 2],
    hand: Hand,
    weight: f64,
}

impl Held {
    fn new(cards: CardSet, weight: f64, evaluator: &Evaluator) -> Held {
        let mut each = cards.iter().map(Card::index);
        let places = [each.next(), each.next()].map(|place| place.expect("a hand has two cards"));
        Held { cards, places, hand: evaluator.cards(cards), weight }
    }
}

struct Comparison<'a> {
    evaluator: &'a Evaluator,
    sides: [Vec<Held>; 2],
    /// Strengths on the board in question, with the hand's index.
    sorted: [Vec<(u16, u32)>; 2],
    equity: Equity,
}

/// The weight of hands of the second range, in all and by card.
struct Weights {
    all: f64,
    with: [f64; N_CARDS],
}

impl Weights {
    fn add(&mut self, held: &Held, sign: f64) {
        self.all += sign * held.weight;
        held.places.iter().for_each(|&card| self.with[card] += sign * held.weight);
    }

    /// Of hands that share no card with `held`; `same` is the weight of the very same hand, which was taken out twice.
    fn apart_from(&self, held: &Held, same: f64) -> f64 {
        self.all - self.with[held.places[0]] - self.with[held.places[1]] + same
    }
}

impl Comparison<'_> {
    fn complete(&mut self, cards: &[Card], board: CardSet, hand: Hand, n_missing: usize) {
        if n_missing == 0 {
            return self.compare(board, hand);
        }
        for (nth, &card) in cards.iter().enumerate() {
            let mut board = board;
            board.insert(card);
            self.complete(&cards[nth + 1..], board, hand.with(self.evaluator.card(card)), n_missing - 1);
        }
    }

    fn compare(&mut self, board: CardSet, on_board: Hand) {
        let on_board = self.evaluator.common(on_board, 2);
        for (sorted, side) in self.sorted.iter_mut().zip(&self.sides) {
            sorted.clear();
            for (nth, held) in side.iter().enumerate() {
                if held.cards.minus(board) == held.cards {
                    sorted.push((on_board.evaluate(held.hand), nth as u32));
                }
            }
            sorted.sort_unstable();
        }
        let [first, second] = &self.sorted;
        let (mut below, mut equal) =
            (Weights { all: 0.0, with: [0.0; N_CARDS] }, Weights { all: 0.0, with: [0.0; N_CARDS] });
        let mut above = Weights { all: 0.0, with: [0.0; N_CARDS] };
        let other = |nth: u32| &self.sides[1][nth as usize];
        second.iter().for_each(|&(_, nth)| above.add(other(nth), 1.0));
        let mut next = 0;
        for group in first.chunk_by(|one, other| one.0 == other.0) {
            let strength = group[0].0;
            while next < second.len() && second[next].0 < strength {
                below.add(other(second[next].1), 1.0);
                above.add(other(second[next].1), -1.0);
                next += 1;
            }
            let n_equal = second[next..].iter().take_while(|entry| entry.0 == strength).count();
            let equals = &second[next..next + n_equal];
            equals.iter().for_each(|&(_, nth)| {
                equal.add(other(nth), 1.0);
                above.add(other(nth), -1.0);
            });
            for &(_, nth) in group {
                let held = &self.sides[0][nth as usize];
                let twin = equals.iter().find(|&&(_, nth)| other(nth).cards == held.cards);
                let same = twin.map_or(0.0, |&(_, nth)| other(nth).weight);
                self.equity.wins += held.weight * below.apart_from(held, 0.0);
                self.equity.ties += held.weight * equal.apart_from(held, same);
                self.equity.losses += held.weight * above.apart_from(held, 0.0);
            }
            equals.iter().for_each(|&(_, nth)| {
                equal.add(other(nth), -1.0);
                below.add(other(nth), 1.0);
            });
            next += n_equal;
        }
    }
}

/// The share of the pot of each of two ranges or more, from `n` deals drawn at random; `None` where a million draws in a row
/// gave hands that share a card.
pub fn sampled<R: Rng + ?Sized>(ranges: &[&Range], board: CardSet, n: u64, rng: &mut R) -> Option<Vec<f64>> {
    let evaluator = Evaluator::get();
    let draws: Vec<Draw<'_>> = ranges.iter().map(|range| Draw::new(range)).collect();
    let mut shares = vec![0.0; ranges.len()];
    for _ in 0..n {
        let mut left = CardSet::DECK.minus(board);
        let holes = (0..1_000_000).find_map(|_| deal(&draws, left, rng))?;
        holes.iter().for_each(|&hole| left = left.minus(hole));
        let mut on_board = Hand::EMPTY.with(evaluator.cards(board));
        for _ in board.len()..5 {
            let card = left.choose(rng);
            left.remove(card);
            on_board = on_board.with(evaluator.card(card));
        }
        let strengths: Vec<u16> =
            holes.iter().map(|&hole| evaluator.evaluate(on_board.with(evaluator.cards(hole)))).collect();
        let best = strengths.iter().copied().max().unwrap_or(0);
        let n_best = strengths.iter().filter(|&&strength| strength == best).count();
        for (share, _) in shares.iter_mut().zip(&strengths).filter(|(_, strength)| **strength == best) {
            *share += 1.0 / n_best as f64;
        }
    }
    Some(shares.into_iter().map(|share| share / n as f64).collect())
}

/// Draws hands of a range by weight.
struct Draw<'a> {
    hands: &'a [(CardSet, f64)],
    /// The weights up to each hand, where they are not all alike.
    up_to: Vec<f64>,
}

impl<'a> Draw<'a> {
    fn new(range: &'a Range) -> Draw<'a> {
        let alike = range.hands.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let sums = range.hands.iter().scan(0.0, |sum, &(_, weight)| {
            *sum += weight;
            Some(*sum)
        });
        Draw { hands: &range.hands, up_to: if alike { Vec::new() } else { sums.collect() } }
    }

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<CardSet> {
        let n = self.hands.len();
        let Some(total) = self.up_to.last() else { return (n > 0).then(|| self.hands[index(rng, n)].0) };
        let at = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * total;
        Some(self.hands[self.up_to.partition_point(|&sum| sum <= at).min(n - 1)].0)
    }
}

/// A hand of each range; `None` where two share a card or one is not left.
fn deal<R: Rng + ?Sized>(draws: &[Draw<'_>], left: CardSet, rng: &mut R) -> Option<Vec<CardSet>> {
    let mut left = left;
    draws
        .iter()
        .map(|draw| {
            let hole = draw.draw(rng)?;
            let fits = hole.minus(left).is_empty();
            left = left.minus(hole);
            fits.then_some(hole)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::stream;
    use raichi_games::poker::hands::strength;

    fn cards(text: &str) -> CardSet {
        text.split(' ').filter_map(Card::parse).collect()
    }

    fn range(text: &str) -> Range {
        Range::parse(text).expect("the test's range is one")
    }

    #[test]
    fn ranges_are_read_and_other_texts_refused() {
        for (text, n) in [
            ("any", 1326),
            ("AA", 6),
            ("AKs", 4),
            ("AKo", 12),
            ("AK", 16),
            ("TT+", 30),
            ("A9s+", 20),
            ("QJ+", 16),
            ("AsKd", 1),
            ("AA, AsAd,KK", 12),
            ("QQ-22", 66),
            ("A5s-A2s", 16),
            ("T9o-76o", 48),
            ("AK:0.5,KQs:0.0001", 20),
        ] {
            assert_eq!(range(text).hands().len(), n, "{text}");
        }
        for text in [
            "",
            "A",
            "KA",
            "AAs",
            "AKx",
            "AsAs",
            "AK++",
            "AA,,KK",
            "1010",
            "é",
            "AsK",
            "22-QQ",
            "A5s-K2s",
            "A5s-A2o",
            "A5s+-A2s",
            "AA:0",
            "AA:0.00001",
            "AA:2",
            "AA:-1",
            "AA:nan",
            "AA:x",
            "AA:",
            "AA-KKs",
        ] {
            let why = Range::parse(text).expect_err(text).to_string();
            assert!(why.contains("is not a range; expected any, two cards"), "{text}: {why}");
        }
    }

    #[test]
    fn a_sweep_counts_what_comparing_every_pair_of_hands_on_every_board_counts() {
        for (first, second, board) in [
            ("AK,QQ,77", "AA,KQs,76s,77", "7c 8d Ks"),
            ("any", "any", "2c 7d 9s Jh Ac"),
            ("AsKs", "any", "Qs Js 2d 3h"),
            ("22+", "AcKc", "Ac Ad 2c 2d"),
        ] {
            let (one, other, board) = (range(first), range(second), cards(board));
            let mut expected = Equity::default();
            let mut add = |full: CardSet| {
                let apart = |range: &Range| -> Vec<CardSet> {
                    range.hands().iter().map(|hand| hand.0).filter(|hole| hole.minus(full) == *hole).collect()
                };
                for ours in apart(&one) {
                    for theirs in apart(&other).into_iter().filter(|theirs| theirs.minus(ours) == *theirs) {
                        match strength(ours.union(full)).cmp(&strength(theirs.union(full))) {
                            std::cmp::Ordering::Greater => expected.wins += 1.0,
                            std::cmp::Ordering::Equal => expected.ties += 1.0,
                            std::cmp::Ordering::Less => expected.losses += 1.0,
                        }
                    }
                }
            };
            let left: Vec<Card> = CardSet::DECK.minus(board).iter().collect();
            match 5 - board.len() {
                0 => add(board),
                1 => left.iter().for_each(|&card| add(board.union([card].into_iter().collect()))),
                _ => {
                    for (nth, &card) in left.iter().enumerate() {
                        left[..nth].iter().for_each(|&other| add(board.union([card, other].into_iter().collect())));
                    }
                }
            }
            assert_eq!(exact([&one, &other], board), expected, "{first} {second}");
            let back = exact([&other, &one], board);
            assert_eq!((back.wins, back.ties, back.losses), (expected.losses, expected.ties, expected.wins));
        }
    }

    #[test]
    #[ignore = "a second for each pair of hands; part of the nightly run"]
    fn nightly_published_shares_before_the_flop() {
        for (one, other, share) in [("AsAh", "KdKc", 0.8195), ("AhKh", "QsQd", 0.46)] {
            let found = exact([&range(one), &range(other)], CardSet::EMPTY);
            assert_eq!(found.wins + found.ties + found.losses, 1_712_304.0);
            assert!((found.share() - share).abs() < 0.01, "{one} {other}: {}", found.share());
        }
    }

    #[test]
    fn samples_agree_with_the_exact_share() {
        let (one, other, board) = (range("AK,QQ"), range("any"), cards("Qs Js 2d"));
        let exact = exact([&one, &other], board).share();
        let shares = sampled(&[&one, &other], board, 40_000, &mut stream(1, "test", 0)).expect("there are deals");
        // Four standard errors of a share between 0 and 1.
        assert!((shares[0] - exact).abs() < 0.01, "{shares:?} {exact}");
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9);
        let uneven = Range::of([(cards("As Ad"), 3.0), (cards("7c 2d"), 1.0), (cards("9c 9d"), 0.0)]);
        let three = sampled(&[&uneven, &other, &other], CardSet::EMPTY, 20_000, &mut stream(2, "test", 0));
        let three = three.expect("there are deals");
        // Aces against two unknown hands 73 %, seven and two 22 %, three to one.
        assert!((three[0] - 0.605).abs() < 0.02, "{three:?}");
        assert_eq!(sampled(&[&range("AsAd"), &range("AsKd")], CardSet::EMPTY, 1, &mut stream(3, "test", 0)), None);
    }
}
