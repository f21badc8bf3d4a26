//! Tablut on the 9×9 board, the king in his castle against the Muscovites around him.
//!
//! Rules: Linnaeus's diary of 1732 as told by Gardner, *Four Unusual Board Games*, with Sackson's variant of 1863
//! (`king-range=4`).
//! Decisions: captures are judged on the board after the move, all at once. The edge and the empty castle never help to
//! capture a man; the castle under the king does, for the Muscovites, only when the other three cells beside him are
//! theirs. The king is taken beside the castle by three, on an edge of three cells never (there he has escaped). His
//! own step out of the castle into such a place is legal, and lost. A player who cannot act loses. The third occurrence
//! of a position is a draw. The announcements *Raichi* and *Tuichu* are notes of the picture, no actions.
//! Not here: throne and corner rules of the modern reconstructions.
//! State: captures cannot be taken back, so repetition looks at the plies since the last capture only. The state keeps
//! these plies, not hashes of positions: they take two bytes each, map under the eight symmetries one by one, and
//! walking them back compares positions exactly; nearly every ply is passed without a walk. They lie in a plain vector:
//! places for the first 16, 32, 64 or 128 plies in the state itself made neither clones (15 ns) nor playouts faster.
//! Actions: the cell moved from and the cell moved to; cells are numbered in `board.rs`.
//! Checked against: perft.txt (an independent enumeration) and clause-by-clause tests with Gardner's figures.

mod board;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, Side, State, Tablut};
