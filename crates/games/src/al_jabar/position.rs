//! Positions as text, written, read and checked:
//! `G.K*2 0 round=3 hands=R*2.Y/O.W.K bag=R*8.Y*9.B*10.O*9.G*7.P*10.W*9`.
//!
//! The Center, then the seat to act (or `chance`, or `over`), the rounds completed, the hands and the bag. A pile is its
//! colours in order with `.` between them, a number behind those of which there are several; `-` is an empty one. Then,
//! where it is so, `drawn=yes` (the seat has drawn and so cannot call the final round), `draws=1` (that seat draws a
//! piece), `signal=given` (the final round has been called).

use raichi_core::position::{Field, PositionError, Reader};

use super::group::Colour;
use super::pieces::Pieces;
use super::rules::{AlJabar, Stage, State};

impl AlJabar {
    pub(super) fn write_position(&self, state: &State) -> String {
        let turn = match state.stage {
            Stage::Turn { .. } => state.to_act.to_string(),
            Stage::Deal(_) | Stage::Draw => "chance".into(),
            Stage::Over => "over".into(),
        };
        let hands: Vec<String> = state.hands[..self.n_seats()].iter().map(|hand| self.write_pile(hand)).collect();
        let [center, bag] = [&state.center, &state.bag].map(|pile| self.write_pile(pile));
        let mut text = format!("{center} {turn} round={} hands={} bag={bag}", state.round, hands.join("/"));
        match state.stage {
            Stage::Turn { drawn: true } => text += " drawn=yes",
            Stage::Draw => text += &format!(" draws={}", state.to_act),
            _ => {}
        }
        if state.signalled {
            text += " signal=given";
        }
        text
    }

    fn write_pile(&self, pile: &Pieces) -> String {
        let write = |colour: Colour| match pile.count(colour) {
            0 => None,
            1 => Some(self.group().colour_text(colour)),
            n => Some(format!("{}*{n}", self.group().colour_text(colour))),
        };
        let colours: Vec<String> = self.group().colours().filter_map(write).collect();
        if colours.is_empty() { "-".into() } else { colours.join(".") }
    }

    pub(super) fn read_position(&self, text: &str) -> Result<State, PositionError> {
        let mut reader = Reader::new(text);
        let center_field = reader.field("the Center, such as G.K*2")?;
        let turn_field = reader.field("the seat to act, chance or over")?;
        let round_field = reader.value("round")?;
        let hands_field = reader.value("hands")?;
        let bag_field = reader.value("bag")?;
        let drawn_field = reader.optional_value("drawn");
        let draws_field = reader.optional_value("draws");
        let signal_field = reader.optional_value("signal");
        reader.end()?;

        let mut state = self.empty();
        state.center = self.read_pile(center_field)?;
        let hands: Vec<Field<'_>> = hands_field.split('/').collect();
        if hands.len() != self.n_seats() {
            return Err(hands_field.error(format!("{} hands with / between them", self.n_seats())));
        }
        for (hand, field) in state.hands.iter_mut().zip(hands) {
            *hand = self.read_pile(field)?;
        }
        state.bag = self.read_pile(bag_field)?;
        state.signalled = is_set(signal_field, "given")?;
        state.round = round_field.number(0..=self.max_rounds.into())? as u32;
        self.read_turn(&mut state, turn_field, draws_field)?;
        if is_set(drawn_field, "yes")? {
            if !matches!(state.stage, Stage::Turn { .. }) || !self.could_signal(&state, state.to_act.into()) {
                let place = drawn_field.unwrap_or(turn_field);
                return Err(place.error("nothing: drawn is left out where the final round could not be called anyway"));
            }
            state.stage = Stage::Turn { drawn: true };
        }
        self.check_pieces(&state, Places { center: center_field, hands: hands_field, bag: bag_field })?;
        if let Stage::Deal(_) = state.stage {
            self.check_deal(&state, hands_field)?;
        } else if state.hands[..self.n_seats()].iter().any(Pieces::is_empty) {
            return Err(hands_field.error("a piece at least in each hand"));
        }
        self.check_round(&state, round_field)?;
        Ok(state)
    }

    fn read_pile(&self, field: Field<'_>) -> Result<Pieces, PositionError> {
        let mut pile = Pieces::default();
        if field.text == "-" {
            return Ok(pile);
        }
        for part in field.split('.') {
            let mut halves = part.split('*');
            let text = halves.next().map_or("", |half| half.text);
            let colour = self.group().parse_colour(text.as_bytes()).filter(|&colour| pile.count(colour) == 0);
            let colour = colour.ok_or_else(|| part.error("a colour that is not in the pile yet"))?;
            let most = if colour == Colour::ZERO { u64::from(self.most_zeros()) } else { self.copies.into() };
            let n = halves.next().map_or(Ok(1), |number| number.number(2..=most))?;
            if let Some(more) = halves.next() {
                return Err(more.error("one number at most"));
            }
            pile.add(colour, n as u16);
        }
        Ok(pile)
    }

