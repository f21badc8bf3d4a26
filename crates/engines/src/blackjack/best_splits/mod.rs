//! The best play of hands of a split from 1 to 8 decks, for a player who sees all cards of all hands.
//!
//! Method: what a hand wins depends on its count and on how the dealer ends. Later hands draw cards of those that are left, any
//! of them as likely as the dealer's, so that they change nothing of what a hand that stands is expected to win. A hand is
//! therefore worth what standing is worth behind the cards that are gone when it stands, and matters to later hands only by the
//! cards that it took. The state of play is the multiset of cards that are gone, what the hand that is played counts, how many
//! hands wait and how many splits are left; values are found backward, from the multisets whose cards count most
//! ([`solving`]). Multisets are numbered among those that count as much ([`multisets`]), so that values stand in arrays, of
//! which only those of the last ten counts are kept; what standing is worth behind all of them comes from one walk over a tree
//! ([`stands`]). As in [`exact`](super::exact), all is expected before the dealer looks for a natural.
//! Promise: the value is best play's among strategies that do not draw to hard 18 and more (to hands that were there before,
//! they may). Such a card costs a hand some tenths of a wager, and what it tells later hands is worth some thousandths. Where
//! memory is short numbers are kept with 24 bits, and the value is right to seven digits.
//! Checked: against a plain recursion over cards in which hands may also draw to 18 and more, and against the game's own rules.

mod family;
mod known;
mod multisets;
mod solving;
mod stands;
mod worths;

use raichi_core::host::{BareHost, CancelFlag};
use raichi_solve::{Unsolved, Work};

pub use self::known::best_splits_are_known;

use self::solving::Table;
use super::exact::max_hands;
use super::house::House;
use super::shoe::Shoe;

/// Hands of a split and what they know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Hands {
    /// The pair's value, from 0 for the ace, and the dealer's card.
    pub(super) pair: usize,
    pub(super) up: usize,
    /// The cards that nobody has seen; the one that lies face down is one of them.
    pub(super) unseen: [u8; 10],
    /// How many of them make a pair with the pair's.
    pub(super) n_same: u8,
    /// The hand that is played, if it has two cards or more.
    pub(super) played: Option<Played>,
    /// How many hands wait for their second card; at least one where none is played.
    pub(super) n_waiting: usize,
    /// How many splits are left to hands that wait.
    pub(super) n_splits: usize,
}

/// A hand of two cards or more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Played {
    pub(super) hard: usize,
    pub(super) has_ace: bool,
}

/// What all hands that are played or wait are expected to win together, in wagers, once the dealer has looked and has no natural,
/// or where it does not look.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Expected {
    /// With the hand that is played standing, drawing a card, doubling; whether it may is not asked here. Where none is
    /// played all three are what the hands that wait are worth.
    pub(super) stand: f64,
    pub(super) hit: f64,
    pub(super) double: f64,
}

/// What these hands are worth under best play.
///
/// # Errors
/// When the time or the memory is too small.
pub(super) fn expected(house: &House, hands: &Hands, work: &Work<'_>) -> Result<Expected, Unsolved> {
    let table = Table::new(house, hands);
    let bytes = |of_one: usize| table.bytes(of_one);
    if bytes(size_of::<f64>()) <= work.memory {
        table.solve::<f64>(work)
    } else if bytes(size_of::<f32>()) <= work.memory {
        table.solve::<f32>(work)
    } else {
        let needed = bytes(size_of::<f32>()).div_ceil(1 << 20);
        let why =
            format!("best play of these hands of a split needs {needed} MiB, and there are {}", work.memory >> 20);
        Err(Unsolved::Unknown(why))
    }
}

/// What splitting a pair is worth against this card of the dealer under best play, in wagers, from a shoe of which nothing else
/// was seen, once the dealer has looked and has no natural, or where it does not look. Values count from 0 for the ace. `None`
/// where splitting is not allowed.
///
/// # Errors
/// When the time or the memory is too small.
pub fn best_split(house: &House, pair: usize, up: usize, work: &Work<'_>) -> Result<Option<f64>, Unsolved> {
    let mut unseen = Shoe::full(house.decks).left.map(|n| n as u8);
    unseen[up] -= 1;
    if house.decks == 0 || house.max_hands < 2 || unseen[pair] < 2 {
        return Ok(None);
    }
    unseen[pair] -= 2;
    let by_rank = pair == 9 && !house.splits_unlike_tens;
    let n_same = if by_rank { 4 * house.decks - 2 } else { unseen[pair] };
    let n_splits = usize::from(max_hands(house, pair)) - 2;
    let hands = Hands { pair, up, unseen, n_same, played: None, n_waiting: 2, n_splits };
    expected(house, &hands, work).map(|expected| Some(expected.stand))
}

