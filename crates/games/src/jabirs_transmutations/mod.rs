//! Jabir's Transmutations: three alchemists draft cards and race for gold.
//!
//! Rules: *Jabir's Transmutations* (rule sheet with the list of its twelve transmutations).
//! Decisions: who gains by an eureka is a parameter, the chooser alone by default, since the sheet says both; three of
//! the gold transmutations need no card; a die on the reactant side is rolled before anything leaves the board and
//! costs its one token alone when it fails; a transmutation is illegal when all it can make is a metal that is out;
//! fire and water are discarded only while more than three are held; drafted cards are shown all at once.
//! An empty deck is refilled when its next card is due: the resource deck from the discards.
//! Actions: an enum of the event choices, drafted and discarded cards, transmutations by their place in the list, and
//! the end of a turn. Outcomes: events, cards and rolls of the die.
//! Positions: tokens, the seat to act, and fields for the rest, explained in `position.rs`:
//! `cinnabar.lead/lead*2/tin.gold 1 round=3 events=eureka*2.favor saved=F*2/W/- drafted=-/-/F*4.L.Y discard=F*12.C*3`.
//! Information: `information.rs` says what a drafting seat knows, and draws the rest.
//! Turns in Play: one seat after the other, which the rule sheet has for beginners, or all together (`turns=together`), in
//! steps whose choices are secret until all are made. The two differ: two seats may choose what only one piece of a metal is
//! left for, and the second gets nothing for it.
//! Checked against: perft.txt (by hand and by `reference.rs`, a second, slow program that also plays along in random games)
//! and clause-by-clause tests with the three examples of the rule sheet.

mod board;
mod charts;
mod encode;
mod information;
mod notation;
mod position;
#[cfg(test)]
mod reference;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use board::{Card, Event, Metal, Resource};
pub use rules::{Action, JabirsTransmutations, Outcome, State};
