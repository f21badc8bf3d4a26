//! Bridges: two stones with two common empty neighbours are joined, as long as an intrusion into one is answered in the
//! other.

use raichi_core::game::Game;
use raichi_core::random::{FastRng, index};
use raichi_core::seat::Seat;
use raichi_games::hex::{Hex, State};
use raichi_search::PlayoutPolicy;

use super::distance::AROUND;

/// Beyond the rims that seat 0 joins, those that seat 1 joins, and the corners between them.
const BEYOND_ROWS: u16 = u16::MAX;
const BEYOND_COLUMNS: u16 = u16::MAX - 1;
const BEYOND_BOTH: u16 = u16::MAX - 2;

/// What lies around each cell, in order.
#[derive(Clone, Debug)]
pub(super) struct Surroundings(Vec<[u16; 6]>);

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Empty,
    Of(Seat),
    Nowhere,
}

impl Surroundings {
    pub(super) fn new(size: u8) -> Surroundings {
        let on_board = |at: i8| (0..size as i8).contains(&at);
        let cells = (0..size as i8).flat_map(|row| (0..size as i8).map(move |column| (column, row)));
        let around = cells.map(|(column, row)| {
            AROUND.map(|(dx, dy)| {
                let (x, y) = (column + dx, row + dy);
                match (on_board(x), on_board(y)) {
                    (true, true) => y as u16 * u16::from(size) + x as u16,
                    (true, false) => BEYOND_ROWS,
                    (false, true) => BEYOND_COLUMNS,
                    (false, false) => BEYOND_BOTH,
                }
            })
        });
        Surroundings(around.collect())
    }

    #[inline]
    fn place(state: &State, cell: u16) -> Place {
        match cell {
            BEYOND_ROWS => Place::Of(0),
            BEYOND_COLUMNS => Place::Of(1),
            BEYOND_BOTH => Place::Nowhere,
            _ => {
                let has = |seat: Seat| state.stones(seat)[usize::from(cell / 64)] >> (cell % 64) & 1 == 1;
                if has(0) {
                    Place::Of(0)
                } else if has(1) {
                    Place::Of(1)
                } else {
                    Place::Empty
                }
            }
        }
    }

    #[inline]
    fn places(&self, state: &State, cell: u16) -> [Place; 6] {
        self.0[usize::from(cell)].map(|cell| Surroundings::place(state, cell))
    }

    /// The cell that keeps a bridge of `seat` into which the other seat has put a stone on `intruded`; of several any.
    #[inline]
    fn other_half(&self, state: &State, seat: Seat, intruded: u16, rng: &mut FastRng) -> Option<u16> {
        let places = self.places(state, intruded);
        let own = Place::Of(seat);
        let first = index(rng, 6);
        (first..first + 6).find_map(|i| {
            let bridge = places[i % 6] == own && places[(i + 1) % 6] == Place::Empty && places[(i + 2) % 6] == own;
            bridge.then(|| self.0[usize::from(intruded)][(i + 1) % 6])
        })
    }

    /// Whether a bridge of `seat` has lost its other cell, so that it is this one that keeps it.
    pub(super) fn is_intruded(&self, state: &State, seat: Seat, cell: u16) -> bool {
        let places = self.places(state, cell);
        let own = Place::Of(seat);
        (0..6).any(|i| {
            let between = places[(i + 1) % 6];
            places[i] == own && between == Place::Of(1 - seat) && places[(i + 2) % 6] == own && {
                // A rim is nobody's intrusion.
                self.0[usize::from(cell)][(i + 1) % 6] < BEYOND_BOTH
            }
        })
    }
}

/// Keeps bridges, and is random elsewhere.
#[derive(Clone, Debug)]
pub(super) struct KeepsBridges(Surroundings);

impl KeepsBridges {
    pub(super) fn new(game: &Hex) -> KeepsBridges {
        KeepsBridges(Surroundings::new(game.size()))
    }
}

impl PlayoutPolicy<Hex> for KeepsBridges {
    #[inline]
    fn choose(
        &self,
        game: &Hex,
        state: &State,
        seat: Seat,
        last: Option<u16>,
        scratch: &mut Vec<u16>,
        rng: &mut FastRng,
    ) -> u16 {
        let intruded = last.filter(|&cell| cell != game.swap_action() && !game.may_swap(state));
        let kept = intruded.and_then(|cell| self.0.other_half(state, seat, cell, rng));
        kept.unwrap_or_else(|| game.random_action(state, seat, scratch, rng))
    }
}
