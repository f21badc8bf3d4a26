//! Text in and out: what a game is called, its parameters, its actions, outcomes and positions.

use crate::game::{Chance, Game, Never};
use crate::params::{ParamSpec, Params, SpecError};
use crate::position::{PositionError, SetUp};
use crate::seat::{Seat, Viewer};
use crate::verdict::{Called, Ending};

/// A game's name, parameters and texts.
///
/// Every outcome's text begins with `~`, no action's does; texts are ASCII without spaces. Parsers are total: any
/// other text is an error that says what was expected.
pub trait Notation: Game<Outcome: OutcomeText<Self>> {
    /// The id used in specs: `connect-four`.
    const ID: &'static str;
    /// The name for people: `Connect Four`.
    const NAME: &'static str;
    /// One sentence that makes somebody want to play it.
    const BLURB: &'static str;
    /// What people call the game or a close relative of it who do not know `NAME`, for searching.
    const ALIASES: &'static [&'static str] = &[];
    /// The rules for players, in Markdown.
    const RULES: &'static str;
    /// All that [`Game::end_reason`] says in games with any parameters.
    const END_REASONS: &'static [&'static str];
    /// The default of `max-plies`; 0 is no cap.
    const DEFAULT_MAX_PLIES: &'static str = "0";

    /// The declared parameters, without `max-plies`, which every game has.
    fn params() -> Vec<ParamSpec>;

    /// The game with the given parameters, each already within its declared range.
    ///
    /// # Errors
    /// Combinations that make no game.
    fn from_params(params: &mut Params) -> Result<Self, SpecError>;

    /// What a seat is called: `Yellow`, `King's side`.
    fn seat_name(&self, seat: Seat) -> String {
        format!("Player {}", seat + 1)
    }

    /// What a seat is called within a sentence, where that is not its name as it stands: `the Swedes`.
    fn seat_called(&self, seat: Seat) -> Called {
        Called::one(self.seat_name(seat))
    }

    /// How a game ended in `state`, as a person would say it, without a full stop: `you win: four in a row`. Most
    /// sentences are [`Ending::because`]; a reason without words of its own is [`Ending::in_common`]. Law: there are
    /// words for each of `END_REASONS`, and they are the same for all states that somebody who looks on cannot tell
    /// apart.
    fn end_text(&self, state: &Self::State, ending: &Ending<'_>) -> String;

    /// The canonical text of an action that is legal in `state`.
    fn action_text(&self, state: &Self::State, seat: Seat, action: Self::Action) -> String;

    /// The action that `text` names in `state`, legal or not. Whatever is legal parses from its canonical text.
    ///
    /// # Errors
    /// Texts that name no action of this game here.
    fn parse_action(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, ParseError>;

    /// Plies of a game from its start in the one form in which it is written, where it could be written in several that mean
    /// the same; others stay as they are. What is not a ply stays too.
    fn normal_form(&self, plies: &[&str]) -> Vec<String> {
        plies.iter().map(ToString::to_string).collect()
    }

    /// The position as one line of ASCII, with the seat to act. Where `viewer` must not see something, the line has `?`
    /// in its place and names the viewer. Everything is in it that decides how play goes on or what later plies are
    /// called. Law: it reads back to an equal position, and for a seat it is the same for all states that the seat
    /// cannot tell apart.
    fn position_text(&self, state: &Self::State, viewer: Viewer) -> String;

    /// The position that a line describes. It is checked for being legal to set up: that play can go on from it, not
    /// that it can be reached.
    ///
    /// # Errors
    /// Names the place in the text, and what would have been right there.
    fn parse_position(&self, text: &str) -> Result<SetUp<Self::State>, PositionError>;

    /// A sentence for the player whose well-formed action is not legal: which rule forbids it.
    fn why_illegal(&self, _state: &Self::State, _seat: Seat, _action: Self::Action) -> String {
        "that is not one of the legal actions here".into()
    }

    // Of the outcome type; not to be overridden.

    /// The canonical text of an outcome that may happen in `state`.
    fn outcome_text(&self, state: &Self::State, outcome: Self::Outcome) -> String {
        outcome.text(self, state)
    }

    /// The outcome that `text` names, possible in `state` or not.
    ///
    /// # Errors
    /// Texts that name no outcome of this game here.
    fn parse_outcome(&self, state: &Self::State, text: &str) -> Result<Self::Outcome, ParseError> {
        Self::Outcome::parse(self, state, text)
    }
}

/// The texts of what chance chooses in the game `G`; each begins with `~`.
pub trait OutcomeText<G: Game>: Chance<G> {
    /// The canonical text of the outcome, which may happen in `state`.
    fn text(self, game: &G, state: &G::State) -> String;

    /// The outcome that `text` names, possible in `state` or not.
    ///
    /// # Errors
    /// Texts that name no outcome of this game here.
    fn parse(game: &G, state: &G::State, text: &str) -> Result<Self, ParseError>;
}

impl<G: Game> OutcomeText<G> for Never {
    fn text(self, _game: &G, _state: &G::State) -> String {
        match self {}
    }

    fn parse(_game: &G, _state: &G::State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }
}

/// A text that names nothing in this position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not understood; expected {expected}", shortened(.text))]
pub struct ParseError {
    /// The text given.
    pub text: String,
    /// What would have been understood here.
    pub expected: String,
}

impl ParseError {
    /// `text` was given where `expected` was wanted.
    pub fn new(text: &str, expected: impl Into<String>) -> ParseError {
        ParseError { text: text.into(), expected: expected.into() }
    }
}

/// What somebody wrote, as an error quotes it: an endless text makes no endless message, and what a terminal would obey
/// rather than show is escaped.
pub fn shortened(text: &str) -> String {
    shortened_to(40, text)
}

/// As [`shortened`], with room for `n_chars` characters.
pub fn shortened_to(n_chars: usize, text: &str) -> String {
    let ends = text.chars().nth(n_chars).is_none();
    let kept = text.chars().take(if ends { n_chars } else { n_chars - 1 });
    let mut quoted = String::new();
    for c in kept {
        match c {
            '\\' | '\'' | '"' => quoted.push(c),
            _ => quoted.extend(c.escape_debug()),
        }
    }
    if !ends {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_harmless() {
        for (text, quoted) in [
            ("", ""),
            ("b1\\", "b1\\"),
            ("R'", "R'"),
            ("dé…", "dé…"),
            ("a\0b\n", "a\\0b\\n"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\u{202e}1a", "\\u{202e}1a"),
        ] {
            assert_eq!(shortened(text), quoted);
        }
        assert_eq!(shortened(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(shortened(&"é".repeat(1_000_000)), "é".repeat(39) + "…");
    }
}

/// Helpers for the square boards of the collection: a column letter, then a row number from 1.
pub mod squares {
    /// `c4` for column 2, row 3 (both from 0).
    pub fn text(column: usize, row: usize) -> String {
        format!("{}{}", (b'a' + column as u8) as char, row + 1)
    }

    /// Column and row from 0, when `text` is a cell of a board of this size.
    pub fn parse(text: &str, columns: usize, rows: usize) -> Option<(usize, usize)> {
        let letter = *text.as_bytes().first().filter(|b| b.is_ascii_lowercase())?;
        let digits = &text[1..];
        if digits.is_empty()
            || digits.len() > 3
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let column = usize::from(letter - b'a');
        let row = digits.parse::<usize>().ok()? - 1;
        (column < columns && row < rows).then_some((column, row))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn cells_round_trip_and_nothing_else_parses() {
            for column in 0..9 {
                for row in 0..12 {
                    assert_eq!(parse(&text(column, row), 9, 12), Some((column, row)));
                }
            }
            for bad in ["", "a", "a0", "a01", "A1", "j1", "a13", "1a", "a1 ", "é1", "a+1", "a99999999999"] {
                assert_eq!(parse(bad, 9, 12), None, "{bad}");
            }
        }
    }
}
