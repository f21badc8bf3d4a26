//! The cards and the events with their numbers, and in a position what became of them and what is still to come.
//!
//! In a position a viewer is told no more than what lies face up or in its own hand; all other cards are one number.

use raichi_core::chart::{Chart, Entry, Row};
use raichi_core::seat::Viewer;

use super::board::{CARDS, Card, EVENTS, Event};
use super::rules::{Cards, N_SEATS, State};
use super::view::{is_face_up, picked};

/// The charts of the game.
pub(super) fn all() -> Vec<Chart> {
    let total = |n: u8| vec![Entry::text(n.to_string())];
    vec![
        cards(&["in all"], Card::ALL.iter().map(|&card| total(CARDS[card as usize])).collect()),
        events(&["in all"], Event::ALL.iter().map(|&event| total(EVENTS[event as usize])).collect()),
    ]
}

/// The same in a position, as `viewer` may see it.
pub(super) fn standing(state: &State, viewer: Viewer) -> Vec<Chart> {
    let places = places(state, viewer);
    let counts = |card: Card| {
        let numbers = [CARDS, places.discarded, places.face_up, places.in_hand, places.elsewhere];
        numbers.iter().map(|cards| Entry::text(cards[card as usize].to_string())).collect()
    };
    let of_event = |event: Event| {
        let numbers = [EVENTS[event as usize], state.events[event as usize]];
        numbers.iter().map(|n| Entry::text(n.to_string())).collect()
    };
    vec![
        cards(
            &["in all", "discarded", "saved or shown", "in your hand", "deck and hidden hands"],
            Card::ALL.iter().map(|&card| counts(card)).collect(),
        ),
        events(&["in all", "to come"], Event::ALL.iter().map(|&event| of_event(event)).collect()),
    ]
}

/// Where the 80 cards are.
struct Places {
    discarded: Cards,
    face_up: Cards,
    in_hand: Cards,
    elsewhere: Cards,
}

fn places(state: &State, viewer: Viewer) -> Places {
    let mut face_up = [0; 5];
    let mut in_hand = [0; 5];
    let add = |to: &mut Cards, cards: &Cards| to.iter_mut().zip(cards).for_each(|(n, more)| *n += more);
    for seat in 0..N_SEATS {
        let [fire, water] = state.saved[seat];
        add(&mut face_up, &[fire, water, 0, 0, 0]);
        if is_face_up(state) {
            add(&mut face_up, &picked(state, seat));
        } else if viewer.is(seat) {
            add(&mut in_hand, &picked(state, seat));
            add(&mut in_hand, state.held(seat));
        }
    }
    let known = |i: usize| state.discard[i] + face_up[i] + in_hand[i];
    let elsewhere = std::array::from_fn(|i| CARDS[i] - known(i));
    Places { discarded: state.discard, face_up, in_hand, elsewhere }
}

fn cards(columns: &[&str], counts: Vec<Vec<Entry>>) -> Chart {
    let rows = Card::ALL.iter().zip(counts).map(|(&card, counts)| {
        let (word, does) = (card.word(), card_does(card));
        row(word, counts, does)
    });
    Chart {
        id: "cards".into(),
        title: "The cards".into(),
        text: "80 cards. When the deck is used up, the discards are shuffled and become the deck.".into(),
        corner: "card".into(),
        columns: heads(columns),
        rows: rows.collect(),
    }
}

fn events(columns: &[&str], counts: Vec<Vec<Entry>>) -> Chart {
    let rows = Event::ALL.iter().zip(counts).map(|(&event, counts)| row(event.word(), counts, event_does(event)));
    Chart {
        id: "events".into(),
        title: "The events".into(),
        text: "Seven cards, one in each round. When all have come they are shuffled.".into(),
        corner: "event".into(),
        columns: heads(columns),
        rows: rows.collect(),
    }
}

fn heads(columns: &[&str]) -> Vec<Entry> {
    columns.iter().map(|&head| Entry::text(head)).chain([Entry::text("what it does")]).collect()
}

fn row(word: &str, counts: Vec<Entry>, does: &str) -> Row {
    let entries = counts.into_iter().chain([Entry::text(does)]).collect();
    Row { head: Entry::text(word.replace('-', " ")), entries }
}

fn card_does(card: Card) -> &'static str {
    match card {
        Card::Fire => "sets off a transmutation that needs fire; may be saved",
        Card::Water => "sets off a transmutation that needs water; may be saved",
        Card::Cinnabar => "becomes a token on cinnabar",
        Card::Lead => "becomes a token on lead",
        Card::YellowSalt => "becomes a token on yellow salt",
    }
}

fn event_does(event: Event) -> &'static str {
    match event {
        Event::Eureka => "a token on an elixir",
        Event::Explosion => "everybody loses half their tokens on a resource, rounded up",
        Event::Disaster => "everybody loses the fire, or the water, that they saved",
        Event::Favor => "two tokens on a primary resource",
        Event::Steal => "one of your tokens in the place of an opponent's",
    }
}

#[cfg(test)]
mod tests {
    use raichi_core::random::{index, stream};
    use raichi_core::{Match, Phase};

    use super::*;
    use crate::jabirs_transmutations::JabirsTransmutations;
    use crate::jabirs_transmutations::rules::Stage;

    #[test]
    fn no_card_is_counted_twice_or_forgotten() {
        for spec in [None, Some("turns=together")] {
            let game = raichi_core::erased::create::<JabirsTransmutations>(spec).unwrap();
            let mut current = Match::of(std::sync::Arc::new(game));
            let mut rng = stream(12, "jabir's charts", 0);
            for _ in 0..400 {
                let state = *current.state().position();
                // The referee knows every hand, so what is left is the deck; what nobody sees is that and the hands.
                let referee = places(&state, Viewer::Referee);
                if state.stage != Stage::Over {
                    assert_eq!(referee.elsewhere, state.deck);
                }
                let hands: u8 = referee.in_hand.iter().sum();
                let spectator = places(&state, Viewer::Spectator);
                assert_eq!(spectator.in_hand, [0; 5]);
                assert_eq!(
                    spectator.elsewhere.iter().sum::<u8>(),
                    referee.elsewhere.iter().sum::<u8>() + hands,
                    "{state:?}"
                );
                match current.phase() {
                    Phase::Over => break,
                    Phase::Chance => {
                        current.sample_outcome(&mut rng).unwrap();
                    }
                    Phase::Act(seats) => {
                        let seat = seats.iter().nth(index(&mut rng, seats.len())).unwrap();
                        current.play_random(seat, &mut Vec::new(), &mut rng).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn there_are_eighty_cards_and_seven_events() {
        let total =
            |chart: &Chart| chart.rows.iter().map(|row| row.entries[0].text.parse::<u32>().unwrap()).sum::<u32>();
        let charts = all();
        assert_eq!((total(&charts[0]), total(&charts[1])), (80, 7));
    }
}
