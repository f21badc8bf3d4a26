//! State, legal actions, apply, payoffs.

use raichi_core::bits;
use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::{PathLimits, PathRules, Repetitions};
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use crate::{array, square};

use super::board::{BOARD, Cell, Cells, DIRECTIONS, N_MOVES, REACH, START, bit, distance, each, map_cell, step};
use super::pile::{Pile, TALLEST};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Focus {
    pub(super) rule: Rule,
}

/// What is done about the draw that the second player has by playing symmetrically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Nothing.
    None,
    /// Seat 0 wins every draw.
    DrawWins,
    /// Before the first move each seat has one of its pieces change places with an enemy one.
    Exchange,
}

/// What a seat does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Takes as many pieces from the top of a pile as the cells are apart.
    Move {
        /// Where the pile stands.
        from: Cell,
        /// Where the pieces go.
        to: Cell,
    },
    /// Puts a piece from the reserve on a cell.
    Reserve {
        /// The cell.
        to: Cell,
    },
    /// Two pieces change places before the first move.
    Exchange {
        /// Where the own piece stands.
        own: Cell,
        /// Where the enemy piece stands.
        foe: Cell,
    },
}

/// Where half a turn of the board takes a cell.
const fn half_turn(at: Cell) -> Cell {
    63 - at
}

impl Action {
    /// The same action after half a turn of the board.
    #[must_use]
    pub fn half_turned(self) -> Action {
        match self {
            Action::Move { from, to } => Action::Move { from: half_turn(from), to: half_turn(to) },
            Action::Reserve { to } => Action::Reserve { to: half_turn(to) },
            Action::Exchange { own, foe } => Action::Exchange { own: half_turn(own), foe: half_turn(foe) },
        }
    }
}

/// Quiet plies in a row after which the game is drawn.
pub(super) const MOST_QUIET_PLIES: u32 = 100;

/// What stands where, and who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// By cell; off the board there is no piece.
    #[serde(with = "array")]
    pub(super) piles: [Pile; 64],
    /// By seat: its pieces beside the board.
    pub(super) reserves: [u8; 2],
    pub(super) to_act: u8,
    /// How many exchanges have still to be chosen.
    pub(super) exchanges_left: u8,
    /// Kept along: the pieces on the board and in reserve, all that are not captured.
    n_pieces: u16,
    /// Kept along: the piles of each seat.
    pub(super) owned: [Cells; 2],
    /// Kept along: a hash of piles and reserves.
    hash: u64,
}

// One factor for each cell, each reserve, the seat to act and the exchanges left: the hash is the sum of the piles' bytes
// and the reserves, each times its factor, so that one product follows a change.
const FACTORS: [u64; 68] = {
    let mut factors = [0; 68];
    let mut i = 0;
    while i < 68 {
        factors[i] = random::mix(i as u64) | 1;
        i += 1;
    }
    factors
};

impl State {
    /// These piles and reserves.
    pub(super) fn new(piles: [Pile; 64], reserves: [u8; 2], to_act: u8, exchanges_left: u8) -> State {
        let mut state = State {
            piles: [Pile::EMPTY; 64],
            reserves: [0; 2],
            to_act,
            exchanges_left,
            n_pieces: 0,
            owned: [0; 2],
            hash: 0,
        };
        for at in each(BOARD) {
            state.set_pile(at, piles[usize::from(at)]);
        }
        for seat in 0..2 {
            state.set_reserves(seat, reserves[seat]);
        }
        state.n_pieces = state.n_pieces_of(0) + state.n_pieces_of(1);
        state
    }

    /// What stands on a cell.
    #[inline]
    pub fn pile(&self, at: Cell) -> Pile {
        self.piles[usize::from(at)]
    }

    #[inline]
    fn set_pile(&mut self, at: Cell, pile: Pile) {
        let before = std::mem::replace(&mut self.piles[usize::from(at)], pile);
        self.hash_change(at.into(), before.byte(), pile.byte());
        for seat in 0..2 {
            let owns = pile.owner() == Some(seat);
            self.owned[seat] = self.owned[seat] & !bit(at) | Cells::from(owns) << at;
        }
    }

    #[inline]
    fn set_reserves(&mut self, seat: Seat, n: u8) {
        let before = std::mem::replace(&mut self.reserves[seat], n);
        self.hash_change(64 + seat, before, n);
    }

    #[inline]
    fn hash_change(&mut self, factor: usize, before: u8, after: u8) {
        let change = u64::from(after).wrapping_sub(before.into());
        self.hash = self.hash.wrapping_add(change.wrapping_mul(FACTORS[factor]));
    }

    /// Puts pieces on a cell; returns what leaves the board there.
    #[inline]
    fn put(&mut self, to: Cell, pieces: Pile) -> Pile {
        let (pile, surplus) = self.pile(to).put(pieces);
        self.set_pile(to, pile);
        surplus
    }

