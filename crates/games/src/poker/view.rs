//! A round as data: the community cards, highest first, in the middle of the table; at each seat its hole cards, chips and
//! badges; a button for each action. The end of the round before comes from the scene, a picture of its own. Only `hand`
//! below reads hole cards, and only for those who may see them.

use raichi_core::chart::Chart;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, BadgeKind, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::charts;
use super::rules::{ACTIONS, Action, Poker, State, Turn};
use crate::cards::{Card, CardSet};

impl View for Poker {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        if state.turn == Turn::Over {
            let mut picture = scene.aftermath.map_or_else(|| self.table(state, open(state)), |end| self.round_end(end));
            picture.notes.push(state.street().into());
            return picture;
        }
        let mut picture = self.table(state, |seat| hand(scene, seat, viewer));
        for seat in 0..self.n_seats {
            if state.bets[seat] > 0 {
                picture.badge(seat, BadgeKind::Stake, state.bets[seat].to_string());
            }
            // A bet is told by its stake.
            let status = if state.all_in(seat) { "all-in".into() } else { self.status(scene, seat) };
            if !status.is_empty() && (state.bets[seat] == 0 || state.all_in(seat)) {
                picture.badge(seat, BadgeKind::State, status);
            }
        }
        if let Turn::Act(seat) = state.turn
            && viewer.is(seat.into())
        {
            let legal = self.legal(state, seat.into());
            for action in ACTIONS.into_iter().filter(|&action| legal >> action as u8 & 1 == 1) {
                picture.button(action.text(), self.button_label(state, seat.into(), action));
            }
        }
        picture.notes.push(state.street().into());
        picture.before = scene.aftermath.map(|end| Box::new(self.round_end(end)));
        picture
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![action.text().into()]
    }

    fn charts(&self) -> Vec<Chart> {
        charts::all()
    }

    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        let round = self.round_text(on_table(scene)).map_or("Now".into(), |round| format!("Round {round}"));
        let (street, pot) = (state.street(), state.pot());
        let blinds = self.blinds_text(on_table(scene));
        sketch.text(format!("{round}: {street}. Blinds {blinds}. Pot {pot}.")).end_line();
        sketch.text("Board:");
        for card in on_table(scene).board.highest_first() {
            sketch.text(" ").tone(card.to_string(), tone(card));
        }
        sketch.end_line();
        for seat in 0..self.n_seats {
            let to_act = if state.turn == Turn::Act(seat as u8) { '>' } else { ' ' };
            let dealer = if is_dealer(scene, seat) { 'D' } else { ' ' };
            let (name, chips) = (self.seat_name(seat), state.stacks[seat]);
            sketch.text(format!("{to_act} ")).tone(format!("{name:<9}"), Tone::Seat(seat as u8));
            sketch.text(format!(" {dealer} {chips:>7}  {:<12}", self.status(scene, seat)));
            match hand(scene, seat, viewer) {
                Hand::Open(cards) => cards.highest_first().into_iter().for_each(|card| {
                    sketch.text(" ").tone(card.to_string(), tone(card));
                }),
                Hand::Hidden(n_cards) => {
                    sketch.text(" ??".repeat(n_cards));
                }
            }
            sketch.end_line();
        }
        for note in self.end_notes(scene) {
            sketch.text(note).end_line();
        }
        sketch
    }

    fn begins(&self, state: &State) -> Option<String> {
        let is_first = matches!(state.turn, Turn::Hole(_)) && state.holes.iter().all(|hand| hand.is_empty());
        is_first.then(|| if state.round > 0 { format!("Round {}", state.round) } else { "Round".into() })
    }

    fn action_marks(&self, _state: &State, seat: Seat, _action: Action) -> Vec<String> {
        vec![seat_id(seat)]
    }

    // Cards lie by rank, so that a card may be put before one that came with it: of a hand and of a flop one place more is marked
    // for each, and all of them in the end.
    fn outcome_marks(&self, state: &State, card: Card) -> Vec<String> {
        match state.turn {
            Turn::Hole(seat) => vec![hole_id(seat.into(), state.holes[usize::from(seat)].len())],
            _ if state.board.len() < FLOP => vec![board_id(state.board.len())],
            _ => {
                let mut board = state.board;
                board.insert(card);
                place_of(card, board).map(board_id).into_iter().collect()
            }
        }
    }
}

