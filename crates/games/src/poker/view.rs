//! A round as data: the community cards, highest first, a tray of hole cards for each seat, chips and pot as counters, a
//! button for each action. The end of the round before comes from the scene. Only `hand` below reads hole cards, and only
//! for those who may see them.

use raichi_core::notation::Notation;
use raichi_core::picture::{Area, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::rules::{ACTIONS, Action, Poker, State, Turn};
use crate::cards::{Card, CardSet};

impl View for Poker {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = Picture::default();
        picture.areas.push(table(on_table(scene).board));
        picture.areas.extend((0..self.n_seats).map(|seat| self.seat_tray(scene, seat, viewer)));
        if let Some(end) = scene.aftermath.filter(|end| end.has_showdown() && state.turn != Turn::Over) {
            picture.areas.push(self.showdown_tray(end));
        }

        picture.counter(None, "Pot", state.pot());
        picture.counter(None, "Blinds", format!("{}/{}", self.blind / 2, self.blind));
        if let Some(round) = self.round_text(on_table(scene)) {
            picture.counter(None, "Round", round);
        }
        for seat in 0..self.n_seats {
            picture.counter(Some(seat), "Chips", state.stacks[seat]);
        }

        if let Turn::Act(seat) = state.turn
            && viewer == Viewer::Seat(seat.into())
        {
            let legal = self.legal(state, seat.into());
            for action in ACTIONS.into_iter().filter(|&action| legal >> action as u8 & 1 == 1) {
                picture.button(action.text(), self.button_label(state, seat.into(), action));
            }
        }
        picture.notes.push(state.street().into());
        picture.notes.extend(self.end_notes(scene));
        picture
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![action.text().into()]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch {
        let state = scene.state;
        let mut sketch = Sketch::default();
        let round = self.round_text(on_table(scene)).map_or("Now".into(), |round| format!("Round {round}"));
        let (street, pot) = (state.street(), state.pot());
        sketch.text(format!("{round}: {street}. Blinds {}/{}. Pot {pot}.", self.blind / 2, self.blind)).end_line();
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

    fn action_marks(&self, _state: &State, seat: Seat, _action: Action) -> Vec<String> {
        vec![seat_id(seat)]
    }

    fn outcome_marks(&self, state: &State, card: Card) -> Vec<String> {
        match state.turn {
            Turn::Hole(seat) => {
                let mut hole = state.holes[usize::from(seat)];
                hole.insert(card);
                place_of(card, hole).map(|place| hole_id(seat.into(), place)).into_iter().collect()
            }
            _ => {
                let mut board = state.board;
                board.insert(card);
                place_of(card, board).map(board_id).into_iter().collect()
            }
        }
    }
}

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
    fn pot(&self) -> u32 {
        self.staked.iter().sum()
    }

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
    /// The number of a round where there is a limit to them; without one nobody counts.
    fn round_text(&self, table: &State) -> Option<String> {
        (table.round > 0).then(|| format!("{} of {}", table.round, self.rounds))
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

    fn seat_tray(&self, scene: &Scene<'_, Self>, seat: Seat, viewer: Viewer) -> Area {
        let name = self.seat_name(seat);
        let mut tray = Area::tray(format!("tray:{seat}"), name.clone(), Some(seat), 4.2, 1.2);
        for place in 0..2 {
            let label = format!("{name}, card {}", place + 1);
            let cell = tray.cell(hole_id(seat, place), 0.5 + 0.8 * place as f64, 0.6, Shape::Card, Tone::Plain);
            cell.label = Some(label);
        }
        match hand(scene, seat, viewer) {
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
        if is_dealer(scene, seat) {
            let id = format!("dealer:{seat}");
            tray.cell(id.clone(), 1.95, 0.6, Shape::Circle { radius: 0.22 }, Tone::Plain).label = Some("dealer".into());
            tray.piece(id, PieceKind::Token, Tone::White).text = Some("D".into());
        }
        let tone = if scene.state.turn == Turn::Act(seat as u8) { Tone::Accent } else { Tone::Plain };
        let status = self.status(scene, seat);
        let place = tray.cell(seat_id(seat), 3.2, 0.6, Shape::Rect { width: 1.8, height: 0.7 }, tone);
        place.label = Some(if status.is_empty() { name } else { format!("{name}: {status}") });
        place.text = Some(status).filter(|status| !status.is_empty());
        tray
    }

    /// The showdown of the round before, three hands a row under the community cards.
    fn showdown_tray(&self, end: &State) -> Area {
        let shown: Vec<Seat> = (0..self.n_seats).filter(|&seat| !end.holes[seat].is_empty()).collect();
        let height = 1.3 + 1.6 * shown.len().div_ceil(3) as f64;
        let title = if end.round > 0 { format!("Showdown of round {}", end.round) } else { "Last showdown".into() };
        let mut tray = Area::tray("showdown", title, None, 6.6, height);
        for (place, card) in end.board.highest_first().into_iter().enumerate() {
            let id = format!("showdown:{}", board_id(place));
            tray.cell(id.clone(), 1.5 + 0.9 * place as f64, 0.65, Shape::Card, Tone::Plain);
            lay(&mut tray, id, card);
        }
        for (nth, &seat) in shown.iter().enumerate() {
            let (x, y) = (1.1 + 2.2 * (nth % 3) as f64, 1.8 + 1.6 * (nth / 3) as f64);
            for (place, card) in end.holes[seat].highest_first().into_iter().enumerate() {
                let id = format!("showdown:{}", hole_id(seat, place));
                let cell = tray.cell(id.clone(), x - 0.4 + 0.8 * place as f64, y, Shape::Card, Tone::Plain);
                cell.label = Some(format!("{}, card {}", self.seat_name(seat), place + 1));
                lay(&mut tray, id, card);
            }
            tray.caption(x, y + 0.75, self.seat_name(seat));
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
            Action::Raise => format!("Raise to {} (put in {price})", state.bet + self.blind),
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

fn table(board: CardSet) -> Area {
    let mut table = Area::board("Poker table", 5.2, 1.6);
    for place in 0..5 {
        let cell = table.cell(board_id(place), 0.7 + 0.95 * place as f64, 0.8, Shape::Card, Tone::Plain);
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
    format!("seat:{seat}")
}
