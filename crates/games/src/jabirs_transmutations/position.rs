//! Positions as text, written, read and checked:
//! `cinnabar.lead/lead*2/tin.gold 1 round=3 events=eureka*2.favor saved=F*2/W/- drafted=-/-/F*4.L.Y discard=F*12.C*3`.
//!
//! First what each seat has on the board, in piles as everywhere here: names with `.` between them and a number behind
//! those that are there several times, `-` for none. Then who acts: a seat, `draft` (all who have not picked), `play` (all
//! who have not chosen, where turns are taken together), `chance` or `over`. `round` counts completed rounds. Cards are `F`ire, `W`ater, `C`innabar, `L`ead and `Y`ellow salt. The deck is not
//! written: it has all cards that are nowhere else. Fields that only some stages have:
//!
//! - `event=steal`: the event that the starting seat carries out.
//! - `die=1:tin`: the seat and the transmutation that a die is rolled for.
//! - `drafted`: what the seats have that have not played in this round yet.
//! - `ended` and `chosen`, where turns are taken together: the seats that have ended their turns, and what each seat has
//!   chosen in this step and is still to be carried out, `-` for nothing. While seats still choose, a seat sees `?` for
//!   what others have chosen: `chosen=?/tin/-`.
//! - `hands`: in the deal and the draft, of each hand what was picked, then in brackets what is left: `FW[CCLY]`. A seat
//!   sees its own picks, each behind what was in the hand then: `?[CCFLY]F?[???]`.
//! - `old`: if the discards were shuffled in during the deal, what had been dealt before; and `split`, which of it is in
//!   the hand that was being dealt, known to its seat.

use std::fmt::Write;

use raichi_core::game::Game;
use raichi_core::position::{Field, PositionError, Reader, SeenBy, SetUp};
use raichi_core::seat::{Seat, Viewer};

use super::board::{CARDS, Card, Die, EVENTS, Event, METALS, Metal, Resource, TRANSMUTATIONS};
use super::notation::read_action;
use super::rules::{
    Action, Cards, Draft, HAND, JabirsTransmutations, MAX_SAVED, N_SEATS, Stage, State, Step, TOKENS, holder,
};

const LETTERS: [&str; 5] = ["F", "W", "C", "L", "Y"];

// Writing

pub(super) fn write_position(state: &State, viewer: Viewer) -> String {
    let turn = match state.stage {
        Stage::Choice(_) => state.starter().to_string(),
        Stage::Play(seat) => seat.to_string(),
        Stage::Draft(_) => "draft".into(),
        Stage::Together => "play".into(),
        Stage::Event | Stage::Deal(_) | Stage::Die(..) => "chance".into(),
        Stage::Over => "over".into(),
    };
    let board = |seat: Seat| {
        let counts = state.tokens[seat].iter().chain(&state.metals[seat]).copied();
        write_pile(board_words().zip(counts))
    };
    let mut text = format!("{} {turn} round={}", for_seats(board), state.round);
    match state.stage {
        Stage::Choice(event) => text += &format!(" event={}", event.word()),
        Stage::Die(seat, number) => text += &format!(" die={seat}:{}", TRANSMUTATIONS[usize::from(number)].name),
        _ => {}
    }
    let events = Event::ALL.iter().map(|event| event.word()).zip(state.events);
    text += &format!(" events={}", write_pile(events));
    text += &format!(" saved={}", for_seats(|seat| write_pile(LETTERS.into_iter().zip(state.saved[seat]))));
    if state.drafted != [[0; 5]; N_SEATS] {
        text += &format!(" drafted={}", for_seats(|seat| write_cards(&state.drafted[seat])));
    }
    if let Some(step) = &state.step {
        text += &write_step(state, step, viewer);
    }
    text += &format!(" discard={}", write_cards(&state.discard));
    if matches!(state.stage, Stage::Deal(_) | Stage::Draft(_)) {
        text += &format!(" hands={}", for_seats(|dealt_to| write_hand(state, dealt_to, viewer)));
        if state.draft.n_old > 0 {
            text += &format!(" old={}", write_cards(&state.old_cards()));
        }
        if let Some(dealt_to) = state.split_hand() {
            let shown =
                if viewer.is(dealt_to) { letters(&state.draft.old) } else { "?".repeat(state.n_old_of(dealt_to)) };
            text += &format!(" split={shown}");
        }
    }
    if text.contains('?') {
        text += &SeenBy(viewer).to_string();
    }
    text
}

