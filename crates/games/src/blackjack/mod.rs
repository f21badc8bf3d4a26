//! Blackjack for one to seven seats against a dealer who only follows rules.
//!
//! Rules: the collection of the Java framework GBG, *Blackjack* (the American variation).
//! Decisions: insurance costs as much as the wager, where casinos ask half (`insurance=half`); the dealer draws only if some
//! hand is still in contest; hands of split aces are played like any others; wagers are even, so that 3:2 and a half are whole chips.
//! When a card is wanted from a shoe that has run out, as many decks as at first are shuffled in. A round broken off at the
//! cap is void. Cards lie on the table in the order in which they were dealt: of a pair, a split takes the second. The
//! settled table leaves the position; it is the aftermath of the round, which pictures show while wagers are placed.
//! House rules (`house.rs`): what the dealer does on a soft 17, what insurance costs, what a natural wins, whether the dealer
//! looks for a natural, doubling after a split, surrender.
//! Not here: even money, side bets, special rules for split aces.
//! Hidden: the dealer's face-down card, from everybody, until the dealer turns it. A determinization fits the cards
//! seen in this round; a card that the dealer has looked at makes no natural, one not looked at (`peek=false`) may.
//! Symmetries: the 24 exchanges of the suits.
//! Actions: an enum; a bet carries its wager. Outcomes: cards.
//! Positions: `9d 0 round=3 chips=180/190 hands=8h3c:10,8c:10/Th7s:10 face-down=?? seen-by=0`, explained in `position.rs`.
//! Checked against: the source's worked examples, perft.txt and whole games (a second implementation), and
//! clause-by-clause tests.

mod cards;
mod encode;
mod house;
mod notation;
mod position;
mod rules;
mod shoe;
#[cfg(test)]
mod tests;
mod view;

pub use cards::{Cards, value};
pub use house::{House, Insurance, Natural};
pub use rules::{Action, Blackjack, Hand, State};
pub use shoe::Shoe;
