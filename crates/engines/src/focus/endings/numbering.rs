//! Endings by number: so many pieces of each colour, on the board in piles and in reserve.
//!
//! Of the eight images of a position under the symmetries of the board one stands for all. The cells form eight classes of images;
//! call a class earlier that has more cells. Of the images that have a pile on the first cell of the earliest class that
//! has piles, the one with the least number is taken: there is mostly just one. Some numbers stand for no position (Ströhlein and
//! Zagler fold chess endings without pawns so). A number is made of, the last varying first: who acts; which pieces are of
//! seat 1, pile by pile and from the top; how high the piles are; their cells; how many piles there are; the reserves. The pile on
//! the first cell of its class comes first, the others in the order of their cells. Sets are numbered by [`crate::combinations`].

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use raichi_core::game::{Game, Payoffs};
use raichi_core::path::{PathEnd, PathMemory};
use raichi_core::seat::Seat;
use raichi_games::focus::board::{BOARD, Cell, REACH, each, map_cell, step};
use raichi_games::focus::{Focus, Pile, State, TALLEST};
use raichi_games::square;
use raichi_solve::numbered::Numbered;

use super::Pieces;
use crate::combinations::{self, choose, rank, unrank};

/// More pieces are not numbered.
pub(super) const MOST_PIECES: usize = combinations::MOST;

/// Cells that the symmetries map to each other.
const N_CLASSES: usize = 8;

/// What the numbering looks up.
struct Geometry {
    /// By symmetry: where a cell goes.
    images: [[Cell; 64]; square::N_SYMMETRIES],
    /// By cell: its class, the earliest first.
    class: [usize; 64],
    /// By class: its first cell.
    firsts: [Cell; N_CLASSES],
    /// By cell: the symmetries that take it to the first of its class.
    folding: [Vec<usize>; 64],
    /// By class: the cells of it and of later ones, without its first.
    others: [Vec<Cell>; N_CLASSES],
    /// By class and cell: where the cell is in `others`.
    places: [[usize; 64]; N_CLASSES],
    /// By number of piles and class: the first number of the sets of cells whose earliest class is this; and at the end how
    /// many there are.
    begins: [[u64; N_CLASSES + 1]; MOST_PIECES + 1],
}

static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| {
    let images: [[Cell; 64]; square::N_SYMMETRIES] =
        std::array::from_fn(|symmetry| std::array::from_fn(|at| map_cell(symmetry, at as Cell)));
    let class_of = |at: Cell| {
        let mut cells = images.map(|images| images[usize::from(at)]).to_vec();
        cells.sort_unstable();
        cells.dedup();
        cells
    };
    let mut classes: Vec<Vec<Cell>> = each(BOARD).map(class_of).collect();
    classes.sort_by_key(|cells| (std::cmp::Reverse(cells.len()), cells[0]));
    classes.dedup();
    let class_at = |at: usize| classes.iter().position(|cells| cells.contains(&(at as Cell)));
    let class = std::array::from_fn(|at| class_at(at).unwrap_or(N_CLASSES));
    let firsts: [Cell; N_CLASSES] = std::array::from_fn(|class| classes[class][0]);
    let folds = |symmetry: usize, at: usize| class_at(at).is_some_and(|class| images[symmetry][at] == firsts[class]);
    let others: [Vec<Cell>; N_CLASSES] = std::array::from_fn(|first| {
        each(BOARD).filter(|&at| class[usize::from(at)] >= first && at != firsts[first]).collect()
    });
    let place = |class: usize, at: usize| others[class].iter().position(|&cell| usize::from(cell) == at);
    let mut begins = [[0; N_CLASSES + 1]; MOST_PIECES + 1];
    for (n_piles, begins) in begins.iter_mut().enumerate().skip(1) {
        for class in 0..N_CLASSES {
            begins[class + 1] = begins[class] + choose(n_piles - 1, others[class].len());
        }
    }
    // No pile at all is one set, of no class.
    begins[0][N_CLASSES] = 1;
    Geometry {
        folding: std::array::from_fn(|at| (0..square::N_SYMMETRIES).filter(|&symmetry| folds(symmetry, at)).collect()),
        places: std::array::from_fn(|class| std::array::from_fn(|at| place(class, at).unwrap_or(usize::MAX))),
        images,
        class,
        firsts,
        others,
        begins,
    }
});

