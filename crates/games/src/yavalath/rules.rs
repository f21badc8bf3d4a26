//! State, legal actions, apply, payoffs.

use raichi_core::game::{Classes, Facts, Game, Never, Payoffs, Phase};
use raichi_core::information::Information;
use raichi_core::path::NoMemory;
use raichi_core::random::{self, Rng};
use raichi_core::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::board::{Cells, Hexagon, Stones, both, contains, count, each, either, insert, is_none, nth, remove};

const MAX_SEATS: usize = 3;

/// The rules: the board, who plays, and whether seat 1 may swap.
#[derive(Clone, Debug)]
pub struct Yavalath {
    pub(super) board: Hexagon,
    pub(super) n_seats: u8,
    pub(super) swap: bool,
}

/// The stones, who is still in, who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(super) stones: [Stones; MAX_SEATS],
    /// Kept along: the cells without a stone.
    empty: Cells,
    /// Kept along.
    n_empty: u8,
    /// Kept along where three seats play: the empty cells where each would make four.
    fours: [Cells; MAX_SEATS],
    /// Kept along: the seats that have not made three, and the winner by four.
    pub(super) still_in: SeatSet,
    /// After a win by four the winner.
    pub(super) to_act: u8,
    /// Kept along.
    pub(super) end: Option<End>,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// Somebody made four in a row.
    Four,
    /// All others made three in a row.
    Three,
    /// No cell is left.
    Full,
}

/// The longest row that a new stone is part of, as far as the rules care.
enum Row {
    Short,
    Three,
    FourOrMore,
}

impl State {
    /// A seat's stones: in each of the three directions a word for each line, whose bits are the places along it.
    #[inline]
    pub fn lines(&self, seat: Seat) -> &[[u16; 15]; 3] {
        self.stones[seat].lines()
    }

    /// The cells without a stone, a bit a cell.
    #[inline]
    pub fn empty(&self) -> &[u64; 3] {
        &self.empty
    }

    /// The seats that have not made three, and the winner by four.
    #[inline]
    pub fn still_in(&self) -> SeatSet {
        self.still_in
    }

    /// The seat to act.
    #[inline]
    pub fn to_act(&self) -> Seat {
        self.to_act.into()
    }
}

// Whether the only stone is seat 0's; asked once a game.
#[cold]
fn is_of_seat_0(state: &State) -> bool {
    state.stones[1] == Stones::default()
}

impl Yavalath {
    /// The game on a board of this size.
    ///
    /// # Panics
    /// When there are not 3 to 8 cells on a side or 2 or 3 seats, or three seats may swap.
    pub fn new(size: u8, n_seats: u8, swap: bool) -> Yavalath {
        assert!((3..=8).contains(&size), "the size is from 3 to 8, not {size}");
        assert!(n_seats == 2 || n_seats == 3 && !swap, "two seats or three play, and three never swap");
        Yavalath { board: Hexagon::new(size), n_seats, swap }
    }

    /// How many play.
    #[inline]
    pub fn n_seats(&self) -> usize {
        self.n_seats.into()
    }

    /// How many cells there are; their numbers begin at 0.
    #[inline]
    pub fn n_cells(&self) -> u8 {
        self.board.n_cells()
    }

    /// In each of the three directions which line of the board a cell lies on, and its place along it; see
    /// [`State::lines`].
    #[inline]
    pub fn lines_of(&self, cell: u8) -> [(u8, u8); 3] {
        self.board.lines_of(cell)
    }

    /// Whether seat 1 may swap at all.
    #[inline]
    pub fn swaps(&self) -> bool {
        self.swap
    }

    /// The action by which seat 1 takes over the first stone.
    #[inline]
    pub fn swap_action(&self) -> u8 {
        self.board.n_cells()
    }

    /// Seat 1 is to act and has no stone, seat 0 has one: in play that is ply 1 only.
    #[inline]
    pub fn may_swap(&self, state: &State) -> bool {
        self.swap && state.to_act == 1 && state.n_empty + 1 == self.board.n_cells() && is_of_seat_0(state)
    }

