//! A round as data: the dealer's cards in the middle of the table, a tray for each seat with its hands, wagers and counts,
//! a button for each action.
//! Only `dealer_card` below reads the card that lies face down, and only for the referee.

use raichi_core::game::Game;
use raichi_core::notation::Notation;
use raichi_core::picture::{Area, BadgeKind, Picture, PieceKind, Scene, Shape, Sketch, Tone, View};
use raichi_core::seat::{Seat, Viewer};

use super::cards::Cards;
use super::rules::{Action, Blackjack, Hand, Standing, State, Turn};
use crate::cards::Card;

/// Cards lie side by side as long as the row has room, then they overlap.
const ROW_WIDTH: f64 = 3.1;
const CARD_WIDTH: f64 = 0.7;
const STEP: f64 = 0.8;
/// A seat's tray: to the left of its cards the wager, below them what they count.
const LEFT: f64 = 1.0;
const TRAY_WIDTH: f64 = LEFT + ROW_WIDTH + 0.2;
/// Lines of words.
const WORDS: Shape = Shape::Rect { width: TRAY_WIDTH - 0.2, height: 0.42 };
/// From one hand of a seat to the next.
const ROW_HEIGHT: f64 = 1.65;

impl View for Blackjack {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let (state, table) = (scene.state, on_table(scene));
        let mut picture = self.table(table, viewer);
        if let Some(round) = self.round_text(scene) {
            picture.counter(None, "Round", round);
        }
        let shoe = if state.turn == Turn::Over { table.shoe } else { state.shoe };
        if let Some(n_left) = shoe.n_left() {
            picture.counter(None, "Shoe", n_left);
        }
        for seat in 0..self.n_seats {
            picture.counter(Some(seat), "Chips", state.chips[seat]);
            if matches!(state.turn, Turn::Bet(_)) && state.wagers[seat] > 0 {
                picture.badge(seat, BadgeKind::Stake, state.wagers[seat].to_string());
            }
            if let Some(status) = self.status(state, seat) {
                picture.badge(seat, BadgeKind::State, status);
            }
        }
        if let Some(seat) = self.to_act(state).filter(|&seat| viewer.is(seat)) {
            let mut actions = Vec::new();
            self.legal_actions(state, seat, &mut actions);
            for action in actions {
                picture.button(action.text(), self.button_label(state, seat, action));
            }
        }
        picture.notes.push(self.note(state));
        // While wagers are placed the round before still lies on the table.
        picture.before = scene.aftermath.filter(|_| !is_between(state)).map(|end| Box::new(self.round_end(end)));
        picture
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![action.text()]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch {
        let (state, table) = (scene.state, on_table(scene));
        let mut sketch = Sketch::default();
        let round = self.round_text(scene).map_or("Now".into(), |round| format!("Round {round}"));
        sketch.text(format!("{round}: {}", self.note(state))).end_line();
        sketch.text(format!("  {:<9} {:>18}", "Dealer", ""));
        draw_cards(&mut sketch, (0..table.n_dealer_cards()).map(|nth| dealer_card(table, nth, viewer)));
        sketch.text(format!("  {}", dealer_text(table))).end_line();
        for seat in 0..self.n_seats {
            let hands = hands_of(table, seat);
            for (nth, (_, hand)) in hands.iter().enumerate() {
                let wager = format!("bet {}", hand.wager);
                self.draw_seat(&mut sketch, scene, seat, nth, &wager);
                draw_cards(&mut sketch, hand.cards.as_slice().iter().map(|&card| Some(card)));
                sketch.text(format!("  {}", self.hand_text(table, hand))).end_line();
            }
            if hands.is_empty() {
                self.draw_seat(&mut sketch, scene, seat, 0, "");
                sketch.end_line();
            }
        }
        for result in self.results(table) {
            sketch.text(result).end_line();
        }
        sketch
    }

    fn begins(&self, state: &State) -> Option<String> {
        let is_first = matches!(state.turn, Turn::Bet(_)) && state.wagers.iter().all(|&wager| wager == 0);
        is_first.then(|| format!("Round {}", state.round))
    }

    fn action_marks(&self, state: &State, seat: Seat, _action: Action) -> Vec<String> {
        match state.turn {
            Turn::Play(hand) => {
                let nth = hands_of(state, seat).iter().position(|&(index, _)| index == usize::from(hand));
                nth.map(|nth| hand_id(seat, nth)).into_iter().collect()
            }
            _ => vec![seat_id(seat)],
        }
    }

