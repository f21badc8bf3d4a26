//! Positions as text, written, read and checked:
//! `9d 0 round=3 chips=180/190 hands=8h3c:10,8c:10/Th7s:10 face-down=?? seen-by=0`.
//!
//! After the dealer's open cards and the seat to act (or `chance`, or `over`) come `round`, `chips` and `hands` with a part
//! for each seat: its hands, a comma between them, each with its cards, its wager and `s` (stands), `d` (doubled) or `x`
//! (surrendered). Then the seats that are `insured`, `insurance=open` while that is asked, and the card `face-down`, for
//! which `??` stands until everybody knows it. What there is not is left out. The shoe follows from the cards.

use raichi_core::position::{Field, PositionError, Reader, SeenBy, SetUp};
use raichi_core::seat::{Seat, Viewer};

use super::cards::{BEST, Cards, make_natural, value};
use super::house::Insurance;
use super::rules::{Blackjack, HANDS_EACH, Hand, MAX_PLAYERS, Standing, State, Turn};
use super::shoe::Shoe;
use crate::cards::{Card, read_cards, write_cards};

/// How a decision about a hand is written behind its wager.
const STANDINGS: [(char, Standing); 3] =
    [('s', Standing::Stands), ('d', Standing::Doubled), ('x', Standing::Surrendered)];

impl Blackjack {
    pub(super) fn write_position(&self, state: &State, viewer: Viewer) -> String {
        let turn = match state.turn {
            Turn::Bet(seat) => seat.to_string(),
            Turn::Insurance(hand) | Turn::Play(hand) => state.hands[usize::from(hand)].seat().to_string(),
            Turn::Deal(_) | Turn::Draw(_) | Turn::Dealer => "chance".into(),
            Turn::Over => "over".into(),
        };
        let mut text = format!("{} {turn}", write_open(&state.dealer));
        if state.round > 0 {
            text += &format!(" round={}", state.round);
        }
        let chips: Vec<String> = state.chips[..self.n_seats].iter().map(u64::to_string).collect();
        text += &format!(" chips={}", chips.join("/"));
        if state.wagers != [0; MAX_PLAYERS] {
            let seats: Vec<String> = (0..self.n_seats).map(|seat| write_seat(state, seat)).collect();
            text += &format!(" hands={}", seats.join("/"));
        }
        if state.insured != 0 {
            let insured = (0..self.n_seats).filter(|&seat| state.is_insured(seat));
            text += &format!(" insured={}", insured.map(|seat| seat.to_string()).collect::<String>());
        }
        if matches!(state.turn, Turn::Insurance(_)) {
            text += " insurance=open";
        }
        if let Some(card) = state.face_down {
            let is_known = viewer == Viewer::Referee || state.known_face_down().is_some();
            text += &format!(" face-down={}", write_cards([is_known.then_some(card)]));
            if !is_known {
                text += &SeenBy(viewer).to_string();
            }
        }
        text
    }