    /// The cells with a pile of this seat's; cell (column, row), both from 0 at a1, is bit `row * 8 + column`.
    #[inline]
    pub fn owned(&self, seat: Seat) -> Cells {
        self.owned[seat]
    }

    /// How many pieces stand on a cell.
    #[inline]
    pub fn height(&self, at: Cell) -> u8 {
        self.pile(at).height()
    }

    /// How many of them are this seat's.
    #[inline]
    pub fn count_on(&self, at: Cell, seat: Seat) -> u8 {
        self.pile(at).count(seat)
    }

    /// The pieces a seat has beside the board.
    #[inline]
    pub fn reserve(&self, seat: Seat) -> u8 {
        self.reserves[seat]
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }

    /// How many exchanges have still to be chosen.
    #[inline]
    pub fn exchanges_left(&self) -> u8 {
        self.exchanges_left
    }

    /// How many moves a seat's pile has.
    #[inline]
    pub fn n_moves(&self, from: Cell) -> usize {
        N_MOVES[usize::from(from)][usize::from(self.pile(from).height())].into()
    }

    /// The hash of all that decides.
    #[inline]
    fn full_hash(&self) -> u64 {
        let seat = u64::from(self.to_act).wrapping_mul(FACTORS[66]);
        let exchanges = u64::from(self.exchanges_left).wrapping_mul(FACTORS[67]);
        self.hash.wrapping_add(seat).wrapping_add(exchanges)
    }

    /// Whether the seat to act has neither a pile nor a reserve.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        let seat = usize::from(self.to_act);
        self.owned[seat] == 0 && self.reserves[seat] == 0
    }

    /// Whether half a turn of the board exchanges the colours exactly, and both seats have the same reserve.
    pub fn is_balanced(&self) -> bool {
        let is_image = |at: Cell| self.pile(half_turn(at)) == self.pile(at).with_colours_exchanged();
        self.reserves[0] == self.reserves[1] && each(BOARD).all(is_image)
    }

    /// How many pieces a seat has on the board and in reserve.
    pub fn n_pieces_of(&self, seat: Seat) -> u16 {
        u16::from(self.reserves[seat]) + self.piles.iter().map(|pile| u16::from(pile.count(seat))).sum::<u16>()
    }

    /// Whether the exchange would leave a position that half a turn changes into itself with the colours exchanged.
    #[inline]
    pub(super) fn restores_symmetry(&self, own: Cell, foe: Cell) -> bool {
        let [first, second] = self.owned.map(|cells| cells ^ bit(own) ^ bit(foe));
        first.reverse_bits() == second
    }

    #[inline]
    fn may_exchange(&self, seat: Seat, own: Cell, foe: Cell) -> bool {
        self.owned[seat] & bit(own) != 0
            && self.owned[1 - seat] & bit(foe) != 0
            && (seat == 0 || !self.restores_symmetry(own, foe))
    }

    fn exchanges(&self, seat: Seat) -> impl Iterator<Item = Action> {
        let pairs = each(self.owned[seat]).flat_map(move |own| each(self.owned[1 - seat]).map(move |foe| (own, foe)));
        let allowed = pairs.filter(move |&(own, foe)| self.may_exchange(seat, own, foe));
        allowed.map(|(own, foe)| Action::Exchange { own, foe })
    }
}

impl Focus {
    /// What is done about symmetric play.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The game with one of the remedies against symmetric play, or none.
    pub fn new(rule: Rule) -> Focus {
        Focus { rule }
    }

    /// These piles on the board and nothing else, by cell, with these reserves; nothing is left to exchange.
    pub fn set_up(&self, piles: [Pile; 64], reserves: [u8; 2], to_act: Seat) -> State {
        State::new(piles, reserves, to_act as u8, 0)
    }
}

