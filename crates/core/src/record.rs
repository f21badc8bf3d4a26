//! Records: games played, kept for ever. One JSON object for each game, on one line.

use serde::{Deserialize, Serialize};

use crate::erased::{AnyGame, AnyMatch};
use crate::history::HistoryError;
use crate::notation::{shortened, shortened_to};
use crate::position::PositionError;

/// The version of the format written today. Readers take this one and all before it.
///
/// - 1: the first.
/// - 2: `position`. A spec is read with today's defaults; one of version 1 with the defaults of that time, which are known
///   to the crate of the games.
pub const VERSION: u32 = 2;

/// A game played, or as far as it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object with version, game, seats, plies and program")]
pub struct Record {
    /// Of the format.
    pub version: u32,
    /// The canonical spec of the game.
    pub game: String,
    /// The text of the position that play began with; the start of the game where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Who held each seat: a name or an agent's spec.
    pub seats: Vec<String>,
    /// Which version of the game's levels `level:N` in `seats` means: they are calibrated anew now and then. Nothing where no
    /// level played, or nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<u32>,
    /// What chance was drawn from, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The plies, hidden ones in full.
    pub plies: Vec<RecordedPly>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<RecordedResult>,
    /// The version of the program that wrote it.
    pub program: String,
}

/// One ply of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object with text")]
pub struct RecordedPly {
    /// As a history writes it.
    pub text: String,
    /// Since the ply before, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

/// How a recorded game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object with payoffs and end")]
pub struct RecordedResult {
    /// By seat.
    pub payoffs: Vec<f64>,
    /// The game's own reason, or `resigned`, `time` or `agreed`.
    pub end: String,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not a record's JSON.
    #[error("line {line} is not a record: {}{} (column {})", place(.path), what_is_wrong(.why), .why.column())]
    Malformed {
        /// From 1.
        line: usize,
        /// Where in the record: `plies[3].text`, or a dot for all of it.
        path: String,
        /// What the JSON reader says.
        why: serde_json::Error,
    },
    /// A ply of a trace (`raichi trace`), which is JSON in lines too.
    #[error("line {line} is a ply of a trace, not a record: a record is a whole game in one line")]
    Trace {
        /// From 1.
        line: usize,
    },
    /// Written by a later program.
    #[error("line {line} has format version {version}; this program reads versions 1 to {VERSION}")]
    Version {
        /// From 1.
        line: usize,
        /// What it has.
        version: u32,
    },
}

/// Why a record's game cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Too many seats, or too few.
    #[error("the record has {found} seats, {game} has {needed}")]
    Seats {
        /// The game's spec.
        game: String,
        /// How many it has.
        needed: usize,
        /// How many the record has.
        found: usize,
    },
    /// The result is not of this game.
    #[error("the record's result has {found} payoffs, {game} has {needed} seats and pays each one number")]
    Payoffs {
        /// The game's spec.
        game: String,
        /// How many seats it has.
        needed: usize,
        /// How many payoffs the record has.
        found: usize,
    },
    /// The position that play began with is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A ply against the rules.
    #[error(transparent)]
    Ply(#[from] HistoryError),
}

fn place(path: &str) -> String {
    // A question mark stands for a key that cannot be read.
    if path == "." || path == "?" { String::new() } else { format!("{}: ", shortened(path)) }
}

// The JSON reader's sentence without its place, which is told as the file's. It may quote what a stranger wrote.
fn what_is_wrong(why: &serde_json::Error) -> String {
    let sentence = why.to_string();
    let place = format!(" at line {} column {}", why.line(), why.column());
    shortened_to(200, sentence.strip_suffix(&place).unwrap_or(&sentence))
}

impl Record {
    /// The game that was recorded, as far as it got. `game` is the one that [`Record::game`] names.
    ///
    /// # Errors
    /// Names the first ply that the rules refuse; seats or payoffs that are not as many as the game has seats.
    pub fn replay(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyMatch>, ReplayError> {
        let needed = game.facts().n_seats;
        if self.seats.len() != needed {
            return Err(ReplayError::Seats { game: game.spec().into(), needed, found: self.seats.len() });
        }
        let payoffs = self.result.as_ref().map(|result| result.payoffs.len());
        if let Some(found) = payoffs.filter(|&found| found != needed) {
            return Err(ReplayError::Payoffs { game: game.spec().into(), needed, found });
        }
        let mut current = match &self.position {
            None => game.new_match(),
            Some(text) => game.match_at(text)?,
        };
        // Each text is one ply, whatever spaces it has.
        for (ply, RecordedPly { text, .. }) in self.plies.iter().enumerate() {
            current.play_token(text).map_err(|why| HistoryError { ply, token: text.clone(), why })?;
        }
        Ok(current)
    }

    /// The same record with its plies in their normal form ([`AnyGame::normal_form`]), by which records are compared: a
    /// game that is written in two ways is one.
    #[must_use]
    pub fn in_normal_form(mut self, game: &dyn AnyGame) -> Record {
        if self.position.is_none() {
            let texts: Vec<&str> = self.plies.iter().map(|ply| ply.text.as_str()).collect();
            let normal = game.normal_form(&texts);
            self.plies.iter_mut().zip(normal).for_each(|(ply, text)| ply.text = text);
        }
        self
    }

    /// The plies as a history.
    pub fn history(&self) -> String {
        self.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The record as one line of JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record has only text keys and finite numbers")
    }

    /// Reads one line of JSON, number `line` of its file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn from_line(text: &str, line: usize) -> Result<Record, RecordError> {
        let record = read(text).map_err(|(path, why)| match is_trace(text) {
            true => RecordError::Trace { line },
            false => RecordError::Malformed { line, path, why },
        })?;
        if record.version == 0 || record.version > VERSION {
            return Err(RecordError::Version { line, version: record.version });
        }
        Ok(record)
    }
}

fn is_trace(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Traced {
        #[serde(rename = "ply")]
        _ply: u64,
        #[serde(rename = "game")]
        _game: String,
    }
    serde_json::from_str::<Traced>(text).is_ok()
}

/// Reads all of a text; where that fails, the path of what is wrong beside the JSON reader's own words.
fn read(text: &str) -> Result<Record, (String, serde_json::Error)> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader);
    let record = read.map_err(|why| (why.path().to_string(), why.into_inner()))?;
    reader.end().map_err(|why| (".".into(), why))?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_line_and_a_stranger_is_refused() {
        let record = Record {
            position: None,
            version: VERSION,
            game: "nim3p".into(),
            seats: vec!["Ann".into(), "mcts".into(), "random".into()],
            levels: None,
            seed: Some("00ff".into()),
            plies: vec![RecordedPly { text: "a5".into(), millis: Some(12) }],
            result: Some(RecordedResult { payoffs: vec![1.0, 0.2, 0.0], end: "last-item".into() }),
            program: "raichi 0.1.0".into(),
        };
        assert_eq!(Record::from_line(&record.to_line(), 1).unwrap(), record);
        assert!(Record::from_line("{}", 3).unwrap_err().to_string().starts_with("line 3 is not a record"));
        let later = record.to_line().replace("\"version\":2", "\"version\":3");
        assert!(Record::from_line(&later, 1).unwrap_err().to_string().contains("version 3"));
    }

    // Numbers that an imprecise reader takes for their neighbours.
    #[test]
    fn payoffs_survive_to_the_last_digit() {
        for payoff in ["0.100000000000023157e+308", "1.0000000000002316e307", "-0.2", "0.30000000000000004", "5e-324"] {
            let text = format!(
                r#"{{"version":1,"game":"sim","seats":[],"plies":[],"result":{{"payoffs":[{payoff}],"end":""}},"program":""}}"#
            );
            let record = Record::from_line(&text, 1).unwrap();
            assert_eq!(record.result.as_ref().unwrap().payoffs, [payoff.parse::<f64>().unwrap()]);
            assert_eq!(Record::from_line(&record.to_line(), 1).unwrap(), record);
        }
    }

    #[test]
    fn what_is_no_record_is_told_by_its_line_and_column() {
        let line = |edit: (&str, &str)| {
            r#"{"version":1,"game":"nim3p","seats":["a","b","c"],"plies":[{"text":"a5"}],"program":"x"}"#
                .replacen(edit.0, edit.1, 1)
        };
        for (text, says) in [
            (
                line(("1", "-1")),
                "line 7 is not a record: version: invalid value: integer `-1`, expected u32 (column 13)",
            ),
            (line(("1", "4294967296")), "version: invalid value: integer `4294967296`, expected u32 (column 21)"),
            (line(("1", "1.0")), "version: invalid type: floating point `1.0`, expected u32 (column 14)"),
            (line(("\"game\":\"nim3p\",", "")), "line 7 is not a record: missing field `game`"),
            (line(("\"program\"", "\"version\"")), "duplicate field `version`"),
            (line(("\"text\"", "\"txet\"")), "plies[0]: missing field `text` (column 72)"),
            (
                line(("{\"text\":\"a5\"}", "\"a5\"")),
                "plies[0]: invalid type: string \"a5\", expected an object with text",
            ),
            (line(("}]", "},{\"text\":7}]")), "plies[1].text: invalid type: integer `7`, expected a string"),
            (line(("a5", "a\0")), "plies[0].text: control character (\\u0000-\\u001F) found while parsing a string"),
            (line(("1", "NaN")), "version: expected value (column 12)"),
            (
                line(("}],", "}],\"result\":{\"payoffs\":[1e999],\"end\":\"x\"},")),
                "result.payoffs[0]: number out of range",
            ),
            (line(("}],", "}],\"result\":[],")), "result: invalid length 0, expected an object with payoffs and end"),
            (line(("\"x\"}", "\"x\"} {}")), "line 7 is not a record: trailing characters (column 90)"),
            ("[".repeat(100_000), "invalid type: sequence, expected u32"),
            ("7".into(), "line 7 is not a record: invalid type: integer `7`, expected an object with version, game,"),
            (
                r#"{"by":0,"game":"nim","legal":["a1"],"played":"a1","ply":0,"seed":1,"to_act":[0]}"#.into(),
                "line 7 is a ply of a trace, not a record: a record is a whole game in one line",
            ),
            ("{x}".into(), "line 7 is not a record: key must be a string (column 2)"),
            ("".into(), "line 7 is not a record: EOF while parsing a value (column 0)"),
            ("x".repeat(1_000_000), "line 7 is not a record: expected value (column 1)"),
            (line(("1", &format!("\"{}\"", "é".repeat(1_000_000)))), "éé…"),
            (line(("1", &format!("1,\"{}\":\0", "é".repeat(1_000_000)))), "éé…: expected value"),
        ] {
            let error = Record::from_line(&text, 7).unwrap_err().to_string();
            assert!(error.contains(says) && error.chars().count() < 300, "{says}: {error}");
        }
    }
}
