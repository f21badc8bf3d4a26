//! The position as numbers: what the seats have on a grid of resources and seats, cards by kind, and of the hands that go
//! round what the seat that looks has seen and picked. Actions are numbered in the order of [`Action`], each with all
//! resources or cards that its text can name.

use raichi_core::encoding::{Block, Encoding, Layout, relative_seat, seat_names, seats_from_this};
use raichi_core::game::{Game, Phase};
use raichi_core::seat::Seat;

use super::board::{CARDS, Card, EVENTS, Event, METALS, Resource, TRANSMUTATIONS};
use super::rules::{Action, HAND, JabirsTransmutations, MAX_SAVED, N_SEATS, Stage, State, TOKENS, held_hand, holder};

const STAGE: [&str; 7] = ["event", "choice", "deal", "draft", "play", "die", "over"];
/// A seat holds each hand twice.
const LOOKS: usize = 2;
const KINDS: usize = 5;

impl Encoding for JabirsTransmutations {
    fn layout(&self) -> Layout {
        let most_saved = i32::from(MAX_SAVED) + HAND as i32;
        let most_cards = i32::from(CARDS.iter().copied().max().unwrap_or(0));
        let cards = Card::ALL.iter().map(|card| card.word());
        let seats = seats_from_this(N_SEATS);
        let mut events = vec!["none"];
        events.extend(Event::ALL.iter().map(|event| event.word()));
        let mut transmutations = vec!["none"];
        transmutations.extend(TRANSMUTATIONS.iter().map(|one| one.name));
        let mut choices = vec!["none", "not seen", "ended", "end", "discard-fire", "discard-water"];
        choices.extend(TRANSMUTATIONS.iter().map(|one| one.name));
        let mut kinds = vec!["none"];
        kinds.extend(cards.clone());
        let mut blocks = vec![
            // A row for each resource, a column for each seat, this one first; silver and gold come last.
            Block::amounts_on_grid("board", 16, N_SEATS, TOKENS.max(METALS[1]).into(), "tokens")
                .headed(Resource::ALL.iter().map(|one| one.word()).chain(["silver", "gold"]), &seats),
            Block::amounts_on_grid("saved", 2, N_SEATS, most_saved, "fire and water cards")
                .headed(["fire", "water"], &seats),
            Block::amounts_on_grid("drafted, not played", KINDS, N_SEATS, HAND as i32, "cards of a kind")
                .headed(cards.clone(), &seats),
            Block::amounts("discards", KINDS, most_cards, "cards of a kind"),
            Block::amounts("event deck", EVENTS.len(), EVENTS[0].into(), "event cards"),
            Block::amounts("resource deck", 1, 80, "cards"),
            // The hand dealt to this seat, to the next and to the last; each when this seat held it first and again.
            Block::amounts_on_grid("hands when held", N_SEATS * LOOKS, KINDS, HAND as i32, "cards of a kind").headed(
                seats.iter().flat_map(|seat| ["first", "again"].map(|look| format!("{seat}'s, {look}"))),
                cards,
            ),
            Block::named("picks from them", N_SEATS * LOOKS, &kinds),
            Block::amounts("cards picked", N_SEATS, HAND as i32, "cards of a seat"),
            Block::amounts("dealt", 1, (N_SEATS * HAND) as i32, "cards"),
            Block::amounts("dealt before the shuffle", KINDS, (N_SEATS * HAND) as i32, "cards of a kind"),
            Block::amounts(
                "of them in this seat's hand",
                KINDS,
                HAND as i32,
                "cards of a kind, where the shuffle split it",
            ),
            Block::amounts("rounds completed", 1, self.max_rounds.into(), "rounds"),
            Block::named("starting seat", 1, &seat_names("nobody", N_SEATS)),
            Block::named("stage", 1, &STAGE),
            Block::named("event", 1, &events),
            Block::named("die rolled for", 1, &transmutations),
            Block::named("whose turn", 1, &seat_names("nobody's", N_SEATS)),
            Block::named("to act", N_SEATS, &["no", "yes"]),
        ];
        if self.together {
            blocks.push(Block::named("chosen in this step", N_SEATS, &choices));
        }
        Layout::new(blocks)
    }

