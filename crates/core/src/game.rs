//! What a game is: one small trait, which everything in the collection fits.
//!
//! A *game* is the rules with their parameters; a *state* is a small value without history. The trait is generic and
//! its hot methods are inlined into whoever calls them; [`crate::erased`] makes the one form with its types erased.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use crate::random::{self, Rng};
use crate::seat::{MAX_SEATS, Seat, SeatSet};

/// The rules of a game with their parameters.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: everything that decides how play goes on, hidden things included, and nothing else.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// What a seat chooses.
    type Action: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What chance chooses; [`Never`] where chance has no part.
    type Outcome: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// What agents need to know to tell whether they can play.
    fn facts(&self) -> Facts;

    /// The position before the first ply.
    fn initial_state(&self) -> Self::State;

    /// Who acts now.
    fn phase(&self, state: &Self::State) -> Phase;

    /// Appends every action `seat` may choose, each once, to `actions`. `seat` is one of those that may act.
    fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>);

    /// Carries out a legal action. Trusts its caller; see [`crate::history::Match`] for the checked form.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: Self::Action);

    /// Appends every outcome of positive weight, each once, with its integer weight. The phase is [`Phase::Chance`].
    fn outcomes(&self, state: &Self::State, outcomes: &mut Vec<(Self::Outcome, u64)>);

    /// Carries out an outcome of positive weight.
    fn apply_outcome(&self, state: &mut Self::State, outcome: Self::Outcome);

    /// What each seat gets if play ends here: the payoffs of a finished game, and of an unfinished one what it pays
    /// when it is broken off at the cap.
    fn payoffs(&self, state: &Self::State) -> Payoffs;

    /// Why the game is over, one of the contract's reasons; asked only when it is.
    fn end_reason(&self, state: &Self::State) -> &'static str;

    // What follows has an answer for every game; a game overrides what it can do faster.

    /// How many actions `seat` may choose.
    fn count_actions(&self, state: &Self::State, seat: Seat, scratch: &mut Vec<Self::Action>) -> usize {
        scratch.clear();
        self.legal_actions(state, seat, scratch);
        scratch.len()
    }

    /// A uniformly random legal action. `scratch` may be overwritten.
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        seat: Seat,
        scratch: &mut Vec<Self::Action>,
        rng: &mut R,
    ) -> Self::Action {
        scratch.clear();
        self.legal_actions(state, seat, scratch);
        scratch[random::index(rng, scratch.len())]
    }

    /// Whether `seat`, which may act, may choose `action`.
    fn is_legal(&self, state: &Self::State, seat: Seat, action: Self::Action) -> bool {
        let mut actions = Vec::new();
        self.legal_actions(state, seat, &mut actions);
        actions.contains(&action)
    }

    /// An outcome drawn by weight.
    fn sample_outcome<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Self::Outcome {
        let mut outcomes = Vec::new();
        self.outcomes(state, &mut outcomes);
        outcomes[random::weighted(rng, outcomes.iter().map(|&(_, weight)| weight))].0
    }

    /// A 64-bit key of the position for transposition tables: equal states have equal keys.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        state.hash(&mut hasher);
        random::mix(hasher.finish())
    }

    /// The same position with everything the state keeps along for speed (hashes, counts, masks) worked out anew.
    /// Law: it equals `state`.
    fn recomputed(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// How many symmetries of the rules are known, the identity (number 0) included.
    fn n_symmetries(&self) -> usize {
        1
    }

    /// `state` under a symmetry. Law: symmetries commute with the rules.
    fn map_state(&self, _symmetry: usize, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// `action` under a symmetry.
    fn map_action(&self, _symmetry: usize, action: Self::Action) -> Self::Action {
        action
    }

    /// `outcome` under a symmetry.
    fn map_outcome(&self, _symmetry: usize, outcome: Self::Outcome) -> Self::Outcome {
        outcome
    }
}

/// The outcome of games without chance: there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Never {}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// These seats may act, one or several at the same time; the set is never empty.
    Act(SeatSet),
    /// Chance acts.
    Chance,
    /// Nobody: the game is over.
    Over,
}

impl Phase {
    /// One seat is to act.
    #[inline]
    pub const fn seat(seat: Seat) -> Phase {
        Phase::Act(SeatSet::one(seat))
    }
}

/// What agents need to know about a game before they agree to play it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Facts {
    /// How many seats there are.
    pub n_seats: usize,
    /// Whether chance ever acts.
    pub chance: bool,
    /// Whether some seat ever lacks something another seat or the record knows.
    pub hidden: bool,
    /// Whether several seats ever act at the same time.
    pub simultaneous: bool,
    /// What the payoffs of all seats add up to, where that is always the same.
    pub payoff_sum: Option<f64>,
    /// The least and the greatest payoff a seat can get, where the rules bound them tightly enough to be useful.
    pub payoff_range: Option<(f64, f64)>,
}

impl Facts {
    /// A game of two seats without chance or secrets, won (+1), drawn (0) or lost (−1).
    pub const TWO_SEATS: Facts = Facts {
        n_seats: 2,
        chance: false,
        hidden: false,
        simultaneous: false,
        payoff_sum: Some(0.0),
        payoff_range: Some((-1.0, 1.0)),
    };
}

/// One number a seat.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Payoffs(arrayvec::ArrayVec<f64, MAX_SEATS>);

impl Payoffs {
    /// The given payoffs, in order of seats.
    pub fn new(payoffs: impl IntoIterator<Item = f64>) -> Payoffs {
        Payoffs(payoffs.into_iter().collect())
    }

    /// 0 for everybody.
    pub fn zero(n_seats: usize) -> Payoffs {
        Payoffs::new(std::iter::repeat_n(0.0, n_seats))
    }

    /// Two seats, one winner: +1 and −1.
    #[inline]
    pub fn win(winner: Seat) -> Payoffs {
        if winner == 0 { Payoffs::new([1.0, -1.0]) } else { Payoffs::new([-1.0, 1.0]) }
    }

    /// Three seats or more: the winners share 1, the others get 0.
    pub fn shared(winners: SeatSet, n_seats: usize) -> Payoffs {
        let share = 1.0 / winners.len() as f64;
        Payoffs::new((0..n_seats).map(|seat| if winners.contains(seat) { share } else { 0.0 }))
    }

    /// The contract's payoffs for the given winners and number of seats: two seats win +1 and lose −1, all of them
    /// together draw 0; three or more share 1.
    pub fn ranked(winners: SeatSet, n_seats: usize) -> Payoffs {
        match n_seats {
            2 if winners.len() == 1 => Payoffs::win(winners.first()),
            2 => Payoffs::zero(2),
            _ => Payoffs::shared(winners, n_seats),
        }
    }

    /// The payoffs as a slice, by seat.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

impl std::ops::Index<Seat> for Payoffs {
    type Output = f64;

    #[inline]
    fn index(&self, seat: Seat) -> &f64 {
        &self.0[seat]
    }
}
