//! Black on a board of rows × columns: two players lengthen one path, and neither wants to run it to the border.
//!
//! Rules: Gardner, *Four Unusual Board Games*: the game of William L. Black (1960).
//! Decisions: the path comes into a1 from the left and leaves it to the right; downward would be the mirrored game. The
//! lower right cell wins with any tile, also with one that leads on to the border.
//! Not here: boards that are not rectangles.
//! State: two bits a cell. A tile is the number that turns the side a path comes in by into the side it leaves by, so
//! that following the path is one exclusive or a cell. The tip is kept along. The tiles alone tell the order in which
//! they were put, so that no position is reached by two ways: a table of positions finds nothing twice.
//! Actions: the cell at the tip of the path and the tile put there.
//! Positions: rows from the top with `x`, `s` for `/`, `b` for `\` (a `/` ends a row) and numbers of empty cells, then the
//! seat to act: `xb2/1s2/4/4 1`. The path and the end of the game follow from the tiles, all of which lie on the path.
//! Checked against: perft.txt (an independent enumeration), the known winners by exhaustive search, a plain board.

mod encode;
mod notation;
mod rules;
#[cfg(test)]
mod tests;
mod view;

pub use rules::{Action, Black, End, State, Tile};
