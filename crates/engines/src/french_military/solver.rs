//! What every position of the game is worth, from the table of pins and escapes.

use std::sync::OnceLock;

use raichi_core::game::{Game, Payoffs, Phase};
use raichi_games::french_military::{FrenchMilitary, Side, State};
use raichi_solve::{Exact, Method, Solver, Statistics, Unsolved, Work};

use super::Solved;

/// The table, made when it is first asked.
pub(super) struct Table {
    game: FrenchMilitary,
    solved: OnceLock<Solved>,
}

impl Table {
    pub(super) fn new(game: &FrenchMilitary) -> Table {
        Table { game: *game, solved: OnceLock::new() }
    }
}

impl Solver<FrenchMilitary> for Table {
    fn method(&self) -> Method {
        Method::Table
    }

    /// A win of Black's has a length where Black can force its way past White's men or White can no longer move;
    /// where it can only go back and forth until a position comes for the third time, it has none.
    fn solve(&self, position: &State, _work: &Work<'_>) -> Result<Exact, Unsolved> {
        if self.game.phase(position) == Phase::Over {
            return Ok(Exact { plies: Some(0), ..Exact::of(self.game.payoffs(position)) });
        }
        let solved = self.solved.get_or_init(|| Solved::new(&self.game));
        let exact = match solved.plies_to_pin.get(position) {
            Some(&plies) => Exact { plies: Some(plies.into()), ..Exact::of(Payoffs::win(self.game.seat(Side::White))) },
            None => Exact {
                plies: solved.plies_to_escape.get(position).map(|&plies| plies.into()),
                ..Exact::of(Payoffs::win(self.game.seat(Side::Black)))
            },
        };
        Ok(exact)
    }

    fn statistics(&self) -> Statistics {
        let Some(solved) = self.solved.get() else { return Statistics::default() };
        let capacity = solved.plies_to_pin.capacity() + solved.plies_to_escape.capacity();
        Statistics {
            positions: super::all_positions(&self.game).len() as u64,
            nodes: solved.n_nodes,
            bytes: (capacity * (size_of::<(State, u16)>() + 1)) as u64,
        }
    }
}
