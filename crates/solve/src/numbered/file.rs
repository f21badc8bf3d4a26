//! The form of the files: a header that says what they are of, and the entries.
//!
//! Header, all numbers of eight bytes and little-endian: what kind of file it is, version of the form, checksum of all that
//! comes after it, length of the identity, number of positions, number of codes; then the identity and the codes of two
//! bytes each, both filled up with zeros to a multiple of eight. The codes of a table are the values that occur, those of a
//! checkpoint say how far the work has come.
//!
//! Files are opened, named and moved by who keeps them.

use std::io::{self, Write};

use raichi_machine::Map;

const VERSION: u64 = 1;
/// How many bytes come before the identity.
const FIXED: usize = 48;
/// How many bytes are written or read at once; a multiple of eight.
pub(super) const PART: usize = 1 << 16;

/// Why a file was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// It is something else.
    #[error("the file is no {0}")]
    Kind(&'static str),
    /// It was written by another version of the program.
    #[error("the file is of version {0} of its form, and version {VERSION} is read")]
    Version(u64),
    /// It is of other rules or another set.
    #[error("the file is of \"{found}\", and \"{wanted}\" is wanted")]
    Other {
        /// What it is of.
        found: String,
        /// What it should be of.
        wanted: String,
    },
    /// It is too short or too long.
    #[error("the file has {found} bytes, and {wanted} are wanted: it was cut off, or something was added")]
    Length {
        /// How long it is.
        found: u64,
        /// How long it should be.
        wanted: u64,
    },
    /// Its values are not those of the rules.
    #[error("the values in the file do not follow from the rules: it was made when these were different ones")]
    Rules,
    /// Something in it was changed.
    #[error("the file is damaged: its checksum is not that of what it holds")]
    Damaged,
}

/// The bytes of a file or of a table.
pub enum Content {
    /// Read.
    Memory(Vec<u8>),
    /// Read when they are looked at.
    Mapped(Map),
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl Content {
    fn len(&self) -> usize {
        match self {
            Content::Memory(bytes) => bytes.len(),
            Content::Mapped(map) => map.len(),
        }
    }

    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        match self {
            Content::Memory(bytes) => bytes[at],
            Content::Mapped(map) => map.byte(at),
        }
    }

    /// So many bytes from a place on, part by part.
    pub(super) fn each_part(
        &self,
        from: usize,
        n_bytes: usize,
        visit: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut part = vec![0; PART.min(n_bytes)];
        for begin in (0..n_bytes).step_by(PART) {
            let part = &mut part[..PART.min(n_bytes - begin)];
            match self {
                Content::Memory(bytes) => part.copy_from_slice(&bytes[from + begin..][..part.len()]),
                Content::Mapped(map) => map.copy(from + begin, part),
            }
            visit(part)?;
        }
        Ok(())
    }

    fn array<const N: usize>(&self, from: usize) -> Option<[u8; N]> {
        (from.checked_add(N)? <= self.len()).then(|| std::array::from_fn(|i| self.byte(from + i)))
    }
}

/// What a file may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Table,
    Checkpoint,
}

impl Kind {
    fn magic(self) -> [u8; 8] {
        match self {
            Kind::Table => *b"RAICHITB",
            Kind::Checkpoint => *b"RAICHICP",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Table => "table of positions",
            Kind::Checkpoint => "checkpoint of a table of positions",
        }
    }
}

/// What stands before the entries.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) identity: String,
    pub(super) n_numbers: u64,
    pub(super) codes: Vec<u16>,
}

/// Calls a function with all entries, part by part; all parts but the last are a multiple of eight bytes long.
type Parts<'a> = dyn Fn(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> + 'a;

impl Header {
    /// What follows the checksum, up to the entries.
    fn bytes(&self) -> Vec<u8> {
        let numbers = [self.identity.len() as u64, self.n_numbers, self.codes.len() as u64];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        bytes.extend(self.identity.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend(self.codes.iter().flat_map(|code| code.to_le_bytes()));
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    pub(super) fn write(&self, file: &mut dyn Write, entries: &Parts<'_>) -> io::Result<()> {
        let bytes = self.bytes();
        let mut checksum = Checksum::default();
        checksum.add(&bytes);
        entries(&mut |part| {
            checksum.add(part);
            Ok(())
        })?;
        file.write_all(&self.kind.magic())?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&checksum.0.to_le_bytes())?;
        file.write_all(&bytes)?;
        entries(&mut |part| file.write_all(part))
    }

    /// The header of a file with entries of as many bytes as `bytes_each` says, and where they begin.
    pub(super) fn read(
        file: &Content,
        kind: Kind,
        identity: &str,
        n_numbers: u64,
        bytes_each: fn(&[u16]) -> usize,
    ) -> Result<(Header, usize), Refused> {
        // 1. Whether it is such a file at all.
        let cut_off = |wanted: usize| Refused::Length { found: file.len() as u64, wanted: wanted as u64 };
        if file.array(0).ok_or(cut_off(FIXED))? != kind.magic() {
            return Err(Refused::Kind(kind.name()));
        }
        let number = |nth: usize| file.array(8 * nth).map(u64::from_le_bytes).ok_or(cut_off(FIXED));
        let (version, checksum) = (number(1)?, number(2)?);
        if version != VERSION {
            return Err(Refused::Version(version));
        }

        // 2. What it is of. Lengths are not believed before the checksum.
        let (n_text, n_found, n_codes) = (number(3)? as usize, number(4)?, number(5)? as usize);
        if n_text > file.len() || n_codes > 1 << 16 {
            return Err(cut_off(FIXED.saturating_add(n_text)));
        }
        let codes_from = FIXED + n_text.next_multiple_of(8);
        let offset = codes_from + (2 * n_codes).next_multiple_of(8);
        if offset > file.len() {
            return Err(cut_off(offset));
        }
        let text: Vec<u8> = (FIXED..FIXED + n_text).map(|at| file.byte(at)).collect();
        let found = String::from_utf8_lossy(&text).into_owned();
        if found != identity || n_found != n_numbers {
            return Err(Refused::Other { found, wanted: identity.into() });
        }

        // 3. Whether all of it is there, and as it was written.
        let code = |nth| u16::from_le_bytes(file.array(codes_from + 2 * nth).expect("it lies before the offset"));
        let codes: Vec<u16> = (0..n_codes).map(code).collect();
        let wanted = offset + n_numbers as usize * bytes_each(&codes);
        if file.len() != wanted {
            return Err(cut_off(wanted));
        }
        let mut sum = Checksum::default();
        let added = file.each_part(24, wanted - 24, &mut |part| {
            sum.add(part);
            Ok(())
        });
        added.expect("adding cannot fail");
        if sum.0 != checksum {
            return Err(Refused::Damaged);
        }
        Ok((Header { kind, identity: found, n_numbers, codes }, offset))
    }
}

/// FNV-1a, eight bytes at a time (Fowler, Noll and Vo): any change within one of the eights changes it.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let last = (!rest.is_empty()).then_some(last);
        for &word in words.iter().chain(&last) {
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