/// How many sets of cells so many piles can stand on, images folded.
fn n_sets(n_piles: usize) -> u64 {
    GEOMETRY.begins[n_piles][N_CLASSES]
}

/// How many ways there are to make so many piles of so many pieces.
fn n_heights(n_pieces: usize, n_piles: usize) -> u64 {
    match n_piles {
        0 => u64::from(n_pieces == 0),
        _ => choose(n_piles - 1, n_pieces - 1),
    }
}

/// Positions with as many pieces in reserve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    reserves: [u8; 2],
    on_board: [usize; 2],
    /// The first number, and by number of piles the first number with so many; at the end the first of the next split.
    begins: [u64; MOST_PIECES + 2],
}

impl Split {
    fn n_on_board(&self) -> usize {
        self.on_board[0] + self.on_board[1]
    }

    /// How many ways there are to colour the pieces on the board.
    fn n_colourings(&self) -> u64 {
        choose(self.on_board[1], self.n_on_board())
    }
}

/// All ways to have so many pieces of each colour on the board or in reserve.
pub(super) fn splits([first, second]: [u8; 2]) -> Vec<Split> {
    let mut begin = 0;
    let reserves = (0..=first).flat_map(|one| (0..=second).map(move |other| [one, other]));
    let split = |reserves: [u8; 2]| {
        let on_board = [usize::from(first - reserves[0]), usize::from(second - reserves[1])];
        let mut split = Split { reserves, on_board, begins: [begin; MOST_PIECES + 2] };
        for n_piles in 0..=MOST_PIECES {
            let is_possible = n_piles <= split.n_on_board();
            let n_ways = if is_possible { n_sets(n_piles) * n_heights(split.n_on_board(), n_piles) } else { 0 };
            split.begins[n_piles + 1] = split.begins[n_piles] + 2 * n_ways * split.n_colourings();
        }
        begin = split.begins[MOST_PIECES + 1];
        split
    };
    reserves.map(split).collect()
}

/// What is on the board, the pile on the first cell of its class first where it has been folded so.
type Piles = ArrayVec<(Cell, Pile), MOST_PIECES>;

/// A position as it is numbered.
#[derive(Clone)]
struct Arrangement {
    piles: Piles,
    reserves: [u8; 2],
    to_act: Seat,
}

impl Arrangement {
    fn of(state: &State) -> Arrangement {
        let piles = each(state.owned(0) | state.owned(1)).map(|at| (at, state.pile(at)));
        Arrangement { piles: piles.collect(), reserves: [0, 1].map(|seat| state.reserve(seat)), to_act: state.to_act() }
    }

    fn state(&self, game: &Focus) -> State {
        let mut piles = [Pile::EMPTY; 64];
        self.piles.iter().for_each(|&(at, pile)| piles[usize::from(at)] = pile);
        game.set_up(piles, self.reserves, self.to_act)
    }
}

impl Pieces {
    fn split(&self, reserves: [u8; 2]) -> Option<&Split> {
        self.splits.get(usize::from(reserves[0]) * (usize::from(self.totals[1]) + 1) + usize::from(reserves[1]))
    }

    /// The number of an image by `symmetry`, which takes the pile that is `first` to the first cell of its class.
    fn number_of_image(&self, split: &Split, arrangement: &Arrangement, symmetry: usize, first: usize) -> u64 {
        let images = &GEOMETRY.images[symmetry];
        let class = GEOMETRY.class[usize::from(arrangement.piles[first].0)];
        let mut piles: Piles = arrangement.piles.iter().map(|&(at, pile)| (images[usize::from(at)], pile)).collect();
        piles.swap(0, first);
        piles[1..].sort_unstable_by_key(|&(at, _)| at);
        let places = piles[1..].iter().map(|&(at, _)| GEOMETRY.places[class][usize::from(at)]);
        let set = GEOMETRY.begins[piles.len()][class] + rank(places);
        // The tops of all piles but the first, counted over all pieces.
        let mut n_above = 0;
        let tops = piles[..piles.len() - 1].iter().map(|(_, pile)| {
            n_above += usize::from(pile.height());
            n_above - 1
        });
        let heights = rank(tops);
        let colours = piles.iter().flat_map(|(_, pile)| pile.pieces()).enumerate();
        let colouring = rank(colours.filter(|&(_, seat)| seat == 1).map(|(nth, _)| nth));
        let ways = (set * n_heights(split.n_on_board(), piles.len()) + heights) * split.n_colourings() + colouring;
        split.begins[piles.len()] + 2 * ways + arrangement.to_act as u64
    }

