//! State, legal actions, apply, payoffs.

use raichi_core::bits;
use raichi_core::game::{Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;

use crate::square;

use super::board::{BOARD, Cell, Cells, DIRECTIONS, N_MOVES, REACH, START, bit, distance, each, map_cell, step};
use super::pile::Pile;

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
    /// Has two pieces change places before the first move.
    Exchange {
        /// Where the own piece stands.
        own: Cell,
        /// Where the enemy piece stands.
        foe: Cell,
    },
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The seat to act has neither a pile nor a reserve.
    Stuck,
    /// The position came for the third time.
    Repetition,
    /// No piece left the board and none came from a reserve for too long.
    NoProgress,
}

/// Plies without progress after which the game is drawn.
pub(super) const MOST_QUIET_PLIES: u8 = 100;

/// What stands where, and who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Position {
    /// By cell; off the board there is no piece.
    pub(super) piles: [Pile; 64],
    /// By seat: its pieces beside the board.
    pub(super) reserves: [u8; 2],
    /// By seat: the enemy's pieces it has captured.
    pub(super) captured: [u8; 2],
    pub(super) to_act: u8,
    /// How many exchanges have still to be chosen.
    pub(super) exchanges_left: u8,
}

/// The position, and what the repetition rule remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) position: Position,
    /// Kept along: the piles of each seat.
    pub(super) owned: [Cells; 2],
    /// Kept along: a hash of piles and reserves.
    hash: u64,
    /// Plies since a piece left the board or came from a reserve.
    pub(super) n_quiet: u8,
    /// How often this position has occurred, this time included.
    pub(super) occurrences: u8,
    pub(super) end: Option<End>,
    /// The position after the last capture, and the plies since then.
    origin: Position,
    past: Vec<Past>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Past {
    /// Of the position before the ply.
    hash: u64,
    action: Action,
}

// One factor a cell and one a reserve: the hash is the sum of the piles' bytes and the reserves, each times its factor,
// so that it follows a change by one product.
const FACTORS: [u64; 66] = {
    let mut factors = [0; 66];
    let mut i = 0;
    while i < 66 {
        factors[i] = random::mix(i as u64) | 1;
        i += 1;
    }
    factors
};

impl State {
    /// A position that comes for the first time, nothing before it.
    pub(super) fn new(position: Position) -> State {
        let mut state = State {
            position: Position { piles: [Pile::EMPTY; 64], reserves: [0; 2], ..position },
            owned: [0; 2],
            hash: 0,
            n_quiet: 0,
            occurrences: 1,
            end: None,
            origin: position,
            past: Vec::new(),
        };
        for at in each(BOARD) {
            state.set_pile(at, position.piles[usize::from(at)]);
        }
        for seat in 0..2 {
            state.set_reserves(seat, position.reserves[seat]);
        }
        state.end = state.find_end();
        state
    }

    #[inline]
    pub(super) fn pile(&self, at: Cell) -> Pile {
        self.position.piles[usize::from(at)]
    }

    #[inline]
    fn set_pile(&mut self, at: Cell, pile: Pile) {
        let before = std::mem::replace(&mut self.position.piles[usize::from(at)], pile);
        self.hash_change(at.into(), before.byte(), pile.byte());
        for seat in 0..2 {
            let owns = pile.owner() == Some(seat);
            self.owned[seat] = self.owned[seat] & !bit(at) | Cells::from(owns) << at;
        }
    }

    #[inline]
    fn set_reserves(&mut self, seat: Seat, n: u8) {
        let before = std::mem::replace(&mut self.position.reserves[seat], n);
        self.hash_change(64 + seat, before, n);
    }

    #[inline]
    fn hash_change(&mut self, factor: usize, before: u8, after: u8) {
        let change = u64::from(after).wrapping_sub(before.into());
        self.hash = self.hash.wrapping_add(change.wrapping_mul(FACTORS[factor]));
    }

    /// Puts pieces on a cell; the answer is what leaves the board there.
    #[inline]
    fn put(&mut self, to: Cell, pieces: Pile) -> Pile {
        let (pile, surplus) = self.pile(to).put(pieces);
        self.set_pile(to, pile);
        surplus
    }

    /// How many moves a seat's pile has.
    #[inline]
    fn n_moves(&self, from: Cell) -> usize {
        N_MOVES[usize::from(from)][usize::from(self.pile(from).height())].into()
    }

    /// How often this position has occurred since the last capture; before that it cannot have.
    #[inline]
    fn count_occurrences(&self) -> u8 {
        // Every other ply the same seat was to act.
        let alike = self.past.rchunks_exact(2).filter(|plies| plies[0].hash == self.hash);
        1 + alike.count() as u8
    }

