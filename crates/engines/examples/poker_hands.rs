//! Seven-card hands a second of processor time, in one thread, in sequence and at random:
//! `cargo run --profile figures -p raichi-engines --example poker_hands`.
//!
//! In sequence twice: by seven loops, and by five loops and a list of the last two cards, as hole cards are added to boards.

mod clock;

use std::hint::black_box;

use raichi_core::random::{index, stream};
use raichi_engines::poker::evaluator::{Common, Evaluator, Hand};
use raichi_games::cards::{Card, CardSet, N_CARDS};

use clock::processor_seconds;

const N_HANDS: u64 = 133_784_560;

fn main() {
    let evaluator = Evaluator::get();
    for _ in 0..3 {
        in_sequence("by seven loops", |cards, sum| by_seven_loops(evaluator, cards, sum));
        in_sequence("by pairs", |cards, sum| by_pairs(evaluator, cards, sum));
        at_random(evaluator);
    }
}

/// Every hand once; `add` adds up the strengths of all of them.
fn in_sequence(how: &str, add: impl Fn(&[Hand; N_CARDS], &mut u64) -> u64) {
    // The four cards of a rank lie together.
    let card = |i: usize| Evaluator::get().card(Card::new((i / 4) as u8, (i % 4) as u8));
    let (cards, mut sum): ([Hand; N_CARDS], u64) = (std::array::from_fn(card), 0);
    let begin = processor_seconds();
    let n = add(&cards, &mut sum);
    let seconds = processor_seconds() - begin;
    assert_eq!((n, sum), (N_HANDS, 450_468_187_308), "every hand once");
    println!("in sequence, {how}: {:.0} M hands/s", n as f64 / seconds / 1e6);
}

/// The hands that `begun` and each of `ends` make: the sum of their strengths.
#[inline(always)]
fn sum_of(begun: Common<'_>, ends: &[Hand]) -> u64 {
    ends.iter().map(|&end| u64::from(begun.evaluate(end))).sum()
}

/// Calls `found` with the sum of each five cards and with where in `cards` those after them begin.
#[inline(always)]
fn each_five(cards: &[Hand; N_CARDS], mut found: impl FnMut(Hand, usize)) {
    for a in 0..N_CARDS {
        for b in a + 1..N_CARDS {
            let two = Hand::EMPTY.with(cards[a]).with(cards[b]);
            for c in b + 1..N_CARDS {
                let three = two.with(cards[c]);
                for d in c + 1..N_CARDS {
                    let four = three.with(cards[d]);
                    for e in d + 1..N_CARDS {
                        found(four.with(cards[e]), e + 1);
                    }
                }
            }
        }
    }
}

fn by_seven_loops(evaluator: &Evaluator, cards: &[Hand; N_CARDS], sum: &mut u64) -> u64 {
    let (mut n, mut all) = (0, 0);
    each_five(cards, |five, rest| {
        for (&f, lasts) in cards[rest..].iter().zip((rest + 1..).map(|from| &cards[from..])) {
            all += sum_of(evaluator.common(five.with(f), 1), lasts);
            n += lasts.len() as u64;
        }
    });
    *sum = all;
    n
}

fn by_pairs(evaluator: &Evaluator, cards: &[Hand; N_CARDS], sum: &mut u64) -> u64 {
    let (mut n, mut pairs, mut first) = (0, Vec::new(), [0; N_CARDS + 1]);
    for f in 0..N_CARDS {
        first[f] = pairs.len();
        pairs.extend(cards[f + 1..].iter().map(|&last| cards[f].with(last)));
    }
    first[N_CARDS] = pairs.len();
    each_five(cards, |five, rest| {
        let pairs = &pairs[first[rest]..];
        *sum += sum_of(evaluator.common(five, 2), pairs);
        n += pairs.len() as u64;
    });
    n
}

/// Four million hands drawn before, as seven cards: seven additions and an evaluation each.
fn at_random(evaluator: &Evaluator) {
    let mut rng = stream(1, "hands", 0);
    let hands: Vec<[Card; 7]> = (0..4_000_000)
        .map(|_| {
            let mut drawn = CardSet::EMPTY;
            std::array::from_fn(|_| {
                loop {
                    let next = Card::from_index(index(&mut rng, N_CARDS));
                    if !drawn.contains(next) {
                        drawn.insert(next);
                        break next;
                    }
                }
            })
        })
        .collect();
    let begin = processor_seconds();
    let once = || black_box(&hands).iter().map(|hand| u64::from(evaluator.evaluate_cards(hand))).sum::<u64>();
    let sum: u64 = (0..10).map(|_| once()).sum();
    let seconds = processor_seconds() - begin;
    println!("at random: {:.0} M hands/s (sum {sum})", 10.0 * hands.len() as f64 / seconds / 1e6);
}
