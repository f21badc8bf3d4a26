//! The strength of seven cards by two look-ups: what the best five of them are, as a number from 1 to 7462.
//!
//! A hand is a sum over its cards: 27 bits of a hash of the ranks, which is itself a sum (of multiples of powers of five, so
//! no two sets of seven ranks share one), and a counter a suit that starts at three, so that five of a suit set its top bit.
//! Without a flush the hash finds the strength in a table of 128 KiB by row displacement (Tarjan and Yao 1979): its upper
//! bits name a row, which begins where its entries meet no other row's. With a flush the ranks of the suit find it in a
//! table of their own.
//!
//! Seven cards only. Checked against [`strength`], which looks nothing up: every set of seven ranks and every flush, random
//! hands, and all 133,784,560 hands by category.

use std::sync::LazyLock;

use raichi_games::cards::{Card, CardSet, N_CARDS};
use raichi_games::poker::hands::{Category, Strength, strength};

/// The best hand there is, a royal flush, as a number; the weakest is 1.
pub const BEST: u16 = 7462;

/// Cards added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    /// The hash of the ranks in the last 27 bits, suit counters of four bits below bit 16.
    sum: u64,
    /// The ranks of each suit, 16 bits a suit.
    ranks: u64,
}

/// Cards that several hands have in common, a board for example.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    evaluator: &'a Evaluator,
    hand: Hand,
    /// Whether any of the hands can hold a flush: of most boards that is known before.
    may_flush: bool,
}

impl Common<'_> {
    /// [`Evaluator::evaluate`] of the hand that the other cards make of these.
    #[inline]
    pub fn evaluate(&self, others: Hand) -> u16 {
        let hand = self.hand.with(others);
        if self.may_flush { self.evaluator.evaluate(hand) } else { self.evaluator.by_ranks(hand.sum) }
    }
}

/// The tables.
pub struct Evaluator {
    cards: [Hand; N_CARDS],
    /// The sums of cards alone, by number; those after the last card are none, so that any number of eight bits will do.
    sums: [u64; 256],
    /// What leads from the low bits of a hash in each row to its place, modulo 2^16.
    rows: [u16; 1 << ROW_BITS],
    strengths: [u16; 1 << 16],
    /// Of five ranks or more in one suit.
    flushes: [u16; 1 << 13],
    /// Every strength that five cards can have, weakest first; the number 1 is the first.
    all: Vec<Strength>,
}

/// The first bits of a hash name a row, the others a place in it.
const ROW_BITS: u32 = 13;
const COLUMN_BITS: u32 = 14;
const HASH_BITS: u32 = ROW_BITS + COLUMN_BITS;
/// Found by trial: no two sets of seven ranks have the same hash, and all rows fit in 2^16 places.
const MULTIPLIER: u32 = 0x37c_92b1;
/// Five of a suit.
const FLUSH: u64 = 0x8888;
const ONE_OF_EACH_SUIT: u64 = 0x1111;

static EVALUATOR: LazyLock<Evaluator> = LazyLock::new(Evaluator::new);

impl Hand {
    /// No card yet.
    pub const EMPTY: Hand = Hand { sum: 0x3333, ranks: 0 };

    /// The hand and the cards of `other`, none of which it has; `other` is a card of [`Evaluator::card`], or several.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Hand) -> Hand {
        Hand { sum: self.sum.wrapping_add(other.sum), ranks: self.ranks | other.ranks }
    }

    const fn of(card: usize) -> Hand {
        let (rank, suit) = (card % 13, card / 13);
        let hash = 5u32.pow(rank as u32).wrapping_mul(MULTIPLIER);
        Hand { sum: (hash as u64) << (64 - HASH_BITS) | 1 << (4 * suit), ranks: 1 << (16 * suit + rank) }
    }
}