/// Who has ended, and what is chosen and not carried out yet, as far as `viewer` knows.
fn write_step(state: &State, step: &Step, viewer: Viewer) -> String {
    let mut text = String::new();
    if step.ended != [false; N_SEATS] {
        let ended = (0..N_SEATS).filter(|&seat| step.ended[seat]);
        text += &format!(" ended={}", ended.map(|seat| seat.to_string()).collect::<String>());
    }
    if step.chosen != [None; N_SEATS] {
        let is_secret = state.stage == Stage::Together && !state.choosing().is_empty();
        let chosen = |seat: Seat| match step.chosen[seat] {
            None => "-".to_string(),
            Some(_) if is_secret && !viewer.is(seat) => "?".to_string(),
            Some(action) => action.text(),
        };
        text += &format!(" chosen={}", for_seats(chosen));
    }
    text
}

fn board_words() -> impl Iterator<Item = &'static str> {
    Resource::ALL.iter().map(|one| one.word()).chain(Metal::ALL.iter().map(|one| one.word()))
}

fn for_seats(text: impl Fn(Seat) -> String) -> String {
    (0..N_SEATS).map(text).collect::<Vec<_>>().join("/")
}

fn write_pile(counts: impl Iterator<Item = (&'static str, u8)>) -> String {
    let write = |(word, n): (&str, u8)| match n {
        0 => None,
        1 => Some(word.to_string()),
        n => Some(format!("{word}*{n}")),
    };
    let pile: Vec<String> = counts.filter_map(write).collect();
    if pile.is_empty() { "-".into() } else { pile.join(".") }
}

fn write_cards(cards: &Cards) -> String {
    write_pile(LETTERS.into_iter().zip(*cards))
}

fn letters(cards: &Cards) -> String {
    LETTERS.iter().zip(cards).map(|(letter, &n)| letter.repeat(n.into())).collect()
}

/// What was picked from a hand and what is left, as far as `viewer` knows.
fn write_hand(state: &State, dealt_to: Seat, viewer: Viewer) -> String {
    let turn = if let Stage::Draft(turn) = state.stage { turn.into() } else { 0 };
    let n_picks = state.draft.n_picks(dealt_to);
    let mut text = String::new();
    let mut knows_rest = viewer == Viewer::Referee;
    for pick in 0..n_picks {
        let seat = holder(dealt_to, pick);
        if viewer == Viewer::Seat(seat) {
            let _ = write!(text, "[{}]", letters(&state.draft.hand_after(dealt_to, pick)));
        }
        knows_rest = viewer.is(seat);
        let card = state.draft.picks[seat][pick].filter(|_| viewer.is(seat));
        text += card.map_or("?", |card| LETTERS[card as usize]);
    }
    // It holds the hand and has not picked yet.
    knows_rest |= n_picks == turn && viewer == Viewer::Seat(holder(dealt_to, turn));
    let rest = letters(&state.draft.hands[dealt_to]);
    let _ = write!(text, "[{}]", if knows_rest { rest } else { "?".repeat(rest.len()) });
    text
}

// Reading

impl JabirsTransmutations {
    pub(super) fn read_position(&self, text: &str) -> Result<SetUp<State>, PositionError> {
        let mut reader = Reader::new(text);
        let fields = Fields {
            board: reader.field("what each seat has on the board, such as tin.gold*2/-/lead")?,
            turn: reader.field("the seat to act, draft, chance or over")?,
            round: reader.value("round")?,
            event: reader.optional_value("event"),
            die: reader.optional_value("die"),
            events: reader.value("events")?,
            saved: reader.value("saved")?,
            drafted: reader.optional_value("drafted"),
            ended: reader.optional_value("ended"),
            chosen: reader.optional_value("chosen"),
            discard: reader.value("discard")?,
            hands: reader.optional_value("hands"),
            old: reader.optional_value("old"),
            split: reader.optional_value("split"),
        };
        let seen_by = reader.seen_by(N_SEATS)?;
        reader.end()?;
        let state = self.position(&fields, seen_by)?;
        check_is_view(&state, seen_by, text)?;
        Ok(SetUp { state, seen_by })
    }

    fn position(&self, fields: &Fields<'_>, seen_by: Option<Viewer>) -> Result<State, PositionError> {
        let mut state = State { stage: Stage::Event, events: [0; 5], deck: [0; 5], ..self.initial_state() };
        state.round = fields.round.number(0..=self.max_rounds.into())? as u16;
        read_board(fields.board, &mut state)?;
        state.events = read_pile(fields.events, Event::ALL.iter().map(|event| event.word()), &EVENTS)?;
        for (seat, part) in each_seat(fields.saved)?.into_iter().enumerate() {
            let [fire, water, ..] = read_pile(part, LETTERS.into_iter().take(2), &[9; 5])?;
            state.saved[seat] = [fire, water];
        }
        if let Some(field) = fields.drafted {
            for (seat, part) in each_seat(field)?.into_iter().enumerate() {
                state.drafted[seat] = read_cards(part)?;
            }
        }
        state.discard = read_cards(fields.discard)?;
        state.deck = unseen(&state, fields.discard)?;
        match fields.hands {
            Some(hands) => self.read_draft(fields, hands, seen_by, &mut state)?,
            None => self.read_stage(fields, &mut state)?,
        }
        self.read_step(fields, seen_by, &mut state)?;
        self.check_end(fields, &state)?;
        check_cards_held(fields, &state)?;
        Ok(state)
    }

    fn read_stage(&self, fields: &Fields<'_>, state: &mut State) -> Result<(), PositionError> {
        if let Some(field) = fields.old.or(fields.split) {
            return Err(field.error("hands=… before it"));
        }
        state.stage = match (fields.turn.text, fields.event, fields.die) {
            ("over", None, None) => Stage::Over,
            ("chance", None, None) if state.events == [0; 5] => {
                return Err(fields.events.error("an event: all seven are shuffled before a round begins"));
            }
            ("chance", None, None) => Stage::Event,
            ("chance", None, Some(die)) => read_die(die, state)?,
            (_, Some(field), None) => {
                let event =
                    Event::from_word(field.text).filter(|&event| state.events[event as usize] < EVENTS[event as usize]);
                let event = event.ok_or_else(|| field.error("an event that is not in the event deck too"))?;
                if fields.turn.number(0..=2).ok() != Some(state.starter() as u64) {
                    return Err(fields.turn.error(format!("{}, the starting seat", state.starter())));
                }
                Stage::Choice(event)
            }
            ("play", None, None) if self.together => Stage::Together,
            (_, None, None) if self.together => {
                return Err(fields.turn.error("play where turns are taken together, draft, chance or over"));
            }
            (_, None, None) => {
                let seat = fields.turn.number(0..=2);
                let seat = seat.map_err(|_| fields.turn.error("the seat to act, 0 to 2, draft, chance or over"))?;
                Stage::Play(seat as u8)
            }
            _ => return Err(fields.turn.error("one stage: an event, a roll of the die or the play of a seat")),
        };
        Ok(())
    }

    /// Where turns are taken together: who has ended, and what has been chosen.
    fn read_step(&self, fields: &Fields<'_>, seen_by: Option<Viewer>, state: &mut State) -> Result<(), PositionError> {
        let steps = self.together && matches!(state.stage, Stage::Together | Stage::Die(..));
        if let Some(field) = fields.ended.or(fields.chosen).filter(|_| !steps) {
            return Err(field.error("this only in Play, where turns are taken together"));
        }
        if !steps {
            return Ok(());
        }
        let mut step = Step::FIRST;
        for (nth, digit) in fields.ended.map_or("", |field| field.text).chars().enumerate() {
            let seat = digit.to_digit(10).map(|seat| seat as usize).filter(|&seat| seat < N_SEATS);
            let seat = seat.filter(|&seat| step.ended[seat..] == [false; N_SEATS][seat..]);
            let place = fields.ended.unwrap_or(fields.turn);
            step.ended[seat.ok_or_else(|| place.error_at(nth, "seats in rising order"))?] = true;
        }
        if let Some(field) = fields.chosen {
            for (seat, part) in each_seat(field)?.into_iter().enumerate().filter(|(_, part)| part.text != "-") {
                step.chosen[seat] = Some(self.read_choice(part, seat, seen_by, state)?);
            }
        }
        state.step = Some(step);
        self.check_step(fields, state, &step)
    }

    /// What a seat has chosen: what its cards and tokens allow. For a hidden choice the first of these.
    fn read_choice(
        &self,
        part: Field<'_>,
        seat: Seat,
        seen_by: Option<Viewer>,
        state: &State,
    ) -> Result<Action, PositionError> {
        // A piece of metal that was there may be gone, made by another in the same step.
        let mut before = *state;
        (before.stage, before.step) = (Stage::Together, None);
        if matches!(state.stage, Stage::Die(..)) {
            before.metals = [[0; 2]; N_SEATS];
        }
        let mut legal = Vec::new();
        self.legal_actions(&before, seat, &mut legal);
        let is_hidden = part.text == "?" && seen_by.is_some();
        let chosen = if is_hidden { legal.first().copied() } else { read_action(part.text) };
        chosen
            .filter(|chosen| legal.contains(chosen))
            .ok_or_else(|| part.error("- or an action that the seat could choose"))
    }

    /// Seats still choose; or all have, and those before the roll of the die are done.
    fn check_step(&self, fields: &Fields<'_>, state: &State, step: &Step) -> Result<(), PositionError> {
        let place = fields.chosen.or(fields.ended).unwrap_or(fields.turn);
        if (0..N_SEATS).any(|seat| step.ended[seat] && step.chosen[seat].is_some()) {
            return Err(place.error("- for a seat that has ended its turn"));
        }
        let Stage::Die(rolls, _) = state.stage else {
            let expected = "a seat that has not chosen and has not ended its turn";
            return if state.choosing().is_empty() { Err(place.error(expected)) } else { Ok(()) };
        };
        let order = |seat: Seat| (seat + N_SEATS - state.starter()) % N_SEATS;
        let is_later = |seat: Seat| order(seat) > order(rolls.into());
        let waits = |seat: Seat| is_later(seat) && !step.ended[seat];
        if step.ended[usize::from(rolls)] || (0..N_SEATS).any(|seat| waits(seat) != step.chosen[seat].is_some()) {
            return Err(place.error("an action of each seat behind the one that rolls, unless it has ended its turn"));
        }
        Ok(())
    }

    /// Where 17 points are reached the game ends with the round; then it is not at the beginning of one.
    fn check_end(&self, fields: &Fields<'_>, state: &State) -> Result<(), PositionError> {
        let is_over = state.stage == Stage::Over;
        let is_last = state.round == self.max_rounds;
        if is_over && state.round == 0 {
            return Err(fields.round.error("a round at least before the end"));
        }
        if is_over && !is_last && !state.seventeen() {
            return Err(fields.turn.error("a seat, draft or chance: nobody has 17 points"));
        }
        if !is_over && is_last {
            return Err(fields.round.error(format!("fewer than {} rounds completed before the end", self.max_rounds)));
        }
        if matches!(state.stage, Stage::Event | Stage::Choice(_)) && state.seventeen() {
            return Err(fields.board.error("fewer than 17 points of each seat when a round begins"));
        }
        Ok(())
    }

    fn read_draft(
        &self,
        fields: &Fields<'_>,
        hands: Field<'_>,
        seen_by: Option<Viewer>,
        state: &mut State,
    ) -> Result<(), PositionError> {
        if let Some(field) = fields.event.or(fields.die).or(fields.drafted) {
            return Err(field.error("hands=… or this, but not both"));
        }
        let mut read = Vec::new();
        for part in each_seat(hands)? {
            read.push(HandText::read(part, seen_by.is_some())?);
        }
        state.stage = read_draft_stage(fields.turn, hands, &read, state)?;
        let old = fields.old.map_or(Ok([0; 5]), read_cards)?;
        state.draft.n_old = n_cards(&old) as u8;
        Filling { fields, hands, read: &read, old, is_view: seen_by.is_some() }.fill(state)
    }
}

/// The parts of a text.
struct Fields<'a> {
    board: Field<'a>,
    turn: Field<'a>,
    round: Field<'a>,
    event: Option<Field<'a>>,
    die: Option<Field<'a>>,
    events: Field<'a>,
    saved: Field<'a>,
    drafted: Option<Field<'a>>,
    ended: Option<Field<'a>>,
    chosen: Option<Field<'a>>,
    discard: Field<'a>,
    hands: Option<Field<'a>>,
    old: Option<Field<'a>>,
    split: Option<Field<'a>>,
}

