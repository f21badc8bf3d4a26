//! Seven-card hands a second of processor time, in sequence and at random, in one thread:
//! `cargo run --profile figures -p raichi-engines --example poker_hands`.

mod clock;

use std::hint::black_box;

use raichi_core::random::{index, stream};
use raichi_engines::poker::evaluator::{Evaluator, Hand};
use raichi_games::cards::{Card, CardSet, N_CARDS};

use clock::processor_seconds;

fn main() {
    let evaluator = Evaluator::get();
    for _ in 0..3 {
        in_sequence(evaluator);
        at_random(evaluator);
    }
}

/// Every hand once, as seven loops come to them.
fn in_sequence(evaluator: &Evaluator) {
    let cards: [Hand; N_CARDS] = std::array::from_fn(|card| evaluator.card(Card::from_index(card)));
    let begin = processor_seconds();
    let (mut n, mut sum) = (0u64, 0u64);
    for a in 0..N_CARDS {
        for b in a + 1..N_CARDS {
            let two = Hand::EMPTY.with(cards[a]).with(cards[b]);
            for c in b + 1..N_CARDS {
                let three = two.with(cards[c]);
                for d in c + 1..N_CARDS {
                    let four = three.with(cards[d]);
                    for e in d + 1..N_CARDS {
                        let five = four.with(cards[e]);
                        for f in e + 1..N_CARDS {
                            let six = five.with(cards[f]);
                            for &last in &cards[f + 1..] {
                                sum += u64::from(evaluator.evaluate(six.with(last)));
                            }
                            n += (N_CARDS - 1 - f) as u64;
                        }
                    }
                }
            }
        }
    }
    let seconds = processor_seconds() - begin;
    assert_eq!(n, 133_784_560);
    println!("in sequence: {:.0} M hands/s (sum {sum})", n as f64 / seconds / 1e6);
}

/// Four million hands drawn before, as seven cards: seven additions and an evaluation each.
fn at_random(evaluator: &Evaluator) {
    let mut rng = stream(1, "hands", 0);
    let hands: Vec<[u8; 7]> = (0..4_000_000)
        .map(|_| {
            let (mut cards, mut drawn) = ([0; 7], CardSet::EMPTY);
            for card in &mut cards {
                *card = loop {
                    let next = Card::from_index(index(&mut rng, N_CARDS));
                    if !drawn.contains(next) {
                        drawn.insert(next);
                        break next.index() as u8;
                    }
                };
            }
            cards
        })
        .collect();
    let cards: [Hand; N_CARDS] = std::array::from_fn(|card| evaluator.card(Card::from_index(card)));
    let begin = processor_seconds();
    let mut sum = 0u64;
    for _ in 0..10 {
        for hand in black_box(&hands) {
            let hand = hand.iter().fold(Hand::EMPTY, |hand, &card| hand.with(cards[usize::from(card)]));
            sum += u64::from(evaluator.evaluate(hand));
        }
    }
    let seconds = processor_seconds() - begin;
    println!("at random:   {:.0} M hands/s (sum {sum})", 10.0 * hands.len() as f64 / seconds / 1e6);
}
