//! Positions as text: what games share in writing and reading the one line that describes a position.
//!
//! A line is made of fields with single spaces between them: first the board, then the seat to act, then whatever else
//! decides, as `key=value`. Boards are written row by row as in chess's FEN, with numbers for runs of empty cells. A line
//! in which something is hidden ends with the viewer who wrote it: `seen-by=1`, `seen-by=spectator`.

use std::fmt::{self, Write};

use crate::notation::shortened;
use crate::seat::{Seat, Viewer};

/// A position that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUp<S> {
    /// The position. Where something was hidden from the viewer who wrote it, one of the states that fit.
    pub state: S,
    /// Whose view the text was, where it hides something: only what that viewer may know can be asked of the state.
    /// `None` where the text says everything.
    pub seen_by: Option<Viewer>,
}

impl<S> SetUp<S> {
    /// A position without secrets.
    pub fn full(state: S) -> SetUp<S> {
        SetUp { state, seen_by: None }
    }
}

/// Why a text describes no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position, character {column}: {}; expected {expected}", what(.found))]
pub struct PositionError {
    /// Where in the text, in characters from 1.
    pub column: usize,
    /// What stands there; empty at the end of the text.
    pub found: String,
    /// What would have been right there.
    pub expected: String,
}

fn what(found: &str) -> String {
    if found.is_empty() { "the text ends here".into() } else { format!("`{}` cannot stand here", shortened(found)) }
}

/// Reads a position field by field.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a str,
    column: usize,
}

/// One field of a position's text, or a part of one, with its place.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// What it says.
    pub text: &'a str,
    /// Where it begins, in characters from 1.
    pub column: usize,
}

impl<'a> Reader<'a> {
    /// Begins with the first field; spaces around the text do not count.
    pub fn new(text: &'a str) -> Reader<'a> {
        let trimmed = text.trim_start();
        Reader { rest: trimmed.trim_end(), column: 1 + text[..text.len() - trimmed.len()].chars().count() }
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next field, without taking it.
    pub fn peek(&self) -> Field<'a> {
        let text = self.rest.split(' ').next().unwrap_or("");
        Field { text, column: self.column }
    }

    /// Takes the next field.
    ///
    /// # Errors
    /// At the end of the text, where `expected` is missing.
    pub fn field(&mut self, expected: &str) -> Result<Field<'a>, PositionError> {
        let field = self.peek();
        if field.text.is_empty() {
            return Err(Field { text: &self.rest[..self.rest.len().min(1)], ..field }.error(expected));
        }
        let rest = &self.rest[field.text.len()..];
        self.column += field.text.chars().count() + usize::from(rest.starts_with(' '));
        self.rest = rest.strip_prefix(' ').unwrap_or(rest);
        Ok(field)
    }

    /// Takes the next field, which must be `key=…`; returns what follows the equals sign.
    ///
    /// # Errors
    /// When the field is another one or missing.
    pub fn value(&mut self, key: &str) -> Result<Field<'a>, PositionError> {
        let expected = format!("{key}=…");
        let field = self.field(&expected)?;
        field.value_of(key).ok_or_else(|| field.error(expected))
    }

    /// Takes the next field if it is `key=…`; returns what follows the equals sign.
    pub fn optional_value(&mut self, key: &str) -> Option<Field<'a>> {
        let value = self.peek().value_of(key)?;
        self.field(key).ok()?;
        Some(value)
    }

    /// Takes the seat to act: its number from 0.
    ///
    /// # Errors
    /// When that is no seat's number.
    pub fn seat(&mut self, n_seats: usize) -> Result<Seat, PositionError> {
        let expected = format!("the seat to act, 0 to {}", n_seats - 1);
        let field = self.field(&expected)?;
        field.number(0..=n_seats as u64 - 1).map(|seat| seat as Seat).map_err(|_| field.error(expected))
    }

    /// Takes the viewer who wrote the text, if it names one.
    ///
    /// # Errors
    /// When that is neither a seat nor the spectator.
    pub fn seen_by(&mut self, n_seats: usize) -> Result<Option<Viewer>, PositionError> {
        let Some(field) = self.optional_value("seen-by") else { return Ok(None) };
        if field.text == "spectator" {
            return Ok(Some(Viewer::Spectator));
        }
        let seat = field.number(0..=n_seats as u64 - 1);
        let expected = format!("a seat from 0 to {} or spectator", n_seats - 1);
        seat.map(|seat| Some(Viewer::Seat(seat as Seat))).map_err(|_| field.error(expected))
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// When something is.
    pub fn end(&self) -> Result<(), PositionError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.peek().error("the end of the text")) }
    }
}

impl<'a> Field<'a> {
    /// The error that something else was expected in place of this field.
    pub fn error(&self, expected: impl Into<String>) -> PositionError {
        PositionError { column: self.column, found: self.text.into(), expected: expected.into() }
    }

    /// The error that something else was expected at the character number `nth`, from 0.
    pub fn error_at(&self, nth: usize, expected: impl Into<String>) -> PositionError {
        let found = self.text.chars().nth(nth).map(String::from).unwrap_or_default();
        PositionError { column: self.column + nth, found, expected: expected.into() }
    }

