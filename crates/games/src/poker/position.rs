//! Positions as text, written, read and checked:
//! `Th7c2d 0 dealer=0 stacks=90/70 staked=10/30 bets=0/20 acted=1 cards=AsAh/???? seen-by=0`.
//!
//! After the community cards and the seat to act (or `chance`, or `over`) come `round` where rounds are limited or the blinds
//! rise, `dealer`, and with a value for each seat `stacks`, `staked`, `bets` and `cards`; `folded` and `acted` list seats.
//! What is 0 or nothing for everybody is left out.

use std::fmt::Display;

use raichi_core::position::{Field, PositionError, Reader, SeenBy, SetUp};
use raichi_core::seat::{MAX_SEATS, Seat, Viewer};

use super::rules::{PerSeat, Poker, Seats, State, Turn, next_of};
use crate::cards::{Card, CardSet, read_cards, write_cards};

impl Poker {
    pub(super) fn write_position(&self, state: &State, viewer: Viewer) -> String {
        let turn = match state.turn {
            Turn::Act(seat) => seat.to_string(),
            Turn::Hole(_) | Turn::Board => "chance".into(),
            Turn::Over => "over".into(),
        };
        let mut text = format!("{} {turn}", write_cards(state.board.highest_first().into_iter().map(Some)));
        if state.round > 0 {
            text += &format!(" round={}", state.round);
        }
        if state.live != 0 {
            text += &format!(" dealer={}", state.dealer);
        }
        self.write_amounts(&mut text, "stacks", &state.stacks);
        self.write_amounts(&mut text, "staked", &state.staked);
        self.write_amounts(&mut text, "bets", &state.bets);
        let folded = if state.live == 0 { 0 } else { state.playing() & !state.live };
        write_seats(&mut text, "folded", folded);
        write_seats(&mut text, "acted", state.acted);

        let cards = |seat: Seat| {
            let hand = state.holes[seat].highest_first();
            write_cards(hand.into_iter().map(|card| Some(card).filter(|_| viewer.is(seat))))
        };
        if state.holes.iter().any(|hole| !hole.is_empty()) {
            text += &format!(" cards={}", joined((0..self.n_seats).map(cards)));
        }
        if text.contains('?') {
            text += &SeenBy(viewer).to_string();
        }
        text
    }

    fn write_amounts(&self, text: &mut String, key: &str, amounts: &PerSeat<u32>) {
        if amounts.iter().any(|&amount| amount > 0) {
            *text += &format!(" {key}={}", joined(amounts[..self.n_seats].iter()));
        }
    }

    pub(super) fn read_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let board_field = reader.field("the community cards, such as 8d7c2c, or - for none")?;
        let turn_field = reader.field("the seat to act, chance or over")?;
        let mut state = State::CLEARED;
        for (field, card) in read_cards(board_field)? {
            deal(&mut state.deck, &mut state.board, card, field)?;
        }
        if state.board.len() > 5 {
            return Err(board_field.error("at most five community cards"));
        }
        if turn_field.text == "over" {
            return self.read_end(state, turn_field, reader).map(SetUp::full);
        }
        if self.counts_rounds() {
            state.round = reader.value("round")?.number(1..=self.most_rounds().into())? as u32;
        }
        let dealer_field = reader.value("dealer")?;
        let dealer = dealer_field.number(0..=self.n_seats as u64 - 1)? as u8;
        state.stacks = self.read_stacks(&mut reader)?;
        let staked_field = reader.peek();
        state.staked = self.read_amounts(&mut reader, "staked", &|_| self.all_chips())?;
        self.check_that_no_chip_is_missing(&state, staked_field)?;
        let bets_field = reader.peek();
        state.bets = self.read_amounts(&mut reader, "bets", &|seat| state.staked[seat].into())?;
        state.bet = state.bets.iter().copied().max().unwrap_or(0);
        let playing = state.playing();
        if playing >> dealer & 1 == 0 {
            return Err(dealer_field.error("a seat with chips"));
        }
        state.dealer = dealer;
        let folded_field = reader.peek();
        let folded = self.read_seats(&mut reader, "folded")?;
        if folded & !playing != 0 || (playing & !folded).count_ones() < 2 {
            return Err(folded_field.error("seats with chips, and two at least that have not folded"));
        }
        state.live = playing & !folded;
        let acted_field = reader.peek();
        state.acted = self.read_seats(&mut reader, "acted")?;
        let cards_field = reader.peek();
        let hidden = self.read_holes(&mut reader, &mut state)?;
        let seen_by = self.read_viewer(&mut reader, cards_field, &state, &hidden)?;
        self.fill(&mut state, &hidden);

