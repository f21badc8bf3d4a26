//! Blackjack for one to seven seats against a dealer who only follows rules.
//!
//! Rules: the collection of the Java framework GBG, *Blackjack* (the American variation).
//! Decisions: insurance costs as much as the wager, where casinos ask half; the dealer draws only if some hand is still
//! in contest; hands of split aces are played like any others; wagers are even, so that 3:2 and a half are whole chips.
//! When a card is wanted from a shoe that has run out, as many decks as at first are shuffled in. Broken off at the cap, a seat
//! gets back what it has put in this round, but for bust hands, the lost half of a surrender and lost insurance.
//! The end of the round before lies on the table while wagers are placed, as public knowledge; it decides nothing and
//! stays out of the key.
//! Not here: half insurance, even money, side bets, a dealer who hits soft 17.
//! Hidden: the dealer's face-down card, from everybody, until the dealer turns it. Whoever draws a state that fits knows
//! the cards seen in this round, and that a card the dealer has peeked at makes no natural.
//! Symmetries: the 24 exchanges of the suits.
//! Actions: an enum; a bet bears its wager. Outcomes: cards.
//! Checked against: the source's worked examples, perft.txt and whole games (a second implementation), and
//! clause-by-clause tests.

mod cards;
mod notation;
mod rules;
mod shoe;
#[cfg(test)]
mod tests;
mod view;

pub use cards::Cards;
pub use rules::{Action, Blackjack, Hand, State};
pub use shoe::Shoe;
