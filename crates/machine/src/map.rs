//! Files as memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A file that is read as memory: only the pages that are looked at are brought in, and all processes that read the file
/// share them.
///
/// Bytes are copied out one by one, never lent: who writes into the file meanwhile changes what is read, but breaks no
/// promise of the language. Who makes it shorter ends the process at the next read behind its end, so files that are mapped
/// are to be replaced by renaming others over them, never written to.
pub struct Map {
    pages: Mmap,
}

impl Map {
    /// The whole of `file` as it is now.
    ///
    /// # Errors
    /// Where the system cannot map it.
    pub fn of(file: &File) -> io::Result<Map> {
        // SAFETY: a slice of the pages would promise that nobody else changes them, which nobody can: so none is ever made.
        // They are read through raw pointers only, a byte at a time, and volatile.
        let pages = unsafe { Mmap::map(file)? };
        Ok(Map { pages })
    }

    /// How many bytes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The byte at a place.
    ///
    /// # Panics
    /// Behind the end.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        assert!(at < self.len(), "byte {at} of {}", self.len());
        // SAFETY: the place lies within the pages, by the line above, and they stay mapped for as long as `self` lives.
        unsafe { self.pages.as_ptr().add(at).read_volatile() }
    }

    /// Some bytes from a place on.
    ///
    /// # Panics
    /// Where some of them lie behind the end.
    pub fn copy(&self, from: usize, to: &mut [u8]) {
        assert!(from.checked_add(to.len()).is_some_and(|end| end <= self.len()), "{} bytes from {from}", to.len());
        for (i, byte) in to.iter_mut().enumerate() {
            *byte = self.byte(from + i);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file of this test only.
    fn file(name: &str, bytes: &[u8]) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("raichi-map-{name}-{}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn a_map_has_the_bytes_of_the_file() {
        let bytes: Vec<u8> = (0..10_001_u32).map(|i| (i * 7) as u8).collect();
        let path = file("bytes", &bytes);
        let map = Map::of(&File::open(&path).unwrap()).unwrap();
        // What has been renamed over it or removed is of no concern.
        fs::remove_file(&path).unwrap();
        assert_eq!(map.len(), bytes.len());
        assert!((0..bytes.len()).all(|at| map.byte(at) == bytes[at]));
        let mut part = [0; 100];
        map.copy(9901, &mut part);
        assert_eq!(part, bytes[9901..]);
    }

    #[test]
    #[should_panic(expected = "byte 3 of 3")]
    fn nothing_is_read_behind_the_end() {
        let path = file("end", b"abc");
        let map = Map::of(&File::open(&path).unwrap()).unwrap();
        fs::remove_file(&path).unwrap();
        map.byte(3);
    }
}
