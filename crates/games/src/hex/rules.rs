//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::Seat;
use serde::{Deserialize, Serialize};

use super::board::{Cells, N_WORDS, Rhombus, contains, insert, meet};

/// The rules: the board, and whether White may swap.
#[derive(Clone, Debug)]
pub struct Hex {
    pub(super) board: Rhombus,
    pub(super) swap: bool,
}

/// The stones, and what of them is joined to a rim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) stones: [Cells; 2],
    /// Kept along: Black's stones joined to the top rim, White's joined to the left rim.
    reach: [Cells; 2],
    /// Kept along.
    n_stones: u16,
    pub(super) to_act: u8,
    /// Kept along: whether the seat that is not to act has joined its rims.
    won: bool,
}

impl State {
    /// The stones of a seat, a bit a cell; see [`Hex::size`].
    #[inline]
    pub fn stones(&self, seat: Seat) -> &Cells {
        &self.stones[seat]
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }
}

// Whether the only stone is black; asked once a game.
#[cold]
fn is_black(state: &State) -> bool {
    state.stones[1] == Cells::default()
}

impl Hex {
    /// The game on a board of this size.
    ///
    /// # Panics
    /// When `size` is not from 2 to 19.
    pub fn new(size: u8, swap: bool) -> Hex {
        assert!((2..=19).contains(&size), "the size is from 2 to 19, not {size}");
        Hex { board: Rhombus::new(size), swap }
    }

    /// Cells along each side. The cell in a row and a column, both from 0 at the top left, is `row * size + column`, and
    /// its neighbours are those at (0, −1), (1, −1), (−1, 0), (1, 0), (−1, 1) and (0, 1) columns and rows from it.
    #[inline]
    pub fn size(&self) -> u8 {
        self.board.size
    }

    /// The action by which White takes over Black's first stone.
    #[inline]
    pub fn swap_action(&self) -> u16 {
        self.board.n_cells()
    }

    /// Whether White may swap at all.
    #[inline]
    pub fn may_be_swapped(&self) -> bool {
        self.swap
    }

    /// White is to act and has no stone, Black has one: in play that is ply 1 only.
    #[inline]
    pub fn may_swap(&self, state: &State) -> bool {
        self.swap && state.n_stones == 1 && state.to_act == 1 && is_black(state)
    }

    /// Whose stone lies on a cell.
    pub(super) fn stone(&self, state: &State, cell: u16) -> Option<Seat> {
        (0..2).find(|&seat| contains(&state.stones[seat], cell))
    }

    #[inline]
    fn is_empty(state: &State, cell: u16) -> bool {
        let word = usize::from(cell / 64);
        (state.stones[0][word] | state.stones[1][word]) >> (cell % 64) & 1 == 0
    }

    fn empty_cells(&self, state: &State) -> impl Iterator<Item = u16> {
        (0..self.board.n_cells()).filter(|&cell| Hex::is_empty(state, cell))
    }

    #[inline]
    fn put(&self, state: &mut State, seat: Seat, cell: u16) {
        insert(&mut state.stones[seat], cell);
        state.n_stones += 1;
        // As many words as the board needs, known when this is compiled.
        match self.board.size {
            0..=8 => self.join_rim::<1>(state, seat, cell),
            9..=11 => self.join_rim::<2>(state, seat, cell),
            12..=16 => self.join_rim::<4>(state, seat, cell),
            _ => self.join_rim::<N_WORDS>(state, seat, cell),
        }
    }

    #[inline]
    fn join_rim<const W: usize>(&self, state: &mut State, seat: Seat, cell: u16) {
        let [rim, goal] = &self.board.rims[seat];
        let reach = &mut state.reach[seat];
        if self.board.is_joined::<W>(rim, reach, cell) {
            self.board.join::<W>(&state.stones[seat], reach, cell);
            state.won = meet::<W>(reach, goal);
        }
    }

    /// Whether a seat has joined its rims.
    pub(super) fn has_joined(&self, state: &State, seat: Seat) -> bool {
        meet::<N_WORDS>(&state.reach[seat], &self.board.rims[seat][1])
    }