    fn outcome_marks(&self, state: &State, _card: Card) -> Vec<String> {
        let n_hands = state.hands.len();
        let index = match state.turn {
            Turn::Deal(nth) if usize::from(nth) % (n_hands + 1) < n_hands => usize::from(nth) % (n_hands + 1),
            Turn::Draw(hand) => hand.into(),
            _ => return vec![dealer_id(state.n_dealer_cards())],
        };
        let hand = &state.hands[index];
        let nth = hands_of(state, hand.seat()).iter().position(|&(other, _)| other == index);
        nth.map(|nth| card_id(hand.seat(), nth, hand.cards.len())).into_iter().collect()
    }
}

impl State {
    fn n_dealer_cards(&self) -> usize {
        self.dealer.len() + usize::from(self.face_down.is_some())
    }
}

/// What lies on the table: while wagers are placed and at the end, the settled round before.
fn on_table<'a>(scene: &Scene<'a, Blackjack>) -> &'a State {
    scene.aftermath.filter(|_| is_between(scene.state)).unwrap_or(scene.state)
}

/// Whether no hand is being played.
fn is_between(state: &State) -> bool {
    matches!(state.turn, Turn::Bet(_) | Turn::Over)
}

/// The dealer's cards; `None` is the back of one.
fn dealer_card(state: &State, nth: usize, viewer: Viewer) -> Option<Card> {
    let face_up = state.dealer.as_slice().get(nth).copied();
    face_up.or(state.face_down.filter(|_| viewer == Viewer::Referee))
}

/// A seat's hands with their indices.
fn hands_of(state: &State, seat: Seat) -> Vec<(usize, &Hand)> {
    state.hands.iter().enumerate().filter(|(_, hand)| hand.seat() == seat).collect()
}

fn count_text(cards: &Cards) -> String {
    let count = cards.count();
    if cards.is_empty() {
        String::new()
    } else if count > 21 {
        format!("bust {count}")
    } else if cards.is_soft() && cards.len() > 1 && count < 21 {
        format!("soft {count}")
    } else {
        count.to_string()
    }
}

fn dealer_text(state: &State) -> String {
    if state.face_down.is_none() && state.dealer.are_natural() { "natural".into() } else { count_text(&state.dealer) }
}

fn net_text(net: i64) -> String {
    match net {
        0 => "even".into(),
        1.. => format!("won {net}"),
        _ => format!("lost {}", -net),
    }
}

impl Blackjack {
    /// What a settled hand has won or lost.
    fn net(&self, state: &State, hand: &Hand) -> i64 {
        let wager = i64::from(hand.wager);
        let returned = || i64::from(self.returned(hand, &state.dealer));
        if hand.standing == Standing::Surrendered { -wager / 2 } else { returned() - wager }
    }

    /// What a settled round has brought to a seat, insurance included.
    fn net_of(&self, state: &State, seat: Seat) -> i64 {
        let insured = i64::from(self.insurance(state, seat));
        let insurance = if state.dealer.are_natural() { 2 * insured } else { -insured };
        hands_of(state, seat).iter().map(|(_, hand)| self.net(state, hand)).sum::<i64>() + insurance
    }