    fn value_of(&self, key: &str) -> Option<Field<'a>> {
        let text = self.text.strip_prefix(key)?.strip_prefix('=')?;
        Some(Field { text, column: self.column + key.chars().count() + 1 })
    }

    /// The parts between separators.
    pub fn split(self, separator: char) -> impl Iterator<Item = Field<'a>> {
        let mut column = self.column;
        self.text.split(separator).map(move |text| {
            let field = Field { text, column };
            column += text.chars().count() + 1;
            field
        })
    }

    /// The number that the field is: decimal, without sign or leading zeros.
    ///
    /// # Errors
    /// When it is none, or out of range.
    pub fn number(&self, range: std::ops::RangeInclusive<u64>) -> Result<u64, PositionError> {
        let canonical =
            self.text.bytes().all(|b| b.is_ascii_digit()) && (self.text == "0" || !self.text.starts_with('0'));
        let number = if canonical { self.text.parse().ok() } else { None };
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.error(format!("a number from {} to {}", range.start(), range.end())))
    }

    /// Reads rows as [`write_rows`] writes them. `place` is called for each symbol with its row and column and says
    /// whether it is one; `symbols` says in words which there are.
    ///
    /// # Errors
    /// Names the first symbol, number or row that is wrong.
    pub fn rows(
        self,
        lengths: impl IntoIterator<Item = usize>,
        symbols: &str,
        mut place: impl FnMut(usize, usize, char) -> bool,
    ) -> Result<(), PositionError> {
        let lengths: Vec<usize> = lengths.into_iter().collect();
        let n_rows = lengths.len();
        let rows: Vec<Field<'_>> = self.split('/').collect();
        for (nth, (row, &length)) in rows.iter().zip(&lengths).enumerate() {
            let expected = || format!("{symbols}, or a number of empty cells (row {} has {length})", nth + 1);
            let (mut column, mut run) = (0, 0);
            for (i, symbol) in row.text.chars().enumerate() {
                match symbol.to_digit(10) {
                    Some(0) if run == 0 => return Err(row.error_at(i, expected())),
                    Some(digit) => {
                        run = 10 * run + digit as usize;
                        if column + run > length {
                            return Err(row.error_at(i, format!("at most {length} cells in row {}", nth + 1)));
                        }
                    }
                    None => {
                        column += std::mem::take(&mut run);
                        if column >= length {
                            return Err(row.error_at(i, format!("at most {length} cells in row {}", nth + 1)));
                        }
                        if !place(nth, column, symbol) {
                            return Err(row.error_at(i, expected()));
                        }
                        column += 1;
                    }
                }
            }
            if column + run != length {
                let missing = length - column - run;
                return Err(row.error_at(row.text.chars().count(), format!("{missing} more cells in row {}", nth + 1)));
            }
        }
        match rows.len() {
            n if n > n_rows => Err(rows[n_rows].error(format!("{n_rows} rows with / between them"))),
            n if n < n_rows => {
                let end = self.text.chars().count();
                Err(self.error_at(end, format!("{n_rows} rows with / between them, and there are {n}")))
            }
            _ => Ok(()),
        }
    }
}

/// A board row by row, `/` between the rows, with numbers for runs of empty cells. `symbol` says what stands in a row and
/// column; `None` is an empty cell.
pub fn write_rows(lengths: impl IntoIterator<Item = usize>, symbol: impl Fn(usize, usize) -> Option<char>) -> String {
    let mut text = String::new();
    for (row, length) in lengths.into_iter().enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        let write_run = |empty: &mut usize, text: &mut String| {
            if *empty > 0 {
                let _ = write!(text, "{empty}");
            }
            *empty = 0;
        };
        for column in 0..length {
            match symbol(row, column) {
                None => empty += 1,
                Some(symbol) => {
                    write_run(&mut empty, &mut text);
                    text.push(symbol);
                }
            }
        }
        write_run(&mut empty, &mut text);
    }
    text
}

/// The field that names who wrote a text in which something is hidden.
pub struct SeenBy(pub Viewer);

impl fmt::Display for SeenBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Viewer::Seat(seat) => write!(f, " seen-by={seat}"),
            Viewer::Spectator => f.write_str(" seen-by=spectator"),
            Viewer::Referee => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(usize, usize, char)>, PositionError> {
        let mut placed = Vec::new();
        let mut reader = Reader::new(text);
        let board = reader.field("a board")?;
        board.rows([3, 12], "x or o", |row, column, symbol| {
            placed.push((row, column, symbol));
            matches!(symbol, 'x' | 'o')
        })?;
        reader.seat(2)?;
        reader.end()?;
        Ok(placed)
    }

    #[test]
    fn rows_are_written_and_read_back() {
        let cells = [(0, 1, 'x'), (1, 0, 'o'), (1, 11, 'x')];
        let symbol = |row, column| cells.iter().find(|cell| (cell.0, cell.1) == (row, column)).map(|cell| cell.2);
        let text = write_rows([3, 12], symbol);
        assert_eq!(text, "1x1/o10x");
        assert_eq!(read(&format!("{text} 1")).unwrap(), cells);
    }

    #[test]
    fn errors_name_the_place() {
        for (text, says) in [
            ("", "position, character 1: the text ends here; expected a board"),
            ("1x1/o10z 0", "position, character 8: `z` cannot stand here; expected x or o, or a number"),
            ("1x1/o11x 0", "position, character 8: `x` cannot stand here; expected at most 12 cells in row 2"),
            ("1x2/12 0", "position, character 3: `2` cannot stand here; expected at most 3 cells in row 1"),
            ("1x/12 0", "position, character 3: the text ends here; expected 1 more cells in row 1"),
            ("03/12 0", "position, character 1: `0` cannot stand here"),
            ("3 0", "position, character 2: the text ends here; expected 2 rows with / between them, and there are 1"),
            ("3/12/3 0", "position, character 6: `3` cannot stand here; expected 2 rows"),
            ("3/12", "position, character 5: the text ends here; expected the seat to act, 0 to 1"),
            ("3/12 2", "position, character 6: `2` cannot stand here; expected the seat to act, 0 to 1"),
            ("3/12 0 x", "position, character 8: `x` cannot stand here; expected the end of the text"),
            ("3/12  0", "position, character 6: ` ` cannot stand here; expected the seat to act"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(says), "{text}: {error}");
        }
    }
}
