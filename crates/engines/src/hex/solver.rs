//! Who wins: by the map of first stones, by strategy stealing, and by proof-number search.
//!
//! - The empty board is Black's on every size (J. Nash: an additional stone never harms), and White's where White may
//!   swap: of a first stone either the one who put it wins or the one who takes it over.
//! - First stones on boards of up to 7 × 7 are looked up in the map (`openings.txt`), others and all further
//!   positions on boards of up to 8 × 8 are searched (`proof/`). No length is told.
//! - On larger boards a search that knows the rules only may find the winner near the end; before, nobody knows who wins.

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_core::seat::Seat;
use raichi_games::hex::{Hex, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use super::map::winning_openings;
use super::proof::board::{BLACK, Stones, WHITE, each};
use super::proof::search::{Search, Stopped};
use crate::one_at_a_time::{OneAtATime, WithTable};

/// The largest board that is searched.
const LARGEST: u8 = 8;
/// On larger boards a search that knows the rules only is given up where neither side can win with so few more stones of its own
/// (seven plies) and there are more empty cells than this.
const NEAR: u32 = 4;
const MOST_EMPTY: u32 = 40;

pub(super) struct Prover {
    game: Hex,
    search: Option<OneAtATime<Search>>,
}

impl Prover {
    pub(super) fn new(game: &Hex) -> Prover {
        let search = (game.size() <= LARGEST).then(|| OneAtATime::new(Search::new(game.size().into())));
        Prover { game: game.clone(), search }
    }

    /// Who wins where that is known without a search, and by what.
    fn known(&self, position: &State) -> Option<(Seat, Method)> {
        let (seat, map) = (position.to_act(), winning_openings(self.game.size()));
        // Where there is a map, it says as much as the proof.
        let by_stealing = if map.is_some() { Method::Table } else { Method::Proof };
        if self.game.may_swap(position) {
            return Some((WHITE, by_stealing));
        }
        let n_stones: u32 = [BLACK, WHITE].map(|side| count(position, side)).iter().sum();
        if n_stones == 0 && seat == BLACK {
            return Some((if self.game.may_be_swapped() { WHITE } else { BLACK }, by_stealing));
        }
        let cell = each(position.stones(BLACK)[0]).next()?;
        let wins = map.filter(|_| n_stones == 1 && seat == WHITE)?;
        Some((if wins[cell] { BLACK } else { WHITE }, Method::Table))
    }

    fn winner(&self, position: &State, work: &Work<'_>) -> Result<Seat, Unsolved> {
        if let Some((winner, _)) = self.known(position) {
            return Ok(winner);
        }
        let Some(search) = &self.search else {
            let sentence = format!(
                "Hex is solved on boards of up to {LARGEST} cells along each side, and on larger ones \
                 before the first stone only"
            );
            return Err(Unsolved::Unknown(sentence));
        };
        let stones = [BLACK, WHITE].map(|side| position.stones(side)[0]);
        search.ask(work, |search| prove(search, &stones, position.to_act(), work))
    }
}

fn count(position: &State, side: usize) -> u32 {
    position.stones(side).iter().map(|word| word.count_ones()).sum()
}

fn prove(search: &mut Search, stones: &Stones, seat: Seat, work: &Work<'_>) -> Result<Seat, Unsolved> {
    match search.prove(stones, seat, work.memory, &mut || work.is_over()) {
        Ok(proof) => Ok(if proof.wins { seat } else { 1 - seat }),
        Err(Stopped::Asked) => Err(Unsolved::OutOfTime),
        Err(Stopped::Full) => Err(Unsolved::OutOfMemory),
    }
}

impl Solver<Hex> for Prover {
    fn method(&self) -> Method {
        Method::Search
    }

    fn answers_one_at_a_time(&self) -> bool {
        true
    }

    fn method_of(&self, position: &State) -> Method {
        match self.game.phase(position) {
            Phase::Over => Method::Rules,
            _ => self.known(position).map_or(Method::Search, |(_, method)| method),
        }
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        self.winner(position, work).map(|winner| Exact::of(Payoffs::win(winner)))
    }

    fn leaves_the_rest(&self, position: &State) -> bool {
        let n_stones = [BLACK, WHITE].map(|side| count(position, side));
        let n_empty = u32::from(self.game.size()).pow(2) - n_stones.iter().sum::<u32>();
        n_empty <= MOST_EMPTY || n_stones.iter().any(|&n| n + NEAR >= self.game.size().into())
    }

    fn statistics(&self) -> Statistics {
        self.search.as_ref().map_or_else(Statistics::default, OneAtATime::statistics)
    }
}

impl WithTable for Search {
    fn cost(&self) -> Statistics {
        self.statistics()
    }

    fn forget(&mut self) {
        self.forget_all();
    }
}

/// Proves who wins after each first stone, without the map; central cells first, and of two that half a turn
/// exchanges one. `found` is called with each: the cell, whether Black wins, and what the search has cost so far.
///
/// # Errors
/// When the work ended before all were known.
///
/// # Panics
/// When the board has more than 8 cells along each side.
pub fn prove_openings(
    size: u8,
    work: &Work<'_>,
    found: &mut dyn FnMut(usize, bool, Statistics),
) -> Result<Vec<bool>, Unsolved> {
    let n_cells = usize::from(size) * usize::from(size);
    let mut search = Search::new(size.into());
    let mut wins = vec![false; n_cells];
    let from_centre = |cell: usize| {
        let [x, y] = [cell % usize::from(size), cell / usize::from(size)].map(|at| 2 * at as i32 + 1 - i32::from(size));
        x * x + x * y + y * y
    };
    let mut cells: Vec<usize> = (0..n_cells.div_ceil(2)).collect();
    cells.sort_by_key(|&cell| from_centre(cell));
    for cell in cells {
        let winner = prove(&mut search, &[1 << cell, 0], WHITE, work)?;
        wins[cell] = winner == BLACK;
        wins[n_cells - 1 - cell] = winner == BLACK;
        found(cell, winner == BLACK, search.statistics());
    }
    Ok(wins)
}