        let n_holes: usize = state.holes.iter().map(|hole| hole.len()).sum();
        if n_holes < 2 * playing.count_ones() as usize {
            state.turn =
                self.dealing(&state, n_holes, Places { turn: turn_field, bets: staked_field, cards: cards_field })?;
        } else {
            state.turn = self.betting(&state, turn_field)?;
            check_stakes(&state, staked_field, bets_field)?;
            if let Turn::Act(seat) = state.turn {
                self.check_order(&state, seat.into(), turn_field, acted_field)?;
            }
        }
        Ok(SetUp { state, seen_by })
    }

    fn all_chips(&self) -> u64 {
        self.n_seats as u64 * u64::from(self.chips)
    }

    fn read_stacks(&self, reader: &mut Reader<'_>) -> Result<PerSeat<u32>, PositionError> {
        if reader.peek().text.starts_with("stacks=") {
            return self.read_amounts(reader, "stacks", &|_| self.all_chips());
        }
        // All are all-in.
        if reader.peek().text.starts_with("staked=") {
            Ok([0; MAX_SEATS])
        } else {
            Err(reader.peek().error("stacks=…"))
        }
    }

    fn read_amounts(
        &self,
        reader: &mut Reader<'_>,
        key: &str,
        most: &dyn Fn(Seat) -> u64,
    ) -> Result<PerSeat<u32>, PositionError> {
        let mut amounts = [0; MAX_SEATS];
        let Some(field) = reader.optional_value(key) else { return Ok(amounts) };
        for (seat, part) in self.for_each_seat(field)?.into_iter().enumerate() {
            amounts[seat] = part.number(0..=most(seat))? as u32;
        }
        Ok(amounts)
    }

    fn for_each_seat<'a>(&self, field: Field<'a>) -> Result<Vec<Field<'a>>, PositionError> {
        let parts: Vec<Field<'_>> = field.split('/').collect();
        if parts.len() != self.n_seats {
            return Err(field.error(format!("{} values with / between them, one a seat", self.n_seats)));
        }
        Ok(parts)
    }

    fn read_seats(&self, reader: &mut Reader<'_>, key: &str) -> Result<Seats, PositionError> {
        let mut seats = 0;
        let Some(field) = reader.optional_value(key) else { return Ok(seats) };
        for (nth, digit) in field.text.chars().enumerate() {
            let seat = digit.to_digit(10).filter(|&seat| (seat as usize) < self.n_seats && seats >> seat == 0);
            let expected = || format!("seats in rising order, below {}", self.n_seats);
            seats |= 1 << seat.ok_or_else(|| field.error_at(nth, expected()))?;
        }
        if seats == 0 { Err(field.error_at(0, "a seat")) } else { Ok(seats) }
    }

    /// Reads the hole cards; returns how many are hidden, by seat.
    fn read_holes(&self, reader: &mut Reader<'_>, state: &mut State) -> Result<PerSeat<usize>, PositionError> {
        let mut hidden = [0; MAX_SEATS];
        let Some(field) = reader.optional_value("cards") else { return Ok(hidden) };
        for (seat, part) in self.for_each_seat(field)?.into_iter().enumerate() {
            let cards = read_cards(part)?;
            if cards.len() > 2 || !cards.is_empty() && state.playing() >> seat & 1 == 0 {
                return Err(part.error("two cards at most, and none for a seat without chips"));
            }
            for (place, card) in cards {
                if card.is_none() {
                    hidden[seat] += 1;
                } else {
                    deal(&mut state.deck, &mut state.holes[seat], card, place)?;
                }
            }
            if hidden[seat] > 0 && !state.holes[seat].is_empty() {
                return Err(part.error("either cards or ?? for all of them"));
            }
        }
        Ok(hidden)
    }

    /// A viewer who is named sees its own cards and nobody else's.
    fn read_viewer(
        &self,
        reader: &mut Reader<'_>,
        cards: Field<'_>,
        state: &State,
        hidden: &PerSeat<usize>,
    ) -> Result<Option<Viewer>, PositionError> {
        let seen_by = reader.seen_by(self.n_seats)?;
        reader.end()?;
        let hides = hidden.iter().any(|&n_hidden| n_hidden > 0);
        match seen_by {
            None if hides => Err(reader.peek().error("seen-by=… and a seat or spectator, since cards are hidden")),
            Some(_) if !hides => Err(cards.error("hidden cards, ??, where a viewer is named")),
            Some(viewer) => {
                let fits = |seat: Seat| if viewer.is(seat) { hidden[seat] == 0 } else { state.holes[seat].is_empty() };
                let all_fit = (0..self.n_seats).all(fits);
                if all_fit {
                    Ok(seen_by)
                } else {
                    Err(cards.error("?? for all cards but those of the seat that looks"))
                }
            }
            None => Ok(None),
        }
    }

    /// Puts the lowest unseen cards in the place of the hidden ones.
    fn fill(&self, state: &mut State, hidden: &PerSeat<usize>) {
        for (hole, &n_hidden) in state.holes.iter_mut().zip(hidden) {
            for _ in 0..n_hidden {
                let card = state.deck.first().expect("at most 25 of 52 cards are dealt");
                state.deck.remove(card);
                hole.insert(card);
            }
        }
    }

    fn check_that_no_chip_is_missing(&self, state: &State, staked: Field<'_>) -> Result<(), PositionError> {
        let sum = |chips: &PerSeat<u32>| chips.iter().map(|&chips| u64::from(chips)).sum::<u64>();
        let (there, all) = (sum(&state.stacks) + sum(&state.staked), self.all_chips());
        if there == all {
            return Ok(());
        }
        Err(staked.error(format!("{all} chips in stacks and staked together, not {there}")))
    }

    /// After the last round there is nothing but the stacks.
    fn read_end(&self, cleared: State, turn: Field<'_>, mut reader: Reader<'_>) -> Result<State, PositionError> {
        let stacks_field = reader.peek();
        let state = State { stacks: self.read_stacks(&mut reader)?, ..cleared };
        reader.end()?;
        self.check_that_no_chip_is_missing(&state, stacks_field)?;
        if !state.board.is_empty() {
            return Err(turn.error("a seat or chance: there are cards on the table"));
        }
        if state.with_chips().count_ones() > 1 && self.rounds == 0 {
            return Err(turn.error("a seat or chance: several seats have chips, and rounds are not limited"));
        }
        Ok(state)
    }

    /// Who gets the next hole card. Nothing but the blinds has happened.
    fn dealing(&self, state: &State, n_holes: usize, places: Places<'_>) -> Result<Turn, PositionError> {
        let chips = std::array::from_fn(|seat| state.stacks[seat] + state.staked[seat]);
        let mut start = State { round: state.round, stacks: chips, ..State::CLEARED };
        self.begin_round(&mut start, state.dealer.into());
        let (mut seat, _) = self.blinds(start.live, state.dealer.into());
        let mut n_cards = [0; MAX_SEATS];
        for _ in 0..n_holes {
            n_cards[seat] += 1;
            seat = next_of(start.live, seat);
        }
        if state.holes.iter().zip(n_cards).any(|(hole, n_cards)| hole.len() != n_cards) {
            return Err(places.cards.error("hole cards as they are dealt, from the small blind twice round"));
        }
        if (state.staked, state.bets) != (start.staked, start.bets) {
            return Err(places.bets.error("the blinds and nothing else in staked and bets while hole cards are dealt"));
        }
        if places.turn.text != "chance" || !state.board.is_empty() || state.live != start.live || state.acted != 0 {
            return Err(places
                .turn
                .error("chance, an empty board and nobody who has acted while hole cards are dealt"));
        }
        Ok(Turn::Hole(seat as u8))
    }

    fn betting(&self, state: &State, turn: Field<'_>) -> Result<Turn, PositionError> {
        let n_cards = state.board.len();
        if turn.text != "chance" {
            let expected = format!("the seat to act, 0 to {}, chance or over", self.n_seats - 1);
            let seat = turn.number(0..=self.n_seats as u64 - 1).map_err(|_| turn.error(expected))?;
            if matches!(n_cards, 1 | 2) {
                return Err(turn.error("chance: the flop is three cards"));
            }
            return Ok(Turn::Act(seat as u8));
        }
        if n_cards == 5 {
            return Err(turn.error("the seat to act: the board is complete"));
        }
        if state.bets != [0; MAX_SEATS] || state.acted != 0 {
            return Err(turn.error("the seat to act: before the next card is dealt, bets and acted are left out"));
        }
        Ok(Turn::Board)
    }

    /// The seat to act has to, and so has nobody who has acted already until all others have.
    fn check_order(&self, state: &State, seat: Seat, turn: Field<'_>, acted: Field<'_>) -> Result<(), PositionError> {
        let able = state.able();
        if able >> seat & 1 == 0 {
            return Err(turn.error("a seat that has chips and has not folded"));
        }
        if state.acted & !able != 0 || seats_of(state.acted).any(|seat| state.owe(seat) > 0) {
            return Err(acted.error("seats that have chips, have not folded and have matched the bet"));
        }
        if state.betting_is_over(able) || state.acted >> seat & 1 == 1 {
            return Err(turn.error("chance, or a seat that has not acted: this one has nothing to decide"));
        }
        // In order of play from the seat to act.
        let order = std::iter::successors(Some(seat), |&seat| Some(next_of(able, seat)));
        let order: Vec<Seat> = order.take(able.count_ones() as usize).collect();
        let has_acted = |seat: &Seat| state.acted >> seat & 1 == 1;
        if !order.is_sorted_by_key(has_acted) {
            return Err(acted.error("seats just before the one to act"));
        }
        // The big blind may act though it owes nothing, but only when all others have matched it.
        let waiting: Vec<Seat> = order.into_iter().filter(|seat| !has_acted(seat)).collect();
        let early = waiting.iter().rev().skip(1).any(|&seat| state.bet > 0 && state.owe(seat) == 0);
        if early {
            Err(acted.error("the last seat to act: one that has matched the bet and has not acted"))
        } else {
            Ok(())
        }
    }
}

