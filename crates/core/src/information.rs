//! What a seat sees and knows.
//!
//! Perfect-information games implement [`Information`] with an empty body. A game with secrets says which plies a
//! viewer sees, and draws full states that fit what a seat knows.

use std::hash::{Hash, Hasher};

use crate::game::{Choice, Facts, Game, Phase};
use crate::path::{PathGame, PathState};
use crate::random::{self, Rng};
use crate::seat::{MAX_SEATS, Seat, SeatSet, Viewer};

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

    /// Appends every outcome that `viewer` can expect in `state`, where chance acts, each once, with its integer weight: as
    /// likely as it is on average in the states that the viewer cannot tell apart. To be written by games where a secret
    /// decides what chance can do; the outcomes of `state` itself would tell it.
    fn expected_outcomes(&self, state: &Self::State, _viewer: Viewer, outcomes: &mut Vec<(Self::Outcome, u64)>) {
        self.outcomes(state, outcomes);
    }

    /// What everybody saw when `choice`, made in `state` (the state before), ended a round, and the next position no
    /// longer holds: the table as it then lay, hidden things that nobody was shown removed. Pictures show it for a
    /// while, and it is part of what each seat remembers; it decides nothing.
    fn aftermath(&self, _state: &Self::State, _choice: Choice<Self>) -> Option<Self::State> {
        None
    }
}

/// What each seat has seen and done since the start, in order (perfect recall), as a key: the *information state*.
///
/// It belongs to the path and is not the position key: two betting sequences with the same pot are one position and two
/// information states. It is kept beside a [`PathState`] by code that needs it, regret methods above all. The same in words
/// is [`crate::history::Match::information_state`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    keys: arrayvec::ArrayVec<u64, MAX_SEATS>,
}

impl Recall {
    /// Nothing seen yet.
    pub fn new(n_seats: usize) -> Recall {
        Recall { keys: (0..n_seats as u64).map(random::mix).collect() }
    }

    /// The key of `seat`'s information state.
    pub fn key(&self, seat: Seat) -> u64 {
        self.keys[seat]
    }

    /// Carries out a choice, and takes note of what each seat sees of it.
    pub fn play<G: Information>(&mut self, game: &PathGame<G>, state: &mut PathState<G>, choice: Choice<G>) {
        let (seen, unseen) = match choice {
            Choice::Action(seat, action) => (hash(&(seat, action)), hash(&(seat, "unseen"))),
            Choice::Outcome(outcome) => (hash(&("chance", outcome)), hash(&"unseen chance")),
        };
        for viewer in 0..self.keys.len() {
            let sees = match choice {
                Choice::Action(seat, action) => game.sees_action(state, seat, action, Viewer::Seat(viewer)),
                Choice::Outcome(outcome) => game.sees_outcome(state, outcome, Viewer::Seat(viewer)),
            };
            self.add(viewer, if sees { seen } else { unseen });
        }
        if let Some(table) = game.aftermath(state, choice) {
            let shown = hash(&table);
            (0..self.keys.len()).for_each(|viewer| self.add(viewer, shown));
        }
        game.play(state, choice);
    }

    fn add(&mut self, seat: Seat, what: u64) {
        self.keys[seat] = random::mix(self.keys[seat].rotate_left(1) ^ what);
    }
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    what.hash(&mut hasher);
    random::mix(hasher.finish())
}

/// One seat's view of a state: all that an agent is given. The hidden part cannot be reached from here.
pub struct SeatView<'a, G: Information> {
    game: &'a PathGame<G>,
    state: &'a PathState<G>,
    choices: &'a [Choice<G>],
    /// Of games with secrets, the seats that saw each of `choices`.
    witnesses: &'a [SeatSet],
    seat: Seat,
}

/// A ply as a seat saw it. That a ply was made, and by whom, is always seen.
#[derive(Clone, Copy, Debug)]
pub enum Seen<G: Game> {
    /// What was chosen.
    Choice(Choice<G>),
    /// This seat has chosen something.
    Action(Seat),
    /// Chance has chosen something.
    Outcome,
}

// Derived, it would ask for the same of G.
impl<G: Game> PartialEq for Seen<G> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Seen::Choice(choice), Seen::Choice(other)) => choice == other,
            (Seen::Action(seat), Seen::Action(other)) => seat == other,
            (Seen::Outcome, Seen::Outcome) => true,
            _ => false,
        }
    }
}
impl<G: Game> Eq for Seen<G> {}

impl<'a, G: Information> SeatView<'a, G> {
    /// What `seat` knows of `state`, which play reached by `choices`. In games with secrets it remembers nothing of them; see
    /// [`SeatView::with_witnesses`].
    pub fn new(game: &'a PathGame<G>, state: &'a PathState<G>, choices: &'a [Choice<G>], seat: Seat) -> Self {
        SeatView { game, state, choices, witnesses: &[], seat }
    }

    /// The same view, and which seats saw each of the choices.
    #[must_use]
    pub fn with_witnesses(self, witnesses: &'a [SeatSet]) -> Self {
        SeatView { witnesses, ..self }
    }

    /// The rules being played.
    pub fn game(&self) -> &'a PathGame<G> {
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

    /// All that was chosen since the start, in games in which everybody sees everything; `None` in those with secrets.
    pub fn choices(&self) -> Option<&'a [Choice<G>]> {
        (!self.game.facts().hidden).then_some(self.choices)
    }

    /// All that the seat has seen since the start, in order. A ply of which it is not known who saw it counts as unseen.
    pub fn seen(&self) -> impl DoubleEndedIterator<Item = Seen<G>> + ExactSizeIterator + use<'a, G> {
        let (hidden, seat, witnesses) = (self.game.facts().hidden, self.seat, self.witnesses);
        self.choices.iter().enumerate().map(move |(ply, &choice)| {
            let sees = !hidden || witnesses.get(ply).is_some_and(|seats| seats.contains(seat));
            match choice {
                _ if sees => Seen::Choice(choice),
                Choice::Action(by, _) => Seen::Action(by),
                Choice::Outcome(_) => Seen::Outcome,
            }
        })
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
    pub fn determinize<R: Rng + ?Sized>(&self, rng: &mut R) -> PathState<G> {
        self.game.determinize(self.state, self.seat, rng)
    }
}
