//! Positions as text, written, read and checked: `Kh 1 stakes=5/3 raises=1 cards=Js/?? seen-by=0`.
//!
//! The card for both, or `-` (only where there is one), the seat to act, `chance` or `over`, what each seat has put in,
//! the raises of this betting round where there were any, the cards of the seats, `-` for one not dealt and `?` (`??`
//! where cards have suits) for one that the viewer must not see, and who has `folded`.

use raichi_core::game::{Game, Phase};
use raichi_core::position::{Field, PositionError, Reader, SeenBy, SetUp};
use raichi_core::seat::{Seat, Viewer};

use super::{Deck, Table, Turn};
use crate::cards::{Card, CardSet};

/// A card in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Hidden,
    Card(Card),
}

impl Deck {
    /// The position as `viewer` sees it.
    pub fn write_position(&self, table: &Table, viewer: Viewer) -> String {
        let card = |card: Option<Card>, is_shown: bool| match card {
            None => "-".into(),
            Some(_) if !is_shown => self.hidden().into(),
            Some(card) => self.text(card),
        };
        let mut text = if self.has_public { format!("{} ", card(table.public, true)) } else { String::new() };
        text += &format!("{} stakes={}/{}", turn_text(table), table.stakes[0], table.stakes[1]);
        if table.raises > 0 {
            text += &format!(" raises={}", table.raises);
        }
        if table.hands != [None; 2] {
            let [first, second] = [0, 1].map(|seat| card(table.hands[seat], table.shows(seat, viewer)));
            text += &format!(" cards={first}/{second}");
        }
        if let Some(seat) = table.folded {
            text += &format!(" folded={seat}");
        }
        if text.contains('?') {
            text += &SeenBy(viewer).to_string();
        }
        text
    }

    /// Reads a position of `game`. What the betting can come to is found by playing: the game is small.
    ///
    /// # Errors
    /// Names the first field that fits no position.
    pub fn read_position<G: Game<State = Table, Outcome = Card>>(
        &self,
        game: &G,
        text: &str,
    ) -> Result<SetUp<Table>, PositionError> {
        let mut reader = Reader::new(text);
        let mut left = self.cards;
        let public_field = reader.peek();
        let public = if self.has_public {
            let field = reader.field("the public card, such as Ks, or - for none")?;
            self.read_card(field, &mut left, "")?
        } else {
            Shown::Nothing
        };
        if public == Shown::Hidden {
            return Err(public_field.error("a card that both see, or -"));
        }
        let turn_field = reader.field(TURNS)?;
        let stakes_field = reader.value("stakes")?;
        let raises_field = reader.peek();
        let raises = reader.optional_value("raises").map_or(Ok(0), |field| field.number(1..=2))? as u8;
        let cards_field = reader.peek();
        let shown = self.read_hands(&mut reader, &mut left)?;
        let folded_field = reader.peek();
        let folded = reader.optional_value("folded").map(|field| field.number(0..=1)).transpose()?;

        let mut fitting = positions(game);
        keep(&mut fitting, |table| turn_text(table) == turn_field.text, || turn_field.error(TURNS))?;
        let is_dealt = |table: &Table| {
            (table.public.is_some(), table.hands.map(|card| card.is_some()))
                == (public != Shown::Nothing, shown.map(|card| card != Shown::Nothing))
        };
        let expected = "as many cards as are dealt when this seat or chance is to act";
        let cards_error = || if shown == [Shown::Nothing; 2] { turn_field } else { cards_field }.error(expected);
        keep(&mut fitting, is_dealt, cards_error)?;
        let stakes = list(fitting.iter().map(stakes_text));
        keep(&mut fitting, |table| stakes_text(table) == stakes_field.text, || stakes_field.error(stakes))?;
        let folds = list(fitting.iter().map(|table| match table.folded {
            Some(seat) => format!("folded={seat}"),
            None => "nobody who has folded".into(),
        }));
        keep(&mut fitting, |table| table.folded.map(u64::from) == folded, || folded_field.error(folds))?;
        let raised = list(fitting.iter().map(|table| match table.raises {
            0 => "no raises".into(),
            raises => format!("raises={raises}"),
        }));
        keep(&mut fitting, |table| table.raises == raises, || raises_field.error(raised))?;

        let mut table = fitting[0];
        let seen_by = read_viewer(&mut reader, cards_field, &table, shown)?;
        if let Shown::Card(card) = public {
            table.public = Some(card);
        }
        for (hand, shown) in table.hands.iter_mut().zip(shown) {
            *hand = match shown {
                Shown::Nothing => None,
                Shown::Card(card) => Some(card),
                Shown::Hidden => {
                    let card = left.first().expect("there are more cards than are dealt");
                    left.remove(card);
                    Some(card)
                }
            };
        }
        Ok(SetUp { state: table, seen_by })
    }

