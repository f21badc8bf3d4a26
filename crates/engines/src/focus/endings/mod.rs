//! Endings with few pieces: what every position is worth, and how long it lasts.
//!
//! Method: retrograde analysis of all positions with as many pieces of each colour, on the board and in reserve
//! ([`raichi_solve::numbered`]), the eight images of a position kept once. Up to five pieces nothing leaves the board any more;
//! with more, captures lead to fewer, whose tables are made first. What neither side forces to an end is a draw, as the third
//! occurrence of a position and a hundred quiet plies are, or by `draw-wins` a win of seat 0.
//! Handled: up to [`MOST_PIECES`](numbering) pieces of both colours together, after the exchanges, as [`crate::endings`] says.
//! Checked: the second pass of the analysis; `tests`, against a plain graph of the positions.

mod numbering;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use raichi_core::game::{Game, Phase};
use raichi_games::focus::{Focus, Rule, State, TALLEST};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use crate::endings::{Ending, Tables};
use numbering::Split;

/// Which table: whether draws are wins of seat 0, and how many pieces each seat has.
type Key = (bool, [u8; 2]);

/// The positions with so many pieces of each colour.
#[derive(Clone, Debug)]
pub struct Pieces {
    game: Focus,
    totals: [u8; 2],
    /// By how many are in reserve: the first number.
    splits: Vec<Split>,
}

impl Ending for Pieces {
    type Key = Key;

    fn of((draw_wins, totals): Key) -> Result<Pieces, String> {
        let most = numbering::MOST_PIECES;
        if !(1..=most).contains(&usize::from(totals[0] + totals[1])) {
            return Err(format!("endings are known with at most {most} pieces, on the board and in reserve"));
        }
        let game = Focus::new(if draw_wins { Rule::DrawWins } else { Rule::None });
        Ok(Pieces { game, totals, splits: numbering::splits(totals) })
    }

    fn key(&self) -> Key {
        (self.game.rule() == Rule::DrawWins, self.totals)
    }

    fn name(&self) -> String {
        let (draw_wins, [red, black]) = self.key();
        format!("focus-{}{red}r{black}b", if draw_wins { "draw-wins-" } else { "" })
    }

    fn pieces(&self) -> String {
        let [first, second] = self.totals;
        format!("{first} pieces of seat 0 and {second} of seat 1")
    }

    /// Who moves captures what is above five pieces.
    fn after_captures(&self) -> Vec<Pieces> {
        let (draw_wins, totals) = self.key();
        let captured = 1..=(totals[0] + totals[1]).saturating_sub(TALLEST);
        let without = |seat: usize, n: u8| {
            let mut fewer = totals;
            fewer[seat] = fewer[seat].checked_sub(n)?;
            Pieces::of((draw_wins, fewer)).ok()
        };
        captured.flat_map(|n| (0..2).filter_map(move |seat| without(seat, n))).collect()
    }

    fn tables() -> &'static Tables<Pieces> {
        static TABLES: LazyLock<Tables<Pieces>> = LazyLock::new(Tables::default);
        &TABLES
    }
}

/// The solver: endings, by tables.
#[derive(Debug)]
pub struct Endings {
    game: Focus,
}

impl Endings {
    /// The solver for these rules.
    pub fn new(game: &Focus) -> Endings {
        Endings { game: *game }
    }
}

impl Solver<Focus> for Endings {
    fn method(&self) -> Method {
        Method::Table
    }

    fn solve(&self, position: &State, work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let draw_wins = self.game.rule() == Rule::DrawWins;
        let totals = [0, 1].map(|seat| position.n_pieces_of(seat) as u8);
        let found = Pieces::tables().get((draw_wins, totals), work)?;
        let unnumbered = || Unsolved::Unknown("the exchanges have still to be chosen".into());
        Ok(found.table.exact(found.ending.number_of_state(position).ok_or_else(unnumbered)?))
    }

    /// Tables are made when the first position of theirs is asked for.
    fn is_immediate(&self) -> bool {
        false
    }

    /// Graphs of more pieces are larger than any memory.
    fn leaves_the_rest(&self, _position: &State) -> bool {
        false
    }

    fn statistics(&self) -> Statistics {
        let (positions, bytes) = Pieces::tables().size();
        Statistics { positions, nodes: 0, bytes }
    }
}