    /// What a hand counts, what was decided about it, and in the end what it brought.
    fn hand_text(&self, state: &State, hand: &Hand) -> String {
        let count = if hand.is_natural() { "natural".into() } else { count_text(&hand.cards) };
        let decided = match hand.standing {
            Standing::Surrendered => "surrendered",
            Standing::Doubled => "doubled",
            Standing::Stands | Standing::Open => "",
        };
        let brought = if state.is_settled() { net_text(self.net(state, hand)) } else { String::new() };
        [count, decided.into(), brought].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    fn button_label(&self, state: &State, seat: Seat, action: Action) -> String {
        let more = match state.turn {
            Turn::Play(hand) => state.hands[usize::from(hand)].wager,
            _ => 0,
        };
        match action {
            Action::Bet(wager) => format!("Bet {wager}"),
            Action::Insurance => {
                format!("Insurance for {}", self.house.insurance_cost(state.wagers[seat]).unwrap_or_default())
            }
            Action::NoInsurance => "No insurance".into(),
            Action::Stand => "Stand".into(),
            Action::Hit => "Hit".into(),
            Action::Double => format!("Double for {more} more"),
            Action::Split => format!("Split for {more} more"),
            Action::Surrender => format!("Surrender, {} back", more / 2),
        }
    }

    fn to_act(&self, state: &State) -> Option<Seat> {
        match state.turn {
            Turn::Bet(seat) => Some(seat.into()),
            Turn::Insurance(hand) | Turn::Play(hand) => Some(state.hands[usize::from(hand)].seat()),
            Turn::Deal(_) | Turn::Draw(_) | Turn::Dealer | Turn::Over => None,
        }
    }

    /// The round's number; at an end without a round before it nobody knows it.
    fn round_text(&self, scene: &Scene<'_, Self>) -> Option<String> {
        let table = if scene.state.turn == Turn::Over { on_table(scene) } else { scene.state };
        (table.round > 0).then(|| format!("{} of {}", table.round, self.rounds))
    }

    /// What is going on.
    fn note(&self, state: &State) -> String {
        match state.turn {
            Turn::Bet(_) => "place your wagers".into(),
            Turn::Deal(_) => "the cards are dealt".into(),
            Turn::Insurance(_) => "the dealer shows an ace: insurance?".into(),
            Turn::Play(_) | Turn::Draw(_) if self.peeked(state) => "the dealer has looked: no natural".into(),
            Turn::Play(_) | Turn::Draw(_) => "the hands are played".into(),
            Turn::Dealer => "the dealer draws".into(),
            Turn::Over => "the end".into(),
        }
    }

    /// What the round that lies on the table has brought to each seat.
    fn results(&self, state: &State) -> Vec<String> {
        if !state.is_settled() || state.hands.is_empty() {
            return Vec::new();
        }
        let result = |seat: Seat| format!("{} {}", self.seat_name(seat), net_text(self.net_of(state, seat)));
        let seats = (0..self.n_seats).filter(|&seat| !hands_of(state, seat).is_empty());
        let dealer = match state.dealer.count() {
            count if count > 21 => format!("went bust with {count}"),
            _ if state.dealer.are_natural() => "had a natural".into(),
            _ => format!("had {}", dealer_text(state)),
        };
        vec![format!("The dealer {dealer}: {}.", seats.map(result).collect::<Vec<_>>().join(", "))]
    }

    /// How a seat stands, where its cards and chips do not say it.
    fn status(&self, state: &State, seat: Seat) -> Option<&'static str> {
        match state.turn {
            Turn::Bet(to_bet) if usize::from(to_bet) == seat => Some("to bet"),
            _ if state.is_insured(seat) => Some("insured"),
            _ if state.wagers[seat] == 0 && state.chips[seat] < self.bets[0].into() => {
                hands_of(state, seat).is_empty().then_some("out")
            }
            _ => None,
        }
    }

    /// The table with its cards, and what the round has brought once it is settled.
    fn table(&self, table: &State, viewer: Viewer) -> Picture {
        let mut picture = Picture::default();
        picture.areas.push(dealer_area(table, viewer));
        picture.areas.extend((0..self.n_seats).map(|seat| self.seat_tray(table, seat)));
        for seat in (0..self.n_seats).filter(|&seat| table.is_settled() && !hands_of(table, seat).is_empty()) {
            match self.net_of(table, seat) {
                0 => picture.badge(seat, BadgeKind::Loss, "got the wager back"),
                net if net > 0 => picture.badge(seat, BadgeKind::Gain, net_text(net)),
                net => picture.badge(seat, BadgeKind::Loss, net_text(net)),
            }
        }
        picture
    }

    /// The end of a round, which everybody saw.
    fn round_end(&self, end: &State) -> Picture {
        let mut picture = self.table(end, Viewer::Spectator);
        for seat in 0..self.n_seats {
            picture.counter(
                Some(seat),
                "Chips",
                self.began_with(end, seat).saturating_add_signed(self.net_of(end, seat)),
            );
        }
        picture
    }

    fn seat_tray(&self, table: &State, seat: Seat) -> Area {
        let hands = hands_of(table, seat);
        let n_rows = hands.len().max(1);
        let height = ROW_HEIGHT * n_rows as f64;
        let mut tray = Area::tray(seat_id(seat), self.seat_name(seat), Some(seat), TRAY_WIDTH, height);
        for (nth, (index, hand)) in hands.into_iter().enumerate() {
            let y = ROW_HEIGHT * nth as f64 + 0.6;
            self.lay_hand(&mut tray, table, (index, hand), nth, y);
        }
        tray
    }

