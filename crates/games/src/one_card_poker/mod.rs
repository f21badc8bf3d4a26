//! Poker for two with one card a seat: what Kuhn Poker and Leduc Poker share.
//!
//! Both seats put in an ante of one chip and are dealt a card that only they see; in some games a card for both follows.
//! Which actions there are and where they lead is each game's own. At a showdown a pair with the card for both wins, then
//! the higher rank.
//!
//! Positions: `position.rs`. Observations: `encode.rs`. Pictures: `view.rs`.

mod encode;
mod position;
mod view;

pub use view::seat_id;

use raichi_core::game::Payoffs;
use raichi_core::random::Rng;
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::{Ending, counted};
use serde::{Deserialize, Serialize};

use crate::cards::{Card, CardSet};
use crate::chips;

/// What tells the games apart, as far as the cards go.
#[derive(Clone, Copy, Debug)]
pub struct Deck {
    /// The cards that are dealt.
    pub cards: CardSet,
    /// Whether the suits tell cards apart. Where they do not, all are of one suit, and a card's text is its rank.
    pub has_suits: bool,
    /// Whether a card for both seats is dealt.
    pub has_public: bool,
}

/// A deal in progress, or its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    /// The card of each seat.
    pub hands: [Option<Card>; 2],
    /// The card for both.
    pub public: Option<Card>,
    /// What each seat has put in, the ante included.
    pub stakes: [u8; 2],
    /// Raises in this betting round, where the rules count them.
    pub raises: u8,
    /// What happens next.
    pub turn: Turn,
    /// The seat that gave up.
    pub folded: Option<u8>,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Turn {
    /// This seat is dealt its card.
    Hand(u8),
    /// The card for both is dealt.
    Public,
    /// This seat acts.
    Act(u8),
    /// Nothing: the game is over.
    Over,
}

/// The reasons for which these games end.
pub const END_REASONS: &[&str] = &["showdown", "fold"];

impl Deck {
    /// A card's text.
    pub fn text(&self, card: Card) -> String {
        let mut text = card.to_string();
        if !self.has_suits {
            text.pop();
        }
        text
    }

    /// The card that `text` names exactly.
    pub fn parse(&self, text: &str) -> Option<Card> {
        self.cards.iter().find(|&card| self.text(card) == text)
    }

    /// What cards there are, in words.
    pub fn in_words(&self) -> &'static str {
        if self.has_suits { "Js, Jh, Qs, Qh, Ks or Kh" } else { "J, Q or K" }
    }
}

impl Table {
    /// Before the first card: both antes are in.
    pub const START: Table =
        Table { hands: [None; 2], public: None, stakes: [1; 2], raises: 0, turn: Turn::Hand(0), folded: None };

    /// How many chips `seat` is short of what the other has put in.
    #[inline]
    pub fn owes(&self, seat: Seat) -> u8 {
        self.stakes[1 - seat].saturating_sub(self.stakes[seat])
    }

    /// Gives up.
    #[inline]
    pub fn fold(&mut self, seat: Seat) {
        self.folded = Some(seat as u8);
        self.end();
    }

    /// Ends the game.
    #[inline]
    pub fn end(&mut self) {
        (self.turn, self.raises) = (Turn::Over, 0);
    }

    /// Deals a card to whom it is due.
    #[inline]
    pub fn deal(&mut self, card: Card) {
        self.turn = match self.turn {
            Turn::Hand(seat) => {
                self.hands[usize::from(seat)] = Some(card);
                if seat == 0 { Turn::Hand(1) } else { Turn::Act(0) }
            }
            _ => {
                self.public = Some(card);
                Turn::Act(0)
            }
        };
    }

    /// Whether both hands are compared, and seen by everybody.
    #[inline]
    pub fn is_showdown(&self) -> bool {
        self.turn == Turn::Over && self.folded.is_none()
    }

    /// Whether `viewer` sees the card of `seat`.
    pub fn shows(&self, seat: Seat, viewer: Viewer) -> bool {
        viewer.is(seat) || self.is_showdown()
    }

