//! Blackjack: the exact expectation of every action, by the cards of the hand.
//!
//! Method: backward over all hands (multisets of cards that count up to 21), each standing on the dealer's exact ends from
//! the shoe without its cards ([`dealer`](super::dealer), for all hands at once in [`gone`](super::gone)). All is expected before the dealer looks for a natural: a card that
//! is drawn is then any card that is left, in whichever order they are looked at, and only what is won where the dealer has
//! no natural is counted; divided by how likely that is, it is what the hand is worth once the dealer has looked.
//! Where the dealer does not look (`peeks`), a natural of the dealer is one more of its ends, which takes every wager.
//! Splits: a pair that is split is split as often as it may be; hands after a split are played as [`Splitting`] says. They
//! are all alike, so that one counts as often as there are hands, and what it knows of the others is how many cards of the
//! pair they drew and how many that are none: E(X) = P(pair) E(X | pair) + P(no pair) E(X | no pair), solved for the last,
//! turns these into means over all cards with so many of the pair gone.
//! With every card put back the strategy is best, and a pair is split again only where that is best.
//! Promise: the values of stand, hit and double are best play's; that of split is best play's with every card put back. With
//! one strategy for all hands ([`Splitting::One`]) it is exactly what that strategy is worth, a lower bound of best play's.
//! By best play of all hands ([`Splitting::Best`]) it is that, from [`best_splits`](super::best_splits).
//! By pairs it is what E. Farmer's program says, which takes the best hand by hand for each number of the pair gone: not
//! quite any one strategy's value.
//! Checked: against a plain walk through all draws, and the published figures of E. Farmer's program for six rule sets.

use super::best_splits::best_split_of;
use super::dealer::{Draws, N_ENDS, stands};
use super::gone::Gone;
use super::house::{House, Splitting};
use super::shoe::{BEST, BUST, Hand, Shoe, all_hands};

/// What is expected of a hand of two cards or more, in wagers, when it is played: the dealer has looked and has no natural, or
/// does not look.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// Drawing no more.
    pub stand: f64,
    /// Drawing a card and then standing or drawing as is best.
    pub hit: f64,
    /// One card for twice the wager. Whether the house allows it is not asked here.
    pub double: f64,
    /// Splitting; `None` where the hand is no pair or the house allows none.
    pub split: Option<f64>,
    /// Giving up.
    pub surrender: f64,
}

/// The expectation of a rule set.
pub struct Analysis {
    house: House,
    hands: Vec<Hand>,
    ups: Vec<Up>,
    /// What a round is expected to win, in wagers.
    pub round: f64,
    /// The same by the dealer's card that lies face up, the ace first.
    pub by_up: [f64; 10],
}

/// What hands are worth against one card that lies face up, before the dealer has looked for a natural, if it looks.
struct Up {
    value: usize,
    /// The cards without that one.
    shoe: Shoe,
    draws: Draws,
    /// Whether the dealer looks for a natural.
    peeks: bool,
    ends: Vec<Option<[f64; N_ENDS]>>,
    stand: Vec<f64>,
    hit: Vec<f64>,
    /// By value of the pair's cards.
    split: [Option<f64>; 10],
    /// The same without splitting again, as the hands of a split are worth, with every card put back.
    half: [Option<Half>; 10],
}

/// A hand of a split with every card put back.
#[derive(Clone, Copy)]
struct Half {
    /// How likely its second card makes a pair again.
    pair: f64,
    /// What it is worth with another card, and with a pair that is not split.
    other: f64,
    unsplit: f64,
}

impl Analysis {
    /// Everything about a rule set.
    pub fn new(house: House) -> Analysis {
        let hands = all_hands();
        let behind = Behind::new(&house, &hands);
        let ups = (0..10).map(|value| Up::new(&house, &hands, &behind, value, 0..10)).collect();
        let mut analysis = Analysis { house, hands, ups, round: 0.0, by_up: [0.0; 10] };
        let full = Shoe::full(house.decks);
        analysis.by_up = std::array::from_fn(|up| analysis.round_against(up));
        analysis.round = (0..10).map(|up| full.chance(up) * analysis.by_up[up]).sum();
        analysis
    }

    /// The rules.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// What a hand of these cards is worth against the dealer's card `up`, by numbers of cards of each value from the ace;
    /// `None` where it is lost. `up` counts from 0 for the ace.
    pub fn worth(&self, cards: &[u8; 10], up: usize) -> Option<Worth> {
        let number = self.number(cards)?;
        let up = &self.ups[up];
        let played = up.played(&self.hands[number].cards, 0, 0);
        let pair = cards.iter().position(|&n| n == 2).filter(|_| self.hands[number].n_cards == 2);
        Some(Worth {
            stand: up.stand(&self.hands, number) / played,
            hit: up.hit[number] / played,
            double: up.double(&self.hands, number) / played,
            split: pair.and_then(|pair| up.split[pair]).map(|split| split / played),
            surrender: -0.5,
        })
    }

