//! What splitting is worth under best play by the rules of the game, computed once: `worth.txt`, by the example
//! `blackjack_splits`, whose lines are the parameters, the pair's card, the dealer's, the worth and the seconds that it took.

use std::sync::OnceLock;

use raichi_core::erased::create;
use raichi_games::blackjack::Blackjack;

use super::super::house::{House, Splitting};

const CARDS: &str = "A23456789T";

/// By parameters, by pair, by the dealer's card, values from 0 for the ace.
type Known = Vec<(House, [[Option<f64>; 10]; 10])>;

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known = Known::new();
        for line in include_str!("worth.txt").lines() {
            let mut words = line.split(' ');
            let mut next = || words.next().expect("a line has five words");
            let house = House::of(&create::<Blackjack>(Some(next())).expect("the parameters make a game"));
            let [pair, up] = [next(), next()].map(|card| CARDS.find(card).expect("cards are among A23456789T"));
            let worth = next().parse().expect("the worth is a number");
            let house = of_splits(&house);
            let at = known.iter().position(|(other, _)| *other == house).unwrap_or_else(|| {
                known.push((house, [[None; 10]; 10]));
                known.len() - 1
            });
            known[at].1[pair][up] = Some(worth);
        }
        known
    })
}

/// The rules that what a split is worth depends on; others are the game's own.
fn of_splits(house: &House) -> House {
    let own = House::of_the_game(house.decks);
    House { surrender: own.surrender, natural_pays: own.natural_pays, splitting: Splitting::Best, ..*house }
}

/// What splitting this pair is worth.
pub(super) fn best_split(house: &House, pair: usize, up: usize) -> Option<f64> {
    let house = of_splits(house);
    known().iter().find(|(other, _)| *other == house).and_then(|(_, worth)| worth[pair][up])
}

/// Whether [`Splitting::Best`] is known at once for these rules, for every pair.
pub fn best_splits_are_known(house: &House) -> bool {
    (0..10).all(|pair| (0..10).all(|up| best_split(house, pair, up).is_some()))
}

#[cfg(test)]
mod tests {
    use super::super::super::exact::Analysis;
    use super::*;
    use crate::unlimited::unlimited;

    #[test]
    fn what_is_known_is_known_of_every_pair() {
        let decks: Vec<u8> = known().iter().map(|(house, _)| house.decks).collect();
        assert!(decks.is_sorted_by(|one, other| one < other) && decks.contains(&6), "{decks:?}");
        for (house, _) in known() {
            assert!(best_splits_are_known(house) && best_splits_are_known(&House { surrender: false, ..*house }));
            assert!(!best_splits_are_known(&House { hits_soft_17: true, ..*house }));
        }
    }

    /// No fixed strategy is better than the best play, nor much worse: it splits tens again where that is not best.
    #[test]
    fn what_is_known_is_no_less_than_what_one_strategy_wins() {
        for (pair, up) in [(0, 9), (1, 6), (5, 4), (7, 9), (9, 5)] {
            let house = House::of_the_game(1);
            let (best, one) =
                (best_split(&house, pair, up).unwrap(), Analysis::split_at_least(house, pair, up).unwrap());
            assert!((0.0..0.02).contains(&(best - one)), "{pair} {up}: {best} {one}");
        }
    }

    #[test]
    #[ignore = "nightly: seconds each where debug assertions are on"]
    fn nightly_what_is_known_is_found_again() {
        for (decks, pair, up) in [(1, 0, 9), (1, 3, 6), (1, 7, 0), (1, 9, 5), (2, 9, 9), (6, 9, 3)] {
            let house = House::of_the_game(decks);
            let found = unlimited(|work| super::super::best_split(&house, pair, up, work)).unwrap();
            let known = best_split(&house, pair, up).unwrap();
            assert!((found.unwrap() - known).abs() < 1e-12, "{decks} {pair} {up}: {found:?} {known}");
        }
    }
}
