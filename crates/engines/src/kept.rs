//! Tables kept in files from run to run, whatever their form.
//!
//! A file is a sequence of numbers of eight bytes, little-endian: what kind of file it is, version of the form, length of the
//! identity, the identity, the content, and last a checksum of all that. The identity is a text that says what the table is of:
//! the game with all parameters that matter, and a version of the content. Bytes are filled up with zeros to a multiple of
//! eight. A file that is damaged, cut short, of another version or of something else is as good as none. It is written beside its
//! place and then moved there, so that a reader sees all of it or nothing.
//!
//! Tables of numbered positions have files of their own ([`crate::table_files`]), which are read where they lie.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use raichi_machine::with_room;
use raichi_solve::Folder;

use crate::whole_file;

const MAGIC: u64 = u64::from_le_bytes(*b"RAICHIKT");
const VERSION: u64 = 1;
/// How many bytes are read at once; a multiple of eight.
const PART: usize = 1 << 16;

/// Where a table is kept, and what it is of.
pub(crate) struct Name<'a> {
    /// The name of its file, without what follows the dot.
    pub(crate) file: &'a str,
    pub(crate) identity: &'a str,
}

/// Keeps what `fill` writes; who gave the folder is told where that fails.
pub(crate) fn write(folder: Folder<'_>, name: &Name<'_>, fill: &dyn Fn(&mut Sink<'_>) -> io::Result<()>) {
    whole_file::keep(folder, name.file, "table", &|file| {
        let mut sink = Sink { file, sum: Sum::default() };
        sink.words([MAGIC, VERSION, name.identity.len() as u64])?;
        sink.bytes(name.identity.as_bytes())?;
        fill(&mut sink)?;
        let sum = sink.sum.0;
        sink.words([sum])
    });
}

/// What `take` reads from the table of this name, if the folder has it undamaged; `take` must read all of the content.
pub(crate) fn read<T>(folder: &Path, name: &Name<'_>, take: impl FnOnce(&mut Source) -> io::Result<T>) -> Option<T> {
    let file = File::open(folder.join(format!("{}.table", name.file))).ok()?;
    let left = file.metadata().ok()?.len();
    let mut source = Source { file, left, sum: Sum::default() };
    let [magic, version, length] = source.array().ok()?;
    if (magic, version, length) != (MAGIC, VERSION, name.identity.len() as u64) {
        return None;
    }
    let identity = source.bytes(name.identity.len()).ok()?;
    let taken = take(&mut source).ok().filter(|_| identity == name.identity.as_bytes())?;
    let sum = source.sum.0;
    // A file that is longer than it should be was changed.
    (source.array().ok()? == [sum] && source.left == 0).then_some(taken)
}

/// Where a table is written to.
pub(crate) struct Sink<'a> {
    file: &'a mut dyn Write,
    sum: Sum,
}

impl Sink<'_> {
    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
        words.into_iter().try_for_each(|word| {
            self.sum.add(word);
            self.file.write_all(&word.to_le_bytes())
        })
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let last = (!rest.is_empty()).then_some(&last);
        self.words(words.iter().chain(last).map(|&word| u64::from_le_bytes(word)))
    }
}

/// Where a table is read from, in the order in which it was written.
pub(crate) struct Source {
    file: File,
    /// How many bytes of the file were not read.
    left: u64,
    sum: Sum,
}

impl Source {
    /// So many numbers.
    ///
    /// # Errors
    /// When the file has not as many. Lengths that come from a damaged file are no danger: no room is asked for then.
    pub(crate) fn words(&mut self, n: usize) -> io::Result<Vec<u64>> {
        self.parts(n, n, |words, part| words.extend(part.iter().map(|&word| u64::from_le_bytes(word))))
    }

    /// So many bytes; as [`Source::words`].
    pub(crate) fn bytes(&mut self, n: usize) -> io::Result<Vec<u8>> {
        let n_words = n.div_ceil(8);
        let mut bytes = self.parts(n_words, 8 * n_words, |bytes, part| bytes.extend_from_slice(part.as_flattened()))?;
        bytes.truncate(n);
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u64; N]> {
        Ok(self.words(N)?.try_into().expect("there are as many as were asked for"))
    }