    /// The wager as a token, the cards, and what they count.
    fn lay_hand(&self, tray: &mut Area, state: &State, (index, hand): (usize, &Hand), nth: usize, y: f64) {
        let seat = hand.seat();
        let (text, name) = (self.hand_text(state, hand), format!("{}, hand {}", self.seat_name(seat), nth + 1));
        let wager = format!("wager:{seat}:{nth}");
        tray.cell(wager.clone(), 0.5, y, Shape::Circle { radius: 0.34 }, Tone::Plain).label =
            Some(format!("{name}, wager"));
        let token = tray.piece(wager, PieceKind::Token, Tone::Seat(seat as u8));
        token.text = Some(hand.wager.to_string());
        token.size = Some(0.64);
        let here =
            matches!(state.turn, Turn::Insurance(at) | Turn::Play(at) | Turn::Draw(at) if usize::from(at) == index);
        let tone = if here { Tone::Accent } else { Tone::Plain };
        let count = tray.cell(hand_id(seat, nth), TRAY_WIDTH / 2.0, y + 0.78, WORDS, tone);
        count.label = Some(name.clone());
        count.text = Some(text).filter(|text| !text.is_empty());
        let cards = hand.cards.as_slice();
        for (place, (&card, x)) in cards.iter().zip(row(LEFT, cards.len())).enumerate() {
            let id = card_id(seat, nth, place);
            tray.cell(id.clone(), x, y, Shape::Card, Tone::Plain).label = Some(format!("{name}, card {}", place + 1));
            lay(tray, id, Some(card));
        }
    }

    fn draw_seat(&self, sketch: &mut Sketch, scene: &Scene<'_, Self>, seat: Seat, nth: usize, wager: &str) {
        let state = scene.state;
        let acts = match state.turn {
            Turn::Play(hand) | Turn::Insurance(hand) => {
                hands_of(state, seat).get(nth).is_some_and(|&(index, _)| index == usize::from(hand))
            }
            _ => nth == 0 && self.to_act(state) == Some(seat),
        };
        let (name, chips) =
            if nth == 0 { (self.seat_name(seat), state.chips[seat].to_string()) } else { Default::default() };
        let insured = if nth == 0 && on_table(scene).is_insured(seat) { "i" } else { " " };
        sketch.text(if acts { "> " } else { "  " }).tone(format!("{name:<9}"), Tone::Seat(seat as u8));
        sketch.text(format!(" {chips:>7} {wager:>9}{insured}"));
    }
}

fn dealer_area(state: &State, viewer: Viewer) -> Area {
    let (width, n_cards) = (ROW_WIDTH + 0.6, state.n_dealer_cards());
    let n_places = n_cards.max(2);
    let left = ((width - CARD_WIDTH - STEP * (n_places - 1) as f64) / 2.0).max(0.3);
    let mut area = Area::table("Dealer", width, 1.75);
    for (nth, x) in row(left, n_places).enumerate() {
        let cell = area.cell(dealer_id(nth), x, 0.7, Shape::Card, Tone::Plain);
        cell.label = Some(format!("dealer, card {}", nth + 1));
        if nth < n_cards {
            lay(&mut area, dealer_id(nth), dealer_card(state, nth, viewer));
        }
    }
    let text = dealer_text(state);
    area.caption(width / 2.0, 1.5, if text.is_empty() { "Dealer".into() } else { format!("Dealer: {text}") });
    area
}

/// Where the centres of so many cards lie in a row that begins at `left`.
fn row(left: f64, n_cards: usize) -> impl Iterator<Item = f64> {
    let n_steps = n_cards.saturating_sub(1).max(1) as f64;
    let step = STEP.min((ROW_WIDTH - CARD_WIDTH) / n_steps);
    (0..n_cards).map(move |nth| left + CARD_WIDTH / 2.0 + step * nth as f64)
}

fn lay(area: &mut Area, cell: String, card: Option<Card>) {
    match card {
        Some(card) => area.piece(cell, PieceKind::Card, tone(card)).text = Some(card.to_string()),
        None => {
            area.piece(cell, PieceKind::CardBack, Tone::Neutral);
        }
    }
}

fn draw_cards(sketch: &mut Sketch, cards: impl Iterator<Item = Option<Card>>) {
    for card in cards {
        match card {
            Some(card) => sketch.text(" ").tone(card.to_string(), tone(card)),
            None => sketch.text(" ??"),
        };
    }
}

fn tone(card: Card) -> Tone {
    if matches!(card.suit(), 1 | 2) { Tone::Red } else { Tone::Black }
}

fn dealer_id(nth: usize) -> String {
    format!("dealer:{nth}")
}

fn seat_id(seat: Seat) -> String {
    format!("tray:{seat}")
}

fn hand_id(seat: Seat, nth: usize) -> String {
    format!("hand:{seat}:{nth}")
}

fn card_id(seat: Seat, nth: usize, place: usize) -> String {
    format!("card:{seat}:{nth}:{place}")
}
