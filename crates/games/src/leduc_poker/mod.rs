//! Leduc Poker: six cards, a card for both after the first betting round, and two raises in a round.
//!
//! Rules: F. Southey and others, *Bayes' Bluff: Opponent Modelling in Poker* (UAI 2005); the words and what is seen at the
//! end as in the rules contract.
//! Decisions: `call` with nothing to call is the check; `fold` is legal only with a bet to call; a hand broken off at the
//! cap pays nothing; after a fold each seat still sees its own card, and nobody the other's.
//! Not here: other decks and stakes.
//! Symmetries: within each rank the two suits may be exchanged, which makes eight.
//! Actions: `fold`, `call`, `raise`. Outcomes: cards, `~Js`: seat 0's, seat 1's, and the public card.
//! Positions: `Kh 1 stakes=5/3 raises=1 cards=??/Ks seen-by=1`, explained in `one_card_poker/position.rs`. In which order
//! the first round's chips were put in decides nothing and is not kept.
//! Checked against: 936 information sets and 576 positions as a seat sees them, the published value of −0.0856 for the
//! first seat (`solve`), perft.txt (counts by a second implementation), clause-by-clause tests.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, LeducPoker, State};
