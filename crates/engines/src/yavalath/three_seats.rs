//! What three seats get on three cells along each side: backward induction, equal choices being made equally often.
//!
//! A position is three sets of 19 cells and who acts; the smallest of its twelve images stands for all of them. Who can make
//! four does, and such positions are not kept. A choice that gets the whole payoff cuts off the search of a position, and a
//! third stone in a row, which brings its owner nothing, is searched only where nothing else brings anything. Actions that
//! threaten four come first. Where two seats are left the same holds.
//! Checked against: the plain induction of the crate `solve`, in the tests.
//! Not here: the bounds that other ways to choose between equals would give, and boards of more cells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use raichi_core::game::Game;
use raichi_games::yavalath::{State, Yavalath};
use raichi_machine::{Zeroed, prefetch};
use raichi_solve::backward::EQUAL;
use raichi_solve::{Progress, Statistics, Unsolved, Work};
use rustc_hash::FxHashMap;

use crate::one_at_a_time::WithTable;

/// A bit a cell.
type Cells = u32;

/// What each seat gets.
pub(super) type Values = [f64; 3];

const N_CELLS: usize = 19;
const ALL: Cells = (1 << N_CELLS) - 1;
/// An image is looked up in two parts; so many cells are in the first one.
const FIRST_PART: usize = 10;

/// What a seat's stones make possible.
#[derive(Clone, Copy, Default)]
struct Rows {
    /// The cells, not its own, where one more stone makes four, and those where it makes three only.
    fours: Cells,
    threes: Cells,
    /// Whether three of them lie in a row, so that the seat is out.
    is_out: bool,
}

/// The stones of each seat, and who acts.
#[derive(Clone, Copy, Debug)]
struct Position {
    stones: [Cells; 3],
    to_act: usize,
}

/// A position that play goes on from, and its key.
#[derive(Clone, Copy)]
struct Open {
    position: Position,
    key: u64,
}

/// Where an action leads to.
enum After {
    /// The game is over, or the seat to act wins at once.
    Decided(Values),
    Open(Position),
}

/// The cells, and what all sets of them are about.
struct Board {
    rows: Vec<Rows>,
    /// For each symmetry, by the bits of each part, the cells that they become.
    images: Vec<[Vec<Cells>; 2]>,
    /// For each cell the direction's line and its place along it, as the game's own.
    places: [[(u8, u8); 3]; N_CELLS],
}

impl Board {
    fn new(game: &Yavalath) -> Board {
        assert_eq!(usize::from(game.n_cells()), N_CELLS, "three cells along each side");
        let places = std::array::from_fn(|cell| game.lines_of(cell as u8));
        let rows = all_rows(&lines(&places));
        let of_part = |symmetry: usize, first: usize, n: usize| {
            let image = |cell: usize| 1 << game.map_action(symmetry, cell as u8);
            let images = |bits: usize| (0..n).filter(|i| bits >> i & 1 == 1).fold(0, |all, i| all | image(first + i));
            (0..1 << n).map(images).collect()
        };
        let parts = |symmetry| [of_part(symmetry, 0, FIRST_PART), of_part(symmetry, FIRST_PART, N_CELLS - FIRST_PART)];
        Board { rows, images: (0..game.n_symmetries()).map(parts).collect(), places }
    }

    fn position(&self, state: &State) -> Position {
        let of = |seat: usize| {
            let lines = &state.lines(seat)[0];
            let has = |&cell: &usize| {
                let (line, along) = self.places[cell][0];
                lines[usize::from(line)] >> along & 1 == 1
            };
            (0..N_CELLS).filter(has).fold(0, |stones, cell| stones | 1 << cell)
        };
        Position { stones: [0, 1, 2].map(of), to_act: state.to_act() }
    }

    #[inline]
    fn of(&self, stones: Cells) -> &Rows {
        &self.rows[(stones & ALL) as usize]
    }

    /// The same for all images of a position; never 0.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        let stones = position.stones.map(|stones| [stones & ((1 << FIRST_PART) - 1), stones >> FIRST_PART]);
        let of = |[first, second]: &[Vec<Cells>; 2]| {
            let of_seat = |[low, high]: [Cells; 2]| u64::from(first[low as usize] | second[high as usize]);
            let [one, two, three] = stones.map(of_seat);
            one | two << N_CELLS | three << (2 * N_CELLS)
        };
        let smallest = self.images.iter().map(of).min().expect("there is the identity");
        smallest | (position.to_act as u64 + 1) << (3 * N_CELLS)
    }

    /// Where it leads to that the seat to act puts a stone on `cell`.
    #[inline]
    fn after(&self, position: &Position, cell: Cells) -> After {
        let Position { mut stones, to_act } = *position;
        stones[to_act] |= cell;
        let free = ALL & !(stones[0] | stones[1] | stones[2]);
        let rows = stones.map(|stones| self.of(stones));
        let n_in = rows.iter().filter(|rows| !rows.is_out).count();
        if n_in == 1 || free == 0 {
            let share = 1.0 / n_in as f64;
            return After::Decided(rows.map(|rows| if rows.is_out { 0.0 } else { share }));
        }
        let next = next_in(&rows, to_act);
        if rows[next].fours & free != 0 {
            return After::Decided(std::array::from_fn(|seat| if seat == next { 1.0 } else { 0.0 }));
        }
        After::Open(Position { stones, to_act: next })
    }
}