    fn observe(&self, state: &State, seat: Seat, observation: &mut [i32]) {
        let mut rest = observation;
        let mut block = |n: usize| {
            let (block, after) = std::mem::take(&mut rest).split_at_mut(n);
            block.fill(0);
            rest = after;
            block
        };
        let relative = |nth: usize| (seat + nth) % N_SEATS;

        let board = block(16 * N_SEATS);
        let saved = block(2 * N_SEATS);
        let drafted = block(KINDS * N_SEATS);
        for nth in 0..N_SEATS {
            let other = relative(nth);
            let on_board = state.tokens[other].iter().chain(&state.metals[other]);
            on_board.enumerate().for_each(|(row, &n)| board[row * N_SEATS + nth] = n.into());
            state.saved[other].iter().enumerate().for_each(|(row, &n)| saved[row * N_SEATS + nth] = n.into());
            state.drafted[other].iter().enumerate().for_each(|(row, &n)| drafted[row * N_SEATS + nth] = n.into());
        }
        copy(&state.discard, block(KINDS));
        copy(&state.events, block(EVENTS.len()));
        block(1)[0] = state.deck.iter().map(|&n| i32::from(n)).sum();

        let contents = block(N_SEATS * LOOKS * KINDS);
        let picks = block(N_SEATS * LOOKS);
        let now = match state.stage {
            Stage::Deal(_) => Some(0),
            Stage::Draft(turn) => Some(usize::from(turn)),
            _ => None,
        };
        for turn in now.into_iter().flat_map(|now| 0..=now) {
            let dealt_to = held_hand(turn as u8, seat);
            let row = (relative_seat(seat, dealt_to, N_SEATS) as usize - 1) * LOOKS + turn / N_SEATS;
            debug_assert_eq!(holder(dealt_to, turn), seat, "it holds the hand in this turn");
            copy(&state.draft.hand_after(dealt_to, turn), &mut contents[row * KINDS..][..KINDS]);
            picks[row] = state.draft.picks[seat][turn].map_or(0, |card| card as i32 + 1);
        }
        let n_picked = block(N_SEATS);
        for (nth, entry) in n_picked.iter_mut().enumerate() {
            *entry = state.draft.picks[relative(nth)].iter().flatten().count() as i32;
        }
        block(1)[0] = match state.stage {
            Stage::Deal(n_dealt) => n_dealt.into(),
            Stage::Draft(_) => (N_SEATS * HAND) as i32,
            _ => 0,
        };
        copy(&state.old_cards(), block(KINDS));
        let own_old = block(KINDS);
        if state.split_hand() == Some(seat) {
            copy(&state.draft.old, own_old);
        }
        block(1)[0] = state.round.into();
        block(1)[0] = relative_seat(seat, state.starter(), N_SEATS);
        let (stage, event, transmutation, whose) = match state.stage {
            Stage::Event => (0, 0, 0, None),
            Stage::Choice(event) => (1, event as i32 + 1, 0, Some(state.starter())),
            Stage::Deal(_) => (2, 0, 0, None),
            Stage::Draft(_) => (3, 0, 0, None),
            Stage::Play(other) => (4, 0, 0, Some(other.into())),
            Stage::Together => (4, 0, 0, None),
            Stage::Die(other, number) => (5, 0, i32::from(number) + 1, Some(other.into())),
            Stage::Over => (6, 0, 0, None),
        };
        block(1)[0] = stage;
        block(1)[0] = event;
        block(1)[0] = transmutation;
        block(1)[0] = whose.map_or(0, |other| relative_seat(seat, other, N_SEATS));
        let to_act = block(N_SEATS);
        if let Phase::Act(seats) = self.phase(state) {
            to_act.iter_mut().enumerate().for_each(|(nth, entry)| *entry = seats.contains(relative(nth)).into());
        }
        if self.together {
            let chosen = block(N_SEATS);
            for (nth, entry) in chosen.iter_mut().enumerate() {
                *entry = seen_choice(state, relative(nth), seat);
            }
        }
    }

    fn n_actions(&self) -> u64 {
        FIRST[FIRST.len() - 1]
    }

    fn action_number(&self, action: Action) -> u64 {
        let (verb, object) = match action {
            Action::Eureka(resource) => (0, resource as u64),
            Action::Explosion(resource) => (1, resource as u64),
            Action::Disaster(card) => (2, card as u64),
            Action::Favor(resource) => (3, resource as u64),
            Action::Steal(from, resource) => (4, u64::from(from) * N_RESOURCES + resource as u64),
            Action::NoEvent => (5, 0),
            Action::Draft(card) => (6, card as u64),
            Action::Transmute(number) => (7, number.into()),
            Action::Discard(card) => (8, card as u64),
            Action::End => (9, 0),
        };
        FIRST[verb] + object
    }

    fn numbered_action(&self, number: u64) -> Option<Action> {
        let verb = FIRST.iter().rposition(|&first| first <= number)?;
        let object = (number - FIRST[verb]) as usize;
        Some(match verb {
            0 => Action::Eureka(Resource::ALL[object]),
            1 => Action::Explosion(Resource::ALL[object]),
            2 => Action::Disaster(Card::ALL[object]),
            3 => Action::Favor(Resource::ALL[object]),
            4 => {
                let (from, resource) = (object / Resource::ALL.len(), object % Resource::ALL.len());
                Action::Steal(from as u8, Resource::ALL[resource])
            }
            5 => Action::NoEvent,
            6 => Action::Draft(Card::ALL[object]),
            7 => Action::Transmute(object as u8),
            8 => Action::Discard(Card::ALL[object]),
            9 => Action::End,
            _ => return None,
        })
    }
}

/// What a seat has chosen in this step, as the seat that looks knows it.
fn seen_choice(state: &State, of: Seat, looks: Seat) -> i32 {
    let Some(step) = &state.step else { return 0 };
    match step.chosen[of] {
        _ if step.ended[of] => 2,
        None => 0,
        Some(_) if state.stage == Stage::Together && of != looks => 1,
        Some(Action::Discard(card)) => 4 + card as i32,
        Some(Action::Transmute(number)) => 6 + i32::from(number),
        Some(_) => 3,
    }
}

const N_RESOURCES: u64 = Resource::ALL.len() as u64;

/// The first number of each kind of action, in the order of [`Action`], and behind them how many there are.
const FIRST: [u64; 11] = {
    let cards = Card::ALL.len() as u64;
    let sizes = [
        N_RESOURCES,
        N_RESOURCES,
        cards,
        N_RESOURCES,
        N_SEATS as u64 * N_RESOURCES,
        1,
        cards,
        TRANSMUTATIONS.len() as u64,
        cards,
        1,
    ];
    let mut first = [0; 11];
    let mut verb = 0;
    while verb < sizes.len() {
        first[verb + 1] = first[verb] + sizes[verb];
        verb += 1;
    }
    first
};

fn copy(counts: &[u8; KINDS], entries: &mut [i32]) {
    entries.iter_mut().zip(counts).for_each(|(entry, &n)| *entry = n.into());
}
