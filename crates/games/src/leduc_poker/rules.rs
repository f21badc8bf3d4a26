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
pub struct LeducPoker;

/// A deal in progress, or its end.
pub type State = Table;

/// What a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// Give up what was put in.
    Fold,
    /// Match the bet, or put nothing in where there is none.
    Call,
    /// Match the bet and put in more.
    Raise,
}

pub(super) const ACTIONS: [Action; 3] = [Action::Fold, Action::Call, Action::Raise];

/// In a betting round, both seats together.
pub(super) const MOST_RAISES: u8 = 2;

/// What a raise puts in above the bet, before and after the public card.
const STEPS: [u8; 2] = [2, 4];

/// The ante and all raises of both rounds.
pub(super) const MOST_STAKED: u8 = 1 + MOST_RAISES * (STEPS[0] + STEPS[1]);

const HEARTS: u8 = 2;
const SPADES: u8 = 3;
const JACK: u8 = 9;

pub(super) const DECK: Deck = Deck {
    cards: {
        let mut cards = CardSet::EMPTY;
        let mut rank = JACK;
        while rank < JACK + 3 {
            cards.insert(Card::new(rank, HEARTS));
            cards.insert(Card::new(rank, SPADES));
            rank += 1;
        }
        cards
    },
    has_suits: true,
    has_public: true,
};

/// A card after a symmetry: each bit of its number exchanges the suits of one rank.
pub(super) fn exchanged(symmetry: usize, card: Card) -> Card {
    let rank = card.rank();
    if symmetry >> (rank - JACK) & 1 == 0 { card } else { Card::new(rank, HEARTS + SPADES - card.suit()) }
}

impl LeducPoker {
    /// The legal actions, as bits by [`ACTIONS`].
    #[inline]
    pub(super) fn legal(&self, state: &State, seat: Seat) -> u8 {
        u8::from(state.owes(seat) > 0) | 2 | u8::from(state.raises < MOST_RAISES) << 2
    }

    /// What a raise puts in above the bet.
    #[inline]
    pub(super) fn step(&self, state: &State) -> u8 {
        STEPS[usize::from(state.public.is_some())]
    }

    fn end_round(&self, state: &mut State) {
        if state.public.is_some() {
            state.end();
        } else {
            (state.turn, state.raises) = (Turn::Public, 0);
        }
    }
}

impl Game for LeducPoker {
    type State = State;
    type Action = Action;
    type Outcome = Card;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::IMPERFECT_INFORMATION;

    fn facts(&self) -> Facts {
        let most = f64::from(MOST_STAKED);
        Facts { chance: true, hidden: true, payoff_range: Some((-most, most)), ..Facts::TWO_SEATS_AND_DRAWS }
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

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        let legal = self.legal(state, seat);
        actions.extend(ACTIONS.into_iter().filter(|&action| legal >> action as u8 & 1 == 1));
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(state.turn == Turn::Act(seat as u8), "the seat is to act");
        debug_assert!(self.is_legal(state, seat, action), "the action is legal");
        match action {
            Action::Fold => state.fold(seat),
            Action::Call if state.owes(seat) == 0 && seat == 0 => state.turn = Turn::Act(1),
            Action::Call => {
                state.stakes[seat] = state.stakes[1 - seat];
                self.end_round(state);
            }
            Action::Raise => {
                state.stakes[seat] = state.stakes[1 - seat] + self.step(state);
                state.raises += 1;
                state.turn = Turn::Act(1 - seat as u8);
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

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        self.legal(state, seat) >> action as u8 & 1 == 1
    }

    fn n_symmetries(&self) -> usize {
        8
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let map = |card: Option<Card>| card.map(|card| exchanged(symmetry, card));
        State { hands: state.hands.map(map), public: map(state.public), ..*state }
    }
}

/// Chance deals the cards.
impl Chance<LeducPoker> for Card {
    fn list(_game: &LeducPoker, state: &State, outcomes: &mut Vec<(Card, u64)>) {
        outcomes.extend(state.left(&DECK).iter().map(|card| (card, 1)));
    }

    #[inline]
    fn happen(self, _game: &LeducPoker, state: &mut State) {
        state.deal(self);
    }

    fn map(self, _game: &LeducPoker, symmetry: usize) -> Card {
        exchanged(symmetry, self)
    }
}

impl Information for LeducPoker {
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