    /// Whose stone lies on a cell.
    pub(super) fn stone(&self, state: &State, cell: u8) -> Option<Seat> {
        (0..MAX_SEATS).find(|&seat| self.board.is_on(&state.stones[seat], cell))
    }

    /// All stones, seat by seat.
    pub(super) fn all_stones(&self, state: &State) -> impl Iterator<Item = (Seat, u8)> {
        let cells =
            (0..usize::from(self.n_seats)).flat_map(|seat| (0..self.board.n_cells()).map(move |cell| (seat, cell)));
        cells.filter(|&(seat, cell)| self.board.is_on(&state.stones[seat], cell))
    }

    /// The position with these stones; what else a state keeps follows from them.
    pub(super) fn position(&self, stones: impl IntoIterator<Item = (Seat, u8)>, to_act: u8) -> State {
        let mut state = self.initial_state();
        for (seat, cell) in stones {
            self.put(&mut state, seat, cell);
        }
        let with_four = self.seats_with_row(&state, |n_stones| n_stones >= 4);
        let with_three = self.seats_with_row(&state, |n_stones| n_stones == 3);
        // A stone that makes four wins, even if it also makes three.
        let is_in = |&seat: &Seat| with_four.contains(seat) || !with_three.contains(seat);
        state.still_in = state.still_in.iter().filter(is_in).collect();
        state.end = if !with_four.is_empty() {
            Some(End::Four)
        } else if state.still_in.len() <= 1 {
            Some(End::Three)
        } else {
            (state.n_empty == 0).then_some(End::Full)
        };
        State { to_act, ..state }
    }

    /// The seats that have a row of so many stones, none of its own at its ends.
    pub(super) fn seats_with_row(&self, state: &State, is_long: impl Fn(u8) -> bool) -> SeatSet {
        let has_row = |seat, cell| self.board.windows(&state.stones[seat], cell).iter().any(|row| is_long(row.run));
        self.all_stones(state).filter(|&(seat, cell)| has_row(seat, cell)).map(|(seat, _)| seat).collect()
    }

    /// Who made four in a row.
    pub(super) fn winner_by_four(&self, state: &State) -> Option<Seat> {
        (state.end == Some(End::Four)).then_some(state.to_act.into())
    }

    /// The seat that acts after this one.
    #[inline]
    pub(super) fn next_to_act(&self, state: &State, seat: u8) -> u8 {
        let mut next = seat;
        loop {
            next = if next + 1 == self.n_seats { 0 } else { next + 1 };
            if state.still_in.contains(next.into()) {
                return next;
            }
        }
    }

    /// The only cells allowed where, of three seats, the next one could win at once: its winning cells and one's own.
    #[inline]
    pub fn must_block(&self, state: &State) -> Option<Cells> {
        if self.n_seats == 2 {
            return None;
        }
        let threats = &state.fours[usize::from(self.next_to_act(state, state.to_act))];
        (!is_none(threats)).then(|| either(threats, &state.fours[usize::from(state.to_act)]))
    }

    #[inline]
    fn put(&self, state: &mut State, seat: Seat, cell: u8) -> Row {
        self.board.put(&mut state.stones[seat], cell);
        remove(&mut state.empty, cell);
        state.n_empty -= 1;
        let windows = self.board.windows(&state.stones[seat], cell);
        if self.n_seats == 3 {
            for (window, cells) in windows.iter().zip(self.board.around(cell)) {
                let mut fours = window.fours;
                while fours != 0 {
                    insert(&mut state.fours[seat], cells[fours.trailing_zeros() as usize]);
                    fours &= fours - 1;
                }
            }
            for fours in &mut state.fours {
                *fours = both(fours, &state.empty);
            }
        }
        // Four is tested first: it wins, even if the stone also makes three elsewhere.
        match windows[0].run.max(windows[1].run).max(windows[2].run) {
            4.. => Row::FourOrMore,
            3 => Row::Three,
            _ => Row::Short,
        }
    }

    fn swap_seats(state: &mut State) {
        state.stones.swap(0, 1);
        state.to_act = 0;
    }
}

impl Game for Yavalath {
    type State = State;
    type Action = u8;
    type Outcome = Never;
    type PathMemory = NoMemory;

