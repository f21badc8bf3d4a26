//! Card abstraction: which hands are played alike.
//!
//! Before the flop these are the 169 kinds of [`class`]. On a board they are buckets by strength against an unknown hand: on
//! the river by its hand strength (HS: the share of the pot against all hands that the board leaves), on the flop and
//! the turn by the square root of `E[HS²]`, the mean of its square over all boards that may come, which is greater for a
//! draw than for a hand that is as strong now and will stay so (Johanson, *Robust Strategies and Counter-Strategies*, 2007, section
//! 2.5.5). Buckets have the same width, not the same number of hands.
//! Hands that share a card with the one in question are counted among the unknown ones, which is faster and moves a
//! share by little. Sums are whole numbers, so that buckets are the same whatever the order and the names of the suits.

use raichi_games::cards::{Card, CardSet, N_CARDS, SUIT_MAPS};
use rustc_hash::FxHashMap;

use crate::poker::evaluator::{BEST, Evaluator, Hand};
use crate::poker::preflop::{N_CLASSES, class};
use crate::poker::rank::{N_PAIRS, PAIRS};

/// Buckets on the flop, on the turn and on the river.
pub const N_BUCKETS: usize = 64;

/// How many classes of hands a street has; street 0 is before the flop.
pub fn n_buckets(street: usize) -> usize {
    if street == 0 { N_CLASSES } else { N_BUCKETS }
}

/// A pair of hole cards as an index in [`PAIRS`].
pub(super) fn pair_index(hole: CardSet) -> usize {
    let mut cards = hole.iter().map(Card::index);
    let (low, high) = (cards.next().unwrap_or(0), cards.next().unwrap_or(1));
    let (low, high) = (low.min(high), low.max(high));
    high * (high - 1) / 2 + low
}

/// The bucket of two hole cards on a board of none or of three to five cards.
pub fn bucket(board: CardSet, hole: CardSet) -> usize {
    if board.is_empty() {
        return class(hole);
    }
    let mut sum = 0;
    let mut n_boards = 0;
    let strengths = Strengths::new(board);
    complete(board, CardSet::DECK.minus(board).minus(hole), &mut |full| {
        let share = strengths.share_of(full, hole);
        sum += share * share;
        n_boards += 1;
    });
    bucket_of(sum, n_boards)
}

/// The bucket of every pair of hole cards on a board of three to five cards, by the index of the pair; pairs that share a
/// card with the board have none, and 255.
pub fn buckets(board: CardSet) -> Vec<u8> {
    let mut sums = vec![0u64; N_PAIRS];
    let mut strengths = Strengths::new(board);
    complete(board, CardSet::DECK.minus(board), &mut |full| strengths.add_squares(full, &mut sums));
    let left = (N_CARDS - 2 - board.len()) as u64;
    let n_boards = match board.len() {
        3 => left * (left - 1) / 2,
        4 => left,
        _ => 1,
    };
    let mut buckets = vec![u8::MAX; N_PAIRS];
    for held in &strengths.hands {
        buckets[held.pair] = bucket_of(sums[held.pair], n_boards) as u8;
    }
    buckets
}

/// From a sum of squares of shares, in units of the greatest share.
fn bucket_of(sum: u64, n_boards: u64) -> usize {
    let mean_square = sum as f64 / (n_boards * GREATEST * GREATEST) as f64;
    ((mean_square.sqrt() * N_BUCKETS as f64) as usize).min(N_BUCKETS - 1)
}

/// All five cards of boards that begin with `board`, with the others from `left`.
fn complete(board: CardSet, left: CardSet, visit: &mut impl FnMut(CardSet)) {
    let with = |board: CardSet, card: Card| board.union([card].into_iter().collect());
    match 5 - board.len().min(5) {
        0 => visit(board),
        1 => left.iter().for_each(|card| visit(with(board, card))),
        _ => {
            let mut rest = left;
            for card in left.iter() {
                rest.remove(card);
                complete(with(board, card), rest, visit);
            }
        }
    }
}

/// Twice the number of pairs that a complete board leaves.
const GREATEST: u64 = 2 * 1081;

/// A pair that the first cards of a board leave.
struct Held {
    cards: CardSet,
    pair: usize,
    hand: Hand,
}

/// How strong all pairs are on complete boards.
struct Strengths {
    evaluator: &'static Evaluator,
    hands: Vec<Held>,
    /// Of the hands, on one complete board; 0 where they share a card with it.
    numbers: Vec<u16>,
    /// By strength: how many hands, then twice those below and once the equal ones.
    shares: Vec<u16>,
}

impl Strengths {
    fn new(board: CardSet) -> Strengths {
        let evaluator = Evaluator::get();
        let pairs = PAIRS.iter().enumerate().filter(|(_, pair)| pair.minus(board) == **pair);
        let hands: Vec<Held> = pairs.map(|(pair, &cards)| Held { cards, pair, hand: evaluator.cards(cards) }).collect();
        let numbers = vec![0; hands.len()];
        Strengths { evaluator, hands, numbers, shares: vec![0; usize::from(BEST) + 1] }
    }

    /// Twice the hands that two hole cards beat on a complete board, and once those that are as strong, themselves included.
    fn share_of(&self, full: CardSet, hole: CardSet) -> u64 {
        let board = self.evaluator.on_board(full);
        let own = board.evaluate(self.evaluator.cards(hole));
        let share = |held: &Held| {
            let number = board.evaluate(held.hand);
            u64::from(number < own) + u64::from(number <= own)
        };
        self.hands.iter().filter(|held| held.cards.minus(full) == held.cards).map(share).sum()
    }

    /// Adds the square of each hand's share on a complete board.
    fn add_squares(&mut self, full: CardSet, sums: &mut [u64]) {
        let board = self.evaluator.on_board(full);
        self.shares.fill(0);
        for (number, held) in self.numbers.iter_mut().zip(&self.hands) {
            *number = 0;
            if held.cards.minus(full) == held.cards {
                *number = board.evaluate(held.hand);
                self.shares[usize::from(*number)] += 1;
            }
        }
        let mut below = 0;
        for share in &mut self.shares {
            let equal = *share;
            *share = 2 * below + equal;
            below += equal;
        }
        for (&number, held) in self.numbers.iter().zip(&self.hands) {
            if number > 0 {
                let share = u64::from(self.shares[usize::from(number)]);
                sums[held.pair] += share * share;
            }
        }
    }
}

/// The buckets of flops, each worked out when it is first asked for; flops that differ by an exchange of suits share them, so
/// that there are 1,755.
#[derive(Default)]
pub struct Flops(FxHashMap<CardSet, Vec<u8>>);

impl Flops {
    /// None yet.
    pub fn new() -> Flops {
        Flops::default()
    }

    /// Buckets by the index of the pair after the exchange of suits that is returned with them.
    pub(super) fn buckets(&mut self, flop: CardSet) -> (&[u8], [u8; 4]) {
        let (canonical, map) = canonical(flop);
        (self.0.entry(canonical).or_insert_with(|| buckets(canonical)), map)
    }
}

/// The one of all boards alike that stands for them, and the exchange of suits that leads there.
fn canonical(board: CardSet) -> (CardSet, [u8; 4]) {
    let images = SUIT_MAPS.iter().map(|&map| (board.with_suits(map), map));
    let key = |image: CardSet| [0, 1, 2, 3].map(|suit| image.ranks_of(suit));
    images.max_by_key(|&(image, _)| key(image)).expect("there are 24 exchanges")
}