    /// What splitting a pair is worth at least, once the dealer has looked and has no natural: what one strategy for all hands
    /// after it wins, whatever `house.splitting` is. `None` where it is not allowed.
    pub fn split_at_least(house: House, pair: usize, up: usize) -> Option<f64> {
        let house = House { splitting: Splitting::One, ..house };
        let hands = all_hands();
        let behind = Behind::new(&house, &hands);
        let up = Up::new(&house, &hands, &behind, up, pair..pair + 1);
        let mut cards = [0; 10];
        cards[pair] = 2;
        Some(up.split[pair]? / up.played(&cards, 0, 0))
    }

    /// What the best action is worth, of those that the house allows with two cards.
    pub fn best(&self, cards: &[u8; 10], up: usize) -> Option<f64> {
        let number = self.number(cards)?;
        let worth = self.worth(cards, up)?;
        Some(self.best_of(&worth, &self.hands[number], true))
    }

    fn best_of(&self, worth: &Worth, hand: &Hand, splits: bool) -> f64 {
        let mut best = worth.stand;
        if hand.count() < BEST {
            best = best.max(worth.hit);
            if self.house.may_double(hand.hard.into()) {
                best = best.max(worth.double);
            }
        }
        if self.house.surrender {
            best = best.max(worth.surrender);
        }
        worth.split.filter(|_| splits).map_or(best, |split| best.max(split))
    }

    fn number(&self, cards: &[u8; 10]) -> Option<usize> {
        let mut number = 0;
        for (value, &n) in cards.iter().enumerate() {
            for _ in 0..n {
                number = usize::from(Some(self.hands[number].with[value]).filter(|&with| with != BUST)?);
            }
        }
        Some(number)
    }

    /// What a round is worth when the dealer's first card is known.
    fn round_against(&self, up: usize) -> f64 {
        let shoe = self.ups[up].shoe;
        let mut worth = 0.0;
        for one in 0..10 {
            for other in 0..10 {
                let likely = shoe.chance(one) * shoe.without(one, 1).chance(other);
                if likely > 0.0 {
                    worth += likely * self.dealt(one, other, up);
                }
            }
        }
        worth
    }

    /// What two cards are worth before the dealer has looked for a natural.
    pub fn dealt(&self, one: usize, other: usize, up: usize) -> f64 {
        let mut cards = [0; 10];
        cards[one] += 1;
        cards[other] += 1;
        let no_natural = self.ups[up].no_natural(&cards, 0, 0);
        if one + other == 9 && (one == 0 || other == 0) {
            return self.house.natural_pays * no_natural;
        }
        let (best, played) =
            (self.best(&cards, up).expect("two cards are not lost"), self.ups[up].played(&cards, 0, 0));
        played * best - (1.0 - played)
    }

    /// How often these two cards are dealt and played, as a weight among all that are.
    pub(super) fn often(&self, one: usize, other: usize, up: usize) -> f64 {
        let (mut cards, shoe) = ([0; 10], self.ups[up].shoe);
        cards[one] += 1;
        cards[other] += 1;
        shoe.chance(one) * shoe.without(one, 1).chance(other) * self.ups[up].played(&cards, 0, 0)
    }

    /// What hands of a split are worth together, with every card put back: so many that wait for their second card, while
    /// so many splits are left. `None` where cards are not put back or the house allows no splits.
    pub fn halves(&self, pair: usize, up: usize, n_hands: usize, n_splits: usize) -> Option<f64> {
        let half = self.ups[up].half[pair]?;
        Some(halves(&half, n_hands, n_splits) / self.ups[up].played(&[0; 10], 0, 0))
    }

    /// What a hand that stands on this count is worth, with every card put back.
    pub fn stands_on(&self, count: usize, up: usize) -> f64 {
        let up = &self.ups[up];
        if count > BEST { -1.0 } else { up.won(&up.draws.ends(&up.shoe), count) / up.played(&[0; 10], 0, 0) }
    }
}

impl Up {
    /// The worth of splitting is found for these pairs.
    fn new(house: &House, hands: &[Hand], behind: &Behind, value: usize, pairs: std::ops::Range<usize>) -> Up {
        let shoe = Shoe::full(house.decks).without(value, 1);
        let draws = Draws::from_up(value, house.hits_soft_17);
        let ends = draws.ends_behind(&behind.gone, &shoe);
        let mut up = Up {
            value,
            shoe,
            draws,
            peeks: house.peeks,
            ends: behind.hands.iter().map(|number| number.map(|number| ends[number as usize])).collect(),
            stand: vec![0.0; hands.len()],
            hit: vec![0.0; hands.len()],
            split: [None; 10],
            half: [None; 10],
        };
        for number in (0..hands.len()).rev() {
            if up.is_possible(&hands[number]) {
                up.value_hand(hands, number);
            }
        }
        if house.max_hands > 1 {
            for pair in pairs.filter(|&pair| shoe.left[pair] >= 2.0) {
                up.value_split(house, hands, behind, &ends, pair);
            }
        }
        up
    }

    /// Whether the shoe has the cards.
    fn is_possible(&self, hand: &Hand) -> bool {
        hand.cards.iter().zip(&self.shoe.left).all(|(&n, &left)| self.shoe.taken * f64::from(n) <= left)
    }

