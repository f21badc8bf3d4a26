//! Tablut on the 9×9 board, the king in his castle against the Muscovites around him.
//!
//! Rules: Linnaeus's diary of 1732 as told by Gardner, *Four Unusual Board Games*, and with `king-range=4` the American game
//! *Freedom's Contest* of 1863, of which Sackson reports there.
//! Decisions: captures are judged on the board after the move, all at once. The edge and the empty castle never help to
//! capture a man; the castle under the king does, for the Muscovites, only when the other three cells beside him are
//! theirs. The king is taken beside the castle by three, on an edge of three cells never (there he has escaped). His
//! own step out of the castle into such a place is legal, and lost. A player who cannot act loses. The third occurrence
//! of a position is a draw. The announcements *Raichi* and *Tuichu* are notes of the picture, no actions.
//! Not here: throne and corner rules of the modern reconstructions.
//! State: the pieces as bits, and a hash of them that follows each ply (A. Zobrist, *A New Hashing Method with
//! Application for Game Playing*, 1970): it is the key by which repetitions are counted. Captures cannot be undone, so
//! the pieces on the board are the stage.
//! Actions: the cell moved from and the cell moved to; cells are numbered in `board.rs`.
//! Positions: rows from row 9 down with `M` Muscovite, `S` Swede, `K` king and numbers of empty cells, then the seat to
//! act, then `king=captured` where the last ply captured the king, which the board alone does not tell:
//! `3MMM3/4M4/4S4/M3S3M/MMSSKSSMM/M3S3M/4S4/4M4/3MMM3 0`. OpenTafl's letters (`t` and `T` for the men) and its slashes at
//! both ends are read as well.
//! Checked against: perft.txt (an independent enumeration) and clause-by-clause tests with Gardner's figures.

pub mod board;
mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, End, Side, State, Tablut};
