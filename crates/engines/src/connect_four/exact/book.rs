//! The exact scores of the first positions on the board of 7×6, one of each pair of mirror images.
//!
//! The file: `Raichi connect-four 7x6 scores`, a line feed, the most plies of a position in it (a byte), the number of
//! positions (four bytes), the check sum of what follows (eight bytes, FNV-1a), then the positions by ascending keys: the key (seven
//! bytes) and the score of the seat to act (a byte, signed). Numbers begin with their lowest byte. A position's key: column by
//! column from the left, seven bits each, the stones of the seat to act as bits from the bottom up, plus ones as many as there
//! are stones; the smaller one of it and its mirror image's.
//! Made by `cargo run --profile figures --example connect_four_book -- 7 LOG FILE 16`, which searches the positions of the last ply
//! and takes the others from them. Checked in tests.rs: that all positions to that ply are there, the published scores of the
//! empty board and the seven first actions, and (nightly) some positions, searched again.

use std::sync::OnceLock;

use super::board::{Cells, Shape, Standard, has_line, key, landing, mirrored};

use crate::checksum::checksum;

static FILE: &[u8] = include_bytes!("book.bin");

const TITLE: &[u8] = b"Raichi connect-four 7x6 scores\n";
const ENTRY: usize = 8;

/// Positions by key, and their scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// No position after more plies is in it.
    pub n_plies: u8,
    /// By ascending keys.
    pub entries: Vec<(u64, i8)>,
}

/// Why bytes are no book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBook {
    /// They do not begin as one.
    #[error("it does not begin with `Raichi connect-four 7x6 scores`")]
    Title,
    /// There are fewer or more than the header says.
    #[error("it is cut off, or too long")]
    Length,
    /// They have changed.
    #[error("its check sum is not that of its contents")]
    CheckSum,
}

/// The book in the program.
pub fn built_in() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| Book::read(FILE).expect("a test reads it"))
}

/// The score of the seat to act; `None` where the book has not got the position.
pub(super) fn score(own: u64, all: u64) -> Option<i32> {
    let book = built_in();
    if all.n() > book.n_plies.into() {
        return None;
    }
    book.score(canonical_key(own, all))
}

/// The key of a position: of its stones of the seat to act, and of all.
pub fn canonical_key(own: u64, all: u64) -> u64 {
    let key = key(own, all);
    key.min(mirrored(Standard, key))
}

impl Book {
    /// The score of the seat to act in the position with this key.
    pub fn score(&self, key: u64) -> Option<i32> {
        let at = self.entries.binary_search_by_key(&key, |entry| entry.0).ok()?;
        Some(self.entries[at].1.into())
    }

    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let entries = self.entries.iter().flat_map(|&(key, score)| {
            let mut entry = key.to_le_bytes();
            entry[7] = score as u8;
            entry
        });
        let entries: Vec<u8> = entries.collect();
        let mut file = TITLE.to_vec();
        file.push(self.n_plies);
        file.extend((self.entries.len() as u32).to_le_bytes());
        file.extend(checksum(&entries).to_le_bytes());
        file.extend(entries);
        file
    }

    /// From bytes.
    ///
    /// # Errors
    /// Where they are no book, or a damaged one.
    pub fn read(file: &[u8]) -> Result<Book, NoBook> {
        let rest = file.strip_prefix(TITLE).ok_or(NoBook::Title)?;
        let (n_plies, rest) = rest.split_first().ok_or(NoBook::Length)?;
        let (n, rest) = rest.split_first_chunk().ok_or(NoBook::Length)?;
        let (sum, entries) = rest.split_first_chunk().ok_or(NoBook::Length)?;
        if entries.len() != u32::from_le_bytes(*n) as usize * ENTRY {
            return Err(NoBook::Length);
        }
        if u64::from_le_bytes(*sum) != checksum(entries) {
            return Err(NoBook::CheckSum);
        }
        let entry = |bytes: &[u8; ENTRY]| (u64::from_le_bytes(*bytes) & ((1 << 56) - 1), bytes[7] as i8);
        let entries = entries.as_chunks().0.iter().map(entry).collect();
        Ok(Book { n_plies: *n_plies, entries })
    }

    /// A book of what is known of the positions after so many plies and fewer, and of what follows from it.
    pub fn gathered(n_plies: u8, known: impl Fn(u64) -> Option<i32>) -> Book {
        let mut book = Book { n_plies, entries: Vec::new() };
        for level in positions_to(n_plies).iter().rev() {
            let score = |&(own, all): &(u64, u64)| {
                let key = canonical_key(own, all);
                let score = known(key).or_else(|| from_next(&book, own, all))?;
                Some((key, score as i8))
            };
            let scored: Vec<(u64, i8)> = level.iter().filter_map(score).collect();
            book.entries.extend(scored);
            // The ply before looks positions up.
            book.entries.sort_unstable();
        }
        book
    }
}

/// The score of a position from those of the positions after it, where the book has them all.
fn from_next(book: &Book, own: u64, all: u64) -> Option<i32> {
    let n_empty = (Standard.board() & !all).n() as i32;
    let mut best = i32::MIN;
    for stone in stones(all) {
        let is_won = has_line(Standard, own | stone);
        let score = || book.score(canonical_key(own ^ all, all | stone)).map(|score| -score);
        best = best.max(if is_won { (n_empty + 1) / 2 } else { score()? });
    }
    Some(best)
}

/// The positions that are not over after each number of plies up to this one, one of each pair of mirror images: the stones of the
/// seat to act, and all.
pub fn positions_to(n_plies: u8) -> Vec<Vec<(u64, u64)>> {
    let mut levels = vec![vec![(0, 0)]];
    for _ in 0..n_plies {
        let mut seen = rustc_hash::FxHashSet::default();
        let before: &Vec<(u64, u64)> = levels.last().expect("the empty board is there");
        let next = before.iter().flat_map(|&(own, all)| {
            stones(all).filter(move |stone| !has_line(Standard, own | stone)).map(move |stone| (own ^ all, all | stone))
        });
        let next = next.filter(|&(own, all)| seen.insert(canonical_key(own, all))).collect();
        levels.push(next);
    }
    levels
}

/// Where a stone may come to lie, from the left.
fn stones(all: u64) -> impl Iterator<Item = u64> {
    let mut left = landing(Standard, all);
    std::iter::from_fn(move || {
        let stone = left.lowest();
        left ^= stone;
        (stone != 0).then_some(stone)
    })
}
