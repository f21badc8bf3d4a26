//! Text in and out: `a` for a stone from the stock, `a2/1c` for two own and one neutral stones from a to c, `pass`; the
//! action that ends the game ends in `#` when its maker wins and in `!` when the other does.

use raichi_core::game::{Game, Never};
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::seat::Seat;

use super::moves::Fault;
use super::rules::{Action, Kaalu, N_PILES, State};

/// What the colours are called: those of the seats, and the third.
pub(super) const COLOURS: [&str; 3] = ["black", "white", "neutral"];

impl Notation for Kaalu {
    const ID: &'static str = "kaalu";
    const NAME: &'static str = "kaalu";
    const BLURB: &'static str = "Seven piles in unstable balance: tip four of them to your colour, not to the other's.";
    const RULES: &'static str = include_str!("rules.md");
    const DEFAULT_MAX_PLIES: &'static str = "400";

    fn params() -> Vec<ParamSpec> {
        Vec::new()
    }

    fn from_params(_params: &mut Params) -> Result<Self, SpecError> {
        Ok(Kaalu)
    }

    fn seat_name(&self, seat: Seat) -> String {
        ["Black", "White"][seat].into()
    }

    fn action_text(&self, state: &State, seat: Seat, action: Action) -> String {
        let suffix = if self.is_legal(state, seat, action) { suffix(state, action) } else { "" };
        format!("{}{suffix}", plain_text(action))
    }

    fn parse_action(&self, state: &State, seat: Seat, text: &str) -> Result<Action, ParseError> {
        let plain = text.strip_suffix(['#', '!']).unwrap_or(text);
        let action = parse(plain).ok_or_else(|| {
            ParseError::new(
                text,
                "a pile from a to g, a move such as a2/1c, or pass, and # or ! only where it ends the game",
            )
        })?;
        let given = &text[plain.len()..];
        // Where an action ends is a question of legal ones only.
        if given.is_empty() || !self.is_legal(state, seat, action) || given == suffix(state, action) {
            return Ok(action);
        }
        Err(ParseError::new(
            text,
            format!("{}, by which {}", self.action_text(state, seat, action), effect(state, action)),
        ))
    }

    fn outcome_text(&self, _state: &State, outcome: Never) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _state: &State, text: &str) -> Result<Never, ParseError> {
        Err(ParseError::new(text, "no outcome: chance has no part in this game"))
    }

    fn why_illegal(&self, state: &State, _seat: Seat, action: Action) -> String {
        let why = match state.fault(action) {
            Some(Fault::NotNextPile) => return format!("the next pile to be named is {}", letter(state.n_named)),
            Some(Fault::StockEmpty) => "your stock is empty",
            Some(Fault::SamePile) => "stones move from one pile to another",
            Some(Fault::NoStones) => "at least one stone moves",
            Some(Fault::StonesMissing) => "the pile has not so many stones of that colour",
            Some(Fault::ColourGone) => "one stone of each colour stays in every pile",
            Some(Fault::PileSmall) => "seven stones stay in every pile",
            Some(Fault::Balanced) => "no pile may have as many stones of each colour as of the others",
            Some(Fault::Exchanged) => "the two piles would only exchange their contents",
            Some(Fault::Reversed) => "the preceding move may not be undone exactly",
            Some(Fault::NotStuck) => "who can act may not pass",
            None => "that is not one of the legal actions here",
        };
        why.into()
    }
}

/// `#` and `!` for a legal action that ends the game with a win or a loss of the seat to act.
fn suffix(state: &State, action: Action) -> &'static str {
    match state.winner_after(action) {
        None => "",
        Some(winner) if winner == state.seat() => "#",
        Some(_) => "!",
    }
}

fn effect(state: &State, action: Action) -> &'static str {
    match suffix(state, action) {
        "#" => "the mover wins",
        "!" => "the mover loses",
        _ => "nobody wins yet",
    }
}

fn plain_text(action: Action) -> String {
    match action {
        Action::Place { pile } => letter(pile).into(),
        Action::Move { from, to, own, neutral } => format!("{}{own}/{neutral}{}", letter(from), letter(to)),
        Action::Pass => "pass".into(),
    }
}

fn parse(text: &str) -> Option<Action> {
    if text == "pass" {
        return Some(Action::Pass);
    }
    let mut rest = text.chars();
    let from = pile(rest.next()?)?;
    let Some(to) = rest.next_back() else { return Some(Action::Place { pile: from }) };
    let (own, neutral) = rest.as_str().split_once('/')?;
    Some(Action::Move { from, to: pile(to)?, own: number(own)?, neutral: number(neutral)? })
}

fn number(text: &str) -> Option<u8> {
    let canonical = text == "0" || !text.starts_with('0');
    (canonical && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

fn pile(letter: char) -> Option<u8> {
    ('a'..).take(N_PILES).position(|named| named == letter).map(|pile| pile as u8)
}

/// The letter of a pile that has one, or will have it.
pub(super) fn letter(pile: u8) -> char {
    char::from(b'a' + pile)
}
