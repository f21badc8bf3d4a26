//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::Rng;
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::heaps::{Heaps, Setup, Take};

/// The rules: the heaps, and whether the last item loses.
#[derive(Clone, Debug)]
pub struct Nim {
    pub(super) setup: Setup,
    pub(super) misere: bool,
}

/// The heaps and who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) heaps: Heaps,
    pub(super) to_act: u8,
}

impl State {
    /// The items left in each heap.
    #[inline]
    pub fn heaps(&self) -> &Heaps {
        &self.heaps
    }

    /// The seat to act, also where nothing is left to be taken.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }
}

impl Nim {
    /// The heaps at the start, and how many items may be taken at once.
    #[inline]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether the last item loses.
    #[inline]
    pub fn is_misere(&self) -> bool {
        self.misere
    }
}

impl Game for Nim {
    type State = State;
    type Action = Take;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        State { heaps: self.setup.start(), to_act: 0 }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.heaps.are_gone() { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Take>) {
        self.setup.list(&state.heaps, actions);
    }

    #[inline]
    fn apply(&self, state: &mut State, _seat: Seat, action: Take) {
        self.setup.take(&mut state.heaps, action);
        state.to_act ^= 1;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let to_act = Seat::from(state.to_act);
        match state.heaps.are_gone() {
            false => Payoffs::zero(2),
            // The seat that would act next has not taken the last item.
            true => Payoffs::win(if self.misere { to_act } else { 1 - to_act }),
        }
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "last-item"
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Take>) -> usize {
        self.setup.n_actions(&state.heaps)
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _seat: Seat,
        _scratch: &mut Vec<Take>,
        rng: &mut R,
    ) -> Take {
        self.setup.random(&state.heaps, rng)
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: Take) -> bool {
        self.setup.is_legal(&state.heaps, action)
    }
}

impl Information for Nim {}
