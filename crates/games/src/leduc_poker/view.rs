//! The table as data, with a button for each action; see `one_card_poker`.

use raichi_core::notation::Notation;
use raichi_core::picture::{Picture, Scene, Sketch, View};
use raichi_core::seat::{Seat, Viewer};

use super::rules::{ACTIONS, Action, DECK, LeducPoker, State};
use crate::cards::Card;
use crate::one_card_poker::{Turn, seat_id};

impl View for LeducPoker {
    fn picture(&self, scene: &Scene<'_, Self>, viewer: Viewer) -> Picture {
        let state = scene.state;
        let mut picture = DECK.picture("Leduc Poker", self.names(), state, viewer);
        if let Turn::Act(seat) = state.turn
            && viewer.is(seat.into())
        {
            let seat = usize::from(seat);
            for action in ACTIONS.into_iter().filter(|&action| self.legal(state, seat) >> action as u8 & 1 == 1) {
                picture.button(action.text(), self.label(state, seat, action));
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

impl LeducPoker {
    fn names(&self) -> [String; 2] {
        [0, 1].map(|seat| self.seat_name(seat))
    }

    fn label(&self, state: &State, seat: Seat, action: Action) -> String {
        let owes = state.owes(seat);
        match action {
            Action::Fold => "Fold".into(),
            Action::Call if owes == 0 => "Check".into(),
            Action::Call => format!("Call {owes}"),
            Action::Raise if owes == 0 => format!("Bet {}", self.step(state)),
            Action::Raise => format!("Raise by {} (put in {})", self.step(state), owes + self.step(state)),
        }
    }
}
