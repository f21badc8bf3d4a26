//! Tables kept in files from run to run.
//!
//! A file is a header of 32 bytes (what it is, version of the format, length, checksum) and the table. One that is damaged,
//! cut short or of another version is as good as none. It is written beside its place and then moved there, so that a
//! reader sees all of it or nothing.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use raichi_machine::with_room;

use crate::whole_file;

const MAGIC: &[u8; 8] = b"RAICHI3C";
const VERSION: u64 = 1;
const HEADER: usize = 32;

/// The table of this name and length, if the folder has it undamaged.
pub(super) fn read(folder: &Path, name: &str, n_bytes: usize) -> Option<Vec<u8>> {
    let mut file = fs::File::open(folder.join(format!("{name}.table"))).ok()?;
    let mut found = [0; HEADER];
    file.read_exact(&mut found).ok()?;
    // A table that is longer than it should be is found out by one byte more.
    let mut table = with_room(n_bytes + 1);
    file.take(n_bytes as u64 + 1).read_to_end(&mut table).ok()?;
    (table.len() == n_bytes && found == header(&table)).then_some(table)
}

/// Keeps a table.
///
/// # Errors
/// When the folder cannot be written.
pub(super) fn write(folder: &Path, name: &str, table: &[u8]) -> io::Result<()> {
    whole_file::write(folder, &format!("{name}.table"), &|file| {
        file.write_all(&header(table))?;
        file.write_all(table)
    })
}

fn header(table: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..16].copy_from_slice(&VERSION.to_le_bytes());
    header[16..24].copy_from_slice(&(table.len() as u64).to_le_bytes());
    header[24..].copy_from_slice(&checksum(table).to_le_bytes());
    header
}

/// FNV-1a, eight bytes at a time.
fn checksum(table: &[u8]) -> u64 {
    let (words, rest) = table.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word)).chain(rest.iter().map(|&byte| byte.into()));
    words.fold(0xcbf2_9ce4_8422_2325, |sum, word| (sum ^ word).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back_and_what_is_damaged_does_not() {
        let folder = std::env::temp_dir().join(format!("raichi-kept-{}", std::process::id()));
        let table: Vec<u8> = (0..1001).map(|i| (i * 7) as u8).collect();
        assert_eq!(read(&folder, "test", 1001), None);
        write(&folder, "test", &table).unwrap();
        assert_eq!(read(&folder, "test", 1001), Some(table));
        assert_eq!(read(&folder, "test", 1000), None);
        let file = folder.join("test.table");
        let whole = fs::read(&file).unwrap();
        for at in [0, 8, 16, 24, 32, 600, 1032] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&file, &damaged).unwrap();
            assert_eq!(read(&folder, "test", 1001), None, "{at}");
        }
        fs::write(&file, &whole[..900]).unwrap();
        assert_eq!(read(&folder, "test", 1001), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