    /// The least number of an image, and how many images had to be compared; `None` where the pieces are others.
    fn least_number(&self, arrangement: &Arrangement) -> Option<(u64, usize)> {
        let split = self.split(arrangement.reserves)?;
        let class = |at: Cell| GEOMETRY.class[usize::from(at)];
        let Some(earliest) = arrangement.piles.iter().map(|&(at, _)| class(at)).min() else {
            return Some((split.begins[0] + arrangement.to_act as u64, 1));
        };
        let candidates = arrangement.piles.iter().enumerate().filter(|(_, (at, _))| class(*at) == earliest);
        let images = candidates
            .flat_map(|(nth, &(at, _))| GEOMETRY.folding[usize::from(at)].iter().map(move |&symmetry| (symmetry, nth)));
        let numbers = images.map(|(symmetry, first)| self.number_of_image(split, arrangement, symmetry, first));
        let least = |(least, n): (u64, usize), number: u64| (least.min(number), n + 1);
        Some(numbers.fold((u64::MAX, 0), least))
    }

    /// The number of a position; `None` where it is not of this ending.
    pub(super) fn number_of_state(&self, state: &State) -> Option<u64> {
        let totals = [0, 1].map(|seat| state.n_pieces_of(seat));
        let is_here = totals == self.totals.map(u16::from) && state.exchanges_left() == 0;
        if !is_here {
            return None;
        }
        self.least_number(&Arrangement::of(state)).map(|(number, _)| number)
    }

    /// What a number says, where it can be; piles of more than five pieces cannot.
    fn arrangement(&self, number: u64) -> Option<Arrangement> {
        let split = &self.splits[self.splits.partition_point(|split| split.begins[0] <= number) - 1];
        // Several begin with the same number where there is nothing with so many piles.
        let n_piles = split.begins[..=MOST_PIECES].partition_point(|&begin| begin <= number) - 1;
        let to_act = (number & 1) as Seat;
        let ways = (number - split.begins[n_piles]) / 2;
        let (ways, colouring) = (ways / split.n_colourings(), ways % split.n_colourings());
        let n_heights = n_heights(split.n_on_board(), n_piles);
        let (set, heights) = (ways / n_heights, ways % n_heights);
        let mut arrangement = Arrangement { piles: Piles::new(), reserves: split.reserves, to_act };
        if n_piles == 0 {
            return Some(arrangement);
        }
        let (cells, tops, seats) = (cells(set, n_piles), tops(heights, n_piles), seats(colouring, split));
        let mut from = 0;
        for nth in 0..n_piles {
            let until = if nth + 1 < n_piles { tops[nth] + 1 } else { split.n_on_board() };
            arrangement.piles.push((cells[nth], pile(&seats[from..until])?));
            from = until;
        }
        Some(arrangement)
    }
}

/// The cells of a set, the first of its class first.
fn cells(set: u64, n_piles: usize) -> [Cell; MOST_PIECES] {
    let begins = &GEOMETRY.begins[n_piles];
    let class = begins[..N_CLASSES].partition_point(|&begin| begin <= set) - 1;
    let mut places = [0; MOST_PIECES];
    unrank(set - begins[class], n_piles - 1, &mut places);
    let mut cells = [GEOMETRY.firsts[class]; MOST_PIECES];
    for (cell, &place) in cells[1..].iter_mut().zip(&places[..n_piles - 1]) {
        *cell = GEOMETRY.others[class][place];
    }
    cells
}

/// Where all piles but the last end, counted over all pieces.
fn tops(heights: u64, n_piles: usize) -> [usize; MOST_PIECES] {
    let mut tops = [0; MOST_PIECES];
    unrank(heights, n_piles - 1, &mut tops);
    tops
}

