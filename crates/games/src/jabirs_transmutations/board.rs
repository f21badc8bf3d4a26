//! What is on the table, as data: resources, cards, events and the twelve transmutations.

use serde::{Deserialize, Serialize};

/// An enum whose variants have the words that notation uses.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident: $($(#[$variant_doc:meta])* $variant:ident $word:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// What notation calls it.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// The one that `word` means.
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|one| one.word() == word)
            }
        }
    };
}

words! {
    /// A resource that seats mark with their own tokens: all but the metals.
    Resource:
    /// Primary.
    Cinnabar "cinnabar",
    /// Primary.
    Lead "lead",
    /// Primary.
    YellowSalt "yellow-salt",
    /// Secondary.
    Quicksilver "quicksilver",
    /// Secondary.
    Sulfur "sulfur",
    /// Secondary.
    Arsenic "arsenic",
    /// Secondary.
    Tin "tin",
    /// Secondary.
    Copper "copper",
    /// Secondary.
    DistilledSulfur "distilled-sulfur",
    /// Secondary.
    PureQuicksilver "pure-quicksilver",
    /// Elixir.
    Hotness "hotness",
    /// Elixir.
    Coldness "coldness",
    /// Elixir.
    Wetness "wetness",
    /// Elixir.
    Dryness "dryness",
}

impl Resource {
    /// The resources that cards bring.
    pub const PRIMARY: &[Resource] = Resource::ALL.split_at(3).0;
    /// The resources worth a point.
    pub const ELIXIRS: &[Resource] = Resource::ALL.split_at(10).1;
    /// What can be stolen: all that are no elixirs.
    pub const STEALABLE: &[Resource] = Resource::ALL.split_at(10).0;
}

words! {
    /// A resource card.
    Card:
    /// Sets off a transmutation; may be saved.
    Fire "fire",
    /// Sets off a transmutation; may be saved.
    Water "water",
    /// Becomes a token.
    Cinnabar "cinnabar",
    /// Becomes a token.
    Lead "lead",
    /// Becomes a token.
    YellowSalt "yellow-salt",
}

impl Card {
    /// The cards that become tokens, in the order in which they do, with what they become.
    pub const PRIMARY: [(Card, Resource); 3] =
        [(Card::Cinnabar, Resource::Cinnabar), (Card::Lead, Resource::Lead), (Card::YellowSalt, Resource::YellowSalt)];
    /// The cards that may be saved.
    pub const SAVED: [Card; 2] = [Card::Fire, Card::Water];
}

/// How many there are of each resource card, in the order of [`Card`]: 80 in all.
pub(super) const CARDS: [u8; 5] = [26, 14, 20, 10, 10];

words! {
    /// What a round begins with.
    Event:
    /// An elixir.
    Eureka "eureka",
    /// Halves a resource.
    Explosion "explosion",
    /// Destroys saved cards.
    Disaster "disaster",
    /// Two primary resources.
    Favor "favor",
    /// An opponent's token.
    Steal "steal",
}

/// How many there are of each event card, in the order of [`Event`].
pub(super) const EVENTS: [u8; 5] = [3, 1, 1, 1, 1];

words! {
    /// A resource whose pieces belong to nobody and never return.
    Metal:
    /// Three points.
    Silver "silver",
    /// Five points.
    Gold "gold",
}

/// How many pieces of each metal there are, in the order of [`Metal`].
pub(super) const METALS: [u8; 2] = [9, 16];

/// What a transmutation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Product {
    Token(Resource),
    Metal(Metal),
}

/// What the die decides; a roll of 3 or more succeeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Die {
    /// There is none.
    No,
    /// On the reactant side: rolled first; when it fails this one token is lost, and nothing else happens.
    Risks(Resource),
    /// On the product side: when it succeeds this comes on top.
    Adds(Resource),
}

/// One of the twelve, as the board shows it.
#[derive(Debug)]
pub(super) struct Transmutation {
    pub(super) name: &'static str,
    pub(super) reactants: &'static [(Resource, u8)],
    pub(super) card: Option<Card>,
    pub(super) products: &'static [Product],
    pub(super) die: Die,
}

impl Transmutation {
    /// The metal it makes, if it makes one.
    #[inline]
    pub(super) fn metal(&self) -> Option<Metal> {
        if let [Product::Metal(metal)] = *self.products { Some(metal) } else { None }
    }
}

pub(super) const TRANSMUTATIONS: [Transmutation; 12] = {
    use Die::{Adds, No, Risks};
    use Resource::*;
    const SILVER: &[Product] = &[Product::Metal(Metal::Silver)];
    const GOLD: &[Product] = &[Product::Metal(Metal::Gold)];
    const FIRE: Option<Card> = Some(Card::Fire);
    const WATER: Option<Card> = Some(Card::Water);
    [
        Transmutation {
            name: "quicksilver",
            reactants: &[(Cinnabar, 2)],
            card: FIRE,
            products: &[Product::Token(Quicksilver)],
            die: Adds(Sulfur),
        },
        Transmutation {
            name: "arsenic",
            reactants: &[(YellowSalt, 2)],
            card: WATER,
            products: &[Product::Token(Sulfur), Product::Token(Arsenic)],
            die: No,
        },
        Transmutation {
            name: "tin",
            reactants: &[(Lead, 1), (Quicksilver, 1)],
            card: FIRE,
            products: &[Product::Token(Tin)],
            die: Risks(Quicksilver),
        },
        Transmutation {
            name: "copper",
            reactants: &[(Lead, 2), (Arsenic, 1)],
            card: FIRE,
            products: &[Product::Token(Copper)],
            die: No,
        },
        Transmutation {
            name: "distilled-sulfur",
            reactants: &[(Sulfur, 2)],
            card: WATER,
            products: &[Product::Token(DistilledSulfur)],
            die: No,
        },
        Transmutation {
            name: "pure-quicksilver",
            reactants: &[(Quicksilver, 2)],
            card: FIRE,
            products: &[Product::Token(PureQuicksilver)],
            die: No,
        },
        Transmutation {
            name: "wetness",
            reactants: &[(DistilledSulfur, 1)],
            card: WATER,
            products: &[Product::Token(Wetness)],
            die: Adds(Hotness),
        },
        Transmutation { name: "silver", reactants: &[(Tin, 1), (Coldness, 1)], card: FIRE, products: SILVER, die: No },
        Transmutation {
            name: "gold-wetness",
            reactants: &[(PureQuicksilver, 1), (DistilledSulfur, 1), (Wetness, 1)],
            card: None,
            products: GOLD,
            die: No,
        },
        Transmutation {
            name: "gold-dryness",
            reactants: &[(PureQuicksilver, 1), (Dryness, 1), (Tin, 1)],
            card: None,
            products: GOLD,
            die: No,
        },
        Transmutation {
            name: "gold-copper",
            reactants: &[(Tin, 1), (Copper, 1)],
            card: FIRE,
            products: GOLD,
            die: Risks(Tin),
        },
        Transmutation {
            name: "gold-hotness",
            reactants: &[(Arsenic, 1), (Copper, 1), (Hotness, 1)],
            card: None,
            products: GOLD,
            die: Risks(Arsenic),
        },
    ]
};
