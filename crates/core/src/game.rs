//! What a game is: one small trait, which everything in the collection fits.
//!
//! A *game* is the rules with their parameters; a *state* is a position, a small value without history. What depends on
//! the way to a position is declared here and kept by [`crate::path`]. The trait is generic and its hot methods are
//! inlined into their callers; [`crate::erased`] makes the one form with its types erased.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use crate::path::PathMemory;
use crate::random::{self, Rng};
use crate::seat::{MAX_SEATS, Seat, SeatSet};

/// The rules of a game with their parameters.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: everything that decides how play goes on, hidden things included, and nothing else. Two are equal
    /// exactly when play goes on from both in the same way.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// What a seat chooses.
    type Action: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What chance chooses, and how; [`Never`] where chance has no part.
    type Outcome: Chance<Self>;
    /// What the rules remember of the way to a position; [`crate::path::NoMemory`] where they do not look at it.
    type PathMemory: PathMemory<Self>;

    /// The classes that games of this type may be of, whatever their parameters. What only the other classes need (a search,
    /// a solver) is not compiled for it: `if const { G::CLASSES.has(…) }`. Law: the facts of every game are of one of them.
    const CLASSES: Classes = Classes::ALL;

    /// What agents need to know to tell whether they can play.
    fn facts(&self) -> Facts;

    /// The position before the first ply.
    fn initial_state(&self) -> Self::State;

    /// Who acts now.
    fn phase(&self, state: &Self::State) -> Phase;

    /// Appends every action `seat` may choose, each once, to `actions`. `seat` is one of those that may act.
    fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>);

    /// Carries out a legal action. Trusts its caller; [`crate::history::Match`] has the checked form.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: Self::Action);

    /// What each seat gets if play ends here: the payoffs of a finished game, and of an unfinished one what it pays
    /// when it is broken off at the cap.
    fn payoffs(&self, state: &Self::State) -> Payoffs;

    /// Why the game is over, one of the contract's reasons; asked only when it is.
    fn end_reason(&self, state: &Self::State) -> &'static str;

    /// Whether `seat` is out: it has lost for good while others may play on. Games of three seats or more in which that
    /// happens override it.
    fn is_out(&self, _state: &Self::State, _seat: Seat) -> bool {
        false
    }

    // Provided methods; override them for speed.

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

    /// The position key, for tables: equal states have equal keys, and different states, in all likelihood, different
    /// ones.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        state.hash(&mut hasher);
        random::mix(hasher.finish())
    }

    /// The same position with everything derived that the state keeps for speed (hashes, counts, masks) computed again.
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

    // Of the outcome type; not to be overridden.

    /// Appends every outcome of positive weight, each once, with its integer weight. The phase is [`Phase::Chance`].
    #[inline]
    fn outcomes(&self, state: &Self::State, outcomes: &mut Vec<(Self::Outcome, u64)>) {
        Self::Outcome::list(self, state, outcomes);
    }

    /// Carries out an outcome of positive weight.
    #[inline]
    fn apply_outcome(&self, state: &mut Self::State, outcome: Self::Outcome) {
        outcome.happen(self, state);
    }

    /// An outcome drawn by weight.
    #[inline]
    fn sample_outcome<R: Rng + ?Sized>(&self, state: &Self::State, rng: &mut R) -> Self::Outcome {
        Self::Outcome::sample(self, state, rng)
    }

    /// `outcome` under a symmetry.
    fn map_outcome(&self, symmetry: usize, outcome: Self::Outcome) -> Self::Outcome {
        outcome.map(self, symmetry)
    }
}

/// What chance chooses in the game `G`: the outcomes there are, how likely they are, and what they do.
pub trait Chance<G: Game>: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Whether chance ever acts.
    const ACTS: bool = true;

    /// Appends every outcome of positive weight, each once, with its integer weight. The phase is [`Phase::Chance`].
    fn list(game: &G, state: &G::State, outcomes: &mut Vec<(Self, u64)>);

    /// Carries out the outcome, whose weight is positive.
    fn happen(self, game: &G, state: &mut G::State);

    /// An outcome drawn by weight. Override it where an outcome can be drawn without listing all.
    fn sample<R: Rng + ?Sized>(game: &G, state: &G::State, rng: &mut R) -> Self {
        let mut outcomes = Vec::new();
        Self::list(game, state, &mut outcomes);
        outcomes[random::weighted(rng, outcomes.iter().map(|&(_, weight)| weight))].0
    }

    /// The outcome under a symmetry of the game.
    fn map(self, _game: &G, _symmetry: usize) -> Self {
        self
    }
}

/// The outcome of games without chance: there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Never {}

impl<G: Game> Chance<G> for Never {
    const ACTS: bool = false;

    fn list(_game: &G, _state: &G::State, _outcomes: &mut Vec<(Never, u64)>) {}

    fn happen(self, _game: &G, _state: &mut G::State) {
        match self {}
    }
}