/// The seat still in that acts after `seat`.
#[inline]
fn next_in(rows: &[&Rows; 3], seat: usize) -> usize {
    let next = (seat + 1) % 3;
    if rows[next].is_out { (next + 1) % 3 } else { next }
}

/// The lines of the board in all directions, the cells of each in order.
fn lines(places: &[[(u8, u8); 3]; N_CELLS]) -> Vec<Vec<usize>> {
    let mut lines = std::collections::BTreeMap::<(usize, u8), Vec<(u8, usize)>>::new();
    for (cell, of_cell) in places.iter().enumerate() {
        for (direction, &(line, along)) in of_cell.iter().enumerate() {
            lines.entry((direction, line)).or_default().push((along, cell));
        }
    }
    let in_order = |mut line: Vec<(u8, usize)>| {
        line.sort_unstable();
        line.into_iter().map(|(_, cell)| cell).collect()
    };
    lines.into_values().map(in_order).collect()
}

/// What all sets of stones make possible.
fn all_rows(lines: &[Vec<usize>]) -> Vec<Rows> {
    let of = |stones: Cells| {
        let mut rows = Rows::default();
        for line in lines {
            let has = |at: usize| stones >> line[at] & 1 == 1;
            let stretch = |from: usize| (from..line.len()).take_while(|&at| has(at)).count();
            let mut before = 0;
            for (at, &cell) in line.iter().enumerate() {
                if has(at) {
                    before += 1;
                    let ends = at + 1 == line.len() || !has(at + 1);
                    rows.is_out |= ends && before == 3;
                } else {
                    match before + 1 + stretch(at + 1) {
                        4.. => rows.fours |= 1 << cell,
                        3 => rows.threes |= 1 << cell,
                        _ => {}
                    }
                    before = 0;
                }
            }
        }
        rows.threes &= !rows.fours;
        rows
    };
    (0..1 << N_CELLS).map(of).collect()
}

/// Positions and the numbers of their values, in a table that grows. One thread uses it at a time: the numbers are atomic because
/// [`Zeroed`] memory is made of such only.
struct Known {
    /// Key and number; a key of 0 is nobody's. As many as a power of two.
    slots: Zeroed<[AtomicU64; 2]>,
    n: usize,
    values: Vec<Values>,
    number_of: FxHashMap<[i64; 3], u64>,
}

const FEWEST_SLOTS: usize = 1 << 12;

impl Known {
    fn new() -> Known {
        Known {
            slots: Zeroed::new(FEWEST_SLOTS).expect("a few pages"),
            n: 0,
            values: Vec::new(),
            number_of: FxHashMap::default(),
        }
    }

    #[inline]
    fn first_slot(&self, key: u64) -> usize {
        raichi_core::random::mix(key) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(&self.slots[self.first_slot(key)]);
    }

