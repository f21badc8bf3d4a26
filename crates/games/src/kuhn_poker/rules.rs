//! Legal actions, apply, payoffs; the state is the table of `one_card_poker`.

use raichi_core::game::{Chance, Classes, Facts, Game, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::Rng;
use raichi_core::seat::{Seat, Viewer};

use crate::cards::{Card, CardSet};
use crate::one_card_poker::{Deck, Table, Turn};

/// The rules. There are no parameters.
#[derive(Clone, Copy, Debug)]
pub struct KuhnPoker;

/// A deal in progress, or its end.
pub type State = Table;

/// What a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// Put nothing in: with a bet to match, give up.
    Pass,
    /// Put in one chip: with a bet to match, match it.
    Bet,
}

pub(super) const ACTIONS: [Action; 2] = [Action::Pass, Action::Bet];

const SPADES: u8 = 3;

pub(super) const DECK: Deck = Deck {
    cards: {
        let mut cards = CardSet::EMPTY;
        cards.insert(Card::new(9, SPADES));
        cards.insert(Card::new(10, SPADES));
        cards.insert(Card::new(11, SPADES));
        cards
    },
    has_suits: false,
    has_public: false,
};

impl Game for KuhnPoker {
    type State = State;
    type Action = Action;
    type Outcome = Card;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::IMPERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        Facts { chance: true, hidden: true, payoff_range: Some((-2.0, 2.0)), ..Facts::TWO_SEATS }
    }

    fn initial_state(&self) -> State {
        Table::START
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.turn {
            Turn::Act(seat) => Phase::seat(seat.into()),
            Turn::Hand(_) | Turn::Public => Phase::Chance,
            Turn::Over => Phase::Over,
        }
    }

    fn legal_actions(&self, _state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        actions.extend(ACTIONS);
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(state.turn == Turn::Act(seat as u8), "the seat is to act");
        let owes = state.owes(seat) > 0;
        match action {
            Action::Pass if owes => state.fold(seat),
            Action::Pass if seat == 1 => state.end(),
            Action::Pass => state.turn = Turn::Act(1),
            Action::Bet => {
                state.stakes[seat] = 2;
                if owes {
                    state.end();
                } else {
                    state.turn = Turn::Act(1 - seat as u8);
                }
            }
        }
    }

    // Broken off, nobody has won or lost anything.
    fn payoffs(&self, state: &State) -> Payoffs {
        state.payoffs()
    }

    fn end_reason(&self, state: &State) -> &'static str {
        state.end_reason()
    }
}

/// Chance deals the cards.
impl Chance<KuhnPoker> for Card {
    fn list(_game: &KuhnPoker, state: &State, outcomes: &mut Vec<(Card, u64)>) {
        outcomes.extend(state.left(&DECK).iter().map(|card| (card, 1)));
    }

    #[inline]
    fn happen(self, _game: &KuhnPoker, state: &mut State) {
        state.deal(self);
    }
}

impl Information for KuhnPoker {
    fn sees_outcome(&self, state: &State, _card: Card, viewer: Viewer) -> bool {
        state.sees_deal(viewer)
    }

    fn determinize<R: Rng + ?Sized>(&self, state: &State, seat: Seat, rng: &mut R) -> State {
        state.determinize(&DECK, seat, rng)
    }

    fn expected_outcomes(&self, state: &State, viewer: Viewer, outcomes: &mut Vec<(Card, u64)>) {
        outcomes.extend(state.unseen(&DECK, viewer).iter().map(|card| (card, 1)));
    }
}
