//! How good a hand is before the board is complete: its share of the pot against one hand of which nothing is known.

use std::sync::LazyLock;

use raichi_core::random::{FastRng, stream};
use raichi_games::cards::{Card, CardSet, N_CARDS};
use raichi_games::poker::hands::{Strength, strength};

use super::preflop::{N_CLASSES, class};

/// How many pairs of hole cards there are.
pub(super) const N_PAIRS: usize = N_CARDS * (N_CARDS - 1) / 2;

/// All pairs of hole cards.
pub(super) static PAIRS: LazyLock<Vec<CardSet>> = LazyLock::new(|| {
    let of = |high: Card| Card::all().take(high.index()).map(move |low| [low, high].into_iter().collect());
    Card::all().flat_map(of).collect()
});

/// A board, and how hands compare on it.
pub(super) enum Board {
    /// No card lies there.
    Empty,
    /// Three cards or more.
    Cards {
        cards: CardSet,
        /// What hands of which nothing is known make of it, weakest first.
        others: Vec<Strength>,
    },
}

/// So many unknown hands are compared with: a share is right within about 3 %.
const N_OTHERS: usize = 160;

impl Board {
    /// The board with its cards; hands to compare with are drawn.
    pub(super) fn new(cards: CardSet, rng: &mut FastRng) -> Board {
        if cards.is_empty() {
            return Board::Empty;
        }
        let unseen = CardSet::DECK.minus(cards);
        let mut others: Vec<Strength> = (0..N_OTHERS)
            .map(|_| {
                let mut hand = cards;
                hand.insert(unseen.choose(rng));
                while hand.len() < cards.len() + 2 {
                    hand.insert(unseen.choose(rng));
                }
                strength(hand)
            })
            .collect();
        others.sort_unstable();
        Board::Cards { cards, others }
    }

    /// The share of the pot that two hole cards can expect against one unknown hand, from 0 to 1.
    pub(super) fn share(&self, hole: CardSet) -> f32 {
        match self {
            Board::Empty => PREFLOP[class(hole)],
            Board::Cards { cards, others } => {
                let ours = strength(hole.union(*cards));
                let below = others.partition_point(|&other| other < ours);
                let not_above = below + others[below..].partition_point(|&other| other == ours);
                let ahead = (below + not_above) as f32 / (2 * others.len()) as f32;
                // What is ahead now may be behind at the end.
                let (kept, draws) = match cards.len() {
                    3 => (0.80, 2.0),
                    4 => (0.90, 1.0),
                    _ => return ahead,
                };
                let share = 0.5 + kept * (ahead - 0.5);
                share + (1.0 - share) * draws * outs(hole, *cards)
            }
        }
    }
}

/// About the chance to complete a flush or a straight with the next card.
fn outs(hole: CardSet, board: CardSet) -> f32 {
    let all = hole.union(board);
    let flush = (0..4).any(|suit| all.ranks_of(suit).count_ones() == 4 && hole.ranks_of(suit) != 0);
    let ranks = |cards: CardSet| (0..4).fold(0, |ranks, suit| ranks | cards.ranks_of(suit));
    // The ace counts below the two as well.
    let (with, without) = (ranks(all) << 1 | ranks(all) >> 12, ranks(board) << 1 | ranks(board) >> 12);
    let four = |low: u32| {
        let five = 0x1f << low;
        (with & five).count_ones() == 4 && (without & five).count_ones() < 4
    };
    let n_ways = (0..10).filter(|&low| four(low)).count().min(2);
    f32::from(u8::from(flush)) * 0.15 + n_ways as f32 * 0.06
}

/// Shares before the flop, by [`class`]: the mean of so many complete boards each.
static PREFLOP: LazyLock<[f32; N_CLASSES]> = LazyLock::new(|| {
    const N_BOARDS: usize = 800;
    let mut sums = [(0.0, 0); N_CLASSES];
    for &hole in PAIRS.iter() {
        let (share, n) = &mut sums[class(hole)];
        // One pair of each kind stands for all.
        if *n > 0 {
            continue;
        }
        let mut rng = stream(0, "preflop", class(hole) as u64);
        for _ in 0..N_BOARDS {
            let mut left = CardSet::DECK.minus(hole);
            let mut draw = |n: usize| {
                let mut drawn = CardSet::EMPTY;
                while drawn.len() < n {
                    let card = left.choose(&mut rng);
                    left.remove(card);
                    drawn.insert(card);
                }
                drawn
            };
            let (other, board) = (draw(2), draw(5));
            let (ours, others) = (strength(hole.union(board)), strength(other.union(board)));
            *share += match ours.cmp(&others) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            };
            *n += 1;
        }
    }
    sums.map(|(share, n)| share / n.max(1) as f32)
});

/// Works out once what every decision needs.
pub(super) fn warm_up() {
    let _ = PREFLOP[0];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> CardSet {
        text.split(' ').map(|card| Card::parse(card).expect("the test's cards exist")).collect()
    }

    #[test]
    fn every_pair_is_there_once_and_known_shares_are_right() {
        assert_eq!(PAIRS.len(), N_PAIRS);
        assert!(PAIRS.iter().all(|pair| pair.len() == 2));
        // Published shares against a random hand, within three standard errors of the table's.
        for (hole, share) in [("As Ad", 0.852), ("7s 2d", 0.346), ("As Ks", 0.670), ("2c 2d", 0.503), ("Js Tc", 0.554)]
        {
            let ours = Board::Empty.share(cards(hole));
            assert!((ours - share).abs() < 0.055, "{hole}: {ours}, not {share}");
        }
    }

    #[test]
    fn better_hands_and_draws_have_greater_shares() {
        let board = Board::new(cards("9s 8s 2d"), &mut stream(1, "test", 0));
        let share = |hole| board.share(cards(hole));
        let rising = ["4c 3h", "As Kd", "9c 4d", "9c Ad", "2c 2h"];
        assert!(rising.windows(2).all(|pair| share(pair[0]) < share(pair[1])), "{:?}", rising.map(share));
        assert!(share("As 4s") > share("Ac 4c") + 0.1, "four to a flush");
        assert!(share("Tc Jh") > share("Kc Jh"), "four to a straight");
        let river = Board::new(cards("9s 8s 2d 3h 9c"), &mut stream(1, "test", 0));
        assert!(river.share(cards("9d 9h")) > 0.99);
    }
}