impl Evaluator {
    /// The tables, made when first asked for.
    pub fn get() -> &'static Evaluator {
        &EVALUATOR
    }

    /// Whether somebody has asked for the tables before, so that they are there.
    pub fn is_made() -> bool {
        LazyLock::get(&EVALUATOR).is_some()
    }

    /// A card, to be added to a hand.
    #[inline]
    pub fn card(&self, card: Card) -> Hand {
        self.cards[card.index()]
    }

    /// Cards, to be added to a hand.
    pub fn cards(&self, cards: CardSet) -> Hand {
        cards.iter().fold(Hand { sum: 0, ranks: 0 }, |sum, card| sum.with(self.card(card)))
    }

    /// The number of the strength of seven cards: the greater beats the lesser, equals share.
    #[inline]
    pub fn evaluate(&self, hand: Hand) -> u16 {
        let flush = hand.sum & FLUSH;
        if flush != 0 {
            return self.flush(hand.ranks, flush);
        }
        self.by_ranks(hand.sum)
    }

    /// Hands that have these cards in common, and two others each.
    pub fn on_board(&self, board: CardSet) -> Common<'_> {
        self.common(Hand::EMPTY.with(self.cards(board)), 2)
    }

    /// Hands that have these cards in common, and so many others each.
    #[inline]
    pub fn common(&self, hand: Hand, n_others: u64) -> Common<'_> {
        let may_flush = hand.sum.wrapping_add(n_others * ONE_OF_EACH_SUIT) & FLUSH != 0;
        Common { evaluator: self, hand, may_flush }
    }

    /// [`Evaluator::evaluate`] of cards that are added up nowhere else: their suits are looked at one by one only where they make a
    /// flush.
    #[inline]
    pub fn evaluate_cards(&self, cards: &[Card; 7]) -> u16 {
        let sum = cards.iter().fold(Hand::EMPTY.sum, |sum, &card| sum.wrapping_add(self.sums[card.index()]));
        if sum & FLUSH != 0 {
            let ranks = cards.iter().fold(0, |ranks, &card| ranks | self.card(card).ranks);
            return self.flush(ranks, sum & FLUSH);
        }
        self.by_ranks(sum)
    }

    /// Where no five cards are of a suit.
    #[inline]
    fn by_ranks(&self, sum: u64) -> u16 {
        let row = (sum >> (64 - ROW_BITS)) as usize;
        let place = ((sum >> (64 - HASH_BITS)) as u16).wrapping_add(self.rows[row]);
        self.strengths[usize::from(place)]
    }

    #[inline]
    fn flush(&self, ranks: u64, flush: u64) -> u16 {
        // The top bit of a suit's counter is as far to the right as a quarter of where its ranks end.
        let shift = 4 * (flush.trailing_zeros() - 3);
        self.flushes[(ranks >> shift) as usize & 0x1fff]
    }

    /// The strength with this number, from 1 to [`BEST`].
    pub fn strength(&self, number: u16) -> Strength {
        self.all[usize::from(number) - 1]
    }

    /// What the strength with this number is.
    pub fn category(&self, number: u16) -> Category {
        self.strength(number).category()
    }

    fn new() -> Evaluator {
        let all = all_strengths();
        let number =
            |cards: CardSet| all.binary_search(&strength(cards)).expect("five of the cards are listed") as u16 + 1;
        let sets: Vec<(u32, u16)> = rank_sets(7).iter().map(|set| (hash(set), number(without_flush(set)))).collect();
        let (rows, strengths) = displaced(&sets);
        let mut flushes = Box::new([0; 1 << 13]);
        for ranks in 0..1u32 << 13 {
            if (5..=7).contains(&ranks.count_ones()) {
                let cards = (0..13).filter(|rank| ranks >> rank & 1 == 1).map(|rank| Card::new(rank, 0));
                flushes[ranks as usize] = number(cards.collect());
            }
        }
        let cards = std::array::from_fn(Hand::of);
        let sums = std::array::from_fn(|card| cards.get(card).map_or(0, |card: &Hand| card.sum));
        Evaluator { cards, sums, rows: *rows, strengths: *strengths, flushes: *flushes, all }
    }
}

/// How many cards there are of each rank.
type RankSet = [u8; 13];

/// All sets of `n` ranks, at most four of each.
fn rank_sets(n: u8) -> Vec<RankSet> {
    fn add(set: &mut RankSet, rank: usize, left: u8, sets: &mut Vec<RankSet>) {
        if rank == 12 {
            if left <= 4 {
                set[12] = left;
                sets.push(*set);
            }
            return;
        }
        for count in 0..=left.min(4) {
            set[rank] = count;
            add(set, rank + 1, left - count, sets);
        }
    }
    let mut sets = Vec::new();
    add(&mut [0; 13], 0, n, &mut sets);
    sets
}