    /// How likely the dealer has no natural, when these cards and so many more of a value are gone.
    #[inline]
    fn no_natural(&self, cards: &[u8; 10], value: usize, n: u8) -> f64 {
        let needed = match self.value {
            0 => 9,
            9 => 0,
            _ => return 1.0,
        };
        let gone = cards[needed] + if needed == value { n } else { 0 };
        let n_gone = cards.iter().sum::<u8>() + n;
        let left = self.shoe.left[needed] - self.shoe.taken * f64::from(gone);
        1.0 - left / (self.shoe.total - self.shoe.taken * f64::from(n_gone))
    }

    /// How likely hands are played on when these cards and so many more of a value are gone: always where the dealer does not
    /// look, else where it has no natural.
    #[inline]
    fn played(&self, cards: &[u8; 10], value: usize, n: u8) -> f64 {
        if self.peeks { self.no_natural(cards, value, n) } else { 1.0 }
    }

    /// What a hand that counts so much wins in all these ends; what is missing from them are naturals.
    #[inline]
    fn won(&self, ends: &[f64; N_ENDS], count: usize) -> f64 {
        let naturals = if self.peeks { 0.0 } else { 1.0 - ends.iter().sum::<f64>() };
        stands(ends, count) - naturals
    }

    /// Fills in what a hand is worth; those with a card more are known.
    fn value_hand(&mut self, hands: &[Hand], number: usize) {
        let hand = &hands[number];
        if let Some(ends) = &self.ends[number] {
            self.stand[number] = self.won(ends, hand.count());
        }
        self.hit[number] = self.next(hands, number, |up, next| up.best(hands, next));
    }

    /// Standing or drawing, as is better.
    fn best(&self, hands: &[Hand], number: usize) -> f64 {
        let hand = &hands[number];
        if hand.count() == BEST {
            self.stand[number]
        } else if hand.always_hits() {
            self.hit[number]
        } else {
            self.stand[number].max(self.hit[number])
        }
    }

    /// The mean over the next card.
    fn next(&self, hands: &[Hand], number: usize, worth: impl Fn(&Up, usize) -> f64) -> f64 {
        let hand = &hands[number];
        let shoe = self.shoe.without_all(&hand.cards);
        let mut mean = 0.0;
        for value in (0..10).filter(|&value| shoe.left[value] > 0.0) {
            let next = hand.with[value];
            let worth = if next == BUST { -self.played(&hand.cards, value, 1) } else { worth(self, next.into()) };
            mean += shoe.left[value] * worth;
        }
        mean / shoe.total
    }

    /// What standing is worth; of hands that always hit it is not kept.
    fn stand(&self, hands: &[Hand], number: usize) -> f64 {
        let hand = &hands[number];
        let ends = || self.draws.ends(&self.shoe.without_all(&hand.cards));
        self.won(&self.ends[number].unwrap_or_else(ends), hand.count())
    }

    fn double(&self, hands: &[Hand], number: usize) -> f64 {
        2.0 * self.next(hands, number, |up, next| up.stand(hands, next))
    }

    /// Fills in what splitting this pair is worth.
    fn value_split(&mut self, house: &House, hands: &[Hand], behind: &Behind, ends: &[[f64; N_ENDS]], pair: usize) {
        if house.splitting == Splitting::Best && self.shoe.taken > 0.0 {
            let mut cards = [0; 10];
            cards[pair] = 2;
            let worth = best_split_of(house, pair, self.value);
            self.split[pair] = worth.map(|worth| worth * self.played(&cards, 0, 0));
            return;
        }
        let n_splits = usize::from(max_hands(house, pair)) - 2;
        let mut split = Split::new(self, house, hands, behind, ends, pair);
        let weights = split.value(2, n_splits, 0, 0);
        let means = split.play(&weights);
        let value = if split.up.shoe.taken == 0.0 {
            let [_, other, unsplit] = means.map(|mean| mean[0]);
            let half = Half { pair: split.chance(0, 0), other, unsplit };
            self.half[pair] = Some(half);
            halves(&half, 2, n_splits)
        } else {
            (0..N_GONE).map(|n| weights[ANY][n] * means[ANY][n] + weights[NO_PAIR][n] * means[NO_PAIR][n]).sum()
        };
        self.split[pair] = Some(value);
    }

    /// The mean over the next card, by how many more of the pair are gone. Where the shoe has not so many, the number means
    /// nothing; nothing leads there.
    fn next_without(&self, hand: &Hand, pair: usize, worth: &[ByGone]) -> ByGone {
        let shoe = self.shoe.without_all(&hand.cards).without(pair, 1);
        let more: ByGone = std::array::from_fn(|n| shoe.taken * n as f64);
        let mut mean = [0.0; N_GONE];
        for value in 0..10 {
            let left = shoe.left[value].max(0.0);
            let mut left_by_gone = [left; N_GONE];
            if value == pair {
                left_by_gone = more.map(|more| (left - more).max(0.0));
            }
            let next = hand.with[value];
            let lost: ByGone;
            let worth = if next == BUST {
                let mut cards = hand.cards;
                cards[value] += 1;
                lost = std::array::from_fn(|n| -self.played(&cards, pair, 1 + n as u8));
                &lost
            } else {
                &worth[usize::from(next)]
            };
            (0..N_GONE).for_each(|n| mean[n] += left_by_gone[n] * worth[n]);
        }
        std::array::from_fn(|n| mean[n] / (shoe.total - more[n]))
    }
}