/// So many cards of the board are dealt together first.
const FLOP: usize = 3;

/// What a viewer sees of a hand.
enum Hand {
    Open(CardSet),
    Hidden(usize),
}

fn hand(scene: &Scene<'_, Poker>, seat: Seat, viewer: Viewer) -> Hand {
    let state = scene.state;
    match on_table(scene) {
        end if state.turn == Turn::Over => Hand::Open(end.holes[seat]),
        _ if viewer.is(seat) => Hand::Open(state.holes[seat]),
        _ if state.folded(seat) => Hand::Hidden(0),
        _ => Hand::Hidden(state.holes[seat].len()),
    }
}

/// The round that lies on the table: after the last one the table is left as it was.
fn on_table<'a>(scene: &Scene<'a, Poker>) -> &'a State {
    scene.aftermath.filter(|_| scene.state.turn == Turn::Over).unwrap_or(scene.state)
}

fn is_dealer(scene: &Scene<'_, Poker>, seat: Seat) -> bool {
    let table = on_table(scene);
    table.live != 0 && usize::from(table.dealer) == seat
}

fn place_of(card: Card, cards: CardSet) -> Option<usize> {
    cards.highest_first().iter().position(|&other| other == card)
}

impl State {
    fn street(&self) -> &'static str {
        match (self.turn, self.board.len()) {
            (Turn::Over, _) => "the end",
            (Turn::Hole(_), _) => "the hole cards",
            (_, 0) => "before the flop",
            (_, 1..=3) => "the flop",
            (_, 4) => "the turn",
            _ => "the river",
        }
    }
}

impl Poker {
    /// The number of a round where there is a limit to them or the blinds rise; else nobody counts.
    fn round_text(&self, table: &State) -> Option<String> {
        let of = if self.rounds > 0 { format!(" of {}", self.rounds) } else { String::new() };
        (table.round > 0).then(|| format!("{}{of}", table.round))
    }

    /// The small and the big blind of this round.
    fn blinds_text(&self, table: &State) -> String {
        let blind = self.blind(table);
        format!("{}/{blind}", blind / 2)
    }

    /// What a seat has done, in a word or two; all of it public.
    fn status(&self, scene: &Scene<'_, Self>, seat: Seat) -> String {
        let state = scene.state;
        if state.turn == Turn::Over {
            let won = scene.aftermath.map_or(0, |end| end.winnings()[seat]);
            return if won > 0 { format!("won {won}") } else { String::new() };
        }
        if state.stacks[seat] + state.staked[seat] == 0 {
            "out".into()
        } else if state.folded(seat) {
            "folded".into()
        } else if state.all_in(seat) {
            format!("all-in {}", state.staked[seat])
        } else if state.bets[seat] > 0 {
            format!("bet {}", state.bets[seat])
        } else if state.acted >> seat & 1 == 1 {
            "checked".into()
        } else {
            String::new()
        }
    }

    /// The table with what anybody may see of it, and with these hands.
    fn table(&self, table: &State, hand: impl Fn(Seat) -> Hand) -> Picture {
        let mut picture = Picture::default();
        picture.areas.push(community(table.board));
        picture.areas.extend((0..self.n_seats).map(|seat| self.seat_tray(seat, hand(seat))));
        picture.counter(None, "Pot", table.pot());
        picture.counter(None, "Blinds", self.blinds_text(table));
        if let Some(round) = self.round_text(table) {
            picture.counter(None, "Round", round);
        }
        for seat in 0..self.n_seats {
            picture.counter(Some(seat), "Chips", table.stacks[seat]);
        }
        if table.live != 0 {
            picture.badge(table.dealer.into(), BadgeKind::Button, "D");
        }
        picture
    }

