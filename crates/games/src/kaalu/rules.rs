//! State, apply, payoffs. What is legal is in `moves.rs`.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::{PathLimits, PathRules, Repetitions};
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::pile::{NEUTRAL, Pile, Portion};

pub(super) const N_PILES: usize = 7;

/// Piles under one primacy that decide the game.
pub(super) const MAJORITY: u8 = 4;

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Kaalu;

/// What a seat does. Piles are numbered in the order of their letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Puts a stone from its stock on a pile.
    Place {
        /// The pile.
        pile: u8,
    },
    /// Moves stones from one pile to another.
    Move {
        /// The pile they leave.
        from: u8,
        /// The pile they come to.
        to: u8,
        /// Stones of the mover's colour.
        own: u8,
        /// Neutral stones.
        neutral: u8,
    },
    /// Does nothing, where nothing else is legal.
    Pass,
}

impl Action {
    /// The move by which the other seat would undo this exactly.
    #[inline]
    fn reversal(self) -> Option<Action> {
        match self {
            Action::Move { from, to, own: 0, neutral } => Some(Action::Move { from: to, to: from, own: 0, neutral }),
            _ => None,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// Four piles are under the primacy of this seat's colour.
    Primacy(u8),
    /// Neither seat could act.
    Stuck,
}

/// Where the stones lie, whose turn it is, and what of the preceding plies bears on the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// In the order of their letters; those without one come last.
    pub(super) piles: [Pile; N_PILES],
    /// How many have a letter.
    pub(super) n_named: u8,
    pub(super) stocks: [u8; 2],
    pub(super) to_act: u8,
    /// The move that would undo the preceding action; none where the game is over.
    pub(super) barred: Option<Action>,
    /// In a row, up to now.
    pub(super) n_passes: u8,
    /// Kept along: how many piles each seat's colour rules.
    pub(super) primacies: [u8; 2],
    /// Kept along: the hash of the multiset of piles.
    hash: u64,
    /// Kept along.
    pub(super) end: Option<End>,
}

impl State {
    /// These piles and stocks, the preceding ply neither a pass nor one that could be undone.
    pub(super) fn new(piles: [Pile; N_PILES], n_named: u8, stocks: [u8; 2], to_act: u8) -> State {
        let rules = |seat| piles.iter().filter(|pile| pile.primacy() == seat).count() as u8;
        let mut state = State {
            piles,
            n_named,
            stocks,
            to_act,
            barred: None,
            n_passes: 0,
            primacies: [rules(0), rules(1)],
            hash: piles.iter().fold(0, |hash, pile| hash.wrapping_add(pile.hash())),
            end: None,
        };
        state.end = state.find_end();
        state
    }

    /// The black, white and neutral stones of each pile.
    #[inline]
    pub fn piles(&self) -> [[u8; 3]; N_PILES] {
        self.piles.map(|pile| pile.0)
    }

    /// How many piles each seat's colour rules.
    #[inline]
    pub fn primacies(&self) -> [u8; 2] {
        self.primacies
    }

    /// How many stones each seat has in stock.
    #[inline]
    pub fn stocks(&self) -> [u8; 2] {
        self.stocks
    }

    /// The seat to act.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.to_act.into()
    }

    /// The piles that an action may name: those with a letter, and one of the others, which are alike.
    #[inline]
    pub(super) fn nameable(&self) -> &[Pile] {
        &self.piles[..N_PILES.min(usize::from(self.n_named) + 1)]
    }

    /// The piles that may have stones to spare: an untouched one has none.
    #[inline]
    pub(super) fn named(&self) -> &[Pile] {
        &self.piles[..usize::from(self.n_named)]
    }

    #[inline]
    fn carry_out(&mut self, action: Action) {
        let seat = self.seat();
        match action {
            Action::Place { pile } => {
                self.stocks[seat] -= 1;
                self.set_pile(pile, self.piles[usize::from(pile)].plus(seat, Portion::ONE));
            }
            Action::Move { from, to, own, neutral } => {
                let portion = Portion { own, neutral };
                self.set_pile(from, self.piles[usize::from(from)].minus(seat, portion));
                self.set_pile(to, self.piles[usize::from(to)].plus(seat, portion));
            }
            Action::Pass => {}
        }
    }

    #[inline]
    fn set_pile(&mut self, pile: u8, after: Pile) {
        let before = std::mem::replace(&mut self.piles[usize::from(pile)], after);
        self.hash = self.hash.wrapping_sub(before.hash()).wrapping_add(after.hash());
        if before.primacy() != NEUTRAL {
            self.primacies[before.primacy()] -= 1;
        }
        if after.primacy() != NEUTRAL {
            self.primacies[after.primacy()] += 1;
        }
        self.n_named = self.n_named.max(pile + 1);
    }

