//! House rules: what casinos do differently from one another. The defaults are the game's own rules.

use super::cards::Cards;

/// The dealer draws below this count, and on it only where the house has it so.
pub(super) const DEALER_STANDS: u8 = 17;

/// The rules that a house chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct House {
    /// Whether the dealer draws on a 17 that counts an ace as eleven.
    pub hits_soft_17: bool,
    /// What insurance costs.
    pub insurance: Insurance,
    /// What a natural wins.
    pub natural: Natural,
    /// Whether the dealer, showing an ace or a ten-value card, looks for a natural before hands are played.
    pub peeks: bool,
    /// Whether hands of a split may be doubled.
    pub doubles_splits: bool,
    /// Whether a hand may be given up for half its wager.
    pub surrender: bool,
}

/// What insurance against a natural of the dealer costs. Where the dealer has one, it comes back with twice itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Insurance {
    /// As much as the wager.
    Full,
    /// Half the wager.
    Half,
    /// It is not offered.
    None,
}

/// What a natural wins against a dealer who has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Natural {
    /// Three chips for two.
    ThreeToTwo,
    /// Six chips for five.
    SixToFive,
}

impl House {
    /// The game's own rules.
    pub const STANDARD: House = House {
        hits_soft_17: false,
        insurance: Insurance::Full,
        natural: Natural::ThreeToTwo,
        peeks: true,
        doubles_splits: true,
        surrender: true,
    };

    /// Whether the dealer draws to these cards, if a hand depends on it.
    #[inline]
    pub fn dealer_draws(&self, cards: &Cards) -> bool {
        let count = cards.count();
        count < DEALER_STANDS || self.hits_soft_17 && count == DEALER_STANDS && cards.is_soft()
    }

    /// What insurance for this wager costs; `None` where it is not offered. Wagers are even, so a half is whole.
    #[inline]
    pub fn insurance_cost(&self, wager: u32) -> Option<u32> {
        match self.insurance {
            Insurance::Full => Some(wager),
            Insurance::Half => Some(wager / 2),
            Insurance::None => None,
        }
    }

    /// What a natural wins for this wager, which the parameters make even, or divisible by ten where it must be.
    #[inline]
    pub fn natural_wins(&self, wager: u32) -> u32 {
        match self.natural {
            Natural::ThreeToTwo => wager / 2 * 3,
            Natural::SixToFive => wager / 5 * 6,
        }
    }
}
