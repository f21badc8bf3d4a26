//! How far the work on a set has come, as a file: a file of entries whose codes are the stage and where in it the work is.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::Numbered;
use super::analysis::{Analysis, Stage};
use super::file::{Content, Header, Kind, PART, Refused};

impl Analysis {
    /// Writes down how far the work has come.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write<N: Numbered>(&self, set: &N, file: &mut dyn Write) -> io::Result<()> {
        let (stage, attack, plies) = match self.stage {
            Stage::Leaving => (0, 0, 0),
            Stage::Spreading { attack, plies } => (1, attack.into(), plies),
            Stage::Checking => (2, 0, 0),
            Stage::Done => (3, 0, 0),
        };
        let from = [0, 16, 32, 48].map(|shift| (self.from >> shift) as u16);
        let furthest = self.furthest.iter().map(|plies| plies.load(Relaxed));
        let codes = [stage, attack, plies].into_iter().chain(from).chain(furthest).collect();
        let n_numbers = self.entries.len() as u64;
        let header = Header { kind: Kind::Checkpoint, identity: set.identity(), n_numbers, codes };
        header.write(file, &|visit| {
            self.entries.chunks(PART / 2).try_for_each(|entries| {
                let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.load(Relaxed).to_le_bytes()).collect();
                visit(&bytes)
            })
        })
    }

    /// The work on `set` that was written down, to be gone on with.
    ///
    /// # Errors
    /// When the file is something else, or damaged; see [`Refused`].
    pub fn read<N: Numbered>(set: &N, file: &Content) -> Result<Analysis, Refused> {
        let (header, offset) = Header::read(file, Kind::Checkpoint, &set.identity(), set.n_numbers(), |_| 2)?;
        let Ok([stage, attack, plies, f0, f1, f2, f3, furthest @ ..]) = <[u16; 14]>::try_from(&header.codes[..]) else {
            return Err(Refused::Damaged);
        };
        let stage = match stage {
            0 => Stage::Leaving,
            1 => Stage::Spreading { attack: attack as u8, plies },
            2 => Stage::Checking,
            _ => Stage::Done,
        };
        let from = [f3, f2, f1, f0].into_iter().fold(0, |from, part| from << 16 | u64::from(part));
        let entry = |nth: u64| {
            let at = offset + 2 * nth as usize;
            AtomicU16::new(u16::from_le_bytes([file.byte(at), file.byte(at + 1)]))
        };
        let entries = (0..header.n_numbers).map(entry).collect();
        Ok(Analysis::resumed(entries, stage, from, furthest.map(AtomicU16::new)))
    }
}
