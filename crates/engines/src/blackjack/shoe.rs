//! Cards by what they count, and all the hands that can be made of them.

/// Hard counts of hands that are not lost go to 21.
pub(super) const BEST: usize = 21;
/// The number of a hand that is lost.
pub(super) const BUST: u16 = u16::MAX;

/// The cards that are left, by value from the ace, as weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Shoe {
    pub(super) left: [f64; 10],
    pub(super) total: f64,
    /// 1, or 0 where every card is put back.
    pub(super) taken: f64,
}

impl Shoe {
    pub(super) fn full(decks: u8) -> Shoe {
        let copies = 4.0 * f64::from(decks.max(1));
        let left = std::array::from_fn(|i| if i == 9 { 4.0 * copies } else { copies });
        Shoe { left, total: 13.0 * copies, taken: if decks == 0 { 0.0 } else { 1.0 } }
    }

    /// How likely the card of this value, from 0 for the ace, comes next.
    #[inline]
    pub(super) fn chance(&self, value: usize) -> f64 {
        self.left[value] / self.total
    }

    /// Without so many cards of a value.
    #[inline]
    pub(super) fn without(mut self, value: usize, n: u8) -> Shoe {
        self.left[value] -= self.taken * f64::from(n);
        self.total -= self.taken * f64::from(n);
        self
    }

    pub(super) fn without_all(self, cards: &[u8; 10]) -> Shoe {
        cards.iter().enumerate().fold(self, |shoe, (value, &n)| shoe.without(value, n))
    }
}

/// Cards without an order, as many of each value, that are not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hand {
    pub(super) cards: [u8; 10],
    pub(super) hard: u8,
    pub(super) n_cards: u8,
    /// The hand with one card more of each value, or [`BUST`].
    pub(super) with: [u16; 10],
}

impl Hand {
    pub(super) fn is_soft(&self) -> bool {
        self.cards[0] > 0 && self.hard <= 11
    }

    /// What it counts.
    pub(super) fn count(&self) -> usize {
        usize::from(self.hard) + if self.is_soft() { 10 } else { 0 }
    }

    /// Whether a further card may make it better and cannot make it worse.
    pub(super) fn always_hits(&self) -> bool {
        self.count() < 17 && self.hard <= 11
    }
}

/// All hands, those of lower hard count first; hand 0 has no card.
pub(super) fn all_hands() -> Vec<Hand> {
    let mut hands = Vec::new();
    for hard in 0..=BEST {
        add(&mut hands, [0; 10], 9, hard, hard);
    }
    let numbers: rustc_hash::FxHashMap<[u8; 10], u16> =
        hands.iter().zip(0..).map(|(hand, number)| (hand.cards, number)).collect();
    for hand in &mut hands {
        hand.with = std::array::from_fn(|value| {
            let mut cards = hand.cards;
            cards[value] += 1;
            numbers.get(&cards).copied().unwrap_or(BUST)
        });
    }
    hands
}

/// Adds the hands of this hard count that have these cards and others up to this value.
fn add(hands: &mut Vec<Hand>, cards: [u8; 10], value: usize, left: usize, hard: usize) {
    if value == 0 {
        let mut cards = cards;
        cards[0] = left as u8;
        hands.push(Hand { cards, hard: hard as u8, n_cards: cards.iter().sum(), with: [BUST; 10] });
        return;
    }
    for n in 0..=left / (value + 1) {
        let mut cards = cards;
        cards[value] = n as u8;
        add(hands, cards, value - 1, left - n * (value + 1), hard);
    }
}