    // The first that holds, in the order of the rules.
    #[inline]
    fn find_end(&self) -> Option<End> {
        let seat = usize::from(self.position.to_act);
        if self.owned[seat] == 0 && self.position.reserves[seat] == 0 {
            Some(End::Stuck)
        } else if self.occurrences >= 3 {
            Some(End::Repetition)
        } else if self.n_quiet >= MOST_QUIET_PLIES {
            Some(End::NoProgress)
        } else {
            None
        }
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
    /// The game with one of the remedies against symmetric play, or none.
    pub fn new(rule: Rule) -> Focus {
        Focus { rule }
    }

    /// The state that a position and plies lead to.
    fn replay(&self, origin: Position, actions: impl Iterator<Item = Action>) -> State {
        let mut state = State::new(origin);
        for action in actions {
            let seat = state.position.to_act.into();
            self.apply(&mut state, seat, action);
        }
        state
    }
}

impl Game for Focus {
    type State = State;
    type Action = Action;
    type Outcome = Never;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        let mut piles = [Pile::EMPTY; 64];
        for (seat, cells) in START.into_iter().enumerate() {
            each(cells).for_each(|at| piles[usize::from(at)] = Pile::single(seat));
        }
        let exchanges_left = if self.rule == Rule::Exchange { 2 } else { 0 };
        State::new(Position { piles, reserves: [0; 2], captured: [0; 2], to_act: 0, exchanges_left })
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(state.position.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, seat: Seat, actions: &mut Vec<Action>) {
        if state.position.exchanges_left > 0 {
            return actions.extend(state.exchanges(seat));
        }
        for from in each(state.owned[seat]) {
            for (direction, &reach) in REACH[usize::from(from)].iter().enumerate() {
                let farthest = reach.min(state.pile(from).height());
                actions.extend((1..=farthest).map(|n| Action::Move { from, to: step(from, direction, n) }));
            }
        }
        if state.position.reserves[seat] > 0 {
            actions.extend(each(BOARD).map(|to| Action::Reserve { to }));
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: Action) {
        debug_assert!(self.is_legal(state, seat, action), "{action:?} is not legal");
        state.past.push(Past { hash: state.hash, action });
        // 1. Move, put or exchange.
        let surplus = match action {
            Action::Move { from, to } => {
                let n = distance(from, to).expect("moves go along a row or a column");
                let (rest, pieces) = state.pile(from).take(n);
                state.set_pile(from, rest);
                state.put(to, pieces)
            }
            Action::Reserve { to } => {
                state.set_reserves(seat, state.position.reserves[seat] - 1);
                state.put(to, Pile::single(seat))
            }
            Action::Exchange { own, foe } => {
                let (mine, theirs) = (state.pile(own), state.pile(foe));
                state.set_pile(own, theirs);
                state.set_pile(foe, mine);
                state.position.exchanges_left -= 1;
                Pile::EMPTY
            }
        };
        // 2. What is above five leaves the board.
        let n_captured = surplus.count(1 - seat);
        if surplus != Pile::EMPTY {
            state.set_reserves(seat, state.position.reserves[seat] + surplus.count(seat));
            state.position.captured[seat] += n_captured;
        }
        let quiet = matches!(action, Action::Move { .. }) && surplus == Pile::EMPTY;
        state.n_quiet = if quiet { state.n_quiet + 1 } else { 0 };
        // 3. Hand over, and forget what cannot come again.
        state.position.to_act ^= 1;
        if n_captured > 0 || matches!(action, Action::Exchange { .. }) {
            state.origin = state.position;
            state.past.clear();
        }
        // 4. See whether it is over.
        state.occurrences = state.count_occurrences();
        state.end = state.find_end();
    }

    fn outcomes(&self, _state: &State, _outcomes: &mut Vec<(Never, u64)>) {}

    fn apply_outcome(&self, _state: &mut State, outcome: Never) {
        match outcome {}
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        match state.end {
            Some(End::Stuck) => Payoffs::win(1 - Seat::from(state.position.to_act)),
            _ if self.rule == Rule::DrawWins => Payoffs::win(0),
            _ => Payoffs::zero(2),
        }
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::Stuck) => "stuck",
            Some(End::NoProgress) => "no-progress",
            Some(End::Repetition) | None => "repetition",
        }
    }

    #[inline]
    fn count_actions(&self, state: &State, seat: Seat, _scratch: &mut Vec<Action>) -> usize {
        if state.position.exchanges_left > 0 {
            return state.exchanges(seat).count();
        }
        let n_moves: usize = each(state.owned[seat]).map(|from| state.n_moves(from)).sum();
        n_moves + if state.position.reserves[seat] > 0 { BOARD.count_ones() as usize } else { 0 }
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
        if state.position.exchanges_left > 0 {
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
        let exchanging = state.position.exchanges_left > 0;
        match action {
            Action::Move { from, to } => {
                let height = state.pile(from).height();
                !exchanging
                    && state.owned[seat] & bit(from) != 0
                    && BOARD & bit(to) != 0
                    && distance(from, to).is_some_and(|n| n <= height)
            }
            Action::Reserve { to } => !exchanging && state.position.reserves[seat] > 0 && BOARD & bit(to) != 0,
            Action::Exchange { own, foe } => exchanging && state.may_exchange(seat, own, foe),
        }
    }

    /// The position and how often it has occurred; by which way it was reached, and how long nothing has left the
    /// board, is left out, so that a search may share what it found among ways.
    fn key(&self, state: &State) -> u64 {
        let position = &state.position;
        let rest = [position.to_act, position.exchanges_left, state.occurrences, 0, 0, 0, 0, 0];
        random::mix(state.hash ^ random::mix(u64::from_le_bytes(rest)))
    }

    fn recomputed(&self, state: &State) -> State {
        self.replay(state.origin, state.past.iter().map(|ply| ply.action))
    }

    fn n_symmetries(&self) -> usize {
        square::N_SYMMETRIES
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let mut origin = state.origin;
        for at in each(BOARD) {
            origin.piles[usize::from(map_cell(symmetry, at))] = state.origin.piles[usize::from(at)];
        }
        self.replay(origin, state.past.iter().map(|ply| self.map_action(symmetry, ply.action)))
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

// A pile's moves are numbered direction by direction, the shortest first.
#[inline]
fn nth_move(from: Cell, height: u8, mut nth: u8) -> Action {
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

impl Information for Focus {}