/// Whose the pieces on the board are.
fn seats(colouring: u64, split: &Split) -> [Seat; MOST_PIECES] {
    let mut of_seat_1 = [0; MOST_PIECES];
    unrank(colouring, split.on_board[1], &mut of_seat_1);
    let mut seats = [0; MOST_PIECES];
    of_seat_1[..split.on_board[1]].iter().for_each(|&nth| seats[nth] = 1);
    seats
}

/// The pile of these pieces, from the top.
fn pile(seats: &[Seat]) -> Option<Pile> {
    seats.iter().try_fold(Pile::EMPTY, |pile, &seat| pile.on(seat))
}

impl Numbered for Pieces {
    type Game = Focus;

    fn game(&self) -> &Focus {
        &self.game
    }

    fn identity(&self) -> String {
        format!("focus:{:?}, {}, numbering 1", self.game.rule(), crate::endings::Ending::pieces(self))
    }

    fn n_numbers(&self) -> u64 {
        self.splits.last().map_or(0, |split| split.begins[MOST_PIECES + 1])
    }

    #[inline]
    fn number(&self, position: &State) -> Option<u64> {
        self.number_of_state(position)
    }

    #[inline]
    fn position(&self, number: u64) -> Option<State> {
        let arrangement = self.arrangement(number)?;
        let (least, n_images) = self.least_number(&arrangement)?;
        debug_assert!(n_images > 1 || least == number, "number {number} is read as {least}");
        (least == number).then(|| arrangement.state(&self.game))
    }

    fn payoffs(&self) -> Vec<Payoffs> {
        vec![Payoffs::win(0), Payoffs::win(1)]
    }

    fn endless(&self) -> Payoffs {
        <Focus as Game>::PathMemory::payoffs(&self.game, &self.game.initial_state(), PathEnd::Repetition)
    }

    #[inline]
    fn seat(&self, number: u64) -> Seat {
        // All parts of the numbering but the last come twice.
        (number & 1) as Seat
    }

    fn offers_predecessors(&self) -> bool {
        true
    }

    /// Takes back every ply that captured nothing: pieces go back along the way that they came, and what went into reserve from
    /// under a pile goes under it again.
    fn predecessors(&self, position: &State, numbers: &mut Vec<u64>) {
        let mover = 1 - position.to_act();
        for to in each(position.owned(mover)) {
            let pile = position.pile(to);
            for n in 1..=pile.height() {
                let (rest, moved) = pile.take(n);
                // Something left the pile only if it is as tall as can be.
                let most = if pile.height() == TALLEST { position.reserve(mover) } else { 0 };
                let mut rest = Some(rest);
                for n_back in 0..=most {
                    let Some(before) = rest else { break };
                    let reserve = position.reserve(mover) - n_back;
                    let mut add = |from: Option<(Cell, Pile)>, reserve: u8| {
                        numbers.extend(self.number_before(position, mover, (to, before), from, reserve));
                    };
                    for (direction, &reach) in REACH[usize::from(to)].iter().enumerate() {
                        if n > reach {
                            continue;
                        }
                        let from = step(to, direction, n);
                        let stood = position.pile(from);
                        if stood.height() + n <= TALLEST {
                            add(Some((from, stood.put(moved).0)), reserve);
                        }
                    }
                    if n == 1 {
                        add(None, reserve + 1);
                    }
                    rest = before.on(mover);
                }
            }
        }
    }
}

impl Pieces {
    /// The number of the position before, when `mover` acted and these piles stood where now are others.
    fn number_before(
        &self,
        position: &State,
        mover: Seat,
        to: (Cell, Pile),
        from: Option<(Cell, Pile)>,
        reserve: u8,
    ) -> Option<u64> {
        let mut before = Arrangement::of(position);
        before.to_act = mover;
        before.reserves[mover] = reserve;
        before.piles.retain(|(at, _)| *at != to.0 && from.is_none_or(|from| *at != from.0));
        before.piles.extend([Some(to), from].into_iter().flatten().filter(|(_, pile)| *pile != Pile::EMPTY));
        self.least_number(&before).map(|(number, _)| number)
    }
}