fn hash(set: &RankSet) -> u32 {
    let term =
        |(rank, &count): (usize, &u8)| u32::from(count).wrapping_mul(5u32.pow(rank as u32).wrapping_mul(MULTIPLIER));
    set.iter().enumerate().map(term).fold(0, u32::wrapping_add) & ((1 << HASH_BITS) - 1)
}

/// Cards of these ranks, at most two of a suit: the suits take turns.
fn without_flush(set: &RankSet) -> CardSet {
    let ranks = set.iter().enumerate().flat_map(|(rank, &count)| std::iter::repeat_n(rank as u8, count.into()));
    ranks.enumerate().map(|(nth, rank)| Card::new(rank, nth as u8 % 4)).collect()
}

/// What five cards can be, weakest first.
fn all_strengths() -> Vec<Strength> {
    let sets = rank_sets(5);
    let one_suit =
        |set: &RankSet| (0..13).filter(|&rank| set[rank] == 1).map(|rank| Card::new(rank as u8, 0)).collect();
    let flushes = sets.iter().filter(|set| set.iter().all(|&count| count <= 1)).map(|set| strength(one_suit(set)));
    let mut all: Vec<Strength> = sets.iter().map(|set| strength(without_flush(set))).chain(flushes).collect();
    all.sort_unstable();
    all.dedup();
    all
}

type Rows = (Box<[u16; 1 << ROW_BITS]>, Box<[u16; 1 << 16]>);

/// Puts each value where its hash is looked up: the fullest rows first, each as far to the left as it fits.
fn displaced(values: &[(u32, u16)]) -> Rows {
    let mut entries: Vec<Vec<(u32, u16)>> = vec![Vec::new(); 1 << ROW_BITS];
    for &(hash, value) in values {
        entries[(hash >> COLUMN_BITS) as usize].push((hash & ((1 << COLUMN_BITS) - 1), value));
    }
    let mut order: Vec<usize> = (0..entries.len()).filter(|&row| !entries[row].is_empty()).collect();
    order.sort_by_key(|&row| std::cmp::Reverse(entries[row].len()));
    let mut rows = Box::new([0; 1 << ROW_BITS]);
    let mut table = Box::new([0; 1 << 16]);
    let mut taken = Taken(vec![0; (1 << 16) / 64 + (1 << COLUMN_BITS) / 64 + 2]);
    for row in order {
        let begin = taken.first_fit(&entries[row]);
        // The low bits of a hash have the last ones of its row's number.
        rows[row] = (begin as u16).wrapping_sub((row << COLUMN_BITS) as u16);
        for &(column, value) in &entries[row] {
            let place = begin + column as usize;
            taken.take(place);
            table[place] = value;
        }
    }
    (rows, table)
}

/// Places that are taken, a bit each.
struct Taken(Vec<u64>);

impl Taken {
    fn take(&mut self, place: usize) {
        let bit = 1 << (place % 64);
        assert!(self.0[place / 64] & bit == 0, "the multiplier was chosen so that no two hashes share a place");
        self.0[place / 64] |= bit;
    }