    const fn hidden(&self) -> &'static str {
        if self.has_suits { "??" } else { "?" }
    }

    fn read_hands(&self, reader: &mut Reader<'_>, left: &mut CardSet) -> Result<[Shown; 2], PositionError> {
        let Some(field) = reader.optional_value("cards") else { return Ok([Shown::Nothing; 2]) };
        let parts: Vec<Field<'_>> = field.split('/').collect();
        let &[first, second] = parts.as_slice() else {
            return Err(field.error("two cards with / between them, one a seat"));
        };
        let or_hidden = format!(" {} for a hidden one,", self.hidden());
        let shown = [self.read_card(first, left, &or_hidden)?, self.read_card(second, left, &or_hidden)?];
        if shown[0] == Shown::Nothing {
            Err(first.error("a card: that of the first seat comes first"))
        } else {
            Ok(shown)
        }
    }

    /// `or_hidden` says in an error that a hidden card can stand there, where it can.
    fn read_card(&self, field: Field<'_>, left: &mut CardSet, or_hidden: &str) -> Result<Shown, PositionError> {
        match field.text {
            "-" => Ok(Shown::Nothing),
            text if text == self.hidden() => Ok(Shown::Hidden),
            text => {
                let card = self.parse(text).filter(|&card| left.contains(card));
                let expected =
                    || format!("one of the cards {} that lies nowhere else,{or_hidden} or - for none", self.in_words());
                let card = card.ok_or_else(|| field.error(expected()))?;
                left.remove(card);
                Ok(Shown::Card(card))
            }
        }
    }
}

const TURNS: &str = "the seat to act, 0 or 1, chance or over";

fn turn_text(table: &Table) -> String {
    match table.turn {
        Turn::Act(seat) => seat.to_string(),
        Turn::Hand(_) | Turn::Public => "chance".into(),
        Turn::Over => "over".into(),
    }
}

fn stakes_text(table: &Table) -> String {
    format!("{}/{}", table.stakes[0], table.stakes[1])
}

/// Positions of `game`, one of each kind, whatever the cards are.
fn positions<G: Game<State = Table, Outcome = Card>>(game: &G) -> Vec<Table> {
    let mut found = vec![game.initial_state()];
    let mut next = 0;
    while let Some(&table) = found.get(next) {
        next += 1;
        match game.phase(&table) {
            Phase::Over => {}
            Phase::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&table, &mut outcomes);
                let mut after = table;
                game.apply_outcome(&mut after, outcomes[0].0);
                found.push(after);
            }
            Phase::Act(seats) => {
                let mut actions = Vec::new();
                game.legal_actions(&table, seats.first(), &mut actions);
                for action in actions {
                    let mut after = table;
                    game.apply(&mut after, seats.first(), action);
                    found.push(after);
                }
            }
        }
    }
    found
}

fn keep(
    tables: &mut Vec<Table>,
    fits: impl Fn(&Table) -> bool,
    error: impl FnOnce() -> PositionError,
) -> Result<(), PositionError> {
    tables.retain(fits);
    if tables.is_empty() { Err(error()) } else { Ok(()) }
}

/// Each text once, in rising order.
fn list(texts: impl Iterator<Item = String>) -> String {
    let texts: std::collections::BTreeSet<String> = texts.collect();
    texts.into_iter().collect::<Vec<_>>().join(" or ")
}

/// A text that hides something names a viewer who sees its own card and no other.
fn read_viewer(
    reader: &mut Reader<'_>,
    cards: Field<'_>,
    table: &Table,
    shown: [Shown; 2],
) -> Result<Option<Viewer>, PositionError> {
    let viewer_field = reader.peek();
    let seen_by = reader.seen_by(2)?;
    reader.end()?;
    let hides = shown.contains(&Shown::Hidden);
    let Some(viewer) = seen_by else {
        return if hides {
            Err(reader.peek().error("seen-by=… and a seat or spectator, since cards are hidden"))
        } else {
            Ok(None)
        };
    };
    if !hides {
        return Err(viewer_field.error("the end of the text, since no card is hidden"));
    }
    let fits =
        |seat: Seat| shown[seat] == Shown::Nothing || (shown[seat] != Shown::Hidden) == table.shows(seat, viewer);
    if fits(0) && fits(1) { Ok(seen_by) } else { Err(cards.error("the cards that the viewer sees, and no others")) }
}
