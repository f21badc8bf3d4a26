//! The table as data, with a button for each action; see `one_card_poker`.

use raichi_core::notation::Notation;
use raichi_core::picture::{Picture, Scene, Sketch, View};
use raichi_core::seat::{Seat, Viewer};

use super::rules::{ACTIONS, Action, DECK, KuhnPoker, State};
use crate::cards::Card;
use crate::one_card_poker::{Turn, seat_id};

impl View for KuhnPoker {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = DECK.picture("Kuhn Poker", self.names(), state, viewer);
        if let Turn::Act(seat) = state.turn
            && viewer.is(seat.into())
        {
            for action in ACTIONS {
                picture.button(action.text(), label(action, state.owes(seat.into()) > 0));
            }
        }
        picture
    }

    fn path(&self, _state: &State, _seat: Seat, action: Action) -> Vec<String> {
        vec![action.text().into()]
    }

    fn sketch(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Sketch {
        DECK.sketch(self.names(), scene.state, viewer)
    }

    fn action_marks(&self, _state: &State, seat: Seat, _action: Action) -> Vec<String> {
        vec![seat_id(seat)]
    }

    fn outcome_marks(&self, state: &State, _card: Card) -> Vec<String> {
        vec![DECK.dealt_to(state)]
    }
}

impl KuhnPoker {
    fn names(&self) -> [String; 2] {
        [0, 1].map(|seat| self.seat_name(seat))
    }
}

const fn label(action: Action, owes: bool) -> &'static str {
    match (action, owes) {
        (Action::Pass, false) => "Pass",
        (Action::Pass, true) => "Pass: give up",
        (Action::Bet, false) => "Bet 1",
        (Action::Bet, true) => "Bet 1: match it",
    }
}
