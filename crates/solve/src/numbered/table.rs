//! The values of a set of positions, as they are kept: the different values that occur, and for each number which of them.

use std::io::{self, Write};

use super::Numbered;
use super::analysis::Analysis;
use super::file::{Content, Header, Kind, Refused};
use super::scale::{HOLE, Scale, Value};
use super::spread::Knowledge;
use crate::exact::Exact;

/// So many numbers of a table that is read are compared with the rules, at most: some milliseconds of work.
const SAMPLE: u64 = 256;

/// The values of all positions of a set: a byte each where no more than 256 different ones occur, else two.
///
/// Checked when it was made; see [`Analysis`].
#[derive(Debug)]
pub struct Table {
    scale: Scale,
    header: Header,
    /// The values that occur; of numbers that stand for no position any.
    values: Vec<Value>,
    content: Content,
    /// How many bytes come before the first entry.
    offset: usize,
}

impl Table {
    /// The values that an analysis found.
    pub(super) fn pack(identity: String, analysis: &Analysis, scale: Scale) -> Table {
        let n_numbers = analysis.entries.len() as u64;
        let mut occurs = vec![false; usize::from(u16::MAX) + 1];
        let entry = |number| match analysis.entry(number) {
            HOLE => None,
            _ => Some(analysis.value(number, &scale).entry()),
        };
        (0..n_numbers).filter_map(entry).for_each(|entry| occurs[usize::from(entry)] = true);
        let codes: Vec<u16> = (0..=u16::MAX).filter(|&entry| occurs[usize::from(entry)]).collect();
        let mut places = vec![0; occurs.len()];
        codes.iter().zip(0u16..).for_each(|(&entry, place)| places[usize::from(entry)] = place);
        let places = (0..n_numbers).map(|number| entry(number).map_or(0, |entry| places[usize::from(entry)]));
        let content: Vec<u8> = match bytes_each(&codes) {
            1 => places.map(|place| place as u8).collect(),
            _ => places.flat_map(u16::to_le_bytes).collect(),
        };
        let header = Header { kind: Kind::Table, identity, n_numbers, codes };
        Table { values: values(&header), scale, header, content: Content::Memory(content), offset: 0 }
    }

    /// The table of `set` that lies in `file`, checked for damage and, in a sample of its positions, against the rules.
    ///
    /// # Errors
    /// When it is no such table; see [`Refused`].
    pub fn read<N: Numbered>(set: &N, file: Content) -> Result<Table, Refused> {
        let (header, offset) = Header::read(&file, Kind::Table, &set.identity(), set.n_numbers(), bytes_each)?;
        let scale = Scale::new(set.payoffs(), &set.endless()).map_err(|_| Refused::Damaged)?;
        let table = Table { values: values(&header), scale, header, content: file, offset };
        if table.fits_rules(set) { Ok(table) } else { Err(Refused::Rules) }
    }

    /// Whether the values in a sample follow from those of the successors, by the rules as they are now. An identity says which game
    /// it is, and nothing of corrections of its rules since then.
    fn fits_rules<N: Numbered>(&self, set: &N) -> bool {
        let knowledge = Knowledge { set, beyond: &|_| None, scale: &self.scale };
        let (mut scratch, step) = (Vec::new(), self.n_numbers().div_ceil(SAMPLE).max(1));
        (0..self.n_numbers()).step_by(step as usize).all(|number| {
            let Some(position) = set.position(number) else { return true };
            match knowledge.derive(&position, &mut scratch, |number| self.value(number)) {
                Ok(derived) => derived == Some(self.value(number)),
                // Where an action leaves the set, other tables would be needed.
                Err(_) => true,
            }
        })
    }

    /// Writes the table as it is read.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, file: &mut dyn Write) -> io::Result<()> {
        let n_bytes = self.header.n_numbers as usize * bytes_each(&self.header.codes);
        self.header.write(file, &|visit| self.content.each_part(self.offset, n_bytes, visit))
    }

    /// What the position with a number is worth. The number must be that of a position.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn value(&self, number: u64) -> Value {
        let number = usize::try_from(number).expect("a table fits into memory");
        let place = match bytes_each(&self.header.codes) {
            1 => self.content.byte(self.offset + number).into(),
            _ => {
                let byte = |i| self.content.byte(self.offset + 2 * number + i);
                usize::from(u16::from_le_bytes([byte(0), byte(1)]))
            }
        };
        self.values[place]
    }

    /// The same with its payoffs.
    pub fn exact(&self, number: u64) -> Exact {
        self.scale.exact(self.value(number))
    }

    /// The payoffs of a value, and its distance.
    pub fn exact_of(&self, value: Value) -> Exact {
        self.scale.exact(value)
    }

    /// How many numbers there are, those that stand for no position among them.
    pub fn n_numbers(&self) -> u64 {
        self.header.n_numbers
    }

    /// How many bytes of memory it takes; nothing where it lies in a file.
    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::Mapped(_) => 0,
        }
    }
}

/// How many bytes an entry takes, where so many different values occur.
fn bytes_each(codes: &[u16]) -> usize {
    if codes.len() <= 1 << 8 { 1 } else { 2 }
}

fn values(header: &Header) -> Vec<Value> {
    header.codes.iter().map(|&code| Value::of_entry(code).expect("a table keeps values only")).collect()
}