    /// The end of a round: the hands that were shown, what they came to, and who won what.
    fn round_end(&self, end: &State) -> Picture {
        let won = end.winnings();
        let mut after = *end;
        after.stacks = std::array::from_fn(|seat| end.stacks[seat] + won[seat]);
        let mut picture = self.table(&after, open(end));
        for (seat, &won) in won.iter().enumerate().take(self.n_seats) {
            let shown = end.has_showdown() && end.live >> seat & 1 == 1;
            let with = if shown { format!("with {}", end.strength(seat)) } else { "because all others folded".into() };
            if won > 0 {
                picture.badge(seat, BadgeKind::Gain, format!("won {won} {with}"));
            } else if shown {
                picture.badge(seat, BadgeKind::State, end.strength(seat).to_string());
            } else if end.folded(seat) {
                picture.badge(seat, BadgeKind::State, "folded");
            }
        }
        picture
    }

    fn seat_tray(&self, seat: Seat, hand: Hand) -> Area {
        let name = self.seat_name(seat);
        let mut tray = Area::tray(seat_id(seat), name.clone(), Some(seat), 1.7, 1.1);
        for place in 0..2 {
            let cell = tray.cell(hole_id(seat, place), 0.45 + 0.8 * place as f64, 0.55, Shape::Card, Tone::Plain);
            cell.label = Some(format!("{name}, card {}", place + 1));
        }
        match hand {
            Hand::Open(cards) => {
                for (place, card) in cards.highest_first().into_iter().enumerate() {
                    lay(&mut tray, hole_id(seat, place), card);
                }
            }
            Hand::Hidden(n_cards) => {
                for place in 0..n_cards {
                    tray.piece(hole_id(seat, place), PieceKind::CardBack, Tone::Seat(seat as u8));
                }
            }
        }
        tray
    }

    fn button_label(&self, state: &State, seat: Seat, action: Action) -> String {
        let price = self.price(state, seat, action);
        match action {
            Action::Fold => "Fold".into(),
            Action::Check => "Check".into(),
            Action::Bet => format!("Bet {price}"),
            Action::Call => format!("Call {price}"),
            Action::Raise => format!("Raise to {} (put in {price})", state.bet + self.blind(state)),
            Action::AllIn => format!("All-in {price}"),
        }
    }

    /// Who won what in the round before, and with which hand.
    fn end_notes(&self, scene: &Scene<'_, Self>) -> Vec<String> {
        let Some(end) = scene.aftermath else { return Vec::new() };
        let round = if end.round > 0 { format!("Round {}", end.round) } else { "Last round".into() };
        let won = end.winnings();
        let note = |seat: Seat| {
            let (name, won) = (self.seat_name(seat), won[seat]);
            if end.has_showdown() {
                format!("{round}: {name} won {won} with {}.", end.strength(seat))
            } else {
                format!("{round}: {name} won {won}; all others folded.")
            }
        };
        (0..self.n_seats).filter(|&seat| won[seat] > 0).map(note).collect()
    }
}

/// All hands as they lie.
fn open(table: &State) -> impl Fn(Seat) -> Hand {
    |seat| Hand::Open(table.holes[seat])
}

fn community(board: CardSet) -> Area {
    let mut table = Area::table("Poker table", 4.7, 1.2);
    for place in 0..5 {
        let cell = table.cell(board_id(place), 0.55 + 0.9 * place as f64, 0.6, Shape::Card, Tone::Plain);
        cell.label = Some(format!("community card {}", place + 1));
    }
    for (place, card) in board.highest_first().into_iter().enumerate() {
        lay(&mut table, board_id(place), card);
    }
    table
}

fn lay(area: &mut Area, cell: String, card: Card) {
    area.piece(cell, PieceKind::Card, tone(card)).text = Some(card.to_string());
}

fn tone(card: Card) -> Tone {
    if matches!(card.suit(), 1 | 2) { Tone::Red } else { Tone::Black }
}

fn board_id(place: usize) -> String {
    format!("board:{place}")
}

fn hole_id(seat: Seat, place: usize) -> String {
    format!("hole:{seat}:{place}")
}

fn seat_id(seat: Seat) -> String {
    format!("tray:{seat}")
}