fn each_seat(field: Field<'_>) -> Result<Vec<Field<'_>>, PositionError> {
    let parts: Vec<Field<'_>> = field.split('/').collect();
    if parts.len() == N_SEATS { Ok(parts) } else { Err(field.error("three parts with / between them, one a seat")) }
}

/// Reads what [`write_pile`] writes; `most` says how many there may be of each.
fn read_pile<const N: usize>(
    field: Field<'_>,
    words: impl Iterator<Item = &'static str>,
    most: &[u8; N],
) -> Result<[u8; N], PositionError> {
    let words: Vec<&str> = words.collect();
    let mut counts = [0; N];
    if field.text == "-" {
        return Ok(counts);
    }
    for part in field.split('.') {
        let mut halves = part.split('*');
        let word = halves.next().map_or("", |half| half.text);
        let kind = words.iter().position(|&other| other == word).filter(|&kind| counts[kind] == 0 && most[kind] > 0);
        let kind = kind.ok_or_else(|| part.error(format!("one of {} that is not there yet", words.join(", "))))?;
        counts[kind] = match halves.next() {
            None => 1,
            Some(number) if most[kind] < 2 => return Err(number.error("no number: there is only one of that")),
            Some(number) => number.number(2..=most[kind].into())? as u8,
        };
        if let Some(more) = halves.next() {
            return Err(more.error("one number at most"));
        }
    }
    Ok(counts)
}

fn read_cards(field: Field<'_>) -> Result<Cards, PositionError> {
    read_pile(field, LETTERS.into_iter(), &CARDS)
}

fn read_board(field: Field<'_>, state: &mut State) -> Result<(), PositionError> {
    let mut most = [TOKENS; 16];
    most[14..].copy_from_slice(&METALS);
    for (seat, part) in each_seat(field)?.into_iter().enumerate() {
        let counts = read_pile(part, board_words(), &most)?;
        state.tokens[seat].copy_from_slice(&counts[..14]);
        state.metals[seat].copy_from_slice(&counts[14..]);
        if counts[..14].iter().map(|&n| u32::from(n)).sum::<u32>() > TOKENS.into() {
            return Err(part.error(format!("at most {TOKENS} tokens of a seat")));
        }
    }
    for (metal, &most) in METALS.iter().enumerate() {
        if state.metals.iter().map(|metals| metals[metal]).sum::<u8>() > most {
            return Err(field.error(format!("at most {most} of {} in all", Metal::ALL[metal].word())));
        }
    }
    Ok(())
}

/// All cards that do not lie face up.
fn unseen(state: &State, place: Field<'_>) -> Result<Cards, PositionError> {
    let mut deck = CARDS;
    let saved = state.saved.map(|[fire, water]| [fire, water, 0, 0, 0]);
    for pile in saved.iter().chain(&state.drafted).chain([&state.discard]) {
        take(&mut deck, pile).ok_or_else(|| place.error("no more of any card than there are"))?;
    }
    Ok(deck)
}

fn read_die(field: Field<'_>, state: &State) -> Result<Stage, PositionError> {
    let expected = || field.error("a seat, a colon and a transmutation with a die, such as 1:tin");
    let (seat, name) = field.text.split_once(':').ok_or_else(expected)?;
    let seat = ["0", "1", "2"].iter().position(|&digit| digit == seat).ok_or_else(expected)?;
    let number = TRANSMUTATIONS.iter().position(|one| one.name == name).ok_or_else(expected)?;
    let may_roll = match TRANSMUTATIONS[number].die {
        Die::No => return Err(expected()),
        Die::Risks(_) => state.can_transmute(seat, &TRANSMUTATIONS[number]),
        Die::Adds(_) => state.supply(seat) > 0,
    };
    if may_roll {
        Ok(Stage::Die(seat as u8, number as u8))
    } else {
        Err(field.error("a roll that decides something: tokens are missing"))
    }
}

/// Who has which cards at this stage.
fn check_cards_held(fields: &Fields<'_>, state: &State) -> Result<(), PositionError> {
    let playing = match state.stage {
        Stage::Play(seat) | Stage::Die(seat, _) => Some(Seat::from(seat)),
        _ => None,
    };
    let plays = |seat: Seat| match &state.step {
        Some(step) => !step.ended[seat],
        None => playing == Some(seat),
    };
    let order = |seat: Seat| (seat + N_SEATS - state.starter()) % N_SEATS;
    for seat in 0..N_SEATS {
        let waits = state.step.is_none() && playing.is_some_and(|playing| order(seat) > order(playing));
        let n_drafted = if waits { HAND } else { 0 };
        if n_cards(&state.drafted[seat]) != n_drafted {
            let place = fields.drafted.unwrap_or(fields.turn);
            return Err(place.error(format!("drafted=… with {n_drafted} cards of seat {seat}")));
        }
        let most = MAX_SAVED + if plays(seat) { HAND as u8 } else { 0 };
        if state.n_saved(seat) > most {
            return Err(fields.saved.error(format!("at most {most} saved cards of seat {seat}")));
        }
    }
    Ok(())
}

/// A text with hidden cards is just what its viewer sees.
fn check_is_view(state: &State, seen_by: Option<Viewer>, text: &str) -> Result<(), PositionError> {
    let Some(viewer) = seen_by else { return Ok(()) };
    let written = write_position(state, viewer);
    let start = text.chars().take_while(|c| c.is_whitespace()).count();
    let text = text.trim();
    if written == text {
        return Ok(());
    }
    let n_alike = written.chars().zip(text.chars()).take_while(|(one, other)| one == other).count();
    let rest = |text: &str| text.chars().skip(n_alike).take_while(|&c| c != ' ').collect::<String>();
    let place = Field { text: "", column: start + n_alike + 1 };
    let expected = match rest(&written) {
        rest if rest.is_empty() => "the end of the field, as that viewer sees it".into(),
        rest => format!("`{rest}`, as that viewer sees it"),
    };
    Err(Field { text: &rest(text), ..place }.error(expected))
}

/// A hand as it is written.
struct HandText {
    /// `None` where the card is hidden and was in the hand before the viewer saw it.
    picks: Vec<Option<Card>>,
    /// What is left, as far as it is known.
    rest: Cards,
    /// How many more cards are left.
    n_hidden: usize,
}

impl HandText {
    /// Cards that the viewer saw later but cannot tell who took are given to the picks in order.
    fn read(field: Field<'_>, is_view: bool) -> Result<HandText, PositionError> {
        let mut hand = HandText { picks: Vec::new(), rest: [0; 5], n_hidden: 0 };
        // What the viewer has seen in the hand and nobody known has taken; what has been picked from that unseen.
        let mut seen: Option<Cards> = None;
        let mut taken: Vec<usize> = Vec::new();
        let mut at = 0;
        let symbols: Vec<char> = field.text.chars().collect();
        while at < symbols.len() {
            match symbols[at] {
                '[' => {
                    let end = symbols[at..].iter().position(|&symbol| symbol == ']').map(|length| at + length);
                    let end = end.ok_or_else(|| field.error_at(symbols.len(), "a bracket ]"))?;
                    let is_last = end + 1 == symbols.len();
                    let inside = &symbols[at + 1..end];
                    let is_hidden = is_last && !inside.is_empty() && inside.iter().all(|&symbol| symbol == '?');
                    if !(is_view || is_last && !is_hidden) {
                        return Err(field.error_at(at, "only at the end and open, unless the text names a viewer"));
                    }
                    if is_hidden {
                        hand.hide_rest(inside.len(), seen.as_ref(), &taken)
                            .ok_or_else(|| field.error_at(at, "as many cards as are left"))?;
                        return Ok(hand);
                    }
                    let mut contents = [0; 5];
                    for nth in at + 1..end {
                        contents[kind_of(field, &symbols, nth)?] += 1;
                    }
                    hand.look(&contents, seen.as_ref(), &mut taken)
                        .ok_or_else(|| field.error_at(at, "cards that were left when the hand was last seen"))?;
                    seen = Some(contents);
                    if is_last {
                        hand.rest = contents;
                        return Ok(hand);
                    }
                    at = end + 1;
                }
                '?' if is_view => {
                    if seen.is_some() {
                        taken.push(hand.picks.len());
                    }
                    hand.picks.push(None);
                    at += 1;
                }
                _ => {
                    let kind = kind_of(field, &symbols, at)?;
                    if let Some(seen) = &mut seen {
                        let n = seen[kind].checked_sub(1);
                        seen[kind] = n.ok_or_else(|| field.error_at(at, "a card of those in the brackets before"))?;
                    }
                    hand.picks.push(Some(Card::ALL[kind]));
                    at += 1;
                }
            }
            if hand.picks.len() > HAND {
                return Err(field.error_at(at, format!("at most {HAND} cards of a hand")));
            }
        }
        Err(field.error_at(symbols.len(), "what is left, in brackets"))
    }

    /// The viewer sees `contents`; what is missing of what it saw before was taken by others.
    fn look(&mut self, contents: &Cards, before: Option<&Cards>, taken: &mut Vec<usize>) -> Option<()> {
        let Some(&before) = before else { return Some(()) };
        let mut missing = before;
        take(&mut missing, contents)?;
        for pick in taken.drain(..) {
            self.picks[pick] = Some(take_lowest(&mut missing)?);
        }
        (missing == [0; 5]).then_some(())
    }

    /// Nobody knows what is left but for what the viewer saw before.
    fn hide_rest(&mut self, n_left: usize, before: Option<&Cards>, taken: &[usize]) -> Option<()> {
        let Some(&before) = before else {
            self.n_hidden = n_left;
            return Some(());
        };
        self.rest = before;
        for &pick in taken {
            self.picks[pick] = Some(take_lowest(&mut self.rest)?);
        }
        (n_cards(&self.rest) == n_left).then_some(())
    }

    fn len(&self) -> usize {
        self.picks.len() + n_cards(&self.rest) + self.n_hidden
    }

    /// All cards of it that are known.
    fn known(&self) -> Cards {
        let mut known = self.rest;
        self.picks.iter().flatten().for_each(|&card| known[card as usize] += 1);
        known
    }

    fn n_unknown(&self) -> usize {
        self.n_hidden + self.picks.iter().filter(|pick| pick.is_none()).count()
    }
}

fn kind_of(field: Field<'_>, symbols: &[char], nth: usize) -> Result<usize, PositionError> {
    let kind = symbols.get(nth).and_then(|symbol| LETTERS.iter().position(|letter| letter.starts_with(*symbol)));
    kind.ok_or_else(|| field.error_at(nth, "one of the cards F, W, C, L and Y"))
}

/// The stage of the deal or the draft, from the numbers of cards.
fn read_draft_stage(
    turn: Field<'_>,
    hands: Field<'_>,
    read: &[HandText],
    state: &State,
) -> Result<Stage, PositionError> {
    let n_dealt: usize = read.iter().map(HandText::len).sum();
    let n_picks = || read.iter().map(|hand| hand.picks.len());
    match turn.text {
        "chance" => {
            let is_dealt_so = |order: usize| {
                let hand = &read[(state.starter() + order) % N_SEATS];
                hand.picks.is_empty() && hand.len() == n_dealt.saturating_sub(order * HAND).min(HAND)
            };
            if n_dealt >= N_SEATS * HAND || !(0..N_SEATS).all(is_dealt_so) {
                return Err(hands.error("up to six cards for one seat after another, and draft when all are dealt"));
            }
            Ok(Stage::Deal(n_dealt as u8))
        }
        "draft" => {
            let done = n_picks().min().unwrap_or(0);
            if read.iter().any(|hand| hand.len() != HAND) || n_picks().any(|n| n > done + 1) || done == HAND {
                return Err(
                    hands.error("six cards in each hand, and at most one more picked from one than from another")
                );
            }
            Ok(Stage::Draft(done as u8))
        }
        _ => Err(turn.error("chance or draft where there are hands")),
    }
}

/// What is needed to put cards in the place of those that the viewer has not seen.
struct Filling<'a> {
    fields: &'a Fields<'a>,
    hands: Field<'a>,
    read: &'a [HandText],
    /// All that had been dealt when the discards were shuffled in.
    old: Cards,
    /// Whether the text names a viewer.
    is_view: bool,
}

