//! What a seat sees and knows.
//!
//! Perfect-information games implement [`Information`] with an empty body. A game with secrets says which plies a
//! viewer sees, and draws full states that fit what a seat knows.

use crate::game::{Facts, Game, Phase};
use crate::random::Rng;
use crate::seat::{Seat, Viewer};

/// Who sees what.
pub trait Information: Game {
    /// Whether `viewer` sees which action `seat` chose in `state`. That some action was chosen is always seen.
    fn sees_action(&self, _state: &Self::State, _seat: Seat, _action: Self::Action, _viewer: Viewer) -> bool {
        true
    }

    /// Whether `viewer` sees which outcome chance chose in `state`. That chance acted is always seen.
    fn sees_outcome(&self, _state: &Self::State, _outcome: Self::Outcome, _viewer: Viewer) -> bool {
        true
    }

    /// A full state drawn uniformly from those consistent with all that `seat` knows, in time proportional to the
    /// hidden things.
    fn determinize<R: Rng + ?Sized>(&self, state: &Self::State, _seat: Seat, _rng: &mut R) -> Self::State {
        state.clone()
    }
}

/// A state through the eyes of one seat: all that an agent is given. The hidden part cannot be reached from here.
pub struct SeatView<'a, G: Information> {
    game: &'a G,
    state: &'a G::State,
    seat: Seat,
}

impl<'a, G: Information> SeatView<'a, G> {
    /// What `seat` knows of `state`.
    pub fn new(game: &'a G, state: &'a G::State, seat: Seat) -> Self {
        SeatView { game, state, seat }
    }

    /// The rules being played.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The seat that looks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The game's facts.
    pub fn facts(&self) -> Facts {
        self.game.facts()
    }

    /// Who acts now; always public.
    pub fn phase(&self) -> Phase {
        self.game.phase(self.state)
    }

    /// The seat's own legal actions; empty when it is not to act.
    pub fn legal_actions(&self) -> Vec<G::Action> {
        let mut actions = Vec::new();
        if matches!(self.phase(), Phase::Act(seats) if seats.contains(self.seat)) {
            self.game.legal_actions(self.state, self.seat, &mut actions);
        }
        actions
    }

    /// A full state drawn from those the seat cannot tell apart. Without secrets it is the state itself.
    pub fn determinize<R: Rng + ?Sized>(&self, rng: &mut R) -> G::State {
        self.game.determinize(self.state, self.seat, rng)
    }
}