/// What so many hands of a split are worth that wait for their second card, while so many splits are left, when every card
/// is put back.
fn halves(half: &Half, n_hands: usize, n_splits: usize) -> f64 {
    if n_hands == 0 {
        return 0.0;
    }
    let rest = halves(half, n_hands - 1, n_splits);
    let unsplit = half.unsplit + rest;
    let pair = if n_splits == 0 { unsplit } else { unsplit.max(halves(half, n_hands + 1, n_splits - 1)) };
    half.pair * pair + (1.0 - half.pair) * (half.other + rest)
}

/// The most hands that are known to come of one.
const MAX_HANDS: u8 = 4;
/// Of the pair's value, beyond the two, so many may be known to be gone: two that were split, and two more that others may
/// have been.
const N_GONE: usize = 5;
const ANY: usize = 0;
const NO_PAIR: usize = 1;
/// By how many are gone.
type ByGone = [f64; N_GONE];

/// The most hands that splits make of this pair.
pub(super) fn max_hands(house: &House, pair: usize) -> u8 {
    if pair == 0 && !house.resplits_aces { house.max_hands.min(2) } else { house.max_hands.min(MAX_HANDS) }
}

/// Whether hands of this split get one card each.
pub(super) fn gets_one_card(house: &House, pair: usize) -> bool {
    pair == 0 && !house.hits_split_aces
}

/// The hands of a split of this pair: they have a card of it, and one more at least.
fn hands_of(house: &House, hands: &[Hand], pair: usize) -> Vec<usize> {
    let most = if gets_one_card(house, pair) { 2 } else { u8::MAX };
    (0..hands.len())
        .filter(|&number| hands[number].cards[pair] > 0 && (2..=most).contains(&hands[number].n_cards))
        .collect()
}

/// Whether what standing is worth is asked of every such hand. A double of a hand that always hits may end with one more
/// card in another that does.
fn may_stand(hand: &Hand) -> bool {
    !hand.always_hits() || hand.n_cards == 3
}

/// The cards that are gone when the dealer draws: those of a hand, or of a hand of a split and some of the pair.
struct Behind {
    gone: Gone,
    /// Numbers in `gone`, by hand.
    hands: Vec<Option<u32>>,
    /// By pair: its hands.
    of_pairs: [Vec<usize>; 10],
    /// By pair, by place among its hands, by how many are gone.
    splits: [Vec<[Option<u32>; N_GONE]>; 10],
}

impl Behind {
    fn new(house: &House, hands: &[Hand]) -> Behind {
        // Where every card is put back nothing is ever gone.
        let gone = |hand: &Hand, pair: usize, n: usize| {
            let mut cards = hand.cards;
            cards[pair] += n as u8;
            if house.decks == 0 { [0; 10] } else { cards }
        };
        let of_hand = |hand: &Hand| may_stand(hand).then(|| gone(hand, 0, 0));
        let of_split = |hand: &Hand, pair: usize| -> [Option<[u8; 10]>; N_GONE] {
            let n_gone = if max_hands(house, pair) > 2 { N_GONE } else { 1 };
            let is_asked = may_stand(hand) || gets_one_card(house, pair);
            std::array::from_fn(|n| (is_asked && n < n_gone).then(|| gone(hand, pair, 1 + n)))
        };
        let of_pairs =
            std::array::from_fn(|pair| if house.max_hands > 1 { hands_of(house, hands, pair) } else { Vec::new() });
        let all_splits: [Vec<[Option<[u8; 10]>; N_GONE]>; 10] = std::array::from_fn(|pair| {
            let of_pair: &[usize] = &of_pairs[pair];
            of_pair.iter().map(|&number| of_split(&hands[number], pair)).collect()
        });
        let splits = all_splits.iter().flatten().flatten().flatten().copied();
        let all = Gone::new(hands.iter().filter_map(of_hand).chain(splits));
        let number = |cards: Option<[u8; 10]>| cards.and_then(|cards| all.number(&cards));
        let hands = hands.iter().map(|hand| number(of_hand(hand))).collect();
        let splits = all_splits.map(|of_pair| of_pair.into_iter().map(|cards| cards.map(number)).collect());
        Behind { gone: all, hands, of_pairs, splits }
    }
}

/// What is done with a hand of a split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Play {
    Stand,
    Hit,
    Double,
}

/// The hands of a split, before the dealer has looked for a natural.
struct Split<'a> {
    up: &'a Up,
    house: &'a House,
    hands: &'a [Hand],
    pair: usize,
    /// How the dealer ends, by number in `gone`, and these numbers by place in `of_pair`.
    ends: &'a [[f64; N_ENDS]],
    gone: &'a [[Option<u32>; N_GONE]],
    /// How many cards make a pair with the pair's, once its two are gone.
    n_same: f64,
    /// How many cards are left then.
    n_left: f64,
    of_pair: &'a [usize],
    /// What standing is worth, by hand, and doubling, by hand of two cards.
    stand: Vec<ByGone>,
    double: Vec<(usize, ByGone)>,
}