/// The same, at once where the program knows it, else in all the time and memory that it takes.
pub(super) fn best_split_of(house: &House, pair: usize, up: usize) -> Option<f64> {
    if let Some(known) = known::best_split(house, pair, up) {
        return Some(known);
    }
    let work = Work {
        deadline: None,
        cancel: &CancelFlag::default(),
        host: &BareHost,
        n_threads: 1,
        memory: usize::MAX,
        folder: None,
        progress: &|_| (),
    };
    best_split(house, pair, up, &work).expect("neither time nor memory is limited")
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::super::dealer::{Draws, stands};
    use super::super::exact::gets_one_card;
    use super::super::shoe::BEST;
    use super::multisets::{Counts, MAX_KINDS, value_of};
    use super::*;
    use crate::unlimited::unlimited;

    /// The same by plain recursion, card by card and with all that the rules allow.
    struct Plainly<'a> {
        house: &'a House,
        hands: &'a Hands,
        draws: Draws,
        known: FxHashMap<(Counts, Hand, usize, usize), f64>,
    }

    /// Hard count, whether it has an ace, whether it has two cards.
    type Hand = (usize, bool, bool);

    impl Plainly<'_> {
        fn shoe(&self, left: &Counts) -> Shoe {
            let mut values: [f64; 10] = std::array::from_fn(|value| f64::from(left[value]));
            values[9] += f64::from(left[10]);
            Shoe { left: values, total: values.iter().sum(), taken: 1.0 }
        }

        fn makes_pair(&self, kind: usize) -> bool {
            if self.hands.pair == 9 && self.hands.n_same < self.hands.unseen[9] {
                kind == 10
            } else {
                kind == self.hands.pair
            }
        }

        fn next(&mut self, left: &Counts, call: &mut dyn FnMut(&mut Self, &Counts, usize) -> f64) -> f64 {
            let total: f64 = left.iter().map(|&n| f64::from(n)).sum();
            let mut mean = 0.0;
            for kind in (0..11).filter(|&kind| left[kind] > 0) {
                let mut fewer = *left;
                fewer[kind] -= 1;
                mean += f64::from(left[kind]) / total * call(self, &fewer, kind);
            }
            mean
        }

        /// What hands are worth that wait.
        fn wait(&mut self, left: &Counts, n_waiting: usize, n_splits: usize) -> f64 {
            if n_waiting == 0 {
                return 0.0;
            }
            let pair = self.hands.pair;
            self.next(left, &mut |this, left, kind| {
                let hand = (pair + 1 + value_of(kind), pair == 0 || kind == 0, true);
                let unsplit = this.play(left, hand, n_waiting - 1, n_splits);
                if n_splits > 0 && this.makes_pair(kind) {
                    unsplit.max(this.wait(left, n_waiting + 1, n_splits - 1))
                } else {
                    unsplit
                }
            })
        }

        fn play(&mut self, left: &Counts, hand: Hand, n_waiting: usize, n_splits: usize) -> f64 {
            let key = (*left, hand, n_waiting, n_splits);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let (hard, ace, two) = hand;
            let count = if ace && hard <= 11 { hard + 10 } else { hard };
            let mut best = self.stand(left, count, 1.0) + self.wait(left, n_waiting, n_splits);
            if count < BEST && !gets_one_card(self.house, self.hands.pair) {
                best = best.max(self.hit(left, hand, n_waiting, n_splits));
                if two && self.house.doubles_splits && self.house.may_double(hard) {
                    best = best.max(self.double(left, hand, n_waiting, n_splits));
                }
            }
            self.known.insert(key, best);
            best
        }

        fn hit(&mut self, left: &Counts, (hard, ace, _): Hand, n_waiting: usize, n_splits: usize) -> f64 {
            self.next(left, &mut |this, left, kind| {
                let hand = (hard + value_of(kind), ace || kind == 0, false);
                if hand.0 > BEST {
                    this.stand(left, hand.0, 1.0) + this.wait(left, n_waiting, n_splits)
                } else {
                    this.play(left, hand, n_waiting, n_splits)
                }
            })
        }

        fn double(&mut self, left: &Counts, (hard, ace, _): Hand, n_waiting: usize, n_splits: usize) -> f64 {
            self.next(left, &mut |this, left, kind| {
                let (hard, ace) = (hard + value_of(kind), ace || kind == 0);
                let count = if ace && hard <= 11 { hard + 10 } else { hard };
                this.stand(left, count, 2.0) + this.wait(left, n_waiting, n_splits)
            })
        }

        fn stand(&mut self, left: &Counts, count: usize, wagers: f64) -> f64 {
            let ends = self.draws.ends(&self.shoe(left));
            let no_natural: f64 = ends.iter().sum();
            let won = if count > BEST { -no_natural } else { stands(&ends, count) };
            wagers * if self.house.peeks { won } else { won - (1.0 - no_natural) }
        }
    }

    fn plainly(house: &House, hands: &Hands) -> Expected {
        let mut left: Counts = [0; MAX_KINDS];
        left[..10].copy_from_slice(&hands.unseen);
        if hands.pair == 9 {
            (left[9], left[10]) = (left[9] - hands.n_same, hands.n_same);
        }
        let draws = Draws::from_up(hands.up, house.hits_soft_17);
        let mut plainly = Plainly { house, hands, draws, known: FxHashMap::default() };
        let none = plainly.draws.ends(&plainly.shoe(&left)).iter().sum::<f64>();
        let none = if house.peeks { none } else { 1.0 };
        let (n_waiting, n_splits) = (hands.n_waiting, hands.n_splits);
        let Some(Played { hard, has_ace }) = hands.played else {
            let worth = plainly.wait(&left, n_waiting, n_splits) / none;
            return Expected { stand: worth, hit: worth, double: worth };
        };
        let hand = (hard, has_ace, true);
        let count = if has_ace && hard <= 11 { hard + 10 } else { hard };
        let stand = plainly.stand(&left, count, 1.0) + plainly.wait(&left, n_waiting, n_splits);
        let hit = plainly.hit(&left, hand, n_waiting, n_splits);
        let double = plainly.double(&left, hand, n_waiting, n_splits);
        Expected { stand: stand / none, hit: hit / none, double: double / none }
    }

    /// After a pair is split from a full shoe.
    fn split(decks: u8, pair: usize, up: usize, n_splits: usize) -> Hands {
        let mut unseen = Shoe::full(decks).left.map(|n| n as u8);
        unseen[up] -= 1;
        unseen[pair] -= 2;
        let n_same = if pair == 9 { 4 * decks - 2 } else { unseen[pair] };
        Hands { pair, up, unseen, n_same, played: None, n_waiting: 2, n_splits }
    }

    fn agree(house: &House, hands: &Hands) {
        let found = unlimited(|work| expected(house, hands, work)).unwrap();
        let plainly = plainly(house, hands);
        let differ = |one: f64, other: f64| (one - other).abs() > 1e-12;
        let differs = differ(found.stand, plainly.stand) || differ(found.hit, plainly.hit);
        assert!(!differs && !differ(found.double, plainly.double), "{hands:?}: {found:?} {plainly:?}");
    }

    #[test]
    fn hands_of_a_split_are_worth_what_card_by_card_they_are() {
        let house = House::of_the_game(1);
        agree(&House { hits_split_aces: false, ..house }, &split(1, 0, 9, 2));
        // A hand that is played, one that stood at hard 18 among them.
        for (hard, has_ace) in [(12, false), (19, false), (17, true)] {
            let played = Some(Played { hard, has_ace });
            agree(&House { peeks: false, ..house }, &Hands { played, n_waiting: 1, ..split(1, 9, 0, 0) });
        }
    }

    #[test]
    #[ignore = "nightly: minutes where debug assertions are on"]
    fn nightly_hands_of_a_split_are_worth_what_card_by_card_they_are() {
        let house = House::of_the_game(1);
        for up in [0, 5, 9] {
            agree(&house, &split(1, 9, up, 1));
        }
        agree(&house, &split(1, 8, 9, 0));
        agree(&House { peeks: false, hits_soft_17: true, ..house }, &split(1, 9, 0, 0));
        for (hard, has_ace) in [(12, false), (7, true)] {
            let played = Some(Played { hard, has_ace });
            agree(&house, &Hands { played, n_waiting: 1, ..split(1, 9, 6, 1) });
        }
    }
}