    pub(super) fn read_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let fields = Fields {
            dealer: reader.field("the dealer's open cards, such as 9d, or - for none")?,
            turn: reader.field("the seat to act, chance or over")?,
            round: reader.optional_value("round"),
            chips: reader.value("chips")?,
            hands: reader.optional_value("hands"),
            insured: reader.optional_value("insured"),
            insurance: reader.optional_value("insurance"),
            face_down: reader.optional_value("face-down"),
        };
        let seen_by = reader.seen_by(self.n_seats)?;
        reader.end()?;
        self.position(&fields, seen_by).map(|state| SetUp { state, seen_by })
    }

    fn position(&self, fields: &Fields<'_>, seen_by: Option<Viewer>) -> Result<State, PositionError> {
        let mut state = self.between_rounds();
        self.read_chips(fields.chips, &mut state)?;
        if let Some(hands) = fields.hands {
            self.read_hands(hands, &mut state)?;
        }
        state.dealer =
            read_drawn(fields.dealer, "with which the dealer stands", |cards| self.house.dealer_draws(cards))?;
        let all_dealt = self.read_face_down(fields, &mut state, seen_by)?;
        self.read_insured(fields, &mut state)?;
        state.turn = self.read_turn(fields, &state)?;
        state.round = self.read_round(fields, &state)?;
        self.check_chips(fields, &state)?;
        // Wagers lie there, hands do not yet.
        if let Turn::Bet(_) = state.turn {
            state.hands.clear();
        }
        if fields.face_down.is_some_and(|field| field.text == "??") {
            self.make_up_face_down(fields, &mut state, all_dealt)?;
        }
        Ok(state)
    }

    fn read_chips(&self, field: Field<'_>, state: &mut State) -> Result<(), PositionError> {
        for (seat, part) in self.for_each_seat(field)?.into_iter().enumerate() {
            state.chips[seat] = part.number(0..=self.most_chips(self.rounds))?;
        }
        Ok(())
    }

    /// What a seat can have after so many rounds: four hands doubled and won in each.
    pub(super) fn most_chips(&self, n_rounds: u32) -> u64 {
        let most_won = 2 * HANDS_EACH as u64 * u64::from(self.bets[self.bets.len() - 1]);
        self.chips + u64::from(n_rounds) * most_won
    }

    fn for_each_seat<'a>(&self, field: Field<'a>) -> Result<Vec<Field<'a>>, PositionError> {
        let parts: Vec<Field<'_>> = field.split('/').collect();
        if parts.len() == self.n_seats {
            return Ok(parts);
        }
        Err(field.error(format!("one part for each of {} seats, with / between them", self.n_seats)))
    }

    fn read_hands(&self, field: Field<'_>, state: &mut State) -> Result<(), PositionError> {
        for (seat, part) in self.for_each_seat(field)?.into_iter().enumerate().filter(|(_, part)| part.text != "-") {
            let first = state.hands.len();
            let parts: Vec<Field<'_>> = part.split(',').collect();
            if parts.len() > HANDS_EACH {
                return Err(part.error(format!("at most {HANDS_EACH} hands of a seat")));
            }
            for hand in &parts {
                state.hands.push(self.read_hand(*hand, seat, parts.len() > 1)?);
            }
            let hands = &state.hands[first..];
            let begins_with = |hand: &Hand| hand.cards.as_slice().first().map(|card| card.rank());
            let alike = |hand: &Hand| hand.placed() == hands[0].placed() && begins_with(hand) == begins_with(&hands[0]);
            if !hands.iter().all(alike) {
                return Err(part.error("hands of one split: the same wagers, and first cards of one rank"));
            }
            state.wagers[seat] = hands[0].placed();
        }
        if state.hands.is_empty() { Err(field.error("a hand, such as Th7s:10")) } else { Ok(()) }
    }

    fn read_hand(&self, field: Field<'_>, seat: Seat, of_split: bool) -> Result<Hand, PositionError> {
        let expected = "the cards of a hand, a colon and its wager, such as Th7s:10";
        let mut parts = field.split(':');
        let (Some(cards), Some(wager), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(field.error(expected));
        };
        let letter = wager.text.chars().last();
        let standing = STANDINGS.into_iter().find(|&(symbol, _)| Some(symbol) == letter);
        let digits = Field { text: &wager.text[..wager.text.len() - usize::from(standing.is_some())], ..wager };
        let standing = standing.map_or(Standing::Open, |(_, standing)| standing);
        let mut hand = Hand { standing, of_split, ..Hand::new(seat, 0) };
        hand.cards = read_drawn(cards, "that come to 21", |cards| cards.count() < BEST)?;
        hand.wager = digits.number(0..=u32::MAX.into())? as u32;
        let times = if standing == Standing::Doubled { 2 } else { 1 };
        if !self.bets.contains(&hand.placed()) || hand.wager != times * hand.placed() {
            let bets = self.bets.iter().take(8).map(u32::to_string).collect::<Vec<_>>().join(", ");
            return Err(digits.error(format!("one of the wagers ({bets}), twice as much for a doubled hand")));
        }
        let n_cards = hand.cards.len();
        let fits = match standing {
            Standing::Open => true,
            Standing::Stands => n_cards >= 2 && hand.cards.count() < BEST,
            Standing::Doubled if of_split && !self.house.doubles_splits => false,
            Standing::Doubled => n_cards == 2 && hand.cards.count() < BEST || n_cards == 3,
            Standing::Surrendered => self.house.surrender && n_cards == 2 && !of_split && hand.cards.count() < BEST,
        };
        if !fits || of_split && n_cards == 0 {
            return Err(field.error("cards with which that could be decided"));
        }
        Ok(hand)
    }

    fn read_insured(&self, fields: &Fields<'_>, state: &mut State) -> Result<(), PositionError> {
        if let Some(field) = fields.insurance.filter(|field| field.text != "open") {
            return Err(field.error("open"));
        }
        let Some(field) = fields.insured else { return Ok(()) };
        if self.house.insurance == Insurance::None {
            return Err(field.error("no insurance: it is not offered here"));
        }
        for (nth, digit) in field.text.chars().enumerate() {
            let seat = digit.to_digit(10).filter(|&seat| (seat as usize) < self.n_seats && state.insured >> seat == 0);
            let seat = seat.filter(|&seat| state.wagers[seat as usize] > 0);
            state.insured |= 1 << seat.ok_or_else(|| field.error_at(nth, "seats with hands, in rising order"))?;
        }
        let offered =
            state.up().is_some_and(|up| value(up) == 1) && (state.dealer.len() > 1 || state.face_down.is_some());
        if state.insured == 0 || !offered {
            return Err(field.error("no insurance: the dealer shows no ace"));
        }
        Ok(())
    }

    /// Reads the card that lies face down, any for one that is hidden, and works out the shoe; returns all other cards.
    fn read_face_down(
        &self,
        fields: &Fields<'_>,
        state: &mut State,
        seen_by: Option<Viewer>,
    ) -> Result<Vec<Card>, PositionError> {
        let hands = state.hands.iter().map(|hand| &hand.cards).chain([&state.dealer]);
        let mut dealt: Vec<Card> = hands.flat_map(|cards| cards.as_slice()).copied().collect();
        let open = dealt.clone();
        let hidden = fields.face_down.is_some_and(|field| field.text == "??");
        match (fields.face_down, seen_by) {
            (Some(field), None) if hidden => {
                return Err(field.error("a card, or seen-by=… at the end and ?? for it"));
            }
            (Some(field), Some(_)) if !hidden => return Err(field.error("?? where a viewer is named")),
            (None, Some(_)) => return Err(fields.turn.error("face-down=?? where a viewer is named")),
            (Some(field), None) => {
                let cards = read_cards(field)?;
                let [(_, Some(card))] = cards[..] else { return Err(field.error("one card")) };
                state.face_down = Some(card);
                dealt.push(card);
            }
            (Some(_), Some(_)) => state.face_down = Some(Card::default()),
            (None, None) => {}
        }
        if !hidden {
            state.shoe = self.shoe_after(fields, &dealt)?;
        }
        Ok(open)
    }

    fn shoe_after(&self, fields: &Fields<'_>, dealt: &[Card]) -> Result<Shoe, PositionError> {
        let place = fields.hands.unwrap_or(fields.dealer);
        let expected =
            || format!("cards that {} decks have, all of them before they are shuffled in again", self.decks);
        Shoe::after(self.decks, dealt).ok_or_else(|| place.error(expected()))
    }

    /// The lowest card that may lie face down.
    fn make_up_face_down(&self, fields: &Fields<'_>, state: &mut State, open: Vec<Card>) -> Result<(), PositionError> {
        let place = fields.face_down.unwrap_or(fields.turn);
        for card in Card::all() {
            if self.peeked(state) && state.up().is_some_and(|up| make_natural(up, card)) {
                continue;
            }
            let dealt: Vec<Card> = open.iter().copied().chain([card]).collect();
            let Some(shoe) = Shoe::after(self.decks, &dealt) else { continue };
            if shoe.was_refilled() {
                return Err(place.error("the card: when the shoe has run out, everybody knows it"));
            }
            (state.face_down, state.shoe) = (Some(card), shoe);
            return Ok(());
        }
        // Either the open cards are too many of a kind, or none is left for this one.
        self.shoe_after(fields, &open)?;
        Err(place.error("another position: no card is left that may lie there"))
    }

    fn read_turn(&self, fields: &Fields<'_>, state: &State) -> Result<Turn, PositionError> {
        let field = fields.turn;
        let turn = match (field.text, state.face_down) {
            ("over", _) => self.at_end(fields, state)?,
            ("chance", Some(_)) => Turn::Draw(self.first_waiting(fields, state)?),
            ("chance", None) if state.dealer.len() >= 2 => self.at_dealer(fields, state)?,
            ("chance", None) => self.at_deal(fields, state)?,
            _ => {
                let expected = || format!("the seat to act, 0 to {}, chance or over", self.n_seats - 1);
                let seat = field.number(0..=self.n_seats as u64 - 1).map_err(|_| field.error(expected()))? as Seat;
                match state.face_down {
                    None => self.at_bet(fields, state, seat)?,
                    Some(_) if fields.insurance.is_some() => self.at_insurance(fields, state, seat)?,
                    Some(_) => self.at_play(fields, state, seat)?,
                }
            }
        };
        if fields.insurance.is_some() && !matches!(turn, Turn::Insurance(_)) {
            return Err(field.error("the seat that is asked about insurance"));
        }
        if self.house.peeks && matches!(turn, Turn::Play(_) | Turn::Draw(_)) {
            let cards = state.up().zip(state.face_down);
            let hidden = fields.face_down.is_some_and(|field| field.text == "??");
            if !hidden && cards.is_some_and(|(up, face_down)| make_natural(up, face_down)) {
                let place = fields.face_down.unwrap_or(field);
                return Err(place.error("a card that makes no natural: the dealer has looked"));
            }
        }
        Ok(turn)
    }

    fn at_end(&self, fields: &Fields<'_>, state: &State) -> Result<Turn, PositionError> {
        if fields.hands.is_some() || !state.dealer.is_empty() || state.face_down.is_some() {
            return Err(fields.turn.error("a seat or chance: there are wagers or cards on the table"));
        }
        Ok(Turn::Over)
    }

    fn at_bet(&self, fields: &Fields<'_>, state: &State, seat: Seat) -> Result<Turn, PositionError> {
        if !state.dealer.is_empty() || state.hands.iter().any(|hand| !hand.cards.is_empty()) {
            return Err(fields.turn.error("chance, or a card face down before somebody acts"));
        }
        let has_passed = |other: Seat| state.wagers[other] > 0 || !self.can_bet(state, other);
        if !self.can_bet(state, seat) || (seat..self.n_seats).any(|later| state.wagers[later] > 0) {
            return Err(fields.turn.error("a seat that can pay a wager, and wagers of earlier seats alone"));
        }
        if (0..seat).all(has_passed) {
            Ok(Turn::Bet(seat as u8))
        } else {
            Err(fields.turn.error("the first seat without a wager"))
        }
    }

    fn can_bet(&self, state: &State, seat: Seat) -> bool {
        state.chips[seat] >= self.bets[0].into()
    }

    /// As many cards as are dealt so far, on the right places.
    fn at_deal(&self, fields: &Fields<'_>, state: &State) -> Result<Turn, PositionError> {
        self.check_all_have_bet(fields, state)?;
        let n_hands = state.hands.len();
        let n_dealt = state.hands.iter().map(|hand| hand.cards.len()).sum::<usize>() + state.dealer.len();
        let cards_of = |place: usize| (0..n_dealt).filter(|nth| nth % (n_hands + 1) == place).count();
        let is_dealt_so = |(place, hand): (usize, &Hand)| {
            hand.cards.len() == cards_of(place) && hand.standing == Standing::Open && !hand.of_split
        };
        if n_dealt > 2 * n_hands + 1 || !state.hands.iter().enumerate().all(is_dealt_so) {
            let place = fields.hands.unwrap_or(fields.turn);
            return Err(place.error("hands of one seat each, as they are dealt round by round"));
        }
        Ok(Turn::Deal(n_dealt as u8))
    }

    fn check_all_have_bet(&self, fields: &Fields<'_>, state: &State) -> Result<(), PositionError> {
        let place = fields.hands.unwrap_or(fields.turn);
        if state.hands.is_empty() || (0..self.n_seats).any(|seat| state.wagers[seat] == 0 && self.can_bet(state, seat))
        {
            return Err(place.error("hands=… with one of every seat that could pay a wager"));
        }
        Ok(())
    }

    fn at_insurance(&self, fields: &Fields<'_>, state: &State, seat: Seat) -> Result<Turn, PositionError> {
        self.check_all_have_bet(fields, state)?;
        let place = fields.hands.unwrap_or(fields.turn);
        if state.up().is_none_or(|up| value(up) != 1) || state.dealer.len() > 1 {
            return Err(fields.dealer.error("an ace where insurance is asked about"));
        }
        let is_as_dealt = |hand: &Hand| hand.cards.len() == 2 && hand.standing == Standing::Open && !hand.of_split;
        if !state.hands.iter().all(is_as_dealt) {
            return Err(place.error("hands of two cards while insurance is asked about"));
        }
        let asked = state.hands.iter().position(|hand| hand.seat() == seat && self.can_insure(state, hand));
        match asked {
            Some(hand) if state.insured >> seat == 0 => Ok(Turn::Insurance(hand as u8)),
            _ => Err(fields.turn.error("a seat that can pay insurance and has not been asked")),
        }
    }

    fn at_play(&self, fields: &Fields<'_>, state: &State, seat: Seat) -> Result<Turn, PositionError> {
        let index = self.first_waiting(fields, state)?;
        let hand = &state.hands[usize::from(index)];
        if hand.cards.len() < 2 || hand.standing == Standing::Doubled {
            return Err(fields.turn.error("chance: a hand waits for a card"));
        }
        if hand.seat() != seat {
            return Err(fields.turn.error(format!("seat {}, whose hand is not finished", hand.seat())));
        }
        Ok(Turn::Play(index))
    }

    /// The first hand with which something is to happen. Those behind it have not been played.
    fn first_waiting(&self, fields: &Fields<'_>, state: &State) -> Result<u8, PositionError> {
        self.check_all_have_bet(fields, state)?;
        let place = fields.hands.unwrap_or(fields.turn);
        if state.dealer.len() != 1 {
            return Err(fields.dealer.error("one open card beside the one face down"));
        }
        let index = state.hands.iter().position(waits).ok_or_else(|| place.error("a hand that is not finished"))?;
        let is_untouched = |hand: &Hand| {
            let n_cards = if hand.of_split { 1..=2 } else { 2..=2 };
            hand.standing == Standing::Open && n_cards.contains(&hand.cards.len())
        };
        if state.hands[index].cards.is_empty() || !state.hands[index + 1..].iter().all(is_untouched) {
            return Err(place.error("hands that have not been played behind the one that is"));
        }
        Ok(index as u8)
    }

    fn at_dealer(&self, fields: &Fields<'_>, state: &State) -> Result<Turn, PositionError> {
        self.check_all_have_bet(fields, state)?;
        let place = fields.hands.unwrap_or(fields.turn);
        if state.hands.iter().any(|hand| waits(hand) || hand.cards.len() < 2) {
            return Err(place.error("finished hands when the dealer draws"));
        }
        if !self.dealer_draws(state) {
            return Err(fields.dealer.error("a dealer who has to draw, and a hand that depends on it"));
        }
        Ok(Turn::Dealer)
    }

    fn read_round(&self, fields: &Fields<'_>, state: &State) -> Result<u32, PositionError> {
        let is_over = state.turn == Turn::Over;
        match fields.round {
            Some(field) => {
                let first = if is_over { self.rounds } else { 1 };
                field.number(first.into()..=self.rounds.into()).map(|round| round as u32)
            }
            None if is_over && !(0..self.n_seats).any(|seat| self.can_bet(state, seat)) => Ok(0),
            None => Err(fields.chips.error("round=… before it, unless the game is over because nobody can bet")),
        }
    }

    /// Nobody has won more than can be won.
    fn check_chips(&self, fields: &Fields<'_>, state: &State) -> Result<(), PositionError> {
        let n_rounds = match (state.turn, state.round) {
            (Turn::Over, 0) => self.rounds - 1,
            (Turn::Over, round) => round,
            (_, round) => round - 1,
        };
        let most = self.most_chips(n_rounds);
        if (0..self.n_seats).any(|seat| self.began_with(state, seat) > most) {
            return Err(fields.chips.error(format!("at most {most} chips of each seat before this round")));
        }
        Ok(())
    }
}

