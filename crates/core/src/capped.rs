//! The wrapper that gives every game `max-plies`: a cap on how many actions and outcomes it may last.

use crate::game::{Facts, Game, Payoffs, Phase};
use crate::information::Information;
use crate::notation::{Notation, ParseError};
use crate::params::{ParamKind, ParamSpec, Params, SpecError};
use crate::picture::{Picture, Sketch, View};
use crate::random::Rng;
use crate::seat::{Seat, Viewer};

/// A game that is over after `max_plies` plies, whatever its own rules say.
#[derive(Clone, Debug)]
pub struct Capped<G> {
    game: G,
    max_plies: u32,
}

/// A state of the game inside, and the plies so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CappedState<S> {
    inner: S,
    plies: u32,
}

impl<S> CappedState<S> {
    /// The state of the game inside.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl<G> Capped<G> {
    /// `game` with a cap; 0 is no cap.
    pub fn new(game: G, max_plies: u32) -> Self {
        Capped { game, max_plies: if max_plies == 0 { u32::MAX } else { max_plies } }
    }

    /// The game inside.
    pub fn game(&self) -> &G {
        &self.game
    }
}

impl<G: Game> Game for Capped<G> {
    type State = CappedState<G::State>;
    type Action = G::Action;
    type Outcome = G::Outcome;

    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn initial_state(&self) -> Self::State {
        CappedState { inner: self.game.initial_state(), plies: 0 }
    }

    #[inline]
    fn phase(&self, state: &Self::State) -> Phase {
        if state.plies >= self.max_plies { Phase::Over } else { self.game.phase(&state.inner) }
    }

    #[inline]
    fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>) {
        self.game.legal_actions(&state.inner, seat, actions);
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, seat: Seat, action: Self::Action) {
        self.game.apply(&mut state.inner, seat, action);
        state.plies += 1;
    }

    #[inline]
    fn outcomes(&self, state: &Self::State, outcomes: &mut Vec<(Self::Outcome, u64)>) {
        self.game.outcomes(&state.inner, outcomes);
    }

    #[inline]
    fn apply_outcome(&self, state: &mut Self::State, outcome: Self::Outcome) {
        self.game.apply_outcome(&mut state.inner, outcome);
        state.plies += 1;
    }

    #[inline]
    fn payoffs(&self, state: &Self::State) -> Payoffs {
        self.game.payoffs(&state.inner)
    }

    // The game's own reason comes first where both hold at once.
    fn end_reason(&self, state: &Self::State) -> &'static str {
        if self.game.phase(&state.inner) == Phase::Over { self.game.end_reason(&state.inner) } else { "cap" }
    }

    #[inline]
    fn count_actions(&self, state: &Self::State, seat: Seat, scratch: &mut Vec<Self::Action>) -> usize {
        self.game.count_actions(&state.inner, seat, scratch)
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        seat: Seat,
        scratch: &mut Vec<Self::Action>,
        rng: &mut R,
    ) -> Self::Action {
        self.game.random_action(&state.inner, seat, scratch, rng)
    }

    fn is_legal(&self, state: &Self::State, seat: Seat, action: Self::Action) -> bool {
        self.game.is_legal(&state.inner, seat, action)
    }

    #[inline]
    fn sample_outcome<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Self::Outcome {
        self.game.sample_outcome(&state.inner, rng)
    }

    // Without a cap the count of plies decides nothing, so positions reached by different ways share their key.
    fn key(&self, state: &Self::State) -> u64 {
        let plies = if self.max_plies == u32::MAX { 0 } else { u64::from(state.plies) };
        self.game.key(&state.inner) ^ crate::random::mix(plies)
    }

    fn recomputed(&self, state: &Self::State) -> Self::State {
        CappedState { inner: self.game.recomputed(&state.inner), plies: state.plies }
    }

    fn n_symmetries(&self) -> usize {
        self.game.n_symmetries()
    }

    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State {
        CappedState { inner: self.game.map_state(symmetry, &state.inner), plies: state.plies }
    }

    fn map_action(&self, symmetry: usize, action: Self::Action) -> Self::Action {
        self.game.map_action(symmetry, action)
    }

    fn map_outcome(&self, symmetry: usize, outcome: Self::Outcome) -> Self::Outcome {
        self.game.map_outcome(symmetry, outcome)
    }
}

impl<G: Information> Information for Capped<G> {
    fn sees_action(&self, state: &Self::State, seat: Seat, action: Self::Action, viewer: Viewer) -> bool {
        self.game.sees_action(&state.inner, seat, action, viewer)
    }

    fn sees_outcome(&self, state: &Self::State, outcome: Self::Outcome, viewer: Viewer) -> bool {
        self.game.sees_outcome(&state.inner, outcome, viewer)
    }

    #[inline]
    fn determinize<R: Rng + ?Sized>(&self, state: &Self::State, seat: Seat, rng: &mut R) -> Self::State {
        CappedState { inner: self.game.determinize(&state.inner, seat, rng), plies: state.plies }
    }
}

impl<G: Notation> Notation for Capped<G> {
    const ID: &'static str = G::ID;
    const NAME: &'static str = G::NAME;
    const BLURB: &'static str = G::BLURB;
    const RULES: &'static str = G::RULES;
    const DEFAULT_MAX_PLIES: &'static str = G::DEFAULT_MAX_PLIES;

    fn params() -> Vec<ParamSpec> {
        let mut params = G::params();
        params.push(ParamSpec {
            name: "max-plies",
            kind: ParamKind::int(0, 1_000_000),
            default: Some(G::DEFAULT_MAX_PLIES),
            help: "The game is broken off after this many plies; 0 is never.",
        });
        params
    }

    fn from_params(params: &mut Params) -> Result<Self, SpecError> {
        let game = G::from_params(params)?;
        Ok(Capped::new(game, params.int("max-plies") as u32))
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.game.seat_name(seat)
    }

    fn action_text(&self, state: &Self::State, seat: Seat, action: Self::Action) -> String {
        self.game.action_text(&state.inner, seat, action)
    }

    fn parse_action(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, ParseError> {
        self.game.parse_action(&state.inner, seat, text)
    }

    fn outcome_text(&self, state: &Self::State, outcome: Self::Outcome) -> String {
        self.game.outcome_text(&state.inner, outcome)
    }

    fn parse_outcome(&self, state: &Self::State, text: &str) -> Result<Self::Outcome, ParseError> {
        self.game.parse_outcome(&state.inner, text)
    }

    fn why_illegal(&self, state: &Self::State, seat: Seat, action: Self::Action) -> String {
        self.game.why_illegal(&state.inner, seat, action)
    }
}

impl<G: View> View for Capped<G> {
    fn picture(&self, state: &Self::State, viewer: Viewer) -> Picture {
        self.game.picture(&state.inner, viewer)
    }

    fn path(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Vec<String> {
        self.game.path(&state.inner, seat, action)
    }

    fn sketch(&self, state: &Self::State, viewer: Viewer) -> Sketch {
        self.game.sketch(&state.inner, viewer)
    }

    fn caption(&self, state: &Self::State, seat: Seat, touched: &[String]) -> Option<String> {
        self.game.caption(&state.inner, seat, touched)
    }

    fn any_order(&self, id: &str) -> bool {
        self.game.any_order(id)
    }

    fn action_marks(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Vec<String> {
        self.game.action_marks(&state.inner, seat, action)
    }

    fn outcome_marks(&self, state: &Self::State, outcome: Self::Outcome) -> Vec<String> {
        self.game.outcome_marks(&state.inner, outcome)
    }
}
