//! Endings with few men: what every position is worth, and how long it lasts.
//!
//! Method: retrograde analysis of all positions with the same men ([`raichi_solve::numbered`]), the eight images of a position
//! kept once. A capture leads to fewer men, whose tables are made first. What neither side forces to an end is a draw,
//! as the third occurrence of a position is. The tables are of Black, Muscovites, as seat 0; the parameter `first` changes
//! the seats and nothing else, every range of the king has tables of its own.
//! Handled: up to [`MOST_MEN`](numbering) men besides the king, as [`crate::endings`] says.
//! Checked: the second pass of the analysis; `tests`, against a plain graph of the positions.

mod numbering;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use raichi_core::erased::create;
use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::tablut::{Side, State, Tablut};
use raichi_solve::numbered::Numbered;
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use crate::endings::{Ending, Tables, WithTable};

/// Which table: the king's range, and how many Muscovites and Swedes there are.
type Key = (u8, usize, usize);

/// The positions of the king and so many Swedes against so many Muscovites.
#[derive(Clone, Debug)]
pub struct Men {
    /// With Black as seat 0.
    game: Tablut,
    muscovites: usize,
    swedes: usize,
    /// By the king's cell: the first number.
    begins: [u64; 10],
}

impl Ending for Men {
    type Key = Key;

    fn of((king_range, muscovites, swedes): Key) -> Result<Men, String> {
        if muscovites + swedes > numbering::MOST_MEN {
            return Err(format!("endings are known with at most {} men besides the king", numbering::MOST_MEN));
        }
        let game = create::<Tablut>(Some(&format!("king-range={king_range}"))).map_err(|why| why.to_string())?;
        let mut ending = Men { game: *game.game(), muscovites, swedes, begins: [0; 10] };
        ending.begins = ending.begins();
        Ok(ending)
    }

    fn key(&self) -> Key {
        (self.game.king_range(), self.muscovites, self.swedes)
    }

    fn name(&self) -> String {
        let (range, muscovites, swedes) = self.key();
        format!("tablut-range-{range}-{muscovites}m{swedes}s")
    }

    fn pieces(&self) -> String {
        format!("{} Muscovites and {} Swedes", self.muscovites, self.swedes)
    }

    /// At most three men are captured at once, and without Muscovites the game is over.
    fn after_captures(&self) -> Vec<Men> {
        let (range, muscovites, swedes) = self.key();
        let fewer = |n: usize, least: usize| n.saturating_sub(3).max(least)..n;
        let white = fewer(muscovites, 1).map(move |fewer| (range, fewer, swedes));
        let black = fewer(swedes, 0).map(move |fewer| (range, muscovites, fewer));
        white.chain(black).filter_map(|key| Men::of(key).ok()).collect()
    }

    fn tables() -> &'static Tables<Men> {
        static TABLES: LazyLock<Tables<Men>> = LazyLock::new(Tables::default);
        &TABLES
    }
}

/// The solver: endings, by tables.
#[derive(Debug)]
pub struct Endings {
    game: Tablut,
}

impl Endings {
    /// The solver for these rules.
    pub fn new(game: &Tablut) -> Endings {
        Endings { game: *game }
    }

    /// The ending that a position belongs to, with its table.
    fn ending_of(&self, position: &State, work: &Work<'_>) -> Result<Arc<WithTable<Men>>, Unsolved> {
        let count = |side| position.of(side).count_ones() as usize;
        Men::tables().get((self.game.king_range(), count(Side::Black), count(Side::White) - 1), work)
    }
}

impl Solver<Tablut> for Endings {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let found = self.ending_of(position, work)?;
        let WithTable { ending, table } = &*found;
        let exact = table.exact(ending.number(position).expect("what is not over has a number"));
        // The table's seat 0 is Black.
        let values = [Side::Black, Side::White].map(|side| exact.values[ending.game.seat(side)]);
        let seat_0 = self.game.side(0) as usize;
        Ok(Exact { values: Payoffs::new([values[seat_0], values[1 - seat_0]]), ..exact })
    }

    /// Tables are made when the first position of theirs is asked for.
    fn is_immediate(&self) -> bool {
        false
    }

    /// Graphs of more men are larger than any memory.
    fn leaves_the_rest(&self, _position: &State) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        let (positions, bytes) = Men::tables().size();
        Statistics { positions, nodes: 0, bytes }
    }
}
