//! kaalu: seven piles of neutral, black and white stones, four of which a player brings under a primacy.
//!
//! Rules: Jacob Peck, *kaalu: an abstract strategy game about balance*.
//! Decisions: two piles that exchange their contents exactly are no change (the source's example of it is misprinted).
//! Only a move of neutral stones alone can be an exact reversal, and after a pass none is barred. Who cannot act
//! passes; two passes in a row are a draw, and so is the third occurrence of a position.
//! Not here: other numbers of piles or stones.
//! State: piles stand in the order of their letters, those without one last. Letters are part of the position, since
//! texts depend on them; what repetition compares is the multiset of piles, with stocks and seat. It is hashed as a sum
//! over the piles, two of which change without the others. A stone from a stock never comes back, so the stocks are the
//! stage. The move that would undo the preceding one and the passes in a row are part of the position too.
//! Actions: a pile to put a stone on; two piles and how many own and neutral stones move; pass.
//! Positions: neutral, black and white stones of each pile that has a letter, in the order of these (`-` where none has);
//! the seat to act, the stocks, and where they matter the barred reversal and the passes in a row:
//! `3/4/2,3/2/3 1 stocks=5/6`, `2/4/2,4/2/3,3/2/3 1 stocks=5/5 barred=b0/1a`.
//! Checked against: perft.txt (the collection's contract), a plain implementation in tests.rs that knows no letters.

mod encode;
mod moves;
mod notation;
mod pile;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use pile::primacy;
pub use rules::{Action, End, Kaalu, State};