/// What makes a ply: an action of a seat, or an outcome of chance.
#[derive(Debug)]
pub enum Choice<G: Game> {
    /// A seat chose this.
    Action(Seat, G::Action),
    /// Chance chose this.
    Outcome(G::Outcome),
}

// Derived, these would ask for the same of G.
impl<G: Game> Clone for Choice<G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for Choice<G> {}
impl<G: Game> PartialEq for Choice<G> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Choice::Action(seat, action), Choice::Action(by, other)) => seat == by && action == other,
            (Choice::Outcome(outcome), Choice::Outcome(other)) => outcome == other,
            _ => false,
        }
    }
}
impl<G: Game> Eq for Choice<G> {}

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

/// What agents need to know about a game to tell whether they support it.
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
    /// Whether the outcome depends on how a position was reached: on path rules or a cap. A game's own facts
    /// say `false`; those of [`crate::path::PathGame`] count.
    pub path_dependent: bool,
    /// What the payoffs of all seats add up to, where that is always the same.
    pub payoff_sum: Option<f64>,
    /// The least and the greatest payoff a seat can get, where the rules bound them tightly enough to be useful.
    pub payoff_range: Option<(f64, f64)>,
    /// Whether play can end with the same for all seats, other than at a cap.
    pub draws: bool,
}

impl Facts {
    /// A game of two seats without chance or secrets, won (+1) or lost (−1).
    pub const TWO_SEATS: Facts = Facts {
        n_seats: 2,
        chance: false,
        hidden: false,
        simultaneous: false,
        path_dependent: false,
        payoff_sum: Some(0.0),
        payoff_range: Some((-1.0, 1.0)),
        draws: false,
    };

    /// As [`Facts::TWO_SEATS`], but play can also end drawn (0).
    pub const TWO_SEATS_AND_DRAWS: Facts = Facts { draws: true, ..Facts::TWO_SEATS };

    /// Whether it matters to anybody which of several actions a seat chooses that pay it the same. With one seat it does not, nor
    /// with two whose payoffs have a constant sum.
    pub fn ties_matter(&self) -> bool {
        self.n_seats > 2 || self.n_seats == 2 && self.payoff_sum.is_none()
    }

    /// A payoff to a seat beyond which it has nothing to look for, and with which the payoffs of all others are known, however
    /// equal choices are made; `None` where there is none.
    pub fn settling_payoff(&self) -> Option<f64> {
        let (low, high) = self.payoff_range?;
        let leaves_the_least = || self.payoff_sum == Some(high + low * (self.n_seats - 1) as f64);
        (!self.ties_matter() || leaves_the_least()).then_some(high)
    }

    /// The class of a game with these facts.
    pub fn class(&self) -> Class {
        let adversarial = self.n_seats == 2 && self.payoff_sum.is_some() && self.payoff_range.is_some();
        match () {
            () if self.hidden || self.simultaneous => Class::ImperfectInformation,
            () if adversarial && !self.chance => Class::Adversarial,
            () => Class::PerfectInformation,
        }
    }
}

/// What decides which searches and solvers fit a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Two seats against each other, nothing hidden, no chance, and bounded payoffs of a constant sum.
    Adversarial,
    /// All else without secrets, in which one seat acts at a time.
    PerfectInformation,
    /// Something is hidden, or several seats act at the same time.
    ImperfectInformation,
}

/// A set of classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes(u8);

impl Classes {
    /// Games of [`Class::Adversarial`] only.
    pub const ADVERSARIAL: Classes = Classes(1 << Class::Adversarial as u8);
    /// Games of [`Class::PerfectInformation`] only.
    pub const PERFECT_INFORMATION: Classes = Classes(1 << Class::PerfectInformation as u8);
    /// Games of [`Class::ImperfectInformation`] only.
    pub const IMPERFECT_INFORMATION: Classes = Classes(1 << Class::ImperfectInformation as u8);
    /// Games without secrets.
    pub const NO_SECRETS: Classes = Classes::ADVERSARIAL.and(Classes::PERFECT_INFORMATION);
    /// Games of any class.
    pub const ALL: Classes = Classes::NO_SECRETS.and(Classes::IMPERFECT_INFORMATION);

    /// The classes of both sets.
    #[must_use]
    pub const fn and(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }

    /// Whether the class is one of these.
    pub const fn has(self, class: Class) -> bool {
        self.0 & 1 << class as u8 != 0
    }

    /// Whether the two sets have a class in common.
    pub const fn meets(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }
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

/// As a list, whole numbers without a fraction.
impl serde::Serialize for Payoffs {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |&x: &f64| {
            let whole = x.fract() == 0.0 && x.abs() < 1e15;
            if whole {
                serde_json::Number::from(x as i64)
            } else {
                serde_json::Number::from_f64(x).expect("payoffs are finite")
            }
        };
        serializer.collect_seq(self.0.iter().map(number))
    }
}

impl std::ops::Index<Seat> for Payoffs {
    type Output = f64;

    #[inline]
    fn index(&self, seat: Seat) -> &f64 {
        &self.0[seat]
    }
}
