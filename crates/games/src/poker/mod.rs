//! Texas hold'em for two to ten seats, bets of one fixed step or all-in, played to the last seat with chips.
//!
//! Rules: the collection of the Java framework GBG, *Poker*, with the fixed decisions of the rules contract.
//! Decisions: blinds are posted without a ply; a short blind does not count as a full one; a word that would put in all
//! that a seat has is an alias of `all-in`; an all-in above the bet is an increase, whatever its size; the best five
//! cards play, all of them; odd chips go to the winners first after the dealer, the dealer last; seats that fold show
//! nothing, and hands are shown after the river even when all are all-in before. A round broken off at the cap is void.
//! The order of the community cards decides nothing and is not kept: pictures show them highest first. Rounds are counted
//! only where they are limited or the blinds rise with them (`rise`). The end of a round (the board, the hands that were shown, what was staked) is its
//! aftermath, which pictures show until the next.
//! Not here: antes, bets of a chosen size, burnt cards.
//! Symmetries: the 24 exchanges of the suits.
//! Actions: an enum of the six words; what each puts in follows from the state. Outcomes: cards.
//! Positions: `Th7c2d 0 dealer=0 stacks=90/70 staked=10/30 bets=0/20 acted=1 cards=AsAh/???? seen-by=0`, explained in
//! `position.rs`; `??` is a card that the viewer must not see.
//! Checked against: the published numbers of five-card and seven-card hands by category, a second evaluator that looks
//! at every five of seven cards, perft.txt (counts by a second implementation) and clause-by-clause tests.

mod charts;
mod encode;
pub mod hands;
mod notation;
mod position;
mod pots;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, Poker, State};
