//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

/// The rules with their parameters.
#[derive(Clone, Copy, Debug)]
pub struct TakeAway {
    /// Items on the heap at the start.
    pub(super) size: u8,
    /// The most items that may be taken at once.
    pub(super) most: u8,
    /// Whether taking the last item loses.
    pub(super) misere: bool,
}

/// All that decides how play goes on, and nothing else. Keep it small and without history; `Copy` where that is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) items: u8,
    pub(super) to_act: u8,
}

impl Game for TakeAway {
    type State = State;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        State { items: self.size, to_act: 0 }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.items == 0 { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(1..=self.most.min(state.items));
    }

    #[inline]
    fn apply(&self, state: &mut State, _seat: Seat, action: u8) {
        debug_assert!(action <= state.items, "more is taken than there is");
        state.items -= action;
        state.to_act = 1 - state.to_act;
    }

    // An unfinished game, broken off at the cap, is drawn.
    fn payoffs(&self, state: &State) -> Payoffs {
        let last_mover = 1 - usize::from(state.to_act);
        match (state.items, self.misere) {
            (0, false) => Payoffs::win(last_mover),
            (0, true) => Payoffs::win(1 - last_mover),
            _ => Payoffs::zero(2),
        }
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "last-item"
    }
}

impl Information for TakeAway {}