impl<'a> Split<'a> {
    fn new(
        up: &'a Up,
        house: &'a House,
        hands: &'a [Hand],
        behind: &'a Behind,
        ends: &'a [[f64; N_ENDS]],
        pair: usize,
    ) -> Split<'a> {
        let left = up.shoe.without(pair, 2);
        // Where only two cards of one rank are a pair: the dealer's card is of another rank.
        let by_rank = pair == 9 && !house.splits_unlike_tens;
        let n_same = if by_rank { 4.0 * f64::from(house.decks.max(1)) - 2.0 * left.taken } else { left.left[pair] };
        Split {
            up,
            house,
            hands,
            pair,
            ends,
            gone: &behind.splits[pair],
            n_same,
            n_left: left.total,
            of_pair: &behind.of_pairs[pair],
            stand: vec![[0.0; N_GONE]; hands.len()],
            double: Vec::new(),
        }
    }

    /// How likely the next card is one of the pair, when so many of the pair and so many others are gone.
    fn chance(&self, n_pairs: usize, n_others: usize) -> f64 {
        let taken = self.up.shoe.taken;
        let same = (self.n_same - taken * n_pairs as f64).max(0.0);
        same / (self.n_left - taken * (n_pairs + n_others) as f64)
    }

    /// What all hands are worth together, as weights of what a hand is worth with any second card and with one that makes
    /// no pair: so many hands wait for their second card, while so many splits are left; so many cards of the pair were
    /// drawn, and others by the hands that wait no more.
    fn value(&self, n_hands: usize, n_splits: usize, n_pairs: usize, n_others: usize) -> [ByGone; 2] {
        if n_hands == 0 || n_splits == 0 {
            let mut sum = [[0.0; N_GONE]; 2];
            if n_hands > 0 {
                self.add_mean(&mut sum[ANY], n_hands as f64, ANY, n_pairs, n_others);
            }
            if n_others > 0 {
                self.add_mean(&mut sum[NO_PAIR], n_others as f64, NO_PAIR, n_pairs, n_others - 1);
            }
            return sum;
        }
        let chance = self.chance(n_pairs, n_others);
        let pair = self.value(n_hands + 1, n_splits - 1, n_pairs + 1, n_others);
        let other = self.value(n_hands - 1, n_splits, n_pairs, n_others + 1);
        let mix = |which: usize, n: usize| chance * pair[which][n] + (1.0 - chance) * other[which][n];
        [ANY, NO_PAIR].map(|which| std::array::from_fn(|n| mix(which, n)))
    }

    /// Adds so many times the mean of a hand when so many of the pair and so many others, not this hand's, are known to be
    /// gone: one such card after the other is taken out of the mean over all.
    fn add_mean(&self, sum: &mut ByGone, times: f64, which: usize, n_pairs: usize, n_others: usize) {
        if n_others == 0 {
            sum[n_pairs] += times;
            return;
        }
        // A hand whose second card makes no pair has itself taken one of the others.
        let chance = self.chance(n_pairs, n_others - 1 + which);
        self.add_mean(sum, times / (1.0 - chance), which, n_pairs, n_others - 1);
        if chance > 0.0 {
            self.add_mean(sum, -times * chance / (1.0 - chance), which, n_pairs + 1, n_others - 1);
        }
    }

    /// Finds how the hands are best played when all hands of these weights are played alike; returns what a hand is then
    /// worth, with any second card, with one that makes no pair and with one that makes a pair that is not split.
    fn play(&mut self, weights: &[ByGone; 2]) -> [ByGone; 3] {
        let is_asked = |n: &usize| *n == 0 || weights.iter().any(|weights| weights[*n] != 0.0);
        let gone: Vec<usize> = (0..N_GONE).filter(is_asked).filter(|&n| self.has_left(n)).collect();
        self.value_stands();
        // How often each number of cards is gone when a hand is met depends on how the hands before it are played.
        let mut met = Vec::new();
        let mut plan = Vec::new();
        loop {
            let (better, worth) = self.best(&met);
            let is_settled = better == plan;
            plan = better;
            let needs_no_turns = self.house.splitting == Splitting::ByPairs || self.up.shoe.taken == 0.0;
            if is_settled || needs_no_turns {
                return self.means(&worth, &gone);
            }
            met = self.met(&plan, weights, &gone);
        }
    }

    /// Whether the shoe has so many cards of the pair beyond the two.
    fn has_left(&self, n: usize) -> bool {
        self.up.shoe.left[self.pair] >= self.up.shoe.taken * (2 + n) as f64
    }

    fn plays_on(&self, number: usize) -> bool {
        self.hands[number].count() < BEST && !gets_one_card(self.house, self.pair)
    }

    /// Fills in what standing and doubling is worth; hands of more cards come first.
    fn value_stands(&mut self) {
        let hands = self.hands;
        for (&number, gone) in self.of_pair.iter().zip(self.gone).rev() {
            let hand = &hands[number];
            for (n, gone) in gone.iter().enumerate() {
                if let Some(gone) = *gone {
                    self.stand[number][n] = self.up.won(&self.ends[gone as usize], hand.count());
                }
            }
            let may_double = self.house.doubles_splits && self.house.may_double(hand.hard.into());
            if self.plays_on(number) && hand.n_cards == 2 && may_double {
                let worth = self.up.next_without(hand, self.pair, &self.stand).map(|worth| 2.0 * worth);
                self.double.push((number, worth));
            }
        }
    }

    /// How each hand is best played, and what it is then worth.
    fn best(&self, met: &[ByGone]) -> (Vec<Play>, Vec<ByGone>) {
        let hands = self.hands;
        let mut plan = vec![Play::Stand; hands.len()];
        let mut worth = vec![[0.0; N_GONE]; hands.len()];
        for &number in self.of_pair.iter().rev() {
            worth[number] = self.stand[number];
            if !self.plays_on(number) {
                continue;
            }
            let hit = self.up.next_without(&hands[number], self.pair, &worth);
            if self.house.splitting == Splitting::ByPairs {
                worth[number] = std::array::from_fn(|n| self.best_of_hand(number, n, hit[n]));
                continue;
            }
            // At first nothing is known of it.
            let met = met.get(number).filter(|met| met.iter().any(|&met| met != 0.0));
            let often = |n: usize| met.map_or(f64::from(u8::from(n == 0)), |met| met[n]);
            let sum = |by_gone: &ByGone| (0..N_GONE).map(|n| often(n) * by_gone[n]).sum::<f64>();
            if hands[number].always_hits() || sum(&hit) > sum(&worth[number]) {
                (plan[number], worth[number]) = (Play::Hit, hit);
            }
            if let Some(double) = self.double_of(number).filter(|&double| sum(double) > sum(&worth[number])) {
                (plan[number], worth[number]) = (Play::Double, *double);
            }
        }
        (plan, worth)
    }

    /// What doubling is worth, where it is allowed: with two cards only.
    fn double_of(&self, number: usize) -> Option<&ByGone> {
        let has_two = self.hands[number].n_cards == 2;
        self.double.iter().filter(|_| has_two).find(|&&(other, _)| other == number).map(|(_, worth)| worth)
    }

    /// What a hand is worth that is played as is best when so many are gone.
    fn best_of_hand(&self, number: usize, n: usize, hit: f64) -> f64 {
        let stand = if self.hands[number].always_hits() { hit } else { self.stand[number][n] };
        let double = self.double_of(number).map_or(stand, |double| double[n]);
        hit.max(stand).max(double)
    }

    /// How often each hand is met, by how many are gone.
    fn met(&self, plan: &[Play], weights: &[ByGone; 2], gone: &[usize]) -> Vec<ByGone> {
        let mut met = vec![[0.0; N_GONE]; self.hands.len()];
        let first = &self.hands[usize::from(self.hands[0].with[self.pair])];
        for &n in gone {
            for (value, chances) in (0..10).zip(self.second_cards(n)) {
                met[usize::from(first.with[value])][n] +=
                    weights[ANY][n] * chances[ANY] + weights[NO_PAIR][n] * chances[NO_PAIR];
            }
        }
        for &number in self.of_pair.iter().filter(|&&number| plan[number] == Play::Hit) {
            let hand = &self.hands[number];
            for &n in gone {
                let often = met[number][n];
                if often == 0.0 {
                    continue;
                }
                let shoe = self.up.shoe.without_all(&hand.cards).without(self.pair, 1 + n as u8);
                for value in (0..10).filter(|&value| hand.with[value] != BUST && shoe.left[value] > 0.0) {
                    met[usize::from(hand.with[value])][n] += often * shoe.chance(value);
                }
            }
        }
        met
    }

    /// How likely each second card is, of all and of those that make no pair, when so many are gone.
    fn second_cards(&self, n: usize) -> [[f64; 2]; 10] {
        let shoe = self.up.shoe.without(self.pair, 2 + n as u8);
        let same = (self.n_same - self.up.shoe.taken * n as f64).max(0.0);
        std::array::from_fn(|value| {
            let others = if value == self.pair { shoe.left[value] - same } else { shoe.left[value] };
            [shoe.left[value] / shoe.total, others / (shoe.total - same)]
        })
    }

    fn means(&self, worth: &[ByGone], gone: &[usize]) -> [ByGone; 3] {
        let first = &self.hands[usize::from(self.hands[0].with[self.pair])];
        let mut means = [[0.0; N_GONE]; 3];
        for &n in gone {
            for (value, chances) in (0..10).zip(self.second_cards(n)) {
                let worth = worth[usize::from(first.with[value])][n];
                means[ANY][n] += chances[ANY] * worth;
                means[NO_PAIR][n] += chances[NO_PAIR] * worth;
            }
            means[2][n] = worth[usize::from(first.with[self.pair])][n];
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One deck, standing on all 17s, no doubling after a split, one split.
    fn single_deck() -> House {
        House { max_hands: 2, doubles_splits: false, ..House::usual(1) }
    }

    fn percent(house: House) -> f64 {
        100.0 * Analysis::new(house).round
    }

    fn agree(houses: &[(House, f64)]) {
        for &(house, others) in houses {
            let value = percent(house);
            assert!((value - others).abs() < 6e-7, "{value} {others}: {house:?}");
        }
    }

    #[test]
    fn a_round_is_worth_what_another_program_says() {
        agree(&[(House { max_hands: 4, ..single_deck() }, 0.041_897)]);
    }

    #[test]
    #[ignore = "nightly: a rule set takes a second where debug assertions are on"]
    fn nightly_rounds_are_worth_what_another_program_says() {
        let eight = House { hits_soft_17: true, ..House::usual(8) };
        agree(&[
            (single_deck(), 0.024_791),
            (House { doubles_splits: true, ..single_deck() }, 0.154_063),
            (House::usual(6), -0.402_862),
            (eight, -0.644_554),
            (House { surrender: true, ..eight }, -0.553_002),
        ]);
    }

    /// To all digits of docs/truths.md.
    fn are_the_figures_of_the_documents(houses: &[(House, f64)]) {
        for &(house, figure) in houses {
            let value = percent(house);
            assert!((value - figure).abs() < 6e-10, "{value} {figure}: {house:?}");
        }
    }

    #[test]
    fn a_round_of_the_game_with_every_card_put_back_is_worth_what_the_documents_say() {
        are_the_figures_of_the_documents(&[(House::of_the_game(0), -0.162_736_559)]);
    }

    #[test]
    fn rounds_of_the_game_by_best_play_are_worth_what_the_documents_say() {
        let by_decks = [
            (1, 0.373_740_975),
            (2, 0.086_234_308),
            (3, -0.001_315_500),
            (4, -0.042_757_351),
            (5, -0.067_487_174),
            (6, -0.083_971_173),
            (7, -0.095_605_958),
            (8, -0.104_236_328),
        ];
        let house = |decks| House { splitting: Splitting::Best, ..House::of_the_game(decks) };
        are_the_figures_of_the_documents(&by_decks.map(|(decks, figure)| (house(decks), figure)));
    }

    #[test]
    #[ignore = "nightly: a rule set takes a second where debug assertions are on"]
    fn nightly_rounds_of_the_game_are_worth_what_the_documents_say() {
        let by_decks = [
            0.372_443_318,
            0.085_851_254,
            -0.001_493_721,
            -0.042_866_855,
            -0.067_564_487,
            -0.084_028_536,
            -0.095_651_050,
            -0.104_271_609,
        ];
        for (decks, figure) in (1..).zip(by_decks) {
            are_the_figures_of_the_documents(&[(House::of_the_game(decks), figure)]);
        }
        let by_rules = [
            (0, [-0.369_385_439, -1.515_630_365, -0.311_019_380, -0.248_247_031, 0.271_257_306, -0.376_598_285]),
            (6, [-0.283_850_703, -1.443_718_168, -0.233_723_493, -0.156_630_735, 0.361_336_738, -0.280_029_321]),
        ];
        for (decks, [soft, six_to_five, no_doubling, no_surrender, no_peek, neither]) in by_rules {
            let own = House::of_the_game(decks);
            are_the_figures_of_the_documents(&[
                (House { hits_soft_17: true, ..own }, soft),
                (House { natural_pays: 1.2, ..own }, six_to_five),
                (House { doubles_splits: false, ..own }, no_doubling),
                (House { surrender: false, ..own }, no_surrender),
                (House { peeks: false, ..own }, no_peek),
                (House { peeks: false, surrender: false, ..own }, neither),
            ]);
        }
    }

    #[test]
    fn first_cards_are_worth_what_another_program_says() {
        let by_up = Analysis::new(single_deck()).by_up;
        let others = [-36.027, 9.995, 13.590, 18.192, 23.352, 23.945, 14.531, 5.441, -4.383, -17.078];
        for (up, (value, other)) in by_up.into_iter().zip(others).enumerate() {
            assert!((100.0 * value - other).abs() < 6e-4, "{up}: {value} {other}");
        }
    }

    /// What standing, drawing and so on is worth, draw by draw, once the dealer has looked; `number` counts cards.
    fn plainly(house: &House, hard: usize, ace: bool, up: usize, shoe: &Shoe, n: usize) -> (f64, f64) {
        let count = if ace && hard + 10 <= BEST { hard + 10 } else { hard };
        let ends = Draws::from_up(up, house.hits_soft_17).ends(shoe);
        let no_natural: f64 = ends.iter().sum();
        if count > BEST {
            return (if house.peeks { -no_natural } else { -1.0 }, f64::NEG_INFINITY);
        }
        let stand = stands(&ends, count) - if house.peeks { 0.0 } else { 1.0 - no_natural };
        if count == BEST || n == 0 {
            return (stand, f64::NEG_INFINITY);
        }
        let hit = (0..10).filter(|&value| shoe.left[value] > 0.0).map(|value| {
            let (hard, ace) = (hard + value + 1, ace || value == 0);
            let (stand, hit) = plainly(house, hard, ace, up, &shoe.without(value, 1), n - 1);
            shoe.chance(value) * stand.max(hit)
        });
        (stand, hit.sum())
    }

    #[test]
    fn hands_are_worth_what_draw_by_draw_is() {
        let [endless, one] = [0, 1].map(House::of_the_game);
        for house in
            [endless, one, House { peeks: false, ..one }, House { peeks: false, hits_soft_17: true, ..endless }]
        {
            let analysis = Analysis::new(house);
            for (cards, up) in [([0, 0, 0, 0, 0, 0, 1, 0, 1, 0], 9), ([0, 0, 0, 0, 0, 0, 0, 1, 0, 1], 0)] {
                let shoe = Shoe::full(house.decks).without(up, 1).without_all(&cards);
                let hard = cards.iter().enumerate().map(|(value, &n)| (value + 1) * usize::from(n)).sum();
                let no_natural: f64 = Draws::from_up(up, house.hits_soft_17).ends(&shoe).iter().sum();
                let played = if house.peeks { no_natural } else { 1.0 };
                let (stand, hit) = plainly(&house, hard, false, up, &shoe, 9);
                let worth = analysis.worth(&cards, up).unwrap();
                assert!((worth.stand - stand / played).abs() < 1e-13, "{worth:?} {stand}");
                assert!((worth.hit - hit / played).abs() < 1e-13, "{worth:?} {hit}");
            }
        }
    }

    /// Two hands of a split by one strategy, card by card: the cards that the first has drawn are gone for the second.
    fn both(
        split: &Split<'_>,
        plan: &[Play],
        number: usize,
        n_gone: &[u8; 10],
        then: &mut dyn FnMut(f64, &[u8; 10]) -> f64,
    ) -> f64 {
        let (up, hand) = (split.up, &split.hands[number]);
        let shoe = up.shoe.without_all(n_gone);
        let next = |split: &Split<'_>, stands: bool, then: &mut dyn FnMut(f64, &[u8; 10]) -> f64| {
            let mut sum = 0.0;
            for value in (0..10).filter(|&value| shoe.left[value] > 0.0) {
                let mut gone = *n_gone;
                gone[value] += 1;
                let worth = match hand.with[value] {
                    BUST => then(f64::INFINITY, &gone),
                    with if stands => then(split.hands[usize::from(with)].count() as f64, &gone),
                    with => both(split, plan, with.into(), &gone, then),
                };
                sum += shoe.chance(value) * worth;
            }
            sum
        };
        if hand.n_cards == 1 {
            return next(split, false, then);
        }
        match plan[number] {
            Play::Stand => then(hand.count() as f64, n_gone),
            Play::Hit => next(split, false, then),
            Play::Double => next(split, true, then),
        }
    }

    #[test]
    fn a_split_is_worth_what_both_hands_card_by_card_are() {
        let house = House { splitting: Splitting::One, ..single_deck() };
        let analysis = Analysis::new(house);
        // Tens, which seldom draw, so that all cards of both hands can be gone through.
        let (pair, value) = (9, 5);
        let behind = Behind::new(&house, &analysis.hands);
        let up = Up::new(&house, &analysis.hands, &behind, value, pair..pair + 1);
        let expected = up.split[pair].unwrap();
        let (weights, plan, first);
        let ends = up.draws.ends_behind(&behind.gone, &up.shoe);
        let mut split = Split::new(&up, &house, &analysis.hands, &behind, &ends, pair);
        weights = split.value(2, 0, 0, 0);
        split.play(&weights);
        (plan, _) = split.best(&[]);
        first = usize::from(analysis.hands[0].with[pair]);
        let mut gone = [0; 10];
        gone[pair] = 2;
        let won = |counts: [f64; 2], gone: &[u8; 10]| {
            let ends = split.up.draws.ends(&split.up.shoe.without_all(gone));
            counts.iter().map(|&count| if count > 21.0 { -1.0 } else { stands(&ends, count as usize) }).sum::<f64>()
        };
        let worth = both(&split, &plan, first, &gone, &mut |one, gone| {
            both(&split, &plan, first, gone, &mut |other, gone| won([one, other], gone))
        });
        assert!((worth - expected).abs() < 1e-12, "{worth} {expected}");
    }

    #[test]
    fn one_strategy_is_worth_no_more_than_one_for_each_number_of_pairs() {
        let house = House { max_hands: 4, ..single_deck() };
        let (one, by_pairs) = (percent(House { splitting: Splitting::One, ..house }), percent(house));
        assert!(one < by_pairs && by_pairs - one < 1e-4, "{one} {by_pairs}");
        // Eights against a ten, which count from 0 for the ace.
        let (eights, ten) = (7, 9);
        let mut cards = [0; 10];
        cards[eights] = 2;
        let of_one = Analysis::new(House { splitting: Splitting::One, ..house }).worth(&cards, ten).unwrap();
        let alone = Analysis::split_at_least(house, eights, ten).unwrap();
        assert!((of_one.split.unwrap() - alone).abs() < 1e-12, "{of_one:?} {alone}");
    }
}
