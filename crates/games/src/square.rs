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

/// A square grid of an observation under a symmetry.
pub fn map_grid(symmetry: usize, size: u8, grid: &[i32], image_grid: &mut [i32]) {
    let index = |(column, row): (u8, u8)| usize::from(row) * usize::from(size) + usize::from(column);
    for row in 0..size {
        for column in 0..size {
            image_grid[index(image(symmetry, size, (column, row)))] = grid[index((column, row))];
        }
    }
}

/// As [`map_grid`], for boards whose row 0 is the bottom one; the grid still lies row by row from the top.
pub fn map_grid_from_bottom(symmetry: usize, size: u8, grid: &[i32], image_grid: &mut [i32]) {
    let index = |(column, row): (u8, u8)| usize::from(size - 1 - row) * usize::from(size) + usize::from(column);
    for row in 0..size {
        for column in 0..size {
            image_grid[index(image(symmetry, size, (column, row)))] = grid[index((column, row))];
        }
    }
}
