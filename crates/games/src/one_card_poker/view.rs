//! The table as data: the card for both and the deck in the middle, at each seat its card, what it has put in and how it
//! stands. Cards without suits are drawn as spades. Only [`Table::shows`] decides who sees a seat's card.

use raichi_core::picture::{Area, BadgeKind, Picture, PieceKind, Shape, Sketch, Tone};
use raichi_core::seat::{Seat, Viewer};

use super::{Deck, Table, Turn};
use crate::cards::Card;

impl Deck {
    /// The table as `viewer` sees it, without buttons.
    pub fn picture(&self, title: &str, names: [String; 2], table: &Table, viewer: Viewer) -> Picture {
        let mut picture = Picture::default();
        picture.areas.push(self.middle(title, table));
        for (seat, name) in names.iter().enumerate() {
            picture.areas.push(tray(seat, name, table, viewer));
            picture.badge(seat, BadgeKind::Stake, table.stakes[seat].to_string());
        }
        picture.counter(None, "Pot", table.stakes[0] + table.stakes[1]);
        for seat in 0..2 {
            if let Some((kind, text)) = standing(table, seat) {
                picture.badge(seat, kind, text);
            }
        }
        picture.notes.push(self.stage(table).into());
        picture
    }

    /// The same for a terminal.
    pub fn sketch(&self, names: [String; 2], table: &Table, viewer: Viewer) -> Sketch {
        let mut sketch = Sketch::default();
        sketch.text(format!("Pot {}: {}.", table.stakes[0] + table.stakes[1], self.stage(table))).end_line();
        if self.has_public {
            sketch.text("Public card: ");
            self.sketch_card(&mut sketch, table.public, true);
            sketch.end_line();
        }
        for (seat, name) in names.iter().enumerate() {
            let to_act = if table.turn == Turn::Act(seat as u8) { '>' } else { ' ' };
            sketch.text(format!("{to_act} ")).tone(format!("{name:<9}"), Tone::Seat(seat as u8)).text("  ");
            self.sketch_card(&mut sketch, table.hands[seat], table.shows(seat, viewer));
            sketch.text(format!("  put in {}", table.stakes[seat]));
            if let Some((_, text)) = standing(table, seat) {
                sketch.text(format!("  {text}"));
            }
            sketch.end_line();
        }
        sketch
    }

    /// What is lit up once a card is dealt.
    pub fn dealt_to(&self, table: &Table) -> String {
        match table.turn {
            Turn::Hand(seat) => hand_id(seat.into()),
            _ => PUBLIC.into(),
        }
    }

    fn sketch_card(&self, sketch: &mut Sketch, card: Option<Card>, is_shown: bool) {
        match card {
            None => sketch.text("--"),
            Some(_) if !is_shown => sketch.text("??"),
            Some(card) => sketch.tone(format!("{:<2}", self.text(card)), tone(card)),
        };
    }

    fn stage(&self, table: &Table) -> &'static str {
        match table.turn {
            Turn::Hand(_) => "the deal",
            Turn::Public => "the public card",
            Turn::Over => "the end",
            Turn::Act(_) if !self.has_public => "the betting",
            Turn::Act(_) if table.public.is_none() => "before the public card",
            Turn::Act(_) => "after the public card",
        }
    }

    fn middle(&self, title: &str, table: &Table) -> Area {
        let mut middle = Area::table(title, if self.has_public { 2.2 } else { 1.2 }, 1.2);
        let cell = middle.cell(DECK, 0.6, 0.6, Shape::Card, Tone::Plain);
        cell.label = Some("the cards that are left".into());
        if !table.left(self).is_empty() {
            middle.piece(DECK, PieceKind::CardBack, Tone::Neutral);
        }
        if self.has_public {
            let cell = middle.cell(PUBLIC, 1.6, 0.6, Shape::Card, Tone::Plain);
            cell.label = Some("public card".into());
            if let Some(card) = table.public {
                lay(&mut middle, PUBLIC.into(), card);
            }
        }
        middle
    }
}

/// A seat's place, for the marks of its actions.
pub fn seat_id(seat: Seat) -> String {
    format!("tray:{seat}")
}

const DECK: &str = "deck";
const PUBLIC: &str = "public";

fn hand_id(seat: Seat) -> String {
    format!("hand:{seat}")
}

fn tray(seat: Seat, name: &str, table: &Table, viewer: Viewer) -> Area {
    let mut tray = Area::tray(seat_id(seat), name, Some(seat), 0.9, 1.1);
    let cell = tray.cell(hand_id(seat), 0.45, 0.55, Shape::Card, Tone::Plain);
    cell.label = Some(format!("{name}, card"));
    match table.hands[seat] {
        Some(card) if table.shows(seat, viewer) => lay(&mut tray, hand_id(seat), card),
        Some(_) => {
            tray.piece(hand_id(seat), PieceKind::CardBack, Tone::Seat(seat as u8));
        }
        None => {}
    }
    tray
}

fn lay(area: &mut Area, cell: String, card: Card) {
    area.piece(cell, PieceKind::Card, tone(card)).text = Some(card.to_string());
}

fn tone(card: Card) -> Tone {
    if matches!(card.suit(), 1 | 2) { Tone::Red } else { Tone::Black }
}

/// What became of a seat at the end.
fn standing(table: &Table, seat: Seat) -> Option<(BadgeKind, String)> {
    if table.turn != Turn::Over {
        return None;
    }
    let lost = table.stakes[seat];
    Some(match (table.winner(), table.folded) {
        (None, _) => (BadgeKind::State, format!("{}, and the pot is shared", table.hand(seat))),
        (Some(winner), Some(_)) if winner == seat => {
            (BadgeKind::Gain, format!("won {} because the other folded", table.stakes[1 - seat]))
        }
        (Some(winner), None) if winner == seat => {
            (BadgeKind::Gain, format!("won {} with {}", table.stakes[1 - seat], table.hand(seat)))
        }
        (_, Some(_)) => (BadgeKind::Loss, format!("folded and lost {lost}")),
        (_, None) => (BadgeKind::Loss, format!("lost {lost} with {}", table.hand(seat))),
    })
}