    fn parts<T>(&mut self, n_words: usize, n: usize, take: impl Fn(&mut Vec<T>, &[[u8; 8]])) -> io::Result<Vec<T>> {
        let n_bytes = (n_words as u64).checked_mul(8).filter(|&n_bytes| n_bytes <= self.left);
        self.left -= n_bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
        let (mut taken, mut part) = (with_room(n), vec![0; PART.min(8 * n_words)]);
        let mut n_left = 8 * n_words;
        while n_left > 0 {
            let part = &mut part[..PART.min(n_left)];
            self.file.read_exact(part)?;
            let (words, _) = part.as_chunks::<8>();
            words.iter().for_each(|&word| self.sum.add(u64::from_le_bytes(word)));
            take(&mut taken, words);
            n_left -= part.len();
        }
        Ok(taken)
    }
}

/// FNV-1a (Fowler, Noll and Vo), eight bytes at a time: any change within one of the eights changes it.
struct Sum(u64);

impl Default for Sum {
    fn default() -> Sum {
        Sum(0xcbf2_9ce4_8422_2325)
    }
}

impl Sum {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::own_folder::OwnFolder;

    const NAME: Name<'_> = Name { file: "test", identity: "a test, version 1" };

    fn table() -> (Vec<u8>, Vec<u64>) {
        ((0..1001).map(|i| (i * 7) as u8).collect(), (0..20_000).map(|i| i * i * i).collect())
    }

    fn write_table(folder: Folder<'_>) {
        let (bytes, words) = table();
        write(folder, &NAME, &|sink| {
            sink.bytes(&bytes)?;
            sink.words(words.iter().copied())
        });
    }

    fn read_table(folder: &OwnFolder, name: &Name<'_>) -> Option<(Vec<u8>, Vec<u64>)> {
        read(&folder.0, name, |source| Ok((source.bytes(1001)?, source.words(20_000)?)))
    }

    #[test]
    fn what_is_kept_reads_back_and_what_is_damaged_does_not() {
        let folder = OwnFolder::new("kept-form");
        assert_eq!(read_table(&folder, &NAME), None);
        write_table(folder.kept());
        assert_eq!(read_table(&folder, &NAME), Some(table()));
        for identity in ["a test, version 2", "a test, version 10", ""] {
            assert_eq!(read_table(&folder, &Name { identity, ..NAME }), None, "{identity}");
        }
        // More or less than there is.
        assert_eq!(read(&folder.0, &NAME, |source| source.bytes(1001)), None);
        assert_eq!(read(&folder.0, &NAME, |source| source.words(1 << 60)), None);
        let file = folder.0.join("test.table");
        let whole = fs::read(&file).unwrap();
        for at in [0, 8, 16, 24, 41, 48, 600, 1048, 100_000, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&file, &damaged).unwrap();
            assert_eq!(read_table(&folder, &NAME), None, "{at}");
        }
        for n_bytes in [0, 20, 900, whole.len() - 8, whole.len() - 1] {
            fs::write(&file, &whole[..n_bytes]).unwrap();
            assert_eq!(read_table(&folder, &NAME), None, "{n_bytes}");
        }
        fs::write(&file, [&whole[..], b"longer"].concat()).unwrap();
        assert_eq!(read_table(&folder, &NAME), None);
        // One that lies there is replaced.
        write_table(folder.kept());
        assert_eq!(read_table(&folder, &NAME), Some(table()));
    }

    #[test]
    fn what_cannot_be_kept_is_said() {
        let folder = OwnFolder::new("kept-form-not");
        folder.block("test.table");
        let ((), not_kept) = folder.with(write_table);
        assert!(not_kept.len() == 1 && not_kept[0].starts_with("the table test cannot be kept in "), "{not_kept:?}");
    }
}