    const CLASSES: Classes = Classes::NO_SECRETS;

    fn facts(&self) -> Facts {
        if self.n_seats == 2 {
            return Facts::TWO_SEATS_AND_DRAWS;
        }
        Facts { n_seats: 3, payoff_sum: Some(1.0), payoff_range: Some((0.0, 1.0)), ..Facts::TWO_SEATS_AND_DRAWS }
    }

    fn initial_state(&self) -> State {
        State {
            stones: [Stones::default(); MAX_SEATS],
            empty: self.board.all(),
            n_empty: self.board.n_cells(),
            fours: [Cells::default(); MAX_SEATS],
            still_in: SeatSet::first_n(self.n_seats.into()),
            to_act: 0,
            end: None,
        }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.end.is_some() { Phase::Over } else { Phase::seat(state.to_act.into()) }
    }

    fn legal_actions(&self, state: &State, _seat: Seat, actions: &mut Vec<u8>) {
        actions.extend(each(self.must_block(state).unwrap_or(state.empty)));
        if self.may_swap(state) {
            actions.push(self.swap_action());
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, seat: Seat, action: u8) {
        debug_assert!(self.is_legal(state, seat, action), "{action} is not legal");
        if action == self.swap_action() {
            return Yavalath::swap_seats(state);
        }
        match self.put(state, seat, action) {
            Row::FourOrMore => {
                state.end = Some(End::Four);
                return;
            }
            Row::Three => state.still_in = state.still_in.without(seat),
            Row::Short => {}
        }
        state.to_act = self.next_to_act(state, seat as u8);
        if state.still_in.len() == 1 {
            state.end = Some(End::Three);
        } else if state.n_empty == 0 {
            state.end = Some(End::Full);
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let winners = self.winner_by_four(state).map_or(state.still_in, SeatSet::one);
        Payoffs::ranked(winners, self.n_seats.into())
    }

    fn is_out(&self, state: &State, seat: Seat) -> bool {
        !state.still_in.contains(seat)
    }

    fn end_reason(&self, state: &State) -> &'static str {
        match state.end {
            Some(End::Four) => "four",
            Some(End::Three) => "three",
            Some(End::Full) | None => "full",
        }
    }

    #[inline]
    fn count_actions(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>) -> usize {
        let n_cells = self.must_block(state).map_or(state.n_empty.into(), |cells| count(&cells));
        n_cells + usize::from(self.may_swap(state))
    }

    // In a whole program it has many callers, and was called rather than inlined in the playout loop.
    #[inline(always)]
    fn random_action<R: Rng + ?Sized>(&self, state: &State, _seat: Seat, _scratch: &mut Vec<u8>, rng: &mut R) -> u8 {
        if let Some(cells) = self.must_block(state) {
            return nth(cells, random::index(rng, count(&cells)));
        }
        let n_empty = usize::from(state.n_empty);
        match random::index(rng, n_empty + usize::from(self.may_swap(state))) {
            n if n == n_empty => self.swap_action(),
            n => nth(state.empty, n),
        }
    }

    fn is_legal(&self, state: &State, _seat: Seat, action: u8) -> bool {
        if action == self.swap_action() {
            return self.may_swap(state);
        }
        contains(&self.must_block(state).unwrap_or(state.empty), action)
    }

    // The stones and who acts are the position.
    fn key(&self, state: &State) -> u64 {
        let words = state.stones[..self.n_seats.into()].iter().flat_map(Stones::words);
        words.fold(random::mix(state.to_act.into()), |key, word| random::mix(key ^ word))
    }

    fn recomputed(&self, state: &State) -> State {
        self.position(self.all_stones(state), state.to_act)
    }

    fn n_symmetries(&self) -> usize {
        12
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let image = self.all_stones(state).map(|(seat, cell)| (seat, self.board.map_cell(symmetry, cell)));
        self.position(image, state.to_act)
    }

    fn map_action(&self, symmetry: usize, action: u8) -> u8 {
        if action == self.swap_action() { action } else { self.board.map_cell(symmetry, action) }
    }
}

impl Information for Yavalath {}