    /// The first place where a row may begin; 64 are looked at at once.
    fn first_fit(&self, entries: &[(u32, u16)]) -> usize {
        let from = |place: usize| {
            let (word, bit) = (place / 64, place % 64);
            self.0[word] >> bit | if bit == 0 { 0 } else { self.0[word + 1] << (64 - bit) }
        };
        (0..1 << 16)
            .step_by(64)
            .find_map(|begin| {
                let taken = entries.iter().fold(0, |taken, &(column, _)| taken | from(begin + column as usize));
                (taken != u64::MAX).then(|| begin + taken.trailing_ones() as usize)
            })
            .expect("the multiplier was chosen so that the rows fit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raichi_core::random::{Rng, index, stream};

    /// Of seven cards, high card first; published numbers.
    const FREQUENCIES: [u64; 9] =
        [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584];

    fn draw(n: usize, rng: &mut impl Rng) -> CardSet {
        let mut cards = CardSet::EMPTY;
        while cards.len() < n {
            cards.insert(Card::from_index(index(rng, N_CARDS)));
        }
        cards
    }

    #[test]
    fn there_are_7462_strengths_in_their_order() {
        let evaluator = Evaluator::get();
        assert_eq!(evaluator.all.len(), usize::from(BEST));
        // Published numbers of classes by category.
        let classes = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10];
        let mut counts = [0; 9];
        for number in 1..=BEST {
            counts[evaluator.category(number) as usize] += 1;
        }
        assert_eq!(counts, classes);
    }

    #[test]
    fn every_set_of_seven_ranks_and_every_flush_is_found() {
        let evaluator = Evaluator::get();
        let sets = rank_sets(7);
        assert_eq!(sets.len(), 49_205);
        for set in &sets {
            let cards = without_flush(set);
            let number = evaluator.evaluate(Hand::EMPTY.with(evaluator.cards(cards)));
            assert_eq!(evaluator.strength(number), strength(cards), "{set:?}");
        }
        for ranks in (0..1u32 << 13).filter(|ranks| (5..=7).contains(&ranks.count_ones())) {
            for suit in 0..4 {
                let mut cards: CardSet =
                    (0..13).filter(|rank| ranks >> rank & 1 == 1).map(|rank| Card::new(rank, suit)).collect();
                for rank in 0..13 {
                    if cards.len() < 7 {
                        cards.insert(Card::new(rank, (suit + 1) % 4));
                    }
                }
                let number = evaluator.evaluate(Hand::EMPTY.with(evaluator.cards(cards)));
                assert_eq!(evaluator.strength(number), strength(cards), "{ranks:b} {suit}");
            }
        }
    }

    #[test]
    fn random_hands_are_as_strong_as_the_plain_form_says() {
        let evaluator = Evaluator::get();
        let mut rng = stream(1, "test", 0);
        for _ in 0..100_000 {
            let cards = draw(7, &mut rng);
            let number = evaluator.evaluate(Hand::EMPTY.with(evaluator.cards(cards)));
            assert_eq!(evaluator.strength(number), strength(cards), "{cards:?}");
            let seven: Vec<Card> = cards.iter().collect();
            assert_eq!(evaluator.evaluate_cards(seven.as_slice().try_into().unwrap()), number, "{cards:?}");
            for n_common in 0..=7 {
                let sum = |cards: &[Card]| evaluator.cards(cards.iter().copied().collect());
                let (common, others) = seven.split_at(n_common);
                let common = evaluator.common(Hand::EMPTY.with(sum(common)), 7 - n_common as u64);
                assert_eq!(common.evaluate(sum(others)), number, "{n_common} of {cards:?} in common");
            }
        }
    }

    #[test]
    #[ignore = "all 133,784,560 hands; part of the nightly run"]
    fn nightly_all_seven_card_hands_fall_into_the_published_categories() {
        let evaluator = Evaluator::get();
        let mut counts = vec![0u64; usize::from(BEST) + 1];
        every_hand(evaluator, &mut |number| counts[usize::from(number)] += 1);
        let mut found = [0; 9];
        for number in 1..=BEST {
            found[evaluator.category(number) as usize] += counts[usize::from(number)];
        }
        assert_eq!((found, counts.iter().sum::<u64>()), (FREQUENCIES, 133_784_560));
        // 4,824 of the 7,462 strengths can be the best of seven cards.
        assert_eq!(counts.iter().filter(|&&count| count > 0).count(), 4824);
    }

    fn every_hand(evaluator: &Evaluator, found: &mut impl FnMut(u16)) {
        fn add(evaluator: &Evaluator, hand: Hand, first: usize, left: usize, found: &mut impl FnMut(u16)) {
            for card in first..=N_CARDS - left {
                let hand = hand.with(evaluator.cards[card]);
                if left == 1 {
                    found(evaluator.evaluate(hand));
                } else {
                    add(evaluator, hand, card + 1, left - 1, found);
                }
            }
        }
        add(evaluator, Hand::EMPTY, 0, 7, found);
    }
}
