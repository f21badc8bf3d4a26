//! kaalu: seven piles of neutral, black and white stones, four of which a player brings under a primacy.
//!
//! Rules: Jacob Peck, *kaalu: an abstract strategy game about balance*.
//! Decisions: two piles that exchange their contents exactly are no change (the source's example of it is misprinted).
//! Only a move of neutral stones alone can be an exact reversal, and after a pass none is barred. Who cannot act
//! passes; two passes in a row are a draw, and so is the third occurrence of a position.
//! Not here: other numbers of piles or stones.
//! State: piles stand in the order of their letters, those without one last. Letters are part of the position, since
//! texts depend on them; what repetition compares is the multiset of piles. It is hashed as a sum over the piles, which
//! two piles change without the others. A stone from a stock never comes back, so that only the plies since the last
//! one are remembered; seats alternate, so that only every second of these is compared.
//! Actions: a pile to put a stone on; two piles and how many own and neutral stones move; pass.
//! Checked against: perft.txt (the collection's contract), a plain implementation in tests.rs that knows no letters.

mod moves;
mod notation;
mod pile;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, Kaalu, State};
