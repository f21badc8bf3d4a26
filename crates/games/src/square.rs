//! The eight symmetries of a square board.

/// How many there are; number 0 is the identity.
pub const N_SYMMETRIES: usize = 8;

/// Where a cell of a square board of this size goes: bit 0 of the symmetry mirrors the columns, bit 1 the rows, and then
/// bit 2 exchanges both.
///
/// ```
/// use raichi_games::square::image;
/// assert_eq!([image(1, 3, (0, 1)), image(2, 3, (0, 1)), image(5, 3, (0, 1))], [(2, 1), (0, 1), (1, 2)]);
/// ```
pub fn image(symmetry: usize, size: u8, (column, row): (u8, u8)) -> (u8, u8) {
    let column = if symmetry & 1 == 0 { column } else { size - 1 - column };
    let row = if symmetry & 2 == 0 { row } else { size - 1 - row };
    if symmetry & 4 == 0 { (column, row) } else { (row, column) }
}
