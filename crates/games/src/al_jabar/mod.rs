//! Al-Jabar: pieces are the elements of a finite group, and any may be exchanged for others with the same sum.
//!
//! Rules: R. Schneider and C. Hettle, *Al-Jabar* (2012), with the generalisation of its mathematical notes.
//! Decisions: for unequal moduli the formulas take the number of elements for mⁿ and the least common multiple of the
//! moduli for m; parameters are refused when the bag cannot deal, not already when it holds less than the source
//! advises; an exchange that changes nothing is none. One zero of the source's example goes to the other player, as
//! its own rule has it (tests.rs replays all of it).
//! Not here: hands above 4 seats, other groups than sums of cyclic ones.
//! Actions: exchanges as two numbers of the table in `sets.rs`, and three words. Outcomes: colours.
//! Symmetries: the automorphisms of the group that keep the spectrum, 24 in the published game.
//! Speed: `exchanges.rs` counts and finds exchanges by sums, from counts of pieces packed four bits a colour.
//! Checked against: the source's example of play, ply by ply; perft.txt and random games in many groups by
//! `reference.rs`, a second program of plain lists.

mod exchanges;
mod group;
mod notation;
mod pieces;
#[cfg(test)]
mod reference;
mod rules;
mod sets;
#[cfg(test)]
mod tests;
mod view;

pub use exchanges::Exchange;
pub use group::{Colour, Group};
pub use rules::{Action, AlJabar, State};