    /// Who acts, or what else happens.
    fn read_turn(&self, state: &mut State, turn: Field<'_>, draws: Option<Field<'_>>) -> Result<(), PositionError> {
        let last = self.n_seats() as u64 - 1;
        if let Some(field) = draws {
            if turn.text != "chance" {
                return Err(turn.error("chance where a seat draws"));
            }
            state.to_act = field.number(0..=last)? as u8;
            state.stage = Stage::Draw;
            return if state.bag.is_empty() { Err(field.error("nothing: the bag is empty")) } else { Ok(()) };
        }
        let n_coloured = state.center.len() - state.center.count(Colour::ZERO);
        state.stage = match turn.text {
            "over" => Stage::Over,
            "chance" if n_coloured == 0 && state.round == 0 => Stage::Deal(state.hands.iter().map(Pieces::len).sum()),
            "chance" => return Err(turn.error("chance while pieces are dealt, or draws=… and the seat that draws")),
            _ => {
                let seat = turn.number(0..=last);
                state.to_act =
                    seat.map_err(|_| turn.error(format!("the seat to act, 0 to {last}, chance or over")))? as u8;
                Stage::Turn { drawn: false }
            }
        };
        Ok(())
    }

    /// Pieces leave the game only by cancellation, each of which brings zeros.
    fn check_pieces(&self, state: &State, places: Places<'_>) -> Result<(), PositionError> {
        let (group, exponent) = (self.group(), u16::from(self.group().exponent()));
        let piles = || state.hands.iter().chain([&state.center, &state.bag]);
        let mut n_cancelled = 0;
        for colour in group.coloured() {
            let there: u16 = piles().map(|pile| pile.count(colour)).sum();
            let missing = u16::from(self.copies).checked_sub(there).filter(|missing| missing % exponent == 0);
            n_cancelled += missing.ok_or_else(|| {
                let (copies, text) = (self.copies, group.colour_text(colour));
                places
                    .bag
                    .error(format!("{copies} of {text} in all, or fewer by a multiple of {exponent}; not {there}"))
            })? / exponent;
            if state.center.count(colour) >= exponent {
                let text = group.colour_text(colour);
                return Err(places.center.error(format!("fewer than {exponent} of {text}, which cancel")));
            }
        }
        let n_zeros: u16 = piles().map(|pile| pile.count(Colour::ZERO)).sum();
        let (least, most) = (1 + n_cancelled, 1 + n_cancelled * self.most_zeros_each());
        if !(least..=most).contains(&n_zeros) {
            let zero = group.colour_text(Colour::ZERO);
            return Err(places.hands.error(format!(
                "{least} to {most} of {zero} in the hands and the Center after {n_cancelled} cancellations, not {n_zeros}"
            )));
        }
        if state.bag.count(Colour::ZERO) > 0 {
            return Err(places.bag.error("no zero in the bag"));
        }
        Ok(())
    }

    /// While pieces are dealt: to one seat after another, and nothing else has happened.
    fn check_deal(&self, state: &State, hands: Field<'_>) -> Result<(), PositionError> {
        let hand_size = self.house.hand;
        let mut n_left: u16 = state.hands.iter().map(Pieces::len).sum();
        for hand in &state.hands[..self.n_seats()] {
            let n_here = n_left.min(hand_size);
            if hand.len() != n_here || hand.count(Colour::ZERO) > 0 {
                return Err(hands.error(format!("{hand_size} pieces of the bag for one seat after another")));
            }
            n_left -= n_here;
        }
        let n_there: u16 = state.bag.len() + state.hands.iter().map(Pieces::len).sum::<u16>();
        let n_all = u16::from(self.copies) * self.group().n_coloured() as u16;
        if n_left > 0 || state.signalled || n_there < n_all || state.center.len() != 1 {
            return Err(hands.error("the beginning of the deal: nothing cancelled and nothing signalled"));
        }
        Ok(())
    }

    fn check_round(&self, state: &State, round: Field<'_>) -> Result<(), PositionError> {
        let most = u64::from(self.max_rounds);
        let range = match (state.stage, state.signalled) {
            (Stage::Over, true) => 1..=most,
            (Stage::Over, false) => most..=most,
            _ => 0..=most - 1,
        };
        round.number(range).map(drop)
    }

    /// The most zeros that a cancellation brings: one for the Center, and one for each other seat.
    pub(super) fn most_zeros_each(&self) -> u16 {
        if self.house.gift { self.players.into() } else { 1 }
    }

    /// The most zeros there can be: all pieces cancelled.
    pub(super) fn most_zeros(&self) -> u16 {
        let each = u16::from(self.copies) / u16::from(self.group().exponent());
        1 + each * self.group().n_coloured() as u16 * self.most_zeros_each()
    }
}

/// Where something may be wrong with the pieces.
struct Places<'a> {
    center: Field<'a>,
    hands: Field<'a>,
    bag: Field<'a>,
}

fn is_set(field: Option<Field<'_>>, word: &str) -> Result<bool, PositionError> {
    match field {
        Some(field) if field.text != word => Err(field.error(word)),
        _ => Ok(field.is_some()),
    }
}
