//! Al-Jabar: pieces are the elements of a finite group, and any may be exchanged for others with the same sum.
//!
//! Rules: R. Schneider and C. Hettle, *Al-Jabar* (2012), with the generalisation of its mathematical notes.
//! Decisions: for unequal moduli the formulas take the number of elements for mⁿ and the least common multiple of the
//! moduli for m; parameters are refused when the bag cannot deal, but not when it merely holds less than the source
//! advises; an exchange has to change something. What a house may change (`hand`, `limit`, `spectrum`, `gift`) leaves the
//! number of moduli where the rules speak of it: in calling the final round, in having to draw, in the spectrum. One zero of the source's example goes to the other player, as
//! its own rule has it (tests.rs replays all of it).
//! Not here: hands above 4 seats, other groups than sums of cyclic ones.
//! Actions: exchanges as two numbers of the table in `sets.rs`, and three words. Outcomes: colours.
//! Positions: the Center, the seat to act, rounds completed, hands and bag, each colour with its number, explained in
//! `position.rs`: `G.K*2 0 round=3 hands=R*2.Y/O.W.K bag=R*8.Y*9.B*10.O*9.G*7.P*10.W*9`.
//! Symmetries: the automorphisms of the group that keep the spectrum, 24 in the published game.
//! Speed: `exchanges.rs` counts and finds exchanges by sums, from counts of pieces packed four bits a colour.
//! Checked against: the source's example of play, ply by ply; perft.txt and random games in many groups by
//! `reference.rs`, a second program of plain lists.

mod charts;
mod encode;
mod exchanges;
mod group;
mod notation;
mod numbers;
mod pieces;
mod position;
#[cfg(test)]
mod reference;
mod rules;
mod sets;
#[cfg(test)]
mod tests;
mod view;

pub use exchanges::Exchange;
pub use group::{Colour, Group};
pub use numbers::Numbers;
pub use rules::{Action, AlJabar, House, State};
