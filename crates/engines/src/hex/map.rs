//! Which first stones win, on small boards: read from a file that was computed here.

use std::sync::OnceLock;

/// Rows from the top, boards apart by empty lines; each size once.
const OPENINGS: &str = include_str!("openings.txt");

/// For each cell of a board of this size whether Black wins by beginning there, without a swap; `None` where no map
/// is known.
pub fn winning_openings(size: u8) -> Option<&'static [bool]> {
    static MAPS: OnceLock<Vec<Vec<bool>>> = OnceLock::new();
    let maps = MAPS.get_or_init(|| {
        let boards = OPENINGS.split("\n\n").skip(1);
        boards.map(|board| board.chars().filter(|c| c.is_ascii_alphabetic()).map(|c| c == 'B').collect()).collect()
    });
    maps.iter().find(|map| map.len() == usize::from(size) * usize::from(size)).map(Vec::as_slice)
}

/// A map as the file has it.
pub fn map_text(size: u8, wins: &[bool]) -> String {
    let rows = wins.chunks(size.into()).enumerate().map(|(row, wins)| {
        let cells: Vec<&str> = wins.iter().map(|&wins| if wins { "B" } else { "W" }).collect();
        format!("{}{}\n", " ".repeat(row), cells.join(" "))
    });
    rows.collect()
}
