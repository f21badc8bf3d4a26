//! The rules of a house: the game's own with its parameters, and the switches that casinos know beside them.

use raichi_games::blackjack::{Blackjack, Natural};

/// Which two cards may be doubled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubling {
    /// Any two.
    Any,
    /// Those that count nine, ten or eleven, no ace as eleven.
    NineToEleven,
    /// Those that count ten or eleven, no ace as eleven.
    TenOrEleven,
}

/// How hands of a split are played where cards are not put back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Splitting {
    /// By one strategy, the best that there is for all hands together; a hand looks at its own cards, the pair and the dealer's
    /// card.
    One,
    /// By one for each number of cards of the pair that are gone.
    ByPairs,
    /// By the best play there is, which looks at all cards of all hands. It is known at once for the rules in
    /// [`best_splits_are_known`](super::best_splits_are_known); for others it takes an hour and some gigabytes.
    Best,
}

/// The rules that the expectation depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct House {
    /// From 1 to 8; 0 is a card put back after each draw.
    pub decks: u8,
    /// Whether the dealer draws to 17 with an ace that counts eleven.
    pub hits_soft_17: bool,
    /// Which two cards may be doubled.
    pub doubling: Doubling,
    /// Whether hands of a split may be doubled.
    pub doubles_splits: bool,
    /// The most hands that splits may make of one, up to 4; 1 is no splitting.
    pub max_hands: u8,
    /// Whether split aces that get an ace may be split again.
    pub resplits_aces: bool,
    /// Whether split aces may be played on; else each gets one card.
    pub hits_split_aces: bool,
    /// Whether any two cards that count ten may be split; else only two of one rank.
    pub splits_unlike_tens: bool,
    /// Whether the first two cards may be given up for half the wager, where the dealer looks for a natural after it has.
    pub surrender: bool,
    /// What a natural wins, in wagers.
    pub natural_pays: f64,
    /// Whether the dealer, showing an ace or a ten-value card, looks for a natural before hands are played; else a natural
    /// takes doubled and split wagers too, and a hand is given up before anything is known.
    pub peeks: bool,
    /// How hands of a split are played: no rule, but what their value depends on.
    pub splitting: Splitting,
}

impl House {
    /// The rules of a game with these parameters.
    pub fn of(game: &Blackjack) -> House {
        let house = game.house();
        House {
            hits_soft_17: house.hits_soft_17,
            doubles_splits: house.doubles_splits,
            surrender: house.surrender,
            natural_pays: match house.natural {
                Natural::ThreeToTwo => 1.5,
                Natural::SixToFive => 1.2,
            },
            peeks: house.peeks,
            ..House::of_the_game(game.decks())
        }
    }

    /// The game's own rules.
    pub const fn of_the_game(decks: u8) -> House {
        House {
            decks,
            hits_soft_17: false,
            doubling: Doubling::Any,
            doubles_splits: true,
            max_hands: 4,
            resplits_aces: true,
            hits_split_aces: true,
            splits_unlike_tens: false,
            surrender: true,
            natural_pays: 1.5,
            peeks: true,
            splitting: Splitting::ByPairs,
        }
    }

    /// What is usual in casinos: as the game, but split aces get one card each and are not split again, any two cards
    /// that count ten are a pair, and no surrender.
    pub const fn usual(decks: u8) -> House {
        House {
            resplits_aces: false,
            hits_split_aces: false,
            splits_unlike_tens: true,
            surrender: false,
            ..House::of_the_game(decks)
        }
    }

    pub(super) fn may_double(&self, hard: usize) -> bool {
        match self.doubling {
            Doubling::Any => true,
            Doubling::NineToEleven => (9..=11).contains(&hard),
            Doubling::TenOrEleven => (10..=11).contains(&hard),
        }
    }
}
