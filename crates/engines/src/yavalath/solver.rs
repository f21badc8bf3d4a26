//! Who wins, on boards of up to five cells along each side.
//!
//! Two seats: first stones and replies that are proven are looked up (`openings.rs`), all else is searched, by proof numbers with forced
//! replies (`proof/`); the swap goes by what the first stone is worth to its owner. Three seats on three cells along each side: backward induction up to symmetry (`three_seats.rs`), as far as
//! memory goes. No length is told. What was reached: docs/truths.md.

use std::sync::Arc;
use std::time::Duration;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::yavalath::{State, Yavalath};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use super::openings::Openings;
use super::proof::{Board, Places, Search};
use super::three_seats;
use crate::one_at_a_time::{OneAtATime, WithTable};

/// The most cells of a board that is searched: five along each side; and of one whose places fit into 64 bits.
const MOST_CELLS: u8 = 61;
const MOST_CELLS_OF_64_BITS: u8 = 37;

/// And where three seats play: three along each side.
const MOST_CELLS_OF_THREE: u8 = 19;

pub(super) fn solver(game: &Yavalath) -> Option<Arc<dyn Solver<Yavalath>>> {
    match (game.n_seats(), game.n_cells()) {
        (2, ..=MOST_CELLS_OF_64_BITS) => Some(Arc::new(Prover::<u64>::new(game))),
        (2, ..=MOST_CELLS) => Some(Arc::new(Prover::<u128>::new(game))),
        (3, ..=MOST_CELLS_OF_THREE) => Some(Arc::new(Three::new(game))),
        _ => None,
    }
}

struct Prover<P> {
    game: Yavalath,
    openings: Openings,
    search: OneAtATime<Search<P>>,
}

impl<P: Places> Prover<P> {
    fn new(game: &Yavalath) -> Prover<P> {
        Prover {
            game: game.clone(),
            openings: Openings::of(game),
            search: OneAtATime::new(Search::new(Board::new(game))),
        }
    }

    /// What is known of a position without a search, as [`Prover::value`].
    fn known(&self, state: &State) -> Option<i8> {
        self.openings.worth(&self.game, state)
    }

    /// The value of a position to the seat to act: 1, 0 or −1.
    fn value(&self, search: &mut Search<P>, state: &State, work: &Work<'_>) -> Result<i8, Unsolved> {
        if let Some(known) = self.known(state) {
            return Ok(known);
        }
        let n_stones = u32::from(self.game.n_cells()) - state.empty().iter().map(|word| word.count_ones()).sum::<u32>();
        if self.game.swaps() && n_stones == 0 && state.to_act() == 0 {
            // The best of the first stones, each of which goes to whom it is worth more.
            let mut best = -1;
            for cell in first_stones(&self.game) {
                let mut next = *state;
                self.game.apply(&mut next, 0, cell);
                best = best.max(-self.value(search, &next, work)?);
                if best == 0 {
                    break;
                }
            }
            return Ok(best);
        }
        let stones = search.board().stones(&self.game, state);
        let value = search.value(&stones, work.memory, &mut || work.is_over()).map_err(|_| Unsolved::OutOfTime)?;
        // Seat 1 leaves the stone where it wins against it, and takes it over where it loses.
        Ok(if self.game.may_swap(state) { value.abs() } else { value })
    }
}

/// For three seats.
struct Three {
    game: Yavalath,
    search: OneAtATime<three_seats::Search>,
}

impl Three {
    fn new(game: &Yavalath) -> Three {
        Three { game: game.clone(), search: OneAtATime::new(three_seats::Search::new(game)) }
    }
}

impl Solver<Yavalath> for Three {
    fn method(&self) -> Method {
        Method::Search
    }

    fn answers_one_at_a_time(&self) -> bool {
        true
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact::of(self.game.payoffs(position)));
        }
        let values = self.search.ask(work, |search| search.values(position, work))?;
        Ok(Exact::of(Payoffs::new(values)))
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

/// Of first stones that symmetry makes one, one each.
fn first_stones(game: &Yavalath) -> impl Iterator<Item = u8> {
    (0..game.n_cells()).filter(|&cell| (0..game.n_symmetries()).all(|symmetry| cell <= game.map_action(symmetry, cell)))
}

impl<P: Places> Solver<Yavalath> for Prover<P> {
    fn method(&self) -> Method {
        Method::Search
    }

    fn answers_one_at_a_time(&self) -> bool {
        true
    }

    fn method_of(&self, position: &State) -> Method {
        match self.game.phase(position) {
            Phase::Over => Method::Rules,
            _ if self.known(position).is_some() => Method::Table,
            _ => Method::Search,
        }
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let seat = position.to_act();
        // What is known waits for nobody's search.
        let value = match self.known(position) {
            Some(known) => known,
            None => self.search.ask(work, |search| self.value(search, position, work))?,
        };
        let values = match value {
            0 => Payoffs::zero(2),
            value => Payoffs::win(if value > 0 { seat } else { 1 - seat }),
        };
        Ok(Exact::of(values))
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

impl<P: Places> WithTable for Search<P> {
    fn cost(&self) -> Statistics {
        Search::statistics(self)
    }

    // Its table has a place for everything: what is new takes the place of what is old.
    fn forget(&mut self) {}
}

/// What each first stone is worth to the seat that puts it, without a swap: 1, 0 or −1, for one of those that
/// symmetry makes one. `found` is called with each, and with `None` where the work, or the stone's even share of what was left until its
/// deadline, ended before.
pub fn prove_openings(game: &Yavalath, work: &Work<'_>, found: &mut dyn FnMut(u8, Option<i8>, Statistics)) {
    if game.n_cells() <= MOST_CELLS_OF_64_BITS {
        prove_openings_by::<u64>(game, work, found);
    } else {
        prove_openings_by::<u128>(game, work, found);
    }
}

fn prove_openings_by<P: Places>(game: &Yavalath, work: &Work<'_>, found: &mut dyn FnMut(u8, Option<i8>, Statistics)) {
    let mut search = Search::<P>::new(Board::new(game));
    let cells: Vec<u8> = first_stones(game).collect();
    for (nth, &cell) in cells.iter().enumerate() {
        let now = work.host.now();
        let share = |end: Duration| now + end.saturating_sub(now) / (cells.len() - nth) as u32;
        let until = work.deadline.map(share);
        let mut next = game.initial_state();
        game.apply(&mut next, 0, cell);
        let stones = search.board().stones(game, &next);
        let is_late = || until.is_some_and(|until| work.host.now() >= until);
        let value = search.value(&stones, work.memory, &mut || is_late() || work.is_over());
        found(cell, value.ok().map(|value| -value), search.statistics());
    }
}
