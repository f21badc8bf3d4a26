//! Texas hold'em for two to ten seats, bets of one fixed step or all-in, played to the last seat with chips.
//!
//! Rules: the collection of the Java framework GBG, *Poker*, with the fixed decisions of the rules contract.
//! Decisions: blinds are posted without a ply; a short blind does not count as a full one; a word that would put in all
//! that a seat has is an alias of `all-in`; an all-in above the bet is an increase, whatever its size; the best five
//! cards play, all of them; odd chips go to the winners first after the dealer, the dealer last; seats that fold show
//! nothing, and hands are shown after the river even when all are all-in before. Broken off at the cap, a seat that has
//! not folded gets back what it has put in this round; what folded seats have put in is lost, and nobody's yet.
//! The end of the round before stays in the state as public knowledge: the board, the hands that were shown, and who
//! won how much. It decides nothing and stays out of the key, like the order of the community cards.
//! Not here: rising blinds, antes, bets of a chosen size, burnt cards.
//! Symmetries: the 24 exchanges of the suits.
//! Actions: an enum of the six words; what each puts in follows from the state. Outcomes: cards.
//! Checked against: the published numbers of five-card and seven-card hands by category, a second evaluator that looks
//! at every five of seven cards, perft.txt (counts by a second implementation) and clause-by-clause tests.

pub mod hands;
mod notation;
mod pots;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, Poker, State};