    /// What a seat's hand is worth: a pair before none, then by rank.
    fn strength(&self, seat: Seat) -> (bool, u8) {
        let rank = self.hands[seat].map_or(0, Card::rank);
        (self.public.is_some_and(|card| card.rank() == rank), rank)
    }

    /// Who wins what the other has put in; nobody before the end, and nobody where the hands are equal.
    pub fn winner(&self) -> Option<Seat> {
        match (self.turn, self.folded) {
            (Turn::Over, Some(seat)) => Some(1 - usize::from(seat)),
            (Turn::Over, None) => match self.strength(0).cmp(&self.strength(1)) {
                std::cmp::Ordering::Greater => Some(0),
                std::cmp::Ordering::Less => Some(1),
                std::cmp::Ordering::Equal => None,
            },
            _ => None,
        }
    }

    /// What each seat has won or lost; nothing before the end.
    #[inline]
    pub fn payoffs(&self) -> Payoffs {
        let Some(winner) = self.winner() else { return Payoffs::zero(2) };
        let won = f64::from(self.stakes[1 - winner]);
        Payoffs::new(if winner == 0 { [won, -won] } else { [-won, won] })
    }

    /// Why the game is over.
    pub fn end_reason(&self) -> &'static str {
        if self.folded.is_some() { "fold" } else { "showdown" }
    }

    /// How the game ended, in words.
    pub fn end_text(&self, ending: &Ending<'_>) -> String {
        let names = ending.names;
        let won = |winner: Seat| {
            let chips = counted(self.stakes[1 - winner].into(), "chip", "chips");
            format!("{} won {chips}", names.subject(winner))
        };
        match (ending.reason, ending.winners()[..].first()) {
            ("showdown" | "fold", Some(&winner)) if !ending.is_drawn() => match self.folded {
                Some(_) => format!("{}: {} folded", won(winner), names.subject(1 - winner)),
                None => format!("{} with {} against {}", won(winner), self.hand(winner), self.hand(1 - winner)),
            },
            ("showdown", _) => "nobody won any chips: the hands are equal".into(),
            ("fold", _) => format!("{}: a seat folded", chips::result(ending)),
            _ => format!("{}: {}", chips::result(ending), ending.common_reason()),
        }
    }

    /// A seat's hand in words, where it is known: `a pair of kings`, `a queen`.
    pub fn hand(&self, seat: Seat) -> String {
        let (is_pair, rank) = self.strength(seat);
        let name = match rank {
            9 => "jack",
            10 => "queen",
            _ => "king",
        };
        if is_pair { format!("a pair of {name}s") } else { format!("a {name}") }
    }

    /// The cards of `deck` that nobody has.
    pub fn left(&self, deck: &Deck) -> CardSet {
        self.hands.iter().chain([&self.public]).flatten().fold(deck.cards, |mut left, &card| {
            left.remove(card);
            left
        })
    }

    /// The cards of `deck` that `viewer` does not see anywhere.
    pub fn unseen(&self, deck: &Deck, viewer: Viewer) -> CardSet {
        let hidden = (0..2).filter(|&seat| !self.shows(seat, viewer)).filter_map(|seat| self.hands[seat]);
        self.left(deck).union(hidden.collect())
    }

    /// Whether `viewer` sees the card that is dealt now.
    pub fn sees_deal(&self, viewer: Viewer) -> bool {
        match self.turn {
            Turn::Hand(seat) => viewer.is(seat.into()),
            _ => true,
        }
    }

    /// The same table with another card for the other seat: each that `seat` has not seen is equally likely.
    #[must_use]
    pub fn determinize<R: Rng + ?Sized>(&self, deck: &Deck, seat: Seat, rng: &mut R) -> Table {
        let mut drawn = *self;
        if self.hands[1 - seat].is_some() && !self.is_showdown() {
            drawn.hands[1 - seat] = Some(self.unseen(deck, Viewer::Seat(seat)).choose(rng));
        }
        drawn
    }
}
