//! The position as numbers: the cards that a seat sees, what is in the pot, who has folded and who is to act.

use raichi_core::encoding::{Block, Layout, relative_seat, seat_names};
use raichi_core::seat::{Seat, Viewer};

use super::{Deck, Table, Turn};
use crate::cards::Card;

const TURN: [&str; 5] = [
    "a seat acts",
    "the first seat's card is dealt",
    "the second seat's card is dealt",
    "the public card is dealt",
    "the game is over",
];

impl Deck {
    /// The cards first, so that a symmetry of the cards changes the first [`Deck::n_card_entries`] entries only.
    pub fn layout(&self, most_staked: u8, most_raises: u8) -> Layout {
        let cards = |name: &str| {
            let texts = self.cards.iter().map(|card| self.text(card));
            Block::named(name, 1, &std::iter::once("not seen".into()).chain(texts).collect::<Vec<String>>())
        };
        let mut blocks = vec![cards("own card"), cards("the other seat's card")];
        if self.has_public {
            blocks.push(cards("public card"));
        }
        blocks.push(Block::amounts("put in", 2, most_staked.into(), "chips"));
        if most_raises > 0 {
            blocks.push(Block::amounts("raises in this betting round", 1, most_raises.into(), "raises"));
        }
        blocks.push(Block::named("folded", 1, &seat_names("nobody", 2)));
        blocks.push(Block::named("turn", 1, &TURN));
        blocks.push(Block::to_act(2));
        Layout::new(blocks)
    }

    /// How many entries of an observation are cards.
    pub fn n_card_entries(&self) -> usize {
        if self.has_public { 3 } else { 2 }
    }

    /// A card in an observation: its place in the deck, from 1; 0 is none.
    pub fn number(&self, card: Option<Card>) -> i32 {
        let place = card.and_then(|card| self.cards.iter().position(|other| other == card));
        place.map_or(0, |place| place as i32 + 1)
    }

    /// The card with this number.
    pub fn numbered(&self, number: i32) -> Option<Card> {
        self.cards.iter().nth(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// What `seat` sees of `table`, under a layout that counts raises or does not.
    pub fn observe(&self, table: &Table, seat: Seat, counts_raises: bool, observation: &mut [i32]) {
        let other = 1 - seat;
        let (cards, rest) = observation.split_at_mut(self.n_card_entries());
        cards[0] = self.number(table.hands[seat]);
        cards[1] = self.number(table.hands[other].filter(|_| table.shows(other, Viewer::Seat(seat))));
        if self.has_public {
            cards[2] = self.number(table.public);
        }
        rest[0] = table.stakes[seat].into();
        rest[1] = table.stakes[other].into();
        let rest = if counts_raises {
            rest[2] = table.raises.into();
            &mut rest[3..]
        } else {
            &mut rest[2..]
        };
        rest[0] = table.folded.map_or(0, |folded| relative_seat(seat, folded.into(), 2));
        (rest[1], rest[2]) = match table.turn {
            Turn::Act(to_act) => (0, relative_seat(seat, to_act.into(), 2)),
            Turn::Hand(dealt_to) => (1 + i32::from(dealt_to), 0),
            Turn::Public => (3, 0),
            Turn::Over => (4, 0),
        };
    }
}