impl Game for Focus {
    type State = State;
    type Action = Action;
    type Outcome = Never;
    type PathMemory = Repetitions;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts { draws: self.rule != Rule::DrawWins, ..Facts::TWO_SEATS }
    }

    fn initial_state(&self) -> State {
        let mut piles = [Pile::EMPTY; 64];
        for (seat, cells) in START.into_iter().enumerate() {
            each(cells).for_each(|at| piles[usize::from(at)] = Pile::single(seat));
        }
        let exchanges_left = if self.rule == Rule::Exchange { 2 } else { 0 };
        State::new(piles, [0; 2], 0, exchanges_left)
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.is_stuck() { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        if state.exchanges_left > 0 {
            return actions.extend(state.exchanges(seat));
        }
        for from in each(state.owned[seat]) {
            for (direction, &reach) in REACH[usize::from(from)].iter().enumerate() {
                let farthest = reach.min(state.pile(from).height());
                actions.extend((1..=farthest).map(|n| Action::Move { from, to: step(from, direction, n) }));
            }
        }
        if state.reserves[seat] > 0 {
            actions.extend(each(BOARD).map(|to| Action::Reserve { to }));
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        // 1. Move, put or exchange.
        let surplus = match action {
            Action::Move { from, to } => {
                let n = distance(from, to).expect("moves go along a row or a column");
                let (rest, pieces) = state.pile(from).take(n);
                state.set_pile(from, rest);
                state.put(to, pieces)
            }
            Action::Reserve { to } => {
                state.set_reserves(seat, state.reserves[seat] - 1);
                state.put(to, Pile::single(seat))
            }
            Action::Exchange { own, foe } => {
                let (mine, theirs) = (state.pile(own), state.pile(foe));
                state.set_pile(own, theirs);
                state.set_pile(foe, mine);
                state.exchanges_left -= 1;
                Pile::EMPTY
            }
        };
        // 2. What is above five leaves the board.
        if surplus != Pile::EMPTY {
            state.set_reserves(seat, state.reserves[seat] + surplus.count(seat));
            state.n_pieces -= u16::from(surplus.count(1 - seat));
        }
        // 3. Hand over.
        state.to_act ^= 1;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        if state.is_stuck() {
            Payoffs::win(1 - Seat::from(state.to_act))
        } else if self.rule == Rule::DrawWins {
            Payoffs::win(0)
        } else {
            Payoffs::zero(2)
        }
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "stuck"
    }

    #[inline]
    fn count_actions(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        if state.exchanges_left > 0 {
            return state.exchanges(seat).count();
        }
        let n_moves: usize = each(state.owned[seat]).map(|from| state.n_moves(from)).sum();
        n_moves + if state.reserves[seat] > 0 { BOARD.count_ones() as usize } else { 0 }
    }

    #[inline]
    fn random_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        seat: Seat,
        scratch: &mut Vec<Action>,
        rng: &mut R,
    ) -> Action {
        let mut nth = random::index(rng, self.count_actions(state, seat, scratch));
        if state.exchanges_left > 0 {
            return state.exchanges(seat).nth(nth).expect("the draw is below the count");
        }
        for from in each(state.owned[seat]) {
            let n_moves = state.n_moves(from);
            if nth < n_moves {
                return nth_move(from, state.pile(from).height(), nth as u8);
            }
            nth -= n_moves;
        }
        Action::Reserve { to: bits::nth_one(BOARD, nth as u32) as Cell }
    }

    fn is_legal(&self, state: &State, seat: Seat, action: Action) -> bool {
        let exchanging = state.exchanges_left > 0;
        match action {
            Action::Move { from, to } => {
                let height = state.pile(from).height();
                !exchanging
                    && state.owned[seat] & bit(from) != 0
                    && BOARD & bit(to) != 0
                    && distance(from, to).is_some_and(|n| n <= height)
            }
            Action::Reserve { to } => !exchanging && state.reserves[seat] > 0 && BOARD & bit(to) != 0,
            Action::Exchange { own, foe } => exchanging && state.may_exchange(seat, own, foe),
        }
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        random::mix(state.full_hash())
    }

    fn recomputed(&self, state: &State) -> State {
        State::new(state.piles, state.reserves, state.to_act, state.exchanges_left)
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let mut piles = state.piles;
        for at in each(BOARD) {
            piles[usize::from(map_cell(symmetry, at))] = state.pile(at);
        }
        State::new(piles, state.reserves, state.to_act, state.exchanges_left)
    }

    fn map_action(&self, symmetry: usize, action: Action) -> Action {
        let map = |at| map_cell(symmetry, at);
        match action {
            Action::Move { from, to } => Action::Move { from: map(from), to: map(to) },
            Action::Reserve { to } => Action::Reserve { to: map(to) },
            Action::Exchange { own, foe } => Action::Exchange { own: map(own), foe: map(foe) },
        }
    }
}

/// One of a pile's moves, which are numbered direction by direction, the shortest first.
#[inline]
pub(super) fn nth_move(from: Cell, height: u8, mut nth: u8) -> Action {
    let mut direction = 0;
    loop {
        let farthest = REACH[usize::from(from)][direction].min(height);
        if nth < farthest || direction + 1 == DIRECTIONS.len() {
            return Action::Move { from, to: step(from, direction, nth + 1) };
        }
        nth -= farthest;
        direction += 1;
    }
}

impl PathRules for Focus {
    #[inline]
    fn path_limits(&self) -> PathLimits {
        PathLimits { quiet_plies: Some(MOST_QUIET_PLIES), ..PathLimits::THIRD_OCCURRENCE }
    }

    #[inline]
    fn repetition_key(&self, state: &State) -> u64 {
        state.full_hash()
    }

    // Captures and exchanges cannot be undone.
    #[inline]
    fn stage(&self, state: &State) -> u64 {
        u64::from(state.n_pieces) << 2 | u64::from(state.exchanges_left)
    }

    // Whether no piece leaves the board and none comes from a reserve; exchanges are not counted.
    #[inline]
    fn is_quiet(&self, state: &State, _seat: Seat, action: Action) -> bool {
        let Action::Move { from, to } = action else { return false };
        distance(from, to).is_some_and(|n| state.pile(to).height() + n <= TALLEST)
    }
}

impl Information for Focus {}
