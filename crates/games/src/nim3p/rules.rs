//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::Rng;
use raichi_core::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use crate::heaps::{Heaps, Setup, Take};

/// What the seat after the winner gets, where the extra rule is on.
const EXTRA: f64 = 0.2;

/// The rules: the heaps, and whether the seat after the winner gets something too.
#[derive(Clone, Debug)]
pub struct Nim3P {
    pub(super) setup: Setup,
    pub(super) extra: bool,
}

/// The heaps and who acts. When the heaps are gone, the seat that would act has won.
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

impl Nim3P {
    /// The heaps at the start.
    #[inline]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether the seat after the winner gets something too.
    #[inline]
    pub fn has_extra(&self) -> bool {
        self.extra
    }
}

impl Game for Nim3P {
    type State = State;
    type Action = Take;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::PERFECT_INFORMATION;

    // With the extra rule a finished game pays 1.2 in all, one broken off 1.
    fn facts(&self) -> Facts {
        Facts {
            n_seats: 3,
            payoff_sum: (!self.extra).then_some(1.0),
            payoff_range: Some((0.0, 1.0)),
            ..Facts::TWO_SEATS
        }
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
        state.to_act = next(state.to_act);
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        if !state.heaps.are_gone() {
            return Payoffs::shared(SeatSet::first_n(3), 3);
        }
        let mut payoffs = [0.0; 3];
        payoffs[usize::from(state.to_act)] = 1.0;
        if self.extra {
            payoffs[usize::from(next(state.to_act))] = EXTRA;
        }
        Payoffs::new(payoffs)
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

#[inline]
fn next(seat: u8) -> u8 {
    if seat == 2 { 0 } else { seat + 1 }
}

impl Information for Nim3P {}