    #[inline]
    fn slot(&self, key: u64) -> (&[AtomicU64; 2], bool) {
        let mut at = self.first_slot(key);
        loop {
            let slot = &self.slots[at];
            match slot[0].load(Ordering::Relaxed) {
                0 => return (slot, false),
                other if other == key => return (slot, true),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    #[inline]
    fn get(&self, key: u64) -> Option<Values> {
        let (slot, is_there) = self.slot(key);
        is_there.then(|| self.values[slot[1].load(Ordering::Relaxed) as usize])
    }

    /// Keeps what a position is worth, and returns what is kept: values that differ by rounding only are one.
    ///
    /// # Errors
    /// Where the table would take more than `bytes`.
    fn keep(&mut self, key: u64, values: Values, bytes: usize) -> Result<Values, Unsolved> {
        if 8 * self.n >= 7 * self.slots.len() {
            self.grow(bytes)?;
        }
        let next = self.values.len() as u64;
        let number = *self.number_of.entry(values.map(|value| (value / EQUAL).round() as i64)).or_insert(next);
        if number == next {
            self.values.push(values);
        }
        let (slot, is_there) = self.slot(key);
        slot[0].store(key, Ordering::Relaxed);
        slot[1].store(number, Ordering::Relaxed);
        self.n += usize::from(!is_there);
        Ok(self.values[number as usize])
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Unsolved> {
        let n = 2 * self.slots.len();
        // While it grows there are both.
        if 3 * n / 2 * size_of::<[AtomicU64; 2]>() > bytes {
            return Err(Unsolved::OutOfMemory);
        }
        let before = std::mem::replace(&mut self.slots, Zeroed::new(n).ok_or(Unsolved::OutOfMemory)?);
        for slot in before.iter() {
            let [key, number] = [0, 1].map(|i| slot[i].load(Ordering::Relaxed));
            if key != 0 {
                let (free, _) = self.slot(key);
                free[0].store(key, Ordering::Relaxed);
                free[1].store(number, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// The search with its table, which is kept from question to question.
pub(super) struct Search {
    game: Yavalath,
    /// Made for the first question: it takes a quarter of a second.
    board: Option<Arc<Board>>,
    known: Known,
    n_nodes: u64,
}

impl Search {
    /// For a board with three cells along each side.
    pub(super) fn new(game: &Yavalath) -> Search {
        Search { game: game.clone(), board: None, known: Known::new(), n_nodes: 0 }
    }

    /// What the seats get from a position that is not over.
    ///
    /// # Errors
    /// When the time or the memory is used up.
    ///
    /// # Panics
    /// When the board has not three cells along each side.
    pub(super) fn values(&mut self, state: &State, work: &Work<'_>) -> Result<Values, Unsolved> {
        let board = Arc::clone(self.board.get_or_insert_with(|| Arc::new(Board::new(&self.game))));
        let position = board.position(state);
        let free = ALL & !position.stones.iter().fold(0, |all, stones| all | stones);
        if board.of(position.stones[position.to_act]).fours & free != 0 {
            return Ok(std::array::from_fn(|seat| if seat == position.to_act { 1.0 } else { 0.0 }));
        }
        self.search(&board, &Open { position, key: board.key(&position) }, work)
    }

    fn search(&mut self, board: &Board, &Open { position, key }: &Open, work: &Work<'_>) -> Result<Values, Unsolved> {
        if let Some(values) = self.known.get(key) {
            return Ok(values);
        }
        self.count(work)?;
        let rows = position.stones.map(|stones| board.of(stones));
        let free = ALL & !position.stones.iter().fold(0, |all, stones| all | stones);
        let threats = rows[next_in(&rows, position.to_act)].fours & free;
        let (cells, threes) = (if threats == 0 { free } else { threats }, rows[position.to_act].threes);
        let mut choices = Choices::of(position.to_act);
        self.look(board, &position, cells & !threes, &mut choices, work)?;
        if choices.best <= 0.0 {
            self.look(board, &position, cells & threes, &mut choices, work)?;
        }
        self.known.keep(key, choices.shared(), work.memory)
    }

    /// What the seat to act has by a stone on each of these cells.
    fn look(
        &mut self,
        board: &Board,
        position: &Position,
        cells: Cells,
        choices: &mut Choices,
        work: &Work<'_>,
    ) -> Result<(), Unsolved> {
        let (mut threatening, mut quiet) = (Opens::new(), Opens::new());
        let mut left = cells;
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            match board.after(position, cell) {
                After::Decided(values) => choices.push(values),
                After::Open(next) => {
                    let key = board.key(&next);
                    self.known.prefetch(key);
                    let free = ALL & !next.stones.iter().fold(0, |all, stones| all | stones);
                    let threatens = board.of(next.stones[position.to_act]).fours & free != 0;
                    if threatens { &mut threatening } else { &mut quiet }.push(Open { position: next, key });
                }
            }
        }
        for open in threatening.iter().chain(&quiet) {
            if choices.has_everything() {
                break;
            }
            choices.push(self.search(board, open, work)?);
        }
        Ok(())
    }

    fn count(&mut self, work: &Work<'_>) -> Result<(), Unsolved> {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(1 << 9) {
            if work.is_over() {
                return Err(Unsolved::OutOfTime);
            }
            (work.progress)(Progress { stage: "positions", done: self.known.n as u64, total: 0 });
        }
        Ok(())
    }
}

type Opens = arrayvec::ArrayVec<Open, N_CELLS>;

/// What a seat can choose between.
struct Choices {
    seat: usize,
    all: arrayvec::ArrayVec<Values, N_CELLS>,
    best: f64,
}

impl Choices {
    fn of(seat: usize) -> Choices {
        Choices { seat, all: arrayvec::ArrayVec::new(), best: f64::NEG_INFINITY }
    }

    fn push(&mut self, values: Values) {
        self.best = self.best.max(values[self.seat]);
        self.all.push(values);
    }

    /// Whether the best one leaves nothing to the others.
    fn has_everything(&self) -> bool {
        self.best >= 1.0
    }

    /// What each seat gets where all of the best are chosen equally often.
    fn shared(&self) -> Values {
        let best = || self.all.iter().filter(|values| self.best - values[self.seat] <= EQUAL);
        let (first, n) = (best().next().expect("there is a choice"), best().count() as f64);
        // Of numbers that are all the same that number, without rounding.
        std::array::from_fn(|seat| first[seat] + best().map(|values| values[seat] - first[seat]).sum::<f64>() / n)
    }
}

impl WithTable for Search {
    fn cost(&self) -> Statistics {
        let of_board = self.board.as_ref().map_or(0, |board| board.rows.len() * size_of::<Rows>());
        let bytes = of_board + self.known.slots.len() * size_of::<[AtomicU64; 2]>();
        Statistics { positions: self.known.n as u64, nodes: self.n_nodes, bytes: bytes as u64 }
    }

    fn forget(&mut self) {
        self.known = Known::new();
    }
}