/// The parts of a text.
struct Fields<'a> {
    dealer: Field<'a>,
    turn: Field<'a>,
    round: Option<Field<'a>>,
    chips: Field<'a>,
    hands: Option<Field<'a>>,
    insured: Option<Field<'a>>,
    insurance: Option<Field<'a>>,
    face_down: Option<Field<'a>>,
}

/// Whether something is still to happen with a hand, if only the card of a doubled one.
fn waits(hand: &Hand) -> bool {
    match hand.standing {
        Standing::Doubled => hand.cards.len() == 2,
        _ => hand.cards.len() < 2 || !hand.is_finished(),
    }
}

fn write_open(cards: &Cards) -> String {
    write_cards(cards.as_slice().iter().map(|&card| Some(card)))
}

fn write_seat(state: &State, seat: Seat) -> String {
    if state.hands.is_empty() && state.wagers[seat] > 0 {
        return format!("-:{}", state.wagers[seat]);
    }
    let letter = |hand: &Hand| STANDINGS.into_iter().find(|&(_, standing)| standing == hand.standing);
    let write = |hand: &Hand| {
        let letter = letter(hand).map_or(String::new(), |(letter, _)| letter.into());
        format!("{}:{}{letter}", write_open(&hand.cards), hand.wager)
    };
    let hands: Vec<String> = state.hands.iter().filter(|hand| hand.seat() == seat).map(write).collect();
    if hands.is_empty() { "-".into() } else { hands.join(",") }
}

/// Cards that were drawn one by one: after two, none that was not drawn any more.
fn read_drawn(field: Field<'_>, which: &str, draws: impl Fn(&Cards) -> bool) -> Result<Cards, PositionError> {
    let mut cards = Cards::default();
    for (place, card) in read_cards(field)? {
        if cards.len() >= 2 && !draws(&cards) {
            return Err(place.error(format!("no card more than those {which}")));
        }
        cards.push(card.ok_or_else(|| place.error("a card: all see it"))?);
    }
    Ok(cards)
}
