//! Score sheets in two columns, `1. a b 2. a c`: a history with a number before every ply of the first seat.
//!
//! They are for games of two seats without chance. Leaving out the numbers gives the history. Between games a sheet is kept
//! as a [`Record`]; one that writes the game in another form than the normal one is read as well.

use crate::erased::{AnyGame, AnyMatch};
use crate::game::{Facts, Phase};
use crate::history::{By, HistoryError, Ply};
use crate::notation::shortened;
use crate::record::{Record, RecordedPly, VERSION};
use crate::seat::Viewer;

/// Why a score sheet is refused; the plies before the place have been played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The game has chance or another number of seats.
    #[error("`{number}` is the number of a score sheet; those are for games of two seats without chance")]
    NoSheets {
        /// As it was written.
        number: String,
    },
    /// A number that is not the next one.
    #[error("`{number}` where {expected}. is the next number")]
    WrongNumber {
        /// As it was written.
        number: String,
        /// The next one.
        expected: usize,
    },
    /// A number where the first seat is not to act.
    #[error("`{number}` stands before a ply that is not the first seat's")]
    Misplaced {
        /// As it was written.
        number: String,
    },
    /// The rules refuse a ply.
    #[error(transparent)]
    Ply(#[from] HistoryError),
}

/// Whether games of these facts have score sheets.
pub fn has_sheets(facts: &Facts) -> bool {
    facts.n_seats == 2 && !facts.chance
}

/// Plays a score sheet, or a history: numbers may be left out, all of them or some.
///
/// # Errors
/// Names the number or the ply that is wrong; what stands before it has been played.
pub fn play(current: &mut dyn AnyMatch, sheet: &str) -> Result<(), SheetError> {
    let n_before = current.n_plies();
    let mut number = 0;
    let mut is_numbered = false;
    for token in sheet.split_whitespace() {
        let first_acts = current.phase() == Phase::seat(0);
        if let Some(given) = number_of(token) {
            let shown = || shortened(token);
            if !has_sheets(&current.facts()) {
                return Err(SheetError::NoSheets { number: shown() });
            }
            if !first_acts || is_numbered {
                return Err(SheetError::Misplaced { number: shown() });
            }
            if given != Some(number + 1) {
                return Err(SheetError::WrongNumber { number: shown(), expected: number + 1 });
            }
            is_numbered = true;
            continue;
        }
        number += usize::from(first_acts);
        is_numbered = false;
        let ply = current.n_plies() - n_before;
        current.play_token(token).map_err(|why| HistoryError { ply, token: token.into(), why })?;
    }
    Ok(())
}

/// The record of a game from its start that a score sheet or a history tells, in its normal form; `seats` are who played, and
/// `program` is who writes it.
///
/// # Errors
/// As [`play`].
pub fn record(game: &dyn AnyGame, sheet: &str, seats: Vec<String>, program: &str) -> Result<Record, SheetError> {
    let is_ply = |token: &&str| number_of(token).is_none();
    let plies: Vec<&str> = sheet.split_whitespace().filter(is_ply).collect();
    let mut normal = game.normal_form(&plies).into_iter();
    let token = |token: &str| match number_of(token) {
        Some(_) => token.into(),
        None => normal.next().unwrap_or_default(),
    };
    let mut current = game.new_match();
    play(&mut *current, &sheet.split_whitespace().map(token).collect::<Vec<_>>().join(" "))?;
    let ply = |ply: &Ply| RecordedPly { text: ply.token(Viewer::Referee), millis: None };
    Ok(Record {
        version: VERSION,
        game: game.spec().into(),
        position: None,
        seats,
        levels: None,
        seed: None,
        plies: current.plies().iter().map(ply).collect(),
        result: None,
        program: program.into(),
    })
}

/// The number that a token such as `12.` is; `None` within where it is too large.
fn number_of(token: &str) -> Option<Option<usize>> {
    let digits = token.strip_suffix('.')?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())
}

/// The plies so far as a score sheet; `None` where the game has none.
pub fn written(current: &dyn AnyMatch) -> Option<String> {
    if !has_sheets(&current.facts()) {
        return None;
    }
    let mut number = 0;
    let mut sheet = Vec::new();
    for ply in current.plies() {
        if ply.by == By::Seat(0) {
            number += 1;
            sheet.push(format!("{number}."));
        }
        sheet.push(ply.text.clone());
    }
    Some(sheet.join(" "))
}