    /// The position with these stones.
    pub(super) fn position(&self, stones: [Cells; 2], to_act: Seat) -> State {
        let mut state = self.initial_state();
        for (seat, stones) in stones.iter().enumerate() {
            for cell in (0..self.board.n_cells()).filter(|&cell| contains(stones, cell)) {
                self.put(&mut state, seat, cell);
            }
        }
        let won = (0..2).any(|seat| self.has_joined(&state, seat));
        State { to_act: to_act as u8, won, ..state }
    }

    pub(super) fn swap(&self, state: &mut State) {
        let is_stone = |&cell: &u16| !Hex::is_empty(state, cell);
        let stone = (0..self.board.n_cells()).find(is_stone).expect("Black has put a stone");
        let size = u16::from(self.board.size);
        *state = self.initial_state();
        self.put(state, 1, stone % size * size + stone / size);
    }
}

impl Game for Hex {
    type State = State;
    type Action = u16;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::ADVERSARIAL;

    fn facts(&self) -> Facts {
        Facts::TWO_SEATS
    }

    fn initial_state(&self) -> State {
        let none = [Cells::default(); 2];
        State { stones: none, reach: none, n_stones: 0, to_act: 0, won: false }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.won { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u16>) {
        actions.extend(self.empty_cells(state));
        if self.may_swap(state) {
            actions.push(self.swap_action());
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: u16) {
        debug_assert!(self.is_legal(state, seat, action), "{action} is not legal");
        if action == self.swap_action() {
            return self.swap(state);
        }
        self.put(state, seat, action);
        state.to_act = 1 - seat as u8;
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        if state.won { Payoffs::win(1 - Seat::from(state.to_act)) } else { Payoffs::zero(2) }
    }

    fn end_reason(&self, _state: &State) -> &'static str {
        "connection"
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u16>) -> usize {
        usize::from(self.board.n_cells() - state.n_stones) + usize::from(self.may_swap(state))
    }

    // In a whole program it has many callers, and was called rather than inlined in the playout loop.
    #[inline(always)]
    fn random_action<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u16>, rng: &mut R) -> u16 {
        let n_cells = self.board.n_cells();
        let n_empty = n_cells - state.n_stones;
        // Drawing again is faster than counting to the one drawn while there are enough empty cells.
        if n_empty <= n_cells / 8 {
            let nth = random::index(rng, n_empty.into());
            return self.empty_cells(state).nth(nth).expect("the draw is below the count");
        }
        loop {
            let cell = random::index(rng, n_cells.into()) as u16;
            if Hex::is_empty(state, cell) {
                return cell;
            }
            // One cell is taken then, and it stands for the swap.
            if self.may_swap(state) {
                return self.swap_action();
            }
        }
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: u16) -> bool {
        if action == self.swap_action() {
            return self.may_swap(state);
        }
        action < self.board.n_cells() && Hex::is_empty(state, action)
    }

    // The stones and who acts are the position.
    fn key(&self, state: &State) -> u64 {
        let n_words = usize::from(self.board.n_cells().div_ceil(64));
        let words = state.stones.iter().flat_map(|stones| &stones[..n_words]);
        words.fold(random::mix(state.to_act.into()), |key, &word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        self.position(state.stones, state.to_act.into())
    }

    fn n_symmetries(&self) -> usize {
        2
    }

    // Half a turn: each seat's rims change places.
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 {
            return *state;
        }
        let turn = |stones: &Cells| {
            let mut image = Cells::default();
            for cell in (0..self.board.n_cells()).filter(|&cell| contains(stones, cell)) {
                insert(&mut image, self.map_action(symmetry, cell));
            }
            image
        };
        self.position([turn(&state.stones[0]), turn(&state.stones[1])], state.to_act.into())
    }

    fn map_action(&self, symmetry: usize, action: u16) -> u16 {
        if symmetry == 0 || action == self.swap_action() { action } else { self.board.n_cells() - 1 - action }
    }
}

impl Information for Hex {}