    /// The seat that has won once the seat to act has done this, which is legal.
    pub fn winner_after(&self, action: Action) -> Option<Seat> {
        let mut after = *self;
        after.carry_out(action);
        after.winner()
    }

    #[inline]
    pub(super) fn winner(&self) -> Option<Seat> {
        (0..2).find(|&seat| self.primacies[seat] >= MAJORITY)
    }

    // The first that holds, in the order of the rules.
    #[inline]
    fn find_end(&self) -> Option<End> {
        if let Some(winner) = self.winner() {
            Some(End::Primacy(winner as u8))
        } else if self.n_passes >= 2 {
            Some(End::Stuck)
        } else {
            None
        }
    }
}

impl Game for Kaalu {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = Repetitions;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS_AND_DRAWS
    }

    fn initial_state(&self) -> State {
        State::new([Pile::UNTOUCHED; N_PILES], 0, [7; 2], 0)
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(state.seat()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        let n_before = actions.len();
        state.list(actions);
        if actions.len() == n_before {
            actions.push(Action::Pass);
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        state.carry_out(action);
        state.n_passes = if action == Action::Pass { state.n_passes + 1 } else { 0 };
        state.to_act = 1 - seat as u8;
        state.end = state.find_end();
        state.barred = if state.end.is_some() { None } else { action.reversal() };
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        match state.end {
            Some(End::Primacy(winner)) => Payoffs::win(winner.into()),
            _ => Payoffs::zero(2),
        }
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::Primacy(_)) => "primacy",
            Some(End::Stuck) | None => "stuck",
        }
    }

    // Where nothing else is legal there is the pass.
    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        (state.n_places() + state.n_moves()).max(1)
    }

    // In a whole program it has many callers, and was called rather than inlined in the playout loop.
    #[inline(always)]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        seat: Seat,
        scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        state.draw(rng).unwrap_or_else(|| {
            scratch.clear();
            self.legal_actions(state, seat, scratch);
            scratch[random::index(rng, scratch.len())]
        })
    }

    #[inline]
    fn is_legal(&self, state: &State, _seat: Seat, action: Action) -> bool {
        state.fault(action).is_none()
    }

    // Piles count in their order, since actions name them by it.
    fn key(&self, state: &State) -> u64 {
        let packed = |piles: &[Pile]| piles.iter().fold(0, |word, pile| word << 12 | pile.code());
        let barred = match state.barred {
            Some(Action::Move { from, to, neutral, .. }) => {
                1 | u64::from(from << 1 | to << 4) | u64::from(neutral) << 7
            }
            _ => 0,
        };
        let few = [state.n_named, state.stocks[0], state.stocks[1], state.to_act, state.n_passes];
        let few = few.into_iter().fold(barred, |word, few| word << 4 | u64::from(few));
        let (first, rest) = state.piles.split_at(3);
        [packed(first), packed(rest), few].into_iter().fold(0, |key, word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        let again = State::new(state.piles, state.n_named, state.stocks, state.to_act);
        let again = State { barred: state.barred, n_passes: state.n_passes, ..again };
        State { end: again.find_end(), ..again }
    }
}

impl PathRules for Kaalu {
    #[inline]
    fn path_limits(&self) -> PathLimits {
        PathLimits::THIRD_OCCURRENCE
    }

    // The multiset of piles, both stocks and the seat; not the letters.
    #[inline]
    fn repetition_key(&self, state: &State) -> u64 {
        const FACTOR: u64 = random::mix(0) | 1;
        let [black, white] = state.stocks.map(u64::from);
        state.hash.wrapping_add((black << 16 | white << 8 | u64::from(state.to_act)).wrapping_mul(FACTOR))
    }

    // Positions of one key have the same legal actions but for the one that is barred, and what follows an action does not depend on
    // what was barred before it. So to choose among is either all that is legal where nothing is barred, or all but one action;
    // how far the end is then has one of two values at most, whichever seat chooses: that of the best action, or of the second
    // best where the best is barred. Who comes nearer to the end with each ply comes to no more than two such positions.
    #[inline]
    fn visits_in_proofs(&self) -> u8 {
        2
    }

    // A stone from a stock never comes back.
    #[inline]
    fn stage(&self, state: &State) -> u64 {
        let [black, white] = state.stocks.map(u64::from);
        black + white
    }
}

impl Information for Kaalu {}