/// Where something may be wrong while hole cards are dealt.
struct Places<'a> {
    turn: Field<'a>,
    bets: Field<'a>,
    cards: Field<'a>,
}

/// What seats have put in fits together: those who can still bet have put in the same before this betting round, nobody
/// all-in has put in more, and no folded seat has put in most.
fn check_stakes(state: &State, staked: Field<'_>, bets: Field<'_>) -> Result<(), PositionError> {
    let is_live = |seat: &Seat| state.live >> seat & 1 == 1;
    if (0..MAX_SEATS).any(|seat| !is_live(&seat) && state.bets[seat] > 0) {
        return Err(bets.error("0 for each seat that is not in the round any more"));
    }
    let before = |seat: Seat| state.staked[seat] - state.bets[seat];
    if let Some(level) = seats_of(state.able()).map(before).next() {
        let fits = |seat: Seat| {
            let bets_now = state.able() >> seat & 1 == 1 || state.bets[seat] > 0;
            if bets_now { before(seat) == level } else { before(seat) <= level }
        };
        if !seats_of(state.live).all(fits) {
            return Err(staked.error("the same for all who can still bet, without bets, and no more for who is all-in"));
        }
    }
    let most = |live: bool| (0..MAX_SEATS).filter(|seat| is_live(seat) == live).map(|seat| state.staked[seat]).max();
    if most(false) > most(true) {
        return Err(staked.error("at least as much of a seat in the round as of one that has folded"));
    }
    Ok(())
}

fn seats_of(seats: Seats) -> impl Iterator<Item = Seat> {
    (0..MAX_SEATS).filter(move |seat| seats >> seat & 1 == 1)
}

/// Moves a card from the deck to where it lies.
fn deal(deck: &mut CardSet, to: &mut CardSet, card: Option<Card>, place: Field<'_>) -> Result<(), PositionError> {
    let card = card.ok_or_else(|| place.error("a card: all see the community cards"))?;
    if !deck.contains(card) {
        return Err(place.error("a card that lies nowhere else"));
    }
    deck.remove(card);
    to.insert(card);
    Ok(())
}

fn joined(values: impl Iterator<Item = impl Display>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join("/")
}

fn write_seats(text: &mut String, key: &str, seats: Seats) {
    if seats != 0 {
        *text += &format!(" {key}=");
        seats_of(seats).for_each(|seat| *text += &seat.to_string());
    }
}
