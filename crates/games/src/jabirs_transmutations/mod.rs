//! Jabir's Transmutations: three alchemists draft cards and race for gold.
//!
//! Rules: *Jabir's Transmutations* (rule sheet with the list of its twelve transmutations).
//! Decisions: who gains by an eureka is a parameter, the chooser alone by default, since the sheet says both; three of
//! the gold transmutations need no card; a die on the reactant side is rolled before anything leaves the board and
//! costs its one token alone when it fails; a transmutation is refused when all it can make is a metal that is out;
//! fire and water are thrown away only while more than three are held; drafted cards are shown all at once.
//! An empty deck is made up again in the moment its next card is due: the resource deck of the discards.
//! Actions: an enum of the event choices, drafted and discarded cards, transmutations by their place in the list, and
//! the end of a turn. Outcomes: events, cards and rolls of the die.
//! Information: `information.rs` says what a drafting seat knows, and draws the rest.
//! Not here: the beginners' and the all-at-once way of taking the Play turns, which differ in nothing that is decided.
//! Checked against: perft.txt (by hand and by `reference.rs`, a second, slow program that also plays along in random games)
//! and clause-by-clause tests with the three examples of the rule sheet.

mod board;
mod information;
mod notation;
#[cfg(test)]
mod reference;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use board::{Card, Event, Metal, Resource};
pub use rules::{Action, JabirsTransmutations, Outcome, State};