impl Filling<'_> {
    /// Fills the hands with the lowest cards that fit; the rest is the deck.
    fn fill(&self, state: &mut State) -> Result<(), PositionError> {
        let old_field = self.fields.old.unwrap_or(self.hands);
        let n_dealt: usize = self.read.iter().map(HandText::len).sum();
        let n_old = usize::from(state.draft.n_old);
        if self.fields.old.is_some_and(|_| n_old == 0 || n_old > n_dealt || n_old == N_SEATS * HAND) {
            return Err(old_field.error("some of the cards that are dealt, but not all of them when the deal is over"));
        }
        if n_old > 0 && state.discard != [0; 5] {
            return Err(self.fields.discard.error("no discards: they have been shuffled in"));
        }

        // 1. The pools: what was dealt before the discards were shuffled in, and what came then or lies in the deck.
        let too_many = || self.hands.error("no more of any card than there are");
        let (mut old_pool, mut new_pool) = (self.old, state.deck);
        take(&mut new_pool, &self.old).ok_or_else(too_many)?;
        let split = state.split_hand();
        for (dealt_to, hand) in self.read.iter().enumerate().filter(|&(dealt_to, _)| Some(dealt_to) != split) {
            let is_old = state.n_old_of(dealt_to) == HAND;
            take(if is_old { &mut old_pool } else { &mut new_pool }, &hand.known()).ok_or_else(|| {
                if n_old > 0 { old_field.error("all cards of the hands dealt first") } else { too_many() }
            })?;
        }

        // 2. Which known cards of the hand that was being dealt then are old.
        let mut n_old_unknown: [usize; N_SEATS] =
            std::array::from_fn(
                |dealt_to| {
                    if state.n_old_of(dealt_to) == HAND { self.read[dealt_to].n_unknown() } else { 0 }
                },
            );
        state.draft.old = [0; 5];
        match (split, self.fields.split) {
            (None, Some(field)) => return Err(field.error("nothing: the discards were shuffled in between two hands")),
            (None, None) => {}
            (Some(dealt_to), field) => {
                let old = self.split_hand(state, dealt_to, field, &old_pool, &new_pool)?;
                let mut new = self.read[dealt_to].known();
                let place = field.unwrap_or(old_field);
                let fits = take(&mut new, &old)
                    .and_then(|()| take(&mut old_pool, &old))
                    .and_then(|()| take(&mut new_pool, &new));
                fits.ok_or_else(|| place.error("cards of that hand which were dealt before, and so are in old"))?;
                state.draft.old = old;
                n_old_unknown[dealt_to] = state.n_old_of(dealt_to) - n_cards(&old);
            }
        }

        // 3. The unknown cards, from the hand dealt first on.
        for order in 0..N_SEATS {
            let dealt_to = (state.starter() + order) % N_SEATS;
            let hand = &self.read[dealt_to];
            let mut n_old_left = n_old_unknown[dealt_to];
            let mut draw = |draft: &mut Draft| {
                let is_old = n_old_left > 0;
                let card = take_lowest(if is_old { &mut old_pool } else { &mut new_pool })?;
                n_old_left -= usize::from(is_old);
                if is_old && split == Some(dealt_to) {
                    draft.old[card as usize] += 1;
                }
                Some(card)
            };
            for (turn, pick) in hand.picks.iter().enumerate() {
                let card = pick.or_else(|| draw(&mut state.draft)).ok_or_else(too_many)?;
                state.draft.picks[holder(dealt_to, turn)][turn] = Some(card);
            }
            state.draft.hands[dealt_to] = hand.rest;
            for _ in 0..hand.n_hidden {
                let card = draw(&mut state.draft).ok_or_else(too_many)?;
                state.draft.hands[dealt_to][card as usize] += 1;
            }
        }
        if old_pool != [0; 5] {
            return Err(old_field.error("cards that are all in the hands"));
        }
        state.deck = new_pool;
        if state.deck == [0; 5] && matches!(state.stage, Stage::Deal(_)) {
            return Err(self.fields.discard.error("a card left to deal: an empty deck has the discards shuffled in"));
        }
        Ok(())
    }

    /// The old cards among the known ones of the split hand: as it says, or where it does not some that fit.
    fn split_hand(
        &self,
        state: &State,
        dealt_to: Seat,
        field: Option<Field<'_>>,
        old_pool: &Cards,
        new_pool: &Cards,
    ) -> Result<Cards, PositionError> {
        let hand = &self.read[dealt_to];
        let n_old = state.n_old_of(dealt_to);
        let field =
            field.ok_or_else(|| self.hands.error("split=… at the end: a hand was being dealt at the shuffle"))?;
        if field.text.chars().count() != n_old {
            return Err(field.error(format!("{n_old} cards, or as many question marks")));
        }
        let mut old = [0; 5];
        if !(self.is_view && field.text.contains('?')) {
            let symbols: Vec<char> = field.text.chars().collect();
            for nth in 0..symbols.len() {
                old[kind_of(field, &symbols, nth)?] += 1;
            }
            return if hand.n_unknown() == 0 {
                Ok(old)
            } else {
                Err(field.error("? for cards of a hand that is hidden"))
            };
        }
        // Those that the other pool lacks are old, and more of them as far as the unknown cards are too few.
        let known = hand.known();
        for kind in 0..5 {
            old[kind] = known[kind].saturating_sub(new_pool[kind]);
        }
        for kind in 0..5 {
            while n_cards(&old) + hand.n_unknown() < n_old && old[kind] < known[kind].min(old_pool[kind]) {
                old[kind] += 1;
            }
        }
        let fits = n_cards(&old) <= n_old && n_cards(&old) + hand.n_unknown() >= n_old;
        if fits { Ok(old) } else { Err(field.error("other hands: these cards cannot have been dealt so")) }
    }
}

fn n_cards(cards: &Cards) -> usize {
    cards.iter().map(|&n| usize::from(n)).sum()
}

/// Takes cards out of others, if they are all there.
fn take(cards: &mut Cards, some: &Cards) -> Option<()> {
    for (n, &more) in cards.iter_mut().zip(some) {
        *n = n.checked_sub(more)?;
    }
    Some(())
}

fn take_lowest(cards: &mut Cards) -> Option<Card> {
    let kind = cards.iter().position(|&n| n > 0)?;
    cards[kind] -= 1;
    Some(Card::ALL[kind])
}
