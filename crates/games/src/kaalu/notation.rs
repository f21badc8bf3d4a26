//! Text in and out: `a` for a stone from the stock, `a2/1c` for two own and one neutral stones from a to c, `pass`; the
//! action that ends the game ends in `#` when its maker wins and in `!` when the other does.

use raichi_core::game::Game;
use raichi_core::notation::{Notation, ParseError};
use raichi_core::params::{ParamSpec, Params, SpecError};
use raichi_core::position::{Field, PositionError, Reader, SetUp};
use raichi_core::seat::{Seat, Viewer};
use raichi_core::verdict::Ending;

use super::moves::Fault;
use super::pile::{LEAST, NEUTRAL, Pile, Portion};
use super::rules::{Action, Kaalu, N_PILES, State};

/// The stones of each colour, those in stock included; none ever leaves the game.
const STONES: u8 = 21;
/// The stones in a stock at the start.
pub(super) const STOCK: u8 = 7;

/// What the colours are called: those of the seats, and the third.
pub(super) const COLOURS: [&str; 3] = ["black", "white", "neutral"];

impl Notation for Kaalu {
    const ID: &'static str = "kaalu";
    const NAME: &'static str = "kaalu";
    const BLURB: &'static str = "Seven piles in unstable balance: tip four of them to your colour, not to the other's.";
    const ALIASES: &'static [&'static str] = &["balance", "seven piles"];
    const RULES: &'static str = include_str!("rules.md");
    const END_REASONS: &'static [&'static str] = &["primacy", "stuck"];
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

    fn end_text(&self, _state: &State, ending: &Ending<'_>) -> String {
        match ending.reason {
            "primacy" => format!("{} with the primacy in four piles", ending.headline()),
            "stuck" => ending.because("both passed, one after the other"),
            _ => ending.in_common(),
        }
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

    // Letters go to the piles in the order in which they are first named, the source of a move before its destination.
    fn normal_form(&self, plies: &[&str]) -> Vec<String> {
        let mut named: Vec<char> = Vec::new();
        let mut renamed = |c: char| {
            let at = named.iter().position(|&old| old == c).unwrap_or_else(|| {
                named.push(c);
                named.len() - 1
            });
            letter(at as u8)
        };
        let is_pile = |c: char| ('a'..).take(N_PILES).any(|pile| pile == c);
        let renamed = |ply: &&str| match *ply {
            "pass" => "pass".into(),
            ply => ply.chars().map(|c| if is_pile(c) { renamed(c) } else { c }).collect(),
        };
        plies.iter().map(renamed).collect()
    }

    fn position_text(&self, state: &State, _viewer: Viewer) -> String {
        let counts = |pile: &Pile| format!("{}/{}/{}", pile.0[NEUTRAL], pile.0[0], pile.0[1]);
        let piles: Vec<String> = state.named().iter().map(counts).collect();
        let piles = if piles.is_empty() { "-".into() } else { piles.join(",") };
        let [black, white] = state.stocks;
        let barred = state.barred.map_or(String::new(), |action| format!(" barred={}", plain_text(action)));
        let passes = if state.n_passes == 0 { String::new() } else { format!(" passes={}", state.n_passes) };
        format!("{piles} {} stocks={black}/{white}{barred}{passes}", state.to_act)
    }

    fn parse_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board = reader.field("the piles with letters, like 3/4/2,3/2/3, or - where none has one")?;
        let (piles, n_named) = parse_piles(board)?;
        let to_act = reader.seat(2)? as u8;
        let stocks = parse_stocks(reader.value("stocks")?)?;
        for (colour, name) in COLOURS.into_iter().enumerate() {
            let in_stock = stocks.get(colour).copied().unwrap_or(0);
            let n = in_stock + piles.iter().map(|pile| pile.0[colour]).sum::<u8>();
            if n != STONES {
                return Err(board.error(format!("{STONES} {name} stones with the stock, not {n}")));
            }
        }
        let mut state = State::new(piles, n_named, stocks, to_act);
        if let Some(field) = reader.optional_value("barred") {
            state.barred = Some(parse_barred(field, &state)?);
        }
        if let Some(field) = reader.optional_value("passes") {
            state.n_passes = field.number(1..=2)? as u8;
            if state.barred.is_some() || state.winner().is_some() {
                return Err(field.error("no pass after a move that may not be undone, or where somebody has won"));
            }
        }
        reader.end()?;
        Ok(SetUp::full(self.recomputed(&state)))
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

/// The piles that have letters, and untouched ones for the others.
fn parse_piles(board: Field<'_>) -> Result<([Pile; N_PILES], u8), PositionError> {
    let mut piles = [Pile::UNTOUCHED; N_PILES];
    if board.text == "-" {
        return Ok((piles, 0));
    }
    let mut n_named = 0;
    for (nth, part) in board.split(',').enumerate() {
        let Some(pile) = piles.get_mut(nth) else { return Err(part.error(format!("at most {N_PILES} piles"))) };
        *pile = parse_pile(part)?;
        n_named += 1;
    }
    Ok((piles, n_named))
}

fn parse_pile(part: Field<'_>) -> Result<Pile, PositionError> {
    let counts: Vec<Field<'_>> = part.split('/').collect();
    let [neutral, black, white] = counts[..] else {
        return Err(part.error("a pile's neutral, black and white stones, like 3/2/2"));
    };
    // The other six piles hold one of each colour.
    let count = |field: Field<'_>| field.number(1..=u64::from(STONES) + 1 - N_PILES as u64).map(|n| n as u8);
    let pile = Pile([count(black)?, count(white)?, count(neutral)?]);
    if pile.size() < LEAST {
        return Err(part.error(format!("at least {LEAST} stones in a pile")));
    }
    if pile.is_balanced() {
        return Err(part.error("a pile without the same number of all three colours"));
    }
    Ok(pile)
}

fn parse_stocks(field: Field<'_>) -> Result<[u8; 2], PositionError> {
    let stocks: Vec<Field<'_>> = field.split('/').collect();
    let [black, white] = stocks[..] else { return Err(field.error("Black's and White's stocks, like 7/6")) };
    let stock = |field: Field<'_>| field.number(0..=STOCK.into()).map(|n| n as u8);
    Ok([stock(black)?, stock(white)?])
}

/// The reversal of the preceding move: without that move it would be legal.
fn parse_barred(field: Field<'_>, state: &State) -> Result<Action, PositionError> {
    let is_reversal = |action: &Action| match *action {
        Action::Move { from, to, own: 0, neutral } => {
            state.winner().is_none()
                && from.max(to) < state.n_named
                && state.move_fault(from, to, Portion { own: 0, neutral }).is_none()
        }
        _ => false,
    };
    let expected = "a move of neutral stones that could be made, such as b0/1a, while nobody has won";
    parse(field.text).filter(is_reversal).ok_or_else(|| field.error(expected))
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
